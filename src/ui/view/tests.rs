//! Snapshots of terminal output, and tests for what must never be shown.

use serde_json::{Value, json};
use unicode_width::UnicodeWidthStr;

use super::samples::{entries, finished, state, style};
use super::*;
use crate::machine::review::{CheckedFinding, PlanChecked};
use crate::machine::{AnswerSource, Event, Exchange, QuestionStatus};
use crate::reply::{DocumentKind, FindingKind};

fn show_all(style: &Style) -> String {
    let state = state();
    let lines: Vec<String> = entries()
        .iter()
        .filter_map(|entry| line(&state, entry, style))
        .collect();
    format!(
        "{}\n{}\n",
        lines.join("\n"),
        closing(
            &finished(),
            ".ai-tools-chain/planning_outputs/v2",
            Next::Review,
            style
        )
    )
}

#[test]
fn a_run_at_every_width_in_both_languages() {
    for (lang, name) in [(Lang::En, "en"), (Lang::Zh, "zh")] {
        for width in [60, 80, 120] {
            let shown = show_all(&Style {
                width,
                lang,
                ..style()
            });
            insta::assert_snapshot!(format!("run_{name}_{width}"), shown);
        }
    }
}

#[test]
fn a_run_in_plain_words() {
    let shown = show_all(&Style {
        plain: true,
        verbose: 1,
        ..style()
    });
    assert!(!shown.contains(['✓', '·', '›', '─', '…', '→']), "{shown}");
    insta::assert_snapshot!("run_plain", shown);
}

#[test]
fn a_debate_has_a_colour_for_each_member_and_a_ruling_that_stands_out() {
    let shown = show_all(&Style {
        color: true,
        ..style()
    });
    let line = |wanted: &str| {
        let mut lines = shown.lines().filter(|line| line.contains(wanted));
        lines
            .next()
            .unwrap_or_else(|| panic!("no `{wanted}` in {shown}"))
            .to_owned()
    };
    let bar = |who: &str| {
        line(&format!("▌ {who}"))
            .split('▌')
            .next()
            .map(str::to_owned)
    };
    assert_ne!(bar("PP"), bar("SD"), "a colour for each member");
    assert!(bar("PP").is_some_and(|color| color.starts_with('\u{1b}')));
    let ruling = line("◆ D-1, compromise");
    assert!(
        ruling.starts_with("\u{1b}[1m") && ruling.ends_with("\u{1b}[0m"),
        "{ruling:?}"
    );
}

#[test]
fn an_argument_stands_whole_behind_its_bar() {
    let (now, style) = (state(), style());
    let mut all = entries().into_iter();
    let mut entry = all
        .find(|entry| matches!(entry.event, Event::ExpertArgument(_)))
        .unwrap();
    if let Event::ExpertArgument(argued) = &mut entry.event {
        let reasons = "\n- It costs a day of work and a table, no more than that.".repeat(20);
        argued.output =
            format!("A log is **cheap**. So I take it over.\n{reasons}\n\nThat is all.");
    }
    let shown = line(&now, &entry, &style).unwrap();
    assert!(
        shown.contains("A log is cheap.") && shown.contains("That is all."),
        "{shown}"
    );
    assert_eq!(shown.matches("• It costs a day").count(), 20, "{shown}");
    for row in shown.lines() {
        assert!(
            row.starts_with('▌') && row.width() <= style.width,
            "{row:?}"
        );
    }
}

/// The objection comes first, then what is only proposed or agreed to; the reason is that of the
/// first, and is cut to fit.
#[test]
fn a_speech_is_told_by_its_stances_and_what_it_adds() {
    let mut all = entries().into_iter();
    let mut entry = all
        .find(|entry| matches!(entry.event, Event::Speaking { .. }))
        .unwrap();
    let mut told = |speech: Value, lang, width| {
        let style = Style {
            lang,
            width,
            ..style()
        };
        if let Event::Speaking {
            speech: said,
            output,
            ..
        } = &mut entry.event
        {
            *said = serde_json::from_value(speech).unwrap();
            *output = "All is said. More.".to_owned();
        }
        let shown = line(&state(), &entry, &style).unwrap();
        let row = shown.lines().next().unwrap().to_owned();
        assert!(row.width() <= width && !row.contains('\x1b'), "{row}");
        row.rsplit_once("  ").unwrap().0.trim_end()[10..].to_owned()
    };
    let position = |issue: &str, stance: &str, proposal: Option<&str>| {
        json!({
            "issue": issue, "stance": stance, "proposal": proposal, "changed_because": null,
            "why": "The \x1b[31mlog is missing. Nobody knows who took what.",
        })
    };
    let mut positions = vec![
        position("I-2", "agree", None),
        position("I-1", "object", None),
        position("I-3", "refine", Some("Kept for 30 days.")),
        position("I-4", "abstain", None),
    ];
    let speech = |positions: &[Value], added: usize| {
        let new = json!({"key": "n", "title": "t", "detail": "d", "severity": "minor"});
        let wrong = json!({"whom": "PP", "about": "c"});
        json!({
            "analysis": "", "positions": positions, "questions": [], "coach": null,
            "corrections": vec![wrong; added.min(1)], "new_issues": vec![new; added],
        })
    };
    let (stances, why) = (
        "objects on I-1 · proposes on I-3 · agrees on I-2",
        "The log is missing.",
    );
    let whole = told(speech(&positions, 0), Lang::En, 120);
    assert_eq!(whole, format!("{stances}: {why}"));
    assert!(told(speech(&positions, 0), Lang::En, 80).starts_with(&format!("{stances}: T")));
    let added = told(speech(&positions[2..3], 2), Lang::En, 120);
    let counts = "1 correction · 2 new issues";
    assert_eq!(
        added,
        format!("proposes on I-3 · {counts}: Kept for 30 days.")
    );
    let none = told(speech(&[], 2), Lang::Zh, 80);
    assert_eq!(none, "1 处更正 · 2 个新议题：All is said.");
    assert_eq!(told(speech(&[], 0), Lang::En, 80), "All is said.");
    positions.extend((5..12).map(|n| position(&format!("I-{n}"), "agree", None)));
    let many = told(speech(&positions, 0), Lang::En, 120);
    assert!(many.contains("agrees on I-2, I-5, I-6, I-7, +4"), "{many}");
}

#[test]
fn a_check_of_the_plan_names_each_place_once() {
    let found = ["a.rs", "b.rs", "a.rs"].map(|about| CheckedFinding {
        about: about.to_owned(),
        document: DocumentKind::SystemDesign,
        kind: FindingKind::Missing,
        text: "It lacks something.".to_owned(),
        mend: "Add it.".to_owned(),
    });
    let mut entry = entries().remove(0);
    entry.event = Event::PlanChecked(PlanChecked {
        found: found.to_vec(),
    });
    let shown = line(&state(), &entry, &style()).unwrap();
    assert!(
        shown.contains("found 3 problems, about a.rs, b.rs"),
        "{shown}"
    );
    assert_eq!(shown.matches("a.rs").count(), 1, "{shown}");
}

#[test]
fn no_line_is_wider_than_the_terminal() {
    for width in [40, 60, 80, 120] {
        for (lang, plain) in [(Lang::En, false), (Lang::Zh, false), (Lang::Zh, true)] {
            let style = Style {
                width,
                lang,
                plain,
                ..style()
            };
            for row in show_all(&style)
                .lines()
                .filter(|row| !row.contains("planning_report.md"))
            {
                assert!(row.width() <= width, "{width}: {row:?}");
            }
        }
    }
}

#[test]
fn nothing_hostile_reaches_a_line() {
    let (now, style) = (state(), style());
    let pages = [
        show_all(&style),
        status_text(&now, "p", &[], &style),
        questions_text(&now, true, &[], &style),
        round_text(&now, 1, &style),
        list("versions", &[VersionLine::of(&now, true, "p", &[])], &style),
        now.ledger
            .iter()
            .map(|issue| issue_text(&now, issue, &style))
            .collect(),
    ];
    for page in pages {
        assert!(
            !page
                .chars()
                .any(|c| (c.is_control() && c != '\n') || c == '\u{202e}'),
            "{page:?}"
        );
        assert!(!page.contains("[31m") && !page.contains("[2J"), "{page}");
    }
}

#[test]
fn colour_only_adds_escape_sequences() {
    let coloured = show_all(&Style {
        color: true,
        ..style()
    });
    assert!(coloured.contains("\x1b["));
    let stripped = anstream::adapter::strip_str(&coloured).to_string();
    assert_eq!(stripped, show_all(&style()));
}

#[test]
fn pages_in_both_languages() {
    for (lang, name) in [(Lang::En, "en"), (Lang::Zh, "zh")] {
        let style = Style { lang, ..style() };
        let (now, done) = (state(), finished());
        let versions = [
            VersionLine::of(&done, false, ".ai-tools-chain/planning_outputs/v1", &[]),
            VersionLine::of(&now, true, ".ai-tools-chain/planning_outputs/v2.draft", &[]),
        ];
        let issues: Vec<_> = now
            .ledger
            .iter()
            .map(|issue| issue_text(&now, issue, &style))
            .collect();
        let pages = [
            list("versions", &versions, &style),
            list("versions", &[0; 0], &style),
            status_text(
                &now,
                ".ai-tools-chain/planning_outputs/v2.draft",
                &[],
                &style,
            ),
            questions_text(&now, false, &[], &style),
            questions_text(&finished_questions(), false, &[], &style),
            round_text(&now, 1, &style),
            issues.join("\n"),
        ];
        insta::assert_snapshot!(format!("pages_{name}"), pages.join("\n\n----\n\n"));
    }
}

fn finished_questions() -> crate::machine::State {
    let mut state = finished();
    state.questions.asked.clear();
    state
}

/// A follow-up is shown below the earlier exchange; a declined reply to it is not shown as an empty
/// answer.
#[test]
fn a_question_that_was_followed_up_shows_all_that_was_said() {
    let mut now = state();
    let exchange = |question: &str, reply: &str, source| Exchange {
        question: question.to_owned(),
        reply: reply.to_owned(),
        source,
    };
    let asked = now.questions.asked[0].text.clone();
    let further = "In the test system, too?";
    let question = &mut now.questions.asked[0];
    question.dialogue = vec![exchange(&asked, "Administrators", AnswerSource::Command)];
    question.status = QuestionStatus::Waiting {
        follow_up: Some(further.to_owned()),
    };
    let text = question_text(&now, &now.questions.asked[0], &style());
    let (head, rest) = text.split_once('\n').unwrap();
    assert!(head.contains(further), "{text}");
    assert!(
        rest.contains(&asked) && rest.contains("Administrators"),
        "{text}"
    );
    let question = &mut now.questions.asked[0];
    question
        .dialogue
        .push(exchange(further, "", AnswerSource::Declined));
    question.status = QuestionStatus::Closed {
        source: AnswerSource::Command,
        answer: "Administrators".to_owned(),
    };
    let text = question_text(&now, &now.questions.asked[0], &style());
    let declined = "declined; the earlier reply is kept";
    assert!(text.contains(further) && text.contains(declined), "{text}");
    let mut entry = entries().remove(0);
    entry.event = Event::UserClarificationDialogue {
        id: now.questions.asked[0].id,
        question: further.to_owned(),
        user_reply: String::new(),
        source: AnswerSource::Declined,
        message: None,
    };
    let told = line(&now, &entry, &style()).unwrap();
    assert!(told.contains(declined), "{told}");
}

#[test]
fn pages_for_programs() {
    let (now, path) = (state(), "p");
    insta::assert_snapshot!(
        "status_json",
        serde_json::to_string_pretty(&status_document(&now, path, &[])).unwrap()
    );
    insta::assert_snapshot!(
        "questions_json",
        serde_json::to_string_pretty(&questions_document(&now, false, &[])).unwrap()
    );
    assert!(round_document(&now, 2).is_none() && round_document(&now, 0).is_none());
}

#[test]
fn a_round_holds_what_the_user_said_in_it() {
    let mut now = state();
    let said = |text: &str, reopens| crate::machine::UserWords {
        text: text.to_owned(),
        round: 1,
        reopens,
    };
    let reopened = crate::machine::ReopenedItem {
        item: crate::machine::ConsensusId(3),
        issue: crate::machine::IssueId(9),
    };
    now.ending.words = vec![
        said("Leave the app out.", None),
        said("It forgets XLSX.", Some(reopened)),
    ];
    let text = round_text(&now, 1, &style());
    assert!(text.contains("you: Leave the app out."), "{text}");
    let told = "you: C-3 is reopened as I-9: It forgets XLSX.";
    assert!(text.contains(told), "{text}");
    let words = round_document(&now, 1).unwrap().words;
    assert_eq!(words[0].text, "Leave the app out.");
    assert_eq!(words[1].reopens, Some(reopened));
}

#[test]
fn a_stream_line_is_the_entry() {
    for entry in entries() {
        let line = json_line(&entry).unwrap();
        assert!(!line.contains('\n'));
        assert_eq!(
            serde_json::from_str::<crate::machine::Entry>(&line).unwrap(),
            entry
        );
    }
}

#[test]
fn a_second_column_goes_on_below_its_beginning() {
    let page = "Words before the list that are longer than it.\n  /plan [文字]  a workshop about this very conversation\n  a name that takes all the room there is  and more";
    let narrow = Style {
        width: 40,
        ..style()
    };
    let shown = columns(page, &narrow);
    let expected = "Words before the list that are longer\n\
        than it.\n\
        \x20 /plan [文字]  a workshop about this\n\
        \x20               very conversation\n\
        \x20 a name that takes all the room there\n\
        \x20 is  and more";
    assert_eq!(shown, expected);
}

#[test]
fn rows_of_a_difference_hang_below_their_own_words() {
    let style = Style {
        width: 30,
        ..samples::style()
    };
    let page = "v1 → v2\n  + AC-9 Somebody looks for what is to be left out of it\n      covers: AC-1 → AC-1; AC-8; AC-9; AC-10\n\u{1b}[32m  - W-4 把订单列表导出为文件并且按日期筛选\u{1b}[0m";
    let shown = hanging(page, &style);
    assert_eq!(
        shown,
        "v1 → v2\n  + AC-9 Somebody looks for\n    what is to be left out of\n    it\n      covers: AC-1 → AC-1;\n      AC-8; AC-9; AC-10\n\u{1b}[32m  - W-4 把订单列表导出为文件并\n    且按日期筛选\u{1b}[0m"
    );
    for line in shown.lines() {
        let bare = line.replace("\u{1b}[32m", "").replace("\u{1b}[0m", "");
        assert!(textwrap::core::display_width(&bare) <= 30, "{line}");
    }
}
