//! Lines typed at the terminal of a run; one thread reads each line as it is typed.
//!
//! ```text
//!            ┌─ a question is on the screen ──▶ its answer, for the waiting caller
//! line ──────┼─ no question is on the screen ─▶ inbox, on disk before the next line is read
//!            └─ the run has ended ────────────▶ reported as not taken in
//! ```
//!
//! So a typed line is handled like `aitc say`: its size is limited, and it is taken exactly once,
//! by this process or by the one that resumes the run. A line that cannot be taken is reported at
//! once.

use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use super::ending::{Key, key};
use super::{For, Line, Redact, Terminal, at_width};
use crate::edge::inbox::Inbox;
use crate::fault::plans::INBOX_NO_RUN;
use crate::fault::{Fault, Tell as _, texts, values};
use crate::machine::{Inputs, Intent, intervention};
use crate::ui::view::{self, Style, gist};

texts! {
    TOO_LATE: "ignored, because the run has ended: {text}", "运行已经结束，没有采纳：{text}";
    BEHIND: "ignored, because it arrived together with the answer: {text}", "与上一个回答一同到来，没有采纳：{text}";
    NOT_TAKEN: "ignored: {text}", "没有采纳：{text}";
}

/// What is needed to read and handle lines.
pub(super) struct InputDeps {
    /// Source of the lines, also for messages about them.
    pub(super) terminal: Arc<dyn Terminal>,
    /// Inbox of the run, and what removes secrets before anything is written there; without one no
    /// message can be sent to it.
    pub(super) inbox: Option<(Inbox, Redact)>,
    /// Inputs of the run, which contain its exit words.
    pub(super) inputs: Inputs,
    /// Style of messages.
    pub(super) style: Style,
}

/// What the next line is used for.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Attention {
    /// Not decided yet: the line waits.
    #[default]
    Undecided,
    /// To answer the question on the screen.
    Question,
    /// As a message to the run.
    Run,
    /// Nothing: the run has ended.
    Nobody,
}

#[derive(Default)]
struct Heard {
    attention: Attention,
    /// A line that was read but not handled yet.
    read: Option<Line>,
    /// The answer to the question on the screen.
    answer: Option<String>,
    /// Whether the status of the run was requested.
    wants_standing: bool,
    /// The result of the last read, once no more lines will come.
    ended: Option<io::Result<()>>,
    /// Whether the run has left this process.
    is_left: bool,
}

#[derive(Default)]
struct Shared {
    heard: Mutex<Heard>,
    changed: Condvar,
    came: Notify,
}

/// Receives lines for one run. After it is dropped, lines are for other readers.
pub(super) struct InputRouter {
    shared: Arc<Shared>,
}

impl InputRouter {
    /// Starts to read; lines wait until it is decided what they are used for.
    pub(super) fn open(deps: InputDeps) -> Self {
        let shared = Arc::new(Shared::default());
        let input = Self {
            shared: Arc::clone(&shared),
        };
        std::thread::spawn(move || shared.listen(&deps));
        input
    }

    /// The next line answers the question on the screen.
    pub(super) fn ask(&self) {
        drop(self.turn(Attention::Question));
    }

    /// Lines are messages to the run.
    pub(super) fn overhear(&self) {
        drop(self.turn(Attention::Run));
    }

    /// The run ends: further lines are reported as not taken in.
    pub(super) fn close(&self) {
        drop(self.turn(Attention::Nobody));
    }

    /// No question is on the screen any more. Returns an answer that arrived but was not taken.
    pub(super) fn hold(&self) -> Option<String> {
        self.turn(Attention::Undecided).answer.take()
    }

    /// The line that was typed for a question that is no longer asked, if there is one.
    pub(super) fn take_back(&self) -> Option<String> {
        let mut heard = self.turn(Attention::Undecided);
        let answer = heard.answer.take();
        let waits = heard.read.take_if(|line| line.to == For::Question);
        answer.or_else(|| waits.map(|line| line.text))
    }

    /// Waits for the answer; `None` if the input has ended.
    pub(super) async fn line(&self) -> io::Result<Option<String>> {
        loop {
            {
                let mut heard = self.shared.lock();
                if let Some(line) = heard.answer.take() {
                    return Ok(Some(line));
                }
                if let Some(why) = &mut heard.ended {
                    return std::mem::replace(why, Ok(())).map(|()| None);
                }
            }
            self.shared.came.notified().await;
        }
    }

    /// Whether the status of the run was requested since the last call.
    pub(super) fn was_asked_how_it_stands(&self) -> bool {
        std::mem::take(&mut self.shared.lock().wants_standing)
    }

    /// Whether no more lines will come.
    pub(super) fn has_ended(&self) -> bool {
        self.shared.lock().ended.is_some()
    }

    /// Decides what lines are used for. If a line is being written to the inbox, it is on disk when
    /// this returns.
    fn turn(&self, attention: Attention) -> MutexGuard<'_, Heard> {
        let mut heard = self.shared.lock();
        if heard.attention != Attention::Nobody {
            heard.attention = attention;
        }
        self.shared.changed.notify_all();
        heard
    }
}

impl Drop for InputRouter {
    fn drop(&mut self) {
        self.shared.lock().is_left = true;
        self.shared.changed.notify_all();
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Heard> {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until it is decided what the next line is used for. If the run has left this process,
    /// another one resumes it, and its lines are kept in its inbox.
    fn decided(&self) -> MutexGuard<'_, Heard> {
        let waits = |heard: &mut Heard| heard.attention == Attention::Undecided && !heard.is_left;
        let decided = self.changed.wait_while(self.lock(), waits);
        decided.unwrap_or_else(PoisonError::into_inner)
    }

    fn listen(&self, deps: &InputDeps) {
        loop {
            drop(self.decided());
            match (deps.terminal.reader())() {
                Ok(Some(line)) => {
                    self.lock().read = Some(line);
                    self.hand_over(deps);
                }
                ended => {
                    let mut heard = self.decided();
                    heard.ended = Some(ended.map(drop));
                    self.came.notify_one();
                    return;
                }
            }
        }
    }

    /// Passes on the line that was read, unless it was taken back.
    fn hand_over(&self, deps: &InputDeps) {
        let mut heard = self.decided();
        let Some(Line { text, to }) = heard.read.take() else {
            return;
        };
        match (heard.attention, to) {
            (Attention::Question, For::Question) if !heard.is_left => {
                heard.answer = Some(text);
                heard.attention = Attention::Undecided;
                self.came.notify_one();
            }
            (Attention::Nobody, _) => deps.tell(&too_late(&text, &deps.style())),
            // The question of this line was withdrawn while it was being typed.
            (Attention::Run, For::Question) => deps.tell(&not_taken(&text, &deps.style())),
            // A line typed before a question was shown is not an answer to it.
            _ => heard.wants_standing |= deps.send(&text),
        }
    }
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

impl InputDeps {
    fn style(&self) -> Style {
        at_width(self.style, Some(&*self.terminal))
    }

    /// Puts a line into the inbox. If it asks for the menu or is not accepted, shows that at once.
    /// Returns whether it asks for the status of the run.
    fn send(&self, line: &str) -> bool {
        let is_stop = match (key(line), line.trim()) {
            (_, "/status") => return true,
            (Some(Key::Enter | Key::GoOn), _) | (_, "/help") => {
                self.tell(&view::menu(&self.style()));
                return false;
            }
            (Some(key), _) => key == Key::End,
            (None, line) if intervention::answered(line).is_some() => true,
            (None, line) => match intervention::read(line, &self.inputs) {
                Ok(intent) => intent == Intent::Stop,
                Err(unknown) => {
                    self.tell_fault(&unknown.told());
                    return false;
                }
            },
        };
        let Some((inbox, redact)) = &self.inbox else {
            self.tell(&too_late(line, &self.style()));
            return false;
        };
        match inbox.send_typed(redact(line), is_stop) {
            Ok(_) => {}
            Err(fault) if fault.code == INBOX_NO_RUN.code => {
                self.tell(&too_late(line, &self.style()));
            }
            Err(fault) => self.tell_fault(&fault),
        }
        false
    }

    fn tell_fault(&self, fault: &Fault) {
        let lang = self.style.lang;
        let (what, fix) = (fault.what().of(lang), fault.fix().of(lang));
        self.tell(&format!("{what}\n{fix}"));
    }

    fn tell(&self, text: &str) {
        // A closed terminal must not stop a run.
        let shown = view::hung(text, &self.style());
        let _ = self.terminal.tell(&shown);
    }
}
