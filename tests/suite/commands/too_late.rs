//! Messages sent after the discussion has ended.

use std::sync::Arc;

use aitc::edge::fs::RealFs;
use aitc::edge::inbox::{Inbox, MessageBody};

use super::interventions::{lines, send, waiting};
use crate::support::binary::{Place, wait_until};
use crate::support::fake::{Fake, WorkshopScript};

/// Once documents are being written, messages no longer have an effect: the command refuses them,
/// and a message that arrived just before is recorded as too late.
#[test]
fn what_is_said_once_the_discussion_is_over_comes_too_late_and_is_on_record() {
    let fake = Fake::holding(WorkshopScript::default(), &["report/"]);
    let place = Place::new();
    let going = place.start_with(&fake, &["plan", "Export the list"]);
    wait_until("the report", || {
        fake.counts().keys().any(|key| key.starts_with("report/"))
    });
    for lang in ["en", "zh"] {
        for said in [
            &["say", "Leave the app out of it"][..],
            &["stop"],
            &["debate", "Which columns?"],
        ] {
            let refused = place.run(&[said, &["--lang", lang]].concat());
            assert_eq!(refused.code, 2, "{}", refused.err);
            assert!(refused.err.contains("[E-said-too-late]"), "{}", refused.err);
        }
    }
    assert_eq!(waiting(&place), 0, "nothing was sent");
    let late = send(
        place.work(),
        MessageBody::Say {
            text: "Leave the app out of it".to_owned(),
        },
    );
    fake.lets_go();
    let ran = going.end().ends(0);
    ran.says(&["you: Leave the app out of it", "too late"]);
    let version = place.outputs("v1");
    let told = lines(&version, "user_intervention");
    assert_eq!(told.len(), 1, "{told:#?}");
    assert_eq!(
        (&told[0]["message"], &told[0]["refused"]),
        (&late.into(), &"over".into())
    );
    assert!(!version.join("inbox").exists());
    place.run(&["verify"]).ends(0);
}

/// A question that stayed open or was replaced by an assumption can no longer be answered; the
/// error says what to do instead.
#[test]
fn an_answer_once_the_discussion_is_over_is_refused_with_the_way_on() {
    let fake = Fake::holding(WorkshopScript::asking(1), &["report/"]);
    let writes = |n| wait_until("the report", || fake.asked("report/").len() == n);
    let place = Place::new();
    let plan = ["plan", "Export the list", "--questions"];
    place
        .run_with(&fake, &[&plan[..], &["pause"]].concat())
        .ends(8);
    place.run(&["stop"]).ends(0);
    let left = place.start_with(&fake, &["resume"]);
    writes(1);
    let assumed = place.start_with(&fake, &[&plan[..], &["assume"]].concat());
    writes(2);
    let answers = [
        &["answer", "Q-1", "as rows"][..],
        &["say", "/answer Q-1 as rows"],
    ];
    for answer in answers {
        let on = |run| place.run(&[answer, &["--run", run]].concat());
        on("v1").fails(
            2,
            &[
                "[E-question-left-open]",
                "are being written",
                "aitc revise v1 \"Q-1: …\"",
            ],
        );
        on("v2").fails(
            2,
            &[
                "[E-question-assumed]",
                "the assumption A-1",
                "aitc revise v2 \"Q-1: …\"",
            ],
        );
    }
    let all = ["answer", "--recommended", "--all", "--run", "v1"];
    place.run(&all).fails(2, &["[E-question-left-open]"]);
    for draft in ["v1.draft", "v2.draft"] {
        let inbox = Inbox::at(Arc::new(RealFs), &place.outputs(draft));
        assert_eq!(inbox.waiting().unwrap(), [""; 0], "{draft}");
    }
    fake.lets_go();
    left.end().ends(7);
    assumed.end().ends(0);
    place
        .run(&["answer", "Q-1", "as rows"])
        .fails(2, &["[E-question-assumed]", "v2"]);
    place
        .run(&["answer", "Q-1", "as rows", "--run", "v1"])
        .fails(2, &["[E-question-left-open]", "v1 is published"]);
}
