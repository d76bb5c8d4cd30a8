//! A review can change the plan before work begins.

use aitc::machine::DebatePart;
use aitc::machine::team::PlanRevised;
use aitc::role::RoleId;

use super::*;

fn reviewed() -> Meeting {
    opened(|inputs| inputs.rules.limits.debates.review = true)
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
fn members_review_their_plan_and_work_on() {
    let place = Place::new();
    let flags = ["--questions", "assume", "--review-debate"];
    let ran = place.run(&[&["team", TASK][..], &flags].concat()).ends(0);
    drop(ran.says(&["phase debate", "synthesis: "]));
    place.run(&["verify", "team/v1"]).ends(0);
}
