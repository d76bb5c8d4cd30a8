//! Compares the frozen inputs of a run with the current files.

use std::collections::BTreeMap;

use super::{Assets, BUILT_IN};
use crate::config::nudges::TEAM_FILE;
use crate::fault::{Message, Text, texts, values};
use crate::machine::Inputs;
use crate::role::RoleSpec;

/// The changes since a run froze its inputs, one sentence each, naming the file.
///
/// Files added since are ignored: the run never used them.
pub fn drift(inputs: &Inputs, now: &Assets) -> Vec<Message> {
    let mut found = Vec::new();
    for frozen in std::iter::once(&inputs.roles.coach).chain(&inputs.roles.members) {
        let file = place(&frozen.source, ROLE, frozen.id.as_str());
        match now.roles.find(frozen.id.as_str()) {
            None => found.push(GONE.fill(values![file])),
            Some(current) if !same_role(frozen, current) => {
                let by = replaced_by(&frozen.source, &current.source);
                found.push(CHANGED.fill(values![file, by]));
            }
            Some(_) => {}
        }
    }
    for (key, text) in inputs.templates.iter() {
        let source_of = |sources: &BTreeMap<String, String>| {
            sources
                .get(key)
                .cloned()
                .unwrap_or_else(|| BUILT_IN.to_owned())
        };
        let source = source_of(&inputs.template_sources);
        let file = place(&source, TEMPLATE, key);
        match now.templates.get(key) {
            None => found.push(GONE.fill(values![file])),
            Some(current) if current != text => {
                let by = replaced_by(&source, &source_of(&now.template_sources));
                found.push(CHANGED.fill(values![file, by]));
            }
            Some(_) => {}
        }
    }
    if inputs.rules.ending.diligence_push_max != now.diligence_push_max {
        let file = format!("`{TEAM_FILE}`");
        found.push(CHANGED.fill(values![file, by = ""]));
    }
    found
}

texts! {
    ROLE: "role", "角色";
    TEMPLATE: "template", "模板";
    GONE: "{file} is gone", "{file}不见了";
    CHANGED: "{file} has changed{by}", "{file}有改动{by}";
    BUILT_IN_ONE: "the built-in {kind} `{name}`", "内置{kind} `{name}` ";
    OWN: "`{source}` ({kind} `{name}`)", "`{source}`（{kind} `{name}`）";
    REPLACED: ": it now comes from `{after}`", "：现在来自 `{after}`";
}

fn place(source: &str, kind: Text, name: &str) -> Message {
    let built_in = source == BUILT_IN || source.is_empty();
    let text = if built_in { BUILT_IN_ONE } else { OWN };
    text.fill(values![source, kind, name])
}

fn replaced_by(before: &str, after: &str) -> Message {
    if before == after {
        Message::default()
    } else {
        REPLACED.fill(values![after])
    }
}

fn same_role(a: &RoleSpec, b: &RoleSpec) -> bool {
    RoleSpec {
        source: String::new(),
        ..a.clone()
    } == RoleSpec {
        source: String::new(),
        ..b.clone()
    }
}
