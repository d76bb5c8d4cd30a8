//! Roles and templates: the built-in ones, and what a workspace puts in their place.
//!
//! A workspace overrides with `.ai-tools-chain/roles/*.md` (same id: replaces,
//! new id: adds a member; `name.zh.md` counts for Chinese runs only) and with
//! `.ai-tools-chain/templates/<key>`. What is loaded here is frozen into a
//! run's first event; [`drift`] says what has changed since.

mod audit;
mod choice;
mod drift;
mod overrides;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rust_embed::RustEmbed;

pub use audit::{role_faults, role_text};
pub use drift::drift;

use self::choice::assemble;
use self::overrides::{files_below, read_text};
use crate::role::{RoleError, RoleSet, RoleSpec, normalise, parse_role};
use crate::workshop::Lang;

/// `source` of a role that comes with the program.
pub const BUILT_IN: &str = "built-in";

/// Largest template read from a workspace, in bytes.
const MAX_TEMPLATE_BYTES: u64 = 256 * 1024;

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
    pub templates: BTreeMap<String, String>,
    /// Key to workspace path; built-in templates are left out.
    pub template_sources: BTreeMap<String, String>,
}

/// Why roles or templates cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum AssetError {
    /// A role file is wrong.
    #[error(transparent)]
    Role(#[from] RoleError),
    /// A role was asked for that nobody defines.
    #[error("there is no role `{name}`; {hint}")]
    UnknownRole {
        /// As it was asked for.
        name: String,
        /// The nearest name, or all of them.
        hint: String,
    },
    /// Nobody would speak.
    #[error("no role is left to speak; name at least one besides the coach")]
    NobodySpeaks,
    /// Two roles share a code, in whatever case: speeches would overwrite one another.
    #[error("the roles `{first}` and `{second}` share the code `{code}`; change one in its file")]
    SharedCode {
        /// The code.
        code: String,
        /// One role.
        first: String,
        /// The other.
        second: String,
    },
    /// A file could not be read.
    #[error("`{path}` cannot be read: {source}")]
    Read {
        /// Which.
        path: String,
        /// Why.
        source: std::io::Error,
    },
    /// A file leads out of the workspace, is too large, or is no text.
    #[error("`{path}` is not used: {what}")]
    Unfit {
        /// Which.
        path: String,
        /// Why, and what to do.
        what: String,
    },
}

/// Loads roles and templates of one language, the workspace's over the built-in ones.
///
/// `only_roles` keeps the named members (full name or code) in their own
/// speaking order; the coach always stays.
///
/// # Errors
/// A malformed, unreadable or misplaced file, an unknown name in `only_roles`,
/// nobody left to speak, or two roles with one code.
pub fn load(
    workspace: &Path,
    lang: Lang,
    only_roles: Option<&[String]>,
) -> Result<Assets, AssetError> {
    let mut roles = built_in_roles(lang)?;
    for role in workspace_roles(workspace, lang)? {
        roles.insert(role.id.to_string(), role);
    }
    let (templates, template_sources) = templates(workspace, lang)?;
    Ok(Assets {
        roles: assemble(roles, only_roles)?,
        templates,
        template_sources,
    })
}

fn built_in_roles(lang: Lang) -> Result<BTreeMap<String, RoleSpec>, AssetError> {
    let prefix = format!("{}/", lang.code());
    let mut roles = BTreeMap::new();
    for path in BuiltInRoles::iter().filter(|path| path.starts_with(&prefix)) {
        if let Some(file) = BuiltInRoles::get(&path) {
            let mut role = parse_role(&path, &String::from_utf8_lossy(&file.data))?;
            BUILT_IN.clone_into(&mut role.source);
            roles.insert(role.id.to_string(), role);
        }
    }
    Ok(roles)
}

fn workspace_roles(workspace: &Path, lang: Lang) -> Result<Vec<RoleSpec>, AssetError> {
    let mut roles = Vec::new();
    for (shown, path) in role_files(workspace, lang)? {
        let limit = crate::role::MAX_ROLE_BYTES as u64;
        roles.push(parse_role(&shown, &read_text(&path, &shown, limit)?)?);
    }
    Ok(roles)
}

/// Role files of a workspace that count for runs in `lang`: name and place.
fn role_files(workspace: &Path, lang: Lang) -> Result<Vec<(String, PathBuf)>, AssetError> {
    let files = files_below(workspace, ROLES_DIR)?.into_iter();
    Ok(files
        .filter(|(name, _)| counts_for(name, lang))
        .map(|(name, path)| (format!("{ROLES_DIR}/{name}"), path))
        .collect())
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

type Templates = (BTreeMap<String, String>, BTreeMap<String, String>);

fn templates(workspace: &Path, lang: Lang) -> Result<Templates, AssetError> {
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
    let mut sources = BTreeMap::new();
    for (key, path) in files_below(workspace, TEMPLATES_DIR)? {
        let ending = key.rsplit('.').next().unwrap_or_default();
        if !TEMPLATE_ENDINGS.contains(&ending) {
            continue;
        }
        let shown = format!("{TEMPLATES_DIR}/{key}");
        let text = read_text(&path, &shown, MAX_TEMPLATE_BYTES)?;
        contents.insert(key.clone(), normalise(&text));
        sources.insert(key, shown);
    }
    Ok((contents, sources))
}
