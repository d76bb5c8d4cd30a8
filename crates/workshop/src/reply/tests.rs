//! Answers that are malformed in the ways models really produce.
#![allow(clippy::unwrap_used, clippy::panic)]

use proptest::prelude::*;
use serde_json::{Value, json};

use super::{Contribution, Stance, read_contribution, repair::object};

const PLAIN: &str = r#"{"analysis":"Keep it.","positions":[{"issue":"I-1","stance":"agree","proposal":"Write a file.","why":"clear","changed_because":null}],"corrections":[],"questions":[],"new_issues":[],"coach":null}"#;

fn plain() -> Contribution {
    serde_json::from_str(PLAIN).unwrap()
}

/// The same answer with one piece of its text replaced.
fn with(from: &str, to: &str) -> String {
    let text = PLAIN.replacen(from, to, 1);
    assert_ne!(text, PLAIN, "{from}");
    text
}

#[test]
fn broken_answers_are_read_as_they_were_meant() {
    let inner = &PLAIN[1..PLAIN.len() - 1];
    let escaped = serde_json::to_string(PLAIN).unwrap();
    let cases = [
        format!("```json\n{PLAIN}\n```"),
        format!("```\n{PLAIN}\n```\n"),
        format!("````JSON5\n{PLAIN}\n````"),
        format!("~~~json\n{PLAIN}\n~~~"),
        format!("Here is my answer:\n\n{PLAIN}"),
        format!("{PLAIN}\n\nLet me know if you need more."),
        format!("Sure {{thing}}! {PLAIN} Done {{}}."),
        format!("\u{feff}{PLAIN}"),
        format!("[{PLAIN}]"),
        format!("{{\"answer\": {PLAIN}}}"),
        format!("{{\"name\": \"contribution\", \"arguments\": {PLAIN}}}"),
        format!("{{\"name\": \"contribution\", \"arguments\": {escaped}}}"),
        escaped.clone(),
        escaped[1..escaped.len() - 1].to_owned(),
        format!("<think>Hm, {{\"analysis\": \"no\"}}?</think>{PLAIN}"),
        format!("<thinking>\n{PLAIN}{PLAIN}\n</thinking>\n{PLAIN}"),
        format!("<reasoning>I weigh {{it}}</reasoning>\n```json\n{PLAIN}\n```"),
        format!("◁think▷ {{a}} ◁/think▷{PLAIN}"),
        format!("I think {{a}} and {{b}}.</think>\n{PLAIN}"),
        format!("<|channel|>final<|message|>{PLAIN}"),
        format!("{{{inner},}}"),
        format!("{{{inner},,}}"),
        format!("{{,{inner}}}"),
        format!("{{\u{200b}{inner}\u{200b}}}"),
        with("\"coach\":null", "\"coach\":None"),
        with("\"coach\":null", "\"coach\":undefined"),
        with("\"coach\":null", "\"coach\":NULL"),
        with("\"coach\":null", "\"coach\":null // nothing\n"),
        with("\"coach\":null", "\"coach\":null # nothing\n"),
        with("\"coach\":null", "/* members: */ \"coach\":null"),
        with(",\"coach\":null", ""),
        with("\"corrections\":[],\"questions\":[],", ""),
        with("\"questions\":[]", "\"questions\":null"),
        with("\"questions\":[]", "questions: []"),
        with("\"questions\":[]", "'questions': []"),
        with("\"questions\":[]", "“questions”：［］"),
        with("\"questions\":[],", "\"questions\":[]，"),
        with("\"analysis\"", "\"Analysis\""),
        with("\"new_issues\"", "\"newIssues\""),
        with("\"new_issues\"", "\"new-issues\""),
        with("\"changed_because\"", "\"changedBecause\""),
        with("\"changed_because\":null", "\"changed_because\":\"null\""),
        with("\"agree\"", "\" Agree \""),
        with("\"agree\"", "\"AGREE\""),
        with("\"Keep it.\"", "'Keep it.'"),
        with("\"Keep it.\"", "`Keep it.`"),
        with("\"Keep it.\"", "“Keep it.”"),
        with("\"Keep it.\"", "\"\"\"Keep it.\"\"\""),
        with("\"Keep it.\"", "'''Keep it.'''"),
        with("[{", "{").replace("}],", "},"),
        with("}],\"corrections\":[]", "},],\"corrections\":[]"),
        with("}],\"corrections\"", "}]\n\"corrections\""),
        with("\"Keep it.\",", "\"Keep it.\"\n"),
    ];
    for case in &cases {
        let read = read_contribution(case).unwrap_or_else(|error| panic!("{error}: {case}"));
        assert_eq!(read, plain(), "{case}");
    }
}

#[test]
fn what_stands_in_strings_stays_there() {
    let cases = [
        ("two\nlines", "two\nlines"),
        ("a\ttab", "a\ttab"),
        (r"C:\data \d+", r"C:\data \d+"),
        (r#"he said "no" and left"#, r#"he said "no" and left"#),
        (r#"he said "no", then left"#, r#"he said "no", then left"#),
        (
            r#"the "core", so to say, is it"#,
            r#"the "core", so to say, is it"#,
        ),
        ("it's 3，4：5", "it's 3，4：5"),
        ("// no comment # nor this", "// no comment # nor this"),
        ("</think> {x}", "</think> {x}"),
        ("``` fenced ```", "``` fenced ```"),
        ("“smart” quotes", "“smart” quotes"),
    ];
    for (written, meant) in cases {
        // The trailing comma forces the lenient parser.
        let text = format!("{{\"analysis\": \"{written}\", \"coach\": null,}}");
        let read = read_contribution(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
        assert_eq!(read.analysis, meant);
    }
}

#[test]
fn half_an_answer_is_none() {
    for case in [
        &PLAIN[..PLAIN.len() / 2],
        r#"{"analysis": "a", "positions": [{"issue": "I-1", ...}]}"#,
        r#"{"analysis": "a", "positions": [{"issue": "I-1", "stance": "perhaps", "why": ""}]}"#,
        "analysis: Keep it.\npositions: []",
        "I agree with everybody.",
        "<think>never ends {",
        "[1, 2, 3]",
        "null",
        "\"a string\"",
    ] {
        assert!(read_contribution(case).is_err(), "{case}");
    }
}

#[test]
fn a_word_for_nothing_is_no_proposal() {
    let text = PLAIN.replace("\"Write a file.\"", "\"None\"");
    let read = read_contribution(&text).unwrap();
    assert_eq!(read.positions[0].proposal, None);
    assert_eq!(read.positions[0].stance, Stance::Agree);
}

#[test]
fn a_list_of_lines_is_a_text_and_no_id() {
    let text = PLAIN.replace("\"Write a file.\"", "[\"Write a file.\", \"Sync it.\"]");
    let read = read_contribution(&text).unwrap();
    let proposal = read.positions[0].proposal.as_deref();
    assert_eq!(proposal, Some("Write a file.\nSync it."));
    let cites = |cites: &str| {
        read_contribution(&format!(
            r#"{{"analysis":"a","coach":{{"fates":[{{"issue":["I-1"],"fate":"settled","cites":{cites}}}]}}}}"#
        ))
    };
    let fates = cites(r#"["PP"]"#).unwrap().coach.unwrap().fates;
    let fate = (fates[0].issue.as_str(), fates[0].cites.as_deref());
    assert_eq!(fate, ("I-1", Some("PP")));
    assert_eq!(cites("[]").unwrap().coach.unwrap().fates[0].cites, None);
    for several in [r#"["PP","SD"]"#, r#"["PP",1]"#] {
        assert!(cites(several).is_err(), "{several}");
    }
}

/// A valid object that contains what looks like a closing thinking tag is kept whole.
#[test]
fn tags_inside_an_object_are_text() {
    let text = "```json\n{\"a\":\"</think>\",\"b\":{\"c\":1}}\n```";
    assert_eq!(
        object(text, &|_| false).unwrap(),
        json!({"a": "</think>", "b": {"c": 1}})
    );
}

fn any_json() -> impl Strategy<Value = Value> {
    let words = prop::sample::select(vec![
        "</think>", "<think>", "```", "{", "}", "\"", "'", "\\", ",", "“", "，", "\n", "//", "#",
        "null", "a", "你",
    ]);
    let text = prop::collection::vec(words, 0..6).prop_map(|parts| parts.concat());
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        text.clone().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 4, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(text.clone(), inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(256) })]

    #[test]
    fn valid_json_is_never_altered(value in any_json()) {
        let value = json!({"analysis": value});
        for text in [value.to_string(), format!("{value:#}"), format!("```json\n{value}\n```"), format!("So:\n{value:#}")] {
            prop_assert_eq!(object(&text, &|_| false).unwrap(), value.clone(), "{}", text);
        }
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in "[\\[\\]{}\"'`:,“”｛#/*\\\\ntfu0-9a-z\\s<>]{0,200}") {
        let _ = read_contribution(&text);
    }
}
