//! Addresses in the words of a failure: they are told to who asked, and go on no record.

use std::borrow::Cow;
use std::net::Ipv4Addr;

/// What stands in the place of an address.
const PLACE: &str = "[address]";

/// The text without the address that was asked, any other one a provider names, and
/// any number of a machine.
pub(super) fn without_addresses(text: &str, origin: &str) -> String {
    let authority = origin.split_once("://").map_or("", |(_, rest)| rest);
    let host = match authority.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|b| b.is_ascii_digit()) => host,
        _ => authority,
    };
    let mut text = without_urls(text);
    for name in [authority, host] {
        text = without_name(&text, name);
    }
    without_numbers(&text)
}

/// `scheme://…` up to its path.
fn without_urls(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("://") {
        let ends = |c: char| c.is_whitespace() || "/?#\"'`<>()，。；）".contains(c);
        let end = after.find(ends).unwrap_or(after.len());
        clean.push_str(before);
        clean.push_str("://");
        clean.push_str(if end == 0 { "" } else { PLACE });
        rest = &after[end..];
    }
    clean.push_str(rest);
    clean
}

/// A name where it stands for itself, as part of no longer one.
fn without_name(text: &str, name: &str) -> String {
    if name.is_empty() {
        return text.to_owned();
    }
    let joins = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let mut clean = String::with_capacity(text.len());
    let mut copied = 0;
    let folded = text.to_ascii_lowercase();
    for (at, _) in folded.match_indices(&name.to_ascii_lowercase()) {
        let end = at + name.len();
        let before = text[..at].chars().next_back();
        let after = text[end..].chars().next();
        if at < copied || before.is_some_and(joins) || after.is_some_and(joins) {
            continue;
        }
        clean.push_str(&text[copied..at]);
        clean.push_str(PLACE);
        copied = end;
    }
    clean.push_str(&text[copied..]);
    clean
}

/// `10.0.0.5` and `10.0.0.5:443`, as a gateway names who it asked.
fn without_numbers(text: &str) -> String {
    let is_part = |c: char| c.is_ascii_digit() || c == '.' || c == ':';
    let mut words = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let (before, from) = rest.split_at(start);
        let end = from.find(|c| !is_part(c)).unwrap_or(from.len());
        let (run, after) = from.split_at(end);
        let number = run.trim_end_matches(['.', ':']);
        let ip = number.split_once(':').map_or(number, |(ip, _)| ip);
        let is_address = ip.parse::<Ipv4Addr>().is_ok();
        let shown = if is_address {
            Cow::Owned(format!("{PLACE}{}", &run[number.len()..]))
        } else {
            Cow::Borrowed(run)
        };
        words.extend([Cow::Borrowed(before), shown]);
        rest = after;
    }
    words.push(Cow::Borrowed(rest));
    words.concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_address_is_left_and_the_words_stay() {
        let origin = "http://models.lan:8080";
        for (said, wanted) in [
            ("no connection (refused)", "no connection (refused)"),
            ("models.lan:8080 is down", "[address] is down"),
            ("no route to Models.LAN.", "no route to [address]."),
            ("see https://b.example:1/x?y", "see https://[address]/x?y"),
            (
                "(302 to https://else.where), no",
                "(302 to https://[address]), no",
            ),
            (
                "dial tcp 10.0.0.5:443: refused",
                "dial tcp [address]: refused",
            ),
            (
                "400: 8322 tokens of 8192, v1.2.3",
                "400: 8322 tokens of 8192, v1.2.3",
            ),
            ("my-models.lander", "my-models.lander"),
        ] {
            assert_eq!(without_addresses(said, origin), wanted, "{said}");
        }
        assert_eq!(
            without_addresses("[::1]:9 gone", "http://[::1]:9"),
            "[address] gone"
        );
        assert_eq!(without_addresses("a 密钥 b", ""), "a 密钥 b");
    }
}
