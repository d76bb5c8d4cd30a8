//! Checks the JSON files of a version against their published schemas.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::document::{DocumentFile, HEAD};
use super::plan::Plan;
use crate::machine::Format;
use crate::reply::{DevPlan, DocumentKind, ProductPlan, RiskAssessment, SystemDesign, TestPlan};

/// The first difference between a JSON file of a version and its published schema, in words. `None`
/// if it matches, or if there is no schema for the file.
///
/// The schemas are generated from the types. So a file matches if it can be parsed into its type
/// and serialised to the same JSON: no field is missing or unknown, and every value is allowed.
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

/// As [`fits`]. If that fails, the content is parsed again without the head fields, because the
/// error's path is lost when both are parsed together.
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
