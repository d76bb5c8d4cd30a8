//! Tests of storage: what a run leaves on disk whatever fails, and when.

mod inbox;
mod journal;
mod versions;
