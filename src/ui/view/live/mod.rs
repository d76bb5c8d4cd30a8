//! What is happening right now: who is asked, since when, and the text that arrives.
//!
//! A [`LiveView`] follows the state of a run and the pieces of answers. [`LiveView::lines`]
//! returns the few lines below the log on a terminal. Where nothing can be redrawn, the line of
//! [`LiveView::heartbeat`] is printed now and then. Nothing of this is recorded, and the machine
//! does not depend on it.

mod complete;
mod input;
#[cfg(test)]
mod tests;

use anstyle::AnsiColor;
use unicode_width::UnicodeWidthStr;

use super::layout::{bold, dimmed, dot, ending_in, fit, pad, paint, tail, tokens};
use super::status::Progress;
use super::text::{self, say, word};
use super::{Style, clean};
use crate::chat::Usage;
use crate::fault::values;
use crate::machine::{CallId, Purpose, State, StopReason, Usd, budget, ending, intervention};

use crate::reply::PartialAnswer;

pub use complete::Completions;
pub use input::{echo, menu, with_question, with_typed_line};

/// Lines of an answer that are shown if only one member is asked.
const TAIL: usize = 3;
/// Time in milliseconds without a piece after which the silence is reported.
const SILENCE: u64 = 10_000;
/// Duration in milliseconds of each picture of the spinner.
const BEAT: u64 = 160;
/// The pictures of the spinner.
const BEATS: [&str; 10] = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
/// Indentation of the answer's lines.
const INDENT: usize = 8;

/// The calls in flight and the budget of a run.
#[derive(Debug, Default)]
pub struct LiveView {
    calls: Vec<Flight>,
    budget: Option<Budget>,
    is_over: bool,
}

/// A call that is not answered yet.
#[derive(Debug)]
struct Flight {
    call: CallId,
    who: String,
    since_ms: u64,
    /// Time of the last piece.
    moved_ms: u64,
    /// Time until which the call is delayed at the provider's request.
    held_until_ms: u64,
    heard: PartialAnswer,
    /// The trial that runs for the call, and its start.
    trial: Option<(String, u64)>,
}

/// Progress of the run as of the last event.
#[derive(Debug)]
struct Budget {
    at_ms: u64,
    active_ms: u64,
    limit_ms: u64,
    /// The round and its open issues; `None` before the first.
    round: Option<Progress>,
    used: Usage,
    max_tokens: Option<u64>,
    cost: Option<Usd>,
    max_cost: Option<Usd>,
}

impl LiveView {
    /// Updates the view with the state after an event; `now_ms` counts from any fixed moment.
    pub fn follow(&mut self, state: &State, now_ms: u64) {
        let open = &state.calls.open;
        self.calls.retain(|flight| open.contains_key(&flight.call));
        // The member's questions to its own model belong to the wait for its answer.
        for call in open.keys().filter(|call| call.ask == 0) {
            if self.calls.iter().all(|flight| flight.call != *call) {
                let wait = asked_wait(state, call);
                self.calls.push(Flight {
                    held_until_ms: now_ms.saturating_add(wait),
                    who: clean(state.inputs.roles.code(&call.member)),
                    call: call.clone(),
                    since_ms: now_ms,
                    moved_ms: now_ms,
                    heard: PartialAnswer::default(),
                    trial: None,
                });
            }
        }
        for flight in &mut self.calls {
            let own = state.grounding.trials.running(&flight.call);
            flight.trial = own.map(|trial| {
                let command = clean(&trial.seen.look.command.join(" "));
                let shown = format!("{} {command}", trial.id);
                let before = flight.trial.take().filter(|(before, _)| *before == shown);
                before.unwrap_or((shown, now_ms))
            });
        }
        self.is_over = intervention::is_over(state);
        let limits = &state.inputs.rules.limits;
        self.budget = Some(Budget {
            at_ms: now_ms,
            active_ms: state.run.active_ms,
            limit_ms: ending::figures(state, StopReason::TimeLimit)
                .1
                .saturating_mul(60_000),
            round: (state.round > 0).then(|| Progress::of(state)),
            used: state.calls.used,
            max_tokens: limits.max_tokens,
            cost: budget::cost(state),
            max_cost: limits.budget_usd,
        });
    }

    /// Adds a piece of an answer; ignored if the call has ended.
    pub fn add_piece(&mut self, call: &CallId, now_ms: u64, take: impl FnOnce(&mut PartialAnswer)) {
        if let Some(flight) = self.calls.iter_mut().find(|flight| flight.call == *call) {
            flight.moved_ms = now_ms;
            take(&mut flight.heard);
        }
    }

    /// Whether the discussion is over, so that messages come too late.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// Whether nobody is being asked right now.
    pub fn is_idle(&self) -> bool {
        self.calls.is_empty()
    }

    /// The live lines: at most `rows` (but at least 1), none wider than `style.width`. Empty if
    /// nobody is asked.
    pub fn lines(&self, now_ms: u64, rows: usize, style: &Style) -> Vec<String> {
        let mut lines = match &self.calls[..] {
            [] => return Vec::new(),
            [alone] => alone.aloud(now_ms, TAIL.min(rows.saturating_sub(2)), style),
            many => {
                let room = rows.saturating_sub(2).max(1);
                let shown = many.iter().take(room);
                let mut lines: Vec<_> = shown.map(|one| one.line(now_ms, style)).collect();
                if let Some(more) = many.len().checked_sub(room + 1) {
                    let more = say(style, text::MORE_CALLS, values![n = more + 1]);
                    lines.push(dimmed(&format!("{}{more}", " ".repeat(INDENT)), style));
                }
                lines
            }
        };
        let status = self.budget.as_ref();
        lines.extend(status.map(|budget| budget.line(now_ms, style)));
        lines.truncate(rows.max(1));
        lines
    }

    /// One line that says who is being waited for; `None` if nobody is asked.
    pub fn heartbeat(&self, now_ms: u64, style: &Style) -> Option<String> {
        let parts = self.calls.iter().map(|flight| {
            let seconds = clock(now_ms.saturating_sub(flight.since()));
            let what = flight.delay_reason(now_ms, style);
            let what = what.unwrap_or_else(|| purpose(flight.call.purpose, style));
            let so_far = match flight.heard.bytes() {
                0 => String::new(),
                _ => format!(", {}", about(flight.heard.bytes())),
            };
            format!("{} {what} ({seconds}{so_far})", flight.who)
        });
        let waited: Vec<_> = parts.collect();
        let text = say(style, text::STILL_GOING, values![calls = waited.join("; ")]);
        (!waited.is_empty()).then(|| super::layout::note(&text, style))
    }
}

/// How long the provider asked to wait before this attempt, in milliseconds; 0 if it did not.
fn asked_wait(state: &State, call: &CallId) -> u64 {
    let history = state.calls.troubled.get(&call.first());
    let asked = history.filter(|history| history.failures > 0);
    asked
        .and_then(|history| history.retry_after_ms)
        .unwrap_or_default()
}

impl Flight {
    /// The only call and its start, and below it the end of its answer.
    fn aloud(&self, now_ms: u64, tail_lines: usize, style: &Style) -> Vec<String> {
        let mut lines = vec![self.row(purpose(self.call.purpose, style), now_ms, style)];
        let room = style.width.saturating_sub(INDENT).max(1);
        let silent = || self.silent(now_ms, style);
        let rows = match self.delay_reason(now_ms, style).or_else(silent) {
            Some(words) => vec![fit(&words, room, style)],
            None => tail(&prose(&self.heard.said()), room, tail_lines, style),
        };
        let indent = " ".repeat(INDENT);
        lines.extend(
            rows.iter()
                .map(|row| dimmed(&format!("{indent}{row}"), style)),
        );
        lines
    }

    /// The same in one line.
    fn line(&self, now_ms: u64, style: &Style) -> String {
        if let Some(held) = self.delay_reason(now_ms, style) {
            return self.row(held, now_ms, style);
        }
        let said = prose(&self.heard.said());
        let text = match self.silent(now_ms, style) {
            None if !said.is_empty() => said,
            Some(words) if !said.is_empty() => words,
            _ => purpose(self.call.purpose, style),
        };
        self.row(text, now_ms, style)
    }

    fn row(&self, text: String, now_ms: u64, style: &Style) -> String {
        let beat = BEATS[(now_ms / BEAT) as usize % BEATS.len()];
        let mut figure = clock(now_ms.saturating_sub(self.since()));
        let so_far = self.heard.bytes() + self.heard.thoughts();
        if so_far > 0 {
            figure = format!("{figure}{}{}", dot(style), about(so_far));
        }
        let who = pad(&self.who, INDENT - 3);
        let taken = 2 + who.width().max(INDENT - 3) + 1 + figure.width() + 2;
        let room = style.width.saturating_sub(taken);
        let text = pad(&ending_in(&text, room, style), room);
        format!(
            "{} {} {text}  {}",
            paint(beat, AnsiColor::Cyan.on_default(), style),
            bold(&who, style),
            dimmed(&figure, style)
        )
    }

    /// The start of the call, or of the trial that runs for it.
    fn since(&self) -> u64 {
        self.trial
            .as_ref()
            .map_or(self.since_ms, |(_, since)| *since)
    }

    /// The trial that runs for the call; or that the call is delayed at the provider's request, and
    /// for how long.
    fn delay_reason(&self, now_ms: u64, style: &Style) -> Option<String> {
        if let Some((trial, _)) = &self.trial {
            return Some(say(style, text::IS_TRYING, values![trial]));
        }
        let left = self.held_until_ms.saturating_sub(now_ms).div_ceil(1000);
        let held = || say(style, text::WAITS_AS_ASKED, values![n = left]);
        (left > 0 && self.heard.bytes() == 0).then(held)
    }

    /// The text shown while no piece arrives.
    fn silent(&self, now_ms: u64, style: &Style) -> Option<String> {
        let silence = now_ms.saturating_sub(self.moved_ms);
        match (self.heard.bytes(), self.heard.thoughts()) {
            _ if silence >= SILENCE => {
                Some(say(style, text::SILENT_FOR, values![n = (silence / 1000)]))
            }
            (0, 0) => Some(text::NO_WORD_YET.of(style.lang).to_owned()),
            (0, _) => Some(text::THINKS.of(style.lang).to_owned()),
            _ => None,
        }
    }
}

impl Budget {
    /// Round, open issues, time and tokens, with their limits.
    fn line(&self, now_ms: u64, style: &Style) -> String {
        let of = |value: String, limit: Option<String>| match limit {
            Some(limit) => say(style, text::OF_LIMIT, values![value, limit]),
            None => value,
        };
        let mut parts = Vec::new();
        parts.extend(self.round.as_ref().map(|round| round.text(style)));
        let active = self.active_ms + now_ms.saturating_sub(self.at_ms);
        parts.push(of(clock(active), Some(clock(self.limit_ms))));
        let mark = super::layout::about(&self.used);
        let total = self.used.total();
        if total > 0 || self.max_tokens.is_some() {
            let n = format!("{mark}{}", tokens(total));
            let used = say(style, text::TOKENS_USED, values![n]);
            parts.push(of(used, self.max_tokens.map(tokens)));
        }
        if let Some(cost) = self.cost {
            let usd = |usd: Usd| say(style, text::COST, values![usd]);
            let spent = say(style, text::COST, values![usd = format!("{mark}{cost}")]);
            parts.push(of(spent, self.max_cost.map(usd)));
        }
        let line = parts.join(dot(style));
        dimmed(&fit(&format!("  {line}"), style.width, style), style)
    }
}

/// The answer so far as one clean line without markup.
fn prose(said: &str) -> String {
    let line = clean(said).replace("**", "").replace('`', "");
    // Terminals differ in whether this character widens the one before it.
    line.replace('\u{fe0f}', "")
}

/// An estimated token count for this many bytes.
fn about(bytes: u64) -> String {
    format!("~{}", tokens(bytes.div_ceil(3)))
}

/// A duration: `0:07`, `12:30`, `1:05:00`.
pub(super) fn clock(ms: u64) -> String {
    let seconds = ms / 1000;
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match hours {
        0 => format!("{minutes}:{seconds:02}"),
        _ => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}

/// What a member is asked for.
fn purpose(purpose: Purpose, style: &Style) -> String {
    let (key, name) = match purpose {
        Purpose::Document(kind) => ("document", super::document_name(kind, style.lang)),
        other => (other.name(), ""),
    };
    say(style, word(&format!("asked.{key}")), values![name])
}
