//! Errors about models and how they are reached.

use super::rows;

rows! {
    PROVIDER_UNAVAILABLE "E-provider-unavailable" Provider {
        what: "the provider is unavailable: {detail}", "服务商不可用：{detail}";
        why: "`{call}` got no answer; everything so far is kept", "`{call}` 没有得到回答；此前的内容均已保留";
        fix: "`aitc resume`, or with another model: aitc resume --model NAME", "运行 `aitc resume`；或换用其他模型：aitc resume --model NAME";
    }
    MODEL_MISSING "E-model-missing" Provider {
        what: "there is no such model: {detail}", "没有这个模型：{detail}";
        why: "`{call}` got no answer; everything so far is kept", "`{call}` 没有得到回答；此前的内容均已保留";
        fix: "`aitc models` lists what can be used in place of `{model}`; continue with one of them: aitc resume --model NAME", "`aitc models` 列出可代替 `{model}` 的模型；选用其中之一继续：aitc resume --model NAME";
    }
    CALL_REFUSED "E-call-refused" Provider {
        what: "the key was refused: {detail}", "密钥被拒绝：{detail}";
        why: "`{call}` got no answer; everything so far is kept, and every later call would fail with that key", "`{call}` 没有得到回答；此前的内容均已保留，用这个密钥，之后的调用也会失败";
        fix: "check the key in `{variables}`, and that it may use `{model}`; then: aitc resume", "请检查 `{variables}` 中的密钥，以及它能否使用 `{model}`，然后运行：aitc resume";
    }
    REPLY_UNUSABLE "E-reply-unusable" Unusable {
        what: "the model's replies are unusable: {detail}", "模型的回复无法使用：{detail}";
        why: "asking `{call}` again did not help; the raw replies are in the transcript", "重新询问 `{call}` 也没有用；原始回复保存在会议记录中";
        fix: "`aitc resume`, or with another model: aitc resume --model NAME", "运行 `aitc resume`；或换用其他模型：aitc resume --model NAME";
    }
    QUESTION_UNANSWERED "E-question-unanswered" Provider {
        what: "the model did not answer: {detail}", "模型没有回答：{detail}";
        why: "it was asked once, outside a run, so nothing was recorded", "这是运行之外的一次询问，没有留下记录";
        fix: "run the command again; `aitc doctor --online` says what is wrong with the model", "请再次运行该命令；`aitc doctor --online` 会说明模型的问题";
    }
    KEY_MISSING "E-key-missing" Credentials {
        what: "there is no key for `{provider}`", "没有 `{provider}` 的密钥";
        why: "`{provider}` requires a key", "`{provider}` 需要密钥";
        fix: "set `{variables}` to its key, or answer by hand: aitc plan --provider hand", "请把 `{variables}` 设为其密钥，或人工回答：aitc plan --provider hand";
    }
    KEY_REFUSED "E-key-refused" Credentials {
        what: "the key of `{provider}` was refused ({status})", "`{provider}` 的密钥被拒绝（{status}）";
        why: "found before the first call, so no prompt was sent", "在第一次调用之前发现，还没有发送提示词";
        fix: "check `{variables}`", "请检查 `{variables}`";
    }
    KEY_MALFORMED "E-key-malformed" Credentials {
        what: "the key of `{provider}` contains a blank, a line break or another byte that no key has", "`{provider}` 的密钥含有空白、换行或其他密钥中不会出现的字节";
        why: "such a key cannot be sent in an HTTP header", "这样的密钥无法放进 HTTP 请求头";
        fix: "set the variable to the key alone, without spaces or quotes", "请把该变量设为密钥本身，不带空格和引号";
    }
    PROVIDER_UNKNOWN "E-provider-unknown" Usage {
        what: "there is no provider `{name}`", "没有名为 `{name}` 的服务商";
        why: "known providers: {known}", "已知的有 {known}";
        fix: "choose one of them, or name another OpenAI-compatible endpoint with --base-url", "请选用其中之一，或用 --base-url 指定其他 OpenAI 兼容接口";
    }
    PROVIDER_NOT_CONFIGURED "E-provider-not-configured" Credentials {
        what: "this run uses provider `{name}`, which is not configured here", "这次运行使用服务商 `{name}`，而此处没有配置它";
        why: "a run continues with its models unless you choose others", "除非您另选，运行继续使用原来的模型";
        fix: "name it with AITC_PROVIDER and set its key, or continue with another: aitc resume --provider NAME", "用 AITC_PROVIDER 指定并设置其密钥，或换用其他服务商：aitc resume --provider NAME";
    }
    ADDRESS_NEEDED "E-address-needed" Credentials {
        what: "this run was started with an address for `{provider}`, and none is given here", "这次运行开始时为 `{provider}` 指定了地址，而此处没有指定";
        why: "prompts are sent only to the address chosen for the run, and the record does not keep that address", "提示词只发往这次运行选定的地址，而记录中不保存该地址";
        fix: "aitc resume {n} --base-url URL", "aitc resume {n} --base-url URL";
    }
    ROLE_ADDRESS_NEEDED "E-role-address-needed" Credentials {
        what: "this run was started with an address for `{provider}`, which answers for a single role, and none is given here", "这次运行开始时为单个角色所用的 `{provider}` 指定了地址，而此处没有指定";
        why: "prompts are sent only to the address chosen for the run, and the record does not keep that address", "提示词只发往这次运行选定的地址，而记录中不保存该地址";
        fix: "aitc config set --user providers.{provider}.base_url URL", "aitc config set --user providers.{provider}.base_url URL";
    }
    PROVIDER_NOT_RUNNING "E-provider-not-running" Provider {
        what: "`{provider}` does not answer at {address}", "`{provider}` 在 {address} 没有应答";
        why: "it is a local server, and nothing listens there", "这是本机服务，但没有程序在监听";
        fix: "start it, or name its address with --base-url", "请启动它，或用 --base-url 指定地址";
    }
    PROGRAM_UNNAMED "E-program-unnamed" Usage {
        what: "`{provider}` runs a program of yours, and none is named", "`{provider}` 会运行您的程序，但没有指定程序";
        why: "a program is chosen by you alone, never by a file of the project", "程序只能由您选择，不能由项目文件选择";
        fix: "set `AITC_COMMAND` to it, or write it into your own configuration: aitc config set --user providers.{provider}.command PROGRAM", "请把 `AITC_COMMAND` 设为该程序，或写入您自己的配置：aitc config set --user providers.{provider}.command PROGRAM";
    }
    PROGRAM_MISSING "E-program-missing" Provider {
        what: "`{provider}` needs the program `{program}`, which is in no folder of `PATH`", "`{provider}` 需要程序 `{program}`，而 `PATH` 的目录中没有它";
        why: "only the folders of `PATH` are searched, as your shell does", "与您的 shell 一样，只在 `PATH` 的目录中查找";
        fix: "install it, or name it with its path", "请安装它，或写明其路径";
    }
    AGENT_SANDBOX "E-agent-sandbox" Provider {
        what: "the sandbox of `{provider}` needs the program `{program}`, which is in no folder of `PATH`", "`{provider}` 的沙箱需要程序 `{program}`，而 `PATH` 的目录中没有它";
        why: "with trials on an agent works in a copy of the repository, and its own sandbox keeps it there", "启用试运行后，智能体在仓库的副本中工作，由它自己的沙箱限制在副本内";
        fix: "install it (Debian: apt-get install bubblewrap socat); or leave out --trials, and the agent reads and changes nothing", "请安装它（Debian：apt-get install bubblewrap socat）；或去掉 --trials，智能体就只读取，不改动任何内容";
    }
    PROGRAM_FOLDER "E-program-folder" Storage {
        what: "no folder to start `{provider}` in: {cause}", "没有可供启动 `{provider}` 的目录：{cause}";
        why: "a program is started in an empty folder, away from the repository's settings", "程序在空目录中启动，不受仓库设置影响";
        fix: "check the folder for temporary files, or name another with TMPDIR", "请检查临时文件目录，或用 TMPDIR 指定其他目录";
    }
    PROGRAM_NOT_CHOSEN "E-program-not-chosen" Config {
        what: "this run was started with the program `{provider}`, which you have not chosen here", "这次运行开始时由程序 `{provider}` 回答，而您在此处没有选择它";
        why: "a draft in a cloned repository must not run a command without your consent", "克隆来的草稿未经您同意不得运行命令";
        fix: "aitc resume --provider {provider}", "aitc resume --provider {provider}";
    }
    MODEL_UNNAMED "E-model-unnamed" Usage {
        what: "`{provider}` does not say which models it has", "`{provider}` 没有说明有哪些模型";
        why: "asked for them, it answered {status} and named none", "询问时它回答 {status}，没有给出任何模型";
        fix: "name one with --model; if the address is wrong, correct --base-url, which usually ends in /v1", "请用 --model 指定一个；如果地址不对，请检查 --base-url，它通常以 /v1 结尾";
    }
    MODELS_UNASKED "E-models-unasked" Provider {
        what: "no model was named, and the endpoint does not list any: {why}", "没有指定模型，接口也没有列出模型：{why}";
        why: "without a model, the endpoint is asked for its list; nothing else was sent", "没有指定模型时会向接口询问列表；没有发送其他内容";
        fix: "start it, or check --base-url, the network and the proxy variables; then: aitc doctor", "请启动它，或检查 --base-url、网络与代理变量，然后运行：aitc doctor";
    }
    ENDPOINT_UNTRUSTED "E-endpoint-untrusted" Provider {
        what: "no model was named, and the endpoint that could list its models is not trusted: {why}", "没有指定模型，而可以列出模型的接口不受信任：{why}";
        why: "its certificate was checked first; neither a prompt nor the key was sent", "先检查了证书；没有发送提示词，也没有发送密钥";
        fix: "if it is yours, name the certificates of its authority: aitc config set --user providers.{provider}.ca_file FILE", "如果这是您自己的服务，请指定其签发机构的证书：aitc config set --user providers.{provider}.ca_file FILE";
    }
    MODEL_NONE "E-model-none" Credentials {
        what: "no model was found that could answer for the members", "没有找到可以替成员回答的模型";
        why: "{looked}; nothing was written and nothing sent", "{looked}；没有写入任何文件，也没有发送任何内容";
        fix: "say who answers:", "请指定由谁回答：";
    }
    BASE_URL "E-base-url" Usage {
        what: "the base URL of `{provider}` cannot be used: {why}", "`{provider}` 的地址无法使用：{why}";
        why: "the address could not be read, so nothing was sent", "无法解析这个地址，因此没有发送任何内容";
        fix: "give one like `https://host/v1`", "请写成 `https://host/v1` 的样子";
    }
    ROUTE "E-route" Config {
        what: "the connection settings of `{provider}` cannot be used: {what}", "`{provider}` 的连接设置有误：{what}";
        why: "aitc does not connect without the proxy or certificates you set", "不会绕开您指定的代理或证书去连接";
        fix: "correct `providers.{provider}` in your own configuration", "请修正您自己配置中的 `providers.{provider}`";
    }
    PROXY_VARIABLE "E-proxy-variable" Config {
        what: "`{variable}` is not the address of a proxy", "`{variable}` 的值不是代理地址";
        why: "aitc does not connect without the proxy or certificates you set", "不会绕开您指定的代理或证书去连接";
        fix: "write it like `{variable}=http://proxy.example:3128` or `socks5://`, or remove it: unset {variable}", "请写成 `{variable}=http://proxy.example:3128` 或 `socks5://` 的样子，或取消它：unset {variable}";
    }
    TLS "E-tls" Usage {
        what: "no secure connection to `{provider}` can be set up: {why}", "无法与 `{provider}` 建立安全连接：{why}";
        why: "prompts are never sent over an unprotected connection", "提示词绝不通过不加密的连接发送";
        fix: "install root certificates, or name them with `ca_file` of the provider", "请安装根证书，或用该服务商的 `ca_file` 指定";
    }
    CERTIFICATES "E-certificates" Config {
        what: "the certificates in `{file}` cannot be read: {cause}", "无法读取 `{file}` 中的证书：{cause}";
        why: "aitc does not connect without the proxy or certificates you set", "不会绕开您指定的代理或证书去连接";
        fix: "correct `ca_file` of the provider in your own configuration", "请修正您自己配置中该服务商的 `ca_file`";
    }
    PRICE_UNKNOWN "E-price-unknown" Config {
        what: "a budget was given, but the price of `{model}` of `{provider}` is not known", "给出了费用上限，但没有 `{provider}` 的 `{model}` 的价格";
        why: "aitc does not guess prices, so the cost of a call is unknown", "aitc 不猜测价格，因此无法得知每次调用的费用";
        fix: "in your own configuration: providers: {{provider}: {prices: {{model}: {input: 0.40, output: 1.60}}}}, in dollars per million tokens", "在您自己的配置中写明：providers: {{provider}: {prices: {{model}: {input: 0.40, output: 1.60}}}}，单位为美元/百万词元";
    }
    FIXTURES_MISSING "E-fixtures-missing" Usage {
        what: "the provider `scripted` needs a folder of recorded answers", "服务商 `scripted` 需要一个存放已录制的回答的目录";
        why: "it replays recorded answers and asks no model", "它只回放已录制的回答，不询问模型";
        fix: "name it with AITC_FIXTURES=DIR, or with --fixtures DIR when a run is started", "请用 AITC_FIXTURES=DIR 指定，或在开始运行时用 --fixtures DIR 指定";
    }
    FIXTURES_UNREADABLE "E-fixtures-unreadable" Config {
        what: "recorded answers: `{path}`: {cause}", "已录制的回答：`{path}`：{cause}";
        why: "the recording cannot be read, so nothing was replayed", "录制的内容无法读取，因此没有回放";
        fix: "name the folder with --fixtures DIR; --record DIR makes one", "请用 --fixtures DIR 指定目录；--record DIR 可生成一个";
    }
    FIXTURE_MALFORMED "E-fixture-malformed" Config {
        what: "recorded answer `{path}` cannot be read: {cause}; expected `text` or `answer`, `finish`, `usage`", "无法读取已录制的回答 `{path}`：{cause}；应含 `text` 或 `answer`、`finish`、`usage`";
        why: "the recording cannot be read, so nothing was replayed", "录制的内容无法读取，因此没有回放";
        fix: "name the folder with --fixtures DIR; --record DIR makes one", "请用 --fixtures DIR 指定目录；--record DIR 可生成一个";
    }
}
