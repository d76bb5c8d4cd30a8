//! Which formats of secrets are recognised, and which similar texts are not.

use workshop::redact::secrets;

use crate::dice::Dice;

fn found(text: &str) -> Vec<&str> {
    let all = secrets(text);
    all.iter().map(|one| &text[one.start..one.end]).collect()
}

/// Joins the parts of a fake secret, so that this source file does not contain it as a whole.
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
        ("", joined(&["A", "Q.Ab", RANDOM, RANDOM]), ""),
        (
            "",
            joined(&["r", "e_", &RANDOM[..8], "_", &RANDOM[..24]]),
            "",
        ),
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
        ("数据库密码：", "ab12cd34x", "。"),
        ("令牌: ", RANDOM, ""),
        ("Server=db;Uid=app;Pwd=", "a1b2c3d4e5", ";"),
        ("pass: ", "a1b2c3d4e5", ""),
        ("private_key: \"", RANDOM, "\""),
        ("curl -u app:", "a1b2c3d4e5", " https://h.example"),
        ("curl --user 'app:", "a1b2c3d4e5", "' https://h.example"),
    ] {
        let text = format!("{before}{value}{after}");
        assert_eq!(found(&text), [value], "{text}");
    }
    let bearer = format!("Authorization: Bearer {RANDOM}");
    assert_eq!(found(&bearer), [&bearer["Authorization: ".len()..]]);
}

/// A reply may have up to eight megabytes: recognition must stay fast for repeated names and
/// prefixes.
#[test]
fn names_and_beginnings_without_end_hold_nothing() {
    for part in [
        "token=",
        "sk-",
        "xoxb-",
        "://",
        "-----BEGIN ",
        "eyJ.",
        "a=",
        "PASSWORD=",
        "=&",
        "Q~",
        ":AA",
        "ghp_",
        "hvs.",
    ] {
        let text = part.repeat(200_000 / part.len());
        assert_eq!(found(&text), Vec::<&str>::new(), "{part}");
    }
    let long = format!("password={}", "a1".repeat(2000));
    assert_eq!(found(&long), [&long["password=".len()..]]);
}

const ALL: &str = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const HEX: &str = "0123456789abcdef";
const CAPITAL: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const LETTERS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const BECH32: &str = "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L";

/// Formats of real tokens. `{62}` is replaced by 62 random characters of [`ALL`], `{62-_}` by those
/// plus `-` and `_`; in the same way `{x16}` uses [`HEX`], `{A16}` [`CAPITAL`], `{l16}`
/// [`LETTERS`], `{b58}` [`BECH32`], and `{n10}` digits.
const GIVEN_OUT: &str = "\
    AKIA{A16} ASIA{A16} AIza{35-_} GOCSPX-{28-_} ya29.{60-_} ghp_{36} gho_{36} ghu_{36} ghs_{36} \
    ghr_{36} github_pat_{22}_{59} glpat-{20-_} glpat-{20} gldt-{20-_} glrt-{20-_} glptt-{x40} \
    glft-{20-_} glsoat-{20-_} glimt-{25-_} glagent-{50-_} gloas-{x64} hf_{34} hf_{l34} npm_{36} \
    pypi-AgEIcHlwaS5vcmc{60-_} cio{32} rubygems_{x48} dckr_pat_{27-_} sk-{48} \
    sk-{20}T3BlbkFJ{20} sk-proj-{48} sk-proj-{74-_}T3BlbkFJ{74-_} sk-svcacct-{60-_} \
    sk-admin-{60-_} sk-ant-{40-_} sk-ant-api03-{93-_}AA sk-or-v1-{x64} gsk_{52} xai-{80} \
    pplx-{48} r8_{37} nvapi-{64-_} sk_live_{24} rk_live_{24} sk_test_{24} sk_live_{99} \
    whsec_{32} SK{x32} SG.{22-_}.{43-_} key-{x32} {n10}:AA{33-_} {x32}-us12 \
    xoxb-{n12}-{n12}-{24} xoxb-{40} xoxp-{n12}-{n12}-{x32} xoxa-2-{40} xapp-1-A{10}-{n13}-{x64} \
    dop_v1_{x64} doo_v1_{x64} dapi{x32} dapi{x32}-2 dp.pt.{43} dp.st.dev.{43} dp.ct.{43} \
    hvs.{90-_} hvs.{24} hvb.{140-_} s.{24} M{23}.{6-_}.{27-_} N{25}.{6-_}.{38-_} O{23-_}.{6}.{27} AGE-SECRET-KEY-1{b58} \
    https://hooks.slack.com/services/T{8}/B{8}/{24} \
    https://discord.com/api/webhooks/{n18}/{68-_} \
    https://discordapp.com/api/webhooks/{n18}/{68-_} \
    https://x.webhook.office.com/webhookb2/{x8}-{x4}-{x4}/IncomingWebhook/{x32}/{x8}-{x4} \
    shpat_{x32} lin_api_{40} ntn_{46} figd_{43-_} glsa_{32}_{x8} sbp_{x40} NRAK-{A27} \
    pat{14}.{x64} tskey-auth-{12}-{32} pul-{x40} {3}8Q~{34-_} eyJ{20}.eyJ{40-_}.{43-_} \
    eyJ{30}.{43-_}.{16-_}.{60-_}.{22-_} eyJrIjoi{80}= A3T{A17} ABSK{110}= 1//0{43-_} AQVN{35-_} \
    t1.{30-_}.{86-_} fm1a_{110} fm1r_{110} 4b1d{38} sha256~{43-_} tk-us-{48-_} rnd_{32} \
    _gitlab_session={32} glrt-t1_{27-_}.{2}{7} glpat-{27-_}.{2}{7} cmVmd{59} AKCp{69} \
    pat.{22-_}.{24}.{20} sat.{22-_}.{24}.{20} API-{A26} squ_{x40} sqp_{x40} sqa_{x40} ico-{32} \
    csk-{48} sk_{x48} e2b_{x40} sk_prod_{24} rk_test_{10} duffel_live_{43-_} live_{40-_} \
    access-production-{x8}-{x4}-{x4}-{x4}-{x12} shippo_test_{x40} xoxc-{n12}-{n12}-{x64} \
    xoxo-{n12}-{n12}-{24} xoxd-{60}%2B{20} EAAM{120} EAAC{120} xsmtpsib-{x64}-{16} \
    pat-na1-{x8}-{x4}-{x4}-{x4}-{x12} p8e-{32} fio-u-{64-_} sk.eyJ{60}.{22} sm_pat_{16} \
    s-s4t2ud-{x64} phx_{43} A3-{A6}-{A11}-{A5}-{A5}-{A5} ops_eyJ{300} {6}_{29}_mmk";

/// Names and contexts that mark any value as a secret.
const PLACES: &[&str] = &[
    "DB_PASSWORD={16}",
    "DB_PASSWORD={l16}",
    "DB_PASSWORD='{16}'",
    "export API_TOKEN={24}",
    "CLIENT_SECRET={32}",
    "STRIPE_SECRET={16-_}",
    "X_API_KEY={20}",
    "DB_PASS={12}",
    "Server=db;Uid=sa;Pwd=/{24};",
    "postgres://app:{16}@db/shop",
    "https://u:{12}@h.example",
    "amqp://u:{l16}@mq:5672/v",
    "Authorization: Bearer {40-_}",
    "Authorization: Bearer {l24}",
    "AccountKey={86}==;EndpointSuffix=core",
    "https://h.example/flow?sp=x&sig={43-_}",
];

fn made(pattern: &str, dice: &mut Dice) -> (String, Vec<String>) {
    let (mut whole, mut secret) = (String::new(), Vec::new());
    for part in pattern.split('{') {
        let Some((inner, after)) = part.split_once('}') else {
            whole.push_str(part);
            continue;
        };
        let (of, rest) = match inner.split_at(1) {
            ("x", rest) => (HEX, rest),
            ("A", rest) => (CAPITAL, rest),
            ("l", rest) => (LETTERS, rest),
            ("b", rest) => (BECH32, rest),
            ("n", rest) => (&ALL[..10], rest),
            _ => (ALL, inner),
        };
        let length = rest.trim_end_matches("-_");
        let of = format!("{of}{}", &rest[length.len()..]);
        let random: String = (0..length.parse().unwrap())
            .map(|_| char::from(dice.pick(of.as_bytes())))
            .collect();
        whole.push_str(&random);
        whole.push_str(after);
        secret.push(random);
    }
    (whole, secret)
}

#[test]
fn sixty_of_sixty_random_ones_of_every_form_are_found() {
    let mut dice = Dice::of(22);
    let mut missed = Vec::new();
    for pattern in GIVEN_OUT.split_whitespace().chain(PLACES.iter().copied()) {
        for _ in 0..60 {
            let (whole, parts) = made(pattern, &mut dice);
            for text in [format!("use {whole} now"), format!("\"{whole}\"")] {
                let all = found(&text);
                let is_found = |part: &String| all.iter().any(|one| one.contains(part.as_str()));
                if !parts.iter().all(is_found) {
                    missed.push(format!("{pattern}: {text}: {all:?}"));
                }
            }
        }
    }
    assert!(
        missed.is_empty(),
        "{} missed: {:#?}",
        missed.len(),
        &missed[..missed.len().min(20)]
    );
    let (token, _) = made("ghp_{36}", &mut dice);
    assert_eq!(found(&format!("使用{token}上传")), [token.as_str()]);
    for (before, after) in [
        ("a\\n", "\\nb"),
        ("https://x-access-token%3A", "%40h.example"),
        ("\u{1b}[1;32m", "\u{1b}[0m"),
        ("\\u001b[32m is \\u0022", "\\u0022"),
    ] {
        assert_eq!(found(&format!("{before}{token}{after}")), [token.as_str()]);
    }
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

/// Plans often discuss keys and passwords without containing any.
#[test]
fn talk_of_secrets_holds_none() {
    for text in include_str!("secrets/talk.txt").lines() {
        assert_eq!(found(text), Vec::<&str>::new(), "{text}");
    }
}
