//! Traces where items come from and what depends on them. Whole ways are played in
//! `tests/played/revisions.md`.

use aitc::check::{Node, why};
use aitc::machine::*;

use super::plans::*;

/// All ids in the trace, depth first.
fn ids(nodes: &[Node]) -> Vec<String> {
    let mut all = Vec::new();
    for node in nodes {
        all.push(node.id.clone());
        all.extend(ids(&node.next));
    }
    all
}

fn with_feedback() -> State {
    let mut state = revised();
    for reply in replies() {
        record(&mut state, reply);
    }
    state
}

#[test]
fn every_kind_of_id_has_a_way_back_and_on() {
    let state = good();
    for (id, kind, back, on) in [
        ("I-1", "issue", Some("Requirement"), Some("C-1")),
        ("I-2", "issue", Some("SD r1"), Some("Q-1")),
        ("C-1", "consensus", Some("X-1"), Some("AC-1")),
        ("Q-1", "question", Some("SD r1"), Some("A-1")),
        ("A-1", "assumption", Some("Q-1"), Some("assumptions 1")),
        ("AC-1", "criterion", Some("C-1"), Some("M-1")),
        ("M-1", "module", Some("AC-2"), Some("src/export.rs")),
        ("DEC-1", "decision", Some("C-2"), Some("R-1")),
        ("W-1", "work", Some("AC-1"), Some("W-2")),
        ("T-1", "test", Some("C-1"), None),
        ("R-1", "risk", Some("DEC-1"), None),
        ("Requirement", "requirement", None, Some("W-1")),
    ] {
        let trace = why(&state, id, Lang::En).unwrap();
        assert_eq!((&*trace.id, trace.kind), (id, kind));
        for (wanted, nodes) in [(back, &trace.from), (on, &trace.carries)] {
            match wanted {
                Some(wanted) => assert!(ids(nodes).contains(&wanted.to_owned()), "{id}: {nodes:?}"),
                None => assert_eq!(nodes, &[], "{id}"),
            }
        }
    }
    // A predecessor in the order is not a source.
    assert!(!ids(&why(&state, "W-2", Lang::En).unwrap().from).contains(&"W-1".to_owned()));
}

#[test]
fn earlier_versions_are_part_of_the_way() {
    let mut state = with_feedback();
    state.discussion.speeches = good().discussion.speeches;
    state.discussion.speeches[1].issues.clear();
    // C-2 was agreed in v1, so the issue and positions come from v1; what the same member said in
    // the same round of v2 is unrelated.
    let way = ids(&why(&state, "c2", Lang::En).unwrap().from);
    assert_eq!(way, ["I-2", "I-2 · SD r1 (v1)", "X-2"]);
    let left = why(&state, "AC-1", Lang::En).unwrap();
    assert!(left.text.ends_with("(in v1 only)"), "{}", left.text);
    let new = why(&state, "AC-3", Lang::En).unwrap();
    assert_eq!(new.text, "a CSV file of eleven lines is saved");
}

#[test]
fn an_issue_that_lives_on_keeps_old_and_new_positions_apart() {
    let mut state = revised();
    state.discussion.speeches = good().discussion.speeches;
    let old = state.task.previous.as_ref().unwrap().issues[0].clone();
    let mut living = serde_json::to_value(&old).unwrap();
    living["origin"] = serde_json::json!({"is": "previous"});
    let again = living["positions"][1].clone();
    living["positions"].as_array_mut().unwrap().push(again);
    state.ledger = ledger(&[living]);
    assert_eq!(
        ids(&why(&state, "I-1", Lang::En).unwrap().from),
        [
            "v1",
            "I-1 · PP r1 (v1)",
            "I-1 · SD r1 (v1)",
            "I-1 · SD r1",
            "SD r1",
        ]
    );
}

#[test]
fn a_circle_in_the_records_ends() {
    let mut state = good();
    state.discussion.speeches.clear();
    let refined = |of: &str| serde_json::json!({"is": "refined", "parent": of});
    let open = || serde_json::json!({"is": "open"});
    state.ledger = ledger(&[
        issue("I-1", "a", refined("I-2"), open(), vec![]),
        issue("I-2", "b", refined("I-1"), open(), vec![]),
    ]);
    assert_eq!(
        ids(&why(&state, "I-1", Lang::En).unwrap().from)[..2],
        ["I-2", "I-1"]
    );
}

#[test]
fn unknown_ids_are_answered_with_the_nearest() {
    for (id, expected) in [
        ("AC-9", &["AC-2", "AC-1"][..]),
        ("ad-1", &["AC-1", "A-1"]),
        ("W3", &["W-2", "W-1"]),
        ("  ", &[]),
    ] {
        let fault = why(&good(), id, Lang::En).unwrap_err();
        let words = fault.fix().en.split('`');
        let nearest: Vec<&str> = words
            .filter_map(|word| word.strip_prefix("aitc why "))
            .collect();
        assert_eq!(nearest.len(), 3, "{id}");
        for (n, wanted) in expected.iter().enumerate() {
            assert!(
                nearest[..expected.len()].contains(wanted),
                "{id} {n}: {nearest:?}"
            );
        }
    }
    let told = why(&good(), "W-7", Lang::En).unwrap_err();
    let (what, fix) = (&told.what().en, &told.fix().en);
    assert_eq!(what, "this plan has no item `W-7`");
    assert!(
        fix.starts_with("did you mean `aitc why W-2` or `aitc why W-1` or "),
        "{fix}"
    );
}
