//! Answers looks: lines of files, matches of words, definitions, entries of folders.
//!
//! A look shows only what the survey may read: ignored files and those with names of secrets are
//! left out, and every file is opened safely (see `doors`). Secrets are removed from the whole text
//! before it is cut, as are characters that could hide text or control a terminal. The run time of
//! a model's pattern is linear in the length of the text.

mod evidence;
mod facts;

pub use evidence::EvidenceCheck;

use std::time::{Duration, Instant};

use ignore::gitignore::{Gitignore, GitignoreBuilder};
use regex::{Regex, RegexBuilder};

use super::map::Query;
use super::parse::{identifiers, mentions, parse};
use super::{Candidate, ReadableFile, Search, UnreadPaths, history, places, without_private_keys};
use crate::edge::safe_open::FileUse;
use crate::fault::{texts, values};
use crate::machine::{Excerpt, Lang, LookResult};
use crate::reply::{Look, LookKind};

const MAX_LINES: usize = 200;
/// Maximum characters of one look at a file.
const MAX_CHARS: usize = 24_000;
/// Maximum characters of one line.
const MAX_LINE: usize = 400;
const MAX_MATCHES: usize = 40;
/// Maximum matches in one file, if other files match too.
const MAX_OF_FILE: usize = 8;
const MAX_REFERENCES: usize = 20;
const MAX_DEFINITIONS: usize = 4;
/// Maximum lines of a definition.
const MAX_BODY: u32 = 80;
/// Maximum entries of a folder and lines of an outline.
const MAX_ENTRIES: usize = 150;
const MAX_COMMITS: usize = 10;
/// Maximum characters of a pattern.
const MAX_PATTERN: usize = 300;
/// Maximum memory of a compiled pattern, in bytes.
const MAX_COMPILED: usize = 1 << 20;
/// Maximum time for the looks of one answer.
const MAX_TIME: Duration = Duration::from_secs(10);

texts! {
    NO_FILE: "there is no such file, or none that may be read", "没有这个文件，或不允许读取";
    NO_FILE_BUT: "there is no such file; of that name there is {others}", "没有这个文件；同名的有 {others}";
    OF_LINES: "the file has {n} lines", "该文件共 {n} 行";
    CUT: "the file has {n} lines, and one look shows {most}", "该文件共 {n} 行，一次查看最多显示 {most} 行";
    NO_SUCH_FILES: "no file fits `{glob}`", "没有文件符合 `{glob}`";
    OUT_OF_TIME: "the search took too long; only part of the files was gone through", "检索耗时过长，只查看了部分文件";
    FIRST_OF: "{shown} of {n} places", "共 {n} 处，显示 {shown} 处";
    BY_WORDS: "no line matches; these hold most of the words", "没有匹配的行；以下各处包含其中多数词语";
    BAD_PATTERN: "not a regular expression that is taken; searched for as plain text", "不是可用的正则表达式，已按普通文本检索";
    NOT_DEFINED: "no definition was found; lines that name it follow", "没有找到定义；以下是提到它的行";
    ENTRIES_OF: "{shown} of {n} entries", "共 {n} 项，显示 {shown} 项";
    NOTHING: "nothing was found", "没有找到";
    AND: "; ", "；";
    UNHELD: "this cannot be looked at here", "此处无法查看这类内容";
}

/// A file, its redacted text, and the matching lines, from 0.
type Hits<'t> = (&'t ReadableFile, String, Vec<usize>);

/// The files that may be read, collected once for the looks of one answer.
struct SearchTree<'s> {
    search: &'s Search<'s>,
    lang: Lang,
    files: Vec<ReadableFile>,
    unread: UnreadPaths,
    until: Instant,
}

impl Search<'_> {
    /// Answers these looks in order. Never fails: the result of a refused look says why.
    pub fn look(&self, looks: &[Look], lang: Lang) -> Vec<LookResult> {
        let tree = SearchTree::of(self, lang);
        looks.iter().map(|look| tree.seen(look)).collect()
    }
}

impl<'s> SearchTree<'s> {
    fn of(search: &'s Search<'s>, lang: Lang) -> Self {
        let until = Instant::now() + MAX_TIME;
        let mut unread = UnreadPaths::default();
        Self {
            search,
            lang,
            files: search.files(search.folders(), &mut unread),
            unread,
            until,
        }
    }

    fn seen(&self, look: &Look) -> LookResult {
        let (found, remark) = match look.kind {
            LookKind::Read => self.read(look),
            LookKind::Search => self.through_all(self.search(look)),
            LookKind::Symbol => self.through_all(self.symbol(look)),
            LookKind::Outline => self.outline(look),
            LookKind::History => self.history(look),
            LookKind::Previous | LookKind::Ask | LookKind::Try => {
                (Vec::new(), Some(UNHELD.of(self.lang).to_owned()))
            }
        };
        LookResult {
            found,
            remark,
            ..LookResult::of(look.clone())
        }
    }

    /// Adds notices about files that were not examined to the result of a search in many files.
    fn through_all(&self, seen: (Vec<Excerpt>, Option<String>)) -> (Vec<Excerpt>, Option<String>) {
        let (found, remark) = seen;
        let left_out = self.unread.left_out();
        if left_out.is_empty() {
            return (found, remark);
        }
        let nothing = || NOTHING.of(self.lang).to_owned();
        let mut remarks = Vec::from_iter(remark.or_else(|| found.is_empty().then(nothing)));
        remarks.extend(left_out.iter().map(|told| told.of(self.lang).to_owned()));
        (found, Some(remarks.join(AND.of(self.lang))))
    }

    fn is_out_of_time(&self) -> bool {
        (self.search.stop)() || Instant::now() > self.until
    }

    /// The content of a file; `None` if it is not text or too large.
    fn text(&self, file: &ReadableFile) -> Option<String> {
        file.text(FileUse::Looked.most()).ok().flatten()
    }

    /// The text as shown: without secrets and without characters that hide or control.
    fn shown(&self, text: String) -> String {
        self.search.cleared(&without_private_keys(text))
    }

    fn file(&self, path: &str) -> Result<&ReadableFile, String> {
        let wanted = plain(path);
        if let Some(file) = self.files.iter().find(|file| file.name == wanted) {
            return Ok(file);
        }
        let name = wanted.rsplit('/').next().unwrap_or_default();
        let same =
            |file: &&ReadableFile| !name.is_empty() && file.name.rsplit('/').next() == Some(name);
        let others: Vec<String> = self
            .files
            .iter()
            .filter(same)
            .take(3)
            .map(|file| format!("`{}`", file.name))
            .collect();
        Err(match others.is_empty() {
            true => NO_FILE.of(self.lang).to_owned(),
            false => NO_FILE_BUT.with(self.lang, values![others = others.join(", ")]),
        })
    }

    fn read(&self, look: &Look) -> (Vec<Excerpt>, Option<String>) {
        let (path, named) = path_and_lines(&look.what);
        let file = match self.file(path) {
            Ok(file) => file,
            Err(why) => return (Vec::new(), Some(why)),
        };
        let Some(text) = self.text(file).map(|text| self.shown(text)) else {
            return (Vec::new(), Some(NO_FILE.of(self.lang).to_owned()));
        };
        let lines: Vec<&str> = text.lines().collect();
        let of_lines = OF_LINES.with(self.lang, values![n = lines.len().to_string()]);
        // For a single line, the lines around it are shown too.
        let named = named.map(|(from, to)| match from == to {
            true => (from.saturating_sub(10), to.saturating_add(30)),
            false => (from, to),
        });
        let from = look.from.or(named.map(|(from, _)| from));
        let to = look.to.or(named.map(|(_, to)| to));
        let from = from.unwrap_or(1).max(1) as usize;
        let to = to.map_or(lines.len(), |to| to as usize).min(lines.len());
        if from > to {
            return (Vec::new(), Some(of_lines));
        }
        let find = excerpt(&file.name, &lines, from, to.min(from + MAX_LINES - 1));
        let is_all = find.from == 1 && find.to as usize == lines.len();
        if (find.to as usize) < to {
            let (n, most) = (lines.len().to_string(), MAX_LINES.to_string());
            return (vec![find], Some(CUT.with(self.lang, values![n, most])));
        }
        (vec![find], (!is_all).then_some(of_lines))
    }

    fn search(&self, look: &Look) -> (Vec<Excerpt>, Option<String>) {
        let mut remark = None;
        let pattern = pattern(&look.what).unwrap_or_else(|| {
            remark = Some(BAD_PATTERN.of(self.lang).to_owned());
            literal(&look.what)
        });
        let glob = look.glob.as_deref().map(glob);
        let is_meant = |file: &ReadableFile| {
            let matched = |glob: &Gitignore| {
                let matched = glob.matched_path_or_any_parents(&file.name, false);
                matched.is_ignore()
            };
            glob.as_ref().is_none_or(matched)
        };
        let Some(pattern) = pattern else {
            return (Vec::new(), remark);
        };
        if let Some(glob) = &look.glob
            && !self.files.iter().any(is_meant)
        {
            let none = NO_SUCH_FILES.with(self.lang, values![glob]);
            return (Vec::new(), Some(none));
        }
        let (hits, is_whole) = self.matches(&pattern, &is_meant);
        let n: usize = hits.iter().map(|(_, _, lines)| lines.len()).sum();
        if n == 0 {
            let finds = self.by_words(&look.what, &is_meant);
            if !finds.is_empty() {
                remark = Some(BY_WORDS.of(self.lang).to_owned());
            }
            return (finds, remark);
        }
        let (finds, shown) = self.grouped(&hits, MAX_MATCHES);
        if !is_whole {
            remark = Some(OUT_OF_TIME.of(self.lang).to_owned());
        } else if shown < n {
            let values = [("shown", &*shown.to_string()), ("n", &*n.to_string())];
            remark = Some(FIRST_OF.with(self.lang, &values));
        }
        (finds, remark)
    }

    /// The matching lines, from 0, by file with its redacted text; and whether all files were
    /// searched before the time was up.
    fn matches(
        &self,
        pattern: &Regex,
        is_meant: &dyn Fn(&ReadableFile) -> bool,
    ) -> (Vec<Hits<'_>>, bool) {
        let mut hits = Vec::new();
        for file in self.files.iter().filter(|file| is_meant(file)) {
            if self.is_out_of_time() {
                return (hits, false);
            }
            let Some(text) = self.text(file).filter(|text| pattern.is_match(text)) else {
                continue;
            };
            let text = self.shown(text);
            let lines = text.lines().enumerate();
            let matched = lines.filter(|(_, line)| pattern.is_match(line));
            let matched: Vec<usize> = matched.map(|(n, _)| n).collect();
            if !matched.is_empty() {
                hits.push((file, text, matched));
            }
        }
        (hits, true)
    }

    /// Excerpts with a line around each match, adjacent ones joined, files in order; and the number
    /// of matches shown.
    fn grouped(&self, hits: &[Hits<'_>], most: usize) -> (Vec<Excerpt>, usize) {
        let of_each = (most / hits.len().max(1)).max(MAX_OF_FILE);
        let (mut finds, mut shown) = (Vec::new(), 0);
        for (file, text, matched) in hits {
            let lines: Vec<&str> = text.lines().collect();
            let mut spans: Vec<(usize, usize)> = Vec::new();
            for at in matched.iter().take(of_each.min(most - shown)) {
                shown += 1;
                let (from, to) = (at.saturating_sub(1) + 1, (at + 2).min(lines.len()));
                match spans.last_mut() {
                    Some(last) if from <= last.1 + 1 => last.1 = to,
                    _ => spans.push((from, to)),
                }
            }
            let spans = spans.into_iter();
            finds.extend(spans.map(|(from, to)| excerpt(&file.name, &lines, from, to)));
            if shown >= most {
                break;
            }
        }
        (finds, shown)
    }

    /// Places that contain several words of `text`, as for a question.
    fn by_words(&self, text: &str, is_meant: &dyn Fn(&ReadableFile) -> bool) -> Vec<Excerpt> {
        let query = Query::of(text);
        if query.weights.len() < 2 {
            return Vec::new();
        }
        let files: Vec<Candidate> = self
            .files
            .iter()
            .filter(|file| is_meant(file))
            .take_while(|_| !self.is_out_of_time())
            .filter_map(|file| {
                let text = without_private_keys(self.text(file)?);
                Some(Candidate {
                    path: file.name.clone(),
                    text,
                })
            })
            .collect();
        let stop = || self.is_out_of_time();
        let redact = |text: &str| self.search.cleared(text);
        places::best(&files, &query, &|_| true, &redact, &stop)
    }

    fn symbol(&self, look: &Look) -> (Vec<Excerpt>, Option<String>) {
        let wanted = look.what.trim().trim_matches('`').trim_end_matches("()");
        let Some(name) = identifiers(wanted).last() else {
            return (Vec::new(), None);
        };
        let (mut finds, mut references) = (Vec::new(), Vec::new());
        let mut is_whole = true;
        for file in &self.files {
            if self.is_out_of_time() {
                is_whole = false;
                break;
            }
            let Some(text) = self.text(file).filter(|text| text.contains(name)) else {
                continue;
            };
            let text = self.shown(text);
            let lines: Vec<&str> = text.lines().collect();
            let defined = parse(&file.name, &text).definitions;
            let own = defined.iter().filter(|one| one.name == name);
            let before = finds.len();
            for one in own.take(MAX_DEFINITIONS.saturating_sub(before)) {
                let to = one.to.min(one.from + MAX_BODY - 1);
                finds.push(excerpt(&file.name, &lines, one.from as usize, to as usize));
            }
            let own = &finds[before..];
            let is_inside = |n: &u32| own.iter().any(|find| (find.from..=find.to).contains(n));
            let others = mentions(&text, name).filter(|n| !is_inside(n));
            let others: Vec<usize> = others.map(|n| n as usize - 1).collect();
            if !others.is_empty() {
                references.push((file, text, others));
            }
        }
        let remark = match finds.is_empty() {
            _ if !is_whole => Some(OUT_OF_TIME.of(self.lang).to_owned()),
            true if !references.is_empty() => Some(NOT_DEFINED.of(self.lang).to_owned()),
            _ => None,
        };
        finds.extend(self.grouped(&references, MAX_REFERENCES).0);
        (finds, remark)
    }

    fn outline(&self, look: &Look) -> (Vec<Excerpt>, Option<String>) {
        let wanted = plain(&look.what);
        if let Some(file) = self.files.iter().find(|file| file.name == wanted) {
            return self.signatures(file);
        }
        let folder = match wanted.as_str() {
            "" | "." => String::new(),
            folder => format!("{}/", folder.trim_end_matches('/')),
        };
        let inside = self.files.iter();
        let inside = inside.filter_map(|file| file.name.strip_prefix(&folder));
        let mut entries: Vec<(String, usize)> = Vec::new();
        for rest in inside.filter(|_| !folder.starts_with('/')) {
            let (name, is_folder) = match rest.split_once('/') {
                Some((name, _)) => (format!("{name}/"), true),
                None => (rest.to_owned(), false),
            };
            match entries.last_mut() {
                Some((last, n)) if is_folder && *last == name => *n += 1,
                _ => entries.push((name, 1)),
            }
        }
        if entries.is_empty() {
            let why = self.file(&look.what).err();
            return self.through_all((Vec::new(), why));
        }
        let named = entries.iter().take(MAX_ENTRIES);
        let named = named.map(|(name, n)| match name.ends_with('/') {
            true => format!("{name} ({n})"),
            false => name.clone(),
        });
        let find = Excerpt {
            path: if folder.is_empty() {
                "./".to_owned()
            } else {
                folder
            },
            from: 0,
            to: 0,
            text: named.collect::<Vec<_>>().join("\n"),
        };
        self.through_all((vec![find], self.entries_of(entries.len())))
    }

    /// The notice that there are more entries than are shown.
    fn entries_of(&self, n: usize) -> Option<String> {
        let values = [("shown", &*MAX_ENTRIES.to_string()), ("n", &*n.to_string())];
        (n > MAX_ENTRIES).then(|| ENTRIES_OF.with(self.lang, &values))
    }

    /// The latest commits that touched a file, or a folder that contains a file.
    fn history(&self, look: &Look) -> (Vec<Excerpt>, Option<String>) {
        let wanted = plain(&look.what);
        let wanted = wanted.trim_end_matches('/');
        let inside = format!("{wanted}/");
        let is_it = |file: &&ReadableFile| {
            file.is_own && (file.name == wanted || file.name.starts_with(&inside))
        };
        if !self.files.iter().any(|file| is_it(&file)) {
            return (Vec::new(), self.file(&look.what).err());
        }
        let stop = || self.is_out_of_time();
        let commits = history::touching(self.search.root, wanted, MAX_COMMITS, &stop);
        let lines = commits.iter().map(|(day, subject)| {
            let subject = self.shown(subject.clone());
            format!("{day} {}", cut(subject.trim()))
        });
        let lines: Vec<String> = lines.collect();
        let found = (!lines.is_empty()).then(|| Excerpt {
            path: format!("history: {wanted}"),
            from: 0,
            to: 0,
            text: lines.join("\n"),
        });
        (found.into_iter().collect(), None)
    }

    /// The lines of a file that define something, one excerpt for each.
    fn signatures(&self, file: &ReadableFile) -> (Vec<Excerpt>, Option<String>) {
        let Some(text) = self.text(file).map(|text| self.shown(text)) else {
            return (Vec::new(), Some(NO_FILE.of(self.lang).to_owned()));
        };
        let lines: Vec<&str> = text.lines().collect();
        let defined = parse(&file.name, &text).definitions;
        let line = |n: u32| lines.get(n as usize - 1).copied().unwrap_or_default();
        let heads = defined.iter().map(|one| (one.at, line(one.at)));
        let heads: Vec<String> = heads
            .take(MAX_ENTRIES)
            .map(|(n, line)| format!("{n}: {}", cut(line.trim_end())))
            .collect();
        if heads.is_empty() {
            let find = excerpt(&file.name, &lines, 1, lines.len().min(40));
            return (vec![find], None);
        }
        let find = Excerpt {
            path: file.name.clone(),
            from: 0,
            to: 0,
            text: heads.join("\n"),
        };
        (vec![find], self.entries_of(defined.len()))
    }
}

fn plain(path: &str) -> String {
    let path = path.trim().trim_matches('`').replace('\\', "/");
    let path = path.trim_start_matches("./");
    path.to_owned()
}

/// Splits a path from line numbers after it, as in `src/a.rs:10-20`.
fn path_and_lines(what: &str) -> (&str, Option<(u32, u32)>) {
    let what = what.trim().trim_matches('`');
    let Some((path, lines)) = what.rsplit_once(':') else {
        return (what, None);
    };
    let number = |text: &str| text.trim().parse::<u32>().ok();
    let lines = match lines.split_once('-') {
        Some((from, to)) => number(from).zip(number(to)),
        None => number(lines).map(|line| (line, line)),
    };
    match lines {
        Some(lines) => (path, Some(lines)),
        None => (what, None),
    }
}

/// Lines `from` to `to`, from 1, up to the limits of one look.
pub(super) fn excerpt(path: &str, lines: &[&str], from: usize, to: usize) -> Excerpt {
    let mut text = String::new();
    let mut last = from;
    for (n, line) in (from..=to).zip(&lines[from - 1..]) {
        let line = cut(line);
        if n > from {
            if text.chars().count() + line.chars().count() > MAX_CHARS {
                break;
            }
            text.push('\n');
        }
        text.push_str(&line);
        last = n;
    }
    Excerpt {
        path: path.to_owned(),
        from: from as u32,
        to: last as u32,
        text,
    }
}

pub(super) fn cut(line: &str) -> String {
    match line.char_indices().nth(MAX_LINE) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line.to_owned(),
    }
}

/// Compiles a regular expression; `None` if it is invalid or too large, `Some(None)` if it matches
/// everything.
fn pattern(text: &str) -> Option<Option<Regex>> {
    let text = text.trim();
    if text.chars().count() > MAX_PATTERN {
        return None;
    }
    let quiet = !text.chars().any(char::is_uppercase);
    let regex = compiled(text, quiet)?;
    Some((!regex.is_match("")).then_some(regex))
}

fn literal(text: &str) -> Option<Regex> {
    let text: String = text.trim().chars().take(MAX_PATTERN).collect();
    compiled(&regex::escape(&text), true).filter(|_| !text.is_empty())
}

fn compiled(pattern: &str, any_case: bool) -> Option<Regex> {
    RegexBuilder::new(pattern)
        .case_insensitive(any_case)
        .multi_line(true)
        .size_limit(MAX_COMPILED)
        .dfa_size_limit(MAX_COMPILED)
        .build()
        .ok()
}

/// Compiles a glob with the syntax of `.gitignore`.
fn glob(glob: &str) -> Gitignore {
    let mut builder = GitignoreBuilder::new("");
    let mut depth = 0;
    let several = glob.split(|c| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        c == ',' && depth == 0
    });
    for one in several.take(8) {
        let one: String = one.trim().chars().take(MAX_PATTERN).collect();
        // An invalid glob matches no file.
        let _ = builder.add_line(None, one.trim_start_matches("./"));
    }
    builder.build().unwrap_or_else(|_| Gitignore::empty())
}

#[cfg(test)]
mod tests;
