//! Known providers, as data: a new one is a line here.

use crate::edge::model::openai::AnswerFormat;

/// A service behind a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Provider {
    /// Name as in `--provider` and in transcripts.
    pub name: &'static str,
    /// Where its OpenAI-compatible dialect answers.
    pub base_url: &'static str,
    /// Environment variable that names another base URL, if it is usual.
    pub base_url_var: Option<&'static str>,
    /// Environment variables that hold its key, best first.
    pub key_vars: &'static [&'static str],
    /// Model taken when none is named.
    pub default_model: &'static str,
    /// What is known of its dialect; what is not known is found out.
    pub habits: Habits,
}

/// What an endpoint is asked for first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Habits {
    /// How structured answers are asked for.
    pub format: AnswerFormat,
    /// The output limit is called `max_completion_tokens`.
    pub completion_limit: bool,
}

const USUAL: Habits = Habits {
    format: AnswerFormat::JsonSchema,
    completion_limit: false,
};

const JSON_ONLY: Habits = Habits {
    format: AnswerFormat::JsonObject,
    completion_limit: false,
};

/// Services behind a key, in the order in which their keys are looked for.
pub const PROVIDERS: &[Provider] = &[
    Provider {
        name: "openai",
        base_url: "https://api.openai.com/v1",
        base_url_var: Some("OPENAI_BASE_URL"),
        key_vars: &["OPENAI_API_KEY"],
        default_model: "gpt-4.1-mini",
        // A compatible server behind `OPENAI_BASE_URL` may not know the newer name and
        // ignore it, so only OpenAI's own host is asked that way: see `habits`.
        habits: USUAL,
    },
    Provider {
        name: "deepseek",
        base_url: "https://api.deepseek.com/v1",
        base_url_var: None,
        key_vars: &["DEEPSEEK_API_KEY"],
        default_model: "deepseek-chat",
        habits: JSON_ONLY,
    },
    Provider {
        name: "qwen",
        base_url: "https://dashscope.aliyuncs.com/compatible-mode/v1",
        base_url_var: None,
        key_vars: &["DASHSCOPE_API_KEY"],
        default_model: "qwen-plus",
        habits: USUAL,
    },
    Provider {
        name: "moonshot",
        base_url: "https://api.moonshot.cn/v1",
        base_url_var: Some("MOONSHOT_BASE_URL"),
        key_vars: &["MOONSHOT_API_KEY"],
        default_model: "kimi-latest",
        habits: USUAL,
    },
    Provider {
        name: "zhipu",
        base_url: "https://open.bigmodel.cn/api/paas/v4",
        base_url_var: None,
        key_vars: &["ZHIPUAI_API_KEY"],
        default_model: "glm-4.5-air",
        habits: JSON_ONLY,
    },
    Provider {
        name: "openrouter",
        base_url: "https://openrouter.ai/api/v1",
        base_url_var: None,
        key_vars: &["OPENROUTER_API_KEY"],
        default_model: "openai/gpt-4.1-mini",
        habits: USUAL,
    },
    Provider {
        name: "mistral",
        base_url: "https://api.mistral.ai/v1",
        base_url_var: None,
        key_vars: &["MISTRAL_API_KEY"],
        default_model: "mistral-small-latest",
        habits: USUAL,
    },
    Provider {
        name: "groq",
        base_url: "https://api.groq.com/openai/v1",
        base_url_var: None,
        key_vars: &["GROQ_API_KEY"],
        default_model: "openai/gpt-oss-120b",
        habits: USUAL,
    },
    Provider {
        name: "xai",
        base_url: "https://api.x.ai/v1",
        base_url_var: None,
        key_vars: &["XAI_API_KEY"],
        default_model: "grok-4-fast-non-reasoning",
        habits: USUAL,
    },
];

/// A server on this machine that needs no key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Local {
    /// Name as in `--provider`.
    pub name: &'static str,
    /// Loopback port it listens on.
    pub port: u16,
}

impl Local {
    /// Where it answers.
    pub fn base_url(&self) -> String {
        format!("http://127.0.0.1:{}/v1", self.port)
    }
}

/// Servers of this machine with their usual ports, in the order in which one is taken.
pub const LOCALS: &[Local] = &[
    Local {
        name: "ollama",
        port: 11434,
    },
    Local {
        name: "lmstudio",
        port: 1234,
    },
    Local {
        name: "llamacpp",
        port: 8080,
    },
    Local {
        name: "vllm",
        port: 8000,
    },
];

/// A provider whose own dialect is not built in yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Foreign {
    /// Name as in `--provider`.
    pub name: &'static str,
    /// Environment variables that hold its key.
    pub key_vars: &'static [&'static str],
}

/// Providers whose own dialect is not built in yet.
pub const FOREIGN: &[Foreign] = &[
    Foreign {
        name: "anthropic",
        key_vars: &["ANTHROPIC_API_KEY"],
    },
    Foreign {
        name: "gemini",
        key_vars: &["GEMINI_API_KEY", "GOOGLE_API_KEY"],
    },
    Foreign {
        name: "command",
        key_vars: &[],
    },
];

pub use crate::workshop::SCRIPTED;

/// The known service of that name; some are known by two.
pub fn find(name: &str) -> Option<&'static Provider> {
    let name = match name {
        "dashscope" => "qwen",
        "kimi" => "moonshot",
        "glm" => "zhipu",
        "grok" => "xai",
        other => other,
    };
    PROVIDERS.iter().find(|provider| provider.name == name)
}

/// What an endpoint is asked for first, by provider name and host.
pub(super) fn habits(name: &str, host: &str) -> Habits {
    let habits = find(name).map_or(USUAL, |provider| provider.habits);
    Habits {
        completion_limit: habits.completion_limit || host == "api.openai.com",
        ..habits
    }
}
