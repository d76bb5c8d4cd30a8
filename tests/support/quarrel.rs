//! A script in which two members object to each other until a ruling.

use serde_json::{Value, json};

/// PP and SD object to each other on I-1 in round 1, and the coach has it debated; in round 2 all
/// members back the ruling, and the coach cites it. `key` is that of the call, `ruling` the id of the
/// debate.
pub fn turned(key: &str, ruling: &str, text: &str) -> String {
    let mut said: Value = serde_json::from_str(text).unwrap();
    match key {
        "speech/ProductPlanner/r1" | "speech/SystemDesigner/r1" => {
            let position = on_the_first(&mut said["positions"]);
            position["stance"] = "object".into();
            position["proposal"] = format!("What {key} would do.").into();
        }
        "summary/Coach/r1" => {
            let side = |code: &str| json!({"member": code, "stands_for": "its own text"});
            said["coach"]["divergence"] = json!({
                "issue": "I-1", "criterion": "contradiction", "question": "Whose text?",
                "sides": [side("PP"), side("SD")],
            });
        }
        "summary/Coach/r2" => on_the_first(&mut said["coach"]["fates"])["cites"] = ruling.into(),
        key if key.starts_with("speech/") && key.ends_with("/r2") => {
            let position = on_the_first(&mut said["positions"]);
            position["stance"] = "agree".into();
            position["proposal"] = Value::Null;
            position["backs"] = ruling.into();
            position["changed_because"] = "The ruling.".into();
        }
        _ => {}
    }
    said.to_string()
}

fn on_the_first(list: &mut Value) -> &mut Value {
    let mut list = list.as_array_mut().unwrap().iter_mut();
    list.find(|one| one["issue"] == "I-1").unwrap()
}
