//! What a terminal shows of a meeting.

use aitc::machine::{Lang, State};
use aitc::ui::view::{Next, Style, closing, issue_text, line, list, status_text};

use super::meeting::Meeting;

/// A style for these tests: English, this width, no colours.
pub fn style(width: usize) -> Style {
    Style {
        width,
        color: false,
        plain: true,
        lang: Lang::En,
        verbose: 0,
    }
}

/// What a command prints for people of this document.
pub fn listed(name: &str, document: &impl serde::Serialize, lang: Lang) -> String {
    let style = Style { lang, ..style(200) };
    list(name, document, &style)
}

/// All lines for a wide terminal.
fn all_lines(meeting: &Meeting, style: &Style) -> String {
    let mut so_far = State::open(&meeting.entries[0]).unwrap();
    let lines = meeting.entries.iter().skip(1).filter_map(|entry| {
        so_far.apply(entry).unwrap();
        line(&so_far, entry, style)
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The answer to a query about what a terminal shows of a meeting:
///
/// | query | what it prints |
/// | --- | --- |
/// | `lines zh vote` | the lines of the terminal that contain this, in Chinese, or in English for any other word |
/// | `closing en review` | the last lines that contain this |
/// | `status proposes` | the lines of `aitc status` that contain this |
/// | `issue I-1 open` | the lines about an issue that contain this |
/// | `compared zh` | the comparison with the version before |
/// | `traced zh X-2` | where an id comes from, and what rests on it, or that it is not there |
pub fn shown(meeting: &Meeting, query: &str) -> Option<Vec<String>> {
    let state = &meeting.state;
    let (word, rest) = query.split_once(' ')?;
    let (first, part) = rest.split_once(' ').unwrap_or((rest, ""));
    let lang = if first == "zh" { Lang::Zh } else { Lang::En };
    let style = Style { lang, ..style(200) };
    let having = |text: String, part: &str| {
        let lines = text.lines().filter(|line| line.contains(part));
        lines.map(|line| line.trim().to_owned()).collect()
    };
    let whole = |text: String| {
        text.lines()
            .map(|line| line.trim_end().to_owned())
            .collect()
    };
    Some(match word {
        "lines" => having(all_lines(meeting, &style), part),
        "closing" => having(closing(state, "v1", Next::Review, &style), part),
        "status" => having(status_text(state, "v1", &[], &style), rest),
        "issue" => {
            let issue = state.ledger.find(first.parse().unwrap()).unwrap();
            having(issue_text(state, issue, &self::style(100)), part)
        }
        "compared" => {
            let before = meeting.before.as_ref().expect("a revision");
            whole(listed("diff", &aitc::check::diff(before, state), lang))
        }
        "traced" => whole(match aitc::check::why(state, part, lang) {
            Ok(trace) => listed("trace", &trace, lang),
            Err(fault) => format!("{}\n{}", fault.what().of(lang), fault.fix().of(lang)),
        }),
        _ => return None,
    })
}
