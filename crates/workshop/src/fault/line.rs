//! Errors of a command line and of texts passed to it.

use super::rows;

rows! {
    COMMAND_UNKNOWN "E-command-unknown" Usage {
        what: "there is no command `{command}`", "没有命令 `{command}`";
        why: "aitc does not guess which command is meant", "未知的命令不会执行，也不作猜测";
        fix: "aitc help all", "aitc help all";
    }
    ARGUMENT_UNKNOWN "E-argument-unknown" Usage {
        what: "`aitc{command}` has no argument `{argument}`", "`aitc{command}` 没有参数 `{argument}`";
        why: "an argument that aitc does not know is an error, so that no typing slip is ignored", "不认识的参数一律报错，不会悄悄忽略";
        fix: "aitc help{command}", "aitc help{command}";
    }
    ARGUMENT_MISSING "E-argument-missing" Usage {
        what: "`aitc{command}` needs {arguments}", "`aitc{command}` 缺少 {arguments}";
        why: "the command cannot run without it", "缺了它无法运行";
        fix: "aitc help{command}", "aitc help{command}";
    }
    ARGUMENT_VALUE "E-argument-value" Usage {
        what: "`{value}` is not a value for `{argument}`{reason}", "`{value}` 不能作为 `{argument}` 的值{reason}";
        why: "a value that does not fit is an error; aitc does not guess another", "不合规定的值一律报错，不会代为猜测";
        fix: "aitc help{command}", "aitc help{command}";
    }
    ARGUMENT_NO_VALUE "E-argument-no-value" Usage {
        what: "`{argument}` needs a value", "`{argument}` 需要一个值";
        why: "the flag takes a value", "这个选项后面要写值";
        fix: "aitc help{command}", "aitc help{command}";
    }
    ARGUMENT_CONFLICT "E-argument-conflict" Usage {
        what: "`{argument}` and `{other}` cannot be given together", "`{argument}` 与 `{other}` 不能同时使用";
        why: "they contradict each other", "两者相互矛盾";
        fix: "aitc help{command}", "aitc help{command}";
    }
    ARGUMENTS "E-arguments" Usage {
        what: "the command line is not understood: {what}", "无法理解这条命令：{what}";
        why: "only part of it could be read, so nothing was run", "只能解析其中一部分，因此没有执行";
        fix: "aitc help{command}", "aitc help{command}";
    }
    FOLDER_MISSING "E-folder-missing" Usage {
        what: "cannot work in `{path}`: {cause}", "无法在 `{path}` 中工作：{cause}";
        why: "a run needs a folder to work in", "运行需要一个工作目录";
        fix: "name a folder with `-C DIR`, or make it: mkdir -p \"{path}\"", "用 `-C DIR` 指定一个目录，或创建它：mkdir -p \"{path}\"";
    }
    STDOUT "E-stdout" Storage {
        what: "stdout cannot be written: {cause}", "无法写入标准输出：{cause}";
        why: "the output was to go there", "结果没有写出去";
        fix: "check where the output goes", "请检查输出的去向";
    }
    TERMINAL "E-terminal" Storage {
        what: "{what}", "终端不可用：{what}";
        why: "questions are asked on a terminal, and this one cannot be used", "提问要用终端，而这个终端用不了";
        fix: "`aitc resume`, or, to be asked in a file: aitc resume --questions pause", "`aitc resume`，或改为在文件中提问：aitc resume --questions pause";
    }
    PORT "E-port" Usage {
        what: "port {port} of 127.0.0.1 cannot be used: {cause}", "无法使用 127.0.0.1 的端口 {port}：{cause}";
        why: "the page is served on that port, for this machine only", "网页从这个端口提供，只供本机访问";
        fix: "leave out `--port` to use any free port", "去掉 `--port`，使用任意空闲端口";
    }
    PAGER "E-pager" Internal {
        what: "the pager cannot be used: {cause}", "无法使用分页程序：{cause}";
        why: "pages are shown by the program that AITC_PAGER or PAGER names", "页面由 AITC_PAGER 或 PAGER 指定的程序显示";
        fix: "aitc show --no-pager", "aitc show --no-pager";
    }
    INTERNAL "E-internal" Internal {
        what: "{what}", "程序内部错误：{what}";
        why: "this is a bug in aitc", "这是 aitc 自身的缺陷";
        fix: "report it with the command you ran; a run that was recorded continues with: aitc resume", "请附上您运行的命令报告这个问题；已有记录的运行可以继续：aitc resume";
    }
    FORMAT_ALONE "E-format-alone" Usage {
        what: "`@{name}` needs a text: what to discuss", "`@{name}` 后面缺少内容：要讨论什么";
        why: "usage: aitc \"@{name} TEXT\", or aitc \"@{name}[PP,SD] TEXT\" to choose members", "用法：aitc \"@{name} 内容\"；要指定成员：aitc \"@{name}[PP,SD] 内容\"";
        fix: "aitc \"@{name} One service or several?\"", "aitc \"@{name} 一个服务还是多个？\"";
    }
    FORMAT_NOBODY "E-format-nobody" Usage {
        what: "the brackets after `@{name}` name nobody", "`@{name}` 后的方括号里没有可用的成员";
        why: "brackets hold the names or codes of those who take part, and are closed", "方括号里写参加者的名称或代号，并且要闭合";
        fix: "`@{name}[PP,SD] …` asks those two, `@{name} …` everybody", "`@{name}[PP,SD] ……` 只请这两位，`@{name} ……` 请所有人";
    }
    FORMAT_ELSEWHERE "E-format-elsewhere" Usage {
        what: "`{text}` does not start a new discussion while a run is in progress", "运行期间，`{text}` 不会开始新的讨论";
        why: "text typed into a run goes to its members and into its transcript", "运行期间输入的内容会转达给成员，并记入会议记录";
        fix: "to say it to the members, begin with another word; in another terminal, or in a chat once the run has ended: aitc plan \"@{name} …\"", "若要说给成员听，请以别的字开头；在另一个终端里，或在交谈中等运行结束后：aitc plan \"@{name} ……\"";
    }
    FORMAT_UNKNOWN "E-format-unknown" Usage {
        what: "there is no discussion format `@{name}`", "没有 `@{name}` 这种讨论形式";
        why: "a line that begins with `@` and a name starts that kind of discussion", "以 `@` 加名称开头的一行会开始该形式的讨论";
        fix: "use `@team`, `@board`, `@party` or `@workshop`; `@team[SD,RP] …` asks members by name", "请使用 `@team`、`@board`、`@party` 或 `@workshop`；`@team[SD,RP] ……` 可指定成员";
    }
    FLAG_IN_VAIN "E-flag-in-vain" Usage {
        what: "`{flag}` does not apply to `@{name}`", "`@{name}` 不支持 `{flag}`";
        why: "{why}", "{why}";
        fix: "leave it out", "去掉它";
    }
    STDIN_TWICE "E-stdin-twice" Usage {
        what: "`-` is given twice", "`-` 出现了两次";
        why: "standard input can be read only once", "标准输入只能读取一次";
        fix: "give `-` once, and files with `-f FILE`", "`-` 只写一次，文件用 `-f FILE` 给出";
    }
    INPUT_UNREADABLE "E-input-unreadable" Usage {
        what: "{name} cannot be read: {cause}", "无法读取 {name}：{cause}";
        why: "the run needs its text", "运行要用其中的内容";
        fix: "name a file that can be read with `-f FILE`, or give the text itself in quotes", "请用 `-f FILE` 指定可读取的文件，或直接给出带引号的文本";
    }
    TEXT_MISSING "E-text-missing" Usage {
        what: "there is no {what}", "没有给出{what}";
        why: "it is given as an argument, with `-f FILE`, with `-` on standard input, or at a terminal in the editor that `EDITOR` names", "可以写成参数，用 `-f FILE` 指定文件，用 `-` 从标准输入读取，或在终端上用 `EDITOR` 指定的编辑器写";
        fix: "{example}", "{example}";
    }
    CHAT_NOTHING_SAID "E-chat-nothing-said" Usage {
        what: "there is nothing new to save", "没有尚未保存的交谈";
        why: "`/save` keeps what was said in this chat; plans, teams and boards are published automatically", "`/save` 保存本次交谈；规划、小组和会议会自动发布";
        fix: "say something to the members first: Photos or text for receipts?", "请先对成员说点什么：收据用照片还是文字？";
    }
    CHAT_EMPTY "E-chat-empty" Usage {
        what: "standard input is empty", "标准输入是空的";
        why: "without a terminal, a chat reads what to do from standard input", "没有终端时，交谈从标准输入逐行读取要做的事";
        fix: "give it lines: `echo \"Photos or text for receipts?\" | aitc chat`", "请给它几行：`echo \"收据用照片还是文字？\" | aitc chat`";
    }
    EDITOR "E-editor" Usage {
        what: "the editor `{editor}` returned no text: {cause}", "未能从编辑器 `{editor}` 得到内容：{cause}";
        why: "with no text given, `VISUAL` or `EDITOR` is opened at a terminal", "未给出文本时，会在终端上打开 `VISUAL` 或 `EDITOR`";
        fix: "{example}", "{example}";
    }
    TEXT_TOO_LARGE "E-text-too-large" Usage {
        what: "{name} is larger than {size}", "{name}超过 {size}";
        why: "every member is given the whole {what}", "每位成员都会收到完整的{what}";
        fix: "shorten it, and put what it refers to into a folder named with --knowledge DIR", "请缩短，并把它引用的资料放进用 --knowledge DIR 指定的目录";
    }
    LINE_TOO_LARGE "E-line-too-large" Usage {
        what: "a line on standard input is longer than {most}", "标准输入中有一行超过 {most}";
        why: "a message of a client is one line, and none needs so much", "客户端的一条消息就是一行，没有消息需要这么长";
        fix: "start the server again, and send the text in parts; runs that were begun go on", "请重新启动服务，分几次发送；已开始的运行会继续";
    }
    TEXT_NOT_UTF8 "E-text-not-utf8" Usage {
        what: "{name} is not valid UTF-8", "{name}不是有效的 UTF-8";
        why: "guessing characters would change the text", "猜测字符会改变原意";
        fix: "save it as UTF-8", "请保存为 UTF-8";
    }
    TEXT_NUL "E-text-nul" Usage {
        what: "{name} holds a NUL character", "{name}含有 NUL 字符";
        why: "the file looks binary", "看起来是二进制文件";
        fix: "give a text file", "请给出文本文件";
    }
    NOT_QUOTED "E-version-word" Usage {
        what: "`{word}` is not a version", "`{word}` 不是版本";
        why: "a version is written `v1`, `v2` and so on", "版本写作 `v1`、`v2` 等";
        fix: "put the feedback in quotes: aitc revise v1 \"No CSV: use XLSX\"", "请给反馈加上引号：aitc revise v1 \"不要 CSV，改用 XLSX\"";
    }
    DECIDE_ROW "E-decide-row" Usage {
        what: "`{n}` has no row {row} under “What you decide”; it has {rows}", "`{n}` 的“需要您决定的事项”没有第 {row} 行，共有 {rows} 行";
        why: "an answer is chosen by the number of its row", "用行号指定选哪个答案";
        fix: "read the rows with `aitc show {n} report`", "用 `aitc show {n} report` 查看各行";
    }
    DECIDE_ANSWER "E-decide-answer" Usage {
        what: "row {row} has no answer `{letter}`; it has: {there}", "第 {row} 行没有答案 `{letter}`；可选：{there}";
        why: "`a` is what the plan says, `b` the other answer, further ones in their order", "`a` 是规划所写的答案，`b` 是另一个，其余依次类推";
        fix: "name one of those, or say it in words: aitc revise v1 \"No CSV: use XLSX\"", "请改用其中之一，或用文字说明：aitc revise v1 \"不要 CSV，改用 XLSX\"";
    }
    DECIDE_TWICE "E-decide-twice" Usage {
        what: "row {row} is given both `{letter}` and `{other}`", "第 {row} 行同时给出了 `{letter}` 和 `{other}`";
        why: "a plan follows one answer of a row", "规划对每一行只采用一个答案";
        fix: "name one of them: aitc revise v1 --decide {row}={letter}", "只写其中一个：aitc revise v1 --decide {row}={letter}";
    }
    ASK_WITHOUT_TERMINAL "E-ask-without-terminal" Usage {
        what: "`--questions ask` needs a terminal", "`--questions ask` 需要终端";
        why: "there is no terminal to ask on, or `--no-input` was given", "无人可问：没有终端，或给出了 `--no-input`";
        fix: "use `--questions pause` or `--questions assume`", "请使用 `--questions pause` 或 `--questions assume`";
    }
    SLASH_UNKNOWN "E-slash-unknown" Usage {
        what: "`{text}` is not a command; commands are `/answer Q-1 …`, `/debate <topic>`, `/skip`, `/stop`, `/vote`, `/reopen C-1 …` and `/auto-exit on|off`", "没有命令 `{text}`；可用的有 `/answer Q-1 ……`、`/debate <题目>`、`/skip`、`/stop`、`/vote`、`/reopen C-1 ……` 和 `/auto-exit on|off`";
        why: "text that begins with a slash is not passed on to the members", "以斜杠开头的文字不会转达给成员";
        fix: "to say it to the members, put another character before the slash; run other commands in another terminal", "若要说给成员听，请在斜杠前加一个字；其他命令请在另一个终端里运行";
    }
    SLASH_NO_TOPIC "E-slash-no-topic" Usage {
        what: "`{text}` has no topic", "`{text}` 没有写明题目";
        why: "the members need a question to debate", "要写明辩论什么";
        fix: "/debate Which columns belong in the export?", "/debate 导出应当包含哪些列？";
    }
    RECORD_BATCH "E-record-batch" Usage {
        what: "`--record` works with one run only", "`--record` 只能用于单次运行";
        why: "the runs of a batch would overwrite each other's answers", "批量中各次运行的回答会相互覆盖";
        fix: "aitc plan -f FILE --record DIR", "aitc plan -f FILE --record DIR";
    }
    FEEDBACK_ALONE "E-feedback-alone" Usage {
        what: "`--feedback` needs a version to change, and none is given", "`--feedback` 用于修改某个版本，但没有指明版本";
        why: "a new plan is made from the requirement alone, so the feedback would be lost", "新规划只依据需求，反馈会丢失";
        fix: "write it into the requirement, or name the version: aitc revise v1 \"{feedback}\"", "把它写进需求，或指明版本：aitc revise v1 \"{feedback}\"";
    }
    FEEDBACK_LONG "E-feedback-long" Usage {
        what: "the feedback has {n} points, and a run takes at most {most}", "反馈有 {n} 条，一次运行最多 {most} 条";
        why: "each point becomes an issue that every member is shown", "每条反馈都会成为一个议题，展示给每位成员";
        fix: "combine related points, or revise more than once: aitc revise -f FILE", "把相关的内容合成一条，或分几次修订：aitc revise -f FILE";
    }
    RECORD_NOTHING "E-record-nothing" Usage {
        what: "`--record` has nothing to record", "`--record` 没有可记录的内容";
        why: "replies by hand are kept with the run anyway", "人工回复本来就随运行保存";
        fix: "leave it out, or name a model with --provider and --model", "去掉它，或用 --provider 和 --model 指定模型";
    }
    BATCH_EMPTY "E-batch-empty" Usage {
        what: "there is no requirement", "没有需求";
        why: "a folder's requirements are its files that end in .md, .markdown, .txt, .jsonl or .ndjson", "目录中的需求是以 .md、.markdown、.txt、.jsonl 或 .ndjson 结尾的文件";
        fix: "aitc batch requirements/", "aitc batch requirements/";
    }
    BATCH_LINE "E-batch-line" Usage {
        what: "{name}:{line}: {what}", "{name}:{line}：{what}";
        why: "one line is wrong, so no run was started", "有一行有误，因此没有开始任何运行";
        fix: "write lines such as {\"id\": \"export\", \"requirement\": \"Export the list\"}", "每行写成 {\"id\": \"export\", \"requirement\": \"导出列表\"} 的样子";
    }
    OUT_AMONG_VERSIONS "E-out-among-versions" Usage {
        what: "`{path}` is in the folder of versions", "`{path}` 在版本目录里";
        why: "only aitc writes there, and a published version is never changed", "那里只由 aitc 写入，已发布的版本不会再改动";
        fix: "choose another place", "请指定其他位置";
    }
    OUT_EXISTS "E-out-exists" Usage {
        what: "`{path}` is there already", "`{path}` 已经存在";
        why: "existing files are not replaced", "已有的文件不会被替换";
        fix: "choose a new name", "请换一个名称";
    }
    DEMO_FOLDER "E-demo-folder" Usage {
        what: "`{path}` cannot be used: {cause}", "无法使用 `{path}`：{cause}";
        why: "the demo creates a repository of its own and overwrites nothing", "演示自带仓库，不会覆盖任何内容";
        fix: "name a folder that is new or empty: aitc demo --out DIR", "请指定新的或空的目录：aitc demo --out DIR";
    }
}
