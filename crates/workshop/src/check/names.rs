//! What kinds of things, groups, fields and their fixed values are called by people.
//!
//! In JSON they have one name each, which is the English word here.

use crate::fault::Text;

macro_rules! names {
    ($($(#[$doc:meta])* $function:ident { $($key:literal $zh:literal)* })*) => {
        $(
            $(#[$doc])*
            pub(super) fn $function(key: &str) -> Option<Text> {
                match key {
                    $($key => Some(Text($key, $zh)),)*
                    _ => None,
                }
            }
        )*
    };
}

names! {
    /// A kind of thing on the way of a trace.
    kind {
        "requirement" "需求"
        "feedback" "反馈"
        "speech" "发言"
        "issue" "议题"
        "version" "版本"
        "phase" "阶段"
        "result" "结果"
        "position" "立场"
        "text" "文本"
        "debate" "辩论"
        "argument" "论点"
        "consensus" "共识"
        "question" "问题"
        "evidence" "依据"
        "assumption" "假设"
        "criterion" "验收标准"
        "module" "模块"
        "decision" "决策"
        "work" "工作项"
        "test" "测试"
        "risk" "风险"
        "finding" "评审意见"
        "scope" "范围"
        "file" "文件"
        "taken for granted" "视为前提"
        "missing" "不存在"
    }
    /// A group of a comparison.
    group {
        "plan" "规划"
        "consensus" "共识"
        "issues" "议题"
        "questions" "问题"
        "assumptions" "假设"
        "scope" "范围"
        "non-goals" "非目标"
        "criteria" "验收标准"
        "modules" "模块"
        "decisions" "决策"
        "files" "文件"
        "work" "工作项"
        "tests" "测试"
        "risks" "风险"
    }
    /// A field that changed.
    field {
        "requirement" "需求"
        "outcome" "结果"
        "text" "内容"
        "wording" "主持人的表述"
        "issue" "议题"
        "title" "标题"
        "detail" "说明"
        "severity" "程度"
        "status" "状态"
        "became" "归于"
        "question" "问题"
        "answer" "答案"
        "from" "依据"
        "why" "理由"
        "given" "前提"
        "when" "操作"
        "then" "结果"
        "name" "名称"
        "purpose" "用途"
        "covers" "对应"
        "choice" "选择"
        "rejected" "落选"
        "change" "改动"
        "what" "内容"
        "modules" "模块"
        "size" "规模"
        "depends on" "依赖"
        "level" "层次"
        "steps" "步骤"
        "expected" "预期"
        "chance" "可能性"
        "impact" "影响"
        "mitigation" "应对"
        "early sign" "征兆"
        "affects" "涉及"
    }
    /// The words of a field that holds one of a few.
    value {
        "the plan as a whole" "整个规划"
        "not ended" "尚未结束"
        "agreed" "达成一致"
        "unresolved: round limit" "未达成一致：轮次上限"
        "unresolved: time limit" "未达成一致：时间上限"
        "unresolved: budget" "未达成一致：费用或词元上限"
        "unresolved: a proposal to end was confirmed" "未达成一致：结束讨论的提议得到确认"
        "unresolved: the members repeated themselves" "未达成一致：成员重复观点"
        "unresolved: nothing new was said" "未达成一致：没有新内容"
        "unresolved: ended by the user" "未达成一致：由用户结束"
        "open" "未决"
        "settled" "已解决"
        "refined" "已拆分"
        "merged" "已合并"
        "dropped" "已撤销"
        "deferred" "已推迟"
        "blocking" "阻塞"
        "minor" "次要"
        "create" "新建"
        "modify" "修改"
        "delete" "删除"
        "unit" "单元"
        "integration" "集成"
        "end to end" "端到端"
        "manual" "人工"
        "low" "低"
        "medium" "中"
        "high" "高"
    }
}

/// Is this a field that holds one of a few words, never somebody's own?
pub(super) fn is_word(field: &str) -> bool {
    matches!(
        field,
        "outcome" | "severity" | "status" | "change" | "level" | "chance" | "impact"
    )
}

/// The name for people in that language, or the key where it has none.
pub(super) fn or_key(name: Option<Text>, key: &str, lang: crate::machine::Lang) -> String {
    name.map_or(key, |name| name.of(lang)).to_owned()
}
