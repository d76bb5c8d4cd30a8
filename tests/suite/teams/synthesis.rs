//! The synthesis is reviewed by the members who did the work; a blocking finding that is upheld
//! leaves the work unresolved.

use aitc::check;
use aitc::machine::review::{FindingFate, Unreviewed};

use super::*;
use crate::support::binary::Place;
use crate::support::fake::{Fake, Reply, WorkshopScript, workshop};
use crate::workshop::reviews::{found, reviewing, verdicts};

use FindingFate::{Declined, Mended, Upheld, Withdrawn};

fn reviewed() -> Inputs {
    let mut inputs = inputs();
    inputs.format = Format::Team;
    inputs.review = true;
    inputs
}

fn held_with(inputs: Inputs, script: &mut dyn FnMut(&State, &CallId) -> String) -> Meeting {
    let mut meeting = Meeting::open(TASK, inputs);
    meeting.run(script);
    assert_eq!(meeting.state.stage, Stage::Published, "it gave up");
    meeting
}

/// The lead's amended synthesis.
fn amendment(state: &State, call: &CallId, mended: bool) -> String {
    let mut words = state.synthesis().unwrap();
    if mended {
        words.result.push_str(" P-3 says for how long.");
    }
    let put = state.review.put_by(call);
    let findings = put.map(|one| FindingAnswer {
        finding: one.id.to_string(),
        mended,
        because: format!("{} was looked at", one.id),
    });
    let mut answer = serde_json::to_value(&words).unwrap();
    answer["findings"] = serde_json::to_value(findings.collect::<Vec<_>>()).unwrap();
    answer.to_string()
}

/// TP finds one problem, the lead fixes or declines it, and TP upholds or withdraws it.
pub fn one_finding(
    blocking: bool,
    mended: bool,
    upholds: bool,
) -> impl FnMut(&State, &CallId) -> String {
    team(move |state, call| match call.purpose {
        Purpose::Review if call.member.as_str() == "TestPlanner" => {
            Some(reviewing(vec![found("P-4", blocking)]))
        }
        Purpose::Report if call.amends() => Some(amendment(state, call, mended)),
        Purpose::Verdict => Some(verdicts(state, call, upholds)),
        _ => None,
    })
}

fn asked(meeting: &Meeting) -> Vec<String> {
    let started = meeting.events().filter_map(|event| match event {
        Event::CallStarted { call, .. } => Some(call),
        _ => None,
    });
    let own = started.filter(|call| match call.purpose {
        Purpose::Review | Purpose::Verdict => true,
        _ => call.amends(),
    });
    own.map(|call| {
        let code = meeting.state.inputs.roles.code(&call.member);
        format!("{code} {} {}", call.purpose.name(), call.turn)
    })
    .collect()
}

fn fates(meeting: &Meeting) -> Vec<FindingFate> {
    let all = meeting.state.review.findings.iter();
    all.map(|finding| finding.fate).collect()
}

fn result(meeting: &Meeting) -> String {
    meeting.state.synthesis().unwrap().result
}

#[test]
fn only_a_blocking_finding_that_its_finder_upholds_leaves_the_work_unresolved() {
    let reviews = ["PP", "SD", "Dev", "TP", "RP"].map(|code| format!("{code} review 1"));
    for (blocking, mended, upholds, fate, is_asked) in [
        (true, true, true, Mended, false),
        (true, false, false, Withdrawn, true),
        (true, false, true, Upheld, true),
        (false, false, true, Declined, false),
    ] {
        let meeting = held_with(reviewed(), &mut one_finding(blocking, mended, upholds));
        let (state, about) = (&meeting.state, format!("{fate:?}"));
        assert_eq!(fates(&meeting), [fate]);
        let calls = asked(&meeting);
        assert_eq!(calls[..5], reviews, "{about}");
        let rest = ["Coach report 2", "TP verdict 1"];
        assert_eq!(calls[5..], rest[..1 + usize::from(is_asked)], "{about}");
        assert_eq!(result(&meeting).contains("for how long"), mended, "{about}");
        let stop = state.ending.stop.as_ref().unwrap();
        let reason = match fate {
            Upheld => StopReason::Review,
            _ => StopReason::Consensus,
        };
        assert_eq!(stop.reason, reason, "{about}");
        let trace = check::why(state, "FI-1", Lang::En).unwrap();
        assert!(listed("trace", &trace, Lang::En).contains("P-4 does not hold"));
    }
}

/// A finding that is declined and withdrawn has no effect; one that is upheld leads to exit code 7
/// and is shown on the terminal, in the report and in the structured file.
#[test]
fn a_finding_that_stands_is_exit_code_7() {
    for upholds in [false, true] {
        let script = workshop(WorkshopScript::default());
        let fake = Fake::start(move |seen| {
            let answer = crate::support::review::answer(&seen.text());
            match answer.map(|text| serde_json::from_str::<Value>(&text).unwrap()) {
                Some(mut said) if upholds && said["verdicts"].is_array() => {
                    said["verdicts"][0]["upholds"] = true.into();
                    Reply::Text(said.to_string())
                }
                Some(said) => Reply::Text(said.to_string()),
                None => script(seen),
            }
        });
        let place = Place::new();
        let ran = place.run_with(&fake, &["team", TASK, "--review", "on"]);
        let ran = ran.ends(if upholds { 7 } else { 0 });
        assert!(ran.err.contains("findings 2, fixed 1"), "{}", ran.err);
        let report = place.text("team/v1/team_report.md");
        assert!(report.contains("As reviewed."), "{report}");
        assert!(report.contains("reviewed: 2 findings, 1 fixed"), "{report}");
        let disputed = "**Unresolved: the synthesis is disputed.**";
        assert_eq!(report.contains(disputed), upholds, "{report}");
        let structured: Value = serde_json::from_str(&place.text("team/v1/team.ai.json")).unwrap();
        let fate = if upholds { "upheld" } else { "withdrawn" };
        assert_eq!(structured["review"]["findings"][1]["fate"], fate);
        place.run(&["verify", "team/v1"]).ends(0);
    }
}

/// Only members with a result in the synthesis review it.
#[test]
fn only_those_whose_work_went_into_it_review_it() {
    let mut basics = one_finding(true, true, true);
    let meeting = held_with(reviewed(), &mut |state, call| match call.purpose {
        Purpose::Judgment => text(&TeamPlan {
            analysis: "Three parts.".to_owned(),
            phases: vec![
                planned("a", &["TP"], &[]),
                planned("b", &["SD", "Dev"], &[]),
                planned("c", &["TP"], &["a"]),
            ],
        }),
        Purpose::Step if call.member.as_str() == "SystemDesigner" => "no object".to_owned(),
        _ => basics(state, call),
    });
    assert_eq!(
        asked(&meeting),
        ["Dev review 1", "TP review 1", "Coach report 2"]
    );
}

#[test]
fn a_switch_small_work_and_a_single_answer_leave_the_review_out() {
    let mut off = reviewed();
    off.review = false;
    let mut light = reviewed();
    light.light = true;
    let one = |members: &[&str]| TeamPlan {
        analysis: "One part.".to_owned(),
        phases: vec![planned("a", members, &[])],
    };
    for (inputs, plan, unheld) in [
        (off, four(), Some(Unreviewed::Off)),
        (light, four(), Some(Unreviewed::Light)),
        (reviewed(), one(&["PP"]), Some(Unreviewed::Light)),
        (reviewed(), one(&["PP", "SD"]), None),
    ] {
        let mut script = team(|_, call| (call.purpose == Purpose::Judgment).then(|| text(&plan)));
        let meeting = held_with(inputs, &mut script);
        assert_eq!(meeting.state.review.unheld, unheld);
        assert_eq!(asked(&meeting).is_empty(), unheld.is_some());
        let shown = aitc::ui::view::closing(
            &meeting.state,
            "team/v1",
            aitc::ui::view::Next::Review,
            &style(100),
        );
        let said = match unheld {
            Some(Unreviewed::Off) => "not reviewed (switched off)",
            Some(_) => "not reviewed (small work)",
            None => "nothing found",
        };
        assert!(shown.contains(said), "{shown}");
    }
}
