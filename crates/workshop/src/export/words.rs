//! Words of exported files, in the language of the plan.

use crate::fault::Text;

pub(super) const CRITERIA: Text = Text("Acceptance criteria", "验收标准");
pub(super) const TESTS: Text = Text("Tests", "测试");
pub(super) const AFTER: Text = Text("After", "前置任务");
pub(super) const SIZE: Text = Text("Size", "规模");
pub(super) const GIVEN: Text = Text("given", "前提");
pub(super) const WHEN: Text = Text("when", "操作");
pub(super) const THEN: Text = Text("then", "结果");
pub(super) const EXPECTED: Text = Text("expected", "预期");
pub(super) const PLAN: Text = Text("Plan", "规划");
pub(super) const UNRESOLVED: Text = Text(
    "Unresolved: the team did not agree on everything; read the report first.",
    "未达成一致：小组仍有分歧，请先阅读报告。",
);
pub(super) const PLANNED: Text = Text("planned, not run", "已规划，未执行");
