//! Recognises files with secrets by their names alone; they are never opened.

use std::path::Path;

/// Prefixes of names, with or without a leading dot.
const BEGINNINGS: [&str; 14] = [
    "env.",
    "id_rsa",
    "id_dsa",
    "id_ecdsa",
    "id_ed25519",
    "netrc",
    "_netrc",
    "npmrc",
    "pypirc",
    "pgpass",
    "htpasswd",
    "credentials",
    "secret",
    "git-credentials",
];
/// Extensions of key files.
const ENDINGS: [&str; 15] = [
    "pem", "key", "p8", "p12", "pfx", "jks", "keystore", "kdb", "kdbx", "ppk", "asc", "gpg",
    "tfstate", "ovpn", "env",
];
/// Words in the names of data files with secrets.
const WORDS: [&str; 10] = [
    "password",
    "passwords",
    "passwd",
    "passphrase",
    "secret",
    "secrets",
    "credential",
    "credentials",
    "apikey",
    "apikeys",
];
/// The same for two adjacent words.
const PAIRS: [(&str, &str); 6] = [
    ("service", "account"),
    ("api", "key"),
    ("api", "keys"),
    ("access", "key"),
    ("private", "key"),
    ("client", "secret"),
];
/// Extensions of files that are named after a token.
const TOKEN_ENDINGS: [&str; 2] = ["", "txt"];
/// Extensions of data files, including none.
const DATA: [&str; 13] = [
    "",
    "txt",
    "json",
    "yaml",
    "yml",
    "csv",
    "ini",
    "conf",
    "cfg",
    "toml",
    "xml",
    "properties",
    "bak",
];
/// Extensions of source code, which deals with secrets but does not contain them.
const CODE: [&str; 22] = [
    "rs", "py", "go", "js", "jsx", "mjs", "ts", "tsx", "java", "kt", "c", "h", "cc", "cpp", "cs",
    "rb", "php", "swift", "scala", "vue", "ex", "md",
];

/// Hidden folders in which programs store keys.
const FOLDERS: [&str; 8] = [
    ".ssh",
    ".gnupg",
    ".aws",
    ".azure",
    ".gcloud",
    ".kube",
    ".docker",
    ".password-store",
];

/// Whether the name says that the folder contains keys.
pub(super) fn is_private(folder: &str) -> bool {
    FOLDERS.contains(&folder) || looks_secret(Path::new(folder))
}

pub(super) fn is_code(path: &Path) -> bool {
    let ending = path.extension().unwrap_or_default().to_string_lossy();
    ending != "md" && CODE.contains(&&*ending)
}

/// Whether the name says that the file contains a secret.
pub(super) fn looks_secret(path: &Path) -> bool {
    let given = path
        .file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default();
    let name = given.to_lowercase();
    let (stem, ending) = given.rsplit_once('.').unwrap_or((&given, ""));
    let ending = ending.to_lowercase();
    if name.starts_with(".env") || ENDINGS.contains(&&*ending) {
        return true;
    }
    if CODE.contains(&&*ending) {
        return false;
    }
    let plain = name.trim_start_matches('.');
    BEGINNINGS.iter().any(|word| plain.starts_with(word))
        || (DATA.contains(&&*ending) && speaks_of_secrets(&words(stem), &ending))
}

/// Whether a word, or a pair of words, is a name for a secret.
fn speaks_of_secrets(words: &[String], ending: &str) -> bool {
    let is_token = |word: &String| word == "token" || word == "tokens";
    // A file may be about design tokens or language models. So `token` counts only if the name
    // consists of it, has the extension of a token's file, or says what the token is for.
    let holds_token = words.iter().any(is_token)
        && (TOKEN_ENDINGS.contains(&ending)
            || words.iter().all(is_token)
            || words.iter().any(|word| {
                [
                    "api", "auth", "access", "refresh", "bearer", "github", "gitlab", "bot",
                ]
                .contains(&&**word)
            }));
    let is_pair = |pair: &[String]| {
        let (first, second) = (&*pair[0], &*pair[1]);
        PAIRS.contains(&(first, second))
    };
    holds_token
        || words.iter().any(|word| WORDS.contains(&&**word))
        || words.windows(2).any(is_pair)
}

/// The words of a name: `serviceAccount-key_2` is `service`, `account`, `key` and `2`.
fn words(stem: &str) -> Vec<String> {
    let mut words: Vec<String> = vec![String::new()];
    let mut was_small = false;
    for c in stem.chars() {
        let begins = !c.is_alphanumeric() || (was_small && c.is_uppercase());
        if begins {
            words.push(String::new());
        }
        if c.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.extend(c.to_lowercase());
        }
        was_small = c.is_lowercase();
    }
    words.retain(|word| !word.is_empty());
    words
}
