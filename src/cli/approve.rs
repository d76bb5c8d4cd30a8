//! `aitc approve`: records the approval of a plan.

use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;

use super::{Context, Exit, Fault, threads, versions};
use crate::fault::{texts, values};
use crate::machine::Version;
use crate::thread::Approval;

texts! {
    APPROVED: "{n} approved by {by}: {path}", "{n} 已由 {by} 批准：{path}";
    OLDER: "{later} is later than {n}; it is not approved by this", "{later} 比 {n} 更新；此次批准不包括它";
    BLOCKED: "`aitc check {n} --approved` still fails: {what}", "`aitc check {n} --approved` 仍不通过：{what}";
}

/// Approve a plan; any later change to it voids the approval
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  aitc approve v1\n  aitc approve v1 --note \"As discussed\"\n  aitc check v1 --approved"
)]
pub struct ApproveArgs {
    /// Which plan; default: the latest published
    #[arg(value_name = "vN")]
    version: Option<Version>,
    /// A note to go with it
    #[arg(long, value_name = "TEXT")]
    note: Option<String>,
    /// Approver; default: git's `user.name`
    #[arg(long = "as", value_name = "NAME")]
    by: Option<String>,
}

/// `aitc approve --json`.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ApproveDocument {
    /// The plan, such as `v1`.
    version: String,
    /// Path of the file that holds the approval.
    path: String,
    /// The approval as written.
    approval: Approval,
}

/// Writes the approval beside the version.
pub fn run(args: &ApproveArgs, context: &Context) -> Result<Exit, Fault> {
    let note = args.note.as_deref();
    let (opened, approval) = threads::approve(args.version, args.by.clone(), note, None, context)?;
    let lang = context.lang(None);
    let n = opened.version.to_string();
    let all = versions::find_all(context)?;
    let later = all.iter().rev().find(|found| {
        let is_later = found.version.number > opened.version.number;
        is_later && !found.draft && found.version.sibling(0) == opened.version.sibling(0)
    });
    if let Some(later) = later {
        context.notice(&OLDER.fill(values![later = later.version, n]));
    }
    for what in threads::gate(threads::Plan::of(&opened), false, lang, context)?.problems {
        context.notice(&BLOCKED.fill(values![n, what]));
    }
    let path = threads::approval_path(&opened, &approval, context);
    let text = APPROVED.with(lang, values![n, by = approval.by, path]);
    let document = ApproveDocument {
        version: n.clone(),
        path: path.clone(),
        approval: approval.clone(),
    };
    context.done(&text, &document)
}
