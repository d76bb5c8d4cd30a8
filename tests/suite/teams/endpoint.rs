//! A team whose model is behind an endpoint.

use super::TASK;
use crate::support::binary::{Place, wait_until};
use crate::support::fake::{Fake, Reply, WorkshopScript, workshop};

fn read(place: &Place, name: &str) -> String {
    let version = place
        .work()
        .join(".ai-tools-chain/planning_outputs/team/v1");
    std::fs::read_to_string(version.join(name)).unwrap()
}

#[test]
fn what_is_said_is_heard_by_all_who_work_after_it_and_a_debate_is_asked_for() {
    let fake = Fake::holding(WorkshopScript::default(), &["step/ProductPlanner/P-1"]);
    let place = Place::new();
    let going = place.start_with(&fake, &["team", TASK]);
    fake.awaits("step/ProductPlanner/P-1", 1);
    let words = "Receipts are kept for ten years";
    place.run(&["say", words]).ends(0);
    place.run(&["debate", "Who may erase one?"]).ends(0);
    for (lang, label, why) in [
        ("en", "error", "this team has no such phase"),
        ("zh", "错误", "没有这个阶段"),
    ] {
        let nowhere = place.run(&["debate", "P-9", "--lang", lang]);
        assert_eq!(nowhere.code, 2, "{}", nowhere.err);
        let told = format!("{label}[E-debate-refused]");
        assert!(
            nowhere.err.contains(&told) && nowhere.err.contains(why),
            "{}",
            nowhere.err
        );
    }
    place
        .run(&["debate", "P-4"])
        .fails(2, &["that phase has no result yet"]);
    fake.lets_go();
    going.end().ends(0);
    let heard = |key: &str| fake.asked(key)[0].text().contains(words);
    for key in [
        "step/SystemDesigner/P-2",
        "step/RiskPlanner/P-3",
        "step/TestPlanner/P-4",
    ] {
        assert!(heard(key), "{key}");
    }
    assert!(!heard("step/ProductPlanner/P-1"), "it was asked before");
    assert_eq!(fake.calls("ruling/Coach/D-1"), 1, "{:?}", fake.counts());
}

#[test]
fn cut_off_in_a_parallel_layer_nothing_on_record_is_asked_again() {
    let script = workshop(WorkshopScript::default());
    let fake = Fake::start(move |seen| match seen.key == "step/RiskPlanner/P-3" {
        true if seen.times == 1 => Reply::HangBeforeHeaders,
        _ => script(seen),
    });
    let place = Place::new();
    let going = place.start_with(&fake, &["team", TASK]);
    let transcript = place
        .work()
        .join(".ai-tools-chain/planning_outputs/team/v1.draft/planning_transcript.jsonl");
    wait_until("the other phase of the layer", || {
        std::fs::read_to_string(&transcript)
            .is_ok_and(|text| text.contains("SystemDesigner did P-2."))
            && fake.calls("step/RiskPlanner/P-3") == 1
    });
    going.kill();
    let ran = place.run_with(&fake, &["resume"]).ends(0);
    assert_eq!(ran.out, ".ai-tools-chain/planning_outputs/team/v1\n");
    for (key, times) in [
        ("judgment/Coach", 1),
        ("step/ProductPlanner/P-1", 1),
        ("step/SystemDesigner/P-2", 1),
        ("step/SeniorDeveloper/P-2", 1),
        ("step/RiskPlanner/P-3", 2),
    ] {
        assert_eq!(fake.calls(key), times, "{key}");
    }
    assert_eq!(
        read(&place, "phase/P-3/output").trim(),
        "RiskPlanner did P-3."
    );
}

#[test]
fn killed_between_a_ruling_and_the_phase_that_builds_on_it_the_ruling_stands() {
    let script = workshop(WorkshopScript {
        disputed: Some("P-2".to_owned()),
        ..WorkshopScript::default()
    });
    let fake = Fake::start(move |seen| match seen.key == "step/TestPlanner/P-4" {
        true if seen.times == 1 => Reply::Held(Box::new(script(seen))),
        _ => script(seen),
    });
    let place = Place::new();
    let going = place.start_with(&fake, &["team", TASK]);
    fake.awaits("step/TestPlanner/P-4", 1);
    assert_eq!(going.kill().code, -9);
    assert_eq!(fake.calls("ruling/Coach/D-1"), 1);
    place.run_with(&fake, &["resume"]).ends(0);
    for (key, times) in fake.counts() {
        let expected = match key.as_str() {
            "step/TestPlanner/P-4" => 2,
            "models" => times,
            _ => 1,
        };
        assert_eq!(times, expected, "{key}");
    }
    let asked = fake.asked("step/TestPlanner/P-4").into_iter();
    let asked: Vec<String> = asked.map(|seen| seen.text()).collect();
    assert!(asked[1].contains("Both, one after the other."), "{asked:?}");
    assert_eq!(asked[0], asked[1], "it is asked in the same words");
    let report = read(&place, "team_report.md");
    assert!(report.contains("**D-1**"), "{report}");
    place.run(&["verify"]).ends(0);
}
