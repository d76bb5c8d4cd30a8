//! What a resumed run is held against.

use super::text::{Message, Text};
use super::{CliError, Context};
use crate::edge::{assets, git};
use crate::fault::plans::INPUTS_DRIFTED;
use crate::workshop::State;

const MOVED: Text = Text(
    "the repository stood at {begun} when the run began and stands at {now} now",
    "运行开始时仓库位于 {begun}，现在位于 {now}",
);
const NO_COMMIT: Text = Text("none", "没有提交的状态");

/// What has changed of roles and templates since the run began, if that is accepted.
///
/// # Errors
/// It is not.
pub fn accepted_drift(
    state: &State,
    accept: bool,
    context: &Context,
) -> Result<Vec<String>, CliError> {
    let now = assets::load(&context.root, state.inputs.doc_lang, None)?;
    let drift = assets::drift(&state.inputs, &now);
    if let Some(begun) = &state.inputs.commit
        && let now = git::head(&context.root)
        && now.as_ref() != Some(begun)
    {
        let short = |id: &str| id.chars().take(12).collect::<String>();
        let now = now.map_or_else(|| NO_COMMIT.into(), |now| Message::from(short(&now)));
        context.notice(&MOVED.fill(&[("begun", &short(begun)), ("now", &now)]));
    }
    if drift.is_empty() || accept {
        // On record in one language, whoever resumes the run.
        return Ok(drift.into_iter().map(|one| one.en).collect());
    }
    let changes = Message::joined(&drift, Text("; ", "；"));
    Err(INPUTS_DRIFTED.with(&[("changes", &changes)]))
}
