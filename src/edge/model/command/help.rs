//! Version and help of an agent on this machine.

use std::path::Path;
use std::time::Duration;

use tokio::time::timeout;

use super::Agent;
use super::process::{CommandSpec, empty_folder, run};

/// Maximum time for an agent to print its help.
const PATIENCE: Duration = Duration::from_secs(20);

/// The version and help of an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Help {
    /// Its version, the first word with a digit; empty if it prints none.
    pub version: String,
    /// Switches that it would be called with but that its help does not name.
    pub unknown: Vec<&'static str>,
}

/// Runs the agent's program `file` to get its version and help; `None` if it does not print them in
/// time. It is started as for a call, in an empty folder.
pub async fn help(agent: &'static Agent, file: &Path) -> Option<Help> {
    let folder = empty_folder().ok()?;
    let said = async |words: &[&str]| {
        let mut argv = vec![file.to_string_lossy().into_owned()];
        argv.extend(words.iter().map(|&word| word.to_owned()));
        let start = CommandSpec {
            argv,
            variables: Vec::new(),
            folder: folder.path().to_owned(),
        };
        let ended = timeout(PATIENCE, run(&start, "")).await.ok()?.ok()?;
        // One agent prints its help on standard error.
        let printed = [ended.stdout, ended.stderr].concat();
        let is_good = ended.status.success();
        is_good.then(|| String::from_utf8_lossy(&printed).into_owned())
    };
    let words: Vec<&str> = agent.subcommand.into_iter().chain(["--help"]).collect();
    let (version, help) = tokio::join!(said(&["--version"]), said(&words));
    let version = version.unwrap_or_default();
    let is_number = |word: &&str| word.starts_with(|c: char| c.is_ascii_digit());
    let number = version.split_whitespace().find(is_number);
    Some(Help {
        version: number.unwrap_or_default().to_owned(),
        unknown: unknown(agent, &help?),
    })
}

fn unknown(agent: &'static Agent, help: &str) -> Vec<&'static str> {
    let known: Vec<&str> = help
        .split(|c: char| !c.is_ascii_alphanumeric() && c != '-')
        .collect();
    let in_copy = agent.in_copy.map_or(&[][..], |in_copy| in_copy.argv);
    let mut unknown: Vec<&str> = agent.argv[1..]
        .iter()
        .chain(agent.reads)
        .chain(in_copy)
        .chain([&agent.model_flag])
        .copied()
        .filter(|word| word.len() > 1 && word.starts_with('-') && !known.contains(word))
        .collect();
    unknown.dedup();
    unknown
}
