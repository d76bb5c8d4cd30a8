//! Texts of unknown syntax: sections by heading, and blocks of lines.

use super::{DefKind, NestedDefinition};

/// Usual number of lines in a block.
pub(super) const ABOUT: usize = 20;
const LEAST: usize = 12;
const MOST: usize = 28;

pub(super) fn is_blank(line: &str) -> bool {
    line.trim().is_empty()
}

/// Splits the lines from `from` to before `end` into blocks of about 20 lines, at lines with the
/// least indentation that start something. Each block is its first line and the one after its last.
pub(super) fn blocks(lines: &[&str], from: usize, end: usize) -> Vec<(usize, usize)> {
    let mut blocks = Vec::new();
    let mut at = from;
    while end - at > MOST {
        let fits = (at + LEAST..=at + MOST).filter(|line| !is_blank(lines[*line]));
        let best = fits.min_by_key(|line| (depth(lines[*line]), line.abs_diff(at + ABOUT)));
        let cut = best.unwrap_or(at + ABOUT);
        let last = (at..cut).rfind(|line| !is_blank(lines[*line]));
        if let Some(last) = last {
            blocks.push((at, last + 1));
        }
        at = cut;
    }
    if at < end {
        blocks.push((at, end));
    }
    blocks
}

/// Indentation of a line; a closing line counts as deeper, because it belongs to the lines above.
fn depth(line: &str) -> usize {
    let text = line.trim_start();
    let white = line[..line.len() - text.len()].chars();
    let columns: usize = white.map(|c| if c == '\t' { 4 } else { 1 }).sum();
    let closes = text.starts_with(['}', ')', ']']) || text.starts_with("end");
    columns * 2 + usize::from(closes)
}

/// The sections of a document; empty for any other text.
pub(super) fn sections(path: &str, lines: &[&str]) -> Vec<NestedDefinition> {
    let ending = path.rsplit('.').next().unwrap_or_default();
    let headings = match ending.to_ascii_lowercase().as_str() {
        "md" | "markdown" | "mdx" => marked(lines),
        "rst" => underlined(lines),
        _ => Vec::new(),
    };
    let ends = headings.iter().skip(1).map(|(from, _)| from - 1);
    let ends: Vec<usize> = ends.chain([lines.len().saturating_sub(1)]).collect();
    let sections = headings.into_iter().zip(ends);
    let sections = sections.map(|((from, name), to)| NestedDefinition {
        name,
        kind: DefKind::Heading,
        from,
        at: from,
        to,
        members: Vec::new(),
    });
    sections.collect()
}

/// Markdown headings starting with `#`, outside of code fences.
fn marked(lines: &[&str]) -> Vec<(usize, String)> {
    let mut headings = Vec::new();
    let mut fence: Option<&str> = None;
    for (row, line) in lines.iter().enumerate() {
        let text = line.trim_start();
        let mark = ["```", "~~~"]
            .into_iter()
            .find(|mark| text.starts_with(mark));
        match (fence, mark) {
            (None, Some(_)) => fence = mark,
            (Some(open), Some(mark)) if open == mark => fence = None,
            _ => {}
        }
        let name = line.trim_start_matches('#');
        let level = line.len() - name.len();
        if fence.is_none() && (1..=6).contains(&level) && name.starts_with(' ') {
            headings.push((row, name.trim().to_owned()));
        }
    }
    headings
}

/// reStructuredText titles: a line above a line of punctuation at least as long.
fn underlined(lines: &[&str]) -> Vec<(usize, String)> {
    let is_rule = |line: &str, length: usize| {
        let line = line.trim_end();
        let mut chars = line.chars();
        let first = chars.next();
        first.is_some_and(|c| "=-~^\"'`#*+.:_".contains(c))
            && chars.all(|c| Some(c) == first)
            && line.chars().count() >= length.max(3)
    };
    let pairs = lines.windows(2).enumerate();
    let titles = pairs.filter_map(|(row, pair)| {
        let title = pair[0].trim_end();
        let begins = title.starts_with(char::is_alphanumeric) || title.starts_with(['`', '*']);
        (begins && is_rule(pair[1], title.chars().count())).then(|| (row, title.to_owned()))
    });
    titles.collect()
}
