//! The third stage: gives up all privileges, sets up Landlock and seccomp, and executes the
//! command.

use std::io;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};

use rustix::process::{Gid, Resource, Rlimit, Uid, setrlimit, setsid};
use rustix::thread::{
    CapabilitySet, CapabilitySets, clear_ambient_capability_set,
    remove_capability_from_bounding_set, set_capabilities, set_no_new_privs, set_thread_groups,
    set_thread_res_gid, set_thread_res_uid,
};

use super::{Orders, StageReport, line, receive, walls};

pub(super) fn run() -> io::Result<()> {
    let mut line: UnixStream = line()?;
    let told = match receive(&mut line).and_then(|orders| enter(&orders).map(|it| (it, orders))) {
        Ok((mut command, orders)) => {
            let error = command.exec();
            StageReport::not_started(&orders.command[0], &error)
        }
        Err(error) => StageReport::Failed(error.to_string()),
    };
    Ok(serde_json::to_writer(&mut line, &told)?)
}

fn enter(orders: &Orders) -> io::Result<Command> {
    setsid()?;
    limit(orders)?;
    give_up_rights(orders)?;
    let mut command = Command::new(&orders.command[0]);
    command
        .args(&orders.command[1..])
        .env_clear()
        .envs(orders.environment.iter().map(|(name, value)| (name, value)))
        .current_dir(&orders.folder)
        .stdin(Stdio::null());
    walls::raise(orders)?;
    Ok(command)
}

fn limit(orders: &Orders) -> io::Result<()> {
    let bounds = &orders.bounds;
    for (resource, most) in [
        (Resource::Core, 0),
        (Resource::Data, bounds.memory),
        (Resource::Fsize, bounds.disk),
        (Resource::Memlock, 8 << 20),
        (Resource::Nofile, 8192),
        (Resource::Nproc, bounds.processes + orders.threads),
    ] {
        let most = match rustix::process::getrlimit(resource).maximum {
            Some(has) => has.min(most),
            None => most,
        };
        let limit = Rlimit {
            current: Some(most),
            maximum: Some(most),
        };
        setrlimit(resource, limit)?;
    }
    Ok(())
}

fn give_up_rights(orders: &Orders) -> io::Result<()> {
    clear_ambient_capability_set()?;
    for right in CapabilitySet::all().iter() {
        // Fails without the capability to drop it, and for a capability that the kernel does not
        // support; in both cases there is nothing to drop.
        let _ = remove_capability_from_bounding_set(right);
    }
    if let Some((user, group)) = orders.run_as {
        let (user, group) = (Uid::from_raw(user), Gid::from_raw(group));
        set_thread_groups(&[])?;
        set_thread_res_gid(group, group, group)?;
        set_thread_res_uid(user, user, user)?;
    }
    let none = CapabilitySets {
        effective: CapabilitySet::empty(),
        permitted: CapabilitySet::empty(),
        inheritable: CapabilitySet::empty(),
    };
    set_capabilities(None, none)?;
    Ok(set_no_new_privs(true)?)
}
