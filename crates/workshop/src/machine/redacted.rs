//! The number of redacted secrets, which is all that the user is told about them.
//!
//! The edge replaces secrets with placeholders before a text becomes part of an event. The
//! placeholders in what the user wrote and in what was read from files are counted here. A model
//! may quote a placeholder it was shown, so for replies the edge counts while it redacts.

use super::event::Event;
use super::question::AnswerSource;
use crate::redact::placeholders;

/// Returns how many secrets were redacted from this event's input from people, files and endpoints;
/// those of replies are counted in their receipts.
pub fn secrets_in(event: &Event) -> u32 {
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
        } if source.is_own_words() || *source == AnswerSource::Declined => placeholders(user_reply),
        Event::UserIntervention { content, .. } => placeholders(content),
        Event::EndDecision { reason, .. } => placeholders(reason),
        Event::CallFailed { detail, .. } => placeholders(detail),
        _ => 0,
    }
}
