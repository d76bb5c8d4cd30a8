//! The order of phases, invalid plans, and debates inserted while a plan runs.

use proptest::prelude::*;

use super::*;
use crate::machine::debate::DebateConfig;

fn phase(id: &str, depends_on: &[&str]) -> Phase {
    Phase {
        id: id.into(),
        task: format!("do {id}"),
        members: vec!["SystemDesigner".into()],
        depends_on: depends_on.iter().map(|id| PhaseId::from(*id)).collect(),
        phase_type: PhaseKind::Execution,
        debate_config: None,
    }
}

fn debate(id: &str, depends_on: &[&str]) -> Phase {
    Phase {
        phase_type: PhaseKind::Debate,
        debate_config: Some(config()),
        ..phase(id, depends_on)
    }
}

fn config() -> DebateConfig {
    DebateConfig {
        topic: "which store?".to_owned(),
        participants: vec!["SystemDesigner".into(), "RiskPlanner".into()],
        max_rounds: 2,
        skip: false,
    }
}

fn names(layers: &[Vec<PhaseId>]) -> Vec<Vec<&str>> {
    let names = layers
        .iter()
        .map(|layer| layer.iter().map(|id| id.0.as_str()).collect());
    names.collect()
}

#[test]
fn phases_of_both_kinds_fall_into_layers() {
    let plan = PhasePlan::new(vec![
        debate("review", &[]),
        phase("c", &["settle"]),
        phase("a", &["review"]),
        phase("b", &["review"]),
        debate("settle", &["a", "b"]),
        phase("d", &["a"]),
    ]);
    let layers = plan.unwrap().layers().unwrap();
    let wanted = [
        vec!["review"],
        vec!["a", "b"],
        vec!["settle", "d"],
        vec!["c"],
    ];
    assert_eq!(names(&layers), wanted);
}

#[test]
fn a_debate_survives_being_stored_and_an_old_plan_is_all_execution() {
    let plan = PhasePlan::new(vec![phase("a", &[]), debate("d", &["a"])]).unwrap();
    let stored = serde_json::to_value(&plan).unwrap();
    assert_eq!(stored[1]["phase_type"], "debate");
    assert_eq!(stored[1]["debate_config"]["participants"][1], "RiskPlanner");
    assert_eq!(serde_json::from_value::<PhasePlan>(stored).unwrap(), plan);
    let old = r#"[{"id": "a", "task": "build", "depends_on": []}]"#;
    let old: PhasePlan = serde_json::from_str(old).unwrap();
    assert_eq!(old.phases()[0].phase_type, PhaseKind::Execution);
    assert_eq!(old.phases()[0].debate_config, None);
    assert_eq!(old.layers().unwrap().len(), 1);
}

#[test]
fn what_is_wrong_with_a_plan_is_named() {
    let wrong = |phases: Vec<Phase>| PhasePlan::new(phases).unwrap_err().to_string();
    assert_eq!(PhasePlan::new(Vec::new()), Err(PhaseError::Empty));
    let circle = wrong(vec![
        phase("x", &[]),
        phase("a", &["x", "c"]),
        phase("b", &["a"]),
        phase("c", &["b"]),
    ]);
    assert!(circle.ends_with("a circle: a -> c -> b -> a"), "{circle}");
    let own = wrong(vec![phase("a", &["a"])]);
    assert!(own.ends_with("a circle: a -> a"), "{own}");
    let unknown = wrong(vec![phase("a", &["z"])]);
    assert!(
        unknown.ends_with("`a` depends on `z`, which is not there"),
        "{unknown}"
    );
    assert!(wrong(vec![phase("a", &[]), phase("a", &[])]).ends_with("`a` appears twice"));
    let mut bare = debate("d", &[]);
    bare.debate_config = None;
    assert!(wrong(vec![bare]).contains("`d`"));
    let mut both = phase("e", &[]);
    both.debate_config = Some(config());
    assert!(wrong(vec![both]).contains("`e`"));
}

#[test]
fn what_depended_on_the_disputed_phase_depends_on_the_debate() {
    let mut plan = PhasePlan::new(vec![
        phase("a", &[]),
        phase("b", &["a"]),
        phase("c", &["b"]),
        phase("d", &["a", "b"]),
    ])
    .unwrap();
    let id = plan.insert_debate(&"b".into(), config()).unwrap();
    assert_eq!(id.0, "b-debate");
    let layers = plan.layers().unwrap();
    assert_eq!(
        names(&layers),
        [vec!["a"], vec!["b"], vec!["b-debate"], vec!["c", "d"]]
    );
    assert!(plan.dag().rests_on(&"d".into(), &"b".into()));
    let second = plan.insert_debate(&"b".into(), config()).unwrap();
    assert_eq!(second.0, "b-debate-2");
    assert_eq!(plan.find(&id).unwrap().depends_on, [second]);
    let missing = plan.clone().insert_debate(&"z".into(), config());
    assert_eq!(missing, Err(PhaseError::NoPhase("z".into())));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn an_insertion_keeps_a_plan_in_order(
        edges in proptest::collection::vec((1u8..8, 0u8..8), 0..20),
        disputed in 0u8..8,
    ) {
        let phases = (0u8..8).map(|n| {
            let needed = edges.iter().filter(|(from, to)| *from == n && to < from);
            let needed: Vec<String> = needed.map(|(_, to)| to.to_string()).collect();
            let needed: Vec<&str> = needed.iter().map(String::as_str).collect();
            phase(&n.to_string(), &needed)
        });
        let mut plan = PhasePlan::new(phases.collect()).unwrap();
        let disputed = PhaseId(disputed.to_string());
        let before = plan.clone();
        let id = plan.insert_debate(&disputed, config()).unwrap();
        plan.layers().unwrap();
        for phase in before.phases() {
            let now = plan.find(&phase.id).unwrap();
            prop_assert!(!now.depends_on.contains(&disputed));
            prop_assert_eq!(phase.depends_on.contains(&disputed), now.depends_on.contains(&id));
        }
    }
}
