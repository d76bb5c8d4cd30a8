//! An inquiry: a member's question is searched for before the coach is asked to relay it.

use aitc::machine::inquiry::MAX_FINDS;
use aitc::machine::*;
use aitc::reply::Severity;

use super::{asking, relay, relaying};
use crate::support::meeting::*;
use crate::support::search::{next_inquiry, survey};

/// SD asks one question and TP two in round 1; the coach passes them on.
fn script() -> impl FnMut(&State, &CallId) -> String {
    let mut basics = agreeable(1);
    move |state, call| match (call.purpose, call.turn) {
        (Purpose::Speech, 2) => text(&asking("Is there a migration?")),
        (Purpose::Speech, 4) => {
            let mut asked = asking("Which limit holds?");
            let more = asking("Who may migrate?").questions;
            asked.questions.extend(more);
            text(&asked)
        }
        (Purpose::Relay, _) => {
            let raised = state.questions.asked.iter();
            let raised = raised.filter(|q| q.status == QuestionStatus::Raised);
            let relays = raised.map(|question| aitc::reply::Relay {
                of: None,
                question: question.id.to_string(),
                ..relay()
            });
            text(&relaying(relays.collect()))
        }
        _ => basics(state, call),
    }
}

fn meeting(first_round: FirstRound, found: Survey) -> Meeting {
    let mut inputs = inputs();
    inputs.questions = QuestionMode::Assume;
    inputs.rules.first_round = first_round;
    let mut meeting = Meeting::open("two things", inputs);
    meeting.survey = found;
    meeting
}

fn held(first_round: FirstRound, found: Survey) -> Meeting {
    let mut meeting = meeting(first_round, found);
    meeting.run(&mut script());
    assert_eq!(meeting.state.stage, Stage::Published);
    meeting
}

fn question(n: u32) -> Topic {
    Topic::Question(QuestionId(n))
}

#[test]
fn where_there_is_nothing_to_look_in_nobody_looks() {
    let inquiries = |survey: Survey| {
        let meeting = held(FirstRound::Sequential, survey);
        let events = meeting.entries.iter();
        let looks = events.filter(|entry| matches!(entry.event, Event::Inquiry { .. }));
        looks.count()
    };
    assert_eq!(inquiries(Survey::default()), 0);
    let knowledge_files = 1;
    let knowledge = Survey {
        knowledge_files,
        ..Survey::default()
    };
    assert_eq!(inquiries(knowledge), 2, "a knowledge folder is enough");
}

fn replayed(entries: &[Entry]) -> State {
    let mut state = State::open(&entries[0]).unwrap();
    for entry in &entries[1..] {
        state
            .apply(entry)
            .unwrap_or_else(|why| panic!("{why}: {entry:?}"));
    }
    state
}

/// Wherever the run stops, the next action equals the recorded event.
#[test]
fn a_run_that_is_cut_off_looks_for_what_nobody_has_looked_for() {
    let meeting = held(FirstRound::Blind, survey());
    let entries = &meeting.entries;
    let is_inquiry = |entry: &Entry| matches!(entry.event, Event::Inquiry { .. });
    let first = entries.iter().position(is_inquiry).unwrap();
    let ids = |wanted: &[u32]| Action::Inquire(wanted.iter().map(|n| question(*n)).collect());
    assert_eq!(
        next_actions(&replayed(&entries[..first])),
        [ids(&[1, 2, 3])]
    );
    let between = replayed(&entries[..=first]);
    assert_eq!(next_actions(&between), [ids(&[2, 3])]);
    assert_eq!(next_inquiry(&between), entries[first + 1].event);
    let after = replayed(&entries[..first + 2]);
    let due = next_actions(&after);
    assert!(matches!(&due[..], [Action::Call(call)] if call.purpose == Purpose::Relay));
    assert_eq!(replayed(entries), meeting.state);
}

/// An older transcript without inquiries, in which the coach is asked at once, is still valid.
#[test]
fn a_transcript_without_inquiries_is_read_as_before() {
    let meeting = held(FirstRound::Sequential, survey());
    let mut old = meeting.entries.clone();
    old.retain(|entry| !matches!(entry.event, Event::Inquiry { .. }));
    assert!(old.len() < meeting.entries.len());
    let state = replayed(&old);
    assert_eq!(state.stage, Stage::Published);
    assert!(state.grounding.looked.is_empty());
    let is_relayed = |entry: &Entry| matches!(entry.event, Event::ClarificationRelayed { .. });
    let relayed = old.iter().position(is_relayed).unwrap();
    let taken_up = replayed(&old[..=relayed]);
    assert_eq!(inquiry::due(&taken_up).count(), 0, "what is past is past");
}

/// The state before TP's inquiry, and the event.
fn before_the_second() -> (State, Event) {
    let mut meeting = meeting(FirstRound::Sequential, survey());
    meeting.until(Purpose::Relay, &mut script());
    while inquiry::due(&meeting.state).next().is_none() {
        assert!(meeting.step(&mut script()));
    }
    let event = next_inquiry(&meeting.state);
    assert!(may_follow(&meeting.state, &event).is_ok());
    (meeting.state, event)
}

#[test]
fn a_forged_inquiry_is_refused() {
    let (state, event) = before_the_second();
    type Hand = fn(&mut Vec<inquiry::Looked>);
    let forgeries: [(&str, Hand); 9] = [
        ("nothing looked for", |all| all.clear()),
        ("one question of two", |all| all.truncate(1)),
        ("another order", |all| all.reverse()),
        ("the same question twice", |all| all[1] = all[0].clone()),
        ("an unknown question", |all| all[0].id = question(9)),
        ("a question already looked into", |all| {
            all[0].id = question(1);
        }),
        ("more places than fit", |all| {
            let find = all[0].finds[0].clone();
            all[0].finds = (0..=MAX_FINDS)
                .map(|n| inquiry::Find {
                    path: format!("{n}.md"),
                    ..find.clone()
                })
                .collect();
        }),
        ("no path", |all| all[0].finds[0].path = " ".to_owned()),
        ("lines that end before they begin", |all| {
            all[0].finds[0].to = 2;
        }),
    ];
    for (what, hand) in forgeries {
        let mut forged = event.clone();
        let Event::Inquiry { looked, .. } = &mut forged else {
            unreachable!()
        };
        hand(looked);
        assert_ne!(forged, event, "{what} changes nothing");
        assert!(may_follow(&state, &forged).is_err(), "{what} is taken");
    }
}

#[test]
fn nobody_looks_while_the_coach_is_asked_or_twice() {
    let (state, event) = before_the_second();
    let Event::Inquiry { looked, .. } = &event else {
        unreachable!()
    };
    let mut meeting = meeting(FirstRound::Sequential, survey());
    meeting.state = state;
    assert_eq!(looked[0].id, question(2));
    // An older program asks the coach at once.
    let relay = CallId::new(
        aitc::machine::Scope::Question(2),
        Purpose::Relay,
        aitc::role::RoleId::coach(),
        1,
        1,
    );
    meeting.record(started(&relay));
    assert!(meeting.try_record(event.clone()).is_err());
    meeting.record(resumed());
    meeting.record(event.clone());
    assert!(meeting.try_record(event).is_err());
}

/// SD raises an issue in round 1 and TP one in round 2; each is settled in the following round.
#[test]
fn what_is_found_for_an_issue_stands_before_all_who_speak_while_it_is_open() {
    for (depth, wanted) in [
        (Depth::Looks, "--333 333334 44444"),
        (Depth::Map, "----- ----- -----"),
    ] {
        let mut inputs = inputs();
        inputs.rules.first_round = FirstRound::Sequential;
        inputs.rules.grounding.depth = depth;
        let mut meeting = Meeting::open("two things", inputs);
        meeting.survey = survey();
        let mut basics = agreeable(1);
        let mut shown = String::new();
        meeting.run(&mut |state, call| {
            let answer = basics(state, call);
            if call.purpose != Purpose::Speech {
                return answer;
            }
            let found = state.discussion.said.iter().filter_map(|said| match said {
                Said::Look(index) => state.grounding.looks.all[*index].issue,
                _ => None,
            });
            let found: Vec<String> = found.map(|id| id.0.to_string()).collect();
            let gap = if call.turn == 1 && call.round > 1 {
                " "
            } else {
                ""
            };
            let found = Some(found.concat()).filter(|found| !found.is_empty());
            shown += &format!("{gap}{}", found.as_deref().unwrap_or("-"));
            if !matches!((call.round, call.turn), (1, 2) | (2, 4)) {
                return answer;
            }
            let mut said = spoken(&answer);
            let title = format!("What {} is held to", call.member);
            said.new_issues = vec![new_issue("n", &title, Severity::Blocking)];
            text(&said)
        });
        assert_eq!(shown, wanted);
        assert_eq!(meeting.replayed(meeting.entries.len()), meeting.state);
    }
}
