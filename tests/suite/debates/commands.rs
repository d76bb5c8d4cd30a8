//! Debates as users see them: flags, files, report, terminal.

use crate::support::binary::{Place, wait_until};
use crate::support::fake::{Fake, Reply, WorkshopScript, workshop};

/// After the end is decided, the round is summed up and no debate starts.
#[test]
fn a_debate_asked_for_after_the_end_is_decided_comes_too_late() {
    const FIRST: &str = "speech/ProductPlanner/r1";
    let script = workshop(WorkshopScript::agreeing_in(9));
    let fake = Fake::start(move |seen| match seen.key.as_str() {
        FIRST => Reply::Held(Box::new(script(seen))),
        "summary/Coach/r1" => Reply::HangBeforeHeaders,
        _ => script(seen),
    });
    let place = Place::new();
    let going = place.start_with(&fake, &["plan", "Export the list"]);
    wait_until("the first speaker", || fake.calls(FIRST) > 0);
    place.run(&["stop", "--run", "v1"]).ends(0);
    fake.lets_go();
    wait_until("the summary", || fake.calls("summary/Coach/r1") > 0);
    for (lang, label) in [("en", "error"), ("zh", "错误")] {
        let late = place.run(&["debate", "Which columns?", "--lang", lang]);
        assert_eq!(late.code, 2, "{}", late.err);
        let told = format!("{label}[E-debate-refused]");
        assert!(late.err.contains(&told), "{}", late.err);
    }
    going.signal("INT");
    going.end().ends(130);
}
