//! `aitc demo`: a whole workshop whose words were written beforehand.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::Args;

use super::hold::{Order, Play, Work};
use super::interrupt::run_until_interrupted;
use super::session::hold;
use super::text::Text;
use super::{CliError, Context, Exit, open, watcher};
use crate::config::{Config, Layer};
use crate::edge::demo;
use crate::edge::fs::StorageError;
use crate::fault::line::DEMO_FOLDER;
use crate::fault::said_by_system;
use crate::machine::{Format, QuestionMode};
use crate::ui::view;

/// Watch a whole workshop, played from a script: no key, no network, two seconds
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  aitc demo\n  aitc demo --lang zh\n  aitc demo --out tour")]
pub struct DemoArgs {
    /// Where to leave it: a folder that is new or empty; else a temporary one
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

const NOT_EMPTY: Text = Text("it is not empty", "该目录不为空");
const NO_FOLDER: Text = Text("it is no folder", "它不是目录");

/// How long an answer takes where somebody sees it come.
///
/// Its 28 answers, the program's start and what is written take less than two seconds together.
const ANSWER: Duration = Duration::from_millis(30);

/// Holds the workshop of the demonstration through the very machine that holds
/// every other one; only answers, requirement and repository are its own.
///
/// Neither configuration nor variables are looked at: it is the same everywhere.
pub fn run(args: &DemoArgs, context: &Context) -> Result<Exit, CliError> {
    let lang = context.lang(None);
    let fs = open::files();
    let folder = match &args.out {
        Some(out) => {
            let folder = context.path(out);
            demo::empty_folder(fs.as_ref(), &folder).map_err(|error| taken(&folder, &error))?;
            folder
        }
        None => demo::temporary_folder(fs.as_ref()).map_err(StorageError::doing(
            "create a folder in",
            Path::new("TMPDIR"),
        ))?,
    };
    let scene = demo::scene(lang, &typed(&folder))?;
    demo::lay_out(fs.as_ref(), lang, &folder)?;
    let mut layer = Layer::default();
    layer.flag("--lang", "doc_lang", lang.code())?;
    layer.flag("--lang", "language", lang.code())?;
    let order = Order {
        work: Work::New {
            requirement: scene.requirement,
            format: Format::Workshop,
        },
        config: Config::resolve(&[layer]),
        questions: QuestionMode::Assume,
        answers: scene.answers,
        auto_exit: false,
        light: false,
        seed: None,
        record: None,
        dry_run: false,
        play: Some(Play {
            script: Arc::new(scene.script),
            steps: scene.steps,
            aloud: watcher::draws(context, context.style(lang)).then_some(ANSWER),
        }),
    };
    let inside = context.within(&folder)?;
    if !context.global.quiet && !context.format().is_json() {
        context.show(&view::demo_notice(&context.style(lang)));
    }
    run_until_interrupted(|interrupt| hold(order, &inside, interrupt))
}

fn taken(folder: &Path, error: &std::io::Error) -> CliError {
    let cause = match error.kind() {
        ErrorKind::AlreadyExists => NOT_EMPTY.into(),
        ErrorKind::NotADirectory => NO_FOLDER.into(),
        _ => said_by_system(error),
    };
    DEMO_FOLDER.with(&[("path", &folder.display()), ("cause", &cause)])
}

/// A path as one types it in a shell.
fn typed(folder: &Path) -> String {
    let path = folder.display().to_string();
    let plain = |c: char| c.is_alphanumeric() || "/._-+".contains(c);
    if path.chars().all(plain) {
        path
    } else {
        format!("'{}'", path.replace('\'', r"'\''"))
    }
}
