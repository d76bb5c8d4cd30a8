//! The lists: equal in both languages, whole, and mended by who uses them.

use super::*;

pub fn parsed(lang: Lang) -> Vec<Checklist> {
    checklists(lang)
        .iter()
        .filter(|(key, _)| {
            !["checklists/phrases.yaml", "checklists/media.yaml"].contains(&key.as_str())
        })
        .map(|(key, text)| {
            let list = parse_checklist(key, text).unwrap();
            assert_eq!(*key, format!("checklists/{}.yaml", list.topic));
            list
        })
        .collect()
}

/// What must be the same in every language: all that is no text for people.
fn skeleton(list: &Checklist) -> String {
    let mut lines = vec![
        list.topic.clone(),
        list.triggers.join(","),
        list.not.join(","),
    ];
    lines.extend(list.product.iter().map(|i| {
        format!(
            "p {} {:?} {:?} {:?} {:?} {:?} {:?}",
            i.key, i.words, i.not, i.asked, i.unless, i.media, i.level
        )
    }));
    lines.extend(list.design.iter().map(|i| {
        let file = i.module.as_ref().and_then(|m| m.file.clone());
        format!(
            "d {} {:?} {:?} {:?} {:?} {:?} {} {file:?}",
            i.key,
            i.words,
            i.not,
            i.asked,
            i.unless,
            i.media,
            i.rejected.len()
        )
    }));
    lines.extend(
        list.work
            .iter()
            .map(|i| format!("w {} {:?} {:?} {}", i.key, i.media, i.size, i.stage)),
    );
    lines.extend(
        list.tests
            .iter()
            .map(|i| format!("t {} {:?} {:?}", i.key, i.media, i.level)),
    );
    lines.extend(
        list.risks
            .iter()
            .map(|i| format!("r {} {:?} {:?} {:?}", i.key, i.media, i.chance, i.impact)),
    );
    lines.extend(list.asks.iter().map(|i| {
        format!(
            "a {} {:?} {:?} {:?} {}",
            i.key,
            i.by,
            i.words,
            i.unless,
            i.options.len()
        )
    }));
    lines.extend(
        list.conflicts
            .iter()
            .chain(&list.weak_spots)
            .map(|i| format!("c {} {:?} {:?}", i.mine, i.with, i.objector)),
    );
    lines.extend(list.later.iter().map(|i| format!("l {} {:?}", i.key, i.by)));
    lines.push(format!(
        "{} {}",
        list.non_goals.len(),
        list.dependencies.len()
    ));
    lines.join("\n")
}

#[test]
fn both_languages_have_the_same_topics_and_keys() {
    let (en, zh) = (parsed(Lang::En), parsed(Lang::Zh));
    assert!(en.len() > 20);
    assert_eq!(en.len(), zh.len());
    for (en, zh) in en.iter().zip(&zh) {
        assert_eq!(skeleton(en), skeleton(zh));
    }
}

#[test]
fn conflicts_name_items_that_exist_and_recommended_answers_are_options() {
    let lists = parsed(Lang::En);
    let has = |list: &Checklist, key: &str| {
        list.product.iter().any(|i| i.key == key) || list.design.iter().any(|i| i.key == key)
    };
    for list in lists.iter().chain(&parsed(Lang::Zh)) {
        for conflict in &list.conflicts {
            let (topic, key) = conflict.other_side().unwrap();
            assert!(
                has(list, &conflict.mine),
                "{} {}",
                list.topic,
                conflict.mine
            );
            assert!(
                lists
                    .iter()
                    .any(|other| other.topic == topic && has(other, key)),
                "{topic}/{key}"
            );
        }
        for spot in &list.weak_spots {
            assert_eq!(spot.with, None, "{} {}", list.topic, spot.mine);
            let mut items = list.product.iter();
            assert!(items.any(|item| item.key == spot.mine), "{}", spot.mine);
        }
        assert!(
            list.asks
                .iter()
                .all(|ask| ask.options.contains(&ask.recommended))
        );
        assert!(list.asks.iter().all(|ask| ask.settles.contains("{answer}")));
    }
}

/// The kind of product is told by the same signs whatever the language, and each sign of
/// one kind only.
#[test]
fn the_signs_of_a_kind_of_product_are_alike_in_both_languages() {
    let media = |lang| {
        let text = checklists(lang).remove("checklists/media.yaml").unwrap();
        parse_media("checklists/media.yaml", &text).unwrap()
    };
    let media = [Lang::En, Lang::Zh].map(media);
    assert_eq!(media[0], media[1]);
    let [Media { tool, service }, _] = media;
    let both = |one: &[String], other: &[String]| one.iter().find(|it| other.contains(it)).cloned();
    assert_eq!(both(&tool.words, &service.words), None);
    assert_eq!(both(&tool.places, &service.places), None);
    for lang in [Lang::En, Lang::Zh] {
        let of_a_kind = parsed(lang).into_iter().map(|list| {
            let all = list.product.len() + list.design.len() + list.work.len();
            let kinds = [Medium::Tool, Medium::Service]
                .map(|medium| list.clone().of(medium, &Matcher::new("")));
            kinds.map(|list| all - list.product.len() - list.design.len() - list.work.len())
        });
        let left_out = of_a_kind.fold([0, 0], |sum, one| [sum[0] + one[0], sum[1] + one[1]]);
        assert!(left_out.iter().all(|n| *n > 3), "{left_out:?}");
    }
}

#[test]
fn phrases_keep_their_places_in_every_language() {
    let places = |lang: Lang| -> BTreeMap<String, BTreeSet<String>> {
        let text = checklists(lang).remove("checklists/phrases.yaml").unwrap();
        parse_phrases("checklists/phrases.yaml", &text).unwrap();
        text.lines()
            .filter(|line| !line.starts_with('#'))
            .filter_map(|line| line.split_once(": "))
            .map(|(key, value)| {
                let names = value
                    .split('{')
                    .skip(1)
                    .filter_map(|rest| rest.split_once('}'))
                    .map(|(name, _)| name.to_owned())
                    // Which form of a word a figure takes is a matter of the language.
                    .filter(|name| !name.contains(':'));
                (key.to_owned(), names.collect())
            })
            .collect()
    };
    assert_eq!(places(Lang::En), places(Lang::Zh));
}

#[test]
fn a_broken_override_is_named_with_its_line() {
    let mut inputs = offline_inputs(Lang::En);
    inputs.templates.insert(
        "checklists/search.yaml".to_owned(),
        "topic: search\ntitle: [\n".to_owned(),
    );
    let mut meeting = Meeting::open(ENGLISH, inputs);
    meeting.record(Event::KnowledgeSearch { survey: survey() });
    let call = meeting.until(Purpose::Judgment, &mut |_, _| unreachable!());
    let error = answer(&meeting.state, &call).unwrap_err().to_string();
    assert!(
        error.contains("checklists/search.yaml") && error.contains("line"),
        "{error}"
    );
}

/// A list whose subject is not spoken of asks for what nobody needs, and promises it.
#[test]
fn a_topic_is_called_up_by_its_subject_and_not_by_a_word_of_another() {
    // What is called up by each text, and nothing else.
    let cases: &[(&str, &[&str])] = &[
        ("Users must log in with OAuth", &["authentication"]),
        ("Members stay logged in for a week", &["authentication"]),
        (
            "Log every failed sign in",
            &["authentication", "observability"],
        ),
        ("Write an audit log of all changes", &["observability"]),
        ("Show sales on a dashboard", &[]),
        ("Add CSV export of invoices", &["export-import"]),
        ("Rename the internal module billing to invoicing", &[]),
        ("Send the billing address to the printer", &[]),
        ("Customers pay by credit card", &["payments"]),
        ("Refund an order within 14 days", &["payments"]),
        ("Sarah is in charge of the list", &[]),
        ("Show the price of each item", &[]),
        (
            "Let readers manage their newsletter subscription",
            &["notifications"],
        ),
        ("Copy the files from the local disk", &[]),
        ("Link accounts by email", &[]),
        ("Keep the rest as it is", &[]),
        ("Offer a REST API for orders", &["api"]),
        ("Run an integration test of the importer", &["testing"]),
        ("Publish a press release", &[]),
        ("Release the feature behind a feature flag", &["deployment"]),
        ("Add a flag --json to the command line", &["cli"]),
        ("Draw the flow on the payment terminal", &["payments"]),
        ("Show the job title of each person", &[]),
        ("Run the clean-up as a nightly job", &["jobs"]),
        ("Set a background image", &[]),
        ("Choose the programming language of a snippet", &[]),
        (
            "Translate the labels into French",
            &["internationalization"],
        ),
        ("Find and replace in notes", &[]),
        (
            "Migrate the database table without downtime",
            &["data", "deployment", "migration"],
        ),
        ("Move to the next photo by a swipe", &[]),
        ("Upgrade to PostgreSQL 17", &["migration"]),
        ("Show the email address of a contact", &["privacy"]),
        ("Email the file to the user", &["notifications"]),
        ("A git push starts nothing", &[]),
        ("The list is slow with a million rows", &["performance"]),
        ("Make the button large", &["ui"]),
        ("Add a health check", &[]),
        ("It is a sort of notebook", &[]),
        ("Sort the list by name", &["search"]),
        ("The image quality is poor", &[]),
        ("Fill in a form", &["ui"]),
        ("Answers take the form of a list", &[]),
        ("用户用 OAuth 登录", &["authentication"]),
        ("导出发票为 CSV", &["export-import"]),
        ("把内部模块“账单”改名", &[]),
        ("用户可以用微信支付付款", &["payments"]),
        ("显示商品价格", &[]),
        ("管理对象的生命周期", &[]),
        ("每天凌晨清理过期文件", &["jobs"]),
        ("页面支持语言切换", &["internationalization", "ui"]),
        ("从旧系统迁移数据库", &["data", "migration"]),
        ("给终端用户看帮助", &[]),
        ("在终端里显示进度", &["cli"]),
        ("顾客在实体店取货", &[]),
        ("编辑发布文章", &[]),
        ("新版本灰度发布，可以回滚", &["deployment"]),
        ("在线文档可以多人查看", &[]),
        ("补充安装教程", &["documentation"]),
        ("Let the app work offline on the train", &["offline-use"]),
        ("Count the sales of our offline shop", &[]),
        ("断网时也能勾选", &["offline-use"]),
        ("Share the plan with others by link", &["sharing"]),
        ("Keep the counters in shared memory", &[]),
        ("邀请同事加入项目", &["sharing"]),
        ("Add a --count flag", &["cli"]),
        (
            "Run CI on every pull request and cache dependencies",
            &["testing"],
        ),
        ("按注册时间排列用户", &[]),
        ("Publish binaries on every tag", &["deployment"]),
        ("物流追踪", &[]),
        ("记录访问日志", &["observability"]),
        ("订单超时自动取消", &[]),
        ("列表加载太慢", &["performance"]),
        ("做一套心理测试题", &[]),
        ("分析竞争对手", &[]),
    ];
    for lang in [Lang::En, Lang::Zh] {
        let lists = parsed(lang);
        for (text, wanted) in cases {
            let text_of = Matcher::new(text);
            let called = lists.iter().filter(|list| list.called_by(&text_of) > 0);
            let topics: Vec<&str> = called.map(|list| list.topic.as_str()).collect();
            assert_eq!(topics, *wanted, "{text}");
        }
    }
}

/// What the requirement has settled one way is left out the other way, word for word.
#[test]
fn decisions_about_one_thing_rule_each_other_out() {
    for lang in [Lang::En, Lang::Zh] {
        for list in parsed(lang) {
            let many = |one: &DesignItem| {
                let same = |other: &&DesignItem| {
                    let shares = one.words.is_empty()
                        || other.words.is_empty()
                        || one.words.iter().any(|word| other.words.contains(word));
                    let kinds = one.media.is_empty()
                        || other.media.is_empty()
                        || one.media.iter().any(|kind| other.media.contains(kind));
                    other.key != one.key && other.title == one.title && shares && kinds
                };
                let others: Vec<DesignItem> = list.design.iter().filter(same).cloned().collect();
                others
            };
            for (one, other) in list
                .design
                .iter()
                .flat_map(|one| many(one).into_iter().map(move |other| (one, other)))
            {
                let rules_out = |a: &DesignItem, b: &DesignItem| {
                    !a.asked.is_empty() && a.asked.iter().all(|word| b.unless.contains(word))
                };
                assert!(
                    rules_out(one, &other) || rules_out(&other, one),
                    "{}: {} {}",
                    list.topic,
                    one.key,
                    other.key
                );
            }
        }
    }
}

/// All that a list may bring into a plan.
fn said(list: &Checklist) -> Vec<&str> {
    let mut all: Vec<&str> = Vec::new();
    for i in &list.product {
        all.extend([&*i.say, &*i.given, &*i.when, &*i.then]);
    }
    for i in &list.design {
        all.extend([&*i.title, &*i.say, &*i.why]);
        all.extend(i.rejected.iter().flat_map(|r| [&*r.option, &*r.why]));
        all.extend(i.module.iter().flat_map(|m| [&*m.name, &*m.purpose]));
    }
    for i in &list.work {
        all.extend([&*i.title, &*i.detail]);
    }
    for i in &list.tests {
        all.extend([&*i.title, &*i.steps, &*i.expected]);
    }
    for i in &list.risks {
        all.extend([&*i.title, &*i.mitigation, &*i.early_sign]);
    }
    for i in &list.asks {
        all.extend([&*i.question, &*i.why, &*i.settles]);
        all.extend(i.options.iter().map(String::as_str));
    }
    for i in list.conflicts.iter().chain(&list.weak_spots) {
        all.extend([&*i.because, &*i.compromise, &*i.accept]);
        all.extend([&*i.given, &*i.when, &*i.then]);
    }
    for i in &list.later {
        all.extend([&*i.title, &*i.detail, &*i.reason]);
    }
    all.extend(list.non_goals.iter().flat_map(|n| [&*n.text, &*n.why]));
    all
}

/// A command, a library or a device has no screens and answers no requests; a service is
/// told nothing of pipes, but where it is about a command.
#[test]
fn each_kind_of_product_is_told_of_what_it_has() {
    const SERVICE: &[&str] = &[
        " screen",
        " button",
        "endpoint",
        "browser",
        "cookie",
        "web page",
        "address bar",
        "the page opens",
        "HttpOnly",
        "staging",
        "EXPLAIN",
        "database",
        "webhook",
        "4xx",
        "429",
        "on call",
        "屏幕",
        "按钮",
        "端点",
        "浏览器",
        "数据库",
        "页面",
        "界面",
        "服务端",
        "值班",
        "Cookie",
        "每个请求",
        "慢查询",
    ];
    const TOOL: &[&str] = &[
        "stdout",
        "stderr",
        "exit code",
        "--json",
        "pointer",
        "lock file",
        "the board",
        "退出码",
        "标准输出",
    ];
    for lang in [Lang::En, Lang::Zh] {
        for list in parsed(lang) {
            // Payments are a service's; privacy names every store there may be.
            let of = |medium| list.clone().of(medium, &Matcher::new(""));
            if list.topic != "payments" {
                let tool = of(Medium::Tool);
                for text in said(&tool) {
                    let unfit = SERVICE.iter().find(|word| text.contains(*word));
                    assert_eq!(unfit, None, "{}: {text}", list.topic);
                }
            }
            if list.topic != "cli" {
                let service = of(Medium::Service);
                for text in said(&service) {
                    let unfit = TOOL.iter().find(|word| text.contains(*word));
                    assert_eq!(unfit, None, "{}: {text}", list.topic);
                }
            }
        }
    }
}

/// Whatever a list is called up for, it has something to say to either kind of product.
#[test]
fn every_list_speaks_to_every_kind_of_product() {
    for list in parsed(Lang::En) {
        for medium in [Medium::Tool, Medium::Service] {
            let part = list.clone().of(medium, &Matcher::new(""));
            assert!(!part.product.is_empty(), "{} {medium:?}", list.topic);
        }
    }
}

/// A run that was begun by a program that knew fewer turns of phrase goes on, in the words it
/// froze; what it did not know is said in the words of the one that goes on.
#[test]
fn a_run_with_the_phrases_of_an_earlier_program_goes_on() {
    for (lang, requirement) in [(Lang::En, ENGLISH), (Lang::Zh, CHINESE)] {
        let mut inputs = offline_inputs(lang);
        let key = "checklists/phrases.yaml";
        let text = inputs.templates.get(key).unwrap();
        let earlier: Vec<&str> = text
            .lines()
            .filter(|line| !line.starts_with("judgment:"))
            .collect();
        assert_eq!(earlier.len() + 1, text.lines().count());
        let earlier = earlier.join("\n") + "\n";
        inputs.templates.insert(key.to_owned(), earlier);
        let meeting = hold(requirement, inputs);
        assert_clean(&meeting);
    }
}
