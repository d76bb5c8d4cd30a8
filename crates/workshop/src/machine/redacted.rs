//! How many secrets were taken out: told to the user as a number, never as what they were.
//!
//! The edge takes them out before a text is part of an event, with a placeholder in
//! their place. What the user wrote and what was read from files shows its
//! placeholders, and those are counted here; a model may quote one it was shown, so
//! the edge counts a reply's while it takes them out.

use super::event::Event;
use super::question::AnswerSource;
use crate::redact::placeholders;

/// Secrets taken out of what came in from people, files and endpoints with this event; those of
/// replies are in their receipts.
pub fn taken_out(event: &Event) -> u32 {
    match event {
        Event::UserInput {
            content,
            from,
            feedback,
            ..
        } => {
            // The secrets of a revised requirement were counted by the earlier version.
            let told = from
                .as_ref()
                .is_some_and(|from| from.requirement == *content);
            let requirement = if told { 0 } else { placeholders(content) };
            let points = feedback.iter().map(|point| placeholders(&point.text));
            requirement + points.sum::<u32>()
        }
        Event::KnowledgeSearch { survey } => survey.texts().map(|text| placeholders(text)).sum(),
        Event::Inquiry { looked, .. } => {
            let finds = looked.iter().flat_map(|one| &one.finds);
            finds.map(|find| placeholders(&find.text)).sum()
        }
        Event::Look { seen, .. } => {
            let finds = seen.iter().flat_map(|one| &one.found);
            finds.map(|find| placeholders(&find.text)).sum()
        }
        Event::UserClarificationDialogue {
            user_reply, source, ..
        } if is_typed(*source) => placeholders(user_reply),
        Event::UserIntervention { content, .. } => placeholders(content),
        Event::EndDecision { reason, .. } => placeholders(reason),
        Event::CallFailed { detail, .. } => placeholders(detail),
        _ => 0,
    }
}

/// Returns whether somebody wrote the answer, instead of taking one that was there already.
fn is_typed(source: AnswerSource) -> bool {
    !matches!(
        source,
        AnswerSource::Recommended
            | AnswerSource::Assumed
            | AnswerSource::Discussion
            | AnswerSource::Repository
    )
}
