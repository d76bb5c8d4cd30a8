//! The published JSON Schemas, of files and of what commands print with `--json`.
//!
//! Each is generated from the type that is written. A test runs every command and checks its output
//! against its schema, which allows nothing unknown.

use schemars::generate::SchemaGenerator;
use schemars::{JsonSchema, Schema};
use serde_json::{Value, json};

use super::{
    against, answer, approve, batch, brief, by_hand, check, comment, completions, config_command,
    demo, diff, doctor, export, help, init, man, message, models, next, outcome, rehearse, reply,
    roles, show, status, verify, view, why,
};
use crate::artifact::{DocumentFile, Plan};
use crate::edge::inbox::InboxMessage;
use crate::fault::ErrorDocument;
use crate::machine::{Entry, Format};
use crate::reply::{DevPlan, ProductPlan, RiskAssessment, SystemDesign, TestPlan, schema_settings};
use crate::ui::view::QuestionsDocument;

/// Returns every published schema, by path below `schemas/` without extension, such as
/// `commands/status`. Referenced schemas are among the definitions of `generator`.
///
/// `transcript` describes one line of the transcript without its hash `h`.
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
    of("inbox", |_| accepted::<InboxMessage>());
    of("commands/answer", document::<answer::AnswerDocument>);
    of("commands/approve", document::<approve::ApproveDocument>);
    of("commands/comment", document::<comment::CommentDocument>);
    of("commands/batch", document::<batch::BatchDocument>);
    of("commands/brief", document::<brief::BriefDocument>);
    of("commands/check", document::<check::CheckDocument>);
    of(
        "commands/check-against",
        document::<against::AgainstDocument>,
    );
    of(
        "commands/completions",
        document::<completions::CompletionsDocument>,
    );
    of("commands/help", document::<help::HelpDocument>);
    of(
        "commands/config-get",
        document::<config_command::SettingDocument>,
    );
    of(
        "commands/config-set",
        document::<config_command::SetDocument>,
    );
    of(
        "commands/config-show",
        document::<config_command::SettingsDocument>,
    );
    of("commands/demo", document::<demo::DemoDocument>);
    of("commands/diff", document::<diff::DiffDocument>);
    of("commands/doctor", document::<doctor::DoctorDocument>);
    of("commands/error", any::<ErrorDocument>);
    of("commands/export", document::<export::ExportDocument>);
    of("commands/init", document::<init::InitDocument>);
    of("commands/man", document::<man::ManDocument>);
    of("commands/models", document::<models::ModelsDocument>);
    of("commands/models-ask", document::<models::AskedDocument>);
    of("commands/next", any::<next::NextDocument>);
    of("commands/plan", |generator| {
        document::<outcome::PublishedDocument>(generator);
        document::<by_hand::WaitingDocument>(generator);
        document::<outcome::InterruptedDocument>(generator);
        document::<rehearse::RehearsalDocument>(generator);
        generator.subschema_for::<RunDocument>()
    });
    of("commands/questions", any::<QuestionsDocument>);
    of("commands/reply", document::<reply::ReplyDocument>);
    of(
        "commands/roles-check",
        document::<roles::RoleFaultsDocument>,
    );
    of("commands/roles-list", document::<roles::RolesDocument>);
    of("commands/roles-new", document::<roles::NewRoleDocument>);
    of("commands/roles-show", document::<roles::RoleDocument>);
    of("commands/say", document::<message::SayDocument>);
    of("commands/show", |generator| {
        document::<show::TextDocument>(generator);
        document::<show::ContentDocument>(generator);
        document::<show::IssueDocument>(generator);
        document::<show::TrialDocument>(generator);
        generator.subschema_for::<show::ShowDocument>()
    });
    of("commands/status", |generator| {
        document::<status::Overview>(generator);
        generator.subschema_for::<status::StandingDocument>()
    });
    of("commands/stream", any::<StreamLine>);
    of("commands/verify", |generator| {
        document::<verify::FoundDocument>(generator);
        document::<verify::WrittenDocument>(generator);
        document::<verify::RepairedDocument>(generator);
        generator.subschema_for::<verify::VerifyDocument>()
    });
    of("commands/view", document::<view::ViewDocument>);
    of("commands/why", document::<why::WhyDocument>);
    all
}

fn any<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<T>()
}

/// A document that is printed with the version of its format before all else, see
/// [`Context::print`](super::Context::print).
fn document<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    let schema = generator.subschema_for::<T>();
    let known = generator.definitions_mut().get_mut(&*T::schema_name());
    if let Some(known) = known.and_then(Value::as_object_mut) {
        let mut first = |name: &str, version: Value| match &mut known[name] {
            Value::Object(all) => {
                let others = std::mem::take(all);
                all.insert("v".to_owned(), version);
                all.extend(others);
            }
            Value::Array(all) => all.insert(0, "v".into()),
            _ => {}
        };
        let description = "Version of this format.";
        let version = json!({"type": "integer", "format": "uint32", "minimum": 0, "description": description});
        first("properties", version);
        first("required", Value::Null);
    }
    schema
}

/// Returns name and schema of the structured file of a format: the shared shape, with the format's
/// name.
fn structured(format: Format, generator: &mut SchemaGenerator) -> (String, Schema) {
    let mut schema = generator.subschema_for::<Plan>();
    let named = json!({"format": {"const": format.name()}});
    schema.insert("properties".to_owned(), named);
    (format.structured().replace(".json", ""), schema)
}

/// The schema of input that others write: fields with a default are optional.
fn accepted<T: JsonSchema>() -> Schema {
    let settings = schema_settings().with(|it| it.inline_subschemas = true);
    settings.into_generator().into_root_schema_for::<T>()
}

/// What a run prints last: `plan`, `revise`, `resume` and their kind with `--json`.
#[derive(JsonSchema)]
#[schemars(untagged)]
#[allow(dead_code, reason = "each is printed where a run ends that way")]
enum RunDocument {
    /// A version was published.
    Published(outcome::PublishedDocument),
    /// Calls wait for replies by hand.
    Waiting(by_hand::WaitingDocument),
    /// Ctrl-C, SIGTERM or SIGHUP; the run can be resumed.
    Interrupted(outcome::InterruptedDocument),
    /// With `--dry-run`: what would be sent.
    Rehearsed(rehearse::RehearsalDocument),
    /// It ended with an error, or waits for a human.
    Error(ErrorDocument<'static>),
}

/// A line of `--output-format stream-json`: an event as it is recorded, and
/// last the document of the command, which has `exit_code`.
#[derive(JsonSchema)]
#[schemars(untagged)]
#[allow(dead_code, reason = "lines are printed one by one")]
enum StreamLine {
    /// An event of the transcript.
    Event(Box<Entry>),
    /// The document of the command, as the last line.
    End(Box<RunDocument>),
}
