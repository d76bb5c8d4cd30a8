//! Prompts: what they share, how they grow, and that texts cannot break out of them. What the
//! prompt of each kind of call contains is played in `tests/played/prompts.md`.

mod hostile;
mod prefix;
mod purposes;

use serde_json::json;
use workshop::chat::{ChatRequest, ChatRole};
use workshop::machine::*;
use workshop::prompt::Prompter;
use workshop::reply::*;
use workshop::role::{RoleSet, RoleSpec, parse_role};

use crate::support::meeting::{Meeting, call_due, calls_due};
use crate::support::played::{moments, play};
use crate::support::{project, states};

const BOTH: [Lang; 2] = [Lang::En, Lang::Zh];

/// The members as the program brings them.
fn built_in(lang: Lang) -> RoleSet {
    let files = std::fs::read_dir(project("roles").join(lang.code())).unwrap();
    let roles = files.map(|file| {
        let path = file.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let role = parse_role(path.to_str().unwrap(), &text).unwrap();
        RoleSpec {
            source: "built-in".to_owned(),
            ..role
        }
    });
    let (coach, mut members): (Vec<_>, Vec<_>) = roles.partition(|role| role.id.is_coach());
    members.sort_by_key(|role| role.order);
    RoleSet {
        coach: coach.into_iter().next().unwrap(),
        members,
        absent: Default::default(),
    }
}

const SURVEY: &str = r#"survey {"files": 42, "hits": [{"path": "src/invoice/list.rs",
    "blocks": [{"from": 12, "to": 12, "name": "Invoice.list", "text": "pub fn list(filter: Filter) {"}]},
    {"path": "docs/invoices.md", "blocks": []}],
    "builds": ["cargo build, cargo test (Cargo.toml)"], "uses": ["axum", "sqlx"],
    "rules": [{"path": "CONTRIBUTING.md", "text": "Every change has a test."}],
    "tree": ["docs/", "src/", "Cargo.toml", "README.md"], "knowledge_files": 1,
    "knowledge": [{"path": "knowledge/tax.md", "text": "Exported invoices are kept for ten years."}]}"#;

/// A plan of three rounds with speeches of about 250 words, one question and one reminder: two
/// issues are settled in round 1, two in round 2, one in round 3.
fn three_rounds(lang: Lang, more: &[&str]) -> Meeting {
    let sentence = match lang {
        Lang::En => {
            "In round {n} {code} looks at it: the export must name its columns once, keep the order \
             of the list on screen, and stop with a clear message when a row cannot be written. "
        }
        Lang::Zh => {
            "第 {n} 轮，{code} 看这一点：导出要把列名写清楚，保持屏幕上的顺序，遇到写不出的行要停下来并说明原因。"
        }
    };
    let said = sentence.repeat(7);
    let script = [
        &format!("files {}", lang.code()),
        &format!("set roles = {}", json!(built_in(lang))),
        "agrees 3",
        SURVEY,
        "wants Export the filtered invoice list as CSV, so that accounting need not type it.",
        "set questions = ask",
        "set model.provider = openai",
        "set model.seed = 7",
        "judgment: with {\"new_issues\": []}; raises blocking Which invoices are exported; \
         raises blocking Which columns and formats; raises blocking Who may export; \
         raises blocking How large an export may be; raises blocking What is logged",
        &format!("speech: says {said}"),
        &format!("SD r1: says {said}; asks Which currencies occur?"),
        "answer terminal EUR and USD.",
        "summary r1: I-1 settled PP; I-2 settled PP; reminds TP Leave the database alone.",
        "summary r2: I-3 settled PP; I-4 settled PP",
    ];
    play(script.into_iter().chain(more.iter().copied()))
}

/// The requests of a purpose in a round.
fn of(sent: &[ChatRequest], purpose: Purpose, round: u32) -> Vec<&ChatRequest> {
    let wanted = |r: &&ChatRequest| r.call.purpose == purpose && r.call.round == round;
    sent.iter().filter(wanted).collect()
}

/// The prompt as providers count it: the schema first, then the messages.
fn whole(request: &ChatRequest) -> String {
    let mut text = request.schema.schema.to_string();
    for message in &request.messages {
        text.push_str(&format!("\n<{:?}>\n{}", message.role, message.content));
    }
    text
}

#[test]
fn a_broken_template_is_named_with_its_file() {
    const KEY: &str = "prompt/turn.j2";
    let own = format!(".ai-tools-chain/templates/{KEY}");
    let refused = |text: &str, is_own: bool| {
        let mut inputs = states::inputs(Lang::En);
        inputs.templates.insert(KEY.to_owned(), text.to_owned());
        if is_own {
            inputs.template_sources.insert(KEY.to_owned(), own.clone());
        }
        let state = moments::at(&play(["files en"]), "call_started PP,r1").state;
        let call = call_due(&state);
        let told = Prompter::new(&inputs).and_then(|it| it.request(&state, &call));
        told.unwrap_err().to_string()
    };
    for text in ["{{ nobody }}", "{% if %}"] {
        assert!(refused(text, true).contains(&own), "{text}");
        assert!(refused(text, false).contains(KEY), "{text}");
    }
}

#[test]
fn a_speech_prompt_as_it_is_sent() {
    for lang in BOTH {
        let request = &moments::requests(&three_rounds(lang, &[]), "speech SD r2")[0];
        let shown: Vec<String> = request
            .messages
            .iter()
            .map(|message| format!("==== {:?}\n{}", message.role, message.content))
            .collect();
        insta::assert_snapshot!(format!("speech_{}", lang.code()), shown.join("\n"));
    }
}
