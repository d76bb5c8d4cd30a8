//! Refuses folders outside the workspace in a project's file.

use super::{Layer, shown};
use crate::fault::settings::KNOWLEDGE_OUTSIDE;
use crate::fault::{Fault, values};

/// Checks that the knowledge folders of a project's file are inside the workspace. Passages of them
/// are sent to a model and recorded, so a repository written by somebody else must not choose other
/// folders.
pub(super) fn check_knowledge_folders(layer: &Layer) -> Result<(), Fault> {
    let Some(setting) = layer.settings.get("knowledge") else {
        return Ok(());
    };
    let mut folders = setting.value.as_array().into_iter().flatten();
    match folders.find(|folder| folder.as_str().is_some_and(is_outside)) {
        Some(folder) => {
            let fault = KNOWLEDGE_OUTSIDE.with(values![path = shown(folder)]);
            Err(setting.origin.wrong(fault))
        }
        None => Ok(()),
    }
}

/// Whether a path is absolute on any system, in a home directory, or contains `..`.
fn is_outside(path: &str) -> bool {
    let path = path.trim();
    path.starts_with(['/', '\\', '~'])
        || path.chars().nth(1) == Some(':')
        || path.split(['/', '\\']).any(|part| part == "..")
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::{ConfigSource, parse};

    /// A repository written by somebody else can have only its own folders searched.
    #[test]
    fn a_project_has_only_its_own_folders_searched() {
        let source = ConfigSource::Project {
            path: "p.yaml".to_owned(),
            user_file: "u.yaml".to_owned(),
        };
        for folder in [
            "/etc",
            "~/mail",
            "../other",
            "docs/../../other",
            "C:\\Users",
            "..\\other",
        ] {
            for text in [
                format!("knowledge: ['{folder}']"),
                format!("profiles:\n  deep:\n    knowledge_dirs: [docs, '{folder}']"),
            ] {
                let error = parse(&text, &source).unwrap_err();
                assert_eq!(error.code, "E-config-outside", "{text}");
            }
            let own = ConfigSource::User {
                path: "u.yaml".to_owned(),
            };
            parse(&format!("knowledge: ['{folder}']"), &own).unwrap();
        }
        parse("knowledge: [docs, ./a..b/c]", &source).unwrap();
    }
}
