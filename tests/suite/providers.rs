//! Tests of providers.
