//! The JSON Schema of a configuration file, for editors.

use serde_json::{Map, Value, json};

use super::layer::is_forbidden;
use super::{KEYS, Key, PRICE_KEYS, PROVIDER_KEYS, about, built_in};
use crate::machine::Lang;

/// JSON Schema (draft 2020-12) of a project's file, or with `user` of the user's own, which may
/// also describe providers. It includes the aliases of each key, marked as deprecated, but not the
/// spellings with `-` instead of `_`.
pub fn schema(user: bool) -> Value {
    let mut properties = top_level(user);
    // A profile may contain the same keys as the file, except `profile` and `profiles`.
    let same = |name: &String| {
        (
            name.clone(),
            json!({"$ref": format!("#/properties/{name}")}),
        )
    };
    let profile = object(properties.keys().map(same).collect());
    let mut profiles = json!({"type": "object", "additionalProperties": profile});
    describe(&mut profiles, "profiles");
    properties.insert("profiles".to_owned(), profiles);
    let one = json!({"type": "string"});
    properties.insert("profile".to_owned(), described(one, "profile"));
    let mut whole = object(properties);
    whole["$schema"] = "https://json-schema.org/draft/2020-12/schema".into();
    whole["title"] = if user {
        "aitc user configuration"
    } else {
        "aitc project configuration"
    }
    .into();
    whole
}

fn top_level(user: bool) -> Map<String, Value> {
    let mut properties = Map::new();
    let mut sections: Map<String, Value> = Map::new();
    let in_file = |key: &&Key| key.in_files && (user || !is_forbidden(key.name));
    for key in KEYS.iter().filter(in_file) {
        if key.name == "profile" {
            continue;
        }
        match key.name.split_once('.') {
            Some((section, _)) => {
                let held = sections
                    .entry(section)
                    .or_insert_with(|| object(Map::new()));
                if let Some(Value::Object(held)) = held.get_mut("properties") {
                    add_key(held, key, key.name);
                }
            }
            None => add_key(&mut properties, key, key.name),
        }
    }
    properties.extend(sections);
    if user {
        let mut own = Map::new();
        for key in PROVIDER_KEYS.iter() {
            add_key(&mut own, key, &format!("providers.{}", key.name));
        }
        let mut one_price = Map::new();
        for key in PRICE_KEYS.iter() {
            add_key(
                &mut one_price,
                key,
                &format!("providers.prices.{}", key.name),
            );
        }
        let mut prices = json!({"type": "object", "additionalProperties": object(one_price)});
        describe(&mut prices, "providers.prices");
        own.insert("prices".to_owned(), prices);
        let mut providers = json!({"type": "object", "additionalProperties": object(own)});
        describe(&mut providers, "providers");
        properties.insert("providers".to_owned(), providers);
    }
    properties
}

/// Adds a key and its aliases.
fn add_key(folder: &mut Map<String, Value>, key: &Key, full: &str) {
    let shape = described(key.kind.schema.clone(), full);
    // The parser accepts aliases in other groups, but the schema does not offer them.
    for alias in key.aliases.iter().filter(|alias| !alias.contains('.')) {
        let mut other = shape.clone();
        other["deprecated"] = true.into();
        folder.insert((*alias).to_owned(), other);
    }
    let leaf = key.name.rsplit('.').next().unwrap_or(key.name);
    folder.insert(leaf.to_owned(), shape);
}

fn described(mut shape: Value, key: &str) -> Value {
    describe(&mut shape, key);
    if let Some(value) = built_in(key) {
        shape["default"] = value;
    }
    shape
}

fn describe(shape: &mut Value, key: &str) {
    if let Some(text) = about(key, Lang::En) {
        shape["description"] = text.into();
    }
}

fn object(properties: Map<String, Value>) -> Value {
    json!({"type": "object", "properties": properties, "additionalProperties": false})
}
