//! `aitc why`: where an item comes from.

use clap::Args;

use super::{CliError, Context, Exit, open};
use crate::fault::Tell as _;
use crate::{check, view};
use serde_json::json;

/// Show where an item comes from: speech, consensus, document
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  aitc why AC-3\n  aitc why C-2 --of v1")]
pub struct WhyArgs {
    /// An id, such as `C-2`, `AC-3`, `W-1`
    id: String,
    /// Which version; the latest, if left out
    #[arg(long = "of", value_name = "vN", value_parser = open::version)]
    version: Option<u32>,
}

/// Prints the trace on stdout.
pub fn run(args: &WhyArgs, context: &Context) -> Result<Exit, CliError> {
    let opened = open::open(args.version, context)?;
    let lang = context.lang(None);
    let trace = check::why(&opened.state, &args.id, lang)
        .map_err(|error| error.told().put(|text| of(text, args.version)))?;
    let mut text = trace.render(lang);
    if context.env.stdout_terminal {
        text = view::hung(&text, &context.style_out(lang));
    }
    context.print(
        &text,
        &json!({"v": 1, "version": opened.version, "trace": trace}),
    )?;
    Ok(Exit::Done)
}

/// The text, in which each `aitc why …` names the version that was asked about.
fn of(text: &str, version: Option<u32>) -> String {
    let Some(version) = version else {
        return text.to_owned();
    };
    let parts = text
        .split('`')
        .map(|part| match part.starts_with("aitc why ") {
            true => format!("{part} --of v{version}"),
            false => part.to_owned(),
        });
    parts.collect::<Vec<_>>().join("`")
}
