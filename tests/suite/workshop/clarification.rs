//! An option of a follow-up that is picked by its number. What becomes of the question is played in
//! `crates/workshop/tests/played/questions.md`.

use aitc::machine::AnswerSource;

use crate::support::played::{moments, play};

/// The follow-up has other options than the question.
#[test]
fn a_number_picks_an_option_of_the_follow_up() {
    let meeting = play([
        "set questions = ask",
        "SD r1: asks Is there a migration?",
        "follow_up: with {\"questions\": [{\"of\": \"human\", \"question\": \"Blue or green?\", \
         \"why\": \"it is painted\", \"blocks\": null, \"options\": [\"blue\", \"green\"], \
         \"recommended\": \"blue\"}]}",
        "answer terminal yes",
    ]);
    let waits = moments::at(&meeting, "user_clarification_dialogue 2").state;
    let question = &waits.questions.asked[0];
    let picked = aitc::ui::human::understood(question, "2", AnswerSource::Command);
    assert_eq!(picked.unwrap().text, "green");
}
