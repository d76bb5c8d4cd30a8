//! What passes the gate, probed byte by byte over TCP.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::support::binary::{Going, Place};
use crate::support::schemas;

/// A served page: where, and what lets one in.
pub(super) struct Served {
    _going: Going,
    pub port: u16,
    pub token: String,
}

impl Served {
    /// Of a place in which something can be shown.
    pub fn of(place: &Place, arguments: &[&str]) -> Self {
        let all = [&["view", "--no-open"], arguments].concat();
        Self::by(place, place.command_without_model(&all))
    }

    /// By that command of `aitc view`.
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

    /// Sends bytes as they are and returns all that comes back.
    pub fn raw(&self, request: &str) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        let patience = Some(Duration::from_secs(20));
        stream.set_read_timeout(patience).unwrap();
        // A server that has refused may have closed by now.
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

    /// A page, asked for as a browser does.
    pub fn get(&self, cookie: &str, path: &str) -> String {
        let host = self.host();
        self.raw(&format!(
            "GET {path} HTTP/1.1\r\nHost: {host}\r\nCookie: {cookie}\r\nConnection: close\r\n\r\n"
        ))
    }
}

fn code(answer: &str) -> u16 {
    let code = answer.split(' ').nth(1).and_then(|code| code.parse().ok());
    // A connection that is closed without a word is a refusal too.
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

    let good = format!("Host: {host}\r\nCookie: {cookie}");
    let send = format!("{good}\r\nOrigin: http://{host}");
    let json = "Content-Type: application/json";
    let body =
        |head: &str, text: &str| format!("{head}\r\nContent-Length: {}\r\n\r\n{text}", text.len());
    let said = r#"{"run":"v1","text":"x"}"#;
    let other = port.wrapping_add(1);
    let (name, value) = cookie.split_once('=').unwrap();
    let get = |head: &str| format!("GET /v1 HTTP/1.1\r\n{head}\r\n\r\n");
    let post = |head: &str| format!("POST /say HTTP/1.1\r\n{}", body(head, said));
    let table: Vec<(&str, String, u16)> = vec![
        // What a browser of this user sends.
        ("a page", get(&good), 200),
        ("a page with its origin", get(&send), 200),
        (
            "a page typed in",
            get(&format!("{good}\r\nSec-Fetch-Site: none")),
            200,
        ),
        (
            "a page from a page",
            get(&format!("{good}\r\nSec-Fetch-Site: same-origin")),
            200,
        ),
        ("a message", post(&format!("{send}\r\n{json}")), 409),
        // Hosts.
        ("no host", get(&format!("Cookie: {cookie}")), 403),
        (
            "localhost",
            get(&good.replace(&host, &format!("localhost:{port}"))),
            403,
        ),
        (
            "another port",
            get(&good.replace(&host, &format!("127.0.0.1:{other}"))),
            403,
        ),
        ("no port", get(&good.replace(&host, "127.0.0.1")), 403),
        (
            "a name behind",
            get(&good.replace(&host, &format!("{host}.evil.example"))),
            403,
        ),
        (
            "a name before",
            get(&good.replace(&host, &format!("evil.example:{port}"))),
            403,
        ),
        (
            "a user",
            get(&good.replace(&host, &format!("x@{host}"))),
            403,
        ),
        (
            "another loopback",
            get(&good.replace(&host, &format!("127.0.0.2:{port}"))),
            403,
        ),
        (
            "a short address",
            get(&good.replace(&host, &format!("127.1:{port}"))),
            403,
        ),
        (
            "a number",
            get(&good.replace(&host, &format!("2130706433:{port}"))),
            403,
        ),
        (
            "IPv6",
            get(&good.replace(&host, &format!("[::1]:{port}"))),
            403,
        ),
        ("an empty host", get(&good.replace(&host, "")), 403),
        ("two hosts", get(&format!("{good}\r\nHost: {host}")), 403),
        (
            "two different hosts",
            get(&format!("Host: evil.example\r\n{good}")),
            403,
        ),
        (
            "an absolute address",
            format!("GET http://{host}/v1 HTTP/1.1\r\n{good}\r\n\r\n"),
            400,
        ),
        (
            "another's address",
            format!("GET http://evil.example/v1 HTTP/1.1\r\n{good}\r\n\r\n"),
            400,
        ),
        (
            "HTTP/1.0",
            format!("GET /v1 HTTP/1.0\r\n{good}\r\n\r\n"),
            400,
        ),
        // Origins.
        (
            "a null origin",
            get(&format!("{good}\r\nOrigin: null")),
            403,
        ),
        (
            "another origin",
            get(&format!("{good}\r\nOrigin: http://evil.example")),
            403,
        ),
        (
            "another port's origin",
            get(&format!("{good}\r\nOrigin: http://127.0.0.1:{other}")),
            403,
        ),
        (
            "an origin with more",
            get(&format!("{good}\r\nOrigin: http://{host}.evil.example")),
            403,
        ),
        (
            "an origin with a path",
            get(&format!("{good}\r\nOrigin: http://{host}/")),
            403,
        ),
        (
            "https",
            get(&format!("{good}\r\nOrigin: https://{host}")),
            403,
        ),
        (
            "localhost's origin",
            get(&format!("{good}\r\nOrigin: http://localhost:{port}")),
            403,
        ),
        (
            "two origins",
            get(&format!("{send}\r\nOrigin: http://{host}")),
            403,
        ),
        (
            "two origins in one",
            get(&format!(
                "{good}\r\nOrigin: http://{host} http://evil.example"
            )),
            403,
        ),
        ("an empty origin", get(&format!("{good}\r\nOrigin: ")), 403),
        (
            "same-site",
            get(&format!("{good}\r\nSec-Fetch-Site: same-site")),
            403,
        ),
        (
            "cross-site",
            get(&format!("{good}\r\nSec-Fetch-Site: cross-site")),
            403,
        ),
        (
            "an unknown site",
            get(&format!("{good}\r\nSec-Fetch-Site: other")),
            403,
        ),
        (
            "two sites",
            get(&format!(
                "{good}\r\nSec-Fetch-Site: none\r\nSec-Fetch-Site: none"
            )),
            403,
        ),
        // Messages.
        ("no origin", post(&format!("{good}\r\n{json}")), 403),
        (
            "a null origin's message",
            post(&format!("{good}\r\n{json}\r\nOrigin: null")),
            403,
        ),
        (
            "another's message",
            post(&format!("{good}\r\n{json}\r\nOrigin: http://evil.example")),
            403,
        ),
        (
            "another port's message",
            post(&format!(
                "{good}\r\n{json}\r\nOrigin: http://127.0.0.1:{other}"
            )),
            403,
        ),
        (
            "a message typed in",
            post(&format!("{send}\r\n{json}\r\nSec-Fetch-Site: none")),
            403,
        ),
        (
            "plain text",
            post(&format!("{send}\r\nContent-Type: text/plain")),
            415,
        ),
        (
            "a form",
            post(&format!(
                "{send}\r\nContent-Type: application/x-www-form-urlencoded"
            )),
            415,
        ),
        (
            "a form of parts",
            post(&format!(
                "{send}\r\nContent-Type: multipart/form-data; boundary=x"
            )),
            415,
        ),
        ("no type", post(&send), 415),
        (
            "two types",
            post(&format!("{send}\r\n{json}\r\nContent-Type: text/plain")),
            415,
        ),
        (
            "a type with more",
            post(&format!("{send}\r\n{json}; charset=utf-8")),
            415,
        ),
        (
            "a type of another case",
            post(&format!("{send}\r\nContent-Type: Application/JSON")),
            415,
        ),
        (
            "no JSON",
            format!(
                "POST /say HTTP/1.1\r\n{}",
                body(&format!("{send}\r\n{json}"), "{")
            ),
            400,
        ),
        (
            "an unknown field",
            format!(
                "POST /say HTTP/1.1\r\n{}",
                body(
                    &format!("{send}\r\n{json}"),
                    r#"{"run":"v1","path":"/etc"}"#
                )
            ),
            422,
        ),
        (
            "a run by a path",
            format!(
                "POST /say HTTP/1.1\r\n{}",
                body(
                    &format!("{send}\r\n{json}"),
                    r#"{"run":"../v1","text":"x"}"#
                )
            ),
            404,
        ),
        (
            "too much",
            format!(
                "POST /say HTTP/1.1\r\n{}",
                body(&format!("{send}\r\n{json}"), &"x".repeat(70_000))
            ),
            413,
        ),
        (
            "a page by POST",
            format!(
                "POST /v1 HTTP/1.1\r\n{}",
                body(&format!("{send}\r\n{json}"), said)
            ),
            405,
        ),
        // What begins a process.
        (
            "a plan of another origin",
            format!(
                "POST /plan HTTP/1.1\r\n{}",
                body(
                    &format!("{good}\r\n{json}\r\nOrigin: http://evil.example"),
                    r#"{"text":"x"}"#
                )
            ),
            403,
        ),
        (
            "a plan without a cookie",
            format!(
                "POST /plan HTTP/1.1\r\n{}",
                body(
                    &format!("Host: {host}\r\nOrigin: http://{host}\r\n{json}"),
                    r#"{"text":"x"}"#
                )
            ),
            401,
        ),
        (
            "a plan in an address",
            format!("GET /plan HTTP/1.1\r\n{good}\r\n\r\n"),
            405,
        ),
        (
            "a run by a path, taken up",
            format!(
                "POST /resume HTTP/1.1\r\n{}",
                body(&format!("{send}\r\n{json}"), r#"{"run":"--help"}"#)
            ),
            404,
        ),
        // Cookies.
        ("no cookie", get(&format!("Host: {host}")), 401),
        (
            "an empty cookie",
            get(&format!("Host: {host}\r\nCookie: {name}=")),
            401,
        ),
        (
            "another cookie",
            get(&format!(
                "Host: {host}\r\nCookie: {name}={}",
                "0".repeat(value.len())
            )),
            401,
        ),
        (
            "a part of it",
            get(&format!(
                "Host: {host}\r\nCookie: {}",
                &cookie[..cookie.len() - 1]
            )),
            401,
        ),
        (
            "more of it",
            get(&format!("Host: {host}\r\nCookie: {cookie}0")),
            401,
        ),
        (
            "another name",
            get(&format!("Host: {host}\r\nCookie: x{cookie}")),
            401,
        ),
        (
            "a name of another case",
            get(&format!(
                "Host: {host}\r\nCookie: {}={value}",
                name.to_uppercase()
            )),
            401,
        ),
        (
            "two of it",
            get(&format!("Host: {host}\r\nCookie: {name}=0; {cookie}")),
            401,
        ),
        (
            "two lines",
            get(&format!("{good}\r\nCookie: {name}=0")),
            401,
        ),
        (
            "one among others",
            get(&format!("Host: {host}\r\nCookie: a=b; {cookie}; c=d")),
            200,
        ),
        (
            "the token as a cookie",
            get(&format!("Host: {host}\r\nCookie: {name}={}", served.token)),
            401,
        ),
        // Methods.
        ("HEAD", format!("HEAD /v1 HTTP/1.1\r\n{good}\r\n\r\n"), 405),
        (
            "OPTIONS",
            format!("OPTIONS /say HTTP/1.1\r\n{send}\r\n\r\n"),
            405,
        ),
        ("PUT", format!("PUT /v1 HTTP/1.1\r\n{send}\r\n\r\n"), 405),
        (
            "DELETE",
            format!("DELETE /v1 HTTP/1.1\r\n{send}\r\n\r\n"),
            405,
        ),
        (
            "TRACE",
            format!("TRACE /v1 HTTP/1.1\r\n{good}\r\n\r\n"),
            405,
        ),
        (
            "CONNECT",
            format!("CONNECT {host} HTTP/1.1\r\n{good}\r\n\r\n"),
            400,
        ),
    ];
    for (what, request, expected) in &table {
        let request = request.replacen("\r\n\r\n", "\r\nConnection: close\r\n\r\n", 1);
        let answer = served.raw(&request);
        assert_eq!(code(&answer), *expected, "{what}: {answer:.300}");
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
    // Heads that never end: more of them than there are places.
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
    // A body that never comes is not waited for without end.
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
        (
            "/compare/v1/v2",
            &["Criteria", "F-1", "for <del>14</del><ins>30</ins> days"],
        ),
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
