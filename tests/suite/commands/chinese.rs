//! Chinese output contains no English except ids, names and text to type.

use super::listed;
use crate::support::binary::{Going, Place};
use crate::support::fake::{Fake, Reply, WorkshopScript, workshop};

/// Whether the word is the same in both languages: a name of a product, format, member, provider or
/// setting.
fn is_name(word: &str) -> bool {
    let lines = include_str!("chinese/names.txt").lines();
    let mut names = lines.filter(|line| !line.starts_with('#'));
    names.any(|line| line.split(' ').any(|name| name == word))
}

/// English words of a text, excluding code spans and command lines.
fn english(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for line in text.lines() {
        let prose: String = line.split('`').step_by(2).collect::<Vec<_>>().join(" ");
        let prose = without_commands(&prose);
        let is_part = |c: char| c.is_ascii_alphanumeric() || "_./:@=-<>[]|{}$\"'\\".contains(c);
        for word in prose.split(|c: char| !is_part(c)) {
            let word = word.trim_matches(|c: char| !c.is_ascii_alphanumeric());
            let is_word = word.len() > 1
                && word.chars().all(|c| c.is_ascii_alphabetic())
                && word.chars().skip(1).any(|c| c.is_ascii_lowercase());
            if is_word && !is_name(word) {
                found.push(word.to_owned());
            }
        }
    }
    found
}

/// Removes commands: from their first word to the next non-ASCII character.
fn without_commands(line: &str) -> String {
    let mut kept = String::new();
    let mut rest = line;
    let starts = ["aitc ", "git ", "export ", "chmod ", "--"];
    while let Some(at) = starts.iter().filter_map(|start| rest.find(start)).min() {
        kept.push_str(&rest[..at]);
        rest = &rest[at..];
        let end = rest.find(|c: char| !c.is_ascii()).unwrap_or(rest.len());
        rest = &rest[end..];
    }
    kept + rest
}

fn assert_chinese(what: &str, text: &str) {
    let left = english(text);
    assert!(left.is_empty(), "{what} says {left:?} in\n{text}");
}

#[test]
fn english_words_are_seen() {
    for (text, words) in [
        ("第 1 轮 round", vec![]),
        ("the 第 1 轮", vec!["the"]),
        ("请运行 aitc plan --now，然后 look", vec!["look"]),
        ("`nothing here` 没有 I-1 与 v2", vec![]),
    ] {
        assert_eq!(english(text), words, "{text}");
    }
}

/// Everything that is printed about a plan with Chinese content.
#[test]
fn no_command_says_anything_in_english() {
    let place = Place::new();
    let run = |line: &[&str]| {
        let mut command = place.command(line);
        command.env("AITC_LANG", "zh");
        Going::start(command).end()
    };
    let wish = "将客户列表导出为表格，只有管理员可以导出";
    let more = "每次导出都要记入日志";
    for line in [
        &["plan", wish, "--questions", "assume"][..],
        &["revise", "v1", more, "--questions", "assume"],
        &["plan", wish, "--questions", "pause"],
    ] {
        let ran = run(line);
        assert_chinese(&line.join(" "), &(ran.out + &ran.err));
    }
    for line in [
        "status v1",
        "status v3",
        "list",
        "show v1 round 1",
        "show v1 I-1",
        "questions v3",
        "questions v1 --all",
        "why AC-1 --of v1",
        "why I-1 --of v2",
        "diff v1 v2",
        "check v1 --strict",
        "verify v1 --out render-2",
        "verify v1",
        "verify v3",
        "verify v3 --repair",
        "answer --recommended --all",
        "export csv v1 --out work.csv",
        "export csv v1 --dry-run",
        "config set questions pause",
        "roles list",
        "roles check",
        "init --dry-run",
        "models",
        "doctor",
        "man --out pages",
    ] {
        let ran = run(&line.split(' ').collect::<Vec<_>>());
        assert!([0, 12].contains(&ran.code), "{line}: {ran:#?}");
        assert_chinese(line, &(ran.out + &ran.err));
    }
}

/// Errors in a model's replies are shown in the user's language, although the transcript stores
/// them in English.
#[test]
fn reasons_on_record_are_told_in_chinese() {
    let script = workshop(WorkshopScript::default());
    let fake = Fake::start(move |seen| match seen.key.as_str() {
        "speech/SystemDesigner/r1" => Reply::Text("nothing of the kind".to_owned()),
        "speech/TestPlanner/r1" if seen.times == 1 => Reply::Cut("{\"analysis\":".to_owned()),
        "summary/Coach/r1" if seen.times == 1 => Reply::Text("{\"analysis\":\"a\"}".to_owned()),
        _ => script(seen),
    });
    let place = Place::new();
    let line = [
        "plan",
        "Export the list",
        "--lang",
        "zh",
        "--doc-lang",
        "zh",
    ];
    let told = place.run_with(&fake, &line).err;
    for (label, reason) in [
        ("回复无法使用", "回复中没有 JSON 对象：没有 `{`"),
        ("调用失败", "数据流在结束前被切断"),
        ("本轮跳过", "没有 JSON 对象"),
        ("回复无法使用", "`coach` 为空：总结要说明每个未决议题的去向"),
    ] {
        // Long lines are wrapped, so join them before searching.
        let whole = told.replace("\n  ", "");
        let line = whole
            .lines()
            .find(|line| line.contains(label) && line.contains(reason));
        let line = line.unwrap_or_else(|| panic!("no {label}: {reason} in {told}"));
        assert_chinese(label, line);
    }
    let journal = place.text("v1/planning_transcript.jsonl");
    assert!(
        journal.contains("the reply holds no JSON object"),
        "{journal:.200}"
    );
    let report = place.text("v1/planning_report.md");
    let absent = report.lines().find(|line| line.contains("JSON"));
    assert!(
        absent.is_some_and(|line| line.contains("没有 JSON 对象")),
        "{report}"
    );
}

#[test]
fn help_is_in_chinese() {
    let place = Place::new();
    let run = |line: &[&str]| {
        let mut command = place.command(line);
        command.env("LANG", "zh_CN.UTF-8");
        Going::start(command).end().ends(0).out
    };
    let (mut all, mut topics) = (String::new(), listed(&run(&["help", "all"])));
    assert!(topics.len() > 25, "{topics:?}");
    topics.push("all".to_owned());
    topics.reverse();
    while let Some(topic) = topics.pop() {
        let line: Vec<&str> = std::iter::once("help").chain(topic.split(' ')).collect();
        let page = run(&line);
        // File extensions are not English words.
        let page_of_words = page.replace(".jsonl", "").replace(".ndjson", "");
        let page_of_words = page_of_words.replace(".markdown", "").replace(".txt", "");
        let lines = page_of_words.lines();
        let prose = lines.filter(|line| !line.starts_with("  "));
        assert_chinese(&topic, &prose.collect::<Vec<_>>().join("\n"));
        if topic == "all" {
            all.push_str(&page);
            continue;
        }
        let own = page.split("\n通用选项").next().unwrap();
        all.push_str(&format!("===== {topic}\n{own}\n"));
        let below = listed(&page).into_iter().rev();
        topics.extend(below.map(|name| format!("{topic} {name}")));
    }
    assert_eq!(run(&["--help"]), run(&["-h"]));
    assert_eq!(run(&["plan", "--help"]), run(&["help", "plan"]));
    insta::assert_snapshot!(all);
}
