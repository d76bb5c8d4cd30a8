//! What a run is about: a requirement, and the version it revises with its feedback.

use super::hold::Work;
use super::{CliError, Context, open};
use crate::edge::journal;
use crate::fault::line::{FEEDBACK_LONG, INTERNAL};
use crate::machine::{
    AnswerSource, Event, FeedbackItem, Format, Inputs, Lang, Previous, split_feedback,
};
use crate::redact::Redactor;
use crate::ui::human::understood;

/// What a run is about: the requirement, and what it revises.
pub struct About {
    /// What kind of meeting it is for.
    pub format: Format,
    /// The requirement, word for word.
    pub requirement: String,
    /// The version it revises.
    pub previous: Option<Previous>,
    /// The feedback on it; may be empty.
    pub feedback: String,
    /// The language of its documents, unless another one is set.
    pub lang: Lang,
}

/// A text without a letter says nothing about its language: who wrote it does.
pub fn written_in(text: &str, context: &Context) -> Lang {
    if text.contains(char::is_alphabetic) {
        Lang::of(text)
    } else {
        context.lang(None)
    }
}

/// What the run of an order is about.
///
/// # Errors
/// The version that is revised is not there, or was changed by hand.
pub fn about(work: &Work, context: &Context) -> Result<About, CliError> {
    match work {
        Work::New {
            requirement,
            format,
        } => Ok(About {
            format: *format,
            lang: written_in(requirement, context),
            requirement: requirement.clone(),
            previous: None,
            feedback: String::new(),
        }),
        Work::Revision {
            from,
            feedback,
            requirement,
        } => {
            let opened = open::read(open::find_to_go_on(*from, context)?, context)?;
            if !opened.draft {
                open::untampered(&opened)?;
            }
            let transcript = opened.folder.join(journal::TRANSCRIPT);
            let (_, head) = journal::chain_head(open::files().as_ref(), &transcript)?;
            Ok(About {
                format: opened.state.inputs.format,
                requirement: requirement
                    .clone()
                    .unwrap_or_else(|| opened.state.requirement.clone()),
                previous: Some(Previous::of(&opened.state, &head)),
                feedback: feedback.clone(),
                lang: opened.state.inputs.doc_lang,
            })
        }
        Work::Resumption { .. } => {
            let what = "a resumed run is about what its transcript says";
            Err(INTERNAL.with(&[("what", &what)]))
        }
    }
}

/// Most points of feedback: each becomes an issue, and every member is given all of them.
const MAX_POINTS: usize = 200;

/// The first event of the run.
///
/// # Errors
/// The feedback has more points than a run can hold.
pub fn user_input(about: About, inputs: Inputs, redactor: &Redactor) -> Result<Event, CliError> {
    let counters = about
        .previous
        .as_ref()
        .map(|previous| previous.counters.clone());
    let content = redactor.redact(&about.requirement);
    let mut feedback = split_feedback(
        &redactor.redact(&about.feedback),
        &counters.unwrap_or_default(),
    );
    if feedback.len() > MAX_POINTS {
        return Err(FEEDBACK_LONG.with(&[("n", &feedback.len()), ("most", &MAX_POINTS)]));
    }
    if let Some(previous) = &about.previous {
        let change = previous.requirement_change(&content, &feedback, inputs.doc_lang);
        feedback.extend(change);
    }
    let previous = about
        .previous
        .map(|previous| less_answered(previous, &feedback));
    Ok(Event::UserInput {
        content,
        run_id: crate::edge::env::new_run_id(),
        inputs: Box::new(inputs),
        from: previous.map(Box::new),
        feedback,
    })
}

/// What a revision takes over, with the questions answered that feedback answers by their ids.
fn less_answered(mut previous: Previous, feedback: &[FeedbackItem]) -> Previous {
    for item in feedback {
        let Some((question, words)) = previous.answered_by(&item.text) else {
            continue;
        };
        // A number of no option says nothing that could be taken over.
        let Ok(answer) = understood(question, words, AnswerSource::Feedback) else {
            continue;
        };
        let text = match answer.source {
            // Nobody who declines has answered.
            AnswerSource::Declined => continue,
            AnswerSource::Recommended => question.recommended.clone(),
            _ => answer.text,
        };
        let id = question.id;
        previous.answer(id, answer.source, &text);
    }
    previous
}
