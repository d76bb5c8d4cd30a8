//! Removes addresses from failure messages: the user sees them, but they must not be recorded.

use std::sync::LazyLock;

use regex::{NoExpand, Regex, escape};

const PLACE: &str = "[address]";

/// Compiles a constant pattern.
#[expect(clippy::expect_used, reason = "a test reads each of them")]
pub(crate) fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("a pattern that is one")
}

/// `scheme://…` up to its path.
static URL: LazyLock<Regex> = LazyLock::new(|| pattern(r##"://[^\s/?#"'`<>()，。；）]+"##));
/// `10.0.0.5` and `10.0.0.5:443`, with which a gateway names the server it called.
static NUMBER: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?-u:\b)(?:[0-9]{1,3}\.){3}[0-9]{1,3}(?::[0-9]+)?(?-u:\b)"));

/// The text without the requested address, other addresses that a provider names, and IP addresses.
pub(super) fn without_addresses(text: &str, origin: &str) -> String {
    let authority = origin.split_once("://").map_or("", |(_, rest)| rest);
    let host = match authority.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|b| b.is_ascii_digit()) => host,
        _ => authority,
    };
    let place = format!("://{PLACE}");
    let mut text = URL.replace_all(text, NoExpand(&place)).into_owned();
    for name in [authority, host] {
        if !name.is_empty() {
            // Where it is not part of a longer name; a Chinese character is no part of one.
            let name = format!(
                r"(?i)(?-u:\b{{start-half}}){}(?-u:\b{{end-half}})",
                escape(name)
            );
            text = pattern(&name)
                .replace_all(&text, NoExpand(PLACE))
                .into_owned();
        }
    }
    NUMBER.replace_all(&text, NoExpand(PLACE)).into_owned()
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
            ("无法连接models.lan超时", "无法连接[address]超时"),
            ("服务器10.0.0.5:443超时", "服务器[address]超时"),
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
