//! A team at work as terminal lines.

use unicode_width::UnicodeWidthStr;

use super::event::View;
use super::layout::{Mark, ids, labelled};
use super::{clean, gist, text};
use crate::clean::reason;
use crate::fault::{Text, values};
use crate::machine::phase::{PhaseId, PhasePlan};
use crate::machine::team::{ExpertResult, ExpertStep, PhaseStarted, PlanRevised, TeamFormed};
use crate::machine::{Event, debate};
use crate::role::RoleId;

impl View<'_> {
    /// What a round is called: in a team it is a layer.
    pub(super) fn round_title(&self) -> Text {
        match self.state.team {
            Some(_) => text::LAYER,
            None => text::ROUND,
        }
    }

    /// What happens in a team.
    pub(super) fn team(&self, event: &Event) -> Option<String> {
        Some(match event {
            Event::TeamFormed(formed) => self.formed(formed),
            Event::PlanRevised(revised) => self.revised(revised),
            Event::PhaseStarted(started) => self.phase_started(started),
            Event::ExpertStep(stepped) => self.stepped(stepped),
            Event::ExpertResult(finished) => self.finished_phase(finished),
            Event::TeamSynthesis(synthesised) => {
                let title = clean(&synthesised.synthesis.title);
                let named = self.say(text::SYNTHESISED, values![title]);
                let figure = self.figure(synthesised.receipt.as_ref());
                let head = self.done("Coach", &named, &figure);
                self.with_whole(head, Some(&synthesised.synthesis.result))
            }
            _ => return None,
        })
    }

    fn formed(&self, formed: &TeamFormed) -> String {
        let figure = self.figure(formed.receipt.as_ref());
        let mut lines = vec![match &formed.fallback {
            Some(why) => self.told(
                Mark::Warning,
                text::TEAM_FALLBACK,
                values![why = reason(why, self.style.lang)],
            ),
            None => self.done("Coach", &gist(&formed.info), &figure),
        }];
        lines.extend(self.phases(&formed.phases));
        lines.extend(self.no_review());
        lines.join("\n")
    }

    /// That no review debate is held, for a user who asked for one and waits for it.
    pub(super) fn no_review(&self) -> Option<String> {
        let is_left_out = debate::leaves_review_out(self.state);
        is_left_out.then(|| self.told(Mark::Note, text::NO_REVIEW, &[]))
    }

    fn revised(&self, revised: &PlanRevised) -> String {
        if let Some(why) = &revised.kept {
            let why = reason(why, self.style.lang);
            return self.told(Mark::Warning, text::PLAN_KEPT, values![why]);
        }
        let figure = self.figure(revised.receipt.as_ref());
        let mut lines = vec![self.done("Coach", &gist(&revised.info), &figure)];
        lines.push(self.told(Mark::Note, text::PLAN_REVISED, &[]));
        lines.extend(revised.phases.iter().flat_map(|plan| self.phases(plan)));
        lines.join("\n")
    }

    fn phases(&self, plan: &PhasePlan) -> Vec<String> {
        let lines = plan.phases().iter().map(|phase| {
            let members: Vec<String> = phase.members.iter().map(|id| self.code(id)).collect();
            let after = match ids(&phase.depends_on) {
                none if none.is_empty() => none,
                needed => self.say(text::PHASE_AFTER, values![ids = needed]),
            };
            let (members, task) = (members.join(", "), clean(&phase.task));
            let text = format!("{members}{}{task}{after}", text::COLON.of(self.style.lang));
            labelled(&phase.id, &text, self.style)
        });
        lines.collect()
    }

    fn phase_started(&self, started: &PhaseStarted) -> String {
        let members: Vec<String> = started.members.iter().map(|id| self.code(id)).collect();
        let values = values![
            id = started.phase_id,
            who = members.join(", "),
            task = gist(&started.task)
        ];
        self.told(Mark::Note, text::PHASE_STARTED, values)
    }

    fn stepped(&self, stepped: &ExpertStep) -> String {
        let who = &stepped.receipt.call.member;
        let figure = self.figure(Some(&stepped.receipt));
        self.brought(who, &stepped.phase_id.to_string(), &stepped.output, &figure)
    }

    fn finished_phase(&self, finished: &ExpertResult) -> String {
        let id = finished.phase_id.to_string();
        if let Some(missing) = &finished.missing {
            let who = RoleId(missing.about.clone());
            return self.brought_nothing(&finished.phase_id, &who, &missing.text);
        }
        let Some(receipt) = &finished.receipt else {
            return String::new();
        };
        let figure = self.figure(Some(receipt));
        let who = &receipt.call.member;
        let told = self.brought(who, &id, &finished.output, &figure);
        self.noted(told, who, &finished.notes)
    }

    pub(super) fn brought_nothing(&self, id: &PhaseId, who: &RoleId, why: &str) -> String {
        let values = values![
            id,
            who = self.code(who),
            reason = reason(why, self.style.lang)
        ];
        self.told(Mark::Warning, text::PHASE_MISSING, values)
    }

    fn brought(&self, who: &RoleId, id: &str, output: &str, figure: &str) -> String {
        let (line, whole) = self.in_full(output);
        let text = match line.is_empty() {
            true => id.to_owned(),
            false => format!("{id}{}{line}", text::COLON.of(self.style.lang)),
        };
        self.with_whole(self.done(&self.code(who), &text, figure), whole)
    }

    /// What somebody brought: a line if it is no longer than one, else nothing in the line and the
    /// whole of it below.
    pub(super) fn in_full<'a>(&self, said: &'a str) -> (String, Option<&'a str>) {
        let line = gist(said);
        let is_line = line == clean(said).trim() && line.width() <= self.style.width / 2;
        match is_line {
            true => (line, None),
            false => (String::new(), Some(said)),
        }
    }

    /// Lines with the whole text below them, set as a page.
    pub(super) fn with_whole(&self, head: String, whole: Option<&str>) -> String {
        let Some(whole) = whole else {
            return head;
        };
        let inner = self.style.width.saturating_sub(2);
        let page = super::markdown(whole, &self.style.with_width(inner));
        let page = page.lines().map(|line| format!("\n  {line}"));
        let page = page.map(|line| line.trim_end_matches(' ').to_owned());
        head + &page.collect::<String>()
    }
}
