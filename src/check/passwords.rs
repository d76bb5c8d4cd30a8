//! Passwords by where they stand: in an address before its host, or as the value of
//! a variable whose name says what it holds.
//!
//! A value that only stands for one (`pass`, `<password>`, `$DB_PASSWORD`, `***`) is none.

use memchr::memmem;

use super::secrets::Secret;

/// What a variable's name ends with when its value is a secret.
const NAMES: &[&str] = &["PASSWORD", "PASSWD", "SECRET", "TOKEN", "API_KEY"];
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

/// `DB_PASSWORD=value`: the value alone, where it mixes letters and digits.
fn in_variables(text: &str) -> impl Iterator<Item = Secret> + '_ {
    memmem::find_iter(text.as_bytes(), "=").filter_map(move |at| {
        if !NAMES.iter().any(|name| text[..at].ends_with(name)) {
            return None;
        }
        let rest = &text[at + 1..];
        let quote = usize::from(rest.starts_with(['"', '\'']));
        let value = run(&rest[quote..], |c| !";,&)".contains(c));
        // Code that fetches one (`TOKEN=newToken2()`) holds none.
        let is_code = quote == 0 && value.contains(['(', '[']);
        let mixed = value.contains(|c: char| c.is_ascii_digit())
            && value.contains(|c: char| c.is_ascii_alphabetic());
        let is_one = value.len() >= SHORTEST_VALUE && mixed && !is_code && !stands_for_one(value);
        let start = at + 1 + quote;
        is_one.then(|| Secret {
            kind: "password",
            start,
            end: start + value.len(),
        })
    })
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
