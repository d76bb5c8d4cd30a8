//! What the page does to comments and approvals: the same functions as `aitc comment`,
//! `approve` and `revise`.

use axum::Router;
use axum::extract::{Json, State as Held};
use axum::response::Response;
use axum::routing::post;
use serde::Deserialize;
use serde_json::{Value, json};

use super::begin;
use super::site::{Site, named, told_by};
use crate::cli::text::texts;
use crate::cli::threads::{self, New, Plan};
use crate::cli::{CliError, versions};
use crate::fault::values;
use crate::machine::{State, Version};
use crate::page;
use crate::thread::{Reply, State as Done};

texts! {
    COMMENTED: "Thread {id}: {path}", "评论 {id}：{path}";
    APPROVED: "{n} approved by {by}", "{n} 已由 {by} 批准";
}

/// The routes, for a site.
pub fn routes() -> Router<Site> {
    Router::new()
        .route("/comment", post(comment))
        .route("/thread", post(thread))
        .route("/approve", post(approve))
        .route("/revise", post(revise))
}

/// Threads and approvals of a version as a part of its page; none of a draft, which is not
/// reviewed yet.
///
/// # Errors
/// There is no such version.
pub fn of(site: &Site, version: Version, state: &State) -> Result<Option<page::Review>, CliError> {
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

/// What a form sends.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Posted {
    /// The plan.
    run: String,
    /// The words.
    #[serde(default)]
    text: String,
    /// The item; empty for the plan as a whole.
    #[serde(default)]
    item: String,
    /// The words of the plan that were selected.
    #[serde(default)]
    quote: String,
    /// Whether it blocks.
    #[serde(default)]
    blocking: bool,
    /// The thread that is answered.
    #[serde(default)]
    thread: String,
    /// What is done to it.
    #[serde(default)]
    state: Option<Done>,
    /// Digest of the version as it was read.
    #[serde(default)]
    digest: String,
}

impl Posted {
    fn version(&self) -> Option<Version> {
        named(&self.run)
    }
}

async fn comment(site: Held<Site>, said: Json<Posted>) -> Response {
    changed(site, said, |version, said, site| {
        let new = New {
            item: Some(said.item),
            quote: Some(said.quote),
            text: said.text,
            blocking: said.blocking,
            author: None,
        };
        let shown = threads::add(Some(version), new, &site.context)?;
        Ok(written(shown.thread.id, &shown.path, site))
    })
    .await
}

async fn thread(site: Held<Site>, said: Json<Posted>) -> Response {
    changed(site, said, |version, said, site| {
        let reply = Reply {
            state: said.state,
            text: said.text,
            ..Reply::default()
        };
        let shown = threads::reply(Some(version), &said.thread, reply, &site.context)?;
        Ok(written(shown.thread.id, &shown.path, site))
    })
    .await
}

fn written(id: String, path: &str, site: &Site) -> (String, String) {
    let told = COMMENTED.with(site.lang, values![id, path]);
    (told, id)
}

async fn approve(site: Held<Site>, said: Json<Posted>) -> Response {
    changed(site, said, |version, said, site| {
        // Without the digest nobody knows what was read.
        let (note, digest) = (Some(&*said.text), Some(&*said.digest));
        let (opened, approval) =
            threads::approve(Some(version), None, note, digest, &site.context)?;
        let told = APPROVED.with(site.lang, values![n = opened.version, by = approval.by]);
        Ok((told, String::new()))
    })
    .await
}

/// The message about it, and the thread it was done to; none for an approval.
type Changed = Result<(String, String), CliError>;

/// Does it, and sends what the page shows of the review from now on.
async fn changed(
    Held(site): Held<Site>,
    Json(said): Json<Posted>,
    work: fn(Version, Posted, &Site) -> Changed,
) -> Response {
    told_by(site, move |site| {
        let version = said.version().ok_or_else(|| versions::missing(None, &[]))?;
        let (told, thread) = work(version, said, site)?;
        let html = site.with(version, |_, state| {
            let review = of(site, version, state)?.unwrap_or_default();
            page::threads(state, &review, site.lang)
        })?;
        Ok(json!({"told": told, "thread": thread, "html": html}))
    })
    .await
}

/// Revises a plan with the comments that are open on it, and the answers that `text` takes,
/// such as `2=b`.
async fn revise(Held(site): Held<Site>, Json(said): Json<Posted>) -> Response {
    told_by(site, move |site| -> Result<Value, CliError> {
        let version = said.version().ok_or_else(|| versions::missing(None, &[]))?;
        begin::revise(version, &said.text, &site.context)
    })
    .await
}
