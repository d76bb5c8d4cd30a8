//! Values for the templates: the state as plain values, with every text cleaned.

mod debate;
mod look;
mod review;
mod said;
mod task;
mod team;

pub(in crate::prompt) use debate::{
    argue, argued, debate_task, missing, motion, opening, summed_up,
};
use look::TOKENS_A_LINE;
pub(in crate::prompt) use look::{Shown, cut_off, is_out_of_room, looked, looked_in_round};
pub(in crate::prompt) use review::review;
pub(in crate::prompt) use said::{answer, debated, speech, summed, turn, words};
pub(in crate::prompt) use task::{
    closing, document, follow_up, judgment, relay, report, summary, vote, written,
};

pub(in crate::prompt) use team::{earlier_steps, phases, result, step, synthesis, team_task};

use serde_json::{Value, json};

use super::text::{block, for_model, line};
use crate::ids::QuestionId;
use crate::machine::{
    AnswerSource, ConsensusItem, Depth, DiscussionItem, DraftLine, EvidenceRecord, FeedbackItem,
    Format, Inputs, IssueOrigin, IssueRecord, KnowledgePassage, Lang, PositionRecord,
    QuestionStatus, Stage, State, Supporter, Survey, answers_under, holds_the_form, losers,
    reasons,
};
use crate::reply::Stance;
use crate::role::{RoleId, RoleSpec};

/// Rules, members and instructions for answering.
pub(in crate::prompt) fn shared(inputs: &Inputs) -> Value {
    let role = |role: &RoleSpec| {
        json!({
            "id": role.id, "code": role.code,
            "summary": line(&role.summary), "persona": for_model(&role.persona),
        })
    };
    let members: Vec<Value> = inputs.roles.members.iter().map(role).collect();
    // A small answer must still hold the whole object: a word is about a token and a half, and
    // positions take more room than the speech.
    let words = (inputs.rules.limits.max_output_tokens / 8).clamp(60, 250);
    let new_issues = match inputs.rules.limits.max_output_tokens {
        0..1024 => 1,
        _ if inputs.light => 2,
        _ => 3,
    };
    // What a turn may be shown is shared out when it begins; this is an equal part.
    let sharers = inputs.roles.members.len().max(1) as u64;
    json!({
        "look_lines": inputs.rules.grounding.round_tokens / sharers / TOKENS_A_LINE,
        "format": inputs.format.name(),
        "coach": role(&inputs.roles.coach),
        "members": members,
        "speech_words": match inputs.doc_lang { Lang::En => words, Lang::Zh => words * 8 / 5 },
        "max_new_issues": new_issues,
        "end_marker": end_marker(inputs),
        "looks": inputs.rules.grounding.depth == Depth::Looks,
        "trials": inputs.trials,
        // A person who answers by hand is not asked by a model's call.
        "asks": !inputs.asks_by_hand(),
        // Where the schema is enforced, an example is unnecessary, and a small model copies it.
        "example": !holds_the_form(&inputs.model.provider),
    })
}

/// The end marker, if members may use it.
fn end_marker(inputs: &Inputs) -> Option<&str> {
    let marker = &inputs.rules.ending.marker;
    marker
        .enable_detection
        .then_some(marker.end_marker.as_str())
}

/// What all prompts of a run start with, after the rules and personas.
#[derive(Debug, Clone, Copy)]
pub struct Opening<'a> {
    /// The format of the run.
    pub format: Format,
    /// The requirement.
    pub requirement: &'a str,
    /// The number of the version that this run revises; `None` for a first version.
    pub revised: Option<u32>,
    /// The user's feedback on that version.
    pub feedback: &'a [FeedbackItem],
    /// What the search found; `None` before the search.
    pub survey: Option<&'a Survey>,
}

/// Requirement, revision and survey: the same in all prompts of a run.
pub(in crate::prompt) fn brief(state: &State) -> Value {
    brief_of(&Opening {
        format: state.inputs.format,
        requirement: &state.task.requirement,
        revised: state
            .task
            .previous
            .as_ref()
            .map(|previous| previous.version),
        feedback: &state.task.feedback,
        survey: state.grounding.survey.as_ref(),
    })
}

/// The values for the template of the opening.
pub(in crate::prompt) fn brief_of(opening: &Opening<'_>) -> Value {
    let feedback: Vec<Value> = opening
        .feedback
        .iter()
        .map(|item| json!({"id": item.id, "text": block(&item.text)}))
        .collect();
    let survey = opening.survey.map(|survey| {
        let hits = survey.hits.iter().map(|hit| {
            let blocks = hit.blocks.iter().map(|part| {
                json!({
                    "from": part.from, "to": part.to, "name": line(&part.name),
                    "text": for_model(&part.text),
                })
            });
            json!({"path": line(&hit.path), "blocks": blocks.collect::<Vec<_>>()})
        });
        let shown = |passages: &[KnowledgePassage]| -> Vec<Value> {
            let passages = passages.iter().map(|passage| {
                json!({"shown": format!("{}\n{}", line(&passage.path), for_model(&passage.text))})
            });
            passages.collect()
        };
        json!({
            "files": survey.files,
            "tree": survey.tree.iter().map(|path| line(path)).collect::<Vec<_>>(),
            "uses": survey.uses.iter().map(|name| line(name)).collect::<Vec<_>>(),
            "hits": hits.collect::<Vec<_>>(),
            "builds": survey.builds.iter().map(|how| line(how)).collect::<Vec<_>>(),
            "rules": shown(&survey.rules),
            "knowledge": shown(&survey.knowledge),
        })
    });
    json!({
        "format": opening.format.name(),
        "requirement": for_model(opening.requirement),
        "previous": opening.revised.map(|version| json!({"version": version})),
        "feedback": feedback,
        "survey": survey,
    })
}

/// How an answer is marked in the draft. Places found in the files are not necessarily
/// an answer.
fn answered(state: &State, question: QuestionId) -> &'static str {
    let status = state
        .questions
        .find(question)
        .map(|question| &question.status);
    let is_looked_up = matches!(
        status,
        Some(QuestionStatus::Closed {
            source: AnswerSource::Repository,
            ..
        })
    );
    match is_looked_up && !state.found_for(question).is_empty() {
        true => "found",
        false => "answered",
    }
}

/// The lines of the draft; `as_of_round` leaves out what the current round added.
pub(in crate::prompt) fn draft(state: &State, as_of_round: bool) -> Value {
    draft_with(state, as_of_round, |_| json!({}))
}

/// The whole draft for members who write from it: each item with who backs it, what it prevailed
/// over and what it rests on. What rounds before `from` said is added in words, because the
/// discussion is shown only from that round on.
pub(in crate::prompt) fn final_draft(state: &State, from: u32) -> Value {
    let mut draft = draft_with(state, false, |item| grounds(state, item, from));
    let missing = state
        .discussion
        .speeches
        .iter()
        .filter(|one| one.round < from);
    let corrections = missing.flat_map(|one| {
        let by = state.inputs.roles.code(&one.member);
        let said = one.speech.corrections.iter();
        said.map(move |it| json!({"by": by, "whom": line(&it.whom), "about": block(&it.about)}))
    });
    draft["corrections"] = corrections.collect();
    draft
}

/// Why an item was agreed: by ids where the discussion is shown, otherwise in words.
fn grounds(state: &State, item: &ConsensusItem, from: u32) -> Value {
    let code = |member: &RoleId| state.inputs.roles.code(member).to_owned();
    let is_shown = |position: &&PositionRecord| position.at > 0 && position.round >= from;
    let backers = item.supporters.iter().map(|one| &one.member);
    let (shown, untold): (Vec<_>, Vec<_>) = losers(state, item).partition(is_shown);
    let instead_of = shown.iter().map(|lost| match lost.backs {
        Some(text) => format!("{text} ({})", code(&lost.member)),
        None => code(&lost.member),
    });
    let untold = untold.into_iter().map(|lost| {
        json!({
            "code": code(&lost.member), "text": lost.proposal.as_deref().map(block),
            "why": block(&lost.why),
        })
    });
    let why = reasons(state, item).filter(|position| !is_shown(position));
    let why = why.map(|it| json!({"code": code(&it.member), "text": block(&it.why)}));
    json!({
        "text_id": item.text_id,
        "backed_by": backers.filter(|id| **id != item.proposed_by).map(code).collect::<Vec<_>>(),
        "instead_of": instead_of.collect::<Vec<_>>(),
        "rests_on": answers_under(state, item).collect::<Vec<_>>(),
        "why": why.collect::<Vec<_>>(),
        "lost": untold.collect::<Vec<_>>(),
    })
}

fn draft_with(
    state: &State,
    as_of_round: bool,
    grounds: impl Fn(&ConsensusItem) -> Value,
) -> Value {
    let lines: Vec<Value> = state
        .draft
        .lines()
        .iter()
        .filter(|line| !(as_of_round && is_of_this_round(state, line)))
        .map(|entry| match entry {
            // `proposed` is the member's own text, which is set if the coach reworded it.
            DraftLine::Agreed { item } => json!({
                "is": "agreed", "id": item.id, "issue": item.issue,
                "by": state.inputs.roles.code(&item.proposed_by),
                "text": block(item.wording.as_ref().unwrap_or(&item.text)),
                "proposed": item.wording.as_ref().map(|_| block(&item.text)),
                "grounds": grounds(item),
            }),
            DraftLine::Withdrawn {
                item,
                feedback,
                reason,
                ..
            } => json!({
                "is": "withdrawn", "id": item, "feedback": feedback, "text": block(reason),
            }),
            DraftLine::Answered {
                question,
                text,
                answer,
            } => json!({
                "is": answered(state, *question), "id": question,
                "question": line(text), "text": block(answer),
            }),
            DraftLine::Assumed {
                assumption,
                question,
                text,
            } => json!({
                "is": "assumed", "id": assumption, "question": question, "text": block(text),
                "asked": state.questions.find(*question).map(|it| line(it.current_text())),
            }),
        })
        .collect();
    let evidence = state.grounding.evidence.iter();
    let known = evidence.filter(|one| !(as_of_round && one.round >= state.round));
    json!({
        "lines": lines, "corrections": [],
        "evidence": known.map(evidence_line).collect::<Vec<_>>(),
    })
}

/// A claim about existing code, and how well it was confirmed.
fn evidence_line(record: &EvidenceRecord) -> Value {
    json!({
        "id": record.id, "claim": block(&record.claim),
        "standing": record.standing,
        "place": record.place().map(|place| line(&place)),
        "quote": line(&record.quote),
    })
}

/// Returns whether a line was added in the current round. Such lines are shown among what was said,
/// after the speech that caused them.
fn is_of_this_round(state: &State, line: &DraftLine) -> bool {
    match line {
        DraftLine::Agreed { item } => {
            item.version == state.inputs.version && item.round >= state.round
        }
        DraftLine::Answered { question, .. } | DraftLine::Assumed { question, .. } => state
            .discussion
            .said
            .contains(&DiscussionItem::Answer(*question)),
        DraftLine::Withdrawn { round, .. } => *round > 0 && *round >= state.round,
    }
}

/// The round's issues as of its start.
pub(in crate::prompt) fn agenda(state: &State) -> Value {
    let issues: Vec<Value> = state
        .discussion
        .agenda
        .iter()
        .filter_map(|id| state.ledger.find(*id))
        .map(|record| issue(state, record, Some(state.round)))
        .collect();
    let concluded = debate::concluded(state, Some(state.round));
    json!({"round": state.round, "issues": issues, "concluded": concluded})
}

/// Every open issue with every position, outside a round. Before the first round positions come
/// only from debates, and those are shown among what was said.
pub(in crate::prompt) fn open_issues(state: &State) -> Value {
    let before = (state.stage <= Stage::Between).then_some(state.round);
    let issues: Vec<Value> = state
        .ledger
        .open()
        .map(|record| issue(state, record, before))
        .collect();
    let concluded = debate::concluded(state, before);
    json!({"round": 0, "issues": issues, "concluded": concluded})
}

/// An issue with each member's latest position, either from before a round or overall. Positions
/// that a merge adds at the end of a round come after that round's own.
fn issue(state: &State, record: &IssueRecord, before: Option<u32>) -> Value {
    let earlier = record.positions.iter();
    let latest: std::collections::BTreeMap<&RoleId, &PositionRecord> = earlier
        .take_while(|position| before.is_none_or(|round| position.round < round))
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
                "code": role.code, "stance": position.stance, "round": position.round,
                "backs": position.backs, "against": position.against, "why": block(&position.why),
            })
        })
        .collect();
    let texts = record.texts.iter();
    let texts = texts.filter(|text| before.is_none_or(|round| text.round() < round));
    let texts: Vec<Value> = texts
        .map(|text| {
            json!({
                "id": text.id, "by": codes(state, &text.authors), "round": text.round(),
                "from": text.from, "text": block(&text.text),
                "ruling": debate::ruling(state, text),
            })
        })
        .collect();
    json!({
        "id": record.id, "title": line(&record.title), "detail": block(&record.detail),
        "severity": record.severity, "from": origin(&record.origin),
        "left": texts.is_empty().then(|| left_open(state, record)),
        "texts": texts, "positions": positions,
    })
}

/// The texts and objections on an issue that the previous version left open; null if it did not.
/// None of them count in this run: a member that keeps its position says so again.
fn left_open(state: &State, record: &IssueRecord) -> Option<Value> {
    let previous = state.task.previous.as_ref()?;
    let mut issues = previous.issues.iter();
    let issue = issues.find(|issue| issue.id == record.id && issue.is_open())?;
    let texts = issue.standing_texts().map(|text| {
        let backers = issue.backers(text);
        let own = issue.positions.iter().find(|p| p.backs == Some(text.id));
        json!({
            "by": codes(state, &text.authors), "backed_by": codes(state, &backers),
            "text": block(&text.text), "why": own.map(|position| block(&position.why)),
        })
    });
    let objections = issue.latest();
    let objections = objections.filter(|position| position.stance == Stance::Object);
    let objections = objections.map(|position| {
        json!({"code": state.inputs.roles.code(&position.member), "why": block(&position.why)})
    });
    Some(json!({
        "version": previous.version, "texts": texts.collect::<Vec<_>>(),
        "objections": objections.collect::<Vec<_>>(),
    }))
}

fn codes(state: &State, members: &[Supporter]) -> Vec<String> {
    let codes = members
        .iter()
        .map(|one| state.inputs.roles.code(&one.member));
    codes.map(str::to_owned).collect()
}

fn origin(origin: &IssueOrigin) -> Option<String> {
    match origin {
        IssueOrigin::Feedback { feedback } => Some(feedback.to_string()),
        IssueOrigin::Refined { parent } => Some(parent.to_string()),
        IssueOrigin::Reopened { item } => Some(item.to_string()),
        IssueOrigin::Requirement | IssueOrigin::Previous | IssueOrigin::Member { .. } => None,
    }
}
