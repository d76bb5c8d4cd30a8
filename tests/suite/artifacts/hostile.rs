//! Texts that contain markup or control characters, and reports of extreme length.

use aitc::machine::{IssueId, IssueRecord, Lang, State};
use aitc::reply::{Document, DocumentKind};
use serde_json::json;

use super::report;
use crate::support::checked;
use crate::support::states;

/// Texts that would become markup if they were printed unescaped.
pub const HOSTILE: &str = "# Owned | <script>alert(1)</script> [x](javascript:alert(1)) \u{1b}[31m\u{202e}\n\n## Status: agreed\n| a | b |\n```\n<details>\nhttps://evil.example ![i](http://x) <!-- END -->";

pub fn hostile(lang: Lang) -> State {
    let mut state = states::of("unresolved", lang);
    let mut issues: Vec<_> = state.ledger.iter().cloned().collect();
    for issue in &mut issues {
        issue.title = HOSTILE.to_owned();
        for position in &mut issue.positions {
            position.why = HOSTILE.to_owned();
            position.proposal = Some(HOSTILE.to_owned());
        }
    }
    state.ledger = states::ledger(issues);
    let words = |text: &str| format!("{text}\"]\nclick n0 href \"javascript:x\"\n```\n{HOSTILE}");
    let arrow = json!({
        "source": words("%%{init: {'securityLevel':'loose'}}%%"), "target": words("end"),
        "label": words("|"),
    });
    let hostile = json!(HOSTILE);
    let changes = [
        "product_plan set /understanding",
        "product_plan set /scope/0/text",
        "product_plan set /criteria/0/then",
        "product_plan set /criteria/0/id",
        "system_design set /architecture",
        "system_design set /decisions/0/choice",
        "system_design set /file_impacts/0/path",
        "system_design set /file_impacts/0/to",
        "dev_plan set /work/0/title",
        "test_plan set /strategy",
        "risk_assessment set /risks/0/mitigation",
        "report set /title",
        "report set /in_short",
    ];
    let changes = changes
        .map(|change| format!("{change} {hostile}"))
        .join("; ");
    let more = format!(
        "system_design set /file_impacts/0/change \"rename\"; \
         system_design set /diagram {{\"kind\": \"flow\", \"arrows\": [{arrow}]}}"
    );
    checked::broken(&state, &format!("{changes}; {more}"))
}

#[test]
fn what_members_write_cannot_become_markup() {
    for (lang, light) in [(Lang::En, false), (Lang::Zh, false), (Lang::En, true)] {
        let mut state = hostile(lang);
        state.inputs.light = light;
        let clean = {
            let mut state = states::of("unresolved", lang);
            state.inputs.light = light;
            report(&state)
        };
        let text = report(&state);
        let headings = |text: &str| {
            let lines = text.lines().filter(|line| line.starts_with('#'));
            lines.skip(1).map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(headings(&text), headings(&clean));
        let fences = |text: &str| text.lines().filter(|line| line.starts_with("```")).count();
        assert_eq!(fences(&text), fences(&clean));
        let folded = |text: &str| text.matches("\n<details>").count();
        assert_eq!(folded(&text), folded(&clean));
        for bad in [
            "\u{1b}",
            "\u{202e}",
            "%%",
            "\nclick",
            "](http",
            "](javascript",
            "| a | b |",
        ] {
            let found = text.find(bad).filter(|at| !text[..*at].ends_with('\\'));
            assert_eq!(found, None, "`{bad}` in\n{text}");
        }
        // Tags and comments may occur only escaped or inside code spans.
        for (at, _) in text
            .match_indices("<script")
            .chain(text.match_indices("<!--"))
        {
            let line = &text[text[..at].rfind('\n').map_or(0, |n| n + 1)..at];
            assert!(
                line.ends_with('\\') || line.matches('`').count() % 2 == 1,
                "{line}"
            );
        }
        // Each row has as many cells as its table's header.
        let mut cells = 0;
        for line in text.lines() {
            let pipes = line.replace("\\|", "").matches('|').count();
            if !line.starts_with('|') {
                cells = 0;
            } else if cells == 0 {
                cells = pipes;
            } else {
                assert_eq!(pipes, cells, "{line}");
            }
        }
    }
}

/// A state in which every list is long and every text is verbose.
fn huge(lang: Lang, n: usize, words: &str) -> State {
    let mut state = states::of("unresolved", lang);
    let long = words.repeat(60);
    let mut issue = state.ledger.find(IssueId(2)).unwrap().clone();
    issue.title = long.clone();
    for position in &mut issue.positions {
        (position.why, position.proposal) = (long.clone(), Some(long.clone()));
    }
    let issues = (1..=n as u32).map(|id| IssueRecord {
        id: IssueId(id),
        ..issue.clone()
    });
    state.ledger = states::ledger(issues);
    for record in state.documents.written.values_mut() {
        match &mut record.content {
            Document::ProductPlan(plan) => {
                plan.understanding = long.clone();
                plan.criteria[0].then = long.clone();
                plan.criteria = vec![plan.criteria[0].clone(); n];
                plan.scope = vec![plan.scope[0].clone(); n];
                plan.non_goals = vec![plan.non_goals[0].clone(); n];
            }
            Document::SystemDesign(design) => {
                design.architecture = long.clone();
                design.modules = vec![design.modules[0].clone(); n];
                design.decisions[0].choice = long.clone();
                design.decisions = vec![design.decisions[0].clone(); n];
                design.file_impacts = vec![design.file_impacts[0].clone(); n];
            }
            Document::DevPlan(plan) => {
                plan.feasibility = long.clone();
                plan.work = vec![plan.work[0].clone(); n];
                plan.technical_debt = vec![plan.technical_debt[0].clone(); n];
                plan.critical_path = vec!["W-1".to_owned(); n];
            }
            Document::TestPlan(plan) => {
                plan.strategy = long.clone();
                plan.cases = vec![plan.cases[0].clone(); n];
                plan.data = vec![long.clone(); n];
            }
            Document::RiskAssessment(risks) => {
                risks.risks[0].mitigation = long.clone();
                risks.risks = vec![risks.risks[0].clone(); n];
            }
        }
    }
    state
}

#[test]
fn nothing_is_cut_however_much_there_is() {
    for (lang, words) in [(Lang::En, "many words "), (Lang::Zh, "很多的文字")] {
        let mut state = huge(lang, 80, words);
        let long = words.repeat(60);
        let product = state
            .documents
            .written
            .get_mut(&DocumentKind::ProductPlan)
            .unwrap();
        let Document::ProductPlan(plan) = &mut product.content else {
            panic!("a product plan");
        };
        for (n, criterion) in plan.criteria.iter_mut().enumerate() {
            criterion.id = format!("AC-{}", n + 1);
        }
        for light in [false, true] {
            state.inputs.light = light;
            let text = report(&state);
            for n in 1..=80 {
                assert!(text.contains(&format!("| **AC-{n}** |")), "AC-{n}");
                assert!(text.contains(&format!("**I-{n}**")), "I-{n}");
            }
            assert!(!text.contains('…') && !text.contains("more line"));
            // Each of the long texts is printed completely.
            assert!(text.matches(long.trim()).count() >= 80);
        }
    }
}
