//! Parses a role file: YAML frontmatter between `---` lines, then the persona.

use serde::Deserialize;

use super::document_kind::DocumentKind;
use super::look_kind::LookKind;
use super::spec::{RoleId, RoleSpec};
use crate::clean::folded;
use crate::fault::settings::ROLE_FILE;
use crate::fault::{Fault, LineError, texts};
use crate::yaml;

texts! {
    TOO_LARGE: "the file is larger than {most} bytes; shorten the persona", "文件超过 {most} 字节；请缩短人设";
    NO_NAME: "`{name}` is not a valid role name; use a letter, then letters, digits, `_` or `-`", "`{name}` 不能作为角色名称；请用字母开头，其后为字母、数字、`_` 或 `-`";
    NO_CODE: "`{code}` is not a valid role code; use a letter, then letters, digits, `_` or `-`, at most {most}", "`{code}` 不能作为角色代号；请用字母开头，其后为字母、数字、`_` 或 `-`，最多 {most} 个字符";
    TAKEN: "`{name}` means something else in a record: the user, the program, or an entry with a number; use another name", "`{name}` 在记录中另有所指（用户、程序，或带编号的条目）；请换一个名称";
    NO_SUMMARY: "the summary is empty; say in one line what the member is for", "概述为空；请用一行说明该成员的职责";
    NO_PERSONA: "there is no persona below the frontmatter; describe the member", "文件头之下没有人设；请描述该成员";
    NO_FRONTMATTER: "the file must begin with a frontmatter between two `---` lines", "文件必须以两行 `---` 之间的文件头开始";
    EMPTY: "the file is empty; `aitc roles show PP` prints one to begin with", "文件是空的；可用 `aitc roles show PP` 打印一份作为起点";
    UNCLOSED: "the frontmatter is not closed by a `---` line", "文件头没有以一行 `---` 结束";
}

/// Maximum size of a role file, in bytes. Every prompt contains every persona.
pub const MAX_ROLE_BYTES: usize = 16 * 1024;

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
    tools: Option<Vec<LookKind>>,
}

/// Parses one role file; `path` is only used in errors and recorded as the source.
///
/// Line endings and a byte-order mark are normalised, so that the same file checked out on another
/// system is the same role.
///
/// # Errors
/// The frontmatter is missing or malformed, a key is unknown, a name or code contains characters
/// that are not allowed, the summary or persona is empty, or the file exceeds 16 KiB.
pub fn parse_role(path: &str, text: &str) -> Result<RoleSpec, Fault> {
    parse(path, text).map_err(|error| error.of(ROLE_FILE, path))
}

/// As [`parse_role`]; the error has no path.
///
/// # Errors
/// As [`parse_role`].
pub fn parse(path: &str, text: &str) -> Result<RoleSpec, LineError> {
    if text.len() > MAX_ROLE_BYTES {
        let what = TOO_LARGE.fill(&[("most", &MAX_ROLE_BYTES)]);
        return Err(LineError::new(1, what));
    }
    let text = normalise(text);
    let (yaml_text, persona, persona_line) = split(&text)?;
    // Line 1 of the file is the line above the YAML.
    let below = |error: LineError| LineError::new(error.line + 1, error.what);
    let front: Frontmatter = yaml::parse(yaml_text, MAX_ROLE_BYTES).map_err(below)?;
    let at = |key: &str| line_of(yaml_text, key).unwrap_or(1);
    if !is_name(&front.id) {
        let what = NO_NAME.fill(&[("name", &front.id)]);
        return Err(LineError::new(at("id"), what));
    }
    if !is_name(&front.code) || front.code.len() > MAX_CODE {
        let what = NO_CODE.fill(&[("code", &front.code), ("most", &MAX_CODE)]);
        return Err(LineError::new(at("code"), what));
    }
    for (key, name) in [("id", &front.id), ("code", &front.code)] {
        if is_taken(name) {
            let what = TAKEN.fill(&[("name", name)]);
            return Err(LineError::new(at(key), what));
        }
    }
    let summary = folded(&front.summary);
    if summary.is_empty() {
        return Err(LineError::new(at("summary"), NO_SUMMARY));
    }
    if persona.is_empty() {
        return Err(LineError::new(persona_line, NO_PERSONA));
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
        tools: front
            .tools
            .map(|tools| tools.iter().map(|tool| tool.name().to_owned()).collect()),
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
fn split(text: &str) -> Result<(&str, &str, u64), LineError> {
    let missing = || LineError::new(1, NO_FRONTMATTER);
    if text.trim().is_empty() {
        return Err(LineError::new(1, EMPTY));
    }
    let rest = text.strip_prefix("---\n").ok_or_else(missing)?;
    let mut offset = 0;
    for (index, line) in rest.split_inclusive('\n').enumerate() {
        if line.trim_end() == "---" {
            let persona = &rest[offset + line.len()..];
            return Ok((&rest[..offset], persona.trim(), index as u64 + 3));
        }
        offset += line.len();
    }
    Err(LineError::new(1, UNCLOSED))
}

/// The line of a key in the file.
fn line_of(yaml: &str, key: &str) -> Option<u64> {
    yaml.lines()
        .position(|line| {
            line.split_once(':')
                .is_some_and(|(name, _)| name.trim() == key)
        })
        .map(|index| index as u64 + 2)
}

/// Returns whether a name stands for somebody or something else in a record: the user, the program,
/// or an entry with a number.
fn is_taken(name: &str) -> bool {
    let of_record = ["user", "engine"].iter();
    let (letters, number) = name.rsplit_once('-').unwrap_or_default();
    let is_numbered = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    is_numbered && letters.len() <= 3
        || of_record
            .copied()
            .any(|taken| name.eq_ignore_ascii_case(taken))
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
    fn faults_are_named_with_their_line() {
        let cases = [
            (GOOD.replace("id: DataSteward", "id: ../x"), 2, "role name"),
            (GOOD.replace("code: DS", "code: D S"), 3, "role code"),
            (
                GOOD.replace("id: DataSteward", "id: Engine"),
                2,
                "use another",
            ),
            (GOOD.replace("code: DS", "code: X-2"), 3, "use another"),
            (GOOD.replace("order: 6", "order: six"), 4, ""),
            (GOOD.replace("summary:", "sumary:"), 5, "summary"),
            (
                GOOD.replace("summary:", "tools: [serach]\nsummary:"),
                5,
                "`serach`; known are read, search",
            ),
            (GOOD.replace("Looks after data.", "''"), 5, "summary"),
            (GOOD.replace("You look after data.", ""), 7, "persona"),
            ("no frontmatter".to_owned(), 1, "frontmatter"),
            ("---\nid: X\n".to_owned(), 1, "not closed"),
            (format!("{GOOD}{}", "x".repeat(MAX_ROLE_BYTES)), 1, "larger"),
        ];
        for (text, line, what) in cases {
            let error = parse("r.md", &text).unwrap_err();
            assert_eq!(error.line, line, "{error}");
            assert!(error.what.en.contains(what), "{error}");
        }
    }
}
