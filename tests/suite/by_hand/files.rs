//! Files in the folder of calls that are not valid replies, and invalid replies passed to `aitc
//! reply`.

use std::path::PathBuf;

use super::{DRAFT, PLAN, of_phase};
use crate::support::binary::{Place, files_below};
use crate::support::by_hand::{Hand, file, hand_in, prompt, waiting};
use crate::support::fake::WorkshopScript;

fn begun() -> (Place, PathBuf, Hand) {
    let place = Place::new();
    place.run(&PLAN).ends(8);
    let draft = place.work().join(DRAFT);
    (place, draft, Hand::playing(WorkshopScript::default()))
}

#[test]
fn a_reply_that_cannot_be_used_costs_nothing_when_it_is_handed_in() {
    let (place, draft, hand) = begun();
    let before = place.text("v1.draft/planning_transcript.jsonl");
    hand_in(&place, &["1"], "I would rather talk about the weather.").fails(
        3,
        &[
            "E-reply-bad",
            "holds no JSON object",
            "calls/001.refused.md",
        ],
    );
    let kept = std::fs::read_to_string(file(&draft, 1, "refused")).unwrap();
    assert_eq!(kept, "I would rather talk about the weather.\n");
    place.write("bad.json", "{}");
    place
        .run(&["reply", "1", "-f", "bad.json"])
        .fails(3, &["E-reply-bad", "none of the fields"]);
    hand_in(&place, &["1"], "").fails(3, &["E-reply-bad", "it is empty"]);
    place
        .run(&["reply", "1", "-f", "missing.json"])
        .fails(2, &["E-input-unreadable"]);
    assert_eq!(place.text("v1.draft/planning_transcript.jsonl"), before);
    assert_eq!(waiting(&draft), [1]);
    // After a valid reply the run continues, and the refused one is deleted.
    let page = std::fs::read_to_string(prompt(&draft, 1)).unwrap();
    hand_in(&place, &["1"], &hand.reply(&page)).ends(0);
    place.run(&["next"]).ends(8);
    assert!(!file(&draft, 1, "refused").exists());
}

#[test]
fn a_bad_reply_in_a_file_is_on_record_and_the_call_is_asked_again() {
    let (place, draft, hand) = begun();
    std::fs::write(file(&draft, 1, "reply"), "The weather is fine.\n").unwrap();
    place.run(&["resume"]).ends(8).says(&["call 2 (Coach)"]);
    let entries = place.transcript("v1.draft");
    let rejected = of_phase(&entries, "reply_rejected");
    assert_eq!(rejected[0]["output"], "The weather is fine.\n");
    let again = std::fs::read_to_string(prompt(&draft, 2)).unwrap();
    assert!(again.contains("root/judgment/Coach/r0/t1/a2"), "{again}");
    assert!(again.contains("holds no JSON object"), "{again}");
    assert!(again.contains("The weather is fine."), "{again}");
    hand_in(&place, &["2"], &hand.reply(&again)).ends(0);
    place.run(&["next"]).ends(8).says(&["call 3 of v1"]);
}

#[test]
fn what_is_no_reply_stops_the_run_before_anything_is_taken() {
    for (what, bytes) in [
        ("it is empty", Some(b" \n".to_vec())),
        ("it is larger than 1 MiB", Some(vec![b'x'; 1024 * 1024 + 1])),
        ("it is not valid UTF-8", Some(b"caf\xe9".to_vec())),
        ("it holds a NUL character", Some(b"a\0b".to_vec())),
        ("it is a link", None),
    ] {
        let (place, draft, hand) = begun();
        hand.answers(&draft);
        let reply = std::fs::read(file(&draft, 1, "reply")).unwrap();
        let before = place.text("v1.draft/planning_transcript.jsonl");
        match &bytes {
            Some(bytes) => std::fs::write(file(&draft, 1, "reply"), bytes).unwrap(),
            None => {
                place.write("secret.json", std::str::from_utf8(&reply).unwrap());
                std::fs::remove_file(file(&draft, 1, "reply")).unwrap();
                let secret = place.work().join("secret.json");
                std::os::unix::fs::symlink(secret, file(&draft, 1, "reply")).unwrap();
            }
        }
        let calls = files_below(&draft);
        for line in [&["resume"][..], &["next"]] {
            place.run(line).fails(
                3,
                &[
                    "E-reply-file",
                    what,
                    "v1.draft/calls/001.reply.md",
                    "aitc resume",
                ],
            );
        }
        assert_eq!(files_below(&draft), calls, "{what}: nothing is changed");
        assert_eq!(place.text("v1.draft/planning_transcript.jsonl"), before);
        // A reply given by command replaces the file.
        let page = std::fs::read_to_string(prompt(&draft, 1)).unwrap();
        hand_in(&place, &["1"], &hand.reply(&page)).ends(0);
        place.run(&["next"]).ends(8).says(&["call 2 of v1"]);
    }
}

#[test]
fn a_folder_of_calls_that_leads_elsewhere_is_not_followed() {
    let (place, draft, _) = begun();
    let elsewhere = place.home().join("elsewhere");
    std::fs::rename(draft.join("calls"), &elsewhere).unwrap();
    std::fs::write(elsewhere.join("001.reply.md"), "{}").unwrap();
    std::os::unix::fs::symlink(&elsewhere, draft.join("calls")).unwrap();
    let before = files_below(&elsewhere);
    place.run(&["resume"]).fails(3, &["E-reply-file"]);
    let ran = hand_in(&place, &["1"], "not JSON");
    assert_ne!(ran.code, 0, "{ran:#?}");
    assert_eq!(files_below(&elsewhere), before, "nothing is written there");
}

#[test]
fn a_second_reply_is_the_same_or_refused() {
    let (place, draft, hand) = begun();
    let page = std::fs::read_to_string(prompt(&draft, 1)).unwrap();
    let reply = hand.reply(&page);
    hand_in(&place, &["1"], &reply).ends(0);
    hand_in(&place, &["1"], &reply)
        .ends(0)
        .says(&["has this reply already"]);
    // A reply can be replaced until it is recorded.
    let spaced = format!("{reply}\n\n\n");
    hand_in(&place, &["1"], &spaced)
        .ends(0)
        .says(&["takes the place"]);
    place.run(&["next"]).ends(8).says(&["call 2 of v1"]);
    hand_in(&place, &["1"], &spaced)
        .ends(0)
        .says(&["has this reply already"]);
    hand_in(&place, &["1"], &reply).fails(2, &["E-reply-not-due", "another reply", "aitc next"]);
    hand_in(&place, &["7"], &reply).fails(2, &["E-reply-not-due", "not asked yet"]);

    // The same with files: an identical reply is deleted, any other is kept and reported.
    let transcript = place.text("v1.draft/planning_transcript.jsonl");
    std::fs::copy(file(&draft, 1, "taken"), file(&draft, 1, "reply")).unwrap();
    place.run(&["resume"]).ends(8);
    assert!(!file(&draft, 1, "reply").exists());
    std::fs::write(file(&draft, 1, "reply"), "{}").unwrap();
    std::fs::write(file(&draft, 9, "reply"), "{}").unwrap();
    std::fs::write(draft.join("calls/notes.txt"), "mine").unwrap();
    std::fs::write(draft.join("calls/2.reply.md"), "{}").unwrap();
    place.run(&["resume"]).ends(8).says(&[
        "calls/001.reply.md is not used: call 1 no longer waits",
        "calls/009.reply.md is not used: there is no call 9 yet",
    ]);
    assert_eq!(place.text("v1.draft/planning_transcript.jsonl"), transcript);
    // Other files in the folder are not deleted together with the calls.
    let mut ran = place.run(&["resume"]);
    while ran.code == 8 {
        let open = waiting(&draft);
        assert!(!open.is_empty(), "{ran:#?}");
        for n in open {
            let page = std::fs::read_to_string(prompt(&draft, n)).unwrap();
            std::fs::write(file(&draft, n, "reply"), hand.reply(&page)).unwrap();
        }
        ran = place.run(&["resume"]);
    }
    ran.ends(0);
    let mut left: Vec<_> = files_below(&place.outputs("v1/calls"))
        .into_iter()
        .map(|(name, _)| name)
        .collect();
    left.sort();
    assert_eq!(left, ["2.reply.md", "notes.txt"]);
    place.run(&["verify", "v1"]).ends(0);
    hand_in(&place, &["1"], "{}").fails(2, &["E-reply-none"]);
}

#[test]
fn a_secret_in_a_reply_is_taken_out_before_it_lies_in_the_draft() {
    let (place, draft, hand) = begun();
    let page = std::fs::read_to_string(prompt(&draft, 1)).unwrap();
    let secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
    let reply =
        hand.reply(&page)
            .replacen("\"analysis\":\"", &format!("\"analysis\":\"{secret} "), 1);
    assert!(reply.contains(secret));
    hand_in(&place, &["1"], &reply).ends(0);
    place.run(&["next"]).ends(8);
    for (path, bytes) in files_below(&draft) {
        assert!(!String::from_utf8_lossy(&bytes).contains(secret), "{path}");
    }
}
