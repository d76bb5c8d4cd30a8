//! What a version takes over from the previous one.

use super::*;
use crate::support::played::{moments, play};
use crate::support::states;

/// A document that is carried over keeps its bytes in its file. What is carried over is played in
/// `tests/played/revisions.md`.
#[test]
fn the_file_of_a_document_changes_unless_it_is_carried_over() {
    let files = |state: &State| {
        let renderer = workshop::artifact::Renderer::new(&states::inputs(Lang::En)).unwrap();
        renderer.documents(state, |_| true).unwrap()
    };
    let before = files(&held(1).state);
    for (lines, carried) in [
        (&["revise Split W-1 in two."][..], 4),
        (&["revise Use tabs."], 1),
        (
            &[
                "revise Is W-1 of any use?",
                "speech: none; corrects PP it is of use",
                "summary: I-3 dropped because it is of use",
            ],
            5,
        ),
    ] {
        let state = play(lines.iter().copied()).state;
        let mut same = 0;
        for (old, new) in before.iter().zip(&files(&state)) {
            let mut kinds = DocumentKind::ALL.into_iter();
            let kind = kinds.find(|kind| new.path.contains(kind.name())).unwrap();
            let is_carried = state.documents.written[&kind].carried == Some(1);
            assert_eq!(is_carried, old.bytes == new.bytes, "{}", new.path);
            same += usize::from(is_carried);
        }
        assert_eq!(same, carried, "{lines:?}");
        let found = workshop::check::for_review(&state, &workshop::check::paths_alone(|_| true));
        assert!(found.found.is_empty() || carried < 5, "{found:?}");
    }
}

/// The estimate for a revision includes documents that may be carried over; there is an estimate
/// for teams too.
#[test]
fn a_forecast_tells_what_may_be_carried_over_and_knows_teams() {
    let first = held(1).state;
    let revised = moments::at(&play(["revise Split W-1 in two."]), "call_started judgment");
    let expected = Forecast::of(&revised.state, 30_000).unwrap();
    assert_eq!(expected.carried, 2);
    assert_eq!(Forecast::of(&first, 30_000).unwrap().carried, 0);
    let mut inputs = inputs();
    inputs.format = Format::Team;
    let team = |inputs: &Inputs| {
        let meeting = Meeting::open("compare three", inputs.clone());
        Forecast::of(&meeting.state, 30_000).unwrap()
    };
    let plain = team(&inputs);
    assert_eq!((plain.calls, plain.chain), (8, 4));
    inputs.rules.review = true;
    let reviewed = team(&inputs);
    assert_eq!((reviewed.calls, reviewed.chain), (14, 6));
    assert!(plain.tokens > 60_000 && reviewed.tokens > plain.tokens);
}
