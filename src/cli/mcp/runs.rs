//! The work of the tools, each with the functions of the command of its name. All of it blocks.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use rmcp::model::ElicitRequestParams;

use super::ask;
use super::tools::{
    self, AnsweredDocument, CheckedDocument, NextDocument, ResultDocument, RunDocument,
    RunsDocument,
};
use crate::cli::answer::{self, GivenAnswer};
use crate::cli::comment::CommentDocument;
use crate::cli::order::{self, RunTask};
use crate::cli::questions;
use crate::cli::reply::{self, ReplyArgs};
use crate::cli::requirement::REQUIREMENT;
use crate::cli::run_flags::RunFlags;
use crate::cli::status::{AllRuns, RunStanding};
use crate::cli::threads::{self, NewComment};
use crate::cli::versions::{self, Opened};
use crate::cli::why::{self, WhyArgs, WhyDocument};
use crate::cli::{
    Context, Exit, Fault, against, check, detached, internal, next, requirement, revise, show,
};
use crate::edge::locked;
use crate::edge::process::Launched;
use crate::edge::store::by_hand::is_name;
use crate::fault::plans::QUESTION_NONE;
use crate::fault::{texts, values};
use crate::machine::{QuestionId, Stage, Version};
use crate::thread::ThreadReply;
use crate::ui::view::{self, QuestionsDocument, Style};

/// Interval at which a run is read while a call waits for it.
pub(super) const LOOK: Duration = Duration::from_millis(250);
/// Maximum number of reads of a call that continues a run: clients cut calls at about a minute.
pub(super) const LOOKS: u32 = 20;

texts! {
    EXAMPLE: "give `requirement` or `feedback` in the user's words", "请用用户的话给出 `requirement` 或 `feedback`";
    STAGE: "{n}: {stage}, round {round}", "{n}：{stage}，第 {round} 轮";
}

/// A workspace, and the processes of this server that work on its runs.
#[derive(Clone)]
pub struct Workspace {
    context: Arc<Context>,
    processes: Arc<Mutex<BTreeMap<Version, Process>>>,
}

/// A process started here.
enum Process {
    /// It may still work.
    Begun(Launched),
    /// It has ended; its output if it failed.
    Ended(Option<String>),
}

/// The status of a run at one moment.
pub struct RunSnapshot {
    /// The document, with the prompt to reply to, if one waits.
    pub told: NextDocument,
    /// Its progress in a few words.
    pub stage: String,
}

impl RunSnapshot {
    /// Returns whether the client or user can do something now: read the result, answer, reply.
    pub fn is_due(&self) -> bool {
        let run = &self.told.run;
        self.told.prompt.is_some() || run.published || !run.status.waiting.is_empty()
    }

    /// Returns whether a process works on it.
    pub fn runs(&self) -> bool {
        self.told.run.running
    }

    /// Returns the number of finished calls, as progress without a known end.
    pub fn done(&self) -> u64 {
        let calls = &self.told.run.status.calls;
        calls.answered + calls.failed + calls.rejected
    }
}

impl Workspace {
    /// Creates it with the context of the command line, without a terminal; stdout is the client's.
    pub fn of(context: &Context) -> Self {
        let mut context = context.clone();
        context.global.quiet = true;
        context.global.no_input = true;
        Self {
            context: Arc::new(context),
            processes: Arc::default(),
        }
    }

    /// Returns the context of the commands.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// Starts a plan.
    pub fn start(&self, asked: tools::Start) -> Result<RunDocument, Fault> {
        let mut flags = flags(asked.by_hand);
        flags.light = asked.light;
        if asked.assume {
            flags.questions.questions = Some("assume".to_owned());
        }
        let text = requirement::present(REQUIREMENT, asked.requirement, EXAMPLE)?;
        let work = order::parse_task(text, &mut flags)?;
        self.begin(work, &flags)
    }

    /// Starts a revision.
    pub fn revise(&self, asked: tools::Revise) -> Result<RunDocument, Fault> {
        let work = revise::work(asked.id, asked.feedback, asked.decide, &self.context)?;
        self.begin(work, &flags(asked.by_hand))
    }

    fn begin(&self, work: RunTask, flags: &RunFlags) -> Result<RunDocument, Fault> {
        let run = detached::begin(work, flags, &self.context)?;
        self.take_up(run)?;
        self.run(run)
    }

    /// Continues a run, unless a process works on it.
    pub fn take_up(&self, run: Version) -> Result<(), Fault> {
        if self.is_worked_on(run)? || versions::is_running(run, &self.context)? {
            return Ok(());
        }
        let launched = detached::take_up(run, &self.context)?;
        self.processes().insert(run, Process::Begun(launched));
        Ok(())
    }

    /// Returns whether a process started here works on it.
    fn is_worked_on(&self, run: Version) -> Result<bool, Fault> {
        let mut processes = self.processes();
        let Some(Process::Begun(launched)) = processes.get_mut(&run) else {
            return Ok(false);
        };
        let Some((code, said)) = launched.ended().map_err(|error| internal(&error.into()))? else {
            return Ok(true);
        };
        // The run itself reports waiting questions and its publication.
        let ends_well = [Exit::Done, Exit::Unresolved, Exit::UserNeeded];
        let ends_well = ends_well.map(|exit| Some(i32::from(exit.code())));
        let said = (!ends_well.contains(&code)).then(|| said.trim().to_owned());
        processes.insert(run, Process::Ended(said));
        Ok(false)
    }

    fn processes(&self) -> MutexGuard<'_, BTreeMap<Version, Process>> {
        locked(&self.processes)
    }

    /// Returns the status of one run.
    pub fn run(&self, run: Version) -> Result<RunDocument, Fault> {
        // Checked before reading, so that the status of a run that has ended is its last one.
        let works = self.is_worked_on(run)?;
        self.run_document(works, versions::open(Some(run), &self.context)?)
    }

    fn run_document(&self, works: bool, opened: Opened) -> Result<RunDocument, Fault> {
        let standing = RunStanding::of(opened, &self.context)?;
        let opened = &standing.opened;
        let status = standing.document(&self.context);
        let running = opened.draft && (works || standing.runs);
        let said = match self.processes().get(&opened.version) {
            Some(Process::Ended(said)) if opened.draft && !running => said.clone(),
            _ => None,
        };
        let next = match () {
            () if !opened.draft || opened.state.stage == Stage::Published => "plan_result",
            () if !status.waiting.is_empty() => "plan_questions",
            () if running && status.by_hand.is_empty() => "plan_status",
            () => "plan_next",
        };
        Ok(RunDocument {
            id: opened.version.to_string(),
            running,
            published: !opened.draft,
            agreed: status.agreed,
            next,
            said,
            status,
        })
    }

    /// Returns the status of all runs.
    pub fn all(&self) -> Result<RunsDocument, Fault> {
        let all = AllRuns::of(&self.context)?;
        let runs = all.unfinished.into_iter().map(|standing| {
            let works = self.is_worked_on(standing.opened.version)?;
            self.run_document(works, standing.opened)
        });
        Ok(RunsDocument {
            runs: runs.collect::<Result<_, _>>()?,
            versions: all.lines,
        })
    }

    /// Returns the status of one run, with the waiting prompt.
    pub fn look(&self, run: Version) -> Result<RunSnapshot, Fault> {
        let works = self.is_worked_on(run)?;
        let opened = versions::open(Some(run), &self.context)?;
        let prompt = match opened.draft && !works {
            true => next::unanswered(&opened, &self.context)?,
            false => None,
        };
        let lang = self.context.lang(None);
        let (stage, round) = (view::stage(&opened.state, lang), opened.state.round);
        let stage = STAGE.with(lang, values![n = opened.version, stage, round]);
        let run = self.run_document(works, opened)?;
        let told = NextDocument { run, prompt };
        Ok(RunSnapshot { told, stage })
    }

    /// Returns the waiting questions of a run.
    pub fn questions(&self, asked: tools::Run) -> Result<QuestionsDocument, Fault> {
        questions::document(&versions::open(Some(asked.id), &self.context)?)
    }

    /// Returns the form for a waiting question, the first if none is named.
    ///
    /// # Errors
    /// It is not waiting, or the run cannot be read.
    pub fn form(
        &self,
        run: Version,
        question: Option<QuestionId>,
    ) -> Result<(QuestionId, ElicitRequestParams), Fault> {
        let opened = versions::open(Some(run), &self.context)?;
        let style = Style {
            color: false,
            plain: true,
            ..self.context.style(self.context.lang(None))
        };
        let waiting = self.run(run)?.status.waiting;
        let mut asked = opened.state.questions.waiting();
        let asked = asked.find(|one| match question {
            Some(id) => id == one.id,
            None => waiting.contains(&one.id),
        });
        let asked = asked.ok_or_else(|| match question {
            Some(id) => answer::not_waiting(&opened, id),
            None => QUESTION_NONE.with(&[]),
        })?;
        Ok((asked.id, ask::form(&opened.state, asked, &style)?))
    }

    /// Sends an answer, and continues the run if no answer is missing any more.
    pub fn answer(
        &self,
        run: Version,
        question: Option<QuestionId>,
        said: &GivenAnswer,
    ) -> Result<AnsweredDocument, Fault> {
        answer::deliver(Some(run), question, said, &self.context)?;
        if self.run(run)?.status.waiting.is_empty() {
            self.take_in(run)?;
        }
        self.answered(run, true)
    }

    /// Makes a run read its messages. The process that asked the question may be about to end, and
    /// may have looked for answers before this one came.
    fn take_in(&self, run: Version) -> Result<(), Fault> {
        for _ in 0..LOOKS {
            self.take_up(run)?;
            let stands = self.run(run)?;
            if stands.status.answered.is_empty() || stands.said.is_some() {
                break;
            }
            std::thread::sleep(LOOK);
        }
        Ok(())
    }

    /// Returns the status of the run after a question.
    pub fn answered(&self, run: Version, answered: bool) -> Result<AnsweredDocument, Fault> {
        let run = self.run(run)?;
        Ok(AnsweredDocument { run, answered })
    }

    /// Writes a reply in the name of `client`, and continues the run if it was the last one
    /// missing.
    pub fn reply(&self, asked: tools::Reply, client: Option<String>) -> Result<(), Fault> {
        let text = match asked.reply {
            serde_json::Value::String(text) => text,
            object => object.to_string(),
        };
        let args = ReplyArgs {
            number: Some(asked.number),
            file: None,
            by: client.filter(|name| is_name(name)),
            run: Some(asked.id),
        };
        let document = reply::handed_in(&args, text.into_bytes(), &self.context)?;
        match document.waiting.is_empty() {
            true => self.take_up(asked.id),
            false => Ok(()),
        }
    }

    /// Returns a part of a version.
    pub fn result(&self, asked: tools::Result) -> Result<ResultDocument, Fault> {
        let opened = versions::open(Some(asked.id), &self.context)?;
        let file = show::file(&opened, asked.part.part())?;
        let content = serde_json::from_str(&file).ok();
        Ok(ResultDocument {
            id: opened.version.to_string(),
            agreed: opened.state.ending.is_agreed(),
            stop: opened.state.ending.stop.as_ref().map(|stop| stop.reason),
            text: content.is_none().then_some(file),
            content,
        })
    }

    /// Returns where an item comes from.
    pub fn why(&self, asked: tools::Why) -> Result<WhyDocument, Fault> {
        let args = WhyArgs {
            id: asked.item,
            version: asked.id,
        };
        why::traced(&args, &self.context)
    }

    /// Checks a version.
    pub fn check(&self, asked: tools::Check) -> Result<CheckedDocument, Fault> {
        let opened = versions::open_plan_to_judge(asked.id, &self.context)?;
        let (check, against) = match &asked.against {
            None => (
                Some(check::checked(&opened, asked.strict, &self.context)?),
                None,
            ),
            Some(range) => {
                let against = against::compared(&opened, range, asked.strict, &self.context)?;
                (None, Some(against))
            }
        };
        Ok(CheckedDocument { check, against })
    }

    /// Comments in the name of `client`, or lists the threads.
    pub fn comment(
        &self,
        asked: tools::Comment,
        client: Option<String>,
    ) -> Result<CommentDocument, Fault> {
        let version = Some(asked.id);
        let threads = match (asked.text, asked.thread) {
            (None, None) => threads::list(version, &self.context)?,
            (text, Some(thread)) => {
                let reply = ThreadReply {
                    author: client.unwrap_or_default(),
                    text: text.unwrap_or_default(),
                    ..ThreadReply::default()
                };
                vec![threads::reply(version, &thread, reply, &self.context)?]
            }
            (Some(text), None) => {
                let new = NewComment {
                    item: asked.item,
                    quote: asked.quote,
                    text,
                    blocking: asked.blocking,
                    author: client,
                };
                vec![threads::add(version, new, &self.context)?]
            }
        };
        Ok(CommentDocument {
            version: asked.id.to_string(),
            threads,
        })
    }
}

/// Returns the flags of a run: the user's own configuration says who answers, unless the client
/// does.
fn flags(by_hand: bool) -> RunFlags {
    let mut flags = RunFlags::default();
    flags.models.provider = by_hand.then(|| "hand".to_owned());
    flags
}
