//! `aitc demo`: makes two versions of a plan from answers that were written beforehand.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;
use tokio::sync::watch;

use super::check::{self, CheckArgs};
use super::diff::{self, DiffArgs};
use super::hints::word;
use super::interrupt::run_until_interrupted;
use super::launch::{self, RunResources};
use super::order::{Order, Playback, RunTask};
use super::outcome::report_outcome;
use super::{Context, Exit, Fault, versions, watcher};
use crate::config::{Config, Layer};
use crate::driver::Outcome;
use crate::edge::fs::failed;
use crate::edge::model::Scripted;
use crate::fault::line::DEMO_FOLDER;
use crate::fault::{texts, values};
use crate::machine::{Format, Lang, QuestionMode, StopReason, Version};
use crate::ui::demo::{self, ANSWERS, DemoInput};
use crate::ui::human::Answers;
use crate::ui::view;

/// Watch two versions of a plan being made from prepared answers: no key, no network
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  aitc demo\n  aitc demo --lang zh\n  aitc demo --out tour")]
pub struct DemoArgs {
    /// Where to write it: a new or empty folder
    #[arg(long, value_name = "DIR", default_value = "aitc-demo")]
    out: PathBuf,
}

texts! {
    NOT_EMPTY: "it is not empty", "该目录不为空";
    NO_FOLDER: "it is not a folder", "它不是目录";
}

/// How long an answer takes if somebody watches it arrive.
const ANSWER: Duration = Duration::from_millis(30);

/// What `demo` prints.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DemoDocument {
    /// The folder everything is in.
    pub path: String,
    /// Folders of the two versions, as `plan` prints them.
    pub versions: Vec<String>,
    /// Always 0; another end is a document of its own.
    pub exit_code: u8,
}

/// Runs two workshops with the machine of every other run; only answers, requirement, feedback and
/// repository are prepared.
///
/// Configuration and variables are ignored, so it is the same everywhere.
pub fn run(args: &DemoArgs, context: &Context) -> Result<Exit, Fault> {
    let lang = context.lang(None);
    let fs = versions::file_system();
    let folder = context.path(&args.out);
    demo::empty_folder(fs.as_ref(), &folder)
        .map_err(|error| folder_fault(&args.out, error, context))?;
    let scene = demo::load(lang, &word(&args.out.to_string_lossy()))?;
    demo::lay_out(fs.as_ref(), lang, &folder)?;
    let stage = Stage {
        inside: context.within(&folder)?,
        delay: watcher::draws(context, context.style(lang)).then_some(ANSWER),
        lang,
    };
    stage.say(&view::demo_notice(&context.style(lang)));
    stage.print_command(&format!("cd {}", word(&args.out.to_string_lossy())));
    run_until_interrupted(|interrupt| stage.play(scene, folder, interrupt))
}

/// Folder and style of the demonstration.
struct Stage {
    inside: Context,
    delay: Option<Duration>,
    lang: Lang,
}

impl Stage {
    /// Runs two workshops, then the commands that one uses between two versions.
    async fn play(
        &self,
        scene: DemoInput,
        folder: PathBuf,
        interrupt: watch::Receiver<Option<i32>>,
    ) -> Result<Exit, Fault> {
        let DemoInput {
            requirement,
            feedback,
            answers,
            scripts: [first, second],
            steps,
        } = scene;
        self.print_command(&format!(
            "aitc plan \"{requirement}\" --answers {ANSWERS} --questions assume"
        ));
        let plan = RunTask::New {
            requirement,
            format: Format::Workshop,
        };
        let exit = self.run(plan, answers, first, interrupt.clone()).await?;
        if exit != Exit::Done {
            return Ok(exit);
        }
        self.print_command(&format!("aitc revise v1 \"{feedback}\""));
        let revision = RunTask::Revision {
            from: Some(Version::plan(1)),
            feedback,
            decided: Vec::new(),
            requirement: None,
        };
        let exit = self
            .run(revision, Answers::default(), second, interrupt)
            .await?;
        if exit != Exit::Done {
            return Ok(exit);
        }
        if self.is_json() {
            return self.document(&folder);
        }
        self.print_command("aitc diff v1 v2");
        diff::run(&DiffArgs::between(1, 2), &self.inside)?;
        self.print_command("aitc check v2");
        let exit = check::run(&CheckArgs::of(2), &self.inside)?;
        self.say(&view::demo_steps(&steps, &self.inside.style(self.lang)));
        Ok(exit)
    }

    /// Runs one workshop and reports its outcome.
    async fn run(
        &self,
        work: RunTask,
        answers: Answers,
        script: Scripted,
        interrupt: watch::Receiver<Option<i32>>,
    ) -> Result<Exit, Fault> {
        let mut layer = Layer::default();
        layer.flag("--lang", "doc_lang", self.lang.code())?;
        layer.flag("--lang", "language", self.lang.code())?;
        let config = Config::resolve(&[layer]);
        let play = Playback {
            script: Arc::new(script),
            delay: self.delay,
        };
        let order = Order {
            play: Some(play),
            ..Order::of(work, config, QuestionMode::Assume, answers)
        };
        match launch::run(&order, RunResources::default(), &self.inside, interrupt).await? {
            // Only one document is printed, at the end.
            (_, Outcome::Published { stop, .. })
                if self.is_json() && stop == StopReason::Consensus =>
            {
                Ok(Exit::Done)
            }
            (version, outcome) => report_outcome(outcome, version, &order, &self.inside, self.lang),
        }
    }

    fn document(&self, folder: &Path) -> Result<Exit, Fault> {
        let versions = versions::find_all(&self.inside)?;
        let shown =
            |found: &versions::FoundVersion| versions::display_path(&found.folder, &self.inside);
        let document = DemoDocument {
            path: folder.display().to_string(),
            versions: versions.iter().map(shown).collect(),
            exit_code: Exit::Done.code(),
        };
        self.inside.print("", &document)?;
        Ok(Exit::Done)
    }

    fn is_json(&self) -> bool {
        self.inside.format().is_json()
    }

    /// Prints the command whose output follows.
    fn print_command(&self, command: &str) {
        self.say(&view::demo_command(command, &self.inside.style(self.lang)));
    }

    fn say(&self, lines: &str) {
        if !self.inside.global.quiet && !self.is_json() {
            self.inside.show(lines);
        }
    }
}

fn folder_fault(out: &Path, error: std::io::Error, context: &Context) -> Fault {
    let told = |cause: &dyn crate::fault::MessageValue| {
        DEMO_FOLDER.with(values![path = out.display(), cause])
    };
    match error.kind() {
        ErrorKind::AlreadyExists => told(&NOT_EMPTY),
        ErrorKind::NotADirectory => told(&NO_FOLDER),
        _ => failed("create", &context.path(out))(error),
    }
}
