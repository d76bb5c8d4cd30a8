//! Plans as a reader meets them: what was asked for is in them, and nothing that belongs to
//! another subject.

use super::stances::all_of;
use super::*;

/// A requirement, what its plan must say, and what it must not.
type Case = (
    &'static str,
    &'static [&'static str],
    &'static [&'static str],
);

fn hold_to(cases: &[Case]) {
    for (requirement, fits, unfit) in cases {
        let meeting = hold(requirement, offline_inputs(Lang::of(requirement)));
        assert_clean(&meeting);
        let told = all_of(&meeting);
        for part in *fits {
            assert!(told.contains(part), "{requirement}: {part}");
        }
        for part in *unfit {
            assert!(!told.contains(part), "{requirement}: {part}");
        }
    }
}

/// A topic that is about a side of the work leaves the work itself its criterion.
#[test]
fn what_was_asked_for_has_a_criterion_beside_those_of_its_sides() {
    hold_to(&[
        (
            "Add a diff subcommand to the CLI that compares two config files",
            &["from start to finish", "Results go to stdout"],
            &["after a reload or restart"],
        ),
        (
            "Members can invite colleagues by email; an invitation is valid for 7 days and can be revoked by owners",
            &[
                "from start to finish",
                "The limit of time in “An invitation is valid for 7 days",
            ],
            &["Which existing role is meant"],
        ),
        (
            "命令行工具增加 diff 子命令，比较两个配置文件",
            &["从头到尾", "结果写 stdout"],
            &["刷新或重启"],
        ),
    ]);
}

#[test]
fn a_figure_of_the_requirement_is_the_target() {
    hold_to(&[
        (
            "The product search takes 8 seconds with 2 million products; it should answer within 300 ms",
            &["The figure in “The product search takes"],
            &[
                "finish within 1 second",
                "kept to the second",
                "stand in the address",
            ],
        ),
        (
            "首页加载要 6 秒，优化到 2 秒以内",
            &["首页加载要 6 秒，优化到 2 秒以内”中的数字"],
            &["1 秒内完成", "速度目标："],
        ),
    ]);
}

#[test]
fn work_of_a_kind_gets_the_rules_of_its_kind() {
    hold_to(&[
        (
            "Every night load the sales files from S3 into the data warehouse and alert us if a file is missing",
            &[
                "A period can be loaded again",
                "reaches a named person",
                "Of each run one can see",
            ],
            &["From one id in an error message"],
        ),
        (
            "Passwords are stored as MD5 hashes; move to argon2 without forcing everybody to reset",
            &["salted hash", "How old hashes go"],
            &["HttpOnly", "foreign keys", "Second factor"],
        ),
        (
            "The door lock firmware should support remote updates and go back by itself when one fails",
            &["takes effect whole or not at all"],
            &["switched on for a part", "counts and sums"],
        ),
        (
            "Patients can book an appointment slot and cancel it",
            &["no more is given out than there is"],
            &["who change the same thing at once"],
        ),
        (
            "Log the temperature to flash every minute and survive power loss on the microcontroller",
            &["written beside the old", "from start to finish"],
            &["What the program reports of itself"],
        ),
        (
            "Keep an audit trail of every change to an order",
            &["Each action leaves one entry", "only takes additions"],
            &["logged in full"],
        ),
        (
            "每小时从业务库抽取增量数据写入数据仓库，失败要告警",
            &["任一时段随时可以重新装载", "五分钟内告知"],
            &["凭错误提示里的一个编号"],
        ),
        (
            "智能门锁固件支持远程升级，升级失败自动回退",
            &["要么完整生效"],
            &["只做点名的改动"],
        ),
        (
            "管理员可以查看操作日志，日志保留 180 天，普通用户不能访问",
            &[
                "每个操作留下一条记录",
                "在期限内始终存在",
                "不允许的，在通往同一功能",
            ],
            &["凭错误提示里的一个编号", "请求编号贯穿"],
        ),
        (
            "把用户头像从本地磁盘迁移到对象存储，期间服务不中断",
            &["不丢失、不重复", "读取先找新位置再找旧位置"],
            &["类型（按内容而非文件名）", "非空、唯一、外键"],
        ),
    ]);
}

/// An error that is handled is no fault, and a place is no need.
#[test]
fn a_need_is_read_for_what_it_asks() {
    hold_to(&[
        (
            "Add WebP decoding to the image library, returning an error instead of crashing",
            &["from start to finish"],
            &["A test that shows the fault"],
        ),
        (
            "图像处理库增加 WebP 解码，解码失败时返回错误而不是崩溃",
            &["从头到尾", "再做一次结果相同"],
            &["能显示缺陷的测试"],
        ),
        (
            "In the mobile app, let users attach a photo to an expense, also when they are offline",
            &["A file is refused with a reason"],
            &["Build: In the mobile app\"", "second copy of the truth"],
        ),
        (
            "Our Python package should cache downloaded schemas on disk",
            &["With the cache and without it"],
            &["no spreadsheet runs them"],
        ),
        (
            "Support ISO week dates in the parsing library. Keep the public API compatible.",
            &[
                "Callers of today build and run unchanged",
                "each recorded use gives what it gave",
            ],
            &["4xx", "published schema"],
        ),
    ]);
}

/// A design page as requirement: what is read of it grows with its length, and not with the
/// square of it; every sentence is in a need, and the plan in short is short.
#[test]
fn a_long_requirement_is_read_to_its_end_and_told_in_short() {
    let sentence = |n: usize| {
        let (kind, place) = (n % 37, n / 37);
        format!("Users can export list {n} of kind {kind} to the folder named {place} every day.")
    };
    let requirement: Vec<String> = (0..400).map(sentence).collect();
    let requirement = requirement.join(" ");
    let needs = split_needs(&requirement);
    assert_eq!(needs.len(), 31);
    let said = needs.join(" ");
    assert!(
        (0..400).all(|n| said.contains(&format!("list {n} of kind"))),
        "{said}"
    );
    let meeting = hold(&requirement, offline_inputs(Lang::En));
    let short = &meeting.state.report.as_ref().unwrap().in_short;
    assert!(aitc::check::words(short) <= 150, "{short}");
    assert!(!short.ends_with('…'), "{short}");
}

/// The plan in short of a revision does not tell the needs of the first version as its own.
#[test]
fn the_plan_in_short_of_a_revision_says_what_it_revises() {
    let told = [
        (
            Lang::En,
            "Add CSV export of orders; only admins may export. Send a mail when it is finished.",
            "No mails.",
            "Revises a plan for 3 needs: ",
        ),
        (
            Lang::Zh,
            "增加订单的 CSV 导出；只有管理员可以导出。导出完成后发邮件。",
            "不要邮件。",
            "修订的计划包含 3 项需求：",
        ),
    ];
    for (lang, requirement, feedback, told) in told {
        let (_, revised) = revisions::revised_in(lang, requirement, feedback);
        let short = &revised.state.report.as_ref().unwrap().in_short;
        assert!(short.starts_with(told), "{short}");
    }
}

/// Twenty needs, among them two that differ in a word: each has work of its own, and that
/// work is held to a criterion.
#[test]
fn each_of_twenty_needs_has_work_and_a_criterion() {
    let needs = [
        "Export orders as CSV",
        "Import products from a spreadsheet",
        "Show stock per warehouse",
        "Print packing slips",
        "Send a reminder for unpaid invoices",
        "Archive orders older than two years",
        "Let staff merge duplicate customers",
        "Block a stolen gift card",
        "Sort the product list by margin",
        "Show a map of open deliveries",
        "Record who changed a price",
        "Round totals to five cents",
        "Limit coupons to one per customer",
        "Tag all customers by region",
        "Tag all customers by religion",
        "Copy an existing order",
        "Calculate freight by weight",
        "Scan barcodes with the camera",
        "Lock the till after ten minutes",
        "Email the day's turnover to the owner",
    ];
    let meeting = hold(&needs.join("\n- "), offline_inputs(Lang::En));
    assert_clean(&meeting);
    let documents = &meeting.state.documents;
    let Document::DevPlan(plan) = &documents[&DocumentKind::DevPlan].content else {
        panic!("a development plan was written");
    };
    for need in needs {
        let ends = |title: &str| title.ends_with(&format!(": {need}"));
        let work = plan.work.iter().find(|work| ends(&work.title));
        let work = work.unwrap_or_else(|| panic!("no work on {need}"));
        assert!(!work.covers.is_empty(), "{need}");
    }
}

/// What is left out calls up no rules for building it, and what is forbidden, or handed to
/// somebody higher, is neither taken away nor migrated.
#[test]
fn what_is_ruled_out_or_handed_up_is_not_built() {
    hold_to(&[
        (
            "Build a booking page for a barber with no billing",
            &["Build a booking page"],
            &["One charge exists"],
        ),
        (
            "Build a booking page for a barber. No billing, no mobile app.",
            &["Leave out: No billing, no mobile app"],
            &["One charge exists"],
        ),
        ("做一个预约网站，不做支付", &["不做支付"], &["对账"]),
        (
            "增加订单备注，备注保存后不可删除。超过3天未处理的工单升级给总监。",
            &["备注保存后不可删除", "超过3天未处理的工单升级给总监"],
            &["先清引用再去除", "并行对照再切换"],
        ),
    ]);
}

/// A plan that says the opposite of its requirement, or of itself, is worse than none.
#[test]
fn a_plan_contradicts_neither_its_requirement_nor_itself() {
    hold_to(&[
        (
            "Suppliers import price lists as CSV; bad rows are listed, good rows are imported anyway",
            &[
                "Each row of an import stands for itself",
                "Each row is checked by itself",
            ],
            &[
                "all or nothing",
                "in one transaction",
                "while the user waits",
            ],
        ),
        (
            "Suppliers import a price list as CSV. Invalid rows are skipped and listed, the rest is imported.",
            &["Each row of an import stands for itself"],
            &["all or nothing"],
        ),
        (
            "供应商导入 CSV 价格表；跳过错误行并列出，其余照常导入",
            &["导入的每一行各自成立", "逐行校验"],
            &["要么全部成功", "用户等待时写出"],
        ),
        (
            "Import customers from a CSV file",
            &[
                "all or nothing",
                "An import of 50,000 rows",
                "Write and test the reader",
            ],
            &[
                "carries more than its reader may see",
                "Export 50,000",
                "the list's query",
            ],
        ),
        (
            "Export the customers as a CSV file",
            &["carries more than its reader may see", "Export 50,000"],
            &["An import of 50,000 rows", "the reader of the file"],
        ),
        (
            "Students get a notification when a teacher comments on their homework",
            &[
                "what could not be sent is kept",
                "All 20 messages go out once afterwards",
            ],
            &["No queue to run"],
        ),
        (
            "Upgrade PostgreSQL 11 to 16 with less than 5 minutes of downtime",
            &[
                "follows the old one by replication",
                "answers as the old one did",
            ],
            &[
                "read the new one and drop the old",
                "in one migration together",
            ],
        ),
        (
            "把 PostgreSQL 11 升级到 16，停机不超过 5 分钟",
            &["通过复制跟随旧的"],
            &["表结构和数据在一次迁移中修改", "读新的并删除旧的"],
        ),
        (
            "Move user avatars from the local disk to object storage; old links keep working",
            &["looks in the new place first"],
            &["in one migration together"],
        ),
        (
            "把用户头像从本地磁盘迁移到对象存储，旧链接继续有效",
            &["读取先找新位置再找旧位置"],
            &["表结构和数据在一次迁移中修改"],
        ),
        (
            "Build a CLI that converts Markdown to EPUB and works without network",
            &["nothing is fetched while it runs", "ships with it"],
            &["a change is kept on the device", "Two devices"],
        ),
        (
            "Replace the nightly import of price lists with a streaming import",
            &["An import of 50,000 rows"],
            &["At what time and in which time zone"],
        ),
    ]);
}

/// A word that means something else here calls up no rules.
#[test]
fn words_that_mean_something_else_call_nothing_up() {
    hold_to(&[
        (
            "Let customers pay invoices with Apple Pay; refunds stay manual",
            &["idempotency key"],
            &["A person new to the product, a clean machine"],
        ),
        (
            "Our library panics on malformed config files. Return an error with line and column instead.",
            &["Our library panics"],
            &[
                "The model fits today's case",
                "carries a version and a check sum",
            ],
        ),
        (
            "Add two-factor authentication with TOTP for staff; recovery codes; no SMS.",
            &["recovery code"],
            &["at most one message per channel"],
        ),
        (
            "Parse log files of up to 10 GB in the CLI with constant memory",
            &["stdout"],
            &["Every message goes through one place"],
        ),
        (
            "给命令行工具增加 --json 输出，字段保持向后兼容",
            &["stdout"],
            &["存储的内容带版本和校验和"],
        ),
        (
            "员工请假审批：提交、主管审批；三天未审批自动提醒",
            &["由任务查找到期的消息"],
            &["在引发消息的请求中发送"],
        ),
        (
            "Nurses record vital signs on a tablet. No camera access.",
            &[
                "Left out, as the requirement says: “No camera access”",
                "Leave out: No camera access",
            ],
            &["Build: No camera access"],
        ),
        (
            "Show unread counts. Never send push notifications.",
            &["Hold to: Never send push notifications"],
            &["The message is sent in the request"],
        ),
        (
            "Replace the report with a webhook. Do not sign the payload.",
            &["Hold to: Do not sign the payload"],
            &["Build: Do not sign"],
        ),
        (
            "商品列表一次显示全部。不使用缓存。不发送邮件。",
            &["不做：不使用缓存", "不做：不发送邮件"],
            &["实现：不使用", "邮件服务中断十分钟", "缓存以请求为键"],
        ),
        (
            "The app must show the balance and must not round it",
            &["Build: The app must show the balance"],
            &["Hold to: The app"],
        ),
        (
            "员工可以预订会议室，不能提前超过 14 天预订",
            &["预订会议室"],
            &["守住：员工可以预订会议室"],
        ),
        (
            "优惠券过期不能使用",
            &["守住：优惠券过期不能使用"],
            &["排除："],
        ),
        (
            "Export the report. No user may see figures of another team.",
            &["Build: Export the report"],
            &["Left out, as the requirement says"],
        ),
        (
            "Deduplicate contacts: same e-mail is one person; merge must be undoable for 14 days",
            &["Merge must be undoable"],
            &["at most one message per channel"],
        ),
        (
            "As a warehouse worker I want to scan barcodes with my phone so that stock counts are faster.",
            &["can barcodes with my phone"],
            &[
                "scarce goods",
                "95th percentile",
                "Make one item repeatable",
            ],
        ),
    ]);
}
