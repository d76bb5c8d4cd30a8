//! Checks coding agents on this machine: whether they would read the repository and nothing else.

use futures_util::future::join_all;

use super::super::Context;
use super::Finding;
use crate::config::Config;
use crate::edge::model::command::{AGENTS, Agent, Help, WorkingFolder, find_program, help};
use crate::fault::{Message, Text, texts, values};

texts! {
    IN_IT: "started there without its settings for agents", "在其中启动，但不读其中的智能体设置";
    IN_COPIES: "; with trials on it works in a copy, which it may change", "；启用试运行后在副本中工作，可以改动副本";
    LACKS: "; not usable with trials on: its sandbox needs `{program}`", "；启用试运行时无法使用：其沙箱需要 `{program}`";
    APART: "started in an empty folder", "在空目录中启动";
}

/// Asks all installed agents for their help, concurrently.
pub(super) async fn look(config: &Config, context: &Context) -> Vec<Finding> {
    let path = context.env.variable("PATH");
    let installed = AGENTS
        .iter()
        .filter_map(|agent| Some((agent, find_program(agent.argv.first()?, path)?)));
    let asked = installed.map(|(agent, file)| async move {
        let own = config.providers.get(agent.name);
        let may = own.and_then(|own| own.reads_workspace);
        let lacking = agent.in_copy.and_then(|it| it.lacks(path));
        finding(agent, may, lacking, help(agent, &file).await)
    });
    join_all(asked).await
}

fn finding(agent: &Agent, may: Option<bool>, lacking: Option<&str>, help: Option<Help>) -> Finding {
    let (title, name, package) = (agent.title, agent.name, agent.package);
    let Some(Help { version, unknown }) = help else {
        return Finding::warn("agent.silent", values![title, package]);
    };
    if !unknown.is_empty() {
        let switches = Text::COMMA.join(&unknown);
        let places = values![title, version, switches, package];
        return Finding::warn("agent.unknown", places);
    }
    if may == Some(false) {
        return Finding::ok("agent.kept_out", values![title, version, name]);
    }
    let place = match agent.starts_in {
        WorkingFolder::Tree => IN_IT,
        WorkingFolder::EmptyFolder => APART,
    };
    let copies = match (agent.in_copy, lacking) {
        (None, _) => Message::default(),
        (Some(_), None) => IN_COPIES.into(),
        (Some(_), Some(program)) => LACKS.fill(values![program]),
    };
    let places = values![title, version, place, copies, name];
    Finding::ok("agent.reads", places)
}
