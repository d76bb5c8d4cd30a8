//! An endpoint that cannot be reached or trusted, at every kind of call.
//!
//! The fake server cannot simulate these faults: a refused connection, an unknown host, an invalid
//! certificate. So a run is stopped before the call, resumed with such an endpoint, and resumed
//! again with a working one.

use std::net::{Ipv4Addr, SocketAddrV4};
use std::process::{Command, Stdio};

use rustix::net::{AddressFamily, SocketType, bind, getsockname, socket};

use super::table::Patience;
use super::{Call, OPENAI, decent, fault_named, place, run, whole};
use crate::support::binary::{Going, Place, Ran, wait_until};
use crate::support::fake::*;

/// A port that refuses connections. The socket bound to it stays open, so that no server of another
/// test gets the same port.
pub(super) fn refused() -> String {
    let socket = socket(AddressFamily::INET, SocketType::STREAM, None).unwrap();
    let any_port = SocketAddrV4::new(Ipv4Addr::LOCALHOST, 0);
    bind(&socket, &any_port).unwrap();
    let address = SocketAddrV4::try_from(getsockname(&socket).unwrap()).unwrap();
    std::mem::forget(socket);
    format!("http://{address}/v1")
}

/// Each kind of call with one of these, as usual, or with all others.
fn each<T: Copy>(all: [T; 3], is_usual: bool) -> impl Iterator<Item = (Call, T)> {
    let calls = Call::ALL.into_iter().enumerate();
    calls.flat_map(move |(n, call)| {
        let chosen = all.into_iter().enumerate();
        let chosen = chosen.filter(move |(m, _)| (n % all.len() == *m) == is_usual);
        chosen.map(move |(_, one)| (call, one))
    })
}

#[test]
fn an_endpoint_that_is_not_what_it_should_be_at_every_kind_of_call() {
    each(Wrong::ALL, true).for_each(|(call, wrong)| strike(call, wrong));
}

#[test]
#[ignore = "takes a minute"]
fn every_other_endpoint_that_is_not_what_it_should_be_at_every_kind_of_call() {
    each(Wrong::ALL, false).for_each(|(call, wrong)| strike(call, wrong));
}

/// What is wrong with an endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wrong {
    Refused,
    UnknownHost,
    SelfSigned,
}

impl Wrong {
    const ALL: [Self; 3] = [Self::Refused, Self::UnknownHost, Self::SelfSigned];

    /// Its address, for as long as it stays wrong.
    fn base_url(self) -> String {
        match self {
            Self::Refused => refused(),
            Self::UnknownHost => "http://no-such-host.invalid/v1".to_owned(),
            Self::SelfSigned => untrusted_base_url(),
        }
    }

    fn says(self) -> &'static str {
        match self {
            Self::SelfSigned => "certificate",
            _ => "no connection",
        }
    }
}

/// A run that stopped before its first call of this kind, and its team.
fn stopped_before(call: Call, place: &Place) -> Fake {
    let script = workshop(WorkshopScript::agreeing_in(1));
    let stop = fault_named("429 with a day");
    let fake = Fake::start(move |seen| match script(seen) {
        Reply::Text(text) if seen.key == call.key() && seen.times == 1 => stop.spoil(&text),
        right => right,
    });
    let ran = run(place, OPENAI, &fake, &["plan", "Export it", "--light"]);
    assert_eq!(ran.code, 5, "{call:?}: {ran:#?}");
    fake
}

fn strike(call: Call, wrong: Wrong) {
    let base_url = wrong.base_url();
    let place = place(OPENAI, Patience::Long);
    let fake = stopped_before(call, &place);
    for _ in 0..2 {
        let ran = place.run_at(OPENAI.provider, &base_url, &["resume"]);
        decent(&ran);
        let ran = ran.fails(5, &["aitc resume"]);
        assert!(ran.err.contains(wrong.says()), "{wrong:?}: {ran:#?}");
        assert_eq!(place.versions(), ["v1.draft"], "{wrong:?}");
    }
    let ran = run(&place, OPENAI, &fake, &["resume"]);
    decent(&ran);
    whole(&place, &ran, false);
    let failed = place.events("v1", "call_failed");
    let network = failed.iter().filter(|line| line["kind"] == "network");
    assert!(network.count() >= 4, "{wrong:?}: {failed:?}");
}

/// After a temporary fault a run completes without being resumed.
#[test]
fn an_endpoint_that_is_as_it_should_be_a_moment_later() {
    each(Wrong::ALL, true).for_each(|(call, wrong)| strike_once(call, wrong));
}

#[test]
#[ignore = "takes a minute"]
fn every_other_endpoint_that_is_as_it_should_be_a_moment_later() {
    each(Wrong::ALL, false).for_each(|(call, wrong)| strike_once(call, wrong));
}

fn strike_once(call: Call, wrong: Wrong) {
    if wrong == Wrong::UnknownHost && !has_own_names() {
        eprintln!(
            "skipped: {call:?} × a name that is known later; it needs `unshare --map-root-user \
             --mount` (sysctl kernel.unprivileged_userns_clone=1)"
        );
        return;
    }
    let place = Place::new();
    // The fault usually ends within the first of these delays.
    let limits = "limits:\n  max_failures: 9\n  retry_base_ms: 1000\n  retry_cap_ms: 4000\n";
    let ca_file = "providers:\n  openai:\n    ca_file: authority.pem\n";
    place.configure(&format!("{ca_file}{limits}"));
    let file = place.home().join(".config/aitc/authority.pem");
    std::fs::write(file, AUTHORITY).unwrap();
    let mut fake = stopped_before(call, &place);
    let before = network(&place, "v1.draft");
    let ran = match wrong {
        Wrong::Refused => refused_for_a_while(&place, &mut fake),
        Wrong::UnknownHost => unknown_for_a_while(&place, &fake),
        // The first connection requests the list of models, the second makes the call.
        Wrong::SelfSigned => {
            let url = strange_at_first(&fake, 2);
            Going::start(resume_at(&place, &url)).end()
        }
    };
    decent(&ran);
    whole(&place, &ran, false);
    let said = ran.err.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains(wrong.says()), "{wrong:?} {call:?}: {ran:#?}");
    assert!(
        network(&place, "v1") > before,
        "{wrong:?} {call:?}: it is on record"
    );
}

fn resume_at(place: &Place, base_url: &str) -> Command {
    place.command_at(OPENAI.provider, base_url, &["resume"])
}

/// Number of calls with a network failure in the transcript.
fn network(place: &Place, version: &str) -> usize {
    let failed = place.events(version, "call_failed");
    failed
        .iter()
        .filter(|line| line["kind"] == "network")
        .count()
}

/// Calls `mend` after the first failed call and waits for the end.
fn mended(place: &Place, command: Command, mend: impl FnOnce()) -> Ran {
    let before = network(place, "v1.draft");
    let going = Going::start(command);
    wait_until("a call that fails", || network(place, "v1.draft") > before);
    mend();
    going.end()
}

/// The address refuses connections until the server listens there again.
fn refused_for_a_while(place: &Place, fake: &mut Fake) -> Ran {
    let command = resume_at(place, &fake.base_url());
    fake.closes();
    mended(place, command, || fake.opens())
}

/// The host's name is added to the run's own `/etc/hosts` later.
fn unknown_for_a_while(place: &Place, fake: &Fake) -> Ran {
    let hosts = place.home().join("hosts");
    std::fs::write(&hosts, "127.0.0.1 localhost\n").unwrap();
    let base_url = format!("http://a-new-name.test:{}/v1", fake.port());
    let inner = resume_at(place, &base_url);
    let mut command = Command::new("unshare");
    command
        .args(["--map-root-user", "--mount", "sh", "-c"])
        .arg(r#"mount --bind "$0" /etc/hosts && exec "$@""#)
        .arg(&hosts)
        .arg(inner.get_program())
        .args(inner.get_args())
        .env_clear()
        .envs(
            inner
                .get_envs()
                .filter_map(|(name, value)| Some((name, value?))),
        )
        .current_dir(place.work());
    mended(place, command, || {
        // The file is bind-mounted, so it must be overwritten rather than replaced.
        std::fs::write(&hosts, "127.0.0.1 localhost a-new-name.test\n").unwrap();
    })
}

/// Whether a process may have its own `/etc/hosts` here.
fn has_own_names() -> bool {
    let mut command = Command::new("unshare");
    command.args([
        "--map-root-user",
        "--mount",
        "sh",
        "-c",
        "mount --bind /etc/hosts /etc/hosts",
    ]);
    let tried = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
    tried.is_ok_and(|status| status.success())
}
