//! What is sent again and what is new: order and size of prompts.

use super::*;

/// Quarters of a token: four ASCII characters or one of any other script make one.
fn quarters(text: &str) -> usize {
    text.chars().map(|c| if c.is_ascii() { 1 } else { 4 }).sum()
}

/// Share of the prompts' tokens that is a prefix of an earlier prompt, in blocks of 64.
fn known_share(prompts: &[String]) -> f64 {
    const BLOCK: usize = 64 * 4;
    let (mut known, mut all) = (0, 0);
    for (k, prompt) in prompts.iter().enumerate() {
        let common = |earlier: &String| {
            let length = earlier
                .chars()
                .zip(prompt.chars())
                .take_while(|(a, b)| a == b);
            quarters(&length.map(|(a, _)| a).collect::<String>())
        };
        let longest = prompts[..k].iter().map(common).max().unwrap_or(0);
        known += longest / BLOCK * BLOCK;
        all += quarters(prompt);
    }
    known as f64 / all as f64
}

#[test]
fn most_of_what_is_sent_was_sent_before() {
    for lang in BOTH {
        let run = finished(lang);
        assert_eq!(run.state.round, 3);
        let discussion: Vec<String> = run
            .requests
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

/// Documents and report each have a schema of their own, which counts as the first part
/// of a prompt: where an endpoint takes it so, nothing is known; where it stands apart,
/// as in JSON mode, rules, requirement, draft and earlier documents are.
#[test]
fn documents_share_what_stands_before_them_less_their_schemas() {
    for lang in BOTH {
        let run = finished(lang);
        let closing = |request: &&ChatRequest| request.call.purpose.is_closing();
        let after = run.requests.iter().filter(closing);
        let with: Vec<String> = after.clone().map(whole).collect();
        let schema_of = |request: &ChatRequest| request.schema.schema.to_string().len();
        let without: Vec<String> = after.map(|r| whole(r).split_off(schema_of(r))).collect();
        assert_eq!(with.len(), 6);
        let shares = [&with, &without].map(|prompts| known_share(prompts));
        println!(
            "{lang:?}: {:.1} % in {} documents with their schemas, {:.1} % without",
            shares[0] * 100.0,
            with.len(),
            shares[1] * 100.0,
        );
        assert!(shares[1] >= 0.60, "{lang:?}: {shares:?}");
    }
}

#[test]
fn the_discussion_and_the_documents_share_one_beginning() {
    for lang in BOTH {
        let run = finished(lang);
        let schema_of = |request: &ChatRequest| request.schema.schema.to_string().len();
        let all: Vec<String> = run
            .requests
            .iter()
            .map(|request| whole(request).split_off(schema_of(request)))
            .collect();
        let share = known_share(&all);
        println!(
            "{lang:?}: {:.1} % in all {} calls without their schemas",
            share * 100.0,
            all.len()
        );
        assert!(share >= 0.70, "{lang:?}: {share}");
    }
}

#[test]
fn a_prompt_of_a_round_is_the_one_before_and_more() {
    for lang in BOTH {
        let run = finished(lang);
        for round in 1..=3 {
            let mut calls = run.of(Purpose::Speech, round);
            calls.extend(run.of(Purpose::Summary, round));
            assert_eq!(calls.len(), 6);
            for pair in calls.windows(2) {
                let (before, after) = (&pair[0], &pair[1]);
                // The summary's own task stands where a turn line stood: the speeches before it count.
                assert!(
                    whole(after).starts_with(&whole(before)),
                    "{lang:?}: {} does not extend {}",
                    after.call,
                    before.call
                );
            }
            let side = [Purpose::Relay, Purpose::FollowUp];
            for request in side.into_iter().flat_map(|purpose| run.of(purpose, round)) {
                let own = &request.messages[..request.messages.len() - 1];
                let speech = calls.iter().find(|r| r.call.turn == 2).unwrap();
                assert_eq!(own[..speech.messages.len()], speech.messages[..]);
            }
        }
    }
}

#[test]
fn size_follows_the_draft_and_not_the_rounds() {
    // Everybody objects for ever: the draft stays, only rounds go by.
    let script = |state: &State, call: &CallId| {
        let mut said = three_rounds(state, call);
        for position in &mut said.positions {
            position.stance = Stance::Object;
        }
        said.questions.clear();
        if let Some(coach) = &mut said.coach {
            coach.fates.iter_mut().for_each(|f| f.fate = FateKind::Open);
        }
        said
    };
    let mut run = Run::new(inputs(Lang::En), requirement(Lang::En), None, "");
    while run.state.round < 21 && run.step(&script) {}
    for turn in 0..5 {
        let size = |round| estimate_tokens(run.of(Purpose::Speech, round)[turn]) as f64;
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
