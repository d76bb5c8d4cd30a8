//! Exit codes.

/// The exit code of a command. The numbers are stable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    /// Done. For a run: a version without open blocking issues was published.
    Done = 0,
    /// An internal error.
    Internal = 1,
    /// The command line is wrong.
    Usage = 2,
    /// Configuration, role, template or answer file invalid, or a forbidden key.
    Config = 3,
    /// Credentials are missing or were refused.
    Credentials = 4,
    /// The provider is unavailable.
    Provider = 5,
    /// The model's replies are unusable.
    Unusable = 6,
    /// A version was published, but unresolved.
    Unresolved = 7,
    /// The user is needed.
    UserNeeded = 8,
    /// Another process holds the run.
    Held = 9,
    /// Journal damaged, inputs drifted, or a version tampered with.
    Damaged = 10,
    /// Storage full, read-only, or not permitted.
    Storage = 11,
    /// `check`, `verify` or `diff --exit-code` found something.
    Found = 12,
    /// Interrupted by Ctrl-C; resumable.
    Interrupted = 130,
    /// Ended by SIGTERM; resumable.
    Terminated = 143,
}

impl Exit {
    /// The exit code with that number; an unknown number counts as an internal error.
    pub fn of(number: u8) -> Self {
        Self::ALL
            .into_iter()
            .find(|exit| exit.code() == number)
            .unwrap_or(Self::Internal)
    }

    /// The exit code of a process that was ended by that signal.
    pub fn of_signal(signal: i32) -> Self {
        match signal {
            15 => Self::Terminated,
            _ => Self::Interrupted,
        }
    }

    /// The exit code of a command that searches for something.
    pub fn found(is_any: bool) -> Self {
        match is_any {
            true => Self::Found,
            false => Self::Done,
        }
    }

    /// Every exit code, in ascending order.
    pub const ALL: [Self; 15] = [
        Self::Done,
        Self::Internal,
        Self::Usage,
        Self::Config,
        Self::Credentials,
        Self::Provider,
        Self::Unusable,
        Self::Unresolved,
        Self::UserNeeded,
        Self::Held,
        Self::Damaged,
        Self::Storage,
        Self::Found,
        Self::Interrupted,
        Self::Terminated,
    ];

    /// The number.
    pub fn code(self) -> u8 {
        self as u8
    }
}
