//! A workspace's nudges: their text and their number.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use super::choice::find;
use super::overrides::{as_text, refused};
use super::unfit;
use crate::config::nudges::{self, TEAM_FILE};
use crate::edge::safe_open::{self, FileUse};
use crate::fault::{Fault, Message, nearest, texts, values};
use crate::machine::diligence::SHADOWS;
use crate::machine::{Lang, shown as seen};
use crate::role::{RoleId, RoleSpec, normalise};

texts! {
    NOBODY: "line {line}: nobody is called `{name}`; use {names}", "第 {line} 行：没有名为 `{name}` 的成员；请使用 {names}";
    DEAD_LINK: "it is a link that leads nowhere; remove it", "它是一个无效的链接；请移除它";
}

/// The text of the nudge and its path: the file for the language, otherwise the general one.
/// Without frontmatter, so an empty body is an empty text.
pub(super) fn text(workspace: &Path, lang: Lang) -> Result<Option<(String, String)>, Fault> {
    let of_language = format!(".ai-tools-chain/diligence.{}.md", lang.code());
    for shown in [of_language, ".ai-tools-chain/diligence.md".to_owned()] {
        if let Some(text) = file(workspace, &shown)? {
            // Text that a reader does not see is not sent to a member either.
            return Ok(Some((shown, seen(body(&normalise(&text))))));
        }
    }
    Ok(None)
}

/// Maximum number of nudges by full role name, for the roles in `roles` and the two shadow members;
/// any other name is an error.
pub(super) fn push_max(
    workspace: &Path,
    roles: &BTreeMap<String, RoleSpec>,
) -> Result<BTreeMap<RoleId, i64>, Fault> {
    let Some(text) = file(workspace, TEAM_FILE)? else {
        return Ok(BTreeMap::new());
    };
    let told = nudges::parse(&text).map_err(|what| unfit(TEAM_FILE, &what))?;
    let is_shadow = |name: &str| SHADOWS.iter().any(|it| it.eq_ignore_ascii_case(name));
    told.into_iter()
        .filter(|told| find(roles, &told.member).is_some() || !is_shadow(&told.member))
        .map(|told| match find(roles, &told.member) {
            Some(role) => Ok((role.id.clone(), told.pushes)),
            None => Err(unfit(TEAM_FILE, &nobody(roles, &told))),
        })
        .collect()
}

/// The error for an unknown name, with the most similar one or all names.
fn nobody(roles: &BTreeMap<String, RoleSpec>, told: &nudges::Nudges) -> Message {
    let both = |role: &RoleSpec| [role.id.to_string(), role.code.clone()];
    let mut all: Vec<String> = roles.values().flat_map(both).collect();
    // The coach's code equals its name.
    all.dedup();
    let near = nearest(&told.member, all.iter().map(String::as_str));
    let names = near.map_or_else(|| all.join(", "), |near| format!("`{near}`"));
    let name = told.member.escape_debug();
    NOBODY.fill(values![line = told.line, name, names])
}

/// Reads a file of the workspace; `None` if it does not exist. A broken link is an error.
fn file(workspace: &Path, shown: &str) -> Result<Option<String>, Fault> {
    match safe_open::beneath(workspace, Path::new(shown), FileUse::Settings) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            match safe_open::look(&workspace.join(shown)) {
                Ok(_) => Err(unfit(shown, &DEAD_LINK)),
                Err(_) => Ok(None),
            }
        }
        Err(error) => Err(refused(shown, error)),
        Ok(bytes) => as_text(shown, bytes).map(Some),
    }
}

/// The text after the YAML frontmatter, if there is one.
fn body(text: &str) -> &str {
    let Some(rest) = text.strip_prefix("---\n") else {
        return text.trim();
    };
    if let Some(body) = rest
        .strip_prefix("---")
        .filter(|it| it.is_empty() || it.starts_with('\n'))
    {
        return body.trim();
    }
    match rest.split_once("\n---\n") {
        Some((_, body)) => body.trim(),
        None if rest.ends_with("\n---") => "",
        None => text.trim(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frontmatter_is_no_text() {
        for (text, expected) in [
            ("Go on.\n", "Go on."),
            ("---\ntitle: x\n---\nGo on.\n", "Go on."),
            ("---\ntitle: x\n---\n \n", ""),
            ("---\ntitle: x\n---", ""),
            ("---\n---\nGo on.", "Go on."),
            ("---\n---", ""),
            ("--- no frontmatter", "--- no frontmatter"),
            ("---\nnever closed", "---\nnever closed"),
            (" \n\t", ""),
        ] {
            assert_eq!(body(text), expected, "{text:?}");
        }
    }

    #[test]
    fn the_first_file_that_is_there_decides() {
        let workspace = tempfile::tempdir().unwrap();
        let folder = workspace.path().join(".ai-tools-chain");
        std::fs::create_dir(&folder).unwrap();
        let found = |lang| text(workspace.path(), lang).unwrap();
        assert_eq!(found(Lang::En), None);
        std::fs::write(folder.join("diligence.md"), "for all\r\n").unwrap();
        let general = (
            ".ai-tools-chain/diligence.md".to_owned(),
            "for all".to_owned(),
        );
        assert_eq!(found(Lang::En), Some(general.clone()));
        std::fs::write(folder.join("diligence.zh.md"), "---\nx: 1\n---\n").unwrap();
        let chinese = (".ai-tools-chain/diligence.zh.md".to_owned(), String::new());
        assert_eq!(found(Lang::Zh), Some(chinese));
        assert_eq!(found(Lang::En), Some(general));
        let hidden = "<!-- nobody reads this -->\n";
        std::fs::write(folder.join("diligence.en.md"), hidden).unwrap();
        let off = (".ai-tools-chain/diligence.en.md".to_owned(), String::new());
        assert_eq!(found(Lang::En), Some(off), "a comment is no text");
    }

    #[test]
    fn nothing_outside_is_read() {
        let workspace = tempfile::tempdir().unwrap();
        let outside = tempfile::NamedTempFile::new().unwrap();
        let folder = workspace.path().join(".ai-tools-chain");
        std::fs::create_dir(&folder).unwrap();
        for target in [outside.path(), Path::new("/nowhere/at/all")] {
            let link = folder.join("diligence.md");
            std::os::unix::fs::symlink(target, &link).unwrap();
            let fault = text(workspace.path(), Lang::En).unwrap_err();
            assert_eq!(fault.code, "E-asset-unfit");
            std::fs::remove_file(link).unwrap();
        }
    }
}
