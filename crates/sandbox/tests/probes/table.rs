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
    /// Not run without a sandbox, because it would harm the machine, or tests a limit or a second
    /// wall: seen to escape by hand with that wall removed.
    ByHand,
}

pub enum Expected {
    /// It ends by itself: the attempt is refused.
    Refused,
    /// The sandbox ends it in one of these ways.
    Ends(&'static [&'static str]),
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

/// A probe whose attempt must be refused.
const fn refused(name: &'static str, control: Control, script: &'static str) -> Probe {
    Probe {
        name,
        script,
        bounds: BOUNDS,
        control,
        expected: Expected::Refused,
    }
}

/// A probe that must be ended.
const fn ends(name: &'static str, how: &'static [&'static str], script: &'static str) -> Probe {
    Probe {
        name,
        script,
        bounds: BOUNDS,
        control: Control::ByHand,
        expected: Expected::Ends(how),
    }
}

/// The same, with a time limit of one second.
const fn ends_soon(
    name: &'static str,
    how: &'static [&'static str],
    script: &'static str,
) -> Probe {
    let mut probe = ends(name, how, script);
    probe.bounds.seconds = 1;
    probe
}

use Control::{Anybody, ByHand, Root};

pub const PROBES: &[Probe] = &[
    // What must work: otherwise a sandbox in which nothing works would pass all other probes.
    refused(
        "the copy can be read and written, and a toolchain's cache be read",
        ByHand,
        "test \"$(cat src/main.txt)\" = source && echo x > out && mkdir -p a/b && \
         echo x > $HOME/x && echo x > /tmp/x && echo x > /dev/shm/x && \
         cat {w}/shared/data.txt .venv/bin/tool $HOME/.cargo/registry/index/known && \
         perl -e 'print 1' && echo > /dev/null || echo OUT",
    ),
    // Files of the user and the machine.
    refused("shadow", Root, "cat /etc/shadow && echo OUT"),
    refused(
        "keys of ssh",
        Anybody,
        "cat $HOME/.ssh/id_ed25519 && echo OUT",
    ),
    refused(
        "credentials of cargo",
        Anybody,
        "cat $HOME/.cargo/credentials.toml && echo OUT",
    ),
    refused("npmrc", Anybody, "cat $HOME/.npmrc && echo OUT"),
    refused("netrc", Anybody, "cat $HOME/.netrc && echo OUT"),
    refused(
        "credentials of a cloud",
        Anybody,
        "cat $HOME/.aws/credentials && echo OUT",
    ),
    refused(
        "credentials of git",
        Anybody,
        "cat $HOME/.git-credentials && echo OUT",
    ),
    refused(
        "notes in the home folder",
        Anybody,
        "cat $HOME/notes.txt && echo OUT",
    ),
    refused("env file of the tree", Anybody, "cat .env && echo OUT"),
    refused(
        "untracked file of the tree",
        Anybody,
        "cat untracked.txt && echo OUT",
    ),
    refused(
        "npmrc in a named folder",
        Anybody,
        "grep token {w}/shared/.npmrc && echo OUT",
    ),
    refused(
        "env file in a named folder",
        Anybody,
        "grep token {w}/shared/app/.env.local && echo OUT",
    ),
    refused(
        "repository in a named folder",
        Anybody,
        "grep token {w}/shared/repository/.git/config && echo OUT",
    ),
    refused(
        "settings of pip in a virtual environment",
        Anybody,
        "grep token .venv/pip.conf && echo OUT",
    ),
    refused(
        "the original repository",
        Anybody,
        "cat .git/config && echo OUT",
    ),
    refused(
        "another folder of the machine",
        Anybody,
        "cat {w}/canary && echo OUT",
    ),
    refused(
        "shared memory of the machine",
        Anybody,
        "cat /dev/shm/{mark} && echo OUT",
    ),
    refused(
        "a link that leads out",
        Anybody,
        "cat link/notes.txt && echo OUT",
    ),
    refused(
        "the log of the kernel",
        ByHand,
        "dd if=/dev/kmsg bs=8192 count=1 && echo OUT",
    ),
    refused("disks", Root, "mknod disk b 254 0 && echo OUT"),
    // Environment, open files, other processes.
    refused(
        "environment",
        Anybody,
        "env | grep SECRET_OF_THE_USER && echo OUT",
    ),
    refused(
        "environment of every process",
        Anybody,
        "grep -q SECRET_OF_THE_USER /proc/[0-9]*/environ && echo OUT",
    ),
    refused("open files", Anybody, "cat <&9 && echo OUT"),
    refused(
        "open files of every process",
        Anybody,
        "for it in /proc/[0-9]*/fd/9; do test -f $it && cat $it && echo OUT; done; true",
    ),
    refused(
        "other processes",
        Anybody,
        "for it in /proc/[0-9]*/cmdline; do \
         test \"$(head -c 7 $it)\" = \"$(echo {mark} | head -c 7)\" && echo OUT; done; true",
    ),
    refused(
        "another process by its number",
        Anybody,
        "kill -0 {pid} && echo OUT",
    ),
    refused("ending whatever there is", ByHand, "kill -9 -1; true"),
    refused("files of process 1", ByHand, "ls /proc/1/fd/0 && echo OUT"),
    refused(
        "memory of process 1",
        ByHand,
        "head -c 1 /proc/1/maps | grep . && echo OUT",
    ),
    refused(
        "the root of process 1",
        ByHand,
        "cat /proc/1/root{w}/canary && echo OUT",
    ),
    refused(
        "the root of every process",
        Anybody,
        "cat /proc/[0-9]*/root{w}/canary && echo OUT",
    ),
    refused(
        "its own root",
        Anybody,
        "cat /proc/self/root{w}/canary && echo OUT",
    ),
    refused(
        "its own folder, and up",
        Anybody,
        "cat /proc/self/cwd/../canary && echo OUT",
    ),
    // Writing outside.
    refused(
        "write above the tree",
        Anybody,
        "echo x > ../escaped && echo OUT",
    ),
    refused(
        "write by an absolute path",
        Anybody,
        "echo x > {w}/escaped && echo OUT",
    ),
    refused(
        "write in the home of the user",
        Anybody,
        "echo x > $HOME/escaped",
    ),
    refused("write in the tree", Anybody, "echo x > {w}/tree/escaped"),
    refused(
        "write in the original repository",
        Anybody,
        "mkdir -p .git && echo x > .git/escaped",
    ),
    refused("write in dependencies", Anybody, "echo x > .venv/escaped"),
    refused(
        "write in a named folder",
        Anybody,
        "echo x > {w}/shared/escaped && echo OUT",
    ),
    refused(
        "write in a cache",
        Anybody,
        "echo x > $HOME/.cargo/registry/escaped && echo OUT",
    ),
    refused(
        "write in the temporary folder",
        Anybody,
        "echo x > /var/tmp/{mark}/escaped && echo OUT",
    ),
    refused(
        "write in the system",
        Root,
        "echo x > /usr/escaped && rm /usr/escaped && echo OUT",
    ),
    refused(
        "write in the settings",
        Root,
        "echo x > /etc/escaped && rm /etc/escaped && echo OUT",
    ),
    refused(
        "write at the root",
        Root,
        "echo x > /escaped && rm /escaped && echo OUT",
    ),
    refused(
        "write through a symbolic link",
        Anybody,
        "ln -s {w} up && echo x > up/escaped",
    ),
    refused(
        "write through a link of the tree",
        Anybody,
        "echo x > link/escaped",
    ),
    refused(
        "write through a hard link",
        Anybody,
        "ln {w}/canary hard && echo x >> hard && echo OUT",
    ),
    refused(
        "a hard link to what is read",
        Anybody,
        "ln {w}/shared/data.txt hard-too && echo OUT",
    ),
    refused(
        "write through the folder of a process",
        Anybody,
        "echo x > /proc/self/cwd/../escaped",
    ),
    refused(
        "write through the root of a process",
        Anybody,
        "echo x > /proc/self/root{w}/escaped",
    ),
    refused(
        "move the tree away",
        Anybody,
        "mv {w}/tree {w}/moved && mv {w}/moved {w}/tree && echo OUT",
    ),
    refused(
        "settings of the kernel",
        Root,
        "cat /proc/sys/vm/swappiness > /proc/sys/vm/swappiness && echo OUT",
    ),
    refused(
        "commands to the kernel",
        ByHand,
        ": >> /proc/sysrq-trigger && echo OUT",
    ),
    refused("a device", Root, "mknod device c 1 1 && echo OUT"),
    refused(
        "change of rights in the system",
        Root,
        "chmod u+w /usr/bin/id && echo OUT",
    ),
    // Network and sockets.
    refused(
        "loopback of the machine, TCP",
        Anybody,
        "perl -MIO::Socket::INET -e 'IO::Socket::INET->new(\"127.0.0.1:{port}\") or exit 1' && echo OUT",
    ),
    refused(
        "loopback of the machine, UDP",
        Anybody,
        "perl -MIO::Socket::INET -e '$s = IO::Socket::INET->new(Proto => \"udp\", \
         PeerAddr => \"127.0.0.1:{port}\"); send($s, \"x\", 0) or exit 1; alarm 2; \
         recv($s, $it, 9, 0); print $it eq \"hello\" ? \"OUT\\n\" : \"\"'",
    ),
    refused(
        "a way into the network",
        ByHand,
        "perl -MIO::Socket::INET -e 'IO::Socket::INET->new(Proto => \"udp\", \
         PeerAddr => \"198.51.100.1:53\") or exit 1' && echo OUT",
    ),
    refused(
        "names of the network",
        ByHand,
        "getent hosts example.org && echo OUT",
    ),
    refused(
        "interfaces",
        ByHand,
        "grep : /proc/net/dev | grep -v 'lo:' && echo OUT",
    ),
    refused(
        "packets",
        Root,
        "perl -e 'socket(S, 17, 3, 768) or exit 1' && echo OUT",
    ),
    refused(
        "raw sockets",
        Root,
        "perl -e 'socket(S, 2, 3, 1) or exit 1' && echo OUT",
    ),
    refused(
        "sockets to a host of this machine",
        Anybody,
        "perl -e 'socket(S, 40, 1, 0) or exit 1' && echo OUT",
    ),
    refused(
        "sockets of the kernel's ciphers",
        ByHand,
        "perl -e 'socket(S, 38, 5, 0) or exit 1' && echo OUT",
    ),
    refused(
        "abstract socket",
        Anybody,
        "perl -MSocket -e 'socket(S, AF_UNIX, SOCK_STREAM, 0); \
         connect(S, pack(\"Sxa*\", AF_UNIX, \"{mark}\")) or exit 1' && echo OUT",
    ),
    refused(
        "socket with a path",
        Anybody,
        "perl -MSocket -e 'socket(S, AF_UNIX, SOCK_STREAM, 0); \
         connect(S, sockaddr_un(\"{w}/socket\")) or exit 1' && echo OUT",
    ),
    refused(
        "socket in the tree",
        Anybody,
        "perl -MSocket -e 'socket(S, AF_UNIX, SOCK_STREAM, 0); \
         connect(S, sockaddr_un(\"socket\")) or exit 1' && echo OUT",
    ),
    refused(
        "socket in a named folder",
        Anybody,
        "perl -MSocket -e 'socket(S, AF_UNIX, SOCK_STREAM, 0); \
         connect(S, sockaddr_un(\"{w}/shared/socket\")) or exit 1' && echo OUT",
    ),
    // Privileges.
    refused(
        "a program with its owner's rights",
        Control::User,
        "test \"$({w}/shared/as-owner -u)\" = 0 && echo OUT",
    ),
    refused(
        "rights",
        Root,
        "grep -E 'Cap(Prm|Eff|Bnd|Amb):.*[1-9a-f]' /proc/self/status && echo OUT",
    ),
    refused(
        "new rights",
        Anybody,
        "grep 'NoNewPrivs:\t0' /proc/self/status && echo OUT",
    ),
    refused(
        "being root outside",
        Root,
        "perl -e '$> = 0; exit($> == 0 && $< == 0 ? 0 : 1)' && echo OUT",
    ),
    refused(
        "mount",
        Root,
        "mount -t tmpfs none /mnt && umount /mnt && echo OUT",
    ),
    refused(
        "mount, by hand",
        Root,
        "perl -e '@a = (\"none\", \"/\", \"tmpfs\"); exit(syscall({mount}, @a, 1 << 5 | 4096, 0) == 0 ? 0 : 1)' && echo OUT",
    ),
    refused(
        "take away a mask",
        ByHand,
        "perl -e '$a = \"{w}/shared/.npmrc\"; exit(syscall({umount2}, $a, 2) == 0 ? 0 : 1)' && echo OUT",
    ),
    refused(
        "look beneath a mask",
        Root,
        "perl -e '$a = \"/\"; exit(syscall({open_tree}, -100, $a, 1) >= 0 ? 0 : 1)' && echo OUT",
    ),
    refused(
        "a namespace",
        Anybody,
        "unshare --user --map-root-user true && echo OUT",
    ),
    refused(
        "a namespace, by hand",
        Anybody,
        "perl -e 'exit(syscall({unshare}, 0x10000000) == 0 ? 0 : 1)' && echo OUT",
    ),
    refused(
        "a namespace by clone",
        Anybody,
        "perl -e '$p = syscall({clone}, 0x10000000 | 17, 0, 0, 0, 0); exit 0 if $p == 0; exit($p > 0 ? 0 : 1)' && echo OUT",
    ),
    refused(
        "a namespace by clone3",
        Anybody,
        "perl -e 'syscall({clone3}, 0, 0); exit($!{ENOSYS} ? 1 : 0)' && echo OUT",
    ),
    refused(
        "chroot",
        Root,
        "perl -e 'chroot(\"/usr\") or exit 1' && echo OUT",
    ),
    refused(
        "trace",
        Anybody,
        "perl -e 'exit(syscall({ptrace}, 0, 0, 0, 0) == 0 ? 0 : 1)' && echo OUT",
    ),
    refused(
        "memory of other processes",
        Anybody,
        "perl -e 'syscall({process_vm_readv}, $$, 0, 0, 0, 0, 0); exit($!{EPERM} ? 1 : 0)' && echo OUT",
    ),
    refused(
        "files of other processes",
        Anybody,
        "perl -e 'syscall({pidfd_getfd}, -1, 0, 0); exit($!{EPERM} ? 1 : 0)' && echo OUT",
    ),
    refused(
        "keys of the kernel",
        Anybody,
        "perl -e 'exit(syscall({keyctl}, 0, -3, 1) >= 0 ? 0 : 1)' && echo OUT",
    ),
    refused(
        "a new key of the kernel",
        Anybody,
        "perl -e '@a = (\"user\", \"x\", \"x\"); exit(syscall({add_key}, @a, 1, -2) >= 0 ? 0 : 1)' && echo OUT",
    ),
    refused(
        "programs in the kernel",
        Root,
        "perl -e 'syscall({bpf}, 0, 0, 0); exit($!{EPERM} ? 1 : 0)' && echo OUT",
    ),
    refused(
        "io_uring",
        Anybody,
        "perl -e 'syscall({io_uring_setup}, 1, 0); exit($!{ENOSYS} ? 1 : 0)' && echo OUT",
    ),
    refused(
        "files by handle",
        Root,
        "perl -e 'syscall({open_by_handle_at}, -1, 0, 0); exit($!{EPERM} ? 1 : 0)' && echo OUT",
    ),
    refused(
        "faults of its own",
        Anybody,
        "perl -e 'exit(syscall({userfaultfd}, 1) >= 0 ? 0 : 1)' && echo OUT",
    ),
    refused(
        "counters of the processor",
        Root,
        "perl -e 'syscall({perf_event_open}, 0, 0, 0, 0, 0); exit($!{EPERM} ? 1 : 0)' && echo OUT",
    ),
    refused(
        "keys typed into a terminal",
        Anybody,
        "perl -e 'open(T, \"<\", \"/dev/null\"); $a = \"x\"; ioctl(T, 0x5412, $a); exit($!{EPERM} ? 1 : 0)' && echo OUT",
    ),
    refused(
        "the terminal of the user",
        ByHand,
        "echo x > /dev/tty && echo OUT",
    ),
    // Resource limits.
    ends(
        "a fork bomb",
        &["Processes", "Code", "Signal"],
        "bomb() { bomb | bomb & }; bomb; sleep 3",
    ),
    ends(
        "10 GB of output",
        &["Output"],
        "head -c 10000000000 /dev/zero",
    ),
    ends(
        "10 GB of errors",
        &["Output"],
        "head -c 10000000000 /dev/zero >&2",
    ),
    ends(
        "a large file",
        &["Disk"],
        "exec dd if=/dev/zero of=big bs=1M count=10000",
    ),
    ends(
        "many files",
        &["Disk"],
        "i=0; while head -c 4000000 /dev/zero > f$i; do i=$((i + 1)); done",
    ),
    ends(
        "a full temporary folder",
        &["Disk"],
        "i=0; while head -c 4000000 /dev/zero > /tmp/f$i; do i=$((i + 1)); done",
    ),
    ends(
        "full shared memory",
        &["Disk"],
        "i=0; while head -c 4000000 /dev/zero > /dev/shm/f$i; do i=$((i + 1)); done",
    ),
    ends(
        "files without a name",
        &["Disk"],
        "perl -e 'for (1..100) { open($f[$_], \">\", \"f\"); unlink \"f\"; \
         print {$f[$_]} \"x\" x 8000000; $f[$_]->flush } sleep 5'",
    ),
    ends(
        "room that is promised",
        &["Code(1)"],
        "fallocate -l 60G promised",
    ),
    ends(
        "folders too deep to be named",
        &["Code(0)", "Disk"],
        "perl -e 'for (1..3000) { mkdir \"deep\" and chdir \"deep\" }'; mkdir -p shut/up && echo x > shut/up/x && chmod 0 shut/up shut",
    ),
    ends(
        "a memory hog",
        &["Memory", "Signal", "Code"],
        "exec perl -e '$x .= \"x\" x 100000000 for 1..100; sleep 15'",
    ),
    ends(
        "many small memory hogs",
        &["Memory"],
        "for i in 1 2 3 4 5 6; do perl -e '$x .= \"x\" x 100000000 for 1..3; sleep 15' & done; sleep 15",
    ),
    ends(
        "memory without a process",
        &["Memory"],
        "perl -e 'for (1..20) { $i = shmget(0, 100000000, 0600); shmwrite($i, \"x\" x 100000000, 0, 100000000) } sleep 15'",
    ),
    ends(
        "memory in nameless files",
        &["Code(1)"],
        "perl -e '$a = \"x\"; exit(syscall({memfd_create}, $a, 0) >= 0 ? 0 : 1)'",
    ),
    ends_soon("sleeping for ever", &["Time"], "sleep 86400"),
    ends_soon("a busy loop", &["Time"], "while :; do :; done"),
    ends_soon(
        "one that ignores TERM",
        &["Time"],
        "trap '' TERM INT HUP; while :; do sleep 1; done",
    ),
    ends_soon(
        "one that stops itself",
        &["Time"],
        "kill -STOP $$; sleep 20",
    ),
    ends(
        "one that outlives its parent",
        &["Code(0)"],
        "setsid sh -c 'exec perl -e \"sleep 86400\" {mark}' > /dev/null 2>&1 & \
         (setsid perl -e '$0 = \"{mark}\"; sleep 86400' &) ; exit 0",
    ),
    ends(
        "one that is ended by a signal",
        &["Signal(9)"],
        "kill -9 $$",
    ),
];
