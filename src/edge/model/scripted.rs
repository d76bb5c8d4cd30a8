//! A model that replays answers from files, by the id of the call.
//!
//! A folder contains one file per answer, named after the call's id with `/` written as `__`, and
//! `.json`, such as `root__speech__ProductPlanner__r1__t1__a1.json`. A recording contains the
//! unchanged answer in `text`; a file written by hand may contain it as an object in `answer`.

use std::collections::BTreeMap;
use std::fs::Permissions;
use std::io::{self, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use serde::de::Error as _;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Answering, CallFailure, ChatModel};
use crate::chat::{ChatRequest, ChatResponse, FinishReason, Usage};
use crate::edge::fs::IoContext as _;
use crate::edge::safe_open::{self, FileUse};
use crate::fault::models::{FIXTURE_MALFORMED, FIXTURES_UNREADABLE};
use crate::fault::{Fault, said_by_system, texts, values};
use crate::machine::{CallId, FailureKind};

/// An answer on disk; `text` is always there once it is read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Fixture {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    answer: Option<Value>,
    #[serde(default = "whole")]
    finish: FinishReason,
    #[serde(default)]
    usage: Usage,
}

impl Fixture {
    fn read(bytes: &[u8]) -> serde_json::Result<Self> {
        let mut fixture: Self = serde_json::from_slice(bytes)?;
        if fixture.text.is_some() == fixture.answer.is_some() {
            let why = "one of `text` and `answer` is needed";
            return Err(serde_json::Error::custom(why));
        }
        let answer = fixture.answer.take().map(|answer| answer.to_string());
        fixture.text = fixture.text.or(answer);
        Ok(fixture)
    }
}

texts! {
    NOT_ONE: "no file in it is a recorded answer", "其中没有一个文件是已录制的回答";
}

const ENDING: &str = ".json";

/// Maximum number of attempts without an answer to skip.
const MAX_SKIPPED: u32 = 100;

fn whole() -> FinishReason {
    FinishReason::Stop
}

fn unreadable(path: &Path, error: &io::Error) -> Fault {
    let cause = said_by_system(error);
    FIXTURES_UNREADABLE.with(values![path = path.display(), cause])
}

fn malformed(path: &Path, error: &serde_json::Error) -> Fault {
    FIXTURE_MALFORMED.with(values![path = path.display(), cause = error])
}

/// A model that replays answers.
#[derive(Debug)]
pub struct Scripted {
    /// Folder of the answers, for messages.
    dir: PathBuf,
    answers: BTreeMap<String, Fixture>,
}

impl Scripted {
    /// Reads every `.json` file of a folder; other kinds of entries are skipped.
    ///
    /// # Errors
    /// The folder or a file cannot be read, there are no answers, or a file contains none.
    pub fn load(dir: &Path) -> Result<Self, Fault> {
        let mut files = Vec::new();
        for name in safe_open::names_in(dir).map_err(|e| unreadable(dir, &e))? {
            let path = dir.join(&name);
            if path.extension().is_none_or(|ending| ending != "json") {
                continue;
            }
            // A pipe or folder with such a name is not an answer.
            if path
                .metadata()
                .map_err(|e| unreadable(&path, &e))?
                .is_file()
            {
                let bytes = safe_open::beneath(dir, Path::new(&name), FileUse::Recorded);
                files.push((name, bytes.map_err(|e| unreadable(&path, &e))?));
            }
        }
        if files.is_empty() {
            return Err(FIXTURES_UNREADABLE.with(values![path = dir.display(), cause = NOT_ONE]));
        }
        Self::of_files(dir, files)
    }

    /// Reads files given as name and content, which need not be on disk; `dir` is their folder in
    /// messages.
    ///
    /// # Errors
    /// A file contains no answer.
    pub fn of_files<B: AsRef<[u8]>>(
        dir: &Path,
        files: impl IntoIterator<Item = (String, B)>,
    ) -> Result<Self, Fault> {
        let mut answers = BTreeMap::new();
        for (name, bytes) in files {
            let read = Fixture::read(bytes.as_ref());
            let answer = read.map_err(|error| malformed(&dir.join(&name), &error))?;
            answers.insert(name, answer);
        }
        Ok(Self {
            dir: dir.to_owned(),
            answers,
        })
    }

    /// Whether it contains reviews by members. Old recordings do not.
    pub fn reviews(&self) -> bool {
        self.answers.keys().any(|name| name.contains("__review__"))
    }

    fn answer(&self, request: &ChatRequest) -> Result<ChatResponse, CallFailure> {
        let Some(answer) = self.find(&request.call) else {
            let path = self.dir.join(file_name(&request.call));
            let call = &request.call;
            let path = path.display();
            let detail = format!("no answer is recorded for `{call}`; expected it in `{path}`");
            return Err(CallFailure::new(FailureKind::Refused, false, detail));
        };
        Ok(ChatResponse {
            finish: answer.finish,
            usage: answer.usage,
            ..ChatResponse::plain(answer.text.clone().unwrap_or_default(), &request.model)
        })
    }

    /// The answer of this attempt, otherwise of the next attempt that has one: an attempt that
    /// failed, or was cut off by a crash, left no recording.
    fn find(&self, call: &CallId) -> Option<&Fixture> {
        let attempts = call.attempt..=call.attempt.saturating_add(MAX_SKIPPED);
        attempts
            .map(|attempt| file_name(&call.with_attempt(attempt)))
            .find_map(|name| self.answers.get(&name))
    }
}

impl ChatModel for Scripted {
    fn chat<'a>(&'a self, request: &'a ChatRequest) -> Answering<'a> {
        Box::pin(std::future::ready(self.answer(request)))
    }
}

/// Creates the folder of a recording if it is missing, and checks that it is writable before the
/// first answer is paid for. Returns the number of answers already there.
pub fn prepare(dir: &Path) -> Result<usize, Fault> {
    let already = || -> io::Result<usize> {
        std::fs::create_dir_all(dir)?;
        tempfile::tempfile_in(dir)?;
        let names = safe_open::names_in(dir)?;
        Ok(names.iter().filter(|name| name.ends_with(ENDING)).count())
    };
    already().doing("write", dir)
}

/// Writes an answer where [`Scripted::load`] finds it; creates a missing folder. An existing file
/// is replaced; a link is replaced itself, not its target.
///
/// # Errors
/// Folder or file cannot be written.
pub fn record(dir: &Path, call: &CallId, response: &ChatResponse) -> Result<(), Fault> {
    let path = dir.join(file_name(call));
    let fixture = Fixture {
        text: Some(response.text.clone()),
        answer: None,
        finish: response.finish,
        usage: response.usage,
    };
    let mut text =
        serde_json::to_string_pretty(&fixture).map_err(|error| malformed(&path, &error))?;
    text.push('\n');
    let write = || -> io::Result<()> {
        std::fs::create_dir_all(dir)?;
        // The mode of ordinary files, not of a secret.
        let mode = Permissions::from_mode(0o666);
        let mut fresh = tempfile::Builder::new()
            .permissions(mode)
            .tempfile_in(dir)?;
        fresh.write_all(text.as_bytes())?;
        fresh.persist(&path)?;
        Ok(())
    };
    write().map_err(|error| unreadable(&path, &error))
}

/// The file of a call. Unsafe characters of a member's name are replaced by `-`, so that no name
/// leads out of the folder.
fn file_name(call: &CallId) -> String {
    let is_unsafe = |c: char| !c.is_ascii_alphanumeric() && !"_-".contains(c);
    let name = call.to_string().replace('/', "__");
    name.replace(is_unsafe, "-") + ENDING
}
