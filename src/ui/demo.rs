//! The demonstration: a small repository, a requirement, and all recorded answers, in both
//! languages, embedded in the program.
//!
//! `fixtures/demo/<lang>/` contains `requirement.md`, the members' answers (`v1/` and `v2/`, read
//! by [`Scripted`]), the user's input (`answers.yaml` for the first run, `feedback.md` about its
//! result), commands to try afterwards (`steps.txt`) and the repository (`workspace/`).

use std::io;
use std::path::Path;

use rust_embed::RustEmbed;

use crate::edge::file_names::HOME;
use crate::edge::fs::{Fs, IoContext as _};
use crate::edge::model::Scripted;
use crate::fault::line::INTERNAL;
use crate::fault::{Fault, MessageValue, values};
use crate::machine::Lang;
use crate::ui::human::Answers;

#[derive(RustEmbed)]
#[folder = "fixtures/demo/"]
struct Files;

/// Placeholder of the folder in the commands of `steps.txt`.
const FOLDER: &str = "{dir}";

/// Path of the user's prepared answers in the folder; the search for the requirement does not read
/// it.
pub const ANSWERS: &str = ".ai-tools-chain/answers.yaml";

/// The input of the demonstration in one language.
#[derive(Debug)]
pub struct DemoInput {
    /// The requirement.
    pub requirement: String,
    /// The members' answers, by version.
    pub scripts: [Scripted; 2],
    /// The user's answers in the first run.
    pub answers: Answers,
    /// The user's feedback on the first version.
    pub feedback: String,
    /// What can be looked at afterwards, each with its command.
    pub steps: Vec<(String, String)>,
}

/// The error for missing or malformed embedded files: a bug in the program.
fn broken(what: impl MessageValue) -> Fault {
    INTERNAL.with(values![what])
}

/// Loads the demonstration in one language. `folder`, as the user would type it, is inserted into
/// the steps.
///
/// # Errors
/// The program was built from incomplete or malformed files.
pub fn load(lang: Lang, folder: &str) -> Result<DemoInput, Fault> {
    let steps = text(lang, "steps.txt")?;
    let steps = steps.lines().filter_map(|line| {
        let (command, what) = line.split_once(" # ")?;
        let command = command.trim().replace(FOLDER, folder);
        Some((what.trim().to_owned(), command))
    });
    Ok(DemoInput {
        requirement: text(lang, "requirement.md")?.trim().to_owned(),
        scripts: [script(lang, "v1")?, script(lang, "v2")?],
        answers: Answers::parse("answers.yaml", &text(lang, "answers.yaml")?).map_err(broken)?,
        feedback: text(lang, "feedback.md")?.trim().to_owned(),
        steps: steps.collect(),
    })
}

fn script(lang: Lang, version: &str) -> Result<Scripted, Fault> {
    let calls = format!("{}/{version}/", lang.code());
    let script = Files::iter().filter_map(|path| {
        let name = path.strip_prefix(&calls)?.to_owned();
        Some((name, Files::get(&path)?.data))
    });
    Scripted::of_files(Path::new(&format!("fixtures/demo/{calls}")), script).map_err(broken)
}

fn text(lang: Lang, name: &str) -> Result<String, Fault> {
    let path = format!("{}/{name}", lang.code());
    let missing = || broken(format!("`fixtures/demo/{path}` is missing"));
    let file = Files::get(&path).ok_or_else(missing)?;
    Ok(String::from_utf8_lossy(&file.data).into_owned())
}

/// Writes the repository to `folder`, which becomes a workspace of its own even inside another one.
///
/// # Errors
/// Storage errors; an existing file is not replaced.
pub fn lay_out(fs: &dyn Fs, lang: Lang, folder: &Path) -> Result<(), Fault> {
    let home = folder.join(HOME);
    fs.create_dir_all(&home).doing("create", &home)?;
    let prefix = format!("{}/workspace/", lang.code());
    let answers = format!("{}/answers.yaml", lang.code());
    for name in Files::iter() {
        let path = match name.strip_prefix(&prefix) {
            Some(path) => path,
            None if name == answers => ANSWERS,
            None => continue,
        };
        let Some(file) = Files::get(&name) else {
            continue;
        };
        let path = folder.join(path);
        let parent = path.parent().unwrap_or(folder);
        fs.create_dir_all(parent).doing("create", parent)?;
        fs.write_new(&path, &file.data).doing("write", &path)?;
    }
    Ok(())
}

/// Makes sure that this folder exists and is empty; creates it if it is missing.
///
/// # Errors
/// `AlreadyExists` if it is not empty, or is not a folder.
pub fn empty_folder(fs: &dyn Fs, folder: &Path) -> io::Result<()> {
    match fs.list(folder) {
        Ok(names) if names.is_empty() => Ok(()),
        Ok(_) => Err(io::ErrorKind::AlreadyExists.into()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => fs.create_dir_all(folder),
        Err(error) => Err(error),
    }
}
