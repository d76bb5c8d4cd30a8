//! `aitc man`: prints manual pages.

use std::path::PathBuf;

use clap::Args;
use clap_mangen::Man;
use schemars::JsonSchema;
use serde::Serialize;

use super::{Context, Exit, Fault, help};
use crate::edge::env;
use crate::edge::fs::IoContext as _;
use crate::fault::{Text, values};
use anyhow::Context as _;

use super::internal;
use crate::ui::view::clean;

const WRITTEN: Text = Text("{n} pages written to {dir}", "已将 {n} 个手册页写入 {dir}");

/// Print the manual page of a command, or write all of them
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    aitc man | man -l -\n  \
    aitc man config set | man -l -\n  \
    aitc man --out ~/.local/share/man/man1")]
pub struct ManArgs {
    /// Which command, such as `plan` or `config set`; default: `aitc` itself
    #[arg(value_name = "COMMAND")]
    topic: Vec<String>,
    /// Write every page to DIR
    #[arg(long, value_name = "DIR", conflicts_with = "topic")]
    out: Option<PathBuf>,
}

/// What `man` prints.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ManDocument {
    /// Pages that were printed or written.
    pub pages: Vec<ManPage>,
}

/// A manual page.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ManPage {
    /// File name, such as `aitc-plan.1`.
    pub name: String,
    /// The page, roff; left out if it was written to a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// Prints a page on stdout, or writes all and prints their number.
pub fn run(args: &ManArgs, context: &Context) -> Result<Exit, Fault> {
    let mut whole = help::full_command(context.lang(None));
    let command = help::find(&mut whole, &args.topic)?.clone();
    let mut pages = Vec::new();
    if let Some(dir) = &args.out {
        collect(&command, &mut pages)?;
        for (name, text) in &pages {
            let path = context.path(dir).join(name);
            env::replace_file(&path, text.as_bytes()).doing("write", &path)?;
        }
    } else {
        pages.push(page(&command)?);
    }
    let text = match &args.out {
        Some(dir) => {
            let dir = clean(&dir.to_string_lossy());
            WRITTEN.with(context.lang(None), values![n = pages.len(), dir])
        }
        None => pages.iter().map(|(_, text)| text.as_str()).collect(),
    };
    let written = args.out.is_some();
    let pages = pages.into_iter().map(|(name, text)| ManPage {
        name,
        text: Some(text).filter(|_| !written),
    });
    let document = ManDocument {
        pages: pages.collect(),
    };
    context.done(&text, &document)
}

fn collect(command: &clap::Command, pages: &mut Vec<(String, String)>) -> Result<(), Fault> {
    pages.push(page(command)?);
    for sub in command.get_subcommands() {
        collect(sub, pages)?;
    }
    Ok(())
}

/// Returns file name and text of one page. It contains no date, so the same program makes the same
/// page.
fn page(command: &clap::Command) -> Result<(String, String), Fault> {
    let name = command.get_display_name().unwrap_or("aitc").to_owned();
    let man = Man::new(command.clone()).title(name.as_str());
    let mut bytes = Vec::new();
    man.render(&mut bytes)
        .with_context(|| name.clone())
        .map_err(|error| internal(&error))?;
    Ok((
        format!("{name}.1"),
        String::from_utf8_lossy(&bytes).into_owned(),
    ))
}
