//! Looks: what a member requests to see before its answer counts.
//!
//! An answer may contain looks instead of anything else; the call is then repeated with the
//! results. The looks of one member in a round are shown to everybody who speaks later; members
//! that work in parallel see only their own looks until all of them have answered.

mod previous;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::budget;
use super::event::{Event, Note, Receipt, StopUnit};
use super::format::Format;
use super::illegal::{Verdict, ensure};
use super::inputs::Survey;
use super::inquiry::Excerpt;
use super::issue::IssueRecord;
use super::notes::note;
use super::state::{DiscussionItem, State};
use super::trial::{self, Trial};
use crate::call::{CallId, DebatePart, Purpose};
use crate::chat::AnswerSchema;
use crate::fault::texts;
use crate::ids::IssueId;
use crate::reply::{
    self, Look, LookKind, amended_synthesis_schema, contribution_schema, document_schema,
    report_schema, synthesis_schema, team_plan_schema,
};
use crate::role::RoleId;

/// Maximum number of looks in one answer.
pub const MAX_LOOKS: usize = 6;
/// Maximum number of answers with looks in one turn.
pub const MAX_TIMES_LOOKED: u32 = 3;

/// How much of the repository is shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Depth {
    /// Nothing of the repository is shown.
    Off,
    /// What a search at the start finds.
    Map,
    /// That, and what members look at.
    #[default]
    Looks,
}

/// How a run comes to know the repository.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Grounding {
    /// How much is shown. Default: looks.
    pub depth: Depth,
    /// What looks may bring into the prompts of one round, in tokens. Default 24,000.
    pub round_tokens: u64,
    /// What the map of the repository may take of a prompt, in tokens. Default 8,000.
    #[serde(default = "map_tokens")]
    pub map_tokens: u64,
}

fn map_tokens() -> u64 {
    8_000
}

impl Default for Grounding {
    fn default() -> Self {
        Self {
            depth: Depth::Looks,
            round_tokens: 24_000,
            map_tokens: map_tokens(),
        }
    }
}

/// A look and what it brought.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LookResult {
    /// What was to be seen.
    #[serde(flatten)]
    pub look: Look,
    /// The places that were found, in order; empty if nothing was.
    #[serde(default)]
    pub found: Vec<Excerpt>,
    /// A note: why there is nothing, or that there is more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remark: Option<String>,
    /// The result, if it was a trial that was started.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trial: Option<Trial>,
}

impl LookResult {
    /// Returns a look without a result.
    pub fn of(look: Look) -> Self {
        Self {
            look,
            found: Vec::new(),
            remark: None,
            trial: None,
        }
    }
}

/// A turn's looks, as recorded.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct LookRecord {
    /// The call that was answered with them.
    pub call: CallId,
    /// The looks, with their results.
    pub seen: Vec<LookResult>,
    /// The issue it was looked up for, after the speech that raised it.
    pub issue: Option<IssueId>,
}

/// All looks of a run.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Looks {
    /// The looks, in the order of the transcript.
    pub all: Vec<LookRecord>,
    /// How often turns that are not over have looked, by [`CallId::unlooked`].
    times: BTreeMap<CallId, u32>,
}

impl Looks {
    /// Returns everything that was looked at, in the order of the transcript.
    pub fn seen(&self) -> impl Iterator<Item = &LookResult> {
        self.all.iter().flat_map(|record| &record.seen)
    }

    /// Returns how often the turn of a call has looked so far.
    pub fn times_looked(&self, call: &CallId) -> u32 {
        self.times
            .get(&call.unlooked())
            .copied()
            .unwrap_or_default()
    }

    /// Returns the next call of this turn: after its looks so far, at its first attempt.
    pub fn due(&self, call: &CallId) -> CallId {
        CallId {
            look: self.times_looked(call),
            ..call.unlooked()
        }
    }

    /// Returns the looks of one turn, in order, as indices into all looks.
    pub fn of_turn(&self, call: &CallId) -> impl Iterator<Item = usize> {
        let turn = call.unlooked();
        let asked = self.times_looked(call) as usize;
        // The latest ones, since only the current turn is asked for.
        let own = move |record: &LookRecord| record.call.unlooked() == turn;
        let last = self.all.iter().enumerate().rev();
        let mut own: Vec<usize> = last
            .filter(|(_, record)| own(record))
            .map(|(index, _)| index)
            .take(asked)
            .collect();
        own.reverse();
        own.into_iter()
    }
}

/// Returns whether the answer of this call may be a request to look.
pub fn may(state: &State, call: &CallId) -> bool {
    is_given(state, call) && leaves_room(state, call)
}

/// Returns whether members may look in this call, budget aside.
pub(super) fn is_given(state: &State, call: &CallId) -> bool {
    let inputs = &state.inputs;
    let survey = state.grounding.survey.as_ref();
    let somewhere = survey.is_some_and(Survey::can_be_searched);
    let purpose = match call.purpose {
        Purpose::Judgment => inputs.format != Format::Team,
        Purpose::Speech
        | Purpose::Relay
        | Purpose::Step
        | Purpose::Debate(DebatePart::Argument)
        | Purpose::Document(_)
        | Purpose::Review => true,
        _ => false,
    };
    let mut shown = LookKind::ALL
        .into_iter()
        .filter(|kind| *kind != LookKind::Try || inputs.trials);
    let has_tools = shown.any(|kind| has_tool(state, &call.member, kind));
    inputs.rules.grounding.depth == Depth::Looks
        && purpose
        && somewhere
        && has_tools
        && call.look < MAX_TIMES_LOOKED
}

/// Returns whether the budget is enough for a look by a writer: for everything that is still to be
/// written and one more call. Such looks are paid from what the discussion left over, not from what
/// is kept back for the closing.
fn leaves_room(state: &State, call: &CallId) -> bool {
    if !call.purpose.is_closing() {
        return true;
    }
    let Some(open) = state.calls.open.get(call) else {
        return true;
    };
    let kinds = state.document_kinds();
    let unwritten = kinds
        .iter()
        .filter(|kind| !state.documents.written.contains_key(kind));
    let left = unwritten.count() as u64 + 1;
    budget::figures(state)
        .into_iter()
        .all(|(unit, (committed, limit))| {
            let one = match unit {
                StopUnit::NanoUsd => open.reserve_usd.nanos(),
                _ => open.reserve,
            };
            committed.saturating_add(one.saturating_mul(left)) <= limit
        })
}

fn has_tool(state: &State, member: &RoleId, kind: LookKind) -> bool {
    let role = state.inputs.roles.find(member.as_str());
    let tools = role.and_then(|role| role.tools.as_ref());
    let named = |tools: &Vec<String>| tools.iter().any(|tool| tool == kind.name());
    // A run that began before this kind existed has no template for it.
    let has_words = kind != LookKind::Ask || state.inputs.templates.contains_key(ASKING);
    has_words && tools.is_none_or(named)
}

/// The template for a sub-question to the member's own model, separate from the meeting.
pub const ASKING: &str = "prompt/ask.j2";
/// Maximum number of sub-questions in one answer.
const MAX_QUESTIONS: usize = 2;
/// Maximum length of an answer to a sub-question, in characters.
const MAX_ANSWER: usize = 4_000;
/// Maximum length of the sub-question in the heading of its answer, in characters.
const MAX_HEAD: usize = 120;

/// Returns whether members make such calls in parallel, so that each sees only its own looks.
pub fn is_apart(state: &State, purpose: Purpose) -> bool {
    match purpose {
        Purpose::Speech => state.is_blind_round(),
        Purpose::Judgment | Purpose::Relay => false,
        _ => true,
    }
}

/// Returns the schema of the answer to a call; `amends` as in [`CallId::amends`].
pub fn answer_schema(format: Format, (purpose, amends): (Purpose, bool)) -> AnswerSchema {
    match purpose {
        Purpose::Judgment if format == Format::Team => team_plan_schema(),
        Purpose::Report if format == Format::Team && amends => amended_synthesis_schema(),
        Purpose::Report if format == Format::Team => synthesis_schema(),
        Purpose::Document(kind) => document_schema(kind),
        Purpose::Report => report_schema(),
        _ => contribution_schema(),
    }
}

/// Returns the event of an answer that requests looks; `None` if it requests none or may not look.
/// The results are added at the edge.
pub(super) fn wanted(state: &State, receipt: &Receipt, text: &str) -> Option<Event> {
    if !may(state, &receipt.call) {
        return None;
    }
    let what_for = (receipt.call.purpose, receipt.call.amends());
    let schema = answer_schema(state.inputs.format, what_for).schema;
    let mut looks = reply::read_looks(text, schema);
    looks.retain(|look| !look.what.trim().is_empty() || !look.command.is_empty());
    if looks.is_empty() {
        return None;
    }
    let (looks, others): (Vec<Look>, _) = looks
        .into_iter()
        .partition(|look| has_tool(state, &receipt.call.member, look.kind));
    let mut looks = looks;
    let mut too_many = looks.split_off(looks.len().min(MAX_LOOKS));
    let mut questions = 0;
    looks.retain(|look| {
        questions += usize::from(look.kind == LookKind::Ask);
        let is_taken = look.kind != LookKind::Ask || questions <= MAX_QUESTIONS;
        if !is_taken {
            too_many.push(look.clone());
        }
        is_taken
    });
    let text = "more looks than one answer may hold; left out";
    let mut notes: Vec<Note> = too_many.iter().map(|look| note(&look.what, text)).collect();
    let text = "this member cannot look in this way; left out";
    notes.extend(others.iter().map(|look| note(&look.what, text)));
    let seen = looks.into_iter().map(LookResult::of);
    Some(Event::Look {
        receipt: receipt.clone(),
        seen: seen.collect(),
        asked: Vec::new(),
        notes,
    })
}

/// Checks that a sub-question belongs to a call in progress and was not asked before.
pub(super) fn check_question(state: &State, question: &CallId) -> Verdict {
    let call = question.unasking();
    state.ensure_is_open(&call)?;
    let is_put = state.calls.open.contains_key(question);
    let is_one = is_given(state, &call) && question.ask as usize <= MAX_QUESTIONS;
    ensure!(
        is_one && !is_put,
        "`{question}` is no question of a call that is being made"
    );
    Ok(())
}

/// Checks that the looks come from an expected answer that may look.
fn check(state: &State, call: &CallId, seen: &[LookResult], asked: &[Receipt]) -> Verdict {
    // The budget had room when the look was requested; other calls may have used it since.
    ensure!(is_given(state, call), "call `{call}` may not look");
    let is_short = seen.len() <= MAX_LOOKS;
    ensure!(is_short, "an answer holds at most {MAX_LOOKS} looks");
    let questions = seen.iter().filter(|one| one.look.kind == LookKind::Ask);
    let calls = question_calls(call, questions.count());
    let mut left = calls.iter();
    let are_own = asked.iter().all(|one| left.any(|call| *call == one.call));
    ensure!(are_own, "an answer is to no question of this call");
    let is_place = |find: &Excerpt| {
        let is_lines = (1..=find.to).contains(&find.from);
        is_lines || (find.from, find.to) == (0, 0)
    };
    let all = seen.iter().flat_map(|one| &one.found).all(is_place);
    ensure!(all, "what was found names no place");
    trial::check_seen(state, call, seen)
}

/// Returns the event with the results added, if it is a look; any other event unchanged.
pub fn with_found(
    state: &State,
    mut event: Event,
    find: impl FnOnce(&[Look]) -> Vec<LookResult>,
) -> Event {
    if let Event::Look { seen, .. } = &mut event {
        let looks: Vec<Look> = seen.iter().map(|one| one.look.clone()).collect();
        // Results match looks by position; a look without a result found nothing.
        let looked = seen.iter_mut().zip(find(&looks));
        for (one, found) in looked.filter(|(one, _)| one.look.kind != LookKind::Try) {
            one.found = found.found;
            one.remark = found.remark;
        }
        let is_previous = |one: &&mut LookResult| one.look.kind == LookKind::Previous;
        for one in seen.iter_mut().filter(is_previous) {
            let found = previous::part(state, &one.look.what);
            one.remark = found
                .is_none()
                .then(|| NO_PART.of(state.inputs.doc_lang).to_owned());
            one.found = found.into_iter().collect();
        }
    }
    event
}

fn question_calls(call: &CallId, questions: usize) -> Vec<CallId> {
    let number = |n: usize| CallId {
        ask: n as u32,
        ..call.clone()
    };
    (1..=questions).map(number).collect()
}

/// Returns the sub-questions of an event to the member's own model, each with its call.
pub fn questions(event: &Event) -> Vec<(CallId, String)> {
    let Event::Look { receipt, seen, .. } = event else {
        return Vec::new();
    };
    let asks = seen.iter().filter(|one| one.look.kind == LookKind::Ask);
    let asks: Vec<String> = asks.map(|one| one.look.what.clone()).collect();
    let calls = question_calls(&receipt.call, asks.len());
    calls.into_iter().zip(asks).collect()
}

/// Returns the event with the answers to its sub-questions, in order; `None` is a sub-question
/// without an answer. Those at the end without an entry were not asked, because the budget has no
/// room.
pub fn with_answers(
    state: &State,
    mut event: Event,
    answers: Vec<Option<(Receipt, String)>>,
) -> Event {
    let lang = state.inputs.doc_lang;
    if let Event::Look { seen, asked, .. } = &mut event {
        let asks = seen.iter_mut().filter(|one| one.look.kind == LookKind::Ask);
        let answers = answers.into_iter().map(Some);
        for (one, answer) in asks.zip(answers.chain(std::iter::repeat_with(|| None))) {
            let nothing = if answer.is_some() { NO_ANSWER } else { NO_ROOM };
            let text = answer.flatten().and_then(|(receipt, text)| {
                asked.push(receipt);
                reply::read_answer(&text)
            });
            let head: String = one.look.what.chars().take(MAX_HEAD).collect();
            one.remark = text.is_none().then(|| nothing.of(lang).to_owned());
            one.found = text
                .map(|text| Excerpt {
                    path: GENERAL.with(lang, &[("question", &head)]),
                    from: 0,
                    to: 0,
                    text: text.chars().take(MAX_ANSWER).collect(),
                })
                .into_iter()
                .collect();
        }
    }
    event
}

texts! {
    GENERAL: "general knowledge of the model, not of this repository: {question}", "模型的一般知识，与本仓库无关：{question}";
    NO_ANSWER: "the model gave no answer", "模型没有给出回答";
    NO_ROOM: "not asked: the budget has no room for it", "预算不足，没有提问";
    NO_PART: "the version before has no such part", "上一版本没有这一部分";
}

impl State {
    /// Records a look. The turn is not over: its call is repeated with the results.
    pub(super) fn take_look(
        &mut self,
        receipt: &Receipt,
        seen: &[LookResult],
        asked: &[Receipt],
    ) -> Verdict {
        check(self, &receipt.call, seen, asked)?;
        self.take_receipt(receipt);
        asked.iter().for_each(|one| self.take_receipt(one));
        self.calls.lose_questions(&receipt.call);
        self.calls.troubled.remove(&receipt.call.first());
        seen.iter().for_each(|one| self.grounding.trials.take(one));
        let turn = receipt.call.unlooked();
        *self.grounding.looks.times.entry(turn).or_default() += 1;
        self.grounding.looks.all.push(LookRecord {
            call: receipt.call.clone(),
            seen: seen.to_vec(),
            issue: None,
        });
        if !is_apart(self, receipt.call.purpose) {
            self.discussion
                .said
                .push(DiscussionItem::Look(self.grounding.looks.all.len() - 1));
        }
        Ok(())
    }

    /// Shows everybody what a member looked at during parallel work, before what it says.
    pub(super) fn join_looks(&mut self, member: &RoleId, round: u32) {
        let joined = |said: &[DiscussionItem], index| said.contains(&DiscussionItem::Look(index));
        let own = |record: &LookRecord| {
            let call = &record.call;
            call.purpose == Purpose::Speech && call.round == round && call.member == *member
        };
        let all = self.grounding.looks.all.iter().enumerate();
        let new: Vec<usize> = all
            .filter(|(_, record)| own(record))
            .map(|(index, _)| index)
            .filter(|index| !joined(&self.discussion.said, *index))
            .collect();
        self.discussion
            .said
            .extend(new.into_iter().map(DiscussionItem::Look));
    }

    /// Returns what the speakers of the next round still see of this one: the coach's looks for its
    /// judgment, and what was found for issues that are still open.
    pub(super) fn looks_kept(&self) -> Vec<DiscussionItem> {
        let is_open = |id| self.ledger.find(id).is_some_and(IssueRecord::is_open);
        let stays = |said: &&DiscussionItem| match said {
            DiscussionItem::Look(index) => {
                self.round == 0 || self.grounding.looks.all[*index].issue.is_some_and(is_open)
            }
            _ => false,
        };
        self.discussion.said.iter().filter(stays).copied().collect()
    }

    /// Ends a turn: forgets how often it looked.
    pub(super) fn forget_times_looked(&mut self, call: &CallId) {
        self.grounding.looks.times.remove(&call.unlooked());
    }
}
