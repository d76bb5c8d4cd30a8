//! Words of the page, in the language of the plan.

use serde_json::{Map, Value};

use crate::fault::Text;
use crate::machine::Lang;

/// Name within the template, with a dot for those of a group; English, Chinese.
#[rustfmt::skip]
const WORDS: &[(&str, Text)] = &[
    ("skip", Text("To the report", "跳到报告")),
    ("contents", Text("Contents", "目录")),
    ("kind", Text("Plan", "规划")),
    ("revises", Text("revises", "修订自")),
    ("verdict.agreed", Text("Agreed", "达成一致")),
    ("verdict.unresolved", Text("Unresolved", "未达成一致")),
    ("unresolved", Text("The discussion ended without agreement on everything. Still open:", "讨论结束时仍有分歧。未决议题：")),
    ("report", Text("Report", "报告")),
    ("requirement", Text("Requirement", "需求")),
    ("judgment", Text("As the coach read it", "主持人的理解")),
    ("rounds", Text("Rounds", "轮次")),
    ("round", Text("Round {n}", "第 {n} 轮")),
    ("agenda", Text("About", "议题")),
    ("settled", Text("Agreed", "达成一致")),
    ("entered", Text("New", "新列入")),
    ("open_after", Text("Still open", "仍未决")),
    ("none", Text("None", "无")),
    ("reminder", Text("Reminder for", "提醒")),
    ("issues", Text("Issues", "议题")),
    ("minor", Text("minor", "次要")),
    ("status.open", Text("open", "未决")),
    ("status.settled", Text("settled", "已解决")),
    ("status.refined", Text("refined", "已细化")),
    ("status.merged", Text("merged", "已合并")),
    ("status.dropped", Text("dropped", "已撤销")),
    ("status.deferred", Text("deferred", "已推迟")),
    ("stance.agree", Text("agrees", "赞成")),
    ("stance.object", Text("objects", "反对")),
    ("stance.refine", Text("agrees with other words", "赞成并修改")),
    ("stance.abstain", Text("abstains", "弃权")),
    ("origin.requirement", Text("From the requirement", "来自需求")),
    ("origin.feedback", Text("From feedback", "来自反馈")),
    ("origin.previous", Text("Left open by an earlier version", "先前版本遗留")),
    ("origin.member", Text("Raised by", "提出者：")),
    ("origin.refined", Text("Split off", "细化自")),
    ("origin.reopened", Text("Agreed before, put in question again:", "曾达成一致，后被重新讨论：")),
    ("changed", Text("Changed its mind:", "改变立场：")),
    ("consensus", Text("Consensus", "共识")),
    ("as_worded", Text("In the coach's words:", "主持人的表述：")),
    ("proposed_by", Text("Proposed by", "提案：")),
    ("supported_by", Text("supported by", "支持：")),
    ("withdrawn", Text("No longer stands:", "不再有效：")),
    ("dissent", Text("Objections that stand", "保留的反对意见")),
    ("debates", Text("Debates", "辩论")),
    ("about", Text("About", "关于")),
    ("decision.adopt", Text("Adopted", "采纳")),
    ("decision.compromise", Text("Compromise", "折中")),
    ("decision.shelve", Text("Shelved", "搁置")),
    ("questions", Text("Questions", "提问")),
    ("blocks", Text("holds up", "阻塞")),
    ("recommended", Text("Recommended:", "建议：")),
    ("source.terminal", Text("typed", "终端输入")),
    ("source.questions_file", Text("questions.md", "questions.md")),
    ("source.command", Text("aitc answer", "aitc answer")),
    ("source.answers_file", Text("--answers", "--answers")),
    ("source.recommended", Text("recommended answer taken", "采用建议答案")),
    ("source.declined", Text("declined, assumed", "未回答，作为假设")),
    ("source.discussion", Text("from what was said", "据已有讨论")),
    ("source.assumed", Text("assumed, nobody was asked", "假设，未询问")),
    ("unanswered", Text("Not answered", "未答复")),
    ("assumptions", Text("Assumptions", "假设")),
    ("documents", Text("Documents", "文档")),
    ("cost", Text("Cost", "开销")),
    ("member", Text("Member", "成员")),
    ("model", Text("Model", "模型")),
    ("input", Text("Tokens in", "输入词元")),
    ("cached", Text("of them cached", "其中缓存")),
    ("output", Text("Tokens out", "输出词元")),
    ("total", Text("Together", "合计")),
    ("calls", Text("{calls} calls answered, {failed} failed, {rejected} unusable.", "应答 {calls} 次，失败 {failed} 次，无法使用 {rejected} 次。")),
    ("spent", Text("{usd} dollars.", "{usd} 美元。")),
    ("made", Text("Made by aitc from the transcript of the run", "由 aitc 依据运行记录生成，运行编号")),
    ("fact.rounds", Text("{n} rounds", "{n} 轮")),
    ("fact.round", Text("1 round", "1 轮")),
    ("fact.issues", Text("{closed} of {all} issues closed", "{all} 项议题中已结 {closed} 项")),
    ("fact.assumptions", Text("{n} assumptions", "{n} 项假设")),
    ("fact.assumption", Text("1 assumption", "1 项假设")),
    ("fact.objection", Text("1 objection stands", "保留 1 项反对意见")),
    ("fact.objections", Text("{n} objections stand", "保留 {n} 项反对意见")),
];

/// A word by its name; empty if there is none.
pub(super) fn word(name: &str) -> Text {
    let found = WORDS.iter().find(|(known, _)| *known == name);
    found.map_or(Text::NONE, |(_, text)| *text)
}

/// All words of a language, as the template takes them.
pub(super) fn all(lang: Lang) -> Value {
    let mut words = Map::new();
    for (name, text) in WORDS {
        let (group, name) = match name.split_once('.') {
            Some((group, name)) => (Some(group), name),
            None => (None, *name),
        };
        let into = match group {
            Some(group) => {
                let made = words
                    .entry(group)
                    .or_insert_with(|| Value::Object(Map::new()));
                made.as_object_mut()
            }
            None => Some(&mut words),
        };
        if let Some(into) = into {
            into.insert(name.to_owned(), text.of(lang).into());
        }
    }
    Value::Object(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_languages_say_the_same_with_the_same_places() {
        for (name, text) in WORDS {
            assert_eq!(text.places(Lang::En), text.places(Lang::Zh), "{name}");
            assert!(!text.0.is_empty() && !text.1.is_empty(), "{name}");
        }
    }
}
