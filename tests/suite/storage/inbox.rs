//! The inbox: messages are delivered exactly once, in order, and are limited in size and number.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use aitc::edge::fs::{Fs, RealFs};
use aitc::edge::inbox::{CAPACITY, Inbox, InboxMessage, MessageBody};

use aitc::machine::QuestionId;

use crate::support::fault::{Fault, FaultFs};
use crate::support::schemas;

fn inbox(draft: &Path) -> Inbox {
    Inbox::at(Arc::new(RealFs), draft)
}

fn say(text: &str) -> MessageBody {
    MessageBody::Say { text: text.into() }
}

#[test]
fn messages_arrive_in_order_and_stay_until_deleted() {
    let dir = tempfile::tempdir().unwrap();
    let inbox = inbox(dir.path());
    assert_eq!(inbox.receive().unwrap().messages, []);
    let bodies = [
        say("导出 \"CSV\"\n"),
        MessageBody::Debate {
            topic: "format".into(),
        },
        MessageBody::Answer {
            question: QuestionId(1),
            text: "yes".into(),
            recommended: false,
            declined: false,
        },
        MessageBody::Stop,
    ];
    let ids: Vec<String> = bodies
        .iter()
        .map(|body| inbox.send(body.clone()).unwrap())
        .collect();
    for _ in 0..2 {
        let received = inbox.receive().unwrap();
        let back: Vec<MessageBody> = received.messages.iter().map(|m| m.body.clone()).collect();
        assert_eq!(back, bodies);
        assert_eq!(inbox.waiting().unwrap(), ids);
    }
    let schema = schemas::validator("inbox");
    for file in std::fs::read_dir(dir.path().join("inbox")).unwrap() {
        let text = std::fs::read(file.unwrap().path()).unwrap();
        let mut message: serde_json::Value = serde_json::from_slice(&text).unwrap();
        assert!(schema.is_valid(&message), "{message}");
        message["kind"] = "shout".into();
        assert!(!schema.is_valid(&message), "{message}");
    }
    inbox.delete(&ids[0]).unwrap();
    inbox.delete(&ids[0]).unwrap();
    assert_eq!(inbox.waiting().unwrap(), ids[1..]);
}

#[test]
fn the_sixty_fifth_is_refused_and_told() {
    let dir = tempfile::tempdir().unwrap();
    let real = inbox(dir.path());
    let inbox = Inbox::at(
        Arc::new(FaultFs::new(Fault::None).without_syncs()),
        dir.path(),
    );
    let ids: Vec<String> = (0..CAPACITY)
        .map(|n| inbox.send(say(&n.to_string())).unwrap())
        .collect();
    let error = inbox.send(say("one more")).unwrap_err();
    assert!(error.code == "E-inbox-full" && !error.fix().is_empty());
    assert_eq!(
        real.receive().unwrap().messages.len(),
        CAPACITY,
        "nothing of it is there"
    );
    inbox.delete(&ids[0]).unwrap();
    inbox.send(say("now")).unwrap();
    let huge = inbox.send(say(&"x".repeat(2 << 20))).unwrap_err();
    assert_eq!(huge.code, "E-inbox-full", "the bound comes first");
    inbox.delete(&ids[1]).unwrap();
    let huge = inbox.send(say(&"x".repeat(2 << 20)));
    assert_eq!(super::refused(huge), "E-message-too-large");
}

#[test]
fn without_a_run_nothing_is_sent() {
    let dir = tempfile::tempdir().unwrap();
    let draft = dir.path().join("v1.draft");
    let sent = inbox(&draft).send(MessageBody::Stop);
    assert_eq!(super::refused(sent), "E-inbox-no-run");
    assert!(!draft.exists());
}

#[test]
fn a_bad_file_is_put_aside_and_told() {
    let dir = tempfile::tempdir().unwrap();
    let inbox = inbox(dir.path());
    let good = inbox.send(say("good")).unwrap();
    let folder = dir.path().join("inbox");
    let uuid = "00000000-0000-7000-8000-000000000001";
    let message =
        |v: u32, id: &str| format!("{{\"v\":{v},\"id\":\"{id}\",\"ts\":\"\",\"kind\":\"stop\"}}");
    for (name, text) in [
        (uuid, "{".to_owned()),
        (
            "00000000-0000-7000-8000-000000000002",
            message(9, "00000000-0000-7000-8000-000000000002"),
        ),
        ("00000000-0000-7000-8000-000000000003", message(1, uuid)),
        ("hello", message(1, "hello")),
    ] {
        std::fs::write(folder.join(format!("{name}.json")), text).unwrap();
    }
    std::os::unix::fs::symlink("/etc/hostname", folder.join("0.json")).unwrap();
    let received = inbox.receive().unwrap();
    assert_eq!(received.notices.len(), 5, "{:?}", received.notices);
    let ids: Vec<&String> = received.messages.iter().map(|m| &m.id).collect();
    assert_eq!(ids, [&good]);
    assert!(folder.join("hello.json.bad").exists());
    assert_eq!(inbox.receive().unwrap().notices, [], "told once");
    // A file whose name is not a UUID is not a message.
    std::fs::write(dir.path().join("x.json"), "").unwrap();
    inbox.delete("../x").unwrap();
    assert!(dir.path().join("x.json").exists());
}

/// Processes messages like the driver: read, record new ones, delete.
fn take_in(
    fs: Arc<dyn Fs>,
    draft: &Path,
    record: &mut Vec<InboxMessage>,
) -> Result<(), aitc::fault::Fault> {
    let inbox = Inbox::at(fs, draft);
    for message in inbox.receive()?.messages {
        if !record.contains(&message) {
            record.push(message.clone());
        }
        inbox.delete(&message.id)?;
    }
    Ok(())
}

/// Sender and receiver crash at every operation: a message that was reported as sent arrives once.
#[test]
fn a_message_is_taken_in_exactly_once_whoever_dies_when() {
    for at in 0..10 {
        for fault in [
            Fault::CrashBefore(at),
            Fault::CrashMiddle(at),
            Fault::CrashAfter(at),
        ] {
            let dir = tempfile::tempdir().unwrap();
            let mut told = BTreeSet::from([inbox(dir.path()).send(say("first")).unwrap()]);
            let sender = Inbox::at(Arc::new(FaultFs::new(fault)), dir.path());
            told.extend(sender.send(say("second")).ok());
            let mut record = Vec::new();
            let _ = take_in(Arc::new(FaultFs::new(fault)), dir.path(), &mut record);
            take_in(Arc::new(RealFs), dir.path(), &mut record).unwrap();
            take_in(Arc::new(RealFs), dir.path(), &mut record).unwrap();
            let ids: BTreeSet<String> = record.iter().map(|m| m.id.clone()).collect();
            assert_eq!(ids.len(), record.len(), "{fault:?}");
            assert!(ids.is_superset(&told), "{fault:?}");
            assert_eq!(inbox(dir.path()).waiting().unwrap(), [""; 0]);
        }
    }
}
