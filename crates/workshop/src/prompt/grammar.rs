//! Chooses the schema that a call's answer must match.

use crate::chat::AnswerSchema;
use crate::machine::look::answer_schema;
use crate::machine::{DebatePart, Format, Inputs, Purpose, SCRIPTED, holds_the_form};
use crate::reply::{AnswerSize, CallFields, SchemaEnforcement, any_answer_schema, bounded};

/// Providers that count the answer schema, or the tool that carries it, as the first part of a
/// prompt. They find the rest in their cache only if the schema is the same.
const SCHEMA_FIRST: [&str; 3] = ["openai", "anthropic", "openrouter"];

/// Returns whether every answer of a member with this provider uses one schema. At another address
/// than the usual one the provider is a compatible server, about which this is not known.
pub(super) fn has_one_form(inputs: &Inputs, provider: &str) -> bool {
    let is_usual = !inputs.own_addresses.contains(provider);
    inputs.format == Format::Workshop && SCHEMA_FIRST.contains(&provider) && is_usual
}

/// The schema that all answers share.
pub(super) fn one_form(room: AnswerSize) -> AnswerSchema {
    bounded(any_answer_schema(), SchemaEnforcement::Lengths, room)
}

/// The schema of an answer. If the endpoint compiles it into a grammar, which is not part of the
/// prompt, it is made for this call and limited to `room`; otherwise it only has length limits.
/// `amends` as in [`CallId::amends`](crate::machine::CallId).
pub fn schema_of(
    format: Format,
    (purpose, amends): (Purpose, bool),
    provider: &str,
    room: AnswerSize,
) -> AnswerSchema {
    let schema = answer_schema(format, (purpose, amends));
    let focus = match (format, purpose) {
        _ if amends => amendment(purpose),
        (Format::Team, Purpose::Judgment) => without_looks(),
        (Format::Team, Purpose::Summary) => review_of_a_layer(),
        (Format::Party, Purpose::Judgment) => invitations(),
        _ => focus(purpose),
    };
    match provider {
        SCRIPTED => schema,
        _ if holds_the_form(provider) => bounded(schema, SchemaEnforcement::Call(focus), room),
        _ => bounded(schema, SchemaEnforcement::Lengths, room),
    }
}

/// Fields of a contribution that may be left empty.
const PARTS: [&str; 18] = [
    "looks",
    "evidence",
    "findings",
    "verdicts",
    "size",
    "positions",
    "corrections",
    "notes",
    "questions",
    "new_issues",
    "fates",
    "relays",
    "reminders",
    "withdraw",
    "more_divergences",
    "no_debate",
    "divergence",
    "ruling",
];

/// All parts of a contribution except these.
fn all_but(open: &[&str]) -> Vec<&'static str> {
    let closed = PARTS.into_iter().filter(|part| !open.contains(part));
    closed.collect()
}

/// An answer that is not a contribution and must not look anything up.
fn without_looks() -> CallFields {
    CallFields {
        silent: vec!["looks"],
        wanted: &[],
    }
}

/// Like any judgment, except that the coach's reminders name who speaks.
fn invitations() -> CallFields {
    CallFields {
        silent: all_but(&["questions", "new_issues", "withdraw", "reminders"]),
        wanted: &["coach", "reminders"],
    }
}

/// A team has no issues to discuss: the coach reviews results and may name what is disputed.
fn review_of_a_layer() -> CallFields {
    CallFields {
        silent: all_but(&["more_divergences", "divergence"]),
        wanted: &["coach"],
    }
}

/// The parts that an answer rests on, and these.
fn with(others: &[&'static str]) -> Vec<&'static str> {
    [&PARTS[..4], others].concat()
}

/// The changes to a document, the items to remove, and an answer to every finding.
fn amendment(purpose: Purpose) -> CallFields {
    let mut focus = focus(purpose);
    let asked = ["findings", "accounts"];
    focus.silent.retain(|part| !asked.contains(part));
    if matches!(purpose, Purpose::Document(_)) {
        focus.wanted = &["document"];
    }
    focus
}

/// The fields that a call must leave empty, and those that it must fill.
fn focus(purpose: Purpose) -> CallFields {
    let (silent, wanted): (Vec<_>, &[_]) = match purpose {
        Purpose::Judgment => (
            all_but(&["size", "questions", "new_issues", "withdraw"]),
            &["coach"],
        ),
        Purpose::Speech => (with(&["coach"]), &["positions"]),
        Purpose::Relay => (all_but(&["relays"]), &["coach", "relays"]),
        Purpose::FollowUp | Purpose::Step => {
            let others = ["positions", "corrections", "notes", "new_issues", "coach"];
            (with(&others), &[])
        }
        Purpose::Summary => {
            let debates = ["more_divergences", "no_debate", "divergence"];
            let open = [&["new_issues", "fates", "reminders"], &debates[..]].concat();
            (all_but(&open), &["coach", "fates"])
        }
        Purpose::Document(_) => (
            with(&["accounts", "order", "critical_path"]),
            &[
                "document",
                "scope",
                "criteria",
                "modules",
                "decisions",
                "work",
                "cases",
                "risks",
            ],
        ),
        Purpose::Vote | Purpose::Debate(DebatePart::Argument) => {
            (with(&["questions", "new_issues", "coach"]), &["positions"])
        }
        Purpose::Review => (all_but(&["looks", "findings"]), &[]),
        Purpose::Verdict => (all_but(&["looks", "verdicts"]), &["verdicts"]),
        Purpose::Debate(DebatePart::Ruling) => (all_but(&["ruling"]), &["coach", "ruling"]),
        Purpose::Debate(_) => (all_but(&["ruling"]), &[]),
        // A whole plan does not fit into it.
        Purpose::Report => (vec!["looks", "plan"], &[]),
    };
    CallFields { silent, wanted }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use serde_json::{Value, json};

    use super::*;
    use crate::reply::{DocumentKind, contribution_schema, document_schema};

    fn part(purpose: Purpose, name: &str) -> Value {
        let schema = match purpose {
            Purpose::Document(kind) => document_schema(kind),
            _ => contribution_schema(),
        };
        let room = AnswerSize {
            tokens: 1200,
            han: false,
        };
        let schema = bounded(schema, SchemaEnforcement::Call(focus(purpose)), room).bounded;
        let document = &schema["properties"]["document"]["properties"];
        let part = document.get(name).unwrap_or(&schema["properties"][name]);
        part.clone()
    }

    #[test]
    fn every_kind_of_call_is_asked_for_its_own_part() {
        let coach = |purpose| part(purpose, "coach");
        for purpose in [Purpose::Speech, Purpose::FollowUp] {
            assert_eq!(coach(purpose), json!({"type": "null"}));
        }
        for (purpose, wanted) in [(Purpose::Summary, "fates"), (Purpose::Relay, "relays")] {
            assert_eq!(coach(purpose)["properties"][wanted]["minItems"], 1);
            assert_eq!(part(purpose, "positions")["maxItems"], 0);
        }
        assert_eq!(part(Purpose::Speech, "positions")["minItems"], 1);
        assert_eq!(part(Purpose::Judgment, "positions")["maxItems"], 0);
        // `question` holds an id in one list and the text in the other.
        let named = &coach(Purpose::Relay)["properties"]["relays"]["items"]["properties"];
        assert_eq!(named["question"]["pattern"], "^Q-[0-9]{1,3}$");
        let asked = &part(Purpose::Speech, "questions")["items"]["properties"];
        assert_eq!(asked["question"].get("pattern"), None);
        let work = Purpose::Document(DocumentKind::DevPlan);
        assert_eq!(part(work, "work")["minItems"], 1);
        assert_eq!(part(work, "critical_path")["maxItems"], 0);
    }

    /// The fate of an issue that does not exist is refused, and its tokens are wasted.
    #[test]
    fn who_looks_at_results_settles_no_issue() {
        let room = AnswerSize {
            tokens: 1200,
            han: false,
        };
        let fates = |format| {
            let schema = schema_of(format, (Purpose::Summary, false), "llamacpp", room).bounded;
            schema["properties"]["coach"]["properties"]["fates"].clone()
        };
        assert_eq!(fates(Format::Workshop)["minItems"], 1);
        assert_eq!(fates(Format::Team)["maxItems"], 0);
    }

    /// A misspelt name would close or open nothing, and nobody would notice.
    #[test]
    fn every_name_of_a_focus_is_a_field() {
        let discussion = [
            Purpose::Judgment,
            Purpose::Speech,
            Purpose::Relay,
            Purpose::FollowUp,
            Purpose::Summary,
        ];
        let fields = contribution_schema().schema.to_string();
        let others = [invitations(), review_of_a_layer()];
        let all = discussion.map(focus).into_iter().chain(others);
        for CallFields { silent, wanted } in all {
            for name in silent.iter().chain(wanted) {
                assert!(fields.contains(&format!("\"{name}\":")), "{name}");
            }
        }
    }
}
