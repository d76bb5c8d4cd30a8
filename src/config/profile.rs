//! Profiles: named settings that override the rest of their file.

use super::{Layer, Origin, Setting, shown};
use crate::fault::settings::PROFILE_MISSING;
use crate::fault::{Fault, nearest, use_one_of, values};

/// Applies the chosen profile to each layer that has it.
///
/// A flag or variable chooses for every file; without one, each file's own `profile` line chooses
/// for that file alone. A project can thus never activate a profile of the user's, which may name a
/// command.
///
/// # Errors
/// The chosen profile does not exist.
pub fn with_profile(layers: Vec<Layer>) -> Result<Vec<Layer>, Fault> {
    let chosen = layers
        .iter()
        .find_map(|layer| layer.settings.get("profile"))
        .filter(|setting| !matches!(setting.origin, Origin::File { .. }))
        .cloned();
    if let Some(setting) = &chosen
        && !layers.iter().any(|layer| has(layer, setting))
    {
        return Err(missing(setting, &layers));
    }
    let overlaid = |mut layer: Layer| {
        let own = layer.settings.get("profile").cloned();
        match (&chosen, own) {
            (None, Some(own)) if !has(&layer, &own) => Err(missing(&own, &[layer])),
            (chosen, own) => {
                let name = chosen.as_ref().or(own.as_ref()).map(name);
                let profile = name.and_then(|name| layer.profiles.remove(&name));
                layer.settings.extend(profile.unwrap_or_default().settings);
                Ok(layer)
            }
        }
    };
    layers.into_iter().map(overlaid).collect()
}

fn name(setting: &Setting) -> String {
    shown(&setting.value)
}

fn has(layer: &Layer, setting: &Setting) -> bool {
    layer.profiles.contains_key(&name(setting))
}

fn missing(setting: &Setting, layers: &[Layer]) -> Fault {
    let name = name(setting);
    let names: Vec<&str> = layers
        .iter()
        .flat_map(|layer| layer.profiles.keys().map(String::as_str))
        .collect();
    let fault = PROFILE_MISSING.with(values![name = name.escape_debug()]);
    let fault = match names.is_empty() {
        true => fault,
        false => fault.fixed_by(use_one_of(&names)),
    };
    let fault = fault.meaning(nearest(&name, names));
    setting.origin.wrong(fault)
}
