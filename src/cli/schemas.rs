//! The published JSON Schemas, of files and of what commands print with `--json`.
//!
//! Each is that of the type which is written. A test runs every command and holds what it
//! prints against its schema, in which nothing unknown may stand.

use schemars::generate::{SchemaGenerator, SchemaSettings};
use schemars::{JsonSchema, Schema};
use serde_json::json;

use super::against::AgainstDocument;
use super::answer::AnswerDocument;
use super::batch_report::BatchDocument;
use super::brief::BriefDocument;
use super::by_hand::WaitingDocument;
use super::check::CheckDocument;
use super::completions::CompletionsDocument;
use super::config_set::SetDocument;
use super::config_show::{SettingDocument, SettingsDocument};
use super::demo::DemoDocument;
use super::diff::DiffDocument;
use super::doctor::DoctorDocument;
use super::export::ExportDocument;
use super::help::HelpDocument;
use super::init::InitDocument;
use super::man::ManDocument;
use super::models_list::ModelsDocument;
use super::next::NextDocument;
use super::outcome::{InterruptedDocument, PublishedDocument};
use super::rehearse::RehearsalDocument;
use super::reply::ReplyDocument;
use super::roles::{NewRoleDocument, RoleDocument, RoleFaultsDocument, RolesDocument};
use super::say::SayDocument;
use super::show::ShowDocument;
use super::status::StandingDocument;
use super::verify::VerifyDocument;
use super::why::WhyDocument;
use crate::artifact::{DocumentFile, Plan};
use crate::edge::inbox::Message;
use crate::fault::ErrorDocument;
use crate::machine::{Entry, Format};
use crate::reply::{DevPlan, ProductPlan, RiskAssessment, SystemDesign, TestPlan};
use crate::ui::view::QuestionsDocument;

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
    of("commands/answer", any::<AnswerDocument>);
    of("commands/batch", any::<BatchDocument>);
    of("commands/brief", any::<BriefDocument>);
    of("commands/check", any::<CheckDocument>);
    of("commands/check-against", any::<AgainstDocument>);
    of("commands/completions", any::<CompletionsDocument>);
    of("commands/help", any::<HelpDocument>);
    of("commands/config-get", any::<SettingDocument>);
    of("commands/config-set", any::<SetDocument>);
    of("commands/config-show", any::<SettingsDocument>);
    of("commands/demo", any::<DemoDocument>);
    of("commands/diff", any::<DiffDocument>);
    of("commands/doctor", any::<DoctorDocument>);
    of("commands/error", any::<ErrorDocument>);
    of("commands/export", any::<ExportDocument>);
    of("commands/init", any::<InitDocument>);
    of("commands/man", any::<ManDocument>);
    of("commands/models", any::<ModelsDocument>);
    of("commands/next", any::<NextDocument>);
    of("commands/plan", any::<RunDocument>);
    of("commands/questions", any::<QuestionsDocument>);
    of("commands/reply", any::<ReplyDocument>);
    of("commands/roles-check", any::<RoleFaultsDocument>);
    of("commands/roles-list", any::<RolesDocument>);
    of("commands/roles-new", any::<NewRoleDocument>);
    of("commands/roles-show", any::<RoleDocument>);
    of("commands/say", any::<SayDocument>);
    of("commands/show", any::<ShowDocument>);
    of("commands/status", any::<StandingDocument>);
    of("commands/stream", any::<StreamLine>);
    of("commands/verify", any::<VerifyDocument>);
    of("commands/why", any::<WhyDocument>);
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

/// What a run prints last: `plan`, `revise`, `resume` and their kind with `--json`.
#[derive(JsonSchema)]
#[schemars(untagged)]
#[allow(dead_code, reason = "each is printed where a run ends that way")]
enum RunDocument {
    /// A version was published.
    Published(PublishedDocument),
    /// Calls wait for replies by hand.
    Waiting(WaitingDocument),
    /// Ctrl-C or SIGTERM; the run can be resumed.
    Interrupted(InterruptedDocument),
    /// `--dry-run`.
    Rehearsed(RehearsalDocument),
    /// It ended with an error, or waits for a human.
    Error(ErrorDocument<'static>),
}

/// A line of `--output-format stream-json`: an event as it is recorded, and
/// last the document of the command, which has `exit_code`.
#[derive(JsonSchema)]
#[schemars(untagged)]
#[allow(dead_code, reason = "lines are printed one by one")]
enum StreamLine {
    /// An event.
    Event(Box<Entry>),
    /// How it ended.
    End(Box<RunDocument>),
}
