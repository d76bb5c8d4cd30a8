//! Profiles: settings by name, laid over the rest of the file they stand in.

use super::{ConfigError, Layer, Value};

/// Lays the chosen profile over each layer that has it, and takes the others out.
///
/// `layers` stand strongest first; the strongest that sets `profile` chooses.
///
/// # Errors
/// A profile was chosen that no file has.
pub fn with_profile(layers: Vec<Layer>) -> Result<Vec<Layer>, ConfigError> {
    let chosen = layers
        .iter()
        .find_map(|layer| layer.settings.get("profile"))
        .cloned();
    let Some(setting) = chosen else {
        return Ok(layers);
    };
    let Value::Text(name) = &setting.value else {
        return Ok(layers);
    };
    if !layers.iter().any(|layer| layer.profiles.contains_key(name)) {
        let names: Vec<&str> = layers
            .iter()
            .flat_map(|layer| layer.profiles.keys().map(String::as_str))
            .collect();
        return Err(ConfigError {
            origin: setting.origin.clone(),
            what: format!("there is no profile `{}`", name.escape_debug()),
            why: "without its settings the run would not be the one that was asked for".to_owned(),
            fix: match (super::layer::nearest(name, &names), names.is_empty()) {
                (Some(near), _) => format!("did you mean `{near}`?"),
                (None, true) => format!("write it below `profiles:` as `{name}:`"),
                (None, false) => format!("use one of `{}`", names.join("`, `")),
            },
        });
    }
    Ok(layers
        .into_iter()
        .map(|layer| overlaid(layer, name))
        .collect())
}

fn overlaid(mut layer: Layer, name: &str) -> Layer {
    if let Some(profile) = layer.profiles.remove(name) {
        layer.settings.extend(profile.settings);
    }
    layer
}
