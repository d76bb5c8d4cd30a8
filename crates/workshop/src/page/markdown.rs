//! Converts Markdown to HTML that shows the text and has no other effect.

use std::collections::BTreeSet;

use pulldown_cmark::{CowStr, Event, HeadingLevel, LinkType, Options, Parser, Tag, TagEnd, html};

/// The ids that can be linked to, and their page.
#[derive(Debug, Default)]
pub(super) struct LinkTargets {
    /// The ids.
    pub ids: BTreeSet<String>,
    /// Path of the page with their anchors; empty for the same page.
    pub at: String,
    /// Whether the text is a file that `aitc` wrote. Its top heading is then left out, because it
    /// is the title of the page; its `<details>` are kept, and ids in bold become anchors.
    pub ours: bool,
}

impl LinkTargets {
    /// The ids in the form in which templates look them up.
    pub fn as_json(&self) -> serde_json::Value {
        let ids = self.ids.iter().cloned();
        ids.map(|id| (id, serde_json::Value::Bool(true))).collect()
    }
}

/// Converts `text` to HTML; ids in `known` become links.
///
/// In our own files, an id alone in bold becomes an anchor and is added to `known`, and headings
/// become one level lower. In texts of others, headings become bold lines and HTML is shown as
/// text. Pictures are replaced by their text, and links lead only to a place on the page or to the
/// web.
pub(super) fn page(text: &str, known: &mut LinkTargets) -> String {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    let mut places = match known.ours {
        true => places(text, options),
        false => BTreeSet::new(),
    };
    places.retain(|id| known.ids.insert(id.clone()));
    let mut state = State {
        known,
        places,
        in_bold: false,
        in_title: false,
        in_code: false,
        last: ' ',
        links: Vec::new(),
    };
    let events = Parser::new_ext(text, options).filter_map(|event| state.take(event));
    let mut out = String::with_capacity(text.len() * 2);
    html::push_html(&mut out, events);
    // Wide tables and long code scroll by themselves, also with the keyboard, instead of the page.
    // An empty header cell is not a header.
    let aligned = ["left", "center", "right"]
        .into_iter()
        .fold(out, |out, side| {
            // The content security policy allows styles only in the style sheet.
            let style = |cell: &str| format!("<{cell} style=\"text-align: {side}\">");
            let class = |cell: &str| format!("<{cell} class=\"{side}\">");
            out.replace(&style("th"), &class("th"))
                .replace(&style("td"), &class("td"))
        });
    aligned
        .replace("<th></th>", "<td></td>")
        .replace("<pre>", "<pre tabindex=\"0\">")
        .replace("<table>", "<div class=\"scroll\" tabindex=\"0\"><table>")
        .replace("</table>", "</table></div>")
}

/// Ids that are the whole of a bold text.
fn places(text: &str, options: Options) -> BTreeSet<String> {
    let mut ids = BTreeSet::new();
    let mut last = None;
    for event in Parser::new_ext(text, options) {
        if let (Some(Event::Start(Tag::Strong)), Event::Text(text)) = (&last, &event)
            && let Some(("", id, "")) = next_id(text)
        {
            ids.insert(id.to_owned());
        }
        last = Some(event);
    }
    ids
}

struct State<'k> {
    known: &'k LinkTargets,
    /// Ids that become anchors at their first occurrence in bold.
    places: BTreeSet<String>,
    in_bold: bool,
    in_title: bool,
    in_code: bool,
    /// The last character of the text so far.
    last: char,
    /// For each open link, whether it is kept.
    links: Vec<bool>,
}

impl State<'_> {
    fn take<'a>(&mut self, event: Event<'a>) -> Option<Event<'a>> {
        match event {
            Event::Start(Tag::CodeBlock(_)) => {
                self.in_code = true;
                Some(event)
            }
            Event::End(TagEnd::CodeBlock) => {
                self.in_code = false;
                Some(event)
            }
            Event::Start(Tag::Strong) | Event::End(TagEnd::Strong) => {
                self.in_bold = matches!(event, Event::Start(_));
                Some(event)
            }
            Event::Text(id) if self.in_bold && self.places.remove(&*id) => {
                let place = format!("<span class=\"ref\" id=\"{id}\">{id}</span>");
                Some(Event::InlineHtml(place.into()))
            }
            Event::Text(text) if !self.in_code && !self.in_title => {
                self.last = text.chars().next_back().unwrap_or(self.last);
                Some(match self.links.is_empty() {
                    true => self.with_links(text),
                    false => Event::Text(text),
                })
            }
            // A line break after a Chinese character is not a space.
            Event::SoftBreak if self.last > '\u{2e7f}' => None,
            Event::Start(Tag::Heading {
                level: HeadingLevel::H1,
                ..
            }) if self.known.ours => {
                self.in_title = true;
                None
            }
            Event::End(TagEnd::Heading(HeadingLevel::H1)) if self.in_title => {
                self.in_title = false;
                None
            }
            _ if self.in_title => None,
            Event::Start(Tag::Heading { .. }) if !self.known.ours => {
                Some(Event::Html("<p class=\"heading\">".into()))
            }
            Event::End(TagEnd::Heading(_)) if !self.known.ours => {
                Some(Event::Html("</p>\n".into()))
            }
            Event::Start(Tag::Heading { level, .. }) => Some(Event::Start(Tag::Heading {
                level: lower(level),
                id: None,
                classes: Vec::new(),
                attrs: Vec::new(),
            })),
            Event::End(TagEnd::Heading(level)) => Some(Event::End(TagEnd::Heading(lower(level)))),
            Event::Html(text) | Event::InlineHtml(text) if self.known.ours => Some(markup(text)),
            Event::Html(text) | Event::InlineHtml(text) => Some(Event::Text(text)),
            Event::Start(Tag::Image { .. }) | Event::End(TagEnd::Image) => None,
            Event::Start(Tag::Link { dest_url, .. }) => self.link(dest_url),
            Event::End(TagEnd::Link) => self.links.pop()?.then_some(Event::End(TagEnd::Link)),
            other => Some(other),
        }
    }

    /// The text with each id in an element of its own, as a link if the id is known.
    fn with_links<'a>(&self, text: CowStr<'a>) -> Event<'a> {
        let mut out = String::new();
        let mut rest = &*text;
        while let Some((before, id, after)) = next_id(rest) {
            push_text(&mut out, before);
            match self.known.ids.contains(id) {
                true => {
                    let at = &self.known.at;
                    out.push_str(&format!("<a class=\"ref\" href=\"{at}#{id}\">{id}</a>"));
                }
                false => out.push_str(&format!("<span class=\"ref\">{id}</span>")),
            }
            rest = after;
        }
        if out.is_empty() {
            return Event::Text(text);
        }
        push_text(&mut out, rest);
        Event::InlineHtml(out.into())
    }

    /// Keeps a link to the web, to a mail address or to a place on the page; a link to another file
    /// of the version would lead nowhere.
    fn link<'a>(&mut self, to: CowStr<'a>) -> Option<Event<'a>> {
        let leads = ["https://", "http://", "mailto:", "#"];
        let leads = leads.iter().any(|start| to.starts_with(start));
        self.links.push(leads);
        leads.then(|| {
            Event::Start(Tag::Link {
                link_type: LinkType::Inline,
                dest_url: to,
                title: "".into(),
                id: "".into(),
            })
        })
    }
}

fn push_text(out: &mut String, text: &str) {
    html::push_html(out, std::iter::once(Event::Text(text.into())));
}

/// The first id such as `AC-12` that is a separate word, with the text before and after it.
fn next_id(text: &str) -> Option<(&str, &str, &str)> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let mut from = 0;
    while let Some(at) = text[from..].find(|c: char| c.is_ascii_uppercase()) {
        let start = from + at;
        let word = &text[start..];
        let word = &word[..word.find(|c| !is_part(c)).unwrap_or(word.len())];
        let alone = !text[..start].ends_with(is_part);
        let is_id = word.split_once('-').is_some_and(|(prefix, number)| {
            // A debate inserted into a team's plan has the id of its phase with `-debate`.
            let number = number.strip_suffix("-debate").unwrap_or(number);
            prefix.len() <= 3
                && prefix.bytes().all(|b| b.is_ascii_uppercase())
                && !number.is_empty()
                && number.bytes().all(|b| b.is_ascii_digit())
        });
        let end = start + word.len();
        if alone && is_id {
            return Some((&text[..start], word, &text[end..]));
        }
        from = end;
    }
    None
}

/// HTML in a file of our own: `<details>` and `<summary>` are kept, anything else becomes text.
fn markup(text: CowStr<'_>) -> Event<'_> {
    let line = text.trim();
    let summary = line
        .strip_prefix("<summary>")
        .and_then(|rest| rest.strip_suffix("</summary>"));
    let folded = match (line, summary) {
        ("<details>" | "</details>", _) => line.to_owned(),
        (_, Some(words)) => {
            let mut safe = String::new();
            push_text(&mut safe, words);
            format!("<summary>{safe}</summary>")
        }
        _ => return Event::Text(text),
    };
    Event::Html(format!("{folded}\n").into())
}

fn lower(level: HeadingLevel) -> HeadingLevel {
    match level {
        HeadingLevel::H1 | HeadingLevel::H2 => HeadingLevel::H3,
        HeadingLevel::H3 => HeadingLevel::H4,
        HeadingLevel::H4 => HeadingLevel::H5,
        HeadingLevel::H5 | HeadingLevel::H6 => HeadingLevel::H6,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(text: &str) -> String {
        let ids = BTreeSet::from(["C-4".to_owned()]);
        super::page(
            text,
            &mut LinkTargets {
                ids,
                ours: true,
                ..LinkTargets::default()
            },
        )
    }

    #[test]
    fn ids_are_kept_whole_and_lead_to_what_is_there() {
        let text = "C-4, AC-1; `C-4` and UTF-8, X-C-4, C-4x, P-2-debate, [C-4](#C-4) <b>\n";
        let linked = "<p><a class=\"ref\" href=\"#C-4\">C-4</a>, <span class=\"ref\">AC-1</span>; \
            <code>C-4</code> and <span class=\"ref\">UTF-8</span>, X-C-4, C-4x, <span class=\"ref\">P-2-debate</span>, \
            <a href=\"#C-4\">C-4</a> &lt;b&gt;</p>\n";
        assert_eq!(page(text), linked);
    }

    #[test]
    fn chinese_sentences_stand_together() {
        assert_eq!(
            page("一句。\n二句。\nthree\nfour"),
            "<p>一句。二句。three\nfour</p>\n"
        );
    }

    #[test]
    fn headings_stand_below_those_of_the_page() {
        assert_eq!(page("# T\n\n## A\n\n### B"), "<h3>A</h3>\n<h4>B</h4>\n");
    }

    #[test]
    fn markup_of_others_is_text() {
        let text = "<script>x()</script>\n\nand <b onclick=x>b</b> ![p](http://h/p.png)\n";
        let page = page(text);
        assert!(!page.contains("<script") && !page.contains("<b "), "{page}");
        assert!(!page.contains("<img"), "{page}");
        assert!(page.contains("&lt;script&gt;x()"), "{page}");
    }

    #[test]
    fn a_folded_part_of_a_report_stays_folded() {
        let text = "<details>\n<summary>Where <b> from</summary>\n\n- a\n\n</details>\n";
        let folded = "<details>\n<summary>Where &lt;b&gt; from</summary>\n<ul>\n<li>a</li>\n</ul>\n</details>\n";
        assert_eq!(page(text), folded);
        let other = page("<details open onclick=x>\n\n<summary>a</summary><i>\n");
        assert!(!other.contains("<d") && !other.contains("<s"), "{other}");
    }

    #[test]
    fn headings_and_folds_of_others_are_words() {
        let text = "# Agreed **by all**\n\n<details>\n\n- **C-9** x\n";
        assert_eq!(
            super::page(text, &mut LinkTargets::default()),
            "<p class=\"heading\">Agreed <strong>by all</strong></p>\n&lt;details&gt;\n\
             <ul>\n<li><strong><span class=\"ref\">C-9</span></strong> x</li>\n</ul>\n"
        );
    }

    #[test]
    fn links_lead_into_the_page_or_to_the_web() {
        for (to, leads) in [
            ("https://h/", true),
            ("#I-1", true),
            ("javascript:x()", false),
            ("data:text/html,x", false),
            ("speeches/PP_speak_r1.txt", false),
            ("//h/x", false),
        ] {
            let page = page(&format!("[words]({to})"));
            assert_eq!(page.contains("<a "), leads, "{page}");
            assert!(page.contains("words"), "{page}");
        }
    }

    #[test]
    fn a_table_has_room_of_its_own() {
        let page = page("| a | b |\n| --- | ---: |\n| 1 | <i>2</i> |\n");
        assert!(
            page.starts_with("<div class=\"scroll\" tabindex=\"0\"><table>"),
            "{page}"
        );
        assert!(page.contains("<td class=\"right\">&lt;i&gt;2"), "{page}");
        assert!(!page.contains("style"), "{page}");
    }
}
