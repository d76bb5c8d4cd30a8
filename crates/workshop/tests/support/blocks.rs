//! The fenced blocks of a Markdown page.

/// A fenced code block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// The info string after the opening fence.
    pub info: String,
    /// Zero-based lines between the fences.
    pub lines: std::ops::Range<usize>,
}

/// All fenced blocks of a page, in order.
pub fn blocks(lines: &[&str]) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut open: Option<(&str, usize)> = None;
    for (index, line) in lines.iter().enumerate() {
        let Some(fence) = fence(line) else { continue };
        match open {
            None => open = Some((fence, index)),
            Some((opening, start)) => {
                let is_end = fence.starts_with(opening) && line.trim() == fence;
                if is_end {
                    let info = lines[start].trim().trim_start_matches(['`', '~']);
                    blocks.push(Block {
                        info: info.trim().to_owned(),
                        lines: start + 1..index,
                    });
                    open = None;
                }
            }
        }
    }
    assert!(open.is_none(), "a fence is not closed: {open:?}");
    blocks
}

/// The backticks or tildes at the start of a line.
pub fn fence(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let end = |mark: char| line.find(|c| c != mark).unwrap_or(line.len());
    let length = end('`').max(end('~'));
    (length >= 3).then(|| &line[..length])
}
