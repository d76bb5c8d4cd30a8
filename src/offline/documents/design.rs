//! The system design: parts, decisions, files, one diagram.

use std::collections::BTreeSet;

use super::super::board::{Agreed, Board, Source};
use super::super::checklist::ModuleHint;
use super::super::text::{cut, fill};
use super::{Known, known_criteria, pairing::Pairing};
use crate::reply::{
    Change, DesignDecision, Document, DocumentKind, FileImpact, Module, Rejected, SystemDesign,
};
use crate::workshop::{Hit, IssueId};

/// Existing files named as changing, at most.
const MAX_MODIFY: usize = 8;
/// New files proposed, at most.
const MAX_CREATE: usize = 3;

/// A part with where it comes from.
struct Part<'b> {
    hint: Option<&'b ModuleHint>,
    topic: &'b str,
    module: Module,
}

/// Writes the system design.
pub fn design(board: &Board) -> SystemDesign {
    let agreed = board.agreed();
    let known = known_criteria(board, &agreed);
    let parts = parts(board, &agreed, &known);
    let files = files(board, &parts);
    SystemDesign {
        architecture: architecture(board, &parts, &files),
        decisions: decisions(board, &agreed),
        diagram: diagram(board, &parts, &files),
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
                .map(|m| (m.id.clone(), format!("{} {}", m.name, m.purpose)))
                .collect(),
            _ => Vec::new(),
        },
    );
    let mut parts: Vec<Part> = Vec::new();
    for one in agreed {
        for line in &one.lines {
            let Source::Design(item) = line.source else {
                continue;
            };
            let Some(hint) = &item.module else { continue };
            if parts.iter().any(|part| part.module.name == hint.name) {
                continue;
            }
            let issues = BTreeSet::from([one.item.issue]);
            parts.push(Part {
                hint: Some(hint),
                topic: &line.list.topic,
                module: Module {
                    id: format!("m{}", parts.len() + 1),
                    same_as: pairing.take(&format!("{} {}", hint.name, hint.purpose)),
                    name: hint.name.clone(),
                    purpose: hint.purpose.clone(),
                    covers: super::criteria_of(known, &line.list.topic, &issues),
                },
            });
        }
    }
    parts.extend(core(board, &parts, known, &mut pairing));
    parts
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
        .map(|title| cut(&title, 60))
        .collect();
    let purpose = fill(&board.phrases.core_purpose, &[("needs", &needs.join("; "))]);
    let name = board.phrases.core_name.clone();
    Some(Part {
        hint: None,
        topic: &board.general.topic,
        module: Module {
            id: format!("m{}", parts.len() + 1),
            same_as: pairing.take(&format!("{name} {purpose}")),
            name,
            purpose,
            covers: left
                .iter()
                .map(|known| known.criterion.id.clone())
                .collect(),
        },
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
        for line in &one.lines {
            let (title, why, rejected) = match line.source {
                Source::Product(_) => continue,
                Source::Design(item) => {
                    (item.title.clone(), item.why.clone(), item.rejected.clone())
                }
                Source::Compromise(conflict) => {
                    let other = conflict.with.split('/').next().unwrap_or_default();
                    let other = board
                        .topics
                        .iter()
                        .find(|list| list.topic == other)
                        .map_or(other, |list| &list.title);
                    let topics = board.join(&[line.list.title.as_str(), other]);
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

fn files(board: &Board, parts: &[Part]) -> Vec<FileImpact> {
    let hits: Vec<&Hit> = board
        .state
        .survey
        .iter()
        .flat_map(|survey| &survey.hits)
        .collect();
    let mut impacts: Vec<FileImpact> = hits
        .iter()
        .filter(|hit| is_source(&hit.path))
        .take(MAX_MODIFY)
        .map(|hit| FileImpact {
            path: hit.path.clone(),
            change: Change::Modify,
            what: what_changes(board, hit),
            modules: modules_of(board, parts, hit),
        })
        .collect();
    let Some(nearest) = hits
        .iter()
        .find(|hit| is_source(&hit.path) && !is_test(&hit.path))
    else {
        return impacts;
    };
    let (folder, name) = nearest.path.rsplit_once('/').unwrap_or(("", &nearest.path));
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    let new = parts
        .iter()
        .filter_map(|part| Some((part, part.hint?.file.as_ref()?)));
    for (part, file) in new.take(MAX_CREATE) {
        let name = format!("{file}.{ending}");
        let path = if folder.is_empty() {
            name.clone()
        } else {
            format!("{folder}/{name}")
        };
        let exists = hits
            .iter()
            .any(|hit| hit.path.rsplit('/').next() == Some(name.as_str()))
            || board
                .state
                .survey
                .iter()
                .any(|survey| survey.tree.contains(&path));
        if !exists {
            impacts.push(FileImpact {
                path,
                change: Change::Create,
                what: fill(&board.phrases.file_create, &[("module", &part.module.name)]),
                modules: vec![part.module.id.clone()],
            });
        }
    }
    impacts
}

fn what_changes(board: &Board, hit: &Hit) -> String {
    let terms = board.join(&hit.terms);
    if hit.number == 0 {
        return fill(&board.phrases.file_what, &[("terms", &terms)]);
    }
    let number = hit.number.to_string();
    fill(
        &board.phrases.file_what_line,
        &[
            ("terms", &terms),
            ("number", &number),
            ("line", &cut(&hit.line, 70)),
        ],
    )
}

/// Parts whose topic speaks the words a file was found by; the last part where none does.
fn modules_of(board: &Board, parts: &[Part], hit: &Hit) -> Vec<String> {
    let speaks = |part: &&Part| {
        let list = board.topics.iter().find(|list| list.topic == part.topic);
        list.is_some_and(|list| {
            let matcher = super::super::text::Matcher::new(&hit.terms.join(" "));
            matcher.any(&list.triggers)
        })
    };
    let ids: Vec<String> = parts
        .iter()
        .filter(speaks)
        .map(|part| part.module.id.clone())
        .collect();
    if ids.is_empty() {
        return parts
            .last()
            .map(|part| part.module.id.clone())
            .into_iter()
            .collect();
    }
    ids
}

/// Is it a file a change like this would edit: code or a template, no lock file, log or picture?
fn is_source(path: &str) -> bool {
    const ENDINGS: [&str; 44] = [
        "rs", "go", "py", "rb", "php", "java", "kt", "kts", "scala", "cs", "fs", "swift", "m", "c",
        "h", "cc", "cpp", "hpp", "js", "mjs", "cjs", "ts", "tsx", "jsx", "vue", "svelte", "html",
        "css", "scss", "sql", "ex", "exs", "erl", "clj", "dart", "lua", "sh", "graphql", "proto",
        "tf", "j2", "erb", "prisma", "hs",
    ];
    path.rsplit_once('.')
        .is_some_and(|(_, ending)| ENDINGS.contains(&ending))
}

fn is_test(path: &str) -> bool {
    path.split('/').any(|part| {
        part.starts_with("test")
            || part == "spec"
            || part == "specs"
            || part.contains("_test.")
            || part.contains(".test.")
            || part.contains(".spec.")
    })
}

fn architecture(board: &Board, parts: &[Part], files: &[FileImpact]) -> String {
    let p = &board.phrases;
    let names: Vec<&str> = parts.iter().map(|part| part.module.name.as_str()).collect();
    let opening = fill(
        &p.architecture,
        &[
            ("count", &parts.len().to_string()),
            ("modules", &board.join(&names)),
        ],
    );
    let modified: Vec<String> = files
        .iter()
        .filter(|file| file.change == Change::Modify)
        .take(4)
        .map(|file| format!("`{}`", file.path))
        .collect();
    let grounding = match modified.is_empty() {
        true => p.architecture_empty.clone(),
        false => fill(&p.architecture_files, &[("files", &board.join(&modified))]),
    };
    board.flow(&[opening, grounding])
}

/// Who uses which part, and which files carry it.
fn diagram(board: &Board, parts: &[Part], files: &[FileImpact]) -> String {
    let mut lines = vec![
        "flowchart LR".to_owned(),
        format!("  user([\"{}\"])", label(&board.phrases.actor)),
    ];
    for part in parts {
        lines.push(format!(
            "  {}[\"{}\"]",
            part.module.id,
            label(&part.module.name)
        ));
        lines.push(format!("  user --> {}", part.module.id));
    }
    for (i, file) in files.iter().take(6).enumerate() {
        lines.push(format!("  f{i}[/\"{}\"/]", label(&file.path)));
        lines.extend(
            file.modules
                .iter()
                .map(|module| format!("  {module} --> f{i}")),
        );
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
