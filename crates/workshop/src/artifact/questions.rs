//! `questions.md`: the questions that wait for the user, and how the answers are read from it.
//!
//! An answer is between the lines `~~~~ answer Q-1` and `~~~~`. Texts of members are escaped, so
//! that they can never look like such a line.

use std::collections::BTreeSet;
use std::fmt::Display;

use serde_json::json;

use super::Artifact;
use super::page::Pages;
use crate::fault::{Fault, LineError, MessageValue, Text, texts};
use crate::machine::{Excerpt, Question, QuestionId, Stage, State, is_conflict_mark};

/// Name of the file with the questions that wait for the user.
pub const QUESTIONS_FILE: &str = "questions.md";

pub(super) const PAGE: &str = "report/questions.j2";

/// First and last line of an answer block.
const FENCE: &str = "~~~~";

/// The word between fence and id in the first line of an answer block.
const ANSWER: &str = "answer";

/// Reads the answers from a filled-in `questions.md`, in the order of the file. Each is trimmed and
/// keeps its line breaks.
///
/// An empty block is no answer; text outside of blocks is ignored.
///
/// # Errors
/// A block without a valid id, a second block for the same question, a block that is not closed, an
/// end without a block, a question whose block is missing, or a line that git left in a merge
/// conflict.
pub fn read_questions(text: &str) -> Result<Vec<(QuestionId, String)>, LineError> {
    let text = text.trim_start_matches('\u{feff}');
    let mut reader = Reader::default();
    for (i, line) in text.lines().enumerate() {
        reader.line(i as u64 + 1, line)?;
    }
    reader.end()
}

#[derive(Default)]
struct Reader {
    answers: Vec<(QuestionId, String)>,
    seen: BTreeSet<QuestionId>,
    /// The question of the current section, if it has had no block yet, and its line.
    heading: Option<(QuestionId, u64)>,
    /// The current block: question, number of its first line, lines so far.
    block: Option<(QuestionId, u64, Vec<String>)>,
}

impl Reader {
    fn line(&mut self, number: u64, line: &str) -> Result<(), LineError> {
        if is_conflict_mark(line) {
            return Err(wrong(number, CONFLICT, line.trim()));
        }
        if let Some((id, start, mut lines)) = self.block.take() {
            if line.trim() == FENCE {
                let text = lines.join("\n").trim().to_owned();
                if !text.is_empty() {
                    self.answers.push((id, text));
                }
            } else if opening(line).is_some() {
                return Err(wrong(start, UNCLOSED, id));
            } else {
                lines.push(line.to_owned());
                self.block = Some((id, start, lines));
            }
            return Ok(());
        }
        if let Some(name) = opening(line) {
            let id: QuestionId = name.parse().map_err(|_| wrong(number, NO_ID, name))?;
            if !self.seen.insert(id) {
                return Err(wrong(number, TWO_BLOCKS, id));
            }
            self.heading = None;
            self.block = Some((id, number, Vec::new()));
        } else if line.trim() == FENCE {
            return Err(wrong(number, CLOSES_NOTHING, ""));
        } else if let Some(name) = line.strip_prefix("## ") {
            self.no_block_lost()?;
            let id = name
                .split_whitespace()
                .next()
                .and_then(|word| word.parse().ok());
            self.heading = id.map(|id| (id, number));
        }
        Ok(())
    }

    fn no_block_lost(&self) -> Result<(), LineError> {
        match self.heading {
            Some((id, line)) => Err(wrong(line, BLOCK_GONE, id)),
            None => Ok(()),
        }
    }

    fn end(self) -> Result<Vec<(QuestionId, String)>, LineError> {
        self.no_block_lost()?;
        match self.block {
            Some((id, start, _)) => Err(wrong(start, UNCLOSED, id)),
            None => Ok(self.answers),
        }
    }
}

/// The text after `~~~~ answer` in the first line of an answer block.
fn opening(line: &str) -> Option<&str> {
    let name = line.trim().strip_prefix(FENCE)?.trim_start();
    let name = name.strip_prefix(ANSWER)?;
    Some(name.trim())
}

fn wrong(line: u64, text: Text, name: impl Display) -> LineError {
    let values: [(&str, &dyn MessageValue); 3] =
        [("name", &name), ("fence", &FENCE), ("answer", &ANSWER)];
    LineError::new(line, text.fill(&values))
}

/// The one-based line in which the answer to a question starts; 1 if there is no answer.
pub fn answer_line(text: &str, question: QuestionId) -> u64 {
    let text = text.trim_start_matches('\u{feff}');
    let opens = |line: &str| opening(line).and_then(|name| name.parse().ok()) == Some(question);
    let mut lines = text
        .lines()
        .enumerate()
        .skip_while(|(_, line)| !opens(line));
    let mut written = lines
        .by_ref()
        .skip(1)
        .filter(|(_, line)| !line.trim().is_empty());
    written.next().map_or(1, |(at, _)| at as u64 + 1)
}

/// Finds text that would be lost. While a question's block is empty, this is a line outside of the
/// blocks that is not part of `page`, or an answered block of a question that was not asked.
///
/// `text` can be read by [`read_questions`]; `page` is the file as it was written for `state`. If
/// every question is answered, other text in the file is harmless.
///
/// # Errors
/// The first such line, which was probably meant as an answer.
pub fn nothing_misplaced(state: &State, text: &str, page: &str) -> Result<(), LineError> {
    let read = read_questions(text)?;
    let answered: BTreeSet<QuestionId> = read.iter().map(|(id, _)| *id).collect();
    let waiting: Vec<QuestionId> = state.questions.waiting().map(|one| one.id).collect();
    let Some(empty) = waiting.iter().find(|id| !answered.contains(id)) else {
        return Ok(());
    };
    let wrong = |line: u64, text: Text, name: &str| {
        let what = text.fill(&[
            ("name", &name),
            ("id", empty),
            ("fence", &FENCE),
            ("answer", &ANSWER),
        ]);
        LineError::new(line, what)
    };
    let own: BTreeSet<&str> = page.lines().map(str::trim).collect();
    let mut block: Option<QuestionId> = None;
    for (i, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        let (number, line) = (i as u64 + 1, line.trim());
        match block {
            Some(_) if line == FENCE => block = None,
            Some(_) => {}
            None => block = opening(line).and_then(|name| name.parse().ok()),
        }
        let is_asked = |id: QuestionId| state.questions.find(id).is_some();
        if let Some(id) = block.filter(|id| !is_asked(*id) && answered.contains(id)) {
            return Err(wrong(number, UNASKED, &id.to_string()));
        }
        if block.is_none() && !own.contains(line) && line != FENCE && !line.is_empty() {
            return Err(wrong(number, BESIDE, line));
        }
    }
    Ok(())
}

texts! {
    CONFLICT: "`{name}` is left of a conflict in git; keep one of the two sides", "`{name}` 是 git 冲突留下的标记；请只保留其中一方";
    NO_ID: "`{name}` is not the id of a question; write `{fence} {answer} Q-1`", "`{name}` 不是问题编号；请写成 `{fence} {answer} Q-1`";
    TWO_BLOCKS: "`{name}` has two answer blocks; keep one of them", "`{name}` 有两个答案块；请只保留一个";
    CLOSES_NOTHING: "`{fence}` closes no block; open one with `{fence} {answer} Q-1`", "`{fence}` 没有可以结束的块；请用 `{fence} {answer} Q-1` 开始一个";
    BLOCK_GONE: "the answer block of `{name}` is gone; put the answer between `{fence} {answer} {name}` and `{fence}`", "`{name}` 的答案块不见了；请把答案写在 `{fence} {answer} {name}` 与 `{fence}` 之间";
    UNCLOSED: "the answer block of `{name}` is not closed; end it with a line `{fence}`", "`{name}` 的答案块没有结束；请用一行 `{fence}` 结束它";
    UNASKED: "nobody asked `{name}`; the block of the question that waits begins with `{fence} {answer} {id}`", "没有人问过 `{name}`；等待回答的问题的块以 `{fence} {answer} {id}` 开头";
    BESIDE: "`{name}` is in no answer block, and that of `{id}` is empty; write it between `{fence} {answer} {id}` and `{fence}`", "`{name}` 不在任何答案块中，而 `{id}` 的块是空的；请写在 `{fence} {answer} {id}` 与 `{fence}` 之间";
}

/// The file as it is written for a draft; `None` if no question waits.
///
/// # Errors
/// The template is invalid.
pub fn questions_page(state: &State) -> Result<Option<String>, Fault> {
    let page = render(state, &Pages::read(&state.inputs, &[PAGE])?)?;
    Ok(page.map(|artifact| artifact.text()))
}

/// The file, if a question waits and the discussion is not over.
pub(super) fn render(state: &State, pages: &Pages) -> Result<Option<Artifact>, Fault> {
    let questions = state.questions.waiting();
    let questions: Vec<serde_json::Value> =
        questions.map(|question| view(state, question)).collect();
    if questions.is_empty() || state.stage >= Stage::Writing {
        return Ok(None);
    }
    let view = json!({"version": state.inputs.run().to_string(), "questions": questions});
    let text = pages.render(PAGE, &view)?;
    Ok(Some(super::text(QUESTIONS_FILE, text)))
}

/// The template values of a question.
fn view(state: &State, question: &Question) -> serde_json::Value {
    let issue = question.blocks.and_then(|id| state.ledger.find(id));
    let wanted = question.current_recommended().trim();
    let options = question
        .current_options()
        .iter()
        .map(|option| json!({"text": option, "recommended": option.trim() == wanted}));
    // Places that were looked at before the question was asked.
    let looked = state.found_for(question.id).iter().map(Excerpt::place);
    json!({
        "id": question.id,
        "code": state.inputs.roles.code(&question.asked_by), "name": question.asked_by,
        "round": question.round,
        "text": question.current_text(), "why": question.current_why(),
        "blocks": question.blocks, "blocks_title": issue.map(|issue| &issue.title),
        "options": options.collect::<Vec<_>>(),
        "recommended": question.current_recommended(),
        "dialogue": question.dialogue, "looked": looked.collect::<Vec<_>>(),
    })
}
