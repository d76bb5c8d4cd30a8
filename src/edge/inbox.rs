//! Messages to a running workshop: files renamed into `inbox/` of its draft.
//!
//! All front ends send messages this way. A message file is always complete. The run records it as
//! received, syncs, and deletes the file. After a crash in between the file is still there but its
//! id is known: it is read once more and deleted without being used.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::clock::timestamp;
use super::fs::{
    FileKind, Fs, IfExists as _, IoContext as _, WriteMode, failed, read_ours, write_atomically,
};
use super::safe_open::FileUse;
use crate::edge::file_names::INBOX;
use crate::fault::plans::{INBOX_FULL, INBOX_NO_RUN, MESSAGE_TOO_LARGE};
use crate::fault::{Fault, Message, texts, values};
use crate::machine::QuestionId;

/// Maximum number of waiting messages.
pub const CAPACITY: usize = 64;
/// Additional places that only a stop or an answer may take, so that a full inbox never prevents
/// the user from ending the run or letting it continue.
pub const RESERVED: usize = 8;

const FORMAT: u32 = 1;
const ENDING: &str = ".json";
/// Maximum size of a message file, in bytes.
const LARGEST: u64 = FileUse::Message.most() as u64;

/// A message to a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Message")]
pub struct InboxMessage {
    /// Version of this format: 1.
    pub v: u32,
    /// UUID, preferably version 7 so that file names sort by time; the name of the file.
    pub id: String,
    /// Time of sending, RFC 3339 in UTC; for people only.
    pub ts: String,
    /// Content of the message.
    #[serde(flatten)]
    pub body: MessageBody,
}

/// What a message says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum MessageBody {
    /// What `aitc say` was given: words for all members, or a command such as `/vote`.
    Say {
        /// Text of the message.
        text: String,
    },
    /// A request for a debate.
    Debate {
        /// Topic of the debate.
        topic: String,
    },
    /// A line typed at the terminal of the run, unchanged.
    Typed {
        /// The line, as typed at the terminal of the run.
        line: String,
    },
    /// A request to end the discussion.
    Stop,
    /// An answer to a question.
    Answer {
        /// Id of the question, `Q-n`.
        question: QuestionId,
        /// The answer; empty if `recommended` or `declined`.
        text: String,
        /// Whether the recommended answer is taken.
        #[serde(default)]
        recommended: bool,
        /// Whether the user declines to answer.
        #[serde(default)]
        declined: bool,
    },
}

texts! {
    NO_MESSAGE: "`{path}` is not a message: {why}", "`{path}` 不是消息：{why}";
    UNREADABLE: "{why}", "无法读取（{why}）";
    OTHER_FORMAT: "format {v}", "格式为 {v}";
    OTHER_NAME: "its id is not its name", "它的编号与文件名不符";
    NO_UUID: "its id `{id}` is not a UUID", "它的编号 `{id}` 不是 UUID";
}

/// The error for a full inbox.
pub fn full() -> Fault {
    INBOX_FULL.with(values![capacity = CAPACITY])
}

/// The received messages.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReceivedMessages {
    /// Messages in the order in which they were sent.
    pub messages: Vec<InboxMessage>,
    /// Notices about files that are not messages; each was renamed to `<name>.bad`.
    pub notices: Vec<Message>,
}

/// The inbox of one draft.
#[derive(Clone)]
pub struct Inbox {
    fs: Arc<dyn Fs>,
    draft: PathBuf,
    dir: PathBuf,
}

impl Inbox {
    /// The inbox of the draft in the folder `draft`; does not access the disk.
    pub fn at(fs: Arc<dyn Fs>, draft: &Path) -> Self {
        Self {
            fs,
            draft: draft.to_owned(),
            dir: draft.join(INBOX),
        }
    }

    /// Sends a message and returns its id; the message is on disk then.
    ///
    /// # Errors
    /// The inbox is full, no run is there, or the message is too large (nothing is sent then);
    /// otherwise the storage's error.
    pub fn send(&self, body: MessageBody) -> Result<String, Fault> {
        let may_be_last = matches!(body, MessageBody::Stop | MessageBody::Answer { .. });
        self.write(body, may_be_last)
    }

    /// Sends a line typed at the run's own terminal. `may_be_last`: the line ends the run or
    /// answers a question, and may take a reserved place.
    ///
    /// # Errors
    /// As [`send`](Self::send).
    pub fn send_typed(&self, line: String, may_be_last: bool) -> Result<String, Fault> {
        self.write(MessageBody::Typed { line }, may_be_last)
    }

    fn write(&self, body: MessageBody, may_be_last: bool) -> Result<String, Fault> {
        self.make()?;
        let capacity = if may_be_last {
            CAPACITY + RESERVED
        } else {
            CAPACITY
        };
        if self.waiting()?.len() >= capacity {
            return Err(full());
        }
        let message = InboxMessage {
            v: FORMAT,
            id: Uuid::now_v7().to_string(),
            ts: timestamp(),
            body,
        };
        let bytes = serde_json::to_vec(&message)
            .map_err(std::io::Error::from)
            .doing("encode a message for", &self.dir)?;
        if bytes.len() as u64 > LARGEST {
            let size = bytes.len();
            return Err(MESSAGE_TOO_LARGE.with(values![largest = LARGEST, bytes = size]));
        }
        write_atomically(
            &*self.fs,
            &self.path(&message.id),
            &bytes,
            WriteMode::Synced,
        )?;
        Ok(message.id)
    }

    /// Ids of the waiting messages, oldest first, without reading them.
    pub fn waiting(&self) -> Result<Vec<String>, Fault> {
        let folder = self.fs.metadata(&self.dir).if_exists();
        let names = folder.and_then(|folder| match folder.map(|folder| folder.kind) {
            None => Ok(Vec::new()),
            Some(FileKind::Dir) => self.fs.list(&self.dir),
            // A link could lead out of the workspace.
            Some(_) => Err(io::ErrorKind::NotADirectory.into()),
        });
        let names = names.doing("list", &self.dir)?;
        Ok(names
            .iter()
            .filter_map(|name| name.strip_suffix(ENDING).map(str::to_owned))
            .collect())
    }

    /// The readable waiting messages, oldest first, without setting anything aside: for senders,
    /// while the run may take the messages.
    pub fn peek(&self) -> Result<Vec<InboxMessage>, Fault> {
        let waiting = self.waiting()?.into_iter().take(CAPACITY + RESERVED);
        // A missing file was taken by the run, and the run reports invalid ones.
        let read = waiting.filter_map(|id| self.read(&id, &self.path(&id)).ok()?.ok());
        Ok(read.collect())
    }

    /// Reads the waiting messages, oldest first, and leaves the files until
    /// [`delete`](Self::delete).
    ///
    /// A file that is not a message is renamed to `<name>.bad` and reported.
    pub fn receive(&self) -> Result<ReceivedMessages, Fault> {
        let mut received = ReceivedMessages::default();
        // Another program may exceed the limit: further messages wait until the next time.
        for id in self.waiting()?.into_iter().take(CAPACITY + RESERVED) {
            let path = self.path(&id);
            match self.read(&id, &path)? {
                Ok(message) => received.messages.push(message),
                Err(why) => {
                    let aside = self.dir.join(format!("{id}{ENDING}.bad"));
                    self.fs.rename(&path, &aside).doing("put aside", &path)?;
                    received
                        .notices
                        .push(NO_MESSAGE.fill(values![path = path.display(), why]));
                }
            }
        }
        Ok(received)
    }

    /// Deletes a recorded message; a missing one is fine.
    pub fn delete(&self, id: &str) -> Result<(), Fault> {
        // Ids of messages that were read are UUIDs; anything else is not a file name here.
        if Uuid::try_parse(id).is_err() {
            return Ok(());
        }
        let path = self.path(id);
        self.fs.remove(&path).if_exists().doing("remove", &path)?;
        Ok(())
    }

    fn path(&self, id: &str) -> PathBuf {
        self.dir.join(format!("{id}{ENDING}"))
    }

    /// Creates the folder; the draft must exist, because no run would read the message otherwise.
    fn make(&self) -> Result<(), Fault> {
        match self.fs.create_dir(&self.dir) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Err(INBOX_NO_RUN.with(values![path = self.draft.display()]))
            }
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                Err(failed("create", &self.dir)(error))
            }
            _ => Ok(()),
        }
    }

    /// The message, or why the file is not one.
    fn read(&self, id: &str, path: &Path) -> Result<Result<InboxMessage, Message>, Fault> {
        let bytes = match read_ours(&*self.fs, path)? {
            Some(Ok(bytes)) => bytes,
            Some(Err(why)) => return Ok(Err(why)),
            None => {
                return Err(failed("read", path)(io::ErrorKind::NotFound.into()));
            }
        };
        Ok(match serde_json::from_slice::<InboxMessage>(&bytes) {
            Err(error) => Err(UNREADABLE.fill(values![why = error])),
            Ok(message) if message.v != FORMAT => Err(OTHER_FORMAT.fill(values![v = message.v])),
            Ok(message) if message.id != id => Err(OTHER_NAME.into()),
            Ok(message) if Uuid::try_parse(id).is_err() => {
                Err(NO_UUID.fill(values![id = message.id.escape_debug()]))
            }
            Ok(message) => Ok(message),
        })
    }
}
