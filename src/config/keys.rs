//! The table of keys: names, kinds, ranges, aliases, variables.

use super::kind::Kind;
use crate::fault::Text;
use crate::machine::Lang;

/// The sources that may set a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// All sources.
    Anywhere,
    /// Flags and variables only; in a file the key belongs under `providers`.
    NotInFiles,
}

/// A configuration key.
#[derive(Debug, Clone, Copy)]
pub struct Key {
    /// Canonical name, dotted.
    pub name: &'static str,
    /// Aliases that are accepted.
    pub aliases: &'static [&'static str],
    /// The type and range of its value.
    pub kind: Kind,
    /// The sources that may set it.
    pub place: Place,
    /// Its purpose, one line.
    pub about: Text,
}

impl Key {
    /// The name without the sections `limits` and `ending`; other sections are part of the key's
    /// meaning.
    pub fn leaf(&self) -> &'static str {
        let plain = ["limits.", "ending."]
            .iter()
            .find_map(|section| self.name.strip_prefix(section));
        plain.unwrap_or(self.name)
    }

    /// Finds a key by its name or an alias.
    pub fn called(keys: &'static [Self], name: &str) -> Option<&'static Self> {
        keys.iter().find(|key| key.is_called(name))
    }

    /// Finds the table key with this exact name.
    pub fn table(name: &str) -> Option<&'static Self> {
        let mut tables = KEYS.iter().filter(|key| key.kind.is_table());
        tables.find(|key| key.name == name)
    }

    /// The name and all aliases.
    pub fn spellings(&self) -> impl Iterator<Item = &'static str> {
        std::iter::once(self.name).chain(self.aliases.iter().copied())
    }

    /// The aliases without a group.
    pub fn plain_aliases(&self) -> impl Iterator<Item = &'static str> {
        let aliases = self.aliases.iter().copied();
        aliases.filter(|alias| !alias.contains('.'))
    }

    /// The variable that sets it, such as `AITC_MAX_ROUNDS` or `AITC_SIMILARITY_MODEL`.
    pub fn variable(&self) -> String {
        format!("AITC_{}", self.leaf().replace('.', "_").to_uppercase())
    }

    /// Whether `name` is the variable of this key or of an alias, or `AITC_` with the full name
    /// including its section, as `config show` prints it.
    pub fn has_variable(&self, name: &str) -> bool {
        let spelled = |alias: &str| format!("AITC_{}", alias.to_uppercase()) == name;
        let full = self.name.replace('.', "_");
        self.variable() == name || spelled(&full) || self.aliases.iter().any(|one| spelled(one))
    }

    /// JSON pointer to the value in a serialised `Config` and in the frozen inputs of a run. It
    /// follows from the key's name, except for a few.
    pub(super) fn pointer(&self) -> String {
        match self.name {
            "divergence" => "/limits/debates/divergence",
            "review_debate" => "/limits/debates/review",
            "limits.max_debates" => "/limits/debates/max",
            "limits.debate_rounds" => "/limits/debates/rounds",
            "limits.retry_base_ms" => "/retry/base_ms",
            "limits.retry_cap_ms" => "/retry/cap_ms",
            "ending.enable_detection" => "/ending/marker/enable_detection",
            "ending.end_marker" => "/ending/marker/end_marker",
            "ending.require_confirmation" => "/ending/marker/require_confirmation",
            "ending.auto_end" => "/ending/marker/auto_end",
            "similarity.threshold" => "/similarity/consensus",
            "similarity.silence_threshold" => "/similarity/silence",
            "similarity.duplicate_threshold" => "/similarity/duplicate",
            "trials.enabled" => "/trials",
            "trials.readable" => "/trials_readable",
            name => return format!("/{}", name.replace('.', "/")),
        }
        .to_owned()
    }

    /// Whether the key may be written as `name` inside the mapping `group`.
    pub fn is_in(&self, group: &str, name: &str) -> bool {
        let full = format!("{group}.{name}");
        let own = self.name.split_once('.').is_some_and(|(g, _)| g == group);
        self.name == full || self.aliases.contains(&full.as_str()) || (own && self.is_called(name))
    }

    /// Whether `name` is the canonical name, its last part or an alias.
    pub fn is_called(&self, name: &str) -> bool {
        self.name == name || self.leaf() == name || self.aliases.contains(&name)
    }
}

const ON_OFF: Kind = Kind::Choice(&["on", "off"]);
const LANGUAGES: Kind = Kind::Choice(&["en", "zh"]);

pub(super) const YES_OR_NO: Kind = Kind::Choice(&["true", "false"]);
const DIALECTS: Kind = Kind::Choice(&[
    "openai",
    "openai-responses",
    "anthropic",
    "gemini",
    "ollama",
]);

const ANSWER_FORMATS: Kind = Kind::Choice(&["json_schema", "tool_call", "json_object", "prompt"]);

/// Mappings in a file whose keys are in the table, including alternative groupings.
pub(super) const GROUPS: &[&str] = &[
    "limits",
    "ending",
    "grounding",
    "trials",
    "similarity",
    "consensus",
    "silence",
    "silence_detection",
    "conversation_end",
];

const fn key(name: &'static str, kind: Kind, aliases: &'static [&'static str], about: Text) -> Key {
    Key {
        name,
        aliases,
        kind,
        place: Place::Anywhere,
        about,
    }
}

/// A key that files cannot set.
const fn by_flag(
    name: &'static str,
    kind: Kind,
    aliases: &'static [&'static str],
    about: Text,
) -> Key {
    Key {
        place: Place::NotInFiles,
        ..key(name, kind, aliases, about)
    }
}

const fn number(min: u64, max: u64) -> Kind {
    Kind::Number { min, max }
}

/// All keys except those of providers, in the order of the documentation.
#[rustfmt::skip]
pub const KEYS: &[Key] = &[
    key("language", LANGUAGES, &["lang"],
        Text("Language of messages; default: that of the locale", "界面语言；默认取系统区域设置")),
    key("doc_lang", LANGUAGES, &["doc_language", "document_language"],
        Text("Language of documents; default: that of the requirement", "文档语言；默认与需求一致")),
    key("profile", Kind::Text, &[],
        Text("Profile whose settings override the rest of its file", "叠加在同一文件其余设置之上的配置方案")),
    key("heartbeat_ms", number(1, 3_600_000), &[],
        Text("Milliseconds of silence after which a line says that the run is still going, if no progress is drawn", "不绘制进度时，静默多少毫秒后打印一行以示仍在运行")),
    key("questions", Kind::Choice(&["ask", "pause", "assume"]), &[],
        Text("How questions for you are handled; default: `ask` on a terminal, otherwise `pause`", "如何处理向您提出的问题；默认在终端上为 `ask`，否则为 `pause`")),
    key("first_round", Kind::Choice(&["sequential", "blind"]), &[],
        Text("Whether members speak one after the other or in parallel in the first round", "首轮依次发言还是并行发言")),
    key("order", Kind::Choice(&["fixed", "rotate"]), &["speaking_order"],
        Text("Whether the speaking order is the same in every round, or each round starts with the next member", "每轮发言顺序固定，还是逐轮轮换首位")),
    key("roles", Kind::Texts, &["members", "participants"],
        Text("Who takes part, by name or code; default: everybody", "参与的角色（名称或代号）；默认全部")),
    key("provider", Kind::Text, &[],
        Text("Provider that answers the calls; default: the first one found", "应答调用的服务商；默认为自动找到的第一个")),
    key("model", Kind::Text, &[],
        Text("Model of the roles that have none of their own", "未单独指定模型的成员所用的模型")),
    key("role_models", Kind::Table, &[],
        Text("Model by role, `model` or `provider:model`", "按角色指定模型，写作 `model` 或 `provider:model`")),
    key("temperature", Kind::Temperature, &[],
        Text("How freely models choose their words, if the provider takes it; default: the provider's", "模型用词的自由程度（服务商支持时）；默认由服务商决定")),
    key("role_temperatures", Kind::Temperatures, &[],
        Text("Temperature by role, before that of all", "按角色指定温度，优先于全体的设置")),
    key("seed", number(0, 4_294_967_295), &[],
        Text("Sampling seed of all models, if the provider takes one", "所有模型的采样种子（服务商支持时）")),
    key("divergence", ON_OFF, &["detect_divergence"],
        Text("Detect divergences after every round", "是否在每轮之后检测分歧")),
    key("review_debate", ON_OFF, &[],
        Text("Debate the issue list before round 1", "首轮之前是否先就议题清单辩论")),
    key("review", ON_OFF, &["review_plan"],
        Text("Have members review a plan, or a team's synthesis, before it is published; never with `--light`", "规划或小组的综合结果发布前是否由成员评审；`--light` 时不评审")),
    key("knowledge", Kind::Texts, &["knowledge_dirs"],
        Text("Folders with texts to search", "供检索的资料目录")),
    key("grounding.depth", Kind::Choice(&["off", "map", "looks"]), &["grounding"],
        Text("How much of the repository members see: nothing, search results, or those and the files they ask for", "成员能看到仓库的多少内容：不看、只看检索所得，或再加上自行查看")),
    key("grounding.map_tokens", number(500, 200_000), &[],
        Text("Token limit for the map of the repository in a prompt", "提示词中仓库地图的词元上限")),
    key("grounding.round_tokens", number(500, 200_000), &[],
        Text("Token limit for looks at files in the prompts of one round", "一轮的提示词中查看所得内容的词元上限")),
    key("trials.enabled", YES_OR_NO, &[],
        Text("Let members have commands run in a copy of the repository, in a sandbox without network; only in your own file. Unset: asked on a terminal, refused elsewhere", "成员是否可以在无网络的沙箱中、在仓库的副本里运行命令；只能写在您自己的文件里；未设置时在终端上询问，在其他情况下拒绝")),
    key("trials.readable", Kind::Texts, &[],
        Text("Folders that such commands may read besides the system, toolchains and caches of dependencies; only in your own file", "除系统、工具链与依赖缓存外，这些命令还可读取的目录；只能写在您自己的文件里")),
    key("limits.max_rounds", number(1, 100), &["rounds"],
        Text("Maximum number of rounds", "讨论的最多轮数")),
    key("limits.warn_at_rounds", number(1, 100), &["warn_at"],
        Text("Round from which members are warned of the limit", "从第几轮起提示即将到达上限")),
    key("limits.max_duration_minutes", number(1, 1440), &["max_duration", "max_minutes", "minutes"],
        Text("Maximum active minutes of discussion", "讨论的最长有效分钟数")),
    key("limits.warn_at_minutes", number(1, 1440), &[],
        Text("Active minutes after which members are warned of the limit", "从第几分钟起提示即将到达上限")),
    key("limits.max_tokens", number(1_000, 1_000_000_000), &[],
        Text("Token limit for a whole run; default: none", "整次运行的词元上限；默认不限")),
    key("limits.budget_usd", Kind::Usd, &["budget", "max_cost"],
        Text("Dollar limit for a whole run; needs the price of every model", "整次运行的美元上限；需要每个模型的价格")),
    key("limits.concurrency", number(1, 32), &[],
        Text("Maximum number of concurrent calls", "同时进行的最多调用数")),
    key("limits.max_output_tokens", number(256, 200_000), &[],
        Text("Token limit for one answer", "单次回答的词元上限")),
    key("limits.context_tokens", number(1_000, 2_000_000), &["documents.context_tokens"],
        Text("Tokens of the discussion that writers of documents are shown", "文档撰写者可见的讨论内容的词元上限")),
    key("limits.max_failures", number(1, 50), &[],
        Text("Failed tries of one call before the run stops", "单次调用失败多少次后停止运行")),
    key("limits.max_follow_ups", number(0, 100), &[],
        Text("Maximum number of follow-up questions in one clarification", "一次澄清的最多追问次数")),
    key("limits.max_debates", number(0, 3), &["debates"],
        Text("Maximum number of debates in a run", "一次运行最多辩论几场")),
    key("limits.debate_rounds", number(1, 4), &[],
        Text("Maximum number of rounds in a debate", "一场辩论最多几轮")),
    key("limits.retry_base_ms", number(0, 60_000), &[],
        Text("Milliseconds of the first wait between tries of a call", "单次调用首次重试前等待的毫秒数")),
    key("limits.retry_cap_ms", number(0, 120_000), &[],
        Text("Maximum milliseconds between tries of a call", "单次调用重试之间最长等待的毫秒数")),
    key("ending.auto_exit_enabled", YES_OR_NO, &["auto_exit"],
        Text("Let limits and detectors end a run without asking, even if somebody watches", "有人在场时，达到上限或检测到停滞是否也自行结束运行")),
    key("ending.consensus_enabled", YES_OR_NO, &["consensus.enabled"],
        Text("Detect rounds that repeat each other", "是否检测各轮内容趋同")),
    key("ending.lookback_rounds", number(2, 6), &["lookback", "consensus.lookback", "consensus.lookback_rounds"],
        Text("Number of rounds that must repeat each other", "内容需要连续多少轮重复")),
    key("ending.convergence_indicator", Kind::Texts, &["consensus.convergence_indicator"],
        Text("Words of agreement besides the built-in ones", "除内置词外表示一致的词")),
    key("ending.silence_enabled", YES_OR_NO, &["silence.enabled", "silence_detection.enabled"],
        Text("Detect members who repeat themselves", "是否检测成员重复自己")),
    key("ending.consecutive_similar_rounds", number(2, 20), &["silence.consecutive_similar_rounds", "silence_detection.consecutive_similar_rounds"],
        Text("Number of rounds in which members must repeat themselves", "成员需要连续多少轮重复自己")),
    key("ending.user_timeout_minutes", number(1, 1440), &["silence.user_timeout_minutes", "silence_detection.user_timeout_minutes"],
        Text("Minutes a question waits on a terminal", "问题在终端上等待回答的分钟数")),
    key("ending.exit_triggers", Kind::Texts, &[],
        Text("Messages that end the discussion, as the whole message", "整条消息等于其中之一时结束讨论")),
    key("ending.enable_detection", YES_OR_NO, &["conversation_end.enable_detection"],
        Text("Detect the end marker of members", "是否识别成员的结束标记")),
    key("ending.end_marker", Kind::Marker, &["conversation_end.end_marker"],
        Text("Marker at the end of a member's last line that proposes to end the discussion", "成员在末尾提议结束时所用的标记")),
    key("ending.require_confirmation", YES_OR_NO, &["conversation_end.require_confirmation"],
        Text("Ask you before a proposal ends the run", "提议结束时是否先询问您")),
    key("ending.auto_end", YES_OR_NO, &["conversation_end.auto_end"],
        Text("Let a proposal end the run without asking", "提议结束时是否无需询问即可结束")),
    key("similarity.provider", Kind::Text, &[],
        Text("Provider of the embeddings model that measures similarity; default: texts are compared without a model", "用于衡量相似度的向量模型的服务商；默认不使用模型")),
    key("similarity.model", Kind::Text, &[],
        Text("Its embeddings model", "所用的向量模型")),
    key("similarity.threshold", Kind::Ratio, &["similarity_threshold", "consensus.threshold", "consensus.similarity_threshold"],
        Text("Similarity (0 to 1) at which rounds count as repeating; default: depends on the measure", "各轮内容视为相同的相似度（不超过 1）；默认取决于度量方式")),
    key("similarity.silence_threshold", Kind::Ratio, &["content_similarity", "content_similarity_threshold", "silence.content_similarity", "silence_detection.content_similarity_threshold"],
        Text("Similarity (0 to 1) at which members count as repeating themselves; default: depends on the measure", "视为自我重复的相似度（不超过 1）；默认取决于度量方式")),
    key("similarity.duplicate_threshold", Kind::Ratio, &[],
        Text("Similarity (0 to 1) at which two issues count as one; default: depends on the measure", "两个议题视为同一议题的相似度（不超过 1）；默认取决于度量方式")),
    key("similarity.agreement_words", Kind::Texts, &[],
        Text("Words of agreement besides the built-in ones", "除内置词外表示同意的词")),
    key("similarity.disagreement_words", Kind::Texts, &[],
        Text("Words of disagreement besides the built-in ones", "除内置词外表示反对的词")),
    by_flag("base_url", Kind::Url, &[],
        Text("Address of the provider's API, by flag or variable only", "服务商接口地址，仅限命令行选项或环境变量")),
    by_flag("command", Kind::Text, &[],
        Text("Program that answers the calls, by flag or variable only", "应答调用的程序，仅限命令行选项或环境变量")),
    by_flag("fixtures", Kind::Text, &[],
        Text("Folder of recorded answers for `scripted`, by flag or variable only", "`scripted` 所用的已录制回答的目录，仅限命令行选项或环境变量")),
];

/// Keys allowed under `providers.<name>` in the user's file.
#[rustfmt::skip]
pub const PROVIDER_KEYS: &[Key] = &[
    key("base_url", Kind::Url, &["url", "api_base", "endpoint"],
        Text("Address of its API", "其接口地址")),
    key("api_key_env", Kind::Variable, &["key_env"],
        Text("Variable that holds its key", "存放其密钥的环境变量名")),
    key("dialect", DIALECTS, &[],
        Text("Wire format, if the name does not imply it", "名称不能说明时的接口格式")),
    key("model", Kind::Text, &["default_model"],
        Text("Model used when none is named", "未指定时使用的模型")),
    key("timeout_ms", number(1, 3_600_000), &["call_timeout_ms"],
        Text("Milliseconds one call may take", "单次调用的最长毫秒数")),
    key("idle_timeout_ms", number(1, 3_600_000), &[],
        Text("Milliseconds without a byte after which a call has failed", "多少毫秒没有收到数据即视为调用失败")),
    key("connect_timeout_ms", number(1, 600_000), &[],
        Text("Milliseconds a connection may take", "建立连接的最长毫秒数")),
    key("max_concurrent", number(1, 32), &["concurrency"],
        Text("Maximum number of concurrent calls to it", "对它同时进行的最多调用数")),
    key("requests_per_minute", number(1, 1_000_000), &["rpm"],
        Text("Maximum number of requests to it per minute", "每分钟对它的最多请求数")),
    key("tokens_per_minute", number(1, 1_000_000_000), &["tpm"],
        Text("Maximum number of tokens sent to and requested from it per minute", "每分钟与它往来的最多词元数")),
    key("proxy", Kind::Proxy, &[],
        Text("Proxy for connections to it", "访问它所经的代理")),
    key("may_agree", YES_OR_NO, &[],
        Text("Whether a plan may end as agreed; `false` for a model known to be too small", "规划能否以达成一致结束；已知过小的模型设为 `false`")),
    key("stream", YES_OR_NO, &["streaming"],
        Text("Stream answers; `false` fetches each as a whole. Unset: streaming is tried first, and dropped if the endpoint refuses it", "是否以流式返回回答；`false` 表示一次取回。未设置时先用流式，接口拒绝再改用一次取回")),
    key("answer_format", ANSWER_FORMATS, &["response_format"],
        Text("How answers are made to follow a schema. Unset: the strictest way is tried first, and relaxed if the endpoint refuses it", "约束回答格式的方式。未设置时从最严格的开始试，接口拒绝再放宽")),
    key("system_role", YES_OR_NO, &[],
        Text("Send a system message; `false` puts its text before the first user message. Unset: it is sent, until the endpoint refuses it", "是否支持系统消息；`false` 表示把内容并入第一条用户消息。未设置时先发送系统消息，接口拒绝再改")),
    key("reads_workspace", YES_OR_NO, &[],
        Text("Let a coding agent read the workspace by itself. Unset: asked on a terminal, only noted elsewhere", "作为编程智能体，是否可以自行读取工作区；未设置时在终端上询问，在其他情况下只作说明")),
    key("ca_file", Kind::Path, &["ca_bundle"],
        Text("File with certificates to trust in addition to the system's", "除系统证书外还要信任的证书文件")),
    key("fixtures", Kind::Text, &["folder"],
        Text("Folder of recorded answers", "已录制回答的目录")),
    key("command", Kind::Program, &["argv"],
        Text("Program that answers the calls, with its arguments", "应答调用的程序及其参数")),
];

/// Keys allowed under `providers.<name>.prices.<model>`, in dollars per million tokens.
#[rustfmt::skip]
pub const PRICE_KEYS: &[Key] = &[
    key("input", Kind::Usd, &["prompt"],
        Text("Price of input tokens", "输入词元的价格")),
    key("cached_input", Kind::Usd, &["cached", "cache_read"],
        Text("Price of cached input tokens; default: as other input", "命中缓存的输入词元的价格；默认与其余相同")),
    key("output", Kind::Usd, &["completion"],
        Text("Price of output tokens", "输出词元的价格")),
];

/// Descriptions of mappings with names chosen by the user.
#[rustfmt::skip]
const MAPPINGS: &[(&str, Text)] = &[
    ("providers", Text("How providers are reached; not allowed in a project's file", "各服务商的访问方式；不得写入项目文件")),
    ("providers.prices", Text("What its models cost, in dollars per million tokens", "各模型的价格，单位为美元/百万词元")),
    ("profiles", Text("Named groups of settings; `--profile NAME` applies them over the rest of the file", "具名的设置组；`--profile NAME` 将其叠加在本文件其余设置之上")),
];

/// One line about a key; `None` if there is none. `providers.<name>.model` is looked up as
/// `providers.model`.
pub fn about(key: &str, lang: Lang) -> Option<&'static str> {
    let (keys, name) = match key.strip_prefix("providers.") {
        Some(name) => match name.strip_prefix("prices.") {
            Some(name) => (PRICE_KEYS, name),
            None => (PROVIDER_KEYS, name),
        },
        None => (KEYS, key),
    };
    let own = keys.iter().find(|one| one.name == name);
    let own = own.map(|one| one.about);
    let mapping = || MAPPINGS.iter().find(|(name, _)| *name == key);
    let about = own.or_else(|| mapping().map(|(_, about)| *about));
    about.map(|about| about.of(lang))
}

/// Top-level keys that a project's file must not contain, whatever their effect.
pub(super) const FORBIDDEN: &[&str] = &[
    "providers",
    "base_url",
    "api_base",
    "url",
    "endpoint",
    "host",
    "headers",
    "header",
    "proxy",
    "http_proxy",
    "https_proxy",
    "api_key",
    "api_key_env",
    "key_env",
    "key",
    "token",
    "command",
    "trials",
];

/// Keys that would contain a secret: refused in every file.
pub(super) const SECRETS: &[&str] = &["api_key", "apikey", "key", "token", "secret", "password"];
