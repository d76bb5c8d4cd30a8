//! Shows a page in the user's pager.

use std::io::{self, Write};
use std::process::{Command, Stdio};

use super::foreground;

/// The default pager. With these options it exits at once if the page fits on the screen, keeps
/// colours, and does not clear the screen at its end.
const USUAL: &str = "less";
const USUAL_OPTIONS: &str = "FRX";

/// A pager: the user's command line for the shell, or the default one, if it is installed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pager(String);

impl Pager {
    /// Chooses the pager from the values of two variables; `AITC_PAGER` (`own`) has precedence over
    /// the general one. `None` if the user wants no pager: an empty value or `cat`.
    pub fn of(own: Option<&str>, general: Option<&str>) -> Option<Self> {
        match own.or(general).unwrap_or(USUAL).trim() {
            "" | "cat" => None,
            command => Some(Self(command.to_owned())),
        }
    }

    /// Shows a page and waits until the pager ends. Returns false if the program does not exist;
    /// nothing was shown then.
    ///
    /// # Errors
    /// The program cannot be started or waited for.
    pub fn show(&self, page: &str) -> io::Result<bool> {
        let mut command = self.command();
        command.stdin(Stdio::piped());
        let ended = foreground::run(command, |child| {
            if let Some(mut stdin) = child.stdin.take() {
                // Writing fails if the user closes the pager before the end, which is not an error.
                let _ = stdin.write_all(page.as_bytes());
            }
        });
        ended.map(|status| status.is_some())
    }

    fn command(&self) -> Command {
        let mut command = match &*self.0 {
            USUAL => Command::new(USUAL),
            line => foreground::line(line, &[]),
        };
        // Like git: only set if the user has not set them.
        for (name, value) in [("LESS", USUAL_OPTIONS), ("LV", "-c")] {
            if std::env::var_os(name).is_none() {
                command.env(name, value);
            }
        }
        command
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_user_chooses_and_may_want_none() {
        for (own, general, expected) in [
            (None, None, Some("less")),
            (None, Some("most -s"), Some("most -s")),
            (Some("less -S"), Some("more"), Some("less -S")),
            (Some(""), Some("more"), None),
            (None, Some("cat"), None),
        ] {
            let chosen = Pager::of(own, general);
            assert_eq!(chosen.as_ref().map(|pager| &*pager.0), expected);
        }
    }

    #[test]
    fn a_page_reaches_the_program_and_a_missing_one_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("page");
        let pager = Pager(format!("cat > '{}'", file.display()));
        assert!(pager.show("导出\n").unwrap());
        assert_eq!(std::fs::read_to_string(file).unwrap(), "导出\n");
        let missing = Pager("exec /nowhere/pager 2>/dev/null".to_owned());
        assert!(!missing.show("x").unwrap());
        // Closing the pager early is not an error, however much text is left.
        let closed = Pager("true".to_owned());
        assert!(closed.show(&"x\n".repeat(100_000)).unwrap());
    }
}
