//! The expected result of every fault.

use super::Call;

/// What each occurrence of a fault leaves in the transcript.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trace {
    /// Nothing: the answer was valid, or could be repaired.
    Nothing,
    /// `call_failed` of this kind.
    Failed(&'static str),
    /// `reply_rejected`, with the raw reply.
    Rejected,
}

/// How a run ends if a fault occurs every time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// Complete, without any loss.
    Whole,
    /// A member is passed over for its turn, and every view says so.
    Degraded,
    /// With a question to the user whether to continue.
    Asked,
    /// With this exit code, and a draft that can be resumed.
    Code(i32),
}

/// The expected result of one fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row {
    /// The fault's name.
    pub fault: &'static str,
    /// What it leaves in the transcript.
    pub trace: Trace,
    /// Whether one occurrence ends the process; otherwise the run completes.
    pub stops_at_once: bool,
    /// Whether the answer is empty.
    pub is_empty: bool,
    /// The time limit that ends a call with this fault.
    pub patience: Patience,
}

/// Time limits of calls with a fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Patience {
    /// Long: the limit is not reached.
    Long,
    /// A short limit for silence.
    ShortIdle,
    /// A short limit for the whole call.
    ShortCall,
}

impl Row {
    /// How a run ends if `call` always fails in this way.
    pub fn always(&self, call: Call) -> End {
        match (self.trace, call) {
            (Trace::Nothing, _) => End::Whole,
            // Every call would have to wait for the provider.
            _ if self.stops_at_once => End::Code(5),
            // Optional calls are skipped once they have failed for good. A debate always completes;
            // a clarification still waits for an unavailable provider.
            (_, call) if call.debates() => End::Whole,
            (Trace::Failed("refused" | "too_large") | Trace::Rejected, call)
                if call.clarifies() =>
            {
                End::Whole
            }
            (Trace::Failed(_), _) => End::Code(5),
            // An empty answer is nudged; then the user is asked.
            (Trace::Rejected, Call::Judgment | Call::Speech | Call::Summary) if self.is_empty => {
                End::Asked
            }
            // All other members spoke, so only this member counts as absent.
            (Trace::Rejected, Call::Speech) => End::Degraded,
            (Trace::Rejected, _) => End::Code(6),
        }
    }
}

const fn row(fault: &'static str, trace: Trace) -> Row {
    Row {
        fault,
        trace,
        stops_at_once: false,
        is_empty: false,
        patience: Patience::Long,
    }
}

const fn empty(row: Row) -> Row {
    Row {
        is_empty: true,
        ..row
    }
}

const fn patience(patience: Patience, row: Row) -> Row {
    Row { patience, ..row }
}

use Patience::{ShortCall, ShortIdle};
use Trace::{Failed, Nothing, Rejected};

/// A row for each fault of the fake server, in the same order.
pub const TABLE: &[Row] = &[
    row("429 with seconds", Failed("rate_limited")),
    row("429 with a date", Failed("rate_limited")),
    row("429 with nothing", Failed("rate_limited")),
    Row {
        stops_at_once: true,
        ..row("429 with a day", Failed("rate_limited"))
    },
    row("400 context too long", Failed("refused")),
    row("401", Failed("credentials")),
    row("403", Failed("credentials")),
    row("404 model", Failed("refused")),
    row("408", Failed("server")),
    row("409", Failed("server")),
    row("425", Failed("server")),
    row("500", Failed("server")),
    row("500 that never ends", Failed("server")),
    row("502 with a page", Failed("server")),
    row("503", Failed("server")),
    row("504", Failed("server")),
    row("529", Failed("rate_limited")),
    row("redirect to another host", Failed("refused")),
    patience(ShortIdle, row("hang before headers", Failed("timeout"))),
    patience(ShortIdle, row("hang in the stream", Failed("timeout"))),
    patience(ShortCall, row("a byte at a time", Failed("timeout"))),
    row("reset in the body", Failed("network")),
    row("cut stream", Failed("protocol")),
    row("endless stream", Failed("too_large")),
    row("broken frame", Failed("protocol")),
    row("split characters", Nothing),
    row("NUL and invalid UTF-8", Failed("protocol")),
    row("10 MB", Failed("too_large")),
    row("a line of 1 MB", Failed("too_large")),
    row("compressed bomb", Failed("protocol")),
    row("a page with 200", Failed("protocol")),
    row("JSON of something else", Failed("protocol")),
    row("empty body", Failed("protocol")),
    empty(row("empty content", Rejected)),
    empty(row("tool calls only", Rejected)),
    row("content filter", Rejected),
    row("cut by length", Rejected),
    row("invalid JSON", Rejected),
    row("no JSON", Rejected),
    row("half an object", Rejected),
    row("against the schema", Rejected),
    row("wrong types", Rejected),
    row("JSON in prose", Nothing),
    row("thinking aloud", Nothing),
    row("escape sequences", Nothing),
];
