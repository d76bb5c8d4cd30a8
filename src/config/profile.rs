//! Profiles: settings by name, laid over the rest of the file they stand in.

use super::{ConfigError, Layer, Origin, Setting, Value};
use crate::fault::settings::PROFILE_MISSING;
use crate::fault::{nearest, use_one_of};

/// Lays the chosen profile over each layer that has it.
///
/// A flag or variable chooses for every file; else each file's own `profile`
/// line chooses for that file alone. A project can thus never switch on a
/// profile of the user's, which may name a command.
///
/// # Errors
/// A profile was chosen that is not there.
pub fn with_profile(layers: Vec<Layer>) -> Result<Vec<Layer>, ConfigError> {
    let chosen = layers
        .iter()
        .find_map(|layer| layer.settings.get("profile"))
        .filter(|setting| !matches!(setting.origin, Origin::File { .. }))
        .cloned();
    if let Some((setting, name)) = chosen.as_ref().and_then(named)
        && !layers.iter().any(|layer| layer.profiles.contains_key(name))
    {
        return Err(missing(setting, name, &layers));
    }
    layers
        .into_iter()
        .map(|layer| {
            let own = layer.settings.get("profile").cloned();
            match (
                chosen.as_ref().and_then(named),
                own.as_ref().and_then(named),
            ) {
                (Some((_, name)), _) => Ok(overlaid(layer, name)),
                (None, Some((setting, name))) if !layer.profiles.contains_key(name) => {
                    Err(missing(setting, name, std::slice::from_ref(&layer)))
                }
                (None, Some((_, name))) => Ok(overlaid(layer, name)),
                (None, None) => Ok(layer),
            }
        })
        .collect()
}

fn named(setting: &Setting) -> Option<(&Setting, &str)> {
    match &setting.value {
        Value::Text(name) => Some((setting, name)),
        _ => None,
    }
}

fn missing(setting: &Setting, name: &str, layers: &[Layer]) -> ConfigError {
    let names: Vec<&str> = layers
        .iter()
        .flat_map(|layer| layer.profiles.keys().map(String::as_str))
        .collect();
    let fault = PROFILE_MISSING.with(&[("name", &name.escape_debug())]);
    let fault = match names.is_empty() {
        true => fault,
        false => fault.fixed_by(use_one_of(&names)),
    };
    let fault = fault.meaning(nearest(name, names));
    ConfigError {
        origin: setting.origin.clone(),
        fault,
    }
}

fn overlaid(mut layer: Layer, name: &str) -> Layer {
    if let Some(profile) = layer.profiles.remove(name) {
        layer.settings.extend(profile.settings);
    }
    layer
}
