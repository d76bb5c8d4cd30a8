//! Who does not give way is counted and shown, in every report.

use aitc::machine::{Format, Lang, Purpose, Stage};
use aitc::prompt::Prompter;
use aitc::reply::DocumentKind;

use super::wanted::said;
use crate::support::divided::{divided, open};
use crate::support::meeting::{Meeting, in_debate, text};

/// The report of a meeting in which a debate is asked for that nobody gives way in.
fn report(format: Format, light: bool, lang: Lang) -> (Meeting, String) {
    let (meeting, _) = with_dissent(format, light, lang);
    let files = aitc::artifact::render(&meeting.state).unwrap();
    let file = files.into_iter().find(|file| file.path == format.report());
    let report = String::from_utf8(file.unwrap().bytes).unwrap();
    (meeting, report)
}

/// That meeting, and the first prompt of its last words: a document, or what stands for them.
fn with_dissent(format: Format, light: bool, lang: Lang) -> (Meeting, String) {
    let nowhere = std::path::Path::new("no/such/workspace");
    let assets = aitc::edge::assets::load(nowhere, lang, None).unwrap();
    let mut meeting = open(|inputs| {
        inputs.format = format;
        inputs.light = light;
        inputs.doc_lang = lang;
        inputs.templates = assets.templates;
        inputs.limits.debates.divergence = false;
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
    meeting.record(said(&meeting.state, "/debate Ten years or two?"));
    let last = match format {
        Format::Workshop => Purpose::Document(DocumentKind::ProductPlan),
        _ => Purpose::Report,
    };
    let call = meeting.until(last, &mut script);
    let prompter = Prompter::new(&meeting.state.inputs).unwrap();
    let request = prompter.request(&meeting.state, &call).unwrap();
    let prompt = request.messages.iter().map(|message| &*message.content);
    let prompt = prompt.collect::<Vec<_>>().join("\n");
    meeting.run(&mut script);
    assert_eq!(meeting.state.stage, Stage::Published);
    (meeting, prompt)
}

/// Whoever writes from the conclusion of a debate about no issue is told who objects to it.
#[test]
fn dissent_stands_with_the_conclusion_that_documents_are_written_from() {
    for format in [Format::Workshop, Format::Team, Format::Board, Format::Party] {
        for (lang, still) in [(Lang::En, "still objects"), (Lang::Zh, "仍然反对")] {
            let (meeting, prompt) = with_dissent(format, false, lang);
            let end = meeting.state.debates.held[0].resolution.as_ref().unwrap();
            let concluded = prompt.find(&end.ruling.conclusion).unwrap();
            let after = &prompt[concluded..];
            assert!(
                end.dissent.len() > 1 && after.contains(still),
                "{format:?}: {prompt}"
            );
            for dissent in &end.dissent {
                let code = meeting.state.inputs.roles.code(&dissent.member);
                let said = after
                    .lines()
                    .any(|line| line.contains(code) && line.contains(&dissent.why));
                assert!(said, "{format:?} {code}: {after}");
            }
        }
    }
}

#[test]
fn dissent_in_a_debate_about_no_issue_is_counted_and_shown_everywhere() {
    for (format, light) in [
        (Format::Workshop, false),
        (Format::Workshop, true),
        (Format::Team, false),
        (Format::Board, false),
        (Format::Party, false),
    ] {
        for lang in [Lang::En, Lang::Zh] {
            let (meeting, report) = report(format, light, lang);
            let debate = &meeting.state.debates.held[0];
            assert_eq!(debate.motion.about, None, "it is about no issue");
            let dissent = &debate.resolution.as_ref().unwrap().dissent;
            assert!(dissent.len() > 1, "{format:?}");
            let n = dissent.len();
            let (counted, still, none) = match lang {
                Lang::En => (
                    format!("{n} objections remain"),
                    "still objects: because",
                    "no dissent",
                ),
                Lang::Zh => (
                    format!("{n} 项反对意见仍然成立"),
                    "仍然反对：because",
                    "没有异议",
                ),
            };
            assert!(report.contains(&counted), "no `{counted}` in {report}");
            assert!(!report.contains(none), "{report}");
            assert_eq!(report.matches(still).count(), n, "{report}");
            assert!(report.contains("Ten years or two?"), "{report}");
            let files = aitc::artifact::render(&meeting.state).unwrap();
            let plan = files.iter().find(|file| file.path == format.structured());
            let plan: serde_json::Value = serde_json::from_slice(&plan.unwrap().bytes).unwrap();
            let kept = plan["dissent"]["in_debates"].as_array().unwrap();
            assert_eq!(kept.len(), n);
            assert_eq!(kept[0]["debate"], "D-1");
        }
    }
}
