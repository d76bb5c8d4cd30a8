//! Known services as data: a new service is a line here, and so is what is special about its wire
//! format. What prompts depend on is where they are made: `SCHEMA_FIRST` in `prompt/grammar.rs`, and
//! `holds_the_form` in `machine/inputs.rs`.
//!
//! Unknown properties of an endpoint are found out by trying (see `shape`). A line here only avoids
//! the first refusal, or states what no refusal would show.

use super::command::AGENTS;
use crate::chat::AnswerFormat::{self, JsonObject, JsonSchema};
use crate::machine::HAND;

/// A wire format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// OpenAI's chat completions API and everything compatible.
    OpenAi,
    /// OpenAI's responses API.
    OpenAiResponses,
    /// Anthropic's messages API.
    Anthropic,
    /// Gemini's `generateContent`.
    Gemini,
    /// Ollama's own `/api/chat`.
    Ollama,
    /// Cohere's chat API, version 2.
    Cohere,
}

/// The dialects by their names in a configuration.
const DIALECTS: [(&str, Dialect); 6] = [
    ("openai", Dialect::OpenAi),
    ("openai-responses", Dialect::OpenAiResponses),
    ("anthropic", Dialect::Anthropic),
    ("gemini", Dialect::Gemini),
    ("ollama", Dialect::Ollama),
    ("cohere", Dialect::Cohere),
];

impl Dialect {
    /// The dialect of that name in a configuration.
    pub fn named(name: &str) -> Option<Self> {
        let found = DIALECTS.iter().find(|(one, _)| *one == name);
        found.map(|(_, dialect)| *dialect)
    }

    /// Name as in a configuration.
    pub fn name(self) -> &'static str {
        let found = DIALECTS.iter().find(|(_, dialect)| *dialect == self);
        found.map_or("", |(name, _)| name)
    }
}

/// Name of the output limit, and the name for servers that do not support the first.
pub(super) const MAX_TOKENS: &str = "max_tokens";
pub(super) const MAX_COMPLETION_TOKENS: &str = "max_completion_tokens";

/// The request form to try first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quirks {
    /// Format of structured answers to try first.
    pub format: AnswerFormat,
    /// Name of the output limit.
    pub limit: &'static str,
    /// Name of the seed parameter; `None` if it is refused.
    pub seed: Option<&'static str>,
    /// Whether schemas may limit the length of texts and lists (`maxLength`, `maxItems`).
    pub lengths: bool,
    /// Whether it streams answers that follow a schema; if not, the complete answer is requested.
    pub streams: bool,
    /// Whether it accepts the system role.
    pub system: bool,
}

/// The common case.
pub const USUAL: Quirks = Quirks {
    format: JsonSchema,
    limit: MAX_TOKENS,
    seed: Some("seed"),
    lengths: true,
    streams: true,
    system: true,
};

const JSON_ONLY: Quirks = Quirks {
    format: JsonObject,
    ..USUAL
};

/// A strict subset of JSON Schema, as in the first services that supported schemas.
const NO_LENGTHS: Quirks = Quirks {
    lengths: false,
    ..USUAL
};

const NO_SEED: Quirks = Quirks {
    seed: None,
    ..NO_LENGTHS
};

const RANDOM_SEED: Quirks = Quirks {
    seed: Some("random_seed"),
    ..USUAL
};

const COMPLETION_LIMIT: Quirks = Quirks {
    limit: MAX_COMPLETION_TOKENS,
    ..USUAL
};

const STRICT_COMPLETION_LIMIT: Quirks = Quirks {
    limit: MAX_COMPLETION_TOKENS,
    ..NO_LENGTHS
};

const UNSTREAMED: Quirks = Quirks {
    streams: false,
    ..STRICT_COMPLETION_LIMIT
};

/// A service that needs a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Provider {
    /// Name as in `--provider` and in transcripts.
    pub name: &'static str,
    /// Alternative names.
    pub aliases: &'static [&'static str],
    /// Wire format.
    pub dialect: Dialect,
    /// Default base URL.
    pub base_url: &'static str,
    /// Environment variable that overrides the base URL, if one is in common use.
    pub base_url_var: Option<&'static str>,
    /// Environment variables with its key, in order of preference.
    pub key_vars: &'static [&'static str],
    /// Default model.
    pub default_model: &'static str,
    /// Known properties beyond its dialect.
    pub quirks: Quirks,
}

type Names = &'static [&'static str];

const fn service(
    name: &'static str,
    base_url: &'static str,
    key_vars: Names,
    default_model: &'static str,
    quirks: Quirks,
) -> Provider {
    Provider {
        name,
        aliases: &[],
        dialect: Dialect::OpenAi,
        base_url,
        base_url_var: None,
        key_vars,
        default_model,
        quirks,
    }
}

/// Services that need a key, in the order in which their keys are searched.
/// `docs/design/providers.md` lists the sources of each row.
#[rustfmt::skip]
pub const PROVIDERS: &[Provider] = &[
    // A compatible server at `OPENAI_BASE_URL` may not know the newer name of the limit and ignore
    // it, so that name is used only for OpenAI's own host: see `quirks`.
    Provider { base_url_var: Some("OPENAI_BASE_URL"),
        ..service("openai", "https://api.openai.com/v1", &["OPENAI_API_KEY"], "gpt-6-luna", USUAL) },
    Provider { base_url_var: Some("ANTHROPIC_BASE_URL"), aliases: &["claude"], dialect: Dialect::Anthropic,
        ..service("anthropic", "https://api.anthropic.com/v1", &["ANTHROPIC_API_KEY"], "claude-haiku-4-5", NO_SEED) },
    Provider { base_url_var: Some("GOOGLE_GEMINI_BASE_URL"), aliases: &["google"], dialect: Dialect::Gemini,
        ..service("gemini", "https://generativelanguage.googleapis.com/v1beta", &["GEMINI_API_KEY", "GOOGLE_API_KEY"],
            "gemini-3.5-flash-lite", USUAL) },
    service("deepseek", "https://api.deepseek.com/v1", &["DEEPSEEK_API_KEY"], "deepseek-flash", JSON_ONLY),
    Provider { aliases: &["dashscope"],
        ..service("qwen", "https://dashscope.aliyuncs.com/compatible-mode/v1", &["DASHSCOPE_API_KEY"], "qwen-plus", USUAL) },
    Provider { base_url_var: Some("MOONSHOT_BASE_URL"), aliases: &["kimi"],
        ..service("moonshot", "https://api.moonshot.cn/v1", &["MOONSHOT_API_KEY"], "kimi-k3", COMPLETION_LIMIT) },
    Provider { aliases: &["glm"],
        ..service("zhipu", "https://open.bigmodel.cn/api/paas/v4", &["ZHIPUAI_API_KEY"], "glm-4.5-air", JSON_ONLY) },
    service("openrouter", "https://openrouter.ai/api/v1", &["OPENROUTER_API_KEY"], "openai/gpt-6-luna", NO_LENGTHS),
    service("mistral", "https://api.mistral.ai/v1", &["MISTRAL_API_KEY"], "mistral-small-latest", RANDOM_SEED),
    service("groq", "https://api.groq.com/openai/v1", &["GROQ_API_KEY"], "openai/gpt-oss-120b", UNSTREAMED),
    Provider { aliases: &["grok"],
        ..service("xai", "https://api.x.ai/v1", &["XAI_API_KEY"], "grok-4.3", STRICT_COMPLETION_LIMIT) },
    service("cerebras", "https://api.cerebras.ai/v1", &["CEREBRAS_API_KEY"], "gpt-oss-120b", STRICT_COMPLETION_LIMIT),
    Provider { dialect: Dialect::Cohere,
        ..service("cohere", "https://api.cohere.com/v2", &["CO_API_KEY", "COHERE_API_KEY"], "command-a-03-2025", NO_LENGTHS) },
    // Last, because it shares the key of `openai`: it is used only on request.
    Provider { base_url_var: Some("OPENAI_BASE_URL"), aliases: &["responses"], dialect: Dialect::OpenAiResponses,
        ..service("openai-responses", "https://api.openai.com/v1", &["OPENAI_API_KEY"], "gpt-6-luna", NO_SEED) },
];

/// A server on this machine that needs no key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Local {
    /// Name as in `--provider`.
    pub name: &'static str,
    /// Wire format.
    pub dialect: Dialect,
    /// Loopback port it listens on.
    pub port: u16,
}

impl Local {
    /// Its base URL.
    pub fn base_url(&self) -> String {
        match self.dialect {
            Dialect::Ollama => format!("http://127.0.0.1:{}", self.port),
            _ => format!("http://127.0.0.1:{}/v1", self.port),
        }
    }
}

/// Servers on this machine with their default ports, in order of preference.
#[rustfmt::skip]
pub const LOCALS: &[Local] = &[
    Local { name: "ollama", dialect: Dialect::Ollama, port: 11434 },
    Local { name: "lmstudio", dialect: Dialect::OpenAi, port: 1234 },
    Local { name: "llamacpp", dialect: Dialect::OpenAi, port: 8080 },
    Local { name: "vllm", dialect: Dialect::OpenAi, port: 8000 },
];

/// Variables with the address of a local server, also used by its own clients: name of the server,
/// variable, default port.
pub(super) const HOST_VARS: &[(&str, &str, u16)] = &[("ollama", "OLLAMA_HOST", 11434)];

pub use crate::machine::SCRIPTED;

/// Name of the provider that runs any program the user chooses.
pub const COMMAND: &str = "command";

/// The variable for the key of the named provider; it has priority over the provider's own.
pub const GENERAL_KEY: &str = "AITC_API_KEY";

/// The variables that the key of the provider with this name is usually in.
pub fn key_variables(name: &str) -> &'static [&'static str] {
    find(name).map_or(&[GENERAL_KEY][..], |provider| provider.key_vars)
}

/// The known service with this name or alias.
pub fn find(name: &str) -> Option<&'static Provider> {
    PROVIDERS
        .iter()
        .find(|provider| provider.name == name || provider.aliases.contains(&name))
}

/// The default address of the provider with this name, without a trailing slash; `None` for a name
/// that the user made up.
pub fn usual_address(name: &str) -> Option<String> {
    let local = || LOCALS.iter().find(|local| local.name == name);
    find(name)
        .map(|provider| provider.base_url.to_owned())
        .or_else(|| local().map(Local::base_url))
}

/// The variable from which its own clients read the provider's address, if there is one.
pub fn address_variable(name: &str) -> Option<&'static str> {
    let host = || HOST_VARS.iter().find(|(local, _, _)| *local == name);
    find(name)
        .and_then(|provider| provider.base_url_var)
        .or_else(|| host().map(|(_, variable, _)| *variable))
}

/// Whether the provider with this name runs a program.
pub fn is_command(name: &str) -> bool {
    name == COMMAND || AGENTS.iter().any(|agent| agent.name == name)
}

/// All built-in names for `--provider`, in the order of the documentation.
pub fn names() -> impl Iterator<Item = &'static str> {
    let services = PROVIDERS.iter().map(|provider| provider.name);
    let locals = LOCALS.iter().map(|local| local.name);
    let agents = AGENTS.iter().map(|agent| agent.name);
    services
        .chain(locals)
        .chain(agents)
        .chain([COMMAND, HAND, SCRIPTED])
}

/// The request form to try first, by provider name and host.
pub(super) fn quirks(name: &str, host: &str) -> Quirks {
    let quirks = find(name).map_or(USUAL, |provider| provider.quirks);
    if host == "api.openai.com" {
        return Quirks {
            limit: MAX_COMPLETION_TOKENS,
            lengths: false,
            ..quirks
        };
    }
    quirks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::PROVIDER_KEYS;

    #[test]
    fn no_name_stands_for_two_things() {
        let aliases = PROVIDERS
            .iter()
            .flat_map(|provider| provider.aliases.iter().copied());
        let mut all: Vec<_> = names().chain(aliases).collect();
        all.sort_unstable();
        let count = all.len();
        all.dedup();
        assert_eq!(all.len(), count, "{all:?}");
    }

    #[test]
    fn every_dialect_is_found_by_its_name() {
        let key = PROVIDER_KEYS.iter().find(|key| key.name == "dialect");
        let key = key.expect("a provider has a dialect");
        assert_eq!(key.kind.words(), DIALECTS.map(|(name, _)| name));
        for (name, dialect) in DIALECTS {
            assert_eq!(Dialect::named(name), Some(dialect));
            assert_eq!(dialect.name(), name);
        }
        assert_eq!(Dialect::named("telepathy"), None);
    }
}
