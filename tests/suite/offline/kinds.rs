//! What kind of work a need is: mending, writing, taking away, making faster, building.

use super::revisions::titles;
use super::*;

/// What is told of each, and what is not: rules for building something belong to no report
/// of a fault, to no page and to nothing that goes.
#[test]
fn a_need_gets_the_rules_of_its_own_kind() {
    let fault = ("A test that shows the fault", "能显示缺陷的测试");
    let page = ("reaches the result with the page alone", "只凭这份文档");
    let gone = ("it is gone from code", "代码、设置和文档中都不再有它");
    let built = ("Sign-in, sign-up and reset answer", "第二重证明");
    for (requirement, kind) in [
        (
            "Users get logged out after 5 minutes even when they are active; they should stay logged in for 8 hours",
            fault,
        ),
        ("Customers get double e-mails since last week", fault),
        (
            "Search does not find orders with umlauts in the customer name",
            fault,
        ),
        ("The export is empty for guests. Please fix.", fault),
        ("Fix the broken links in the footer", fault),
        (
            "The price list should be fixed: it shows last year's",
            fault,
        ),
        ("When I rotate the phone the app crashes", fault),
        ("用户反映登录后经常被退出，需要修复", fault),
        (
            "The program panics when a file does not exist; it should go on with the next file",
            fault,
        ),
        ("下载的 CSV 用 Excel 打开中文乱码", fault),
        (
            "Write a migration guide for API users moving from v1 to v2",
            page,
        ),
        ("Update the README with the new login settings", page),
        ("编写接口的使用指南", page),
        ("Remove the /logout route", gone),
        ("We want to drop the payment page", gone),
        ("删除旧的登录页面", gone),
    ] {
        let lang = Lang::of(requirement);
        let of = |(en, zh): (&'static str, &'static str)| match lang {
            Lang::En => en,
            Lang::Zh => zh,
        };
        let meeting = hold(requirement, offline_inputs(lang));
        assert_clean(&meeting);
        let told = spoken(&meeting);
        assert!(told.contains(of(kind)), "{requirement}: {told}");
        assert!(!told.contains(of(built)), "{requirement}: {told}");
    }
}

/// The same words in a condition, or about what users own, ask for something to be built.
#[test]
fn what_only_sounds_like_a_fault_a_page_or_a_farewell_is_built() {
    for requirement in [
        "When the camera does not work, show a message and let the user upload a photo",
        "If the payment page does not load, offer to pay by invoice",
        "Export orders as CSV and describe it in the user guide",
        "Users can delete a page they wrote",
        "Remove orders older than ten years every night",
        "导出的 CSV 用 Excel 打开时不能乱码",
        "找不到时提示用户换一个词",
        "Let merchants sell bundles at a fixed price",
        "Build a linter for our YAML files: it reports missing keys and broken references",
        "Users can report a bug from the help menu",
        "A page shows which devices are broken or late, refreshed every minute",
        "The tool lists broken links. Exit code 1 when something is broken.",
        "用户可以提交故障报修，管理员分派维修人员",
        "文件格式不对时报错并指出行号",
    ] {
        let lang = Lang::of(requirement);
        let meeting = hold(requirement, offline_inputs(lang));
        assert_clean(&meeting);
        let told = spoken(&meeting);
        for part in [
            "A test that shows the fault",
            "能显示缺陷的测试",
            "reaches the result with the page alone",
            "只凭这份文档",
            "it is gone from code",
            "都不再有它",
        ] {
            assert!(!told.contains(part), "{requirement}: {part}");
        }
    }
}

/// What can be taken back is not kept for thirty days more, and a figure is measured.
#[test]
fn a_way_back_and_a_figure_have_rules_of_their_own() {
    for (requirement, told, not) in [
        (
            "Delete a todo with undo for 5 seconds",
            "done and undone in time",
            "29 days",
        ),
        ("删除后 5 秒内可以撤销", "做了并及时撤销", "29 天"),
        (
            "Reduce the bundle size from 900 KB to under 300 KB",
            "The first run meets the figure",
            "without help",
        ),
        ("把镜像体积降到 200 MB 以内", "前者达到该数字", "没有帮助"),
        (
            "Add a due date to todos and show late ones in red",
            "see the right values",
            "a second before the limit ends",
        ),
    ] {
        let meeting = hold(requirement, offline_inputs(Lang::of(requirement)));
        assert_clean(&meeting);
        let spoken = spoken(&meeting);
        assert!(spoken.contains(told), "{requirement}: {spoken}");
        assert!(!spoken.contains(not), "{requirement}: {spoken}");
    }
}

/// A word of a rule within another expression picks no rule.
#[test]
fn a_word_within_another_expression_picks_no_rule() {
    for (requirement, not) in [
        ("Fail the build when coverage drops below 80 %", "29 days"),
        ("Let users drag and drop their photos into order", "29 days"),
        (
            "A page that keeps the staff informed all day",
            "a day older",
        ),
    ] {
        let meeting = hold(requirement, offline_inputs(Lang::En));
        assert_clean(&meeting);
        let spoken = spoken(&meeting);
        assert!(!spoken.contains(not), "{requirement}: {spoken}");
    }
    let meeting = hold("不要引入新的数据库", offline_inputs(Lang::Zh));
    let spoken = spoken(&meeting);
    assert!(spoken.contains("按需求不做"), "{spoken}");
}

/// What is named to say that it stays calls no rules of its own up.
#[test]
fn what_must_not_break_is_not_built_anew() {
    for (requirement, subject) in [
        (
            "Upgrade Flask from 2.0 to 3.0 without breaking the login",
            "password",
        ),
        (
            "Move the images to S3 without affecting checkout and payment",
            "charge",
        ),
        ("把数据库升级到 16，不影响登录", "密码"),
    ] {
        let meeting = hold(requirement, offline_inputs(Lang::of(requirement)));
        assert_clean(&meeting);
        let told = spoken(&meeting);
        assert!(!told.contains(subject), "{requirement}: {told}");
    }
    let login = hold("Add a login with a password", offline_inputs(Lang::En));
    assert!(spoken(&login).contains("wrong password"));
}

/// Whoever asks for something sees it asked of the result, beside what its topics add.
#[test]
fn the_thing_itself_is_tried() {
    for (requirement, tried) in [
        (
            "Let customers sign in with e-mail and password on the website",
            "They try “Let customers sign in with e-mail and password on the website”",
        ),
        (
            "网站支持按客户名称搜索订单",
            "试用“网站支持按客户名称搜索订单”",
        ),
    ] {
        let meeting = hold(requirement, offline_inputs(Lang::of(requirement)));
        assert_clean(&meeting);
        let told = spoken(&meeting);
        assert!(told.contains(tried), "{requirement}: {told}");
    }
}

/// A sentence that only asks for what stands before it is no need of its own.
#[test]
fn a_request_without_an_object_stays_with_what_it_is_about() {
    for (requirement, needs) in [
        (
            "The orders page takes 12 seconds; make it load in under 1 second",
            1,
        ),
        ("The export is empty for guests. Please fix.", 1),
        ("用户反映登录后经常被退出，需要修复", 1),
        (
            "Show the stock on the product page. Make it possible to order more.",
            2,
        ),
    ] {
        assert_eq!(
            split_needs(requirement).len(),
            needs,
            "{:?}",
            split_needs(requirement)
        );
    }
}

/// A page is written in a page, and an upgrade begins in the manifest; a feature touches
/// neither.
#[test]
fn the_files_named_are_those_of_the_kind_of_work() {
    for (requirement, files) in [
        ("Write an order guide in the README", &["README.md"][..]),
        (
            "Upgrade the order library to 3.0",
            &["src/orders/list.rs", "Cargo.toml"],
        ),
        ("Show the order total", &["src/orders/list.rs"]),
    ] {
        let mut found = survey();
        found.hits.push(Hit {
            path: "Cargo.toml".to_owned(),
            terms: vec!["order".to_owned()],
            line: "order = \"2.0\"".to_owned(),
            number: 7,
        });
        let mut meeting = Meeting::open(requirement, offline_inputs(Lang::En));
        meeting.record(Event::KnowledgeSearch { survey: found });
        meeting.run(&mut |state, call| answer(state, call).unwrap());
        assert_clean(&meeting);
        let design = &meeting.state.documents[&DocumentKind::SystemDesign].content;
        let Document::SystemDesign(design) = design else {
            panic!("{design:?}")
        };
        let modified = design
            .file_impacts
            .iter()
            .filter(|file| file.change == Change::Modify);
        let named: Vec<&str> = modified.map(|file| file.path.as_str()).collect();
        assert_eq!(named, files, "{requirement}");
    }
}

/// A time for which something holds is no limit that something has to come before, and an
/// account that is locked is no record that two people edit.
#[test]
fn what_is_locked_for_a_time_holds_for_that_time() {
    for requirement in [
        "Lock an account for 15 minutes after 5 failed logins and tell the user by e-mail",
        "连续输错五次密码后锁定账户15分钟，并发邮件通知用户",
    ] {
        let lang = Lang::of(requirement);
        let told = spoken(&hold(requirement, offline_inputs(lang)));
        let holds = ["still holds a second before the end", "结束前一秒仍然有效"];
        assert!(holds.iter().any(|part| told.contains(part)), "{told}");
        for false_one in [
            "a second before the limit ends",
            "Two users have opened the same record",
            "两名用户打开同一条记录",
        ] {
            assert!(!told.contains(false_one), "{false_one} in {told}");
        }
    }
}

/// What must not be touched is not what the plan is about.
#[test]
fn what_is_not_to_be_changed_calls_no_checklist_up() {
    for requirement in [
        "Speed up the invoice list to under 200 ms; do not change the database schema",
        "发票列表加载太慢，要在 200 毫秒内返回；不要改数据库结构",
    ] {
        let lang = Lang::of(requirement);
        let told = spoken(&hold(requirement, offline_inputs(lang)));
        for part in [
            "Write the tables with constraints",
            "the database guards the rules",
        ] {
            assert!(!told.contains(part), "{part} in {told}");
        }
        assert!(
            !told.contains("建表") && !told.contains("数据库约束"),
            "{told}"
        );
    }
}

/// What is ruled out is not what is built.
#[test]
fn a_need_that_rules_something_out_calls_no_checklist_up() {
    for requirement in ["Do not log passwords", "不要在日志里打印密码"] {
        let lang = Lang::of(requirement);
        let told = spoken(&hold(requirement, offline_inputs(lang)));
        for part in ["logged in full", "完整记录", "second factor", "第二重证明"] {
            assert!(!told.contains(part), "{part} in {told}");
        }
    }
}

/// The figure that was asked for stands, and no other beside it.
#[test]
fn a_time_that_was_asked_for_is_not_replaced_by_a_usual_one() {
    let told = spoken(&hold(
        "Cache the invoice list for 5 minutes",
        offline_inputs(Lang::En),
    ));
    assert!(told.contains("the time that was asked for"), "{told}");
    assert!(!told.contains("61 seconds"), "{told}");
}

/// A bound by the day, and a picture of a week, are no work that is done by a clock.
#[test]
fn a_bound_by_the_day_is_no_schedule() {
    for requirement in [
        "把登录表单换成手机号加验证码登录，验证码五分钟内有效，每天最多发送十条",
        "Build a habit tracker with a weekly chart",
    ] {
        let lang = Lang::of(requirement);
        let told = spoken(&hold(requirement, offline_inputs(lang)));
        assert!(!told.contains("02:00"), "{told}");
    }
}

/// What was deleted before takes nothing away now.
#[test]
fn what_is_said_of_deleted_things_removes_nothing() {
    for (requirement, removes) in [
        (
            "Full-text search over tickets. Deleted tickets are not found.",
            false,
        ),
        ("工单可以全文搜索。已删除的工单不出现在结果中。", false),
        ("Delete accounts that are not found in the directory", true),
        ("Offer a quick fix that removes the class", false),
        ("Delete accounts that nobody uses", true),
        ("删除一年没有登录的账户", true),
    ] {
        let meeting = hold(requirement, offline_inputs(Lang::of(requirement)));
        assert_clean(&meeting);
        let told = spoken(&meeting);
        let is_told = ["disappears everywhere it shows", "从所有出现之处消失"];
        let is_told = is_told.iter().any(|part| told.contains(part));
        assert_eq!(is_told, removes, "{requirement}: {told}");
    }
}

/// Two needs of one kind have each their criterion and their work: the words of the rule are
/// the same, what it is shown on is not.
#[test]
fn two_needs_of_one_kind_are_both_planned() {
    for (one, other) in [
        (
            "An invitation expires after 7 days",
            "A password link expires after 2 hours",
        ),
        (
            "Guests must not see prices",
            "Drafts must not show up in the search",
        ),
        ("邀请链接 7 天内有效", "密码链接 2 小时内有效"),
    ] {
        let lang = Lang::of(one);
        let meeting = hold(&format!("{one}. {other}."), offline_inputs(lang));
        assert_clean(&meeting);
        for need in [one, other] {
            let work = titles(&meeting, DocumentKind::DevPlan, "work");
            assert!(
                work.iter().any(|title| title.ends_with(need)),
                "{need}: {work:?}"
            );
            let criteria = &product(&meeting).criteria;
            let shown = criteria.iter().any(|c| c.given.contains(need));
            assert!(shown, "{need}: {criteria:#?}");
        }
    }
}
