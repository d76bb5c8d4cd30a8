//! `aitc config set`: changes one line of a configuration file.

use std::path::PathBuf;

use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;

use super::config_show::unknown;
use super::text::Text;
use super::{CliError, Context, Exit, document};
use crate::config::edit::{self, EditError};
use crate::config::{self, Key, Kind, PROJECT_FILE, Place, Source, Value};
use crate::edge::env;
use crate::edge::fs::StorageError;
use crate::view::clean;

const SET: Text = Text("{path}: {key} is now {value}", "{path}：{key} 现为 {value}");
const UNSET: Text = Text("{path}: {key} is no longer set", "{path}：已不再设置 {key}");
const SAME: Text = Text("{path}: {key} stays as it was", "{path}：{key} 保持不变");

/// Change a setting in the project's file, or in your own; the rest stays as it is
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    aitc config set questions pause\n  \
    aitc config set --user provider openai\n  \
    aitc config set --unset limits.max_rounds")]
pub struct SetArgs {
    /// Name of the key
    #[arg(value_name = "KEY")]
    key: String,
    /// Its value; of a list, separated by commas
    #[arg(value_name = "VALUE", required_unless_present = "unset")]
    value: Option<String>,
    /// In your own file, not the project's
    #[arg(long)]
    user: bool,
    /// Take the setting out
    #[arg(long, conflicts_with = "value")]
    unset: bool,
}

/// What `config set` prints.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SetDocument {
    /// Version of this format.
    pub v: u32,
    /// The file, as the user knows it.
    pub path: String,
    /// Full name of the key.
    pub key: String,
    /// Text, number or list of texts; null when it was taken out.
    pub value: serde_json::Value,
    /// Was the file written?
    pub changed: bool,
}

/// Changes the file and says so on stdout.
pub fn set(args: &SetArgs, context: &Context) -> Result<Exit, CliError> {
    let (name, key) = config::find(&args.key).map_err(|fix| unknown(&args.key, fix))?;
    let value = match &args.value {
        Some(text) => Some(read(&name, key, text)?),
        None => None,
    };
    let (source, path) = target(args.user, &name, key, context)?;
    let old = context
        .config_text(&path, &source, false)?
        .unwrap_or_default();
    let new = edit::change(&old, &source, &name, value.as_ref()).map_err(|error| match error {
        EditError::Config(error) => CliError::from(error),
        EditError::Form { .. } => CliError::new(
            Exit::Config,
            error.to_string(),
            "only a key that stands on a line of its own is changed without touching the rest",
            format!("edit `{}` by hand", source.path()),
        ),
    })?;
    let changed = new != old;
    if changed {
        env::replace_file(&path, new.as_bytes()).map_err(StorageError::doing("write", &path))?;
    }
    let lang = context.lang(None);
    let shown = value.as_ref().map(Value::to_string).unwrap_or_default();
    let text = match (changed, &value) {
        (false, _) => SAME,
        (true, Some(_)) => SET,
        (true, None) => UNSET,
    };
    let places = [("path", source.path()), ("key", &name), ("value", &shown)];
    let document = SetDocument {
        v: 1,
        path: source.path().to_owned(),
        key: name.clone(),
        value: value.map_or(serde_json::Value::Null, |value| value.to_json()),
        changed,
    };
    context.print(
        &clean(&text.with(lang, &places)),
        &document::json(&document)?,
    )?;
    Ok(Exit::Done)
}

/// A value as its key takes it.
fn read(name: &str, key: &Key, text: &str) -> Result<Value, CliError> {
    if key.kind == Kind::Table && !name.contains('.') {
        return Err(CliError::usage(
            format!("`{name}` is a table"),
            "one entry of it is set at a time",
            format!("aitc config set {name}.RP {text}"),
        ));
    }
    key.kind.read(text).map_err(|wanted| {
        let shown = if key.kind.may_be_shown() {
            format!(", not `{text}`")
        } else {
            String::new()
        };
        CliError::usage(
            format!("`{name}` must be {wanted}{shown}"),
            "a value that does not fit is not guessed at",
            format!("aitc config set {name} {}", key.kind.example()),
        )
    })
}

/// Which file is changed, and where it lies.
fn target(
    user: bool,
    name: &str,
    key: &Key,
    context: &Context,
) -> Result<(Source, PathBuf), CliError> {
    if key.place == Place::NotInFiles {
        return Err(CliError::usage(
            format!("`{name}` stands in no file"),
            "it belongs to one provider, below `providers`",
            format!(
                "aitc config set --user providers.NAME.{name} {}",
                key.kind.example()
            ),
        ));
    }
    let (project, own) = context.config_files();
    if !user {
        if name.starts_with("providers.") {
            return Err(CliError::new(
                Exit::Config,
                format!("a project's file may not set `{name}`"),
                "a cloned repository must not be able to redirect a key or run a command",
                format!("aitc config set --user {name} {}", key.kind.example()),
            ));
        }
        let path = context.root.join(PROJECT_FILE);
        if !env::lies_in(&path, &context.root) {
            return Err(CliError::new(
                Exit::Config,
                format!("`{PROJECT_FILE}` leads out of the workspace"),
                "a link in a cloned repository must not decide what is written to",
                "put a file in place of the link",
            ));
        }
        return Ok((project, path));
    }
    match own {
        Some(found) => Ok(found),
        None => Err(CliError::new(
            Exit::Config,
            "there is no place for a configuration of your own",
            "neither HOME nor XDG_CONFIG_HOME names a folder",
            "name a file with --config F",
        )),
    }
}
