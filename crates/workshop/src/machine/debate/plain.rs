//! Fixed texts used where no model could be asked, in both languages: the rows `plain.…` of
//! `words.txt`.

use super::motion::Plain;
use crate::fault::values;
use crate::lang::Lang;
use crate::machine::phase::PhaseId;
use crate::reply::{Decision, Ruling};
use crate::words::{name_of, word};

pub(super) fn opening(topic: &str, lang: Lang) -> String {
    word("plain.opening").with(lang, &[("topic", topic)])
}

pub(super) fn passed_over(topic: &str, lang: Lang) -> String {
    word("plain.passed_over").with(lang, &[("topic", topic)])
}

pub(super) fn summary(lang: Lang) -> String {
    word("plain.summary").of(lang).to_owned()
}

pub(super) fn ruling(why: Plain, topic: &str, lang: Lang) -> Ruling {
    Ruling {
        decision: Decision::Shelve,
        rationale: name_of("unruled", &why).of(lang).to_owned(),
        conclusion: word("plain.conclusion").with(lang, &[("topic", topic)]),
    }
}

pub(super) fn review(lang: Lang, of_phases: bool) -> &'static str {
    match of_phases {
        true => word("plain.review_of_phases").of(lang),
        false => word("plain.review_of_issues").of(lang),
    }
}

pub(super) fn question(title: &str, lang: Lang) -> String {
    word("plain.question").with(lang, &[("title", title)])
}

pub(super) fn disputed(id: &PhaseId, task: &str, lang: Lang) -> String {
    word("plain.disputed").with(lang, values![id, task])
}
