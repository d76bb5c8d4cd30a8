//! Text written in the user's editor.

use super::*;

/// Runs the command on a terminal with these variables; the editor's files are created in the
/// place.
fn at(place: &Place, arguments: &[&str], variables: &[(&str, &str)]) -> Closed {
    let mut command = place.command(arguments);
    command.env("TERM", "xterm-256color").env_remove("COLUMNS");
    command.env("PATH", std::env::var_os("PATH").unwrap());
    command.env("TMPDIR", place.work());
    command.envs(variables.iter().copied());
    let closed = OnTerminal::all_of(command, (100, 40)).closes();
    assert!(closed.was_restored);
    closed
}

/// An editor that inserts `text` above the existing content and saves a copy of it.
fn writes(place: &Place, text: &str) -> String {
    let script = format!(
        "{{ echo '{text}'; cat \"$1\"; }} > \"$1.new\" && cp \"$1.new\" seen && mv \"$1.new\" \"$1\"\n"
    );
    place.write("edit with this.sh", &script);
    "sh 'edit with this.sh'".to_owned()
}

#[test]
fn a_requirement_that_is_not_given_is_written_in_the_editor() {
    let place = Place::new();
    let editor = writes(&place, WISH);
    let arguments = ["plan", "--questions", "assume", "--light"];
    // `VISUAL` has precedence over `EDITOR`.
    let variables = [("VISUAL", &*editor), ("EDITOR", "false")];
    let closed = at(&place, &arguments, &variables);
    assert_eq!(closed.code, 0, "{}", closed.bytes);
    let first = place.text("v1/planning_transcript.jsonl");
    let first: serde_json::Value = serde_json::from_str(first.lines().next().unwrap()).unwrap();
    assert_eq!(first["content"], WISH, "without what stood there");
    let seen = std::fs::read_to_string(place.work().join("seen")).unwrap();
    assert!(seen.contains("write the requirement above"), "{seen}");
    // The written text is kept, whatever the result of the run.
    assert!(
        closed.bytes.contains("what you wrote is kept in"),
        "{}",
        closed.bytes
    );
}

#[test]
fn the_question_stands_below_its_answer() {
    let place = Place::new();
    let plan = ["plan", WISH, "--questions", "pause"];
    place.run(&plan).ends(8);
    let editor = writes(&place, "Only administrators");
    let closed = at(&place, &["answer", "Q-1"], &[("EDITOR", &editor)]);
    assert_eq!(closed.code, 0, "{}", closed.bytes);
    let asked = place.run(&["questions", "--json"]).ends(0).out;
    let asked: serde_json::Value = serde_json::from_str(&asked).unwrap();
    let seen = std::fs::read_to_string(place.work().join("seen")).unwrap();
    let text = asked["questions"][0]["text"].as_str().unwrap();
    let flowing = seen.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(flowing.contains(text), "{text}\n{seen}");
    place.run(&["resume", "v1", "--questions", "assume"]);
    let answered = place.events("v1", "user_clarification_dialogue");
    assert_eq!(answered[0]["user_reply"], "Only administrators");
}

#[test]
fn nothing_comes_from_an_editor_that_fails_is_missing_or_writes_nothing() {
    let place = Place::new();
    for (editor, code, parts) in [
        ("false", "E-editor", "ended with an error"),
        ("/nowhere/editor", "E-editor", "no such program"),
        ("true", "E-text-missing", "there is no requirement"),
    ] {
        let closed = at(&place, &["plan"], &[("EDITOR", editor)]);
        assert_eq!(closed.code, 2, "{editor}: {}", closed.bytes);
        assert!(closed.bytes.contains(code), "{editor}: {}", closed.bytes);
        assert!(closed.bytes.contains(parts), "{editor}: {}", closed.bytes);
    }
    let told = at(&place, &["plan", "--lang", "zh"], &[("EDITOR", "false")]).bytes;
    assert!(told.contains("没能从编辑器"), "{told}");
    // Without a user, no editor is started.
    for arguments in [&["plan", "--no-input"][..], &["plan", "--json"]] {
        let mut command = place.command(arguments);
        command.env("EDITOR", "touch");
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        let told = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        assert!(told.contains("there is no requirement"), "{told}");
    }
    assert!(!place.outputs("").exists(), "and no run was begun");
}
