//! Who does not give way is counted and shown, in every report.

use aitc::workshop::{Format, Lang, Purpose, Stage};

use super::wanted::said;
use crate::support::divided::{divided, open};
use crate::support::meeting::{Meeting, in_debate, text};

/// The report of a meeting in which a debate is asked for that nobody gives way in.
fn report(format: Format, light: bool, lang: Lang) -> (Meeting, String) {
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
    meeting.run(&mut script);
    assert_eq!(meeting.state.stage, Stage::Published);
    let files = aitc::artifact::render(&meeting.state).unwrap();
    let file = files.into_iter().find(|file| file.path == format.report());
    let report = String::from_utf8(file.unwrap().bytes).unwrap();
    (meeting, report)
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
            let debate = &meeting.state.debates[0];
            assert_eq!(debate.motion.about, None, "it is about no issue");
            let dissent = &debate.resolution.as_ref().unwrap().dissent;
            assert!(dissent.len() > 1, "{format:?}");
            let n = dissent.len();
            let (counted, still, none) = match lang {
                Lang::En => (
                    format!("{n} objections stand"),
                    "still objected: because",
                    "no dissent",
                ),
                Lang::Zh => (
                    format!("{n} 项反对意见仍然成立"),
                    "仍然反对：because",
                    "无异议",
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
