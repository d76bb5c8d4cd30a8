//! Asks on a terminal, before its first call, whether a coding agent may read the workspace by
//! itself.

use tokio::sync::watch;

use super::order::Order;
use super::provider_choice::{PromptAnswer, ask_until, for_always, until};
use super::{Context, Exit, Fault, config_command, discovery};
use crate::config::Config;
use crate::edge::model::command::{AGENTS, Agent, readable};
use crate::fault::{texts, values};
use crate::machine::Depth;
use crate::ui::screen;

texts! {
    /// The notice about an agent that reads a folder and that nobody was asked about.
    pub(super) TOLD: "{title} may read {folder} by itself, but cannot change it; what it reads is not checked for secrets, and can include ignored files (--grounding map prevents this)", "{title} 可自行读取 {folder}，但不能改动其中任何内容；它读到的内容不经过机密检查，也不排除被忽略的文件（用 --grounding map 可禁止它读取）";
    /// The notice about an agent that works in copies of a folder.
    pub(super) COPIES: "{title} works in copies of {folder}, where it may write files and run commands without network; its own sandbox confines it", "{title} 在 {folder} 的副本中工作，可以在副本里写入和运行命令，但没有网络；由它自己的沙箱限制在副本内";
    QUESTION: "May {title} read {folder} by itself? It cannot change anything there. What it reads is not checked for secrets, and can include ignored files. If you say no, it sees only what aitc shows every model.", "是否允许 {title} 自行读取 {folder}？它不能改动其中任何内容；它读到的内容不经过机密检查，也不排除被忽略的文件。若不允许，它只看到 aitc 给所有模型看的内容。";
    PROMPT: "Enter y or n; `ya` or `na` also saves the choice in your own configuration: ", "请输入 y（允许）或 n（不允许）；加 a（例如 ya）会同时把选择写入您自己的配置：";
}

/// The folder that agents may read by themselves, where members may look.
pub fn tree(depth: Depth, context: &Context) -> Option<String> {
    let looks = depth == Depth::Looks;
    looks.then(|| readable(&context.root)).flatten()
}

/// Asks about every agent that the configuration names without a decision, if somebody is at the
/// terminal, and puts the answers into `order`; returns the exit code if the user interrupts. No
/// answer means no.
///
/// # Errors
/// The configuration cannot be written.
pub async fn ask(
    order: &mut Order,
    context: &Context,
    interrupt: &mut watch::Receiver<Option<i32>>,
) -> Result<Option<Exit>, Fault> {
    let config = &mut order.config;
    if order.flags.dry_run || order.play.is_some() || !context.somebody_there() {
        return Ok(None);
    }
    let Some(folder) = tree(config.rules.grounding.depth, context) else {
        return Ok(None);
    };
    for agent in AGENTS {
        if !is_named(agent, config) {
            continue;
        }
        let own = config.providers.get(agent.name);
        if own.is_some_and(|own| own.reads_workspace.is_some() || own.command.is_some()) {
            continue;
        }
        let kept = context.kept().consents.get(agent.name).copied();
        let may = match kept {
            Some(may) => may,
            None => match ask_consent(agent, &folder, config, context, interrupt).await? {
                Ok(may) => may,
                Err(exit) => return Ok(Some(exit)),
            },
        };
        let own = config.providers.entry(agent.name.to_owned()).or_default();
        own.reads_workspace = Some(may);
    }
    Ok(None)
}

fn is_named(agent: &Agent, config: &Config) -> bool {
    let of_roles = config.role_models.values();
    let mut of_roles = of_roles.filter_map(|text| discovery::split(text, config).0);
    config.provider.as_deref() == Some(agent.name) || of_roles.any(|name| name == agent.name)
}

async fn ask_consent(
    agent: &Agent,
    folder: &str,
    config: &Config,
    context: &Context,
    interrupt: &mut watch::Receiver<Option<i32>>,
) -> Result<Result<bool, Exit>, Fault> {
    let lang = context.lang(Some(config));
    // Text typed before the question is no answer.
    screen::drop_line();
    context.show(QUESTION.fill(values![title = agent.title, folder]).of(lang));
    let (may, is_kept) = match ask_until(PROMPT.of(lang), answer, until(config), interrupt).await? {
        PromptAnswer::Line(answer) => answer,
        PromptAnswer::Nothing => (false, false),
        PromptAnswer::Interrupted(exit) => return Ok(Err(exit)),
    };
    context.kept().consents.insert(agent.name.to_owned(), may);
    if is_kept {
        let key = format!("providers.{}.reads_workspace", agent.name);
        let told = config_command::set_own(&key, &may.to_string(), context)?;
        context.notice(&told);
    }
    Ok(Ok(may))
}

/// Parses yes or no, and whether it is permanent.
fn answer(text: &str) -> Option<(bool, bool)> {
    let (word, is_kept) = for_always(text);
    match &*word {
        "y" | "yes" | "是" => Some((true, is_kept)),
        "n" | "no" | "否" => Some((false, is_kept)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::answer;

    #[test]
    fn yes_or_no_and_an_a_behind_it_keeps() {
        for (text, expected) in [
            ("y", Some((true, false))),
            (" Yes ", Some((true, false))),
            ("ya", Some((true, true))),
            ("no always", Some((false, true))),
            ("n", Some((false, false))),
            ("是", Some((true, false))),
            ("", None),
            ("a", None),
            ("maybe", None),
        ] {
            assert_eq!(answer(text), expected, "{text}");
        }
    }
}
