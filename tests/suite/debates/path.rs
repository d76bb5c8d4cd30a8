//! Between two consecutive calls there is one sync, and no file is written except the last speech.

use std::sync::{Arc, Mutex};

use aitc::chat::ChatRequest;
use aitc::edge::fs::Fs;
use aitc::edge::model::{Answering, ChatModel};
use aitc::machine::{CallId, DebatePart, Purpose};

use crate::support::fault::{Fault, FaultFs};
use crate::support::run::{hold, inputs};
use crate::support::team::Team;

/// A team that answers only after all concurrent calls have arrived. It records how many file
/// operations preceded each call.
struct Watching {
    team: Team,
    fs: FaultFs,
    asked: Mutex<Vec<(CallId, usize)>>,
}

impl ChatModel for Watching {
    fn chat<'a>(&'a self, request: &'a ChatRequest) -> Answering<'a> {
        Box::pin(async move {
            let now = (request.call.clone(), self.fs.operations());
            self.asked.lock().unwrap().push(now);
            tokio::task::yield_now().await;
            self.team.chat(request).await
        })
    }
}

/// Each call of a run with a review by four members, and the file operations since the previous
/// call.
fn asked() -> Vec<(CallId, Vec<&'static str>)> {
    let folder = tempfile::tempdir().unwrap();
    let fs = FaultFs::new(Fault::None).without_syncs();
    let watching = Arc::new(Watching {
        team: Team::divided(),
        fs: fs.clone(),
        asked: Mutex::default(),
    });
    let mut inputs = inputs(folder.path());
    inputs.roles.members.truncate(4);
    inputs.rules.limits.debates.review = true;
    let shared: Arc<dyn Fs> = Arc::new(fs.clone());
    hold(shared, folder.path(), &inputs, &watching).unwrap();
    let log = fs.log();
    let asked = watching.asked.lock().unwrap().clone();
    let mut from = 0;
    let between = asked.into_iter().map(|(call, to)| {
        let did = log[from..to].to_vec();
        from = to;
        (call, did)
    });
    between.collect()
}

fn count(did: &[&str], name: &str) -> usize {
    did.iter().filter(|did| **did == name).count()
}

/// Operations after the last sync.
fn after_sync<'d>(did: &'d [&'d str]) -> &'d [&'d str] {
    let last = did.iter().rposition(|did| *did == "sync");
    last.map_or(did, |last| &did[last + 1..])
}

#[test]
fn a_debate_waits_for_one_sync_a_step_and_for_no_file() {
    let asked = asked();
    let is_debate = |call: &CallId| matches!(call.purpose, Purpose::Debate(_));
    let opening = asked.iter().position(|(call, _)| is_debate(call)).unwrap();
    let rest = &asked[opening + 1..];
    let speech = rest.iter().position(|(call, _)| !is_debate(call)).unwrap();
    // Two rounds of four arguments and a summary, the ruling, and the call that follows it.
    let steps: Vec<usize> = rest[..=speech]
        .iter()
        .map(|(_, did)| count(did, "sync"))
        .filter(|syncs| *syncs > 0)
        .collect();
    assert_eq!(steps, [1; 6]);
    for (call, did) in &rest[..speech] {
        assert_eq!(count(after_sync(did), "write_new"), 0, "{call}: {did:?}");
    }
    let argued = |(call, _): &&(CallId, _)| call.purpose == Purpose::Debate(DebatePart::Argument);
    assert_eq!(rest[..speech].iter().filter(argued).count(), 8);
}

#[test]
fn a_speech_lies_in_its_file_before_the_next_member_is_asked() {
    let asked = asked();
    let is_speech = |call: &CallId| call.purpose == Purpose::Speech;
    let next: Vec<_> = asked
        .windows(2)
        .filter(|two| is_speech(&two[0].0) && is_speech(&two[1].0))
        .map(|two| &two[1])
        .collect();
    assert!(next.len() >= 2, "{asked:?}");
    for (call, did) in next {
        // Only the previous speech is written.
        assert_eq!(count(after_sync(did), "rename"), 1, "{call}: {did:?}");
    }
}
