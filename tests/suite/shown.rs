//! What a terminal shows of meetings in memory: the pages of `tests/shown`, by the player of
//! [`played`](crate::support::played) with the queries of [`shown`].

use std::path::Path;

use aitc::edge::knowledge::Search;

use crate::support::meeting::{Looks, Meeting};
use crate::support::played::{self, pages};
use crate::support::shown::shown;

pages! { "tests/shown", shown; documents endings reviews teams versions }

/// A search of a folder alone.
fn search(root: &Path) -> Search<'_> {
    Search {
        root,
        knowledge: &[],
        redact: &str::to_owned,
        stop: &|| false,
        cache: None,
    }
}

/// Looks into the files of a folder.
pub fn looking_into(root: &Path) -> Looks {
    let root = root.to_owned();
    Box::new(move |looks, lang| search(&root).look(looks, lang))
}

/// `reviews.md` says what is found about files; a search of such files finds the same.
#[test]
fn a_repository_is_compared_with_the_plan_as_the_page_says() {
    let table = [
        (
            "src/store.py",
            "class Table:\n    def upsert(self, row):\n        return row\n",
        ),
        (
            "src/api.py",
            "def put(table, row):\n    table.upsert(row)\n",
        ),
        ("src/jobs.py", "def nightly(table):\n    table.upsert(1)\n"),
        ("tests/test_store.py", "def test_table():\n    pass\n"),
    ];
    let functions = [
        (
            "store.py",
            "def upsert():\n    pass\n\ndef erase():\n    pass\n\ndef drop():\n    pass\n",
        ),
        ("jobs.py", "def nightly():\n    upsert()\n"),
        ("more.py", "def more():\n    upsert()\n    erase()\n"),
        ("extra.py", "def extra():\n    drop()\n"),
    ];
    for (case, files) in [
        ("a design that does not fit", table),
        ("declined", functions),
        ("called mended", functions),
        ("declined, and a symbol more", functions),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().to_owned();
        for (path, text) in files {
            let path = root.join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let script = played::script("reviews", case);
        let script = || script.iter().map(String::as_str);
        let facts =
            move |impacts: &[_]| search(&root).facts(impacts, &|path| root.join(path).exists());
        let found = |meeting: Meeting| meeting.state.review.findings;
        let searched = found(played::play_in(script(), Box::new(facts)));
        assert!(searched.len() > 1, "{case}");
        assert_eq!(searched, found(played::play(script())), "{case}");
    }
}
