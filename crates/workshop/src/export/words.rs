//! Words in exported files, in the language of the plan.

use crate::fault::texts;

texts! {
    pub(super) CRITERIA: "Acceptance criteria", "验收标准";
    pub(super) TESTS: "Tests", "测试";
    pub(super) AFTER: "After", "前置任务";
    pub(super) SIZE: "Size", "规模";
    pub(super) GIVEN: "given", "前提";
    pub(super) WHEN: "when", "操作";
    pub(super) THEN: "then", "结果";
    pub(super) EXPECTED: "expected", "预期";
    pub(super) PLAN: "Plan", "规划";
    pub(super) UNRESOLVED: "Unresolved: the team did not agree on everything; read the report first.", "未达成一致：成员仍有分歧，请先阅读报告。";
    pub(super) PLANNED: "planned, not run", "已规划，未执行";
}
