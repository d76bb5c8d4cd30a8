//! Checks the JSON files of a version against their published schemas.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::document::DocumentFile;
use super::plan::Plan;
use crate::machine::Format;
use crate::reply::{DevPlan, DocumentKind, ProductPlan, RiskAssessment, SystemDesign, TestPlan};

/// How a JSON file of a version differs from its published schema, in words; `None` if it matches,
/// or if there is no schema for the file.
///
/// The schemas are generated from the types. So a file matches if it can be parsed into its type
/// and serialised to the same JSON: no field is missing or unknown, and every value is allowed.
pub fn misfit(path: &str, text: &str) -> Option<String> {
    let of = |kind: DocumentKind| path == super::document::path(kind);
    let fits = if Format::ALL.iter().any(|format| path == format.structured()) {
        fits::<Plan>(text)
    } else if of(DocumentKind::ProductPlan) {
        fits::<DocumentFile<ProductPlan>>(text)
    } else if of(DocumentKind::SystemDesign) {
        fits::<DocumentFile<SystemDesign>>(text)
    } else if of(DocumentKind::DevPlan) {
        fits::<DocumentFile<DevPlan>>(text)
    } else if of(DocumentKind::TestPlan) {
        fits::<DocumentFile<TestPlan>>(text)
    } else if of(DocumentKind::RiskAssessment) {
        fits::<DocumentFile<RiskAssessment>>(text)
    } else {
        return None;
    };
    fits.err()
}

fn fits<T: Serialize + DeserializeOwned>(text: &str) -> Result<(), String> {
    let given: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let read: T = serde_path_to_error::deserialize(&given).map_err(|error| error.to_string())?;
    match serde_json::to_value(read) {
        Ok(written) if written == given => Ok(()),
        Ok(_) => Err("a field is missing or unknown".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}
