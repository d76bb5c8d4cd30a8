//! Debates that the user skips, and debates whose issue is closed first.

use aitc::machine::debate::{Plain, Unheld, WantedDebate, WhyUnheld};
use aitc::machine::{CallId, DebatePart, Event, IssueId, Purpose, State};
use aitc::reply::{Decision, FateKind};

use super::told;
use crate::support::divided::{divided, open, usual};
use crate::support::meeting::*;

fn skips(meeting: &mut Meeting) {
    let event = sent(&meeting.state, "/skip");
    assert_eq!(refused(&event), None);
    meeting.record(event);
}

fn is_left_out(state: &State, nth: usize) -> bool {
    let resolution = state.debates.held[nth].resolution.as_ref().unwrap();
    resolution.plain == Some(Plain::Skipped) && resolution.ruling.decision == Decision::Shelve
}

#[test]
fn one_that_goes_on_ends_at_once_and_keeps_what_was_argued() {
    let mut meeting = open(|_| {});
    let call = meeting.until(Purpose::Debate(DebatePart::Summary), &mut usual());
    skips(&mut meeting);
    assert!(
        meeting
            .try_record(crate::support::meeting::started(&call))
            .is_err(),
        "nobody is asked any more"
    );
    meeting.run(&mut usual());
    let state = &meeting.state;
    assert!(is_left_out(state, 0));
    assert_eq!(
        told(&meeting),
        [
            "D-1 started",
            "argument PP r1",
            "argument SD r1",
            "D-1 shelve"
        ]
    );
    assert!(
        state
            .ledger
            .find(IssueId(1))
            .unwrap()
            .conclusions()
            .next()
            .is_none()
    );
    assert!(!state.debates.skips, "only this one");
    assert!(state.round > 1, "the discussion continues");
}

#[test]
fn one_that_is_due_is_never_opened_by_a_call() {
    // A debate triggered by the previous summary.
    let mut meeting = open(|_| {});
    let call = meeting.until(Purpose::Summary, &mut usual());
    assert_eq!(
        refused(&sent(&meeting.state, "/skip")),
        Some(Unheld::NoDebate)
    );
    meeting.reply(&call, &usual()(&meeting.state, &call));
    skips(&mut meeting);
    meeting.run(&mut usual());
    assert!(is_left_out(&meeting.state, 0));
    assert_eq!(told(&meeting), ["D-1 started", "D-1 shelve"]);

    // A debate that the user requested and then skipped.
    let mut meeting = open(|inputs| inputs.limits.debates.divergence = false);
    meeting.until(Purpose::Speech, &mut usual());
    meeting.says("/debate Who pays?");
    skips(&mut meeting);
    meeting.says("/debate Who gains?");
    meeting.run(&mut usual());
    assert!(is_left_out(&meeting.state, 0));
    assert!(!is_left_out(&meeting.state, 1), "the next one is held");

    // The review before round 1.
    let mut meeting = open(|inputs| {
        inputs.limits.debates.review = true;
        inputs.limits.debates.divergence = false;
    });
    let call = meeting.until(Purpose::Judgment, &mut usual());
    meeting.reply(&call, &usual()(&meeting.state, &call));
    skips(&mut meeting);
    meeting.run(&mut usual());
    assert!(is_left_out(&meeting.state, 0));
    assert_eq!(meeting.state.debates.held.len(), 1);
}

#[test]
fn where_there_is_none_that_is_said_on_record() {
    let mut meeting = open(|_| {});
    meeting.until(Purpose::Speech, &mut usual());
    let event = sent(&meeting.state, "/skip");
    assert_eq!(refused(&event), Some(Unheld::NoDebate));
    let mut forged = event.clone();
    if let Event::UserIntervention { refused, .. } = &mut forged {
        *refused = None;
    }
    assert!(meeting.try_record(forged).is_err());
    meeting.record(event);
    meeting.run(&mut usual());
    assert!(
        !is_left_out(&meeting.state, 0),
        "it holds for nothing later"
    );
}

fn voided(meeting: &Meeting) -> Vec<&WantedDebate> {
    let events = meeting.events();
    let voided = events.filter_map(|event| match event {
        Event::DebateVoided(voided) => Some(voided),
        _ => None,
    });
    voided.collect()
}

#[test]
fn a_debate_whose_issue_is_settled_meanwhile_falls_away_on_record() {
    let mut meeting = open(|inputs| inputs.limits.debates.divergence = false);
    meeting.until(Purpose::Summary, &mut usual());
    for topic in [
        "/debate I-2",
        "/debate I-1 who exports",
        "/debate i-3 how large?",
    ] {
        meeting.says(topic);
    }
    let early = Event::DebateVoided(WantedDebate {
        topic: "I-2".to_owned(),
        about: Some(IssueId(2)),
        phase_id: None,
    });
    assert!(meeting.try_record(early).is_err(), "it is still open");
    meeting.run(&mut usual());
    // The summary of round 1 settles I-2 and I-3 and leaves I-1 open.
    let about: Vec<_> = voided(&meeting)
        .iter()
        .filter_map(|one| one.about)
        .collect();
    assert_eq!(about, [IssueId(2), IssueId(3)]);
    assert_eq!(voided(&meeting)[0].topic, "I-2");
    let plan = aitc::artifact::structured(&meeting.state);
    let unheld = plan.debates_unheld.iter();
    let unheld: Vec<_> = unheld
        .map(|one| (one.wanted.about.unwrap(), one.why))
        .collect();
    assert_eq!(
        unheld,
        [IssueId(2), IssueId(3)].map(|issue| (issue, WhyUnheld::IssueClosed))
    );
    let debates = &meeting.state.debates.held;
    assert_eq!(debates.len(), 1, "{:?}", told(&meeting));
    assert_eq!(debates[0].motion.about, Some(IssueId(1)));
    assert_eq!(debates[0].motion.debate_config.topic, "I-1 who exports");
    let issue = meeting.issue(1);
    assert_eq!(
        issue.conclusions().count(),
        1,
        "its conclusion returns to it"
    );
    assert!(meeting.state.debates.wanted.is_empty());
}

#[test]
fn a_debate_follows_its_issue_into_the_one_it_was_merged_with() {
    let mut meeting = open(|inputs| inputs.limits.debates.divergence = false);
    meeting.until(Purpose::Speech, &mut usual());
    meeting.says("/debate I-2");
    let mut rest = divided(|_, _, _| None);
    meeting.run(&mut |state: &State, call: &CallId| {
        if call.purpose != Purpose::Summary || call.round > 1 {
            return rest(state, call);
        }
        let mut merged = fate("I-2", FateKind::Merged);
        merged.into = vec!["I-1".to_owned()];
        let kept = fate("I-1", FateKind::Open);
        text(&coach(vec![merged, kept, settled("I-3", "PP")]))
    });
    assert!(voided(&meeting).is_empty());
    assert_eq!(meeting.state.debates.held[0].motion.about, Some(IssueId(1)));
}

#[test]
fn an_issue_that_is_not_open_cannot_be_debated() {
    let mut meeting = open(|_| {});
    let call = meeting.until(Purpose::Summary, &mut usual());
    meeting.reply(&call, &usual()(&meeting.state, &call));
    for topic in ["/debate I-2", "/debate I-9 which?"] {
        let event = sent(&meeting.state, topic);
        assert_eq!(refused(&event), Some(Unheld::NotOpen), "{topic}");
    }
}
