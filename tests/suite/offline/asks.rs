//! What a requirement says is not asked, however it says it; what it leaves open is.

use super::checklists::parsed;
use aitc::machine::{AnswerSource, QuestionStatus};

use super::*;

/// A question, a requirement that leaves it open, and some that answer it.
type Case = (&'static str, &'static str, &'static [&'static str]);

const ENGLISH_CASES: &[Case] = &[
    (
        "api/callers",
        "Add an API endpoint for stock levels",
        &[
            "Add an API endpoint for stock levels that only our own front end calls",
            "Add an internal API endpoint for stock levels",
            "Add an API endpoint for stock levels; callers send a signed JWT",
            "Show the weather on the start page; use the MeteoBlue API",
        ],
    ),
    (
        "appearance/who-decides",
        "Add a dark mode to the booking system of our website",
        &[
            "Add a dark mode to the website that follows the operating system",
            "Add a dark mode to the website; the choice is saved per user",
        ],
    ),
    (
        "authentication/second-factor",
        "Users sign in on the website with e-mail and password",
        &[
            "Users sign in on the website with e-mail and password; no second factor",
            "Users sign in on the website with a password and an authenticator app",
            "Staff sign in on the website with SAML",
            "Users sign in on the website with password only",
            "Rotate the API tokens of our website every 90 days",
        ],
    ),
    (
        "authorization/which-role",
        "Users need the right role to approve an invoice",
        &[
            "The role auditor may approve an invoice",
            "Only users with the role \"department manager\" may approve an invoice",
            "A new role, granted by the board, may approve an invoice",
        ],
    ),
    (
        "data/truth",
        "Store the measurements of our web service in a database table",
        &[
            "Store the measurements of our web service in a database table; SAP stays the master",
            "Store the measurements of our web service in a database table and keep them for two years, 24 months",
            "Store the measurements of our web service in a database table, the current value only",
        ],
    ),
    (
        "export-import/columns",
        "Add CSV export of orders",
        &[
            "Add CSV export of orders with order number, date and total",
            "Add CSV export of orders; the file contains what the tax office wants",
            "Let customers download an invoice as PDF",
            "Let members export all their data",
        ],
    ),
    (
        "export-import/identity",
        "Let teachers import pupils from a CSV file",
        &[
            "Let teachers import pupils from a CSV file, matched by e-mail",
            "Let teachers import pupils from a CSV file; duplicates are skipped",
            "Let teachers import pupils with our Excel template",
        ],
    ),
    (
        "general/cause",
        "Fix the wrong total on the invoice page",
        &[
            "Fix the wrong total on the invoice page; to reproduce it, order two items with a voucher",
        ],
    ),
    (
        "general/keep",
        "Refactor the pricing module",
        &[
            "Refactor the pricing module; the public API stays the same",
            "Refactor the pricing module, backwards compatible",
        ],
    ),
    (
        "general/done",
        "Rewrite the flight scheduler in terms of constraint solving",
        &[
            "Rewrite the flight scheduler in terms of constraint solving; it is accepted when a day is planned without gaps",
            "Rewrite the flight scheduler in terms of constraint solving, so that 20% less crew is needed",
        ],
    ),
    (
        "general/limits",
        "Make the tea warm again in the office kitchen",
        &[
            "Make the tea warm again in the office kitchen, at most 80 degrees",
            "Make the tea warm again in the office kitchen; the budget is small",
        ],
    ),
    (
        "internationalization/languages",
        "Translate the shop",
        &[
            "Translate the shop into Italian",
            "Show the opening hours in the time zone of the reader",
        ],
    ),
    (
        "jobs/when",
        "A nightly job archives old tickets",
        &[
            "A job archives old tickets daily at 6am",
            "A job archives old tickets every 15 minutes",
            "A job archives old tickets weekly on Sunday",
            "A nightly job archives old tickets after closing",
        ],
    ),
    (
        "migration/window",
        "Migrate the customer database of our website to PostgreSQL",
        &[
            "Migrate the customer database of our website to PostgreSQL over the weekend",
            "Migrate the customer database of our website to PostgreSQL without interruption",
            "Migrate the customer database of our website to PostgreSQL; it may be down for an hour",
        ],
    ),
    (
        "notifications/channel",
        "Notify the team when a ticket is overdue",
        &[
            "Notify the team by e-mail when a ticket is overdue",
            "Notify the team in the app when a ticket is overdue",
            "Notify the team two hours before a ticket is overdue",
            "Notify the team on WhatsApp when a ticket is overdue",
        ],
    ),
    (
        "offline-use/what-works",
        "The app for drivers has to work offline",
        &[
            "Drivers can record a delivery offline",
            "Drivers can view their route without a network",
            "The app for drivers has to work offline, read only",
        ],
    ),
    (
        "payments/provider",
        "Customers can pay online",
        &[
            "Customers can pay online with Klarna",
            "Customers pay in cash at the counter",
            "Customers can pay by SEPA direct debit",
        ],
    ),
    (
        "performance/target",
        "The product search takes 8 seconds; make it faster",
        &[
            "The product search takes 8 seconds; make it answer in 300ms",
            "The product search takes 8 seconds; make it twice as fast",
            "Make the product search faster: at most two seconds",
            "Make the map faster: 60 fps",
        ],
    ),
    (
        "pipelines/late",
        "Load the sales files into the data warehouse",
        &[
            "Load the sales files into the data warehouse by 7 am",
            "Load the sales files into the data warehouse hourly",
            "Load the sales files into the data warehouse, and reload the last 3 days each time",
        ],
    ),
    (
        "privacy/basis",
        "Let users enter their birthday and phone number as personal data",
        &[
            "Let users enter their birthday and phone number, personal data that is needed for the contract",
            "Let users enter their birthday and phone number as personal data; both are deleted after 30 days",
        ],
    ),
    (
        "sharing/who-opens",
        "Let customers share a wish list on our website by link",
        &[
            "Let customers share a wish list on our website by link with guests",
            "Let customers share a wish list on our website by link; no login is needed",
            "Let customers share a wish list on our website by a password protected link",
            "Let owners invite colleagues to a project on our website",
        ],
    ),
    (
        "uploads/limits",
        "Users of the website can upload a profile picture",
        &[
            "Users of the website can upload a profile picture of at most 2MB",
            "Users of the website can upload a profile picture, PNG or JPG",
            "Users of the website can upload a profile picture, 500 KB at most",
        ],
    ),
];

const CHINESE_CASES: &[Case] = &[
    (
        "api/callers",
        "增加查询库存的 API 接口",
        &[
            "增加查询库存的 API 接口，仅内部系统调用",
            "增加查询库存的 API 接口，由小程序调用",
            "对接顺丰接口查询运费",
        ],
    ),
    (
        "appearance/who-decides",
        "给订单系统的网页增加深色模式",
        &[
            "给网页增加深色模式，跟随系统",
            "给网页增加深色模式，用户可以在设置里选择",
        ],
    ),
    (
        "authentication/second-factor",
        "网站用户用邮箱和密码登录",
        &[
            "网站用户用邮箱和密码登录，不需要二次验证",
            "网站用户用密码加动态口令登录",
            "网站员工通过单点登录进入",
            "网站用户仅用密码登录",
        ],
    ),
    (
        "authorization/which-role",
        "有相应角色的人才能审批发票",
        &[
            "财务角色才能审批发票",
            "新增“审计员”角色，只有他能审批发票",
            "只有部门负责人有权限审批发票",
        ],
    ),
    (
        "data/truth",
        "网站把测量值存储到数据库",
        &[
            "网站把测量值存储到数据库，以 ERP 为准",
            "网站把测量值存储到数据库，只保留当前值",
            "网站把测量值存储到数据库，保存三年",
        ],
    ),
    (
        "export-import/columns",
        "增加订单导出",
        &[
            "增加订单导出，包含编号、日期和金额",
            "增加订单导出，文件里有编号、客户和金额",
            "客户可以下载 PDF 发票",
            "用户可以导出自己的全部数据",
        ],
    ),
    (
        "export-import/identity",
        "老师可以用 Excel 导入学生",
        &[
            "老师可以用 Excel 导入学生，学号相同的更新",
            "老师可以用 Excel 导入学生，已存在的跳过",
            "老师可以用模板导入学生",
        ],
    ),
    (
        "general/cause",
        "修复发票页面总额错误的问题",
        &["修复发票页面总额错误的问题，下单两件并用优惠券即可复现"],
    ),
    (
        "general/keep",
        "重构计价模块",
        &["重构计价模块，对外接口保持不变", "重构计价模块，要向后兼容"],
    ),
    (
        "general/done",
        "用约束求解重新编排航班",
        &[
            "用约束求解重新编排航班，验收以当天无空档为准",
            "用约束求解重新编排航班，机组减少20%",
        ],
    ),
    (
        "general/limits",
        "让办公室的茶重新变热",
        &[
            "让办公室的茶重新变热，最多八十度",
            "让办公室的茶重新变热，预算有限",
        ],
    ),
    (
        "internationalization/languages",
        "商城支持多语言",
        &["商城支持多语言：韩语和俄语", "页面按读者的时区显示营业时间"],
    ),
    (
        "jobs/when",
        "每天归档旧工单",
        &[
            "每天8点归档旧工单",
            "每天打烊后归档旧工单",
            "每15分钟定时归档旧工单",
            "每周日定时归档旧工单",
        ],
    ),
    (
        "migration/window",
        "把网站的客户数据库迁移到 PostgreSQL",
        &[
            "周末把网站的客户数据库迁移到 PostgreSQL",
            "不停服把网站的客户数据库迁移到 PostgreSQL",
            "把网站的客户数据库迁移到 PostgreSQL，要能回滚",
        ],
    ),
    (
        "notifications/channel",
        "工单逾期时通知处理人",
        &[
            "工单逾期时用企业微信通知处理人",
            "工单逾期前一天通知处理人",
            "工单逾期时发邮件通知处理人",
            "工单逾期时打电话通知处理人",
        ],
    ),
    (
        "offline-use/what-works",
        "司机的 App 要支持离线",
        &[
            "司机离线时也能录入签收",
            "没有网络时司机可以查看路线",
            "断网时收银台继续开单",
        ],
    ),
    (
        "payments/provider",
        "顾客可以在线支付",
        &[
            "顾客可以用微信或云闪付支付",
            "顾客到店付款，只收现金",
            "顾客可以货到付款",
        ],
    ),
    (
        "performance/target",
        "商品搜索太慢，要 8 秒，请优化",
        &[
            "商品搜索太慢，要 8 秒，优化到 2 秒",
            "商品搜索太慢，要缩短一半",
            "商品搜索太慢，要求300毫秒内返回",
        ],
    ),
    (
        "pipelines/late",
        "把销售文件装载到数据仓库",
        &[
            "每天7点前把销售文件装载到数据仓库",
            "次日早上把销售文件装载到数据仓库",
            "把销售文件装载到数据仓库，每次重新装载最近3天",
        ],
    ),
    (
        "privacy/basis",
        "用户填写身份证和手机号",
        &[
            "用户填写身份证和手机号，经本人知情同意",
            "用户填写身份证和手机号，30天后删除",
            "按合同需要，用户填写身份证和手机号",
        ],
    ),
    (
        "sharing/who-opens",
        "网站用户可以通过分享链接分享心愿单",
        &[
            "网站用户可以通过分享链接分享心愿单，游客也能打开",
            "网站用户可以通过分享链接分享心愿单，需要提取码",
            "网站用户可以把心愿单分享给注册用户",
        ],
    ),
    (
        "uploads/limits",
        "网站用户可以上传头像",
        &[
            "网站用户可以上传头像，最大 2MB",
            "网站用户可以上传头像，不超过 2 兆",
            "网站用户可以上传头像，只支持图片",
            "网站用户可以上传头像，限 jpg 和 png",
        ],
    ),
];

#[test]
fn what_a_requirement_answers_is_not_asked_and_what_it_leaves_open_is() {
    let mut wrong = Vec::new();
    for (lang, cases) in [(Lang::En, ENGLISH_CASES), (Lang::Zh, CHINESE_CASES)] {
        let lists = parsed(lang);
        let all = lists.iter().flat_map(|list| {
            list.asks
                .iter()
                .map(|ask| format!("{}/{}", list.topic, ask.key))
        });
        let tried: BTreeSet<String> = cases.iter().map(|(ask, ..)| (*ask).to_owned()).collect();
        assert_eq!(
            all.collect::<BTreeSet<_>>(),
            tried,
            "each question has a case"
        );
        for (name, open, answered) in cases {
            let (topic, key) = name.split_once('/').unwrap();
            let list = lists.iter().find(|list| list.topic == topic).unwrap();
            let ask = list.asks.iter().find(|ask| ask.key == key).unwrap();
            let asked = |requirement: &str| {
                let mut inputs = Inputs {
                    light: true,
                    ..offline_inputs(lang)
                };
                inputs.limits.max_rounds = 1;
                let meeting = hold(requirement, inputs);
                let questions = &meeting.state.questions;
                questions
                    .iter()
                    .any(|question| question.text == ask.question)
            };
            if !asked(open) {
                wrong.push(format!("{name} is not asked: {open}"));
            }
            let asked = answered.iter().filter(|requirement| asked(requirement));
            wrong.extend(asked.map(|requirement| format!("{name} is asked: {requirement}")));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Who was asked and gave no answer is not told that nobody asked.
#[test]
fn a_question_that_was_declined_is_told_so() {
    for (lang, told) in [
        (Lang::En, "Assumed, you gave no answer: "),
        (Lang::Zh, "假定，您未作答："),
    ] {
        let mut meeting = Meeting::open(ENGLISH, offline_inputs(lang));
        meeting.record(Event::KnowledgeSearch { survey: survey() });
        let mut basics = |state: &_, call: &_| answer(state, call).unwrap();
        meeting.until(Purpose::Report, &mut basics);
        let taken = meeting.state.assumptions[0].clone();
        for question in &mut meeting.state.questions {
            question.status = QuestionStatus::Closed {
                source: AnswerSource::Declined,
                answer: String::new(),
            };
        }
        meeting.run(&mut basics);
        let decide = &meeting.state.report.as_ref().unwrap().decide;
        let line = decide.iter().find(|line| line.recommended == taken.text);
        assert!(line.unwrap().what.starts_with(told), "{decide:?}");
    }
}
