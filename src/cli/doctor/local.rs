//! Checks without an endpoint: folders, repository, versions, roles, keys.

use super::super::run_models::{self, Chosen};
use super::super::{Context, versions};
use super::Finding;
use crate::config::Config;
use crate::edge::fs::RealFs;
use crate::edge::store::verify;
use crate::edge::{assets, git};
use crate::fault::values;
use crate::machine::{Lang, Version};

/// Checks the machine and the workspace.
pub(super) fn look(context: &Context) -> Vec<Finding> {
    let mut findings = vec![
        Finding::ok("aitc.version", values![v = env!("CARGO_PKG_VERSION")]),
        repository(context),
        roles(context),
    ];
    findings.extend(versions(context));
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

/// Returns a finding for all versions, and one for each that needs something.
fn versions(context: &Context) -> Vec<Finding> {
    let all = match versions::find_all(context) {
        Ok(all) => all,
        Err(error) => return vec![Finding::of("versions", &error)],
    };
    let mut findings = Vec::new();
    let drafts = all.iter().filter(|found| found.draft).count();
    let published = all.len() - drafts;
    findings.push(Finding::ok("versions.counts", values![published, drafts]));
    for found in all {
        let path = versions::shown(&found.folder, context);
        let version = found.version;
        if found.draft {
            findings.push(draft(&path, version, context, found));
            continue;
        }
        match verify(&RealFs, &found.folder) {
            Ok(report) if report.is_clean() => {}
            Ok(report) => {
                let places = values![path, version, n = report.problems.len()];
                findings.push(Finding::fail("versions.changed", places));
            }
            Err(error) => {
                let places = values![path, version, what = error.what()];
                findings.push(Finding::fail("versions.unverified", places));
            }
        }
    }
    findings
}

fn draft(
    path: &str,
    version: Version,
    context: &Context,
    found: versions::FoundVersion,
) -> Finding {
    let places = values![path, version];
    if versions::is_empty(&found.folder).unwrap_or(false) {
        return Finding::warn("versions.empty", places);
    }
    match versions::read(found, context) {
        Ok(_) => Finding::warn("versions.unfinished", places),
        Err(error) => Finding::of("versions", &error),
    }
}

/// Returns the finding that the configuration could be read.
pub(super) fn configuration(config: &Config) -> Finding {
    let mut places: Vec<String> = config
        .settings
        .values()
        .map(|setting| match &setting.origin {
            crate::config::Origin::File { path, .. } => path.clone(),
            other => other.to_string(),
        })
        .collect();
    places.sort();
    places.dedup();
    if places.is_empty() {
        return Finding::ok("configuration.none", &[]);
    }
    let (n, places) = (config.settings.len(), places.join(", "));
    Finding::ok("configuration.set", values![n, places])
}

/// Checks recorded answers, if a run would use them.
pub(super) fn recordings(chosen: &Chosen, config: &Config, context: &Context) -> Option<Finding> {
    match run_models::recordings(chosen, config, context) {
        Ok(false) => None,
        Ok(true) => Some(Finding::ok("answers.recorded", &[])),
        Err(error) => Some(Finding::of("answers", &error)),
    }
}

/// Checks which models would be used, and whether they have a key.
pub(super) fn models(chosen: &Chosen) -> Vec<Finding> {
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
