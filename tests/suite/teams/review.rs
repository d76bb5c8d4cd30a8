//! A review can change the plan before work begins.

use aitc::machine::DebatePart;
use aitc::machine::team::PlanRevised;
use aitc::reply::Decision;
use aitc::role::RoleId;

use super::*;
use crate::support::meeting::ruling;

fn reviewed() -> Meeting {
    opened(|inputs| inputs.limits.debates.review = true)
}

/// Two phases fewer, and a new one.
fn better() -> TeamPlan {
    TeamPlan {
        analysis: "The tests come first.".to_owned(),
        phases: vec![
            planned("t", &["TP"], &[]),
            planned("b", &["SD"], &["t"]),
            planned("l", &["RP"], &[]),
        ],
    }
}

fn again(call: &CallId) -> bool {
    call.purpose == Purpose::Judgment && call.turn == 2
}

fn revisions(meeting: &Meeting) -> Vec<&PlanRevised> {
    let events = meeting.events();
    let found = events.filter_map(|event| match event {
        Event::PlanRevised(revised) => Some(revised),
        _ => None,
    });
    found.collect()
}

#[test]
fn the_lead_gives_the_plan_anew_by_what_the_review_concluded() {
    let mut meeting = reviewed();
    let forged = Event::CallGivenUp {
        call: CallId::new(Scope::Root, Purpose::Judgment, RoleId::coach(), 0, 2),
        reason: "no reason".to_owned(),
    };
    let nowhere = std::path::Path::new("no/such/workspace");
    let assets = aitc::edge::assets::load(nowhere, Lang::En, None).unwrap();
    let with_templates = Inputs {
        templates: assets.templates,
        ..meeting.state.inputs.clone()
    };
    let prompter = Prompter::new(&with_templates).unwrap();
    let mut prompt = String::new();
    let mut asked = 0;
    let mut script = team(|state, call| {
        again(call).then(|| {
            asked += 1;
            let request = prompter.request(state, call).unwrap();
            prompt = messages(&request);
            text(&better())
        })
    });
    meeting.until(Purpose::Debate(DebatePart::Ruling), &mut script);
    assert!(
        meeting.try_record(forged.clone()).is_err(),
        "nothing is ruled"
    );
    meeting.run(&mut script);
    drop(script);
    assert_eq!(asked, 1);
    holds(
        &prompt,
        &[
            "Admins export, with a log.",
            "Give the whole plan once more",
            "do a",
        ],
    );
    let state = &meeting.state;
    assert_eq!(state.stage, Stage::Published);
    assert_eq!(
        state.ending.stop.as_ref().unwrap().reason,
        StopReason::Consensus
    );
    assert_eq!(edges(state, "P-1"), ["debate"]);
    assert_eq!(edges(state, "P-2"), ["P-1"]);
    assert_eq!(edges(state, "P-3"), ["debate"]);
    let results = results(state);
    assert_eq!(results["P-1"], "TP did P-1 at 1");
    assert_eq!(results["P-3"], "RP did P-3 at 1");
    assert_eq!(results.len(), 4, "three parts and the review");
    assert_eq!(revisions(&meeting).len(), 1);
    let shown = told(&meeting);
    assert!(shown.contains("work plan after the review:"), "{shown}");
    assert!(shown.contains("do l"), "{shown}");
}

#[test]
fn a_plan_that_cannot_be_worked_on_leaves_the_one_there_was() {
    let mut meeting = reviewed();
    let mut asked = 0;
    let circle = TeamPlan {
        phases: vec![planned("a", &["PP"], &["b"]), planned("b", &["SD"], &["a"])],
        ..TeamPlan::default()
    };
    meeting.run(&mut team(|_, call| {
        asked += u32::from(again(call));
        again(call).then(|| text(&circle))
    }));
    assert_eq!(asked, 2, "one repair");
    assert!(revisions(&meeting).is_empty());
    let kept = meeting.events().find_map(|event| match event {
        Event::CallGivenUp { call, reason } if again(call) => Some(reason),
        _ => None,
    });
    assert!(kept.unwrap().contains("circle"));
    let state = &meeting.state;
    assert_eq!(state.stage, Stage::Published);
    assert_eq!(results(state).len(), 5);
    assert_eq!(edges(state, "P-1"), ["debate"]);
    assert!(told(&meeting).contains("the plan is kept, though its review asked for another"));
}

#[test]
fn a_review_that_decides_nothing_asks_for_no_plan() {
    for (part, decision) in [
        (DebatePart::Ruling, Decision::Shelve),
        (DebatePart::Opening, Decision::Adopt),
    ] {
        let mut meeting = reviewed();
        meeting.run(&mut team(|_, call| {
            assert!(!again(call), "{decision:?}");
            (call.purpose == Purpose::Debate(part)).then(|| text(&ruling(decision, "As it is.")))
        }));
        assert_eq!(meeting.state.debates.held.len(), 1);
        assert_eq!(results(&meeting.state).len(), 5);
        assert_eq!(meeting.state.stage, Stage::Published);
    }
}

#[test]
fn cut_off_around_the_revision_the_same_comes_of_it() {
    let change = |_: &State, call: &CallId| again(call).then(|| text(&better()));
    let mut whole = reviewed();
    whole.run(&mut team(change));
    cut_off_anywhere(
        &whole,
        2..whole.entries.len() - 1,
        || team(change),
        |state, cut| {
            assert_eq!(state.team, whole.state.team, "after line {cut}");
            assert_eq!(state.debates, whole.state.debates, "line {cut}");
        },
    );
}

#[test]
fn a_review_that_small_work_does_not_get_is_told() {
    for (phases, is_told) in [(2, true), (4, false)] {
        let mut meeting = reviewed();
        let mut plan = four();
        plan.phases.truncate(phases);
        let mut script = team(|_, call| (call.turn == 1).then(|| text(&plan)));
        while meeting.state.team.is_none() {
            assert!(meeting.step(&mut script));
        }
        let (state, formed) = (&meeting.state, meeting.entries.last().unwrap());
        let line = aitc::ui::view::line(state, formed, &crate::support::meeting::style(80));
        let line = line.unwrap();
        assert_eq!(
            line.contains("no debate on the issue list"),
            is_told,
            "{line}"
        );
    }
}

#[test]
fn members_review_their_plan_and_work_on() {
    let place = Place::new();
    let flags = ["--questions", "assume", "--review-debate"];
    let ran = place.run(&[&["team", TASK][..], &flags].concat()).ends(0);
    drop(ran.says(&["phase debate", "synthesis: "]));
    place.run(&["verify", "team/v1"]).ends(0);
}
