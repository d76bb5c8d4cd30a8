//! What was said in a round, and the line that calls for the next speech.

use serde_json::{Value, json};

use super::super::text::{block, for_model, line};
use crate::machine::debate::Debate;
use crate::machine::{Question, QuestionStatus, SpeechRecord, State, SummaryRecord, UserWords};
use crate::reply::Position;
use crate::role::RoleSpec;

/// Longest reminder shown, in characters. The limit is short because reminders are outside the
/// fences.
const MAX_REMINDER: usize = 300;

/// The line that says who speaks.
pub(in crate::prompt) fn turn(state: &State, role: &RoleSpec, round: u32, turn: u32) -> Value {
    let reminders: Vec<String> = state
        .discussion
        .summaries
        .iter()
        .filter(|summary| summary.round + 1 == round)
        .flat_map(|summary| &summary.reminders)
        .filter(|reminder| reminder.member == role.code || reminder.member == role.id.as_str())
        .map(|reminder| line(&reminder.text).chars().take(MAX_REMINDER).collect())
        .collect();
    let invitation = state
        .judgment
        .invited
        .iter()
        .find(|one| one.member == role.id);
    let asked = invitation.map(|one| line(&one.asked).chars().take(MAX_REMINDER).collect());
    json!({
        "id": role.id, "code": role.code, "round": round, "turn": turn,
        "of": state.speakers(round).len(),
        "asked": asked.filter(|text: &String| !text.is_empty()),
        "blind": state.inputs.is_blind(round), "reminders": reminders,
    })
}

/// A stance as other members see it, with the id that was assigned to its proposal.
pub(super) fn position(state: &State, said: &Position) -> Value {
    let issue = said.issue.parse().ok().and_then(|id| state.ledger.find(id));
    let words = said.proposal.as_deref();
    let text = issue
        .zip(words)
        .and_then(|(issue, words)| issue.same_text(words));
    json!({
        "issue": line(&said.issue), "stance": said.stance,
        "text": text.map(|text| text.id), "proposal": words.map(block),
        "backs": said.backs, "against": said.against, "why": block(&said.why),
        "changed_because": said.changed_because.as_deref().map(block),
    })
}

/// A speech as later speakers see it.
pub(in crate::prompt) fn speech(state: &State, record: &SpeechRecord) -> Value {
    let said = &record.speech;
    let positions = said.positions.iter().map(|p| position(state, p));
    let corrections = said
        .corrections
        .iter()
        .map(|c| json!({"whom": line(&c.whom), "about": block(&c.about)}));
    let new_issues = said.new_issues.iter().zip(&record.issues).map(|(new, id)| {
        json!({
            "id": id, "severity": new.severity,
            "title": line(&new.title), "detail": block(&new.detail),
        })
    });
    let questions = said
        .questions
        .iter()
        .zip(&record.questions)
        .map(|(asked, id)| {
            json!({
                "id": id, "blocks": asked.blocks.as_deref().map(line),
                "text": line(&asked.question), "why": line(&asked.why),
                "options": asked.options.iter().map(|option| line(option)).collect::<Vec<_>>(),
                "recommended": line(&asked.recommended),
            })
        });
    let notes = said
        .notes
        .iter()
        .map(|note| json!({"document": note.document, "text": block(&note.text)}));
    let evidence = state.evidence_of(&record.member, record.round, &said.evidence);
    let evidence: Vec<Value> = evidence.map(super::evidence_line).collect();
    json!({
        "is": "speech", "evidence": evidence, "code": state.inputs.roles.code(&record.member),
        "analysis": for_model(&said.analysis),
        "positions": positions.collect::<Vec<_>>(),
        "corrections": corrections.collect::<Vec<_>>(),
        "new_issues": new_issues.collect::<Vec<_>>(),
        "questions": questions.collect::<Vec<_>>(),
        "notes": notes.collect::<Vec<_>>(),
    })
}

/// The coach's summary of a round, for members who write from the discussion.
pub(in crate::prompt) fn summed(summary: &SummaryRecord) -> Value {
    json!({"is": "summary", "round": summary.round, "text": for_model(&summary.text)})
}

/// The line before the arguments of a past debate.
pub(in crate::prompt) fn debated(debate: &Debate) -> Value {
    json!({
        "is": "debate", "debate": debate.id, "round": debate.after_round,
        "topic": for_model(&debate.motion.debate_config.topic),
    })
}

/// What the user said to all members.
pub(in crate::prompt) fn words(words: &UserWords) -> Value {
    json!({"is": "human", "text": for_model(&words.text), "reopens": words.reopens})
}

/// A closed question as later speakers see it.
pub(in crate::prompt) fn answer(question: &Question) -> Value {
    let (source, answer) = match &question.status {
        QuestionStatus::Closed { source, answer } => (Some(source), block(answer)),
        _ => (None, String::new()),
    };
    // Answers in the user's own words are told alike, whichever way they came.
    let source = source.filter(|source| !source.is_own_words());
    let source = source.map_or_else(|| json!("human"), |source| json!(source));
    json!({
        "is": "answer", "id": question.id, "question": line(&question.text),
        "source": source, "answer": answer, "dialogue": dialogue(question),
    })
}

pub(super) fn dialogue(question: &Question) -> Vec<Value> {
    question
        .dialogue
        .iter()
        .map(|turn| json!({"question": line(&turn.question), "reply": block(&turn.reply)}))
        .collect()
}
