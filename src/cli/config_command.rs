//! `aitc config`: what holds, where it comes from, and how to change it.

use clap::{Args, Subcommand};

use super::{CliError, Context, Exit, config_set, config_show};
use crate::config;

/// Show settings with their origin, change them, print their schema
#[derive(Debug, Args)]
#[command(
    disable_help_subcommand = true,
    after_help = "Examples:\n  \
        aitc config show --origin\n  \
        aitc config set limits.max_rounds 5\n  \
        aitc config set --user providers.local.base_url http://127.0.0.1:8080/v1"
)]
pub struct ConfigArgs {
    #[command(subcommand)]
    command: ConfigCommand,
}

#[derive(Debug, Subcommand)]
enum ConfigCommand {
    Show(config_show::ShowArgs),
    Get(config_show::GetArgs),
    Set(config_set::SetArgs),
    Schema(SchemaArgs),
}

/// Print the JSON Schema of a configuration file, for editors
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  aitc config schema > config.schema.json")]
struct SchemaArgs {
    /// That of your own file, which may describe providers too
    #[arg(long)]
    user: bool,
}

/// Does what was asked.
pub fn run(args: &ConfigArgs, context: &Context) -> Result<Exit, CliError> {
    match &args.command {
        ConfigCommand::Show(args) => config_show::show(args, context),
        ConfigCommand::Get(args) => config_show::get(args, context),
        ConfigCommand::Set(args) => config_set::set(args, context),
        ConfigCommand::Schema(args) => {
            // The schema is the document, in a format that others have published: what version of
            // it this is says `$schema`, and a `v` would be nothing an editor knows.
            let schema = config::schema(args.user);
            context.done(&format!("{schema:#}"), &schema)
        }
    }
}
