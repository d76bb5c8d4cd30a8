//! Commands as they are named to who types them: `aitc resume` in a shell, `/resume`
//! at a chat's prompt, `aitc resume v2` where several runs are unfinished.

use clap::CommandFactory as _;

use super::models::said;
use super::{Cli, CliError, Context, open};
use crate::config::{Config, Origin};
use crate::edge::model::providers;
use crate::machine::Version;

/// The name of the program, as hints call it.
const PROGRAM: &str = "aitc ";

/// The text with `/NAME` in place of each `aitc NAME`.
pub fn in_chat(text: &str) -> String {
    let all = Cli::command();
    let is_command = |name: &str| all.find_subcommand(name).is_some() || name == "help";
    let mut told = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(PROGRAM) {
        let (before, after) = (&rest[..at], &rest[at + PROGRAM.len()..]);
        let end = after.find(|c: char| !(c.is_ascii_lowercase() || c == '-'));
        let name = &after[..end.unwrap_or(after.len())];
        // A word that only ends like the program's name is another word.
        let begins = !before.ends_with(|c: char| c.is_alphanumeric() || "-._/".contains(c));
        told.push_str(before);
        // `aitc "@team …"` is typed as `@team …` there.
        told.push_str(match begins {
            true if is_command(name) => "/",
            true if after.starts_with("\"@") => "",
            _ => PROGRAM,
        });
        rest = after;
    }
    told + rest
}

/// What is told of a run, its commands naming it where several are unfinished.
pub fn about_run(fault: CliError, version: Version, context: &Context) -> CliError {
    match open::are_several(context) {
        true => fault.put(|text| of_run(text, version)),
        false => fault,
    }
}

/// A page on a run, whose last line says the command that goes on: below what others
/// wrote, of which nothing is touched.
pub fn on_run(page: &str, version: Version, context: &Context) -> String {
    match page.rfind('\n') {
        Some(at) if open::are_several(context) => {
            let (above, last) = page.split_at(at);
            above.to_owned() + &of_run(last, version)
        }
        _ => page.to_owned(),
    }
}

/// The text, in which each command that is meant for one run names it: to another, or to
/// several, the answer would be that one must be named.
pub fn of_run(text: &str, version: Version) -> String {
    let mut told = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(PROGRAM) {
        let (before, command) = rest.split_at(at + PROGRAM.len());
        told.push_str(before);
        let (length, name) = naming(command, version);
        told.push_str(&command[..length]);
        told.push_str(&name);
        rest = &command[length..];
    }
    told + rest
}

/// The text, in which each `aitc resume` names what was given by flag and is no part of
/// the record, or is not taken from it: the program and the address. Who logs in there and
/// what a query says stay out.
pub fn at_address(text: &str, config: &Config) -> String {
    const RESUME: &str = "aitc resume";
    let by_flag = |origin: &Origin| matches!(origin, Origin::Flag(_));
    let program = said(config, "provider", by_flag).filter(|name| providers::is_command(name));
    let program = program.map(|name| format!(" --provider {name}"));
    let url = said(config, "base_url", by_flag);
    let url = url.map(|url| format!(" --base-url {}", bare(&url)));
    let flags: String = [program, url].into_iter().flatten().collect();
    if flags.is_empty() {
        return text.to_owned();
    }
    let mut told = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(RESUME) {
        let behind = &rest[at + RESUME.len()..];
        let (command, after) = rest.split_at(at + RESUME.len() + named(behind));
        told.push_str(command);
        told.push_str(&flags);
        rest = after;
    }
    told + rest
}

/// Length of the version that stands behind a command, with the space before it; 0 for none.
fn named(behind: &str) -> usize {
    let Some(word) = behind.strip_prefix(' ') else {
        return 0;
    };
    let end = word.find(|c: char| !(c.is_ascii_alphanumeric() || c == '/'));
    let word = &word[..end.unwrap_or(word.len())];
    open::named(word).map_or(0, |_| 1 + word.len())
}

/// An address without who logs in, query and fragment.
fn bare(url: &str) -> String {
    let url = url.split(['?', '#']).next().unwrap_or_default();
    let Some((scheme, rest)) = url.split_once("://") else {
        return url.to_owned();
    };
    let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
    format!("{scheme}://{host}{path}")
}

/// Up to where the command goes, and what names the run there; nothing of a command that
/// names one, or is for no run.
fn naming(command: &str, version: Version) -> (usize, String) {
    let behind = |word: &str| {
        let rest = command.strip_prefix(word)?;
        let whole = !rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '-');
        whole.then_some((word.len(), rest))
    };
    if let Some((length, rest)) = behind("resume") {
        if named(rest) == 0 {
            return (length, format!(" {version}"));
        }
    } else if let Some((length, rest)) = behind("reply") {
        // Behind the number of the call.
        let digits = rest.trim_start_matches(|c: char| c == ' ' || c.is_ascii_digit());
        let rest = digits.strip_prefix("--run").map_or(Some(digits), |_| None);
        if let Some(rest) = rest {
            let end = command.len() - rest.len();
            let end = command[..end].trim_end().len().max(length);
            return (end, format!(" --run {version}"));
        }
    } else if let Some((length, rest)) = behind("stop").or_else(|| behind("next")) {
        if !rest.starts_with(" --run") {
            return (length, format!(" --run {version}"));
        }
    } else if let Some((length, rest)) = behind("answer") {
        // Behind the text, which stands in quotes.
        let ends = rest.match_indices('"').nth(1).map(|(at, _)| at + 1);
        if let Some(end) = ends.filter(|end| !rest[*end..].starts_with(" --run")) {
            return (length + end, format!(" --run {version}"));
        }
    }
    (0, String::new())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_for_a_run_names_it() {
        for (text, told) in [
            (
                "fill in v2.draft/questions.md or use aitc answer Q-1 \"…\", then aitc resume",
                "fill in v2.draft/questions.md or use aitc answer Q-1 \"…\" --run v2, then aitc resume v2",
            ),
            ("运行 `aitc resume` 继续", "运行 `aitc resume v2` 继续"),
            ("aitc resume v7", "aitc resume v7"),
            ("aitc resume team/v7,", "aitc resume team/v7,"),
            (
                "aitc resume --accept-drift",
                "aitc resume v2 --accept-drift",
            ),
            ("aitc next", "aitc next --run v2"),
            ("aitc reply 3 -f FILE", "aitc reply 3 --run v2 -f FILE"),
            ("or `aitc stop`", "or `aitc stop --run v2`"),
            ("aitc plan, aitc resumes", "aitc plan, aitc resumes"),
        ] {
            assert_eq!(of_run(text, Version::plan(2)), told);
            assert_eq!(of_run(told, Version::plan(2)), told);
        }
    }

    #[test]
    fn an_address_is_told_without_what_may_be_a_key() {
        for (url, told) in [
            ("http://127.0.0.1:1/v1", "http://127.0.0.1:1/v1"),
            ("https://me:s3cret@h/v1?key=s3cret", "https://h/v1"),
            ("https://h#s3cret", "https://h"),
        ] {
            assert_eq!(bare(url), told);
        }
    }

    #[test]
    fn only_commands_of_the_program_are_put_so() {
        for (text, told) in [
            (
                "interrupted; `aitc resume` goes on",
                "interrupted; `/resume` goes on",
            ),
            ("aitc answer Q-1 \"…\"", "/answer Q-1 \"…\""),
            (
                "用 aitc status 或 `aitc help all`",
                "用 /status 或 `/help all`",
            ),
            ("report it to aitc itself", "report it to aitc itself"),
            ("my-aitc status, aitc lists", "my-aitc status, aitc lists"),
            ("aitc", "aitc"),
        ] {
            assert_eq!(in_chat(text), told);
        }
    }
}
