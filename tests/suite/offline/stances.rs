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
        draft.iter().any(|text| text.contains("Up to 50,000 rows")),
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

/// Where nothing collides one promise is found too thin, completed in the next round,
/// and keeps the criterion it had beside the new one.
#[test]
fn without_a_collision_one_weak_spot_is_pressed() {
    for (text, lang, added) in [
        ("Add a dark mode", Lang::En, "by colour alone"),
        ("增加深色模式", Lang::Zh, "不只用颜色表达"),
    ] {
        let meeting = hold(text, offline_inputs(lang));
        assert_clean(&meeting);
        let ledger = &meeting.state.ledger;
        let positions = || ledger.iter().flat_map(|issue| issue.positions.iter());
        let objections: Vec<_> = positions().filter(|p| p.stance == Stance::Object).collect();
        assert_eq!(objections.len(), 1, "{text}");
        let completed = positions().find(|p| {
            let says = p.proposal.as_deref().is_some_and(|it| it.contains(added));
            p.round == 2 && p.stance == Stance::Refine && says
        });
        let completed = completed.expect("the proposer takes it over");
        assert_ne!(completed.member, objections[0].member);
        let criteria = &product(&meeting).criteria;
        assert_eq!(criteria.len(), 3, "{criteria:#?}");
        // What was made stricter was chosen by nobody: it is no decision of the reader's.
        let report = meeting.state.report.as_ref().unwrap();
        assert!(
            report
                .decide
                .iter()
                .all(|one| !one.recommended.contains(added))
        );
    }
}

/// Nobody objects where no round is left to answer in, nor over small work.
#[test]
fn in_an_only_round_no_weak_spot_is_pressed() {
    let mut single = offline_inputs(Lang::En);
    single.limits.max_rounds = 1;
    let light = Inputs {
        light: true,
        ..offline_inputs(Lang::En)
    };
    for inputs in [single, light] {
        let meeting = hold("Add a dark mode", inputs);
        assert_eq!(meeting.state.round, 1);
        assert_eq!(meeting.state.ledger.blocking().count(), 0);
    }
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
