//! How a checklist votes on the end: by what is open, nothing else.

use crate::machine::{Lang, State, vote::END};
use crate::reply::{Contribution, Position, Stance};

/// For the end if nothing blocking is open.
pub(super) fn cast(state: &State) -> Contribution {
    let open = state.ledger.blocking().count();
    let stance = match open {
        0 => Stance::Agree,
        _ => Stance::Object,
    };
    Contribution {
        positions: vec![Position {
            issue: END.to_owned(),
            stance,
            proposal: None,
            why: match state.inputs.doc_lang {
                Lang::En => format!("blocking issues open: {open}"),
                Lang::Zh => format!("未决的阻塞议题：{open}"),
            },
            changed_because: None,
        }],
        ..Contribution::default()
    }
}
