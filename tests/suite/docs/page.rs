//! Parses a page: fenced blocks, the commands in them, headings, links.

use crate::support::blocks::fence;
pub use crate::support::blocks::{Block, blocks};

/// A command of a console block with its output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// Zero-based line of the command.
    pub line: usize,
    /// The command with its continuation lines, without prompts.
    pub command: String,
    /// Zero-based lines of its output.
    pub printed: std::ops::Range<usize>,
}

/// The commands of a console block: `$ ` starts one, `> ` continues it.
pub fn steps(lines: &[&str], block: &Block) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    for index in block.lines.clone() {
        let line = lines[index];
        let continues = |step: &Step| step.printed.is_empty() && step.printed.start == index;
        if let Some(command) = line.strip_prefix("$ ") {
            steps.push(Step {
                line: index,
                command: command.to_owned(),
                printed: index + 1..index + 1,
            });
            continue;
        }
        let step = steps.last_mut();
        let step = step.unwrap_or_else(|| panic!("line {}: no `$ ` before it", index + 1));
        match line.strip_prefix("> ").or((line == ">").then_some("")) {
            Some(more) if continues(step) => {
                step.command.push('\n');
                step.command.push_str(more);
                step.printed = index + 1..index + 1;
            }
            _ => step.printed.end = index + 1,
        }
    }
    steps
}

/// A line of output that would not be read as output: a prompt, a fence, or a first line that
/// would continue the command.
pub fn ambiguous_line(printed: &str) -> Option<&str> {
    let is_ambiguous = |(n, line): &(usize, &str)| {
        let continues = *n == 0 && (line.starts_with("> ") || *line == ">");
        continues || line.starts_with("$ ") || fence(line).is_some()
    };
    let found = printed.lines().enumerate().find(is_ambiguous);
    found.map(|(_, line)| line)
}

/// Commands of a block for copying; lines ending in `\` are joined.
pub fn commands(lines: &[&str], block: &Block) -> Vec<(usize, String)> {
    let mut commands: Vec<(usize, String)> = Vec::new();
    let mut joins = false;
    for index in block.lines.clone() {
        let (text, goes_on) = match lines[index].strip_suffix('\\') {
            Some(text) => (text, true),
            None => (lines[index], false),
        };
        match commands.last_mut() {
            Some((_, command)) if joins => command.push_str(text),
            _ => commands.push((index, text.to_owned())),
        }
        joins = goes_on;
    }
    commands
}

/// Lines outside of fenced blocks, with code spans blanked and zero-based numbers.
pub fn prose<'a>(lines: &'a [&'a str]) -> impl Iterator<Item = (usize, String)> + 'a {
    let blocks = blocks(lines);
    let within = move |index: usize| {
        blocks
            .iter()
            .any(|block| (block.lines.start - 1..=block.lines.end).contains(&index))
    };
    lines
        .iter()
        .enumerate()
        .filter(move |(index, _)| !within(*index))
        .map(|(index, line)| (index, without_code(line)))
}

fn without_code(line: &str) -> String {
    line.split('`')
        .enumerate()
        .map(|(index, part)| if index % 2 == 0 { part } else { "code" })
        .collect()
}

/// Targets of the links and pictures in a line of prose.
pub fn links(prose: &str) -> Vec<&str> {
    prose
        .split("](")
        .skip(1)
        .filter_map(|rest| rest.split_once(')'))
        .map(|(target, _)| target)
        .collect()
}

/// The anchors of a page's headings, as mdBook and most forges make them.
pub fn anchors(lines: &[&str]) -> Vec<String> {
    let fenced = blocks(lines);
    lines
        .iter()
        .enumerate()
        .filter(|(index, _)| !fenced.iter().any(|block| block.lines.contains(index)))
        .filter_map(|(_, line)| {
            line.trim_start_matches('#')
                .strip_prefix(' ')
                .filter(|_| line.starts_with('#'))
        })
        .map(|title| {
            title
                .trim()
                .to_lowercase()
                .chars()
                .filter_map(|c| match c {
                    ' ' => Some('-'),
                    c if c.is_alphanumeric() || "-_".contains(c) => Some(c),
                    _ => None,
                })
                .collect()
        })
        .collect()
}
