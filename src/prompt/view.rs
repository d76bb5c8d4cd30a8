//! What templates are given: the state in plain values, every text cleaned.

use serde_json::{Value, json};

use super::text::{block, clean, clean_json, line};
use crate::reply::{Document, DocumentKind, Severity, Stance};
use crate::role::{RoleId, RoleSpec};
use crate::workshop::{
    AnswerSource, CallId, DraftLine, FirstRound, Inputs, IssueRecord, Lang, Origin, PositionRecord,
    Purpose, Question, QuestionStatus, SHRINK_FROM_ROUND, Said, SpeechRecord, State, is_stalled,
    max_rounds,
};

/// Longest reminder shown, in characters: it stands outside the fences.
const MAX_REMINDER: usize = 300;
/// Refusals of the last summary shown to the coach.
const MAX_REFUSED: usize = 8;

/// Does a call hear nothing of its round: a speech of a blind first round?
pub(super) fn is_deaf(state: &State, call: &CallId) -> bool {
    call.purpose == Purpose::Speech && is_blind(&state.inputs, call.round)
}

fn is_blind(inputs: &Inputs, round: u32) -> bool {
    round == 1 && inputs.first_round == FirstRound::Blind
}

/// Rules, members and how to answer.
pub(super) fn shared(inputs: &Inputs) -> Value {
    let role = |role: &RoleSpec| {
        json!({
            "id": role.id, "code": role.code,
            "summary": line(&role.summary), "persona": clean(&role.persona),
        })
    };
    let members: Vec<Value> = inputs.roles.members.iter().map(role).collect();
    // A small answer must still hold the whole object: a word is about a
    // token and a half, and positions take more room than the speech.
    let words = (inputs.limits.max_output_tokens / 8).clamp(60, 250);
    let new_issues = match inputs.limits.max_output_tokens {
        0..1024 => 1,
        _ if inputs.light => 2,
        _ => 3,
    };
    json!({
        "coach": role(&inputs.roles.coach),
        "members": members,
        "speech_words": match inputs.doc_lang { Lang::En => words, Lang::Zh => words * 8 / 5 },
        "max_new_issues": new_issues,
    })
}

/// Requirement, revision and survey: the same in all prompts of a run.
pub(super) fn brief(state: &State) -> Value {
    let feedback: Vec<Value> = state
        .feedback
        .iter()
        .map(|item| json!({"id": item.id, "text": block(&item.text)}))
        .collect();
    let survey = state.survey.as_ref().map(|survey| {
        let hits = survey.hits.iter().map(|hit| {
            json!({
                "path": line(&hit.path), "number": hit.number, "line": line(&hit.line),
                "terms": hit.terms.iter().map(|term| line(term)).collect::<Vec<_>>(),
            })
        });
        let knowledge = survey.knowledge.iter().map(|passage| {
            json!({"shown": format!("{}\n{}", line(&passage.path), clean(&passage.text))})
        });
        json!({
            "files": survey.files,
            "tree": survey.tree.iter().map(|path| line(path)).collect::<Vec<_>>(),
            "hits": hits.collect::<Vec<_>>(),
            "knowledge": knowledge.collect::<Vec<_>>(),
        })
    });
    json!({
        "requirement": clean(&state.requirement),
        "previous": state.previous.as_ref().map(|previous| json!({"version": previous.version})),
        "feedback": feedback,
        "survey": survey,
    })
}

/// The draft's lines; `as_of_round` leaves out what the current round added.
pub(super) fn draft(state: &State, as_of_round: bool) -> Value {
    let lines: Vec<Value> = state
        .draft
        .lines()
        .iter()
        .filter(|line| !(as_of_round && is_of_this_round(state, line)))
        .map(|entry| match entry {
            DraftLine::Agreed { item } => json!({
                "is": "agreed", "id": item.id, "issue": item.issue,
                "by": state.inputs.roles.code(&item.proposed_by), "text": block(item.shown()),
            }),
            DraftLine::Withdrawn {
                item,
                feedback,
                reason,
            } => json!({
                "is": "withdrawn", "id": item, "feedback": feedback, "text": block(reason),
            }),
            DraftLine::Answered {
                question,
                text,
                answer,
            } => json!({
                "is": "answered", "id": question, "question": line(text), "text": block(answer),
            }),
            DraftLine::Assumed {
                assumption,
                question,
                text,
            } => json!({
                "is": "assumed", "id": assumption, "question": question, "text": block(text),
            }),
        })
        .collect();
    json!({ "lines": lines })
}

/// Was a line added by what was said in the current round? It then stands
/// among what was said, after the speech that caused it.
fn is_of_this_round(state: &State, line: &DraftLine) -> bool {
    match line {
        DraftLine::Agreed { item } => {
            item.version == state.inputs.version && item.round >= state.round
        }
        DraftLine::Answered { question, .. } | DraftLine::Assumed { question, .. } => {
            state.said.contains(&Said::Answer(*question))
        }
        DraftLine::Withdrawn { .. } => false,
    }
}

/// The round's issues as its beginning found them.
pub(super) fn agenda(state: &State) -> Value {
    let issues: Vec<Value> = state
        .agenda
        .iter()
        .filter_map(|id| state.ledger.find(*id))
        .map(|record| issue(state, record, said_now(state, record)))
        .collect();
    json!({"round": state.round, "issues": issues})
}

/// Every open issue with every position, outside a round.
pub(super) fn open_issues(state: &State) -> Value {
    let issues: Vec<Value> = state
        .ledger
        .open()
        .map(|record| issue(state, record, 0))
        .collect();
    json!({"round": 0, "issues": issues})
}

/// How many of an issue's positions the current round's speeches have added.
fn said_now(state: &State, record: &IssueRecord) -> usize {
    let taken = state
        .speeches_of(state.round)
        .flat_map(|speech| &speech.speech.positions)
        .filter(|position| position.issue.parse() == Ok(record.id))
        .count();
    let at_end = record
        .positions
        .iter()
        .rev()
        .take_while(|p| p.round == state.round)
        .count();
    taken.min(at_end)
}

fn issue(state: &State, record: &IssueRecord, newest_left_out: usize) -> Value {
    let earlier = &record.positions[..record.positions.len() - newest_left_out];
    let latest: std::collections::BTreeMap<&RoleId, &PositionRecord> = earlier
        .iter()
        .map(|position| (&position.member, position))
        .collect();
    let positions: Vec<Value> = state
        .inputs
        .roles
        .members
        .iter()
        .filter_map(|role| latest.get(&role.id).map(|position| (role, *position)))
        .map(|(role, position)| {
            json!({
                "code": role.code, "stance": stance(position.stance), "round": position.round,
                "proposal": position.proposal.as_deref().map(block), "why": block(&position.why),
            })
        })
        .collect();
    json!({
        "id": record.id, "title": line(&record.title), "detail": block(&record.detail),
        "severity": severity(record.severity), "from": origin(&record.origin),
        "positions": positions,
    })
}

fn origin(origin: &Origin) -> Option<String> {
    match origin {
        Origin::Feedback { feedback } => Some(feedback.to_string()),
        Origin::Refined { parent } => Some(parent.to_string()),
        Origin::Requirement | Origin::Previous | Origin::Member { .. } => None,
    }
}

/// The line that says who speaks.
pub(super) fn turn(state: &State, role: &RoleSpec, round: u32, turn: u32) -> Value {
    let reminders: Vec<String> = state
        .summaries
        .iter()
        .filter(|summary| summary.round + 1 == round)
        .flat_map(|summary| &summary.reminders)
        .filter(|reminder| reminder.member == role.code || reminder.member == role.id.as_str())
        .map(|reminder| line(&reminder.text).chars().take(MAX_REMINDER).collect())
        .collect();
    json!({
        "id": role.id, "code": role.code, "round": round, "turn": turn,
        "of": state.inputs.roles.members.len(),
        "blind": is_blind(&state.inputs, round), "reminders": reminders,
    })
}

/// A speech as the later speakers see it.
pub(super) fn speech(state: &State, record: &SpeechRecord) -> Value {
    let said = &record.speech;
    let positions = said.positions.iter().map(|p| {
        json!({
            "issue": line(&p.issue), "stance": stance(p.stance),
            "proposal": p.proposal.as_deref().map(block), "why": block(&p.why),
            "changed_because": p.changed_because.as_deref().map(block),
        })
    });
    let corrections = said
        .corrections
        .iter()
        .map(|c| json!({"whom": line(&c.whom), "about": block(&c.about)}));
    let new_issues = said.new_issues.iter().zip(&record.issues).map(|(new, id)| {
        json!({
            "id": id, "severity": severity(new.severity),
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
    json!({
        "is": "speech", "code": state.inputs.roles.code(&record.member),
        "analysis": clean(&said.analysis),
        "positions": positions.collect::<Vec<_>>(),
        "corrections": corrections.collect::<Vec<_>>(),
        "new_issues": new_issues.collect::<Vec<_>>(),
        "questions": questions.collect::<Vec<_>>(),
    })
}

/// A closed question as the later speakers see it.
pub(super) fn answer(question: &Question) -> Value {
    let (source, answer) = match &question.status {
        QuestionStatus::Closed { source, answer } => (source_word(*source), block(answer)),
        _ => ("human", String::new()),
    };
    json!({
        "is": "answer", "id": question.id, "question": line(&question.text),
        "source": source, "answer": answer, "dialogue": dialogue(question),
    })
}

fn source_word(source: AnswerSource) -> &'static str {
    match source {
        AnswerSource::Terminal
        | AnswerSource::QuestionsFile
        | AnswerSource::Command
        | AnswerSource::AnswersFile => "human",
        AnswerSource::Recommended => "recommended",
        AnswerSource::Declined => "declined",
        AnswerSource::Discussion => "discussion",
        AnswerSource::Assumed => "assumed",
    }
}

fn dialogue(question: &Question) -> Vec<Value> {
    question
        .dialogue
        .iter()
        .map(|turn| json!({"question": line(&turn.question), "reply": block(&turn.reply)}))
        .collect()
}

/// What the coach needs to make the first issue list.
pub(super) fn judgment(state: &State) -> Value {
    json!({
        "light": state.inputs.light,
        "revision": state.previous.as_ref().map(|previous| previous.version),
        "same_requirement": state
            .previous
            .as_ref()
            .is_some_and(|previous| previous.requirement == state.requirement),
        "feedback_ids": state.feedback.iter().map(|item| item.id).collect::<Vec<_>>(),
    })
}

/// Questions the coach has not looked at; at least the one the call is about.
pub(super) fn relay(state: &State, about: Option<&Question>) -> Value {
    let raised = |question: &&Question| question.status == QuestionStatus::Raised;
    let mut questions: Vec<&Question> = state.questions.iter().filter(raised).collect();
    if questions.is_empty() {
        questions.extend(about);
    }
    let shown: Vec<Value> = questions
        .iter()
        .map(|question| {
            json!({
                "id": question.id, "code": state.inputs.roles.code(&question.asked_by),
                "text": line(&question.text),
            })
        })
        .collect();
    json!({
        "ids": questions.iter().map(|question| question.id).collect::<Vec<_>>(),
        "questions": shown,
    })
}

/// A reply of the human, for the member who asked.
pub(super) fn follow_up(role: &RoleSpec, question: &Question) -> Value {
    json!({
        "id": role.id, "code": role.code, "question_id": question.id,
        "question": line(&question.text), "dialogue": dialogue(question),
    })
}

/// Where every open issue stands, for the coach who sums up.
pub(super) fn summary(state: &State) -> Value {
    let code = |member: &RoleId| state.inputs.roles.code(member).to_owned();
    let codes = |members: Vec<&RoleId>| members.into_iter().map(code).collect::<Vec<_>>();
    let issues: Vec<Value> = state
        .ledger
        .open()
        .map(|issue| {
            let members = state.inputs.roles.members.iter().map(|role| &role.id);
            let proposals = members.filter(|member| issue.proposal_of(member).is_some());
            json!({
                "id": issue.id, "severity": severity(issue.severity),
                "proposals": codes(proposals.collect()),
                "supporters": codes(issue.supporters()), "objectors": codes(issue.objectors()),
            })
        })
        .collect();
    let refused: Vec<Value> = state
        .summaries
        .last()
        .map(|summary| summary.refused.as_slice())
        .unwrap_or_default()
        .iter()
        .take(MAX_REFUSED)
        .map(|refusal| json!({"about": line(&refusal.about), "rule": refusal.rule}))
        .collect();
    json!({
        "round": state.round, "issues": issues, "stale": stale(state), "refused": refused,
        "must_shrink": state.round >= SHRINK_FROM_ROUND,
        "last_round": state.round >= max_rounds(state),
    })
}

/// Open issues that were left open last time and have had no position since.
fn stale(state: &State) -> Vec<String> {
    state
        .ledger
        .open()
        .filter(|issue| is_stalled(state, issue))
        .map(|issue| issue.id.to_string())
        .collect()
}

/// How the discussion ended, for who writes from its result.
pub(super) fn closing(state: &State) -> Value {
    let agreed = state.is_agreed();
    let items = state.draft.standing().map(|item| item.id.to_string());
    let rest = state.draft.lines().iter().filter_map(|line| match line {
        DraftLine::Answered { question, .. } => Some(question.to_string()),
        DraftLine::Assumed { assumption, .. } => Some(assumption.to_string()),
        _ => None,
    });
    json!({
        "agreed": agreed, "reason": state.stop.as_ref().map(|stop| stop.reason),
        "ids": items.chain(rest).collect::<Vec<_>>(),
    })
}

/// A document that is already there; `version` when it is the previous version's.
pub(super) fn written(
    document: &Document,
    version: Option<u32>,
) -> Result<Value, serde_json::Error> {
    let mut content = serde_json::to_value(document)?;
    if let Some(map) = content.as_object_mut() {
        // The tag is ours, no field of the answer.
        map.remove("document");
    }
    clean_json(&mut content);
    let kind = document.kind().name();
    Ok(json!({"kind": kind, "version": version, "json": content.to_string()}))
}

/// The order to write a document.
pub(super) fn document(state: &State, role: &RoleSpec, kind: DocumentKind) -> Value {
    let key = match kind {
        DocumentKind::ProductPlan => "c",
        DocumentKind::SystemDesign => "m",
        DocumentKind::DevPlan => "w",
        DocumentKind::TestPlan => "t",
        DocumentKind::RiskAssessment => "r",
    };
    json!({
        "id": role.id, "code": role.code, "kind": kind, "key": key,
        "revision": state.previous.as_ref().map(|previous| previous.version),
        "max_items": (state.inputs.limits.max_output_tokens / 170).clamp(4, 24),
    })
}

fn stance(stance: Stance) -> &'static str {
    match stance {
        Stance::Agree => "agree",
        Stance::Object => "object",
        Stance::Refine => "refine",
        Stance::Abstain => "abstain",
    }
}

fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Blocking => "blocking",
        Severity::Minor => "minor",
    }
}
