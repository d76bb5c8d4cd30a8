//! The review: members read the plan before it is published, writers amend it, and a
//! blocking finding that stands is no agreement.
//!
//! ```text
//! documents -> check -> reviews, side by side -> amendments along the documents' graph
//!   -> check -> what it found, once more to its writer -> check
//!   -> declined blocking findings back to who found them -> closed -> report
//! ```
//!
//! `docs/design/review.md` has the reasons.

mod amend;
mod answer;
mod due;
mod event;
mod record;
mod target;

pub use event::{Amended, Checked, CheckedFinding, Judged, ReviewClosed, Reviewed};
pub use record::{
    AMENDED_FOR_CHECK, AMENDED_FOR_REVIEW, AnsweredFinding, Finding, FindingFate, MissedPart,
    Missing, Review, Unreviewed, Writing,
};

pub use target::documents;

pub(super) use amend::amended_by;
pub(super) use answer::{amended, amended_synthesis, judged, reviewed};
pub(super) use due::{actions, is_due, missed};
pub(super) use event::step;
