//! The command line: a file for each subcommand, and those for what they share.

// The subcommands.
mod answer;
mod approve;
mod batch;
mod board;
mod brief;
mod chat;
mod check;
mod comment;
mod completions;
mod config_command;
mod debate;
mod demo;
mod diff;
mod doctor;
mod export;
mod help;
mod init;
mod man;
mod mcp;
mod models;
mod next;
mod plan;
mod questions;
mod reply;
mod resume;
mod revise;
mod roles;
mod say;
mod show;
mod status;
mod stop;
mod team;
mod verify;
mod view;
mod why;

// What they share.
mod against;
mod by_hand;
mod consent;
mod context;
mod detached;
mod discovery;
mod drift;
mod endpoint;
mod hints;
mod interrupt;
mod key;
mod launch;
mod message;
mod order;
mod outcome;
mod provider_choice;
mod rehearse;
mod requirement;
mod review_import;
mod run_context;
mod run_flags;
mod run_models;
mod run_subject;
mod scaffold;
mod schemas;
pub mod threads;
mod trials;
mod usage_error;
mod versions;
mod watcher;

use std::ffi::OsString;
use std::io::Write as _;

use clap::error::ErrorKind;
use clap::{FromArgMatches as _, Parser, Subcommand};

pub use crate::fault::{Exit, Fault};
use context::internal;
pub use context::{ConfigFile, Context, Global, OutputFormat};
pub use schemas::schemas;

use crate::edge::env::Env;
use crate::machine::Lang;

/// The output of `--version`; `-V` prints the first line.
const VERSION: &str = concat!(
    env!("CARGO_PKG_VERSION"),
    "\ncommit: ",
    env!("BUILT_COMMIT"),
    "\ntarget: ",
    env!("BUILT_TARGET"),
    "\nfeatures: ",
    env!("BUILT_FEATURES"),
);

/// Plan a change in a workshop of language models; the result is a reviewed,
/// versioned plan in git.
#[derive(Debug, Parser)]
#[command(
    name = "aitc",
    version,
    long_version = VERSION,
    disable_help_subcommand = true,
    arg_required_else_help = true,
    max_term_width = 100,
    after_help = "Examples:\n  \
        aitc plan \"Export the customer list as CSV\"\n  \
        aitc revise v1 \"No CSV: use XLSX\"\n\n\
        `aitc help all` shows every command; `aitc help plan` one of them."
)]
pub struct Cli {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    command: Command,
}

/// Rows of commands: name, file, and what is given to it. Each file has a `run`.
macro_rules! commands {
    ($($(#[$attribute:meta])* $name:ident($file:ident::$arguments:ident),)*) => {
        #[derive(Debug, Subcommand)]
        enum Command {
            $($(#[$attribute])* $name($file::$arguments),)*
        }

        fn dispatch(command: &Command, context: &Context) -> Result<Exit, Fault> {
            // `config set --user` may create the file.
            if !matches!(command, Command::Config(_)) {
                context.named_config()?;
            }
            match command {
                $(Command::$name(arguments) => $file::run(arguments, context),)*
            }
        }
    };
}

commands! {
    Plan(plan::PlanArgs),
    Brief(brief::BriefArgs),
    Revise(revise::ReviseArgs),
    Resume(resume::ResumeArgs),
    Next(next::NextArgs),
    Reply(reply::ReplyArgs),
    Questions(questions::QuestionsArgs),
    Answer(answer::AnswerArgs),
    Team(team::TeamArgs),
    Board(board::BoardArgs),
    Chat(chat::ChatArgs),
    Say(say::SayArgs),
    Debate(debate::DebateArgs),
    Stop(stop::StopArgs),
    #[command(alias = "list")]
    Status(status::StatusArgs),
    Show(show::ShowArgs),
    Demo(demo::DemoArgs),
    Why(why::WhyArgs),
    Diff(diff::DiffArgs),
    Check(check::CheckArgs),
    Comment(comment::CommentArgs),
    Approve(approve::ApproveArgs),
    Verify(verify::VerifyArgs),
    View(view::ViewArgs),
    Mcp(mcp::McpArgs),
    Batch(batch::BatchArgs),
    Export(export::ExportArgs),
    Init(init::InitArgs),
    Roles(roles::RolesArgs),
    Config(config_command::ConfigArgs),
    Completions(completions::CompletionsArgs),
    Man(man::ManArgs),
    Models(models::ModelsArgs),
    Doctor(doctor::DoctorArgs),
    Help(help::HelpArgs),
}

/// Runs one command line and returns the exit code.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> Exit {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let env = Env::capture();
    let lang = usage_error::lang(&arguments, &env);
    let matches = usage_error::matches(&help::everyday(lang), &arguments);
    let cli = match matches.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => cli,
        Err(error) => return not_understood(&error, &arguments, lang),
    };
    let wants_json = cli.global.json || cli.global.output_format.is_some_and(OutputFormat::is_json);
    let mut context = match Context::new(cli.global, env) {
        Ok(context) => context,
        Err(error) => return report(&error, wants_json, lang),
    };
    context.elsewhere = Some(hints::in_folder);
    let done = dispatch(&cli.command, &context);
    // A configuration error reports itself; an error for programs is the only output.
    if !matches!(&done, Err(error) if wants_json || error.exit == Exit::Config) {
        context.passed_over();
    }
    done.unwrap_or_else(|error| {
        let error = error.put(|text| context.hinted(text.to_owned()));
        report(&error, wants_json, context.lang(None))
    })
}

/// Writes an error to stderr for people, or to stdout for programs.
fn report(error: &Fault, json: bool, lang: Lang) -> Exit {
    // Nothing can be reported if these streams are closed.
    let _ = if json {
        serde_json::to_string(&error.document(lang))
            .map_err(std::io::Error::from)
            .map(|document| crate::ui::view::clean_json(&document))
            .and_then(|document| writeln!(std::io::stdout(), "{document}"))
    } else {
        std::io::stderr().write_all(error.text(lang).as_bytes())
    };
    error.exit
}

/// Help and version go to stdout; an invalid line ends with code 2.
fn not_understood(error: &clap::Error, arguments: &[OsString], lang: Lang) -> Exit {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            let json = usage_error::asks_for_json(arguments);
            help::printed(error.print()).unwrap_or_else(|fault| report(&fault, json, lang))
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
            if !usage_error::asks_for_json(arguments) =>
        {
            let _ = error.print();
            Exit::Usage
        }
        _ => {
            let json = usage_error::asks_for_json(arguments);
            report(&usage_error::fault(error, arguments), json, lang)
        }
    }
}
