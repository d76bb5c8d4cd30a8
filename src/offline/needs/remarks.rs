//! What a sentence does: tell how things are, complain of them, or ask for something.

use super::clauses::words;
use super::words::{MODALS, VERBS};

/// Is it a remark on the state of things, a reason or a date rather than a need?
pub fn is_remark(text: &str) -> bool {
    const OPENINGS: [&str; 12] = [
        "background",
        "context:",
        "note:",
        "goal:",
        "motivation:",
        "currently ",
        "today ",
        "because ",
        "背景",
        "目前",
        "现在",
        "当前",
    ];
    const DATES: [&str; 9] = [
        "release this",
        "ship this",
        "launch this",
        "release it",
        "ship it",
        "launch it",
        "deadline",
        "截止",
        "上线前完成",
    ];
    let lower = text.to_lowercase();
    OPENINGS.iter().any(|word| lower.starts_with(word))
        || DATES.iter().any(|word| lower.contains(word))
}

/// Does a sentence say who somebody is and how it is done today: "We run three shops",
/// "Orders are exported by hand"?
pub fn tells_how_things_are(text: &str) -> bool {
    const OPENINGS: [&str; 14] = [
        "we ",
        "our ",
        "i ",
        "my ",
        "there is ",
        "there are ",
        "they ",
        "我们",
        "公司",
        "本公司",
        "我司",
        "本店",
        "目标：",
        "目标:",
    ];
    const TODAY: [&str; 21] = [
        "by phone",
        "on paper",
        "by fax",
        "打电话",
        "纸质",
        "by hand",
        "manually",
        "at the moment",
        "so far",
        "until now",
        "nowadays",
        "these days",
        "手工",
        "手动",
        "一直用",
        "至今",
        "complain about",
        "complains about",
        "抱怨",
        "用表格",
        "用 excel",
    ];
    let lower = text.to_lowercase();
    OPENINGS.iter().any(|word| lower.starts_with(word))
        || TODAY.iter().any(|word| lower.contains(word))
        || (lower.ends_with(" today") && !stays_as(&lower))
}

/// "The same flags as today": that is to stay.
fn stays_as(lower: &str) -> bool {
    ["as today", "like today", "than today"]
        .iter()
        .any(|end| lower.ends_with(end))
}

/// Does a sentence tell what that does of which the need before it speaks: "They pick the items
/// and get a label", "It should check …"? That is wished for, too; what they are, have or usually do is told.
pub fn tells_what_it_does(text: &str) -> bool {
    const STATES: [&str; 24] = [
        "are",
        "were",
        "aren't",
        "have",
        "had",
        "do",
        "did",
        "don't",
        "like",
        "love",
        "hate",
        "know",
        "work",
        "live",
        "use",
        "come",
        "run",
        "often",
        "usually",
        "already",
        "currently",
        "mostly",
        "sometimes",
        "now",
    ];
    let words = words(text);
    let [subject, verb, _, ..] = words.as_slice() else {
        return false;
    };
    match subject.as_str() {
        "they" => !STATES.contains(&verb.as_str()),
        "it" => MODALS.contains(&verb.as_str()) || is_deed(verb),
        // "Show them on the invoice", but "Fix this" is all that is said of a fault.
        order => {
            words.len() >= 5
                && order != "fix"
                && VERBS.contains(&order)
                && ["it", "them", "these", "those"].contains(&verb.as_str())
        }
    }
}

/// "It prints what it would do": a thing does that; "it takes an hour" only tells how it is.
fn is_deed(verb: &str) -> bool {
    const STATES: [&str; 22] = [
        "is", "was", "has", "does", "takes", "lasts", "costs", "needs", "fails", "contains",
        "comes", "uses", "runs", "lives", "belongs", "works", "helps", "makes", "saves", "means",
        "seems", "looks",
    ];
    verb.len() > 3 && verb.ends_with('s') && !STATES.contains(&verb)
}

/// Does a sentence say that something is not as it should be? Then it asks for that.
pub fn complains(text: &str) -> bool {
    const FAULTS: [&str; 31] = [
        "panics", "panic", "freezes", "leaks", "stuck", "corrupt", "corrupts", "flaky", "unusable",
        "too", "slow", "slowly", "fail", "fails", "failing", "broken", "wrong", "error", "errors",
        "crash", "crashes", "bug", "cannot", "not", "doesn't", "don't", "hangs", "lost", "missing",
        "lack", "lacks",
    ];
    const HAN_FAULTS: [&str; 11] = [
        "太慢",
        "很慢",
        "报错",
        "崩溃",
        "打不开",
        "失败",
        "无法",
        "不能",
        "卡死",
        "乱码",
        "缺少",
    ];
    words(text)
        .iter()
        .any(|word| FAULTS.contains(&word.as_str()))
        || HAN_FAULTS.iter().any(|word| text.contains(word))
}

/// Does a sentence ask for something: with an order, a wish or a rule?
pub fn asks(text: &str) -> bool {
    const WISHES: [&str; 8] = [
        "want", "wants", "wish", "needs", "need", "let", "please", "ought",
    ];
    const HAN_WISHES: [&str; 22] = [
        "需要",
        "希望",
        "想",
        "请",
        "应",
        "必须",
        "能够",
        "可以",
        "支持",
        "增加",
        "改",
        "要求",
        "不能",
        "不得",
        "我们要",
        "我要",
        "要把",
        "要将",
        "要让",
        "要给",
        "要做",
        "要能",
    ];
    let words = words(text);
    let opens = words
        .first()
        .is_some_and(|word| VERBS.contains(&word.as_str()));
    let wishes = words.iter().enumerate().any(|(at, word)| {
        let next = words.get(at + 1).map_or("", String::as_str);
        match word.as_str() {
            "has" | "have" => next == "to",
            "like" => at > 0 && words[at - 1] == "would",
            word => WISHES.contains(&word) || MODALS.contains(&word),
        }
    });
    opens || is_order(&words) || wishes || HAN_WISHES.iter().any(|word| text.contains(word))
}

/// Does it begin as an order does, with a verb and its object, whatever the verb: "Book a
/// slot by phone number", "Get it under 1 MB"? A subject is no single word that an article or
/// a pronoun follows.
fn is_order(words: &[String]) -> bool {
    const NO_VERBS: [&str; 48] = [
        "like", "under", "behind", "given", "about", "except", "than", "is", "does", "was",
        "should", "but", "so", "until", "we", "i", "you", "they", "he", "she", "it", "all", "half",
        "both", "what", "such", "not", "only", "by", "in", "on", "at", "for", "from", "to", "of",
        "with", "without", "when", "if", "as", "after", "before", "because", "while", "since",
        "and", "or",
    ];
    let [verb, article, ..] = words else {
        return false;
    };
    ["a", "an", "the", "it", "them", "this", "these", "those"].contains(&article.as_str())
        && !verb.ends_with('s')
        && !NO_VERBS.contains(&verb.as_str())
}

/// Does a clause only ask that what stands before it is done: "please fix", "needs fixing"?
pub fn only_asks(clause: &str) -> bool {
    const ASKS: [&str; 14] = [
        "fix",
        "needs fixing",
        "must be fixed",
        "should be fixed",
        "has to be fixed",
        "needs to be fixed",
        "needs to be improved",
        "需要修复",
        "需修复",
        "修复一下",
        "需要解决",
        "需要优化",
        "需要改进",
        "需要改正",
    ];
    ASKS.iter().any(|asks| clause.eq_ignore_ascii_case(asks))
}

/// Does a clause wish for something else than what was told before, which it need not name:
/// "The list takes 8 s now. We want 500 ms"?
pub fn opens_wish(clause: &str) -> bool {
    const WISHES: [&str; 9] = [
        "希望",
        "要求",
        "应该",
        "应当",
        "目标是",
        "最好",
        "we want",
        "the goal is",
        "the target is",
    ];
    let lower = clause.to_lowercase();
    WISHES.iter().any(|wish| lower.starts_with(wish))
}
