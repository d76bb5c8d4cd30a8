//! The time limit in a debate. Other failures are played in `tests/played/debates.md`.

use aitc::machine::*;

use super::debate;
use crate::support::divided::{open, usual};
use crate::support::meeting::call_due;

#[test]
fn when_time_is_up_the_ruling_is_next_and_what_was_argued_counts() {
    let mut meeting = open(|_| {});
    let call = meeting.until(Purpose::Debate(DebatePart::Argument), &mut usual());
    meeting.step_ms = 31 * 60_000;
    meeting.reply(&call, &usual()(&meeting.state, &call));
    let call = call_due(&meeting.state);
    assert_eq!(call.purpose, Purpose::Debate(DebatePart::Ruling));
    meeting.run(&mut usual());
    assert_eq!(debate(&meeting).rounds.len(), 1);
    let issue = meeting.issue(1);
    let argued = |p: &&aitc::machine::PositionRecord| {
        p.proposal
            .as_deref()
            .is_some_and(|text| text.contains("argues so"))
    };
    assert_eq!(issue.positions.iter().filter(argued).count(), 1);
    let stop = meeting.stop();
    assert_eq!(stop.reason, StopReason::TimeLimit);
}
