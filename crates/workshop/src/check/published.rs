//! Rules about the files in a published version's folder.

use super::CheckContext;
use super::finding::{Findings, Rule};
use crate::artifact::misfit;
use crate::fault::{Message, Text, texts};

/// A file of a published version that was changed after publication.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DamagedFile {
    /// Its path in the version's folder.
    pub path: String,
    /// What is wrong with it, one sentence.
    pub what: Message,
}

texts! {
    RESTORE: "restore it from git; `aitc verify vN --out DIR` shows what the transcript makes of it, and `aitc revise` changes a plan", "请从 git 恢复；`aitc verify vN --out DIR` 可查看由会议记录生成的内容；要修改规划请用 `aitc revise`";
}

pub(super) fn find(world: &CheckContext<'_>, findings: &mut Findings<'_>) {
    for damage in world.damage {
        let what = damage.what.clone();
        findings
            .list
            .push(Rule::FileDamaged.finding(&damage.path, what, RESTORE));
    }
    for (path, text) in world.files {
        if let Some(why) = misfit(path, text) {
            let what = Text(
                "`{path}` does not fit its schema: {why}",
                "`{path}` 不符合其 schema：{why}",
            );
            let what = what.fill(&[("path", path), ("why", &why)]);
            findings
                .list
                .push(Rule::SchemaMismatch.finding(path, what, RESTORE));
        }
    }
}
