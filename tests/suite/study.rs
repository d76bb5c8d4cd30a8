//! `scripts/study`: three ways to plan, judged without knowing their origin, with a server of the
//! test as the model.
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::support::binary::{Going, Place, Ran, git};
use crate::support::fake::{Fake, Reply, Seen, WorkshopScript, workshop};
use crate::support::programs::{go_between, there};

const ONE_PROMPT: &str = "Made from one prompt";
const READING: &str = "Made by reading";

/// Plans according to the prompt, and scores a plan by its origin, whatever its position.
fn planner_and_judge() -> Fake {
    let script = workshop(WorkshopScript {
        rounds_to_converge: 1,
        ..WorkshopScript::default()
    });
    Fake::start(move |seen| {
        let text = seen.text();
        let answer = match () {
            () if text.contains("Above are a requirement") => scores(&text),
            () if text.contains("Plan the change that") => {
                let reads = ["# More of the repository", "The repository is the folder"];
                plan(if reads.iter().any(|words| text.contains(words)) {
                    READING
                } else {
                    ONE_PROMPT
                })
            }
            () => return script(seen),
        };
        Reply::Text(answer.to_string())
    })
}

fn plan(title: &str) -> Value {
    json!({"title": title, "in_short": "Short.", "behaviour": "- It exports.", "order": "",
        "ground": "- There is a list (`src/list.rs:1`).", "changes": "- `src/list.rs`",
        "decide": [{"what": "All | of it", "recommended": "Yes.", "otherwise": "No."}],
        "criteria": "", "tests": "", "risks": ""})
}

fn scores(text: &str) -> Value {
    let of = |number: usize| {
        let at = text.find(&format!("# Plan {number}\n")).unwrap();
        let head: String = text[at..].chars().take(60).collect();
        match () {
            () if head.contains(ONE_PROMPT) => 5,
            () if head.contains(READING) => 7,
            () => 9,
        }
    };
    let plans: Vec<Value> = (1..=3)
        .map(|number| {
            let score = of(number);
            json!({"plan": number, "correct": score, "complete": score, "decisions": score,
                "risks": score, "testable": score, "actionable": score, "readable": score,
                "approve": if score > 6 { "yes" } else { "no" }, "why": "So it is."})
        })
        .collect();
    json!({ "plans": plans })
}

/// A case whose repository has a commit after the parent.
fn case(place: &Place) -> PathBuf {
    let case = place.work().join("case");
    let repository = case.join("repository");
    std::fs::create_dir_all(repository.join("src")).unwrap();
    std::fs::write(
        case.join("requirement.md"),
        "Export the customer list as CSV\n",
    )
    .unwrap();
    std::fs::write(repository.join("src/list.rs"), "pub fn list() {}\n").unwrap();
    git(&repository, &["init", "--quiet"]);
    commit(&repository, "first");
    std::fs::write(
        case.join("parent"),
        git(&repository, &["rev-parse", "HEAD"]),
    )
    .unwrap();
    std::fs::write(repository.join("src/export.rs"), "pub fn export() {}\n").unwrap();
    commit(&repository, "the solution");
    case
}

/// Number of calls, without requests for the list of models.
fn calls(fake: &Fake) -> usize {
    let seen = fake.seen();
    seen.iter().filter(|seen| !seen.messages.is_empty()).count()
}

/// Positions at which a judge was shown the plans made by one prompt and by reading.
fn order(seen: &Seen) -> Option<[usize; 2]> {
    let text = seen.text();
    let number = |title: &str| Some(text[..text.find(title)?].matches("# Plan ").count());
    match text.contains("Above are a requirement") {
        true => Some([number(ONE_PROMPT)?, number(READING)?]),
        false => None,
    }
}

fn commit(repository: &Path, subject: &str) {
    git(repository, &["add", "."]);
    git(repository, &["commit", "--quiet", "-m", subject]);
}

fn study(place: &Place, run: &Command, more: &[&str]) -> Ran {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/study");
    let path = std::env::var("PATH").unwrap();
    let path = format!("{}:{path}", place.home().display());
    let mut command = Command::new("python3");
    command
        .arg(script)
        .args(["case", "--aitc"])
        .arg(run.get_program())
        .args(more)
        .env_clear()
        .envs(
            run.get_envs()
                .filter_map(|(name, value)| Some((name, value?))),
        )
        .env("PATH", path)
        .current_dir(place.work());
    Going::start(command).end()
}

#[test]
fn three_plans_are_made_and_judged_once() {
    if !there(&["python3", "git"]) {
        return;
    }
    let (place, fake) = (Place::new(), planner_and_judge());
    let case = case(&place).join("study");
    let run = place.command_with(&fake, &[]);
    let ran = study(&place, &run, &[]).ends(0);
    let rows: Vec<Vec<&str>> = ran
        .out
        .lines()
        .map(|line| line.split('|').map(str::trim).collect())
        .collect();
    assert_eq!(rows[0][1..4], ["way", "correct", "complete"], "{}", ran.out);
    for (row, way, each, sum, approved) in [
        (2, "workshop", "9.0", "63.0", "4 of 4"),
        (3, "prompt", "5.0", "35.0", "0 of 4"),
        (4, "reading", "7.0", "49.0", "4 of 4"),
    ] {
        let row = &rows[row];
        assert_eq!(row[1], way);
        assert!(row[2..9].iter().all(|score| *score == each), "{row:?}");
        assert_eq!(row[9..13], [sum, sum, sum, approved], "{row:?}");
        let figures = row[13..16].iter().map(|n| n.replace(',', ""));
        assert!(
            figures.map(|n| n.parse::<u64>().unwrap()).all(|n| n > 0),
            "{row:?}"
        );
    }
    let read = |path: &str| std::fs::read_to_string(case.join(path)).unwrap();
    assert_eq!(read("table.md"), ran.out);

    // A plan contains nothing about its origin, and the trees contain nothing about the solution.
    let workshop = read("plans/workshop.md");
    assert!(workshop.contains("## Behaviour\n"), "{workshop}");
    let an_id = regex::Regex::new(r"\b(AC|C|DEC|E|I|M|Q|R|T|W)-\d").unwrap();
    assert!(!an_id.is_match(&workshop), "{workshop}");
    assert!(!workshop.contains("Planner"), "{workshop}");
    assert!(read("plans/prompt.md").contains("All \\| of it"));
    for way in ["workshop", "prompt", "reading"] {
        let tree = case.join("trees").join(way);
        assert!(tree.join("src/list.rs").exists() && !tree.join("src/export.rs").exists());
        assert_eq!(git(&tree, &["log", "--all", "--format=%s"]), "first\n");
    }
    let orders: Vec<[usize; 2]> = fake.seen().iter().filter_map(order).collect();
    assert_eq!(orders.len(), 4);
    for other in [1, 2, 3] {
        assert_ne!(orders[0], orders[other], "{orders:?}");
    }

    // Existing results are kept; a deleted one is made again.
    let asked = calls(&fake);
    assert_eq!(study(&place, &run, &[]).ends(0).out, ran.out);
    assert_eq!(calls(&fake), asked);
    std::fs::remove_file(case.join("judges/2-back.json")).unwrap();
    assert_eq!(study(&place, &run, &[]).ends(0).out, ran.out);
    assert_eq!(calls(&fake), asked + 1);
}

#[test]
fn an_agent_reads_the_repository_itself() {
    if !there(&["python3", "git"]) {
        return;
    }
    let (place, fake) = (Place::new(), planner_and_judge());
    let tree = case(&place).join("study/trees/reading");
    let seen = place.home().join("seen");
    let first = format!("pwd >> {0}; ls >> {0}", seen.display());
    go_between(&place.home(), "claude", &fake, &first);
    let run = place.command_with(&fake, &[]);
    study(&place, &run, &["--agent", "claude-code"]).ends(0);
    let seen = std::fs::read_to_string(seen).unwrap();
    let tree = tree.canonicalize().unwrap();
    assert_eq!(
        seen,
        format!("{}\nsrc\n", tree.display()),
        "asked once, and there"
    );
    let looks = "# More of the repository";
    assert!(!fake.seen().iter().any(|seen| seen.text().contains(looks)));
}

#[test]
fn a_study_says_what_is_missing_before_anything_is_asked() {
    if !there(&["python3", "git"]) {
        return;
    }
    let (place, fake) = (Place::new(), planner_and_judge());
    let case = case(&place);
    let run = place.command_with(&fake, &[]);
    let parent = std::fs::read_to_string(case.join("parent")).unwrap();

    std::fs::write(case.join("parent"), "0123456789\n").unwrap();
    study(&place, &run, &[])
        .ends(2)
        .says(&["has no commit `0123456789`", "case/parent"]);
    std::fs::write(case.join("parent"), parent).unwrap();
    std::fs::rename(case.join("requirement.md"), case.join("wish.md")).unwrap();
    study(&place, &run, &[])
        .ends(2)
        .says(&["requirement.md` is missing", "fix: put there"]);
    std::fs::rename(case.join("wish.md"), case.join("requirement.md")).unwrap();
    study(&place, &run, &["--judge", "opnai:x"])
        .ends(2)
        .says(&["E-provider-unknown"]);
    study(&place, &run, &["--agent", "claude-code"])
        .ends(5)
        .says(&["E-program-missing"]);
    study(&place, &run, &["--aitc", "no-such-aitc"])
        .ends(2)
        .says(&["name it with --aitc"]);
    let nobody = place.command_without_model(&[]);
    study(&place, &nobody, &[]).ends(4).says(&["E-model-none"]);
    assert_eq!(calls(&fake), 0);
}
