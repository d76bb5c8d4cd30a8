//! What is asked about a moment of a meeting: the prompts of its calls, messages that could have
//! been sent then, and events that did not happen.

use workshop::chat::ChatRequest;
use workshop::machine::*;
use workshop::prompt::Prompter;

use super::{is_it, phase_of};
use crate::support::changes::{change, changed};
use crate::support::meeting::*;

/// The entries after the first, each with the state before it.
pub fn moments(meeting: &Meeting) -> impl Iterator<Item = (State, &Entry)> {
    let mut state = State::open(&meeting.entries[0]).unwrap();
    meeting.entries[1..].iter().map(move |entry| {
        let before = state.clone();
        state.apply(entry).unwrap();
        (before, entry)
    })
}

/// The requests of the calls with these words in their ids, or of all.
pub fn requests(meeting: &Meeting, words: &str) -> Vec<ChatRequest> {
    let words: Vec<String> = words.split(' ').map(str::to_owned).collect();
    let prompter = Prompter::new(&meeting.state.inputs).unwrap();
    let asked = moments(meeting).filter_map(|(state, entry)| match &entry.event {
        Event::CallStarted { call, .. } if words == ["all"] || is_it(&state, call, &words) => {
            Some(prompter.request(&state, call).unwrap())
        }
        _ => None,
    });
    asked.collect()
}

/// The ids that the prompt of the first of these calls is made of.
pub fn context(meeting: &Meeting, words: &str) -> Vec<String> {
    let words: Vec<String> = words.split(' ').map(str::to_owned).collect();
    let mut moments = moments(meeting);
    let ids = moments.find_map(|(state, entry)| match &entry.event {
        Event::CallStarted { call, .. } if is_it(&state, call, &words) => {
            Some(workshop::prompt::context(&state, call))
        }
        _ => None,
    });
    vec![ids.expect("a call").join(" ")]
}

/// The lines of the first of these prompts that contain a text.
pub fn prompt(meeting: &Meeting, words: &str, part: &str) -> Vec<String> {
    let requests = requests(meeting, words);
    let prompt = messages(requests.first().expect(words));
    let lines = prompt.lines().filter(|line| line.contains(part));
    // A heading would begin another case.
    let lines = lines.map(|line| line.trim().trim_start_matches("# "));
    lines.map(str::to_owned).collect()
}

/// The calls whose prompts contain a text, and how often.
pub fn prompted(meeting: &Meeting, words: &str, part: &str) -> Vec<String> {
    let requests = requests(meeting, words).into_iter();
    let told = requests.filter_map(|one| match messages(&one).matches(part).count() {
        0 => None,
        1 => Some(one.call.to_string()),
        n => Some(format!("{} × {n}", one.call)),
    });
    told.collect()
}

/// The state before an event and the event: the first of this phase, or another one by its number,
/// `speaking 2`, or by words of its call, `call_started D-1,PP`. What follows is for the reader.
fn moment(meeting: &Meeting, place: &str) -> (State, Event) {
    let (phase, rest) = place.split_once(' ').unwrap_or((place, ""));
    let word = rest.split(' ').next().unwrap();
    let words: Vec<String> = word.split(',').map(str::to_owned).collect();
    let mut own = moments(meeting).filter(|(state, entry)| match &entry.event {
        Event::CallStarted { call, .. } => phase == "call_started" && is_it(state, call, &words),
        _ => phase_of(entry) == phase,
    });
    let number: usize = word.parse().unwrap_or(1);
    let (state, entry) = own.nth(number - 1).expect(place);
    (state, entry.event.clone())
}

/// The meeting before an event, found as in [`moment`].
pub fn at(meeting: &Meeting, place: &str) -> Meeting {
    let (state, _) = moment(meeting, place);
    let entries = &meeting.entries[..state.run.seq as usize];
    Meeting {
        state,
        entries: entries.to_vec(),
        ..Meeting::open_with(meeting.entries[0].event.clone())
    }
}

/// The lines of a section of a Markdown file below its heading, up to what is folded, or all lines
/// if none is named.
pub fn section(text: &str, heading: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    let level = |line: &str| match line.split_once(' ') {
        Some((marks, _)) if !marks.is_empty() && marks.trim_matches('#').is_empty() => marks.len(),
        _ => usize::MAX,
    };
    let is_it = |line: &&str| level(line) < 9 && line.trim_start_matches('#').trim() == heading;
    let own = match lines.iter().position(is_it) {
        Some(at) => {
            let rest = &lines[at + 1..];
            let is_end = |line: &&str| level(line) <= level(lines[at]) || line.starts_with("<");
            &rest[..rest.iter().position(is_end).unwrap_or(rest.len())]
        }
        None if heading.is_empty() => &lines,
        None => return Vec::new(),
    };
    // A heading of the first level would begin another case.
    let told = own
        .iter()
        .map(|line| line.strip_prefix("# ").unwrap_or(line).to_owned());
    let told: Vec<String> = told.collect();
    told.join("\n")
        .trim_matches('\n')
        .lines()
        .map(str::to_owned)
        .collect()
}

/// Why an event may not follow, or `taken`. A refused one changes nothing.
pub fn answer_to(state: &State, event: &Event) -> String {
    let entry = Entry {
        v: TRANSCRIPT_FORMAT,
        seq: state.run.seq + 1,
        ts: state.run.last_activity_at.clone(),
        active_ms: state.run.active_ms,
        round: state.round.max(1),
        actor: "engine".to_owned(),
        event: event.clone(),
    };
    let mut tried = state.clone();
    match tried.apply(&entry) {
        Ok(()) => "taken".to_owned(),
        Err(why) => {
            assert!(tried == *state, "refused, and taken in part: {event:?}");
            why.to_string()
        }
    }
}

/// What is answered to an event of the meeting with changes: `set /turn 2; drop /notes/0`.
pub fn forged(meeting: &Meeting, place: &str, changes: &str) -> String {
    let (state, event) = moment(meeting, place);
    let forged = changed(&event, changes.split("; ").map(change).collect());
    assert_ne!(forged, event, "{place}: {changes} changes nothing");
    answer_to(&state, &forged)
}

/// What is answered to an event of one's own in place of one of the meeting, or at its `end`.
pub fn put(meeting: &Meeting, place: &str, event: &str) -> String {
    let state = match place.starts_with("end ") {
        true => meeting.state.clone(),
        false => moment(meeting, place).0,
    };
    answer_to(&state, &serde_json::from_str(event).expect(event))
}

/// What is answered to an event of the meeting when it comes a second time.
pub fn again(meeting: &Meeting, place: &str) -> String {
    let (mut state, event) = moment(meeting, place);
    let mut entries = meeting.entries.iter();
    let own = entries.find(|entry| entry.seq == state.run.seq + 1);
    state.apply(own.unwrap()).unwrap();
    answer_to(&state, &event)
}

/// What is answered to a message that is sent before one of these calls, or at the end.
pub fn sends(meeting: &Meeting, words: &str, text: &str) -> String {
    let words: Vec<String> = words.split(' ').map(str::to_owned).collect();
    let is_now = |state: &State| calls_due(state).iter().any(|it| is_it(state, it, &words));
    let found = moments(meeting).find(|(state, _)| is_now(state));
    let state = found.map_or_else(|| meeting.state.clone(), |(state, _)| state);
    answer_to(&state, &sent(&state, text))
}
