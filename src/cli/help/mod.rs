//! `aitc help`: prints everyday commands, all of them, or one, in the user's language.

mod chinese;

use std::ffi::OsString;
use std::io;

use clap::{Args, CommandFactory};

use schemars::JsonSchema;
use serde::Serialize;

use super::{Cli, Context, Exit, Fault};
use crate::fault::line::{COMMAND_UNKNOWN, STDOUT};
use crate::fault::{nearest, said_by_system, values};
use crate::machine::Lang;

/// Print help: `help all` shows every command, `help plan` one of them
#[derive(Debug, Args)]
pub struct HelpArgs {
    /// `all`, or the name of a command, such as `plan` or `config set`
    topic: Vec<String>,
}

/// Prints the requested help on stdout.
pub fn run(args: &HelpArgs, context: &Context) -> Result<Exit, Fault> {
    let lang = context.lang(None);
    if args.topic == ["all"] {
        return print(&mut full_command(lang), context);
    }
    let mut command = everyday(lang);
    command.build();
    print(find(&mut command, &args.topic)?, context)
}

/// Commands of everyday use; the others are hidden unless all are asked for.
const EVERYDAY: [&str; 8] = [
    "plan",
    "revise",
    "resume",
    "questions",
    "answer",
    "status",
    "show",
    "demo",
];

/// Returns the command line; its help shows the commands of everyday use.
pub fn everyday(lang: Lang) -> clap::Command {
    in_lang(lang).mut_subcommands(|sub| {
        let is_hidden = !EVERYDAY.contains(&sub.get_name());
        sub.hide(is_hidden)
    })
}

/// Returns the command line; its help shows every command.
pub fn full_command(lang: Lang) -> clap::Command {
    let mut command = in_lang(lang);
    command.build();
    command
}

fn in_lang(lang: Lang) -> clap::Command {
    match lang {
        Lang::En => Cli::command(),
        Lang::Zh => chinese::translated(Cli::command()),
    }
}

/// Returns the subcommand of `command` that these words name.
pub fn find<'a>(
    command: &'a mut clap::Command,
    topic: &[String],
) -> Result<&'a mut clap::Command, Fault> {
    let mut found = command;
    for word in topic {
        if found.find_subcommand(word).is_none() {
            let known: Vec<_> = found.get_subcommands().map(|sub| sub.get_name()).collect();
            let fault = COMMAND_UNKNOWN.with(values![command = topic.join(" ")]);
            return Err(fault.meaning(nearest(word, known)));
        }
        found = found
            .find_subcommand_mut(word)
            .ok_or_else(|| COMMAND_UNKNOWN.with(values![command = topic.join(" ")]))?;
    }
    Ok(found)
}

/// Returns the names of the commands with which a line begins, each with a space before it.
pub fn path(arguments: &[OsString]) -> String {
    let mut command = &Cli::command();
    let mut path = String::new();
    for word in arguments.iter().skip(1).filter_map(|word| word.to_str()) {
        if let Some(sub) = command.find_subcommand(word) {
            path.push_str(&format!(" {word}"));
            command = sub;
        }
    }
    path
}

/// What `help` prints.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HelpDocument {
    /// Text of the help.
    pub text: String,
}

fn print(command: &mut clap::Command, context: &Context) -> Result<Exit, Fault> {
    if !context.format().is_json() {
        return printed(command.print_help());
    }
    let text = command.render_help().to_string();
    context.done(&text, &HelpDocument { text: text.clone() })
}

/// Converts the result of printing; a closed pipe is no error.
///
/// # Errors
/// Stdout cannot be written.
pub fn printed(result: io::Result<()>) -> Result<Exit, Fault> {
    match result {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(STDOUT.with(values![cause = said_by_system(&error)]))
        }
        _ => Ok(Exit::Done),
    }
}
