//! `aitc completions`: prints completions for a shell.

use clap::{Args, ValueEnum};
use clap_complete::Shell;
use schemars::JsonSchema;
use serde::Serialize;

use super::{Context, Exit, Fault, help};

/// Print completions for a shell
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    aitc completions bash > ~/.local/share/bash-completion/completions/aitc\n  \
    aitc completions zsh > ~/.zfunc/_aitc\n  \
    aitc completions fish > ~/.config/fish/completions/aitc.fish")]
pub struct CompletionsArgs {
    /// bash, zsh, fish, elvish or powershell
    #[arg(value_name = "SHELL", value_enum, hide_possible_values = true)]
    shell: Shell,
}

/// What `completions` prints.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CompletionsDocument {
    /// Name of the shell, such as `bash`.
    pub shell: String,
    /// The completion script.
    pub text: String,
}

/// Prints the script on stdout.
pub fn run(args: &CompletionsArgs, context: &Context) -> Result<Exit, Fault> {
    let mut command = help::full_command(context.lang(None));
    let mut bytes = Vec::new();
    clap_complete::generate(args.shell, &mut command, "aitc", &mut bytes);
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let shell = args.shell.to_possible_value();
    let document = CompletionsDocument {
        shell: shell.map_or_else(String::new, |value| value.get_name().to_owned()),
        text: text.clone(),
    };
    context.done(&text, &document)
}
