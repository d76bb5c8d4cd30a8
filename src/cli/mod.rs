//! The command line: one file per subcommand, wiring only.

mod about;
mod against;
mod answer;
mod approve;
mod asked;
mod batch;
mod batch_input;
mod batch_report;
mod batch_run;
mod board;
mod brief;
mod by_hand;
mod chat;
mod check;
mod comment;
mod completions;
mod config_command;
mod config_set;
mod config_show;
mod consent;
mod context;
mod debate;
mod demo;
mod detached;
mod diff;
mod doctor;
mod embeddings;
mod endpoint;
mod export;
mod help;
mod hints;
mod init;
mod interrupt;
mod key;
mod man;
mod mcp;
mod models;
mod models_list;
mod next;
mod outcome;
mod plan;
mod questions;
mod recording;
mod rehearse;
mod reply;
mod requirement;
mod resume;
mod resumed_models;
mod resumption;
mod review_import;
mod revise;
mod roles;
mod run_context;
mod run_flags;
mod say;
mod scaffold;
mod schemas;
mod session;
mod show;
mod status;
mod stop;
mod team;
mod text;
pub mod threads;
mod trials;
mod usage_error;
mod verify;
mod versions;
mod view;
mod watcher;
mod who;
mod why;

use std::ffi::OsString;
use std::io::Write as _;
use std::path::PathBuf;

use clap::error::ErrorKind;
use clap::{Args, FromArgMatches as _, Parser, Subcommand};

pub use crate::fault::{Exit, Fault as CliError};
pub use context::{ConfigFile, Context, Format};
pub use schemas::schemas;

use crate::edge::env::Env;
use crate::machine::Lang;

/// What `--version` says; `-V` says the first line.
const VERSION: &str = concat!(
    env!("CARGO_PKG_VERSION"),
    "\ncommit: ",
    env!("BUILT_COMMIT"),
    "\ntarget: ",
    env!("BUILT_TARGET"),
    "\nfeatures: ",
    env!("BUILT_FEATURES"),
);

/// A planning workshop of language-model members that leaves a reviewed,
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

/// Flags of every command.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Everywhere")]
pub struct Global {
    /// Work as if started in DIR
    #[arg(short = 'C', long = "directory", value_name = "DIR", global = true)]
    directory: Option<PathBuf>,
    /// Read this file in place of your own configuration
    #[arg(long, value_name = "F", global = true)]
    config: Option<PathBuf>,
    /// Profile of the configuration to use
    #[arg(long, value_name = "NAME", global = true)]
    profile: Option<String>,
    /// Language of messages
    #[arg(long, value_name = "zh|en", value_parser = ["zh", "en"], hide_possible_values = true, global = true)]
    lang: Option<String>,
    /// Form of what is printed on stdout
    #[arg(
        long,
        value_name = "text|json|stream-json",
        value_enum,
        hide_possible_values = true,
        global = true,
        conflicts_with = "json"
    )]
    output_format: Option<Format>,
    /// Short for --output-format json
    #[arg(long, global = true)]
    json: bool,
    /// When to use colour
    #[arg(
        long,
        value_name = "auto|always|never",
        value_enum,
        default_value_t,
        hide_possible_values = true,
        hide_default_value = true,
        global = true
    )]
    color: context::Color,
    /// Words in place of symbols, no colour
    #[arg(long, global = true)]
    plain: bool,
    /// Show warnings and errors only
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    quiet: bool,
    /// Log what is out of the ordinary; twice for every call
    #[arg(short, long, action = clap::ArgAction::Count, global = true)]
    verbose: u8,
    /// Never ask anything
    #[arg(long, global = true)]
    no_input: bool,
    /// Are commands typed at a chat's prompt?
    #[arg(skip)]
    in_chat: bool,
}

impl Global {
    /// Which configuration and which profile of it were asked for.
    fn chosen(&self) -> (Option<OsString>, Option<OsString>) {
        let config = self.config.clone().map(OsString::from);
        (config, self.profile.clone().map(OsString::from))
    }

    /// These, and what is not said among them as `under` has it.
    fn or(self, under: &Self) -> Self {
        let under = under.clone();
        // One form of output takes the place of any other.
        let says_form = self.json || self.output_format.is_some();
        Self {
            directory: self.directory.or(under.directory),
            config: self.config.or(under.config),
            profile: self.profile.or(under.profile),
            lang: self.lang.or(under.lang),
            output_format: self
                .output_format
                .or(under.output_format.filter(|_| !says_form)),
            json: self.json || (under.json && !says_form),
            color: match self.color {
                context::Color::Auto => under.color,
                said => said,
            },
            plain: self.plain || under.plain,
            quiet: self.quiet || under.quiet,
            verbose: self.verbose.max(under.verbose),
            no_input: self.no_input || under.no_input,
            in_chat: self.in_chat || under.in_chat,
        }
    }
}

#[derive(Debug, Subcommand)]
enum Command {
    Plan(plan::PlanArgs),
    #[command(hide = true)]
    Brief(brief::BriefArgs),
    Revise(revise::ReviseArgs),
    Resume(resume::ResumeArgs),
    #[command(hide = true)]
    Next(next::NextArgs),
    #[command(hide = true)]
    Reply(reply::ReplyArgs),
    Questions(questions::QuestionsArgs),
    Answer(answer::AnswerArgs),
    #[command(hide = true)]
    Team(team::TeamArgs),
    #[command(hide = true)]
    Board(board::BoardArgs),
    #[command(hide = true)]
    Chat(chat::ChatArgs),
    #[command(hide = true)]
    Say(say::SayArgs),
    #[command(hide = true)]
    Debate(debate::DebateArgs),
    #[command(hide = true)]
    Stop(stop::StopArgs),
    #[command(alias = "list")]
    Status(status::StatusArgs),
    Show(show::ShowArgs),
    Demo(demo::DemoArgs),
    #[command(hide = true)]
    Why(why::WhyArgs),
    #[command(hide = true)]
    Diff(diff::DiffArgs),
    #[command(hide = true)]
    Check(check::CheckArgs),
    #[command(hide = true)]
    Comment(comment::CommentArgs),
    #[command(hide = true)]
    Approve(approve::ApproveArgs),
    #[command(hide = true)]
    Verify(verify::VerifyArgs),
    #[command(hide = true)]
    View(view::ViewArgs),
    #[command(hide = true)]
    Mcp(mcp::McpArgs),
    #[command(hide = true)]
    Batch(batch::BatchArgs),
    #[command(hide = true)]
    Export(export::ExportArgs),
    #[command(hide = true)]
    Init(init::InitArgs),
    #[command(hide = true)]
    Roles(roles::RolesArgs),
    #[command(hide = true)]
    Config(config_command::ConfigArgs),
    #[command(hide = true)]
    Completions(completions::CompletionsArgs),
    #[command(hide = true)]
    Man(man::ManArgs),
    #[command(hide = true)]
    Models(models_list::ModelsArgs),
    #[command(hide = true)]
    Doctor(doctor::DoctorArgs),
    #[command(hide = true)]
    Help(help::HelpArgs),
}

/// Runs one command line and says with which code to end.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> Exit {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let env = Env::capture();
    let lang = usage_error::lang(&arguments, &env);
    let matches = usage_error::matches(&help::everyday(lang), &arguments);
    let cli = match matches.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => cli,
        Err(error) => return not_understood(&error, &arguments, lang),
    };
    let wants_json = cli.global.json || cli.global.output_format.is_some_and(Format::is_json);
    let context = match Context::new(cli.global, env) {
        Ok(context) => context,
        Err(error) => return report(&error, wants_json, lang),
    };
    let done = dispatch(cli.command, &context);
    // What failed of its configuration tells of it itself; an error for programs is all
    // there is.
    if !matches!(&done, Err(error) if wants_json || error.exit == Exit::Config) {
        context.passed_over();
    }
    done.unwrap_or_else(|error| report(&error, wants_json, context.lang(None)))
}

/// Returns the fault of an error that nothing the user does can lead to, with its causes.
fn internal(error: &anyhow::Error) -> CliError {
    crate::fault::line::INTERNAL.with(&[("what", &format!("{error:#}"))])
}

fn dispatch(command: Command, context: &Context) -> Result<Exit, CliError> {
    // `config set --user` may make the file.
    if !matches!(command, Command::Config(_)) {
        context.named_config()?;
    }
    match command {
        Command::Plan(args) => plan::run(args, context),
        Command::Brief(args) => brief::run(&args, context),
        Command::Revise(args) => revise::run(args, context),
        Command::Resume(args) => resume::run(args, context),
        Command::Next(args) => next::run(&args, context),
        Command::Reply(args) => reply::run(&args, context),
        Command::Questions(args) => questions::run(&args, context),
        Command::Answer(args) => answer::run(&args, context),
        Command::Team(args) => team::run(&args, context),
        Command::Board(args) => board::run(&args, context),
        Command::Chat(args) => chat::run(args, context),
        Command::Say(args) => say::run(&args, context),
        Command::Debate(args) => debate::run(&args, context),
        Command::Stop(args) => stop::run(&args, context),
        Command::Status(args) => status::run(&args, context),
        Command::Show(args) => show::run(&args, context),
        Command::Demo(args) => demo::run(&args, context),
        Command::Why(args) => why::run(&args, context),
        Command::Diff(args) => diff::run(&args, context),
        Command::Check(args) => check::run(&args, context),
        Command::Comment(args) => comment::run(&args, context),
        Command::Approve(args) => approve::run(&args, context),
        Command::Verify(args) => verify::run(&args, context),
        Command::View(args) => view::run(&args, context),
        Command::Mcp(args) => mcp::run(&args, context),
        Command::Batch(args) => batch::run(&args, context),
        Command::Export(args) => export::run(&args, context),
        Command::Init(args) => init::run(&args, context),
        Command::Roles(args) => roles::run(&args, context),
        Command::Config(args) => config_command::run(&args, context),
        Command::Completions(args) => completions::run(&args, context),
        Command::Man(args) => man::run(&args, context),
        Command::Models(args) => models_list::run(&args, context),
        Command::Doctor(args) => doctor::run(&args, context),
        Command::Help(args) => help::run(&args, context),
    }
}

/// Writes an error where the user, or the user's program, looks for it.
fn report(error: &CliError, json: bool, lang: Lang) -> Exit {
    // Nobody is left to be told when even these streams are closed.
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

/// Help and version go to stdout; a line that makes no sense ends with code 2.
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
            report(&usage_error::told(error, arguments), json, lang)
        }
    }
}
