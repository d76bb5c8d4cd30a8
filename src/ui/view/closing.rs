//! The last lines of a run: where to read, what to decide, what it took.

use std::path::Path;

use super::layout::{Mark, about, bold, dot, labelled, listed, marked, pad, tokens};
use super::live::clock;
use super::text::{self, say};
use super::{Style, clean};
use crate::fault::{Text, values};
use crate::machine::{Format, State, Stop, StopReason, budget};

/// What can be done with a run that is complete.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// It is published, and the last lines say what to type next.
    Review,
    /// It is published, and somebody else says what comes next.
    Nothing,
    /// It is what was said in a chat, and not published unless it is saved.
    Save,
}

/// The closing lines on stderr when the run in folder `path` is complete.
pub fn closing(state: &State, path: &str, next: Next, style: &Style) -> String {
    let mut lines = vec![summed_up(state, path, next, style)];
    match next {
        Next::Review => lines.extend(review(state, path, style)),
        Next::Nothing => {}
        Next::Save => {
            lines.push(labelled(text::NEXT, text::NEXT_SAVE.of(style.lang), style));
        }
    }
    lines.join("\n")
}

fn review(state: &State, path: &str, style: &Style) -> Vec<String> {
    // With what says how git is to treat it: a checkout that converts line ends would
    // look tampered with.
    let levels = 2 + usize::from(state.inputs.format.folder().is_some());
    let root = Path::new(path).ancestors().nth(levels);
    let root = root.and_then(Path::to_str);
    let root = root.filter(|root| !root.is_empty()).unwrap_or(path);
    let values = values![root = clean(root), n = state.inputs.run()];
    let revise = state.inputs.format.writes_documents();
    [
        (text::NEXT, text::NEXT_REVIEW),
        (Text::NONE, text::NEXT_REVISE),
    ]
    .into_iter()
    .take(if revise { 2 } else { 1 })
    .map(|(label, template)| labelled(label, &say(style, template, values), style))
    .collect()
}

/// What there is to see after a demonstration, and the command for it.
pub fn demo_steps(steps: &[(String, String)], style: &Style) -> String {
    let last = steps.len().saturating_sub(1);
    let step = |(n, (what, command)): (usize, &(String, String))| {
        let label = match n {
            0 => text::LOOK,
            n if n == last => text::NEXT,
            _ => Text::NONE,
        };
        // A command is not wrapped: it is there to be copied.
        [
            labelled(label, &clean(what), style),
            format!("{}{}", " ".repeat(11), clean(command)),
        ]
    };
    let lines: Vec<String> = steps.iter().enumerate().flat_map(step).collect();
    format!("\n{}", lines.join("\n"))
}

/// A command as one types it; not wrapped, since it is there to be copied.
pub fn demo_command(command: &str, style: &Style) -> String {
    format!("\n{}", bold(&format!("$ {}", clean(command)), style))
}

/// What a demonstration says before it begins.
pub fn demo_notice(style: &Style) -> String {
    marked(Mark::Note, text::DEMO.of(style.lang), style)
}

/// Where to read, what to decide, what it took.
fn summed_up(state: &State, path: &str, next: Next, style: &Style) -> String {
    let rounds = text::rounds(state.round, state.inputs.format, style.lang);
    let stop = state.ending.stop.as_ref();
    let guard = stop.map_or(Text::NONE, |stop| why(state, stop));
    let values = values![n = state.inputs.run(), rounds, guard];
    let mark = match state.ending.is_agreed() {
        true => Mark::Done,
        false => Mark::Warning,
    };
    let template = match (next, state.ending.is_agreed()) {
        (Next::Save, true) => text::SAID_AGREED,
        (Next::Save, false) => text::SAID_UNRESOLVED,
        (_, true) if state.team.is_some() => text::CLOSING_COMPLETE,
        (_, true) => text::CLOSING_AGREED,
        (_, false) => text::CLOSING_UNRESOLVED,
    };
    let mut lines = vec![
        String::new(),
        marked(mark, &bold(&say(style, template, values), style), style),
    ];
    // Who asked in a chat is answered there, not in a file.
    let answer = state.documents.report.iter();
    let answer = answer.filter(|_| state.inputs.format == Format::Party);
    lines.extend(answer.map(|report| labelled(text::ANSWERED, &clean(&report.in_short), style)));
    if next != Next::Save {
        // A path is not wrapped: it is there to be copied.
        let read = format!("{path}/{}", state.inputs.format.report());
        let label = bold(&pad(text::READ.of(style.lang), 8), style);
        lines.push(format!("  {label} {}", clean(&read)));
    }
    let decide = state
        .documents
        .report
        .iter()
        .flat_map(|report| &report.decide);
    let decide = decide.zip(1..).map(|(decision, n)| {
        let (what, text) = (clean(&decision.what), clean(&decision.recommended));
        format!(
            "{n}. {}",
            say(style, text::RECOMMENDED_IS, values![what, text])
        )
    });
    lines.extend(listed(text::DECIDE, decide, style));
    lines.extend(listed(text::OPEN, open(state), style));
    let dropped = state.ledger.wishes_dropped().map(|issue| {
        let why = issue.history.last().and_then(|last| last.reason.as_deref());
        let (what, why) = (clean(&issue.title), clean(why.unwrap_or_default()));
        say(
            style,
            text::DROPPED_BECAUSE,
            values![id = issue.id, what, why],
        )
    });
    lines.extend(listed(text::WISH_DROPPED, dropped, style));
    let unheld = state.debates.wanted.iter();
    let unheld = unheld.map(|wanted| {
        let topic = clean(&wanted.topic);
        say(style, text::DEBATE_UNHELD, values![topic])
    });
    lines.extend(listed(Text::NONE, unheld, style));
    let absent = state.discussion.passed_over.iter().map(|missing| {
        let who = clean(state.inputs.roles.code(&missing.member));
        say(style, text::ABSENT, values![who, n = missing.round])
    });
    lines.extend(listed(text::DEGRADED, absent, style));
    let assumed = state.questions.assumptions.iter();
    let assumed = assumed.map(|one| {
        let question = state.known_question(one.question);
        let question = question.map(|it| text::aside(clean(it.current_text()), style.lang));
        format!(
            "{} {}{}",
            one.id,
            clean(&one.text),
            question.unwrap_or_default()
        )
    });
    lines.extend(listed(text::ASSUMED, assumed, style));
    let taken = state.run.redacted as usize;
    let taken = text::counted(taken, text::SECRET_TAKEN, text::SECRETS_TAKEN, style.lang);
    lines.extend(taken.map(|told| labelled(text::REDACTED, &told, style)));
    if state.inputs.format.is_reviewed() {
        let reviewed = super::review::figures(state, style);
        lines.push(labelled(text::REVIEW, &reviewed, style));
    }
    lines.push(labelled(text::CALLS, &figures(state, style), style));
    lines.join("\n")
}

/// The issues that are open, by id and title.
pub(super) fn open(state: &State) -> impl Iterator<Item = String> {
    let open = state.ledger.open();
    open.map(|issue| format!("{} {}", issue.id, clean(&issue.title)))
}

/// Why the discussion ended, in a few words.
pub(super) fn why(state: &State, stop: &Stop) -> Text {
    match (stop.reason, stop.sign) {
        (StopReason::Budget, _) if budget::is_money(state, stop.limit) => text::word("money_guard"),
        (StopReason::User, _) if state.ending.ended_by_vote.is_some() => text::word("by_vote"),
        (reason, None) => text::name_of("ended", &reason),
        (_, Some(sign)) => text::name_of("sign", &sign),
    }
}

/// Calls, active time, tokens and the cached share of the input, in one line.
pub(super) fn figures(state: &State, style: &Style) -> String {
    let book = &state.calls;
    let calls = book.answered;
    if state.inputs.is_scripted() && book.used.total() == 0 {
        return say(style, text::CALLS_SCRIPTED, values![calls]);
    }
    let cached = (book.used.cached_input * 100)
        .checked_div(book.used.input)
        .unwrap_or_default();
    let about = about(&book.used);
    let mut text = say(
        style,
        text::CALLS_FIGURES,
        values![
            calls,
            time = clock(state.run.active_ms),
            total = format!("{about}{}", tokens(book.used.total())),
            input = format!("{about}{}", tokens(book.used.input)),
            output = format!("{about}{}", tokens(book.used.output)),
            cached
        ],
    );
    if let Some(cost) = budget::cost(state) {
        text.push_str(dot(style));
        text.push_str(&say(
            style,
            text::COST,
            values![usd = format!("{about}{cost}")],
        ));
    }
    if book.failed + book.rejected > 0 {
        let values = values![failed = book.failed, rejected = book.rejected];
        text.push_str(dot(style));
        text.push_str(&say(style, text::CALLS_TROUBLED, values));
    }
    text
}
