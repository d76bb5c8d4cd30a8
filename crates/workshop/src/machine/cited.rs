//! The member that a citation names.

use super::state::State;
use crate::role::RoleSpec;

/// Returns the member that a citation names: by code or name in any case, or as the only member in
/// a text like `PP (round 2)`. Small models confuse codes with item ids and write `C-PP`.
pub(super) fn cited_role<'a>(state: &'a State, cites: &str) -> Option<&'a RoleSpec> {
    let roles = &state.inputs.roles;
    roles.find(cites).or_else(|| {
        let words = || {
            let words = cites.split(|c: char| !c.is_alphanumeric() && c != '-' && c != '_');
            words.map(|word| word.strip_prefix("C-").unwrap_or(word))
        };
        let mut named = roles
            .members
            .iter()
            .filter(|role| words().any(|word| role.is_meant_by(word)));
        named.next().filter(|_| named.next().is_none())
    })
}
