//! Nudges: a member whose turn is about to end without anything usable is nudged and called again,
//! up to a limit.
//!
//! They apply to the root dialogue only. Once the nudges are used up, the user is asked whether to
//! continue, so that the loop stops even if nobody stops it.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ending::EndCause;
use super::event::{EnteredIssue, Event, Note, Receipt, StopReason, StopSign};
use super::illegal::{Verdict, ensure};
use super::inputs::Inputs;
use super::question::{AnswerSource, QuestionStatus};
use super::state::{Stage, State};
use crate::call::{CallId, Purpose, Scope};
use crate::fault::{recorded, texts};
use crate::ids::QuestionId;
use crate::lang::Lang;
use crate::reply::{Answerer, AskedQuestion, Contribution, IssueSeverity, ReplyError};
use crate::role::{RoleId, RoleSpec};

/// Key of the nudge among the templates of a run.
pub const TEXT: &str = "diligence.md";
/// Default number of nudges per member.
pub const DEFAULT_PUSH_MAX: u32 = 3;
/// Members that are never nudged unless configured.
pub const SHADOWS: [&str; 2] = ["fuxi", "pangu"];

texts! {
    LEFT_OUT: "What was left out of your answer, and why:", "你的回答中略去了以下内容，原因如下：";
    NUDGED: "{code} brought nothing usable, though it was nudged {times}: continue or stop?", "催促 {code} {times} 次后仍没有可用的发言：继续还是停止？";
    COSTS: "Every further try costs a call; stopping publishes what there is as unresolved.", "每次重试都要一次调用；停止则按未达成一致发布现有结果。";
    CONTINUE: "continue", "继续";
    STOP: "stop", "停止";
}

/// What made a push due.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum IdleReason {
    /// Nothing was said, or only a tool was called.
    EmptyReply,
    /// The speech addresses no open issue and asks nothing.
    NoOpenIssue,
    /// The end is proposed while something blocking is open.
    EndProposed,
}

/// How a nudge is put to the model, as it is recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MessageKind {
    /// A message that the engine sends in the user's place.
    PromptingMsg,
}

/// The nudges of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DiligenceBook {
    /// Nudges since the last question for the user, by member.
    pub used: BTreeMap<RoleId, u32>,
    /// Nudges in the whole run, by member.
    pub pushes: BTreeMap<RoleId, u32>,
    /// Questions whether to continue, and the members they are about.
    pub forced: BTreeMap<QuestionId, RoleId>,
    /// The source of the text that switches nudges off, and the members for which they are off;
    /// `None` if nothing of the kind was recorded.
    pub off: Option<(String, Vec<RoleId>)>,
}

/// Returns the nudge; `None` if nudges are switched off or the run has no template for them.
pub fn text(inputs: &Inputs) -> Option<&str> {
    let text = inputs.templates.get(TEXT)?.trim();
    (!text.is_empty()).then_some(text)
}

/// Returns the source of the nudge: a path in the workspace, or `built-in`.
pub fn source(inputs: &Inputs) -> &str {
    inputs
        .template_sources
        .get(TEXT)
        .map_or("built-in", String::as_str)
}

/// Returns the maximum number of nudges for a member between two questions for the user; 0 is off.
pub fn push_max(inputs: &Inputs, member: &RoleId) -> u32 {
    let told = inputs.rules.ending.diligence_push_max.get(member);
    match (told, inputs.roles.find(member.as_str())) {
        (Some(told), _) => u32::try_from(*told).unwrap_or(0),
        (None, Some(role)) if is_shadow(role) => 0,
        _ => DEFAULT_PUSH_MAX,
    }
}

fn is_shadow(role: &RoleSpec) -> bool {
    role.shadow || SHADOWS.contains(&role.id.as_str())
}

/// Returns how many nudges are left for a member.
pub fn left(state: &State, member: &RoleId) -> u32 {
    let used = state.ending.diligence.used.get(member).copied();
    push_max(&state.inputs, member).saturating_sub(used.unwrap_or(0))
}

fn is_on(state: &State, member: &RoleId) -> bool {
    text(&state.inputs).is_some() && push_max(&state.inputs, member) > 0
}

/// Returns the event that follows an unusable reply: a nudge, a question for the user, or none.
pub(super) fn event(
    state: &State,
    receipt: &Receipt,
    output: &str,
    parsed: &Result<Contribution, ReplyError>,
    speech: Option<&Event>,
    proposes_end: bool,
) -> Option<Event> {
    let call = &receipt.call;
    let root = call.scope == Scope::Root;
    let pushed = matches!(
        call.purpose,
        Purpose::Judgment | Purpose::Speech | Purpose::Summary
    );
    // No nudges and no questions in a discussion that is about to end.
    let is_ending = state.ending.decided.is_some();
    if !root || !pushed || is_ending || !is_on(state, &call.member) {
        return None;
    }
    let why = idle(state, receipt, output, parsed, speech, proposes_end)?;
    if left(state, &call.member) > 0 {
        return push(state, receipt, output, speech, why);
    }
    // A proposal to end has its own question to the user.
    (why != IdleReason::EndProposed).then(|| exhausted(state, receipt, output, why))
}

fn idle(
    state: &State,
    receipt: &Receipt,
    output: &str,
    parsed: &Result<Contribution, ReplyError>,
    speech: Option<&Event>,
    proposes_end: bool,
) -> Option<IdleReason> {
    match parsed {
        Err(ReplyError::Empty | ReplyError::Silent) => return Some(IdleReason::EmptyReply),
        Err(_) => return is_tool_call(output).then_some(IdleReason::EmptyReply),
        Ok(_) => {}
    }
    let nudged = state.calls.troubled.get(&receipt.call.first());
    let insists = nudged.is_some_and(|history| history.nudged_end);
    let is_early = state.ledger.blocking().next().is_some() && leaves_blocking(state, speech);
    if proposes_end && !insists && is_early {
        return Some(IdleReason::EndProposed);
    }
    let Some(Event::Speaking { speech, .. }) = speech else {
        return None;
    };
    let is_idle = !speech.contributes() && !proposes_end && state.ledger.open().next().is_some();
    is_idle.then_some(IdleReason::NoOpenIssue)
}

/// Returns whether a blocking issue is open after this answer. A summary may settle the last
/// blocking issue and then rightly propose the end. A summary that enters the first blocking issue
/// contradicts itself; its proposal is decided like any other.
fn leaves_blocking(state: &State, said: Option<&Event>) -> bool {
    let Some(Event::ConsensusSummary {
        changes,
        new_issues,
        ..
    }) = said
    else {
        return state.ledger.blocking().next().is_some();
    };
    let settled = |id| changes.iter().any(|change| change.issue == id);
    let entered = |issue: &EnteredIssue| issue.severity == IssueSeverity::Blocking;
    state.ledger.blocking().any(|issue| !settled(issue.id)) || new_issues.iter().any(entered)
}

/// Returns whether the reply is only a tool call; there are no tools to call.
fn is_tool_call(output: &str) -> bool {
    let text = output.trim();
    if text.starts_with("<tool_call>") && text.ends_with("</tool_call>") {
        return true;
    }
    let called = |value: &serde_json::Value| {
        value.get("tool_calls").is_some()
            || (value.get("name").is_some() && value.get("arguments").is_some())
    };
    serde_json::from_str(text).is_ok_and(|value| called(&value))
}

/// Returns the nudge for the member, with what was left out of its answer, so that it does not
/// repeat that.
fn told(nudge: &str, notes: &[Note], lang: Lang) -> String {
    if notes.is_empty() {
        return nudge.to_owned();
    }
    let reason = |note: &Note| {
        format!(
            "- {}: {}",
            note.about,
            recorded::translated(&note.text, lang)
        )
    };
    let reasons: Vec<String> = notes.iter().map(reason).collect();
    format!("{nudge}\n\n{}\n{}", LEFT_OUT.of(lang), reasons.join("\n"))
}

fn push(
    state: &State,
    receipt: &Receipt,
    output: &str,
    speech: Option<&Event>,
    why: IdleReason,
) -> Option<Event> {
    let member = receipt.call.member.clone();
    let notes = match (why, speech) {
        (IdleReason::NoOpenIssue, Some(Event::Speaking { notes, .. })) => notes.clone(),
        _ => Vec::new(),
    };
    Some(Event::DiligencePush {
        kind: MessageKind::PromptingMsg,
        role: crate::chat::ChatRole::User,
        content: text(&state.inputs)?.to_owned(),
        why,
        source: source(&state.inputs).to_owned(),
        language: state.inputs.doc_lang,
        left: left(state, &member).saturating_sub(1),
        notes,
        receipt: receipt.clone(),
        output: output.to_owned(),
    })
}

fn exhausted(state: &State, receipt: &Receipt, output: &str, why: IdleReason) -> Event {
    let member = &receipt.call.member;
    Event::DiligenceExhausted {
        id: QuestionId(state.run.counters.question.saturating_add(1)),
        asked: go_on_or_stop(state, member),
        why,
        receipt: receipt.clone(),
        output: output.to_owned(),
    }
}

/// Returns the question to the user once the nudges are used up.
fn go_on_or_stop(state: &State, member: &RoleId) -> AskedQuestion {
    let code = state.inputs.roles.code(member);
    let n = push_max(&state.inputs, member);
    let lang = state.inputs.doc_lang;
    let times = match lang {
        Lang::En if n == 1 => "once".to_owned(),
        Lang::En => format!("{n} times"),
        Lang::Zh => n.to_string(),
    };
    AskedQuestion {
        of: Answerer::User,
        question: NUDGED.with(lang, &[("code", code), ("times", &times)]),
        why: COSTS.of(lang).to_owned(),
        blocks: None,
        options: [CONTINUE, STOP].map(|text| text.of(lang).to_owned()).into(),
        recommended: STOP.of(lang).to_owned(),
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum NudgeAnswer {
    /// Continue; any further words are for the members.
    Yes(Option<String>),
    /// Stop.
    Stop,
    /// Nobody answered: the run stops because nothing is said any more.
    Silence,
}

/// Parses the answer; only the user's own words can continue the run.
fn go_on(reply: &str, source: AnswerSource) -> NudgeAnswer {
    match source {
        AnswerSource::Assumed | AnswerSource::Declined => return NudgeAnswer::Silence,
        source if !source.is_own_words() => return NudgeAnswer::Stop,
        _ => {}
    }
    let said = reply.trim();
    match said.to_lowercase().trim_end_matches(['.', '。', '!', '！']) {
        "2" | "stop" | "/stop" | "end" | "停止" | "停" | "结束" => NudgeAnswer::Stop,
        "1" | "c" | "continue" | "go on" | "yes" | "继续" => NudgeAnswer::Yes(None),
        _ => NudgeAnswer::Yes(Some(said.to_owned())),
    }
}

/// Returns whether the user must decide whether to continue.
pub(super) fn asks(state: &State) -> bool {
    let forced = &state.ending.diligence.forced;
    let mut pending = state.questions.pending();
    pending.any(|question| forced.contains_key(&question.id))
}

/// Returns the event that records that nudges are off for all members or for some.
pub(super) fn switch_off(state: &State) -> Option<Event> {
    let inputs = &state.inputs;
    let due = state.stage == Stage::Judging && state.ending.diligence.off.is_none();
    let known = inputs.templates.contains_key(TEXT);
    if !due || !known {
        return None;
    }
    let members = std::iter::once(&inputs.roles.coach).chain(&inputs.roles.members);
    if text(inputs).is_none() {
        return Some(Event::DiligenceOff {
            source: source(inputs).to_owned(),
            language: inputs.doc_lang,
            members: members.map(|role| role.id.clone()).collect(),
        });
    }
    let off: Vec<RoleId> = members
        .filter(|role| push_max(inputs, &role.id) == 0)
        .map(|role| role.id.clone())
        .collect();
    (!off.is_empty()).then(|| Event::DiligenceOff {
        source: source(inputs).to_owned(),
        language: inputs.doc_lang,
        members: off,
    })
}

impl State {
    /// Records a nudge, or the question that follows the last one: the reply is paid for, and the
    /// member is called again.
    pub(super) fn take_idle(&mut self, event: &Event) -> Verdict {
        match event {
            Event::DiligencePush {
                receipt,
                why,
                content,
                notes,
                output,
                left: said_left,
                ..
            } => {
                self.ensure_idle(&receipt.call, *why)?;
                let is_known = text(&self.inputs) == Some(content);
                ensure!(is_known, "the nudge is not the run's");
                let member = &receipt.call.member;
                let now = left(self, member);
                ensure!(
                    now > 0 && *said_left == now - 1,
                    "`{member}` has {now} nudges left"
                );
                let book = &mut self.ending.diligence;
                *book.used.entry(member.clone()).or_default() += 1;
                *book.pushes.entry(member.clone()).or_default() += 1;
                let nudge = told(content, notes, self.inputs.doc_lang);
                self.note_idle(receipt, *why, &nudge, output);
            }
            Event::DiligenceExhausted {
                receipt,
                why,
                id,
                asked,
                output,
            } => {
                self.ensure_idle(&receipt.call, *why)?;
                let member = &receipt.call.member;
                let is_exhausted = push_max(&self.inputs, member) > 0 && left(self, member) == 0;
                ensure!(is_exhausted, "`{member}` has nudges left, or never had any");
                let is_asked = *asked == go_on_or_stop(self, member);
                ensure!(is_asked, "the question is another");
                let due = u64::from(self.run.counters.question) + 1;
                ensure!(u64::from(id.0) == due, "`{id}` should be `Q-{due}`");
                let nudge = text(&self.inputs).unwrap_or_default().to_owned();
                self.note_idle(receipt, *why, &nudge, output);
                let question = Contribution {
                    questions: vec![asked.clone()],
                    ..Contribution::default()
                };
                for id in self.ask(&RoleId::coach(), &question) {
                    self.ending.diligence.forced.insert(id, member.clone());
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn ensure_idle(&self, call: &CallId, why: IdleReason) -> Verdict {
        self.ensure_at(&[Stage::Judging, Stage::Speaking, Stage::Summarising])?;
        let is_pushed = matches!(
            call.purpose,
            Purpose::Judgment | Purpose::Speech | Purpose::Summary
        );
        ensure!(is_pushed, "call `{call}` asked for something else");
        ensure!(
            call.scope == Scope::Root,
            "only the root dialogue is pushed"
        );
        let is_early = why != IdleReason::EndProposed || self.ledger.blocking().next().is_some();
        ensure!(is_early, "nothing blocking is open");
        Ok(())
    }

    fn note_idle(&mut self, receipt: &Receipt, why: IdleReason, nudge: &str, output: &str) {
        self.take_receipt(receipt);
        let history = self.calls.troubled.entry(receipt.call.first()).or_default();
        history.spent_attempts = receipt.call.attempt;
        history.nudged_end |= why == IdleReason::EndProposed;
        history.last_rejected = None;
        history.last_nudged = Some((nudge.to_owned(), output.to_owned()));
        history.retry_after_ms = None;
    }

    /// Records the user's decision whether to continue. It is not an answer about the plan and does
    /// not go into the draft.
    pub(super) fn take_go_on(&mut self, id: QuestionId, reply: &str, source: AnswerSource) {
        let Some(member) = self.ending.diligence.forced.get(&id).cloned() else {
            return;
        };
        let status = QuestionStatus::Closed {
            source,
            answer: reply.to_owned(),
        };
        self.set_question(id, status);
        match go_on(reply, source) {
            NudgeAnswer::Yes(words) => {
                if let Some(words) = words {
                    self.take_words(&words);
                }
            }
            NudgeAnswer::Stop => self.ending.decided = Some(EndCause::now(self, StopReason::User)),
            NudgeAnswer::Silence => {
                let nudges = u64::from(push_max(&self.inputs, &member));
                let (reason, sign) = (StopReason::Silence, Some(StopSign::NudgesUsedUp));
                self.ending.decided = Some(EndCause::new(reason, sign, (nudges, nudges)));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_users_own_words_go_on() {
        let own = AnswerSource::Command;
        assert_eq!(go_on("Continue.", own), NudgeAnswer::Yes(None));
        assert_eq!(go_on("继续", own), NudgeAnswer::Yes(None));
        assert_eq!(go_on(" STOP ", own), NudgeAnswer::Stop);
        assert_eq!(
            go_on("ask about rows", own),
            NudgeAnswer::Yes(Some("ask about rows".to_owned()))
        );
        assert_eq!(go_on("stop", AnswerSource::Recommended), NudgeAnswer::Stop);
        for source in [AnswerSource::Assumed, AnswerSource::Declined] {
            assert_eq!(go_on("continue", source), NudgeAnswer::Silence);
        }
    }

    #[test]
    fn a_call_of_a_tool_says_nothing() {
        for (text, is) in [
            ("<tool_call>{\"name\": \"search\"}</tool_call>", true),
            ("{\"name\": \"search\", \"arguments\": {}}", true),
            ("{\"tool_calls\": []}", true),
            ("{\"name\": \"search\"}", false),
            ("I would call a tool", false),
        ] {
            assert_eq!(is_tool_call(text), is, "{text}");
        }
    }
}
