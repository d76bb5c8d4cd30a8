//! How a process left a run: what is printed, and the exit code.

use serde_json::json;

use super::hold::Play;
use super::{CliError, Context, Exit, open};
use crate::driver::Outcome;
use crate::view;
use crate::workshop::{Lang, StopReason};

/// Says how the process left the run, and with which code to end.
pub fn told(
    outcome: Outcome,
    play: Option<&Play>,
    context: &Context,
    lang: Lang,
) -> Result<Exit, CliError> {
    match outcome {
        Outcome::Published {
            path,
            version,
            stop,
        } => {
            let opened = open::read(open::find_published(Some(version), context)?, context)?;
            // Whoever watched a demonstration stands somewhere else.
            let within = |_| path.display().to_string();
            let shown = play.map_or_else(|| open::shown(&path, context), within);
            if !context.global.quiet && !context.format().is_json() {
                let (steps, style) = (play.map(|play| &*play.steps), context.style(lang));
                context.show(&view::closing(&opened.state, &shown, steps, &style));
            }
            let exit = if stop == StopReason::Consensus {
                Exit::Done
            } else {
                Exit::Unresolved
            };
            let document = json!({
                "v": 1, "version": version, "path": shown, "agreed": opened.state.is_agreed(),
                "degraded": !opened.state.passed_over.is_empty(),
                "status": view::status_json(&opened.state, &shown), "exit_code": exit.code(),
            });
            context.print(&shown, &document)?;
            Ok(exit)
        }
        Outcome::NeedsHuman { file, questions } => {
            let names: Vec<_> = questions.iter().map(ToString::to_string).collect();
            Err(CliError::new(
                Exit::HumanNeeded,
                format!(
                    "{} wait{} for you",
                    names.join(", "),
                    if names.len() == 1 { "s" } else { "" }
                ),
                "only a human can answer; everything so far is kept",
                format!(
                    "fill in {} or use aitc answer {} \"…\", then aitc resume",
                    open::shown(&file, context),
                    names[0]
                ),
            ))
        }
        Outcome::ProviderUnavailable { call, detail } => Err(CliError::new(
            Exit::Provider,
            format!("the provider cannot be had: {detail}"),
            format!("`{call}` failed too often; everything so far is kept"),
            "aitc resume",
        )),
        Outcome::UnusableReply { call, detail } => Err(CliError::new(
            Exit::Unusable,
            format!("the model's replies are unusable: {detail}"),
            format!("`{call}` was asked again in vain; the raw replies are in the transcript"),
            "aitc resume, or aitc plan with another --model",
        )),
        Outcome::Interrupted { signal } => {
            context.notice("interrupted; `aitc resume` goes on");
            let exit = if signal == 15 {
                Exit::Terminated
            } else {
                Exit::Interrupted
            };
            let document = json!({
                "v": 1, "interrupted": true, "next": "aitc resume", "exit_code": exit.code(),
            });
            context.print("", &document)?;
            Ok(exit)
        }
    }
}
