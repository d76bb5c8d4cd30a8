//! The few lines that stand where no model could be asked, in both languages.

use super::motion::Plain;
use crate::lang::Lang;
use crate::machine::phase::PhaseId;
use crate::reply::{Decision, Ruling};

/// An opening without the coach: what is to be decided.
pub(super) fn opening(topic: &str, lang: Lang) -> String {
    match lang {
        Lang::En => format!("No opening could be had from the model. The question is: {topic}"),
        Lang::Zh => format!("未能从模型得到开场发言。要回答的问题是：{topic}"),
    }
}

/// The opening of a debate that is left out.
pub(super) fn passed_over(topic: &str, lang: Lang) -> String {
    match lang {
        Lang::En => format!("This debate is left out. The question was: {topic}"),
        Lang::Zh => format!("跳过这场辩论。原本要回答的问题是：{topic}"),
    }
}

/// A summary without the coach.
pub(super) fn summary(lang: Lang) -> String {
    match lang {
        Lang::En => "No summary could be had from the model; the arguments stand as they are.",
        Lang::Zh => "未能从模型得到小结；各方论点以原文为准。",
    }
    .to_owned()
}

/// A ruling without the coach: the question is left open, and why.
pub(super) fn ruling(why: Plain, topic: &str, lang: Lang) -> Ruling {
    let rationale = match (why, lang) {
        (Plain::Skipped, Lang::En) => "The debate was left out.",
        (Plain::Skipped, Lang::Zh) => "这场辩论被跳过。",
        (Plain::NoReply, Lang::En) => {
            "No usable ruling could be had from the model; this line stands in its place."
        }
        (Plain::NoReply, Lang::Zh) => "未能从模型得到可用的裁决，以本句代替。",
        (Plain::Ended, Lang::En) => "The discussion ended before the coach could rule.",
        (Plain::Ended, Lang::Zh) => "主持人尚未裁决，讨论已经结束。",
    };
    let conclusion = match (why, lang) {
        (_, Lang::En) => format!("The question stays open: {topic}"),
        (_, Lang::Zh) => format!("问题仍未解决：{topic}"),
    };
    Ruling {
        decision: Decision::Shelve,
        rationale: rationale.to_owned(),
        conclusion,
    }
}

/// The topic of a review of the first issue list, or of a team's phases.
pub(super) fn review(lang: Lang, of_phases: bool) -> &'static str {
    match lang {
        Lang::En if of_phases => {
            "Review before the work begins: are these the right phases, is one missing or too many, and does each come after what it needs?"
        }
        Lang::Zh if of_phases => {
            "动工前的方案评审：阶段划分是否恰当，有无遗漏或多余，是否都排在所需结果之后？"
        }
        Lang::En => {
            "Review before round 1: are these the right issues, is one missing or too many, and which decides the others?"
        }
        Lang::Zh => "首轮前的方案评审：这些议题是否恰当，有无遗漏或多余，哪一个决定其余各项？",
    }
}

/// The question of a divergence that no model worded.
pub(super) fn question(title: &str, lang: Lang) -> String {
    match lang {
        Lang::En => format!("Which text goes into the plan for “{title}”?"),
        Lang::Zh => format!("“{title}”应当以哪一种表述写入计划？"),
    }
}

/// The question of a debate about what a phase brought.
pub(super) fn disputed(id: &PhaseId, task: &str, lang: Lang) -> String {
    match lang {
        Lang::En => format!("Can others build on the result of {id} as it stands: {task}?"),
        Lang::Zh => format!("{id}（{task}）的结果能否照此采用？"),
    }
}
