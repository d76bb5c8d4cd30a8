//! Selects the roles that take part.

use std::collections::{BTreeMap, BTreeSet};

use super::unknown_role;
use crate::fault::settings::{ROLE_CODE_SHARED, ROLES_NONE};
use crate::fault::{Fault, values};
use crate::role::{COACH, RoleSet, RoleSpec};

/// Builds the set: in speaking order, only the chosen roles, with unique codes.
pub(super) fn assemble(
    mut roles: BTreeMap<String, RoleSpec>,
    only_roles: Option<&[String]>,
) -> Result<RoleSet, Fault> {
    check_codes(&roles)?;
    let mut absent = BTreeMap::new();
    if let Some(names) = only_roles {
        let chosen = names
            .iter()
            .map(|name| choose(&roles, name.trim()))
            .collect::<Result<BTreeSet<String>, _>>()?;
        let is_kept = |(id, _): &(String, _)| id == COACH || chosen.contains(id);
        let (kept, left_out): (_, BTreeMap<_, _>) = roles.into_iter().partition(is_kept);
        roles = kept;
        absent.extend(left_out.into_values().map(|role| (role.id, role.code)));
    }
    let coach = roles
        .remove(COACH)
        .ok_or_else(|| unknown_role(COACH, &[]))?;
    let mut members: Vec<RoleSpec> = roles.into_values().collect();
    members.sort_by(|a, b| (a.order, &a.id).cmp(&(b.order, &b.id)));
    if members.is_empty() {
        return Err(ROLES_NONE.with(&[]));
    }
    Ok(RoleSet {
        coach,
        members,
        absent,
    })
}

fn check_codes(roles: &BTreeMap<String, RoleSpec>) -> Result<(), Fault> {
    let mut seen: BTreeMap<String, &RoleSpec> = BTreeMap::new();
    for role in roles.values() {
        if let Some(first) = seen.insert(role.code.to_lowercase(), role) {
            return Err(ROLE_CODE_SHARED.with(values![
                code = role.code,
                first = first.id,
                second = role.id
            ]));
        }
    }
    Ok(())
}

pub(super) fn find<'a>(roles: &'a BTreeMap<String, RoleSpec>, name: &str) -> Option<&'a RoleSpec> {
    roles.values().find(|role| {
        role.id.as_str().eq_ignore_ascii_case(name) || role.code.eq_ignore_ascii_case(name)
    })
}

pub(super) fn choose(roles: &BTreeMap<String, RoleSpec>, name: &str) -> Result<String, Fault> {
    if let Some(role) = find(roles, name) {
        return Ok(role.id.to_string());
    }
    let both = |role: &RoleSpec| [role.id.to_string(), role.code.clone()];
    let known: Vec<String> = roles.values().flat_map(both).collect();
    Err(unknown_role(name, &known))
}
