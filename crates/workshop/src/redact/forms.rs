//! The forms of keys and tokens: the prefix of each, its characters and its length.
//!
//! `forms.txt` lists what services document about their own keys. If a key has had several lengths,
//! the shortest is the lower bound. Text with the right prefix and length is a secret whatever the
//! characters are.

use std::sync::LazyLock;

/// A form of secret: its prefix, and what the rest looks like.
pub(super) struct Form {
    /// What kind of secret it is.
    pub kind: &'static str,
    /// The prefix.
    pub prefix: String,
    /// The class of letters in the rest (first character), and the other characters allowed in it.
    also: &'static str,
    /// Fewest and most characters of the rest.
    length: (usize, usize),
}

/// All forms, in no particular order.
pub(super) static FORMS: LazyLock<Vec<Form>> =
    LazyLock::new(|| rows().flatten().flatten().collect());

impl Form {
    /// Returns whether the rest can contain the character.
    pub fn has(&self, c: char) -> bool {
        let is_letter = match self.also.as_bytes().first() {
            Some(b'A') => c.is_ascii_uppercase() || c.is_ascii_digit(),
            Some(b'x') => c.is_ascii_hexdigit(),
            _ => c.is_ascii_alphanumeric(),
        };
        is_letter || self.also[1..].contains(c)
    }

    /// Returns whether the rest can have that length.
    pub fn is_length(&self, length: usize) -> bool {
        (self.length.0..=self.length.1).contains(&length)
    }
}

/// The forms of each row, or `None` for a malformed row, which a test rejects.
fn rows() -> impl Iterator<Item = Option<Vec<Form>>> {
    let rows = include_str!("forms.txt").lines();
    rows.filter(|row| !row.starts_with('#')).map(|row| {
        let mut cells = row.split("; ");
        let (kind, prefixes) = (cells.next()?, cells.next()?);
        let (also, length) = (cells.next()?, cells.next()?);
        let number = |text: &str| text.parse().ok();
        let length = match (length.strip_suffix('+'), length.split_once('-')) {
            (Some(least), _) => (number(least)?, usize::MAX),
            (None, Some((least, most))) => (number(least)?, number(most)?),
            (None, None) => (number(length)?, number(length)?),
        };
        let form = |prefix: &str| Form {
            kind,
            prefix: prefix.replace("\\s", " "),
            also,
            length,
        };
        Some(prefixes.split(' ').map(form).collect())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_one() {
        for (n, row) in rows().enumerate() {
            let row = row.unwrap_or_else(|| panic!("row {n}"));
            assert!(
                row.iter().all(|form| "aAx".contains(&form.also[..1])),
                "{n}"
            );
        }
        assert!(FORMS.len() > 100);
    }
}
