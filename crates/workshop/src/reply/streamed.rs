//! The text of an answer that is still being streamed.
//!
//! An answer is one JSON object that arrives in pieces. People want to read its texts: first the
//! `analysis`, then proposals and reasons. The reader looks for strings that read like sentences
//! and keeps only the end of a long text in memory. It never fails: anything that is not JSON is
//! shown unchanged.

/// A text longer than twice this many bytes is cut to about its last `KEPT` bytes.
const KEPT: usize = 2048;
/// Minimum number of non-ASCII letters that make a text without spaces a sentence.
const LETTERS: usize = 4;
/// Longest incomplete escape sequence, in bytes: two UTF-16 code units.
const ESCAPE: usize = 12;

/// The end of the text that is being streamed, and how much has arrived.
#[derive(Debug, Default)]
pub struct PartialAnswer {
    bytes: u64,
    thoughts: u64,
    /// Whether the object has begun. Some models write a few words before it.
    has_begun: bool,
    in_string: bool,
    is_escaped: bool,
    /// The JSON string that is being read, still escaped.
    raw: String,
    shown: String,
    /// Whether `shown` is new, that is, not in `past` yet.
    is_new: bool,
    /// The texts before it, one per line.
    past: String,
    /// The text shown before that string. It is restored if the string turns out to be a key.
    before: String,
}

impl PartialAnswer {
    /// Adds the next piece of an answer.
    pub fn take(&mut self, piece: &str) {
        self.bytes += piece.len() as u64;
        for c in piece.chars() {
            match c {
                _ if self.in_string && self.is_escaped => {
                    self.is_escaped = false;
                    self.raw.push(c);
                }
                '"' if self.in_string => {
                    self.show();
                    self.in_string = false;
                }
                _ if self.in_string => {
                    self.is_escaped = c == '\\';
                    self.raw.push(c);
                }
                '"' if self.has_begun => {
                    self.in_string = true;
                    self.raw.clear();
                    if std::mem::take(&mut self.is_new) {
                        self.past.push_str(&self.shown);
                        self.past.push('\n');
                    }
                    self.before.clone_from(&self.shown);
                }
                // The string was a key.
                ':' if self.has_begun => {
                    self.is_new = false;
                    self.shown.clone_from(&self.before);
                }
                '{' => self.has_begun = true,
                c if !self.has_begun => self.shown.push(c),
                _ => {}
            }
        }
        self.raw = end_of(std::mem::take(&mut self.raw));
        self.shown = end_of(std::mem::take(&mut self.shown));
        self.past = end_of(std::mem::take(&mut self.past));
        if self.in_string {
            self.show();
        }
    }

    /// Counts the next piece of an answer whose text is not shown.
    pub fn count(&mut self, piece: &str) {
        self.bytes += piece.len() as u64;
    }

    /// Counts a piece of the model's reasoning; only its size matters.
    pub fn think(&mut self, piece: &str) {
        self.thoughts += piece.len() as u64;
    }

    /// The end of the current text, on one line; raw, as the model wrote it.
    pub fn said(&self) -> String {
        self.shown.replace('\n', " ")
    }

    /// The text so far, one paragraph per line. If it is long, only its end.
    pub fn whole(&self) -> String {
        match self.is_new || !self.has_begun {
            true => format!("{}{}", self.past, self.shown),
            false => self.past.clone(),
        }
    }

    /// Number of bytes of the answer so far.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Number of bytes of reasoning so far.
    pub fn thoughts(&self) -> u64 {
        self.thoughts
    }

    /// Shows the string if it reads like a sentence.
    fn show(&mut self) {
        let text = plain(&self.raw).unwrap_or_else(|| self.raw.clone());
        let letters = text.chars().filter(|c| !c.is_ascii()).count();
        if letters >= LETTERS || text.trim_start().contains(' ') {
            self.shown = text.replace(['\r', '\t'], " ");
            self.is_new = true;
        }
    }
}

/// The end of a text that is too long, starting at a space.
fn end_of(text: String) -> String {
    if text.len() <= 2 * KEPT {
        return text;
    }
    let ends = text
        .char_indices()
        .skip_while(|(at, _)| *at < text.len() - KEPT);
    let mut ends = ends.skip_while(|(_, c)| *c != ' ');
    let from = ends.next().map_or(text.len(), |(at, _)| at);
    text[from..].to_owned()
}

/// Unescapes a JSON string, without an incomplete escape at its end.
fn plain(raw: &str) -> Option<String> {
    let ends = raw
        .char_indices()
        .map(|(at, _)| at)
        .chain([raw.len()])
        .rev();
    let mut ends = ends.take_while(|end| raw.len() - end <= ESCAPE);
    ends.find_map(|end| {
        let line: String = raw[..end].chars().filter(|c| *c >= ' ').collect();
        serde_json::from_str(&format!("\"{line}\"")).ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heard(pieces: &[&str]) -> String {
        let mut heard = PartialAnswer::default();
        for piece in pieces {
            heard.take(piece);
        }
        heard.said()
    }

    #[test]
    fn the_analysis_is_read_as_it_comes() {
        for (pieces, expected) in [
            (&[r#"{"analysis":"Rows are str"#][..], "Rows are str"),
            (&[r#"{"ana"#, r#"lysis": "#, r#""two wo"#], "two wo"),
            (&[r#"{"analysis":"a \"b\" c\\d"#], r#"a "b" c\d"#),
            (&[r#"{"analysis":"one\ntwo "#], "one two "),
            (&[r#"{"analysis":"导出需要权限"#], "导出需要权限"),
            (&[r#"{"analysis":"a \u5bfc"#, r"\u51fa"], "a 导出"),
            (&[r#"{"analysis":"a \ud83d\ude00"#], "a \u{1f600}"),
        ] {
            assert_eq!(heard(pieces), expected, "{pieces:?}");
        }
    }

    #[test]
    fn what_was_said_before_stands_above_it() {
        let mut heard = PartialAnswer::default();
        for (piece, whole) in [
            (r#"{"analysis":"Rows are"#, "Rows are"),
            (r#" streamed.\nAll of th"#, "Rows are streamed.\nAll of th"),
            (
                r#"em.","positions":[{"issue":"I-1""#,
                "Rows are streamed.\nAll of them.\n",
            ),
            (
                r#","a name":{"why":"it is small"#,
                "Rows are streamed.\nAll of them.\nit is small",
            ),
        ] {
            heard.take(piece);
            assert_eq!(heard.whole(), whole, "{piece}");
        }
    }

    #[test]
    fn any_split_reads_the_same() {
        let text = r#"{"analysis":"导出 \"CSV\"\n\ud83d\ude00 x","positions":[{"issue":"I-1","why":"it is small"}]}"#;
        let whole = heard(&[text]);
        assert_eq!(whole, "it is small");
        for (at, _) in text.char_indices() {
            let (a, b) = text.split_at(at);
            assert_eq!(heard(&[a, b]), whole, "split at {at}");
        }
    }

    #[test]
    fn names_ids_and_stances_do_not_take_the_place_of_what_is_said() {
        let before = r#"{"analysis":"It is clear.","positions":[{"issue":"I-1","stance":"agree","#;
        assert_eq!(heard(&[before]), "It is clear.");
        let named = r#""其他补充说明":{"a name with blanks":3,"#;
        assert_eq!(heard(&[before, named]), "It is clear.");
        let then = r#""proposal":"Stream the rows"#;
        assert_eq!(heard(&[before, then]), "Stream the rows");
    }

    #[test]
    fn words_outside_of_json_are_shown_as_they_stand() {
        assert_eq!(heard(&["Sure! Here", " it is"]), "Sure! Here it is");
        assert_eq!(heard(&["}]\"\\x,:"]), "}]\"\\x,:");
        assert_eq!(heard(&["Sure: {\"analysis\":\"a b"]), "a b");
    }

    #[test]
    fn what_is_kept_is_bounded_and_what_came_is_counted() {
        let mut heard = PartialAnswer::default();
        heard.take("{\"analysis\":\"");
        for _ in 0..10_000 {
            heard.take("导出 ");
        }
        assert!(heard.said().len() <= 2 * KEPT + 8, "{}", heard.said().len());
        assert!(heard.said().ends_with("导出 "));
        assert_eq!(heard.bytes(), 13 + 10_000 * 7);
        heard.think("hm");
        assert_eq!(heard.thoughts(), 2);
    }
}
