//! The pages of `status` and `list`.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

use super::closing;
use super::lines::page;
use super::questions::{answered, left_open, waiting};
use super::text::{self, say};
use super::{Style, clean, gist};
use crate::chat::Usage;
use crate::fault::values;
use crate::machine::proposal::EndProposal;
use crate::machine::team::TeamWork;
use crate::machine::{
    CallId, ConsensusId, Format, IssueId, Lang, Question, QuestionId, Series, Stage, State,
    StopReason,
};
use crate::reply::IssueSeverity;
use crate::role::RoleId;

/// How far the run in folder `path` is, and what it waits for. Questions in `sent` have an answer
/// that no process has taken up.
pub fn status_text(state: &State, path: &str, sent: &[QuestionId], style: &Style) -> String {
    let stop = state.ending.stop.as_ref();
    let named = |question: &Question| json!({"id": question.id, "text": question.current_text()});
    let about = json!({
        "run": state.inputs.run().to_string(),
        "path": path,
        "about": state.subject(),
        "stage": stage(state, style.lang),
        "round": state.round,
        "progress": Progress::of(state).text(style),
        "stopped": stop.is_some(),
        "agreed": state.ending.is_agreed(),
        "guard": stop.map(|stop| closing::why(state, stop).of(style.lang)),
        "open": state.ledger.open().collect::<Vec<_>>(),
        "waiting": waiting(state, sent).map(named).collect::<Vec<_>>(),
        "proposal": waiting_proposal(state)
            .map(|one| json!({"agent": one.agent, "clean": one.clean})),
        "answered": answered(state, sent).map(named).collect::<Vec<_>>(),
        "left_open": left_open(state).map(named).collect::<Vec<_>>(),
        "by_hand": calls_by_hand(state),
        "calls": closing::calls(state),
        "next": next(state, sent),
    });
    page("status", about, state, style)
}

/// A recorded proposal to end the discussion that nobody has decided on yet.
fn waiting_proposal(state: &State) -> Option<&EndProposal> {
    let waits = state.stage < Stage::Writing && state.ending.decided.is_none();
    let proposal = state.ending.proposal.as_ref();
    proposal.filter(|proposal| waits && proposal.on_record)
}

/// The stage of the run, in a few words.
pub fn stage(state: &State, lang: Lang) -> &'static str {
    stage_words(state.stage, state.inputs.format, lang)
}

fn stage_words(stage: Stage, format: Format, lang: Lang) -> &'static str {
    match (text::name_of("stage_of_team", &stage).of(lang), format) {
        ("", _) | (_, Format::Workshop | Format::Board | Format::Party) => {
            text::name_of("stage", &stage).of(lang)
        }
        (of_team, Format::Team) => of_team,
    }
}

/// The progress of the rounds, or of a team's layers.
#[derive(Debug)]
pub(super) struct Progress {
    n: u32,
    open: usize,
    /// Number of phases that have ended, and of all phases.
    phases: Option<(usize, usize)>,
}

impl Progress {
    pub(super) fn of(state: &State) -> Self {
        Self {
            n: state.round,
            open: state.ledger.open().count(),
            phases: state.team.as_ref().map(TeamWork::progress),
        }
    }

    /// The round and the number of open issues, or the layer and the phases done.
    pub(super) fn text(&self, style: &Style) -> String {
        let (n, open) = (self.n, self.open);
        match self.phases {
            Some((done, all)) => say(style, text::LAYER_OF, values![n, done, all]),
            None => say(style, text::ROUND, values![n, open]),
        }
    }
}

/// A call that waits to be answered by hand.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CallByHand {
    /// Its number in the run, from 1.
    pub number: u32,
    /// Id of the call.
    pub call: CallId,
    /// The member that is asked.
    pub member: RoleId,
}

fn calls_by_hand(state: &State) -> Vec<CallByHand> {
    let waiting = state.calls.waiting_by_hand();
    let calls = waiting.map(|(number, call)| CallByHand {
        number,
        call: call.clone(),
        member: call.member.clone(),
    });
    calls.collect()
}

/// The command with which to continue.
fn next(state: &State, sent: &[QuestionId]) -> String {
    let version = state.inputs.run();
    match (state.stage, waiting(state, sent).next()) {
        (Stage::Published, _) => format!("aitc show {version}"),
        _ if state.calls.waiting_by_hand().next().is_some() => "aitc next".to_owned(),
        (_, Some(question)) => format!("aitc answer {} \"…\"", question.id),
        (_, None) => format!("aitc resume {version}"),
    }
}

/// The status of a run, for programs.
pub fn status_document(state: &State, path: &str, sent: &[QuestionId]) -> StatusDocument {
    let book = &state.calls;
    let open = state.ledger.open().map(|issue| OpenIssue {
        id: issue.id,
        title: issue.title.clone(),
        severity: issue.severity,
    });
    StatusDocument {
        v: 1,
        version: state.inputs.version,
        format: state.inputs.format,
        path: path.to_owned(),
        run_id: state.run.id.clone(),
        stage: state.stage,
        round: state.round,
        agreed: state.ending.is_agreed(),
        stop: state.ending.stop.as_ref().map(|stop| stop.reason),
        open: open.collect(),
        waiting: waiting(state, sent).map(|q| q.id).collect(),
        answered: answered(state, sent).map(|q| q.id).collect(),
        left_open: left_open(state).map(|q| q.id).collect(),
        by_hand: calls_by_hand(state),
        proposal: waiting_proposal(state).map(|proposal| proposal.agent.clone()),
        consensus: state.draft.standing().map(|item| item.id).collect(),
        calls: CallCounts {
            answered: book.answered,
            failed: book.failed,
            rejected: book.rejected,
        },
        usage: book.used,
        started_at: state.run.started_at.clone(),
        last_activity_at: state.run.last_activity_at.clone(),
        next: next(state, sent),
    }
}

/// `aitc status --json`.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StatusDocument {
    /// Version of the format of this document.
    pub v: u32,
    /// Number of the version: `N` of `vN`.
    pub version: u32,
    /// The kind of meeting.
    pub format: Format,
    /// Path of the folder.
    pub path: String,
    /// UUID of the run.
    pub run_id: String,
    /// Stage of the run.
    pub stage: Stage,
    /// Number of rounds that have begun.
    pub round: u32,
    /// Whether it ended with no blocking issue open.
    pub agreed: bool,
    /// Reason for which the discussion ended.
    pub stop: Option<StopReason>,
    /// Issues that are still open.
    pub open: Vec<OpenIssue>,
    /// Questions that wait for the user.
    pub waiting: Vec<QuestionId>,
    /// Questions with an answer that no process has taken up.
    pub answered: Vec<QuestionId>,
    /// Questions that the end of the discussion left without an answer.
    pub left_open: Vec<QuestionId>,
    /// Calls that wait to be answered by hand.
    pub by_hand: Vec<CallByHand>,
    /// The member that proposes the end, until somebody decides.
    pub proposal: Option<RoleId>,
    /// Ids of the agreed items.
    pub consensus: Vec<ConsensusId>,
    /// Number of calls, by how they ended.
    pub calls: CallCounts,
    /// Tokens sent and received in calls that were answered.
    pub usage: Usage,
    /// Time at which the run began, in RFC 3339.
    pub started_at: String,
    /// Time of the last event, in RFC 3339.
    pub last_activity_at: String,
    /// The command that goes on from here.
    pub next: String,
}

/// An open issue.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OpenIssue {
    /// Id of the issue, `I-n`.
    pub id: IssueId,
    /// The question of the issue, one line.
    pub title: String,
    /// How much it blocks agreement.
    pub severity: IssueSeverity,
}

/// Calls by how they ended.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CallCounts {
    /// Those with a usable answer.
    pub answered: u64,
    /// Number of calls that failed.
    pub failed: u64,
    /// Those whose answer was unusable.
    pub rejected: u64,
}

/// One version or draft in the list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct VersionLine {
    /// Number of the version: `N` of `vN`.
    pub version: u32,
    /// The kind of meeting.
    pub format: Format,
    /// The series it is counted in; left out if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub series: Option<Series>,
    /// Whether it is a draft.
    pub draft: bool,
    /// Path of the folder.
    pub path: String,
    /// Title of the report, else the requirement's first sentence.
    pub title: String,
    /// The version it revises.
    pub from: Option<u32>,
    /// Number of rounds that were held.
    pub rounds: u32,
    /// Why the discussion ended; only `consensus` is agreement.
    pub stop: Option<StopReason>,
    /// Issues that are still open.
    pub open: Vec<String>,
    /// Questions that wait for the user.
    pub waiting: Vec<String>,
    /// Questions with an answer that no process has taken up.
    pub answered: Vec<String>,
    /// Questions that the end of the discussion left without an answer.
    pub left_open: Vec<String>,
    /// Time at which the run began, in RFC 3339.
    pub started_at: String,
}

impl VersionLine {
    /// The line for a state. Questions in `sent` have an answer that no process has taken up.
    pub fn of(state: &State, draft: bool, path: &str, sent: &[QuestionId]) -> Self {
        let title = state
            .documents
            .report
            .as_ref()
            .map(|report| clean(&report.title));
        Self {
            version: state.inputs.version,
            format: state.inputs.format,
            series: state.inputs.series,
            draft,
            path: path.to_owned(),
            title: title
                .filter(|title| !title.is_empty())
                .unwrap_or_else(|| gist(&state.subject())),
            from: state
                .task
                .previous
                .as_ref()
                .map(|previous| previous.version),
            rounds: state.round,
            stop: state.ending.stop.as_ref().map(|stop| stop.reason),
            open: state
                .ledger
                .open()
                .map(|issue| issue.id.to_string())
                .collect(),
            waiting: waiting(state, sent).map(|q| q.id.to_string()).collect(),
            answered: answered(state, sent).map(|q| q.id.to_string()).collect(),
            left_open: left_open(state).map(|q| q.id.to_string()).collect(),
            started_at: state.run.started_at.clone(),
        }
    }
}
