//! Tools the tests share.
