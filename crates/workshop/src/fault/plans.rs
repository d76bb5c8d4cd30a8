//! Errors about versions, runs and their contents.

use super::rows;

rows! {
    VERSION_MISSING "E-version-missing" Usage {
        what: "there is no {n}", "没有 {n}";
        why: "this workspace has {names}", "此工作区有 {names}";
        fix: "did you mean `{near}`? All of them: aitc status", "您是否想写 `{near}`？列出全部：aitc status";
    }
    VERSION_DRAFT "E-version-draft" Usage {
        what: "{n} is a draft: its run has not ended", "{n} 是草稿：运行尚未结束";
        why: "only a published version can be revised or exported", "只有已发布的版本才能修订或导出";
        fix: "aitc resume {n}", "aitc resume {n}";
    }
    VERSION_NONE "E-version-none" Usage {
        what: "there is no version yet", "还没有任何版本";
        why: "no run of this workspace has been published", "此工作区还没有发布过任何版本";
        fix: "aitc plan \"Export the customer list as CSV\"", "aitc plan \"将客户列表导出为 CSV\"";
    }
    VERSION_NO_PLAN "E-version-no-plan" Usage {
        what: "{n} is a {name}, not a plan", "{n} 不是规划（{name}）";
        why: "it has no documents to work with", "其中没有可供使用的文档";
        fix: "see its {report}: aitc show {n}", "查看它的 {report}：aitc show {n}";
    }
    DEBATE_NO_ROOM "E-debate-no-room" Usage {
        what: "{n} may have {most} debates, and none is left", "{n} 最多 {most} 场辩论，名额已用完或已排满";
        why: "queued debates count", "排队的辩论也计算在内";
        fix: "put the question to the members without a debate: aitc say \"…\"", "不辩论，直接向成员提出：aitc say \"……\"";
    }
    DEBATE_NO_RESULT "E-debate-no-result" Usage {
        what: "`{id}` of {n} cannot be debated: {why}", "{n} 的 `{id}` 无法辩论：{why}";
        why: "a debate on a phase is about its result, and each result can be debated once", "对阶段的辩论针对它的结果，每个结果只能辩论一次";
        fix: "`aitc status {n}` shows how far the work got; any other question can be debated as well", "`aitc status {n}` 显示工作进度；其他问题也可以辩论";
    }
    DEBATE_NOT_OPEN "E-debate-not-open" Usage {
        what: "{n} has no open issue `{id}`", "{n} 没有未决议题 `{id}`";
        why: "only an open issue can take the conclusion of a debate", "只有未决的议题才能采纳辩论的结论";
        fix: "`aitc status {n}` shows what is open; any other question can be debated as well", "`aitc status {n}` 列出未决议题；其他问题也可以辩论";
    }
    SAID_TOO_LATE "E-said-too-late" Usage {
        what: "the discussion of {n} has ended", "{n} 的讨论已经结束";
        why: "its documents are being written, and a message can no longer change them", "正在撰写文档，现在说的话已不起作用";
        fix: "for a team or a board, start it again with this in its text; for a plan, once it is published: aitc revise {n} \"what should be different\"", "小组或会议请把这句话写进去重新开始；规划请等发布后运行：aitc revise {n} \"需要改动的内容\"";
    }
    DEBATE_TOO_LATE "E-debate-too-late" Usage {
        what: "the discussion of {n} is about to end", "{n} 的讨论即将结束";
        why: "a debate would no longer take place", "不会再举行辩论";
        fix: "aitc status {n}", "aitc status {n}";
    }
    COMMIT_UNKNOWN "E-commit-unknown" Usage {
        what: "`{name}` is not a commit of this repository", "`{name}` 不是此仓库中的提交";
        why: "a plan is compared with what commits changed, and they are read from `.git` here", "规划要与提交的改动对照，而提交是从此处的 `.git` 读取的";
        fix: "name two commits by branch, tag or hash, as in `aitc check --against main..HEAD`", "请用分支、标签或哈希写明两个提交，例如 `aitc check --against main..HEAD`";
    }
    VERSION_FIRST "E-version-first" Usage {
        what: "there is nothing before {n} to compare it with", "{n} 之前没有可供比较的版本";
        why: "a comparison needs two versions", "比较需要两个版本";
        fix: "make another: aitc revise {n} \"what should be different\"", "生成另一个版本：aitc revise {n} \"需要改动的内容\"";
    }
    NOTHING_WHOLE "E-transcript-lost" Damaged {
        what: "no line of the transcript in {path} is whole", "{path} 的会议记录中没有完整的行";
        why: "the rest is kept: {kept}", "剩下的内容保留在：{kept}";
        fix: "if it was committed: `git checkout -- {path}`; otherwise keep what you need, then: rm -r {path}", "如果提交过：`git checkout -- {path}`；否则留下需要的内容，再运行：rm -r {path}";
    }
    THREAD_FILE "E-thread-file" Config {
        what: "{place}: {what}", "{place}：{what}";
        why: "no comment may be skipped", "评论不能略过";
        fix: "correct or remove the file; `aitc help comment` shows how to write one", "请修正或移除该文件；写法见 `aitc help comment`";
    }
    APPROVAL_FILE "E-approval-file" Config {
        what: "{place}: {what}", "{place}：{what}";
        why: "an approval file with an error does not count", "文件有错，这次批准不算数";
        fix: "remove the file, and approve again: aitc approve", "移除该文件并重新批准：aitc approve";
    }
    THREAD_UNKNOWN "E-thread-unknown" Usage {
        what: "there is no thread `{id}`", "没有评论 `{id}`";
        why: "threads: {ids}", "现有：{ids}";
        fix: "aitc comment --list", "aitc comment --list";
    }
    THREAD_OF_OTHER "E-thread-of-other" Usage {
        what: "thread `{id}` is a comment of {author}, not of {name}", "评论 `{id}` 由 {author} 提出，不是 {name}";
        why: "only the author of a comment may withdraw it", "评论只能由提出者本人撤回";
        fix: "reply with `aitc comment --reply {id} \"…\"`, or decline it with `aitc comment --decline {id} \"…\"`; if {author} is you, add `--as` with that name", "用 `aitc comment --reply {id} \"……\"` 回复，或用 `aitc comment --decline {id} \"……\"` 不采纳；如果 {author} 就是您，请用 `--as` 写明这个名字";
    }
    QUOTE_UNKNOWN "E-quote-unknown" Usage {
        what: "the quoted words are not in {n}", "{n} 中没有所引的文字";
        why: "a quote shows others which words of the plan are meant", "引文用来告诉别人指的是规划中的哪些文字";
        fix: "copy them from `aitc show {n}`, or name an item and leave the quote out: aitc comment {n} ITEM \"…\"", "请从 `aitc show {n}` 中复制，或只写明条目而不引文：aitc comment {n} ITEM \"……\"";
    }
    THREADS_ENDED "E-threads-ended" Usage {
        what: "no comment on {n} waits for a revision: {threads}", "{n} 没有等待修订的评论：{threads}";
        why: "a revision takes the comments that are open, and what you say", "修订采用未解决的评论和您给出的反馈";
        fix: "say what should change with `aitc revise {n} \"…\"`, reopen a comment with `aitc comment {n} --reopen THREAD`, or see what became of each: aitc comment {n} --list", "用 `aitc revise {n} \"……\"` 写明要改什么，用 `aitc comment {n} --reopen THREAD` 重新打开一条评论，或查看每条的结果：aitc comment {n} --list";
    }
    AUTHOR_UNKNOWN "E-author-unknown" Usage {
        what: "the author of the comment is unknown", "不知道作者是谁";
        why: "git has no `user.name`, and a comment or approval needs a name", "git 中没有 `user.name`，而评论和批准需要署名";
        fix: "git config user.name \"Your Name\", or name yourself here: --as \"Your Name\"", "git config user.name \"您的名字\"，或在此写明：--as \"您的名字\"";
    }
    ITEM_UNKNOWN "E-item-unknown" Usage {
        what: "{n} has no `{item}`", "{n} 中没有 `{item}`";
        why: "a comment belongs to an item of the plan, or to the plan as a whole", "评论针对规划中的某一项，或针对整个规划";
        fix: "`aitc show {n}` shows the ids; the whole plan: aitc comment {n} \"…\"", "编号见 `aitc show {n}`；针对整个规划：aitc comment {n} \"……\"";
    }
    COMMENT_LONG "E-comment-long" Usage {
        what: "the {what} has more than {most} characters", "{what}超过 {most} 个字符";
        why: "every member reads every comment", "每位成员都要读每条评论";
        fix: "say it shorter, or write several comments, one for each point", "写短一些，或分成几条，每条一点";
    }
    COMMENTS_FOREIGN "E-comments-foreign" Config {
        what: "`{path}` does not contain review comments: {why}", "`{path}` 中没有评审意见：{why}";
        why: "the file must be JSON as GitHub's or GitLab's API returns it", "文件应当是 GitHub 或 GitLab 接口返回的 JSON";
        fix: "gh api repos/OWNER/REPO/pulls/1/comments --paginate > review.json", "gh api repos/OWNER/REPO/pulls/1/comments --paginate > review.json";
    }
    APPROVE_OTHER "E-approve-other" Usage {
        what: "{n} is not what was approved: {why}", "{n} 与批准时不一致：{why}";
        why: "an approval is for exactly the version that was read", "批准只对读到的那份内容有效";
        fix: "read it again: aitc verify {n}", "请重新阅读：aitc verify {n}";
    }
    VERSION_PUBLISHED "E-version-published" Usage {
        what: "`{path}` is published", "`{path}` 已发布";
        why: "a published version is never changed", "已发布的版本不会被修改";
        fix: "check it with: aitc verify {n}", "查看它是否完整：aitc verify {n}";
    }
    VERSION_TAMPERED "E-version-tampered" Damaged {
        what: "{path}: {problem}", "{path}：{problem}";
        why: "the change was made after publishing and is not in the transcript, so a revision would lose it", "这处改动是发布之后做的，不在会议记录里，修订会丢掉它";
        fix: "give the change as feedback, and restore the file from a copy or, if it was committed: git checkout -- {file}", "把改动的内容写成反馈，并从副本取回该文件；如果提交过：git checkout -- {file}";
    }
    VERSION_CUT "E-version-cut" Damaged {
        what: "{path} is published, and its transcript ends before that", "{path} 已发布，而其会议记录在此之前就结束了";
        why: "its end was cut off after publishing", "发布之后其末尾被切掉";
        fix: "see what else changed with `aitc verify {n}`, and restore it from a copy or, if it was committed: git checkout -- {path}", "用 `aitc verify {n}` 查看还有什么改动，并从副本取回；如果提交过：git checkout -- {path}";
    }
    VERSION_RENAMED "E-version-renamed" Damaged {
        what: "{path} holds {held}, not {n}", "{path} 中是 {held}，而不是 {n}";
        why: "each number is used once; this folder was copied or renamed", "编号不会重复使用；这个目录是复制或改名来的";
        fix: "give it its name back: mv {path} {right}", "恢复它的名字：mv {path} {right}";
    }
    RUN_AMBIGUOUS "E-run-ambiguous" Usage {
        what: "several runs are unfinished: {names}", "有多次运行尚未完成：{names}";
        why: "one of them must be named", "必须指定其中之一";
        fix: "name it: {example}", "请指定：{example}";
    }
    RUN_COMPLETE "E-run-complete" Usage {
        what: "there is no unfinished run of {n}", "{n} 没有未完成的运行";
        why: "a published version is complete", "已发布的版本是完整的";
        fix: "aitc status", "aitc status";
    }
    RUN_NONE "E-run-none" Usage {
        what: "there is no unfinished run", "没有未完成的运行";
        why: "every run of this workspace is published, or none was started", "此工作区的运行都已发布，或从未开始过运行";
        fix: "aitc status", "aitc status";
    }
    DRAFT_EMPTY "E-draft-empty" Usage {
        what: "{path} holds nothing: its run has just begun, or ended before anything was recorded", "{path} 中没有内容：运行刚刚开始，或在留下记录之前就结束了";
        why: "a run continues where its record ends, and there is no record", "运行从记录结束处继续，而这里没有记录";
        fix: "start again with `aitc plan`, and remove the folder: aitc verify {n} --repair", "用 `aitc plan` 重新开始，并移除该目录：aitc verify {n} --repair";
    }
    VERSION_TWICE "E-version-twice" Usage {
        what: "{n} is published, and {path} is another run of the same number", "{n} 已经发布，而 {path} 是同一编号的另一次运行";
        why: "two branches each started a {n}, and a published version never changes", "两个分支各自开始了 {n}，而已发布的版本不再改变";
        fix: "`aitc revise {n} \"what is missing there\"` plans on top of the published one; move the draft out of the way: mv {path} /elsewhere", "`aitc revise {n} \"那里缺少的内容\"` 在已发布的版本上继续规划；请把草稿移开：mv {path} /别处";
    }
    QUESTION_NOT_WAITING "E-question-not-waiting" Usage {
        what: "`{question}` is not waiting for an answer in {n}", "{n} 中的 `{question}` 并不在等待回答";
        why: "only a question that is waiting can be answered", "只能回答正在等待的提问";
        fix: "aitc questions", "aitc questions";
    }
    ANSWER_CONFLICT "E-answer-conflict" Usage {
        what: "the answer to `{question}` holds `{line}`", "对 `{question}` 的回答中有 `{line}`";
        why: "git leaves such a line where two branches changed the same text", "两个分支改动同一处时 git 会留下这样的行";
        fix: "keep one of the two sides, and answer again with `aitc answer {question} \"…\"`", "只保留其中一方，再用 `aitc answer {question} \"……\"` 重新回答";
    }
    OPTION_NONE "E-option-none" Usage {
        what: "`{question}` has no option {n}: options are 1–{last}", "`{question}` 没有选项 {n}：选项为 1–{last}";
        why: "a number picks an option, and a recorded answer cannot be undone", "数字用于选择选项，而答案记录之后不能收回，因此这次没有采用";
        fix: "pick one of 1–{last} or answer in words; if the number itself is meant, write \"{n}\", or type it again where you are asked", "请选择 1–{last}，或用文字回答；若答案就是这个数字，请写 \"{n}\"，或在提问处再输入一次";
    }
    QUESTION_LEFT_OPEN "E-question-left-open" Usage {
        what: "`{question}` was left open when the discussion of {n} ended", "{n} 的讨论结束时 `{question}` 没有得到回答";
        why: "{why}, so its questions can no longer be answered", "{why}，其中的提问不能再回答";
        fix: "for a team or a board, start it again with this in its text; for a published plan, give it as feedback: aitc revise {n} \"{question}: …\"", "小组或会议请把答案写进去重新开始；规划请等发布后作为反馈提出：aitc revise {n} \"{question}：……\"";
    }
    QUESTION_ASSUMED "E-question-assumed" Usage {
        what: "{n} uses the assumption {id} instead of an answer to `{question}`", "{n} 已用假设 {id} 代替对 `{question}` 的回答";
        why: "it says “{text}”, and only a question that is waiting can be answered", "该假设为“{text}”；只能回答正在等待的提问";
        fix: "for a team or a board, start it again with this in its text; for a published plan, give it as feedback: aitc revise {n} \"{question}: …\"", "小组或会议请把答案写进去重新开始；规划请等发布后作为反馈提出：aitc revise {n} \"{question}：……\"";
    }
    QUESTION_NONE "E-question-none" Usage {
        what: "no question is waiting for an answer", "没有等待回答的提问";
        why: "every question was answered, or none was asked", "提问都已得到回答，或从未提出";
        fix: "aitc status", "aitc status";
    }
    ISSUE_MISSING "E-issue-missing" Usage {
        what: "{path} has no issue {id}", "{path} 中没有议题 {id}";
        why: "its issues are {names}", "其中的议题有 {names}";
        fix: "aitc status {n}", "aitc status {n}";
    }
    DEBATE_MISSING "E-debate-missing" Usage {
        what: "{path} has no debate {id}", "{path} 中没有辩论 {id}";
        why: "debates are held only where members object to one another, or you ask for one", "只有成员相互反对或您要求时才进行辩论";
        fix: "aitc status {n}", "aitc status {n}";
    }
    TRIAL_MISSING "E-trial-missing" Usage {
        what: "{path} has no trial {id}", "{path} 中没有试运行 {id}";
        why: "trials are run only if you allow them, with --trials, and a member asks for one", "只有您用 --trials 允许、并且有成员要求时才有试运行";
        fix: "aitc show {n} transcript", "aitc show {n} transcript";
    }
    ROUND_MISSING "E-round-missing" Usage {
        what: "{path} has no round {round}", "{path} 中没有第 {round} 轮";
        why: "the discussion has had {rounds} rounds", "讨论共进行了 {rounds} 轮";
        fix: "aitc status {n}", "aitc status {n}";
    }
    PART_UNKNOWN "E-part-unknown" Usage {
        what: "`{word}` is not a part of a version", "版本中没有 `{word}` 这一部分";
        why: "parts are report, product, design, dev, test, risk, transcript, `round N`, issues such as `I-3` and debates such as `D-1`", "可查看的部分有 report、product、design、dev、test、risk、transcript、`round N`、`I-3` 这样的议题以及 `D-1` 这样的辩论";
        fix: "aitc show v1 design", "aitc show v1 design";
    }
    PART_NOT_WRITTEN "E-part-not-written" Usage {
        what: "{path} has no `{name}`", "{path} 中没有 `{name}`";
        why: "the run has not written it yet, or it is missing from the version", "运行还没有写到这里，或版本中缺少该文件";
        fix: "aitc status {n}", "aitc status {n}";
    }
    ID_UNKNOWN "E-id-unknown" Usage {
        what: "this plan has no item `{id}`", "此规划中没有编号 `{id}`";
        why: "every item has an id of its own, such as `C-2` or `AC-3`", "每一项都有自己的编号，例如 `C-2` 或 `AC-3`";
        fix: "aitc show {n}", "aitc show {n}";
    }
    DOCUMENT_MISSING "E-document-missing" Usage {
        what: "the plan has no `{document}`", "规划中没有 `{document}`";
        why: "no role of that run wrote it", "那次运行中没有角色撰写它";
        fix: "have SD, Dev and TP take part: aitc plan --roles SD,Dev,TP", "让 SD、Dev 和 TP 参加：aitc plan --roles SD,Dev,TP";
    }
    HUMAN_NEEDED "E-human-needed" HumanNeeded {
        what: "waiting for your answer: {questions}", "等待您回答：{questions}";
        why: "the run needs you to answer; everything so far is kept", "需要您回答才能继续；此前的内容都已保留";
        fix: "fill in {file} or use `aitc answer {first} \"…\"`, then: aitc resume", "填写 {file}，或使用 `aitc answer {first} \"……\"`，然后运行：aitc resume";
    }
    REPLIES_NEEDED "E-replies-needed" HumanNeeded {
        what: "waiting for replies by hand: {calls}; the prompts are in {folder}", "等待人工回复：{calls}；提示词在 {folder} 中";
        why: "this run takes its replies by hand; everything so far is kept", "这次运行由人工回答；此前的内容都已保留";
        fix: "write {reply}, or `aitc next` prints the prompt and `aitc reply {n} -f FILE` hands the reply in; then: aitc resume", "写入 {reply}；或用 `aitc next` 查看提示词，用 `aitc reply {n} -f FILE` 提交回复；然后运行：aitc resume";
    }
    REPLY_FILE "E-reply-file" Config {
        what: "{path}: {why}", "{path}：{why}";
        why: "the file cannot be used as a reply; it was left as it is", "该文件不能用作回复，已原样保留";
        fix: "correct or remove the file, then: aitc resume", "请修正或移除该文件，然后运行：aitc resume";
    }
    REPLY_BAD "E-reply-bad" Config {
        what: "the reply to call {n} cannot be used: {detail}", "对调用 {n} 的回复无法使用：{detail}";
        why: "it was not accepted, and the call is still waiting{kept}", "没有接受这条回复，该调用仍在等待{kept}";
        fix: "correct it and hand it in again: aitc reply {n} -f FILE", "修改后重新提交：aitc reply {n} -f FILE";
    }
    REPLY_NOT_DUE "E-reply-not-due" Usage {
        what: "call {n} of {version} is not waiting for a reply: {why}", "{version} 的调用 {n} 不在等待回复：{why}";
        why: "only a call that is waiting can be answered", "只能回答正在等待的调用";
        fix: "aitc next", "aitc next";
    }
    REPLY_NONE "E-reply-none" Usage {
        what: "no call is waiting for a reply by hand", "没有等待人工回复的调用";
        why: "only runs started with `--provider hand` wait for replies, and none does now", "只有用 `--provider hand` 开始的运行才等待回复，现在没有";
        fix: "aitc status", "aitc status";
    }
    REPLY_NAME "E-reply-name" Usage {
        what: "`{name}` cannot be used as the name of who replied", "`{name}` 不能用作回复者的名称";
        why: "a name is one line of at most 80 characters without `<`, `>` and `--`", "名称为一行，最多 80 个字符，不含 `<`、`>` 和 `--`";
        fix: "aitc reply {n} --as \"Claude Code\"", "aitc reply {n} --as \"Claude Code\"";
    }
    INPUTS_DRIFTED "E-inputs-drifted" Damaged {
        what: "inputs changed since the run began: {changes}", "运行开始后输入有改动：{changes}";
        why: "a run uses the same inputs from start to end", "一次运行自始至终使用同样的输入";
        fix: "start again with the new ones (`aitc plan`), or continue with the old ones: aitc resume --accept-drift", "用新的输入重新开始（`aitc plan`），或用原有的继续：aitc resume --accept-drift";
    }
    QUESTIONS_FILE "E-questions-file" Config {
        what: "{path}:{line}: {what}", "{path}:{line}：{what}";
        why: "the file has an error, so none of its answers was used", "文件有错，其中的答案都没有使用";
        fix: "edit the file at that line, then: aitc resume", "修改该行，然后运行：aitc resume";
    }
    RUN_HELD "E-run-held" Held {
        what: "the run is in use by process {pid} on `{host}` since {since}", "这次运行自 {since} 起被 `{host}` 上的进程 {pid} 占用";
        why: "two processes may not write the same transcript", "两个进程不能同时写一份会议记录";
        fix: "wait until it ends, or end it with `aitc stop`", "等待其结束，或用 `aitc stop` 结束它";
    }
    INBOX_FULL "E-inbox-full" Held {
        what: "{capacity} messages are waiting already; this one was not sent", "已有 {capacity} 条消息在等待，本条没有发送";
        why: "messages are read between turns, and the inbox is full", "消息在发言之间读取，收件箱已满";
        fix: "wait until the workshop has read some, or continue the run with `aitc resume` if no process is working on it; then send it again", "等讨论读取一些之后再发送；没有进程在运行时，先用 `aitc resume` 继续";
    }
    INBOX_NO_RUN "E-inbox-no-run" Usage {
        what: "no workshop is running in `{path}`", "`{path}` 中没有正在进行的讨论";
        why: "a message needs a run that reads it", "消息要由正在进行的讨论读取";
        fix: "`aitc status` shows versions and drafts", "`aitc status` 列出版本和草稿";
    }
    MESSAGE_TOO_LARGE "E-message-too-large" Usage {
        what: "a message may have {largest} bytes; this one has {bytes}", "消息最多 {largest} 字节，本条有 {bytes} 字节";
        why: "every member is given all of it", "每位成员都会收到全文";
        fix: "put the text into a file of the repository and name it", "请把文字放进仓库中的文件，并写明文件名";
    }
}
