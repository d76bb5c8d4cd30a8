//! Sequence diagrams: each line is read by itself, and one that has no reading is an error.

use std::collections::BTreeMap;

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

/// The lines of a diagram as Mermaid reads them; `header` is what stands behind its kind.
///
/// # Errors
/// The first line that has no reading; or there is no message.
pub(super) fn written(header: &str, lines: &[String]) -> Result<String, String> {
    let mut reader = Reader::default();
    let first = header.trim_matches([' ', ':', ';']);
    let lines = std::iter::once(first).chain(lines.iter().map(String::as_str));
    for line in lines.filter(|line| !is_left_out(line)).flat_map(statements) {
        let unread = |what| format!("`{}`: {what}", line.trim());
        reader.line(&line).map_err(unread)?;
    }
    reader
        .out
        .extend((0..reader.open).map(|_| "end".to_owned()));
    match reader.sent {
        0 => Err("it holds no message".to_owned()),
        _ => Ok(reader.out.join("\n")),
    }
}

/// A line that acts instead of showing, or that is of another language.
fn is_left_out(line: &str) -> bool {
    let line = line.trim();
    let first = line.split([' ', ':']).next().unwrap_or("");
    let acts = [
        "click",
        "href",
        "link",
        "links",
        "callback",
        "properties",
        "details",
        "accTitle",
        "accDescr",
    ];
    // The sign of a link follows a name.
    let rest = line[first.len()..].trim_start();
    let is_name = rest.starts_with(|c: char| !c.is_alphanumeric() && !"\"':_".contains(c))
        || rest.starts_with("o-");
    let low = line.to_lowercase();
    acts.contains(&first) && !is_name
        || ["javascript:", "@{", "url("]
            .iter()
            .any(|sign| low.contains(sign))
        || line.starts_with(['#', '|'])
        || line.starts_with("//")
        || line == "---"
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

#[derive(Debug, Default)]
struct Reader {
    /// The ids of participants, by name.
    ids: BTreeMap<String, String>,
    out: Vec<String>,
    /// Blocks that are open.
    open: usize,
    /// Messages so far.
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
        let (id, is_new) = self.named(name);
        if is_new {
            let name = name.replace(['#', ';'], " ");
            self.push(indent, &format!("participant {id} as {name}"));
        }
        Ok(id)
    }

    /// The id of a name, and whether it is another than the name and was not given before:
    /// words of Mermaid's own and other signs make another.
    fn named(&mut self, name: &str) -> (String, bool) {
        if let Some(id) = self.ids.get(name) {
            return (id.clone(), false);
        }
        let mut id = String::new();
        for c in name.chars() {
            match c {
                _ if c.is_alphanumeric() || c == '_' => id.push(c),
                ' ' | '-' | '.' | '/' => id.push('_'),
                _ => id.push_str(&format!("u{:x}", u32::from(c))),
            }
        }
        while RESERVED.contains(&&*id.to_lowercase()) || self.ids.values().any(|one| *one == id) {
            id.push('_');
        }
        self.ids.insert(name.to_owned(), id.clone());
        let is_new = id != name;
        (id, is_new)
    }

    fn declared(&mut self, kind: &str, rest: &str) -> Result<String, String> {
        let (name, label) = match rest.split_once(" as ") {
            Some((name, label)) => (bare(name), bare(label)),
            None => (bare(rest), bare(rest)),
        };
        if name.is_empty() {
            return Err("it names nobody".to_owned());
        }
        let (id, _) = self.named(name);
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
        // `a-x` is a name: a cross comes before a space or a name that begins with a capital.
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

/// A name without quotes around it.
fn bare(name: &str) -> &str {
    let name = name.trim();
    let pairs = [
        ('"', '"'),
        ('“', '”'),
        ('[', ']'),
        ('【', '】'),
        ('［', '］'),
    ];
    let inner = |(open, close)| name.strip_prefix(open)?.strip_suffix(close);
    pairs.into_iter().find_map(inner).unwrap_or(name).trim()
}
