//! The machine: rounds, the counted consensus rule, the ledger, clarification,
//! revision, and what the coach may not do.

mod accounts;
mod asks;
mod caps;
mod clarification;
mod coach;
mod cuts;
mod diligence;
mod dropping;
mod ending;
mod hostile;
mod inquiry;
mod ledger;
mod leftovers;
mod legal;
mod looks;
mod reasons;
pub mod reviews;
mod revision;
mod trials;

use aitc::machine::*;
use aitc::reply::*;
use proptest::prelude::*;
use std::collections::BTreeSet;

use crate::support::meeting::*;
use coach::before_summary;

fn held(settle_in: u32) -> Meeting {
    let mut meeting = Meeting::open("two things", inputs());
    meeting.run(&mut agreeable(settle_in));
    meeting
}

#[test]
fn a_team_that_agrees_converges_in_one_round() {
    let meeting = held(1);
    let state = &meeting.state;
    assert_eq!(state.stage, Stage::Published);
    assert_eq!(
        state.ending.stop.as_ref().unwrap().reason,
        StopReason::Consensus
    );
    assert_eq!(state.round, 1);
    assert_eq!(state.discussion.speeches.len(), 5);
    assert_eq!(state.documents.written.len(), 5);
    let items: Vec<_> = state.draft.standing().collect();
    assert_eq!(items.len(), 2);
    assert_eq!(items[0].text, "PP would write I-1 so, r1");
    let supporters: Vec<_> = items[0].supporters.iter().map(|s| &s.member.0).collect();
    let all = state.inputs.roles.members.iter().map(|role| &role.id.0);
    assert_eq!(supporters.len(), all.count());
}

#[test]
fn every_round_has_the_same_shape() {
    let meeting = held(3);
    let speakers: Vec<String> = meeting
        .entries
        .iter()
        .filter_map(|entry| match &entry.event {
            Event::Speaking { .. } => Some(format!("r{} {}", entry.round, entry.actor)),
            Event::ConsensusSummary { .. } => Some(format!("r{} summary", entry.round)),
            _ => None,
        })
        .collect();
    let shape = |round: u32| {
        [
            "ProductPlanner",
            "SystemDesigner",
            "SeniorDeveloper",
            "TestPlanner",
            "RiskPlanner",
            "summary",
        ]
        .map(|who| format!("r{round} {who}"))
    };
    assert_eq!(speakers, [shape(1), shape(2), shape(3)].concat());
}

#[test]
fn the_order_rotates_when_asked() {
    let mut inputs = inputs();
    inputs.order = SpeakingOrder::Rotate;
    let mut meeting = Meeting::open("two things", inputs);
    meeting.run(&mut agreeable(2));
    let second: Vec<&str> = meeting
        .state
        .discussion
        .speeches_of(2)
        .map(|speech| speech.member.as_str())
        .collect();
    assert_eq!(second.first(), Some(&"SystemDesigner"));
    assert_eq!(second.last(), Some(&"ProductPlanner"));
}

#[test]
fn ids_of_a_blind_round_do_not_depend_on_who_answers_first() {
    let hold = |backwards: bool| {
        let mut inputs = inputs();
        inputs.first_round = FirstRound::Blind;
        let mut meeting = Meeting::open("two things", inputs);
        meeting.until(Purpose::Speech, &mut agreeable(1));
        let mut calls: Vec<CallId> = calls_due(&meeting.state);
        assert_eq!(calls.len(), 5);
        if backwards {
            calls.reverse();
        }
        for call in calls {
            let speech = Contribution {
                new_issues: vec![new_issue(
                    "x",
                    &format!("raised by {}", call.member),
                    Severity::Minor,
                )],
                ..contribution("mine")
            };
            meeting.reply(&call, &text(&speech));
        }
        meeting.state
    };
    let (forwards, backwards) = (hold(false), hold(true));
    assert_eq!(forwards.ledger, backwards.ledger);
    assert_eq!(forwards.discussion.said, backwards.discussion.said);
    let third = forwards.ledger.find(IssueId(3)).unwrap();
    assert_eq!(third.title, "raised by ProductPlanner");
}

#[test]
fn a_stance_flips_only_with_a_reason() {
    let mut meeting = Meeting::open("two things", inputs());
    let mut basics = agreeable(9);
    meeting.run(&mut |state, call| {
        if call.purpose == Purpose::Speech && call.member.as_str() == "RiskPlanner" {
            let stance = if call.round == 1 {
                Stance::Object
            } else {
                Stance::Agree
            };
            let mut own = position("I-1", stance, None);
            own.changed_because = (call.round == 3).then(|| "the cap answers it".to_owned());
            return text(&Contribution {
                positions: vec![own],
                ..contribution("mine")
            });
        }
        basics(state, call)
    });
    let stances: Vec<usize> = (1..=3)
        .map(|round| {
            let speech = meeting
                .state
                .discussion
                .speeches_of(round)
                .find(|s| s.turn == 5)
                .unwrap();
            speech.speech.positions.len()
        })
        .collect();
    assert_eq!(stances, [1, 0, 1], "the flip of round 2 gave no reason");
}

#[test]
fn invented_ids_are_left_out_with_a_note() {
    let (meeting, _) = before_summary(&[
        ("PP", "I-77", Stance::Agree, Some("x")),
        ("PP", " i1 ", Stance::Agree, Some("spelt oddly")),
    ]);
    let speech = meeting.state.discussion.speeches_of(1).next().unwrap();
    assert_eq!(speech.speech.positions.len(), 1);
    assert_eq!(speech.speech.positions[0].issue, "I-1");
    assert_eq!(speech.notes[0].about, "I-77");
}

fn asking(question: &str) -> Contribution {
    Contribution {
        questions: vec![AskedQuestion {
            of: aitc::reply::Asked::Human,
            question: question.to_owned(),
            why: "the design hangs on it".to_owned(),
            blocks: Some("I-1".to_owned()),
            options: vec!["yes".to_owned(), "no".to_owned()],
            recommended: "no".to_owned(),
        }],
        ..contribution("I need to know.")
    }
}

/// A meeting where SD asks in round 1, run to the point where `due` holds.
fn with_question(relay: Relay) -> Meeting {
    relayed("two things", asking("Is there a migration?"), relay)
}

fn relayed(requirement: &str, asked: Contribution, relay: Relay) -> Meeting {
    let mut inputs = inputs();
    inputs.questions = QuestionMode::Ask;
    let mut meeting = Meeting::open(requirement, inputs);
    let mut basics = agreeable(1);
    loop {
        let actions = next_actions(&meeting.state);
        let raised = !meeting.state.questions.asked.is_empty();
        let done =
            !matches!(actions.first(), Some(Action::Call(call)) if call.purpose == Purpose::Relay);
        if raised && done && !matches!(actions.first(), Some(Action::Record(_))) {
            return meeting;
        }
        let relay = relay.clone();
        meeting.step(&mut |state, call| match call.purpose {
            Purpose::Speech if call.turn == 2 => text(&asked),
            Purpose::Relay => text(&relaying(vec![relay.clone()])),
            _ => basics(state, call),
        });
    }
}

fn relaying(relays: Vec<Relay>) -> Contribution {
    Contribution {
        coach: Some(CoachPart {
            relays,
            ..CoachPart::default()
        }),
        ..contribution("")
    }
}

fn relay(answer: Option<&str>, cites: Option<&str>) -> Relay {
    Relay {
        of: None,
        question: "Q-1".to_owned(),
        answer: answer.map(str::to_owned),
        cites: cites.map(str::to_owned),
    }
}

#[test]
fn a_question_goes_through_coach_and_human_and_back_to_who_asked() {
    let mut meeting = with_question(relay(None, None));
    assert!(matches!(
        next_actions(&meeting.state)[..],
        [Action::AskHuman(_)]
    ));
    let id = meeting.state.questions.asked[0].id;
    let reply = |words: &str, asked: &str| Event::UserClarificationDialogue {
        id,
        question: asked.to_owned(),
        user_reply: words.to_owned(),
        source: AnswerSource::Terminal,
        message: None,
    };
    meeting.record(reply("yes", "Is there a migration?"));
    let call = call_due(&meeting.state);
    assert_eq!(
        (call.purpose, call.member.as_str()),
        (Purpose::FollowUp, "SystemDesigner")
    );
    meeting.reply(&call, &text(&asking("Of how many rows?")));
    assert!(meeting.step(&mut agreeable(1)));
    assert_eq!(
        meeting.state.questions.asked[0].current_text(),
        "Of how many rows?"
    );
    meeting.record(reply("a million", "Of how many rows?"));
    let call = call_due(&meeting.state);
    meeting.reply(&call, &text(&contribution("Enough.")));
    let QuestionStatus::Closed { answer, .. } = &meeting.state.questions.asked[0].status else {
        panic!()
    };
    assert_eq!(answer, "yes\na million");
    let Action::Call(next) = next_actions(&meeting.state).remove(0) else {
        panic!()
    };
    assert_eq!(
        (next.purpose, next.turn, next.round),
        (Purpose::Speech, 3, 1)
    );
    assert!(matches!(
        meeting.state.draft.lines(),
        [DraftLine::Answered { .. }]
    ));
}

#[test]
fn an_assumed_answer_is_on_record_as_an_assumption() {
    let mut meeting = Meeting::open("two things", inputs());
    let mut basics = agreeable(1);
    meeting.run(&mut |state, call| match call.purpose {
        Purpose::Judgment => {
            let mut answer = asking("Who may see it?");
            answer.new_issues = vec![new_issue("a", "a need", Severity::Blocking)];
            answer.questions[0].blocks = None;
            text(&answer)
        }
        _ => basics(state, call),
    });
    let state = &meeting.state;
    assert_eq!(state.questions.assumptions.len(), 1);
    assert_eq!(state.questions.assumptions[0].text, "no");
    assert!(matches!(state.draft.lines()[0], DraftLine::Assumed { .. }));
    assert_eq!(state.round, 1, "a clarification costs no round");
}

#[test]
fn small_work_gets_one_round_or_two() {
    for (settle_in, rounds, reason) in [
        (1, 1, StopReason::Consensus),
        (2, 2, StopReason::Consensus),
        (3, 2, StopReason::RoundLimit),
    ] {
        let mut inputs = inputs();
        inputs.light = true;
        let mut meeting = Meeting::open("one thing", inputs);
        meeting.run(&mut agreeable(settle_in));
        let stop = meeting.state.ending.stop.unwrap();
        assert_eq!((stop.round, stop.reason), (rounds, reason));
    }
}

#[test]
fn time_ends_the_discussion_but_not_the_closing() {
    let mut meeting = Meeting::open("two things", inputs());
    meeting.step_ms = 120_000;
    meeting.run(&mut agreeable(99));
    let state = &meeting.state;
    assert_eq!(
        state.ending.stop.as_ref().unwrap().reason,
        StopReason::TimeLimit
    );
    assert_eq!(
        (state.stage, state.documents.written.len()),
        (Stage::Published, 5)
    );
    let warned = meeting.entries.iter().any(|entry| {
        matches!(
            entry.event,
            Event::GuardWarned {
                guard: StopReason::TimeLimit,
                ..
            }
        )
    });
    assert!(warned);
}

#[test]
fn documents_come_in_layers() {
    let mut meeting = Meeting::open("two things", inputs());
    meeting.until(
        Purpose::Document(DocumentKind::ProductPlan),
        &mut agreeable(1),
    );
    let mut layers = Vec::new();
    while meeting.state.stage == Stage::Closing {
        layers.push(next_actions(&meeting.state).len());
        meeting.step(&mut agreeable(1));
    }
    assert_eq!(layers, [1, 1, 3]);
}

#[test]
fn an_unusable_reply_is_asked_once_more_then_one_member_is_passed_over() {
    let mut meeting = Meeting::open("two things", inputs());
    let mut basics = agreeable(1);
    meeting.run(&mut |state, call| {
        if call.purpose == Purpose::Speech && call.turn == 3 {
            return "no JSON at all".to_owned();
        }
        basics(state, call)
    });
    let state = &meeting.state;
    assert_eq!(state.stage, Stage::Published);
    assert_eq!(
        (
            state.discussion.passed_over.len(),
            state.discussion.speeches.len()
        ),
        (1, 4)
    );
    assert_eq!(state.calls.rejected, 2);

    let mut meeting = Meeting::open("two things", inputs());
    meeting.run(&mut |state, call| {
        if call.purpose == Purpose::Speech && call.turn >= 3 {
            return "no JSON at all".to_owned();
        }
        basics(state, call)
    });
    assert!(matches!(
        next_actions(&meeting.state)[..],
        [Action::GiveUp(_)]
    ));
}

#[test]
fn a_journal_line_reads_back_as_it_was() {
    for entry in held(2).entries {
        let line = serde_json::to_string(&entry).unwrap();
        let back: aitc::machine::Entry = serde_json::from_str(&line).unwrap();
        assert_eq!(back, entry);
    }
}

/// Whom stances and fates name; longer names of nobody are beyond it.
const CODES: [&str; 6] = ["PP", "SD", "Dev", "TP", "RP", "nobody"];

/// Did the coach give a reason for the change by which this item settled its issue?
fn told(meeting: &Meeting, item: ConsensusId) -> bool {
    let changes = meeting
        .entries
        .iter()
        .filter_map(|entry| match &entry.event {
            Event::ConsensusSummary { changes, .. } => Some(changes),
            _ => None,
        });
    let mut changes = changes.flatten();
    changes.any(|change| {
        let settles = matches!(&change.to, IssueStatus::Settled { by } if by.contains(&item));
        settles && change.reason.is_some()
    })
}

fn any_stance() -> impl Strategy<Value = Stance> {
    prop_oneof![
        Just(Stance::Agree),
        Just(Stance::Object),
        Just(Stance::Refine),
        Just(Stance::Abstain)
    ]
}

fn any_fate() -> impl Strategy<Value = FateKind> {
    prop_oneof![
        1 => Just(FateKind::Open),
        4 => Just(FateKind::Settled),
        1 => Just(FateKind::Refined),
        1 => Just(FateKind::Merged),
        1 => Just(FateKind::Dropped),
        1 => Just(FateKind::Deferred),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(64) })]

    /// Whatever members and coach say, nothing is agreed over an objection or beside a rival
    /// without a word, nobody counts twice, nothing vanishes, agreement is claimed only with
    /// nothing blocking open, and a replay of the entries gives the same state.
    #[test]
    fn no_workshop_breaks_the_rules(
        stances in prop::collection::vec((any_stance(), any::<bool>(), 0usize..6, any::<bool>(), 0usize..8, 0usize..8), 20..60),
        fates in prop::collection::vec((any_fate(), 0usize..6, 0usize..8, any::<bool>()), 10..40),
        raised in prop::collection::vec(any::<bool>(), 20),
    ) {
        let mut inputs = inputs();
        inputs.limits.max_rounds = 5;
        let mut meeting = Meeting::open("two things", inputs);
        let mut basics = agreeable(99);
        let (mut said, mut decided, mut new) = (0usize, 0usize, 0usize);
        meeting.run(&mut |state: &State, call: &CallId| match call.purpose {
            Purpose::Speech => {
                let mut answer = contribution("mine");
                for issue in state.ledger.iter() {
                    let (stance, proposes, skip, reason, backs, against) = stances[said % stances.len()];
                    said += 1;
                    if skip == 0 { continue; }
                    let words = format!("text {said}");
                    let mut own = position(&issue.id.to_string(), stance, proposes.then_some(words.as_str()));
                    own.changed_because = reason.then(|| "seen better".to_owned());
                    own.backs = CODES.get(backs).map(|code| (*code).to_owned());
                    own.against = CODES.get(against).map(|code| (*code).to_owned());
                    answer.positions.push(own);
                }
                new += 1;
                if raised[new % raised.len()] && new < 15 {
                    answer.new_issues.push(new_issue("k", &format!("new {new}"), Severity::Blocking));
                }
                text(&answer)
            }
            Purpose::Summary => {
                let ids: Vec<String> = state.ledger.iter().map(|i| i.id.to_string()).collect();
                let mut answer = coach(Vec::new());
                answer.new_issues = vec![new_issue("p", "a part", Severity::Minor), new_issue("q", "b part", Severity::Blocking)];
                for id in &ids {
                    let (kind, cites, into, reason) = fates[decided % fates.len()];
                    decided += 1;
                    let mut given = fate(id, kind);
                    given.cites = Some(CODES[cites].to_owned());
                    given.into = vec![ids[into % ids.len()].clone(), "q".to_owned()];
                    given.reason = reason.then(|| "so".to_owned());
                    let beside = aitc::reply::Fate {
                        cites: Some(CODES[into % CODES.len()].to_owned()),
                        ..given.clone()
                    };
                    let fates = &mut answer.coach.as_mut().unwrap().fates;
                    fates.push(given);
                    fates.extend((kind == FateKind::Settled).then_some(beside));
                }
                text(&answer)
            }
            _ => basics(state, call),
        });
        let state = &meeting.state;
        prop_assert_eq!(state.stage, Stage::Published);
        for item in state.draft.standing() {
            let issue = state.ledger.find(item.issue).unwrap();
            let text = issue.text(item.text_id).unwrap();
            prop_assert!(issue.objectors_to(text).is_empty(), "{} over an objection", item.id);
            prop_assert!(!item.supporters.is_empty());
            let all = || state.draft.standing().filter(|other| other.issue == item.issue);
            let others = || all().filter(|other| other.id != item.id);
            for rival in issue.rivals(text) {
                let is_agreed = others().any(|other| {
                    let other = issue.text(other.text_id).unwrap();
                    issue.rivals(other).all(|one| one.id != rival.id)
                });
                prop_assert!(is_agreed, "{} beside {}", item.id, rival.id);
            }
            prop_assert!(others().count() == 0 || all().all(|one| told(&meeting, one.id)));
            for backer in &item.supporters {
                let mut twice = others().flat_map(|other| &other.supporters);
                prop_assert!(twice.all(|s| s.member != backer.member), "{backer:?} counts twice");
            }
        }
        let agreed = state.ending.is_agreed();
        prop_assert_eq!(agreed, state.ledger.blocking().next().is_none() && agreed);
        let last = state.ledger.iter().last().unwrap().id.0;
        prop_assert_eq!(state.ledger.iter().count() as u32, last, "an issue vanished");
        let mut replayed = State::open(&meeting.entries[0]).unwrap();
        for entry in &meeting.entries[1..] {
            prop_assert!(replayed.apply(entry).is_ok());
        }
        prop_assert_eq!(&replayed, state);
    }
}
