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
    let mut command = Cli::command();
    command.build();
    if args.topic == ["all"] {
        return print(&mut command.mut_subcommands(|sub| sub.hide(false)));
    }
    let mut found = &mut command;
    for word in &args.topic {
        found = found.find_subcommand_mut(word).ok_or_else(|| {
            CliError::usage(
                format!("there is no command `{}`", args.topic.join(" ")),
                "",
                "aitc help all",
            )
        })?;
    }
    print(found)
}

fn print(command: &mut clap::Command) -> Result<Exit, CliError> {
    command
        .print_help()
        .map_err(|error| CliError::new(Exit::Internal, format!("stdout: {error}"), "", ""))?;
    Ok(Exit::Done)
}
