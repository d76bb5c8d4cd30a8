//! The review: members read the plan before it is published, writers amend it, and an unresolved
//! blocking finding prevents agreement.
//!
//! ```text
//! documents -> check -> reviews, in parallel -> amendments along the documents' graph
//!   in parallel with the last of them: the opening words of the report
//!   -> check -> its findings, once more to the writer -> check
//!   -> declined blocking findings back to their finders -> closed
//!   -> the opening words of the report, if missing or if the findings they mention changed
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
pub(super) use due::{actions, is_due, words_call};
