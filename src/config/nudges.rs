//! `team.yaml`: how often a member may be nudged.

use super::MAX_BYTES;
use crate::fault::{Message, Value as Said, texts};
use crate::yaml::{self, Node, Tree};

/// Path of the file, relative to the workspace's root.
pub const TEAM_FILE: &str = ".ai-tools-chain/team.yaml";

const PUSH_MAX: &str = "diligence_push_max";

texts! {
    THE_FILE: "the file", "文件";
    UNKNOWN: "line {line}: unknown key `{key}`; use `{known}`", "第 {line} 行：未知的键 `{key}`；请使用 `{known}`";
    NO_MAPPING: "line {line}: {what} must be a mapping", "第 {line} 行：{what} 必须是映射";
    NO_NUMBER: "line {line}: `{key}` must be a whole number up to 1000", "第 {line} 行：`{key}` 必须是不超过 1000 的整数";
}

/// How often one member may be nudged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Nudges {
    /// As in the file: a full name or a code.
    pub member: String,
    /// One-based line.
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
    let root = yaml::read(text, MAX_BYTES).map_err(|error| error.message())?;
    let mut pushes = Vec::new();
    for (name, line, node) in pairs(&root, &THE_FILE)? {
        if name != "members" {
            return Err(unknown(*line, name, "members"));
        }
        for (member, named, node) in pairs(node, &"`members`")? {
            for (key, line, node) in pairs(node, &format!("`{member}`"))? {
                if key.replace('-', "_") != PUSH_MAX {
                    return Err(unknown(*line, key, PUSH_MAX));
                }
                pushes.push(Nudges {
                    member: member.clone(),
                    line: *named,
                    pushes: number(node, *line)?,
                });
            }
        }
    }
    Ok(pushes)
}

fn unknown(line: u64, key: &str, known: &str) -> Message {
    UNKNOWN.fill(&[
        ("line", &line),
        ("key", &key.escape_debug()),
        ("known", &known),
    ])
}

fn pairs<'a>(node: &'a Node, what: &dyn Said) -> Result<&'a [(String, u64, Node)], Message> {
    match &node.value {
        Tree::Map(pairs) => Ok(pairs),
        Tree::Null => Ok(&[]),
        _ => Err(NO_MAPPING.fill(&[("line", &node.line), ("what", what)])),
    }
}

fn number(node: &Node, line: u64) -> Result<i64, Message> {
    let number = match &node.value {
        Tree::Text(text) => text.trim().parse().ok(),
        _ => None,
    };
    number
        .filter(|n| (-1000..=1000).contains(n))
        .ok_or_else(|| NO_NUMBER.fill(&[("line", &line), ("key", &PUSH_MAX)]))
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
        assert_eq!(parse(""), Ok(Vec::new()));
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
                "line 3: `diligence_push_max`",
            ),
            ("members: [PP]\n", "must be a mapping"),
            ("members:\n  PP: 3\n", "must be a mapping"),
        ] {
            let error = parse(text).unwrap_err();
            assert!(error.en.contains(part), "{text}: {error:?}");
        }
    }
}
