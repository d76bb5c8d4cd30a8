//! The only code of the built-in members that reads YAML.

use serde::de::DeserializeOwned;

use super::super::OfflineError;
use super::super::medium::Media;
use super::Checklist;

/// Largest checklist file, in bytes.
const MAX_BYTES: usize = 64 * 1024;

/// Reads one checklist.
///
/// # Errors
/// The file is too large, no YAML, or does not fit; line and column are in the text. An item
/// fits as one that is not there.
pub fn parse(path: &str, text: &str) -> Result<Checklist, OfflineError> {
    let mut list: Checklist = read(path, text)?;
    lend_words(&mut list).map_err(|what| OfflineError::Checklist {
        path: path.to_owned(),
        what,
    })?;
    Ok(list)
}

/// Gives the words of a rule to the decisions and questions that fit as it does: one list,
/// to be edited in one place.
fn lend_words(list: &mut Checklist) -> Result<(), String> {
    let rules = &list.product;
    let rule = |key: &str| {
        let found = rules.iter().find(|rule| rule.key == key);
        found.ok_or_else(|| format!("`fits_as`: there is no `{key}` in `product`"))
    };
    for item in &mut list.design {
        let Some(key) = &item.fits_as else { continue };
        let rule = rule(key)?;
        item.words.extend_from_slice(&rule.words);
        item.not.extend_from_slice(&rule.not);
    }
    for ask in &mut list.asks {
        let Some(key) = &ask.fits_as else { continue };
        let rule = rule(key)?;
        ask.words.extend_from_slice(&rule.words);
        ask.unless.extend_from_slice(&rule.not);
    }
    Ok(())
}

/// Reads by what the kind of product is told.
///
/// # Errors
/// As [`parse`].
pub fn parse_media(path: &str, text: &str) -> Result<Media, OfflineError> {
    read(path, text)
}

/// Reads a file of this folder.
pub(in crate::offline) fn read<T: DeserializeOwned>(
    path: &str,
    text: &str,
) -> Result<T, OfflineError> {
    let refuse = |what: String| OfflineError::Checklist {
        path: path.to_owned(),
        what,
    };
    if text.len() > MAX_BYTES {
        return Err(refuse(format!(
            "{} bytes is more than the {MAX_BYTES} a checklist may have",
            text.len()
        )));
    }
    serde_yaml::from_str(text).map_err(|e| refuse(e.to_string()))
}

/// The triggers of a checklist without reading all of it, for a cheap first look;
/// none when they are not written as one `triggers: [...]`.
pub fn scan_triggers(text: &str) -> Option<Vec<String>> {
    let start = text
        .match_indices("triggers:")
        .find(|(at, _)| *at == 0 || text[..*at].ends_with('\n'))?
        .0;
    let list = text[start + "triggers:".len()..].trim_start();
    let inner = list.strip_prefix('[')?.split_once(']')?.0;
    Some(
        inner
            .split(',')
            .map(|word| word.trim().trim_matches(['"', '\'']).to_owned())
            .filter(|word| !word.is_empty())
            .collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: &str = r#"
topic: mending
title: Mending
triggers: []
product:
  - {key: mend, words: [broken], not: [broken line], say: s, given: g, when: w, then: t, level: unit}
design:
  - {key: where, fits_as: mend, not: [bread], title: t, say: s, why: w}
asks:
  - {key: since, fits_as: mend, by: test, question: q, why: w, options: [], recommended: r, settles: s}
"#;

    #[test]
    fn a_decision_and_a_question_may_fit_as_a_rule_does() {
        let list = parse("mending.yaml", LIST).unwrap();
        assert_eq!(list.design[0].words, ["broken"]);
        assert_eq!(list.design[0].not, ["bread", "broken line"]);
        assert_eq!(list.asks[0].words, ["broken"]);
        assert_eq!(list.asks[0].unless, ["broken line"]);
        let lost = LIST.replace("fits_as: mend, by", "fits_as: mended, by");
        let error = parse("mending.yaml", &lost).unwrap_err().to_string();
        assert!(
            error.contains("there is no `mended` in `product`"),
            "{error}"
        );
    }
}
