//! Follows the transcript of a run, whichever process writes it: the state so far, and a piece of
//! the page for each event.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::Path;

use crate::cli::{Context, Fault, versions};
use crate::driver::Replay;
use crate::edge::file_names::TRANSCRIPT;
use crate::edge::fs::{Fs as _, RealFs, failed};
use crate::edge::journal::JournalFollower;
use crate::edge::store::SAYING;
use crate::fault::storage::TRANSCRIPT_EMPTY;
use crate::fault::values;
use crate::machine::{CallId, Event, Lang, State, Version};
use crate::page::{self, CallInFlight, LiveStatus};
use crate::ui::view::{self, Style};

/// Columns of a line; the browser wraps it.
const WIDE: usize = 400;

/// Number of events with a piece when a run is opened.
const AT_FIRST: u64 = 1000;

/// A watched run.
pub struct Watch {
    version: Version,
    lang: Lang,
    follow: JournalFollower,
    /// Length of the transcript in bytes when it was last read.
    len: u64,
    /// When it was last read, in milliseconds of the reader's clock.
    pub read_at: Option<u64>,
    replay: Replay,
    pieces: Vec<(u64, String)>,
    speaking: Vec<CallInFlight>,
    /// The streamed words, by call, and as a part of the page.
    saying: (BTreeMap<CallId, String>, String),
    /// Number of the last event without a piece, because there were too many when the run was
    /// opened.
    before: u64,
}

impl Watch {
    /// Creates it with a piece for each event after number `before`; without a number, for the last
    /// thousand. Nothing is read yet.
    pub fn of(version: Version, before: Option<u64>, lang: Lang) -> Self {
        Self {
            version,
            lang,
            before: before.unwrap_or(u64::MAX),
            follow: JournalFollower::default(),
            len: 0,
            read_at: None,
            replay: Replay::default(),
            pieces: Vec::new(),
            speaking: Vec::new(),
            saying: (BTreeMap::new(), String::new()),
        }
    }

    /// Reads new events, and returns the state.
    ///
    /// # Errors
    /// There is no such version, or its transcript is damaged.
    pub fn refresh(&mut self, context: &Context) -> Result<&State, Fault> {
        let found = versions::find(Some(self.version), context)?;
        let path = found.folder.join(TRANSCRIPT);
        let len = RealFs
            .metadata(&path)
            .map_err(failed("look at", &path))?
            .len;
        if len != self.len {
            let Self {
                follow,
                replay,
                pieces,
                speaking,
                lang,
                before,
                ..
            } = self;
            if *before == u64::MAX {
                *before = lines(&path)?.saturating_sub(AT_FIRST);
            }
            let before = *before;
            let style = Style {
                width: WIDE,
                color: false,
                plain: false,
                lang: *lang,
                verbose: 0,
            };
            follow.more(&RealFs, &path, &mut |entry| {
                replay.apply(&entry)?;
                let Some(state) = &replay.state else {
                    return Ok(());
                };
                if let Event::CallStarted { call, .. } = &entry.event
                    && call.ask == 0
                {
                    let (call, since) = (call.clone(), entry.ts.clone());
                    speaking.push(CallInFlight { call, since });
                }
                speaking.retain(|one| state.calls.open.contains_key(&one.call));
                if entry.seq <= before {
                    return Ok(());
                }
                let told = view::line(state, &entry, &style);
                let piece = page::piece(state, &entry, told.as_deref(), *lang)
                    .map_err(|fault| fault.what().of(Lang::En).to_owned())?;
                if !piece.is_empty() {
                    pieces.push((entry.seq, piece));
                }
                Ok(())
            })?;
            self.len = len;
        }
        let path = versions::display_path(&found.folder, context);
        let state = self.replay.state.as_ref();
        let state = state.ok_or_else(|| TRANSCRIPT_EMPTY.with(values![path]))?;
        versions::is_whole(state, &found, context)?;
        let mut said = match self.speaking.is_empty() {
            true => BTreeMap::new(),
            false => streamed_words(&found.folder),
        };
        said.retain(|call, _| self.speaking.iter().any(|one| one.call == *call));
        if said != self.saying.0 {
            let html = page::saying(state, &said, self.lang)?;
            self.saying = (said, html);
        }
        Ok(state)
    }

    /// Returns whether there are events before the first piece.
    pub fn has_earlier(&self) -> bool {
        self.before > 0
    }

    /// Returns the state that was last read.
    pub fn state(&self) -> Option<&State> {
        self.replay.state.as_ref()
    }

    /// Returns the pieces of events with a number above `after`, each with its number.
    pub fn pieces(&self, after: u64) -> &[(u64, String)] {
        let first = self.pieces.partition_point(|(seq, _)| *seq <= after);
        &self.pieces[first..]
    }

    /// Returns what is happening now; `alive` says whether a process works on the run.
    pub fn now(&self, state: &State, alive: bool) -> LiveStatus<'_> {
        LiveStatus {
            stage: view::stage(state, self.lang),
            alive,
            speaking: &self.speaking,
            saying: if alive { &self.saying.1 } else { "" },
        }
    }
}

/// Returns the streamed words of the run in that folder. They are not recorded; if they cannot be
/// read, the run is shown without them.
fn streamed_words(folder: &Path) -> BTreeMap<CallId, String> {
    let text = RealFs.read(&folder.join(SAYING)).unwrap_or_default();
    serde_json::from_slice(&text).unwrap_or_default()
}

fn lines(path: &Path) -> Result<u64, Fault> {
    let reading = || failed("read", path);
    let mut file = RealFs.open_read(path).map_err(reading())?;
    let (mut chunk, mut lines) = ([0; 64 << 10], 0);
    loop {
        match file.read(&mut chunk).map_err(reading())? {
            0 => return Ok(lines),
            read => lines += chunk[..read].iter().filter(|byte| **byte == b'\n').count() as u64,
        }
    }
}
