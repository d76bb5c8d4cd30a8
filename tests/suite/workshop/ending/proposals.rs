//! The end marker: where it is removed, the letters of the menu, and a proposal that the end
//! overtakes. Who decides one is played in `tests/played/endings.md`.

use aitc::machine::Entry;
use aitc::ui::view::{Style, status_text};

use super::*;

#[test]
fn the_marker_stands_in_no_text_of_a_reply() {
    const MARKER: &str = "<!-- END -->";
    let mut meeting = Meeting::open("two things", inputs());
    let mut basics = agreeable(2);
    // Appends the marker to every text of members and coach, in any field.
    fn end_all(value: &mut serde_json::Value, marks: &mut usize) {
        match value {
            serde_json::Value::Array(items) => items.iter_mut().for_each(|it| end_all(it, marks)),
            serde_json::Value::Object(fields) => {
                for (name, field) in fields {
                    let is_text = ["why", "proposal", "title", "text", "reminder", "about"];
                    match field {
                        serde_json::Value::String(text) if is_text.contains(&name.as_str()) => {
                            *text += " <!-- END -->";
                            *marks += 1;
                        }
                        field => end_all(field, marks),
                    }
                }
            }
            _ => {}
        }
    }
    let mut marks = 0;
    meeting.run(&mut |state, call| {
        let answer = basics(state, call);
        let mut value = serde_json::from_str(&answer).unwrap();
        end_all(&mut value, &mut marks);
        value.to_string()
    });
    assert!(marks > 20, "{marks}");
    let kept: String = meeting
        .entries
        .iter()
        .skip(1)
        .map(|entry| serde_json::to_string(&entry.event).unwrap())
        .collect();
    assert!(!kept.contains(MARKER), "{kept}");
    assert_eq!(meeting.state.ending.proposals, (0, 0));
    assert!(meeting.state.ending.is_agreed());
}

#[test]
fn the_letters_of_the_menu_mean_the_same_in_a_message() {
    let mut meeting = Meeting::open("two things", mode(true, false));
    let read = |text: &str| intervention::read(text, &meeting.state.inputs).unwrap();
    for (text, intent) in [
        ("E", Intent::Stop),
        (" [e] ", Intent::Stop),
        ("V", Intent::VoteToEnd),
        ("E is the letter", Intent::Say),
    ] {
        assert_eq!(read(text), intent, "{text}");
    }
    let mut script = proposing(99);
    while !matches!(next_actions(&meeting.state)[..], [Action::AskEnd(_)]) {
        assert!(meeting.step(&mut script));
    }
    let goes_on = "C".to_owned();
    let channel = Channel::Message;
    let event = intervention::when_asked(&meeting.state, Intent::Say, goes_on, channel, None);
    meeting.record(event.clone());
    assert!(may_follow(&meeting.state, &event).is_err(), "taken once");
    assert!(meeting.state.ending.words.is_empty(), "nothing was said");
}

fn plain() -> Style {
    style(200)
}

/// An event that ends a run.
type Ends = fn(&Meeting) -> Event;

/// If the run ends in another way, the pending proposal is recorded as overtaken.
#[test]
fn a_proposal_that_the_end_overtakes_is_on_record_as_such() {
    let overtaken = |entry: &Entry| {
        matches!(
            entry.event,
            Event::EndDecision {
                guard: StopReason::Proposal,
                confirmed: false,
                by: DecidedBy::Overtaken,
                ..
            }
        )
    };
    let budget = |meeting: &Meeting| budget_fires(&meeting.state);
    let stop = |meeting: &Meeting| {
        let (content, channel) = ("/stop".to_owned(), Channel::Message);
        // Sent before the question was shown, so it is not an answer to it.
        intervention::unasked(&meeting.state, Intent::Stop, content, channel, None)
    };
    let ends: [(Ends, StopReason); 2] = [(budget, StopReason::Budget), (stop, StopReason::User)];
    for (end, reason) in ends {
        let mut inputs = mode(true, false);
        inputs.rules.limits.max_tokens = Some(1_000_000);
        let mut meeting = Meeting::open("two things", inputs);
        let mut script = proposing(99);
        while !matches!(next_actions(&meeting.state)[..], [Action::AskEnd(_)]) {
            assert!(meeting.step(&mut script));
        }
        let told = status_text(&meeting.state, "v1.draft", &[], &plain());
        assert!(told.contains("PP proposes to end the discussion"), "{told}");
        let event = end(&meeting);
        meeting.record(event);
        meeting.run(&mut script);
        let state = &meeting.state;
        assert_eq!(state.ending.stop.as_ref().unwrap().reason, reason);
        let told = status_text(state, "v1", &[], &plain());
        assert!(!told.contains("proposes to end"), "{told}");
        let decided: Vec<_> = meeting.entries.iter().filter(|e| overtaken(e)).collect();
        assert_eq!(decided.len(), 1, "{reason:?}");
        let again = decided[0].event.clone();
        assert!(meeting.try_record(again).is_err());
        assert_eq!(meeting.state.ending.proposals, (1, 0));
    }
    // A proposal that was decided, or never made, is not overtaken.
    for (attended, script) in [(false, true), (true, false)] {
        let mut meeting = Meeting::open("two things", mode(attended, false));
        meeting.state.inputs.rules.limits.max_rounds = 2;
        match script {
            true => meeting.run(&mut proposing(99)),
            false => meeting.run(&mut agreeable(1)),
        }
        assert!(!meeting.entries.iter().any(overtaken));
    }
}
