//! Nudges: who is nudged, when, how often, and what follows.

use aitc::machine::*;
use aitc::reply::Stance;
use aitc::role::RoleId;

use crate::support::meeting::{
    Meeting, agreeable, call_due, contribution, inputs, position, resumed, text,
};

/// Inputs with a nudge text.
fn pushing() -> Inputs {
    let mut inputs = inputs();
    let nudge = "Go on: take a position.".to_owned();
    inputs.templates.insert(diligence::TEXT.to_owned(), nudge);
    inputs
}

/// A team in which PP gives this answer in the first `times` attempts of its speech.
fn idle(reply: &'static str, times: usize) -> impl FnMut(&State, &CallId) -> String {
    let mut basics = agreeable(1);
    let mut asked = 0;
    move |state, call| {
        if call.purpose == Purpose::Speech && call.turn == 1 {
            asked += 1;
            if asked <= times {
                return reply.to_owned();
            }
        }
        basics(state, call)
    }
}

fn pushes(meeting: &Meeting) -> Vec<(Idle, u32)> {
    let of = |event: &Event| match event {
        Event::DiligencePush { why, left, .. } => Some((*why, *left)),
        _ => None,
    };
    meeting
        .entries
        .iter()
        .filter_map(|e| of(&e.event))
        .collect()
}

fn held(inputs: Inputs, script: &mut dyn FnMut(&State, &CallId) -> String) -> Meeting {
    let mut meeting = Meeting::open("two things", inputs);
    meeting.run(script);
    meeting
}

#[test]
fn an_idle_turn_is_nudged_and_goes_on() {
    for (reply, why) in [
        ("", Idle::EmptyReply),
        ("  \n", Idle::EmptyReply),
        ("{\"analysis\":\"\"}", Idle::EmptyReply),
        (
            "<tool_call>{\"name\":\"search\"}</tool_call>",
            Idle::EmptyReply,
        ),
        ("{\"analysis\":\"Nothing to add.\"}", Idle::NoOpenIssue),
    ] {
        let meeting = held(pushing(), &mut idle(reply, 2));
        assert_eq!(pushes(&meeting), [(why, 2), (why, 1)], "{reply:?}");
        assert!(meeting.state.ending.is_agreed(), "{reply:?}");
        assert_eq!(meeting.state.discussion.speeches.len(), 5);
        let calls = meeting.events().filter_map(|event| match event {
            Event::Speaking { receipt, .. } => Some(receipt.call.attempt),
            _ => None,
        });
        assert_eq!(calls.collect::<Vec<_>>(), [3, 1, 1, 1, 1]);
    }
}

#[test]
fn a_turn_that_says_something_is_left_alone() {
    for reply in [
        "{\"analysis\":\"No.\",\"corrections\":[{\"whom\":\"SD\",\"about\":\"x\"}]}",
        "{\"analysis\":\"No.\",\"positions\":[{\"issue\":\"I-1\",\"stance\":\"abstain\",\"why\":\"w\"}]}",
        // Notes or evidence alone count as a contribution, even without a speech.
        "{\"analysis\":\"\",\"notes\":[{\"document\":\"dev_plan\",\"text\":\"x\"}]}",
        "{\"analysis\":\"\",\"evidence\":[{\"claim\":\"It is there.\",\"path\":null,\"from\":null,\"to\":null,\"quote\":\"\"}]}",
        "{\"analysis\":\"?\",\"questions\":[{\"question\":\"Who?\",\"why\":\"w\",\"options\":[],\"recommended\":\"me\"}]}",
    ] {
        let meeting = held(pushing(), &mut idle(reply, 1));
        assert_eq!(pushes(&meeting), [], "{reply}");
        assert_eq!(meeting.state.calls.rejected, 0, "{reply}");
    }
    // An answer that is not JSON is rejected with a reason instead of nudged.
    let meeting = held(pushing(), &mut idle("The weather is fine.", 1));
    assert_eq!(
        (pushes(&meeting), meeting.state.calls.rejected),
        (vec![], 1)
    );
}

#[test]
fn an_end_proposed_too_early_is_nudged_once_a_turn() {
    let reply = "{\"analysis\":\"Done. <!-- END -->\"}";
    let meeting = held(pushing(), &mut idle(reply, 2));
    assert_eq!(pushes(&meeting), [(Idle::EndProposed, 2)]);
    assert_eq!(
        meeting.state.ending.proposals,
        (1, 0),
        "declined: nobody watches"
    );
    assert!(meeting.state.ending.is_agreed());
}

/// The coach proposes the end in the summary that settles everything, so the proposal is not too
/// early.
#[test]
fn a_summary_that_settles_what_is_open_proposes_the_end_in_time() {
    for (rounds, nudged) in [(1, 0), (2, 1)] {
        let mut basics = agreeable(rounds);
        let mut script = move |state: &State, call: &CallId| {
            let marked = call.purpose == Purpose::Summary && call.round == 1;
            let said = basics(state, call);
            if marked {
                format!("{said}\n<!-- END -->")
            } else {
                said
            }
        };
        let meeting = held(pushing(), &mut script);
        assert_eq!(pushes(&meeting).len(), nudged, "{rounds} rounds");
        assert!(meeting.state.ending.is_agreed());
    }
}

/// A run in which PP never answers, up to the question to the user.
fn exhausted(mode: QuestionMode) -> Meeting {
    let mut inputs = pushing();
    inputs.questions = mode;
    let mut meeting = Meeting::open("two things", inputs);
    let mut script = idle("", 99);
    while meeting.state.questions.waiting().next().is_none() {
        assert!(meeting.step(&mut script), "nobody asks");
    }
    meeting
}

fn answered(meeting: &mut Meeting, reply: &str, source: AnswerSource) {
    let question = meeting.state.questions.waiting().next().unwrap();
    assert_eq!(question.options, ["continue", "stop"]);
    meeting.answers(reply, source);
}

#[test]
fn a_budget_that_is_used_up_asks_the_human() {
    let mut meeting = exhausted(QuestionMode::Ask);
    let left: Vec<u32> = pushes(&meeting).iter().map(|(_, left)| *left).collect();
    assert_eq!(left, [2, 1, 0]);
    answered(&mut meeting, "continue", AnswerSource::Terminal);
    assert!(
        meeting.state.draft.lines().is_empty(),
        "it is no part of the plan"
    );
    // The question resets the number of nudges.
    let pp = RoleId::from("ProductPlanner");
    assert_eq!(diligence::left(&meeting.state, &pp), 3);
    let call = call_due(&meeting.state);
    assert_eq!((call.member.as_str(), call.attempt), ("ProductPlanner", 5));
    meeting.run(&mut agreeable(1));
    assert!(meeting.state.ending.is_agreed());
    assert_eq!(meeting.state.ending.diligence.pushes[&pp], 3);
}

#[test]
fn what_the_human_says_decides_and_silence_stops() {
    for (reply, source, reason) in [
        ("stop", AnswerSource::Terminal, StopReason::User),
        ("stop", AnswerSource::Recommended, StopReason::User),
        ("continue", AnswerSource::Assumed, StopReason::Silence),
        ("", AnswerSource::Declined, StopReason::Silence),
    ] {
        let mut meeting = exhausted(QuestionMode::Ask);
        answered(&mut meeting, reply, source);
        meeting.run(&mut agreeable(1));
        let stop = meeting.stop();
        assert_eq!(stop.reason, reason, "{reply} {source:?}");
        assert_eq!(meeting.state.stage, Stage::Published);
        assert_eq!(meeting.state.documents.written.len(), 5);
    }
    let mut meeting = exhausted(QuestionMode::Ask);
    answered(&mut meeting, "Ask about the rows.", AnswerSource::Command);
    assert_eq!(meeting.state.ending.words[0].text, "Ask about the rows.");
}

#[test]
fn a_run_that_assumes_never_goes_on_by_itself() {
    let meeting = held(pushing(), &mut idle("", 99));
    let stop = meeting.stop();
    assert_eq!(
        (stop.reason, stop.value, stop.limit),
        (StopReason::Silence, 3, 3)
    );
    assert_eq!(stop.sign, Some(Sign::NudgesUsedUp));
    assert_eq!(meeting.state.calls.answered, 1 + 4 + 6, "and no call more");
}

#[test]
fn once_the_end_is_decided_nobody_is_nudged_or_asked_again() {
    let mut basics = agreeable(9);
    let meeting = held(pushing(), &mut |state, call| match call.purpose {
        Purpose::Speech if call.turn == 4 => String::new(),
        Purpose::Summary => String::new(),
        _ => basics(state, call),
    });
    let left: Vec<u32> = pushes(&meeting).iter().map(|(_, left)| *left).collect();
    assert_eq!(left, [2, 1, 0], "the fourth speaker's");
    assert_eq!(
        meeting.state.questions.asked.len(),
        1,
        "the coach raises none"
    );
    let stop = meeting.stop();
    assert_eq!(stop.sign, Some(Sign::NudgesUsedUp));
    assert_eq!(meeting.state.documents.written.len(), 5);
}

#[test]
fn only_the_root_dialogue_is_pushed() {
    let mut basics = agreeable(1);
    let meeting = held(pushing(), &mut |state, call| match call.purpose {
        Purpose::Speech if call.turn == 2 && state.questions.asked.is_empty() => {
            let asks = "{\"analysis\":\"?\",\"questions\":[{\"question\":\"Who?\",\"why\":\"w\",\
                        \"options\":[],\"recommended\":\"me\"}]}";
            asks.to_owned()
        }
        Purpose::Relay if call.attempt == 1 => String::new(),
        Purpose::Document(_) if call.attempt == 1 => String::new(),
        _ => basics(state, call),
    });
    assert_eq!(pushes(&meeting), []);
    assert!(meeting.state.ending.is_agreed());
}

/// A reason why nobody is nudged, and the setting that causes it.
type SwitchOff = (&'static str, fn(&mut Inputs));

#[test]
fn whose_budget_is_below_one_is_not_pushed() {
    let never: [SwitchOff; 3] = [
        ("told so", |inputs| {
            let pp = RoleId::from("ProductPlanner");
            inputs.ending.diligence_push_max.insert(pp, -1);
        }),
        ("a shadow", |inputs| inputs.roles.members[0].shadow = true),
        ("an empty text", |inputs| {
            inputs
                .templates
                .insert(diligence::TEXT.to_owned(), "\n".to_owned());
        }),
    ];
    for (why, switch_off) in never {
        let mut inputs = pushing();
        switch_off(&mut inputs);
        let meeting = held(inputs, &mut idle("", 9));
        assert_eq!(pushes(&meeting), [], "{why}");
        assert!(!meeting.state.discussion.passed_over.is_empty(), "{why}");
        let noted = meeting.state.ending.diligence.off.is_some();
        assert!(noted, "{why}: a line of the transcript");
    }
    let mut inputs = pushing();
    inputs.roles.members[0].shadow = true;
    let pp = RoleId::from("ProductPlanner");
    inputs.ending.diligence_push_max.insert(pp, 1);
    assert_eq!(
        pushes(&held(inputs, &mut idle("", 1))).len(),
        1,
        "told otherwise"
    );
    let mut inputs = pushing();
    inputs.roles.members[0].id = RoleId::from("fuxi");
    assert_eq!(
        pushes(&held(inputs, &mut idle("", 9))),
        [],
        "a reserved name"
    );
}

#[test]
fn a_budget_comes_back_only_with_a_question() {
    let mut basics = agreeable(3);
    let mut meeting = Meeting::open("two things", pushing());
    // PP is idle in the first attempt of every round.
    meeting.run(&mut |state, call| {
        if call.purpose == Purpose::Speech && call.turn == 1 && call.attempt == 1 {
            return text(&contribution("Nothing."));
        }
        basics(state, call)
    });
    let left: Vec<u32> = pushes(&meeting).iter().map(|(_, left)| *left).collect();
    assert_eq!(left, [2, 1, 0]);
    assert!(meeting.state.ending.is_agreed());
    let stance = meeting.state.discussion.speeches[0].speech.positions[0].stance;
    assert_eq!(stance, Stance::Agree);
}

#[test]
fn a_run_that_is_taken_up_again_keeps_the_nudge_in_the_prompt() {
    let mut meeting = Meeting::open("two things", pushing());
    let mut script = idle("", 1);
    while pushes(&meeting).is_empty() {
        assert!(meeting.step(&mut script));
    }
    let nudged = |meeting: &Meeting| {
        let histories = meeting.state.calls.troubled.values();
        histories
            .filter_map(|history| history.last_nudged.clone())
            .next()
    };
    let before = nudged(&meeting);
    assert!(before.is_some());
    meeting.record(resumed());
    assert_eq!(nudged(&meeting), before);
    meeting.run(&mut agreeable(1));
    assert_eq!(pushes(&meeting).len(), 1);
}

/// Without the reason, a member would repeat what was left out.
#[test]
fn a_nudge_tells_what_was_left_out_and_why() {
    let mut basics = agreeable(2);
    let mut told = None;
    let mut asked = 0;
    let meeting = held(pushing(), &mut |state, call| {
        if call.purpose != Purpose::Speech || call.turn != 1 {
            return basics(state, call);
        }
        asked += 1;
        if asked == 2 {
            let tries = state.calls.troubled.get(&call.first()).cloned();
            told = tries.and_then(|history| history.last_nudged);
            return basics(state, call);
        }
        if asked > 1 {
            return basics(state, call);
        }
        let mut speech = contribution("I speak of what is not there.");
        speech.positions = vec![position("I-44", Stance::Agree, Some("so"))];
        text(&speech)
    });
    assert_eq!(pushes(&meeting), [(Idle::NoOpenIssue, 2)]);
    let (nudge, _) = told.expect("the nudge is put");
    assert!(nudge.starts_with("Go on: take a position."), "{nudge}");
    let reason = "- I-44: no open issue has this id; the position is left out";
    assert!(nudge.ends_with(reason), "{nudge}");
    let notes = meeting.events().find_map(|event| match event {
        Event::DiligencePush { notes, .. } => Some(notes.clone()),
        _ => None,
    });
    assert!(notes.unwrap()[0].said.as_deref().unwrap().contains("so"));
}
