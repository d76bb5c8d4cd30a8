//! Markdown as a page for a terminal: headings, lists, tables fitted to the width, code unchanged.
//!
//! Control characters are removed before parsing. The target of a link is shown and never opened.

mod table;
#[cfg(test)]
mod tests;

use anstyle::{AnsiColor, Effects};
use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};
use textwrap::core::display_width;

use self::table::Table;
use super::layout::{bold, dimmed, heading, paint, wrap};
use super::{Style, clean_page};

/// Maximum width of text in columns: longer lines are hard to read.
const WIDEST: usize = 100;

/// `text` as a page, without a final line break.
pub fn markdown(text: &str, style: &Style) -> String {
    let text = clean_page(text);
    let style = style.with_width(style.width.min(WIDEST));
    let mut page = Page::new(&style);
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    for event in Parser::new_ext(&text, options) {
        page.handle_event(event);
    }
    page.lines.join("\n").trim_end().to_owned()
}

/// A page while it is built.
struct Page<'a> {
    style: &'a Style,
    lines: Vec<String>,
    /// The words of the current block, with their styles.
    words: String,
    looks: Vec<Effects>,
    /// Containers around the current block, outermost first.
    around: Vec<Container>,
    heading: Option<HeadingLevel>,
    code: bool,
    table: Option<Table>,
    /// Targets of the open links.
    links: Vec<(String, usize)>,
}

/// A container around a block.
enum Container {
    Quote,
    /// The number of the next item; `None` in a list without numbers.
    List(Option<u64>),
    /// The prefix of the item's first line, until that is written; and its width.
    Item(Option<String>, usize),
}

impl<'a> Page<'a> {
    fn new(style: &'a Style) -> Self {
        Self {
            style,
            lines: Vec::new(),
            words: String::new(),
            looks: Vec::new(),
            around: Vec::new(),
            heading: None,
            code: false,
            table: None,
            links: Vec::new(),
        }
    }

    fn handle_event(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) if self.code => self.words.push_str(&text),
            Event::Text(text) => self.say(&text, Effects::new()),
            Event::Code(text) => self.say_code(&text),
            Event::Html(html) | Event::InlineHtml(html) => self.html(&html),
            Event::SoftBreak => self.soft_break(),
            Event::HardBreak => self.words.push('\n'),
            Event::Rule => {
                self.gap();
                let line = if self.style.plain { "" } else { "─" };
                self.lines.push(line.repeat(self.style.width));
            }
            _ => {}
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Heading { level, .. } => self.heading = Some(level),
            Tag::Paragraph | Tag::HtmlBlock => self.gap(),
            Tag::BlockQuote(_) => {
                self.gap();
                self.around.push(Container::Quote);
            }
            Tag::CodeBlock(_) => {
                self.flush();
                self.gap();
                self.code = true;
            }
            Tag::List(first) => {
                self.flush();
                self.gap();
                self.around.push(Container::List(first));
            }
            Tag::Item => self.item(),
            Tag::Strong => self.looks.push(Effects::BOLD),
            Tag::Emphasis => self.looks.push(Effects::ITALIC),
            Tag::Strikethrough => self.looks.push(Effects::STRIKETHROUGH),
            Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. } => {
                self.links.push((dest_url.into_string(), self.words.len()));
            }
            Tag::Table(_) => {
                self.gap();
                self.table = Some(Table::default());
            }
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Heading(_) => self.end_heading(),
            TagEnd::Paragraph | TagEnd::HtmlBlock => self.flush(),
            TagEnd::CodeBlock => self.end_code(),
            TagEnd::BlockQuote(_) | TagEnd::List(_) | TagEnd::Item => {
                self.flush();
                self.around.pop();
            }
            TagEnd::Strong | TagEnd::Emphasis | TagEnd::Strikethrough => {
                self.looks.pop();
            }
            TagEnd::Link | TagEnd::Image => self.end_link(),
            TagEnd::TableCell => {
                let cell = std::mem::take(&mut self.words);
                if let Some(table) = &mut self.table {
                    table.cell(cell);
                }
            }
            TagEnd::TableHead | TagEnd::TableRow => {
                if let Some(table) = &mut self.table {
                    table.end_row();
                }
            }
            TagEnd::Table => {
                if let Some(table) = self.table.take() {
                    let lines = table.lines(self.room(), self.style);
                    self.write_lines(lines);
                }
            }
            _ => {}
        }
    }

    /// Appends words in the current styles and `more`.
    fn say(&mut self, text: &str, more: Effects) {
        let effects = self.looks.iter().fold(more, |all, one| all | *one);
        let look = anstyle::Style::new().effects(effects);
        let shown = match effects.is_plain() {
            true => text.to_owned(),
            false => paint(text, look, self.style),
        };
        self.words.push_str(&shown);
    }

    fn say_code(&mut self, text: &str) {
        let shown = match self.style.color {
            true => paint(text, AnsiColor::Cyan.on_default(), self.style),
            false => format!("`{text}`"),
        };
        self.words.push_str(&shown);
    }

    /// Converts HTML: `<br>` breaks the line, `<summary>` is bold; other tags are dropped, but not
    /// the text between them.
    fn html(&mut self, html: &str) {
        let mut rest = html;
        while let Some((before, tag)) = rest.split_once('<') {
            self.say(before, Effects::new());
            let (tag, after) = tag.split_once('>').unwrap_or((tag, ""));
            match tag.trim_end_matches(['/', ' ']) {
                "br" => self.words.push('\n'),
                "summary" => self.looks.push(Effects::BOLD),
                "/summary" => {
                    self.looks.pop();
                }
                _ => {}
            }
            rest = after;
        }
        self.say(rest, Effects::new());
    }

    /// A line break in the source: a space, except after a wide character such as a Chinese one.
    fn soft_break(&mut self) {
        let plain = anstream::adapter::strip_str(&self.words).to_string();
        let wide = plain
            .chars()
            .next_back()
            .is_some_and(|c| !c.is_ascii() && display_width(&c.to_string()) == 2);
        if !wide {
            self.words.push(' ');
        }
    }

    fn end_link(&mut self) {
        let Some((url, from)) = self.links.pop() else {
            return;
        };
        let shown = self.words.get(from..).unwrap_or_default();
        if !shown.contains(&url) && !url.is_empty() {
            self.say(&format!(" ({url})"), Effects::new());
        }
    }

    fn end_heading(&mut self) {
        let text = std::mem::take(&mut self.words);
        let text = anstream::adapter::strip_str(&text).to_string();
        self.gap();
        let lines = match self.heading.take() {
            Some(HeadingLevel::H2) => vec![heading(&text, self.style)],
            _ => wrap(&text, "", self.style)
                .lines()
                .map(|line| bold(line, self.style))
                .collect(),
        };
        self.lines.extend(lines);
    }

    fn end_code(&mut self) {
        self.code = false;
        let text = std::mem::take(&mut self.words);
        let lines = text.lines().map(|line| dimmed(line, self.style));
        let lines = lines.map(|line| format!("    {line}")).collect();
        self.write_lines(lines);
    }

    fn item(&mut self) {
        let mark = match self.around.last_mut() {
            Some(Container::List(Some(number))) => {
                *number += 1;
                format!("{}. ", *number - 1)
            }
            _ if self.style.plain => "- ".to_owned(),
            _ => "• ".to_owned(),
        };
        let width = display_width(&mark);
        self.around.push(Container::Item(Some(mark), width));
    }

    fn in_list(&self) -> bool {
        self.around
            .iter()
            .any(|one| matches!(one, Container::Item(..)))
    }

    /// Adds an empty line before a block, except in a list.
    fn gap(&mut self) {
        if !self.in_list() && self.lines.last().is_some_and(|line| !line.is_empty()) {
            self.lines.push(String::new());
        }
    }

    /// The width left by the containers.
    fn room(&self) -> usize {
        let taken: usize = self.around.iter().map(Container::width).sum();
        self.style.width.saturating_sub(taken).max(10)
    }

    /// Writes the collected words as a paragraph.
    fn flush(&mut self) {
        let words = std::mem::take(&mut self.words);
        if words.trim().is_empty() {
            return;
        }
        let style = self.style.with_width(self.room());
        let text = wrap(words.trim(), "", &style);
        self.write_lines(whole_looks(text.lines()));
    }

    /// Writes lines, each after the prefixes of the containers.
    fn write_lines(&mut self, lines: Vec<String>) {
        for line in lines {
            let before: String = self
                .around
                .iter_mut()
                .map(|one| one.before(self.style))
                .collect();
            self.lines
                .push(format!("{before}{line}").trim_end().to_owned());
        }
    }
}

impl Container {
    fn width(&self) -> usize {
        match self {
            Self::Quote => 2,
            Self::List(_) => 0,
            Self::Item(_, width) => *width,
        }
    }

    /// The prefix of the next line.
    fn before(&mut self, style: &Style) -> String {
        match self {
            Self::Quote if style.plain => "> ".to_owned(),
            Self::Quote => "│ ".to_owned(),
            Self::List(_) => String::new(),
            Self::Item(mark, width) => mark.take().unwrap_or_else(|| " ".repeat(*width)),
        }
    }
}

/// Ends the styles at the end of each line and starts them again in the next, so that nothing
/// between the lines is styled.
fn whole_looks<'t>(lines: impl Iterator<Item = &'t str>) -> Vec<String> {
    const RESET: &str = "\x1b[0m";
    let mut look = String::new();
    let mut whole = Vec::new();
    for line in lines {
        let mut shown = format!("{look}{line}");
        let mut rest = line;
        while let Some(at) = rest.find("\x1b[") {
            let from = &rest[at..];
            let end = from.find('m').map_or(from.len(), |end| end + 1);
            match &from[..end] {
                RESET => look.clear(),
                one => look.push_str(one),
            }
            rest = &from[end..];
        }
        if !look.is_empty() {
            shown.push_str(RESET);
        }
        whole.push(shown);
    }
    whole
}
