//! The settings of one source: reads and validates a file's text or flags; `variables.rs` reads
//! variables.

use std::collections::BTreeMap;

use super::keys::{FORBIDDEN, KEYS, Key, PRICE_KEYS, PROVIDER_KEYS, SECRETS};
use super::kind::ValueType;
use super::lookup::{groups, is_mapping, key_at, parts};
use super::outside::check_knowledge_folders;
use super::{ConfigSource, MAX_BYTES, Origin, Setting, Value};
use crate::fault::settings::{
    CONFIG_NOT_MAPPING, CONFIG_YAML, KEY_FORBIDDEN, KEY_SECRET, KEY_TWICE, KEY_UNKNOWN, PRICE_HALF,
    PROFILE_INSIDE, PROVIDER_NAME, VALUE_WRONG,
};
use crate::fault::{
    Fault, Message, MessageValue as Said, Text, nearest, texts, use_one_of, values,
};
use crate::machine::Lang;
use crate::yaml::{self, Node, Tree};

/// Settings of one source by dotted key. Each entry of a table has its own key, such as
/// `role_models.TestPlanner` or `providers.openai.base_url`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Layer {
    pub(super) settings: BTreeMap<String, Setting>,
    pub(super) profiles: BTreeMap<String, Layer>,
}

impl Layer {
    /// Sets one key from a flag's text.
    ///
    /// # Errors
    /// The value is outside the key's range.
    pub fn flag(&mut self, flag: &'static str, name: &str, text: &str) -> Result<(), Fault> {
        let origin = Origin::Flag { name: flag };
        match key_at(&parts(name)) {
            Some((full, key)) => self.put(full, key, text, origin),
            None => Err(unknown(&origin, name, &names(&KEYS))),
        }
    }

    /// Sets the keys of the flags that were given.
    ///
    /// # Errors
    /// As [`Layer::flag`].
    pub fn flags(&mut self, flags: &[(&'static str, &str, &Option<String>)]) -> Result<(), Fault> {
        for (flag, name, text) in flags {
            if let Some(text) = text {
                self.flag(flag, name, text)?;
            }
        }
        Ok(())
    }

    /// These settings, with the missing ones taken from `others`.
    #[must_use]
    pub fn or(mut self, others: &Self) -> Self {
        for (name, setting) in &others.settings {
            let own = self.settings.entry(name.clone());
            own.or_insert_with(|| setting.clone());
        }
        self
    }

    /// Sets a key from a flag that may be repeated; an empty list sets nothing.
    ///
    /// # Errors
    /// As [`Layer::flag`].
    pub fn flag_list(
        &mut self,
        flag: &'static str,
        name: &str,
        texts: Vec<String>,
    ) -> Result<(), Fault> {
        if texts.is_empty() {
            return Ok(());
        }
        let origin = Origin::Flag { name: flag };
        let Some(key) = Key::called(&KEYS, name) else {
            return Err(unknown(&origin, name, &names(&KEYS)));
        };
        let value = key.kind.list(texts);
        let value = value.map_err(|wanted| wrong_value(&origin, name, &key.kind, &"", &wanted))?;
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
    ) -> Result<(), Fault> {
        let value = key.kind.read(text);
        let value =
            value.map_err(|wanted| wrong_value(&origin, &name, &key.kind, &text, &wanted))?;
        self.settings.insert(name, Setting { value, origin });
        Ok(())
    }

    /// Checks that every price has both parts: input and output tokens.
    ///
    /// # Errors
    /// A part is missing; the place is that of another part.
    pub(super) fn has_whole_prices(&self) -> Result<(), Fault> {
        for (name, setting) in &self.settings {
            let [_, provider, "prices", model, _] = *parts(name) else {
                continue;
            };
            let within = format!("providers.{provider}.prices.{model}");
            let lacks = |part: &&&str| self.value(&format!("{within}.{part}")).is_none();
            if let Some(needed) = ["input", "output"].iter().find(lacks) {
                let fault = PRICE_HALF.with(values![model, needed]);
                return Err(setting.origin.wrong(fault));
            }
        }
        Ok(())
    }

    /// All settings with their dotted keys, sorted by key.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Setting)> {
        self.settings
            .iter()
            .map(|(key, setting)| (key.as_str(), setting))
    }

    /// Names of the providers with settings, including those in profiles; a name may occur more
    /// than once.
    pub fn providers(&self) -> impl Iterator<Item = &str> {
        let profiles = self.profiles.values().flat_map(|one| one.settings.keys());
        let keys = self.settings.keys().chain(profiles);
        keys.filter_map(|key| key.strip_prefix("providers.")?.split_once('.'))
            .map(|(name, _)| name)
    }

    /// Names that the settings use as those of providers, and words before the colon of a model's
    /// name, which may be a provider.
    pub fn named_providers(&self) -> impl Iterator<Item = &str> {
        let profiles = self.profiles.values().flat_map(|one| &one.settings);
        let settings = self.settings.iter().chain(profiles);
        settings.filter_map(
            |(key, setting)| match (key.as_str(), setting.value.as_str()?) {
                ("provider" | "similarity.provider", name) => Some(name),
                (key, text) if key.starts_with("role_models.") => {
                    text.split_once(':').map(|(name, _)| name)
                }
                _ => None,
            },
        )
    }

    /// The value of a setting, if this layer has it.
    pub fn value(&self, key: &str) -> Option<&Value> {
        self.settings.get(key).map(|setting| &setting.value)
    }
}

/// Reads a configuration file's text.
///
/// # Errors
/// Malformed YAML, an unknown key, a value outside its range, or a key that a project's file may
/// not set; each with file and line.
pub fn parse(text: &str, source: &ConfigSource) -> Result<Layer, Fault> {
    let layer = parse_part(text, source)?;
    let mut layers = std::iter::once(&layer).chain(layer.profiles.values());
    layers.try_for_each(Layer::has_whole_prices)?;
    Ok(layer)
}

/// Reads a file that is being changed key by key: the other half of a price may be set next.
///
/// # Errors
/// As [`parse`].
pub(super) fn parse_part(text: &str, source: &ConfigSource) -> Result<Layer, Fault> {
    let reader = Reader {
        source,
        layer: Layer::default(),
    };
    let root = yaml::read(text, MAX_BYTES).map_err(|error| {
        let places: [(&str, &dyn Said); 3] = [
            ("what", &error.what),
            ("path", &source.path()),
            ("line", &error.line),
        ];
        reader.at(error.line).wrong(CONFIG_YAML.with(&places))
    })?;
    match &root.value {
        Tree::Null => Ok(Layer::default()),
        Tree::Map(pairs) => reader.settings(pairs, false),
        _ => Err(reader.at(root.line).wrong(CONFIG_NOT_MAPPING.with(values![
            name = Text("the file", "文件"),
            example = "questions: pause"
        ]))),
    }
}

/// Whether only the user's own files may set the key or its section.
pub fn is_forbidden(name: &str) -> bool {
    let name = name.to_lowercase();
    let first = name.split('.').next().unwrap_or(&name);
    FORBIDDEN.contains(&first)
}

/// An entry of a mapping: name, line and value.
type Pair = (String, u64, Node);

/// Reads a file, or one profile in it.
struct Reader<'a> {
    source: &'a ConfigSource,
    layer: Layer,
}

impl Reader<'_> {
    fn at(&self, line: u64) -> Origin {
        Origin::File {
            path: self.source.path().to_owned(),
            line,
        }
    }

    fn settings(mut self, pairs: &[Pair], in_profile: bool) -> Result<Layer, Fault> {
        for (name, line, node) in pairs {
            let name = name.replace('-', "_");
            if let ConfigSource::Project { user_file, .. } = self.source
                && is_forbidden(&name)
            {
                return Err(forbidden(&self.at(*line), &name, user_file));
            }
            match name.as_str() {
                "profile" | "profiles" if in_profile => {
                    let fault = PROFILE_INSIDE.with(values![name]);
                    return Err(self.at(*line).wrong(fault));
                }
                "profiles" => {
                    for (profile, _, node) in self.mapping(node, "profiles")? {
                        let reader = Reader {
                            source: self.source,
                            layer: Layer::default(),
                        };
                        let held = reader.settings(self.mapping(node, profile)?, true)?;
                        self.layer.profiles.insert(profile.clone(), held);
                    }
                }
                name => self.entry(&[], (name, *line, node))?,
            }
        }
        match self.source {
            ConfigSource::Project { .. } => check_knowledge_folders(&self.layer)?,
            ConfigSource::User { .. } => {}
        }
        Ok(self.layer)
    }

    /// Reads what is below the names `above`: a value, or a mapping with further entries.
    fn entry(
        &mut self,
        above: &[&str],
        (name, line, node): (&str, u64, &Node),
    ) -> Result<(), Fault> {
        let path = [above, &[name]].concat();
        if is_mapping(&path) {
            let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
            if above == ["providers"] && (name.is_empty() || !name.chars().all(is_plain)) {
                return Err(self.at(line).wrong(PROVIDER_NAME.with(&[])));
            }
            for (name, line, node) in self.mapping(node, name)? {
                self.entry(&path, (name, *line, node))?;
            }
            return Ok(());
        }
        match key_at(&path) {
            Some((full, key)) if key.in_files => self.put_once(full, key, node, line),
            _ => Err(secret_or_unknown(
                &self.at(line),
                &name.replace('-', "_"),
                &known_in(above),
            )),
        }
    }

    fn put_once(&mut self, name: String, key: &Key, node: &Node, line: u64) -> Result<(), Fault> {
        let origin = self.at(line);
        if let Some(earlier) = self.layer.settings.get(&name) {
            let fault = KEY_TWICE.with(values![name, place = earlier.origin]);
            return Err(origin.wrong(fault));
        }
        self.put(name, key, node, origin)
    }

    fn put(&mut self, name: String, key: &Key, node: &Node, origin: Origin) -> Result<(), Fault> {
        let given = match &node.value {
            Tree::Text(text) => return self.layer.put(name, key, text, origin),
            Tree::List(items) if key.kind.is_list() => {
                let texts = items.iter().map(|item| match &item.value {
                    Tree::Text(text) => Some(text.clone()),
                    _ => None,
                });
                match texts
                    .collect::<Option<Vec<_>>>()
                    .map(|texts| key.kind.list(texts))
                {
                    Some(Ok(value)) => {
                        self.layer.settings.insert(name, Setting { value, origin });
                        return Ok(());
                    }
                    Some(Err(_)) => Text("an empty list", "空列表"),
                    None => Text("a nested list", "嵌套的列表"),
                }
            }
            Tree::Null => Text("nothing", "空"),
            Tree::List(_) => Text("a list", "列表"),
            Tree::Map(_) => Text("a mapping", "映射"),
        };
        let kind = &key.kind;
        Err(wrong_value(&origin, &name, kind, &given, &kind.wanted))
    }

    fn mapping<'n>(&self, node: &'n Node, name: &str) -> Result<&'n [Pair], Fault> {
        match &node.value {
            Tree::Map(pairs) => Ok(pairs),
            Tree::Null => Ok(&[]),
            _ => Err(self.at(node.line).wrong(CONFIG_NOT_MAPPING.with(values![
                name = format!("`{name}`"),
                example = format!("{name}: {{key: value}}")
            ]))),
        }
    }
}

/// The names allowed below these names.
fn known_in(path: &[&str]) -> Vec<&'static str> {
    match *path {
        [] => {
            let mut known = names(&KEYS);
            known.extend(groups().into_iter().chain(["providers", "profiles"]));
            known
        }
        [group] => {
            let below = |name: &'static String| name.strip_prefix(group)?.strip_prefix('.');
            let keys = KEYS.iter();
            keys.filter_map(|key| key.spellings.iter().find_map(below))
                .collect()
        }
        [_, _] => names(&PROVIDER_KEYS),
        _ => names(&PRICE_KEYS),
    }
}

pub(super) fn names(keys: &[Key]) -> Vec<&'static str> {
    let spoken = keys.iter().filter(|key| key.in_files);
    spoken.map(Key::leaf).collect()
}

fn forbidden(origin: &Origin, name: &str, user_file: &str) -> Fault {
    if SECRETS.contains(&name) {
        return origin.wrong(KEY_SECRET.with(values![name]));
    }
    let fault = KEY_FORBIDDEN.with(values![name, file = user_file]);
    let is_key = Key::called(&KEYS, name).is_some_and(|key| key.in_files);
    if is_key || is_mapping(&[name]) {
        return origin.wrong(fault);
    }
    // The user's own file would refuse it in this form, so the fix shows another one.
    let (leaf, example) = match Key::called(&PROVIDER_KEYS, name) {
        Some(key) => (key.name, &*key.kind.example),
        None => ("base_url", "https://example.com/v1"),
    };
    let places: [(&str, &dyn Said); 2] = [("leaf", &leaf), ("example", &example)];
    origin.wrong(fault.fixed_by(OF_PROVIDER.fill(&places)))
}

texts! {
    OF_PROVIDER: "aitc config set --user providers.my.{leaf} {example}, then --provider my", "aitc config set --user providers.my.{leaf} {example}，然后用 --provider my";
}

fn secret_or_unknown(origin: &Origin, name: &str, known: &[&str]) -> Fault {
    match SECRETS.contains(&name.to_lowercase().as_str()) {
        true => origin.wrong(KEY_SECRET.with(values![name])),
        false => unknown(origin, name, known),
    }
}

pub(super) fn unknown(origin: &Origin, name: &str, known: &[&str]) -> Fault {
    // Other spellings are accepted too; the nearest one is suggested if no name is near.
    let others = KEYS.iter().flat_map(|key| &key.spellings);
    let others = others.map(String::as_str);
    let near = nearest(name, known.iter().copied()).or_else(|| nearest(name, others));
    let fault = KEY_UNKNOWN.with(values![name = name.escape_debug()]);
    origin.wrong(fault.fixed_by(use_one_of(known)).meaning(near))
}

pub(super) fn wrong_value(
    origin: &Origin,
    name: &str,
    kind: &ValueType,
    given: &dyn Said,
    wanted: &Message,
) -> Fault {
    let near = nearest(&given.in_lang(Lang::En), kind.words());
    let example = near.unwrap_or(&kind.example);
    let example = match origin {
        Origin::File { .. } => {
            let leaf = name.rsplit('.').next().unwrap_or(name);
            match example.split_once('=') {
                Some((entry, value)) if kind.is_table() => format!("{leaf}: {{{entry}: {value}}}"),
                _ if kind.is_list() => format!("{leaf}: [{}]", example.replace(',', ", ")),
                // Brackets alone would be read as a list.
                _ if example.starts_with('[') => format!("{leaf}: '{example}'"),
                _ => format!("{leaf}: {example}"),
            }
        }
        Origin::Env { name } => format!("{name}={example}"),
        Origin::Flag { name } => format!("{name} {example}"),
    };
    let fault = VALUE_WRONG.with(values![name, wanted, shown = kind.not(given), example]);
    origin.wrong(fault)
}
