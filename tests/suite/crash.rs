//! Tests of crash.
