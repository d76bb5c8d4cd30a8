//! From an order to a run: assets, model, draft, driver, and what is said at its end.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::json;
use tokio::sync::watch;

use super::hold::{Order, Work};
use super::models::{Models, models_again, models_for, redactor};
use super::watcher::Watcher;
use super::{CliError, Context, Exit, open};
use crate::artifact::{self, Answer, Renderer};
use crate::driver::{DriverError, Outcome, Ports, Session};
use crate::edge::assets::{self, AssetError};
use crate::edge::clock::SystemClock;
use crate::edge::human::{Respondent, StandardTerminal};
use crate::edge::inbox::{Inbox, MessageBody};
use crate::edge::journal;
use crate::edge::knowledge;
use crate::edge::lock::RunLock;
use crate::edge::model::{Backoff, Found};
use crate::edge::ports::HumanAnswer;
use crate::edge::redact::Redactor;
use crate::edge::store::{Outputs, Problem, verify};
use crate::prompt::Prompter;
use crate::view;
use crate::workshop::{
    AnswerSource, Event, Inputs, Lang, ModelChoice, Previous, QuestionId, QuestionMode, State,
    StopReason, Survey, split_feedback,
};

const TOOL: &str = env!("CARGO_PKG_VERSION");

type Interrupt = watch::Receiver<Option<i32>>;

/// Holds the workshop of `order` and prints where its version is.
pub async fn hold(order: Order, context: &Context, interrupt: Interrupt) -> Result<Exit, CliError> {
    if order.dry_run {
        return Err(CliError::not_wired("plan --dry-run"));
    }
    let outputs = Outputs::at(open::files(), &context.root);
    let clock = SystemClock::new();
    let lang = context.lang(Some(&order.config));
    match &order.work {
        Work::Resumption {
            version,
            accept_drift,
        } => {
            let found = unfinished(*version, context)?;
            let _lock = RunLock::acquire(&outputs.lock_path(found.version))?;
            let opened = open::read(found.clone(), context)?;
            let drift = accepted_drift(&opened.state, *accept_drift, context)?;
            let models = models_again(&order, &opened.state.inputs, context).await?;
            let mut ready = inbox(&found.folder, &opened.state)?;
            ready.extend(questions_file(&found.folder, &opened.state)?);
            let draft = outputs.open_draft(found.version)?;
            let mut edge = Edge::new(&order, ready, context, lang);
            let mut ports = edge.ports(&clock, &models, interrupt);
            let (session, torn) = Session::resume(open::files(), draft, TOOL, drift, &ports)?;
            if let Some(torn) = torn {
                let kept = torn
                    .kept
                    .map(|kept| open::shown(&kept, context))
                    .unwrap_or_default();
                ports.observer.notice(&format!(
                    "a torn line of {} bytes was cut and kept in {kept}",
                    torn.bytes
                ));
            }
            let outcome = session.run(&mut ports).await?;
            told(outcome, context, lang)
        }
        Work::New { .. } | Work::Revision { .. } => {
            let about = about(&order.work, context)?;
            let doc_lang = order.config.doc_lang.unwrap_or(about.lang);
            let assets = assets::load(&context.root, doc_lang, order.config.roles.as_deref())?;
            let (found, models) = models_for(&order, context).await?;
            let mut inputs = inputs(&order, assets, doc_lang, &found)?;
            // What cannot be used is found before anything is written.
            Prompter::new(&inputs).map_err(DriverError::from)?;
            Renderer::new(&inputs)?;
            let draft = outputs.take()?;
            let _lock = RunLock::acquire(&outputs.lock_path(draft.version()))?;
            inputs.version = draft.version();
            let first = user_input(about, inputs, &redactor(&order.config, context));
            let mut edge = Edge::new(&order, Vec::new(), context, lang);
            let mut ports = edge.ports(&clock, &models, interrupt);
            let session = Session::begin(open::files(), draft, first, &ports)?;
            let outcome = session.run(&mut ports).await?;
            told(outcome, context, lang)
        }
    }
}

/// What a run is about: the requirement, and what it revises.
struct About {
    requirement: String,
    previous: Option<Previous>,
    feedback: String,
    lang: Lang,
}

fn about(work: &Work, context: &Context) -> Result<About, CliError> {
    match work {
        Work::New { requirement } => Ok(About {
            lang: Lang::of(requirement),
            requirement: requirement.clone(),
            previous: None,
            feedback: String::new(),
        }),
        Work::Revision { from, feedback } => {
            let opened = open::read(open::find_published(*from, context)?, context)?;
            untampered(&opened)?;
            let transcript = opened.folder.join(journal::TRANSCRIPT);
            let (_, head) = journal::chain_head(open::files().as_ref(), &transcript)?;
            Ok(About {
                requirement: opened.state.requirement.clone(),
                previous: Some(Previous::of(&opened.state, &head)),
                feedback: feedback.clone(),
                lang: opened.state.inputs.doc_lang,
            })
        }
        Work::Resumption { .. } => Err(CliError::not_wired("resume")),
    }
}

/// Is the transcript of a published version the one that was published? A cut at
/// a line's end shows only against the manifest.
fn untampered(opened: &open::Opened) -> Result<(), CliError> {
    let report = verify(open::files().as_ref(), &opened.folder)?;
    let tampered = report
        .problems
        .iter()
        .find(|one| matches!(one, Problem::Manifest { .. } | Problem::Transcript { .. }));
    tampered.map_or(Ok(()), |problem| {
        Err(CliError::new(
            Exit::Damaged,
            format!("{}: {problem}", opened.path),
            "a version is revised as it was published, or not at all",
            format!("git checkout -- {}", opened.path),
        ))
    })
}

fn user_input(about: About, inputs: Inputs, redactor: &Redactor) -> Event {
    let counters = about
        .previous
        .as_ref()
        .map(|previous| previous.counters.clone());
    let feedback = split_feedback(
        &redactor.redact(&about.feedback),
        &counters.unwrap_or_default(),
    );
    Event::UserInput {
        content: redactor.redact(&about.requirement),
        run_id: crate::edge::env::new_run_id(),
        inputs: Box::new(inputs),
        from: about.previous.map(Box::new),
        feedback,
    }
}

fn inputs(
    order: &Order,
    assets: assets::Assets,
    doc_lang: Lang,
    found: &Found,
) -> Result<Inputs, CliError> {
    let config = &order.config;
    let choice = |model: &str| ModelChoice {
        provider: found.provider.clone(),
        model: model.to_owned(),
        temperature: None,
        seed: order.seed,
    };
    let mut role_models = BTreeMap::new();
    for (name, model) in &config.role_models {
        let role = assets.roles.find(name).ok_or_else(|| {
            let codes: Vec<_> = assets
                .roles
                .members
                .iter()
                .map(|role| role.code.as_str())
                .collect();
            CliError::usage(
                format!("there is no role `{name}` for the model `{model}`"),
                "",
                format!("use one of {}", codes.join(", ")),
            )
        })?;
        role_models.insert(role.id.to_string(), choice(model));
    }
    Ok(Inputs {
        tool: TOOL.to_owned(),
        // The draft gives the number.
        version: 0,
        doc_lang,
        roles: assets.roles,
        templates: assets.templates,
        template_sources: assets.template_sources,
        limits: config.limits.clone(),
        questions: order.questions,
        first_round: config.first_round,
        order: config.order,
        light: order.light,
        model: choice(&found.model),
        role_models,
        commit: None,
    })
}

/// The draft to go on with: the one named, else the only one.
fn unfinished(version: Option<u32>, context: &Context) -> Result<open::Found, CliError> {
    let mut drafts: Vec<_> = open::find_all(context)?
        .into_iter()
        .filter(|found| found.draft && version.is_none_or(|n| n == found.version))
        .collect();
    if drafts.len() > 1 {
        let names: Vec<_> = drafts
            .iter()
            .map(|one| format!("v{}", one.version))
            .collect();
        return Err(CliError::usage(
            format!("several runs are unfinished: {}", names.join(", ")),
            "one of them must be named",
            format!("aitc resume {}", names[0]),
        ));
    }
    drafts.pop().ok_or_else(|| {
        CliError::usage(
            "there is no unfinished run",
            "a published version is complete",
            "aitc list",
        )
    })
}

fn accepted_drift(state: &State, accept: bool, context: &Context) -> Result<Vec<String>, CliError> {
    let now = assets::load(&context.root, state.inputs.doc_lang, None)?;
    let drift = assets::drift(&state.inputs, &now);
    if drift.is_empty() || accept {
        return Ok(drift);
    }
    Err(CliError::new(
        Exit::Damaged,
        format!("inputs changed since the run began: {}", drift.join("; ")),
        "a run is held with what it began with, not with a mixture",
        "aitc resume --accept-drift goes on with the old ones; aitc plan begins anew with the new ones",
    ))
}

/// Answers that `aitc answer` left in the draft's inbox. A message stays until
/// the record has it; one that is in the record is deleted here.
fn inbox(folder: &Path, state: &State) -> Result<Vec<HumanAnswer>, CliError> {
    let inbox = Inbox::at(open::files(), folder);
    let mut answers = Vec::new();
    for message in inbox.receive()?.messages {
        if state.messages.contains(&message.id) {
            inbox.delete(&message.id)?;
            continue;
        }
        if let MessageBody::Answer {
            question,
            text,
            recommended,
            declined,
        } = message.body
        {
            let source = match (recommended, declined) {
                (true, _) => AnswerSource::Recommended,
                (_, true) => AnswerSource::Declined,
                _ => AnswerSource::Command,
            };
            answers.push(HumanAnswer {
                question,
                text,
                source,
                message: Some(message.id),
            });
        }
    }
    Ok(answers)
}

/// Answers filled in by hand in the draft's `questions.md`.
fn questions_file(folder: &Path, state: &State) -> Result<Vec<HumanAnswer>, CliError> {
    let path = folder.join("questions.md");
    let Ok(bytes) = open::files().read(&path) else {
        return Ok(Vec::new());
    };
    let fault = |what: String| {
        let fix = "edit the file at that line, then run aitc resume";
        CliError::new(
            Exit::Config,
            what,
            "answers are used as they stand, or not at all",
            fix,
        )
    };
    let text = String::from_utf8(bytes)
        .map_err(|_| fault("questions.md:1: not valid UTF-8".to_owned()))?;
    let read = artifact::read_questions(&text)
        .map_err(|error| fault(format!("questions.md:{}: {}", error.line, error.what)))?;
    let waits = |id: &QuestionId| state.waiting_questions().any(|question| question.id == *id);
    let answers = read
        .into_iter()
        .filter(|(id, _)| waits(id))
        .map(|(question, answer)| {
            let (text, source) = match answer {
                Answer::Text(text) => (text, AnswerSource::QuestionsFile),
                Answer::Recommended => (String::new(), AnswerSource::Recommended),
                Answer::Declined => (String::new(), AnswerSource::Declined),
            };
            HumanAnswer {
                question,
                text,
                source,
                message: None,
            }
        });
    Ok(answers.collect())
}

/// Human and observer of one run.
struct Edge {
    human: Respondent,
    watcher: Watcher,
    survey: Box<dyn Fn(&State) -> Survey + Sync>,
    redact: Box<dyn Fn(&str) -> String + Sync>,
}

impl Edge {
    fn new(order: &Order, ready: Vec<HumanAnswer>, context: &Context, lang: Lang) -> Self {
        let style = context.style(lang);
        let answers = order.answers.clone();
        let human = match order.questions {
            QuestionMode::Ask => Respondent::at(Box::new(StandardTerminal), answers, ready, style),
            QuestionMode::Pause => Respondent::absent(answers, ready, style),
            QuestionMode::Assume => Respondent::absent(answers, ready, style).assuming(),
        };
        Self {
            human,
            watcher: Watcher::new(context, style),
            survey: {
                let root = context.root.clone();
                let folders = order.config.knowledge.iter();
                let folders: Vec<PathBuf> =
                    folders.map(|dir| context.path(Path::new(dir))).collect();
                Box::new(move |state| knowledge::survey(&root, &folders, &state.requirement))
            },
            redact: {
                let redactor = redactor(&order.config, context);
                Box::new(move |text| redactor.redact(text))
            },
        }
    }

    fn ports<'a>(
        &'a mut self,
        clock: &'a SystemClock,
        models: &'a Models,
        interrupt: Interrupt,
    ) -> Ports<'a> {
        Ports {
            clock,
            models,
            human: &mut self.human,
            observer: &mut self.watcher,
            survey: &self.survey,
            redact: &self.redact,
            backoff: Backoff::default(),
            interrupt,
        }
    }
}

/// Says how the process left the run, and with which code to end.
fn told(outcome: Outcome, context: &Context, lang: Lang) -> Result<Exit, CliError> {
    match outcome {
        Outcome::Published {
            path,
            version,
            stop,
        } => {
            let opened = open::read(open::find_published(Some(version), context)?, context)?;
            let shown = open::shown(&path, context);
            if !context.global.quiet && !context.format().is_json() {
                context.show(&view::closing(&opened.state, &shown, &context.style(lang)));
            }
            let document = json!({
                "v": 1, "version": version, "path": shown, "agreed": opened.state.is_agreed(),
                "status": view::status_json(&opened.state, &shown),
            });
            context.print(&shown, &document)?;
            Ok(if stop == StopReason::Consensus {
                Exit::Done
            } else {
                Exit::Unresolved
            })
        }
        Outcome::NeedsHuman { file, questions } => {
            let names: Vec<_> = questions.iter().map(ToString::to_string).collect();
            Err(CliError::new(
                Exit::HumanNeeded,
                format!(
                    "{} wait{} for you",
                    names.join(", "),
                    if names.len() == 1 { "s" } else { "" }
                ),
                "only a human can answer; everything so far is kept",
                format!(
                    "fill in {} or use aitc answer {} \"…\", then aitc resume",
                    open::shown(&file, context),
                    names[0]
                ),
            ))
        }
        Outcome::ProviderUnavailable { call, detail } => Err(CliError::new(
            Exit::Provider,
            format!("the provider cannot be had: {detail}"),
            format!("`{call}` failed too often; everything so far is kept"),
            "aitc resume",
        )),
        Outcome::UnusableReply { call, detail } => Err(CliError::new(
            Exit::Unusable,
            format!("the model's replies are unusable: {detail}"),
            format!("`{call}` was asked again in vain; the raw replies are in the transcript"),
            "aitc resume, or aitc plan with another --model",
        )),
        Outcome::Interrupted { signal } => {
            context.notice("interrupted; `aitc resume` goes on");
            Ok(if signal == 15 {
                Exit::Terminated
            } else {
                Exit::Interrupted
            })
        }
    }
}

impl From<AssetError> for CliError {
    fn from(error: AssetError) -> Self {
        Self::new(
            Exit::Config,
            error.to_string(),
            "roles and templates are used as they stand, or not at all",
            "correct the file, or remove it to use the built-in one; then run the command again",
        )
    }
}

impl From<DriverError> for CliError {
    fn from(error: DriverError) -> Self {
        let exit = match error {
            DriverError::Journal(error) => return error.into(),
            DriverError::Store(error) => return error.into(),
            DriverError::Artifact(error) => return error.into(),
            DriverError::Prompt(_) | DriverError::Offline(_) | DriverError::Answers(_) => {
                Exit::Config
            }
            DriverError::NoProvider(_) => Exit::Credentials,
            DriverError::EmptyJournal => Exit::Damaged,
            DriverError::Illegal(_) => Exit::Internal,
        };
        let fix = match error {
            DriverError::Prompt(_) | DriverError::Offline(_) => {
                "correct the file below .ai-tools-chain/templates, or remove it; then begin anew"
            }
            DriverError::NoProvider(_) => {
                "name it with AITC_PROVIDER and set its key, then aitc resume"
            }
            _ => "",
        };
        Self::new(exit, error.to_string(), "", fix)
    }
}
