//! A debate against a server that takes 50 ms a call: arguments are made concurrently.

use std::time::Instant;

use aitc::edge::ports::Observer;
use aitc::machine::{Entry, Event, Scope, State};

use crate::latency::{LATENCY, hold};
use crate::{ms, server};

/// Consecutive calls of a debate: opening, argument and summary twice, ruling.
const CRITICAL: u32 = 1 + 2 * 2 + 1;

/// Four members review the first issue list in two rounds.
pub fn measure() {
    for _ in 0..3 {
        once();
    }
}

fn once() {
    let fake = server(1, LATENCY);
    let mut watch = Stopwatch::default();
    let fs = hold(
        &fake,
        |inputs| {
            inputs.roles.members.truncate(4);
            inputs.rules.limits.debates.review = true;
        },
        &mut watch,
    );
    let debate: usize = fake
        .counts()
        .iter()
        .filter(|(key, _)| key.contains("/D-1"))
        .map(|(_, n)| n)
        .sum();
    assert_eq!(debate, 1 + 2 * (4 + 1) + 1, "{:?}", fake.counts());
    let wall = watch.resolved.unwrap() - watch.opened.unwrap();
    let (syncs, waited) = fs.syncs();
    let sync = ms(waited) / f64::from(syncs);
    let critical = ms(LATENCY * CRITICAL);
    println!(
        "50 ms a call, a debate of 4 in 2 rounds: {:.0} ms, {:.3} times its critical path of {critical:.0} ms; {} steps of one sync of {sync:.2} ms in it",
        ms(wall),
        ms(wall) / critical,
        watch.steps,
    );
}

/// Times at which the opening was requested and the ruling was on disk.
#[derive(Default)]
struct Stopwatch {
    opened: Option<Instant>,
    resolved: Option<Instant>,
    steps: u32,
}

impl Observer for Stopwatch {
    fn entry(&mut self, _state: &State, entry: &Entry) {
        match &entry.event {
            Event::CallStarted { call, .. } if call.scope != Scope::Root => {
                self.opened.get_or_insert_with(Instant::now);
            }
            Event::DebateResolved(_) => self.resolved = Some(Instant::now()),
            Event::ExpertArgument(_) | Event::DebateRoundSummary(_) | Event::DebateStarted(_) => {
                self.steps += 1;
            }
            _ => {}
        }
    }

    fn notice(&mut self, _text: &aitc::fault::Message) {}
}
