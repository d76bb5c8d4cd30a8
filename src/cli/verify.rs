//! `aitc verify`: checks that transcript and files are unchanged.

use std::path::{Path, PathBuf};

use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;

use super::versions::{self, FoundVersion};
use super::{Context, Exit, Fault, hints};
use crate::artifact::{self, Artifact};
use crate::driver::Replay;
use crate::edge::env;
use crate::edge::file_names::TRANSCRIPT;
use crate::edge::fs::{Fs, IoContext as _, RealFs};
use crate::edge::journal::{self, JournalError, RepairReport};
use crate::edge::lock::RunLock;
use crate::edge::store::{Outputs, verify};
use crate::fault::line::{OUT_AMONG_VERSIONS, OUT_EXISTS};
use crate::fault::plans::VERSION_PUBLISHED;
use crate::fault::storage::{TRANSCRIPT_DAMAGED, TRANSCRIPT_REFUSED};
use crate::fault::{Message, Text, ToFault as _, texts, values};
use crate::machine::{State, Version};
use crate::ui::view::clean;

texts! {
    SOUND: "{path}: {n} lines, sound", "{path}：{n} 行，完好";
    PROBLEM: "{path}: {what}", "{path}：{what}";
    TORN: "line {n} was not written to its end: {bytes} bytes, which `aitc resume` cuts off and keeps", "第 {n} 行没有写完：{bytes} 字节，`aitc resume` 会切下并另存";
    OTHERWISE: "`{path}` is not what the transcript gives", "`{path}` 与会议记录所生成的不同";
    NOTHING: "{path}: nothing to repair, {n} lines", "{path}：无需修复，共 {n} 行";
    CUT: "{path}: {bytes} bytes cut, kept in {kept}; {n} lines stay", "{path}：切下 {bytes} 字节，另存于 {kept}；保留 {n} 行";
    REMOVED: "{path}: nothing was recorded; removed", "{path}：没有任何记录；已移除";
    THEN_RESUME: "{offer}; then: aitc resume {n}", "{offer}；然后：aitc resume {n}";
    EMPTY: "nothing was recorded; `aitc verify {n} --repair` removes the draft", "没有任何记录；`aitc verify {n} --repair` 可移除该草稿";
    OFFER: "`aitc verify {n} --repair` keeps a copy of the transcript and cuts the last {bytes} bytes, from line {line} on; {lines} lines stay", "`aitc verify {n} --repair` 会先保存会议记录的副本，再切下从第 {line} 行起的 {bytes} 字节；保留 {lines} 行";
}

/// Check transcript and files of a version: hashes, rules, and every file rebuilt
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  aitc verify\n  aitc verify v1 --out again\n  aitc verify v2 --repair"
)]
pub struct VerifyArgs {
    /// Which version; default: the latest
    #[arg(value_name = "vN")]
    version: Option<Version>,
    /// Rebuild every file from the transcript and write it to DIR
    #[arg(long, value_name = "DIR", conflicts_with = "repair")]
    out: Option<PathBuf>,
    /// Cut the damaged end off a draft's transcript and save it beside; remove an empty draft
    #[arg(long)]
    repair: bool,
}

/// `aitc verify --json`.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
pub enum VerifyDocument {
    /// Result of the check.
    Found(FoundDocument),
    /// With `--out`: where the files were written.
    Written(WrittenDocument),
    /// With `--repair`: what was repaired.
    Repaired(RepairedDocument),
}

/// Result of the check of a version.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FoundDocument {
    /// Path of the folder of the version.
    path: String,
    /// Number of lines of the transcript.
    lines: u64,
    /// What is not as it was published, or not what the transcript gives.
    problems: Vec<String>,
}

/// Prints files that were changed or that the transcript does not give, and lines that break the
/// rules; ends with code 12 if there are any. Of a draft only the transcript can be verified.
pub fn run(args: &VerifyArgs, context: &Context) -> Result<Exit, Fault> {
    if let Some(out) = &args.out {
        return write_again(args.version, out, context);
    }
    if args.repair {
        return run_repair(args.version, context);
    }
    let found = versions::find(args.version, context)?;
    let path = versions::display_path(&found.folder, context);
    let mut lines = 0;
    let mut problems: Vec<Message> = Vec::new();
    if found.draft {
        if is_unrecorded(&found, context)? {
            problems.push(EMPTY.fill(values![n = found.version]));
        }
    } else {
        let report = verify(&RealFs, &found.folder)?;
        lines = report.lines;
        problems = report.problems.into_iter().map(|one| one.message).collect();
    }
    // Matching hashes show that nothing was damaged, not that the rules were kept.
    if problems.is_empty() {
        match replayed(&found, context)? {
            Ok((n, state)) => {
                lines = n;
                if let Some(state) = state.filter(|_| !found.draft) {
                    problems.extend(otherwise(&state, &found)?);
                }
            }
            Err(problem) => problems.push(problem),
        }
    }
    let lang = context.lang(None);
    if found.draft {
        for problem in &mut problems {
            *problem = problem.put(|text| hints::for_run(text, found.version, context));
        }
    }
    let problems: Vec<&str> = problems.iter().map(|one| one.of(lang)).collect();
    let text = if problems.is_empty() {
        SOUND.with(lang, values![path, n = lines])
    } else {
        let rows: Vec<_> = problems
            .iter()
            .map(|one| PROBLEM.with(lang, values![path, what = clean(one)]))
            .collect();
        rows.join("\n")
    };
    let is_sound = problems.is_empty();
    let document = VerifyDocument::Found(FoundDocument {
        path,
        lines,
        problems: problems.into_iter().map(str::to_owned).collect(),
    });
    context.print(&text, &document)?;
    Ok(Exit::found(!is_sound))
}

/// Replays the transcript; returns the number of lines and the state, else what is wrong, and of a
/// draft how it is repaired.
fn replayed(
    found: &FoundVersion,
    context: &Context,
) -> Result<Result<(u64, Option<State>), Message>, Fault> {
    let mut replay = Replay::default();
    let path = found.folder.join(TRANSCRIPT);
    match journal::read(&RealFs, &path, &mut |entry| replay.apply(&entry)) {
        Ok(good) => Ok(match (good.torn(None), replay.state) {
            (None, Some(state)) => match versions::is_its_own(&state, found, context) {
                Ok(()) => Ok((good.lines, Some(state))),
                Err(other) => Err(other.what().clone()),
            },
            (None, None) => Ok((good.lines, None)),
            (Some(torn), _) => Err(TORN.fill(values![n = torn.seq, bytes = torn.bytes])),
        }),
        Err(error @ JournalError::Damaged { .. }) => {
            let what = error.to_fault().what().clone();
            Ok(Err(match offer(found)? {
                Some(offer) => Message::joined(&[what, offer], Text("; ", "；")),
                None => what,
            }))
        }
        Err(error) => Err(error.into()),
    }
}

/// Returns the unchanged files that differ from what the transcript gives.
fn otherwise(state: &State, found: &FoundVersion) -> Result<Vec<Message>, Fault> {
    let made = artifact::render(state)?;
    let fs = versions::file_system();
    let differs = |path: &str, bytes: &[u8]| {
        let there = fs.read(&found.folder.join(path));
        !there.is_ok_and(|there| there == bytes)
    };
    let differing = made.iter().filter(|file| differs(&file.path, &file.bytes));
    let told = differing.map(|file| OTHERWISE.fill(values![path = file.path]));
    Ok(told.collect())
}

const WRITTEN: Text = Text("{n} files written to {out}", "已将 {n} 个文件写入 {out}");

/// Files were written elsewhere.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WrittenDocument {
    /// Path of the folder of the version.
    path: String,
    /// How many files were written.
    written: usize,
    /// Where, as it was given.
    out: String,
}

/// Renders every file of a version or draft again and writes it below `out`.
fn write_again(version: Option<Version>, out: &Path, context: &Context) -> Result<Exit, Fault> {
    let opened = versions::open(version, context)?;
    let made = artifact::render(&opened.state)?;
    let fix = format!("aitc verify {} --out again", opened.version);
    write_new(
        versions::file_system().as_ref(),
        &context.path(out),
        &made,
        context,
    )
    .map_err(|fault| {
        match [OUT_AMONG_VERSIONS.code, OUT_EXISTS.code].contains(&fault.code) {
            true => fault.fixed_by(&*fix),
            false => fault,
        }
    })?;
    let shown = clean(&out.to_string_lossy());
    let text = WRITTEN.with(context.lang(None), values![n = made.len(), out = shown]);
    let document = WrittenDocument {
        path: opened.path,
        written: made.len(),
        out: shown,
    };
    context.done(&text, &VerifyDocument::Written(document))
}

/// Writes new files below `out`; nothing is written if one of them exists.
fn write_new(fs: &dyn Fs, out: &Path, files: &[Artifact], context: &Context) -> Result<(), Fault> {
    let outputs = Outputs::at(versions::file_system(), &context.root);
    if env::lies_in(out, outputs.home()) {
        return Err(OUT_AMONG_VERSIONS.with(values![path = out.display()]));
    }
    for file in files {
        let path = out.join(&file.path);
        if fs.exists(&path).doing("look at", &path)? {
            return Err(OUT_EXISTS.with(values![path = path.display()]));
        }
    }
    for file in files {
        let path = out.join(&file.path);
        let folder = path.parent().unwrap_or(out);
        fs.create_dir_all(folder).doing("make", folder)?;
        fs.write_new(&path, &file.bytes).doing("write", &path)?;
    }
    Ok(())
}

/// What was repaired.
#[derive(Default, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RepairedDocument {
    /// Path of the folder of the draft.
    path: String,
    /// Number of lines that were kept.
    lines: u64,
    /// Number of bytes that were cut off.
    cut: u64,
    /// Path of the file that holds those bytes, if there are any.
    kept: Option<String>,
    /// What was wrong with the transcript, if anything.
    damage: Option<String>,
    /// Whether the draft was removed, since nothing was recorded in it.
    removed: bool,
}

/// Adds to the fault of a damaged transcript what a repair would cut and its command.
pub fn offered(fault: Fault, found: &FoundVersion) -> Fault {
    let is_damage = [TRANSCRIPT_DAMAGED.code, TRANSCRIPT_REFUSED.code].contains(&fault.code);
    match offer(found) {
        Ok(Some(offer)) if is_damage => {
            fault.fixed_by(THEN_RESUME.fill(values![offer, n = found.version]))
        }
        // The damage is reported in any case.
        _ => fault,
    }
}

/// Returns what a repair of a damaged draft would cut, and its command; `None` for a published
/// version, which is never changed, and if there is nothing to cut.
pub fn offer(found: &FoundVersion) -> Result<Option<Message>, Fault> {
    if !found.draft {
        return Ok(None);
    }
    // A transcript of a later program is not damaged.
    let Ok(report) = repair(found, true) else {
        return Ok(None);
    };
    Ok((!report.is_clean()).then(|| {
        OFFER.fill(values![
            n = found.version,
            bytes = report.cuts,
            line = report.lines + 1,
            lines = report.lines
        ])
    }))
}

/// Returns whether nothing was recorded in the draft.
///
/// # Errors
/// There is no complete line, but something else is left.
fn is_unrecorded(found: &FoundVersion, context: &Context) -> Result<bool, Fault> {
    let is_empty = versions::is_empty(&found.folder)?;
    match is_empty && !versions::leftovers(&found.folder).is_empty() {
        true => Err(versions::without_line(found, context)),
        false => Ok(is_empty),
    }
}

/// Repairs the transcript of a draft and prints what was done. A published version is never
/// changed.
fn run_repair(version: Option<Version>, context: &Context) -> Result<Exit, Fault> {
    let found = damaged(version, context)?;
    let path = versions::display_path(&found.folder, context);
    if !found.draft {
        return Err(VERSION_PUBLISHED.with(values![path, n = found.version]));
    }
    // Locked until the end: no other process may write while the tail is cut.
    let _lock = RunLock::acquire(&versions::lock_path(found.version, context))?;
    let lang = context.lang(None);
    if is_unrecorded(&found, context)? {
        versions::discard(&found.folder)?;
        let text = REMOVED.with(lang, values![path]);
        let document = RepairedDocument {
            path,
            removed: true,
            ..RepairedDocument::default()
        };
        return context.done(&text, &VerifyDocument::Repaired(document));
    }
    let done = repair(&found, false)?;
    let kept = done
        .kept
        .as_deref()
        .map(|kept| versions::display_path(kept, context));
    let text = if kept.is_some() { CUT } else { NOTHING };
    let places = values![
        path,
        n = done.lines,
        bytes = done.cuts,
        kept = kept.as_deref().unwrap_or_default()
    ];
    let text = text.with(lang, places);
    let damage = done.damage.as_ref().map(|damage| damage.message());
    let document = RepairedDocument {
        path,
        lines: done.lines,
        cut: done.cuts,
        kept,
        damage: damage.map(|damage| damage.of(lang).to_owned()),
        removed: false,
    };
    context.done(&text, &VerifyDocument::Repaired(document))
}

fn repair(found: &FoundVersion, dry_run: bool) -> Result<RepairReport, Fault> {
    let mut replay = Replay::default();
    let transcript = found.folder.join(TRANSCRIPT);
    Ok(journal::repair(
        &RealFs,
        &transcript,
        dry_run,
        &mut |entry| replay.apply(&entry),
    )?)
}

/// Returns what to repair: the version named, else the latest draft, empty ones too.
fn damaged(version: Option<Version>, context: &Context) -> Result<FoundVersion, Fault> {
    let drafts = versions::unfinished(&versions::find_all(context)?, version);
    match versions::latest(&drafts) {
        Some(draft) => Ok(draft.clone()),
        None => versions::find(version, context),
    }
}
