//! The page in a real browser: `chromium` with `chromedriver`. These tests are skipped without
//! them.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use aitc::edge::fs::RealFs;
use aitc::edge::journal::Journal;
use aitc::edge::lock::RunLock;
use aitc::machine::{Entry, Event};
use serde_json::{Value, json};

use super::wire::{Served, demo};
use crate::artifacts::hostile::HOSTILE;
use crate::support::binary::{Place, json_lines};
use crate::support::fake::{Fake, FakeConfig, Reply, answer};

const PATIENCE: Duration = Duration::from_secs(60);

/// A browser with an empty profile.
pub(super) struct Browser {
    driver: Child,
    /// Kept open, because the driver would end if its output were closed.
    _said: BufReader<ChildStdout>,
    port: u16,
    session: String,
    _profile: tempfile::TempDir,
}

impl Browser {
    /// `None` if there is no browser on this machine.
    pub(super) fn start() -> Option<Self> {
        Self::with(&[])
    }

    fn with(more: &[String]) -> Option<Self> {
        let Some((driver, said, port)) = driver() else {
            eprintln!("skipped: no chromedriver here (apt-get install chromium chromium-driver)");
            return None;
        };
        let profile = tempfile::tempdir().unwrap();
        let mut browser = Self {
            driver,
            _said: said,
            port,
            session: String::new(),
            _profile: profile,
        };
        let folder = browser._profile.path().display();
        let folder = format!("--user-data-dir={folder}");
        let flags = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--window-size=1280,900",
            &folder,
        ];
        let more = more.iter().map(String::as_str);
        let flags: Vec<&str> = flags.into_iter().chain(more).collect();
        let options = json!({ "args": flags });
        let wanted = json!({"capabilities": {"alwaysMatch": {"goog:chromeOptions": options}}});
        let begun = browser.call("POST", "/session", &wanted);
        browser.session = begun["sessionId"].as_str().unwrap().to_owned();
        Some(browser)
    }

    fn call(&self, method: &str, path: &str, body: &Value) -> Value {
        let value = self.asked(method, path, body).unwrap();
        assert!(value.get("error").is_none(), "{path}: {value:#}");
        value
    }

    fn asked(&self, method: &str, path: &str, body: &Value) -> std::io::Result<Value> {
        let body = if method == "POST" {
            body.to_string()
        } else {
            String::new()
        };
        let mut stream = TcpStream::connect(("127.0.0.1", self.port))?;
        stream.set_read_timeout(Some(PATIENCE))?;
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\n\r\n",
            self.port,
            body.len()
        );
        stream.write_all((head + &body).as_bytes())?;
        // The connection stays open, so read only the announced length.
        let mut stream = BufReader::new(stream);
        let mut length = 0;
        loop {
            let mut line = String::new();
            stream.read_line(&mut line)?;
            let Some((name, value)) = line.split_once(':') else {
                if line.trim().is_empty() {
                    break;
                }
                continue;
            };
            if name.eq_ignore_ascii_case("content-length") {
                length = value.trim().parse().unwrap();
            }
        }
        let mut text = vec![0; length];
        stream.read_exact(&mut text)?;
        Ok(serde_json::from_slice::<Value>(&text)?["value"].take())
    }

    pub(super) fn tell(&self, what: &str, body: &Value) -> Value {
        self.call("POST", &format!("/session/{}/{what}", self.session), body)
    }

    pub(super) fn open(&self, url: &str) {
        self.tell("url", &json!({ "url": url }));
    }

    /// The current window.
    fn window(&self) -> Value {
        self.call(
            "GET",
            &format!("/session/{}/window", self.session),
            &Value::Null,
        )
    }

    /// The value of a line of script.
    pub(super) fn look(&self, script: &str) -> Value {
        let script = format!("return {script}");
        self.tell("execute/sync", &json!({"script": script, "args": []}))
    }

    /// Waits until a condition is true.
    #[track_caller]
    pub(super) fn until(&self, script: &str) {
        let late = Instant::now() + PATIENCE;
        while self.look(script) != json!(true) {
            let page = || self.look("document.body.innerText");
            assert!(
                Instant::now() < late,
                "never: {script}\n{}",
                page().as_str().unwrap()
            );
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    fn find(&self, css: &str) -> String {
        let found = self.tell("element", &json!({"using": "css selector", "value": css}));
        found
            .as_object()
            .unwrap()
            .values()
            .next()
            .unwrap()
            .as_str()
            .unwrap()
            .to_owned()
    }

    pub(super) fn click(&self, css: &str) {
        let id = self.find(css);
        self.tell(&format!("element/{id}/click"), &json!({}));
    }

    pub(super) fn write(&self, css: &str, text: &str) {
        let id = self.find(css);
        self.tell(&format!("element/{id}/value"), &json!({ "text": text }));
    }

    /// Exchanges the token of a served page and opens a path of it.
    pub(super) fn enter(&self, served: &Served, path: &str) {
        let host = served.host();
        if !served.token.is_empty() {
            self.open(&format!("http://{host}/open/{}", served.token));
        }
        self.open(&format!("http://{host}{path}"));
    }
}

/// Starts `chromedriver` on a free port; `None` if there is none on this machine. Between its
/// choice of a port and its use another process may take it: then it ends, and is started again.
fn driver() -> Option<(Child, BufReader<ChildStdout>, u16)> {
    for _ in 0..5 {
        let mut command = Command::new("chromedriver");
        command
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut driver = command.spawn().ok()?;
        let mut said = BufReader::new(driver.stdout.take().unwrap());
        let mut line = String::new();
        while said.read_line(&mut line).unwrap() > 0 {
            if let Some((_, port)) = line.split_once("successfully on port ") {
                let port = port.trim().trim_end_matches('.').parse().unwrap();
                return Some((driver, said, port));
            }
            line.clear();
        }
        driver.wait().unwrap();
    }
    panic!("chromedriver says no port")
}

impl Drop for Browser {
    fn drop(&mut self) {
        // Ends the browser; a session that was not created ends with its driver.
        let _ = self.asked(
            "DELETE",
            &format!("/session/{}", self.session),
            &Value::Null,
        );
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

/// A TCP connection to a server that can be interrupted.
struct Line {
    port: u16,
    is_cut: Arc<AtomicBool>,
    open: Arc<Mutex<Vec<TcpStream>>>,
}

impl Line {
    fn to(server: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let line = Self {
            port: listener.local_addr().unwrap().port(),
            is_cut: Arc::default(),
            open: Arc::default(),
        };
        let (is_cut, open) = (Arc::clone(&line.is_cut), Arc::clone(&line.open));
        std::thread::spawn(move || {
            for browser in listener.incoming().map_while(Result::ok) {
                if is_cut.load(Ordering::SeqCst) {
                    continue;
                }
                let Ok(server) = TcpStream::connect(("127.0.0.1", server)) else {
                    return;
                };
                let both = [(&browser, &server), (&server, &browser)];
                for (from, to) in both {
                    let (mut from, mut to) = (from.try_clone().unwrap(), to.try_clone().unwrap());
                    std::thread::spawn(move || {
                        // Close the other side too.
                        let _ = std::io::copy(&mut from, &mut to);
                        let _ = to.shutdown(Shutdown::Both);
                    });
                }
                open.lock().unwrap().extend([browser, server]);
            }
        });
        line
    }

    fn cut(&self) {
        self.is_cut.store(true, Ordering::SeqCst);
        for stream in self.open.lock().unwrap().drain(..) {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }

    fn mend(&self) {
        self.is_cut.store(false, Ordering::SeqCst);
    }
}

/// A running workshop: the lines of a recorded one, written step by step.
struct Going {
    place: Place,
    run: &'static str,
    lines: Vec<String>,
    written: usize,
}

impl Going {
    fn of(run: &'static str, transcript: &str) -> Self {
        let place = Place::new();
        let lines = transcript
            .split_inclusive('\n')
            .map(str::to_owned)
            .collect();
        std::fs::create_dir_all(place.outputs(&format!("{run}.draft"))).unwrap();
        Self {
            place,
            run,
            lines,
            written: 0,
        }
    }

    fn demo() -> Self {
        Self::of("v1", &demo().text("v1/planning_transcript.jsonl"))
    }

    fn draft(&self) -> std::path::PathBuf {
        self.place.outputs(&format!("{}.draft", self.run))
    }

    /// Writes the lines up to the `n`th line of this kind.
    fn up_to(&mut self, phase: &str, n: usize) {
        let mark = format!("\"phase\":\"{phase}\"");
        let all = self.lines.iter().enumerate();
        let mut those = all
            .filter(|(_, line)| line.contains(&mark))
            .map(|(at, _)| at);
        let end = those.nth(n - 1).unwrap() + 1;
        self.write(end);
    }

    fn write(&mut self, end: usize) {
        let path = self.draft().join("planning_transcript.jsonl");
        let mut file = std::fs::OpenOptions::new()
            .create(true)
            .append(true)
            .open(path)
            .unwrap();
        // In two pieces, so that the reader sees an incomplete line.
        let text = self.lines[self.written..end].concat();
        let (one, two) = text.as_bytes().split_at(text.len() / 2);
        file.write_all(one).unwrap();
        std::thread::sleep(Duration::from_millis(300));
        file.write_all(two).unwrap();
        self.written = end;
    }

    fn publish(&mut self) {
        self.write(self.lines.len());
        std::fs::rename(self.draft(), self.place.outputs(self.run)).unwrap();
    }

    /// The messages sent to the run.
    fn messages(&self) -> Vec<Value> {
        let Ok(inbox) = std::fs::read_dir(self.draft().join("inbox")) else {
            return Vec::new();
        };
        // A message is written to a temporary file and then renamed; other names are ignored.
        let mut paths: Vec<_> = inbox
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.extension().is_some_and(|ending| ending == "json"))
            .collect();
        paths.sort();
        let texts = paths
            .iter()
            .map(|path| std::fs::read_to_string(path).unwrap());
        texts
            .map(|text| serde_json::from_str(&text).unwrap())
            .collect()
    }
}

/// Numbers and texts of the entries on the page.
fn pieces(browser: &Browser) -> Value {
    browser.look("[...document.querySelectorAll('#talk > *')].map(one => one.textContent.trim())")
}

#[test]
fn a_run_is_watched_to_its_end() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let mut going = Going::demo();
    going.up_to("round_started", 1);
    // As if a process were working on it.
    let lock = RunLock::acquire(&going.place.outputs(".v1.lock")).unwrap();
    let served = Served::of(&going.place, &[]);
    browser.enter(&served, "/v1/talk");
    browser.until("document.querySelectorAll('#board .open-issues li.open').length > 2");
    assert_eq!(browser.look("document.querySelectorAll('.said').length"), 0);
    going.up_to("call_started", 2);
    browser.until("document.querySelector('#board .calls')?.textContent.includes('speaks')");
    going.up_to("speaking", 3);
    browser.until("document.querySelectorAll('.said').length === 3");
    going.up_to("consensus_summary", 1);
    browser.until("document.querySelector('#board .shrinking')?.textContent.includes('→')");
    drop(lock);
    going.publish();
    browser.until("document.querySelector('.divider.end') !== null");
    browser.until("document.getElementById('act').hidden");
    let seen = pieces(&browser);
    browser.open(&format!("http://{}/v1/talk", served.host()));
    assert_eq!(pieces(&browser), seen, "as it came, so it stands");
    browser.click(".divider.end a");
    browser.until(
        "document.querySelector('h1')?.textContent === 'Customers delete their own account'",
    );
    browser.click(".contents a[href='#consensus']");
    browser.until("document.querySelector('#consensus').getBoundingClientRect().top < 200");
}

#[test]
fn what_was_cut_off_comes_once_and_whole() {
    let mut going = Going::demo();
    going.up_to("speaking", 1);
    let served = Served::of(&going.place, &[]);
    let line = Line::to(served.port);
    let rule = format!("MAP {} 127.0.0.1:{}", served.host(), line.port);
    let Some(browser) = Browser::with(&[format!("--host-resolver-rules={rule}")]) else {
        return;
    };
    browser.enter(&served, "/v1/talk");
    going.up_to("speaking", 2);
    browser.until("document.querySelectorAll('.said').length === 2");
    line.cut();
    browser.until("document.body.classList.contains('lost')");
    going.up_to("speaking", 7);
    assert_eq!(browser.look("document.querySelectorAll('.said').length"), 2);
    line.mend();
    browser.until("document.querySelectorAll('.said').length === 7");
    browser.until("!document.body.classList.contains('lost')");
    let seen = pieces(&browser);
    browser.open(&format!("http://{}/v1/talk", served.host()));
    assert_eq!(pieces(&browser), seen, "no gap, nothing twice");
}

#[test]
fn a_question_is_answered_in_its_place_whatever_else_comes() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let mut going = Going::demo();
    going.up_to("speaking", 1);
    let served = Served::of(&going.place, &[]);
    browser.enter(&served, "/v1/talk");
    browser.until("document.querySelector('form.ask') === null");
    going.up_to("user_clarification_needed", 1);
    browser.until("'ask' in shown && document.querySelector('form.ask .question') !== null");
    // A half-written answer outlasts other questions.
    browser.write("form.ask textarea", "Ten years, as pri");
    browser.look("put('ask', '<p id=one>One.</p>' + document.getElementById('ask').innerHTML)");
    browser.until("document.getElementById('one') !== null");
    let typed = "document.activeElement.value";
    assert_eq!(browser.look(typed), "Ten years, as pri");
    browser.write("form.ask textarea", "nted");
    assert_eq!(browser.look(typed), "Ten years, as printed");
    // The result of a form that was removed meanwhile is still shown.
    browser.look(
        "(form => { form.remove(); tell(form, 'It goes on', false); })(document.querySelector('form.rests'))",
    );
    let told = "document.querySelector('#act .told').textContent";
    assert_eq!(browser.look(told), "It goes on");
    browser.click("form.ask button");
    browser.until("document.querySelector('.ask .told').textContent.includes('aitc resume v1')");
    let messages = going.messages();
    assert_eq!(messages.len(), 1, "{messages:#?}");
    assert_eq!(messages[0]["kind"], "answer");
    assert_eq!(messages[0]["question"], "Q-1");
    assert_eq!(messages[0]["text"], "Ten years, as printed");
}

#[test]
fn words_are_shown_while_they_are_said() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let half = "{\"analysis\":\"Rows <b>one</b> by one, not all\\nat once";
    let fake = Fake::with(FakeConfig::default(), move |seen| {
        match seen.key == "speech/SystemDesigner/r1" && seen.times == 1 {
            true => Reply::HangInStream(half.to_owned()),
            false => answer(seen),
        }
    });
    let place = Place::new();
    let running = place.start_with(&fake, &["plan", "Export the list", "--questions", "assume"]);
    fake.awaits("speech/SystemDesigner/r1", 1);
    let served = Served::by(
        &place,
        place.command_with(&fake, &["view", "v1", "--no-open"]),
    );
    browser.enter(&served, "/v1/talk");
    let said = "document.querySelector('#saying .text')?.innerText";
    browser.until(&format!(
        "{said}.startsWith('Rows <b>one</b> by one, not all\\nat')"
    ));
    let by = "document.querySelector('#saying .who').textContent";
    assert_eq!(browser.look(by), "SD");
    let words = place.outputs("v1.draft/saying.json");
    std::fs::remove_file(&words).unwrap();
    std::fs::create_dir(&words).unwrap();
    browser.until("document.querySelector('#saying').childElementCount === 0");
    browser.open(&format!("http://{}/v1/talk", served.host()));
    browser.until("document.querySelector('#board .calls') !== null");
    std::fs::remove_dir(&words).unwrap();
    running.signal("INT");
    running.code();
    browser.until("document.querySelector('#saying').childElementCount === 0");
    assert!(!place.outputs("v1.draft/saying.json").exists());
    browser.until("document.querySelector('form.rests button') !== null");
    browser.click("form.rests button");
    browser.until("document.querySelector('.divider.end') !== null");
}

#[test]
fn a_plan_is_begun_on_the_page() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let place = demo();
    let served = Served::by(&place, place.command(&["view", "--no-open"]));
    browser.enter(&served, "/");
    browser.click("#new button");
    browser
        .until("document.querySelector('#new .told.wrong')?.textContent.includes('requirement')");
    browser.write("#new textarea", "Export the customer list");
    browser.click("#new button");
    browser.until("location.pathname === '/v3/talk'");
    browser.until("document.querySelector('.divider.end, form.rests') !== null");
    let text = "document.querySelector('.piece.you .text').innerText";
    assert_eq!(browser.look(text), "Export the customer list");
    let nobody = Served::of(&place, &[]);
    browser.enter(&nobody, "/");
    browser.write("#new textarea", "Export it again");
    browser.click("#new button");
    browser.until("document.querySelector('#new .told.wrong')?.textContent.includes('fix: ')");
    assert!(!place.outputs("v4.draft").exists());
}

#[test]
fn a_page_that_nobody_sees_gives_its_connection_back() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let mut going = Going::demo();
    going.up_to("speaking", 1);
    let served = Served::of(&going.place, &[]);
    browser.enter(&served, "/v1/talk");
    let address = format!("http://{}/v1/talk", served.host());
    let hide = |is_hidden: bool| {
        browser.look(&format!(
            "(Object.defineProperty(document, 'hidden', {{value: {is_hidden}, configurable: true}}), \
             document.dispatchEvent(new Event('visibilitychange')))"
        ));
    };
    // More pages than the browser opens connections to one server.
    for _ in 0..7 {
        hide(true);
        let tab = browser.tell("window/new", &json!({"type": "tab"}));
        browser.tell("window", &json!({"handle": tab["handle"]}));
        browser.open(&address);
    }
    going.up_to("speaking", 2);
    browser.until("document.querySelectorAll('.said').length === 2");
    hide(true);
    going.up_to("speaking", 3);
    std::thread::sleep(Duration::from_millis(600));
    assert_eq!(browser.look("document.querySelectorAll('.said').length"), 2);
    hide(false);
    browser.until("document.querySelectorAll('.said').length === 3");
}

#[test]
fn of_many_windows_that_are_seen_the_oldest_rests_until_it_is_looked_at() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let mut going = Going::demo();
    going.up_to("speaking", 1);
    let served = Served::of(&going.place, &[]);
    browser.enter(&served, "/v1/talk");
    let address = format!("http://{}/v1/talk", served.host());
    let rests = "document.body.classList.contains('rests')";
    let first = browser.window();
    for _ in 0..6 {
        let window = browser.tell("window/new", &json!({"type": "window"}));
        browser.tell("window", &json!({"handle": window["handle"]}));
        browser.open(&address);
    }
    going.up_to("speaking", 2);
    browser.until("document.querySelectorAll('.said').length === 2");
    assert_eq!(browser.look(rests), false);
    browser.tell("window", &json!({"handle": first}));
    assert_eq!(browser.look(rests), true);
    assert_eq!(browser.look("document.querySelectorAll('.said').length"), 1);
    browser.look("dispatchEvent(new Event('focus'))");
    browser.until("document.querySelectorAll('.said').length === 2");
    assert_eq!(browser.look(rests), false);
}

#[test]
fn debate_and_stop_are_pressed_in_a_plan_and_in_a_team() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let team = include_str!("../../../fixtures/journals/team.jsonl");
    for (mut going, after) in [
        (Going::demo(), ("speaking", 2)),
        (Going::of("team/v1", team), ("phase_started", 1)),
    ] {
        going.up_to(after.0, after.1);
        let served = Served::of(&going.place, &[]);
        browser.enter(&served, &format!("/{}/talk", going.run));
        browser.write("#act textarea", "Leave the app out");
        browser.click("#act button");
        browser.until("document.querySelector('#act .told').textContent !== ''");
        browser.until("document.querySelector('#act textarea').value === ''");
        browser.write("#act textarea", "Rows or columns?");
        browser.click("#act button[value='/debate']");
        browser.until("document.querySelector('#act textarea').value === ''");
        browser.click("#act button.stop");
        browser.until("document.querySelector('#act .told').textContent.includes('again')");
        assert_eq!(going.messages().len(), 2, "asked for twice");
        browser.click("#act button.stop");
        let late = Instant::now() + PATIENCE;
        while going.messages().len() < 3 {
            assert!(Instant::now() < late);
            std::thread::sleep(Duration::from_millis(50));
        }
        let messages = going.messages();
        let kinds: Vec<&Value> = messages.iter().map(|one| &one["kind"]).collect();
        assert_eq!(kinds, ["say", "debate", "stop"]);
        assert_eq!(messages[0]["text"], "Leave the app out");
        assert_eq!(messages[1]["topic"], "Rows or columns?");
    }
}

#[test]
fn a_debate_of_a_team_is_seen_as_it_goes_on() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let team = include_str!("../../../fixtures/journals/team.jsonl");
    let mut going = Going::of("team/v1", team);
    going.up_to("debate_started", 1);
    let served = Served::of(&going.place, &[]);
    browser.enter(&served, "/team/v1/talk");
    let topic = "document.querySelector('.divider.debate').innerText.includes('right phases')";
    browser.until(&format!(
        "document.querySelector('.divider.debate') !== null && {topic}"
    ));
    assert_eq!(
        browser.look("document.querySelectorAll('.bubble').length"),
        0
    );
    going.up_to("debate_round_summary", 1);
    browser.until("document.querySelectorAll('.piece.sum').length === 1");
    let marks =
        browser.look("[...document.querySelectorAll('.bubble .mark')].map(one => one.textContent)");
    assert_eq!(marks, json!(vec!["Debate · Round 1"; 5]));
    let left = |css: &str| {
        let place = format!("document.querySelector('{css}').getBoundingClientRect().left");
        browser.look(&place).as_f64().unwrap()
    };
    assert!(left(".bubble.side-1") > left(".bubble.side-0"), "two sides");
    assert!(left(".piece.sum") > left(".divider.debate"), "indented");
    going.up_to("debate_resolved", 1);
    browser.until("document.querySelectorAll('.ruling').length === 1");
    let ruled = "document.querySelector('.ruling').matches('.adopt, .compromise, .shelve') \
        && document.querySelector('.ruling strong').textContent !== '' \
        && document.querySelector('.ruling .why').textContent.length > 'Why:'.length \
        && getComputedStyle(document.querySelector('.ruling')).borderTopWidth === '2px'";
    assert_eq!(browser.look(ruled), true);
    let seen = pieces(&browser);
    browser.open(&format!("http://{}/team/v1/talk", served.host()));
    assert_eq!(pieces(&browser), seen, "as it came, so it stands");
}

/// A transcript with hostile text wherever a user or model supplies it.
fn hostile(folder: &Path, from: &str) {
    let tricks = format!(
        "{HOSTILE}\n<img src=x onerror=\"document.hacked=1\"> [a](javascript:document.hacked=1) \
         ![b](data:text/html,x) <svg onload=document.hacked=1> <script>document.hacked=1</script>"
    );
    let mut journal =
        Journal::create(Arc::new(RealFs), &folder.join("planning_transcript.jsonl")).unwrap();
    for line in json_lines(from) {
        let mut entry: Entry = serde_json::from_value(line).unwrap();
        match &mut entry.event {
            Event::UserInput { content, .. } => content.clone_from(&tricks),
            Event::CoachInitialJudgment { info: said, .. }
            | Event::Speaking { output: said, .. }
            | Event::ConsensusSummary { output: said, .. } => said.clone_from(&tricks),
            _ => {}
        }
        journal.add(&entry).unwrap();
    }
    journal.commit().unwrap();
}

#[test]
fn hostile_words_are_words() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let place = Place::new();
    std::fs::create_dir_all(place.outputs("v1")).unwrap();
    hostile(
        &place.outputs("v1"),
        &demo().text("v1/planning_transcript.jsonl"),
    );
    let served = Served::of(&place, &["v1"]);
    browser.enter(&served, "/v1/talk");
    for path in ["/v1/talk", "/v1", "/"] {
        browser.open(&format!("http://{}{path}", served.host()));
        // The list shows the report's title, which is not hostile here.
        let is_shown = "document.body.textContent.includes('<script>document.hacked=1</script>')";
        assert_eq!(browser.look(is_shown), path != "/", "{path}");
        assert_eq!(browser.look("document.hacked"), Value::Null, "{path}");
        let foreign = "document.querySelectorAll('script:not([src=\"/page.js\"], [src=\"/review.js\"]), img, svg:not(.diagram), iframe, \
            [onerror], [onload], a[href^=\"javascript\"], a[href^=\"data\"]').length";
        assert_eq!(browser.look(foreign), 0, "{path}");
    }
}

/// The accessibility checker, if installed; `AXE_CORE` is the path of its file.
fn axe() -> Option<String> {
    let Some(path) = std::env::var_os("AXE_CORE") else {
        eprintln!("skipped: AXE_CORE names no axe.min.js (npm install axe-core)");
        return None;
    };
    Some(std::fs::read_to_string(path).unwrap())
}

#[test]
fn every_view_fits_a_small_screen_and_names_what_can_be_pressed() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let axe = axe();
    let place = demo();
    let chat = place.outputs("chat/v1");
    std::fs::create_dir_all(&chat).unwrap();
    let party = include_str!("../../../fixtures/journals/party.jsonl");
    std::fs::write(chat.join("planning_transcript.jsonl"), party).unwrap();
    for format in ["team", "board"] {
        let flags = ["--questions", "assume", "--review-debate"];
        place
            .run(&[&[format, "Photos or text?"][..], &flags].concat())
            .ends(0);
    }
    let served = Served::of(&place, &["v2"]);
    browser.enter(&served, "/v2");
    let mut going = Going::demo();
    going.up_to("user_clarification_needed", 1);
    let live = Served::of(&going.place, &[]);
    browser.enter(&live, "/v1/talk");
    for (served, path) in [
        (&served, "/"),
        (&served, "/v2"),
        (&served, "/v2/talk"),
        (&served, "/compare/v1/v2"),
        (&served, "/team/v1"),
        (&served, "/team/v1/talk"),
        (&served, "/board/v1"),
        (&served, "/board/v1/talk"),
        (&served, "/chat/v1/talk"),
        (&live, "/v1/talk"),
        (&live, "/v1"),
    ] {
        browser.open(&format!("http://{}{path}", served.host()));
        for width in [360, 1280] {
            let size = json!({"cmd": "Emulation.setDeviceMetricsOverride", "params":
                {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false}});
            browser.tell("goog/cdp/execute", &size);
            browser.until(&format!("document.documentElement.scrollWidth <= {width}"));
        }
        let nameless = "[...document.querySelectorAll('a, button, textarea, input, progress, summary')]\
            .filter(one => !(one.textContent.trim() || one.labels?.length || one.ariaLabel \
            || one.getAttribute('aria-labelledby'))).map(one => one.outerHTML)";
        assert_eq!(browser.look(nameless), json!([]), "{path}");
        assert_eq!(
            browser.look("document.querySelectorAll('h1').length"),
            1,
            "{path}"
        );
        assert_eq!(
            browser.look("document.querySelectorAll('main').length"),
            1,
            "{path}"
        );
        let twice = "[...document.querySelectorAll('[id]')].map(one => one.id)\
            .filter((id, at, all) => all.indexOf(id) !== at)";
        assert_eq!(browser.look(twice), json!([]), "{path}");
        let nowhere = "[...document.querySelectorAll('a[href^=\"#\"]')].map(one => one.hash.slice(1))\
            .filter(id => !document.getElementById(id))";
        assert_eq!(browser.look(nowhere), json!([]), "{path}");
        if let Some(axe) = &axe {
            let found = browser.tell(
                "execute/async",
                &json!({"args": [], "script": format!(
                    "{axe}\nconst done = arguments[arguments.length - 1]; \
                     for (const one of document.querySelectorAll('details')) one.open = true; \
                     axe.run().then((told) => done(told.violations.map((one) => \
                     [one.impact, one.id, one.nodes[0].html])))"
                )}),
            );
            assert_eq!(found, json!([]), "{path}");
        }
    }
}
