//! Roles and templates: the built-in ones, and those that a workspace overrides.
//!
//! A workspace overrides with `.ai-tools-chain/roles/*.md` (same id: replaces the role, new id:
//! adds a member; `name.zh.md` applies to Chinese runs only) and with
//! `.ai-tools-chain/templates/<key>`. The loaded files are frozen into a run's first event;
//! [`drift()`] lists what has changed since.

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
use super::safe_open::FileUse;
use crate::fault::settings::{ASSET_UNFIT, ROLE_UNKNOWN};
use crate::fault::{Fault, MessageValue, Text, nearest, values};
use crate::machine::diligence::TEXT as DILIGENCE;
use crate::machine::similarity::{KEYWORDS, built_in_keywords};
use crate::machine::{Lang, Templates};
use crate::role::{RoleId, RoleSet, RoleSpec, normalise, parse_role};

/// `source` of a built-in role.
pub const BUILT_IN: &str = "built-in";

/// Folder of a workspace's roles, relative to its root.
pub const ROLES_DIR: &str = ".ai-tools-chain/roles";
const TEMPLATES_DIR: &str = ".ai-tools-chain/templates";
const TEMPLATE_ENDINGS: [&str; 4] = ["j2", "yaml", "yml", "md"];

#[derive(RustEmbed)]
#[folder = "roles/"]
struct BuiltInRoles;

#[derive(RustEmbed)]
#[folder = "templates/"]
struct BuiltInTemplates;

/// The roles, templates and nudge limits of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assets {
    /// The roles that take part.
    pub roles: RoleSet,
    /// Contents by key, the path inside the language folder: `prompt/shared.j2`.
    pub templates: Templates,
    /// Workspace paths by key; built-in templates are left out.
    pub template_sources: BTreeMap<String, String>,
    /// Maximum number of nudges by member, as set in `team.yaml`.
    pub diligence_push_max: BTreeMap<RoleId, i64>,
}

/// The error for an undefined role; `known` are the names and codes of all roles.
fn unknown_role(name: &str, known: &[String]) -> Fault {
    let near = nearest(name, known.iter().map(String::as_str));
    let mut names: Vec<&str> = known.iter().map(String::as_str).collect();
    names.dedup();
    // The most similar name first, the others in their order.
    names.sort_by_key(|known| Some(*known) != near);
    let fault = ROLE_UNKNOWN.with(values![name, names = Text::COMMA.join(&names)]);
    fault.meaning(near)
}

/// The error for a file that points outside the workspace, is too large, is not text, or has
/// invalid content; `what` says which, and what to do.
fn unfit(path: &str, what: &dyn MessageValue) -> Fault {
    ASSET_UNFIT.with(values![path, what])
}

/// Loads roles and templates of one language; files of the workspace override built-in ones.
///
/// `only_roles` selects members (full name or code), in their own speaking order; the coach is
/// always included.
///
/// # Errors
/// A malformed, unreadable or misplaced file, an unknown name in `only_roles`, no member left, or
/// two roles with the same code.
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

/// Loads the roles as [`load`] does, but skips empty files: a shell creates the output file of a
/// command before the command starts.
///
/// # Errors
/// The roles cannot be read, or two have the same code.
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

/// The role files of a workspace that apply to runs in `lang`, as pairs of path (relative to the
/// root) and text.
fn workspace_texts(
    workspace: &Path,
    lang: Lang,
) -> Result<impl Iterator<Item = (String, Result<String, Fault>)>, Fault> {
    let files = files_below(workspace, ROLES_DIR)?.into_iter();
    let files = files.filter(move |name| counts_for(name, lang));
    Ok(files.map(move |name| {
        let shown = format!("{ROLES_DIR}/{name}");
        let text = read_text(workspace, &shown, FileUse::Role);
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

/// The contents of templates, and the sources of those from the workspace.
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
        let text = read_text(workspace, &shown, FileUse::Template)?;
        contents.insert(key.clone(), normalise(&text));
        sources.insert(key, shown);
    }
    if let Some((shown, text)) = diligence::text(workspace, lang)? {
        contents.insert(DILIGENCE.to_owned(), text);
        sources.insert(DILIGENCE.to_owned(), shown);
    }
    Ok((contents.into(), sources))
}
