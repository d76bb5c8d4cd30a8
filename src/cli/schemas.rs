//! The published JSON Schemas of what commands print with `--json`.
//!
//! Commands that were written with a type for their document publish that type;
//! the shapes of the others stand here. A test runs every command and holds
//! what it prints against its schema, in which nothing unknown may stand.
#![allow(dead_code, reason = "shapes are read by the schema generator only")]

mod models;
mod questions;

use std::collections::BTreeMap;

use schemars::generate::{SchemaGenerator, SchemaSettings};
use schemars::{JsonSchema, Schema};
use serde::Serialize;
use serde_json::{Value, json};

use models::{DoctorShape, ModelsShape};
use questions::{AnswerShape, QuestionsShape};

use super::batch_report::BatchDocument;
use super::brief::BriefDocument;
use super::completions::CompletionsDocument;
use super::config_set::SetDocument;
use super::config_show::{SettingDocument, SettingsDocument};
use super::export::ExportDocument;
use super::help::HelpDocument;
use super::init::InitDocument;
use super::man::ManDocument;
use super::roles::{NewRoleDocument, RoleDocument, RoleFaultsDocument, RolesDocument};
use crate::artifact::{DocumentFile, Plan};
use crate::chat::Usage;
use crate::check::{Diff, FindingDocument, Trace};
use crate::edge::inbox::Message;
use crate::machine::{
    ConsensusId, Entry, Format, IssueId, IssueRecord, Limits, ModelChoice, QuestionId,
    QuestionMode, StopReason,
};
use crate::reply::{DevPlan, ProductPlan, RiskAssessment, Severity, SystemDesign, TestPlan};
use crate::role::RoleId;
use crate::ui::view::VersionLine;

/// Every published schema, by path below `schemas/` less its ending, such as
/// `commands/status`. What a schema refers to is among the definitions of `generator`.
///
/// `transcript` is of one line of the transcript without its hash `h`.
pub fn schemas(generator: &mut SchemaGenerator) -> Vec<(String, Schema)> {
    let mut all: Vec<_> = Format::ALL
        .map(|format| structured(format, generator))
        .into();
    let mut of = |name: &str, schema: fn(&mut SchemaGenerator) -> Schema| {
        all.push((name.to_owned(), schema(generator)));
    };
    of("product_plan", any::<DocumentFile<ProductPlan>>);
    of("system_design", any::<DocumentFile<SystemDesign>>);
    of("dev_plan", any::<DocumentFile<DevPlan>>);
    of("test_plan", any::<DocumentFile<TestPlan>>);
    of("risk_assessment", any::<DocumentFile<RiskAssessment>>);
    of("transcript", any::<Entry>);
    of("inbox", |_| accepted::<Message>());
    of("commands/answer", any::<AnswerShape>);
    of("commands/batch", any::<BatchDocument>);
    of("commands/brief", any::<BriefDocument>);
    of("commands/check", any::<CheckShape>);
    of("commands/completions", any::<CompletionsDocument>);
    of("commands/help", any::<HelpDocument>);
    of("commands/config-get", any::<SettingDocument>);
    of("commands/config-set", any::<SetDocument>);
    of("commands/config-show", any::<SettingsDocument>);
    of("commands/diff", any::<DiffShape>);
    of("commands/doctor", any::<DoctorShape>);
    of("commands/error", any::<ErrorShape>);
    of("commands/export", any::<ExportDocument>);
    of("commands/init", any::<InitDocument>);
    of("commands/list", any::<ListShape>);
    of("commands/man", any::<ManDocument>);
    of("commands/models", any::<ModelsShape>);
    of("commands/plan", any::<RunShape>);
    of("commands/questions", any::<QuestionsShape>);
    of("commands/render", any::<RenderShape>);
    of("commands/repair", any::<RepairShape>);
    of("commands/roles-check", any::<RoleFaultsDocument>);
    of("commands/roles-list", any::<RolesDocument>);
    of("commands/roles-new", any::<NewRoleDocument>);
    of("commands/roles-show", any::<RoleDocument>);
    of("commands/say", any::<SaidShape>);
    of("commands/show", any::<ShowShape>);
    of("commands/status", any::<StatusShape>);
    of("commands/stream", any::<StreamShape>);
    of("commands/verify", any::<VerifyShape>);
    of("commands/why", any::<WhyShape>);
    all
}

fn any<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<T>()
}

/// What is structured in a version of one format: the same shape, and what the format
/// says of itself.
fn structured(format: Format, generator: &mut SchemaGenerator) -> (String, Schema) {
    let mut schema = generator.subschema_for::<Plan>();
    let named = json!({"format": {"const": format.name()}});
    schema.insert("properties".to_owned(), named);
    (format.structured().replace(".json", ""), schema)
}

/// What is accepted, where others write it: what may be left out is optional.
fn accepted<T: JsonSchema>() -> Schema {
    let settings = SchemaSettings::draft2020_12().with(|it| it.inline_subschemas = true);
    settings.into_generator().into_root_schema_for::<T>()
}

/// What every command prints that could not do what it was asked to.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ErrorShape {
    /// Version of this format.
    v: u32,
    /// What, why, and what to do.
    error: ErrorParts,
    /// What the command ended with.
    exit_code: u8,
}

/// The parts of an error.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ErrorParts {
    /// Stable code of this kind of error, such as `E-run-held`.
    #[schemars(regex(pattern = "^E-[a-z0-9-]+$"))]
    code: String,
    /// What went wrong, one sentence.
    what: String,
    /// Why it is an error; may be empty.
    why: String,
    /// What to do, best a command; may be empty.
    fix: String,
}

/// `plan`, `revise` and `resume`.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
enum RunShape {
    /// A version was published.
    Published(PublishedShape),
    /// Ctrl-C or SIGTERM; the run can be resumed.
    Interrupted(InterruptedShape),
    /// `--dry-run`.
    Rehearsed(RehearsedShape),
    /// It ended with an error, or waits for a human.
    Error(ErrorShape),
}

/// A version was published.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct PublishedShape {
    /// Version of this format.
    v: u32,
    /// `N` of `vN`.
    version: u32,
    /// Its folder, from the workspace's root.
    path: String,
    /// Is no blocking issue open?
    agreed: bool,
    /// Was a member passed over for want of a usable answer?
    degraded: bool,
    /// As `aitc status` says it.
    status: StatusShape,
    /// 0 or 7.
    exit_code: u8,
}

/// A run was interrupted.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct InterruptedShape {
    /// Version of this format.
    v: u32,
    /// Always true.
    interrupted: bool,
    /// The command that goes on.
    next: String,
    /// 130 or 143.
    exit_code: u8,
}

/// How a run would begin.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RehearsedShape {
    /// Version of this format.
    v: u32,
    /// Always true.
    dry_run: bool,
    /// The number it would get now.
    version: u32,
    /// Its bounds.
    limits: Limits,
    /// What would happen to questions.
    questions: QuestionMode,
    /// Model of everybody who has none of their own.
    model: ModelChoice,
    /// Models by role.
    role_models: BTreeMap<String, ModelChoice>,
    /// The first prompt of every member.
    prompts: Vec<PromptShape>,
}

/// One prompt.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct PromptShape {
    /// Id of the call.
    call: String,
    /// Who is asked.
    member: RoleId,
    /// Which model.
    model: ModelChoice,
    /// Bytes sent.
    bytes: u64,
    /// What is sent: `role` and `content`.
    messages: Vec<Value>,
}

/// `status`.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct StatusShape {
    /// Version of this format.
    v: u32,
    /// `N` of `vN`.
    version: u32,
    /// Its folder.
    path: String,
    /// UUID of the run.
    run_id: String,
    /// How far it is.
    stage: StageShape,
    /// Rounds begun.
    round: u32,
    /// Did it end with no blocking issue open?
    agreed: bool,
    /// Why the discussion ended.
    stop: Option<StopReason>,
    /// Issues still open.
    open: Vec<OpenShape>,
    /// Questions that wait for the human.
    waiting: Vec<QuestionId>,
    /// Questions with an answer that no process has taken up.
    answered: Vec<QuestionId>,
    /// Questions that the end of the discussion left without an answer.
    left_open: Vec<QuestionId>,
    /// Who proposes the end, while nobody has decided about it.
    proposal: Option<RoleId>,
    /// What is agreed.
    consensus: Vec<ConsensusId>,
    /// Are the members checklists, no language model?
    offline: bool,
    /// Calls made.
    calls: CallsShape,
    /// Tokens of answered calls.
    usage: Usage,
    /// RFC 3339.
    started_at: String,
    /// RFC 3339.
    last_activity_at: String,
    /// The command that goes on from here.
    next: String,
}

/// How far a run is.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum StageShape {
    Opening,
    Judging,
    Between,
    Speaking,
    Summarising,
    Closing,
    Reporting,
    Complete,
    Published,
}

/// An open issue.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct OpenShape {
    id: IssueId,
    title: String,
    severity: Severity,
}

/// Calls by how they ended.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct CallsShape {
    answered: u64,
    failed: u64,
    rejected: u64,
}

/// `list`.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ListShape {
    /// Version of this format.
    v: u32,
    /// Versions and drafts, oldest first.
    versions: Vec<VersionLine>,
}

/// `show`.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
enum ShowShape {
    /// The report.
    Text(TextShape),
    /// A document, or the lines of the transcript.
    Content(ContentShape),
    /// A round.
    Round(RoundShape),
    /// An issue with its life.
    Issue(IssueShape),
}

#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct TextShape {
    v: u32,
    version: u32,
    path: String,
    /// Markdown.
    text: String,
}

#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ContentShape {
    v: u32,
    version: u32,
    path: String,
    /// As its own schema says.
    content: Value,
}

#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RoundShape {
    v: u32,
    round: u32,
    /// Speeches in order, as the state holds them.
    speeches: Vec<Value>,
    /// What the human said to the members in it, with what it reopened.
    words: Vec<Value>,
    /// The coach's summary; null while there is none.
    summary: Option<Value>,
}

#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct IssueShape {
    v: u32,
    version: u32,
    issue: IssueRecord,
}

/// `say`, `debate` and `stop`.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SaidShape {
    /// Version of this format.
    v: u32,
    /// `N` of `vN`.
    version: u32,
    /// Id of the message, its file's name without `.json`.
    message: String,
    /// Does the run go on right now, and take it in?
    running: bool,
    /// The command that goes on; null if it runs.
    next: Option<String>,
}

/// `why`.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct WhyShape {
    /// Version of this format.
    v: u32,
    /// `N` of `vN`.
    version: u32,
    /// Where it comes from and what rests on it.
    trace: Trace,
}

/// `diff`.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct DiffShape {
    /// Version of this format.
    v: u32,
    /// The difference.
    diff: Diff,
}

/// `check`.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct CheckShape {
    /// Version of this format.
    v: u32,
    /// `N` of `vN`.
    version: u32,
    /// Is it a run that has not ended? What is not written yet cannot be checked.
    draft: bool,
    /// Does the command end with 12?
    fails: bool,
    /// What was found.
    findings: Vec<FindingDocument>,
}

/// `render`.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RenderShape {
    /// Version of this format.
    v: u32,
    /// Folder of the version.
    path: String,
    /// How many files were made.
    files: u64,
    /// Those that are not what they were.
    differing: Vec<String>,
}

/// `verify`.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct VerifyShape {
    /// Version of this format.
    v: u32,
    /// Folder of the version.
    path: String,
    /// Lines of the transcript.
    lines: u64,
    /// What is not as it was published.
    problems: Vec<String>,
}

/// `repair`.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
enum RepairShape {
    /// A transcript was looked at.
    Cut(CutShape),
    /// A draft without a line was removed.
    Removed(RemovedShape),
}

#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct CutShape {
    v: u32,
    path: String,
    /// Lines that stay.
    lines: u64,
    /// Bytes cut.
    cut: u64,
    /// Where they are kept.
    kept: Option<String>,
    /// What was wrong.
    damage: Option<String>,
    dry_run: bool,
}

#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RemovedShape {
    v: u32,
    path: String,
    lines: u64,
    removed: bool,
    dry_run: bool,
}

/// A line of `--output-format stream-json`: an event as it is recorded, and
/// last the document of the command, which has `exit_code`.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
enum StreamShape {
    /// An event.
    Event(Box<Entry>),
    /// How it ended.
    End(Box<RunShape>),
}
