//! What was looked at, as prompts show it.

use serde_json::{Value, json};

use super::super::measure::quarter_tokens;
use super::super::text::{line, split_tokens};
use crate::machine::{Find, Purpose, Seen, State};

/// What stands before the reader already, and how much more may.
pub(in crate::prompt) struct Shown {
    places: Vec<(String, u32, u32)>,
    left: u64,
}

impl Shown {
    /// Of a round, where everybody sees what one has looked at.
    pub fn in_round(state: &State) -> Self {
        Self {
            places: Vec::new(),
            left: state.inputs.grounding.round_tokens,
        }
    }

    /// Of one among several who look side by side, each with an equal share.
    pub fn apart(state: &State, purpose: Purpose) -> Self {
        let several = match purpose {
            Purpose::Document(_) => state.document_kinds().len(),
            _ => state.inputs.roles.members.len(),
        };
        let all = Self::in_round(state);
        Self {
            left: all.left / (several as u64).max(1),
            ..all
        }
    }

    /// How a place is shown: whole, or why not.
    fn take(&mut self, find: &Find) -> Result<(), &'static str> {
        let is_there = |(path, from, to): &(String, u32, u32)| {
            *path == find.path && *from <= find.from && find.to <= *to && find.from > 0
        };
        if self.places.iter().any(is_there) {
            return Err("above");
        }
        let cost = quarter_tokens(&find.text).div_ceil(4);
        if cost > self.left {
            return Err("full");
        }
        self.left -= cost;
        self.places.push((find.path.clone(), find.from, find.to));
        Ok(())
    }
}

/// One answer's looks with what was found; what stands there already is named only.
pub(in crate::prompt) fn looked(state: &State, index: usize, shown: &mut Shown) -> Value {
    let Some(record) = state.looks.all.get(index) else {
        return Value::Null;
    };
    let seen: Vec<Value> = record.seen.iter().map(|one| seen(one, shown)).collect();
    let code = state.inputs.roles.code(&record.call.member);
    json!({"is": "look", "code": code, "seen": seen})
}

fn seen(one: &Seen, shown: &mut Shown) -> Value {
    let found = one.found.iter().map(|find| {
        let (text, instead) = match shown.take(find) {
            Ok(()) => (Some(numbered(find)), None),
            Err(why) => (None, Some(why)),
        };
        json!({"place": line(&find.place()), "text": text, "instead": instead})
    });
    let look = &one.look;
    json!({
        "kind": look.kind.name(), "what": line(&look.what),
        "from": look.from, "to": look.to,
        "glob": look.glob.as_deref().map(line),
        "found": found.collect::<Vec<_>>(),
        "remark": one.remark.as_deref().map(line),
    })
}

/// The lines with their numbers, where they have some.
fn numbered(find: &Find) -> String {
    let text = split_tokens(&find.text);
    if find.from == 0 {
        return text;
    }
    let lines = (find.from..).zip(text.lines());
    let lines: Vec<String> = lines.map(|(n, line)| format!("{n:>5}  {line}")).collect();
    lines.join("\n")
}
