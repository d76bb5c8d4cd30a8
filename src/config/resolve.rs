//! Layers laid over one another: what holds.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

use super::lookup::{key_at, parts};
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

/// Waits between tries of a call; not part of what a run is frozen with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Retry {
    /// Milliseconds; upper bound of the wait after the first failure. Default 500.
    pub base_ms: u64,
    /// Milliseconds; no wait that `aitc` chooses itself is longer. Default 30,000.
    pub cap_ms: u64,
}

/// What holds, after all layers. The fields have the names of their keys; where one has not,
/// `Key::pointer` says so.
#[derive(Debug, Clone, PartialEq, Deserialize)]
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
    /// Who takes part, by name or code; `None` for everybody.
    pub roles: Option<Vec<String>>,
    /// Provider; none to look for one.
    pub provider: Option<String>,
    /// Model of everybody who has none of their own; `None` for the provider's.
    pub model: Option<String>,
    /// Models by role name or code, as given.
    #[serde(default)]
    pub role_models: BTreeMap<String, String>,
    /// Sampling temperature of every model, from 0 to 2; `None` for the provider's own.
    pub temperature: Option<f64>,
    /// The same by role, by name or code as the user wrote it; before the one of all.
    #[serde(default)]
    pub role_temperatures: BTreeMap<String, f64>,
    /// Sampling seed of every model; `None` for the provider's own choice.
    pub seed: Option<u64>,
    /// How members come to know the repository.
    pub grounding: Grounding,
    /// May members have something run? None to be asked.
    pub trials: Option<bool>,
    /// Folders that what is run may read, as given.
    #[serde(default)]
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
    #[serde(default)]
    pub knowledge: Vec<String>,
    /// Address for the chosen provider, from a flag or variable.
    pub base_url: Option<String>,
    /// Providers the user described.
    #[serde(default)]
    pub providers: BTreeMap<String, ProviderSettings>,
    /// Every setting that somebody made, with its origin.
    #[serde(skip)]
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
        let mut said = usual();
        for (name, setting) in &settings {
            let path = parts(name);
            let Some((_, key)) = key_at(&path) else {
                continue;
            };
            let pointer = key.pointer();
            let path = match key.kind.is_table() || path[0] == "providers" {
                true => path,
                false => pointer.split('/').skip(1).collect(),
            };
            let spot = path.iter().fold(&mut said, |json, name| &mut json[*name]);
            *spot = key.kind.to_json(&setting.value);
        }
        #[expect(
            clippy::expect_used,
            reason = "values are checked against their keys, and a test sets every key"
        )]
        let mut config: Self = serde_json::from_value(said).expect("every key fits its field");
        config.settings = settings;
        config.settle();
        config
    }

    /// What follows from several settings, or is written in other words than it is read.
    fn settle(&mut self) {
        let (limits, usual) = (&mut self.limits, Limits::default());
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
            if !self.settings.contains_key(key) {
                *warned = warning(limit, usual.0, usual.1);
            }
            *warned = limit.min(*warned);
        }
        let firm = [
            (StopReason::RoundLimit, "limits.max_rounds"),
            (StopReason::TimeLimit, "limits.max_duration_minutes"),
        ];
        let by_flag = |key: &str| {
            let setting = self.settings.get(key);
            setting.is_some_and(|setting| matches!(setting.origin, Origin::Flag(_)))
        };
        let firm = firm.into_iter().filter(|(_, key)| by_flag(key));
        self.ending.firm = firm.map(|(guard, _)| guard).collect();
        // One text may hold several words: `agreed|consensus`.
        let words = self.ending.convergence_indicator.iter();
        let words = words.flat_map(|text| text.split('|')).map(str::trim);
        let words = words.filter(|word| !word.is_empty()).map(str::to_owned);
        self.ending.convergence_indicator = words.collect();
        for provider in self.providers.values_mut() {
            // A command written as one text is its words; one written as a list stays.
            if let Some([line]) = provider.command.as_deref() {
                let words = line.split_whitespace().map(str::to_owned);
                provider.command = Some(words.collect());
            }
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

/// What holds where nobody says otherwise, under the names of the fields.
pub(super) fn usual() -> Json {
    json!({
        "heartbeat_ms": 30_000, "review": true, "retry": Retry { base_ms: 500, cap_ms: 30_000 },
        "first_round": FirstRound::default(), "order": SpeakingOrder::default(),
        "limits": Limits::default(), "ending": EndingRules::default(),
        "grounding": Grounding::default(), "similarity": SimilarityChoice::default(),
    })
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
