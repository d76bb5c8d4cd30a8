//! Commands as they are named to who types them: `aitc resume` in a shell, `/resume`
//! at a chat's prompt.

use clap::CommandFactory as _;

use super::Cli;

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
        told.push_str(if begins && is_command(name) {
            "/"
        } else {
            PROGRAM
        });
        rest = after;
    }
    told + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_commands_of_the_program_are_put_so() {
        for (text, told) in [
            (
                "interrupted; `aitc resume` goes on",
                "interrupted; `/resume` goes on",
            ),
            ("aitc answer Q-1 \"…\"", "/answer Q-1 \"…\""),
            ("用 aitc list 或 `aitc help all`", "用 /list 或 `/help all`"),
            ("report it to aitc itself", "report it to aitc itself"),
            ("my-aitc list, aitc lists", "my-aitc list, aitc lists"),
            ("aitc", "aitc"),
        ] {
            assert_eq!(in_chat(text), told);
        }
    }
}
