//! Arrows of flow charts, in the signs of Mermaid and of others.

use std::fmt;

/// Signs of which a link is drawn like one of dashes.
pub(super) const DASHES: [char; 9] = ['-', '–', '—', '－', '─', '━', '―', '‐', '−'];

/// Arrows of one sign: forwards, backwards, and both ways.
const FORWARDS: &str = "→⟶➔➜➝➞➡➤➙➛⇒⟹⇨⇢⇾⤳⟼↦▶►▸↓⇓⬇＞";
const BACKWARDS: &str = "←⟵⇐⬅⇦⟸◀◄";
const BOTH: &str = "↔⇔⟷⇄⇆⇌⇋";

/// Signs that are read as no link, and are part of no name.
pub(super) const UNREAD: [char; 6] = ['↑', '⇑', '↕', '»', '«', '⟩'];

/// How a link is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Line {
    Plain,
    Dotted,
    Thick,
    Hidden,
}

/// A link without its words.
#[derive(Debug, Clone)]
pub(in super::super) struct Arrow {
    pub line: Line,
    /// Its first sign, `<`, `x` or `o`; may be empty.
    pub head: &'static str,
    /// Its last sign, `>`, `x` or `o`; may be empty.
    pub tail: &'static str,
    /// How much longer it is than the shortest.
    more: usize,
    /// Whether it is no half that words follow.
    pub is_whole: bool,
    /// Whether it is written with two signs or more, as Mermaid's are.
    pub is_long: bool,
}

impl Arrow {
    /// Returns whether it points only to what comes before it.
    pub(in super::super) fn is_back(&self) -> bool {
        !self.head.is_empty() && self.tail.is_empty()
    }

    /// The first half with what the second says.
    pub(super) fn with_end(mut self, last: &Self) -> Self {
        self.tail = match last.tail {
            "" => self.tail,
            tail => tail,
        };
        self.more = self.more.max(last.more);
        self
    }

    /// A half whose last sign is a letter with a name behind it, `--oB`.
    pub(super) fn headed(mut self, after: &str) -> Option<Self> {
        self.tail = match after.chars().next()? {
            'x' => "x",
            'o' => "o",
            _ => return None,
        };
        (after.len() > 1).then_some(self)
    }

    /// A half that is used for the whole points forwards.
    pub(super) fn pointed(mut self) -> Self {
        if !self.is_whole {
            self.tail = ">";
        }
        self
    }
}

impl fmt::Display for Arrow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // One that points back is written from its other end.
        let (head, tail) = match self.is_back() {
            true => (
                "",
                match self.head {
                    "<" => ">",
                    head => head,
                },
            ),
            false => (self.head, self.tail),
        };
        let dashes = self.more + if tail.is_empty() { 3 } else { 2 };
        let body = match self.line {
            Line::Plain => "-".repeat(dashes),
            Line::Thick => "=".repeat(dashes),
            Line::Dotted => format!("-{}-", ".".repeat(self.more + 1)),
            Line::Hidden => "~".repeat(self.more + 3),
        };
        write!(f, "{head}{body}{tail}")
    }
}

/// The arrow at the start, behind that sign, and its length in bytes; `None` if it is none.
pub(super) fn arrow(text: &str, before: char) -> Option<(Arrow, usize)> {
    let whole = |head, tail| Arrow {
        line: Line::Plain,
        head,
        tail,
        more: 0,
        is_whole: true,
        is_long: false,
    };
    let first = text.chars().next()?;
    let one_sign = [
        (FORWARDS, ("", ">")),
        (BACKWARDS, ("<", "")),
        (BOTH, ("<", ">")),
    ];
    let sign = one_sign.iter().find(|(signs, _)| signs.contains(first));
    if let Some((_, (head, tail))) = sign {
        return Some((whole(head, tail), signs_end(text, first.len_utf8())));
    }
    let head = match first {
        '<' => "<",
        'x' if before.is_whitespace() => "x",
        'o' if before.is_whitespace() => "o",
        _ => "",
    };
    let body = &text[head.len()..];
    let run = |text: &str, is: &dyn Fn(char) -> bool| {
        let rest = text.trim_start_matches(is);
        (
            text.len() - rest.len(),
            text[..text.len() - rest.len()].chars().count(),
        )
    };
    let is_dash = |c: char| DASHES.contains(&c);
    let (dashes, count) = run(body, &is_dash);
    let is_wide = !body[..dashes].is_ascii();
    let (dots, dot_count) = run(&body[dashes..], &|c| c == '.');
    let last = match dots {
        0 => 0,
        _ => run(&body[dashes + dots..], &is_dash).0,
    };
    let (equals, equal_count) = run(body, &|c| c == '=' || c == '＝');
    let (waves, wave_count) = run(body, &|c| c == '~');
    let (line, length, count) = match () {
        () if waves > 0 => (Line::Hidden, waves, wave_count),
        () if equals > 0 => (Line::Thick, equals, equal_count),
        () if dots > 0 => (Line::Dotted, dashes + dots + last, dot_count),
        () if dashes > 0 => (Line::Plain, dashes, count),
        () => return None,
    };
    let (tail, tail_length) = match line {
        Line::Hidden => ("", 0),
        _ => tail(&body[length..], count > 1 && line != Line::Dotted),
    };
    // `o-`, `x=` and `x~~~` begin names.
    let is_letter = matches!(head, "x" | "o");
    if is_letter && (line == Line::Hidden || count < 2 && line != Line::Dotted) {
        return None;
    }
    let is_whole = match line {
        Line::Hidden if count < 3 => return None,
        Line::Hidden => true,
        Line::Dotted if dashes == 0 && last == 0 && tail.is_empty() => return None,
        // `.-` ends a half, and `x.-y` is a name.
        Line::Dotted if dashes == 0 && tail.is_empty() && !before.is_whitespace() => return None,
        Line::Dotted => last > 0 || !tail.is_empty(),
        // `a-b`, `c=d`
        Line::Plain | Line::Thick if count == 1 && tail.is_empty() && head != "<" => return None,
        _ => !tail.is_empty() || count > 2 || is_wide || head == "<" && count == 1,
    };
    let is_short = line == Line::Thick && count == 1;
    let least = if tail.is_empty() && head.is_empty() {
        3
    } else {
        2
    };
    let arrow = Arrow {
        line: if is_short { Line::Plain } else { line },
        head,
        tail,
        more: match line {
            Line::Dotted => dot_count.saturating_sub(1),
            Line::Hidden => count - 3,
            _ if is_wide => 0,
            _ => count.saturating_sub(least),
        },
        is_whole,
        is_long: count > 1 || line == Line::Dotted,
    };
    let end = head.len() + length + tail_length;
    Some((arrow, signs_end(text, end)))
}

/// What an arrow ends with, and its length; a space may come before it if it is `loose`.
fn tail(text: &str, loose: bool) -> (&'static str, usize) {
    let bare = if loose { text.trim_start() } else { text };
    let skipped = text.len() - bare.len();
    let is_point = |c: char| ['>', '＞', '》'].contains(&c) || FORWARDS.contains(c);
    let points = bare.len() - bare.trim_start_matches(is_point).len();
    if points > 0 {
        return (">", skipped + points);
    }
    let is_end = |rest: &str| rest.is_empty() || rest.starts_with([' ', '|']);
    match text.chars().next() {
        Some('x') if is_end(&text[1..]) => ("x", 1),
        Some('o') if is_end(&text[1..]) => ("o", 1),
        _ => ("", 0),
    }
}

/// Behind what makes a picture of an arrow.
fn signs_end(text: &str, end: usize) -> usize {
    let rest = &text[end..];
    end + rest.len() - rest.trim_start_matches(['\u{fe0e}', '\u{fe0f}']).len()
}
