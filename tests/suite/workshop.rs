//! Tests of workshop.
