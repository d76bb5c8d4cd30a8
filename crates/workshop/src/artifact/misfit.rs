//! Whether the JSON documents of a version fit their published schemas.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::document::{DocumentFile, HEAD};
use super::plan::Plan;
use crate::machine::Format;
use crate::reply::{DevPlan, DocumentKind, ProductPlan, RiskAssessment, SystemDesign, TestPlan};

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
