//! Finding and opening the versions and drafts of the workspace.

use std::io::{BufRead as _, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Context, Exit, Fault};
use crate::driver::Replay;
use crate::edge::file_names::{INBOX, MANIFEST, TRANSCRIPT};
use crate::edge::fs::{FileKind, Fs, IfExists as _, IoContext as _, RealFs};
use crate::edge::journal::{self, MAX_LINE};
use crate::edge::lock::RunLock;
use crate::edge::store::{Outputs, verify};
use crate::fault::plans::{
    DRAFT_EMPTY, NOTHING_WHOLE, RUN_AMBIGUOUS, RUN_COMPLETE, RUN_NONE, VERSION_CUT, VERSION_DRAFT,
    VERSION_MISSING, VERSION_NO_PLAN, VERSION_NONE, VERSION_RENAMED, VERSION_TAMPERED,
};
use crate::fault::storage::TRANSCRIPT_EMPTY;
use crate::fault::{Text, texts, values};
use crate::machine::{Entry, Event, Format, Series, Stage, State, Version};

texts! {
    CUT_AWAY: "{path} is left out: no line of its transcript is whole; what is left of it: {kept}", "略过 {path}：会议记录中没有完整的行；留下的内容：{kept}";
    LEFT_OUT: "{path} is left out: its run has just begun, or ended before anything was recorded; `aitc verify {n} --repair` removes it", "略过 {path}：运行刚刚开始，或在留下记录之前就结束了；`aitc verify {n} --repair` 可移除它";
    NO_VERSION: "{path} is left out: it is not a version: it has neither a transcript nor a manifest", "略过 {path}：其中既没有会议记录也没有清单，不是版本";
    NO_FOLDER: "{path} is left out: it is not a folder, so it is not a version", "略过 {path}：它不是目录，因此不是版本";
    PASSED_OVER: "{what}; this version is skipped", "{what}；已略过";
    OUT_OF_THE_WAY: "{right} is there, so this is a copy of it: mv {path} /elsewhere", "{right} 也在，所以这是它的副本：mv {path} /别处";
    CLEARED: "{path} was removed: its run ended before anything was recorded", "已移除 {path}：它的运行在留下任何记录之前就结束了";
}

/// A version or draft that was read.
#[derive(Debug)]
pub struct Opened {
    /// Name of the version.
    pub version: Version,
    /// Whether it is a draft.
    pub draft: bool,
    /// Its folder, relative to the current one, `/` between parts.
    pub path: String,
    /// Path of the folder.
    pub folder: PathBuf,
    /// The state after its transcript.
    pub state: State,
    /// Hash of the transcript's last line.
    pub head: String,
}

/// A version or draft that was found but not read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundVersion {
    /// Its name, according to its folder.
    pub version: Version,
    /// Whether it is a draft.
    pub draft: bool,
    /// Path of the folder.
    pub folder: PathBuf,
}

/// Returns the folder of versions that share numbers with this one.
pub fn outputs(version: Version, context: &Context) -> Outputs {
    Outputs::of(file_system(), &context.root, version)
}

/// Returns the series: folders among the outputs with a series' name.
fn series(context: &Context) -> Result<Vec<Series>, Fault> {
    let outputs = outputs(Version::plan(1), context);
    let names = file_system().list(outputs.root()).if_exists();
    let names = names.doing("list", outputs.root())?.unwrap_or_default();
    let is_folder = |name: &String| {
        let found = file_system().metadata(&outputs.root().join(name));
        found.is_ok_and(|found| found.kind == FileKind::Dir)
    };
    let folders = names.iter().filter(|name| is_folder(name));
    Ok(folders.filter_map(|name| name.parse().ok()).collect())
}

/// Returns whether a process works on the run of that version.
///
/// # Errors
/// The lock cannot be checked.
pub fn is_running(version: Version, context: &Context) -> Result<bool, Fault> {
    RunLock::is_held(&lock_path(version, context))
}

/// Returns the lock file of that version's run.
pub fn lock_path(version: Version, context: &Context) -> PathBuf {
    outputs(version, context).lock_path(version.number)
}

/// Parses a version's name; a number alone may be something else.
pub fn parse_name(text: &str) -> Option<Version> {
    let is_number = text.starts_with(|c: char| c.is_ascii_digit());
    text.parse().ok().filter(|_| !is_number)
}

/// Returns the file system of this machine.
pub fn file_system() -> Arc<dyn Fs> {
    Arc::new(RealFs)
}

/// Returns every version and draft, plans first, the oldest first of each format. A draft whose
/// version was published meanwhile comes before it, since a command that names the version means
/// the published one.
pub fn find_all(context: &Context) -> Result<Vec<FoundVersion>, Fault> {
    context.has_no_file_for_folder()?;
    let mut all = Vec::new();
    let of = |format, series| Version {
        format,
        series,
        number: 1,
    };
    let formats = Format::ALL.map(|format| of(format, None));
    let series = series(context)?.into_iter();
    let series = series.map(|series| of(Format::Workshop, Some(series)));
    for first in formats.into_iter().chain(series) {
        let outputs = outputs(first, context);
        let found = |number, draft, folder| FoundVersion {
            version: first.sibling(number),
            draft,
            folder,
        };
        let versions = outputs.versions()?.into_iter();
        let drafts = outputs.drafts()?.into_iter();
        all.extend(versions.map(|n| found(n, false, outputs.version_dir(n))));
        all.extend(drafts.map(|n| found(n, true, outputs.draft_dir(n))));
    }
    all.sort_by_key(|found| (found.version, !found.draft));
    Ok(all)
}

/// Returns whether it is a draft whose run has not ended. An unsaved chat counts as ended.
pub fn is_unfinished(found: &FoundVersion) -> bool {
    found.draft && !is_unsaved(found)
}

/// Returns whether it is a draft of a chat whose run has ended, so that it only waits to be saved.
pub fn is_unsaved(found: &FoundVersion) -> bool {
    if !found.draft || found.version.format != Format::Party {
        return false;
    }
    // An unreadable one is reported by the command that reads it.
    let bytes = RealFs.read(&found.folder.join(TRANSCRIPT));
    let bytes = bytes.unwrap_or_default();
    let last = bytes
        .split(|byte| *byte == b'\n')
        .rfind(|line| !line.is_empty());
    let last = last.and_then(|line| serde_json::from_slice::<Entry>(line).ok());
    last.is_some_and(|entry| matches!(entry.event, Event::Published { .. }))
}

/// Returns the drafts that a command for an unfinished run may mean: the one that is named, or all.
pub fn unfinished(all: &[FoundVersion], version: Option<Version>) -> Vec<FoundVersion> {
    let fits = |found: &&FoundVersion| match version {
        Some(named) => found.draft && found.version == named,
        None => is_unfinished(found),
    };
    all.iter().filter(fits).cloned().collect()
}

/// Returns the run that a command is for: the one named, else of the unfinished ones the only one
/// that `rank` puts highest, leaving out those without a rank; `None` if there is none. `example` is
/// the command that names a run.
///
/// # Errors
/// Several rank highest.
pub fn the_run(
    version: Option<Version>,
    rank: &dyn Fn(&FoundVersion) -> Result<Option<u8>, Fault>,
    example: &dyn Fn(&str) -> String,
    context: &Context,
) -> Result<Option<FoundVersion>, Fault> {
    let mut runs = unfinished(&find_all(context)?, version);
    if version.is_none() {
        runs = recorded(runs, context)?;
    }
    if runs.len() > 1 {
        let ranks = runs.iter().map(rank).collect::<Result<Vec<_>, Fault>>()?;
        let highest = ranks.iter().flatten().max().copied();
        let mut ranks = ranks.into_iter();
        runs.retain(|_| {
            ranks
                .next()
                .flatten()
                .is_some_and(|rank| Some(rank) == highest)
        });
    }
    if runs.len() > 1 {
        let names: Vec<_> = runs.iter().map(|one| one.version.to_string()).collect();
        let example = example(&names[0]);
        return Err(RUN_AMBIGUOUS.with(values![names = Text::COMMA.join(&names), example]));
    }
    Ok(runs.pop())
}

/// Returns the error that there is no unfinished run, or not this one.
pub fn no_run(version: Option<Version>, context: &Context) -> Fault {
    match (version, find_all(context)) {
        (Some(n), Ok(all)) if all.iter().any(|found| found.version == n) => {
            RUN_COMPLETE.with(values![n])
        }
        (Some(_), Ok(all)) => missing(version, &all),
        (None, _) => RUN_NONE.with(&[]),
        (_, Err(fault)) => fault,
    }
}

/// Returns those with recorded content; for each of the others a notice says what it is.
pub fn recorded(all: Vec<FoundVersion>, context: &Context) -> Result<Vec<FoundVersion>, Fault> {
    let mut recorded = Vec::new();
    for found in all {
        let folder = RealFs.metadata(&found.folder);
        if !folder.is_ok_and(|folder| folder.kind == FileKind::Dir) {
            let path = display_path(&found.folder, context);
            context.notice(&NO_FOLDER.fill(values![path]));
            continue;
        }
        // An error is reported by the command that reads it.
        let holds = |name| RealFs.exists(&found.folder.join(name)).unwrap_or(true);
        if !found.draft && !holds(TRANSCRIPT) && !holds(MANIFEST) {
            let path = display_path(&found.folder, context);
            context.notice(&NO_VERSION.fill(values![path]));
        } else if found.draft && is_empty(&found.folder)? {
            let path = display_path(&found.folder, context);
            let kept = leftovers(&found.folder);
            let told = if kept.is_empty() { LEFT_OUT } else { CUT_AWAY };
            let places = values![path, n = found.version, kept = Text::COMMA.join(&kept)];
            context.notice(&told.fill(places));
        } else {
            recorded.push(found);
        }
    }
    Ok(recorded)
}

/// Returns the names of what is left of a draft without a complete line: part of its first line,
/// saved tails, speeches, answered questions. Then something was recorded before.
pub fn leftovers(folder: &Path) -> Vec<String> {
    // A folder that cannot be listed is reported by the command that reads it next.
    let names = RealFs.list(folder).unwrap_or_default();
    let is_empty = |name: &str| {
        RealFs
            .list(&folder.join(name))
            .is_ok_and(|in_it| in_it.is_empty())
    };
    let holds = |name: &str| match name {
        TRANSCRIPT => {
            let file = RealFs.metadata(&folder.join(name));
            !file.is_ok_and(|file| file.len == 0)
        }
        // An unfinished file does not count.
        _ => !name.starts_with('.') && !is_empty(name),
    };
    names.into_iter().filter(|name| holds(name)).collect()
}

/// Returns whether the draft has no complete line: its run has just begun, or died at once.
pub fn is_empty(folder: &Path) -> Result<bool, Fault> {
    let transcript = folder.join(TRANSCRIPT);
    let has_line = RealFs.open_read(&transcript).and_then(has_line);
    let has_line = has_line.if_exists().doing("read", &transcript)?;
    Ok(has_line != Some(true))
}

fn has_line(mut file: impl Read) -> std::io::Result<bool> {
    let mut chunk = [0; 64 << 10];
    loop {
        match file.read(&mut chunk)? {
            0 => return Ok(false),
            read if chunk[..read].contains(&b'\n') => return Ok(true),
            _ => {}
        }
    }
}

/// Removes the drafts of runs that were killed before they recorded anything, with a notice. A
/// draft with content, or whose run may be about to begin, is left to `verify --repair`.
pub fn clear_abandoned(context: &Context) -> Result<(), Fault> {
    for found in find_all(context)? {
        let lock = lock_path(found.version, context);
        // A run that has its number but not yet its lock has no such file; a killed one leaves it.
        let was_held = || RealFs.exists(&lock).unwrap_or(false);
        if !found.draft || !holds_nothing(&found.folder) || !was_held() {
            continue;
        }
        // If another process has the lock, the run goes on; without locks that is unknown.
        let Ok(held) = RunLock::acquire(&lock) else {
            continue;
        };
        if held.is_enforced() && holds_nothing(&found.folder) {
            discard(&found.folder)?;
            context.notice(&CLEARED.fill(values![path = display_path(&found.folder, context)]));
        }
    }
    Ok(())
}

/// Returns whether there is no byte of a transcript and no message; false if that cannot be read.
fn holds_nothing(folder: &Path) -> bool {
    let messages = match RealFs.list(&folder.join(INBOX)) {
        Ok(names) => names.is_empty(),
        Err(error) => error.kind() == std::io::ErrorKind::NotFound,
    };
    messages && RealFs.list(folder).is_ok() && leftovers(folder).is_empty()
}

/// Removes the draft of a run that failed before its first line; the caller has its lock.
pub fn discard_if_empty(folder: &Path, context: &Context) {
    let others = leftovers(folder)
        .into_iter()
        .filter(|name| name != TRANSCRIPT);
    let removed = is_empty(folder).and_then(|empty| match empty && others.count() == 0 {
        true => discard(folder),
        false => Ok(()),
    });
    if let Err(error) = removed {
        // The run's own error is reported separately.
        context.notice(error.what());
    }
}

/// Removes a draft's folder.
pub fn discard(folder: &Path) -> Result<(), Fault> {
    RealFs.remove_dir_all(folder).doing("remove", folder)?;
    Ok(())
}

/// Returns the version or draft of that name; without a name the latest with recorded content.
pub fn find(version: Option<Version>, context: &Context) -> Result<FoundVersion, Fault> {
    pick(candidates(version, context)?, version)
}

/// Returns the candidates: with a name all versions and drafts, without one those with recorded
/// content.
fn candidates(version: Option<Version>, context: &Context) -> Result<Vec<FoundVersion>, Fault> {
    let all = find_all(context)?;
    match version {
        Some(_) => Ok(all),
        None => recorded(all, context),
    }
}

/// Opens a published version of a planning workshop; without a name the latest.
pub fn open_published_plan(version: Option<Version>, context: &Context) -> Result<Opened, Fault> {
    let all = published(version, context)?;
    read_one(plans(all, version), version, a_plan, context)
}

/// As [`open_published_plan`], for somebody who comments on it or approves it: if the latest cannot
/// be read, none is taken in its place.
pub fn open_plan_to_review(version: Option<Version>, context: &Context) -> Result<Opened, Fault> {
    let all = published(version, context)?;
    read(a_plan(pick(plans(all, version), version)?)?, context)
}

/// Reads the version that is named, else the latest readable one: a damaged one is reported and
/// must not block the rest. `fits` checks the format.
fn read_one(
    mut all: Vec<FoundVersion>,
    version: Option<Version>,
    fits: fn(FoundVersion) -> Result<FoundVersion, Fault>,
    context: &Context,
) -> Result<Opened, Fault> {
    let mut first = None;
    loop {
        let found = match (pick(all.clone(), version), first.take()) {
            (Err(_), Some(error)) => return Err(error),
            (found, error) => {
                first = error;
                found?
            }
        };
        match read(fits(found.clone())?, context) {
            Err(error) if version.is_none() && is_in_the_way(&error) && all.len() > 1 => {
                context.notice(&PASSED_OVER.fill(values![what = error.what()]));
                all.retain(|one| *one != found);
                first = first.or(Some(error));
            }
            read => return read,
        }
    }
}

/// Returns whether the error is about an unreadable version, and not about the command.
pub fn is_in_the_way(error: &Fault) -> bool {
    matches!(error.exit, Exit::Damaged | Exit::Storage)
}

/// As [`find`], but only versions that can be continued: a published plan, or a conversation that
/// is named, saved or not.
pub fn find_to_go_on(version: Option<Version>, context: &Context) -> Result<FoundVersion, Fault> {
    let all = published(version, context)?;
    let found = pick(plans(all, version), version)?;
    match found.version.format.goes_on() {
        true => Ok(found),
        false => a_plan(found),
    }
}

/// Returns every published version, and unsaved conversations.
fn published(version: Option<Version>, context: &Context) -> Result<Vec<FoundVersion>, Fault> {
    let all = find_all(context)?;
    let (drafts, published): (Vec<_>, Vec<_>) = all.into_iter().partition(is_unfinished);
    let is_it = |found: &FoundVersion| Some(found.version) == version;
    match drafts.iter().find(|found| is_it(found)) {
        Some(draft) if !published.iter().any(is_it) => {
            Err(VERSION_DRAFT.with(values![n = draft.version]))
        }
        _ if version.is_none() => recorded(published, context),
        _ => Ok(published),
    }
}

/// Opens one version or draft of a planning workshop; without a name the latest.
pub fn open_plan(version: Option<Version>, context: &Context) -> Result<Opened, Fault> {
    let all = candidates(version, context)?;
    read_one(plans(all, version), version, a_plan, context)
}

/// As [`open_plan`], but without a name the latest published plan, if there is one: the check is
/// about what others will read, not about an unfinished run.
pub fn open_plan_to_judge(version: Option<Version>, context: &Context) -> Result<Opened, Fault> {
    if version.is_none() {
        let mut published = published(None, context)?;
        published.retain(is_plan);
        if !published.is_empty() {
            return read(pick(published, None)?, context);
        }
    }
    open_plan(version, context)
}

/// Keeps only plans if there is no name and there are any.
fn plans(mut all: Vec<FoundVersion>, version: Option<Version>) -> Vec<FoundVersion> {
    if version.is_none() && all.iter().any(is_plan) {
        all.retain(is_plan);
    }
    all
}

fn is_plan(found: &FoundVersion) -> bool {
    found.version.format.is_workshop()
}

fn a_plan(found: FoundVersion) -> Result<FoundVersion, Fault> {
    let format = found.version.format;
    if format.is_workshop() {
        return Ok(found);
    }
    Err(VERSION_NO_PLAN.with(values![
        n = found.version,
        name = format.name(),
        report = format.report()
    ]))
}

fn pick(all: Vec<FoundVersion>, version: Option<Version>) -> Result<FoundVersion, Fault> {
    let found = match version {
        Some(named) => all.iter().rev().find(|found| found.version == named),
        None => latest(&all),
    };
    found.cloned().ok_or_else(|| missing(version, &all))
}

/// Returns the one that was begun last; within a format it has the largest number.
pub fn latest(all: &[FoundVersion]) -> Option<&FoundVersion> {
    let counted = |one: &FoundVersion| one.version.sibling(1);
    let is_last = |(at, one): &(usize, &FoundVersion)| {
        all[at + 1..]
            .iter()
            .all(|later| counted(later) != counted(one))
    };
    let last = all.iter().enumerate().filter(is_last);
    let last: Vec<&FoundVersion> = last.map(|(_, one)| one).collect();
    match last[..] {
        [only] => Some(only),
        // An unreadable transcript is reported by the command that reads it.
        _ => last
            .into_iter()
            .max_by_key(|found| first_line(found).ok().flatten().map(|first| first.ts)),
    }
}

/// Returns the first line of a run's transcript; `None` if nothing was recorded, or something else.
pub fn first_line(found: &FoundVersion) -> Result<Option<Entry>, Fault> {
    if is_empty(&found.folder)? {
        return Ok(None);
    }
    let path = found.folder.join(TRANSCRIPT);
    let file = RealFs.open_read(&path).doing("read", &path)?;
    let mut line = Vec::new();
    let mut file = BufReader::new(file.take(MAX_LINE as u64));
    file.read_until(b'\n', &mut line).doing("read", &path)?;
    Ok(serde_json::from_slice(&line).ok())
}

/// Returns the error that there is no such version among `all`, or none at all.
pub fn missing(version: Option<Version>, all: &[FoundVersion]) -> Fault {
    let wanted = version.unwrap_or(Version::plan(1));
    let distance = |found: &&FoundVersion| {
        let version = found.version;
        let is_other = version.sibling(1) != wanted.sibling(1);
        (is_other, version.number.abs_diff(wanted.number))
    };
    let Some(near) = all.iter().min_by_key(distance) else {
        return VERSION_NONE.with(&[]);
    };
    let names: Vec<_> = all.iter().map(|found| found.version.to_string()).collect();
    VERSION_MISSING.with(values![
        n = wanted,
        names = Text::COMMA.join(&names),
        near = near.version
    ])
}

/// Opens one version or draft; without a name the latest of all.
pub fn open(version: Option<Version>, context: &Context) -> Result<Opened, Fault> {
    let all = candidates(version, context)?;
    let is_gone = |found: &FoundVersion| !RealFs.exists(&found.folder).unwrap_or(true);
    let mut drafts = all.iter().filter(|found| found.draft);
    let draft = drafts.find(|found| Some(found.version) == version).cloned();
    match read_one(all, version, Ok, context) {
        // If it was published meanwhile, it has its other name.
        Err(_) if draft.as_ref().is_some_and(is_gone) => {
            read_one(find_all(context)?, version, Ok, context)
        }
        read => read,
    }
}

/// Reads the transcript of a version or draft, checking each line against the rules.
pub fn read(found: FoundVersion, context: &Context) -> Result<Opened, Fault> {
    let transcript = found.folder.join(TRANSCRIPT);
    let path = display_path(&found.folder, context);
    if found.draft && is_empty(&found.folder)? {
        return Err(without_line(&found, context));
    }
    let mut replay = Replay::default();
    let whole = journal::read(&RealFs, &transcript, &mut |entry| replay.apply(&entry))?;
    let state = replay
        .state
        .ok_or_else(|| TRANSCRIPT_EMPTY.with(values![path]))?;
    is_whole(&state, &found, context)?;
    Ok(Opened {
        version: found.version,
        draft: found.draft,
        path,
        folder: found.folder,
        state,
        head: whole.head,
    })
}

/// Returns the error for a draft without a complete line.
pub fn without_line(found: &FoundVersion, context: &Context) -> Fault {
    let path = display_path(&found.folder, context);
    let kept = leftovers(&found.folder);
    match kept.is_empty() {
        true => DRAFT_EMPTY.with(values![path, n = found.version]),
        false => NOTHING_WHOLE.with(values![path, kept = Text::COMMA.join(&kept)]),
    }
}

/// Checks that the folder contains the whole version it is named after.
///
/// # Errors
/// It was copied, renamed, or cut.
pub fn is_whole(state: &State, found: &FoundVersion, context: &Context) -> Result<(), Fault> {
    is_its_own(state, found, context)?;
    // A transcript cut at the end of a line is valid in itself, but a published one always has its
    // last line.
    if !found.draft && state.stage != Stage::Published {
        let path = display_path(&found.folder, context);
        return Err(VERSION_CUT.with(values![path, n = found.version]));
    }
    Ok(())
}

/// Checks that the folder has the name with which its transcript begins.
///
/// # Errors
/// It was copied, or renamed.
pub fn is_its_own(state: &State, found: &FoundVersion, context: &Context) -> Result<(), Fault> {
    let held = state.inputs.run();
    if held == found.version {
        return Ok(());
    }
    let outputs = outputs(held, context);
    let right = match found.draft {
        true => outputs.draft_dir(held.number),
        false => outputs.version_dir(held.number),
    };
    let is_copy = RealFs.exists(&right).unwrap_or(false);
    let (path, right) = (
        display_path(&found.folder, context),
        display_path(&right, context),
    );
    let fault = VERSION_RENAMED.with(values![path, n = found.version, held, right]);
    if !is_copy {
        return Err(fault);
    }
    // Moving it there would put it inside the version of which it is a copy.
    Err(fault.fixed_by(OUT_OF_THE_WAY.fill(values![path, right])))
}

/// Returns a folder as the user can type it: relative to the current folder, `/` between parts;
/// absolute if it is outside the workspace.
pub fn display_path(folder: &Path, context: &Context) -> String {
    let Some(here) = &context.env.folder else {
        return folder.display().to_string();
    };
    let relative = match (folder.strip_prefix(here), here.strip_prefix(&context.root)) {
        (Ok(below), _) => below.to_owned(),
        (Err(_), Ok(inside)) => {
            let up: PathBuf = inside.iter().map(|_| "..").collect();
            up.join(folder.strip_prefix(&context.root).unwrap_or(folder))
        }
        (Err(_), Err(_)) => return folder.display().to_string(),
    };
    let parts: Vec<_> = relative.iter().map(|part| part.to_string_lossy()).collect();
    match parts.is_empty() {
        true => ".".to_owned(),
        false => parts.join("/"),
    }
}

/// Checks that a published version is unchanged. What somebody wrote into one of its files is not
/// in the transcript, and a revision would silently lose it. A transcript that was cut at the end
/// of a line differs only from the manifest. Additional files do not matter.
pub fn untampered(opened: &Opened) -> Result<(), Fault> {
    let report = verify(file_system().as_ref(), &opened.folder)?;
    let tampered = report.problems.iter().find(|one| !one.is_extra);
    tampered.map_or(Ok(()), |problem| {
        let file = format!("{}/{}", opened.path, problem.path);
        let problem = &problem.message;
        Err(VERSION_TAMPERED.with(values![path = opened.path, problem, file]))
    })
}
