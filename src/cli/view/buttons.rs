//! The buttons of the page: each calls the function of the command of its name. A run is started or
//! resumed by a process of its own, so that closing the page loses nothing.

use std::time::Duration;

use axum::Router;
use axum::extract::{Json, State as Shared};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use axum::routing::{MethodRouter, post};
use serde::Deserialize;
use serde_json::{Value, json};

use super::site::{Site, apart, parse_version, review};
use crate::cli::order;
use crate::cli::run_flags::RunFlags;
use crate::cli::threads::{self, NewComment};
use crate::cli::{
    Context, Exit, Fault, answer, debate, detached, internal, message, requirement, revise, say,
    stop, versions,
};
use crate::edge::process::Launched;
use crate::fault::{texts, values};
use crate::machine::{QuestionId, Version};
use crate::page;
use crate::thread::{ThreadReply, ThreadStatus, ThreadView};

texts! {
    EXAMPLE: "aitc plan \"Export the customer list as CSV\"", "aitc plan \"将客户列表导出为 CSV\"";
    BEGUN: "{n} is under way", "{n} 已开始";
    ENDED: "it has ended already", "已经结束";
    COMMENTED: "Thread {id}: {path}", "评论 {id}：{path}";
    APPROVED: "{n} approved by {by}", "{n} 已由 {by} 批准";
}

/// Interval and number of checks whether the run continues.
const LOOK: Duration = Duration::from_millis(100);
const LOOKS: u32 = 70;

/// Returns the routes of the buttons.
pub fn routes() -> Router<Site> {
    Router::new()
        .route("/plan", post(planned))
        .route("/say", button(post_message))
        .route("/debate", button(start_debate))
        .route("/stop", button(stopped))
        .route("/answer", button(answered))
        .route("/resume", button(resumed))
        .route("/comment", button(commented))
        .route("/thread", button(replied))
        .route("/approve", button(approved))
        .route("/revise", button(revised))
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct PostedForm {
    /// The run; empty for a new one.
    run: String,
    /// Text of the message.
    text: String,
    /// The question that is answered.
    question: Option<QuestionId>,
    /// Whether the recommended answer is taken.
    recommended: bool,
    /// Whether no answer is given.
    declined: bool,
    /// The item of the plan; empty for the plan as a whole.
    item: String,
    /// The words of the plan that were selected.
    quote: String,
    /// Whether the comment blocks.
    blocking: bool,
    /// The thread that is answered.
    thread: String,
    /// What is done to it.
    state: Option<ThreadStatus>,
    /// Digest of the version as it was read.
    digest: String,
}

/// The message for the page, or the error.
type ButtonResult = Result<Value, Fault>;

/// Returns the route of a button for an existing run.
fn button(work: fn(Version, PostedForm, &Site) -> ButtonResult) -> MethodRouter<Site> {
    post(
        async move |Shared(site): Shared<Site>, Json(said): Json<PostedForm>| match parse_version(
            &said.run,
        ) {
            Some(run) => answer_of(site, move |site| work(run, said, site)).await,
            None => StatusCode::NOT_FOUND.into_response(),
        },
    )
}

async fn answer_of(
    site: Site,
    work: impl FnOnce(&Site) -> ButtonResult + Send + 'static,
) -> Response {
    let lang = site.lang;
    apart(site, move |site| {
        Ok(match work(site) {
            Ok(told) if told["wrong"] == true => (StatusCode::CONFLICT, Json(told)),
            Ok(told) => (StatusCode::OK, Json(told)),
            Err(fault) => {
                let told = fault.what().of(lang).to_owned();
                (StatusCode::CONFLICT, Json(json!({"told": told})))
            }
        })
    })
    .await
}

fn sent(told: message::SentMessage) -> Value {
    json!({"told": told.text})
}

fn post_message(run: Version, said: PostedForm, site: &Site) -> ButtonResult {
    say::deliver(Some(run), said.text, &site.context).map(sent)
}

fn start_debate(run: Version, said: PostedForm, site: &Site) -> ButtonResult {
    debate::ask(Some(run), &said.text, &site.context).map(sent)
}

fn stopped(run: Version, _: PostedForm, site: &Site) -> ButtonResult {
    stop::deliver(Some(run), &site.context).map(sent)
}

fn answered(run: Version, said: PostedForm, site: &Site) -> ButtonResult {
    let words = match (said.recommended, said.declined) {
        (true, _) => answer::GivenAnswer::Recommended,
        (_, true) => answer::GivenAnswer::Declined,
        _ => answer::GivenAnswer::Text(said.text),
    };
    answer::deliver(Some(run), said.question, &words, &site.context).map(sent)
}

fn commented(run: Version, said: PostedForm, site: &Site) -> ButtonResult {
    let new = NewComment {
        item: Some(said.item),
        quote: Some(said.quote),
        text: said.text,
        blocking: said.blocking,
        author: None,
    };
    threaded(run, threads::add(Some(run), new, &site.context)?, site)
}

fn replied(run: Version, said: PostedForm, site: &Site) -> ButtonResult {
    let reply = ThreadReply {
        state: said.state,
        text: said.text,
        ..ThreadReply::default()
    };
    let shown = threads::reply(Some(run), &said.thread, reply, &site.context)?;
    threaded(run, shown, site)
}

fn threaded(run: Version, shown: ThreadView, site: &Site) -> ButtonResult {
    let (id, path) = (shown.thread.id, shown.path);
    let told = COMMENTED.with(site.lang, values![id, path]);
    reviewed(run, told, &id, site)
}

fn approved(run: Version, said: PostedForm, site: &Site) -> ButtonResult {
    // The digest identifies what was read.
    let (note, digest) = (Some(&*said.text), Some(&*said.digest));
    let (opened, approval) = threads::approve(Some(run), None, note, digest, &site.context)?;
    let values = values![n = opened.version, by = approval.by];
    reviewed(run, APPROVED.with(site.lang, values), "", site)
}

/// Returns the message, the thread it is about, and the new review part of the page.
fn reviewed(run: Version, told: String, thread: &str, site: &Site) -> ButtonResult {
    let html = site.with(run, |_, state| {
        let review = review(site, run, state)?.unwrap_or_default();
        page::threads(state, &review, site.lang)
    })?;
    Ok(json!({"told": told, "thread": thread, "html": html}))
}

/// Revises a plan with its open comments, and the answers of “What you decide” that the text
/// chooses, such as `2=b`.
fn revised(run: Version, said: PostedForm, site: &Site) -> ButtonResult {
    let context = &site.context;
    let work = revise::taking(run, &said.text, context)?;
    resume(
        detached::begin(work, &RunFlags::default(), context)?,
        context,
    )
}

fn resumed(run: Version, _: PostedForm, site: &Site) -> ButtonResult {
    resume(run, &site.context)
}

/// Starts a plan, or what `@team` or `@board` at the beginning asks for.
async fn planned(Shared(site): Shared<Site>, Json(said): Json<PostedForm>) -> Response {
    answer_of(site, move |site| {
        let context = &site.context;
        let mut flags = RunFlags::default();
        let text = requirement::present(requirement::REQUIREMENT, said.text, EXAMPLE)?;
        let work = order::parse_task(text, &mut flags)?;
        match detached::begin(work, &flags, context) {
            Ok(run) => resume(run, context),
            Err(fault) => Ok(json!({"told": without_code(&fault.text(site.lang)), "wrong": true})),
        }
    })
    .await
}

/// Resumes a run that no process works on, and reports whether it continues.
fn resume(run: Version, context: &Context) -> ButtonResult {
    let mut launched = detached::take_up(run, context)?;
    let told = goes_on(&mut launched, run, context);
    launched.leave();
    told
}

/// Waits until the run continues or the process has ended, and reports which.
fn goes_on(launched: &mut Launched, run: Version, context: &Context) -> ButtonResult {
    let lang = context.lang(None);
    let page = format!("/{run}/talk");
    for _ in 0..LOOKS {
        if let Some((code, told)) = launched.ended().map_err(|error| internal(&error.into()))? {
            if code == Some(0) {
                return Ok(json!({"told": ENDED.of(lang), "go": page}));
            }
            let told = without_code(&told);
            // A run that waits for the user has not failed.
            let waits = code == Some(i32::from(Exit::UserNeeded.code()));
            return Ok(match waits {
                true => json!({"told": told, "go": page}),
                false => json!({"told": told, "wrong": true}),
            });
        }
        if versions::is_running(run, context)? {
            break;
        }
        std::thread::sleep(LOOK);
    }
    let told = BEGUN.with(lang, values![n = run]);
    Ok(json!({"told": told, "go": page}))
}

/// Returns an error without its code, which is of use in a terminal only.
fn without_code(error: &str) -> &str {
    error
        .split_once("]: ")
        .map_or(error, |(_, said)| said)
        .trim()
}
