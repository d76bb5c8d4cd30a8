//! What one source says: a file's text or flags, checked; variables are read next door.

use std::collections::BTreeMap;

use super::keys::{FORBIDDEN, GROUPS, KEYS, Key, PRICE_KEYS, PROVIDER_KEYS, Place, SECRETS};
use super::kind::Kind;
use super::outside::knows_only_the_workspace;
use super::{ConfigError, MAX_BYTES, Origin, Setting, Source, Value};
use crate::fault::settings::{
    CONFIG_NOT_MAPPING, CONFIG_YAML, KEY_FORBIDDEN, KEY_SECRET, KEY_TWICE, KEY_UNKNOWN, PRICE_HALF,
    PROFILE_INSIDE, PROVIDER_NAME, VALUE_WRONG,
};
use crate::fault::{Message, Text, Value as Said, did_you_mean, nearest, use_one_of};
use crate::machine::Lang;
use crate::yaml::{self, Node, Tree};

/// Settings of one source by dotted key; entries of tables stand on their own,
/// such as `role_models.TestPlanner` or `providers.openai.base_url`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Layer {
    pub(super) settings: BTreeMap<String, Setting>,
    pub(super) profiles: BTreeMap<String, Layer>,
}

impl Layer {
    /// Sets one key from a flag's text.
    ///
    /// # Errors
    /// The value is outside what the key takes.
    pub fn flag(&mut self, flag: &'static str, name: &str, text: &str) -> Result<(), ConfigError> {
        let table = name.split_once('.').map_or(name, |(table, _)| table);
        let key = KEYS
            .iter()
            .find(|key| key.name == name || (key.kind.is_table() && key.name == table));
        let origin = Origin::Flag(flag);
        let Some(key) = key else {
            return Err(unknown(origin, name, &names(KEYS)));
        };
        self.put(name.to_owned(), key, text, origin)
    }

    /// Sets one key from a flag that may be repeated; no texts set nothing.
    ///
    /// # Errors
    /// As [`Layer::flag`].
    pub fn flag_list(
        &mut self,
        flag: &'static str,
        name: &str,
        texts: Vec<String>,
    ) -> Result<(), ConfigError> {
        if texts.is_empty() {
            return Ok(());
        }
        let origin = Origin::Flag(flag);
        let value = Kind::list(texts)
            .map_err(|wanted| wrong_value(origin.clone(), name, Kind::Texts, &"", &wanted))?;
        self.settings
            .insert(name.to_owned(), Setting { value, origin });
        Ok(())
    }

    /// Sets one key from a text.
    pub(super) fn put(
        &mut self,
        name: String,
        key: &Key,
        text: &str,
        origin: Origin,
    ) -> Result<(), ConfigError> {
        let value = key
            .kind
            .read(text)
            .map_err(|wanted| wrong_value(origin.clone(), &name, key.kind, &text, &wanted))?;
        self.settings.insert(name, Setting { value, origin });
        Ok(())
    }

    fn put_node(
        &mut self,
        name: String,
        key: &Key,
        node: &Node,
        origin: Origin,
    ) -> Result<(), ConfigError> {
        let wrong =
            |shown: Text| wrong_value(origin.clone(), &name, key.kind, &shown, &key.kind.wanted());
        match (&node.value, key.kind) {
            (Tree::Text(text), _) => self.put(name, key, text, origin),
            (Tree::List(items), Kind::Texts | Kind::Program) => {
                let texts = items.iter().map(|item| match &item.value {
                    Tree::Text(text) => Some(text.clone()),
                    _ => None,
                });
                let value = texts
                    .collect::<Option<Vec<_>>>()
                    .ok_or_else(|| wrong(Text("a nested list", "嵌套的列表")))
                    .and_then(|texts| {
                        Kind::list(texts).map_err(|_| wrong(Text("an empty list", "空列表")))
                    })?;
                self.settings.insert(name, Setting { value, origin });
                Ok(())
            }
            (Tree::Null, _) => Err(wrong(Text("nothing", "空"))),
            (Tree::List(_), _) => Err(wrong(Text("a list", "列表"))),
            (Tree::Map(_), _) => Err(wrong(Text("a mapping", "映射"))),
        }
    }

    /// Every setting with its dotted key, in order of keys.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Setting)> {
        self.settings
            .iter()
            .map(|(key, setting)| (key.as_str(), setting))
    }

    /// Names of the providers that are described, those of profiles too; a name may come
    /// more than once.
    pub fn providers(&self) -> impl Iterator<Item = &str> {
        let profiles = self.profiles.values().flat_map(|one| one.settings.keys());
        let keys = self.settings.keys().chain(profiles);
        keys.filter_map(|key| key.strip_prefix("providers.")?.split_once('.'))
            .map(|(name, _)| name)
    }

    /// One setting's value, if this layer has it.
    pub fn value(&self, key: &str) -> Option<&Value> {
        self.settings.get(key).map(|setting| &setting.value)
    }
}

/// Reads a configuration file's text.
///
/// # Errors
/// Malformed YAML, an unknown key, a value outside its range, or a key that a
/// project's file may never set; each with file and line.
pub fn parse(text: &str, source: &Source) -> Result<Layer, ConfigError> {
    let at = |line: u64| Origin::File {
        path: source.path().to_owned(),
        line,
    };
    let root = yaml::read(text, MAX_BYTES).map_err(|error| ConfigError {
        origin: at(error.line),
        fault: CONFIG_YAML.with(&[
            ("what", &error.what),
            ("path", &source.path()),
            ("line", &error.line),
        ]),
    })?;
    match &root.value {
        Tree::Null => Ok(Layer::default()),
        Tree::Map(pairs) => settings(pairs, source, &at, false),
        _ => Err(ConfigError {
            origin: at(root.line),
            fault: CONFIG_NOT_MAPPING.with(&[
                ("name", &Text("the file", "文件")),
                ("example", &"questions: pause"),
            ]),
        }),
    }
}

/// The settings of a file, or of one profile in it.
fn settings(
    pairs: &[(String, u64, Node)],
    source: &Source,
    at: &dyn Fn(u64) -> Origin,
    in_profile: bool,
) -> Result<Layer, ConfigError> {
    let mut layer = Layer::default();
    for (name, line, node) in pairs {
        let name = name.replace('-', "_");
        if let Source::Project { user_file, .. } = source
            && FORBIDDEN.contains(&name.to_lowercase().as_str())
        {
            return Err(forbidden(at(*line), &name, user_file));
        }
        match name.as_str() {
            group if GROUPS.contains(&group) => grouped(&mut layer, group, node, at)?,
            _ if let Some(key) = table_called(&name) => by_name(&mut layer, key, node, at)?,
            "providers" => providers(&mut layer, node, at)?,
            "profile" | "profiles" if in_profile => {
                return Err(ConfigError {
                    origin: at(*line),
                    fault: PROFILE_INSIDE.with(&[("name", &name)]),
                });
            }
            "profiles" => {
                for (profile, _, node) in mapping(node, "profiles", at)? {
                    let held = settings(mapping(node, profile, at)?, source, at, true)?;
                    layer.profiles.insert(profile.clone(), held);
                }
            }
            _ => top(&mut layer, &name, node, at(*line))?,
        }
    }
    match source {
        Source::Project { .. } => knows_only_the_workspace(&layer)?,
        Source::User { .. } => {}
    }
    Ok(layer)
}

fn top(layer: &mut Layer, name: &str, node: &Node, origin: Origin) -> Result<(), ConfigError> {
    let key = KEYS
        .iter()
        .filter(|key| key.place == Place::Anywhere && !key.kind.is_table())
        .find(|key| key.is_called(name));
    match key {
        Some(key) => {
            stands_twice(layer, key.name, &origin)?;
            layer.put_node(key.name.to_owned(), key, node, origin)
        }
        None => {
            let mut known = names(KEYS);
            known.extend(GROUPS.iter().copied().chain(["providers", "profiles"]));
            Err(secret_or_unknown(origin, name, &known))
        }
    }
}

fn grouped(
    layer: &mut Layer,
    group: &str,
    node: &Node,
    at: &dyn Fn(u64) -> Origin,
) -> Result<(), ConfigError> {
    for (name, line, node) in mapping(node, group, at)? {
        let plain = name.replace('-', "_");
        let Some(key) = KEYS.iter().find(|key| key.is_in(group, &plain)) else {
            return Err(unknown(at(*line), name, &names_in(group)));
        };
        stands_twice(layer, key.name, &at(*line))?;
        layer.put_node(key.name.to_owned(), key, node, at(*line))?;
    }
    Ok(())
}

/// What may stand below a mapping, by the last part of its name.
fn names_in(group: &str) -> Vec<&'static str> {
    let below = |name: &'static str| name.strip_prefix(group)?.strip_prefix('.');
    KEYS.iter()
        .filter_map(|key| {
            let names = std::iter::once(key.name).chain(key.aliases.iter().copied());
            names.into_iter().find_map(below)
        })
        .collect()
}

fn table_called(name: &str) -> Option<&'static Key> {
    KEYS.iter()
        .find(|key| key.kind.is_table() && key.name == name)
}

/// What a key holds by name.
fn by_name(
    layer: &mut Layer,
    key: &Key,
    node: &Node,
    at: &dyn Fn(u64) -> Origin,
) -> Result<(), ConfigError> {
    for (role, line, node) in mapping(node, key.name, at)? {
        layer.put_node(format!("{}.{role}", key.name), key, node, at(*line))?;
    }
    Ok(())
}

fn providers(
    layer: &mut Layer,
    node: &Node,
    at: &dyn Fn(u64) -> Origin,
) -> Result<(), ConfigError> {
    for (provider, line, node) in mapping(node, "providers", at)? {
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        if provider.is_empty() || !provider.chars().all(plain) {
            return Err(ConfigError {
                origin: at(*line),
                fault: PROVIDER_NAME.with(&[]),
            });
        }
        for (name, line, node) in mapping(node, provider, at)? {
            let leaf = name.replace('-', "_");
            if leaf == "prices" {
                prices(layer, node, &format!("providers.{provider}.prices"), at)?;
                continue;
            }
            let Some(key) = PROVIDER_KEYS.iter().find(|key| key.is_called(&leaf)) else {
                return Err(secret_or_unknown(at(*line), &leaf, &names(PROVIDER_KEYS)));
            };
            let full = format!("providers.{provider}.{}", key.name);
            stands_twice(layer, &full, &at(*line))?;
            layer.put_node(full, key, node, at(*line))?;
        }
    }
    Ok(())
}

/// Prices by model name, each with `input` and `output`.
fn prices(
    layer: &mut Layer,
    node: &Node,
    within: &str,
    at: &dyn Fn(u64) -> Origin,
) -> Result<(), ConfigError> {
    for (model, line, node) in mapping(node, "prices", at)? {
        let full = |leaf: &str| format!("{within}.{model}.{leaf}");
        for (name, line, node) in mapping(node, model, at)? {
            let leaf = name.replace('-', "_");
            let Some(key) = PRICE_KEYS.iter().find(|key| key.is_called(&leaf)) else {
                return Err(unknown(at(*line), &leaf, &names(PRICE_KEYS)));
            };
            stands_twice(layer, &full(key.name), &at(*line))?;
            layer.put_node(full(key.name), key, node, at(*line))?;
        }
        whole_price(layer, within, model, &at(*line))?;
    }
    Ok(())
}

/// A price says what is sent costs, and what is written.
pub(super) fn whole_price(
    layer: &Layer,
    within: &str,
    model: &str,
    origin: &Origin,
) -> Result<(), ConfigError> {
    let is_there = |leaf: &str| {
        layer
            .settings
            .contains_key(&format!("{within}.{model}.{leaf}"))
    };
    match ["input", "output"].iter().find(|leaf| !is_there(leaf)) {
        Some(needed) => Err(ConfigError {
            origin: origin.clone(),
            fault: PRICE_HALF.with(&[("model", &model), ("needed", needed)]),
        }),
        None => Ok(()),
    }
}

fn mapping<'a>(
    node: &'a Node,
    name: &str,
    at: &dyn Fn(u64) -> Origin,
) -> Result<&'a [(String, u64, Node)], ConfigError> {
    match &node.value {
        Tree::Map(pairs) => Ok(pairs),
        Tree::Null => Ok(&[]),
        _ => Err(ConfigError {
            origin: at(node.line),
            fault: CONFIG_NOT_MAPPING.with(&[
                ("name", &format!("`{name}`")),
                ("example", &format!("{name}: {{key: value}}")),
            ]),
        }),
    }
}

pub(super) fn names(keys: &[Key]) -> Vec<&'static str> {
    let spoken = keys.iter().filter(|key| key.place == Place::Anywhere);
    spoken.map(Key::leaf).collect()
}

fn stands_twice(layer: &Layer, name: &str, origin: &Origin) -> Result<(), ConfigError> {
    match layer.settings.get(name) {
        Some(earlier) => Err(ConfigError {
            origin: origin.clone(),
            fault: KEY_TWICE.with(&[("name", &name), ("place", &earlier.origin)]),
        }),
        None => Ok(()),
    }
}

fn forbidden(origin: Origin, name: &str, user_file: &str) -> ConfigError {
    let fault = KEY_FORBIDDEN.with(&[("name", &name), ("file", &user_file)]);
    let called = |keys: &[Key]| keys.iter().find(|key| key.is_called(name)).copied();
    let is_key = called(KEYS).is_some_and(|key| key.place == Place::Anywhere);
    if is_key || name == "providers" {
        return ConfigError { origin, fault };
    }
    // Moved as it is, it would be refused in one's own file, too.
    let (leaf, kind) =
        called(PROVIDER_KEYS).map_or(("base_url", Kind::Url), |key| (key.leaf(), key.kind));
    let places: [(&str, &dyn Said); 2] = [("leaf", &leaf), ("example", &kind.example())];
    ConfigError {
        origin,
        fault: fault.fixed_by(OF_PROVIDER.fill(&places)),
    }
}

const OF_PROVIDER: Text = Text(
    "aitc config set --user providers.my.{leaf} {example}, then --provider my",
    "aitc config set --user providers.my.{leaf} {example}，然后用 --provider my",
);

fn secret_or_unknown(origin: Origin, name: &str, known: &[&str]) -> ConfigError {
    if !SECRETS.contains(&name.to_lowercase().as_str()) {
        return unknown(origin, name, known);
    }
    ConfigError {
        origin,
        fault: KEY_SECRET.with(&[("name", &name)]),
    }
}

pub(super) fn unknown(origin: Origin, name: &str, known: &[&str]) -> ConfigError {
    // Other spellings are understood too; they are looked through last.
    let aliases = || {
        KEYS.iter()
            .flat_map(|key| key.aliases)
            .filter(|alias| !alias.contains('.'))
    };
    let near = nearest(name, known.iter().copied());
    let fix = match near.or_else(|| nearest(name, aliases().copied())) {
        Some(candidate) => did_you_mean(candidate),
        None => use_one_of(known),
    };
    ConfigError {
        origin,
        fault: KEY_UNKNOWN
            .with(&[("name", &name.escape_debug())])
            .fixed_by(fix),
    }
}

pub(super) fn wrong_value(
    origin: Origin,
    name: &str,
    kind: Kind,
    given: &dyn Said,
    wanted: &Message,
) -> ConfigError {
    let near = match kind {
        Kind::Choice(words) => nearest(&given.in_lang(Lang::En), words.iter().copied()),
        _ => None,
    };
    let example = near.map_or_else(|| kind.example(), str::to_owned);
    let example = match &origin {
        Origin::File { .. } => {
            let leaf = name.rsplit('.').next().unwrap_or(name);
            match (kind, example.split_once('=')) {
                (Kind::Table | Kind::Temperatures, Some((entry, value))) => {
                    format!("{leaf}: {{{entry}: {value}}}")
                }
                (Kind::Texts | Kind::Program, _) => {
                    format!("{leaf}: [{}]", example.replace(',', ", "))
                }
                // Brackets alone would be a list.
                (Kind::Marker, _) => format!("{leaf}: '{example}'"),
                _ => format!("{leaf}: {example}"),
            }
        }
        Origin::Env(variable) => format!("{variable}={example}"),
        Origin::Flag(flag) => format!("{flag} {example}"),
    };
    let fault = VALUE_WRONG.with(&[
        ("name", &name),
        ("wanted", wanted),
        ("shown", &kind.not(given)),
        ("example", &example),
    ]);
    ConfigError { origin, fault }
}
