//! Texts that are too long: sent back once, then cut with a note. Lists that are too long are played
//! in `tests/played/documents.md`.

use crate::support::played::play;

/// A shorter text is accepted; the same one is cut, with a note.
#[test]
fn a_text_beyond_its_length_is_put_back_once() {
    let long = "y".repeat(9_000);
    for (again, kept) in [
        ("short", "short".to_owned()),
        (&*long, format!("{}…", "y".repeat(8_000))),
    ] {
        let [first, then] = [&*long, again].map(|text| format!("I-1 refine ={text}"));
        let meeting = play([&*format!("PP r1 a1: {first}"), &format!("PP r1 a2: {then}")]);
        let reason = "`proposal` has 9000 characters, and at most 8000 are read";
        assert_eq!(meeting.rejections(), [reason]);
        assert_eq!(meeting.issue(1).texts[0].text, kept);
        let speech = meeting.state.discussion.speeches_of(1).next().unwrap();
        let told = speech.notes.iter().any(|note| {
            note.about == "proposal" && note.text == "9000 characters; the last 1000 are left out"
        });
        assert_eq!(told, again == long, "{:?}", speech.notes);
    }
}
