//! Systems other than Linux: no trial runs there.

use std::io::{self, PipeReader};
use std::process::ExitCode;

use crate::{Exit, Trial};

/// Never there.
pub(crate) struct Running {
    pub output: PipeReader,
}

pub(crate) fn start(_: &Trial<'_>) -> io::Result<Running> {
    Err(io::ErrorKind::Unsupported.into())
}

impl Running {
    pub fn kill(&mut self) {}

    pub fn end(self) -> io::Result<Exit> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

pub(crate) fn inner_main() -> Option<ExitCode> {
    None
}
