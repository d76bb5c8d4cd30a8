//! Lookups and their results, as prompts show them.

use serde_json::{Value, json};

use super::super::measure::quarter_tokens;
use super::super::text::{line, split_tokens};
use crate::machine::{
    CallId, DiscussionItem, Excerpt, LookResult, Purpose, State, TrialRecord, trial,
};
use crate::reply::LookKind;

/// About how many tokens a line of code has.
pub(super) const TOKENS_A_LINE: u64 = 12;

/// What the reader has already seen, and how much more may be shown.
pub(in crate::prompt) struct Shown {
    places: Vec<(String, u32, u32)>,
    left: u64,
    /// The turn whose lookups are being shown.
    turn: Option<LookTurn>,
    /// Whether the budget belongs to one member alone and is not shared.
    is_own: bool,
}

/// A turn whose lookups are shown.
struct LookTurn {
    call: CallId,
    /// The rest of its share, in tokens.
    share: u64,
    has_seen: bool,
}

impl Shown {
    /// For a round, in which everybody sees what any member looked up.
    pub fn in_round(state: &State) -> Self {
        Self {
            places: Vec::new(),
            left: state.inputs.rules.grounding.round_tokens,
            turn: None,
            is_own: false,
        }
    }

    /// For one of several members who look things up in parallel, each with an equal share.
    pub fn apart(state: &State, purpose: Purpose) -> Self {
        let several = match purpose {
            Purpose::Document(_) => state.document_kinds().len(),
            _ => state.inputs.roles.members.len(),
        };
        let all = Self::in_round(state);
        Self {
            left: all.left / (several as u64).max(1),
            is_own: true,
            ..all
        }
    }

    /// Gives the turn of a call its share of the rest: an equal part for each member who has yet to
    /// speak, so that the first ones do not use up everything.
    fn begin(&mut self, state: &State, call: &CallId) {
        let turn = call.unlooked();
        if self.turn.as_ref().is_some_and(|last| last.call == turn) {
            return;
        }
        let members = state.inputs.roles.members.len() as u64;
        let sharers = match call.purpose {
            _ if self.is_own => 1,
            Purpose::Speech => (members + 1).saturating_sub(call.turn.into()).max(1),
            _ => members + 1,
        };
        self.turn = Some(LookTurn {
            call: turn,
            share: self.left / sharers,
            has_seen: false,
        });
    }

    /// About how many more lines of code the turn may see.
    fn lines_left(&self) -> u64 {
        self.turn
            .as_ref()
            .map_or(0, |turn| turn.share / TOKENS_A_LINE)
    }

    /// Marks a place as shown, or returns why it is not.
    fn take(&mut self, find: &Excerpt) -> Result<(), &'static str> {
        let is_there = |(path, from, to): &(String, u32, u32)| {
            *path == find.path && *from <= find.from && find.to <= *to && find.from > 0
        };
        if self.places.iter().any(is_there) {
            return Err("above");
        }
        let cost = quarter_tokens(&find.text).div_ceil(4);
        let left = self.left;
        let Some(turn) = &mut self.turn else {
            return Err("full");
        };
        // The first place is shown even if it is larger than the share.
        let fits = cost <= turn.share || (!turn.has_seen && cost <= left);
        if !fits {
            return Err("full");
        }
        turn.share = turn.share.saturating_sub(cost);
        turn.has_seen = true;
        self.left -= cost;
        self.places.push((find.path.clone(), find.from, find.to));
        Ok(())
    }
}

impl Shown {
    /// The last lines of a trial's output if there is no room for all of it, and the place of the
    /// lines before them: the end shows how the trial went. Some lines are shown even if the share
    /// is used up; `None` if the last line alone is too long.
    fn take_end(&mut self, find: &Excerpt) -> Option<(Excerpt, Option<String>)> {
        const LEAST_TOKENS: u64 = 150;
        let turn = self.turn.as_mut()?;
        let room = turn.share.max(LEAST_TOKENS);
        let lines: Vec<&str> = find.text.lines().collect();
        let mut quarters = 0;
        let fits = |line: &&&str| {
            quarters += quarter_tokens(line) + 1;
            quarters.div_ceil(4) <= room
        };
        let left_out = lines.len() - lines.iter().rev().take_while(fits).count();
        if left_out == lines.len() {
            return None;
        }
        let end = Excerpt {
            from: find.from + left_out as u32,
            text: lines[left_out..].join("\n"),
            ..find.clone()
        };
        let before = (left_out > 0).then(|| Excerpt {
            to: end.from - 1,
            ..find.clone()
        });
        let cost = quarter_tokens(&end.text).div_ceil(4);
        turn.share = turn.share.saturating_sub(cost);
        turn.has_seen = true;
        self.left = self.left.saturating_sub(cost);
        self.places.push((end.path.clone(), end.from, end.to));
        Some((end, before.map(|it| it.place())))
    }
}

/// A lookup of a round as everybody sees it, after all that were shown before it.
pub(in crate::prompt) fn looked_in_round(state: &State, index: usize) -> Value {
    let mut shown = Shown::in_round(state);
    let before = state.discussion.said.iter().map_while(|said| match said {
        DiscussionItem::Look(other) if *other == index => None,
        DiscussionItem::Look(other) => Some(Some(*other)),
        _ => Some(None),
    });
    for earlier in before.flatten() {
        looked(state, earlier, &mut shown);
    }
    looked(state, index, &mut shown)
}

/// Returns whether a lookup found only what there was no room to show.
pub(in crate::prompt) fn is_out_of_room(look: &Value) -> bool {
    let is_some = |list: &str| {
        let seen = look["seen"].as_array().into_iter().flatten();
        seen.filter_map(|one| one[list].as_array())
            .any(|all| !all.is_empty())
    };
    is_some("full") && !is_some("found")
}

/// One answer's lookups with their results. What the prompt already holds is only named.
pub(in crate::prompt) fn looked(state: &State, index: usize, shown: &mut Shown) -> Value {
    let Some(record) = state.grounding.looks.all.get(index) else {
        return Value::Null;
    };
    shown.begin(state, &record.call);
    let seen: Vec<Value> = record.seen.iter().map(|one| seen(one, shown)).collect();
    let code = state.inputs.roles.code(&record.call.member);
    json!({"is": "look", "code": code, "seen": seen, "lines": shown.lines_left()})
}

/// A trial whose result did not reach the member that asked for it: how it ended, or null if that
/// is lost.
pub(in crate::prompt) fn cut_off(state: &State, one: &TrialRecord) -> Value {
    let look = &one.seen.look;
    let command: Vec<_> = look.command.iter().map(|word| line(word)).collect();
    let ended = |trial| line(&trial::ended(trial, state.inputs.doc_lang));
    let end = one.seen.trial.as_ref().filter(|_| one.waits).map(ended);
    json!({"id": one.id, "what": line(&look.what), "command": command, "end": end})
}

fn seen(one: &LookResult, shown: &mut Shown) -> Value {
    let (mut found, mut above, mut full) = (Vec::new(), Vec::new(), Vec::new());
    for find in &one.found {
        let place = line(&find.place());
        match shown.take(find) {
            Ok(()) => found.push(json!({"place": place, "text": numbered(find)})),
            Err("above") => above.push(place),
            Err(_) if one.look.kind == LookKind::Try => match shown.take_end(find) {
                Some((end, before)) => {
                    let place = line(&end.place());
                    found.push(json!({"place": place, "text": numbered(&end)}));
                    full.extend(before.as_deref().map(line));
                }
                None => full.push(place),
            },
            Err(_) => full.push(place),
        }
    }
    let look = &one.look;
    json!({
        "kind": look.kind.name(), "what": line(&look.what),
        "command": look.command.iter().map(|word| line(word)).collect::<Vec<_>>(),
        "files": look.files.iter().map(|file| line(&file.path)).collect::<Vec<_>>(),
        "base": look.base.as_deref().map(line),
        "from": look.from, "to": look.to,
        "glob": look.glob.as_deref().map(line),
        "is_empty": one.found.is_empty(),
        "found": found, "above": above, "full": full,
        "remark": one.remark.as_deref().map(line),
    })
}

/// The lines with their numbers, if they have numbers.
fn numbered(find: &Excerpt) -> String {
    let text = split_tokens(&find.text);
    if find.from == 0 {
        return text;
    }
    let lines = (find.from..).zip(text.lines());
    let lines: Vec<String> = lines.map(|(n, line)| format!("{n:>5}  {line}")).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::Scope;
    use crate::role::RoleId;

    #[test]
    fn of_an_output_without_room_the_last_lines_are_shown() {
        let printed: Vec<String> = (1..=100)
            .map(|n| format!("line {n} of the output"))
            .collect();
        let output = Excerpt {
            path: "RUN-1".to_owned(),
            from: 1,
            to: 100,
            text: printed.join("\n"),
        };
        let with_share = |share| Shown {
            places: Vec::new(),
            left: share,
            turn: Some(LookTurn {
                call: CallId::new(
                    Scope::Root,
                    Purpose::Review,
                    RoleId::from("TestPlanner"),
                    1,
                    1,
                ),
                share,
                has_seen: true,
            }),
            is_own: true,
        };
        for (share, first) in [(0, 74), (300, 47)] {
            let (end, before) = with_share(share).take_end(&output).unwrap();
            assert_eq!((end.from, end.to), (first, 100));
            assert!(
                end.text.starts_with(&printed[first as usize - 1]),
                "{}",
                end.text
            );
            assert!(end.text.ends_with("line 100 of the output"), "{}", end.text);
            assert_eq!(before, Some(format!("RUN-1:1-{}", first - 1)));
        }
        let one_line = Excerpt {
            to: 1,
            text: "x".repeat(4_000),
            ..output
        };
        assert!(with_share(0).take_end(&one_line).is_none());
    }
}
