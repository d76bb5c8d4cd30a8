//! `aitc config set`: changes one line of a configuration file.

use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;

use super::{CliError, ConfigFile, Context, Exit};
use crate::config::edit;
use crate::config::{self, Key, Layer, PROJECT_FILE, Place, Value};
use crate::edge::env;
use crate::edge::fs::Doing as _;
use crate::fault::settings::{
    CONFIG_NO_PLACE, KEY_FORBIDDEN, KEY_NOT_IN_FILES, KEY_TABLE, OUTSIDE, VALUE_WRONG,
};
use crate::fault::{Message, texts, values};
use crate::ui::view::clean;

texts! {
    SET: "{path}: {key} is now {value}", "{path}：{key} 现为 {value}";
    UNSET: "{path}: {key} is no longer set", "{path}：已不再设置 {key}";
    SAME: "{path}: {key} stays as it was", "{path}：{key} 保持不变";
}

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
    /// The file, as the user knows it.
    pub path: String,
    /// Full name of the key.
    pub key: String,
    /// Text, number or list of texts; null if it was taken out.
    pub value: serde_json::Value,
    /// Whether the file was written.
    pub changed: bool,
}

/// Changes the file and says so on stdout.
pub fn set(args: &SetArgs, context: &Context) -> Result<Exit, CliError> {
    let (name, key) = config::find(&args.key)?;
    let value = match &args.value {
        Some(text) => Some(read(&name, key, text)?),
        None => None,
    };
    let file = target(args.user, &name, key, context)?;
    let path = file.source.path();
    let changed = change(&file, &name, value.as_ref(), context)?;
    let lang = context.lang(None);
    let told = value.as_ref().map(config::without_secrets);
    let shown = told.as_ref().map(Value::to_string).unwrap_or_default();
    let text = match (changed, &value) {
        (false, _) => SAME,
        (true, Some(_)) => SET,
        (true, None) => UNSET,
    };
    let places = values![path, key = name, value = shown];
    let document = SetDocument {
        path: path.to_owned(),
        key: name.clone(),
        value: told.map_or(serde_json::Value::Null, |value| value.to_json()),
        changed,
    };
    context.done(&clean(&text.with(lang, places)), &document)
}

/// Sets `name` in the user's own file; returns the file as the user knows it, and the message.
///
/// # Errors
/// The value does not fit, or the file has no place, is wrong or cannot be written.
pub fn set_own(name: &str, text: &str, context: &Context) -> Result<(String, Message), CliError> {
    let (name, key) = config::find(name)?;
    let value = read(&name, key, text)?;
    let file = target(true, &name, key, context)?;
    change(&file, &name, Some(&value), context)?;
    let path = file.source.path().to_owned();
    let told = SET.fill(values![path, key = name, value = text]);
    Ok((path, told))
}

/// Writes the file where that changes it; says whether it did.
fn change(
    file: &ConfigFile,
    name: &str,
    value: Option<&Value>,
    context: &Context,
) -> Result<bool, CliError> {
    let old = context.config_text(file)?.unwrap_or_default();
    let new = edit::change(&old, &file.source, name, value)?;
    if new != old {
        env::replace_file(&file.path, new.as_bytes()).doing("write", &file.path)?;
    }
    Ok(new != old)
}

/// A value as its key takes it.
fn read(name: &str, key: &Key, text: &str) -> Result<Value, CliError> {
    if key.kind.is_table() && !name.contains('.') {
        return Err(KEY_TABLE.with(values![name, value = text]));
    }
    key.kind.read(text).map_err(|wanted| {
        // Providers are allowed in the user's own file only.
        let user = if config::is_forbidden(name) {
            "--user "
        } else {
            ""
        };
        let example = format!("aitc config set {user}{name} {}", key.kind.example());
        let fault = VALUE_WRONG.with(values![name, wanted, shown = key.kind.not(&text), example]);
        fault.fixed_by(example).ending(Exit::Usage)
    })
}

/// The provider that is set, for an example; the first one known where none is.
fn provider_in_use(context: &Context) -> String {
    let config = context.config(Layer::default());
    let set = config.ok().and_then(|config| config.provider);
    set.unwrap_or_else(|| "openai".to_owned())
}

/// Which file is changed, and its path.
fn target(user: bool, name: &str, key: &Key, context: &Context) -> Result<ConfigFile, CliError> {
    if key.place == Place::NotInFiles {
        return Err(KEY_NOT_IN_FILES.with(values![
            name,
            provider = provider_in_use(context),
            example = key.kind.example()
        ]));
    }
    if !user {
        let project = context.project_file();
        if config::is_forbidden(name) {
            let fix = format!("aitc config set --user {name} {}", key.kind.example());
            let fault = KEY_FORBIDDEN.with(values![name, file = project.source.path()]);
            return Err(fault.fixed_by(fix));
        }
        if !env::lies_in(&project.path, &context.root) {
            return Err(OUTSIDE.with(values![path = PROJECT_FILE]));
        }
        return Ok(project);
    }
    let own = context
        .own_file()
        .ok_or_else(|| CONFIG_NO_PLACE.with(&[]))?;
    // One that is not there is made.
    Ok(ConfigFile {
        is_named: false,
        ..own
    })
}
