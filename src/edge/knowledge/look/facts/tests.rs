#![allow(clippy::unwrap_used)]
use std::path::Path;

use super::*;

const FILES: [(&str, &str); 8] = [
    (
        "src/store.py",
        "class Table:\n    def upsert(self, row):\n        return row\n\ndef load(path):\n    return path\n",
    ),
    (
        "src/api.py",
        "from store import Table\n\ndef put(row):\n    Table().upsert(row)\n",
    ),
    ("src/admin/load.py", "def load(path):\n    return 1\n"),
    ("src/admin/store.py", "LIMIT = 3\n"),
    ("tests/test_store.py", "from store import Table\n"),
    (
        "tests/admin/test_store.py",
        "from cli import run\n\nmain = run(branch=\"main\")\n",
    ),
    (
        "src/cli.py",
        "class Copy:\n    def main(self):\n        run(1)\n\nclass Update:\n    def main(self):\n        run(2)\n\n    def run(self):\n        pass\n\ndef run(n):\n    pass\n",
    ),
    ("docs/store.md", "`upsert` is described here.\n"),
];

fn symbol(name: &str, change: SymbolChange) -> Symbol {
    Symbol {
        name: name.to_owned(),
        change,
    }
}

fn facts(path: &str, change: Change, symbols: Vec<Symbol>) -> FileFacts {
    let dir = tempfile::tempdir().unwrap();
    for (path, text) in FILES {
        let path = dir.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let search = Search {
        root: dir.path(),
        knowledge: &[],
        redact: &str::to_owned,
        stop: &|| false,
        cache: None,
    };
    let impact = FileImpact {
        path: path.to_owned(),
        change,
        to: None,
        what: String::new(),
        symbols,
        modules: Vec::new(),
    };
    let exists = |path: &str| dir.path().join(Path::new(path)).exists();
    search.facts(&[impact], &exists).remove(0)
}

/// File, symbol, its change; then whether the file mentions it, where it is defined, and who calls
/// it.
const SYMBOLS: &str = "\
src/store.py Table new yes src/store.py:1 -
src/new.py Table new - src/store.py:1 -
src/new.py Sheet new - - -
# Users of a changed class need not change; those of a removed one must.
src/store.py Table modify yes src/store.py:1 -
src/store.py Table remove yes src/store.py:1 src/api.py,tests/test_store.py
# Another function may have the same name.
src/new.py put new - - -
src/store.py Table.upsert modify yes src/store.py:2 src/api.py
src/store.py Table::upsert() remove yes src/store.py:2 src/api.py
# Defined twice: it is unknown which definition a file uses.
src/store.py load modify yes src/store.py:5 -
src/api.py upsert modify yes src/store.py:2 -
src/store.py put modify no src/api.py:3 -
# Nor is it known for two methods of one file, or a method and a function.
src/cli.py Copy.main modify yes src/cli.py:2 -
src/cli.py run remove yes src/cli.py:9 -";

#[test]
fn symbols_are_looked_for_where_they_are_said_to_be_and_elsewhere() {
    for case in SYMBOLS.lines().filter(|line| !line.starts_with('#')) {
        let [path, name, change, is_named, defined, callers] =
            std::array::from_fn(|n| case.split(' ').nth(n).unwrap());
        let change = serde_json::from_value(change.into()).unwrap();
        let is_named = (is_named != "-").then_some(is_named == "yes");
        let defined = (defined != "-").then_some(defined);
        let callers: Vec<&str> = callers.split(',').filter(|it| *it != "-").collect();
        let found = facts(path, Change::Modify, vec![symbol(name, change)]);
        let found = &found.symbols[0];
        assert_eq!(found.is_named, is_named, "{case}");
        assert_eq!(found.defined.as_deref(), defined, "{case}");
        assert_eq!(found.callers, callers, "{case}");
    }
}

#[test]
fn tests_belong_to_the_file_of_their_name_that_lies_nearest() {
    for (path, change, tests) in [
        ("src/store.py", Change::Modify, &["tests/test_store.py"][..]),
        (
            "src/admin/store.py",
            Change::Delete,
            &["tests/admin/test_store.py"],
        ),
        ("src/store.py", Change::Create, &[]),
        ("src/api.py", Change::Modify, &[]),
        ("docs/store.md", Change::Modify, &[]),
    ] {
        assert_eq!(facts(path, change, Vec::new()).tests, tests, "{path}");
    }
}
