//! How ids and paths are spelled, and how a model's spelling of them is corrected.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use unicode_segmentation::UnicodeSegmentation;

use crate::clean::is_invisible;

/// Value of `from` for something based on the requirement itself.
pub const REQUIREMENT: &str = "Requirement";

/// Every prefix an id can have.
pub const ID_PREFIXES: [&str; 14] = [
    "AC", "M", "DEC", "W", "T", "R", "I", "C", "Q", "A", "F", "E", "FI", "RUN",
];

/// Returns the engine's spelling of an id: `AC-1` for `AC1`, `ac-1`, `AC-01`, `[AC-1]` or
/// `AC-1: a title`; [`REQUIREMENT`] for `requirement`; `None` for anything else.
pub fn canonical_id(text: &str) -> Option<String> {
    let text =
        text.trim_matches(|c: char| c.is_whitespace() || "[](){}<>`'\"*#【】（）“”".contains(c));
    if text.eq_ignore_ascii_case(REQUIREMENT) || text == "需求" {
        return Some(REQUIREMENT.to_owned());
    }
    let letters = text.len()
        - text
            .trim_start_matches(|c: char| c.is_ascii_alphabetic())
            .len();
    let (prefix, rest) = text.split_at(letters);
    let prefix = ID_PREFIXES
        .iter()
        .find(|known| known.eq_ignore_ascii_case(prefix))?;
    let rest = rest.trim_start_matches(|c: char| c.is_whitespace() || "-_.#‐‑‒–—−－".contains(c));
    let digits: String = rest.chars().map_while(ascii_digit).collect();
    let mut after = rest.chars().skip(digits.len());
    let ends = match after.next() {
        None => true,
        // `AC-1.2` and `AC-1-b` are not `AC-1`.
        Some('.' | '-' | '_') => !after.next().is_some_and(char::is_alphanumeric),
        Some(c) => !c.is_ascii_alphanumeric(),
    };
    let number: u32 = digits.parse().ok().filter(|n| *n > 0 && ends)?;
    Some(format!("{prefix}-{number}"))
}

/// Returns prefix and number of an id in the engine's spelling.
pub fn split_id(id: &str) -> Option<(&str, u32)> {
    let (prefix, number) = id.split_once('-')?;
    let number = number.parse().ok()?;
    (format!("{prefix}-{number}") == id && number > 0).then_some((prefix, number))
}

fn ascii_digit(c: char) -> Option<char> {
    match c {
        '0'..='9' => Some(c),
        '０'..='９' => char::from_digit(c as u32 - '０' as u32, 10),
        _ => None,
    }
}

/// Quotes a model's text for a note: one line, no backticks, at most 60 characters.
pub(super) fn quoted(text: &str) -> String {
    let flat: String = text
        .chars()
        .map(|c| if c.is_control() || c == '`' { ' ' } else { c })
        .collect();
    let short: String = flat.trim().graphemes(true).take(60).collect();
    let more = if short.len() < flat.trim().len() {
        "…"
    } else {
        ""
    };
    format!("`{short}{more}`")
}

/// Returns the path relative to the repository: `/` between parts, no `./`.
///
/// # Errors
/// What is wrong with it: empty, over 1,024 bytes, absolute, leaves the repository, or contains
/// invisible characters.
pub fn repository_path(text: &str) -> Result<String, &'static str> {
    if text.len() > 1024 {
        return Err("the path is too long");
    }
    let mut path = text.to_owned();
    // Repeat until nothing changes: `./ ./~/x` must not hide the path that remains.
    loop {
        let next = one_step_cleaner(&path)?;
        if next == path {
            return Ok(path);
        }
        path = next;
    }
}

fn one_step_cleaner(path: &str) -> Result<String, &'static str> {
    let path = path
        .trim_matches(|c: char| c.is_whitespace() || c == '`')
        .replace('\\', "/");
    if path.chars().any(|c| c.is_control() || is_invisible(c)) {
        return Err("the path holds control characters");
    }
    let has_drive = path.as_bytes().get(1) == Some(&b':') || path.contains("://");
    if path.starts_with(['/', '~']) || has_drive {
        return Err("the path is absolute");
    }
    let parts: Vec<&str> = path
        .split('/')
        .filter(|part| !part.is_empty() && *part != ".")
        .collect();
    if parts.iter().any(|part| part.trim() == "..") {
        return Err("the path leaves the repository");
    }
    if parts.is_empty() {
        return Err("the path is empty");
    }
    Ok(parts.join("/"))
}

/// Fields that are not prose.
const NO_PROSE: [&str; 4] = ["id", "same_as", "path", "name"];

/// Returns a document or record with its sentences rewritten by `told`, which returns `None` to keep one.
pub(super) fn with_sentences<T: Serialize + DeserializeOwned>(
    said: T,
    told: &dyn Fn(&str) -> Option<String>,
) -> T {
    let renamed = serde_json::to_value(&said).and_then(|mut value| {
        rename(&mut value, told);
        serde_json::from_value(value)
    });
    renamed.unwrap_or(said)
}

fn rename(value: &mut Value, told: &dyn Fn(&str) -> Option<String>) {
    match value {
        Value::String(text) => {
            if let Some(renamed) = told(text) {
                *text = renamed;
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| rename(item, told)),
        Value::Object(fields) => {
            let prose = fields
                .iter_mut()
                .filter(|(name, _)| !NO_PROSE.contains(&name.as_str()));
            prose.for_each(|(_, value)| rename(value, told));
        }
        _ => {}
    }
}
