//! Parts of pages that are made from the program's own tables.
//!
//! A part stands between `<!-- generated: name -->` and `<!-- end -->`;
//! `AITC_BLESS=1` writes it anew.

use std::fmt::Write as _;

use aitc::check::{Rule, Severity};
use aitc::config::{KEYS, Key, Kind, PROVIDER_KEYS, Place};
use aitc::edge::model::providers::{LOCALS, PROVIDERS};
use aitc::workshop::Limits;
use serde_json::Value;

const BEGIN: &str = "<!-- generated: ";
const END: &str = "<!-- end -->";

/// The page with every generated part as it has to be.
pub fn renewed(page: &str) -> String {
    let mut pieces = page.split(BEGIN);
    let mut new = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let (name, rest) = piece.split_once(" -->").expect("an open marker");
        let (_, rest) = rest.split_once(END).expect("a part that ends");
        let part = part(name);
        let _ = write!(new, "{BEGIN}{name} -->\n\n{}\n\n{END}{rest}", part.trim());
    }
    new
}

fn part(name: &str) -> String {
    match name {
        "keys" => keys(),
        "provider keys" => provider_keys(),
        "rules" => rules(),
        "services" => services(),
        "servers" => servers(),
        "commands" => commands(),
        "phases" => phases(),
        _ => match name.strip_prefix("fields of ") {
            Some(kind) => document(kind),
            None => panic!("nothing is generated under the name `{name}`"),
        },
    }
}

/// What a key is for, in the order of [`KEYS`] and [`PROVIDER_KEYS`].
const ABOUT: &[(&str, &str)] = &[
    ("language", "language of messages; else that of the locale"),
    (
        "doc_lang",
        "language of prompts and documents; else that of the requirement",
    ),
    (
        "questions",
        "what happens to questions; else `ask` on a terminal, `pause` elsewhere",
    ),
    (
        "first_round",
        "first round one after the other, or side by side",
    ),
    (
        "order",
        "same speaking order in every round, or each starting one further on",
    ),
    ("roles", "who takes part, by name or code; else everybody"),
    ("provider", "who answers the calls; else what is found"),
    ("model", "model of everybody who has none of their own"),
    (
        "role_models",
        "model of one role, `model` or `provider:model`, by its name or code",
    ),
    (
        "knowledge",
        "folders with texts to search, besides the repository",
    ),
    ("limits.max_rounds", "most rounds"),
    ("limits.warn_at_rounds", "round at which the limit is told"),
    (
        "limits.max_duration_minutes",
        "most minutes of discussion, pauses not counted",
    ),
    (
        "limits.warn_at_minutes",
        "minute at which the limit is told",
    ),
    (
        "limits.max_tokens",
        "most tokens of the whole run, input and output; else none",
    ),
    (
        "limits.budget_usd",
        "most dollars of the whole run; needs the price of every model; else none",
    ),
    (
        "limits.retry_base_ms",
        "longest wait after the first failure, doubled after each; else 500",
    ),
    (
        "limits.retry_cap_ms",
        "longest wait that is chosen without the provider asking for it; else 30,000",
    ),
    ("limits.concurrency", "most calls side by side"),
    (
        "limits.max_output_tokens",
        "largest answer that is asked for",
    ),
    (
        "limits.max_failures",
        "failed tries of one call before the run stops",
    ),
    (
        "limits.max_follow_ups",
        "most follow-up questions to one answer",
    ),
    (
        "similarity.provider",
        "provider of the embeddings endpoint; else likeness is measured by characters",
    ),
    (
        "similarity.model",
        "model of the embeddings endpoint; needed with `similarity.provider`",
    ),
    (
        "similarity.threshold",
        "from where a member's speeches count as the same",
    ),
    (
        "similarity.silence_threshold",
        "from where a round counts as a repetition",
    ),
    (
        "similarity.duplicate_threshold",
        "from where two open issues are shown to the coach as alike",
    ),
    (
        "similarity.agreement_words",
        "more words of agreement, besides the built-in list",
    ),
    (
        "similarity.disagreement_words",
        "more words of disagreement, besides the built-in list",
    ),
    ("base_url", "address of the provider's API"),
    ("command", "program and arguments of the provider `command`"),
    ("fixtures", "folder of recorded answers, for `scripted`"),
    ("providers.base_url", "address of its API"),
    (
        "providers.api_key_env",
        "name of the variable that holds its key",
    ),
    ("providers.dialect", "how it is spoken to"),
    ("providers.model", "model taken when none is named"),
    (
        "providers.timeout_ms",
        "milliseconds one call may take; else 600,000",
    ),
    (
        "providers.idle_timeout_ms",
        "milliseconds of silence before a call is given up; else 120,000",
    ),
    (
        "providers.connect_timeout_ms",
        "milliseconds until a connection stands; else 10,000",
    ),
    ("providers.max_concurrent", "most calls at a time"),
    (
        "providers.requests_per_minute",
        "most calls begun in a minute",
    ),
    ("providers.tokens_per_minute", "most tokens in a minute"),
    (
        "providers.proxy",
        "proxy for this provider; else the environment's",
    ),
    (
        "providers.ca_file",
        "certificates trusted besides the machine's own, PEM",
    ),
    (
        "providers.fixtures",
        "folder of recorded answers, for `scripted`",
    ),
    (
        "providers.command",
        "program and arguments that answer in place of an endpoint",
    ),
];

fn about(name: &str) -> &'static str {
    let line = ABOUT.iter().find(|(key, _)| *key == name);
    line.unwrap_or_else(|| panic!("write a line on the key `{name}` into `ABOUT`"))
        .1
}

fn built_in(name: &str) -> String {
    let limits = Limits::default();
    match name {
        "first_round" => "`sequential`".to_owned(),
        "order" => "`fixed`".to_owned(),
        "limits.max_rounds" => limits.max_rounds.to_string(),
        "limits.warn_at_rounds" => limits.warn_at_rounds.to_string(),
        "limits.max_duration_minutes" => limits.max_duration_minutes.to_string(),
        "limits.warn_at_minutes" => limits.warn_at_minutes.to_string(),
        "limits.concurrency" => limits.concurrency.to_string(),
        "limits.max_output_tokens" => limits.max_output_tokens.to_string(),
        "limits.max_failures" => limits.max_failures.to_string(),
        "limits.max_follow_ups" => limits.max_follow_ups.to_string(),
        _ => String::new(),
    }
}

fn values(kind: Kind) -> String {
    match kind {
        Kind::Choice(words) => {
            let quoted: Vec<_> = words.iter().map(|word| format!("`{word}`")).collect();
            quoted.join(", ")
        }
        Kind::Number { min, max } => format!("{min} to {max}"),
        Kind::Ratio => "0 to 1".to_owned(),
        Kind::Usd => "dollars".to_owned(),
        Kind::Text => "text".to_owned(),
        Kind::Texts => "list".to_owned(),
        Kind::Table => "text by name".to_owned(),
        Kind::Url => "address".to_owned(),
        Kind::Variable => "name of a variable".to_owned(),
    }
}

fn code(names: &[&str]) -> String {
    let quoted: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
    quoted.join(", ")
}

fn keys() -> String {
    let mut table = String::from(
        "| key | what for | values | built in | variable | also written |\n| --- | --- | --- | --- | --- | --- |\n",
    );
    for key in KEYS {
        let variable = match key.kind {
            Kind::Table => String::new(),
            _ => format!("`{}`", key.variable()),
        };
        let name = match key.place {
            Place::Anywhere => format!("`{}`", key.name),
            Place::NotInFiles => format!("`{}` (not in files)", key.name),
        };
        let _ = writeln!(
            table,
            "| {name} | {} | {} | {} | {variable} | {} |",
            about(key.name),
            values(key.kind),
            built_in(key.name),
            code(key.aliases)
        );
    }
    table
}

fn provider_keys() -> String {
    let mut table =
        String::from("| key | what for | values | also written |\n| --- | --- | --- | --- |\n");
    for Key {
        name,
        aliases,
        kind,
        ..
    } in PROVIDER_KEYS
    {
        let line = about(&format!("providers.{name}"));
        let _ = writeln!(
            table,
            "| `{name}` | {line} | {} | {} |",
            values(*kind),
            code(aliases)
        );
    }
    table
}

fn rules() -> String {
    let mut table = String::from("| rule | | what it wants |\n| --- | --- | --- |\n");
    for rule in Rule::ALL {
        let weight = match rule.severity() {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        let _ = writeln!(table, "| `{}` | {weight} | {} |", rule.name(), rule.wants());
    }
    table
}

fn services() -> String {
    let mut table = String::from(
        "| `--provider` | key | model, if none is named | another address |\n| --- | --- | --- | --- |\n",
    );
    for service in PROVIDERS {
        let address = service.base_url_var.map(|name| format!("`{name}`"));
        let _ = writeln!(
            table,
            "| `{}` | {} | `{}` | {} |",
            service.name,
            code(service.key_vars),
            service.default_model,
            address.unwrap_or_default()
        );
    }
    table
}

fn servers() -> String {
    let mut table = String::from("| `--provider` | looked for at |\n| --- | --- |\n");
    for server in LOCALS {
        let _ = writeln!(table, "| `{}` | port {} |", server.name, server.port);
    }
    table
}

fn help(topic: &str) -> String {
    let mut command = std::process::Command::new(super::program());
    command
        .env_clear()
        .env("COLUMNS", "80")
        .args(["help", topic]);
    String::from_utf8(command.output().unwrap().stdout).unwrap()
}

/// The help of every command, without the flags of all commands, which stand once.
fn commands() -> String {
    let all = help("all");
    let (_, listed) = all.split_once("Commands:\n").unwrap();
    let (listed, _) = listed.split_once("\n\n").unwrap();
    let names = listed
        .lines()
        .filter_map(|line| line.strip_prefix("  "))
        .filter(|line| !line.starts_with(' '))
        .filter_map(|line| line.split_whitespace().next());
    let mut text = format!("```text\n{}\n```\n", all.trim());
    for name in names.filter(|name| *name != "help") {
        let help = help(name);
        let own = help.split("\nEverywhere:").next().unwrap_or_default();
        let _ = write!(text, "\n## aitc {name}\n\n```text\n{}\n```\n", own.trim());
    }
    text
}

fn schema(name: &str) -> Value {
    let path = super::root().join(format!("schemas/{name}.schema.json"));
    serde_json::from_str(&super::read(&path)).unwrap()
}

fn sentence(of: &Value) -> String {
    let text = of["description"].as_str().unwrap_or_default();
    text.lines().next().unwrap_or_default().replace('|', "\\|")
}

/// The kinds of lines of a transcript.
fn phases() -> String {
    let mut table = String::from("| `phase` | what happened | fields |\n| --- | --- | --- |\n");
    for kind in schema("transcript")["oneOf"].as_array().unwrap() {
        let fields = kind["properties"].as_object().unwrap();
        let names: Vec<_> = fields
            .keys()
            .map(String::as_str)
            .filter(|name| *name != "phase")
            .collect();
        let phase = fields["phase"]["const"].as_str().unwrap();
        let _ = writeln!(
            table,
            "| `{phase}` | {} | {} |",
            sentence(kind),
            code(&names)
        );
    }
    table
}

/// The fields of a document that are its own.
fn document(kind: &str) -> String {
    const ALL_HAVE: [&str; 5] = ["v", "document", "version", "status", "without_model"];
    let mut table = String::from("| field | what |\n| --- | --- |\n");
    let schema = schema(kind);
    for (name, field) in schema["properties"].as_object().unwrap() {
        if kind == "planning.ai" || !ALL_HAVE.contains(&name.as_str()) {
            let _ = writeln!(table, "| `{name}` | {} |", sentence(field));
        }
    }
    table
}
