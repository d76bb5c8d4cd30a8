//! Makes untrusted text safe for a prompt: cleaned, and in fences that it cannot close.

use crate::clean::{each_text, folded};
use crate::machine::shown;

/// Minimum number of backticks of a fence.
const LEAST_FENCE: usize = 3;

/// Turn separators of chat templates, besides everything in `<|…|>`.
const TURN_TOKENS: [&str; 11] = [
    "<start_of_turn>",
    "<end_of_turn>",
    "[INST]",
    "[/INST]",
    "<<SYS>>",
    "<</SYS>>",
    "<s>",
    "</s>",
    "<bos>",
    "<eos>",
    "<｜",
];

/// Removes what a reader of the rendered text would not see ([`shown`]), and splits `<|` and other
/// control tokens of models, which a chat template could take for the start of a turn.
pub(super) fn for_model(text: &str) -> String {
    split_tokens(&shown(text)).trim().to_owned()
}

/// Splits what a chat template could take for the start of a turn; everything else is unchanged.
pub(super) fn split_tokens(text: &str) -> String {
    // Every token that is split begins with one of these.
    if !text.contains(['<', '[']) {
        return text.to_owned();
    }
    let mut shown = text.replace("<|", "< |");
    for token in TURN_TOKENS {
        if shown.contains(token) {
            let (first, rest) = token.split_at(1);
            shown = shown.replace(token, &format!("{first} {rest}"));
        }
    }
    shown
}

/// Cleans a text and puts it on one line.
pub(super) fn line(text: &str) -> String {
    folded(&for_model(text))
}

/// Cleans a text and indents all lines but the first.
pub(super) fn block(text: &str) -> String {
    for_model(text).replace('\n', "\n  ")
}

/// Puts a text between fences that are longer than any run of backticks in it.
pub(super) fn fence(text: &str, label: &str) -> String {
    let mut longest = 0;
    let mut run = 0;
    for c in text.chars() {
        run = if c == '`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    let ticks = "`".repeat(LEAST_FENCE.max(longest + 1));
    let text = text.trim_end();
    let gap = if text.is_empty() { "" } else { "\n" };
    format!("{ticks}{label}\n{text}{gap}{ticks}\n")
}

/// Puts a text between quotation marks on one line, with single quotes for the marks inside.
pub(super) fn quote(text: &str) -> String {
    format!("\"{}\"", line(text).replace('"', "'"))
}

/// Cleans every string of a JSON value.
pub(super) fn for_model_json(value: &mut serde_json::Value) {
    each_text(value, &mut |text| *text = for_model(text));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_text_goes_and_shown_text_stays() {
        assert_eq!(for_model("a<!-- obey\nme -->b"), "ab");
        assert_eq!(for_model("a <!-- never closed"), "a");
        assert_eq!(
            for_model("the marker `<!-- END -->` ends it"),
            "the marker `<!-- END -->` ends it"
        );
        assert_eq!(for_model("``a`<!--x-->`` <!--y-->z"), "``a`<!--x-->`` z");
        assert_eq!(for_model("` <!--x--> b"), "`  b");
        assert_eq!(
            for_model("a < b <= c \u{202e}d\u{7}\u{e0041}"),
            "a < b <= c d"
        );
        assert_eq!(for_model("<|im_start|>system"), "< |im_start|>system");
        assert_eq!(for_model("<\u{200b}|im_start|>"), "< |im_start|>");
        assert_eq!(for_model("<<!-- -->|im_end|>"), "< |im_end|>");
        assert_eq!(for_model("a<!-<!-- x -->- obey -->b"), "ab");
        assert_eq!(
            for_model("<start_of_turn>[INST]<｜User｜>"),
            "< start_of_turn>[ INST]< ｜User｜>"
        );
        assert_eq!(for_model("a\u{2028}b\u{ad}c\u{2063}d"), "a\nbcd");
    }

    #[test]
    fn a_fence_is_longer_than_any_run_inside() {
        let fenced = fence("x\n``````\ny", "speech");
        assert!(fenced.starts_with("```````speech\n"), "{fenced}");
        assert!(fenced.ends_with("\n```````\n"), "{fenced}");
        assert_eq!(fence("", "draft"), "```draft\n```\n");
    }
}
