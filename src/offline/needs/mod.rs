//! Splits a requirement into needs that can be settled one by one.
//!
//! A need ends where a sentence, a list item or a clause with its own verb
//! ends. A list of nouns is never split, nor is a fragment too small to stand
//! alone, and a sentence that points back ("Fix this …") stays with the one it
//! points at: one need too few is easier to live with than half a need.

mod clauses;
mod remarks;
mod story;
mod words;

use std::collections::BTreeSet;

use super::text::{cut, is_han, terms};
use crate::machine::decide::MAX_BUILT_IN_ISSUES;
use clauses::{
    clauses, does_something_in_han, forbids, holds_rule, stands_alone, strip_joins, words,
};
use remarks::{
    asks, complains, is_remark, only_asks, opens_wish, tells_how_things_are, tells_what_it_does,
};
use story::Story;
use words::{HAN_ANEW, VERBS};

/// Needs of one requirement, at most; of more, neighbours are put together.
pub const MAX_NEEDS: usize = MAX_BUILT_IN_ISSUES;

/// Characters of a need's title, at most.
const MAX_TITLE: usize = 120;

/// A requirement, taken apart.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reading {
    /// The needs in their order, none twice, at most [`MAX_NEEDS`].
    pub needs: Vec<String>,
    /// What names the whole: a sentence whose subject the list below it details.
    pub whole: Option<String>,
    /// Remarks that are no need: how things stand, why, by when.
    pub background: Vec<String>,
}

/// What a run is about, read once: each call of a built-in member looks into it many times.
#[derive(Debug, Default)]
pub struct Subject {
    /// What it says.
    pub reading: Reading,
    /// Titles of its needs, in the same order.
    titles: Vec<String>,
}

impl Subject {
    /// Reads a requirement.
    pub fn of(requirement: &str) -> Self {
        let reading = read(requirement);
        let titles = reading.needs.iter().map(|need| title(need)).collect();
        Self { reading, titles }
    }

    /// The need that has this title.
    pub fn need_of(&self, title: &str) -> Option<&str> {
        let at = self.titles.iter().position(|known| known == title)?;
        self.reading.needs.get(at).map(String::as_str)
    }
}

/// A sentence or a list item.
struct Unit {
    text: String,
    is_item: bool,
}

/// Needs of a requirement; the whole text as one need when nothing can be split.
pub fn split(requirement: &str) -> Vec<String> {
    read(requirement).needs
}

/// Takes a requirement apart.
pub fn read(requirement: &str) -> Reading {
    let mut units = units(requirement);
    let mut reading = Reading {
        whole: umbrella(&units),
        ..Reading::default()
    };
    if reading.whole.is_some() {
        units.remove(0);
    }
    let mut known = BTreeSet::new();
    // What speaks of a remark speaks of no need before it.
    let mut after_remark = false;
    for unit in &units {
        let story = Story::of(&unit.text);
        let text = story.map_or(&*unit.text, |story| story.wish);
        if let Some(Story { who, benefit, .. }) = story {
            let around = std::iter::once(who).chain(benefit);
            reading.background.extend(around.map(str::to_owned));
        }
        let points_back = !unit.is_item && points_back(text);
        for (i, clause) in clauses(text).iter().enumerate() {
            let clause = tidy(clause);
            let state = reading.background.last().filter(|_| after_remark);
            let back = (points_back && i == 0)
                || only_asks(&clause)
                || (state.is_some_and(|state| is_remark(state)) && opens_wish(&clause));
            if !back || !after_remark {
                after_remark = add(&mut reading, &mut known, &clause, back);
            } else if asks(&clause) {
                let of = reading.background.pop().unwrap_or_default();
                enter(&mut reading, &mut known, &joined(of, &clause));
                after_remark = false;
            } else {
                reading.background.push(clause);
            }
        }
    }
    if reading.needs.is_empty() {
        // Whatever it says, somebody wants something of it.
        reading.background.clear();
        reading.needs.push(tidy(requirement));
    }
    if reading.needs.len() > MAX_NEEDS {
        let each = reading.needs.len().div_ceil(MAX_NEEDS);
        let neighbours = reading.needs.chunks(each).map(|needs| needs.join("; "));
        reading.needs = neighbours.collect();
    }
    reading
}

/// Enters a clause as a need, or as the remark it is, and says whether it was one; `known`
/// holds the letters of the needs before. What differs in one of them, such as a figure, is
/// another need.
fn add(reading: &mut Reading, known: &mut BTreeSet<String>, text: &str, points_back: bool) -> bool {
    let details = points_back && tells_what_it_does(text);
    let tells = tells_how_things_are(text) && !details && !asks(text) && !complains(text);
    if is_remark(text) || tells {
        reading.background.push(text.to_owned());
        return true;
    }
    if let Some(before) = reading.needs.last_mut().filter(|_| points_back) {
        let is_long = before.chars().count() + text.chars().count() > MAX_TITLE;
        let wishes = asks(before) || !complains(before);
        // Behind the title of a long need it would be seen nowhere, and behind what must not
        // happen it would be forbidden.
        if !(details && wishes && (is_long || forbids(before))) {
            *before = joined(std::mem::take(before), text);
            return false;
        }
    }
    enter(reading, known, text);
    false
}

fn enter(reading: &mut Reading, known: &mut BTreeSet<String>, text: &str) {
    // A list further below has its frame among what stands around the needs.
    reading.background.extend(lead_of(text).map(str::to_owned));
    let letters = text.chars().filter(|c| c.is_alphanumeric());
    let letters = letters.flat_map(char::to_lowercase).collect();
    if is_need(text) && known.insert(letters) {
        reading.needs.push(text.to_owned());
    }
}

/// A sentence and the one that goes on with it.
fn joined(mut before: String, text: &str) -> String {
    let goes_on = text.starts_with(char::is_lowercase);
    before.push_str(match before.ends_with(is_han) {
        true => "。",
        false if goes_on => "; ",
        false => ". ",
    });
    before + text
}

/// A sentence that only introduces the list below it: "The settings page must let admins:".
fn lead_of(sentence: &str) -> Option<&str> {
    let lead = sentence.trim().strip_suffix([':', '：'])?.trim();
    (words(lead).len() >= 3 || lead.chars().filter(|c| is_han(*c)).count() >= 4).then_some(lead)
}

/// A first sentence that introduces the list, or whose subject at least half of the list's items take up again.
fn umbrella(units: &[Unit]) -> Option<String> {
    let (first, rest) = units.split_first()?;
    let items: Vec<&Unit> = rest.iter().filter(|unit| unit.is_item).collect();
    if first.is_item || items.len() < 2 {
        return None;
    }
    let subject = terms(&first.text);
    let takes_up = |unit: &&&Unit| !terms(&unit.text).is_disjoint(&subject);
    let details = items.iter().filter(takes_up).count() * 2 >= items.len();
    let lead = lead_of(&first.text).filter(|_| rest.first().is_some_and(|unit| unit.is_item));
    let named = || tidy(lead.unwrap_or(&first.text));
    (details || lead.is_some()).then(named)
}

/// Does a sentence speak of the one before: "Fix this and …", "They expire …"?
fn points_back(sentence: &str) -> bool {
    const BACK: [&str; 6] = ["this", "that", "it", "them", "these", "those"];
    const HAN_BACK: [&str; 5] = ["它", "这", "其", "该", "此"];
    let opens = |words: &[&str]| words.iter().any(|word| sentence.trim().starts_with(word));
    if opens(&HAN_BACK) && !opens(HAN_ANEW) {
        return true;
    }
    let words = words(sentence);
    let word = |i: usize| words.get(i).map_or("", String::as_str);
    // "Return an error instead": instead of what stands before.
    let on_condition = ["if", "when", "once", "unless"].contains(&word(0));
    if words.last().is_some_and(|word| word == "instead") && !on_condition {
        return true;
    }
    let at = usize::from(word(0) == "please");
    let is_empty_it = word(at) == "it" && words.iter().take(at + 6).any(|w| w == "possible");
    if word(at) == "they" || BACK.contains(&word(at)) {
        return !is_empty_it;
    }
    // "Make it load in a second", but "make it possible to …" begins anew.
    let brings = ["make", "get", "let", "bring"].contains(&word(at));
    let anew = [
        "possible", "easy", "easier", "clear", "clearer", "simple", "simpler", "obvious",
    ];
    if brings && BACK.contains(&word(at + 1)) && !anew.contains(&word(at + 2)) {
        return true;
    }
    let ends = [
        "", "and", "so", "by", "in", "for", "before", "without", "to", "into", "with", "from",
        "on", "as", "under", "below", "at", "until", "when", "if",
    ];
    VERBS.contains(&word(at)) && BACK.contains(&word(at + 1)) && ends.contains(&word(at + 2))
}

/// One line that names a need.
pub fn title(need: &str) -> String {
    // A need of several sentences that is too long is named by the first.
    let is_long = need.chars().count() > MAX_TITLE;
    let whole = sentences(need);
    let named = whole
        .first()
        .filter(|_| is_long)
        .map_or(need, String::as_str);
    let mut chars = named.trim().chars();
    let first = chars.next().map(|c| c.to_uppercase().to_string());
    cut(&(first.unwrap_or_default() + chars.as_str()), MAX_TITLE)
}

/// Is there too little to plan from: fewer than three words, or five Han characters?
pub fn is_too_thin(requirement: &str) -> bool {
    let han = requirement.chars().filter(|c| is_han(*c)).count();
    let words = requirement
        .split(|c: char| !c.is_alphanumeric() || is_han(c))
        .filter(|word| !word.is_empty())
        .count();
    han < 5 && han + words < 3
}

/// Sentences and list items; headings, fences and quoted blocks are left out.
fn units(text: &str) -> Vec<Unit> {
    let mut units = Vec::new();
    let mut fenced = false;
    let (mut paragraph, mut is_item) = (String::new(), false);
    for raw in text.lines() {
        let line = raw.trim();
        if line.starts_with("```") || line.starts_with("~~~") {
            fenced = !fenced;
            continue;
        }
        let item = list_item(line);
        let ends = fenced || line.is_empty() || line.starts_with(['#', '>', '|']);
        if ends || item.is_some() || (is_item && begins_anew(raw)) {
            flush(&mut units, &mut paragraph, is_item);
            is_item = item.is_some();
        }
        if ends {
            continue;
        }
        if !paragraph.is_empty() && !paragraph.ends_with(is_han) {
            paragraph.push(' ');
        }
        paragraph.push_str(item.unwrap_or(line));
    }
    flush(&mut units, &mut paragraph, is_item);
    units
}

/// Does a line below a list item begin something else: one that is labelled, and not set in
/// as the rest of an item is?
fn begins_anew(line: &str) -> bool {
    let label = line.split_once([':', '：']).map_or("", |(label, _)| label);
    let letters = label.chars().count();
    (1..=20).contains(&letters) && line.starts_with(|c: char| c.is_uppercase() || is_han(c))
}

fn flush(units: &mut Vec<Unit>, paragraph: &mut String, is_item: bool) {
    let text = std::mem::take(paragraph);
    units.extend(
        sentences(&text)
            .into_iter()
            .map(|text| Unit { text, is_item }),
    );
}

/// The text of a list item, if the line is one: `-`, `*`, `•`, `1.`, `2)`, `3、`, `（4）`.
fn list_item(line: &str) -> Option<&str> {
    if let Some(rest) = line.strip_prefix(['-', '*', '•', '+']) {
        return rest.starts_with(' ').then(|| rest.trim());
    }
    let inner = line.trim_start_matches(['(', '（']);
    let rest = inner.trim_start_matches(|c: char| c.is_ascii_digit());
    if rest.len() == inner.len() {
        return None;
    }
    let after = rest.strip_prefix(['.', ')', '、', '）', '．'])?;
    (!after.starts_with(|c: char| c.is_ascii_digit())).then(|| after.trim())
}

/// Cuts at full stops, question and exclamation marks, and at semicolons before
/// what stands alone.
fn sentences(text: &str) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    let mut sentences = vec![String::new()];
    for (i, c) in chars.iter().enumerate() {
        let next_is_space = chars.get(i + 1).is_none_or(|next| next.is_whitespace());
        let ends = matches!(c, '。' | '！' | '？' | '；')
            || (matches!(c, '.' | '!' | '?' | ';') && next_is_space);
        let short = |s: &str| {
            s.ends_with("e.g") || s.ends_with("i.e") || s.ends_with("etc") || s.ends_with("vs")
        };
        let joined = matches!(c, ';' | '；') && !opens_need(&chars[i + 1..]);
        match sentences.last_mut() {
            Some(last) if !ends || joined || (*c == '.' && short(last)) => last.push(*c),
            _ => sentences.push(String::new()),
        }
    }
    sentences.retain(|sentence| !sentence.trim().is_empty());
    sentences
}

/// Does what follows a semicolon stand alone?
fn opens_need(rest: &[char]) -> bool {
    let next: String = rest
        .iter()
        .take_while(|c| !matches!(c, ';' | '；' | '。'))
        .collect();
    stands_alone(&next) || holds_rule(&next) || does_something_in_han(&next)
}

/// Takes off politeness, joints and end marks.
fn tidy(clause: &str) -> String {
    const LEADS: [&str; 26] = [
        "constraint: ",
        "constraints: ",
        "约束：",
        "title: ",
        "feature: ",
        "feature request: ",
        "requirement: ",
        "user story: ",
        "标题：",
        "需求：",
        "需求:",
        "要求：",
        "please ",
        "and ",
        "also ",
        "then ",
        "we need to ",
        "we want to ",
        "i want to ",
        "i need to ",
        "i would like to ",
        "we would like to ",
        "we should ",
        "but ",
        "请",
        "我们需要",
    ];
    let mut text = clause.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut before = usize::MAX;
    while text.len() < before {
        before = text.len();
        let lower = text.to_lowercase();
        if let Some(lead) = LEADS.iter().find(|lead| lower.starts_with(**lead))
            && text.is_char_boundary(lead.len())
        {
            text = text[lead.len()..].to_owned();
        }
        if let Some(wished) = wished_thing(&text) {
            text = wished.to_owned();
        }
        text = strip_joins(text.trim()).to_owned();
        text = text
            .trim_end_matches(['.', '。', ';', '；', ',', '，', '!', '！', ' '])
            .to_owned();
    }
    text
}

/// What "We need a …" names: the wish is said already by what it stands in.
fn wished_thing(text: &str) -> Option<&str> {
    const WISHES: [&str; 8] = [
        "we need ",
        "we want ",
        "i need ",
        "i want ",
        "we would like ",
        "i would like ",
        "我们想做一个",
        "想做一个",
    ];
    let lower = text.to_lowercase();
    let wish = WISHES.iter().find(|wish| lower.starts_with(**wish))?;
    let thing = text.get(wish.len()..)?;
    let has_article = ["a ", "an ", "the ", "one "]
        .iter()
        .any(|article| thing.to_lowercase().starts_with(article));
    (has_article || wish.starts_with(is_han)).then_some(thing)
}

/// Leaves out what is no need: a label, a fragment.
fn is_need(need: &str) -> bool {
    let letters = need.chars().filter(|c| c.is_alphanumeric()).count();
    letters >= 4 && !need.ends_with([':', '：'])
}
