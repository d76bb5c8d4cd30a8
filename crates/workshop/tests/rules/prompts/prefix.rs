//! Order and size of prompts: how much is repeated and how much is new.

use super::*;
use workshop::prompt::{digest, estimate_tokens};
use workshop::role::RoleId;

use crate::support::amending::{amendment, found, reviewing, reworded};
use crate::support::meeting::{agreeable, contribution, spoken, text};
use crate::support::search::{reading, survey};

/// Size in quarters of a token: an ASCII character counts as one quarter, any other character as a
/// whole token.
fn quarters(text: &str) -> usize {
    text.chars().map(|c| if c.is_ascii() { 1 } else { 4 }).sum()
}

/// Length of the common prefix in bytes, at a character boundary.
fn alike(a: &str, b: &str) -> usize {
    // Compare blocks first: texts are long, and tests are not optimised.
    let blocks = a.as_bytes().chunks(512).zip(b.as_bytes().chunks(512));
    let same = 512 * blocks.take_while(|(a, b)| a == b).count();
    let mut back = (0..=same.min(a.len()).min(b.len())).rev();
    let from = back.find(|at| a.is_char_boundary(*at)).unwrap();
    let rest = a[from..].char_indices().zip(b[from..].chars());
    let end = rest.take_while(|((_, a), b)| a == b).last();
    from + end.map_or(0, |((at, a), _)| at + a.len_utf8())
}

/// Share of the prompts' tokens that is a prefix of an earlier prompt, in blocks of 64 tokens.
fn known_share(prompts: &[String]) -> f64 {
    const BLOCK: usize = 64 * 4;
    let (mut known, mut all) = (0, 0);
    for (k, prompt) in prompts.iter().enumerate() {
        let longest = prompts[..k].iter().map(|earlier| alike(prompt, earlier));
        let longest = quarters(&prompt[..longest.max().unwrap_or(0)]);
        known += longest / BLOCK * BLOCK;
        all += quarters(prompt);
    }
    known as f64 / all as f64
}

#[test]
fn most_of_what_is_sent_was_sent_before() {
    for lang in BOTH {
        let meeting = three_rounds(lang, &[]);
        assert_eq!(meeting.state.round, 3);
        let discussion: Vec<String> = moments::requests(&meeting, "all")
            .iter()
            .filter(|request| !request.call.purpose.is_closing())
            .map(whole)
            .collect();
        let share = known_share(&discussion);
        let tokens = |prompts: &[String]| prompts.iter().map(|p| quarters(p) / 4).sum::<usize>();
        println!(
            "{lang:?}: {:.1} % of {} tokens in {} discussion calls",
            share * 100.0,
            tokens(&discussion),
            discussion.len(),
        );
        assert!(share >= 0.70, "{lang:?}: {share}");
    }
}

/// A complete run of two rounds at an endpoint that counts the schema as the first part of a
/// prompt; the part that all calls share has 28,000 tokens.
#[test]
fn one_schema_for_all_calls_keeps_the_prefix_known() {
    for lang in BOTH {
        let shared = "The shop sells bicycles to people who ride them. ".repeat(28_000 / 12);
        let wanted = format!("wants {shared}");
        let meeting = three_rounds(lang, &[&wanted, "set limits.max_rounds = 2"]);
        let as_counted = |request: &ChatRequest| {
            let schema = request.schema.bounded.text();
            whole(request).replacen(&request.schema.schema.to_string(), schema, 1)
        };
        let sent = moments::requests(&meeting, "all");
        let prompts: Vec<String> = sent.iter().map(as_counted).collect();
        assert!(prompts.len() >= 18, "{}", prompts.len());
        let share = known_share(&prompts);
        println!(
            "{lang:?}: {:.1} % of {} calls, the schema first",
            share * 100.0,
            prompts.len()
        );
        assert!(share >= 0.85, "{lang:?}: {share}");
    }
}

/// New text of about this many tokens.
fn words(mark: &str, tokens: usize) -> String {
    let (mut text, mut left) = (String::new(), tokens * 4);
    for more in (0..).map(|n| format!("{mark} said {n} ")) {
        if left == 0 {
            break;
        }
        left = left.saturating_sub(quarters(&more));
        text.push_str(&more);
    }
    text
}

/// What is found by a look at a file of eighty lines.
fn eighty_lines(look: &Look) -> LookResult {
    let lines = (0..80).map(|n| words(&format!("{} {n}", look.what), 12));
    let found = Excerpt {
        path: look.what.clone(),
        from: 1,
        to: 80,
        text: lines.collect::<Vec<_>>().join("\n"),
    };
    LookResult {
        found: vec![found],
        ..LookResult::of(look.clone())
    }
}

/// The cost of a usual plan with map and review, in the second case with a look in every turn: two
/// rounds, and one finding that leads to an amendment. A cached token counts as a tenth.
#[test]
fn a_usual_plan_costs_what_is_promised() {
    for (looks, most) in [(0, 150_000), (1, 300_000)] {
        let mut inputs = states::inputs(Lang::En);
        inputs.roles = built_in(Lang::En);
        inputs.rules.limits.max_rounds = 2;
        inputs.questions = QuestionMode::Assume;
        inputs.model.provider = "openai".to_owned();
        inputs.rules.review = true;
        let prompter = Prompter::new(&inputs).unwrap();
        // Requirement, map and survey of a usual repository.
        let mut meeting = Meeting::open(&words("the shop", 9_000), inputs);
        meeting.looks = Some(Box::new(|looks, _| {
            looks.iter().map(eighty_lines).collect()
        }));
        meeting.survey = survey();
        let mut basics = agreeable(2);
        let mut script = |state: &State, call: &CallId| {
            let name = call.to_string();
            let may_look = matches!(call.purpose, Purpose::Speech | Purpose::Review);
            if call.look < looks && may_look {
                let path = format!("{}.md", name.replace('/', "-"));
                let look = Look {
                    to: Some(80),
                    ..reading(&path, 1)
                };
                return text(&Contribution {
                    looks: vec![look],
                    ..contribution("")
                });
            }
            match call.purpose {
                Purpose::Review if call.member == RoleId::from("TestPlanner") => {
                    reviewing(vec![found("W-1", true)])
                }
                Purpose::Document(_) if call.amends() => amendment(state, call, reworded, |_| true),
                Purpose::Speech | Purpose::Summary => {
                    let said = basics(state, call);
                    let mut said = spoken(&said);
                    said.analysis = words(&name, 700);
                    text(&said)
                }
                _ => basics(state, call),
            }
        };
        let (mut prompts, mut written) = (Vec::new(), 0);
        while meeting.state.stage != Stage::Published {
            for call in calls_due(&meeting.state) {
                let request = prompter.request(&meeting.state, &call).unwrap();
                let schema = request.schema.bounded.text();
                prompts.push(whole(&request).replacen(
                    &request.schema.schema.to_string(),
                    schema,
                    1,
                ));
                written += 1_000;
            }
            assert!(meeting.step(&mut script));
        }
        let tokens = prompts.iter().map(|p| quarters(p) / 4).sum::<usize>();
        let share = known_share(&prompts);
        let new = tokens as f64 * (1.0 - share * 0.9);
        let cost = new as usize + written;
        println!(
            "{looks} looks a turn: {} calls, {tokens} tokens, {:.1} % known, as {cost} new ones",
            prompts.len(),
            share * 100.0,
        );
        assert_eq!(meeting.state.round, 2, "{:?}", meeting.state.ending.stop);
        assert!(share >= 0.85, "{share}");
        assert!(cost <= most, "{cost}");
    }
}

#[test]
fn a_prompt_of_a_round_is_the_one_before_and_more() {
    for lang in BOTH {
        let sent = moments::requests(&three_rounds(lang, &[]), "all");
        for round in 1..=3 {
            let mut calls = of(&sent, Purpose::Speech, round);
            calls.extend(of(&sent, Purpose::Summary, round));
            assert_eq!(calls.len(), 6);
            for pair in calls.windows(2) {
                let (before, after) = (&pair[0], &pair[1]);
                // The summary's task replaces the turn line, and the speeches before it are
                // repeated unchanged.
                assert!(
                    whole(after).starts_with(&whole(before)),
                    "{lang:?}: {} does not extend {}",
                    after.call,
                    before.call
                );
            }
            let side = [Purpose::Relay, Purpose::FollowUp];
            for request in side
                .into_iter()
                .flat_map(|purpose| of(&sent, purpose, round))
            {
                let own = &request.messages[..request.messages.len() - 1];
                let speech = calls.iter().find(|r| r.call.turn == 2).unwrap();
                assert_eq!(own[..speech.messages.len()], speech.messages[..]);
            }
        }
    }
}

/// What was seen is added to a prompt before the line that says who speaks.
#[test]
fn a_prompt_after_a_look_goes_on_from_the_one_before() {
    let looks = [
        "files en",
        "survey",
        "SD l0: read a.rs 7",
        "SD l1: read a.rs 7",
        "TP l0: read a.rs 7; read b.rs 1",
    ];
    let mut sent = moments::requests(&play(looks), "r1");
    sent.retain(|request| !request.call.purpose.is_closing());
    assert_eq!(sent.len(), 9);
    for pair in sent.windows(2) {
        let [before, after] = [&pair[0].messages, &pair[1].messages];
        let same = before.iter().zip(after).take_while(|(a, b)| a == b).count();
        // All but the task and, after a look, the word that it was the last one.
        let tail = if pair[0].call.look > 0 { 2 } else { 1 };
        assert!(same >= before.len() - tail, "{}", pair[1].call);
    }
}

#[test]
fn a_prompt_after_a_reopening_goes_on_from_the_one_before() {
    let meeting = play([
        "files en",
        "agrees 2",
        "summary r1: I-1 settled PP; I-2 open",
        "before Dev r2: /reopen C-1 It forgets XLSX.",
    ]);
    let sent = moments::requests(&meeting, "speech r2");
    assert_eq!(sent.len(), 5);
    for pair in sent.windows(2) {
        // All but the line that says who speaks.
        let known = pair[0].messages.len() - 1;
        assert_eq!(pair[1].messages[..known], pair[0].messages[..known]);
    }
    // Another process sends the same.
    let anew = moments::requests(&meeting, "speech Dev r2");
    assert_eq!(anew, sent[2..3]);
}

/// The provider has cached the last prompt of the discussion, all but its task.
#[test]
fn a_writer_is_sent_first_what_the_last_summary_was_sent() {
    let sent = moments::requests(&play(["files en", "agrees 3"]), "all");
    let last = |purpose| {
        sent.iter()
            .rfind(|one| one.call.purpose == purpose)
            .unwrap()
    };
    let summary = &last(Purpose::Summary).messages;
    let writer = &last(Purpose::Document(DocumentKind::ProductPlan)).messages;
    let known = summary.len() - 1;
    assert_eq!(writer[..known], summary[..known]);
}

/// A rejected reply is added at the end.
#[test]
fn a_digest_changes_with_a_rejected_reply_and_not_by_itself() {
    let meeting = play(["files en", r#"judgment a1: "{"positions": []}""#]);
    let attempts = || moments::requests(&meeting, "judgment");
    let sent = attempts();
    let [first, second] = &sent[..] else {
        panic!("{} attempts", sent.len());
    };
    let known = first.messages.len();
    assert_eq!(second.messages[..known], first.messages[..]);
    assert_eq!(second.messages[known].role, ChatRole::Assistant);
    assert_ne!(digest(first), digest(second));
    assert_eq!(digest(first), digest(&attempts()[0]));
}

#[test]
fn size_follows_the_draft_and_not_the_rounds() {
    // Members object in every round, so the draft stays the same.
    let objects = "I-1 object; I-2 object; I-3 object; I-4 object; I-5 object";
    let words = "The export holds every filtered invoice, one row each, in UTF-8. ".repeat(20);
    let speech = format!("speech: says {words}; {objects}");
    let proposes = format!(
        "PP speech: says {words}; {}",
        objects.replace("object", "object =a text")
    );
    let more = [
        "set limits.max_rounds = 20",
        "summary r1: I-1 open",
        "summary r2: I-1 open",
        &speech,
        "SD r1: I-1 object",
        &proposes,
    ];
    let sent = moments::requests(&three_rounds(Lang::En, &more), "speech");
    for turn in 0..5 {
        let size = |round| estimate_tokens(of(&sent, Purpose::Speech, round)[turn]) as f64;
        let (early, late) = (size(5), size(20));
        println!(
            "turn {turn}: {early} tokens in round 5, {late} in round 20, {:.3} times as many",
            late / early
        );
        assert!(
            late <= early * 1.2,
            "turn {turn}: {early} tokens, then {late}"
        );
        assert!(early > 2_000.0, "the test measures something: {early}");
    }
}
