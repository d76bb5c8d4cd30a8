//! The built-in members debate for real: their checklists collide.

use aitc::offline::answer;
use aitc::reply::{Decision, Stance};
use aitc::workshop::debate::Turn;
use aitc::workshop::{Event, Lang, Survey};

use super::told;
use crate::offline::offline_inputs;
use crate::support::meeting::Meeting;

const ENGLISH: &str = "Users upload photos of receipts; personal data is erased on request; \
    search receipts by date; show a dashboard of totals";
const CHINESE: &str = "用户上传票据照片；按请求删除个人数据；按日期搜索票据；显示合计看板";

fn hold(requirement: &str, lang: Lang) -> Meeting {
    let mut inputs = offline_inputs(lang);
    let folder = std::path::Path::new("no/such/workspace");
    inputs.templates = aitc::edge::assets::load(folder, lang, None)
        .unwrap()
        .templates;
    inputs.limits.debates.review = true;
    let mut meeting = Meeting::open(requirement, inputs);
    meeting.record(Event::KnowledgeSearch {
        survey: Survey::default(),
    });
    meeting.run(&mut |state, call| answer(state, call).unwrap());
    meeting
}

#[test]
fn colliding_checklists_are_argued_out_in_both_languages() {
    for (requirement, lang) in [(ENGLISH, Lang::En), (CHINESE, Lang::Zh)] {
        let meeting = hold(requirement, lang);
        let state = &meeting.state;
        let told = told(&meeting);
        assert_eq!(told[0], "D-1 started", "{told:?}");
        let review = &state.debates[0];
        assert_eq!(review.participants().len(), 5);
        assert_eq!(review.rounds.len(), 1, "nobody objects to the list");
        let debate = state.debates.get(1).unwrap_or_else(|| panic!("{told:?}"));
        let resolution = debate.resolution.as_ref().unwrap();
        assert_eq!(resolution.ruling.decision, Decision::Compromise);
        assert!(resolution.dissent.is_empty(), "{:?}", resolution.dissent);
        // One side gives way with a reason, then the other withdraws with one.
        assert_eq!(debate.rounds.len(), 2);
        let stances = |round: usize| -> Vec<Stance> {
            let turns = debate.rounds[round].turns.values();
            turns
                .map(|turn| match turn {
                    Turn::Argued(argument) => argument.position().unwrap().stance,
                    Turn::Missing { reason } => panic!("{reason}"),
                })
                .collect()
        };
        assert!(stances(0).contains(&Stance::Object), "{:?}", stances(0));
        assert!(!stances(1).contains(&Stance::Object), "{:?}", stances(1));
        assert!(state.is_agreed());
        assert_eq!(state.round, 2);
        for entry in &meeting.entries {
            if let Event::ExpertArgument(argued) = &entry.event {
                assert_eq!(argued.notes, [], "{argued:?}");
                assert!(!argued.output.contains('{'), "{}", argued.output);
            }
        }
    }
}

#[test]
fn a_debate_can_be_read_in_both_languages() {
    for (requirement, lang, ruling, section) in [
        (
            ENGLISH,
            Lang::En,
            "**Ruling: compromise.**",
            "after round 1",
        ),
        (CHINESE, Lang::Zh, "**裁决：折中。**", "第 1 轮之后"),
    ] {
        let meeting = hold(requirement, lang);
        let files = aitc::artifact::render(&meeting.state).unwrap();
        let text = |path: &str| {
            let file = files.iter().find(|file| file.path == path);
            String::from_utf8(file.expect("the file is there").bytes.clone()).unwrap()
        };
        let page = text("debates/D-2.md");
        assert!(page.contains(ruling), "{page}");
        insta::assert_snapshot!(format!("debate_{}", lang.code()), page);
        let report = text("planning_report.md");
        assert!(
            report.contains(section) && report.contains("debates/D-2.md"),
            "{report}"
        );
    }
}
