//! `aitc doctor`: checks repository, roles, trials and model, and says what to do.
//!
//! Without `--online` endpoints are asked only as a run would to find its model, and installed
//! coding agents for their help. With it, two small calls are made, which may cost a little; the
//! findings say how many tokens they took.

mod agents;
mod local;
mod online;
mod trials;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;

use super::interrupt::run_until_signal;
use super::run_flags::ModelFlags;
use super::run_models;
use super::{Context, Exit, Fault};
use crate::config::{Config, Layer};
use crate::fault::{FaultWords, Message, MessageValue, Text, catalogue};

/// Check keys, repository and roles; with --online the endpoint too
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  aitc doctor\n  aitc doctor --online --provider anthropic")]
pub struct DoctorArgs {
    /// Ask the endpoint: reachability, structured answers, speed, cache. Makes two calls
    #[arg(long)]
    online: bool,
    #[command(flatten)]
    flags: ModelFlags,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Status {
    /// Nothing is wrong.
    Ok,
    /// A run goes, but not as well as it could.
    Warn,
    /// A run would fail because of it.
    Fail,
}

/// `aitc doctor --json`.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DoctorDocument<'a> {
    /// Whether nothing was found that keeps a run from starting.
    sound: bool,
    /// What was looked at, in order.
    findings: Vec<FindingDocument<'a>>,
}

/// One thing that was looked at.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "DoctorFinding")]
struct FindingDocument<'a> {
    /// Which, such as `repository`; several findings may share it.
    name: &'a str,
    /// Whether a run would suffer or fail because of it.
    status: Status,
    /// What was found, one sentence.
    what: &'a str,
    /// What to do; null if there is nothing to do.
    fix: Option<&'a str>,
}

/// What is said of each finding, by its name in `findings.txt`.
static WORDS: LazyLock<BTreeMap<&str, FaultWords>> =
    LazyLock::new(|| catalogue(include_str!("findings.txt")));

#[derive(Debug)]
struct Finding {
    name: &'static str,
    status: Status,
    what: Message,
    /// What to do; empty when there is nothing to do.
    fix: Message,
}

/// The places of a finding's words.
type Places<'a> = [(&'a str, &'a dyn MessageValue)];

impl Finding {
    fn ok(which: &'static str, places: &Places<'_>) -> Self {
        Self::new(Status::Ok, which, places)
    }

    fn warn(which: &'static str, places: &Places<'_>) -> Self {
        Self::new(Status::Warn, which, places)
    }

    fn fail(which: &'static str, places: &Places<'_>) -> Self {
        Self::new(Status::Fail, which, places)
    }

    /// The finding `which` of `findings.txt`.
    fn new(status: Status, which: &'static str, places: &Places<'_>) -> Self {
        let words = WORDS.get(which);
        debug_assert!(words.is_some(), "no words for `{which}`");
        let fill = |of: fn(&FaultWords) -> Text| words.map(|words| of(words).fill(places));
        Self {
            name: which.split('.').next().unwrap_or(which),
            status,
            what: fill(|words| words.what).unwrap_or_default(),
            fix: fill(|words| words.fix).unwrap_or_default(),
        }
    }

    /// A finding made of the error of a command.
    fn of(name: &'static str, error: &Fault) -> Self {
        Self {
            name,
            status: Status::Fail,
            what: error.what().clone(),
            fix: error.whole_fix(),
        }
    }
}

/// Prints the findings on stdout; ends with code 12 if a run would fail.
pub fn run(args: &DoctorArgs, context: &Context) -> Result<Exit, Fault> {
    let mut findings = local::look(context);
    let mut flags = Layer::default();
    args.flags.lay(&mut flags)?;
    match context.config(flags) {
        Ok(config) => {
            findings.extend(trials::look(&config, context));
            run_until_signal(async move {
                findings.extend(of_models(&config, args.online, context).await);
                findings.extend(agents::look(&config, context).await);
                report_findings(&findings, context)
            })
        }
        Err(error) => {
            findings.push(Finding::of("configuration", &error));
            report_findings(&findings, context)
        }
    }
}

async fn of_models(config: &Config, online: bool, context: &Context) -> Vec<Finding> {
    match run_models::find_models(config, context).await {
        Ok(chosen) => {
            let mut findings = local::models(&chosen);
            if online {
                findings.extend(online::look(&chosen, config, context).await);
            }
            findings
        }
        Err(error) => vec![Finding::of("model", &error)],
    }
}

fn report_findings(findings: &[Finding], context: &Context) -> Result<Exit, Fault> {
    let lang = context.lang(None);
    let is_sound = findings
        .iter()
        .all(|finding| finding.status != Status::Fail);
    let shown = findings.iter().map(|finding| FindingDocument {
        name: finding.name,
        status: finding.status,
        what: finding.what.of(lang),
        fix: Some(finding.fix.of(lang)).filter(|fix| !fix.is_empty()),
    });
    let document = DoctorDocument {
        sound: is_sound,
        findings: shown.collect(),
    };
    context.list("doctor", &document, &document)?;
    Ok(Exit::found(!is_sound))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::Lang;

    #[test]
    fn every_finding_is_used_and_says_the_same_in_both_languages() {
        let code = [
            include_str!("agents.rs"),
            include_str!("local.rs"),
            include_str!("online.rs"),
            include_str!("trials.rs"),
        ];
        let code = code.concat();
        for (name, words) in WORDS.iter() {
            assert!(code.contains(&format!("\"{name}\"")), "{name}");
            for text in [words.what, words.fix] {
                assert_eq!(text.places(Lang::En), text.places(Lang::Zh), "{name}");
            }
        }
        let parts = code.split("Finding::").skip(1);
        let named = parts.filter_map(|part| part.split('"').nth(1));
        for name in named.filter(|name| name.contains('.')) {
            assert!(WORDS.contains_key(name), "{name}");
        }
    }
}
