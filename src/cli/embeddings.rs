//! The endpoint that makes vectors of texts, if one is configured.

use std::sync::Arc;
use std::time::Duration;

use super::discovery::find;
use super::endpoint as reach;
use super::{CliError, Context};
use crate::config::{Config, Origin, ProviderSettings};
use crate::edge::model::embeddings::PATIENCE;
use crate::edge::model::{Choice, Dialect, EmbeddingModel, Embeddings, RemoteConfig, Timeouts};
use crate::fault::settings::{SIMILARITY_ENDPOINT, SIMILARITY_HALF};
use crate::fault::{texts, values};
use crate::machine::Inputs;
use crate::machine::similarity::SimilarityChoice;

texts! {
    WITHOUT: "similarity is measured without its endpoint: {why}", "相似度不经接口计算：{why}";
}

/// The embeddings endpoint that was chosen; what was chosen and cannot be used is an error.
pub async fn endpoint(
    config: &Config,
    similarity: &SimilarityChoice,
    main: Option<&str>,
    context: &Context,
) -> Result<Option<Arc<dyn EmbeddingModel>>, CliError> {
    let (provider, model) = match (&similarity.provider, &similarity.model) {
        (None, None) => return Ok(None),
        (Some(provider), Some(model)) => (provider, model),
        _ => {
            return Err(SIMILARITY_HALF.with(&[]));
        }
    };
    let named = Choice {
        provider: Some(provider.clone()),
        model: Some(model.clone()),
        base_url: config
            .text("base_url", |origin| matches!(origin, Origin::Flag(_)))
            .filter(|_| main == Some(provider)),
    };
    let found = find(config, Some(named), main, context).await?;
    let usual = ProviderSettings::default();
    let settings = config.providers.get(&found.provider).unwrap_or(&usual);
    let timeouts = Timeouts {
        call: settings.timeout_ms.map_or(PATIENCE, Duration::from_millis),
        ..reach::timeouts(settings)
    };
    let route = reach::route(&found.provider, config, context)?;
    let speaks =
        |config: &RemoteConfig| matches!(config.dialect, Dialect::OpenAi | Dialect::Ollama);
    let endpoint = found.endpoint.as_ref();
    let endpoint = endpoint.map(|one| one.reached(&found.provider, timeouts, route));
    let Some(endpoint) = endpoint.filter(speaks) else {
        return Err(SIMILARITY_ENDPOINT.with(values![provider]));
    };
    let client = Embeddings::new(&endpoint, &found.model)?;
    Ok(Some(Arc::new(client)))
}

/// The embeddings endpoint a run was begun with; that it is gone stops no
/// resumed run, whose rounds are then measured without it, on record.
pub async fn again(
    config: &Config,
    inputs: &Inputs,
    context: &Context,
) -> Option<Arc<dyn EmbeddingModel>> {
    let main = Some(inputs.model.provider.as_str());
    match endpoint(config, &inputs.similarity, main, context).await {
        Ok(endpoint) => endpoint,
        Err(error) => {
            context.notice(&WITHOUT.fill(values![why = error.what()]));
            None
        }
    }
}
