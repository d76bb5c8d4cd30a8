//! The few sentences of documents that no model wrote, in both languages.

use crate::machine::Lang;

/// Sentences; `{}` is filled in from left to right.
pub(super) struct Phrases {
    pub in_short: &'static str,
    pub no_proposal: &'static str,
    pub stays_open: &'static str,
    pub unresolved: &'static str,
    pub no_reason: &'static str,
    pub given: &'static str,
    pub when: &'static str,
    pub architecture: &'static str,
    pub whole: &'static str,
    pub whole_purpose: &'static str,
    pub not_carried: &'static str,
    pub feasibility: &'static str,
    pub work: &'static str,
    pub strategy: &'static str,
    pub test: &'static str,
    pub risk: &'static str,
    pub mitigation: &'static str,
    pub early_sign: &'static str,
}

impl Phrases {
    pub fn of(lang: Lang) -> &'static Self {
        match lang {
            Lang::En => &EN,
            Lang::Zh => &ZH,
        }
    }
}

/// Fills in `{}` from left to right.
pub(super) fn fill(phrase: &str, values: &[&str]) -> String {
    let mut parts = phrase.split("{}");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for (i, part) in parts.enumerate() {
        out.push_str(values.get(i).copied().unwrap_or_default());
        out.push_str(part);
    }
    out
}

static EN: Phrases = Phrases {
    in_short: "Agreed items: {}. Issues: {}, of which {} are still open. This page was written \
               from the ledger, because the budget left no call for the coach.",
    no_proposal: "Nobody has a proposal that stands.",
    stays_open: "It stays open, and the work that depends on it cannot begin.",
    unresolved: " Not resolved: {}.",
    no_reason: "No reason is on record.",
    given: "The plan is carried out.",
    when: "One looks at: {}.",
    architecture: "No design was written: the budget was gone. The decisions below are what \
                   the members agreed on, word for word.",
    whole: "The whole change",
    whole_purpose: "Not divided into modules, because no design was written.",
    not_carried: "Proposed by {}, not carried.",
    feasibility: "Not assessed: the budget was gone. Each criterion is one step; sizes are \
                  not estimated, M stands for all.",
    work: "Done when {} holds.",
    strategy: "One end-to-end check for each criterion; no strategy was written, because the \
               budget was gone.",
    test: "{} holds",
    risk: "{} is not decided: {}",
    mitigation: "Decide {} before the work that depends on it begins.",
    early_sign: "Two people build on different answers.",
};

static ZH: Phrases = Phrases {
    in_short: "已同意 {} 条内容，涉及议题共 {} 个，仍有 {} 个议题未决。预算已用尽，无法请主持人撰写，本页由议题台账生成。",
    no_proposal: "目前没有站得住的提案。",
    stays_open: "该议题保持未决，依赖它的工作无法开始。",
    unresolved: " 尚未解决：{}。",
    no_reason: "没有记录理由。",
    given: "计划已经实施。",
    when: "检视：{}。",
    architecture: "预算已用尽，没有撰写设计。以下决定是成员逐字同意的内容。",
    whole: "整体改动",
    whole_purpose: "没有撰写设计，因此未划分模块。",
    not_carried: "由 {} 提出，未获采纳。",
    feasibility: "预算已用尽，未作评估。每条验收标准为一步；规模未估算，一律记为 M。",
    work: "{} 成立即为完成。",
    strategy: "每条验收标准对应一次端到端检查；预算已用尽，没有撰写测试策略。",
    test: "{} 成立",
    risk: "{} 尚未决定：{}",
    mitigation: "在依赖它的工作开始之前先决定 {}。",
    early_sign: "两个人按不同的答案各自推进。",
};
