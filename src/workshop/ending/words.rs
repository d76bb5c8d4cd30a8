//! Words of agreement and disagreement, matched whole and not after a negation.
//!
//! A detector for repetition's sake: it never says that anybody agrees.

/// Words that tell of agreement, besides those of the configuration.
const AGREEMENT: [&str; 14] = [
    "agreed",
    "agree",
    "consensus",
    "exactly",
    "no objection",
    "no objections",
    "settled",
    "aligned",
    "一致",
    "共识",
    "同意",
    "赞成",
    "没有异议",
    "没有分歧",
];

/// Words that tell of disagreement.
const DISAGREEMENT: [&str; 18] = [
    "disagree",
    "disagreed",
    "disagreement",
    "object",
    "objection",
    "objections",
    "oppose",
    "opposed",
    "against",
    "reject",
    "unacceptable",
    "反对",
    "不同意",
    "不赞成",
    "异议",
    "分歧",
    "不可接受",
    "不妥",
];

/// Words that turn the next few round, in English.
const NEGATIONS: [&str; 12] = [
    "not", "no", "never", "cannot", "can't", "don't", "doesn't", "didn't", "isn't", "nobody",
    "without", "hardly",
];

/// Characters that turn round what follows, in Chinese.
const NEGATIONS_ZH: [&str; 8] = ["不", "没", "没有", "无", "未", "并非", "尚未", "难以"];

/// Words back that a negation reaches.
const REACH: usize = 3;

/// Does a text hold a word of agreement that nothing negates?
pub(super) fn agrees(text: &str, more: &[String]) -> bool {
    let text = text.to_lowercase();
    AGREEMENT
        .iter()
        .copied()
        .map(str::to_owned)
        .chain(more.iter().map(|word| word.trim().to_lowercase()))
        .filter(|word| !word.is_empty())
        .any(|word| stands_unnegated(&text, &word))
}

/// Does a text hold a word of disagreement that nothing negates?
pub(super) fn disagrees(text: &str) -> bool {
    let text = text.to_lowercase();
    DISAGREEMENT
        .iter()
        .any(|word| stands_unnegated(&text, word))
}

fn stands_unnegated(text: &str, word: &str) -> bool {
    text.match_indices(word)
        .any(|(at, _)| is_whole(text, at, word) && !is_negated(&text[..at], word))
}

/// A Chinese word stands as it is; others need something else at either end.
fn is_whole(text: &str, at: usize, word: &str) -> bool {
    let joins = |c: char| (c.is_alphanumeric() && !is_han(c)) || c == '_' || c == '\'';
    let starts = word.chars().next().is_some_and(joins);
    let ends = word.chars().next_back().is_some_and(joins);
    let before = text[..at].chars().next_back().is_some_and(joins);
    let after = text[at + word.len()..].chars().next().is_some_and(joins);
    let is_part = (starts && before) || (ends && after);
    !is_part
}

fn is_negated(before: &str, word: &str) -> bool {
    if word.chars().any(is_han) {
        let tail: String = before
            .chars()
            .rev()
            .take(4)
            .collect::<Vec<_>>()
            .into_iter()
            .rev()
            .collect();
        return NEGATIONS_ZH.iter().any(|no| {
            // Right before, or with a word between, such as 没有达成共识.
            tail.rfind(no)
                .is_some_and(|at| !tail[at..].contains(['，', '。', '；', '、', ',', '.', ';']))
        });
    }
    let clause = before
        .rsplit(['.', ',', ';', ':', '!', '?', '\n', '，', '。'])
        .next();
    clause
        .unwrap_or_default()
        .split(|c: char| !(c.is_alphanumeric() || c == '\'' || c == '’'))
        .filter(|part| !part.is_empty())
        .rev()
        .take(REACH)
        .any(|part| NEGATIONS.contains(&part.replace('’', "'").as_str()))
}

fn is_han(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_whole_and_negations_are_heard() {
        for (text, agreement, disagreement) in [
            ("We agree on I-1.", true, false),
            ("I disagree.", false, true),
            ("I do not agree with SD.", false, false),
            ("There is no disagreement left; consensus.", true, false),
            ("No objections. Agreed!", true, false),
            ("I object to the cap.", false, true),
            ("An objective measure, exactly as SD says.", true, false),
            ("There is no consensus yet.", false, false),
            ("We don’t agree", false, false),
            ("But this is fine, and so is that.", false, false),
            ("disagreeable agreements", false, false),
            ("我们达成一致。", true, false),
            ("我同意 SD 的方案。", true, false),
            ("我不同意这个方案。", false, true),
            ("大家没有分歧，同意。", true, false),
            ("尚未达成共识。", false, false),
            ("我反对导出全部字段。", false, true),
            ("我不反对。", false, false),
            ("", false, false),
        ] {
            assert_eq!(agrees(text, &[]), agreement, "{text}");
            assert_eq!(disagrees(text), disagreement, "{text}");
        }
    }

    #[test]
    fn the_list_can_be_extended() {
        let more = ["Ship it".to_owned(), " ".to_owned()];
        assert!(agrees("Then ship it.", &more));
        assert!(!agrees("Do not ship it.", &more));
        assert!(!agrees("Then wait.", &more));
    }
}
