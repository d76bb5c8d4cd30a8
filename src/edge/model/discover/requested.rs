//! The requested model, and the key that belongs to it.

use super::{Choice, Env, ModelRequest, NamedKey, key_in};
use crate::edge::model::providers::GENERAL_KEY;
use crate::fault::Text;

/// The request, combined from its sources.
pub(super) struct EffectiveRequest {
    pub(super) choice: Choice,
    /// The source that named the provider or base URL.
    pub(super) source: Text,
    /// The key that the user set for this endpoint.
    pub(super) key: Option<NamedKey>,
}

impl EffectiveRequest {
    /// The first source that names a provider or a base URL is used. A base URL and a key are used
    /// with a provider only if they were set for it: otherwise a cloned repository that names a
    /// provider could send a key to the wrong place.
    pub(super) fn of(wish: &ModelRequest, env: Env<'_>) -> Self {
        let environment = Choice {
            provider: env("AITC_PROVIDER"),
            model: env("AITC_MODEL"),
            base_url: env("AITC_BASE_URL"),
        };
        let sources = [
            (&wish.flag, Text("asked for by flag", "由选项指定")),
            (
                &environment,
                Text("set in the environment", "由环境变量设置"),
            ),
            (&wish.config, Text("set in the configuration", "由配置设置")),
        ];
        let decides = sources
            .iter()
            .find(|(choice, _)| choice.provider.is_some() || choice.base_url.is_some());
        let (first, source) = decides.copied().unwrap_or((&environment, Text::NONE));
        let provider = sources
            .iter()
            .find_map(|(choice, _)| choice.provider.clone());
        let base_url = first.base_url.clone().or_else(|| {
            sources
                .iter()
                .find(|(choice, _)| meant_for(choice) == provider.as_deref())
                .and_then(|(choice, _)| choice.base_url.clone())
        });
        let fits = (environment.provider.is_none() || environment.provider == provider)
            && (environment.base_url.is_none() || environment.base_url == base_url);
        let settings = provider.as_ref().and_then(|name| wish.described.get(name));
        let own = settings.and_then(|own| own.api_key_env.as_deref());
        let general = wish.takes_general_key.then_some(GENERAL_KEY);
        // A key that the user configured for the provider comes second.
        let mut names = general.into_iter().chain(own).filter(|_| fits);
        Self {
            key: names.find_map(|name| key_in(name, env)),
            choice: Choice {
                provider,
                model: sources.iter().find_map(|(choice, _)| choice.model.clone()),
                base_url,
            },
            source,
        }
    }
}

/// The provider that a source's base URL is meant for: the one it names, otherwise `openai`, the
/// name for all compatible endpoints.
fn meant_for(choice: &Choice) -> Option<&str> {
    choice.base_url.as_ref()?;
    Some(choice.provider.as_deref().unwrap_or("openai"))
}
