//! A run as HTML: as one self-contained file, and as the pages that `aitc view` serves during and
//! after the run.
//!
//! Both are made from the same templates. No page executes or loads anything from others, and the
//! templates escape texts of others. The file contains no time, so the same version gives the same
//! bytes.

mod diagram;
mod evidence;
mod live;
mod markdown;
mod threads;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment, HtmlEscape, UndefinedBehavior};
use serde::Serialize;
use serde_json::{Value, json};

pub use self::live::{CallInFlight, LiveStatus, asked, board, piece, saying, talk};
use self::markdown::LinkTargets;
pub use self::threads::{ReviewFiles, Wording, threads};
use crate::artifact::{self, Artifact, Drawing, Plan, plain};
use crate::artifact::{document_markdown, document_name};
use crate::check::{self, Diff, DiffGroup};
use crate::clean::{each_text, gist};
use crate::fault::Fault;
use crate::fault::line::INTERNAL;
use crate::machine::{Lang, Stage, State, StopReason, ending};
use crate::words::{self, name_or_key, word};

/// The style sheet of every page.
pub const STYLE: &str = concat!(include_str!("page.css"), include_str!("review.css"));
/// The script of the served pages.
pub const SCRIPT: &str = include_str!("page.js");

/// The script for the review on a plan's page, loaded after [`SCRIPT`].
pub const REVIEW_SCRIPT: &str = include_str!("review.js");

/// Maximum size of a file in bytes; from a longer one, parts that can be shown elsewhere are left
/// out.
const MOST_BYTES: usize = 1_000_000;

/// The templates by name. A template that prints names of members or ids starts with the macros for
/// them.
const TEMPLATES: [(&str, &[&str]); 11] = [
    ("head", &[include_str!("head.j2")]),
    ("bar", &[include_str!("bar.j2")]),
    ("plan", &[MACROS, include_str!("plan.j2")]),
    ("talk", &[include_str!("talk.j2")]),
    ("piece", &[MACROS, include_str!("piece.j2")]),
    ("saying", &[MACROS, include_str!("saying.j2")]),
    ("board", &[MACROS, include_str!("board.j2")]),
    ("ask", &[MACROS, include_str!("ask.j2")]),
    ("compare", &[MACROS, include_str!("compare.j2")]),
    ("threads", &[include_str!("threads.j2")]),
    ("home", &[include_str!("home.j2")]),
];
const MACROS: &str = include_str!("macros.j2");

static PAGES: LazyLock<Result<Environment<'static>, minijinja::Error>> = LazyLock::new(|| {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::SemiStrict);
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    let mut syntax = environment.syntax().to_builder();
    syntax.trim_blocks(true).lstrip_blocks(true);
    environment.set_syntax(syntax.build()?);
    environment.add_filter("prose", prose);
    environment.add_filter("page", page);
    environment.add_filter("grouped", grouped);
    for (name, parts) in TEMPLATES {
        environment.add_template_owned(name, parts.concat())?;
    }
    Ok(environment)
});

/// Where a page is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PageTarget {
    /// In a self-contained file.
    File,
    /// On the server; with the number of the version that the plan can be compared with.
    Served(Option<u32>),
}

/// The page with everything about a run. `files` are the files made from its transcript, `review`
/// are the review files beside the version.
///
/// # Errors
/// A part of the plan cannot be serialised as JSON.
pub fn whole(
    state: &State,
    files: &[Artifact],
    review: Option<&ReviewFiles>,
    place: PageTarget,
    lang: Lang,
) -> Result<String, Fault> {
    let plan = artifact::structured(state);
    let report = text(files, state.inputs.format.report());
    let mut known = LinkTargets {
        ids: anchors(state, &plan),
        ours: true,
        ..LinkTargets::default()
    };
    let mut report = markdown::page(&report, &mut known);
    let design = plan.documents.system_design.as_ref();
    if let Some(diagram) = design.and_then(|design| design.content.diagram.as_ref()) {
        // The diagram is found by its whole text, because code of a member may contain Mermaid too.
        let fenced = format!("```mermaid\n{}\n```\n", Drawing::of(diagram).mermaid());
        let source = markdown::page(&fenced, &mut LinkTargets::default());
        report = report.replacen(&source, &diagram::svg(diagram), 1);
    }
    let mut context = frame(state, place, lang, "plan");
    let documents = documents(state, plan.language, &mut known).map_err(no_json)?;
    // The ids of a team's phases; a phase is in the layer after those it needs.
    let layers = state.team.as_ref().and_then(|work| work.plan.layers().ok());
    let speeches = &state.discussion.speeches;
    let rounds = speeches.iter().map(|speech| speech.round);
    let rounds = rounds.chain(plan.rounds.iter().map(|round| round.round));
    let (took, most) = ending::figures(state, StopReason::TimeLimit);
    add(
        &mut context,
        json!({
            "report": report,
            "layers": layers,
            "speeches": cleaned(speeches)?,
            "last_round": rounds.max().unwrap_or_default(),
            "looks": looks(state)?,
            "documents": documents,
            "evidence": evidence::claims(state)?,
            "left_out": Value::Null,
            "cost": plan.usage.cost.map(|cost| cost.to_string()),
            "took": took,
            "most": most,
            "known": known.as_json(),
            "plan": cleaned(&plan)?,
        }),
    );
    add(&mut context, json!({"review": review.is_some()}));
    if let Some(review) = review {
        add(&mut context, threads::of(state, review, place)?);
    }
    let mut page = rendered("plan", &context)?;
    for part in ["looks", "speeches"] {
        if place != PageTarget::File || page.len() < MOST_BYTES {
            break;
        }
        shorten(&mut context, part, lang);
        page = rendered("plan", &context)?;
    }
    page.push('\n');
    Ok(page)
}

/// Empties `part` of a page that is too long for a file, and adds a note about it. The looks and
/// the speeches are the largest parts.
fn shorten(context: &mut Value, part: &str, lang: Lang) {
    fn items(list: &mut Value) -> impl Iterator<Item = &mut Value> {
        list.as_array_mut().into_iter().flatten()
    }
    if part == "looks" {
        for look in items(&mut context["looks"]) {
            look["found"] = json!([]);
        }
    } else {
        for speech in items(&mut context["speeches"]) {
            speech["speech"]["analysis"] = Value::Null;
        }
    }
    let run = context["run"].as_str().unwrap_or_default();
    context["left_out"] = word(&format!("left_out.{part}"))
        .with(lang, &[("run", run)])
        .into();
}

/// Compares two plans by meaning; `newer` is the later one.
///
/// # Errors
/// The difference cannot be serialised as JSON.
pub fn compare(newer: &State, diff: &Diff, lang: Lang) -> Result<String, Fault> {
    let mut context = frame(newer, PageTarget::Served(Some(diff.from)), lang, "compare");
    let plan = artifact::structured(newer);
    let known = LinkTargets {
        ids: anchors(newer, &plan),
        ..LinkTargets::default()
    };
    let groups: Vec<Value> = diff
        .groups
        .iter()
        .map(|group| compared(group, lang))
        .collect();
    add(
        &mut context,
        json!({
            "from": diff.from,
            "to": diff.to,
            "groups": cleaned(&groups)?,
            "note": check::note(diff).map(|note| note.of(lang)),
            "uncompared": check::uncompared(diff, lang),
            "feedback": cleaned(&plan.feedback)?,
            "known": known.as_json(),
            "at": format!("/{}", newer.inputs.run()),
        }),
    );
    rendered("compare", &context)
}

/// The changes in one group of items, in the language of the page.
fn compared(group: &DiffGroup, lang: Lang) -> Value {
    let changed = group.changed.iter().map(|thing| {
        let fields = thing.fields.iter().map(|field| {
            let [old, new] =
                [&field.old, &field.new].map(|text| check::worded(field.field, text, lang));
            json!({
                "name": check::field_name(field.field, lang),
                "old": old,
                "new": new,
            })
        });
        // What a thing is known by is not told twice.
        let is_told = thing.fields.iter().any(|field| field.new == thing.text);
        json!({
            "id": thing.id,
            "text": (!is_told).then(|| check::worded("", &thing.text, lang)),
            "fields": fields.collect::<Vec<Value>>(),
        })
    });
    json!({
        "name": name_or_key("group", group.name, lang),
        "added": group.added,
        "removed": group.removed,
        "changed": changed.collect::<Vec<Value>>(),
    })
}

/// A version or draft in the list of a workspace.
#[derive(Debug, Clone, Serialize)]
pub struct ListedRun {
    /// Name of the run in the address of the page.
    pub run: String,
    /// Its subject, one line.
    pub about: String,
    /// Whether it is a draft.
    pub draft: bool,
    /// `agreed`, `unresolved` or `draft`.
    pub state: &'static str,
}

/// The list of a workspace's versions and drafts; `folder` is shown as the place of the workspace.
///
/// # Errors
/// The template cannot be rendered: a bug.
pub fn home(versions: &[ListedRun], folder: &str, lang: Lang) -> Result<String, Fault> {
    let mut context = outside(lang, word("versions").of(lang));
    add(
        &mut context,
        json!({"versions": cleaned(versions)?, "folder": folder}),
    );
    rendered("home", &context)
}

/// Template values for a page without a run.
fn outside(lang: Lang, title: &str) -> Value {
    json!({
        "lang": tag(lang), "w": words::all(lang), "title": title,
        "css": Value::Null, "run": Value::Null, "view": "home", "before": Value::Null,
    })
}

/// Template values for every page of a run.
fn frame(state: &State, place: PageTarget, lang: Lang, view: &str) -> Value {
    let roles = &state.inputs.roles;
    let marks = roles.members.iter().zip((1..=6).cycle());
    let marks = marks.map(|(role, n)| (role.id.as_str(), format!("m{n}")));
    let marks: BTreeMap<&str, String> = marks
        .chain([(roles.coach.id.as_str(), "lead".to_owned())])
        .collect();
    let (css, before) = match place {
        PageTarget::File => (Some(STYLE), None),
        PageTarget::Served(before) => (None, before),
    };
    json!({
        "lang": tag(lang),
        "css": css,
        "before": before.map(|n| format!("v{n}")),
        "view": view,
        "w": words::all(lang),
        "title": title(state),
        "run": state.inputs.run().to_string(),
        "format": state.inputs.format.name(),
        "going": state.stage < Stage::Complete,
        "codes": roles.codes_by_name(),
        "marks": marks,
        "at": "",
    })
}

fn tag(lang: Lang) -> &'static str {
    match lang {
        Lang::En => "en",
        Lang::Zh => "zh-CN",
    }
}

fn add(context: &mut Value, more: Value) {
    if let (Some(context), Value::Object(more)) = (context.as_object_mut(), more) {
        context.extend(more);
    }
}

fn no_json(error: serde_json::Error) -> Fault {
    unmade(&error.to_string())
}

fn unmade(why: &str) -> Fault {
    INTERNAL.with(&[("what", &format!("the page cannot be made: {why}"))])
}

fn rendered(name: &str, context: &Value) -> Result<String, Fault> {
    let pages = PAGES.as_ref().map_err(|error| unmade(&error.to_string()))?;
    let made = pages
        .get_template(name)
        .and_then(|page| page.render(minijinja::Value::from(Serde(context))));
    made.map_err(|error| unmade(&format!("{error:#}")))
}

/// Escaped text of others, with text between backticks as code.
fn prose(text: minijinja::Value) -> minijinja::Value {
    match text.as_str() {
        Some(words) => minijinja::Value::from_safe_string(with_code(words)),
        None => text,
    }
}

fn with_code(text: &str) -> String {
    let mut parts: Vec<&str> = text.split('`').collect();
    // An unclosed backtick is kept as it is.
    let open = match parts.len() % 2 {
        0 => parts.pop(),
        _ => None,
    };
    let mut out = String::with_capacity(text.len());
    for (n, part) in parts.iter().enumerate() {
        let part = HtmlEscape(part);
        out += &match n % 2 == 1 {
            true => format!("<code>{part}</code>"),
            false => part.to_string(),
        };
    }
    if let Some(open) = open {
        out += &format!("`{}", HtmlEscape(open));
    }
    out
}

/// A number with commas between groups of three digits.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() * 4 / 3);
    for (n, digit) in digits.char_indices() {
        if n > 0 && (digits.len() - n).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Markdown of others as HTML; ids that the page knows become links. Empty for an empty text.
fn page(state: &minijinja::State<'_, '_>, text: Option<&str>) -> minijinja::Value {
    let of_page = |name| state.lookup(name).unwrap_or_default();
    let ids = of_page("known").try_iter().into_iter().flatten();
    let mut known = LinkTargets {
        ids: ids.map(|id| id.to_string()).collect(),
        at: of_page("at").to_string(),
        ours: false,
    };
    let text = text.unwrap_or_default();
    minijinja::Value::from_safe_string(markdown::page(text, &mut known))
}

/// A value as JSON, without control characters and those that reverse a line in any text.
fn cleaned<T: Serialize + ?Sized>(value: &T) -> Result<Value, Fault> {
    let mut value = serde_json::to_value(value).map_err(no_json)?;
    each_text(&mut value, &mut |text| *text = plain(text));
    Ok(value)
}

/// The text of a file of the version; empty if there is no such file.
fn text(files: &[Artifact], path: &str) -> String {
    let file = files.iter().find(|file| file.path == path);
    file.map(|file| plain(&file.text())).unwrap_or_default()
}

fn title(state: &State) -> String {
    let given = state
        .documents
        .report
        .as_ref()
        .map(|report| report.title.trim());
    let given = given.filter(|title| !title.is_empty());
    given.map_or_else(|| gist(&state.task.requirement), plain)
}

/// Ids that have an anchor on the page.
fn anchors(state: &State, plan: &Plan) -> BTreeSet<String> {
    let phases = plan.team.iter().flat_map(|team| &team.phases);
    let review = plan.review.iter().flat_map(|review| &review.findings);
    let looks = state.grounding.looks.seen();
    let trials = looks.filter_map(|seen| seen.trial.as_ref());
    let all = (plan.issues.iter().map(|issue| issue.id.to_string()))
        .chain(plan.consensus.iter().map(|item| item.item.id.to_string()))
        .chain(plan.questions.iter().map(|one| one.id.to_string()))
        .chain(plan.debates.iter().map(|debate| debate.id.to_string()))
        .chain(plan.evidence.iter().map(|one| one.id.to_string()))
        .chain(trials.map(|one| one.id.to_string()))
        .chain(plan.feedback.iter().map(|one| one.id.to_string()))
        .chain(review.map(|finding| finding.id.to_string()))
        .chain(phases.map(|phase| phase.id.to_string()));
    // Assumptions are listed below the questions, so they have anchors only if there are questions.
    let assumed = plan.assumptions.iter().map(|one| one.id.to_string());
    match plan.questions.is_empty() {
        true => all.collect(),
        false => all.chain(assumed).collect(),
    }
}

/// Everything that members looked at, with the lines as they were.
fn looks(state: &State) -> Result<Vec<Value>, Fault> {
    let all = state.grounding.looks.all.iter();
    let all = all.flat_map(|record| record.seen.iter().map(move |seen| (&record.call, seen)));
    all.map(|(call, seen)| {
        let mut look = cleaned(seen)?;
        add(
            &mut look,
            json!({"member": call.member, "round": call.round}),
        );
        Ok(look)
    })
    .collect()
}

/// The final documents, each as HTML with its name.
fn documents(state: &State, lang: Lang, known: &mut LinkTargets) -> serde_json::Result<Vec<Value>> {
    let documents = state.documents.written.iter();
    documents
        .map(|(kind, record)| {
            let content = serde_json::to_value(&record.content)?;
            let text = document_markdown(*kind, &content, lang);
            let name = document_name(*kind, lang);
            Ok(json!({"name": name, "html": markdown::page(&plain(&text), known)}))
        })
        .collect()
}
