//! Forged summaries, judgments and speeches are refused.

use super::*;

#[test]
fn a_forged_summary_is_refused() {
    use Event::ConsensusSummary as S;
    let change = |issue: u32, to: IssueStatus| IssueChange {
        issue: IssueId(issue),
        round: 1,
        to,
        reason: Some("so".to_owned()),
    };
    tampered(
        "consensus_summary",
        0,
        &[
            (
                "an item over an objection",
                hand!(S { consensus, changes, .. } => {
                    let mut item = consensus[0].clone();
                    item.id = ConsensusId(4);
                    item.issue = IssueId(5);
                    item.text = "PP would write I-5 so, r1".to_owned();
                    changes.push(change(5, IssueStatus::Settled { by: vec![item.id] }));
                    consensus.push(item);
                }),
            ),
            (
                "an invented text",
                hand!(S { consensus, .. } => consensus[0].text.push('!')),
            ),
            (
                "a false supporter",
                hand!(S { consensus, .. } => {
                    let mut twin = consensus[0].supporters[0].clone();
                    twin.member = "TestPlanner".into();
                    consensus[0].supporters.push(twin);
                }),
            ),
            (
                "a supporter left out",
                hand!(S { consensus, .. } => consensus[0].supporters.pop()),
            ),
            (
                "another proposer",
                hand!(S { consensus, .. } => consensus[0].proposed_by = "RiskPlanner".into()),
            ),
            (
                "another round",
                hand!(S { consensus, .. } => consensus[0].round = 2),
            ),
            (
                "another round of the proposal",
                hand!(S { consensus, .. } => consensus[0].proposed_round = 0),
            ),
            (
                "another version",
                hand!(S { consensus, .. } => consensus[0].version = 1),
            ),
            (
                "a skipped number",
                hand!(S { consensus, .. } => consensus[0].id = ConsensusId(9)),
            ),
            (
                "an item that settles nothing",
                hand!(S { changes, .. } => changes.retain(|c| c.issue != IssueId(3))),
            ),
            (
                "settled by nothing",
                hand!(S { consensus, .. } => consensus.clear()),
            ),
            (
                "settled by an old item",
                hand!(S { changes, .. } => changes.push(
                change(5, IssueStatus::Settled { by: vec![ConsensusId(2)] }))),
            ),
            (
                "changed twice",
                hand!(S { changes, .. } => changes.push(changes[0].clone())),
            ),
            (
                "a closed issue changed",
                hand!(S { changes, .. } => changes.push(change(1, IssueStatus::Dropped))),
            ),
            (
                "an unknown issue changed",
                hand!(S { changes, .. } => changes.push(change(99, IssueStatus::Dropped))),
            ),
            (
                "dropped without a reason",
                hand!(S { changes, .. } => {
                    let mut dropped = change(5, IssueStatus::Dropped);
                    dropped.reason = Some(" ".to_owned());
                    changes.push(dropped);
                }),
            ),
            (
                "a blocking issue dropped over an objection",
                hand!(S { changes, .. } => changes.push(change(5, IssueStatus::Dropped))),
            ),
            (
                "a blocking issue deferred",
                hand!(S { changes, .. } => changes.push(change(5, IssueStatus::Deferred))),
            ),
            (
                "merged in a circle",
                hand!(S { changes, .. } => changes.push(
                change(5, IssueStatus::Merged { into: IssueId(4) }))),
            ),
            (
                "merged into itself",
                hand!(S { changes, .. } => changes.push(
                change(5, IssueStatus::Merged { into: IssueId(5) }))),
            ),
            (
                "merged into a closed issue",
                hand!(S { changes, .. } => changes.push(
                change(5, IssueStatus::Merged { into: IssueId(1) }))),
            ),
            (
                "a blocking issue merged into a minor one",
                hand!(S { changes, .. } => {
                    changes.retain(|c| c.issue != IssueId(7));
                    changes.push(change(5, IssueStatus::Merged { into: IssueId(7) }));
                }),
            ),
            (
                "refined into a closed issue",
                hand!(S { changes, .. } => changes.push(
                change(5, IssueStatus::Refined { into: vec![IssueId(1)] }))),
            ),
            (
                "refined into nothing",
                hand!(S { changes, .. } => changes.push(
                change(5, IssueStatus::Refined { into: vec![] }))),
            ),
            (
                "refined in a circle",
                hand!(S { changes, .. } => {
                    changes.push(change(5, IssueStatus::Refined { into: vec![IssueId(4)] }));
                }),
            ),
            (
                "a blocking issue refined into a minor one",
                hand!(S { new_issues, .. } =>
                new_issues[0].severity = Severity::Minor),
            ),
            (
                "an issue nobody raised",
                hand!(S { new_issues, .. } => {
                    let mut twin = new_issues[0].clone();
                    twin.id = IssueId(9);
                    new_issues.push(twin);
                }),
            ),
            (
                "an issue of the requirement",
                hand!(S { new_issues, .. } => new_issues[0].origin = Origin::Requirement),
            ),
            (
                "an issue number skipped",
                hand!(S { new_issues, .. } => new_issues[0].id = IssueId(12)),
            ),
            (
                "left open as a change",
                hand!(S { changes, .. } => changes.push(change(5, IssueStatus::Open))),
            ),
            (
                "a change of another round",
                hand!(S { changes, .. } => changes[0].round = 7),
            ),
            (
                "another call",
                hand!(S { receipt, .. } => receipt.call.turn = 1),
            ),
        ],
    );
}

#[test]
fn a_forged_judgment_is_refused() {
    use Event::CoachInitialJudgment as J;
    tampered(
        "coach_initial_judgment",
        0,
        &[
            ("feedback left out", hand!(J { issues, .. } => issues.pop())),
            (
                "feedback twice",
                hand!(J { issues, .. } => issues[1].origin = issues[0].origin.clone()),
            ),
            (
                "feedback made minor",
                hand!(J { issues, .. } => issues[0].severity = Severity::Minor),
            ),
            (
                "feedback that is not there",
                hand!(J { issues, .. } =>
                issues[0].origin = Origin::Feedback { feedback: FeedbackId(77) }),
            ),
            (
                "an issue of a member",
                hand!(J { issues, .. } =>
                issues[0].origin = Origin::Member { member: "RiskPlanner".into() }),
            ),
            (
                "a number of an ancestor",
                hand!(J { issues, .. } => issues[0].id = IssueId(1)),
            ),
            (
                "withdrawn twice",
                hand!(J { withdrawn, .. } => withdrawn.push(withdrawn[0].clone())),
            ),
            (
                "withdrawn without feedback",
                hand!(J { withdrawn, .. } => withdrawn[0].feedback = None),
            ),
            (
                "withdrawn by no feedback",
                hand!(J { withdrawn, .. } => withdrawn[0].feedback = Some(FeedbackId(9))),
            ),
            (
                "an unknown item withdrawn",
                hand!(J { withdrawn, .. } => withdrawn[0].item = ConsensusId(9)),
            ),
        ],
    );
}

#[test]
fn a_forged_speech_is_refused() {
    use Event::Speaking as S;
    tampered(
        "speaking",
        0,
        &[
            ("out of turn", hand!(S { turn, .. } => *turn = 2)),
            (
                "a call nobody started",
                hand!(S { receipt, .. } => receipt.call.member = "RiskPlanner".into()),
            ),
            (
                "an unknown issue",
                hand!(S { speech, .. } => speech.positions[0].issue = "I-99".to_owned()),
            ),
            (
                "a closed issue",
                hand!(S { speech, .. } => speech.positions[0].issue = "I-1".to_owned()),
            ),
            (
                "an issue number 0",
                hand!(S { speech, .. } => speech.positions[0].issue = "I-0".to_owned()),
            ),
            (
                "two positions on one issue",
                hand!(S { speech, .. } => {
                    let mut twin = speech.positions[0].clone();
                    twin.stance = Stance::Object;
                    speech.positions.push(twin);
                }),
            ),
            (
                "the coach's part",
                hand!(S { speech, .. } => speech.coach = Some(Default::default())),
            ),
        ],
    );
    // A stance turned round without a reason.
    let meeting = eventful();
    let turned = history(&meeting)
        .into_iter()
        .find(|(state, entry)| state.round == 2 && matches!(&entry.event, S { turn: 5, .. }));
    let (state, mut entry) = turned.unwrap();
    let S { speech, .. } = &mut entry.event else {
        panic!()
    };
    speech.positions[0].changed_because = None;
    assert!(check(&state, &entry.event).is_err());
}
