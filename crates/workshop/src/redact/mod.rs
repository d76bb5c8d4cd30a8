//! Removes secrets from a text where it enters the program, before it becomes part of an event: no
//! file ever contains them, and a resumed prompt equals the original.

mod forms;
mod passwords;
mod secrets;

pub use secrets::{Secret, secrets};

/// The start of every placeholder of a secret; its kind and `]` follow.
pub const PLACEHOLDER: &str = "[redacted: ";

/// Returns how many placeholders a text holds.
pub fn placeholders(text: &str) -> u32 {
    u32::try_from(text.matches(PLACEHOLDER).count()).unwrap_or(u32::MAX)
}

/// Shortest value of a key variable that is removed; shorter ones may be ordinary words.
pub const SHORTEST_KEY: usize = 8;

/// Replaces secrets in texts with placeholders that name the kind.
#[derive(Debug, Default)]
pub struct Redactor {
    keys: Vec<String>,
}

impl Redactor {
    /// Removes the given keys, word for word, besides every known form of secret.
    pub fn new(keys: impl IntoIterator<Item = String>) -> Self {
        let mut keys: Vec<String> = keys
            .into_iter()
            .filter(|key| key.len() >= SHORTEST_KEY)
            .collect();
        // Longest first, because a key may start with another one.
        keys.sort_by_key(|key| std::cmp::Reverse(key.len()));
        Self { keys }
    }

    /// Returns the text with every secret replaced by `[redacted: kind]`. The same secret always
    /// gives the same placeholder.
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
