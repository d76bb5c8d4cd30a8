//! What is wished for in sentences that lean on the one before.

use super::*;

/// A rule behind a colon forbids itself, not what it belongs to; any other detail stays there.
#[test]
fn a_rule_behind_a_colon_is_a_need_of_its_own() {
    for (requirement, needs) in [
        (
            "A kiosk mode for the museum: visitors must never reach the settings",
            &[
                "A kiosk mode for the museum",
                "visitors must never reach the settings",
            ][..],
        ),
        (
            "Add a guest list: hosts can invite up to 20 guests",
            &["Add a guest list: hosts can invite up to 20 guests"],
        ),
        (
            "Careful: names must not be shown",
            &["Careful: names must not be shown"],
        ),
    ] {
        assert_eq!(split_needs(requirement), needs, "{requirement}");
    }
}

/// What those do of whom a need speaks is a part of it, and where it is long a need of its
/// own; what they are or have is told about them.
#[test]
fn what_they_do_is_wished_for_and_what_they_are_is_told() {
    let returns = "Customers should be able to return items within 30 days";
    let label = "They get a label by e-mail";
    let steps = "They pick the items and a reason, get a label by e-mail, and see the state of the return in their account";
    let tool =
        "Build a command line tool that reads a folder of Markdown files and lists broken links";
    for (requirement, needs, background) in [
        (
            format!("{returns}. {label}."),
            vec![format!("{returns}. {label}")],
            vec![],
        ),
        (
            format!("{returns}. {steps}."),
            vec![returns.to_owned(), steps.to_owned()],
            vec![],
        ),
        (
            format!("{tool}. It should check links between files and, optionally, external URLs."),
            vec![
                tool.to_owned(),
                "It should check links between files and, optionally, external URLs".to_owned(),
            ],
            vec![],
        ),
        (
            format!("{returns}. They are often in a hurry."),
            vec![returns.to_owned()],
            vec!["They are often in a hurry".to_owned()],
        ),
        (
            format!("We run a shop with two clerks. They send every parcel alone. {returns}."),
            vec![returns.to_owned()],
            vec![
                "We run a shop with two clerks".to_owned(),
                "They send every parcel alone".to_owned(),
            ],
        ),
    ] {
        let read = read_requirement(&requirement);
        assert_eq!(read.needs, needs, "{requirement}");
        assert_eq!(read.background, background, "{requirement}");
    }
}

/// A need is named by what is wished for, not by the wish.
#[test]
fn what_we_need_is_named_without_saying_so() {
    for (requirement, needs) in [
        (
            "We need a way back for one week.",
            &["a way back for one week"][..],
        ),
        (
            "We need more than three exports",
            &["We need more than three exports"],
        ),
        (
            "想做一个库存系统，每次变动记录操作人",
            &["库存系统，每次变动记录操作人"],
        ),
    ] {
        assert_eq!(split_needs(requirement), needs, "{requirement}");
    }
}

/// What follows upon how things are is wished for, in whatever words it is ordered.
#[test]
fn an_order_about_how_things_are_is_a_need() {
    for (requirement, needs) in [
        (
            "Our page loads 4 MB of scripts. Get it under 1 MB.",
            &["Our page loads 4 MB of scripts. Get it under 1 MB"][..],
        ),
        (
            "我们要把订单服务从单体里拆出来，做成独立的服务。",
            &["我们要把订单服务从单体里拆出来，做成独立的服务"],
        ),
        (
            "Deletion takes effect after 14 days, during which the user can cancel it.",
            &["Deletion takes effect after 14 days, during which the user can cancel it"],
        ),
        (
            "Rows with errors must not stop the import. They go to a report.",
            &[
                "Rows with errors must not stop the import",
                "They go to a report",
            ],
        ),
        (
            "Our API returns prices as floats, which leads to rounding errors. Change them to integers in cents.",
            &[
                "Our API returns prices as floats, which leads to rounding errors. Change them to integers in cents",
            ],
        ),
        (
            "Show delivery times. They come from the carrier. If it does not answer within 300 ms show a typical time instead.",
            &[
                "Show delivery times",
                "If it does not answer within 300 ms show a typical time instead",
            ],
        ),
        (
            "要求：列名不一致时提示用户；重复行按指定列去重；余额不足不能订餐，退款原路返回。",
            &[
                "列名不一致时提示用户",
                "重复行按指定列去重",
                "余额不足不能订餐",
                "退款原路返回",
            ],
        ),
        (
            "Failed jobs are retried three times with growing pauses and then parked where an operator can see them",
            &[
                "Failed jobs are retried three times with growing pauses and then parked where an operator can see them",
            ],
        ),
        (
            "Usage per month and group goes to accounting as a file",
            &["Usage per month and group goes to accounting as a file"],
        ),
        (
            "1. Save the cart\n2. Measure how many come back\nConstraint: tracking must not leave the house.",
            &[
                "Save the cart",
                "Measure how many come back",
                "tracking must not leave the house",
            ],
        ),
        (
            "Rewrite the scripts as a command. Same flags as today. It prints what it would do, asks before touching production, and rolls back when a check fails within five minutes.",
            &[
                "Rewrite the scripts as a command",
                "Same flags as today",
                "It prints what it would do, asks before touching production, and rolls back when a check fails within five minutes",
            ],
        ),
        (
            "Speed up the import of supplier prices from the three partner systems. It takes four hours, and buyers who come in at eight wait for it.",
            &[
                "Speed up the import of supplier prices from the three partner systems. It takes four hours, and buyers who come in at eight wait for it",
            ],
        ),
    ] {
        assert_eq!(split_needs(requirement), needs, "{requirement}");
    }
}
