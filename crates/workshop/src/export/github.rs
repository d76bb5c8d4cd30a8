//! A shell script that creates issues with GitHub's `gh`.

use super::inert::{spanned, unreferenced};
use super::words::{AFTER, CRITERIA, SIZE, TESTS, UNRESOLVED};
use super::work::{self, ExportItem, ExportPlan};
use crate::artifact::{one_line, plain};

/// The script: one function, then one call per item in the order of the work, so that an issue can
/// refer to the numbers of earlier ones. Every text is in single quotes, where a shell treats no
/// character as special except the closing quote.
pub(super) fn script(work: &ExportPlan) -> String {
    let mut text = HEAD.replace(
        "{title}",
        &one_line(&format!("{} {}", work.version, work.title)),
    );
    for item in &work.items {
        let (title, whole) = work::title(&spanned(&item.heading()), TITLE);
        let mut words = vec![quoted(&item.work.id), quoted(&title)];
        words.push(quoted(&body(item, whole, work)));
        words.push(quoted(&format!("size-{}", item.size())));
        words.extend(item.work.depends_on.iter().map(|id| quoted(id)));
        text.push_str(&format!("issue {}\n", words.join(" ")));
    }
    text
}

/// Longest title of an issue, in UTF-16 code units.
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

fn body(item: &ExportItem, whole_title: Option<String>, work: &ExportPlan) -> String {
    let lang = work.lang;
    let mut parts = Vec::new();
    if !work.agreed {
        parts.push(format!("> **{}**", UNRESOLVED.of(lang)));
    }
    parts.extend(whole_title.map(|_| unreferenced(&item.heading())));
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
        // The script appends one line for each prerequisite.
        parts.push(format!("### {}\n", AFTER.of(lang)));
    }
    parts.join("\n\n")
}

/// Quotes a text as one word for a POSIX shell.
fn quoted(text: &str) -> String {
    format!("'{}'", plain(text).replace('\'', r"'\''"))
}
