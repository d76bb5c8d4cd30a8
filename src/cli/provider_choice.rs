//! Who answers for the members if nothing is configured: the ways out in the error, and the
//! question on a terminal.

use std::io::Write as _;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::Instant;

use super::context::ChosenProvider;
use super::order::{Order, RunTask};
use super::{Context, Exit, Fault, config_command};
use crate::config::Config;
use crate::edge::model::command::{AGENTS, Agent, find_program};
use crate::fault::line::TERMINAL;
use crate::fault::models::MODEL_NONE;
use crate::fault::{Message, texts, values};
use crate::machine::{Format, HAND};
use crate::ui::screen;

/// Name of a server in the user's own configuration.
const SERVER: &str = "server";

texts! {
    AGENT_COMMAND: "{title}, on this machine: aitc plan --provider {name} \"…\"", "本机的 {title}：aitc plan --provider {name} \"…\"";
    SERVER_COMMAND: "a model server: aitc plan --base-url http://127.0.0.1:8080/v1 \"…\"", "模型服务器：aitc plan --base-url http://127.0.0.1:8080/v1 \"…\"";
    HAND_COMMAND: "you, or your coding agent, through files: aitc plan --provider hand \"…\"", "您本人或您正在使用的智能体，通过文件回答：aitc plan --provider hand \"…\"";
    QUESTION: "No model is configured. Who answers for the members?", "没有配置模型。由谁替成员回答？";
    AGENT: "{title}, on this machine", "本机的 {title}";
    A_SERVER: "a model server: --base-url", "模型服务器：--base-url";
    BY_HAND: "you, or your coding agent, through files", "您本人或您正在使用的智能体，通过文件回答";
    PROMPT: "Enter 1 to {n}; `1a` also saves the choice in your own configuration: ", "请输入 1 到 {n}；加 a（例如 1a）会同时把选择写入您自己的配置：";
    ADDRESS: "Address of the server, such as http://127.0.0.1:8080/v1: ", "服务器地址，例如 http://127.0.0.1:8080/v1：";
}

#[derive(Debug, Clone, Copy)]
enum ProviderOption {
    /// An installed coding agent.
    Agent(&'static Agent),
    /// A server whose address the user knows.
    Server,
    /// The user, by files.
    Hand,
}

impl ProviderOption {
    fn command(self) -> Message {
        match self {
            Self::Agent(agent) => {
                AGENT_COMMAND.fill(values![title = agent.title, name = agent.name])
            }
            Self::Server => SERVER_COMMAND.into(),
            Self::Hand => HAND_COMMAND.into(),
        }
    }

    fn row(self) -> Message {
        match self {
            Self::Agent(agent) => AGENT.fill(values![title = agent.title]),
            Self::Server => A_SERVER.into(),
            Self::Hand => BY_HAND.into(),
        }
    }
}

/// Returns the choices; of programs only installed ones.
fn ways(context: &Context) -> Vec<ProviderOption> {
    let path = context.env.variable("PATH");
    let installed = |agent: &&Agent| {
        let program = agent.argv.first();
        program.is_some_and(|name| find_program(name, path).is_some())
    };
    let agents = AGENTS.iter().filter(installed).map(ProviderOption::Agent);
    agents
        .chain([ProviderOption::Server, ProviderOption::Hand])
        .collect()
}

/// Returns the error of a search for a model; if nothing was found, with the ways out.
pub fn with_ways_out(fault: Fault, context: &Context) -> Fault {
    match fault.code == MODEL_NONE.code {
        true => fault.choosing(
            ways(context)
                .into_iter()
                .map(ProviderOption::command)
                .collect(),
        ),
        false => fault,
    }
}

/// Returns the error with its ways out as commands for this work.
pub fn for_work(fault: Fault, work: &RunTask) -> Fault {
    let command = match work {
        RunTask::New { format, .. } => match format {
            Format::Workshop => "plan",
            Format::Team => "team",
            Format::Board => "board",
            Format::Party => "chat",
        },
        RunTask::Revision { .. } => "revise",
        RunTask::Resumption { .. } => "resume",
    };
    match fault.code == MODEL_NONE.code {
        true => fault.put(|text| text.replace("aitc plan ", &format!("aitc {command} "))),
        false => fault,
    }
}

/// The same, for `aitc batch`.
pub fn of_many(fault: Fault) -> Fault {
    match fault.code == MODEL_NONE.code {
        true => fault.put(|text| {
            let text = text.replace("aitc plan ", "aitc batch ");
            text.replace("\"…\"", "FILE")
        }),
        false => fault,
    }
}

/// Returns the time until which an answer is awaited.
pub(super) fn until(config: &Config) -> Instant {
    let minutes = u64::from(config.rules.ending.user_timeout_minutes);
    Instant::now() + Duration::from_secs(minutes * 60)
}

/// If `fault` says that nothing was found and somebody is at the terminal, asks who answers and
/// puts the answer into `order`; returns the exit code if the user interrupts.
///
/// # Errors
/// `fault` itself if nobody can be asked or nobody answers; otherwise the configuration cannot be
/// written.
pub async fn ask(
    fault: Fault,
    order: &mut Order,
    context: &Context,
    interrupt: &mut watch::Receiver<Option<i32>>,
) -> Result<Option<Exit>, Fault> {
    if fault.code != MODEL_NONE.code || !context.somebody_there() {
        return Err(for_work(fault, &order.work));
    }
    let lang = context.lang(Some(&order.config));
    let until = until(&order.config);
    let ways = ways(context);
    let mut question = QUESTION.of(lang).to_owned();
    for (number, way) in (1..).zip(&ways) {
        question += &format!("\n  [{number}] {}", way.row().of(lang));
    }
    // Text typed before the question is no answer.
    screen::drop_line();
    context.show(&question);
    let prompt = PROMPT.with(lang, values![n = ways.len()]);
    let read = |text: &str| chosen(text, &ways);
    let (way, is_kept) = match ask_until(&prompt, read, until, interrupt).await? {
        PromptAnswer::Line(chosen) => chosen,
        PromptAnswer::Interrupted(exit) => return Ok(Some(exit)),
        PromptAnswer::Nothing => return Err(for_work(fault, &order.work)),
    };
    let chosen = match way {
        ProviderOption::Agent(agent) => provider(agent.name),
        ProviderOption::Hand => provider(HAND),
        ProviderOption::Server => {
            let read = |url: &str| (!url.is_empty()).then(|| url.to_owned());
            match ask_until(ADDRESS.of(lang), read, until, interrupt).await? {
                PromptAnswer::Line(url) => ChosenProvider {
                    key: "base_url",
                    flag: "--base-url",
                    value: url,
                },
                PromptAnswer::Interrupted(exit) => return Ok(Some(exit)),
                PromptAnswer::Nothing => return Err(for_work(fault, &order.work)),
            }
        }
    };
    match is_kept {
        true => save_choice(&chosen, context)?,
        false => context.kept().provider = Some(chosen),
    }
    order.config = context.config(order.layer.clone())?;
    Ok(None)
}

fn provider(name: &str) -> ChosenProvider {
    ChosenProvider {
        key: "provider",
        flag: "--provider",
        value: name.to_owned(),
    }
}

/// Returns the choice with that number, and whether it is permanent.
fn chosen(text: &str, ways: &[ProviderOption]) -> Option<(ProviderOption, bool)> {
    let (number, is_kept) = for_always(text);
    let at = number.parse::<usize>().ok()?.checked_sub(1)?;
    Some((*ways.get(at)?, is_kept))
}

/// Returns the input without the `a` or `always` at its end, and whether that was there.
pub(super) fn for_always(text: &str) -> (String, bool) {
    let text = text.trim().to_lowercase();
    match text.strip_suffix("always").or(text.strip_suffix('a')) {
        Some(word) => (word.trim_end().to_owned(), true),
        None => (text, false),
    }
}

/// Writes the choice into the user's own configuration.
fn save_choice(chosen: &ChosenProvider, context: &Context) -> Result<(), Fault> {
    let name = match chosen.key {
        "provider" => chosen.value.as_str(),
        _ => SERVER,
    };
    if name == SERVER {
        let key = format!("providers.{SERVER}.base_url");
        config_command::set_own(&key, &chosen.value, context)?;
    }
    let told = config_command::set_own("provider", name, context)?;
    context.notice(&told);
    Ok(())
}

/// The result of waiting for a line.
pub(super) enum PromptAnswer<T> {
    Line(T),
    /// The input ended, or nobody typed in time.
    Nothing,
    Interrupted(Exit),
}

/// Prints the prompt on stderr and waits for a line, or for a signal, until `read` accepts a line.
pub(super) async fn ask_until<T>(
    prompt: &str,
    read: impl Fn(&str) -> Option<T>,
    until: Instant,
    interrupt: &mut watch::Receiver<Option<i32>>,
) -> Result<PromptAnswer<T>, Fault> {
    let unreadable = |error: std::io::Error| TERMINAL.with(values![what = error]);
    let mut stderr = std::io::stderr();
    loop {
        stderr
            .write_all(prompt.as_bytes())
            .and_then(|()| stderr.flush())
            .map_err(unreadable)?;
        let told = interrupt.clone();
        let is_over = move || told.borrow().is_some() || Instant::now() >= until;
        let typed = tokio::task::spawn_blocking(move || screen::typed_line(&is_over));
        let typed = typed.await.map_err(|error| unreadable(error.into()))?;
        let typed = typed.map_err(unreadable)?;
        let signal = *interrupt.borrow();
        match (typed, signal) {
            (Some(text), None) => {
                if let Some(said) = read(text.trim()) {
                    return Ok(PromptAnswer::Line(said));
                }
            }
            (_, signal) => {
                // The shell would continue in the row of the prompt.
                let _ = writeln!(stderr);
                let ended = |signal| PromptAnswer::Interrupted(Exit::of_signal(signal));
                return Ok(signal.map_or(PromptAnswer::Nothing, ended));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_chooses_and_an_a_behind_it_keeps() {
        let ways = [ProviderOption::Agent(&AGENTS[0]), ProviderOption::Server];
        for (text, expected) in [
            ("1", Some((0, false))),
            (" 2 ", Some((1, false))),
            ("1a", Some((0, true))),
            ("2 A", Some((1, true))),
            ("1always", Some((0, true))),
            ("", None),
            ("a", None),
            ("0", None),
            ("3", None),
            ("claude", None),
        ] {
            let found = chosen(text, &ways).map(|(way, kept)| (number(way), kept));
            assert_eq!(found, expected, "{text}");
        }
    }

    fn number(way: ProviderOption) -> usize {
        match way {
            ProviderOption::Agent(_) => 0,
            ProviderOption::Server | ProviderOption::Hand => 1,
        }
    }
}
