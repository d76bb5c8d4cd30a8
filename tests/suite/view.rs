//! `aitc view`: the page serves only this user's browser, shows versions and runs, and can take
//! part in a run.

mod browser;
mod review;
mod wire;
