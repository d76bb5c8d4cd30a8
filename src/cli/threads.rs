//! Threads and approvals beside a version, for all front ends: the command line, the page, and
//! programs.

use std::path::Path;

use serde::Serialize;

use super::versions::{self, FoundVersion, Opened};
use super::{Context, Fault, key, requirement};
use crate::check;
use crate::edge::authorship::{self, Commit, Signature};
use crate::edge::fs::{Fs as _, RealFs};
use crate::edge::store::verify;
use crate::edge::threads::{self, ReviewFolder};
use crate::fault::plans::{
    APPROVE_OTHER, AUTHOR_UNKNOWN, COMMENT_LONG, ITEM_UNKNOWN, QUOTE_UNKNOWN,
};
use crate::fault::{Message, Text, texts, values};
use crate::machine::{Event, Lang, State, Version, shown};
use crate::thread::{
    self, Approval, MAX_NAME, MAX_QUOTE, MAX_TEXT, Thread, ThreadAnswer, ThreadReply, ThreadStatus,
    ThreadView,
};
use crate::{artifact, page};

texts! {
    pub(super) COMMENT: "comment", "评论";
    QUOTE: "quoted text", "引文";
    NAME: "name", "名字";
    NOTE: "note", "说明";
    pub(super) EXAMPLE: "aitc comment v1 AC-3 \"Which accounts are meant?\"", "aitc comment v1 AC-3 \"指的是哪些账号？\"";
    NOBODY: "nobody has approved {n} yet; if it is right: aitc approve {n}", "还没有人批准 {n}；如果没有问题：aitc approve {n}";
    OTHER_BYTES: "{n} has changed since {by} approved it; read it, and if it is right: aitc approve {n}", "{by} 批准的内容与 {n} 现在的不同；请重新阅读，如果没有问题：aitc approve {n}";
    CHANGED: "{n} is not as it was published: {what}; `aitc verify {n}` shows every difference", "{n} 与发布时不同：{what}；详见 `aitc verify {n}`";
    BLOCKED: "comment {id} on {n} is open and blocks: “{text}”; take it up with `aitc revise {n}`, or close it: aitc comment {n} --resolve {id} \"…\"", "{n} 有阻塞的评论 {id} 尚未解决：“{text}”；用 `aitc revise {n}` 处理，或结束它：aitc comment {n} --resolve {id} \"……\"";
    FORGED: "the commit with the approval by {by} has a bad signature ({commit}); the approval does not count", "带来 {by} 的批准的提交签名无效（{commit}）；该批准不算数";
    OTHER_AUTHOR: "the approval of {by} was committed by {author} ({commit})", "{by} 的批准由 {author} 提交（{commit}）";
    UNCOMMITTED: "the approval by {by} is not committed in its present form, so its author was not checked", "{by} 的批准尚未按现在的内容提交，因此没有核对提交者";
    APPROVED: "approved by {by}, committed by {author} ({commit}{signed})", "由 {by} 批准，由 {author} 提交（{commit}{signed}）";
    SIGNED: ", signed by {key}", "，由 {key} 签名";
    OLDER: "the files changed since you read them", "您阅读之后文件有改动";
}

/// A new comment.
#[derive(Debug, Clone, Default)]
pub struct NewComment {
    /// Id of the item it is on; `None` for the plan as a whole.
    pub item: Option<String>,
    /// The quoted words of the plan.
    pub quote: Option<String>,
    /// Text of the comment.
    pub text: String,
    /// Whether no approval of the plan counts while it is open.
    pub blocking: bool,
    /// The author; by default git's `user.name`.
    pub author: Option<String>,
}

/// A version whose transcript was read.
#[derive(Clone, Copy)]
pub struct Plan<'s> {
    /// Name of the version.
    pub version: Version,
    /// Path of the folder.
    pub folder: &'s Path,
    /// The state after its transcript.
    pub state: &'s State,
}

impl<'s> Plan<'s> {
    /// Creates it from an opened version.
    pub fn of(opened: &'s Opened) -> Self {
        Self {
            version: opened.version,
            folder: &opened.folder,
            state: &opened.state,
        }
    }

    /// Returns the version it revises.
    fn from(self) -> Option<Version> {
        let previous = self.state.task.previous.as_ref()?;
        Some(self.version.sibling(previous.version))
    }
}

/// Comments on a published plan, the latest if none is named.
///
/// # Errors
/// There is no such plan or item, the item does not contain the quoted words, the author is
/// unknown, the text is blank or too long, or it cannot be written.
pub fn add(
    version: Option<Version>,
    new: NewComment,
    context: &Context,
) -> Result<ThreadView, Fault> {
    let opened = versions::open_plan_to_review(version, context)?;
    let item = new.item.as_deref().map(|item| item.trim());
    let item = item.filter(|item| !item.is_empty()).map(|item| {
        check::known(&opened.state, item)
            .ok_or_else(|| ITEM_UNKNOWN.with(values![n = opened.version, item]))
    });
    let quote = new.quote.filter(|quote| !requirement::says_nothing(quote));
    if let Some(quote) = &quote
        && !wording(&opened.state)?.has(quote)
    {
        return Err(QUOTE_UNKNOWN.with(values![n = opened.version]));
    }
    let quote = quote.map(|quote| fit(QUOTE, &quote, MAX_QUOTE, context));
    let thread = Thread {
        item: item.transpose()?,
        quote: quote.transpose()?,
        author: author(new.author, context)?,
        text: words(&new.text, context)?,
        blocking: new.blocking,
        ..Thread::default()
    };
    add_thread(Plan::of(&opened), thread, context)
}

/// Writes a thread beside a version; an existing one with its id is unchanged.
pub(super) fn add_thread(
    plan: Plan<'_>,
    thread: Thread,
    context: &Context,
) -> Result<ThreadView, Fault> {
    let thread = ReviewFolder::of(&RealFs, plan.folder).add(thread)?;
    Ok(Family::default().shown(plan, thread, context))
}

/// Replies to a thread, or changes its state. Without a version the latest plan that has it.
///
/// # Errors
/// There is no such thread, the reply is empty and changes nothing, or as [`add`].
pub fn reply(
    version: Option<Version>,
    id: &str,
    reply: ThreadReply,
    context: &Context,
) -> Result<ThreadView, Fault> {
    let opened = versions::open_plan_to_review(having(id, version, context)?, context)?;
    let text = match reply.state {
        Some(_) if requirement::says_nothing(&reply.text) => String::new(),
        _ => words(&reply.text, context)?,
    };
    let author = author(Some(reply.author).filter(|name| !name.is_empty()), context)?;
    let reply = ThreadReply {
        author,
        text,
        ..reply
    };
    let thread = ReviewFolder::of(&RealFs, &opened.folder).reply(id, reply)?;
    let plan = Plan::of(&opened);
    Ok(Family::of(plan.version, context).shown(plan, thread, context))
}

/// Returns the version with the thread: the one named, else the latest.
fn having(id: &str, version: Option<Version>, context: &Context) -> Result<Option<Version>, Fault> {
    if version.is_some() || !threads::is_id(id) {
        return Ok(version);
    }
    let all = versions::find_all(context)?;
    let has = |found: &&FoundVersion| {
        let path = ReviewFolder::of(&RealFs, &found.folder).path(id);
        // An error is reported by the command that opens it.
        !found.draft && RealFs.exists(&path).unwrap_or(false)
    };
    Ok(all.iter().rev().find(has).map(|found| found.version))
}

/// Returns the threads of a published plan in the order of the plan, with their fates.
///
/// # Errors
/// There is no such plan, or a file beside it is invalid.
pub fn list(version: Option<Version>, context: &Context) -> Result<Vec<ThreadView>, Fault> {
    let opened = versions::open_plan_to_review(version, context)?;
    of(Plan::of(&opened), context)
}

/// As [`list`], for a version that was read.
pub fn of(plan: Plan<'_>, context: &Context) -> Result<Vec<ThreadView>, Fault> {
    let mut threads = ReviewFolder::of(&RealFs, plan.folder).read()?.threads;
    if threads.is_empty() {
        return Ok(Vec::new());
    }
    let report = report(plan);
    thread::in_order(&mut threads, &report);
    let family = Family::of(plan.version, context);
    let mut words = None;
    let shown = threads.into_iter().map(|thread| {
        let mut shown = family.shown(plan, thread, context);
        if let Some(quote) = shown.thread.quote.as_deref()
            && !report.contains(quote)
        {
            let words = match &words {
                Some(words) => words,
                None => words.insert(wording(plan.state)?),
            };
            shown.quote_missing = !words.has(quote);
        }
        Ok(shown)
    });
    shown.collect()
}

fn wording(state: &State) -> Result<page::Wording, Fault> {
    page::Wording::of(state, &artifact::render(state)?)
}

/// Returns the threads of the versions that this one revises, the nearest version first.
///
/// # Errors
/// As [`list`].
pub fn before(plan: Plan<'_>, context: &Context) -> Result<Vec<ThreadView>, Fault> {
    // A missing or damaged version is reported when it is opened.
    Ok(earlier(plan, context)?.0)
}

/// As [`before`], with the error if a version with threads cannot be read.
fn earlier(plan: Plan<'_>, context: &Context) -> Result<(Vec<ThreadView>, Option<Fault>), Fault> {
    let mut all = Vec::new();
    let (mut from, mut last) = (plan.from(), plan.version);
    // The numbers decrease, so the loop ends.
    while let Some(version) = from.filter(|from| *from < last) {
        last = version;
        let earlier = match versions::open_published_plan(Some(version), context) {
            Ok(earlier) => earlier,
            Err(why) => {
                let folder = plan.folder.with_file_name(format!("v{}", version.number));
                let threads = ReviewFolder::of(&RealFs, &folder).read()?.threads;
                return Ok((all, Some(why).filter(|_| !threads.is_empty())));
            }
        };
        all.extend(of(Plan::of(&earlier), context)?);
        from = Plan::of(&earlier).from();
    }
    Ok((all, None))
}

/// Returns whether any thread of that plan waits for a revision.
///
/// # Errors
/// As [`list`].
pub fn wait(version: Option<Version>, context: &Context) -> Result<bool, Fault> {
    // A missing one is reported by the command that opens it.
    let Ok(found) = versions::find_to_go_on(version, context) else {
        return Ok(false);
    };
    if found.draft || !found.version.format.is_workshop() {
        return Ok(false);
    }
    let opened = versions::read(found, context)?;
    Ok(!points(Plan::of(&opened), context)?.is_empty())
}

/// Returns the threads that a revision takes as points of feedback, with those points, in the order
/// of the plan.
///
/// # Errors
/// As [`of`].
pub fn points(plan: Plan<'_>, context: &Context) -> Result<Vec<(String, String)>, Fault> {
    let waits = |shown: &ThreadView| {
        let is_taken = shown.answers.iter().any(|answer| answer.draft);
        shown.standing == ThreadStatus::Open && !is_taken
    };
    let open = of(plan, context)?.into_iter().filter(waits);
    let lang = plan.state.inputs.doc_lang;
    Ok(open
        .map(|shown| (shown.thread.id.clone(), shown.thread.point(lang)))
        .collect())
}

fn report(plan: Plan<'_>) -> String {
    let path = plan.folder.join(plan.state.inputs.format.report());
    // Without its report a plan's threads are in order of time.
    let bytes = RealFs.read(&path).unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The versions that descend from one, the earliest first.
#[derive(Default)]
struct Family(Vec<Opened>);

impl Family {
    fn of(first: Version, context: &Context) -> Self {
        let mut known = vec![first.number];
        let mut family = Vec::new();
        // An unreadable version has no effect: its threads stay open.
        for found in versions::find_all(context).unwrap_or_default() {
            let version = found.version;
            if version.sibling(first.number) != first || version <= first {
                continue;
            }
            let Ok(Some(entry)) = versions::first_line(&found) else {
                continue;
            };
            let Event::UserInput {
                from: Some(from), ..
            } = entry.event
            else {
                continue;
            };
            if !known.contains(&from.version) {
                continue;
            }
            if let Ok(later) = versions::read(found, context) {
                known.push(later.version.number);
                family.push(later);
            }
        }
        Self(family)
    }

    fn shown(&self, plan: Plan<'_>, thread: Thread, context: &Context) -> ThreadView {
        let mut answers: Vec<ThreadAnswer> = Vec::new();
        let mut gone_in = None;
        for later in &self.0 {
            let state = &later.state;
            let from = Plan::of(later).from();
            let answer = match from == Some(plan.version) {
                true => thread::answer(&thread.id, state),
                false => answers
                    .iter()
                    .rev()
                    .find(|answer| from.is_some_and(|from| from.to_string() == answer.version))
                    .and_then(|answer| thread::later(answer, state)),
            };
            answers.extend(answer);
            let is_gone = |item: &String| !check::stands(state, item);
            if !later.draft && gone_in.is_none() && thread.item.as_ref().is_some_and(is_gone) {
                gone_in = Some(later.version.to_string());
            }
        }
        let path = ReviewFolder::of(&RealFs, plan.folder).path(&thread.id);
        ThreadView {
            version: plan.version.to_string(),
            path: versions::display_path(&path, context),
            standing: thread::status(&thread, &answers),
            answers,
            gone_in,
            quote_missing: false,
            thread,
        }
    }
}

/// Returns threads and approvals of a plan, for its page; or the error, if one of the files cannot
/// be read: the plan is still shown.
pub fn review(plan: Plan<'_>, context: &Context) -> page::ReviewFiles {
    let read = || -> Result<page::ReviewFiles, Fault> {
        Ok(page::ReviewFiles {
            waiting: points(plan, context)?.len(),
            user: authorship::user(&context.root, &context.env),
            threads: of(plan, context)?,
            before: before(plan, context)?,
            approvals: ReviewFolder::of(&RealFs, plan.folder).read()?.approvals,
            digest: threads::digest(&RealFs, plan.folder)?.unwrap_or_default(),
            unread: None,
        })
    };
    read().unwrap_or_else(|fault| page::ReviewFiles {
        unread: Some(fault.text(context.lang(None))),
        ..page::ReviewFiles::default()
    })
}

/// Returns the author: the given name, otherwise git's user name.
fn author(given: Option<String>, context: &Context) -> Result<String, Fault> {
    let given = given.map(|name| fit(NAME, &name, MAX_NAME, context));
    let given = given.transpose()?.filter(|name| !name.is_empty());
    let name = given.or_else(|| authorship::user(&context.root, &context.env));
    name.ok_or_else(|| AUTHOR_UNKNOWN.with(&[]))
}

/// Returns a comment's text in the form in which it is committed.
fn words(text: &str, context: &Context) -> Result<String, Fault> {
    let text = requirement::present(COMMENT, text.to_owned(), EXAMPLE)?;
    fit(COMMENT, &text, MAX_TEXT, context)
}

/// Returns a text without invisible characters and secrets.
pub(super) fn fit(what: Text, text: &str, most: usize, context: &Context) -> Result<String, Fault> {
    let text = shown(&key::redactor_of(context).redact(&requirement::plain(text)));
    match text.chars().count() > most {
        true => Err(COMMENT_LONG.with(values![what, most])),
        false => Ok(text),
    }
}

/// Approves a published plan with exactly these bytes; `digest` is that of the version that was
/// read, if it was read earlier.
///
/// # Errors
/// The version was changed, or is not what was read; the approver is unknown, or the approval
/// cannot be written.
pub fn approve(
    version: Option<Version>,
    by: Option<String>,
    note: Option<&str>,
    digest: Option<&str>,
    context: &Context,
) -> Result<(Opened, Approval), Fault> {
    let opened = versions::open_plan_to_review(version, context)?;
    let other =
        |why: &dyn crate::fault::MessageValue| APPROVE_OTHER.with(values![n = opened.version, why]);
    if let Some(problem) = verify(&RealFs, &opened.folder)?.problems.first() {
        return Err(other(&problem.message));
    }
    let now = threads::digest(&RealFs, &opened.folder)?.unwrap_or_default();
    if digest.is_some_and(|digest| digest != now) {
        return Err(other(&OLDER));
    }
    let note = note.map(|note| fit(NOTE, note, MAX_TEXT, context));
    let note = note.transpose()?.filter(|note| !note.is_empty());
    let by = author(by, context)?;
    let review = ReviewFolder::of(&RealFs, &opened.folder);
    let approval = review.approve(&by, &now, note.as_deref())?;
    Ok((opened, approval))
}

/// Returns the path of an approval for messages.
pub fn approval_path(opened: &Opened, approval: &Approval, context: &Context) -> String {
    let folder = ReviewFolder::of(&RealFs, &opened.folder);
    versions::display_path(&folder.folder().join(&approval.file), context)
}

/// Who approved a version, and what prevents it from counting as approved.
#[derive(Debug, Default, Serialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Gate {
    /// Whether it is approved as it is, with nothing against it.
    pub approved: bool,
    /// Digest of the version as it is: SHA-256 of its manifest.
    pub digest: String,
    /// The approvals of these very bytes.
    pub approvals: Vec<Approval>,
    /// The reasons against it, a sentence each.
    pub problems: Vec<String>,
    /// What commits say about the approvals, a sentence each.
    pub notes: Vec<String>,
}

/// Checks a version against its approvals and threads: one approval that counts is enough, and
/// others are reported. With `strict` it counts only if a commit of that author brought it.
///
/// # Errors
/// A file beside it cannot be read, so nothing is approved.
pub fn gate(plan: Plan<'_>, strict: bool, lang: Lang, context: &Context) -> Result<Gate, Fault> {
    let n = &plan.version;
    let mut problems: Vec<Message> = Vec::new();
    let mut notes: Vec<Message> = Vec::new();
    if let Some(problem) = verify(&RealFs, plan.folder)?.problems.first() {
        problems.push(CHANGED.fill(values![n, what = problem.message]));
    }
    let digest = threads::digest(&RealFs, plan.folder)?.unwrap_or_default();
    let review = ReviewFolder::of(&RealFs, plan.folder);
    let mut approvals = review.read()?.approvals;
    let mut void: Vec<Message> = Vec::new();
    approvals.retain(|one| {
        let path = review.folder().join(&one.file);
        let path = path.strip_prefix(&context.root).unwrap_or(&path);
        let (counts, told) = match one.digest == digest {
            true => compared(one, path, strict, context),
            false => (false, OTHER_BYTES.fill(values![n, by = one.by])),
        };
        match counts {
            true => notes.push(told),
            false => void.push(told),
        }
        counts
    });
    // One that counts is enough: anybody who may push could otherwise close the gate for good.
    match (approvals.is_empty(), void.is_empty()) {
        (true, true) => problems.push(NOBODY.fill(values![n])),
        (true, false) => problems.append(&mut void),
        (false, _) => notes.append(&mut void),
    }
    let (earlier, unread) = earlier(plan, context)?;
    if let Some(why) = unread {
        return Err(why);
    }
    let threads = of(plan, context)?.into_iter().chain(earlier);
    let blocks = |one: &ThreadView| one.thread.blocking && one.standing == ThreadStatus::Open;
    problems.extend(threads.filter(blocks).map(|one| {
        let text = crate::clean::gist(&one.thread.text);
        let id = &one.thread.id;
        BLOCKED.fill(values![id, n = one.version, text])
    }));
    let of = |texts: Vec<Message>| texts.iter().map(|text| text.of(lang).to_owned()).collect();
    Ok(Gate {
        approved: problems.is_empty(),
        digest,
        approvals,
        problems: of(problems),
        notes: of(notes),
    })
}

/// Compares an approval with git's data about it; returns whether it counts, and a message.
fn compared(approval: &Approval, path: &Path, strict: bool, context: &Context) -> (bool, Message) {
    let by = &approval.by;
    let Some(commit) = authorship::commit_of(&context.root, path) else {
        return (!strict, UNCOMMITTED.fill(values![by]));
    };
    let Commit {
        hash,
        author,
        signature,
    } = commit;
    let hash: String = hash.chars().take(12).collect();
    let values = values![by, author, commit = hash];
    let signed = match &signature {
        Signature::Bad => return (false, FORGED.fill(values)),
        Signature::Good(key) => SIGNED.fill(values![key]),
        Signature::Unknown => Message::default(),
    };
    if author != *by {
        return (!strict, OTHER_AUTHOR.fill(values));
    }
    let values = values![by, author, commit = hash, signed];
    (true, APPROVED.fill(values))
}
