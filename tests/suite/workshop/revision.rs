//! What a version takes over from the previous one.

use std::collections::BTreeSet;

use super::*;
use crate::support::states;
use aitc::reply::Fate;

pub(super) fn revise(first: &State, feedback: &str) -> Meeting {
    let previous = Previous::of(first, "head");
    let feedback = split_feedback(feedback, &previous.counters);
    let mut inputs = inputs();
    inputs.version = 2;
    Meeting::open_with(Event::UserInput {
        content: first.task.requirement.clone(),
        run_id: "2".to_owned(),
        inputs: Box::new(inputs),
        from: Some(Box::new(previous)),
        feedback,
    })
}

/// In a revision stances start anew, but earlier texts and objections on an open issue are shown
/// until a new text is proposed.
#[test]
fn members_are_shown_with_what_an_issue_was_left_open() {
    for (lang, proposed, objection) in [
        (
            Lang::En,
            "left open by v1, PP (backed by PP, TP): \"photos\" why: because",
            "left open by v1, SD objected, why: because",
        ),
        (
            Lang::Zh,
            "v1 未决，PP 提出（支持者：PP、TP）：“photos”理由：because",
            "v1 未决，SD 反对，理由：because",
        ),
    ] {
        let mut inputs = states::inputs(lang);
        inputs.questions = QuestionMode::Assume;
        inputs.limits.max_rounds = 1;
        let mut first = Meeting::open("two things", inputs.clone());
        let mut basics = agreeable(9);
        first.run(&mut |state, call| match call.purpose {
            Purpose::Speech => {
                let said = match state.inputs.roles.code(&call.member) {
                    "PP" => position("I-1", Stance::Refine, Some("photos")),
                    "SD" => position("I-1", Stance::Object, None),
                    "TP" => position("I-1", Stance::Agree, None),
                    _ => position("I-1", Stance::Abstain, None),
                };
                text(&Contribution {
                    positions: vec![said],
                    ..contribution("Mine.")
                })
            }
            _ => basics(state, call),
        });
        inputs.limits.max_rounds = 2;
        let mut meeting = going_on(&first.state, inputs, |_| ());
        let prompter = aitc::prompt::Prompter::new(&meeting.state.inputs).unwrap();
        let mut seen = [0; 3];
        let mut basics = agreeable(2);
        meeting.run(&mut |state, call| {
            let request = prompter.request(state, call).unwrap();
            let is_shown = |words| request.messages.iter().any(|m| m.content.contains(words));
            if call.purpose == Purpose::Speech && is_shown(proposed) && is_shown(objection) {
                seen[call.round as usize] += 1;
            }
            basics(state, call)
        });
        assert_eq!(seen, [0, 5, 0], "in round 1, before there is a text");
    }
}

#[test]
fn a_question_left_without_an_answer_is_asked_in_the_next_version() {
    let mut first = with_question(relay(None, None));
    let waiting = first.state.questions.asked[0].clone();
    assert!(matches!(waiting.status, QuestionStatus::Waiting { .. }));
    first.state.stage = Stage::Complete;
    let mut meeting = revise(&first.state, "Make it smaller.");
    meeting.until(Purpose::Speech, &mut |state, call| match call.purpose {
        Purpose::Judgment => agreeable(1)(state, call),
        other => panic!("{other:?} before the question"),
    });
    let asked = meeting.events().find_map(|event| match event {
        Event::UserClarificationNeeded { id, .. } => Some(*id),
        _ => None,
    });
    assert_eq!(asked, Some(waiting.id));
    assert_eq!(
        meeting.state.questions.assumptions[0].text,
        waiting.recommended
    );
}

/// An open issue names the version that left it open, and its positions name the version in which
/// they were taken, even after later versions.
#[test]
fn an_issue_left_open_names_the_version_that_left_it() {
    use aitc::check::why;
    use aitc::machine::Lang;

    let mut first = opened(|inputs| inputs.limits.max_rounds = 1);
    first.run(&mut agreeable(9));
    let mut last = first.state;
    for version in 2..=4 {
        let feedback = if version == 2 { "" } else { "Add a header." };
        let mut next = revise(&last, feedback);
        next.state.inputs.version = version;
        next.run(&mut agreeable(1));
        last = next.state;
        let told = listed("trace", &why(&last, "I-1", Lang::En).unwrap(), Lang::En);
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

/// Documents unaffected by the revision keep their bytes, and no call is made for them.
#[test]
fn a_document_that_nothing_touches_is_carried_over() {
    use DocumentKind::{DevPlan, ProductPlan, RiskAssessment, SystemDesign, TestPlan};
    use aitc::artifact::Renderer;

    /// In addition to the feedback: what the coach withdraws, whether it drops the issue, a note
    /// for a document, whether writers repeat their text, and a short or empty answer of the
    /// product plan's writer.
    #[derive(Clone, Copy, Default)]
    struct Course {
        withdraws: bool,
        drops: bool,
        note: Option<DocumentKind>,
        rewords: bool,
        gives: Option<&'static str>,
        requirement: Option<&'static str>,
    }
    let plain = Course::default();
    let rewords = Course {
        rewords: true,
        ..plain
    };
    let withdraws = Course {
        withdraws: true,
        ..plain
    };
    let drops = Course {
        drops: true,
        ..plain
    };
    let note = Course {
        note: Some(RiskAssessment),
        ..plain
    };
    let other = Course {
        requirement: Some("two other things"),
        ..rewords
    };
    let silent = Course {
        gives: Some(""),
        ..plain
    };
    let gives = Course {
        gives: Some("Said otherwise."),
        ..plain
    };
    let files = |state: &State| {
        let renderer = Renderer::new(&crate::support::states::inputs(Lang::En)).unwrap();
        renderer.documents(state, |_| true).unwrap()
    };
    let first = held(1).state;
    let before = files(&first);
    let all_but_risks = &[ProductPlan, SystemDesign, DevPlan, TestPlan][..];
    for (feedback, course, expected) in [
        ("Split W-1 in two.", plain, &[DevPlan][..]),
        ("把 w-1 拆成两步。", plain, &[DevPlan]),
        ("W-1 takes no test.", plain, &[DevPlan, TestPlan]),
        ("Split W-1 in two.", note, &[DevPlan, RiskAssessment]),
        ("Is W-1 of any use?", drops, &[]),
        ("T-1 proves too little.", plain, &[TestPlan]),
        ("M-1 is too much.", plain, &[SystemDesign, DevPlan]),
        ("Use tabs.", rewords, &[ProductPlan]),
        ("Add a criterion to W-1.", rewords, &[ProductPlan, DevPlan]),
        (
            "What risks are there?",
            rewords,
            &[ProductPlan, RiskAssessment],
        ),
        ("Use tabs.", silent, &[ProductPlan]),
        ("Use tabs.", gives, &[ProductPlan]),
        ("Use tabs.", plain, all_but_risks),
        ("AC-1 is wrong.", withdraws, all_but_risks),
        ("", other, &[ProductPlan]),
    ] {
        let previous = Previous::of(&first, "head");
        let requirement = course.requirement.unwrap_or(&first.task.requirement);
        let mut points = split_feedback(feedback, &previous.counters);
        points.extend(previous.requirement_change(requirement, &points, Lang::En));
        let mut inputs = inputs();
        inputs.version = 2;
        let mut meeting = Meeting::open_with(Event::UserInput {
            content: requirement.to_owned(),
            run_id: "2".to_owned(),
            inputs: Box::new(inputs),
            from: Some(Box::new(previous)),
            feedback: points,
        });
        let mut basics = agreeable(1);
        meeting.run(&mut |state, call| match call.purpose {
            Purpose::Judgment => {
                let one = Withdrawal {
                    item: "C-1".into(),
                    feedback: "F-1".into(),
                    reason: "wrong".into(),
                };
                let withdraw = Vec::from_iter(course.withdraws.then_some(one));
                text(&Contribution {
                    coach: Some(CoachPart {
                        withdraw,
                        ..CoachPart::default()
                    }),
                    ..contribution("One point.")
                })
            }
            Purpose::Speech => {
                let mut said = spoken(&basics(state, call));
                if course.drops {
                    said.positions.clear();
                    said.corrections.push(Correction {
                        whom: "PP".into(),
                        about: "it is of use".into(),
                    });
                }
                said.notes.extend(course.note.map(|document| WriterNote {
                    document,
                    text: "Half of it may fail.".into(),
                }));
                text(&said)
            }
            Purpose::Summary if course.drops => {
                let reason = Some("it is of use".to_owned());
                let open = state.ledger.open();
                let dropped = |issue: &IssueRecord| Fate {
                    reason: reason.clone(),
                    ..fate(&issue.id.to_string(), FateKind::Dropped)
                };
                text(&coach(open.map(dropped).collect()))
            }
            Purpose::Document(ProductPlan) if course.gives.is_some() => {
                let accounts = items_due(state, ProductPlan).into_iter().map(|id| Account {
                    id,
                    used_in: Some("understanding".to_owned()),
                    left_out_because: None,
                });
                let accounts: Vec<Account> = accounts.collect();
                serde_json::json!({
                    "document": {
                        "understanding": course.gives, "scope": [], "non_goals": [], "criteria": [],
                    },
                    "accounts": accounts, "evidence": [], "findings": [],
                })
                .to_string()
            }
            Purpose::Document(kind) if course.rewords => {
                let before = &state.task.previous.as_ref().unwrap().documents[&kind];
                let mut content = serde_json::to_value(before).unwrap();
                content.as_object_mut().unwrap().remove("document");
                if kind == ProductPlan {
                    content["understanding"] = "Said otherwise.".into();
                    content["criteria"][0]["same_as"] = "AC-1".into();
                }
                content.to_string()
            }
            _ => basics(state, call),
        });
        let state = &meeting.state;
        assert_eq!(state.stage, Stage::Published, "{feedback}");
        let asked = meeting.events().filter_map(|event| match event {
            Event::CallStarted { call, .. } => match call.purpose {
                Purpose::Document(kind) => Some(kind),
                _ => None,
            },
            _ => None,
        });
        let asked: BTreeSet<_> = asked.collect();
        assert_eq!(asked, expected.iter().copied().collect(), "{feedback}");
        for (old, new) in before.iter().zip(&files(state)) {
            let kind = DocumentKind::ALL
                .into_iter()
                .find(|kind| new.path.contains(kind.name()));
            let carried = state.documents.written[&kind.unwrap()].carried;
            assert_eq!(carried.is_some(), old.bytes == new.bytes, "{}", new.path);
            assert!(carried.is_none_or(|version| version == 1));
            let is_asked = asked.contains(&kind.unwrap());
            assert!(is_asked || carried.is_some(), "{feedback}: {}", new.path);
            if let (Some(given), Some(ProductPlan)) = (course.gives, kind) {
                assert_eq!(carried.is_some(), given.is_empty());
            }
        }
        let lines = meeting.entries.iter().filter_map(|entry| {
            let line = aitc::ui::view::line(state, entry, &style(100))?;
            line.contains("carried over from v1").then_some(())
        });
        let carried = state
            .documents
            .written
            .values()
            .filter(|it| it.carried.is_some());
        assert_eq!(lines.count(), carried.count(), "{feedback}");
        let found = aitc::check::for_review(state, &aitc::check::paths_alone(|_| true));
        assert!(found.found.is_empty() || !asked.is_empty(), "{found:?}");
        // A newly agreed item must be accounted for by the writer of the affected document.
        let due = |kind| items_due(state, kind).len();
        match feedback {
            "Split W-1 in two." => assert_eq!((due(DevPlan), due(TestPlan)), (1, 0)),
            "Use tabs." => assert_eq!((due(ProductPlan), due(DevPlan)), (1, 0)),
            _ => {}
        }
        let third = Previous::of(state, "head").written[&RiskAssessment];
        let by_second = state.documents.written[&RiskAssessment].carried.is_none();
        assert_eq!(third.version, 1 + u32::from(by_second), "{feedback}");
    }
}

/// The estimate for a revision includes documents that may be carried over; there is an estimate
/// for teams too.
#[test]
fn a_forecast_tells_what_may_be_carried_over_and_knows_teams() {
    let first = held(1).state;
    let expected = |feedback: &str| {
        let mut meeting = revise(&first, feedback);
        meeting.until(Purpose::Judgment, &mut agreeable(1));
        Forecast::of(&meeting.state, 30_000).unwrap()
    };
    assert_eq!(expected("Split W-1 in two.").carried, 2);
    assert_eq!(Forecast::of(&first, 30_000).unwrap().carried, 0);
    let mut inputs = inputs();
    inputs.format = Format::Team;
    let team = |inputs: &Inputs| {
        let meeting = Meeting::open("compare three", inputs.clone());
        Forecast::of(&meeting.state, 30_000).unwrap()
    };
    let plain = team(&inputs);
    assert_eq!((plain.calls, plain.chain), (8, 4));
    inputs.review = true;
    let reviewed = team(&inputs);
    assert_eq!((reviewed.calls, reviewed.chain), (14, 6));
    assert!(plain.tokens > 60_000 && reviewed.tokens > plain.tokens);
}

/// The coach sees the opening of the previous version's report, to keep what still holds, unless it
/// is in another language or was not written by a model.
#[test]
fn the_words_that_opened_a_report_are_shown_in_its_revision() {
    let first = held(1).state;
    let opening = first.documents.report.clone().unwrap().in_short;
    let asked = |change: &dyn Fn(&mut State)| {
        let mut meeting = revise(&first, "Split W-1 in two.");
        meeting.until(Purpose::Report, &mut agreeable(1));
        change(&mut meeting.state);
        let call = call_due(&meeting.state);
        assert_eq!(call.purpose, Purpose::Report);
        meeting.state.inputs.templates = states::templates(Lang::En).into();
        let prompter = aitc::prompt::Prompter::new(&meeting.state.inputs).unwrap();
        let request = prompter.request(&meeting.state, &call).unwrap();
        request.messages.last().unwrap().content.clone()
    };
    let shown = asked(&|_| ());
    assert!(
        shown.contains("opened the report of v1") && shown.contains(&opening),
        "{shown}"
    );
    for change in [
        (|state: &mut State| state.inputs.doc_lang = Lang::Zh) as fn(&mut State),
        |state| state.task.previous.as_mut().unwrap().report = None,
    ] {
        assert!(!asked(&change).contains(&opening));
    }
}

/// Issues that are open at the end affect the documents they name, and a last message is passed to
/// the writers.
#[test]
fn words_that_no_round_has_heard_touch_documents() {
    let first = held(1).state;
    for (words, carried) in [(None, 4), (Some("Do not forget T-1."), 1)] {
        let mut meeting = revise(&first, "Split W-1 in two.");
        let mut basics = agreeable(1);
        while meeting.state.stage != Stage::Between {
            meeting.step(&mut basics);
        }
        if let Some(words) = words {
            meeting.record(typed(Intent::Say, words));
        }
        meeting.record(typed(Intent::Stop, "/stop"));
        meeting.run(&mut basics);
        assert_eq!(meeting.state.stage, Stage::Published);
        let documents = meeting.state.documents.written.values();
        let kept = documents.filter(|record| record.carried.is_some());
        assert_eq!(kept.count(), carried, "{words:?}");
    }
}
