#![allow(clippy::unwrap_used)]
use super::super::parse::parse;
use super::*;

fn source(path: &str, text: &str) -> SourceFile {
    SourceFile {
        path: path.to_owned(),
        text: text.to_owned(),
        outline: parse(path, text).into(),
    }
}

fn tree() -> Vec<SourceFile> {
    let filler: String = (0..60)
        .map(|n| format!("/// Step {n}.\nfn step{n}() {{\n    work({n});\n    rest({n});\n}}\n\n"))
        .collect();
    let orders =
        format!("{filler}/// Exports.\nfn export_orders(to: Csv) {{\n    to.write();\n}}\n");
    vec![
        source("Cargo.lock", "export orders csv export orders csv\n"),
        source(
            "docs/orders.md",
            "# Orders\n\nAn export of orders as CSV.\n",
        ),
        source("src/list.rs", "pub fn list() {}\n"),
        source("src/orders.rs", &orders),
        source("src/other.rs", &filler),
        source("tests/list.rs", "fn lists() { list(); }\n"),
        source(
            "tests/orders.rs",
            "#[test]\nfn exported() { export_orders(csv); }\n",
        ),
    ]
}

fn paths(files: &[SourceFile], requirement: &str, history: &[Commit]) -> Vec<String> {
    let ranked = rank(&Query::of(requirement), files, history);
    let files = ranked.files.iter().map(|at| files[*at].path.clone());
    files.collect()
}

fn length(text: &str) -> usize {
    text.chars().count()
}

#[test]
fn code_comes_before_tests_texts_and_what_machines_write() {
    let found = paths(&tree(), "Export the orders as CSV", &[]);
    let wanted = [
        "src/orders.rs",
        "tests/orders.rs",
        "docs/orders.md",
        "Cargo.lock",
    ];
    assert_eq!(found, wanted);
    assert_eq!(paths(&tree(), "Swim", &[]), [] as [&str; 0]);
}

/// `list` is not in the requirement, only in an earlier commit message.
#[test]
fn the_past_and_its_pair_bring_a_file_in() {
    let commit = |message: &str, path: &str| Commit {
        message: message.to_owned(),
        paths: vec![path.to_owned()],
    };
    let history = [
        commit("Sort the rows", "src/list.rs"),
        commit("Swim", "src/other.rs"),
    ];
    let found = paths(&tree(), "Sort the rows anew", &history);
    assert_eq!(found[..2], ["src/list.rs", "tests/list.rs"]);
    // A commit that touches everything is ignored.
    let mut wide = commit("Sort the rows", "src/list.rs");
    wide.paths.extend((0..80).map(|n| n.to_string()));
    assert_eq!(
        paths(&tree(), "Sort the rows anew", &[wide]),
        [] as [&str; 0]
    );
}

#[test]
fn a_file_that_is_named_comes_first() {
    let found = paths(&tree(), "Export orders as Cargo.lock says", &[]);
    assert_eq!(found[0], "Cargo.lock");
}

#[test]
fn the_room_is_kept_and_each_path_stands_once() {
    let files = tree();
    let ranked = rank(&Query::of("Export the orders as CSV"), &files, &[]);
    for room in [0, 40, 200, 600, 3_000, 100_000] {
        let shown = fill(&ranked, &files, room, &length);
        let mut seen: Vec<usize> = shown.iter().map(|(file, _)| *file).collect();
        seen.sort_unstable();
        let count = seen.len();
        seen.dedup();
        assert_eq!(seen.len(), count, "{room}");
        let used: usize = shown
            .iter()
            .map(|(file, lines)| {
                let text = &files[*file].text;
                let blocks = lines.iter().map(|(from, to, name)| {
                    assert!(from <= to);
                    length(&lines_of(text, *from, *to)) + length(name) + 4
                });
                length(&files[*file].path) + 1 + blocks.sum::<usize>()
            })
            .sum();
        assert!(used <= room, "{room}: {used}");
        if room == 600 {
            let (file, lines) = &shown[0];
            assert_eq!(files[*file].path, "src/orders.rs");
            let text: Vec<String> = lines
                .iter()
                .map(|(from, to, _)| lines_of(&files[*file].text, *from, *to))
                .collect();
            assert!(
                text.join("\n").contains("fn export_orders(to: Csv)"),
                "{text:?}"
            );
        }
    }
}

#[test]
fn the_same_is_given_for_the_same() {
    let files = tree();
    let query = Query::of("Export the orders as CSV");
    let once = |_| fill(&rank(&query, &files, &[]), &files, 900, &length);
    let all: Vec<_> = (0..3).map(once).collect();
    assert!(all.windows(2).all(|pair| pair[0] == pair[1]));
}

#[test]
fn of_a_large_tree_the_best_are_parsed() {
    let query = Query::of("Export the orders as CSV");
    let scanned: Vec<Scanned> = (0..50)
        .map(|n| Scanned {
            path: format!("src/f{n}.rs"),
            body: query.count(if n == 33 { "export orders" } else { "swim" }),
        })
        .chain([Scanned {
            path: "src/orders.rs".to_owned(),
            body: Counts::default(),
        }])
        .collect();
    let mut best = candidates(&query, &scanned, &[], 2);
    best.sort_unstable();
    assert_eq!(best, [33, 50]);
    assert_eq!(candidates(&query, &scanned, &[], 51).len(), 51);
}

#[test]
fn shown_lines_are_less_blank_ones_and_what_all_are_indented_by() {
    let text = "a\n    b\n\n        c\n    d\n";
    assert_eq!(lines_of(text, 2, 5), "b\n    c\nd");
    assert_eq!(lines_of(text, 1, 2), "a\n    b");
    assert_eq!(lines_of(text, 9, 12), "");
}
