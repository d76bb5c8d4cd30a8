//! Claims about the files, with the lines as they were seen.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Value, json};

use super::{add, cleaned, plain};
use crate::clean::folded;
use crate::fault::Fault;
use crate::machine::State;
use crate::machine::evidence::EvidenceRecord;

/// Maximum lines shown before and after the quoted ones.
const AROUND: u32 = 3;

/// The lines that were seen, by path and number; for the output of a trial its id stands for the
/// path.
struct SeenLines<'s>(BTreeMap<(&'s str, u32), &'s str>);

/// A line of a file or of a trial's output.
#[derive(Serialize)]
struct EvidenceLine {
    number: u32,
    text: String,
    is_quoted: bool,
}

/// All claims as JSON. Each has its `lines`, which are empty unless they were seen and contain the
/// quote.
pub(super) fn claims(state: &State) -> Result<Vec<Value>, Fault> {
    let seen = SeenLines::in_looks(state);
    let claims = state.grounding.evidence.iter().map(|claim| {
        let mut value = cleaned(claim)?;
        add(&mut value, json!({"lines": seen.lines_of(claim)}));
        Ok(value)
    });
    claims.collect()
}

impl<'s> SeenLines<'s> {
    fn in_looks(state: &'s State) -> Self {
        let looks = state.grounding.looks.seen();
        let finds = looks
            .flat_map(|seen| &seen.found)
            .filter(|find| find.from > 0);
        let lines = finds.flat_map(|find| {
            let numbered = (find.from..).zip(find.text.lines());
            numbered.map(|(number, text)| ((find.path.as_str(), number), text))
        });
        Self(lines.collect())
    }

    /// The claim's lines with the quote, and some lines around them; empty if they were not seen,
    /// or contain the quote only in another form.
    fn lines_of(&self, claim: &EvidenceRecord) -> Vec<EvidenceLine> {
        let run = claim.run.map(|run| run.to_string());
        let (path, from, to) = match (&claim.ground, &run) {
            (Some(ground), _) => (ground.path.as_str(), ground.from, ground.to),
            (None, Some(run)) => (run.as_str(), 1, u32::MAX),
            (None, None) => return Vec::new(),
        };
        let (from, to) = (from.saturating_sub(AROUND), to.saturating_add(AROUND));
        let all = self.0.range((path, from)..=(path, to));
        let mut lines: Vec<EvidenceLine> = all
            .map(|((_, number), text)| EvidenceLine {
                number: *number,
                text: plain(text),
                is_quoted: false,
            })
            .collect();
        let Some((first, last)) = mark(&mut lines, &claim.quote) else {
            return Vec::new();
        };
        let around = AROUND as usize;
        lines.truncate(last + 1 + around);
        lines.split_off(first.saturating_sub(around))
    }
}

/// Marks the lines that contain the parts of the quote, in order. Returns the first and the last of
/// them; `None` if a part is missing.
fn mark(lines: &mut [EvidenceLine], quote: &str) -> Option<(usize, usize)> {
    let quote = quote.replace("...", "…");
    let (mut first, mut last) = (None, 0);
    for part in quote.split(['…', '\n']).map(folded) {
        if part.is_empty() {
            continue;
        }
        let mut rest = lines[last..].iter();
        last += rest.position(|line| folded(&line.text).contains(&part))?;
        lines[last].is_quoted = true;
        first.get_or_insert(last);
    }
    Some((first?, last))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::evidence::{ClaimStatus, SourceLines};

    fn claim(quote: &str, place: Option<(u32, u32)>) -> EvidenceRecord {
        EvidenceRecord {
            id: crate::ids::EvidenceId(1),
            by: crate::role::RoleId("SeniorDeveloper".to_owned()),
            round: 1,
            claim: "It is kept".to_owned(),
            standing: ClaimStatus::Verified,
            ground: place.map(|(from, to)| SourceLines {
                path: "a.rs".to_owned(),
                from,
                to,
                digest: String::new(),
            }),
            run: place.is_none().then_some(crate::ids::TrialId(2)),
            quote: quote.to_owned(),
            remark: None,
        }
    }

    #[test]
    fn the_quote_stands_among_the_lines_around_it() {
        let file = (1..=40).map(|n| (n, format!("let a{n} =  {n};")));
        let file: Vec<(u32, String)> = file.collect();
        let lines = file.iter().map(|(n, text)| (("a.rs", *n), text.as_str()));
        let printed = [(("RUN-2", 1), "3 passed"), (("RUN-2", 2), "1 failed")];
        let seen = SeenLines(lines.chain(printed).collect());
        let shown = |quote: &str, place| -> Vec<String> {
            let lines = seen.lines_of(&claim(quote, place)).into_iter();
            lines
                .map(|line| format!("{}{}", if line.is_quoted { ">" } else { "" }, line.number))
                .collect()
        };
        assert_eq!(
            shown("let a20 = 20;\n...\nlet a22", Some((1, 40))),
            ["17", "18", "19", ">20", "21", ">22", "23", "24", "25"]
        );
        assert_eq!(shown("a2 = 2", Some((2, 2))), ["1", ">2", "3", "4", "5"]);
        assert_eq!(shown("1 failed", None), ["1", ">2"]);
        // The quote is not in those lines, or no file is named: the quote is shown alone.
        for (quote, place) in [
            ("let a20", Some((1, 9))),
            ("let b", Some((1, 40))),
            ("", None),
        ] {
            assert!(shown(quote, place).is_empty(), "{quote}");
        }
    }
}
