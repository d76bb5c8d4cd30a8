//! Log lines of a run: `-v` for unusual events, `-vv` for every call.

use super::WISH;
use crate::support::binary::Place;
use crate::support::fake::Reply;
use crate::support::terminal::OnTerminal;

#[test]
fn a_failure_is_logged_whole_on_one_line_above_what_is_drawn() {
    let (place, fake) = (
        Place::new(),
        super::faulty(|seen| {
            let breaks = seen.key == "speech/TestPlanner/r1" && seen.times == 1;
            breaks.then(|| Reply::Status {
                status: 500,
                body: "first\u{1b}[2J\nsecond".to_owned(),
                headers: Vec::new(),
            })
        }),
    );
    let command = place.command_with(&fake, &["plan", WISH, "-v"]);
    let screen = OnTerminal::start(command).ends(0);
    let told = "WARN aitc::call: failed";
    assert_eq!(screen.matches(told).count(), 1, "{screen}");
    assert!(screen.contains("second"), "{screen}");
}
