//! `aitc check --against`: compares a plan with the commits that implement it.

use schemars::JsonSchema;
use serde::Serialize;

use super::versions::Opened;
use super::{Context, Exit, Fault};
use crate::check::{CommitComparison, against, junit};
use crate::edge::knowledge::between;
use crate::fault::plans::COMMIT_UNKNOWN;
use crate::fault::{texts, values};

texts! {
    TIPS: "the two ends of {range} have no common ancestor here, so they are compared directly, with what others changed meanwhile; in a shallow clone: git fetch --unshallow", "此处不知道 {range} 共同的来源提交，因此直接比较这两个提交，其中也包括他人在此期间的改动；如果克隆不含全部历史：git fetch --unshallow";
}

/// `aitc check --against … --json`.
#[derive(Serialize, JsonSchema)]
pub struct AgainstDocument {
    /// Number of the version: `N` of `vN`.
    version: u32,
    /// Whether the changes differ from the plan, in files or symbols.
    differs: bool,
    /// Whether the command ends with 12.
    fails: bool,
    /// Both, side by side.
    #[serde(flatten)]
    against: CommitComparison,
}

/// Prints the comparison of plan and commits; ends with 12 if they differ and `strict`.
pub fn run(
    opened: &Opened,
    range: &str,
    (strict, as_junit): (bool, bool),
    context: &Context,
) -> Result<Exit, Fault> {
    let document = compared(opened, range, strict, context)?;
    match as_junit {
        true => {
            let text = junit(&document.against, document.version);
            context.print(text.trim_end(), &document)?;
        }
        false => context.list("against", &document, &document)?,
    }
    Ok(Exit::found(document.fails))
}

/// Compares a plan with commits.
///
/// # Errors
/// The repository has no such commits.
pub fn compared(
    opened: &Opened,
    range: &str,
    strict: bool,
    context: &Context,
) -> Result<AgainstDocument, Fault> {
    let touched = between(&context.root, range)
        .map_err(|unknown| COMMIT_UNKNOWN.with(values![name = unknown.0]))?;
    if touched.are_tips {
        context.notice(&TIPS.fill(values![range]));
    }
    let against = against(&opened.state, touched);
    let differs = against.differs();
    Ok(AgainstDocument {
        version: opened.version.number,
        differs,
        fails: strict && differs,
        against,
    })
}
