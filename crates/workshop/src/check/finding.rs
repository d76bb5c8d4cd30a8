//! What a rule found, and the rules by name.

use serde::{Serialize, Serializer};

use crate::fault::{Message, Text};
use crate::machine::{Lang, Stage, State};

/// How much a finding weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// The plan must not be accepted like this.
    Error,
    /// Worth a look; a failure only with `--strict`.
    Warning,
}

/// Something a rule found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Which rule.
    pub rule: Rule,
    /// How much it weighs.
    pub severity: Severity,
    /// The id, path or file concerned.
    pub about: String,
    /// What is wrong, one sentence.
    pub text: Message,
    /// What to do, one sentence.
    pub fix: Message,
}

impl Finding {
    /// The finding for programs, its sentences in one language.
    pub fn document(&self, lang: Lang) -> FindingDocument {
        FindingDocument {
            rule: self.rule,
            severity: self.severity,
            about: self.about.clone(),
            text: self.text.of(lang).to_owned(),
            fix: self.fix.of(lang).to_owned(),
        }
    }
}

/// Something a rule found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[schemars(rename = "Finding")]
pub struct FindingDocument {
    /// Which rule.
    #[schemars(with = "String")]
    pub rule: Rule,
    /// How much it weighs.
    pub severity: Severity,
    /// The id, path or file concerned.
    pub about: String,
    /// What is wrong, one sentence.
    pub text: String,
    /// What to do, one sentence.
    pub fix: String,
}

macro_rules! rules {
    ($($name:ident $kebab:literal $severity:ident $doc:literal;)*) => {
        /// A rule a plan is held against.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Rule {
            $(#[doc = $doc] $name,)*
        }

        impl Rule {
            /// Every rule, errors first.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            /// Its name, kebab-case, as in output and docs.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$name => $kebab,)*
                }
            }

            /// What it wants, one sentence.
            pub fn wants(self) -> &'static str {
                match self {
                    $(Self::$name => $doc,)*
                }
            }

            /// How much its findings weigh.
            pub fn severity(self) -> Severity {
                match self {
                    $(Self::$name => Severity::$severity,)*
                }
            }
        }
    };
}

rules! {
    DocumentMissing "document-missing" Error "A finished run has every document its roles write.";
    CriteriaMissing "criteria-missing" Error "A plan that agreed on something shows it by criteria.";
    CriterionWithoutTest "criterion-without-test" Error "Every criterion is covered by a test.";
    CriterionWithoutWork "criterion-without-work" Error "Every criterion is covered by a work item.";
    WorkWithoutCriterion "work-without-criterion" Error "Every work item serves a criterion.";
    RiskWithoutMitigation "risk-without-mitigation" Error "Every risk has a mitigation that says something.";
    FileMissing "file-missing" Error "A file that is to be modified or deleted exists.";
    DanglingId "dangling-id" Error "Every id that is cited exists.";
    ReusedId "reused-id" Error "An id names one thing only, along the whole line of versions.";
    ReportTooLong "report-too-long" Warning "At most 3,000 words of the report stand open, 800 for small work.";
    SummaryTooLong "summary-too-long" Error "The plan in short has at most 150 words.";
    AgreementOverObjection "agreement-over-objection" Error "Nothing is called agreed while somebody's last word on it is an objection.";
    DroppedOverObjection "dropped-over-objection" Error "No blocking issue is dropped while somebody's last word on it is an objection.";
    AgreedWithOpenIssues "agreed-with-open-issues" Error "A plan is called agreed only if no blocking issue is open.";
    FileDamaged "file-damaged" Error "Every file of a published version is as it was published.";
    SchemaMismatch "schema-mismatch" Error "Every JSON document fits its published schema.";
    SecretFound "secret-found" Error "No text holds a key, token or password.";
    Unresolved "unresolved" Warning "The run ended in agreement; an error with `--strict`.";
    FileExists "file-exists" Warning "A file that is to be created does not exist yet.";
    ModuleWithoutCriterion "module-without-criterion" Warning "Every module serves a criterion.";
    DecisionWithoutRejected "decision-without-rejected" Warning "Every decision says what else was considered.";
    WorkTooLarge "work-too-large" Warning "No work item is of size XL.";
    UnknownDependency "unknown-dependency" Warning "Every work item depends on work items of the plan only.";
    CriterionNotMeasurable "criterion-not-measurable" Warning "Every criterion says what is then seen.";
    PartEmpty "part-empty" Warning "Every document says what it has a place for; only risks may be none.";
    UnknownIdInText "unknown-id-in-text" Warning "An id in a text was given to something.";
    AgreedNotTakenUp "agreed-not-taken-up" Warning "What was agreed stands in scope, criteria or decisions.";
    ScopeWithoutSource "scope-without-source" Warning "Every scope item rests on something agreed, answered or assumed.";
}

impl Serialize for Rule {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl std::fmt::Display for Rule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl Rule {
    /// A finding of this rule, with the rule's own severity.
    pub(super) fn finding(
        self,
        about: impl ToString,
        text: impl Into<Message>,
        fix: impl Into<Message>,
    ) -> Finding {
        Finding {
            rule: self,
            severity: self.severity(),
            about: about.to_string(),
            text: text.into(),
            fix: fix.into(),
        }
    }
}

const REVISE: Text = Text(
    "aitc revise v{n} \"{point}\"",
    "aitc revise v{n} \"{point}\"",
);
const REVISE_LATER: Text = Text(
    "once it is published: aitc revise v{n} \"{point}\"",
    "发布之后：aitc revise v{n} \"{point}\"",
);

/// The command that asks the members for `point`. It is pasted as it stands, so that the
/// point is one that needs no word of the human's, and holds nothing a shell would read.
pub(super) fn ask_for(state: &State, point: impl Into<Message>) -> Message {
    let text = match state.stage {
        Stage::Published => REVISE,
        _ => REVISE_LATER,
    };
    text.fill(&[("n", &state.inputs.version), ("point", &point.into())])
}
