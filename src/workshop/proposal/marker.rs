//! The end marker: where it counts, and taking it out of what people read.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Does a reply propose the end? Only its very last thing does: the end of the
/// `analysis`, or what stands after the JSON object in the `raw` reply.
pub fn proposes_end(analysis: &str, raw: &str, marker: &str) -> bool {
    let marker = marker.trim();
    !marker.is_empty() && (ends_with_marker(analysis, marker) || follows_object(raw, marker))
}

/// The text without its markers; one that is shown as code stays.
fn without_marker(text: &str, marker: &str) -> String {
    let marker = marker.trim();
    if marker.is_empty() || !text.contains(marker) {
        return text.to_owned();
    }
    let mut fence = None;
    let mut kept: Vec<String> = Vec::new();
    for line in text.lines() {
        let was_open = fence.is_some();
        fence = fence_after(fence, line);
        if was_open || fence.is_some() || !line.contains(marker) {
            kept.push(line.to_owned());
            continue;
        }
        let less = outside_spans(line, marker);
        // A line that held nothing else goes with it.
        if !less.trim().is_empty() {
            kept.push(less.trim_end().to_owned());
        }
    }
    kept.join("\n").trim_end().to_owned()
}

/// What was said, with no marker in any of its texts.
///
/// # Errors
/// In words, if what is left is not what was read.
pub fn unmarked<T: Serialize + DeserializeOwned>(said: T, marker: &str) -> Result<T, String> {
    let marker = marker.trim();
    let fault = |error| format!("the end marker stands where it cannot: {error}");
    let mut value = serde_json::to_value(&said).map_err(fault)?;
    // Most hold none, and what was read need not be read again.
    if marker.is_empty() || !holds(&value, marker) {
        return Ok(said);
    }
    clear(&mut value, marker);
    serde_json::from_value(value).map_err(fault)
}

fn holds(value: &Value, marker: &str) -> bool {
    match value {
        Value::String(text) => text.contains(marker),
        Value::Array(items) => items.iter().any(|item| holds(item, marker)),
        Value::Object(fields) => fields.values().any(|field| holds(field, marker)),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

fn clear(value: &mut Value, marker: &str) {
    match value {
        Value::String(text) => *text = without_marker(text, marker),
        Value::Array(items) => items.iter_mut().for_each(|item| clear(item, marker)),
        Value::Object(fields) => fields.values_mut().for_each(|field| clear(field, marker)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// After the object, and after the fence that held it, nothing but the marker.
fn follows_object(raw: &str, marker: &str) -> bool {
    let Some(end) = raw.rfind('}') else {
        return false;
    };
    let tail = raw[end + 1..].trim();
    let tail = tail.strip_prefix("```").map_or(tail, str::trim_start);
    tail == marker
}

fn ends_with_marker(text: &str, marker: &str) -> bool {
    let text = text.trim_end();
    let Some(before) = text.strip_suffix(marker) else {
        return false;
    };
    let (above, line) = before.rsplit_once('\n').unwrap_or(("", before));
    !is_fenced(above)
        && !is_indented(line)
        && !is_quoted_block(above, line, marker)
        && !is_quoted(line)
        && !is_hidden(before)
        && !is_wrapped(before)
}

/// Which fence is open after a line, by its character and length.
fn fence_after(open: Option<(char, usize)>, line: &str) -> Option<(char, usize)> {
    let rest = line.trim_start_matches(' ');
    let first = rest.chars().next().filter(|c| matches!(c, '`' | '~'));
    let run = first.map_or(0, |mark| rest.chars().take_while(|c| *c == mark).count());
    let (Some(mark), true) = (first, run >= 3 && line.len() - rest.len() <= 3) else {
        return open;
    };
    match open {
        Some((c, least)) if c == mark && run >= least && rest[run..].trim().is_empty() => None,
        Some(fence) => Some(fence),
        // A span may begin with three ticks: an opening line holds no more of them.
        None if mark == '`' && rest[run..].contains('`') => None,
        None => Some((mark, run)),
    }
}

fn is_fenced(above: &str) -> bool {
    above.lines().fold(None, fence_after).is_some()
}

fn is_indented(line: &str) -> bool {
    line.starts_with('\t') || line.starts_with("    ")
}

/// In a block quote, or a line that Markdown reads as its continuation.
fn is_quoted_block(above: &str, line: &str, marker: &str) -> bool {
    let quotes = |line: &str| line.trim_start().starts_with('>');
    let continues = !marker.starts_with("<!--") && above.lines().next_back().is_some_and(quotes);
    quotes(line) || (continues && line.trim().is_empty())
}

/// Behind a quotation mark, a tick or a backslash that nothing closes.
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
        // An apostrophe closes nothing, so a single mark counts only right before.
        || line.ends_with(['\'', '‘', '\\'])
}

/// Within a comment that was opened before.
fn is_hidden(before: &str) -> bool {
    before
        .rfind("<!--")
        .is_some_and(|open| !before[open..].contains("-->"))
}

/// Within an element that shows code or a quotation.
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

/// The line without the markers that stand outside its code spans.
fn outside_spans(line: &str, marker: &str) -> String {
    let mut kept = String::with_capacity(line.len());
    let mut rest = line;
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix(marker) {
            rest = after;
            continue;
        }
        let taken = if rest.starts_with('`') {
            span(rest)
        } else {
            rest.chars().next().map_or(rest.len(), char::len_utf8)
        };
        kept.push_str(&rest[..taken]);
        rest = &rest[taken..];
    }
    kept
}

/// Bytes of the code span a text begins with, or of its ticks when nothing closes them.
fn span(text: &str) -> usize {
    let run = |at: usize| text[at..].bytes().take_while(|b| *b == b'`').count();
    let ticks = run(0);
    let mut at = ticks;
    while let Some(found) = text[at..].find('`') {
        let start = at + found;
        at = start + run(start);
        if at - start == ticks {
            return at;
        }
    }
    ticks
}

#[cfg(test)]
mod tests {
    use super::*;

    const MARKER: &str = "<!-- END -->";

    /// Where the marker stands in an `analysis`, and whether it counts there.
    const PLACES: [(&str, bool); 50] = [
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
            ("no marker \n", "no marker \n"),
        ] {
            assert_eq!(without_marker(text, MARKER), clean, "{text:?}");
        }
    }
}
