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

#[test]
fn no_need_of_a_long_list_is_lost() {
    let mut meeting = opened(|inputs| inputs.model.provider = "ollama".to_owned());
    let mut basics = agreeable(1);
    let needs = |n| {
        let severity = match n {
            14 => Severity::Blocking,
            _ => Severity::Minor,
        };
        new_issue(&format!("n{n}"), &format!("need number {n}"), severity)
    };
    meeting.until(Purpose::Speech, &mut |state, call| match call.purpose {
        Purpose::Judgment => text(&Contribution {
            new_issues: (1..=15).map(needs).collect(),
            ..contribution("Fifteen needs.")
        }),
        _ => basics(state, call),
    });
    let state = &meeting.state;
    assert_eq!(state.ledger.open().count(), 13);
    let rest = state.ledger.find(IssueId(13)).unwrap();
    assert_eq!(rest.severity, Severity::Blocking);
    for n in 1..=15 {
        let title = format!("need number {n}");
        let mut open = state.ledger.open();
        let kept = open.any(|i| i.title == title || i.detail.contains(&title));
        assert!(kept, "{title} is lost: {rest:?}");
    }
    let told = state.judgment.refused.iter().map(|one| &*one.about);
    let told: Vec<&str> = told.collect();
    assert_eq!(told, ["need number 13", "need number 14", "need number 15"]);
    assert!(state.judgment.refused[0].detail.contains("`I-13`"));
}
