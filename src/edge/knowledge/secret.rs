//! Recognises files with secrets by their names alone; they are never opened.

use std::path::Path;
use std::sync::LazyLock;

use regex::Regex;

use crate::edge::model::pattern;

static BEGINNING: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"^\.*(env\.|id_(rsa|dsa|ecdsa|ed25519)|_?netrc|npmrc|pypirc|pgpass|htpasswd",
        "|credentials|secret|git-credentials)",
    ))
});
/// Extensions of key files.
const ENDINGS: [&str; 15] = [
    "pem", "key", "p8", "p12", "pfx", "jks", "keystore", "kdb", "kdbx", "ppk", "asc", "gpg",
    "tfstate", "ovpn", "env",
];
/// Words in the names of data files with secrets; `_` is between all words.
static WORDS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        "(^|_)(passwords?|passwd|passphrase|secrets?|credentials?|apikeys?|service_account",
        "|api_keys?|(access|private)_key)(_|$)",
    ))
});
static TOKEN: LazyLock<Regex> = LazyLock::new(|| pattern("(^|_)tokens?(_|$)"));
/// Names of nothing but tokens, and words that say what one is for.
static OF_ACCESS: LazyLock<Regex> = LazyLock::new(|| {
    pattern("^_*(tokens?_*)+$|(^|_)(api|auth|access|refresh|bearer|github|gitlab|bot)(_|$)")
});
/// Extensions of data files, including none.
static DATA: LazyLock<Regex> =
    LazyLock::new(|| pattern("^(txt|json|ya?ml|csv|ini|conf|cfg|toml|xml|properties|bak)?$"));
/// Where a word ends within a name, as in `serviceAccount-key`.
static GAP: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"[^\p{Alphabetic}\p{N}]+|(\p{Ll})(\p{Lu})"));
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
    BEGINNING.is_match(&name) || (DATA.is_match(&ending) && speaks_of_secrets(stem, &ending))
}

fn speaks_of_secrets(stem: &str, ending: &str) -> bool {
    let words = GAP.replace_all(stem, "${1}_$2").to_lowercase();
    // A file may be about design tokens or language models. So `token` counts only if the name
    // consists of it, has the extension of a token's file, or says what the token is for.
    let of_access = || ["", "txt"].contains(&ending) || OF_ACCESS.is_match(&words);
    WORDS.is_match(&words) || (TOKEN.is_match(&words) && of_access())
}
