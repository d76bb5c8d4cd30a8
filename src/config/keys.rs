//! The table of keys: names, kinds, ranges, other spellings, variables.

use super::kind::Kind;

/// Which sources may set a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// All of them.
    Anywhere,
    /// Flags and variables only; in a file it stands under `providers`.
    NotInFiles,
}

/// One key.
#[derive(Debug, Clone, Copy)]
pub struct Key {
    /// Canonical name, dotted.
    pub name: &'static str,
    /// Other spellings that are understood.
    pub aliases: &'static [&'static str],
    /// What its value looks like.
    pub kind: Kind,
    /// Who may set it.
    pub place: Place,
}

impl Key {
    /// The name without the sections `limits` and `ending`; other sections are part of
    /// what a key means.
    pub fn leaf(&self) -> &'static str {
        let plain = ["limits.", "ending."]
            .iter()
            .find_map(|section| self.name.strip_prefix(section));
        plain.unwrap_or(self.name)
    }

    /// The variable that sets it, such as `AITC_MAX_ROUNDS` or `AITC_SIMILARITY_MODEL`.
    pub fn variable(&self) -> String {
        format!("AITC_{}", self.leaf().replace('.', "_").to_uppercase())
    }

    /// Is `name` the variable of this key, of another spelling of it, or of the key with
    /// the group it stands in, as `config show` has it?
    pub fn has_variable(&self, name: &str) -> bool {
        let spelled = |alias: &str| format!("AITC_{}", alias.to_uppercase()) == name;
        let full = self.name.replace('.', "_");
        self.variable() == name || spelled(&full) || self.aliases.iter().any(|one| spelled(one))
    }

    /// Is it what stands as `name` below the mapping `group`?
    pub fn is_in(&self, group: &str, name: &str) -> bool {
        let full = format!("{group}.{name}");
        let own = self.name.split_once('.').is_some_and(|(g, _)| g == group);
        self.name == full || self.aliases.contains(&full.as_str()) || (own && self.is_called(name))
    }

    /// Is `name` the canonical name, its last part or another spelling?
    pub fn is_called(&self, name: &str) -> bool {
        self.name == name || self.leaf() == name || self.aliases.contains(&name)
    }
}

const ON_OFF: Kind = Kind::Choice(&["on", "off"]);
const LANGUAGES: Kind = Kind::Choice(&["en", "zh"]);

const YES_OR_NO: Kind = Kind::Choice(&["true", "false"]);

/// Mappings of a file whose keys are named in the table, other groupings than ours included.
pub(super) const GROUPS: &[&str] = &[
    "limits",
    "ending",
    "similarity",
    "consensus",
    "silence",
    "silence_detection",
    "conversation_end",
];

const fn key(name: &'static str, kind: Kind, aliases: &'static [&'static str]) -> Key {
    Key {
        name,
        aliases,
        kind,
        place: Place::Anywhere,
    }
}

const fn number(name: &'static str, min: u64, max: u64, aliases: &'static [&'static str]) -> Key {
    key(name, Kind::Number { min, max }, aliases)
}

/// Every key but those of providers, in the order of the documentation.
pub const KEYS: &[Key] = &[
    key("language", LANGUAGES, &["lang"]),
    key(
        "doc_lang",
        LANGUAGES,
        &["doc_language", "document_language"],
    ),
    key("profile", Kind::Text, &[]),
    number("heartbeat_ms", 1, 3_600_000, &[]),
    key("questions", Kind::Choice(&["ask", "pause", "assume"]), &[]),
    key("first_round", Kind::Choice(&["sequential", "blind"]), &[]),
    key(
        "order",
        Kind::Choice(&["fixed", "rotate"]),
        &["speaking_order"],
    ),
    key("roles", Kind::Texts, &["members", "participants"]),
    key("provider", Kind::Text, &[]),
    key("model", Kind::Text, &[]),
    key("role_models", Kind::Table, &[]),
    key("temperature", Kind::Temperature, &[]),
    key("role_temperatures", Kind::Temperatures, &[]),
    number("seed", 0, 4_294_967_295, &[]),
    key("divergence", ON_OFF, &["detect_divergence"]),
    key("review_debate", ON_OFF, &[]),
    key("knowledge", Kind::Texts, &["knowledge_dirs"]),
    number("limits.max_rounds", 1, 100, &["rounds"]),
    number("limits.warn_at_rounds", 1, 100, &["warn_at"]),
    number(
        "limits.max_duration_minutes",
        1,
        1440,
        &["max_duration", "max_minutes", "minutes"],
    ),
    number("limits.warn_at_minutes", 1, 1440, &[]),
    number("limits.max_tokens", 1_000, 1_000_000_000, &[]),
    key("limits.budget_usd", Kind::Usd, &["budget", "max_cost"]),
    number("limits.concurrency", 1, 32, &[]),
    number("limits.max_output_tokens", 256, 200_000, &[]),
    number("limits.max_failures", 1, 50, &[]),
    number("limits.max_follow_ups", 0, 100, &[]),
    number("limits.max_debates", 0, 3, &["debates"]),
    number("limits.debate_rounds", 1, 4, &[]),
    number("limits.retry_base_ms", 0, 60_000, &[]),
    number("limits.retry_cap_ms", 0, 120_000, &[]),
    key("ending.auto_exit_enabled", YES_OR_NO, &["auto_exit"]),
    key(
        "ending.consensus_enabled",
        YES_OR_NO,
        &["consensus.enabled"],
    ),
    number(
        "ending.lookback_rounds",
        2,
        6,
        &[
            "lookback",
            "consensus.lookback",
            "consensus.lookback_rounds",
        ],
    ),
    key(
        "ending.convergence_indicator",
        Kind::Texts,
        &["consensus.convergence_indicator"],
    ),
    key(
        "ending.silence_enabled",
        YES_OR_NO,
        &["silence.enabled", "silence_detection.enabled"],
    ),
    number(
        "ending.consecutive_similar_rounds",
        2,
        20,
        &[
            "silence.consecutive_similar_rounds",
            "silence_detection.consecutive_similar_rounds",
        ],
    ),
    number(
        "ending.user_timeout_minutes",
        1,
        1440,
        &[
            "silence.user_timeout_minutes",
            "silence_detection.user_timeout_minutes",
        ],
    ),
    key("ending.exit_triggers", Kind::Texts, &[]),
    key(
        "ending.enable_detection",
        YES_OR_NO,
        &["conversation_end.enable_detection"],
    ),
    key(
        "ending.end_marker",
        Kind::Marker,
        &["conversation_end.end_marker"],
    ),
    key(
        "ending.require_confirmation",
        YES_OR_NO,
        &["conversation_end.require_confirmation"],
    ),
    key("ending.auto_end", YES_OR_NO, &["conversation_end.auto_end"]),
    key("similarity.provider", Kind::Text, &[]),
    key("similarity.model", Kind::Text, &[]),
    key(
        "similarity.threshold",
        Kind::Ratio,
        &[
            "similarity_threshold",
            "consensus.threshold",
            "consensus.similarity_threshold",
        ],
    ),
    key(
        "similarity.silence_threshold",
        Kind::Ratio,
        &[
            "content_similarity",
            "content_similarity_threshold",
            "silence.content_similarity",
            "silence_detection.content_similarity_threshold",
        ],
    ),
    key("similarity.duplicate_threshold", Kind::Ratio, &[]),
    key("similarity.agreement_words", Kind::Texts, &[]),
    key("similarity.disagreement_words", Kind::Texts, &[]),
    Key {
        name: "base_url",
        aliases: &[],
        kind: Kind::Url,
        place: Place::NotInFiles,
    },
    Key {
        name: "command",
        aliases: &[],
        kind: Kind::Text,
        place: Place::NotInFiles,
    },
    Key {
        name: "fixtures",
        aliases: &[],
        kind: Kind::Text,
        place: Place::NotInFiles,
    },
];

/// What may stand under `providers.<name>` in the user's file.
pub const PROVIDER_KEYS: &[Key] = &[
    key("base_url", Kind::Url, &["url", "api_base", "endpoint"]),
    key("api_key_env", Kind::Variable, &["key_env"]),
    key(
        "dialect",
        Kind::Choice(&[
            "openai",
            "openai-responses",
            "anthropic",
            "gemini",
            "ollama",
        ]),
        &[],
    ),
    key("model", Kind::Text, &["default_model"]),
    number("timeout_ms", 1, 3_600_000, &["call_timeout_ms"]),
    number("idle_timeout_ms", 1, 3_600_000, &[]),
    number("connect_timeout_ms", 1, 600_000, &[]),
    number("max_concurrent", 1, 32, &["concurrency"]),
    number("requests_per_minute", 1, 1_000_000, &["rpm"]),
    number("tokens_per_minute", 1, 1_000_000_000, &["tpm"]),
    key("proxy", Kind::Proxy, &[]),
    key("may_agree", YES_OR_NO, &[]),
    key("ca_file", Kind::Path, &["ca_bundle"]),
    key("fixtures", Kind::Text, &["folder"]),
    key("command", Kind::Program, &["argv"]),
];

/// What may stand under `providers.<name>.prices.<model>`, in dollars per million tokens.
pub const PRICE_KEYS: &[Key] = &[
    key("input", Kind::Usd, &["prompt"]),
    key("cached_input", Kind::Usd, &["cached", "cache_read"]),
    key("output", Kind::Usd, &["completion"]),
];

/// Words that a project's file may not hold at its top, whatever they would do.
pub(super) const FORBIDDEN: &[&str] = &[
    "providers",
    "base_url",
    "api_base",
    "url",
    "endpoint",
    "host",
    "headers",
    "header",
    "proxy",
    "http_proxy",
    "https_proxy",
    "api_key",
    "api_key_env",
    "key_env",
    "key",
    "token",
    "command",
];

/// Words that would hold a secret itself: refused in every file.
pub(super) const SECRETS: &[&str] = &["api_key", "apikey", "key", "token", "secret", "password"];
