//! What the coach must not drop: issues with support, the last issues of a plan, disputed issues.

use super::coach::{before_summary, rules};
use super::*;
use aitc::reply::Fate;

fn dropped(issue: &str) -> Fate {
    Fate {
        reason: Some("nobody needs it".to_owned()),
        ..fate(issue, FateKind::Dropped)
    }
}

fn status(meeting: &Meeting, id: u32) -> &IssueStatus {
    &meeting.issue(id).status
}

#[test]
fn what_was_asked_for_is_not_dropped_while_a_text_on_it_has_support() {
    for (stance, is_kept) in [
        (Stance::Agree, true),
        (Stance::Refine, true),
        (Stance::Abstain, false),
    ] {
        let (mut meeting, call) = before_summary(&[
            ("PP", "I-1", Stance::Agree, Some("do it")),
            ("SD", "I-2", stance, Some("leave it")),
        ]);
        meeting.reply(
            &call,
            &text(&coach(vec![settled("I-1", "PP"), dropped("I-2")])),
        );
        let refused = [(Rule::SupportStands, "I-2".to_owned())];
        assert_eq!(
            rules(&meeting),
            refused[usize::from(!is_kept)..],
            "{stance:?}"
        );
        let is_dropped = *status(&meeting, 2) == IssueStatus::Dropped;
        assert_eq!(is_dropped, !is_kept, "{stance:?}");
    }
}

/// Agreeing to another member's text counts as support, even if its author abstains.
#[test]
fn agreement_to_the_words_of_another_is_support_too() {
    let (mut meeting, call) = before_summary(&[
        ("PP", "I-1", Stance::Abstain, Some("do it")),
        ("SD", "I-1", Stance::Agree, None),
    ]);
    meeting.reply(
        &call,
        &text(&coach(vec![dropped("I-1"), fate("I-2", FateKind::Open)])),
    );
    assert_eq!(rules(&meeting), [(Rule::SupportStands, "I-1".to_owned())]);
}

#[test]
fn dropping_everything_is_no_agreement() {
    let (mut meeting, call) = before_summary(&[
        ("PP", "I-1", Stance::Abstain, None),
        ("SD", "I-2", Stance::Abstain, None),
    ]);
    let answer = text(&coach(vec![dropped("I-1"), dropped("I-2")]));
    meeting.reply(&call, &answer);
    let refused = ["I-1", "I-2"].map(|id| (Rule::NothingLeft, id.to_owned()));
    assert_eq!(rules(&meeting), refused);
    assert_eq!(meeting.state.ledger.blocking().count(), 2);

    // If the coach repeats this in every round, the plan ends without agreement.
    let mut basics = agreeable(1);
    meeting.run(&mut |state, call| match call.purpose {
        Purpose::Summary => answer.clone(),
        Purpose::Speech => text(&Contribution {
            positions: vec![position("I-1", Stance::Abstain, None)],
            ..contribution("I have nothing to say on it.")
        }),
        _ => basics(state, call),
    });
    let stop = meeting.stop();
    assert_ne!(stop.reason, StopReason::Consensus);
    assert!(!meeting.state.ending.is_agreed());
}

#[test]
fn no_part_of_what_is_disputed_is_minor() {
    for (stance, is_disputed) in [(Stance::Object, true), (Stance::Abstain, false)] {
        let (mut meeting, call) = before_summary(&[("RP", "I-1", stance, None)]);
        let refined = Fate {
            into: vec!["easy".to_owned(), "disputed".to_owned()],
            ..fate("I-1", FateKind::Refined)
        };
        let mut answer = coach(vec![refined, fate("I-2", FateKind::Open)]);
        answer.new_issues = vec![
            new_issue("easy", "the easy part", Severity::Blocking),
            new_issue("disputed", "the disputed part", Severity::Minor),
        ];
        meeting.reply(&call, &text(&answer));
        let blocking = meeting.state.ledger.blocking().count();
        assert_eq!(blocking, if is_disputed { 3 } else { 2 }, "{stance:?}");
        assert_eq!(
            rules(&meeting).len(),
            usize::from(is_disputed),
            "{stance:?}"
        );
    }
}
