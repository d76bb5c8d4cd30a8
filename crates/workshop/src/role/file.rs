//! Parses a role file: YAML frontmatter between `---` lines, then the persona.

use serde::Deserialize;

use super::document_kind::DocumentKind;
use super::spec::{RoleError, RoleId, RoleSpec};
use crate::fault::{Message, nearest, texts};

texts! {
    TOO_LARGE: "the file is larger than {most} bytes; shorten the persona", "文件超过 {most} 字节；请缩短人设";
    NO_NAME: "`{name}` is not a valid role name; use a letter, then letters, digits, `_` or `-`", "`{name}` 不能作为角色名称；请用字母开头，其后为字母、数字、`_` 或 `-`";
    NO_CODE: "`{code}` is not a valid role code; use a letter, then letters, digits, `_` or `-`, at most {most}", "`{code}` 不能作为角色代号；请用字母开头，其后为字母、数字、`_` 或 `-`，最多 {most} 个字符";
    NO_SUMMARY: "the summary is empty; say in one line what the member is for", "概述为空；请用一行说明该成员的职责";
    NO_PERSONA: "there is no persona below the frontmatter; describe the member", "文件头之下没有人设；请描述该成员";
    NO_FRONTMATTER: "the file must begin with a frontmatter between two `---` lines", "文件必须以两行 `---` 之间的文件头开始";
    EMPTY: "the file is empty; `aitc roles show PP` prints one to begin with", "文件是空的；可用 `aitc roles show PP` 打印一份作为起点";
    UNCLOSED: "the frontmatter is not closed by a `---` line", "文件头没有以一行 `---` 结束";
    UNREADABLE: "{first}", "文件头无法读取：{first}";
    NEARLY_KNOWN: "unknown key `{key}`; did you mean `{known}`?", "未知的键 `{key}`；您是否想写 `{known}`？";
    UNKNOWN: "unknown key `{key}`; known are {known}", "未知的键 `{key}`；已知的有 {known}";
}

/// Maximum size of a role file, in bytes. Every prompt contains every persona.
pub const MAX_ROLE_BYTES: usize = 16 * 1024;

/// Keys that the frontmatter may have.
const KEYS: [&str; 10] = [
    "id",
    "code",
    "order",
    "document",
    "shadow",
    "summary",
    "thinking_style",
    "speaking_style",
    "reviewing",
    "tools",
];

/// Longest code, in characters. It becomes part of file names.
const MAX_CODE: usize = 16;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Frontmatter {
    id: String,
    code: String,
    order: u32,
    document: Option<DocumentKind>,
    #[serde(default)]
    shadow: bool,
    summary: String,
    thinking_style: Option<String>,
    speaking_style: Option<String>,
    reviewing: Option<String>,
    #[serde(default)]
    tools: Option<Vec<String>>,
}

/// Parses one role file; `path` is only used in errors and recorded as the source.
///
/// Line endings and a byte-order mark are normalised, so that the same file checked out on another
/// system is the same role.
///
/// # Errors
/// The frontmatter is missing or malformed, a key is unknown, a name or code contains characters
/// that are not allowed, the summary or persona is empty, or the file exceeds 16 KiB.
pub fn parse_role(path: &str, text: &str) -> Result<RoleSpec, RoleError> {
    let fail = |line: usize, what: Message| RoleError {
        path: path.to_owned(),
        line,
        what,
    };
    if text.len() > MAX_ROLE_BYTES {
        return Err(fail(1, TOO_LARGE.fill(&[("most", &MAX_ROLE_BYTES)])));
    }
    let text = normalise(text);
    let (yaml, persona, persona_line) = split(&text).map_err(|(line, what)| fail(line, what))?;
    let front = frontmatter(yaml).map_err(|(line, what)| fail(line, what))?;
    let at = |key: &str| line_of(yaml, key).unwrap_or(1);
    if !is_name(&front.id) {
        let what = NO_NAME.fill(&[("name", &front.id)]);
        return Err(fail(at("id"), what));
    }
    if !is_name(&front.code) || front.code.len() > MAX_CODE {
        let what = NO_CODE.fill(&[("code", &front.code), ("most", &MAX_CODE)]);
        return Err(fail(at("code"), what));
    }
    let summary = front
        .summary
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    if summary.is_empty() {
        return Err(fail(at("summary"), NO_SUMMARY.into()));
    }
    if persona.is_empty() {
        return Err(fail(persona_line, NO_PERSONA.into()));
    }
    Ok(RoleSpec {
        id: RoleId(front.id),
        code: front.code,
        order: front.order,
        document: front.document,
        shadow: front.shadow,
        summary,
        thinking_style: front.thinking_style,
        speaking_style: front.speaking_style,
        reviewing: front.reviewing,
        tools: front.tools,
        persona: persona.to_owned(),
        source: path.to_owned(),
    })
}

/// Normalises line endings and removes a byte-order mark.
pub fn normalise(text: &str) -> String {
    text.trim_start_matches('\u{feff}')
        .replace("\r\n", "\n")
        .replace('\r', "\n")
}

/// Splits a file into the frontmatter, the trimmed persona and the persona's first line number.
fn split(text: &str) -> Result<(&str, &str, usize), (usize, Message)> {
    let missing = || (1, NO_FRONTMATTER.into());
    if text.trim().is_empty() {
        return Err((1, EMPTY.into()));
    }
    let rest = text.strip_prefix("---\n").ok_or_else(missing)?;
    let mut offset = 0;
    for (index, line) in rest.split_inclusive('\n').enumerate() {
        if line.trim_end() == "---" {
            let persona = &rest[offset + line.len()..];
            return Ok((&rest[..offset], persona.trim(), index + 3));
        }
        offset += line.len();
    }
    Err((1, UNCLOSED.into()))
}

/// Parses the YAML. Line numbers in errors are those of the file.
fn frontmatter(yaml: &str) -> Result<Frontmatter, (usize, Message)> {
    if let Some((line, key)) = unknown_key(yaml) {
        return Err((line, unknown(key)));
    }
    serde_yaml::from_str(yaml).map_err(|error| {
        let line = error.location().map_or(1, |place| {
            usize::try_from(place.line()).unwrap_or(0).max(1) + 1
        });
        let message = error.without_snippet().to_string();
        let first = message.lines().next().unwrap_or_default();
        (line, UNREADABLE.fill(&[("first", &first)]))
    })
}

/// The first unindented key that the frontmatter may not have, with its line in the file.
fn unknown_key(yaml: &str) -> Option<(usize, &str)> {
    yaml.lines().enumerate().find_map(|(index, line)| {
        let key = line.split_once(':')?.0;
        let is_key =
            !key.is_empty() && key.chars().all(|c| c.is_alphanumeric() || "_-".contains(c));
        (is_key && !KEYS.contains(&key)).then_some((index + 2, key))
    })
}

fn unknown(key: &str) -> Message {
    match nearest(key, KEYS) {
        Some(known) => NEARLY_KNOWN.fill(&[("key", &key), ("known", &known)]),
        None => UNKNOWN.fill(&[("key", &key), ("known", &KEYS.join(", "))]),
    }
}

/// The line of a key in the file.
fn line_of(yaml: &str, key: &str) -> Option<usize> {
    yaml.lines()
        .position(|line| {
            line.split_once(':')
                .is_some_and(|(name, _)| name.trim() == key)
        })
        .map(|index| index + 2)
}

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-')
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    const GOOD: &str = "---\nid: DataSteward\ncode: DS\norder: 6\nsummary: Looks after data.\n---\n\nYou look after data.\n";

    #[test]
    fn reads_a_role_whatever_its_line_ends() {
        let unix = parse_role("ds.md", GOOD).unwrap();
        let windows =
            parse_role("ds.md", &format!("\u{feff}{}", GOOD.replace('\n', "\r\n"))).unwrap();
        assert_eq!(unix, windows);
        assert_eq!(unix.persona, "You look after data.");
        assert_eq!((unix.id.as_str(), unix.order), ("DataSteward", 6));
    }

    #[test]
    fn what_a_member_does_in_the_review_may_span_lines() {
        let text = GOOD.replace(
            "summary:",
            "reviewing: >-\n  Who reads it:\n  for how long?\nsummary:",
        );
        let role = parse_role("ds.md", &text).unwrap();
        assert_eq!(
            role.reviewing.as_deref(),
            Some("Who reads it: for how long?")
        );
    }

    #[test]
    fn an_unknown_key_is_named_with_its_line_and_the_nearest_one() {
        let text = GOOD.replace("summary:", "sumary:");
        let error = parse_role("roles/ds.md", &text).unwrap_err();
        assert_eq!(
            error.to_string(),
            "roles/ds.md:5: unknown key `sumary`; did you mean `summary`?"
        );
    }

    #[test]
    fn faults_are_named_with_their_line() {
        let cases = [
            (GOOD.replace("id: DataSteward", "id: ../x"), 2, "role name"),
            (GOOD.replace("code: DS", "code: D S"), 3, "role code"),
            (GOOD.replace("order: 6", "order: six"), 4, ""),
            (GOOD.replace("Looks after data.", "''"), 5, "summary"),
            (GOOD.replace("You look after data.", ""), 7, "persona"),
            ("no frontmatter".to_owned(), 1, "frontmatter"),
            ("---\nid: X\n".to_owned(), 1, "not closed"),
            (format!("{GOOD}{}", "x".repeat(MAX_ROLE_BYTES)), 1, "larger"),
        ];
        for (text, line, what) in cases {
            let error = parse_role("r.md", &text).unwrap_err();
            assert_eq!(error.line, line, "{error}");
            assert!(error.what.en.contains(what), "{error}");
        }
    }
}
