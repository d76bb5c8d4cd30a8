//! The tools by name: their descriptions, what they take, what they return.

use std::sync::Arc;

use rmcp::handler::server::common::{schema_for_input, schema_for_output};
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use crate::cli::against::AgainstDocument;
use crate::cli::check::CheckDocument;
use crate::cli::comment::CommentDocument;
use crate::cli::next::PromptDocument;
use crate::cli::revise::choice;
use crate::cli::why::WhyDocument;
use crate::fault::{Text, texts};
use crate::machine::{Lang, QuestionId, StopReason, Version};
use crate::reply::DocumentKind;
use crate::ui::view::{QuestionsDocument, StatusDocument, VersionLine};

use super::super::show::ShowPart;

texts! {
    /// The instructions for a client's model.
    pub INSTRUCTIONS: "A planning workshop: members discuss a requirement until no blocking issue is open, and leave a reviewed, versioned plan in this repository. Use it before building something that is not settled. plan_start returns an id at once and the run continues by itself, even without this connection; `next` in a result names the tool to call. Questions are for the user: do not answer for them. A published plan with `agreed: false` is unresolved: it says what is still open; do not build it yet.", "规划研讨：成员讨论一项需求，直到没有阻塞议题，并在本仓库中留下经过评审、带版本的规划。要做的事还没有明确时，动手之前先用它。plan_start 立即返回编号，运行自行继续，连接断开也不受影响；结果中的 `next` 指出下一步调用哪个工具。问题由用户回答，不要代答。已发布而 `agreed` 为 false 的规划未达成一致：它说明哪些仍未解决，不能据此动手。";
    START: "Start planning a requirement; returns the run's id at once.", "开始规划一项需求；立即返回运行的编号。";
    REVISE: "Make the next version of a plan from the user's feedback; returns the new run's id at once.", "根据用户的反馈生成规划的下一个版本；立即返回新运行的编号。";
    STATUS: "The progress of a run, or all runs and versions; with `wait_seconds` it waits for a change.", "一次运行的进度，或全部运行与版本；给出 `wait_seconds` 时等待变化。";
    QUESTIONS: "The questions of a run that are waiting for the user.", "运行中等待用户回答的提问。";
    ANSWER: "Hand in the user's answer to a question; without one the user is asked directly, if the client can do that. When all are answered the run continues.", "提交用户对问题的回答；不给出回答时，如果客户端支持，就直接询问用户。全部回答后运行继续。";
    NEXT: "Continue a run that stopped; for one answered by hand, get the next prompt. Answer it from that prompt alone, as the member it names.", "继续已停下的运行；人工回答时，返回下一个提示词。请只根据该提示词、以其中指明的成员身份作答。";
    REPLY: "Hand in the reply to a prompt of plan_next; returns the next prompt.", "提交对 plan_next 所给提示词的回复；返回下一个提示词。";
    RESULT: "The report of a published plan, or one of its documents.", "已发布规划的报告，或其中一份文档。";
    WHY: "Where an item of a plan comes from and what rests on it.", "规划中某一条从何而来，又有什么以它为依据。";
    CHECK: "Is a plan sound? Findings, and what its evidence rests on; with `against`, the plan compared with commits.", "规划有没有问题？列出发现的问题，以及它的证据有什么依据；给出 `against` 时将规划与提交对照。";
    COMMENT: "Comment on a published plan, or reply to a comment; without `text`, list what reviewers said. plan_revise takes open comments as feedback.", "评论已发布的规划，或回复某条评论；不给出 `text` 时列出评审者的评论。未解决的评论会作为 plan_revise 的反馈。";
}

/// What `plan_start` takes.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Start {
    /// What is wanted, in the user's own words.
    pub requirement: String,
    /// You answer for every member, by plan_next and plan_reply: no model is needed.
    #[serde(default)]
    pub by_hand: bool,
    /// For small work: one round, a short report.
    #[serde(default)]
    pub light: bool,
    /// Take recommended answers instead of asking the user, as recorded assumptions.
    #[serde(default)]
    pub assume: bool,
}

/// What `plan_revise` takes.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Revise {
    /// The version; the latest plan, if left out.
    #[serde(default)]
    pub id: Option<Version>,
    /// What is to change, in the user's own words; may be left out where comments wait.
    #[serde(default)]
    pub feedback: String,
    /// Other answers the user takes of the report's “What you decide”, such as `2=b`.
    #[serde(default, deserialize_with = "choices")]
    #[schemars(with = "Vec<String>")]
    pub decide: Vec<(usize, char)>,
    /// You answer for every member, by plan_next and plan_reply: no model is needed.
    #[serde(default)]
    pub by_hand: bool,
}

/// What `plan_status` takes.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Status {
    /// The run or version, such as `v1`; everything, if left out.
    #[serde(default)]
    pub id: Option<Version>,
    /// Wait so long for something to change, at most 10.
    #[serde(default)]
    pub wait_seconds: u32,
}

/// What tools about one run take.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// The run, such as `v1`.
    pub id: Version,
}

/// What `plan_answer` takes.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// The run, such as `v1`.
    pub id: Version,
    /// Which question, such as `Q-1`; the first that waits, if left out.
    pub question: Option<QuestionId>,
    /// The user's words, or the number of an option.
    pub answer: Option<String>,
    /// The user takes the recommended answer.
    #[serde(default)]
    pub recommended: bool,
    /// The user does not want to answer.
    #[serde(default)]
    pub decline: bool,
}

/// What `plan_reply` takes.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Reply {
    /// The run, such as `v1`.
    pub id: Version,
    /// The number of the prompt.
    pub number: u32,
    /// The JSON object that the prompt asks for.
    pub reply: Value,
}

/// What `plan_result` takes.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Result {
    /// The version, such as `v1`.
    pub id: Version,
    /// Which part; the report, if left out.
    #[serde(default)]
    pub part: PartName,
}

/// Parts of a version that can be asked for.
#[derive(Deserialize, JsonSchema, Default, Clone, Copy)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs, reason = "each is named as `aitc show` names it")]
pub enum PartName {
    #[default]
    Report,
    Product,
    Design,
    Dev,
    Test,
    Risk,
}

impl PartName {
    /// The part as `aitc show` knows it.
    pub fn part(self) -> ShowPart {
        match self {
            Self::Report => ShowPart::Report,
            Self::Product => ShowPart::Document(DocumentKind::ProductPlan),
            Self::Design => ShowPart::Document(DocumentKind::SystemDesign),
            Self::Dev => ShowPart::Document(DocumentKind::DevPlan),
            Self::Test => ShowPart::Document(DocumentKind::TestPlan),
            Self::Risk => ShowPart::Document(DocumentKind::RiskAssessment),
        }
    }
}

/// What `plan_why` takes.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Why {
    /// The item, such as `AC-3`, `C-2`, `W-1`.
    pub item: String,
    /// The version; the latest, if left out.
    #[serde(default)]
    pub id: Option<Version>,
}

/// What `plan_check` takes.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Check {
    /// The version; the latest plan, if left out.
    #[serde(default)]
    pub id: Option<Version>,
    /// Treat warnings as errors.
    #[serde(default)]
    pub strict: bool,
    /// Commits that were made of the plan, such as `main..HEAD`.
    pub against: Option<String>,
}

/// What `plan_comment` takes.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Comment {
    /// The version, such as `v1`.
    pub id: Version,
    /// Text of the comment.
    pub text: Option<String>,
    /// The item it is on, such as `AC-3`; the plan as a whole, if left out.
    pub item: Option<String>,
    /// The words of the plan it refers to.
    pub quote: Option<String>,
    /// While the comment is open, an approval of the plan does not count.
    #[serde(default)]
    pub blocking: bool,
    /// Id of the comment to reply to.
    pub thread: Option<String>,
}

/// A run or version, and the tool that goes on from here.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunDocument {
    /// Its id for all tools, such as `v1`.
    pub id: String,
    /// Whether a process works on it now.
    pub running: bool,
    /// Whether the version is published. Only then is there a result.
    pub published: bool,
    /// Whether it ended with no blocking issue open. A published version that did not is
    /// unresolved.
    pub agreed: bool,
    /// The tool to call next.
    pub next: &'static str,
    /// What the process that worked on it last said, if it could not go on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub said: Option<String>,
    /// As `aitc status --json` has it.
    pub status: StatusDocument,
}

/// What `plan_status` gives.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunsDocument {
    /// The run that was asked for, or every one that has not ended.
    pub runs: Vec<RunDocument>,
    /// Versions and drafts, where no run was named.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub versions: Vec<VersionLine>,
}

/// What `plan_next` and `plan_reply` give.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NextDocument {
    /// The run.
    pub run: RunDocument,
    /// The prompt to reply to, if one waits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt: Option<PromptDocument>,
}

/// What `plan_answer` gives.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AnsweredDocument {
    /// The run.
    pub run: RunDocument,
    /// Whether an answer was handed over. If not, the question still waits.
    pub answered: bool,
}

/// What `plan_result` gives.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ResultDocument {
    /// The version.
    pub id: String,
    /// Whether it ended with no blocking issue open. If not it is unresolved, and no order to
    /// build.
    pub agreed: bool,
    /// Reason for which the discussion ended.
    pub stop: Option<StopReason>,
    /// The report, Markdown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The document, as its own schema says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<Value>,
}

/// What `plan_check` gives.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CheckedDocument {
    /// As `aitc check --json` has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub check: Option<CheckDocument>,
    /// As `aitc check --against … --json` has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub against: Option<AgainstDocument>,
}

/// Every tool.
///
/// # Errors
/// The arguments of one are no object.
pub fn all(lang: Lang) -> std::result::Result<Vec<Tool>, String> {
    let of = Described { lang };
    Ok(vec![
        of.tool::<Start, RunDocument>("plan_start", START)?,
        of.read::<Status, RunsDocument>("plan_status", STATUS)?,
        of.read::<Run, QuestionsDocument>("plan_questions", QUESTIONS)?,
        of.tool::<Answer, AnsweredDocument>("plan_answer", ANSWER)?,
        of.tool::<Run, NextDocument>("plan_next", NEXT)?,
        of.tool::<Reply, NextDocument>("plan_reply", REPLY)?,
        of.read::<Result, ResultDocument>("plan_result", RESULT)?,
        of.tool::<Revise, RunDocument>("plan_revise", REVISE)?,
        of.read::<Why, WhyDocument>("plan_why", WHY)?,
        of.read::<Check, CheckedDocument>("plan_check", CHECK)?,
        of.tool::<Comment, CommentDocument>("plan_comment", COMMENT)?,
    ])
}

struct Described {
    lang: Lang,
}

impl Described {
    /// Describes a tool that adds data and removes none.
    fn tool<I: JsonSchema + 'static, O: JsonSchema + 'static>(
        &self,
        name: &'static str,
        about: Text,
    ) -> std::result::Result<Tool, String> {
        let input = schema_for_input::<I>()?;
        let tool = Tool::new(name, about.of(self.lang), input);
        let tool = tool.with_raw_output_schema(plain(&schema_for_output::<O>()));
        Ok(tool.with_annotations(ToolAnnotations::new().destructive(false)))
    }

    /// Describes a tool that changes nothing.
    fn read<I: JsonSchema + 'static, O: JsonSchema + 'static>(
        &self,
        name: &'static str,
        about: Text,
    ) -> std::result::Result<Tool, String> {
        let tool = self.tool::<I, O>(name, about)?;
        let annotations = ToolAnnotations::new().read_only(true).open_world(false);
        Ok(tool.with_annotations(annotations))
    }
}

/// Returns the schema without descriptions for people: clients give it to their models, who pay for
/// each word.
fn plain(schema: &Arc<JsonObject>) -> Arc<JsonObject> {
    fn strip(value: &mut Value, is_named: bool) {
        match value {
            Value::Object(members) => {
                // Below `properties` a member is a name, whatever it is called.
                if !is_named {
                    members.remove("description");
                    members.remove("format");
                }
                for (name, member) in members.iter_mut() {
                    strip(
                        member,
                        !is_named && (name == "properties" || name == "$defs"),
                    );
                }
            }
            Value::Array(all) => all.iter_mut().for_each(|one| strip(one, false)),
            _ => {}
        }
    }
    let mut schema = Value::Object(schema.as_ref().clone());
    strip(&mut schema, false);
    match schema {
        Value::Object(members) => Arc::new(members),
        _ => Arc::default(),
    }
}

fn choices<'de, D: Deserializer<'de>>(
    from: D,
) -> std::result::Result<Vec<(usize, char)>, D::Error> {
    let texts = Vec::<String>::deserialize(from)?;
    let read = texts.iter().map(|text| choice(text));
    read.collect::<std::result::Result<_, _>>()
        .map_err(serde::de::Error::custom)
}
