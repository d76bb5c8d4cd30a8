//! Nothing that was agreed or noted is lost: each agreed item and note is in a document, left out
//! for a stated reason, or reported as missing.

use aitc::artifact::structured;

use super::*;
use crate::support::states;

const ITEMS: usize = 12;

/// A discussion with twelve agreed items and fifteen notes, three for each document. The writer of
/// the product plan forgets `C-7` at first; the developer forgets a note and then leaves it out
/// with a reason; the tester ignores a note in both attempts.
fn forgetful() -> impl FnMut(&State, &CallId) -> String {
    let mut basics = agreeable(1);
    move |state, call| match call.purpose {
        Purpose::Judgment => {
            let need = |n| new_issue(&format!("n{n}"), &format!("need {n}"), Severity::Blocking);
            text(&Contribution {
                new_issues: (1..=ITEMS).map(need).collect(),
                ..contribution("Twelve needs.")
            })
        }
        Purpose::Speech => {
            let mut said = spoken(&basics(state, call));
            let member = call.turn as usize;
            said.notes = (0..3)
                .map(|n| WriterNote {
                    document: DocumentKind::ALL[(member + n) % 5],
                    text: format!("Note {n} of turn {member}."),
                })
                .collect();
            text(&said)
        }
        Purpose::Document(kind) => {
            let document = serde_json::from_str(&basics(state, call)).unwrap();
            let mut written: Written<serde_json::Value> = Written::new(document);
            let is_first_try = !state.calls.was_rejected(call);
            let notes = state
                .discussion
                .notes()
                .filter(|(_, _, note)| note.document == kind);
            let notes: Vec<String> = notes.map(|(id, _, _)| id).collect();
            let forgotten = match kind {
                DocumentKind::ProductPlan if is_first_try => "C-7",
                DocumentKind::DevPlan if is_first_try => &notes[1],
                DocumentKind::TestPlan => &notes[2],
                _ => "",
            };
            let due = items_due(state, kind).into_iter().chain(notes.clone());
            let account = |id: String| {
                let is_out = kind == DocumentKind::DevPlan && id == notes[1];
                Account {
                    used_in: (!is_out).then(|| "the first item".to_owned()),
                    left_out_because: is_out.then(|| "the test plan has it".to_owned()),
                    id,
                }
            };
            written.accounts = due.filter(|id| id != forgotten).map(account).collect();
            text(&written)
        }
        _ => basics(state, call),
    }
}

#[test]
fn nothing_that_was_worked_out_is_lost() {
    for (lang, left_out, silent) in [
        (
            Lang::En,
            "left out: the test plan has it",
            "no answer from the writer",
        ),
        (Lang::Zh, "未采用：the test plan has it", "撰写者没有说明"),
    ] {
        let mut inputs = states::inputs(lang);
        inputs.questions = QuestionMode::Assume;
        let mut meeting = Meeting::open("twelve things", inputs);
        meeting.run(&mut forgetful());
        let state = &meeting.state;
        assert_eq!(state.stage, Stage::Published);
        assert_eq!(state.draft.standing().count(), ITEMS);

        // Each omission was sent back to its writer once.
        let put_back = meeting.rejections();
        let notes_of = |kind| {
            let notes = state
                .discussion
                .notes()
                .filter(move |(_, _, note)| note.document == kind);
            notes.map(|(id, _, _)| id).collect::<Vec<_>>()
        };
        let [by_dev, by_test] = [DocumentKind::DevPlan, DocumentKind::TestPlan].map(notes_of);
        let expected = ["C-7", &by_dev[1], &by_test[2]];
        let expected = expected.map(|id| format!("`accounts` says nothing about {id}"));
        assert_eq!(put_back, expected);

        // Now each is in a document, left out with a reason, or reported.
        let product = &state.documents.written[&DocumentKind::ProductPlan];
        let used = |id: &str| {
            let mut accounts = product.accounts.iter();
            accounts.any(|account| account.id == id && account.used_in.is_some())
        };
        assert!((1..=ITEMS).all(|n| used(&format!("C-{n}"))));
        let notes = structured(state).notes;
        assert_eq!(notes.len(), 15);
        for note in &notes {
            let (is_out, is_silent) = (note.id == by_dev[1], note.id == by_test[2]);
            assert_eq!(note.left_out_because.is_some(), is_out, "{note:?}");
            assert_eq!(note.used_in.is_none(), is_out || is_silent, "{note:?}");
        }
        let told = &state.documents.written[&DocumentKind::TestPlan].notes;
        assert_eq!(told.last().unwrap().about, by_test[2]);

        let report = file(state, "planning_report.md");
        let items = state.draft.standing().map(|item| item.text.as_str());
        let notes = notes.iter().map(|note| note.text.as_str());
        let words: Vec<&str> = items.chain(notes).collect();
        assert_eq!(words.len(), ITEMS + 15);
        for words in words {
            assert!(report.contains(words), "{words}: {report}");
        }
        for told in [left_out, silent] {
            assert_eq!(report.matches(told).count(), 1, "{told}: {report}");
        }
    }
}

/// A document without accounts is sent back once; then what it does not account for is noted. A
/// recording is not sent back, because its answers are fixed.
#[test]
fn a_document_without_accounts_is_asked_for_them_once() {
    for (provider, rejected, told) in [("team", 1, 2), (SCRIPTED, 0, 0)] {
        let mut meeting = opened(|inputs| inputs.model.provider = provider.to_owned());
        let mut basics = agreeable(1);
        let kind = DocumentKind::ProductPlan;
        meeting.until(Purpose::Document(kind), &mut basics);
        let due = items_due(&meeting.state, kind);
        assert_eq!(due.len(), 2);
        while !meeting.state.documents.written.contains_key(&kind) {
            let call = call_due(&meeting.state);
            let alone = basics(&meeting.state, &call);
            meeting.reply(&call, &alone);
        }
        assert_eq!(meeting.state.calls.rejected, rejected, "{provider}");
        let notes = &meeting.state.documents.written[&kind].notes;
        let silent = notes.iter().filter(|note| due.contains(&note.about));
        assert_eq!(silent.count(), told, "{provider}");
    }
}
