//! Addresses as they are shown to users, without secrets.

use std::sync::LazyLock;

use regex::{Captures, NoExpand, Regex};

use super::Value;
use crate::redact::PLACEHOLDER;

/// Parts of names of query parameters whose values are not shown.
const SECRET_NAMES: &[&str] = &[
    "key", "token", "secret", "pass", "pwd", "auth", "sig", "cred", "code",
];

/// The value as it may be shown. Addresses lose the login (`user:password@`) and the values of
/// query parameters with names such as `api_key`.
pub fn without_secrets(value: &Value) -> Value {
    match value {
        Value::String(text) => mask_secrets(text).into(),
        Value::Array(texts) => texts.iter().map(without_secrets).collect(),
        _ => value.clone(),
    }
}

/// Patterns for an address, the login in it, and a parameter after it; a fragment may contain
/// parameters too.
static PARTS: LazyLock<[Regex; 3]> = LazyLock::new(|| {
    let parts = [
        r"\S*://\S+",
        r"://[^/?#]*@",
        r"([?#&;])([^=&?#;]*)=[^&?#;]+",
    ];
    #[expect(clippy::expect_used, reason = "a test reads each of them")]
    parts.map(|part| Regex::new(part).expect("a pattern that is one"))
});

/// The text with the secrets of each address in it replaced.
fn mask_secrets(text: &str) -> String {
    let [address, login, pair] = &*PARTS;
    let without_login = format!("://{PLACEHOLDER}login]@");
    let hidden = |found: &Captures<'_>| match is_secret(&found[2]) {
        true => format!("{}{}={PLACEHOLDER}key]", &found[1], &found[2]),
        false => found[0].to_owned(),
    };
    let put = |found: &Captures<'_>| {
        let plain = login.replace(&found[0], NoExpand(&without_login));
        pair.replace_all(&plain, hidden).into_owned()
    };
    address.replace_all(text, put).into_owned()
}

fn is_secret(name: &str) -> bool {
    let name = name.to_lowercase();
    // A name with letters escaped as `%6b` may be anything, so it counts as secret.
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
            // No secret: these stay unchanged, byte for byte.
            (
                "https://h/v1?api-version=2024-02-01",
                "https://h/v1?api-version=2024-02-01",
            ),
            ("https://h/a@b", "https://h/a@b"),
            ("gpt?key=x", "gpt?key=x"),
        ] {
            let shown = without_secrets(&given.into());
            assert_eq!(shown, expected);
        }
    }
}
