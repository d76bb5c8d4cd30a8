//! Words of exported files, in the language of the plan.

use crate::machine::Lang;

/// English, Chinese.
pub(super) struct Word(&'static str, &'static str);

impl Word {
    pub(super) fn of(&self, lang: Lang) -> &'static str {
        match lang {
            Lang::En => self.0,
            Lang::Zh => self.1,
        }
    }
}

pub(super) const CRITERIA: Word = Word("Acceptance criteria", "验收标准");
pub(super) const TESTS: Word = Word("Tests", "测试");
pub(super) const AFTER: Word = Word("After", "前置任务");
pub(super) const SIZE: Word = Word("Size", "规模");
pub(super) const GIVEN: Word = Word("given", "假设");
pub(super) const WHEN: Word = Word("when", "当");
pub(super) const THEN: Word = Word("then", "则");
pub(super) const EXPECTED: Word = Word("expected", "预期");
pub(super) const PLAN: Word = Word("Plan", "规划");
pub(super) const UNRESOLVED: Word = Word(
    "Unresolved: the team did not agree on everything; read the report first.",
    "未达成一致：团队仍有分歧，请先阅读报告。",
);
pub(super) const PLANNED: Word = Word("planned, not run", "已规划，未执行");
