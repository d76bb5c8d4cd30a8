//! One event as a line in a terminal.
