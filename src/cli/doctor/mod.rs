//! `aitc doctor`: checks whether everything is there that a run needs, and what to do if not.
//!
//! Without `--online` endpoints are asked only as a run would to find its model, and installed
//! coding agents for their help. With it, two small calls are made, which may cost a little; the
//! findings say how many tokens they took.

mod agents;
mod local;
mod online;
mod trials;

use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;

use super::interrupt::run_until_signal;
use super::models;
use super::run_flags::ModelFlags;
use super::{CliError, Context, Exit};
use crate::config::{Config, Layer};
use crate::fault::{Message, Text, values};
use crate::ui::view::clean;

const FIX: Text = Text("fix: {fix}", "办法：{fix}");

/// Check key, configuration, folders and versions; with --online the endpoint too
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  aitc doctor\n  aitc doctor --online --provider anthropic")]
pub struct DoctorArgs {
    /// Ask the endpoint: reachability, structured answers, speed, cache. Makes two calls
    #[arg(long)]
    online: bool,
    #[command(flatten)]
    flags: ModelFlags,
}

/// The status of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Status {
    /// As it should be.
    Ok,
    /// A run goes, but not as well as it could.
    Warn,
    /// A run would fail.
    Fail,
}

impl Status {
    fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Warn => "warn",
            Self::Fail => "fail",
        }
    }
}

/// `aitc doctor --json`.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DoctorDocument<'a> {
    /// Version of this format.
    v: u32,
    /// Whether a run would start.
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
    /// Its status.
    status: Status,
    /// What was found, one sentence.
    what: &'a str,
    /// What to do; null if there is nothing to do.
    fix: Option<&'a str>,
}

/// One thing that was looked at.
#[derive(Debug)]
struct Finding {
    name: &'static str,
    status: Status,
    what: Message,
    /// What to do; no words when there is nothing to do.
    fix: Message,
}

impl Finding {
    fn ok(name: &'static str, what: impl Into<Message>) -> Self {
        Self::new(name, Status::Ok, what, Text::NONE)
    }

    fn warn(name: &'static str, what: impl Into<Message>, fix: impl Into<Message>) -> Self {
        Self::new(name, Status::Warn, what, fix)
    }

    fn new(
        name: &'static str,
        status: Status,
        what: impl Into<Message>,
        fix: impl Into<Message>,
    ) -> Self {
        Self {
            name,
            status,
            what: what.into(),
            fix: fix.into(),
        }
    }

    /// A finding made of the error of a command.
    fn of(name: &'static str, error: &CliError) -> Self {
        Self::new(name, Status::Fail, error.what().clone(), error.whole_fix())
    }
}

/// Prints the findings on stdout; ends with code 12 if a run would fail.
pub fn run(args: &DoctorArgs, context: &Context) -> Result<Exit, CliError> {
    let mut findings = local::look(context);
    let mut flags = Layer::default();
    args.flags.lay(&mut flags)?;
    match context.config(flags) {
        Ok(config) => {
            findings.push(local::configuration(&config));
            findings.extend(trials::look(&config, context));
            run_until_signal(async move {
                findings.extend(of_models(&config, args.online, context).await);
                findings.extend(agents::look(&config, context).await);
                tell(&findings, context)
            })
        }
        Err(error) => {
            findings.push(Finding::of("configuration", &error));
            tell(&findings, context)
        }
    }
}

async fn of_models(config: &Config, online: bool, context: &Context) -> Vec<Finding> {
    match models::chosen(config, context).await {
        Ok(chosen) => {
            let mut findings = local::models(&chosen);
            findings.extend(local::recordings(&chosen, config, context));
            if online {
                findings.extend(online::look(&chosen, config, context).await);
            }
            findings
        }
        Err(error) => vec![Finding::of("model", &error)],
    }
}

fn tell(findings: &[Finding], context: &Context) -> Result<Exit, CliError> {
    let lang = context.lang(None);
    let mut lines = Vec::new();
    for finding in findings {
        let status = finding.status.name();
        lines.push(format!(
            "{status:<5} {:<13} {}",
            finding.name,
            clean(finding.what.of(lang))
        ));
        if !finding.fix.is_empty() {
            let fix = FIX.with(lang, values![fix = clean(finding.fix.of(lang))]);
            lines.push(format!("{:19} {fix}", ""));
        }
    }
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
        v: 1,
        sound: is_sound,
        findings: shown.collect(),
    };
    context.print(&lines.join("\n"), &document)?;
    Ok(Exit::found(!is_sound))
}
