//! A whole run with the real driver, a scripted model and any file system.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use aitc::driver::{Interrupted, Outcome, Ports, Replay, Session};
use aitc::edge::BoxFuture;
use aitc::edge::assets;
use aitc::edge::fs::{Fs, RealFs};
use aitc::edge::journal;
use aitc::edge::knowledge::{InquiryResult, SearchResult};
use aitc::edge::model::ChatModel;
use aitc::edge::model::backoff::Backoff;
use aitc::edge::ports::{Clock, Human, Observer, UserAnswer};
use aitc::edge::store::Outputs;
use aitc::fault::Fault;
use aitc::fault::Message;
use aitc::machine::*;

use super::bench::Bench;
use super::meeting;
use super::search::{self, found_for, survey};

/// A clock that advances by a millisecond with each reading.
#[derive(Default)]
pub struct Ticks(std::sync::atomic::AtomicU64);

impl Clock for Ticks {
    fn timestamp(&self) -> String {
        "2026-01-02T03:04:05.000Z".to_owned()
    }

    fn monotonic_ms(&self) -> u64 {
        self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed)
    }
}

/// A user who never answers.
pub struct Nobody;

impl Human for Nobody {
    fn ask<'a>(
        &'a mut self,
        _state: &'a State,
        _questions: &'a [&'a Question],
    ) -> BoxFuture<'a, Result<Vec<UserAnswer>, String>> {
        Box::pin(async { Ok(Vec::new()) })
    }
}

/// Stores everything that is shown.
#[derive(Default)]
pub struct Notebook {
    pub entries: Vec<Entry>,
    pub notices: Vec<String>,
}

impl Observer for Notebook {
    fn entry(&mut self, _state: &State, entry: &Entry) {
        self.entries.push(entry.clone());
    }

    fn notice(&mut self, text: &Message) {
        self.notices.push(text.en.clone());
    }
}

/// Inputs with the built-in templates and the model `team`.
pub fn inputs(workspace: &Path) -> Inputs {
    let assets = assets::load(workspace, Lang::En, None).unwrap();
    let mut inputs = meeting::inputs();
    inputs.roles = assets.roles;
    inputs.templates = assets.templates;
    inputs.questions = QuestionMode::Assume;
    inputs
}

/// Starts a run in `workspace`, or resumes its only draft, and continues as far as possible.
pub fn hold<M: ChatModel + 'static>(
    fs: Arc<dyn Fs>,
    workspace: &Path,
    inputs: &Inputs,
    team: &Arc<M>,
) -> Result<Outcome, Fault> {
    hold_with(fs, workspace, inputs, team, &Ticks::default())
}

/// As [`hold`], with another clock.
pub fn hold_with<M: ChatModel + 'static>(
    fs: Arc<dyn Fs>,
    workspace: &Path,
    inputs: &Inputs,
    team: &Arc<M>,
    clock: &dyn Clock,
) -> Result<Outcome, Fault> {
    hold_before(fs, workspace, inputs, team, clock, &mut Nobody)
}

/// As [`hold_with`], with a user.
pub fn hold_before<M: ChatModel + 'static>(
    fs: Arc<dyn Fs>,
    workspace: &Path,
    inputs: &Inputs,
    team: &Arc<M>,
    clock: &dyn Clock,
    human: &mut dyn Human,
) -> Result<Outcome, Fault> {
    let seen_by = (human, &mut Notebook::default());
    let trials = (None, Arc::new(Bench::off()));
    hold_to(fs, workspace, inputs, team, clock, seen_by, trials)
}

/// As [`hold_before`], and stores what is shown.
pub fn hold_shown<M: ChatModel + 'static>(
    fs: Arc<dyn Fs>,
    workspace: &Path,
    inputs: &Inputs,
    team: &Arc<M>,
    human: &mut dyn Human,
    shown: &mut Notebook,
) -> Result<Outcome, Fault> {
    let (clock, trials) = (Ticks::default(), (None, Arc::new(Bench::off())));
    hold_to(fs, workspace, inputs, team, &clock, (human, shown), trials)
}

/// As [`hold`], with trials.
pub fn hold_trying<M: ChatModel + 'static>(
    fs: Arc<dyn Fs>,
    workspace: &Path,
    inputs: &Inputs,
    team: &Arc<M>,
    human: &mut dyn Human,
    trials: Arc<Bench>,
) -> Result<Outcome, Fault> {
    let clock = Ticks::default();
    let (nobody, trials) = ((human, &mut Notebook::default()), (None, trials));
    hold_to(fs, workspace, inputs, team, &clock, nobody, trials)
}

/// The search that Ctrl-C interrupts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum During {
    /// The search at the start.
    Survey,
    /// An inquiry for a member's question.
    Inquiry,
}

/// As [`hold`], with Ctrl-C during a search, if one is given.
pub fn hold_signalled<M: ChatModel + 'static>(
    fs: Arc<dyn Fs>,
    workspace: &Path,
    inputs: &Inputs,
    team: &Arc<M>,
    signal: Option<During>,
) -> Result<Outcome, Fault> {
    let clock = Ticks::default();
    let nobody = (&mut Nobody as &mut dyn Human, &mut Notebook::default());
    hold_to(
        fs,
        workspace,
        inputs,
        team,
        &clock,
        nobody,
        (signal, Arc::new(Bench::off())),
    )
}

/// The result of the search at the start.
fn searched(_: &State, stop: Interrupted<'_>) -> Option<SearchResult> {
    (!stop()).then(|| SearchResult {
        survey: survey(),
        ..SearchResult::default()
    })
}

/// The result of an inquiry: the same single place for each topic.
fn inquired(_: &State, raised: &[Inquiry<'_>], stop: Interrupted<'_>) -> Option<InquiryResult> {
    (!stop()).then(|| InquiryResult {
        files: 3,
        looked: raised.iter().map(found_for).collect(),
    })
}

fn hold_to<M: ChatModel + 'static>(
    fs: Arc<dyn Fs>,
    workspace: &Path,
    inputs: &Inputs,
    team: &Arc<M>,
    clock: &dyn Clock,
    (human, observer): (&mut dyn Human, &mut Notebook),
    (signal, trials): (Option<During>, Arc<Bench>),
) -> Result<Outcome, Fault> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let models = BTreeMap::from([("team".to_owned(), Arc::clone(team) as Arc<dyn ChatModel>)]);
        let (tell, interrupt) = tokio::sync::watch::channel(None);
        let comes = |during| {
            if signal == Some(during) {
                tell.send_replace(Some(2));
            }
        };
        let mut ports = Ports {
            stays_draft: false,
            clock,
            models: &models,
            embeddings: None,
            human,
            observer,
            survey: &|state, stop| {
                comes(During::Survey);
                searched(state, stop)
            },
            inquire: &|state, questions, stop| {
                comes(During::Inquiry);
                inquired(state, questions, stop)
            },
            look: &search::looked,
            trials,
            verify: &search::verified,
            tree: &aitc::check::paths_alone(|_| false),
            redact: &str::to_owned,
            // Tests do not wait between attempts.
            backoff: Backoff {
                base: Duration::ZERO,
                cap: Duration::ZERO,
                ..Backoff::default()
            },
            interrupt,
        };
        let outputs = Outputs::at(Arc::clone(&fs), workspace);
        let session = match outputs.drafts()?.last().copied() {
            Some(n) => {
                let draft = outputs.open_draft(n)?;
                let recorded = std::fs::read(draft.transcript_path());
                if recorded.is_ok_and(|bytes| bytes.contains(&b'\n')) {
                    Session::resume(Arc::clone(&fs), draft, "0.0.0", (Vec::new(), None), &ports)?.0
                } else {
                    // Nothing was recorded, so the number becomes free.
                    std::fs::remove_dir_all(outputs.draft_dir(n)).unwrap();
                    begin(fs, &outputs, inputs, &ports)?
                }
            }
            None => begin(fs, &outputs, inputs, &ports)?,
        };
        session.run(&mut ports).await
    })
}

fn begin(
    fs: Arc<dyn Fs>,
    outputs: &Outputs,
    inputs: &Inputs,
    ports: &Ports<'_>,
) -> Result<Box<Session>, Fault> {
    let draft = outputs.reserve()?;
    let inputs = Inputs {
        version: draft.version(),
        ..inputs.clone()
    };
    let from = previous(outputs)?;
    let feedback = from.as_ref().map(|from| {
        let points = "Use tabs.\nName the file.";
        split_feedback(points, &from.counters)
    });
    let first = Event::UserInput {
        content: "two things".to_owned(),
        run_id: "0190c0de-0000-7000-8000-000000000001".to_owned(),
        inputs: Box::new(inputs),
        from: from.map(Box::new),
        feedback: feedback.unwrap_or_default(),
    };
    Session::begin(fs, draft, first, ports)
}

/// Replays a transcript; `each` gets every entry after the first, with the states before and after
/// it.
pub fn replay(transcript: &Path, mut each: impl FnMut(&State, &Entry, &State)) -> State {
    let mut state: Option<State> = None;
    journal::read(&RealFs, transcript, &mut |entry| {
        let Some(before) = state.take() else {
            state = State::open(&entry);
            return Ok(());
        };
        let mut after = before.clone();
        after.apply(&entry).map_err(|why| why.to_string())?;
        each(&before, &entry, &after);
        state = Some(after);
        Ok(())
    })
    .unwrap();
    state.unwrap()
}

/// What a revision takes over from the latest version.
fn previous(outputs: &Outputs) -> Result<Option<PreviousVersion>, Fault> {
    let Some(last) = outputs.versions()?.pop() else {
        return Ok(None);
    };
    let path = outputs.version_dir(last).join("planning_transcript.jsonl");
    let mut replay = Replay::default();
    let mut take = |entry| replay.apply(&entry);
    journal::read(&RealFs, &path, &mut take).unwrap();
    let (_, head) = journal::chain_head(&RealFs, &path).unwrap();
    Ok(Some(PreviousVersion::of(&replay.state.unwrap(), &head)))
}
