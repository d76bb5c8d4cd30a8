//! What a version takes over from the previous one.

use super::*;
use crate::support::states;

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
        inputs.rules.limits.max_rounds = 1;
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
        inputs.rules.limits.max_rounds = 2;
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

/// A document that is carried over keeps its bytes in its file. What is carried over is played in
/// `tests/played/revisions.md`.
#[test]
fn the_file_of_a_document_changes_unless_it_is_carried_over() {
    let files = |state: &State| {
        let renderer = aitc::artifact::Renderer::new(&states::inputs(Lang::En)).unwrap();
        renderer.documents(state, |_| true).unwrap()
    };
    let before = files(&held(1).state);
    for (lines, carried) in [
        (&["revise Split W-1 in two."][..], 4),
        (&["revise Use tabs."], 1),
        (
            &[
                "revise Is W-1 of any use?",
                "speech: none; corrects PP it is of use",
                "summary: I-3 dropped because it is of use",
            ],
            5,
        ),
    ] {
        let state = crate::played::play(lines.iter().copied()).state;
        let mut same = 0;
        for (old, new) in before.iter().zip(&files(&state)) {
            let mut kinds = DocumentKind::ALL.into_iter();
            let kind = kinds.find(|kind| new.path.contains(kind.name())).unwrap();
            let is_carried = state.documents.written[&kind].carried == Some(1);
            assert_eq!(is_carried, old.bytes == new.bytes, "{}", new.path);
            same += usize::from(is_carried);
        }
        assert_eq!(same, carried, "{lines:?}");
        let found = aitc::check::for_review(&state, &aitc::check::paths_alone(|_| true));
        assert!(found.found.is_empty() || carried < 5, "{found:?}");
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
    inputs.rules.review = true;
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
