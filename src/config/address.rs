//! Addresses as they are shown: what may be a key in one stays out.

use super::Value;
use crate::redact::PLACEHOLDER;

/// Names in a query whose values are shown no more, as parts of the name.
const SECRET_NAMES: &[&str] = &[
    "key", "token", "secret", "pass", "pwd", "auth", "sig", "cred", "code",
];

/// The value as it may be shown: of an address without who logs in (`user:password@`)
/// and without what a query says under a name such as `api_key`.
pub fn without_secrets(value: &Value) -> Value {
    match value {
        Value::Text(text) => Value::Text(shown(text)),
        Value::Texts(texts) => Value::Texts(texts.iter().map(|text| shown(text)).collect()),
        Value::Number(_) | Value::Ratio(_) | Value::Hundredths(_) | Value::Usd(_) => value.clone(),
    }
}

/// A text with each of its words as it may be shown; spaces stay as they are.
fn shown(text: &str) -> String {
    text.split_inclusive(char::is_whitespace)
        .map(word)
        .collect()
}

fn word(text: &str) -> String {
    let Some((scheme, rest)) = text.split_once("://") else {
        return text.to_owned();
    };
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (host, rest) = rest.split_at(end);
    let host = match host.rsplit_once('@') {
        Some((_, host)) => format!("{PLACEHOLDER}login]@{host}"),
        None => host.to_owned(),
    };
    format!("{scheme}://{host}{}", query(rest))
}

/// What stands behind the host, the values of telling names taken out. A fragment may
/// hold pairs, too.
fn query(rest: &str) -> String {
    let Some(start) = rest.find(['?', '#']) else {
        return rest.to_owned();
    };
    let (path, pairs) = rest.split_at(start);
    let is_end = |c: char| matches!(c, '&' | '?' | '#' | ';');
    let pairs = pairs.split_inclusive(is_end).map(|pair| {
        let body = pair.trim_end_matches(|c: char| is_end(c) || c.is_whitespace());
        match body.split_once('=') {
            Some((name, value)) if is_secret(name) && !value.is_empty() => {
                format!("{name}={PLACEHOLDER}key]{}", &pair[body.len()..])
            }
            _ => pair.to_owned(),
        }
    });
    path.chars()
        .chain(pairs.collect::<String>().chars())
        .collect()
}

fn is_secret(name: &str) -> bool {
    let name = name.to_lowercase();
    // A name whose letters are written as `%6b` is not looked through: it may be anything.
    name.contains('%') || SECRET_NAMES.iter().any(|part| name.contains(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_be_a_key_in_an_address_stays_out() {
        for (given, expected) in [
            (
                "https://h/v1?api_key=s3",
                "https://h/v1?api_key=[redacted: key]",
            ),
            (
                "https://h?v=1&key=a=b&x=2",
                "https://h?v=1&key=[redacted: key]&x=2",
            ),
            (
                "https://h/#access_token=s3",
                "https://h/#access_token=[redacted: key]",
            ),
            ("https://h/?%6bey=s3", "https://h/?%6bey=[redacted: key]"),
            ("http://me:p@ss@h:1/v1", "http://[redacted: login]@h:1/v1"),
            ("http://s3@h", "http://[redacted: login]@h"),
            (
                "curl  https://h?sig=s3 -s",
                "curl  https://h?sig=[redacted: key] -s",
            ),
            // Nothing to hide: these stay byte for byte.
            (
                "https://h/v1?api-version=2024-02-01",
                "https://h/v1?api-version=2024-02-01",
            ),
            ("https://h/a@b", "https://h/a@b"),
            ("gpt?key=x", "gpt?key=x"),
        ] {
            let shown = without_secrets(&Value::Text(given.to_owned()));
            assert_eq!(shown, Value::Text(expected.to_owned()));
        }
    }
}
