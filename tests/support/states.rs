//! Hand-written states: a small workshop on exporting orders that is agreed, unresolved or revised.
//!
//! All states start from [`opening`]; ledger and draft have private fields, so they are built from
//! JSON.

mod runs;

use std::collections::BTreeMap;
use std::path::Path;

use aitc::machine::*;
use aitc::reply::*;
use aitc::role::RoleId;
use serde_json::json;

use super::meeting::{self, Meeting};

pub use runs::{agreed, discussing, large, revised, unresolved};

/// A text in a language.
pub fn t(lang: Lang, english: &'static str) -> &'static str {
    match lang {
        Lang::En => english,
        Lang::Zh => super::fake::chinese(english),
    }
}

/// The project's own templates of one language, by key.
pub fn templates(lang: Lang) -> BTreeMap<String, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("templates")
        .join(lang.code());
    walkdir::WalkDir::new(&root)
        .into_iter()
        .map(Result::unwrap)
        .filter(|entry| entry.file_type().is_file())
        .map(|entry| {
            let key = entry.path().strip_prefix(&root).unwrap();
            let key = key.to_str().unwrap().replace('\\', "/");
            (
                key,
                std::fs::read_to_string(entry.path())
                    .unwrap()
                    .replace("\r\n", "\n"),
            )
        })
        .collect()
}

/// Inputs with the project's own templates and `scripted/sample` as every member's model.
pub fn inputs(lang: Lang) -> Inputs {
    let mut inputs = meeting::inputs();
    inputs.tool = "0.1.0".to_owned();
    inputs.doc_lang = lang;
    inputs.templates = templates(lang).into();
    inputs.questions = QuestionMode::Pause;
    inputs.model.provider = "scripted".to_owned();
    inputs.model.model = "sample".to_owned();
    inputs
}

/// A run with only its requirement.
pub fn opening(lang: Lang) -> State {
    let requirement = t(lang, "Let shop owners export their orders as CSV.");
    let mut state = Meeting::open(requirement, inputs(lang)).state;
    state.run.id = "0190b5c0-0000-7000-8000-000000000001".to_owned();
    state.run.started_at = "2026-11-21T10:00:00.000Z".to_owned();
    state.run.last_activity_at = "2026-11-21T10:05:00.000Z".to_owned();
    state.run.active_ms = 300_000;
    state
}

/// The five recorded documents; with criterion AC-3 if revised.
pub fn documents(lang: Lang, revised: bool) -> BTreeMap<DocumentKind, DocumentRecord> {
    let all = include_str!("states/documents.jsonl").lines();
    let own = all.skip(if lang == Lang::En { 0 } else { 6 }).take(6);
    let mut found = BTreeMap::new();
    // The last line is the product plan of the revision.
    for line in own.take(if revised { 6 } else { 5 }) {
        let content: Document = serde_json::from_str(line).unwrap();
        let record = DocumentRecord {
            evidence: Vec::new(),
            content,
            without_model: false,
            carried: None,
            accounts: Vec::new(),
            notes: Vec::new(),
        };
        found.insert(record.content.kind(), record);
    }
    found
}

/// A ledger with these issues.
pub fn ledger(issues: impl IntoIterator<Item = IssueRecord>) -> IssueLedger {
    let issues: BTreeMap<String, IssueRecord> = issues
        .into_iter()
        .map(|issue| (issue.id.to_string(), issue))
        .collect();
    serde_json::from_value(json!({ "issues": issues })).unwrap()
}

/// A draft with these lines.
pub fn draft(lines: impl IntoIterator<Item = DraftLine>) -> ConsensusDraft {
    let lines: Vec<DraftLine> = lines.into_iter().collect();
    serde_json::from_value(json!({ "lines": lines })).unwrap()
}

/// An issue without positions whose status was reached in round 1.
pub fn issue(id: u32, title: &str, severity: Severity, status: IssueStatus) -> IssueRecord {
    let history = (status != IssueStatus::Open).then(|| IssueChange {
        issue: IssueId(id),
        round: 1,
        to: status.clone(),
        reason: None,
    });
    IssueRecord {
        id: IssueId(id),
        title: title.to_owned(),
        detail: format!("{title}?"),
        severity,
        origin: Origin::Requirement,
        left_by: None,
        held_in: None,
        round: 0,
        status,
        positions: Vec::new().into(),
        history: history.into_iter().collect(),
        texts: Vec::new(),
    }
}

/// A position with a reason.
pub fn position(
    member: &str,
    round: u32,
    stance: Stance,
    proposal: Option<&str>,
    why: &str,
) -> PositionRecord {
    PositionRecord {
        member: RoleId::from(member),
        round,
        stance,
        proposal: proposal.map(str::to_owned),
        backs: None,
        against: None,
        at: 0,
        why: why.to_owned(),
        changed_because: None,
    }
}

/// Adds positions to an issue and its texts, with ids from `first` on: a member that proposes a
/// text backs it, any other supporter backs the latest text.
pub fn take(issue: &mut IssueRecord, first: u32, positions: Vec<PositionRecord>) {
    let mut texts: Vec<IssueText> = Vec::new();
    let positions = positions.into_iter().map(|mut position| {
        if let Some(words) = &position.proposal {
            let author = Supporter {
                member: position.member.clone(),
                round: position.round,
            };
            texts.push(IssueText {
                id: TextId::Proposed(ProposalId(first + texts.len() as u32)),
                text: words.clone(),
                authors: vec![author],
                from: texts.last().map(|text| text.id).into_iter().collect(),
                at: 0,
            });
        }
        let stands = position.proposal.is_some() || position.stance.supports();
        position.backs = texts.last().map(|text| text.id).filter(|_| stands);
        position
    });
    issue.positions = positions.collect::<Vec<_>>().into();
    issue.texts = texts;
}

/// A consensus item of round 1, proposed by `member` and supported by it and Dev.
pub fn item(id: u32, issue: u32, text: &str, member: &str, version: u32) -> ConsensusItem {
    let supporter = |name: &str| Supporter {
        member: RoleId::from(name),
        round: 1,
    };
    ConsensusItem {
        id: ConsensusId(id),
        issue: IssueId(issue),
        text: text.to_owned(),
        text_id: TextId::Proposed(ProposalId(id)),
        wording: None,
        proposed_by: RoleId::from(member),
        proposed_round: 1,
        round: 1,
        supporters: vec![supporter(member), supporter("SeniorDeveloper")],
        version,
    }
}

/// A line of the draft with an agreed item.
pub fn agreed_line(item: ConsensusItem) -> DraftLine {
    DraftLine::Agreed { item }
}

/// A summary of a round that closed these issues with these items.
pub fn summary(round: u32, discussed: &[u32], closed: &[u32], admitted: &[u32]) -> SummaryRecord {
    let issues = |ids: &[u32]| ids.iter().map(|id| IssueId(*id)).collect::<Vec<_>>();
    SummaryRecord {
        round,
        text: format!("Round {round} is over."),
        admitted: admitted.iter().map(|id| ConsensusId(*id)).collect(),
        discussed: issues(discussed),
        left_open: Vec::new(),
        entered: Vec::new(),
        closed: issues(closed),
        reminders: Vec::new(),
        refused: Vec::new(),
        blocking_left: discussed.len() - closed.len(),
    }
}

/// A question of TestPlanner that waits for the user.
pub fn waiting_question(lang: Lang) -> Question {
    Question {
        of: Default::default(),
        id: QuestionId(1),
        asked_by: RoleId::from("TestPlanner"),
        round: 1,
        text: t(lang, "How many orders may one export hold?").to_owned(),
        why: t(
            lang,
            "Above 50,000 rows the file must be made in the background.",
        )
        .to_owned(),
        blocks: Some(IssueId(2)),
        options: vec!["10000".to_owned(), "50000".to_owned()],
        recommended: "50000".to_owned(),
        status: QuestionStatus::Waiting { follow_up: None },
        further: None,
        dialogue: Vec::new(),
    }
}
