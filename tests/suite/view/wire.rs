//! Which requests the gate admits, tested with raw bytes over TCP.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::support::binary::{Going, Place};
use crate::support::schemas;

/// A served page: its address and token.
pub(super) struct Served {
    _going: Going,
    pub port: u16,
    pub token: String,
}

impl Served {
    /// Serves a place with something to show.
    pub fn of(place: &Place, arguments: &[&str]) -> Self {
        let all = [&["view", "--no-open"], arguments].concat();
        Self::by(place, place.command_without_model(&all))
    }

    /// Serves it with this `aitc view` command.
    pub fn by(place: &Place, command: Command) -> Self {
        let out = place.work().join("address");
        let file = std::fs::File::create(&out).unwrap();
        let going = Going::into_file(command, file);
        let until = Instant::now() + Duration::from_secs(30);
        loop {
            let text = std::fs::read_to_string(&out).unwrap();
            if let Some(url) = text.strip_suffix('\n') {
                let (origin, token) = url.split_once("/open/").expect("an address");
                let port = origin.strip_prefix("http://127.0.0.1:").unwrap();
                return Self {
                    _going: going,
                    port: port.parse().unwrap(),
                    token: token.to_owned(),
                };
            }
            assert!(Instant::now() < until, "no address: {text}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Sends raw bytes and returns the whole response.
    pub fn raw(&self, request: &str) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        let patience = Some(Duration::from_secs(20));
        stream.set_read_timeout(patience).unwrap();
        // A server that refuses may have closed the connection already.
        let _ = stream.write_all(request.as_bytes());
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    pub fn host(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// Exchanges the token for the cookie.
    pub fn cookie(&self) -> String {
        let (host, token) = (self.host(), &self.token);
        let answer = self.raw(&format!(
            "GET /open/{token} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
        ));
        let line = answer
            .lines()
            .find_map(|line| line.strip_prefix("set-cookie: "));
        let line = line.unwrap_or_else(|| panic!("no cookie: {answer}"));
        assert!(
            line.ends_with("; Path=/; HttpOnly; SameSite=Strict"),
            "{line}"
        );
        line.split(';').next().unwrap().to_owned()
    }

    /// Requests a page like a browser.
    pub fn get(&self, cookie: &str, path: &str) -> String {
        let host = self.host();
        self.raw(&format!(
            "GET {path} HTTP/1.1\r\nHost: {host}\r\nCookie: {cookie}\r\nConnection: close\r\n\r\n"
        ))
    }
}

fn code(answer: &str) -> u16 {
    let code = answer.split(' ').nth(1).and_then(|code| code.parse().ok());
    // A connection closed without a response also counts as a refusal.
    code.unwrap_or(0)
}

/// A place with a published version, made without a model.
pub(super) fn demo() -> Place {
    let place = Place::new();
    place
        .run_without_model(&["demo", "--no-input", "-q"])
        .ends(0);
    let work = place.work().join("aitc-demo");
    place.elsewhere(&work)
}

/// Parses a line of `requests.txt`: its name, the expected status, and its bytes. The request line,
/// its headers and, in braces, a body are separated by bars; `words` are replaced.
fn request<'a>(line: &'a str, words: &[(&str, String)]) -> (&'a str, u16, String) {
    let [code, what, rest] = std::array::from_fn(|n| line.splitn(3, " | ").nth(n).unwrap());
    let filled = words.iter().fold(rest.to_owned(), |text, (word, value)| {
        text.replace(word, value)
    });
    let mut parts: Vec<&str> = filled.split(" | ").collect();
    let body = match parts.last() {
        Some(last) if last.starts_with('{') => parts.pop().unwrap(),
        _ => "",
    };
    let head = match parts[0].contains(" HTTP/") {
        true => parts.join("\r\n"),
        false => format!("{} HTTP/1.1\r\n{}", parts[0], parts[1..].join("\r\n")),
    };
    let length = match body {
        "" => String::new(),
        body => format!("Content-Length: {}\r\n", body.len()),
    };
    let request = format!("{head}\r\n{length}Connection: close\r\n\r\n{body}");
    (what, code.parse().unwrap(), request)
}

#[test]
fn nothing_passes_but_this_browser_on_this_page() {
    let place = demo();
    let served = Served::of(&place, &["v1"]);
    let (host, port) = (served.host(), served.port);
    let wrong = "0".repeat(served.token.len());
    let before = |line: &str| {
        served.raw(&format!(
            "{line} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
        ))
    };
    for (request, expected) in [
        ("GET /v1".to_owned(), 401),
        ("GET /".to_owned(), 401),
        ("GET /style.css".to_owned(), 401),
        ("GET /events/0/v1".to_owned(), 401),
        (format!("GET /open/{wrong}"), 403),
        (format!("GET /open/{}", &served.token[1..]), 403),
        (format!("GET /open/{}0", served.token), 403),
        (format!("GET /open/{}", served.token.to_uppercase()), 403),
        ("GET /open/".to_owned(), 403),
        (format!("GET /v1?token={}", served.token), 404),
        (format!("POST /open/{}", served.token), 403),
        (format!("HEAD /open/{}", served.token), 405),
    ] {
        assert_eq!(
            code(&before(&request)),
            expected,
            "before the token: {request}"
        );
    }
    let cookie = served.cookie();
    assert_eq!(
        code(&before(&format!("GET /open/{}", served.token))),
        403,
        "a token twice"
    );

    let (name, value) = cookie.split_once('=').unwrap();
    // Longer names first, because they contain shorter ones.
    let words = [
        ("SEND", "GOOD | Origin: http://HOST".to_owned()),
        ("GOOD", "Host: HOST | Cookie: COOKIE".to_owned()),
        ("JSON", "Content-Type: application/json".to_owned()),
        ("SAID", r#"{"run":"v1","text":"x"}"#.to_owned()),
        ("MUCH", "x".repeat(70_000)),
        ("HOST", host.clone()),
        ("PORT", port.to_string()),
        ("OTHER", port.wrapping_add(1).to_string()),
        ("PART", cookie[..cookie.len() - 1].to_owned()),
        ("CAPITALS", format!("{}={value}", name.to_uppercase())),
        ("COOKIE", cookie.clone()),
        ("NAME", name.to_owned()),
        ("ZEROS", "0".repeat(value.len())),
        ("TOKEN", served.token.clone()),
    ];
    let table = include_str!("requests.txt").lines();
    for line in table.filter(|line| !line.starts_with('#')) {
        let (what, expected, request) = request(line, &words);
        let answer = served.raw(&request);
        assert_eq!(code(&answer), expected, "{what}: {answer:.300}");
        let lower = answer.to_lowercase();
        for always in [
            "content-security-policy: default-src 'none'; script-src 'self'",
            "x-frame-options: deny",
            "x-content-type-options: nosniff",
            "referrer-policy: no-referrer",
            "cache-control: no-store",
        ] {
            assert!(lower.contains(always), "{what}: no {always}");
        }
        assert!(
            !lower.contains("access-control-"),
            "{what}: others are let in"
        );
    }
    for path in [
        "/../../etc/passwd",
        "/v1/../../../etc/passwd",
        "/..%2f..%2fetc/passwd",
        "/%2e%2e/",
        "//etc/passwd",
        "/v1/planning_report.md",
        "/v1/manifest.json",
        "/v0",
        "/v01",
        "/V1",
        "/1",
        "/v1/",
        "/v99999999999",
        "/team/../v1",
        "/team/v1",
        "/v1/talk/x",
        "/v1%00",
        "/v1;x",
        "/v1?x=1",
        "/events/x/v1",
        "/events/0/../v1",
        "/compare/v1/..",
        "/compare/v1/team/v1",
        "/.ai-tools-chain/config.yaml",
        "/C:/",
        "/\\\\host\\share",
    ] {
        let answer = served.get(&cookie, path);
        assert!([400, 404].contains(&code(&answer)), "{path}: {answer:.200}");
        assert!(!answer.contains("root:"), "{path}");
    }
}

#[test]
fn who_is_slow_or_sends_much_holds_nobody_up() {
    let place = demo();
    let served = Served::of(&place, &["v1"]);
    let cookie = served.cookie();
    // Incomplete request heads, more than there are connections.
    let slow: Vec<TcpStream> = (0..160)
        .filter_map(|_| {
            let mut stream = TcpStream::connect(("127.0.0.1", served.port)).ok()?;
            stream.write_all(b"GET /v1 HTTP/1.1\r\nX: ").ok()?;
            Some(stream)
        })
        .collect();
    let until = Instant::now() + Duration::from_secs(30);
    while code(&served.get(&cookie, "/v1")) != 200 {
        assert!(Instant::now() < until, "slow ones keep everybody out");
    }
    let large = format!("GET /v1 HTTP/1.1\r\nX: {}\r\n\r\n", "x".repeat(100_000));
    assert!([0, 431].contains(&code(&served.raw(&large))));
    let many = format!("GET /v1 HTTP/1.1\r\n{}\r\n", "X: y\r\n".repeat(2_000));
    assert!([0, 431].contains(&code(&served.raw(&many))));
    // The server does not wait forever for a missing body.
    let host = served.host();
    let lacking = served.raw(&format!(
        "POST /say HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nCookie: {cookie}\r\n\
         Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{{"
    ));
    assert!([0, 408].contains(&code(&lacking)), "{lacking}");
    drop(slow);
}

#[test]
fn what_is_there_is_shown_and_what_is_not_is_said() {
    let place = demo();
    let served = Served::of(&place, &[]);
    let cookie = served.cookie();
    let host = served.host();
    let said = "{\"run\":\"v1\",\"text\":\" \"}";
    for (path, told) in [
        ("/say", "there is no text"),
        ("/debate", "there is no topic"),
    ] {
        let answer = served.raw(&format!(
            "POST {path} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nCookie: {cookie}\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{said}",
            said.len()
        ));
        assert_eq!(code(&answer), 409, "{answer}");
        assert!(answer.contains(told), "{answer}");
    }
    for (path, parts) in [
        ("/", &["v1", "v2", "Agreed"][..]),
        (
            "/v2",
            &[
                "What you decide",
                "id=\"AC-1\"",
                "href=\"#AC-1\"",
                "href=\"/compare/v1/v2\"",
            ],
        ),
        (
            "/v1/talk",
            &["Round 1", "ProductPlanner", "agrees", "Published"],
        ),
        ("/compare/v1/v2", &["Criteria", "F-1", "for 30 days"]),
        ("/style.css", &["prefers-color-scheme"]),
        ("/page.js", &["EventSource"]),
    ] {
        let answer = served.get(&cookie, path);
        assert_eq!(code(&answer), 200, "{path}: {answer:.300}");
        for part in parts {
            assert!(answer.contains(part), "{path}: no {part}");
        }
        assert!(
            !answer.contains("<script>") && !answer.contains(" style="),
            "{path}"
        );
    }
    assert!(
        served
            .get(&cookie, "/v7")
            .contains("error[E-version-missing]")
    );
}

#[test]
fn events_come_from_where_the_browser_was() {
    let place = demo();
    let served = Served::of(&place, &["v1"]);
    let cookie = served.cookie();
    let ids = |answer: &str| -> Vec<u64> {
        let ids = answer.lines().filter_map(|line| line.strip_prefix("id: "));
        ids.map(|id| id.parse().unwrap()).collect()
    };
    let whole = served.get(&cookie, "/events/0/v1");
    let all = ids(&whole);
    assert!(
        all.len() > 20 && all.is_sorted() && whole.contains("event: end"),
        "{whole:.300}"
    );
    let middle = all[all.len() / 2];
    let rest: Vec<u64> = all.iter().copied().filter(|id| *id > middle).collect();
    assert_eq!(
        ids(&served.get(&cookie, &format!("/events/{middle}/v1"))),
        rest
    );
    let again = format!("{cookie}\r\nLast-Event-ID: {middle}");
    assert_eq!(
        ids(&served.get(&again, "/events/0/v1")),
        rest,
        "what was cut off goes on"
    );
}

#[test]
fn nothing_to_show_says_what_helps() {
    let place = Place::new();
    let served = Served::of(&place, &[]);
    let list = served.get(&served.cookie(), "/");
    assert!(list.contains("data-post=\"/plan\""), "{list:.300}");
    let place = demo();
    place
        .run_without_model(&["view", "v9", "--no-open"])
        .fails(2, &["E-version-missing", "aitc"]);
    let (first, copy) = (place.outputs("v1"), place.outputs("v7"));
    std::fs::create_dir_all(&copy).unwrap();
    let name = "planning_transcript.jsonl";
    std::fs::copy(first.join(name), copy.join(name)).unwrap();
    place
        .run_without_model(&["view", "v7", "--no-open"])
        .fails(10, &["E-version-renamed"]);
    std::fs::remove_dir_all(&copy).unwrap();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    place
        .run_without_model(&["view", "v1", "--no-open", "--port", &port])
        .fails(2, &["error[E-port]"]);
}

#[test]
fn a_plan_is_shown_from_its_beginning_on() {
    let place = Place::new();
    let ran = place
        .run(&["plan", "Export the list", "--questions", "assume", "--view"])
        .ends(0);
    ran.says(&["watch the run at http://127.0.0.1:"]);
    let json = place.work().join("json");
    let file = std::fs::File::create(&json).unwrap();
    let command = place.command_without_model(&["view", "v1", "--no-open", "--json"]);
    let going = Going::into_file(command, file);
    let until = Instant::now() + Duration::from_secs(30);
    while !std::fs::read_to_string(&json).unwrap().ends_with('\n') {
        assert!(Instant::now() < until, "no document");
        std::thread::sleep(Duration::from_millis(10));
    }
    let document = serde_json::from_str(&std::fs::read_to_string(&json).unwrap()).unwrap();
    assert!(
        schemas::validator("commands/view").is_valid(&document),
        "{document}"
    );
    going.signal("INT");
    assert_eq!(going.code(), 0, "Ctrl-C is its end");
}
