//! The published JSON Schemas, written from the Rust types.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde_json::Value;

use super::document::DocumentFile;
use super::plan::Plan;
use crate::reply::{DevPlan, DocumentKind, ProductPlan, RiskAssessment, SystemDesign, TestPlan};
use crate::workshop::{Entry, Format};

/// Every published schema: file name such as `planning.ai.schema.json`, and its text.
///
/// `transcript.schema.json` is of one line of the transcript without its hash `h`.
pub fn schemas() -> Vec<(String, String)> {
    let document = |kind: DocumentKind| format!("{}.schema.json", kind.name());
    let mut all: Vec<_> = Format::ALL.map(structured).into();
    all.extend([
        file::<DocumentFile<ProductPlan>>(document(DocumentKind::ProductPlan)),
        file::<DocumentFile<SystemDesign>>(document(DocumentKind::SystemDesign)),
        file::<DocumentFile<DevPlan>>(document(DocumentKind::DevPlan)),
        file::<DocumentFile<TestPlan>>(document(DocumentKind::TestPlan)),
        file::<DocumentFile<RiskAssessment>>(document(DocumentKind::RiskAssessment)),
        file::<Entry>("transcript.schema.json".to_owned()),
    ]);
    all
}

/// The schema of what is structured in a version of one format: the same shape, and
/// what the format says of itself.
fn structured(format: Format) -> (String, String) {
    let mut schema = of::<Plan>();
    if let Some(Value::Object(named)) = schema.pointer_mut("/properties/format") {
        named.insert("const".to_owned(), format.name().into());
    }
    named(format.structured().replace(".json", ".schema.json"), schema)
}

/// A schema as it is published: `name`, such as `plan.schema.json`, and its text.
pub fn file<T: JsonSchema>(name: String) -> (String, String) {
    named(name, of::<T>())
}

/// A schema of what is accepted, where others write it: what may be left out is optional.
pub fn accepted_file<T: JsonSchema>(name: String) -> (String, String) {
    let settings = SchemaSettings::draft2020_12();
    named(name, settings.into_generator().into_root_schema_for::<T>())
}

fn of<T: JsonSchema>() -> Schema {
    // What is published is what is written, not what would be accepted.
    let settings = SchemaSettings::draft2020_12().for_serialize();
    settings.into_generator().into_root_schema_for::<T>()
}

fn named(name: String, mut schema: Schema) -> (String, String) {
    schema.insert(
        "title".to_owned(),
        name.trim_end_matches(".schema.json").into(),
    );
    (name, format!("{:#}\n", schema.as_value()))
}
