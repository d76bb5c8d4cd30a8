//! Coding agents with known headless modes, as data.
//!
//! Each reads the whole prompt on standard input. Its own switches let it either read one folder
//! and change nothing, or change a copy of it and nothing else; `docs/design/providers.md` says
//! which switches were tried.

use super::find_program;

/// Where a program's reply is in its output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReplyFormat {
    /// The whole standard output is the reply.
    Text,
    /// Standard output is one JSON document; the fields are JSON pointers into it.
    Json {
        /// The reply.
        text: &'static str,
        /// True, or an object with a message, if the program failed.
        failed: &'static str,
        /// Tokens sent, in parts to be added; the second part are the cached ones.
        input: &'static [&'static str],
        /// Of these, the tokens read from a cache.
        cached: &'static str,
        /// Tokens received.
        output: &'static str,
    },
}

/// The folder in which an agent is started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WorkingFolder {
    /// The folder it may read; its settings, hooks and servers in that folder are disabled.
    Tree,
    /// An empty folder, with access to the other one, because the agent would obey settings in the
    /// folder in which it is started.
    EmptyFolder,
}

/// Placeholder in arguments and variables for the folder that an agent may read.
pub const TREE: &str = "{tree}";

/// Placeholder in arguments for the folder of the agent's own program, which the agent must read to
/// run commands in its sandbox.
pub const PROGRAM: &str = "{program}";

/// Placeholder in arguments for the folder of temporary files beside a copy.
pub const TMP: &str = "{tmp}";

/// How an agent works in its own copy of the repository: its sandbox lets the commands it runs
/// write only there and blocks the network.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CopyMode {
    /// Arguments, instead of [`Agent::reads`]; `TREE` is the copy, and `{read}`, `{masked}` and
    /// `{hidden}` are lists.
    pub argv: &'static [&'static str],
    /// Programs that its sandbox needs on Linux and that are not part of the agent.
    pub needs: &'static [&'static str],
    /// Whether its sandbox itself decides which parts of the system are readable.
    pub knows_system: bool,
    /// Format of an additional readable path in its list; `*` is the path.
    pub read: &'static str,
    /// Format of a path that must not be read.
    pub masked: &'static str,
    /// Format of a variable that is hidden from its commands.
    pub hidden: &'static str,
    /// The user's own settings, which it also reads and which its switches cannot restrict: the
    /// variable that names their folder, that folder's path below the home, and the file.
    pub settings: Option<[&'static str; 3]>,
}

impl CopyMode {
    /// The first program that its sandbox needs on this system and that is in no folder of `path`,
    /// the value of `PATH`.
    pub fn lacks(&self, path: Option<&str>) -> Option<&'static str> {
        let mut needs = self.needs.iter().filter(|_| cfg!(target_os = "linux"));
        needs
            .find(|name| find_program(name, path).is_none())
            .copied()
    }
}

/// A program known by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Agent {
    /// Name as in `--provider`.
    pub name: &'static str,
    /// Name of the product.
    pub title: &'static str,
    /// Its package in the npm registry.
    pub package: &'static str,
    /// Program and arguments, with the placeholders `TREE` and `PROGRAM`.
    pub argv: &'static [&'static str],
    /// Additional arguments that forbid all changes.
    pub reads: &'static [&'static str],
    /// `None` if it has no such sandbox; then it never works in a copy.
    pub in_copy: Option<CopyMode>,
    /// Additional variables, with the placeholder `TREE`.
    pub variables: &'static [(&'static str, &'static str)],
    /// The subcommand whose help lists the switches.
    pub subcommand: Option<&'static str>,
    /// The folder in which it is started.
    pub starts_in: WorkingFolder,
    /// The flag before a model's name, if a model is given.
    pub model_flag: &'static str,
    /// How its reply is read.
    pub output: ReplyFormat,
}

/// The agents, by product name.
#[rustfmt::skip]
pub const AGENTS: &[Agent] = &[
    Agent {
        name: "claude-code",
        title: "Claude Code",
        package: "@anthropic-ai/claude-code",
        argv: &[
            "claude", "-p", "--output-format", "json", "--no-session-persistence",
            // Disables the folder's settings and hooks, servers and commands.
            "--setting-sources", "user", "--strict-mcp-config", "--disable-slash-commands",
            "--permission-mode", "dontAsk",
        ],
        reads: &["--tools", "Read,Grep,Glob"],
        in_copy: Some(CopyMode {
            // Only the shell can write, inside the sandbox; without the sandbox the agent does not
            // start.
            argv: &[
                "--tools", "Read,Grep,Glob,Bash", "--settings",
                r#"{"sandbox":{"enabled":true,"failIfUnavailable":true,"autoAllowBashIfSandboxed":true,"allowUnsandboxedCommands":false,"network":{"allowedDomains":[]},"credentials":{"envVars":[{"name":"SSH_AUTH_SOCK","mode":"deny"}{hidden}]},"filesystem":{"denyRead":["/"{masked}],"allowRead":["{tree}","{tmp}"{read}]}}}"#,
            ],
            needs: &["bwrap", "socat"],
            knows_system: false,
            read: r#","*""#,
            masked: r#","*""#,
            hidden: r#",{"name":"*","mode":"deny"}"#,
            settings: Some(["CLAUDE_CONFIG_DIR", ".claude", "settings.json"]),
        }),
        variables: &[],
        subcommand: None,
        starts_in: WorkingFolder::Tree,
        model_flag: "--model",
        output: ReplyFormat::Json {
            text: "/result",
            failed: "/is_error",
            input: &["/usage/input_tokens", "/usage/cache_creation_input_tokens", "/usage/cache_read_input_tokens"],
            cached: "/usage/cache_read_input_tokens",
            output: "/usage/output_tokens",
        },
    },
    Agent {
        name: "codex",
        title: "Codex",
        package: "@openai/codex",
        argv: &[
            "codex", "exec", "--skip-git-repo-check", "--ephemeral",
            // Readable are only the folder it is started in and the system's own files.
            "-c", "default_permissions=\"aitc\"",
            // The configuration of the folder, and of those above, is not trusted, even if the user
            // trusts it.
            "--ignore-rules", "-c", "projects={'{tree}'={trust_level=\"untrusted\"}}",
            "-c", "project_root_markers=[]", "-c", "web_search=\"disabled\"", "-",
        ],
        reads: &["-c", r#"permissions.aitc.filesystem={":minimal"="read",":workspace_roots"={"."="read"},"{program}"="read"}"#],
        in_copy: Some(CopyMode {
            argv: &[
                "-c", r#"permissions.aitc.filesystem={":minimal"="read",":workspace_roots"={"."="write"},"{tmp}"="write","{program}"="read"{read}{masked}}"#,
                "-c", r#"shell_environment_policy={inherit="all",exclude=["SSH_AUTH_SOCK"{hidden}]}"#,
            ],
            needs: &[],
            knows_system: true,
            read: r#","*"="read""#,
            masked: r#","*"="deny""#,
            hidden: r#","*""#,
            settings: None,
        }),
        variables: &[],
        subcommand: Some("exec"),
        starts_in: WorkingFolder::Tree,
        model_flag: "--model",
        output: ReplyFormat::Text,
    },
    Agent {
        name: "gemini-cli",
        title: "Gemini CLI",
        package: "@google/gemini-cli",
        argv: &[
            "gemini", "--output-format", "json", "--approval-mode", "plan",
            // It refuses to work in an untrusted folder; this one is empty.
            "--skip-trust", "--include-directories", "{tree}",
        ],
        reads: &[],
        in_copy: None,
        variables: &[],
        subcommand: None,
        starts_in: WorkingFolder::EmptyFolder,
        model_flag: "--model",
        output: ReplyFormat::Json { text: "/response", failed: "/error", input: &[], cached: "", output: "" },
    },
    Agent {
        name: "qwen-code",
        title: "Qwen Code",
        package: "@qwen-code/qwen-code",
        argv: &["qwen", "--safe-mode", "--approval-mode", "plan", "--include-directories", "{tree}"],
        reads: &[],
        in_copy: None,
        variables: &[],
        subcommand: None,
        starts_in: WorkingFolder::EmptyFolder,
        model_flag: "--model",
        output: ReplyFormat::Text,
    },
    Agent {
        name: "opencode",
        title: "OpenCode",
        package: "opencode-ai",
        argv: &["opencode", "run", "--agent", "aitc"],
        reads: &[],
        in_copy: None,
        variables: &[
            ("OPENCODE_DISABLE_PROJECT_CONFIG", "1"),
            // A separate agent, so that permissions which the user gave to others do not apply.
            ("OPENCODE_CONFIG_CONTENT", r#"{"agent":{"aitc":{"mode":"primary","permission":{"*":"deny","read":"allow","grep":"allow","glob":"allow","list":"allow","external_directory":{"*":"deny","{tree}/*":"allow"}}}}}"#),
        ],
        subcommand: Some("run"),
        starts_in: WorkingFolder::EmptyFolder,
        model_flag: "--model",
        output: ReplyFormat::Text,
    },
];
