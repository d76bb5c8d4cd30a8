//! Words that sound like agreement, and their effect on the end.

use super::*;

#[test]
fn words_of_agreement_converge_only_where_stances_do_not_say_otherwise() {
    let said = |stance: Option<Stance>| {
        ending(four_rounds(), |call, speech| {
            let n = call.round * 100 + call.turn;
            speech.analysis = match call.round {
                1 | 2 => format!("I object to number {n} because of figure {}.", n * 7),
                _ => format!("Agreed, with a look at paragraph {n} of chapter {}.", n * 3),
            };
            match stance {
                Some(Stance::Object) if call.turn == 5 => {
                    speech.positions.truncate(1);
                    speech.positions[0].stance = Stance::Object;
                }
                Some(Stance::Abstain) => {
                    for position in &mut speech.positions {
                        position.stance = Stance::Abstain;
                    }
                }
                _ => {}
            }
        })
    };
    let found = said(None);
    assert_eq!(
        (found.reason, found.round, found.value, found.limit),
        (StopReason::Similarity, 3, 5, 5)
    );
    assert_eq!(found.sign, Some(Sign::Convergence));
    for stance in [Stance::Object, Stance::Abstain] {
        let reason = said(Some(stance)).reason;
        assert_eq!(reason, StopReason::RoundLimit, "{stance:?}");
    }
}

fn four_rounds() -> Inputs {
    let mut inputs = mode(false, true);
    inputs.rules.limits.max_rounds = 4;
    inputs
}

/// How a run ends if all members agree and `worded` changes each speech.
fn ending(inputs: Inputs, worded: impl Fn(&CallId, &mut Contribution)) -> Stop {
    let mut meeting = Meeting::open("two things", inputs);
    let mut basics = agreeable(99);
    meeting.run(&mut |state, call| {
        if call.purpose != Purpose::Speech {
            return basics(state, call);
        }
        let mut speech = spoken(&basics(state, call));
        worded(call, &mut speech);
        text(&speech)
    });
    meeting.state.ending.stop.unwrap()
}

/// Speeches contain `apart` in rounds 1 and 2 and `together` from round 3 on; nobody objects by
/// stance.
fn ends_by_words(inputs: Inputs, apart: &str, together: &str) -> StopReason {
    let stop = ending(inputs, |call, speech| {
        let n = call.round * 100 + call.turn;
        speech.analysis = match call.round {
            1 | 2 => format!("A {apart} on number {n}, by figure {}.", n * 7),
            _ => format!("{together}, with paragraph {n} of chapter {}.", n * 3),
        };
    });
    stop.reason
}

#[test]
fn the_words_of_a_workspace_are_heard() {
    assert_eq!(
        ends_by_words(four_rounds(), "veto", "Ship it"),
        StopReason::RoundLimit
    );
    let mut configured = four_rounds();
    configured.rules.similarity.disagreement_words = vec!["veto".to_owned()];
    configured.rules.ending.convergence_indicator = vec!["ship it".to_owned()];
    assert_eq!(
        ends_by_words(configured, "veto", "Ship it"),
        StopReason::Similarity
    );
    let list = "agreement: [ship it]\ndisagreement: [veto]\nnegation: [not]\n";
    let mut listed = four_rounds();
    let name = aitc::machine::similarity::KEYWORDS.to_owned();
    listed.templates.insert(name, list.to_owned());
    assert_eq!(
        ends_by_words(listed, "veto", "Ship it"),
        StopReason::Similarity
    );
}
