//! `aitc why`: shows where an item comes from.

use clap::Args;

use super::{Context, Exit, Fault, versions};
use crate::check::{self, Trace};
use crate::fault::{texts, values};
use crate::machine::{ConsensusItem, Format, Lang, State, Version};
use crate::ui::view;
use schemars::JsonSchema;
use serde::Serialize;

texts! {
    HAD: "{n} had it: `aitc why {id} --of {n}`", "它在 {n} 中：`aitc why {id} --of {n}`";
}

/// Show where an item comes from: speech, consensus, document
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  aitc why AC-3\n  aitc why C-2 --of v1")]
pub struct WhyArgs {
    /// An id, such as `C-2`, `AC-3`, `W-1`
    pub(super) id: String,
    /// Which version; default: the latest
    #[arg(long = "of", value_name = "vN", value_parser = versions::version)]
    pub(super) version: Option<Version>,
}

/// `aitc why --json`.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WhyDocument {
    /// `N` of `vN`.
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
/// There is no such item; the error says where it may be found.
pub fn traced(args: &WhyArgs, context: &Context) -> Result<WhyDocument, Fault> {
    let opened = versions::open(args.version, context)?;
    let lang = context.lang(None);
    let trace = check::why(&opened.state, &args.id, lang).map_err(|fault| {
        match earlier(&opened.state, &args.id, context).or_else(|| elsewhere(args, context)) {
            Some((version, id)) => fault.fixed_by(HAD.fill(values![n = version, id])),
            None => fault.put(|text| of(text, args.version)),
        }
    })?;
    Ok(WhyDocument {
        version: opened.version.number,
        format: opened.version.format,
        trace,
    })
}

/// Returns the latest earlier version of this line that has the item, and its id. A version that
/// only says that the item was withdrawn counts if no other has it.
fn earlier(state: &State, id: &str, context: &Context) -> Option<(Version, String)> {
    let before = |state: &State| {
        let previous = state.task.previous.as_ref()?;
        Some(state.inputs.run().sibling(previous.version))
    };
    let mut next = before(state);
    let mut told = None;
    while let Some(version) = next {
        // A missing or damaged version is reported when it is opened.
        let Ok(opened) = versions::open(Some(version), context) else {
            break;
        };
        let state = &opened.state;
        if let Ok(trace) = check::why(state, id, Lang::En) {
            let is_it = |item: &&ConsensusItem| item.id.to_string() == trace.id;
            let stands =
                trace.kind != "consensus" || state.draft.standing().any(|item| is_it(&item));
            let found = (version, trace.id.clone());
            if stands {
                return Some(found);
            }
            told = told.or(Some(found));
        }
        // The numbers decrease, so the loop ends.
        next = before(state).filter(|earlier| *earlier < version);
    }
    told
}

/// Returns the latest version of another format that has the item, if no version was named.
fn elsewhere(args: &WhyArgs, context: &Context) -> Option<(Version, String)> {
    // An unreadable version is reported when it is opened.
    let all = versions::find_all(context).ok()?;
    let of = |format| all.iter().rfind(|found| found.version.format == format);
    let last = Format::ALL.into_iter().filter_map(of);
    last.filter(|_| args.version.is_none()).find_map(|found| {
        let opened = versions::read(found.clone(), context).ok()?;
        let trace = check::why(&opened.state, &args.id, Lang::En).ok()?;
        Some((opened.version, trace.id))
    })
}

/// Returns the text with the version named in each `aitc why …`.
fn of(text: &str, version: Option<Version>) -> String {
    let Some(version) = version else {
        return text.to_owned();
    };
    let parts = text
        .split('`')
        .map(|part| match part.starts_with("aitc why ") {
            true => format!("{part} --of {version}"),
            false => part.to_owned(),
        });
    parts.collect::<Vec<_>>().join("`")
}
