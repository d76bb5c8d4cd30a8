//! A second barrier behind the namespaces: Landlock, and a filter of system calls.

use std::collections::BTreeMap;
use std::io;

use landlock::{
    ABI, Access, AccessFs, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset,
    RulesetAttr, RulesetCreatedAttr, Scope,
};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen as Length, SeccompCmpOp as Is, SeccompCondition,
    SeccompFilter, SeccompRule, TargetArch, apply_filter,
};

use super::view::DEVICES;
use super::{Orders, ViewEntry};

pub(super) fn raise(orders: &Orders) -> io::Result<()> {
    confine_files(orders).map_err(io::Error::other)?;
    filter_calls().map_err(io::Error::other)
}

/// Repeats the permissions of the view with Landlock, so that a way around the view gives access to
/// nothing. Kernels without Landlock, or without a part of it, skip it.
fn confine_files(orders: &Orders) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let newest = ABI::V9;
    let all = AccessFs::from_all(newest);
    let read = AccessFs::from_read(newest);
    let device = make_device_rights();
    let mut rules = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(all)?
        .scope(Scope::from_all(newest))?
        .create()?;
    for (at, shown) in &orders.view {
        let allowed = match shown {
            ViewEntry::Read(_) => read,
            ViewEntry::Write(_) | ViewEntry::Over { .. } => all,
            ViewEntry::Link(_) => continue,
        };
        rules = rules.add_rule(PathBeneath::new(PathFd::new(at)?, allowed))?;
    }
    for (at, allowed) in [("/proc", read), ("/dev/pts", all)] {
        rules = rules.add_rule(PathBeneath::new(PathFd::new(at)?, allowed))?;
    }
    for name in DEVICES {
        let path = PathFd::new(format!("/dev/{name}"))?;
        rules = rules.add_rule(PathBeneath::new(path, device))?;
    }
    rules.restrict_self()?;
    Ok(())
}

fn make_device_rights() -> BitFlags<AccessFs> {
    AccessFs::ReadFile | AccessFs::WriteFile | AccessFs::Truncate
}

#[cfg(target_arch = "x86_64")]
const ARCH: TargetArch = TargetArch::x86_64;
#[cfg(target_arch = "aarch64")]
const ARCH: TargetArch = TargetArch::aarch64;
#[cfg(target_arch = "riscv64")]
const ARCH: TargetArch = TargetArch::riscv64;

/// The last system call that this list covers (`file_setattr`). Later ones, and those of another
/// table, fail as unknown.
const LAST: i64 = 469;

/// System calls that fail as unknown, so that programs use their alternatives. A filter cannot read
/// the flags of `clone3`; files made by `memfd_create` have no name, so their size is not measured.
const UNKNOWN: [i64; 6] = [
    libc::SYS_clone3,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_memfd_create,
    libc::SYS_memfd_secret,
];

/// System calls that no test needs: each could be used to gain privileges or to reach other
/// processes or the machine.
const FORBIDDEN: [i64; 52] = [
    libc::SYS_acct,
    libc::SYS_add_key,
    libc::SYS_adjtimex,
    libc::SYS_bpf,
    libc::SYS_chroot,
    libc::SYS_clock_adjtime,
    libc::SYS_clock_settime,
    libc::SYS_delete_module,
    libc::SYS_fanotify_init,
    libc::SYS_finit_module,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fsopen,
    libc::SYS_fspick,
    libc::SYS_init_module,
    libc::SYS_kcmp,
    libc::SYS_kexec_file_load,
    libc::SYS_kexec_load,
    libc::SYS_keyctl,
    libc::SYS_lookup_dcookie,
    libc::SYS_migrate_pages,
    libc::SYS_mount,
    libc::SYS_mount_setattr,
    libc::SYS_move_mount,
    libc::SYS_move_pages,
    libc::SYS_name_to_handle_at,
    libc::SYS_nfsservctl,
    libc::SYS_open_by_handle_at,
    libc::SYS_open_tree,
    libc::SYS_perf_event_open,
    libc::SYS_personality,
    libc::SYS_pidfd_getfd,
    libc::SYS_pivot_root,
    libc::SYS_process_madvise,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_ptrace,
    libc::SYS_quotactl,
    libc::SYS_quotactl_fd,
    libc::SYS_reboot,
    libc::SYS_request_key,
    libc::SYS_setdomainname,
    libc::SYS_sethostname,
    libc::SYS_setns,
    libc::SYS_settimeofday,
    libc::SYS_swapoff,
    libc::SYS_swapon,
    libc::SYS_syslog,
    libc::SYS_umount2,
    libc::SYS_unshare,
    libc::SYS_userfaultfd,
    libc::SYS_vhangup,
];

/// The flags of `clone` that make a namespace.
const NAMESPACES: [i32; 7] = [
    libc::CLONE_NEWNS,
    libc::CLONE_NEWCGROUP,
    libc::CLONE_NEWUTS,
    libc::CLONE_NEWIPC,
    libc::CLONE_NEWUSER,
    libc::CLONE_NEWPID,
    libc::CLONE_NEWNET,
];

/// Requests that insert input into a terminal or take over its console.
const TERMINAL: [u64; 3] = [0x5412, 0x541c, 0x541d];

/// Allowed address families of sockets: Unix sockets, IP (only the loopback exists), and netlink,
/// with which programs list interfaces.
const FAMILIES: [i32; 4] = [
    libc::AF_UNIX,
    libc::AF_INET,
    libc::AF_INET6,
    libc::AF_NETLINK,
];

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

fn filter_calls() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let errno = |code: i32| SeccompAction::Errno(code as u32);
    let known: Rules = (0..=LAST)
        .filter(|call| !UNKNOWN.contains(call))
        .map(|call| (call, Vec::new()))
        .collect();
    let mut forbidden: Rules = FORBIDDEN.iter().map(|call| (*call, Vec::new())).collect();
    let flags = NAMESPACES.iter().map(|flag| {
        let flag = u64::from(*flag as u32);
        one(0, Length::Qword, Is::MaskedEq(flag), flag)
    });
    forbidden.insert(libc::SYS_clone, flags.collect::<Result<_, _>>()?);
    let requests = TERMINAL
        .iter()
        .map(|request| one(1, Length::Dword, Is::Eq, *request));
    forbidden.insert(libc::SYS_ioctl, requests.collect::<Result<_, _>>()?);
    // A process that process 1 cannot read would not be measured.
    let hide = one(0, Length::Dword, Is::Eq, libc::PR_SET_DUMPABLE as u64)?;
    forbidden.insert(libc::SYS_prctl, vec![hide]);
    let others = FAMILIES
        .iter()
        .map(|family| SeccompCondition::new(0, Length::Dword, Is::Ne, *family as u64));
    let other = SeccompRule::new(others.collect::<Result<_, _>>()?)?;
    forbidden.insert(libc::SYS_socket, vec![other.clone()]);
    forbidden.insert(libc::SYS_socketpair, vec![other]);
    // Space reserved without being written is not seen in time by the disk monitor.
    let promised: Rules = [(libc::SYS_fallocate, Vec::new())].into();
    let filters = [
        (promised, SeccompAction::Allow, errno(libc::EOPNOTSUPP)),
        (forbidden, SeccompAction::Allow, errno(libc::EPERM)),
        (known, errno(libc::ENOSYS), SeccompAction::Allow),
    ];
    for (rules, otherwise, listed) in filters {
        let filter = SeccompFilter::new(rules, otherwise, listed, ARCH)?;
        apply_filter(&BpfProgram::try_from(filter)?)?;
    }
    Ok(())
}

fn one(
    argument: u8,
    length: Length,
    is: Is,
    value: u64,
) -> Result<SeccompRule, seccompiler::BackendError> {
    SeccompRule::new(vec![SeccompCondition::new(argument, length, is, value)?])
}
