//! `aitc diff`: compares versions by meaning.

use clap::Args;

use super::versions::{self, Opened};
use super::{Context, Exit, Fault};
use crate::check::{self, Diff};
use crate::fault::plans::VERSION_FIRST;
use crate::fault::values;
use crate::machine::Version;
use crate::ui::view;
use schemars::JsonSchema;
use serde::Serialize;

/// Compare two versions item by item
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  aitc diff v1 v2\n  aitc diff --exit-code --json")]
pub struct DiffArgs {
    /// The older version; default: the one before the newer
    #[arg(value_name = "vA")]
    older: Option<Version>,
    /// The newer version; default: the latest
    #[arg(value_name = "vB")]
    newer: Option<Version>,
    /// Exit with code 12 if something changed
    #[arg(long)]
    exit_code: bool,
}

/// `aitc diff --json`.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DiffDocument<'a> {
    /// The difference.
    diff: &'a Diff,
}

impl DiffArgs {
    /// To compare these two.
    pub fn between(older: u32, newer: u32) -> Self {
        Self {
            older: Some(Version::plan(older)),
            newer: Some(Version::plan(newer)),
            exit_code: false,
        }
    }
}

/// Prints what changed on stdout.
pub fn run(args: &DiffArgs, context: &Context) -> Result<Exit, Fault> {
    let newer = versions::open_plan(args.newer, context)?;
    let revised = newer
        .state
        .task
        .previous
        .as_ref()
        .map(|previous| newer.version.sibling(previous.version));
    // If the latest version alone is named, it is meant as the newer one.
    let is_other = |older: &Version| args.newer.is_some() || *older != newer.version;
    // The version it revises, else the previous one.
    let before = match args.older.filter(is_other).or(revised) {
        Some(n) => n,
        None => earlier(&newer, context)?,
    };
    let older = versions::open_plan(Some(before), context)?;
    let diff = between(&older, &newer, context);
    let style = context.style_out(context.lang(None));
    let text = view::list("diff", &diff, &style);
    let text = context.hung(&text, style.lang);
    context.print(&text, &DiffDocument { diff: &diff })?;
    Ok(Exit::found(args.exit_code && !diff.is_empty()))
}

/// Returns the difference between two plans.
pub fn between(older: &Opened, newer: &Opened, context: &Context) -> Diff {
    match leads_to(newer, older, context) || leads_to(older, newer, context) {
        true => check::diff_of_one_line(&older.state, &newer.state),
        false => check::diff(&older.state, &newer.state),
    }
}

/// Returns whether `version` descends from `base` by revisions. A version on the way that is
/// missing ends the search.
fn leads_to(version: &Opened, base: &Opened, context: &Context) -> bool {
    let mut previous = version.state.task.previous.clone();
    while let Some(one) = previous {
        if one.run_id == base.state.run.id {
            return true;
        }
        // The numbers decrease, so this ends whatever a file says.
        let before = versions::open_plan(Some(version.version.sibling(one.version)), context)
            .ok()
            .filter(|opened| opened.state.run.id == one.run_id);
        previous = before
            .and_then(|opened| opened.state.task.previous)
            .filter(|next| next.version < one.version);
    }
    false
}

/// Returns the latest plan before `newer`.
fn earlier(newer: &Opened, context: &Context) -> Result<Version, Fault> {
    let all = versions::recorded(versions::find_all(context)?, context)?;
    let before = all.into_iter().rev().find(|found| {
        let is_sibling = found.version.sibling(0) == newer.version.sibling(0);
        is_sibling && found.version < newer.version
    });
    before
        .map(|found| found.version)
        .ok_or_else(|| VERSION_FIRST.with(values![n = newer.version]))
}
