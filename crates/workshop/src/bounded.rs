//! Limits the output of templates. Templates from a workspace, or from the transcript in a cloned
//! repository, are untrusted: their output is limited in bytes whatever they do.

mod growth;

use std::fmt::{self, Write as _};
use std::io;

use minijinja::value::{Rest, ValueKind, ValueOrKwargs};
use minijinja::{Environment, Error, ErrorKind, State, Template, Value, filters};

/// Maximum number of bytes of one text, of all intermediate results, and of a filter's output.
const MOST: usize = 32 << 20;
/// Largest number that a filter which lengthens text accepts.
const WIDEST: i64 = 1000;

fn too_much() -> Error {
    let what = format!("it makes more than {} MiB; shorten it", MOST >> 20);
    Error::new(ErrorKind::InvalidOperation, what)
}

/// Maximum recursion depth of macros and other calls, as minijinja counts it.
const DEEPEST: usize = 100;

/// Limits what the templates of an environment can produce. Stored text and the output of filters
/// count like printed text, no filter produces unlimited text, and nothing grows from one loop
/// iteration to the next. Templates must be added by [`add_templates`], which checks the rest.
pub fn bound(
    environment: &mut Environment<'static>,
    write: fn(&State, &Value, &mut LimitedWriter) -> fmt::Result,
) {
    environment.set_recursion_limit(DEEPEST);
    for name in ["namespace", "debug", "dict"] {
        environment.add_function(name, move |_: Rest<Value>| -> Result<Value, Error> {
            let what = format!("`{name}` is not to be had in templates");
            Err(Error::new(ErrorKind::InvalidOperation, what))
        });
    }
    for name in ["chain", "zip", "sum", "pprint"] {
        environment.remove_filter(name);
    }
    environment.set_formatter(move |out, state, value| {
        let written = state.get_extension::<BytesWritten>().map_or(0, |it| it.0);
        let mut counted = LimitedWriter {
            text: String::new(),
            left: MOST.saturating_sub(written),
        };
        write(state, value, &mut counted).map_err(|_| too_much())?;
        state.get_or_insert_extension(BytesWritten(0)).0 = written + counted.text.len();
        out.write_str(&counted.text).map_err(Into::into)
    });
    for (name, filter) in [
        ("batch", Value::from_function(filters::batch)),
        ("capitalize", Value::from_function(filters::capitalize)),
        ("dictsort", Value::from_function(filters::dictsort)),
        ("e", Value::from_function(filters::escape)),
        ("escape", Value::from_function(filters::escape)),
        ("format", Value::from_function(filters::format)),
        ("groupby", Value::from_function(filters::groupby)),
        ("indent", Value::from_function(filters::indent)),
        ("items", Value::from_function(filters::items)),
        ("join", Value::from_function(filters::join)),
        ("lines", Value::from_function(filters::lines)),
        ("list", Value::from_function(filters::list)),
        ("lower", Value::from_function(filters::lower)),
        ("map", Value::from_function(filters::map)),
        ("replace", Value::from_function(filters::replace)),
        ("reverse", Value::from_function(filters::reverse)),
        ("round", Value::from_function(filters::round)),
        ("slice", Value::from_function(filters::slice)),
        ("sort", Value::from_function(filters::sort)),
        ("split", Value::from_function(filters::split)),
        ("string", Value::from_function(filters::string)),
        ("title", Value::from_function(filters::title)),
        ("tojson", Value::from_function(filters::tojson)),
        ("trim", Value::from_function(filters::trim)),
        ("unique", Value::from_function(filters::unique)),
        ("upper", Value::from_function(filters::upper)),
    ] {
        add_filter(environment, name, filter);
    }
}

/// Adds a filter whose arguments are limited and whose output is counted.
pub fn add_filter(environment: &mut Environment<'static>, name: &'static str, filter: Value) {
    let counted = move |state: &mut State, given: Rest<ValueOrKwargs>| {
        let given = given.into_values();
        if !is_within(name, &given) {
            return Err(too_much());
        }
        let made = filter.call(state, &given)?;
        let size = match made.as_str() {
            Some(text) => text.len(),
            None => made.len().unwrap_or(0).saturating_mul(size_of::<Value>()),
        };
        let written = &mut state.get_or_insert_extension(BytesWritten(0)).0;
        *written = written.saturating_add(size);
        match *written <= MOST {
            true => Ok(made),
            false => Err(too_much()),
        }
    };
    environment.add_filter(name, counted);
}

/// Adds templates, given with their names. All templates of an environment must be added in one
/// call.
///
/// # Errors
/// A template is malformed, or something in it could double from step to step: its name, and why.
pub fn add_templates<'a>(
    environment: &mut Environment<'static>,
    templates: impl Iterator<Item = (&'a str, &'a str)> + Clone,
) -> Result<(), (String, Error)> {
    growth::check(templates.clone(), environment.syntax())?;
    for (name, source) in templates {
        let added = environment.add_template_owned(name.to_owned(), source.to_owned());
        added.map_err(|error| (name.to_owned(), error))?;
    }
    Ok(())
}

/// Renders a template up to [`MOST`] bytes.
///
/// # Errors
/// The template fails, or its output is longer.
pub fn render(template: &Template<'_, '_>, context: Value) -> Result<String, Error> {
    let mut out = Out(Vec::new());
    template.render_captured_to(context, &mut out)?;
    String::from_utf8(out.0).map_err(|_| too_much())
}

/// Number of bytes written so far, wherever they went.
struct BytesWritten(usize);

/// A writer that accepts as much text as is left.
pub struct LimitedWriter {
    text: String,
    left: usize,
}

impl fmt::Write for LimitedWriter {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if text.len() > self.left {
            return Err(fmt::Error);
        }
        self.left -= text.len();
        self.text.push_str(text);
        Ok(())
    }
}

struct Out(Vec<u8>);

impl io::Write for Out {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0.len() + bytes.len() > MOST {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Returns whether the filter's output for these arguments stays within the limits.
fn is_within(name: &str, given: &[Value]) -> bool {
    let texts: Vec<&str> = given.iter().filter_map(Value::as_str).collect();
    match (name, texts.as_slice()) {
        ("format", [format, ..]) => is_narrow(format),
        ("join", [.., between]) if given.len() > 1 => measured(&given[0], between.len()),
        ("join", _) => given.first().is_none_or(|items| measured(items, 0)),
        ("replace", [text, from, to, ..]) => {
            let times = text.matches(from).count().saturating_add(1);
            times.saturating_mul(to.len()) <= MOST
        }
        // The filler would be repeated once for each missing item.
        ("batch" | "slice", [..]) if given.len() > 2 => false,
        ("map", _) => {
            let named = given.iter().filter(|value| value.kind() == ValueKind::Map);
            let fills_up = named.filter_map(|it| it.get_attr("default").ok());
            let fills_up = fills_up.filter(|it| !it.is_undefined()).count() > 0;
            let filter = given.get(1).and_then(|it| it.as_str());
            !fills_up && !matches!(filter, Some("default" | "d"))
        }
        ("tojson", _) => given.iter().skip(1).all(is_small) && is_short(given.first()),
        // Lines may be nearly empty, and each gets the full indent.
        ("indent", [text, ..]) => {
            let lines = text.matches('\n').count() + 1;
            let widest = usize::try_from(WIDEST).unwrap_or_default();
            given.iter().skip(1).all(is_small) && (lines < MOST / widest)
        }
        _ => given.iter().skip(1).all(is_small),
    }
}

/// Returns whether a value is a number within the limits, or not a number. Numbers in named
/// arguments are checked too.
fn is_small(value: &Value) -> bool {
    match value.kind() {
        ValueKind::Number => i64::try_from(value.clone()).is_ok_and(|n| n.abs() <= WIDEST),
        ValueKind::Map => {
            let keys = value.try_iter().into_iter().flatten();
            keys.filter_map(|key| value.get_item(&key).ok())
                .all(|value| value.kind() == ValueKind::Map || is_small(&value))
        }
        _ => true,
    }
}

/// Returns whether no width or precision has more than three digits or comes from an argument, and
/// the format has fewer than 10,000 parts.
fn is_narrow(format: &str) -> bool {
    let is_digit = |c: char| c.is_ascii_digit();
    let is_long = |number: &str| number.len() > 3;
    let numbers = format.split(|c| !is_digit(c));
    !numbers.clone().any(is_long) && !format.contains('*') && numbers.count() < 10_000
}

/// Returns whether all items, joined by a text of length `between`, stay within the limits.
fn measured(items: &Value, between: usize) -> bool {
    let mut all = LimitedWriter {
        text: String::new(),
        left: MOST,
    };
    let mut items = items.try_iter().into_iter().flatten();
    items.all(|item| {
        let length = match item.as_str() {
            Some(text) => text.len(),
            None => {
                let before = all.text.len();
                if write!(all, "{item}").is_err() {
                    return false;
                }
                all.text.len() - before
            }
        };
        let fits = length + between <= all.left;
        all.left = all.left.saturating_sub(length + between);
        fits
    })
}

fn is_short(value: Option<&Value>) -> bool {
    let mut all = LimitedWriter {
        text: String::new(),
        left: MOST,
    };
    value.is_none_or(|value| write!(all, "{value}").is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ways in which a template can produce huge output. Each of them alone would fill the memory.
    #[test]
    fn nothing_is_made_without_measure() {
        for source in [
            "{{ '%9999999999d'|format(1) }}",
            "{{ '%*d'|format(99999999, 1) }}",
            "{{ '%.999999999f'|format(1.0) }}",
            "{{ 'x'|indent(9999999999, true) }}",
            "{{ 'x'|indent(width=9999999999, first=true) }}",
            "{{ [1]|batch(9999999999, 'x') }}",
            "{{ [1]|tojson(9999999999) }}",
            "{{ [1]|tojson(indent=9999999999) }}",
            "{{ ('x' * 9999999)|replace('x', 'y' * 9999) }}",
            "{{ range(99999)|join('x' * 9999999) }}",
            "{{ ['x' * 9999999] * 9999 }}",
            "{{ (['x' * 999999] * 9999)|join }}",
            "{{ (['x' * 999999] * 9999)|tojson }}",
            "{% set n = namespace(x='x') %}{% for i in range(99) %}{% set n.x = n.x ~ n.x %}{% endfor %}",
            "{% for i in range(9999) %}{{ 'x' * 99999 }}{% endfor %}",
            "{% set x %}{% for i in range(9999) %}{{ 'x' * 99999 }}{% endfor %}{% endset %}",
            "{% macro m(n) %}{% if n %}{{ m(n - 1) }}{{ m(n - 1) }}{% endif %}x{% endmacro %}{{ m(60) }}",
        ] {
            if let Ok(environment) = added(&[("t", source)]) {
                let template = environment.get_template("t").unwrap();
                assert!(render(&template, Value::from(())).is_err(), "{source}");
            }
        }
    }

    /// Ways to double something from step to step. Each step is cheap, but sixty steps are too
    /// many.
    #[test]
    fn nothing_doubles_from_step_to_step() {
        let sixty = |step: &str| {
            (0..60)
                .map(|n| step.replace("#", &n.to_string()))
                .collect::<String>()
        };
        let chained = |step: &str| {
            let steps = (0..60).map(|n: usize| {
                let next = step.replace("$", &format!("v{}", n + 1));
                next.replace("#", &format!("v{n}"))
            });
            format!(
                "{{% set v0 = 'xx' %}}{}{{{{ v60 }}}}",
                steps.collect::<String>()
            )
        };
        let alone = [
            chained("{% set $ = # ~ # %}"),
            chained("{% set $ = # + # %}"),
            chained("{% set $ = [#, #] %}"),
            chained("{% set $ = ([#] + [#])|list %}"),
            chained("{% set $ = {'a': #, 'b': #} %}"),
            chained("{% set $ = (#, #) %}"),
            chained("{% set $ = (# ~ #)|upper %}"),
            chained("{% set $ = # if v0 == 'y' else # ~ # %}"),
            chained("{% set $ = v0|default(# ~ #) ~ # %}"),
            chained("{% set $, other = # ~ #, 1 %}"),
            chained("{% set $ = # * 2 %}"),
            chained("{% set $ %}{{ # }}{{ # }}{% endset %}"),
            chained("{% set $ = #|replace('x', 'xx') %}"),
            chained("{% set $ = [#, #]|join %}"),
            chained("{% set $ = [[#]]|tojson|replace('x', 'x x')|escape|escape %}"),
            chained("{% set $ = [1]|batch(1000, #)|list %}"),
            chained("{% set $ = range(1000)|map(attribute='a', default=#)|list %}"),
            chained("{% set $ = [none]|map('default', #)|list ~ # %}"),
            chained("{% set $ = dict(a=#, b=#) %}"),
            chained("{% set $ = '%s%s'|format(#, #) %}"),
            sixty("{% set a = (a ~ a) if a is defined else 'xx' %}") + "{{ a }}",
            sixty("{% set a = debug() %}") + "{{ a }}",
            "{% set v0 = 'xx' %}".to_owned()
                + &(0..60).map(|n| format!("{{% with v{} = v{n} ~ v{n} %}}", n + 1)).collect::<String>()
                + "{{ v60 }}"
                + &"{% endwith %}".repeat(60),
            "{% set v0 = 'xx' %}".to_owned()
                + &(0..60).map(|n| format!("{{% for v{} in [v{n} ~ v{n}] %}}", n + 1)).collect::<String>()
                + "{{ v60 }}"
                + &"{% endfor %}".repeat(60),
            "{% set v0 = ['xx'] %}".to_owned()
                + &(0..60)
                    .map(|n| format!("{{% set g{n} = v{n} + v{n} %}}{{% for v{} in [g{n}] %}}", n + 1))
                    .collect::<String>()
                + "{{ v60|list|length }}"
                + &"{% endfor %}".repeat(60),
            (0..60)
                .map(|n| format!("{{% macro m{n}(a) %}}{{{{ m{}(a ~ a) }}}}{{% endmacro %}}", n + 1))
                .collect::<String>()
                + "{% macro m60(a) %}{{ a }}{% endmacro %}{{ m0('xx') }}",
            (0..60)
                .map(|n| format!("{{% macro m{n}(a) %}}{{% set b{n} %}}{{{{ a }}}}{{{{ a }}}}{{% endset %}}{{{{ m{}(b{n}) }}}}{{% endmacro %}}", n + 1))
                .collect::<String>()
                + "{% macro m60(a) %}{{ a }}{% endmacro %}{{ m0('xx') }}",
            "{% macro m(a, n) %}{% if n %}{{ m(a ~ a, n - 1) }}{% endif %}{% endmacro %}{{ m('xx', 60) }}".to_owned(),
            "{% macro m(a, n) %}{% set b = a ~ a %}{% if n %}{{ m(b, n - 1) }}{% endif %}{% endmacro %}{{ m('xx', 60) }}".to_owned(),
            "{% macro m(a, n) %}{% if n %}{{ m(n=n - 1, a=[a, a]) }}{% endif %}{% endmacro %}{{ m('xx', 60) }}".to_owned(),
            "{% macro m(a, n) %}{% if n %}{{ m(*[a ~ a, n - 1]) }}{% endif %}{% endmacro %}{{ m('xx', 60) }}".to_owned(),
            "{% macro m(a) %}{{ caller(a ~ a) }}{% endmacro %}".to_owned()
                + &"{% call(a) m('xx') %}".repeat(60)
                + &"{% endcall %}".repeat(60),
            "{% for a in ['xx'] recursive %}{{ loop([a ~ a]) }}{% endfor %}".to_owned(),
            "{{ 'x' * 9 }}".to_owned(),
            "{{ 'x' * 100000000 ~ 'x' * 100000000 }}".to_owned(),
            format!("{{{{ {} }}}}", ["range(99999)|join"; 99].join(" ~ ")),
            format!("{{% set n = ({})|length %}}", ["a"; 99].join(" ~ ")),
            "{{ [[1, 2], [3]]|sum }}".to_owned(),
            "{% macro m(x) %}".to_owned() + &chained("{% set $ = # + # %}") + "{% endmacro %}{{ m() }}",
            "{% macro m(x) %}{% set v0 = x + x %}".to_owned()
                + &(0..60).map(|n| format!("{{% set w{n} = v{n} %}}{{% set v{} = w{n} + w{n} %}}", n + 1)).collect::<String>()
                + "{{ v60 }}{% endmacro %}{{ m([1]) }}",
        ];
        for source in &alone {
            let refused = added(&[("t", source)]).map(|environment| {
                render(&environment.get_template("t").unwrap(), Value::from(()))
            });
            assert!(!matches!(refused, Ok(Ok(_))), "{source}");
        }
        // From one template to the next one.
        let mut chain: Vec<(String, String)> = (1..60)
            .map(|n| {
                let source = format!(
                    "{{% import 't{}' as m %}}{{% set g = m['g'] %}}{{% set g = g ~ g %}}",
                    n - 1
                );
                (format!("t{n}"), source)
            })
            .collect();
        chain.push(("t0".to_owned(), "{% set g = 'x' ~ 'x' %}".to_owned()));
        let chain: Vec<_> = chain
            .iter()
            .map(|(n, s)| (n.as_str(), s.as_str()))
            .collect();
        assert!(added(&chain).is_err());
    }

    /// An environment with these templates.
    fn added(templates: &[(&str, &str)]) -> Result<Environment<'static>, (String, Error)> {
        let mut environment = Environment::new();
        environment.set_fuel(Some(2_000_000));
        bound(&mut environment, |_, value, out| write!(out, "{value}"));
        add_templates(&mut environment, templates.iter().copied())?;
        Ok(environment)
    }

    #[test]
    fn what_is_modest_is_made() {
        for (source, expected) in [
            ("{{ '%05.1f'|format(1.25) }}", "001.2"),
            ("{{ [1, 2]|join(', ') }}", "1, 2"),
            ("{{ 'a b'|replace(' ', '-') }}", "a-b"),
            ("{{ 'a\nb'|indent(2) }}", "a\n  b"),
            ("{{ {'a': 1}|tojson }}", "{\"a\": 1}"),
            ("{{ [1, 2, 3]|batch(2)|length }}", "2"),
            ("{% set x %}{{ 'a' ~ 'b' }}{% endset %}{{ x }}", "ab"),
            (
                "{% macro m(a, b) %}{% set x = a + b %}{% for n in x %}{{ n + 1 }}{% endfor %}{% endmacro %}\
                 {{ m([1], [2]) }}",
                "23",
            ),
            (
                "{% set a = [1]|list %}{% for n in [a|first] + a if n not in [a, 2] %}{{ n }}{% endfor %}",
                "11",
            ),
            (
                "{% set n = [1, 2]|length + 1 %}{% set m = n|int * 2 %}{{ m + n }}",
                "9",
            ),
            (
                "{% macro m(a) %}<{{ a }}>{% endmacro %}{{ m('a') ~ m('b') }}",
                "<a><b>",
            ),
            (
                "{% for x in ['a'] + ['b'] if x != 'a' %}{{ x }}{% endfor %}",
                "b",
            ),
        ] {
            let environment = added(&[("t", source)]).unwrap();
            let template = environment.get_template("t").unwrap();
            assert_eq!(
                render(&template, Value::from(())).unwrap(),
                expected,
                "{source}"
            );
        }
    }
}
