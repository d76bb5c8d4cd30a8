//! `aitc chat` drawn on a terminal; `tests/typed/terminals.md` types at others.

use std::process::Command;

use unicode_width::UnicodeWidthStr;

use crate::support::binary::{Place, wait_until};
use crate::support::fake::{Fake, WorkshopScript};
use crate::support::terminal::OnTerminal;

const SECOND: &str = "speech/SystemDesigner/r1";
const LATER: &str = "speech/SystemDesigner/r2";
fn on_terminal(mut command: Command, size: (u16, u16)) -> OnTerminal {
    command.env("TERM", "xterm-256color").env_remove("COLUMNS");
    OnTerminal::all_of(command, size)
}

/// Waits until a row contains a text.
#[track_caller]
fn shows(terminal: &OnTerminal, text: &str) {
    terminal.has(text, |row| row.contains(text));
}

fn is_prompt(row: &str) -> bool {
    row.trim_end() == "›"
}

/// Waits until the chat's prompt is at the bottom of the screen.
#[track_caller]
fn prompts(terminal: &OnTerminal) {
    wait_until("the prompt", || {
        terminal.rows().last().is_some_and(|row| is_prompt(row))
    });
}

fn transcript(place: &Place, path: &str) -> String {
    let path = place.work().join(".ai-tools-chain").join(path);
    std::fs::read_to_string(path.join("planning_transcript.jsonl")).unwrap_or_default()
}

#[test]
fn in_a_chat_everything_is_typed_at_one_prompt() {
    let fake = Fake::holding(WorkshopScript::default(), &[SECOND, LATER]);
    let place = Place::new();
    let mut terminal = on_terminal(place.command_with(&fake, &["chat"]), (100, 40));
    shows(&terminal, "`/help` shows which");
    terminal.has("the prompt", is_prompt);
    // While the members of a party speak, typed text is sent to them.
    terminal.presses("Photos or text?\r");
    fake.awaits(SECOND, 1);
    terminal.types("Keep it cheap");
    terminal.types("/debate Which is cheaper?");
    terminal.is_heard();
    fake.lets_go_of(SECOND);
    shows(&terminal, "you: Keep it cheap");
    fake.awaits("ruling/Coach/D-1", 1);
    fake.awaits(LATER, 1);
    fake.lets_go_of(LATER);
    shows(&terminal, "`/save` keeps the chat");
    prompts(&terminal);
    terminal.presses("/save\r");
    shows(&terminal, "planning_outputs/chat/v1");
    prompts(&terminal);
    // Tab completes commands and versions.
    terminal.presses("/stat\tc\t\r");
    shows(&terminal, "stage    published");
    // The arrow key brings back the previous line, which can be edited.
    terminal.presses("\x1b[A\x15/list\r");
    shows(&terminal, "chat/v1    agreed");
    // The first exit word ends the running discussion, the next one the chat.
    terminal.presses("@board One or two?\r");
    fake.awaits(SECOND, 2);
    terminal.types("end party");
    terminal.is_heard();
    fake.lets_go();
    shows(&terminal, "planning_outputs/board/v1");
    prompts(&terminal);
    terminal.presses("goodbye\r");
    let closed = terminal.closes_with(0);
    assert!(closed.was_restored);
    let party = transcript(&place, "planning_outputs/chat/v1");
    assert!(party.contains("Keep it cheap"), "it is on record");
    let board = transcript(&place, "planning_outputs/board/v1");
    assert!(
        board.contains(r#""content":"end party""#),
        "and so is the end"
    );
}

#[test]
fn a_signal_at_the_prompt_of_a_chat_gives_the_terminal_back() {
    let (place, fake) = (Place::new(), Fake::holding(WorkshopScript::default(), &[]));
    let terminal = on_terminal(place.command_with(&fake, &["chat"]), (80, 24));
    terminal.has("the prompt", is_prompt);
    wait_until("its modes", || !terminal.is_as_it_was());
    assert!(terminal.marks_pastes());
    terminal.signal("TERM");
    wait_until("the modes before", || terminal.is_as_it_was());
    wait_until("no marks", || !terminal.marks_pastes());
    terminal.ends(143);
}

#[test]
fn a_whole_session_fits_a_small_terminal_in_chinese() {
    let place = Place::new();
    let mut terminal = on_terminal(place.command(&["chat", "--lang", "zh"]), (80, 24));
    terminal.has("the prompt", is_prompt);
    terminal.presses("/plan 把客户名单导出为 CSV\r");
    shows(&terminal, "? Q-1 PP 提问");
    // A request for a meeting does not answer the question, and starts no meeting.
    terminal.types("@board 单体还是服务？");
    shows(&terminal, "不会开始新的讨论");
    terminal.types("/debate 谁来承担导出的费用？");
    shows(&terminal, "您要求辩论：谁来承担导出的费用？");
    // Input typed before a question is shown does not answer it.
    wait_until("the question again", || {
        let rows = terminal.rows();
        let asks = |row: &String| row.starts_with("回车采用建议的答案");
        rows.last().is_some_and(asks) && rows.iter().filter(|row| asks(row)).count() == 3
    });
    terminal.types("");
    shows(&terminal, "辩论 D-1");
    shows(&terminal, "v1 已发布");
    prompts(&terminal);
    terminal.presses("/list\r");
    shows(&terminal, "v1    ");
    prompts(&terminal);
    terminal.presses("quit\r");
    let closed = terminal.closes_with(0);
    assert!(closed.was_restored);
    let plan = transcript(&place, "planning_outputs/v1");
    assert!(!plan.contains("@board"), "neither answered nor said");
    for row in &closed.rows {
        // Only a path to copy or a typed line may exceed the width.
        assert!(row.trim_end().width() <= 80, "{row}");
        assert!(
            !row.starts_with(['，', '。', '；', '：', '？', '）']),
            "{row}"
        );
    }
}
