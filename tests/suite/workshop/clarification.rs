//! Failed calls of a clarification: the discussion continues without them.

use aitc::machine::*;
use serde_json::{Value, json};

use super::{asking, relay, relayed, with_question};
use crate::support::meeting::*;

/// A meeting in which SD asks in round 1, up to the coach's relay call.
fn asked(mode: QuestionMode) -> (Meeting, CallId) {
    let mut meeting = opened(|inputs| inputs.questions = mode);
    let mut basics = agreeable(1);
    let relay = meeting.until(Purpose::Relay, &mut |state, call| match call.purpose {
        Purpose::Speech if call.turn == 2 => text(&asking("Is there a migration?")),
        _ => basics(state, call),
    });
    (meeting, relay)
}

/// Lets a call fail in every attempt, at most four times.
fn fail(meeting: &mut Meeting, kind: FailureKind) {
    for _ in 0..4 {
        let Action::Call(call) = next_actions(&meeting.state).remove(0) else {
            return;
        };
        meeting.record(started(&call));
        meeting.record(failed(&call, kind, false));
    }
}

/// A meeting whose question was relayed and answered, up to the asker's follow-up.
fn answered() -> Meeting {
    let (mut meeting, _) = asked(QuestionMode::Ask);
    fail(&mut meeting, FailureKind::Refused);
    let mut basics = agreeable(1);
    while !matches!(next_actions(&meeting.state)[..], [Action::AskHuman(_)]) {
        meeting.step(&mut basics);
    }
    meeting.answers("yes, one", AnswerSource::Terminal);
    meeting
}

#[test]
fn a_question_the_coach_cannot_look_at_is_passed_on() {
    for refused in [false, true] {
        let (mut meeting, relay) = asked(QuestionMode::Ask);
        if refused {
            fail(&mut meeting, FailureKind::Refused);
        } else {
            meeting.reply(&relay, "I would rather not.");
            meeting.reply(&relay.with_attempt(2), "No.");
        }
        let due = next_actions(&meeting.state).remove(0);
        let Action::Record(event) = due else {
            panic!("{due:?}")
        };
        let Event::CallGivenUp { call, reason } = &*event else {
            panic!("{event:?}")
        };
        assert_eq!(*call, relay);
        assert_eq!(reason.contains("HTTP 503"), refused, "{reason}");
        assert_eq!(event.actor(&meeting.state), "Coach");
        meeting.record(*event);
        meeting.step(&mut agreeable(1));
        let status = &meeting.state.questions.asked[0].status;
        assert!(matches!(
            status,
            QuestionStatus::Waiting { follow_up: None }
        ));
        assert!(matches!(
            next_actions(&meeting.state)[..],
            [Action::AskHuman(_)]
        ));
    }
}

#[test]
fn what_is_passed_on_and_asked_of_nobody_is_an_assumption() {
    let (mut meeting, _) = asked(QuestionMode::Assume);
    fail(&mut meeting, FailureKind::TooLarge);
    meeting.run(&mut agreeable(1));
    assert_eq!(meeting.state.stage, Stage::Published);
    assert_eq!(meeting.state.questions.assumptions.len(), 1);
}

#[test]
fn a_reply_stands_when_who_asked_has_nothing_usable_to_say() {
    let mut meeting = answered();
    let mut basics = agreeable(1);
    fail(&mut meeting, FailureKind::Refused);
    meeting.step(&mut basics);
    let QuestionStatus::Closed { answer, source } = &meeting.state.questions.asked[0].status else {
        panic!("{:?}", meeting.state.questions.asked[0])
    };
    assert_eq!(
        (answer.as_str(), *source),
        ("yes, one", AnswerSource::Terminal)
    );
    meeting.run(&mut basics);
    assert_eq!(meeting.state.stage, Stage::Published);
}

#[test]
fn who_asks_again_in_the_same_words_is_taken_as_answered() {
    let cases: [(&[&str], Option<&str>, bool); 4] = [
        (&["is there a  MIGRATION"], None, true),
        (
            &["Is there a migration?", "Of which table?"],
            Some("Of which table?"),
            false,
        ),
        (
            &["Is there a migration of the orders?"],
            Some("Is there a migration of the orders?"),
            false,
        ),
        (&[], None, false),
    ];
    for (asks, wanted, is_told) in cases {
        let mut meeting = answered();
        let questions: Vec<Value> = asks
            .iter()
            .map(|question| {
                json!({"question": question, "why": "it decides", "blocks": null,
                    "options": [], "recommended": "no"})
            })
            .collect();
        let word = json!({"analysis": "I read the answer.", "questions": questions});
        meeting.step(&mut |_, call| {
            assert_eq!(call.purpose, Purpose::FollowUp);
            text(&word)
        });
        let told = meeting.events().find_map(|event| match event {
            Event::ClarificationFollowedUp {
                follow_up,
                repeated,
                ..
            } => Some((follow_up.as_deref(), repeated.is_some())),
            _ => None,
        });
        assert_eq!(told, Some((wanted, is_told)), "{asks:?}");
        let is_closed = matches!(
            meeting.state.questions.asked[0].status,
            QuestionStatus::Closed { .. }
        );
        assert_eq!(is_closed, wanted.is_none(), "{asks:?}");
    }
}

/// The follow-up "Blue or green?" has other options and another recommendation than "Is there a
/// migration?".
#[test]
fn a_follow_up_is_answered_by_what_it_recommends_itself() {
    for (source, reply, closed, assumed) in [
        (AnswerSource::Recommended, "blue", "yes, one\nblue", &[][..]),
        (AnswerSource::Assumed, "blue", "yes, one", &["blue"]),
        (AnswerSource::Declined, "", "yes, one", &[]),
        (AnswerSource::Terminal, "green", "yes, one\ngreen", &[]),
    ] {
        let mut meeting = answered();
        meeting.step(&mut |_, _| {
            let question = json!({"question": "Blue or green?", "why": "it is painted",
                "blocks": null, "options": ["blue", "green"], "recommended": "blue"});
            text(&json!({"analysis": "I read it.", "questions": [question]}))
        });
        let due = next_actions(&meeting.state);
        if let [Action::Record(asks)] = due.as_slice() {
            meeting.record((**asks).clone());
        }
        let question = &meeting.state.questions.asked[0];
        assert!(question.is_followed_up(), "{due:?}");
        assert_eq!(question.current_options(), ["blue", "green"]);
        assert_eq!(question.current_recommended(), "blue");
        assert_eq!(question.current_why(), "it is painted");
        let picked = aitc::ui::human::understood(question, "2", AnswerSource::Command);
        assert_eq!(picked.unwrap().text, "green");

        meeting.answers(reply, source);
        if source == AnswerSource::Terminal {
            meeting.step(&mut |_, _| text(&json!({"analysis": "That will do."})));
        }
        let question = &meeting.state.questions.asked[0];
        let QuestionStatus::Closed { answer, .. } = &question.status else {
            panic!("{source:?}: {:?}", question.status);
        };
        assert_eq!(answer, closed, "{source:?}");
        assert_eq!(question.further, None);
        let taken: Vec<&str> = meeting
            .state
            .questions
            .assumptions
            .iter()
            .map(|a| &*a.text)
            .collect();
        assert_eq!(taken, assumed, "{source:?}");
    }
}

/// If the provider is unavailable or refuses the key, the clarification is not skipped.
#[test]
fn a_provider_that_cannot_be_had_skips_nothing() {
    for kind in [FailureKind::Credentials, FailureKind::Network] {
        let (mut meeting, relay) = asked(QuestionMode::Assume);
        fail(&mut meeting, kind);
        let due = next_actions(&meeting.state).remove(0);
        assert!(
            matches!(due, Action::GiveUp(GiveUp::ProviderUnavailable { .. })),
            "{due:?}"
        );
        let skipped = Event::CallGivenUp {
            call: relay,
            reason: "forged".to_owned(),
        };
        assert!(may_follow(&meeting.state, &skipped).is_err());
    }
}

#[test]
fn only_a_hopeless_call_of_a_clarification_is_skipped() {
    let (mut meeting, relay) = asked(QuestionMode::Assume);
    let skipped = |call: &CallId| Event::CallGivenUp {
        call: call.clone(),
        reason: "forged".to_owned(),
    };
    assert!(
        may_follow(&meeting.state, &skipped(&relay)).is_err(),
        "not asked"
    );
    meeting.reply(&relay, "No.");
    assert!(
        may_follow(&meeting.state, &skipped(&relay)).is_err(),
        "asked once"
    );
    let second = relay.with_attempt(2);
    meeting.record(started(&second));
    assert!(
        may_follow(&meeting.state, &skipped(&relay)).is_err(),
        "in flight"
    );
    meeting.record(failed(&second, FailureKind::Refused, false));
    meeting.reply(&relay.with_attempt(3), "No.");
    assert!(may_follow(&meeting.state, &skipped(&relay)).is_ok());
    assert!(
        may_follow(&meeting.state, &skipped(&second)).is_err(),
        "no first attempt"
    );
    let mut speech = relay.clone();
    speech.purpose = Purpose::Speech;
    assert!(
        may_follow(&meeting.state, &skipped(&speech)).is_err(),
        "a speech"
    );
}

#[test]
fn the_coach_answers_only_with_a_citation() {
    let cited = with_question(relay(Some("no"), Some("PP")));
    assert!(matches!(
        cited.state.questions.asked[0].status,
        QuestionStatus::Closed { .. }
    ));
    for place in ["requirement", "I-1, as entered", "speech of ProductPlanner"] {
        let cited = with_question(relay(Some("yes"), Some(place)));
        let status = &cited.state.questions.asked[0].status;
        assert!(matches!(status, QuestionStatus::Closed { .. }), "{place}");
    }
    for place in ["common knowledge", "C-9", "RP", "src/nowhere.rs"] {
        let invented = with_question(relay(Some("no"), Some(place)));
        let status = &invented.state.questions.asked[0].status;
        assert!(matches!(status, QuestionStatus::Waiting { .. }), "{place}");
    }
    let uncited = with_question(relay(Some("no"), None));
    assert!(matches!(
        uncited.state.questions.asked[0].status,
        QuestionStatus::Waiting { .. }
    ));
}

/// The asker recommends "no", but it cannot answer for the user.
#[test]
fn the_askers_own_recommendation_is_no_answer() {
    for place in [
        "requirement",
        "the requirement, line 1",
        "SD",
        "SystemDesigner",
    ] {
        let echoed = with_question(relay(Some("No."), Some(place)));
        let status = &echoed.state.questions.asked[0].status;
        assert!(matches!(status, QuestionStatus::Waiting { .. }), "{place}");
        let Some(Event::ClarificationRelayed { notes, .. }) = echoed
            .events()
            .find(|event| matches!(event, Event::ClarificationRelayed { .. }))
        else {
            panic!("nothing was relayed");
        };
        assert!(notes[0].text.contains("own recommendation"), "{notes:?}");
    }
    // The same answer is accepted from another source, and another answer from this source.
    for (answer, place) in [("no", "PP"), ("no", "I-1"), ("yes", "requirement")] {
        let said = with_question(relay(Some(answer), Some(place)));
        let status = &said.state.questions.asked[0].status;
        assert!(matches!(status, QuestionStatus::Closed { .. }), "{place}");
    }
}

/// An answer attributed to a member must share a significant word with what that member said, in
/// any inflection and in English or Chinese.
#[test]
fn what_a_member_has_not_said_is_not_its_word() {
    let heard = |answer: &str, place: &str| {
        let meeting = with_question(relay(Some(answer), Some(place)));
        let taken = matches!(
            meeting.state.questions.asked[0].status,
            QuestionStatus::Closed { .. }
        );
        let events = meeting.events();
        let notes: Vec<String> = events
            .filter_map(|event| match event {
                Event::ClarificationRelayed { notes, .. } => Some(notes),
                _ => None,
            })
            .flatten()
            .map(|note| note.text.clone())
            .collect();
        (taken, notes)
    };
    let meeting = with_question(relay(None, None));
    let mut speeches = meeting.state.discussion.speeches.iter();
    let speech = speeches.find(|speech| speech.member.as_str() == "ProductPlanner");
    let said = speech.unwrap().speech.positions[0].why.clone();
    let word = said.split_whitespace().find(|word| word.len() > 5).unwrap();
    for place in ["PP", "ProductPlanner", "speech of PP, round 1"] {
        let (taken, notes) = heard("the harbour master signs", place);
        assert!(!taken, "{place}");
        assert!(
            notes[0].contains("has said nothing of the kind"),
            "{notes:?}"
        );
        let (taken, notes) = heard("港务长签字", place);
        assert!(!taken && notes.len() == 1, "{place}: {notes:?}");
        let (taken, notes) = heard(&format!("the {word}s"), place);
        assert!(taken && notes.is_empty(), "{word}: {notes:?}");
        // An answer without significant words is not checked.
        assert!(heard("no", place).0, "{place}");
    }
    // If another place is named too, only that place is checked.
    assert!(heard("the harbour master signs", "PP, I-1").0);
}

/// As in a run with `qwen2.5-coder-1.5b`: the recommendation in other words, attributed to the
/// requirement.
#[test]
fn a_reworded_recommendation_is_no_answer_either() {
    let mut asked = asking("May both parents report the same child?");
    asked.questions[0].recommended = "Both, unless the school has noted otherwise".to_owned();
    let mut chinese = asking("父母双方都可以为同一个孩子请假吗？");
    chinese.questions[0].recommended = "都可以，除非学校另有记录".to_owned();
    for (requirement, asked, answer, is_taken) in [
        (
            "Parents report a sick child to the school by phone.",
            &asked,
            "Both parents must report the same child, unless the school has noted otherwise",
            false,
        ),
        (
            "Parents report a sick child by phone. Both of them may, unless the school says no.",
            &asked,
            "Both of them may, unless the school says no",
            true,
        ),
        (
            "家长用手机为生病的孩子请假。",
            &chinese,
            "父母都可以，除非学校另有记录。",
            false,
        ),
        (
            "家长用手机为生病的孩子请假，每个孩子只登记一位家长。",
            &chinese,
            "每个孩子只登记一位家长，所以只有这一位。",
            true,
        ),
    ] {
        let said = relay(Some(answer), Some("requirement"));
        let heard = relayed(requirement, asked.clone(), said);
        let status = &heard.state.questions.asked[0].status;
        let closed = matches!(status, QuestionStatus::Closed { .. });
        assert_eq!(closed, is_taken, "{answer}: {status:?}");
    }
}
