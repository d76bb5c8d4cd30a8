//! The first stage: leaves the namespaces of the machine.

use std::io;
use std::process::Stdio;

use nix::sched::{CloneFlags, unshare};
use rustix::process::{Signal, set_parent_process_death_signal};
use rustix::thread::{
    CapabilitySet, capabilities, configure_capability_in_ambient_set, set_capabilities,
};

use super::{Orders, line, receive, stage};

pub(super) fn run() -> io::Result<()> {
    let mut line = line()?;
    let orders: Orders = receive(&mut line)?;
    match enclose(&orders) {
        Ok(()) => Ok(()),
        Err(error) => {
            serde_json::to_writer(&mut line, &Err::<(), _>(error.to_string()))?;
            Err(error)
        }
    }
}

fn enclose(orders: &Orders) -> io::Result<()> {
    let mut flags = CloneFlags::CLONE_NEWNS
        | CloneFlags::CLONE_NEWPID
        | CloneFlags::CLONE_NEWNET
        | CloneFlags::CLONE_NEWIPC
        | CloneFlags::CLONE_NEWUTS
        | CloneFlags::CLONE_NEWCGROUP;
    let (user, group) = (rustix::process::geteuid(), rustix::process::getegid());
    if orders.as_user {
        flags |= CloneFlags::CLONE_NEWUSER;
    }
    unshare(flags).map_err(|error| io_error("unshare", error.into()))?;
    if orders.as_user {
        let (user, group) = (user.as_raw(), group.as_raw());
        std::fs::write("/proc/self/setgroups", "deny")?;
        std::fs::write("/proc/self/uid_map", format!("{user} {user} 1"))?;
        std::fs::write("/proc/self/gid_map", format!("{group} {group} 1"))?;
        keep_rights_of_the_namespace()?;
    }
    // Must follow the change of credentials, which resets it.
    set_parent_process_death_signal(Some(Signal::KILL))?;
    let alive = rustix::process::getppid().map(|it| it.as_raw_pid()) == Some(orders.parent);
    if !alive {
        return Err(io::Error::other("whoever started the trial is gone"));
    }
    // The stage itself reports how it ended.
    stage("/proc/self/exe".as_ref(), "init")
        .stdin(Stdio::inherit())
        .status()?;
    Ok(())
}

/// Makes the capabilities ambient: otherwise an ordinary user loses them in its namespace when it
/// executes the next stage.
fn keep_rights_of_the_namespace() -> io::Result<()> {
    let rights = [
        CapabilitySet::SYS_ADMIN,
        CapabilitySet::NET_ADMIN,
        CapabilitySet::SETPCAP,
        CapabilitySet::SYS_PTRACE,
        // An overlay writes with the capabilities of the process that mounts it.
        CapabilitySet::CHOWN,
        CapabilitySet::DAC_OVERRIDE,
        CapabilitySet::FOWNER,
    ];
    let mut sets = capabilities(None)?;
    sets.inheritable = rights.iter().copied().collect();
    set_capabilities(None, sets)?;
    for right in rights {
        configure_capability_in_ambient_set(right, true)?;
    }
    Ok(())
}

fn io_error(what: &str, error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{what}: {error}"))
}
