//! Input typed on a terminal: at the chat's prompt, during its runs, and during a run without a
//! chat.

use std::time::Duration;

use crate::support::binary::{Going, Place, wait_until};
use crate::support::fake::{Fake, Reply, WorkshopScript, workshop};
use crate::support::terminal::OnTerminal;

const SECOND: &str = "speech/SystemDesigner/r1";
const LATER: &str = "speech/SystemDesigner/r2";
const SIZE: (u16, u16) = (100, 40);

/// A workshop whose second speaker waits, in the first rounds, until the test continues.
fn pausing(script: WorkshopScript) -> Fake {
    Fake::holding(script, &[SECOND, LATER])
}

/// Waits until a row contains a text.
#[track_caller]
pub fn shows(terminal: &OnTerminal, text: &str) {
    let what = format!("`{text}`");
    let late = std::time::Instant::now() + Duration::from_secs(45);
    while !terminal.rows().iter().any(|row| row.contains(text)) {
        let is_late = std::time::Instant::now() >= late;
        assert!(!is_late, "{what} never came: {:#?}", terminal.rows());
        std::thread::sleep(Duration::from_millis(20));
    }
}

pub fn is_prompt(row: &str) -> bool {
    row.trim_end() == "›"
}

/// Waits until the chat's prompt is at the bottom of the screen.
#[track_caller]
pub fn prompts(terminal: &OnTerminal) {
    wait_until("the prompt", || {
        terminal.rows().last().is_some_and(|row| is_prompt(row))
    });
}

pub fn transcript(place: &Place, path: &str) -> String {
    let path = place.work().join(".ai-tools-chain").join(path);
    std::fs::read_to_string(path.join("planning_transcript.jsonl")).unwrap_or_default()
}

#[test]
fn a_running_workshop_takes_a_debate_an_answer_and_an_exit_word() {
    let fake = pausing(WorkshopScript {
        questions: 1,
        rounds_to_converge: 9,
        ..WorkshopScript::default()
    });
    let place = Place::new();
    let command = place.command_with(&fake, &["plan", "Export the list"]);
    let mut terminal = OnTerminal::sized(command, SIZE);
    shows(&terminal, "? Q-1 PP asks");
    // A command does not answer the open question.
    terminal.types("/status");
    shows(
        &terminal,
        "Round 1 · 2 open · I-1, I-2 · Q-1 waiting for your answer",
    );
    terminal.types("/debate Which columns?");
    terminal.types("/answer Q-1 ten thousand");
    fake.awaits(SECOND, 1);
    terminal.types("/status");
    terminal.types("/stpo");
    terminal.is_heard();
    fake.lets_go_of(SECOND);
    shows(&terminal, "Round 1 · 2 open · I-1, I-2");
    shows(&terminal, "`/stpo` is not a command");
    fake.awaits("argument/RiskPlanner/D-1/r2", 1);
    fake.awaits(LATER, 1);
    terminal.types("goodbye");
    terminal.is_heard();
    fake.lets_go();
    let closed = terminal.closes_with(7);
    assert!(closed.was_restored);
    let transcript = transcript(&place, "planning_outputs/v1");
    for part in [
        r#""user_reply":"ten thousand","source":"terminal""#,
        r#""intent":"debate""#,
        r#""phase":"debate_resolved""#,
        r#""intent":"stop","content":"goodbye""#,
    ] {
        assert!(transcript.contains(part), "no `{part}`");
    }
}

#[test]
fn in_a_chat_everything_is_typed_at_one_prompt() {
    let fake = pausing(WorkshopScript::default());
    let place = Place::new();
    let mut terminal = OnTerminal::all_of(
        {
            let mut command = place.command_with(&fake, &["chat"]);
            command.env("TERM", "xterm-256color").env_remove("COLUMNS");
            command
        },
        SIZE,
    );
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

/// A chat on a terminal with cursor control.
fn chatting(place: &Place, fake: &Fake) -> OnTerminal {
    let mut command = place.command_with(fake, &["chat"]);
    command.env("TERM", "xterm-256color").env_remove("COLUMNS");
    let terminal = OnTerminal::all_of(command, SIZE);
    terminal.has("the prompt", is_prompt);
    terminal
}

#[test]
fn a_workshop_in_a_chat_takes_an_answer_a_debate_a_skip_and_a_stop() {
    let script = WorkshopScript {
        questions: 1,
        rounds_to_converge: 9,
        ..WorkshopScript::default()
    };
    let fake = Fake::holding(script, &["argument/ProductPlanner/D-1"]);
    let place = Place::new();
    let mut terminal = chatting(&place, &fake);
    terminal.presses("/plan Export the list\r");
    shows(&terminal, "? Q-1 PP asks");
    // A debate does not answer the open question; an answer may name the question.
    terminal.types("/debate Which columns?");
    terminal.types("/answer Q-1 ten thousand");
    fake.awaits("argument/ProductPlanner/D-1/r1", 1);
    terminal.types("/skip");
    terminal.types("/stop");
    let draft = place.outputs("v1.draft/inbox");
    wait_until("two messages", || {
        std::fs::read_dir(&draft).is_ok_and(|files| files.count() == 2)
    });
    fake.lets_go();
    shows(&terminal, "you skip this debate");
    shows(&terminal, "planning_outputs/v1");
    prompts(&terminal);
    terminal.presses("exit\r");
    let closed = terminal.closes_with(0);
    assert!(closed.was_restored);
    let transcript = transcript(&place, "planning_outputs/v1");
    for part in [
        r#""user_reply":"ten thousand","source":"terminal""#,
        r#""intent":"debate""#,
        r#""intent":"skip""#,
        r#""plain":"skipped""#,
        r#""intent":"stop","content":"/stop""#,
        r#""stop":"user""#,
    ] {
        assert!(transcript.contains(part), "no `{part}`");
    }
}

#[test]
fn a_command_at_a_question_is_done_or_told_and_never_the_answer() {
    let place = Place::new();
    let fake = Fake::start(workshop(WorkshopScript::asking(1)));
    let mut terminal = chatting(&place, &fake);
    terminal.presses("/plan Export the list\r");
    for (line, told) in [
        (
            "/plan Another thing",
            "/answer Q-1 /plan Another thing gives it as the answer",
        ),
        ("/tmp", "/answer Q-1 /tmp gives it as the answer"),
    ] {
        terminal.has("the question", |row| row.trim_end().ends_with("declines:"));
        terminal.types(line);
        shows(&terminal, told);
    }
    terminal.has("the question", |row| row.trim_end().ends_with("declines:"));
    terminal.types("/stop");
    shows(&terminal, "planning_outputs/v1");
    prompts(&terminal);
    terminal.presses("exit\r");
    terminal.closes();
    let transcript = transcript(&place, "planning_outputs/v1");
    assert!(!transcript.contains("user_reply"), "{transcript}");
}

#[test]
fn what_a_killed_chat_leaves_is_saved_by_resume() {
    let fake = Fake::holding(WorkshopScript::default(), &["speech/TestPlanner/r1"]);
    let place = Place::new();
    let chat = place.command_with(&fake, &["chat", "--questions", "assume"]);
    let going = Going::fed(chat, &["Photos or text?", "@board One or two?"]);
    fake.awaits("speech/TestPlanner/r1", 1);
    going.signal("KILL");
    drop(going.end());
    place.run(&["status", "chat/v1"]).ends(0);
    // Resuming a completed run makes no call.
    let ran = place.run(&["resume", "chat/v1"]).ends(0);
    assert_eq!(ran.out, ".ai-tools-chain/planning_outputs/chat/v1\n");
    place.run(&["verify", "chat/v1"]).ends(0);
    fake.lets_go();
}

#[test]
fn teams_and_boards_are_begun_and_ended_at_the_prompt() {
    let fake = Fake::holding(WorkshopScript::default(), &["speech/TestPlanner/r1"]);
    let place = Place::new();
    let mut terminal = chatting(&place, &fake);
    // A mistyped command starts nothing.
    terminal.presses("@baord One or two?\r");
    shows(&terminal, "did you mean `@board`?");
    prompts(&terminal);
    terminal.presses("@board One or two?\r");
    fake.awaits("speech/TestPlanner/r1", 1);
    terminal.types("Mind the costs");
    terminal.types("*exit");
    let draft = place
        .work()
        .join(".ai-tools-chain/planning_outputs/board/v1.draft/inbox");
    wait_until("two messages", || {
        std::fs::read_dir(&draft).is_ok_and(|files| files.count() == 2)
    });
    fake.lets_go();
    shows(&terminal, "you: Mind the costs");
    shows(&terminal, "planning_outputs/board/v1");
    prompts(&terminal);
    terminal.presses("@team[SD,RP] Compare ways to store receipts\r");
    shows(&terminal, "planning_outputs/team/v1");
    prompts(&terminal);
    terminal.presses("/status team/v1\r");
    shows(&terminal, "phases done");
    terminal.presses("end party\r");
    terminal.closes_with(0);
    let party = place.work().join(".ai-tools-chain/planning_outputs/chat");
    assert!(!party.exists(), "nothing else was begun");
    let board = transcript(&place, "planning_outputs/board/v1");
    assert!(board.contains(r#""intent":"stop","content":"*exit""#));
}

#[test]
fn an_exit_word_ends_what_it_is_typed_into() {
    // At a question it ends the run, at the prompt the chat.
    let fake = Fake::start(workshop(WorkshopScript::asking(1)));
    let place = Place::new();
    let mut terminal = chatting(&place, &fake);
    terminal.presses("/plan Export the list\r");
    shows(&terminal, "? Q-1 PP asks");
    terminal.types("quit");
    shows(&terminal, "planning_outputs/v1");
    prompts(&terminal);
    terminal.presses("/exit\r");
    terminal.closes_with(0);
    let plan = transcript(&place, "planning_outputs/v1");
    assert!(
        plan.contains(r#""intent":"stop","content":"quit""#),
        "the question was no answer"
    );

    // The same at the question about a reached limit.
    let fake = Fake::start(workshop(WorkshopScript::agreeing_in(9)));
    let place = Place::new();
    place.configure_project("limits: {max_rounds: 1}\n");
    let mut terminal = chatting(&place, &fake);
    terminal.presses("/plan Export the list\r");
    shows(&terminal, "round limit reached: 1 of 1");
    terminal.types("goodbye");
    shows(&terminal, "planning_outputs/v1");
    prompts(&terminal);
    terminal.presses("quit\r");
    assert_eq!(terminal.closes().code, 0);
}

#[test]
fn an_interrupt_is_for_the_run_and_not_for_the_chat() {
    let script = workshop(WorkshopScript::default());
    let fake = Fake::start(move |seen| match seen.key == SECOND && seen.times == 1 {
        true => Reply::HangBeforeHeaders,
        false => script(seen),
    });
    let place = Place::new();
    let mut command = place.command_with(&fake, &["chat"]);
    command.env("TERM", "xterm-256color").env_remove("COLUMNS");
    let mut terminal = OnTerminal::all_of(command, SIZE);
    terminal.has("the prompt", is_prompt);
    terminal.presses("/plan Export the list\r");
    fake.awaits(SECOND, 1);
    terminal.signal("INT");
    shows(&terminal, "`/resume` goes on");
    prompts(&terminal);
    // At the prompt it discards the line.
    terminal.presses("half a li\x03");
    shows(&terminal, "nothing runs");
    prompts(&terminal);
    terminal.presses("/resume\r");
    shows(&terminal, "v1 is published");
    assert_eq!(fake.calls("speech/ProductPlanner/r1"), 1);
    prompts(&terminal);
    // A signal ends the program at the prompt too and restores the terminal.
    terminal.signal("TERM");
    let closed = terminal.closes_with(143);
    assert!(closed.was_restored);
}

#[test]
fn a_terminal_that_cannot_be_drawn_on_is_enough() {
    let fake = pausing(WorkshopScript::default());
    let place = Place::new();
    let mut terminal = OnTerminal::start(place.command_with(&fake, &["chat", "--plain"]));
    terminal.sees("› ");
    terminal.types("Photos or text?");
    fake.awaits(SECOND, 1);
    terminal.types("Keep it cheap");
    terminal.is_heard();
    fake.lets_go();
    shows(&terminal, "you: Keep it cheap");
    shows(&terminal, "`/save` keeps the chat");
    // The line after the run goes to the chat: the run's input reader has not consumed it.
    terminal.types("/status");
    // Leaving an unsaved chat prints a warning; repeating the command leaves it.
    terminal.types("quit");
    shows(&terminal, "is not saved:");
    terminal.types("quit");
    terminal.ends(0);
}
