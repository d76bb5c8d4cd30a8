//! What triggers a debate, and what prevents it.

use aitc::machine::debate::Trigger;
use aitc::machine::{CallId, Event, IssueId, Purpose, Refusal, Rule, State};
use aitc::reply::*;

use super::told;
use crate::support::divided::{divided, held, needs, open};
use crate::support::meeting::*;

#[test]
fn none_is_held_where_it_is_switched_off_or_not_worth_it() {
    assert_eq!(held(|_| {}).state.debates.held.len(), 1);
    assert!(told(&held(|inputs| inputs.limits.debates.divergence = false)).is_empty());
    assert!(told(&held(|inputs| inputs.limits.debates.max = 0)).is_empty());
    assert!(told(&held(|inputs| inputs.light = true)).is_empty());
    // There is no later round that could use the conclusion.
    assert!(told(&held(|inputs| inputs.limits.max_rounds = 1)).is_empty());
}

#[test]
fn small_work_is_not_debated() {
    let mut meeting = open(|_| {});
    let mut script = divided(|_, _, _| None);
    meeting.run(&mut |state, call| match call.purpose {
        Purpose::Judgment => text(&Contribution {
            new_issues: needs().new_issues[..2].to_vec(),
            ..contribution("Two needs.")
        }),
        _ => script(state, call),
    });
    assert!(told(&meeting).is_empty());
    assert!(meeting.state.ending.is_agreed());
}

/// A meeting whose coach names `found` in the summary of round 1; nobody objects.
fn judged(found: Option<FoundDivergence>) -> Meeting {
    let mut meeting = open(|_| {});
    let mut rest = agreeable(1);
    meeting.run(&mut |state: &State, call: &CallId| match call.purpose {
        Purpose::Judgment => text(&needs()),
        Purpose::Summary if call.round == 1 => {
            let mut said = coach(vec![
                fate("I-1", FateKind::Open),
                settled("I-2", "PP"),
                settled("I-3", "PP"),
            ]);
            said.coach.as_mut().unwrap().divergence = found.clone();
            text(&said)
        }
        _ => rest(state, call),
    });
    meeting
}

fn found(issue: &str, sides: &[&str], question: &str) -> FoundDivergence {
    FoundDivergence {
        criterion: DivergenceKind::Alternatives,
        ..divergence(issue, question, sides)
    }
}

fn refusals(meeting: &Meeting) -> Vec<&Refusal> {
    let refused = meeting.events().map(|event| match event {
        Event::ConsensusSummary { refused, .. } => refused.as_slice(),
        _ => &[],
    });
    refused.flatten().collect()
}

#[test]
fn the_coach_may_find_a_divergence_without_objections() {
    let meeting = judged(Some(found("i1", &["Dev", "pp"], "Which way?")));
    let debate = &meeting.state.debates.held[0];
    let criterion = DivergenceKind::Alternatives;
    assert_eq!(debate.motion.trigger, Trigger::Coach { criterion });
    let who: Vec<&str> = debate.participants().iter().map(|m| m.as_str()).collect();
    assert_eq!(
        who,
        ["ProductPlanner", "SeniorDeveloper"],
        "in speaking order"
    );
    assert_eq!(debate.motion.debate_config.topic, "Which way?");
}

#[test]
fn an_incomplete_judgment_is_no_divergence() {
    for named in [
        found("I-1", &["PP"], "Which way?"),
        found("I-1", &["PP", "nobody"], "Which way?"),
        found("I-1", &["PP", "SD"], " "),
        found("I-2", &["PP", "SD"], "Which way?"),
        found("I-99", &["PP", "SD"], "Which way?"),
    ] {
        let meeting = judged(Some(named.clone()));
        assert!(told(&meeting).is_empty(), "{named:?}");
        let rules: Vec<Rule> = refusals(&meeting).iter().map(|r| r.rule).collect();
        assert_eq!(rules, [Rule::NoDivergence], "{named:?}");
    }
    assert!(told(&judged(None)).is_empty());
}

/// A meeting in which PP and SD take these positions on I-1.
fn after(positions: &[(&str, u32, Stance, Option<&str>)]) -> Meeting {
    let mut meeting = open(|inputs| inputs.limits.max_rounds = 3);
    let mut rest = agreeable(9);
    let positions = positions.to_vec();
    meeting.run(&mut |state, call| match call.purpose {
        Purpose::Judgment => text(&needs()),
        Purpose::Speech => {
            let code = state.inputs.roles.code(&call.member);
            let mine = positions
                .iter()
                .filter(|(who, round, ..)| *who == code && *round == call.round);
            let mut said = contribution("Mine.");
            said.positions = mine
                .map(|(_, _, stance, words)| {
                    let mut position = position("I-1", *stance, *words);
                    position.changed_because = Some("an argument".to_owned());
                    position
                })
                .collect();
            text(&said)
        }
        _ => rest(state, call),
    });
    meeting
}

#[test]
fn objections_are_mutual_only_when_both_sides_hold_on_to_a_text() {
    use Stance::{Agree, Object, Refine};
    let debated = |positions: &[(&str, u32, Stance, Option<&str>)]| {
        let meeting = after(positions);
        meeting
            .state
            .debates
            .held
            .first()
            .map(|debate| debate.after_round)
    };
    // Both object with their own texts. PP has seen SD's text in round 2 and does not answer.
    assert_eq!(
        debated(&[("PP", 1, Object, Some("a")), ("SD", 1, Object, Some("b"))]),
        Some(2)
    );
    // Both object with the same text.
    assert_eq!(
        debated(&[("PP", 1, Object, Some("a")), ("SD", 1, Object, Some("a"))]),
        None
    );
    // PP sees the objection only in round 2, and keeps its text.
    let once = [("PP", 1, Refine, Some("a")), ("SD", 1, Object, Some("b"))];
    let held_on = [once[0], once[1], ("PP", 2, Agree, Some("a"))];
    assert_eq!(debated(&held_on), Some(2));
    // PP adopts the other text.
    let gave_way = [once[0], once[1], ("PP", 2, Refine, Some("b"))];
    assert_eq!(debated(&gave_way), None);
    // An objection without an alternative text.
    assert_eq!(
        debated(&[
            ("PP", 1, Refine, Some("a")),
            ("SD", 1, Object, None),
            ("PP", 2, Agree, None)
        ]),
        None
    );
}

/// PP and SD object to each other in every round; the coach declines a debate in the rounds
/// `declined`. Returns the round after which the debate takes place.
fn debated_after(declined: &[u32], reason: &str) -> Option<u32> {
    let mut meeting = open(|inputs| inputs.limits.max_rounds = 5);
    let mut rest = divided(|_, _, _| None);
    meeting.run(&mut |state, call| match call.purpose {
        Purpose::Speech => {
            let mut first = call.clone();
            first.round = 1;
            text(&crate::support::divided::speech(state, &first))
        }
        Purpose::Summary => {
            let mut said = coach(Vec::new());
            let no = NoDebate {
                issue: "I-1".to_owned(),
                reason: reason.to_owned(),
            };
            let part = said.coach.as_mut().unwrap();
            part.no_debate
                .extend(declined.contains(&call.round).then_some(no));
            text(&said)
        }
        _ => rest(state, call),
    });
    let debate = meeting.state.debates.held.first()?;
    assert_eq!(debate.motion.trigger, Trigger::Objections);
    let who: Vec<&str> = debate.participants().iter().map(|m| m.as_str()).collect();
    assert_eq!(who, ["ProductPlanner", "SystemDesigner"]);
    Some(debate.after_round)
}

#[test]
fn the_coachs_no_needs_a_reason_and_holds_for_one_round() {
    for (declined, reason, after) in [
        (&[][..], "", 2),
        (&[2], "They are close.", 3),
        (&[2, 3], "They are close.", 3),
        (&[2], " ", 2),
    ] {
        let found = debated_after(declined, reason);
        assert_eq!(found, Some(after), "{declined:?} `{reason}`");
    }
}

/// A member that objects to the text of a named side, or supports a text that a named side objects
/// to, takes part.
#[test]
fn the_only_opponent_is_not_left_out() {
    let mut meeting = open(|_| {});
    let mut rest = agreeable(9);
    meeting.run(&mut |state, call| match call.purpose {
        Purpose::Judgment => text(&needs()),
        Purpose::Speech => {
            let own = match state.inputs.roles.code(&call.member) {
                "PP" => position("I-1", Stance::Refine, Some("photos")),
                "SD" => position("I-1", Stance::Agree, None),
                "Dev" => position("I-1", Stance::Refine, Some("photos for a month")),
                "RP" => position("I-1", Stance::Object, Some("text")),
                _ => position("I-1", Stance::Abstain, None),
            };
            text(&Contribution {
                positions: vec![own],
                ..contribution("Mine.")
            })
        }
        Purpose::Summary if call.round == 1 => {
            let mut said = coach(Vec::new());
            said.coach.as_mut().unwrap().divergence = Some(found("I-1", &["SD", "Dev"], "Which?"));
            text(&said)
        }
        _ => rest(state, call),
    });
    let debate = &meeting.state.debates.held[0];
    let who: Vec<&str> = debate.participants().iter().map(|m| m.as_str()).collect();
    assert_eq!(who, ["SystemDesigner", "SeniorDeveloper", "RiskPlanner"]);
}

#[test]
fn an_issue_is_debated_once() {
    let mut meeting = open(|inputs| inputs.limits.max_rounds = 5);
    let mut script = divided(|_, _, _| None);
    meeting.run(&mut |state, call| match call.purpose {
        // They object to each other in every round.
        Purpose::Speech => {
            let mut first = call.clone();
            first.round = 1;
            text(&crate::support::divided::speech(state, &first))
        }
        _ => script(state, call),
    });
    assert_eq!(meeting.state.debates.held.len(), 1);
    assert_eq!(meeting.state.round, 5);
}

#[test]
fn the_first_list_is_reviewed_when_asked_for_and_not_for_small_work() {
    let meeting = held(|inputs| inputs.limits.debates.review = true);
    let review = &meeting.state.debates.held[0];
    assert_eq!(
        (review.motion.trigger, review.after_round),
        (Trigger::Review, 0)
    );
    assert_eq!(review.participants().len(), 5);
    assert_eq!(review.subject(), "D-1");
    assert_eq!(
        meeting.state.debates.held.len(),
        2,
        "the divergence after round 1 is debated too"
    );
    let small = |state: &State, call: &CallId| match call.purpose {
        Purpose::Judgment => text(&Contribution {
            new_issues: vec![new_issue("a", "one need", Severity::Blocking)],
            ..contribution("One need.")
        }),
        _ => agreeable(1)(state, call),
    };
    let mut meeting = open(|inputs| inputs.limits.debates.review = true);
    meeting.run(&mut { small });
    assert!(told(&meeting).is_empty());
    let issue = meeting.issue(1);
    assert!(!issue.is_open());
}

/// PP and SD object to each other on every issue; in round 2 each has seen the other's objection.
fn all_divided(max: u32) -> Meeting {
    let mut meeting = open(|inputs| inputs.limits.debates.max = max);
    let mut rest = divided(|_, _, _| None);
    meeting.run(&mut |state: &State, call: &CallId| {
        let code = state.inputs.roles.code(&call.member).to_owned();
        let is_divided = matches!(&*code, "PP" | "SD") && call.round <= 2;
        if call.purpose == Purpose::Summary {
            let mut said = crate::support::divided::summary(state);
            said.coach.as_mut().unwrap().divergence = None;
            return text(&said);
        }
        if call.purpose != Purpose::Speech || !is_divided {
            return rest(state, call);
        }
        let positions = state.ledger.open().map(|issue| {
            let words = format!("{code} would write {} so", issue.id);
            position(&issue.id.to_string(), Stance::Object, Some(&words))
        });
        text(&Contribution {
            positions: positions.collect(),
            ..contribution("I say so.")
        })
    });
    meeting
}

#[test]
fn all_that_divides_is_debated_in_turn_as_far_as_there_is_room() {
    for max in [3, 2] {
        let meeting = all_divided(max);
        let debates = &meeting.state.debates.held;
        let about: Vec<_> = debates.iter().filter_map(|d| d.motion.about).collect();
        let all = [IssueId(1), IssueId(2), IssueId(3)];
        assert_eq!(about, all[..max as usize]);
        assert!(debates.iter().all(|debate| debate.after_round == 2));
        // Divergences beyond the limit are recorded too.
        let on_record = meeting.events().find_map(|event| match event {
            Event::ConsensusSummary {
                divergence: Some(first),
                more_divergences,
                ..
            } => Some((first.issue, more_divergences.clone())),
            _ => None,
        });
        let (first, more) = on_record.unwrap();
        let more: Vec<_> = more.iter().map(|found| found.issue).collect();
        assert_eq!(
            (first, more),
            (Some(all[0]), vec![Some(all[1]), Some(all[2])])
        );
    }
}

#[test]
fn the_same_is_not_found_twice() {
    let meeting = all_divided(3);
    let place = meeting.entries.iter().position(|entry| {
        matches!(
            &entry.event,
            Event::ConsensusSummary {
                divergence: Some(_),
                ..
            }
        )
    });
    let place = place.unwrap();
    let mut replay = open(|inputs| inputs.limits.debates.max = 3);
    for entry in &meeting.entries[1..place] {
        replay.record(entry.event.clone());
    }
    let mut forged = meeting.entries[place].event.clone();
    if let Event::ConsensusSummary {
        divergence,
        more_divergences,
        ..
    } = &mut forged
    {
        more_divergences.extend(divergence.clone());
    }
    assert!(replay.try_record(forged).unwrap_err().contains("twice"));
}
