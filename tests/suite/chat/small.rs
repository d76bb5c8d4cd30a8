//! A Chinese chat on a terminal of 80 columns, and keys pressed during its runs.

use std::process::Command;

use unicode_width::UnicodeWidthStr;

use super::terminal::{is_prompt, prompts, shows, transcript};
use crate::support::binary::{Place, wait_until};
use crate::support::fake::{Fake, Reply, WorkshopScript, workshop};
use crate::support::programs::there;
use crate::support::terminal::OnTerminal;

const SMALL: (u16, u16) = (80, 24);
const SECOND: &str = "speech/SystemDesigner/r1";

#[test]
fn a_whole_session_fits_a_small_terminal_in_chinese() {
    let place = Place::new();
    let mut command = place.command(&["chat", "--lang", "zh"]);
    command.env("TERM", "xterm-256color").env_remove("COLUMNS");
    let mut terminal = OnTerminal::all_of(command, SMALL);
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

#[test]
fn the_interrupt_key_is_for_the_run_and_the_chat_goes_on() {
    if !there(&["setsid"]) {
        return;
    }
    let script = workshop(WorkshopScript::default());
    let fake = Fake::start(move |seen| match seen.key == SECOND && seen.times == 1 {
        true => Reply::HangBeforeHeaders,
        false => script(seen),
    });
    let place = Place::new();
    let chat = place.command_with(&fake, &["chat"]);
    let mut command = Command::new("setsid");
    // `setsid --ctty` makes this terminal the controlling terminal, so Ctrl-C sends a signal.
    command.args(["--ctty", "--wait"]).arg(chat.get_program());
    command.args(chat.get_args()).current_dir(place.work());
    command.env_clear().env("TERM", "xterm-256color");
    let variables = chat.get_envs();
    command.envs(variables.filter_map(|(name, value)| Some((name, value?))));
    command.env("PATH", std::env::var_os("PATH").unwrap());
    command.env_remove("COLUMNS");
    let mut terminal = OnTerminal::all_of(command, SMALL);
    terminal.has("the prompt", is_prompt);
    terminal.presses("/plan Export the list\r");
    fake.awaits(SECOND, 1);
    terminal.presses("half a li\x03");
    shows(&terminal, "`/resume` goes on");
    prompts(&terminal);
    terminal.presses("/resume\r");
    shows(&terminal, "v1 is published");
    prompts(&terminal);
    terminal.presses("quit\r");
    let closed = terminal.closes_with(0);
    assert!(closed.was_restored);
    assert_eq!(fake.calls("speech/ProductPlanner/r1"), 1);
}
