//! Where results of a team cannot both stand: the same collisions that members of a
//! workshop object over, found in what phases brought.

use super::board::Board;
use super::checklist::{Checklist, Conflict, Part};
use super::team::{Point, points};
use super::text::fill;
use crate::machine::debate::{Debate, Motion};
use crate::machine::phase::{Phase, PhaseKind};
use crate::reply::{
    Contribution, Decision, DivergenceKind, FoundDivergence, FoundSide, Position, Ruling, Stance,
};
use crate::role::{RoleId, RoleSpec};

/// A point of one result that collides with a point of some result.
pub struct Dispute<'b> {
    /// The phase whose result gives way.
    phase: &'b Phase,
    /// Who worked on it last.
    author: &'b RoleId,
    /// Who objects.
    objector: &'b RoleSpec,
    /// The rule that says so.
    pub conflict: &'b Conflict,
    /// The checklist whose point gives way.
    list: &'b Checklist,
    /// The checklist of the other side.
    other: &'b Checklist,
    /// The sentence that gives way.
    mine: String,
}

/// Disputes over results that are there, in order of the phases.
pub fn disputes<'b>(board: &'b Board<'_>) -> Vec<Dispute<'b>> {
    let Some(team) = &board.state.team else {
        return Vec::new();
    };
    let results = team.results().filter(|(phase, result)| {
        phase.phase_type == PhaseKind::Execution && result.missing.is_empty()
    });
    let results: Vec<(&Phase, &RoleId, Vec<Point>)> = results
        .filter_map(|(phase, _)| {
            let author = phase.members.last()?;
            Some((phase, author, points(board, board.part_of(author))))
        })
        .collect();
    let is_there = |topic: &str, key: &str| {
        let mut all = results.iter().flat_map(|(_, _, points)| points);
        all.any(|point| point.list.topic == topic && point.key == Some(key))
    };
    let mut found = Vec::new();
    for (phase, author, points) in &results {
        for point in points {
            let conflicts = point.list.conflicts.iter();
            let here = conflicts.filter(|conflict| point.key == Some(&conflict.mine));
            found.extend(here.filter_map(|conflict| {
                let (topic, key) = conflict.other_side()?;
                let other = board.topics.iter().find(|list| list.topic == topic)?;
                let objector = board.member(conflict.objector)?;
                (is_there(topic, key) && objector.id != **author).then(|| Dispute {
                    phase,
                    author,
                    objector,
                    conflict,
                    list: point.list,
                    other,
                    mine: point.say.clone(),
                })
            }));
        }
    }
    found
}

/// Disputes that were not debated yet, one a phase, as the lead names them.
pub fn divergences(board: &Board) -> Vec<FoundDivergence> {
    let Some(team) = &board.state.team else {
        return Vec::new();
    };
    let mut named: Vec<FoundDivergence> = Vec::new();
    for dispute in disputes(board) {
        let id = dispute.phase.id.to_string();
        if team.was_debated(&dispute.phase.id) || named.iter().any(|one| one.issue == id) {
            continue;
        }
        let side = |member: &str, stands_for: &str| FoundSide {
            member: member.to_owned(),
            stands_for: stands_for.to_owned(),
        };
        let code = board.state.inputs.roles.code(dispute.author);
        named.push(FoundDivergence {
            issue: id,
            criterion: DivergenceKind::Contradiction,
            question: dispute.question(board),
            sides: vec![
                side(code, &dispute.mine),
                side(&dispute.objector.code, &dispute.conflict.compromise),
            ],
        });
    }
    named
}

/// The dispute a debate is about, if it is about one.
pub fn of<'b>(board: &'b Board<'_>, motion: &Motion) -> Option<Dispute<'b>> {
    let topic = &motion.debate_config.topic;
    let mut all = disputes(board).into_iter();
    all.find(|dispute| dispute.question(board) == *topic)
}

impl Dispute<'_> {
    fn question(&self, board: &Board) -> String {
        // Both texts may come from the same checklist.
        let question = match self.list.title == self.other.title {
            true => &board.phrases.debate_phase_question_one,
            false => &board.phrases.debate_phase_question,
        };
        let id = self.phase.id.to_string();
        let values = [
            ("a", self.list.title.as_str()),
            ("b", &self.other.title),
            ("id", &id),
        ];
        fill(question, &values)
    }

    /// What a participant argues: in the first round each for its own text, then for
    /// the one that serves both.
    pub fn argue(
        &self,
        board: &Board,
        debate: &Debate,
        member: &RoleId,
        round: u32,
    ) -> Contribution {
        let p = &board.phrases;
        let id = self.phase.id.to_string();
        let compromise = || Some(self.conflict.compromise.clone());
        let (stance, proposal, why, is_moved) = match (*member == self.objector.id, round) {
            (true, 1) => {
                let why = fill(&p.why_object, &[("because", &self.conflict.because)]);
                (Stance::Object, compromise(), why, false)
            }
            (true, _) => (Stance::Refine, compromise(), p.debate_met.clone(), true),
            (false, 1) => {
                let why = fill(&p.debate_stands, &[("id", &id)]);
                (Stance::Agree, Some(self.mine.clone()), why, false)
            }
            (false, _) => (
                Stance::Refine,
                compromise(),
                self.conflict.accept.clone(),
                true,
            ),
        };
        let case = match stance {
            Stance::Object => super::debate::case(board, self.conflict),
            _ => String::new(),
        };
        Contribution {
            analysis: board.flow(&[why.clone(), case]),
            positions: vec![Position {
                issue: debate.subject(),
                stance,
                proposal,
                changed_because: is_moved.then(|| why.clone()),
                why,
            }],
            ..Contribution::default()
        }
    }

    /// The text that serves both.
    pub fn rule(&self, board: &Board) -> Ruling {
        Ruling {
            decision: Decision::Compromise,
            rationale: board.flow(&[&self.conflict.because, &self.conflict.accept]),
            conclusion: self.conflict.compromise.clone(),
        }
    }
}

/// What a member says to the plan before anybody has worked; none if no phase is its own.
pub fn at_plan(board: &Board, member: &RoleId) -> Option<String> {
    let p = &board.phrases;
    let own = board.state.team.as_ref()?.plan.phases().iter();
    let own = own
        .filter(|phase| phase.phase_type == PhaseKind::Execution && phase.members.contains(member));
    let said: Vec<String> = own
        .map(|phase| {
            let needs: Vec<String> = phase.depends_on.iter().map(ToString::to_string).collect();
            let needs: Vec<&str> = needs.iter().map(String::as_str).collect();
            let values = [("id", phase.id.to_string()), ("needs", board.join(&needs))];
            let values = values
                .each_ref()
                .map(|(name, value)| (*name, value.as_str()));
            match needs.is_empty() {
                true => fill(&p.debate_phase_first, &values),
                false => fill(&p.debate_phase_after, &values),
            }
        })
        .collect();
    (!said.is_empty()).then(|| board.flow(&said))
}

/// What the members' parts know about a question, a sentence each, the first `most`.
pub fn known(board: &Board, question: &str, part: Option<Part>, most: usize) -> Vec<String> {
    let matcher = super::text::Matcher::new(question);
    let lists = board.topics.iter();
    let lists = lists.filter(|list| list.called_by(&matcher) > 0);
    let points = lists.flat_map(|list| super::team::points_of(board, list, part));
    points.map(|point| point.say).take(most).collect()
}
