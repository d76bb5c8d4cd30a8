//! Prompts of a debate share the longest possible prefix. What they contain is played in
//! `tests/played/prompts.md`.

use workshop::chat::ChatRequest;
use workshop::machine::Purpose;

use crate::support::played::{moments, play};

/// All messages except the last, which names the speaker.
fn known(request: &ChatRequest) -> &[workshop::chat::Message] {
    &request.messages[..request.messages.len() - 1]
}

#[test]
fn every_prompt_of_a_debate_goes_on_where_the_one_before_ended() {
    for files in ["files en", "files zh"] {
        let sent = moments::requests(&play(["divided", files]), "all");
        let debate: Vec<&ChatRequest> = sent
            .iter()
            .filter(|r| matches!(r.call.purpose, Purpose::Debate(_)))
            .collect();
        assert_eq!(
            debate.len(),
            8,
            "opening, twice two arguments and a summary, ruling"
        );
        let summary = sent
            .iter()
            .find(|r| r.call.purpose == Purpose::Summary)
            .unwrap();
        let mut before = known(summary).to_vec();
        for request in debate {
            assert!(request.messages.starts_with(&before), "{}", request.call);
            assert_eq!(request.schema.name, "contribution");
            before = known(request).to_vec();
        }
    }
}
