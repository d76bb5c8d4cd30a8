//! Rules about how the plan was reached, and about its length.

use super::finding::{CheckSeverity, Findings, Rule, ask_for};
use super::{CheckContext, SUMMARY_WORDS, words};
use crate::artifact::{LIGHT_WORD_BUDGET, WORD_BUDGET, open_words};
use crate::fault::{Message, MessageValue, texts};
use crate::machine::{IssueStatus, State, StopReason};
use crate::reply;
use crate::role::RoleId;

pub(super) fn find(state: &State, world: &CheckContext<'_>, findings: &mut Findings<'_>) {
    objections(state, findings);
    dropped(state, findings);
    ending(state, world, findings);
    lengths(state, world, findings);
}

texts! {
    NONE_OPEN: "nothing blocking is open", "没有未决的阻塞议题";
    STILL_OPEN: "{open} still open", "{open} 仍未决";
    UNRESOLVED: "the run ended without agreement after round {n}; {left}", "运行在第 {n} 轮之后结束，未达成一致；{left}";
    SETTLE: "Settle {open}", "请解决 {open}";
    SETTLE_ALL: "Settle what was left open", "请解决未决议题";
}

/// Codes of the members who object; `None` if nobody does.
fn codes(state: &State, objectors: &[&RoleId]) -> Option<String> {
    let codes = objectors.iter().map(|who| state.inputs.roles.code(who));
    (!objectors.is_empty()).then(|| codes.collect::<Vec<_>>().join(", "))
}

fn objections(state: &State, findings: &mut Findings<'_>) {
    let inherited = |id| {
        let mut issues = state.task.previous.iter().flat_map(|it| &it.issues);
        issues.find(|issue| issue.id == id)
    };
    for item in state.draft.standing() {
        let issue = state.ledger.find(item.issue);
        let issue = issue.or_else(|| inherited(item.issue));
        let text = issue.and_then(|issue| Some((issue, issue.text(item.text_id)?)));
        let objectors = text.map(|(issue, text)| issue.objectors_to(text));
        if let Some(who) = codes(state, &objectors.unwrap_or_default()) {
            let values: [(&str, &dyn MessageValue); 2] = [("who", &who), ("issue", &item.issue)];
            findings.add(Rule::AgreementOverObjection, item.id, &values);
        }
    }
}

fn dropped(state: &State, findings: &mut Findings<'_>) {
    let gone = state.ledger.iter().filter(|issue| {
        issue.status == IssueStatus::Dropped && issue.severity == reply::IssueSeverity::Blocking
    });
    for issue in gone {
        if let Some(who) = codes(state, &issue.objectors()) {
            findings.add(Rule::DroppedOverObjection, issue.id, &[("who", &who)]);
        }
    }
}

fn ending(state: &State, world: &CheckContext<'_>, findings: &mut Findings<'_>) {
    let Some(stop) = &state.ending.stop else {
        return;
    };
    let open: Vec<String> = state.ledger.blocking().map(|i| i.id.to_string()).collect();
    let named = open.join(", ");
    if stop.reason == StopReason::Consensus {
        if !open.is_empty() {
            findings.add(Rule::AgreedWithOpenIssues, "status", &[("open", &named)]);
        }
        return;
    }
    let (left, settle): (Message, Message) = match open.is_empty() {
        true => (NONE_OPEN.into(), SETTLE_ALL.into()),
        false => (
            STILL_OPEN.fill(&[("open", &named)]),
            SETTLE.fill(&[("open", &named)]),
        ),
    };
    let text = UNRESOLVED.fill(&[("n", &stop.round), ("left", &left)]);
    let mut finding = Rule::Unresolved.finding("status", text, ask_for(state, settle));
    if world.strict {
        finding.severity = CheckSeverity::Error;
    }
    findings.list.push(finding);
}

fn lengths(state: &State, world: &CheckContext<'_>, findings: &mut Findings<'_>) {
    let report = world.report.map(open_words).unwrap_or_default();
    let most = match state.is_small() {
        true => LIGHT_WORD_BUDGET,
        false => WORD_BUDGET,
    };
    if report > most {
        let values: [(&str, &dyn MessageValue); 2] = [("n", &report), ("most", &most)];
        findings.add(Rule::ReportTooLong, "planning_report.md", &values);
    }
    let short = state
        .documents
        .report
        .as_ref()
        .map(|report| words(&report.in_short));
    let short = short.unwrap_or_default();
    if short > SUMMARY_WORDS {
        findings.add(Rule::SummaryTooLong, "report", &[("n", &short)]);
    }
}
