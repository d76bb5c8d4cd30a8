//! Checks trials by running one: whether this machine can, and what a trial would read.

use std::path::{Path, PathBuf};

use sandbox::{Readable, Wall};

use super::super::Context;
use super::Finding;
use crate::config::Config;
use crate::edge::trial::explain_missing;
use crate::fault::{Message, Text, values};

/// Runs a harmless trial, and lists what a trial of this configuration could read.
pub(super) fn look(config: &Config, context: &Context) -> Vec<Finding> {
    let means = match sandbox::means() {
        Ok(means) => means,
        Err(missing) => {
            let (why, fix) = explain_missing(&missing);
            return vec![Finding::warn("trials.missing", values![why, fix])];
        }
    };
    let proved = match &means.wall {
        Wall::Namespaces => Finding::ok("trials.by_namespaces", &[]),
        Wall::Bubblewrap(path) | Wall::SandboxExec(path) => {
            Finding::ok("trials.by_program", values![path = path.display()])
        }
    };
    let named = config.trials_readable.iter();
    let named: Vec<PathBuf> = named.map(|it| context.path(it.as_ref())).collect();
    let readable = Readable::detect(&named);
    let paths = join_paths(readable.folders(), context);
    let mut findings = vec![proved, Finding::ok("trials.reads", values![paths])];
    if !readable.masked().is_empty() {
        let paths = join_paths(readable.masked(), context);
        findings.push(Finding::ok("trials.masked", values![paths]));
    }
    findings
}

/// Returns the paths in one line; those in the home folder begin with `~`.
fn join_paths(paths: &[PathBuf], context: &Context) -> Message {
    let home = context.env.variable("HOME").map(Path::new);
    let short = |path: &PathBuf| match home.and_then(|home| path.strip_prefix(home).ok()) {
        Some(rest) => format!("~/{}", rest.display()),
        None => path.display().to_string(),
    };
    Text::COMMA.join(&paths.iter().map(short).collect::<Vec<_>>())
}
