//! What each key is for, in both languages, and what holds when nobody sets it.

use super::Value;
use super::resolve::HEARTBEAT_MS;
use crate::machine::{EndingRules, Lang, Limits};

/// One line on a key: English, Chinese.
type About = (&'static str, &'static str, &'static str);

#[rustfmt::skip]
const ABOUT: &[About] = &[
    ("language", "Language of messages; else that of the locale", "界面语言；默认取系统区域设置"),
    ("doc_lang", "Language of documents; else that of the requirement", "文档语言；默认与需求一致"),
    ("profile", "Profile whose settings are laid over the rest of its file", "叠加在同一文件其余设置之上的配置方案"),
    ("heartbeat_ms", "Milliseconds of silence after which a line says that a run goes on, where nothing is drawn", "不绘制进度时，静默多少毫秒后打印一行以示仍在运行"),
    ("questions", "What happens to questions for the human; else `ask` on a terminal and `pause` elsewhere", "如何处理要问人的问题；默认在终端上为 `ask`，否则为 `pause`"),
    ("first_round", "First round one after the other, or side by side", "首轮依次发言，或并行发言"),
    ("order", "Same speaking order in every round, or each round starting one member further on", "每轮发言顺序固定，或逐轮轮换首位"),
    ("roles", "Who takes part, by name or code; else everybody", "参与的角色（名称或代号）；默认全部"),
    ("provider", "Who answers the calls; else what is found", "由谁应答调用；默认自动查找"),
    ("model", "Model of everybody who has none of their own", "未单独指定模型的成员所用的模型"),
    ("role_models", "Model by role, `model` or `provider:model`", "按角色指定模型，写作 `model` 或 `provider:model`"),
    ("role_temperatures", "Temperature by role, before that of all", "按角色指定温度，优先于全体的设置"),
    ("seed", "Sampling seed of all models, where the provider takes one", "所有模型的采样种子（服务商支持时）"),
    ("temperature", "How freely models choose their words, where the provider takes it; else its own", "模型用词的自由程度（服务商支持时）；默认由服务商决定"),
    ("knowledge", "Folders with texts to search", "供检索的资料目录"),
    ("limits.max_rounds", "Most rounds of discussion", "讨论的最多轮数"),
    ("limits.warn_at_rounds", "Round at which the coming limit is told", "从第几轮起提示即将到达上限"),
    ("limits.max_duration_minutes", "Most active minutes of discussion", "讨论的最长有效分钟数"),
    ("limits.warn_at_minutes", "Active minutes at which the coming limit is told", "从第几分钟起提示即将到达上限"),
    ("limits.max_tokens", "Most tokens of a whole run; else no limit", "整次运行的词元上限；默认不限"),
    ("limits.budget_usd", "Most dollars of a whole run; needs the price of every model", "整次运行的美元上限；需要每个模型的价格"),
    ("limits.concurrency", "Most calls side by side", "同时进行的最多调用数"),
    ("limits.max_output_tokens", "Largest answer asked for, in tokens", "单次回答的词元上限"),
    ("limits.max_failures", "Failed tries of one call before the run stops", "单次调用失败多少次后停止运行"),
    ("limits.max_follow_ups", "Most follow-up questions of one clarification", "一次澄清的最多追问次数"),
    ("limits.retry_base_ms", "Milliseconds of the first wait between tries of a call", "单次调用首次重试前等待的毫秒数"),
    ("limits.retry_cap_ms", "Most milliseconds between tries of a call", "单次调用重试之间最长等待的毫秒数"),
    ("ending.auto_exit_enabled", "Do limits and detectors end a run by themselves, where somebody watches", "有人在场时，上限与检测是否自行结束研讨"),
    ("ending.consensus_enabled", "Is it looked for whether rounds say the same", "是否检测各轮内容趋同"),
    ("ending.lookback_rounds", "Rounds that must say the same", "需要连续多少轮内容相同"),
    ("ending.convergence_indicator", "Words of agreement besides the built-in ones", "除内置词外表示一致的词"),
    ("ending.silence_enabled", "Is it looked for whether members repeat themselves", "是否检测成员重复自己"),
    ("ending.consecutive_similar_rounds", "Rounds in which members must repeat themselves", "成员需要连续多少轮重复自己"),
    ("ending.user_timeout_minutes", "Minutes a question waits on a terminal", "问题在终端上等待回答的分钟数"),
    ("ending.exit_triggers", "Messages that end the discussion, as the whole message", "整条消息等于其中之一时结束讨论"),
    ("ending.enable_detection", "Is a member's end marker looked for", "是否识别成员的结束标记"),
    ("ending.end_marker", "What a member ends its last line with to propose the end", "成员在末尾提议结束时所用的标记"),
    ("ending.require_confirmation", "Is the human asked before a proposal ends the run", "提议结束前是否先询问用户"),
    ("ending.auto_end", "Does a proposal end the run without being asked about", "提议是否无需询问即可结束"),
    ("limits.max_debates", "Most debates of a run", "一次运行最多辩论几场"),
    ("limits.debate_rounds", "Most rounds of a debate", "一场辩论最多几轮"),
    ("divergence", "Are divergences looked for after every round", "是否在每轮之后检测分歧"),
    ("review_debate", "Is the issue list debated before round 1", "首轮之前是否先就议题清单辩论"),
    ("similarity.provider", "Provider of the embeddings model that measures similarity; else texts are compared without one", "用于衡量相似度的嵌入模型服务商；默认不使用模型"),
    ("similarity.model", "Its embeddings model", "其嵌入模型"),
    ("similarity.threshold", "Likeness of rounds, up to 1, that counts as saying the same; else that of the measure", "各轮内容视为相同的相似度（不超过 1）；默认取决于度量方式"),
    ("similarity.silence_threshold", "Likeness, up to 1, that counts as repeating oneself; else that of the measure", "视为自我重复的相似度（不超过 1）；默认取决于度量方式"),
    ("similarity.duplicate_threshold", "Likeness, up to 1, of two issues that are taken for one; else that of the measure", "两个议题视为同一议题的相似度（不超过 1）；默认取决于度量方式"),
    ("similarity.agreement_words", "Words of agreement besides the built-in ones", "除内置词外表示同意的词"),
    ("similarity.disagreement_words", "Words of disagreement besides the built-in ones", "除内置词外表示反对的词"),
    ("command", "Program that answers the calls, by flag or variable only", "应答调用的程序，仅限参数或环境变量"),
    ("providers.command", "Program that answers the calls, with its arguments", "应答调用的程序及其参数"),
    ("base_url", "Address of the provider's API, by flag or variable only", "服务商接口地址，仅限参数或环境变量"),
    ("fixtures", "Folder of recorded answers for `scripted`, by flag or variable only", "`scripted` 所用的应答记录目录，仅限参数或环境变量"),
    ("providers", "How providers are reached; never in a project's file", "各服务商的访问方式；不得写入项目文件"),
    ("providers.base_url", "Address of its API", "其接口地址"),
    ("providers.api_key_env", "Variable that holds its key", "存放其密钥的环境变量名"),
    ("providers.dialect", "Wire format, when the name does not say it", "名称不能说明时的接口格式"),
    ("providers.model", "Model used when none is named", "未指定时使用的模型"),
    ("providers.timeout_ms", "Milliseconds one call may take", "单次调用的最长毫秒数"),
    ("providers.idle_timeout_ms", "Milliseconds without a byte after which a call has failed", "多少毫秒没有收到数据即视为调用失败"),
    ("providers.connect_timeout_ms", "Milliseconds a connection may take", "建立连接的最长毫秒数"),
    ("providers.max_concurrent", "Most calls to it side by side", "对它同时进行的最多调用数"),
    ("providers.requests_per_minute", "Most requests to it in a minute", "每分钟对它的最多请求数"),
    ("providers.tokens_per_minute", "Most tokens sent to and asked of it in a minute", "每分钟与它往来的最多词元数"),
    ("providers.proxy", "Proxy on the way to it", "访问它所经的代理"),
    ("providers.may_agree", "May a plan end as agreed? `false` for a model known to be too small", "规划能否以达成一致结束；已知过小的模型设为 `false`"),
    ("providers.ca_file", "File with certificates to trust besides the machine's", "除系统证书外还要信任的证书文件"),
    ("providers.prices", "What its models cost, in dollars per million tokens", "各模型的价格，单位为美元每百万词元"),
    ("providers.prices.input", "Price of tokens sent", "输入词元的价格"),
    ("providers.prices.cached_input", "Price of tokens sent that it had cached; else as the others", "命中缓存的输入词元的价格；默认与其余相同"),
    ("providers.prices.output", "Price of tokens written", "输出词元的价格"),
    ("providers.fixtures", "Folder of recorded answers", "应答记录目录"),
    ("profiles", "Settings by name; `--profile NAME` lays them over the rest of the file", "具名的设置组；`--profile NAME` 将其叠加在本文件其余设置之上"),
];

/// One line on a key; `providers.<name>.model` is asked for as `providers.model`.
/// None for a key that has no line.
pub fn about(key: &str, lang: Lang) -> Option<&'static str> {
    let (_, en, zh) = ABOUT.iter().find(|(name, ..)| *name == key)?;
    Some(match lang {
        Lang::En => en,
        Lang::Zh => zh,
    })
}

/// What holds when nobody sets a key; none where that depends on terminal,
/// locale, requirement or what is found, and where nothing holds.
pub fn built_in(key: &str) -> Option<Value> {
    let limits = Limits::default();
    let number = |n: u64| Some(Value::Number(n));
    let text = |word: &str| Some(Value::Text(word.to_owned()));
    let ending = EndingRules::default();
    let yes = |on: bool| Some(Value::Text(on.to_string()));
    match key {
        "limits.max_debates" => number(limits.debates.max.into()),
        "limits.debate_rounds" => number(limits.debates.rounds.into()),
        "divergence" => Some(Value::Text(on_off(limits.debates.divergence).to_owned())),
        "review_debate" => Some(Value::Text(on_off(limits.debates.review).to_owned())),
        "ending.auto_exit_enabled" => yes(ending.auto_exit_enabled),
        "ending.consensus_enabled" => yes(ending.consensus_enabled),
        "ending.lookback_rounds" => number(ending.lookback_rounds.into()),
        "ending.silence_enabled" => yes(ending.silence_enabled),
        "ending.consecutive_similar_rounds" => number(ending.consecutive_similar_rounds.into()),
        "ending.user_timeout_minutes" => number(ending.user_timeout_minutes.into()),
        "ending.exit_triggers" => Some(Value::Texts(ending.exit_triggers)),
        "ending.enable_detection" => yes(ending.marker.enable_detection),
        "ending.end_marker" => Some(Value::Text(ending.marker.end_marker)),
        "ending.require_confirmation" => yes(ending.marker.require_confirmation),
        "ending.auto_end" => yes(ending.marker.auto_end),
        "heartbeat_ms" => number(HEARTBEAT_MS),
        "first_round" => text("sequential"),
        "order" => text("fixed"),
        "limits.max_rounds" => number(limits.max_rounds.into()),
        "limits.warn_at_rounds" => number(limits.warn_at_rounds.into()),
        "limits.max_duration_minutes" => number(limits.max_duration_minutes.into()),
        "limits.warn_at_minutes" => number(limits.warn_at_minutes.into()),
        "limits.concurrency" => number(limits.concurrency as u64),
        "limits.max_output_tokens" => number(limits.max_output_tokens),
        "limits.max_failures" => number(limits.max_failures.into()),
        "limits.retry_base_ms" => number(500),
        "limits.retry_cap_ms" => number(30_000),
        "limits.max_follow_ups" => number(limits.max_follow_ups.into()),
        _ => None,
    }
}

fn on_off(on: bool) -> &'static str {
    if on { "on" } else { "off" }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{KEYS, PROVIDER_KEYS};

    #[test]
    fn every_key_has_its_line() {
        let own = KEYS.iter().map(|key| key.name.to_owned());
        let under = PROVIDER_KEYS
            .iter()
            .map(|key| format!("providers.{}", key.name));
        for name in own
            .chain(under)
            .chain(["profiles".into(), "providers".into()])
        {
            for lang in [Lang::En, Lang::Zh] {
                assert!(about(&name, lang).is_some(), "{name}");
            }
        }
    }

    /// A value said to be built in is one its key takes, and the one that holds.
    #[test]
    fn built_in_values_are_those_that_hold() {
        for key in KEYS {
            if let Some(value) = built_in(key.name) {
                assert_eq!(key.kind.read(&value.to_string()), Ok(value), "{}", key.name);
            }
        }
        let limits = Limits::default();
        assert_eq!(
            built_in("limits.max_rounds"),
            Some(Value::Number(limits.max_rounds.into()))
        );
        assert_eq!(built_in("limits.max_tokens"), None);
    }
}
