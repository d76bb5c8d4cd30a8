//! Processes killed at any point: a resumed run produces the same result.

mod debates;

use std::collections::{BTreeMap, BTreeSet};

use crate::support::binary::{Going, Place, wait_until};
use crate::support::fake::{Fake, FakeConfig, Reply, WorkshopScript, workshop};
use crate::support::normal::normalised;
use crate::support::review;

const PLAN: [&str; 4] = [
    "plan",
    "Export the customer list as CSV",
    "--questions",
    "assume",
];

/// The call whose first answer is unusable. It depends on the prompt, not on the number of
/// requests, because a kill may lose the reply.
const UNUSABLE: &str = "speech/SeniorDeveloper/r2";

/// Calls whose members look before they answer.
const LOOKS: [&str; 3] = [
    "judgment/Coach",
    "speech/SystemDesigner/r1",
    "dev_plan/SeniorDeveloper",
];

/// A workshop with questions and an unusable reply, for many kinds of events.
fn script() -> WorkshopScript {
    WorkshopScript::asking(2)
}

/// The separate question that SD asks its model before it speaks in round 1.
const QUESTION: &str = "Does CSV need a byte order mark?";

/// Answers are delayed a little, so that the process can be killed in time.
fn slow() -> Fake {
    slow_with(false)
}

/// As [`slow`]; with `held`, the first separate question is never answered.
fn slow_with(held: bool) -> Fake {
    let config = FakeConfig {
        latency: std::time::Duration::from_millis(4),
        ..FakeConfig::default()
    };
    let script = workshop(script());
    Fake::with(config, move |seen| {
        if seen.turn.is_none() && seen.text().contains(QUESTION) {
            let answer = serde_json::json!({"answer": "Only for old programs."});
            let answer = Reply::Text(answer.to_string());
            return match held && seen.times == 1 {
                true => Reply::Held(Box::new(answer)),
                false => answer,
            };
        }
        if LOOKS.contains(&&*seen.key) && !seen.text().contains("what was found is above") {
            // Without files to look at, the rest of the answer is used.
            let mut looks = vec![serde_json::json!({"kind": "read", "what": "docs/limits.md"})];
            if seen.key == LOOKS[1] {
                looks.push(serde_json::json!({"kind": "ask", "what": QUESTION}));
            }
            return match script(seen) {
                Reply::Text(text) => {
                    let mut answer: serde_json::Value = serde_json::from_str(&text).unwrap();
                    answer["looks"] = serde_json::json!(looks);
                    Reply::Text(answer.to_string())
                }
                other => other,
            };
        }
        if seen.key == UNUSABLE && !seen.text().contains("holds no JSON object") {
            return Reply::Text("I would rather talk about the weather.".to_owned());
        }
        script(seen)
    })
}

/// A kind of run to kill.
#[derive(Clone, Copy)]
struct Case {
    arguments: &'static [&'static str],
    /// The folder of its versions, ending with `/`; empty for plans.
    folder: &'static str,
    /// The number of its version; from 2 on it revises an earlier one.
    version: u32,
    /// Maximum number of answers that one kill may lose: those of concurrent calls, and one that
    /// waits for a separate question.
    together: usize,
    /// The server that answers.
    fake: fn() -> Fake,
}

const USUAL: Case = Case {
    arguments: &PLAN,
    folder: "",
    version: 1,
    together: 3,
    fake: slow,
};
const BLIND: Case = Case {
    arguments: &[
        "plan",
        "Export the customer list as CSV",
        "--questions",
        "assume",
        "--first-round",
        "blind",
    ],
    folder: "",
    version: 1,
    together: 5,
    fake: slow,
};
const REVISION: Case = Case {
    arguments: &["revise", "v1", "Use tabs.", "--questions", "assume"],
    folder: "",
    version: 2,
    together: 3,
    fake: slow,
};

const REVIEWED: Case = Case {
    arguments: &[
        "plan",
        "Export the customer list as CSV",
        "--questions",
        "assume",
        "--review",
        "on",
    ],
    folder: "",
    version: 1,
    together: 4,
    fake: reviewing,
};

const TEAM: Case = Case {
    arguments: &["team", "Compare ways to store receipts", "--review", "on"],
    folder: "team/",
    version: 1,
    together: 4,
    fake: reviewing,
};

/// As [`slow`], with a finding in the review of the plan or synthesis.
fn reviewing() -> Fake {
    let config = FakeConfig {
        latency: std::time::Duration::from_millis(4),
        ..FakeConfig::default()
    };
    let script = workshop(script());
    Fake::with(config, move |seen| match review::answer(&seen.text()) {
        Some(text) => Reply::Text(text),
        None => script(seen),
    })
}

impl Case {
    fn name(self) -> String {
        format!("{}v{}", self.folder, self.version)
    }

    fn draft(self) -> String {
        format!("{}.draft", self.name())
    }

    /// The workspace of the run, with v1 if the run revises it.
    fn place(self) -> Place {
        let place = Place::new();
        // With a file to search, members make inquiries for their questions.
        place.write("docs/limits.md", "# Limits\n\nNo limit holds for a case.\n");
        if self.version > 1 {
            place.run_with(&(self.fake)(), &PLAN).ends(0);
        }
        place
    }
}

struct Whole {
    case: Case,
    files: BTreeMap<String, String>,
    calls: BTreeMap<String, usize>,
    prompts: BTreeMap<String, BTreeSet<String>>,
    lines: usize,
    /// Numbers of the lines with rulings.
    rulings: Vec<usize>,
}

fn whole(case: Case) -> Whole {
    let (place, fake) = (case.place(), (case.fake)());
    place.run_with(&fake, case.arguments).ends(0);
    Whole {
        case,
        files: normalised_of(&place, &case.name()),
        calls: fake.counts(),
        prompts: prompts(&place, &case.name()),
        lines: place.lines(&case.name()),
        rulings: rulings(&place, &case.name()),
    }
}

/// As [`normalised`], without the ids of the run and of the run it revises, and without the hash of
/// the latter's last line.
fn normalised_of(place: &Place, version: &str) -> BTreeMap<String, String> {
    let transcript = place.text(&format!("{version}/planning_transcript.jsonl"));
    let first: serde_json::Value =
        serde_json::from_str(transcript.lines().next().unwrap()).unwrap();
    let new = [
        &first["run_id"],
        &first["from"]["run_id"],
        &first["from"]["head"],
    ];
    let new: Vec<&str> = new.into_iter().filter_map(|id| id.as_str()).collect();
    let same = |text: String| new.iter().fold(text, |text, id| text.replace(id, "RUN"));
    normalised(&place.outputs(version))
        .into_iter()
        .map(|(path, text)| (path, same(text)))
        .collect()
}

fn rulings(place: &Place, version: &str) -> Vec<usize> {
    let text = place.text(&format!("{version}/planning_transcript.jsonl"));
    let is_ruling = |line: &str| line.contains("\"phase\":\"debate_resolved\"");
    let lines = (1..).zip(text.lines());
    lines
        .filter_map(|(n, line)| is_ruling(line).then_some(n))
        .collect()
}

/// Digests of the prompts of each call, for all its attempts.
fn prompts(place: &Place, version: &str) -> BTreeMap<String, BTreeSet<String>> {
    let mut prompts: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let transcript = place.text(&format!("{version}/planning_transcript.jsonl"));
    for line in transcript.lines() {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        if line["phase"] == "call_started" {
            let (call, _) = line["call"].as_str().unwrap().rsplit_once("/a").unwrap();
            let prompt = line["input_context"]["prompt"].as_str().unwrap();
            let given = prompts.entry(call.to_owned()).or_default();
            given.insert(prompt.to_owned());
        }
    }
    prompts
}

/// Checks that `found` contains all of `whole`; prints only the first difference.
#[track_caller]
fn assert_same(whole: &BTreeMap<String, String>, found: &BTreeMap<String, String>, when: &str) {
    for (path, text) in whole {
        let found = found
            .get(path)
            .unwrap_or_else(|| panic!("{path} is missing, {when}"));
        let differs = text.lines().zip(found.lines()).find(|(a, b)| a != b);
        if let Some((a, b)) = differs {
            let same = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count();
            let around = |line: &str| {
                let from = line.chars().skip(same.saturating_sub(200));
                from.take(400).collect::<String>()
            };
            panic!("{path}, {when}:\n{}\n{}", around(a), around(b));
        }
        assert_eq!(text.len(), found.len(), "{path}, {when}");
    }
}

/// Kills the run when its transcript has `n` lines, completes it, and compares the result with an
/// uninterrupted run. Returns whether it was killed in time.
fn killed_at(n: usize, whole: &Whole) -> bool {
    let case = whole.case;
    let (name, draft) = (case.name(), case.draft());
    let (place, fake) = (case.place(), (case.fake)());
    let mut going = place.start_with(&fake, case.arguments);
    wait_until("the line", || {
        place.lines(&draft) >= n || place.lines(&name) > 0 || going.is_over()
    });
    let in_time = going.kill().code == -9;
    goes_on_as_if_nothing_had_been(whole, &place, &fake, &format!("killed at line {n}"));
    in_time
}

/// Completes a killed run and compares the result with an uninterrupted run.
#[track_caller]
fn goes_on_as_if_nothing_had_been(whole: &Whole, place: &Place, fake: &Fake, when: &str) {
    let name = whole.case.name();
    if place.lines(&name) == 0 {
        draft_is_whole_or_torn(place, whole.case, when);
        place.run_with(fake, &["resume"]).ends(0);
    }
    place.run(&["verify", &name]).ends(0);
    is_whole(whole, place, when);
    for (key, wanted) in &whole.calls {
        assert!(
            fake.calls(key) >= *wanted || key == "models",
            "{key}, {when}"
        );
    }
    // At most the calls that were in progress: the documents of a layer, or the speeches of a blind
    // round with a separate question.
    let repeated = repeated(whole, fake);
    assert!(
        repeated <= whole.case.together,
        "{repeated} calls repeated, {when}"
    );
}

/// The version exists and equals that of an uninterrupted run.
#[track_caller]
fn is_whole(whole: &Whole, place: &Place, when: &str) {
    let name = whole.case.name();
    let found = normalised_of(place, &name);
    assert_same(&whole.files, &found, when);
    assert_eq!(prompts(place, &name), whole.prompts, "{when}");
    let more: Vec<_> = found
        .keys()
        .filter(|path| !whole.files.contains_key(*path) && !path.contains(".torn-"))
        .collect();
    assert!(more.is_empty(), "{more:?}, {when}");
}

/// Number of calls beyond those of an uninterrupted run.
fn repeated(whole: &Whole, fake: &Fake) -> usize {
    let counts = fake.counts().into_iter().filter(|(key, _)| key != "models");
    let more = counts.map(|(key, times)| {
        let wanted = whole.calls.get(&key).copied().unwrap_or_default();
        times.saturating_sub(wanted)
    });
    more.sum()
}

/// The draft has no problem except an incomplete last line, since a kill can interrupt a write;
/// `verify` reports that and nothing else.
#[track_caller]
fn draft_is_whole_or_torn(place: &Place, case: Case, when: &str) {
    let transcript = std::fs::read(transcript_of(place, case)).unwrap();
    let ran = place.run(&["verify", &case.name()]);
    match transcript.ends_with(b"\n") {
        true => assert_eq!(ran.code, 0, "{when}: {ran:#?}"),
        false => {
            assert_eq!(ran.code, 12, "{when}: {ran:#?}");
            let found: Vec<&str> = ran.out.lines().collect();
            assert_eq!(found.len(), 1, "{when}: {ran:#?}");
            assert!(found[0].contains("was not written to its end"), "{found:?}");
        }
    }
}

fn transcript_of(place: &Place, case: Case) -> std::path::PathBuf {
    place
        .outputs(&case.draft())
        .join("planning_transcript.jsonl")
}

#[test]
fn a_kill_within_a_line_changes_nothing() {
    let whole = whole(USUAL);
    // A kill rarely interrupts a write, so cut the last line.
    for n in [whole.lines / 3, whole.lines / 2] {
        let (place, fake) = (USUAL.place(), slow());
        let going = place.start_with(&fake, USUAL.arguments);
        wait_until("the line", || place.lines(&USUAL.draft()) >= n);
        assert_eq!(going.kill().code, -9);
        let path = transcript_of(&place, USUAL);
        let bytes = std::fs::read(&path).unwrap();
        std::fs::write(&path, &bytes[..bytes.len() - 40]).unwrap();
        goes_on_as_if_nothing_had_been(&whole, &place, &fake, &format!("torn after line {n}"));
        let kept = std::fs::read_dir(place.outputs("v1")).unwrap();
        let torn = kept.filter(|file| {
            let name = file.as_ref().unwrap().file_name();
            name.to_string_lossy().contains(".torn-")
        });
        assert_eq!(torn.count(), 1, "the torn line is kept");
    }
}

#[test]
fn a_kill_at_some_lines_changes_nothing() {
    let whole = whole(USUAL);
    assert!(whole.lines >= 50, "{}", whole.lines);
    let lines = &whole.files["planning_transcript.jsonl"];
    assert!(lines.contains("\"phase\":\"inquiry\""), "nobody looks");
    let mut in_time = 0;
    for n in [
        1,
        2,
        4,
        whole.lines / 3,
        whole.lines / 2,
        whole.lines - 12,
        whole.lines - 1,
    ] {
        in_time += usize::from(killed_at(n, &whole));
    }
    assert!(in_time >= 4, "only {in_time} were killed in time");
}

#[test]
fn a_kill_while_a_member_asks_its_model_changes_nothing() {
    let whole = whole(USUAL);
    let lines = &whole.files["planning_transcript.jsonl"];
    assert!(lines.contains("Only for old programs."), "nobody asks");
    let (place, fake) = (USUAL.place(), slow_with(true));
    let going = place.start_with(&fake, USUAL.arguments);
    fake.awaits("answer", 1);
    assert_eq!(going.kill().code, -9);
    goes_on_as_if_nothing_had_been(&whole, &place, &fake, "killed while it asks");
}

#[test]
fn a_kill_in_a_blind_round_or_a_revision_changes_nothing() {
    for case in [BLIND, REVISION] {
        let whole = whole(case);
        for n in [3, whole.lines / 3, whole.lines - 9] {
            killed_at(n, &whole);
        }
    }
}

#[test]
fn a_kill_in_a_review_changes_nothing() {
    for case in [REVIEWED, TEAM] {
        let whole = whole(case);
        let lines = &whole.files["planning_transcript.jsonl"];
        assert!(
            lines.contains("\"phase\":\"verdicts\""),
            "nothing is declined"
        );
        for before_the_end in [16, 10, 6, 4, 2] {
            killed_at(whole.lines - before_the_end, &whole);
        }
    }
}

#[test]
#[ignore = "slow: run with `cargo test --test suite -- --ignored`"]
fn slow_a_kill_at_every_line_changes_nothing() {
    killed_everywhere(USUAL);
}

#[test]
#[ignore = "slow: run with `cargo test --test suite -- --ignored`"]
fn slow_a_kill_at_every_line_of_a_blind_round_changes_nothing() {
    killed_everywhere(BLIND);
}

#[test]
#[ignore = "slow: run with `cargo test --test suite -- --ignored`"]
fn slow_a_kill_at_every_line_of_a_revision_changes_nothing() {
    killed_everywhere(REVISION);
}

#[test]
#[ignore = "slow: run with `cargo test --test suite -- --ignored`"]
fn slow_a_kill_at_every_line_of_a_review_changes_nothing() {
    killed_everywhere(REVIEWED);
}

#[test]
#[ignore = "slow: run with `cargo test --test suite -- --ignored`"]
fn slow_a_kill_at_every_line_of_a_team_changes_nothing() {
    killed_everywhere(TEAM);
}

#[test]
#[ignore = "slow: run with `cargo test --test suite -- --ignored`"]
fn slow_a_kill_at_every_line_of_a_debate_changes_nothing() {
    killed_everywhere(debates::DEBATED);
}

/// Number of lines that make progress in a draft; resuming and starting calls do not count.
fn steps(place: &Place, draft: &str) -> usize {
    let text = std::fs::read_to_string(place.outputs(draft).join("planning_transcript.jsonl"));
    let is_step = |line: &&str| {
        let begins = ["resumed", "call_started"].map(|phase| format!("\"phase\":\"{phase}\""));
        !begins.iter().any(|phase| line.contains(phase))
    };
    text.map_or(0, |text| text.lines().filter(is_step).count())
}

/// The processes that have worked on a draft, and the number of calls that the transcript of the
/// latest one does not say to be over.
fn open_calls(place: &Place, draft: &str) -> (usize, usize) {
    let text = std::fs::read_to_string(place.outputs(draft).join("planning_transcript.jsonl"));
    let (mut processes, mut open) = (1, BTreeSet::new());
    for line in text.unwrap_or_default().lines() {
        // The last one may be incomplete.
        let Ok(line) = serde_json::from_str::<serde_json::Value>(line) else {
            continue;
        };
        let call = |of: &serde_json::Value| of["call"].as_str().unwrap_or_default().to_owned();
        match line["phase"].as_str().unwrap() {
            "resumed" => (processes, open) = (processes + 1, BTreeSet::new()),
            "call_started" => _ = open.insert(call(&line)),
            // The call whose answer wants it is still open.
            "trial_started" | "trial_ended" => {}
            _ => {
                let asked = line["asked"].as_array().into_iter().flatten();
                for of in asked.chain([&line, &line["receipt"]]) {
                    open.remove(&call(of));
                }
            }
        }
    }
    (processes, open.len())
}

/// Kills a run everywhere it writes lines: every second process when it has started a call, the
/// others when they have made progress.
fn killed_everywhere(case: Case) {
    let whole = whole(case);
    let (name, draft) = (case.name(), case.draft());
    let (place, fake) = (case.place(), (case.fake)());
    let (mut kills, mut lost, mut counted) = (0, 0, 0);
    let mut going = place.start_with(&fake, case.arguments);
    loop {
        let (lines, steps_before) = (place.lines(&draft), steps(&place, &draft));
        let waits_for_an_answer = kills % 2 == 0;
        wait_until("the line", || {
            let has_come = match waits_for_an_answer {
                true => place.lines(&draft) > lines + usize::from(kills > 0),
                false => steps(&place, &draft) > steps_before,
            };
            has_come || place.lines(&name) > 0 || going.is_over()
        });
        going.kill();
        if place.lines(&name) > 0 {
            break;
        }
        kills += 1;
        let when = format!("after {kills} kills, at line {}", place.lines(&draft));
        draft_is_whole_or_torn(&place, case, &when);
        let (processes, open) = open_calls(&place, &draft);
        assert!(open <= case.together, "{open} calls were open {when}");
        // A call that was lost may be made again after the next process, too. A process that was
        // killed before it wrote a line has made none.
        lost += if processes > counted { open } else { 0 };
        counted = processes;
        let repeated = repeated(&whole, &fake);
        assert!(repeated <= lost, "{repeated} calls repeated, {when}");
        going = place.start_with(&fake, &["resume"]);
    }
    // Concurrent lines are written together.
    assert!(kills * 3 > whole.lines, "{kills} of {}", whole.lines);
    place.run(&["verify", &name]).ends(0);
    is_whole(&whole, &place, "killed everywhere");
}

#[test]
fn sixteen_runs_at_once_make_sixteen_versions() {
    let (place, fake) = (
        Place::new(),
        Fake::start(workshop(WorkshopScript::default())),
    );
    let all: Vec<Going> = (0..16)
        .map(|n| {
            place.start_with(
                &fake,
                &["plan", &format!("Wish number {n}"), "--rounds", "1"],
            )
        })
        .collect();
    let mut paths: Vec<String> = all
        .into_iter()
        .map(|going| going.end().ends(7).out)
        .collect();
    paths.sort();
    paths.dedup();
    assert_eq!(paths.len(), 16, "{paths:?}");
    let mut wanted: Vec<String> = (1..=16).map(|n| format!("v{n}")).collect();
    wanted.sort();
    assert_eq!(place.versions(), wanted);
    let mut wishes = BTreeSet::new();
    for version in &wanted {
        place.run(&["verify", version]).ends(0);
        let text = place.text(&format!("{version}/planning_transcript.jsonl"));
        let first: serde_json::Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
        wishes.insert(first["content"].as_str().unwrap().to_owned());
    }
    assert_eq!(wishes.len(), 16);
}
