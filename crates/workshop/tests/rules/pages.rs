//! The pages of `tests/played`, by the player of [`played`](crate::support::played).

crate::support::played::pages! { "crates/workshop/tests/played", |_, _| None;
    checks coach comparisons debates documents endings forgeries guards looks merges nudges prompts
    questions reports reviews revisions rounds sections teams texts traces trials votes wordings
}
