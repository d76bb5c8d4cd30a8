//! Length limits for texts and lists in answer schemas, for endpoints that accept them.
//!
//! Some endpoints compile the schema into a grammar and enforce it on every token. There the schema
//! is not part of the prompt, so it can differ from call to call without breaking the cached
//! prefix. Fields that a call does not ask for are closed, and texts and lists are limited to what
//! fits into the allowed answer length. This makes a small model that repeats itself stop; a good
//! model never reaches the limits. For all other endpoints the schema is the start of every prompt,
//! so it only gets length limits. They are the same for every call and wide enough for a long
//! answer to one question.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use serde_json::{Map, Value, json};

use super::document;
use crate::chat::{AnswerSchema, Schema};

/// Longest text in a grammar, in characters.
const MAX_CHARS: u64 = 1900;
/// Longest text anywhere, in characters, and most entries of a list. The reply parser keeps as
/// much.
const KEPT: (u64, u64) = (8000, 64);
/// Longest id or key, in characters.
const ID_CHARS: u64 = 16;
/// Below this number of tokens, field names take up much of an answer. Texts then get less than
/// their proportional share, and lists of secondary remarks get one entry.
const SCANT: u64 = 800;
/// Most ids in one list.
const MAX_IDS: u64 = 6;

/// Fields that hold an id, a code or a key.
pub(super) const IDS: [&str; 12] = [
    "id", "same_as", "key", "issue", "item", "feedback", "member", "blocks", "whom", "from",
    "backs", "against",
];
/// Patterns of the ids that the engine assigns, for a grammar. Without them a small model writes
/// the beginning of a sentence there, and its statement about the issue is lost. A vote is about
/// `END`, a debate may be about its own question, a team's debate about a phase.
const ENGINE_IDS: [(&str, &str); 4] = [
    ("issue", "^([IDP]-[0-9]{1,3}|END)$"),
    ("blocks", "^I-[0-9]{1,3}$"),
    ("item", "^C-[0-9]{1,3}$"),
    ("feedback", "^F-[0-9]{1,3}$"),
];
/// The list whose entries name a question by its id. Elsewhere `question` holds the text.
const NAMES_A_QUESTION: &str = "relays";
/// Short lists of all other answers.
const SHORT_LISTS: [&str; 6] = [
    "looks",
    "command",
    "corrections",
    "questions",
    "options",
    "reminders",
];

/// What one call asks for, by field names.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct CallFields {
    /// Fields that must be empty: a list has no entries, a nullable field is null.
    pub silent: Vec<&'static str>,
    /// Fields that must be filled: a list has at least one entry, a nullable field is not null.
    pub wanted: &'static [&'static str],
}

/// How the schema is enforced by an endpoint.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum SchemaEnforcement {
    /// By a grammar that is made for one kind of call.
    Call(CallFields),
    /// By length limits that are the same for every call.
    Lengths,
}

/// Maximum size of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct AnswerSize {
    /// Maximum number of tokens.
    pub tokens: u64,
    /// Whether it is written in Chinese. A Chinese character carries more and costs many models a
    /// token or more, so texts get a third as many characters.
    pub han: bool,
}

/// Returns the schema with limits for an answer that fits into `room` and holds what the call asks
/// for.
///
/// The same arguments return the same schema for the life of the process.
pub fn bounded(answer: AnswerSchema, hold: SchemaEnforcement, room: AnswerSize) -> AnswerSchema {
    type Key = (&'static str, SchemaEnforcement, AnswerSize);
    static MADE: Mutex<BTreeMap<Key, &'static Schema>> = Mutex::new(BTreeMap::new());
    let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    // There is one schema for each kind of call and length. They are few, so none is evicted.
    let bounded = *made
        .entry((answer.name, hold.clone(), room))
        .or_insert_with(|| {
            let (focus, is_wide) = match hold {
                SchemaEnforcement::Call(focus) => (focus, false),
                SchemaEnforcement::Lengths => (CallFields::default(), true),
            };
            let bounds = SchemaBounds {
                focus,
                room,
                is_wide,
            };
            let mut schema = Value::clone(answer.schema);
            bounds.object(&mut schema, 0);
            Box::leak(Box::new(schema.into()))
        });
    AnswerSchema { bounded, ..answer }
}

struct SchemaBounds {
    focus: CallFields,
    room: AnswerSize,
    /// Whether a length is only an upper bound and not a share of the answer.
    is_wide: bool,
}

impl SchemaBounds {
    fn object(&self, schema: &mut Value, depth: u32) {
        let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
        for (name, field) in properties.into_iter().flatten() {
            if self.focus.silent.contains(&name.as_str()) {
                close(field);
                continue;
            }
            if self.focus.wanted.contains(&name.as_str()) {
                open(field);
            }
            self.field(name, field, depth);
            if name == NAMES_A_QUESTION && !self.is_wide {
                field["items"]["properties"]["question"]["pattern"] = json!("^Q-[0-9]{1,3}$");
                field["items"]["properties"]["question"]["maxLength"] = json!(ID_CHARS);
            }
        }
    }

    fn field(&self, name: &str, field: &mut Value, depth: u32) {
        let branches = field.get_mut("anyOf").and_then(Value::as_array_mut);
        for branch in branches.into_iter().flatten() {
            self.field(name, branch, depth);
        }
        if field.get("properties").is_some() {
            // The coach's part is not a list entry, so its texts may be as long as those beside it.
            self.object(field, depth);
        } else if let Some(items) = field.get_mut("items") {
            if items.get("properties").is_some() {
                self.object(items, depth + 1);
            } else if is_id_list(name) && !self.is_wide {
                items["maxLength"] = json!(ID_CHARS);
            } else {
                self.field(name, items, depth + 1);
            }
            field["maxItems"] = json!(self.entries(name, depth));
        } else if is_text(field) {
            field["maxLength"] = json!(self.chars(name, depth));
            let pattern = ENGINE_IDS.iter().find(|(id, _)| *id == name);
            if let (Some((_, pattern)), false) = (pattern, self.is_wide) {
                field["pattern"] = json!(pattern);
            }
        }
    }

    fn entries(&self, name: &str, depth: u32) -> u64 {
        if self.is_wide {
            return (self.room.tokens / 100).clamp(8, KEPT.1);
        }
        let few = match depth {
            0 if self.room.tokens < SCANT => 1,
            0 => 2,
            _ => 4,
        };
        match name {
            _ if is_id_list(name) => MAX_IDS,
            _ if SHORT_LISTS.contains(&name) || document::SHORT_LISTS.contains(&name) => few,
            _ => (self.room.tokens / 400).clamp(1, 12),
        }
    }

    fn chars(&self, name: &str, depth: u32) -> u64 {
        if self.is_wide {
            return self.room.tokens.clamp(400, KEPT.0);
        }
        if IDS.contains(&name) {
            return ID_CHARS;
        }
        let scant = self.room.tokens < SCANT;
        let share = match depth {
            0 if scant => 4,
            0 => 2,
            _ if scant => 16,
            _ => 12,
        };
        let script = if self.room.han { 3 } else { 1 };
        (self.room.tokens / share).min(MAX_CHARS) / script
    }
}

/// Returns whether it is free text and not a word from a closed list.
fn is_text(field: &Value) -> bool {
    let kind = &field["type"];
    let names_string = |names: &Vec<Value>| names.iter().any(|name| name == "string");
    field.get("enum").is_none() && (kind == "string" || kind.as_array().is_some_and(names_string))
}

/// Disallows null and the empty list.
fn open(field: &mut Value) {
    if field.get("items").is_some() {
        field["minItems"] = json!(1);
    }
    if let Some(kinds) = field.get_mut("type").and_then(Value::as_array_mut) {
        kinds.retain(|kind| kind != "null");
    }
    let branches = field.get("anyOf").and_then(Value::as_array);
    let filled = branches.and_then(|all| all.iter().find(|branch| branch["type"] != "null"));
    if let Some(filled) = filled.cloned() {
        *field = filled;
    }
}

fn close(field: &mut Value) {
    if field.get("items").is_some() {
        field["maxItems"] = json!(0);
    } else {
        *field = Value::Object(Map::from_iter([("type".to_owned(), json!("null"))]));
    }
}

/// Whether the entries of a list are ids; those of a merge are `into`.
fn is_id_list(name: &str) -> bool {
    name == "into" || document::ID_LISTS.contains(&name)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::reply::{DocumentKind, contribution_schema, document_schema, report_schema};

    fn room(tokens: u64) -> AnswerSize {
        AnswerSize { tokens, han: false }
    }

    fn call(answer: AnswerSchema, focus: CallFields, room: AnswerSize) -> &'static Value {
        bounded(answer, SchemaEnforcement::Call(focus), room).bounded
    }

    /// Every text and list has a limit; the limits scale with the answer.
    fn walk(schema: &Value, path: &str, chars: u64, entries: u64) {
        match schema {
            Value::Object(map) => {
                if map.contains_key("items") {
                    assert!(map["maxItems"].as_u64().unwrap() <= entries, "{path}");
                }
                if is_text(schema) {
                    assert!(map["maxLength"].as_u64().unwrap() <= chars, "{path}");
                }
                for (name, value) in map {
                    walk(value, &format!("{path}.{name}"), chars, entries);
                }
            }
            Value::Array(list) => list
                .iter()
                .for_each(|value| walk(value, path, chars, entries)),
            _ => {}
        }
    }

    #[test]
    fn every_text_and_list_has_an_end() {
        let documents = DocumentKind::ALL.map(document_schema);
        for answer in documents
            .into_iter()
            .chain([contribution_schema(), report_schema()])
        {
            for tokens in [256, 4096, 200_000] {
                for hold in [
                    SchemaEnforcement::Lengths,
                    SchemaEnforcement::Call(CallFields::default()),
                ] {
                    let made = bounded(answer, hold.clone(), room(tokens));
                    let (chars, entries) = match hold {
                        SchemaEnforcement::Lengths => KEPT,
                        SchemaEnforcement::Call(_) => (MAX_CHARS, 12),
                    };
                    walk(made.bounded, answer.name, chars, entries);
                    assert!(jsonschema::validator_for(made.bounded).is_ok());
                    assert_eq!(made.schema, answer.schema);
                }
            }
        }
    }

    #[test]
    fn a_longer_answer_may_say_more() {
        let of = |tokens| call(contribution_schema(), CallFields::default(), room(tokens));
        let analysis = |schema: &Value| schema["properties"]["analysis"]["maxLength"].clone();
        assert_eq!(analysis(of(1200)), 600);
        assert_eq!(analysis(of(4096)), MAX_CHARS);
        let positions = |schema: &Value| schema["properties"]["positions"].clone();
        assert_eq!(positions(of(1200))["maxItems"], 3);
        assert_eq!(positions(of(4096))["maxItems"], 10);
        assert_eq!(positions(of(320))["maxItems"], 1);
        assert_eq!(analysis(of(320)), 80);
        let questions = |schema: &Value| schema["properties"]["questions"]["maxItems"].clone();
        assert_eq!(
            (questions(of(320)), questions(of(1200))),
            (json!(1), json!(2))
        );
        let han = AnswerSize {
            tokens: 1200,
            han: true,
        };
        let chinese = call(contribution_schema(), CallFields::default(), han);
        assert_eq!(analysis(chinese), 200);
        let entry = &positions(of(1200))["items"]["properties"];
        assert_eq!(entry["proposal"]["maxLength"], 100);
        assert_eq!(entry["issue"]["maxLength"], ID_CHARS);
        assert_eq!(entry["stance"].get("maxLength"), None);
        let takes = |name: &str, text: &str| {
            let validator = jsonschema::validator_for(&entry[name]).unwrap();
            validator.is_valid(&json!(text))
        };
        for id in ["I-1", "I-120", "D-2", "P-3", "END"] {
            assert!(takes("issue", id), "{id}");
        }
        for words in ["I-1 refine", "The problem of", "", "C-1"] {
            assert!(!takes("issue", words), "{words}");
        }
        // `about` is a list of ids in a report, and a text in a correction.
        let corrections = &of(1200)["properties"]["corrections"]["items"]["properties"];
        assert_eq!(corrections["about"]["maxLength"], 100);
        let report = call(report_schema(), CallFields::default(), room(1200));
        let decide = &report["properties"]["decide"]["items"]["properties"];
        assert_eq!(decide["about"]["items"]["maxLength"], ID_CHARS);
    }

    #[test]
    fn a_call_gets_what_it_asks_for_and_nothing_else() {
        let focus = CallFields {
            silent: vec!["positions", "coach"],
            wanted: &[],
        };
        let schema = call(contribution_schema(), focus, room(1200));
        let accepts = |value: Value| jsonschema::validator_for(schema).unwrap().is_valid(&value);
        let mut answer = json!({
            "looks": [], "analysis": "a", "positions": [], "corrections": [], "questions": [],
            "new_issues": [], "notes": [], "evidence": [], "findings": [], "verdicts": [],
            "coach": null,
        });
        assert!(accepts(answer.clone()));
        answer["coach"] = json!({
            "size": null, "fates": [], "relays": [], "reminders": [], "withdraw": [],
            "more_divergences": [], "divergence": null, "no_debate": [], "ruling": null,
        });
        assert!(!accepts(answer.clone()));
        let focus = CallFields {
            silent: vec!["relays"],
            wanted: &["coach", "fates"],
        };
        let of_coach = call(contribution_schema(), focus, room(1200));
        let silent = json!({
            "looks": [], "analysis": "a", "positions": [], "corrections": [], "questions": [],
            "new_issues": [], "notes": [], "evidence": [], "findings": [], "verdicts": [],
            "coach": null,
        });
        assert!(
            !jsonschema::validator_for(of_coach)
                .unwrap()
                .is_valid(&silent)
        );
        assert!(
            !jsonschema::validator_for(of_coach)
                .unwrap()
                .is_valid(&answer)
        );
        answer["coach"]["fates"] = json!([{
            "issue": "I-1", "fate": "open", "cites": null, "wording": null, "into": [],
            "reason": "r",
        }]);
        assert!(
            jsonschema::validator_for(of_coach)
                .unwrap()
                .is_valid(&answer)
        );
        answer["coach"]["relays"] = json!([{
            "question": "Q-1", "answer": null, "cites": null, "for": null,
        }]);
        assert!(
            !jsonschema::validator_for(of_coach)
                .unwrap()
                .is_valid(&answer)
        );
    }

    #[test]
    fn lengths_alone_leave_room_for_a_long_answer() {
        let schema = bounded(
            contribution_schema(),
            SchemaEnforcement::Lengths,
            room(4096),
        )
        .bounded;
        let field = |path: &str| schema.pointer(path).unwrap().clone();
        assert_eq!(field("/properties/analysis/maxLength"), 4096);
        assert_eq!(field("/properties/positions/maxItems"), 40);
        let why = "/properties/positions/items/properties/why/maxLength";
        assert_eq!(field(why), 4096);
        // The purpose of a call does not change the schema there.
        let coach = field("/properties/coach");
        assert_eq!(coach["type"], json!(["object", "null"]));
    }

    #[test]
    fn the_same_is_made_once() {
        let one = call(report_schema(), CallFields::default(), room(777));
        let other = call(report_schema(), CallFields::default(), room(777));
        assert!(std::ptr::eq(one, other));
    }
}
