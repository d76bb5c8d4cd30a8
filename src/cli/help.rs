//! `aitc help`: everyday commands, all of them, or one.

use clap::{Args, CommandFactory};

use super::{Cli, CliError, Exit};

/// Print help: `help all` shows every command, `help plan` one of them
#[derive(Debug, Args)]
pub struct HelpArgs {
    /// `all`, or the name of a command, such as `plan` or `config set`
    topic: Vec<String>,
}

/// Prints the help that was asked for on stdout.
pub fn run(args: &HelpArgs) -> Result<Exit, CliError> {
    if args.topic == ["all"] {
        return print(&mut whole());
    }
    let mut command = Cli::command();
    command.build();
    print(find(&mut command, &args.topic)?)
}

/// Every command, those of rarer use shown too.
pub fn whole() -> clap::Command {
    let mut command = Cli::command();
    command.build();
    command.mut_subcommands(|sub| sub.hide(false))
}

/// The command below `command` that these words name.
///
/// # Errors
/// There is none.
pub fn find<'a>(
    command: &'a mut clap::Command,
    topic: &[String],
) -> Result<&'a mut clap::Command, CliError> {
    let mut found = command;
    for word in topic {
        found = found.find_subcommand_mut(word).ok_or_else(|| {
            CliError::usage(
                format!("there is no command `{}`", topic.join(" ")),
                "",
                "aitc help all",
            )
        })?;
    }
    Ok(found)
}

fn print(command: &mut clap::Command) -> Result<Exit, CliError> {
    command
        .print_help()
        .map_err(|error| CliError::new(Exit::Internal, format!("stdout: {error}"), "", ""))?;
    Ok(Exit::Done)
}
