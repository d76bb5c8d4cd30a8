//! What one source says: a file's text, variables, or flags, checked.

use std::collections::BTreeMap;

use super::keys::{FORBIDDEN, KEYS, Key, Kind, PRICE_KEYS, PROVIDER_KEYS, Place, SECRETS};
use super::yaml::{self, Node, Tree};
use super::{ConfigError, MAX_BYTES, Origin, Setting, Source, Value};

/// Settings of one source by dotted key; entries of tables stand on their own,
/// such as `role_models.TestPlanner` or `providers.openai.base_url`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Layer {
    pub(super) settings: BTreeMap<String, Setting>,
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
            let known = KEYS
                .iter()
                .find(|key| key.variable() == name && key.kind != Kind::Table);
            match known {
                Some(_) if text.is_empty() => {}
                Some(key) => {
                    layer.put(key.name.to_owned(), key, text, Origin::Env(name.to_owned()))?;
                }
                None => remarks.push(format!("the variable `{name}` means nothing to aitc")),
            }
        }
        Ok((layer, remarks))
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
const OTHER_VARIABLES: &[&str] = &["AITC_API_KEY", "AITC_CONFIG", "AITC_DISCOVER", "AITC_LOG"];

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
    let mut layer = Layer::default();
    let pairs = match root.value {
        Tree::Null => return Ok(layer),
        Tree::Map(pairs) => pairs,
        _ => {
            return Err(ConfigError {
                origin: at(root.line),
                what: "the file is not a mapping of keys to values".to_owned(),
                why: "settings are written as `key: value`".to_owned(),
                fix: format!("edit `{}`, for example `questions: pause`", source.path()),
            });
        }
    };
    for (name, line, node) in &pairs {
        let name = name.replace('-', "_");
        if let Source::Project { user_file, .. } = source
            && FORBIDDEN.contains(&name.to_lowercase().as_str())
        {
            return Err(forbidden(at(*line), &name, user_file));
        }
        match name.as_str() {
            "limits" | "similarity" => section(&mut layer, &name, node, &at)?,
            "role_models" => role_models(&mut layer, node, &at)?,
            "providers" => providers(&mut layer, node, &at)?,
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
            known.extend(["limits", "similarity", "providers"]);
            Err(secret_or_unknown(origin, name, &known))
        }
    }
}

/// The keys below a word of their own, such as `limits`.
fn section(
    layer: &mut Layer,
    section: &str,
    node: &Node,
    at: &dyn Fn(u64) -> Origin,
) -> Result<(), ConfigError> {
    let within: Vec<(&str, &Key)> = KEYS
        .iter()
        .filter_map(|key| Some((key.name.strip_prefix(section)?.strip_prefix('.')?, key)))
        .collect();
    for (name, line, node) in mapping(node, section, at)? {
        let plain = name.replace('-', "_");
        let called = |(leaf, key): &&(&str, &Key)| *leaf == plain || key.is_called(&plain);
        let Some((_, key)) = within.iter().find(called) else {
            let known: Vec<_> = within.iter().map(|(leaf, _)| *leaf).collect();
            return Err(secret_or_unknown(at(*line), &plain, &known));
        };
        stands_twice(layer, key.name, &at(*line))?;
        layer.put_node(key.name.to_owned(), key, node, at(*line))?;
    }
    Ok(())
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

fn unknown(origin: Origin, name: &str, known: &[&str]) -> ConfigError {
    let near = known
        .iter()
        .map(|candidate| (strsim::jaro_winkler(name, candidate), candidate))
        .filter(|(likeness, _)| *likeness > 0.8)
        .max_by(|a, b| a.0.total_cmp(&b.0));
    ConfigError {
        origin,
        what: format!("unknown key `{}`", name.escape_debug()),
        why: "a key that is not understood would be ignored without a word".to_owned(),
        fix: match near {
            Some((_, candidate)) => format!("did you mean `{candidate}`?"),
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
