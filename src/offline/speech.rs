//! A member's turn: where it stands on every open issue, from its part's checklists.

use super::OfflineError;
use super::board::{Board, Line, Source};
use super::checklist::Part;
use super::collision::{self, Collision, Progress};
use super::questions;
use super::text::{cut, fill};
use crate::reply::{Contribution, NewIssue, Position, Severity, Size, Stance};
use crate::workshop::{CallId, IssueRecord, PositionRecord};

/// Minor matters named in one run, at most.
const MAX_LATER: usize = 3;
/// Characters of a proposal in the speech a person reads; the position has it whole.
const SHOWN: usize = 260;

/// Who speaks, and in which round.
struct Speaker<'c> {
    call: &'c CallId,
    part: Option<Part>,
}

/// A member's contribution.
///
/// # Errors
/// The member takes no part in this run.
pub fn speak(board: &Board, call: &CallId) -> Result<Contribution, OfflineError> {
    if board
        .state
        .inputs
        .roles
        .find(call.member.as_str())
        .is_none()
    {
        return Err(OfflineError::UnknownMember(call.member.clone()));
    }
    let speaker = Speaker {
        call,
        part: board.part_of(&call.member),
    };
    let agenda = &board.state.agenda;
    let open: Vec<&IssueRecord> = board
        .state
        .ledger
        .open()
        .filter(|issue| agenda.is_empty() || agenda.contains(&issue.id))
        .collect();
    let positions: Vec<Position> = open
        .iter()
        .map(|issue| speaker.position(board, issue))
        .collect();
    Ok(Contribution {
        analysis: speaker.analysis(board, &open, &positions),
        positions,
        questions: questions::asked_by(board, call),
        new_issues: speaker.later(board),
        ..Contribution::default()
    })
}

impl Speaker<'_> {
    fn position(&self, board: &Board, issue: &IssueRecord) -> Position {
        let before = issue.latest().get(&self.call.member).copied();
        let collisions = collision::on_issue(board, issue);
        let mine = collisions
            .iter()
            .find(|c| self.part == Some(c.conflict.objector))
            .and_then(|c| self.objection(board, issue, c));
        let mut position = mine
            .or_else(|| self.proposal(board, issue, before))
            .or_else(|| self.take_over(board, issue))
            .unwrap_or_else(|| self.agreement(board, issue));
        let turned = before.is_some_and(|p| p.stance != position.stance);
        if turned && position.changed_because.is_none() {
            position.changed_because = Some(position.why.clone());
        }
        position
    }

    /// What an objector does about a collision; none while there is nothing to object to.
    fn objection(
        &self,
        board: &Board,
        issue: &IssueRecord,
        collision: &Collision,
    ) -> Option<Position> {
        let object = |stance| Position {
            issue: issue.id.to_string(),
            stance,
            proposal: Some(collision.conflict.compromise.clone()),
            why: fill(
                &board.phrases.why_object,
                &[("because", &collision.conflict.because)],
            ),
            changed_because: None,
        };
        match collision.progress(board, issue) {
            Progress::Unseen => None,
            Progress::Proposed => Some(object(Stance::Object)),
            // Nobody answered for a whole round: the compromise is put up for itself.
            Progress::Objected { round } if self.call.round >= round + 2 => {
                Some(object(Stance::Refine))
            }
            Progress::Objected { .. } => Some(object(Stance::Object)),
            Progress::Adopted => {
                let whose = collision.list.title.as_str();
                let reason = fill(&board.phrases.withdrawn_objection, &[("whose", whose)]);
                let own = self
                    .part
                    .map(|part| collision::proposal(board, issue, part).0)
                    .unwrap_or_default();
                Some(Position {
                    issue: issue.id.to_string(),
                    stance: if own.is_empty() {
                        Stance::Agree
                    } else {
                        Stance::Refine
                    },
                    proposal: (!own.is_empty()).then(|| text_of(board, &own)),
                    why: reason.clone(),
                    changed_because: Some(reason),
                })
            }
        }
    }

    /// A text of one's own: new, changed by a collision, or kept.
    fn proposal(
        &self,
        board: &Board,
        issue: &IssueRecord,
        before: Option<&PositionRecord>,
    ) -> Option<Position> {
        let (lines, reasons) = collision::proposal(board, issue, self.part?);
        if lines.is_empty() {
            return None;
        }
        let text = text_of(board, &lines);
        let earlier = issue
            .proposal_of(&self.call.member)
            .and_then(|p| p.proposal.clone());
        let kept = before.is_some() && earlier.as_deref() == Some(text.as_str());
        if kept && self.unanswered_objection(board, issue).is_some() {
            return None;
        }
        Some(Position {
            issue: issue.id.to_string(),
            stance: if kept { Stance::Agree } else { Stance::Refine },
            proposal: (!kept).then_some(text),
            why: if kept {
                board.phrases.why_kept.clone()
            } else {
                self.why(board, issue, &lines)
            },
            changed_because: before
                .and_then(|_| reasons.first().map(|reason| (*reason).to_owned())),
        })
    }

    /// Somebody else's objection with a text of its own, which no checklist foresaw.
    fn unanswered_objection<'i>(
        &self,
        board: &Board,
        issue: &'i IssueRecord,
    ) -> Option<&'i PositionRecord> {
        let foreseen = collision::on_issue(board, issue);
        let latest = issue.latest();
        latest
            .into_values()
            .filter(|p| p.stance == Stance::Object && p.member != self.call.member)
            .find(|p| {
                p.proposal.as_ref().is_some_and(|text| {
                    !foreseen
                        .iter()
                        .any(|c| text.contains(&c.conflict.compromise))
                })
            })
    }

    /// Takes over the text of such an objection rather than repeat one's own.
    fn take_over(&self, board: &Board, issue: &IssueRecord) -> Option<Position> {
        if !matches!(self.part, Some(Part::Product | Part::Design)) {
            return None;
        }
        let objection = self.unanswered_objection(board, issue)?;
        let whose = board.state.inputs.roles.code(&objection.member);
        let reason = fill(&board.phrases.takes_over, &[("whose", whose)]);
        Some(Position {
            issue: issue.id.to_string(),
            stance: Stance::Refine,
            proposal: objection.proposal.clone(),
            why: reason.clone(),
            changed_because: Some(reason),
        })
    }

    fn agreement(&self, board: &Board, issue: &IssueRecord) -> Position {
        let p = &board.phrases;
        let lists: Vec<_> = board.topics_of(issue.id).collect();
        let why = match self.part {
            Some(Part::Build) => {
                let hint = lists
                    .iter()
                    .flat_map(|list| &list.work)
                    .max_by_key(|work| work.size);
                hint.map_or_else(
                    || p.why_build_plain.clone(),
                    |work| {
                        fill(
                            &p.why_build,
                            &[("work", &work.title), ("size", size_name(work.size))],
                        )
                    },
                )
            }
            Some(Part::Test) => lists
                .iter()
                .flat_map(|list| &list.tests)
                .next()
                .map_or_else(
                    || p.why_test_plain.clone(),
                    |test| fill(&p.why_test, &[("test", &test.title)]),
                ),
            Some(Part::Risk) => lists
                .iter()
                .flat_map(|list| &list.risks)
                .max_by_key(|risk| (risk.impact, risk.chance))
                .map_or_else(
                    || p.why_risk_plain.clone(),
                    |risk| {
                        fill(
                            &p.why_risk,
                            &[("risk", &risk.title), ("mitigation", &risk.mitigation)],
                        )
                    },
                ),
            Some(Part::Product | Part::Design) | None => p.why_other.clone(),
        };
        let someone_proposed = issue.positions.iter().any(|p| p.proposal.is_some());
        let in_view = someone_proposed || self.call.round == 1;
        Position {
            issue: issue.id.to_string(),
            stance: if in_view && self.part.is_some() {
                Stance::Agree
            } else {
                Stance::Abstain
            },
            proposal: None,
            why: board.flow(&[why, self.answers(board, issue)]),
            changed_because: None,
        }
    }

    /// Why a text of one's own is proposed.
    fn why(&self, board: &Board, issue: &IssueRecord, lines: &[Line]) -> String {
        let p = &board.phrases;
        let reason = match self.part {
            Some(Part::Design) => {
                let whys: Vec<&str> = lines
                    .iter()
                    .filter_map(|line| match line.source {
                        Source::Design(item) => Some(item.why.as_str()),
                        Source::Compromise(conflict) => Some(conflict.accept.as_str()),
                        Source::Product(_) => None,
                    })
                    .take(2)
                    .collect();
                let files: Vec<String> = board
                    .files_for(&board.issue_text(issue))
                    .iter()
                    .map(|hit| format!("`{}`", hit.path))
                    .collect();
                let grounded = match files.is_empty() {
                    true => String::new(),
                    false => fill(&p.grounded, &[("files", &board.join(&files))]),
                };
                board.flow(&[
                    fill(&p.why_design, &[("why", &board.flow(&whys))]),
                    grounded,
                ])
            }
            _ => {
                let topics: Vec<&str> = board
                    .topics_of(issue.id)
                    .map(|list| list.title.as_str())
                    .collect();
                match topics.is_empty() {
                    true => p.why_product_plain.clone(),
                    false => fill(&p.why_product, &[("topics", &board.join(&topics))]),
                }
            }
        };
        board.flow(&[reason, self.answers(board, issue)])
    }

    /// What the human has answered about the issue so far.
    fn answers(&self, board: &Board, issue: &IssueRecord) -> String {
        let said: Vec<String> = questions::answered(board)
            .into_iter()
            .filter(|(question, _)| question.blocks == Some(issue.id))
            .map(|(question, settles)| {
                let id = questions::citation(board, question);
                fill(
                    &board.phrases.takes_answer,
                    &[("id", &id), ("settles", &settles)],
                )
            })
            .collect();
        board.flow(&said)
    }

    /// Minor matters this part names in its first speech.
    fn later(&self, board: &Board) -> Vec<NewIssue> {
        if self.call.round != 1 {
            return Vec::new();
        }
        let known = |title: &str| board.state.ledger.iter().any(|issue| issue.title == title);
        board
            .topics
            .iter()
            .filter_map(|list| {
                list.later
                    .iter()
                    .find(|later| board.member(later.by).is_some())
            })
            .take(MAX_LATER)
            .filter(|later| Some(later.by) == self.part && !known(&later.title))
            .map(|later| NewIssue {
                key: later.key.clone(),
                title: later.title.clone(),
                detail: later.detail.clone(),
                severity: Severity::Minor,
            })
            .collect()
    }

    fn analysis(&self, board: &Board, open: &[&IssueRecord], positions: &[Position]) -> String {
        let mut text = self.opening(board, open);
        for (issue, position) in open.iter().zip(positions) {
            let said = match (&position.proposal, position.stance) {
                (Some(text), Stance::Object) => format!("{} → {}", position.why, cut(text, SHOWN)),
                (Some(text), _) => cut(text, SHOWN),
                (None, _) => cut(&position.why, SHOWN),
            };
            text.push_str(&format!(
                "\n- **{}** {}: {said}",
                issue.id,
                cut(&issue.title, 60)
            ));
        }
        text
    }

    fn opening(&self, board: &Board, open: &[&IssueRecord]) -> String {
        let p = &board.phrases;
        if open.is_empty() {
            return p.nothing_open.clone();
        }
        if self.call.round > 1 {
            let ids: Vec<String> = open.iter().map(|issue| issue.id.to_string()).collect();
            return fill(&p.open_later, &[("issues", &board.join(&ids))]);
        }
        match self.part {
            Some(Part::Product) => p.open_product.clone(),
            Some(Part::Design) => {
                let hits = board.state.survey.iter().flat_map(|survey| &survey.hits);
                let files: Vec<String> = hits.take(4).map(place).collect();
                match files.is_empty() {
                    true => p.open_design.clone(),
                    false => fill(&p.open_design_files, &[("files", &board.join(&files))]),
                }
            }
            Some(Part::Build) => p.open_build.clone(),
            Some(Part::Test) => p.open_test.clone(),
            Some(Part::Risk) => p.open_risk.clone(),
            None => p.open_other.clone(),
        }
    }
}

/// Where a file was hit, as people cite it.
fn place(hit: &crate::workshop::Hit) -> String {
    match hit.number {
        0 => format!("`{}`", hit.path),
        n => format!("`{}:{n}`", hit.path),
    }
}

fn text_of(board: &Board, lines: &[Line]) -> String {
    let mut texts: Vec<&str> = Vec::new();
    for line in lines {
        // A compromise may stand for both sentences that collided.
        if !texts.contains(&line.text.as_str()) {
            texts.push(&line.text);
        }
    }
    board.flow(&texts)
}

/// A size as it is written in plans.
pub fn size_name(size: Size) -> &'static str {
    match size {
        Size::S => "S",
        Size::M => "M",
        Size::L => "L",
        Size::XL => "XL",
    }
}
