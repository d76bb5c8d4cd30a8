//! Questions: declined, followed up, asked before round 1, and concurrent.

use super::*;

#[test]
fn a_guard_in_a_blind_round_loses_no_speech() {
    let mut inputs = inputs();
    inputs.rules.first_round = FirstRound::Blind;
    inputs.rules.limits.max_tokens = Some(1_000_000);
    let mut meeting = Meeting::open("two things", inputs);
    let mut basics = agreeable(1);
    meeting.until(Purpose::Speech, &mut basics);
    for action in next_actions(&meeting.state).into_iter().take(2) {
        let Action::Call(call) = action else { panic!() };
        let words = basics(&meeting.state, &call);
        meeting.reply(&call, &words);
    }
    assert!(meeting.state.discussion.speeches.is_empty());
    meeting.record(budget_fires(&meeting.state));
    assert_eq!(meeting.state.discussion.speeches.len(), 2);
    assert_eq!(meeting.state.stage, Stage::Closing);
}
