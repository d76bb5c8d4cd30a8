//! Pages from the frozen templates: escaping by default, undefined names are errors.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::sync::Arc;

use minijinja::value::{Serde, Value, ValueKind};
use minijinja::{AutoEscape, Environment, UndefinedBehavior};
use serde::Serialize;

use super::{broken, markup};
use crate::bounded;
use crate::fault::Fault;
use crate::fault::recorded::told;
use crate::fault::settings::TEMPLATE_MISSING;
use crate::lang::Lang;
use crate::machine::{Inputs, MadeOf, ONE_TEXT};

/// Steps a template may take; a workspace's template must not loop for ever.
const FUEL: u64 = 20_000_000;

/// Name of the escaping that only drops control characters.
const PLAIN: &str = "plain";

/// Macros and names that the other templates import.
const SHARED: &str = "report/words.j2";

/// Templates of a run, ready to be rendered.
#[derive(Debug)]
pub(super) struct Pages {
    environment: Arc<Environment<'static>>,
    /// Whether empty lines of code are kept. Pages of earlier runs were printed without them.
    keeps_code: bool,
}

/// Parsed templates of the sets in use, by which of them are needed.
static PARSED: MadeOf<Vec<&'static str>, Environment<'static>> = MadeOf::new();

impl Pages {
    /// Reads the named templates (`report/state.j2`) and what they share.
    pub fn read(inputs: &Inputs, names: &[&'static str]) -> Result<Self, Fault> {
        let parse = || Self::parsed(inputs, names);
        let environment = PARSED.held(&inputs.templates, names.to_vec(), parse)?;
        Ok(Self {
            environment,
            keeps_code: inputs.templates.contains_key(ONE_TEXT),
        })
    }

    fn parsed(inputs: &Inputs, names: &[&'static str]) -> Result<Environment<'static>, Fault> {
        let mut environment = Environment::new();
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        // So that an error names what is undefined.
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
        // Whatever a template prints is escaped unless a filter already did it.
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

    /// Renders one template; the text ends in one newline.
    pub fn render(&self, name: &'static str, context: &impl Serialize) -> Result<String, Fault> {
        let text = self
            .environment
            .get_template(name)
            .and_then(|template| bounded::render(&template, Value::from(Serde(context))))
            .map_err(|e| broken(name, &e))?;
        Ok(tidy(&text, self.keeps_code))
    }
}

/// From foreign text to Markdown.
type Filter = fn(&str) -> String;

/// Filters: `told` (a recorded sentence in a language), `inline`, `bare`, `cell`, `code`, `item`, `sentences`, `line`, `quote`, `listing`, `text`.
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
        told(&text, lang).into_owned()
    };
    bounded::add_filter(environment, "told", Value::from_function(recorded));
    for (name, filter) in filters {
        let marked = move |value: Value| {
            // A value that was made safe before is not escaped twice.
            if value.is_safe() {
                return value;
            }
            match value.kind() {
                ValueKind::String => {
                    Value::from_safe_string(filter(value.as_str().unwrap_or_default()))
                }
                ValueKind::None => Value::from_safe_string(filter("")),
                _ => Value::from_safe_string(filter(&value.to_string())),
            }
        };
        bounded::add_filter(environment, name, Value::from_function(marked));
    }
}

/// No blanks at line ends, never two empty lines (`but_code`: outside of code), one newline
/// at the end.
fn tidy(text: &str, but_code: bool) -> String {
    let mut out = String::with_capacity(text.len());
    let mut empty = true;
    let mut fence = markup::Fence::default();
    for line in text.lines().map(str::trim_end) {
        let is_code = fence.holds(line) && but_code;
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
