//! Checks trials by running one: whether this machine can, and what a trial would read.

use std::path::{Path, PathBuf};

use sandbox::{Readable, Wall};

use super::super::Context;
use super::Finding;
use crate::config::Config;
use crate::edge::trial::told;
use crate::fault::{texts, values};

texts! {
    BY_NAMESPACES: "the sandbox works (namespaces): a command could write in its copy only, and had no network", "沙箱有效（命名空间）：试运行的命令只能写自己的副本，不能写系统，不能联网";
    BY_PROGRAM: "the sandbox works ({path}): a command could write in its copy only, and had no network", "沙箱有效（{path}）：试运行的命令只能写自己的副本，不能写系统，不能联网";
    READS: "commands can also read {paths}; add more with `trials.readable`", "除副本外还可读取 {paths}；更多由 `trials.readable` 指定";
    MASKED: "empty in the sandbox (sockets, and files named like credentials): {paths}", "在沙箱里看是空的（套接字和疑似凭据的文件）：{paths}";
}

/// Runs a harmless trial, and lists what a trial of this configuration could read.
pub(super) fn look(config: &Config, context: &Context) -> Vec<Finding> {
    let means = match sandbox::means() {
        Ok(means) => means,
        Err(missing) => {
            let (why, fix) = told(&missing);
            return vec![Finding::warn("trials", why, fix)];
        }
    };
    let proved = match &means.wall {
        Wall::Namespaces => BY_NAMESPACES.into(),
        Wall::Bubblewrap(path) | Wall::SandboxExec(path) => {
            BY_PROGRAM.fill(values![path = path.display()])
        }
    };
    let named = config.trials_readable.iter();
    let named: Vec<PathBuf> = named.map(|it| context.path(it.as_ref())).collect();
    let readable = Readable::detect(&named);
    let mut findings = vec![
        Finding::ok("trials", proved),
        Finding::ok(
            "trials",
            READS.fill(values![paths = listed(readable.folders(), context)]),
        ),
    ];
    if !readable.masked().is_empty() {
        let paths = listed(readable.masked(), context);
        findings.push(Finding::ok("trials", MASKED.fill(values![paths])));
    }
    findings
}

/// Returns the paths in one line; those in the home folder begin with `~`.
fn listed(paths: &[PathBuf], context: &Context) -> String {
    let home = context.env.variable("HOME").map(Path::new);
    let short = |path: &PathBuf| match home.and_then(|home| path.strip_prefix(home).ok()) {
        Some(rest) => format!("~/{}", rest.display()),
        None => path.display().to_string(),
    };
    paths.iter().map(short).collect::<Vec<_>>().join(", ")
}
