//! Finds passwords by their context: in a URL before the host, or as the value of a variable,
//! field, header or parameter whose name tells what it holds.
//!
//! Placeholders (`pass`, `<password>`, `$DB_PASSWORD`, `***`) are not reported.

use std::sync::LazyLock;

use memchr::memmem;

use super::secrets::Secret;

/// Endings of variable names whose values are secrets.
const NAMES: &[&str] = &[
    "PASSWORD",
    "PASSWD",
    "PASSPHRASE",
    "PASS",
    "PWD",
    "SECRET",
    "TOKEN",
    "API_KEY",
    "APIKEY",
    "ACCESS_KEY",
    "SECRET_KEY",
    "PRIVATE_KEY",
    "ACCOUNT_KEY",
    "AUTH_KEY",
    "ENCRYPTION_KEY",
    "SIGNING_KEY",
];
/// The same for any name, in lower case and without `_` and `-`.
static PLAIN: LazyLock<Vec<String>> = LazyLock::new(|| {
    let plain = |name: &&str| name.replace('_', "").to_lowercase();
    NAMES.iter().map(plain).collect()
});
/// The same in Chinese.
const CHINESE: &[&str] = &["密码", "口令", "密钥", "令牌"];
/// The text before the login of a `curl` command.
const LOGINS: &[&str] = &[" -u ", " --user ", " --user="];
/// The text before the value of an `Authorization` header.
const SCHEMES: &[&str] = &["Basic ", "basic ", "Bearer ", "bearer ", "Token ", "token "];
/// Fewest characters of an unquoted value after `= `; in code, shorter ones are names.
const SHORTEST_SPACED: usize = 16;
/// Only this many characters of a value or a name are examined.
const TELLING: usize = 128;
/// Fewest changes between letters and digits, and fewest letters, of a random value.
const FEWEST_CHANGES: usize = 3;
/// Fewest characters of a value that is reported.
const SHORTEST_VALUE: usize = 8;
/// Fewest characters of a value that counts as random by its letter case alone.
const SHORTEST_LETTERS: usize = 12;
/// Fewest characters of a password in an address; shorter ones are placeholders.
const SHORTEST_IN_ADDRESS: usize = 6;
/// Fewest characters of the `sig=` signature in a workflow's URL, which works as a key.
const SHORTEST_SIGNATURE: usize = 40;
/// Values that are commonly written in place of a password.
const STAND_INS: &[&str] = &["password", "passwd", "secret", "changeme", "example"];

/// Every password in a text that its context reveals.
pub fn passwords(text: &str) -> impl Iterator<Item = Secret> + '_ {
    in_addresses(text)
        .chain(in_variables(text))
        .chain(in_commands(text))
}

/// Finds the password in `scheme://user:password@host`.
fn in_addresses(text: &str) -> impl Iterator<Item = Secret> + '_ {
    memmem::find_iter(text.as_bytes(), "://").filter_map(move |at| {
        let start = at + "://".len();
        let authority = &text[start..];
        let authority = &authority[..run(authority, |c| !"/?#".contains(c))];
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

/// Finds the password in `curl -u user:password`.
fn in_commands(text: &str) -> impl Iterator<Item = Secret> + '_ {
    let marks = LOGINS.iter();
    marks.flat_map(move |mark| {
        memmem::find_iter(text.as_bytes(), mark).filter_map(move |at| {
            let rest = text[at + mark.len()..].trim_start_matches(['"', '\'']);
            let login = &rest[..run(rest, |_| true)];
            let (user, password) = login.split_once(':')?;
            let is_one = password.len() >= SHORTEST_VALUE
                && is_random(password)
                && !stands_for_one(password);
            let start = text.len() - rest.len() + user.len() + 1;
            is_one.then(|| Secret {
                kind: "password",
                start,
                end: start + password.len(),
            })
        })
    })
}

/// Finds the value in `DB_PASSWORD=value`, `api_key: "value"`, `?token=value`, if it does not look
/// like ordinary words.
fn in_variables(text: &str) -> impl Iterator<Item = Secret> + '_ {
    let mut done = 0;
    // 0x9a is the last byte of `：`, the Chinese colon.
    memchr::memchr3_iter(b'=', b':', 0x9a, text.as_bytes()).filter_map(move |at| {
        let secret = (at >= done).then(|| assigned(text, at)).flatten()?;
        done = secret.end;
        Some(secret)
    })
}

/// The secret assigned to the name before the sign at `at`.
fn assigned(text: &str, at: usize) -> Option<Secret> {
    let sign = match text.as_bytes()[at] {
        0x9a => text.get(..=at)?.strip_suffix('：')?.len(),
        _ => at,
    };
    let name = name_before(&text[..sign])?;
    let is_header = name == "authorization";
    let is_signature = name == "sig" && text.as_bytes()[at] == b'=';
    let is_equals = text.as_bytes()[at] == b'=';
    let after = &text[at + 1..];
    let is_spaced = after.starts_with(' ');
    let is_constant =
        is_equals && !is_spaced && NAMES.iter().any(|known| text[..at].ends_with(known));
    let is_known = is_header || is_constant || is_signature;
    let mut names = PLAIN
        .iter()
        .map(String::as_str)
        .chain(CHINESE.iter().copied());
    if !is_known && !names.any(|known| name.ends_with(known)) {
        return None;
    }
    let rest = after.trim_start_matches(' ');
    // The shell's working folder.
    if is_constant && matches!(name.as_str(), "pwd" | "oldpwd") && rest.starts_with('/') {
        return None;
    }
    let quote = usize::from(rest.starts_with(['"', '\'', '`']));
    let rest = &rest[quote..];
    let is_here = |word: &&&str| is_header && rest.starts_with(**word);
    let scheme = SCHEMES.iter().find(is_here).map_or(0, |word| word.len());
    let rest = &rest[scheme..];
    // Only the start of the value is examined, so that a long chain of names takes little time.
    let value = value_at(start_of(rest, TELLING), is_constant);
    let fits = if is_signature {
        value.len() >= SHORTEST_SIGNATURE
    } else if is_constant {
        !is_words(value)
    } else {
        is_random(value)
    };
    // Code that fetches a secret (`TOKEN=newToken2()`) contains none, and neither does a variable
    // name.
    let is_name = is_equals && is_spaced && value.len() < SHORTEST_SPACED;
    let is_code = quote == 0 && (is_name || is_call(value, is_constant));
    let is_one = value.len() >= SHORTEST_VALUE && fits && !is_code && !stands_for_one(value);
    let start = text.len() - rest.len();
    is_one.then(|| Secret {
        kind: "password",
        start,
        end: start + value_at(rest, is_constant).len(),
    })
}

fn start_of(text: &str, most: usize) -> &str {
    let end = text.char_indices().nth(most);
    &text[..end.map_or(text.len(), |(at, _)| at)]
}

/// The name before `=` or `:`, in lower case, without `_` and `-`.
fn name_before(text: &str) -> Option<String> {
    let text = text.trim_end_matches(' ');
    let text = text.strip_suffix(['"', '\'', '`']).unwrap_or(text);
    let in_chinese = CHINESE.iter().find(|name| text.ends_with(**name));
    if let Some(name) = in_chinese {
        return Some((*name).to_owned());
    }
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    let name = text.bytes().rev().take(TELLING).take_while(is_part);
    let name = text.len() - name.count();
    let plain: String = text[name..]
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .map(|c| c.to_ascii_lowercase())
        .collect();
    (!plain.is_empty()).then_some(plain)
}

/// The value at the start of `rest`. It ends at `&` or `;` if another name or nothing follows. The
/// value of a variable extends to a space, a quote or Chinese punctuation, without a final `,` or
/// `)`.
fn value_at(rest: &str, of_variable: bool) -> &str {
    let ends = if of_variable {
        "，。；、）"
    } else {
        ";,)，。；、）"
    };
    let value = &rest[..run(rest, |c| !ends.contains(c))];
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-.".contains(byte);
    let is_name = |after: &str| {
        let name = after.bytes().take(TELLING).take_while(is_part).count();
        name > 0 && after[name..].starts_with('=')
    };
    let next = value
        .match_indices(['&', ';'])
        .find(|(at, _)| *at + 1 == value.len() || is_name(&value[at + 1..]));
    let value = next.map_or(value, |(at, _)| &value[..at]);
    match of_variable {
        true => value.trim_end_matches([',', ')']),
        false => value,
    }
}

/// Returns whether the value of a variable consists of words (`next_page`, `my-secret-name`,
/// `YOUR_TOKEN_1`, `/run/secrets/db`, `nextToken`) or is a number.
fn is_words(value: &str) -> bool {
    let parts = value.split(|c: char| !c.is_alphanumeric());
    let mut parts = parts.filter(|part| !part.is_empty());
    parts.all(is_word)
}

fn is_word(part: &str) -> bool {
    let all = |is: fn(&u8) -> bool| part.as_bytes().iter().all(is);
    let no_ascii = !part.is_ascii();
    let stem = part.trim_end_matches(|c: char| c.is_ascii_digit());
    let is_constant = part.len() - stem.len() <= 2
        && !stem.is_empty()
        && stem.bytes().all(|byte| byte.is_ascii_uppercase());
    no_ascii || all(u8::is_ascii_digit) || is_constant || is_name(part)
}

/// Returns whether it is a name whose capitalised parts have four letters or more: `nextToken`.
fn is_name(part: &str) -> bool {
    let is_letters = part.bytes().all(|byte| byte.is_ascii_alphabetic());
    let starts = part.match_indices(|c: char| c.is_ascii_uppercase());
    let mut starts: Vec<usize> = starts.map(|(at, _)| at).collect();
    let is_split_late = starts.first() != Some(&1);
    starts.push(part.len());
    let mut humps = starts.windows(2).map(|pair| pair[1] - pair[0]);
    is_letters && is_split_late && humps.all(|hump| hump >= 4)
}

/// Returns whether it is a call or an index: `newToken2()`, `keys[0]`. In a variable's value the
/// part before the bracket must look like a name.
fn is_call(value: &str, of_variable: bool) -> bool {
    let Some(at) = value.find(['(', '[']) else {
        return false;
    };
    let name = &value[..at];
    let is_part = |c: char| c.is_ascii_alphanumeric() || "_.:".contains(c);
    let is_long = name.len() >= 3 && name.starts_with(|c: char| c.is_ascii_alphabetic());
    let is_closed =
        at + 1 == value.len() || value[at..].contains([')', ']']) || at >= SHORTEST_VALUE;
    !of_variable || (is_long && is_closed && name.chars().all(is_part))
}

/// Returns whether letters and digits alternate more often than in names such as `sha256sum`,
/// `RFC-6750-bearer` or `2026-01-02T03:04:05Z`, or upper and lower case alternate more often than
/// in any name.
fn is_random(value: &str) -> bool {
    let bytes = value.as_bytes();
    let kind = |byte: u8| match byte {
        b'a'..=b'z' => 1,
        b'A'..=b'Z' => 2,
        b'0'..=b'9' => 3,
        _ => 0,
    };
    let pairs = bytes.windows(2).map(|pair| (kind(pair[0]), kind(pair[1])));
    let pairs = pairs.filter(|(a, b)| *a != *b && *a > 0 && *b > 0);
    let (digits, all) = pairs.fold((0, 0), |(digits, all), (a, b)| {
        (digits + usize::from(a == 3 || b == 3), all + 1)
    });
    let letters = bytes.iter().filter(|byte| byte.is_ascii_alphabetic());
    let has_letters = letters.count() >= FEWEST_CHANGES;
    let is_wild = value.len() >= SHORTEST_LETTERS && all * 5 >= value.len() * 2;
    has_letters && (digits >= FEWEST_CHANGES || is_wild)
}

/// Number of bytes at the start of a text before a space, a quote or an unwanted character.
fn run(text: &str, wanted: impl Fn(char) -> bool) -> usize {
    let end = text.find(|c: char| c.is_whitespace() || "\"'`".contains(c) || !wanted(c));
    end.unwrap_or(text.len())
}

/// Returns whether it is a placeholder for a value, or a word that is commonly written in its
/// place.
fn stands_for_one(value: &str) -> bool {
    let is_place = value.starts_with(['$', '<', '{', '[', '%']);
    let name = value.trim_matches(|c: char| "$<>{}[]()%".contains(c));
    (is_place && is_words(name))
        || value.chars().all(|c| "*.x…".contains(c))
        || value.contains("EXAMPLE")
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
