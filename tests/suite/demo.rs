//! `aitc demo`: a whole workshop without key or network that shows every feature and says that it
//! is scripted.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use crate::support::binary::{KEY, Place, Ran, files_below, transcript_in};
use crate::support::fake::{Fake, Reply, WorkshopScript, workshop};
use crate::support::normal::normalised;

const LANGUAGES: [&str; 2] = ["en", "zh"];
const OUTPUTS: &str = ".ai-tools-chain/planning_outputs";

/// Runs the demo into `aitc-demo`; returns its two versions.
fn shown(place: &Place, lang: &str) -> (Ran, [PathBuf; 2]) {
    let ran = place.run(&["demo", "--lang", lang]).ends(0);
    let outputs = Path::new("aitc-demo").join(OUTPUTS);
    let versions = ["v1", "v2"].map(|version| outputs.join(version));
    let printed: Vec<&str> = ran.out.lines().take(2).collect();
    assert_eq!(printed, versions.each_ref().map(|it| it.to_str().unwrap()));
    (ran, versions.map(|version| place.work().join(version)))
}

fn plan(version: &Path) -> Value {
    let text = std::fs::read_to_string(version.join("planning.ai.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// Folder with the script in that language.
fn scene(lang: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("fixtures/demo")
        .join(lang)
}

#[test]
fn nothing_can_be_found_wrong_with_what_it_leaves() {
    for lang in LANGUAGES {
        let place = Place::new();
        let (_, versions) = shown(&place, lang);
        for version in ["v1", "v2"] {
            for command in [&["check", "--strict"][..], &["verify"]] {
                let line = [&["-C", "aitc-demo"], command, &[version]].concat();
                place.run(&line).ends(0);
            }
        }
        for line in versions.iter().flat_map(|version| transcript_in(version)) {
            let phase = line["phase"].as_str().unwrap();
            assert!(
                !["reply_rejected", "call_failed", "call_given_up"].contains(&phase),
                "{line}"
            );
            // The scripted answers needed no correction.
            assert!(line["notes"].as_array().is_none_or(Vec::is_empty), "{line}");
        }
    }
}

#[test]
fn every_answer_that_was_written_is_given() {
    for lang in LANGUAGES {
        let place = Place::new();
        let (_, versions) = shown(&place, lang);
        let started = |line: &&Value| line["phase"] == "call_started";
        for version in versions {
            let mut asked: Vec<String> = transcript_in(&version)
                .iter()
                .filter(started)
                .map(|line| line["call"].as_str().unwrap().replace('/', "__") + ".json")
                .collect();
            asked.sort();
            let written = scene(lang).join(version.file_name().unwrap());
            let written = files_below(&written).into_iter();
            assert_eq!(asked, written.map(|(name, _)| name).collect::<Vec<_>>());
        }
    }
}

/// In both versions a member finds a fault in the finished plan, and its writer fixes it.
#[test]
fn the_review_changes_the_plan() {
    for lang in LANGUAGES {
        let place = Place::new();
        for version in shown(&place, lang).1 {
            let plan = plan(&version);
            let findings = plan["review"]["findings"].as_array().unwrap();
            let fates: Vec<&Value> = findings.iter().map(|one| &one["fate"]).collect();
            assert_eq!(fates, ["mended"], "{findings:?}");
        }
    }
}

/// The first version shows every feature of a workshop.
#[test]
fn it_shows_the_workshop_at_its_best() {
    for lang in LANGUAGES {
        let place = Place::new();
        let (ran, [version, _]) = shown(&place, lang);
        let plan = plan(&version);
        assert_eq!(plan["status"], "agreed");
        assert_eq!(plan["rounds"].as_array().unwrap().len(), 3);
        let sources: Vec<&Value> = plan["questions"]
            .as_array()
            .unwrap()
            .iter()
            .map(|question| &question["status"]["source"])
            .collect();
        assert_eq!(sources, ["answers_file", "assumed"]);
        assert_eq!(plan["assumptions"].as_array().unwrap().len(), 1);

        // An objection stopped the coach's decision; it was withdrawn later for a stated reason.
        assert_eq!(plan["dissent"]["refused"][0]["rule"], "objection_stands");
        assert_eq!(plan["dissent"]["refused"].as_array().unwrap().len(), 1);
        let issues = plan["issues"].as_array().unwrap();
        let turned = |position: &&Value| position["changed_because"].is_string();
        let positions = || {
            issues
                .iter()
                .flat_map(|i| i["positions"].as_array().unwrap())
        };
        assert_eq!(positions().filter(turned).count(), 5);
        for line in transcript_in(&version)
            .iter()
            .filter(|line| line["phase"] == "speaking")
        {
            for position in line["speech"]["positions"].as_array().unwrap() {
                if let Some(why) = position["changed_because"].as_str() {
                    let first: String = why.chars().take(20).collect();
                    let shown = ran.err.replace("\n  ", if lang == "zh" { "" } else { " " });
                    assert!(shown.contains(&first), "no `{first}` in {shown}");
                }
            }
        }

        // Issues with every outcome, and an objection that remains.
        let fates: Vec<&str> = issues
            .iter()
            .map(|issue| issue["status"]["is"].as_str().unwrap())
            .collect();
        for fate in ["settled", "refined", "merged", "open"] {
            assert!(fates.contains(&fate), "{fates:?}");
        }
        assert_eq!(plan["dissent"]["objections"][0]["member"], "ProductPlanner");
        let report = std::fs::read_to_string(version.join("planning_report.md")).unwrap();
        assert!(report.contains("```mermaid\nflowchart LR\n"));
        // One of two questions was answered; an assumption is not an answer.
        let answered = ["\n  - You", "\n  - 您"].map(|own| report.matches(own).count());
        assert_eq!(answered.iter().sum::<usize>(), 1, "{report}");

        // Claims about the code are verified; one of them followed a look at the file.
        let evidence = plan["evidence"].as_array().unwrap();
        assert_eq!(evidence.len(), 6);
        assert!(
            evidence.iter().all(|one| one["standing"] == "verified"),
            "{evidence:?}"
        );
        let lines = transcript_in(&version);
        assert!(lines.iter().any(|line| line["phase"] == "look"));
    }
}

/// The second version accounts for every point of the feedback, and each command is printed before
/// its output.
#[test]
fn each_point_of_the_feedback_is_accounted_for() {
    for lang in LANGUAGES {
        let place = Place::new();
        let (ran, [_, version]) = shown(&place, lang);
        let plan = plan(&version);
        assert_eq!(plan["status"], "agreed");
        let points = plan["feedback"].as_array().unwrap();
        assert_eq!(points.len(), 3);
        for point in points {
            assert_eq!(point["fate"], "changed", "{point}");
            assert_ne!(point["consensus"], json!([]), "{point}");
        }
        // The feedback answers the assumption and replaces two agreed items.
        assert_eq!(plan["assumptions"], json!([]));
        let report = std::fs::read_to_string(version.join("planning_report.md")).unwrap();
        let told = ["  - You, as feedback: 30 days", "  - 您在反馈中回答：30 天"];
        assert!(told.iter().any(|one| report.contains(one)), "{report}");
        let carried = plan["carried"].as_array().unwrap();
        let replaced = carried.iter().filter(|one| one["fate"] == "superseded");
        assert_eq!(replaced.count(), 2);

        let typed: Vec<&str> = ran.err.lines().filter(|l| l.starts_with("$ ")).collect();
        let begins = [
            "$ cd aitc-demo",
            "$ aitc plan \"",
            "$ aitc revise v1 \"A-1",
            "$ aitc diff v1 v2",
            "$ aitc check v2",
        ];
        assert_eq!(typed.len(), begins.len(), "{typed:?}");
        for (line, begin) in typed.iter().zip(begins) {
            assert!(line.starts_with(begin), "{line}");
        }
        let told = |line: &[&str]| {
            let line = [&["-C", "aitc-demo", "--lang", lang], line].concat();
            place.run(&line).ends(0).out
        };
        let printed = ran.out.lines().skip(2).collect::<Vec<_>>().join("\n") + "\n";
        let diff = told(&["diff", "v1", "v2"]);
        assert!(diff.lines().count() > 40, "{diff}");
        assert_eq!(printed, diff + &told(&["check", "v2"]));
    }
}

#[test]
fn it_says_that_it_is_a_script() {
    for (lang, parts, report) in [
        (
            "en",
            [
                "A demonstration: the answers of members and user were scripted in advance",
                "· replayed from a script, no language model",
                "35 replayed from a script, no language model",
            ],
            "**Every answer was replayed from a script; no language model took part.**",
        ),
        (
            "zh",
            [
                "演示：成员和用户的话是事先写好的",
                "· 按脚本回放，未使用语言模型",
                "35 次，均按脚本回放，未使用语言模型",
            ],
            "**所有回答均按脚本回放，没有语言模型参与。**",
        ),
    ] {
        let place = Place::new();
        let (ran, versions) = shown(&place, lang);
        ran.says(&parts);
        for version in versions {
            let text = std::fs::read_to_string(version.join("planning_report.md")).unwrap();
            assert!(text.contains(report), "{text}");
            assert_eq!(plan(&version)["usage"]["total"]["input"], 0);
        }
    }
}

/// Files are also read alone, for example in a pull request or through a link.
#[test]
fn every_file_says_whose_words_it_holds() {
    for (lang, words) in [
        ("en", ["script", "recordings"]),
        ("zh", ["脚本", "recordings"]),
    ] {
        let place = Place::new();
        let (_, versions) = shown(&place, lang);
        for (name, bytes) in versions.iter().flat_map(|version| files_below(version)) {
            let text = String::from_utf8(bytes).unwrap();
            let says = words.iter().any(|word| text.contains(word));
            // The manifest contains only digests, and `feedback.md` only the user's text.
            let is_free = ["manifest.json", "feedback.md"].contains(&&*name);
            assert!(says || is_free, "{name}: {words:?}\n{text}");
        }
    }
}

#[test]
fn what_it_proposes_to_look_at_can_be_looked_at() {
    for lang in LANGUAGES {
        let place = Place::new();
        let (ran, _) = shown(&place, lang);
        let commands: Vec<&str> = ran
            .err
            .lines()
            .map(str::trim)
            .filter(|line| line.starts_with("aitc ") || line.starts_with("cd "))
            .collect();
        assert_eq!(commands.len(), 5, "{commands:?}");
        assert_eq!(commands[0], "cd aitc-demo");
        let folder = place.work().join("aitc-demo");
        let place = place.elsewhere(&folder);
        for command in &commands[1..4] {
            let words: Vec<&str> = command.split(' ').skip(1).collect();
            let ran = place.run(&words).ends(0);
            assert!(ran.out.lines().count() > 5, "{command}: {ran:#?}");
        }
        assert!(commands[4].starts_with("aitc plan \""), "{commands:?}");
    }
}

/// The scripted answers are as good as a model's; the limits that a grammar sets for texts and
/// lists must not cut them.
#[test]
fn good_answers_fit_into_the_grammar_of_every_call() {
    for lang in LANGUAGES {
        let scene = scene(lang);
        let place = Place::new();
        for (name, bytes) in files_below(&scene.join("workspace")) {
            place.write(&name, &String::from_utf8(bytes).unwrap());
        }
        let path = |name: &str| scene.join(name).to_str().unwrap().to_owned();
        let (wish, answers, feedback) = (
            path("requirement.md"),
            path("answers.yaml"),
            path("feedback.md"),
        );
        for (version, line, calls) in [
            ("v1", &["plan", "-f", &wish, "--answers", &answers][..], 35),
            ("v2", &["revise", "v1", "-f", &feedback], 19),
        ] {
            let (fake, tight) = said_from(scene.join(version));
            let languages = ["--lang", lang, "--doc-lang", lang];
            let line = [
                line,
                &languages,
                &["--questions", "assume", "--review", "on"],
            ]
            .concat();
            place.run_at("llamacpp", &fake.base_url(), &line).ends(0);
            let seen = fake.seen();
            assert_eq!(
                seen.iter().filter(|seen| seen.turn.is_some()).count(),
                calls
            );
            assert_eq!(*tight.lock().unwrap(), Vec::<String>::new(), "{lang}");
        }
    }
}

/// A server that gives the answers of the folder and records where an answer does not match the
/// schema of its call.
fn said_from(folder: PathBuf) -> (Fake, Arc<Mutex<Vec<String>>>) {
    let written = files_below(&folder);
    let tight: Arc<Mutex<Vec<String>>> = Arc::default();
    let found = Arc::clone(&tight);
    let given = Mutex::new(BTreeSet::new());
    let fake = Fake::start(move |seen| {
        let turn = seen.turn.as_ref().expect("a call of the workshop");
        let round = (turn.round > 0).then(|| format!("__r{}__", turn.round));
        let mut parts = vec![format!("__{}__{}__", turn.purpose.name(), turn.member)];
        parts.extend(round);
        let amends = turn.task.starts_with("Now amend") || turn.task.contains("修订上面的文档");
        parts.extend(amends.then(|| "__t2__".to_owned()));
        parts.extend(turn.questions.iter().map(|id| format!("{id}__")));
        let fits = |(name, _): &&(String, Vec<u8>)| parts.iter().all(|it| name.contains(it));
        // A member that requested a look is asked again, and its second answer is used.
        let mut given = given.lock().unwrap();
        let fitting: Vec<_> = written.iter().filter(fits).collect();
        let next = fitting.iter().find(|(name, _)| !given.contains(name));
        let (name, bytes) = next.or(fitting.last()).expect("an answer");
        given.insert(name.clone());
        let file: Value = serde_json::from_slice(bytes).unwrap();
        let schema = &seen.body["response_format"]["json_schema"]["schema"];
        let validator = jsonschema::validator_for(schema).unwrap();
        let errors = validator.iter_errors(&file["answer"]);
        // The scripted answers leave out null fields.
        let errors = errors.filter(|error| !error.to_string().contains("required property"));
        // The schema allows no plan as one text, and a call with a grammar allows no looks or
        // evidence.
        let closed = ["/plan", "/looks", "/evidence"];
        let errors =
            errors.filter(|error| !closed.contains(&error.instance_path().to_string().as_str()));
        let said = errors.map(|e| format!("{name} {}: {e}", e.instance_path()));
        found.lock().unwrap().extend(said);
        Reply::Text(file["answer"].to_string())
    });
    (fake, tight)
}

#[test]
fn twice_is_the_same_but_for_time() {
    for lang in LANGUAGES {
        let (one, other) = (Place::new(), Place::new());
        let (one, other) = (shown(&one, lang).1, shown(&other, lang).1);
        let plain = |versions: &[PathBuf; 2]| {
            let mut files = versions.each_ref().map(|version| normalised(version));
            for version in versions {
                // The run's id, and the hash of the transcript that it revises.
                let plan = plan(version);
                for name in [&plan["run_id"], &plan["from"]["head"]] {
                    let name = name.as_str().unwrap_or("nothing goes by this name");
                    for text in files.iter_mut().flat_map(|files| files.values_mut()) {
                        *text = text.replace(name, "NAME");
                    }
                }
            }
            files
        };
        let (one, other) = (plain(&one), plain(&other));
        assert_eq!(one.each_ref().map(|files| files.len()), [24, 15]);
        for (one, other) in one.iter().zip(&other) {
            for (path, text) in one {
                assert_eq!(Some(text), other.get(path), "{path}");
            }
        }
    }
}

/// Keys, addresses and configuration in the environment have no effect, and no model is called.
#[test]
fn it_is_the_same_wherever_it_is_given() {
    let place = Place::new();
    let fake = Fake::start(workshop(WorkshopScript::default()));
    place.configure_project("limits:\n  max_rounds: 1\n");
    let mut command = place.command_with(&fake, &["demo", "--out", "tour"]);
    command
        .env("OPENAI_API_KEY", KEY)
        .env("AITC_DISCOVER", "on");
    let ran = crate::support::binary::Going::start(command).end().ends(0);
    assert!(!ran.err.contains("fake-1"), "{ran:#?}");
    assert_eq!(fake.seen().len(), 0);
    assert!(place.versions().is_empty(), "it stays in its own folder");
    let files = files_below(&place.work().join("tour"));
    let all: Vec<u8> = files.into_iter().flat_map(|(_, bytes)| bytes).collect();
    assert!(!String::from_utf8_lossy(&all).contains(KEY));
}
