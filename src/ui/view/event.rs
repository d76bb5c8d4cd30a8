//! One event as terminal lines.

use std::collections::BTreeMap;

use super::layout::{Mark, about, dot, fit, heading, ids, marked, room, row, tokens, wrap};
use super::text::{self, say};
use super::{Style, clean, gist};
use crate::clean::reason;
use crate::fault::values;
use crate::fault::{Text, Value};
use crate::machine::{
    AfterFailure, CallId, ConsensusId, ConsensusItem, EnteredIssue, Entry, Event, Forecast, Format,
    IssueChange, IssueId, IssueStatus, Note, Outgrown, Purpose, Receipt, Refusal, State, Usd,
    WithdrawnItem, after_failure, is_asked_again, taken_out,
};
use crate::reply::{Contribution, Document, DocumentKind, Reminder};
use crate::role::RoleId;

/// The lines that tell of `entry`, without a last line break; `state` is the
/// state after it. None for events that only matter to the record.
pub fn line(state: &State, entry: &Entry, style: &Style) -> Option<String> {
    let told = event_lines(state, entry, style)?;
    let size = View { state, style }.size(&entry.event);
    Some(match size {
        Some(size) => format!("{told}\n{size}"),
        None => told,
    })
}

fn event_lines(state: &State, entry: &Entry, style: &Style) -> Option<String> {
    let view = View { state, style };
    match &entry.event {
        Event::UserInput {
            inputs, content, ..
        } => Some(view.opening(inputs, content, taken_out(&entry.event))),
        Event::KnowledgeSearch { survey } => {
            let hits = survey.hits.iter().take(3);
            let hits: Vec<_> = hits.map(|hit| clean(&hit.path)).collect();
            let files = match survey.files {
                1 => text::ONE_FILE.of(view.style.lang).to_owned(),
                n => text::FILES.with(view.style.lang, values![n]),
            };
            let found = view.say(text::SEARCHED, values![files, hits = survey.hits.len()]);
            let listed = match hits.is_empty() {
                true => found,
                false => text::of(found, hits.join(", "), style.lang),
            };
            Some(marked(Mark::Note, &listed, style))
        }
        Event::CoachInitialJudgment {
            receipt,
            info,
            issues,
            invited,
            withdrawn,
            refused,
            ..
        } => {
            let lines = view.judgment(receipt, info, issues, withdrawn, refused);
            let invited = view.invited(invited);
            let lines = std::iter::once(lines)
                .chain(invited)
                .chain(view.no_review());
            Some(lines.collect::<Vec<_>>().join("\n"))
        }
        Event::RoundStarted { issues } => Some(view.round(entry.round, issues)),
        Event::Speaking {
            receipt,
            output,
            speech,
            notes,
            ..
        } => Some(view.speech(receipt, output, speech, notes)),
        Event::SimilarityMeasured { measurement } => view.similarity(measurement),
        Event::ConsensusSummary {
            receipt,
            output,
            consensus,
            changes,
            new_issues,
            reminders,
            refused,
            calls_vote,
            ..
        } => {
            let mut lines = vec![view.finished(receipt, output)];
            // A team has no issues to report.
            let has_issues = state.team.is_none();
            lines.extend(has_issues.then(|| view.fates(consensus, changes, new_issues)));
            lines.extend(view.reminders(reminders));
            lines.extend(view.refusals(refused));
            lines.extend(calls_vote.as_deref().map(|why| view.called_vote(why)));
            Some(lines.join("\n"))
        }
        Event::Document {
            receipt,
            kind,
            content,
            carried,
            notes,
            ..
        } => {
            let who = state.inputs.roles.writer(*kind).map(|role| &role.id);
            let figure = match carried {
                Some(n) => view.say(text::CARRIED, values![n]),
                None => view.figure(receipt.as_ref()),
            };
            let told = view.document(who, &figure, content);
            Some(match who {
                Some(who) => view.noted(told, who, notes),
                None => told,
            })
        }
        Event::Report {
            receipt,
            words,
            notes,
        } => {
            let named = view.say(text::REPORT_DONE, values![title = clean(&words.title)]);
            let figure = view.figure(receipt.as_ref());
            let told = view.done("Coach", &named, &figure);
            Some(view.noted(told, &state.inputs.roles.coach.id, notes))
        }
        other => view
            .trouble(entry, other)
            .or_else(|| view.clarification(other))
            .or_else(|| view.debate(other))
            .or_else(|| view.team(other))
            .or_else(|| view.review(other))
            .or_else(|| view.ending(other)),
    }
}

pub(super) struct View<'a> {
    pub(super) state: &'a State,
    pub(super) style: &'a Style,
}

impl View<'_> {
    pub(super) fn say(&self, template: Text, values: &[(&str, &dyn Value)]) -> String {
        say(self.style, template, values)
    }

    /// A member's code, fit for a line.
    pub(super) fn code(&self, member: &RoleId) -> String {
        clean(self.state.inputs.roles.code(member))
    }

    /// A marked text of the catalogue.
    pub(super) fn told(&self, mark: Mark, template: Text, values: &[(&str, &dyn Value)]) -> String {
        marked(mark, &self.say(template, values), self.style)
    }

    /// What somebody has done, in one line with a figure at its end.
    pub(super) fn done(&self, who: &str, what: &str, figure: &str) -> String {
        row(Mark::Done, who, what, figure, self.style)
    }

    pub(super) fn warn(&self, text: &str) -> String {
        marked(Mark::Warning, text, self.style)
    }

    pub(super) fn figure(&self, receipt: Option<&Receipt>) -> String {
        match receipt {
            // What is replayed costs nothing; a zero would look like a fault.
            Some(receipt) if receipt.usage.total() == 0 => String::new(),
            Some(receipt) => {
                let took = super::live::clock(receipt.latency_ms);
                let (about, total) = (about(&receipt.usage), tokens(receipt.usage.total()));
                format!("{took}{}{about}{total}", dot(self.style))
            }
            None => text::WITHOUT_MODEL.of(self.style.lang).to_owned(),
        }
    }

    fn finished(&self, receipt: &Receipt, said: &str) -> String {
        let who = self.code(&receipt.call.member);
        self.done(&who, &gist(said), &self.figure(Some(receipt)))
    }

    fn judgment(
        &self,
        receipt: &Receipt,
        info: &str,
        issues: &[EnteredIssue],
        withdrawn: &[WithdrawnItem],
        refused: &[Refusal],
    ) -> String {
        let mut lines = vec![self.finished(receipt, info)];
        if !issues.is_empty() {
            let entered = ids(issues.iter().map(|issue| issue.id));
            let told = self.say(text::ISSUES_ENTERED, values![ids = entered]);
            lines.push(wrap(&told, "  ", self.style));
        }
        for item in withdrawn {
            let values = values![id = item.item, reason = clean(&item.reason)];
            let told = self.say(text::WITHDRAWN, values);
            lines.push(wrap(&told, "  ", self.style));
        }
        lines.extend(self.refusals(refused));
        lines.join("\n")
    }

    fn round(&self, n: u32, issues: &[IssueId]) -> String {
        let values = values![n, open = issues.len()];
        let mut lines = vec![
            String::new(),
            heading(&self.say(self.round_title(), values), self.style),
        ];
        for issue in issues.iter().filter_map(|id| self.state.ledger.find(*id)) {
            let minor = match issue.severity {
                crate::reply::Severity::Minor => text::aside(text::MINOR, self.style.lang),
                crate::reply::Severity::Blocking => String::new(),
            };
            let text = format!("{} {}{minor}", issue.id, clean(&issue.title));
            let shown = fit(&text, self.style.width - 2, self.style);
            lines.push(format!("  {shown}"));
        }
        lines.join("\n")
    }

    fn speech(
        &self,
        receipt: &Receipt,
        output: &str,
        speech: &Contribution,
        notes: &[Note],
    ) -> String {
        let who = self.code(&receipt.call.member);
        let figure = self.figure(Some(receipt));
        let room = room(Mark::Done, &who, &figure, self.style);
        let told = super::speech::told(speech, output, room, self.style);
        let mut lines = vec![self.done(&who, &told, &figure)];
        lines.extend(self.turns(&who, speech));
        self.noted(lines.join("\n"), &receipt.call.member, notes)
    }

    /// Who changed its mind, and what changed it: the discussion at its best.
    fn turns(&self, who: &str, speech: &Contribution) -> Vec<String> {
        let turned = speech.positions.iter().filter_map(|position| {
            let why = clean(position.changed_because.as_deref()?);
            let values = values![who, id = clean(&position.issue), why];
            Some(self.told(Mark::Note, text::TURNED, values))
        });
        turned.collect()
    }

    /// The given text, and below it what was left out of the member's answer.
    pub(super) fn noted(&self, told: String, who: &RoleId, notes: &[Note]) -> String {
        let shown = notes.iter().map(|note| {
            let values = values![
                who = self.code(who),
                about = clean(&note.about),
                text = reason(&note.text, self.style.lang)
            ];
            self.told(Mark::Note, text::LEFT_OUT, values)
        });
        std::iter::once(told)
            .chain(shown)
            .collect::<Vec<_>>()
            .join("\n")
    }

    /// What became of the issues, by id.
    fn fates(
        &self,
        joined: &[ConsensusItem],
        changes: &[IssueChange],
        entered: &[EnteredIssue],
    ) -> String {
        let of = |wanted: fn(&IssueStatus) -> bool| {
            let those = changes.iter().filter(|change| wanted(&change.to));
            those.map(|change| change.issue.to_string()).collect()
        };
        let mut by_issue: BTreeMap<IssueId, Vec<ConsensusId>> = BTreeMap::new();
        for item in joined {
            by_issue.entry(item.issue).or_default().push(item.id);
        }
        let settled = by_issue.iter();
        let settled = settled.map(|(issue, items)| format!("{issue} ({})", ids(items)));
        let refined = changes.iter().filter_map(|change| match &change.to {
            IssueStatus::Refined { into } => Some(format!("{} → {}", change.issue, ids(into))),
            _ => None,
        });
        let merged = changes.iter().filter_map(|change| match &change.to {
            IssueStatus::Merged { into } => Some(format!("{} → {into}", change.issue)),
            _ => None,
        });
        let fresh = entered.iter().map(|issue| issue.id.to_string()).collect();
        let open = self.state.ledger.open();
        let open: Vec<_> = open.map(|issue| issue.id.to_string()).collect();
        let nothing_left = open.is_empty();
        let groups: [(Text, Vec<String>); 7] = [
            (text::SETTLED, settled.collect()),
            (text::REFINED, refined.collect()),
            (text::MERGED, merged.collect()),
            (text::DROPPED, of(|to| matches!(to, IssueStatus::Dropped))),
            (text::DEFERRED, of(|to| matches!(to, IssueStatus::Deferred))),
            (text::ISSUES_ENTERED, fresh),
            (text::STILL_OPEN, open),
        ];
        let mut parts: Vec<String> = groups
            .into_iter()
            .filter(|(_, members)| !members.is_empty())
            .map(|(template, members)| self.say(template, values![ids = members.join(", ")]))
            .collect();
        if nothing_left {
            parts.push(text::NOTHING_OPEN.of(self.style.lang).to_owned());
        }
        let text = match self.style.plain {
            true => parts.join("; ").replace('→', "->"),
            false => parts.join(dot(self.style)),
        };
        wrap(&text, "  ", self.style)
    }

    fn refusals(&self, refused: &[Refusal]) -> Vec<String> {
        let shown = refused.iter().map(|refusal| {
            let values = values![
                rule = text::name_of("rule", &refusal.rule),
                about = clean(&refusal.about),
                detail = reason(&refusal.detail, self.style.lang)
            ];
            self.told(Mark::Warning, text::REFUSED, values)
        });
        shown.collect()
    }

    fn reminders(&self, reminders: &[Reminder]) -> Vec<String> {
        let shown = reminders.iter().map(|reminder| {
            let values = values![who = clean(&reminder.member), text = clean(&reminder.text)];
            self.told(Mark::Note, text::REMINDER, values)
        });
        shown.collect()
    }

    /// That the work is small, or turned out not to be.
    fn size(&self, event: &Event) -> Option<String> {
        if !self.state.is_judged_small() {
            return None;
        }
        let outgrown = self.state.outgrown();
        let (text, n) = match (event, outgrown) {
            (Event::CoachInitialJudgment { .. }, None) => (text::SMALL_WORK, 0),
            (Event::CoachInitialJudgment { .. }, Some(Outgrown::Issues(n))) => {
                (text::OUTGROWN_ISSUES, n)
            }
            (Event::ConsensusSummary { .. }, Some(Outgrown::Blocking(n)))
                if self.state.round == 1 =>
            {
                (text::OUTGROWN_BLOCKING, n)
            }
            (Event::Document { kind, .. }, Some(Outgrown::Files(n)))
                if *kind == DocumentKind::SystemDesign =>
            {
                (text::OUTGROWN_FILES, n)
            }
            _ => return None,
        };
        Some(self.told(Mark::Note, text, values![n]))
    }

    fn document(&self, who: Option<&RoleId>, figure: &str, content: &Document) -> String {
        let who = who.map_or_else(String::new, |who| self.code(who));
        let items = match content {
            Document::ProductPlan(plan) => plan.scope.len() + plan.criteria.len(),
            Document::SystemDesign(design) => {
                design.modules.len() + design.decisions.len() + design.file_impacts.len()
            }
            Document::DevPlan(plan) => plan.work.len(),
            Document::TestPlan(plan) => plan.cases.len(),
            Document::RiskAssessment(assessment) => assessment.risks.len(),
        };
        let name = super::document_name(content.kind(), self.style.lang);
        let written = self.say(text::WRITTEN, values![name, items]);
        self.done(&who, &written, figure)
    }

    /// What the run is expected to take, before its first call.
    fn forecast(&self, call: &CallId, bytes: u64) -> Option<String> {
        let is_first = self.state.calls.answered == 0 && call.purpose == Purpose::Judgment;
        let forecast = Forecast::of(self.state, bytes).filter(|_| is_first && call.attempt == 1)?;
        let trials = match self.state.inputs.trials {
            true => text::FORECAST_TRIALS.of(self.style.lang),
            false => "",
        };
        let usd = |usd: Usd| self.say(text::FORECAST_COST, values![usd]);
        let values = values![
            calls = forecast.calls,
            chain = forecast.chain,
            tokens = tokens(forecast.tokens),
            cost = forecast.usd.map_or_else(String::new, usd) + trials
        ];
        let template = match self.state.inputs.format {
            Format::Team => text::FORECAST_TEAM,
            _ => text::FORECAST,
        };
        let expected = self.told(Mark::Note, template, values);
        let carried = (forecast.carried > 0).then(|| {
            let values = values![n = forecast.carried];
            self.told(Mark::Note, text::FORECAST_CARRIED, values)
        });
        let limits = &self.state.inputs.limits;
        let cap = limits.max_tokens.filter(|cap| *cap < forecast.tokens);
        let cap = cap.map(|cap| self.say(text::SMALL_CAP, values![cap = tokens(cap)]));
        let budget = limits.budget_usd.filter(|cap| Some(*cap) < forecast.usd);
        let budget = budget.map(|cap| self.say(text::SMALL_BUDGET, values![cap]));
        let small = cap.into_iter().chain(budget).map(|said| self.warn(&said));
        let lines: Vec<String> = [expected].into_iter().chain(carried).chain(small).collect();
        Some(lines.join("\n"))
    }

    /// Calls, guards and resumes.
    fn trouble(&self, entry: &Entry, event: &Event) -> Option<String> {
        match event {
            Event::CallStarted {
                call,
                input_context,
                ..
            } => {
                let asked = || {
                    let asked = self.say(text::CALLING, values![purpose = call.purpose.name()]);
                    row(Mark::Note, &self.code(&call.member), &asked, "", self.style)
                };
                let lines = self.forecast(call, input_context.bytes).into_iter();
                let lines: Vec<_> = lines.chain((self.style.verbose > 0).then(asked)).collect();
                (!lines.is_empty()).then(|| lines.join("\n"))
            }
            Event::CallFailed {
                call,
                kind,
                detail,
                retry_after_ms,
                ..
            } => {
                let kind = text::name_of("failure", kind);
                let detail = reason(detail, self.style.lang);
                let failed = self.say(text::CALL_FAILED, values![kind, detail]);
                let seconds = retry_after_ms.unwrap_or_default().div_ceil(1000);
                let asking = |template| self.say(template, values![n = seconds]);
                let then = match after_failure(self.state, call) {
                    AfterFailure::Again if seconds == 0 => {
                        text::RETRIED.of(self.style.lang).to_owned()
                    }
                    AfterFailure::Again => asking(text::RETRIED_AFTER),
                    AfterFailure::Later => asking(text::RETRIED_LATER),
                    AfterFailure::Never => text::NOT_RETRIED.of(self.style.lang).to_owned(),
                };
                let told = self.say(text::THEN, values![what = failed, then]);
                Some(self.warn(&text::of(self.code(&call.member), told, self.style.lang)))
            }
            Event::ReplyRejected {
                receipt,
                reason: why,
                ..
            } => {
                let why = reason(why, self.style.lang);
                let rejected = match is_asked_again(self.state, &receipt.call) {
                    true => text::REJECTED,
                    false => text::REJECTED_LAST,
                };
                let rejected = self.say(rejected, values![reason = why]);
                let who = self.code(&receipt.call.member);
                Some(self.warn(&text::of(&who, &rejected, self.style.lang)))
            }
            Event::PassedOver {
                member,
                reason: why,
                phase_id,
                ..
            } => {
                if let Some(phase) = phase_id {
                    return Some(self.brought_nothing(phase, member, why));
                }
                let why = reason(why, self.style.lang);
                let passed = self.say(text::PASSED_OVER, values![reason = why]);
                Some(self.warn(&format!("{} {passed}", self.code(member))))
            }
            Event::GuardWarned {
                guard,
                value,
                limit,
                sign,
                ..
            } => Some(self.near(*guard, *sign, *value, *limit)),
            Event::GuardFired {
                guard,
                value,
                limit,
                sign,
                ..
            } => Some(self.fired(*guard, *sign, *value, *limit)),
            Event::Resumed {
                accepted_drift,
                models,
                ..
            } => {
                let mut lines =
                    vec![self.told(Mark::Note, text::RESUMED, values![line = entry.seq])];
                if !accepted_drift.is_empty() {
                    let names = clean(&accepted_drift.join(", "));
                    lines.push(self.told(Mark::Warning, text::DRIFT_ACCEPTED, values![names]));
                }
                lines.extend(models.iter().flat_map(|_| self.other_models()));
                Some(lines.join("\n"))
            }
            _ => None,
        }
    }
}
