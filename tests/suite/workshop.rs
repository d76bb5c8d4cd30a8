//! A workshop by the driver: its limits, separate questions, and searches that are interrupted.

mod asks;
mod caps;
mod clarification;
mod inquiry;
