//! Reads a role file: YAML frontmatter between `---` lines, then the persona.

use serde::Deserialize;

use super::spec::{RoleError, RoleId, RoleSpec};
use crate::reply::DocumentKind;

/// Largest role file read, in bytes; every prompt carries every persona.
pub const MAX_ROLE_BYTES: usize = 16 * 1024;

/// Keys a frontmatter may hold.
const KEYS: [&str; 9] = [
    "id",
    "code",
    "order",
    "document",
    "shadow",
    "summary",
    "thinking_style",
    "speaking_style",
    "tools",
];

/// Longest code, in characters: it becomes part of file names.
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
    #[serde(default)]
    tools: Vec<String>,
}

/// Reads one role file; `path` is only named in errors and kept as its source.
///
/// Line ends and a byte-order mark are normalised away, so that the same file
/// checked out on another system is the same role.
///
/// # Errors
/// A missing or malformed frontmatter, an unknown key, a name or code outside
/// its alphabet, an empty summary or persona, or more than 16 KiB.
pub fn parse_role(path: &str, text: &str) -> Result<RoleSpec, RoleError> {
    let fail = |line: usize, what: String| RoleError {
        path: path.to_owned(),
        line,
        what,
    };
    if text.len() > MAX_ROLE_BYTES {
        return Err(fail(
            1,
            format!("the file is larger than {MAX_ROLE_BYTES} bytes; shorten the persona"),
        ));
    }
    let text = normalise(text);
    let (yaml, persona, persona_line) = split(&text).map_err(|(line, what)| fail(line, what))?;
    let front = frontmatter(yaml).map_err(|(line, what)| fail(line, what))?;
    let at = |key: &str| line_of(yaml, key).unwrap_or(1);
    if !is_name(&front.id) {
        let what = format!(
            "`{}` is no role name; use a letter, then letters, digits, `_` or `-`",
            front.id
        );
        return Err(fail(at("id"), what));
    }
    if !is_name(&front.code) || front.code.len() > MAX_CODE {
        let what = format!(
            "`{}` is no role code; use a letter, then letters, digits, `_` or `-`, at most {MAX_CODE}",
            front.code
        );
        return Err(fail(at("code"), what));
    }
    let summary = front
        .summary
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    if summary.is_empty() {
        let what = "the summary is empty; say in one line what the member is for".to_owned();
        return Err(fail(at("summary"), what));
    }
    if persona.is_empty() {
        let what = "there is no persona below the frontmatter; describe the member".to_owned();
        return Err(fail(persona_line, what));
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
        tools: front.tools,
        persona: persona.to_owned(),
        source: path.to_owned(),
    })
}

/// One form of line end, no byte-order mark.
pub(crate) fn normalise(text: &str) -> String {
    text.trim_start_matches('\u{feff}')
        .replace("\r\n", "\n")
        .replace('\r', "\n")
}

/// Splits into frontmatter, trimmed persona and the persona's first line number.
fn split(text: &str) -> Result<(&str, &str, usize), (usize, String)> {
    let missing = || {
        let what = "the file must begin with a frontmatter between two `---` lines".to_owned();
        (1, what)
    };
    let rest = text.strip_prefix("---\n").ok_or_else(missing)?;
    let mut offset = 0;
    for (index, line) in rest.split_inclusive('\n').enumerate() {
        if line.trim_end() == "---" {
            let persona = &rest[offset + line.len()..];
            return Ok((&rest[..offset], persona.trim(), index + 3));
        }
        offset += line.len();
    }
    Err((
        1,
        "the frontmatter is not closed by a `---` line".to_owned(),
    ))
}

/// Reads the YAML; line numbers in errors are those of the file.
fn frontmatter(yaml: &str) -> Result<Frontmatter, (usize, String)> {
    if let Some((line, key)) = unknown_key(yaml) {
        return Err((line, unknown(key)));
    }
    serde_yaml::from_str(yaml).map_err(|error| {
        let line = error.location().map_or(1, |place| {
            usize::try_from(place.line()).unwrap_or(0).max(1) + 1
        });
        let message = error.without_snippet().to_string();
        (line, message.lines().next().unwrap_or_default().to_owned())
    })
}

/// The first key at the margin that no frontmatter has, with its line in the file.
fn unknown_key(yaml: &str) -> Option<(usize, &str)> {
    yaml.lines().enumerate().find_map(|(index, line)| {
        let key = line.split_once(':')?.0;
        let is_key =
            !key.is_empty() && key.chars().all(|c| c.is_alphanumeric() || "_-".contains(c));
        (is_key && !KEYS.contains(&key)).then_some((index + 2, key))
    })
}

fn unknown(key: &str) -> String {
    let nearest = KEYS
        .into_iter()
        .map(|known| (strsim::jaro_winkler(key, known), known))
        .max_by(|a, b| a.0.total_cmp(&b.0));
    match nearest {
        Some((likeness, known)) if likeness > 0.75 => {
            format!("unknown key `{key}`; did you mean `{known}`?")
        }
        _ => format!("unknown key `{key}`; known are {}", KEYS.join(", ")),
    }
}

/// Line in the file on which a key stands.
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
            assert!(error.what.contains(what), "{error}");
        }
    }
}
