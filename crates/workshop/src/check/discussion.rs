//! Rules about how the plan came about and how long it is.

use super::finding::{Finding, Rule, Severity, ask_for};
use super::{SUMMARY_WORDS, World, words};
use crate::artifact::{LIGHT_WORD_BUDGET, WORD_BUDGET, open_words};
use crate::fault::{Message, Text};
use crate::machine::{IssueStatus, State, StopReason};
use crate::reply;

pub(super) fn find(state: &State, world: &World<'_>, findings: &mut Vec<Finding>) {
    objections(state, findings);
    dropped(state, findings);
    ending(state, world, findings);
    lengths(state, world, findings);
}

const SETTLE: Text = Text("Settle {open}", "请解决 {open}");
const SETTLE_ALL: Text = Text("Settle what was left open", "请解决未决的议题");
const AGAIN: Text = Text("Take up {issue} again", "请重新讨论 {issue}");

/// The command that has what is open settled.
fn settle(state: &State, open: &[String]) -> Message {
    let point = match open {
        [] => SETTLE_ALL.into(),
        open => SETTLE.fill(&[("open", &open.join(", "))]),
    };
    ask_for(state, point)
}

fn objections(state: &State, findings: &mut Vec<Finding>) {
    let inherited = |id| {
        let issues = state.previous.iter().flat_map(|previous| &previous.issues);
        issues.into_iter().find(|issue| issue.id == id)
    };
    for item in state.draft.standing() {
        let issue = state
            .ledger
            .find(item.issue)
            .or_else(|| inherited(item.issue));
        let objectors = issue.map(|issue| issue.objectors()).unwrap_or_default();
        if objectors.is_empty() {
            continue;
        }
        let who: Vec<&str> = objectors
            .iter()
            .map(|member| state.inputs.roles.code(member))
            .collect();
        let (id, issue, who) = (item.id, item.issue, who.join(", "));
        findings.push(Rule::AgreementOverObjection.finding(
            id,
            Text(
                "`{id}` is called agreed, but the last word of {who} on `{issue}` is an objection",
                "`{id}` 称为达成一致，但 {who} 对 `{issue}` 的最后意见是反对",
            )
            .fill(&[("id", &id), ("who", &who), ("issue", &issue)]),
            ask_for(state, AGAIN.fill(&[("issue", &issue)])),
        ));
    }
}

fn dropped(state: &State, findings: &mut Vec<Finding>) {
    let gone = state.ledger.iter().filter(|issue| {
        issue.status == IssueStatus::Dropped && issue.severity == reply::Severity::Blocking
    });
    for issue in gone {
        let objectors = issue.objectors();
        if objectors.is_empty() {
            continue;
        }
        let who = objectors.into_iter();
        let who: Vec<&str> = who.map(|m| state.inputs.roles.code(m)).collect();
        findings.push(
            Rule::DroppedOverObjection.finding(
                issue.id,
                Text(
                    "`{id}` was dropped, but the last word of {who} on it is an objection",
                    "`{id}` 已被放弃，但 {who} 对它的最后意见是反对",
                )
                .fill(&[("id", &issue.id), ("who", &who.join(", "))]),
                ask_for(state, AGAIN.fill(&[("issue", &issue.id)])),
            ),
        );
    }
}

fn ending(state: &State, world: &World<'_>, findings: &mut Vec<Finding>) {
    let Some(stop) = &state.stop else {
        return;
    };
    let open: Vec<String> = state.ledger.blocking().map(|i| i.id.to_string()).collect();
    if stop.reason == StopReason::Consensus {
        if !open.is_empty() {
            findings.push(
                Rule::AgreedWithOpenIssues.finding(
                    "status",
                    Text(
                        "the plan is called agreed, but {open} is open",
                        "规划称为达成一致，但 {open} 仍未决",
                    )
                    .fill(&[("open", &open.join(", "))]),
                    settle(state, &open),
                ),
            );
        }
        return;
    }
    let left: Message = match open.as_slice() {
        [] => Text("nothing blocking is open", "没有未决的阻塞议题").into(),
        open => Text("{open} still open", "{open} 仍未决").fill(&[("open", &open.join(", "))]),
    };
    let text = Text(
        "the run ended without agreement after round {n}; {left}",
        "运行在第 {n} 轮之后结束，未达成一致；{left}",
    );
    let text = text.fill(&[("n", &stop.round), ("left", &left)]);
    let mut finding = Rule::Unresolved.finding("status", text, settle(state, &open));
    if world.strict {
        finding.severity = Severity::Error;
    }
    findings.push(finding);
}

fn lengths(state: &State, world: &World<'_>, findings: &mut Vec<Finding>) {
    let report = world.report.map(open_words).unwrap_or_default();
    let most = match state.inputs.light {
        true => LIGHT_WORD_BUDGET,
        false => WORD_BUDGET,
    };
    if report > most {
        findings.push(
            Rule::ReportTooLong.finding(
                "planning_report.md",
                Text(
                    "{n} words of the report stand open, and {most} are the most",
                    "报告中展开的文字有 {n} 个词，上限 {most}",
                )
                .fill(&[("n", &report), ("most", &most)]),
                Text(
                    "narrow the requirement, or split it into several plans",
                    "请收窄需求，或拆成几个规划",
                ),
            ),
        );
    }
    let short = state.report.as_ref().map(|report| words(&report.in_short));
    let short = short.unwrap_or_default();
    if short > SUMMARY_WORDS {
        findings.push(Rule::SummaryTooLong.finding(
            "report",
            Text("the plan in short has {n} words", "规划概要有 {n} 个词").fill(&[("n", &short)]),
            ask_for(
                state,
                Text("Say the plan in short in fewer words", "请缩短规划概要"),
            ),
        ));
    }
}
