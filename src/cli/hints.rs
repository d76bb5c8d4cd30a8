//! Commands in the form in which the user can type them: `aitc resume` in a shell, `/resume` at a
//! chat's prompt, `aitc resume v2` if several runs are unfinished, `aitc -C DIR resume` after `-C`.

use std::borrow::Cow;
use std::path::Path;
use std::sync::LazyLock;

use clap::CommandFactory as _;
use regex::{Captures, Regex};

use super::{Cli, Context, discovery, endpoint, versions};
use crate::config::{Config, Origin};
use crate::edge::model::pattern;
use crate::machine::Version;

/// `aitc` at the beginning of a word, with the command after it.
static COMMAND: LazyLock<Regex> =
    LazyLock::new(|| pattern(r#"(^|[^\w./-])aitc ("@|[a-z][a-z-]*)"#));

/// Returns the text with `/NAME` in place of each `aitc NAME`, and `@team …` in place of `aitc
/// "@team …"`.
pub fn in_chat(text: &str) -> String {
    each(text, |name| match name {
        "\"@" => name.to_owned(),
        name => format!("/{name}"),
    })
}

/// Returns the text; its commands name the folder of `-C`.
pub fn in_folder(text: &str, folder: &Path) -> String {
    let folder = folder.to_string_lossy();
    each(text, |name| format!("aitc -C {} {name}", word(&folder)))
}

/// Puts something in place of each `aitc NAME`.
fn each(text: &str, put: impl Fn(&str) -> String) -> String {
    let all = Cli::command();
    let is_command =
        |name: &str| name == "\"@" || all.find_subcommand(name).is_some() || name == "help";
    let put = |found: &Captures<'_>| match is_command(&found[2]) {
        true => format!("{}{}", &found[1], put(&found[2])),
        false => found[0].to_owned(),
    };
    COMMAND.replace_all(text, put).into_owned()
}

/// Returns the text; its commands name the run if several are unfinished, and the folder of `-C`.
pub fn for_run(text: &str, version: Version, context: &Context) -> String {
    let unfinished = || {
        let all = versions::find_all(context).unwrap_or_default();
        all.iter()
            .filter(|found| versions::is_unfinished(found))
            .count()
    };
    let text = match OF_RUN.is_match(text) && unfinished() > 1 {
        true => of_run(text, version),
        false => text.to_owned(),
    };
    // At a chat's prompt the whole is put into its form where it is printed.
    match context.global.in_chat {
        Some(_) => text,
        None => context.hinted(text),
    }
}

/// Returns a page about a run with the run named in its last line, which says how to continue. The
/// lines above may quote others and stay as they are.
pub fn on_run(page: &str, version: Version, context: &Context) -> String {
    let (above, last) = page.split_at(page.rfind('\n').unwrap_or(page.len()));
    above.to_owned() + &for_run(last, version, context)
}

/// A command for one run, and the run's name if it is there.
static OF_RUN: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r#"aitc (?:(?:(?<resume>resume)|reply(?: [0-9]+)?|stop|next)(?-u:\b)|answer [^"]*"[^"]*")"#,
        r"(?<named> (?:[a-z]+/)?v[0-9]+| --run \S+)?",
    ))
});

/// Returns the text with the run named in each command for one run; otherwise the command would be
/// refused if several runs are unfinished.
fn of_run(text: &str, version: Version) -> String {
    let put = |found: &Captures<'_>| {
        let command = &found[0];
        match (found.name("named"), found.name("resume")) {
            (Some(_), _) => command.to_owned(),
            (None, Some(_)) => format!("{command} {version}"),
            (None, None) => format!("{command} --run {version}"),
        }
    };
    OF_RUN.replace_all(text, put).into_owned()
}

/// `aitc resume`, and the run if it is named.
static RESUME: LazyLock<Regex> = LazyLock::new(|| pattern(r"aitc resume(?: (?:[a-z]+/)?v[0-9]+)?"));

/// Returns the text with flags added to each `aitc resume` that were given by flag and must be
/// given again: programs and the address. A login and a query are left out.
pub fn at_address(text: &str, config: &Config) -> String {
    let program = config
        .text("provider", Origin::is_flag)
        .filter(|name| endpoint::is_program(config, name));
    let program = program.map(|name| format!(" --provider {name}"));
    let of_roles = config.role_models.iter().filter_map(|(role, model)| {
        config.text(&format!("role_models.{role}"), Origin::is_flag)?;
        let provider = discovery::split(model, config).0?;
        endpoint::is_program(config, provider)
            .then(|| format!(" --model {}", word(&format!("{role}={model}"))))
    });
    let url = config.text("base_url", Origin::is_flag);
    let url = url.map(|url| format!(" --base-url {}", bare(&url)));
    let flags: String = program.into_iter().chain(of_roles).chain(url).collect();
    let put = |found: &Captures<'_>| format!("{}{flags}", &found[0]);
    RESUME.replace_all(text, put).into_owned()
}

/// Returns a text as one word of a command: in single quotes if a shell could read it otherwise. A
/// draft that came with a clone may contain anything.
pub fn word(text: &str) -> Cow<'_, str> {
    let is_plain = |c: char| c.is_alphanumeric() || "-_.:/@=,+".contains(c);
    match text.chars().all(is_plain) {
        true => text.into(),
        false => format!("'{}'", text.replace('\'', "'\\''")).into(),
    }
}

/// Returns an address without login, query and fragment.
fn bare(url: &str) -> String {
    let url = url.split(['?', '#']).next().unwrap_or_default();
    let Some((scheme, rest)) = url.split_once("://") else {
        return url.to_owned();
    };
    let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
    format!("{scheme}://{host}{path}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_one_word_for_a_shell() {
        assert_eq!(word("RP=mine:qwen-2.5/7b"), "RP=mine:qwen-2.5/7b");
        assert_eq!(word("x; rm it's"), r"'x; rm it'\''s'");
    }

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
    fn a_command_for_another_folder_names_it() {
        let told = in_folder("fix: `aitc resume v2`, aitc itself", Path::new("../a b"));
        assert_eq!(told, "fix: `aitc -C '../a b' resume v2`, aitc itself");
        assert_eq!(in_folder(&told, Path::new("../a b")), told);
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
