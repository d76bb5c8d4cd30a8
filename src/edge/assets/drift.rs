//! Holds what a run froze against what is there now.

use std::collections::BTreeMap;

use super::{Assets, BUILT_IN};
use crate::config::team::TEAM_FILE;
use crate::role::RoleSpec;
use crate::workshop::Inputs;

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
    if inputs.ending.diligence_push_max != now.diligence_push_max {
        found.push(format!("`{TEAM_FILE}` has changed"));
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
