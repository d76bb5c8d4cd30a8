//! Words of the page, in the language of the plan.

use serde_json::{Map, Value};

use crate::fault::Text;
use crate::machine::Lang;

/// Name within the template, with a dot for those of a group; English, Chinese.
#[rustfmt::skip]
const WORDS: &[(&str, Text)] = &[
    ("skip", Text("To the report", "跳到报告")),
    ("contents", Text("Contents", "目录")),
    ("kind.workshop", Text("Plan", "规划")),
    ("kind.team", Text("Team", "团队")),
    ("kind.board", Text("Board", "董事会")),
    ("kind.party", Text("Conversation", "对话")),
    ("views", Text("Views", "视图")),
    ("talk", Text("Discussion", "讨论")),
    ("compare", Text("Changes since {n}", "相较 {n} 的变化")),
    ("compare_kind", Text("What changed, by meaning", "按含义比较")),
    ("versions", Text("Versions and runs", "版本与运行")),
    ("revises", Text("revises", "修订自")),
    ("verdict.agreed", Text("Agreed", "达成一致")),
    ("verdict.unresolved", Text("Unresolved", "未达成一致")),
    ("verdict.complete", Text("Complete", "已完成")),
    ("verdict.draft", Text("In the making", "进行中")),
    ("unwritten", Text("The report is written when the discussion has ended.", "讨论结束后撰写报告。")),
    ("unresolved", Text("The discussion ended without agreement on everything. Still open:", "讨论结束时仍有分歧。未决议题：")),
    ("report", Text("Report", "报告")),
    ("requirement", Text("Requirement", "需求")),
    ("judgment", Text("As the coach read it", "主持人的理解")),
    ("feedback", Text("Feedback", "反馈")),
    ("fate.kept", Text("kept", "保持")),
    ("fate.changed", Text("changed", "已修改")),
    ("fate.superseded", Text("superseded", "已取代")),
    ("fate.declined", Text("declined", "未采纳")),
    ("fate.open", Text("open", "未决")),
    ("phases", Text("Phases", "阶段")),
    ("layer", Text("Layer {n}", "第 {n} 层")),
    ("after", Text("after", "依赖")),
    ("synthesis", Text("The results put together", "综合结果")),
    ("outcome.done", Text("done", "完成")),
    ("outcome.partial", Text("in part", "部分完成")),
    ("outcome.no_result", Text("no result", "无结果")),
    ("outcome.not_done", Text("not done", "未完成")),
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
    ("why_and_lost", Text("Why, and what lost", "理由与落选方案")),
    ("lost", Text("lost", "落选")),
    ("dissent", Text("Objections that stand", "保留的反对意见")),
    ("evidence", Text("What is there already", "现有情况")),
    ("standing.verified", Text("verified", "已核实")),
    ("standing.unverified", Text("not verified", "未核实")),
    ("standing.inferred", Text("inferred", "推断")),
    ("looks", Text("What was looked up", "查阅记录")),
    ("look.read", Text("read", "阅读")),
    ("look.search", Text("searched for", "搜索")),
    ("look.symbol", Text("looked up", "查找")),
    ("look.outline", Text("outlined", "浏览")),
    ("look.history", Text("read the history of", "查看历史")),
    ("look.previous", Text("read in the version before", "查阅上一版本")),
    ("look.ask", Text("asked its model", "询问模型")),
    ("look.try", Text("tried", "试运行")),
    ("nothing_found", Text("nothing found", "未找到")),
    ("debates", Text("Debates", "辩论")),
    ("debate", Text("Debate", "辩论")),
    ("opens", Text("opens", "开场")),
    ("because", Text("Why:", "理由：")),
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
    ("review", Text("Review", "评审")),
    ("found.open", Text("open", "未决")),
    ("found.mended", Text("mended", "已修正")),
    ("found.declined", Text("declined", "未采纳")),
    ("found.left_to_human", Text("left to you", "由您决定")),
    ("found.withdrawn", Text("withdrawn", "已撤回")),
    ("found.upheld", Text("upheld", "维持")),
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
    ("fact.phases", Text("{n} phases", "{n} 个阶段")),
    ("fact.phase", Text("1 phase", "1 个阶段")),
    ("fact.assumptions", Text("{n} assumptions", "{n} 项假设")),
    ("fact.assumption", Text("1 assumption", "1 项假设")),
    ("fact.objection", Text("1 objection stands", "保留 1 项反对意见")),
    ("fact.objections", Text("{n} objections stand", "保留 {n} 项反对意见")),
    ("skip_talk", Text("To the discussion", "跳到讨论")),
    ("you", Text("You", "您")),
    ("asks", Text("asks you", "向您提问")),
    ("sums_up", Text("sums up", "小结")),
    ("intent.say", Text("to the members", "对成员说")),
    ("intent.debate", Text("ask for a debate", "要求辩论")),
    ("intent.stop", Text("end the discussion", "结束讨论")),
    ("intent.vote_to_end", Text("ask for a vote", "要求表决")),
    ("intent.reopen", Text("reopen", "重新讨论")),
    ("intent.skip", Text("leave out a debate", "跳过辩论")),
    ("intent.answer", Text("answer", "回答")),
    ("published", Text("Published", "已发布")),
    ("read", Text("Read the result", "阅读结果")),
    ("rests", Text("No process works on it. To go on:", "没有进程在运行。继续：")),
    ("standing_now", Text("What goes on", "当前状态")),
    ("open_by_round", Text("Open issues by round", "各轮未决议题")),
    ("guard.rounds", Text("Rounds", "轮次")),
    ("guard.layers", Text("Layers", "层")),
    ("guard.minutes", Text("Minutes", "分钟")),
    ("guard.tokens", Text("Tokens", "词元")),
    ("guard.money", Text("Cost", "费用")),
    ("purpose.judgment", Text("reads the requirement", "审阅需求")),
    ("purpose.speech", Text("speaks", "发言")),
    ("purpose.relay", Text("looks at a question", "处理提问")),
    ("purpose.follow_up", Text("reads an answer", "阅读回答")),
    ("purpose.summary", Text("sums up", "小结")),
    ("purpose.step", Text("works on a phase", "执行阶段")),
    ("purpose.vote", Text("votes", "表决")),
    ("purpose.debate_opening", Text("opens a debate", "辩论开场")),
    ("purpose.argument", Text("argues", "辩论发言")),
    ("purpose.debate_summary", Text("sums a debate up", "辩论小结")),
    ("purpose.ruling", Text("rules", "裁决")),
    ("purpose.report", Text("writes the report", "撰写报告")),
    ("purpose.review", Text("reviews the plan", "评审规划")),
    ("purpose.verdict", Text("judges its findings", "复核发现")),
    ("purpose.product_plan", Text("writes the product plan", "撰写产品规划")),
    ("purpose.system_design", Text("writes the design", "撰写系统设计")),
    ("purpose.dev_plan", Text("writes the development plan", "撰写开发计划")),
    ("purpose.test_plan", Text("writes the test plan", "撰写测试计划")),
    ("purpose.risk_assessment", Text("writes the risks", "撰写风险评估")),
    ("recommended_short", Text("recommended", "建议")),
    ("your_answer", Text("Your answer", "您的回答")),
    ("answer", Text("Answer", "回答")),
    ("take_recommended", Text("Take the recommended", "采用建议")),
    ("decline", Text("No answer", "不回答")),
    ("say_label", Text("Say something, or name what is to be debated", "发言，或写下要辩论的议题")),
    ("say_hint", Text("The next speaker hears it", "下一位发言者会听到")),
    ("say", Text("Say", "发言")),
    ("debate_button", Text("Debate", "辩论")),
    ("stop", Text("Stop", "停止")),
    ("stop_sure", Text("Press again to end the discussion", "再按一次结束讨论")),
    ("newer", Text("Newer below", "下方有新内容")),
    ("earlier", Text("Earlier", "更早的内容")),
    ("connection_lost", Text("The connection is lost; trying again", "连接中断，正在重试")),
    ("unsent", Text("It could not be sent; is aitc view still running?", "未能发送；aitc view 是否仍在运行？")),
    ("same", Text("Nothing changed.", "没有变化。")),
    ("changed_thing", Text("changed", "修改")),
    ("added_thing", Text("added", "新增")),
    ("removed_thing", Text("removed", "移除")),
    ("group.plan", Text("Plan", "规划")),
    ("group.consensus", Text("Consensus", "共识")),
    ("group.issues", Text("Issues", "议题")),
    ("group.questions", Text("Questions", "提问")),
    ("group.assumptions", Text("Assumptions", "假设")),
    ("group.scope", Text("Scope", "范围")),
    ("group.non-goals", Text("Non-goals", "非目标")),
    ("group.criteria", Text("Acceptance criteria", "验收标准")),
    ("group.modules", Text("Modules", "模块")),
    ("group.decisions", Text("Decisions", "决策")),
    ("group.files", Text("Files", "文件")),
    ("group.work", Text("Work", "工作")),
    ("group.tests", Text("Tests", "测试")),
    ("group.risks", Text("Risks", "风险")),
];

/// A word of the page by its name; empty if there is none.
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
