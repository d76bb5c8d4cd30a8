//! The words of the interface, in both languages.

use serde::Serialize;

use super::Style;
use crate::machine::similarity::Score;
use crate::machine::{Format, Lang, Sign};
pub(super) use crate::words::word;

macro_rules! catalogue {
    ($($(#[$doc:meta])* $name:ident: $en:literal, $zh:literal;)*) => {
        /// Every text; `{name}` stands for what [`fill`] puts in.
        #[derive(Debug)]
        pub(super) struct Words {
            $($(#[$doc])* pub $name: &'static str,)*
        }

        const EN: Words = Words { $($name: $en,)* };
        const ZH: Words = Words { $($name: $zh,)* };

        #[cfg(test)]
        const PAIRS: &[(&str, &str, &str)] = &[$((stringify!($name), $en, $zh),)*];
    };
}

catalogue! {
    mark_done: "done", "完成";
    mark_note: "note", "说明";
    mark_asked: "question", "提问";
    mark_answered: "answer", "回答";
    mark_warning: "warning", "警告";
    mark_argued: "argument", "论点";
    mark_ruled: "ruling", "裁决";
    debate: "Debate {id}", "辩论 {id}";
    changed_mind: "changed its mind: {why}", "改变立场：{why}";
    proposes_text: "proposes: {text}", "提案：{text}";
    argument_missing: "{who} has no usable argument in round {n}: {reason}", "{who} 在第 {n} 轮没有可用的论点：{reason}";
    ruled: "{id}, {decision}: {text}", "{id}，{decision}：{text}";
    still_objects: "{who} still objects: {text}", "{who} 仍然反对：{text}";
    one_member: "1 member", "1 位成员";
    members: "{n} members", "{n} 位成员";
    script: "replayed from a script, no language model", "按脚本回放，未使用语言模型";
    searched: "searched {files}, {hits} of them relevant", "搜索了 {files}，{hits} 个相关";
    one_file: "1 file", "1 个文件";
    files: "{n} files", "{n} 个文件";
    objects_on: "objects on {ids}", "反对 {ids}";
    proposes_on: "proposes on {ids}", "就 {ids} 提案";
    agrees_on: "agrees on {ids}", "赞成 {ids}";
    one_correction: "1 correction", "1 处更正";
    corrections: "{n} corrections", "{n} 处更正";
    one_question: "1 question", "1 个提问";
    questions: "{n} questions", "{n} 个提问";
    one_new_issue: "1 new issue", "1 个新议题";
    new_issues: "{n} new issues", "{n} 个新议题";
    turned: "{who} changed its mind on {id}: {why}", "{who} 对 {id} 改变了立场：{why}";
    colon: ": ", "：";
    calling: "is asked ({purpose})", "收到请求（{purpose}）";
    call_failed: "call failed ({kind}): {detail}", "调用失败（{kind}）：{detail}";
    retried: "it is tried again", "将重试";
    retried_after: "it asks to wait {n} s, and is tried again then", "它要求等待 {n} 秒，之后将重试";
    not_retried: "it is not tried again", "不再重试";
    retried_later: "it asks to wait {n} s, longer than a run does; `aitc resume` tries again", "它要求等待 {n} 秒，超出一次运行的等待上限；`aitc resume` 会再试";
    rejected_last: "reply unusable: {reason}", "回复无法使用：{reason}";
    rejected: "reply unusable, asked again: {reason}", "回复无法使用，将再次请求：{reason}";
    layer: "Layer {n}", "第 {n} 层";
    layer_of: "Layer {n} · {done} of {all} phases done", "第 {n} 层 · {all} 个阶段中已完成 {done} 个";
    no_review: "no debate on the issue list: the work is too small for one", "不就议题清单辩论：这项工作太小，无需辩论";
    small_work: "the coach judges this small work: one round, no debate, no review, a short report; `--full` runs all of it", "主持人判断这是小任务：只开一轮，不辩论，不评审，报告从简；`--full` 则完整进行";
    outgrown_issues: "the coach judges this small work, but there are {n} issues: the run continues as usual", "主持人判断这是小任务，但有 {n} 项议题：照常进行";
    outgrown_blocking: "no longer small work, {n} still blocking after round 1: the run continues as usual", "不再是小任务：第 1 轮后仍有 {n} 项阻塞，此后照常进行";
    outgrown_files: "no longer small work: {n} files change; the plan is reviewed as usual", "不再是小任务：要改动 {n} 个文件，规划照常评审";
    plan_revised: "work plan after the review:", "评审之后，工作安排如下：";
    plan_kept: "the plan is kept, though its review asked for another: {why}", "评审要求改动安排，但没有得到新的安排，仍按原安排进行：{why}";
    ended_small: "No blocking issue is open, but with `may_agree: false` that does not count as agreed", "没有未决的阻塞议题；因设有 `may_agree: false`，不算达成一致";
    ended_incomplete: "Every phase has ended, but {value} of {limit} have no result: the work is not complete", "所有阶段均已结束，{limit} 个中有 {value} 个没有结果：工作并未完成";
    ended_complete: "Every phase is done: the work is complete", "所有阶段均已完成";
    complete: "complete", "已完成";
    debate_phase: "phase {id}", "阶段 {id}";
    debate_phase_after: "phase {id}, after {after}", "阶段 {id}，在 {after} 之后";
    debate_waited_for: "{ids} will wait for it", "{ids} 改为等待其结论";
    team_fallback: "no usable plan ({why}); the task runs as one phase", "没有可用的安排（{why}）；任务作为一个阶段进行";
    phase_after: " (after {ids})", "（在 {ids} 之后）";
    phase_started: "{id} begins ({who}): {task}", "{id} 开始（{who}）：{task}";
    phase_missing: "{id}: no usable result from {who}: {reason}", "{id}：{who} 没有给出可用的结果：{reason}";
    synthesised: "synthesis: {title}", "综合：{title}";
    round: "Round {n} · {open} open", "第 {n} 轮 · {open} 项未决";
    round_without: "Round {n}", "第 {n} 轮";
    minor: "minor", "次要";
    passed_over: "skipped: {reason}", "本轮跳过：{reason}";
    issues_entered: "added {ids}", "列入 {ids}";
    withdrawn: "{id} is reopened: {reason}", "{id} 重新讨论：{reason}";
    settled: "settled {ids}", "达成一致 {ids}";
    refined: "split {ids}", "拆分 {ids}";
    merged: "merged {ids}", "合并 {ids}";
    dropped: "dropped {ids}", "放弃 {ids}";
    deferred: "deferred {ids}", "推迟 {ids}";
    still_open: "still open {ids}", "仍未决 {ids}";
    nothing_open: "no open issues", "没有未决议题";
    refused: "refused, {rule} ({about}): {detail}", "未采纳，{rule}（{about}）：{detail}";
    answered: "answer", "答复";
    waits_for: "{ids} waiting for your answer", "{ids} 等待您回答";
    invited: "{who} is asked", "请 {who} 发言";
    invited_to: "{who} is asked: {text}", "请 {who} 发言：{text}";
    reminder: "{who} is reminded: {text}", "提醒 {who}：{text}";
    left_out: "removed from {who}'s answer ({about}): {text}", "{who} 的回答中略去（{about}）：{text}";
    asks: "{who} asks: {text}", "{who} 提问：{text}";
    looked_for: "{who} looked for {ids}: {found}", "{who} 为 {ids} 查找了资料：{found}";
    found_there: "{who}: {text} ({place})", "{who}：{text}（{place}）";
    unverified: "not verified", "未核实";
    inferred: "inferred", "推断";
    list_comma: ", ", "、";
    tries: "{who} runs {id}: {command} ({what})", "{who} 运行 {id}：{command}（{what}）";
    goes_on_from: "continues from the files of {id}", "基于 {id} 的文件";
    is_trying: "runs {trial}", "运行 {trial}";
    looked: "{who} looks at {what}", "{who} 查看了 {what}";
    one_place: "1 place", "1 处";
    places: "{n} places", "{n} 处";
    no_place: "no match", "没有相符之处";
    looked_at: "looked", "查过";
    asks_again: "{who} follows up: {text}", "{who} 追问：{text}";
    asks_the_same: "{who} repeats the question; the answer is kept", "{who} 重复了已答复的问题；答复照用";
    satisfied: "{who} is satisfied", "{who} 已得到答复";
    not_relayed: "{who} gave no usable answer; the question is passed on unchanged: {reason}", "{who} 没能给出可用的回答，问题照原样转出：{reason}";
    reply_stands: "{who} gave no usable response; the reply is kept as given: {reason}", "{who} 没能给出可用的回应，答复照原话采用：{reason}";
    from_discussion: "answered from the discussion ({cites}): {text}", "据已有讨论回答（{cites}）：{text}";
    similarity: "similarity to each member's last speech: {mean} on average ({measure})", "与各成员上次发言相比：平均 {mean}（{measure}）";
    similarity_fallback: "the embeddings endpoint was not used; the lexical measure is used instead: {reason}", "未使用向量接口，改用字面度量：{reason}";
    possible_merge: "{issue} is similar to {into} ({score}); the coach will decide", "{issue} 与 {into} 相近（{score}），将请主持人判断";
    guard_near: "{guard} is near: {value} of {limit}", "接近{guard}：{value} / {limit}";
    guard_hint: "E and Enter end the discussion, Enter alone shows the menu", "输入 E 并回车结束讨论，只按回车显示菜单";
    seen: "{what}; the discussion continues", "{what}；不会因此自行结束讨论";
    menu: "[E] end now · [V] let the members vote on the end · [C] continue · or type a message to the members, /debate <topic>, /skip (a debate), /reopen C-1 why, /auto-exit on|off, /stop", "[E] 立即结束 · [V] 由成员表决是否结束 · [C] 继续 · 也可以直接输入要对成员说的话，或 /debate <议题>、/skip（跳过辩论）、/reopen C-1 理由、/auto-exit on|off、/stop";
    proposes_end: "{who} proposes to end the discussion", "{who} 建议结束讨论";
    confirm_end: "Enter ends it, [C] continues, any other text goes to the members: ", "回车确认结束，[C] 继续，输入其他内容则转告成员并继续：";
    reached: "{guard} reached: {value} of {limit}", "已达到{guard}：{value} / {limit}";
    confirm_limit: "Enter ends the discussion, [C] continues ({granted} more), [V] votes, any other text goes to the members: ", "回车结束讨论，[C] 继续（再加 {granted}），[V] 表决，输入其他内容则转告成员并继续：";
    end_confirmed: "the end is confirmed ({guard}, {by})", "确认结束（{guard}，{by}）";
    end_declined: "not ended ({guard}, {by}): {reason}", "不结束（{guard}，{by}）：{reason}";
    end_overtaken: "the discussion ended before anybody decided on the proposal to end", "无人决定是否接受结束的提议：讨论已先行结束";
    goes_on: "the discussion continues", "讨论继续";
    you_say: "you: {text}", "您：{text}";
    you_stop: "you end the discussion", "您结束讨论";
    stop_sums_up: "; this round will be summed up", "；本轮已有发言将被总结";
    stop_leaves_open: "; questions waiting for your answer stay open", "；待您回答的提问保持未决";
    you_debate: "you ask for a debate: {topic}", "您要求辩论：{topic}";
    you_answer_late: "you answer {id}: {text}", "您回答 {id}：{text}";
    debate_void: "no debate on {issue}, which is closed: {topic}", "{issue} 已经了结，不再辩论：{topic}";
    disputes_unknown: "the coach could not tell whether results contradict each other ({reason}); they are treated as consistent", "主持人未能判断结果之间有无分歧（{reason}），按没有分歧处理";
    debate_void_phase: "no debate on {issue}, which has no result: {topic}", "{issue} 没有产出，不再辩论：{topic}";
    you_skip: "you skip this debate", "您跳过这场辩论";
    you_reopen: "you: {item} is reopened as {issue}{why}", "您：{item} 需重新讨论，列为 {issue}{why}";
    coach_calls_vote: "the coach asks the members to vote on ending: {why}", "主持人请成员表决是否结束：{why}";
    you_vote: "the members vote on ending the discussion", "成员表决是否结束";
    auto_exit_on: "from now on, limits and detectors end the run without asking", "从现在起，达到上限或检测到停滞时自动结束";
    auto_exit_off: "from now on, limits and detectors do not end the run without asking", "从现在起，达到上限或检测到停滞时不再自动结束";
    vote_carried: "vote {n}: {end} of {asked} want to end: carried", "第 {n} 次表决：{asked} 人中 {end} 人赞成结束，表决通过";
    vote_lost: "vote {n}: {end} of {asked} want to end: the discussion continues", "第 {n} 次表决：{asked} 人中 {end} 人赞成结束，讨论继续";
    nudged: "{who} is nudged ({why}): {text}", "催促 {who}（{why}）：{text}";
    nudge_left: "{n} left", "剩余 {n} 次";
    nudges_used: "{who} has used all its nudges ({why}): continue or stop?", "{who} 的催促次数已用完（{why}）：继续还是结束？";
    nudges_off: "no nudges for {who} ({source})", "不催促 {who}（{source}）";
    ended_agreed: "No blocking issue is open: the discussion ended in agreement", "没有未决的阻塞议题：讨论达成一致";
    ended_by_budget: "The discussion ended unresolved: {guard} ({value} of {limit} spent or reserved; another turn and the closing would exceed it)", "讨论未达成一致而结束：{guard}（已用或预留 {value} / {limit}，余量不足以再发言一次并收尾）";
    ended_by: "The discussion ended unresolved: {guard} ({value} of {limit})", "讨论未达成一致而结束：{guard}（{value} / {limit}）";
    ended_by_sign: "The discussion ended unresolved: {what}", "讨论未达成一致而结束：{what}";
    ended_by_proposal: "The discussion ended unresolved: a proposal to end was confirmed, blocking issues open: {open}", "讨论未达成一致而结束：结束提议得到确认，未决的阻塞议题：{open}";
    ended_by_user: "The discussion ended unresolved: you ended it", "讨论未达成一致而结束：由您结束";
    ended_by_vote: "The discussion ended unresolved: {end} of {asked} members voted to end, as you asked", "讨论未达成一致而结束：应您的要求表决，{asked} 人中 {end} 人赞成结束";
    written: "{name}, items: {items}", "{name}，共 {items} 项";
    origin: "origin", "来源";
    carried: "carried over from v{n}", "沿用 v{n}，未改动";
    without_model: "without a model", "未使用模型";
    report_done: "report: {title}", "报告：{title}";
    plan_checked: "the automatic check of the plan found {n} problems, about {about}", "程序检查规划，发现 {n} 处：{about}";
    reviewed: "reviews the {what}: findings {n}, blocking {blocking}", "评审{what}：意见 {n} 条，其中阻塞 {blocking} 条";
    reviewed_clean: "reviews the {what}: nothing to fix", "评审{what}：没有要修改的";
    review_missing: "{who} gave no usable review: {reason}", "{who} 没有给出可用的评审：{reason}";
    amended: "{name} after the review: fixed {mended}, declined {declined}", "评审后的{name}：已修改 {mended} 条，未采纳 {declined} 条";
    amendment_missing: "{who} gave no usable amendment; the text is unchanged: {reason}", "{who} 没有给出可用的修订，文本保持原样：{reason}";
    judged: "reviews the declined findings: upheld {upheld}, withdrawn {withdrawn}", "复核未采纳的意见：坚持 {upheld} 条，撤回 {withdrawn} 条";
    verdict_missing: "{who} did not say whether its findings still hold, so they are upheld: {reason}", "{who} 没有说明意见是否仍然成立，按成立处理：{reason}";
    review_closed: "The review is over: {figures}", "评审结束：{figures}";
    review_upheld: "The {what} is unresolved: a blocking finding is upheld ({ids}); {figures}", "{what}未达成一致：有阻塞意见仍然成立（{ids}）；{figures}";
    reviewed_figures: "findings {n}, fixed {mended}", "意见 {n} 条，已修改 {mended} 条";
    nothing_found: "nothing found", "没有发现问题";
    not_reviewed: "not reviewed ({why})", "未评审（{why}）";
    review: "review", "评审";
    resumed: "resumed at line {line}", "从第 {line} 行继续";
    other_model: "{members}: model {to} of {provider} from here on, instead of {from}", "{members}：此后使用 {provider} 的模型 {to}，代替 {from}";
    drift_accepted: "changed since the start; the run keeps the old ones: {names}", "开始后有改动，仍按开始时的内容进行：{names}";
    agreed: "agreed", "已达成一致";
    unresolved_by: "unresolved ({guard})", "未达成一致（{guard}）";
    unresolved: "UNRESOLVED", "未达成一致";
    closing_complete: "{n} is published: complete after {rounds}", "{n} 已发布：{rounds}后完成";
    debate_unheld: "not debated, because the discussion ended: {topic}", "讨论已结束，未能辩论：{topic}";
    closing_agreed: "{n} is published: agreed after {rounds}", "{n} 已发布：{rounds}后达成一致";
    closing_unresolved: "{n} is published, UNRESOLVED: {guard} after {rounds}", "{n} 已发布，未达成一致：{rounds}后因{guard}结束";
    one_layer: "1 layer", "1 层";
    layers: "{n} layers", "{n} 层";
    one_round: "1 round", "1 轮";
    rounds: "{n} rounds", "{n} 轮";
    read: "read", "阅读";
    decide: "decide", "决定";
    recommended_is: "{what} (recommended: {text})", "{what}（建议：{text}）";
    open: "open", "未决";
    wish_dropped: "dropped", "未采纳";
    dropped_because: "{id} {what}: {why}", "{id} {what}：{why}";
    assumed: "assumed", "假设";
    of: "{who}: {what}", "{who}：{what}";
    aside: " ({what})", "（{what}）";
    then: "{what}; {then}", "{what}；{then}";
    calls: "calls", "调用";
    calls_scripted: "{calls} replayed from a script, no language model", "{calls} 次，均按脚本回放，未使用语言模型";
    calls_figures: "{calls} in {time} · {total} tokens ({input} in, {output} out) · {cached} % of input cached", "{calls} 次，用时 {time} · {total} 词元（输入 {input}，输出 {output}） · 输入缓存 {cached} %";
    cost: "${usd}", "{usd} 美元";
    forecast: "estimate for two rounds: {calls} calls, {chain} of them in sequence, about {tokens} tokens{cost}", "按两轮预计：{calls} 次调用，其中 {chain} 次依次进行，约 {tokens} 个词元{cost}";
    forecast_team: "estimate for one phase per member: {calls} calls, {chain} of them in sequence, about {tokens} tokens{cost}", "按每位成员一个阶段预计：{calls} 次调用，其中 {chain} 次依次进行，约 {tokens} 个词元{cost}";
    forecast_carried: "documents that may stay unchanged: {n}; each saves a call", "可能保持不变的文档：{n} 份；每份少一次调用";
    forecast_trials: "; members may also run commands", "；其间成员可以运行命令";
    forecast_cost: ", at most ${usd}", "，最多 {usd} 美元";
    small_cap: "the limit of {cap} tokens is probably too low", "词元上限 {cap} 多半不够用";
    small_budget: "the budget of ${cap} may be too low", "费用上限 {cap} 美元可能不够用";
    degraded: "absent", "缺席";
    absent: "{who} had no usable answer in round {n}", "{who} 在第 {n} 轮没有可用的发言";
    redacted: "secrets", "机密";
    secret_taken: "1 secret was removed before anything was written", "写入之前隐去了 1 处机密";
    secrets_taken: "{n} secrets were removed before anything was written", "写入之前隐去了 {n} 处机密";
    calls_troubled: "{failed} failed, {rejected} unusable", "{failed} 次失败，{rejected} 次无法使用";
    next: "next", "下一步";
    next_review: "read it, then: git add {root}", "阅读后提交：git add {root}";
    said_agreed: "agreed after {rounds}", "{rounds}后达成一致";
    said_unresolved: "UNRESOLVED: {guard} after {rounds}", "未达成一致：{rounds}后因{guard}结束";
    next_save: "keep talking; `/save` keeps the chat, `/plan` makes a plan of it", "继续说；`/save` 保存这次交谈，`/plan` 把它变成规划";
    next_revise: "or: aitc revise {n} \"what should be different\"", "或修改：aitc revise {n} \"需要改动的内容\"";
    demo: "A demonstration: the answers of members and user were scripted in advance; everything else is the program itself at work.", "演示：成员和用户的话是事先写好的，其余都是程序真实运行的结果。";
    look: "look", "看看";
    why: "why", "原因";
    holds_up: "blocks", "阻塞";
    options: "options", "选项";
    recommended: "recommended", "建议";
    advised: "advice", "建议";
    asked: "asked", "提问";
    replied: "reply", "答复";
    declined_further: "declined; the earlier reply is kept", "未回答；先前的答复有效";
    prompt: "Enter takes the recommended answer, `-` declines: ", "回车采用建议答案，`-` 表示不回答：";
    no_questions: "No question is waiting for you.", "没有等待您回答的提问。";
    no_versions: "There is no version yet.", "还没有任何版本。";
    draft: "draft", "草稿";
    stage: "stage", "阶段";
    about: "about", "需求";
    waiting: "waiting", "待答";
    sent: "answered", "已答";
    not_taken_up: "answered, not read yet", "已回答，尚未读取";
    left_open: "no answer", "未答";
    from_version: "from {n}", "基于 {n}";
    status_of: "status", "状态";
    origin_requirement: "from the requirement", "来自需求";
    origin_feedback: "from feedback {id}", "来自反馈 {id}";
    origin_previous: "left open by an earlier version", "先前版本遗留";
    origin_left_by: "left open by {n}", "由 {n} 遗留";
    origin_member: "raised by {who}", "由 {who} 提出";
    origin_refined: "split off {id}", "由 {id} 拆分而来";
    origin_reopened: "you reopened {id}", "您要求重新讨论 {id}";
    raised_in: "round {n}", "第 {n} 轮";
    is_open: "open", "未决";
    is_settled: "settled by {id}", "由 {id} 解决";
    is_refined: "split into {id}", "拆分为 {id}";
    is_merged: "merged into {id}", "并入 {id}";
    is_dropped: "dropped", "已放弃";
    is_deferred: "deferred", "已推迟";
    history: "history", "经过";
    no_word_yet: "no answer yet", "尚未开口";
    thinks: "thinks", "思考中";
    waits_as_asked: "waiting as the provider asked, {n} s left", "按服务商的要求等待，还有 {n} 秒";
    silent_for: "no output for {n} s", "已 {n} 秒没有新内容";
    more_calls: "and {n} more", "另有 {n} 位";
    of_limit: "{value} of {limit}", "{value}（上限 {limit}）";
    tokens_used: "{n} tokens", "{n} 词元";
    still_going: "waiting: {calls}", "等待中：{calls}";
    nobody_hears: "the discussion is over: text typed now is not sent to the members", "讨论已经结束：现在输入的内容不会转达给成员";
    type_here: "type to the members · E ends · V votes · Enter for the menu", "输入要对成员说的话 · E 结束 · V 表决 · 回车看菜单";
}

/// The words of a language.
pub(super) fn words(lang: Lang) -> &'static Words {
    match lang {
        Lang::En => &EN,
        Lang::Zh => &ZH,
    }
}

/// Puts values in the places `{name}` of a template; values are not looked
/// into again, so that braces in them stay what they are.
pub(super) fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut text = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        text.push_str(before);
        let Some((name, after)) = after.split_once('}') else {
            return text + after;
        };
        let value = values.iter().find(|(key, _)| *key == name);
        text.push_str(value.map_or(name, |(_, value)| value));
        rest = after;
    }
    text + rest
}

/// [`fill`], with commas in place of dots where only words are wanted.
pub(super) fn say(style: &Style, template: &str, values: &[(&str, &str)]) -> String {
    if style.plain {
        fill(&template.replace(" · ", ", "), values)
    } else {
        fill(template, values)
    }
}

/// Some of a thing: `one` for 1, `many` with its number for more; none of 0.
pub(super) fn counted(n: usize, one: &str, many: &str) -> Option<String> {
    match n {
        0 => None,
        1 => Some(one.to_owned()),
        _ => Some(fill(many, &[("n", &n.to_string())])),
    }
}

/// `1 round`, `3 rounds`.
pub(super) fn rounds(n: u32, format: Format, lang: Lang) -> String {
    let words = words(lang);
    let (one, many) = match format {
        Format::Team => (words.one_layer, words.layers),
        _ => (words.one_round, words.rounds),
    };
    if n == 1 {
        one.to_owned()
    } else {
        fill(many, &[("n", &n.to_string())])
    }
}

/// Who or what, and what is said of it: `PP: proposes`, `PP：提案`.
pub(super) fn of(who: &str, what: &str, lang: Lang) -> String {
    fill(words(lang).of, &[("who", who), ("what", what)])
}

/// Words put in by the way: ` (minor)`, `（次要）`.
pub(super) fn aside(what: &str, lang: Lang) -> String {
    fill(words(lang).aside, &[("what", what)])
}

/// A reason behind what was said, if there is one: `: it is small`.
pub(super) fn because(why: &str, lang: Lang) -> String {
    match why {
        "" => String::new(),
        why => format!("{}{}", words(lang).colon, super::clean(why)),
    }
}

/// The member that proposes to end the discussion, and its words.
pub(super) fn proposes_end(who: &str, said: &str, style: &Style) -> String {
    let words = words(style.lang);
    let proposes = say(style, words.proposes_end, &[("who", who)]);
    match said.is_empty() {
        true => proposes,
        false => format!("{proposes}{}{said}", words.colon),
    }
}

/// What a value of the record is called within its group.
pub(super) fn name_of(group: &str, value: &impl Serialize, lang: Lang) -> &'static str {
    crate::words::name_of(group, value).of(lang)
}

/// What a detector found and the figures it saw, as part of a sentence.
pub(super) fn found(sign: Sign, value: u64, limit: u64, style: &Style) -> String {
    let template = name_of("seen", &sign, style.lang);
    let shown = |figure: u64| match sign {
        Sign::Repetition => Score::from_ratio(figure as f64 / 1000.0).to_string(),
        _ => figure.to_string(),
    };
    let values = [("value", &*shown(value)), ("limit", &shown(limit))];
    say(style, template, &values)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(template: &str) -> Vec<&str> {
        let mut names: Vec<_> = template
            .split('{')
            .skip(1)
            .filter_map(|part| part.split_once('}').map(|(name, _)| name))
            .collect();
        names.sort_unstable();
        names
    }

    #[test]
    fn both_languages_say_the_same_with_the_same_places() {
        for (name, en, zh) in PAIRS {
            assert!(!en.is_empty() && !zh.is_empty(), "{name}");
            assert_eq!(places(en), places(zh), "{name}");
            assert!(
                zh.chars().any(|c| c > '\u{2e7f}'),
                "{name} is not translated"
            );
        }
    }

    #[test]
    fn values_are_not_looked_into_again() {
        assert_eq!(
            fill("{a} and {b}", &[("a", "{b}"), ("b", "x")]),
            "{b} and x"
        );
        assert_eq!(fill("{unknown} {", &[]), "unknown ");
    }
}
