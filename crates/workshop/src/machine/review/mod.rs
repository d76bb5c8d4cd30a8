//! The review: members read the plan before it is published, writers amend it, and a
//! blocking finding that stands is no agreement.
//!
//! ```text
//! documents -> check -> reviews, side by side -> amendments along the documents' graph
//!   beside the last of them the words that open the report
//!   -> check -> what it found, once more to its writer -> check
//!   -> declined blocking findings back to who found them -> closed
//!   -> the report's words, where there are none or the review left other findings
//! ```
//!
//! `docs/design/review.md` has the reasons.

mod amend;
mod answer;
mod due;
mod event;
mod record;
mod target;

pub use due::{being_mended, without_room};
pub use event::{Amended, Checked, CheckedFinding, Judged, ReviewClosed, Reviewed};
pub use record::{
    AMENDED_FOR_CHECK, AMENDED_FOR_REVIEW, AnsweredFinding, Finding, FindingFate, MissedPart,
    Missing, Review, Unreviewed, Writing,
};

pub use target::documents;

pub(super) use amend::amended_by;
pub(super) use answer::{amended, amended_synthesis, judged, reviewed};
pub(super) use due::{actions, is_due, missed, words_call};
pub(super) use event::{is_decided_by_rules, step};
