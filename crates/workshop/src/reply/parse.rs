//! Parses a model's text as an answer.

use std::collections::BTreeSet;

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::clean::{clean_page, letters};

use super::fit::{Truncation, fit};
use super::repair::object;
use super::schema::{
    amended_synthesis_schema, contribution_schema, document_schema, report_schema, team_plan_schema,
};
use super::{
    Contribution, DecisionRow, Document, DocumentKind, DocumentReply, Evidence, FindingAnswer,
    FindingVerdict, FoundDivergence, Look, PlanFinding, ReportWords, Synthesis, TeamPlan,
    TrialFile,
};

/// Why a reply is not a valid answer. The message is sent back to the model with the next attempt.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReplyError {
    /// The reply is empty.
    #[error("the reply is empty")]
    Empty,
    /// The reply is empty except for the model's reasoning.
    #[error(
        "the reply is empty: all that came is the model's thinking, and none of it is an answer"
    )]
    Thought,
    /// The answer has the right form but no content.
    #[error("`analysis` is empty and nothing else is said")]
    Silent,
    /// The reply holds no JSON object.
    #[error("the reply holds no JSON object: {0}")]
    NoJson(String),
    /// The object does not match the schema.
    #[error("the reply does not fit the schema: {0}")]
    Schema(String),
}

/// Parses an answer of the discussion.
///
/// Removes reasoning, prose and fences around the object and corrects common mistakes inside it.
/// Fills in absent lists and nullable fields, drops unknown fields, and truncates texts at
/// [`MAX_TEXT_CHARS`](super::MAX_TEXT_CHARS).
///
/// # Errors
/// The reply is empty, holds no JSON object or one that is cut off, lacks a mandatory text, or has
/// no content at all.
pub fn read_contribution(text: &str) -> Result<Contribution, ReplyError> {
    read_in_part(text).map(|read| read.said)
}

/// A parsed answer, with what was dropped from it.
#[derive(Debug, Clone, PartialEq)]
pub struct ParsedReply<T> {
    /// The answer.
    pub said: T,
    /// Lists and texts that were too long.
    pub cuts: Vec<Truncation>,
}

impl<T> ParsedReply<T> {
    fn map<U>(self, change: impl FnOnce(T) -> U) -> ParsedReply<U> {
        ParsedReply {
            said: change(self.said),
            cuts: self.cuts,
        }
    }
}

/// Like [`read_contribution`], but also returns what was cut. A divergence that does not match its
/// schema is dropped; it is no reason to ask for the whole answer again.
///
/// # Errors
/// The same as for [`read_contribution`].
pub fn read_in_part(text: &str) -> Result<ParsedReply<Contribution>, ReplyError> {
    let (mut value, cuts) = fitted(text, contribution_schema().schema)?;
    keep_readable::<Look>(&mut value["looks"]);
    keep_readable::<Evidence>(&mut value["evidence"]);
    keep_readable::<PlanFinding>(&mut value["findings"]);
    keep_readable::<FindingVerdict>(&mut value["verdicts"]);
    if let Some(coach) = value.get_mut("coach").filter(|coach| coach.is_object()) {
        keep_readable::<FoundDivergence>(&mut coach["more_divergences"]);
        let first = &mut coach["divergence"];
        if typed::<FoundDivergence>(first.clone()).is_err() {
            *first = Value::Null;
        }
    }
    let answer: Contribution = typed(value)?;
    let silent =
        answer.analysis.trim().is_empty() && !answer.contributes() && answer.coach.is_none();
    if silent {
        return Err(ReplyError::Silent);
    }
    Ok(ParsedReply { said: answer, cuts })
}

/// Returns what an answer asks to look up first, whatever else it holds. Empty if the answer asks
/// for nothing or cannot be parsed.
pub fn read_looks(text: &str, schema: &Value) -> Vec<Look> {
    let knows = |value: &Value| has(value, "looks");
    let Ok(value) = object(text, &knows).map(|value| unwrapped(value, schema)) else {
        return Vec::new();
    };
    let given = value.as_object().and_then(|map| {
        let mut fields = map.iter();
        fields.find_map(|(name, field)| (letters(name) == "looks").then_some(field))
    });
    let Some(given) = given else {
        return Vec::new();
    };
    let mut looks = given.clone();
    fit(&mut looks, &schema["properties"]["looks"]);
    keep_readable::<Look>(&mut looks);
    let mut looks: Vec<Look> = typed(looks).unwrap_or_default();
    let files = looks.iter_mut().flat_map(|look| &mut look.files);
    files.for_each(TrialFile::drop_fillers);
    looks
}

/// Returns a model's answer to a question asked outside the meeting: the `answer` field, or the
/// whole text if the model wrote no object. `None` if there is no answer.
pub fn read_answer(text: &str) -> Option<String> {
    let knows = |value: &Value| has(value, "answer");
    let answer = match object(text, &knows) {
        Ok(value) => value["answer"].as_str()?.to_owned(),
        Err(_) => text.to_owned(),
    };
    let answer = clean_page(answer.trim());
    (!answer.is_empty() && !answer.starts_with('{')).then_some(answer)
}

/// Removes list entries that cannot be parsed. They are secondary, and no reason to ask for the
/// whole answer again.
fn keep_readable<T: DeserializeOwned>(list: &mut Value) {
    match list {
        Value::Array(list) => list.retain(|entry| typed::<T>(entry.clone()).is_ok()),
        other => *other = Value::Array(Vec::new()),
    }
}

/// Parses a final document and what its writer adds to it. Its ids are still the writer's local
/// keys. The document may also come alone, without the object around it.
///
/// # Errors
/// The same as for [`read_contribution`], or there is neither a document nor a lookup.
pub fn read_document(
    kind: DocumentKind,
    text: &str,
) -> Result<ParsedReply<DocumentReply<Document>>, ReplyError> {
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
) -> Result<ParsedReply<DocumentReply<Document>>, ReplyError> {
    let (mut value, cuts) = fitted(text, document_schema(kind).schema)?;
    // Older recordings have no accounts.
    let is_bare = !text.contains("\"accounts\"");
    keep_readable::<Look>(&mut value["looks"]);
    keep_readable::<Evidence>(&mut value["evidence"]);
    let written = DocumentReply {
        is_bare,
        ..typed::<DocumentReply<T>>(value)?
    };
    if written.document.is_none() && written.looks.is_empty() {
        let what = "`document` is null";
        return Err(ReplyError::Schema(what.to_owned()));
    }
    Ok(ParsedReply {
        said: written.map(document),
        cuts,
    })
}

/// Parses the coach's words for the report.
///
/// # Errors
/// The same as for [`read_contribution`].
pub fn read_report(text: &str) -> Result<ParsedReply<ReportWords>, ReplyError> {
    // If all calls share one schema, the words are in a field of their own.
    let whole = object(text, &|_| false).ok();
    let words = whole.as_ref().and_then(|whole| whole.get("report"));
    let words = words
        .filter(|words| words.is_object())
        .map(Value::to_string);
    let text = words.as_deref().unwrap_or(text);
    let read: ParsedReply<ReportWords> = read(text, report_schema().schema)?;
    Ok(read.map(|words| ReportWords {
        decide: choices(words.decide),
        ..words
    }))
}

/// The decisions left to the user, without duplicates and without any whose alternative is the
/// recommended answer. Models fill up a list if the prompt says that it may be long.
fn choices(entries: Vec<DecisionRow>) -> Vec<DecisionRow> {
    // Punctuation inside a word counts: `C++` is not `C#`, and `1.5 GB` is not `15 GB`.
    let bare = |text: &str| {
        let marks = |c: &char| !c.is_whitespace() && !"*_`".contains(*c);
        let text: String = text.chars().filter(marks).collect();
        let ends: &[_] = &['.', '。', '?', '？', '!', '！', ':', '：'];
        text.trim_end_matches(ends).to_lowercase()
    };
    let mut seen = BTreeSet::new();
    let is_choice = |entry: &DecisionRow| {
        let recommended = bare(&entry.recommended);
        recommended.is_empty() || recommended != bare(&entry.otherwise)
    };
    entries
        .into_iter()
        .filter(|entry| is_choice(entry) && seen.insert(bare(&entry.what)))
        .collect()
}

/// Parses a team's plan. Keys and names are still the lead's.
///
/// # Errors
/// The same as for [`read_contribution`].
pub fn read_team_plan(text: &str) -> Result<ParsedReply<TeamPlan>, ReplyError> {
    read(text, team_plan_schema().schema)
}

/// Parses the synthesis by a team's lead, and the outcome of a review's findings if the lead was
/// asked about them.
///
/// # Errors
/// The same as for [`read_contribution`].
pub fn read_synthesis(
    text: &str,
) -> Result<ParsedReply<(Synthesis, Vec<FindingAnswer>)>, ReplyError> {
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
    Ok(ParsedReply {
        said: (words, typed(findings.unwrap_or_default())?),
        cuts,
    })
}

/// Returns whether a text holds a complete object: fenced, within prose, or in lenient JSON.
pub fn holds_object(text: &str) -> bool {
    object(text, &|_| false).is_ok()
}

/// Returns whether a text answers `schema`, wherever the text was found: it holds an object with
/// every required field, or it is only an object that has some of the fields.
pub fn answers(text: &str, schema: &Value) -> bool {
    let is_bare = text.trim_start().starts_with(['{', '`']);
    let says_all = |value: &Value| forms(schema).any(|form| says_all(value, form));
    let knows_any = |value: &Value| forms(schema).any(|form| knows_any(value, form));
    let fits = |value: &Value| says_all(value) || (is_bare && knows_any(value));
    object(text, &says_all).is_ok_and(|value| fits(&value))
}

fn read<T: DeserializeOwned>(text: &str, schema: &Value) -> Result<ParsedReply<T>, ReplyError> {
    let (mut value, cuts) = fitted(text, schema)?;
    // A call that looks something up is asked again, and the recorded answer has no field for it.
    value.as_object_mut().map(|fields| fields.remove("looks"));
    Ok(ParsedReply {
        said: typed(value)?,
        cuts,
    })
}

/// Parses and fits the object in a text; also returns what was truncated.
fn fitted(text: &str, schema: &Value) -> Result<(Value, Vec<Truncation>), ReplyError> {
    if text.trim().is_empty() {
        return Err(ReplyError::Empty);
    }
    let says_all = |value: &Value| forms(schema).any(|form| says_all(value, form));
    let found = object(text, &says_all)?;
    let alone = forms(schema).skip(1).any(|form| knows_any(&found, form));
    let mut value = match alone && !has(&found, "document") {
        // The document came alone, or with the fields of the expected object beside its own.
        true => {
            let mut around = found.clone();
            around["document"] = found;
            around
        }
        false => unwrapped(found, schema),
    };
    if !knows_any(&value, schema) {
        // An object from the prose or an inner one. With its fields filled in it would have no
        // content.
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

/// Returns the answer itself if a model wrapped it, for example in `{"contribution": {…}}`, or
/// wrote it as the arguments of a tool call.
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

/// The forms an answer may take: the schema itself, or the document alone if the schema has other
/// fields beside it.
fn forms(schema: &Value) -> impl Iterator<Item = &Value> {
    let document = &schema["properties"]["document"];
    let branches = document["anyOf"].as_array().into_iter().flatten();
    let alone = branches.chain([document]);
    std::iter::once(schema).chain(alone.filter(|form| form["properties"].is_object()))
}

/// Returns whether the object has at least one field of the answer, in any spelling.
fn knows_any(value: &Value, schema: &Value) -> bool {
    fields(schema).any(|field| has(value, field))
}

/// Fields that are empty in most answers. Models omit them if no schema is enforced.
const BY_THE_WAY: [&str; 6] = [
    "looks", "evidence", "findings", "verdicts", "accounts", "notes",
];

/// Returns whether the object, or one inside it, has every field of the answer. Strict schemas
/// require all fields, so a reply that has the last one was not cut off before it.
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
        map.contains_key(field) || map.keys().any(|key| letters(key) == letters(field))
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::{IssueSeverity, LookKind, MAX_TEXT_CHARS, Stance};
    use super::*;

    #[test]
    fn what_weak_models_leave_out_is_filled_in() {
        let text = r#"{"analysis": "Yes.", "mood": "good",
            "positions": {"issue": "I-1", "stance": "Agree", "why": "clear"},
            "new_issues": [{"key": 1, "title": "T", "detail": "D", "severity": " Minor "}]}"#;
        let answer = read_contribution(text).unwrap();
        assert_eq!(answer.positions[0].stance, Stance::Agree);
        assert_eq!(answer.positions[0].proposal, None);
        assert_eq!(answer.new_issues[0].severity, IssueSeverity::Minor);
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
        for (first, more, kept) in [
            (taste.as_str(), "[]", 0),
            (silent.as_str(), whole, 1),
            ("\"PP and RP\"", "7", 0),
            (whole, &*format!("[{taste}, {whole}]"), 2),
            ("null", "[]", 0),
        ] {
            let text = format!(
                r#"{{"analysis":"a","coach":{{"fates":[{{"issue":"I-1","fate":"open"}}],
                "divergence":{first},"more_divergences":{more}}}}}"#
            );
            let coach = read_contribution(&text).unwrap().coach.unwrap();
            assert_eq!(coach.fates.len(), 1);
            assert_eq!(coach.divergences().count(), kept, "{text}");
        }
    }

    #[test]
    fn a_file_of_a_trial_is_never_cut() {
        let long = "x".repeat(MAX_TEXT_CHARS + 1);
        let text = format!(
            r#"{{"looks": [{{"kind": "try", "what": "it", "command": ["true"],
            "files": [{{"path": "a", "text": "{long}", "edits": []}}, {{"path": "b",
            "text": null, "edits": [{{"old": "{long}", "new": "{long}"}}]}}]}}]}}"#
        );
        let looks = read_looks(&text, contribution_schema().schema);
        assert_eq!(looks[0].files[0].text.as_ref(), Some(&long));
        let edit = &looks[0].files[1].edits[0];
        assert_eq!((&edit.old, &edit.new), (&long, &long));
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
        // In the schema that all answers of a run share, most fields are empty.
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
