//! Passwords by where they stand: in an address before its host, or as the value of
//! a variable, field, header or parameter whose name says what it holds.
//!
//! A value that only stands for one (`pass`, `<password>`, `$DB_PASSWORD`, `***`) is none.

use memchr::memmem;

use super::secrets::Secret;

/// What a variable's name ends with when its value is a secret.
const NAMES: &[&str] = &["PASSWORD", "PASSWD", "SECRET", "TOKEN", "API_KEY"];
/// The same of any name, in small letters, without `_` and `-`.
const PLAIN: &[&str] = &[
    "password",
    "passwd",
    "passphrase",
    "secret",
    "token",
    "apikey",
    "accountkey",
    "accesskey",
    "secretkey",
];
/// What stands before the value of an `Authorization` header.
const SCHEMES: &[&str] = &["Basic ", "basic ", "Bearer ", "bearer ", "Token ", "token "];
/// Fewest characters of a value without quotes behind ` = `, where code has names.
const SHORTEST_SPACED: usize = 16;
/// As many characters of a value tell whether it is one.
const LONGEST: usize = 1024;
/// How often letters and digits follow one another in a value, at least.
const FEWEST_CHANGES: usize = 3;
/// Fewest characters of a variable's value that is no word.
const SHORTEST_VALUE: usize = 8;
/// Fewest characters of a password in an address; shorter ones stand for one.
const SHORTEST_IN_ADDRESS: usize = 6;
/// Values that everybody writes where a password would stand.
const STAND_INS: &[&str] = &["password", "passwd", "secret", "changeme", "example"];

/// Every password in a text that its place gives away.
pub fn passwords(text: &str) -> impl Iterator<Item = Secret> + '_ {
    in_addresses(text).chain(in_variables(text))
}

/// `scheme://user:password@host`: the password alone.
fn in_addresses(text: &str) -> impl Iterator<Item = Secret> + '_ {
    memmem::find_iter(text.as_bytes(), "://").filter_map(move |at| {
        let start = at + "://".len();
        let authority = run(&text[start..], |c| !"/?#".contains(c));
        let (login, _host) = authority.rsplit_once('@')?;
        let (user, password) = login.split_once(':')?;
        let is_one = password.len() >= SHORTEST_IN_ADDRESS && !stands_for_one(password);
        is_one.then(|| Secret {
            kind: "password",
            start: start + user.len() + 1,
            end: start + login.len(),
        })
    })
}

/// `DB_PASSWORD=value`, `api_key: "value"`, `?token=value`: the value alone, where it looks
/// like one that nobody would think of.
fn in_variables(text: &str) -> impl Iterator<Item = Secret> + '_ {
    let mut done = 0;
    memchr::memchr2_iter(b'=', b':', text.as_bytes()).filter_map(move |at| {
        let secret = (at >= done).then(|| assigned(text, at)).flatten()?;
        done = secret.end;
        Some(secret)
    })
}

/// The secret that the name before the sign at `at` is given.
fn assigned(text: &str, at: usize) -> Option<Secret> {
    let name = name_before(&text[..at])?;
    let is_header = name == "authorization";
    if !is_header && !PLAIN.iter().any(|known| name.ends_with(known)) {
        return None;
    }
    let rest = text[at + 1..].trim_start_matches(' ');
    let is_equals = text.as_bytes()[at] == b'=';
    let is_spaced = rest.len() < text.len() - at - 1;
    let quote = usize::from(rest.starts_with(['"', '\'', '`']));
    let rest = &rest[quote..];
    let is_here = |word: &&&str| is_header && rest.starts_with(**word);
    let scheme = SCHEMES.iter().find(is_here).map_or(0, |word| word.len());
    let rest = &rest[scheme..];
    // Names that follow one another without an end are each looked at a little way only.
    let most = rest
        .char_indices()
        .nth(LONGEST)
        .map_or(rest.len(), |(at, _)| at);
    let value = value_at(&rest[..most]);
    let is_constant =
        is_equals && !is_spaced && NAMES.iter().any(|known| text[..at].ends_with(known));
    let fits = match is_constant {
        true => is_mixed(value),
        false => is_random(value),
    };
    // Code that fetches one (`TOKEN=newToken2()`) holds none, nor does a name in code.
    let is_name = is_equals && is_spaced && value.len() < SHORTEST_SPACED;
    let is_code = quote == 0 && (is_name || value.contains(['(', '[']));
    let is_one = value.len() >= SHORTEST_VALUE && fits && !is_code && !stands_for_one(value);
    let start = text.len() - rest.len();
    is_one.then(|| Secret {
        kind: "password",
        start,
        end: start + value_at(rest).len(),
    })
}

/// The name before `=` or `:`, in small letters, without `_` and `-`.
fn name_before(text: &str) -> Option<String> {
    let text = text.trim_end_matches(' ');
    let text = text.strip_suffix(['"', '\'', '`']).unwrap_or(text);
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let start = text.trim_end_matches(is_part).len();
    let plain: String = text[start..]
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .map(|c| c.to_ascii_lowercase())
        .collect();
    (!plain.is_empty()).then_some(plain)
}

/// The value that `rest` begins with; `&` ends it where another name follows.
fn value_at(rest: &str) -> &str {
    let value = run(rest, |c| !";,)，。；、）".contains(c));
    let is_name = |after: &str| {
        let is_part = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
        let tail = after.trim_start_matches(is_part);
        tail.len() < after.len() && tail.starts_with('=')
    };
    let next = value
        .match_indices('&')
        .find(|(at, _)| *at + 1 == value.len() || is_name(&value[at + 1..]));
    next.map_or(value, |(at, _)| &value[..at])
}

/// Letters and digits.
fn is_mixed(value: &str) -> bool {
    value.contains(|c: char| c.is_ascii_digit())
        && value.contains(|c: char| c.is_ascii_alphabetic())
}

/// Do letters and digits follow one another more often than in names such as `sha256sum`,
/// `RFC-6750` or `2026-01-02T03:04:05Z`?
fn is_random(value: &str) -> bool {
    let bytes = value.as_bytes();
    let changes = bytes.windows(2).filter(|pair| {
        (pair[0].is_ascii_digit() && pair[1].is_ascii_alphabetic())
            || (pair[0].is_ascii_alphabetic() && pair[1].is_ascii_digit())
    });
    let letters = bytes.iter().filter(|byte| byte.is_ascii_alphabetic());
    changes.count() >= FEWEST_CHANGES && letters.count() >= FEWEST_CHANGES
}

/// What stands at the beginning of a text up to a blank, a quote or what is not wanted.
fn run(text: &str, wanted: impl Fn(char) -> bool) -> &str {
    let end = text.find(|c: char| c.is_whitespace() || "\"'`".contains(c) || !wanted(c));
    &text[..end.unwrap_or(text.len())]
}

/// Is it a place for a value, or a word that everybody writes there?
fn stands_for_one(value: &str) -> bool {
    value.starts_with(['$', '<', '{', '[', '%'])
        || value.chars().all(|c| "*.x…".contains(c))
        || STAND_INS.contains(&value.to_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<&str> {
        passwords(text)
            .map(|secret| &text[secret.start..secret.end])
            .collect()
    }

    #[test]
    fn a_password_is_told_by_its_place() {
        let address = "connect to postgres://app:hunter2x@db.local:5432/shop";
        assert_eq!(found(address), ["hunter2x"]);
        assert_eq!(found("amqp://u:p@ss-word@h"), ["p@ss-word"]);
        assert_eq!(found("set DB_PASSWORD=s3cr3tvalue."), ["s3cr3tvalue."]);
        assert_eq!(found("export API_KEY='abc123def456'"), ["abc123def456"]);
        assert_eq!(found("密码 ADMIN_PASSWORD=abc12345 已改"), ["abc12345"]);
    }

    #[test]
    fn what_only_stands_for_one_is_none() {
        for text in [
            "https://h:8080/a@b",
            "https://user:pass@host",
            "postgres://app:password@db",
            "postgres://app:$DB_PASSWORD@db",
            "postgres://app:[redacted: password]@db",
            "git@github.com:owner/name",
            "DB_PASSWORD=<from the vault>",
            "DB_PASSWORD=${VAULT_1_PASSWORD}",
            "MAX_TOKEN=1000000000",
            "TOKEN=unquestionable",
            "TOKEN=next_token2(page)",
            "SECRET=process.env['S3_KEY_1']",
            "DB_PASSWORD=",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }
}
