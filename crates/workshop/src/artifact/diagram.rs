//! The boxes and arrows of a design's diagram, ready to be drawn.

use super::markup::{clip, one_line};
use crate::reply::{Diagram, DiagramKind};

/// Maximum characters of the text of a box or an arrow.
const MOST_CHARS: usize = 120;

/// Boxes in the order in which the diagram names them, and arrows between them by index, each with
/// its text.
#[derive(Debug)]
pub struct Drawing {
    /// The meaning of the arrows.
    pub kind: DiagramKind,
    /// The text of each box.
    pub boxes: Vec<String>,
    /// Source and target of each arrow as indexes of boxes, and its text.
    pub arrows: Vec<(usize, usize, String)>,
}

impl Drawing {
    /// Collects the boxes of a diagram.
    pub fn of(diagram: &Diagram) -> Self {
        let mut boxes: Vec<String> = Vec::new();
        let mut place = |name: &str| {
            let name = one_line(name);
            boxes.iter().position(|it| *it == name).unwrap_or_else(|| {
                boxes.push(name);
                boxes.len() - 1
            })
        };
        let arrows = diagram.arrows.iter();
        let arrows = arrows.map(|arrow| (place(&arrow.source), place(&arrow.target), &arrow.label));
        let arrows: Vec<_> = arrows.collect();
        let drawn = |text: &str| clip(&one_line(text), MOST_CHARS);
        let arrows = arrows.into_iter();
        Self {
            kind: diagram.kind,
            boxes: boxes.iter().map(|name| drawn(name)).collect(),
            arrows: arrows.map(|(a, b, label)| (a, b, drawn(label))).collect(),
        }
    }

    /// Each arrow as a line of text.
    pub fn lines(&self) -> impl Iterator<Item = String> {
        self.arrows.iter().map(|(source, target, label)| {
            let label = match label.is_empty() {
                true => String::new(),
                false => format!(" ({label})"),
            };
            format!("{} → {}{label}", self.boxes[*source], self.boxes[*target])
        })
    }

    /// The diagram's source in Mermaid. No text in it can become syntax.
    pub fn mermaid(&self) -> String {
        let boxes = self.boxes.iter().enumerate();
        let arrows = self.arrows.iter();
        let (head, boxes, arrows): (_, Vec<String>, Vec<String>) = match self.kind {
            DiagramKind::Flow => (
                "flowchart LR",
                boxes
                    .map(|(n, name)| format!("n{n}[\"{}\"]", quoted(name)))
                    .collect(),
                arrows
                    .map(|(source, target, label)| match label.is_empty() {
                        true => format!("n{source} --> n{target}"),
                        false => format!("n{source} -->|\"{}\"| n{target}", quoted(label)),
                    })
                    .collect(),
            ),
            DiagramKind::Sequence => (
                "sequenceDiagram",
                boxes
                    .map(|(n, name)| format!("participant n{n} as {}", quoted(name)))
                    .collect(),
                arrows
                    .map(|(source, target, label)| {
                        format!("n{source}->>n{target}: {}", quoted(label))
                    })
                    .collect(),
            ),
        };
        let lines = boxes
            .iter()
            .chain(&arrows)
            .map(|line| format!("\n  {line}"));
        head.to_owned() + &lines.collect::<String>()
    }
}

/// Replaces every character that Mermaid, or Markdown in its labels, could interpret by its code.
/// An empty text becomes a no-break space, because a label must not be empty.
fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut before = ' ';
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let after = rest.peek().copied().unwrap_or(' ');
        let is_plain = match c {
            ' ' | ',' | '(' => true,
            // `1)` and `1.` start a list.
            ')' => !before.is_ascii_digit(),
            '.' | '_' | '-' | '/' | '\'' => before.is_alphanumeric() && after.is_alphanumeric(),
            c => c.is_alphanumeric() || !c.is_ascii(),
        };
        match is_plain {
            true => out.push(c),
            false => out.push_str(&format!("#{};", u32::from(c))),
        }
        before = c;
    }
    match out.is_empty() {
        true => "#160;".to_owned(),
        false => out,
    }
}
