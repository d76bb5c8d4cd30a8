//! `aitc view`: the page answers this user's browser alone, shows what is there, and takes
//! part in what goes on.

mod browser;
mod review;
mod wire;
