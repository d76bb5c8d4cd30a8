//! The file of `--answers`: `Q-1: text`, or a list that also answers follow-ups.

use std::collections::BTreeMap;

use crate::config::MAX_BYTES;
use crate::fault::settings::ANSWERS;
use crate::fault::{Fault, Message, texts, values};
use crate::machine::{AnswerSource, QuestionId, State, said_by_word};
use crate::yaml::{self, Node, Tree};

/// Prepared answers by question, in the order of the question's turns.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Answers {
    by_question: BTreeMap<QuestionId, Vec<String>>,
}

/// The error for prepared answers that cannot be used; `what` says what is wrong on that line, and
/// what would be right.
fn unusable(name: &str, line: u64, what: &Message) -> Fault {
    ANSWERS.with(values![place = format!("{name}:{line}"), what])
}

impl Answers {
    /// Parses YAML or JSON: a mapping from ids to a text, or to a list of texts. The first text of
    /// a list answers the question, the others its follow-ups.
    ///
    /// # Errors
    /// What is wrong, with file and line.
    pub fn parse(name: &str, text: &str) -> Result<Self, Fault> {
        let fault = |line, what: Message| unusable(name, line, &what);
        let root = yaml::read(text, MAX_BYTES).map_err(|error| fault(error.line, error.what))?;
        let pairs = match root.value {
            Tree::Map(pairs) => pairs,
            Tree::Null => return Err(fault(1, NO_ANSWER.into())),
            _ => {
                return Err(fault(root.line, NO_MAPPING.into()));
            }
        };
        let mut by_question = BTreeMap::new();
        for (key, line, node) in pairs {
            let id: QuestionId = key
                .parse()
                .map_err(|_| fault(line, NO_ID.fill(values![key = key.escape_debug()])))?;
            let turns = match &node.value {
                Tree::List(items) if !items.is_empty() => items
                    .iter()
                    .map(|item| text_of(name, id, item))
                    .collect::<Result<_, _>>()?,
                _ => vec![text_of(name, id, &node)?],
            };
            if by_question.insert(id, turns).is_some() {
                return Err(fault(line, TWICE.fill(values![id])));
            }
        }
        Ok(Self { by_question })
    }

    /// The answer for a turn of a question, from 0.
    pub fn for_turn(&self, question: QuestionId, turn: usize) -> Option<&str> {
        self.by_question
            .get(&question)?
            .get(turn)
            .map(String::as_str)
    }

    /// Questions with prepared answers that were not used: the question was not asked, or was
    /// answered in another way.
    pub fn unused(&self, state: &State) -> Vec<QuestionId> {
        let is_used = |id: QuestionId, turn: usize, text: &str| {
            let asked = state.questions.find(id);
            let said = asked.and_then(|asked| asked.dialogue.get(turn));
            // An empty answer or a word such as `accepted` is recorded with the source that it
            // stands for.
            let stands_for = match text {
                "" => Some(AnswerSource::Recommended),
                text => said_by_word(text),
            };
            said.is_some_and(|said| {
                said.source == AnswerSource::AnswersFile || Some(said.source) == stands_for
            })
        };
        let unused = self.by_question.iter().filter(|(id, turns)| {
            let mut turns = turns.iter().enumerate();
            turns.any(|(turn, text)| !is_used(**id, turn, text))
        });
        unused.map(|(id, _)| *id).collect()
    }
}

fn text_of(name: &str, id: QuestionId, node: &Node) -> Result<String, Fault> {
    let what = match &node.value {
        // An answer of blanks only is neither an answer nor the empty one that takes the
        // recommended answer.
        Tree::Text(text) if !text.is_empty() && text.trim().is_empty() => EMPTY,
        Tree::Text(text) => return Ok(text.clone()),
        Tree::Null => EMPTY,
        Tree::List(_) | Tree::Map(_) => NO_TEXT,
    };
    Err(unusable(name, node.line, &what.fill(values![id])))
}

texts! {
    NO_ANSWER: "there is no answer in it", "其中没有答案";
    NO_MAPPING: "not a mapping of question ids to answers", "不是从问题编号到答案的映射";
    NO_ID: "`{key}` is not an id like `Q-1`", "`{key}` 不是 `Q-1` 这样的编号";
    TWICE: "`{id}` is answered twice", "`{id}` 回答了两次";
    EMPTY: "`{id}` has no answer; write \"\" to take the recommended one, `-` to decline", "`{id}` 没有答案；写 \"\" 采用建议的答案，写 `-` 表示不回答";
    NO_TEXT: "the answer to `{id}` must be a text or a list of texts", "`{id}` 的答案必须是文本或文本列表";
}
