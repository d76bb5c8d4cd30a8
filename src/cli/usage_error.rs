//! Reports an invalid command line in the words of the catalogue.

use std::error::Error as _;
use std::ffi::OsString;
use std::num::ParseIntError;

use clap::ArgMatches;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use super::context::told_lang;
use super::revise::{NoChoice, REASON};
use super::{Fault, help};
use crate::edge::env::Env;
use crate::fault::line::{
    ARGUMENT_CONFLICT, ARGUMENT_MISSING, ARGUMENT_NO_VALUE, ARGUMENT_TWICE, ARGUMENT_UNKNOWN,
    ARGUMENT_VALUE, ARGUMENTS, COMMAND_UNKNOWN,
};
use crate::fault::{Message, MessageValue, nearest, texts, use_one_of, values};
use crate::machine::{BadId, Lang, NoVersion};

texts! {
    NO_ID: "an id is written like `{form}`", "编号的格式如 `{form}`";
    NO_NUMBER: "it must be a whole number, such as `7`", "应为整数，例如 `7`";
    AFTER_DASHES: "a text that begins with a dash goes after `--`: aitc{command} -- \"{argument}\"", "以连字符开头的文字要写在 `--` 之后：aitc{command} -- \"{argument}\"";
    NO_RANGE: "it must be a number from {least} to {most}", "应为 {least} 到 {most} 之间的数";
    NO_COMMAND: "a command", "一个命令";
}

/// Parses a command line. A text that begins like a list item (`- No CSV`) is no flag, and needs no
/// `--` before it.
///
/// # Errors
/// The line is invalid as it was typed.
pub fn matches(command: &clap::Command, arguments: &[OsString]) -> Result<ArgMatches, clap::Error> {
    let read = |arguments: &[OsString]| command.clone().try_get_matches_from(arguments);
    read(arguments).or_else(|error| {
        let again = match error.kind() {
            // `aitc "@team …"` is short for `aitc plan "@team …"`.
            ErrorKind::InvalidSubcommand => {
                let name = of(&error, ContextKind::InvalidSubcommand);
                match planned(&name, arguments) {
                    Some(line) => return matches(command, &line),
                    None => None,
                }
            }
            ErrorKind::UnknownArgument => with_lists_behind(arguments),
            _ => None,
        };
        match again.map(|again| read(&again)) {
            // The text stands where a command is wanted.
            Some(Err(other)) if other.kind() == ErrorKind::InvalidSubcommand => Err(error),
            Some(read) => read,
            None => Err(error),
        }
    })
}

/// Returns the line with `plan` before its first word, if that is addressed to a format.
fn planned(first: &str, arguments: &[OsString]) -> Option<Vec<OsString>> {
    let at = arguments.iter().position(|word| *word == *first)?;
    first.starts_with('@').then(|| {
        let mut line = arguments.to_vec();
        line.insert(at, "plan".into());
        line
    })
}

/// The options whose value may be a list.
const TEXTS: [&str; 2] = ["--feedback", "--note"];

/// Returns the line with its list items as text: one after such an option is joined to it, others
/// go behind `--` with everything that follows it; `None` if there are none.
fn with_lists_behind(arguments: &[OsString]) -> Option<Vec<OsString>> {
    let typed = arguments.iter().take_while(|word| *word != "--").count();
    let (before, behind) = arguments.split_at(typed);
    let (mut line, mut lists): (Vec<OsString>, Vec<OsString>) = Default::default();
    for word in before {
        match line.last_mut() {
            _ if !word.to_str().is_some_and(is_list) => line.push(word.clone()),
            Some(last) if TEXTS.iter().any(|text| last == text) => {
                last.push("=");
                last.push(word);
            }
            _ => lists.push(word.clone()),
        }
    }
    if lists.is_empty() && line.len() == before.len() {
        return None;
    }
    line.push("--".into());
    line.extend(lists);
    line.extend(behind.iter().skip(1).cloned());
    Some(line)
}

/// Returns whether it is a list item: a dash followed by a space.
fn is_list(word: &str) -> bool {
    let rest = word.trim_start_matches('-');
    rest.len() < word.len() && rest.starts_with(char::is_whitespace)
}

/// Returns the error for it.
pub fn fault(error: &clap::Error, arguments: &[OsString]) -> Fault {
    let command = help::path(arguments);
    let command: &dyn MessageValue = &command;
    let [argument, other, value] = [
        ContextKind::InvalidArg,
        ContextKind::PriorArg,
        ContextKind::InvalidValue,
    ]
    .map(|kind| of(error, kind));
    // Of a word that looks like several flags clap names only the first.
    let argument = match error.kind() {
        ErrorKind::UnknownArgument => whole_word(&argument, arguments),
        _ => argument,
    };
    match error.kind() {
        ErrorKind::InvalidSubcommand => {
            let name = of(error, ContextKind::InvalidSubcommand);
            let fault = COMMAND_UNKNOWN.with(values![command = name]);
            suggested(fault, of(error, ContextKind::SuggestedSubcommand))
        }
        ErrorKind::UnknownArgument if is_prose(&argument) => {
            let fault = ARGUMENT_UNKNOWN.with(values![command, argument]);
            fault.fixed_by(AFTER_DASHES.fill(values![command, argument]))
        }
        ErrorKind::UnknownArgument => suggested(
            ARGUMENT_UNKNOWN.with(values![command, argument]),
            of(error, ContextKind::SuggestedArg),
        ),
        // One word too many; it may be a text without its quotes.
        ErrorKind::TooManyValues => ARGUMENT_UNKNOWN.with(values![command, argument = value]),
        ErrorKind::MissingRequiredArgument => {
            let arguments = format!("`{argument}`");
            ARGUMENT_MISSING.with(values![command, arguments])
        }
        ErrorKind::MissingSubcommand => {
            ARGUMENT_MISSING.with(values![command, arguments = NO_COMMAND])
        }
        ErrorKind::InvalidValue if value.is_empty() => no_value(&argument, command),
        ErrorKind::NoEquals | ErrorKind::TooFewValues | ErrorKind::WrongNumberOfValues => {
            no_value(&argument, command)
        }
        ErrorKind::InvalidValue | ErrorKind::ValueValidation => {
            wrong_value(error, &argument, &value, command)
        }
        ErrorKind::ArgumentConflict if argument == other => {
            ARGUMENT_TWICE.with(values![argument, command])
        }
        ErrorKind::ArgumentConflict => ARGUMENT_CONFLICT.with(values![argument, other, command]),
        _ => {
            let rendered = error.render().to_string();
            let what = rendered.lines().next().unwrap_or_default();
            let what = what.strip_prefix("error: ").unwrap_or(what);
            ARGUMENTS.with(values![what, command])
        }
    }
}

/// Returns the word of the line that `argument` is a part of, if that is a text.
fn whole_word(argument: &str, arguments: &[OsString]) -> String {
    words(arguments)
        .find(|word| word.starts_with(argument) && is_prose(word) && !word.contains('='))
        .unwrap_or(argument)
        .to_owned()
}

/// Returns whether it is a text that begins with a dash, and no flag. A flag contains no space.
fn is_prose(argument: &str) -> bool {
    argument.contains(char::is_whitespace)
}

/// Returns clap's value of that kind for the error; several are joined, none is an empty text.
fn of(error: &clap::Error, kind: ContextKind) -> String {
    match error.get(kind) {
        Some(ContextValue::String(text)) => text.clone(),
        Some(ContextValue::Strings(texts)) => texts.join("`, `"),
        Some(ContextValue::StyledStr(text)) => text.to_string(),
        _ => String::new(),
    }
}

fn suggested(fault: Fault, near: String) -> Fault {
    fault.meaning(Some(near).filter(|near| !near.is_empty()))
}

fn no_value(argument: &str, command: &dyn MessageValue) -> Fault {
    ARGUMENT_NO_VALUE.with(values![argument, command])
}

fn wrong_value(
    error: &clap::Error,
    argument: &str,
    value: &str,
    command: &dyn MessageValue,
) -> Fault {
    let reason = error.source().map(|source| {
        let why = if source.is::<NoVersion>() {
            NoVersion::TEXT.into()
        } else if source.is::<NoChoice>() {
            NoChoice::TEXT.into()
        } else if let Some(bad) = source.downcast_ref::<BadId>() {
            NO_ID.fill(values![form = bad.form])
        } else if source.is::<ParseIntError>() {
            NO_NUMBER.into()
        } else {
            let said = source.to_string();
            match said
                .split_once(" is not in ")
                .and_then(|(_, it)| it.split_once("..="))
            {
                Some((least, most)) => NO_RANGE.fill(values![least, most]),
                None => Message::from(said),
            }
        };
        REASON.fill(values![why])
    });
    let fault = ARGUMENT_VALUE.with(values![
        argument,
        value,
        reason = reason.unwrap_or_default(),
        command
    ]);
    let near = of(error, ContextKind::SuggestedValue);
    match error.get(ContextKind::ValidValue) {
        _ if !near.is_empty() => suggested(fault, near),
        Some(ContextValue::Strings(known)) => {
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            fault
                .fixed_by(use_one_of(&known))
                .meaning(nearest(value, known))
        }
        _ => fault,
    }
}

/// Returns the language of a line that may be invalid: `--lang`, else the default without a
/// configuration.
pub fn lang(arguments: &[OsString], env: &Env) -> Lang {
    let words: Vec<&str> = words(arguments).collect();
    let flag = words
        .windows(2)
        .find(|pair| pair[0] == "--lang")
        .map(|pair| pair[1])
        .or_else(|| words.iter().find_map(|word| word.strip_prefix("--lang=")));
    told_lang(flag, env).unwrap_or_else(|| env.locale_lang())
}

/// Returns whether JSON was asked for, on a line that could not be parsed.
pub fn asks_for_json(arguments: &[OsString]) -> bool {
    let words: Vec<&str> = words(arguments).collect();
    words.iter().any(|word| {
        matches!(
            *word,
            "--json" | "--output-format=json" | "--output-format=stream-json"
        )
    }) || words
        .windows(2)
        .any(|pair| pair[0] == "--output-format" && pair[1].ends_with("json"))
}

/// Returns the words up to `--`, after which everything is text.
fn words(arguments: &[OsString]) -> impl Iterator<Item = &str> {
    arguments
        .iter()
        .filter_map(|word| word.to_str())
        .take_while(|word| *word != "--")
}
