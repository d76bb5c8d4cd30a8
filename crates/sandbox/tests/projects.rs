//! Real projects run their tests in a trial, without a network: a cargo project with a dependency
//! from the registry's cache, a Python project with a virtual environment, an npm project with its
//! modules. Tools that this machine lacks are reported.
#![allow(clippy::disallowed_methods, clippy::panic, clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicBool;

use sandbox::{Copies, Exit, Laid, Limits, Readable, TreeCopy, Trial, TrialResult};

struct Project {
    folder: tempfile::TempDir,
}

impl Project {
    fn new(files: &[(&str, &str)]) -> Self {
        let project = Self {
            folder: tempfile::tempdir().unwrap(),
        };
        for (path, text) in files {
            let path = project.at(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        project
    }

    fn at(&self, path: &str) -> PathBuf {
        self.folder.path().join("tree").join(path)
    }

    /// Prepares it as its user would, outside of a trial.
    fn prepare(&self, program: &str, arguments: &[&str]) -> bool {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(self.at(""));
        // A trial does not inherit the environment, and another `CARGO_INCREMENTAL` would be
        // another build.
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("CARGO_") && name != "CARGO_HOME" {
                command.env_remove(name);
            }
        }
        let done = command.output();
        match done {
            Ok(done) if done.status.success() => true,
            Ok(done) => {
                eprintln!("SKIPPED: {}", String::from_utf8_lossy(&done.stderr));
                false
            }
            Err(error) => {
                eprintln!("SKIPPED: {program}: {error}");
                false
            }
        }
    }

    fn trial(&self, files: &[&str], command: &[&str]) -> Option<TrialResult> {
        self.trial_with(files, &[], command)
    }

    fn trial_with(&self, files: &[&str], laid: &[Laid], command: &[&str]) -> Option<TrialResult> {
        let stage = Path::new(env!("CARGO_BIN_EXE_sandbox-stage"));
        let means = match sandbox::means_through(stage) {
            Ok(means) => means,
            Err(missing) => {
                eprintln!("SKIPPED: {missing}");
                assert!(std::env::var_os("AITC_SANDBOX_MUST_WORK").is_none());
                return None;
            }
        };
        let copies = Copies::open(&self.folder.path().join("copies")).unwrap();
        let files: Vec<PathBuf> = files.iter().map(PathBuf::from).collect();
        let command: Vec<String> = command.iter().map(ToString::to_string).collect();
        let trial = Trial {
            copy: TreeCopy::new(&copies, &self.at(""), &files, laid).unwrap(),
            command: &command,
            limits: &Limits::default(),
            readable: &Readable::detect(&[]),
            means: &means,
        };
        Some(sandbox::run(trial, &AtomicBool::new(false)).unwrap())
    }
}

fn passes(ended: Option<TrialResult>, says: &str) {
    if let Some(ended) = ended {
        assert_eq!(ended.exit, Exit::Code(0), "{ended:?}");
        assert!(ended.head.contains(says), "{ended:?}");
    }
}

#[test]
fn cargo_builds_and_tests_offline() {
    let project = Project::new(&[
        (
            "Cargo.toml",
            "[package]\nname = \"p\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n\
             [dependencies]\ncfg-if = \"1\"\n\n[workspace]\n",
        ),
        (
            "src/lib.rs",
            "cfg_if::cfg_if! { if #[cfg(unix)] { pub fn it() -> u8 { 1 } } }\n\
             #[test] fn is_one() { assert_eq!(it(), 1) }\n",
        ),
    ]);
    if project.prepare("cargo", &["generate-lockfile", "--offline"]) {
        let files = ["Cargo.toml", "Cargo.lock", "src/lib.rs"];
        passes(
            project.trial(&files, &["cargo", "test", "--lib"]),
            "test is_one ... ok",
        );
        assert!(!project.at("target").exists());
        // A trial continues the user's build, also as root.
        if project.prepare("cargo", &["test", "--lib", "--offline"]) {
            let again = project.trial(&files, &["cargo", "test", "--lib", "-v"]);
            let head = again
                .as_ref()
                .map_or("Fresh cfg-if Fresh p ", |it| &it.head);
            assert!(
                head.contains("Fresh cfg-if") && head.contains("Fresh p "),
                "{head}"
            );
            let changed = Laid {
                path: "src/lib.rs".into(),
                text: Some("#[test] fn is_two() {}\n".to_owned()),
                edits: Vec::new(),
            };
            let changed = project.trial_with(&files, &[changed], &["cargo", "test", "--lib", "-v"]);
            let head = changed.as_ref().map_or("Fresh cfg-if", |it| &it.head);
            assert!(
                head.contains("Fresh cfg-if") && !head.contains("Fresh p "),
                "{head}"
            );
            passes(changed, "test is_two ... ok");
        }
    }
}

#[test]
fn python_runs_from_its_virtual_environment() {
    let project = Project::new(&[
        (
            "test_it.py",
            "import dependency, p, unittest\n\nclass It(unittest.TestCase):\n    \
         def test_it(self):\n        self.assertEqual(dependency.it, p.it)\n        \
             open(dependency.__file__, 'a').close()\n",
        ),
        ("src/p/__init__.py", "it = 1\n"),
    ]);
    if project.prepare("python3", &["-m", "venv", "--without-pip", ".venv"]) {
        let packages = project.at(".venv/lib");
        let version = std::fs::read_dir(packages)
            .unwrap()
            .next()
            .unwrap()
            .unwrap();
        let packages = version.path().join("site-packages");
        std::fs::write(packages.join("dependency.py"), "it = 1\n").unwrap();
        // Like an editable install: an absolute path to the tree.
        let source = project.at("src").canonicalize().unwrap();
        std::fs::write(packages.join("p.pth"), source.to_str().unwrap()).unwrap();
        let python = project.at(".venv/bin/python").canonicalize().unwrap();
        let script = format!(
            "#!{}\nimport sys, unittest\nsys.path.insert(0, '')\nunittest.main('test_it')\n",
            project
                .at("")
                .canonicalize()
                .unwrap()
                .join(".venv/bin/python")
                .display()
        );
        let runner = project.at(".venv/bin/run-tests");
        std::fs::write(&runner, script).unwrap();
        std::fs::set_permissions(&runner, std::os::unix::fs::PermissionsExt::from_mode(0o755))
            .unwrap();
        let files = ["test_it.py", "src/p/__init__.py"];
        let run = project.trial(&files, &[".venv/bin/python", "-m", "unittest", "-v"]);
        passes(run, "OK");
        passes(project.trial(&files, &[".venv/bin/run-tests"]), "OK");
        assert!(python.is_file());
    }
}

#[test]
fn npm_runs_with_its_modules() {
    let project = Project::new(&[
        (
            "package.json",
            "{\"scripts\": {\"test\": \"tool && node test.js\"}}",
        ),
        (
            "test.js",
            "require('assert').equal(require('dependency').it, 1); console.log('passed')",
        ),
        ("node_modules/dependency/index.js", "exports.it = 1\n"),
        (
            "node_modules/.bin/tool",
            "#!/usr/bin/env node\nrequire('fs').mkdirSync('node_modules/dependency/.cache')\n",
        ),
    ]);
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(project.at("node_modules/.bin/tool"), mode).unwrap();
    if project.prepare("npm", &["--version"]) {
        passes(
            project.trial(&["package.json", "test.js"], &["npm", "test"]),
            "passed",
        );
        assert!(!project.at("node_modules/dependency/.cache").exists());
    }
}
