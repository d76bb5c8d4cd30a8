//! Tests of offline.
