//! Shapes of what `models` and `doctor` print with `--json`.
#![allow(dead_code, reason = "shapes are read by the schema generator only")]

use schemars::JsonSchema;
use serde::Serialize;

use crate::role::RoleId;

/// `doctor`.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DoctorShape {
    /// Version of this format.
    v: u32,
    /// Would a run start?
    sound: bool,
    /// What was looked at, in order.
    findings: Vec<DoctorFinding>,
}

/// One thing that was looked at.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct DoctorFinding {
    /// Which, such as `repository`; several findings may share it.
    name: String,
    /// How it stands.
    status: DoctorStatus,
    /// What was found, one sentence.
    what: String,
    /// What to do; null when there is nothing to do.
    fix: Option<String>,
}

/// How a finding stands.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum DoctorStatus {
    /// As it should be.
    Ok,
    /// A run goes, but not as well as it could.
    Warn,
    /// A run would fail.
    Fail,
}

/// `models`.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ModelsShape {
    /// Version of this format.
    v: u32,
    /// Which model each role would use, the coach last.
    roles: Vec<ModelOfRole>,
    /// What each provider in use offers; empty without an endpoint.
    providers: Vec<OfferShape>,
}

/// Which model one role would use.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ModelOfRole {
    /// Full name.
    role: RoleId,
    /// Short code.
    code: String,
    /// Who answers.
    provider: String,
    /// Name of the model there.
    model: String,
    /// Was it named for this role alone?
    own: bool,
    /// How it was found, one line for people.
    why: String,
}

/// What a provider offers.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct OfferShape {
    /// Which.
    provider: String,
    /// How it is spoken to, such as `openai`.
    dialect: String,
    /// What came of asking it for its models.
    answer: OfferAnswer,
    /// What is wrong, in words; none if it listed its models.
    why: Option<String>,
    /// Names of its models; empty unless it listed them.
    models: Vec<String>,
    /// Names of those a run would use.
    used: Vec<String>,
}

/// What came of asking a provider for its models.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum OfferAnswer {
    /// It listed them.
    Models,
    /// It refused the key.
    Refused,
    /// It answered something else.
    Unclear,
    /// It cannot answer now, or sends elsewhere.
    Failing,
    /// Its certificate is not trusted; nothing was sent.
    Untrusted,
    /// It did not answer.
    Silent,
}
