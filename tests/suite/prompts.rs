//! Tests of prompts: what they share, how they grow, and what cannot break out of them.

mod hostile;
mod prefix;
mod purposes;

use std::collections::BTreeMap;
use std::path::Path;

use aitc::chat::{ChatRequest, ChatRole, FinishReason, Usage};
use aitc::edge::assets::{self, Assets};
use aitc::prompt::{Prompter, context, digest, estimate_tokens};
use aitc::reply::{
    AskedQuestion, CoachPart, Contribution, DevPlan, Document, DocumentKind, Fate, FateKind,
    NewIssue, Position, ProductPlan, Relay, Reminder, ReportWords, RiskAssessment, ScopeItem,
    Severity, Stance, SystemDesign, TestPlan,
};
use aitc::workshop::{
    Action, AnswerSource, CallId, Entry, Event, FORMAT, FirstRound, Hit, InputContext, Inputs,
    Lang, Limits, ModelChoice, Passage, Previous, Purpose, QuestionMode, Receipt, SpeakingOrder,
    State, Survey, check, decide, event_of, next_actions, split_feedback, summary,
};

const BOTH: [Lang; 2] = [Lang::En, Lang::Zh];

fn built_in(lang: Lang) -> Assets {
    assets::load(Path::new("no/such/workspace"), lang, None).unwrap()
}

fn inputs(lang: Lang) -> Inputs {
    let assets = built_in(lang);
    Inputs {
        tool: "0.1.0".to_owned(),
        version: 1,
        format: aitc::workshop::Format::Workshop,
        doc_lang: lang,
        roles: assets.roles,
        templates: assets.templates,
        template_sources: assets.template_sources,
        limits: Limits {
            max_rounds: 30,
            ..Limits::default()
        },
        ending: Default::default(),
        questions: QuestionMode::Ask,
        first_round: FirstRound::Sequential,
        order: SpeakingOrder::Fixed,
        light: false,
        model: ModelChoice {
            provider: "openai".to_owned(),
            model: "test-model".to_owned(),
            temperature: Some(0.2),
            seed: Some(7),
            price: None,
        },
        role_models: BTreeMap::new(),
        similarity: Default::default(),
        commit: None,
    }
}

fn survey() -> Survey {
    let hit = |path: &str, line: &str| Hit {
        path: path.to_owned(),
        terms: vec!["invoice".to_owned(), "export".to_owned()],
        line: line.to_owned(),
        number: 12,
    };
    Survey {
        files: 42,
        terms: vec!["invoice".to_owned(), "export".to_owned()],
        hits: vec![
            hit(
                "src/invoice/list.rs",
                "pub fn list(filter: Filter) -> Vec<Invoice> {",
            ),
            hit("src/http/routes.rs", ".route(\"/invoices\", get(invoices))"),
            hit("docs/invoices.md", "Invoices are numbered within a year."),
        ],
        tree: ["docs/", "src/", "Cargo.toml", "README.md"]
            .map(str::to_owned)
            .to_vec(),
        knowledge: vec![Passage {
            path: "knowledge/tax.md".to_owned(),
            text: "Exported invoices are kept for ten years.".to_owned(),
        }],
    }
}

/// What the members of a test run say.
type Script = dyn Fn(&State, &CallId) -> Contribution;

/// Runs the real machine on scripted answers and keeps every request.
struct Run {
    state: State,
    prompter: Prompter,
    requests: Vec<ChatRequest>,
    answer: Option<String>,
}

impl Run {
    fn new(inputs: Inputs, requirement: &str, previous: Option<Previous>, feedback: &str) -> Self {
        let prompter = Prompter::new(&inputs).unwrap();
        let counters = previous
            .as_ref()
            .map(|p| p.counters.clone())
            .unwrap_or_default();
        let event = Event::UserInput {
            content: requirement.to_owned(),
            run_id: "00000000-0000-7000-8000-000000000000".to_owned(),
            inputs: Box::new(inputs),
            from: previous.map(Box::new),
            feedback: split_feedback(feedback, &counters),
        };
        Self {
            state: State::open(&entry(1, event)).unwrap(),
            prompter,
            requests: Vec::new(),
            answer: Some("EUR and USD.".to_owned()),
        }
    }

    fn record(&mut self, event: Event) {
        check(&self.state, &event).unwrap();
        self.state.apply(&entry(self.state.seq + 1, event));
    }

    /// One turn of the loop; false when the run is over.
    fn step(&mut self, script: &Script) -> bool {
        let actions = next_actions(&self.state);
        let calls: Vec<CallId> = actions
            .iter()
            .filter_map(|action| match action {
                Action::Call(call) => Some(call.clone()),
                _ => None,
            })
            .collect();
        if !calls.is_empty() {
            for call in &calls {
                let request = self.prompter.request(&self.state, call).unwrap();
                // What a prompter remembers is what a new one makes: a resumed
                // run sends the same bytes.
                let fresh = Prompter::new(&self.state.inputs).unwrap();
                assert_eq!(fresh.request(&self.state, call).unwrap(), request);
                self.requests.push(request);
                self.record(Event::CallStarted {
                    call: call.clone(),
                    model: "test-model".to_owned(),
                    input_context: InputContext {
                        ids: Vec::new(),
                        prompt: String::new(),
                        bytes: 0,
                    },
                    reserve: 0,
                    reserve_usd: None,
                });
            }
            let sent = self.requests.len() - calls.len();
            for (done, call) in calls.iter().enumerate() {
                let event = self.event_of(script, call.clone());
                self.record(event);
                // Side by side: no prompt may depend on who answered first.
                for (later, call) in calls.iter().enumerate().skip(done + 1) {
                    let again = self.prompter.request(&self.state, call).unwrap();
                    assert_eq!(again, self.requests[sent + later]);
                }
            }
            return true;
        }
        match actions.into_iter().next().unwrap() {
            Action::Survey => self.record(Event::KnowledgeSearch { survey: survey() }),
            Action::Record(event) => self.record(*event),
            Action::AskHuman(ids) => {
                let question = self.state.question(ids[0]).unwrap().clone();
                self.record(Event::UserClarificationDialogue {
                    id: question.id,
                    question: question.current_text().to_owned(),
                    user_reply: self.answer.clone().unwrap_or_default(),
                    source: match self.answer {
                        Some(_) => AnswerSource::Terminal,
                        None => AnswerSource::Declined,
                    },
                    message: None,
                });
            }
            Action::Publish => return false,
            other => panic!("{other:?}"),
        }
        true
    }

    fn event_of(&self, script: &Script, call: CallId) -> Event {
        let receipt = Receipt {
            call: call.clone(),
            model: "test-model".to_owned(),
            usage: Usage::default(),
            latency_ms: 1,
            request_id: None,
            answer_format: None,
        };
        let said = || script(&self.state, &call);
        match call.purpose {
            Purpose::Judgment => decide::judgment(&self.state, receipt, said()),
            Purpose::Speech => decide::speech(&self.state, receipt, said()),
            Purpose::Relay => decide::relay(&self.state, receipt, said()),
            Purpose::FollowUp => {
                let question = call.to_string().split('/').next().unwrap().to_owned();
                decide::follow_up(question.parse().unwrap(), receipt, said())
            }
            Purpose::Summary => summary(&self.state, receipt, said()),
            Purpose::Vote | Purpose::Step => unreachable!("nobody votes here"),
            Purpose::Debate(_) => {
                let text = serde_json::to_string(&said()).unwrap();
                event_of(&self.state, receipt, &text, FinishReason::Stop)
            }
            Purpose::Document(kind) => Event::Document {
                receipt: Some(receipt),
                kind,
                content: document(kind),
                notes: Vec::new(),
            },
            Purpose::Report => Event::Report {
                receipt: Some(receipt),
                words: ReportWords::default(),
            },
        }
    }

    fn all(&mut self, script: &Script) {
        while self.step(script) {}
    }

    fn of(&self, purpose: Purpose, round: u32) -> Vec<&ChatRequest> {
        let wanted = |r: &&ChatRequest| r.call.purpose == purpose && r.call.round == round;
        self.requests.iter().filter(wanted).collect()
    }
}

fn entry(seq: u64, event: Event) -> Entry {
    Entry {
        v: FORMAT,
        seq,
        ts: "2026-01-01T00:00:00.000Z".to_owned(),
        active_ms: 0,
        round: 0,
        actor: "engine".to_owned(),
        event,
    }
}

fn document(kind: DocumentKind) -> Document {
    match kind {
        DocumentKind::ProductPlan => Document::ProductPlan(ProductPlan {
            understanding: "PRODUCT-MARK invoices leave as CSV.".to_owned(),
            scope: vec![ScopeItem {
                text: "A button exports the filtered list.".to_owned(),
                from: vec!["C-1".to_owned()],
            }],
            ..ProductPlan::default()
        }),
        DocumentKind::SystemDesign => Document::SystemDesign(SystemDesign {
            architecture: "DESIGN-MARK one route, one writer.".to_owned(),
            ..SystemDesign::default()
        }),
        DocumentKind::DevPlan => Document::DevPlan(DevPlan {
            feasibility: "DEV-MARK".to_owned(),
            ..DevPlan::default()
        }),
        DocumentKind::TestPlan => Document::TestPlan(TestPlan::default()),
        DocumentKind::RiskAssessment => Document::RiskAssessment(RiskAssessment::default()),
    }
}

/// About 250 words that differ by speaker and round, as a real speech does.
fn speech_text(call: &CallId, lang: Lang) -> String {
    let sentence = |i: u32| match lang {
        Lang::En => format!(
            "In round {} {} looks at point {i}: the export must name its columns once, keep the order \
             of the list on screen, and stop with a clear message when a row cannot be written. ",
            call.round, call.member
        ),
        Lang::Zh => format!(
            "第 {} 轮，{} 看第 {i} 点：导出要把列名写清楚，保持屏幕上的顺序，遇到写不出的行要停下来并说明原因。",
            call.round, call.member
        ),
    };
    (1..=7).map(sentence).collect()
}

fn position(issue: &str, stance: Stance, proposal: Option<String>) -> Position {
    Position {
        issue: issue.to_owned(),
        stance,
        proposal,
        why: "It is what the list on screen shows already.".to_owned(),
        changed_because: Some("The argument about column order.".to_owned()),
    }
}

fn fate(issue: &str, fate: FateKind, cites: Option<&str>) -> Fate {
    Fate {
        issue: issue.to_owned(),
        fate,
        cites: cites.map(str::to_owned),
        wording: None,
        into: Vec::new(),
        reason: Some("A number is missing.".to_owned()),
    }
}

fn judged(titles: &[&str]) -> Contribution {
    let issue = |title: &&str| NewIssue {
        key: format!("n{}", title.len()),
        title: (*title).to_owned(),
        detail: format!("What exactly does `{title}` mean, for whom, and how is it seen?"),
        severity: Severity::Blocking,
    };
    Contribution {
        analysis: "There is enough to start.".to_owned(),
        new_issues: titles.iter().map(issue).collect(),
        ..Contribution::default()
    }
}

const TITLES: [&str; 5] = [
    "Which invoices are exported",
    "Which columns and formats",
    "Who may export",
    "How large an export may be",
    "What is logged",
];

/// Settles two issues in the first round, two in the second, one in the third;
/// one question, one reminder.
fn three_rounds(state: &State, call: &CallId) -> Contribution {
    let code = state.inputs.roles.code(&call.member).to_owned();
    let open: Vec<String> = state
        .ledger
        .open()
        .map(|issue| issue.id.to_string())
        .collect();
    let proposal = |issue: &str| {
        Some(format!(
            "{code} on {issue}: the export holds every filtered invoice, one row each, UTF-8."
        ))
    };
    match call.purpose {
        Purpose::Judgment => judged(&TITLES),
        Purpose::Speech => Contribution {
            analysis: speech_text(call, state.inputs.doc_lang),
            positions: open
                .iter()
                .map(|issue| position(issue, Stance::Refine, proposal(issue)))
                .collect(),
            questions: (call.round == 1 && code == "SD")
                .then(asked)
                .into_iter()
                .collect(),
            ..Contribution::default()
        },
        Purpose::Relay => Contribution {
            coach: Some(CoachPart {
                relays: vec![Relay {
                    question: "Q-1".to_owned(),
                    answer: None,
                    cites: None,
                }],
                ..CoachPart::default()
            }),
            ..Contribution::default()
        },
        Purpose::Summary => Contribution {
            analysis: "Two are settled.".to_owned(),
            coach: Some(CoachPart {
                fates: open
                    .iter()
                    .enumerate()
                    .map(|(i, issue)| match i {
                        0 | 1 => fate(issue, FateKind::Settled, Some("PP")),
                        _ => fate(issue, FateKind::Open, None),
                    })
                    .collect(),
                reminders: vec![Reminder {
                    member: "TP".to_owned(),
                    text: "Leave the database alone.".to_owned(),
                }],
                ..CoachPart::default()
            }),
            ..Contribution::default()
        },
        _ => Contribution::default(),
    }
}

fn asked() -> AskedQuestion {
    AskedQuestion {
        question: "Which currencies occur?".to_owned(),
        why: "The amount column depends on it.".to_owned(),
        blocks: Some("I-2".to_owned()),
        options: vec!["EUR only".to_owned(), "several".to_owned()],
        recommended: "several".to_owned(),
    }
}

fn requirement(lang: Lang) -> &'static str {
    match lang {
        Lang::En => "Export the filtered invoice list as CSV, so that accounting need not type it.",
        Lang::Zh => "把筛选后的发票列表导出为 CSV，让财务不必手工录入。",
    }
}

fn finished(lang: Lang) -> Run {
    let mut run = Run::new(inputs(lang), requirement(lang), None, "");
    run.all(&three_rounds);
    run
}

/// The prompt as providers count it: the schema first, then the messages.
fn whole(request: &ChatRequest) -> String {
    let mut text = request.schema.schema.to_string();
    for message in &request.messages {
        text.push_str(&format!("\n<{:?}>\n{}", message.role, message.content));
    }
    text
}

#[test]
fn a_blind_first_round_hears_nobody() {
    let blind = Inputs {
        first_round: FirstRound::Blind,
        ..inputs(Lang::En)
    };
    let mut run = Run::new(blind, requirement(Lang::En), None, "");
    run.all(&three_rounds);
    for request in run.of(Purpose::Speech, 1) {
        assert!(!whole(request).contains("In round 1"), "{}", request.call);
    }
    let summary = whole(run.of(Purpose::Summary, 1)[0]);
    for member in &run.state.inputs.roles.members {
        assert!(summary.contains(&format!("In round 1 {}", member.id)));
    }
    assert!(whole(run.of(Purpose::Speech, 2)[1]).contains("In round 2 ProductPlanner"));
}

#[test]
fn issues_stand_still_in_a_round_and_reminders_reach_their_member() {
    let run = finished(Lang::En);
    let second = run.of(Purpose::Speech, 2);
    let last = |request: &ChatRequest| request.messages.last().unwrap().content.clone();
    assert!(
        last(second[3]).contains("Leave the database alone."),
        "{}",
        last(second[3])
    );
    assert!(!last(second[2]).contains("Leave the database alone."));
    assert!(last(second[0]).contains("ProductPlanner (PP): round 2, turn 1 of 5"));
    // The answer of the human stands among what was said, not in the draft above it.
    let third = run.of(Purpose::Speech, 1)[2];
    let draft = third
        .messages
        .iter()
        .position(|m| m.content.contains("```draft"))
        .unwrap();
    assert!(!third.messages[draft].content.contains("EUR and USD"));
    assert!(
        third.messages[draft + 1..]
            .iter()
            .any(|m| m.content.contains("EUR and USD"))
    );
    assert!(second[0].messages[draft].content.contains("EUR and USD"));
}

#[test]
fn a_broken_template_is_named_with_its_file() {
    let mut broken = inputs(Lang::En);
    broken
        .templates
        .insert("prompt/turn.j2".to_owned(), "{{ nobody }}".to_owned());
    let source = ".ai-tools-chain/templates/prompt/turn.j2".to_owned();
    broken
        .template_sources
        .insert("prompt/turn.j2".to_owned(), source.clone());
    let mut run = Run::new(broken.clone(), requirement(Lang::En), None, "");
    while run.state.round == 0 {
        run.step(&three_rounds);
    }
    let Action::Call(call) = next_actions(&run.state).remove(0) else {
        panic!("a speech is due");
    };
    let error = run
        .prompter
        .request(&run.state, &call)
        .unwrap_err()
        .to_string();
    assert!(error.contains(&source), "{error}");

    broken
        .templates
        .insert("prompt/turn.j2".to_owned(), "{% if %}".to_owned());
    assert!(
        Prompter::new(&broken)
            .unwrap_err()
            .to_string()
            .contains(&source)
    );
    broken.templates.remove("prompt/turn.j2");
    assert!(
        Prompter::new(&broken)
            .unwrap_err()
            .to_string()
            .contains("prompt/turn.j2")
    );
}

#[test]
fn the_context_names_what_the_prompt_holds() {
    let run = finished(Lang::En);
    let mut replay = Run::new(inputs(Lang::En), requirement(Lang::En), None, "");
    while !(replay.state.round == 2 && replay.state.said.len() == 1) {
        replay.step(&three_rounds);
    }
    let Action::Call(call) = next_actions(&replay.state).remove(0) else {
        panic!("a speech is due");
    };
    assert_eq!(
        context(&replay.state, &call),
        ["I-3", "I-4", "I-5", "C-1", "C-2", "PP_speak_r2"]
    );
    assert_eq!(run.of(Purpose::Speech, 2).len(), 5);
}

#[test]
fn a_speech_prompt_as_it_is_sent() {
    for lang in BOTH {
        let run = finished(lang);
        let request = run.of(Purpose::Speech, 2)[1];
        let shown: Vec<String> = request
            .messages
            .iter()
            .map(|message| format!("==== {:?}\n{}", message.role, message.content))
            .collect();
        insta::assert_snapshot!(format!("speech_{}", lang.code()), shown.join("\n"));
    }
}
