//! Compares a resumed run with the current files.

use super::{Context, Fault};
use crate::edge::{assets, git};
use crate::fault::plans::INPUTS_DRIFTED;
use crate::fault::{Message, Text, texts, values};
use crate::machine::State;

texts! {
    MOVED: "the repository was at {begun} when the run began and is at {now} now", "运行开始时仓库位于 {begun}，现在位于 {now}";
    NO_COMMIT: "none", "没有提交的状态";
}

/// Returns the changes of roles and templates since the run began, if they are accepted.
///
/// # Errors
/// They are not accepted.
pub fn accepted_drift(
    state: &State,
    accept: bool,
    context: &Context,
) -> Result<Vec<String>, Fault> {
    let now = assets::load(&context.root, state.inputs.doc_lang, None)?;
    let drift = assets::drift(&state.inputs, &now);
    if let Some(begun) = &state.inputs.commit
        && let now = git::head(&context.root)
        && now.as_ref() != Some(begun)
    {
        let short = |id: &str| id.chars().take(12).collect::<String>();
        let now = now.map_or_else(|| NO_COMMIT.into(), |now| Message::from(short(&now)));
        context.notice(&MOVED.fill(values![begun = short(begun), now]));
    }
    if drift.is_empty() || accept {
        // Recorded in one language, whatever the language of the resuming process.
        return Ok(drift.into_iter().map(|one| one.en).collect());
    }
    let changes = Message::joined(&drift, Text("; ", "；"));
    Err(INPUTS_DRIFTED.with(values![changes]))
}
