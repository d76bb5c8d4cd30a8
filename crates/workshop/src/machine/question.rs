//! Questions for the user, and the assumptions made without answers.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ids::{AssumptionId, IssueId, QuestionId};
use crate::reply::{Answerer, AskedQuestion};
use crate::role::RoleId;

/// A question with all that became of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Question {
    /// Id of the question, `Q-n`.
    pub id: QuestionId,
    /// Full role name of the member that asked.
    pub asked_by: RoleId,
    /// In which round; 0 before the first.
    pub round: u32,
    /// Who can answer it; left out for the user.
    #[serde(default, skip_serializing_if = "Answerer::is_user")]
    pub of: Answerer,
    /// The question, one neutral sentence.
    pub text: String,
    /// Why the plan depends on it.
    pub why: String,
    /// The issue that waits for it.
    pub blocks: Option<IssueId>,
    /// Answers to choose among; may be empty.
    pub options: Vec<String>,
    /// The answer taken if nobody answers.
    pub recommended: String,
    /// Status of the question.
    pub status: QuestionStatus,
    /// While a follow-up waits: what it brings of its own. Follows from the dialogue.
    #[serde(skip)]
    pub further: Option<AskedQuestion>,
    /// Every exchange with the user, in order; follow-ups included.
    pub dialogue: Vec<Exchange>,
}

impl Question {
    /// Returns the current text: the latest follow-up, or the question itself.
    pub fn current_text(&self) -> &str {
        match &self.status {
            QuestionStatus::Waiting {
                follow_up: Some(text),
            }
            | QuestionStatus::Passed {
                follow_up: Some(text),
            } => text,
            _ => &self.text,
        }
    }

    /// Returns whether a follow-up is being asked rather than the question itself.
    pub fn is_followed_up(&self) -> bool {
        matches!(
            &self.status,
            QuestionStatus::Waiting { follow_up: Some(_) }
                | QuestionStatus::Passed { follow_up: Some(_) }
        )
    }

    /// Returns whether nothing more is asked or awaited.
    pub fn is_closed(&self) -> bool {
        matches!(self.status, QuestionStatus::Closed { .. })
    }

    /// Returns whether the user was asked and gave no answer.
    pub fn is_declined(&self) -> bool {
        self.is_closed_by(AnswerSource::Declined)
    }

    /// Returns whether its answer came from that source.
    pub fn is_closed_by(&self, source: AnswerSource) -> bool {
        matches!(&self.status, QuestionStatus::Closed { source: by, .. } if *by == source)
    }

    /// Returns why the current question matters.
    pub fn current_why(&self) -> &str {
        let further = self.further.as_ref().map(|further| further.why.as_str());
        further
            .filter(|why| !why.trim().is_empty())
            .unwrap_or(&self.why)
    }

    /// Returns the options of the current question; those of the first question do not apply to a
    /// follow-up.
    pub fn current_options(&self) -> &[String] {
        match &self.further {
            Some(further) => &further.options,
            None if self.is_followed_up() => &[],
            None => &self.options,
        }
    }

    /// Returns the answer that is assumed for the current question if nobody answers.
    pub fn current_recommended(&self) -> &str {
        let further = self.further.as_ref();
        further.map_or(&self.recommended, |further| &further.recommended)
    }
}

/// Status of a question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum QuestionStatus {
    /// The coach has not looked at it.
    Raised,
    /// The coach passed it on, or the member asked again; to be put to the user.
    Passed {
        /// What the member wants to know beyond the question, if it asked again.
        follow_up: Option<String>,
    },
    /// The user is needed, and that is on record.
    Waiting {
        /// What the member wants to know beyond the question, if it asked again.
        follow_up: Option<String>,
    },
    /// The user spoke; the member has not said whether that will do.
    Replied,
    /// Done: answered by the user, by what was said, or by assumption.
    Closed {
        /// Where the answer came from.
        source: AnswerSource,
        /// The answer; the reason when declined.
        answer: String,
    },
}

/// One turn of a clarification.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Exchange {
    /// The question, word for word.
    pub question: String,
    /// The user's answer, the assumption, or the reason for declining.
    pub reply: String,
    /// Way by which the answer came.
    pub source: AnswerSource,
}

/// Way by which an answer came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AnswerSource {
    /// Typed at the terminal while the run waited.
    Terminal,
    /// The answer was written into `questions.md`.
    QuestionsFile,
    /// The answer was given with `aitc answer`.
    Command,
    /// The answer was in the file of `--answers`.
    AnswersFile,
    /// The user took the recommended answer.
    Recommended,
    /// The user declined to answer; the recommended answer is assumed.
    Declined,
    /// `aitc revise`, as a point of feedback that begins with the question's id.
    Feedback,
    /// Looked up in repository and knowledge folders: what was found, or that nothing was.
    Repository,
    /// Found by the coach in what was already said, with a citation.
    Discussion,
    /// Nobody was asked (`questions: assume`); recorded as an assumption.
    Assumed,
}

impl AnswerSource {
    /// Returns whether the user answered in their own words.
    pub fn is_own_words(self) -> bool {
        matches!(
            self,
            Self::Terminal
                | Self::QuestionsFile
                | Self::Command
                | Self::AnswersFile
                | Self::Feedback
        )
    }
}

/// An answer taken without the user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Assumption {
    /// Id of the assumption, `A-n`.
    pub id: AssumptionId,
    /// Id of the question it answers, `Q-n`.
    pub question: QuestionId,
    /// The assumed answer.
    pub text: String,
    /// Why it is only assumed.
    pub why: String,
    /// Number of the round, from 1.
    pub round: u32,
}

/// Parses a word that stands for an answer: `recommended`, `as recommended` and the like accept the
/// recommended one, `declined` gives none. The same on every channel.
pub fn said_by_word(answer: &str) -> Option<AnswerSource> {
    if answer.contains(['?', '？']) {
        return None;
    }
    // Full stops, quotes and asterisks around the word are ignored.
    let lower = answer.to_lowercase();
    let words = lower.split(|c: char| !c.is_alphanumeric());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let left: Vec<&str> = words
        .iter()
        .copied()
        .filter(|word| !TAKES.contains(word))
        .collect();
    match (words.join(" ").as_str(), left.as_slice()) {
        (_, ["recommended" | "recommendation"]) => Some(AnswerSource::Recommended),
        ("declined" | "i decline" | "we decline" | "i decline to answer", _) => {
            Some(AnswerSource::Declined)
        }
        ("谢绝" | "谢绝回答" | "拒绝回答" | "不回答" | "不予回答", _) => {
            Some(AnswerSource::Declined)
        }
        (_, [word]) if matches!(bare(word), "推荐" | "建议") => Some(AnswerSource::Recommended),
        _ => None,
    }
}

/// Words around `recommended` that only mean that it is accepted.
const TAKES: &[&str] = &[
    "a", "accept", "answer", "as", "choice", "choose", "do", "go", "i", "is", "just", "ll", "ok",
    "okay", "one", "option", "please", "pick", "same", "select", "take", "the", "use", "we",
    "what", "will", "with", "yes", "your",
];

/// The same in Chinese: prefixes and suffixes.
const TAKES_ZH: [&[&str]; 2] = [
    &[
        "请",
        "就",
        "按照",
        "按",
        "依照",
        "依",
        "照",
        "如",
        "采用",
        "采纳",
        "接受",
        "选择",
        "选用",
        "选",
        "使用",
        "用",
        "取",
        "同意",
        "以",
        "您",
        "你",
        "的",
        "我同意",
        "我接受",
        "我选",
    ],
    &[
        "答案", "选项", "方案", "做法", "项", "值", "那个", "的", "来", "即可", "为准", "吧", "办",
        "执行", "处理",
    ],
];

/// Returns a Chinese word without the particles around it.
fn bare(mut word: &str) -> &str {
    let [before, behind] = TAKES_ZH;
    loop {
        let shorter = before.iter().find_map(|one| word.strip_prefix(one));
        let shorter = shorter.or_else(|| behind.iter().find_map(|one| word.strip_suffix(one)));
        let Some(shorter) = shorter else {
            return word;
        };
        word = shorter;
    }
}

/// Returns whether the line is a conflict marker of git or of a tool built on it.
pub fn is_conflict_mark(line: &str) -> bool {
    let line = line.trim_end();
    let mut marks = ['<', '>', '|', '%', '+'].into_iter();
    let is_mark = |mark: char| {
        let behind = line.trim_start_matches(mark);
        // Longer markers belong to a conflict within a conflict and are followed by a name.
        match (line.len() - behind.len(), behind) {
            (7, "") => matches!(mark, '<' | '>' | '|'),
            (length, behind) => length >= 7 && behind.starts_with([' ', '\t']),
        }
    };
    marks.any(is_mark) || line == "======="
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_one_however_it_is_marked() {
        for (text, said) in [
            ("recommended, but smaller", None),
            ("not recommended", None),
            ("no, the recommended one", None),
            ("as recommended by law", None),
            ("What is recommended?", None),
            ("I recommend CSV", None),
            ("the answer", None),
            ("decline", None),
            ("Will decline", None),
            ("不推荐", None),
            ("建议用 CSV", None),
            ("推荐哪个？", None),
            ("拒绝", None),
            ("推荐的那个，但要更小", None),
            ("-", None),
            ("", None),
        ] {
            assert_eq!(said_by_word(text), said, "{text:?}");
        }
        for text in [
            "recommended",
            "Recommended.",
            " **recommended** \n",
            "\"recommended\"!",
            "- recommended",
            "As recommended.",
            "`the recommended answer`",
            "Yes, recommended",
            "the recommended one, please",
            "Take the recommended option.",
            "I'll go with the recommendation",
            "OK — your recommendation!",
            "use what is recommended",
            "Same as recommended",
            "RECOMMENDED\r\n",
            "推荐",
            "推荐。",
            "“推荐”",
            "按推荐",
            "采用推荐的答案。",
            "就按推荐的来",
            "选推荐项",
            "用推荐值",
            "同意你的建议！",
            "采纳建议",
            "请采用推荐方案",
            "按照建议执行",
            "以推荐为准",
            "推荐的那个吧",
            "我选推荐的",
        ] {
            let said = said_by_word(text);
            assert_eq!(said, Some(AnswerSource::Recommended), "{text:?}");
        }
        for text in [
            "declined",
            "Declined.",
            "I decline to answer",
            "（谢绝）",
            "不回答。",
        ] {
            assert_eq!(said_by_word(text), Some(AnswerSource::Declined), "{text:?}");
        }
    }

    #[test]
    fn what_git_leaves_of_a_conflict_is_known() {
        for (line, is_mark) in [
            ("<<<<<<< ours", true),
            ("<<<<<<<", true),
            ("=======", true),
            (">>>>>>> theirs\r", true),
            ("||||||| base", true),
            ("<<<<<<<\tours", true),
            ("<<<<<<<<< Temporary merge branch 1", true),
            ("|||||||||| 3f2a91c", true),
            ("%%%%%%% Changes from base to side #1", true),
            ("+++++++ Contents of side #2", true),
            ("+++++++", false),
            ("<<<<<<<<", false),
            ("========", false),
            ("a <<<<<<< b", false),
            ("<<< EOF", false),
        ] {
            assert_eq!(is_conflict_mark(line), is_mark, "{line:?}");
        }
    }
}
