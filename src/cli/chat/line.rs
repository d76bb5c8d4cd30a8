//! Parses a line typed in a chat.

use clap::{Arg, Command};

/// A parsed line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChatLine<'a> {
    /// Nothing but white space.
    Nothing,
    /// The chat is over.
    Leave,
    /// A command and what follows it.
    Command(&'a str, &'a str),
    /// A text addressed to a format, such as `@team …`.
    Addressed(&'a str),
    /// A text addressed to an unknown format, such as `@tema …`.
    Misaddressed(&'a str),
    /// A message to the members.
    Words(&'a str),
}

/// Words that end the chat, with or without a slash.
const LEAVING: [&str; 2] = ["quit", "exit"];

/// Commands whose last argument is the rest of the line, word for word.
const TEXTS: [&str; 8] = [
    "plan", "brief", "revise", "team", "board", "debate", "say", "answer",
];

/// Parses a line. An exit word counts only as the whole line; a text that begins with a slash and
/// no name, such as a path, is words.
pub fn read<'a>(line: &'a str, exit_words: &[String]) -> ChatLine<'a> {
    let line = line.trim();
    let lower = line.to_lowercase();
    let is_exit = |word: &String| word.trim().to_lowercase() == lower;
    if line.is_empty() {
        return ChatLine::Nothing;
    }
    if exit_words.iter().any(is_exit) || LEAVING.contains(&&*lower) {
        return ChatLine::Leave;
    }
    if crate::machine::addressed(line).is_some() {
        return ChatLine::Addressed(line);
    }
    if let Some(name) = crate::machine::address(line) {
        return ChatLine::Misaddressed(name);
    }
    let Some(rest) = line.strip_prefix('/') else {
        return ChatLine::Words(line);
    };
    let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
    let (name, rest) = rest.split_at(end);
    let is_name = |c: char| c.is_ascii_alphabetic() || c == '-';
    if name.is_empty() || !name.chars().all(is_name) {
        return ChatLine::Words(line);
    }
    match LEAVING.contains(&name) {
        true => ChatLine::Leave,
        false => ChatLine::Command(name, rest.trim()),
    }
}

/// Returns the arguments of a command as a shell would split them; a text argument needs no quotes.
/// `all` knows which flags take a value.
pub fn arguments(all: &Command, name: &str, rest: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut left = rest;
    // A quoted text that flags follow ends at its quote; the parser gets the flags before it.
    let mut quoted = None;
    let mut is_named = false;
    let own = all.find_subcommand(name).filter(|_| TEXTS.contains(&name));
    while let Some((word, after)) = next_word(left) {
        let flag = own.and_then(|own| flag_of(all, own, &word));
        let is_flag = flag.is_some() || word.starts_with("--");
        let names = own.is_some() && !is_flag && !is_named && is_named_first(name, &word);
        is_named |= names;
        if own.is_some() && !is_flag && !names && quoted.is_none() {
            let begins_quoted = left.trim_start().starts_with(['"', '\'']);
            let next = next_word(after).map(|(next, _)| next);
            let flag_follows = next.is_some_and(|next| {
                let is_long = next.len() > 2 && next.starts_with("--");
                is_long || own.is_some_and(|own| flag_of(all, own, &next).is_some())
            });
            if begins_quoted && flag_follows {
                quoted = Some(word);
                left = after;
                continue;
            }
            quoted = Some(unquoted(left).unwrap_or_else(|| left.trim().to_owned()));
            break;
        }
        left = after;
        let takes_value = flag.is_some_and(|flag| flag.get_action().takes_values());
        let is_whole = word.contains('=');
        words.push(word);
        if takes_value
            && !is_whole
            && let Some((value, after)) = next_word(left)
        {
            words.push(value);
            left = after;
        }
    }
    if let Some(text) = quoted {
        words.extend(["--".to_owned(), text]);
    }
    words
}

/// Returns whether a version, or the id of a question, comes before the text.
fn is_named_first(name: &str, word: &str) -> bool {
    match name {
        "revise" => super::super::versions::parse_name(word).is_some(),
        "answer" => word.parse::<crate::machine::QuestionId>().is_ok(),
        _ => false,
    }
}

/// Returns the flag that a word names, long or short, of the command or of all commands.
fn flag_of<'c>(all: &'c Command, own: &'c Command, word: &str) -> Option<&'c Arg> {
    let long = word.strip_prefix("--");
    let long = long.map(|name| name.split('=').next().unwrap_or(name));
    let mut rest = word.strip_prefix('-').unwrap_or_default().chars();
    let short = rest.next().filter(|c| *c != '-' && rest.next().is_none());
    let mut known = own.get_arguments().chain(all.get_arguments());
    known.find(|arg| {
        let aliases = arg.get_visible_aliases().unwrap_or_default();
        let is_long =
            long.is_some_and(|name| arg.get_long() == Some(name) || aliases.contains(&name));
        is_long || (short.is_some() && arg.get_short() == short)
    })
}

/// Returns the next word, without its quotes, and the rest; `None` at the end.
fn next_word(text: &str) -> Option<(String, &str)> {
    let text = text.trim_start();
    if text.is_empty() {
        return None;
    }
    let (mut word, mut quote) = (String::new(), None);
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (None, '"' | '\'') => quote = Some(c),
            (Some(open), c) if c == open => quote = None,
            (None, c) if c.is_whitespace() => return Some((word, &text[at..])),
            _ => word.push(c),
        }
    }
    // A quote that is not closed is an apostrophe.
    match quote {
        None => Some((word, "")),
        Some(_) => {
            let end = text.find(char::is_whitespace).unwrap_or(text.len());
            Some((text[..end].to_owned(), &text[end..]))
        }
    }
}

/// Returns the text between quotes, if they surround all of it.
fn unquoted(text: &str) -> Option<String> {
    let begins_quoted = text.trim_start().starts_with(['"', '\'']);
    let (word, after) = next_word(text).filter(|_| begins_quoted)?;
    after.trim().is_empty().then_some(word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    #[test]
    fn a_line_is_a_command_an_address_an_exit_word_or_words() {
        let exits = ["quit".to_owned(), "*exit".to_owned()];
        for (line, expected) in [
            ("  ", ChatLine::Nothing),
            (" QUIT ", ChatLine::Leave),
            ("*exit", ChatLine::Leave),
            ("/exit", ChatLine::Leave),
            (
                "how do I quit the app",
                ChatLine::Words("how do I quit the app"),
            ),
            ("/plan Export it ", ChatLine::Command("plan", "Export it")),
            ("/show", ChatLine::Command("show", "")),
            ("/usr/bin is full", ChatLine::Words("/usr/bin is full")),
            ("/ 2", ChatLine::Words("/ 2")),
            ("@team[PP] go", ChatLine::Addressed("@team[PP] go")),
            ("Exit", ChatLine::Leave),
            ("exit strategy?", ChatLine::Words("exit strategy?")),
            ("@tema Port it", ChatLine::Misaddressed("tema")),
            ("@nobody", ChatLine::Misaddressed("nobody")),
            ("@board[PP", ChatLine::Addressed("@board[PP")),
            ("@ 5 pm", ChatLine::Words("@ 5 pm")),
            (
                "@media.css is wrong",
                ChatLine::Words("@media.css is wrong"),
            ),
        ] {
            assert_eq!(read(line, &exits), expected, "{line:?}");
        }
    }

    #[test]
    fn a_text_needs_no_quotes_and_flags_come_before_it() {
        let all = crate::cli::Cli::command();
        for (name, rest, expected) in [
            ("plan", "Export the list", &["--", "Export the list"][..]),
            (
                "plan",
                "--rounds 2 --light Don't stop",
                &["--rounds", "2", "--light", "--", "Don't stop"],
            ),
            (
                "team",
                "--members PP,SD Port it",
                &["--members", "PP,SD", "--", "Port it"],
            ),
            (
                "plan",
                "--model=\"a b\" \"one  two\"",
                &["--model=a b", "--", "one  two"],
            ),
            (
                "plan",
                "\"one\" and \"two\"",
                &["--", "\"one\" and \"two\""],
            ),
            ("plan", "- a list", &["--", "- a list"]),
            (
                "plan",
                "-f \"my list.md\" --light",
                &["-f", "my list.md", "--light"],
            ),
            ("plan", "-q Export it", &["-q", "--", "Export it"]),
            ("plan", "-5 degrees", &["--", "-5 degrees"]),
            (
                "plan",
                "--from v1 --feedback \"no CSV\"",
                &["--from", "v1", "--feedback", "no CSV"],
            ),
            ("revise", "v2 No CSV", &["v2", "--", "No CSV"]),
            (
                "revise",
                "--rounds 1 v2 No CSV",
                &["--rounds", "1", "v2", "--", "No CSV"],
            ),
            (
                "plan",
                "\"A. B.\" --rounds 2 --light",
                &["--rounds", "2", "--light", "--", "A. B."],
            ),
            (
                "answer",
                "Q-1 \"CSV\" --run v2",
                &["Q-1", "--run", "v2", "--", "CSV"],
            ),
            ("say", "use \"--run\" here", &["--", "use \"--run\" here"]),
            ("say", "\"A\" is better", &["--", "\"A\" is better"]),
            ("say", "\"A\" -- not B", &["--", "\"A\" -- not B"]),
            ("revise", "very good", &["--", "very good"]),
            (
                "answer",
                "Q-1 Only administrators",
                &["Q-1", "--", "Only administrators"],
            ),
            ("answer", "Q-1 --recommended", &["Q-1", "--recommended"]),
            ("show", "v1 round 2", &["v1", "round", "2"]),
            ("why", "'C-1' x", &["C-1", "x"]),
            ("status", "", &[]),
        ] {
            assert_eq!(arguments(&all, name, rest), expected, "/{name} {rest}");
        }
    }
}
