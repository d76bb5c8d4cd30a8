//! Tests of the lines of a live view.

use super::*;
use crate::chat::Usage;
use crate::machine::{CallHistory, DebatePart, Lang, OpenCall};
use crate::reply::DocumentKind;
use crate::ui::view::samples;

fn state(calls: &[&str]) -> State {
    let mut state = samples::state();
    let open = OpenCall {
        reserve: 0,
        reserve_usd: Default::default(),
        input_context: Default::default(),
    };
    let calls = calls
        .iter()
        .map(|name| (name.parse().unwrap(), open.clone()));
    state.calls.open = calls.collect();
    state
}

const CALLS: [&str; 3] = [
    "root/speech/ProductPlanner/r1/t1/a1",
    "root/speech/SystemDesigner/r1/t2/a1",
    "root/summary/Coach/r1/t1/a1",
];

fn hear(live_view: &mut LiveView, call: &str, now: u64, text: &str) {
    live_view.add_piece(&call.parse().unwrap(), now, |heard| heard.take(text));
}

#[test]
fn one_speaker_in_both_languages() {
    let mut shown = String::new();
    for lang in [Lang::En, Lang::Zh] {
        let style = Style {
            lang,
            ..samples::style()
        };
        let mut live_view = LiveView::default();
        live_view.follow(&state(&CALLS[..1]), 1_000);
        let mut take = |live_view: &LiveView, now| {
            shown.push_str(&live_view.lines(now, 12, &style).join("\n"));
            shown.push_str("\n\n");
        };
        take(&live_view, 2_000);
        live_view.add_piece(&CALLS[0].parse().unwrap(), 3_000, |heard| heard.think("hm"));
        take(&live_view, 4_000);
        hear(
            &mut live_view,
            CALLS[0],
            5_000,
            "{\"analysis\":\"The **export** runs in the background, so that a large table does not hold up the page. 大表分批读取，每批五百行，",
        );
        take(&live_view, 6_000);
        take(&live_view, 5_000 + SILENCE);
    }
    insta::assert_snapshot!("live_one_speaker", shown);
}

#[test]
fn many_speakers_have_a_line_each_and_the_rest_is_counted() {
    let style = samples::style();
    let mut live_view = LiveView::default();
    live_view.follow(&state(&CALLS), 0);
    hear(
        &mut live_view,
        CALLS[1],
        100,
        "{\"analysis\":\"Rows are read in batches of five hundred, and each batch is written before the next one is read",
    );
    let all = live_view.lines(200, 12, &style).join("\n");
    let few = live_view.lines(200, 4, &style).join("\n");
    insta::assert_snapshot!("live_many_speakers", format!("{all}\n\n{few}\n"));
}

#[test]
fn calls_that_are_over_are_gone_and_pieces_of_theirs_are_passed_over() {
    let mut live_view = LiveView::default();
    live_view.follow(&state(&CALLS[..1]), 0);
    assert!(!live_view.is_idle());
    live_view.follow(&state(&[]), 10);
    hear(&mut live_view, CALLS[0], 20, "late");
    assert!(live_view.is_idle());
    assert_eq!(
        live_view.lines(30, 12, &samples::style()),
        Vec::<String>::new()
    );
    assert_eq!(live_view.heartbeat(30, &samples::style()), None);
}

#[test]
fn time_and_tokens_stand_against_their_limits() {
    let mut state = state(&CALLS[..1]);
    state.run.active_ms = 65_000;
    state.inputs.rules.limits.max_tokens = Some(200_000);
    state.calls.used = Usage::default();
    state.calls.used.input = 18_200;
    let mut live_view = LiveView::default();
    live_view.follow(&state, 0);
    let line = live_view.lines(5_000, 12, &samples::style()).pop().unwrap();
    assert!(line.contains("1:10 of 30:00"), "{line}");
    assert!(line.contains("18.2k tokens of 200k"), "{line}");
    state.ending.granted_minutes = 10;
    live_view.follow(&state, 0);
    let line = live_view.lines(5_000, 12, &samples::style()).pop().unwrap();
    assert!(line.contains("1:10 of 40:00"), "{line}");
    assert_eq!(clock(3_905_000), "1:05:05");
}

#[test]
fn a_question_leaves_room_for_its_answer() {
    let style = Style {
        width: 40,
        ..samples::style()
    };
    let (lines, column) = with_question("Enter takes it: ", "管理员", &style);
    assert_eq!(
        (lines, column),
        (vec!["Enter takes it: 管理员".to_owned()], 22)
    );
    let (lines, column) = with_question("Enter takes the recommended answer: ", "yes", &style);
    let expected = ["Enter takes the recommended answer:", "› yes"];
    assert_eq!((lines, column), (expected.map(str::to_owned).to_vec(), 5));
    let (lines, _) = with_question("Enter: ", &"x".repeat(60), &style);
    assert_eq!(lines[1].width(), 40, "its end is shown: {lines:?}");
}

#[test]
fn what_was_typed_stays() {
    let style = samples::style();
    assert_eq!(echo("", "a\x1b[2Jb", &style), "› ab");
    assert_eq!(echo("Enter: ", "", &style), "Enter:");
    assert_eq!(echo("Enter: ", "x", &style), "Enter: x");
    assert!(menu(&style).starts_with("· [E] end now"));
}

/// A wait that the provider asked for is shown in every format and counts down.
#[test]
fn a_call_that_is_held_back_says_for_how_long() {
    for (lang, told) in [
        (Lang::En, ["asked, 20 s left", "asked, 1 s left"]),
        (Lang::Zh, ["还有 20 秒", "还有 1 秒"]),
    ] {
        let style = Style {
            lang,
            ..samples::style()
        };
        let second = "root/speech/SystemDesigner/r1/t2/a2";
        let mut state = state(&[CALLS[0], second]);
        let failed = CallHistory {
            spent_attempts: 1,
            failures: 1,
            retry_after_ms: Some(20_000),
            ..CallHistory::default()
        };
        let first = second.parse::<CallId>().unwrap().first();
        state.calls.troubled.insert(first, failed);
        let mut live_view = LiveView::default();
        live_view.follow(&state, 0);
        for (now, told) in [(0, told[0]), (19_500, told[1])] {
            let lines = live_view.lines(now, 12, &style);
            assert!(
                !lines[0].contains(told) && lines[1].contains(told),
                "{lines:#?}"
            );
            let beat = live_view.heartbeat(now, &style).unwrap();
            assert!(beat.contains(told), "{beat}");
        }
        let lines = live_view.lines(20_000, 12, &style);
        assert!(!lines[1].contains(told[1]), "{lines:#?}");
        state.calls.open.remove(&CALLS[0].parse().unwrap());
        live_view.follow(&state, 1_000);
        let lines = live_view.lines(10_000, 12, &style).join("\n");
        assert!(lines.contains(&told[0].replace("20", "10")), "{lines}");
    }
}

#[test]
fn every_purpose_of_a_call_has_words() {
    let purposes = [
        Purpose::Judgment,
        Purpose::Speech,
        Purpose::Relay,
        Purpose::FollowUp,
        Purpose::Summary,
        Purpose::Step,
        Purpose::Vote,
        Purpose::Debate(DebatePart::Opening),
        Purpose::Debate(DebatePart::Argument),
        Purpose::Debate(DebatePart::Summary),
        Purpose::Debate(DebatePart::Ruling),
        Purpose::Document(DocumentKind::DevPlan),
        Purpose::Report,
        Purpose::Review,
        Purpose::Verdict,
    ];
    for asked in purposes {
        assert_ne!(purpose(asked, &samples::style()), "", "{asked:?}");
    }
}
