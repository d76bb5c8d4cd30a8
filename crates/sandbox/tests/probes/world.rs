//! The environment of a trial: a user with secrets, a tree, and a machine with listening sockets.

use std::io::Write;
use std::net::{TcpListener, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{SocketAddr, UnixListener};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

use crate::table::Bounds;

/// User id without an account.
const USER: u32 = 54321;

const STAGE: &str = env!("CARGO_BIN_EXE_sandbox-stage");

/// A kind of sandbox, and the user that runs it.
pub struct Way {
    pub name: &'static str,
    pub bubblewrap: Option<PathBuf>,
    /// The user to run as, if it differs from the user that runs the tests.
    user: Option<u32>,
}

impl Way {
    pub fn is_root(&self) -> bool {
        self.user.is_none() && rustix::process::geteuid().is_root()
    }
}

pub const BY_USER: &str = "namespaces, as a user";
pub const BY_ROOT: &str = "namespaces, as root";
pub const BY_BUBBLEWRAP: &str = "bubblewrap, as a user";

pub fn bubblewrap() -> Option<PathBuf> {
    Some(PathBuf::from("/usr/bin/bwrap")).filter(|it| it.is_file())
}

/// The kinds that work on this machine; prints the names of the others.
pub fn ways() -> Vec<Way> {
    let root = rustix::process::geteuid().is_root();
    let user = root.then_some(USER);
    let mut ways = vec![Way {
        name: BY_USER,
        bubblewrap: None,
        user,
    }];
    if root {
        ways.push(Way {
            name: BY_ROOT,
            bubblewrap: None,
            user: None,
        });
    }
    if let Some(bubblewrap) = bubblewrap() {
        ways.push(Way {
            name: BY_BUBBLEWRAP,
            bubblewrap: Some(bubblewrap),
            user,
        });
    } else {
        eprintln!("SKIPPED: bubblewrap is not installed (apt-get install bubblewrap)");
    }
    let works = |way: &Way| {
        let world = World::new(way);
        let (told, error) = world.ask([]);
        assert!(told.is_empty());
        if !error.is_empty() {
            eprintln!("SKIPPED: {}: {error}", way.name);
        }
        error.is_empty()
    };
    ways.retain(works);
    ways
}

pub struct World {
    folder: tempfile::TempDir,
    bubblewrap: Option<PathBuf>,
    user: Option<u32>,
    port: u16,
    sleeper: Child,
    /// A name that is unique on this machine.
    mark: String,
}

/// A folder that everybody can enter, outside of any home.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::Builder::new()
        .prefix("probes-")
        .tempdir_in("/var/tmp")
        .unwrap();
    std::fs::set_permissions(folder.path(), PermissionsExt::from_mode(0o755)).unwrap();
    folder
}

/// Copies a program by another process: what this one has open for writing, the processes that other
/// tests start at that moment have open too, and Linux runs no program that is open for writing.
fn copy(from: &Path, to: &Path) {
    let copied = Command::new("cp").args([from, to]).status().unwrap();
    assert!(copied.success(), "{} is copied", from.display());
}

impl World {
    pub fn new(way: &Way) -> Self {
        let folder = folder();
        let at = |path: &str| folder.path().join(path);
        for (path, text) in [
            ("home/.ssh/id_ed25519", "key"),
            ("home/.cargo/credentials.toml", "token"),
            ("home/.cargo/registry/index/known", "known"),
            ("home/.npmrc", "token"),
            ("home/.netrc", "token"),
            ("home/.aws/credentials", "token"),
            ("home/.git-credentials", "token"),
            ("home/notes.txt", "private"),
            ("tree/src/main.txt", "source"),
            ("tree/.env", "token"),
            ("tree/.git/config", "[remote]"),
            ("tree/untracked.txt", "private"),
            ("tree/.venv/bin/tool", "tool"),
            ("tree/.venv/pip.conf", "token"),
            ("tree/target/made", "made"),
            ("shared/data.txt", "data"),
            ("shared/.npmrc", "token"),
            ("shared/app/.env.local", "token"),
            ("shared/repository/.git/config", "token"),
            ("canary", "private"),
        ] {
            let path = at(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, format!("{text}\n")).unwrap();
        }
        std::os::unix::fs::symlink(at("home"), at("tree/link")).unwrap();
        copy(STAGE.as_ref(), &at("stage"));
        let mark = folder
            .path()
            .file_name()
            .unwrap()
            .to_str()
            .unwrap()
            .to_owned();
        let port = listen(folder.path(), &mark);
        if let Some(user) = way.user {
            give(folder.path(), user);
        }
        // A set-user-id program; its owner is root if root runs the tests.
        copy("/usr/bin/id".as_ref(), &at("shared/as-owner"));
        std::fs::set_permissions(at("shared/as-owner"), PermissionsExt::from_mode(0o4755)).unwrap();
        std::fs::write(format!("/dev/shm/{mark}"), "private\n").unwrap();
        let mut sleeper = Command::new("sleep");
        let sleeper = as_user(&mut sleeper, way.user)
            .arg("86400")
            .arg0(&mark)
            .spawn()
            .unwrap();
        Self {
            bubblewrap: way.bubblewrap.clone(),
            user: way.user,
            folder,
            port,
            sleeper,
            mark,
        }
    }

    pub fn at(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    /// Fills the names of this world into the script.
    fn script(&self, script: &str) -> String {
        let calls = crate::table::calls();
        let text = script
            .replace("{w}", self.folder.path().to_str().unwrap())
            .replace("{mark}", &self.mark)
            .replace("{port}", &self.port.to_string())
            .replace("{pid}", &self.sleeper.id().to_string());
        calls.iter().fold(text, |text, (name, number)| {
            text.replace(&format!("{{{name}}}"), &number.to_string())
        })
    }

    /// A command with secrets in its environment and an open file.
    fn somebody(&self, program: &Path, script: Option<&str>) -> Command {
        let mut command = Command::new("/bin/sh");
        let exec = match script {
            Some(_) => "exec 9<\"$1\"; shift; exec \"$0\" -c \"$@\"",
            None => "exec 9<\"$1\"; exec \"$0\"",
        };
        command
            .args(["-c", exec])
            .arg(program)
            .arg(self.at("canary"))
            .args(script.map(|it| self.script(it)))
            .env_clear()
            .env("PATH", "/usr/local/bin:/usr/bin:/bin")
            .env("HOME", self.at("home"))
            .env("SECRET_OF_THE_USER", "token")
            .current_dir(self.at("tree"));
        as_user(&mut command, self.user);
        command
    }

    /// The output of the script without a sandbox.
    pub fn without_sandbox(&self, script: &str) -> String {
        let done = self
            .somebody("/bin/sh".as_ref(), Some(script))
            .output()
            .unwrap();
        String::from_utf8_lossy(&done.stdout).into_owned()
    }

    pub fn trials<'a>(
        &self,
        trials: impl IntoIterator<Item = (&'a str, &'a Bounds)>,
    ) -> Vec<Value> {
        let (told, error) = self.ask(trials);
        assert_eq!(error, "");
        told
    }

    /// Starts a process that runs the trials.
    pub fn runner<'a>(&self, trials: impl IntoIterator<Item = (&'a str, &'a Bounds)>) -> Child {
        let trials = trials.into_iter().map(|(script, bounds)| {
            json!({
                "command": ["/bin/sh", "-c", self.script(script)],
                "time": bounds.seconds * 1000,
                "memory": bounds.memory << 20,
                "processes": bounds.processes,
                "output": bounds.output << 20,
                "disk": bounds.disk << 20,
            })
        });
        let request = json!({
            "bubblewrap": self.bubblewrap,
            "copies": self.at("copies"),
            "tree": self.at("tree"),
            "files": ["src/main.txt", ".env", "link"],
            "named": [self.at("shared")],
            "trials": trials.collect::<Vec<_>>(),
        });
        let mut child = self
            .somebody(&self.at("stage"), None)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(request.to_string().as_bytes()).unwrap();
        child
    }

    fn ask<'a>(
        &self,
        trials: impl IntoIterator<Item = (&'a str, &'a Bounds)>,
    ) -> (Vec<Value>, String) {
        let done = self.runner(trials).wait_with_output().unwrap();
        let lines = String::from_utf8(done.stdout).unwrap();
        let told = lines.lines().map(|it| serde_json::from_str(it).unwrap());
        (told.collect(), String::from_utf8(done.stderr).unwrap())
    }

    /// Files named `escaped` outside of a copy.
    pub fn escaped(&self) -> Vec<String> {
        let mut found = Vec::new();
        let mut waiting = vec![self.folder.path().to_owned()];
        while let Some(folder) = waiting.pop() {
            for entry in std::fs::read_dir(folder).unwrap().flatten() {
                let path = entry.path();
                if path.file_name().is_some_and(|it| it == "escaped") {
                    found.push(path.display().to_string());
                }
                if entry.file_type().unwrap().is_dir() {
                    waiting.push(path);
                }
            }
        }
        found.extend(
            [
                "/tmp/escaped",
                "/dev/shm/escaped",
                "/usr/escaped",
                "/etc/escaped",
            ]
            .iter()
            .filter(|it| Path::new(it).exists())
            .map(ToString::to_string),
        );
        found
    }

    /// Whether the tree is unchanged and the sleeping process alive.
    pub fn is_as_it_was(&self) -> bool {
        let read = |path| std::fs::read_to_string(self.at(path)).unwrap_or_default();
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.sleeper.id()));
        read("tree/src/main.txt") == "source\n"
            && read("tree/.git/config") == "[remote]\n"
            && read("canary") == "private\n"
            && read("home/.ssh/id_ed25519") == "key\n"
            && status.is_ok_and(|it| it.contains("State:\tS"))
    }

    /// Processes with the name of this world in their command line, except the sleeping one.
    pub fn left_running(&self) -> Vec<String> {
        let processes = std::fs::read_dir("/proc").unwrap().flatten();
        let numbers = processes.filter_map(|it| it.file_name().to_str()?.parse::<u32>().ok());
        let others = numbers.filter(|pid| *pid != self.sleeper.id());
        let lines = others.map(|pid| {
            let line = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
            String::from_utf8_lossy(&line).replace('\0', " ")
        });
        lines.filter(|it| it.contains(&self.mark)).collect()
    }

    /// Waits until a trial's command, which sleeps with the name of this world, is running.
    pub fn wait_for_sleep(&self) {
        self.wait_until("the trial has begun", || {
            self.left_running()
                .iter()
                .any(|it| it.starts_with("perl -e sleep 86400"))
        });
    }

    /// Waits at most half a minute for a condition.
    pub fn wait_until(&self, what: &str, holds: impl Fn() -> bool) {
        let pause = std::time::Duration::from_millis(20);
        let mut tries = 1500;
        while !holds() {
            tries -= 1;
            assert!(tries > 0, "{what}: {:?}", self.left_running());
            std::thread::sleep(pause);
        }
    }

    /// Number of copies that were not removed.
    pub fn copies_left(&self) -> usize {
        let entries = std::fs::read_dir(self.at("copies")).unwrap().flatten();
        entries.filter(|it| it.path().is_dir()).count()
    }
}

impl Drop for World {
    fn drop(&mut self) {
        let _ = self.sleeper.kill();
        let _ = self.sleeper.wait();
        let _ = std::fs::remove_file(format!("/dev/shm/{}", self.mark));
    }
}

fn as_user(command: &mut Command, user: Option<u32>) -> &mut Command {
    match user {
        Some(user) => command.uid(user).gid(user),
        None => command,
    }
}

fn give(path: &Path, user: u32) {
    std::os::unix::fs::lchown(path, Some(user), Some(user)).unwrap();
    if path.symlink_metadata().unwrap().is_dir() {
        for entry in std::fs::read_dir(path).unwrap() {
            give(&entry.unwrap().path(), user);
        }
    }
}

/// Listens on the loopback, on an abstract socket and on sockets with a path, and greets every
/// connection.
fn listen(folder: &Path, mark: &str) -> u16 {
    let tcp = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = tcp.local_addr().unwrap();
    let udp = UdpSocket::bind(address).unwrap();
    std::thread::spawn(move || {
        for mut stream in tcp.incoming().flatten() {
            let _ = stream.write_all(b"hello");
        }
    });
    std::thread::spawn(move || {
        let mut piece = [0; 16];
        while let Ok((_, from)) = udp.recv_from(&mut piece) {
            let _ = udp.send_to(b"hello", from);
        }
    });
    let name = SocketAddr::from_abstract_name(mark).unwrap();
    let paths = ["socket", "shared/socket", "tree/socket"];
    let mut sockets = vec![UnixListener::bind_addr(&name).unwrap()];
    for path in paths {
        let path = folder.join(path);
        sockets.push(UnixListener::bind(&path).unwrap());
        std::fs::set_permissions(path, PermissionsExt::from_mode(0o777)).unwrap();
    }
    for socket in sockets {
        std::thread::spawn(move || {
            for mut stream in socket.incoming().flatten() {
                let _ = stream.write_all(b"hello");
            }
        });
    }
    address.port()
}
