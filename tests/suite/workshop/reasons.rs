//! Reasons given by the program are recorded in one language, whatever the language of the run.

use aitc::fault::recorded;
use aitc::machine::{DecidedBy, Lang};

use super::*;

/// All reasons given by the program in a meeting where a member proposes the end, nobody confirms
/// it, and two members object to what the coach calls agreed.
fn reasons(lang: Lang, confirmation: bool, auto_end: bool) -> Vec<String> {
    let mut inputs = inputs();
    inputs.doc_lang = lang;
    inputs.rules.limits.max_rounds = 2;
    inputs.rules.ending.marker.require_confirmation = confirmation;
    inputs.rules.ending.marker.auto_end = auto_end;
    let mut meeting = Meeting::open("two things", inputs);
    meeting.run(&mut quarrel());
    let events = meeting.events();
    let mut found = Vec::new();
    for event in events {
        match event {
            Event::EndDecision { by, reason, .. } => {
                assert!(matches!(by, DecidedBy::Settings | DecidedBy::Unattended));
                found.push(reason.clone());
            }
            Event::EndProposal { reason, .. } => found.push(reason.clone()),
            Event::ConsensusSummary { refused, .. } => {
                found.extend(refused.iter().map(|refusal| refusal.detail.clone()));
            }
            _ => {}
        }
    }
    found
}

/// Two members object to the first issue, which the coach calls settled; the first speaker of each
/// round proposes the end.
fn quarrel() -> impl FnMut(&State, &CallId) -> String {
    let mut basics = agreeable(99);
    move |state, call| match call.purpose {
        Purpose::Speech => {
            let stance = match state.inputs.roles.code(&call.member) {
                "SD" | "RP" => Stance::Object,
                _ => Stance::Agree,
            };
            let words = (stance == Stance::Agree).then_some("do it");
            let end = if call.turn == 1 { "\n<!-- END -->" } else { "" };
            text(&Contribution {
                positions: vec![position("I-1", stance, words)],
                ..contribution(&format!("I say this.{end}"))
            })
        }
        Purpose::Summary => text(&coach(vec![settled("I-1", "PP")])),
        _ => basics(state, call),
    }
}

#[test]
fn they_are_recorded_in_english_and_known_in_chinese() {
    let mut all = String::new();
    for (confirmation, auto_end) in [(true, false), (false, true), (false, false)] {
        let recorded = reasons(Lang::Zh, confirmation, auto_end);
        assert_eq!(recorded, reasons(Lang::En, confirmation, auto_end));
        for reason in recorded {
            assert!(recorded::is_known(&reason), "no Chinese for `{reason}`");
            all += &reason;
        }
    }
    holds(
        &all,
        &["nobody confirms", "is on", "is off", "RP, SD object"],
    );
}
