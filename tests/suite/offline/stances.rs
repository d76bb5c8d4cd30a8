//! How checklists take sides, change them, and say so.

use super::*;

#[test]
fn colliding_checklists_object_and_the_objection_is_withdrawn_with_a_reason() {
    let meeting = hold(ENGLISH, offline_inputs(Lang::En));
    let issue = meeting
        .state
        .ledger
        .iter()
        .find(|issue| issue.positions.iter().any(|p| p.stance == Stance::Object))
        .expect("somebody objects");
    let objector = &issue
        .positions
        .iter()
        .find(|p| p.stance == Stance::Object)
        .unwrap()
        .member;
    let stances: Vec<_> = issue
        .positions
        .iter()
        .filter(|p| &p.member == objector)
        .collect();
    assert_eq!(stances.first().unwrap().stance, Stance::Object);
    assert!(stances.last().unwrap().stance.supports());
    assert!(stances.last().unwrap().changed_because.is_some());
    assert!(matches!(issue.status, IssueStatus::Settled { .. }));
    let draft: Vec<&str> = meeting
        .state
        .draft
        .standing()
        .map(|item| item.text.as_str())
        .collect();
    assert!(
        draft.iter().any(|text| text.contains("Up to 50,000 rows")),
        "{draft:#?}"
    );
    let Document::SystemDesign(design) =
        &meeting.state.documents[&DocumentKind::SystemDesign].content
    else {
        panic!()
    };
    // The part of the item that gave way is still needed.
    assert!(
        design
            .modules
            .iter()
            .any(|module| module.name == "Export writer")
    );
    let report = meeting.state.report.as_ref().unwrap();
    let mut decide = report.decide.iter();
    let compromise = decide.find(|line| line.recommended.contains("50,000"));
    let otherwise = &compromise
        .expect("the compromise is the reader's")
        .otherwise;
    assert!(
        otherwise.starts_with("The text as it was first proposed, against which stands: "),
        "{otherwise}"
    );
}

/// Where nothing collides one promise is found too thin, completed in the next round,
/// and keeps the criterion it had beside the new one.
#[test]
fn without_a_collision_one_weak_spot_is_pressed() {
    for (text, lang, added) in [
        ("Add a dark mode", Lang::En, "by colour alone"),
        ("增加深色模式", Lang::Zh, "不只用颜色表达"),
    ] {
        let meeting = hold(text, offline_inputs(lang));
        assert_clean(&meeting);
        let ledger = &meeting.state.ledger;
        let positions = || ledger.iter().flat_map(|issue| issue.positions.iter());
        let objections: Vec<_> = positions().filter(|p| p.stance == Stance::Object).collect();
        assert_eq!(objections.len(), 1, "{text}");
        let completed = positions().find(|p| {
            let says = p.proposal.as_deref().is_some_and(|it| it.contains(added));
            p.round == 2 && p.stance == Stance::Refine && says
        });
        let completed = completed.expect("the proposer takes it over");
        assert_ne!(completed.member, objections[0].member);
        let criteria = &product(&meeting).criteria;
        assert_eq!(criteria.len(), 3, "{criteria:#?}");
        // What was made stricter was chosen by nobody: it is no decision of the reader's.
        let report = meeting.state.report.as_ref().unwrap();
        assert!(
            report
                .decide
                .iter()
                .all(|one| !one.recommended.contains(added))
        );
    }
}

/// Nobody objects where no round is left to answer in, nor over small work.
#[test]
fn in_an_only_round_no_weak_spot_is_pressed() {
    let mut single = offline_inputs(Lang::En);
    single.limits.max_rounds = 1;
    let light = Inputs {
        light: true,
        ..offline_inputs(Lang::En)
    };
    for inputs in [single, light] {
        let meeting = hold("Add a dark mode", inputs);
        assert_eq!(meeting.state.round, 1);
        assert_eq!(meeting.state.ledger.blocking().count(), 0);
    }
}

#[test]
fn a_proposal_that_becomes_an_agreement_is_no_change_of_mind() {
    let text = "Add CSV export of orders with a date filter; only admins may export";
    let meeting = hold(text, offline_inputs(Lang::En));
    let mut turned = 0;
    for issue in meeting.state.ledger.iter() {
        let all: Vec<_> = issue.positions.iter().collect();
        for (at, position) in all.iter().enumerate() {
            if position.stance != Stance::Agree || position.changed_because.is_none() {
                continue;
            }
            turned += 1;
            let mut earlier = all[..at].iter().filter(|p| p.member == position.member);
            assert!(earlier.any(|p| p.stance == Stance::Object), "{position:?}");
        }
    }
    assert!(turned > 0, "an objection is given up");
}

#[test]
fn speeches_do_not_open_alike_nor_repeat_their_positions() {
    let meeting = hold(ENGLISH, offline_inputs(Lang::En));
    let mut openings = BTreeSet::new();
    for entry in &meeting.entries {
        let Event::Speaking {
            speech, receipt, ..
        } = &entry.event
        else {
            continue;
        };
        if receipt.call.round != 1 {
            continue;
        }
        let analysis = &speech.analysis;
        assert!(openings.insert(analysis.clone()), "{analysis}");
        assert!(analysis.len() < 600, "{analysis}");
        for position in &speech.positions {
            let text = position.proposal.as_deref().unwrap_or("-none-");
            assert!(!analysis.contains(text), "{analysis}");
        }
    }
}

/// Everything that was said and planned.
pub fn all_of(meeting: &Meeting) -> String {
    let entries = meeting.entries.iter();
    let said: Vec<String> = entries
        .map(|entry| serde_json::to_string(&entry.event).unwrap())
        // What is frozen at the start holds every list.
        .filter(|event| !event.contains("checklists/general.yaml"))
        .collect();
    said.join("\n")
}

#[test]
fn nothing_about_requests_is_said_to_a_command_or_a_device() {
    let unfit = [
        "in the request",
        "first byte",
        "endpoint",
        "signed in",
        "whoever is on call",
        "good path",
        "% of users",
        "在请求中",
        "首字节",
        "值班",
        "顺利的路径",
        "已登录",
        "the screen",
        "on screen",
        "screen's",
        "屏幕",
        "界面上",
        "供界面",
        "请求编号",
        "一个请求",
    ];
    for requirement in [
        "Let the command `shop export csv` write to several files, and print progress to stderr",
        "Write a chess engine for a microcontroller that answers a move within 5 seconds",
        "Add a logging flag to the command line tool and make the export faster",
        "The firmware must not drive the motor while the door is open",
        "给命令行工具增加 CSV 导出子命令，支持写入多个文件",
        "为单片机编写国际象棋引擎，5 秒内走一步",
        "固件在门打开时不得驱动电机，并且记录日志",
    ] {
        let meeting = hold(requirement, offline_inputs(Lang::of(requirement)));
        assert_clean(&meeting);
        assert_traceable(&meeting);
        let told = all_of(&meeting);
        for word in unfit {
            let place = told.find(word).map(|at| {
                told[..at]
                    .chars()
                    .rev()
                    .take(80)
                    .collect::<String>()
                    .chars()
                    .rev()
                    .collect::<String>()
            });
            assert_eq!(place, None, "{requirement}: {word}");
        }
        assert!((2..=4).contains(&meeting.state.round));
    }
}

/// What the requirement decides in one place holds for a decision about another.
#[test]
fn a_file_that_is_sent_when_it_is_ready_is_not_waited_for() {
    let (job, waits) = ("A job makes the file", "while the user waits");
    let (han_job, han_waits) = ("由任务逐行生成文件", "用户等待时");
    let (run, han_run) = ("Each run writes the file", "每次运行以临时名称");
    for (requirement, fits, unfit) in [
        (
            "Export the report as CSV and email the file when it is ready",
            job,
            waits,
        ),
        (
            "Export all orders as CSV and notify me when the export has finished",
            job,
            waits,
        ),
        (
            "Add a CSV export; show a download link once it is ready",
            job,
            waits,
        ),
        ("Export the orders as CSV every night", run, "same filter"),
        // An address in the file is no message about it.
        ("Export the users with their email as CSV", waits, job),
        (
            "导出报表为 CSV，完成后把文件用邮件发给用户",
            han_job,
            han_waits,
        ),
        ("导出全部订单，导出完成后通知用户", han_job, han_waits),
        ("支持异步导出订单，好了再给下载链接", han_job, han_waits),
        ("每天凌晨导出前一天的订单", han_run, "同样筛选条件"),
        ("管理员可以在管理后台导出已完成的订单", han_waits, han_job),
    ] {
        let meeting = hold(requirement, offline_inputs(Lang::of(requirement)));
        assert_clean(&meeting);
        let told = all_of(&meeting);
        assert!(told.contains(fits), "{requirement}: {told}");
        assert!(!told.contains(unfit), "{requirement}: {told}");
    }
}

/// A message about work that goes on by itself is not sent from the request that began it,
/// and a reminder from none.
#[test]
fn a_message_is_sent_where_there_is_something_to_tell() {
    let unfit = ["sent in the request", "在引发消息的请求中发送"];
    for (requirement, fits) in [
        (
            "Rebuild the search index in the background and email me when it is finished",
            "message together with its result",
        ),
        (
            "Send a reminder two days before an invoice is due",
            "looks for what is due",
        ),
        ("批量处理图片，完成后发邮件", "把消息与结果一起写入"),
        ("会议开始前一天提醒参加者", "由任务查找到期的消息"),
    ] {
        let meeting = hold(requirement, offline_inputs(Lang::of(requirement)));
        assert_clean(&meeting);
        let told = all_of(&meeting);
        assert!(told.contains(fits), "{requirement}: {told}");
        assert!(
            !unfit.iter().any(|part| told.contains(part)),
            "{requirement}"
        );
    }
}

/// What a need says decides which rules of its subject it gets, and what is asked.
#[test]
fn criteria_and_questions_fit_what_the_need_says() {
    for (requirement, fits, unfit) in [
        (
            "Customers can cancel an order within 30 minutes of placing it",
            "a second before the limit ends",
            "from start to finish",
        ),
        (
            "A customer may have at most 5 open orders",
            "one step beyond it",
            "from start to finish",
        ),
        (
            "A cancelled order is refunded automatically",
            "One refund of the right amount",
            "A basket with discount",
        ),
        (
            "Import customers from a CSV file; bad lines are listed",
            "lines 7 and 512",
            "The user exports",
        ),
        (
            "Import customers from a CSV file; bad lines are listed",
            "which of them says that a row is there already",
            "The columns people see today",
        ),
        (
            "Add full text search over the archive",
            "the number of matching records",
            "Something removed by mistake",
        ),
        (
            "Add two-factor authentication with an authenticator app",
            "the recovery code works the first time only",
            "from start to finish",
        ),
        ("登录时增加两步验证", "恢复码只有第一次有效", "从头到尾"),
        (
            "Rate limit the public API to 100 requests per minute per key",
            "429 with Retry-After",
            "from start to finish",
        ),
        (
            "Webhooks: notify customers' systems when an invoice is paid",
            "the list of deliveries shows every try",
            "one who turned it off",
        ),
        (
            "Add OAuth login with Google and link existing accounts by e-mail",
            "an address alone links nothing",
            "one who turned it off",
        ),
        (
            "Allow several admins to edit the same article without losing changes",
            "sees the new values beside its own",
            "from start to finish",
        ),
        (
            "Migrate user avatars from local disk to S3 without downtime",
            "the second run changes nothing",
            "German locale",
        ),
        (
            "支持同时修改同一篇文档而不互相覆盖",
            "看到新值与自己的值并列",
            "十分钟内得到第一个结果",
        ),
        (
            "用户下单后 30 分钟内可以取消订单",
            "时限结束前一秒",
            "从头到尾",
        ),
        ("每个用户最多有 5 个未完成的订单", "超出一步", "从头到尾"),
        ("取消订单后自动退款", "只有一笔金额正确的退款", "购物车"),
    ] {
        let meeting = hold(requirement, offline_inputs(Lang::of(requirement)));
        assert_clean(&meeting);
        assert_traceable(&meeting);
        let told = all_of(&meeting);
        assert!(told.contains(fits), "{requirement}: {told}");
        assert!(!told.contains(unfit), "{requirement}: {unfit}");
        // The list that fits everything is no subject to speak of.
        let nameless = ["the text on General", "“通用”"];
        assert!(!nameless.iter().any(|part| told.contains(part)), "{told}");
    }
}

/// What moves code and changes nothing is told so, whatever the names in it mean.
#[test]
fn work_inside_the_code_keeps_what_it_does() {
    for requirement in [
        "Rename the internal module billing to invoices",
        "Split orders.rs into three modules",
        "Extract a function for the date parsing that three handlers repeat",
        "把内部模块 billing 重命名为 invoices",
        "Rename class User to Account in the whole code",
        "把函数 getUser 重命名为 fetchUser",
        "重命名变量 tmp",
        "把 orders.py 拆成三个文件",
    ] {
        let meeting = hold(requirement, offline_inputs(Lang::of(requirement)));
        assert_clean(&meeting);
        let told = all_of(&meeting);
        let stays = ["Behaviour stays as it is", "行为保持不变：每一步"];
        assert!(
            stays.iter().any(|part| told.contains(part)),
            "{requirement}"
        );
        let unfit = ["pays once", "只付一次", "from start to finish", "从头到尾"];
        for part in unfit {
            assert!(!told.contains(part), "{requirement}: {part}");
        }
    }
}

/// What people do with what is theirs is no work inside the code, whatever it is called.
#[test]
fn to_rename_what_users_own_is_a_feature() {
    for requirement in [
        "Let users rename the files they keep",
        "Users can rename the package of a shipment",
        "Teachers can rename a module of their course",
        "用户可以重命名文件",
        "用户可以重命名类别和标签",
        "用户可以把 PDF 拆成多个文件",
    ] {
        let meeting = hold(requirement, offline_inputs(Lang::of(requirement)));
        assert_clean(&meeting);
        let told = all_of(&meeting);
        for part in ["Behaviour stays as it is", "行为保持不变：每一步"] {
            assert!(!told.contains(part), "{requirement}");
        }
    }
}

/// What holds for a site holds still.
#[test]
fn a_service_is_told_of_its_requests() {
    for (requirement, fits) in [
        (
            "Export the orders of the web shop as CSV",
            "while the user waits",
        ),
        (
            "Filter the customer list on the dashboard page by country",
            "shared link",
        ),
        ("Log every failed sign in on the website", "request id"),
        ("网站后台可以把订单列表导出为 CSV", "请求"),
        ("在网页上按国家筛选客户列表", "链接"),
        ("记录网站上每次登录失败的日志", "请求编号"),
    ] {
        let meeting = hold(requirement, offline_inputs(Lang::of(requirement)));
        assert_clean(&meeting);
        let told = all_of(&meeting);
        assert!(told.contains(fits), "{requirement}: {told}");
    }
}

/// Where the requirement does not tell, the files found do.
#[test]
fn the_names_of_files_tell_a_tool_from_a_service() {
    for (path, uses, is_service) in [
        ("src/cli/orders.rs", "serde", false),
        ("src/routes/orders.rs", "serde", true),
        ("src/orders.rs", "clap", false),
        ("src/orders.rs", "github.com/spf13/cobra", false),
        ("src/orders.rs", "flask", true),
        ("src/orders.rs", "serde", true),
    ] {
        let mut found = survey();
        found.hits.truncate(1);
        found.hits[0].path = path.to_owned();
        found.uses = vec![uses.to_owned()];
        let requirement = "Export the list as CSV";
        let mut meeting = Meeting::open(requirement, offline_inputs(Lang::En));
        meeting.record(Event::KnowledgeSearch { survey: found });
        meeting.run(&mut |state, call| answer(state, call).unwrap());
        assert_clean(&meeting);
        let told = all_of(&meeting);
        assert_eq!(
            told.contains("while the user waits"),
            is_service,
            "{path} {uses}"
        );
    }
}
