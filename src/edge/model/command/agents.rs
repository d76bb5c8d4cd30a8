//! Coding agents whose headless modes are known, as data.
//!
//! Each reads the whole prompt on standard input and is asked for nothing but
//! words: where a program has a switch for it, it may not touch files.

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

/// A program that is known by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Agent {
    /// Name as in `--provider`.
    pub name: &'static str,
    /// Name of the product.
    pub title: &'static str,
    /// Program and arguments.
    pub argv: &'static [&'static str],
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
        argv: &["claude", "-p", "--output-format", "json"],
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
        argv: &["codex", "exec", "--skip-git-repo-check", "--sandbox", "read-only", "--ephemeral", "-"],
        model_flag: "--model",
        output: Output::Text,
    },
    Agent {
        name: "gemini-cli",
        title: "Gemini CLI",
        argv: &["gemini", "--output-format", "json"],
        model_flag: "--model",
        output: Output::Json { text: "/response", failed: "/error", input: &[], cached: "", output: "" },
    },
    Agent { name: "qwen-code", title: "Qwen Code", argv: &["qwen"], model_flag: "--model", output: Output::Text },
    Agent { name: "opencode", title: "OpenCode", argv: &["opencode", "run"], model_flag: "--model", output: Output::Text },
];
