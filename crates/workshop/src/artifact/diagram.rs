//! The diagram of a design, as it is drawn.

use super::markup::{clip, one_line};
use crate::reply::{Diagram, DiagramKind};

/// Longest words of a box or an arrow that are drawn, in characters.
const MOST_CHARS: usize = 120;

/// Boxes in the order in which they are named, and arrows from one to another by their places in
/// it, each with its words.
#[derive(Debug)]
pub struct Drawing {
    /// What the arrows are.
    pub kind: DiagramKind,
    /// Words of each box.
    pub boxes: Vec<String>,
    /// Where each arrow leaves and where it leads, and its words.
    pub arrows: Vec<(usize, usize, String)>,
}

impl Drawing {
    /// Finds the boxes of a diagram.
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

    /// An arrow a line, in words.
    pub fn lines(&self) -> impl Iterator<Item = String> {
        self.arrows.iter().map(|(source, target, label)| {
            let label = match label.is_empty() {
                true => String::new(),
                false => format!(" ({label})"),
            };
            format!("{} → {}{label}", self.boxes[*source], self.boxes[*target])
        })
    }

    /// Its source in Mermaid. No word can be anything but a word in it.
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

/// The text with a code in place of each sign that Mermaid, or Markdown in its labels, could take
/// for something else. An empty text becomes a no-break space, since a label cannot be empty.
fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut before = ' ';
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let after = rest.peek().copied().unwrap_or(' ');
        let is_plain = match c {
            ' ' | ',' | '(' => true,
            // `1)` and `1.` begin a list.
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
