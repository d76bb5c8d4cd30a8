//! Stances, merges, refinements, clarifications and revisions, and how they interact.

mod texts;

use workshop::machine::*;

use crate::support::meeting::*;

#[test]
fn small_teams_hold_a_whole_run() {
    for count in [1usize, 2] {
        for silent in [false, true] {
            let mut inputs = inputs();
            inputs.rules.order = workshop::machine::SpeakingOrder::Rotate;
            inputs.roles.members.truncate(count);
            let mut meeting = Meeting::open("two things", inputs);
            let mut basics = agreeable(2);
            meeting.run(&mut |state, call| {
                if silent && call.purpose == Purpose::Speech && call.turn == 1 && call.round == 1 {
                    return "nothing".to_owned();
                }
                basics(state, call)
            });
            let state = &meeting.state;
            if silent && count == 1 {
                assert!(matches!(next_actions(state)[..], [Action::GiveUp(_)]));
            } else {
                assert_eq!(state.stage, Stage::Published);
                assert_eq!(state.documents.written.len(), count);
            }
        }
    }
}
