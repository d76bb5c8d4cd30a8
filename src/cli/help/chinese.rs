//! Chinese help, which replaces the English help of each command.

use std::collections::BTreeMap;

use clap::{Arg, ArgAction, Command};

use crate::yaml::{self, Tree};

const TEXTS: &str = include_str!("zh.yaml");
/// Maximum size of the catalogue, in bytes.
const MAX_BYTES: usize = 256 * 1024;
/// The section for arguments of many commands.
const SHARED: &str = "shared";

/// Heading of the flags of every command.
const EVERYWHERE: &str = "通用选项";

/// Help as clap writes it, with the one heading that cannot be set.
const TEMPLATE: &str = "{before-help}{about-with-newline}\n用法：{usage}\n\n{all-args}{after-help}";

/// Texts by command, such as `config set`, and within it by argument; `about`
/// and `after` are the command's own.
#[derive(Debug)]
pub struct Catalogue(BTreeMap<String, BTreeMap<String, String>>);

impl Catalogue {
    /// Returns the Chinese texts; invalid entries are left out, and so fall back to English.
    pub fn chinese() -> Self {
        let mut texts = BTreeMap::new();
        let root = yaml::read(TEXTS, MAX_BYTES).map(|node| node.value);
        if let Ok(Tree::Map(commands)) = root {
            for (command, _, node) in commands {
                let Tree::Map(pairs) = node.value else {
                    continue;
                };
                let pairs = pairs.into_iter().filter_map(|(key, _, node)| {
                    let Tree::Text(text) = node.value else {
                        return None;
                    };
                    Some((key, text))
                });
                texts.insert(command, pairs.collect());
            }
        }
        Self(texts)
    }

    /// Returns the text of an argument, or of `about` and `after`.
    fn text(&self, command: &str, key: &str) -> Option<&str> {
        let own = |name: &str| self.0.get(name)?.get(key).map(String::as_str);
        own(command).or_else(|| match key {
            "about" | "after" => None,
            _ => own(SHARED),
        })
    }
}

/// Returns the command line with Chinese help.
pub fn translated(command: Command) -> Command {
    let catalogue = Catalogue::chinese();
    let version = Arg::new("version")
        .short('V')
        .long("version")
        .action(ArgAction::Version)
        .help(
            catalogue
                .text(SHARED, "version_flag")
                .unwrap_or_default()
                .to_owned(),
        )
        .help_heading("选项");
    level(
        command.disable_version_flag(true).arg(version),
        "aitc",
        &catalogue,
    )
}

fn level(command: Command, path: &str, catalogue: &Catalogue) -> Command {
    let text = |key: &str| catalogue.text(path, key).map(str::to_owned);
    let mut command = command
        .help_template(TEMPLATE)
        .subcommand_help_heading("命令")
        .disable_help_flag(true);
    if let Some(about) = text("about") {
        command = command.about(about);
    }
    if let Some(after) = text("after") {
        command = command.after_help(after);
    }
    let command = command.mut_args(|arg| {
        let heading = match (arg.is_positional(), arg.get_help_heading()) {
            (true, _) => "参数",
            (false, Some(_)) => EVERYWHERE,
            (false, None) => "选项",
        };
        let arg = arg.help_heading(heading);
        match catalogue.text(path, arg.get_id().as_str()) {
            Some(text) => arg.help(text.to_owned()),
            None => arg,
        }
    });
    let help = Arg::new("help")
        .short('h')
        .long("help")
        .action(ArgAction::Help)
        .help(
            catalogue
                .text(SHARED, "help")
                .unwrap_or_default()
                .to_owned(),
        )
        .help_heading("选项");
    let below = |sub: Command| {
        let name = match path {
            "aitc" => sub.get_name().to_owned(),
            _ => format!("{path} {}", sub.get_name()),
        };
        level(sub, &name, catalogue)
    };
    let everywhere: Vec<String> = command
        .get_arguments()
        .filter(|arg| arg.get_help_heading() == Some(EVERYWHERE))
        .map(|arg| arg.get_id().to_string())
        .collect();
    // A changed argument moves to the end, so these come after the others.
    let command = everywhere.iter().fold(command.arg(help), |command, id| {
        command.mut_arg(id, |arg| arg)
    });
    command.mut_subcommands(below)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use clap::CommandFactory;

    use super::*;
    use crate::cli::Cli;

    /// Returns every text of the command line, by command and key.
    fn wanted(command: &Command, path: &str, all: &mut BTreeSet<(String, String)>) {
        let mut add = |key: &str| all.insert((path.to_owned(), key.to_owned()));
        add("about");
        if command.get_after_help().is_some() {
            add("after");
        }
        for arg in command.get_arguments() {
            add(arg.get_id().as_str());
            assert!(arg.get_long_help().is_none(), "{path} {}", arg.get_id());
        }
        for sub in command.get_subcommands() {
            let name = sub.get_name();
            let below = match path {
                "aitc" => name.to_owned(),
                _ => format!("{path} {name}"),
            };
            wanted(sub, &below, all);
        }
    }

    #[test]
    fn the_catalogue_has_every_text_and_no_other() {
        let catalogue = Catalogue::chinese();
        let mut all = BTreeSet::new();
        wanted(&Cli::command(), "aitc", &mut all);
        let mut used = BTreeSet::from([
            (SHARED.to_owned(), "help".to_owned()),
            (SHARED.to_owned(), "version_flag".to_owned()),
        ]);
        for (command, key) in &all {
            let text = catalogue.text(command, key);
            let text = text.unwrap_or_else(|| panic!("no Chinese for `{key}` of `{command}`"));
            assert!(
                text.chars().any(|c| c > '\u{2e7f}'),
                "{command} {key}: {text}"
            );
            let own = catalogue
                .0
                .get(command)
                .is_some_and(|own| own.contains_key(key));
            let place = if own { command } else { SHARED };
            used.insert((place.to_owned(), key.clone()));
        }
        for (command, texts) in &catalogue.0 {
            for key in texts.keys() {
                assert!(
                    used.contains(&(command.clone(), key.clone())),
                    "nothing is called `{key}` of `{command}`"
                );
            }
        }
    }

    /// An example is the same command in both languages; only the texts in it differ.
    #[test]
    fn examples_name_the_same_commands() {
        fn commands(text: &str) -> Vec<String> {
            let words = |line: &str| {
                let words = line.split_whitespace();
                words.take(2).collect::<Vec<_>>().join(" ")
            };
            text.lines()
                .filter(|line| line.trim_start().starts_with("aitc "))
                .map(words)
                .collect()
        }
        fn walk(en: &Command, zh: &Command) {
            let after = |command: &Command| {
                command
                    .get_after_help()
                    .map(ToString::to_string)
                    .unwrap_or_default()
            };
            assert_eq!(
                commands(&after(en)),
                commands(&after(zh)),
                "{}",
                en.get_name()
            );
            for (en, zh) in en.get_subcommands().zip(zh.get_subcommands()) {
                walk(en, zh);
            }
        }
        walk(&Cli::command(), &translated(Cli::command()));
    }
}
