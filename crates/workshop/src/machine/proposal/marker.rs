//! The end marker: where it counts, and how it is removed from the text that people read.

use std::ops::Range;

use pulldown_cmark::{Event, Parser, Tag};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::clean::each_text;
use crate::fence::Fence;

/// Returns whether a reply proposes the end. The marker counts only at the very end: of the
/// `analysis`, or of the `raw` reply after its JSON object.
pub fn proposes_end(analysis: &str, raw: &str, marker: &str) -> bool {
    let marker = marker.trim();
    !marker.is_empty() && (ends_with_marker(analysis, marker) || follows_object(raw, marker))
}

/// Returns the text without its markers; markers in code stay.
fn without_marker(text: &str, marker: &str) -> String {
    let marker = marker.trim();
    if marker.is_empty() || !text.contains(marker) {
        return text.to_owned();
    }
    let shown = MarkdownSpans::of(text);
    let stays = |at: usize| {
        let after = &text[at + marker.len()..];
        shown.is_code(at) || is_glued(&text[..at], marker, after)
    };
    let mut kept: Vec<String> = Vec::new();
    let mut begins = 0;
    for line in text.split_inclusive('\n') {
        let whole = line.trim_end_matches(['\n', '\r']);
        let places = whole.match_indices(marker).map(|(at, _)| at);
        let gone: Vec<usize> = places.filter(|at| !stays(begins + at)).collect();
        begins += line.len();
        let mut less = whole.to_owned();
        for at in gone.iter().rev() {
            less.replace_range(*at..at + marker.len(), "");
        }
        // A line with nothing but the marker is removed with it.
        if gone.is_empty() {
            kept.push(less);
        } else if !less.trim().is_empty() {
            kept.push(less.trim_end().to_owned());
        }
    }
    kept.join("\n").trim_end().to_owned()
}

/// Returns `said` with the marker removed from all its texts.
///
/// # Errors
/// A message, if the remaining text does not parse as before.
pub fn unmarked<T: Serialize + DeserializeOwned>(said: T, marker: &str) -> Result<T, String> {
    let marker = marker.trim();
    let fault = |error| format!("the end marker stands where it cannot: {error}");
    let mut value = serde_json::to_value(&said).map_err(fault)?;
    let mut has_marker = false;
    each_text(&mut value, &mut |text| {
        if !marker.is_empty() && text.contains(marker) {
            has_marker = true;
            *text = without_marker(text, marker);
        }
    });
    // Most answers contain no marker and need not be parsed again.
    match has_marker {
        true => serde_json::from_value(value).map_err(fault),
        false => Ok(said),
    }
}

/// Returns whether only the marker follows the JSON object and the fence around it.
fn follows_object(raw: &str, marker: &str) -> bool {
    let Some(before) = raw.trim_end().strip_suffix(marker) else {
        return false;
    };
    let Some(ends) = before.rfind('}') else {
        return false;
    };
    let mut fence = Fence::default();
    for line in before[..=ends].lines() {
        fence.holds(line);
    }
    let tail = before[ends + 1..].trim();
    match fence.is_open() {
        true => fence.holds(tail) && !fence.is_open(),
        false => tail.is_empty(),
    }
}

fn ends_with_marker(text: &str, marker: &str) -> bool {
    let text = text.trim_end();
    let Some(before) = text.strip_suffix(marker) else {
        return false;
    };
    if is_glued(before, marker, "") {
        return false;
    }
    let shown = MarkdownSpans::of(text);
    if shown.is_code(before.len()) || shown.is_quoted(before.len()) {
        return false;
    }
    // Quotation marks and tags in code do not count.
    let before = shown.words(before);
    let line = before.rsplit('\n').next().unwrap_or_default();
    !is_quoted(line) && !is_hidden(&before) && !is_wrapped(&before)
}

/// Returns whether the marker is part of a longer word. A marker that begins or ends with a letter
/// or digit needs a word boundary there.
fn is_glued(before: &str, marker: &str, after: &str) -> bool {
    let is_of_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let joins = |one: Option<char>, other: Option<char>| {
        one.is_some_and(is_of_word) && other.is_some_and(is_of_word)
    };
    joins(before.chars().next_back(), marker.chars().next())
        || joins(marker.chars().next_back(), after.chars().next())
}

/// Which parts of a text are code and which are quotations, by the rules of Markdown.
struct MarkdownSpans {
    code: Vec<Range<usize>>,
    quoted: Vec<Range<usize>>,
}

impl MarkdownSpans {
    fn of(text: &str) -> Self {
        let (mut code, mut quoted) = (Vec::new(), Vec::new());
        for (event, range) in Parser::new(text).into_offset_iter() {
            match event {
                Event::Code(_) | Event::Start(Tag::CodeBlock(_)) => code.push(range),
                Event::Start(Tag::BlockQuote(_)) => quoted.push(range),
                _ => {}
            }
        }
        Self { code, quoted }
    }

    fn is_code(&self, at: usize) -> bool {
        self.code.iter().any(|range| range.contains(&at))
    }

    fn is_quoted(&self, at: usize) -> bool {
        self.quoted.iter().any(|range| range.contains(&at))
    }

    /// Returns the beginning of the text without its code.
    fn words(&self, beginning: &str) -> String {
        let kept = beginning
            .char_indices()
            .filter(|(at, _)| !self.is_code(*at));
        kept.map(|(_, c)| c).collect()
    }
}

/// Returns whether the line ends inside an unclosed quotation or code span, or after a backslash.
fn is_quoted(line: &str) -> bool {
    const PAIRS: [(char, char); 5] = [
        ('“', '”'),
        ('「', '」'),
        ('『', '』'),
        ('«', '»'),
        ('‘', '’'),
    ];
    let count = |wanted: char| line.chars().filter(|c| *c == wanted).count();
    let ticks = line
        .split(|c| c != '`')
        .filter(|run| !run.is_empty())
        .count();
    ticks % 2 == 1
        || count('"') % 2 == 1
        || PAIRS[..4].iter().any(|(open, close)| count(*open) > count(*close))
        // An apostrophe does not close a quotation, so a single quotation mark counts only directly
        // before the marker.
        || line.ends_with(['\'', '‘', '\\'])
}

/// Returns whether an HTML comment is still open.
fn is_hidden(before: &str) -> bool {
    before
        .rfind("<!--")
        .is_some_and(|open| !before[open..].contains("-->"))
}

/// Returns whether an HTML element for code or quotations is still open.
fn is_wrapped(before: &str) -> bool {
    let lower = before.to_ascii_lowercase();
    [
        "pre",
        "code",
        "blockquote",
        "q",
        "template",
        "script",
        "style",
    ]
    .iter()
    .any(|tag| {
        let opened = |text: &str| {
            text.matches(&format!("<{tag}>")).count() + text.matches(&format!("<{tag} ")).count()
        };
        opened(&lower) > lower.matches(&format!("</{tag}>")).count()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const MARKER: &str = "<!-- END -->";

    /// The marker at different places of an `analysis`, and whether it counts there.
    const PLACES: [(&str, bool); 60] = [
        ("<!-- END -->", true),
        ("Done.\n<!-- END -->", true),
        ("Done. <!-- END -->", true),
        ("Done.\n\n<!-- END -->\n\n  \n", true),
        ("完成。<!-- END -->", true),
        ("完成。\n<!-- END -->\r\n", true),
        ("- one\n- two\n\n<!-- END -->", true),
        ("```\ncode\n```\n<!-- END -->", true),
        ("~~~\ncode\n~~~\n<!-- END -->", true),
        ("> SD said so.\n\nMy word: we are done.\n<!-- END -->", true),
        ("> SD said so.\n<!-- END -->", true),
        ("It is \"clear\" and `done`. <!-- END -->", true),
        ("I don't object. <!-- END -->", true),
        ("<!-- note --> Done. <!-- END -->", true),
        ("<!-- END --> <!-- END -->", true),
        ("“好的”，结束。<!-- END -->", true),
        ("<code>x</code> is done <!-- END -->", true),
        ("   <!-- END -->", true),
        ("<!-- END -->\nBut wait.", false),
        ("<!-- END --> but wait", false),
        ("<!-- END -->.", false),
        ("<!-- END -->\n— PP", false),
        ("<!-- END -->\n```\n```", false),
        ("Write `<!-- END -->`", false),
        ("Write `<!-- END -->", false),
        ("Write ``<!-- END -->``", false),
        ("```\n<!-- END -->", false),
        ("```\n<!-- END -->\n```", false),
        ("```html\nx\n<!-- END -->", false),
        ("````\n```\n<!-- END -->", false),
        ("~~~\n```\n<!-- END -->", false),
        ("```\ncode\n``` not closed\n<!-- END -->", false),
        ("Example:\n\n    <!-- END -->", false),
        ("Example:\n\n\t<!-- END -->", false),
        ("> <!-- END -->", false),
        ("> quoted <!-- END -->", false),
        ("  > > <!-- END -->", false),
        ("He wrote \"<!-- END -->", false),
        ("He wrote \"<!-- END -->\"", false),
        ("他写道“<!-- END -->", false),
        ("他写道「<!-- END -->", false),
        ("He wrote '<!-- END -->", false),
        ("\\<!-- END -->", false),
        ("<!-- hidden\n<!-- END -->", false),
        ("<pre>\n<!-- END -->", false),
        ("<blockquote class=\"x\"> <!-- END -->", false),
        ("<code><!-- END -->", false),
        ("<!-- end -->", false),
        ("<!--END-->", false),
        ("&lt;!-- END --&gt;", false),
        ("- ```html\n  <!-- END -->", false),
        ("1. ```sh\n   rm x\n   <!-- END -->", false),
        ("Example:\n\n  \t<!-- END -->", false),
        (
            "- ```html\n  <p>\n  ```\nI have said all.\n<!-- END -->",
            true,
        ),
        ("- one\n\n      <!-- END -->", false),
        (
            "Comments begin with `<!--` in HTML. All said.\n<!-- END -->",
            true,
        ),
        ("`<pre>` and ``a \" b`` are code.\n<!-- END -->", true),
        ("```\na\n```\n\n```\nb\n<!-- END -->", false),
        ("> - quoted\n>   <!-- END -->", false),
        ("> ```\n> <!-- END -->\n> ```\n\nMine. <!-- END -->", true),
    ];

    #[test]
    fn only_the_last_thing_in_the_own_words_counts() {
        for (text, counts) in PLACES {
            assert_eq!(proposes_end(text, "{}", MARKER), counts, "{text:?}");
        }
    }

    #[test]
    fn after_the_object_nothing_else_may_stand() {
        for (raw, counts) in [
            ("{\"analysis\": \"x\"}\n<!-- END -->", true),
            ("```json\n{\"a\": {}}\n```\n<!-- END -->\n", true),
            ("{} <!-- END -->", true),
            ("{}\n> <!-- END -->", false),
            ("{}\n`<!-- END -->`", false),
            ("```json\n{}\n<!-- END -->\n```", false),
            ("{}\nI think so. <!-- END -->", false),
            ("<!-- END -->\n{}", false),
            ("{\"analysis\": \"<!-- END -->\", \"positions\": []}", false),
            ("<!-- END -->", false),
            ("```json\n{}\n<!-- END -->", false),
            ("```json\n{}\n~~~\n<!-- END -->", false),
            ("~~~json\n{}\n~~~\n<!-- END -->", true),
            ("Here it is:\n````\n{}\n````\n<!-- END -->", true),
            ("{}\n```\n<!-- END -->", false),
            (
                "The plan {in braces}.\n```json\n{}\n```\n<!-- END -->",
                true,
            ),
            ("```\ncode\n```\n{}\n<!-- END -->", true),
            ("```\ncode\n```\n```json\n{}\n<!-- END -->", false),
        ] {
            assert_eq!(proposes_end("no", raw, MARKER), counts, "{raw:?}");
        }
    }

    #[test]
    fn a_marker_of_ones_own_is_found_the_same_way() {
        assert!(proposes_end("Fertig.\n[[ENDE]]", "{}", "[[ENDE]]"));
        assert!(!proposes_end("> quoted\n[[ENDE]]", "{}", "[[ENDE]]"));
        assert!(!proposes_end("Fertig.\n<!-- END -->", "{}", "[[ENDE]]"));
        assert!(!proposes_end("Fertig.", "{} ", " "));
        assert!(proposes_end(
            "no",
            "{\"analysis\": \"x\"}\n{{END}}",
            "{{END}}"
        ));
        assert!(proposes_end("All said. DONE", "{}", "DONE"));
        assert!(!proposes_end("We are UNDONE", "{}", "DONE"));
        assert!(proposes_end("我们说完了。完毕", "{}", "完毕"));
        assert_eq!(
            without_marker("UNDONE, DONE_1 and DONE.", "DONE"),
            "UNDONE, DONE_1 and ."
        );
    }

    #[test]
    fn people_read_no_marker() {
        for (text, clean) in [
            ("Done.\n<!-- END -->", "Done."),
            ("Done. <!-- END -->", "Done."),
            ("a <!-- END --> b\n<!-- END -->\nc", "a  b\nc"),
            (
                "`<!-- END -->` ends it. <!-- END -->",
                "`<!-- END -->` ends it.",
            ),
            ("```\n<!-- END -->\n```", "```\n<!-- END -->\n```"),
            ("<!-- END -->", ""),
            (
                "- ```html\n  <p>\n  ```\nAll said.\n<!-- END -->",
                "- ```html\n  <p>\n  ```\nAll said.",
            ),
            (
                "- ```html\n  <!-- END -->\n  ```",
                "- ```html\n  <!-- END -->\n  ```",
            ),
            ("> SD: <!-- END -->\r\nMine.", "> SD:\nMine."),
            ("no marker \n", "no marker \n"),
        ] {
            assert_eq!(without_marker(text, MARKER), clean, "{text:?}");
        }
    }
}
