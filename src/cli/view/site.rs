//! The pages and their addresses.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::extract::{Path, State as Shared};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::sse::{Event as SentEvent, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Router, response::Html};
use futures_util::stream::{self, Stream, StreamExt as _};
use serde_json::json;

use super::watch::Watch;
use crate::artifact;
use crate::cli::threads::{self, Plan};
use crate::cli::{Context, Fault, diff, internal, versions};
use crate::edge::clock::SystemClock;
use crate::edge::locked;
use crate::edge::ports::Clock as _;
use crate::fault::Exit;
use crate::machine::{Format, Lang, Stage, State, StopReason, Version};
use crate::page::{self, ListedRun, PageTarget};
use crate::ui::view::VersionLine;

/// Interval at which a transcript is read.
const LOOK: Duration = Duration::from_millis(200);
/// How long a state is shared among all who watch a run, in milliseconds.
const SHARED_MS: u64 = 100;
/// Number of reads after which the lock is checked again.
const LOOKS_AT_LOCK: u32 = 5;
/// Maximum number of pieces on one page of a talk.
const ON_A_PAGE: usize = 300;
/// Number of events read for a page about older events.
const PAST: u64 = 600;

/// A workspace as pages.
#[derive(Clone)]
pub struct Site {
    pub(super) context: Arc<Context>,
    pub(super) lang: Lang,
    clock: Arc<SystemClock>,
    watched: Arc<Mutex<BTreeMap<Version, Arc<Mutex<Watch>>>>>,
}

impl Site {
    /// Creates the site of a workspace; notices about messages to runs are shown on the page, not
    /// here.
    pub fn of(context: &Context) -> Self {
        let mut context = context.clone();
        context.global.quiet = true;
        Self {
            lang: context.lang(None),
            context: Arc::new(context),
            clock: Arc::default(),
            watched: Arc::default(),
        }
    }

    /// Returns all routes, with those of the buttons.
    pub fn routes(self, buttons: Router<Self>) -> Router {
        let text = |kind, text: &'static str| move || async move { ([(CONTENT_TYPE, kind)], text) };
        Router::new()
            .route("/", get(home))
            .route("/style.css", get(text("text/css", page::STYLE)))
            .route("/page.js", get(text("text/javascript", page::SCRIPT)))
            .route("/events/{after}/{*run}", get(events))
            .route("/compare/{older}/{*newer}", get(compare))
            .route(
                "/review.js",
                get(text("text/javascript", page::REVIEW_SCRIPT)),
            )
            .merge(buttons)
            .fallback(get(of_run))
            .with_state(self)
    }

    /// Runs `work` with the current state of a run.
    ///
    /// # Errors
    /// The run cannot be read, or as `work`.
    pub fn with<T>(
        &self,
        version: Version,
        work: impl FnOnce(&Watch, &State) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        self.as_of(version, 0, work)
    }

    /// The same, with a state that is at most `ago` milliseconds old.
    fn as_of<T>(
        &self,
        version: Version,
        ago: u64,
        work: impl FnOnce(&Watch, &State) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let watch = {
            let mut watched = locked(&self.watched);
            let made = || Arc::new(Mutex::new(Watch::of(version, None, self.lang)));
            Arc::clone(watched.entry(version).or_insert_with(made))
        };
        let mut watch = locked(&watch);
        let now = self.clock.monotonic_ms();
        let is_known = watch.read_at.is_some_and(|read| now < read + ago);
        if !is_known && let Err(fault) = watch.refresh(&self.context) {
            // The state of a removed or damaged run is of no use any more.
            locked(&self.watched).remove(&version);
            return Err(fault);
        }
        if !is_known {
            watch.read_at = Some(now);
        }
        match watch.state() {
            Some(state) => work(&watch, state),
            None => Err(versions::missing(Some(version), &[])),
        }
    }

    fn is_alive(&self, version: Version) -> bool {
        // If locks cannot be checked, no process is known to work on it.
        versions::is_running(version, &self.context).unwrap_or(false)
    }
}

/// Creates a response on a thread that may read files, apart from the connections.
pub(super) async fn apart<T: IntoResponse + Send + 'static>(
    site: Site,
    work: impl FnOnce(&Site) -> Result<T, Fault> + Send + 'static,
) -> Response {
    let lang = site.lang;
    let done = tokio::task::spawn_blocking(move || work(&site)).await;
    match done.unwrap_or_else(|error| Err(internal(&error.into()))) {
        Ok(made) => made.into_response(),
        Err(fault) => {
            let status = match fault.exit {
                Exit::Usage => StatusCode::NOT_FOUND,
                _ => StatusCode::INTERNAL_SERVER_ERROR,
            };
            (status, fault.text(lang)).into_response()
        }
    }
}

async fn home(Shared(site): Shared<Site>) -> Response {
    apart(site, |site| {
        let context = &*site.context;
        let mut versions = Vec::new();
        for found in versions::recorded(versions::find_all(context)?, context)? {
            let run = found.version.to_string();
            let draft = found.draft;
            // A damaged version is still listed; its own page shows the error.
            versions.push(match versions::read(found, context) {
                Ok(opened) => {
                    let line = VersionLine::of(&opened.state, draft, &opened.path, &[]);
                    let state = match line.stop {
                        _ if draft => "draft",
                        Some(StopReason::Consensus) if line.format == Format::Team => "complete",
                        Some(StopReason::Consensus) => "agreed",
                        _ => "unresolved",
                    };
                    ListedRun {
                        run,
                        about: line.title,
                        draft,
                        state,
                    }
                }
                Err(fault) => ListedRun {
                    run,
                    about: fault.what().of(site.lang).to_owned(),
                    draft,
                    state: "unresolved",
                },
            });
        }
        versions.reverse();
        let folder = context.root.display().to_string();
        page::home(&versions, &folder, site.lang).map(Html)
    })
    .await
}

/// `/v1`, `/team/v1`, `/v1/talk`, `/v1/talk/120`.
async fn of_run(Shared(site): Shared<Site>, uri: Uri) -> Response {
    let path = uri.path().trim_start_matches('/').to_owned();
    let (run, talk) = match path.split_once("/talk") {
        Some((run, rest)) => (run.to_owned(), Some(rest.to_owned())),
        None => (path, None),
    };
    let before = match talk.as_deref() {
        None | Some("") => Some(u64::MAX),
        Some(rest) => rest.strip_prefix('/').and_then(|n| n.parse().ok()),
    };
    let (Some(version), Some(before)) = (parse_version(&run), before) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    apart(site, move |site| {
        let alive = site.is_alive(version);
        site.with(version, |watch, state| {
            // Only plans are compared.
            let plan = state
                .task
                .previous
                .as_ref()
                .filter(|_| version.format.is_workshop());
            let place = PageTarget::Served(plan.map(|previous| previous.version));
            if talk.is_none() {
                let files = artifact::render(state)?;
                let review = review(site, version, state)?;
                return page::whole(state, &files, review.as_ref(), place, site.lang).map(Html);
            }
            // Older events are read again, because they are not kept.
            let mut past = Watch::of(version, Some(before.saturating_sub(PAST)), site.lang);
            let is_past = before != u64::MAX;
            if is_past {
                past.refresh(&site.context)?;
            }
            let watch = if is_past { &past } else { watch };
            let all = watch.pieces(0);
            let end = all.partition_point(|(seq, _)| *seq <= before);
            let start = end.saturating_sub(ON_A_PAGE);
            let earlier = match start {
                0 => watch
                    .has_earlier()
                    .then(|| all.first().map_or(0, |(seq, _)| seq - 1)),
                n => Some(all[n - 1].0),
            };
            let pieces: Vec<&str> = all[start..end].iter().map(|(_, html)| &**html).collect();
            let now = watch.now(state, alive);
            page::talk(state, &pieces, earlier, &now, (place, site.lang), !is_past).map(Html)
        })
    })
    .await
}

/// Returns threads and approvals of a version for its page; `None` for a draft, which is not
/// reviewed yet.
///
/// # Errors
/// There is no such version.
pub fn review(
    site: &Site,
    version: Version,
    state: &State,
) -> Result<Option<page::ReviewFiles>, Fault> {
    let found = versions::find(Some(version), &site.context)?;
    if found.draft || !version.format.is_workshop() {
        return Ok(None);
    }
    let plan = Plan {
        version,
        folder: &found.folder,
        state,
    };
    Ok(Some(threads::review(plan, &site.context)))
}

/// Returns the version of exactly that name.
pub(super) fn parse_version(name: &str) -> Option<Version> {
    let version: Version = name.parse().ok()?;
    (version.to_string() == name).then_some(version)
}

async fn compare(
    Shared(site): Shared<Site>,
    Path((older, newer)): Path<(String, String)>,
) -> Response {
    // The older one is of the same series, and named by its number.
    let (Some(older), Some(newer)) = (parse_version(&older), parse_version(&newer)) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let older = match newer.series {
        Some(_) => newer.sibling(older.number),
        None => older,
    };
    apart(site, move |site| {
        let plan = |version| versions::open_plan(Some(version), &site.context);
        let (older, newer) = (plan(older)?, plan(newer)?);
        let diff = diff::between(&older, &newer, &site.context);
        page::compare(&newer.state, &diff, site.lang).map(Html)
    })
    .await
}

/// What one browser has received of a run.
struct BrowserFeed {
    site: Site,
    version: Version,
    /// Number of the last event it was sent.
    after: u64,
    looks: u32,
    alive: bool,
    /// Number of the last event of the last `now` message, and whether a process worked on the run
    /// then.
    now: Option<(u64, bool)>,
    /// The streamed words it was last sent.
    saying: Option<String>,
    ended: bool,
}

/// Streams the events of a run from a given one on.
async fn events(
    Shared(site): Shared<Site>,
    Path((after, run)): Path<(u64, String)>,
    headers: HeaderMap,
) -> Response {
    let Some(version) = parse_version(&run) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    // A reconnecting browser names the last event it received.
    let last = headers
        .get("last-event-id")
        .and_then(|id| id.to_str().ok()?.parse().ok());
    let seen = BrowserFeed {
        after: last.unwrap_or(after),
        site,
        version,
        looks: 0,
        alive: false,
        now: None,
        saying: None,
        ended: false,
    };
    Sse::new(event_stream(seen))
        .keep_alive(KeepAlive::default())
        .into_response()
}

fn event_stream(seen: BrowserFeed) -> impl Stream<Item = Result<SentEvent, Infallible>> {
    let batches = stream::unfold(seen, |mut seen| async move {
        if seen.ended {
            return None;
        }
        if seen.looks > 0 {
            tokio::time::sleep(LOOK).await;
        }
        let looked = tokio::task::spawn_blocking(move || {
            let events = seen.look();
            (events, seen)
        });
        looked.await.ok()
    });
    batches.flat_map(|events| stream::iter(events.into_iter().map(Ok)))
}

impl BrowserFeed {
    /// Returns what is new for this browser. If the run cannot be read, the stream ends, and the
    /// browser reconnects by itself.
    fn look(&mut self) -> Vec<SentEvent> {
        if self.looks.is_multiple_of(LOOKS_AT_LOCK) {
            self.alive = self.site.is_alive(self.version);
        }
        self.looks += 1;
        let (site, version, after, alive) =
            (self.site.clone(), self.version, self.after, self.alive);
        let told = self.now;
        // The state is read once for all who watch the run.
        let looked = site.as_of(version, SHARED_MS, |watch, state| {
            let is_new = told != Some((state.run.seq, alive));
            let now = is_new.then(|| -> Result<_, Fault> {
                Ok(json!({
                    "board": page::board(state, &watch.now(state, alive), site.lang)?,
                    "ask": page::asked(state, site.lang)?,
                    "over": state.stage >= Stage::Complete,
                }))
            });
            let new = watch.pieces(after).to_vec();
            Ok((
                new,
                now.transpose()?,
                watch.now(state, alive).saying.to_owned(),
                state.run.seq,
                state.stage == Stage::Published,
            ))
        });
        let Ok((new, now, saying, seq, published)) = looked else {
            self.ended = true;
            return Vec::new();
        };
        let mut events = Vec::new();
        for (seq, html) in new {
            self.after = seq;
            let html = json!(html).to_string();
            events.push(
                SentEvent::default()
                    .event("piece")
                    .id(seq.to_string())
                    .data(html),
            );
        }
        if self.saying.as_ref() != Some(&saying) {
            let html = json!(saying).to_string();
            events.push(SentEvent::default().event("saying").data(html));
            self.saying = Some(saying);
        }
        if let Some(now) = now {
            events.push(SentEvent::default().event("now").data(now.to_string()));
            self.now = Some((seq, alive));
        }
        if published {
            events.push(SentEvent::default().event("end").data("{}"));
            self.ended = true;
        }
        events
    }
}
