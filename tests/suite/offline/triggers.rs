//! Words that say nothing of a subject call no topic up, and no rule either.

use super::checklists::parsed;
use super::*;

/// Everyday words of which none is a subject of a checklist, whatever ending it has.
const ENGLISH_WORDS: &str = include_str!("common_words.txt");

/// The same in Chinese, as they stand in requirements.
const CHINESE_WORDS: &[&str] = &[
    "其他用户",
    "他们的东西",
    "剩下的部分",
    "然后再说",
    "这个东西",
    "一个例子",
    "用户可以看到",
    "同时支持",
    "优化文案",
    "发布动态",
    "发布笔记",
    "生产流水线",
    "读取环境变量",
    "检测温度",
    "注册表项",
    "终端用户",
    "视频监控",
    "硬件接口",
    "串行接口",
    "竞争对手",
    "商品上线",
    "角色扮演",
    "物流追踪",
    "生命周期",
    "按时间先后",
    "第一个",
    "最后一步",
    "名字和编号",
    "备注",
    "笔记",
    "书籍",
    "书",
    "课程",
    "老师和学生",
];

#[test]
fn no_common_word_calls_a_topic_up() {
    for lang in [Lang::En, Lang::Zh] {
        let lists = parsed(lang);
        let words = ENGLISH_WORDS.split_whitespace();
        for word in words.chain(CHINESE_WORDS.iter().copied()) {
            let text = Matcher::new(word);
            let mut called = lists.iter().filter(|list| list.called_by(&text) > 0);
            let topic = called.next().map(|list| list.topic.as_str());
            assert_eq!(topic, None, "{word}");
        }
    }
}

/// Rules of feedback and of needs are picked by words, too: a note is no "not".
#[test]
fn no_common_word_picks_a_rule_by_its_stem() {
    let lists = parsed(Lang::En);
    let texts: Vec<Matcher> = ENGLISH_WORDS.split_whitespace().map(Matcher::new).collect();
    let words: Vec<&str> = ENGLISH_WORDS.split_whitespace().collect();
    for list in &lists {
        let product = list.product.iter().flat_map(|item| &item.words);
        let design = list.design.iter();
        let design =
            design.flat_map(|item| item.words.iter().chain(&item.asked).chain(&item.unless));
        let asks = list
            .asks
            .iter()
            .flat_map(|ask| ask.words.iter().chain(&ask.unless));
        for wanted in product.chain(design).chain(asks) {
            // Its own singular is no other word.
            let first = wanted.trim_start_matches('^');
            let mut hits = texts
                .iter()
                .zip(&words)
                .filter(|(text, _)| text.has(wanted));
            let other =
                hits.find(|(_, word)| first != **word && first.strip_suffix('s') != Some(word));
            assert_eq!(
                other.map(|(_, word)| word),
                None,
                "{}: {wanted}",
                list.topic
            );
        }
    }
}

#[test]
fn a_word_keeps_the_ending_without_which_it_is_another() {
    let same = |one: &str, other: &str| Matcher::new(one).has(other);
    for (one, other) in [
        ("them", "theme"),
        ("note", "not"),
        ("noted", "not"),
        ("here", "her"),
        ("strip", "stripe"),
        ("a book", "booking"),
        ("rolled", "role"),
        ("filled", "file"),
        ("a second try", "seconds"),
    ] {
        assert!(!same(one, other), "{one} {other}");
    }
    for (one, other) in [
        ("themes", "theme"),
        ("noted", "note"),
        ("bookings", "booking"),
        ("strings", "string"),
        ("processing", "process"),
        ("passed", "pass"),
        ("cancelled", "cancel"),
        ("installed", "install"),
        ("stopped", "stop"),
        ("adding", "add"),
        ("speeds", "speed"),
        ("rolled", "roll"),
        ("cached", "caching"),
        ("deleted", "delete"),
    ] {
        assert!(same(one, other), "{one} {other}");
    }
}

/// A log that is kept in something is no sign-in, and whoever logs in still signs in.
#[test]
fn a_log_in_something_is_no_sign_in() {
    let lists = parsed(Lang::En);
    let list = lists.iter().find(|list| list.topic == "authentication");
    let called = |text: &str| list.unwrap().called_by(&Matcher::new(text)) > 0;
    for text in [
        "Write a structured JSON log in the daemon",
        "Keep an audit log in its own table",
        "Show the error log in the dashboard",
    ] {
        assert!(!called(text), "{text}");
    }
    for text in [
        "Customers log in by phone",
        "Let users log in the usual way",
    ] {
        assert!(called(text), "{text}");
    }
}

/// What tells at a glance that a trigger is absent must not miss one that is there.
#[test]
fn every_trigger_is_found_in_a_text_that_holds_it() {
    for (key, text) in checklists(Lang::En) {
        if key.ends_with("phrases.yaml") || key.ends_with("media.yaml") {
            continue;
        }
        for trigger in parse_checklist(&key, &text).unwrap().triggers {
            let said = trigger.trim_start_matches('^').replace('…', " ");
            let said = said.replace('#', "2");
            assert!(Matcher::new(&said).has(&trigger), "{key}: {trigger}");
            let shouted = format!("{} today", said.to_uppercase());
            assert!(Matcher::new(&shouted).has(&trigger), "{key}: {trigger}");
        }
    }
}

/// What only sounds like a topic calls it up as little as what is asked for without its usual
/// words fails to.
#[test]
fn topics_are_told_by_what_is_meant() {
    let lists = parsed(Lang::En);
    for (text, topic, called) in [
        (
            "Engineers fill in forms where there is no reception",
            "offline-use",
            true,
        ),
        (
            "A page shows which devices are broken or offline",
            "offline-use",
            false,
        ),
        ("超过 48 小时未处理自动升级给经理", "deployment", false),
        ("客户端支持自动升级", "deployment", true),
        ("第三方脚本延后加载", "api", false),
        ("对接第三方物流", "api", true),
        ("网页加载慢，首屏要 6 秒", "performance", true),
        ("The guest gets a text message", "notifications", true),
    ] {
        let list = lists.iter().find(|list| list.topic == topic).unwrap();
        let is_called = list.called_by(&Matcher::new(text)) > 0;
        assert_eq!(is_called, called, "{topic}: {text}");
    }
}
