//! Builds `planning.ai.json` and the documents from the state.

use super::outcome;
use super::plan::{
    Ancestor, DebateDissent, DiscussionFigures, Expense, ObjectedText, Objection, PLAN_FORMAT,
    Plan, PlanConsensus, PlanDissent, PlanDocument, PlanDocuments, PlanLook, PlanMember, PlanNote,
    PlanReview, PlanRound, PlanStatus, PlanTrial, RefusedProposal, RoundObjection, StatedReason,
    StopFigures, UsdFigures, WithdrawnBy,
};
use crate::machine::debate;
use crate::machine::evidence::trials_cited;
use crate::machine::trial::ended;
use crate::machine::{
    ConsensusItem, DraftLine, Excerpt, IssueRecord, IssueStatus, PositionRecord, State, StopReason,
    SummaryRecord, TextNames, Usd, budget, losers, reasons,
};
use crate::reply::{Document, Stance};
use crate::role::RoleId;

/// Whether the team agreed, as written in every file.
pub(super) fn status(state: &State) -> PlanStatus {
    if state.ending.is_agreed() {
        PlanStatus::Agreed
    } else {
        PlanStatus::Unresolved
    }
}

/// The structured content of a version, as in `planning.ai.json`.
pub fn plan(state: &State) -> Plan {
    let inputs = &state.inputs;
    let names = &TextNames::of(state);
    Plan {
        v: PLAN_FORMAT,
        run_id: state.run.id.clone(),
        version: inputs.version,
        format: inputs.format,
        tool: inputs.tool.clone(),
        requirement: state.task.requirement.clone(),
        from: state.task.previous.as_ref().map(|previous| Ancestor {
            version: previous.version,
            run_id: previous.run_id.clone(),
            head: previous.head.clone(),
        }),
        language: inputs.doc_lang,
        status: status(state),
        stop: stop_figures(state),
        light: state.is_small(),
        judgment: state.judgment.text.clone(),
        judgment_refused: state.judgment.refused.clone(),
        rounds: state
            .discussion
            .summaries
            .iter()
            .map(|summary| round(state, summary, names))
            .collect(),
        members: members(state),
        issues: state.ledger.iter().map(|it| issue(it, names)).collect(),
        consensus: consensus(state, names),
        questions: state.questions.asked.clone(),
        assumptions: state.questions.assumptions.clone(),
        evidence: state.grounding.evidence.clone(),
        trials: trials(state),
        looks: looks(state),
        dissent: dissent(state, names),
        team: state.team.as_ref().map(super::team::plan),
        debates: super::debate::all(state, names),
        debates_unheld: debate::unheld(state),
        review: review(state, names),
        decide: super::decide::decide(state),
        feedback: outcome::feedback(state),
        inherited: outcome::inherited(state),
        carried: outcome::carried(state),
        passed_over: state.discussion.passed_over.clone(),
        course: course(state),
        redacted: state.run.redacted,
        notes: notes(state, names),
        documents: documents(state),
        report: state.documents.report.clone(),
        report_without_model: state.documents.report_without_model,
        usage: expense(state),
    }
}

/// Why the discussion ended, with figures; `None` until it has ended.
pub(super) fn stop_figures(state: &State) -> Option<StopFigures> {
    state.ending.stop.as_ref().map(|stop| StopFigures {
        stop: *stop,
        vote: state
            .ending
            .ended_by_vote
            .filter(|_| stop.reason == StopReason::User),
        usd: budget::is_money(state, stop.limit)
            .then(|| UsdFigures {
                value: Usd::from_nanos(stop.value),
                limit: Usd::from_nanos(stop.limit),
            })
            .filter(|_| stop.reason == StopReason::Budget),
    })
}

/// The trials named by evidence or documents, and the trials that those are based on.
fn trials(state: &State) -> Vec<PlanTrial> {
    let lang = state.inputs.doc_lang;
    let cited = trials_cited(state).into_iter().map(|one| {
        let seen = one.seen;
        let end = seen.trial.as_ref().map(|trial| ended(trial, lang));
        let output = seen.found.into_iter().map(|find| find.text);
        PlanTrial {
            id: one.id,
            member: one.by,
            what: seen.look.what,
            command: seen.look.command,
            files: seen.look.files,
            base: seen.look.base,
            end: end.unwrap_or_default(),
            output: output.collect(),
        }
    });
    cited.collect()
}

fn looks(state: &State) -> Vec<PlanLook> {
    let place = |member: &crate::role::RoleId| {
        let mut members = state.inputs.roles.members.iter();
        members.position(|role| role.id == *member)
    };
    // Members that are called concurrently look at any time, so their looks are sorted by round,
    // turn and speaking order.
    let mut records: Vec<_> = state.grounding.looks.all.iter().collect();
    records.sort_by_key(|record| {
        let call = &record.call;
        let is_closing = call.purpose.is_closing();
        (
            is_closing,
            call.round,
            call.turn,
            place(&call.member),
            call.look,
        )
    });
    let seen = records
        .into_iter()
        .flat_map(|record| record.seen.iter().map(move |one| (&record.call, one)));
    let looks = seen.map(|(call, one)| PlanLook {
        member: call.member.clone(),
        round: call.round,
        purpose: call.purpose.name().to_owned(),
        kind: one.look.kind,
        what: one.look.what.clone(),
        places: one.found.iter().map(Excerpt::place).collect(),
    });
    looks.collect()
}

/// The findings of the review, or why there was none; `None` in formats without review.
fn review(state: &State, names: &TextNames) -> Option<PlanReview> {
    let review = &state.review;
    state.inputs.format.is_reviewed().then(|| PlanReview {
        unheld: review.unheld,
        findings: names.put_in(review.findings.clone()),
        missing: review.missing.clone(),
    })
}

fn course(state: &State) -> DiscussionFigures {
    let ending = &state.ending;
    let off = ending.diligence.off.as_ref();
    DiscussionFigures {
        interventions: ending.interventions,
        end_proposals: ending.proposals.0,
        end_confirmed: ending.proposals.1,
        votes: ending.votes.0,
        votes_carried: ending.votes.1,
        rounds_granted: ending.granted_rounds,
        diligence_pushes: ending.diligence.pushes.clone(),
        diligence_exhausted: ending.diligence.forced.len(),
        diligence_off: off.map_or_else(Vec::new, |(_, members)| members.clone()),
    }
}

/// An issue whose reasons name texts in the way that readers know. Titles and texts stay as they
/// were said.
fn issue(record: &IssueRecord, names: &TextNames) -> IssueRecord {
    let mut issue = record.clone();
    for position in &mut issue.positions {
        position.why = names.put(&position.why);
        let changed = position.changed_because.take();
        position.changed_because = changed.map(|because| names.put(&because));
    }
    for change in &mut issue.history {
        change.reason = change.reason.take().map(|reason| names.put(&reason));
    }
    issue
}

fn round(state: &State, summary: &SummaryRecord, names: &TextNames) -> PlanRound {
    // Positions taken over from an earlier version have that version's round numbers.
    let on_agenda = |issue: &&IssueRecord| {
        summary.discussed.contains(&issue.id) || summary.entered.contains(&issue.id)
    };
    let objections = state.ledger.iter().filter(on_agenda).flat_map(|issue| {
        let said = issue.positions.iter();
        let said = said.filter(|p| p.round == summary.round && p.stance == Stance::Object);
        // A member that objects both in the round and in a debate is counted once.
        let mut reasons = std::collections::BTreeMap::<_, Vec<String>>::new();
        for position in said {
            let own = reasons.entry(position.member.clone()).or_default();
            let why = names.put(&position.why);
            if !why.trim().is_empty() && !own.contains(&why) {
                own.push(why);
            }
        }
        reasons.into_iter().map(|(member, why)| RoundObjection {
            member,
            issue: issue.id,
            why,
        })
    });
    PlanRound {
        round: summary.round,
        agenda: summary.discussed.clone(),
        settled: summary.admitted.clone(),
        closed: summary.closed.clone(),
        entered: summary.entered.clone(),
        open_after: summary.open_after().into_iter().collect(),
        blocking_after: summary.blocking_left,
        objections: objections.collect(),
        summary: names.put(&summary.text),
        reminders: summary.reminders.clone(),
    }
}

fn members(state: &State) -> Vec<PlanMember> {
    let roles = &state.inputs.roles;
    std::iter::once(&roles.coach)
        .chain(&roles.members)
        .map(|role| {
            let choice = state.inputs.model_of(&role.id);
            PlanMember {
                id: role.id.clone(),
                code: role.code.clone(),
                document: role.document,
                provider: choice.provider.clone(),
                model: choice.model.clone(),
                answered_by: state
                    .calls
                    .models
                    .get(&role.id)
                    .cloned()
                    .unwrap_or_default(),
                usage: state
                    .calls
                    .by_member
                    .get(&role.id)
                    .copied()
                    .unwrap_or_default(),
            }
        })
        .collect()
}

fn consensus(state: &State, names: &TextNames) -> Vec<PlanConsensus> {
    let agreed = state.draft.agreed();
    agreed
        .map(|item| PlanConsensus {
            item: item.clone(),
            source: source(state, item),
            why: reasons(state, item)
                .map(|p| stated(p, false, names))
                .collect(),
            instead_of: losers(state, item)
                .map(|p| stated(p, true, names))
                .collect(),
            withdrawn: state.draft.lines().iter().find_map(|line| match line {
                DraftLine::Withdrawn {
                    item: id,
                    feedback,
                    reason,
                    ..
                } if *id == item.id => Some(WithdrawnBy {
                    feedback: *feedback,
                    reason: reason.clone(),
                }),
                _ => None,
            }),
        })
        .collect()
}

fn stated(position: &PositionRecord, with_text: bool, names: &TextNames) -> StatedReason {
    let text = position.proposal.as_ref().filter(|_| with_text);
    StatedReason {
        member: position.member.clone(),
        text: text.map(|text| names.put(text)),
        why: names.put(&position.why),
    }
}

fn source(state: &State, item: &ConsensusItem) -> String {
    let code = state.inputs.roles.code(&item.proposed_by);
    let file = super::speech::path(code, item.proposed_round);
    format!("v{}/{file}", item.version)
}

/// Whether the member's objection on this issue still applies to the outcome. An objection to a
/// text that was not agreed on does not.
fn dissents(state: &State, issue: &IssueRecord, member: &RoleId) -> bool {
    let agreed = state.draft.standing().filter(|item| item.issue == issue.id);
    let mut texts = agreed.filter_map(|item| issue.text(item.text_id));
    let is_settled = matches!(issue.status, IssueStatus::Settled { .. });
    !is_settled || texts.any(|text| issue.objectors_to(text).contains(&member))
}

fn dissent(state: &State, names: &TextNames) -> PlanDissent {
    let objections = state.ledger.iter().flat_map(|issue| {
        issue
            .latest()
            .filter(|p| p.stance == Stance::Object && dissents(state, issue, &p.member))
            .map(|p| Objection {
                issue: issue.id,
                status: issue.status.clone(),
                member: p.member.clone(),
                round: p.round,
                against: p
                    .against
                    .and_then(|id| issue.text(id))
                    .map(|text| ObjectedText {
                        name: names.put(&text.id.to_string()),
                        text: names.put(&text.text),
                    }),
                proposal: p.proposal.as_ref().map(|text| names.put(text)),
                why: names.put(&p.why),
            })
    });
    let judged = state.judgment.refused.iter().map(|refusal| (0, refusal));
    let summed = state
        .discussion
        .summaries
        .iter()
        .flat_map(|summary| summary.refused.iter().map(|r| (summary.round, r)));
    // A debate that is not about an issue leaves no position in the ledger, so its dissenters are
    // listed here.
    let apart = state
        .debates
        .held
        .iter()
        .filter(|debate| debate.motion.about.is_none());
    let in_debates = apart.flat_map(|debate| {
        let dissent = debate.resolution.iter().flat_map(|end| &end.dissent);
        dissent.map(|dissent| DebateDissent {
            debate: debate.id,
            member: dissent.member.clone(),
            why: names.put(&dissent.why),
        })
    });
    PlanDissent {
        objections: objections.collect(),
        in_debates: in_debates.collect(),
        refused: judged
            .chain(summed)
            .map(|(round, refusal)| RefusedProposal {
                round,
                refusal: refusal.clone(),
            })
            .collect(),
    }
}

fn notes(state: &State, names: &TextNames) -> Vec<PlanNote> {
    let notes = state.discussion.notes().map(|(id, member, note)| {
        let written = state.documents.written.get(&note.document);
        let accounts = written.map_or(&[][..], |record| &record.accounts);
        let account = accounts.iter().find(|account| account.id == id);
        PlanNote {
            id,
            by: member.clone(),
            document: note.document,
            text: names.put(&note.text),
            used_in: account.and_then(|account| account.used_in.clone()),
            left_out_because: account.and_then(|account| account.left_out_because.clone()),
        }
    });
    notes.collect()
}

/// The documents written so far.
pub(super) fn documents(state: &State) -> PlanDocuments {
    let mut documents = PlanDocuments::default();
    for record in state.documents.written.values() {
        let (without_model, carried) = (record.without_model, record.carried);
        let notes = record.notes.clone();
        macro_rules! written {
            ($content:expr) => {
                Some(PlanDocument {
                    without_model,
                    carried,
                    notes,
                    content: $content.clone(),
                })
            };
        }
        match &record.content {
            Document::ProductPlan(content) => documents.product_plan = written!(content),
            Document::SystemDesign(content) => documents.system_design = written!(content),
            Document::DevPlan(content) => documents.dev_plan = written!(content),
            Document::TestPlan(content) => documents.test_plan = written!(content),
            Document::RiskAssessment(content) => documents.risk_assessment = written!(content),
        }
    }
    documents
}

fn expense(state: &State) -> Expense {
    let calls = &state.calls;
    let (total, cost) = (calls.used, budget::cost(state));
    Expense {
        total,
        cached_share: (total.input > 0).then(|| {
            // In hundredths, so that the figure is the same on every machine.
            (total.cached_input.min(total.input) * 100 / total.input) as f64 / 100.0
        }),
        by_member: calls.by_member.clone(),
        answered: calls.answered,
        failed: calls.failed,
        rejected: calls.rejected,
        lost: calls.lost,
        limit: state.inputs.rules.limits.max_tokens,
        cost,
        lost_cost: cost.map(|_| calls.lost_usd),
        budget: state.inputs.rules.limits.budget_usd,
    }
}
