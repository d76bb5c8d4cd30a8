//! The dependency graph of a plan: every named thing, and what each rests on.

use std::collections::BTreeMap;

use unicode_segmentation::UnicodeSegmentation;

use crate::artifact::one_line;
use crate::fault::{Message, Text, texts};
use crate::ids::TextId;
use crate::machine::{
    ConsensusItem, DraftLine, IssueOrigin, IssueRecord, PositionRecord, Question, QuestionStatus,
    REQUIREMENT, State, Supporter, answers_under, document_items, references, rulings_behind,
};
use crate::reply::{Document, Referent, Stance};
use crate::role::RoleId;
use crate::words::name_of;

/// A named thing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct GraphNode {
    /// Its kind, such as `criterion`.
    pub(super) kind: &'static str,
    /// Its text, one line.
    pub(super) text: Message,
}

/// Named things, and what each rests on.
#[derive(Debug, Default)]
pub(super) struct Graph {
    things: BTreeMap<String, GraphNode>,
    rests_on: BTreeMap<String, Vec<String>>,
    carries: BTreeMap<String, Vec<String>>,
}

impl Graph {
    /// Everything in a state, including its previous version.
    pub(super) fn of(state: &State) -> Self {
        let mut graph = Self::without_left_out(state);
        graph.add_left_out(state);
        graph
    }

    /// The same without items that only the previous version has.
    pub(super) fn without_left_out(state: &State) -> Self {
        let mut graph = Self::default();
        graph.add(REQUIREMENT, "requirement", &state.task.requirement);
        for item in &state.task.feedback {
            graph.add(&item.id.to_string(), "feedback", &item.text);
        }
        graph.add_phases(state);
        graph.add_speeches(state);
        graph.add_issues(state);
        graph.add_debates(state);
        graph.add_consensus(state);
        graph.add_questions(state);
        graph.add_documents(state);
        graph.add_findings(state);
        graph
    }

    pub(super) fn holds(&self, id: &str) -> bool {
        self.things.contains_key(id)
    }

    pub(super) fn find(&self, id: &str) -> Option<&GraphNode> {
        self.things.get(id)
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.things.keys().map(String::as_str)
    }

    /// What a thing rests on, in order.
    pub(super) fn rests_on(&self, id: &str) -> &[String] {
        self.rests_on.get(id).map(Vec::as_slice).unwrap_or_default()
    }

    /// What rests on a thing, in order.
    pub(super) fn carries(&self, id: &str) -> &[String] {
        self.carries.get(id).map(Vec::as_slice).unwrap_or_default()
    }

    /// Adds a thing unless its name is already in use.
    fn add(&mut self, id: &str, kind: &'static str, text: &str) {
        self.add_said(id, kind, &text.into());
    }

    /// Like [`Graph::add`], for text that contains the program's own words.
    fn add_said(&mut self, id: &str, kind: &'static str, text: &Message) {
        self.things
            .entry(id.to_owned())
            .or_insert_with(|| GraphNode {
                kind,
                text: Message {
                    en: one_line(&text.en),
                    zh: one_line(&text.zh),
                },
            });
    }

    fn link(&mut self, above: &str, below: &str) {
        push_once(&mut self.rests_on, above, below);
        push_once(&mut self.carries, below, above);
    }

    fn add_phases(&mut self, state: &State) {
        let Some(team) = &state.team else {
            return;
        };
        for phase in team.plan.phases() {
            let id = phase.id.to_string();
            self.add(&id, "phase", &phase.task);
            if phase.depends_on.is_empty() {
                self.link(&id, REQUIREMENT);
            }
            for before in &phase.depends_on {
                self.link(&id, &before.to_string());
            }
            if let Some(result) = team.done.get(&phase.id).filter(|one| one.has_text()) {
                let name = format!("phase/{id}/output");
                self.add(&name, "result", &excerpt(&result.output));
                self.link(&name, &id);
            }
        }
        for (debate, phase) in &team.debates {
            self.link(&debate.to_string(), &phase.to_string());
        }
    }

    fn add_speeches(&mut self, state: &State) {
        for speech in &state.discussion.speeches {
            let name = speech_name(state, &speech.member, speech.round);
            self.add(&name, "speech", &excerpt(&speech.speech.analysis));
            for issue in &speech.issues {
                self.link(&issue.to_string(), &name);
            }
            for question in &speech.questions {
                self.link(&question.to_string(), &name);
            }
        }
    }

    fn add_issues(&mut self, state: &State) {
        for issue in state.ledger.iter() {
            self.add_issue(state, issue);
        }
    }

    fn add_issue(&mut self, state: &State, issue: &IssueRecord) {
        let id = issue.id.to_string();
        self.add(&id, "issue", &issue.title);
        match &issue.origin {
            IssueOrigin::Requirement => self.link(&id, REQUIREMENT),
            IssueOrigin::Feedback { feedback } => self.link(&id, &feedback.to_string()),
            IssueOrigin::Refined { parent } => self.link(&id, &parent.to_string()),
            IssueOrigin::Reopened { item } => self.link(&id, &item.to_string()),
            IssueOrigin::Previous => {
                if let Some(left_by) = issue.left_by {
                    let version = state.inputs.run().sibling(left_by).to_string();
                    self.add_said(&version, "version", &LEFT.into());
                    self.link(&id, &version);
                }
            }
            // The issue is linked to the speech that raised it, if that was recorded.
            IssueOrigin::Member { .. } => {}
        }
        self.add_losing_texts(state, issue);
        let inherited = inherited_positions(state, issue);
        let before = || state.task.previous.as_ref().map_or(0, |one| one.version);
        let earlier = issue.held_in.unwrap_or_else(before);
        for (i, position) in issue.positions.iter().enumerate() {
            let speech = speech_name(state, &position.member, position.round);
            // Rounds of an earlier version have the same numbers but other speeches.
            let name = if i < inherited {
                format!("{id} · {speech} ({})", state.inputs.run().sibling(earlier))
            } else {
                format!("{id} · {speech}")
            };
            self.add_said(&name, "position", &taken(position));
            push_once(&mut self.rests_on, &id, &name);
            if i >= inherited && self.holds(&speech) {
                push_once(&mut self.rests_on, &name, &speech);
            }
        }
    }

    /// Adds members' texts that were not agreed on, with the members who back them now.
    fn add_losing_texts(&mut self, state: &State, issue: &IssueRecord) {
        let before = state.task.previous.iter().flat_map(|p| &p.consensus);
        let agreed: Vec<_> = state.draft.standing().chain(before).collect();
        for text in &issue.texts {
            let is_agreed = agreed.iter().any(|item| item.text_id == text.id);
            if is_agreed || text.id.debate().is_some() {
                continue;
            }
            let (by, backers) = (
                codes(state, &text.authors),
                codes(state, &issue.backers(text)),
            );
            let told = if backers.is_empty() {
                LEFT_BY_ALL
            } else {
                NOT_AGREED
            };
            let told = told.fill(&[("text", &text.text), ("by", &by), ("backers", &backers)]);
            let id = text.id.to_string();
            self.add_said(&id, "text", &told);
            push_once(&mut self.rests_on, &id, &issue.id.to_string());
        }
    }

    /// Adds debates. A debate rests on its issue and on the arguments in it; an item that is its
    /// conclusion rests on the debate.
    fn add_debates(&mut self, state: &State) {
        for debate in &state.debates.held {
            let id = debate.id.to_string();
            let topic = &debate.motion.debate_config.topic;
            let ruled = debate.resolution.as_ref().map(|resolution| {
                let ruling = &resolution.ruling;
                format!(
                    "{topic} → {}: {}",
                    ruling.decision.name(),
                    ruling.conclusion
                )
            });
            self.add(&id, "debate", ruled.as_deref().unwrap_or(topic));
            if let Some(issue) = debate.motion.about {
                self.link(&id, &issue.to_string());
            }
            for (place, member) in debate.participants().iter().enumerate() {
                let Some(position) = debate.latest_of(place) else {
                    continue;
                };
                let name = format!("{id} · {}", state.inputs.roles.code(member));
                let words = position.proposal.as_deref().unwrap_or(&position.why);
                let stance = name_of("stance", &position.stance);
                let text = STANCE.fill(&[("stance", &stance), ("words", &words)]);
                self.add_said(&name, "argument", &text);
                push_once(&mut self.rests_on, &id, &name);
            }
        }
    }

    fn add_consensus(&mut self, state: &State) {
        for item in state.draft.agreed() {
            let gone = state.draft.is_withdrawn(item.id);
            self.add_item(state, item, if gone { WITHDRAWN } else { AS_IT_IS });
            self.add_text(state, item);
            for answer in answers_under(state, item) {
                self.link(&item.id.to_string(), &answer);
            }
        }
        for line in state.draft.lines() {
            if let DraftLine::Withdrawn {
                item,
                feedback: Some(feedback),
                ..
            } = line
            {
                push_once(&mut self.carries, &feedback.to_string(), &item.to_string());
            }
        }
    }

    fn add_item(&mut self, state: &State, item: &ConsensusItem, how: Text) {
        let id = item.id.to_string();
        let own = how.fill(&[("text", &item.text)]);
        let told = match &item.wording {
            Some(wording) => WORDED.fill(&[("text", &own), ("wording", wording)]),
            None => own,
        };
        self.add_said(&id, "consensus", &told);
        self.link(&id, &item.issue.to_string());
        // Debates of an earlier version are not recorded here.
        for debate in rulings_behind(state, item).map(|debate| debate.to_string()) {
            if self.holds(&debate) {
                self.link(&id, &debate);
            }
        }
    }

    /// Adds findings of the review, which rest on what they are about.
    fn add_findings(&mut self, state: &State) {
        for finding in &state.review.findings {
            let id = finding.id.to_string();
            let fate = name_of("found", &finding.fate);
            let said = finding.why.clone().into_iter();
            let said = said.chain(finding.answers.iter().map(|one| one.because.clone()));
            let said: Vec<String> = said.collect();
            let told = if said.is_empty() { FOUND_OPEN } else { FOUND };
            let text = told.fill(&[
                ("text", &finding.text),
                ("fate", &fate),
                ("said", &said.join(" / ")),
            ]);
            self.add_said(&id, "finding", &text);
            if self.holds(&finding.about) {
                self.link(&id, &finding.about);
            }
        }
    }

    /// Adds the text of an agreed item: its author, who backs it, and what it prevailed over.
    fn add_text(&mut self, state: &State, item: &ConsensusItem) {
        let before = state.task.previous.iter().flat_map(|p| &p.issues);
        let mut issues = state.ledger.iter().chain(before);
        let issue = issues.find(|issue| issue.text(item.text_id).is_some());
        let text = issue.and_then(|issue| Some((issue, issue.text(item.text_id)?)));
        let Some((issue, text)) = text.filter(|_| item.text_id.debate().is_none()) else {
            return;
        };
        let is_agreed = |id| state.draft.standing().any(|other| other.text_id == id);
        let over = issue.others_than(text);
        let over = over.filter(|other| !is_agreed(other.id));
        let over = over.map(|other| {
            let (id, by) = (other.id.to_string(), codes(state, &other.authors));
            OVER.fill(&[("id", &id), ("by", &by)])
        });
        let over = Message::joined(&over.collect::<Vec<_>>(), LIST);
        let (by, backers) = (codes(state, &text.authors), codes(state, &item.supporters));
        let told = if over.is_empty() { BACKED } else { PREVAILED };
        let told = told.fill(&[("by", &by), ("backers", &backers), ("over", &over)]);
        let (id, item) = (text.id.to_string(), item.id.to_string());
        self.add_said(&id, "text", &told);
        push_once(&mut self.rests_on, &item, &id);
        push_once(&mut self.carries, &id, &item);
    }

    fn add_questions(&mut self, state: &State) {
        for question in &state.questions.asked {
            let id = question.id.to_string();
            self.add_said(&id, "question", &asked_and_answered(question));
            if let Some(issue) = question.blocks {
                self.link(&id, &issue.to_string());
            }
        }
        for evidence in &state.grounding.evidence {
            let told = match evidence.place() {
                Some(place) => AT_PLACE.fill(&[("text", &evidence.claim), ("place", &place)]),
                None => UNSEEN.fill(&[("text", &evidence.claim)]),
            };
            self.add_said(&evidence.id.to_string(), "evidence", &told);
            if let Some(trial) = evidence
                .run
                .and_then(|run| state.grounding.trials.find(run))
            {
                let (id, run) = (evidence.id.to_string(), trial.id.to_string());
                let command = trial.seen.look.command.join(" ");
                self.add(&run, "trial", &command);
                push_once(&mut self.rests_on, &id, &run);
                push_once(&mut self.carries, &run, &id);
            }
        }
        for assumption in state.assumed() {
            let id = assumption.id.to_string();
            self.add(&id, "assumption", &assumption.text);
            self.link(&id, &assumption.question.to_string());
        }
    }

    fn add_documents(&mut self, state: &State) {
        for record in state.documents.written.values() {
            for item in document_items(&record.content) {
                self.add(item.id, item_kind(item.prefix), item.title);
            }
            self.add_unnumbered(&record.content);
            for reference in references(&record.content) {
                if reference.target == Referent::Work {
                    // A prerequisite leads to later work, but is not its source.
                    push_once(&mut self.carries, &reference.to, &reference.about);
                } else {
                    self.link(&reference.about, &reference.to);
                }
            }
        }
    }

    /// Adds things that refer to others but have no id of their own.
    fn add_unnumbered(&mut self, document: &Document) {
        match document {
            Document::ProductPlan(plan) => {
                for (i, item) in plan.scope.iter().enumerate() {
                    self.add(&format!("scope {}", i + 1), "scope", &item.text);
                }
            }
            Document::SystemDesign(design) => {
                for impact in &design.file_impacts {
                    self.add(&impact.path, "file", &impact.what);
                }
            }
            Document::RiskAssessment(assessment) => {
                for (i, item) in assessment.assumptions.iter().enumerate() {
                    let name = format!("assumptions {}", i + 1);
                    self.add(&name, "taken for granted", &item.text);
                }
            }
            Document::DevPlan(_) | Document::TestPlan(_) => {}
        }
    }

    /// Adds items of the previous version that this version lacks.
    fn add_left_out(&mut self, state: &State) {
        let Some(previous) = &state.task.previous else {
            return;
        };
        for document in previous.documents.values() {
            for item in document_items(document) {
                let text = ONLY_THERE.fill(&[
                    ("text", &item.title),
                    ("n", &state.inputs.run().sibling(previous.version)),
                ]);
                self.add_said(item.id, item_kind(item.prefix), &text);
            }
        }
    }
}

/// How many of an issue's positions come from the previous version. They are the first ones.
fn inherited_positions(state: &State, issue: &IssueRecord) -> usize {
    let previous = state.task.previous.iter().flat_map(|p| &p.issues);
    let before = previous
        .into_iter()
        .find(|previous| previous.id == issue.id)
        .map(|previous| &*previous.positions)
        .unwrap_or_default();
    let same = before.iter().zip(&issue.positions);
    same.take_while(|(old, now)| old == now).count()
}

/// The name of the kind of item that a prefix stands for.
fn item_kind(prefix: &str) -> &'static str {
    match prefix {
        "AC" => "criterion",
        "M" => "module",
        "DEC" => "decision",
        "W" => "work",
        "T" => "test",
        _ => "risk",
    }
}

/// A member's stances on texts, with its reasons.
fn taken(position: &PositionRecord) -> Message {
    let stance = name_of("stands", &position.stance);
    let words = match &position.proposal {
        Some(text) if position.why.trim().is_empty() => text.as_str().into(),
        Some(text) => WITH_REASON.fill(&[("text", text), ("why", &position.why)]),
        None => Message::from(position.why.as_str()),
    };
    match on_texts(position) {
        Some(texts) => STANCE_ON.fill(&[("stance", &stance), ("texts", &texts), ("words", &words)]),
        None => STANCE.fill(&[("stance", &stance), ("words", &words)]),
    }
}

/// The texts that a position refers to, such as `X-8`, or for an objection `to X-3, for X-5`;
/// `None` if it names none.
pub fn on_texts(position: &PositionRecord) -> Option<Message> {
    let is_against = position.stance == Stance::Object;
    let told = match (is_against, position.backs, position.against) {
        (_, None, None) => return None,
        (false, ..) => ON,
        (true, Some(_), None) => FOR,
        (true, None, Some(_)) => TO,
        (true, Some(_), Some(_)) => TO_FOR,
    };
    let named = |id: Option<TextId>| id.map_or_else(String::new, |id| id.to_string());
    let (text, against) = (named(position.backs), named(position.against));
    Some(told.fill(&[("text", &text), ("against", &against)]))
}

fn codes(state: &State, members: &[Supporter]) -> Message {
    let codes = members.iter().map(|s| state.inputs.roles.code(&s.member));
    LIST.join(&codes.collect::<Vec<_>>())
}

fn asked_and_answered(question: &Question) -> Message {
    match &question.status {
        QuestionStatus::Closed { answer, .. } => format!("{} → {answer}", question.text).into(),
        _ => NOT_ANSWERED.fill(&[("text", &question.text)]),
    }
}

texts! {
    LEFT: "left unresolved there", "在该版本中没有解决";
    STANCE: "{stance}: {words}", "{stance}：{words}";
    WITH_REASON: "{text} (why: {why})", "{text}（理由：{why}）";
    STANCE_ON: "{stance} ({texts}): {words}", "{stance}（{texts}）：{words}";
    ON: "{text}", "{text}";
    TO: "to {against}", "{against}";
    FOR: "for {text}", "主张 {text}";
    TO_FOR: "to {against}, for {text}", "{against}，主张 {text}";
    NOT_AGREED: "{text} (by {by}, backed by {backers}; not agreed)", "{text}（由 {by} 提出，支持者：{backers}；未达成一致）";
    LEFT_BY_ALL: "{text} (by {by}, backed by nobody)", "{text}（由 {by} 提出，没有人支持）";
    BACKED: "by {by}, backed by {backers}", "由 {by} 提出，支持者：{backers}";
    PREVAILED: "by {by}, backed by {backers}; prevailed over {over}", "由 {by} 提出，支持者：{backers}；胜过 {over}";
    OVER: "{id} ({by})", "{id}（{by}）";
    LIST: ", ", "、";
    AS_IT_IS: "{text}", "{text}";
    AT_PLACE: "{text} ({place})", "{text}（{place}）";
    UNSEEN: "{text} (not verified)", "{text}（未核实）";
    WORDED: "{text} (in the coach's words: {wording})", "{text}（主持人的表述：{wording}）";
    WITHDRAWN: "{text} (withdrawn)", "{text}（已撤回）";
    FOUND: "{text} ({fate}: {said})", "{text}（{fate}：{said}）";
    FOUND_OPEN: "{text} ({fate})", "{text}（{fate}）";
    ONLY_THERE: "{text} (in {n} only)", "{text}（只在 {n} 中）";
    NOT_ANSWERED: "{text} (not answered)", "{text}（没有回答）";
}

fn speech_name(state: &State, member: &RoleId, round: u32) -> String {
    format!("{} r{round}", state.inputs.roles.code(member))
}

fn push_once(map: &mut BTreeMap<String, Vec<String>>, key: &str, value: &str) {
    let list = map.entry(key.to_owned()).or_default();
    if !list.iter().any(|known| known == value) {
        list.push(value.to_owned());
    }
}

/// The first 160 characters of a text at most, on one line.
fn excerpt(text: &str) -> String {
    let line = one_line(text);
    let short: String = line.graphemes(true).take(160).collect();
    if short.len() < line.len() {
        short + "…"
    } else {
        short
    }
}
