//! Tests of pages for a terminal.

use textwrap::core::display_width;

use super::*;
use crate::ui::view::samples;

const PAGE: &str = "\
# Export 导出客户列表

**Status: agreed** · v1 · `aitc export` and *more*.
One sentence a line
makes one paragraph.
中文的换行
不加空格。

## 1 What you decide

| # | Decide | We recommend |
| --- | --- | --- |
| 1 | Who may **export** the list of customers, and who may see that it was exported? | Administrators only |
| 2 | 导出文件里要包含哪些列，其中有没有个人信息？ | 屏幕上的列 |

- one item that is long enough to be wrapped at sixty columns, as most of them are
  - a second one within
    1. first
    2. second
- another: [the page](https://example.org/a) and <https://example.org/b>

> A word of warning.

```mermaid
flowchart LR
  a[\"x\"] --> b
```

<details><summary>Where it comes from</summary>

| Model | Tokens |
| --- | --- |
| m-1 | 12 |

</details>

### Last

---
The end ~~of it~~.
";

fn style(width: usize) -> Style {
    Style {
        width,
        ..samples::style()
    }
}

#[test]
fn a_page_at_every_width() {
    for width in [40, 60, 100] {
        let page = markdown(PAGE, &style(width));
        for line in page.lines().filter(|line| !line.starts_with("    ")) {
            assert!(display_width(line) <= width, "{line}");
        }
        insta::assert_snapshot!(format!("markdown_{width}"), page);
    }
}

#[test]
fn in_words_for_those_who_do_not_see_it() {
    let plain = Style {
        plain: true,
        ..style(60)
    };
    let page = markdown(PAGE, &plain);
    assert!(!page.contains(['─', '•', '│', '\x1b']), "{page}");
    assert!(page.contains("Decide: Who may export the list"), "{page}");
}

#[test]
fn every_look_ends_in_its_line() {
    let coloured = Style {
        color: true,
        ..style(40)
    };
    let text = "| A | B |\n| --- | --- |\n| **words that are bold over several lines of a cell** | and `code` here that is long too |\n\n**bold over more than one line of a paragraph, as it goes**\n";
    let page = markdown(text, &coloured);
    for line in page.lines().filter(|line| line.contains('\x1b')) {
        let ends = line.matches("\x1b[0m").count();
        let begins = line.matches("\x1b[").count() - ends;
        assert!(begins > 0 && ends >= begins, "{line:?}");
    }
    let bare = anstream::adapter::strip_str(&page).to_string();
    assert_eq!(
        bare,
        markdown(&text.replace('`', ""), &style(40)),
        "colour takes no columns"
    );
}

#[test]
fn nothing_in_a_page_steers_the_terminal() {
    let text = "# a\x1b[2Jb\n\n`c\u{9b}31m` [x\u{202e}](http://e\x07.org) <b\x1b]0;t\x07>\n\n    code\x1b[31m\n";
    for color in [false, true] {
        let page = markdown(text, &Style { color, ..style(60) });
        let bare = anstream::adapter::strip_str(&page).to_string();
        assert!(
            bare.chars().all(|c| c == '\n' || !c.is_control()),
            "{bare:?}"
        );
        assert!(
            !page.contains("\x1b[2J") && !page.contains("\x1b[31m"),
            "{page:?}"
        );
        assert!(
            !page.contains('\u{202e}') && !page.contains('\x07'),
            "{page:?}"
        );
    }
}

#[test]
fn whole_reports_keep_to_the_width_and_show_no_markup() {
    let page = include_str!("../../../../crates/workshop/tests/played/reports.md");
    let reports = page.split("\n$ section planning_report.md\n").skip(1);
    let mut read = 0;
    for report in reports {
        read += 1;
        let report = report.split("\n$ ").next().unwrap();
        let report = report.split("\n# ").next().unwrap();
        for width in [60, 80, 120] {
            let page = markdown(report, &style(width));
            for line in page.lines().filter(|line| !line.starts_with("    ")) {
                assert!(display_width(line) <= width, "{line}");
                assert!(!line.contains("**") && !line.contains("| --- |"), "{line}");
            }
        }
    }
    assert!(read >= 10, "{read} reports are on the page");
}
