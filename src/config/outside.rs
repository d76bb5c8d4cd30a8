//! What a project's file may not reach: a folder outside of its workspace.

use super::{ConfigError, Layer, Value};
use crate::fault::settings::KNOWLEDGE_OUTSIDE;

/// What a project's file has searched lies in the workspace: passages of it go to a model and
/// into the record, and a repository somebody else wrote must not choose them elsewhere.
pub(super) fn knows_only_the_workspace(layer: &Layer) -> Result<(), ConfigError> {
    let Some(setting) = layer.settings.get("knowledge") else {
        return Ok(());
    };
    let folders = match &setting.value {
        Value::Texts(folders) => folders.as_slice(),
        _ => &[],
    };
    match folders.iter().find(|folder| leads_out(folder)) {
        Some(folder) => {
            let fault = KNOWLEDGE_OUTSIDE.with(&[("path", folder)]);
            Err(setting.origin.clone().wrong(fault))
        }
        None => Ok(()),
    }
}

/// Is a path absolute on some system, somebody's home, or does it climb?
fn leads_out(path: &str) -> bool {
    let path = path.trim();
    path.starts_with(['/', '\\', '~'])
        || path.chars().nth(1) == Some(':')
        || path.split(['/', '\\']).any(|part| part == "..")
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::{Source, parse};

    /// A repository somebody else wrote has nothing searched but what lies in it.
    #[test]
    fn a_project_has_only_its_own_folders_searched() {
        let source = Source::Project {
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
                assert_eq!(error.fault.code, "E-config-outside", "{text}");
            }
            let own = Source::User {
                path: "u.yaml".to_owned(),
            };
            parse(&format!("knowledge: ['{folder}']"), &own).unwrap();
        }
        parse("knowledge: [docs, ./a..b/c]", &source).unwrap();
    }
}
