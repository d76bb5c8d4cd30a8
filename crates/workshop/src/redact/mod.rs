//! Secrets are taken out where a text comes in, before it is part of an event:
//! no file ever holds them, and a resumed prompt is the same as the live one.

mod forms;
mod passwords;
mod secrets;

pub use secrets::{Secret, secrets};

/// What every placeholder of a secret begins with; its kind and `]` follow.
pub const PLACEHOLDER: &str = "[redacted: ";

/// Returns how many placeholders a text holds.
pub fn placeholders(text: &str) -> u32 {
    u32::try_from(text.matches(PLACEHOLDER).count()).unwrap_or(u32::MAX)
}

/// Shortest value of a key variable that is looked for; shorter ones are words.
pub const SHORTEST_KEY: usize = 8;

/// Takes secrets out of texts, with placeholders that say what was there.
#[derive(Debug, Default)]
pub struct Redactor {
    keys: Vec<String>,
}

impl Redactor {
    /// Looks for the given keys, word for word, besides every known form of secret.
    pub fn new(keys: impl IntoIterator<Item = String>) -> Self {
        let mut keys: Vec<String> = keys
            .into_iter()
            .filter(|key| key.len() >= SHORTEST_KEY)
            .collect();
        // The longest first: a key may begin with another.
        keys.sort_by_key(|key| std::cmp::Reverse(key.len()));
        Self { keys }
    }

    /// The text with every secret replaced by `[redacted: kind]`; the same
    /// secret always gives the same placeholder.
    pub fn redact(&self, text: &str) -> String {
        let mut clean = text.to_owned();
        for key in &self.keys {
            clean = clean.replace(key.as_str(), &format!("{PLACEHOLDER}api key]"));
        }
        let found = secrets(&clean);
        for secret in found.iter().rev() {
            let placeholder = format!("{PLACEHOLDER}{}]", secret.kind);
            clean.replace_range(secret.start..secret.end, &placeholder);
        }
        clean
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_keys_and_known_forms_go_and_the_rest_stays() {
        let redactor = Redactor::new(["hunter2-hunter2".to_owned(), "short".to_owned()]);
        let token = format!("ghp_{}", "a1B2".repeat(9));
        let text = format!("use hunter2-hunter2 or {token}, in short");
        let clean = redactor.redact(&text);
        assert!(
            !clean.contains("hunter2") && !clean.contains("ghp_"),
            "{clean}"
        );
        assert!(clean.ends_with("in short"));
        assert_eq!(clean, redactor.redact(&text), "placeholders are stable");
        assert_eq!(redactor.redact(&clean), clean);
        assert_eq!(placeholders(&clean), 2);
    }
}
