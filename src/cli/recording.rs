//! Answers written down as they come, and answers said from a script.

use std::path::PathBuf;
use std::sync::Arc;

use super::run_flags::Order;
use super::{CliError, Context, key};
use crate::chat::{ChatRequest, ChatResponse};
use crate::edge::model::{
    Answering, CallFailure, ChatModel, Listener, Models, NoopListener, scripted,
};
use crate::fault::line::RECORD_NOTHING;
use crate::fault::{texts, values};
use crate::machine::FailureKind;
use crate::redact::Redactor;

texts! {
    AMONG: "{folder} holds {n} recorded answers already; those of this run come among them, and a replay may use both: name an empty folder to keep them apart", "{folder} 中已有 {n} 个已录制的回答；本次运行的回答将与其混在一起，回放时两者都可能被用到：如需分开，请指定空目录";
}

/// Lets every model's answers be written down as they come, for `scripted`, if the
/// order says so; `begins` is a run that is not taken up.
///
/// # Errors
/// No model is asked in the run, so that nothing could be written, or the folder cannot be
/// written to.
pub fn recorded(
    models: Models,
    order: &Order,
    begins: bool,
    context: &Context,
) -> Result<Models, CliError> {
    let Some(folder) = &order.flags.record else {
        return Ok(models);
    };
    if models.is_empty() {
        return Err(RECORD_NOTHING.with(&[]));
    }
    let folder = context.path(folder);
    let already = scripted::prepare(&folder)?;
    // A run that is taken up goes on with its own recording.
    if begins && already > 0 {
        context.notice(&AMONG.fill(values![folder = folder.display(), n = already]));
    }
    let redactor = Arc::new(key::redactor(&order.config, context));
    let record = |inner| -> Arc<dyn ChatModel> {
        Arc::new(Recorder {
            inner,
            folder: folder.clone(),
            redactor: Arc::clone(&redactor),
        })
    };
    Ok(models
        .into_iter()
        .map(|(name, model)| (name, record(model)))
        .collect())
}

/// A model whose answers are written down.
struct Recorder {
    inner: Arc<dyn ChatModel>,
    folder: PathBuf,
    redactor: Arc<Redactor>,
}

impl ChatModel for Recorder {
    fn chat<'a>(&'a self, request: &'a ChatRequest) -> Answering<'a> {
        self.chat_streaming(request, &NoopListener)
    }

    fn chat_streaming<'a>(
        &'a self,
        request: &'a ChatRequest,
        listener: &'a dyn Listener,
    ) -> Answering<'a> {
        Box::pin(async move {
            let response = self.inner.chat_streaming(request, listener).await?;
            let shown = ChatResponse {
                text: self.redactor.redact(&response.text),
                reasoning: None,
                ..response.clone()
            };
            // A recording with a hole would be of no use: the run stops there.
            let recorded = scripted::record(&self.folder, &request.call, &shown);
            recorded.map_err(|error| {
                CallFailure::new(FailureKind::Refused, false, error.to_string())
            })?;
            Ok(response)
        })
    }
}
