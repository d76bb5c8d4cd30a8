//! A team of checklists: a phase for each member, then what the lists say, put together.

use super::OfflineError;
use super::board::Board;
use super::checklist::{Checklist, Part};
use super::report;
use super::text::fill;
use crate::machine::team::TeamWork;
use crate::machine::{CallId, Lang};
use crate::reply::{Contribution, PlannedPhase, Synthesis, TeamPlan};

/// Points of one result, at most.
const MAX_POINTS: usize = 8;

/// A phase for each member: what is wanted first, how it is built and what can go
/// wrong side by side, then the steps, then the tests.
pub fn plan(board: &Board) -> TeamPlan {
    let members = &board.state.inputs.roles.members;
    let part = |code: &str| {
        let role = members.iter().find(|role| role.code == code);
        role.and_then(|role| board.part_of(&role.id))
    };
    let codes: Vec<&str> = members.iter().map(|role| role.code.as_str()).collect();
    let phases = codes.iter().map(|code| {
        let own = part(code);
        let needed = codes.iter().filter(|other| needs(own, part(other)));
        PlannedPhase {
            key: (*code).to_owned(),
            task: task(own, board.state.inputs.doc_lang).to_owned(),
            members: vec![(*code).to_owned()],
            depends_on: needed.map(|code| (*code).to_owned()).collect(),
        }
    });
    TeamPlan {
        analysis: board.flow(&[
            reason(board.state.inputs.doc_lang),
            &board.phrases.report_offline,
        ]),
        phases: phases.take(crate::machine::team::MAX_PHASES).collect(),
    }
}

/// Does work on one part need the result of the other?
fn needs(own: Option<Part>, other: Option<Part>) -> bool {
    let wanted: &[Part] = match own {
        Some(Part::Product) => &[],
        Some(Part::Design | Part::Risk) | None => &[Part::Product],
        Some(Part::Build) => &[Part::Product, Part::Design],
        Some(Part::Test) => &[Part::Product, Part::Build],
    };
    other.is_some_and(|other| wanted.contains(&other))
}

/// What the lists know of a member's part.
///
/// # Errors
/// The member takes no part in this run.
pub fn work(board: &Board, call: &CallId) -> Result<Contribution, OfflineError> {
    let role = board.state.inputs.roles.find(call.member.as_str());
    let role = role.ok_or_else(|| OfflineError::UnknownMember(call.member.clone()))?;
    let part = role.document.map(Part::from);
    let points = points(board, part).into_iter();
    let mut lines: Vec<String> = points
        .map(|point| format!("- **{}**: {}", point.title, point.text))
        .collect();
    if lines.is_empty() {
        lines.push(format!("- {}", board.phrases.nothing_open));
    }
    Ok(super::spoken(lines.join("\n")))
}

/// One point of a result.
pub struct Point<'b> {
    /// The checklist it is from.
    pub list: &'b Checklist,
    /// Name of the item within it, where it can collide with another.
    pub key: Option<&'b str>,
    /// What it is about.
    pub title: String,
    /// What stands in the result.
    pub text: String,
    /// The sentence that it comes to.
    pub say: String,
}

/// What the lists know of a part, the most there may be in one result.
pub fn points<'b>(board: &'b Board<'_>, part: Option<Part>) -> Vec<Point<'b>> {
    let general = std::slice::from_ref(&board.general);
    let lists = match board.topics.is_empty() {
        true => general,
        false => &board.topics,
    };
    let points = lists.iter().flat_map(|list| points_of(board, list, part));
    points.take(MAX_POINTS).collect()
}

/// What one list knows of a part.
pub fn points_of<'b>(board: &Board<'_>, list: &'b Checklist, part: Option<Part>) -> Vec<Point<'b>> {
    let subject = board.state.subject();
    let need = subject.lines().next().unwrap_or_default();
    let put = |text: &str| fill(text, &[("need", need.trim()), ("files", "")]);
    let point = |key, title: &str, text: &str, say: &str| Point {
        list,
        key,
        title: put(title),
        text: put(text),
        say: put(say),
    };
    let plain = |title: &str, text: &str| {
        point(
            None,
            title,
            text,
            &format!("{title}{}{text}", board.phrases.title_join),
        )
    };
    match part {
        Some(Part::Product) | None => {
            let items = list.product.iter().filter(|item| !item.feedback);
            items
                .map(|item| point(Some(&*item.key), &list.title, &item.say, &item.say))
                .collect()
        }
        Some(Part::Design) => {
            let items = list.design.iter();
            items
                .map(|item| point(Some(&*item.key), &item.title, &item.why, &item.say))
                .collect()
        }
        Some(Part::Build) => {
            let items = list.work.iter();
            items.map(|item| plain(&item.title, &item.detail)).collect()
        }
        Some(Part::Test) => {
            let items = list.tests.iter();
            items
                .map(|item| plain(&item.title, &item.expected))
                .collect()
        }
        Some(Part::Risk) => {
            let items = list.risks.iter();
            items
                .map(|item| plain(&item.title, &item.mitigation))
                .collect()
        }
    }
}

/// The results one after the other, under their tasks.
pub fn synthesis(board: &Board) -> Synthesis {
    let words = report::words(board);
    let results = board.state.team.iter().flat_map(TeamWork::results);
    let parts: Vec<String> = results
        .map(|(phase, result)| format!("### {} {}\n\n{}", phase.id, phase.task, result.output))
        .collect();
    Synthesis {
        title: words.title,
        in_short: words.in_short,
        result: if parts.is_empty() {
            board.phrases.nothing_open.clone()
        } else {
            parts.join("\n\n")
        },
        decide: words.decide,
    }
}

fn task(part: Option<Part>, lang: Lang) -> &'static str {
    match (part, lang) {
        (Some(Part::Product), Lang::En) => "Say what must hold when the task is done",
        (Some(Part::Product), Lang::Zh) => "说明任务完成时必须成立的事",
        (Some(Part::Design), Lang::En) => "Say which decisions its design needs, and why",
        (Some(Part::Design), Lang::Zh) => "说明设计上需要哪些决定，以及理由",
        (Some(Part::Build), Lang::En) => "Name the steps of the work",
        (Some(Part::Build), Lang::Zh) => "列出工作的步骤",
        (Some(Part::Test), Lang::En) => "Say how one sees that it works",
        (Some(Part::Test), Lang::Zh) => "说明怎样看出它可用",
        (Some(Part::Risk), Lang::En) => "Say what can go wrong and what helps against it",
        (Some(Part::Risk), Lang::Zh) => "说明可能出什么问题，以及对策",
        (None, Lang::En) => "Say what your own view adds",
        (None, Lang::Zh) => "说明从你的角度还要补充什么",
    }
}

fn reason(lang: Lang) -> &'static str {
    match lang {
        Lang::En => "Each member works on its own part; what is wanted comes first.",
        Lang::Zh => "每位成员负责自己的部分，先确定要什么。",
    }
}
