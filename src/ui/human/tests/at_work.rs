//! Tests of lines that are typed while members speak.

use super::*;

/// A terminal at which a line is typed when the test says so.
struct Typist {
    lines: Arc<Mutex<std::sync::mpsc::Receiver<Line>>>,
    shown: Arc<Mutex<String>>,
    keys: std::sync::mpsc::Sender<Line>,
    /// Typed as soon as something is shown.
    quick: Arc<Mutex<Option<String>>>,
}

impl Terminal for Typist {
    fn show(&self, text: &str) -> std::io::Result<()> {
        self.shown.lock().unwrap().push_str(text);
        if let Some(line) = self.quick.lock().unwrap().take() {
            self.keys.send(answer(line)).unwrap();
            // Long enough for whoever reads the keys to have taken it.
            std::thread::sleep(Duration::from_millis(50));
        }
        Ok(())
    }

    fn reader(&self) -> Reader {
        let lines = Arc::clone(&self.lines);
        Box::new(move || Ok(lines.lock().unwrap().recv().ok()))
    }
}

/// A run that goes on in a folder, with somebody at its terminal.
struct AtWork {
    folder: tempfile::TempDir,
    /// Held by whoever waits for a key.
    lines: Arc<Mutex<std::sync::mpsc::Receiver<Line>>>,
    keys: std::sync::mpsc::Sender<Line>,
    shown: Arc<Mutex<String>>,
    quick: Arc<Mutex<Option<String>>>,
    human: Respondent,
}

impl AtWork {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (keys, lines) = std::sync::mpsc::channel();
        let lines = Arc::new(Mutex::new(lines));
        let shown = Arc::new(Mutex::new(String::new()));
        let quick = Arc::default();
        let terminal = Box::new(Typist {
            lines: Arc::clone(&lines),
            shown: Arc::clone(&shown),
            keys: keys.clone(),
            quick: Arc::clone(&quick),
        });
        let human = Respondent::at(terminal, Answers::default(), Vec::new(), samples::style());
        let redact: Redact = Arc::new(|text| text.replace("hunter2", "[secret]"));
        let inbox = Inbox::at(Arc::new(RealFs), folder.path());
        let mut work = Self {
            human: human.with_inbox(inbox, redact),
            folder,
            lines,
            keys,
            shown,
            quick,
        };
        assert_eq!(work.mail(), Mail::default(), "nothing was said yet");
        work
    }

    fn inbox(&self) -> Inbox {
        Inbox::at(Arc::new(RealFs), self.folder.path())
    }

    fn types(&self, line: &str) {
        let (text, to) = (line.to_owned(), For::Run);
        self.keys.send(Line { text, to }).unwrap();
    }

    fn mail(&mut self) -> Mail {
        self.human.mail(&samples::state()).unwrap()
    }

    fn waits_until(what: &str, is_so: impl Fn() -> bool) {
        for _ in 0..6000 {
            if is_so() {
                return;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        panic!("{what} never came");
    }

    fn is_shown(&self, part: &str) {
        Self::waits_until(part, || self.shown.lock().unwrap().contains(part));
    }
}

#[test]
fn a_line_typed_the_moment_the_question_is_seen_is_its_answer() {
    for (line, answer) in [
        ("", AnswerSource::Recommended),
        ("ten", AnswerSource::Terminal),
    ] {
        let mut work = AtWork::new();
        work.human = work.human.with_patience(Duration::from_secs(1));
        *work.quick.lock().unwrap() = Some(line.to_owned());
        assert_eq!(ask(&mut work.human)[0].2, answer, "{line:?}");
        assert_eq!(work.inbox().waiting().unwrap().len(), 0, "{line:?}");
    }
}

#[test]
fn a_typed_line_is_on_disk_at_once_and_taken_once_by_whoever_goes_on() {
    let mut work = AtWork::new();
    work.types("No app, and not hunter2");
    work.types("E");
    AtWork::waits_until("two messages", || {
        work.inbox().waiting().unwrap().len() == 2
    });
    // The process dies here; another one goes on with what lies there.
    let redact: Redact = Arc::new(str::to_owned);
    let mut next = Respondent::absent(Answers::default(), Vec::new(), samples::style())
        .with_inbox(work.inbox(), redact);
    let mut state = samples::state();
    let said = next.mail(&state).unwrap().said;
    let told: Vec<_> = said.iter().map(|one| (one.intent, &*one.content)).collect();
    assert_eq!(
        told,
        [
            (Intent::Say, "No app, and not [secret]"),
            (Intent::Stop, "E")
        ]
    );
    assert!(said.iter().all(|one| one.channel == Channel::Terminal));
    assert_eq!(work.mail().said, said, "this process would take the same");
    state
        .messages
        .extend(said.iter().filter_map(|one| one.message.clone()));
    assert_eq!(
        next.mail(&state).unwrap(),
        Mail::default(),
        "once on record"
    );
    assert!(work.inbox().waiting().unwrap().is_empty());
}

#[test]
fn one_line_too_many_is_told_at_once_and_an_end_still_finds_a_place() {
    let mut work = AtWork::new();
    for _ in 0..CAPACITY {
        let text = "more".to_owned();
        work.inbox().send(MessageBody::Say { text }).unwrap();
    }
    work.types("one more");
    work.is_shown("64 messages wait already");
    work.types("/stop");
    AtWork::waits_until("the end", || {
        work.inbox().waiting().unwrap().len() == CAPACITY + 1
    });
    assert_eq!(work.mail().said.last().unwrap().intent, Intent::Stop);
}

#[test]
fn what_is_looked_up_or_mistyped_is_no_message() {
    let mut work = AtWork::new();
    work.types("/help");
    work.is_shown("[E] end now");
    work.types("/stpo");
    work.is_shown("`/stpo` is no command");
    work.types("/show report");
    work.is_shown("in another terminal, or in a chat once the run has ended: aitc show report");
    work.types("/status");
    work.types("words");
    AtWork::waits_until("the words", || work.inbox().waiting().unwrap().len() == 1);
    let mail = work.mail();
    assert_eq!((mail.said.len(), mail.notices.len()), (1, 1), "{mail:?}");
    assert!(work.mail().notices.is_empty(), "told once");
}

#[test]
fn what_comes_after_the_end_is_told_and_not_kept() {
    let mut work = AtWork::new();
    work.human.closes();
    work.types("And one more thing");
    work.is_shown("not taken in, since the run has ended: And one more thing");
    assert!(work.inbox().waiting().unwrap().is_empty());
}

#[test]
fn a_line_that_comes_when_its_question_is_gone_is_for_nobody() {
    let mut work = AtWork::new();
    let ear = work.human.ear.clone().unwrap();
    AtWork::waits_until("who reads", || work.lines.try_lock().is_err());
    ear.hold();
    work.keys.send(answer("for Q-1".to_owned())).unwrap();
    AtWork::waits_until("the line", || ear.take_back().as_deref() == Some("for Q-1"));
    assert_eq!(work.mail(), Mail::default());
    work.types("for the run");
    AtWork::waits_until("the words", || work.inbox().waiting().unwrap().len() == 1);
    assert_eq!(work.mail().said[0].content, "for the run");
}
