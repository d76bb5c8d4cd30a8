//! `team.yaml`: how often a member may be nudged.

use std::collections::BTreeMap;

use super::MAX_BYTES;
use super::yaml::{self, Node, Tree};

/// Where the file lies, from the workspace's root.
pub const TEAM_FILE: &str = ".ai-tools-chain/team.yaml";

const PUSH_MAX: &str = "diligence_push_max";

/// Nudges by member, as named in the file: a full name or a code.
///
/// The file may name members that take no part; below 1 switches nudges off.
///
/// # Errors
/// What is wrong, beginning with `line N:`.
pub fn parse(text: &str) -> Result<BTreeMap<String, i64>, String> {
    let root = yaml::read(text, MAX_BYTES).map_err(|error| error.to_string())?;
    let mut pushes = BTreeMap::new();
    for (name, line, node) in pairs(&root, "the file")? {
        if name != "members" {
            return Err(format!(
                "line {line}: unknown key `{}`; use `members`",
                name.escape_debug()
            ));
        }
        for (member, _, node) in pairs(node, "`members`")? {
            for (key, line, node) in pairs(node, member)? {
                if key.replace('-', "_") != PUSH_MAX {
                    let key = key.escape_debug();
                    return Err(format!(
                        "line {line}: unknown key `{key}`; use `{PUSH_MAX}`"
                    ));
                }
                pushes.insert(member.clone(), number(node, *line)?);
            }
        }
    }
    Ok(pushes)
}

fn pairs<'a>(node: &'a Node, what: &str) -> Result<&'a [(String, u64, Node)], String> {
    match &node.value {
        Tree::Map(pairs) => Ok(pairs),
        Tree::Null => Ok(&[]),
        _ => Err(format!("line {}: {what} must be a mapping", node.line)),
    }
}

fn number(node: &Node, line: u64) -> Result<i64, String> {
    let Tree::Text(text) = &node.value else {
        return Err(format!("line {line}: `{PUSH_MAX}` must be a whole number"));
    };
    text.trim()
        .parse()
        .ok()
        .filter(|n| (-1000..=1000).contains(n))
        .ok_or_else(|| format!("line {line}: `{PUSH_MAX}` must be a whole number up to 1000"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_have_a_number_in_either_spelling() {
        let text =
            "members:\n  PP:\n    diligence_push_max: 5\n  fuxi: {diligence-push-max: -1}\n  TP:\n";
        let expected = [("PP".to_owned(), 5), ("fuxi".to_owned(), -1)];
        assert_eq!(parse(text), Ok(BTreeMap::from(expected)));
        assert_eq!(parse(""), Ok(BTreeMap::new()));
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
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
