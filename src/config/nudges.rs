//! `team.yaml`: how often a member may be nudged.

use std::collections::HashMap;

use serde::Deserialize;
use serde_yaml::Spanned;

use super::MAX_BYTES;
use crate::fault::{Message, texts, values};
use crate::yaml;

/// Path of the file, relative to the workspace's root.
pub const TEAM_FILE: &str = ".ai-tools-chain/team.yaml";

texts! {
    NO_NUMBER: "line {line}: `diligence_push_max` must be a whole number up to 1000", "第 {line} 行：`diligence_push_max` 必须是不超过 1000 的整数";
}

/// The file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Team {
    members: Option<HashMap<Spanned<String>, Option<Member>>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Member {
    #[serde(alias = "diligence-push-max")]
    diligence_push_max: Option<i64>,
}

/// How often one member may be nudged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Nudges {
    /// As in the file: a full name or a code.
    pub member: String,
    /// Number of the line, from 1.
    pub line: u64,
    /// Nudges, -1000 to 1000; a value below 1 disables them.
    pub pushes: i64,
}

/// Parses nudges by member, in the order of the file; if a member occurs twice, the last one
/// counts.
///
/// The file may name members that do not take part; a value below 1 disables nudges.
///
/// # Errors
/// A message that starts with `line N:`.
pub fn parse(text: &str) -> Result<Vec<Nudges>, Message> {
    let team: Option<Team> = yaml::parse(text, MAX_BYTES).map_err(|error| error.message())?;
    let members = team.and_then(|team| team.members).into_iter().flatten();
    let mut members: Vec<_> = members.collect();
    members.sort_by_key(|(name, _)| (name.referenced.line(), name.referenced.column()));
    let all = members.into_iter();
    let all: Vec<_> = all
        .filter_map(|(name, member)| {
            Some(Nudges {
                line: name.referenced.line(),
                member: name.value,
                pushes: member?.diligence_push_max?,
            })
        })
        .collect();
    match all.iter().find(|one| !(-1000..=1000).contains(&one.pushes)) {
        Some(one) => Err(NO_NUMBER.fill(values![line = one.line])),
        None => Ok(all),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_have_a_number_in_either_spelling() {
        let text =
            "members:\n  PP:\n    diligence_push_max: 5\n  fuxi: {diligence-push-max: -1}\n  TP:\n";
        let expected = [("PP", 2, 5), ("fuxi", 4, -1)].map(|(member, line, pushes)| Nudges {
            member: member.to_owned(),
            line,
            pushes,
        });
        assert_eq!(parse(text), Ok(expected.to_vec()));
        let one_line = "members: {b: {diligence_push_max: 2}, a: {diligence_push_max: 1}, c: {diligence_push_max: 3}}";
        let numbers = parse(one_line).unwrap().into_iter().map(|one| one.pushes);
        assert_eq!(numbers.collect::<Vec<_>>(), [2, 1, 3]);
        for nothing in ["", "# nothing\n", "members:\n"] {
            assert_eq!(parse(nothing), Ok(Vec::new()), "{nothing}");
        }
    }

    #[test]
    fn what_is_not_understood_is_refused_with_its_line() {
        for (text, part) in [
            ("member:\n  PP: {}\n", "line 1: unknown key `member`"),
            (
                "members:\n  PP:\n    push: 3\n",
                "line 3: unknown key `push`",
            ),
            (
                "members:\n  PP:\n    diligence_push_max: many\n",
                "line 3: this must be a whole number",
            ),
            (
                "members:\n  PP:\n    diligence_push_max: 1001\n",
                "line 2: `diligence_push_max`",
            ),
            ("members: [PP]\n", "line 1: keys with values"),
            ("members:\n  PP: 3\n", "line 2: "),
        ] {
            let error = parse(text).unwrap_err();
            assert!(error.en.contains(part), "{text}: {error:?}");
        }
    }
}
