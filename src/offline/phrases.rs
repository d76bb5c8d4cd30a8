//! The members' turns of phrase: everything they say that no checklist holds.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::OfflineError;
use super::checklist::read;
use crate::machine::Lang;

macro_rules! phrases {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// Turns of phrase of one language; `{…}` are places for values.
        #[derive(Debug, Clone, Deserialize)]
        #[serde(try_from = "BTreeMap<String, String>")]
        pub struct Phrases {
            $($(#[$doc])* pub $name: String,)*
        }

        impl Phrases {
            /// How many there are.
            pub(super) const COUNT: usize = [$(stringify!($name)),*].len();
        }

        // A reader derived for so many fields, one for each form they can be read from,
        // is the largest function of the program; this is one of the smallest.
        impl TryFrom<BTreeMap<String, String>> for Phrases {
            type Error = String;

            fn try_from(mut texts: BTreeMap<String, String>) -> Result<Self, String> {
                let mut take = |name: &str| {
                    let text = texts.remove(name);
                    text.ok_or_else(|| format!("missing field `{name}`"))
                };
                let phrases = Self { $($name: take(stringify!($name))?,)* };
                match texts.keys().next() {
                    Some(name) => Err(format!("unknown field `{name}`")),
                    None => Ok(phrases),
                }
            }
        }
    };
}

phrases! {
    /// Between two titles in a list of names.
    list_join,
    /// Between two sentences that follow each other.
    sentence_join,
    /// Between a title and what it is about.
    title_join,
    /// Judgment: `{count}` needs, `{topics}`.
    judgment,
    /// Judgment when no topic was found: `{count}`.
    judgment_plain,
    /// Judgment of a revision: `{version}`, `{points}`, `{withdrawn}`.
    judgment_revision,
    /// Judgment when the requirement is too thin.
    judgment_thin,
    /// Detail of an issue: `{need}`.
    issue_detail,
    /// The coach's question when there is too little: `{requirement}`.
    thin_question,
    /// Why it asks.
    thin_why,
    /// What it takes: `{requirement}`.
    thin_recommended,
    /// Why an item is withdrawn: `{terms}`.
    withdraw_reason,
    /// Why a point of feedback that keeps something is dropped.
    nothing_changes,
    /// Why one that leaves something out is, where the plan does not have it.
    nothing_to_leave_out,
    /// Why what only follows from something else is not taken out by itself.
    stays_needed,
    /// Why feedback on what only follows from something else changes nothing.
    only_follows,
    /// What is said of `{ids}` beside what was taken out by its id.
    strike_stays,
    /// Why something is a non-goal: a revision took it out.
    struck_why,
    /// Product, first round: `{issues}`, `{count}`, `{first}`.
    open_product,
    /// Design without a file: `{issues}`, `{first}`.
    open_design,
    /// Design with files: `{files}`, `{first}`.
    open_design_files,
    /// Build: `{work}`, `{size}`.
    open_build,
    /// Tests: `{names}`.
    open_test,
    /// Risks: `{names}`.
    open_risk,
    /// A member without a document.
    open_other,
    /// How a later speech opens: `{issues}`.
    open_later,
    /// A speech with nothing open.
    nothing_open,
    /// Why of a product proposal: `{topics}`.
    why_product,
    /// Why of a product proposal without a topic.
    why_product_plain,
    /// Why of a design proposal: `{why}`.
    why_design,
    /// With `{files}` grounding.
    grounded,
    /// Why a developer agrees: `{work}`, `{size}`.
    why_build,
    /// Without a step of its own: `{size}`.
    why_build_plain,
    /// Why a tester agrees: `{test}`.
    why_test,
    /// Without a test of its own.
    why_test_plain,
    /// Why a risk planner agrees: `{risk}`, `{mitigation}`.
    why_risk,
    /// Without a risk of its own.
    why_risk_plain,
    /// Why anybody else agrees.
    why_other,
    /// Why of an agreement when an earlier text is kept.
    why_kept,
    /// What a debate ended in now stands in one's own text; `{whose}`.
    taken_in,
    /// An answer that was taken in: `{id}`, `{settles}`.
    takes_answer,
    /// Why of an objection: `{because}`.
    why_object,
    /// A compromise is now in the text: `{whose}`.
    withdrawn_objection,
    /// Takes over somebody else's text: `{whose}`.
    takes_over,
    /// Summary opening: `{round}`, `{settled}`, `{open}`.
    summary,
    /// Reason of an open issue: `{who}`, `{why}`.
    open_objected,
    /// Reason of an open issue whose texts collide: `{a}`, `{b}`.
    open_collision,
    /// Reason when nobody proposed a text.
    open_no_text,
    /// Reason of a merge: `{other}`.
    merged_reason,
    /// Reason of a minor issue left for later.
    deferred_reason,
    /// Reminder for a collision: `{issue}`.
    reminder,
    /// Relay passes on.
    relay_passed,
    /// Relay answers.
    relay_answered,
    /// The follow-up is satisfied: `{answer}`.
    follow_up_done,
    /// The plan's opening: `{requirement}`, `{count}`.
    understanding,
    /// Not agreed: `{issues}`.
    understanding_open,
    /// Given of a criterion without checklist.
    plain_given,
    /// When of it: `{title}`.
    plain_when,
    /// Architecture opening: `{count}`, `{modules}`.
    architecture,
    /// With `{files}`.
    architecture_files,
    /// When nothing was found in the repository.
    architecture_empty,
    /// Name of the part that holds what no checklist names.
    core_name,
    /// Its purpose: `{needs}`.
    core_purpose,
    /// Title of the decision a collision led to: `{topics}`.
    collision_title,
    /// What changes in a file: `{terms}`.
    file_what,
    /// With the line: `{terms}`, `{number}`, `{line}`.
    file_what_line,
    /// What a new file holds: `{module}`.
    file_create,
    /// Feasibility: `{work}`, `{files}`.
    feasibility,
    /// Hard part: `{risk}`.
    feasibility_hard,
    /// Title of the work of one need: `{need}`.
    work_title,
    /// Its detail: `{text}`, `{files}`.
    work_detail,
    /// Without files.
    work_detail_plain,
    /// Debt from a deferred issue: `{title}`.
    debt,
    /// How it is paid: `{reason}`.
    debt_repayment,
    /// Test strategy: `{criteria}`, `{cases}`.
    strategy,
    /// Title of a criterion's test: `{then}`.
    test_title,
    /// Steps: `{given}`, `{when}`.
    test_steps,
    /// Coverage target of the new code.
    coverage_code,
    /// Its target.
    coverage_code_target,
    /// Test data: `{topics}`.
    data,
    /// Test data for limits.
    data_edges,
    /// Where tests run: the machine of whoever develops.
    environment_local,
    /// Where tests run: on every push.
    environment_ci,
    /// Where tests of a service run before a release.
    environment_staging,
    /// Where those of a tool, a library or a device do.
    environment_target,
    /// Risk of assuming: `{text}`.
    risk_assumed,
    /// Its mitigation: `{id}`.
    risk_assumed_mitigation,
    /// Its early sign.
    risk_assumed_sign,
    /// Risk of the first draft made by checklists.
    risk_draft,
    /// Its mitigation.
    risk_draft_mitigation,
    /// Its early sign.
    risk_draft_sign,
    /// Figures: `{criteria}`, `{work}`, `{tests}`, `{risks}`.
    report_figures,
    /// Topics: `{topics}`.
    report_topics,
    /// First thing to build: `{work}`.
    report_first,
    /// Ends without agreement: `{count}`.
    report_open,
    /// Made by checklists.
    report_offline,
    /// What is decided about an assumption: `{question}`.
    decide_assumption,
    /// The same where the human was asked and gave no answer: `{question}`.
    decide_declined,
    /// What follows otherwise.
    decide_assumption_otherwise,
    /// A trade-off that was resolved: `{topics}`.
    decide_tradeoff,
    /// The text before the compromise, and what was held against it: `{because}`.
    decide_tradeoff_otherwise,
    /// An issue left open: `{title}`.
    decide_open,
    /// What is recommended.
    decide_open_recommended,
    /// What follows otherwise.
    decide_open_otherwise,
    /// Between two longer phrases of a list.
    item_join,
    /// Judgment when all needs are repairs or the like: `{count}`.
    judgment_alone,
    /// What was read as background: `{texts}`.
    judgment_background,
    /// Build without a known step.
    open_build_plain,
    /// Tests without a known one.
    open_test_plain,
    /// Risks without a known one.
    open_risk_plain,
    /// An objection: `{issue}`, `{why}`.
    open_object,
    /// What changed a mind: `{issue}`, `{why}`.
    open_moved,
    /// Said where no checklist knows the subject.
    understanding_skeleton,
    /// Needs of the plan: `{count}`, `{needs}`.
    report_needs,
    /// The same in a revision, whose feedback may have taken some of them back.
    report_needs_revised,
    /// Said where no checklist knows the subject.
    report_skeleton,
    /// Where the question named no other answer.
    decide_assumption_plain,
    /// The same where both sides come from one checklist: `{a}`, `{issue}`.
    debate_question_one,
    /// Question of a debate: `{a}`, `{b}`, `{issue}`.
    debate_question,
    /// A debate is opened: `{issue}`, `{topic}`.
    debate_open,
    /// The case that decides: `{given}`, `{when}`, `{then}`.
    debate_case,
    /// A round of a debate with objections left: `{count}`.
    debate_summary,
    /// A round of a debate without objections left.
    debate_settled,
    /// A ruling that leaves the question open.
    debate_shelved,
    /// The review of the issue list is opened: `{topic}`.
    debate_review_open,
    /// Why the list is agreed to.
    debate_review_why,
    /// Why the list stands.
    debate_review_rationale,
    /// The list stands: `{issues}`.
    debate_review_rule,
    /// A layer's results stand beside one another.
    layer_fits,
    /// Some results collide: `{ids}`.
    layer_collides,
    /// A round of a review.
    debate_review_summary,
    /// The review of a team's phases is opened: `{topic}`.
    debate_plan_open,
    /// Why the phases are agreed to.
    debate_plan_why,
    /// Why the phases stand.
    debate_plan_rationale,
    /// The phases stand: `{phases}`.
    debate_plan_rule,
    /// A phase of one's own that needs nothing: `{id}`.
    debate_phase_first,
    /// A phase of one's own: `{id}`, `{needs}`.
    debate_phase_after,
    /// No phase of one's own.
    debate_phase_none,
    /// A debate on an issue without a collision is opened: `{issue}`, `{topic}`.
    debate_open_issue,
    /// A debate on results that collide is opened: `{topic}`.
    debate_open_phase,
    /// A debate on any question is opened: `{topic}`.
    debate_open_question,
    /// Question of a debate on results: `{a}`, `{b}`, `{id}`.
    debate_phase_question,
    /// The same where both sides come from one checklist: `{a}`, `{id}`.
    debate_phase_question_one,
    /// Why who worked on a phase stands by its text: `{id}`.
    debate_stands,
    /// Why who objected signs the text that serves both.
    debate_met,
    /// What a list knows of a question: `{points}`.
    debate_known,
    /// A list that knows nothing of a question.
    debate_unknown,
    /// Why a list takes no side.
    debate_unknown_why,
    /// A round on a question: `{count}` sentences are known.
    debate_question_summary,
    /// Why a question is not answered.
    debate_question_rationale,
    /// The question goes to a person: `{topic}`.
    debate_question_open,
    /// The same with what the lists hold: `{topic}`, `{points}`.
    debate_question_bounds,
    /// A round with objections that no checklist foresaw: `{count}`.
    debate_objections,
    /// A round without objections and with several texts.
    debate_differ,
    /// A text is taken as it stands.
    debate_adopted,
}

/// Reads the turns of phrase.
///
/// # Errors
/// The file is too large, no YAML, or does not fit.
pub fn parse(path: &str, text: &str) -> Result<Phrases, OfflineError> {
    read(path, text)
}

/// Reads the turns of phrase of a run: those it froze, and this program's own where the
/// file is of an earlier one that knew fewer. A run is taken up by a later program.
///
/// # Errors
/// The file is too large, no YAML, or does not fit.
pub(super) fn of_run(path: &str, text: &str, lang: Lang) -> Result<Phrases, OfflineError> {
    let mut texts: BTreeMap<String, String> = read(path, text)?;
    if texts.len() < Phrases::COUNT {
        let own: BTreeMap<String, String> = read(path, built_in(lang))?;
        for (name, text) in own {
            texts.entry(name).or_insert(text);
        }
    }
    Phrases::try_from(texts).map_err(|what| OfflineError::Checklist {
        path: path.to_owned(),
        what,
    })
}

fn built_in(lang: Lang) -> &'static str {
    match lang {
        Lang::En => include_str!("../../templates/en/checklists/phrases.yaml"),
        Lang::Zh => include_str!("../../templates/zh/checklists/phrases.yaml"),
    }
}
