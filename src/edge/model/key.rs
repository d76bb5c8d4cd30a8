//! Removes text that was copied together with a key.

/// The key without byte order mark, quotes, a name before it and a word such as `Bearer`, which are
/// often copied from files and pages.
pub fn bare(key: &str) -> &str {
    let mut bare = key;
    loop {
        let before = bare;
        bare = bare
            .trim_matches(|c: char| c.is_whitespace() || "\u{feff}\u{200b}\"'`“”‘’".contains(c));
        for word in ["authorization:", "x-api-key:", "bearer ", "export "] {
            let start = bare.get(..word.len()).unwrap_or_default();
            if start.eq_ignore_ascii_case(word) {
                bare = &bare[word.len()..];
            }
        }
        // A line of a shell script or `.env` file: `OPENAI_API_KEY=…`.
        if let Some((name, key)) = bare.split_once('=')
            && name.contains('_')
            && !key.trim_matches('=').is_empty()
            && name
                .bytes()
                .all(|byte| matches!(byte, b'A'..=b'Z' | b'0'..=b'9' | b'_'))
        {
            bare = key;
        }
        if bare == before {
            return bare;
        }
    }
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
