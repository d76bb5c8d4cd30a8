//! The diagram: which need is carried by which part, and which files hold it.

use std::collections::BTreeSet;

use super::super::board::Board;
use super::super::text::cut;
use super::design::Part;
use crate::machine::IssueId;
use crate::reply::{Change, FileImpact};

/// Needs to parts to files, from left to right.
pub fn draw(board: &Board, parts: &[Part], files: &[FileImpact]) -> String {
    let mut lines = vec!["flowchart LR".to_owned()];
    let issues: BTreeSet<IssueId> = parts.iter().flat_map(|p| p.issues.clone()).collect();
    for (i, issue) in issues.iter().enumerate() {
        let title = board.title_of(*issue).unwrap_or_default();
        lines.push(format!("  n{i}([\"{issue} {}\"])", label(&title)));
        for part in parts.iter().filter(|part| part.issues.contains(issue)) {
            lines.push(format!("  n{i} --> {}", part.module.id));
        }
    }
    for part in parts {
        let name = label(&part.module.name);
        lines.push(format!("  {}[\"{name}\"]", part.module.id));
    }
    for (i, file) in files.iter().enumerate() {
        let arrow = if file.change == Change::Create {
            "-.->"
        } else {
            "-->"
        };
        lines.push(format!("  f{i}[/\"{}\"/]", label(&file.path)));
        let to_file = |module: &String| format!("  {module} {arrow} f{i}");
        lines.extend(file.modules.iter().map(to_file));
    }
    lines.join("\n")
}

/// A text that cannot end a quoted Mermaid label or become markup in it.
fn label(text: &str) -> String {
    let safe: String = text
        .chars()
        .map(|c| match c {
            '"' | '`' => '\'',
            '<' | '{' | '[' => '(',
            '>' | '}' | ']' => ')',
            '#' | '&' | ';' | '\\' | '|' => ' ',
            c if c.is_control() => ' ',
            c => c,
        })
        .collect();
    cut(safe.trim(), 60)
}
