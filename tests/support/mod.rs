//! Shared tools of the tests.

pub mod binary;
pub mod by_hand;
pub mod changes;
pub mod divided;
pub mod fake;
pub mod fault;
pub mod left;
pub mod meeting;
pub mod normal;
pub mod openapi;
pub mod programs;
pub mod quarrel;
pub mod review;
pub mod run;
pub mod sample;
pub mod schemas;
pub mod search;
pub mod states;
pub mod tap;
pub mod team;
pub mod terminal;
pub mod trial;
