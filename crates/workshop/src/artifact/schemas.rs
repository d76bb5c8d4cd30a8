//! The published JSON Schemas, written from the Rust types.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::document::{DocumentFile, HEAD};
use super::plan::Plan;
use crate::machine::{Entry, Format};
use crate::reply::{DevPlan, DocumentKind, ProductPlan, RiskAssessment, SystemDesign, TestPlan};

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

/// Where a JSON document of a version departs from its published schema, in words;
/// none if it fits, or if no schema is published for the file.
///
/// The schemas are written from the types, so what reads back into its type and is
/// written the same again fits: every field is there, none is added, and each has a
/// value it may have.
pub fn misfit(path: &str, text: &str) -> Option<String> {
    let of = |kind: DocumentKind| path == super::document::path(kind);
    let fits = if Format::ALL.iter().any(|format| path == format.structured()) {
        fits::<Plan>(text)
    } else if of(DocumentKind::ProductPlan) {
        fits_document::<ProductPlan>(text)
    } else if of(DocumentKind::SystemDesign) {
        fits_document::<SystemDesign>(text)
    } else if of(DocumentKind::DevPlan) {
        fits_document::<DevPlan>(text)
    } else if of(DocumentKind::TestPlan) {
        fits_document::<TestPlan>(text)
    } else if of(DocumentKind::RiskAssessment) {
        fits_document::<RiskAssessment>(text)
    } else {
        return None;
    };
    fits.err()
}

fn fits<T: Serialize + DeserializeOwned>(text: &str) -> Result<(), String> {
    let given: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let read: T = serde_path_to_error::deserialize(&given).map_err(|error| error.to_string())?;
    let written = serde_json::to_value(read).map_err(|error| error.to_string())?;
    match difference(&given, &written, "") {
        None => Ok(()),
        Some(place) => Err(place),
    }
}

/// As [`fits`]; the content is read by itself for the place, which is lost where it is
/// read together with its head.
fn fits_document<T: Serialize + DeserializeOwned>(text: &str) -> Result<(), String> {
    fits::<DocumentFile<T>>(text).map_err(|why| {
        let Ok(Value::Object(mut content)) = serde_json::from_str(text) else {
            return why;
        };
        content.retain(|key, _| !HEAD.contains(&key.as_str()));
        let read: Result<T, _> = serde_path_to_error::deserialize(Value::Object(content));
        read.err().map_or(why, |error| error.to_string())
    })
}

/// The first place at which two values differ.
fn difference(given: &Value, written: &Value, at: &str) -> Option<String> {
    match (given, written) {
        (Value::Object(a), Value::Object(b)) => {
            let unknown = a.keys().find(|key| !b.contains_key(*key));
            let missing = b.keys().find(|key| !a.contains_key(*key));
            if let Some(key) = unknown {
                return Some(format!("{at}/{key}: unknown field"));
            }
            if let Some(key) = missing {
                return Some(format!("{at}/{key}: missing field"));
            }
            let mut keys = a.keys();
            keys.find_map(|key| difference(&a[key], &b[key], &format!("{at}/{key}")))
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            (0..a.len()).find_map(|nth| difference(&a[nth], &b[nth], &format!("{at}/{nth}")))
        }
        (a, b) if a == b => None,
        _ => Some(format!("{at}: no such value")),
    }
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
