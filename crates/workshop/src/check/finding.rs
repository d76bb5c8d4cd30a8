//! Findings, and the list of rules.

use serde::{Serialize, Serializer};

use crate::fault::{Message, MessageValue, Text, texts};
use crate::machine::{Lang, Stage, State};

/// How much a finding weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CheckSeverity {
    /// The plan must not be accepted like this.
    Error,
    /// Worth a look; a failure only with `--strict`.
    Warning,
}

/// A finding of a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckFinding {
    /// The rule that found it.
    pub rule: Rule,
    /// Its severity.
    pub severity: CheckSeverity,
    /// The id, path or file that it is about.
    pub about: String,
    /// What is wrong, one sentence.
    pub text: Message,
    /// How to fix it, one sentence.
    pub fix: Message,
}

impl CheckFinding {
    /// The finding as a document for programs, in one language.
    pub fn document(&self, lang: Lang) -> FindingDocument {
        FindingDocument {
            rule: self.rule,
            severity: self.severity,
            about: self.about.clone(),
            text: self.text.of(lang).to_owned(),
            fix: self.fix.of(lang).to_owned(),
        }
    }
}

/// A finding of a check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[schemars(rename = "Finding")]
pub struct FindingDocument {
    /// Rule that was broken.
    #[schemars(with = "String")]
    pub rule: Rule,
    /// Whether it is an error, a warning or a note.
    pub severity: CheckSeverity,
    /// The id, path or file concerned.
    pub about: String,
    /// What is wrong, one sentence.
    pub text: String,
    /// What to do, one sentence.
    pub fix: String,
}

/// Rows of rules: name, name in output and docs, severity and what it requires. Rules with fixed
/// texts add what their findings say and how they are fixed: by the user (`fix`), or by the
/// members, who are asked for it (`ask`). `{id}` is what a finding is about.
macro_rules! rules {
    ($(
        $name:ident $kebab:literal $severity:ident $doc:literal
        $(what $what:literal, $what_zh:literal)?
        $(fix $fix:literal, $fix_zh:literal)?
        $(ask $ask:literal, $ask_zh:literal)?;
    )*) => {
        /// A rule that plans are checked against.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Rule {
            $(#[doc = $doc] $name,)*
        }

        impl Rule {
            /// Every rule, errors first.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            /// Its name, kebab-case, as in output and docs.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$name => $kebab,)*
                }
            }

            /// What it requires, one sentence.
            pub fn wants(self) -> &'static str {
                match self {
                    $(Self::$name => $doc,)*
                }
            }

            /// Severity of its findings.
            pub fn severity(self) -> CheckSeverity {
                match self {
                    $(Self::$name => CheckSeverity::$severity,)*
                }
            }

            /// What its findings say, what the user does about them, and what members are asked to
            /// do.
            fn words(self) -> [Text; 3] {
                match self {
                    $(Self::$name => [
                        rules!(@ $($what, $what_zh)?),
                        rules!(@ $($fix, $fix_zh)?),
                        rules!(@ $($ask, $ask_zh)?),
                    ],)*
                }
            }
        }
    };
    (@) => { Text::NONE };
    (@ $en:literal, $zh:literal) => { Text($en, $zh) };
}

rules! {
    DocumentMissing "document-missing" Error "A finished run has every document its roles write."
        what "`{id}` was not written", "没有写出 `{id}`"
        fix "run `aitc resume`, or plan anew", "运行 `aitc resume`，或重新规划";
    CriteriaMissing "criteria-missing" Error "A plan that agreed on something shows it by criteria."
        what "something was agreed, and no criterion shows any of it", "已有共识，却没有任何验收标准体现它"
        ask "Write criteria that show what was agreed", "请写出体现共识的验收标准";
    CriterionWithoutTest "criterion-without-test" Error "Every criterion is covered by a test."
        what "no test covers `{id}`", "没有测试覆盖 `{id}`"
        fix "add a test case, or drop the criterion", "请增加测试用例，或去掉该标准";
    CriterionWithoutWork "criterion-without-work" Error "Every criterion is covered by a work item."
        what "no work item covers `{id}`", "没有工作项对应 `{id}`"
        fix "add a work item, or drop the criterion", "请增加工作项，或去掉该标准";
    WorkWithoutCriterion "work-without-criterion" Warning "Every work item serves a criterion."
        what "`{id}` serves no criterion", "`{id}` 不对应任何验收标准"
        fix "name the criteria it serves in `covers`, or leave it out if no reader waits for it", "请在 `covers` 中写明对应的标准；如果没有人需要它，就去掉";
    RiskWithoutMitigation "risk-without-mitigation" Error "Every risk has a meaningful mitigation."
        what "`{id}` has no mitigation", "`{id}` 没有应对措施"
        fix "say what is done against it, or who accepts it and why", "请写明怎样应对，或由谁接受、为什么接受";
    FileMissing "file-missing" Error "A file that is to be modified, deleted or renamed exists."
        what "`{id}` is to be changed but does not exist", "`{id}` 要改动，但它并不存在"
        fix "correct the path, or say `create`", "请更正路径，或写 `create`";
    DanglingId "dangling-id" Error "Every id that is cited exists."
        what "`{field}` of `{id}` cites `{cited}`, which does not exist", "`{id}` 的 `{field}` 引用了不存在的 `{cited}`"
        fix "cite an id that exists, or drop the reference", "请引用存在的编号，或去掉引用";
    ReusedId "reused-id" Error "The id of an item in a document names one thing only, along the whole line of versions."
        fix "plan anew: ids of a recorded plan are not edited by hand", "请重新规划：已记录规划的编号不可手工修改";
    ReportTooLong "report-too-long" Warning "The unfolded part of the report has at most 3,000 words, 800 for small work."
        what "the unfolded part of the report has {n} words; at most {most} are allowed", "报告中展开的文字有 {n} 个词，上限 {most}"
        fix "narrow the requirement, or split it into several plans", "请收窄需求，或拆成几个规划";
    SummaryTooLong "summary-too-long" Error "“In short” has at most 150 words."
        what "the plan in short has {n} words", "规划概要有 {n} 个词"
        ask "Say the plan in short in fewer words", "请缩短规划概要";
    AgreementOverObjection "agreement-over-objection" Error "Nothing is called agreed while somebody's last word on it is an objection."
        what "`{id}` is called agreed, but the last word of {who} on `{issue}` is an objection", "`{id}` 记为达成一致，但 {who} 对 `{issue}` 的最后表态是反对"
        ask "Take up {issue} again", "请重新讨论 {issue}";
    DroppedOverObjection "dropped-over-objection" Error "No blocking issue is dropped while somebody's last word on it is an objection."
        what "`{id}` was dropped, but the last word of {who} on it is an objection", "`{id}` 已被放弃，但 {who} 对它的最后表态是反对"
        ask "Take up {id} again", "请重新讨论 {id}";
    AgreedWithOpenIssues "agreed-with-open-issues" Error "A plan is called agreed only if no blocking issue is open."
        what "the plan is called agreed, but {open} is open", "规划记为达成一致，但 {open} 仍未决"
        ask "Settle {open}", "请解决 {open}";
    FileDamaged "file-damaged" Error "Every file of a published version is unchanged.";
    SchemaMismatch "schema-mismatch" Error "Every JSON document fits its published schema.";
    SecretFound "secret-found" Error "No text holds a key, token or password."
        what "the text holds what looks like a secret: {kind}", "文中含有疑似机密的内容：{kind}"
        fix "revoke it first, then take it out of the sources and plan anew", "请先吊销它，再从来源中移除，然后重新规划";
    Unresolved "unresolved" Warning "The run ended in agreement; an error with `--strict`.";
    FileExists "file-exists" Warning "A file that is to be created, or the new path of one that is renamed, does not exist yet."
        what "`{id}` is to be created but exists", "`{id}` 要新建，但它已经存在"
        fix "say `modify`, or choose another path", "请写 `modify`，或另选路径";
    FileGone "file-gone" Warning "A file that existed when the plan was made, and is to be modified, deleted or renamed, still exists."
        what "`{id}` was there when the plan was made, and is not any more", "规划时 `{id}` 还在，现在已经没有了"
        fix "nothing, if the plan is being built; else correct the path", "如果规划正在实施，不用处理；不然请更正路径";
    SymbolExists "symbol-exists" Warning "A symbol that is called new does not exist yet."
        what "`{name}` of `{id}` is to be new but already exists: `{place}`", "`{id}` 的 `{name}` 要新增，但已经存在：`{place}`"
        fix "say `modify`, use what is there, or choose another name", "请写 `modify`，或用已有的，或另取名称";
    SymbolElsewhere "symbol-elsewhere" Warning "A symbol that is to be changed or removed is in the file named for it."
        what "`{name}` is not in `{id}`; it is in `{place}`", "`{id}` 中没有 `{name}`；它在 `{place}`"
        fix "name it with the file it is in", "请写在它所在的文件之下";
    SymbolMissing "symbol-missing" Warning "A symbol that is to be changed or removed exists."
        what "`{name}` is to be changed or removed but is not in `{id}`", "`{name}` 要修改或删除，但 `{id}` 中没有它"
        fix "correct the name, or say `new`", "请更正名称，或写 `new`";
    CallersUnnamed "callers-unnamed" Warning "Files that use a changed or removed symbol are named in the plan, even if only as not looked at."
        what "the plan changes or removes {names} in `{id}` without naming all callers: {callers}", "规划修改或删除 `{id}` 的 {names}，但使用相关符号的文件没有全部提到，缺少：{callers}"
        fix "look at them and list in `file_impacts` those that change with it; name the others, or their folder (`tests/`), in `architecture`: unaffected, or not looked at", "请查看这些文件，随之改动的写入 `file_impacts`；其余的文件或其目录（`tests/`）写入 `architecture`，写明不受影响或没有查看";
    TestsUnnamed "tests-unnamed" Warning "Existing tests of a changed file are named in the plan."
        what "`{id}` changes, and the plan does not name its tests: {tests}", "`{id}` 要改动，而规划没有提到它的测试：{tests}"
        fix "list them in `file_impacts`, or say in `architecture` that they stay as they are", "请写入 `file_impacts`，或在 `architecture` 中写明它们保持不变";
    UnknownDependency "unknown-dependency" Warning "Every work item depends on work items of the plan only."
        what "`{id}` depends on `{dependency}`, which is no work item", "`{id}` 依赖 `{dependency}`，而它不是工作项"
        fix "add the work item, or drop the dependency", "请增加该工作项，或去掉依赖";
    UnknownIdInText "unknown-id-in-text" Warning "Every id in a text exists."
        what "a text cites `{cited}`, and no such id was ever given", "文中引用了 `{cited}`，而这个编号从来没有过"
        ask "Name what is meant by {cited} in {id}", "请写明 {id} 中的 {cited} 指什么";
    AgreedNotTakenUp "agreed-not-taken-up" Warning "Every agreed item is in scope, criteria or decisions, or a writer says where else."
        what "`{id}` was agreed, and no scope item, criterion, decision, test or work rests on it", "`{id}` 是共识，却没有范围项、验收标准、决策、测试或工作项以它为依据"
        ask "Take {id} up in scope and criteria", "请将 {id} 写入范围与验收标准";
}

impl Rule {
    /// Returns whether a finding may be right as it is: the rule compares the plan with files that
    /// may change afterwards, or has exceptions that only a reader knows.
    pub fn is_remark(self) -> bool {
        matches!(
            self,
            Self::WorkWithoutCriterion
                | Self::FileExists
                | Self::FileGone
                | Self::SymbolExists
                | Self::SymbolElsewhere
                | Self::SymbolMissing
                | Self::CallersUnnamed
                | Self::TestsUnnamed
        )
    }
}

impl Serialize for Rule {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl std::fmt::Display for Rule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl Rule {
    /// A finding of this rule, with the rule's default severity.
    pub(super) fn finding(
        self,
        about: impl ToString,
        text: impl Into<Message>,
        fix: impl Into<Message>,
    ) -> CheckFinding {
        CheckFinding {
            rule: self,
            severity: self.severity(),
            about: about.to_string(),
            text: text.into(),
            fix: fix.into(),
        }
    }
}

pub(super) struct Findings<'a> {
    pub(super) state: &'a State,
    pub(super) list: Vec<CheckFinding>,
}

impl Findings<'_> {
    /// Adds a finding with the rule's own text.
    pub(super) fn add(
        &mut self,
        rule: Rule,
        about: impl ToString,
        values: &[(&str, &dyn MessageValue)],
    ) {
        let about = about.to_string();
        let values = [values, &[("id", &about)]].concat();
        let what = rule.words()[0].fill(&values);
        self.say(rule, &about, what, &values);
    }

    /// The same, with `what` as the text.
    pub(super) fn say(
        &mut self,
        rule: Rule,
        about: impl ToString,
        what: Message,
        values: &[(&str, &dyn MessageValue)],
    ) {
        let [_, fix, ask] = rule.words();
        let fix = match ask == Text::NONE {
            true => fix.fill(values),
            false => ask_for(self.state, ask.fill(values)),
        };
        self.list.push(rule.finding(about, what, fix));
    }
}

texts! {
    REVISE: "aitc revise {n} \"{point}\"", "aitc revise {n} \"{point}\"";
    REVISE_LATER: "once it is published: aitc revise {n} \"{point}\"", "发布之后：aitc revise {n} \"{point}\"";
}

/// The command that asks the members for `point`; before the plan is published, with a note when to
/// run it. The command can be pasted as it is: the point needs no words from the user, and holds no
/// characters that are special in a shell.
pub(super) fn ask_for(state: &State, point: impl Into<Message>) -> Message {
    let text = match state.stage {
        Stage::Published => REVISE,
        _ => REVISE_LATER,
    };
    text.fill(&[("n", &state.inputs.run()), ("point", &point.into())])
}
