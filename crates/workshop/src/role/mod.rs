//! Members: who they are, parsed from Markdown files with frontmatter.

mod document_kind;
mod file;
mod look_kind;
mod spec;

pub use document_kind::DocumentKind;
pub use file::{MAX_ROLE_BYTES, normalise, parse, parse_role};
pub use look_kind::LookKind;
pub use spec::{RoleId, RoleSet, RoleSpec};

/// Full name of the coach, who is a member of every workshop.
pub const COACH: &str = "Coach";
