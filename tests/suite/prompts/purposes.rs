//! What the prompt of each kind of call contains.

use super::*;
use aitc::machine::{QuestionMode, Rule, StopReason};
use aitc::reply::{Correction, WriterNote};
use aitc::role::RoleSpec;

#[test]
fn both_languages_have_words_for_every_purpose() {
    for lang in BOTH {
        let first = finished(lang);
        let again = Previous::of(&first.state, "head");
        let mut second = Run::new(
            inputs(lang),
            requirement(lang),
            Some(again),
            "Drop the log.\nAdd XLSX.",
        );
        second.all(&|state, call| {
            let mut said = three_rounds(state, call);
            if call.purpose == Purpose::Judgment {
                said.new_issues.clear();
            }
            said
        });
        let purposes: std::collections::BTreeSet<Purpose> = first
            .requests
            .iter()
            .map(|request| request.call.purpose)
            .collect();
        assert_eq!(purposes.len(), 11, "{purposes:?}");
        for request in first.requests.iter().chain(&second.requests) {
            let text = whole(request);
            assert!(
                !text.contains("undefined") && !text.contains("{{"),
                "{}",
                request.call
            );
            assert_eq!(request.messages[0].role, ChatRole::System);
            assert_eq!(request.seed, Some(7));
        }
        let judgment = whole(second.of(Purpose::Judgment, 0)[0]);
        holds(
            &judgment,
            &[
                "C-1",
                "F-1",
                "F-2",
                "Drop the log",
                "coach.withdraw",
                "`new_issues`",
            ],
        );
    }
}

#[test]
fn documents_see_what_they_may_cite_and_not_one_another() {
    let run = finished(Lang::En);
    let of = |kind| {
        let purpose = Purpose::Document(kind);
        let found = run.requests.iter().find(|r| r.call.purpose == purpose);
        whole(found.unwrap())
    };
    assert!(!of(DocumentKind::ProductPlan).contains("PRODUCT-MARK"));
    // Fields are in the order of the type, which is the order of the schema.
    let plan = "{\"understanding\":\"PRODUCT-MARK";
    assert!(of(DocumentKind::SystemDesign).contains(plan));
    let tests = of(DocumentKind::TestPlan);
    assert!(tests.contains("PRODUCT-MARK") && tests.contains("DESIGN-MARK"));
    assert!(!tests.contains("DEV-MARK"));
    let report = run.requests.last().unwrap();
    assert_eq!(report.call.purpose, Purpose::Report);
    assert!(whole(report).contains("DEV-MARK"));
}

#[test]
fn a_rejected_reply_is_shown_with_what_was_found() {
    for (lang, found) in [
        (Lang::En, "missing field `analysis`"),
        (Lang::Zh, "缺少字段 `analysis`"),
    ] {
        a_rejected_reply_is_shown_in(lang, found);
    }
}

fn a_rejected_reply_is_shown_in(lang: Lang, found: &str) {
    let mut run = Run::new(inputs(lang), requirement(lang), None, "");
    run.step(&three_rounds);
    let call = call_due(&run.state);
    let before = run.prompter.request(&run.state, &call).unwrap();
    run.record(started(&call));
    run.record(Event::ReplyRejected {
        put_back: false,
        receipt: receipt(&call),
        output: "{\"positions\": []}".to_owned(),
        reason: "missing field `analysis`".to_owned(),
        finish: aitc::chat::FinishReason::Stop,
    });
    let after = run
        .prompter
        .request(&run.state, &call.with_attempt(2))
        .unwrap();
    let extra = &after.messages[before.messages.len()..];
    assert_eq!(after.messages[..before.messages.len()], before.messages[..]);
    assert_eq!(extra[0].role, ChatRole::Assistant);
    assert!(extra[1].content.contains(found));
    assert_ne!(digest(&before), digest(&after));
    assert_eq!(
        digest(&before),
        digest(&run.prompter.request(&run.state, &call).unwrap())
    );
}

#[test]
fn a_small_answer_asks_for_less() {
    let mut small = inputs(Lang::En);
    small.rules.limits.max_output_tokens = 800;
    let words = |inputs: Inputs| {
        let mut run = Run::new(inputs, requirement(Lang::En), None, "");
        while run.requests.is_empty() {
            run.step(&three_rounds);
        }
        whole(&run.requests[0])
    };
    assert!(words(inputs(Lang::En)).contains("at most about 250 words"));
    assert!(words(small).contains("at most about 100 words"));
}

/// With a grammar no example is needed, and a small model would copy its words.
#[test]
fn an_example_is_shown_where_nothing_holds_the_form() {
    for lang in BOTH {
        for (provider, is_shown) in [("openai", true), ("ollama", true), ("llamacpp", false)] {
            let mut inputs = inputs(lang);
            inputs.model.provider = provider.to_owned();
            let mut run = Run::new(inputs, requirement(lang), None, "");
            while run.requests.is_empty() {
                run.step(&three_rounds);
            }
            let text = whole(&run.requests[0]);
            assert_eq!(text.contains("```example"), is_shown, "{provider}");
            let bicycles = ["bicycles", "自行车"]
                .iter()
                .any(|word| text.contains(word));
            assert_eq!(bicycles, is_shown, "{provider}");
        }
    }
}

/// Models understand a sentence better than a code, above all in another language.
#[test]
fn refusals_and_ends_are_told_in_words() {
    let refusals = codes(&schemars::schema_for!(Rule));
    let ends = codes(&schemars::schema_for!(StopReason));
    assert!(refusals.len() > 12 && ends.len() > 8);
    for (template, codes) in [("summary", refusals), ("closing", ends)] {
        for lang in ["en", "zh"] {
            let path = format!("templates/{lang}/prompt/{template}.j2");
            let source = std::fs::read_to_string(&path).unwrap();
            // Agreement has a separate sentence.
            for code in codes.iter().filter(|code| *code != "consensus") {
                assert!(
                    source.contains(&format!("\"{code}\": \"")),
                    "{path}: {code}"
                );
            }
        }
    }
}

/// A coach that stops answering; the run ends at the round limit.
#[test]
fn a_silent_coach_is_told_so_and_the_writers_why_it_ended() {
    for (lang, told, ended) in [
        (
            Lang::En,
            " (not mentioned)",
            "(the round limit was reached)",
        ),
        (Lang::Zh, "（遗漏）", "（达到轮数上限）"),
    ] {
        let mut inputs = inputs(lang);
        inputs.rules.limits.max_rounds = 3;
        inputs.questions = QuestionMode::Assume;
        let mut run = Run::new(inputs, requirement(lang), None, "");
        run.all(&|state, call| match call.purpose {
            Purpose::Summary if call.round > 1 => Contribution::default(),
            _ => three_rounds(state, call),
        });
        let summary = whole(run.of(Purpose::Summary, 3)[0]);
        assert!(summary.contains(told), "{summary}");
        let purpose = Purpose::Document(DocumentKind::ProductPlan);
        let written = run.requests.iter().find(|one| one.call.purpose == purpose);
        let written = whole(written.unwrap());
        assert!(written.contains(ended), "{written}");
    }
}

#[test]
fn a_note_is_heard_by_who_speaks_later_and_stands_in_its_writers_task() {
    for (lang, told) in [(Lang::En, "left these notes"), (Lang::Zh, "留下了以下备注")] {
        let mut run = Run::new(inputs(lang), requirement(lang), None, "");
        run.all(&|state, call| {
            let mut said = three_rounds(state, call);
            if call.purpose == Purpose::Speech && call.round == 1 {
                said.notes.push(WriterNote {
                    document: DocumentKind::TestPlan,
                    text: "Half a row at the end is no row.".to_owned(),
                });
            }
            said
        });
        for request in &run.requests {
            let is_for = request.call.purpose == Purpose::Document(DocumentKind::TestPlan);
            let text = whole(request);
            assert_eq!(text.contains(told), is_for, "{}", request.call);
            let heard = match request.call.purpose {
                Purpose::Document(_) if is_for => 10,
                Purpose::Document(_) | Purpose::Report => 5,
                Purpose::Speech | Purpose::Summary if request.call.round == 1 => {
                    request.call.turn as usize - 1
                }
                Purpose::Relay | Purpose::FollowUp => continue,
                _ => 0,
            };
            let noted = text.matches("Half a row").count();
            assert_eq!(noted, heard, "{}", request.call);
        }
    }
}

/// What writers see of three rounds, depending on the available space.
#[test]
fn writers_read_the_discussion_the_latest_rounds_first() {
    let written_with = |tokens: u64| {
        let mut inputs = inputs(Lang::En);
        inputs.rules.limits.context_tokens = tokens;
        let mut run = Run::new(inputs, requirement(Lang::En), None, "");
        run.all(&three_rounds);
        let purpose = Purpose::Document(DocumentKind::ProductPlan);
        let request = run.requests.iter().rfind(|one| one.call.purpose == purpose);
        let last = run.of(Purpose::Summary, 3)[0].clone();
        (request.unwrap().clone(), last)
    };
    let (all, last) = written_with(60_000);
    let text = whole(&all);
    holds(
        &text,
        &["# Round 1, as it was said", "# Round 2, as it was said"],
    );
    assert!(text.contains("The Coach summed up round 3"), "{text}");
    // The provider has cached the last prompt of the discussion except its task.
    let known = last.messages.len() - 1;
    assert_eq!(all.messages[..known], last.messages[..known]);
    let (some, _) = written_with(1_000);
    let text = whole(&some);
    assert!(text.contains("up to round"), "{text}");
    assert!(!text.contains("# Round 1, as it was said"), "{text}");
}

/// SD objects on the fifth issue with its own text until it agrees to PP's in round 3; in round 1
/// it corrects PP.
fn with_a_rival(state: &State, call: &CallId) -> Contribution {
    let mut said = three_rounds(state, call);
    if call.purpose == Purpose::Speech && state.inputs.roles.code(&call.member) == "SD" {
        if call.round == 1 {
            said.corrections.push(Correction {
                whom: "PP".to_owned(),
                about: "The list has 50,000 rows, not 5,000.".to_owned(),
            });
        }
        for own in said.positions.iter_mut().filter(|own| own.issue == "I-5") {
            if call.round < 3 {
                own.stance = Stance::Object;
                own.proposal = Some("At most 100 rows.".to_owned());
                own.why = "More rows fill the memory.".to_owned();
            } else {
                own.changed_because = Some("PP's writes line by line.".to_owned());
            }
        }
    }
    said
}

/// The prompt of a writer gives the reasons for each agreed item once: by id if it contains the
/// discussion, otherwise in words.
#[test]
fn writers_read_why_an_item_was_agreed() {
    let written_with = |lang, tokens: u64, previous: Option<Previous>| {
        let mut inputs = inputs(lang);
        inputs.rules.limits.context_tokens = tokens;
        let feedback = if previous.is_some() { "Add XLSX." } else { "" };
        let mut run = Run::new(inputs, requirement(lang), previous, feedback);
        run.all(&with_a_rival);
        let purpose = Purpose::Document(DocumentKind::ProductPlan);
        let request = run.requests.iter().rfind(|one| one.call.purpose == purpose);
        (whole(request.unwrap()), run.state)
    };
    for (lang, by_id, in_words) in [
        (
            Lang::En,
            ["backed by RP, Dev, SD, TP", "over X-6 (SD)", "rests on Q-1"],
            [
                "SD, \"At most 100 rows.\": More rows",
                "PP backs it: It is",
                "SD corrects PP: The",
            ],
        ),
        (
            Lang::Zh,
            ["RP、Dev、SD、TP 支持", "未采纳 X-6 (SD)", "依据 Q-1"],
            [
                "SD 的“At most 100 rows.”：More",
                "PP 支持的理由：It",
                "SD 更正 PP：The",
            ],
        ),
    ] {
        let (all, state) = written_with(lang, 60_000, None);
        let (some, _) = written_with(lang, 10, None);
        let (later, _) = written_with(lang, 60_000, Some(Previous::of(&state, "head")));
        for id in by_id {
            assert!(all.contains(id), "{id}: {all}");
        }
        for words in in_words {
            assert!(some.contains(words), "{words}: {some}");
            assert!(!all.contains(words), "{words}: {all}");
        }
        // Of the items agreed in an earlier version only the reasons in words are shown.
        for words in &in_words[..2] {
            assert!(later.contains(words), "{words}: {later}");
        }
    }
}

/// All values of an enum's schema.
fn codes(schema: &schemars::Schema) -> Vec<String> {
    let values = schema.get("oneOf").and_then(|all| all.as_array()).unwrap();
    let values = values.iter().filter_map(|one| one["const"].as_str());
    values.map(str::to_owned).collect()
}

/// The coach is asked for the size of the work unless the user has set it; for small work the
/// writer is told to be brief.
#[test]
fn the_size_of_the_work_is_asked_for_and_told() {
    for (lang, asked, told) in [
        (Lang::En, "`coach.size`", "This is small work"),
        (Lang::Zh, "`coach.size`", "这是小任务"),
    ] {
        let run = finished(lang);
        let of = |state: &State, purpose| {
            let mut requests = run.requests.iter().map(|request| &request.call);
            let call = requests.find(|call| call.purpose == purpose).unwrap();
            whole(&run.prompter.request(state, call).unwrap())
        };
        let document = Purpose::Document(DocumentKind::DevPlan);
        let mut state = run.state.clone();
        assert!(of(&state, Purpose::Judgment).contains(asked));
        assert!(!of(&state, document).contains(told));
        state.judgment.size = Some(aitc::reply::WorkSize::Small);
        state.judgment.initial_issues = 2;
        state.discussion.summaries[0].blocking_left = 0;
        assert!(of(&state, document).contains(told));
        assert!(of(&state, Purpose::Report).contains("60") || lang == Lang::Zh);
        state.inputs.full = true;
        assert!(!of(&state, Purpose::Judgment).contains(asked));
        assert!(!of(&state, document).contains(told));
    }
}

#[test]
fn each_reviewer_is_shown_its_own_part_of_the_review_and_nobody_before() {
    for lang in BOTH {
        let run = finished(lang);
        let mut reviewed = inputs(lang);
        reviewed.rules.review = true;
        let parts: Vec<&str> = reviewed.roles.members.iter().map(part).collect();
        for request in &run.requests {
            let text = whole(request);
            assert!(!parts.iter().any(|part| text.contains(part)), "{lang:?}");
        }
        let prompter = Prompter::new(&reviewed).unwrap();
        for member in &reviewed.roles.members {
            let call = CallId::new(Scope::Root, Purpose::Review, member.id.clone(), 3, 1);
            let text = whole(&prompter.request(&run.state, &call).unwrap());
            let shown: Vec<&str> = parts
                .iter()
                .copied()
                .filter(|it| text.contains(it))
                .collect();
            assert_eq!(shown, [part(member)], "{lang:?}");
        }
    }
}

/// What a member checks in the review of a plan.
fn part(member: &RoleSpec) -> &str {
    member.reviewing.as_deref().expect("built-in roles say it")
}

/// Each says one thing, in the prompt that needs it.
#[test]
fn coach_and_writers_are_told_what_is_theirs_alone() {
    for (lang, short, newest, ten_minutes, dear, new) in [
        (
            Lang::En,
            "`in_short`: about 90 words, never more than 150",
            "settle the newest refinement",
            "ten minutes",
            "also costs a part in the design, a step and a test case",
            "the design by a part, the development plan by a step",
        ),
        (
            Lang::Zh,
            "`in_short`：约 150 字，不得超过 240 字",
            "取最新的改写",
            "十分钟",
            "还需要设计中的一个部件、一个步骤和一个测试用例",
            "设计用部件，开发计划用步骤",
        ),
    ] {
        let run = finished(lang);
        let of = |purpose| {
            let mut all = run
                .requests
                .iter()
                .filter(|one| one.call.purpose == purpose);
            whole(all.next().unwrap())
        };
        assert!(of(Purpose::Report).contains(short));
        assert!(of(Purpose::Summary).contains(newest));
        assert!(of(Purpose::Report).contains(ten_minutes));
        let mut inputs = inputs(lang);
        inputs.rules.review = true;
        let prompter = Prompter::new(&inputs).unwrap();
        for kind in DocumentKind::ALL {
            assert!(
                !of(Purpose::Document(kind)).contains(ten_minutes),
                "{kind:?}"
            );
            let writer = inputs.roles.writer(kind).unwrap().id.clone();
            let call = CallId::new(Scope::Root, Purpose::Document(kind), writer, 3, 2);
            let amends = whole(&prompter.request(&run.state, &call).unwrap());
            let is_first = kind == DocumentKind::ProductPlan;
            assert_eq!(amends.contains(dear), is_first, "{kind:?}");
            assert_eq!(amends.contains(new), !is_first, "{kind:?}");
        }
    }
}
