//! Parts of pages that are generated from the program's tables.
//!
//! Such a part is between `<!-- generated: name -->` and `<!-- end -->`; `AITC_BLESS=1` updates it.

use std::fmt::Write as _;

use aitc::check::{CheckSeverity, Rule};
use aitc::config::{self, KEYS, Key, PRICE_KEYS, PROVIDER_KEYS};
use aitc::edge::model::providers::{LOCALS, PROVIDERS};
use aitc::machine::Lang;
use serde_json::Value;

const BEGIN: &str = "<!-- generated: ";
const END: &str = "<!-- end -->";

/// The page with all generated parts up to date.
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
        "errors" => errors(),
        "phases" => phases(),
        _ => match name.strip_prefix("fields of ") {
            Some(kind) => document(kind),
            None => panic!("nothing is generated under the name `{name}`"),
        },
    }
}

/// All errors, by exit code.
fn errors() -> String {
    let mut all: Vec<_> = aitc::fault::kinds().collect();
    all.sort_by_key(|kind| (kind.exit.code(), kind.code));
    let mut text = String::new();
    let mut exit = None;
    for kind in all {
        if exit != Some(kind.exit.code()) {
            exit = Some(kind.exit.code());
            let _ = write!(text, "\n## Exit code {}\n", kind.exit.code());
        }
        let words = kind.words();
        let _ = write!(text, "\n### {}\n\n{}.\n", kind.code, capital(words.what.0));
        if !words.why.0.is_empty() {
            let _ = writeln!(text, "Why: {}.", words.why.0);
        }
        if !words.fix.0.is_empty() {
            let _ = writeln!(text, "Fix: {}", words.fix.0);
        }
    }
    text
}

/// The text with its first letter in upper case.
fn capital(words: &str) -> String {
    let mut letters = words.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}

/// The purpose of a key.
fn about(name: &str) -> &'static str {
    let line = config::about(name, Lang::En);
    line.unwrap_or_else(|| panic!("no line on the key `{name}`"))
}

/// The default value of a key.
fn built_in(name: &str) -> String {
    config::built_in(name).map_or_else(String::new, |value| format!("`{}`", config::shown(&value)))
}

fn code(names: &[&str]) -> String {
    let quoted: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
    quoted.join(", ")
}

fn keys() -> String {
    let mut table = String::from(
        "| key | what for | values | built in | variable | also written |\n| --- | --- | --- | --- | --- | --- |\n",
    );
    for key in KEYS.iter() {
        let variable = format!("`{}`", key.variable());
        let name = match key.in_files {
            true => format!("`{}`", key.name),
            false => format!("`{}` (not in files)", key.name),
        };
        let _ = writeln!(
            table,
            "| {name} | {} | {} | {} | {variable} | {} |",
            about(key.name),
            key.kind.short,
            built_in(key.name),
            code(&key.aliases)
        );
    }
    table
}

fn provider_keys() -> String {
    let mut table = String::from(
        "| key | what for | values | variable | also written |\n| --- | --- | --- | --- | --- |\n",
    );
    for Key {
        name,
        aliases,
        kind,
        ..
    } in PROVIDER_KEYS.iter()
    {
        let line = about(&format!("providers.{name}"));
        let _ = writeln!(
            table,
            "| `{name}` | {line} | {} | `{}` | {} |",
            kind.short,
            config::provider_variable("NAME", name),
            code(aliases)
        );
    }
    for Key { name, aliases, .. } in PRICE_KEYS.iter() {
        let _ = writeln!(
            table,
            "| `prices.MODEL.{name}` | {} | dollars | `{}` | {} |",
            about(&format!("providers.prices.{name}")),
            config::provider_variable("NAME", config::PRICES),
            code(aliases)
        );
    }
    table
}

fn rules() -> String {
    let mut table = String::from("| rule | | what it requires |\n| --- | --- | --- |\n");
    for rule in Rule::ALL {
        let weight = match rule.severity() {
            CheckSeverity::Error => "error",
            CheckSeverity::Warning => "warning",
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
    let mut command = std::process::Command::new(crate::support::binary::program());
    command
        .env_clear()
        .env("COLUMNS", "80")
        .args(["help", topic]);
    String::from_utf8(command.output().unwrap().stdout).unwrap()
}

/// The help of every command; flags common to all commands are listed once.
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
        let own = help.split("\nGlobal options:").next().unwrap_or_default();
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

/// The kinds of transcript lines.
fn phases() -> String {
    let mut table = String::from("| `phase` | what happened | fields |\n| --- | --- | --- |\n");
    let schema = schema("transcript");
    for kind in schema["oneOf"].as_array().unwrap() {
        // The fields of a kind with a type of its own are among the definitions.
        let own = kind["$ref"]
            .as_str()
            .map(|name| name.trim_start_matches('#'));
        let own = own.map(|name| schema.pointer(name).unwrap());
        let names: Vec<_> = [Some(kind), own]
            .into_iter()
            .flatten()
            .flat_map(|one| one["properties"].as_object().unwrap().keys())
            .map(String::as_str)
            .filter(|name| *name != "phase")
            .collect();
        let phase = kind["properties"]["phase"]["const"].as_str().unwrap();
        let _ = writeln!(
            table,
            "| `{phase}` | {} | {} |",
            sentence(kind),
            code(&names)
        );
    }
    table
}

/// The fields specific to a document.
fn document(kind: &str) -> String {
    const ALL_HAVE: [&str; 6] = [
        "v",
        "document",
        "version",
        "status",
        "written_by",
        "without_model",
    ];
    let mut table = String::from("| field | what |\n| --- | --- |\n");
    let schema = match kind {
        // The file of every format has this structure.
        "planning.ai" => schema("definitions")["$defs"]["Plan"].take(),
        _ => schema(kind),
    };
    for (name, field) in schema["properties"].as_object().unwrap() {
        if kind == "planning.ai" || !ALL_HAVE.contains(&name.as_str()) {
            let _ = writeln!(table, "| `{name}` | {} |", sentence(field));
        }
    }
    table
}
