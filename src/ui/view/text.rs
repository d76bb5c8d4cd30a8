//! Texts of the interface, in both languages.

use super::Style;
use crate::fault::{MessageValue, Text, fill, texts, values};
use crate::machine::Lang;
pub(super) use crate::words::{name_of, word};

texts! {
    pub(super) MARK_DONE: "done", "完成";
    pub(super) MARK_NOTE: "note", "说明";
    pub(super) MARK_ASKED: "question", "提问";
    pub(super) MARK_ANSWERED: "answer", "回答";
    pub(super) MARK_WARNING: "warning", "警告";
    pub(super) MARK_ARGUED: "argument", "论点";
    pub(super) MARK_RULED: "ruling", "裁决";
    pub(super) LAYER_OF: "Layer {n} · {done} of {all} phases done", "第 {n} 层 · {all} 个阶段中已完成 {done} 个";
    pub(super) ROUND: "Round {n} · {open} open", "第 {n} 轮 · {open} 项未决";
    pub(super) WAITS_FOR: "{ids} waiting for your answer", "{ids} 等待您回答";
    pub(super) GOES_ON_FROM: "continues from the files of {id}", "基于 {id} 的文件";
    pub(super) IS_TRYING: "runs {trial}", "运行 {trial}";
    pub(super) MENU: "[E] end now · [V] let the members vote on the end · [C] continue · or type a message to the members, /debate <topic>, /skip (a debate), /reopen C-1 why, /auto-exit on|off, /stop", "[E] 立即结束 · [V] 由成员表决是否结束 · [C] 继续 · 也可以直接输入要对成员说的话，或 /debate <题目>、/skip（跳过辩论）、/reopen C-1 理由、/auto-exit on|off、/stop";
    pub(super) CONFIRM_END: "Enter ends it, [C] continues, any other text goes to the members: ", "回车确认结束，[C] 继续，输入其他内容则转告成员：";
    pub(super) CONFIRM_LIMIT: "Enter ends the discussion, [C] continues ({granted} more), [V] votes, any other text goes to the members: ", "回车结束讨论，[C] 继续（再加 {granted}），[V] 表决，输入其他内容则转告成员：";
    pub(super) WITHOUT_MODEL: "without a model", "未使用模型";
    pub(super) ASIDE: " ({what})", "（{what}）";
    pub(super) COST: "${usd}", "{usd} 美元";
    pub(super) NEXT: "next", "下一步";
    pub(super) DEMO: "A demonstration: the answers of members and user were scripted in advance; everything else is the program itself at work.", "演示：成员和用户的话是事先写好的，其余都是程序真实运行的结果。";
    pub(super) LOOK: "look", "看看";
    pub(super) PROMPT: "Enter takes the recommended answer, `-` declines: ", "回车采用建议的答案，`-` 表示不回答：";
    pub(super) NO_WORD_YET: "no answer yet", "还没有回答";
    pub(super) THINKS: "thinks", "思考中";
    pub(super) WAITS_AS_ASKED: "waiting as the provider asked, {n} s left", "按服务商的要求等待，还有 {n} 秒";
    pub(super) SILENT_FOR: "no output for {n} s", "已 {n} 秒没有新内容";
    pub(super) MORE_CALLS: "and {n} more", "另有 {n} 位";
    pub(super) OF_LIMIT: "{value} of {limit}", "{value}（上限 {limit}）";
    pub(super) TOKENS_USED: "{n} tokens", "{n} 词元";
    pub(super) STILL_GOING: "waiting: {calls}", "等待中：{calls}";
    pub(super) NOBODY_HEARS: "the discussion is over: text typed now is not sent to the members", "讨论已经结束：现在输入的内容不会转达给成员";
    pub(super) TYPE_HERE: "type to the members · E ends · V votes · Enter for the menu", "输入要对成员说的话 · E 结束 · V 表决 · 回车看菜单";
}

/// A text with its placeholders filled; in plain style with commas instead of dots.
pub(super) fn say(style: &Style, text: Text, values: &[(&str, &dyn MessageValue)]) -> String {
    let lang = style.lang;
    match style.plain {
        true => fill(&text.of(lang).replace(" · ", ", "), lang, values),
        false => text.with(lang, values),
    }
}

/// A text in brackets after another: ` (minor)`, `（次要）`.
pub(super) fn aside(what: impl MessageValue, lang: Lang) -> String {
    ASIDE.with(lang, values![what])
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_text_is_translated() {
        let rows = include_str!("text.rs").lines();
        let rows = rows.filter(|row| row.starts_with("    pub(super) ") && row.ends_with("\";"));
        let mut n = 0;
        for row in rows {
            n += 1;
            let (_, zh) = row.rsplit_once("\", \"").expect(row);
            assert!(zh.chars().any(|c| c > '\u{2e7f}'), "{row}");
        }
        assert!(n > 30, "{n}");
    }
}
