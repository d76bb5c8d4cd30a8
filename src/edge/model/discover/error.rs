//! Why a model that was asked for cannot be used.

use crate::edge::model::http::ModelSetupError;
use crate::edge::model::providers::{LOCALS, PROVIDERS};
use crate::fault::models::{
    ENDPOINT_UNTRUSTED, KEY_MISSING, KEY_REFUSED, MODEL_NONE, MODEL_UNNAMED, MODELS_UNASKED,
    PROGRAM_MISSING, PROGRAM_UNNAMED, PROVIDER_NOT_RUNNING, PROVIDER_UNKNOWN,
};
use crate::fault::{Fault, Message, Tell, Text, did_you_mean, nearest};

/// Why the model that was asked for cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.told())]
pub enum DiscoverError {
    /// No key, or a refused one (exit code 4).
    NoCredentials {
        /// Which provider.
        provider: String,
        /// The status a key was refused with; none if there is no key.
        refused: Option<u16>,
        /// Variables it is read from.
        variables: &'static [&'static str],
    },
    /// Nobody knows this provider (exit code 2).
    Unknown {
        /// What was asked for.
        name: String,
        /// What there is, comma separated.
        known: String,
    },
    /// The provider `command` without a program (exit code 2).
    NoCommand {
        /// Which provider.
        provider: String,
    },
    /// The program is not installed (exit code 5).
    NoProgram {
        /// Which provider.
        provider: String,
        /// The program's name.
        program: String,
    },
    /// A server on this machine was asked for and does not answer (exit code 5).
    NotRunning {
        /// Which provider.
        provider: String,
        /// Where it was looked for.
        address: String,
    },
    /// No model was named and the endpoint names none (exit code 2).
    NoModel {
        /// Which provider.
        provider: String,
        /// The status it answered with.
        status: u16,
    },
    /// No model was named, and whoever should name one does not answer, or not now (exit
    /// code 5).
    Unanswered {
        /// Which provider, where, and what came of asking.
        why: Message,
    },
    /// No model was named, and the certificate of whoever should name one is not trusted
    /// (exit code 5).
    Untrusted {
        /// Which provider.
        provider: String,
        /// Which provider, where, and what is wrong.
        why: Message,
    },
    /// No provider was named, and none found (exit code 4).
    Nobody {
        /// The model that was named, if one was.
        model: Option<String>,
        /// Were key variables and loopback looked at?
        searched: bool,
    },
    /// Base URL or way cannot be used (exit code 2 or 3), or the key (exit code 4).
    Setup(#[from] ModelSetupError),
}

const FOR_MODEL: Text = Text(
    "no provider was found for the model `{model}`",
    "没有找到提供模型 `{model}` 的提供方",
);
const FOUND_NONE: Text = Text(
    "no key is set in {variables}, and no server answers on 127.0.0.1 at port {ports}",
    "{variables} 中都没有设置密钥，127.0.0.1 的端口 {ports} 上也没有服务应答",
);
const NOT_LOOKED: Text = Text(
    "`AITC_DISCOVER` is off, so no key was looked for in {variables}, and no server on 127.0.0.1 at port {ports}",
    "`AITC_DISCOVER` 为 off，因此没有在 {variables} 中查找密钥，也没有在 127.0.0.1 的端口 {ports} 上查找服务",
);

/// What is looked at where nobody named a provider.
fn looked(searched: bool) -> Message {
    let mut variables: Vec<&str> = Vec::new();
    for variable in PROVIDERS.iter().flat_map(|one| one.key_vars) {
        if !variables.contains(variable) {
            variables.push(variable);
        }
    }
    let ports = LOCALS
        .iter()
        .map(|one| format!("{} ({})", one.port, one.name));
    let ports: Vec<String> = ports.collect();
    let text = if searched { FOUND_NONE } else { NOT_LOOKED };
    text.fill(&[
        ("variables", &format!("`{}`", variables.join("`, `"))),
        ("ports", &ports.join(", ")),
    ])
}

impl Tell for DiscoverError {
    fn told(&self) -> Fault {
        match self {
            Self::NoCredentials {
                provider,
                refused,
                variables,
            } => {
                let variables = Text("` or `", "` 或 `").join(variables);
                let status = refused.unwrap_or_default();
                let kind = if refused.is_some() {
                    KEY_REFUSED
                } else {
                    KEY_MISSING
                };
                kind.with(&[
                    ("provider", provider),
                    ("variables", &variables),
                    ("status", &status),
                ])
            }
            Self::Unknown { name, known } => {
                let fault = PROVIDER_UNKNOWN.with(&[("name", name), ("known", known)]);
                match nearest(name, known.split(", ").map(|it| it.trim_matches('`'))) {
                    Some(near) => fault.fixed_by(did_you_mean(near)),
                    None => fault,
                }
            }
            Self::NoCommand { provider } => PROGRAM_UNNAMED.with(&[("provider", provider)]),
            Self::NoProgram { provider, program } => {
                PROGRAM_MISSING.with(&[("provider", provider), ("program", program)])
            }
            Self::NotRunning { provider, address } => {
                PROVIDER_NOT_RUNNING.with(&[("provider", provider), ("address", address)])
            }
            Self::NoModel { provider, status } => {
                MODEL_UNNAMED.with(&[("provider", provider), ("status", status)])
            }
            Self::Unanswered { why } => MODELS_UNASKED.with(&[("why", why)]),
            Self::Untrusted { provider, why } => {
                ENDPOINT_UNTRUSTED.with(&[("provider", provider), ("why", why)])
            }
            Self::Nobody { model, searched } => {
                let fault = MODEL_NONE.with(&[("looked", &looked(*searched))]);
                match model {
                    Some(model) => fault.saying(FOR_MODEL.fill(&[("model", model)])),
                    None => fault,
                }
            }
            Self::Setup(error) => error.told(),
        }
    }
}
