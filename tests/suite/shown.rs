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

/// Files that `reviews.md` speaks of, one a line: the path, and its text with `;` between lines.
const TABLE: &str = "\
src/store.py class Table:;    def upsert(self, row):;        return row
src/api.py def put(table, row):;    table.upsert(row)
src/jobs.py def nightly(table):;    table.upsert(1)
tests/test_store.py def test_table():;    pass";
const FUNCTIONS: &str = "\
store.py def upsert():;    pass;def erase():;    pass;def drop():;    pass
jobs.py def nightly():;    upsert()
more.py def more():;    upsert();    erase()
extra.py def extra():;    drop()";

/// `reviews.md` says what is found about files; a search of such files finds the same.
#[test]
fn a_repository_is_compared_with_the_plan_as_the_page_says() {
    for (case, files) in [
        ("a design that does not fit", TABLE),
        ("declined", FUNCTIONS),
        ("called mended", FUNCTIONS),
        ("declined, and a symbol more", FUNCTIONS),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().to_owned();
        for (path, text) in files.lines().map(|line| line.split_once(' ').unwrap()) {
            let path = root.join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text.replace(';', "\n") + "\n").unwrap();
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
