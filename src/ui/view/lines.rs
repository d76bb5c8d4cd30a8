//! Formats the lines that a template renders for a terminal. The start of a line determines its
//! format:
//!
//! | starts with | format |
//! | --- | --- |
//! | `✓ `, `· `, `? `, `› `, `! ` | a marked text that may take several lines |
//! | a mark and `*` | the same in bold |
//! | a mark and the output of [`row`] | one line: member, text, a figure at the right edge |
//! | `◆ `, `◇ ` | a ruling, bold and in colour; the second one leaves the matter open |
//! | `#` | a heading |
//! | `…` | one line, indented, cut if it is too long |
//! | a space | a text, indented |
//! | the output of [`two_parts`] | a label and its text, a member's panel, something to be copied |
//! | the output of [`many_lines`] | a page of Markdown, or a text that is only wrapped |
//! | `¶` | an empty line |
//!
//! Every value that a template prints is cleaned first, so that no text of others can start or end
//! a line.

use std::borrow::Cow;
use std::sync::LazyLock;

use anstyle::AnsiColor;
use minijinja::value::{Kwargs, Rest, Serde};
use minijinja::{AutoEscape, Environment, Error, State, UndefinedBehavior, Value, context};
use serde::Deserialize;
use unicode_width::UnicodeWidthStr;

use super::layout::{self, Mark, fit, heading, marked, pad, paint, wrap};
use super::{Style, clean, clean_page, gist, text};
use crate::check;
use crate::fault::{fill, recorded};
use crate::machine::{CallId, Format, Lang, Series, Version};
use crate::role::RoleSet;
use crate::words::{name_of, word};

/// Colours of members, by their position in the speaking order.
const COLORS: [AnsiColor; 6] = [
    AnsiColor::Cyan,
    AnsiColor::Magenta,
    AnsiColor::Blue,
    AnsiColor::Green,
    AnsiColor::Yellow,
    AnsiColor::Red,
];

/// The text before both templates.
const WORDS: &str = include_str!("words.j2");
const LINES: &str = include_str!("lines.j2");
const PAGES: &str = include_str!("pages.j2");
const LISTS: &str = include_str!("lists.j2");

/// Marks a page of Markdown.
const WHOLE: char = '\u{2}';
/// Marks a text whose rows are wrapped one by one, each with its own indentation.
const SAID: char = '\u{3}';
/// Replaces the line breaks of both.
const BREAK: char = '\u{1}';

/// Marks an empty line.
const EMPTY: &str = "¶";

static TEMPLATES: LazyLock<Result<Environment<'static>, Error>> = LazyLock::new(|| {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::SemiStrict);
    environment.set_auto_escape_callback(|_| AutoEscape::Custom(Cow::Borrowed("line")));
    environment
        .set_formatter(|out, _, value| out.write_str(&fit_for_line(value)).map_err(Into::into));
    environment.add_function("say", say);
    environment.add_function("fill", filled);
    environment.add_function("name", |state: &State, group: &str, value: &str| {
        name_of(group, &value).of(lang(state))
    });
    environment.add_function("word", |state: &State, name: &str| {
        word(name).of(lang(state))
    });
    environment.add_function("member", |call: &str| {
        call.parse::<CallId>()
            .map(|call| call.member.0)
            .unwrap_or_default()
    });
    environment.add_function("purpose", |call: &str| {
        call.parse::<CallId>()
            .map(|call| call.purpose.name())
            .unwrap_or_default()
    });
    environment.add_function("row", row);
    environment.add_function("labelled", |label: Value, text: Value| {
        two_parts("=", &label, &text)
    });
    environment.add_function("bar", |who: Value, text: Value| two_parts("▌", &who, &text));
    environment.add_function("brief", brief);
    environment.add_function("whole", |text: &str| many_lines(WHOLE, text));
    environment.add_function("said", |text: &str| many_lines(SAID, text));
    environment.add_function("head", |name: Value, path: Value| {
        two_parts("&", &name, &path)
    });
    environment.add_function("copied", |label: Value, text: Value| {
        two_parts(">", &label, &text)
    });
    environment.add_filter("clean", clean);
    environment.add_filter("gist", gist);
    environment.add_filter("reason", |state: &State, text: &str| {
        recorded::translated(text, lang(state)).into_owned()
    });
    environment.add_filter("place", place);
    environment.add_function("pad", |text: Value, columns: usize| {
        Value::from_safe_string(pad(&fit_for_line(&text), columns))
    });
    environment.add_function("fit", |state: &State, text: Value, columns: usize| {
        let style = Style::of(state);
        Value::from_safe_string(layout::fit(&fit_for_line(&text), columns, &style))
    });
    environment.add_function("paint", |state: &State, text: Value, with: &str| {
        let with = match with {
            "green" => AnsiColor::Green.on_default(),
            "red" => AnsiColor::Red.on_default(),
            "yellow" => AnsiColor::Yellow.on_default(),
            _ => anstyle::Style::new().bold(),
        };
        Value::from_safe_string(paint(&fit_for_line(&text), with, &Style::of(state)))
    });
    environment.add_function("field", |state: &State, field: &str| {
        check::field_name(field, lang(state)).to_owned()
    });
    environment.add_function("worded", |state: &State, field: &str, text: &str| {
        check::worded(field, text, lang(state)).to_owned()
    });
    environment.add_function("cells", |cells: Rest<Value>| {
        let cells: Vec<String> = cells.iter().map(fit_for_line).collect();
        Value::from_safe_string(cells.join("\t"))
    });
    environment.add_function("text", |text: &str| {
        let text = clean_page(text.trim_end()).replace(BREAK, "");
        Value::from_safe_string(text.replace('\n', &BREAK.to_string()))
    });
    environment.add_filter("run", run);
    for (name, page) in [("lines", LINES), ("pages", PAGES), ("lists", LISTS)] {
        environment.add_template_owned(name, format!("{WORDS}{page}"))?;
    }
    Ok(environment)
});

/// Renders the template of that name with these values, as lines for the terminal.
pub(super) fn render_lines(
    name: &str,
    about: Value,
    state: &crate::machine::State,
    style: &Style,
) -> String {
    let roles = &state.inputs.roles;
    let about = context! {
        codes => Serde(roles.codes_by_name()),
        team => state.team.is_some(),
        ..about
    };
    let written = rendered(name, about, style);
    Lines { roles, style }.set(&written)
}

/// A list of that name in `lists.j2`, its columns lined up.
pub fn list(name: &str, document: &impl serde::Serialize, style: &Style) -> String {
    let about = context! { page => name, x => Serde(document) };
    let written = rendered("lists", about, style);
    let rows = written.lines().map(str::trim_end);
    let rows = rows.filter(|row| !row.is_empty());
    let rows: Vec<&str> = rows
        .map(|row| if row == EMPTY { "" } else { row })
        .collect();
    let parts = rows.chunk_by(|a, b| a.contains('\t') == b.contains('\t'));
    let parts = parts.map(|part| match part[0].contains('\t') {
        true => layout::table_of(part.iter().map(|row| row.split('\t'))),
        false => part.join("\n") + "\n",
    });
    let list: String = parts.collect();
    list.trim_end().replace(BREAK, "\n")
}

fn rendered(name: &str, about: Value, style: &Style) -> String {
    let about = context! {
        lang => style.lang.code(),
        plain => style.plain,
        color => style.color,
        verbose => style.verbose > 0,
        width => style.width,
        ..about
    };
    let templates = TEMPLATES.as_ref().map_err(ToString::to_string);
    let written = templates.and_then(|templates| {
        let template = templates.get_template(name);
        let written = template.and_then(|it| it.render(about));
        written.map_err(|error| format!("{error:#}"))
    });
    debug_assert!(written.is_ok(), "{written:?}");
    // The templates are our own, so an error is a bug; it is shown as a line.
    written.unwrap_or_else(|error| format!("! {}", clean(&error)))
}

/// Renders the page of that name in `pages.j2`.
pub(super) fn page(
    name: &str,
    about: serde_json::Value,
    state: &crate::machine::State,
    style: &Style,
) -> String {
    let about = context! { page => name, x => Serde(about) };
    render_lines("pages", about, state, style)
}

/// A value as it is printed; a text of others becomes one clean line.
fn fit_for_line(value: &Value) -> String {
    match value.as_str() {
        Some(text) if !value.is_safe() => clean(text),
        _ => value.to_string(),
    }
}

fn lang(state: &State) -> Lang {
    let lang = state.lookup("lang");
    match lang.is_some_and(|lang| lang.as_str() == Some(Lang::Zh.code())) {
        true => Lang::Zh,
        false => Lang::En,
    }
}

impl Style {
    /// The style that a template is rendered in.
    fn of(state: &State) -> Self {
        let looked_up = |name| state.lookup(name).unwrap_or_default();
        Self {
            width: looked_up("width").as_usize().unwrap_or_default(),
            color: looked_up("color").is_true(),
            plain: looked_up("plain").is_true(),
            lang: lang(state),
            verbose: 0,
        }
    }
}

/// The name of the version that a line is about; a dash if it has none.
fn run(line: Value) -> Result<String, Error> {
    #[derive(Deserialize)]
    struct Named {
        format: Format,
        series: Option<Series>,
        version: Option<u32>,
    }
    let line = Named::deserialize(line)?;
    let (format, series) = (line.format, line.series);
    let name = |number| Version {
        format,
        series,
        number,
    };
    Ok(line
        .version
        .map_or_else(|| "–".to_owned(), |n| name(n).to_string()))
}

/// A text in the user's language, with its placeholders filled. A text `one | many` in English is
/// chosen by the value of `n`.
fn say(state: &State, en: &str, zh: &str, values: Kwargs) -> Result<Value, Error> {
    let is_one = || values.peek::<u64>("n").is_ok_and(|n| n == 1);
    let text = match (lang(state), en.split_once(" | ")) {
        (Lang::Zh, _) => zh,
        (Lang::En, Some((one, _))) if is_one() => one,
        (Lang::En, Some((_, many))) => many,
        (Lang::En, None) => en,
    };
    filled(state, text, values)
}

/// A text with its placeholders filled; in plain style with commas instead of dots.
fn filled(state: &State, text: &str, values: Kwargs) -> Result<Value, Error> {
    let names: Vec<&str> = values.args().collect();
    let values = names.into_iter().map(|name| {
        let value: Value = values.get(name)?;
        Ok((name, fit_for_line(&value)))
    });
    let values: Vec<(&str, String)> = values.collect::<Result<_, Error>>()?;
    let is_plain = state.lookup("plain").is_some_and(|plain| plain.is_true());
    let text = match is_plain {
        true => Cow::Owned(text.replace(" · ", ", ")),
        false => Cow::Borrowed(text),
    };
    Ok(Value::from_safe_string(fill(&text, lang(state), &values)))
}

/// A line about what a member has done, with a figure at its end.
fn row(mark: &str, who: Value, what: Value, figure: Value) -> Value {
    let [who, what, figure] = [who, what, figure].map(|value| fit_for_line(&value));
    Value::from_safe_string(format!("{mark}\t{who}\t{what}\t{figure}"))
}

/// A sign followed by two values, which are formatted together.
fn two_parts(sign: &str, first: &Value, second: &Value) -> Value {
    let [first, second] = [first, second].map(fit_for_line);
    Value::from_safe_string(format!("{sign}{first}\t{second}"))
}

/// A text of several lines, as one line until it is formatted.
fn many_lines(sign: char, text: &str) -> Value {
    let text = text.replace([BREAK, '\r'], "");
    Value::from_safe_string(format!("{sign}{}", text.replace('\n', &BREAK.to_string())))
}

/// The text if it fits in half a line; otherwise empty, and the whole text is shown below.
fn brief(state: &State, said: &str) -> String {
    let width = state.lookup("width").and_then(|width| width.as_usize());
    let line = gist(said);
    let is_line = line == clean(said).trim() && line.width() <= width.unwrap_or_default() / 2;
    if is_line { line } else { String::new() }
}

/// A path with lines, such as `docs/limits.md:3-5`.
fn place(found: Value) -> Result<String, Error> {
    let path = found.get_attr("path")?;
    let [from, to] = [found.get_attr("from")?, found.get_attr("to")?];
    Ok(match from == to {
        _ if !from.is_true() => path.to_string(),
        true => format!("{path}:{from}"),
        false => format!("{path}:{from}-{to}"),
    })
}

/// Formats rendered lines; the roles determine the colours of panels.
struct Lines<'a> {
    roles: &'a RoleSet,
    style: &'a Style,
}

impl Lines<'_> {
    /// Formats the output of a template as lines for the terminal.
    fn set(&self, written: &str) -> String {
        let mut lines: Vec<String> = Vec::new();
        let mut last = "";
        let rows = written.lines().filter(|row| !row.trim_ascii().is_empty());
        for row in rows {
            // Only the first line of a panel has the member's code.
            let goes_on = row.starts_with('▌') && last.starts_with('▌');
            let line = self.line(row, goes_on);
            // A page may have no visible content.
            lines.extend((!line.is_empty() || row == EMPTY).then_some(line));
            last = row;
        }
        lines.join("\n")
    }

    fn line(&self, row: &str, goes_on: bool) -> String {
        let style = self.style;
        let first = row.chars().next().unwrap_or_default();
        let rest = &row[first.len_utf8()..];
        let mark = match first {
            '✓' => Mark::Done,
            '·' => Mark::Note,
            '?' => Mark::Asked,
            '›' => Mark::Answered,
            '!' => Mark::Warning,
            '◆' => return self.ruling(rest.trim_start(), AnsiColor::Green),
            '◇' => return self.ruling(rest.trim_start(), AnsiColor::Yellow),
            '#' => return heading(rest, style),
            '…' => return format!("  {}", fit(rest, style.width - 2, style)),
            ' ' => return wrap(rest.trim_start(), "  ", style),
            _ if row == EMPTY => return String::new(),
            '=' => {
                let (label, text) = rest.split_once('\t').unwrap_or_default();
                return layout::labelled(label, text, style);
            }
            '▌' => {
                let (who, text) = rest.split_once('\t').unwrap_or_default();
                return self.panel(who, text, goes_on);
            }
            '&' => {
                let (name, path) = rest.split_once('\t').unwrap_or_default();
                return format!("{} {path}", layout::bold(name, style));
            }
            '>' => {
                // A path is not wrapped, so that it can be copied.
                let (label, path) = rest.split_once('\t').unwrap_or_default();
                return format!("  {} {path}", layout::bold(&pad(label, 8), style));
            }
            SAID => return super::hung(&rest.replace(BREAK, "\n").replace("**", ""), style),
            WHOLE => return below(rest, style),
            _ => return wrap(row, "", style),
        };
        match rest
            .strip_prefix('\t')
            .map(|row| row.split('\t').collect::<Vec<_>>())
        {
            Some(row) => {
                let at = |n: usize| row.get(n).copied().unwrap_or_default();
                layout::row(mark, at(0), at(1), at(2), style)
            }
            None => match rest.strip_prefix('*') {
                Some(text) => marked(mark, &layout::bold(text, style), style),
                None => marked(mark, rest.trim_start(), style),
            },
        }
    }

    /// A part of a member's answer: a bar in the member's colour, the code, then the text.
    fn panel(&self, who: &str, text: &str, goes_on: bool) -> String {
        let style = self.style;
        let mut members = self.roles.members.iter();
        let at = members.position(|role| role.id.as_str() == who);
        let color = COLORS[at.unwrap_or_default() % COLORS.len()].on_default();
        let code = self.roles.find(who).map_or(who, |role| &role.code);
        let bar = |who: &str| match style.plain {
            true => format!("{}: {who} ", text::MARK_ARGUED.of(style.lang)),
            false => format!("▌ {who} "),
        };
        let room = style.width.saturating_sub(bar(&pad("", 5)).width()).max(20);
        let inner = style.with_width(room);
        let first = bar(&pad(&clean(code), 5));
        let later = match style.plain {
            true => " ".repeat(first.width()),
            false => format!("▌{}", " ".repeat(first.width() - 1)),
        };
        let text = match text.strip_prefix(WHOLE) {
            Some(page) => super::markdown(&page.replace(BREAK, "\n"), &inner),
            None => wrap(text, "", &inner),
        };
        let shown = text.lines().enumerate().map(|(n, line)| {
            let prefix = if n == 0 && !goes_on { &first } else { &later };
            let prefix = if line.is_empty() {
                prefix.trim_end()
            } else {
                prefix
            };
            format!("{}{line}", paint(prefix, color, style))
        });
        shown.collect::<Vec<_>>().join("\n")
    }

    /// A whole ruling.
    fn ruling(&self, text: &str, color: AnsiColor) -> String {
        // The line is coloured as a whole: the end of a mark's own colour would also end the
        // line's.
        let bare = Style {
            color: false,
            ..*self.style
        };
        let ruled = marked(Mark::Ruled, text, &bare);
        let with = color.on_default().bold();
        let set_off = ruled.lines().map(|line| paint(line, with, self.style));
        set_off.collect::<Vec<_>>().join("\n")
    }
}

/// A page of Markdown, indented below its line.
fn below(page: &str, style: &Style) -> String {
    let inner = style.with_width(style.width.saturating_sub(2));
    let page = super::markdown(&page.replace(BREAK, "\n"), &inner);
    let rows = page.lines().map(|line| format!("  {line}"));
    let rows = rows.map(|line| line.trim_end_matches(' ').to_owned());
    rows.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fault::Text;

    #[test]
    fn both_languages_say_the_same_with_the_same_places() {
        let all = [WORDS, LINES, PAGES, LISTS].concat();
        let said = all.leak().split("say(\"").skip(1);
        let mut n = 0;
        for row in said {
            let (en, rest) = row.split_once("\", \"").expect(row);
            let (zh, _) = rest.split_once('"').expect(row);
            let text = Text(en, zh);
            let places = text.places(Lang::En);
            assert_eq!(places, text.places(Lang::Zh), "{row}");
            let is_chinese = zh.chars().any(|c| c > '\u{2e7f}');
            assert!(is_chinese || !en.contains(char::is_alphabetic), "{row}");
            n += 1;
        }
        assert!(n > 100, "{n}");
    }
}
