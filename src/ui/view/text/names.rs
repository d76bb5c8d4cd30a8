//! What values of the record are called: guards, signs, sources, documents.

use super::{one_of, say, words};
use crate::machine::similarity::Score;
use crate::machine::{AnswerSource, DecidedBy, FailureKind, Idle, Lang, Rule, Sign, StopReason};
use crate::reply::{Decision, Stance};
use crate::ui::view::Style;

/// Why the discussion ended, in a few words.
pub(in crate::ui::view) fn guard(reason: StopReason, lang: Lang) -> &'static str {
    match reason {
        StopReason::Consensus => one_of(lang, "agreement", "达成一致"),
        StopReason::RoundLimit => one_of(lang, "round limit", "轮次上限"),
        StopReason::TimeLimit => one_of(lang, "time limit", "时间上限"),
        StopReason::Budget => one_of(lang, "token limit", "词元上限"),
        StopReason::Proposal => one_of(lang, "proposal to end", "结束提议"),
        StopReason::Incomplete => one_of(lang, "phases without a result", "有阶段没有结果"),
        StopReason::SmallModel => one_of(lang, "a model that may not agree", "模型不足以认定一致"),
        StopReason::Similarity => one_of(lang, "repetition", "观点重复"),
        StopReason::Silence => one_of(lang, "silence", "静默"),
        StopReason::Review => one_of(lang, "review", "评审"),
        StopReason::User => one_of(lang, "your decision", "您的决定"),
    }
}

/// The human's decision to leave the end to the members, in a few words.
pub(in crate::ui::view) fn by_vote(lang: Lang) -> &'static str {
    one_of(lang, "vote of the members", "成员表决")
}

/// What a detector found, in a few words.
pub(in crate::ui::view) fn sign(sign: Sign, lang: Lang) -> &'static str {
    match sign {
        Sign::Repetition => one_of(lang, "repetition", "观点重复"),
        Sign::Convergence => one_of(lang, "agreement in words alone", "仅用词趋同"),
        Sign::Standstill => one_of(lang, "nothing new", "没有新内容"),
        Sign::Unanswered => one_of(lang, "no answer from you", "等待您的回答超时"),
        Sign::NudgesUsedUp => one_of(lang, "empty turns", "成员无话可说"),
    }
}

/// What a detector found and the figures it saw, as part of a sentence.
pub(in crate::ui::view) fn found(sign: Sign, value: u64, limit: u64, style: &Style) -> String {
    let words = words(style.lang);
    let template = match sign {
        Sign::Repetition => words.repetition,
        Sign::Convergence => words.convergence,
        Sign::Standstill => words.standstill,
        Sign::Unanswered => words.unanswered,
        Sign::NudgesUsedUp => words.nudges_used_up,
    };
    let shown = |figure: u64| match sign {
        Sign::Repetition => Score::from_ratio(figure as f64 / 1000.0).to_string(),
        _ => figure.to_string(),
    };
    let values = [("value", &*shown(value)), ("limit", &shown(limit))];
    say(style, template, &values)
}

/// The budget of money, in a few words.
pub(in crate::ui::view) fn money_guard(lang: Lang) -> &'static str {
    one_of(lang, "budget", "费用上限")
}

/// Who decided about an end, in a few words.
pub(in crate::ui::view) fn decided_by(by: DecidedBy, lang: Lang) -> &'static str {
    match by {
        DecidedBy::Terminal => one_of(lang, "you", "您"),
        DecidedBy::Message => one_of(lang, "your message", "您的消息"),
        DecidedBy::Unattended => one_of(lang, "nobody watches", "无人值守"),
        DecidedBy::Settings => one_of(lang, "settings", "设置"),
        DecidedBy::Overtaken => one_of(lang, "nobody", "无人"),
    }
}

/// What made a nudge due, in a few words.
pub(in crate::ui::view) fn idle(why: Idle, lang: Lang) -> &'static str {
    match why {
        Idle::EmptyReply => one_of(lang, "empty reply", "回复为空"),
        Idle::NoOpenIssue => one_of(lang, "no open issue addressed", "未涉及任何未决议题"),
        Idle::EndProposed => one_of(lang, "end proposed too early", "过早建议结束"),
    }
}

/// What a ruling does with its question, in a word.
pub(in crate::ui::view) fn decision(decision: Decision, lang: Lang) -> &'static str {
    match decision {
        Decision::Adopt => one_of(lang, "adopted", "采纳"),
        Decision::Compromise => one_of(lang, "compromise", "折中"),
        Decision::Shelve => one_of(lang, "shelved", "搁置"),
    }
}

/// Where somebody stands on an issue, in a few words.
pub(in crate::ui::view) fn stance(stance: Stance, lang: Lang) -> &'static str {
    match stance {
        Stance::Agree => one_of(lang, "agrees", "赞成"),
        Stance::Object => one_of(lang, "objects", "反对"),
        Stance::Refine => one_of(lang, "agrees with other words", "赞成并修改"),
        Stance::Abstain => one_of(lang, "abstains", "弃权"),
    }
}

/// A rule that was broken, in a few words.
pub(in crate::ui::view) fn rule(rule: Rule, lang: Lang) -> &'static str {
    match rule {
        Rule::Forgotten => one_of(lang, "issue not spoken of", "遗漏议题"),
        Rule::Invented => one_of(lang, "issue nobody raised", "无人提出的议题"),
        Rule::NoReason => one_of(lang, "no reason given", "未给理由"),
        Rule::ObjectionStands => one_of(lang, "an objection stands", "仍有反对意见"),
        Rule::SupportStands => one_of(lang, "a text on it has support", "已有得到支持的文本"),
        Rule::NothingLeft => one_of(lang, "nothing is agreed yet", "尚无任何一致意见"),
        Rule::NotProposed => one_of(lang, "nobody proposed it", "无人提议"),
        Rule::NoSupport => one_of(lang, "nobody supports it", "无人支持"),
        Rule::Unheard => one_of(
            lang,
            "who objected has not answered it",
            "反对过的人尚未回应",
        ),
        Rule::Rival => one_of(lang, "another text stands beside it", "另有文本与之并立"),
        Rule::BlockingDeferred => one_of(lang, "a blocking issue cannot wait", "阻塞议题不可推迟"),
        Rule::BadTarget => one_of(lang, "leads nowhere", "目标无效"),
        Rule::ListGrew => one_of(lang, "the list would grow for ever", "列表无限增长"),
        Rule::TooLong => one_of(lang, "too long to be kept whole", "过长，未能全部保留"),
        Rule::Repeated => one_of(lang, "said twice", "重复"),
        Rule::Stalled => one_of(lang, "a stall", "讨论停滞"),
        Rule::UnknownId => one_of(lang, "unknown id", "未知编号"),
        Rule::NoDivergence => one_of(lang, "nothing to debate", "不足以辩论"),
    }
}

/// Where an answer came from, in a few words.
pub(in crate::ui::view) fn source(source: AnswerSource, lang: Lang) -> &'static str {
    match source {
        AnswerSource::Terminal => one_of(lang, "typed", "终端输入"),
        AnswerSource::QuestionsFile => "questions.md",
        AnswerSource::Command => "aitc answer",
        AnswerSource::AnswersFile => "--answers",
        AnswerSource::Feedback => "aitc revise",
        AnswerSource::Recommended => one_of(lang, "recommended answer taken", "采用建议答案"),
        AnswerSource::Declined => one_of(lang, "declined, assumed", "未回答，作为假设"),
        AnswerSource::Repository => one_of(lang, "looked up", "查阅所得"),
        AnswerSource::Discussion => one_of(lang, "from what was said", "据已有讨论"),
        AnswerSource::Assumed => one_of(lang, "assumed, nobody was asked", "假设，未询问"),
    }
}

/// Why a call failed, in a few words.
pub(in crate::ui::view) fn failure(kind: FailureKind, lang: Lang) -> &'static str {
    match kind {
        FailureKind::Network => one_of(lang, "network", "网络"),
        FailureKind::Timeout => one_of(lang, "timeout", "超时"),
        FailureKind::RateLimited => one_of(lang, "rate limited", "限流"),
        FailureKind::Server => one_of(lang, "server error", "服务端错误"),
        FailureKind::Credentials => one_of(lang, "credentials", "凭据"),
        FailureKind::Refused => one_of(lang, "refused", "被拒绝"),
        FailureKind::Protocol => one_of(lang, "protocol", "协议"),
        FailureKind::TooLarge => one_of(lang, "too large", "过大"),
    }
}
