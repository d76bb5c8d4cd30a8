//! A forged summary that finds a divergence twice. What triggers a debate is played in
//! `tests/played/debates.md`.

use aitc::machine::Event;

use crate::played::play;
use crate::support::meeting::Meeting;

#[test]
fn the_same_is_not_found_twice() {
    let objects = ["PP r1", "SD r1", "PP r2", "SD r2"].map(|who| {
        let code = &who[..2];
        format!("{who}: I-1 object ={code} 1; I-2 object ={code} 2")
    });
    let quiet = "summary r1: with {\"coach\": {\"divergence\": null}}";
    let script = objects.iter().map(String::as_str);
    let meeting = play(["divided", quiet].into_iter().chain(script));
    let place = meeting.entries.iter().position(|entry| {
        matches!(
            &entry.event,
            Event::ConsensusSummary {
                divergence: Some(_),
                ..
            }
        )
    });
    let place = place.unwrap();
    let mut replay = Meeting::open_with(meeting.entries[0].event.clone());
    for entry in &meeting.entries[1..place] {
        replay.record(entry.event.clone());
    }
    let mut forged = meeting.entries[place].event.clone();
    if let Event::ConsensusSummary {
        divergence,
        more_divergences,
        ..
    } = &mut forged
    {
        more_divergences.extend(divergence.clone());
    }
    assert!(replay.try_record(forged).unwrap_err().contains("twice"));
}
