//! The system design: parts, decisions, files, one diagram.

use std::collections::BTreeSet;

use super::super::board::{Agreed, Board};
use super::super::checklist::ModuleHint;
use super::super::line::{Line, Source};
use super::super::text::{cut, fill};
use super::{Known, diagram, impacts, known_criteria, pairing::Pairing};
use crate::machine::IssueId;
use crate::reply::{
    Change, DesignDecision, Document, DocumentKind, FileImpact, Module, Rejected, SystemDesign,
};

/// A part with where it comes from.
pub struct Part<'b> {
    /// The checklist's hint; none for the part that serves what is left.
    pub hint: Option<&'b ModuleHint>,
    /// Words that call its topic up.
    pub triggers: &'b [String],
    /// The issues it was agreed under.
    pub issues: BTreeSet<IssueId>,
    /// What the design says of it.
    pub module: Module,
}

/// Writes the system design.
pub fn design(board: &Board) -> SystemDesign {
    let agreed = board.agreed();
    let known = known_criteria(board, &agreed);
    let parts = parts(board, &agreed, &known);
    let files = impacts::files(board, &parts);
    SystemDesign {
        architecture: architecture(board, &parts, &files),
        decisions: decisions(board, &agreed),
        diagram: diagram::draw(board, &parts, &files),
        modules: parts.into_iter().map(|part| part.module).collect(),
        file_impacts: files,
    }
}

fn parts<'b>(board: &'b Board<'_>, agreed: &[Agreed<'b>], known: &[Known]) -> Vec<Part<'b>> {
    let mut pairing = Pairing::new(
        board,
        DocumentKind::SystemDesign,
        |document| match document {
            Document::SystemDesign(design) => design
                .modules
                .iter()
                .map(|m| (m.id.clone(), m.name.clone()))
                .collect(),
            _ => Vec::new(),
        },
    );
    let mut parts: Vec<Part> = Vec::new();
    for one in agreed {
        for line in &one.lines {
            let Some(hint) = module_of(line) else {
                continue;
            };
            if parts.iter().any(|part| part.module.name == hint.name) {
                continue;
            }
            let issues = BTreeSet::from([one.item.issue]);
            let covers = super::criteria_of(known, &line.list.topic, &issues);
            // What a revision took the criteria from is no part of its own any more.
            if covers.is_empty() {
                continue;
            }
            parts.push(Part {
                hint: Some(hint),
                triggers: &line.list.triggers,
                module: Module {
                    id: format!("m{}", parts.len() + 1),
                    same_as: pairing.take(&hint.name),
                    name: hint.name.clone(),
                    purpose: hint.purpose.clone(),
                    covers,
                },
                issues,
            });
        }
    }
    parts.extend(core(board, &parts, known, &mut pairing));
    parts
}

/// The part of the system a line speaks of; a compromise stands for the item that gave way.
fn module_of<'b>(line: &Line<'b>) -> Option<&'b ModuleHint> {
    match line.source {
        Source::Product(_) => None,
        Source::Design(item) => item.module.as_ref(),
        Source::Compromise(conflict) => {
            let gave_way = line
                .list
                .design
                .iter()
                .find(|item| item.key == conflict.mine);
            gave_way.and_then(|item| item.module.as_ref())
        }
    }
}

/// The part that serves the criteria no other part serves.
fn core<'b>(
    board: &'b Board<'_>,
    parts: &[Part],
    known: &[Known],
    pairing: &mut Pairing,
) -> Option<Part<'b>> {
    let served: BTreeSet<&String> = parts.iter().flat_map(|part| &part.module.covers).collect();
    let left: Vec<&Known> = known
        .iter()
        .filter(|k| !served.contains(&k.criterion.id))
        .collect();
    if left.is_empty() && !parts.is_empty() {
        return None;
    }
    let issues: BTreeSet<IssueId> = left.iter().filter_map(|known| known.issue).collect();
    let needs: Vec<String> = issues
        .iter()
        .filter_map(|issue| board.title_of(*issue))
        .map(|title| cut(&title, 100))
        .collect();
    let purpose = fill(
        &board.phrases.core_purpose,
        &[("needs", &needs.join(&board.phrases.item_join))],
    );
    let name = board.phrases.core_name.clone();
    Some(Part {
        hint: None,
        triggers: &[],
        module: Module {
            id: format!("m{}", parts.len() + 1),
            same_as: pairing.take(&name),
            name,
            purpose,
            covers: left
                .iter()
                .map(|known| known.criterion.id.clone())
                .collect(),
        },
        issues,
    })
}

fn decisions(board: &Board, agreed: &[Agreed]) -> Vec<DesignDecision> {
    let mut pairing = Pairing::new(
        board,
        DocumentKind::SystemDesign,
        |document| match document {
            Document::SystemDesign(design) => design
                .decisions
                .iter()
                .map(|d| (d.id.clone(), format!("{} {}", d.title, d.choice)))
                .collect(),
            _ => Vec::new(),
        },
    );
    let mut decisions: Vec<DesignDecision> = Vec::new();
    for one in agreed {
        let put = |text: &str| fill(text, &[("need", &one.title)]);
        for line in &one.lines {
            let (title, why, rejected) = match line.source {
                Source::Product(_) => continue,
                Source::Design(item) => (put(&item.title), item.why.clone(), item.rejected.clone()),
                Source::Compromise(conflict) => {
                    // A promise that was made stricter chose nothing.
                    let Some((other, _)) = conflict.other_side() else {
                        continue;
                    };
                    let other = board
                        .topics
                        .iter()
                        .find(|list| list.topic == other)
                        .map_or(other, |list| &list.title);
                    let topics = board.join_two(&line.list.title, other);
                    let lost = Rejected {
                        option: given_way(line.list, &conflict.mine, &one.title),
                        why: conflict.because.clone(),
                    };
                    (
                        fill(&board.phrases.collision_title, &[("topics", &topics)]),
                        conflict.accept.clone(),
                        vec![lost],
                    )
                }
            };
            if decisions.iter().any(|known| known.choice == line.text) {
                continue;
            }
            decisions.push(DesignDecision {
                id: format!("d{}", decisions.len() + 1),
                same_as: pairing.take(&format!("{title} {}", line.text)),
                title,
                choice: line.text.clone(),
                why,
                rejected,
                from: vec![one.item.id.to_string()],
            });
        }
    }
    decisions
}

/// The sentence that gave way to a compromise.
fn given_way(list: &super::Checklist, key: &str, need: &str) -> String {
    let product = list
        .product
        .iter()
        .filter(|item| item.key == key)
        .map(|item| &item.say);
    let design = list
        .design
        .iter()
        .filter(|item| item.key == key)
        .map(|item| &item.say);
    product
        .chain(design)
        .next()
        .map(|say| fill(say, &[("need", need)]))
        .unwrap_or_default()
}

fn architecture(board: &Board, parts: &[Part], files: &[FileImpact]) -> String {
    let p = &board.phrases;
    let names: Vec<&str> = parts.iter().map(|part| part.module.name.as_str()).collect();
    let opening = fill(&p.architecture, &[("modules", &board.join(&names))]);
    let modified: Vec<String> = files
        .iter()
        .filter(|file| file.change == Change::Modify)
        .take(3)
        .map(|file| format!("`{}`", file.path))
        .collect();
    let grounding = match modified.is_empty() {
        true => p.architecture_empty.clone(),
        false => fill(&p.architecture_files, &[("files", &board.join(&modified))]),
    };
    if parts.len() < 2 {
        return grounding;
    }
    board.flow(&[grounding, opening])
}
