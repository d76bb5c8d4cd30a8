//! Roles and templates: the built-in ones, and what a workspace puts in their place.
//!
//! A workspace overrides with `.ai-tools-chain/roles/*.md` (same id: replaces,
//! new id: adds a member; `name.zh.md` counts for Chinese runs only) and with
//! `.ai-tools-chain/templates/<key>`. What is loaded here is frozen into a
//! run's first event; [`drift()`] says what has changed since.

mod audit;
mod choice;
mod diligence;
mod drift;
mod overrides;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::path::Path;

use rust_embed::RustEmbed;

pub use audit::{role_faults, role_text};
pub use drift::drift;

use self::choice::assemble;
use self::overrides::{files_below, read_text};
use super::doors::Kind;
use crate::fault::settings::{ASSET_UNFIT, ROLE_UNKNOWN};
use crate::fault::{Fault, Value, nearest};
use crate::machine::diligence::TEXT as DILIGENCE;
use crate::machine::similarity::{KEYWORDS, built_in_keywords};
use crate::machine::{Lang, Templates};
use crate::role::{RoleId, RoleSet, RoleSpec, normalise, parse_role};

/// `source` of a role that comes with the program.
pub const BUILT_IN: &str = "built-in";

/// Where a workspace keeps its roles, from its root.
pub const ROLES_DIR: &str = ".ai-tools-chain/roles";
const TEMPLATES_DIR: &str = ".ai-tools-chain/templates";
const TEMPLATE_ENDINGS: [&str; 4] = ["j2", "yaml", "yml", "md"];

#[derive(RustEmbed)]
#[folder = "roles/"]
struct BuiltInRoles;

#[derive(RustEmbed)]
#[folder = "templates/"]
struct BuiltInTemplates;

/// Everything a run says and asks with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assets {
    /// Who takes part.
    pub roles: RoleSet,
    /// Contents by key, the path below the language folder: `prompt/shared.j2`.
    pub templates: Templates,
    /// Key to workspace path; built-in templates are left out.
    pub template_sources: BTreeMap<String, String>,
    /// Nudges a member may be given, where `team.yaml` says so.
    pub diligence_push_max: BTreeMap<RoleId, i64>,
}

/// A role was asked for that nobody defines; `known` are names and codes of those there are.
fn unknown_role(name: &str, known: &[String]) -> Fault {
    let near = nearest(name, known.iter().map(String::as_str));
    let mut names: Vec<&str> = known.iter().map(String::as_str).collect();
    names.dedup();
    // The one that may be meant stands first, the others as they are.
    names.sort_by_key(|known| Some(*known) != near);
    let fault = ROLE_UNKNOWN.with(&[("name", &name), ("names", &names.join(", "))]);
    fault.meaning(near)
}

/// A file leads out of the workspace, is too large, is no text, or says what cannot be;
/// `what` says so, and what to do.
fn unfit(path: &str, what: &dyn Value) -> Fault {
    ASSET_UNFIT.with(&[("path", &path), ("what", what)])
}

/// Loads roles and templates of one language, the workspace's over the built-in ones.
///
/// `only_roles` keeps the named members (full name or code) in their own
/// speaking order; the coach always stays.
///
/// # Errors
/// A malformed, unreadable or misplaced file, an unknown name in `only_roles`,
/// nobody left to speak, or two roles with one code.
pub fn load(workspace: &Path, lang: Lang, only_roles: Option<&[String]>) -> Result<Assets, Fault> {
    let mut roles = built_in_roles(lang)?;
    for (shown, text) in workspace_texts(workspace, lang)? {
        let role = parse_role(&shown, &text?)?;
        roles.insert(role.id.to_string(), role);
    }
    let (templates, template_sources) = templates(workspace, lang)?;
    let diligence_push_max = diligence::push_max(workspace, &roles)?;
    let roles = assemble(roles, only_roles)?;
    Ok(Assets {
        diligence_push_max,
        roles,
        templates,
        template_sources,
    })
}

/// The roles as [`load`] brings them, a file without a word passed over: a shell makes the
/// file before the command begins whose output is to fill it.
///
/// # Errors
/// The roles cannot be read, or do not fit together.
pub fn roles_to_copy(workspace: &Path, lang: Lang) -> Result<RoleSet, Fault> {
    let mut roles = built_in_roles(lang)?;
    for (shown, text) in workspace_texts(workspace, lang)? {
        let text = text?;
        if !text.trim().is_empty() {
            let role = parse_role(&shown, &text)?;
            roles.insert(role.id.to_string(), role);
        }
    }
    assemble(roles, None)
}

fn built_in_roles(lang: Lang) -> Result<BTreeMap<String, RoleSpec>, Fault> {
    let mut roles = BTreeMap::new();
    for (path, text) in built_in_texts(lang) {
        let mut role = parse_role(&path, &text)?;
        BUILT_IN.clone_into(&mut role.source);
        roles.insert(role.id.to_string(), role);
    }
    Ok(roles)
}

/// The built-in role files of a language, each by its path.
fn built_in_texts(lang: Lang) -> impl Iterator<Item = (String, String)> {
    let prefix = format!("{}/", lang.code());
    let files = BuiltInRoles::iter().filter(move |path| path.starts_with(&prefix));
    files.filter_map(|path| {
        let file = BuiltInRoles::get(&path)?;
        Some((
            path.to_string(),
            String::from_utf8_lossy(&file.data).into_owned(),
        ))
    })
}

/// The role files of a workspace that count for runs in `lang`: the path of each from its
/// root, and its text.
fn workspace_texts(
    workspace: &Path,
    lang: Lang,
) -> Result<impl Iterator<Item = (String, Result<String, Fault>)>, Fault> {
    let files = files_below(workspace, ROLES_DIR)?.into_iter();
    let files = files.filter(move |name| counts_for(name, lang));
    Ok(files.map(move |name| {
        let shown = format!("{ROLES_DIR}/{name}");
        let text = read_text(workspace, &shown, Kind::Role);
        (shown, text)
    }))
}

fn counts_for(name: &str, lang: Lang) -> bool {
    let Some(stem) = name.strip_suffix(".md") else {
        return false;
    };
    let of_other_language = [Lang::En, Lang::Zh]
        .into_iter()
        .any(|other| other != lang && stem.ends_with(&format!(".{}", other.code())));
    !name.contains('/') && !of_other_language
}

/// The contents of templates, and where those came from that are the workspace's own.
fn templates(workspace: &Path, lang: Lang) -> Result<(Templates, BTreeMap<String, String>), Fault> {
    let prefix = format!("{}/", lang.code());
    let mut contents = BTreeMap::new();
    for path in BuiltInTemplates::iter() {
        if let (Some(key), Some(file)) = (path.strip_prefix(&prefix), BuiltInTemplates::get(&path))
        {
            contents.insert(
                key.to_owned(),
                normalise(&String::from_utf8_lossy(&file.data)),
            );
        }
    }
    contents.insert(KEYWORDS.to_owned(), normalise(built_in_keywords(lang)));
    let mut sources = BTreeMap::new();
    for key in files_below(workspace, TEMPLATES_DIR)? {
        let ending = key.rsplit('.').next().unwrap_or_default();
        if !TEMPLATE_ENDINGS.contains(&ending) {
            continue;
        }
        let shown = format!("{TEMPLATES_DIR}/{key}");
        let text = read_text(workspace, &shown, Kind::Template)?;
        contents.insert(key.clone(), normalise(&text));
        sources.insert(key, shown);
    }
    if let Some((shown, text)) = diligence::text(workspace, lang)? {
        contents.insert(DILIGENCE.to_owned(), text);
        sources.insert(DILIGENCE.to_owned(), shown);
    }
    Ok((contents.into(), sources))
}
