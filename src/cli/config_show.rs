//! `aitc config show` and `get`: every value that holds, and where it comes from.

use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;

use super::{CliError, Context, Exit};
use crate::config::{self, Config, KEYS, Layer, Origin, Setting, Value};
use crate::fault::texts;
use crate::machine::Lang;
use crate::ui::view::{clean, table_of};

texts! {
    BUILT_IN: "built in", "内置";
    NOT_SET: "not set", "未设置";
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
    /// The setting.
    pub setting: SettingLine,
}

/// One setting.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SettingLine {
    /// Full name of the key.
    pub key: String,
    /// Text, number or list of texts; null if nothing holds.
    pub value: serde_json::Value,
    /// Where it comes from.
    pub origin: OriginDocument,
}

/// Where a value comes from.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum OriginDocument {
    /// Nobody set it.
    BuiltIn,
    /// A line of a file.
    File {
        /// Path as the user knows it.
        path: String,
        /// One-based line.
        line: u64,
    },
    /// A variable.
    Variable {
        /// Its name.
        name: String,
    },
    /// A flag.
    Flag {
        /// With its dashes.
        name: String,
    },
}

/// Prints every setting on stdout.
pub fn show(args: &ShowArgs, context: &Context) -> Result<Exit, CliError> {
    let config = context.config(Layer::default())?;
    let lang = context.lang(Some(&config));
    let held = all(&config);
    let rows: Vec<(String, String, String)> = held
        .iter()
        .map(|(key, setting)| {
            let (value, origin) = match value_of(key, *setting, &config) {
                Some(value) => (clean(&value.to_string()), origin_text(*setting, lang)),
                None => (NOT_SET.of(lang).to_owned(), String::new()),
            };
            (clean(key), value, origin)
        })
        .collect();
    let document = SettingsDocument {
        settings: held
            .iter()
            .map(|(key, one)| line(key, *one, &config))
            .collect(),
    };
    let shown = context.columned(&table(&rows, args.origin), lang);
    context.done(&shown, &document)
}

/// Prints one setting on stdout; an empty line when nothing holds.
pub fn get(args: &GetArgs, context: &Context) -> Result<Exit, CliError> {
    let (key, _) = config::find(&args.key)?;
    let config = context.config(Layer::default())?;
    let setting = config.settings.get(&key);
    let value =
        value_of(&key, setting, &config).map_or_else(String::new, |value| value.to_string());
    let document = SettingDocument {
        setting: line(&key, setting, &config),
    };
    context.done(&format!("{}\n", clean(&value)), &document)
}

/// Every key with the setting that holds, then the entries of tables.
fn all(config: &Config) -> Vec<(String, Option<&Setting>)> {
    let mut held: Vec<(String, Option<&Setting>)> = Vec::new();
    for key in KEYS {
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

/// The value that holds: a built-in warning is no higher than its limit.
fn value_of(key: &str, setting: Option<&Setting>, config: &Config) -> Option<Value> {
    let limits = &config.limits;
    match (setting, key) {
        (Some(setting), _) => Some(config::without_secrets(&setting.value)),
        (None, "limits.warn_at_rounds") => Some(Value::Number(limits.warn_at_rounds.into())),
        (None, "limits.warn_at_minutes") => Some(Value::Number(limits.warn_at_minutes.into())),
        (None, _) => config::built_in(key),
    }
}

fn line(key: &str, setting: Option<&Setting>, config: &Config) -> SettingLine {
    SettingLine {
        key: key.to_owned(),
        value: value_of(key, setting, config)
            .map_or(serde_json::Value::Null, |value| value.to_json()),
        origin: match setting.map(|setting| setting.origin.clone()) {
            None => OriginDocument::BuiltIn,
            Some(Origin::File { path, line }) => OriginDocument::File { path, line },
            Some(Origin::Env(name)) => OriginDocument::Variable { name },
            Some(Origin::Flag(name)) => OriginDocument::Flag {
                name: name.to_owned(),
            },
        },
    }
}

fn origin_text(setting: Option<&Setting>, lang: Lang) -> String {
    setting.map_or_else(
        || BUILT_IN.of(lang).to_owned(),
        |setting| clean(&setting.origin.to_string()),
    )
}

/// Keys, values and, if wanted, origins in columns.
fn table(rows: &[(String, String, String)], origins: bool) -> String {
    let rows = rows.iter().map(|(key, value, origin)| match origins {
        true => vec![key.clone(), value.clone(), origin.clone()],
        false => vec![key.clone(), value.clone()],
    });
    table_of(rows)
}
