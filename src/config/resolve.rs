//! Layers laid over one another: what holds.

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

use super::keys::{KEYS, Key, PROVIDER_KEYS, YES_OR_NO};
use super::{Layer, Origin, Setting, Value};
use crate::chat::AnswerFormat;
use crate::machine::similarity::SimilarityChoice;
use crate::machine::{
    EndingRules, FirstRound, Grounding, Lang, Limits, Price, QuestionMode, SpeakingOrder,
    StopReason,
};

/// How a provider is reached; from the user's own file, never from a project's.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
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
    /// Does a plan that its models agree on count as agreed? Not where they are too small.
    pub may_agree: Option<bool>,
    /// Does it stream its answers? None to find out.
    pub stream: Option<bool>,
    /// The best way in which it holds an answer to a schema; none to find out.
    pub answer_format: Option<AnswerFormat>,
    /// Does it take a turn of the system? None to find out.
    pub system_role: Option<bool>,
    /// If it is a coding agent, may it read the workspace by itself? None to be asked.
    pub reads_workspace: Option<bool>,
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
    /// How members come to know the repository.
    pub grounding: Grounding,
    /// May members have something run? None to be asked.
    pub trials: Option<bool>,
    /// Folders that what is run may read, as given.
    pub trials_readable: Vec<String>,
    /// Is the plan reviewed before it is published?
    pub review: bool,
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
    /// A text setting whose origin is wanted.
    pub fn text(&self, key: &str, wanted: fn(&Origin) -> bool) -> Option<String> {
        let setting = self.settings.get(key)?;
        match &setting.value {
            Value::Text(text) if wanted(&setting.origin) => Some(text.clone()),
            _ => None,
        }
    }

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
            language: held.read("language"),
            doc_lang: held.read("doc_lang"),
            heartbeat_ms: held.read("heartbeat_ms").unwrap_or(HEARTBEAT_MS),
            questions: held.read("questions"),
            first_round: held.read("first_round").unwrap_or_default(),
            order: held.read("order").unwrap_or_default(),
            roles: held.read("roles"),
            provider: held.read("provider"),
            model: held.read("model"),
            role_models: held.laid_over("role_models.", BTreeMap::new()),
            temperature: held.read("temperature"),
            role_temperatures: held.laid_over("role_temperatures.", BTreeMap::new()),
            seed: held.read("seed"),
            grounding: held.laid_over("grounding.", Grounding::default()),
            trials: held.read("trials.enabled"),
            trials_readable: held.read("trials.readable").unwrap_or_default(),
            review: held.is_on("review", true),
            limits: held.limits(),
            ending: held.ending(),
            similarity: held.similarity(),
            retry: Retry {
                base_ms: held.read("limits.retry_base_ms"),
                cap_ms: held.read("limits.retry_cap_ms"),
            },
            knowledge: held.read("knowledge").unwrap_or_default(),
            base_url: held.read("base_url"),
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

/// What is set, as it goes into types: values are checked against their keys before, and the
/// types have the names of the keys.
struct Held<'a>(&'a BTreeMap<String, Setting>);

impl Held<'_> {
    fn json(&self, key: &str) -> Option<Json> {
        let value = &self.0.get(key)?.value;
        let named = |one: &Key| match key.strip_prefix("providers.") {
            Some(own) => own
                .split_once('.')
                .is_some_and(|(_, name)| name == one.name),
            None => one.name == key,
        };
        let mut choices = KEYS.iter().chain(PROVIDER_KEYS);
        let mut is_choice = || choices.any(|one| one.kind == YES_OR_NO && named(one));
        Some(match value {
            Value::Text(word) if is_choice() => (word == "true").into(),
            value => value.to_json(),
        })
    }

    fn read<T: DeserializeOwned>(&self, key: &str) -> Option<T> {
        serde_json::from_value(self.json(key)?).ok()
    }

    /// What is set below `prefix`, laid over what holds otherwise.
    fn laid_over<T: Serialize + DeserializeOwned>(&self, prefix: &str, otherwise: T) -> T {
        let mut whole = serde_json::to_value(&otherwise).unwrap_or_default();
        for (key, name) in self.below(prefix) {
            whole[name] = self.json(key).unwrap_or_default();
        }
        serde_json::from_value(whole).unwrap_or(otherwise)
    }

    /// Keys below `prefix`, each whole and without it.
    fn below(&self, prefix: &str) -> impl Iterator<Item = (&str, &str)> {
        let keys = self.0.keys();
        keys.filter_map(move |key| Some((key.as_str(), key.strip_prefix(prefix)?)))
    }

    fn limits(&self) -> Limits {
        let usual = Limits::default();
        let mut limits = self.laid_over("limits.", usual.clone());
        let debates = &mut limits.debates;
        debates.max = self.read("limits.max_debates").unwrap_or(debates.max);
        debates.rounds = self.read("limits.debate_rounds").unwrap_or(debates.rounds);
        debates.divergence = self.is_on("divergence", debates.divergence);
        debates.review = self.is_on("review_debate", debates.review);
        for (key, limit, warned, usual) in [
            (
                "limits.warn_at_rounds",
                limits.max_rounds,
                &mut limits.warn_at_rounds,
                (usual.max_rounds, usual.warn_at_rounds),
            ),
            (
                "limits.warn_at_minutes",
                limits.max_duration_minutes,
                &mut limits.warn_at_minutes,
                (usual.max_duration_minutes, usual.warn_at_minutes),
            ),
        ] {
            if !self.0.contains_key(key) {
                *warned = warning(limit, usual.0, usual.1);
            }
            *warned = limit.min(*warned);
        }
        limits
    }

    fn is_on(&self, key: &str, otherwise: bool) -> bool {
        self.read(key)
            .map_or(otherwise, |word: String| word == "on")
    }

    fn ending(&self) -> EndingRules {
        let by_flag = |key: &str| {
            let setting = self.0.get(key);
            setting.is_some_and(|setting| matches!(setting.origin, Origin::Flag(_)))
        };
        let firm = [
            (StopReason::RoundLimit, "limits.max_rounds"),
            (StopReason::TimeLimit, "limits.max_duration_minutes"),
        ];
        let firm = firm.into_iter().filter(|(_, key)| by_flag(key));
        let mut ending = self.laid_over("ending.", EndingRules::default());
        ending.firm = firm.map(|(guard, _)| guard).collect();
        ending.marker = self.laid_over("ending.", ending.marker);
        // One text may hold several words: `agreed|consensus`.
        let words = ending.convergence_indicator.iter();
        let words = words.flat_map(|text| text.split('|')).map(str::trim);
        let words = words.filter(|word| !word.is_empty()).map(str::to_owned);
        ending.convergence_indicator = words.collect();
        ending
    }

    fn similarity(&self) -> SimilarityChoice {
        SimilarityChoice {
            consensus: self.read("similarity.threshold"),
            silence: self.read("similarity.silence_threshold"),
            duplicate: self.read("similarity.duplicate_threshold"),
            ..self.laid_over("similarity.", SimilarityChoice::default())
        }
    }

    /// A provider's name holds no dot; a model's may.
    fn providers(&self) -> BTreeMap<String, ProviderSettings> {
        let names = self.below("providers.");
        let names = names.filter_map(|(_, rest)| Some(rest.split_once('.')?.0));
        names
            .map(|name| {
                (
                    name.to_owned(),
                    self.provider(&format!("providers.{name}.")),
                )
            })
            .collect()
    }

    fn provider(&self, prefix: &str) -> ProviderSettings {
        let mut provider = self.laid_over(prefix, ProviderSettings::default());
        provider.command = provider.command.map(words);
        let prices = format!("{prefix}prices.");
        let models = self.below(&prices);
        let models = models.filter_map(|(_, rest)| rest.strip_suffix(".input"));
        let priced = models.filter_map(|model| {
            let within = format!("{prices}{model}.");
            let price = serde_json::from_value(self.laid_over(&within, json!({})));
            Some((model.to_owned(), price.ok()?))
        });
        provider.prices = priced.collect();
        provider
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
