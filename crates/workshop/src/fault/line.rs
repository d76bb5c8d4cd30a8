//! Errors of a command line and of texts that are given to it.

use super::rows;

rows! {
    COMMAND_UNKNOWN "E-command-unknown" Usage {
        what: "there is no command `{command}`", "没有命令 `{command}`";
        why: "aitc runs no command it does not know, and guesses none", "未知的命令不会执行，也不作猜测";
        fix: "aitc help all", "aitc help all";
    }
    ARGUMENT_UNKNOWN "E-argument-unknown" Usage {
        what: "`aitc{command}` has no argument `{argument}`", "`aitc{command}` 没有参数 `{argument}`";
        why: "an argument that nobody reads would be passed over", "没有用处的参数会被悄悄忽略";
        fix: "aitc help{command}", "aitc help{command}";
    }
    ARGUMENT_MISSING "E-argument-missing" Usage {
        what: "`aitc{command}` needs {arguments}", "`aitc{command}` 缺少 {arguments}";
        why: "what it stands for cannot be guessed", "它所代表的内容无法猜测";
        fix: "aitc help{command}", "aitc help{command}";
    }
    ARGUMENT_VALUE "E-argument-value" Usage {
        what: "`{value}` is no value for `{argument}`{reason}", "`{value}` 不能作为 `{argument}` 的值{reason}";
        why: "aitc uses no value that does not fit, and guesses none", "不合规定的值不会被采用，也不作猜测";
        fix: "aitc help{command}", "aitc help{command}";
    }
    ARGUMENT_NO_VALUE "E-argument-no-value" Usage {
        what: "`{argument}` needs a value", "`{argument}` 需要一个值";
        why: "without one it says nothing", "没有值它就没有意义";
        fix: "aitc help{command}", "aitc help{command}";
    }
    ARGUMENT_CONFLICT "E-argument-conflict" Usage {
        what: "`{argument}` and `{other}` cannot be given together", "`{argument}` 与 `{other}` 不能同时使用";
        why: "each says something else about the same", "两者对同一件事说法不同";
        fix: "aitc help{command}", "aitc help{command}";
    }
    ARGUMENTS "E-arguments" Usage {
        what: "the command line is not understood: {what}", "无法理解这条命令：{what}";
        why: "a line that is half understood is not run", "只理解了一半的命令不会执行";
        fix: "aitc help{command}", "aitc help{command}";
    }
    FOLDER_MISSING "E-folder-missing" Usage {
        what: "cannot work in `{path}`: {cause}", "无法在 `{path}` 中工作：{cause}";
        why: "a run needs a folder to work in", "运行需要一个工作目录";
        fix: "name a folder with `-C DIR`, or make it: mkdir -p \"{path}\"", "用 `-C DIR` 指定一个目录，或创建它：mkdir -p \"{path}\"";
    }
    STDOUT "E-stdout" Storage {
        what: "stdout cannot be written: {cause}", "无法写入标准输出：{cause}";
        why: "what was asked for goes there, and it did not arrive", "要求的内容写往那里，但没有送达";
        fix: "look at where the output goes", "请检查输出的去向";
    }
    TERMINAL "E-terminal" Storage {
        what: "{what}", "终端不可用：{what}";
        why: "a question can only be put to a terminal that is there", "只有终端可用时才能提问";
        fix: "`aitc resume`, or, to be asked in a file: aitc resume --questions pause", "`aitc resume`，或改为在文件中提问：aitc resume --questions pause";
    }
    PORT "E-port" Usage {
        what: "port {port} of 127.0.0.1 cannot be used: {cause}", "无法使用 127.0.0.1 的端口 {port}：{cause}";
        why: "the page is served there, and to this machine only", "页面在该端口提供，且只供本机访问";
        fix: "leave `--port` out, for any that is free", "去掉 `--port`，使用任意空闲端口";
    }
    PAGER "E-pager" Internal {
        what: "the pager cannot be used: {cause}", "无法使用分页程序：{cause}";
        why: "pages are shown by the program that AITC_PAGER or PAGER names", "页面由 AITC_PAGER 或 PAGER 指定的程序显示";
        fix: "aitc show --no-pager", "aitc show --no-pager";
    }
    INTERNAL "E-internal" Internal {
        what: "{what}", "程序内部错误：{what}";
        why: "this is a fault of aitc itself", "这是 aitc 自身的缺陷";
        fix: "report it with what you ran; a run that was recorded goes on with: aitc resume", "请附上所运行的命令报告此问题；已有记录的运行可以继续：aitc resume";
    }
    FORMAT_ALONE "E-format-alone" Usage {
        what: "`@{name}` needs a text: what the meeting is about", "`@{name}` 后面缺少内容：会议要谈什么";
        why: "usage: aitc \"@{name} TEXT\", or aitc \"@{name}[PP,SD] TEXT\" to choose members", "用法：aitc \"@{name} 内容\"；要指定成员：aitc \"@{name}[PP,SD] 内容\"";
        fix: "aitc \"@{name} One service or several?\"", "aitc \"@{name} 一个服务还是多个？\"";
    }
    FORMAT_NOBODY "E-format-nobody" Usage {
        what: "the brackets after `@{name}` name nobody", "`@{name}` 后的方括号里没有可用的成员";
        why: "brackets hold the names or codes of those who take part, and are closed", "方括号里写参加者的名称或代号，并且要闭合";
        fix: "`@{name}[PP,SD] …` asks those two, `@{name} …` everybody", "`@{name}[PP,SD] ……` 只请这两位，`@{name} ……` 请所有人";
    }
    FORMAT_ELSEWHERE "E-format-elsewhere" Usage {
        what: "`{text}` begins no meeting while the run goes on", "运行进行时，`{text}` 不会开始新的会议";
        why: "what is typed into a run goes to its members and into its transcript", "输入到运行中的内容会传给成员并记入记录";
        fix: "to say it to the members, begin with another word; in another terminal, or in a chat once the run has ended: aitc plan \"@{name} …\"", "若要说给成员听，请以别的字开头；在另一个终端里，或在交谈中等运行结束后：aitc plan \"@{name} ……\"";
    }
    FORMAT_UNKNOWN "E-format-unknown" Usage {
        what: "there is no meeting `@{name}`", "没有名为 `@{name}` 的会议";
        why: "a line that begins with `@` and a name is for that meeting; nothing was begun", "以 `@` 和名称开头的行是发给那个会议的；没有开始任何运行";
        fix: "use `@team`, `@board`, `@party` or `@workshop`; `@team[SD,RP] …` asks members by name", "请使用 `@team`、`@board`、`@party` 或 `@workshop`；`@team[SD,RP] ……` 可指定成员";
    }
    FLAG_IN_VAIN "E-flag-in-vain" Usage {
        what: "`{flag}` means nothing to a {name}", "`{flag}` 对 {name} 没有意义";
        why: "nobody speaks there in turn", "那里没有依次发言";
        fix: "leave it out", "去掉它";
    }
    STDIN_TWICE "E-stdin-twice" Usage {
        what: "`-` is given twice", "`-` 出现了两次";
        why: "standard input ends once", "标准输入只能读取一次";
        fix: "give `-` once, and files with `-f FILE`", "`-` 只写一次，文件用 `-f FILE` 给出";
    }
    INPUT_UNREADABLE "E-input-unreadable" Usage {
        what: "{name} cannot be read: {cause}", "无法读取 {name}：{cause}";
        why: "what it holds is the text of the run", "其内容就是讨论要用的文本";
        fix: "name a file that can be read with `-f FILE`, or give the text itself in quotes", "请用 `-f FILE` 指定可读取的文件，或直接给出带引号的文本";
    }
    TEXT_MISSING "E-text-missing" Usage {
        what: "there is no {what}", "没有给出{what}";
        why: "it is given as an argument, with `-f FILE`, with `-` on standard input, or at a terminal in the editor that `EDITOR` names", "可以作为参数给出，或用 `-f FILE`，或用 `-` 从标准输入读取，或在终端上写入 `EDITOR` 指定的编辑器";
        fix: "{example}", "{example}";
    }
    CHAT_NOTHING_SAID "E-chat-nothing-said" Usage {
        what: "nothing was said that is not saved", "没有尚未保存的交谈";
        why: "`/save` keeps the conversation of this chat; plans, teams and boards are published by themselves", "`/save` 保存本次的交谈；规划、小组和会议会自行发布";
        fix: "say something to the members first: Photos or text for receipts?", "请先对成员说点什么：收据用照片还是文字？";
    }
    CHAT_EMPTY "E-chat-empty" Usage {
        what: "no line came on standard input", "标准输入中没有任何一行";
        why: "without a terminal a chat does what the lines say, and there was nothing to do", "没有终端时，交谈按输入的各行行事，而这里无事可做";
        fix: "hand it lines: `echo \"Photos or text for receipts?\" | aitc chat`", "请给它几行：`echo \"收据用照片还是文字？\" | aitc chat`";
    }
    EDITOR "E-editor" Usage {
        what: "nothing comes from the editor `{editor}`: {cause}", "未能从编辑器 `{editor}` 得到内容：{cause}";
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
        why: "guessing at letters would change what was said", "猜测字符会改变原意";
        fix: "save it as UTF-8", "请保存为 UTF-8";
    }
    TEXT_NUL "E-text-nul" Usage {
        what: "{name} holds a NUL character", "{name}含有 NUL 字符";
        why: "that is no text", "这不是文本";
        fix: "give a text file", "请给出文本文件";
    }
    NOT_QUOTED "E-version-word" Usage {
        what: "`{word}` is no version", "`{word}` 不是版本";
        why: "a version is written `v1`, `v2` and so on", "版本写作 `v1`、`v2` 等";
        fix: "put the feedback in quotes: aitc revise v1 \"No CSV: use XLSX\"", "请给反馈加上引号：aitc revise v1 \"不要 CSV，改用 XLSX\"";
    }
    DECIDE_ROW "E-decide-row" Usage {
        what: "`{n}` has no row {row} under “What you decide”; it has {rows}", "`{n}` 的“需要您决定的事项”没有第 {row} 行，共有 {rows} 行";
        why: "an answer is taken by the number of its row", "采用哪个答案以行号指定";
        fix: "read the rows with `aitc show {n} report`", "用 `aitc show {n} report` 查看各行";
    }
    DECIDE_ANSWER "E-decide-answer" Usage {
        what: "row {row} has no answer `{letter}` to take; there: {there}", "第 {row} 行没有可采用的答案 `{letter}`；可选：{there}";
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
        why: "nobody could be asked: there is none, or `--no-input` was given", "无人可问：没有终端，或给出了 `--no-input`";
        fix: "use `--questions pause` or `--questions assume`", "请使用 `--questions pause` 或 `--questions assume`";
    }
    SLASH_UNKNOWN "E-slash-unknown" Usage {
        what: "`{text}` is no command; there are `/answer Q-1 …`, `/debate <topic>`, `/skip`, `/stop`, `/vote`, `/reopen C-1 …` and `/auto-exit on|off`", "没有命令 `{text}`；可用的有 `/answer Q-1 ……`、`/debate <议题>`、`/skip`、`/stop`、`/vote`、`/reopen C-1 ……` 和 `/auto-exit on|off`";
        why: "a mistyped command is not passed on as words", "写错的命令不会当作发言转达";
        fix: "put something before the slash to say it all the same; for other commands use another terminal", "如果确实要说这句话，请在斜杠前加上别的字；其他命令请在另一个终端里运行";
    }
    SLASH_NO_TOPIC "E-slash-no-topic" Usage {
        what: "`{text}` names no topic", "`{text}` 没有写明议题";
        why: "nobody knows what to debate", "无法得知要辩论什么";
        fix: "/debate Which columns belong in the export?", "/debate 导出应当包含哪些列？";
    }
    RECORD_BATCH "E-record-batch" Usage {
        what: "`--record` keeps the answers of one run", "`--record` 只保存一个运行的回答";
        why: "runs of a batch would write over one another", "批量运行会相互覆盖";
        fix: "aitc plan -f FILE --record DIR", "aitc plan -f FILE --record DIR";
    }
    FEEDBACK_ALONE "E-feedback-alone" Usage {
        what: "`--feedback` says what to change in a version, and none is named", "`--feedback` 说明要改哪个版本的什么，但没有指明版本";
        why: "a requirement is planned as it is written, and nothing of the feedback would be in it", "需求按所写的内容规划，其中不会有任何反馈";
        fix: "write it into the requirement, or name the version that is meant: aitc revise v1 \"{feedback}\"", "把它写进需求，或指明所指的版本：aitc revise v1 \"{feedback}\"";
    }
    FEEDBACK_LONG "E-feedback-long" Usage {
        what: "the feedback has {n} points, and a run takes at most {most}", "反馈有 {n} 条，一次运行最多 {most} 条";
        why: "each point becomes an issue that every member is shown; nothing was begun", "每条反馈都成为一个议题，并展示给每位成员；没有开始任何运行";
        fix: "put what belongs together into one point, or revise more than once: aitc revise -f FILE", "把相关的内容合成一条，或分几次修订：aitc revise -f FILE";
    }
    RECORD_NOTHING "E-record-nothing" Usage {
        what: "`--record` has nothing to record", "`--record` 没有可记录的内容";
        why: "every reply is written by hand, and kept with the run", "所有回复都由人手写，并随运行保存";
        fix: "leave it out, or name a model with --provider and --model", "去掉它，或用 --provider 和 --model 指定模型";
    }
    BATCH_EMPTY "E-batch-empty" Usage {
        what: "there is no requirement", "没有需求";
        why: "a folder's requirements are its files that end in .md, .markdown, .txt, .jsonl or .ndjson", "目录中的需求是以 .md、.markdown、.txt、.jsonl 或 .ndjson 结尾的文件";
        fix: "aitc batch requirements/", "aitc batch requirements/";
    }
    BATCH_LINE "E-batch-line" Usage {
        what: "{name}:{line}: {what}", "{name}:{line}：{what}";
        why: "a batch is started whole or not at all", "批量运行要么整体开始，要么不开始";
        fix: "write lines such as {\"id\": \"export\", \"requirement\": \"Export the list\"}", "每行写成 {\"id\": \"export\", \"requirement\": \"导出列表\"} 的样子";
    }
    OUT_AMONG_VERSIONS "E-out-among-versions" Usage {
        what: "`{path}` lies among the versions", "`{path}` 位于版本目录之内";
        why: "a published version is never changed, nor added to", "已发布的版本不会被修改，也不会被添加内容";
        fix: "name a place elsewhere", "请指定别处的位置";
    }
    OUT_EXISTS "E-out-exists" Usage {
        what: "`{path}` is there already", "`{path}` 已经存在";
        why: "what is there may be somebody's work and is not replaced", "已有的内容可能是别人的成果，不会被替换";
        fix: "name something new", "请指定新的名称";
    }
    DEMO_FOLDER "E-demo-folder" Usage {
        what: "`{path}` cannot be used: {cause}", "无法使用 `{path}`：{cause}";
        why: "the demonstration brings a repository of its own and writes over nothing", "演示自带仓库，不会覆盖任何内容";
        fix: "name a folder that is new or empty: aitc demo --out DIR", "请指定新的或空的目录：aitc demo --out DIR";
    }
}
