//! Meetings played in memory: a page says what members answer, and shows what the machine makes of
//! it.
//!
//! A `play` block is a script and what is asked of the result. A line `# NAME` starts a case with
//! the lines before the first one. Everybody gives the usual answers ([`agreeable`]) except where a
//! line says otherwise, of several about a call the last one:
//!
//! | line | what it does |
//! | --- | --- |
//! | `set limits.max_rounds = 2` | changes a field of the inputs, as in line 1 of a transcript |
//! | `agrees 2` | the usual answers settle everything in this round; otherwise in round 1 |
//! | `wants two things` | the requirement; without it a revision keeps the one before |
//! | `quiet` | there are three needs, and nobody takes a position or settles anything |
//! | `team` | a team that works on four phases |
//! | `nudges Go on.` | the text of nudges; without one nobody is nudged |
//! | `divided` | PP and SD object to each other on I-1 in round 1 and agree from round 2 on |
//! | `files zh` | files are written, in this language |
//! | `survey {"files": 0}` | there is a repository to look in, with these fields of its survey |
//! | `trials a tree` | trials are run, in a tree of this name |
//! | `file src/a.py {"tests": ["tests/a.py"]}` | a file of the repository, with what is found about it, as in [`Found`]; with one, the check of the plan sees these files and no others |
//! | `SD r1 l0: I-1 object =x >PP; asks Who?` | what a call answers: words of its id or a member's code, by themselves for a speech; then parts as in [`part`] or, for an amendment, [`amended`], the whole reply in quotes, or `fails refused`, as a call may fail |
//! | `before SD r1: /stop` | what the user sends before this call; or what happens then, as in [`happens`] |
//! | `after 1: /stop` | what the user sends between round 1 and the next one; before the first, `after 0` |
//! | `once clarification_relayed: /stop` | what the user sends as soon as an event of this phase is recorded |
//! | `decides more 2` | the user's decision when asked whether the discussion ends: `yes`, `no`, so many more, or words; without one nobody decides |
//! | `answer terminal yes` | the user's next answer; without one the recommendation is assumed |
//! | `revise Use tabs.` | publishes, and goes on with a revision with this feedback, whose script begins here |
//! | `as traces: the good plan` | the lines of a case of a page |
//! | `beside` | publishes, and begins an unrelated plan, which is compared with the first |
//! | `also set light = true` | plays a case once more with this line, which must change nothing |
//! | `$ calls speech SD` | prints something of the result, as in [`shown`] |
//! | `$ cut guard_fired` | interrupts the case before each line from the first such event on: the same must come of it |
//!
//! Of several parts alike `70× raises minor need #` stands for them all, with a number in place of `#`.
//!
//! Every meeting is replayed from its events, which must give the same state, every line of a script
//! is used, and what is published has all its documents.
//!
//! `AITC_BLESS=1` writes what is printed into the pages.

pub mod moments;

use std::cell::Cell;
use std::collections::{BTreeMap, VecDeque};

use serde::Deserialize;
use serde_json::{Value, json};
use workshop::check::{Diff, FileFacts, SymbolFacts, Trace, TraceNode};
use workshop::machine::*;
use workshop::reply::*;

use super::amending::{amendment, found, reworded, verdicts};
use super::blocks::blocks;
use super::meeting::*;
use super::search::{claiming, reading, survey};
use super::trial::trying;
use super::{checked, divided, phases, project, states};

/// Answers a query that the machine does not, such as what a terminal shows.
pub type More = fn(&Meeting, &str) -> Option<Vec<String>>;

/// A test for each page of a folder, so that they are played side by side.
macro_rules! pages {
    ($folder:literal, $more:expr; $($name:ident)*) => {
        $(#[test]
        fn $name() {
            $crate::support::played::plays_as_it_says($folder, stringify!($name), $more);
        })*

        #[test]
        fn every_page_is_played() {
            $crate::support::played::are_all($folder, &[$(stringify!($name)),*]);
        }
    };
}
pub(crate) use pages;

/// The folder of the pages about the machine.
const RULES: &str = "crates/workshop/tests/played";

/// Asserts that these are the pages of a folder.
pub fn are_all(folder: &str, pages: &[&str]) {
    let files = std::fs::read_dir(project(folder)).unwrap();
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.collect();
    names.sort();
    let pages = pages.iter().map(|page| format!("{page}.md"));
    assert_eq!(names, pages.collect::<Vec<_>>());
}

pub fn plays_as_it_says(folder: &str, name: &str, more: More) {
    let path = project(folder).join(format!("{name}.md"));
    let page = std::fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = page.lines().collect();
    let (mut played, mut copied) = (String::new(), 0);
    let plays = blocks(&lines).into_iter().filter(|it| it.info == "play");
    for block in plays {
        played += &(lines[copied..block.lines.start].join("\n") + "\n");
        played += &cases(&lines[block.lines.clone()], more);
        copied = block.lines.end;
    }
    played += &(lines[copied..].join("\n") + "\n");
    if played != page && std::env::var_os("AITC_BLESS").is_some() {
        std::fs::write(&path, &played).unwrap();
        return;
    }
    let mut pairs = page.lines().zip(played.lines());
    if let Some((expected, found)) = pairs.find(|(expected, found)| expected != found) {
        panic!("{name}.md\n  is on the page: {expected}\n  was printed:    {found}");
    }
    assert_eq!(played, page);
}

/// The lines that all cases of a block share, and those of the cases.
fn split<'a, 'l>(lines: &'a [&'l str]) -> (&'a [&'l str], impl Iterator<Item = &'a [&'l str]>) {
    let shared = lines.iter().position(|line| line.starts_with("# "));
    let (shared, own) = lines.split_at(shared.unwrap_or(0));
    (shared, own.chunk_by(|_, next| !next.starts_with("# ")))
}

/// The meeting of a case of a page.
#[track_caller]
pub fn case(page: &str, name: &str) -> Meeting {
    play(script(page, name).iter().map(String::as_str))
}

/// The script of a case of a page.
#[track_caller]
pub fn script(page: &str, name: &str) -> Vec<String> {
    let path = project(RULES).join(format!("{page}.md"));
    let page = std::fs::read_to_string(path).unwrap();
    let lines: Vec<&str> = page.lines().collect();
    for block in blocks(&lines).into_iter().filter(|it| it.info == "play") {
        let (shared, mut cases) = split(&lines[block.lines]);
        if let Some(case) = cases.find(|case| case[0].strip_prefix("# ") == Some(name)) {
            let script = case.iter().take_while(|line| !line.starts_with("$ "));
            return shared
                .iter()
                .chain(script)
                .map(|it| (*it).to_owned())
                .collect();
        }
    }
    panic!("no case `{name}`");
}

/// The lines of a block with what was printed.
fn cases(lines: &[&str], more: More) -> String {
    let (shared, cases) = split(lines);
    let shared_lines = shared.iter().map(|line| format!("{line}\n"));
    let mut played: String = shared_lines.collect();
    let mut never = shared.to_vec();
    for (n, case) in cases.enumerate() {
        if n > 0 {
            played.push('\n');
        }
        let asked = case.iter().position(|line| line.starts_with("$ "));
        let (script, rest) = case.split_at(asked.expect("something is asked"));
        let whole: Vec<&str> = shared.iter().chain(script).copied().collect();
        let meeting = play(whole.iter().copied());
        // Lines that several cases share are used by one of them.
        let unused = |line: &&str| meeting.unused.iter().any(|it| it == line);
        let of_case: Vec<&&str> = script.iter().filter(|line| unused(line)).collect();
        assert!(of_case.is_empty(), "{}: never used: {of_case:#?}", case[0]);
        never.retain(unused);
        let also = whole.iter().filter_map(|line| line.strip_prefix("also "));
        let also: Vec<Meeting> = also
            .map(|line| play(whole.iter().copied().chain([line])))
            .collect();
        played.extend(script.iter().map(|line| format!("{line}\n")));
        for query in rest.iter().filter_map(|line| line.strip_prefix("$ ")) {
            played += &format!("$ {query}\n");
            if let Some(from) = query.strip_prefix("cut ") {
                played += &format!("{}\n", cut(&whole, &meeting, from));
                continue;
            }
            let told = shown(&meeting, query, more);
            for other in &also {
                assert_eq!(shown(other, query, more), told, "{whole:#?}");
            }
            played.extend(told.iter().map(|line| format!("{line}\n")));
        }
    }
    assert!(never.is_empty(), "never used: {never:#?}");
    played
}

/// Interrupts a case before each line from the first event of a phase on.
fn cut(script: &[&str], whole: &Meeting, phase: &str) -> String {
    let is_first = |entry: &Entry| phase_of(entry) == phase;
    let first = whole.entries.iter().position(is_first).expect(phase);
    let result = |state: &State| {
        let State {
            ledger,
            draft,
            debates,
            documents,
            review,
            team,
            ..
        } = state.clone();
        (ledger, draft, debates, documents, review, team)
    };
    let cuts = first..whole.entries.len() - 1;
    for cut in cuts.clone() {
        let again = play_on(script.iter().copied(), &whole.entries[..cut], None);
        let same = result(&again.state) == result(&whole.state);
        assert!(same, "{script:#?}, cut before {:?}", whole.entries[cut]);
        assert_eq!(again.state.ending.stop, whole.state.ending.stop);
    }
    format!("the same, cut off before each of {} lines", cuts.len())
}

/// Answers every call.
type Answers = Box<dyn FnMut(&State, &CallId) -> String>;

/// A line of a script about calls or a moment.
struct Line {
    /// The words that name the call or the moment.
    when: Vec<String>,
    text: String,
    whole: String,
    is_used: Cell<bool>,
}

impl Line {
    fn of(whole: &str, from: &str) -> Self {
        let (when, text) = from.split_once(": ").expect(whole);
        Self {
            when: when.split(' ').map(str::to_owned).collect(),
            text: text.to_owned(),
            whole: whole.to_owned(),
            is_used: Cell::default(),
        }
    }
}

/// What is found about a file of the repository, each symbol by its name.
#[derive(Deserialize, Default)]
#[serde(default, deny_unknown_fields)]
struct Found {
    /// Its tests.
    tests: Vec<String>,
    /// Symbols that it defines, with the other files that call them.
    symbols: BTreeMap<String, Vec<String>>,
}

/// What is found about the files that a design names.
fn facts_of(files: BTreeMap<String, Found>) -> FactsOf {
    Box::new(move |impacts| {
        let symbol = |path: &str, name: &str| {
            let defining = files
                .iter()
                .find(|(_, file)| file.symbols.contains_key(name));
            let own = files.get(path).and_then(|file| file.symbols.get(name));
            SymbolFacts {
                is_named: Some(own.is_some()),
                defined: defining.map(|(path, _)| format!("{path}:1")),
                callers: own.cloned().unwrap_or_default(),
            }
        };
        let facts = impacts.iter().map(|impact| FileFacts {
            is_there: files.contains_key(&impact.path),
            is_taken: impact.to.as_ref().is_some_and(|to| files.contains_key(to)),
            symbols: impact
                .symbols
                .iter()
                .map(|one| symbol(&impact.path, &one.name))
                .collect(),
            tests: files
                .get(&impact.path)
                .map_or(Vec::new(), |file| file.tests.clone()),
        });
        facts.collect()
    })
}

/// What happens in a meeting.
#[derive(Default)]
struct Course {
    inputs: Value,
    requirement: Option<String>,
    settle_in: Option<u32>,
    is_divided: bool,
    survey: Option<Survey>,
    /// The name of the tree in which trials are run.
    trials: Option<String>,
    /// Files of the repository.
    files: BTreeMap<String, Found>,
    /// The repository that the plan is compared with, instead of one of these files.
    facts: Option<FactsOf>,
    /// Replies.
    said: Vec<Line>,
    /// What the user sends.
    sent: Vec<Line>,
    answers: VecDeque<(AnswerSource, String)>,
    /// What the user decides about the end.
    decisions: VecDeque<String>,
}

/// Plays a script to its end.
pub fn play<'a>(script: impl IntoIterator<Item = &'a str>) -> Meeting {
    play_on(script, &[], None)
}

/// Plays a script whose plan is compared with this repository, instead of the files that it names.
pub fn play_in<'a>(script: impl IntoIterator<Item = &'a str>, facts: FactsOf) -> Meeting {
    play_on(script, &[], Some(facts))
}

/// Plays a script to its end in another process than the one that recorded these entries of the
/// last version.
fn play_on<'a>(
    script: impl IntoIterator<Item = &'a str>,
    begun: &[Entry],
    facts: Option<FactsOf>,
) -> Meeting {
    let usual = || Course {
        inputs: serde_json::to_value(inputs()).unwrap(),
        settle_in: Some(1),
        ..Course::default()
    };
    let (mut course, mut feedback, mut first) = (usual(), String::new(), None);
    let (mut unused, mut is_revision) = (Vec::new(), false);
    let lines = script
        .into_iter()
        .flat_map(|line| match line.strip_prefix("as ") {
            Some(case) => {
                let (page, name) = case.split_once(": ").expect(line);
                self::script(page, name)
            }
            None => vec![line.to_owned()],
        });
    for line in lines.filter(|line| !line.is_empty()) {
        let line = line.as_str();
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "set" => {
                let (path, value) = rest.split_once(" = ").unwrap();
                let value: Value = serde_json::from_str(value).unwrap_or_else(|_| value.into());
                if let Some(name) = path.strip_prefix("templates.") {
                    let text = value.as_str().expect(line).replace("\\n", "\n");
                    course.inputs["templates"][name] = text.into();
                    continue;
                }
                let path = format!("/{}", path.replace('.', "/"));
                match course.inputs.pointer_mut(&path) {
                    Some(field) => *field = value,
                    None => {
                        let (above, name) = path.rsplit_once('/').unwrap();
                        course.inputs.pointer_mut(above).expect(line)[name] = value;
                    }
                }
            }
            "agrees" => course.settle_in = Some(rest.parse().unwrap()),
            // A case's name, and what it is played with another time.
            "#" | "also" => {}
            "wants" => course.requirement = Some(rest.to_owned()),
            "quiet" => course.settle_in = None,
            "nudges" => course.inputs["templates"][diligence::TEXT] = rest.into(),
            "team" => course.inputs["format"] = "team".into(),
            "divided" => course.is_divided = true,
            "survey" => {
                let mut found = json!(survey());
                merge(&mut found, serde_json::from_str(rest).unwrap_or(json!({})));
                course.survey = Some(serde_json::from_value(found).unwrap());
            }
            "files" => {
                let lang: Lang = serde_json::from_value(rest.into()).unwrap();
                course.inputs["doc_lang"] = rest.into();
                course.inputs["templates"] = json!(states::templates(lang));
            }
            "trials" => {
                course.inputs["trials"] = true.into();
                course.trials = Some(rest.to_owned());
            }
            "file" => {
                let (path, found) = rest.split_once(' ').unwrap_or((rest, "{}"));
                let found = serde_json::from_str(found).expect(line);
                course.files.insert(path.to_owned(), found);
            }
            "answer" => {
                let (source, text) = rest.split_once(' ').unwrap_or((rest, ""));
                let source = serde_json::from_value(source.into()).unwrap();
                course.answers.push_back((source, text.to_owned()));
            }
            "revise" | "beside" => {
                let before = std::mem::replace(&mut course, usual());
                let before = before.held(first.take(), is_revision, &feedback, &[]);
                unused.extend(before.unused);
                is_revision = word == "revise";
                (first, feedback) = (Some(before.state), rest.replace("\\n", "\n"));
            }
            "before" => course.sent.push(Line::of(line, rest)),
            "after" | "once" => course.sent.push(Line::of(line, line)),
            "decides" => course.decisions.push_back(rest.to_owned()),
            _ => course.said.push(Line::of(line, line)),
        }
    }
    course.facts = facts;
    let mut meeting = course.held(first, is_revision, &feedback, begun);
    meeting.unused.extend(unused);
    meeting
}

/// What the user sends, or what happens of itself: each event from here on takes so many
/// milliseconds (`takes 1800000`), the user sends something before a question is put (`unasked
/// /stop`), there is no room for another call of the discussion
/// (`out of tokens`), of the review (`no room for a review`), or for that of a document or the
/// report (`written without a model`), another
/// process goes on (`taken up again`), or trials find another tree.
fn happens(meeting: &mut Meeting, text: &str) {
    match text.split_once(' ') {
        Some(("takes", ms)) => meeting.step_ms = ms.parse().unwrap(),
        Some(("out", "of tokens")) => meeting.record(budget_fires(&meeting.state)),
        Some(("no", "room for a review")) => {
            let closed =
                review::ReviewClosed::of(&meeting.state, Some(review::NoReviewReason::Budget));
            meeting.record(Event::ReviewClosed(closed));
        }
        Some(("written", "without a model")) => {
            let state = &meeting.state;
            let event = match call_due(state).purpose {
                Purpose::Document(kind) => {
                    let content = workshop::artifact::fallback_document(state, kind);
                    let (content, notes) = normalize_document(state, content);
                    Event::Document {
                        receipt: None,
                        kind,
                        content,
                        carried: None,
                        evidence: Vec::new(),
                        accounts: Vec::new(),
                        notes,
                    }
                }
                _ => Event::Report {
                    receipt: None,
                    words: workshop::artifact::fallback_report(state),
                    notes: Vec::new(),
                },
            };
            meeting.record(event);
        }
        Some(("unasked", text)) => {
            let intent = intervention::read(text, &meeting.state.inputs).unwrap();
            let (state, text) = (&meeting.state, text.to_owned());
            let channel = Channel::Message;
            meeting.record(intervention::unasked(state, intent, text, channel, None));
        }
        Some(("taken", "up again")) => meeting.record(resumed()),
        Some(("tree", name)) => meeting.trials = Ok(name.to_owned()),
        _ => meeting.says(text),
    }
}

/// Every field that was set is one of the inputs; unset ones need not be written.
#[track_caller]
fn holds(inputs: &Value, set: &Value, path: &str) {
    let unset = [json!(null), json!(false), json!([]), json!({})];
    for (name, value) in set.as_object().into_iter().flatten() {
        match inputs.get(name) {
            Some(found) => holds(found, value, name),
            None => assert!(unset.contains(value), "there is no field {path}.{name}"),
        }
    }
}

impl Course {
    fn held(
        mut self,
        first: Option<State>,
        is_revision: bool,
        feedback: &str,
        begun: &[Entry],
    ) -> Meeting {
        let inputs: Inputs = serde_json::from_value(self.inputs.clone()).unwrap();
        holds(&json!(inputs), &self.inputs, "");
        let format = inputs.format;
        let wanted = self.requirement.as_deref();
        let mut meeting = match &first {
            Some(first) if is_revision => revision(first, inputs, wanted, feedback),
            beside => {
                let mut meeting = Meeting::open(wanted.unwrap_or("two things"), inputs);
                let mut event = meeting.entries.remove(0).event;
                if let Event::UserInput { run_id, .. } = &mut event
                    && beside.is_some()
                {
                    *run_id = "another".to_owned();
                }
                Meeting::open_with(event)
            }
        };
        meeting.before = first.map(Box::new);
        if let Some(found) = self.survey.take() {
            meeting.survey = found;
        }
        if let Some(tree) = self.trials.take() {
            meeting.trials = Ok(tree);
        }
        let files = std::mem::take(&mut self.files);
        let own = || (!files.is_empty()).then(|| facts_of(files));
        meeting.facts = self.facts.take().or_else(own);
        if !begun.is_empty() {
            self.is_taken_up(&mut meeting, &begun[1..]);
        }
        let mut usual: Answers = match format {
            Format::Team => Box::new(phases::answer),
            _ if self.is_divided => Box::new(divided::usual()),
            _ => Box::new(agreeable(self.settle_in.unwrap_or(1))),
        };
        loop {
            let due = calls_due(&meeting.state);
            let is_now = |line: &Line| match &line.when[..] {
                [after, round] if after == "after" => {
                    meeting.state.stage == Stage::Between
                        && meeting.state.round.to_string() == *round
                }
                [once, phase] if once == "once" => {
                    let mut phases = meeting.entries.iter().map(phase_of);
                    phases.any(|it| it == *phase)
                }
                when => due.iter().any(|call| is_meant(&meeting.state, call, when)),
            };
            if let Some(at) = self.sent.iter().position(is_now) {
                happens(&mut meeting, &self.sent.remove(at).text);
                continue;
            }
            let failing = due.iter().find_map(|call| {
                let kind = self.said_to(&meeting.state, call)?.strip_prefix("fails ")?;
                Some((call, kind))
            });
            if let Some((call, kind)) = failing {
                let kind = serde_json::from_value(kind.into()).unwrap();
                meeting.record(started(call));
                meeting.record(failed(call, kind, false));
                continue;
            }
            let end = match next_actions(&meeting.state)[..] {
                [Action::AskEnd(guard)] => Some(guard),
                _ => None,
            };
            if let Some(guard) = end
                && let Some(words) = self.decisions.pop_front()
            {
                let by =
                    |confirmed, granted| decision(guard, confirmed, DecidedBy::Terminal, granted);
                match words.split_once(' ') {
                    Some(("more", granted)) => meeting.record(by(false, granted.parse().unwrap())),
                    _ if words == "yes" => meeting.record(by(true, 0)),
                    _ if words == "no" => meeting.record(by(false, 0)),
                    _ => meeting.says(&words),
                }
                continue;
            }
            let asks = matches!(next_actions(&meeting.state)[..], [Action::AskUser(_)]);
            if asks && let Some((source, text)) = self.answers.pop_front() {
                meeting.answers(&text, source);
                continue;
            }
            let mut script = |state: &State, call: &CallId| {
                let usual = self.usual(usual(state, call), state, call);
                match self.said_to(state, call) {
                    None => usual,
                    Some(text) => match text.strip_prefix('"') {
                        Some(whole) => whole.trim_end_matches('"').to_owned(),
                        None if amends(state, call) => amended(state, call, text),
                        None => answered(state, call, &usual, text),
                    },
                }
            };
            if !meeting.step(&mut script) {
                let again = meeting.replayed(meeting.entries.len());
                assert!(again == meeting.state, "a replay gives another state");
                reasons_are_known(&meeting);
                if meeting.state.stage == Stage::Published {
                    let written = &meeting.state.documents.written;
                    let kinds = meeting.state.document_kinds();
                    assert!(kinds.iter().all(|kind| written.contains_key(kind)));
                }
                let answers = self.answers.iter().map(|(source, text)| {
                    let source = json!(source);
                    format!("answer {} {text}", source.as_str().unwrap())
                });
                meeting
                    .unused
                    .extend(answers.map(|line| line.trim_end().to_owned()));
                let decisions = self.decisions.iter();
                meeting
                    .unused
                    .extend(decisions.map(|words| format!("decides {words}")));
                let lines = self.said.into_iter().chain(self.sent);
                let unused = lines.filter(|line| !line.is_used.get());
                meeting.unused.extend(unused.map(|line| line.whole));
                return meeting;
            }
            assert!(meeting.entries.len() < 100_000, "the machine never ends");
        }
    }

    /// Another process goes on after these entries. What the user sent by then is not sent again.
    fn is_taken_up(&mut self, meeting: &mut Meeting, begun: &[Entry]) {
        for entry in begun {
            meeting.record(entry.event.clone());
        }
        let is_idle = meeting.state.calls.open.is_empty();
        let due = next_actions(&meeting.state);
        meeting.record(resumed());
        if is_idle && meeting.state.calls.troubled.is_empty() {
            assert_eq!(next_actions(&meeting.state), due, "{:?}", begun.last());
        }
        let sent = meeting.events().filter_map(|event| match event {
            Event::UserIntervention { content, .. } => Some(content),
            _ => None,
        });
        let sent: Vec<&String> = sent.collect();
        self.sent.retain(|line| !sent.contains(&&line.text));
    }

    /// What a script says to this call.
    fn said_to(&self, state: &State, call: &CallId) -> Option<&str> {
        let mut said = self.said.iter().rev();
        let line = said.find(|line| is_meant(state, call, &line.when))?;
        line.is_used.set(true);
        Some(&line.text)
    }

    fn usual(&self, usual: String, state: &State, call: &CallId) -> String {
        if amends(state, call) {
            return amended(state, call, "");
        }
        if call.purpose == Purpose::Verdict {
            return verdicts(state, call, false);
        }
        if self.settle_in.is_some() {
            return usual;
        }
        match call.purpose {
            Purpose::Judgment => text(&Contribution {
                new_issues: ["a", "b", "c"]
                    .map(|key| new_issue(key, &format!("need {key}"), IssueSeverity::Blocking))
                    .to_vec(),
                ..contribution("Three needs.")
            }),
            Purpose::Speech => text(&contribution("Mine.")),
            Purpose::Summary => text(&coach(Vec::new())),
            Purpose::Debate(DebatePart::Ruling) => text(&ruling(Decision::Adopt, "x")),
            Purpose::Debate(_) => text(&contribution("As I said.")),
            _ => usual,
        }
    }
}

/// Reasons of the program are recorded in English, and each has its Chinese.
fn reasons_are_known(meeting: &Meeting) {
    let reasons = meeting.events().flat_map(|event| match event {
        Event::EndDecision {
            by: DecidedBy::Settings | DecidedBy::Unattended,
            reason,
            ..
        } => vec![reason],
        Event::EndProposal { reason, .. } => vec![reason],
        Event::ConsensusSummary { refused, .. } => refused.iter().map(|one| &one.detail).collect(),
        _ => Vec::new(),
    });
    // A member that is cited as nothing but backticks hides the sentence about it.
    for reason in reasons.filter(|it| !it.is_empty() && !it.contains("``")) {
        let is_known = workshop::fault::recorded::is_known(reason);
        assert!(is_known, "no Chinese for `{reason}`");
    }
}

/// The next version after `first`, with this feedback; a line `Q-1: 20,000` answers a question.
fn revision(first: &State, inputs: Inputs, wanted: Option<&str>, feedback: &str) -> Meeting {
    let mut previous = PreviousVersion::of(first, "head");
    for (id, answer) in feedback.lines().filter_map(|line| line.split_once(": ")) {
        if let Ok(id) = id.parse() {
            previous.answer(id, AnswerSource::Feedback, answer);
        }
    }
    let requirement = wanted.unwrap_or(&first.task.requirement);
    let mut feedback = split_feedback(feedback, &previous.counters);
    feedback.extend(previous.requirement_change(requirement, &feedback, Lang::En));
    Meeting::open_with(Event::UserInput {
        content: requirement.to_owned(),
        run_id: "2".to_owned(),
        inputs: Box::new(Inputs {
            version: first.inputs.version + 1,
            ..inputs
        }),
        from: Some(Box::new(previous)),
        feedback,
    })
}

/// Whether a line of a script is about this call: without the name of a purpose or the scope of a
/// question, debate or phase, a speech is meant.
fn is_meant(state: &State, call: &CallId, words: &[String]) -> bool {
    let is_purpose = |word: &String| {
        let is_name = word.len() > 2 && word.chars().all(|c| c.is_lowercase() || c == '_');
        is_name
            || ["Q-", "D-", "P-"]
                .iter()
                .any(|scope| word.starts_with(scope))
    };
    let is_speech = call.purpose == Purpose::Speech;
    (is_speech || words.iter().any(is_purpose)) && is_it(state, call, words)
}

/// The phase of an entry, such as `speaking`.
fn phase_of(entry: &Entry) -> String {
    let entry = json!(entry);
    entry["phase"].as_str().unwrap().to_owned()
}

/// Whether each word is part of the call's id or its member's code; `l0` stands for a call before
/// any look.
fn is_it(state: &State, call: &CallId, words: &[String]) -> bool {
    let id = call.to_string();
    words.iter().all(|word| {
        id.split('/').any(|part| part == word)
            || state.inputs.roles.code(&call.member) == word
            || (word == "l0" && call.look == 0)
    })
}

/// The usual answer with these parts in place of those of the same kind or on the same issue.
fn answered(state: &State, call: &CallId, usual: &str, parts: &str) -> String {
    let mut said: Value = serde_json::from_str(usual).unwrap();
    let (mut replaced, mut omitted) = (Vec::new(), Vec::new());
    let repeated = parts.split("; ").flat_map(|one| {
        let times = one.split_once("× ");
        match times.and_then(|(times, one)| Some((times.parse::<usize>().ok()?, one))) {
            Some((times, one)) => (0..times)
                .map(|n| one.replace('#', &n.to_string()))
                .collect(),
            None => vec![one.to_owned()],
        }
    });
    for one in repeated {
        let (word, rest) = one.split_once(' ').unwrap_or((&one, ""));
        let (list, one) = match word {
            "none" => {
                said["positions"] = json!([]);
                continue;
            }
            "says" => {
                let n = (call.round * 100 + call.turn).to_string();
                let code = state.inputs.roles.code(&call.member);
                let words = rest.replace("{n}", &n).replace("{code}", code);
                said["analysis"] = words.replace("\\n", "\n").into();
                continue;
            }
            // The document of the version before.
            "again" => {
                let Purpose::Document(kind) = call.purpose else {
                    panic!("{call} writes no document");
                };
                let before = &state.task.previous.as_ref().unwrap().documents[&kind];
                said = json!(before);
                said.as_object_mut().unwrap().remove("document");
                continue;
            }
            "forgets" | "leaves" => {
                let (id, why) = rest.split_once(' ').unzip();
                omitted.push((id.unwrap_or(rest).to_owned(), why.map(str::to_owned)));
                continue;
            }
            "adds" => {
                let (place, fields) = rest.split_once(' ').unwrap();
                let mut item = said[place][0].clone();
                merge(&mut item, serde_json::from_str(fields).expect(fields));
                said[place].as_array_mut().unwrap().push(item);
                continue;
            }
            "puts" => {
                let (place, value) = rest.split_once(' ').unwrap();
                let value = serde_json::from_str(value).expect(value);
                *said.pointer_mut(place).expect(place) = value;
                continue;
            }
            "divides" => {
                let (about, sides) = rest.split_once(' ').unwrap();
                let sides: Vec<&str> = sides.split(' ').collect();
                let found = json!(divergence(about, "Whose text?", &sides));
                merge(&mut said, json!({"coach": {"divergence": found}}));
                continue;
            }
            "with" => {
                let fields: Value = serde_json::from_str(rest).expect(rest);
                merge(&mut said, fields);
                continue;
            }
            "upholds" => {
                let verdicts = said["verdicts"].as_array_mut().unwrap();
                verdicts
                    .iter_mut()
                    .for_each(|one| one["upholds"] = true.into());
                continue;
            }
            _ => part(call, word, rest),
        };
        if said["coach"].is_null() && list.starts_with("/coach") {
            said["coach"] = serde_json::to_value(CoachPart::default()).unwrap();
        }
        if said.pointer(list).is_none_or(Value::is_null) {
            let (above, name) = list.rsplit_once('/').unwrap();
            said.pointer_mut(above).unwrap()[name] = json!([]);
        }
        let list = said.pointer_mut(list).unwrap().as_array_mut().unwrap();
        if one["issue"].is_string() && !replaced.contains(&one["issue"]) {
            list.retain(|it| it["issue"] != one["issue"]);
            replaced.push(one["issue"].clone());
        }
        list.push(one);
    }
    match call.purpose {
        Purpose::Document(kind) if !omitted.is_empty() => {
            let all = accounted(said.to_string(), due_of(state, kind));
            let mut written: Value = serde_json::from_str(&all).unwrap();
            let accounts = written["accounts"].as_array_mut().unwrap();
            for (id, why) in omitted {
                accounts.retain(|one| one["id"] != *id);
                let left =
                    |why: String| json!({"id": id, "used_in": null, "left_out_because": why});
                accounts.extend(why.map(left));
            }
            written.to_string()
        }
        _ => said.to_string(),
    }
}

/// Whether a call amends a document or a team's synthesis; the opening of a plan may only be
/// written anew.
fn amends(state: &State, call: &CallId) -> bool {
    let is_opening = call.purpose == Purpose::Report && state.inputs.format != Format::Team;
    call.amends() && !is_opening
}

/// An amendment: everything is mended by a few words, unless the parts say otherwise.
///
/// | part | what it does |
/// | --- | --- |
/// | `declines FI-1 FI-2` | these findings are declined, or all where none is named |
/// | `same` | the document stays as it was |
/// | `silent` | no finding is answered |
/// | `read a.rs 1` | this is looked at first |
/// | `adds criteria {"then": "x"}` | a copy of the first item of a list, with a new key and these fields |
/// | `names src/a.py modify` | a changed file, as in [`impact`]; the first takes the place of all |
/// | `puts /work/0/covers ["AC-2"]` | another value in the document |
fn amended(state: &State, call: &CallId, parts: &str) -> String {
    let parts = parts
        .split("; ")
        .map(|one| one.split_once(' ').unwrap_or((one, "")));
    let parts: Vec<(&str, &str)> = parts.collect();
    if let [("read", words)] = parts[..] {
        let (path, line) = words.split_once(' ').unwrap();
        return text(&Contribution {
            looks: vec![reading(path, line.parse().unwrap())],
            ..contribution("I look first.")
        });
    }
    let declined = parts.iter().find(|(word, _)| *word == "declines");
    let is_mended = |id: &str| match declined {
        None => true,
        Some((_, "")) => false,
        Some((_, ids)) => !ids.split(' ').any(|one| one == id),
    };
    let stays =
        parts.iter().any(|(word, _)| *word == "same") || declined == Some(&("declines", ""));
    let Purpose::Document(_) = call.purpose else {
        return phases::amended(state, call, !stays);
    };
    let change = |document: &mut Document| {
        let mut changed = serde_json::to_value(&*document).unwrap();
        let named = parts.iter().filter(|(word, _)| *word == "names");
        let named: Vec<Value> = named.map(|(_, words)| impact(words)).collect();
        if !named.is_empty() {
            changed["file_impacts"] = named.into();
        }
        for (word, rest) in &parts {
            let (place, json) = rest.split_once(' ').unwrap_or((rest, ""));
            match *word {
                "adds" => {
                    let mut item = changed[place][0].clone();
                    item["id"] = "new".into();
                    merge(&mut item, serde_json::from_str(json).expect(json));
                    changed[place].as_array_mut().unwrap().push(item);
                }
                "puts" => {
                    let value = serde_json::from_str(json).expect(json);
                    *changed.pointer_mut(place).expect(place) = value;
                }
                _ => continue,
            }
        }
        let other = serde_json::from_value(changed).unwrap();
        match stays || *document != other {
            true => *document = other,
            false => reworded(document),
        }
    };
    let said = amendment(state, call, change, |one| is_mended(&one.id.to_string()));
    if parts.iter().any(|(word, _)| *word == "silent") {
        let mut said: Value = serde_json::from_str(&said).unwrap();
        said["findings"] = json!([]);
        return said.to_string();
    }
    said
}

/// A file that a design changes: `src/a.py modify Table.put=modify Table.drop=remove`, or
/// `src/a.py rename:src/b.py`.
fn impact(words: &str) -> Value {
    let mut words = words.split(' ');
    let (path, change) = (words.next().unwrap(), words.next().unwrap());
    let (change, to) = match change.split_once(':') {
        Some((change, to)) => (change, Some(to)),
        None => (change, None),
    };
    let symbols = words.map(|one| one.split_once('=').unwrap());
    let symbols = symbols.map(|(name, change)| json!({"name": name, "change": change}));
    json!({"path": path, "change": change, "to": to, "what": "changes",
        "symbols": symbols.collect::<Vec<_>>(), "modules": []})
}

/// A command to be tried, such as `echo hi`. The trial whose files it starts from and files of its
/// own, with their texts or with edits, go before: `base:RUN-1 file:a.sh=x edit:b.sh=old>new sh a.sh`.
fn trial_of(words: &str) -> Value {
    let mut look = json!(trying(&[]));
    let mut files: Vec<Value> = Vec::new();
    let mut command = words.split(' ').filter(|word| !word.is_empty()).peekable();
    while let Some(word) = command.next_if(|word| word.contains(':')) {
        let (what, rest) = word.split_once(':').unwrap();
        if what == "base" {
            look["base"] = rest.into();
            continue;
        }
        let (path, text) = rest.split_once('=').unwrap();
        if files.last().is_none_or(|file| file["path"] != path) {
            files.push(json!({"path": path, "text": null, "edits": []}));
        }
        let file = files.last_mut().unwrap();
        match text.split_once('>') {
            Some((old, new)) if what == "edit" => {
                let edits = file["edits"].as_array_mut().unwrap();
                edits.push(json!({"old": old, "new": new}));
            }
            _ if what == "edit" => {}
            _ => file["text"] = text.into(),
        }
    }
    look["files"] = files.into();
    look["command"] = command.collect();
    look
}

/// A finding: `W-1`, `C-1 blocking missing`, or `AC-1 blocking mend T-1 proves it.`.
fn finding(words: &str) -> Value {
    let (words, mend) = match words.split_once(" mend ") {
        Some((words, mend)) => (words, Some(mend)),
        None => (words, None),
    };
    let mut words = words.split(' ');
    let mut finding = json!(found(words.next().unwrap(), false));
    for word in words {
        match word {
            "blocking" => finding["blocking"] = true.into(),
            kind => finding["kind"] = kind.into(),
        }
    }
    if let Some(mend) = mend {
        finding["mend"] = mend.into();
    }
    finding
}

/// A part of an answer, and the list it belongs to.
fn part(call: &CallId, word: &str, rest: &str) -> (&'static str, Value) {
    let two = || rest.split_once(' ').unwrap_or((rest, ""));
    match word {
        "read" => {
            let (path, line) = two();
            let line = line.parse().unwrap_or(1);
            ("/looks", json!(reading(path, line)))
        }
        "shows" => {
            let kind = LookKind::Previous;
            (
                "/looks",
                json!(Look {
                    kind,
                    ..reading(rest, 1)
                }),
            )
        }
        "tries" => ("/looks", trial_of(rest)),
        "finds" => ("/findings", finding(rest)),
        "names" => ("/file_impacts", impact(rest)),
        "claims" => ("/evidence", json!(claiming(two().1, two().0))),
        "asks" => ("/questions", json!(question(rest))),
        "relays" => {
            let (cites, answer) = rest.split_once(": ").unzip();
            let relay = json!({"question": "Q-1", "answer": answer, "cites": cites});
            ("/coach/relays", relay)
        }
        "raises" => {
            let (severity, title) = two();
            let severity = serde_json::from_value(severity.into()).unwrap();
            ("/new_issues", json!(new_issue(title, title, severity)))
        }
        "corrects" => ("/corrections", json!({"whom": two().0, "about": two().1})),
        "notes" => ("/notes", json!({"document": two().0, "text": two().1})),
        "withdraws" => {
            let (item, feedback) = two();
            let withdrawn = json!({"item": item, "feedback": feedback, "reason": "it says so"});
            ("/coach/withdraw", withdrawn)
        }
        "reminds" => (
            "/coach/reminders",
            json!({"member": two().0, "text": two().1}),
        ),
        issue if call.purpose == Purpose::Summary && issue != "END" => {
            ("/coach/fates", json!(decided(issue, rest)))
        }
        issue => ("/positions", json!(taken(issue, rest))),
    }
}

/// The coach's decision on an issue: `settled X-1`, `open`, `merged I-2`, `refined x,y`, `dropped`
/// with a reason or none. What follows ` because ` is the reason of any of them.
fn decided(issue: &str, words: &str) -> Fate {
    let (words, reason) = match words.split_once(" because ") {
        Some((words, reason)) => (words, Some(reason.to_owned())),
        None => (words, None),
    };
    let (kind, rest) = words.split_once(' ').unwrap_or((words, ""));
    let kind: FateKind = serde_json::from_value(kind.into()).unwrap();
    let into = kind == FateKind::Merged || kind == FateKind::Refined;
    Fate {
        cites: (kind == FateKind::Settled).then(|| rest.to_owned()),
        into: rest
            .split(',')
            .filter(|_| into)
            .map(str::to_owned)
            .collect(),
        reason,
        ..fate(issue, kind)
    }
}

/// A position: `object =as XLSX >PP`. The proposed text follows `=`, the text it backs or is derived
/// from follows `<`, the text it objects to follows `>`. A final ` -` means that a change of mind has
/// no reason.
pub fn taken(issue: &str, words: &str) -> Position {
    let (words, reason) = match words.strip_suffix(" -") {
        Some(words) => (words, None),
        None => (words, Some("a better argument".to_owned())),
    };
    let stance = words.split([' ', '=', '<', '>']).next().unwrap();
    let stance = serde_json::from_value(stance.into()).unwrap();
    let after = |mark: char| {
        let from = words.find(mark)? + 1;
        let to = words[from..].find(['=', '<', '>']);
        let to = to.map_or(words.len(), |to| from + to);
        Some(words[from..to].trim().to_owned())
    };
    Position {
        proposal: after('='),
        backs: after('<'),
        against: after('>'),
        changed_because: reason,
        ..position(issue, stance, None)
    }
}

/// The answer to a query about a meeting:
///
/// | query | what it prints |
/// | --- | --- |
/// | `calls speech SD` | the calls that were started, in order, whose id has these words |
/// | `events look notes.0.text` | of each event of a phase these fields |
/// | `order speaking guard_fired` | these phases in the order of their events, each by how often it came in a row |
/// | `said` | what was said in the last round, in order |
/// | `plan stop.reason` | a field of the plan as the structured file has it |
/// | `agreed` | the agreed texts with those who back them |
/// | `issues` | every issue with its status |
/// | `refused I-1` | what was refused to the coach in the last summary about it, or about anything |
/// | `notes dev_plan` | what is noted of a document |
/// | `noted` | what is noted of every speech |
/// | `written` | every document: the version that wrote it, whether its writer was asked, for what it had to account |
/// | `findings` | every finding of the review: about what, by whom, what became of it |
/// | `amends` | the calls that amended something or gave a verdict: member, purpose, turn |
/// | `debates` | every debate: topic, round, trigger, participants, number of its rounds, ruling |
/// | `rejected` | why replies were rejected |
/// | `recorded <!-- END -->` | the phases of the events, after the first, that hold this text |
/// | `file state.md vote` | the lines of a file that contain this |
/// | `section planning_report.md Work` | the lines of a file from this heading to the next one, or of the whole file |
/// | `html what` | the lines of the page for a browser that contain this |
/// | `files speeches/` | the files whose paths contain this |
/// | `check dev_plan set /work/0/size "XL"` | what the check finds after such changes, as in [`broken`] |
/// | `fix dev_plan set /feasibility ""` | how to mend what it finds |
/// | `at speaking 3: file state.md` | what another query prints before such an event |
/// | `diff` | what differs from the version before |
/// | `why I-1 SD r2` | where an id comes from, or that it is not there: the lines that contain this |
/// | `prompt speech SD: C-1` | the lines with this in the prompt of the first such call |
/// | `context SD r2` | the ids that the prompt of the first such call is made of, as a transcript names them |
/// | `prompted all: C-1` | the calls, of such or of all, whose prompts contain this, and how often |
/// | `forged speaking 2 out of turn: set /turn 2` | what is answered to the second such event with changes, as in [`Change`] |
/// | `put speaking: {"phase": "resumed"}` | what is answered to another event in place of this one |
/// | `again speaking 2` | what is answered to the same event a second time |
/// | `sends PP r2: /stop` | what is answered to a message before such a call, or at the end |
///
/// [`Change`]: super::changes::Change
/// [`broken`]: super::checked::broken
fn shown(meeting: &Meeting, query: &str, more: More) -> Vec<String> {
    let state = &meeting.state;
    let (word, rest) = query.split_once(' ').unwrap_or((query, ""));
    let words: Vec<String> = rest.split_whitespace().map(str::to_owned).collect();
    // The lines that contain what follows the first word. In a trace, how far a line is set in says
    // on what it rests.
    let set_in = |text: String| -> Vec<String> {
        let part = rest.split_once(' ').map_or("", |(_, part)| part);
        let lines = text.lines().filter(|line| line.contains(part));
        lines.map(|line| line.trim_end().to_owned()).collect()
    };
    let having = |text: String| -> Vec<String> {
        let lines = set_in(text).into_iter();
        lines.map(|line| line.trim_start().to_owned()).collect()
    };
    let (before, after) = (
        || rest.split_once(": ").expect(query).0,
        || rest.split_once(": ").expect(query).1,
    );
    let why = |id: &str| match workshop::check::why(state, id, Lang::En) {
        Ok(trace) => traced(&trace),
        Err(fault) => format!("{}\n{}", fault.what().en, fault.fix().en),
    };
    match word {
        "calls" => {
            let own = meeting.calls().filter(|call| is_it(state, call, &words));
            own.map(ToString::to_string).collect()
        }
        "events" => {
            let entries = meeting.entries.iter().map(|entry| json!(entry));
            let own = entries.filter(|entry| entry["phase"] == words[0].as_str());
            own.map(|entry| {
                let fields = words[1..].iter().map(|field| field_of(&entry, field));
                fields.collect::<Vec<_>>().join(" | ")
            })
            .collect()
        }
        "order" => {
            let phases = meeting.entries.iter().map(phase_of);
            let phases: Vec<String> = phases.filter(|phase| words.contains(phase)).collect();
            let runs = phases.chunk_by(|one, next| one == next);
            let told = runs.map(|run| match run.len() {
                1 => run[0].clone(),
                times => format!("{} × {times}", run[0]),
            });
            vec![told.collect::<Vec<_>>().join(", ")]
        }
        "said" => {
            let code = |id| state.inputs.roles.code(id);
            let said = state.discussion.said.iter().map(|said| match said {
                DiscussionItem::Speech(n) => code(&state.discussion.speeches[*n].member).to_owned(),
                DiscussionItem::Answer(id) => format!("answer to {id}"),
                DiscussionItem::PassedOver(_) => "passed over".to_owned(),
                DiscussionItem::Look(n) => {
                    format!(
                        "look of {}",
                        code(&state.grounding.looks.all[*n].call.member)
                    )
                }
                DiscussionItem::User(n) => format!("user: {}", state.ending.words[*n].text),
            });
            said.collect()
        }
        "plan" => {
            let plan = json!(workshop::artifact::structured(state));
            words.iter().map(|field| field_of(&plan, field)).collect()
        }
        "agreed" => {
            let items = state.draft.standing().map(|item| {
                let mut codes: Vec<&str> = item
                    .supporters
                    .iter()
                    .map(|one| state.inputs.roles.code(&one.member))
                    .collect();
                codes.sort_unstable();
                format!(
                    "{} on {}: {} ({})",
                    item.id,
                    item.issue,
                    item.text,
                    codes.join(", ")
                )
            });
            items.collect()
        }
        "issues" => {
            let issues = state.ledger.iter().map(|issue| {
                let status = json!(issue.status).to_string().replace('"', "");
                let severity = json!(issue.severity);
                let severity = severity.as_str().unwrap_or_default();
                format!("{} {}: {severity}, {status}", issue.id, issue.title)
            });
            issues.collect()
        }
        "refused" => {
            let last = state.discussion.summaries.last();
            let refused = last.into_iter().flat_map(|last| &last.refused);
            let told = refused.map(|one| {
                let rule = json!(one.rule);
                let rule = rule.as_str().unwrap_or_default().to_owned();
                format!("{}: {rule}: {}", one.about, one.detail)
            });
            told.filter(|line| line.starts_with(rest)).collect()
        }
        "notes" => {
            let mut written = state.documents.written.iter();
            let found = written.find(|(kind, _)| kind.name() == rest);
            let notes = &found.expect(rest).1.notes;
            let told = notes
                .iter()
                .map(|note| format!("{}: {}", note.about, note.text));
            told.collect()
        }
        "noted" => {
            let speeches = state.discussion.speeches.iter();
            let notes = speeches.flat_map(|said| said.notes.iter().map(move |note| (said, note)));
            let told = notes.map(|(said, note)| {
                let code = state.inputs.roles.code(&said.member);
                format!("{code} r{}: {}: {}", said.round, note.about, note.text)
            });
            told.collect()
        }
        "written" => {
            let versions = PreviousVersion::of(state, "head").written;
            let told = state.documents.written.iter().map(|(kind, record)| {
                let is_it = |call: &CallId| call.purpose == Purpose::Document(*kind);
                let asked = if meeting.calls().any(is_it) {
                    ", asked"
                } else {
                    ""
                };
                let before = state.task.previous.as_ref();
                let before = before.and_then(|it| it.documents.get(kind));
                let is_same = before == Some(&record.content);
                assert_eq!(record.carried.is_some(), is_same, "{kind}");
                let due = items_due(state, *kind).join(" ");
                let due = if due.is_empty() {
                    due
                } else {
                    format!(": {due}")
                };
                format!("{kind} of v{}{asked}{due}", versions[kind].version)
            });
            told.collect()
        }
        "findings" => {
            let findings = state.review.findings.iter().map(|one| {
                let by = one.by.as_ref().map(|by| state.inputs.roles.code(by));
                let fate = json!(one.fate).to_string().replace('"', "");
                format!(
                    "{} {} by {}: {fate}",
                    one.id,
                    one.about,
                    by.unwrap_or("the check")
                )
            });
            findings.collect()
        }
        "amends" => {
            let is_it = |call: &&CallId| amends(state, call) || call.purpose == Purpose::Verdict;
            let own = meeting.calls().filter(is_it);
            let told = own.map(|call| {
                let code = state.inputs.roles.code(&call.member);
                format!("{code} {} {}", call.purpose.name(), call.turn)
            });
            told.collect()
        }
        "debates" => {
            let debates = state.debates.held.iter().map(|debate| {
                let sides = debate.participants().iter();
                let sides: Vec<&str> = sides.map(|id| state.inputs.roles.code(id)).collect();
                let ruling = debate.resolution.as_ref();
                let ruling = ruling.map(|it| json!([it.ruling.decision, it.plain]).to_string());
                format!(
                    "{} on {} after round {}, {} by {}: {}, {}",
                    debate.subject(),
                    debate.motion.debate_config.topic,
                    debate.after_round,
                    json!(debate.motion.trigger),
                    sides.join(", "),
                    debate.rounds.len(),
                    ruling.unwrap_or_default(),
                )
            });
            debates.collect()
        }
        "rejected" => meeting
            .rejections()
            .into_iter()
            .map(str::to_owned)
            .collect(),
        "recorded" => {
            let later = meeting.entries[1..].iter();
            let own = later.filter(|entry| json!(entry).to_string().contains(rest));
            own.map(phase_of).collect()
        }
        "file" => having(file(state, &words[0])),
        "section" => {
            let (path, heading) = rest.split_once(' ').unwrap_or((rest, ""));
            moments::section(&file(state, path), heading)
        }
        "files" => {
            let files = workshop::artifact::render(state).unwrap().into_iter();
            let paths = files.map(|file| file.path);
            paths.filter(|path| path.contains(rest)).collect()
        }
        "html" => {
            let files = workshop::artifact::render(state).unwrap();
            let lang = state.inputs.doc_lang;
            let page =
                workshop::page::whole(state, &files, None, workshop::page::PageTarget::File, lang);
            let page = page.unwrap().replace("&#x27;", "'");
            let lines = page.lines().filter(|line| line.contains(rest));
            lines.map(|line| line.trim().to_owned()).collect()
        }
        "check" => checked::lines(&checked::check_with(
            &checked::broken(state, rest),
            None,
            false,
        )),
        "fix" => {
            let found = checked::check_with(&checked::broken(state, rest), None, false);
            let fixes = found.into_iter().flat_map(|one| [one.fix.en, one.fix.zh]);
            fixes.collect()
        }
        "at" => shown(&moments::at(meeting, before()), after(), more),
        "diff" => {
            let before = meeting.before.as_ref().expect("a revision");
            differences(&workshop::check::diff(before, state))
        }
        "context" => moments::context(meeting, rest),
        "prompt" => moments::prompt(meeting, before(), after()),
        "prompted" => moments::prompted(meeting, before(), after()),
        "forged" => vec![moments::forged(meeting, before(), after())],
        "put" => vec![moments::put(meeting, before(), after())],
        "again" => vec![moments::again(meeting, rest)],
        "sends" => vec![moments::sends(meeting, before(), after())],
        "why" => set_in(why(&words[0])),
        _ => more(meeting, query).unwrap_or_else(|| panic!("nothing is known of `{query}`")),
    }
}

/// An item with what it rests on and what rests on it.
fn traced(trace: &Trace) -> String {
    fn below(nodes: &[TraceNode], depth: usize, into: &mut String) {
        for node in nodes {
            let above = if node.repeated { " (see above)" } else { "" };
            let own = thing(&node.id, node.kind, &node.text);
            *into += &format!("{}{own}{above}\n", "  ".repeat(depth));
            below(&node.next, depth + 1, into);
        }
    }
    fn thing(id: &str, kind: &str, text: &str) -> String {
        format!("{id} ({kind}) {text}")
    }
    let mut told = thing(&trace.id, trace.kind, &trace.text) + "\n";
    for (title, nodes) in [("rests on", &trace.from), ("used by", &trace.carries)] {
        if !nodes.is_empty() {
            told += &format!("{title}\n");
            below(nodes, 1, &mut told);
        }
    }
    told
}

/// What differs, a group after the other.
fn differences(diff: &Diff) -> Vec<String> {
    let named = |id: &str, text: &str| format!("{id} {text}").trim_start().to_owned();
    let mut told = vec![format!("v{} → v{}", diff.from, diff.to)];
    if !diff.one_line {
        told.push("neither revises the other".to_owned());
    }
    for group in &diff.groups {
        told.push(group.name.to_owned());
        for (mark, listed) in [("+", &group.added), ("-", &group.removed)] {
            let listed = listed.iter();
            told.extend(listed.map(|one| format!("  {mark} {}", named(&one.id, &one.text))));
        }
        for one in &group.changed {
            told.push(format!("  ~ {}", named(&one.id, &one.text)));
            let fields = one.fields.iter();
            told.extend(fields.map(|it| format!("      {}: {} → {}", it.field, it.old, it.new)));
        }
    }
    let unwritten = diff.unwritten.iter();
    told.extend(unwritten.map(|one| {
        let groups = one.groups.join(", ");
        format!("not written by v{}: {groups}", one.version)
    }));
    told.iter().map(|line| line.trim_end().to_owned()).collect()
}

/// A field, as `notes.text`; of a list that of each of its entries.
fn field_of(value: &Value, path: &str) -> String {
    fn found(value: &Value, path: &str, into: &mut Vec<String>) {
        let (name, rest) = path.split_once('.').unwrap_or((path, ""));
        match value {
            Value::Array(all) if !path.is_empty() && name.parse::<usize>().is_err() => {
                all.iter().for_each(|one| found(one, path, into));
            }
            Value::Array(all) if !path.is_empty() => {
                let at: usize = name.parse().unwrap();
                found(all.get(at).unwrap_or(&Value::Null), rest, into);
            }
            _ if !path.is_empty() => found(&value[name], rest, into),
            Value::String(text) => into.push(text.clone()),
            other => into.push(other.to_string()),
        }
    }
    let mut all = Vec::new();
    found(value, path, &mut all);
    all.join("; ")
}
