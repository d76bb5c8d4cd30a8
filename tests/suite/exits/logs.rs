//! Log lines of a run: `-v` for unusual events, `-vv` for every call.

use super::WISH;
use super::terminal::proposing;
use crate::support::binary::Place;
use crate::support::fake::Reply;
use crate::support::terminal::OnTerminal;

/// Log lines of this `level`.
fn logged<'a>(told: &'a str, level: &str) -> Vec<&'a str> {
    let begins = format!("{level} aitc::");
    let lines = told.lines().map(str::trim_start);
    lines.filter(|line| line.starts_with(&begins)).collect()
}

#[test]
fn a_nudge_says_who_why_in_which_language_from_where_and_how_many_are_left() {
    let (place, fake) = (Place::new(), proposing());
    let ran = place.run_with(&fake, &["plan", WISH, "-v", "--questions", "assume"]);
    let push = &place.events("v1", "diligence_push")[0];
    let run = place.transcript("v1")[0]["run_id"].clone();
    let line = format!(
        "INFO aitc::diligence: pushed run={run} member=RiskPlanner call=root/speech/RiskPlanner/r1/t5/a1 \
         language={} source={} why={} left={}",
        push["language"], push["source"], push["why"], push["left"]
    );
    let told = logged(&ran.err, "INFO");
    assert!(told.contains(&&*line), "{line}\n{told:#?}");
    let proposed = told.iter().any(|line| {
        line.starts_with("INFO aitc::ending: proposed") && line.contains(" member=RiskPlanner")
    });
    assert!(proposed, "{told:#?}");
    assert_eq!(logged(&ran.err, "DEBUG"), [""; 0]);
}

#[test]
fn a_guard_says_what_it_saw_and_twice_v_names_every_call() {
    let (place, fake) = (Place::new(), super::team());
    let flags = [
        "plan",
        WISH,
        "-vv",
        "-q",
        "--questions",
        "assume",
        "--rounds",
        "1",
    ];
    // Both flags together are an error.
    place
        .run_with(&fake, &flags)
        .fails(2, &["E-argument-conflict"]);
    let flags = flags.iter().copied().filter(|flag| *flag != "-q");
    let flags: Vec<_> = flags.chain(["--json"]).collect();
    let ran = place.run_with(&fake, &flags);
    let fired = &place.events("v1", "guard_fired")[0];
    let line = format!(
        "fired run={} guard=\"round_limit\" value=1 limit=1 unit=\"rounds\" round=1 active_ms={}",
        place.transcript("v1")[0]["run_id"],
        fired["active_ms"]
    );
    assert!(ran.err.contains(&line), "{line}\n{}", ran.err);
    let calls = place.events("v1", "call_started").len();
    let told = logged(&ran.err, "DEBUG");
    let of = |what: &str| told.iter().filter(|line| line.contains(what)).count();
    assert_eq!(of("aitc::call: started"), calls);
    assert_eq!(of("aitc::call: answered"), calls);
}

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

#[test]
fn who_is_not_nudged_is_logged_with_what_says_so() {
    let (place, fake) = (Place::new(), super::team());
    place.write(
        ".ai-tools-chain/team.yaml",
        "members: {RP: {diligence_push_max: 0}}\n",
    );
    let ran = place.run_with(&fake, &["plan", WISH, "-v", "--questions", "assume"]);
    let ran = ran.ends(0);
    let told = logged(&ran.err, "INFO").join("\n");
    let off = "member=RiskPlanner language=\"en\" source=\"built-in\" left=0";
    assert!(told.contains(off), "{told}");
    assert!(told.contains("aitc::diligence: off run="), "{told}");
}

/// A member that only calls a tool that was not offered is nudged, like one with an empty answer.
#[test]
fn who_only_calls_a_tool_is_pushed() {
    let call = r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"t","type":"function","function":{"name":"read_file","arguments":"{\"path\":\"a\"}"}}]},"finish_reason":"tool_calls"}]}"#;
    let stream = format!("data: {call}\n\ndata: [DONE]\n\n").into_bytes();
    let fake = super::faulty(move |seen| {
        let first = seen.key == "speech/SystemDesigner/r1" && seen.times == 1;
        first.then(|| Reply::Raw(vec![stream.clone()]))
    });
    let place = Place::new();
    place
        .run_with(&fake, &["plan", WISH, "--questions", "assume"])
        .ends(0);
    let push = &place.events("v1", "diligence_push")[0];
    assert_eq!(push["why"], "empty_reply", "{push}");
    assert_eq!(place.events("v1", "reply_rejected").len(), 0);
}
