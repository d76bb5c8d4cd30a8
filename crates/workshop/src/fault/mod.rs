//! The catalogue of errors: of each its code, exit code, and what is told of it,
//! in English and Chinese.
//!
//! A [`Kind`] is a row of the catalogue, a [`Fault`] an error that happened: the
//! row with its places filled. Errors of other rooms stay what they are, enums
//! with fields; [`Tell`] turns them into a fault, so that their words stand here
//! and nowhere else. `docs/design/messages.md` has the reasons.

mod exit;
mod text;

pub mod line;
pub mod models;
pub mod plans;
pub mod recorded;
pub mod settings;
pub mod storage;

pub use exit::Exit;
pub(crate) use text::table;
pub use text::{Message, Refusal, Text, Value, fill, said_by_system, texts, values};

use schemars::JsonSchema;
use serde::Serialize;

use crate::machine::Lang;

/// A kind of error: a row of the catalogue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kind {
    /// Stable code, `E-` and words with hyphens.
    pub code: &'static str,
    /// What a command usually ends with.
    pub exit: Exit,
    /// What went wrong, in one sentence.
    pub what: Text,
    /// Why it is an error; no words when there is nothing to add.
    pub why: Text,
    /// What to do, best a command; no words when nothing can be done.
    pub fix: Text,
}

impl Kind {
    /// This error, its places filled with `values`.
    pub fn with(self, values: &[(&str, &dyn Value)]) -> Fault {
        let words = [self.what, self.why, self.fix].map(|text| text.fill(values));
        Fault {
            code: self.code,
            exit: self.exit,
            words: Box::new(words),
            ways: Vec::new(),
        }
    }
}

/// Every kind of error, by topic.
pub fn kinds() -> impl Iterator<Item = &'static Kind> {
    [
        line::ALL,
        plans::ALL,
        settings::ALL,
        models::ALL,
        storage::ALL,
    ]
    .into_iter()
    .flatten()
}

/// Why a command could not do what it was asked to.
///
/// On stderr it is up to three lines, what with the code, why and fix, and a line for each
/// way out where there are several; with `--json` it is a document on stdout instead.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", .words[0].en)]
pub struct Fault {
    /// The code of its kind.
    pub code: &'static str,
    /// What the command ends with.
    pub exit: Exit,
    /// What, why, fix; on the heap, since results carry it around.
    words: Box<[Message; 3]>,
    /// Ways out to choose from, a line each below the fix.
    ways: Vec<Message>,
}

impl Fault {
    /// What went wrong, in one sentence.
    pub fn what(&self) -> &Message {
        &self.words[0]
    }

    /// Why it is an error; no words when there is nothing to add.
    pub fn why(&self) -> &Message {
        &self.words[1]
    }

    /// What to do, best a command; no words when nothing can be done.
    pub fn fix(&self) -> &Message {
        &self.words[2]
    }

    /// The fix and the ways out to choose from, a line each.
    fn fix_lines(&self, lang: Lang) -> Vec<&str> {
        let ways = self.ways.iter();
        std::iter::once(self.fix())
            .chain(ways)
            .map(|line| line.of(lang))
            .collect()
    }

    /// The fix with the ways out to choose from, as one sentence.
    pub fn whole_fix(&self) -> Message {
        let ways = self.ways.iter();
        let put = |lang| {
            let ways: Vec<&str> = ways.clone().map(|way| way.of(lang)).collect();
            let between = Text("; ", "；").of(lang);
            format!("{} {}", self.fix().of(lang), ways.join(between))
                .trim_end()
                .to_owned()
        };
        Message {
            en: put(Lang::En),
            zh: put(Lang::Zh),
        }
    }

    /// The same with ways out to choose from.
    #[must_use]
    pub fn choosing(mut self, ways: Vec<Message>) -> Self {
        self.ways = ways;
        self
    }

    /// The same with a more precise description: `what` holds the place.
    #[must_use]
    pub fn saying(mut self, what: Message) -> Self {
        self.words[0] = what;
        self
    }

    /// The same with the word that may be meant as what helps, where there is one.
    #[must_use]
    pub fn meaning(self, near: Option<impl Value>) -> Self {
        match near {
            Some(word) => self.fixed_by(did_you_mean(word)),
            None => self,
        }
    }

    /// The same with another way out.
    #[must_use]
    pub fn fixed_by(mut self, fix: impl Into<Message>) -> Self {
        self.words[2] = fix.into();
        self
    }

    /// The same where commands are called in another way: why and fix are put so.
    #[must_use]
    pub fn put(mut self, so: impl Fn(&str) -> String) -> Self {
        for words in self.words[1..].iter_mut().chain(&mut self.ways) {
            *words = words.put(&so);
        }
        self
    }

    /// The same with another exit code.
    #[must_use]
    pub fn ending(self, exit: Exit) -> Self {
        Self { exit, ..self }
    }

    /// The lines for stderr, ending in a line break and fit for a terminal.
    pub fn text(&self, lang: Lang) -> String {
        let clean = crate::clean::clean;
        let fix: Vec<String> = self.fix_lines(lang).into_iter().map(clean).collect();
        let values = [
            ("code", self.code),
            ("what", &clean(self.what().of(lang))),
            ("why", &clean(self.why().of(lang))),
            ("fix", &fix.join("\n       ")),
        ];
        let mut text = ERROR.with(lang, &values);
        for (line, part) in [(WHY, self.why()), (FIX, self.fix())] {
            if !part.is_empty() {
                text.push_str(&line.with(lang, &values));
            }
        }
        text
    }

    /// The document for stdout.
    pub fn document(&self, lang: Lang) -> ErrorDocument<'_> {
        ErrorDocument {
            v: 1,
            error: ErrorParts {
                code: self.code,
                what: self.what().of(lang),
                why: self.why().of(lang),
                fix: self.fix_lines(lang).join("\n"),
            },
            exit_code: self.exit.code(),
        }
    }
}

/// What every command prints with `--json` that could not do what it was asked to.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ErrorDocument<'a> {
    /// Version of this format.
    v: u32,
    /// What, why, and what to do.
    error: ErrorParts<'a>,
    /// What the command ended with.
    exit_code: u8,
}

/// The parts of an error.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ErrorParts<'a> {
    /// Stable code of this kind of error, such as `E-run-held`.
    #[schemars(regex(pattern = "^E-[a-z0-9-]+$"))]
    code: &'a str,
    /// What went wrong, one sentence.
    what: &'a str,
    /// Why it is an error; may be empty.
    why: &'a str,
    /// What to do, best a command; may be empty.
    fix: String,
}

const ERROR: Text = Text("error[{code}]: {what}\n", "错误[{code}]：{what}\n");
const WHY: Text = Text("  why: {why}\n", "  原因：{why}\n");
const FIX: Text = Text("  fix: {fix}\n", "  办法：{fix}\n");

/// An error of a room, which the catalogue has words for.
pub trait Tell {
    /// The message about it.
    fn told(&self) -> Fault;
}

impl<E: Tell> From<E> for Fault {
    fn from(error: E) -> Self {
        error.told()
    }
}

/// The word of `known` most like `name`, case aside, if one is like it.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let name = name.to_lowercase();
    known
        .into_iter()
        .map(|word| (likeness(&name, &word.to_lowercase()), word))
        .filter(|(likeness, _)| *likeness > 0.8)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, word)| word)
}

/// How alike two words are, from 0 to 1. In a short one two letters changed places, or
/// one is wrong, and that measure finds little of it left.
fn likeness(name: &str, word: &str) -> f64 {
    let likeness = strsim::jaro_winkler(name, word);
    let is_slip = name.chars().count() >= 3 && strsim::osa_distance(name, word) <= 1;
    if is_slip { likeness.max(0.9) } else { likeness }
}

/// The way out of a mistyped word.
pub fn did_you_mean(word: impl Value) -> Message {
    Text("did you mean `{word}`?", "您是否想写 `{word}`？").fill(&[("word", &word)])
}

/// The way out where one of a few words would be right.
pub fn use_one_of(words: &[&str]) -> Message {
    Text("use one of `{words}`", "请使用其中之一：`{words}`")
        .fill(&[("words", &words.join("`, `"))])
}

/// Rows of the catalogue: `NAME "E-code" Exit { what: English, Chinese; why: …; fix: …; }`,
/// of which the last two may be left out.
macro_rules! rows {
    ($($name:ident $code:literal $exit:ident {
        what: $what:literal, $what_zh:literal;
        $(why: $why:literal, $why_zh:literal;)?
        $(fix: $fix:literal, $fix_zh:literal;)?
    })*) => {
        use super::{Exit, Kind, Text};

        $(
            #[doc = $what]
            pub const $name: Kind = Kind {
                code: $code,
                exit: Exit::$exit,
                what: Text($what, $what_zh),
                why: rows!(@ $($why, $why_zh)?),
                fix: rows!(@ $($fix, $fix_zh)?),
            };
        )*

        /// Every kind of this topic.
        pub const ALL: &[Kind] = &[$($name),*];
    };
    (@) => { Text::NONE };
    (@ $en:literal, $zh:literal) => { Text($en, $zh) };
}
use rows;

#[cfg(test)]
mod tests;
