//! Claims about the files, held against them.

use sha2::{Digest, Sha256};

use super::{Search, Tree, Visible, path_and_lines, without_private_keys};
use crate::clean::clean_page;
use crate::edge::journal::hex;
use crate::fault::{Text, texts};
use crate::machine::{EvidenceRecord, Ground, Held, Lang};
use crate::reply::Evidence;

/// Letters and figures a quote holds, at least.
const LEAST_QUOTE: usize = 3;

texts! {
    NO_QUOTE: "{place}: no quote is given", "{place}：没有引文";
    NOT_THERE: "{place}: the lines do not hold the quote", "{place}：这些行中没有该引文";
    NO_TRIAL: "there is no such trial", "没有这次试运行";
    MOVED: "now at {place}", "现在位于 {place}";
}

/// The result of checking earlier evidence again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Since {
    /// The lines hold the quote still.
    Holds,
    /// They stand elsewhere in the file: where, in words.
    Moved(String),
    /// They are gone: why, in words.
    Gone(String),
}

impl Search<'_> {
    /// The result for each of these claims, in words.
    pub fn verify(&self, claims: &[Evidence], lang: Lang) -> Vec<Held> {
        let tree = Tree::of(self, lang);
        claims.iter().map(|claim| tree.held(claim)).collect()
    }

    /// What became of each of these since it was verified; `None` for what never was.
    pub fn verify_again(&self, records: &[EvidenceRecord], lang: Lang) -> Vec<Option<Since>> {
        let tree = Tree::of(self, lang);
        records.iter().map(|record| tree.since(record)).collect()
    }
}

impl Tree<'_> {
    fn held(&self, claim: &Evidence) -> Held {
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
        let told = |text: Text| text.with(self.lang, &[("place", &place)]);
        let file = self.file(path).map_err(|why| format!("{place}: {why}"))?;
        let (text, digest) = self.whole(file).ok_or_else(|| told(NO_FILE_READ))?;
        let letters = claim.quote.chars().filter(|c| c.is_alphanumeric()).count();
        if letters < LEAST_QUOTE {
            return Err(told(NO_QUOTE));
        }
        let lines: Vec<&str> = text.lines().collect();
        let ground = |from: usize, to: usize| Ground {
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
            && holds(
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

    fn since(&self, record: &EvidenceRecord) -> Option<Since> {
        let ground = record.ground.as_ref()?;
        let claim = Evidence {
            claim: record.claim.clone(),
            path: Some(ground.path.clone()),
            from: Some(ground.from),
            to: Some(ground.to),
            quote: record.quote.clone(),
            run: None,
        };
        Some(match self.held(&claim) {
            Ok(now) if (now.from, now.to) == (ground.from, ground.to) => Since::Holds,
            Ok(now) => Since::Moved(MOVED.with(self.lang, &[("place", &now.place())])),
            Err(why) => Since::Gone(why),
        })
    }

    /// A file's text as it is shown, and the digest of its bytes.
    fn whole(&self, file: &Visible) -> Option<(String, String)> {
        let text = self.text(file)?;
        let digest = Sha256::digest(text.as_bytes());
        let digest = hex(&digest);
        let shown = clean_page(&(self.search.redact)(&without_private_keys(text)));
        Some((shown, digest))
    }
}

texts! {
    NO_FILE_READ: "{place}: there is no such file, or none that may be read", "{place}：没有这个文件，或不允许读取";
}

/// A quote as it is compared: one blank between words, no marks around it; what an ellipsis
/// leaves out is left out.
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

/// Do the lines hold all parts, one after the other?
fn holds(lines: &[&str], parts: &[String]) -> bool {
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

/// The fewest lines that hold all parts, from every line on which the first begins.
fn places(lines: &[&str], parts: &[String]) -> Vec<(usize, usize)> {
    /// Lines over which a quote may reach.
    const REACH: usize = 12;
    let mut places: Vec<(usize, usize)> = Vec::new();
    for from in 0..lines.len() {
        let last = (from + REACH).min(lines.len());
        let Some(to) = (from + 1..=last).find(|to| holds(&lines[from..*to], parts)) else {
            continue;
        };
        // Where it begins later, it is the same place.
        if from + 1 < to && holds(&lines[from + 1..to], parts) {
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
