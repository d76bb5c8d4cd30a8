//! A run sends its prompts only to the address it was started with.

use crate::support::binary::{Going, Place};
use crate::support::fake::{Fake, Reply, WorkshopScript, workshop};

const REQUIREMENT: &str = "Export the customer list as CSV. Only administrators may export.";
const HELD: &str = "speech/SystemDesigner/r1";

/// A workshop that asks the user one question.
fn curious() -> WorkshopScript {
    WorkshopScript::asking(1)
}

/// A run with a custom address does not resume at another one, not even at the provider's default
/// address for which a key is set.
#[test]
fn a_run_goes_on_only_where_it_was_meant_to_go() {
    let place = Place::new();
    let fake = Fake::start(workshop(curious()));
    // A proxy that would receive requests to the default address.
    let elsewhere = Fake::start(|_| Reply::Empty);
    let url = fake.base_url();
    let with = |variables: &[(&str, &str)], arguments: &[&str]| {
        let mut command = place.command_without_model(arguments);
        command.envs(variables.iter().copied());
        Going::start(command).end()
    };
    let begin = ["plan", REQUIREMENT, "--base-url", &url, "--model", "m"];
    let hint = format!("aitc resume --base-url {url}");
    with(&[], &begin).fails(8, &[&hint]);
    let transcript = place.text("v1.draft/planning_transcript.jsonl");
    let first = transcript.lines().next().unwrap();
    assert!(first.contains(r#""own_addresses":["openai"]"#), "{first}");
    assert!(!first.contains(&url), "{first}");
    let before = fake.seen().len();
    let proxy = format!("http://127.0.0.1:{}", elsewhere.port());
    let key = ("OPENAI_API_KEY", "sk-some-key");
    let usual = [key, ("HTTPS_PROXY", proxy.as_str())];
    let claude = ("AITC_PROVIDER", "claude");
    let other = [key, claude, ("AITC_BASE_URL", url.as_str())];
    for variables in [&usual[..], &other, &[]] {
        let needed = ["error[E-address-needed]", "aitc resume v1 --base-url URL"];
        with(variables, &["resume"]).fails(4, &needed);
    }
    assert_eq!(elsewhere.connections(), 0);
    assert_eq!(fake.seen().len(), before);
    let goes_on = "the run continues with model m of openai";
    with(&[], &["resume", "--base-url", &url]).fails(8, &[&hint, goes_on]);
    let named = [("AITC_BASE_URL", url.as_str())];
    with(&named, &["resume", "--questions", "assume"]).ends(0);
}

/// The same for a provider of a single role, whose address is set in the user's own file.
#[test]
fn a_role_of_its_own_provider_goes_on_only_where_it_was_meant_to_go() {
    let place = Place::new();
    let (fake, own) = (
        Fake::start(workshop(curious())),
        Fake::start(workshop(curious())),
    );
    let elsewhere = Fake::start(|_| Reply::Empty);
    let settings = format!("providers:\n  groq:\n    base_url: {}\n", own.base_url());
    place.configure(&settings);
    let url = fake.base_url();
    let address = ["--base-url", &url];
    let begin = ["plan", REQUIREMENT, "--model", "m", "--model", "PP=groq:m"];
    let proxy = format!("http://127.0.0.1:{}", elsewhere.port());
    let run = |arguments: &[&str]| {
        let mut command = place.command(&[arguments, &address].concat());
        command
            .env("GROQ_API_KEY", "gsk-some-key")
            .env("HTTPS_PROXY", &proxy);
        Going::start(command).end()
    };
    run(&begin).ends(8);
    let asked = own.seen().len();
    assert_eq!(own.calls("speech/ProductPlanner/r1"), 1);
    place.configure("");
    let fix = "fix: aitc config set --user providers.groq.base_url URL";
    run(&["resume", "--questions", "assume"]).fails(4, &["E-role-address-needed", fix]);
    assert_eq!(own.seen().len(), asked);
    assert_eq!(elsewhere.connections(), 0);
    place.configure(&settings);
    run(&["resume", "--questions", "assume"]).ends(0);
    assert!(own.seen().len() > asked);
}

/// The command that an interrupted run suggests includes the address.
#[test]
fn the_hint_of_an_interrupted_run_names_the_address_of_the_flag() {
    let fake = Fake::holding(WorkshopScript::default(), &[HELD]);
    let url = fake.base_url();
    let place = Place::new();
    let arguments = ["plan", REQUIREMENT, "--base-url", &url, "--model", "m"];
    let going = Going::start(place.command(&arguments));
    fake.awaits(HELD, 1);
    going.signal("INT");
    let hint = format!("aitc resume --base-url {url}");
    going.end().ends(130).says(&[&hint]);
}
