//! What a version takes over from the one before.

use super::*;
use aitc::reply::Fate;

pub(super) fn revise(first: &State, feedback: &str) -> Meeting {
    let previous = Previous::of(first, "head");
    let feedback = split_feedback(feedback, &previous.counters);
    let mut inputs = inputs();
    inputs.version = 2;
    Meeting::open_with(Event::UserInput {
        content: first.requirement.clone(),
        run_id: "2".to_owned(),
        inputs: Box::new(inputs),
        from: Some(Box::new(previous)),
        feedback,
    })
}

#[test]
fn a_revision_starts_from_what_was_agreed_less_what_the_feedback_touches() {
    let first = held(1).state;
    let mut meeting = revise(
        &first,
        "- Use tabs, not commas.\n- Add a header. Keep it short.",
    );
    let mut basics = agreeable(1);
    meeting.until(Purpose::Speech, &mut |state, call| match call.purpose {
        Purpose::Judgment => text(&Contribution {
            coach: Some(CoachPart {
                withdraw: vec![
                    Withdrawal {
                        item: "C-1".into(),
                        feedback: "F-1".into(),
                        reason: "tabs".into(),
                    },
                    Withdrawal {
                        item: "C-2".into(),
                        feedback: "F-9".into(),
                        reason: "no".into(),
                    },
                ],
                ..CoachPart::default()
            }),
            ..contribution("One item is touched.")
        }),
        _ => basics(state, call),
    });
    let state = &meeting.state;
    let standing: Vec<String> = state
        .draft
        .standing()
        .map(|item| item.id.to_string())
        .collect();
    assert_eq!(standing, ["C-2"]);
    assert_eq!(state.judgment_refused.len(), 1);
    let open: Vec<(String, String)> = state
        .ledger
        .open()
        .map(|issue| (issue.id.to_string(), issue.title.clone()))
        .collect();
    let expected = [
        ("I-3", "Use tabs, not commas."),
        ("I-4", "Add a header."),
        ("I-5", "Keep it short."),
    ];
    assert_eq!(
        open,
        expected.map(|(id, title)| (id.to_owned(), title.to_owned()))
    );

    meeting.run(&mut basics);
    let ids: Vec<String> = meeting
        .state
        .draft
        .standing()
        .map(|item| item.id.to_string())
        .collect();
    assert_eq!(
        ids,
        ["C-2", "C-3", "C-4", "C-5"],
        "ids go on, none is used twice"
    );
    assert_eq!(
        meeting
            .state
            .draft
            .find("C-3".parse().unwrap())
            .unwrap()
            .version,
        2
    );
}

#[test]
fn what_a_version_left_open_is_open_in_the_next() {
    let mut inputs = inputs();
    inputs.limits.max_rounds = 1;
    let mut first = Meeting::open("two things", inputs);
    first.run(&mut agreeable(9));
    assert_eq!(
        first.state.stop.as_ref().unwrap().reason,
        StopReason::RoundLimit
    );
    let mut meeting = revise(&first.state, "");
    meeting.run(&mut agreeable(1));
    let issue = meeting.state.ledger.find(IssueId(1)).unwrap();
    assert_eq!(issue.origin, Origin::Previous);
    assert!(matches!(issue.status, IssueStatus::Settled { .. }));
    assert_eq!(
        issue.positions.len(),
        5,
        "none comes from the version before"
    );
    let ids: Vec<String> = issue.texts.iter().map(|text| text.id.to_string()).collect();
    assert_eq!(ids, ["X-3"], "ids go on, and no text stands already");
}

#[test]
fn a_question_left_without_an_answer_is_asked_in_the_next_version() {
    let mut first = with_question(relay(None, None));
    let waiting = first.state.questions[0].clone();
    assert!(matches!(waiting.status, QuestionStatus::Waiting { .. }));
    first.state.stage = Stage::Complete;
    let mut meeting = revise(&first.state, "Make it smaller.");
    meeting.until(Purpose::Speech, &mut |state, call| match call.purpose {
        Purpose::Judgment => agreeable(1)(state, call),
        other => panic!("{other:?} before the question"),
    });
    let asked = meeting.entries.iter().find_map(|entry| match &entry.event {
        Event::UserClarificationNeeded { question, .. } => Some(*question),
        _ => None,
    });
    assert_eq!(asked, Some(waiting.id));
    assert_eq!(meeting.state.assumptions[0].text, waiting.recommended);
}

#[test]
fn what_became_of_every_issue_left_open_is_told() {
    use aitc::artifact::{InheritedFate, structured};

    let mut inputs = inputs();
    inputs.limits.max_rounds = 1;
    let mut first = Meeting::open("four things", inputs);
    let mut basics = agreeable(9);
    first.run(&mut |state, call| match call.purpose {
        Purpose::Judgment => text(&Contribution {
            new_issues: ["a", "b", "c", "d"]
                .map(|key| new_issue(key, &format!("need {key}"), Severity::Blocking))
                .to_vec(),
            ..contribution("Four needs.")
        }),
        _ => basics(state, call),
    });
    let mut second = revise(&first.state, "");
    second.state.inputs.limits.max_rounds = 1;
    let mut basics = agreeable(1);
    second.run(&mut |state, call| match call.purpose {
        Purpose::Summary => {
            let dropped = Fate {
                reason: Some("nobody asks for it".to_owned()),
                ..fate("I-2", FateKind::Dropped)
            };
            let merged = Fate {
                into: vec!["I-1".to_owned()],
                ..fate("I-3", FateKind::Merged)
            };
            text(&coach(vec![settled("I-1", "PP"), dropped, merged]))
        }
        // Nobody stands for a text of its own on what is merged.
        Purpose::Speech => {
            let mut said: Contribution = serde_json::from_str(&basics(state, call)).unwrap();
            said.positions.retain(|position| position.issue != "I-3");
            text(&said)
        }
        _ => basics(state, call),
    });
    let told = structured(&second.state).inherited;
    let fates: Vec<_> = told.iter().map(|one| (one.id.0, one.fate)).collect();
    let expected = [
        (1, InheritedFate::Settled),
        (2, InheritedFate::Declined),
        (3, InheritedFate::Superseded),
        (4, InheritedFate::Open),
    ];
    assert_eq!(fates, expected);
    assert_eq!(told[1].reason.as_deref(), Some("nobody asks for it"));
    assert_eq!(told[2].went_on_in, [IssueId(1)]);
    assert_eq!(told[0].consensus, told[2].consensus);
    // What was settled in the first version is carried, not inherited.
    assert!(structured(&first.state).inherited.is_empty());
}

/// One version leaves an issue, the next settles it, others follow: it was left by the one
/// that left it, and its positions were taken where they were taken.
#[test]
fn an_issue_left_open_names_the_version_that_left_it() {
    use aitc::check::why;
    use aitc::machine::Lang;

    let mut inputs = inputs();
    inputs.limits.max_rounds = 1;
    let mut first = Meeting::open("two things", inputs);
    first.run(&mut agreeable(9));
    let mut last = first.state;
    for version in 2..=4 {
        let feedback = if version == 2 { "" } else { "Add a header." };
        let mut next = revise(&last, feedback);
        next.state.inputs.version = version;
        next.run(&mut agreeable(1));
        last = next.state;
        let told = why(&last, "I-1", Lang::En).unwrap().render(Lang::En);
        assert!(
            told.contains("v1 (version) left unresolved there"),
            "{told}"
        );
        for wrong in ["v2 (version)", "v3 (version)", "(v3)"] {
            assert!(!told.contains(wrong), "{version}: {told}");
        }
        let issue = last.ledger.find(IssueId(1)).unwrap();
        let style = style(100);
        let shown = aitc::ui::view::issue_text(&last, issue, &style);
        assert!(shown.contains("left open by v1"), "{shown}");
    }
}
