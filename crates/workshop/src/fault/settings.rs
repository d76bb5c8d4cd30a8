//! Errors of configuration, roles, templates and prepared answers.

use super::rows;

rows! {
    CONFIG_UNREADABLE "E-config-unreadable" Config {
        what: "{path}: {cause}", "{path}：{cause}";
        why: "a configuration file that exists must be readable", "存在的配置文件必须可读";
        fix: "correct the file, or name another with --config F", "请修正该文件，或用 --config F 指定其他文件";
    }
    CONFIG_NOT_UTF8 "E-config-not-utf8" Config {
        what: "{path}:{line}: not valid UTF-8", "{path}:{line}：不是有效的 UTF-8";
        why: "configuration is read as UTF-8", "配置按 UTF-8 读取";
        fix: "save the file as UTF-8", "请将文件保存为 UTF-8";
    }
    CONFIG_YAML "E-config-yaml" Config {
        what: "the file cannot be read as YAML: {what}", "无法按 YAML 读取该文件：{what}";
        why: "only part of it could be read, so none of it is used", "只能解析其中一部分，因此没有使用";
        fix: "edit `{path}` at line {line}", "请修改 `{path}` 第 {line} 行";
    }
    CONFIG_NOT_MAPPING "E-config-not-mapping" Config {
        what: "{name} must be a mapping of keys to values", "{name}必须是键到值的映射";
        why: "settings are written as `key: value`, each on a line of its own", "设置写成 `键: 值`，每个一行";
        fix: "write `{example}`", "请写成 `{example}`";
    }
    KEY_UNKNOWN "E-config-key" Config {
        what: "unknown key `{name}`", "未知的键 `{name}`";
        why: "an unknown key is an error, so that no typing slip is ignored", "不认识的键一律报错，不会悄悄忽略";
        fix: "see every key: aitc config show", "查看所有键：aitc config show";
    }
    VALUE_WRONG "E-config-value" Config {
        what: "`{name}` must be {wanted}{shown}", "`{name}` 应为{wanted}{shown}";
        why: "a value that does not fit is an error; aitc does not guess another", "不合规定的值一律报错，不会代为猜测";
        fix: "write it like `{example}`", "请写成 `{example}`";
    }
    KEY_TWICE "E-config-twice" Config {
        what: "`{name}` was already set at {place}", "`{name}` 已在 {place} 设置";
        why: "it is set twice, and only one of the values could be used", "同一项设置写了两次，无法判断以哪个为准";
        fix: "keep one of them", "请只保留一个";
    }
    KEY_FORBIDDEN "E-config-forbidden" Config {
        what: "a project's file may not set `{name}`", "项目的配置文件不得设置 `{name}`";
        why: "a cloned repository must not be able to redirect a key or run a command", "克隆来的仓库不得改变密钥的去向或运行命令";
        fix: "move it to your own file `{file}`, or use a flag or variable", "请移到您自己的文件 `{file}`，或改用命令行选项或环境变量";
    }
    KNOWLEDGE_OUTSIDE "E-config-outside" Config {
        what: "a project's file may not name the folder `{path}`, which lies outside the workspace", "项目的配置文件不得指定工作区以外的目录 `{path}`";
        why: "a cloned repository must not be able to pull other files of this machine into prompts and records", "克隆来的仓库不得把本机的其他文件带进提示词和记录";
        fix: "if you want it searched, name it yourself: `aitc config set --user knowledge {path}`", "若确要检索它，请自行指定：`aitc config set --user knowledge {path}`";
    }
    PROGRAM_FORBIDDEN "E-config-program" Config {
        what: "a project's file may not choose `{name}`, which runs a program", "项目的配置文件不得选择会运行程序的 `{name}`";
        why: "a cloned repository must not be able to run a command", "克隆来的仓库不得运行命令";
        fix: "move it to your own file `{file}`, or use --provider {name}", "请移到您自己的文件 `{file}`，或使用 --provider {name}";
    }
    KEY_SECRET "E-config-secret" Config {
        what: "`{name}` would store a secret in a file", "`{name}` 会把机密留在文件里";
        why: "keys are read from the environment only", "密钥只从环境变量读取";
        fix: "set the key as a variable and name that variable with `api_key_env`", "请把密钥设为环境变量，并用 `api_key_env` 写明变量名";
    }
    PROVIDER_NAME "E-config-provider-name" Config {
        what: "the name of a provider is made of letters, digits, `-` and `_`", "服务商的名称由字母、数字、`-` 和 `_` 组成";
        why: "it is used on the command line and in the record of a run", "它用于命令行和会议记录";
        fix: "choose a name such as `local`", "请选用 `local` 这样的名称";
    }
    PRICE_HALF "E-config-price" Config {
        what: "the price of `{model}` has no `{needed}`", "`{model}` 的价格缺少 `{needed}`";
        why: "a cost needs both prices", "计算费用需要两种价格";
        fix: "write it like `{input: 0.40, output: 1.60}`, in dollars per million tokens", "请写成 `{input: 0.40, output: 1.60}`，单位为美元/百万词元";
    }
    PROFILE_INSIDE "E-config-profile-inside" Config {
        what: "a profile may not contain `{name}`", "配置方案中不得含有 `{name}`";
        why: "a profile cannot choose or contain profiles", "配置方案里不能再选择或定义配置方案";
        fix: "move `{name}` to the top level of the file", "请把 `{name}` 移到文件的最外层";
    }
    PROFILE_MISSING "E-config-profile" Config {
        what: "there is no profile `{name}`", "没有配置方案 `{name}`";
        why: "the run would lack the settings you asked for", "没有这组设置，就不能按您的要求运行";
        fix: "write it below `profiles:` as `{name}:`", "请在 `profiles:` 之下写出 `{name}:`";
    }
    KEY_FORM "E-config-form" Config {
        what: "{path}:{line}: `{key}` is written in a form that this command cannot change", "{path}:{line}：`{key}` 的写法无法用这条命令修改";
        why: "it changes only keys that have a line of their own, and leaves the rest of the file alone", "只能修改独占一行的键，其余内容保持不动";
        fix: "edit `{path}` by hand", "请手工修改 `{path}`";
    }
    KEY_TABLE "E-config-table" Usage {
        what: "`{name}` is a table", "`{name}` 是一张表";
        why: "its entries are set one at a time", "每次只设置其中一项";
        fix: "aitc config set {name}.RP {value}", "aitc config set {name}.RP {value}";
    }
    KEY_NOT_IN_FILES "E-config-not-in-files" Usage {
        what: "`{name}` cannot be set in a file", "`{name}` 不能写在文件里";
        why: "it belongs to one provider, below `providers`", "它属于某个服务商，写在 `providers` 之下";
        fix: "aitc config set --user providers.{provider}.{name} {example}", "aitc config set --user providers.{provider}.{name} {example}";
    }
    OUTSIDE "E-path-outside" Config {
        what: "`{path}` leads out of the workspace", "`{path}` 指向工作区之外";
        why: "a link in a cloned repository must not decide what is written to", "克隆来的仓库中的链接不得决定写入何处";
        fix: "put a file or folder in place of the link", "请用文件或目录替换该链接";
    }
    CONFIG_NO_PLACE "E-config-no-place" Config {
        what: "there is no place for a configuration of your own", "没有存放您自己配置的位置";
        why: "neither HOME nor XDG_CONFIG_HOME names a folder", "HOME 和 XDG_CONFIG_HOME 都没有指定目录";
        fix: "name a file with --config F", "请用 --config F 指定文件";
    }
    ANSWERS "E-answers" Config {
        what: "{place}: {what}", "{place}：{what}";
        why: "the file has an error, so none of its answers was used", "文件有错，其中的答案都没有使用";
        fix: "write a line `Q-1: your answer` for each question", "每个问题写一行 `Q-1: 您的答案`";
    }
    ROLE_FILE "E-role-file" Config {
        what: "{path}:{line}: {what}", "{path}:{line}：{what}";
        why: "the file has an error and cannot be used", "文件有错，不能使用";
        fix: "correct the file, or remove it to use the built-in one; then run the command again", "请修正该文件，或删除它以使用内置的；然后重新运行命令";
    }
    ROLE_UNKNOWN "E-role-unknown" Config {
        what: "there is no role `{name}`", "没有角色 `{name}`";
        why: "roles are called by name or code: {names}", "角色用名称或代号指定：{names}";
        fix: "aitc roles list", "aitc roles list";
    }
    ROLES_NONE "E-roles-none" Config {
        what: "no role is left to take part", "没有可以发言的角色";
        why: "the coach leads the discussion and does not take part in it", "主持人只主持讨论，不参与发言";
        fix: "name at least one besides the coach", "除主持人外至少指定一个角色";
    }
    ROLE_CODE_SHARED "E-role-code-shared" Config {
        what: "the roles `{first}` and `{second}` share the code `{code}`", "角色 `{first}` 与 `{second}` 的代号都是 `{code}`";
        why: "codes are used in file names and citations, so each must be unique", "代号用于文件名和引用，不能共用";
        fix: "change one in its file", "请在其中一个的文件里改动代号";
    }
    ROLE_TAKEN "E-role-taken" Usage {
        what: "`{name}` ({code}) is there already", "`{name}`（{code}）已经存在";
        why: "name and code are used in file names and citations, so each must be unique", "名称与代号用于文件名和引用，不能共用";
        fix: "`aitc roles show {code}` shows it; take a name and a code of its own: aitc roles new {free} --code {free_code}", "`aitc roles show {code}` 显示它；请另选名称和代号：aitc roles new {free} --code {free_code}";
    }
    ROLE_NAME "E-role-name" Usage {
        what: "{what}", "{what}";
        why: "names of roles become names of files", "角色的名称会成为文件名";
        fix: "aitc roles new DataSteward --code DS", "aitc roles new DataSteward --code DS";
    }
    ASSET_UNREADABLE "E-asset-unreadable" Config {
        what: "`{path}` cannot be read: {cause}", "无法读取 `{path}`：{cause}";
        why: "a role or template that exists must be readable", "存在的角色与模板文件必须可读";
        fix: "make the file readable, or remove it to use the built-in one", "请让该文件可读，或删除它以使用内置的";
    }
    ASSET_UNFIT "E-asset-unfit" Config {
        what: "`{path}` is not used: {what}", "不使用 `{path}`：{what}";
        why: "the file has an error and cannot be used", "文件有错，不能使用";
        fix: "correct the file, or remove it to use the built-in one; then run the command again", "请修正该文件，或删除它以使用内置的；然后重新运行命令";
    }
    TEMPLATE_MISSING "E-template-missing" Config {
        what: "the template `{name}` is missing", "缺少模板 `{name}`";
        why: "a run needs all of its templates", "运行需要全部模板";
        fix: "put it below .ai-tools-chain/templates; then start again", "请放到 .ai-tools-chain/templates 之下，然后重新开始";
    }
    TEMPLATE "E-template" Config {
        what: "the template `{name}` cannot be used: {what}", "无法使用模板 `{name}`：{what}";
        why: "the file has an error and cannot be used", "文件有错，不能使用";
        fix: "correct the file below .ai-tools-chain/templates, or remove it; then start again", "请修正 .ai-tools-chain/templates 之下的该文件，或删除它，然后重新开始";
    }
    SIMILARITY_HALF "E-similarity-half" Config {
        what: "only one of `similarity.provider` and `similarity.model` is set", "`similarity.provider` 与 `similarity.model` 只设置了一个";
        why: "vectors of different models cannot be compared, so aitc does not choose one by itself", "不同模型的向量不能相互比较，因此不会自行选取";
        fix: "set both, or neither to compare texts without a model", "请两个都设置，或都不设置，以便不用模型比较文本";
    }
    SIMILARITY_ENDPOINT "E-similarity-endpoint" Config {
        what: "`{provider}` cannot compute embeddings", "`{provider}` 不能生成文本向量";
        why: "it is not an endpoint that can compute them", "它不是能生成向量的接口";
        fix: "set `similarity.provider` to one that has an embeddings model", "请把 `similarity.provider` 设为有向量模型的服务商";
    }
}
