//! A role's file, and the set of roles in a run.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::document_kind::DocumentKind;

/// Full name of a member, such as `ProductPlanner`; `[A-Za-z][A-Za-z0-9_-]*`.
#[derive(
    Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(transparent)]
pub struct RoleId(pub String);

impl RoleId {
    /// The coach.
    pub fn coach() -> Self {
        Self(super::COACH.to_owned())
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns whether this is the coach.
    pub fn is_coach(&self) -> bool {
        self.0 == super::COACH
    }
}

impl std::fmt::Display for RoleId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<&str> for RoleId {
    fn from(name: &str) -> Self {
        Self(name.to_owned())
    }
}

/// One member: the frontmatter of its file and the persona below it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RoleSpec {
    /// Full name, the `actor` of transcript lines.
    pub id: RoleId,
    /// Short code, used in file names and citations, such as `PP`.
    pub code: String,
    /// Place in the speaking order; equal places keep the order of names.
    pub order: u32,
    /// The final document this role writes, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub document: Option<DocumentKind>,
    /// Shadow members speak but are never pushed by default.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub shadow: bool,
    /// What the member is for, one line, shown to all others.
    pub summary: String,
    /// How the member thinks; used in debates.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thinking_style: Option<String>,
    /// How the member speaks; used in debates.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speaking_style: Option<String>,
    /// What the member does in the review of a plan, Markdown; it is not shown before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reviewing: Option<String>,
    /// The ways in which the member may look at things, such as `read`; all if the field is absent,
    /// none if the list is empty.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tools: Option<Vec<String>>,
    /// The persona, Markdown, line ends normalised to `\n`.
    #[serde(default)]
    pub persona: String,
    /// Where the text came from: a path in the workspace, or `built-in`.
    #[serde(default)]
    pub source: String,
}

/// The members of a run: the coach and, in speaking order, everybody else.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RoleSet {
    /// The coach's own persona.
    pub coach: RoleSpec,
    /// Members in the order in which they speak.
    pub members: Vec<RoleSpec>,
    /// Short codes, by full name, of the roles that do not take part: an earlier version may name
    /// them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub absent: BTreeMap<RoleId, String>,
}

impl RoleSpec {
    /// Returns whether `name` is its full name or its code.
    pub fn is_named(&self, name: &str) -> bool {
        self.id.as_str() == name || self.code == name
    }

    /// Returns whether `name` is its full name or its code, in any form that models write.
    pub fn is_meant_by(&self, name: &str) -> bool {
        let names = [self.id.as_str(), &self.code];
        names
            .iter()
            .any(|own| own.eq_ignore_ascii_case(name.trim()))
    }
}

impl RoleSet {
    /// The role with that full name or code, including the coach.
    pub fn find(&self, name: &str) -> Option<&RoleSpec> {
        std::iter::once(&self.coach)
            .chain(&self.members)
            .find(|role| role.is_named(name))
    }

    /// The role that writes `kind`, if there is one.
    pub fn writer(&self, kind: DocumentKind) -> Option<&RoleSpec> {
        self.members.iter().find(|role| role.document == Some(kind))
    }

    /// Short codes of the members who speak, in order.
    pub fn codes(&self) -> Vec<&str> {
        self.members.iter().map(|role| role.code.as_str()).collect()
    }

    /// Short codes by full name, including the coach and those who do not take part.
    pub fn codes_by_name(&self) -> BTreeMap<&str, &str> {
        let all = self.members.iter().chain([&self.coach]);
        let all = all.map(|role| (role.id.as_str(), role.code.as_str()));
        let absent = self.absent.iter();
        all.chain(absent.map(|(id, code)| (id.as_str(), code.as_str())))
            .collect()
    }

    /// Short code of a role, or its full name if it has none here.
    pub fn code<'a>(&'a self, id: &'a RoleId) -> &'a str {
        let own = self.find(id.as_str()).map(|role| &role.code);
        own.or_else(|| self.absent.get(id))
            .map_or(id.as_str(), String::as_str)
    }
}
