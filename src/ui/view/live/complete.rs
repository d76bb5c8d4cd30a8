//! Completion at the prompt of a chat.

/// The words that can be completed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Completions {
    /// Names of commands, without the slash.
    pub commands: Vec<String>,
    /// Names of formats, without the `@`.
    pub formats: Vec<String>,
    /// Codes of members.
    pub members: Vec<String>,
    /// Versions, such as `v2`, latest first.
    pub versions: Vec<String>,
}

impl Completions {
    /// The start of the word at the cursor (`at`, in bytes), and its completions: commands or
    /// formats at the start of the line, members in brackets or after `--members`, otherwise
    /// versions after a command.
    pub fn complete(&self, line: &str, at: usize) -> (usize, Vec<String>) {
        let typed = line.get(..at).unwrap_or(line);
        if let Some(name) = typed.strip_prefix('/').filter(|name| is_word(name)) {
            return (0, matching_names("/", &self.commands, name, " "));
        }
        if let Some(name) = typed.strip_prefix('@').filter(|name| is_word(name)) {
            return (0, matching_names("@", &self.formats, name, ""));
        }
        let begins = typed
            .rfind(|c: char| c.is_whitespace() || "[,，、".contains(c))
            .map_or(0, |at| {
                at + typed[at..].chars().next().map_or(1, char::len_utf8)
            });
        let (before, word) = typed.split_at(begins);
        let in_brackets = typed.starts_with('@') && before.contains('[') && !before.contains(']');
        let mut last = before.split_whitespace().rev().take(2);
        let after_flag = last.any(|part| ["--members", "--roles"].contains(&part));
        if in_brackets || after_flag {
            return (begins, matching_names("", &self.members, word, ""));
        }
        if typed.starts_with('/') {
            return (begins, matching_names("", &self.versions, word, " "));
        }
        (begins, Vec::new())
    }
}

fn is_word(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_alphabetic() || c == '-')
}

/// The names that start with `typed`, ignoring case.
fn matching_names(sign: &str, names: &[String], typed: &str, end: &str) -> Vec<String> {
    let begins = |name: &&String| {
        name.get(..typed.len())
            .is_some_and(|head| head.eq_ignore_ascii_case(typed))
    };
    let names = names.iter().filter(begins);
    names.map(|name| format!("{sign}{name}{end}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_word_at_the_cursor_is_completed() {
        let owned = |names: &[&str]| names.iter().map(|n| (*n).to_owned()).collect();
        let known = Completions {
            commands: owned(&["plan", "show", "status"]),
            formats: owned(&["team", "board"]),
            members: owned(&["PP", "SD", "Dev"]),
            versions: owned(&["v12", "v2"]),
        };
        for (line, begins, expected) in [
            ("/s", 0, &["/show ", "/status "][..]),
            ("/", 0, &["/plan ", "/show ", "/status "]),
            ("/P", 0, &["/plan "]),
            ("@b", 0, &["@board"]),
            ("@board[s", 7, &["SD"]),
            ("@team[PP,", 9, &["PP", "SD", "Dev"]),
            ("@team[PP] v", 10, &[]),
            ("/show v1", 6, &["v12 "]),
            ("/diff v2 ", 9, &["v12 ", "v2 "]),
            ("/team --members S", 16, &["SD"]),
            ("what about v", 11, &[]),
            ("导出", 0, &[]),
            ("", 0, &[]),
        ] {
            let (at, words) = known.complete(line, line.len());
            assert_eq!((at, &words[..]), (begins, &owned(expected)[..]), "{line:?}");
        }
        assert_eq!(known.complete("/sx y", 2).1, ["/show ", "/status "]);
    }
}
