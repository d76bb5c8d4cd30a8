//! A diff as lines for people.

use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};

use super::diff::{Changed, Diff, Group, Listed, PairedBy, Unwritten};
use super::things::{WHOLE, is_word};
use crate::artifact::one_line;
use crate::fault::Text;
use crate::machine::Lang;
use crate::words::name_or_key;

const HEADING: Style = Style::new().bold();
const ADDED: Style = AnsiColor::Green.on_default();
const REMOVED: Style = AnsiColor::Red.on_default();
const CHANGED: Style = AnsiColor::Yellow.on_default();

/// The diff as lines, the last one without a line end: a heading a group, then
/// `+`, `-` and `~` with the id first. One line saying so if nothing changed. Words
/// of the program are in `lang`, those of the plans as they are.
pub fn render(diff: &Diff, color: bool, lang: Lang) -> String {
    let mut page = Page {
        text: String::new(),
        color,
        lang,
    };
    page.heading(&format!("v{} → v{}", diff.from, diff.to));
    if diff.is_empty() {
        page.line("", SAME.of(lang), Style::new());
    } else if !diff.one_line {
        page.line("", TWO_LINES.of(lang), Style::new());
    }
    for group in &diff.groups {
        page.group(group);
    }
    for unwritten in &diff.unwritten {
        page.text.push('\n');
        page.unwritten(unwritten);
    }
    page.text.trim_end().to_owned()
}

struct Page {
    text: String,
    color: bool,
    lang: Lang,
}

impl Page {
    fn unwritten(&mut self, unwritten: &Unwritten) {
        let name = |group: &&'static str| name_or_key("group", group, self.lang);
        let groups: Vec<&str> = unwritten.groups.iter().map(name).collect();
        let groups = groups.join(LIST.of(self.lang));
        let places: [(&str, &str); 2] =
            [("n", &unwritten.version.to_string()), ("groups", &groups)];
        let line = UNWRITTEN.with(self.lang, &places);
        self.line("", &line, Style::new());
    }

    fn group(&mut self, group: &Group) {
        self.text.push('\n');
        self.heading(name_or_key("group", group.name, self.lang));
        for thing in &group.added {
            self.line("  + ", &self.named(thing), ADDED);
        }
        for thing in &group.removed {
            self.line("  - ", &self.named(thing), REMOVED);
        }
        for thing in &group.changed {
            self.changed(thing);
        }
    }

    fn changed(&mut self, thing: &Changed) {
        // A sentence is known by nothing but itself.
        if let ([change], "") = (&thing.fields[..], &*thing.id)
            && change.new == thing.text
        {
            let line = format!("{} → {}", change.old, change.new);
            return self.line("  ~ ", &line, CHANGED);
        }
        let id = match &thing.was {
            Some(was) => WAS.with(self.lang, &[("id", &thing.id), ("was", was)]),
            None => thing.id.clone(),
        };
        let how = match thing.paired_by {
            PairedBy::Id => Text::NONE,
            PairedBy::Text => BY_TEXT,
            PairedBy::Similarity => ALIKE,
        };
        let line = format!("{id} {}{}", self.worded(&thing.text), how.of(self.lang));
        self.line("  ~ ", line.trim_start(), CHANGED);
        for change in &thing.fields {
            let old = self.value(change.field, &change.old);
            let new = self.value(change.field, &change.new);
            let field = name_or_key("field", change.field, self.lang);
            let places = [("field", field), ("old", &old), ("new", &new)];
            let line = CHANGE.with(self.lang, &places);
            self.line("      ", &line, Style::new());
        }
    }

    fn named(&self, thing: &Listed) -> String {
        format!("{} {}", thing.id, self.worded(&thing.text))
    }

    /// The words a thing is known by; those of the plan as a whole are ours.
    fn worded(&self, text: &str) -> String {
        match text {
            WHOLE => name_or_key("value", text, self.lang).to_owned(),
            _ => text.to_owned(),
        }
    }

    fn value(&self, field: &str, text: &str) -> String {
        if text.is_empty() {
            NOTHING.of(self.lang).to_owned()
        } else if is_word(field) {
            name_or_key("value", text, self.lang).to_owned()
        } else {
            text.to_owned()
        }
    }

    fn heading(&mut self, text: &str) {
        self.line("", text, HEADING);
    }

    fn line(&mut self, mark: &str, text: &str, style: Style) {
        let text = one_line(text);
        // Writing to a string cannot fail.
        let _ = if self.color {
            writeln!(self.text, "{style}{mark}{text}{style:#}")
        } else {
            writeln!(self.text, "{mark}{text}")
        };
    }
}

const SAME: Text = Text("no change in meaning", "含义没有变化");
const TWO_LINES: Text = Text(
    "neither version revises the other: ids may differ, things are paired by text",
    "两个版本互不为修订：编号可能不同，各项按文字配对",
);
const UNWRITTEN: Text = Text(
    "not compared, since v{n} has not written them yet: {groups}",
    "v{n} 尚未写出，因此没有比较：{groups}",
);
const LIST: Text = Text(", ", "、");
const WAS: Text = Text("{id} (was {was})", "{id}（原为 {was}）");
const BY_TEXT: Text = Text(" [paired by text]", "［按文字配对］");
const ALIKE: Text = Text(" [paired by text, alike]", "［按相近文字配对］");
const CHANGE: Text = Text("{field}: {old} → {new}", "{field}：{old} → {new}");
const NOTHING: Text = Text("(nothing)", "（无）");
