//! The table of keys: names, kinds, ranges, other spellings, variables.

use super::Value;
use crate::fault::{Message, Text, Value as Said};
use crate::workshop::Lang;
use crate::workshop::similarity::Score;

/// What a key's value looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// One of these words.
    Choice(&'static [&'static str]),
    /// A whole number in a range, ends included.
    Number {
        /// Smallest.
        min: u64,
        /// Largest.
        max: u64,
    },
    /// A ratio above 0 and up to 1, to three decimals.
    Ratio,
    /// How freely a model chooses its words: from 0 to 2, to two decimals.
    Temperature,
    /// A line of text with a letter in it, so that no quote, fence or bracket that
    /// every answer ends with is taken for it.
    Marker,
    /// Any text that is not empty.
    Text,
    /// A list of texts; in a variable or flag separated by commas.
    Texts,
    /// Text by name; the name follows the key's own after a dot.
    Table,
    /// An `http` or `https` address without user name or password.
    Url,
    /// The name of an environment variable; its value is never shown.
    Variable,
    /// An amount of US dollars.
    Usd,
}

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
    key("proxy", Kind::Url, &[]),
    key("ca_file", Kind::Text, &["ca_bundle"]),
    key("fixtures", Kind::Text, &["folder"]),
    key("command", Kind::Texts, &["argv"]),
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

impl Kind {
    /// Reads a text as a value of this kind.
    ///
    /// # Errors
    /// What would be right, as a sentence part that follows "must be".
    pub fn read(self, text: &str) -> Result<Value, Message> {
        let text = text.trim();
        let plain = || Value::Text(text.to_owned());
        match self {
            Self::Choice(words) if words.contains(&text) => Ok(plain()),
            Self::Number { min, max } => text
                .replace('_', "")
                .parse()
                .ok()
                .filter(|n| (min..=max).contains(n))
                .map(Value::Number)
                .ok_or_else(|| self.wanted()),
            Self::Ratio => text
                .parse()
                .ok()
                .filter(|ratio| (0.001..=1.0).contains(ratio))
                .map(|ratio| Value::Ratio(Score::from_ratio(ratio)))
                .ok_or_else(|| self.wanted()),
            Self::Temperature => Value::temperature(text).ok_or_else(|| self.wanted()),
            Self::Text | Self::Table if is_plain(text) => Ok(plain()),
            Self::Marker if is_plain(text) && text.chars().any(is_letter) => Ok(plain()),
            Self::Texts => {
                let parts = text
                    .split(',')
                    .map(str::trim)
                    .filter(|part| !part.is_empty());
                Self::list(parts.map(str::to_owned).collect())
            }
            Self::Usd => text.parse().map(Value::Usd).map_err(|_| self.wanted()),
            Self::Url if is_url(text) => Ok(plain()),
            Self::Variable if is_variable(text) => Ok(plain()),
            _ => Err(self.wanted()),
        }
    }

    /// Checks a list.
    ///
    /// # Errors
    /// As [`Kind::read`].
    pub fn list(items: Vec<String>) -> Result<Value, Message> {
        let right = !items.is_empty() && items.iter().all(|item| is_plain(item));
        right
            .then_some(Value::Texts(items))
            .ok_or_else(|| Self::Texts.wanted())
    }

    /// What would be right, as a sentence part that follows "must be".
    pub fn wanted(self) -> Message {
        match self {
            Self::Choice(words) => {
                let quoted: Vec<_> = words.iter().map(|word| format!("`{word}`")).collect();
                Text("one of {words}", "下列之一：{words}").fill(&[("words", &quoted.join(", "))])
            }
            Self::Number { min, max } => Text(
                "a whole number from {min} to {max}",
                " {min} 到 {max} 的整数",
            )
            .fill(&[("min", &min), ("max", &max)]),
            Self::Ratio => Text("a number from 0.001 to 1", " 0.001 到 1 的数").into(),
            Self::Temperature => Text(
                "a number from 0 to 2 with at most two decimals",
                " 0 到 2 的数，最多两位小数",
            )
            .into(),
            Self::Marker => Text(
                "a line with a letter in it",
                "一行至少含一个字母或汉字的文本",
            )
            .into(),
            Self::Text | Self::Table => Text("a text that is not empty", "非空的文本").into(),
            Self::Texts => Text("a list of texts, at least one", "至少含一项的文本列表").into(),
            Self::Url => Text(
                "an address that begins with `http://` or `https://` and holds no password",
                "以 `http://` 或 `https://` 开头且不含密码的地址",
            )
            .into(),
            Self::Variable => Text(
                "the name of an environment variable, never a key itself",
                "环境变量的名称，绝不是密钥本身",
            )
            .into(),
            Self::Usd => Text(
                "an amount of dollars such as `2.50`, with at most nine decimals and up to 1000000",
                "形如 `2.50` 的美元金额，最多九位小数，不超过 1000000",
            )
            .into(),
        }
    }

    /// What is said of a value that is wrong, after what would be right; nothing
    /// where it may be a secret.
    pub fn not(self, given: &dyn Said) -> Message {
        if !self.may_be_shown() {
            return Message::default();
        }
        let shown = |lang| {
            let short: String = given.in_lang(lang).chars().take(60).collect();
            short.escape_debug().to_string()
        };
        let given = Message {
            en: shown(Lang::En),
            zh: shown(Lang::Zh),
        };
        Text(", not `{given}`", "，而不是 `{given}`").fill(&[("given", &given)])
    }

    /// A value that is right.
    pub fn example(self) -> String {
        match self {
            Self::Choice(words) => words.first().copied().unwrap_or_default().to_owned(),
            Self::Number { min, max } => (min.max(1) * 10).min(max).to_string(),
            Self::Ratio => "0.85".to_owned(),
            Self::Temperature => "0.7".to_owned(),
            Self::Marker => "[DONE]".to_owned(),
            Self::Text => "name".to_owned(),
            Self::Table => "RP=name".to_owned(),
            Self::Texts => "PP,SD".to_owned(),
            Self::Url => "https://example.com/v1".to_owned(),
            Self::Variable => "MY_API_KEY".to_owned(),
            Self::Usd => "2.50".to_owned(),
        }
    }

    /// May a wrong value be repeated in a message? Not if it may be a secret.
    pub fn may_be_shown(self) -> bool {
        !matches!(self, Self::Url | Self::Variable)
    }
}

fn is_plain(text: &str) -> bool {
    !text.trim().is_empty() && !text.chars().any(char::is_control)
}

/// Is it neither blank nor an ASCII digit or punctuation?
fn is_letter(c: char) -> bool {
    !(c.is_whitespace() || c.is_ascii_digit() || c.is_ascii_punctuation())
}

fn is_variable(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

fn is_url(text: &str) -> bool {
    let rest = text
        .strip_prefix("https://")
        .or_else(|| text.strip_prefix("http://"));
    rest.is_some_and(|rest| {
        let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
        !authority.is_empty()
            && !authority.contains('@')
            && !text.chars().any(|c| c.is_control() || c.is_whitespace())
    })
}
