//! Three rounds against a server that takes 50 ms a call: what the tool adds to the wait.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use aitc::config::ProviderSettings;
use aitc::driver::{Outcome, Ports, Session};
use aitc::edge::clock::SystemClock;
use aitc::edge::knowledge::{InquiryResult, SearchResult};
use aitc::edge::model::backoff::Backoff;
use aitc::edge::model::{ChatModel, Dialect, Remote, RemoteConfig, Route, Timeouts};
use aitc::edge::ports::Observer;
use aitc::edge::store::Outputs;
use aitc::machine::{Entry, Event, Inputs, State};

use crate::bench::Bench;
use crate::disk::TimedFs;
use crate::fake::Fake;
use crate::{REQUIREMENT, ms, run, server};

pub const LATENCY: Duration = Duration::from_millis(50);
/// Consecutive calls, each needing the reply of the one before: initial judgment, three rounds of
/// five speeches and a summary, three layers of documents, report.
const CRITICAL: u32 = 1 + 3 * 6 + 3 + 1;

/// Runs the driver in this process, because syncs can be counted and timed only here; the server
/// runs on a thread of its own.
pub fn measure() {
    for _ in 0..3 {
        once();
    }
}

fn once() {
    let fake = server(3, LATENCY);
    let mut watch = Stopwatch::default();
    let begun = Instant::now();
    let fs = hold(&fake, |_| {}, &mut watch);
    let ended = Instant::now();
    let calls: usize = fake.counts().values().sum();
    assert_eq!(calls, 1 + 3 * 6 + 5 + 1, "{:?}", fake.counts());
    let published = watch.published.unwrap();
    let (syncs, waited) = fs.syncs();
    let wall = published - begun;
    let own = wall - waited;
    let critical = LATENCY * CRITICAL;
    println!(
        "50 ms a call, 3 rounds: {:.0} ms less {syncs} syncs of {:.2} ms are {:.0} ms, {:+.1} % on the critical path of {:.0} ms; publishing {:.0} ms more",
        ms(wall),
        ms(waited) / f64::from(syncs),
        ms(own),
        (ms(own) / ms(critical) - 1.0) * 100.0,
        ms(critical),
        ms(ended - published),
    );
}

/// Runs a whole workshop against `fake` in this process; its syncs are timed.
pub fn hold(fake: &Fake, change: impl FnOnce(&mut Inputs), watch: &mut dyn Observer) -> TimedFs {
    let folder = tempfile::tempdir().unwrap();
    let fs = TimedFs::default();
    let model = Remote::new(RemoteConfig {
        dialect: Dialect::OpenAi,
        base_url: fake.base_url(),
        api_key: None,
        timeouts: Timeouts::default(),
        route: Route::default(),
        habits: ProviderSettings::default(),
        name: "team".to_owned(),
    })
    .unwrap();
    let models = BTreeMap::from([("team".to_owned(), Arc::new(model) as Arc<dyn ChatModel>)]);
    let outputs = Outputs::at(Arc::new(fs.clone()), folder.path());
    let draft = outputs.reserve().unwrap();
    let mut inputs = Inputs {
        version: draft.version(),
        ..run::inputs(folder.path())
    };
    change(&mut inputs);
    let first = Event::UserInput {
        content: REQUIREMENT.to_owned(),
        run_id: "0190c0de-0000-7000-8000-000000000001".to_owned(),
        inputs: Box::new(inputs),
        from: None,
        feedback: Vec::new(),
    };
    let (_keep, interrupt) = tokio::sync::watch::channel(None);
    let mut ports = Ports {
        clock: &SystemClock::new(),
        models: &models,
        embeddings: None,
        human: &mut run::Nobody,
        observer: watch,
        survey: &|_, _| Some(SearchResult::default()),
        inquire: &|_, _, _| Some(InquiryResult::default()),
        look: &|_, _| Vec::new(),
        trials: Arc::new(Bench::off()),
        verify: &|_, _| Vec::new(),
        tree: &aitc::check::paths_alone(|_| true),
        redact: &str::to_owned,
        backoff: Backoff::default(),
        stays_draft: false,
        interrupt,
    };
    // The same runtime as the program's.
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let outcome = runtime.block_on(async {
        let session = Session::begin(Arc::new(fs.clone()), draft, first, &ports).unwrap();
        session.run(&mut ports).await.unwrap()
    });
    assert!(matches!(outcome, Outcome::Published { .. }), "{outcome:?}");
    fs
}

/// Time at which the last line of the journal was on disk.
#[derive(Default)]
struct Stopwatch {
    published: Option<Instant>,
}

impl Observer for Stopwatch {
    fn entry(&mut self, _state: &State, entry: &Entry) {
        if matches!(entry.event, Event::Published { .. }) {
            self.published = Some(Instant::now());
        }
    }

    fn notice(&mut self, _text: &aitc::fault::Message) {}
}
