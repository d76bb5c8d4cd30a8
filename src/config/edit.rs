//! Changes one setting in a file's text and leaves every other byte unchanged: comments, order and
//! blank lines belong to the user.
//!
//! The change is made line by line and then verified with the parser: the result is returned only
//! if it differs in nothing but the requested setting.

use std::collections::BTreeMap;

use super::layer::parse_part as parse;
use super::{ConfigSource, Layer, MAX_BYTES, Origin, Value, lookup, shown};
use crate::fault::settings::KEY_FORM;
use crate::fault::{Fault, values};
use crate::yaml::{self, Tree};

/// Returns the text with `key` (full canonical name) set to `value`, or removed if `value` is
/// `None`. Removing a key that is not set changes nothing.
///
/// # Errors
/// The text is invalid before or after the change, or the setting is written in a form that cannot
/// be changed by line (a flow mapping).
pub fn change(
    text: &str,
    source: &ConfigSource,
    key: &str,
    value: Option<&Value>,
) -> Result<String, Fault> {
    let before = parse(text, source)?;
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let line = place(&before, key);
    let form = |line: usize| KEY_FORM.with(values![path = source.path(), line, key]);
    match (line, value) {
        (Some(line), _) => replace(&mut lines, line, value).ok_or_else(|| form(line))?,
        (None, Some(value)) => insert(&mut lines, text, key, value).map_err(form)?,
        (None, None) => return Ok(text.to_owned()),
    }
    let mut changed = lines.join("\n");
    if !changed.is_empty() {
        changed.push('\n');
    }
    // The text was valid before, so the setting has a form that cannot be changed by line.
    let after = parse(&changed, source).map_err(|_| form(line.unwrap_or(1)))?;
    if means(&after) == wanted(&before, key, value) {
        Ok(changed)
    } else {
        Err(form(line.unwrap_or(1)))
    }
}

/// The values of a layer, whatever lines they are on.
type LayerValues = BTreeMap<String, Value>;

fn means(layer: &Layer) -> LayerValues {
    let own = layer
        .iter()
        .map(|(key, one)| (key.to_owned(), one.value.clone()));
    let profiles = layer.profiles.iter().flat_map(|(name, profile)| {
        let held = profile.iter();
        held.map(move |(key, one)| (format!("profiles.{name}.{key}"), one.value.clone()))
    });
    own.chain(profiles).collect()
}

fn wanted(before: &Layer, key: &str, value: Option<&Value>) -> LayerValues {
    let mut meaning = means(before);
    match value {
        Some(value) => meaning.insert(key.to_owned(), value.clone()),
        None => meaning.remove(key),
    };
    meaning
}

/// One-based line of a setting.
fn place(layer: &Layer, key: &str) -> Option<usize> {
    match &layer.settings.get(key)?.origin {
        Origin::File { line, .. } => usize::try_from(*line).ok(),
        Origin::Env { .. } | Origin::Flag { .. } => None,
    }
}

/// Replaces or removes the entry that starts on `line`; `None` if no key starts there.
fn replace(lines: &mut Vec<String>, line: usize, value: Option<&Value>) -> Option<()> {
    let index = line.checked_sub(1)?;
    let first = lines.get(index)?;
    let indent = indent_of(first);
    let (name, rest) = first[indent..].split_once(':')?;
    if name.is_empty() || name.starts_with(['{', '[', '#', '-', '"', '\'']) {
        return None;
    }
    let end = entry_end(lines, index, indent);
    let new = value.map(|value| {
        let comment = (end == index + 1).then(|| comment_of(rest)).flatten();
        let comment = comment.map(|text| format!(" {text}")).unwrap_or_default();
        format!("{}{name}: {}{comment}", " ".repeat(indent), to_yaml(value))
    });
    lines.splice(index..end, new);
    Some(())
}

/// Adds an entry, and missing parents before it. The error is the one-based line that prevents it.
fn insert(lines: &mut Vec<String>, text: &str, key: &str, value: &Value) -> Result<(), usize> {
    let mut parts = lookup::parts(key);
    let leaf = parts.pop().unwrap_or(key);
    let root = yaml::read(text, MAX_BYTES).map_err(|_| 1usize)?;
    let (mut node, mut at, mut indent) = (&root, lines.len(), 0);
    let mut missing = parts.as_slice();
    while let [parent, rest @ ..] = missing {
        let Tree::Map(pairs) = &node.value else { break };
        // Below `providers` stand names, in which a hyphen is not an underscore.
        let is_key = missing.len() == parts.len();
        let is_it = |name: &str| name == *parent || (is_key && name.replace('-', "_") == *parent);
        let Some((_, line, child)) = pairs.iter().find(|(name, ..)| is_it(name)) else {
            break;
        };
        let index = usize::try_from(*line).unwrap_or(1).saturating_sub(1);
        let Some(first) = lines.get(index) else { break };
        let own = indent_of(first);
        // A one-line `limits: {…}` cannot take another line.
        if first.trim_end().ends_with('}') {
            return Err(index + 1);
        }
        at = entry_end(lines, index, own);
        indent = lines[index + 1..at]
            .iter()
            .find(|line| !is_blank(line))
            .map_or(own + 2, |line| indent_of(line));
        node = child;
        missing = rest;
    }
    let mut new = Vec::new();
    for parent in missing {
        new.push(format!("{}{}:", " ".repeat(indent), scalar(parent)));
        indent += 2;
    }
    new.push(format!("{}{leaf}: {}", " ".repeat(indent), to_yaml(value)));
    lines.splice(at..at, new);
    Ok(())
}

/// Returns the index after the entry that starts at `index`. The entry includes its deeper lines
/// and list items at its own indentation, but not the blank lines and comments after it.
fn entry_end(lines: &[String], index: usize, indent: usize) -> usize {
    let mut end = index + 1;
    for (offset, line) in lines[index + 1..].iter().enumerate() {
        if is_blank(line) {
            continue;
        }
        let depth = indent_of(line);
        let is_item = depth == indent && line.trim_start().starts_with("- ");
        if depth <= indent && !is_item {
            break;
        }
        end = index + 1 + offset + 1;
    }
    end
}

fn indent_of(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

fn is_blank(line: &str) -> bool {
    let text = line.trim_start();
    text.is_empty() || text.starts_with('#')
}

/// The comment after an unquoted value on the same line.
fn comment_of(rest: &str) -> Option<&str> {
    let value = rest.trim_start();
    if value.starts_with(['"', '\'']) {
        return None;
    }
    rest.find(" #").map(|at| rest[at..].trim())
}

/// A value as YAML that reads back as the same text, also in other YAML parsers.
fn to_yaml(value: &Value) -> String {
    match value {
        Value::String(text) => scalar(text),
        Value::Array(items) => {
            let items: Vec<_> = items.iter().map(to_yaml).collect();
            format!("[{}]", items.join(", "))
        }
        _ => shown(value),
    }
}

fn scalar(text: &str) -> String {
    let plain = text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "_-./".contains(c));
    let word = text.to_ascii_lowercase();
    if ["true", "false"].contains(&text) {
        return text.to_owned();
    }
    let taken = ["true", "false", "yes", "no", "on", "off", "null", "y", "n"];
    if plain && !taken.contains(&word.as_str()) {
        text.to_owned()
    } else {
        Value::from(text).to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn user() -> ConfigSource {
        ConfigSource::User {
            path: "c.yaml".to_owned(),
        }
    }

    fn set(text: &str, key: &str, value: Value) -> String {
        change(text, &user(), key, Some(&value)).expect(text)
    }

    #[test]
    fn everything_else_stays_as_it_was() {
        let text = "# mine\nquestions: ask  # for now\n\nlimits:\n  max_rounds: 3\n  # low\n\n# end\norder: fixed\n";
        assert_eq!(
            set(text, "questions", "pause".into()),
            text.replace("ask  #", "pause #")
        );
        assert_eq!(
            set(text, "limits.max_rounds", 5.into()),
            text.replace(": 3", ": 5")
        );
        assert_eq!(
            set(text, "limits.max_failures", 2.into()),
            text.replace(": 3\n", ": 3\n  max_failures: 2\n")
        );
        assert_eq!(
            set(text, "model", "1.10".into()),
            format!("{text}model: \"1.10\"\n")
        );
        let out = change(text, &user(), "limits.max_rounds", None);
        assert_eq!(out.expect("unset"), text.replace("  max_rounds: 3\n", ""));
    }

    #[test]
    fn parents_and_lists_are_written() {
        let made = set("", "providers.local.base_url", "http://h/v1".into());
        assert_eq!(
            made,
            "providers:\n  local:\n    base_url: \"http://h/v1\"\n"
        );
        let made = set(&made, "providers.local.model", "m".into());
        assert!(made.ends_with("\n    model: m\n"), "{made}");
        let made = set(&made, "providers.other.model", "m".into());
        assert!(made.ends_with("\n  other:\n    model: m\n"), "{made}");
        let roles = serde_json::json!(["PP", "no"]);
        let long = set("roles:\n- PP\n- SD\norder: fixed\n", "roles", roles);
        assert_eq!(long, "roles: [PP, \"no\"]\norder: fixed\n");
    }

    #[test]
    fn a_form_that_is_not_changed_by_line_is_refused() {
        for (text, key) in [
            ("limits: {max_rounds: 3}\n", "limits.max_rounds"),
            ("limits: {max_rounds: 3}\n", "limits.max_failures"),
            ("{questions: ask}\n", "questions"),
            ("{questions: ask}\n", "order"),
        ] {
            let value: Value = if key.starts_with("limits") {
                4.into()
            } else {
                "fixed".into()
            };
            let error = change(text, &user(), key, Some(&value)).expect_err(text);
            assert!(error.to_string().starts_with("c.yaml:"), "{error}");
        }
    }

    #[test]
    fn a_profile_keeps_its_own() {
        let text = "order: fixed\nprofiles:\n  quick:\n    limits:\n      max_rounds: 1\n";
        let made = set(text, "limits.max_rounds", 9.into());
        assert_eq!(made, format!("{text}limits:\n  max_rounds: 9\n"));
        let made = set(text, "order", "rotate".into());
        assert_eq!(made, text.replace("fixed", "rotate"));
    }
}
