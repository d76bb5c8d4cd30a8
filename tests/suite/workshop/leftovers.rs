//! Nothing in an answer is lost: what the rules remove is still in the transcript.

use std::collections::BTreeSet;

use super::*;
use aitc::machine::{DebatePart, Intent};
use aitc::reply::{Decision, Position, Reminder};

use crate::support::divided;
use crate::support::meeting::{ruling, vote};

/// `n` different markers that start with `of`.
fn marks(of: &str, n: usize) -> Vec<String> {
    (1..=n).map(|i| format!("{of}x{i}x")).collect()
}

fn asked(question: &str, words: &str) -> AskedQuestion {
    AskedQuestion {
        why: format!("{words}-why"),
        blocks: Some("I-99".to_owned()),
        options: vec![format!("{words}-option")],
        recommended: format!("{words}-recommended"),
        ..crate::support::meeting::question(question)
    }
}

fn stand(issue: &str, words: &str) -> Position {
    Position {
        why: format!("{words}-why"),
        ..position(issue, Stance::Agree, Some(words))
    }
}

fn coach_part(words: &str) -> CoachPart {
    CoachPart {
        fates: vec![fate(words, FateKind::Open)],
        reminders: vec![Reminder {
            member: format!("{words}-who"),
            text: format!("{words}-what"),
        }],
        relays: vec![Relay {
            of: None,
            question: "Q-77".to_owned(),
            answer: Some(format!("{words}-answer")),
            cites: Some(format!("{words}-place")),
        }],
        ..coach(Vec::new()).coach.unwrap()
    }
}

/// An answer in which every part has too much: duplicates, unknown ids, or more than one turn may
/// contain.
fn overfull(of: &str) -> Contribution {
    let mark = |part: &str, n| marks(&format!("{of}{part}"), n);
    let long = format!("{}\n{of}second-line", "long ".repeat(40));
    let mut issues: Vec<_> = mark("issue", 14)
        .iter()
        .map(|m| new_issue(m, &format!("{m}-title"), Severity::Minor))
        .collect();
    issues.insert(0, new_issue("long", &long, Severity::Blocking));
    let mut twice = issues[1].clone();
    twice.detail = format!("{of}issue-again");
    issues.push(twice);
    let mut questions: Vec<_> = mark("question", 5).iter().map(|m| asked(m, m)).collect();
    questions.push(asked(
        &questions[0].question.clone(),
        &format!("{of}question-again"),
    ));
    let positions = [("I-1", "first"), ("I-1", "second"), ("I-55", "nowhere")];
    let positions = positions.map(|(issue, words)| stand(issue, &format!("{of}{words}")));
    Contribution {
        positions: positions.into(),
        new_issues: issues,
        questions,
        coach: Some(coach_part(&format!("{of}coach"))),
        ..contribution(&format!("{of}analysis"))
    }
}

/// All texts of an answer that are markers.
fn words_of(answer: &Contribution, of: &str) -> BTreeSet<String> {
    fn texts(value: &serde_json::Value, into: &mut Vec<String>) {
        match value {
            serde_json::Value::String(text) => into.push(text.clone()),
            serde_json::Value::Array(all) => all.iter().for_each(|one| texts(one, into)),
            serde_json::Value::Object(all) => all.values().for_each(|one| texts(one, into)),
            _ => {}
        }
    }
    let mut all = Vec::new();
    texts(&serde_json::to_value(answer).unwrap(), &mut all);
    let parts = |text: &String| -> Vec<String> {
        let words = text.split(|c: char| !c.is_alphanumeric() && c != '-');
        words.map(str::to_owned).collect()
    };
    let words = all.iter().flat_map(parts);
    let own = words.filter(|word| word.starts_with(of));
    own.collect()
}

#[test]
fn what_the_rules_leave_out_of_an_answer_is_in_the_transcript() {
    let mut meeting = opened(|inputs| inputs.rules.limits.max_rounds = 1);
    let mut basics = agreeable(1);
    let mut given: Vec<(Purpose, BTreeSet<String>)> = Vec::new();
    let mut spoken = 0;
    for _ in 0..40 {
        let went_on = meeting.step(&mut |state, call| {
            let of = match call.purpose {
                Purpose::Judgment => "jj",
                Purpose::Speech if spoken == 0 => "ss",
                Purpose::Relay => "rr",
                Purpose::FollowUp => "ff",
                Purpose::Summary => "mm",
                _ => return basics(state, call),
            };
            spoken += u32::from(call.purpose == Purpose::Speech);
            if given.iter().any(|(purpose, _)| *purpose == call.purpose) {
                return basics(state, call);
            }
            let mut answer = overfull(of);
            if call.purpose == Purpose::Relay {
                let twice = |words: &str| Relay {
                    of: None,
                    question: "Q-4".to_owned(),
                    answer: Some(words.to_owned()),
                    cites: Some("rrnowhere".to_owned()),
                };
                let relays = &mut answer.coach.as_mut().unwrap().relays;
                relays.extend([twice("rrfirst"), twice("rrsecond")]);
            }
            given.push((call.purpose, words_of(&answer, of)));
            text(&answer)
        });
        while meeting.state.questions.waiting().next().is_some() {
            meeting.answers("As you like.", AnswerSource::Command);
        }
        if !went_on {
            break;
        }
    }
    let purposes: Vec<_> = given.iter().map(|(purpose, _)| *purpose).collect();
    for due in [
        Purpose::Judgment,
        Purpose::Speech,
        Purpose::Relay,
        Purpose::FollowUp,
        Purpose::Summary,
    ] {
        assert!(
            purposes.contains(&due),
            "{due:?} was not asked: {purposes:?}"
        );
    }
    nothing_is_lost(&meeting, given);
}

fn nothing_is_lost(meeting: &Meeting, given: Vec<(Purpose, BTreeSet<String>)>) {
    let entries = meeting.entries.iter();
    let transcript: String = entries
        .map(|entry| serde_json::to_string(entry).unwrap())
        .collect();
    for (purpose, words) in given {
        assert!(words.len() > 30, "{purpose:?}: {words:?}");
        let lost: Vec<_> = words
            .iter()
            .filter(|word| !transcript.contains(word.as_str()))
            .collect();
        assert!(lost.is_empty(), "{purpose:?} lost {lost:?}");
    }
}

/// In a debate the coach opens, sums up and rules, and in a vote a member casts a ballot; anything
/// else in these answers is recorded and noted.
#[test]
fn what_is_said_beside_a_ruling_or_a_ballot_is_in_the_transcript() {
    let mut meeting = divided::open(|_| {});
    let mut basics = divided::usual();
    let mut given: Vec<(Purpose, BTreeSet<String>)> = Vec::new();
    let mut script = |state: &State, call: &CallId| {
        let of = match call.purpose {
            Purpose::Debate(DebatePart::Opening) => "oo",
            Purpose::Debate(DebatePart::Argument) => "aa",
            Purpose::Debate(DebatePart::Summary) => "mm",
            Purpose::Debate(DebatePart::Ruling) => "rr",
            Purpose::Vote => "vv",
            _ => return basics(state, call),
        };
        if given.iter().any(|(purpose, _)| *purpose == call.purpose) {
            return match call.purpose {
                Purpose::Vote => vote(Stance::Object),
                _ => basics(state, call),
            };
        }
        let mut answer = overfull(of);
        let mut ruled = ruling(Decision::Adopt, &format!("{of}conclusion"));
        let part = answer.coach.as_mut().unwrap();
        part.ruling = ruled.coach.take().unwrap().ruling;
        if call.purpose == Purpose::Debate(DebatePart::Opening) {
            // An incomplete ruling is ignored, which is noted.
            part.ruling.as_mut().unwrap().rationale.clear();
        } else if call.purpose != Purpose::Debate(DebatePart::Ruling) {
            part.ruling = None;
        }
        for words in ["first-ballot", "ballot"] {
            answer.positions.push(stand("END", &format!("{of}{words}")));
        }
        given.push((call.purpose, words_of(&answer, of)));
        text(&answer)
    };
    meeting.until(Purpose::Debate(DebatePart::Opening), &mut script);
    meeting.until(Purpose::Debate(DebatePart::Ruling), &mut script);
    meeting.record(typed(Intent::VoteToEnd, "/vote"));
    meeting.run(&mut script);
    assert_eq!(given.len(), 5, "{given:?}");
    nothing_is_lost(&meeting, given);
    let events = || meeting.events();
    let ruled = events().find_map(|event| match event {
        Event::DebateResolved(resolved) => Some(resolved),
        _ => None,
    });
    assert_eq!(ruled.unwrap().output, "rranalysis");
    let cast = events().find_map(|event| match event {
        Event::VoteCast { output, notes, .. } => Some((output, notes)),
        _ => None,
    });
    let (output, notes) = cast.unwrap();
    assert_eq!(output, "vvanalysis");
    let about: Vec<_> = notes.iter().map(|note| note.about.as_str()).collect();
    let wanted = [
        "END",
        "END",
        "positions",
        "questions",
        "new_issues",
        "coach",
    ];
    assert_eq!(about, wanted);
    let shown = meeting.shown();
    holds(
        &shown,
        &[
            "(coach.ruling): a ruling needs its reason and its text",
            "(coach): the coach opens a debate, sums it up and rules",
            "a vote takes in one stance on `END` and why",
        ],
    );
}
