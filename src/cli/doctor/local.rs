//! Checks without an endpoint: repository, roles, keys.

use super::super::Context;
use super::super::run_models::FoundModels;
use super::Finding;
use crate::edge::file_names::HOME;
use crate::edge::knowledge::is_ignored_by_git;
use crate::edge::{assets, git};
use crate::fault::values;
use crate::machine::Lang;

/// Checks the machine and the workspace.
pub(super) fn look(context: &Context) -> Vec<Finding> {
    let mut findings = vec![
        Finding::ok("aitc.version", values![v = env!("CARGO_PKG_VERSION")]),
        repository(context),
    ];
    if is_ignored_by_git(&context.root, HOME) {
        findings.push(Finding::warn("repository.ignored", values![folder = HOME]));
    }
    findings.push(roles(context));
    findings
}

fn repository(context: &Context) -> Finding {
    let root = context.root.display();
    match git::head(&context.root) {
        Some(commit) => {
            let short = commit.get(..12).unwrap_or(&commit);
            Finding::ok("repository.commit", values![root, commit = short])
        }
        None => Finding::warn("repository.none", values![root]),
    }
}

fn roles(context: &Context) -> Finding {
    for lang in [Lang::En, Lang::Zh] {
        if let Err(error) = assets::load(&context.root, lang, None) {
            return Finding::of("roles", &error);
        }
    }
    Finding::ok("roles.sound", &[])
}

/// Checks which models would be used, and whether they have a key.
pub(super) fn models(chosen: &FoundModels) -> Vec<Finding> {
    let mut findings = vec![Finding::ok("model.main", values![why = chosen.main.why])];
    for (role, found) in &chosen.roles {
        findings.push(Finding::ok("model.role", values![role, why = found.why]));
    }
    for found in chosen.all() {
        let Some(endpoint) = &found.endpoint else {
            continue;
        };
        let places = values![provider = found.provider];
        let finding = match endpoint.api_key {
            Some(_) => Finding::ok("key.there", places),
            None => Finding::warn("key.missing", places),
        };
        if findings.iter().all(|one| one.what != finding.what) {
            findings.push(finding);
        }
    }
    findings
}
