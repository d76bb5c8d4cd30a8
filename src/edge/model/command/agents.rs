//! Coding agents whose headless modes are known, as data.
//!
//! Each reads the whole prompt on standard input. It may read one folder by itself and
//! change nothing, or change a copy of it and nothing else: by its own switches, which
//! `docs/design/providers.md` says were tried.

use super::find_program;

/// Where a program's reply stands in what it prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Output {
    /// All of standard output is the reply.
    Text,
    /// Standard output is one JSON document; these are JSON pointers into it.
    Json {
        /// The reply.
        text: &'static str,
        /// True, or an object with a message, when the program failed.
        failed: &'static str,
        /// Tokens sent, in parts to be added up; the second is what was cached.
        input: &'static [&'static str],
        /// Of those, the ones read from a cache.
        cached: &'static str,
        /// Tokens written.
        output: &'static str,
    },
}

/// Where an agent is started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StartsIn {
    /// In the folder it may read: what stands there of settings, hooks and servers for it
    /// is switched off.
    Tree,
    /// In an empty folder, from which the other one is opened to it: it would obey what
    /// stands where it is started.
    EmptyFolder,
}

/// What stands in arguments and variables for the folder that an agent may read.
pub const TREE: &str = "{tree}";

/// What stands in arguments for where the agent's own program lies, which it has to read to
/// run commands in its sandbox.
pub const PROGRAM: &str = "{program}";

/// What stands in arguments for the folder of temporary files beside a copy.
pub const TMP: &str = "{tmp}";

/// How an agent works in a copy of the repository that is its own: its sandbox lets what it
/// runs write there alone, and reach no network.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InCopy {
    /// Arguments, in place of [`Agent::reads`]; `TREE` is the copy there, and `{read}`,
    /// `{masked}` and `{hidden}` are lists.
    pub argv: &'static [&'static str],
    /// The programs its sandbox is made of on Linux, which it does not bring itself.
    pub needs: &'static [&'static str],
    /// Does its sandbox know by itself what of the system is to be read?
    pub knows_system: bool,
    /// How a path that can be read besides is written in its list, `*` being the path.
    pub read: &'static str,
    /// How one of those that cannot be is.
    pub masked: &'static str,
    /// How a variable is that is kept from what it runs.
    pub hidden: &'static str,
    /// The user's own settings that it reads besides, which its switches add to and cannot
    /// take back: the variable that names their folder, that folder below the home, the file.
    pub settings: Option<[&'static str; 3]>,
}

impl InCopy {
    /// What its sandbox needs on this system and is in no folder of `path`, the value of
    /// `PATH`.
    pub fn lacks(&self, path: Option<&str>) -> Option<&'static str> {
        let mut needs = self.needs.iter().filter(|_| cfg!(target_os = "linux"));
        needs
            .find(|name| find_program(name, path).is_none())
            .copied()
    }
}

/// A program that is known by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Agent {
    /// Name as in `--provider`.
    pub name: &'static str,
    /// Name of the product.
    pub title: &'static str,
    /// Its package in the npm registry.
    pub package: &'static str,
    /// Program and arguments, with `TREE` and `PROGRAM` in them.
    pub argv: &'static [&'static str],
    /// Arguments besides, with which it changes nothing.
    pub reads: &'static [&'static str],
    /// None for one without such a sandbox: it works in no copy.
    pub in_copy: Option<InCopy>,
    /// Variables it is given, with `TREE` in them.
    pub variables: &'static [(&'static str, &'static str)],
    /// Its subcommand, whose help names the switches.
    pub subcommand: Option<&'static str>,
    /// Where it is started.
    pub starts_in: StartsIn,
    /// What comes before the name of a model, if one is named.
    pub model_flag: &'static str,
    /// How its reply is read.
    pub output: Output,
}

/// The agents, by the name of their maker's product.
#[rustfmt::skip]
pub const AGENTS: &[Agent] = &[
    Agent {
        name: "claude-code",
        title: "Claude Code",
        package: "@anthropic-ai/claude-code",
        argv: &[
            "claude", "-p", "--output-format", "json", "--no-session-persistence",
            // Neither the folder's settings with their hooks, nor its servers and commands.
            "--setting-sources", "user", "--strict-mcp-config", "--disable-slash-commands",
            "--permission-mode", "dontAsk",
        ],
        reads: &["--tools", "Read,Grep,Glob"],
        in_copy: Some(InCopy {
            // What writes is the shell alone, in the sandbox, without which it does not start.
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
        starts_in: StartsIn::Tree,
        model_flag: "--model",
        output: Output::Json {
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
            // Of the disk the folder it is started in and the system's own files.
            "-c", "default_permissions=\"aitc\"",
            // The folder's configuration is not trusted, even where the user does; nor is
            // that of a folder above it.
            "--ignore-rules", "-c", "projects={'{tree}'={trust_level=\"untrusted\"}}",
            "-c", "project_root_markers=[]", "-c", "web_search=\"disabled\"", "-",
        ],
        reads: &["-c", r#"permissions.aitc.filesystem={":minimal"="read",":workspace_roots"={"."="read"},"{program}"="read"}"#],
        in_copy: Some(InCopy {
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
        starts_in: StartsIn::Tree,
        model_flag: "--model",
        output: Output::Text,
    },
    Agent {
        name: "gemini-cli",
        title: "Gemini CLI",
        package: "@google/gemini-cli",
        argv: &[
            "gemini", "--output-format", "json", "--approval-mode", "plan",
            // It answers in no folder it does not trust; this one is empty.
            "--skip-trust", "--include-directories", "{tree}",
        ],
        reads: &[],
        in_copy: None,
        variables: &[],
        subcommand: None,
        starts_in: StartsIn::EmptyFolder,
        model_flag: "--model",
        output: Output::Json { text: "/response", failed: "/error", input: &[], cached: "", output: "" },
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
        starts_in: StartsIn::EmptyFolder,
        model_flag: "--model",
        output: Output::Text,
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
            // An agent of its own: what the user allows others does not hold for it.
            ("OPENCODE_CONFIG_CONTENT", r#"{"agent":{"aitc":{"mode":"primary","permission":{"*":"deny","read":"allow","grep":"allow","glob":"allow","list":"allow","external_directory":{"*":"deny","{tree}/*":"allow"}}}}}"#),
        ],
        subcommand: Some("run"),
        starts_in: StartsIn::EmptyFolder,
        model_flag: "--model",
        output: Output::Text,
    },
];
