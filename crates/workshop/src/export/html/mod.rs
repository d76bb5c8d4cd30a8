//! A version as one page for a browser: the report, and behind it everything it rests
//! on, each thing linked to where it comes from.
//!
//! The page holds all it needs. It loads nothing, runs nothing and says so to the
//! browser itself; whatever others wrote is escaped by the template. No time stands in
//! it: the same version gives the same bytes.

mod markdown;
mod words;

use std::collections::BTreeSet;

use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment, UndefinedBehavior};
use serde_json::{Value, json};

use self::words::word;
use super::{Exported, no_json};
use crate::artifact::{self, Artifact, Plan, plain};
use crate::artifact::{document_markdown, document_name};
use crate::fault::Fault;
use crate::fault::line::INTERNAL;
use crate::machine::{IssueStatus, Lang, State};

const PAGE: &str = include_str!("page.j2");
const STYLE: &str = include_str!("page.css");

/// The page of a version; `files` are those its transcript gives.
///
/// # Errors
/// A part of the plan has no JSON form.
pub fn page(state: &State, files: &[Artifact]) -> Result<Exported, Fault> {
    let plan = artifact::structured(state);
    let lang = plan.language;
    let json = |error: serde_json::Error| no_json(&error);
    let known = anchors(&plan);
    let context = json!({
        "lang": match lang { Lang::En => "en", Lang::Zh => "zh-CN" },
        "css": STYLE,
        "w": words::all(lang),
        "title": title(&plan),
        "facts": facts(&plan),
        "open": open(&plan),
        "sections": sections(&plan),
        "codes": codes(state),
        "report": markdown::page(&text(files, state.inputs.format.report()), &known),
        "rounds": rounds(state, &plan, files),
        "documents": documents(state, lang, &known).map_err(json)?,
        "calls": calls(&plan),
        "plan": cleaned(serde_json::to_value(&plan).map_err(json)?),
    });
    let mut text = rendered(&context).map_err(|error| {
        let what = format!("the page of the plan cannot be made: {error:#}");
        INTERNAL.with(&[("what", &what)])
    })?;
    text.push('\n');
    let items = plan.issues.len();
    Ok(Exported { text, items })
}

fn rendered(context: &Value) -> Result<String, minijinja::Error> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::SemiStrict);
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    let mut syntax = environment.syntax().to_builder();
    syntax.trim_blocks(true).lstrip_blocks(true);
    environment.set_syntax(syntax.build()?);
    environment
        .template_from_str(PAGE)?
        .render(minijinja::Value::from(Serde(context)))
}

/// Control characters and those that turn a line around are no part of any text.
fn cleaned(value: Value) -> Value {
    match value {
        Value::String(text) => Value::String(plain(&text)),
        Value::Array(items) => items.into_iter().map(cleaned).collect(),
        Value::Object(fields) => fields
            .into_iter()
            .map(|(name, value)| (name, cleaned(value)))
            .collect(),
        other => other,
    }
}

/// A file of the version; empty if it has none of that name.
fn text(files: &[Artifact], path: &str) -> String {
    let file = files.iter().find(|file| file.path == path);
    file.map(|file| plain(&String::from_utf8_lossy(&file.bytes)))
        .unwrap_or_default()
}

fn title(plan: &Plan) -> String {
    let given = plan.report.as_ref().map(|report| report.title.trim());
    let first = plan.requirement.lines().next().unwrap_or_default();
    plain(given.filter(|title| !title.is_empty()).unwrap_or(first))
}

/// Ids that stand on the page as places to go to.
fn anchors(plan: &Plan) -> BTreeSet<String> {
    let issues = plan.issues.iter().map(|issue| issue.id.to_string());
    let items = plan.consensus.iter().map(|item| item.item.id.to_string());
    let questions = plan
        .questions
        .iter()
        .map(|question| question.id.to_string());
    let assumed = plan.assumptions.iter().map(|one| one.id.to_string());
    let debates = plan.debates.iter().map(|debate| debate.id.to_string());
    issues
        .chain(items)
        .chain(questions)
        .chain(assumed)
        .chain(debates)
        .collect()
}

/// What a reader wants to know first, in a few words each.
fn facts(plan: &Plan) -> Vec<String> {
    let say = |name: &str, values: &[(&str, usize)]| {
        let texts: Vec<String> = values.iter().map(|(_, n)| n.to_string()).collect();
        let values = values.iter().zip(&texts);
        let values: Vec<(&str, &str)> = values.map(|((key, _), n)| (*key, n.as_str())).collect();
        word(name).with(plan.language, &values)
    };
    let rounds = plan.rounds.len();
    let (all, open) = (plan.issues.len(), open(plan).len());
    let mut facts = vec![
        match rounds {
            1 => say("fact.round", &[]),
            n => say("fact.rounds", &[("n", n)]),
        },
        say("fact.issues", &[("closed", all - open), ("all", all)]),
    ];
    for (one, many, n) in [
        (
            "fact.assumption",
            "fact.assumptions",
            plan.assumptions.len(),
        ),
        (
            "fact.objection",
            "fact.objections",
            plan.dissent.objections.len() + plan.dissent.in_debates.len(),
        ),
    ] {
        match n {
            0 => {}
            1 => facts.push(say(one, &[])),
            n => facts.push(say(many, &[("n", n)])),
        }
    }
    facts
}

fn open(plan: &Plan) -> Vec<String> {
    let open = plan
        .issues
        .iter()
        .filter(|issue| issue.status == IssueStatus::Open);
    open.map(|issue| issue.id.to_string()).collect()
}

/// The parts of the page, for the list beside it.
fn sections(plan: &Plan) -> Vec<Value> {
    [
        ("report", None),
        ("requirement", None),
        ("rounds", Some(plan.rounds.len())),
        ("issues", Some(plan.issues.len())),
        ("consensus", Some(plan.consensus.len())),
        ("debates", Some(plan.debates.len())),
        ("questions", Some(plan.questions.len())),
        ("documents", None),
        ("cost", None),
    ]
    .into_iter()
    // A part that nothing stands in is not there, but for those every plan has.
    .filter(|(id, count)| *count != Some(0) || !["debates", "questions"].contains(id))
    .map(|(id, count)| json!({"id": id, "name": word(id).of(plan.language), "count": count}))
    .collect()
}

/// Short codes by full name.
fn codes(state: &State) -> Value {
    let roles = &state.inputs.roles;
    let all = roles.members.iter().chain([&roles.coach]);
    all.map(|role| (role.id.to_string(), json!(role.code)))
        .collect()
}

/// Rounds with what was said in them; the last one may not be summed up.
fn rounds(state: &State, plan: &Plan, files: &[Artifact]) -> Vec<Value> {
    let last = state.speeches.iter().map(|speech| speech.round).max();
    (1..=last.unwrap_or(0))
        .map(|n| {
            let speeches = state.speeches.iter().filter(|speech| speech.round == n);
            let speeches: Vec<Value> = speeches
                .map(|speech| {
                    let code = state.inputs.roles.code(&speech.member);
                    let path = artifact::speech_path(code, n);
                    json!({"member": speech.member, "text": text(files, &path)})
                })
                .collect();
            let summed = plan.rounds.iter().find(|round| round.round == n);
            let name = word("round").with(plan.language, &[("n", &n.to_string())]);
            json!({
                "round": n,
                "name": name,
                "speeches": speeches,
                "summed": summed.is_some(),
                "agenda": summed.map(|round| &round.agenda),
                "settled": summed.map(|round| &round.settled),
                "entered": summed.map(|round| &round.entered),
                "open_after": summed.map(|round| &round.open_after),
                "summary": summed.map(|round| plain(&round.summary)),
                "reminders": summed.map_or(&[][..], |round| &round.reminders).iter()
                    .map(|one| json!({"member": one.member, "text": plain(&one.text)}))
                    .collect::<Vec<_>>(),
            })
        })
        .collect()
}

/// The final documents, each as a page below its name.
fn documents(
    state: &State,
    lang: Lang,
    known: &BTreeSet<String>,
) -> serde_json::Result<Vec<Value>> {
    let documents = state.documents.iter();
    documents
        .map(|(kind, record)| {
            let content = serde_json::to_value(&record.content)?;
            let text = document_markdown(*kind, &content, lang);
            let name = document_name(*kind, lang);
            Ok(json!({"name": name, "html": markdown::page(&plain(&text), known)}))
        })
        .collect()
}

/// What it took, in one sentence or two.
fn calls(plan: &Plan) -> String {
    let usage = &plan.usage;
    let figures = [usage.answered, usage.failed, usage.rejected].map(|n| n.to_string());
    let [calls, failed, rejected] = &figures;
    let values: [(&str, &str); 3] = [("calls", calls), ("failed", failed), ("rejected", rejected)];
    let mut text = word("calls").with(plan.language, &values);
    if let Some(cost) = usage.cost {
        text.push(' ');
        let about = if usage.total.estimated { "~" } else { "" };
        let usd = format!("{about}{cost}");
        text.push_str(&word("spent").with(plan.language, &[("usd", &usd)]));
    }
    text
}
