//! A workshop in memory: the machine with a scripted model, without any I/O.

use serde_json::Value;
use workshop::chat::{ChatRequest, FinishReason, Usage};
use workshop::check::{FileFacts, for_review, paths_alone};
use workshop::machine::similarity::{Lexical, Measurement, measure};
use workshop::machine::*;
use workshop::reply::DocumentKind;
use workshop::reply::*;
use workshop::role::{RoleId, RoleSet, RoleSpec};

use super::search::{looked, next_inquiry, verified};
use super::trial::named;

/// A run in memory.
pub struct Meeting {
    pub state: State,
    pub entries: Vec<Entry>,
    /// Milliseconds added to `active_ms` per entry.
    pub step_ms: u64,
    /// The result of the search at the start.
    pub survey: Survey,
    /// The repository that members look into; `None` for one in which everything is found.
    pub looks: Option<Looks>,
    /// The repository that the plan is compared with; `None` for one in which every file exists.
    pub facts: Option<FactsOf>,
    /// The state of the tree for trials, or why none can run.
    pub trials: Result<String, String>,
    /// The version that this one revises, if it was a meeting too.
    pub before: Option<Box<State>>,
    /// Lines of its script that nothing came of.
    pub unused: Vec<String>,
}

/// Looks into a repository for a member, in the language of the documents.
pub type Looks = Box<dyn Fn(&[Look], Lang) -> Vec<LookResult>>;

/// What a repository says about the files that a design names.
pub type FactsOf = Box<dyn Fn(&[FileImpact]) -> Vec<FileFacts>>;

/// The script: the JSON text of the reply to a call.
pub type Script<'a> = &'a mut dyn FnMut(&State, &CallId) -> String;

impl Meeting {
    pub fn open(requirement: &str, inputs: Inputs) -> Self {
        Self::open_with(Event::UserInput {
            content: requirement.to_owned(),
            run_id: "0190c0de-0000-7000-8000-000000000001".to_owned(),
            inputs: Box::new(inputs),
            from: None,
            feedback: Vec::new(),
        })
    }

    pub fn open_with(event: Event) -> Self {
        let entry = Entry {
            v: TRANSCRIPT_FORMAT,
            seq: 1,
            ts: "2026-01-02T03:04:05.000Z".to_owned(),
            active_ms: 0,
            round: 1,
            actor: "user".to_owned(),
            event,
        };
        Self {
            state: State::open(&entry).unwrap(),
            entries: vec![entry],
            step_ms: 10,
            survey: Survey::default(),
            looks: None,
            facts: None,
            trials: Err("trials are not switched on".to_owned()),
            before: None,
            unused: Vec::new(),
        }
    }

    /// Applies and stores an event; the error says why it is not allowed.
    pub fn try_record(&mut self, event: Event) -> Result<(), String> {
        let entry = Entry {
            v: TRANSCRIPT_FORMAT,
            seq: self.state.run.seq + 1,
            ts: "2026-01-02T03:04:05.000Z".to_owned(),
            active_ms: self.state.run.active_ms + self.step_ms,
            round: (self.state.round + u32::from(matches!(event, Event::RoundStarted { .. })))
                .max(1),
            actor: event.actor(&self.state),
            event,
        };
        self.state.apply(&entry).map_err(|e| e.to_string())?;
        self.entries.push(entry);
        Ok(())
    }

    pub fn record(&mut self, event: Event) {
        if let Err(why) = self.try_record(event.clone()) {
            panic!("{why}: {event:?}");
        }
    }

    /// Starts a call and records the event that follows from its reply.
    pub fn reply(&mut self, call: &CallId, text: &str) {
        self.record(started(call));
        let event = event_of(&self.state, receipt(call), text, FinishReason::Stop);
        let mut event = look::with_found(&self.state, event, |looks| match &self.looks {
            Some(find) => find(looks, self.state.inputs.doc_lang),
            None => looked(&self.state, looks),
        });
        while let Some(due) = trial::next(&self.state, &mut event, &self.trials) {
            self.record(due.started.clone());
            event = trial::with_ran(&self.state, event, (due.id, due.index), named(&due.job));
            if let Some(ended) = trial::kept_before(&event, due.index) {
                self.record(ended);
            }
        }
        let verify = |claims: &[Evidence]| verified(&self.state, claims);
        let event = evidence::put_back(&self.state, event, text, verify);
        self.record(event);
    }

    /// Executes what the machine requests, once; false if there is nothing left or the run gave up.
    pub fn step(&mut self, script: Script<'_>) -> bool {
        let actions = next_actions(&self.state);
        if actions.is_empty() {
            return false;
        }
        for action in actions {
            match action {
                Action::Survey => self.record(Event::KnowledgeSearch {
                    survey: self.survey.clone(),
                }),
                Action::Verify => {
                    let due = evidence::due(&self.state).iter();
                    let claims: Vec<Evidence> = due.map(|one| one.evidence.clone()).collect();
                    let held = verified(&self.state, &claims);
                    self.record(evidence::checked(&self.state, held));
                }
                Action::Inquire(_) => {
                    while inquiry::due(&self.state).next().is_some() {
                        self.record(next_inquiry(&self.state));
                    }
                }
                Action::Call(call) => {
                    let text = script(&self.state, &call);
                    let text = match call.purpose {
                        Purpose::Document(kind) if !call.amends() => {
                            accounted(text, due_of(&self.state, kind))
                        }
                        _ => text,
                    };
                    self.reply(&call, &text);
                }
                Action::Record(event) => self.record(*event),
                Action::CheckPlan => self.check_plan(),
                Action::Measure => self.measure_without_endpoint(),
                Action::AskUser(ids) => {
                    for id in ids {
                        let question = self.state.questions.find(id).unwrap();
                        let event = Event::UserClarificationDialogue {
                            id,
                            question: question.current_text().to_owned(),
                            user_reply: question.recommended.clone(),
                            source: AnswerSource::Assumed,
                            message: None,
                        };
                        self.record(event);
                    }
                }
                Action::Complete => {
                    let event = Event::Published {
                        stop: self.state.ending.stop.unwrap().reason,
                        blocking: self.state.ledger.blocking().map(|i| i.id).collect(),
                        open: self.state.ledger.open().map(|i| i.id).collect(),
                    };
                    self.record(event);
                }
                Action::AskEnd(guard) => self.record(nobody_decides(&self.state, guard)),
                Action::GiveUp(_) => return false,
            }
        }
        true
    }

    /// Records what a driver records when it checks the plan.
    pub fn check_plan(&mut self) {
        let found = match &self.facts {
            Some(facts) => for_review(&self.state, facts),
            None => for_review(&self.state, &paths_alone(|_| true)),
        };
        self.record(Event::PlanChecked(found));
    }

    /// Records what a driver records if its embeddings endpoint is unavailable.
    pub fn measure_without_endpoint(&mut self) {
        let measurement = Measurement {
            fallback: Some("no endpoint".to_owned()),
            ..measure(&self.state, &Lexical::default())
        };
        self.record(Event::SimilarityMeasured { measurement });
    }

    pub fn run(&mut self, script: Script<'_>) {
        while self.step(script) {
            assert!(self.entries.len() < 100_000, "the machine never ends");
        }
    }

    /// All events in order.
    pub fn events(&self) -> impl Iterator<Item = &Event> {
        self.entries.iter().map(|entry| &entry.event)
    }

    /// The calls that were started, in order.
    pub fn calls(&self) -> impl Iterator<Item = &CallId> {
        self.events().filter_map(|event| match event {
            Event::CallStarted { call, .. } => Some(call),
            _ => None,
        })
    }

    /// Issue `I-{id}`.
    #[track_caller]
    pub fn issue(&self, id: u32) -> &IssueRecord {
        let found = self.state.ledger.find(IssueId(id));
        found.unwrap_or_else(|| panic!("no I-{id}"))
    }

    /// The reasons of rejected replies, in order.
    pub fn rejections(&self) -> Vec<&str> {
        let reasons = self.events().filter_map(|event| match event {
            Event::ReplyRejected { reason, .. } => Some(reason.as_str()),
            _ => None,
        });
        reasons.collect()
    }

    /// The state after replaying the first `entries` entries.
    pub fn replayed(&self, entries: usize) -> State {
        let mut state = State::open(&self.entries[0]).unwrap();
        for entry in &self.entries[1..entries] {
            state
                .apply(entry)
                .unwrap_or_else(|why| panic!("{why}: {entry:?}"));
        }
        state
    }

    /// Records a message to the run, as the driver would.
    #[track_caller]
    pub fn says(&mut self, text: &str) {
        self.record(sent(&self.state, text));
    }

    /// Answers the first waiting question.
    #[track_caller]
    pub fn answers(&mut self, words: &str, source: AnswerSource) {
        let question = self
            .state
            .questions
            .waiting()
            .next()
            .expect("a question waits");
        self.record(Event::UserClarificationDialogue {
            id: question.id,
            question: question.current_text().to_owned(),
            user_reply: words.to_owned(),
            source,
            message: None,
        });
    }

    /// Executes steps until a call with this purpose is due; returns it.
    pub fn until(&mut self, purpose: Purpose, script: Script<'_>) -> CallId {
        loop {
            if let Some(Action::Call(call)) = next_actions(&self.state).first()
                && call.purpose == purpose
            {
                return call.clone();
            }
            assert!(self.step(script), "no {purpose:?} comes");
        }
    }
}

/// The event that the driver records when `text` is sent to the run.
pub fn sent(state: &State, text: &str) -> Event {
    let intent = intervention::read(text, &state.inputs).unwrap();
    intervention::when_asked(state, intent, text.to_owned(), Channel::Message, None)
}

/// A revision of `first`; `change` edits what it takes over.
pub fn going_on(
    first: &State,
    inputs: Inputs,
    change: impl FnOnce(&mut PreviousVersion),
) -> Meeting {
    let mut previous = PreviousVersion::of(first, "head");
    change(&mut previous);
    Meeting::open_with(Event::UserInput {
        content: first.task.requirement.clone(),
        run_id: "0190c0de-0000-7000-8000-000000000002".to_owned(),
        inputs: Box::new(Inputs {
            version: 2,
            ..inputs
        }),
        from: Some(Box::new(previous)),
        feedback: Vec::new(),
    })
}

/// The text of a file that is generated from the state.
#[track_caller]
pub fn file(state: &State, path: &str) -> String {
    let files = workshop::artifact::render(state).unwrap();
    let found = files.into_iter().find(|file| file.path == path);
    String::from_utf8(found.expect(path).bytes).unwrap()
}

/// Asserts that the text contains each of these.
#[track_caller]
pub fn holds(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "no `{part}` in {text}");
    }
}

/// All messages of a request, joined.
pub fn messages(request: &ChatRequest) -> String {
    let texts = request.messages.iter().map(|message| &*message.content);
    texts.collect::<Vec<_>>().join("\n")
}

/// A meeting with other inputs.
pub fn opened(change: impl FnOnce(&mut Inputs)) -> Meeting {
    let mut inputs = inputs();
    change(&mut inputs);
    Meeting::open("two things", inputs)
}

/// The decision about an end when no user is present.
pub fn nobody_decides(state: &State, guard: StopReason) -> Event {
    match guard {
        StopReason::Proposal => proposal::unattended(state),
        _ => decision(guard, true, DecidedBy::Unattended, 0),
    }
}

/// A decision about an end, without a reason.
pub fn decision(guard: StopReason, confirmed: bool, by: DecidedBy, granted: u64) -> Event {
    Event::EndDecision {
        guard,
        confirmed,
        by,
        reason: String::new(),
        granted,
        message: None,
    }
}

/// Why a requested debate is refused.
pub fn refused(event: &Event) -> Option<workshop::machine::debate::RequestRefusal> {
    match event {
        Event::UserIntervention { refused, .. } => *refused,
        _ => panic!("{event:?}"),
    }
}

/// The event recorded when a run is resumed.
pub fn resumed() -> Event {
    Event::Resumed {
        tool: "0.1.0".to_owned(),
        accepted_drift: Vec::new(),
        attended: false,
        models: None,
    }
}

/// A ballot: a position on the end.
pub fn vote(stance: Stance) -> String {
    text(&Contribution {
        positions: vec![position("END", stance, None)],
        ..Contribution::default()
    })
}

/// The calls that are due.
pub fn calls_due(state: &State) -> Vec<CallId> {
    let due = next_actions(state).into_iter();
    let calls = due.filter_map(|action| match action {
        Action::Call(call) => Some(call),
        _ => None,
    });
    calls.collect()
}

/// The first call that is due.
#[track_caller]
pub fn call_due(state: &State) -> CallId {
    calls_due(state).into_iter().next().expect("a call is due")
}

/// The failure of a call.
pub fn failed(call: &CallId, kind: FailureKind, retryable: bool) -> Event {
    Event::CallFailed {
        call: call.clone(),
        kind,
        detail: "HTTP 503".to_owned(),
        retryable,
        retry_after_ms: None,
        latency_ms: 1,
    }
}

pub fn started(call: &CallId) -> Event {
    Event::CallStarted {
        call: call.clone(),
        model: "test".to_owned(),
        input_context: InputContext {
            ids: Vec::new(),
            prompt: String::new(),
            bytes: 100,
        },
        reserve: 100,
        reserve_usd: None,
    }
}

pub fn receipt(call: &CallId) -> Receipt {
    Receipt {
        call: call.clone(),
        model: "test".to_owned(),
        usage: Usage {
            input: 50,
            cached_input: 10,
            output: 20,
            reasoning: 0,
            estimated: false,
        },
        latency_ms: 5,
        request_id: None,
        answer_format: None,
        terms: Default::default(),
        redacted: 0,
    }
}

/// Inputs with five members, short personas, no templates, and assumed answers.
pub fn inputs() -> Inputs {
    let role = |id: &str, code: &str, order, document| RoleSpec {
        id: RoleId::from(id),
        code: code.to_owned(),
        order,
        document,
        shadow: false,
        summary: format!("{id} in one line"),
        thinking_style: None,
        speaking_style: None,
        reviewing: None,
        tools: None,
        persona: format!("You are {id}."),
        source: "built-in".to_owned(),
    };
    Inputs {
        tool: "0.0.0".to_owned(),
        version: 1,
        format: workshop::machine::Format::Workshop,
        series: None,
        doc_lang: Lang::En,
        roles: RoleSet {
            coach: role("Coach", "Coach", 0, None),
            members: vec![
                role("ProductPlanner", "PP", 1, Some(DocumentKind::ProductPlan)),
                role("SystemDesigner", "SD", 2, Some(DocumentKind::SystemDesign)),
                role("SeniorDeveloper", "Dev", 3, Some(DocumentKind::DevPlan)),
                role("TestPlanner", "TP", 4, Some(DocumentKind::TestPlan)),
                role("RiskPlanner", "RP", 5, Some(DocumentKind::RiskAssessment)),
            ],
            absent: Default::default(),
        },
        templates: Default::default(),
        template_sources: Default::default(),
        questions: QuestionMode::Assume,
        light: false,
        full: false,
        rules: RunRules {
            review: false,
            ..RunRules::default()
        },
        trials: false,
        model: ModelChoice {
            provider: "team".to_owned(),
            model: "team-1".to_owned(),
            temperature: None,
            seed: None,
            price: None,
        },
        role_models: Default::default(),
        own_addresses: Default::default(),
        commit: None,
    }
}

/// Parses an answer of a member or the coach.
pub fn spoken(answer: &str) -> Contribution {
    serde_json::from_str(answer).unwrap()
}

pub fn contribution(analysis: &str) -> Contribution {
    Contribution {
        analysis: analysis.to_owned(),
        ..Contribution::default()
    }
}

pub fn position(issue: &str, stance: Stance, proposal: Option<&str>) -> Position {
    Position {
        issue: issue.to_owned(),
        stance,
        proposal: proposal.map(str::to_owned),
        why: "because".to_owned(),
        changed_because: None,
        backs: None,
        against: None,
    }
}

pub fn new_issue(key: &str, title: &str, severity: IssueSeverity) -> NewIssue {
    NewIssue {
        key: key.to_owned(),
        title: title.to_owned(),
        detail: format!("{title}, in detail"),
        severity,
    }
}

pub fn fate(issue: &str, fate: FateKind) -> Fate {
    Fate {
        issue: issue.to_owned(),
        fate,
        cites: None,
        wording: None,
        into: Vec::new(),
        reason: None,
    }
}

pub fn settled(issue: &str, cites: &str) -> Fate {
    Fate {
        cites: Some(cites.to_owned()),
        ..fate(issue, FateKind::Settled)
    }
}

pub fn coach(fates: Vec<Fate>) -> Contribution {
    Contribution {
        coach: Some(CoachPart {
            fates,
            ..CoachPart::default()
        }),
        ..contribution("The round in short.")
    }
}

/// The ids that the writer of a document has to account for.
pub fn due_of(state: &State, kind: DocumentKind) -> Vec<String> {
    let notes = state
        .discussion
        .notes()
        .filter(|(_, _, note)| note.document == kind);
    let notes = notes.map(|(id, _, _)| id);
    items_due(state, kind).into_iter().chain(notes).collect()
}

/// The ids that a prompt asks a writer to account for.
pub fn accounts_asked(prompt: &str) -> Vec<String> {
    let heads = [
        "`accounts`: one entry for each of ",
        "`accounts`：为下列每一个各写一条：",
    ];
    let list = heads.iter().find_map(|head| prompt.rsplit_once(head));
    let list = list.map_or("", |(_, list)| list.lines().next().unwrap_or_default());
    let list = list.split([':', '。']).next().unwrap_or_default();
    let ids = list.split([',', '、']).map(str::trim);
    ids.filter(|id| !id.is_empty()).map(str::to_owned).collect()
}

/// Adds an account of each of these ids to a document without accounts.
pub fn accounted(document: String, due: Vec<String>) -> String {
    let alone = serde_json::from_str(&document).ok();
    let alone = alone.filter(|it: &serde_json::Value| {
        it.is_object()
            && ["document", "accounts", "looks", "answer"]
                .iter()
                .all(|key| it.get(key).is_none())
    });
    let Some(alone) = alone.filter(|_| !due.is_empty()) else {
        return document;
    };
    let account = |id| Account {
        id,
        used_in: Some("its text".to_owned()),
        left_out_because: None,
    };
    let accounts = due.into_iter().map(account).collect();
    text(&DocumentReply {
        accounts,
        ..DocumentReply::new(alone)
    })
}

pub fn text<T: serde::Serialize>(answer: &T) -> String {
    serde_json::to_string(answer).unwrap()
}

/// The member that proposes when all agree: PP, or the first one invited.
fn proposer(state: &State) -> &str {
    let first = state.judgment.invited.first();
    first.map_or("PP", |first| state.inputs.roles.code(&first.member))
}

/// Answers of a team that agrees at once: PP proposes texts, all members agree, and the coach
/// settles everything in round `settle_in`.
pub fn agreeable(settle_in: u32) -> impl FnMut(&State, &CallId) -> String {
    move |state, call| match call.purpose {
        Purpose::Judgment => text(&Contribution {
            new_issues: vec![
                new_issue("a", "first need", IssueSeverity::Blocking),
                new_issue("b", "second need", IssueSeverity::Blocking),
            ],
            ..contribution("Two needs.")
        }),
        Purpose::Speech => {
            let code = state.inputs.roles.code(&call.member);
            let positions = state
                .ledger
                .open()
                .map(|issue| {
                    let words = format!("{code} would write {} so, r{}", issue.id, call.round);
                    // In a blind round a new text would supersede one that the others have already
                    // backed.
                    let is_new = !state.is_blind_round() || issue.texts.is_empty();
                    let words = (code == proposer(state) && is_new).then_some(words.as_str());
                    position(&issue.id.to_string(), Stance::Agree, words)
                })
                .collect();
            text(&Contribution {
                positions,
                ..contribution("I agree.")
            })
        }
        Purpose::Summary => {
            let fates = state
                .ledger
                .open()
                .map(|issue| {
                    if call.round >= settle_in {
                        settled(&issue.id.to_string(), proposer(state))
                    } else {
                        fate(&issue.id.to_string(), FateKind::Open)
                    }
                })
                .collect();
            text(&coach(fates))
        }
        Purpose::Debate(part) => text(&in_debate(state, call, part)),
        Purpose::Relay => text(&coach(Vec::new())),
        Purpose::Step => text(&contribution("It is done.")),
        Purpose::Vote => vote(Stance::Object),
        Purpose::FollowUp => text(&contribution("That will do.")),
        Purpose::Review | Purpose::Verdict => text(&contribution("I could start tomorrow.")),
        Purpose::Document(kind) => document(kind),
        Purpose::Report => text(&ReportWords {
            title: "A plan".to_owned(),
            in_short: "It is done like this.".to_owned(),
            decide: Vec::new(),
            plan: Some(one_text(&standing(state))),
        }),
    }
}

/// The ids of the agreed items.
fn standing(state: &State) -> Vec<String> {
    let standing = state.draft.standing();
    standing.map(|item| item.id.to_string()).collect()
}

/// Answers of a debate in which every member keeps its own text and the coach rules a compromise.
pub fn in_debate(state: &State, call: &CallId, part: DebatePart) -> Contribution {
    let Some(debate) = state.open_debate() else {
        return contribution("What divides us is who may export.");
    };
    let who = state.inputs.roles.code(&call.member);
    match part {
        DebatePart::Argument => {
            let words = format!("{who} argues so in round {}", call.turn);
            let mut said = contribution(&format!("{who} argues."));
            said.positions = vec![position(&debate.subject(), Stance::Object, Some(&words))];
            said
        }
        DebatePart::Ruling => ruling(Decision::Compromise, "Admins export, with a log."),
        _ => contribution("They are still apart."),
    }
}

/// A divergence between these members on an issue, as the coach reports it.
pub fn divergence(issue: &str, question: &str, sides: &[&str]) -> FoundDivergence {
    let sides = sides.iter().map(|code| FoundSide {
        member: (*code).to_owned(),
        stands_for: format!("the way of {code}"),
    });
    FoundDivergence {
        issue: issue.to_owned(),
        criterion: DivergenceKind::Contradiction,
        question: question.to_owned(),
        sides: sides.collect(),
    }
}

/// A question to the user about I-1, with the recommendation `no`.
pub fn question(text: &str) -> AskedQuestion {
    AskedQuestion {
        of: Answerer::User,
        question: text.to_owned(),
        why: "the design hangs on it".to_owned(),
        blocks: Some("I-1".to_owned()),
        options: vec!["yes".to_owned(), "no".to_owned()],
        recommended: "no".to_owned(),
    }
}

/// The event of an exhausted token budget.
pub fn budget_fires(state: &State) -> Event {
    Event::DiscussionEnded(EndCause {
        reason: StopReason::Budget,
        value: state.calls.committed(),
        limit: state.inputs.rules.limits.max_tokens.unwrap(),
        unit: Some(StopUnit::Tokens),
        sign: None,
    })
}

pub fn ruling(decision: Decision, conclusion: &str) -> Contribution {
    Contribution {
        coach: Some(CoachPart {
            ruling: Some(Ruling {
                decision,
                rationale: "It serves both sides.".to_owned(),
                conclusion: conclusion.to_owned(),
            }),
            ..CoachPart::default()
        }),
        ..contribution("So it is.")
    }
}

/// Replaces fields; objects are merged.
pub fn merge(into: &mut Value, fields: Value) {
    match (into, fields) {
        (Value::Object(into), Value::Object(fields)) => {
            for (name, value) in fields {
                merge(into.entry(name).or_insert(Value::Null), value);
            }
        }
        (into, fields) => *into = fields,
    }
}

/// A small complete document of this kind.
pub fn document(kind: DocumentKind) -> String {
    let all = include_str!("meeting/documents.jsonl").lines();
    let mut own = DocumentKind::ALL.into_iter().zip(all);
    let found = own.find(|(one, _)| *one == kind);
    found.unwrap().1.to_owned()
}

/// A plan as one text that cites these agreed items.
pub fn one_text(agreed: &[String]) -> PlanText {
    let rules = agreed
        .iter()
        .map(|id| format!("- It works as was agreed. [{id}]\n"));
    PlanText {
        behaviour: rules
            .chain(["- Nothing else is in scope.".to_owned()])
            .collect(),
        ground: "- One module holds it.".to_owned(),
        changes: "### `src/lib.rs`\n\nOne function, `plain`.".to_owned(),
        order: "1. Build it (S): its tests pass.".to_owned(),
        criteria:
            "| Given | When | Then |\n| --- | --- | --- |\n| an input | it runs | it is done |"
                .to_owned(),
        tests: "1. It is run, and what was asked for is there.".to_owned(),
        risks: "- It takes longer: the first step shows it.".to_owned(),
        corners: "- **Twice.** A second run finds it done.".to_owned(),
    }
}

/// The part of a Markdown text outside code fences.
pub fn outside_fences(text: &str) -> String {
    let mut open: Option<usize> = None;
    let mut outside = String::new();
    for line in text.lines() {
        let ticks = line
            .trim_start_matches(' ')
            .bytes()
            .take_while(|b| *b == b'`')
            .count();
        let bare = line.trim().bytes().all(|b| b == b'`');
        match open {
            Some(length) if bare && ticks >= length => open = None,
            Some(_) => {}
            None if ticks >= 3 => open = Some(ticks),
            None => {
                outside.push_str(line);
                outside.push('\n');
            }
        }
    }
    assert_eq!(open, None, "a fence stays open: {text}");
    outside
}
