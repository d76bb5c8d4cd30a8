//! Keys and tokens in a text, found by their form alone, and passwords by their place.
//!
//! Precision before recall: only forms that nothing else has. A placeholder
//! (`sk-…`, `AKIAIOSFODNN7EXAMPLE`) is no secret.

use memchr::memmem;

use super::passwords::passwords;

/// A secret in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Secret {
    /// What it is, such as `AWS access key`.
    pub kind: &'static str,
    /// Byte at which it starts.
    pub start: usize,
    /// Byte after its last.
    pub end: usize,
}

/// A form a secret can have: what it begins with, and what the rest looks like.
struct Form {
    kind: &'static str,
    prefix: &'static str,
    /// Characters of the rest beside letters and digits.
    also: &'static str,
    /// Fewest and most characters of the rest.
    length: (usize, usize),
    /// Fewest characters without a break that hold letters *and* digits.
    mixed: usize,
}

const fn form(
    kind: &'static str,
    prefix: &'static str,
    also: &'static str,
    length: (usize, usize),
    mixed: usize,
) -> Form {
    Form {
        kind,
        prefix,
        also,
        length,
        mixed,
    }
}

const ANY: usize = usize::MAX;

const FORMS: &[Form] = &[
    form("AWS access key", "AKIA", "", (16, 16), 0),
    form("AWS access key", "ASIA", "", (16, 16), 0),
    form("GitHub token", "ghp_", "", (36, ANY), 0),
    form("GitHub token", "gho_", "", (36, ANY), 0),
    form("GitHub token", "ghu_", "", (36, ANY), 0),
    form("GitHub token", "ghs_", "", (36, ANY), 0),
    form("GitHub token", "ghr_", "", (36, ANY), 0),
    form("GitHub token", "github_pat_", "_", (40, ANY), 16),
    form("GitLab token", "glpat-", "-_", (20, ANY), 12),
    form("API key", "sk-", "-_", (20, ANY), 16),
    form("Google API key", "AIza", "-_", (35, 35), 8),
    form("Slack token", "xoxb-", "-", (20, ANY), 10),
    form("Slack token", "xoxp-", "-", (20, ANY), 10),
    form("API key", "gsk_", "", (32, ANY), 16),
    form("API key", "xai-", "", (32, ANY), 16),
    form("Hugging Face token", "hf_", "", (30, ANY), 16),
    form("npm token", "npm_", "", (36, 36), 16),
    form("Stripe key", "sk_live_", "", (20, ANY), 16),
    form("Stripe key", "rk_live_", "", (20, ANY), 16),
    form("SendGrid key", "SG.", "-_.", (40, ANY), 12),
    form("JWT", "eyJ", "-_.", (30, ANY), 10),
    form(
        "Slack web hook",
        "hooks.slack.com/services/",
        "/",
        (30, ANY),
        16,
    ),
    form("bearer token", "Bearer ", "-._~+/=", (20, ANY), 16),
    form("bearer token", "bearer ", "-._~+/=", (20, ANY), 16),
];

/// Every secret in a text, in order, none inside another.
pub fn secrets(text: &str) -> Vec<Secret> {
    let mut found: Vec<Secret> = FORMS
        .iter()
        .flat_map(|form| of_form(text, form))
        .chain(private_keys(text))
        .chain(passwords(text))
        .collect();
    found.sort_by_key(|secret| (secret.start, usize::MAX - secret.end));
    let mut end = 0;
    found.retain(|secret| {
        let apart = secret.start >= end;
        end = end.max(secret.end);
        apart
    });
    found
}

fn of_form<'t>(text: &'t str, form: &'static Form) -> impl Iterator<Item = Secret> + 't {
    memmem::find_iter(text.as_bytes(), form.prefix).filter_map(move |start| {
        let joined = text[..start].chars().next_back();
        if joined.is_some_and(|c| c.is_alphanumeric() || c == '_') {
            return None;
        }
        let rest = &text[start + form.prefix.len()..];
        let is_part = |c: char| c.is_ascii_alphanumeric() || form.also.contains(c);
        let length = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        // A dot at the end is that of the sentence.
        let body = rest[..length].trim_end_matches('.');
        let length = body.len();
        let fits = (form.length.0..=form.length.1).contains(&length)
            && !body.ends_with("EXAMPLE")
            && holds_mixed_run(body, form.mixed)
            && (!form.kind.starts_with("AWS") || is_upper(body))
            && (form.prefix != "SG." || body.split('.').count() == 2)
            && (form.prefix != "eyJ" || is_jwt(body));
        fits.then_some(Secret {
            kind: form.kind,
            start,
            end: start + form.prefix.len() + length,
        })
    })
}

/// A run of at least `length` letters and digits, holding both: what words
/// joined by hyphens do not have.
fn holds_mixed_run(body: &str, length: usize) -> bool {
    length == 0
        || body.split(|c: char| !c.is_ascii_alphanumeric()).any(|run| {
            run.len() >= length
                && run.bytes().any(|b| b.is_ascii_digit())
                && run.bytes().any(|b| b.is_ascii_alphabetic())
        })
}

/// Three parts, the second an object in base64 as the first is.
fn is_jwt(body: &str) -> bool {
    let parts: Vec<&str> = body.split('.').collect();
    matches!(parts[..], [head, claims, mark]
        if claims.starts_with("eyJ") && [head, claims, mark].iter().all(|part| part.len() >= 8))
}

fn is_upper(body: &str) -> bool {
    body.bytes()
        .all(|b| b.is_ascii_uppercase() || b.is_ascii_digit())
}

fn private_keys(text: &str) -> impl Iterator<Item = Secret> {
    memmem::find_iter(text.as_bytes(), "-----BEGIN ").filter_map(|start| {
        let line = text[start..].lines().next()?;
        let header = marked(line)?;
        let after = &text[start + header..];
        // The block's own end, if it is there; else the header alone.
        let block = after
            .find("-----END ")
            .and_then(|end| Some(end + marked(&after[end..])?));
        Some(Secret {
            kind: "private key",
            start,
            end: start + header + block.unwrap_or_default(),
        })
    })
}

/// Byte behind the mark of a private key in a text, of whatever program it is.
fn marked(text: &str) -> Option<usize> {
    const MARKS: [&str; 2] = ["PRIVATE KEY-----", "PRIVATE KEY BLOCK-----"];
    let ends = MARKS
        .iter()
        .filter_map(|mark| Some(text.find(mark)? + mark.len()));
    ends.min()
}
