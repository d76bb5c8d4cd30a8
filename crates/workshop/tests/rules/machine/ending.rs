//! How a discussion ends at the figures of its limits, and a stop in a blind round. Every guard in
//! every mode is played in `tests/played/guards.md`, and other stops in `endings.md`.

use workshop::machine::ending;

use super::*;

const MINUTE: u64 = 60_000;

#[test]
fn limits_fire_at_their_figure_and_not_before() {
    let mut meeting = Meeting::open("two things", inputs());
    while meeting.state.stage != Stage::Between || meeting.state.round == 0 {
        assert!(meeting.step(&mut agreeable(99)));
    }
    let state = &mut meeting.state;
    let due = |state: &State| match ending::due(state) {
        Some(Event::DiscussionEnded(end)) => Some(("fires", end.reason, end.value, end.limit)),
        Some(Event::GuardWarned(end)) => Some(("warns", end.reason, end.value, end.limit)),
        _ => None,
    };
    use StopReason::{RoundLimit, TimeLimit};
    for (ms, round, expected) in [
        (25 * MINUTE - 1, 1, None),
        (25 * MINUTE, 1, Some(("warns", TimeLimit, 25, 30))),
        (30 * MINUTE - 1, 1, Some(("warns", TimeLimit, 29, 30))),
        (30 * MINUTE, 1, Some(("fires", TimeLimit, 30, 30))),
        // If both limits are reached, the round limit comes first.
        (30 * MINUTE, 10, Some(("fires", RoundLimit, 10, 10))),
        (0, 9, Some(("warns", RoundLimit, 9, 10))),
    ] {
        (state.run.active_ms, state.round) = (ms, round);
        assert_eq!(due(state), expected);
        assert!(ms == 30 * MINUTE || !ending::cuts_round_short(state));
        // The wall clock has no effect.
        state.run.last_activity_at = "1970-01-01T00:00:00.000Z".to_owned();
        assert_eq!(due(state), expected);
    }
    state.ending.warned.insert(RoundLimit);
    assert_eq!(due(state), None, "a warning comes once");
}

/// Questions of a blind round get their ids when the round is cut short.
#[test]
fn a_stop_in_a_blind_round_sums_up_who_has_asked_meanwhile() {
    let mut meeting = opened(|inputs| {
        inputs.questions = QuestionMode::Ask;
        inputs.rules.first_round = FirstRound::Blind;
    });
    let mut basics = agreeable(1);
    let call = meeting.until(Purpose::Speech, &mut basics);
    meeting.reply(&call, &text(&asking("Is there a migration?")));
    meeting.says("/stop");
    assert_eq!(meeting.state.questions.asked.len(), 1, "heard out");
    assert_eq!(call_due(&meeting.state).purpose, Purpose::Summary);
    meeting.run(&mut basics);
    assert_eq!(meeting.state.discussion.speeches.len(), 1);
    let status = &meeting.state.questions.asked[0].status;
    assert_eq!(*status, QuestionStatus::Raised, "nobody has looked at it");
    assert_eq!(meeting.replayed(meeting.entries.len()), meeting.state);
}

#[test]
fn a_guard_in_a_blind_round_loses_no_speech() {
    let mut meeting = opened(|inputs| {
        inputs.rules.first_round = FirstRound::Blind;
        inputs.rules.limits.max_tokens = Some(1_000_000);
    });
    let mut basics = agreeable(1);
    meeting.until(Purpose::Speech, &mut basics);
    for call in calls_due(&meeting.state).into_iter().take(2) {
        let words = basics(&meeting.state, &call);
        meeting.reply(&call, &words);
    }
    assert!(meeting.state.discussion.speeches.is_empty());
    meeting.record(budget_fires(&meeting.state));
    assert_eq!(meeting.state.discussion.speeches.len(), 2);
    assert_eq!(meeting.state.stage, Stage::Writing);
}
