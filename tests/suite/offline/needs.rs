//! How a requirement is split into needs.

use super::*;

#[test]
fn needs_are_split_where_a_clause_has_its_own_verb() {
    let table: &[(&str, &[&str])] = &[
        (
            ENGLISH,
            &[
                "Add CSV export of orders with a date filter",
                "only admins may export",
            ],
        ),
        (
            "Export orders and invoices",
            &["Export orders and invoices"],
        ),
        (
            "Search and filter products by price, size and colour",
            &["Search and filter products by price, size and colour"],
        ),
        (
            "Let users upload a photo, and resize it to 200 pixels",
            &["Let users upload a photo", "resize it to 200 pixels"],
        ),
        (
            "When a payment fails, send an email to the customer",
            &["When a payment fails, send an email to the customer"],
        ),
        (
            "- Import contacts\n- Export contacts\n\n1. Show a list of errors",
            &[
                "Import contacts",
                "Export contacts",
                "Show a list of errors",
            ],
        ),
        (
            "# Orders\n\nWe need to archive old orders. Please keep version 2.0 working.",
            &["archive old orders", "keep version 2.0 working"],
        ),
        (
            "Customers can cancel an order and admins must approve refunds",
            &[
                "Customers can cancel an order",
                "admins must approve refunds",
            ],
        ),
        (
            CHINESE,
            &["增加订单 CSV 导出", "支持按日期筛选", "只有管理员可以导出"],
        ),
        (
            "支持姓名、电话、地址的导入",
            &["支持姓名、电话、地址的导入"],
        ),
        (
            "用户可以上传头像，并且自动压缩图片。管理员需要审核！",
            &["用户可以上传头像", "自动压缩图片", "管理员需要审核"],
        ),
        (
            "当付款失败时，发送邮件通知客户",
            &["当付款失败时，发送邮件通知客户"],
        ),
        ("x", &["x"]),
    ];
    for (text, needs) in table {
        assert_eq!(&split_needs(text), needs, "{text}");
    }
    let many: String = (0..20)
        .map(|i| {
            format!(
                "- Build part {i} of {}\n",
                "abcdefghijklmnopqrst"
                    .chars()
                    .nth(i)
                    .unwrap()
                    .to_string()
                    .repeat(9)
            )
        })
        .collect();
    assert_eq!(split_needs(&many).len(), 20);
    // Of more needs than can be discussed neighbours go together, and none is lost.
    let many: String = (10..60)
        .map(|i| format!("- Build part {i} of it\n"))
        .collect();
    let read = split_needs(&many);
    assert_eq!(read.len(), 25);
    assert_eq!(read[24], "Build part 58 of it; Build part 59 of it");
}

#[test]
fn needs_are_read_as_people_write_them() {
    let table: &[(&str, &[&str])] = &[
        // A sentence that points back stays with what it points at.
        (
            "The list shows a negative total. Fix this and make sure totals never go below zero.",
            &["The list shows a negative total. Fix this and make sure totals never go below zero"],
        ),
        // A heading sentence names its list; background and dates are no needs.
        (
            "Introduce gift cards.\n\nBackground: support gets mails.\n\n- Customers can buy a gift card\n- Cards expire after three years\n\nWe would like to release this before spring.",
            &[
                "Customers can buy a gift card",
                "Cards expire after three years",
            ],
        ),
        (
            "Add dark mode.\n\n- Import contacts\n- Export contacts",
            &["Add dark mode", "Import contacts", "Export contacts"],
        ),
        // What only keeps the rest is a need of its own.
        (
            "Sort the list by date, everything else stays as it is",
            &["Sort the list by date", "everything else stays as it is"],
        ),
        (
            "管理员可以导出订单。其他用户也可以导出自己的订单",
            &["管理员可以导出订单", "其他用户也可以导出自己的订单"],
        ),
        (
            "用户可以给照片添加备注，其他用户也可以看到备注",
            &["用户可以给照片添加备注", "其他用户也可以看到备注"],
        ),
        ("列表按日期排序，其余不变", &["列表按日期排序", "其余不变"]),
        // A semicolon before half a sentence, and a second verb of the same subject.
        (
            "A code can be redeemed at checkout; what is left stays on the card",
            &["A code can be redeemed at checkout; what is left stays on the card"],
        ),
        (
            "Staff can look up a card and block a stolen one",
            &["Staff can look up a card and block a stolen one"],
        ),
    ];
    for (text, needs) in table {
        assert_eq!(&split_needs(text), needs, "{text}");
    }
}

/// Chinese puts a comma where English puts a full stop, and one verb after another.
#[test]
fn chinese_clauses_with_a_verb_of_their_own_are_needs() {
    let table: &[(&str, &[&str])] = &[
        (
            "为订单系统增加多语言支持和短信通知，数据库从MySQL迁移到PostgreSQL，上线要能回滚",
            &[
                "为订单系统增加多语言支持和短信通知",
                "数据库从MySQL迁移到PostgreSQL",
                "上线要能回滚",
            ],
        ),
        (
            "用户可以上传头像,支持裁剪、压缩,并且管理员可以审核",
            &["用户可以上传头像", "支持裁剪、压缩", "管理员可以审核"],
        ),
        (
            "订单可以取消并且退款要原路返回",
            &["订单可以取消", "退款要原路返回"],
        ),
        (
            "MySQL 数据库要迁移到 PostgreSQL，旧接口至少保留半年",
            &["MySQL 数据库要迁移到 PostgreSQL", "旧接口至少保留半年"],
        ),
        (
            "列表支持分页，单页不超过100条，每个字段都可以排序",
            &["列表支持分页", "单页不超过100条", "每个字段都可以排序"],
        ),
        // Lists of nouns, verbs in nouns among them, stay whole.
        (
            "改造首页，订单支付页面，个人中心",
            &["改造首页，订单支付页面，个人中心"],
        ),
        (
            "导出字段包括姓名，邮箱，登录时间，注册来源",
            &["导出字段包括姓名，邮箱，登录时间，注册来源"],
        ),
        (
            "支持微信、支付宝、银联三种支付方式",
            &["支持微信、支付宝、银联三种支付方式"],
        ),
        // When something holds, why, and what for is part of the need.
        (
            "用户付款失败时，发送邮件提醒他",
            &["用户付款失败时，发送邮件提醒他"],
        ),
        (
            "审核通过后，文章发布到首页",
            &["审核通过后，文章发布到首页"],
        ),
        (
            "如果库存不足，就提示用户并取消订单",
            &["如果库存不足，就提示用户并取消订单"],
        ),
        (
            "因为旧系统太慢，所以要把数据库迁移到新集群",
            &["因为旧系统太慢，所以要把数据库迁移到新集群"],
        ),
        (
            "为每个订单生成二维码，方便门店扫描",
            &["为每个订单生成二维码，方便门店扫描"],
        ),
        (
            "导出文件按月拆分，否则财务要手工切开",
            &["导出文件按月拆分，否则财务要手工切开"],
        ),
        (
            "每次登录失败，都要记录来源地址",
            &["每次登录失败，都要记录来源地址"],
        ),
        (
            "接口返回 JSON（字段含编号，名称，要显示的状态），缓存一分钟",
            &[
                "接口返回 JSON（字段含编号，名称，要显示的状态）",
                "缓存一分钟",
            ],
        ),
        ("用户可以同时导出多个文件", &["用户可以同时导出多个文件"]),
    ];
    for (text, needs) in table {
        assert_eq!(&split_needs(text), needs, "{text}");
    }
}

/// Who somebody is and how it is done today is no work; what is wrong with it is.
#[test]
fn how_things_are_is_background_unless_it_is_a_complaint() {
    for (requirement, needs, background) in [
        (
            "Our shop has 20,000 customers. They complain about long waits. Make search answer in 200 ms.",
            &["Make search answer in 200 ms"][..],
            2,
        ),
        (
            "We run a shop on Postgres. Orders are exported by hand every Friday, which takes two hours. Automate the export and mail it to accounting.",
            &["Automate the export and mail it to accounting"],
            2,
        ),
        (
            "我们有三家门店，库存用 Excel 管理。希望做一个库存系统，支持入库、出库和盘点。",
            &["希望做一个库存系统", "支持入库、出库和盘点"],
            1,
        ),
        ("作为管理员，我希望能够批量导入用户。", &["批量导入用户"], 1),
        (
            "Our login is too slow. Add a logout button.",
            &["Our login is too slow", "Add a logout button"],
            0,
        ),
        (
            "We are missing a search. Add dark mode.",
            &["We are missing a search", "Add dark mode"],
            0,
        ),
        (
            "Show free slots. Book a slot by phone number. In the shop the slots are sold by phone.",
            &["Show free slots", "Book a slot by phone number"],
            1,
        ),
        (
            "Currently orders are exported by hand. Automate this.",
            &["Currently orders are exported by hand. Automate this"],
            0,
        ),
        (
            "我们是一个小团队。现在的用户列表接口要 8 秒。希望 500 毫秒内返回，并且支持按状态筛选。",
            &[
                "现在的用户列表接口要 8 秒。希望 500 毫秒内返回",
                "支持按状态筛选",
            ],
            1,
        ),
        ("We export orders as CSV", &["We export orders as CSV"], 0),
        (
            "Teachers enter grades in a spreadsheet today. Customers complain about late refunds. Build a refund queue.",
            &["Build a refund queue"],
            2,
        ),
        (
            "目前我们用表格记录库存。客户抱怨发货慢。需要一个库存管理页面。",
            &["需要一个库存管理页面"],
            2,
        ),
        (
            "Add dark mode. Members can also do this by themselves:\n- import contacts\n- export contacts",
            &["Add dark mode", "import contacts", "export contacts"],
            1,
        ),
        (
            "New users see a checklist of five steps. Completed steps are ticked off.",
            &[
                "New users see a checklist of five steps",
                "Completed steps are ticked off",
            ],
            0,
        ),
        (
            "We have to keep orders for ten years",
            &["We have to keep orders for ten years"],
            0,
        ),
    ] {
        let read = read_requirement(requirement);
        assert_eq!(read.needs, needs, "{requirement}");
        assert_eq!(read.background.len(), background, "{requirement}: {read:?}");
    }
}

/// What introduces a list names the whole, and is no need of its own.
#[test]
fn a_sentence_that_introduces_a_list_frames_it() {
    for (requirement, whole, needs) in [
        (
            "The new settings page must let admins:\n- change the logo\n- invite colleagues",
            "The new settings page must let admins",
            &["change the logo", "invite colleagues"],
        ),
        (
            "设置页面要允许管理员：\n- 更换公司图标\n- 邀请同事加入",
            "设置页面要允许管理员",
            &["更换公司图标", "邀请同事加入"],
        ),
    ] {
        let read = read_requirement(requirement);
        assert_eq!(read.whole.as_deref(), Some(whole));
        assert_eq!(read.needs, needs);
    }
}

/// Who wants something, and what for, calls no rules up; what is wanted is the need.
#[test]
fn of_a_user_story_the_wish_is_the_need() {
    for (requirement, needs, background) in [
        (
            "As a warehouse worker I want to scan barcodes with my phone so that stock counts are faster.",
            &["scan barcodes with my phone"][..],
            &["As a warehouse worker", "so that stock counts are faster"][..],
        ),
        (
            "As an editor, I can restore a draft. Drafts are kept for 30 days.",
            &["restore a draft", "Drafts are kept for 30 days"],
            &["As an editor"],
        ),
        (
            "作为仓库管理员，我希望用手机扫描条码，以便更快盘点。",
            &["用手机扫描条码"],
            &["作为仓库管理员", "以便更快盘点"],
        ),
        (
            "As a rule, export only what was asked for",
            &["As a rule, export only what was asked for"],
            &[],
        ),
    ] {
        let read = read_requirement(requirement);
        assert_eq!(read.needs, needs, "{requirement}");
        assert_eq!(read.background, background, "{requirement}");
    }
}

/// What is to be there instead is told together with what is there.
#[test]
fn what_is_wanted_instead_stays_with_the_complaint() {
    for (requirement, needs) in [
        (
            "Our library panics on malformed UTF-8 in config files. Return an error with line and column instead.",
            &[
                "Our library panics on malformed UTF-8 in config files. Return an error with line and column instead",
            ][..],
        ),
        (
            "The list loads all orders. Show 50 of them instead.",
            &["The list loads all orders. Show 50 of them instead"],
        ),
    ] {
        assert_eq!(split_needs(requirement), needs, "{requirement}");
    }
}
