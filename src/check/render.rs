//! A diff as lines for people.

use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};

use super::diff::{Changed, Diff, Group, Listed, PairedBy};

const HEADING: Style = Style::new().bold();
const ADDED: Style = AnsiColor::Green.on_default();
const REMOVED: Style = AnsiColor::Red.on_default();
const CHANGED: Style = AnsiColor::Yellow.on_default();

/// The diff as lines, the last one without a line end: a heading a group, then
/// `+`, `-` and `~` with the id first. One line saying so if nothing changed.
pub fn render(diff: &Diff, color: bool) -> String {
    let mut page = Page {
        text: String::new(),
        color,
    };
    page.heading(&format!("v{} → v{}", diff.from, diff.to));
    if diff.is_empty() {
        page.line("", "no change in meaning", Style::new());
    } else if !diff.one_line {
        let note = "neither version revises the other: ids may differ, things are paired by text";
        page.line("", note, Style::new());
    }
    for group in &diff.groups {
        page.group(group);
    }
    page.text.trim_end().to_owned()
}

struct Page {
    text: String,
    color: bool,
}

impl Page {
    fn group(&mut self, group: &Group) {
        self.text.push('\n');
        self.heading(group.name);
        for thing in &group.added {
            self.line("  + ", &named(thing), ADDED);
        }
        for thing in &group.removed {
            self.line("  - ", &named(thing), REMOVED);
        }
        for thing in &group.changed {
            self.changed(thing);
        }
    }

    fn changed(&mut self, thing: &Changed) {
        let id = match &thing.was {
            Some(was) => format!("{} (was {was})", thing.id),
            None => thing.id.clone(),
        };
        let how = match thing.paired_by {
            PairedBy::Id => "",
            PairedBy::Text => " [paired by text]",
            PairedBy::Similarity => " [paired by text, alike]",
        };
        let line = format!("{id} {}{how}", thing.text);
        self.line("  ~ ", line.trim_start(), CHANGED);
        for change in &thing.fields {
            let old = or_nothing(&change.old);
            let new = or_nothing(&change.new);
            let line = format!("{}: {old} → {new}", change.field);
            self.line("      ", &line, Style::new());
        }
    }

    fn heading(&mut self, text: &str) {
        self.line("", text, HEADING);
    }

    fn line(&mut self, mark: &str, text: &str, style: Style) {
        let text = super::graph::one_line(text);
        // Writing to a string cannot fail.
        let _ = if self.color {
            writeln!(self.text, "{style}{mark}{text}{style:#}")
        } else {
            writeln!(self.text, "{mark}{text}")
        };
    }
}

fn named(thing: &Listed) -> String {
    format!("{} {}", thing.id, thing.text)
}

fn or_nothing(text: &str) -> &str {
    if text.is_empty() { "(nothing)" } else { text }
}
