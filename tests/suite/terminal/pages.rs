//! `show` on a terminal: pages laid out for its width and shown by the user's pager.

use super::*;

/// A place with a version whose report contains Chinese.
fn published() -> Place {
    let place = Place::new();
    let wish = "导出客户列表为 CSV：只有管理员可以导出";
    place
        .run(&["plan", wish, "--questions", "assume", "--light"])
        .ends(0);
    place
}

fn show(place: &Place, arguments: &[&str], variables: &[(&str, &str)]) -> Closed {
    let mut command = place.command(&["show"]);
    command.args(arguments).env_remove("COLUMNS");
    command.env("TERM", "xterm-256color");
    command.env("PATH", std::env::var_os("PATH").unwrap());
    command.envs(variables.iter().copied());
    let closed = OnTerminal::all_of(command, (60, 24)).closes();
    assert_eq!(closed.code, 0, "{:#?}", closed.rows);
    assert!(closed.was_restored);
    closed
}

#[test]
fn a_report_is_set_for_the_terminal_and_a_file_is_a_file() {
    let place = published();
    let closed = show(&place, &["--no-pager"], &[]);
    let all = closed.rows.join("\n");
    assert!(!all.contains("| --- |") && !all.contains("**"), "{all}");
    assert!(all.contains("── ") && all.contains('─'), "{all}");
    let wide = |row: &&String| unicode_width::UnicodeWidthStr::width(row.as_str()) > 60;
    assert_eq!(closed.rows.iter().find(wide), None);
    let report = place.text("v1/planning_report.md");
    assert_eq!(place.run(&["show"]).ends(0).out, report);
}

/// Lists fit a small window, whatever their columns contain.
#[test]
fn lists_keep_to_the_width_of_the_terminal() {
    let place = published();
    for lang in ["en", "zh"] {
        for (width, line) in [50_u16, 80].into_iter().flat_map(|width| {
            [
                &["why", "C-1"][..],
                &["roles", "list"],
                &["models"],
                &["config", "show"],
                &["config", "show", "--origin"],
            ]
            .map(|line| (width, line))
        }) {
            let mut command = place.command(line);
            command.args(["--lang", lang]).env_remove("COLUMNS");
            command.env("TERM", "xterm-256color");
            // The window is wide, so a row that is too long is not wrapped.
            command.env("COLUMNS", width.to_string());
            let closed = OnTerminal::all_of(command, (200, 24)).closes();
            assert_eq!(closed.code, 0, "{line:?} {:#?}", closed.rows);
            let wide = |row: &&String| {
                unicode_width::UnicodeWidthStr::width(row.as_str()) > usize::from(width)
            };
            assert_eq!(
                closed.rows.iter().find(wide),
                None,
                "{line:?} {lang} {width}"
            );
        }
    }
}

#[test]
fn the_pager_is_the_users_own() {
    let place = published();
    let kept = place.work().join("page");
    let pager = format!("cat > '{}'; echo $LESS > '{0}.less'", kept.display());
    for variables in [
        &[("AITC_PAGER", &*pager), ("PAGER", "false")][..],
        &[("PAGER", &*pager)],
    ] {
        let closed = show(&place, &[], variables);
        assert_eq!(
            closed.rows,
            Vec::<String>::new(),
            "all of it is in the pager"
        );
        let page = std::fs::read_to_string(&kept).unwrap();
        assert!(page.contains("\x1b[1m") && page.contains("── "), "{page}");
        let options = std::fs::read_to_string(place.work().join("page.less")).unwrap();
        assert_eq!(options, "FRX\n");
        std::fs::remove_file(&kept).unwrap();
    }
    show(&place, &[], &[("PAGER", &pager), ("LESS", "S")]);
    let options = std::fs::read_to_string(place.work().join("page.less")).unwrap();
    assert_eq!(options, "S\n", "who has set them wants them so");
}

#[test]
fn without_a_pager_the_page_is_printed() {
    let place = published();
    let pager = format!("touch '{}'", place.work().join("paged").display());
    for (arguments, variables) in [
        (&["--no-pager"][..], &[("PAGER", &*pager)][..]),
        (&[], &[("PAGER", "")]),
        (&[], &[("PAGER", "cat")]),
        (&[], &[("PAGER", "/nowhere/pager 2>/dev/null")]),
        (&[], &[("PAGER", &*pager), ("TERM", "dumb")]),
        (&[], &[("PAGER", &*pager), ("CI", "1")]),
        (&["--json"], &[("PAGER", &*pager)]),
        (&["I-1"], &[("PAGER", "cat")]),
        (&["design"], &[("PAGER", "cat")]),
    ] {
        let closed = show(&place, arguments, variables);
        assert!(!closed.rows.is_empty(), "{arguments:?} {variables:?}");
        assert!(
            !place.work().join("paged").exists(),
            "{arguments:?} {variables:?}"
        );
    }
}

#[test]
fn a_debate_is_a_page_too() {
    let place = Place::new();
    let wish =
        "Export every row of the customer list as CSV in the request, at any size, within a second";
    place.run(&["plan", wish, "--questions", "assume"]);
    let path = place.outputs("v1/debates/D-1.md");
    let Ok(text) = std::fs::read_to_string(path) else {
        place.run(&["show", "D-1"]).fails(2, &["has no debate D-1"]);
        return;
    };
    assert_eq!(place.run(&["show", "D-1"]).ends(0).out, text);
    place.run(&["show", "D-9"]).fails(2, &["has no debate D-9"]);
}

#[test]
fn a_pager_that_cannot_be_started_is_told() {
    use std::os::unix::fs::PermissionsExt as _;
    let place = published();
    // The pager exists but is not executable.
    let folder = place.work().join("programs");
    place.write("programs/less", "#!/bin/sh\n");
    let less = folder.join("less");
    std::fs::set_permissions(&less, std::fs::Permissions::from_mode(0o644)).unwrap();
    for (lang, said) in [("en", "error[E-pager]"), ("zh", "错误[E-pager]")] {
        let mut command = place.command(&["show", "--lang", lang]);
        command.env("TERM", "xterm-256color").env("PATH", &folder);
        let closed = OnTerminal::all_of(command, (80, 24)).closes();
        assert_eq!(closed.code, 1, "{:#?}", closed.rows);
        assert_eq!(closed.holding(said).len(), 1, "{:#?}", closed.rows);
        assert!(closed.was_restored);
    }
}
