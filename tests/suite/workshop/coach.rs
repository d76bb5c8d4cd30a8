//! What the coach may do with issues, and what is refused.

use super::*;
use aitc::reply::Fate;

/// A meeting just before the first summary, with these positions taken.
pub(super) fn before_summary(
    positions: &[(&str, &str, Stance, Option<&str>)],
) -> (Meeting, CallId) {
    let mut meeting = Meeting::open("two things", inputs());
    let mut basics = agreeable(1);
    let call = meeting.until(Purpose::Summary, &mut |state, call| {
        if call.purpose != Purpose::Speech {
            return basics(state, call);
        }
        let code = state.inputs.roles.code(&call.member);
        let own = positions
            .iter()
            .filter(|(who, ..)| *who == code)
            .map(|(_, issue, stance, words)| position(issue, *stance, *words))
            .collect();
        text(&Contribution {
            positions: own,
            ..contribution("I say this.")
        })
    });
    (meeting, call)
}

pub(super) fn rules(meeting: &Meeting) -> Vec<(Rule, String)> {
    let last = meeting.state.discussion.summaries.last().unwrap();
    last.refused
        .iter()
        .map(|r| (r.rule, r.about.clone()))
        .collect()
}

#[test]
fn an_item_needs_a_cited_text_and_somebody_for_it() {
    let (mut meeting, call) = before_summary(&[
        ("PP", "I-1", Stance::Agree, None),
        ("SD", "I-2", Stance::Abstain, Some("maybe so")),
    ]);
    let answer = coach(vec![settled("I-1", "PP"), settled("I-2", "SD")]);
    meeting.reply(&call, &text(&answer));
    let expected = [
        (Rule::NotProposed, "I-1".to_owned()),
        (Rule::NoSupport, "I-2".to_owned()),
    ];
    assert_eq!(rules(&meeting), expected);
    assert_eq!(meeting.state.draft.standing().count(), 0);
}

#[test]
fn what_the_coach_forgets_stays_open_and_what_it_invents_is_not_entered() {
    let (mut meeting, call) = before_summary(&[("PP", "I-1", Stance::Agree, Some("do it"))]);
    let mut answer = coach(vec![settled("I-1", "PP"), settled("I-9", "PP")]);
    answer.new_issues = vec![new_issue("z", "out of the blue", Severity::Blocking)];
    meeting.reply(&call, &text(&answer));
    let expected = [
        (Rule::UnknownId, "I-9".to_owned()),
        (Rule::Forgotten, "I-2".to_owned()),
        (Rule::Invented, "out of the blue".to_owned()),
    ];
    assert_eq!(rules(&meeting), expected);
    assert!(meeting.issue(2).is_open());
    assert_eq!(meeting.state.ledger.iter().count(), 2);
}

#[test]
fn closing_needs_a_reason_and_blocking_issues_cannot_be_deferred() {
    let (mut meeting, call) = before_summary(&[]);
    let mut deferred = fate("I-2", FateKind::Deferred);
    deferred.reason = Some("later".to_owned());
    let answer = coach(vec![fate("I-1", FateKind::Dropped), deferred]);
    meeting.reply(&call, &text(&answer));
    let expected = [
        (Rule::NoReason, "I-1".to_owned()),
        (Rule::BlockingDeferred, "I-2".to_owned()),
    ];
    assert_eq!(rules(&meeting), expected);
    assert_eq!(meeting.state.ledger.blocking().count(), 2);
}

#[test]
fn refinement_splits_an_issue_and_a_blocking_one_keeps_its_hold() {
    let (mut meeting, call) = before_summary(&[]);
    let mut refined = fate("I-1", FateKind::Refined);
    refined.into = vec!["x".to_owned(), "y".to_owned()];
    let mut answer = coach(vec![refined, fate("I-2", FateKind::Open)]);
    answer.new_issues = vec![
        new_issue("x", "one half", Severity::Minor),
        new_issue("y", "other half", Severity::Minor),
    ];
    meeting.reply(&call, &text(&answer));
    // The part was raised as minor but becomes blocking, and a note says so.
    assert_eq!(rules(&meeting), [(Rule::BadTarget, "I-3".to_owned())]);
    let state = &meeting.state;
    let into = vec![IssueId(3), IssueId(4)];
    assert_eq!(
        state.ledger.find(IssueId(1)).unwrap().status,
        IssueStatus::Refined { into }
    );
    assert_eq!(
        state.ledger.find(IssueId(3)).unwrap().severity,
        Severity::Blocking
    );
    let parent = IssueId(1);
    assert_eq!(
        state.ledger.find(IssueId(4)).unwrap().origin,
        Origin::Refined { parent }
    );
}

#[test]
fn the_list_cannot_grow_for_ever() {
    let mut meeting = Meeting::open("two things", inputs());
    let mut basics = agreeable(99);
    meeting.run(&mut |state, call| {
        if call.purpose != Purpose::Summary {
            return basics(state, call);
        }
        let mut answer = coach(Vec::new());
        for issue in state.ledger.open() {
            let mut refined = fate(&issue.id.to_string(), FateKind::Refined);
            refined.into = (0..4).map(|n| format!("{}.{n}", issue.id)).collect();
            for key in &refined.into {
                answer
                    .new_issues
                    .push(new_issue(key, &format!("part {key}"), Severity::Blocking));
            }
            answer.coach.as_mut().unwrap().fates.push(refined);
        }
        text(&answer)
    });
    let open: Vec<usize> = meeting
        .state
        .discussion
        .summaries
        .iter()
        .map(|s| s.blocking_left)
        .collect();
    assert_eq!(open.len(), 10);
    assert!(open[2..].iter().all(|n| *n <= open[1]), "{open:?}");
    let grew = meeting.state.discussion.summaries[3]
        .refused
        .iter()
        .any(|r| r.rule == Rule::ListGrew);
    assert!(grew);
    assert_eq!(
        meeting.state.ending.stop.unwrap().reason,
        StopReason::RoundLimit
    );
}

#[test]
fn the_same_list_again_is_named_as_a_stall() {
    let mut meeting = Meeting::open("two things", inputs());
    let mut basics = agreeable(99);
    meeting.run(&mut |state, call| {
        if call.purpose == Purpose::Speech && call.round > 1 {
            return text(&contribution("nothing new"));
        }
        basics(state, call)
    });
    let second = &meeting.state.discussion.summaries[1].refused;
    assert_eq!(second.len(), 2);
    assert!(second.iter().all(|r| r.rule == Rule::Stalled), "{second:?}");
    assert!(meeting.state.discussion.summaries[0].refused.is_empty());
}

/// Whether the coach is told about a stalemate after two rounds in which PP's position on the first
/// issue is `first`, then `second`.
fn stalls(first: &str, second: &str) -> bool {
    let mut meeting = Meeting::open("two things", inputs());
    let mut basics = agreeable(99);
    while meeting.state.discussion.summaries.len() < 2 {
        let more = meeting.step(&mut |state, call| {
            if call.purpose != Purpose::Speech {
                return basics(state, call);
            }
            let why = if call.round == 1 { first } else { second };
            let mut speech = contribution("I see it so");
            let at = position("I-1", Stance::Object, None);
            speech.positions.push(aitc::reply::Position {
                why: why.to_owned(),
                ..at
            });
            text(&speech)
        });
        assert!(more);
    }
    let refused = &meeting.state.discussion.summaries[1].refused;
    refused
        .iter()
        .any(|r| r.rule == Rule::Stalled && r.about == "I-1")
}

#[test]
fn a_position_taken_word_for_word_again_is_none_and_a_new_reason_is_one() {
    assert!(stalls("too slow", "too slow"));
    assert!(stalls("too slow", " too  slow\n"));
    assert!(!stalls("too slow", "the file does not fit into memory"));
}

#[test]
fn a_blocking_issue_is_not_dropped_over_an_objection() {
    let (mut meeting, call) = before_summary(&[
        ("PP", "I-1", Stance::Agree, Some("do it")),
        ("RP", "I-1", Stance::Object, None),
        ("RP", "I-2", Stance::Abstain, None),
    ]);
    let dropped = |issue| Fate {
        reason: Some("nobody needs it".to_owned()),
        ..fate(issue, FateKind::Dropped)
    };
    meeting.reply(&call, &text(&coach(vec![dropped("I-1"), dropped("I-2")])));
    assert_eq!(rules(&meeting), [(Rule::ObjectionStands, "I-1".to_owned())]);
    let status = |id| &meeting.issue(id).status;
    assert_eq!(*status(1), IssueStatus::Open);
    assert_eq!(*status(2), IssueStatus::Dropped);
    let told = &meeting.state.discussion.summaries[0].refused[0].detail;
    assert_eq!(told, "it was dropped, but RP objects");
}

#[test]
fn what_is_merged_into_it_brings_its_objection_before_it_can_be_dropped() {
    let (mut meeting, call) = before_summary(&[("RP", "I-2", Stance::Object, None)]);
    let merged = Fate {
        into: vec!["I-1".to_owned()],
        ..fate("I-2", FateKind::Merged)
    };
    let dropped = Fate {
        reason: Some("nobody needs it".to_owned()),
        ..fate("I-1", FateKind::Dropped)
    };
    meeting.reply(&call, &text(&coach(vec![dropped, merged])));
    assert_eq!(rules(&meeting), [(Rule::ObjectionStands, "I-1".to_owned())]);
}

#[test]
fn no_need_of_a_long_list_is_lost() {
    let mut meeting = opened(|inputs| inputs.model.provider = "ollama".to_owned());
    let mut basics = agreeable(1);
    let needs = |n| {
        let severity = match n {
            14 => Severity::Blocking,
            _ => Severity::Minor,
        };
        new_issue(&format!("n{n}"), &format!("need number {n}"), severity)
    };
    meeting.until(Purpose::Speech, &mut |state, call| match call.purpose {
        Purpose::Judgment => text(&Contribution {
            new_issues: (1..=15).map(needs).collect(),
            ..contribution("Fifteen needs.")
        }),
        _ => basics(state, call),
    });
    let state = &meeting.state;
    assert_eq!(state.ledger.open().count(), 13);
    let rest = state.ledger.find(IssueId(13)).unwrap();
    assert_eq!(rest.severity, Severity::Blocking);
    for n in 1..=15 {
        let title = format!("need number {n}");
        let mut open = state.ledger.open();
        let kept = open.any(|i| i.title == title || i.detail.contains(&title));
        assert!(kept, "{title} is lost: {rest:?}");
    }
    let told = state.judgment.refused.iter().map(|one| &*one.about);
    let told: Vec<&str> = told.collect();
    assert_eq!(told, ["need number 13", "need number 14", "need number 15"]);
    assert!(state.judgment.refused[0].detail.contains("`I-13`"));
}
