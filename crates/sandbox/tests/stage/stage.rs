//! The program that provides the stages for the tests. Started without a stage's arguments, it runs
//! the trials described on its standard input, one after the other, and prints a line for each
//! result. So a test can run them as another user, and kill it at any time.
#![allow(clippy::disallowed_methods)]

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use sandbox::{Copies, Limits, Readable, TreeCopy, Trial, Wall};
use serde::Deserialize;

#[derive(Deserialize)]
struct Request {
    /// Path of bubblewrap; `None` for namespaces.
    bubblewrap: Option<PathBuf>,
    copies: PathBuf,
    tree: PathBuf,
    files: Vec<PathBuf>,
    named: Vec<PathBuf>,
    trials: Vec<Asked>,
}

#[derive(Deserialize)]
struct Asked {
    command: Vec<String>,
    /// Time limit in milliseconds.
    time: u64,
    memory: u64,
    processes: u64,
    output: u64,
    disk: u64,
}

fn main() -> ExitCode {
    if let Some(code) = sandbox::inner_main() {
        return code;
    }
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Box<dyn std::error::Error>> {
    let request: Request = serde_json::from_reader(std::io::stdin())?;
    let wall = request
        .bubblewrap
        .map_or(Wall::Namespaces, Wall::Bubblewrap);
    let means = wall.prove(&std::env::current_exe()?)?;
    let readable = Readable::detect(&request.named);
    let copies = Copies::open(&request.copies)?;
    for asked in request.trials {
        let limits = Limits {
            time: Duration::from_millis(asked.time),
            memory: asked.memory,
            processes: asked.processes,
            output: asked.output,
            disk: asked.disk,
            ..Limits::default()
        };
        let trial = Trial {
            copy: TreeCopy::new(&copies, &request.tree, &request.files, &[])?,
            command: &asked.command,
            limits: &limits,
            readable: &readable,
            means: &means,
        };
        let ended = sandbox::run(trial, &AtomicBool::new(false))?;
        println!(
            "{}",
            serde_json::json!({
                "exit": format!("{:?}", ended.exit),
                "head": ended.head,
                "tail": ended.tail,
                "left_out": ended.left_out,
                "took": ended.took.as_millis() as u64,
            })
        );
    }
    Ok(())
}
