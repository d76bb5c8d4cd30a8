//! Finds all faults of a workspace's role files, while a run stops at the first.

use std::collections::BTreeMap;
use std::path::Path;

use super::choice::assemble;
use super::overrides::read_text;
use super::{ROLES_DIR, built_in_roles, built_in_texts, unfit, unknown_role, workspace_texts};
use crate::edge::safe_open::FileUse;
use crate::fault::{Fault, Text, values};
use crate::machine::Lang;
use crate::role::{RoleSpec, normalise, parse_role};

/// Faults of the roles in a run in `lang`; empty if the run would start.
///
/// # Errors
/// The folder cannot be read, or a file in it points outside the workspace.
pub fn role_faults(workspace: &Path, lang: Lang) -> Result<Vec<Fault>, Fault> {
    let mut faults = Vec::new();
    let mut roles = built_in_roles(lang)?;
    let mut places: BTreeMap<String, String> = BTreeMap::new();
    for (shown, text) in workspace_texts(workspace, lang)? {
        match text.and_then(|text| parse_role(&shown, &text)) {
            Ok(role) => {
                if let Some(first) = places.insert(role.id.to_string(), shown.clone()) {
                    let twice = Text(
                        "`{first}` defines `{role}` too; keep one of them",
                        "`{first}` 也定义了 `{role}`；请只保留一个",
                    );
                    let twice = twice.fill(values![first, role = role.id]);
                    faults.push(unfit(&shown, &twice));
                }
                roles.insert(role.id.to_string(), role);
            }
            Err(fault) => faults.push(fault),
        }
    }
    if let Err(fault) = assemble(roles, None) {
        faults.push(fault);
    }
    Ok(faults)
}

/// The text of a role's file: the workspace's, or the built-in one.
///
/// # Errors
/// The file can no longer be read.
pub fn role_text(workspace: &Path, role: &RoleSpec, lang: Lang) -> Result<String, Fault> {
    if role.source != super::BUILT_IN {
        let text = read_text(workspace, &role.source, FileUse::Role)?;
        return Ok(normalise(&text));
    }
    for (path, text) in built_in_texts(lang) {
        let text = normalise(&text);
        if parse_role(&path, &text)?.id == role.id {
            return Ok(text);
        }
    }
    Err(unknown_role(role.id.as_str(), &[ROLES_DIR.to_owned()]))
}
