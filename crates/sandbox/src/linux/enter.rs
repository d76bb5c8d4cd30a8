//! The third stage: gives up all privileges, sets up Landlock and seccomp, and executes the
//! command.

use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};

use rustix::process::{Gid, Resource, Uid, setsid};
use rustix::thread::{
    CapabilitySet, CapabilitySets, clear_ambient_capability_set,
    remove_capability_from_bounding_set, set_capabilities, set_no_new_privs, set_thread_groups,
    set_thread_res_gid, set_thread_res_uid,
};

use super::{Orders, receive, walls};
use crate::stages::{limit, not_started, run_stage};

pub(super) fn run() -> io::Result<()> {
    run_stage(|line| {
        let orders: Orders = receive(line)?;
        let error = enter(&orders)?.exec();
        Ok(not_started(&orders.command[0], &error))
    })
}

fn enter(orders: &Orders) -> io::Result<Command> {
    setsid()?;
    let limits = &orders.limits;
    limit(&[
        (Resource::Core, 0),
        (Resource::Data, limits.memory),
        (Resource::Fsize, limits.disk),
        (Resource::Memlock, 8 << 20),
        (Resource::Nofile, 8192),
        // `init` holds the exact bound: some kernels count all processes of the user here.
        (Resource::Nproc, 16 * limits.processes),
    ])?;
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
