//! The file of `--answers`: `Q-1: text`, or a list for follow-ups too.

use std::collections::BTreeMap;

use crate::config::MAX_BYTES;
use crate::config::yaml::{self, Node, Tree};
use crate::workshop::QuestionId;

/// Prepared answers by question, in the order of the clarification's turns.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Answers {
    by_question: BTreeMap<QuestionId, Vec<String>>,
}

impl Answers {
    /// Reads YAML or JSON: a mapping of ids to a text, or to a list of texts of
    /// which the first answers the question and the others its follow-ups.
    ///
    /// # Errors
    /// What is wrong, beginning with `file:line`.
    pub fn parse(name: &str, text: &str) -> Result<Self, String> {
        let root = yaml::read(text, MAX_BYTES)
            .map_err(|error| format!("{name}:{}: {}", error.line, error.what))?;
        let pairs = match root.value {
            Tree::Map(pairs) => pairs,
            Tree::Null => return Err(format!("{name}:1: there is no answer in it")),
            _ => {
                return Err(format!(
                    "{name}:{}: not a mapping of question ids to answers",
                    root.line
                ));
            }
        };
        let mut by_question = BTreeMap::new();
        for (key, line, node) in pairs {
            let id: QuestionId = key
                .parse()
                .map_err(|error| format!("{name}:{line}: {error}"))?;
            let turns = match &node.value {
                Tree::List(items) if !items.is_empty() => items
                    .iter()
                    .map(|item| text_of(name, id, item))
                    .collect::<Result<_, _>>()?,
                _ => vec![text_of(name, id, &node)?],
            };
            if by_question.insert(id, turns).is_some() {
                return Err(format!("{name}:{line}: `{id}` is answered twice"));
            }
        }
        Ok(Self { by_question })
    }

    /// The answer for a turn of a question's clarification, from 0.
    pub fn take(&self, question: QuestionId, turn: usize) -> Option<&str> {
        self.by_question
            .get(&question)?
            .get(turn)
            .map(String::as_str)
    }
}

fn text_of(name: &str, id: QuestionId, node: &Node) -> Result<String, String> {
    match &node.value {
        Tree::Text(text) => Ok(text.clone()),
        Tree::Null => Err(format!(
            "{name}:{}: `{id}` has no answer; write \"\" to take the recommended one, `-` to decline",
            node.line
        )),
        Tree::List(_) | Tree::Map(_) => Err(format!(
            "{name}:{}: the answer to `{id}` must be a text or a list of texts",
            node.line
        )),
    }
}
