//! Ids of model calls, which stay the same across a crash.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ids::as_text;
use crate::role::{DocumentKind, RoleId};

/// The dialogue that a call belongs to.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// The rounds led by the coach.
    Root,
    /// The clarification of question `Q-n`.
    Question(u32),
    /// The debate `D-n`.
    Debate(u32),
    /// The phase `P-n` of a team.
    Phase(u32),
}

/// What a call of a debate is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DebatePart {
    /// The coach opens it.
    Opening,
    /// A participant argues.
    Argument,
    /// The coach summarises a round of it.
    Summary,
    /// The coach rules.
    Ruling,
}

/// What a call is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Purpose {
    /// The coach reads the requirement.
    Judgment,
    /// A member speaks.
    Speech,
    /// The coach answers a question or passes it to the user.
    Relay,
    /// The member who asked says whether the answer is enough.
    FollowUp,
    /// The coach summarises a round.
    Summary,
    /// A member works on a phase of a team; the turn is its position among the phase's members.
    Step,
    /// A member votes on the end; the turn is the number of the vote.
    Vote,
    /// A call of a debate.
    Debate(DebatePart),
    /// A role writes its document; from the second turn on it amends the document after the review.
    Document(DocumentKind),
    /// The coach closes; from the second turn on it amends a team's synthesis or rewrites the
    /// report's words.
    Report,
    /// A member reviews what is to be published.
    Review,
    /// A member says whether its declined findings still hold.
    Verdict,
}

impl Purpose {
    /// Returns its name in call ids and file names.
    pub fn name(self) -> &'static str {
        match self {
            Self::Judgment => "judgment",
            Self::Speech => "speech",
            Self::Relay => "relay",
            Self::FollowUp => "follow_up",
            Self::Summary => "summary",
            Self::Step => "step",
            Self::Vote => "vote",
            Self::Debate(DebatePart::Opening) => "debate_opening",
            Self::Debate(DebatePart::Argument) => "argument",
            Self::Debate(DebatePart::Summary) => "debate_summary",
            Self::Debate(DebatePart::Ruling) => "ruling",
            Self::Document(kind) => kind.name(),
            Self::Report => "report",
            Self::Review => "review",
            Self::Verdict => "verdict",
        }
    }

    fn parse(name: &str) -> Option<Self> {
        [
            Self::Judgment,
            Self::Speech,
            Self::Relay,
            Self::FollowUp,
            Self::Summary,
            Self::Step,
            Self::Vote,
            Self::Debate(DebatePart::Opening),
            Self::Debate(DebatePart::Argument),
            Self::Debate(DebatePart::Summary),
            Self::Debate(DebatePart::Ruling),
            Self::Report,
            Self::Review,
            Self::Verdict,
        ]
        .into_iter()
        .chain(DocumentKind::ALL.map(Self::Document))
        .find(|purpose| purpose.name() == name)
    }

    /// Returns whether the call belongs to the closing, which discussion limits do not stop.
    pub fn is_closing(self) -> bool {
        matches!(
            self,
            Self::Document(_) | Self::Report | Self::Review | Self::Verdict
        )
    }
}

/// The name of one model call; its text form is
/// `scope/purpose/member/r<round>/t<turn>/a<attempt>`, after a look with `l<look>` before the
/// attempt, and for a question to the member's own model with `q<ask>`.
#[derive(
    Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[schemars(with = "String")]
#[serde(try_from = "String", into = "String")]
pub struct CallId {
    /// The dialogue it belongs to.
    pub scope: Scope,
    /// What for.
    pub purpose: Purpose,
    /// The member that is asked.
    pub member: RoleId,
    /// Round, from 1; 0 before the first.
    pub round: u32,
    /// Place within the round or dialogue, from 1; in a debate its round.
    pub turn: u32,
    /// How often the member has looked before in this call; 0 at first.
    pub look: u32,
    /// Which question it puts to the model apart from the meeting, from 1; 0 for the call
    /// itself.
    pub ask: u32,
    /// 1 for the first try, one more for each failure or rejected reply.
    pub attempt: u32,
}

impl CallId {
    /// Returns a call at its first attempt, before any look.
    pub fn new(scope: Scope, purpose: Purpose, member: RoleId, round: u32, turn: u32) -> Self {
        Self {
            scope,
            purpose,
            member,
            round,
            turn,
            look: 0,
            ask: 0,
            attempt: 1,
        }
    }

    /// Returns whether it asks a writer to amend its document after the review.
    pub fn amends(&self) -> bool {
        matches!(self.purpose, Purpose::Document(_) | Purpose::Report) && self.turn > 1
    }

    /// Returns the first attempt of the same call.
    pub fn first(&self) -> Self {
        self.with_attempt(1)
    }

    /// Returns the same call at its first attempt, before any look.
    pub fn unlooked(&self) -> Self {
        Self {
            look: 0,
            ask: 0,
            ..self.first()
        }
    }

    /// Returns the call that this one asks a sub-question for, or the call itself.
    pub fn unasking(&self) -> Self {
        Self {
            ask: 0,
            ..self.clone()
        }
    }

    /// Returns another attempt of the same call.
    pub fn with_attempt(&self, attempt: u32) -> Self {
        Self {
            attempt,
            ..self.clone()
        }
    }
}

impl fmt::Display for CallId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.scope {
            Scope::Root => f.write_str("root")?,
            Scope::Question(n) => write!(f, "Q-{n}")?,
            Scope::Debate(n) => write!(f, "D-{n}")?,
            Scope::Phase(n) => write!(f, "P-{n}")?,
        }
        write!(
            f,
            "/{}/{}/r{}/t{}",
            self.purpose.name(),
            self.member,
            self.round,
            self.turn,
        )?;
        if self.look > 0 {
            write!(f, "/l{}", self.look)?;
        }
        if self.ask > 0 {
            write!(f, "/q{}", self.ask)?;
        }
        write!(f, "/a{}", self.attempt)
    }
}

/// A text that is not a call id.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no call id")]
pub struct BadCallId(String);

impl FromStr for CallId {
    type Err = BadCallId;

    fn from_str(text: &str) -> Result<Self, BadCallId> {
        let parse = || {
            let mut parts = text.split('/');
            let scope = match parts.next()? {
                "root" => Scope::Root,
                other => {
                    let (kind, n) = other.split_once('-')?;
                    let n = n.parse().ok()?;
                    match kind {
                        "Q" => Scope::Question(n),
                        "D" => Scope::Debate(n),
                        "P" => Scope::Phase(n),
                        _ => return None,
                    }
                }
            };
            let purpose = Purpose::parse(parts.next()?)?;
            let member = RoleId(parts.next()?.to_owned());
            let number = |part: &str, prefix| part.strip_prefix(prefix)?.parse::<u32>().ok();
            let round = number(parts.next()?, "r")?;
            let turn = number(parts.next()?, "t")?;
            let mut last = parts.next()?;
            let look = number(last, "l");
            if look.is_some() {
                last = parts.next()?;
            }
            let ask = number(last, "q");
            if ask.is_some() {
                last = parts.next()?;
            }
            let attempt = number(last, "a")?;
            let is_whole = parts.next().is_none() && look != Some(0) && ask != Some(0);
            is_whole.then_some(Self {
                scope,
                purpose,
                member,
                round,
                turn,
                look: look.unwrap_or_default(),
                ask: ask.unwrap_or_default(),
                attempt,
            })
        };
        parse().ok_or_else(|| BadCallId(text.to_owned()))
    }
}

as_text!(CallId);

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_call_is_named_and_known_by_its_name() {
        for name in [
            "root/speech/PP/r1/t2/a1",
            "root/speech/PP/r1/t2/l1/a3",
            "Q-4/relay/Coach/r1/t2/q1/a1",
            "root/dev_plan/SD/r1/t2/l2/q2/a1",
        ] {
            assert_eq!(name.parse::<CallId>().unwrap().to_string(), name);
        }
        for name in [
            "root/speech/PP/r1/t2/q0/a1",
            "root/speech/PP/r1/t2/q1/l1/a1",
            "root/speech/PP/r1/t2/l1/q1",
        ] {
            assert!(name.parse::<CallId>().is_err(), "{name}");
        }
    }
}
