//! The review: members read the plan before it is published, writers amend it, and an unresolved
//! blocking finding prevents agreement.
//!
//! ```text
//! documents -> check -> reviews, in parallel -> amendments along the documents' graph
//!   -> check -> its findings, once more to the writer -> check
//!   -> declined blocking findings back to their finders -> closed
//! ```
//!
//! `docs/design/review.md` has the reasons.

mod amend;
mod answer;
mod due;
mod event;
mod record;
mod target;
mod transition;

pub use due::without_room;
pub use event::{
    Amendment, CheckedFinding, FindingVerdicts, PlanChecked, PlanReviewed, ReviewClosed,
};
pub use record::{
    AMENDED_FOR_CHECK, AMENDED_FOR_REVIEW, AnsweredFinding, FindingFate, MissedPart, MissedTurn,
    NoReviewReason, Review, ReviewFinding, Writing,
};

pub use target::documents;

pub(super) use amend::amended_by;
pub(super) use answer::{amended, amended_synthesis, judged, reviewed};
pub(super) use due::{actions, is_due, words_call};
