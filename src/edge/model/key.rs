//! Removes text that was copied together with a key.

use std::sync::LazyLock;

use regex::Regex;

use super::address::pattern;

/// The key in group 1, after words such as `Bearer` and the name of a line of a shell script or
/// `.env` file: `OPENAI_API_KEY=…`.
static KEY: LazyLock<Regex> = LazyLock::new(|| {
    const JUNK: &str = r#"\s\x{feff}\x{200b}"'`“”‘’"#;
    const WORDS: &str = "(?i:authorization:|x-api-key:|bearer |export )|[A-Z0-9_]*_[A-Z0-9_]*=";
    pattern(&format!(
        r"(?s)^(?:[{JUNK}]|{WORDS})*([^{JUNK}=].*?)[{JUNK}]*$"
    ))
});

/// The key without byte order mark, quotes, a name before it and a word such as `Bearer`, which are
/// often copied from files and pages.
pub fn bare(key: &str) -> &str {
    let found = KEY.captures(key).and_then(|found| found.get(1));
    found.map_or("", |found| found.as_str())
}

#[cfg(test)]
mod tests {
    use super::bare;

    #[test]
    fn what_slipped_in_around_a_key_is_taken_off() {
        for text in [
            "sk-1",
            "\u{feff}sk-1",
            "\"sk-1\"",
            "'sk-1'\n",
            "Bearer sk-1",
            "bearer  sk-1",
            "\u{feff}\"Bearer sk-1\" ",
            "Authorization: Bearer sk-1",
            "“sk-1”",
            "export OPENAI_API_KEY=\"sk-1\"",
            "MY_KEY='sk-1'",
        ] {
            assert_eq!(bare(text), "sk-1", "{text:?}");
        }
        assert_eq!(bare("bearersk"), "bearersk");
        assert_eq!(bare("AB_CD=="), "AB_CD==");
        assert_eq!(bare("a\nb"), "a\nb");
        assert_eq!(bare(" \"\" "), "");
    }
}
