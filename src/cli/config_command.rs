//! `aitc config`: shows settings with their origin, and changes them.

use clap::{Args, Subcommand};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

use super::{ConfigFile, Context, Exit, Fault};
use crate::config::{
    self, Config, KEYS, Key, Layer, Origin, PROJECT_FILE, PROVIDER_KEYS, Setting, Value, edit,
};
use crate::edge::assets;
use crate::edge::env;
use crate::edge::fs::IoContext as _;
use crate::edge::model::providers::{COMMAND, SCRIPTED};
use crate::fault::settings::{
    CONFIG_NO_PLACE, KEY_FORBIDDEN, KEY_NOT_IN_FILES, KEY_TABLE, OUTSIDE, ROLE_UNKNOWN, VALUE_WRONG,
};
use crate::fault::{Message, Text, nearest, texts, values};
use crate::machine::Lang;
use crate::ui::view::clean;

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
    Show(ShowArgs),
    Get(GetArgs),
    Set(SetArgs),
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

/// Executes the subcommand.
pub fn run(args: &ConfigArgs, context: &Context) -> Result<Exit, Fault> {
    match &args.command {
        ConfigCommand::Show(args) => show(args, context),
        ConfigCommand::Get(args) => get(args, context),
        ConfigCommand::Set(args) => set(args, context),
        ConfigCommand::Schema(args) => {
            // The document is a JSON Schema, a published format: `$schema` names its version, and
            // editors would not understand a `v`.
            let schema = config::schema(args.user);
            context.done(&format!("{schema:#}"), &schema)
        }
    }
}

texts! {
    SET: "{path}: {key} is now {value}", "{path}：{key} 现为 {value}";
    UNSET: "{path}: {key} is no longer set", "{path}：已不再设置 {key}";
    SAME: "{path}: {key} stays as it was", "{path}：{key} 保持不变";
}

/// Show every setting in effect
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  aitc config show\n  aitc config show --origin")]
pub struct ShowArgs {
    /// Say of each where it comes from
    #[arg(long)]
    origin: bool,
}

/// Print one setting
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  aitc config get limits.max_rounds\n  aitc config get model")]
pub struct GetArgs {
    /// Name of the key
    #[arg(value_name = "KEY")]
    key: String,
}

/// What `config show` prints.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SettingsDocument {
    /// Every key in the order of the documentation, then entries of tables.
    pub settings: Vec<SettingLine>,
}

/// What `config get` prints.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SettingDocument {
    /// The setting that was asked for.
    pub setting: SettingLine,
}

/// A setting with its value and origin.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SettingLine {
    /// Full name of the key.
    pub key: String,
    /// Text, number or list of texts; null if nothing holds.
    pub value: Value,
    /// Where it comes from; null if nobody set it.
    pub origin: Option<Origin>,
}

/// Prints every setting on stdout.
pub fn show(args: &ShowArgs, context: &Context) -> Result<Exit, Fault> {
    let config = context.config(Layer::default())?;
    let held = all(&config);
    let document = SettingsDocument {
        settings: held
            .iter()
            .map(|(key, one)| line(key, *one, &config))
            .collect(),
    };
    let mut facts = json!(document);
    facts["with_origin"] = args.origin.into();
    context.list("settings", &facts, &document)?;
    Ok(Exit::Done)
}

/// Prints one setting on stdout; an empty line if it has no value.
pub fn get(args: &GetArgs, context: &Context) -> Result<Exit, Fault> {
    let (key, _) = config::find(&args.key)?;
    let config = context.config(Layer::default())?;
    let setting = config.settings.get(&key);
    let value =
        value_of(&key, setting, &config).map_or_else(String::new, |value| config::shown(&value));
    let document = SettingDocument {
        setting: line(&key, setting, &config),
    };
    context.done(&format!("{}\n", clean(&value)), &document)
}

/// Returns every key with its effective setting, tables by entry, then the settings of providers.
fn all(config: &Config) -> Vec<(String, Option<&Setting>)> {
    let mut held: Vec<(String, Option<&Setting>)> = Vec::new();
    for key in KEYS.iter() {
        let below = format!("{}.", key.name);
        let entries = config
            .settings
            .iter()
            .filter(|(name, _)| name.starts_with(&below));
        let before = held.len();
        held.extend(entries.map(|(name, setting)| (name.clone(), Some(setting))));
        if held.len() == before {
            held.push((key.name.to_owned(), config.settings.get(key.name)));
        }
    }
    let providers = config.settings.iter();
    let providers = providers.filter(|(name, _)| name.starts_with("providers."));
    held.extend(providers.map(|(name, setting)| (name.clone(), Some(setting))));
    held
}

/// Returns the effective value: a built-in warning is no higher than its limit.
fn value_of(key: &str, setting: Option<&Setting>, config: &Config) -> Option<Value> {
    let limits = &config.rules.limits;
    match (setting, key) {
        (Some(setting), _) => Some(config::without_secrets(&setting.value)),
        (None, "limits.warn_at_rounds") => Some(limits.warn_at_rounds.into()),
        (None, "limits.warn_at_minutes") => Some(limits.warn_at_minutes.into()),
        (None, _) => config::built_in(key),
    }
}

fn line(key: &str, setting: Option<&Setting>, config: &Config) -> SettingLine {
    SettingLine {
        key: key.to_owned(),
        value: value_of(key, setting, config).unwrap_or_default(),
        origin: setting.map(|setting| setting.origin.clone()),
    }
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
    pub value: Value,
    /// Whether the file was written.
    pub changed: bool,
}

/// Changes the file and reports it on stdout.
pub fn set(args: &SetArgs, context: &Context) -> Result<Exit, Fault> {
    let (name, key) = config::find(&args.key)?;
    // First, since no value helps a key that has no place in the file.
    let file = target(args.user, &name, key, context)?;
    let value = match &args.value {
        Some(text) => Some(read(&name, key, text)?),
        None => None,
    };
    if let Some(value) = &value {
        names_roles(&name, value, context)?;
    }
    let path = file.source.path();
    let changed = change(&file, &name, value.as_ref(), context)?;
    let lang = context.lang(None);
    let told = value.as_ref().map(config::without_secrets);
    let shown = told.as_ref().map(config::shown).unwrap_or_default();
    let text = match (changed, &value) {
        (false, _) => SAME,
        (true, Some(_)) => SET,
        (true, None) => UNSET,
    };
    let places = values![path, key = name, value = shown];
    let document = SetDocument {
        path: path.to_owned(),
        key: name.clone(),
        value: told.unwrap_or_default(),
        changed,
    };
    context.done(&clean(&text.with(lang, places)), &document)
}

/// Sets `name` in the user's own file; returns the message.
///
/// # Errors
/// The value is invalid, or the file has no path, is invalid or cannot be written.
pub fn set_own(name: &str, text: &str, context: &Context) -> Result<Message, Fault> {
    let (name, key) = config::find(name)?;
    let value = read(&name, key, text)?;
    let file = target(true, &name, key, context)?;
    change(&file, &name, Some(&value), context)?;
    let path = file.source.path();
    Ok(SET.fill(values![path, key = name, value = text]))
}

/// Writes the file if its content changes; returns whether it did.
fn change(
    file: &ConfigFile,
    name: &str,
    value: Option<&Value>,
    context: &Context,
) -> Result<bool, Fault> {
    let old = context.config_text(file)?.unwrap_or_default();
    let new = edit::change(&old, &file.source, name, value)?;
    if new != old {
        env::replace_file(&file.path, new.as_bytes()).doing("write", &file.path)?;
    }
    Ok(new != old)
}

fn read(name: &str, key: &Key, text: &str) -> Result<Value, Fault> {
    if key.kind.is_table() && !name.contains('.') {
        // Pairs as in a variable: the fix sets the first.
        let first = text.split(',').next().unwrap_or_default();
        let (entry, value) = first.split_once('=').unwrap_or(("RP", text));
        return Err(KEY_TABLE.with(values![name, entry = entry.trim(), value]));
    }
    let listed = key.kind.is_list().then(|| list_items(text)).flatten();
    let value = key.kind.read(listed.as_deref().unwrap_or(text));
    value.map_err(|wanted| {
        // Providers are allowed in the user's own file only.
        let user = if config::is_forbidden(name) {
            "--user "
        } else {
            ""
        };
        let example = &*key.kind.example;
        // Of a table, the value of one entry.
        let example = match key.kind.is_table() {
            true => example.split_once('=').map_or("", |(_, value)| value),
            false => example,
        };
        let example = format!("aitc config set {user}{name} {example}");
        let fault = VALUE_WRONG.with(values![name, wanted, shown = key.kind.not(&text), example]);
        fault.fixed_by(example).ending(Exit::Usage)
    })
}

/// Checks that the roles in a setting exist.
fn names_roles(name: &str, value: &Value, context: &Context) -> Result<(), Fault> {
    let named: Vec<&str> = match name.split_once('.') {
        Some(("role_models" | "role_temperatures", role)) => vec![role],
        None if name == "roles" => {
            let items = value.as_array().into_iter().flatten();
            items.filter_map(Value::as_str).collect()
        }
        _ => return Ok(()),
    };
    // Some roles are there in one language only.
    let mut known = Vec::new();
    for lang in [Lang::En, Lang::Zh] {
        known.push(assets::roles_to_copy(&context.root, lang)?);
    }
    let is_known = |role: &&str| known.iter().any(|roles| roles.find(role).is_some());
    match named.into_iter().find(|role| !is_known(role)) {
        Some(name) => {
            let codes = known[0].codes();
            let fault = ROLE_UNKNOWN.with(values![name, names = Text::COMMA.join(&codes)]);
            Err(fault.ending(Exit::Usage).meaning(nearest(name, codes)))
        }
        None => Ok(()),
    }
}

/// Returns the items of a list that is written as in a file, `["PP", SD]`, with commas alone.
fn list_items(text: &str) -> Option<String> {
    let inner = text.trim().strip_prefix('[')?.strip_suffix(']')?;
    let items = inner
        .split(',')
        .map(|item| item.trim().trim_matches(['"', '\'']));
    Some(items.collect::<Vec<_>>().join(","))
}

fn target(user: bool, name: &str, key: &Key, context: &Context) -> Result<ConfigFile, Fault> {
    if !key.in_files {
        let provider = match name {
            "command" => COMMAND.to_owned(),
            "fixtures" => SCRIPTED.to_owned(),
            _ => {
                let chosen = context.config(Layer::default())?.provider;
                chosen.unwrap_or_else(|| "openai".to_owned())
            }
        };
        let own = PROVIDER_KEYS.iter().find(|own| own.name == name);
        let example = &own.unwrap_or(key).kind.example;
        return Err(KEY_NOT_IN_FILES.with(values![name, provider, example]));
    }
    if !user {
        let project = context.project_file();
        if config::is_forbidden(name) {
            let fix = format!("aitc config set --user {name} {}", key.kind.example);
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
    // A missing file is created.
    Ok(ConfigFile {
        is_named: false,
        ..own
    })
}
