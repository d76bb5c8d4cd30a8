//! Formats, the kinds of meeting: all their differences, in one place.
//!
//! A format is not a separate machine. Rounds, calls, questions, debates, guards and interventions
//! work as in the workshop; the functions here only say what a format leaves out or does in
//! parallel.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::fault::Text;
use crate::ids::as_text;

/// What kind of meeting a run is.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// A planning workshop: rounds in turn, five documents, a report.
    #[default]
    Workshop,
    /// A team: the lead splits a task into phases, members work layer by layer, a synthesis.
    Team,
    /// A board: everybody speaks at the same time in every round; minutes, no documents.
    Board,
    /// A party: something said in `aitc chat` is talked over by the two or three members the
    /// coach asks; notes, no documents.
    Party,
}

impl Format {
    /// Every format, the workshop first.
    pub const ALL: [Self; 4] = [Self::Workshop, Self::Team, Self::Board, Self::Party];

    /// Returns its name as stored, in templates, and after `@`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Workshop => "workshop",
            Self::Team => "team",
            Self::Board => "board",
            Self::Party => "party",
        }
    }

    /// Returns the folder of its versions inside that of the plans, which is also the prefix of
    /// their numbers; `None` for plans.
    pub fn folder(self) -> Option<&'static str> {
        match self {
            Self::Workshop => None,
            Self::Team => Some("team"),
            Self::Board => Some("board"),
            Self::Party => Some("chat"),
        }
    }

    /// Returns the file of a version that people read first.
    pub fn report(self) -> &'static str {
        match self {
            Self::Workshop => "planning_report.md",
            Self::Team => "team_report.md",
            Self::Board => "board_minutes.md",
            Self::Party => "party_notes.md",
        }
    }

    /// Returns the file of a version that contains everything as structured data.
    pub fn structured(self) -> &'static str {
        match self {
            Self::Workshop => "planning.ai.json",
            Self::Team => "team.ai.json",
            Self::Board => "board.ai.json",
            Self::Party => "party.ai.json",
        }
    }

    /// Returns whether the coach chooses who speaks.
    pub fn invites_speakers(self) -> bool {
        self == Self::Party
    }

    /// Returns whether members speak one after the other, in an order that can be configured.
    pub fn speaks_in_turn(self) -> bool {
        matches!(self, Self::Workshop | Self::Party)
    }

    /// Returns whether a version can be continued: a plan by feedback, a party by the next message.
    pub fn goes_on(self) -> bool {
        matches!(self, Self::Workshop | Self::Party)
    }

    /// Returns whether all members speak in parallel in every round.
    pub fn speaks_side_by_side(self) -> bool {
        self == Self::Board
    }

    /// Returns whether roles write final documents.
    pub fn writes_documents(self) -> bool {
        self == Self::Workshop
    }

    /// Returns whether its result is reviewed before it is published.
    pub fn is_reviewed(self) -> bool {
        matches!(self, Self::Workshop | Self::Team)
    }

    /// Returns whether it is the planning workshop.
    pub fn is_workshop(&self) -> bool {
        *self == Self::Workshop
    }
}

/// A name that plans are counted apart under, so that branches that plan side by side never
/// take the same number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[schemars(with = "String")]
#[serde(try_from = "String", into = "String")]
pub struct Series {
    /// Its letters, zeros behind them.
    letters: [u8; Self::LONGEST],
}

impl Series {
    /// Maximum number of characters in a name.
    pub const LONGEST: usize = 32;

    /// Returns the name.
    pub fn name(&self) -> &str {
        let end = self.letters.iter().position(|byte| *byte == 0);
        let letters = &self.letters[..end.unwrap_or(Self::LONGEST)];
        std::str::from_utf8(letters).unwrap_or_default()
    }
}

impl fmt::Debug for Series {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Series({})", self.name())
    }
}

impl fmt::Display for Series {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

as_text!(Series);

impl FromStr for Series {
    type Err = NoSeries;

    fn from_str(text: &str) -> Result<Self, NoSeries> {
        let is_plain = |byte: u8| {
            byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'-' | b'_')
        };
        let is_version = text
            .strip_prefix('v')
            .is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit()));
        // Words that already have a meaning before a version.
        let is_taken = text == "plan"
            || Format::ALL
                .into_iter()
                .any(|format| format.folder() == Some(text) || format.name() == text);
        let begins = text.starts_with(|c: char| c.is_ascii_lowercase());
        if !begins
            || text.len() > Self::LONGEST
            || !text.bytes().all(is_plain)
            || is_version
            || is_taken
        {
            return Err(NoSeries);
        }
        let mut letters = [0; Self::LONGEST];
        letters[..text.len()].copy_from_slice(text.as_bytes());
        Ok(Self { letters })
    }
}

/// A text that cannot be the name of a series.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{}", Self::TEXT.0)]
pub struct NoSeries;

impl NoSeries {
    /// Says what a valid name is.
    pub const TEXT: Text = Text(
        "a series is called by a small letter, then small letters, digits, `-` and `_`, 32 in all, and not `team`, `board`, `chat` or like a version",
        "系列名以小写字母开头，其后为小写字母、数字、`-`、`_`，最多 32 个字符，且不能是 `team`、`board`、`chat` 或版本号",
    );
}

/// Names a version or draft: `v3` is a plan, `team/v2`, `board/v1` and `chat/v1` are of the
/// other formats, `NAME/v1` is a plan of a series; each of them counts its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize, JsonSchema)]
#[schemars(with = "String")]
#[serde(try_from = "String")]
pub struct Version {
    /// Format of the meeting.
    pub format: Format,
    /// The series it is counted in; none for those that are counted together.
    pub series: Option<Series>,
    /// Which of that kind and series, from 1.
    pub number: u32,
}

impl Version {
    /// Returns the plan with this number.
    pub fn plan(number: u32) -> Self {
        Self {
            format: Format::Workshop,
            series: None,
            number,
        }
    }

    /// Returns another version of the same format and series.
    pub fn sibling(self, number: u32) -> Self {
        Self { number, ..self }
    }

    /// Returns its name without the format, such as `v2` or `billing/v1`.
    pub fn within_format(self) -> String {
        match self.series {
            Some(_) => self.to_string(),
            None => format!("v{}", self.number),
        }
    }

    /// Returns the folder of its versions inside that of the plans; `None` for plans without a
    /// series.
    pub fn folder(&self) -> Option<&str> {
        let series = self.series.as_ref().map(Series::name);
        series.or_else(|| self.format.folder())
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(folder) = self.folder() {
            write!(f, "{folder}/")?;
        }
        write!(f, "v{}", self.number)
    }
}

as_text!(Version);

impl FromStr for Version {
    type Err = NoVersion;

    /// Parses `vN`, `VN` or `N`; for anything but plans without a series the folder comes before
    /// it.
    fn from_str(text: &str) -> Result<Self, NoVersion> {
        let (folder, name) = match text.split_once('/') {
            Some((folder, name)) => (Some(folder.to_ascii_lowercase()), name),
            None => (None, text),
        };
        let format = Format::ALL
            .into_iter()
            .find(|format| format.folder() == folder.as_deref())
            .map(|format| (format, None));
        let series = || Some((Format::Workshop, Some(folder.as_deref()?.parse().ok()?)));
        let number = name.strip_prefix(['v', 'V']).unwrap_or(name);
        let is_plain = number.bytes().all(|byte| byte.is_ascii_digit());
        let number = number.parse().ok().filter(|n| is_plain && *n > 0);
        match (format.or_else(series), number) {
            (Some((format, series)), Some(number)) => Ok(Self {
                format,
                series,
                number,
            }),
            _ => Err(NoVersion),
        }
    }
}

/// A text that is not a version.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{}", Self::TEXT.0)]
pub struct NoVersion;

impl NoVersion {
    /// Says what a valid version is.
    pub const TEXT: Text = Text(
        "a version is written `v1` for a plan, `NAME/v1` for one of a series, `team/v1`, `board/v1` or `chat/v1` for the others",
        "版本写作：规划 `v1`，系列中的规划 `NAME/v1`，其他 `team/v1`、`board/v1`、`chat/v1`",
    );
}

/// A text whose first word is the name of a format, such as `@board Monolith or services?` or
/// `@board[PP,SD] …`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormatMention {
    /// The format.
    pub format: Format,
    /// Names or codes in brackets, each not empty; `None` without brackets, which means everybody.
    pub members: Option<Vec<String>>,
    /// The text that follows; may be empty.
    pub text: String,
}

/// Parses a text that is addressed to a format; `None` for any other, which is a plain requirement.
pub fn addressed(text: &str) -> Option<FormatMention> {
    let rest = text.trim_start().strip_prefix('@')?;
    let format = Format::ALL.into_iter().find(|format| {
        let after = rest.get(format.name().len()..).unwrap_or_default();
        rest.get(..format.name().len())
            .is_some_and(|name| name.eq_ignore_ascii_case(format.name()))
            && after
                .chars()
                .next()
                .is_none_or(|c| c == '[' || c.is_whitespace())
    })?;
    let rest = &rest[format.name().len()..];
    let (members, rest) = match rest.strip_prefix('[').map(|rest| rest.split_once(']')) {
        Some(Some((members, rest))) => (Some(names(members)), rest),
        // An opening bracket means certain members, even if it is never closed.
        Some(None) => (Some(Vec::new()), rest),
        None => (None, rest),
    };
    Some(FormatMention {
        format,
        members,
        text: rest.trim().to_owned(),
    })
}

fn names(list: &str) -> Vec<String> {
    let names = list.split([',', '，', '、']).map(str::trim);
    let names = names.filter(|name| !name.is_empty());
    names.map(str::to_owned).collect()
}

/// Returns the name after `@` at the beginning of a text, whether or not such a format exists;
/// `None` if `@` is part of a word, such as `@media.css`.
pub fn address(text: &str) -> Option<&str> {
    let rest = text.trim_start().strip_prefix('@')?;
    let is_name = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
    let end = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
    let after = rest[end..].chars().next();
    let ends = after.is_none_or(|c| c == '[' || c.is_whitespace());
    (end > 0 && ends).then(|| &rest[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_format_is_addressed_by_the_first_word_only() {
        let read = |text| {
            let read: FormatMention = addressed(text)?;
            let members = read.members.map(|names| format!("[{}]", names.join("+")));
            Some((read.format, members.unwrap_or_default(), read.text))
        };
        let board =
            |members: &str, text: &str| Some((Format::Board, members.to_owned(), text.to_owned()));
        for (text, expected) in [
            (
                "@board Monolith or services?",
                board("", "Monolith or services?"),
            ),
            ("  @Board\nOne\nTwo", board("", "One\nTwo")),
            ("@board[PP, sd] Which?", board("[PP+sd]", "Which?")),
            ("@board[产品，SD]哪一个", board("[产品+SD]", "哪一个")),
            (
                "@team[PP] Port it",
                Some((Format::Team, "[PP]".to_owned(), "Port it".to_owned())),
            ),
            (
                "@party Photos or text?",
                Some((Format::Party, String::new(), "Photos or text?".to_owned())),
            ),
            ("@teams are small", None),
            ("@board", board("", "")),
            ("@board[] ", board("[]", "")),
            ("@board[ ，] Which?", board("[]", "Which?")),
            ("@board[PP Which?", board("[]", "[PP Which?")),
            ("@boarding passes are printed", None),
            (
                "@workshop Export",
                Some((Format::Workshop, String::new(), "Export".to_owned())),
            ),
            ("Put it on the @board", None),
            ("@nobody here", None),
            ("@", None),
            ("", None),
        ] {
            assert_eq!(read(text), expected, "{text:?}");
        }
    }

    #[test]
    fn names_folders_and_files_are_all_different() {
        for names in [
            Format::ALL.map(Format::name),
            Format::ALL.map(|format| format.folder().unwrap_or_default()),
            Format::ALL.map(Format::report),
            Format::ALL.map(Format::structured),
        ] {
            let mut sorted = names.to_vec();
            sorted.sort_unstable();
            sorted.dedup();
            assert_eq!(sorted.len(), names.len());
        }
    }

    #[test]
    fn a_version_is_read_as_it_is_written() {
        let of = |format, number| {
            Some(Version {
                format,
                series: None,
                number,
            })
        };
        let of_series = |name: &str, number| {
            let series = name.parse().ok();
            Some(Version {
                series,
                ..Version::plan(number)
            })
        };
        for (text, expected, written) in [
            ("v3", of(Format::Workshop, 3), "v3"),
            ("V12", of(Format::Workshop, 12), "v12"),
            ("7", of(Format::Workshop, 7), "v7"),
            ("team/v2", of(Format::Team, 2), "team/v2"),
            ("Board/V1", of(Format::Board, 1), "board/v1"),
            ("chat/4", of(Format::Party, 4), "chat/v4"),
            ("billing/v2", of_series("billing", 2), "billing/v2"),
            ("Pay-2_a/3", of_series("pay-2_a", 3), "pay-2_a/v3"),
            ("v1/v1", None, ""),
            ("2fa/v1", None, ""),
            ("a.b/v1", None, ""),
            ("workshop/v1", None, ""),
            ("a234567890123456789012345678901234/v1", None, ""),
            ("v0", None, ""),
            ("v+1", None, ""),
            ("v", None, ""),
            ("", None, ""),
            ("team", None, ""),
            ("team/", None, ""),
            ("plan/v1", None, ""),
            ("/v1", None, ""),
            ("team/v1/v1", None, ""),
            ("v1.draft", None, ""),
        ] {
            let read: Option<Version> = text.parse().ok();
            assert_eq!(read, expected, "{text:?}");
            assert_eq!(read.map(|one| one.to_string()).unwrap_or_default(), written);
        }
    }
}
