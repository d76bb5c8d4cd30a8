//! Roles and templates: the built-in ones, and what a workspace puts in their place.
//!
//! A workspace overrides with `.ai-tools-chain/roles/*.md` (same id: replaces,
//! new id: adds a member; `name.zh.md` counts for Chinese runs only) and with
//! `.ai-tools-chain/templates/<key>`. What is loaded here is frozen into a
//! run's first event; [`drift`] says what has changed since.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use rust_embed::RustEmbed;

use crate::role::{COACH, RoleError, RoleSet, RoleSpec, normalise, parse_role};
use crate::workshop::{Inputs, Lang};

/// `source` of a role that comes with the program.
pub const BUILT_IN: &str = "built-in";

/// Largest template read from a workspace, in bytes.
const MAX_TEMPLATE_BYTES: u64 = 256 * 1024;

const ROLES_DIR: &str = ".ai-tools-chain/roles";
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

/// What has changed since a run froze its inputs, a sentence each, naming the file.
///
/// Files added since do not count: the frozen run never used them.
pub fn drift(inputs: &Inputs, now: &Assets) -> Vec<String> {
    let mut found = Vec::new();
    for frozen in std::iter::once(&inputs.roles.coach).chain(&inputs.roles.members) {
        let file = place(&frozen.source, "role", frozen.id.as_str());
        match now.roles.find(frozen.id.as_str()) {
            None => found.push(format!("{file} is gone")),
            Some(current) if !same_role(frozen, current) => {
                let by = replaced_by(&frozen.source, &current.source);
                found.push(format!("{file} has changed{by}"));
            }
            Some(_) => {}
        }
    }
    for (key, text) in &inputs.templates {
        let source_of = |sources: &BTreeMap<String, String>| {
            sources
                .get(key)
                .cloned()
                .unwrap_or_else(|| BUILT_IN.to_owned())
        };
        let source = source_of(&inputs.template_sources);
        let file = place(&source, "template", key);
        match now.templates.get(key) {
            None => found.push(format!("{file} is gone")),
            Some(current) if current != text => {
                let by = replaced_by(&source, &source_of(&now.template_sources));
                found.push(format!("{file} has changed{by}"));
            }
            Some(_) => {}
        }
    }
    found
}

fn place(source: &str, kind: &str, name: &str) -> String {
    if source == BUILT_IN || source.is_empty() {
        format!("the built-in {kind} `{name}`")
    } else {
        format!("`{source}` ({kind} `{name}`)")
    }
}

fn replaced_by(before: &str, after: &str) -> String {
    if before == after {
        String::new()
    } else {
        format!(": it now comes from `{after}`")
    }
}

/// The same but for where the file lies.
fn same_role(a: &RoleSpec, b: &RoleSpec) -> bool {
    RoleSpec {
        source: String::new(),
        ..a.clone()
    } == RoleSpec {
        source: String::new(),
        ..b.clone()
    }
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
    for (name, path) in files_below(workspace, ROLES_DIR)? {
        let Some(stem) = name.strip_suffix(".md") else {
            continue;
        };
        let of_other_language = [Lang::En, Lang::Zh]
            .into_iter()
            .any(|other| other != lang && stem.ends_with(&format!(".{}", other.code())));
        if name.contains('/') || of_other_language {
            continue;
        }
        let shown = format!("{ROLES_DIR}/{name}");
        let limit = crate::role::MAX_ROLE_BYTES as u64;
        roles.push(parse_role(&shown, &read_text(&path, &shown, limit)?)?);
    }
    Ok(roles)
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

/// Files below a folder of the workspace by relative name, in order of names.
///
/// Hidden files are passed over. A link that leads out of the workspace is an
/// error: nothing outside may reach a prompt through a cloned repository.
fn files_below(workspace: &Path, folder: &str) -> Result<Vec<(String, PathBuf)>, AssetError> {
    let base = workspace.join(folder);
    if !base.is_dir() {
        return Ok(Vec::new());
    }
    let root = workspace
        .canonicalize()
        .map_err(|source| AssetError::Read {
            path: folder.to_owned(),
            source,
        })?;
    let walk = walkdir::WalkDir::new(&base)
        .follow_links(true)
        .max_depth(8)
        .into_iter()
        .filter_entry(|entry| {
            entry.depth() == 0 || !entry.file_name().to_string_lossy().starts_with('.')
        });
    let mut files = BTreeMap::new();
    for entry in walk {
        let entry = entry.map_err(|error| AssetError::Read {
            path: folder.to_owned(),
            source: error.into(),
        })?;
        if !entry.file_type().is_file() {
            continue;
        }
        let relative = entry.path().strip_prefix(&base).unwrap_or(entry.path());
        let name = relative.to_string_lossy().replace('\\', "/");
        let inside = entry
            .path()
            .canonicalize()
            .is_ok_and(|real| real.starts_with(&root));
        if !inside {
            return Err(AssetError::Unfit {
                path: format!("{folder}/{name}"),
                what: "it leads out of the workspace; copy the file instead of linking it"
                    .to_owned(),
            });
        }
        files.insert(name, entry.into_path());
    }
    Ok(files.into_iter().collect())
}

fn read_text(path: &Path, shown: &str, limit: u64) -> Result<String, AssetError> {
    let read = |source| AssetError::Read {
        path: shown.to_owned(),
        source,
    };
    let unfit = |what: String| AssetError::Unfit {
        path: shown.to_owned(),
        what,
    };
    if path.metadata().map_err(read)?.len() > limit {
        return Err(unfit(format!(
            "it is larger than {limit} bytes; shorten it"
        )));
    }
    String::from_utf8(std::fs::read(path).map_err(read)?)
        .map_err(|_| unfit("it is no UTF-8 text; save it as UTF-8".to_owned()))
}

/// Makes the set: speaking order, the chosen ones only, codes unique.
fn assemble(
    mut roles: BTreeMap<String, RoleSpec>,
    only_roles: Option<&[String]>,
) -> Result<RoleSet, AssetError> {
    check_codes(&roles)?;
    if let Some(names) = only_roles {
        let chosen = names
            .iter()
            .map(|name| choose(&roles, name.trim()))
            .collect::<Result<BTreeSet<String>, _>>()?;
        roles.retain(|id, _| id == COACH || chosen.contains(id));
    }
    let coach = roles.remove(COACH).ok_or_else(|| AssetError::UnknownRole {
        name: COACH.to_owned(),
        hint: "the program is incomplete".to_owned(),
    })?;
    let mut members: Vec<RoleSpec> = roles.into_values().collect();
    members.sort_by(|a, b| (a.order, &a.id).cmp(&(b.order, &b.id)));
    if members.is_empty() {
        return Err(AssetError::NobodySpeaks);
    }
    Ok(RoleSet { coach, members })
}

fn check_codes(roles: &BTreeMap<String, RoleSpec>) -> Result<(), AssetError> {
    let mut seen: BTreeMap<String, &RoleSpec> = BTreeMap::new();
    for role in roles.values() {
        if let Some(first) = seen.insert(role.code.to_lowercase(), role) {
            return Err(AssetError::SharedCode {
                code: role.code.clone(),
                first: first.id.to_string(),
                second: role.id.to_string(),
            });
        }
    }
    Ok(())
}

/// Full name of the role that `name` means, by name or code in any case.
fn choose(roles: &BTreeMap<String, RoleSpec>, name: &str) -> Result<String, AssetError> {
    let found = roles.values().find(|role| {
        role.id.as_str().eq_ignore_ascii_case(name) || role.code.eq_ignore_ascii_case(name)
    });
    if let Some(role) = found {
        return Ok(role.id.to_string());
    }
    let wanted = name.to_lowercase();
    let nearest = roles
        .values()
        .flat_map(|role| [role.id.as_str(), role.code.as_str()])
        .map(|known| (strsim::jaro_winkler(&wanted, &known.to_lowercase()), known))
        .max_by(|a, b| a.0.total_cmp(&b.0));
    let hint = match nearest {
        Some((likeness, known)) if likeness > 0.75 => format!("did you mean `{known}`?"),
        _ => {
            let names: Vec<&str> = roles.keys().map(String::as_str).collect();
            format!("there are {}", names.join(", "))
        }
    };
    Err(AssetError::UnknownRole {
        name: name.to_owned(),
        hint,
    })
}
