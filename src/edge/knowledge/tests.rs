#![allow(clippy::unwrap_used, clippy::expect_used)]
use std::fs;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use rustix::fs::{Mode, OFlags, mkdirat, openat};

use super::walk::{FolderWalk, SearchPath};
use super::{Search, SearchResult, UnreadPaths};
use crate::machine::{Lang, Survey};

/// Space for the map.
const TOKENS: u64 = 2_000;

/// A search without interruption and redaction.
pub(super) fn search<'a>(root: &'a Path, knowledge: &'a [PathBuf]) -> Search<'a> {
    Search {
        root,
        knowledge,
        redact: &str::to_owned,
        stop: &|| false,
        cache: None,
    }
}

/// The survey of a tree in which everything can be read.
fn survey(root: &Path, knowledge: &[PathBuf], requirement: &str) -> Survey {
    let found = search(root, knowledge).survey(requirement, TOKENS);
    let SearchResult { survey, unread } = found.unwrap();
    assert_eq!(unread, []);
    survey
}

fn put(root: &Path, path: &str, text: &str) {
    let path = root.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn shop() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    put(
        root,
        "src/orders/list.rs",
        "use x;\npub fn list_orders(filter: DateFilter) {}\n",
    );
    put(root, "src/auth/admin.rs", "fn is_admin() {}\n");
    put(root, "src/mail.rs", "fn send() {}\n");
    put(root, "src/logic.rs", "fn logic() {}\n");
    put(root, "README.md", "A shop. Orders are listed.\n");
    put(root, ".env", "ORDERS_KEY=orders\n");
    put(root, "orders.pem", "orders\n");
    put(root, "target/orders.rs", "orders\n");
    put(root, "node_modules/orders/index.js", "orders\n");
    put(root, "ignored/orders.rs", "orders\n");
    put(root, ".gitignore", "ignored/\n");
    put(root, "mine/orders.rs", "orders\n");
    put(root, ".ignore", "!mine/\n");
    put(root, ".aitcignore", "mine/\n");
    put(root, ".ai-tools-chain/config.yaml", "orders: 1\n");
    fs::write(root.join("orders.bin"), b"orders\0orders").unwrap();
    put(root, "orders.txt", &"orders ".repeat(200_000));
    folder
}

#[test]
fn the_files_a_requirement_touches_come_first_with_their_line() {
    let folder = shop();
    let survey = survey(
        folder.path(),
        &[],
        "Add CSV export of orders with a date filter; only admins may export",
    );
    let paths: Vec<&str> = survey.hits.iter().map(|hit| hit.path.as_str()).collect();
    assert_eq!(paths[0], "src/orders/list.rs");
    assert!(paths.contains(&"src/auth/admin.rs"));
    assert!(!paths.contains(&"src/mail.rs"));
    let shown = &survey.hits[0].blocks[0];
    assert_eq!((shown.from, shown.to), (1, 2));
    assert!(
        shown
            .text
            .ends_with("pub fn list_orders(filter: DateFilter) {}")
    );
}

#[test]
fn secrets_ignored_made_and_hidden_files_are_never_named_or_read() {
    let folder = shop();
    let survey = survey(folder.path(), &[], "orders");
    let all = format!("{survey:?}");
    for unwanted in ".env orders.pem target node_modules ignored mine/ .ai-tools-chain".split(' ') {
        assert!(!all.contains(unwanted), "{unwanted} in {all}");
    }
    // Binary and large files are listed by path only.
    let large = survey.hits.iter().find(|hit| hit.path == "orders.txt");
    assert_eq!(large.map(|hit| hit.blocks.len()), Some(0));
}

#[test]
fn the_same_tree_gives_the_same_survey() {
    let folder = shop();
    let twice: Vec<_> = (0..2)
        .map(|_| survey(folder.path(), &[], "export orders, 导出订单"))
        .collect();
    assert_eq!(twice[0], twice[1]);
}

#[test]
fn lines_lose_what_could_act_on_a_terminal() {
    let folder = tempfile::tempdir().unwrap();
    put(
        folder.path(),
        "a.rs",
        "// orders \u{1b}[31mred\u{202e}\u{7}\n",
    );
    let survey = survey(folder.path(), &[], "orders");
    assert_eq!(survey.hits[0].blocks[0].text, "// orders red");
}

#[test]
fn links_are_not_followed() {
    let folder = tempfile::tempdir().unwrap();
    let outside = tempfile::tempdir().unwrap();
    put(outside.path(), "orders.rs", "orders");
    std::os::unix::fs::symlink(outside.path(), folder.path().join("link")).unwrap();
    std::os::unix::fs::symlink(
        outside.path().join("orders.rs"),
        folder.path().join("orders.rs"),
    )
    .unwrap();
    assert!(survey(folder.path(), &[], "orders").hits.is_empty());
}

#[test]
fn chinese_requirements_find_english_code() {
    let folder = shop();
    let survey = survey(folder.path(), &[], "增加订单导出，只有管理员可以导出");
    let mut first: Vec<&str> = survey.hits[..2]
        .iter()
        .map(|hit| hit.path.as_str())
        .collect();
    first.sort_unstable();
    assert_eq!(first, ["src/auth/admin.rs", "src/orders/list.rs"]);
}

#[test]
fn knowledge_gives_its_best_passage() {
    let folder = tempfile::tempdir().unwrap();
    put(
        folder.path(),
        "notes/orders.md",
        "Intro.\n\nOrders older than a year are archived.\n\nEnd.",
    );
    put(folder.path(), "notes/other.md", "Nothing here.");
    let survey = survey(folder.path(), &[PathBuf::from("notes")], "archive orders");
    assert_eq!(survey.knowledge.len(), 1);
    let text = "Intro.\n\nOrders older than a year are archived.\n\nEnd.";
    assert_eq!(survey.knowledge[0].text, text);
}

#[test]
fn a_term_is_no_part_of_another_word_and_a_named_file_comes_first() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    put(root, "shop/models.py", "class Order: ...\n");
    put(root, "shop/__init__.py", "");
    put(root, "static/style.css", ":root { --bg: #fff; }\n");
    put(root, "src/needs.rs", "//! Needs.\n");
    put(root, "src/split.rs", "pub fn split_modules() {}\n");
    let paths = |requirement: &str| -> Vec<String> {
        let hits = survey(root, &[], requirement).hits;
        hits.into_iter().map(|hit| hit.path).collect()
    };
    assert_eq!(paths("Add dark mode"), ["static/style.css"]);
    assert_eq!(paths("Open the shop")[0], "shop/models.py");
    assert_eq!(paths("Split src/needs.rs into modules")[0], "src/needs.rs");
}

/// No user, not even root, can read a path that exceeds the system's limit: a file and a folder
/// there are reported, and the files beside them are found.
#[test]
fn what_cannot_be_read_is_told_and_the_rest_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    put(root, "src/orders.rs", "fn list_orders() {}\n");
    let long = "d".repeat(250);
    let mut at: OwnedFd = fs::File::open(root).unwrap().into();
    let mut length = root.as_os_str().len();
    let down = |at: &OwnedFd, name: &str| {
        mkdirat(at, name, Mode::RWXU).unwrap();
        openat(at, name, OFlags::DIRECTORY, Mode::empty()).unwrap()
    };
    while length + long.len() + 1 < 4096 - 10 {
        at = down(&at, &long);
        length += long.len() + 1;
    }
    let create = OFlags::CREATE | OFlags::WRONLY;
    openat(&at, format!("{long}.rs").as_str(), create, Mode::RUSR).unwrap();
    down(&at, &long);
    let missing = [PathBuf::from("no/notes")];
    let found = search(root, &missing).survey("orders", TOKENS);
    let SearchResult { survey, unread } = found.unwrap();
    assert_eq!(survey.hits[0].path, "src/orders.rs");
    let told: Vec<&str> = unread.iter().map(|told| told.en.as_str()).collect();
    assert_eq!(told.len(), 3, "{told:#?}");
    let names: Vec<bool> = told[..2].iter().map(|t| t.contains("d.rs: ")).collect();
    assert_eq!(names.iter().filter(|is_file| **is_file).count(), 1);
    for long in &told[..2] {
        assert!(long.starts_with("left out of the search: dddd"), "{long}");
        assert!(long.contains("File name too long"), "{long}");
    }
    let missing = "left out of the search: no/notes: No such file or directory (os error 2)";
    assert_eq!(told[2], missing);
    let missing = "检索时略去了 no/notes：没有这样的文件或目录（os error 2）";
    assert_eq!(unread[2].zh, missing);
}

#[test]
fn of_much_that_cannot_be_read_a_handful_is_named() {
    let folder = shop();
    let missing: Vec<PathBuf> = (0..8).map(|n| PathBuf::from(format!("no/{n}"))).collect();
    let unread = search(folder.path(), &missing)
        .survey("orders", TOKENS)
        .unwrap()
        .unread;
    assert_eq!(unread.len(), 6);
    assert!(unread[5].en.ends_with("3 more that cannot be read"));
}

/// With one more file, the search would have received the signal.
#[test]
fn a_search_that_is_stopped_finds_nothing_and_looks_no_further() {
    let folder = shop();
    for n in 0..50 {
        put(folder.path(), &format!("src/more/{n}.rs"), "// orders\n");
    }
    for patience in [0, 1, 20, 50] {
        let asked = std::cell::Cell::new(0);
        let stop = || {
            asked.set(asked.get() + 1);
            asked.get() > patience
        };
        let stopped = Search {
            stop: &stop,
            ..search(folder.path(), &[])
        };
        assert_eq!(stopped.survey("orders", TOKENS), None, "{patience}");
        assert!(asked.get() < patience + 8, "{patience}: {}", asked.get());
    }
}

/// Lines are cut for display; half a key would not be recognised.
#[test]
fn secrets_are_taken_out_before_a_line_is_cut() {
    let folder = tempfile::tempdir().unwrap();
    let key = format!("sk-{}", "a1b2c3d4".repeat(6));
    let long = format!("orders {} {key} end", "word ".repeat(19));
    put(folder.path(), "src/orders.rs", &long);
    let passage = format!("orders {} {key} end", "word ".repeat(155));
    put(folder.path(), "notes/orders.md", &passage);
    let redact = |text: &str| text.replace(&key, "[redacted: API key]");
    let notes = [PathBuf::from("notes")];
    let found = Search {
        redact: &redact,
        ..search(folder.path(), &notes)
    };
    let survey = found.survey("orders", TOKENS).unwrap().survey;
    assert!(!survey.hits.is_empty() && !survey.knowledge.is_empty());
    let shown = format!("{survey:?}");
    assert!(!shown.contains("sk-a1b2"), "{shown}");
}

/// A test input contains all words of the code it tests.
#[test]
fn recordings_come_after_the_code_unless_they_are_named() {
    let folder = shop();
    for path in [
        "fixtures/versions/list-orders/planning_report.md",
        "fixtures/orders/list_orders_by_date.rs",
        "tests/snapshots/list_orders__filter.snap",
    ] {
        let text = "list orders, filter orders, date filter of the list of orders\n";
        put(folder.path(), path, text);
    }
    let first = |requirement: &str| {
        let hits = survey(folder.path(), &[], requirement).hits;
        hits[0].path.clone()
    };
    assert_eq!(
        first("filter the list of orders by date"),
        "src/orders/list.rs"
    );
    assert_eq!(
        first("filter orders as in fixtures/orders/list_orders_by_date.rs"),
        "fixtures/orders/list_orders_by_date.rs"
    );
}

/// Files with such names are not opened; files that are only about secrets are.
#[test]
fn files_named_for_what_they_hide_are_not_opened() {
    let folder = tempfile::tempdir().unwrap();
    let secret = "\
        passwords.txt password.json passwd db_passwords.yaml token.txt github_token \
        api-tokens.json service-account.json serviceAccountKey.json my-service_account.json \
        client_secret_1.json vault.kdbx a.keystore netrc pgpass.conf npmrc pypirc htpasswd \
        credentials.json aws_credentials.csv api_keys.txt id_rsa.bak wallet.p8 x.secrets.yml";
    let open = "\
        password_reset.rs passwords.rs tokenizer.py token.go tokens.css design-tokens.json \
        design_tokens.yaml service_account.rs keystore.rs secrets.rs credentials.ts \
        token-flow.md password-policy.md tokenizer.json";
    let [secret, open] = [secret, open].map(|names| names.split(' ').collect::<Vec<_>>());
    for name in secret.iter().chain(&open) {
        put(folder.path(), name, "orders\n");
        put(folder.path(), &format!("docs/{name}"), "orders\n");
    }
    let found = survey(folder.path(), &[], "orders");
    assert_eq!(found.files as usize, 2 * open.len());
    for name in secret {
        assert!(!found.tree.contains(&name.to_owned()), "{name}");
    }
    for name in open {
        assert!(found.tree.contains(&name.to_owned()), "{name}");
    }
}

#[test]
fn that_there_are_more_files_than_are_looked_at_is_told() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["a", "b", "c"] {
        fs::write(folder.path().join(name), "").unwrap();
    }
    let place = SearchPath::of(folder.path(), Path::new("")).unwrap();
    for (most, told) in [
        (3, None),
        (2, Some("of all files only the first 100000 are looked at")),
    ] {
        let mut walk = FolderWalk::of(&place);
        walk.files = most;
        let mut unread = UnreadPaths::default();
        let files = std::iter::from_fn(|| walk.next_file(folder.path(), &mut unread));
        assert_eq!(files.count(), most);
        let left_out = unread.into_notices();
        assert_eq!(left_out.first().map(|it| it.of(Lang::En)), told);
    }
}
