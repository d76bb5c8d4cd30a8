//! Rules about how the plan came about and how long it is.

use super::finding::{Finding, Rule, Severity};
use super::words::words;
use super::{REPORT_WORDS, SUMMARY_WORDS, World};
use crate::workshop::{State, StopReason};

pub(super) fn find(state: &State, world: &World<'_>, findings: &mut Vec<Finding>) {
    objections(state, findings);
    ending(state, world, findings);
    lengths(state, world, findings);
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
            format!(
                "`{id}` is called agreed, but the last word of {who} on `{issue}` is an objection"
            ),
            "take it up again with `aitc revise`",
        ));
    }
}

fn ending(state: &State, world: &World<'_>, findings: &mut Vec<Finding>) {
    let Some(stop) = &state.stop else {
        return;
    };
    let open: Vec<String> = state.ledger.blocking().map(|i| i.id.to_string()).collect();
    if stop.reason == StopReason::Consensus {
        if !open.is_empty() {
            findings.push(Rule::AgreedWithOpenIssues.finding(
                "status",
                format!("the plan is called agreed, but {} is open", open.join(", ")),
                "settle what is open with `aitc revise`",
            ));
        }
        return;
    }
    let left = match open.as_slice() {
        [] => "nothing blocking is open".to_owned(),
        open => format!("{} still open", open.join(", ")),
    };
    let text = format!(
        "the run ended without agreement after round {}; {left}",
        stop.round
    );
    let fix = "settle what is open with `aitc revise`";
    let mut finding = Rule::Unresolved.finding("status", text, fix);
    if world.strict {
        finding.severity = Severity::Error;
    }
    findings.push(finding);
}

fn lengths(state: &State, world: &World<'_>, findings: &mut Vec<Finding>) {
    let report = world.report.map(words).unwrap_or_default();
    if report > REPORT_WORDS {
        findings.push(Rule::ReportTooLong.finding(
            "planning_report.md",
            format!("the report has {report} words"),
            "narrow the requirement, or split it into several plans",
        ));
    }
    let short = state.report.as_ref().map(|report| words(&report.in_short));
    let short = short.unwrap_or_default();
    if short > SUMMARY_WORDS {
        findings.push(Rule::SummaryTooLong.finding(
            "report",
            format!("the plan in short has {short} words"),
            "narrow the requirement, or revise the plan",
        ));
    }
}
