//! Renders pages from the frozen templates: values are escaped by default, undefined names are
//! errors.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::sync::Arc;

use minijinja::value::{Serde, Value, ValueKind};
use minijinja::{AutoEscape, Environment, UndefinedBehavior};
use serde::Serialize;

use super::{broken, markup};
use crate::bounded;
use crate::fault::Fault;
use crate::fault::recorded::translated;
use crate::fault::settings::TEMPLATE_MISSING;
use crate::fence::Fence;
use crate::lang::Lang;
use crate::machine::{Inputs, TemplateCache};

/// Maximum number of steps of a template, so that a workspace's template cannot loop forever.
const FUEL: u64 = 20_000_000;

/// Name of the escaping that only removes control characters.
const PLAIN: &str = "plain";

/// The template with macros and names that the others import.
const SHARED: &str = "report/words.j2";

/// The parsed templates of a run.
#[derive(Debug)]
pub(super) struct Pages {
    environment: Arc<Environment<'static>>,
}

/// Parsed templates in use, by the names that are needed.
static PARSED: TemplateCache<Vec<&'static str>, Environment<'static>> = TemplateCache::new();

impl Pages {
    /// Parses the named templates, such as `report/state.j2`, and the shared one.
    pub fn read(inputs: &Inputs, names: &[&'static str]) -> Result<Self, Fault> {
        let parse = || Self::parsed(inputs, names);
        let environment = PARSED.held(&inputs.templates, names.to_vec(), parse)?;
        Ok(Self { environment })
    }

    fn parsed(inputs: &Inputs, names: &[&'static str]) -> Result<Environment<'static>, Fault> {
        let mut environment = Environment::new();
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        // In debug mode an error names the undefined value.
        environment.set_debug(true);
        let mut syntax = environment.syntax().to_builder();
        syntax.trim_blocks(true).lstrip_blocks(true);
        let syntax = syntax.build().map_err(|e| broken(SHARED, &e))?;
        environment.set_syntax(syntax);
        environment.set_fuel(Some(FUEL));
        environment.set_auto_escape_callback(|name| {
            AutoEscape::Custom(Cow::Borrowed(if name == super::speech::PAGE {
                PLAIN
            } else {
                "markdown"
            }))
        });
        // Every printed value is escaped unless a filter has already done so.
        bounded::bound(&mut environment, |state, value, out| {
            let is_plain = matches!(state.auto_escape(), AutoEscape::Custom(kind) if kind == PLAIN);
            match value.as_str() {
                Some(text) if !value.is_safe() && is_plain => out.write_str(&markup::plain(text)),
                Some(text) if !value.is_safe() => out.write_str(&markup::inline(text)),
                _ => write!(out, "{value}"),
            }
        });
        add_filters(&mut environment);
        let mut templates = Vec::new();
        for name in names.iter().copied().chain([SHARED]) {
            let source = inputs.templates.get(name);
            let source = source.ok_or_else(|| TEMPLATE_MISSING.with(&[("name", &name)]))?;
            templates.push((name, source.as_str()));
        }
        bounded::add_templates(&mut environment, templates.into_iter())
            .map_err(|(name, error)| broken(&name, &error))?;
        Ok(environment)
    }

    /// Renders a template; the text ends in one newline.
    pub fn render(&self, name: &'static str, context: &impl Serialize) -> Result<String, Fault> {
        let text = self
            .environment
            .get_template(name)
            .and_then(|template| bounded::render(&template, Value::from(Serde(context))))
            .map_err(|e| broken(name, &e))?;
        Ok(tidy(&text))
    }
}

/// Converts untrusted text to Markdown.
type Filter = fn(&str) -> String;

/// Adds the filters: `told` (a recorded sentence in a language), `inline`, `bare`, `cell`, `code`,
/// `item`, `sentences`, `line`, `quote`, `listing`, `text`.
fn add_filters(environment: &mut Environment<'static>) {
    let filters: [(&str, Filter); 10] = [
        ("inline", markup::inline),
        ("bare", markup::bare),
        ("cell", markup::cell),
        ("code", markup::code),
        ("item", markup::item),
        ("sentences", markup::sentences),
        ("line", markup::one_line),
        ("quote", markup::quote),
        ("listing", markup::listing),
        ("text", markup::text),
    ];
    let recorded = |text: String, lang: String| {
        let lang = match lang == Lang::Zh.code() {
            true => Lang::Zh,
            false => Lang::En,
        };
        translated(&text, lang).into_owned()
    };
    bounded::add_filter(environment, "told", Value::from_function(recorded));
    for (name, filter) in filters {
        let marked = move |value: Value| {
            // A value that is already safe is not escaped again.
            if value.is_safe() {
                return value;
            }
            let text = match value.kind() {
                ValueKind::None => String::new(),
                _ => value.to_string(),
            };
            Value::from_safe_string(filter(&text))
        };
        bounded::add_filter(environment, name, Value::from_function(marked));
    }
}

/// Removes spaces at line ends and, outside of code, repeated empty lines; the text ends in one
/// newline.
fn tidy(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut empty = true;
    let mut fence = Fence::default();
    for line in text.lines().map(str::trim_end) {
        let is_code = fence.holds(line);
        if line.is_empty() && empty && !is_code {
            continue;
        }
        empty = line.is_empty();
        out.push_str(line);
        out.push('\n');
    }
    while out.ends_with("\n\n") {
        out.pop();
    }
    out
}
