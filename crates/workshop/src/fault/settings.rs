//! Errors of configuration, roles, templates and prepared answers.

use super::rows;

rows! {
    CONFIG_UNREADABLE "E-config-unreadable" Config {
        what: "{path}: {cause}", "{path}：{cause}";
        why: "a configuration that is there must be readable", "存在的配置文件必须可读";
        fix: "put the file right, or name another with --config F", "请修正该文件，或用 --config F 指定其他文件";
    }
    CONFIG_NOT_UTF8 "E-config-not-utf8" Config {
        what: "{path}:{line}: not valid UTF-8", "{path}:{line}：不是有效的 UTF-8";
        why: "configuration is read as UTF-8", "配置按 UTF-8 读取";
        fix: "save the file as UTF-8", "请将文件保存为 UTF-8";
    }
    CONFIG_YAML "E-config-yaml" Config {
        what: "the file cannot be read as YAML: {what}", "无法按 YAML 读取该文件：{what}";
        why: "a configuration that is only half understood is not used", "只能理解一半的配置不予使用";
        fix: "edit `{path}` at line {line}", "请修改 `{path}` 第 {line} 行";
    }
    CONFIG_NOT_MAPPING "E-config-not-mapping" Config {
        what: "{name} must be a mapping of keys to values", "{name}必须是键到值的映射";
        why: "settings are written as `key: value`, each on a line of its own", "设置写成 `键: 值`，每个一行";
        fix: "write `{example}`", "请写成 `{example}`";
    }
    KEY_UNKNOWN "E-config-key" Config {
        what: "unknown key `{name}`", "未知的键 `{name}`";
        why: "a key that is not understood would be ignored without a word", "无法理解的键会被悄悄忽略";
        fix: "see every key: aitc config show", "查看所有键：aitc config show";
    }
    VALUE_WRONG "E-config-value" Config {
        what: "`{name}` must be {wanted}{shown}", "`{name}` 应为{wanted}{shown}";
        why: "aitc uses no value that does not fit, and guesses none", "不合规定的值不会被采用，也不作猜测";
        fix: "write it like `{example}`", "请写成 `{example}`";
    }
    KEY_TWICE "E-config-twice" Config {
        what: "`{name}` was already set at {place}", "`{name}` 已在 {place} 设置";
        why: "one of the two would be ignored without a word", "两者之一会被悄悄忽略";
        fix: "keep one of them", "请只保留一个";
    }
    KEY_FORBIDDEN "E-config-forbidden" Config {
        what: "a project's file may not set `{name}`", "项目的配置文件不得设置 `{name}`";
        why: "a cloned repository must not be able to redirect a key or run a command", "克隆来的仓库不得改变密钥的去向或运行命令";
        fix: "move it to your own file `{file}`, or use a flag or variable", "请移到您自己的文件 `{file}`，或使用命令行参数或环境变量";
    }
    KNOWLEDGE_OUTSIDE "E-config-outside" Config {
        what: "a project's file may not name the folder `{path}`, which lies outside the workspace", "项目的配置文件不得指定工作区以外的文件夹 `{path}`";
        why: "a cloned repository must not be able to pull other files of this machine into prompts and records", "克隆来的仓库不得把本机的其他文件带进提示和记录";
        fix: "if you want it searched, name it yourself: `aitc config set --user knowledge {path}`", "若确要检索它，请自行指定：`aitc config set --user knowledge {path}`";
    }
    PROGRAM_FORBIDDEN "E-config-program" Config {
        what: "a project's file may not choose `{name}`, which runs a program", "项目的配置文件不得选择会运行程序的 `{name}`";
        why: "a cloned repository must not be able to run a command", "克隆来的仓库不得运行命令";
        fix: "move it to your own file `{file}`, or use --provider {name}", "请移到您自己的文件 `{file}`，或使用 --provider {name}";
    }
    KEY_SECRET "E-config-secret" Config {
        what: "`{name}` would keep a secret in a file", "`{name}` 会把秘密留在文件里";
        why: "keys are read from the environment only", "密钥只从环境变量读取";
        fix: "set the key as a variable and name that variable with `api_key_env`", "请把密钥设为环境变量，并用 `api_key_env` 写明变量名";
    }
    SECRET_SETTING "E-config-secret-variable" Config {
        what: "`{variable}` would make a key a setting", "`{variable}` 会把密钥变成一项设置";
        why: "settings are shown with where they come from, keys never are", "设置会连同来源一起显示，密钥绝不显示";
        fix: "put the key into `AITC_API_KEY`, or into a variable of your choice and its name into `{named}`", "请把密钥放入 `AITC_API_KEY`；或放入自选的变量，再把该变量的名称写入 `{named}`";
    }
    PROVIDER_NAME "E-config-provider-name" Config {
        what: "the name of a provider is made of letters, digits, `-` and `_`", "提供方的名称由字母、数字、`-` 和 `_` 组成";
        why: "it is used on the command line and in the record of a run", "它用于命令行和运行记录";
        fix: "choose a name such as `local`", "请选用 `local` 这样的名称";
    }
    PRICE_HALF "E-config-price" Config {
        what: "the price of `{model}` has no `{needed}`", "`{model}` 的价格缺少 `{needed}`";
        why: "a cost is told whole or not at all", "费用要么完整给出，要么不给";
        fix: "write it like `{input: 0.40, output: 1.60}`, in dollars per million tokens", "请写成 `{input: 0.40, output: 1.60}`，单位为每百万词元的美元价";
    }
    PROFILE_INSIDE "E-config-profile-inside" Config {
        what: "a profile may not hold `{name}`", "配置方案中不得含有 `{name}`";
        why: "one profile is chosen, from outside", "配置方案只从外部选择一个";
        fix: "move `{name}` to the margin of the file", "请把 `{name}` 移到文件的最外层";
    }
    PROFILE_MISSING "E-config-profile" Config {
        what: "there is no profile `{name}`", "没有配置方案 `{name}`";
        why: "without its settings the run would not be the one that was asked for", "缺少其中的设置，运行就不是所要求的那个";
        fix: "write it below `profiles:` as `{name}:`", "请在 `profiles:` 之下写出 `{name}:`";
    }
    KEY_FORM "E-config-form" Config {
        what: "{path}:{line}: `{key}` stands in a form that is not changed by line", "{path}:{line}：`{key}` 的写法无法按行修改";
        why: "only a key that stands on a line of its own is changed without touching the rest", "只有独占一行的键才能在不动其他内容的情况下修改";
        fix: "edit `{path}` by hand", "请手工修改 `{path}`";
    }
    KEY_TABLE "E-config-table" Usage {
        what: "`{name}` is a table", "`{name}` 是一张表";
        why: "one entry of it is set at a time", "每次只设置其中一项";
        fix: "aitc config set {name}.RP {value}", "aitc config set {name}.RP {value}";
    }
    KEY_NOT_IN_FILES "E-config-not-in-files" Usage {
        what: "`{name}` stands in no file", "`{name}` 不写在文件里";
        why: "it belongs to one provider, below `providers`", "它属于某个提供方，写在 `providers` 之下";
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
        why: "answers are used as they stand, or not at all", "答案按原样使用，否则一概不用";
        fix: "write a line `Q-1: your answer` for each question", "每个问题写一行 `Q-1: 您的答案`";
    }
    ROLE_FILE "E-role-file" Config {
        what: "{path}:{line}: {what}", "{path}:{line}：{what}";
        why: "roles and templates are used as they stand, or not at all", "角色与模板按原样使用，否则一概不用";
        fix: "correct the file, or remove it to use the built-in one; then run the command again", "请修正该文件，或删除它以使用内置的；然后重新运行命令";
    }
    ROLE_UNKNOWN "E-role-unknown" Config {
        what: "there is no role `{name}`", "没有角色 `{name}`";
        why: "roles are called by name or code: {names}", "角色以名称或代号称呼：{names}";
        fix: "aitc roles list", "aitc roles list";
    }
    ROLES_NONE "E-roles-none" Config {
        what: "no role is left to speak", "没有可以发言的角色";
        why: "the coach leads the discussion and does not take part in it", "主持人只主持讨论，不参与发言";
        fix: "name at least one besides the coach", "除主持人外至少指定一个角色";
    }
    ROLE_CODE_SHARED "E-role-code-shared" Config {
        what: "the roles `{first}` and `{second}` share the code `{code}`", "角色 `{first}` 与 `{second}` 的代号都是 `{code}`";
        why: "codes stand in file names and citations: nobody may share them", "代号用于文件名和引用，不能共用";
        fix: "change one in its file", "请在其中一个的文件里改动代号";
    }
    ROLE_TAKEN "E-role-taken" Usage {
        what: "`{name}` ({code}) is there already", "`{name}`（{code}）已经存在";
        why: "name and code stand in file names and citations: nobody may share them", "名称与代号用于文件名和引用，不能共用";
        fix: "`aitc roles show {code}` shows it; take a name and a code of its own: aitc roles new {free} --code {free_code}", "`aitc roles show {code}` 显示它；请另选名称和代号：aitc roles new {free} --code {free_code}";
    }
    ROLE_NAME "E-role-name" Usage {
        what: "{what}", "{what}";
        why: "names of roles become names of files", "角色的名称会成为文件名";
        fix: "aitc roles new DataSteward --code DS", "aitc roles new DataSteward --code DS";
    }
    ASSET_UNREADABLE "E-asset-unreadable" Config {
        what: "`{path}` cannot be read: {cause}", "无法读取 `{path}`：{cause}";
        why: "roles and templates are used as they stand, or not at all", "角色与模板按原样使用，否则一概不用";
        fix: "make the file readable, or remove it to use the built-in one", "请让该文件可读，或删除它以使用内置的";
    }
    ASSET_UNFIT "E-asset-unfit" Config {
        what: "`{path}` is not used: {what}", "不使用 `{path}`：{what}";
        why: "roles and templates are used as they stand, or not at all", "角色与模板按原样使用，否则一概不用";
        fix: "correct the file, or remove it to use the built-in one; then run the command again", "请修正该文件，或删除它以使用内置的；然后重新运行命令";
    }
    TEMPLATE_MISSING "E-template-missing" Config {
        what: "the template `{name}` is missing", "缺少模板 `{name}`";
        why: "a run needs all of its templates", "运行需要全部模板";
        fix: "put it below .ai-tools-chain/templates; then begin anew", "请放到 .ai-tools-chain/templates 之下，然后重新开始";
    }
    TEMPLATE "E-template" Config {
        what: "the template `{name}` cannot be used: {what}", "无法使用模板 `{name}`：{what}";
        why: "roles and templates are used as they stand, or not at all", "角色与模板按原样使用，否则一概不用";
        fix: "correct the file below .ai-tools-chain/templates, or remove it; then begin anew", "请修正 .ai-tools-chain/templates 之下的该文件，或删除它，然后重新开始";
    }
    SIMILARITY_HALF "E-similarity-half" Config {
        what: "only one of `similarity.provider` and `similarity.model` is set", "`similarity.provider` 与 `similarity.model` 只设置了一个";
        why: "vectors of different models cannot be compared, so none is taken by itself", "不同模型的向量不能相互比较，因此不会自行选取";
        fix: "set both, or neither to compare texts without a model", "请两个都设置，或都不设置，以便不用模型比较文本";
    }
    SIMILARITY_ENDPOINT "E-similarity-endpoint" Config {
        what: "`{provider}` makes no vectors of texts", "`{provider}` 不能生成文本向量";
        why: "it is no endpoint that could be asked", "它不是可以调用的接口";
        fix: "set `similarity.provider` to one that has an embeddings model", "请把 `similarity.provider` 设为提供向量模型的一方";
    }
}
