//! `aitc help`: everyday commands, all of them, or one.

use clap::{Args, CommandFactory};

use super::{Cli, CliError, Exit};

/// Print help: `help all` shows every command, `help plan` one of them
#[derive(Debug, Args)]
pub struct HelpArgs {
    /// `all`, or the name of a command
    topic: Option<String>,
}

/// Prints the help that was asked for on stdout.
pub fn run(args: &HelpArgs) -> Result<Exit, CliError> {
    let mut command = Cli::command();
    command.build();
    match args.topic.as_deref() {
        None => print(&mut command),
        Some("all") => {
            let mut all = command.mut_subcommands(|sub| sub.hide(false));
            print(&mut all)
        }
        Some(topic) => match command.find_subcommand_mut(topic) {
            Some(found) => print(found),
            None => Err(CliError::usage(
                format!("there is no command `{topic}`"),
                "",
                "aitc help all",
            )),
        },
    }
}

fn print(command: &mut clap::Command) -> Result<Exit, CliError> {
    command
        .print_help()
        .map_err(|error| CliError::new(Exit::Internal, format!("stdout: {error}"), "", ""))?;
    Ok(Exit::Done)
}
