//! The probes. `{w}` is the folder of the world, `{mark}` its name, `{port}` its listening port,
//! `{pid}` a process outside, and a name such as `{ptrace}` the number of that system call.

/// Resource limits of a probe: seconds, MiB, and a number of processes.
pub struct Bounds {
    pub seconds: u64,
    pub memory: u64,
    pub processes: u64,
    pub output: u64,
    pub disk: u64,
}

pub const BOUNDS: Bounds = Bounds {
    seconds: 60,
    memory: 1024,
    processes: 64,
    output: 4,
    disk: 64,
};

/// Who can escape with the probe if there is no sandbox.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Control {
    Anybody,
    Root,
    User,
    /// Not run without a sandbox, because it would harm the machine, or because it tests a limit or
    /// a second barrier: tested manually with that barrier removed.
    ByHand,
}

pub enum Expected {
    /// It ends by itself: the attempt is refused.
    Refused,
    /// The sandbox ends it in one of these ways.
    Ends(Vec<&'static str>),
}

pub struct Probe {
    pub name: &'static str,
    pub script: &'static str,
    pub bounds: Bounds,
    pub control: Control,
    pub expected: Expected,
}

/// Numbers of system calls that shell commands do not make.
pub fn calls() -> [(&'static str, i64); 18] {
    [
        ("ptrace", libc::SYS_ptrace),
        ("keyctl", libc::SYS_keyctl),
        ("add_key", libc::SYS_add_key),
        ("bpf", libc::SYS_bpf),
        ("io_uring_setup", libc::SYS_io_uring_setup),
        ("mount", libc::SYS_mount),
        ("umount2", libc::SYS_umount2),
        ("unshare", libc::SYS_unshare),
        ("setns", libc::SYS_setns),
        ("clone3", libc::SYS_clone3),
        ("clone", libc::SYS_clone),
        ("process_vm_readv", libc::SYS_process_vm_readv),
        ("pidfd_getfd", libc::SYS_pidfd_getfd),
        ("open_by_handle_at", libc::SYS_open_by_handle_at),
        ("userfaultfd", libc::SYS_userfaultfd),
        ("perf_event_open", libc::SYS_perf_event_open),
        ("memfd_create", libc::SYS_memfd_create),
        ("open_tree", libc::SYS_open_tree),
    ]
}

/// Parses the probes of `probes.txt`, one per line: how it ends, its name, its script. `refused` is
/// followed by who can escape with it without a sandbox, `ends` by the ways in which the trial may
/// end; `soon` is `ends` with a time limit of one second.
pub fn probes() -> Vec<Probe> {
    let lines = include_str!("probes.txt").lines();
    let probes = lines.filter(|line| !line.starts_with('#')).map(|line| {
        let [kind, name, script] = std::array::from_fn(|n| line.splitn(3, " | ").nth(n).unwrap());
        let (kind, how) = kind.split_once(' ').unwrap();
        let mut bounds = BOUNDS;
        if kind == "soon" {
            bounds.seconds = 1;
        }
        let (control, expected) = match (kind, how) {
            ("refused", "anybody") => (Control::Anybody, Expected::Refused),
            ("refused", "root") => (Control::Root, Expected::Refused),
            ("refused", "user") => (Control::User, Expected::Refused),
            ("refused", "hand") => (Control::ByHand, Expected::Refused),
            ("ends" | "soon", ways) => (Control::ByHand, Expected::Ends(ways.split(',').collect())),
            _ => panic!("{line}"),
        };
        Probe {
            name,
            script,
            bounds,
            control,
            expected,
        }
    });
    probes.collect()
}
