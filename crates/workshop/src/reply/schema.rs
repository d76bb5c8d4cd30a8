//! Strict JSON Schemas of answers: every field is required, and no other field is allowed.

use std::sync::LazyLock;

use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use serde_json::Value;

use super::{
    Contribution, DevPlan, DocumentKind, DocumentReply, FindingAnswer, GeneralAnswer, Look,
    ProductPlan, ReportWords, RiskAssessment, Synthesis, SystemDesign, TeamPlan, TestPlan,
};
use crate::chat::{AnswerSchema, Schema};

macro_rules! strict {
    ($type:ty) => {
        strict!($type, strict_schema)
    };
    ($type:ty, $made:ident) => {{
        static SCHEMA: LazyLock<Schema> = LazyLock::new(|| $made::<$type>().into());
        &*SCHEMA
    }};
}

/// Schema of every answer in the discussion.
pub fn contribution_schema() -> AnswerSchema {
    AnswerSchema::new("contribution", strict!(Contribution))
}

/// Schema of an answer to a question that is asked outside the meeting.
pub fn answer_schema() -> AnswerSchema {
    AnswerSchema::new("answer", strict!(GeneralAnswer))
}

/// Schema of a final document as its writer submits it.
pub fn document_schema(kind: DocumentKind) -> AnswerSchema {
    let schema = match kind {
        DocumentKind::ProductPlan => strict!(DocumentReply<ProductPlan>),
        DocumentKind::SystemDesign => strict!(DocumentReply<SystemDesign>),
        DocumentKind::DevPlan => strict!(DocumentReply<DevPlan>),
        DocumentKind::TestPlan => strict!(DocumentReply<TestPlan>),
        DocumentKind::RiskAssessment => strict!(DocumentReply<RiskAssessment>),
    };
    AnswerSchema::new(kind.name(), schema)
}

/// Schema of the coach's words for the report.
pub fn report_schema() -> AnswerSchema {
    AnswerSchema::new("report", strict!(ReportWords, looking))
}

/// One schema for every answer of a plan. It also has fields for a document and for the report's
/// words, which are null unless the call asks for them. An endpoint that counts the schema as the
/// first part of a prompt can then cache the prefix that all calls share.
pub fn any_answer_schema() -> AnswerSchema {
    static SCHEMA: LazyLock<Schema> = LazyLock::new(|| any_answer().into());
    AnswerSchema::new("answer", &SCHEMA)
}

fn any_answer() -> Value {
    let mut schema = strict_schema::<Contribution>();
    let documents = DocumentKind::ALL.map(|kind| document_schema(kind).schema);
    let of_document = |name: &str| documents.map(|document| document["properties"][name].clone());
    let null = serde_json::json!({"type": "null"});
    let choice = |options: Vec<Value>| {
        let mut choice: Vec<Value> = Vec::new();
        for option in options {
            let inner = option["anyOf"].as_array().cloned();
            for one in inner.unwrap_or_else(|| vec![option]) {
                if !choice.contains(&one) {
                    choice.push(one);
                }
            }
        }
        serde_json::json!({"anyOf": choice})
    };
    let properties = &mut schema["properties"];
    let findings = [
        &properties["findings"],
        &documents[0]["properties"]["findings"],
    ];
    let findings = findings.map(|list| list["items"].clone());
    properties["findings"] = serde_json::json!({
        "type": "array", "items": choice(findings.into()),
    });
    properties["accounts"] = documents[0]["properties"]["accounts"].clone();
    properties["document"] = choice(of_document("document").into());
    properties["report"] = choice(vec![Value::clone(report_schema().schema), null]);
    tighten(&mut schema);
    schema
}

/// Schema of a team's plan.
pub fn team_plan_schema() -> AnswerSchema {
    AnswerSchema::new("team_plan", strict!(TeamPlan, looking))
}

/// Schema of the synthesis that a team's lead makes of all results.
pub fn synthesis_schema() -> AnswerSchema {
    AnswerSchema::new("synthesis", strict!(Synthesis, looking))
}

/// Like [`synthesis_schema`], with the outcome of each finding of a review.
pub fn amended_synthesis_schema() -> AnswerSchema {
    static SCHEMA: LazyLock<Schema> = LazyLock::new(|| {
        let mut schema = looking::<Synthesis>();
        schema["properties"]["findings"] = strict_schema::<Vec<FindingAnswer>>();
        tighten(&mut schema);
        schema.into()
    });
    AnswerSchema::new("amended_synthesis", &SCHEMA)
}

/// The schema of an answer that may request lookups first. The recorded answer does not hold them.
fn looking<T: schemars::JsonSchema>() -> Value {
    let mut schema = strict_schema::<T>();
    let mut looks = strict_schema::<Vec<Look>>();
    looks["description"] =
        "What has to be seen before the answer; if it is not empty, all else is ignored.".into();
    schema["properties"]["looks"] = looks;
    tighten(&mut schema);
    schema
}

/// Returns the settings of all schemas. A description is the comment of a type or field; its lines
/// are joined, and its paragraphs stay apart.
pub fn schema_settings() -> SchemaSettings {
    SchemaSettings::draft2020_12().with_transform(RecursiveTransform(
        |schema: &mut schemars::Schema| {
            if let Some(Value::String(text)) = schema.get_mut("description") {
                let paragraphs: Vec<String> =
                    text.split("\n\n").map(|it| it.replace('\n', " ")).collect();
                *text = paragraphs.join("\n\n");
            }
        },
    ))
}

/// Derives a schema without references and with every field required.
fn strict_schema<T: schemars::JsonSchema>() -> Value {
    let settings = schema_settings().with(|settings| {
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

/// Makes every object strict, removes keywords that strict modes reject, and writes a choice among
/// words as one `enum`, which all endpoints support.
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
                match words(&options) {
                    Some(words) => {
                        map.insert("type".to_owned(), Value::from("string"));
                        map.insert("enum".to_owned(), Value::Array(words));
                    }
                    None => {
                        map.insert("anyOf".to_owned(), options);
                    }
                }
            }
            map.values_mut().for_each(tighten);
        }
        Value::Array(items) => items.iter_mut().for_each(tighten),
        _ => {}
    }
}

/// The words of a choice in which every option is a single constant.
fn words(options: &Value) -> Option<Vec<Value>> {
    options
        .as_array()?
        .iter()
        .map(|option| option.get("const").cloned())
        .collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use serde::Serialize;

    use super::*;
    use crate::reply::{
        Answerer, AskedQuestion, CoachPart, Fate, FateKind, IssueSeverity, NewIssue, PlanText,
        Position, Stance,
    };

    const FORBIDDEN: [&str; 12] = [
        "$ref",
        "$defs",
        "oneOf",
        "allOf",
        "const",
        "format",
        "pattern",
        "minimum",
        "maximum",
        "minLength",
        "maxLength",
        "maxItems",
    ];

    /// Visits every place of a schema that holds a schema, with its path.
    fn walk(schema: &Value, path: &str) {
        let map = schema.as_object().unwrap();
        for keyword in FORBIDDEN {
            assert!(!map.contains_key(keyword), "{path} has `{keyword}`");
        }
        if let Some(properties) = map.get("properties") {
            let names: Vec<&String> = properties.as_object().unwrap().keys().collect();
            let required: Vec<&str> = map["required"]
                .as_array()
                .unwrap()
                .iter()
                .map(|r| r.as_str().unwrap())
                .collect();
            assert_eq!(names, required, "{path}");
            assert_eq!(map["additionalProperties"], false, "{path}");
            for (name, property) in properties.as_object().unwrap() {
                walk(property, &format!("{path}.{name}"));
            }
        } else {
            assert!(
                map.get("type") != Some(&Value::from("object")),
                "{path} has no properties"
            );
        }
        if let Some(items) = map.get("items") {
            walk(items, &format!("{path}[]"));
        }
        for branch in map
            .get("anyOf")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
        {
            walk(branch, &format!("{path}|"));
        }
    }

    #[test]
    fn schemas_keep_to_what_every_strict_mode_takes() {
        let documents = DocumentKind::ALL.map(document_schema);
        for answer in documents
            .into_iter()
            .chain([contribution_schema(), report_schema()])
            .chain([synthesis_schema(), amended_synthesis_schema()])
        {
            assert_eq!(answer.schema["type"], "object", "{}", answer.name);
            walk(answer.schema, answer.name);
        }
    }

    fn accepts(schema: &Value, sample: &impl Serialize) {
        let validator = jsonschema::validator_for(schema).unwrap();
        let sample = serde_json::to_value(sample).unwrap();
        let faults: Vec<String> = validator
            .iter_errors(&sample)
            .map(|e| e.to_string())
            .collect();
        assert!(faults.is_empty(), "{faults:?}");
    }

    #[test]
    fn schemas_accept_what_the_types_write() {
        let member = Contribution {
            analysis: "a".to_owned(),
            positions: vec![Position {
                issue: "I-1".to_owned(),
                stance: Stance::Refine,
                proposal: Some("p".to_owned()),
                why: "w".to_owned(),
                changed_because: None,
                backs: None,
                against: None,
            }],
            questions: vec![AskedQuestion {
                of: Answerer::User,
                question: "q".to_owned(),
                why: "w".to_owned(),
                blocks: None,
                options: vec!["o".to_owned()],
                recommended: "r".to_owned(),
            }],
            new_issues: vec![NewIssue {
                key: "n1".to_owned(),
                title: "t".to_owned(),
                detail: "d".to_owned(),
                severity: IssueSeverity::Minor,
            }],
            ..Contribution::default()
        };
        let coach = Contribution {
            coach: Some(CoachPart {
                fates: vec![Fate {
                    issue: "I-1".to_owned(),
                    fate: FateKind::Settled,
                    cites: Some("PP".to_owned()),
                    wording: None,
                    into: Vec::new(),
                    reason: None,
                }],
                ..CoachPart::default()
            }),
            ..Contribution::default()
        };
        accepts(contribution_schema().schema, &member);
        accepts(contribution_schema().schema, &coach);
        accepts(
            document_schema(DocumentKind::ProductPlan).schema,
            &DocumentReply::new(ProductPlan::default()),
        );
        accepts(
            document_schema(DocumentKind::SystemDesign).schema,
            &DocumentReply::new(SystemDesign::default()),
        );
        accepts(
            document_schema(DocumentKind::DevPlan).schema,
            &DocumentReply::new(DevPlan::default()),
        );
        accepts(
            document_schema(DocumentKind::TestPlan).schema,
            &DocumentReply::new(TestPlan::default()),
        );
        accepts(
            document_schema(DocumentKind::RiskAssessment).schema,
            &DocumentReply::new(RiskAssessment::default()),
        );
        let mut report = serde_json::to_value(ReportWords {
            plan: Some(PlanText::default()),
            ..ReportWords::default()
        })
        .unwrap();
        report["looks"] = serde_json::json!([]);
        accepts(report_schema().schema, &report);
    }
}
