//! The catalogue of errors: code, exit code and messages of each, in English and Chinese.
//!
//! A [`FaultKind`] is a row of the catalogue. A [`Fault`] is an error that happened: the row with
//! its placeholders filled. Other modules keep their own errors as enums with fields, and
//! [`ToFault`] converts them to a fault, so that all messages are in this module only.
//! `docs/design/messages.md` has the reasons.

mod exit;
mod text;

pub mod line;
pub mod models;
pub mod plans;
pub mod recorded;
pub mod settings;
pub mod storage;

pub use exit::Exit;
pub use text::{
    Message, MessageValue, OpenRefusal, Text, fill, said_by_system, table, texts, values,
};

use std::collections::BTreeMap;
use std::sync::LazyLock;

use schemars::JsonSchema;
use serde::Serialize;

use crate::lang::Lang;

/// A kind of error: a row of the catalogue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FaultKind {
    /// Stable code: `E-` and words joined by hyphens.
    pub code: &'static str,
    /// The exit code that a command usually ends with.
    pub exit: Exit,
}

/// What is told of an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FaultWords {
    /// What went wrong, in one sentence.
    pub what: Text,
    /// Why it is an error.
    pub why: Text,
    /// What to do, preferably a command; empty if nothing can be done.
    pub fix: Text,
}

/// The words of every kind, by its code.
static CATALOGUE: LazyLock<BTreeMap<&str, FaultWords>> =
    LazyLock::new(|| catalogue(include_str!("faults.txt")));

/// The entries of a file of words: a code, and below it rows such as `what: …` in English, each
/// with its Chinese indented below it.
pub fn catalogue(text: &'static str) -> BTreeMap<&'static str, FaultWords> {
    let mut all = BTreeMap::new();
    let (mut code, mut english) = ("", ("", ""));
    for row in text
        .lines()
        .filter(|row| !row.is_empty() && !row.starts_with('#'))
    {
        let Some(zh) = row.strip_prefix("    ") else {
            match row.split_once(": ") {
                Some(text) => english = text,
                None => code = row,
            }
            continue;
        };
        let words: &mut FaultWords = all.entry(code).or_insert(NO_WORDS);
        match english {
            ("what", en) => words.what = Text(en, zh),
            ("why", en) => words.why = Text(en, zh),
            (_, en) => words.fix = Text(en, zh),
        }
    }
    all
}

const NO_WORDS: FaultWords = FaultWords {
    what: Text::NONE,
    why: Text::NONE,
    fix: Text::NONE,
};

impl FaultKind {
    /// What is told of it.
    pub fn words(self) -> FaultWords {
        // A test asks for the words of every kind.
        CATALOGUE.get(self.code).copied().unwrap_or(NO_WORDS)
    }

    /// The error of this kind, with its placeholders filled from `values`.
    pub fn with(self, values: &[(&str, &dyn MessageValue)]) -> Fault {
        let FaultWords { what, why, fix } = self.words();
        let words = [what, why, fix].map(|text| text.fill(values));
        Fault {
            code: self.code,
            exit: self.exit,
            words: Box::new(words),
            ways: Vec::new(),
        }
    }
}

/// Every kind of error, by topic.
pub fn kinds() -> impl Iterator<Item = &'static FaultKind> {
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

/// Why a command failed.
///
/// On stderr it has up to three lines (what with the code, why, fix), and one more line for each
/// option if there are several ways to fix it. With `--json` it is a document on stdout.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", .words[0].en)]
pub struct Fault {
    /// The code of its kind.
    pub code: &'static str,
    /// The exit code of the command.
    pub exit: Exit,
    /// What, why and fix. They are boxed because every `Result` carries them.
    words: Box<[Message; 3]>,
    /// Ways to fix it that the user can choose from, one line each below the fix.
    ways: Vec<Message>,
}

impl Fault {
    /// What went wrong, in one sentence.
    pub fn what(&self) -> &Message {
        &self.words[0]
    }

    /// Why it is an error.
    pub fn why(&self) -> &Message {
        &self.words[1]
    }

    /// What to do, preferably a command; empty if nothing can be done.
    pub fn fix(&self) -> &Message {
        &self.words[2]
    }

    /// The fix and the options below it, one line each.
    fn fix_lines(&self, lang: Lang) -> Vec<&str> {
        let ways = self.ways.iter();
        std::iter::once(self.fix())
            .chain(ways)
            .map(|line| line.of(lang))
            .collect()
    }

    /// The fix and its options, as one sentence.
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

    /// Adds options for the user to choose from.
    #[must_use]
    pub fn choosing(mut self, ways: Vec<Message>) -> Self {
        self.ways = ways;
        self
    }

    /// Replaces the description with a more precise one.
    #[must_use]
    pub fn saying(mut self, what: Message) -> Self {
        self.words[0] = what;
        self
    }

    /// Suggests the similar word as the fix, if there is one.
    #[must_use]
    pub fn meaning(self, near: Option<impl MessageValue>) -> Self {
        match near {
            Some(word) => self.fixed_by(did_you_mean(word)),
            None => self,
        }
    }

    /// Replaces the fix.
    #[must_use]
    pub fn fixed_by(mut self, fix: impl Into<Message>) -> Self {
        self.words[2] = fix.into();
        self
    }

    /// Rewrites the commands in why and fix, for callers that invoke them in another way.
    #[must_use]
    pub fn put(mut self, so: impl Fn(&str) -> String) -> Self {
        for words in self.words[1..].iter_mut().chain(&mut self.ways) {
            *words = words.put(&so);
        }
        self
    }

    /// Replaces the exit code.
    #[must_use]
    pub fn ending(self, exit: Exit) -> Self {
        Self { exit, ..self }
    }

    /// The lines for stderr, safe for a terminal, with a final line break.
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

    /// The JSON document for stdout.
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
    /// Version of the format of this document.
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

/// An error of another module that has a row in the catalogue.
pub trait ToFault {
    /// Converts the error to a fault.
    fn to_fault(&self) -> Fault;
}

impl<E: ToFault> From<E> for Fault {
    fn from(error: E) -> Self {
        error.to_fault()
    }
}

/// What is wrong with a text, and in which line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.message().en)]
pub struct LineError {
    /// One-based line; 1 if it concerns the whole text.
    pub line: u64,
    /// What is wrong and what would be right.
    pub what: Message,
}

impl LineError {
    /// What is wrong in this line.
    pub fn new(line: u64, what: impl Into<Message>) -> Self {
        let what = what.into();
        Self { line, what }
    }

    /// What is wrong, including the line.
    pub fn message(&self) -> Message {
        const AT_LINE: Text = Text("line {line}: {what}", "第 {line} 行：{what}");
        AT_LINE.fill(&[("line", &self.line), ("what", &self.what)])
    }

    /// The error of the file at `path`, of a kind that is told with `path`, `line` and `what`.
    pub fn of(&self, kind: FaultKind, path: &str) -> Fault {
        kind.with(&[("path", &path), ("line", &self.line), ("what", &self.what)])
    }
}

/// The word of `known` that is most similar to `name`, ignoring case, if any is similar enough.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let name = name.to_lowercase();
    known
        .into_iter()
        .map(|word| (likeness(&name, &word.to_lowercase()), word))
        .filter(|(likeness, _)| *likeness > 0.8)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, word)| word)
}

/// Similarity of two words, from 0 to 1. In a short word one swapped or wrong letter lowers the
/// Jaro-Winkler measure too much, so such typos are handled separately.
fn likeness(name: &str, word: &str) -> f64 {
    let likeness = strsim::jaro_winkler(name, word);
    let is_slip = name.chars().count() >= 3 && strsim::osa_distance(name, word) <= 1;
    if is_slip { likeness.max(0.9) } else { likeness }
}

/// The suggestion for a mistyped word.
pub fn did_you_mean(word: impl MessageValue) -> Message {
    Text("did you mean `{word}`?", "您是否想写 `{word}`？").fill(&[("word", &word)])
}

/// The suggestion if one of a few words would be right.
pub fn use_one_of(words: &[&str]) -> Message {
    Text("use one of `{words}`", "请使用其中之一：`{words}`")
        .fill(&[("words", &words.join("`, `"))])
}

/// Kinds of errors: `NAME "E-code" Exit;`, whose words are found in `faults.txt` by the code.
macro_rules! rows {
    ($($name:ident $code:literal $exit:ident;)*) => {
        use super::{Exit, FaultKind};

        $(
            #[doc = concat!("`", $code, "` of `faults.txt`.")]
            pub const $name: FaultKind = FaultKind { code: $code, exit: Exit::$exit };
        )*

        /// All kinds of error in this file.
        pub const ALL: &[FaultKind] = &[$($name),*];
    };
}
use rows;

#[cfg(test)]
mod tests;
