//! How checklists take sides, change them, and say so.

use super::*;

#[test]
fn colliding_checklists_object_and_the_objection_is_withdrawn_with_a_reason() {
    let meeting = hold(ENGLISH, offline_inputs(Lang::En));
    let issue = meeting
        .state
        .ledger
        .iter()
        .find(|issue| issue.positions.iter().any(|p| p.stance == Stance::Object))
        .expect("somebody objects");
    let objector = &issue
        .positions
        .iter()
        .find(|p| p.stance == Stance::Object)
        .unwrap()
        .member;
    let stances: Vec<_> = issue
        .positions
        .iter()
        .filter(|p| &p.member == objector)
        .collect();
    assert_eq!(stances.first().unwrap().stance, Stance::Object);
    assert!(stances.last().unwrap().stance.supports());
    assert!(stances.last().unwrap().changed_because.is_some());
    assert!(matches!(issue.status, IssueStatus::Settled { .. }));
    let draft: Vec<&str> = meeting
        .state
        .draft
        .standing()
        .map(|item| item.text.as_str())
        .collect();
    assert!(
        draft.iter().any(|text| text.contains("up to 50,000 rows")),
        "{draft:#?}"
    );
    let Document::SystemDesign(design) =
        &meeting.state.documents[&DocumentKind::SystemDesign].content
    else {
        panic!()
    };
    // The part of the item that gave way is still needed.
    assert!(
        design
            .modules
            .iter()
            .any(|module| module.name == "Export writer")
    );
    let report = meeting.state.report.as_ref().unwrap();
    assert!(
        report
            .decide
            .iter()
            .any(|line| line.recommended.contains("50,000"))
    );
}

#[test]
fn a_proposal_that_becomes_an_agreement_is_no_change_of_mind() {
    let text = "Add CSV export of orders with a date filter; only admins may export";
    let meeting = hold(text, offline_inputs(Lang::En));
    let mut turned = 0;
    for issue in meeting.state.ledger.iter() {
        let all: Vec<_> = issue.positions.iter().collect();
        for (at, position) in all.iter().enumerate() {
            if position.stance != Stance::Agree || position.changed_because.is_none() {
                continue;
            }
            turned += 1;
            let mut earlier = all[..at].iter().filter(|p| p.member == position.member);
            assert!(earlier.any(|p| p.stance == Stance::Object), "{position:?}");
        }
    }
    assert!(turned > 0, "an objection is given up");
}

#[test]
fn speeches_do_not_open_alike_nor_repeat_their_positions() {
    let meeting = hold(ENGLISH, offline_inputs(Lang::En));
    let mut openings = BTreeSet::new();
    for entry in &meeting.entries {
        let Event::Speaking {
            speech, receipt, ..
        } = &entry.event
        else {
            continue;
        };
        if receipt.call.round != 1 {
            continue;
        }
        let analysis = &speech.analysis;
        assert!(openings.insert(analysis.clone()), "{analysis}");
        assert!(analysis.len() < 600, "{analysis}");
        for position in &speech.positions {
            let text = position.proposal.as_deref().unwrap_or("-none-");
            assert!(!analysis.contains(text), "{analysis}");
        }
    }
}
