//! Programs instead of a model, as shell scripts.

use std::path::{Path, PathBuf};

use super::fake::Fake;

/// The path of a program in `PATH`.
pub fn found(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut places = std::env::split_paths(&path).map(|folder| folder.join(name));
    places.find(|file| file.is_file())
}

/// Whether these programs exist; if not, prints that the test is skipped.
pub fn there(names: &[&str]) -> bool {
    let is_there = names.iter().all(|name| found(name).is_some());
    if !is_there {
        println!(
            "skipped: needs {} (apt-get install util-linux dash)",
            names.join(" and ")
        );
    }
    is_there
}

/// The path of `bash`, which is not in `/bin` on every system.
pub fn bash() -> PathBuf {
    found("bash").expect("bash lies in a folder of PATH")
}

/// Writes a program with this shell script.
pub fn script(folder: &Path, name: &str, text: &str) -> PathBuf {
    use std::os::unix::fs::PermissionsExt;
    let path = folder.join(name);
    let bash = bash();
    std::fs::write(&path, format!("#!{}\n{text}\n", bash.display())).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path
}

/// A program that forwards its prompt to `fake` and prints the reply, as a document like a coding
/// agent's if its arguments request JSON. `first` runs before that.
pub fn go_between(folder: &Path, name: &str, fake: &Fake, first: &str) -> PathBuf {
    let text = format!(
        r#"export LC_ALL=C
{first}
accept=text/plain
case "$*" in *--output-format\ json*) accept=application/json ;; esac
prompt=$(cat)
exec 3<>/dev/tcp/127.0.0.1/{port}
printf 'POST /command HTTP/1.1\r\nhost: fake\r\nconnection: close\r\naccept: %s\r\ncontent-type: text/plain\r\ncontent-length: %d\r\n\r\n%s' "$accept" "${{#prompt}}" "$prompt" >&3
while IFS= read -r line <&3 && [ "$line" != $'\r' ]; do :; done
cat <&3"#,
        port = fake.port()
    );
    script(folder, name, &text)
}
