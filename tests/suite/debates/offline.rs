//! The built-in members debate for real: their checklists collide.

use aitc::machine::debate::{Trigger, Turn};
use aitc::machine::{Event, Format, Lang, Survey};
use aitc::offline::answer;
use aitc::reply::{Decision, Stance};

use super::told;
use crate::offline::offline_inputs;
use crate::support::binary::Place;
use crate::support::meeting::Meeting;

const ENGLISH: &str = "Users upload photos of receipts; personal data is erased on request; \
    search receipts by date; show a dashboard of totals";
const CHINESE: &str = "用户上传票据照片；按请求删除个人数据；按日期搜索票据；显示合计看板";

fn open(requirement: &str, lang: Lang, format: Format) -> Meeting {
    let mut inputs = offline_inputs(lang);
    let folder = std::path::Path::new("no/such/workspace");
    inputs.templates = aitc::edge::assets::load(folder, lang, None)
        .unwrap()
        .templates;
    inputs.limits.debates.review = true;
    inputs.format = format;
    let mut meeting = Meeting::open(requirement, inputs);
    meeting.record(Event::KnowledgeSearch {
        survey: Survey::default(),
    });
    meeting
}

fn run(meeting: &mut Meeting) {
    meeting.run(&mut |state, call| answer(state, call).unwrap());
    for entry in &meeting.entries {
        if let Event::ExpertArgument(argued) = &entry.event {
            assert_eq!(argued.notes, [], "{argued:?}");
            assert!(!argued.output.contains('{'), "{}", argued.output);
        }
    }
}

fn hold(requirement: &str, lang: Lang) -> Meeting {
    let mut meeting = open(requirement, lang, Format::Workshop);
    run(&mut meeting);
    meeting
}

/// What is said in a debate, from the opening to the ruling.
fn page(meeting: &Meeting, debate: &str) -> String {
    let files = aitc::artifact::render(&meeting.state).unwrap();
    let path = format!("debates/{debate}.md");
    let file = files.iter().find(|file| file.path == path);
    String::from_utf8(file.expect("the file is there").bytes.clone()).unwrap()
}

#[test]
fn a_question_no_collision_is_about_is_answered_with_what_the_lists_hold() {
    for (requirement, lang, topics, open_words) in [
        (
            ENGLISH,
            Lang::En,
            ["Who pays for the uploads?", "What about quantum computers?"],
            [
                "Uploads",
                "Somebody who knows has to answer:",
                "and I do not guess",
            ],
        ),
        (
            CHINESE,
            Lang::Zh,
            ["上传文件的费用由谁承担？", "量子计算机怎么办？"],
            ["上传", "需要由了解情况的人回答：", "我不作猜测"],
        ),
    ] {
        let mut meeting = open(requirement, lang, Format::Workshop);
        let review = aitc::machine::Purpose::Speech;
        meeting.until(review, &mut |state, call| answer(state, call).unwrap());
        for topic in topics {
            let wish = super::wanted::said(&meeting.state, &format!("/debate {topic}"));
            meeting.record(wish);
        }
        run(&mut meeting);
        let rulings = meeting.state.debates[1..].iter().map(|debate| {
            let ruling = &debate.resolution.as_ref().unwrap().ruling;
            assert_eq!(ruling.decision, Decision::Shelve, "lists choose nothing");
            assert_eq!(debate.rounds.len(), 1, "and repeat nothing");
            ruling.conclusion.clone()
        });
        let rulings: Vec<String> = rulings.collect();
        let [known, shelved, unknown] = open_words;
        assert!(rulings[0].starts_with(shelved) && rulings[0].contains(topics[0]));
        assert!(rulings[0].len() > rulings[1].len(), "{known}: {rulings:?}");
        assert!(rulings[1].contains(topics[1]) && rulings[1].starts_with(shelved));
        assert!(page(&meeting, "D-3").contains(unknown));
        let said = page(&meeting, "D-2") + &page(&meeting, "D-3");
        for wrong in [
            "two sound texts collide",
            "两条各有道理的文字",
            "one text is left",
            "只剩一种文字",
        ] {
            assert!(!said.contains(wrong), "{said}");
        }
    }
}

#[test]
fn a_team_of_checklists_finds_what_its_results_dispute() {
    for (requirement, lang, review) in [
        (ENGLISH, Lang::En, "The phases stand as they are: P-1, P-2"),
        (CHINESE, Lang::Zh, "阶段划分保持不变：P-1、P-2"),
    ] {
        let mut meeting = open(requirement, lang, Format::Team);
        run(&mut meeting);
        let state = &meeting.state;
        let ruling = &state.debates[0].resolution.as_ref().unwrap().ruling;
        assert!(
            ruling.conclusion.starts_with(review),
            "{}",
            ruling.conclusion
        );
        let dispute = state.debates.get(1).expect("checklists collide");
        let trigger = dispute.motion.trigger;
        assert!(matches!(trigger, Trigger::Coach { .. }), "{trigger:?}");
        let resolution = dispute.resolution.as_ref().unwrap();
        assert_eq!(resolution.ruling.decision, Decision::Compromise);
        assert!(resolution.dissent.is_empty(), "{:?}", resolution.dissent);
        let team = state.team.as_ref().unwrap();
        let phase = &team.debates[&dispute.id];
        assert_eq!(team.done[phase].output, resolution.ruling.conclusion);
        let waits = team.plan.phases().iter();
        let waits = waits.filter(|other| other.depends_on.contains(phase));
        assert!(waits.count() > 0, "later phases build on it");
        let summaries = state.summaries.iter().map(|summary| &summary.text);
        for text in summaries {
            let of_issues = ["issue", "议题"].iter().any(|word| text.contains(word));
            assert!(!of_issues, "a team has none: {text}");
        }
    }
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

/// Whatever else an issue holds, a debate speaks of its one collision: what is proposed and
/// ruled is that collision's text, and the reason is its reason.
#[test]
fn reason_text_and_ruling_are_of_one_collision() {
    let table = [
        (
            "Add CSV export of customer payments with a date filter, and log the request \
             payload. Users must log in with OAuth and pay with Stripe; personal data is \
             erased on request",
            Lang::En,
        ),
        (ENGLISH, Lang::En),
        (
            "增加客户付款记录的 CSV 导出，支持按日期筛选；记录请求日志；用户登录后用微信支付；按请求删除个人数据",
            Lang::Zh,
        ),
        (CHINESE, Lang::Zh),
    ];
    for (requirement, lang) in table {
        let meeting = hold(requirement, lang);
        let lists = crate::offline::checklists::parsed(lang);
        let conflicts: Vec<_> = lists
            .iter()
            .flat_map(|list| list.conflicts.iter().chain(&list.weak_spots))
            .collect();
        let debates = meeting.state.debates.iter();
        let debates: Vec<_> = debates.filter(|d| d.motion.about.is_some()).collect();
        assert!(!debates.is_empty(), "{requirement}");
        for debate in debates {
            let ruling = &debate.resolution.as_ref().unwrap().ruling;
            let of = conflicts.iter().find(|c| c.compromise == ruling.conclusion);
            let of = of.unwrap_or_else(|| panic!("{}", ruling.conclusion));
            assert!(ruling.rationale.contains(&of.accept), "{ruling:?}");
            let turns = debate.rounds.iter().flat_map(|round| round.turns.values());
            for turn in turns {
                let Turn::Argued(argument) = turn else {
                    panic!("{turn:?}")
                };
                let position = argument.position().unwrap();
                if let Some(text) = &position.proposal {
                    assert_eq!(text, &of.compromise, "{requirement}");
                    let reasons = [&of.because, &of.accept];
                    let fits = reasons.iter().any(|why| position.why.contains(*why));
                    assert!(fits, "{position:?}");
                }
            }
        }
        // What was debated is in the plan, beside the rest of the issue's texts.
        assert!(meeting.state.is_agreed());
        let told: Vec<_> = meeting.state.draft.standing().map(|i| &i.text).collect();
        for debate in meeting
            .state
            .debates
            .iter()
            .filter(|d| d.motion.about.is_some())
        {
            let ruling = &debate.resolution.as_ref().unwrap().ruling;
            assert!(told.iter().any(|text| text.contains(&ruling.conclusion)));
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

/// Who asks for a review and gets none is told, and nobody else is.
#[test]
fn a_review_that_small_work_does_not_get_is_told() {
    const NONE: &str = "no review debate";
    let place = Place::new();
    let plan = ["plan", "Rename the button", "--questions", "assume"];
    let ran = place.run(&[&plan[..], &["--review-debate"]].concat());
    ran.ends(0).says(&[NONE]);
    let ran = place.run(&plan).ends(0);
    assert!(!ran.err.contains(NONE), "{ran:#?}");
}

/// Members that answer at once leave the draft no moment to be written in between.
#[test]
fn a_paused_draft_holds_its_debates_with_their_rulings() {
    let place = Place::new();
    let wish = "Nightly backups of the ledger; export the customer list as CSV; delete old \
        accounts; send a mail when a payment fails";
    let ran = place.run(&[
        "plan",
        wish,
        "--review-debate",
        "--questions",
        "pause",
        "-q",
    ]);
    ran.ends(8);
    let status = place.run(&["status", "--json"]).out;
    let debate = place.text("v1.draft/debates/D-1.md");
    assert!(debate.contains("D-1"), "{status}");
    let shown = place.run(&["show", "v1", "D-1"]).out;
    assert_eq!(debate.trim(), shown.trim(), "as it stands in the journal");
}
