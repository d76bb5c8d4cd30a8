//! The published schemas: how the files in `schemas/` are generated from the types, and how a
//! document is validated against one.
//!
//! A definition used by several files exists once. A type with its own file is referred to there,
//! others in `definitions.schema.json`; a definition used by one file is in its `$defs`. References
//! are relative, so the folder works at any location.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use jsonschema::{Retrieve, Uri, Validator};
use serde_json::{Map, Value, json};

const SHARED: &str = "definitions";
const LOCAL: &str = "#/$defs/";
const WIDTH: usize = 100;

/// The folder of the files.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("schemas")
}

/// The expected content of every file, by path below `schemas/`.
pub fn files() -> BTreeMap<String, String> {
    // The schemas describe what is written, not everything that is accepted.
    let settings = aitc::reply::schema_settings().for_serialize();
    let mut generator = settings.into_generator();
    let roots = aitc::cli::schemas(&mut generator);
    let roots = roots
        .into_iter()
        .map(|(name, schema)| (name, schema.into()));
    let all = Published::new(roots.collect(), generator.take_definitions(true));
    let shared = (SHARED.to_owned(), all.shared());
    let whole = all.roots.keys().map(|name| (name.clone(), all.file(name)));
    whole
        .chain([shared])
        .map(|(name, schema)| (format!("{name}.schema.json"), text(&schema)))
        .collect()
}

/// A validator of the published file `name`, such as `commands/status`.
pub fn validator(name: &str) -> Validator {
    let path = folder().join(format!("{name}.schema.json"));
    jsonschema::options()
        .with_base_uri(format!("file://{}", path.display()))
        .with_retriever(Files)
        .build(&read(&path))
        .unwrap()
}

struct Files;

impl Retrieve for Files {
    fn retrieve(
        &self,
        uri: &Uri<String>,
    ) -> Result<Value, Box<dyn std::error::Error + Send + Sync>> {
        Ok(read(Path::new(uri.path().as_str())))
    }
}

fn read(path: &Path) -> Value {
    let text = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    serde_json::from_str(&text).unwrap()
}

struct Published {
    /// By path, without the extension.
    roots: BTreeMap<String, Value>,
    definitions: Map<String, Value>,
    /// Definitions that are a whole file, with its path.
    whole: BTreeMap<String, String>,
    /// Definitions used by more than one file.
    common: BTreeSet<String>,
}

impl Published {
    fn new(roots: BTreeMap<String, Value>, definitions: Map<String, Value>) -> Self {
        let whole = roots
            .iter()
            .filter(|(_, schema)| schema.as_object().unwrap().len() == 1)
            .filter_map(|(path, schema)| Some((local(schema)?.to_owned(), path.clone())))
            .collect();
        let mut all = Self {
            roots,
            definitions,
            whole,
            common: BTreeSet::new(),
        };
        let mut needed = BTreeMap::<String, usize>::new();
        for name in all.roots.keys() {
            for definition in all.needs(all.root(name)) {
                *needed.entry(definition).or_default() += 1;
            }
        }
        needed.retain(|_, files| *files > 1);
        all.common = needed.into_keys().collect();
        all
    }

    /// The schema of a file; if it is only a reference to a definition, that definition.
    fn root(&self, name: &str) -> &Value {
        let root = &self.roots[name];
        let is_whole = |definition: &&str| self.whole.get(*definition).is_some_and(|it| it == name);
        let definition = local(root).filter(is_whole);
        definition.map_or(root, |definition| &self.definitions[definition])
    }

    /// All definitions that a schema refers to, directly or not; one with its own file is not
    /// followed.
    fn needs(&self, schema: &Value) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        let mut open = vec![schema];
        while let Some(schema) = open.pop() {
            for name in references(schema) {
                if !self.whole.contains_key(name) && found.insert(name.to_owned()) {
                    open.push(&self.definitions[name]);
                }
            }
        }
        found
    }

    fn file(&self, name: &str) -> Value {
        let root = self.root(name);
        let mut file = Map::new();
        file.insert(
            "$schema".to_owned(),
            json!("https://json-schema.org/draft/2020-12/schema"),
        );
        file.insert("title".to_owned(), json!(name.rsplit('/').next()));
        let rest = root.as_object().unwrap().clone().into_iter();
        file.extend(rest.filter(|(key, _)| key != "$schema" && key != "title"));
        let own = self.needs(root);
        let own: Map<String, Value> = own
            .difference(&self.common)
            .map(|name| (name.clone(), self.definitions[name].clone()))
            .collect();
        if !own.is_empty() {
            file.insert("$defs".to_owned(), own.into());
        }
        let mut file = file.into();
        self.point(&mut file, if name.contains('/') { "../" } else { "" });
        file
    }

    /// The file of definitions used by more than one file.
    fn shared(&self) -> Value {
        let definitions: Map<String, Value> = self
            .common
            .iter()
            .map(|name| (name.clone(), self.definitions[name].clone()))
            .collect();
        let mut file = json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": SHARED,
            "description": "What several schemas of this folder refer to.",
            "$defs": definitions,
        });
        self.point(&mut file, "");
        let text = file.to_string();
        let own = format!("{SHARED}.schema.json{LOCAL}");
        serde_json::from_str(&text.replace(&own, LOCAL)).unwrap()
    }

    /// Changes references to definitions in other files into paths; `up` is the path to `schemas/`.
    fn point(&self, schema: &mut Value, up: &str) {
        match schema {
            Value::Object(map) => {
                for (key, value) in map {
                    let Some(name) = value.as_str().and_then(|it| it.strip_prefix(LOCAL)) else {
                        self.point(value, up);
                        continue;
                    };
                    assert_eq!(key, "$ref");
                    if let Some(path) = self.whole.get(name) {
                        let sibling = path.strip_prefix("commands/").filter(|_| !up.is_empty());
                        let path = sibling.map_or(format!("{up}{path}"), str::to_owned);
                        *value = json!(format!("{path}.schema.json"));
                    } else if self.common.contains(name) {
                        *value = json!(format!("{up}{SHARED}.schema.json{LOCAL}{name}"));
                    }
                }
            }
            Value::Array(list) => list.iter_mut().for_each(|value| self.point(value, up)),
            _ => {}
        }
    }
}

fn local(schema: &Value) -> Option<&str> {
    schema["$ref"].as_str()?.strip_prefix(LOCAL)
}

/// The definitions that a schema refers to directly.
fn references(schema: &Value) -> Vec<&str> {
    match schema {
        Value::Object(map) => {
            let below = map.values().flat_map(references);
            local(schema).into_iter().chain(below).collect()
        }
        Value::Array(list) => list.iter().flat_map(references).collect(),
        _ => Vec::new(),
    }
}

/// Readable JSON: a value is on one line if it fits.
fn text(schema: &Value) -> String {
    let mut text = String::new();
    lay_out(schema, 0, 0, &mut text);
    text.push('\n');
    text
}

/// Writes a value whose line is indented by `indent` and has `used` more columns.
fn lay_out(value: &Value, indent: usize, used: usize, text: &mut String) {
    let line = spaced(value);
    let fits = indent + used + line.chars().count() < WIDTH;
    let items: Vec<(String, &Value)> = match value {
        Value::Object(map) if !fits && !map.is_empty() => map
            .iter()
            .map(|(key, value)| (format!("{}: ", json!(key)), value))
            .collect(),
        Value::Array(list) if !fits && !list.is_empty() => {
            list.iter().map(|value| (String::new(), value)).collect()
        }
        _ => return text.push_str(&line),
    };
    let [open, close] = if value.is_object() {
        ['{', '}']
    } else {
        ['[', ']']
    };
    text.push(open);
    let last = items.len() - 1;
    for (n, (key, value)) in items.into_iter().enumerate() {
        text.push('\n');
        text.push_str(&" ".repeat(indent + 2));
        text.push_str(&key);
        lay_out(value, indent + 2, key.chars().count() + 1, text);
        if n < last {
            text.push(',');
        }
    }
    text.push('\n');
    text.push_str(&" ".repeat(indent));
    text.push(close);
}

/// On one line, with a space after `:` and `,`.
fn spaced(value: &Value) -> String {
    match value {
        Value::Object(map) => {
            let fields = map
                .iter()
                .map(|(key, value)| format!("{}: {}", json!(key), spaced(value)));
            format!("{{{}}}", fields.collect::<Vec<_>>().join(", "))
        }
        Value::Array(list) => {
            format!(
                "[{}]",
                list.iter().map(spaced).collect::<Vec<_>>().join(", ")
            )
        }
        _ => value.to_string(),
    }
}
