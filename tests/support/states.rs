//! Hand-built states: a small workshop on exporting orders, agreed, unresolved and revised.
//!
//! Everything starts from [`opening`]; ledger and draft, whose insides are
//! private, come from their JSON form.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use aitc::chat::Usage;
use aitc::reply::*;
use aitc::role::{RoleId, RoleSet, RoleSpec};
use aitc::workshop::*;
use serde_json::json;

/// One of two texts, by language.
pub fn t<'a>(lang: Lang, en: &'a str, zh: &'a str) -> &'a str {
    match lang {
        Lang::En => en,
        Lang::Zh => zh,
    }
}

/// The project's own templates of one language, by key.
pub fn templates(lang: Lang) -> BTreeMap<String, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("templates")
        .join(lang.code());
    walkdir::WalkDir::new(&root)
        .into_iter()
        .map(Result::unwrap)
        .filter(|entry| entry.file_type().is_file())
        .map(|entry| {
            let key = entry.path().strip_prefix(&root).unwrap();
            let key = key.to_str().unwrap().replace('\\', "/");
            (
                key,
                std::fs::read_to_string(entry.path())
                    .unwrap()
                    .replace("\r\n", "\n"),
            )
        })
        .collect()
}

fn role(id: &str, code: &str, order: u32, document: Option<DocumentKind>) -> RoleSpec {
    RoleSpec {
        id: RoleId::from(id),
        code: code.to_owned(),
        order,
        document,
        shadow: false,
        summary: format!("{id} of the sample"),
        thinking_style: None,
        speaking_style: None,
        tools: Vec::new(),
        persona: format!("You are {id}."),
        source: "built-in".to_owned(),
    }
}

/// Coach and the five planning roles.
pub fn roles() -> RoleSet {
    RoleSet {
        coach: role("Coach", "Coach", 0, None),
        members: vec![
            role("ProductPlanner", "PP", 1, Some(DocumentKind::ProductPlan)),
            role("SystemDesigner", "SD", 2, Some(DocumentKind::SystemDesign)),
            role("SeniorDeveloper", "Dev", 3, Some(DocumentKind::DevPlan)),
            role("TestPlanner", "TP", 4, Some(DocumentKind::TestPlan)),
            role("RiskPlanner", "RP", 5, Some(DocumentKind::RiskAssessment)),
        ],
    }
}

/// Inputs with the project's own templates; every member is `scripted/sample`.
pub fn inputs(lang: Lang) -> Inputs {
    Inputs {
        tool: "0.1.0".to_owned(),
        version: 1,
        doc_lang: lang,
        roles: roles(),
        templates: templates(lang),
        template_sources: BTreeMap::new(),
        limits: Limits::default(),
        questions: QuestionMode::Pause,
        first_round: FirstRound::Sequential,
        order: SpeakingOrder::Fixed,
        light: false,
        model: ModelChoice {
            provider: "scripted".to_owned(),
            model: "sample".to_owned(),
            temperature: None,
            seed: None,
        },
        role_models: BTreeMap::new(),
        commit: None,
    }
}

/// A run of which only the requirement is there.
pub fn opening(lang: Lang) -> State {
    State {
        run_id: "0190b5c0-0000-7000-8000-000000000001".to_owned(),
        requirement: t(
            lang,
            "Let shop owners export their orders as CSV.",
            "让店主可以把订单导出为 CSV。",
        )
        .to_owned(),
        inputs: inputs(lang),
        previous: None,
        feedback: Vec::new(),
        survey: None,
        stage: Stage::Opening,
        round: 0,
        judgment: None,
        judgment_refused: Vec::new(),
        agenda: Vec::new(),
        speeches: Vec::new(),
        waiting_speeches: BTreeMap::new(),
        passed_over: Vec::new(),
        said: Vec::new(),
        summaries: Vec::new(),
        ledger: ledger([]),
        draft: draft([]),
        questions: Vec::new(),
        assumptions: Vec::new(),
        documents: BTreeMap::new(),
        report: None,
        report_without_model: false,
        stop: None,
        warned: BTreeSet::new(),
        calls: CallBook::default(),
        counters: Counters::default(),
        messages: BTreeSet::new(),
        resumed: 0,
        accepted_drift: Vec::new(),
        seq: 1,
        started_at: "2026-11-21T10:00:00.000Z".to_owned(),
        last_activity_at: "2026-11-21T10:05:00.000Z".to_owned(),
        active_ms: 300_000,
    }
}

/// A ledger with these issues.
pub fn ledger(issues: impl IntoIterator<Item = IssueRecord>) -> IssueLedger {
    let issues: BTreeMap<String, IssueRecord> = issues
        .into_iter()
        .map(|issue| (issue.id.to_string(), issue))
        .collect();
    serde_json::from_value(json!({ "issues": issues })).unwrap()
}

/// A draft with these lines.
pub fn draft(lines: impl IntoIterator<Item = DraftLine>) -> ConsensusDraft {
    let lines: Vec<DraftLine> = lines.into_iter().collect();
    serde_json::from_value(json!({ "lines": lines })).unwrap()
}

/// An issue without positions whose status was reached in round 1.
pub fn issue(id: u32, title: &str, severity: Severity, status: IssueStatus) -> IssueRecord {
    let history = (status != IssueStatus::Open).then(|| IssueChange {
        issue: IssueId(id),
        round: 1,
        to: status.clone(),
        reason: None,
    });
    IssueRecord {
        id: IssueId(id),
        title: title.to_owned(),
        detail: format!("{title}?"),
        severity,
        origin: Origin::Requirement,
        round: 0,
        status,
        positions: Vec::new(),
        history: history.into_iter().collect(),
    }
}

/// A position with a reason.
pub fn position(
    member: &str,
    round: u32,
    stance: Stance,
    proposal: Option<&str>,
    why: &str,
) -> PositionRecord {
    PositionRecord {
        member: RoleId::from(member),
        round,
        stance,
        proposal: proposal.map(str::to_owned),
        why: why.to_owned(),
        changed_because: None,
    }
}

/// A consensus item of round 1, proposed by `member`, supported by it and Dev.
pub fn item(id: u32, issue: u32, text: &str, member: &str, version: u32) -> ConsensusItem {
    let supporter = |name: &str| Supporter {
        member: RoleId::from(name),
        round: 1,
    };
    ConsensusItem {
        id: ConsensusId(id),
        issue: IssueId(issue),
        text: text.to_owned(),
        wording: None,
        proposed_by: RoleId::from(member),
        proposed_round: 1,
        round: 1,
        supporters: vec![supporter(member), supporter("SeniorDeveloper")],
        version,
    }
}

/// A line of the draft for an item.
pub fn agreed_line(item: ConsensusItem) -> DraftLine {
    DraftLine::Agreed { item }
}

/// A summary of a round that closed these issues by these items.
pub fn summary(round: u32, discussed: &[u32], closed: &[u32], admitted: &[u32]) -> SummaryRecord {
    let issues = |ids: &[u32]| ids.iter().map(|id| IssueId(*id)).collect::<Vec<_>>();
    SummaryRecord {
        round,
        text: format!("Round {round} is over."),
        admitted: admitted.iter().map(|id| ConsensusId(*id)).collect(),
        discussed: issues(discussed),
        left_open: Vec::new(),
        entered: Vec::new(),
        closed: issues(closed),
        reminders: Vec::new(),
        refused: Vec::new(),
        blocking_left: discussed.len() - closed.len(),
    }
}

/// A question of TestPlanner that waits for the human.
pub fn waiting_question(lang: Lang) -> Question {
    Question {
        id: QuestionId(1),
        asked_by: RoleId::from("TestPlanner"),
        round: 1,
        text: t(
            lang,
            "How many orders may one export hold?",
            "一次导出最多包含多少订单？",
        )
        .to_owned(),
        why: t(
            lang,
            "Above 50,000 rows the file must be made in the background.",
            "超过 5 万行就必须在后台生成文件。",
        )
        .to_owned(),
        blocks: Some(IssueId(2)),
        options: vec!["10000".to_owned(), "50000".to_owned()],
        recommended: "50000".to_owned(),
        status: QuestionStatus::Waiting { follow_up: None },
        dialogue: Vec::new(),
    }
}

/// The five documents as recorded; `extra` criterion AC-3 when revised.
pub fn documents(lang: Lang, extra: bool) -> BTreeMap<DocumentKind, DocumentRecord> {
    [
        Document::ProductPlan(product_plan(lang, extra)),
        Document::SystemDesign(system_design(lang)),
        Document::DevPlan(dev_plan(lang)),
        Document::TestPlan(test_plan(lang)),
        Document::RiskAssessment(risk_assessment(lang)),
    ]
    .into_iter()
    .map(|content| {
        let record = DocumentRecord {
            content,
            without_model: false,
            notes: Vec::new(),
        };
        (record.content.kind(), record)
    })
    .collect()
}

fn product_plan(lang: Lang, extra: bool) -> ProductPlan {
    let mut criteria = vec![
        Criterion {
            id: "AC-1".to_owned(),
            same_as: None,
            given: t(lang, "a shop with 3 orders", "一家有 3 个订单的店铺").to_owned(),
            when: t(lang, "its owner presses Export", "店主点击“导出”").to_owned(),
            then: t(
                lang,
                "a CSV file with 3 rows and a header is downloaded within 2 s",
                "2 秒内下载到含表头和 3 行数据的 CSV 文件",
            )
            .to_owned(),
            from: vec!["C-1".to_owned()],
        },
        Criterion {
            id: "AC-2".to_owned(),
            same_as: None,
            given: t(
                lang,
                "a member of staff without the right",
                "没有权限的店员",
            )
            .to_owned(),
            when: t(lang, "they open the export address", "打开导出地址").to_owned(),
            then: t(
                lang,
                "the answer is 403 and nothing is logged as exported",
                "返回 403，且没有导出记录",
            )
            .to_owned(),
            from: vec!["C-2".to_owned()],
        },
    ];
    if extra {
        criteria[1].then = t(
            lang,
            "the answer is 404, so that shops cannot be guessed",
            "返回 404，无法据此猜出店铺",
        )
        .to_owned();
        criteria.push(Criterion {
            id: "AC-3".to_owned(),
            same_as: None,
            given: t(
                lang,
                "a shop that sells in euro and yen",
                "同时以欧元和日元销售的店铺",
            )
            .to_owned(),
            when: t(lang, "its orders are exported", "导出订单").to_owned(),
            then: t(
                lang,
                "each amount stands beside its ISO 4217 code",
                "每个金额旁边都有 ISO 4217 货币代码",
            )
            .to_owned(),
            from: vec!["C-3".to_owned()],
        });
    }
    ProductPlan {
        understanding: t(
            lang,
            "Shop owners want their orders in a spreadsheet. Today they copy them by hand, e.g. for their tax adviser.",
            "店主希望在电子表格中查看订单。目前他们只能手工抄录，例如提供给税务顾问。",
        )
        .to_owned(),
        scope: vec![ScopeItem {
            text: t(lang, "An export button on the order list.", "订单列表上的导出按钮。").to_owned(),
            from: vec!["C-1".to_owned()],
        }],
        non_goals: vec![NonGoal {
            text: t(lang, "No Excel format.", "不提供 Excel 格式。").to_owned(),
            why: t(lang, "every spreadsheet reads CSV.", "所有电子表格软件都能读取 CSV。").to_owned(),
        }],
        criteria,
    }
}

fn system_design(lang: Lang) -> SystemDesign {
    SystemDesign {
        architecture: t(
            lang,
            "The order list asks the export service, which streams rows. Nothing is stored.",
            "订单列表调用导出服务，由它流式输出各行。不保存任何内容。",
        )
        .to_owned(),
        modules: vec![Module {
            id: "M-1".to_owned(),
            same_as: None,
            name: t(lang, "Export service", "导出服务").to_owned(),
            purpose: t(
                lang,
                "Streams the orders of one shop as CSV.",
                "以 CSV 流式输出一家店铺的订单。",
            )
            .to_owned(),
            covers: vec!["AC-1".to_owned(), "AC-2".to_owned()],
        }],
        decisions: vec![DesignDecision {
            id: "DEC-1".to_owned(),
            same_as: None,
            title: t(lang, "Where the file is made", "文件在哪里生成").to_owned(),
            choice: t(lang, "It is streamed by the server.", "由服务器流式输出。").to_owned(),
            why: t(
                lang,
                "Memory stays flat for large shops.",
                "店铺再大，内存占用也不变。",
            )
            .to_owned(),
            rejected: vec![Rejected {
                option: t(lang, "Made in the browser.", "在浏览器中生成。").to_owned(),
                why: t(
                    lang,
                    "the page only holds 50 orders.",
                    "页面只有 50 个订单。",
                )
                .to_owned(),
            }],
            from: vec!["C-1".to_owned()],
        }],
        file_impacts: vec![FileImpact {
            path: "src/orders/export.rs".to_owned(),
            change: Change::Create,
            what: t(lang, "The export service.", "导出服务。").to_owned(),
            modules: vec!["M-1".to_owned()],
        }],
        diagram:
            "flowchart LR\n  list[Order list] --> export[Export service]\n  export --> db[(Orders)]"
                .to_owned(),
    }
}

fn dev_plan(lang: Lang) -> DevPlan {
    let work = |id: &str, title: &str, size, covers: &[&str], after: &[&str]| WorkItem {
        id: id.to_owned(),
        same_as: None,
        title: title.to_owned(),
        detail: title.to_owned(),
        size,
        covers: covers.iter().map(|id| (*id).to_owned()).collect(),
        depends_on: after.iter().map(|id| (*id).to_owned()).collect(),
    };
    DevPlan {
        feasibility: t(
            lang,
            "Nothing new is needed. Quoting is the hard part.",
            "不需要新的依赖。难点在于转义。",
        )
        .to_owned(),
        work: vec![
            work(
                "W-1",
                t(lang, "Add the button", "增加按钮"),
                Size::S,
                &["AC-1"],
                &["W-2"],
            ),
            work(
                "W-2",
                t(lang, "Stream the rows", "流式输出各行"),
                Size::M,
                &["AC-1", "AC-2"],
                &[],
            ),
        ],
        technical_debt: vec![Debt {
            text: t(lang, "No background job.", "没有后台任务。").to_owned(),
            repayment: t(
                lang,
                "when a shop passes 50,000 orders.",
                "当某家店铺超过 5 万订单时。",
            )
            .to_owned(),
        }],
        order: vec!["W-2".to_owned(), "W-1".to_owned()],
        critical_path: vec!["W-2".to_owned(), "W-1".to_owned()],
    }
}

fn test_plan(lang: Lang) -> TestPlan {
    TestPlan {
        strategy: t(
            lang,
            "Quoting is proved by properties, the rest end to end.",
            "转义用性质测试证明，其余用端到端测试。",
        )
        .to_owned(),
        cases: vec![TestCase {
            id: "T-1".to_owned(),
            same_as: None,
            title: t(lang, "Three orders", "三个订单").to_owned(),
            level: TestLevel::EndToEnd,
            covers: vec!["AC-1".to_owned()],
            steps: t(lang, "Press Export.", "点击“导出”。").to_owned(),
            expected: t(lang, "A header and 3 rows.", "一行表头和 3 行数据。").to_owned(),
        }],
        coverage_targets: vec![CoverageTarget {
            area: t(lang, "quoting", "转义").to_owned(),
            target: t(lang, "every branch", "所有分支").to_owned(),
        }],
        data: vec![
            t(
                lang,
                "orders with commas, quotes and line ends",
                "含逗号、引号和换行的订单",
            )
            .to_owned(),
        ],
        environments: vec!["CI".to_owned()],
    }
}

fn risk_assessment(lang: Lang) -> RiskAssessment {
    RiskAssessment {
        risks: vec![Risk {
            id: "R-1".to_owned(),
            same_as: None,
            title: t(lang, "A cell is run as a formula", "单元格被当作公式执行").to_owned(),
            chance: Level::Medium,
            impact: Level::High,
            mitigation: t(lang, "A leading `=` is quoted.", "对开头的 `=` 进行转义。").to_owned(),
            early_sign: t(
                lang,
                "A name that begins with `=` in the test data.",
                "测试数据中出现以 `=` 开头的姓名。",
            )
            .to_owned(),
            affects: vec!["AC-1".to_owned()],
        }],
        dependencies: Vec::new(),
        assumptions: vec![PlanAssumption {
            text: t(
                lang,
                "At most 50,000 orders an export.",
                "每次导出最多 5 万个订单。",
            )
            .to_owned(),
            from: Some("A-1".to_owned()),
        }],
    }
}

fn speech(member: &str, round: u32, turn: u32, speech: Contribution) -> SpeechRecord {
    SpeechRecord {
        member: RoleId::from(member),
        round,
        turn,
        issues: (1..=speech.new_issues.len() as u32)
            .map(|n| IssueId(n + 2))
            .collect(),
        questions: (1..=speech.questions.len() as u32)
            .map(QuestionId)
            .collect(),
        speech,
        notes: Vec::new(),
    }
}

fn settled(id: u32) -> IssueStatus {
    IssueStatus::Settled {
        by: vec![ConsensusId(id)],
    }
}

/// Round 1 is over its first two speeches, and a question waits.
pub fn discussing(lang: Lang) -> State {
    let mut state = opening(lang);
    state.stage = Stage::Speaking;
    state.round = 1;
    state.agenda = vec![IssueId(1), IssueId(2)];
    state.judgment = Some(
        t(
            lang,
            "Two needs: the file, and who may have it.",
            "两项需求：文件本身，以及谁可以获取。",
        )
        .to_owned(),
    );
    state.ledger = ledger([
        issue(
            1,
            t(lang, "What the file holds", "文件的内容"),
            Severity::Blocking,
            IssueStatus::Open,
        ),
        issue(
            2,
            t(lang, "Who may export", "谁可以导出"),
            Severity::Blocking,
            IssueStatus::Open,
        ),
    ]);
    let asked = waiting_question(lang);
    state.speeches = vec![
        speech(
            "ProductPlanner",
            1,
            1,
            Contribution {
                analysis: t(
                    lang,
                    "## Why\n\nOwners need *all* orders.",
                    "## 理由\n\n店主需要*所有*订单。",
                )
                .to_owned(),
                positions: vec![Position {
                    issue: "I-1".to_owned(),
                    stance: Stance::Agree,
                    proposal: Some(t(lang, "One row an order.", "每个订单一行。").to_owned()),
                    why: t(
                        lang,
                        "It is what spreadsheets expect.",
                        "电子表格就是这样组织的。",
                    )
                    .to_owned(),
                    changed_because: None,
                }],
                ..Contribution::default()
            },
        ),
        speech(
            "TestPlanner",
            1,
            4,
            Contribution {
                analysis: t(lang, "How large can it get?", "文件可能有多大？").to_owned(),
                questions: vec![AskedQuestion {
                    question: asked.text.clone(),
                    why: asked.why.clone(),
                    blocks: Some("I-2".to_owned()),
                    options: asked.options.clone(),
                    recommended: asked.recommended.clone(),
                }],
                ..Contribution::default()
            },
        ),
    ];
    state.questions = vec![asked];
    state
}

/// Both issues settled after two rounds, one assumption, everything written.
pub fn agreed(lang: Lang) -> State {
    let mut state = discussing(lang);
    state.stage = Stage::Complete;
    state.round = 2;
    let texts = [
        t(
            lang,
            "One row an order, with a header.",
            "每个订单一行，并带表头。",
        ),
        t(
            lang,
            "Only owners and staff with the export right.",
            "仅限店主和拥有导出权限的店员。",
        ),
    ];
    let mut issues = [
        issue(
            1,
            t(lang, "What the file holds", "文件的内容"),
            Severity::Blocking,
            settled(1),
        ),
        issue(
            2,
            t(lang, "Who may export", "谁可以导出"),
            Severity::Blocking,
            settled(2),
        ),
    ];
    issues[0].positions = vec![
        position(
            "ProductPlanner",
            1,
            Stance::Agree,
            Some(texts[0]),
            t(
                lang,
                "It is what spreadsheets expect.",
                "电子表格就是这样组织的。",
            ),
        ),
        position(
            "SystemDesigner",
            1,
            Stance::Agree,
            None,
            t(lang, "It can be streamed.", "可以流式输出。"),
        ),
    ];
    issues[1].positions = vec![
        position(
            "RiskPlanner",
            1,
            Stance::Object,
            None,
            t(lang, "Orders hold addresses.", "订单含有地址。"),
        ),
        position(
            "SystemDesigner",
            2,
            Stance::Refine,
            Some(texts[1]),
            t(lang, "The right exists.", "该权限已存在。"),
        ),
        position(
            "RiskPlanner",
            2,
            Stance::Agree,
            None,
            t(lang, "That protects them.", "这样就受到保护。"),
        ),
    ];
    state.ledger = ledger(issues);
    state.draft = draft([
        agreed_line(item(1, 1, texts[0], "ProductPlanner", 1)),
        agreed_line(item(2, 2, texts[1], "SystemDesigner", 1)),
    ]);
    state.summaries = vec![
        summary(1, &[1, 2], &[1], &[1]),
        summary(2, &[2], &[2], &[2]),
    ];
    state.questions[0].status = QuestionStatus::Closed {
        source: AnswerSource::Assumed,
        answer: "50000".to_owned(),
    };
    state.assumptions = vec![Assumption {
        id: AssumptionId(1),
        question: QuestionId(1),
        text: t(
            lang,
            "At most 50,000 orders an export.",
            "每次导出最多 5 万个订单。",
        )
        .to_owned(),
        why: t(lang, "Nobody was asked.", "没有询问任何人。").to_owned(),
        round: 1,
    }];
    state.documents = documents(lang, false);
    state.report = Some(ReportWords {
        title: t(lang, "Orders as CSV", "订单导出为 CSV").to_owned(),
        in_short: t(
            lang,
            "Owners press a button and get their orders as CSV. The server streams the rows, so size hardly matters. Two steps, three days.",
            "店主点击按钮即可得到 CSV 格式的订单。服务器流式输出各行，因此大小几乎没有影响。共两步，三天。",
        )
        .to_owned(),
        decide: vec![ToDecide {
            what: t(lang, "May staff export?", "店员可以导出吗？").to_owned(),
            recommended: t(lang, "Only with the export right.", "仅限拥有导出权限者。").to_owned(),
            otherwise: t(lang, "AC-2 goes, and a privacy review is needed.", "去掉 AC-2，并需要隐私审查。").to_owned(),
            about: vec!["C-2".to_owned(), "AC-2".to_owned()],
        }],
    });
    state.stop = Some(Stop {
        reason: StopReason::Consensus,
        round: 2,
        value: 0,
        limit: 0,
    });
    count_usage(&mut state);
    state
}

fn count_usage(state: &mut State) {
    let usage = Usage {
        input: 4000,
        cached_input: 2800,
        output: 500,
        reasoning: 0,
    };
    for role in std::iter::once(&state.inputs.roles.coach).chain(&state.inputs.roles.members) {
        state.calls.by_member.insert(role.id.clone(), usage);
        state
            .calls
            .models
            .insert(role.id.clone(), BTreeSet::from(["sample-1".to_owned()]));
        state.calls.used += usage;
    }
    state.calls.answered = 20;
    state.calls.rejected = 1;
}

/// The round limit fired while an objection stood; the report was written from the ledger.
pub fn unresolved(lang: Lang) -> State {
    let mut state = agreed(lang);
    let mut issues: Vec<IssueRecord> = state.ledger.iter().cloned().collect();
    issues[1].status = IssueStatus::Open;
    issues[1].history.clear();
    issues[1].positions[2] = position(
        "RiskPlanner",
        2,
        Stance::Object,
        Some(t(lang, "Only owners.", "仅限店主。")),
        t(
            lang,
            "Staff rights are never reviewed.",
            "店员权限从未被复核。",
        ),
    );
    issues.push(issue(
        3,
        t(lang, "Colour of the button", "按钮的颜色"),
        Severity::Minor,
        IssueStatus::Open,
    ));
    state.ledger = ledger(issues);
    let first = state.draft.find(ConsensusId(1)).cloned().unwrap();
    state.draft = draft([agreed_line(first)]);
    state.summaries[1] = summary(2, &[2], &[], &[]);
    state.summaries[1].entered = vec![IssueId(3)];
    state.summaries[1].refused = vec![Refusal {
        rule: Rule::ObjectionStands,
        about: "I-2".to_owned(),
        detail: t(
            lang,
            "SD's text was proposed; RP objects.",
            "提出采用 SD 的文本，但 RP 反对。",
        )
        .to_owned(),
    }];
    state.passed_over = vec![PassedOver {
        member: RoleId::from("TestPlanner"),
        round: 2,
        reason: t(lang, "three empty replies", "三次空回复").to_owned(),
    }];
    state.stop = Some(Stop {
        reason: StopReason::RoundLimit,
        round: 2,
        value: 2,
        limit: 2,
    });
    if let Some(words) = &mut state.report {
        words.decide.clear();
    }
    state
}

/// v2 of [`agreed`]: one point of feedback changed the plan, one was declined,
/// one is carried on in another issue.
pub fn revised(lang: Lang) -> State {
    let first = agreed(lang);
    let mut state = agreed(lang);
    state.inputs.version = 2;
    state.run_id = "0190b5c0-0000-7000-8000-000000000002".to_owned();
    state.previous = Some(Previous {
        version: 1,
        run_id: first.run_id.clone(),
        head: "aa11".repeat(16),
        requirement: "an earlier requirement".to_owned(),
        consensus: first.draft.standing().cloned().collect(),
        issues: first.ledger.iter().cloned().collect(),
        questions: first.questions.clone(),
        assumptions: first.assumptions.clone(),
        documents: first
            .documents
            .into_iter()
            .map(|(kind, record)| (kind, record.content))
            .collect(),
        counters: Counters::default(),
    });
    let points = [
        t(lang, "Amounts need their currency.", "金额需要标明货币。"),
        t(lang, "Make the button red.", "把按钮改成红色。"),
        t(
            lang,
            "Do not tell strangers which shops exist.",
            "不要让外人知道有哪些店铺。",
        ),
    ];
    state.feedback = (1..)
        .zip(points)
        .map(|(n, text)| FeedbackItem {
            id: FeedbackId(n),
            text: text.to_owned(),
        })
        .collect();
    let new = t(
        lang,
        "One row an order, with a header and the currency beside each amount.",
        "每个订单一行，带表头，每个金额旁标明货币。",
    );
    let hidden = t(
        lang,
        "Without the right the answer is 404.",
        "没有权限时返回 404。",
    );
    let mut issues: Vec<IssueRecord> = state.ledger.iter().cloned().collect();
    let from_feedback = |id: u32, n: u32, status: IssueStatus| IssueRecord {
        origin: Origin::Feedback {
            feedback: FeedbackId(n),
        },
        ..issue(id, points[n as usize - 1], Severity::Blocking, status)
    };
    issues.push(from_feedback(3, 1, settled(3)));
    issues.push(from_feedback(4, 2, IssueStatus::Dropped));
    issues[3].history[0].reason = Some(
        t(
            lang,
            "Red means danger in this shop's style guide.",
            "在本店的样式指南中红色表示危险。",
        )
        .to_owned(),
    );
    issues.push(from_feedback(
        5,
        3,
        IssueStatus::Refined {
            into: vec![IssueId(6)],
        },
    ));
    issues.push(issue(
        6,
        t(
            lang,
            "What is answered without the right",
            "没有权限时返回什么",
        ),
        Severity::Blocking,
        settled(4),
    ));
    state.ledger = ledger(issues);
    let lines = state.draft.lines().to_vec();
    state.draft = draft(
        lines.into_iter().chain([
            DraftLine::Withdrawn {
                item: ConsensusId(1),
                feedback: Some(FeedbackId(1)),
                reason: t(
                    lang,
                    "It says nothing about currency.",
                    "其中没有提到货币。",
                )
                .to_owned(),
            },
            agreed_line(item(3, 3, new, "ProductPlanner", 2)),
            agreed_line(item(4, 6, hidden, "SystemDesigner", 2)),
        ]),
    );
    state.summaries = vec![
        summary(1, &[3, 4, 5], &[3, 4, 5], &[3]),
        summary(2, &[6], &[6], &[4]),
    ];
    state.summaries[0].entered = vec![IssueId(6)];
    state.summaries[0].blocking_left = 1;
    state.documents = documents(lang, true);
    state
}
