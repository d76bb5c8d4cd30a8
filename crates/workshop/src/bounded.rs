//! Templates of a workspace, and those that a clone's transcript froze, are foreign text:
//! what they make is bounded in bytes, whatever they ask for.

use std::fmt::{self, Write as _};
use std::io;

use minijinja::value::{Rest, ValueKind, ValueOrKwargs};
use minijinja::{Environment, Error, ErrorKind, State, Template, Value, filters};

/// Most bytes of one text, of what is made on the way to it, and of what a filter makes.
const MOST: usize = 32 << 20;
/// Largest number a filter that makes text longer may be given.
const WIDEST: i64 = 1000;

fn too_much() -> Error {
    let what = format!("it makes more than {} MiB; shorten it", MOST >> 20);
    Error::new(ErrorKind::InvalidOperation, what)
}

/// Bounds what templates of an environment can make: text that is kept counts as what is
/// written, no filter makes a text without measure, and nothing grows from one turn of a
/// loop to the next.
pub fn bound(
    environment: &mut Environment<'static>,
    write: fn(&State, &Value, &mut Counted) -> fmt::Result,
) {
    environment.add_function("namespace", || -> Result<Value, Error> {
        let what = "`namespace` is not to be had in templates";
        Err(Error::new(ErrorKind::InvalidOperation, what))
    });
    environment.set_formatter(move |out, state, value| {
        let written = state.get_extension::<Written>().map_or(0, |it| it.0);
        let mut counted = Counted {
            text: String::new(),
            left: MOST.saturating_sub(written),
        };
        write(state, value, &mut counted).map_err(|_| too_much())?;
        state.get_or_insert_extension(Written(0)).0 = written + counted.text.len();
        out.write_str(&counted.text).map_err(Into::into)
    });
    for (name, filter) in [
        ("batch", Value::from_function(filters::batch)),
        ("format", Value::from_function(filters::format)),
        ("indent", Value::from_function(filters::indent)),
        ("join", Value::from_function(filters::join)),
        ("replace", Value::from_function(filters::replace)),
        ("round", Value::from_function(filters::round)),
        ("slice", Value::from_function(filters::slice)),
        ("tojson", Value::from_function(filters::tojson)),
    ] {
        environment.add_filter(
            name,
            move |state: &mut State, given: Rest<ValueOrKwargs>| {
                let given = given.into_values();
                match is_within(name, &given) {
                    true => filter.call(state, &given),
                    false => Err(too_much()),
                }
            },
        );
    }
}

/// Renders a template up to [`MOST`] bytes.
///
/// # Errors
/// What is wrong with it, or that it makes more.
pub fn render(template: &Template<'_, '_>, context: Value) -> Result<String, Error> {
    let mut out = Out(Vec::new());
    template.render_captured_to(context, &mut out)?;
    String::from_utf8(out.0).map_err(|_| too_much())
}

/// Bytes that were written so far, into whatever.
struct Written(usize);

/// Takes as much text as is left.
pub struct Counted {
    text: String,
    left: usize,
}

impl fmt::Write for Counted {
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

/// Does what the filter would make of its arguments stay within bounds?
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
        ("tojson", _) => given.iter().skip(1).all(is_small) && is_short(given.first()),
        // A line is as good as empty, and each gets as much.
        ("indent", [text, ..]) => {
            let lines = text.matches('\n').count() + 1;
            let widest = usize::try_from(WIDEST).unwrap_or_default();
            given.iter().skip(1).all(is_small) && (lines < MOST / widest)
        }
        _ => given.iter().skip(1).all(is_small),
    }
}

/// A number within bounds, or none; those of named arguments are looked at, too.
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

/// No width or precision of more than three digits, and none that an argument gives.
fn is_narrow(format: &str) -> bool {
    let is_digit = |c: char| c.is_ascii_digit();
    let is_long = |number: &str| number.len() > 3;
    let numbers = format.split(|c| !is_digit(c));
    !numbers.clone().any(is_long) && !format.contains('*') && numbers.count() < 10_000
}

/// Are all items, with so much between them, within bounds?
fn measured(items: &Value, between: usize) -> bool {
    let mut all = Counted {
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
    let mut all = Counted {
        text: String::new(),
        left: MOST,
    };
    value.is_none_or(|value| write!(all, "{value}").is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a template can do to be large; each on its own would fill the memory.
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
            let mut environment = Environment::new();
            environment.set_fuel(Some(2_000_000));
            bound(&mut environment, |_, value, out| write!(out, "{value}"));
            environment
                .add_template_owned("t", source.to_owned())
                .unwrap();
            let template = environment.get_template("t").unwrap();
            assert!(render(&template, Value::from(())).is_err(), "{source}");
        }
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
        ] {
            let mut environment = Environment::new();
            bound(&mut environment, |_, value, out| write!(out, "{value}"));
            environment
                .add_template_owned("t", source.to_owned())
                .unwrap();
            let template = environment.get_template("t").unwrap();
            assert_eq!(
                render(&template, Value::from(())).unwrap(),
                expected,
                "{source}"
            );
        }
    }
}
