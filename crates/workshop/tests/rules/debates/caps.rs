//! Limits on debates and rounds hold in every format, whatever members and coach answer.

use proptest::prelude::*;
use workshop::machine::debate::{Debate, DebateTrigger, MAX_ROUNDS};
use workshop::machine::{CallId, DebatePart, Format, Purpose, Stage, State};
use workshop::reply::*;

use crate::support::divided::open;
use crate::support::meeting::refused;
use crate::support::meeting::*;

/// Five phases in a chain, so each is a layer of its own.
fn five_phases() -> TeamPlan {
    let phase = |n: usize| PlannedPhase {
        key: format!("p{n}"),
        task: format!("part {n}"),
        members: vec!["SD".to_owned()],
        depends_on: (n > 1).then(|| format!("p{}", n - 1)).into_iter().collect(),
    };
    TeamPlan {
        analysis: "Five.".to_owned(),
        phases: (1..=5).map(phase).collect(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn never_more_debates_nor_rounds_than_allowed(
        format in proptest::sample::select(Format::ALL.to_vec()),
        max in 0u32..6,
        rounds in 0u32..9,
        review: bool,
        stances in proptest::collection::vec(0u8..4, 64),
        found in proptest::collection::vec(proptest::option::of(1u32..8), 12),
        noise in proptest::collection::vec(0u8..6, 64),
        wishes in proptest::collection::vec(0u8..24, 64),
    ) {
        let mut meeting = open(|inputs| {
            inputs.format = format;
            inputs.rules.limits.debates.max = max;
            inputs.rules.limits.debates.rounds = rounds;
            inputs.rules.limits.debates.review = review;
            inputs.rules.limits.max_rounds = 8;
        });
        let mut rest = agreeable(9);
        let mut n = 0usize;
        let mut script = |state: &State, call: &CallId| {
            n += 1;
            match call.purpose {
                Purpose::Judgment if format == Format::Team => text(&five_phases()),
                Purpose::Report if format == Format::Team => text(&Synthesis {
                    title: "Five".to_owned(),
                    in_short: "Five.".to_owned(),
                    result: "All five.".to_owned(),
                    decide: Vec::new(),
                }),
                Purpose::Judgment => {
                    let mut said = contribution("Many needs.");
                    said.new_issues = (0..6)
                        .map(|n| new_issue(&format!("n{n}"), &format!("need {n}"), IssueSeverity::Blocking))
                        .collect();
                    text(&said)
                }
                Purpose::Speech => {
                    let who = state.inputs.roles.code(&call.member);
                    let mut said = contribution("Mine.");
                    said.positions = state.ledger.open().map(|issue| {
                        let stance = match stances[(n + issue.id.0 as usize) % 64] {
                            0 | 1 => Stance::Object,
                            2 => Stance::Refine,
                            _ => Stance::Abstain,
                        };
                        let words = format!("{who} on {}, {n}", issue.id);
                        let mut p = position(&issue.id.to_string(), stance, Some(&words));
                        p.changed_because = Some("a thought".to_owned());
                        p
                    }).collect();
                    text(&said)
                }
                Purpose::Summary => {
                    let open: Vec<_> = state.ledger.open().map(|issue| {
                        fate(&issue.id.to_string(), workshop::reply::FateKind::Open)
                    }).collect();
                    let mut said = coach(open);
                    let named = found[call.round as usize % 12];
                    said.coach.as_mut().unwrap().divergence = named.map(|id| {
                        let what = if format == Format::Team { "P" } else { "I" };
                        divergence(&format!("{what}-{id}"), "Which?", &["PP", "RP"])
                    });
                    text(&said)
                }
                Purpose::Debate(part) => match noise[n % 64] {
                    0 => "Nothing to say.".to_owned(),
                    1 if part == DebatePart::Summary => {
                        text(&ruling(workshop::reply::Decision::Adopt, "That."))
                    }
                    _ => text(&in_debate(state, call, part)),
                },
                _ => rest(state, call),
            }
        };
        let (mut steps, mut granted) = (0usize, 0usize);
        while meeting.step(&mut script) {
            steps += 1;
            // Debates are requested at any time: between rounds, within one, and during another
            // debate.
            let topic = match wishes[steps % 64] {
                0 => "/debate Which?".to_owned(),
                1 => "/debate I-1".to_owned(),
                3 | 4 => format!("/debate P-{}", steps % 6 + 1),
                2 => {
                    let skip = sent(&meeting.state, "/skip");
                    let _ = meeting.try_record(skip);
                    continue;
                }
                _ => continue,
            };
            let wish = sent(&meeting.state, &topic);
            let is_granted = refused(&wish).is_none();
            if meeting.try_record(wish).is_ok() {
                granted += usize::from(is_granted);
            }
        }
        let state = &meeting.state;
        prop_assert_eq!(state.stage, Stage::Published);
        prop_assert!(state.debates.held.len() <= max.min(3) as usize);
        for debate in &state.debates.held {
            prop_assert!(debate.rounds.len() <= rounds.clamp(1, MAX_ROUNDS) as usize);
            prop_assert!(debate.resolution.is_some(), "every debate has an end");
        }
        let by_hand = |debate: &&Debate| debate.motion.trigger == DebateTrigger::User;
        let asked_for = state.debates.held.iter().filter(by_hand).count();
        let void = |entry: &&workshop::machine::Entry| {
            matches!(entry.event, workshop::machine::Event::DebateVoided(_))
        };
        let voided = meeting.entries.iter().filter(void).count();
        prop_assert_eq!(asked_for + voided + state.debates.wanted.len(), granted);
        let by_itself: Vec<_> = state.debates.held.iter().filter(|d| !by_hand(d)).collect();
        let phase_of = |debate: &Debate| state.team.as_ref()?.debates.get(&debate.id).cloned();
        let mut about: Vec<_> = by_itself
            .iter()
            .map(|debate| (debate.motion.about, phase_of(debate)))
            .collect();
        about.sort_unstable();
        about.dedup();
        prop_assert_eq!(about.len(), by_itself.len());
        // The result of a phase is debated only once, whatever triggers the debate.
        let mut disputed: Vec<_> = state.team.iter().flat_map(|team| team.debates.values()).collect();
        let all = disputed.len();
        disputed.sort_unstable();
        disputed.dedup();
        prop_assert_eq!(disputed.len(), all);
        let again = |id: &&workshop::machine::phase::PhaseId| id.0.contains("-debate-");
        prop_assert!(!disputed.iter().any(again), "{:?}", disputed);
    }
}
