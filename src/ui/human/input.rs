//! Lines typed at the terminal of a run.
//!
//! ```text
//!            ┌─ a question was on the screen ──▶ its answer, for the waiting caller
//! line ──────┼─ no question was on the screen ─▶ inbox, on disk before the next key is read
//!            └─ the run has ended ─────────────▶ reported as not taken in
//! ```
//!
//! So a typed line is handled like `aitc say`: its size is limited, and it is taken exactly once,
//! by this process or by the one that resumes the run. A line that cannot be taken is reported at
//! once.

use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use super::ending::{MenuKey, menu_key};
use super::{LineUse, Redact, TypedLine};
use crate::edge::inbox::Inbox;
use crate::fault::plans::INBOX_NO_RUN;
use crate::fault::{Fault, ToFault as _, texts, values};
use crate::machine::{Inputs, Intent, intervention};
use crate::ui::view::{self, Style, gist};

texts! {
    TOO_LATE: "ignored, because the run has ended: {text}", "运行已经结束，没有采纳：{text}";
    BEHIND: "ignored, because it arrived together with the answer: {text}", "与上一个回答一同到来，没有采纳：{text}";
    NOT_TAKEN: "ignored: {text}", "没有采纳：{text}";
}

/// Receives the lines of one run.
pub(super) struct InputRouter {
    /// Inbox of the run, and what removes secrets before anything is written there; without one no
    /// message can be sent to it.
    inbox: Option<(Inbox, Redact)>,
    /// Inputs of the run, which contain its exit words.
    inputs: Inputs,
    state: Mutex<InputState>,
    arrived: Notify,
}

#[derive(Default)]
struct InputState {
    /// The answer to the question on the screen.
    answer: Option<String>,
    /// Whether the status of the run was requested.
    wants_status: bool,
    /// Whether no more lines will come.
    has_ended: bool,
    /// Whether the run has ended.
    is_closed: bool,
}

impl InputRouter {
    pub(super) fn new(inbox: Option<(Inbox, Redact)>, inputs: Inputs) -> Self {
        Self {
            inbox,
            inputs,
            state: Mutex::default(),
            arrived: Notify::new(),
        }
    }

    /// Handles a typed line, or the end of input (`None`). A message is on disk when this returns.
    /// Returns a text to be shown below the line.
    pub(super) fn handle_line(&self, line: Option<TypedLine>, style: &Style) -> Option<String> {
        let mut state = self.lock();
        let told = match line {
            Some(TypedLine { text, .. }) if state.is_closed => Some(too_late(&text, style)),
            Some(TypedLine {
                text,
                to: LineUse::Run,
            }) => self.send(&text, &mut state, style),
            Some(TypedLine { text, .. }) => {
                state.answer = Some(text);
                None
            }
            None => {
                state.has_ended = true;
                None
            }
        };
        self.arrived.notify_one();
        told.map(|told| view::hung(&told, style))
    }

    /// The run ends: further lines are reported as not taken in. A line that is being written to
    /// the inbox is on disk when this returns.
    pub(super) fn close(&self) {
        self.lock().is_closed = true;
    }

    /// Removes and returns the answer that was typed, if it was not taken yet.
    pub(super) fn answer(&self) -> Option<String> {
        self.lock().answer.take()
    }

    /// Waits for the answer; `None` if the input has ended.
    pub(super) async fn line(&self) -> Option<String> {
        loop {
            {
                let mut state = self.lock();
                if state.answer.is_some() || state.has_ended {
                    return state.answer.take();
                }
            }
            self.arrived.notified().await;
        }
    }

    /// Whether the status of the run was requested since the last call.
    pub(super) fn take_status_request(&self) -> bool {
        std::mem::take(&mut self.lock().wants_status)
    }

    /// Whether no more lines will come.
    pub(super) fn has_ended(&self) -> bool {
        self.lock().has_ended
    }

    fn lock(&self) -> MutexGuard<'_, InputState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts a line into the inbox. Returns the menu if the line asks for it, or why it is not
    /// accepted.
    fn send(&self, line: &str, state: &mut InputState, style: &Style) -> Option<String> {
        let is_stop = match (menu_key(line), line.trim()) {
            (_, "/status") => {
                state.wants_status = true;
                return None;
            }
            (Some(MenuKey::Enter | MenuKey::GoOn), _) | (_, "/help") => {
                return Some(view::menu(style));
            }
            (Some(key), _) => key == MenuKey::End,
            (None, line) if intervention::answered(line).is_some() => true,
            (None, line) => match intervention::read(line, &self.inputs) {
                Ok(intent) => intent == Intent::Stop,
                Err(unknown) => return Some(refused(&unknown.to_fault(), style)),
            },
        };
        let Some((inbox, redact)) = &self.inbox else {
            return Some(too_late(line, style));
        };
        match inbox.send_typed(redact(line), is_stop) {
            Ok(_) => None,
            Err(fault) if fault.code == INBOX_NO_RUN.code => Some(too_late(line, style)),
            Err(fault) => Some(refused(&fault, style)),
        }
    }
}

fn refused(why: &Fault, style: &Style) -> String {
    let (what, fix) = (why.what().of(style.lang), why.fix().of(style.lang));
    format!("{what}\n{fix}")
}

fn too_late(line: &str, style: &Style) -> String {
    TOO_LATE.with(style.lang, values![text = gist(line)])
}

/// The message about a line that was pasted together with an answer.
pub(in crate::ui) fn behind(line: &str, style: &Style) -> String {
    view::hung(&BEHIND.with(style.lang, values![text = gist(line)]), style)
}

/// The message about a line that came after its question was closed.
pub(super) fn not_taken(line: &str, style: &Style) -> String {
    view::hung(
        &NOT_TAKEN.with(style.lang, values![text = gist(line)]),
        style,
    )
}
