//! Prompts of a debate contain everything said before it, nothing from the current debate round,
//! and share the longest possible prefix.

use std::path::Path;

use aitc::chat::ChatRequest;
use aitc::machine::{Action, CallId, DebatePart, Lang, Purpose, next_actions};
use aitc::prompt::Prompter;

use crate::support::divided::{divided, open, usual};
use crate::support::meeting::*;

fn meeting(lang: Lang) -> (Meeting, Prompter) {
    let assets = aitc::edge::assets::load(Path::new("no/such/workspace"), lang, None).unwrap();
    let meeting = open(|inputs| {
        inputs.doc_lang = lang;
        inputs.roles = assets.roles;
        inputs.roles.members[1].thinking_style = Some("in failure cases".to_owned());
        inputs.roles.members[1].speaking_style = Some("in short sentences".to_owned());
        inputs.templates = assets.templates;
    });
    let prompter = Prompter::new(&meeting.state.inputs).unwrap();
    (meeting, prompter)
}

/// All requests from the summary of round 1 to the first speech of round 2.
fn requests(lang: Lang) -> Vec<ChatRequest> {
    let (mut meeting, prompter) = meeting(lang);
    let mut script = usual();
    meeting.until(Purpose::Summary, &mut script);
    let mut sent = Vec::new();
    while meeting.state.discussion.speeches_of(2).next().is_none() {
        for action in next_actions(&meeting.state) {
            if let Action::Call(call) = action {
                sent.push(prompter.request(&meeting.state, &call).unwrap());
            }
        }
        assert!(meeting.step(&mut script));
    }
    sent
}

/// All messages except the last, which names the speaker.
fn known(request: &ChatRequest) -> &[aitc::chat::Message] {
    &request.messages[..request.messages.len() - 1]
}

#[test]
fn every_prompt_of_a_debate_goes_on_where_the_one_before_ended() {
    for lang in [Lang::En, Lang::Zh] {
        let sent = requests(lang);
        let debate: Vec<&ChatRequest> = sent
            .iter()
            .filter(|r| matches!(r.call.purpose, Purpose::Debate(_)))
            .collect();
        assert_eq!(
            debate.len(),
            8,
            "opening, twice two arguments and a summary, ruling"
        );
        let summary = sent
            .iter()
            .find(|r| r.call.purpose == Purpose::Summary)
            .unwrap();
        let mut before = known(summary).to_vec();
        for request in debate {
            assert!(request.messages.starts_with(&before), "{}", request.call);
            assert_eq!(request.schema.name, "contribution");
            before = known(request).to_vec();
        }
    }
}

#[test]
fn an_argument_sees_the_whole_debate_so_far_and_nothing_of_its_own_round() {
    let (mut meeting, prompter) = meeting(Lang::En);
    let call = meeting.until(Purpose::Debate(DebatePart::Argument), &mut usual());
    let due = next_actions(&meeting.state);
    let Some(Action::Call(other)) = due.get(1).cloned() else {
        panic!("{due:?}");
    };
    let before = prompter.request(&meeting.state, &other).unwrap();
    meeting.reply(
        &call,
        &text(&in_debate(&meeting.state, &call, DebatePart::Argument)),
    );
    assert_eq!(prompter.request(&meeting.state, &other).unwrap(), before);
    let shown = messages(&before);
    assert!(shown.contains("What divides us"), "the opening");
    assert!(shown.contains("in failure cases") && shown.contains("in short sentences"));
    let call = meeting.until(Purpose::Debate(DebatePart::Ruling), &mut usual());
    let all = messages(&prompter.request(&meeting.state, &call).unwrap());
    holds(
        &all,
        &[
            "PP argues so in round 1",
            "SD argues so in round 1",
            "PP argues so in round 2",
            "They are still apart.",
        ],
    );
}

#[test]
fn the_round_after_sees_the_conclusion_and_not_the_debate() {
    for lang in [Lang::En, Lang::Zh] {
        let sent = requests(lang);
        let speech = |r: &&ChatRequest| r.call.purpose == Purpose::Speech && r.call.round == 2;
        let shown = messages(sent.iter().find(speech).unwrap());
        assert!(shown.contains("D-1"));
        assert!(shown.contains("Admins export, with a log."));
        assert!(!shown.contains("They are still apart."));
    }
}

#[test]
fn the_summary_is_told_of_divergences_only_where_debates_may_be_held() {
    let criteria = |max: u32| {
        let (mut meeting, prompter) = meeting(Lang::En);
        meeting.state.inputs.rules.limits.debates.max = max;
        let call: CallId = meeting.until(Purpose::Summary, &mut divided(|_, _, _| None));
        messages(&prompter.request(&meeting.state, &call).unwrap())
    };
    let with = criteria(3);
    holds(
        &with,
        &[
            "two members' texts cannot both be right",
            "contradicts the requirement",
            "several options are sound",
        ],
    );
    assert!(criteria(0).contains("`coach.divergence` is null."));
}
