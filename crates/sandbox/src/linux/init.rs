//! The second stage, process 1 of the trial: builds the view, starts the command and monitors it.

use std::io::{self, Read};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::ExitStatusExt;
use std::process::Child;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::Mode;
use rustix::process::{
    DumpableBehavior, Pid, PidfdFlags, Signal, WaitOptions, pidfd_open, set_dumpable_behavior,
    set_parent_process_death_signal, wait,
};

use super::{Orders, receive, send, stage, usage, view};
use crate::Exit;
use crate::stages::{read_result, run_stage};

/// Interval at which memory and processes are measured.
const TICK: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 50_000_000,
};

pub(super) fn run() -> io::Result<()> {
    set_parent_process_death_signal(Some(Signal::KILL))?;
    // Intermediate folders must be accessible to all users, whatever the user's umask.
    rustix::process::umask(Mode::from_raw_mode(0o022));
    // When this process ends, the kernel kills all other processes of the trial.
    run_stage(|line| hold(&receive(line)?, line))
}

fn hold(orders: &Orders, line: &UnixStream) -> io::Result<Exit> {
    if orders.build {
        raise_loopback()?;
        rustix::system::sethostname(b"trial")?;
        view::build(orders)?;
    }
    // No process of the trial may read this process, its files or its memory.
    set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
    let (mut ours, theirs) = UnixStream::pair()?;
    let mut command = stage("/proc/self/exe".as_ref(), "enter")
        .stdin(OwnedFd::from(theirs))
        .spawn()?;
    send(&mut ours, orders)?;
    // The socket closes when `enter` has executed the command.
    let mut why = String::new();
    ours.read_to_string(&mut why)?;
    if !why.is_empty() {
        command.wait()?;
        return read_result(&why)?;
    }
    watch(orders, line, &command)
}

fn watch(orders: &Orders, line: &UnixStream, command: &Child) -> io::Result<Exit> {
    let pid = Pid::from_child(command);
    let ends = pidfd_open(pid, PidfdFlags::empty())?;
    loop {
        let mut fds = [
            PollFd::from_borrowed_fd(ends.as_fd(), PollFlags::IN),
            PollFd::from_borrowed_fd(line.as_fd(), PollFlags::IN),
        ];
        poll(&mut fds, Some(&TICK))?;
        if !fds[1].revents().is_empty() {
            return Err(io::Error::other("whoever started the trial is gone"));
        }
        // Orphans become children of this process; reap them.
        while let Some((ended, status)) = wait(WaitOptions::NOHANG).unwrap_or(None) {
            if ended == pid {
                return Ok(std::process::ExitStatus::from_raw(status.as_raw()).into());
            }
        }
        let used = usage::measure()?;
        let limits = &orders.limits;
        if used.memory > limits.memory || usage::little_is_left()? {
            return Ok(Exit::Memory);
        } else if used.threads > limits.processes {
            return Ok(Exit::Processes);
        } else if used.nameless > limits.disk {
            return Ok(Exit::Disk);
        }
    }
}

/// Enables the loopback of the new network, its only interface, for programs that connect to
/// themselves.
fn raise_loopback() -> io::Result<()> {
    use rustix::net::{AddressFamily, RecvFlags, SendFlags, SocketType, recv, send, socket};
    // Protocol 0 is `NETLINK_ROUTE`.
    let netlink = socket(AddressFamily::NETLINK, SocketType::RAW, None)?;
    // A header (length, `RTM_NEWLINK`, request with acknowledgement, number, sender) and an
    // `ifinfomsg` (family, type, index 1, flags `IFF_UP`, and which of them to change).
    let words: [u32; 8] = [32, 16 | (1 | 4) << 16, 1, 0, 0, 1, 1, 1];
    let message: Vec<u8> = words.iter().flat_map(|it| it.to_ne_bytes()).collect();
    send(&netlink, &message, SendFlags::empty())?;
    let mut answer = [0_u8; 256];
    let (_, length) = recv(&netlink, &mut answer, RecvFlags::empty())?;
    // The error code after the answer's header: negative, or zero for success.
    match answer.get(16..20).filter(|_| length >= 20) {
        Some([0, 0, 0, 0]) => Ok(()),
        Some(&[a, b, c, d]) => Err(io::Error::from_raw_os_error(-i32::from_ne_bytes([
            a, b, c, d,
        ]))),
        _ => Err(io::ErrorKind::UnexpectedEof.into()),
    }
}
