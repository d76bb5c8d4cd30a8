//! The documents that roles write.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Which of the five documents.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum DocumentKind {
    /// What is delivered: `product_plan.json`.
    ProductPlan,
    /// How it is built: `system_design.json`.
    SystemDesign,
    /// The steps of the work: `dev_plan.json`.
    DevPlan,
    /// How it is tested: `test_plan.json`.
    TestPlan,
    /// What can go wrong: `risk_assessment.json`.
    RiskAssessment,
}

impl DocumentKind {
    /// All kinds, in the order in which they can be written.
    pub const ALL: [Self; 5] = [
        Self::ProductPlan,
        Self::SystemDesign,
        Self::DevPlan,
        Self::TestPlan,
        Self::RiskAssessment,
    ];

    /// Name without a file extension, as in schemas and events.
    pub fn name(self) -> &'static str {
        match self {
            Self::ProductPlan => "product_plan",
            Self::SystemDesign => "system_design",
            Self::DevPlan => "dev_plan",
            Self::TestPlan => "test_plan",
            Self::RiskAssessment => "risk_assessment",
        }
    }

    /// Documents that must exist before this one is requested, as far as the run writes them. Each
    /// is named, even if it is needed by another one too: a team may lack that one's writer.
    pub fn depends_on(self) -> &'static [Self] {
        match self {
            Self::ProductPlan => &[],
            Self::SystemDesign => &[Self::ProductPlan],
            Self::DevPlan | Self::TestPlan | Self::RiskAssessment => {
                &[Self::ProductPlan, Self::SystemDesign]
            }
        }
    }
}

impl fmt::Display for DocumentKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
