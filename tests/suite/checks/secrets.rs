//! Which forms of secret are known, and what is none although it talks of one.

use aitc::redact::secrets;

fn found(text: &str) -> Vec<&str> {
    let all = secrets(text);
    all.iter().map(|one| &text[one.start..one.end]).collect()
}

/// Parts of what looks like a secret: whole, they would be found in this very file.
fn joined(parts: &[&str]) -> String {
    parts.concat()
}

const RANDOM: &str = "a8Kd72LmQ0zXw93Jf5TyVbN1rGhUeC4s";

#[test]
fn a_key_is_told_by_how_it_begins() {
    for (before, key, after) in [
        ("", joined(&["gs", "k_", RANDOM]), " is it"),
        ("use ", joined(&["xa", "i-", RANDOM, RANDOM]), "."),
        ("", joined(&["h", "f_", RANDOM]), ""),
        ("", joined(&["np", "m_", RANDOM, "Ab12"]), ""),
        ("`", joined(&["sk_", "live_", RANDOM]), "`"),
        ("", joined(&["rk_", "live_", RANDOM]), "，"),
        (
            "",
            joined(&["S", "G.", &RANDOM[..22], ".", RANDOM, "_x-1"]),
            "",
        ),
        (
            "is ",
            joined(&[
                "ey",
                "JhbGciOiJIUzI1NiJ9.",
                "ey",
                "JzdWIiOiIxMjM0NTY3ODkwIn0.",
                RANDOM,
            ]),
            ".",
        ),
        (
            "https://",
            joined(&[
                "hooks.sla",
                "ck.com/services/T0A1B2C3D/B0A1B2C3D/",
                &RANDOM[..24],
            ]),
            " posts",
        ),
    ] {
        let text = format!("{before}{key}{after}");
        assert_eq!(found(&text), [key.as_str()], "{text}");
    }
}

#[test]
fn a_value_is_told_by_the_name_before_it() {
    for (before, value, after) in [
        (
            "AccountName=x;AccountKey=",
            "Zm9vYmFyYmF6cXV4MTIzNDU2Nzg5MA==",
            ";EndpointSuffix",
        ),
        (
            "aws_secret_access_key = ",
            "wJalrXUtnFEMI/K7MDENG/bPxRfiCYz9Q1T2u3V4",
            "\n",
        ),
        ("password=", "Tr0ub4dor&3x", ""),
        ("the password: ", "Tr0ub4dor&3x", ", he says"),
        ("\"password\": \"", "Tr0ub4dor&3x", "\""),
        ("api_key=\"", RANDOM, "\""),
        ("apiKey: '", RANDOM, "'"),
        ("curl -H 'x-api-key: ", RANDOM, "'"),
        ("Authorization: Basic ", "YWRtaW46VHIwdWI0ZG9yM3g=", "\n"),
        ("Authorization: Token ", RANDOM, ""),
        ("https://h.example/x?token=", RANDOM, "&page=2"),
        ("https://h.example/x?a=1&access_token=", RANDOM, " is it"),
        ("DB_PASSWORD=", "s3cr3tvalue", " now"),
        ("密码 password=", "ab12cd34x", "，已改"),
    ] {
        let text = format!("{before}{value}{after}");
        assert_eq!(found(&text), [value], "{text}");
    }
    let bearer = format!("Authorization: Bearer {RANDOM}");
    assert_eq!(found(&bearer), [&bearer["Authorization: ".len()..]]);
}

/// A reply may be eight megabytes of anything.
#[test]
fn names_without_end_are_looked_through_soon() {
    let text = "token=".repeat(100_000);
    let since = std::time::Instant::now();
    assert_eq!(found(&text), Vec::<&str>::new());
    assert!(since.elapsed().as_secs() < 20, "{:?}", since.elapsed());
    let long = format!("password={}", "a1".repeat(2000));
    assert_eq!(found(&long), [&long["password=".len()..]]);
}

#[test]
fn a_private_key_of_any_kind_goes_whole() {
    for kind in ["", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED "] {
        let key =
            format!("-----BEGIN {kind}PRIVATE KEY-----\nMIIB\n-----END {kind}PRIVATE KEY-----");
        assert_eq!(found(&format!("it is {key} here")), [key.as_str()]);
    }
    let key = joined(&[
        "-----BEGIN PGP PRIVATE ",
        "KEY BLOCK-----\n\nlQOYBF\n=aB3d\n-----END PGP PRIVATE ",
        "KEY BLOCK-----",
    ]);
    assert_eq!(found(&format!("it is {key} here")), [key.as_str()]);
}

/// Plans talk of keys and passwords all the time.
#[test]
fn talk_of_secrets_holds_none() {
    for text in [
        "password=secret",
        "password = hunter",
        "password: at least 12 characters, 1 digit",
        "password: `min_length_12`",
        "password=<token>",
        "password=${TOKEN_1}",
        "password=your-key-here1",
        "password=example123",
        "password=changeme1",
        "password=********",
        "api_key = config.key",
        "api_key = config.keys[0]",
        "api_key = load_key_v2",
        "let token = next_token2(page);",
        "token: String",
        "token=abc",
        "api_key=\"your-api-key-1\"",
        "api_key=os.environ[\"KEY_1\"]",
        "x-api-key: {{ key1 }}",
        "x-api-key: required",
        "Authorization: Bearer <token>",
        "Authorization: Bearer $TOKEN",
        "Authorization: Bearer",
        "Authorization: Basic auth over HTTPS1",
        "https://h.example/x?token=abc",
        "https://h.example/x?token={token}",
        "https://h.example/reset?token=TOKEN123",
        "https://h.example/x?page=12345678abc",
        "hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX",
        "hooks.slack.com/services/…",
        "AccountKey=<key>",
        "aws_secret_access_key = ${SECRET}",
        "aws_secret_access_key",
        "the key begins with gsk_, xai-, hf_, npm_ or sk_live_",
        "hf_hub_download and npm_config_registry are names",
        "npm_package_dependencies_and_development_tools_v2",
        "a JWT is eyJ….eyJ….…",
        "a BEGIN PRIVATE KEY block",
        "max_tokens=1000000000",
        "token_count = 12345678a",
        "secret: the name of AC-12 and W-3",
        "password=[redacted: password]",
        "密码：至少8位abc",
        "passwords.rs:12: let password = hash_of(input2);",
        "password=sha256sum",
        "secret=SHA-256-HMAC",
        "token = RFC-6750-bearer",
        "password: https://docs.example/x1",
        "token=2026-01-02T03:04:05Z",
        "token: I-12/AC-3",
    ] {
        assert_eq!(found(text), Vec::<&str>::new(), "{text}");
    }
}
