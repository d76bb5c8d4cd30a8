//! Recorded answers, replayed by the name of the call.
//!
//! A folder holds one file per answer: the call's id with `/` written as `__`,
//! and `.json`, such as `root__speech__ProductPlanner__r1__t1__a1.json`.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{CallFailure, ChatModel, estimate_tokens};
use crate::chat::{ChatRequest, ChatResponse, FinishReason, Usage};
use crate::edge::ports::BoxFuture;
use crate::workshop::{CallId, FailureKind};

/// An answer on disk.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Fixture {
    text: String,
    #[serde(default = "whole")]
    finish: FinishReason,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    usage: Option<Usage>,
}

fn whole() -> FinishReason {
    FinishReason::Stop
}

/// Why recorded answers could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum ScriptedError {
    /// The file system says no.
    #[error("recorded answers: `{path}`: {source}")]
    Io {
        /// Which file or folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file holds no answer.
    #[error(
        "recorded answer `{path}` cannot be read: {source}; expected `text`, `finish`, `usage`"
    )]
    Malformed {
        /// Which file.
        path: PathBuf,
        /// Why.
        source: serde_json::Error,
    },
}

/// A model that says what was recorded.
#[derive(Debug)]
pub struct Scripted {
    dir: PathBuf,
    answers: BTreeMap<String, Fixture>,
}

impl Scripted {
    /// Reads every `.json` file of a folder.
    ///
    /// # Errors
    /// The folder or a file cannot be read, or a file holds no answer.
    pub fn load(dir: &Path) -> Result<Self, ScriptedError> {
        let io = |path: &Path, source| ScriptedError::Io {
            path: path.to_owned(),
            source,
        };
        let mut answers = BTreeMap::new();
        for entry in std::fs::read_dir(dir).map_err(|e| io(dir, e))? {
            let path = entry.map_err(|e| io(dir, e))?.path();
            if path.extension().is_none_or(|ending| ending != "json") {
                continue;
            }
            let text = std::fs::read_to_string(&path).map_err(|e| io(&path, e))?;
            let fixture =
                serde_json::from_str(&text).map_err(|source| ScriptedError::Malformed {
                    path: path.clone(),
                    source,
                })?;
            if let Some(name) = path.file_name().and_then(|name| name.to_str()) {
                answers.insert(name.to_owned(), fixture);
            }
        }
        Ok(Self {
            dir: dir.to_owned(),
            answers,
        })
    }

    fn answer(&self, request: &ChatRequest) -> Result<ChatResponse, CallFailure> {
        let name = file_name(&request.call);
        let Some(fixture) = self.answers.get(&name) else {
            let path = self.dir.join(name);
            return Err(CallFailure {
                kind: FailureKind::Refused,
                detail: format!(
                    "no answer is recorded for `{}`; expected it in `{}`",
                    request.call,
                    path.display()
                ),
                retryable: false,
                retry_after: None,
            });
        };
        let estimate = || Usage {
            input: request
                .messages
                .iter()
                .map(|m| estimate_tokens(&m.content))
                .sum(),
            output: estimate_tokens(&fixture.text),
            ..Usage::default()
        };
        Ok(ChatResponse {
            text: fixture.text.clone(),
            reasoning: None,
            finish: fixture.finish,
            usage: fixture.usage.unwrap_or_else(estimate),
            model: request.model.clone(),
            request_id: None,
            format: None,
        })
    }
}

impl ChatModel for Scripted {
    fn chat<'a>(
        &'a self,
        request: &'a ChatRequest,
    ) -> BoxFuture<'a, Result<ChatResponse, CallFailure>> {
        Box::pin(std::future::ready(self.answer(request)))
    }
}

/// Writes an answer where [`Scripted::load`] will find it; the folder is made if it is missing.
///
/// # Errors
/// Folder or file cannot be written.
pub fn record(dir: &Path, call: &CallId, response: &ChatResponse) -> Result<(), ScriptedError> {
    let path = dir.join(file_name(call));
    let fixture = Fixture {
        text: response.text.clone(),
        finish: response.finish,
        usage: Some(response.usage),
    };
    let mut text =
        serde_json::to_string_pretty(&fixture).map_err(|source| ScriptedError::Malformed {
            path: path.clone(),
            source,
        })?;
    text.push('\n');
    std::fs::create_dir_all(dir)
        .and_then(|()| std::fs::write(&path, text))
        .map_err(|source| ScriptedError::Io { path, source })
}

/// The file of a call. What a member's name must not hold is written as `-`, so that no
/// name leads out of the folder.
fn file_name(call: &CallId) -> String {
    let name: String = call
        .to_string()
        .replace('/', "__")
        .chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() || matches!(c, '_' | '-') {
                c
            } else {
                '-'
            }
        })
        .collect();
    name + ".json"
}
