//! The book, the README and their commands: the documentation matches the program.
//!
//! A `console` block is typed into a shell, one command after the other, and each command must
//! print what the page shows; `...` and `[..]` stand for omitted text. All blocks of a page share
//! one session in an empty folder; on pages below `tests/typed` each section has its own session. A
//! command that fails must be followed by `$ echo $?`. Workshops use the shared test members; with
//! the info string `console,server` a server of the session answers as the page tells it to
//! (`docs/server.rs`); with `console,alone` no model is configured. A `sh` block, which may need a
//! key or a model, is run separately against a server of the test (`docs/copied.rs`).
//! `yaml,project` and `yaml,user` blocks are parsed as configuration. `AITC_BLESS=1` writes the
//! actual output into the pages; a line whose `[..]` no longer matches is written in full, so check
//! the diff. Output that a page cannot hold, such as a first line that begins with `> `, is refused.

mod copied;
mod forge;
mod generated;
pub mod page;
pub mod server;
mod session;
mod settings;

use std::path::{Path, PathBuf};

use crate::support::binary::program;
use page::{Block, Step};
use session::Who;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Pages that exist only to test commands.
const TYPED: &str = "tests/typed";

/// All Markdown files below a folder.
fn below(folder: &str) -> impl Iterator<Item = PathBuf> {
    walkdir::WalkDir::new(root().join(folder))
        .sort_by_file_name()
        .into_iter()
        .map(|entry| entry.unwrap().into_path())
        .filter(|path| path.extension().is_some_and(|it| it == "md"))
}

/// All pages for users: those in the root and those of the book.
fn pages() -> Vec<PathBuf> {
    let top = [
        "README.md",
        "README.zh.md",
        "ARCHITECTURE.md",
        "CONTRIBUTING.md",
    ];
    top.iter()
        .map(|name| root().join(name))
        .chain(below("docs"))
        .collect()
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn name(path: &Path) -> String {
    path.strip_prefix(root()).unwrap().display().to_string()
}

fn blessing() -> bool {
    std::env::var_os("AITC_BLESS").is_some_and(|value| value == "1")
}

/// Whether the first word of the info string, up to a comma, is `word`.
fn is(block: &Block, word: &str) -> bool {
    block.info.split([',', ' ']).next() == Some(word)
}

/// Each page of commands is a test of its own, so that they run side by side.
macro_rules! typed {
    ($($page:ident)*) => {
        mod what_is_typed_prints_what_stands_there {
            $(#[test]
            fn $page() {
                super::prints([super::root().join(super::TYPED).join(concat!(stringify!($page), ".md"))]);
            })*
        }
        /// The pages that are tests.
        const PAGES: &[&str] = &[$(concat!(stringify!($page), ".md")),*];
    };
}

typed! {
    batch beginnings by_hand chat checks comments errors fixes inquiries lines meetings models programs questions
    requirements roles running servers settings terminals trees trials versions workflows workspaces
}

#[test]
fn what_the_book_types_prints_what_stands_there() {
    prints(pages());
}

#[test]
fn every_page_of_commands_is_typed() {
    let there: Vec<_> = below(TYPED).map(|page| name(&page)).collect();
    let tested: Vec<_> = PAGES.iter().map(|page| format!("{TYPED}/{page}")).collect();
    assert_eq!(there, tested);
}

/// Asserts that the commands of the pages print what stands there.
fn prints(pages: impl IntoIterator<Item = PathBuf>) {
    let pages: Vec<PathBuf> = pages.into_iter().collect();
    let wrong = side_by_side(&pages, |page| typed(page)).concat();
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// What `work` makes of each item, a few at a time.
fn side_by_side<T: Sync, R: Send + Sync>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let done: Vec<_> = items.iter().map(|_| std::sync::OnceLock::new()).collect();
    let next = std::sync::atomic::AtomicUsize::new(0);
    let take = || next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                while let Some((at, item)) = Some(take()).and_then(|at| Some((at, items.get(at)?)))
                {
                    let _ = done[at].set(work(item));
                }
            });
        }
    });
    let done = done.into_iter().map(std::sync::OnceLock::into_inner);
    done.flatten().collect()
}

/// Runs the commands of a page; returns the differences.
fn typed(path: &Path) -> Vec<String> {
    let text = read(path);
    let lines: Vec<&str> = text.lines().collect();
    let consoles: Vec<Block> = page::blocks(&lines)
        .into_iter()
        .filter(|block| is(block, "console"))
        .collect();
    let steps: Vec<Step> = consoles
        .iter()
        .flat_map(|block| page::steps(&lines, block))
        .collect();
    if steps.is_empty() {
        return Vec::new();
    }
    let commands: Vec<&str> = steps.iter().map(|step| step.command.as_str()).collect();
    let answered: Vec<Who> = consoles
        .iter()
        .flat_map(|block| {
            let who = match block.info.split_once(',') {
                None => Who::Members,
                Some((_, "server")) => Who::Server,
                Some((_, "alone")) => Who::Nobody,
                Some((_, other)) => panic!("{}: who is {other}?", name(path)),
            };
            std::iter::repeat_n(who, page::steps(&lines, block).len())
        })
        .collect();
    let types = |word: &str| commands.iter().any(|one| one.contains(word));
    for (program, typed) in [("git", "git "), ("jq", "jq -"), ("script", "on-terminal ")] {
        if types(typed) && !session::has(program) {
            eprintln!("skipped: {} needs {program}", name(path));
            return Vec::new();
        }
    }
    // A page of the book is one session; a page of tests has one session per section.
    let heads = page::prose(&lines).filter(|(_, line)| line.starts_with("## "));
    let heads: Vec<usize> = heads.map(|(line, _)| line).collect();
    let is_tests = path.starts_with(root().join(TYPED));
    let section = |step: &Step| is_tests.then(|| heads.partition_point(|head| *head < step.line));
    let sessions = steps.iter().enumerate().collect::<Vec<_>>();
    let sessions: Vec<_> = sessions
        .chunk_by(|(_, one), (_, next)| section(one) == section(next))
        .map(|session| session[0].0..session[0].0 + session.len())
        .collect();
    let done = side_by_side(&sessions, |these| {
        let program = program().parent().unwrap();
        session::run(program, &commands[these.clone()], &answered[these.clone()])
    });
    let done: Vec<_> = done.into_iter().flatten().collect();
    let mut wrong = Vec::new();
    let mut new: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
    for (index, (step, done)) in steps.iter().zip(&done).enumerate().rev() {
        let at = format!("{}:{}: `{}`", name(path), step.line + 1, step.command);
        let looked_at = commands
            .get(index + 1)
            .is_some_and(|next| *next == "echo $?");
        if done.status != 0 && !looked_at {
            wrong.push(format!(
                "{at} ended with {}:\n{}",
                done.status, done.printed
            ));
        }
        let mut shown = lines[step.printed.clone()].join("\n");
        if !step.printed.is_empty() {
            shown.push('\n');
        }
        let printed = session::as_shown(&done.printed, &shown);
        if printed == shown {
            continue;
        }
        if blessing() {
            if let Some(line) = page::ambiguous_line(&printed) {
                wrong.push(format!(
                    "{at} prints `{line}`, which a page would take for a part of itself; pipe it \
                     through `sed 's/^/| /'`, or the like"
                ));
                continue;
            }
            let printed = printed.lines().map(str::to_owned);
            new.splice(step.printed.clone(), printed);
        } else {
            wrong.push(format!(
                "{at}\n--- stands there\n{shown}--- is printed\n{printed}"
            ));
        }
    }
    let new = new.join("\n") + "\n";
    if new != text {
        std::fs::write(path, new).unwrap();
    }
    wrong.reverse();
    wrong
}

#[test]
fn configuration_that_is_shown_is_read() {
    let mut wrong = Vec::new();
    for path in pages() {
        let text = read(&path);
        let lines: Vec<&str> = text.lines().collect();
        for block in page::blocks(&lines) {
            let Some(whose) = block.info.strip_prefix("yaml,") else {
                continue;
            };
            let file = lines[block.lines.clone()].join("\n");
            if let Some(fault) = settings::fault(whose, &file) {
                wrong.push(format!("{}:{}: {fault}", name(&path), block.lines.start));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn generated_parts_are_those_of_this_program() {
    let mut wrong = Vec::new();
    for path in pages() {
        let text = read(&path);
        let new = generated::renewed(&text);
        if new == text {
            continue;
        }
        if blessing() {
            std::fs::write(&path, new).unwrap();
        } else {
            wrong.push(name(&path));
        }
    }
    assert!(
        wrong.is_empty(),
        "AITC_BLESS=1 writes the generated parts of {} anew",
        wrong.join(", ")
    );
}

#[test]
fn links_lead_somewhere() {
    let mut wrong = Vec::new();
    for path in pages() {
        let text = read(&path);
        let lines: Vec<&str> = text.lines().collect();
        for (line, prose) in page::prose(&lines) {
            for target in page::links(&prose) {
                if !leads_somewhere(&path, target) {
                    wrong.push(format!("{}:{}: {target}", name(&path), line + 1));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Whether the page, and the heading in it, exist. Links from the book must stay within it.
fn leads_somewhere(page: &Path, target: &str) -> bool {
    if target.contains("://") {
        return true;
    }
    let book = root().join("docs").canonicalize().unwrap();
    let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
    let file = if file.is_empty() {
        page.to_owned()
    } else {
        page.parent().unwrap().join(file)
    };
    let Ok(real) = file.canonicalize() else {
        return false;
    };
    if page.starts_with(root().join("docs")) && !real.starts_with(book) {
        return false;
    }
    anchor.is_empty() || {
        let text = read(&file);
        let lines: Vec<&str> = text.lines().collect();
        page::anchors(&lines).iter().any(|one| one == anchor)
    }
}

/// A chapter has the same sections in both languages.
#[test]
fn chinese_chapters_have_the_sections_of_the_english_ones() {
    let levels = |path: &Path| {
        let text = read(path);
        let lines: Vec<&str> = text.lines().collect();
        let prose = page::prose(&lines).filter(|(_, line)| line.starts_with('#'));
        let levels = prose.map(|(_, line)| line.bytes().take_while(|byte| *byte == b'#').count());
        levels.collect::<Vec<_>>()
    };
    let docs = root().join("docs");
    let both = pages().into_iter().filter_map(|path| {
        let chapter = path.strip_prefix(docs.join("zh")).ok()?;
        let english = docs.join("guide").join(chapter);
        english.exists().then_some((english, path))
    });
    let both: Vec<_> = both.collect();
    assert!(both.len() > 4, "{both:?}");
    for (english, chinese) in both {
        assert_eq!(levels(&english), levels(&chinese), "{}", name(&chinese));
    }
}

#[test]
fn every_page_is_a_chapter() {
    let summary = root().join("docs/SUMMARY.md");
    let text = read(&summary);
    let chapters: Vec<PathBuf> = text
        .lines()
        .flat_map(page::links)
        .map(|target| root().join("docs").join(target))
        .collect();
    let of_the_book = |path: &PathBuf| path.starts_with(root().join("docs")) && *path != summary;
    for page in pages().into_iter().filter(of_the_book) {
        assert!(chapters.contains(&page), "{} is no chapter", name(&page));
    }
}

#[test]
fn the_readme_is_short() {
    for page in ["README.md", "README.zh.md"] {
        let lines = read(&root().join(page)).lines().count();
        assert!(lines < 120, "{page} has {lines} lines");
    }
}
