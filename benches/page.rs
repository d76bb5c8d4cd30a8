//! The page of `aitc view`: time to show a run, and the cost of browsers that watch it.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use aitc::edge::fs::RealFs;
use aitc::edge::lock::RunLock;
use aitc::edge::store::Outputs;
use aitc::machine::Entry;

use crate::program::{Sandbox, cpu_of};
use crate::{median, ms, replay};

const WATCHERS: usize = 50;
const WATCHED: Duration = Duration::from_secs(10);

/// Time to the whole discussion of a run of ten rounds, and to the last 300 entries of one of
/// 100,000 events; processor time of the server with 50 browsers that watch.
pub fn measure() {
    for (what, entries) in [
        ("10 rounds", replay::rounds_of(10)),
        ("100,000 events", replay::failing(100)),
    ] {
        let served = Served::of(entries);
        let bytes = served.get("/v1/talk").len();
        let first = served.begun.elapsed();
        let again: Vec<Duration> = (0..5)
            .map(|_| {
                let begun = Instant::now();
                served.get("/v1/talk");
                begun.elapsed()
            })
            .collect();
        println!(
            "{what}: the talk ({} kB) {:.0} ms after `aitc view` was begun, then in {:.1} ms",
            bytes / 1000,
            ms(first),
            ms(median(again)),
        );
    }
    let served = Served::of(replay::rounds_of(10));
    let streams: Vec<TcpStream> = (0..WATCHERS).map(|_| served.watch()).collect();
    std::thread::sleep(Duration::from_secs(1));
    let before = cpu_of(served.child.id());
    std::thread::sleep(WATCHED);
    let spent = cpu_of(served.child.id()) - before;
    println!(
        "{} browsers that watch: {:.1} % of a processor for the server, nothing for the run",
        streams.len(),
        100.0 * ms(spent) / ms(WATCHED),
    );
}

/// A server of the page, and the cookie to read it.
struct Served {
    _sandbox: Sandbox,
    /// Makes the run look as if a process worked on it.
    _lock: RunLock,
    begun: Instant,
    child: Child,
    host: String,
    cookie: String,
}

impl Served {
    fn of(entries: Vec<Entry>) -> Self {
        let sandbox = Sandbox::new();
        replay::draft(&sandbox, entries);
        let lock = Outputs::at(Arc::new(RealFs), &sandbox.work()).lock_path(1);
        let lock = RunLock::acquire(&lock).unwrap();
        let mut command = sandbox.program(&["view", "v1", "--no-open"]);
        let begun = Instant::now();
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut url = String::new();
        BufReader::new(child.stdout.take().unwrap())
            .read_line(&mut url)
            .unwrap();
        let (origin, token) = url.trim().split_once("/open/").expect("an address");
        let mut served = Self {
            _sandbox: sandbox,
            _lock: lock,
            begun,
            child,
            host: origin.strip_prefix("http://").unwrap().to_owned(),
            cookie: String::new(),
        };
        let opened = served.get(&format!("/open/{token}"));
        let cookie = opened
            .lines()
            .find_map(|line| line.strip_prefix("set-cookie: "));
        let cookie = cookie.and_then(|line| line.split(';').next());
        served.cookie = cookie.expect("a cookie").to_owned();
        served
    }

    fn ask(&self, path: &str) -> TcpStream {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        let (host, cookie) = (&self.host, &self.cookie);
        let request = format!(
            "GET {path} HTTP/1.1\r\nHost: {host}\r\nCookie: {cookie}\r\nConnection: close\r\n\r\n"
        );
        stream.write_all(request.as_bytes()).unwrap();
        stream
    }

    fn get(&self, path: &str) -> String {
        let mut answer = String::new();
        self.ask(path).read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 2") || answer.starts_with("HTTP/1.1 3"));
        answer
    }

    /// Opens the event stream and reads its first line.
    fn watch(&self) -> TcpStream {
        let mut stream = self.ask("/events/0/v1");
        stream.read_exact(&mut [0; 12]).unwrap();
        stream
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
