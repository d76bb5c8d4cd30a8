//! Evidence: members' claims about what already exists, checked against the files and the trials.
//!
//! The claims of an answer are checked before the answer counts: if the cited lines do not contain
//! the quotation, the answer is returned once. The remaining claims get ids, verified or not.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::event::{Event, Receipt};
use super::illegal::{Verdict, ensure};
use super::inquiry::place;
use super::issue::{IssueOrigin, IssueRecord};
use super::look::Depth;
use super::normalize::item_values;
use super::notes::titled;
use super::state::{Stage, State};
use super::trial::{self, TrialRecord};
use crate::chat::FinishReason;
use crate::fault::texts;
use crate::ids::{EvidenceId, TrialId, words_like_ids};
use crate::reply::{DocumentKind, Evidence, IssueSeverity};
use crate::role::RoleId;

/// Maximum number of claims in one answer that are checked.
pub const MAX_CLAIMS: usize = 12;

texts! {
    GONE: "{id} does not hold any more: {claim}", "{id} 已不成立：{claim}";
    RESTS: ". What rests on it: {items}", "。以它为依据的有：{items}";
}

/// How far a claim is confirmed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ClaimStatus {
    /// The lines are there and hold the quote.
    Verified,
    /// They are not, or do not.
    Unverified,
    /// The claim names neither a place nor a trial.
    Inferred,
}

/// Where a claim comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EvidenceSource {
    /// It was read in a file.
    Read,
    /// A trial showed it.
    Ran,
    /// Neither.
    Inferred,
}

/// Where in the files a claim points.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SourceLines {
    /// Path from the repository's root, `/` between parts.
    pub path: String,
    /// Number of the first line, from 1.
    pub from: u32,
    /// Number of the last line.
    pub to: u32,
    /// SHA-256 of the whole file as it was read, hexadecimal.
    pub digest: String,
}

impl SourceLines {
    /// Returns path and lines, such as `src/a.rs:3-5`.
    pub fn place(&self) -> String {
        place(&self.path, self.from, self.to)
    }
}

/// The result of checking one claim: its place, or why it was not found.
pub type ClaimResult = Result<SourceLines, String>;

/// A claim with what came of the check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct EvidenceRecord {
    /// Id of the claim, `E-n`.
    pub id: EvidenceId,
    /// Full role name of the member that claims it.
    pub by: RoleId,
    /// In which round; 0 before the first.
    pub round: u32,
    /// What holds, as the member put it.
    pub claim: String,
    /// Whether the quote was found at the place or in the trial that the claim names.
    pub standing: ClaimStatus,
    /// Where; only what is verified has a place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ground: Option<SourceLines>,
    /// The trial that showed it; only what is verified has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<TrialId>,
    /// Words of those lines, or of what the trial printed.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub quote: String,
    /// Reason for which the claim is not verified.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remark: Option<String>,
}

impl EvidenceRecord {
    /// Returns where it can be seen: path and lines, or the id of a trial; `None` if it is not
    /// verified.
    pub fn place(&self) -> Option<String> {
        let run = || self.run.map(|run| run.to_string());
        self.ground.as_ref().map(SourceLines::place).or_else(run)
    }

    /// Returns its source; an unverified claim counts as inferred.
    pub fn source(&self) -> EvidenceSource {
        match (&self.ground, self.run) {
            (_, Some(_)) => EvidenceSource::Ran,
            (Some(_), None) => EvidenceSource::Read,
            (None, None) => EvidenceSource::Inferred,
        }
    }
}

/// Returns the agreed items and design decisions that cite evidence, none of which anybody has read
/// or run.
pub fn inferred_items(state: &State) -> Vec<String> {
    let inferred = |value: &serde_json::Value| {
        let text = value.to_string();
        let words = words_like_ids(&text);
        let cited: BTreeSet<EvidenceId> = words.filter_map(|word| word.parse().ok()).collect();
        let mut named = state
            .grounding
            .evidence
            .iter()
            .filter(|one| cited.contains(&one.id));
        let first = named.next().map(EvidenceRecord::source);
        first == Some(EvidenceSource::Inferred)
            && named.all(|one| one.source() == EvidenceSource::Inferred)
    };
    let agreed = state.draft.standing().filter_map(|item| {
        let value = serde_json::to_value(item).ok()?;
        Some((item.id.to_string(), value))
    });
    let design = state.documents.written.get(&DocumentKind::SystemDesign);
    let decided = design.map(|record| item_values(&record.content));
    let decided = decided.into_iter().flatten();
    let decided = decided.filter(|(id, _)| id.starts_with("DEC-"));
    let all = agreed.chain(decided);
    all.filter(|(_, value)| inferred(value))
        .map(|(id, _)| id)
        .collect()
}

/// Returns the trials that evidence or a document of a run cites, and the trials they build on.
pub fn trials_cited(state: &State) -> Vec<TrialRecord> {
    let mut cited: BTreeSet<TrialId> = state
        .grounding
        .evidence
        .iter()
        .filter_map(|one| one.run)
        .collect();
    for record in state.documents.written.values() {
        let text = serde_json::to_string(&record.content).unwrap_or_default();
        cited.extend(words_like_ids(&text).filter_map(trial::named));
    }
    for one in state.grounding.trials.all.iter().rev() {
        if cited.contains(&one.id) {
            let base = one.seen.look.base.as_deref().and_then(trial::named);
            cited.extend(base);
        }
    }
    let all = state.grounding.trials.all.iter();
    all.filter(|one| cited.contains(&one.id)).cloned().collect()
}

/// A claim that is not checked yet.
#[derive(Debug, Clone, PartialEq)]
pub struct Claim {
    /// Who made it.
    pub by: RoleId,
    /// The round in which it was made.
    pub round: u32,
    /// The claim.
    pub evidence: Evidence,
    /// Its id, if it was verified in an earlier version and is checked again.
    pub again: Option<EvidenceId>,
}

/// Returns the claims that are not checked yet; none once the run is complete.
pub fn due(state: &State) -> &[Claim] {
    match state.stage < Stage::Complete {
        true => &state.grounding.claims,
        false => &[],
    }
}

/// Returns the event with the results of the due claims, one entry of `held` per claim.
pub fn checked(state: &State, held: Vec<ClaimResult>) -> Event {
    let mut counters = state.run.counters.clone();
    let evidence = due(state).iter().zip(held).map(|(claim, held)| {
        let id = claim.again.unwrap_or_else(|| counters.next_evidence());
        record(state, id, claim, held)
    });
    Event::Evidence {
        evidence: evidence.collect(),
    }
}

fn record(state: &State, id: EvidenceId, claim: &Claim, held: ClaimResult) -> EvidenceRecord {
    let given = &claim.evidence;
    let mut run = None;
    let (standing, ground, remark) = match (trial::held(state, given), held) {
        (Some(Ok(id)), _) => {
            run = Some(id);
            (ClaimStatus::Verified, None, None)
        }
        (None, _) if given.path.is_none() => (ClaimStatus::Inferred, None, None),
        (None, Ok(ground)) => (ClaimStatus::Verified, Some(ground), None),
        (Some(Err(why)), _) | (None, Err(why)) => (ClaimStatus::Unverified, None, Some(why)),
    };
    EvidenceRecord {
        id,
        by: claim.by.clone(),
        round: claim.round,
        claim: given.claim.clone(),
        standing,
        ground,
        run,
        quote: given.quote.clone(),
        remark,
    }
}

fn claims_of(event: &Event) -> Option<(&Receipt, &[Evidence])> {
    let (receipt, evidence) = match event {
        Event::Speaking {
            receipt, speech, ..
        } => (receipt, &speech.evidence),
        Event::CoachInitialJudgment {
            receipt, judgment, ..
        } => (receipt, &judgment.evidence),
        Event::Document {
            receipt: Some(receipt),
            evidence,
            ..
        } => (receipt, evidence),
        _ => return None,
    };
    (!evidence.is_empty()).then(|| (receipt, &evidence[..evidence.len().min(MAX_CLAIMS)]))
}

/// Returns the event itself, or a rejection of its answer if a claim is not in the files and the
/// member was not told so yet.
pub fn put_back(
    state: &State,
    event: Event,
    text: &str,
    verify: impl FnOnce(&[Evidence]) -> Vec<ClaimResult>,
) -> Event {
    let Some((receipt, claims)) = claims_of(&event) else {
        return event;
    };
    let history = state.calls.troubled.get(&receipt.call.first());
    if history.is_some_and(|history| history.put_back) {
        return event;
    }
    let held = verify(claims).into_iter().zip(claims);
    let wrong = held.filter_map(|(held, claim)| match trial::held(state, claim) {
        Some(ran) => ran.err(),
        None => held.err().filter(|_| claim.path.is_some()),
    });
    let told: Vec<String> = wrong.collect();
    if told.is_empty() {
        return event;
    }
    Event::ReplyRejected {
        receipt: receipt.clone(),
        output: text.to_owned(),
        reason: format!(
            "`evidence` is not where it says: {}; give the lines, or the trial, and a quote word for word, or leave it out",
            told.join("; ")
        ),
        finish: FinishReason::Stop,
        put_back: true,
    }
}

/// Checks that there is one result for each due claim.
fn check(state: &State, evidence: &[EvidenceRecord]) -> Verdict {
    let due = due(state);
    let is_same = evidence.len() == due.len()
        && evidence.iter().zip(due).all(|(record, claim)| {
            record.claim == claim.evidence.claim
                && record.by == claim.by
                && record.round == claim.round
        });
    let is_due = !due.is_empty() && is_same;
    ensure!(
        is_due,
        "these are not the claims that are to be looked into"
    );
    let mut counters = state.run.counters.clone();
    for (record, claim) in evidence.iter().zip(due) {
        let id = claim.again.unwrap_or_else(|| counters.next_evidence());
        ensure!(record.id == id, "`{}` should be `{id}`", record.id);
        let is_place = |ground: &SourceLines| (1..=ground.to).contains(&ground.from);
        let fits = match (record.standing, &record.ground, record.run) {
            (ClaimStatus::Verified, Some(ground), None) => is_place(ground),
            (ClaimStatus::Verified, None, Some(run)) => {
                trial::held(state, &claim.evidence) == Some(Ok(run))
            }
            (ClaimStatus::Verified, _, _) => false,
            (_, ground, run) => ground.is_none() && run.is_none(),
        };
        ensure!(
            fits,
            "`{id}` is verified without a place or trial, or has one without being so"
        );
    }
    Ok(())
}

impl State {
    /// Records the results of the claims.
    pub(super) fn take_evidence(&mut self, evidence: &[EvidenceRecord]) -> Verdict {
        check(self, evidence)?;
        let claims = std::mem::take(&mut self.grounding.claims);
        for (record, claim) in evidence.iter().zip(claims) {
            self.run.counters.evidence = self.run.counters.evidence.max(record.id.0);
            if claim.again.is_some() && record.standing != ClaimStatus::Verified {
                let issue = self.no_longer_holds(record);
                self.ledger.enter(issue);
            }
        }
        self.grounding.evidence.extend_from_slice(evidence);
        self.grounding.evidence.sort_by_key(|record| record.id);
        Ok(())
    }

    /// Takes over the evidence of an earlier version; what was verified in the workspace is checked
    /// again. Evidence without a file is taken over unchecked.
    pub(super) fn take_over_evidence(&mut self, carried: &[EvidenceRecord]) {
        for record in carried {
            let mut record = record.clone();
            record.round = 0;
            // Files outside the workspace may not be available this time.
            let path = record.ground.as_ref().map(|ground| ground.path.as_str());
            let is_inside = path.is_some_and(|path| !path.starts_with(['/', '.']));
            if !is_inside || self.inputs.rules.grounding.depth == Depth::Off {
                self.grounding.evidence.push(record);
                continue;
            }
            let ground = record.ground.as_ref();
            self.grounding.claims.push(Claim {
                by: record.by,
                round: 0,
                evidence: Evidence {
                    claim: record.claim,
                    path: ground.map(|ground| ground.path.clone()),
                    from: ground.map(|ground| ground.from),
                    to: ground.map(|ground| ground.to),
                    quote: record.quote,
                    run: None,
                },
                again: Some(record.id),
            });
        }
    }

    /// Returns the issue raised by evidence that the files no longer support.
    fn no_longer_holds(&mut self, record: &EvidenceRecord) -> IssueRecord {
        let lang = self.inputs.doc_lang;
        let id = record.id.to_string();
        let cites = |text: &str| words_like_ids(text).any(|word| word == id);
        let items = self.draft.standing().filter(|item| cites(&item.text));
        let items: Vec<String> = items.map(|item| item.id.to_string()).collect();
        let rests = match items.is_empty() {
            true => String::new(),
            false => RESTS.with(lang, &[("items", &items.join(", "))]),
        };
        let title = GONE.with(lang, &[("id", &id), ("claim", &record.claim)]);
        let why = record.remark.as_deref().unwrap_or_default();
        let words = titled(&title, &format!("{why}{rests}"));
        let id = self.run.counters.next_issue();
        IssueRecord::new(id, words, IssueSeverity::Blocking, IssueOrigin::Previous, 0)
    }

    /// Queues a member's claims for checking.
    pub(super) fn claim(&mut self, by: &RoleId, evidence: &[Evidence]) {
        let round = self.round;
        let claims = evidence.iter().take(MAX_CLAIMS).map(|evidence| Claim {
            by: by.clone(),
            round,
            evidence: evidence.clone(),
            again: None,
        });
        self.grounding.claims.extend(claims);
    }

    /// Returns the results of the claims that a member made in a round.
    pub fn evidence_of<'a>(
        &'a self,
        by: &'a RoleId,
        round: u32,
        claims: &'a [Evidence],
    ) -> impl Iterator<Item = &'a EvidenceRecord> {
        let all = self.grounding.evidence.iter();
        let own = all.filter(move |record| record.by == *by && record.round == round);
        own.filter(|record| claims.iter().any(|claim| claim.claim == record.claim))
    }
}
