//! Nothing in an answer is lost: what the rules remove is still in the transcript.

use std::collections::BTreeSet;

use aitc::machine::Lang;

use crate::played::play;

/// An answer with too much in every part: duplicates, unknown ids, and more than one turn may
/// contain; each of its words begins with `of`.
fn overfull(of: &str, coach: &str) -> String {
    let question = |n: &str| {
        format!(
            r#"{{"question": "{of}question{n}", "why": "{of}why{n}", "blocks": "I-99",
            "options": ["{of}option{n}"], "recommended": "{of}recommended{n}"}}"#
        )
    };
    let issue = |n: usize| {
        format!(
            r#"{{"key": "{of}title{n}", "title": "{of}title{n}", "detail": "{of}detail{n}",
            "severity": "minor"}}"#
        )
    };
    let position = |issue: &str, n: &str| {
        format!(
            r#"{{"issue": "{issue}", "stance": "agree", "proposal": "{of}text{n}",
            "why": "{of}reason{n}"}}"#
        )
    };
    let issues = (0..14)
        .map(issue)
        .chain([issue(0).replace("detail0", "again")]);
    let questions = ["0", "1", "2", "3", "4"].map(question);
    let again = question("9").replace("question9", "question0");
    let on = ["I-1", "I-1", "I-55", "END", "END"]
        .iter()
        .zip(["a", "b", "c", "d", "e"]);
    let positions = on.map(|(id, n)| position(id, n));
    let long = "long ".repeat(40);
    format!(
        r#"{{"analysis": "{of}analysis", "corrections": [], "questions": [{}, {again}],
        "new_issues": [{}, {{"key": "long", "title": "{long}\n{of}second-line",
        "detail": "", "severity": "blocking"}}], "positions": [{}],
        "coach": {{"fates": [{{"issue": "{of}fate", "fate": "open"}}],
        "reminders": [{{"member": "{of}who", "text": "{of}what"}}],
        "relays": [{{"question": "Q-77", "answer": "{of}answer", "cites": "{of}place"}}{coach}}}}}"#,
        questions.join(", "),
        issues.collect::<Vec<_>>().join(", "),
        positions.collect::<Vec<_>>().join(", "),
    )
}

/// Two answers to a question, neither from a place that is there.
const TWICE: &str = r#", {"question": "Q-4", "answer": "rrfirst", "cites": "rrnowhere"},
    {"question": "Q-4", "answer": "rrsecond", "cites": "rrnowhere"}]"#;

/// In a debate the coach opens, sums up and rules, and in a vote a member casts a ballot; anything
/// else in these answers is recorded and noted, an incomplete ruling too.
#[test]
fn what_the_rules_leave_out_of_an_answer_is_in_the_transcript() {
    let ruling = |of: &str, why: &str| {
        format!(
            r#"], "ruling": {{"decision": "adopt", "rationale": "{why}",
            "conclusion": "{of}conclusion"}}"#
        )
    };
    let (rules, opens) = (ruling("uu", "uurationale"), ruling("oo", ""));
    for (script, said) in [
        (
            &[
                &["set questions = ask"][..],
                &["answer command As you like."; 12],
            ]
            .concat()[..],
            &[
                ("judgment", "jj", "]"),
                ("PP r1", "ss", "]"),
                ("Q-4 relay", "rr", TWICE),
                ("follow_up a1", "ff", "]"),
                ("summary r1", "mm", "]"),
            ][..],
        ),
        (
            &["divided", "before SD r2: /vote"][..],
            &[
                ("D-1 debate_opening", "oo", &opens),
                ("D-1 argument PP t1", "aa", "]"),
                ("D-1 debate_summary t1", "mm", "]"),
                ("D-1 ruling", "uu", &rules),
                ("vote PP", "vv", "]"),
            ],
        ),
    ] {
        let answers = said
            .iter()
            .map(|(call, of, coach)| (call, of, overfull(of, coach)));
        let answers: Vec<_> = answers.collect();
        let lines = answers
            .iter()
            .map(|(call, _, text)| format!("{call}: \"{text}\""));
        let lines: Vec<String> = lines.collect();
        let meeting = play(
            script
                .iter()
                .copied()
                .chain(lines.iter().map(String::as_str)),
        );
        assert!(!meeting.unused.iter().any(|line| lines.contains(line)));
        let transcript = meeting
            .entries
            .iter()
            .map(|one| serde_json::to_string(one).unwrap());
        let transcript: String = transcript.collect();
        for (call, of, text) in answers {
            let words = text.split(|c: char| !c.is_alphanumeric() && c != '-');
            let words: BTreeSet<&str> = words.filter(|word| word.starts_with(of)).collect();
            assert!(words.len() > 30, "{call}: {words:?}");
            let lost = words.iter().filter(|word| !transcript.contains(**word));
            let lost: Vec<_> = lost.collect();
            assert!(lost.is_empty(), "{call} lost {lost:?}");
        }
        let told = meeting.shown_in(Lang::En);
        for part in [
            "(coach.ruling): a ruling needs its reason and its text",
            "(coach): the coach opens a debate, sums it up and rules",
            "a vote takes in one stance on `END` and why",
        ] {
            assert_eq!(told.contains(part), script[0] == "divided", "{told}");
        }
    }
}
