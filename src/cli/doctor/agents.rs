//! Checks coding agents on this machine: whether they would read the repository and nothing else.

use futures_util::future::join_all;

use super::super::Context;
use super::Finding;
use crate::config::Config;
use crate::edge::model::command::{AGENTS, Agent, Help, StartsIn, find_program, help};
use crate::fault::{Message, Value, texts, values};

texts! {
    READS: "{title} {version} may read the repository if you say so and can change nothing, {place}{copies}: --provider {name}", "{title} {version} 经您允许可读取仓库，但不能改动，{place}{copies}：--provider {name}";
    KEPT_OUT: "{title} {version} sees only what aitc shows every model, as set by `providers.{name}.reads_workspace`: --provider {name}", "{title} {version} 只看到 aitc 给所有模型看的内容（`providers.{name}.reads_workspace` 如此设定）：--provider {name}";
    IN_IT: "started there without its settings for agents", "在其中启动，但不读其中的智能体设置";
    IN_COPIES: "; with trials on it works in a copy, which it may change", "；启用试运行后在副本中工作，可以改动副本";
    LACKS: "; not usable with trials on: its sandbox needs `{program}`", "；启用试运行时无法使用：其沙箱需要 `{program}`";
    APART: "started in an empty folder", "在空目录中启动";
    UNKNOWN: "{title} {version} does not know {switches}, which would keep it from writing", "{title} {version} 不认识 {switches}，无法据此阻止其写入";
    SILENT: "{title} did not say in time which switches it knows", "{title} 没有及时说明它支持哪些选项";
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
    let update = format!("npm install -g {}@latest", agent.package);
    let Some(help) = help else {
        return Finding::warn("agent", SILENT.fill(values![title = agent.title]), update);
    };
    let (title, version) = (("title", &agent.title as &dyn Value), &help.version);
    if !help.unknown.is_empty() {
        let switches = help.unknown.join(", ");
        let places = [title, ("version", version), ("switches", &switches)];
        return Finding::warn("agent", UNKNOWN.fill(&places), update);
    }
    if may == Some(false) {
        let places = [title, ("version", version), ("name", &agent.name)];
        return Finding::ok("agent", KEPT_OUT.fill(&places));
    }
    let place = match agent.starts_in {
        StartsIn::Tree => IN_IT,
        StartsIn::EmptyFolder => APART,
    };
    let copies = match (agent.in_copy, lacking) {
        (None, _) => Message::default(),
        (Some(_), None) => IN_COPIES.into(),
        (Some(_), Some(program)) => LACKS.fill(values![program]),
    };
    let places = [
        title,
        ("version", version),
        ("place", &place),
        ("copies", &copies),
        ("name", &agent.name),
    ];
    Finding::ok("agent", READS.fill(&places))
}
