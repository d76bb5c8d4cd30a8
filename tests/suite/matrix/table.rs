//! What is expected of every fault: the table the matrix is held against.

use super::Call;

/// What a fault leaves in the transcript each time it strikes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trace {
    /// Nothing: the answer was right after all, or was put right.
    Nothing,
    /// `call_failed` of this kind.
    Failed(&'static str),
    /// `reply_rejected`, with the raw reply.
    Rejected,
}

/// How a run ends that meets a fault again and again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// Whole, as if nothing had been.
    Whole,
    /// A member is passed over for its turn, and every view says so.
    Degraded,
    /// With a question for the human, who is asked whether to go on.
    Asked,
    /// With this code, and a draft that can be resumed.
    Code(i32),
}

/// What is expected of one fault.
#[derive(Debug, Clone, Copy)]
pub struct Row {
    /// The fault's name.
    pub fault: &'static str,
    /// What it leaves behind.
    pub trace: Trace,
    /// Does a single one end the process? Else the run goes on to its end.
    pub stops_at_once: bool,
    /// Does a reply come that says nothing at all?
    pub is_empty: bool,
    /// How long its strikes last: what the endpoint is allowed before it is given up.
    pub patience: Patience,
}

/// Time limits of calls under a fault, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Patience {
    /// Long: nothing but the fault decides.
    Long,
    /// Silence is short.
    ShortIdle,
    /// The whole call is short.
    ShortCall,
}

impl Row {
    /// How a run ends in which `call` always meets this fault.
    pub fn always(&self, call: Call) -> End {
        match (self.trace, call) {
            (Trace::Nothing, _) => End::Whole,
            // It would have to be waited for, whatever the call.
            _ if self.stops_at_once => End::Code(5),
            // What can be spared is done without, once that call is hopeless. A debate
            // comes to its end whatever happens; a clarification waits for a provider
            // that cannot be had at all.
            (_, call) if call.debates() => End::Whole,
            (Trace::Failed("refused" | "too_large") | Trace::Rejected, call)
                if call.clarifies() =>
            {
                End::Whole
            }
            (Trace::Failed(_), _) => End::Code(5),
            // Nothing usable in the root dialogue is nudged, then asked about.
            (Trace::Rejected, Call::Judgment | Call::Speech | Call::Summary) if self.is_empty => {
                End::Asked
            }
            // All others spoke: a loss that can be named.
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

/// A row for each fault the fake server knows, in its order.
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
