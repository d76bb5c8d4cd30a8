//! The end marker: where it is removed, and the effect of a proposal.

use aitc::machine::Entry;
use aitc::ui::view::{Style, status_text};

use super::*;
use crate::support::meeting::settled;

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
fn a_proposal_is_recorded_decided_and_never_read_by_people() {
    let mut meeting = Meeting::open("two things", mode(true, false));
    let mut script = proposing(99);
    while !matches!(next_actions(&meeting.state)[..], [Action::AskEnd(_)]) {
        assert!(meeting.step(&mut script));
    }
    assert_eq!(phases(&meeting), ["speech", "proposal"]);
    let Some(Event::EndProposal {
        response_text,
        response_clean,
        confirmed,
        ..
    }) = meeting.entries.last().map(|entry| &entry.event)
    else {
        panic!("no proposal");
    };
    assert_eq!(response_clean, "I agree.");
    // The raw reply, whose field still ends with the marker.
    assert!(response_text.starts_with('{') && response_text.ends_with('}'));
    let whole: serde_json::Value = serde_json::from_str(response_text).unwrap();
    assert_eq!(whole["analysis"], "I agree.\n<!-- END -->");
    assert!(!confirmed);
    assert_eq!(
        meeting.state.discussion.speeches[0].speech.analysis,
        "I agree."
    );
    // A message instead of Enter declines the proposal, and the next speaker sees it.
    let words = "Not before the limit is settled.".to_owned();
    let event = intervention::when_asked(
        &meeting.state,
        Intent::Say,
        words,
        Channel::Message,
        Some("0190c0de-0000-7000-8000-00000000000b".to_owned()),
    );
    meeting.record(event.clone());
    assert!(may_follow(&meeting.state, &event).is_err(), "taken once");
    assert_eq!(phases(&meeting), ["speech", "proposal", "declined"]);
    assert_eq!(
        meeting.state.discussion.said,
        [Said::Speech(0), Said::Human(0)]
    );
    let call = call_due(&meeting.state);
    assert_eq!((call.purpose, call.turn), (Purpose::Speech, 2));
}

#[test]
fn a_confirmed_end_sums_up_what_was_said() {
    let mut meeting = Meeting::open("two things", mode(true, false));
    let mut script = proposing(99);
    while !matches!(next_actions(&meeting.state)[..], [Action::AskEnd(_)]) {
        assert!(meeting.step(&mut script));
    }
    let stop = intervention::when_asked(
        &meeting.state,
        Intent::Stop,
        "/stop".to_owned(),
        Channel::Message,
        None,
    );
    meeting.record(stop);
    meeting.run(&mut script);
    let expected = ["speech", "proposal", "confirmed", "summary", "fired"];
    assert_eq!(phases(&meeting), expected);
    let stop = meeting.stop();
    assert_eq!((stop.reason, stop.value), (StopReason::Proposal, 2));
    assert_eq!(meeting.state.documents.written.len(), 5);
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
    meeting.record(event);
    assert_eq!(phases(&meeting), ["speech", "proposal", "declined"]);
    assert!(meeting.state.ending.words.is_empty(), "nothing was said");
}

#[test]
fn what_a_confirmed_end_tells_of_is_what_is_open_when_it_ends() {
    let mut meeting = Meeting::open("two things", mode(true, false));
    let mut script = proposing(99);
    while !matches!(next_actions(&meeting.state)[..], [Action::AskEnd(_)]) {
        assert!(meeting.step(&mut script));
    }
    meeting.record(decision(StopReason::Proposal, true, DecidedBy::Terminal, 0));
    meeting.run(&mut |state, call| match call.purpose {
        Purpose::Summary => {
            let left = fate("I-2", FateKind::Open);
            let merged = Fate {
                into: vec!["I-2".to_owned()],
                ..fate("I-1", FateKind::Merged)
            };
            text(&coach(vec![merged, left]))
        }
        _ => script(state, call),
    });
    let stop = meeting.stop();
    assert_eq!((stop.reason, stop.value), (StopReason::Proposal, 1));
    assert_eq!(meeting.state.ledger.blocking().count(), 1);
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
        inputs.limits.max_tokens = Some(1_000_000);
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
    for (watched, script) in [(false, true), (true, false)] {
        let mut meeting = Meeting::open("two things", mode(watched, false));
        meeting.state.inputs.limits.max_rounds = 2;
        match script {
            true => meeting.run(&mut proposing(99)),
            false => meeting.run(&mut agreeable(1)),
        }
        assert!(!meeting.entries.iter().any(overtaken));
    }
}

/// The coach settles the blocking issue, proposes the end, and also splits a minor issue into a
/// blocking one, so the proposal is invalid.
#[test]
fn a_summary_that_contradicts_itself_ends_nothing() {
    let mut meeting = Meeting::open("two things", mode(false, false));
    let mut basics = agreeable(2);
    meeting.run(&mut |state, call| {
        let first = call.round == 1;
        match call.purpose {
            Purpose::Judgment => {
                let mut judgment = spoken(&basics(state, call));
                judgment.new_issues[1].severity = Severity::Minor;
                text(&judgment)
            }
            Purpose::Summary if first => {
                let mut split = fate("I-2", FateKind::Refined);
                split.into = vec!["n1".to_owned()];
                text(&Contribution {
                    analysis: "All is settled.\n<!-- END -->".to_owned(),
                    new_issues: vec![new_issue("n1", "who pays", Severity::Blocking)],
                    ..coach(vec![settled("I-1", "PP"), split])
                })
            }
            _ => basics(state, call),
        }
    });
    let state = &meeting.state;
    let entered = state.ledger.find(aitc::machine::IssueId(3)).unwrap();
    assert_eq!(entered.severity, Severity::Blocking);
    let declined = phases(&meeting);
    assert!(declined.contains(&"declined"), "{declined:?}");
    assert!(!declined.contains(&"confirmed"), "{declined:?}");
    assert_eq!(
        state.round, 2,
        "the discussion continues about what is left"
    );
    assert!(state.ending.is_agreed());
}
