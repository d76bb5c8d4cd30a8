//! Reads a model's text as an answer.

use std::collections::BTreeSet;

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::clean::clean_page;

use super::fit::{Cut, fit, loose};
use super::repair::object;
use super::schema::{
    amended_synthesis_schema, contribution_schema, document_schema, report_schema, team_plan_schema,
};
use super::{
    Contribution, Document, DocumentKind, Evidence, FindingAnswer, FindingVerdict, FoundDivergence,
    Look, PlanFinding, ReportWords, Synthesis, TeamPlan, ToDecide, Written,
};

/// Why a reply is no valid answer; the text is sent back to the model with the next try.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReplyError {
    /// Nothing was said.
    #[error("the reply is empty")]
    Empty,
    /// Nothing was said, but something was thought.
    #[error(
        "the reply is empty: all that came is the model's thinking, and none of it is an answer"
    )]
    Thought,
    /// There is an answer, and nothing in it.
    #[error("`analysis` is empty and nothing else is said")]
    Silent,
    /// No JSON object could be found.
    #[error("the reply holds no JSON object: {0}")]
    NoJson(String),
    /// The object does not fit the schema.
    #[error("the reply does not fit the schema: {0}")]
    Schema(String),
}

impl ReplyError {
    /// What is wrong, without the sentence around it.
    fn detail(self) -> String {
        match self {
            Self::Schema(what) | Self::NoJson(what) => what,
            other => other.to_string(),
        }
    }
}

/// Reads an answer of the discussion.
///
/// Reasoning, prose and fences around the object and common slips inside it are
/// put right, absent lists and nullable fields filled in, unknown fields left
/// out, and texts cut at [`MAX_TEXT_CHARS`](super::MAX_TEXT_CHARS).
///
/// # Errors
/// The reply is empty, holds no JSON object or one that is cut off, lacks a
/// mandatory text, or says nothing at all.
pub fn read_contribution(text: &str) -> Result<Contribution, ReplyError> {
    read_in_part(text).map(|read| read.said)
}

/// An answer, and what of it could not be taken in.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading<T> {
    /// What was taken in.
    pub said: T,
    /// Lists that were too long.
    pub cuts: Vec<Cut>,
    /// Divergences that do not fit their form.
    pub left_out: Vec<LeftOut>,
}

impl<T> Reading<T> {
    fn map<U>(self, change: impl FnOnce(T) -> U) -> Reading<U> {
        Reading {
            said: change(self.said),
            cuts: self.cuts,
            left_out: self.left_out,
        }
    }
}

/// A part of an answer that was left out, since it could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// What it is about, as far as it says so; may be empty.
    pub about: String,
    /// What is wrong with it.
    pub why: String,
}

/// As [`read_contribution`], with what was left out: a divergence that does not fit its
/// form is none, and no reason to ask for the whole answer once more.
///
/// # Errors
/// As [`read_contribution`].
pub fn read_in_part(text: &str) -> Result<Reading<Contribution>, ReplyError> {
    let (mut value, cuts) = fitted(text, contribution_schema().schema)?;
    keep_readable::<Look>(&mut value["looks"]);
    keep_readable::<Evidence>(&mut value["evidence"]);
    keep_readable::<PlanFinding>(&mut value["findings"]);
    keep_readable::<FindingVerdict>(&mut value["verdicts"]);
    let left_out = take_out_divergences(&mut value);
    let answer: Contribution = typed(value)?;
    let silent =
        answer.analysis.trim().is_empty() && !answer.contributes() && answer.coach.is_none();
    if silent {
        return Err(ReplyError::Silent);
    }
    Ok(Reading {
        said: answer,
        cuts,
        left_out,
    })
}

/// What an answer wants to see first, whatever else is in it; empty for an answer that
/// wants nothing or cannot be read.
pub fn read_looks(text: &str, schema: &Value) -> Vec<Look> {
    let knows = |value: &Value| has(value, "looks");
    let Ok(value) = object(text, &knows).map(|value| unwrapped(value, schema)) else {
        return Vec::new();
    };
    let given = value.as_object().and_then(|map| {
        let mut fields = map.iter();
        fields.find_map(|(name, field)| (loose(name) == "looks").then_some(field))
    });
    let Some(given) = given else {
        return Vec::new();
    };
    let mut looks = given.clone();
    fit(&mut looks, &schema["properties"]["looks"]);
    keep_whole(given, &mut looks);
    keep_readable::<Look>(&mut looks);
    typed(looks).unwrap_or_default()
}

/// What is run is run whole or not at all: texts of its files are not cut as others are.
fn keep_whole(given: &Value, fitted: &mut Value) {
    let looks = given.as_array().into_iter().flatten();
    for (given, fitted) in looks.zip(fitted.as_array_mut().into_iter().flatten()) {
        let files = given["files"].as_array().into_iter().flatten();
        let kept = fitted.get_mut("files").and_then(Value::as_array_mut);
        for (given, kept) in files.zip(kept.into_iter().flatten()) {
            if let (Some(text), Some(kept)) = (given["text"].as_str(), kept.get_mut("text")) {
                *kept = text.into();
            }
        }
    }
}

/// What a model answered to a question that was put apart from the meeting: the field, or
/// the words of one that wrote no object; `None` if nothing was said.
pub fn read_answer(text: &str) -> Option<String> {
    let knows = |value: &Value| has(value, "answer");
    let answer = match object(text, &knows) {
        Ok(value) => value["answer"].as_str()?.to_owned(),
        Err(_) => text.to_owned(),
    };
    let answer = clean_page(answer.trim());
    (!answer.is_empty() && !answer.starts_with('{')).then_some(answer)
}

/// Leaves out entries of a list that cannot be read: they say something by the way, and
/// are no reason to ask for the whole answer once more.
fn keep_readable<T: DeserializeOwned>(list: &mut Value) {
    match list {
        Value::Array(list) => list.retain(|entry| typed::<T>(entry.clone()).is_ok()),
        other => *other = Value::Array(Vec::new()),
    }
}

/// Takes out every divergence that cannot be read.
fn take_out_divergences(answer: &mut Value) -> Vec<LeftOut> {
    let mut left_out = Vec::new();
    let Some(coach) = answer.get_mut("coach").and_then(Value::as_object_mut) else {
        return left_out;
    };
    let mut is_read = |found: &Value| match typed::<FoundDivergence>(found.clone()) {
        Ok(_) => true,
        Err(error) => {
            let named = ["issue", "question"].map(|field| found[field].as_str().unwrap_or(""));
            left_out.push(LeftOut {
                about: named.join(": "),
                why: error.detail(),
            });
            false
        }
    };
    if let Some(first) = coach.get_mut("divergence")
        && !first.is_null()
        && !is_read(first)
    {
        *first = Value::Null;
    }
    if let Some(more) = coach.get_mut("more_divergences") {
        match more {
            Value::Array(more) => more.retain(is_read),
            other => {
                is_read(other);
                *other = Value::Array(Vec::new());
            }
        }
    }
    left_out
}

/// Reads a final document and what its writer says with it; its ids are still the writer's local
/// keys. The document may also come alone, without anything around it.
///
/// # Errors
/// As [`read_contribution`], or there is no document and nothing to look at.
pub fn read_document(
    kind: DocumentKind,
    text: &str,
) -> Result<Reading<Written<Document>>, ReplyError> {
    match kind {
        DocumentKind::ProductPlan => read_written(kind, text, Document::ProductPlan),
        DocumentKind::SystemDesign => read_written(kind, text, Document::SystemDesign),
        DocumentKind::DevPlan => read_written(kind, text, Document::DevPlan),
        DocumentKind::TestPlan => read_written(kind, text, Document::TestPlan),
        DocumentKind::RiskAssessment => read_written(kind, text, Document::RiskAssessment),
    }
}

fn read_written<T: DeserializeOwned>(
    kind: DocumentKind,
    text: &str,
    document: impl FnOnce(T) -> Document,
) -> Result<Reading<Written<Document>>, ReplyError> {
    let (mut value, cuts) = fitted(text, document_schema(kind).schema)?;
    // Recordings may know nothing of accounts.
    let is_bare = !text.contains("\"accounts\"");
    keep_readable::<Look>(&mut value["looks"]);
    keep_readable::<Evidence>(&mut value["evidence"]);
    let written = Written {
        is_bare,
        ..typed::<Written<T>>(value)?
    };
    if written.document.is_none() && written.looks.is_empty() {
        let what = "`document` is null";
        return Err(ReplyError::Schema(what.to_owned()));
    }
    Ok(Reading {
        said: written.map(document),
        cuts,
        left_out: Vec::new(),
    })
}

/// Reads the coach's words for the report.
///
/// # Errors
/// As [`read_contribution`].
pub fn read_report(text: &str) -> Result<Reading<ReportWords>, ReplyError> {
    // In an answer with one form for all calls they are in a field of their own.
    let whole = object(text, &|_| false).ok();
    let words = whole.as_ref().and_then(|whole| whole.get("report"));
    let words = words
        .filter(|words| words.is_object())
        .map(Value::to_string);
    let text = words.as_deref().unwrap_or(text);
    let read: Reading<ReportWords> = read(text, report_schema().schema)?;
    Ok(read.map(|words| ReportWords {
        decide: choices(words.decide),
        ..words
    }))
}

/// What can be decided: each choice once, and none whose other answer is the recommended
/// one. Models fill a list they were told may be long.
fn choices(entries: Vec<ToDecide>) -> Vec<ToDecide> {
    // Inner signs count: `C++` is not `C#`, and `1.5 GB` not `15 GB`.
    let bare = |text: &str| {
        let marks = |c: &char| !c.is_whitespace() && !"*_`".contains(*c);
        let text: String = text.chars().filter(marks).collect();
        let ends: &[_] = &['.', '。', '?', '？', '!', '！', ':', '：'];
        text.trim_end_matches(ends).to_lowercase()
    };
    let mut seen = BTreeSet::new();
    let is_choice = |entry: &ToDecide| {
        let recommended = bare(&entry.recommended);
        recommended.is_empty() || recommended != bare(&entry.otherwise)
    };
    entries
        .into_iter()
        .filter(|entry| is_choice(entry) && seen.insert(bare(&entry.what)))
        .collect()
}

/// Reads a team's plan; keys and names are still the lead's.
///
/// # Errors
/// As [`read_contribution`].
pub fn read_team_plan(text: &str) -> Result<Reading<TeamPlan>, ReplyError> {
    read(text, team_plan_schema().schema)
}

/// Reads what a team's lead makes of all results, and what became of the findings of a
/// review where it was asked about them.
///
/// # Errors
/// As [`read_contribution`].
pub fn read_synthesis(text: &str) -> Result<Reading<(Synthesis, Vec<FindingAnswer>)>, ReplyError> {
    let (mut value, cuts) = fitted(text, amended_synthesis_schema().schema)?;
    let fields = value.as_object_mut();
    let findings = fields.and_then(|fields| {
        fields.remove("looks");
        fields.remove("findings")
    });
    let words: Synthesis = typed(value)?;
    let words = Synthesis {
        decide: choices(words.decide),
        ..words
    };
    Ok(Reading {
        said: (words, typed(findings.unwrap_or_default())?),
        cuts,
        left_out: Vec::new(),
    })
}

/// Returns whether a text holds a whole object: fenced, amid prose, or loosely written.
pub fn holds_object(text: &str) -> bool {
    object(text, &|_| false).is_ok()
}

/// Returns whether a text is an answer to `schema`, wherever it was found: an object with every
/// required field, or nothing but an object with some of the fields.
pub fn answers(text: &str, schema: &Value) -> bool {
    let is_bare = text.trim_start().starts_with(['{', '`']);
    let says_all = |value: &Value| forms(schema).any(|form| says_all(value, form));
    let knows_any = |value: &Value| forms(schema).any(|form| knows_any(value, form));
    let fits = |value: &Value| says_all(value) || (is_bare && knows_any(value));
    object(text, &says_all).is_ok_and(|value| fits(&value))
}

fn read<T: DeserializeOwned>(text: &str, schema: &Value) -> Result<Reading<T>, ReplyError> {
    let (mut value, cuts) = fitted(text, schema)?;
    // Who looks is asked again: what is recorded of this answer has no place for it.
    value.as_object_mut().map(|fields| fields.remove("looks"));
    Ok(Reading {
        said: typed(value)?,
        cuts,
        left_out: Vec::new(),
    })
}

/// The object in a text, with what carries no meaning put right, and what was cut.
fn fitted(text: &str, schema: &Value) -> Result<(Value, Vec<Cut>), ReplyError> {
    if text.trim().is_empty() {
        return Err(ReplyError::Empty);
    }
    let says_all = |value: &Value| forms(schema).any(|form| says_all(value, form));
    let found = object(text, &says_all)?;
    let alone = forms(schema).skip(1).any(|form| knows_any(&found, form));
    let mut value = match alone && !has(&found, "document") {
        // A document alone, or with what should be around it.
        true => {
            let mut around = found.clone();
            around["document"] = found;
            around
        }
        false => unwrapped(found, schema),
    };
    if !knows_any(&value, schema) {
        // An object of some prose or an inner one: filled in, it would say nothing.
        let what = "the object has none of the fields that were asked for";
        return Err(ReplyError::Schema(what.to_owned()));
    }
    let cuts = fit(&mut value, schema);
    Ok((value, cuts))
}

fn typed<T: DeserializeOwned>(value: Value) -> Result<T, ReplyError> {
    serde_path_to_error::deserialize(value).map_err(|error| {
        let path = error.path().to_string();
        let what = error.into_inner();
        ReplyError::Schema(match path.as_str() {
            "." | "" => what.to_string(),
            path => format!("at `{path}`: {what}"),
        })
    })
}

/// The answer itself when a model put it under a name of its own, such as
/// `{"contribution": {…}}`, or wrote it as the arguments of a call.
fn unwrapped(mut value: Value, schema: &Value) -> Value {
    if knows_any(&value, schema) {
        return value;
    }
    let inner = |value: &mut Value| match value {
        Value::String(text) if text.trim_start().starts_with('{') => {
            let inner = object(text, &|value| says_all(value, schema)).ok();
            inner.filter(|inner| knows_any(inner, schema))
        }
        value => knows_any(value, schema).then(|| value.take()),
    };
    let mut found = value
        .as_object_mut()
        .into_iter()
        .flat_map(|map| map.values_mut())
        .filter_map(inner);
    match (found.next(), found.next()) {
        (Some(answer), None) => answer,
        _ => value,
    }
}

/// The forms an answer may take: as the schema has it, or, if the schema puts other things around a
/// document, the document alone.
fn forms(schema: &Value) -> impl Iterator<Item = &Value> {
    let document = &schema["properties"]["document"];
    let branches = document["anyOf"].as_array().into_iter().flatten();
    let alone = branches.chain([document]);
    std::iter::once(schema).chain(alone.filter(|form| form["properties"].is_object()))
}

/// Returns whether the object has at least one field of the answer, however it is spelt.
fn knows_any(value: &Value, schema: &Value) -> bool {
    fields(schema).any(|field| has(value, field))
}

/// What is empty in most answers, and left out by models that nothing holds to a schema.
const BY_THE_WAY: [&str; 6] = [
    "looks", "evidence", "findings", "verdicts", "accounts", "notes",
];

/// Returns whether the object, or one inside it, has every field of the answer. Strict schemas
/// require all of them, so that a reply with the last one was not cut before it.
fn says_all(value: &Value, schema: &Value) -> bool {
    let asked = |field: &&str| !BY_THE_WAY.contains(field);
    let all = |value: &Value| fields(schema).filter(asked).all(|field| has(value, field));
    all(value) || value.as_object().is_some_and(|map| map.values().any(all))
}

fn fields(schema: &Value) -> impl Iterator<Item = &str> {
    let names = schema["properties"].as_object();
    names
        .into_iter()
        .flat_map(|names| names.keys())
        .map(String::as_str)
}

fn has(value: &Value, field: &str) -> bool {
    value.as_object().is_some_and(|map| {
        map.contains_key(field) || map.keys().any(|key| loose(key) == loose(field))
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::{LookKind, MAX_TEXT_CHARS, Severity, Stance};
    use super::*;

    #[test]
    fn what_weak_models_leave_out_is_filled_in() {
        let text = r#"{"analysis": "Yes.", "mood": "good",
            "positions": {"issue": "I-1", "stance": "Agree", "why": "clear"},
            "new_issues": [{"key": 1, "title": "T", "detail": "D", "severity": " Minor "}]}"#;
        let answer = read_contribution(text).unwrap();
        assert_eq!(answer.positions[0].stance, Stance::Agree);
        assert_eq!(answer.positions[0].proposal, None);
        assert_eq!(answer.new_issues[0].severity, Severity::Minor);
        assert_eq!(answer.new_issues[0].key, "1");
        assert!(answer.questions.is_empty() && answer.coach.is_none());
        let wrapped = read_contribution(&format!("{{\"answer\": {text}}}")).unwrap();
        assert_eq!(wrapped, answer);
    }

    #[test]
    fn what_carries_meaning_is_never_made_up() {
        let cases = [
            (
                r#"{"analysis":"a","positions":[{"issue":"I-1","why":"w"}]}"#,
                "positions[0]",
                "stance",
            ),
            (
                r#"{"analysis":"a","positions":[{"issue":"I-1","stance":"maybe","why":"w"}]}"#,
                "positions[0].stance",
                "maybe",
            ),
            (r#"{"positions":[]}"#, "", "analysis"),
            (r#"{"analysis":""}"#, "", "empty"),
            (r#"{"analysis":{"text":"a"}}"#, "analysis", "string"),
            (
                r#"{"analysis":"a","coach":{"fates":[{"issue":"I-1"}]}}"#,
                "coach.fates[0]",
                "fate",
            ),
        ];
        for (text, path, what) in cases {
            let error = read_contribution(text).unwrap_err().to_string();
            assert!(
                error.contains(path) && error.contains(what),
                "{text}: {error}"
            );
        }
        assert_eq!(read_contribution(" \n"), Err(ReplyError::Empty));
    }

    #[test]
    fn a_divergence_that_cannot_be_read_is_left_out_and_the_rest_stands() {
        let whole = r#"{"issue":"I-2","criterion":"constraint","question":"Which?",
            "sides":[{"member":"PP","stands_for":"a"},{"member":"RP","stands_for":"b"}]}"#;
        let taste = whole.replace("constraint", "taste");
        let silent = whole.replace(r#","stands_for":"b""#, "");
        for (first, more, kept, why) in [
            (taste.as_str(), "[]", 0, vec!["taste"]),
            (silent.as_str(), whole, 1, vec!["stands_for"]),
            ("\"PP and RP\"", "7", 0, vec!["struct", "struct"]),
            (whole, &*format!("[{taste}, {whole}]"), 2, vec!["taste"]),
            ("null", "[]", 0, vec![]),
        ] {
            let text = format!(
                r#"{{"analysis":"a","coach":{{"fates":[{{"issue":"I-1","fate":"open"}}],
                "divergence":{first},"more_divergences":{more}}}}}"#
            );
            let Reading {
                said: answer,
                left_out,
                ..
            } = read_in_part(&text).unwrap();
            let coach = answer.coach.unwrap();
            assert_eq!(coach.fates.len(), 1);
            assert_eq!(coach.divergences().count(), kept, "{text}");
            let told: Vec<&str> = left_out.iter().map(|out| out.why.as_str()).collect();
            assert_eq!(told.len(), why.len(), "{told:?}");
            let says = told.iter().zip(&why).all(|(told, why)| told.contains(why));
            assert!(says, "{told:?}");
        }
    }

    #[test]
    fn a_file_of_a_trial_is_never_cut() {
        let long = "x".repeat(MAX_TEXT_CHARS + 1);
        let text = format!(
            r#"{{"looks": [{{"kind": "try", "what": "it", "command": ["true"],
            "files": [{{"path": "a", "text": "{long}"}}]}}]}}"#
        );
        let looks = read_looks(&text, contribution_schema().schema);
        assert_eq!(looks[0].files[0].text, long);
    }

    #[test]
    fn looks_are_read_whatever_stands_beside_them() {
        let read_a = r#"{"kind": "Read", "what": "a.rs", "from": "3", "to": 9.0}"#;
        let search = r#"{"kind": "search", "what": "open", "glob": "none"}"#;
        let schema = contribution_schema().schema;
        for (text, kinds) in [
            (format!(r#"{{"looks": [{read_a}, {search}]}}"#), 2),
            (format!(r#"{{"Looks": {read_a}, "positions": 7}}"#), 1),
            (
                format!(r#"So: {{"answer": {{"analysis": "", "looks": [{read_a}]}}}}"#),
                1,
            ),
            (
                format!(r#"{{"looks": [{{"kind": "guess", "what": "a"}}, {search}]}}"#),
                1,
            ),
            (r#"{"analysis": "a", "looks": []}"#.to_owned(), 0),
            ("I look at a.rs".to_owned(), 0),
        ] {
            let looks = read_looks(&text, schema);
            assert_eq!(looks.len(), kinds, "{text}");
            for look in looks {
                let lines = (look.kind == LookKind::Read).then_some((3, 9));
                assert_eq!(look.from.zip(look.to), lines, "{text}");
                assert_eq!(look.glob, None);
            }
        }
    }

    #[test]
    fn overlong_texts_are_cut() {
        let long = "好".repeat(MAX_TEXT_CHARS + 5);
        let answer = read_contribution(&format!("{{\"analysis\":\"{long}\"}}")).unwrap();
        assert_eq!(answer.analysis.chars().count(), MAX_TEXT_CHARS + 1);
    }

    #[test]
    fn a_choice_is_put_once_and_has_another_answer() {
        let entry = |what: &str, recommended: &str, otherwise: &str| {
            serde_json::json!({
                "what": what, "recommended": recommended, "otherwise": otherwise, "about": [],
            })
        };
        let decide = [
            entry("14 days?", "Yes", "30 days: data stays longer"),
            entry("**14 Days**", "yes", "no"),
            entry("恢复备份？", "复制名单。", "复制名单"),
            entry("导出？", "以后再说", "现在就做"),
            entry("Use C++?", "1.5 GB", "15 GB"),
            entry("Use C#?", "+5", "-5"),
        ];
        let report = serde_json::json!({"title": "t", "in_short": "s", "decide": decide});
        let read = read_report(&report.to_string()).unwrap();
        let whats: Vec<_> = read.said.decide.iter().map(|d| d.what.as_str()).collect();
        assert_eq!(whats, ["14 days?", "导出？", "Use C++?", "Use C#?"]);
        let mut synthesis = report;
        synthesis["result"] = "r".into();
        let read = read_synthesis(&synthesis.to_string()).unwrap();
        assert_eq!(read.said.0.decide.len(), 4);
    }

    #[test]
    fn documents_and_report_are_read_the_same_way() {
        let text = r#"```json
            {"understanding":"u","scope":[{"text":"s","from":"C-1"}],"criteria":[]}
            ```"#;
        let alone = read_document(DocumentKind::ProductPlan, text).unwrap().said;
        let Some(Document::ProductPlan(plan)) = &alone.document else {
            unreachable!("the kind was given");
        };
        assert_eq!(plan.scope[0].from, ["C-1"]);
        let object = text
            .trim_start_matches("```json")
            .trim()
            .trim_end_matches("```");
        for around in [
            "{\"document\": X}",
            "{\"answer\": {\"document\": X, \"accounts\": null}}",
        ] {
            let wrapped = around.replace('X', object);
            let is_bare = !wrapped.contains("accounts");
            let read = read_document(DocumentKind::ProductPlan, &wrapped)
                .unwrap()
                .said;
            assert_eq!(read.is_bare, is_bare);
            assert_eq!(read.document, alone.document);
        }
        assert!(alone.is_bare);
        // In the form that all answers of a run share, most fields are empty.
        let shared = r#"{"analysis": "", "positions": [], "coach": null, "accounts": [],
            "report": {"title": "t", "in_short": "s", "decide": []}, "document": X}"#;
        let shared = shared.replace('X', object);
        let read = read_document(DocumentKind::ProductPlan, &shared).unwrap();
        assert_eq!(read.said.document, alone.document);
        assert_eq!(read_report(&shared).unwrap().said.title, "t");
        let said_more = r#"{"document": X, "accounts": [{"id": "C-1", "used_in": "AC-1"}],
            "evidence": [{"claim": "c", "path": "a.rs", "from": "3", "to": 4, "quote": "q"}, 5]}"#;
        let said_more = said_more.replace('X', object);
        let read = read_document(DocumentKind::ProductPlan, &said_more)
            .unwrap()
            .said;
        assert_eq!(read.accounts[0].used_in.as_deref(), Some("AC-1"));
        assert_eq!((read.evidence.len(), read.evidence[0].from), (1, Some(3)));
        let looking = r#"{"document": null, "looks": [{"kind": "read", "what": "a.rs"}]}"#;
        let read = read_document(DocumentKind::ProductPlan, looking)
            .unwrap()
            .said;
        assert_eq!((read.looks.len(), read.document), (1, None));
        assert!(read_document(DocumentKind::ProductPlan, r#"{"document": null}"#).is_err());
        let words = read_report(r#"{"title":"t","in_short":"s"}"#).unwrap();
        assert!(words.said.decide.is_empty());
        assert!(read_document(DocumentKind::TestPlan, r#"{"cases":[]}"#).is_err());
    }
}
