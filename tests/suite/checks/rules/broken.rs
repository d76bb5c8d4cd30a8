//! Plans that break each rule.

use super::*;
use crate::support::changes::{Change, changed};
use crate::support::search::{looked, reading};

/// Copies of the good plan, each broken in one way, with the expected findings.
pub(super) fn broken() -> Vec<(State, Vec<String>)> {
    let lines = include_str!("broken.jsonl").lines();
    let by_table = lines.map(|line| {
        let (changes, found): (Vec<(String, Change)>, Vec<String>) =
            serde_json::from_str(line).unwrap();
        let mut state = good();
        for (part, change) in changes {
            change_part(&mut state, &part, change);
        }
        (state, found)
    });
    let by_hand = BY_HAND.iter().map(|(edit, found)| {
        let mut state = good();
        edit(&mut state);
        (state, vec![(*found).to_owned()])
    });
    by_table.chain(by_hand).collect()
}

/// Changes the ledger, the draft, the report or a document.
pub(in super::super) fn change_part(state: &mut State, part: &str, change: Change) {
    let changes = vec![change];
    match part {
        "ledger" => state.ledger = changed(&state.ledger, changes),
        "draft" => state.draft = changed(&state.draft, changes),
        "report" => state.documents.report = changed(&state.documents.report, changes),
        _ => {
            let mut documents = state.documents.written.iter_mut();
            let found = documents.find(|(kind, _)| kind.name() == part);
            let content = &mut found.unwrap().1.content;
            *content = changed(content, changes);
        }
    }
}

type Break = fn(&mut State);

/// Changes that the table cannot express, and texts that look like keys.
const BY_HAND: &[(Break, &str)] = &[
    (
        |s| drop(s.documents.written.remove(&DocumentKind::RiskAssessment)),
        "Error document-missing risk_assessment",
    ),
    (
        |s| {
            s.stage = Stage::Closing;
            s.documents.report = None;
            s.documents
                .written
                .retain(|kind, _| *kind == DocumentKind::ProductPlan);
            change_part(
                s,
                "product_plan",
                Change::Set("/criteria".to_owned(), json!([])),
            );
        },
        "Error criteria-missing product_plan",
    ),
    (
        |s| s.ending.stop.as_mut().unwrap().reason = StopReason::RoundLimit,
        "Warning unresolved status",
    ),
    (
        |s| s.discussion.speeches[0].speech.analysis = format!("use {AWS} for now"),
        "Error secret-found PP r1",
    ),
    (
        |s| {
            let sign = json!(format!("log shows {AWS}"));
            let change = Change::Set("/risks/0/early_sign".to_owned(), sign);
            change_part(s, "risk_assessment", change);
        },
        "Error secret-found R-1",
    ),
    (
        |s| {
            changes_what_is_gone(s);
            let hit = Hit {
                path: GONE.to_owned(),
                blocks: Vec::new(),
            };
            s.grounding.survey = Some(Survey {
                hits: vec![hit],
                ..Survey::default()
            });
        },
        "Warning file-gone src/gone.rs",
    ),
    (
        |s| {
            changes_what_is_gone(s);
            s.grounding.looks.all.push(LookRecord {
                call: "root/speech/PP/r1/t1/a1".parse().unwrap(),
                seen: looked(s, &[reading(GONE, 1)]),
                issue: None,
            });
        },
        "Warning file-gone src/gone.rs",
    ),
];

const GONE: &str = "src/gone.rs";

fn changes_what_is_gone(state: &mut State) {
    let change = Change::Set("/file_impacts/0/path".to_owned(), json!(GONE));
    change_part(state, "system_design", change);
}
