//! Questions and answers as terminal lines.

use std::fmt::Display;

use super::event::View;
use super::layout::{Mark, ids, marked};
use super::questions::places;
use super::{clean, text};
use crate::fault::{Text, Value, values};
use crate::machine::{
    AnswerSource, CallId, Event, EvidenceRecord, Find, Looked, Purpose, QuestionMode, RunId, Seen,
    Standing,
};
use crate::reply::{Look, LookKind};

/// Returns whether one place is all that such a look can bring.
fn one_answers(kind: LookKind) -> bool {
    matches!(kind, LookKind::Read | LookKind::History | LookKind::Ask)
}

impl View<'_> {
    /// Questions and answers.
    pub(super) fn clarification(&self, event: &Event) -> Option<String> {
        // If somebody is asked on the terminal, the whole question is shown there.
        let is_put = self.state.inputs.questions == QuestionMode::Ask;
        let asker = |id| {
            let question = self.state.questions.find(id);
            question.map_or_else(String::new, |question| self.code(&question.asked_by))
        };
        match event {
            Event::Inquiry { looked, .. } => self.inquiry(looked),
            Event::Evidence { evidence } => {
                let lines = evidence.iter().map(|one| self.evidence(one));
                Some(lines.collect::<Vec<_>>().join("\n"))
            }
            Event::TrialStarted { call, id, look, .. } => Some(self.trial(call, *id, look)),
            Event::Look { receipt, seen, .. } => Some(self.looks(&receipt.call, seen)),
            Event::UserClarificationNeeded { .. }
            | Event::ClarificationFollowedUp {
                follow_up: Some(_), ..
            } if is_put => None,
            Event::UserClarificationNeeded { id, asked, .. } => {
                let values = values![who = asker(*id), text = clean(asked)];
                Some(self.on(Mark::Asked, *id, text::ASKS, values))
            }
            Event::UserClarificationDialogue {
                id,
                user_reply,
                source,
                ..
            } => {
                let further = self.state.questions.find(*id);
                let further = further.is_some_and(|question| question.dialogue.len() > 1);
                let text = if further && *source == AnswerSource::Declined {
                    format!("{id} {}", text::DECLINED_FURTHER.of(self.style.lang))
                } else {
                    let source = text::name_of("source", source);
                    let aside = text::aside(source, self.style.lang);
                    format!("{id} {}{aside}", clean(user_reply))
                };
                Some(marked(Mark::Answered, &text, self.style))
            }
            Event::ClarificationFollowedUp {
                id,
                follow_up,
                repeated,
                ..
            } => {
                let (mark, template) = match follow_up {
                    Some(_) => (Mark::Asked, text::ASKS_AGAIN),
                    None if repeated.is_some() => (Mark::Note, text::ASKS_THE_SAME),
                    None => (Mark::Note, text::SATISFIED),
                };
                let more = clean(follow_up.as_deref().unwrap_or_default());
                let values = values![who = asker(*id), text = more];
                Some(self.on(mark, *id, template, values))
            }
            Event::ClarificationSkipped { call, reason } => Some(self.skipped(call, reason)),
            Event::ClarificationRelayed { decisions, .. } => {
                let answered = decisions.iter().filter_map(|decision| {
                    let answer = clean(decision.answer.as_deref()?);
                    let cites = clean(decision.cites.as_deref().unwrap_or_default());
                    let values = values![cites, text = answer];
                    let template = text::FROM_DISCUSSION;
                    Some(self.on(Mark::Answered, decision.id, template, values))
                });
                let lines: Vec<_> = answered.collect();
                (!lines.is_empty()).then(|| lines.join("\n"))
            }
            _ => None,
        }
    }

    /// The text about a question.
    fn on(
        &self,
        mark: Mark,
        question: impl Display,
        template: Text,
        values: &[(&str, &dyn Value)],
    ) -> String {
        let text = format!("{question} {}", self.say(template, values));
        marked(mark, &text, self.style)
    }

    /// What a member found for what it raised; an empty result is shown with `-v`.
    fn inquiry(&self, looked: &[Looked]) -> Option<String> {
        let by = self.state.raised_by(looked.first()?.id)?;
        let finds: Vec<Find> = looked.iter().flat_map(|one| one.finds.clone()).collect();
        let found = match text::counted(finds.len(), text::ONE_PLACE, text::PLACES, self.style.lang)
        {
            Some(n) => text::of(n, places(&finds), self.style.lang),
            None if self.style.verbose > 0 => text::NO_PLACE.of(self.style.lang).to_owned(),
            None => return None,
        };
        let values = values![
            who = self.code(by),
            ids = ids(looked.iter().map(|one| one.id)),
            found
        ];
        Some(self.told(Mark::Note, text::LOOKED_FOR, values))
    }

    /// A claim about existing code, and its place.
    fn evidence(&self, record: &EvidenceRecord) -> String {
        let place = match record.place() {
            Some(place) => clean(&place),
            None if record.standing == Standing::Inferred => {
                text::INFERRED.of(self.style.lang).to_owned()
            }
            None => text::UNVERIFIED.of(self.style.lang).to_owned(),
        };
        let values = values![
            who = self.code(&record.by),
            text = clean(&record.claim),
            place
        ];
        let text = format!("{} {}", record.id, self.say(text::FOUND_THERE, values));
        marked(Mark::Note, &text, self.style)
    }

    /// What is run, and for whom.
    fn trial(&self, call: &CallId, id: RunId, look: &Look) -> String {
        let values = values![
            who = self.code(&call.member),
            id,
            command = clean(&look.command.join(" ")),
            what = clean(&look.what)
        ];
        self.told(Mark::Note, text::TRIES, values)
    }

    /// Who looked at what, on one line.
    fn looks(&self, call: &CallId, seen: &[Seen]) -> String {
        let listed = seen.iter().map(|one| {
            if let (LookKind::Try, Some(remark)) = (one.look.kind, &one.remark) {
                return clean(remark);
            }
            let what = match (one.look.kind, one.found.first()) {
                (LookKind::Read, Some(find)) => clean(&find.place()),
                (LookKind::Read | LookKind::Outline | LookKind::History, _) => {
                    clean(&one.look.what)
                }
                _ => format!("\u{201c}{}\u{201d}", clean(&one.look.what)),
            };
            let found = match text::counted(
                one.found.len(),
                text::ONE_PLACE,
                text::PLACES,
                self.style.lang,
            ) {
                _ if one_answers(one.look.kind) && !one.found.is_empty() => return what,
                Some(n) => n,
                None => text::NO_PLACE.of(self.style.lang).to_owned(),
            };
            text::of(&what, &found, self.style.lang)
        });
        let listed: Vec<String> = listed.collect();
        let what = listed.join(text::LIST_COMMA.of(self.style.lang));
        let values = values![who = self.code(&call.member), what];
        self.told(Mark::Note, text::LOOKED, values)
    }

    fn skipped(&self, call: &CallId, reason: &str) -> String {
        let form = match call.purpose {
            Purpose::FollowUp => text::REPLY_STANDS,
            _ => text::NOT_RELAYED,
        };
        let reason = crate::clean::reason(reason, self.style.lang);
        let values = values![who = self.code(&call.member), reason];
        self.told(Mark::Warning, form, values)
    }
}
