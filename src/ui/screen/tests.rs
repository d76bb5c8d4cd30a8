//! What a terminal shows after a sequence of events.

use std::io::{self, Write};

use super::state::Size;
use super::*;
use crate::machine::{Lang, OpenCall, Stage};
use crate::ui::human::{LineUse, TypedLine};
use crate::ui::view::{WIDEST, samples};

/// Collects the written bytes.
#[derive(Clone, Default)]
struct Wire(Arc<Mutex<Vec<u8>>>);

impl Write for Wire {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut wire = self.0.lock().unwrap();
        wire.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Wire {
    /// The rows of the terminal, without empty ones at the end.
    fn rows(&self, (columns, rows): (u16, u16)) -> Vec<String> {
        let mut screen = vt100::Parser::new(rows, columns, 1000);
        // A terminal moves to the first column at every line break.
        let bytes = String::from_utf8(self.0.lock().unwrap().clone()).unwrap();
        let bytes = bytes.replace("\r\n", "\n").replace('\n', "\r\n");
        screen.process(bytes.as_bytes());
        let rows: Vec<String> = screen.screen().rows(0, columns).collect();
        let end = rows.iter().rposition(|row| !row.is_empty());
        rows[..end.map_or(0, |at| at + 1)].to_vec()
    }
}

fn setting(show: DisplayMode, asks: bool) -> ScreenSettings {
    ScreenSettings {
        show,
        style: samples::style(),
        fixed_width: false,
        asks,
        rings: false,
        heartbeat_ms: 30_000,
        reflows: true,
    }
}

/// A screen with this many columns, and the bytes that it writes.
fn screen(setting: ScreenSettings, columns: usize) -> (ScreenState, Wire) {
    let wire = Wire::default();
    let size: Size = Box::new(move || Some((columns, 24)));
    (
        ScreenState::new(setting, Box::new(wire.clone()), size),
        wire,
    )
}

/// A line typed at a question, or to the members.
fn line(text: &str, to: LineUse) -> RoutedEvent {
    let text = text.to_owned();
    RoutedEvent::Line(TypedLine { text, to })
}

fn call(name: &str) -> CallId {
    name.parse().unwrap()
}

/// A run with these calls in flight.
fn flying(calls: &[&str]) -> State {
    let mut state = samples::state();
    let open = OpenCall {
        reserve: 0,
        reserve_usd: Default::default(),
        input_context: Default::default(),
    };
    let calls = calls.iter().map(|name| (call(name), open.clone()));
    state.calls.open = calls.collect();
    state
}

const SD: &str = "root/speech/SystemDesigner/r1/t2/a1";
const PP: &str = "root/speech/ProductPlanner/r1/t1/a1";

#[test]
fn what_is_said_stands_below_what_is_printed_until_it_is_over() {
    let (mut screen, wire) = screen(setting(DisplayMode::Live, false), 60);
    screen.print("✓ PP    agrees", 0);
    hold(&screen.live_view).follow(&flying(&[SD]), 0);
    hold(&screen.live_view).add_piece(&call(SD), 50, |heard| {
        heard.take("{\"analysis\":\"导出 rows one by one, \\u001b[31mnever all at once, since a large table would not fit")
    });
    screen.tick(3_200, true);
    let bytes = String::from_utf8(wire.0.lock().unwrap().clone()).unwrap();
    assert!(!bytes.contains("\x1b[31m"), "{bytes:?}");
    let rows = wire.rows((60, 24));
    assert_eq!(rows[0], "✓ PP    agrees");
    assert!(rows[1].starts_with("⠋ SD    speaks"), "{rows:#?}");
    assert!(rows[1].ends_with("0:03 · ~33"), "{rows:#?}");
    assert_eq!(
        rows[2],
        "        导出 rows one by one, never all at once, since a"
    );
    assert_eq!(rows[3], "        large table would not fit");
    assert!(rows[4].contains("Round 1 · "), "{rows:#?}");
    hold(&screen.live_view).follow(&flying(&[]), 4_000);
    screen.print("✓ SD    objects", 4_000);
    assert_eq!(wire.rows((60, 24)), ["✓ PP    agrees", "✓ SD    objects"]);
}

#[test]
fn what_is_typed_stays_readable_whatever_is_drawn() {
    let (mut screen, wire) = screen(setting(DisplayMode::Live, true), 60);
    hold(&screen.live_view).follow(&flying(&[SD]), 0);
    screen.tick(0, true);
    let hint = wire.rows((60, 24)).last().cloned().unwrap();
    assert!(hint.starts_with("› type to the members"), "{hint}");
    for (n, byte) in "不要 app".bytes().enumerate() {
        screen.handle_keys(&[byte], n as u64);
        hold(&screen.live_view).add_piece(&call(SD), n as u64, |heard| heard.take("some words "));
        screen.tick(n as u64 * FRAME, true);
    }
    screen.print("· a note", 900);
    assert_eq!(wire.rows((60, 24)).last().unwrap(), "› 不要 app");
    let done = screen.handle_keys(b"\x7f\x7f\x7fCSV\r", 1_000);
    assert_eq!(done, [line("不要 CSV", LineUse::Run)]);
    let rows = wire.rows((60, 24));
    assert_eq!(rows[..2], ["· a note", "› 不要 CSV"], "{rows:#?}");
    assert_eq!(*rows.last().unwrap(), hint);
}

/// The bytes of an arrow key arrive together; a person who presses Escape types on later.
#[test]
fn escape_alone_swallows_no_other_key() {
    let (mut screen, _) = screen(setting(DisplayMode::Live, true), 60);
    screen.handle_keys(b"a\x1b", 0);
    screen.handle_keys(b"[A\x1b", 20);
    let done = screen.handle_keys(b"b\r", 200);
    assert_eq!(done, [line("ab", LineUse::Run)]);
}

#[test]
fn once_the_discussion_is_over_nobody_is_asked_to_type() {
    let (mut screen, wire) = screen(setting(DisplayMode::Live, true), 80);
    let mut state = flying(&["root/risk_assessment/RP/r0/t0/a1"]);
    state.stage = Stage::Writing;
    hold(&screen.live_view).follow(&state, 0);
    screen.tick(0, true);
    let rows = wire.rows((80, 24));
    assert!(
        rows.last().unwrap().contains("is not sent to the members"),
        "{rows:#?}"
    );
}

#[test]
fn a_question_takes_the_place_of_the_region() {
    let (mut screen, wire) = screen(setting(DisplayMode::Live, true), 60);
    hold(&screen.live_view).follow(&flying(&[]), 0);
    screen.ask(
        "? Q-1 Who may export?\n  options  1. All\nEnter takes it: ",
        0,
    );
    screen.handle_keys("管理".as_bytes(), 10);
    screen.tick(100, true);
    let asked = [
        "? Q-1 Who may export?",
        "  options  1. All",
        "Enter takes it: 管理",
    ];
    assert_eq!(wire.rows((60, 24)), asked);
    assert_eq!(
        screen.handle_keys("员\n".as_bytes(), 200),
        [line("管理员", LineUse::Question)]
    );
    assert_eq!(wire.rows((60, 24))[2], "Enter takes it: 管理员");
    // Enter alone takes the recommended answer at a question, and shows the menu otherwise.
    screen.ask("? Q-2 When?\nEnter takes it: ", 300);
    assert_eq!(
        screen.handle_keys(b"\n", 300),
        [line("", LineUse::Question)]
    );
    assert_eq!(screen.handle_keys(b"\n", 300), []);
    assert!(wire.rows((60, 24))[5].starts_with("· [E] end now"));
    // The next question, which is answered elsewhere, stays readable too.
    screen.ask("? Q-3 Why?\nEnter takes it: ", 300);
    screen.ask("\n", 400);
    screen.print("› answered by command", 400);
    let rows = wire.rows((60, 24));
    let then = ["? Q-3 Why?", "Enter takes it:", "› answered by command"];
    assert!(rows.ends_with(&then.map(str::to_owned)), "{rows:#?}");
}

#[test]
fn where_nothing_is_drawn_a_line_now_and_then_says_that_it_goes_on() {
    let (mut screen, wire) = screen(setting(DisplayMode::Lines, false), 80);
    screen.setting.style.plain = true;
    screen.print("done: PP agrees", 0);
    hold(&screen.live_view).follow(&flying(&[SD, PP]), 1_000);
    hold(&screen.live_view).add_piece(&call(PP), 2_000, |heard| {
        heard.take("{\"analysis\":\"some words\"")
    });
    for now in (0..65_000).step_by(FRAME as usize) {
        screen.tick(now, true);
    }
    assert_eq!(
        wire.rows((80, 24)),
        [
            "done: PP agrees",
            "note: waiting: PP speaks (0:29, ~8); SD speaks (0:29)",
            "note: waiting: PP speaks (0:59, ~8); SD speaks (0:59)",
        ]
    );
    assert!(!String::from_utf8_lossy(&wire.0.lock().unwrap()).contains('\x1b'));
}

#[test]
fn both_languages_keep_to_the_width() {
    for lang in [Lang::En, Lang::Zh] {
        for columns in [40, 60, 80, 120, 200] {
            let mut setting = setting(DisplayMode::Live, true);
            setting.style.lang = lang;
            let (mut screen, wire) = screen(setting, columns);
            let all = [
                SD,
                PP,
                "root/risk_assessment/RP/r0/t0/a1",
                "D-1/argument/SD/r1/t1/a1",
            ];
            for calls in [&all[..1], &all[2..3], &all] {
                hold(&screen.live_view).follow(&flying(calls), 0);
                for (n, call_id) in calls.iter().enumerate() {
                    let said = "{\"analysis\":\"**导出** `id` 的每一行 \u{1f600} and so on and on";
                    hold(&screen.live_view)
                        .add_piece(&call(call_id), 0, |heard| heard.take(&said.repeat(n)));
                }
                screen.tick(20_000, true);
                let region = screen.region(20_000, 24, screen.style());
                for line in &region.lines {
                    let plain = anstream::adapter::strip_str(line).to_string();
                    let width = unicode_width::UnicodeWidthStr::width(plain.as_str());
                    assert!(width < columns.min(WIDEST), "{width} of {columns}: {plain}");
                }
                // The terminal wrapped no row.
                let rows = wire.rows((columns as u16, 24));
                assert_eq!(rows.len(), region.lines.len(), "{rows:#?}");
            }
        }
    }
}
