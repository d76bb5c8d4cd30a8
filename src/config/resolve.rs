//! Merges layers into the effective configuration.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

use super::lookup::{key_at, parts};
use super::{Layer, Origin, Setting};
use crate::chat::AnswerFormat;
use crate::machine::{Lang, Limits, Price, QuestionMode, RunRules, StopReason};

/// How to reach a provider; from the user's own file, never from a project's.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ProviderSettings {
    /// Address of its API.
    pub base_url: Option<String>,
    /// Variable that holds its key.
    pub api_key_env: Option<String>,
    /// Wire format, if the name does not imply it.
    pub dialect: Option<String>,
    /// Default model.
    pub model: Option<String>,
    /// Maximum milliseconds of one call.
    pub timeout_ms: Option<u64>,
    /// Program and arguments that answer instead of an endpoint.
    pub command: Option<Vec<String>>,
    /// Milliseconds without a received byte after which a call fails.
    pub idle_timeout_ms: Option<u64>,
    /// Maximum milliseconds to establish a connection.
    pub connect_timeout_ms: Option<u64>,
    /// Maximum concurrent calls.
    pub max_concurrent: Option<u64>,
    /// Maximum calls started per minute.
    pub requests_per_minute: Option<u64>,
    /// Maximum tokens per minute, sent and received.
    pub tokens_per_minute: Option<u64>,
    /// Proxy for this provider; `None` for the environment's.
    pub proxy: Option<String>,
    /// Whether a plan that its models agree on counts as agreed. It does not for models that are
    /// too small.
    pub may_agree: Option<bool>,
    /// Whether it streams its answers; `None` to find out.
    pub stream: Option<bool>,
    /// The best way in which it can make an answer follow a schema; `None` to find out.
    pub answer_format: Option<AnswerFormat>,
    /// Whether it accepts a message with the system role; `None` to find out.
    pub system_role: Option<bool>,
    /// Whether a coding agent may read the workspace by itself; `None` to ask the user.
    pub reads_workspace: Option<bool>,
    /// PEM file with certificates to trust in addition to the system's; a path as the user gave it.
    pub ca_file: Option<String>,
    /// Prices by model name, in dollars per million tokens.
    pub prices: BTreeMap<String, Price>,
}

/// Delays between attempts of a call; not frozen with a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Retry {
    /// Upper bound of the delay after the first failure, in milliseconds. Default 500.
    pub base_ms: u64,
    /// Upper bound of every delay that `aitc` chooses itself, in milliseconds. Default 30,000.
    pub cap_ms: u64,
}

/// The effective configuration. Fields have the names of their keys; `Key::pointer` lists the
/// exceptions. Some keys have none, such as `model` and `base_url`: whoever reads these asks
/// [`text`](Config::text), because it matters where the value is from.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Config {
    /// Language of the interface; `None` for the locale's.
    pub language: Option<Lang>,
    /// Language of documents; `None` for the requirement's.
    pub doc_lang: Option<Lang>,
    /// Milliseconds without output, where no progress is drawn, after which a line says that the
    /// run is still going on.
    pub heartbeat_ms: u64,
    /// Whether the terminal's bell rings when a question comes up, and when a run is over.
    pub bell: bool,
    /// How questions are handled; `None` to decide by the terminal.
    pub questions: Option<QuestionMode>,
    /// What a run takes over as it is.
    #[serde(flatten)]
    pub rules: RunRules,
    /// Members that take part, by name or code; `None` for all.
    pub roles: Option<Vec<String>>,
    /// Provider; `None` to look for one.
    pub provider: Option<String>,
    /// Models by role name or code, as given.
    #[serde(default)]
    pub role_models: BTreeMap<String, String>,
    /// Sampling temperature of every model, from 0 to 2; `None` for the provider's default.
    pub temperature: Option<f64>,
    /// Sampling temperatures by role name or code, as given; these override `temperature`.
    #[serde(default)]
    pub role_temperatures: BTreeMap<String, f64>,
    /// Sampling seed of every model; `None` to send none.
    pub seed: Option<u64>,
    /// Whether members may run commands; `None` to ask the user.
    pub trials: Option<bool>,
    /// Additional folders that such commands may read, as given.
    #[serde(default)]
    pub trials_readable: Vec<String>,
    /// Delays between attempts of a call.
    pub retry: Retry,
    /// Folders with background knowledge, as given.
    #[serde(default)]
    pub knowledge: Vec<String>,
    /// Settings of providers by name.
    #[serde(default)]
    pub providers: BTreeMap<String, ProviderSettings>,
    /// All settings that some source has, with their origins.
    #[serde(skip)]
    pub settings: BTreeMap<String, Setting>,
}

impl Config {
    /// A text setting, if `wanted` accepts its origin.
    pub fn text(&self, key: &str, wanted: fn(&Origin) -> bool) -> Option<String> {
        let setting = self.settings.get(key)?;
        let text = setting.value.as_str().filter(|_| wanted(&setting.origin));
        text.map(str::to_owned)
    }

    /// Merges `layers`, highest precedence first.
    pub fn resolve(layers: &[Layer]) -> Self {
        let settings = layers.iter().fold(Layer::default(), Layer::or).settings;
        let mut said = defaults();
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
        config.complete();
        config
    }

    /// Sets what depends on several settings, and splits settings that contain several words.
    fn complete(&mut self) {
        let (limits, usual) = (&mut self.rules.limits, Limits::default());
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
            setting.is_some_and(|setting| setting.origin.is_flag())
        };
        let firm = firm.into_iter().filter(|(_, key)| by_flag(key));
        self.rules.ending.firm = firm.map(|(guard, _)| guard).collect();
        // One text may contain several alternatives: `agreed|consensus`.
        let words = self.rules.ending.convergence_indicator.iter();
        let words = words.flat_map(|text| text.split('|')).map(str::trim);
        let words = words.filter(|word| !word.is_empty()).map(str::to_owned);
        self.rules.ending.convergence_indicator = words.collect();
        for provider in self.providers.values_mut() {
            // A command given as one text is split into words; a list stays.
            if let Some([line]) = provider.command.as_deref() {
                let words = line.split_whitespace().map(str::to_owned);
                provider.command = Some(words.collect());
            }
        }
    }

    /// How questions are handled: as set, otherwise `ask` if somebody can answer.
    pub fn question_mode(&self, somebody_there: bool) -> QuestionMode {
        self.questions.unwrap_or(if somebody_there {
            QuestionMode::Ask
        } else {
            QuestionMode::Pause
        })
    }
}

/// The defaults, under the names of the fields.
pub(super) fn defaults() -> Json {
    let mut held = json!(RunRules::default());
    held["heartbeat_ms"] = 30_000.into();
    held["bell"] = false.into();
    held["retry"] = json!(Retry {
        base_ms: 500,
        cap_ms: 30_000
    });
    held
}

/// The default of a limit's warning, given the limit: if the limit is lowered below the usual
/// warning, the warning is lowered too; if it is raised, the usual distance is kept.
fn warning(limit: u32, usual_limit: u32, usual_warning: u32) -> u32 {
    let distance = usual_limit.saturating_sub(usual_warning);
    let raised = if limit > usual_limit {
        limit - distance
    } else {
        usual_warning
    };
    raised.min(limit)
}
