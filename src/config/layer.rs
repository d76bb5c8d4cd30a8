//! What one source says: a file's text, variables, or flags, checked.

use std::collections::BTreeMap;

use super::keys::{FORBIDDEN, GROUPS, KEYS, Key, Kind, PRICE_KEYS, PROVIDER_KEYS, Place, SECRETS};
use super::yaml::{self, Node, Tree};
use super::{ConfigError, MAX_BYTES, Origin, Setting, Source, Value};

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
            .find(|key| key.name == name || (key.kind == Kind::Table && key.name == table));
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
            .map_err(|wanted| wrong_value(origin.clone(), name, Kind::Texts, "", &wanted))?;
        self.settings
            .insert(name.to_owned(), Setting { value, origin });
        Ok(())
    }

    /// What the `AITC_*` variables say, with a remark for each that means nothing.
    ///
    /// # Errors
    /// A value is outside what its key takes.
    pub fn from_env<'a>(
        variables: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<(Self, Vec<String>), ConfigError> {
        let (mut layer, mut remarks) = (Self::default(), Vec::new());
        for (name, text) in variables {
            if !name.starts_with("AITC_") || OTHER_VARIABLES.contains(&name) {
                continue;
            }
            match KEYS.iter().find(|key| key.has_variable(name)) {
                Some(_) if text.is_empty() => {}
                // Of two spellings the key's own is the one that counts.
                Some(key) if key.variable() != name && layer.value(key.name).is_some() => {}
                Some(key) => layer.put_variable(key, text, Origin::Env(name.to_owned()))?,
                None => remarks.push(format!("the variable `{name}` means nothing to aitc")),
            }
        }
        Ok((layer, remarks))
    }

    /// A variable's text; of a table it holds pairs, such as `RP=m1,SD=m2`.
    fn put_variable(&mut self, key: &Key, text: &str, origin: Origin) -> Result<(), ConfigError> {
        if key.kind != Kind::Table {
            return self.put(key.name.to_owned(), key, text, origin);
        }
        for pair in text.split(',').filter(|pair| !pair.trim().is_empty()) {
            let Some((name, value)) = pair.split_once('=') else {
                let wanted = "pairs such as `RP=name`, separated by commas";
                return Err(wrong_value(origin, key.name, key.kind, pair, wanted));
            };
            let name = format!("{}.{}", key.name, name.trim());
            self.put(name, key, value, origin.clone())?;
        }
        Ok(())
    }

    fn put(
        &mut self,
        name: String,
        key: &Key,
        text: &str,
        origin: Origin,
    ) -> Result<(), ConfigError> {
        let value = key
            .kind
            .read(text)
            .map_err(|wanted| wrong_value(origin.clone(), &name, key.kind, text, &wanted))?;
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
            |shown: &str| wrong_value(origin.clone(), &name, key.kind, shown, &key.kind.wanted());
        match (&node.value, key.kind) {
            (Tree::Text(text), _) => self.put(name, key, text, origin),
            (Tree::List(items), Kind::Texts) => {
                let texts = items.iter().map(|item| match &item.value {
                    Tree::Text(text) => Some(text.clone()),
                    _ => None,
                });
                let value = texts
                    .collect::<Option<Vec<_>>>()
                    .ok_or_else(|| wrong("a nested list"))
                    .and_then(|texts| Kind::list(texts).map_err(|_| wrong("an empty list")))?;
                self.settings.insert(name, Setting { value, origin });
                Ok(())
            }
            (Tree::Null, _) => Err(wrong("nothing")),
            (Tree::List(_), _) => Err(wrong("a list")),
            (Tree::Map(_), _) => Err(wrong("a mapping")),
        }
    }

    /// Every setting with its dotted key, in order of keys.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Setting)> {
        self.settings
            .iter()
            .map(|(key, setting)| (key.as_str(), setting))
    }

    /// One setting's value, if this layer has it.
    pub fn value(&self, key: &str) -> Option<&Value> {
        self.settings.get(key).map(|setting| &setting.value)
    }
}

/// Variables of `aitc` that are no settings.
const OTHER_VARIABLES: &[&str] = &[
    "AITC_API_KEY",
    "AITC_CONFIG",
    "AITC_DISCOVER",
    "AITC_LOG",
    "AITC_PAGER",
];

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
        what: format!("the file cannot be read as YAML: {}", error.what),
        why: "a configuration that is only half understood is not used".to_owned(),
        fix: format!("edit `{}` at line {}", source.path(), error.line),
    })?;
    match &root.value {
        Tree::Null => Ok(Layer::default()),
        Tree::Map(pairs) => settings(pairs, source, &at, false),
        _ => Err(ConfigError {
            origin: at(root.line),
            what: "the file is not a mapping of keys to values".to_owned(),
            why: "settings are written as `key: value`".to_owned(),
            fix: format!("edit `{}`, for example `questions: pause`", source.path()),
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
            "role_models" => role_models(&mut layer, node, at)?,
            "providers" => providers(&mut layer, node, at)?,
            "profile" | "profiles" if in_profile => {
                return Err(ConfigError {
                    origin: at(*line),
                    what: format!("a profile may not hold `{name}`"),
                    why: "one profile is chosen, from outside".to_owned(),
                    fix: format!("move `{name}` to the margin of the file"),
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
    Ok(layer)
}

fn top(layer: &mut Layer, name: &str, node: &Node, origin: Origin) -> Result<(), ConfigError> {
    let key = KEYS
        .iter()
        .filter(|key| key.place == Place::Anywhere && key.kind != Kind::Table)
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

fn role_models(
    layer: &mut Layer,
    node: &Node,
    at: &dyn Fn(u64) -> Origin,
) -> Result<(), ConfigError> {
    let Some(key) = KEYS.iter().find(|key| key.name == "role_models") else {
        return Ok(());
    };
    for (role, line, node) in mapping(node, "role_models", at)? {
        layer.put_node(format!("role_models.{role}"), key, node, at(*line))?;
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
                what: "the name of a provider is made of letters, digits, `-` and `_`".to_owned(),
                why: "it is used on the command line and in the record of a run".to_owned(),
                fix: "choose a name such as `local`".to_owned(),
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
        for needed in ["input", "output"] {
            if !layer.settings.contains_key(&full(needed)) {
                return Err(ConfigError {
                    origin: at(*line),
                    what: format!("the price of `{model}` has no `{needed}`"),
                    why: "a cost is told whole or not at all".to_owned(),
                    fix:
                        "write it like `{input: 0.40, output: 1.60}`, in dollars per million tokens"
                            .to_owned(),
                });
            }
        }
    }
    Ok(())
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
            what: format!("`{name}` must be a mapping of keys to values"),
            why: "its settings stand below it, each on a line of its own".to_owned(),
            fix: format!("write `{name}:` and its keys indented below"),
        }),
    }
}

fn names(keys: &[Key]) -> Vec<&'static str> {
    let spoken = keys.iter().filter(|key| key.place == Place::Anywhere);
    spoken.map(Key::leaf).collect()
}

fn stands_twice(layer: &Layer, name: &str, origin: &Origin) -> Result<(), ConfigError> {
    match layer.settings.get(name) {
        Some(earlier) => Err(ConfigError {
            origin: origin.clone(),
            what: format!("`{name}` was already set at {}", earlier.origin),
            why: "one of the two would be ignored without a word".to_owned(),
            fix: "keep one of them".to_owned(),
        }),
        None => Ok(()),
    }
}

fn forbidden(origin: Origin, name: &str, user_file: &str) -> ConfigError {
    ConfigError {
        origin,
        what: format!("a project's file may not set `{name}`"),
        why: "a cloned repository must not be able to redirect a key or run a command".to_owned(),
        fix: format!("move it to your own file `{user_file}`, or use a flag or variable"),
    }
}

fn secret_or_unknown(origin: Origin, name: &str, known: &[&str]) -> ConfigError {
    if !SECRETS.contains(&name.to_lowercase().as_str()) {
        return unknown(origin, name, known);
    }
    ConfigError {
        origin,
        what: format!("`{name}` would keep a secret in a file"),
        why: "keys are read from the environment only".to_owned(),
        fix: "set the key as a variable and name that variable with `api_key_env`".to_owned(),
    }
}

/// The word most like `name`, if one is like it.
pub(super) fn nearest<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    known
        .iter()
        .map(|candidate| (strsim::jaro_winkler(name, candidate), *candidate))
        .filter(|(likeness, _)| *likeness > 0.8)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, candidate)| candidate)
}

fn unknown(origin: Origin, name: &str, known: &[&str]) -> ConfigError {
    ConfigError {
        origin,
        what: format!("unknown key `{}`", name.escape_debug()),
        why: "a key that is not understood would be ignored without a word".to_owned(),
        fix: match nearest(name, known) {
            Some(candidate) => format!("did you mean `{candidate}`?"),
            None => format!("use one of `{}`", known.join("`, `")),
        },
    }
}

fn wrong_value(origin: Origin, name: &str, kind: Kind, given: &str, wanted: &str) -> ConfigError {
    let shown = if kind.may_be_shown() {
        let short: String = given.chars().take(60).collect();
        format!(", not `{}`", short.escape_debug())
    } else {
        String::new()
    };
    let example = kind.example();
    ConfigError {
        what: format!("`{name}` must be {wanted}{shown}"),
        why: "a value that does not fit is not guessed at".to_owned(),
        fix: match &origin {
            Origin::File { .. } => {
                let leaf = name.rsplit('.').next().unwrap_or(name);
                format!("write it like `{leaf}: {example}`")
            }
            Origin::Env(variable) => format!("set it like `{variable}={example}`"),
            Origin::Flag(flag) => format!("give it like `{flag} {example}`"),
        },
        origin,
    }
}
