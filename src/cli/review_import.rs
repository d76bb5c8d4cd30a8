//! Imports review comments of a pull or merge request as threads.

use std::collections::BTreeMap;
use std::path::Path;

use super::threads;
use super::versions::{self, Opened};
use super::{Context, Fault};
use crate::check;
use crate::edge::fs::RealFs;
use crate::edge::safe_open::FileUse;
use crate::edge::threads::ReviewFolder;
use crate::fault::plans::COMMENTS_FOREIGN;
use crate::fault::{Text, values};
use crate::machine::{Version, shown};
use crate::thread::foreign::{self, RequestComment};
use crate::thread::{MAX_NAME, MAX_QUOTE, MAX_REPLIES, MAX_TEXT, Thread, ThreadReply, ThreadView};

/// How the file is read.
pub const KIND: FileUse = FileUse::Recorded;
const TOO_LARGE: Text = Text("it is larger than {most} MiB", "它超过 {most} MiB");

/// The result of an import.
pub struct ImportResult {
    /// The plan that is meant if a comment names none.
    pub version: Version,
    /// New threads.
    pub new: Vec<ThreadView>,
    /// Existing threads, each with the new replies.
    pub known: usize,
    /// Comments that are on no file of a published plan, or on another plan than the one named.
    pub other: usize,
}

/// Imports the comments of `json`, read from `file`, as threads of their plans.
///
/// # Errors
/// There are none, there is no such plan, or they cannot be written.
pub fn import(
    json: &str,
    file: &Path,
    version: Option<Version>,
    context: &Context,
) -> Result<ImportResult, Fault> {
    let foreign = |why: &dyn crate::fault::MessageValue| {
        COMMENTS_FOREIGN.with(values![path = file.display(), why])
    };
    if json.len() > KIND.most() {
        let most = KIND.most() >> 20;
        return Err(foreign(&TOO_LARGE.fill(values![most])));
    }
    let comments = foreign::comments(json).map_err(|why| foreign(&why))?;
    let meant = versions::open_plan_to_review(version, context)?;
    let mut taken = ImportResult {
        version: meant.version,
        new: Vec::new(),
        known: 0,
        other: 0,
    };
    let mut plans = BTreeMap::from([(meant.version, Some(meant))]);
    for comment in comments {
        let path = comment.path.clone();
        let of = match &path {
            None => Some(taken.version),
            Some(path) => place(path),
        };
        let of = of.filter(|of| version.is_none_or(|version| version == *of));
        let plan = of.and_then(|of| {
            let opened = || versions::open_published_plan(Some(of), context).ok();
            plans.entry(of).or_insert_with(opened).as_ref()
        });
        let Some(plan) = plan else {
            taken.other += 1;
            continue;
        };
        let file = path.as_deref().and_then(|path| path.rsplit('/').next());
        match write_thread(plan, comment, file, context)? {
            Some(shown) => taken.new.push(shown),
            None => taken.known += 1,
        }
    }
    Ok(taken)
}

/// Returns the version whose folder contains a file of a repository.
fn place(path: &str) -> Option<Version> {
    let (_, below) = path.split_once("planning_outputs/")?;
    let (folder, _) = below.rsplit_once('/')?;
    folder.parse().ok()
}

/// Writes the thread; `None` if it existed, with the new replies.
fn write_thread(
    plan: &Opened,
    comment: RequestComment,
    file: Option<&str>,
    context: &Context,
) -> Result<Option<ThreadView>, Fault> {
    let fit = |text: &str, most: usize| {
        let cut = match shown(text).char_indices().nth(most - 1) {
            Some((end, _)) => format!("{}…", &shown(text)[..end]),
            None => text.to_owned(),
        };
        threads::fit(Text::NONE, &cut, most, context)
    };
    let review = ReviewFolder::of(&RealFs, &plan.folder);
    let mut replies = Vec::new();
    for reply in comment.replies.into_iter().take(MAX_REPLIES) {
        replies.push(ThreadReply {
            author: fit(&reply.author, MAX_NAME)?,
            time: fit(&reply.time, MAX_NAME)?,
            text: fit(&reply.text, MAX_TEXT)?,
            ..reply
        });
    }
    let there = review.read()?.threads;
    if let Some(there) = there.iter().find(|thread| thread.id == comment.id) {
        for reply in replies
            .iter()
            .filter(|reply| !there.replies.contains(reply))
        {
            review.reply(&comment.id, reply.clone())?;
        }
        return Ok(None);
    }
    let line = line(plan, file, comment.line)?;
    let item = line.as_deref().and_then(|line| item(plan, line));
    let thread = Thread {
        id: comment.id,
        item,
        quote: line.map(|line| fit(&line, MAX_QUOTE)).transpose()?,
        author: fit(&comment.author, MAX_NAME)?,
        time: fit(&comment.time, MAX_NAME)?,
        blocking: comment.blocking,
        text: fit(&comment.text, MAX_TEXT)?,
        replies,
    };
    threads::add_thread(threads::Plan::of(plan), thread, context).map(Some)
}

/// Returns that line of a file of the version; `None` if it does not exist.
fn line(plan: &Opened, file: Option<&str>, number: Option<usize>) -> Result<Option<String>, Fault> {
    let (Some(file), Some(number)) = (file, number) else {
        return Ok(None);
    };
    let made = crate::artifact::render(&plan.state)?;
    let text = made.into_iter().find(|made| made.path == file);
    let line =
        text.and_then(|made| Some(made.text().lines().nth(number.checked_sub(1)?)?.to_owned()));
    Ok(line.filter(|line| !line.trim().is_empty()))
}

/// Returns the first id of the plan in bold in a line.
fn item(plan: &Opened, line: &str) -> Option<String> {
    let mut bold = line.split("**").skip(1).step_by(2);
    bold.find_map(|id| check::known(&plan.state, id))
}
