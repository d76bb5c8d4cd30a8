//! Sequence diagrams.

use super::names::bare;
use super::{Aliases, unread};

/// Words that no participant may be called by.
const RESERVED: [&str; 31] = [
    "participant",
    "actor",
    "create",
    "destroy",
    "as",
    "autonumber",
    "activate",
    "deactivate",
    "note",
    "loop",
    "alt",
    "else",
    "opt",
    "par",
    "par_over",
    "and",
    "critical",
    "option",
    "break",
    "rect",
    "box",
    "end",
    "title",
    "link",
    "links",
    "properties",
    "details",
    "off",
    "over",
    "acctitle",
    "accdescr",
];

const BLOCKS: [&str; 8] = [
    "loop", "alt", "opt", "par", "critical", "break", "rect", "box",
];

/// Arrows, longer ones first, as they are written.
const ARROWS: [(&str, &str); 29] = [
    ("<<-->>", "<<-->>"),
    ("<<->>", "<<->>"),
    ("-->>", "-->>"),
    ("->>", "->>"),
    ("--x", "--x"),
    ("--)", "--)"),
    ("-->", "-->"),
    ("==>", "->>"),
    ("=>>", "->>"),
    ("<->", "<<->>"),
    ("<-->", "<<-->>"),
    ("--→", "-->>"),
    ("-→", "->>"),
    ("—>", "->>"),
    ("–>", "->>"),
    ("－>", "->>"),
    ("=>", "->>"),
    ("->", "->"),
    ("-x", "-x"),
    ("-)", "-)"),
    ("→", "->>"),
    ("⟶", "->>"),
    ("➔", "->>"),
    ("➜", "->>"),
    ("⇒", "->>"),
    ("↔", "<<->>"),
    ("⇢", "-->>"),
    ("⤏", "-->>"),
    ("➡", "->>"),
];

pub(super) fn written(lines: &[&str]) -> Result<Vec<String>, String> {
    let mut reader = Reader {
        names: Aliases::of(&RESERVED),
        out: Vec::new(),
        open: 0,
        sent: 0,
    };
    for line in lines.iter().flat_map(|line| statements(line)) {
        reader.line(&line).map_err(|what| unread(&line, &what))?;
    }
    reader
        .out
        .extend((0..reader.open).map(|_| "end".to_owned()));
    match reader.sent {
        0 => Err("it holds no message".to_owned()),
        _ => Ok(reader.out),
    }
}

/// What is between semicolons, where a statement follows; else they are part of a text.
fn statements(line: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for part in line
        .split([';', '；'])
        .filter(|part| !part.trim().is_empty())
    {
        let is_message = part.contains(':') && arrow_in(part).is_some();
        match out.last_mut() {
            Some(last) if !is_message => *last = format!("{last},{part}"),
            _ => out.push(part.to_owned()),
        }
    }
    out
}

struct Reader {
    names: Aliases,
    out: Vec<String>,
    open: usize,
    sent: usize,
}

impl Reader {
    fn line(&mut self, line: &str) -> Result<(), String> {
        let text = line.trim();
        let indent = &line[..line.len() - line.trim_start().len()];
        let word = text.split_whitespace().next().unwrap_or("");
        let low = word.to_lowercase();
        let rest = text[word.len()..].trim();
        if let Some((from, arrow, to)) = message(text) {
            return self.message(indent, from, arrow, to);
        }
        let said = |text: &str| text.replace('#', "");
        match low.as_str() {
            "create" | "destroy" if rest.contains(' ') => {
                let (kind, name) = rest.split_once(' ').unwrap_or((rest, ""));
                let declared = self.declared(kind, name)?;
                self.push(indent, &format!("{low} {declared}"));
            }
            "destroy" | "activate" | "deactivate" if !rest.is_empty() => {
                let id = self.id(indent, rest)?;
                self.push(indent, &format!("{low} {id}"));
            }
            "participant" | "actor" => {
                let declared = self.declared(&low, rest)?;
                self.push(indent, &declared);
            }
            "autonumber" => self.push(indent, "autonumber"),
            "title" | "title:" if !rest.is_empty() => {
                self.push(indent, &format!("title {}", said(rest)))
            }
            "end" if rest.is_empty() => {
                self.open = self.open.checked_sub(1).ok_or("it ends no block")?;
                self.push(indent, "end");
            }
            "else" | "and" | "option" if self.open > 0 => {
                self.push(indent, &format!("{low} {}", said(rest)))
            }
            "note" => self.note(indent, rest)?,
            _ if BLOCKS.contains(&&*low) => {
                self.open += 1;
                self.push(indent, &format!("{low} {}", rest.replace('#', "")));
            }
            // A sentence beside the diagram.
            _ if text.ends_with(['.', '。', ':', '：']) && text.contains(' ') => {}
            _ => return Err("it is no line of a sequence diagram".to_owned()),
        }
        Ok(())
    }

    fn push(&mut self, indent: &str, line: &str) {
        self.out.push(format!("{indent}{}", line.trim_end()));
    }

    /// The id of a participant, which is declared where its name is no id.
    fn id(&mut self, indent: &str, name: &str) -> Result<String, String> {
        let name = bare(name);
        if name.is_empty() {
            return Err("a message leads from or to nobody".to_owned());
        }
        let (id, is_new) = self.names.id(name);
        if is_new {
            let name = name.replace(['#', ';'], " ");
            self.push(indent, &format!("participant {id} as {name}"));
        }
        Ok(id)
    }

    fn declared(&mut self, kind: &str, rest: &str) -> Result<String, String> {
        let (name, label) = match rest.split_once(" as ") {
            Some((name, label)) => (bare(name), bare(label)),
            None => (bare(rest), bare(rest)),
        };
        if name.is_empty() {
            return Err("it names nobody".to_owned());
        }
        let (id, _) = self.names.id(name);
        let label = label.replace(['#', ';'], " ");
        Ok(match id == label {
            true => format!("{kind} {id}"),
            false => format!("{kind} {id} as {label}"),
        })
    }

    fn message(&mut self, indent: &str, from: &str, arrow: &str, to: &str) -> Result<(), String> {
        let (to, text) = to.split_once([':', '：']).unwrap_or((to, ""));
        let to = to.trim();
        let sign = to.chars().next().filter(|c| "+-".contains(*c));
        let to = to.trim_start_matches(['+', '-']);
        let from = self.id(indent, from)?;
        let to = self.id(indent, to)?;
        let sign = sign.map(String::from).unwrap_or_default();
        let text = text.trim().trim_end_matches([';', ',']).replace('#', "");
        let text = if text.is_empty() { "<br/>" } else { &text };
        self.sent += 1;
        self.push(indent, &format!("{from} {arrow} {sign}{to}: {text}"));
        Ok(())
    }

    /// `over A,B: text`
    fn note(&mut self, indent: &str, rest: &str) -> Result<(), String> {
        let (place, text) = rest
            .split_once([':', '：'])
            .ok_or("a note has a text behind `:`")?;
        let places = ["left of ", "right of ", "over "];
        let low = place.to_lowercase();
        let found = places.iter().find(|word| low.starts_with(**word));
        let word = found.ok_or("a note stands `over`, `left of` or `right of` somebody")?;
        let whom = place[word.len()..].split([',', '，']);
        let whom: Vec<String> = whom
            .map(|name| self.id(indent, name))
            .collect::<Result<_, _>>()?;
        let text = text.trim().replace('#', "");
        self.push(indent, &format!("Note {word}{}: {text}", whom.join(",")));
        Ok(())
    }
}

/// Where the first arrow of a line is: its place, its signs, and how it is written.
fn arrow_in(text: &str) -> Option<(usize, &'static str, &'static str)> {
    let ends = text.find([':', '：']).unwrap_or(text.len());
    let head = &text[..ends];
    let found = ARROWS.iter().filter_map(|(sign, arrow)| {
        let at = head.find(sign)?;
        // `a-x` is a name: a cross stands before a blank or a name that begins large.
        let is_cross = sign.ends_with('x');
        let after = head[at + sign.len()..].chars().next();
        let is_fit = !is_cross || after.is_some_and(|c| c.is_whitespace() || c.is_uppercase());
        is_fit.then_some((at, *sign, *arrow))
    });
    // The longest of those that begin first.
    found.min_by_key(|(at, sign, _)| (*at, usize::MAX - sign.len()))
}

/// `A ->> B: text`, or with `←` the other way round.
fn message(text: &str) -> Option<(&str, &'static str, &str)> {
    let (at, sign, arrow) = arrow_in(text)?;
    Some((&text[..at], arrow, &text[at + sign.len()..]))
}
