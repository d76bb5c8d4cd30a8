//! A diff as lines for people.

use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};

use super::diff::{Changed, Diff, Group, Listed, PairedBy, Unwritten};
use super::things::{WHOLE, field_name, is_word};
use crate::artifact::one_line;
use crate::fault::{Text, texts};
use crate::machine::Lang;
use crate::words::name_or_key;

const HEADING: Style = Style::new().bold();
const ADDED: Style = AnsiColor::Green.on_default();
const REMOVED: Style = AnsiColor::Red.on_default();
const CHANGED: Style = AnsiColor::Yellow.on_default();

/// The diff as lines, without a final line end: one heading per group, then lines with `+`, `-` or
/// `~` and the id. A single line if nothing changed. Words of the program are in `lang`, words of
/// the plans stay as they are.
pub fn render(diff: &Diff, color: bool, lang: Lang) -> String {
    let mut page = Page {
        text: String::new(),
        color,
        lang,
    };
    page.heading(&format!("v{} → v{}", diff.from, diff.to));
    if let Some(note) = note(diff) {
        page.line("", note.of(lang), Style::new());
    }
    for group in &diff.groups {
        page.group(group);
    }
    for unwritten in uncompared(diff, lang) {
        page.text.push('\n');
        page.line("", &unwritten, Style::new());
    }
    page.text.trim_end().to_owned()
}

/// A note to show before the diff: that nothing changed, or that ids were not used.
pub fn note(diff: &Diff) -> Option<Text> {
    match (diff.is_empty(), diff.one_line) {
        (true, _) => Some(SAME),
        (false, false) => Some(TWO_LINES),
        (false, true) => None,
    }
}

/// What the diff leaves out because a plan has not written it yet, one sentence per plan.
pub fn uncompared(diff: &Diff, lang: Lang) -> Vec<String> {
    let sentence = |unwritten: &Unwritten| {
        let groups = unwritten.groups.iter();
        let groups: Vec<&str> = groups
            .map(|name| name_or_key("group", name, lang))
            .collect();
        let (n, groups) = (unwritten.version.to_string(), groups.join(LIST.of(lang)));
        UNWRITTEN.with(lang, &[("n", &n), ("groups", &groups)])
    };
    diff.unwritten.iter().map(sentence).collect()
}

/// The display form of a field's value: recorded enum values have display names.
pub fn worded<'t>(field: &str, text: &'t str, lang: Lang) -> &'t str {
    match is_word(field) || text == WHOLE {
        true => name_or_key("value", text, lang),
        false => text,
    }
}

struct Page {
    text: String,
    color: bool,
    lang: Lang,
}

impl Page {
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
        // A sentence has no name besides its text.
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
        let line = format!(
            "{id} {}{}",
            worded("", &thing.text, self.lang),
            how.of(self.lang)
        );
        self.line("  ~ ", line.trim_start(), CHANGED);
        for change in &thing.fields {
            let old = self.value(change.field, &change.old);
            let new = self.value(change.field, &change.new);
            let field = field_name(change.field, self.lang);
            let places = [("field", field), ("old", old), ("new", new)];
            let line = CHANGE.with(self.lang, &places);
            self.line("      ", &line, Style::new());
        }
    }

    fn named(&self, thing: &Listed) -> String {
        format!("{} {}", thing.id, worded("", &thing.text, self.lang))
    }

    fn value<'t>(&self, field: &str, text: &'t str) -> &'t str {
        match text {
            "" => NOTHING.of(self.lang),
            _ => worded(field, text, self.lang),
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

texts! {
    SAME: "no change in meaning", "含义没有变化";
    TWO_LINES: "neither version revises the other: ids may differ, things are paired by text", "两个版本之间没有修订关系：编号可能不同，各项按文字配对";
    UNWRITTEN: "not compared, since v{n} has not written them yet: {groups}", "v{n} 尚未写出，因此没有比较：{groups}";
    LIST: ", ", "、";
    WAS: "{id} (was {was})", "{id}（原为 {was}）";
    BY_TEXT: " [paired by text]", "［按文字配对］";
    ALIKE: " [paired by text, alike]", "［按相近文字配对］";
    CHANGE: "{field}: {old} → {new}", "{field}：{old} → {new}";
    NOTHING: "(nothing)", "（无）";
}
