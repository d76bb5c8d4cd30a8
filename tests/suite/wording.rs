//! If the coach rewords a proposal, its text is shown in addition to the member's, never instead of
//! it.

use aitc::artifact::{self, fallback_document};
use aitc::check::{diff, why};
use aitc::machine::{Event, FeedbackId, FeedbackItem, Format, Lang, Previous, Purpose, State};
use aitc::prompt::Prompter;
use aitc::reply::{Contribution, DocumentKind, FateKind};

use crate::support::meeting::{Meeting, agreeable, coach, fate, listed, settled, text};
use crate::support::states;

const OWN: &str = "PP would write I-1 so, r1";
const WORDED: &str = "The export is a file in UTF-8.";

fn summary(state: &State, wording: Option<&str>) -> Contribution {
    let fates = state.ledger.open().map(|issue| {
        let id = issue.id.to_string();
        if id == "I-1" || state.round == 2 {
            let mut closed = settled(&id, "PP");
            closed.wording = wording.filter(|_| id == "I-1").map(str::to_owned);
            closed
        } else {
            fate(&id, FateKind::Open)
        }
    });
    coach(fates.collect())
}

/// A run of two rounds in which the coach rewords the text for `I-1`; stops at the purpose `at`.
fn held(format: Format, wording: Option<&str>, at: Option<Purpose>) -> Meeting {
    let mut inputs = states::inputs(Lang::En);
    inputs.format = format;
    let mut meeting = Meeting::open("Export the orders.", inputs);
    let mut basics = agreeable(2);
    let mut script = |state: &State, call: &aitc::machine::CallId| match call.purpose {
        Purpose::Summary => text(&summary(state, wording)),
        _ => basics(state, call),
    };
    match at {
        Some(purpose) => {
            meeting.until(Purpose::Summary, &mut script);
            meeting.step(&mut script);
            meeting.until(purpose, &mut script);
        }
        None => meeting.run(&mut script),
    }
    meeting
}

fn file(state: &State, path: &str) -> String {
    let files = artifact::render(state).unwrap();
    let found = files.into_iter().find(|file| file.path == path);
    String::from_utf8(found.unwrap().bytes).unwrap()
}

/// Both texts are shown: first the member's, then the coach's with its mark.
fn both(told: &str, mark: &str) {
    let own = told.find(OWN).unwrap_or_else(|| panic!("{told}"));
    let worded = told.find(WORDED).unwrap_or_else(|| panic!("{told}"));
    let marked = told.find(mark).unwrap_or_else(|| panic!("{told}"));
    assert!(own < marked && marked < worded, "{told}");
}

#[test]
fn members_are_shown_the_proposal_and_the_coachs_words_as_such() {
    let mut meeting = held(Format::Workshop, Some(WORDED), Some(Purpose::Speech));
    let prompter = Prompter::new(&meeting.state.inputs).unwrap();
    let call = meeting.until(Purpose::Speech, &mut |_, _| unreachable!("it waits"));
    let sent = prompter.request(&meeting.state, &call).unwrap();
    let draft = sent.messages.iter().find(|m| m.content.contains("C-1"));
    both(&draft.unwrap().content, "in the Coach's words");
}

#[test]
fn people_are_shown_both_wherever_they_judge_an_item() {
    let state = held(Format::Workshop, Some(WORDED), None).state;
    both(
        &listed("trace", &why(&state, "C-1", Lang::En).unwrap(), Lang::En),
        "in the coach's words",
    );
    let plan: serde_json::Value = serde_json::from_str(&file(&state, "planning.ai.json")).unwrap();
    assert_eq!(plan["consensus"][0]["text"], OWN);
    assert_eq!(plan["consensus"][0]["wording"], WORDED);

    let plain = held(Format::Workshop, None, None).state;
    let changed = &diff(&plain, &state).groups[0].changed[0];
    assert_eq!(changed.id, "C-1");
    let fields: Vec<_> = changed.fields.iter().map(|f| (f.field, &*f.new)).collect();
    assert_eq!(fields, [("wording", WORDED)]);

    let board = held(Format::Board, Some(WORDED), None).state;
    both(&file(&board, "board_minutes.md"), "In the Coach's words");
}

#[test]
fn documents_without_a_model_are_written_from_what_was_proposed() {
    let state = held(Format::Workshop, Some(WORDED), None).state;
    let document = fallback_document(&state, DocumentKind::ProductPlan);
    let told = serde_json::to_string(&document).unwrap();
    assert!(told.contains(OWN) && !told.contains(WORDED), "{told}");
}

#[test]
fn a_revision_tells_both_of_what_was_agreed_before() {
    let first = held(Format::Workshop, Some(WORDED), None).state;
    let mut inputs = states::inputs(Lang::En);
    inputs.version = 2;
    let mut second = Meeting::open_with(Event::UserInput {
        content: first.task.requirement.clone(),
        run_id: "2".to_owned(),
        inputs: Box::new(inputs),
        from: Some(Box::new(Previous::of(&first, "head"))),
        feedback: vec![FeedbackItem::said(
            FeedbackId(1),
            "Add a header.".to_owned(),
        )],
    });
    let mut basics = agreeable(1);
    second.run(&mut basics);
    let plan: serde_json::Value =
        serde_json::from_str(&file(&second.state, "planning.ai.json")).unwrap();
    assert_eq!(plan["carried"][0]["text"], OWN);
    assert_eq!(plan["carried"][0]["wording"], WORDED);
}
