//! What the user says to a running workshop, parsed the same way for every channel.
//!
//! `ending/transition.rs` applies it, and the words for the members are kept in `ending.words`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::debate;
use super::decide::parse_id;
use super::event::{EnteredIssue, Event, ReopenedIssue, StopReason};
use super::format::addressed;
use super::inputs::Inputs;
use super::issue::IssueOrigin;
use super::notes::line;
use super::proposal::DecidedBy;
use super::question::QuestionStatus;
use super::state::{Stage, State};
use super::vote;
use crate::fault::line::{FORMAT_ELSEWHERE, SLASH_NO_TOPIC, SLASH_UNKNOWN};
use crate::fault::{Fault, ToFault};
use crate::ids::{ConsensusId, IssueId, QuestionId};
use crate::reply::IssueSeverity;

/// By which way the user's words came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Channel {
    /// Typed at the terminal of the run.
    Terminal,
    /// A message in its inbox, or an answer in a file.
    Message,
}

impl From<Channel> for DecidedBy {
    fn from(channel: Channel) -> Self {
        match channel {
            Channel::Terminal => Self::Terminal,
            Channel::Message => Self::Message,
        }
    }
}

/// What a message of the user asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Intent {
    /// A message to the members.
    Say,
    /// A debate is to be held between rounds; the topic follows the command.
    Debate,
    /// The discussion is to end.
    Stop,
    /// The members are to vote on the end.
    VoteToEnd,
    /// Limits and detectors end the run by themselves from now on.
    AutoExitOn,
    /// Limits and detectors no longer end the run by themselves.
    AutoExitOff,
    /// Something agreed is in question again.
    Reopen,
    /// The debate that goes on, or else the next one due, is left out.
    Skip,
    /// A question is answered that does not wait for it: on record, and of no effect.
    Answer,
}

/// A text that looks like a command or like the start of another meeting, but is neither here.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.to_fault())]
pub struct UnknownCommand(pub String);

impl ToFault for UnknownCommand {
    fn to_fault(&self) -> Fault {
        if let Some(addressed) = addressed(&self.0) {
            let name = addressed.format.name();
            return FORMAT_ELSEWHERE.with(&[("text", &self.0), ("name", &name)]);
        }
        let row = match self.0.eq_ignore_ascii_case(DEBATE) {
            true => &SLASH_NO_TOPIC,
            false => &SLASH_UNKNOWN,
        };
        row.with(&[("text", &self.0)])
    }
}

const DEBATE: &str = "/debate";
const ANSWER: &str = "/answer";

/// Parses what a text asks for. An exit word, or a letter of the menu, counts only as the whole
/// message.
///
/// # Errors
/// [`UnknownCommand`]: a mistyped command or the start of a meeting is not passed on as words.
pub fn read(text: &str, inputs: &Inputs) -> Result<Intent, UnknownCommand> {
    let text = text.trim();
    let lower = text.to_lowercase();
    let triggers = &inputs.rules.ending.exit_triggers;
    if triggers
        .iter()
        .any(|word| word.trim().to_lowercase() == lower)
    {
        return Ok(Intent::Stop);
    }
    // The letters of the menu mean the same on every channel.
    match lower.as_str() {
        "e" | "[e]" => return Ok(Intent::Stop),
        "v" | "[v]" => return Ok(Intent::VoteToEnd),
        _ => {}
    }
    // Passing it on would let the user wait for a meeting that never begins.
    if addressed(text).is_some() {
        return Err(unknown(text));
    }
    let first = lower.split_whitespace().next().unwrap_or_default();
    let is_command = first.strip_prefix('/').is_some_and(|name| {
        !name.is_empty() && name.chars().all(|c| c.is_ascii_alphabetic() || c == '-')
    });
    if !is_command {
        return Ok(Intent::Say);
    }
    if topic(text).is_some() {
        return Ok(Intent::Debate);
    }
    match lower.split_whitespace().collect::<Vec<_>>()[..] {
        ["/stop"] => Ok(Intent::Stop),
        ["/skip"] => Ok(Intent::Skip),
        ["/vote"] | ["/vote-to-end"] => Ok(Intent::VoteToEnd),
        ["/auto-exit", "on"] => Ok(Intent::AutoExitOn),
        ["/auto-exit", "off"] => Ok(Intent::AutoExitOff),
        ["/reopen", item, ..] if parse_id::<ConsensusId>(item).is_some() => Ok(Intent::Reopen),
        _ => Err(unknown(text)),
    }
}

fn unknown(text: &str) -> UnknownCommand {
    UnknownCommand(text.chars().take(60).collect())
}

/// Returns the topic of `/debate <topic>`, on one line; `None` for any other text.
pub fn topic(text: &str) -> Option<String> {
    let mut words = text.split_whitespace();
    let is_debate = words.next()?.eq_ignore_ascii_case(DEBATE);
    let topic = words.collect::<Vec<_>>().join(" ");
    (is_debate && !topic.is_empty()).then_some(topic)
}

/// Returns the command that requests a debate about `topic`, as recorded.
pub fn debate_about(topic: &str) -> String {
    format!("{DEBATE} {}", topic.trim())
}

/// Returns the question and the words of `/answer Q-1 …`; `None` for any other text.
pub fn answered(text: &str) -> Option<(QuestionId, &str)> {
    let command = text.split_whitespace().next()?;
    let (name, words) = target(text)?;
    let id = parse_id(name).filter(|_| command.eq_ignore_ascii_case(ANSWER))?;
    Some((id, words))
}

/// Returns the command that answers `question` with `words`, as recorded.
pub fn answer_to(question: QuestionId, words: &str) -> String {
    format!("{ANSWER} {question} {words}").trim_end().to_owned()
}

/// A message of the user to the members.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UserWords {
    /// Text of the message.
    pub text: String,
    /// The round in which it came; 0 before the first.
    pub round: u32,
    /// Agreed item that the message reopens.
    pub reopens: Option<ReopenedItem>,
}

/// An agreed item that the user put in question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReopenedItem {
    /// Id of the agreed item, `C-n`.
    pub item: ConsensusId,
    /// The issue that takes its place.
    pub issue: IssueId,
}

/// Returns the event of an intervention that came while the user was asked about the end: stopping
/// confirms the end, words decline it.
pub fn when_asked(
    state: &State,
    intent: Intent,
    content: String,
    channel: Channel,
    message: Option<String>,
) -> Event {
    let asked = super::ending::asks(state);
    match (asked, intent) {
        (Some(guard), Intent::Stop) => Event::EndDecision {
            guard,
            confirmed: true,
            by: channel.into(),
            reason: String::new(),
            granted: 0,
            message,
        },
        (Some(guard), Intent::Say) => {
            // The menu's letter for continuing is not a message to the members.
            let goes_on = ["c", "[c]"].contains(&content.trim().to_lowercase().as_str());
            let words = if goes_on { String::new() } else { content };
            declined(state, guard, words, channel, message)
        }
        _ => unasked(state, intent, content, channel, message),
    }
}

/// Returns the event of any other intervention. Words from before a question was asked are not its
/// answer.
pub fn unasked(
    state: &State,
    intent: Intent,
    content: String,
    channel: Channel,
    message: Option<String>,
) -> Event {
    Event::UserIntervention {
        refused: refusal(state, intent, &content),
        reopens: (intent == Intent::Reopen && !is_over(state))
            .then(|| reopened(state, &content))
            .flatten(),
        intent,
        content,
        channel,
        message,
    }
}

/// Returns whether the discussion has ended, so that a message comes too late. It is still recorded
/// until the version is complete.
pub fn is_over(state: &State) -> bool {
    state.stage >= Stage::Writing
}

/// Returns why the user's request will not be carried out; `None` if it will be, or if it is not a
/// request that can be refused.
pub(super) fn refusal(
    state: &State,
    intent: Intent,
    content: &str,
) -> Option<debate::RequestRefusal> {
    if is_over(state) {
        return Some(debate::RequestRefusal::Over);
    }
    match intent {
        Intent::Debate => debate::refusal(state, &topic(content).unwrap_or_default()),
        Intent::Skip => debate::skip_refusal(state),
        Intent::VoteToEnd => vote::refusal(state),
        Intent::Answer => {
            let asked = answered(content).and_then(|(id, _)| state.questions.find(id));
            let waits = asked
                .is_some_and(|question| matches!(question.status, QuestionStatus::Waiting { .. }));
            (!waits).then_some(debate::RequestRefusal::NotAsked)
        }
        _ => None,
    }
}

/// Returns the item that `/reopen C-3 why` reopens, and the issue that replaces it; `None` if the
/// consensus draft has no such item.
pub(super) fn reopened(state: &State, content: &str) -> Option<ReopenedIssue> {
    let (name, why) = target(content)?;
    let id = parse_id::<ConsensusId>(name)?;
    let item = state.draft.standing().find(|item| item.id == id)?;
    let settled = state.ledger.find(item.issue);
    let title = settled.map_or_else(|| &item.text, |issue| &issue.title);
    Some(ReopenedIssue {
        item: id,
        issue: EnteredIssue {
            id: state.run.counters.clone().next_issue(),
            title: line(title),
            detail: format!("{id}: {}\n\n{why}", item.text.trim())
                .trim_end()
                .to_owned(),
            severity: IssueSeverity::Blocking,
            origin: IssueOrigin::Reopened { item: id },
        },
    })
}

/// Returns the reason in the user's words; empty if none was given.
pub fn reason(content: &str) -> &str {
    target(content).map_or("", |(_, why)| why)
}

/// Returns what a `/reopen` or an `/answer` names, and the words after it.
pub(super) fn target(content: &str) -> Option<(&str, &str)> {
    let (_, rest) = content.trim().split_once(char::is_whitespace)?;
    let rest = rest.trim_start();
    let (name, why) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    Some((name, why.trim()))
}

/// Returns the event that continues the discussion; a limit is extended by the distance between
/// warning and limit.
pub fn declined(
    state: &State,
    guard: StopReason,
    words: String,
    channel: Channel,
    message: Option<String>,
) -> Event {
    Event::EndDecision {
        guard,
        confirmed: false,
        by: channel.into(),
        reason: words,
        granted: super::ending::extension(state, guard),
        message,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::lang::Lang;
    use crate::machine::Format;
    use crate::machine::inputs::{ModelChoice, QuestionMode, RunRules};
    use crate::role::{RoleId, RoleSet, RoleSpec};

    fn inputs() -> Inputs {
        let coach = RoleSpec {
            id: RoleId::from("Coach"),
            code: "Coach".to_owned(),
            order: 1,
            document: None,
            shadow: false,
            summary: String::new(),
            thinking_style: None,
            speaking_style: None,
            reviewing: None,
            tools: None,
            persona: "p".to_owned(),
            source: "built-in".to_owned(),
        };
        Inputs {
            tool: "0.1.0".to_owned(),
            version: 2,
            format: Format::Workshop,
            series: None,
            doc_lang: Lang::En,
            roles: RoleSet {
                coach,
                members: Vec::new(),
                absent: BTreeMap::new(),
            },
            templates: Default::default(),
            template_sources: BTreeMap::new(),
            questions: QuestionMode::Pause,
            light: false,
            full: false,
            trials: false,
            rules: RunRules {
                review: false,
                ..RunRules::default()
            },
            model: ModelChoice {
                provider: "openai".to_owned(),
                model: "some-model".to_owned(),
                temperature: None,
                seed: None,
                price: None,
            },
            role_models: BTreeMap::new(),
            own_addresses: Default::default(),
            commit: None,
        }
    }

    #[test]
    fn an_exit_word_is_the_whole_message() {
        let inputs = inputs();
        for (text, intent) in [
            ("quit", Intent::Stop),
            ("  QUIT \n", Intent::Stop),
            ("*exit", Intent::Stop),
            ("End Party", Intent::Stop),
            ("goodbye", Intent::Stop),
            ("/stop", Intent::Stop),
            ("how do I quit the app", Intent::Say),
            ("quit.", Intent::Say),
            ("exit", Intent::Say),
            ("quitting", Intent::Say),
            ("/vote", Intent::VoteToEnd),
            ("/Skip ", Intent::Skip),
            ("/auto-exit  on", Intent::AutoExitOn),
            ("/Auto-Exit OFF", Intent::AutoExitOff),
            ("/debate which columns", Intent::Debate),
            (" /Debate  I-1 ", Intent::Debate),
            ("/reopen C-3", Intent::Reopen),
            (" /Reopen  c-3 it forgets XLSX", Intent::Reopen),
            ("/usr/bin is not writable", Intent::Say),
            ("and/or", Intent::Say),
            ("/ 2", Intent::Say),
            ("@PP which columns?", Intent::Say),
            ("ask the @board", Intent::Say),
        ] {
            assert_eq!(read(text, &inputs), Ok(intent), "{text:?}");
        }
        for text in [
            "/stpo",
            "/stop now",
            "/debate",
            "/debates x",
            "/auto-exit",
            "/auto-exit maybe",
            "/skip it",
            "/reopen",
            "/reopen I-3",
            "/reopen everything",
        ] {
            assert!(read(text, &inputs).is_err(), "{text:?}");
        }
    }

    #[test]
    fn an_answer_names_its_question_and_a_command_of_elsewhere_its_place() {
        let q = QuestionId(2);
        for (text, expected) in [
            ("/answer Q-2 as rows", Some((q, "as rows"))),
            (" /Answer  q2   as rows ", Some((q, "as rows"))),
            ("/answer Q-2", Some((q, ""))),
            ("/answer", None),
            ("/answer I-2 x", None),
            ("/answers Q-2 x", None),
            ("answer Q-2 x", None),
        ] {
            assert_eq!(answered(text), expected, "{text:?}");
        }
        assert_eq!(answered(&answer_to(q, "as rows")), Some((q, "as rows")));
        let inputs = inputs();
        for (text, code) in [
            ("/show report", "E-slash-unknown"),
            ("/debates", "E-slash-unknown"),
            (" /Debate  ", "E-slash-no-topic"),
            ("@board Which?", "E-format-elsewhere"),
            (" @Team[PP] Port it", "E-format-elsewhere"),
            ("@party", "E-format-elsewhere"),
        ] {
            let told = read(text, &inputs).unwrap_err().to_fault();
            assert_eq!(told.code, code, "{text:?}");
        }
    }

    #[test]
    fn a_topic_is_one_line_and_never_empty() {
        assert_eq!(
            topic("/debate  which\n columns ").as_deref(),
            Some("which columns")
        );
        assert_eq!(topic(&debate_about(" x ")).as_deref(), Some("x"));
        for text in ["/debate", "/debate \n", "debate x", "/debates x", ""] {
            assert_eq!(topic(text), None, "{text:?}");
        }
    }
}
