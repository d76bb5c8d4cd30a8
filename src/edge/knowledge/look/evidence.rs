//! Compares claims about the files with the files.

use sha2::{Digest, Sha256};

use super::{ReadableFile, Search, SearchTree, path_and_lines};
use crate::edge::journal::hex;
use crate::fault::{Text, texts, values};
use crate::machine::{ClaimResult, EvidenceRecord, Lang, SourceLines};
use crate::reply::Evidence;

/// Minimum number of letters and digits in a quote.
const LEAST_QUOTE: usize = 3;

texts! {
    NO_QUOTE: "{place}: no quote is given", "{place}：没有引文";
    NOT_THERE: "{place}: the lines do not hold the quote", "{place}：这些行中没有该引文";
    NO_TRIAL: "there is no such trial", "没有这次试运行";
    MOVED: "now at {place}", "现在位于 {place}";
}

/// The result of checking earlier evidence again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EvidenceCheck {
    /// The lines still contain the quote.
    Holds,
    /// The quote is elsewhere in the file; the text says where.
    Moved(String),
    /// The quote is gone; the text says why.
    Gone(String),
}

impl Search<'_> {
    /// The result for each claim.
    pub fn verify(&self, claims: &[Evidence], lang: Lang) -> Vec<ClaimResult> {
        let tree = SearchTree::of(self, lang);
        claims
            .iter()
            .map(|claim| tree.verify_claim(claim))
            .collect()
    }

    /// The result of checking each record again; `None` if it was never verified.
    pub fn verify_again(
        &self,
        records: &[EvidenceRecord],
        lang: Lang,
    ) -> Vec<Option<EvidenceCheck>> {
        let tree = SearchTree::of(self, lang);
        records.iter().map(|record| tree.recheck(record)).collect()
    }
}

impl SearchTree<'_> {
    fn verify_claim(&self, claim: &Evidence) -> ClaimResult {
        let Some(named) = &claim.path else {
            return Err(NO_TRIAL.of(self.lang).to_owned());
        };
        let (path, lines) = path_and_lines(named);
        let from = claim.from.or(lines.map(|(from, _)| from));
        let to = claim.to.or(lines.map(|(_, to)| to)).or(from);
        let place = match (from, to) {
            (Some(from), Some(to)) if to > from => format!("`{path}:{from}-{to}`"),
            (Some(from), _) => format!("`{path}:{from}`"),
            _ => format!("`{path}`"),
        };
        let told = |text: Text| text.with(self.lang, values![place]);
        let file = self.file(path).map_err(|why| format!("{place}: {why}"))?;
        let (text, digest) = self
            .text_and_digest(file)
            .ok_or_else(|| told(NO_FILE_READ))?;
        let letters = claim.quote.chars().filter(|c| c.is_alphanumeric()).count();
        if letters < LEAST_QUOTE {
            return Err(told(NO_QUOTE));
        }
        let lines: Vec<&str> = text.lines().collect();
        let ground = |from: usize, to: usize| SourceLines {
            path: file.name.clone(),
            from: from as u32,
            to: to as u32,
            digest: digest.clone(),
        };
        let parts = parts(&claim.quote);
        let given = from.map(|from| {
            let from = (from.max(1) as usize).min(lines.len().max(1));
            let to = to.map_or(from, |to| to as usize);
            (from, to.clamp(from, lines.len().max(from)))
        });
        if let Some((from, to)) = given
            && contain_in_order(
                &lines[(from - 1).min(lines.len())..to.min(lines.len())],
                &parts,
            )
        {
            return Ok(ground(from, to));
        }
        match &places(&lines, &parts)[..] {
            [(from, to)] => Ok(ground(*from, *to)),
            _ => Err(told(NOT_THERE)),
        }
    }

    fn recheck(&self, record: &EvidenceRecord) -> Option<EvidenceCheck> {
        let ground = record.ground.as_ref()?;
        let claim = Evidence {
            claim: record.claim.clone(),
            path: Some(ground.path.clone()),
            from: Some(ground.from),
            to: Some(ground.to),
            quote: record.quote.clone(),
            run: None,
        };
        Some(match self.verify_claim(&claim) {
            Ok(now) if (now.from, now.to) == (ground.from, ground.to) => EvidenceCheck::Holds,
            Ok(now) => EvidenceCheck::Moved(MOVED.with(self.lang, values![place = now.place()])),
            Err(why) => EvidenceCheck::Gone(why),
        })
    }

    /// A file's redacted text, and the digest of the unredacted one.
    fn text_and_digest(&self, file: &ReadableFile) -> Option<(String, String)> {
        let text = self.text(file)?;
        let digest = hex(&Sha256::digest(text.as_bytes()));
        Some((self.shown(text), digest))
    }
}

texts! {
    NO_FILE_READ: "{place}: there is no such file, or none that may be read", "{place}：没有这个文件，或不允许读取";
}

/// The parts of a quote for comparison: single spaces between words, quotation marks removed, split
/// at ellipses.
fn parts(quote: &str) -> Vec<String> {
    let quote = quote
        .trim()
        .trim_matches(['`', '"', '\u{201c}', '\u{201d}']);
    let quote = quote.replace("...", "…");
    let parts = quote.split('…').map(folded);
    parts.filter(|part| !part.is_empty()).collect()
}

fn folded(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ")
}

/// Whether the lines contain all parts in this order.
fn contain_in_order(lines: &[&str], parts: &[String]) -> bool {
    let text = folded(&lines.join(" "));
    let mut rest = text.as_str();
    parts
        .iter()
        .all(|part| match rest.split_once(part.as_str()) {
            Some((_, after)) => {
                rest = after;
                true
            }
            None => false,
        })
}

/// The shortest ranges of lines with all parts, one for each line where the first part may start.
fn places(lines: &[&str], parts: &[String]) -> Vec<(usize, usize)> {
    /// Maximum number of lines of a quote.
    const REACH: usize = 12;
    let mut places: Vec<(usize, usize)> = Vec::new();
    for from in 0..lines.len() {
        let last = (from + REACH).min(lines.len());
        let Some(to) = (from + 1..=last).find(|to| contain_in_order(&lines[from..*to], parts))
        else {
            continue;
        };
        // If the parts also start on a later line, that range is used.
        if from + 1 < to && contain_in_order(&lines[from + 1..to], parts) {
            continue;
        }
        places.push((from + 1, to));
        if places.len() > 1 {
            break;
        }
    }
    places
}

#[cfg(test)]
mod tests;
