//! Assembles a prompt from the run's frozen templates.

use std::collections::BTreeMap;
use std::fmt::{Display, Write as _};
use std::sync::Arc;

use minijinja::Value as Function;
use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment, UndefinedBehavior};
use serde_json::{Value, json};

use super::grammar::{has_one_form, one_form, schema_of};
use super::memo::{Memo, PromptPart};
use super::{text, view};
use crate::bounded;
use crate::chat::{AnswerSchema, ChatRequest, ChatRole, Message};
use crate::fault::line::INTERNAL;
use crate::fault::settings::{TEMPLATE, TEMPLATE_MISSING};
use crate::fault::{Fault, recorded};
use crate::machine::look::{MAX_TIMES_LOOKED, is_apart};
use crate::machine::similarity::{KEYWORDS, Keywords};
use crate::machine::team::TeamWork;
use crate::machine::{
    CallHistory, CallId, DiscussionItem, Format, Inputs, Lang, Purpose, Question, QuestionId,
    Scope, State, TemplateCache, Templates,
};
use crate::reply::{AnswerSize, DocumentKind, answer_schema};
use crate::role::{RoleId, RoleSpec};

/// Maximum number of steps one template may run. It limits what a workspace's own template can do.
const FUEL: u64 = 2_000_000;

/// Longest part of a rejected reply that is sent back, in characters.
const MAX_REJECTED: usize = 6_000;

/// Templates that every run needs, without folder and extension.
const NEEDED: [&str; 18] = [
    "shared",
    "brief",
    "draft",
    "issues",
    "turn",
    "said",
    "round",
    "judgment",
    "relay",
    "follow_up",
    "summary",
    "vote",
    "debate",
    "closing",
    "written",
    "document",
    "report",
    "retry",
];

/// Cache of parsed template sets.
static PARSED: TemplateCache<(), Environment<'static>> = TemplateCache::new();

/// Cache of the message that all prompts start with, keyed by the template's input.
static SHARED: TemplateCache<Value, Message> = TemplateCache::new();

/// Builds requests. Holds the parsed templates and the message that all prompts share.
#[derive(Debug)]
pub struct Prompter {
    templates: Arc<Environment<'static>>,
    sources: BTreeMap<String, String>,
    shared: Arc<Message>,
    memo: Memo,
}

impl Prompter {
    /// Parses the run's frozen templates and renders the message that all its prompts start with.
    ///
    /// # Errors
    /// A template is missing or malformed, or uses a name that is not defined.
    pub fn new(inputs: &Inputs) -> Result<Self, Fault> {
        let parsed = PARSED.held(&inputs.templates, (), || {
            parsed(&inputs.templates, &inputs.template_sources)
        })?;
        let needed = NEEDED
            .into_iter()
            .chain(inputs.rules.review.then_some("review"));
        for name in needed.map(key_of) {
            if parsed.get_template(&name).is_err() {
                return Err(TEMPLATE_MISSING.with(&[("name", &name)]));
            }
        }
        if let Err(bad) = Keywords::of(inputs) {
            return Err(broken(&inputs.template_sources, KEYWORDS, &bad));
        }
        let sources = &inputs.template_sources;
        let given = view::shared(inputs);
        let shared = SHARED.held(&inputs.templates, given.clone(), || {
            Ok::<_, Fault>(Message {
                role: ChatRole::System,
                content: render(&parsed, sources, "shared", given)?.into(),
            })
        })?;
        Ok(Self {
            templates: parsed,
            sources: sources.clone(),
            shared,
            memo: Memo::default(),
        })
    }

    /// Builds the request of one call from the state. The same state and call always give the same
    /// bytes.
    ///
    /// # Errors
    /// A template fails, or the call names a member or question that does not exist.
    pub fn request(&self, state: &State, call: &CallId) -> Result<ChatRequest, Fault> {
        let mut messages = vec![Message::clone(&self.shared)];
        messages.extend(self.memo.messages(state, PromptPart::Brief, || {
            Ok(vec![self.user("brief", view::brief(state))?])
        })?);
        if let Some(team) = &state.team {
            self.phases(state, team, call, &mut messages)?;
        } else if call.purpose.is_closing() {
            self.closing(state, call, &mut messages)?;
        } else {
            self.discussion(state, &mut messages)?;
        }
        if let Scope::Debate(_) = call.scope {
            self.debate(state, call, &mut messages)?;
        }
        let mut last = None;
        if is_apart(state, call.purpose) {
            let mut shown = view::Shown::apart(state, call.purpose);
            for index in state.grounding.looks.of_turn(call) {
                let look = view::looked(state, index, &mut shown);
                messages.push(self.user("said", look.clone())?);
                last = Some(look);
            }
        } else if let Some(index) = state.grounding.looks.of_turn(call).last() {
            last = Some(view::looked_in_round(state, index));
        }
        messages.push(self.task(state, call)?);
        if let Some(look) = last {
            let left = MAX_TIMES_LOOKED.saturating_sub(call.look);
            let full = view::is_out_of_room(&look);
            let told =
                json!({"is": "looked_at", "left": left, "full": full, "lines": look["lines"]});
            messages.push(self.user("said", told)?);
        }
        let cut_off = state.grounding.trials.cut_off(call);
        let cut_off: Vec<Value> = cut_off.map(|one| view::cut_off(state, one)).collect();
        if !cut_off.is_empty() {
            messages.push(self.user("said", json!({"is": "lost", "trials": cut_off}))?);
        }
        self.repeated(state, call, &mut messages)?;
        let provider = &state.inputs.model_of(&call.member).provider;
        let usual = state.inputs.rules.limits.max_output_tokens;
        let history = state.calls.troubled.get(&call.first());
        let room = AnswerSize {
            tokens: history.map_or(usual, |history| history.room(usual)),
            han: state.inputs.doc_lang == Lang::Zh,
        };
        let schema = match has_one_form(&state.inputs, provider) {
            true => one_form(room),
            false => {
                let what_for = (call.purpose, call.amends());
                schema_of(state.inputs.format, what_for, provider, room)
            }
        };
        Ok(asked(state, call, messages, schema))
    }

    /// Builds the request for a question that a member's own model answers outside the meeting. It
    /// holds only the question.
    ///
    /// # Errors
    /// The template fails.
    pub fn question(
        &self,
        state: &State,
        call: &CallId,
        question: &str,
    ) -> Result<ChatRequest, Fault> {
        let messages = vec![self.user("ask", json!({"question": question.trim()}))?];
        Ok(asked(state, call, messages, answer_schema()))
    }

    /// Adds the draft and the issues as of the start of the round, then what was said in the round.
    pub(super) fn discussion(
        &self,
        state: &State,
        messages: &mut Vec<Message>,
    ) -> Result<(), Fault> {
        messages.extend(self.memo.messages(state, PromptPart::Draft, || {
            Ok(vec![
                self.user("draft", view::draft(state, state.round > 0))?,
            ])
        })?);
        if state.round > 0 {
            messages.extend(self.memo.messages(state, PromptPart::Agenda, || {
                Ok(vec![self.user("issues", view::agenda(state))?])
            })?);
        } else if state.ledger.open().next().is_some() {
            messages.push(self.user("issues", view::open_issues(state))?);
        }
        // Speeches of a blind round are added only once all of them have arrived.
        for said in &state.discussion.said {
            let render = || self.said(state, *said);
            messages.extend(self.memo.messages(state, PromptPart::Said(*said), render)?);
        }
        Ok(())
    }

    /// Adds a team's plan, the results so far, what the user said, and the progress of the phase
    /// that the call belongs to. Members of one layer do not see each other's work.
    fn phases(
        &self,
        state: &State,
        team: &TeamWork,
        call: &CallId,
        messages: &mut Vec<Message>,
    ) -> Result<(), Fault> {
        messages.push(self.user("draft", view::draft(state, false))?);
        messages.push(self.user("team", view::phases(state, team))?);
        for (phase, result) in team.results() {
            messages.push(self.user("team", view::result(state, phase, result))?);
        }
        for index in 0..state.ending.words.len() {
            messages.extend(self.words(state, index)?);
        }
        if let Some(written) = view::synthesis(state).filter(|_| call.purpose.is_closing()) {
            messages.push(self.user("team", written)?);
        }
        for value in view::earlier_steps(state, team, call) {
            messages.push(self.user("team", value)?);
        }
        Ok(())
    }

    /// One thing that was said, after the line that called for it. Because that line is kept, each
    /// prompt of a round extends the one before it.
    pub(super) fn said(&self, state: &State, said: DiscussionItem) -> Result<Vec<Message>, Fault> {
        let mut messages = Vec::new();
        match said {
            DiscussionItem::Speech(index) => {
                if let Some(record) = state.discussion.speeches.get(index) {
                    messages.extend(self.turn(state, &record.member, record.round, record.turn)?);
                    messages.push(self.user("said", view::speech(state, record))?);
                }
            }
            DiscussionItem::PassedOver(index) => {
                if let Some(record) = state.discussion.passed_over.get(index) {
                    let speakers = state.speakers(record.round);
                    let place = speakers.iter().position(|member| **member == record.member);
                    let turn = place.map_or(0, |index| index as u32 + 1);
                    messages.extend(self.turn(state, &record.member, record.round, turn)?);
                    let code = state.inputs.roles.code(&record.member);
                    messages.push(self.user("said", json!({"is": "passed_over", "code": code}))?);
                }
            }
            DiscussionItem::Look(index) => {
                messages.push(self.user("said", view::looked_in_round(state, index))?);
            }
            DiscussionItem::User(index) => messages.extend(self.words(state, index)?),
            DiscussionItem::Answer(id) => {
                if let Some(question) = state.questions.find(id) {
                    messages.push(self.user("said", view::answer(question))?);
                }
            }
        }
        Ok(messages)
    }

    /// What the user said to all members.
    fn words(&self, state: &State, index: usize) -> Result<Option<Message>, Fault> {
        let words = state.ending.words.get(index);
        words
            .map(|words| self.user("said", view::words(words)))
            .transpose()
    }

    fn turn(
        &self,
        state: &State,
        member: &RoleId,
        round: u32,
        turn: u32,
    ) -> Result<Option<Message>, Fault> {
        let role = state.inputs.roles.find(member.as_str());
        role.map(|role| self.user("turn", view::turn(state, role, round, turn)))
            .transpose()
    }

    /// Adds the whole draft, how the discussion ended, and the documents that the call may cite.
    fn closing(
        &self,
        state: &State,
        call: &CallId,
        messages: &mut Vec<Message>,
    ) -> Result<(), Fault> {
        let (mut common, from) = self.record(state)?;
        common.extend([
            self.user("draft", view::final_draft(state, from))?,
            self.user("closing", view::closing(state))?,
            self.user("issues", view::open_issues(state))?,
        ]);
        messages.extend(
            (0..)
                .zip(common)
                .map(|(n, message)| self.memo.of_closing(n, message)),
        );
        // Add what the user said after the last round.
        for index in &state.ending.unheard {
            messages.extend(self.words(state, *index)?);
        }
        let amends = call.amends();
        for kind in DocumentKind::ALL {
            // Documents written in parallel never see each other: the prompt must not depend on
            // which of them arrived first.
            let needed = match call.purpose {
                Purpose::Document(own) if amends && own == kind => true,
                Purpose::Document(own) => state.document_dag().rests_on(&own, &kind),
                _ => true,
            };
            if let (true, Some(record)) = (needed, state.documents.written.get(&kind)) {
                messages.push(self.written(&record.content, None)?);
            }
        }
        if let (Purpose::Document(kind), Some(previous)) = (call.purpose, &state.task.previous)
            && !amends
            && let Some(document) = previous.documents.get(&kind)
        {
            messages.push(self.written(document, Some(previous.version))?);
        }
        Ok(())
    }

    fn written(
        &self,
        document: &crate::reply::Document,
        version: Option<u32>,
    ) -> Result<Message, Fault> {
        let value = view::written(document, version).map_err(|error| {
            let what = format!("the document: {error}");
            TEMPLATE.with(&[("name", &key_of("written")), ("what", &what)])
        })?;
        self.user("written", value)
    }

    /// The last message: who speaks, and about what.
    fn task(&self, state: &State, call: &CallId) -> Result<Message, Fault> {
        let role = || self.member(state, call);
        if state.inputs.format == Format::Team
            && !call.amends()
            && let Some(task) = view::team_task(state, call)
        {
            return self.user("team", task);
        }
        // Tells the template whether all calls share one answer schema.
        let formed = |mut value: Value| {
            let provider = &state.inputs.model_of(&call.member).provider;
            value["one_form"] = has_one_form(&state.inputs, provider).into();
            value
        };
        match call.purpose {
            Purpose::Step => self.user("team", view::step(state, role()?, call)),
            Purpose::Judgment => self.user("judgment", view::judgment(state)),
            Purpose::Speech => self.user("turn", view::turn(state, role()?, call.round, call.turn)),
            Purpose::Relay => self.user("relay", view::relay(state, question(state, call).ok())),
            Purpose::FollowUp => self.user(
                "follow_up",
                view::follow_up(role()?, question(state, call)?),
            ),
            Purpose::Summary => self.user("summary", view::summary(state)),
            Purpose::Vote => self.user("vote", view::vote(state, role()?)),
            Purpose::Debate(part) => self.user("debate", view::debate_task(state, call, part)),
            Purpose::Document(kind) if !call.amends() => {
                self.user("document", formed(view::document(state, role()?, kind)))
            }
            Purpose::Review | Purpose::Verdict | Purpose::Document(_) => {
                self.user("review", formed(view::review(state, role()?, call)))
            }
            Purpose::Report if call.amends() && state.team.is_some() => {
                self.user("review", view::review(state, role()?, call))
            }
            Purpose::Report => {
                let what = if state.writes_one_text() {
                    "plan"
                } else {
                    "report"
                };
                self.user(what, formed(view::report(state)))
            }
        }
    }

    /// After a rejected reply, adds the reply, what is wrong with it, and the request to answer
    /// again.
    fn repeated(
        &self,
        state: &State,
        call: &CallId,
        messages: &mut Vec<Message>,
    ) -> Result<(), Fault> {
        let history = state.calls.troubled.get(&call.first());
        if let (true, Some((nudge, reply))) = (
            call.attempt > 1,
            history.and_then(|h| h.last_nudged.as_ref()),
        ) {
            messages.extend(earlier(reply));
            // The nudge is sent unchanged: it is the workspace's own text.
            messages.push(Message {
                role: ChatRole::User,
                content: format!("{}\n", nudge.trim()).into(),
            });
            return Ok(());
        }
        let rejected = history.and_then(|history| history.last_rejected.as_ref());
        let (true, Some((reason, reply))) = (call.attempt > 1, rejected) else {
            return Ok(());
        };
        if history.is_some_and(CallHistory::only_needs_room) {
            return Ok(());
        }
        messages.extend(earlier(reply));
        let cut = history.is_some_and(|history| history.last_cut);
        let reason = recorded::translated(reason, state.inputs.doc_lang);
        let value = json!({"reason": text::for_model(&reason), "cut": cut});
        messages.push(self.user("retry", value)?);
        Ok(())
    }

    fn member<'a>(&self, state: &'a State, call: &CallId) -> Result<&'a RoleSpec, Fault> {
        let found = state.inputs.roles.find(call.member.as_str());
        found.ok_or_else(|| unknown(call, &format!("the member `{}`", call.member)))
    }

    pub(super) fn user(&self, name: &str, value: Value) -> Result<Message, Fault> {
        Ok(Message {
            role: ChatRole::User,
            content: self.render(name, value)?.into(),
        })
    }

    fn render(&self, name: &str, value: Value) -> Result<String, Fault> {
        render(&self.templates, &self.sources, name, value)
    }
}

/// The request that puts these messages to the model of a call.
fn asked(
    state: &State,
    call: &CallId,
    messages: Vec<Message>,
    schema: AnswerSchema,
) -> ChatRequest {
    let model = state.inputs.model_of(&call.member);
    let usual = state.inputs.rules.limits.max_output_tokens;
    ChatRequest {
        call: call.clone(),
        model: model.model.clone(),
        messages,
        schema,
        max_output_tokens: state.calls.output_limit(call, &model.model, usual),
        temperature: model.temperature,
        seed: model.seed,
        known: state.calls.known(&model.provider, &model.model),
    }
}

pub(super) fn render(
    templates: &Environment<'_>,
    sources: &BTreeMap<String, String>,
    name: &str,
    value: Value,
) -> Result<String, Fault> {
    let key = key_of(name);
    let rendered = templates
        .get_template(&key)
        .and_then(|template| bounded::render(&template, minijinja::Value::from(Serde(&value))))
        .map_err(|error| broken(sources, &key, &error))?;
    Ok(format!("{}\n", rendered.trim()))
}

/// Parses the prompt templates.
pub(super) fn parsed(
    all: &Templates,
    sources: &BTreeMap<String, String>,
) -> Result<Environment<'static>, Fault> {
    let mut templates = Environment::new();
    templates.set_auto_escape_callback(|_| AutoEscape::None);
    templates.set_undefined_behavior(UndefinedBehavior::Strict);
    // So that an error names what is undefined.
    templates.set_debug(true);
    let syntax = SyntaxConfig::builder()
        .trim_blocks(true)
        .lstrip_blocks(true)
        .build();
    templates.set_syntax(syntax.unwrap_or_default());
    templates.set_fuel(Some(FUEL));
    bounded::bound(&mut templates, |_, value, out| write!(out, "{value}"));
    let fence = |value: String, label: String| text::fence(&value, &label);
    bounded::add_filter(&mut templates, "fence", Function::from_function(fence));
    let quote = |value: String| text::quote(&value);
    bounded::add_filter(&mut templates, "quote", Function::from_function(quote));
    let prompts = all.iter().filter(|(key, _)| key.starts_with("prompt/"));
    let prompts = prompts.map(|(key, source)| (key.as_str(), source.as_str()));
    bounded::add_templates(&mut templates, prompts)
        .map_err(|(key, error)| broken(sources, &key, &error))?;
    Ok(templates)
}

/// The error for a template that is malformed or uses something undefined.
fn broken(sources: &BTreeMap<String, String>, key: &str, error: &dyn Display) -> Fault {
    let source = sources.get(key).map_or("built-in", String::as_str);
    let what = format!("{source}: {error}");
    TEMPLATE.with(&[("name", &key), ("what", &what)])
}

/// A model's earlier answer; `None` if nothing of it is left after cleaning, because providers
/// reject an empty message.
fn earlier(reply: &str) -> Option<Message> {
    let content: String = text::for_model(reply).chars().take(MAX_REJECTED).collect();
    (!content.is_empty()).then(|| Message {
        role: ChatRole::Assistant,
        content: content.into(),
    })
}

fn key_of(name: &str) -> String {
    format!("prompt/{name}.j2")
}

fn question<'a>(state: &'a State, call: &CallId) -> Result<&'a Question, Fault> {
    let found = match call.scope {
        Scope::Question(n) => state.questions.find(QuestionId(n)),
        Scope::Root | Scope::Debate(_) | Scope::Phase(_) => None,
    };
    found.ok_or_else(|| unknown(call, "a question"))
}

/// The error for a call that names a member or question that the run does not have.
fn unknown(call: &CallId, what: &str) -> Fault {
    let what = format!("the call `{call}` names {what}, which this run does not have");
    INTERNAL.with(&[("what", &what)])
}
