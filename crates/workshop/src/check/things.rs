//! A state as lists of comparable entries, a list a group.

use super::graph::one_line;
use crate::machine::{IssueRecord, IssueStatus, Question, QuestionStatus, Sign, State, StopReason};
use crate::reply::{
    Change, Document, DocumentKind, Level, ProductPlan, RiskAssessment, Severity, Size,
    SystemDesign, TestLevel,
};

/// One thing of a plan as it is compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    /// Its id; a path for files; empty where it has none.
    pub(super) id: String,
    /// The words it is known by, one line.
    pub(super) text: String,
    /// What can change in it.
    pub(super) fields: Vec<(&'static str, Value)>,
}

/// A field's value as it is compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Value {
    /// Words; white space does not count.
    Text(String),
    /// Several texts; their order does not count.
    Texts(Vec<String>),
    /// Ids of other things; their order does not count.
    Ids(Vec<String>),
}

/// A list of things of one kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Things {
    /// Its name, such as `criteria`.
    pub(super) name: &'static str,
    /// Do ids mean the same in every plan, related or not?
    pub(super) fixed_ids: bool,
    /// The things, in order.
    pub(super) list: Vec<Entry>,
}

fn text(text: &str) -> Value {
    Value::Text(one_line(text))
}

fn ids<T: ToString>(list: impl IntoIterator<Item = T>) -> Value {
    Value::Ids(list.into_iter().map(|id| id.to_string()).collect())
}

fn entry(id: impl ToString, title: &str, fields: Vec<(&'static str, Value)>) -> Entry {
    Entry {
        id: id.to_string(),
        text: one_line(title),
        fields,
    }
}

/// Every group of a state, in the order in which a diff shows them.
pub(super) fn groups(state: &State) -> Vec<Things> {
    let group = |name, list| Things {
        name,
        fixed_ids: matches!(name, "plan" | "files"),
        list,
    };
    let mut all = vec![
        group("plan", vec![plan(state)]),
        group("consensus", consensus(state)),
        group("issues", issues(state)),
        group("questions", questions(state)),
        group("assumptions", assumptions(state)),
    ];
    let document = |kind| state.documents.get(&kind).map(|record| &record.content);
    let product = match document(DocumentKind::ProductPlan) {
        Some(Document::ProductPlan(plan)) => plan,
        _ => &ProductPlan::default(),
    };
    all.push(group("scope", scope(product)));
    all.push(group("non-goals", non_goals(product)));
    all.push(group("criteria", criteria(product)));
    let design = match document(DocumentKind::SystemDesign) {
        Some(Document::SystemDesign(design)) => design,
        _ => &SystemDesign::default(),
    };
    all.push(group("modules", modules(design)));
    all.push(group("decisions", decisions(design)));
    all.push(group("files", files(design)));
    all.push(group("work", work(document(DocumentKind::DevPlan))));
    all.push(group("tests", tests(document(DocumentKind::TestPlan))));
    all.push(group(
        "risks",
        risks(document(DocumentKind::RiskAssessment)),
    ));
    all
}

/// The document a group is read from; none for what the discussion itself holds.
pub(super) fn read_from(group: &str) -> Option<DocumentKind> {
    match group {
        "scope" | "non-goals" | "criteria" => Some(DocumentKind::ProductPlan),
        "modules" | "decisions" | "files" => Some(DocumentKind::SystemDesign),
        "work" => Some(DocumentKind::DevPlan),
        "tests" => Some(DocumentKind::TestPlan),
        "risks" => Some(DocumentKind::RiskAssessment),
        _ => None,
    }
}

/// What the plan itself is known by.
pub(super) const WHOLE: &str = "the plan as a whole";

fn plan(state: &State) -> Entry {
    let sign = state.stop.as_ref().and_then(|stop| stop.sign);
    let outcome = match state.stop.as_ref().map(|stop| stop.reason) {
        None => "not ended",
        Some(_) if sign == Some(Sign::Convergence) => "unresolved: agreement in words alone",
        Some(_) if sign == Some(Sign::Unanswered) => "unresolved: a question was not answered",
        Some(_) if sign == Some(Sign::NudgesUsedUp) => "unresolved: a member had nothing to say",
        Some(StopReason::Consensus) => "agreed",
        Some(StopReason::RoundLimit) => "unresolved: round limit",
        Some(StopReason::TimeLimit) => "unresolved: time limit",
        Some(StopReason::Budget) => "unresolved: budget",
        Some(StopReason::Proposal) => "unresolved: a proposal to end was confirmed",
        Some(StopReason::Incomplete) => "unresolved: phases without a result",
        Some(StopReason::SmallModel) => "unresolved: a model that may not agree",
        Some(StopReason::Similarity) => "unresolved: the members repeated themselves",
        Some(StopReason::Silence) => "unresolved: nothing new was said",
        Some(StopReason::User) => "unresolved: ended by the user",
    };
    entry(
        "plan",
        WHOLE,
        vec![
            ("requirement", text(&state.requirement)),
            ("outcome", text(outcome)),
        ],
    )
}

fn consensus(state: &State) -> Vec<Entry> {
    let items = state.draft.standing().map(|item| {
        let fields = vec![
            ("text", text(&item.text)),
            ("wording", text(item.wording.as_deref().unwrap_or_default())),
            ("issue", ids([item.issue])),
        ];
        entry(item.id, &item.text, fields)
    });
    items.collect()
}

fn issues(state: &State) -> Vec<Entry> {
    let inherited = state.previous.iter().flat_map(|p| &p.issues);
    let inherited = inherited.filter(|issue| state.ledger.find(issue.id).is_none());
    let mut all: Vec<&IssueRecord> = state.ledger.iter().chain(inherited).collect();
    all.sort_by_key(|issue| issue.id);
    all.into_iter().map(issue).collect()
}

fn issue(issue: &IssueRecord) -> Entry {
    let (status, by) = match &issue.status {
        IssueStatus::Open => ("open", ids::<String>([])),
        IssueStatus::Settled { by } => ("settled", ids(by)),
        IssueStatus::Refined { into } => ("refined", ids(into)),
        IssueStatus::Merged { into } => ("merged", ids([into])),
        IssueStatus::Dropped => ("dropped", ids::<String>([])),
        IssueStatus::Deferred => ("deferred", ids::<String>([])),
    };
    let severity = match issue.severity {
        Severity::Blocking => "blocking",
        Severity::Minor => "minor",
    };
    let fields = vec![
        ("title", text(&issue.title)),
        ("detail", text(&issue.detail)),
        ("severity", text(severity)),
        ("status", text(status)),
        ("became", by),
    ];
    entry(issue.id, &issue.title, fields)
}

fn questions(state: &State) -> Vec<Entry> {
    let inherited = state.previous.iter().flat_map(|p| &p.questions);
    let inherited = inherited.filter(|question| state.question(question.id).is_none());
    let mut all: Vec<&Question> = state.questions.iter().chain(inherited).collect();
    all.sort_by_key(|question| question.id);
    let listed = all.into_iter().map(|question| {
        let answer = match &question.status {
            QuestionStatus::Closed { answer, .. } => answer.as_str(),
            _ => "",
        };
        let fields = vec![("question", text(&question.text)), ("answer", text(answer))];
        entry(question.id, &question.text, fields)
    });
    listed.collect()
}

fn assumptions(state: &State) -> Vec<Entry> {
    let inherited = state.previous.iter().flat_map(|p| &p.assumptions);
    let own = |id| state.assumptions.iter().any(|known| known.id == id);
    let mut all: Vec<_> = state
        .assumptions
        .iter()
        .chain(inherited.filter(|assumption| !own(assumption.id)))
        .collect();
    all.sort_by_key(|assumption| assumption.id);
    let listed = all.into_iter().map(|item| {
        let fields = vec![
            ("text", text(&item.text)),
            ("question", ids([item.question])),
        ];
        entry(item.id, &item.text, fields)
    });
    listed.collect()
}

fn scope(plan: &ProductPlan) -> Vec<Entry> {
    let listed = plan.scope.iter().map(|item| {
        let fields = vec![("text", text(&item.text)), ("from", ids(&item.from))];
        entry("", &item.text, fields)
    });
    listed.collect()
}

fn non_goals(plan: &ProductPlan) -> Vec<Entry> {
    let listed = plan.non_goals.iter().map(|item| {
        let fields = vec![("text", text(&item.text)), ("why", text(&item.why))];
        entry("", &item.text, fields)
    });
    listed.collect()
}

fn criteria(plan: &ProductPlan) -> Vec<Entry> {
    let listed = plan.criteria.iter().map(|item| {
        let fields = vec![
            ("given", text(&item.given)),
            ("when", text(&item.when)),
            ("then", text(&item.then)),
            ("from", ids(&item.from)),
        ];
        let words = format!("{} {} {}", item.given, item.when, item.then);
        entry(&item.id, &words, fields)
    });
    listed.collect()
}

fn modules(design: &SystemDesign) -> Vec<Entry> {
    let listed = design.modules.iter().map(|item| {
        let fields = vec![
            ("name", text(&item.name)),
            ("purpose", text(&item.purpose)),
            ("covers", ids(&item.covers)),
        ];
        entry(&item.id, &item.name, fields)
    });
    listed.collect()
}

fn decisions(design: &SystemDesign) -> Vec<Entry> {
    let listed = design.decisions.iter().map(|item| {
        let rejected = item.rejected.iter();
        let rejected = rejected.map(|lost| one_line(&format!("{} ({})", lost.option, lost.why)));
        let fields = vec![
            ("title", text(&item.title)),
            ("choice", text(&item.choice)),
            ("why", text(&item.why)),
            ("rejected", Value::Texts(rejected.collect())),
            ("from", ids(&item.from)),
        ];
        entry(
            &item.id,
            &format!("{}: {}", item.title, item.choice),
            fields,
        )
    });
    listed.collect()
}

fn files(design: &SystemDesign) -> Vec<Entry> {
    let listed = design.file_impacts.iter().map(|item| {
        let change = match item.change {
            Change::Create => "create",
            Change::Modify => "modify",
            Change::Delete => "delete",
        };
        let fields = vec![
            ("change", text(change)),
            ("what", text(&item.what)),
            ("modules", ids(&item.modules)),
        ];
        entry(&item.path, &item.what, fields)
    });
    listed.collect()
}

fn work(document: Option<&Document>) -> Vec<Entry> {
    let Some(Document::DevPlan(plan)) = document else {
        return Vec::new();
    };
    let listed = plan.work.iter().map(|item| {
        let size = match item.size {
            Size::S => "S",
            Size::M => "M",
            Size::L => "L",
            Size::XL => "XL",
        };
        let fields = vec![
            ("title", text(&item.title)),
            ("detail", text(&item.detail)),
            ("size", text(size)),
            ("covers", ids(&item.covers)),
            ("depends on", ids(&item.depends_on)),
        ];
        entry(&item.id, &item.title, fields)
    });
    listed.collect()
}

fn tests(document: Option<&Document>) -> Vec<Entry> {
    let Some(Document::TestPlan(plan)) = document else {
        return Vec::new();
    };
    let listed = plan.cases.iter().map(|item| {
        let level = match item.level {
            TestLevel::Unit => "unit",
            TestLevel::Integration => "integration",
            TestLevel::EndToEnd => "end to end",
            TestLevel::Manual => "manual",
        };
        let fields = vec![
            ("title", text(&item.title)),
            ("level", text(level)),
            ("covers", ids(&item.covers)),
            ("steps", text(&item.steps)),
            ("expected", text(&item.expected)),
        ];
        entry(&item.id, &item.title, fields)
    });
    listed.collect()
}

fn risks(document: Option<&Document>) -> Vec<Entry> {
    let Some(Document::RiskAssessment(RiskAssessment { risks, .. })) = document else {
        return Vec::new();
    };
    let level = |level| match level {
        Level::Low => text("low"),
        Level::Medium => text("medium"),
        Level::High => text("high"),
    };
    let listed = risks.iter().map(|item| {
        let fields = vec![
            ("title", text(&item.title)),
            ("chance", level(item.chance)),
            ("impact", level(item.impact)),
            ("mitigation", text(&item.mitigation)),
            ("early sign", text(&item.early_sign)),
            ("affects", ids(&item.affects)),
        ];
        entry(&item.id, &item.title, fields)
    });
    listed.collect()
}
