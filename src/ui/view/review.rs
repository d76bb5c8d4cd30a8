//! The review of what was written, an event in a line or two.

use super::event::View;
use super::layout::Mark;
use super::{clean, text};
use crate::clean::reason;
use crate::fault::{Text, values};
use crate::machine::review::{FindingFate, ReviewClosed, Writing};
use crate::machine::{Event, Lang};
use crate::role::RoleId;

impl View<'_> {
    /// What an event of the review shows; `None` for any other event.
    pub(super) fn review(&self, event: &Event) -> Option<String> {
        Some(match event {
            Event::PlanChecked(checked) if checked.found.is_empty() => return None,
            Event::PlanChecked(checked) => {
                let about: Vec<_> = checked.found.iter().map(|one| clean(&one.about)).collect();
                let values = values![n = about.len(), about = about.join(", ")];
                self.told(Mark::Warning, text::PLAN_CHECKED, values)
            }
            Event::Review(done) => {
                let (receipt, blocking) = (done.receipt.as_ref(), |one: &&_| is_blocking(one));
                if let Some(why) = &done.missed {
                    return Some(self.missing(&done.member, text::REVIEW_MISSING, why));
                }
                let blocking = done.findings.iter().filter(blocking).count();
                let (what, n) = (self.reviewed(), done.findings.len());
                let values = values![what, n, blocking];
                let found = match done.findings.is_empty() {
                    true => text::REVIEWED_CLEAN,
                    false => text::REVIEWED,
                };
                let found = self.say(found, values);
                let done_by = self.code(&done.member);
                let told = self.done(&done_by, &found, &self.figure(receipt));
                self.noted(told, &done.member, &done.notes)
            }
            Event::Amendment(done) => {
                let writer = done.kind.writer(self.state)?;
                if let Some(why) = &done.missed {
                    return Some(self.missing(writer, text::AMENDMENT_MISSING, why));
                }
                let mended = done.findings.iter().filter(|one| one.mended).count();
                let declined = done.findings.len() - mended;
                let name = written(done.kind, self.style.lang);
                let said = self.say(text::AMENDED, values![name, mended, declined]);
                let figure = self.figure(done.receipt.as_ref());
                let told = self.done(&self.code(writer), &said, &figure);
                self.noted(told, writer, &done.notes)
            }
            Event::Verdicts(done) => {
                if let Some(why) = &done.missed {
                    return Some(self.missing(&done.member, text::VERDICT_MISSING, why));
                }
                let upheld = done.verdicts.iter().filter(|one| one.upholds).count();
                let withdrawn = done.verdicts.len() - upheld;
                let said = self.say(text::JUDGED, values![upheld, withdrawn]);
                let figure = self.figure(done.receipt.as_ref());
                let told = self.done(&self.code(&done.member), &said, &figure);
                self.noted(told, &done.member, &done.notes)
            }
            Event::ReviewClosed(closed) => self.review_closed(closed),
            _ => return None,
        })
    }

    /// What is reviewed, as a whole.
    fn reviewed(&self) -> Text {
        match self.state.team {
            Some(_) => text::word("the_synthesis"),
            None => text::word("plan"),
        }
    }

    fn review_closed(&self, closed: &ReviewClosed) -> String {
        let figures = figures(self.state, self.style);
        match closed.upheld.is_empty() {
            true => self.told(Mark::Done, text::REVIEW_CLOSED, values![figures]),
            false => {
                let ids = super::layout::ids(&closed.upheld);
                let values = values![what = self.reviewed(), figures, ids];
                self.warn(&self.say(text::REVIEW_UPHELD, values))
            }
        }
    }

    fn missing(&self, member: &RoleId, text: Text, why: &str) -> String {
        let why = reason(why, self.style.lang);
        let values = values![who = self.code(member), reason = why];
        self.warn(&self.say(text, values))
    }
}

/// What was written, by its name.
fn written(writing: Writing, lang: Lang) -> &'static str {
    match writing {
        Writing::Document(kind) => super::document_name(kind, lang),
        Writing::Synthesis => text::word("the_synthesis").of(lang),
    }
}

fn is_blocking(finding: &&crate::reply::PlanFinding) -> bool {
    finding.blocking
}

/// The result of the review in a few words, or why there was none.
pub(super) fn figures(state: &crate::machine::State, style: &super::Style) -> String {
    let review = &state.review;
    let lang = style.lang;
    if let Some(why) = review.unheld {
        let why = text::name_of("unreviewed", &why);
        return text::NOT_REVIEWED.with(lang, values![why]);
    }
    if review.findings.is_empty() {
        return text::NOTHING_FOUND.of(lang).to_owned();
    }
    let (all, mended) = (review.findings.len(), review.count(FindingFate::Mended));
    text::REVIEWED_FIGURES.with(lang, values![n = all, mended])
}
