//! How a comparison is printed. Which differences are shown is played in
//! `crates/workshop/tests/played/comparisons.md`.

use aitc::check::diff;
use aitc::machine::Lang;

use crate::support::plans::good;
use crate::support::shown::{listed, style};

#[test]
fn a_diff_is_fit_for_terminal_and_machine() {
    let mut other = good();
    other.task.requirement = "Export\u{1b}[31m everything".to_owned();
    let diff = diff(&good(), &other);
    assert!(!listed("diff", &diff, Lang::En).contains('\u{1b}'));
    let style = aitc::ui::view::Style {
        color: true,
        ..style(200)
    };
    let coloured = aitc::ui::view::list("diff", &diff, &style);
    assert!(coloured.contains("\u{1b}[33m") && !coloured.contains("\u{1b}[31m everything"));
    let json = serde_json::to_value(&diff).unwrap();
    assert_eq!(
        json["groups"][0]["changed"][0]["fields"][0]["field"],
        "requirement"
    );
}
