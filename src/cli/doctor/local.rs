//! What can be seen without asking anybody: folders, repository, versions, roles, keys.

use super::super::models::Chosen;
use super::super::{Context, open};
use super::{Finding, Status};
use crate::config::Config;
use crate::edge::fs::RealFs;
use crate::edge::store::{Outputs, verify};
use crate::edge::{assets, env, git};
use crate::workshop::{Lang, OFFLINE};

/// Looks at the machine and the workspace.
pub(super) fn look(context: &Context) -> Vec<Finding> {
    let mut findings = vec![
        Finding::ok("aitc", format!("version {}", env!("CARGO_PKG_VERSION"))),
        repository(context),
        writing(context),
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
            Finding::ok("repository", format!("{root}, at commit {short}"))
        }
        None => Finding::warn(
            "repository",
            format!("{root} is no git repository, or has no commit"),
            "git init && git commit --allow-empty -m begin, so that versions can be reviewed and compared",
        ),
    }
}

/// A run writes below one folder; it is made when it is missing.
fn writing(context: &Context) -> Finding {
    let outputs = Outputs::at(open::files(), &context.root);
    let Some(folder) = env::nearest_folder(outputs.root()) else {
        return Finding::new("writing", Status::Fail, "no folder to write in", "");
    };
    match env::try_writing(folder) {
        Ok(()) => Finding::ok("writing", format!("{} can be written", folder.display())),
        Err(error) => Finding::new(
            "writing",
            Status::Fail,
            format!("{} cannot be written: {error}", folder.display()),
            format!(
                "chmod u+w {}, or work elsewhere with -C DIR",
                folder.display()
            ),
        ),
    }
}

fn roles(context: &Context) -> Finding {
    for lang in [Lang::En, Lang::Zh] {
        if let Err(error) = assets::load(&context.root, lang, None) {
            return Finding::new(
                "roles",
                Status::Fail,
                error.to_string(),
                "put the file right, or remove it to use the built-in one",
            );
        }
    }
    Finding::ok("roles", "roles and templates are sound in both languages")
}

/// A line for all versions, and one for each that needs something.
fn versions(context: &Context) -> Vec<Finding> {
    let all = match open::find_all(context) {
        Ok(all) => all,
        Err(error) => return vec![Finding::of("versions", &error)],
    };
    let mut findings = Vec::new();
    let drafts = all.iter().filter(|found| found.draft).count();
    findings.push(Finding::ok(
        "versions",
        format!("{} published, {drafts} unfinished", all.len() - drafts),
    ));
    for found in all {
        let path = open::shown(&found.folder, context);
        let version = found.version;
        if found.draft {
            findings.push(draft(&path, version, context, found));
        } else {
            match verify(&RealFs, &found.folder) {
                Ok(report) if report.is_clean() => {}
                Ok(report) => findings.push(Finding::new(
                    "versions",
                    Status::Fail,
                    format!(
                        "{path} is not as it was published: {} problems",
                        report.problems.len()
                    ),
                    format!("aitc verify v{version}; git checkout -- {path}"),
                )),
                Err(error) => findings.push(Finding::new(
                    "versions",
                    Status::Fail,
                    format!("{path}: {error}"),
                    format!("aitc verify v{version}"),
                )),
            }
        }
    }
    findings
}

fn draft(path: &str, version: u32, context: &Context, found: open::Found) -> Finding {
    if open::is_empty(&found.folder).unwrap_or(false) {
        let fix = format!("aitc repair v{version}");
        return Finding::warn("versions", format!("{path} holds nothing"), fix);
    }
    match open::read(found, context) {
        Ok(_) => Finding::warn(
            "versions",
            format!("{path} is unfinished"),
            format!("aitc resume v{version}"),
        ),
        Err(error) => Finding::of("versions", &error),
    }
}

/// The configuration could be read.
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
    let what = match places.len() {
        0 => "nothing is set; everything is built in".to_owned(),
        _ => format!(
            "{} settings from {}",
            config.settings.len(),
            places.join(", ")
        ),
    };
    Finding::ok("configuration", what)
}

/// Which models would be used, and whether they have a key.
pub(super) fn models(chosen: &Chosen) -> Vec<Finding> {
    let mut findings = Vec::new();
    if chosen.main.provider == OFFLINE {
        findings.push(Finding::warn(
            "model",
            &chosen.main.why,
            "export OPENAI_API_KEY=…, or another provider's, or start a local server such as Ollama",
        ));
    } else {
        findings.push(Finding::ok("model", &chosen.main.why));
    }
    for (role, found) in &chosen.roles {
        findings.push(Finding::ok("model", format!("{role}: {}", found.why)));
    }
    for found in std::iter::once(&chosen.main).chain(chosen.roles.values()) {
        let Some(endpoint) = &found.endpoint else {
            continue;
        };
        let finding = if endpoint.api_key.is_some() {
            Finding::ok("key", format!("there is one for {}", found.provider))
        } else {
            Finding::warn(
                "key",
                format!(
                    "none for {}, which is right for most local servers",
                    found.provider
                ),
                "",
            )
        };
        if findings.iter().all(|one| one.what != finding.what) {
            findings.push(finding);
        }
    }
    findings
}
