//! Points of feedback that ask for no change: "keep everything else".

/// Words of a point that only says to keep, at most; a longer one says more.
const MAX_WORDS: usize = 14;
/// As many in Chinese, in characters.
const MAX_HAN: usize = 24;

/// What is left of a plan.
#[rustfmt::skip]
const REST: &[&str] = &[
    "everything else", "anything else", "nothing else", "all else", "the rest", "the others", "all other", "the other parts", "all the other", "no other",
];
/// That it stays so.
#[rustfmt::skip]
const STAYS: &[&str] = &[
    "keep", "leave", "retain", "preserve", "unchanged", "untouched", "as it is", "as is", "as they are", "as before", "the same", "is fine", "is good", "is ok", "i like", "i love",
];
/// That nothing is done to it: with a word that denies, or where nothing follows.
#[rustfmt::skip]
const TOUCHES: &[&str] = &[
    "change", "changes", "touch",
];
/// Words that deny.
#[rustfmt::skip]
const DENIES: &[&str] = &[
    "not", "don't", "never", "no", "nothing",
];
/// That it goes on: how it does must not follow ("stay signed in").
#[rustfmt::skip]
const GOES_ON: &[&str] = &[
    "stay", "stays", "remain", "remains",
];
/// How a point opens that names what stays.
#[rustfmt::skip]
const OPENS: &[&str] = &[
    "keep", "leave", "retain", "preserve",
];
/// How a point opens that forbids to touch what it names.
#[rustfmt::skip]
const SPARES: &[&str] = &[
    "do not touch", "don't touch", "do not change", "don't change", "do not alter", "don't alter", "never touch",
];
/// How it ends.
#[rustfmt::skip]
const ENDS: &[&str] = &[
    "as it is", "as is", "as they are", "unchanged", "untouched", "the same", "alone", "as before", "as it was",
];
/// Words of a point that says more.
#[rustfmt::skip]
const MORE: &[&str] = &[
    "but", "except", "instead", "add", "also", "until", "unless", "remove", "replace", "out", "without", "because", "can", "get", "gets",
];
/// What is left of a plan, in Chinese.
#[rustfmt::skip]
const HAN_REST: &[&str] = &[
    "其余", "其他", "其它", "剩下", "别的", "余下",
];
/// That it stays so, in Chinese.
#[rustfmt::skip]
const HAN_STAYS: &[&str] = &[
    "不变", "照旧", "原样", "不动", "不用改", "不改", "不要改", "没问题", "不需要改", "满意", "很好", "不错",
];
/// Openings that only say that what follows is the rest.
#[rustfmt::skip]
const HAN_LEADS: &[&str] = &[
    "请", "除此之外", "除此以外", "此外", "，", "、",
];
/// What is named after "保持其他", where it is all there is.
#[rustfmt::skip]
const HAN_PARTS: &[&str] = &[
    "部分", "内容", "功能", "设置", "行为", "逻辑", "其他", "其余", "其它", "别的",
];
/// How a point opens, or ends where nothing follows, that keeps something, in Chinese.
#[rustfmt::skip]
const HAN_OPENS: &[&str] = &[
    "保持", "维持", "保留",
];
/// How a point opens that forbids to touch what it names, in Chinese.
#[rustfmt::skip]
const HAN_SPARES: &[&str] = &[
    "不要动", "别动", "不要改动", "不要修改", "不要改", "不要碰",
];
/// How it ends, in Chinese.
#[rustfmt::skip]
const HAN_ENDS: &[&str] = &[
    "不变", "原样", "现状", "不动", "照旧",
];
/// Openings that say both, in Chinese.
#[rustfmt::skip]
const HAN_OLD: &[&str] = &[
    "保留现有", "保留原有", "保留原来", "保留已有",
];
/// Words of a point that says more, in Chinese.
#[rustfmt::skip]
const HAN_MORE: &[&str] = &[
    "增加", "新增", "添加", "改为", "改成", "改用", "但", "除", "去掉", "删除", "替换", "取消", "可以", "也能", "能够",
];

/// All that a point says which approves of the plan, a part between commas each.
#[rustfmt::skip]
const APPROVES: &[&str] = &[
    "lgtm", "looks good", "looks good to me", "all good", "good", "great", "fine", "perfect", "nice", "approved", "agreed", "ok", "okay", "ship it", "no objections", "no changes", "no further changes", "no changes needed", "no change needed", "nothing to change", "nothing to add", "nothing else", "no comments", "well done", "good work", "nice work", "thanks", "thank you", "many thanks", "thanks a lot",
    "没问题", "没有问题", "没意见", "没有意见", "就这样", "就这样吧", "可以", "可以了", "很好", "同意", "通过", "不用改", "无需修改", "不需要修改", "谢谢", "多谢", "辛苦了", "好的", "好",
];

/// Does a point of feedback only approve: "LGTM, thanks!"?
fn approves(text: &str) -> bool {
    let parts = text.split([',', '，', '.', '。', '!', '！', ';', '；', '、']);
    let is_mark = |c: char| !c.is_alphanumeric();
    let parts = parts.map(|part| part.trim_matches(is_mark).to_lowercase());
    let parts: Vec<String> = parts.filter(|part| !part.is_empty()).collect();
    let is_praise = |part: &String| APPROVES.contains(&part.as_str()) || praises(part);
    parts.iter().any(is_praise) && parts.iter().all(|part| is_praise(part) || is_beside(part))
}

/// Does a part only name whom or what the praise is for?
fn is_beside(part: &str) -> bool {
    part.split_whitespace().all(|word| BESIDE.contains(&word))
}

/// Words that praise.
#[rustfmt::skip]
const PRAISES: &[&str] = &[
    "great", "good", "fine", "perfect", "nice", "excellent", "awesome", "wonderful", "fantastic", "love", "like", "well", "clear", "thank", "thanks", "happy", "solid", "impressive", "appreciated",
];
/// Words that may stand beside them: whom or what the praise is for.
#[rustfmt::skip]
const BESIDE: &[&str] = &[
    "i", "i'm", "we", "you", "it", "it's", "is", "are", "am", "looks", "look", "all", "this", "that", "the", "a", "an", "plan", "work", "job", "version", "draft", "report", "very", "so", "really", "much", "to", "me", "us", "with", "for", "and", "done", "as", "team", "everybody", "everyone", "far", "already", "your", "pretty", "quite",
];
/// Chinese words that praise, and those that may stand beside them.
#[rustfmt::skip]
const HAN_PRAISES: &[&str] = &[
    "不错", "很好", "真好", "太好了", "好", "棒", "满意", "喜欢", "清楚", "谢谢", "感谢", "多谢", "辛苦", "优秀", "完美",
];
#[rustfmt::skip]
const HAN_BESIDE: &[&str] = &[
    "这个", "这份", "这版", "整体", "总体", "计划", "方案", "报告", "写得", "做得", "看起来", "非常", "很", "太", "真", "都", "我", "们", "你", "大家", "对", "的", "得", "了", "挺", "已经", "觉", "十分", "相当",
];

/// Does a part hold praise, and nothing but what may stand beside it?
fn praises(part: &str) -> bool {
    let is_han = |c: char| ('\u{4e00}'..='\u{9fff}').contains(&c);
    if part.contains(is_han) {
        let mut left = part.to_owned();
        for word in HAN_PRAISES.iter().chain(HAN_BESIDE) {
            left = left.replace(word, "");
        }
        return left.trim().is_empty() && HAN_PRAISES.iter().any(|word| part.contains(word));
    }
    let words = || part.split_whitespace();
    words().any(|word| PRAISES.contains(&word))
        && words().all(|word| PRAISES.contains(&word) || BESIDE.contains(&word))
}

/// Openings of a question that asks for a reason or a fact, and for no change.
#[rustfmt::skip]
const ASKS: &[&str] = &[
    "why", "what is", "what are", "what does", "who is", "who will", "how long", "how much", "how many", "how does", "when will",
];
/// The same in Chinese, where the point begins with it.
#[rustfmt::skip]
const HAN_ASKS: &[&str] = &[
    "为什么", "为何", "什么是", "是谁", "多久", "多少",
];

/// What a point says of a part of the plan that it begins with: "DEC-4: looks good".
pub fn said_of(text: &str) -> &str {
    let text = text.trim();
    let is_id = |id: &str| {
        let parts = id.trim().split_once('-');
        parts.is_some_and(|(prefix, number)| {
            !prefix.is_empty()
                && prefix.bytes().all(|b| b.is_ascii_uppercase())
                && !number.is_empty()
                && number.bytes().all(|b| b.is_ascii_digit())
        })
    };
    match text.split_once([':', '：']) {
        Some((id, said)) if is_id(id) => said.trim(),
        _ => text,
    }
}

/// Does a point of feedback only ask: "Why is a worked example needed?" Whoever asks why
/// something is not done may want it, and is not meant.
pub fn only_asks(text: &str) -> bool {
    let text = said_of(text).to_lowercase();
    let opens = |words: &[&str]| words.iter().any(|word| text.starts_with(word));
    let wants = text.contains(" not ") || text.contains("n't ") || text.contains(['不', '没']);
    let ends = text.ends_with(['?', '？']);
    ends && !wants && (opens(ASKS) || opens(HAN_ASKS))
}

/// Does a point of feedback only say that something stays as it is?
///
/// The rest of the plan ("keep everything else", "其余保持不变"), or a part of it that is
/// named together with its staying so ("leave the report as it is"). "Keep the logs for a
/// month" asks for something, and so does what adds or excepts. Approval is of the same kind.
pub fn only_keeps(text: &str) -> bool {
    let text = said_of(text);
    if approves(text) {
        return true;
    }
    let is_han = |c: char| ('\u{4e00}'..='\u{9fff}').contains(&c);
    if text.contains(is_han) {
        return keeps_in_chinese(text);
    }
    let words: Vec<String> = text
        .split(|c: char| !(c.is_alphanumeric() || c == '\''))
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .skip_while(|word| ["please", "and", "just", "otherwise"].contains(&word.as_str()))
        .collect();
    let said = format!(" {} ", words.join(" "));
    let has = |phrases: &[&str]| phrases.iter().any(|p| said.contains(&format!(" {p} ")));
    let begins = |phrases: &[&str]| phrases.iter().any(|p| said.starts_with(&format!(" {p} ")));
    let opens = begins(OPENS);
    let ends = ENDS.iter().any(|p| said.ends_with(&format!(" {p} ")));
    let last = |words: &[&str]| words.iter().any(|w| said.ends_with(&format!(" {w} ")));
    let stays = has(STAYS) || last(GOES_ON) || (has(TOUCHES) && has(DENIES));
    let is_number = |word: &String| word.starts_with(|c: char| c.is_ascii_digit());
    let short = words.len() <= MAX_WORDS && !has(MORE) && !words.iter().any(is_number);
    short && ((has(REST) && stays) || (opens && ends) || begins(SPARES))
}

fn keeps_in_chinese(text: &str) -> bool {
    let said = text.trim().trim_end_matches(|c: char| !c.is_alphanumeric());
    let is_rest = said.contains("除此");
    let mut said = said;
    while let Some(rest) = HAN_LEADS.iter().find_map(|lead| said.strip_prefix(lead)) {
        said = rest;
    }
    let has = |words: &[&str]| words.iter().any(|word| said.contains(word));
    let opens = |words: &[&str]| words.iter().any(|word| said.starts_with(word));
    let ends = HAN_ENDS.iter().any(|word| said.ends_with(word));
    let last = |words: &[&str]| words.iter().any(|word| said.ends_with(word));
    let stays = has(HAN_STAYS) || last(HAN_OPENS) || (opens(HAN_OPENS) && last(HAN_PARTS));
    let asks = has(HAN_MORE) || said.contains(|c: char| c.is_ascii_digit());
    let short = said.chars().count() <= MAX_HAN && !asks;
    let is_rest = is_rest || has(HAN_REST);
    short
        && ((is_rest && stays) || (opens(HAN_OPENS) && ends) || opens(HAN_OLD) || opens(HAN_SPARES))
}

#[cfg(test)]
mod tests {
    use super::{only_asks, only_keeps};

    #[test]
    fn who_only_asks_wants_no_change() {
        for text in [
            "Why is a worked example needed?",
            "什么是导出任务？",
            "How long does W-1 take?",
            "Why so many tests?",
            "Why a job?",
        ] {
            assert!(only_asks(text), "{text}");
        }
        for text in [
            "Why is it not XLSX?",
            "Could we use XLSX?",
            "Why is that.",
            "为什么不用 XLSX？",
        ] {
            assert!(!only_asks(text), "{text}");
        }
    }

    #[test]
    fn only_what_asks_for_no_change_is_kept() {
        for text in [
            "keep everything else.",
            "Please leave the rest as it is",
            "Everything else stays the same",
            "The rest is fine.",
            "Do not change anything else",
            "Leave the import alone",
            "Keep the date filter as it is.",
            "其余保持不变",
            "其他不变。",
            "请保留现有的导入功能",
            "其它部分照旧",
            "保持登录流程不变",
            "No other changes",
            "Nothing else changes.",
            "The rest stays",
            "The rest remains unchanged",
            "其他的都保留",
            "除此之外保持不变",
            "保持其他功能",
            "LGTM, thanks!",
            "Looks good to me.",
            "Nothing to change.",
            "没问题，就这样",
            "Looks great, thank you!",
            "I really like this plan.",
            "Great work, everybody",
            "写得不错，谢谢",
            "这份计划很清楚，辛苦了",
            "Do not touch the cropping.",
            "Don't change the login",
            "不要动优惠券的限用次数。",
            "I like the rest.",
            "其余部分我很满意。",
        ] {
            assert!(only_keeps(text), "{text}");
        }
        for text in [
            "Keep the logs for 30 days",
            "Looks good, but add XLSX",
            "A clear header line",
            "I would like XLSX",
            "Good error messages",
            "我们很喜欢表格",
            "可以导出",
            "Keep the draft until it is sent",
            "Leave out the CSV part",
            "Keep everything else but add a JSON output",
            "Let everything else be written as JSON",
            "Also add a JSON output",
            "日志保留 30 天",
            "保留 30 天日志",
            "其他用户也可以导出",
            "Other users can also export their orders",
            "The rest of the team gets read access",
            "The others stay signed in for a week",
            "Change all other exports to JSON",
            "Keep all other logs for 30 days",
            "其他用户也能导出",
            "其他日志保留 30 天",
            "其他设备保持在线",
            "保留其他用户的数据半年",
            "其余改成 JSON",
            "去掉 CSV 部分",
            "Do not change the price without a reason",
            "不要改成 CSV",
        ] {
            assert!(!only_keeps(text), "{text}");
        }
    }
}
