//! What the coach may do with issues, and what is refused.

use super::*;

#[test]
fn the_list_cannot_grow_for_ever() {
    let mut meeting = Meeting::open("two things", inputs());
    let mut basics = agreeable(99);
    meeting.run(&mut |state, call| {
        if call.purpose != Purpose::Summary {
            return basics(state, call);
        }
        let mut answer = coach(Vec::new());
        for issue in state.ledger.open() {
            let mut refined = fate(&issue.id.to_string(), FateKind::Refined);
            refined.into = (0..4).map(|n| format!("{}.{n}", issue.id)).collect();
            for key in &refined.into {
                answer
                    .new_issues
                    .push(new_issue(key, &format!("part {key}"), Severity::Blocking));
            }
            answer.coach.as_mut().unwrap().fates.push(refined);
        }
        text(&answer)
    });
    let open: Vec<usize> = meeting
        .state
        .discussion
        .summaries
        .iter()
        .map(|s| s.blocking_left)
        .collect();
    assert_eq!(open.len(), 10);
    assert!(open[2..].iter().all(|n| *n <= open[1]), "{open:?}");
    let grew = meeting.state.discussion.summaries[3]
        .refused
        .iter()
        .any(|r| r.rule == Rule::ListGrew);
    assert!(grew);
    assert_eq!(
        meeting.state.ending.stop.unwrap().reason,
        StopReason::RoundLimit
    );
}
