//! Layers laid over one another: what holds.

use std::collections::BTreeMap;

use super::Origin;
use super::{Layer, Setting, Value};
use crate::machine::debate::DebateLimits;
use crate::machine::similarity::{Score, SimilarityChoice};
use crate::machine::{
    EndingRules, FirstRound, Lang, Limits, MarkerRules, Price, QuestionMode, SpeakingOrder,
    StopReason, Usd,
};

/// How a provider is reached; from the user's own file, never from a project's.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProviderSettings {
    /// Address of its API.
    pub base_url: Option<String>,
    /// Variable that holds its key.
    pub api_key_env: Option<String>,
    /// Wire format, when the name does not say it.
    pub dialect: Option<String>,
    /// Model used when none is named.
    pub model: Option<String>,
    /// Milliseconds one call may take.
    pub timeout_ms: Option<u64>,
    /// Program and arguments that answer in place of an endpoint.
    pub command: Option<Vec<String>>,
    /// Milliseconds without a byte after which a call is given up.
    pub idle_timeout_ms: Option<u64>,
    /// Milliseconds until a connection stands.
    pub connect_timeout_ms: Option<u64>,
    /// Calls at a time.
    pub max_concurrent: Option<u64>,
    /// Calls begun in a minute.
    pub requests_per_minute: Option<u64>,
    /// Tokens sent and written in a minute.
    pub tokens_per_minute: Option<u64>,
    /// Proxy for this provider; else the environment's.
    pub proxy: Option<String>,
    /// Are its models too small for a plan they agree on to count as agreed?
    pub may_not_agree: bool,
    /// Certificates trusted besides the machine's own, PEM; a path as the user gave it.
    pub ca_file: Option<String>,
    /// Prices by model name, in dollars per million tokens.
    pub prices: BTreeMap<String, Price>,
}

/// Silence after which a line says that a run goes on, where nobody says otherwise.
pub(super) const HEARTBEAT_MS: u64 = 30_000;

/// Waits between tries of a call; not part of what a run is frozen with.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Retry {
    /// Milliseconds; upper bound of the wait after the first failure.
    pub base_ms: Option<u64>,
    /// Milliseconds; no wait that `aitc` chooses itself is longer.
    pub cap_ms: Option<u64>,
}

/// What holds, after all layers.
#[derive(Debug, Clone, PartialEq)]
pub struct Config {
    /// Language of the interface; none to go by the locale.
    pub language: Option<Lang>,
    /// Language of documents; none to go by the requirement.
    pub doc_lang: Option<Lang>,
    /// Silence after which a line says that a run goes on, where nothing is drawn, in
    /// milliseconds.
    pub heartbeat_ms: u64,
    /// What happens to questions; none to go by the terminal.
    pub questions: Option<QuestionMode>,
    /// How round 1 is held.
    pub first_round: FirstRound,
    /// Who speaks first later.
    pub order: SpeakingOrder,
    /// Who takes part, by name or code; none for everybody.
    pub roles: Option<Vec<String>>,
    /// Provider; none to look for one.
    pub provider: Option<String>,
    /// Model of everybody who has none of their own; none for the provider's.
    pub model: Option<String>,
    /// Models by role name or code, as given.
    pub role_models: BTreeMap<String, String>,
    /// Sampling temperature of every model, from 0 to 2; none for the provider's own.
    pub temperature: Option<f64>,
    /// The same by role, by name or code as the user wrote it; before the one of all.
    pub role_temperatures: BTreeMap<String, f64>,
    /// Sampling seed of every model; none for the provider's own choice.
    pub seed: Option<u64>,
    /// Bounds of the run.
    pub limits: Limits,
    /// How the discussion may end.
    pub ending: EndingRules,
    /// How similarity is measured; provider and model are still to be looked for.
    pub similarity: SimilarityChoice,
    /// Waits between tries of a call.
    pub retry: Retry,
    /// Folders with knowledge, as given.
    pub knowledge: Vec<String>,
    /// Address for the chosen provider, from a flag or variable.
    pub base_url: Option<String>,
    /// Providers the user described.
    pub providers: BTreeMap<String, ProviderSettings>,
    /// Every setting that somebody made, with its origin.
    pub settings: BTreeMap<String, Setting>,
}

impl Config {
    /// Lays `layers` over one another, the strongest first.
    pub fn resolve(layers: &[Layer]) -> Self {
        let mut settings: BTreeMap<String, Setting> = BTreeMap::new();
        for layer in layers {
            for (key, setting) in layer.iter() {
                settings
                    .entry(key.to_owned())
                    .or_insert_with(|| setting.clone());
            }
        }
        let held = Held(&settings);
        Self {
            language: held.lang("language"),
            doc_lang: held.lang("doc_lang"),
            heartbeat_ms: held.number("heartbeat_ms").unwrap_or(HEARTBEAT_MS),
            questions: held.text("questions").map(|word| match word.as_str() {
                "ask" => QuestionMode::Ask,
                "assume" => QuestionMode::Assume,
                _ => QuestionMode::Pause,
            }),
            first_round: match held.text("first_round").as_deref() {
                Some("blind") => FirstRound::Blind,
                _ => FirstRound::Sequential,
            },
            order: match held.text("order").as_deref() {
                Some("rotate") => SpeakingOrder::Rotate,
                _ => SpeakingOrder::Fixed,
            },
            roles: held.texts("roles"),
            provider: held.text("provider"),
            model: held.text("model"),
            role_models: held.table("role_models."),
            temperature: held.hundredths("temperature"),
            role_temperatures: held.temperatures("role_temperatures."),
            seed: held.number("seed"),
            limits: held.limits(),
            ending: held.ending(),
            similarity: held.similarity(),
            retry: Retry {
                base_ms: held.number("limits.retry_base_ms"),
                cap_ms: held.number("limits.retry_cap_ms"),
            },
            knowledge: held.texts("knowledge").unwrap_or_default(),
            base_url: held.text("base_url"),
            providers: held.providers(),
            settings,
        }
    }

    /// What happens to questions: as set, else `ask` where somebody can answer.
    pub fn question_mode(&self, somebody_there: bool) -> QuestionMode {
        self.questions.unwrap_or(if somebody_there {
            QuestionMode::Ask
        } else {
            QuestionMode::Pause
        })
    }
}

struct Held<'a>(&'a BTreeMap<String, Setting>);

impl Held<'_> {
    fn text(&self, key: &str) -> Option<String> {
        match &self.0.get(key)?.value {
            Value::Text(text) => Some(text.clone()),
            _ => None,
        }
    }

    fn texts(&self, key: &str) -> Option<Vec<String>> {
        match &self.0.get(key)?.value {
            Value::Texts(texts) => Some(texts.clone()),
            _ => None,
        }
    }

    fn number(&self, key: &str) -> Option<u64> {
        match &self.0.get(key)?.value {
            Value::Number(number) => Some(*number),
            _ => None,
        }
    }

    fn usd(&self, key: &str) -> Option<Usd> {
        match &self.0.get(key)?.value {
            Value::Usd(amount) => Some(*amount),
            _ => None,
        }
    }

    fn hundredths(&self, key: &str) -> Option<f64> {
        match self.0.get(key)?.value {
            Value::Hundredths(number) => Some(f64::from(number) / 100.0),
            _ => None,
        }
    }

    fn lang(&self, key: &str) -> Option<Lang> {
        self.text(key).map(|code| match code.as_str() {
            "zh" => Lang::Zh,
            _ => Lang::En,
        })
    }

    fn temperatures(&self, prefix: &str) -> BTreeMap<String, f64> {
        let under = self.0.keys().filter_map(|key| key.strip_prefix(prefix));
        under
            .filter_map(|name| {
                let temperature = self.hundredths(&format!("{prefix}{name}"))?;
                Some((name.to_owned(), temperature))
            })
            .collect()
    }

    fn table(&self, prefix: &str) -> BTreeMap<String, String> {
        let under = self.0.keys().filter_map(|key| key.strip_prefix(prefix));
        under
            .filter_map(|name| Some((name.to_owned(), self.text(&format!("{prefix}{name}"))?)))
            .collect()
    }

    /// Numbers are in the range of their key, so that none is cut.
    fn small(&self, leaf: &str, otherwise: u32) -> u32 {
        self.number(&format!("limits.{leaf}"))
            .and_then(|n| u32::try_from(n).ok())
            .unwrap_or(otherwise)
    }

    fn limits(&self) -> Limits {
        let usual = Limits::default();
        let max_rounds = self.small("max_rounds", usual.max_rounds);
        let max_minutes = self.small("max_duration_minutes", usual.max_duration_minutes);
        Limits {
            max_rounds,
            warn_at_rounds: self
                .small(
                    "warn_at_rounds",
                    warning(max_rounds, usual.max_rounds, usual.warn_at_rounds),
                )
                .min(max_rounds),
            max_duration_minutes: max_minutes,
            warn_at_minutes: self
                .small(
                    "warn_at_minutes",
                    warning(
                        max_minutes,
                        usual.max_duration_minutes,
                        usual.warn_at_minutes,
                    ),
                )
                .min(max_minutes),
            max_tokens: self.number("limits.max_tokens"),
            budget_usd: self.usd("limits.budget_usd"),
            concurrency: self
                .number("limits.concurrency")
                .and_then(|n| usize::try_from(n).ok())
                .unwrap_or(usual.concurrency),
            max_output_tokens: self
                .number("limits.max_output_tokens")
                .unwrap_or(usual.max_output_tokens),
            max_failures: self.small("max_failures", usual.max_failures),
            max_follow_ups: self.small("max_follow_ups", usual.max_follow_ups),
            debates: DebateLimits {
                max: self.small("max_debates", usual.debates.max),
                rounds: self.small("debate_rounds", usual.debates.rounds),
                divergence: self.is_on("divergence", usual.debates.divergence),
                review: self.is_on("review_debate", usual.debates.review),
            },
        }
    }

    fn truth(&self, leaf: &str, otherwise: bool) -> bool {
        self.text(&format!("ending.{leaf}"))
            .map_or(otherwise, |word| word == "true")
    }

    fn ending_small(&self, leaf: &str, otherwise: u32) -> u32 {
        self.number(&format!("ending.{leaf}"))
            .and_then(|n| u32::try_from(n).ok())
            .unwrap_or(otherwise)
    }

    fn ending(&self) -> EndingRules {
        let usual = EndingRules::default();
        let by_flag = |key: &str| {
            let setting = self.0.get(key);
            setting.is_some_and(|setting| matches!(setting.origin, Origin::Flag(_)))
        };
        let firm = [
            (StopReason::RoundLimit, "limits.max_rounds"),
            (StopReason::TimeLimit, "limits.max_duration_minutes"),
        ];
        let indicators = self.texts("ending.convergence_indicator");
        EndingRules {
            auto_exit_enabled: self.truth("auto_exit_enabled", usual.auto_exit_enabled),
            firm: firm
                .into_iter()
                .filter(|(_, key)| by_flag(key))
                .map(|(guard, _)| guard)
                .collect(),
            consensus_enabled: self.truth("consensus_enabled", usual.consensus_enabled),
            lookback_rounds: self.ending_small("lookback_rounds", usual.lookback_rounds),
            // One text may hold several words: `agreed|consensus`.
            convergence_indicator: indicators
                .unwrap_or_default()
                .iter()
                .flat_map(|text| text.split('|'))
                .map(|word| word.trim().to_owned())
                .filter(|word| !word.is_empty())
                .collect(),
            silence_enabled: self.truth("silence_enabled", usual.silence_enabled),
            consecutive_similar_rounds: self.ending_small(
                "consecutive_similar_rounds",
                usual.consecutive_similar_rounds,
            ),
            user_timeout_minutes: self
                .ending_small("user_timeout_minutes", usual.user_timeout_minutes),
            exit_triggers: self
                .texts("ending.exit_triggers")
                .unwrap_or(usual.exit_triggers),
            marker: self.marker(usual.marker),
            diligence_push_max: usual.diligence_push_max,
            may_not_agree: usual.may_not_agree,
        }
    }

    fn marker(&self, usual: MarkerRules) -> MarkerRules {
        MarkerRules {
            enable_detection: self.truth("enable_detection", usual.enable_detection),
            end_marker: self.text("ending.end_marker").unwrap_or(usual.end_marker),
            require_confirmation: self.truth("require_confirmation", usual.require_confirmation),
            auto_end: self.truth("auto_end", usual.auto_end),
        }
    }

    fn is_on(&self, key: &str, otherwise: bool) -> bool {
        self.text(key).map_or(otherwise, |word| word == "on")
    }

    fn ratio(&self, key: &str) -> Option<Score> {
        match self.0.get(key)?.value {
            Value::Ratio(score) => Some(score),
            _ => None,
        }
    }

    fn similarity(&self) -> SimilarityChoice {
        SimilarityChoice {
            provider: self.text("similarity.provider"),
            model: self.text("similarity.model"),
            consensus: self.ratio("similarity.threshold"),
            silence: self.ratio("similarity.silence_threshold"),
            duplicate: self.ratio("similarity.duplicate_threshold"),
            agreement_words: self.texts("similarity.agreement_words").unwrap_or_default(),
            disagreement_words: self
                .texts("similarity.disagreement_words")
                .unwrap_or_default(),
        }
    }

    fn providers(&self) -> BTreeMap<String, ProviderSettings> {
        let mut providers: BTreeMap<String, ProviderSettings> = BTreeMap::new();
        for key in self
            .0
            .keys()
            .filter_map(|key| key.strip_prefix("providers."))
        {
            // A provider's name holds no dot; a model's may.
            let Some((name, leaf)) = key.split_once('.') else {
                continue;
            };
            let full = format!("providers.{key}");
            let provider = providers.entry(name.to_owned()).or_default();
            match leaf {
                "base_url" => provider.base_url = self.text(&full),
                "api_key_env" => provider.api_key_env = self.text(&full),
                "dialect" => provider.dialect = self.text(&full),
                "model" => provider.model = self.text(&full),
                "timeout_ms" => provider.timeout_ms = self.number(&full),
                "command" => provider.command = self.texts(&full).map(words),
                "idle_timeout_ms" => provider.idle_timeout_ms = self.number(&full),
                "connect_timeout_ms" => provider.connect_timeout_ms = self.number(&full),
                "max_concurrent" => provider.max_concurrent = self.number(&full),
                "requests_per_minute" => provider.requests_per_minute = self.number(&full),
                "tokens_per_minute" => provider.tokens_per_minute = self.number(&full),
                "proxy" => provider.proxy = self.text(&full),
                "may_agree" => {
                    provider.may_not_agree = self.text(&full).as_deref() == Some("false")
                }
                "ca_file" => provider.ca_file = self.text(&full),
                _ => {
                    let model = leaf
                        .strip_prefix("prices.")
                        .and_then(|rest| rest.strip_suffix(".input"));
                    if let Some((model, price)) =
                        model.and_then(|m| Some((m, self.price(name, m)?)))
                    {
                        provider.prices.insert(model.to_owned(), price);
                    }
                }
            }
        }
        providers
    }

    fn price(&self, provider: &str, model: &str) -> Option<Price> {
        let usd = |leaf: &str| self.usd(&format!("providers.{provider}.prices.{model}.{leaf}"));
        Some(Price {
            input: usd("input")?,
            cached_input: usd("cached_input"),
            output: usd("output")?,
        })
    }
}

/// A command written as one text is its words; one written as a list stays as it is.
fn words(mut command: Vec<String>) -> Vec<String> {
    match command.as_mut_slice() {
        [line] => line.split_whitespace().map(str::to_owned).collect(),
        _ => command,
    }
}

/// Where a limit is told to be near, unless it was said: a limit lowered below
/// the usual warning takes the warning with it, and one that is raised keeps the
/// usual distance.
fn warning(limit: u32, usual_limit: u32, usual_warning: u32) -> u32 {
    let distance = usual_limit.saturating_sub(usual_warning);
    let raised = if limit > usual_limit {
        limit - distance
    } else {
        usual_warning
    };
    raised.min(limit)
}
