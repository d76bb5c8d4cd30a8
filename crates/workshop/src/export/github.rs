//! A shell script that makes issues with GitHub's `gh`.

use super::words::{AFTER, CRITERIA, SIZE, TESTS, UNRESOLVED};
use super::work::{Item, Work};
use crate::artifact::{inline, one_line, plain};

/// The script: one function, then a call an item, in order of work, so that an
/// issue can name the numbers of those before it. Every text is in single
/// quotes, in which a shell knows nothing but their end.
pub(super) fn script(work: &Work) -> String {
    let mut text = HEAD.replace(
        "{title}",
        &comment(&format!("{} {}", work.version, work.title)),
    );
    for item in &work.items {
        let (title, whole) = item.title(TITLE);
        let mut words = vec![quoted(&item.work.id), quoted(&title)];
        words.push(quoted(&body(item, whole, work)));
        words.push(quoted(&format!("size-{}", item.size())));
        words.extend(item.work.depends_on.iter().map(|id| quoted(id)));
        text.push_str(&format!("issue {}\n", words.join(" ")));
    }
    text
}

/// Longest title of an issue.
const TITLE: usize = 256;

const HEAD: &str = r##"#!/bin/sh
# {title}
#
# Makes one GitHub issue a work item, in the repository of this folder, with
# the GitHub CLI: sh FILE. What was made stands in aitc-issues.tsv; a second
# run leaves those out. Look through it before you run it.
set -eu
made=${AITC_ISSUES:-aitc-issues.tsv}
touch "$made"
for label in aitc size-S size-M size-L size-XL; do
  gh label create "$label" --force >/dev/null
done
# issue ID TITLE BODY LABEL [ID OF AN ITEM THAT COMES FIRST]...
issue() {
  id=$1 title=$2 body=$3 label=$4
  shift 4
  if grep -q "^$id	" "$made"; then return; fi
  for first in "$@"; do
    body="$body
- $first: $(sed -n "s/^$first	//p" "$made")"
  done
  url=$(gh issue create --title "$title" --body "$body" --label aitc --label "$label" </dev/null)
  printf '%s\t%s\n' "$id" "$url" >>"$made"
  printf '%s %s\n' "$id" "$url"
}

"##;

fn body(item: &Item, whole_title: Option<String>, work: &Work) -> String {
    let lang = work.lang;
    let mut parts = Vec::new();
    if !work.agreed {
        parts.push(format!("> **{}**", UNRESOLVED.of(lang)));
    }
    parts.extend(whole_title.map(|title| unreferenced(&title)));
    parts.push(unreferenced(&item.work.detail));
    let criteria = item.served(lang).into_iter();
    let criteria = criteria.map(|line| format!("- [ ] {}", unreferenced(&line)));
    let tests = item.tests.iter();
    let tests = tests.map(|one| format!("- {} {}", one.id, unreferenced(&one.title)));
    for (title, lines) in [
        (CRITERIA, criteria.collect::<Vec<_>>()),
        (TESTS, tests.collect()),
    ] {
        if !lines.is_empty() {
            parts.push(format!("### {}\n\n{}", title.of(lang), lines.join("\n")));
        }
    }
    parts.push(format!("{}: {}", SIZE.of(lang), item.size()));
    if !item.work.depends_on.is_empty() {
        // The script adds a line for each of them.
        parts.push(format!("### {}\n", AFTER.of(lang)));
    }
    parts.join("\n\n")
}

/// The text as Markdown in which nobody is mentioned and nothing referred to: `@app`, `#12`
/// and `GH-12` stand in code spans, which a backslash does not do.
fn unreferenced(text: &str) -> String {
    let text = one_line(text);
    let is_name = |c: char| c.is_ascii_alphanumeric() || "-_/.".contains(c);
    let mut out = String::with_capacity(text.len() + 8);
    let (mut previous, mut rest) = (' ', text.as_str());
    while let Some(c) = rest.chars().next() {
        let after = &rest[c.len_utf8()..];
        if c == '`' {
            let end = after.find('`').filter(|end| *end > 0);
            match end.filter(|end| !after[end + 1..].starts_with('`')) {
                Some(end) => {
                    out.push_str(&rest[..end + 2]);
                    rest = &after[end + 1..];
                }
                // One that begins no code would only end that of a name.
                None => {
                    out.push('\'');
                    rest = after;
                }
            }
            previous = ' ';
            continue;
        }
        let begins = |text: &str, of: fn(char) -> bool| text.starts_with(of);
        let found = match c {
            '@' if !previous.is_ascii_alphanumeric() => {
                begins(after, |c| c.is_ascii_alphanumeric()).then_some(1)
            }
            '#' => begins(after, |c| c.is_ascii_digit()).then_some(1),
            'G' | 'g' if !previous.is_ascii_alphanumeric() => {
                let behind = after.get(..2).filter(|two| two.eq_ignore_ascii_case("h-"));
                behind
                    .filter(|_| begins(&after[2..], |c| c.is_ascii_digit()))
                    .map(|_| 3)
            }
            _ => None,
        };
        let Some(mark) = found else {
            out.push(c);
            (rest, previous) = (after, c);
            continue;
        };
        let end = rest[mark..]
            .find(|c| !is_name(c))
            .map_or(rest.len(), |at| mark + at);
        let name = rest[..end].trim_end_matches(['.', '-', '/']);
        if out.ends_with('`') {
            out.push(' ');
        }
        out.push_str(&format!("`{name}`"));
        (rest, previous) = (&rest[name.len()..], ' ');
    }
    inline(&out)
}

/// A word for a POSIX shell.
fn quoted(text: &str) -> String {
    format!("'{}'", plain(text).replace('\'', r"'\''"))
}

/// Text that cannot leave its comment.
fn comment(text: &str) -> String {
    one_line(text)
}

#[cfg(test)]
mod tests {
    use super::unreferenced;

    #[test]
    fn nobody_is_mentioned_and_nothing_referred_to() {
        for (text, shown) in [
            ("Add @types/node, see #12.", "Add `@types/node`, see `#12`."),
            ("(@app) and @org/team!", "(`@app`) and `@org/team`!"),
            ("owner/repo#12 and GH-7", "owner/repo`#12` and `GH-7`"),
            ("见#12和@app装饰器", "见`#12`和`@app`装饰器"),
            ("me@example.org", "me\\@example.org"),
            ("`@app` stays", "`@app` stays"),
            ("C# and # 5, a @ b", "C# and # 5, a \\@ b"),
            ("@a@b", "`@a` `@b`"),
            ("a ` and @b", "a ' and `@b`"),
            ("``@a``", "''`@a`''"),
        ] {
            assert_eq!(unreferenced(text), shown, "{text}");
        }
    }
}
