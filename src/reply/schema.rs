//! JSON Schemas of answers, made strict: every field required, nothing else allowed.

use std::sync::LazyLock;

use schemars::generate::SchemaSettings;
use serde_json::Value;

use super::{
    Contribution, DevPlan, DocumentKind, ProductPlan, ReportWords, RiskAssessment, SystemDesign,
    TestPlan,
};
use crate::chat::AnswerSchema;

macro_rules! strict {
    ($type:ty) => {{
        static SCHEMA: LazyLock<Value> = LazyLock::new(|| strict_schema::<$type>());
        &*SCHEMA
    }};
}

/// Schema of every answer of the discussion.
pub fn contribution_schema() -> AnswerSchema {
    AnswerSchema {
        name: "contribution",
        schema: strict!(Contribution),
    }
}

/// Schema of a final document.
pub fn document_schema(kind: DocumentKind) -> AnswerSchema {
    let schema = match kind {
        DocumentKind::ProductPlan => strict!(ProductPlan),
        DocumentKind::SystemDesign => strict!(SystemDesign),
        DocumentKind::DevPlan => strict!(DevPlan),
        DocumentKind::TestPlan => strict!(TestPlan),
        DocumentKind::RiskAssessment => strict!(RiskAssessment),
    };
    AnswerSchema {
        name: kind.name(),
        schema,
    }
}

/// Schema of the coach's words for the report.
pub fn report_schema() -> AnswerSchema {
    AnswerSchema {
        name: "report",
        schema: strict!(ReportWords),
    }
}

/// Derives a schema without references and with every field required.
fn strict_schema<T: schemars::JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    let mut schema = settings
        .into_generator()
        .into_root_schema_for::<T>()
        .to_value();
    tighten(&mut schema);
    schema
}

/// Makes every object strict and drops keywords that strict modes refuse.
fn tighten(schema: &mut Value) {
    match schema {
        Value::Object(map) => {
            for keyword in ["title", "format", "minimum", "default"] {
                if !map.get(keyword).is_some_and(Value::is_object) {
                    map.remove(keyword);
                }
            }
            if let Some(Value::Object(properties)) = map.get("properties") {
                let names = properties.keys().cloned().map(Value::String).collect();
                map.insert("required".to_owned(), Value::Array(names));
                map.insert("additionalProperties".to_owned(), Value::Bool(false));
            }
            if let Some(options) = map.remove("oneOf") {
                map.insert("anyOf".to_owned(), options);
            }
            map.values_mut().for_each(tighten);
        }
        Value::Array(items) => items.iter_mut().for_each(tighten),
        _ => {}
    }
}
