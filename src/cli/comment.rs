//! `aitc comment`: review a plan beside its files.

use std::path::PathBuf;

use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;

use super::threads::{self, COMMENT, EXAMPLE, NewComment};
use super::{Context, Exit, Fault, requirement, review_import, versions};
use crate::check;
use crate::fault::line::{ARGUMENT_UNKNOWN, NOT_QUOTED, TEXT_NOT_UTF8};
use crate::fault::{texts, values};
use crate::machine::Version;
use crate::thread::{ThreadReply, ThreadStatus, ThreadView};
use crate::ui::view;

texts! {
    WRITTEN: "comment {id} on {n}: {path}", "{n} 的评论 {id}：{path}";
    IMPORTED: "{new} added, {known} already present, {other} on other files or versions", "新增 {new} 条，已有 {known} 条，属于其他文件或版本的 {other} 条";
}

/// Comment on a plan; comments are files next to it
#[derive(Debug, Args)]
#[command(
    override_usage = "aitc comment [OPTIONS] [vN] [ITEM] [TEXT|-]",
    after_help = "Examples:\n  \
        aitc comment v1 AC-3 \"Which accounts are meant?\"\n  \
        aitc comment v1 --blocking \"Nobody has asked the lawyers\"\n  \
        aitc comment --list\n  \
        aitc comment --reply k4f2q9 \"Those of customers\"\n  \
        aitc comment --resolve k4f2q9\n  \
        aitc comment v1 --from-review review.json"
)]
pub struct CommentArgs {
    /// The plan (default: the latest), the item it is about, the text
    #[arg(value_name = "vN] [ITEM] [TEXT", num_args = 0..=3)]
    words: Vec<String>,
    /// Read the words from FILE; repeatable
    #[arg(short, long = "file", value_name = "FILE|-")]
    files: Vec<PathBuf>,
    /// The words of the plan it refers to
    #[arg(long, value_name = "WORDS", conflicts_with = "does")]
    quote: Option<String>,
    /// While the comment is open, an approval of the plan does not count
    #[arg(long, conflicts_with = "does")]
    blocking: bool,
    /// Reply to a comment
    #[arg(long, value_name = "COMMENT", group = "does")]
    reply: Option<String>,
    /// Close a comment: done
    #[arg(long, value_name = "COMMENT", group = "does")]
    resolve: Option<String>,
    /// Close a comment: not followed
    #[arg(long, value_name = "COMMENT", group = "does")]
    decline: Option<String>,
    /// Close a comment of yours: withdrawn
    #[arg(long, value_name = "COMMENT", group = "does")]
    withdraw: Option<String>,
    /// Reopen a comment
    #[arg(long, value_name = "COMMENT", group = "does")]
    reopen: Option<String>,
    /// List the comments and what became of each
    #[arg(long, group = "does")]
    list: bool,
    /// Read review comments from a file, as GitHub's or GitLab's API returns them
    #[arg(long, value_name = "FILE|-", group = "does")]
    from_review: Option<PathBuf>,
    /// Author; default: git's `user.name`
    #[arg(long = "as", value_name = "NAME")]
    author: Option<String>,
}

/// `aitc comment --json`.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CommentDocument {
    /// The plan, such as `v1`.
    pub version: String,
    /// The comments that were written, or all of them with `--list`.
    pub threads: Vec<ThreadView>,
}

impl CommentArgs {
    /// What is done to which comment, if to any.
    fn action(&self) -> Option<(&str, Option<ThreadStatus>)> {
        let all = [
            (&self.reply, None),
            (&self.resolve, Some(ThreadStatus::Taken)),
            (&self.decline, Some(ThreadStatus::Declined)),
            (&self.withdraw, Some(ThreadStatus::Withdrawn)),
            (&self.reopen, Some(ThreadStatus::Open)),
        ];
        all.into_iter()
            .find_map(|(id, state)| Some((id.as_deref()?, state)))
    }
}

/// Writes a comment or reply, or lists the comments.
pub fn run(args: &CommentArgs, context: &Context) -> Result<Exit, Fault> {
    let (version, rest) = match args.words.split_first() {
        Some((first, rest)) => match versions::parse_name(first) {
            Some(version) => (Some(version), rest),
            None => (None, &args.words[..]),
        },
        None => (None, &[][..]),
    };
    if args.list {
        no_more(rest)?;
        return show(version, context);
    }
    if let Some(file) = &args.from_review {
        no_more(rest)?;
        return import(version, file, context);
    }
    let lang = context.lang(None);
    let shown = match args.action() {
        Some((id, state)) => {
            let text = match (rest, state) {
                ([], Some(_)) if args.files.is_empty() => String::new(),
                ([] | [_], _) => words(rest.first(), args, context)?,
                ([_, second, ..], _) => return Err(unknown(second)),
            };
            let reply = ThreadReply {
                author: args.author.clone().unwrap_or_default(),
                state,
                text,
                ..ThreadReply::default()
            };
            threads::reply(version, id, reply, context)?
        }
        None => {
            let (item, text) = split(rest, version, args, context)?;
            let new = NewComment {
                item,
                quote: args.quote.clone(),
                text: words(text.as_ref(), args, context)?,
                blocking: args.blocking,
                author: args.author.clone(),
            };
            threads::add(version, new, context)?
        }
    };
    let values = values![id = shown.thread.id, n = shown.version, path = shown.path];
    let document = CommentDocument {
        version: shown.version.clone(),
        threads: vec![shown.clone()],
    };
    context.done(&WRITTEN.with(lang, values), &document)
}

/// Splits the arguments into item and words: a single word that is an item of the plan is no
/// comment.
fn split(
    rest: &[String],
    version: Option<Version>,
    args: &CommentArgs,
    context: &Context,
) -> Result<(Option<String>, Option<String>), Fault> {
    match rest {
        [] => Ok((None, None)),
        [one] if args.files.is_empty() && one != "-" => {
            let opened = versions::open_plan_to_review(version, context)?;
            // A text that only begins with an id is the comment.
            let is_id = one.trim().bytes().all(|byte| byte.is_ascii_graphic());
            Ok(match check::known(&opened.state, one) {
                Some(item) if is_id => (Some(item), None),
                _ => (None, Some(one.clone())),
            })
        }
        [one] if one == "-" => Ok((None, Some(one.clone()))),
        [item] => Ok((Some(item.clone()), None)),
        [item, text] => Ok((Some(item.clone()), Some(text.clone()))),
        [first, ..] => Err(NOT_QUOTED.with(values![word = first])),
    }
}

fn words(text: Option<&String>, args: &CommentArgs, context: &Context) -> Result<String, Fault> {
    let text = text.map(String::as_str);
    requirement::gather(COMMENT, text, &args.files, EXAMPLE, context)
}

fn no_more(rest: &[String]) -> Result<(), Fault> {
    rest.first().map_or(Ok(()), |word| Err(unknown(word)))
}

fn unknown(word: &str) -> Fault {
    ARGUMENT_UNKNOWN.with(values![command = " comment", argument = word])
}

fn show(version: Option<Version>, context: &Context) -> Result<Exit, Fault> {
    let opened = versions::open_plan_to_review(version, context)?;
    let threads = threads::of(threads::Plan::of(&opened), context)?;
    let document = CommentDocument {
        version: opened.version.to_string(),
        threads,
    };
    let style = context.style_out(context.lang(None));
    let text = view::list("threads", &document, &style);
    context.done(&context.hung(&text, style.lang), &document)
}

fn import(
    version: Option<Version>,
    file: &std::path::Path,
    context: &Context,
) -> Result<Exit, Fault> {
    let (name, bytes) = requirement::read(file, review_import::KIND, context)?;
    let json = String::from_utf8(bytes).map_err(|_| TEXT_NOT_UTF8.with(values![name]))?;
    let taken = review_import::import(&json, file, version, context)?;
    let (new, known, other) = (taken.new.len(), taken.known, taken.other);
    let lang = context.lang(None);
    let document = CommentDocument {
        version: taken.version.to_string(),
        threads: taken.new,
    };
    context.done(&IMPORTED.with(lang, values![new, known, other]), &document)
}
