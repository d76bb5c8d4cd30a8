//! From state and call to the request that is sent.
//!
//! Every prompt of the discussion has the same structure, so that providers find the longest possible cached
//! prefix: first the rules and all personas, then the requirement and the survey, the consensus
//! draft as of the start of the round, the round's open issues, what was said in the round in
//! order, and last one short message that says who speaks. The texts are templates (`prompt/*.j2`),
//! frozen with the run. Calls that write documents, and those of teams, share the first two messages;
//! what was looked up and the reason of a retry come at the end. `docs/design/prompts.md` has the
//! reasons and the figures.

mod brief;
pub mod by_hand;
mod debate;
mod grammar;
mod measure;
mod memo;
mod prompter;
mod record;
mod text;
mod view;

pub use brief::brief;
pub use grammar::schema_of;
pub use measure::{context, digest, estimate_tokens, prompt_bytes, quarter_tokens};
pub use prompter::Prompter;
pub use view::Opening;
