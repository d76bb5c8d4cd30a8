//! Members: who they are, read from Markdown files with a frontmatter.

mod spec;

pub use spec::{RoleError, RoleId, RoleSet, RoleSpec, parse_role};

/// Full name of the coach, who is a member of every workshop.
pub const COACH: &str = "Coach";
