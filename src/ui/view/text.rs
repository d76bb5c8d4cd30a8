//! The words of the interface, in both languages.

use super::Style;
use crate::fault::{Text, Value, fill, texts, values};
use crate::machine::similarity::Score;
use crate::machine::{Format, Lang, Sign};
pub(super) use crate::words::{name_of, word};

texts! {
    pub(super) MARK_DONE: "done", "完成";
    pub(super) MARK_NOTE: "note", "说明";
    pub(super) MARK_ASKED: "question", "提问";
    pub(super) MARK_ANSWERED: "answer", "回答";
    pub(super) MARK_WARNING: "warning", "警告";
    pub(super) MARK_ARGUED: "argument", "论点";
    pub(super) MARK_RULED: "ruling", "裁决";
    pub(super) DEBATE: "Debate {id}", "辩论 {id}";
    pub(super) CHANGED_MIND: "changed its mind: {why}", "改变立场：{why}";
    pub(super) PROPOSES_TEXT: "proposes: {text}", "提案：{text}";
    pub(super) ARGUMENT_MISSING: "{who} has no usable argument in round {n}: {reason}", "{who} 在第 {n} 轮没有可用的论点：{reason}";
    pub(super) RULED: "{id}, {decision}: {text}", "{id}，{decision}：{text}";
    pub(super) STILL_OBJECTS: "{who} still objects: {text}", "{who} 仍然反对：{text}";
    pub(super) ONE_MEMBER: "1 member", "1 位成员";
    pub(super) MEMBERS: "{n} members", "{n} 位成员";
    pub(super) SCRIPT: "replayed from a script, no language model", "按脚本回放，未使用语言模型";
    pub(super) SEARCHED: "searched {files}, {hits} of them relevant", "搜索了 {files}，{hits} 个相关";
    pub(super) ONE_FILE: "1 file", "1 个文件";
    pub(super) FILES: "{n} files", "{n} 个文件";
    pub(super) OBJECTS_ON: "objects on {ids}", "反对 {ids}";
    pub(super) PROPOSES_ON: "proposes on {ids}", "就 {ids} 提案";
    pub(super) AGREES_ON: "agrees on {ids}", "赞成 {ids}";
    pub(super) ONE_CORRECTION: "1 correction", "1 处更正";
    pub(super) CORRECTIONS: "{n} corrections", "{n} 处更正";
    pub(super) ONE_QUESTION: "1 question", "1 个提问";
    pub(super) QUESTIONS: "{n} questions", "{n} 个提问";
    pub(super) ONE_NEW_ISSUE: "1 new issue", "1 个新议题";
    pub(super) NEW_ISSUES: "{n} new issues", "{n} 个新议题";
    pub(super) TURNED: "{who} changed its mind on {id}: {why}", "{who} 对 {id} 改变了立场：{why}";
    pub(super) COLON: ": ", "：";
    pub(super) CALLING: "is asked ({purpose})", "收到请求（{purpose}）";
    pub(super) CALL_FAILED: "call failed ({kind}): {detail}", "调用失败（{kind}）：{detail}";
    pub(super) RETRIED: "it is tried again", "将重试";
    pub(super) RETRIED_AFTER: "it asks to wait {n} s, and is tried again then", "它要求等待 {n} 秒，之后将重试";
    pub(super) NOT_RETRIED: "it is not tried again", "不再重试";
    pub(super) RETRIED_LATER: "it asks to wait {n} s, longer than a run does; `aitc resume` tries again", "它要求等待 {n} 秒，超出一次运行的等待上限；`aitc resume` 会再试";
    pub(super) REJECTED_LAST: "reply unusable: {reason}", "回复无法使用：{reason}";
    pub(super) REJECTED: "reply unusable, asked again: {reason}", "回复无法使用，将再次请求：{reason}";
    pub(super) LAYER: "Layer {n}", "第 {n} 层";
    pub(super) LAYER_OF: "Layer {n} · {done} of {all} phases done", "第 {n} 层 · {all} 个阶段中已完成 {done} 个";
    pub(super) NO_REVIEW: "no debate on the issue list: the work is too small for one", "不就议题清单辩论：这项工作太小，无需辩论";
    pub(super) SMALL_WORK: "the coach judges this small work: one round, no debate, no review, a short report; `--full` runs all of it", "主持人判断这是小任务：只开一轮，不辩论，不评审，报告从简；`--full` 则完整进行";
    pub(super) OUTGROWN_ISSUES: "the coach judges this small work, but there are {n} issues: the run continues as usual", "主持人判断这是小任务，但有 {n} 项议题：照常进行";
    pub(super) OUTGROWN_BLOCKING: "no longer small work, {n} still blocking after round 1: the run continues as usual", "不再是小任务：第 1 轮后仍有 {n} 项阻塞，此后照常进行";
    pub(super) OUTGROWN_FILES: "no longer small work: {n} files change; the plan is reviewed as usual", "不再是小任务：要改动 {n} 个文件，规划照常评审";
    pub(super) PLAN_REVISED: "work plan after the review:", "评审之后，工作安排如下：";
    pub(super) PLAN_KEPT: "the plan is kept, though its review asked for another: {why}", "评审要求改动安排，但没有得到新的安排，仍按原安排进行：{why}";
    pub(super) ENDED_SMALL: "No blocking issue is open, but with `may_agree: false` that does not count as agreed", "没有未决的阻塞议题；因设有 `may_agree: false`，不算达成一致";
    pub(super) ENDED_INCOMPLETE: "Every phase has ended, but {value} of {limit} have no result: the work is not complete", "所有阶段均已结束，{limit} 个中有 {value} 个没有结果：工作并未完成";
    pub(super) ENDED_COMPLETE: "Every phase is done: the work is complete", "所有阶段均已完成";
    pub(super) COMPLETE: "complete", "已完成";
    pub(super) DEBATE_PHASE: "phase {id}", "阶段 {id}";
    pub(super) DEBATE_PHASE_AFTER: "phase {id}, after {after}", "阶段 {id}，在 {after} 之后";
    pub(super) DEBATE_WAITED_FOR: "{ids} will wait for it", "{ids} 改为等待其结论";
    pub(super) TEAM_FALLBACK: "no usable plan ({why}); the task runs as one phase", "没有可用的安排（{why}）；任务作为一个阶段进行";
    pub(super) PHASE_AFTER: " (after {ids})", "（在 {ids} 之后）";
    pub(super) PHASE_STARTED: "{id} begins ({who}): {task}", "{id} 开始（{who}）：{task}";
    pub(super) PHASE_MISSING: "{id}: no usable result from {who}: {reason}", "{id}：{who} 没有给出可用的结果：{reason}";
    pub(super) SYNTHESISED: "synthesis: {title}", "综合：{title}";
    pub(super) ROUND: "Round {n} · {open} open", "第 {n} 轮 · {open} 项未决";
    pub(super) ROUND_WITHOUT: "Round {n}", "第 {n} 轮";
    pub(super) MINOR: "minor", "次要";
    pub(super) PASSED_OVER: "skipped: {reason}", "本轮跳过：{reason}";
    pub(super) ISSUES_ENTERED: "added {ids}", "列入 {ids}";
    pub(super) WITHDRAWN: "{id} is reopened: {reason}", "{id} 重新讨论：{reason}";
    pub(super) SETTLED: "settled {ids}", "达成一致 {ids}";
    pub(super) REFINED: "split {ids}", "拆分 {ids}";
    pub(super) MERGED: "merged {ids}", "合并 {ids}";
    pub(super) DROPPED: "dropped {ids}", "放弃 {ids}";
    pub(super) DEFERRED: "deferred {ids}", "推迟 {ids}";
    pub(super) STILL_OPEN: "still open {ids}", "仍未决 {ids}";
    pub(super) NOTHING_OPEN: "no open issues", "没有未决议题";
    pub(super) REFUSED: "refused, {rule} ({about}): {detail}", "未采纳，{rule}（{about}）：{detail}";
    pub(super) ANSWERED: "answer", "答复";
    pub(super) WAITS_FOR: "{ids} waiting for your answer", "{ids} 等待您回答";
    pub(super) INVITED: "{who} is asked", "请 {who} 发言";
    pub(super) INVITED_TO: "{who} is asked: {text}", "请 {who} 发言：{text}";
    pub(super) REMINDER: "{who} is reminded: {text}", "提醒 {who}：{text}";
    pub(super) LEFT_OUT: "removed from {who}'s answer ({about}): {text}", "{who} 的回答中略去（{about}）：{text}";
    pub(super) ASKS: "{who} asks: {text}", "{who} 提问：{text}";
    pub(super) LOOKED_FOR: "{who} looked for {ids}: {found}", "{who} 为 {ids} 查找了资料：{found}";
    pub(super) FOUND_THERE: "{who}: {text} ({place})", "{who}：{text}（{place}）";
    pub(super) UNVERIFIED: "not verified", "未核实";
    pub(super) INFERRED: "inferred", "推断";
    pub(super) LIST_COMMA: ", ", "、";
    pub(super) TRIES: "{who} runs {id}: {command} ({what})", "{who} 运行 {id}：{command}（{what}）";
    pub(super) GOES_ON_FROM: "continues from the files of {id}", "基于 {id} 的文件";
    pub(super) IS_TRYING: "runs {trial}", "运行 {trial}";
    pub(super) LOOKED: "{who} looks at {what}", "{who} 查看了 {what}";
    pub(super) ONE_PLACE: "1 place", "1 处";
    pub(super) PLACES: "{n} places", "{n} 处";
    pub(super) NO_PLACE: "no match", "没有相符之处";
    pub(super) LOOKED_AT: "looked", "查过";
    pub(super) ASKS_AGAIN: "{who} follows up: {text}", "{who} 追问：{text}";
    pub(super) ASKS_THE_SAME: "{who} repeats the question; the answer is kept", "{who} 重复了已答复的问题；答复照用";
    pub(super) SATISFIED: "{who} is satisfied", "{who} 已得到答复";
    pub(super) NOT_RELAYED: "{who} gave no usable answer; the question is passed on unchanged: {reason}", "{who} 没能给出可用的回答，问题照原样转出：{reason}";
    pub(super) REPLY_STANDS: "{who} gave no usable response; the reply is kept as given: {reason}", "{who} 没能给出可用的回应，答复照原话采用：{reason}";
    pub(super) FROM_DISCUSSION: "answered from the discussion ({cites}): {text}", "据已有讨论回答（{cites}）：{text}";
    pub(super) SIMILARITY: "similarity to each member's last speech: {mean} on average ({measure})", "与各成员上次发言相比：平均 {mean}（{measure}）";
    pub(super) SIMILARITY_FALLBACK: "the embeddings endpoint was not used; the lexical measure is used instead: {reason}", "未使用向量接口，改用字面度量：{reason}";
    pub(super) POSSIBLE_MERGE: "{issue} is similar to {into} ({score}); the coach will decide", "{issue} 与 {into} 相近（{score}），将请主持人判断";
    pub(super) GUARD_NEAR: "{guard} is near: {value} of {limit}", "接近{guard}：{value} / {limit}";
    pub(super) GUARD_HINT: "E and Enter end the discussion, Enter alone shows the menu", "输入 E 并回车结束讨论，只按回车显示菜单";
    pub(super) SEEN: "{what}; the discussion continues", "{what}；不会因此自行结束讨论";
    pub(super) MENU: "[E] end now · [V] let the members vote on the end · [C] continue · or type a message to the members, /debate <topic>, /skip (a debate), /reopen C-1 why, /auto-exit on|off, /stop", "[E] 立即结束 · [V] 由成员表决是否结束 · [C] 继续 · 也可以直接输入要对成员说的话，或 /debate <题目>、/skip（跳过辩论）、/reopen C-1 理由、/auto-exit on|off、/stop";
    pub(super) PROPOSES_END: "{who} proposes to end the discussion", "{who} 建议结束讨论";
    pub(super) CONFIRM_END: "Enter ends it, [C] continues, any other text goes to the members: ", "回车确认结束，[C] 继续，输入其他内容则转告成员并继续：";
    pub(super) REACHED: "{guard} reached: {value} of {limit}", "已达到{guard}：{value} / {limit}";
    pub(super) CONFIRM_LIMIT: "Enter ends the discussion, [C] continues ({granted} more), [V] votes, any other text goes to the members: ", "回车结束讨论，[C] 继续（再加 {granted}），[V] 表决，输入其他内容则转告成员并继续：";
    pub(super) END_CONFIRMED: "the end is confirmed ({guard}, {by})", "确认结束（{guard}，{by}）";
    pub(super) END_DECLINED: "not ended ({guard}, {by}): {reason}", "不结束（{guard}，{by}）：{reason}";
    pub(super) END_OVERTAKEN: "the discussion ended before anybody decided on the proposal to end", "无人决定是否接受结束的提议：讨论已先行结束";
    pub(super) GOES_ON: "the discussion continues", "讨论继续";
    pub(super) YOU_SAY: "you: {text}", "您：{text}";
    pub(super) YOU_STOP: "you end the discussion", "您结束讨论";
    pub(super) STOP_SUMS_UP: "; this round will be summed up", "；本轮已有发言将被总结";
    pub(super) STOP_LEAVES_OPEN: "; questions waiting for your answer stay open", "；待您回答的提问保持未决";
    pub(super) YOU_DEBATE: "you ask for a debate: {topic}", "您要求辩论：{topic}";
    pub(super) YOU_ANSWER_LATE: "you answer {id}: {text}", "您回答 {id}：{text}";
    pub(super) DEBATE_VOID: "no debate on {issue}, which is closed: {topic}", "{issue} 已经了结，不再辩论：{topic}";
    pub(super) DISPUTES_UNKNOWN: "the coach could not tell whether results contradict each other ({reason}); they are treated as consistent", "主持人未能判断结果之间有无分歧（{reason}），按没有分歧处理";
    pub(super) DEBATE_VOID_PHASE: "no debate on {issue}, which has no result: {topic}", "{issue} 没有产出，不再辩论：{topic}";
    pub(super) YOU_SKIP: "you skip this debate", "您跳过这场辩论";
    pub(super) YOU_REOPEN: "you: {item} is reopened as {issue}{why}", "您：{item} 需重新讨论，列为 {issue}{why}";
    pub(super) COACH_CALLS_VOTE: "the coach asks the members to vote on ending: {why}", "主持人请成员表决是否结束：{why}";
    pub(super) YOU_VOTE: "the members vote on ending the discussion", "成员表决是否结束";
    pub(super) AUTO_EXIT_ON: "from now on, limits and detectors end the run without asking", "从现在起，达到上限或检测到停滞时自动结束";
    pub(super) AUTO_EXIT_OFF: "from now on, limits and detectors do not end the run without asking", "从现在起，达到上限或检测到停滞时不再自动结束";
    pub(super) VOTE_CARRIED: "vote {n}: {end} of {asked} want to end: carried", "第 {n} 次表决：{asked} 人中 {end} 人赞成结束，表决通过";
    pub(super) VOTE_LOST: "vote {n}: {end} of {asked} want to end: the discussion continues", "第 {n} 次表决：{asked} 人中 {end} 人赞成结束，讨论继续";
    pub(super) NUDGED: "{who} is nudged ({why}): {text}", "催促 {who}（{why}）：{text}";
    pub(super) NUDGE_LEFT: "{n} left", "剩余 {n} 次";
    pub(super) NUDGES_USED: "{who} has used all its nudges ({why}): continue or stop?", "{who} 的催促次数已用完（{why}）：继续还是结束？";
    pub(super) NUDGES_OFF: "no nudges for {who} ({source})", "不催促 {who}（{source}）";
    pub(super) ENDED_AGREED: "No blocking issue is open: the discussion ended in agreement", "没有未决的阻塞议题：讨论达成一致";
    pub(super) ENDED_BY_BUDGET: "The discussion ended unresolved: {guard} ({value} of {limit} spent or reserved; another turn and the closing would exceed it)", "讨论未达成一致而结束：{guard}（已用或预留 {value} / {limit}，余量不足以再发言一次并收尾）";
    pub(super) ENDED_BY: "The discussion ended unresolved: {guard} ({value} of {limit})", "讨论未达成一致而结束：{guard}（{value} / {limit}）";
    pub(super) ENDED_BY_SIGN: "The discussion ended unresolved: {what}", "讨论未达成一致而结束：{what}";
    pub(super) ENDED_BY_PROPOSAL: "The discussion ended unresolved: a proposal to end was confirmed, blocking issues open: {open}", "讨论未达成一致而结束：结束提议得到确认，未决的阻塞议题：{open}";
    pub(super) ENDED_BY_USER: "The discussion ended unresolved: you ended it", "讨论未达成一致而结束：由您结束";
    pub(super) ENDED_BY_VOTE: "The discussion ended unresolved: {end} of {asked} members voted to end, as you asked", "讨论未达成一致而结束：应您的要求表决，{asked} 人中 {end} 人赞成结束";
    pub(super) WRITTEN: "{name}, items: {items}", "{name}，共 {items} 项";
    pub(super) ORIGIN: "origin", "来源";
    pub(super) CARRIED: "carried over from v{n}", "沿用 v{n}，未改动";
    pub(super) WITHOUT_MODEL: "without a model", "未使用模型";
    pub(super) REPORT_DONE: "report: {title}", "报告：{title}";
    pub(super) PLAN_CHECKED: "the automatic check of the plan found {n} problems, about {about}", "程序检查规划，发现 {n} 处：{about}";
    pub(super) REVIEWED: "reviews the {what}: findings {n}, blocking {blocking}", "评审{what}：意见 {n} 条，其中阻塞 {blocking} 条";
    pub(super) REVIEWED_CLEAN: "reviews the {what}: nothing to fix", "评审{what}：没有要修改的";
    pub(super) REVIEW_MISSING: "{who} gave no usable review: {reason}", "{who} 没有给出可用的评审：{reason}";
    pub(super) AMENDED: "{name} after the review: fixed {mended}, declined {declined}", "评审后的{name}：已修改 {mended} 条，未采纳 {declined} 条";
    pub(super) AMENDMENT_MISSING: "{who} gave no usable amendment; the text is unchanged: {reason}", "{who} 没有给出可用的修订，文本保持原样：{reason}";
    pub(super) JUDGED: "reviews the declined findings: upheld {upheld}, withdrawn {withdrawn}", "复核未采纳的意见：坚持 {upheld} 条，撤回 {withdrawn} 条";
    pub(super) VERDICT_MISSING: "{who} did not say whether its findings still hold, so they are upheld: {reason}", "{who} 没有说明意见是否仍然成立，按成立处理：{reason}";
    pub(super) REVIEW_CLOSED: "The review is over: {figures}", "评审结束：{figures}";
    pub(super) REVIEW_UPHELD: "The {what} is unresolved: a blocking finding is upheld ({ids}); {figures}", "{what}未达成一致：有阻塞意见仍然成立（{ids}）；{figures}";
    pub(super) REVIEWED_FIGURES: "findings {n}, fixed {mended}", "意见 {n} 条，已修改 {mended} 条";
    pub(super) NOTHING_FOUND: "nothing found", "没有发现问题";
    pub(super) NOT_REVIEWED: "not reviewed ({why})", "未评审（{why}）";
    pub(super) REVIEW: "review", "评审";
    pub(super) RESUMED: "resumed at line {line}", "从第 {line} 行继续";
    pub(super) OTHER_MODEL: "{members}: model {to} of {provider} from here on, instead of {from}", "{members}：此后使用 {provider} 的模型 {to}，代替 {from}";
    pub(super) DRIFT_ACCEPTED: "changed since the start; the run keeps the old ones: {names}", "开始后有改动，仍按开始时的内容进行：{names}";
    pub(super) AGREED: "agreed", "已达成一致";
    pub(super) UNRESOLVED_BY: "unresolved ({guard})", "未达成一致（{guard}）";
    pub(super) UNRESOLVED: "UNRESOLVED", "未达成一致";
    pub(super) CLOSING_COMPLETE: "{n} is published: complete after {rounds}", "{n} 已发布：{rounds}后完成";
    pub(super) DEBATE_UNHELD: "not debated, because the discussion ended: {topic}", "讨论已结束，未能辩论：{topic}";
    pub(super) CLOSING_AGREED: "{n} is published: agreed after {rounds}", "{n} 已发布：{rounds}后达成一致";
    pub(super) CLOSING_UNRESOLVED: "{n} is published, UNRESOLVED: {guard} after {rounds}", "{n} 已发布，未达成一致：{rounds}后因{guard}结束";
    pub(super) ONE_LAYER: "1 layer", "1 层";
    pub(super) LAYERS: "{n} layers", "{n} 层";
    pub(super) ONE_ROUND: "1 round", "1 轮";
    pub(super) ROUNDS: "{n} rounds", "{n} 轮";
    pub(super) READ: "read", "阅读";
    pub(super) DECIDE: "decide", "决定";
    pub(super) RECOMMENDED_IS: "{what} (recommended: {text})", "{what}（建议：{text}）";
    pub(super) OPEN: "open", "未决";
    pub(super) WISH_DROPPED: "dropped", "未采纳";
    pub(super) DROPPED_BECAUSE: "{id} {what}: {why}", "{id} {what}：{why}";
    pub(super) ASSUMED: "assumed", "假设";
    pub(super) OF: "{who}: {what}", "{who}：{what}";
    pub(super) ASIDE: " ({what})", "（{what}）";
    pub(super) THEN: "{what}; {then}", "{what}；{then}";
    pub(super) CALLS: "calls", "调用";
    pub(super) CALLS_SCRIPTED: "{calls} replayed from a script, no language model", "{calls} 次，均按脚本回放，未使用语言模型";
    pub(super) CALLS_FIGURES: "{calls} in {time} · {total} tokens ({input} in, {output} out) · {cached} % of input cached", "{calls} 次，用时 {time} · {total} 词元（输入 {input}，输出 {output}） · 输入缓存 {cached} %";
    pub(super) COST: "${usd}", "{usd} 美元";
    pub(super) FORECAST: "estimate for two rounds: {calls} calls, {chain} of them in sequence, about {tokens} tokens{cost}", "按两轮预计：{calls} 次调用，其中 {chain} 次依次进行，约 {tokens} 个词元{cost}";
    pub(super) FORECAST_TEAM: "estimate for one phase per member: {calls} calls, {chain} of them in sequence, about {tokens} tokens{cost}", "按每位成员一个阶段预计：{calls} 次调用，其中 {chain} 次依次进行，约 {tokens} 个词元{cost}";
    pub(super) FORECAST_CARRIED: "documents that may stay unchanged: {n}; each saves a call", "可能保持不变的文档：{n} 份；每份少一次调用";
    pub(super) FORECAST_TRIALS: "; members may also run commands", "；其间成员可以运行命令";
    pub(super) FORECAST_COST: ", at most ${usd}", "，最多 {usd} 美元";
    pub(super) SMALL_CAP: "the limit of {cap} tokens is probably too low", "词元上限 {cap} 多半不够用";
    pub(super) SMALL_BUDGET: "the budget of ${cap} may be too low", "费用上限 {cap} 美元可能不够用";
    pub(super) DEGRADED: "absent", "缺席";
    pub(super) ABSENT: "{who} had no usable answer in round {n}", "{who} 在第 {n} 轮没有可用的发言";
    pub(super) REDACTED: "secrets", "机密";
    pub(super) SECRET_TAKEN: "1 secret was removed before anything was written", "写入之前隐去了 1 处机密";
    pub(super) SECRETS_TAKEN: "{n} secrets were removed before anything was written", "写入之前隐去了 {n} 处机密";
    pub(super) CALLS_TROUBLED: "{failed} failed, {rejected} unusable", "{failed} 次失败，{rejected} 次无法使用";
    pub(super) NEXT: "next", "下一步";
    pub(super) NEXT_REVIEW: "read it, then: git add {root}", "阅读后提交：git add {root}";
    pub(super) SAID_AGREED: "agreed after {rounds}", "{rounds}后达成一致";
    pub(super) SAID_UNRESOLVED: "UNRESOLVED: {guard} after {rounds}", "未达成一致：{rounds}后因{guard}结束";
    pub(super) NEXT_SAVE: "keep talking; `/save` keeps the chat, `/plan` makes a plan of it", "继续说；`/save` 保存这次交谈，`/plan` 把它变成规划";
    pub(super) NEXT_REVISE: "or: aitc revise {n} \"what should be different\"", "或修改：aitc revise {n} \"需要改动的内容\"";
    pub(super) DEMO: "A demonstration: the answers of members and user were scripted in advance; everything else is the program itself at work.", "演示：成员和用户的话是事先写好的，其余都是程序真实运行的结果。";
    pub(super) LOOK: "look", "看看";
    pub(super) WHY: "why", "原因";
    pub(super) HOLDS_UP: "blocks", "阻塞";
    pub(super) OPTIONS: "options", "选项";
    pub(super) RECOMMENDED: "recommended", "建议";
    pub(super) ADVISED: "advice", "建议";
    pub(super) ASKED: "asked", "提问";
    pub(super) REPLIED: "reply", "答复";
    pub(super) DECLINED_FURTHER: "declined; the earlier reply is kept", "未回答；先前的答复有效";
    pub(super) PROMPT: "Enter takes the recommended answer, `-` declines: ", "回车采用建议答案，`-` 表示不回答：";
    pub(super) NO_QUESTIONS: "No question is waiting for you.", "没有等待您回答的提问。";
    pub(super) NO_VERSIONS: "There is no version yet.", "还没有任何版本。";
    pub(super) DRAFT: "draft", "草稿";
    pub(super) STAGE: "stage", "阶段";
    pub(super) ABOUT: "about", "需求";
    pub(super) WAITING: "waiting", "待答";
    pub(super) SENT: "answered", "已答";
    pub(super) NOT_TAKEN_UP: "answered, not read yet", "已回答，尚未读取";
    pub(super) LEFT_OPEN: "no answer", "未答";
    pub(super) FROM_VERSION: "from {n}", "基于 {n}";
    pub(super) STATUS_OF: "status", "状态";
    pub(super) ORIGIN_REQUIREMENT: "from the requirement", "来自需求";
    pub(super) ORIGIN_FEEDBACK: "from feedback {id}", "来自反馈 {id}";
    pub(super) ORIGIN_PREVIOUS: "left open by an earlier version", "先前版本遗留";
    pub(super) ORIGIN_LEFT_BY: "left open by {n}", "由 {n} 遗留";
    pub(super) ORIGIN_MEMBER: "raised by {who}", "由 {who} 提出";
    pub(super) ORIGIN_REFINED: "split off {id}", "由 {id} 拆分而来";
    pub(super) ORIGIN_REOPENED: "you reopened {id}", "您要求重新讨论 {id}";
    pub(super) RAISED_IN: "round {n}", "第 {n} 轮";
    pub(super) IS_OPEN: "open", "未决";
    pub(super) IS_SETTLED: "settled by {id}", "由 {id} 解决";
    pub(super) IS_REFINED: "split into {id}", "拆分为 {id}";
    pub(super) IS_MERGED: "merged into {id}", "并入 {id}";
    pub(super) IS_DROPPED: "dropped", "已放弃";
    pub(super) IS_DEFERRED: "deferred", "已推迟";
    pub(super) HISTORY: "history", "经过";
    pub(super) NO_WORD_YET: "no answer yet", "尚未开口";
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

/// A text with its places filled, with commas in place of dots where only words are wanted.
pub(super) fn say(style: &Style, text: Text, values: &[(&str, &dyn Value)]) -> String {
    let lang = style.lang;
    match style.plain {
        true => fill(&text.of(lang).replace(" · ", ", "), lang, values),
        false => text.with(lang, values),
    }
}

/// Some of a thing: `one` for 1, `many` with its number for more; none of 0.
pub(super) fn counted(n: usize, one: Text, many: Text, lang: Lang) -> Option<String> {
    match n {
        0 => None,
        1 => Some(one.of(lang).to_owned()),
        _ => Some(many.with(lang, values![n])),
    }
}

/// `1 round`, `3 rounds`.
pub(super) fn rounds(n: u32, format: Format, lang: Lang) -> String {
    let (one, many) = match format {
        Format::Team => (ONE_LAYER, LAYERS),
        _ => (ONE_ROUND, ROUNDS),
    };
    match n {
        1 => one.of(lang).to_owned(),
        _ => many.with(lang, values![n]),
    }
}

/// Who or what, and what is said of it: `PP: proposes`, `PP：提案`.
pub(super) fn of(who: impl Value, what: impl Value, lang: Lang) -> String {
    OF.with(lang, values![who, what])
}

/// Words put in by the way: ` (minor)`, `（次要）`.
pub(super) fn aside(what: impl Value, lang: Lang) -> String {
    ASIDE.with(lang, values![what])
}

/// A reason behind what was said, if there is one: `: it is small`.
pub(super) fn because(why: &str, lang: Lang) -> String {
    match why {
        "" => String::new(),
        why => format!("{}{}", COLON.of(lang), super::clean(why)),
    }
}

/// The member that proposes to end the discussion, and its words.
pub(super) fn proposes_end(who: &str, said: &str, style: &Style) -> String {
    let proposes = say(style, PROPOSES_END, values![who]);
    match said.is_empty() {
        true => proposes,
        false => format!("{proposes}{}{said}", COLON.of(style.lang)),
    }
}

/// What a detector found and the figures it saw, as part of a sentence.
pub(super) fn found(sign: Sign, value: u64, limit: u64, style: &Style) -> String {
    let text = name_of("seen", &sign);
    let shown = |figure: u64| match sign {
        Sign::Repetition => Score::from_ratio(figure as f64 / 1000.0).to_string(),
        _ => figure.to_string(),
    };
    let values = values![value = shown(value), limit = shown(limit)];
    say(style, text, values)
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
        assert!(n > 200, "{n}");
    }
}
