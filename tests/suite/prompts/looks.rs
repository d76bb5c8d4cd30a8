//! Results of looks are in prompts once, in order, within their budget.

use aitc::machine::*;
use aitc::prompt::Prompter;
use aitc::reply::{Contribution, Look};

use super::{BOTH, inputs, whole};
use crate::support::meeting::*;
use crate::support::search::{claiming, reading, survey};
use crate::support::trial::{ran, trying};

/// SD looks at the same line twice, TP at that line and another; then SD makes a claim.
fn script() -> impl FnMut(&State, &CallId) -> String {
    let mut basics = agreeable(1);
    let wish = |looks: Vec<Look>| {
        text(&Contribution {
            looks,
            ..contribution("")
        })
    };
    move |state, call| {
        let answer = basics(state, call);
        match (call.purpose, call.turn, call.look) {
            (Purpose::Speech, 2, 0 | 1) => wish(vec![reading("src/a.rs", 7)]),
            (Purpose::Speech, 4, 0) => wish(vec![reading("src/a.rs", 7), reading("src/b.rs", 1)]),
            (Purpose::Speech, 2, _) => {
                let mut answer = spoken(&answer);
                answer.evidence = vec![claiming("Seven is there.", "src/a.rs")];
                text(&answer)
            }
            _ => answer,
        }
    }
}

/// The prompts of all speeches of round 1 and of the summary, by call.
fn prompts(lang: Lang, round_tokens: u64) -> Vec<(CallId, aitc::chat::ChatRequest)> {
    let mut inputs = inputs(lang);
    inputs.rules.grounding.round_tokens = round_tokens;
    let prompter = Prompter::new(&inputs).unwrap();
    let mut meeting = Meeting::open("two things", inputs);
    meeting.survey = survey();
    let mut script = script();
    let mut prompts = Vec::new();
    while meeting.state.stage != Stage::Closing {
        for action in next_actions(&meeting.state) {
            if let Action::Call(call) = action
                && matches!(call.purpose, Purpose::Speech | Purpose::Summary)
            {
                let request = prompter.request(&meeting.state, &call).unwrap();
                prompts.push((call, request));
            }
        }
        assert!(meeting.step(&mut script));
    }
    prompts
}

#[test]
fn what_was_seen_stands_before_later_speakers_and_the_prefix_holds() {
    for lang in BOTH {
        let prompts = prompts(lang, 16_000);
        for pair in prompts.windows(2) {
            let [before, after] = [&pair[0].1.messages, &pair[1].1.messages];
            // Everything except the task and what follows it.
            let same = before.iter().zip(after).take_while(|(a, b)| a == b).count();
            let tail = if pair[0].0.look > 0 { 2 } else { 1 };
            assert!(same >= before.len() - tail, "{} {}", pair[0].0, pair[1].0);
        }
        let of = |name: &str| {
            let found = prompts
                .iter()
                .find(|(call, _)| call.to_string().contains(name));
            whole(&found.unwrap().1)
        };
        let line = "    7  line 7 of src/a.rs";
        for name in [
            "SystemDesigner/r1/t2/l1",
            "SystemDesigner/r1/t2/l2",
            "SeniorDeveloper",
            "TestPlanner/r1/t4/l1",
            "summary",
        ] {
            assert_eq!(of(name).matches(line).count(), 1, "{name}");
        }
        assert!(!of("SystemDesigner/r1/t2/a1").contains(line));
        let again = match lang {
            Lang::En => "already shown above: src/a.rs:7",
            Lang::Zh => "上文已有：src/a.rs:7",
        };
        assert!(of("TestPlanner/r1/t4/l1").contains(again));
        assert!(of("TestPlanner/r1/t4/l1").contains("    1  line 1 of src/b.rs"));
        let claim = match lang {
            Lang::En => "- E-1: Seven is there. (src/a.rs:7: \"fn seven()\")",
            Lang::Zh => "- E-1：Seven is there.（src/a.rs:7：“fn seven()”）",
        };
        assert!(
            of("SeniorDeveloper").contains(claim),
            "{}",
            of("SeniorDeveloper")
        );
    }
}

#[test]
fn beyond_the_budget_of_a_round_places_are_named_only() {
    let prompts = prompts(Lang::En, 4);
    let last = whole(&prompts.last().unwrap().1);
    assert!(!last.contains("line 7 of src/a.rs"));
    assert!(
        last.contains("because no room is left: src/a.rs:7"),
        "{last}"
    );
}

/// The first speaker gets a fifth of the round's budget, so that the last one gets as much.
#[test]
fn who_speaks_late_has_its_share_of_what_a_round_shows() {
    let shown = |text: &str| {
        let parts = text.split("\n```found\n").skip(1);
        let parts = parts.map(|part| part.split("\n```").next().unwrap());
        let lines = |part: &str| part.lines().filter(|line| line.contains("  line ")).count();
        parts.map(lines).collect::<Vec<_>>()
    };
    let mut inputs = inputs(Lang::En);
    // Room for about half of the results.
    inputs.rules.grounding.round_tokens = 120;
    let prompter = Prompter::new(&inputs).unwrap();
    let mut meeting = Meeting::open("two things", inputs);
    meeting.survey = survey();
    let mut basics = agreeable(1);
    let mut last = None;
    meeting.run(&mut |state, call| {
        if call.purpose == Purpose::Summary {
            last.get_or_insert_with(|| prompter.request(state, call).unwrap());
        }
        if call.purpose != Purpose::Speech || call.look > 0 {
            return basics(state, call);
        }
        let mut wish = contribution("Not heeded.");
        let path = format!("{}.rs", call.member);
        wish.looks = (1..=6).map(|line| reading(&path, line)).collect();
        text(&wish)
    });
    let seen = shown(&whole(&last.unwrap()));
    let of_each: Vec<usize> = seen.chunks(6).map(|six| six.iter().sum()).collect();
    assert_eq!(of_each.len(), 5);
    assert!(of_each.iter().all(|n| (3..6).contains(n)), "{of_each:?}");
}

/// A failed trial is shown in full until one that builds on it succeeds, then by its command and its
/// end. A prompt depends on the state alone, not on what was rendered before.
#[test]
fn a_failed_trial_is_shown_in_brief_once_another_mended_it() {
    for lang in BOTH {
        let mut inputs = inputs(lang);
        inputs.trials = true;
        inputs.rules.first_round = FirstRound::Sequential;
        let prompter = Prompter::new(&inputs).unwrap();
        let mut meeting = Meeting::open("two things", inputs);
        meeting.survey = survey();
        let mut call = meeting.until(Purpose::Speech, &mut agreeable(1));
        let mut prompts = Vec::new();
        // The second prints nothing.
        for (code, base) in [(1, None), (2, Some("RUN-1")), (0, Some("RUN-2"))] {
            meeting.record(started(&call));
            let look = Look {
                base: base.map(str::to_owned),
                ..trying(&["sh", &format!("try-{code}.sh")])
            };
            let answer = text(&Contribution {
                looks: vec![look],
                ..contribution("")
            });
            let stop = aitc::chat::FinishReason::Stop;
            let mut wish = event_of(&meeting.state, receipt(&call), &answer, stop);
            let tree = Ok("a tree".to_owned());
            let due = trial::next(&meeting.state, &mut wish, &tree).unwrap();
            meeting.record(due.started);
            let ran = Ran {
                end: TrialEnd::Exited { code },
                head: match code {
                    2 => String::new(),
                    _ => format!("printed by {code}\n"),
                },
                ..ran(&due.job)
            };
            let at = (due.id, due.index);
            meeting.record(trial::with_ran(&meeting.state, wish, at, ran));
            call.look += 1;
            let prompt = whole(&prompter.request(&meeting.state, &call).unwrap());
            let anew = Prompter::new(&meeting.state.inputs).unwrap();
            assert_eq!(prompt, whole(&anew.request(&meeting.state, &call).unwrap()));
            prompts.push(prompt);
        }
        assert!(prompts[0].contains("printed by 1"), "{}", prompts[0]);
        assert!(prompts[1].contains("printed by 1"), "{}", prompts[1]);
        assert!(!prompts[2].contains("printed by 1"), "{}", prompts[2]);
        let told = match lang {
            Lang::En => {
                "after 1.5 s; its output is left out, because RUN-3 builds on it and succeeded"
            }
            Lang::Zh => "；输出略去，因为以它为基础的 RUN-3 成功了",
        };
        for part in ["try-1.sh", "printed by 0", told] {
            assert_eq!(
                prompts[2].matches(part).count(),
                1,
                "{part} in {}",
                prompts[2]
            );
        }
    }
}

#[test]
fn a_member_knows_before_it_looks_how_much_it_may_see() {
    for (lang, told) in [
        (Lang::En, "all looks of a turn together about 400 lines"),
        (Lang::Zh, "一次发言的所有查看合计约 400 行"),
    ] {
        let prompts = prompts(lang, 24_000);
        assert!(whole(&prompts[0].1).contains(told));
    }
}
