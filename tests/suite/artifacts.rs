//! Tests of artifacts.
