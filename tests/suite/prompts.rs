//! Prompts: what they share, how they grow, and that texts cannot break out of them.

mod hostile;
mod hostile_files;
mod prefix;
mod purposes;
mod run;

use std::path::Path;

use crate::support::meeting::{self, call_due, holds, receipt, spoken, started};
use aitc::chat::{ChatRequest, ChatRole, FinishReason};
use aitc::edge::assets::{self, Assets};
use aitc::machine::*;
use aitc::prompt::{Prompter, context, estimate_tokens};
use aitc::reply::*;
use run::*;

const BOTH: [Lang; 2] = [Lang::En, Lang::Zh];

fn built_in(lang: Lang) -> Assets {
    assets::load(Path::new("no/such/workspace"), lang, None).unwrap()
}

fn inputs(lang: Lang) -> Inputs {
    let assets = built_in(lang);
    let base = meeting::inputs();
    Inputs {
        doc_lang: lang,
        roles: assets.roles,
        templates: assets.templates,
        template_sources: assets.template_sources,
        rules: RunRules {
            limits: Limits {
                max_rounds: 30,
                ..Limits::default()
            },
            ..base.rules
        },
        questions: QuestionMode::Ask,
        model: ModelChoice {
            provider: "openai".to_owned(),
            model: "test-model".to_owned(),
            temperature: Some(0.2),
            seed: Some(7),
            price: None,
        },
        ..base
    }
}

fn survey() -> Survey {
    let hit = |path: &str, line: &str| Hit {
        path: path.to_owned(),
        blocks: vec![Block {
            from: 12,
            to: 12,
            name: "Invoice.list".to_owned(),
            text: line.to_owned(),
        }],
    };
    Survey {
        files: 42,
        hits: vec![
            hit(
                "src/invoice/list.rs",
                "pub fn list(filter: Filter) -> Vec<Invoice> {",
            ),
            hit("src/http/routes.rs", ".route(\"/invoices\", get(invoices))"),
            Hit {
                path: "docs/invoices.md".to_owned(),
                blocks: Vec::new(),
            },
        ],
        builds: vec!["cargo build, cargo test (Cargo.toml)".to_owned()],
        rules: vec![Passage {
            path: "CONTRIBUTING.md".to_owned(),
            text: "Every change has a test.".to_owned(),
        }],
        uses: vec!["axum".to_owned(), "sqlx".to_owned()],
        tree: ["docs/", "src/", "Cargo.toml", "README.md"]
            .map(str::to_owned)
            .to_vec(),
        knowledge: vec![Passage {
            path: "knowledge/tax.md".to_owned(),
            text: "Exported invoices are kept for ten years.".to_owned(),
        }],
        knowledge_files: 1,
    }
}

#[test]
fn a_broken_template_is_named_with_its_file() {
    let mut broken = inputs(Lang::En);
    broken
        .templates
        .insert("prompt/turn.j2".to_owned(), "{{ nobody }}".to_owned());
    let source = ".ai-tools-chain/templates/prompt/turn.j2".to_owned();
    broken
        .template_sources
        .insert("prompt/turn.j2".to_owned(), source.clone());
    let mut run = Run::new(broken.clone(), requirement(Lang::En), None, "");
    while run.state.round == 0 {
        run.step(&three_rounds);
    }
    let call = call_due(&run.state);
    let error = run
        .prompter
        .request(&run.state, &call)
        .unwrap_err()
        .to_string();
    assert!(error.contains(&source), "{error}");

    broken
        .templates
        .insert("prompt/turn.j2".to_owned(), "{% if %}".to_owned());
    assert!(
        Prompter::new(&broken)
            .unwrap_err()
            .to_string()
            .contains(&source)
    );
    broken.templates.remove("prompt/turn.j2");
    assert!(
        Prompter::new(&broken)
            .unwrap_err()
            .to_string()
            .contains("prompt/turn.j2")
    );
}

#[test]
fn the_context_names_what_the_prompt_holds() {
    let run = finished(Lang::En);
    let mut replay = Run::new(inputs(Lang::En), requirement(Lang::En), None, "");
    while !(replay.state.round == 2 && replay.state.discussion.said.len() == 1) {
        replay.step(&three_rounds);
    }
    let call = call_due(&replay.state);
    assert_eq!(
        context(&replay.state, &call),
        ["I-3", "I-4", "I-5", "C-1", "C-2", "PP_speak_r2"]
    );
    assert_eq!(run.of(Purpose::Speech, 2).len(), 5);
}

#[test]
fn a_speech_prompt_as_it_is_sent() {
    for lang in BOTH {
        let run = finished(lang);
        let request = run.of(Purpose::Speech, 2)[1];
        let shown: Vec<String> = request
            .messages
            .iter()
            .map(|message| format!("==== {:?}\n{}", message.role, message.content))
            .collect();
        insta::assert_snapshot!(format!("speech_{}", lang.code()), shown.join("\n"));
    }
}
