//! Whom the coach of a party asks: those whose own words the message uses.

use std::cmp::Reverse;

use super::board::Board;
use super::checklist::{Checklist, Part};
use super::text::terms;
use crate::machine::Lang;
use crate::reply::Reminder;
use crate::role::RoleSpec;

/// Members asked, at most.
const MOST: usize = 3;
/// Members asked, at least.
const LEAST: usize = 2;

/// Two members, or three where three are spoken of; nobody where everybody speaks.
///
/// A member is spoken of by the words of its summary and persona, and by those of the
/// called-up topics in its part. Where words tell nothing, the order of roles decides.
pub fn asked(board: &Board) -> Vec<Reminder> {
    if !board.state.inputs.format.invites_speakers() {
        return Vec::new();
    }
    let points = board.state.feedback.iter();
    let mut said: Vec<&str> = points.map(|point| point.text.as_str()).collect();
    if said.is_empty() {
        said.push(&board.state.requirement);
    }
    let said = terms(&said.join("\n"));
    let members = board.state.inputs.roles.members.iter();
    let mut ranked: Vec<(usize, &RoleSpec)> = members
        .map(|role| {
            (
                said.intersection(&terms(&own_words(board, role))).count(),
                role,
            )
        })
        .collect();
    // A stable sort: equals stay in the order of roles.
    ranked.sort_by_key(|(shared, _)| Reverse(*shared));
    let proposes =
        |role: &RoleSpec| matches!(board.part_of(&role.id), Some(Part::Product | Part::Design));
    let wanted = ranked.iter().take(MOST).enumerate();
    let wanted = wanted.filter(|(place, (shared, _))| *place < LEAST || *shared > 0);
    let mut asked: Vec<&RoleSpec> = wanted.map(|(_, (_, role))| *role).collect();
    if !asked.iter().any(|role| proposes(role)) {
        // Somebody has to put a text on the table.
        asked.truncate(MOST - 1);
        let mut others = ranked.iter().map(|(_, role)| *role);
        asked.extend(others.find(|role| proposes(role)));
    }
    asked
        .into_iter()
        .map(|role| Reminder {
            member: role.code.clone(),
            text: wish(board.state.inputs.doc_lang).to_owned(),
        })
        .collect()
}

/// Everything a member talks about.
fn own_words(board: &Board, role: &RoleSpec) -> String {
    let part = board.part_of(&role.id);
    let topics = board.topics.iter().flat_map(|list| words_of(list, part));
    let own = [role.summary.as_str(), role.persona.as_str()];
    own.into_iter().chain(topics).collect::<Vec<_>>().join("\n")
}

/// What a topic says in a part.
fn words_of(list: &Checklist, part: Option<Part>) -> Vec<&str> {
    match part {
        None => Vec::new(),
        Some(Part::Product) => list.product.iter().map(|item| &*item.say).collect(),
        Some(Part::Design) => list.design.iter().map(|item| &*item.title).collect(),
        Some(Part::Build) => list.work.iter().map(|item| &*item.title).collect(),
        Some(Part::Test) => list.tests.iter().map(|item| &*item.title).collect(),
        Some(Part::Risk) => list.risks.iter().map(|item| &*item.title).collect(),
    }
}

fn wish(lang: Lang) -> &'static str {
    match lang {
        Lang::En => "What does it mean for your part?",
        Lang::Zh => "从你的角度看，这意味着什么？",
    }
}
