//! Looks: a member sees what it requested before its answer counts.

use aitc::machine::look::{MAX_ASKS, MAX_LOOKS};
use aitc::machine::*;
use aitc::reply::{
    Asked, AskedQuestion, Contribution, DocumentKind, Look, LookKind, Relay, Severity,
};

use crate::support::meeting::*;
use crate::support::search::{claiming, reading, survey};

fn wish(looks: Vec<Look>) -> String {
    text(&Contribution {
        looks,
        ..contribution("Not heeded, as nothing beside looks is.")
    })
}

fn lines(path: &str, call: &CallId) -> Vec<Look> {
    vec![reading(path, call.look + 1)]
}

/// Every member that may look does so `often` times, at a file of its own.
fn curious(often: u32) -> impl FnMut(&State, &CallId) -> String {
    let mut basics = agreeable(1);
    move |state, call| match call.purpose {
        Purpose::Judgment | Purpose::Speech | Purpose::Document(_) if call.look < often => {
            wish(lines(&format!("{}.rs", call.member), call))
        }
        _ => basics(state, call),
    }
}

fn meeting(first_round: FirstRound) -> Meeting {
    let mut meeting = opened(|inputs| inputs.first_round = first_round);
    meeting.survey = survey();
    meeting
}

fn calls(meeting: &Meeting, purpose: Purpose) -> Vec<String> {
    let started = meeting.events().filter_map(|event| match event {
        Event::CallStarted { call, .. } if call.purpose == purpose => Some(call.to_string()),
        _ => None,
    });
    started.collect()
}

#[test]
fn who_looks_is_asked_again_and_what_it_saw_stands_before_later_speakers() {
    let mut meeting = meeting(FirstRound::Sequential);
    let mut script = curious(2);
    meeting.run(&mut script);
    assert_eq!(meeting.state.stage, Stage::Published);
    assert_eq!(
        calls(&meeting, Purpose::Speech)[..4],
        [
            "root/speech/ProductPlanner/r1/t1/a1",
            "root/speech/ProductPlanner/r1/t1/l1/a1",
            "root/speech/ProductPlanner/r1/t1/l2/a1",
            "root/speech/SystemDesigner/r1/t2/a1",
        ]
    );
    let said = meeting.state.discussion.said.iter().map(|said| match said {
        Said::Look(index) => format!("look {index}"),
        Said::Speech(index) => format!("speech {index}"),
        other => panic!("{other:?}"),
    });
    let said: Vec<_> = said.take(6).collect();
    // The coach's two looks for its judgment, then those of the first speaker.
    assert_eq!(
        said,
        ["look 0", "look 1", "look 2", "look 3", "speech 0", "look 4"]
    );
    let looks = &meeting.state.grounding.looks.all;
    assert_eq!(
        looks[2].seen[0].found[0].text,
        "line 1 of ProductPlanner.rs"
    );
    assert_eq!(looks.len(), 2 + 5 * 2 + 5 * 2);
    for entry in &meeting.entries {
        let name = entry
            .event
            .receipt()
            .map(|receipt| receipt.call.to_string());
        let read = name.as_deref().map(str::parse::<CallId>);
        assert!(read.is_none_or(|read| read.is_ok()), "{name:?}");
    }
}

#[test]
fn those_who_speak_side_by_side_see_their_own_and_all_join_in_order_of_roles() {
    let mut meeting = meeting(FirstRound::Blind);
    let mut basics = agreeable(1);
    let mut script = move |state: &State, call: &CallId| match call.purpose {
        // Later members look more often, so they finish later.
        Purpose::Speech if call.turn > 3 && call.look < call.turn - 3 => {
            assert!(state.discussion.said.is_empty(), "nobody hears the others");
            wish(lines(&format!("{}.rs", call.member), call))
        }
        _ => basics(state, call),
    };
    while meeting.state.discussion.speeches.is_empty() {
        assert!(meeting.step(&mut script));
    }
    let said = meeting.state.discussion.said.iter().map(|said| match said {
        Said::Look(index) => meeting.state.grounding.looks.all[*index]
            .call
            .member
            .to_string(),
        Said::Speech(index) => format!("speech {index}"),
        other => panic!("{other:?}"),
    });
    assert_eq!(
        said.collect::<Vec<_>>(),
        [
            "speech 0",
            "speech 1",
            "speech 2",
            "TestPlanner",
            "speech 3",
            "RiskPlanner",
            "RiskPlanner",
            "speech 4",
        ]
    );
}

#[test]
fn nobody_looks_oftener_or_further_than_may_be() {
    let mut meeting = meeting(FirstRound::Sequential);
    let mut basics = agreeable(1);
    let mut script = move |state: &State, call: &CallId| match call.purpose {
        Purpose::Speech if call.turn == 1 => {
            let mut answer = spoken(&basics(state, call));
            answer.looks = (1..=9).map(|line| reading("a.rs", line)).collect();
            text(&answer)
        }
        _ => basics(state, call),
    };
    meeting.run(&mut script);
    assert_eq!(meeting.state.stage, Stage::Published);
    let asked = calls(&meeting, Purpose::Speech);
    let of_first = asked.iter().filter(|call| call.contains("ProductPlanner"));
    assert_eq!(of_first.count() as u32, MAX_ASKS + 1);
    assert_eq!(meeting.state.grounding.looks.all[0].seen.len(), MAX_LOOKS);
    // The last time, requests for looks are ignored and the rest of the answer counts.
    assert_eq!(
        meeting.state.discussion.speeches[0].speech.positions.len(),
        2
    );
    let told = meeting.events().find_map(|event| match event {
        Event::Look { notes, .. } => Some(notes.len()),
        _ => None,
    });
    assert_eq!(told, Some(3), "what is left out is told of");
}

#[test]
fn where_nothing_is_to_be_seen_wishes_are_not_heeded() {
    let off = |change: fn(&mut Meeting)| {
        let mut meeting = meeting(FirstRound::Sequential);
        change(&mut meeting);
        let mut basics = agreeable(1);
        meeting.run(
            &mut move |state: &State, call: &CallId| match call.purpose {
                Purpose::Speech => {
                    let mut answer = spoken(&basics(state, call));
                    answer.looks = vec![reading("a.rs", 1)];
                    text(&answer)
                }
                _ => basics(state, call),
            },
        );
        assert_eq!(meeting.state.stage, Stage::Published);
        meeting.state.grounding.looks.all.len()
    };
    assert_eq!(off(|_| ()), 5 * MAX_ASKS as usize);
    assert_eq!(off(|meeting| meeting.survey = Survey::default()), 0);
    assert_eq!(
        off(|meeting| meeting.state.inputs.grounding.depth = Depth::Map),
        0
    );
}

#[test]
fn a_failed_try_after_a_look_is_another_try_of_the_same_look() {
    let mut meeting = meeting(FirstRound::Sequential);
    let mut basics = agreeable(1);
    let mut script = move |state: &State, call: &CallId| match (call.purpose, call.look) {
        (Purpose::Speech, 0) if call.turn == 2 => wish(lines("a.rs", call)),
        (Purpose::Speech, 1) if call.turn == 2 && call.attempt == 1 => "no object".to_owned(),
        _ => basics(state, call),
    };
    meeting.run(&mut script);
    let asked = calls(&meeting, Purpose::Speech);
    let own = asked.iter().filter(|call| call.contains("SystemDesigner"));
    let own: Vec<_> = own
        .map(|call| call.rsplit_once("/t2/").unwrap().1)
        .collect();
    assert_eq!(own, ["a1", "l1/a1", "l1/a2"]);
    assert!(meeting.state.calls.troubled.is_empty());
}

#[test]
fn a_look_out_of_place_is_refused() {
    let mut meeting = meeting(FirstRound::Sequential);
    let call = meeting.until(Purpose::Speech, &mut agreeable(1));
    let look = |call: &CallId, n: usize| Event::Look {
        receipt: receipt(call),
        seen: vec![Seen::of(reading("a.rs", 1)); n],
        asked: Vec::new(),
        notes: Vec::new(),
    };
    let refused = |meeting: &Meeting, event| may_follow(&meeting.state, &event).unwrap_err().0;
    assert!(refused(&meeting, look(&call, 1)).contains("was not started"));
    meeting.record(started(&call));
    assert!(refused(&meeting, look(&call, MAX_LOOKS + 1)).contains("at most 6"));
    let mut nowhere = look(&call, 1);
    if let Event::Look { seen, .. } = &mut nowhere {
        seen[0].found = vec![Find {
            path: "a.rs".to_owned(),
            from: 3,
            to: 2,
            text: String::new(),
        }];
    }
    assert!(refused(&meeting, nowhere).contains("names no place"));
    // The usage of an answer by the member's own model is recorded, if a question was asked.
    let mut paid = look(&call, 1);
    let question = CallId {
        ask: 1,
        ..call.clone()
    };
    if let Event::Look { asked, .. } = &mut paid {
        asked.push(receipt(&question));
    }
    assert!(refused(&meeting, paid.clone()).contains("to no question"));
    if let Event::Look { seen, .. } = &mut paid {
        seen[0].look.kind = LookKind::Ask;
    }
    let before = meeting.state.calls.answered;
    meeting.record(paid);
    assert_eq!(meeting.state.calls.answered, before + 2);
    let jump = CallId {
        look: 2,
        ..call.clone()
    };
    assert!(refused(&meeting, started(&jump)).contains("does not follow"));
    assert!(refused(&meeting, started(&call)).contains("does not follow"));
    meeting.record(started(&CallId { look: 1, ..call }));
    // A new process repeats the call, but not the looks.
    meeting.record(resumed());
    let due = meeting.until(Purpose::Speech, &mut agreeable(1));
    assert_eq!((due.look, due.attempt), (1, 1));
}

/// A question to a member's own model is recorded before it is asked; if its answer is lost by a
/// crash or an error, it counts at full cost, like any call.
#[test]
fn a_question_that_is_lost_counts_against_the_caps() {
    let mut meeting = meeting(FirstRound::Sequential);
    let call = meeting.until(Purpose::Speech, &mut agreeable(1));
    let asking = |ask| CallId {
        ask,
        ..call.clone()
    };
    let refused = |meeting: &Meeting, event| may_follow(&meeting.state, &event).unwrap_err().0;
    let no_question = "is no question of a call";
    assert!(refused(&meeting, started(&asking(1))).contains("was not started"));
    meeting.record(started(&call));
    assert!(refused(&meeting, started(&asking(3))).contains(no_question));
    meeting.record(started(&asking(1)));
    assert!(refused(&meeting, started(&asking(1))).contains(no_question));
    meeting.record(started(&asking(2)));
    let lost = meeting.state.calls.lost;
    assert_eq!(meeting.state.calls.open.len(), 3);
    let mut crashed = meeting.state.clone();
    let entry = Entry {
        seq: crashed.run.seq + 1,
        event: resumed(),
        ..meeting.entries.last().unwrap().clone()
    };
    crashed.apply(&entry).unwrap();
    assert_eq!(crashed.calls.lost, lost + 300);
    // One question is answered, the other is not.
    let mut question = reading("Does CSV need a byte order mark?", 1);
    question.kind = LookKind::Ask;
    let seen = Seen::of(question);
    meeting.record(Event::Look {
        receipt: receipt(&call),
        seen: vec![seen.clone(), seen],
        asked: vec![receipt(&asking(2))],
        notes: Vec::new(),
    });
    assert_eq!(meeting.state.calls.lost, lost + 100);
    assert!(meeting.state.calls.open.is_empty());
}

/// SD makes a claim about the path `first`, and in the second attempt about `then`.
fn claims(first: &'static str, then: &'static str) -> impl FnMut(&State, &CallId) -> String {
    let mut basics = agreeable(1);
    move |state, call| {
        let answer = basics(state, call);
        if call.purpose != Purpose::Speech || (call.round, call.turn) != (1, 2) {
            return answer;
        }
        let mut answer = spoken(&answer);
        let path = if call.attempt == 1 { first } else { then };
        answer.evidence = vec![claiming("Seven is there.", path)];
        text(&answer)
    }
}

fn told(state: &State) -> Vec<(String, Standing, Option<String>)> {
    let told = state.grounding.evidence.iter().map(|one| {
        let place = one.ground.as_ref().map(Ground::place);
        (one.id.to_string(), one.standing, place)
    });
    told.collect()
}

#[test]
fn what_a_member_claims_is_held_against_the_files() {
    let verified = (
        "E-1".to_owned(),
        Standing::Verified,
        Some("a.rs:7".to_owned()),
    );
    let not = ("E-1".to_owned(), Standing::Unverified, None);
    for (first, then, tries, came) in [
        ("a.rs", "a.rs", 1, &verified),
        ("gone.rs", "a.rs", 2, &verified),
        // It is sent back only once; then the claim is unverified.
        ("gone.rs", "gone.rs", 2, &not),
    ] {
        for first_round in [FirstRound::Sequential, FirstRound::Blind] {
            let mut meeting = meeting(first_round);
            meeting.run(&mut claims(first, then));
            assert_eq!(meeting.state.stage, Stage::Published);
            assert_eq!(
                &told(&meeting.state)[..],
                std::slice::from_ref(came),
                "{first}, {then}"
            );
            let asked = calls(&meeting, Purpose::Speech);
            assert_eq!(
                asked
                    .iter()
                    .filter(|one| one.contains("SystemDesigner/r1"))
                    .count(),
                tries
            );
            assert_eq!(meeting.state.run.counters.evidence, 1);
        }
    }
}

/// Sending an answer back for its evidence does not use up an attempt.
#[test]
fn an_answer_that_goes_back_costs_no_try() {
    let mut meeting = meeting(FirstRound::Sequential);
    let mut claim = claims("gone.rs", "a.rs");
    let mut script = move |state: &State, call: &CallId| match (call.purpose, call.attempt) {
        (Purpose::Speech, 2) if call.turn == 2 => "no object".to_owned(),
        _ => claim(state, call),
    };
    meeting.run(&mut script);
    assert!(meeting.state.discussion.passed_over.is_empty());
    assert_eq!(meeting.state.discussion.speeches.len(), 5);
    assert_eq!(
        meeting.state.grounding.evidence[0].standing,
        Standing::Verified
    );
}

#[test]
fn evidence_stands_before_the_next_speaker_and_may_be_cited() {
    let mut meeting = meeting(FirstRound::Sequential);
    let mut claim = claims("a.rs", "a.rs");
    let mut script = move |state: &State, call: &CallId| {
        let answer = claim(state, call);
        match call.purpose {
            Purpose::Speech if call.turn == 3 => {
                assert_eq!(
                    state.grounding.evidence.len(),
                    1,
                    "it is there before Dev speaks"
                );
                answer
            }
            Purpose::Document(DocumentKind::ProductPlan) => answer.replace("\"C-1\"", "\"E-1\""),
            _ => answer,
        }
    };
    meeting.run(&mut script);
    let plan =
        serde_json::to_string(&meeting.state.documents.written[&DocumentKind::ProductPlan].content);
    assert!(
        plan.unwrap().contains("\"E-1\""),
        "a document may rest on it"
    );
    let due = evidence::due(&meeting.state);
    assert!(due.is_empty());
    let forged = Event::Evidence {
        evidence: meeting.state.grounding.evidence.clone(),
    };
    assert!(may_follow(&meeting.state, &forged).is_err());
}

/// Evidence of an earlier version is checked again once.
#[test]
fn a_revision_looks_again_at_what_it_takes_over() {
    let mut first = meeting(FirstRound::Sequential);
    let mut claim = claims("a.rs", "a.rs");
    first.run(&mut |state: &State, call: &CallId| match call.purpose {
        // Agreed items cite the evidence.
        Purpose::Speech => {
            claim(state, call).replace("\"proposal\":\"", "\"proposal\":\"As E-1 has it: ")
        }
        _ => claim(state, call),
    });
    let verified = (
        "E-1".to_owned(),
        Standing::Verified,
        Some("a.rs:7".to_owned()),
    );
    assert_eq!(told(&first.state), [verified]);
    for (path, depth, holds, is_looked_at) in [
        ("a.rs", Depth::Looks, true, true),
        ("gone.rs", Depth::Map, false, true),
        // Without looks, or for a path outside the workspace, it keeps its standing.
        ("gone.rs", Depth::Off, true, false),
        ("../notes/gone.rs", Depth::Looks, true, false),
    ] {
        let mut inputs = first.state.inputs.clone();
        inputs.grounding.depth = depth;
        let mut second = going_on(&first.state, inputs, |previous| {
            previous.evidence[0].ground.as_mut().unwrap().path = path.to_owned();
        });
        second.run(&mut claims("b.rs", "b.rs"));
        let looked = |entry: &&Entry| match &entry.event {
            Event::Evidence { evidence } => evidence.iter().any(|one| one.id.0 == 1),
            _ => false,
        };
        let times = second.entries.iter().filter(looked).count();
        assert_eq!(times, usize::from(is_looked_at), "{path}");
        let told = told(&second.state);
        let standing = if holds {
            Standing::Verified
        } else {
            Standing::Unverified
        };
        assert_eq!((told[0].0.as_str(), told[0].1), ("E-1", standing), "{path}");
        assert_eq!(told.last().unwrap().0, "E-2", "{path}: ids go on");
        let ledger = second.state.ledger.iter();
        let raised: Vec<_> = ledger.filter(|one| one.title.starts_with("E-1 ")).collect();
        assert_eq!(raised.len(), usize::from(!holds), "{path}");
        for issue in raised {
            assert_eq!(issue.severity, Severity::Blocking);
            assert_eq!(issue.title, "E-1 does not hold any more: Seven is there.");
            assert!(
                issue.detail.starts_with("`gone.rs`: there is no such file"),
                "{}",
                issue.detail
            );
            assert!(
                issue.detail.ends_with("What rests on it: C-1, C-2"),
                "{}",
                issue.detail
            );
        }
        // A resumed run does not check again.
        let again = second.replayed(second.entries.len());
        assert_eq!(again.grounding.evidence, second.state.grounding.evidence);
        assert!(evidence::due(&again).is_empty());
    }
}

fn asks_the_repository(found: Survey, mode: QuestionMode) -> Meeting {
    let mut meeting = meeting(FirstRound::Sequential);
    meeting.survey = found;
    meeting.state.inputs.questions = mode;
    let mut basics = agreeable(1);
    let mut script = move |state: &State, call: &CallId| {
        let answer = basics(state, call);
        if call.purpose != Purpose::Speech || call.turn != 2 {
            return answer;
        }
        let mut answer = spoken(&answer);
        answer.questions = vec![AskedQuestion {
            of: Asked::Repository,
            ..question("Is there a migration?")
        }];
        text(&answer)
    };
    meeting.run(&mut script);
    meeting
}

#[test]
fn what_is_asked_of_the_repository_reaches_no_human_and_is_not_assumed() {
    for mode in [QuestionMode::Ask, QuestionMode::Pause, QuestionMode::Assume] {
        let meeting = asks_the_repository(survey(), mode);
        assert_eq!(meeting.state.stage, Stage::Published);
        let QuestionStatus::Closed { source, answer } = &meeting.state.questions.asked[0].status
        else {
            panic!("{:?}", meeting.state.questions.asked);
        };
        assert_eq!(*source, AnswerSource::Repository);
        assert!(
            answer.contains("docs/limits.md:3-4\nThere is no migration."),
            "{answer}"
        );
        assert!(meeting.state.questions.assumptions.is_empty());
        assert!(calls(&meeting, Purpose::Relay).is_empty());
        // The next speaker sees the answer.
        let said: Vec<_> = meeting
            .state
            .discussion
            .said
            .iter()
            .skip(1)
            .take(3)
            .collect();
        let answer = Said::Answer(QuestionId(1));
        assert_eq!(said, [&Said::Speech(1), &answer, &Said::Speech(2)]);
    }
}

#[test]
fn the_coach_may_say_that_a_question_is_for_the_repository() {
    let mut meeting = meeting(FirstRound::Sequential);
    let mut basics = agreeable(1);
    let mut script = move |state: &State, call: &CallId| {
        let answer = basics(state, call);
        match call.purpose {
            Purpose::Speech if call.turn == 2 => {
                let mut answer = spoken(&answer);
                answer.questions = super::asking("Is there a migration?").questions;
                text(&answer)
            }
            Purpose::Relay => text(&super::relaying(vec![Relay {
                of: Some(Asked::Repository),
                question: "Q-1".to_owned(),
                ..super::relay(None, None)
            }])),
            _ => answer,
        }
    };
    meeting.run(&mut script);
    let status = &meeting.state.questions.asked[0].status;
    let found = matches!(
        status,
        QuestionStatus::Closed {
            source: AnswerSource::Repository,
            ..
        }
    );
    assert!(found, "{status:?}");
    assert!(meeting.state.questions.assumptions.is_empty());
}

#[test]
fn a_role_looks_in_the_ways_its_file_names() {
    for (tools, looked, left_out) in [
        (None, 1, 0),
        (Some(vec!["read".to_owned()]), 1, 0),
        (Some(vec!["search".to_owned()]), 0, 1),
        (Some(Vec::new()), 0, 0),
    ] {
        let mut meeting = meeting(FirstRound::Sequential);
        for role in &mut meeting.state.inputs.roles.members {
            role.tools = tools.clone();
        }
        let mut basics = agreeable(1);
        let mut script = move |state: &State, call: &CallId| {
            let answer = basics(state, call);
            if call.purpose != Purpose::Speech || call.turn != 1 || call.look > 0 {
                return answer;
            }
            let mut answer = spoken(&answer);
            answer.looks = vec![reading("a.rs", 1)];
            text(&answer)
        };
        meeting.run(&mut script);
        let mut looks = meeting.events().filter_map(|event| match event {
            Event::Look { seen, notes, .. } => Some((seen.len(), notes.len())),
            _ => None,
        });
        assert_eq!(
            looks.next().unwrap_or_default(),
            (looked, left_out),
            "{tools:?}"
        );
        assert_eq!(meeting.state.discussion.speeches.len(), 5);
    }
}

#[test]
fn a_part_of_the_version_before_is_shown() {
    let mut first = meeting(FirstRound::Sequential);
    first.run(&mut agreeable(1));
    let mut meeting = meeting(FirstRound::Sequential);
    meeting.state.task.previous = Some(Previous::of(&first.state, "head"));
    for (what, shown) in [
        ("AC-1", Some("\"id\": \"AC-1\"")),
        ("criteria", Some("\"id\": \"AC-1\"")),
        ("product_plan", Some("understanding")),
        ("C-1", Some("\"id\": \"C-1\"")),
        ("AC-99", None),
        ("no such part", None),
    ] {
        let event = Event::Look {
            receipt: receipt(&"root/speech/ProductPlanner/r1/t1/a1".parse().unwrap()),
            seen: vec![Seen::of(Look {
                kind: LookKind::Previous,
                ..reading(what, 1)
            })],
            asked: Vec::new(),
            notes: Vec::new(),
        };
        let Event::Look { seen, .. } = look::with_found(&meeting.state, event, |_| Vec::new())
        else {
            unreachable!("it is a look");
        };
        let text = seen[0].found.first().map(|find| find.text.as_str());
        assert_eq!(text.is_some(), shown.is_some(), "{what}");
        assert!(
            text.unwrap_or_default().contains(shown.unwrap_or_default()),
            "{what}"
        );
        assert_eq!(seen[0].remark.is_some(), shown.is_none(), "{what}");
    }
}
