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
    assert_eq!(split_needs(&many).len(), 8);
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
