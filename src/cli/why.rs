//! `aitc why`: shows where an item comes from.

use clap::Args;

use super::{Context, Exit, Fault, versions};
use crate::check::{self, Trace};
use crate::machine::{Format, Version};
use crate::ui::view;
use schemars::JsonSchema;
use serde::Serialize;

/// Show where an item comes from: speech, consensus, document
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  aitc why AC-3\n  aitc why C-2 --of v1")]
pub struct WhyArgs {
    /// An id, such as `C-2`, `AC-3`, `W-1`
    pub(super) id: String,
    /// Which version; default: the latest plan
    #[arg(long = "of", value_name = "vN")]
    pub(super) version: Option<Version>,
}

/// `aitc why --json`.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WhyDocument {
    /// Number of the version: `N` of `vN`.
    version: u32,
    /// The kind of meeting.
    format: Format,
    /// Where it comes from and what rests on it.
    trace: Trace,
}

/// Prints the trace on stdout.
pub fn run(args: &WhyArgs, context: &Context) -> Result<Exit, Fault> {
    let document = traced(args, context)?;
    let lang = context.lang(None);
    let style = context.style_out(lang);
    let mut text = view::list("trace", &document.trace, &style);
    if context.env.stdout_terminal {
        text = view::hung(&text, &style);
    }
    context.done(&text, &document)
}

/// Returns the origin of the item.
///
/// # Errors
/// There is no such item.
pub fn traced(args: &WhyArgs, context: &Context) -> Result<WhyDocument, Fault> {
    let opened = match args.version {
        Some(_) => versions::open(args.version, context)?,
        None => match versions::open_published_plan(None, context) {
            Err(none) if !versions::is_in_the_way(&none) => versions::open(None, context)?,
            read => read?,
        },
    };
    let lang = context.lang(None);
    let trace = check::why(&opened.state, &args.id, lang).map_err(|fault| match args.version {
        Some(n) => fault.put(|text| text.replace("`aitc why ", &format!("`aitc why --of {n} "))),
        None => fault,
    })?;
    Ok(WhyDocument {
        version: opened.version.number,
        format: opened.version.format,
        trace,
    })
}
