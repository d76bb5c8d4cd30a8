//! The five documents of the sample workshop.

use std::collections::BTreeMap;

use aitc::machine::{DocumentRecord, Lang};
use aitc::reply::*;

use super::t;

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
