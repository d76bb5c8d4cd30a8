//! Remaining objections are counted and shown in every report.

use aitc::machine::{Format, Lang, Purpose, Stage};
use aitc::prompt::Prompter;
use aitc::reply::DocumentKind;

use crate::support::divided::{divided, open};
use crate::support::meeting::*;

/// A meeting with a requested debate in which nobody gives way, and the prompt of its first
/// document, or of its report if the format has no documents.
fn with_dissent(format: Format, light: bool, lang: Lang) -> (Meeting, String) {
    let nowhere = std::path::Path::new("no/such/workspace");
    let assets = aitc::edge::assets::load(nowhere, lang, None).unwrap();
    let mut meeting = open(|inputs| {
        inputs.format = format;
        inputs.light = light;
        inputs.doc_lang = lang;
        inputs.templates = assets.templates;
        inputs.rules.limits.debates.divergence = false;
    });
    let mut rest = divided(|_, _, _| None);
    let mut script = move |state: &_, call: &_| match (format, call) {
        (Format::Team, call) => crate::teams::answer(state, call),
        (_, call) => match call.purpose {
            Purpose::Debate(part) => text(&in_debate(state, call, part)),
            _ => rest(state, call),
        },
    };
    let first = if format == Format::Team {
        Purpose::Step
    } else {
        Purpose::Speech
    };
    meeting.until(first, &mut script);
    meeting.says("/debate Ten years or two?");
    let last = match format {
        Format::Workshop => Purpose::Document(DocumentKind::ProductPlan),
        _ => Purpose::Report,
    };
    let call = meeting.until(last, &mut script);
    let prompter = Prompter::new(&meeting.state.inputs).unwrap();
    let request = prompter.request(&meeting.state, &call).unwrap();
    let prompt = messages(&request);
    meeting.run(&mut script);
    assert_eq!(meeting.state.stage, Stage::Published);
    (meeting, prompt)
}

/// If a debate is not about an issue, its conclusion is passed to the writers with the objections,
/// and the report shows them too.
#[test]
fn dissent_in_a_debate_about_no_issue_is_told_to_writers_and_in_every_report() {
    for (format, light) in [
        (Format::Workshop, false),
        (Format::Workshop, true),
        (Format::Team, false),
        (Format::Board, false),
        (Format::Party, false),
    ] {
        for lang in [Lang::En, Lang::Zh] {
            let (meeting, prompt) = with_dissent(format, light, lang);
            let state = &meeting.state;
            let debate = &state.debates.held[0];
            assert_eq!(debate.motion.about, None, "it is about no issue");
            let end = debate.resolution.as_ref().unwrap();
            let n = end.dissent.len();
            assert!(n > 1, "{format:?}");
            let [counted, still, none] = match lang {
                Lang::En => [
                    &*format!("{n} objections remain"),
                    "still objects",
                    "no dissent",
                ],
                Lang::Zh => [&*format!("{n} 项反对意见仍然成立"), "仍然反对", "没有异议"],
            };
            let concluded = prompt.find(&end.ruling.conclusion).unwrap();
            let after = &prompt[concluded..];
            assert!(after.contains(still), "{format:?}: {prompt}");
            for dissent in &end.dissent {
                let code = state.inputs.roles.code(&dissent.member);
                let is_it = |line: &str| line.contains(code) && line.contains(&dissent.why);
                assert!(after.lines().any(is_it), "{format:?} {code}: {after}");
            }
            let report = file(state, format.report());
            assert!(report.contains(counted), "no `{counted}` in {report}");
            assert!(!report.contains(none), "{report}");
            assert_eq!(report.matches(still).count(), n, "{report}");
            assert!(report.contains("Ten years or two?"), "{report}");
            let plan: serde_json::Value =
                serde_json::from_str(&file(state, format.structured())).unwrap();
            let kept = plan["dissent"]["in_debates"].as_array().unwrap();
            assert_eq!(kept.len(), n);
            assert_eq!(kept[0]["debate"], "D-1");
        }
    }
}
