//! The published JSON Schemas, written from the Rust types.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;

use super::document::DocumentFile;
use super::plan::Plan;
use crate::reply::{DevPlan, DocumentKind, ProductPlan, RiskAssessment, SystemDesign, TestPlan};
use crate::workshop::Entry;

/// Every published schema: file name such as `planning.ai.schema.json`, and its text.
///
/// `transcript.schema.json` is of one line of the transcript without its hash `h`.
pub fn schemas() -> Vec<(String, String)> {
    let document = |kind: DocumentKind| format!("{}.schema.json", kind.name());
    vec![
        file::<Plan>("planning.ai.schema.json".to_owned()),
        file::<DocumentFile<ProductPlan>>(document(DocumentKind::ProductPlan)),
        file::<DocumentFile<SystemDesign>>(document(DocumentKind::SystemDesign)),
        file::<DocumentFile<DevPlan>>(document(DocumentKind::DevPlan)),
        file::<DocumentFile<TestPlan>>(document(DocumentKind::TestPlan)),
        file::<DocumentFile<RiskAssessment>>(document(DocumentKind::RiskAssessment)),
        file::<Entry>("transcript.schema.json".to_owned()),
    ]
}

/// A schema as it is published: `name`, such as `plan.schema.json`, and its text.
pub fn file<T: JsonSchema>(name: String) -> (String, String) {
    // What is published is what is written, not what would be accepted.
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    schema.insert(
        "title".to_owned(),
        name.trim_end_matches(".schema.json").into(),
    );
    (name, format!("{:#}\n", schema.as_value()))
}
