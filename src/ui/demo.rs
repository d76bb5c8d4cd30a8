//! The demonstration: a small repository, a requirement, and everything that is
//! said about it, in both languages, carried in the program.
//!
//! `fixtures/demo/<lang>/` holds `requirement.md`, what the members say (`v1/` and
//! `v2/`, as [`Scripted`] reads it), what the user says (`answers.yaml` in the first
//! run, `feedback.md` on it), what to look at afterwards (`steps.txt`) and the
//! repository (`workspace/`).

use std::io;
use std::path::Path;

use rust_embed::RustEmbed;

use crate::edge::fs::{Doing as _, Fs, StorageError};
use crate::edge::model::Scripted;
use crate::edge::store::HOME;
use crate::fault::line::INTERNAL;
use crate::fault::{Fault, Value, values};
use crate::machine::Lang;
use crate::ui::human::Answers;

#[derive(RustEmbed)]
#[folder = "fixtures/demo/"]
struct Files;

/// The folder's placeholder in the commands of `steps.txt`.
const FOLDER: &str = "{dir}";

/// What the user says in the first run, as a file of the folder; the search does not see it.
pub const ANSWERS: &str = ".ai-tools-chain/answers.yaml";

/// Everything that is said in the demonstration.
#[derive(Debug)]
pub struct Scene {
    /// What is wanted.
    pub requirement: String,
    /// What the members say, by version.
    pub scripts: [Scripted; 2],
    /// What the user says in the first run.
    pub answers: Answers,
    /// What the user says about its version.
    pub feedback: String,
    /// What one sees afterwards, and the command for it.
    pub steps: Vec<(String, String)>,
}

/// The demonstration cannot be given: a fault of the program itself.
fn broken(what: impl Value) -> Fault {
    INTERNAL.with(values![what])
}

/// The scene in one language; `folder`, as it is to be typed, goes into the steps.
///
/// # Errors
/// The program was built from incomplete or malformed files.
pub fn scene(lang: Lang, folder: &str) -> Result<Scene, Fault> {
    let steps = text(lang, "steps.txt")?;
    let steps = steps.lines().filter_map(|line| {
        let (command, what) = line.split_once(" # ")?;
        let command = command.trim().replace(FOLDER, folder);
        Some((what.trim().to_owned(), command))
    });
    Ok(Scene {
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

/// Lays the repository out in `folder`, which becomes a workspace of its own
/// even within another one.
///
/// # Errors
/// Storage errors; an existing file is not replaced.
pub fn lay_out(fs: &dyn Fs, lang: Lang, folder: &Path) -> Result<(), StorageError> {
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

/// A folder of this name that is there and empty, made if it is missing.
///
/// # Errors
/// `AlreadyExists` if it holds anything, or is no folder.
pub fn empty_folder(fs: &dyn Fs, folder: &Path) -> io::Result<()> {
    match fs.list(folder) {
        Ok(names) if names.is_empty() => Ok(()),
        Ok(_) => Err(io::ErrorKind::AlreadyExists.into()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => fs.create_dir_all(folder),
        Err(error) => Err(error),
    }
}
