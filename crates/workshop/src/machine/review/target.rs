//! Who must handle a finding: the writers of documents, or the user.

use super::record::Writing;
use crate::machine::normalize::{canonical_id, split_id};
use crate::machine::state::State;
use crate::reply::DocumentKind;

/// Words that reviewers use for a part of the plan, and the document that contains it.
const SECTIONS: [(DocumentKind, &str); 5] = [
    (
        DocumentKind::TestPlan,
        "test, coverage, strategy, 测试, 覆盖, 用例",
    ),
    (
        DocumentKind::RiskAssessment,
        "risk, dependenc, assumption, 风险, 依赖, 假设",
    ),
    (
        DocumentKind::DevPlan,
        "dev_plan, work, feasib, debt, order, 工作, 开发, 可行, 债",
    ),
    (
        DocumentKind::SystemDesign,
        "design, architect, module, decision, file, diagram, 设计, 架构, 模块, 决定, 决策, 文件",
    ),
    (
        DocumentKind::ProductPlan,
        "product, scope, goal, criteri, 产品, 范围, 标准",
    ),
];

/// Returns the document whose items have ids of this prefix.
fn of_prefix(prefix: &str) -> Option<DocumentKind> {
    Some(match prefix {
        "AC" => DocumentKind::ProductPlan,
        "M" | "DEC" => DocumentKind::SystemDesign,
        "W" => DocumentKind::DevPlan,
        "T" => DocumentKind::TestPlan,
        "R" => DocumentKind::RiskAssessment,
        _ => return None,
    })
}

/// Returns where a finding is fixed: in a team's synthesis, otherwise in documents.
pub(super) fn writings(state: &State, about: &str, mend: &str) -> Vec<Writing> {
    match state.team {
        Some(_) => vec![Writing::Synthesis],
        None => documents(state, about, mend)
            .into_iter()
            .map(Writing::from)
            .collect(),
    }
}

/// Returns the documents of this run whose writers get a finding: those of the items it is about,
/// and of the items and files that its proposed fix names. None if it is about something agreed,
/// answered or assumed, which only the user can change.
pub fn documents(state: &State, about: &str, mend: &str) -> Vec<DocumentKind> {
    let kinds = state.document_kinds();
    let prefixes = prefixes(about);
    let of = |prefixes: &[String]| -> Vec<DocumentKind> {
        prefixes.iter().filter_map(|p| of_prefix(p)).collect()
    };
    let mut named = of(&prefixes);
    if named.is_empty() && prefixes.iter().any(|p| matches!(&**p, "C" | "Q" | "A")) {
        return Vec::new();
    }
    if named.is_empty() {
        named.extend(by_words(about));
    }
    named.extend(of(&self::prefixes(mend)));
    if names_a_file(state, mend) {
        named.push(DocumentKind::SystemDesign);
    }
    named.sort_unstable();
    named.dedup();
    named.retain(|kind| kinds.contains(kind));
    if named.is_empty() {
        named.extend(kinds.first());
    }
    named
}

/// Returns whether a text names a file that the design changes.
fn names_a_file(state: &State, text: &str) -> bool {
    let design = state.documents.system_design().into_iter();
    let mut files = design.flat_map(|design| &design.file_impacts);
    files.any(|file| {
        text.contains(&file.path) || file.to.as_ref().is_some_and(|to| text.contains(to))
    })
}

/// Returns the prefixes of the ids in a text.
fn prefixes(text: &str) -> Vec<String> {
    let is_end = |c: char| !(c.is_alphanumeric() || c == '-');
    let ids = text.split(is_end).filter_map(canonical_id);
    let prefixes = ids.filter_map(|id| split_id(&id).map(|(prefix, _)| prefix.to_owned()));
    prefixes.collect()
}

/// Returns the document that a text without ids refers to, by its words; a path belongs to the
/// design.
fn by_words(about: &str) -> Option<DocumentKind> {
    let text = about.to_lowercase();
    let says = |words: &str| words.split(", ").any(|word| text.contains(word));
    let named = DocumentKind::ALL
        .into_iter()
        .find(|kind| text.contains(kind.name()));
    let section = || SECTIONS.iter().find(|(_, words)| says(words));
    let is_path = text.contains('/') && !text.contains(' ');
    named
        .or(is_path.then_some(DocumentKind::SystemDesign))
        .or_else(|| section().map(|(kind, _)| *kind))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_id_names_is_known_by_its_words() {
        for (about, expected) in [
            ("system_design", Some(DocumentKind::SystemDesign)),
            ("the test strategy", Some(DocumentKind::TestPlan)),
            ("src/export/csv.rs", Some(DocumentKind::SystemDesign)),
            ("work order", Some(DocumentKind::DevPlan)),
            ("验收标准", Some(DocumentKind::ProductPlan)),
            ("风险", Some(DocumentKind::RiskAssessment)),
            ("the whole", None),
        ] {
            assert_eq!(by_words(about), expected, "{about}");
        }
    }
}
