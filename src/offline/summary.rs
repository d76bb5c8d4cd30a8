//! The coach sums up a round: one fate for every open issue, by the rules the
//! engine counts with.

use super::board::Board;
use super::collision::{self, Progress};
use super::debate;
use super::text::{fill, likeness};
use crate::machine::{IssueId, IssueRecord, Origin};
use crate::reply::{CoachPart, Contribution, Fate, FateKind, Reminder, Severity};

/// Titles that are this alike name the same issue.
const SAME: f64 = 0.85;

/// The coach's look at what a layer brought: results that cannot both stand.
pub fn review(board: &Board) -> Contribution {
    let found = debate::divergences(board, &[]);
    let ids: Vec<&str> = found.iter().map(|one| one.issue.as_str()).collect();
    let analysis = match ids.is_empty() {
        true => board.phrases.layer_fits.clone(),
        false => fill(&board.phrases.layer_collides, &[("ids", &board.join(&ids))]),
    };
    let mut found = found.into_iter();
    Contribution {
        analysis,
        coach: Some(CoachPart {
            divergence: found.next(),
            more_divergences: found.collect(),
            ..CoachPart::default()
        }),
        ..Contribution::default()
    }
}

/// The coach's summary.
pub fn sum_up(board: &Board) -> Contribution {
    let open: Vec<&IssueRecord> = board.state.ledger.open().collect();
    let mut fates = merges(board, &open);
    let merged: Vec<String> = fates.iter().map(|fate| fate.issue.clone()).collect();
    let rest: Vec<&IssueRecord> = open
        .iter()
        .copied()
        .filter(|issue| !merged.contains(&issue.id.to_string()))
        .collect();
    let mut settled: Vec<IssueId> = Vec::new();
    let mut reminders = Vec::new();
    for issue in &rest {
        let of_issue = fate(board, issue);
        if of_issue.iter().any(|fate| fate.fate == FateKind::Settled) {
            settled.push(issue.id);
        }
        reminders.extend(reminder(board, issue));
        fates.extend(of_issue);
    }
    let left: Vec<String> = rest
        .iter()
        .filter(|issue| !settled.contains(&issue.id) && issue.severity == Severity::Blocking)
        .map(|issue| issue.id.to_string())
        .collect();
    let analysis = fill(
        &board.phrases.summary,
        &[
            ("round", &board.state.round.to_string()),
            ("settled", &settled.len().to_string()),
            ("open", &left.len().to_string()),
        ],
    );
    let reasons: Vec<&str> = fates
        .iter()
        .filter(|fate| fate.fate == FateKind::Open)
        .filter_map(|fate| fate.reason.as_deref())
        .collect();
    let mut divergences = debate::divergences(board, &closed(&fates)).into_iter();
    Contribution {
        analysis: board.flow(&[analysis, board.flow(&reasons)]),
        coach: Some(CoachPart {
            divergence: divergences.next(),
            more_divergences: divergences.collect(),
            fates,
            reminders,
            ..CoachPart::default()
        }),
        ..Contribution::default()
    }
}

/// Issues that do not stay open.
fn closed(fates: &[Fate]) -> Vec<String> {
    let closed = fates.iter().filter(|fate| fate.fate != FateKind::Open);
    closed.map(|fate| fate.issue.clone()).collect()
}

/// What becomes of one issue.
fn fate(board: &Board, issue: &IssueRecord) -> Vec<Fate> {
    let p = &board.phrases;
    if let Some(reason) = board.asks_for_nothing(issue) {
        return vec![closing(issue, FateKind::Dropped, Some(reason.to_owned()))];
    }
    if let Some(objector) = issue.objectors().first() {
        let why = issue
            .latest_of(objector)
            .map(|p| p.why.clone())
            .unwrap_or_default();
        let who = board.state.inputs.roles.code(objector);
        return vec![closing(
            issue,
            FateKind::Open,
            Some(fill(&p.open_objected, &[("who", who), ("why", &why)])),
        )];
    }
    if let Some(reason) = pending_collision(board, issue) {
        return vec![closing(issue, FateKind::Open, Some(reason))];
    }
    let citable = citable(board, issue);
    if !citable.is_empty() {
        return citable
            .into_iter()
            .map(|code| Fate {
                cites: Some(code),
                ..closing(issue, FateKind::Settled, None)
            })
            .collect();
    }
    match issue.severity {
        Severity::Minor => {
            let known = board.topics.iter().flat_map(|list| &list.later);
            let reason = known
                .into_iter()
                .find(|later| later.title == issue.title)
                .map_or(&p.deferred_reason, |later| &later.reason);
            vec![closing(issue, FateKind::Deferred, Some(reason.clone()))]
        }
        Severity::Blocking => vec![closing(issue, FateKind::Open, Some(p.open_no_text.clone()))],
    }
}

fn closing(issue: &IssueRecord, fate: FateKind, reason: Option<String>) -> Fate {
    Fate {
        issue: issue.id.to_string(),
        fate,
        cites: None,
        wording: None,
        into: Vec::new(),
        reason,
    }
}

/// Codes of the members whose text may join the draft, in speaking order: the
/// text is theirs, no one else has proposed the same, and they still support it.
fn citable(board: &Board, issue: &IssueRecord) -> Vec<String> {
    let edition = board.state.inputs.edition;
    let mut texts: Vec<&str> = Vec::new();
    let mut codes = Vec::new();
    for role in &board.state.inputs.roles.members {
        let proposal = issue
            .proposal_of(&role.id)
            .and_then(|p| p.proposal.as_deref());
        let stands_by_it = |text: &&str| {
            let support = issue.support_of(text, edition);
            support.iter().any(|s| s.member == role.id)
        };
        let Some(text) = proposal.filter(stands_by_it) else {
            continue;
        };
        let said = texts
            .iter()
            .any(|known| known.contains(text) || likeness(known, text) > SAME);
        if !said {
            texts.push(text);
            codes.push(role.code.clone());
        }
    }
    codes
}

/// Texts that collide though nobody could object yet, as in a blind round.
fn pending_collision(board: &Board, issue: &IssueRecord) -> Option<String> {
    collision::on_issue(board, issue)
        .iter()
        .find(|c| {
            c.has_objector(board) && matches!(c.progress(board, issue), Progress::Proposed { .. })
        })
        .map(|c| {
            if c.is_weak_spot() {
                return c.conflict.because.clone();
            }
            let sides = [("a", c.list.title.as_str()), ("b", &c.other.title)];
            fill(&board.phrases.open_collision, &sides)
        })
}

/// Whoever proposed the text that gives way is reminded to bring the two together.
fn reminder(board: &Board, issue: &IssueRecord) -> Option<Reminder> {
    let collision = collision::on_issue(board, issue).into_iter().find(|c| {
        matches!(
            c.progress(board, issue),
            Progress::Objected { .. } | Progress::Proposed { .. }
        )
    })?;
    let proposer = issue.positions.iter().find(|p| {
        p.proposal
            .as_deref()
            .is_some_and(|text| text.contains(&collision.mine))
    })?;
    Some(Reminder {
        member: board.state.inputs.roles.code(&proposer.member).to_owned(),
        text: fill(&board.phrases.reminder, &[("issue", &issue.id.to_string())]),
    })
}

/// Later issues that say what an earlier open one says.
fn merges(board: &Board, open: &[&IssueRecord]) -> Vec<Fate> {
    let mut fates: Vec<Fate> = Vec::new();
    for (i, issue) in open.iter().enumerate() {
        let twin = open[..i].iter().find(|earlier| {
            let free = !fates
                .iter()
                .any(|fate| fate.issue == earlier.id.to_string());
            // A blocking issue never vanishes into a minor one.
            let holds = earlier.severity == Severity::Blocking || issue.severity == Severity::Minor;
            // Two needs of the requirement that differ in a word are two.
            let asked = [*earlier, *issue].map(|one| one.origin == Origin::Requirement);
            free && holds && asked != [true, true] && likeness(&earlier.title, &issue.title) > SAME
        });
        if let Some(twin) = twin {
            let id = twin.id.to_string();
            let reason = fill(&board.phrases.merged_reason, &[("other", &id)]);
            fates.push(Fate {
                into: vec![id],
                ..closing(issue, FateKind::Merged, Some(reason))
            });
        }
    }
    fates
}
