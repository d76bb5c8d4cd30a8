//! `aitc init`: creates the files of a workspace, for git, for agents, for CI.

use clap::{Args, ValueEnum};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

use super::scaffold::{self, CommentStyle, Fate, SECTION, marked};
use super::versions;
use super::{Context, Exit, Fault};
use crate::config::PROJECT_FILE;
use crate::edge::file_names::HOME;
use crate::edge::store::{FOR_GIT, Outputs};
use crate::fault::{texts, values};
use crate::machine::Lang;

texts! {
    HEADER: "Settings of this project; flags and AITC_* variables override them.\n\
     # `aitc config show --origin` lists every key, `aitc config set KEY VALUE` sets one here.\n\
     # Keys, addresses and commands are not allowed here.", "本项目的设置；命令行选项与 AITC_* 环境变量优先。\n\
     # `aitc config show --origin` 列出每一项，`aitc config set KEY VALUE` 在此设置一项。\n\
     # 密钥、地址与命令不得写在这里。";
    KEEPS_LANGUAGE: "{path} exists and is kept; to change its language: aitc config set language {lang}", "{path} 已存在，保持不变；要改语言：aitc config set language {lang}";
    ABOUT_SKILL: "Plan a requirement with a workshop of roles before building it, or continue, revise or read such a plan. Use when scope, design, tests or risks are not settled, or when the user asks for a plan.", "在动手之前用多角色研讨来规划需求，或继续、修订、查阅已有规划。当范围、设计、测试或风险尚未明确，或用户要求规划时使用。";
    IN_AGENTS_MD: "## Plans\n\nPlans of this project are made with `aitc` and are in `.ai-tools-chain/planning_outputs/`; `aitc status` lists them. Plan what is not settled before you build it: the skill `aitc-plan` says how. Do not build from a plan that is *unresolved* (exit code 7). Never edit the records there by hand.", "## 规划\n\n本项目的规划由 `aitc` 制作，位于 `.ai-tools-chain/planning_outputs/`；`aitc status` 列出全部。动手做尚未明确的事之前先规划：做法见技能 `aitc-plan`。*未达成一致*的规划（退出码 7）不能据此动手。其中的记录不得手工修改。";
}

/// Create the files of a workspace: settings, git, agents, CI
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    aitc init\n  \
    aitc init --lang zh --agents claude,codex\n  \
    aitc init --ci github --dry-run")]
pub struct InitArgs {
    /// A skill for these agents, separated by commas
    #[arg(
        long,
        value_name = "LIST",
        value_enum,
        value_delimiter = ',',
        help = "A skill for: claude, codex, cursor, gemini, copilot, opencode, goose; agents-md: a section of AGENTS.md",
        hide_possible_values = true
    )]
    agents: Vec<Agent>,
    /// A workflow that plans in issues and pull requests: `github`
    #[arg(long, value_name = "github", value_enum, hide_possible_values = true)]
    ci: Option<Ci>,
    /// Say what would be written
    #[arg(long)]
    dry_run: bool,
}

/// An agent that can be taught about `aitc`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Agent {
    Claude,
    Codex,
    Cursor,
    Gemini,
    Copilot,
    Opencode,
    Goose,
    AgentsMd,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Ci {
    Github,
}

/// What `init` prints.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InitDocument {
    /// Whether nothing was written, only shown.
    pub dry_run: bool,
    /// Files and what became of each.
    pub files: Vec<InitFile>,
}

/// One file of a workspace.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InitFile {
    /// Path of the file, from the root of the workspace.
    pub path: String,
    /// Whether the file was written.
    pub fate: Fate,
}

/// Creates what is missing and prints the result for each file.
pub fn run(args: &InitArgs, context: &Context) -> Result<Exit, Fault> {
    context.has_no_file_for_folder()?;
    let lang = context.lang(None);
    // What is there is the user's own.
    let there = context.config_text(&context.project_file())?;
    if there.is_some() && context.global.lang.is_some() {
        let layer = context.layer(&context.project_file())?;
        let set = layer.value("language").map(ToString::to_string);
        if set.as_deref() != Some(lang.code()) {
            let places = values![path = PROJECT_FILE, lang = lang.code()];
            context.notice(&KEEPS_LANGUAGE.fill(places));
        }
    }
    let text = there.unwrap_or_else(|| settings(lang, context));
    let mut wanted = vec![(PROJECT_FILE.to_owned(), text)];
    for agent in &args.agents {
        let file = agent_file(*agent, lang);
        // Most agents look for skills in the same folder.
        if !wanted.contains(&file) {
            wanted.push(file);
        }
    }
    if args.ci == Some(Ci::Github) {
        let text = include_str!("../../scaffold/github.yml");
        let text = text.replace("{version}", env!("CARGO_PKG_VERSION"));
        let path = ".github/workflows/aitc.yml".to_owned();
        wanted.push((path, marked(&text, CommentStyle::Hash)));
    }
    // All files are checked before the first is written.
    let mut files = Vec::new();
    // These are never overwritten, and a run creates them too.
    let for_git = FOR_GIT.map(|(name, text)| (format!("{HOME}/{name}"), text.to_owned()));
    for (path, text) in for_git.iter().chain(&wanted) {
        let fate = scaffold::fate(path, text, context)?;
        let path = path.clone();
        files.push(InitFile { path, fate });
    }
    if !args.dry_run {
        Outputs::at(versions::file_system(), &context.root).prepare()?;
        for (path, text) in &wanted {
            scaffold::write(path, text, context)?;
        }
    }
    let document = InitDocument {
        dry_run: args.dry_run,
        files,
    };
    let mut facts = json!(document);
    facts["files"] = document
        .files
        .iter()
        .map(|file| shown(file, context))
        .collect();
    context.list("init", &facts, &document)?;
    Ok(Exit::Done)
}

/// Returns the file with its path as the user can type it.
fn shown(file: &InitFile, context: &Context) -> Value {
    let path = versions::display_path(&context.root.join(&file.path), context);
    json!({"path": path, "fate": file.fate})
}

/// Returns the text of a new project's file.
fn settings(lang: Lang, context: &Context) -> String {
    let header = format!("# {}\n", HEADER.of(lang));
    match &context.global.lang {
        Some(_) => format!("{header}language: {0}\ndoc_lang: {0}\n", lang.code()),
        None => header,
    }
}

/// Returns path and text of the file that tells an agent about `aitc`: a skill if the agent looks
/// for one, or a section of a file that every agent reads.
fn agent_file(agent: Agent, lang: Lang) -> (String, String) {
    let body = match lang {
        Lang::En => include_str!("../../scaffold/en/agent.md"),
        Lang::Zh => include_str!("../../scaffold/zh/agent.md"),
    };
    let about = ABOUT_SKILL.of(lang);
    let skill = format!("---\nname: aitc-plan\ndescription: {about}\n---\n\n{body}");
    let (path, text) = match agent {
        Agent::Claude => (".claude/skills/aitc-plan/SKILL.md", skill),
        Agent::AgentsMd => (
            "AGENTS.md",
            format!("{SECTION}\n{}\n", IN_AGENTS_MD.of(lang)),
        ),
        _ => (".agents/skills/aitc-plan/SKILL.md", skill),
    };
    (path.to_owned(), marked(&text, CommentStyle::Html))
}
