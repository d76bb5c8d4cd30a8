//! What becomes of a plan that was not wanted so.

use super::*;

fn revised(feedback: &str) -> (Meeting, Meeting) {
    let first = hold(ENGLISH, offline_inputs(Lang::En));
    let previous = Previous::of(&first.state, "00");
    let items: Vec<FeedbackItem> = split_feedback(feedback, &previous.counters);
    let meeting = Meeting::open_with(Event::UserInput {
        content: ENGLISH.to_owned(),
        run_id: "0190c0de-0000-7000-8000-000000000002".to_owned(),
        inputs: Box::new(Inputs {
            version: 2,
            ..offline_inputs(Lang::En)
        }),
        from: Some(Box::new(previous)),
        feedback: items,
    });
    (first, finish(meeting))
}

#[test]
fn a_revision_puts_in_question_what_the_feedback_touches_and_keeps_ids() {
    let (first, second) =
        revised("The export may hold more than 50,000 rows: stream the file in the background");
    assert_clean(&second);
    assert_traceable(&second);
    let withdrawn: Vec<_> = first
        .state
        .draft
        .standing()
        .filter(|item| second.state.draft.is_withdrawn(item.id))
        .collect();
    assert!(!withdrawn.is_empty());
    assert!(withdrawn.len() < first.state.draft.standing().count());
    let ids = |meeting: &Meeting| {
        product(meeting)
            .criteria
            .iter()
            .map(|c| c.id.clone())
            .collect::<BTreeSet<_>>()
    };
    assert!(
        ids(&first).intersection(&ids(&second)).count() >= 3,
        "{:?} {:?}",
        ids(&first),
        ids(&second)
    );
}

#[test]
fn feedback_on_something_new_leaves_the_agreement_alone() {
    let (first, second) = revised("Also send an e-mail to the warehouse");
    assert_clean(&second);
    assert!(
        first
            .state
            .draft
            .standing()
            .all(|item| !second.state.draft.is_withdrawn(item.id))
    );
}

#[test]
fn a_revision_keeps_the_need_it_puts_in_question_and_leaves_out_what_it_rules_out() {
    let (_, second) = revised("make the file XLSX instead; no email sending");
    assert_clean(&second);
    assert_traceable(&second);
    let told = spoken(&second);
    // The export itself is still planned, and nothing about messages is.
    assert!(told.contains("exactly as many rows"));
    assert!(told.contains("Leave out: "));
    assert!(!told.contains("Notifier"));
    assert!(told.contains("XLSX"));
}
