//! The archives of `scripts/package`: built with little optimisation, unpacked and checked.

use std::path::{Path, PathBuf};
use std::process::Command;

fn output(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {told}");
    String::from_utf8(output.stdout).unwrap()
}

fn project() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn package(arguments: &[&str]) -> String {
    let mut command = Command::new(project().join("scripts/package"));
    output(command.args(arguments).current_dir(project()))
}

/// The target triple of this machine's compiler.
fn own_target() -> String {
    let told = output(Command::new("rustc").arg("-vV"));
    let host = told.lines().find_map(|line| line.strip_prefix("host: "));
    host.unwrap().to_owned()
}

/// Whether a program is statically linked.
fn is_static(program: &Path) -> bool {
    let told = Command::new("readelf").arg("-lW").arg(program).output();
    let headers = String::from_utf8(told.unwrap().stdout).unwrap();
    assert!(headers.contains("LOAD"), "{headers}");
    !headers.contains("INTERP")
}

/// A value of Cargo.toml by its key.
fn manifest(key: &str) -> String {
    let text = std::fs::read_to_string(project().join("Cargo.toml")).unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix(key));
    line.unwrap().trim_matches([' ', '=', '"']).to_owned()
}

/// The manifest's template filled in for one archive.
fn filled(template: &str, target: &str) -> String {
    [
        ("{ name }", "aitc"),
        ("{ version }", env!("CARGO_PKG_VERSION")),
        ("{ target }", target),
        ("{ bin }", "aitc"),
        ("{ binary-ext }", ""),
    ]
    .iter()
    .fold(template.to_owned(), |text, (place, value)| {
        text.replace(place, value)
    })
}

#[test]
#[ignore = "builds the program once more"]
fn an_archive_holds_what_a_user_needs_and_is_what_binstall_looks_for() {
    let profile = std::env::var("AITC_PACKAGE_PROFILE").unwrap_or_else(|_| "dev".to_owned());
    let target = std::env::var("AITC_PACKAGE_TARGET").unwrap_or_else(|_| own_target());
    let printed = package(&["--profile", &profile, &target]);
    let made = project().join("target/package-release");
    let sums = std::fs::read_to_string(made.join("SHA256SUMS")).unwrap();
    assert_eq!(printed, sums);
    output(
        Command::new("sha256sum")
            .args(["--check", "--strict", "SHA256SUMS"])
            .current_dir(&made),
    );

    let url = filled(&manifest("pkg-url"), &target);
    let archive = url.rsplit('/').next().unwrap();
    assert!(
        sums.trim_end().ends_with(archive),
        "{sums} holds no {archive}"
    );
    let folder = tempfile::tempdir().unwrap();
    let archive = made.join(archive);
    output(
        Command::new("tar")
            .arg("-xzf")
            .arg(&archive)
            .current_dir(&folder),
    );
    let program = folder.path().join(filled(&manifest("bin-dir"), &target));
    let version = output(Command::new(&program).arg("--version"));
    assert!(version.contains(env!("CARGO_PKG_VERSION")), "{version}");
    if target.ends_with("-musl") {
        assert!(is_static(&program), "it needs a loader");
    }
    let root = program.parent().unwrap();
    let all = "\
        README.md LICENSE-MIT LICENSE-APACHE CHANGELOG.md completions/aitc.bash \
        completions/_aitc completions/aitc.fish completions/aitc.elv completions/_aitc.ps1 \
        man/aitc.1 man/aitc-plan.1";
    for wanted in all.split(' ') {
        let length = std::fs::metadata(root.join(wanted)).map(|file| file.len());
        assert!(length.is_ok_and(|length| length > 100), "no {wanted}");
    }

    wrapped(&made, &target);

    let times = |archive: &Path| {
        let mut list = Command::new("tar");
        list.args(["--utc", "-tvzf"]).arg(archive);
        let list = output(&mut list);
        let lines = list.lines();
        let days = lines.filter_map(|line| line.split_whitespace().nth(3).map(str::to_owned));
        days.collect::<std::collections::BTreeSet<_>>()
    };
    assert_eq!(times(&archive), ["1970-01-01".to_owned()].into());
    let first = std::fs::read(&archive).unwrap();
    package(&["--profile", &profile, &target]);
    assert!(
        std::fs::read(&archive).unwrap() == first,
        "the same files, another archive"
    );
    let mut later = Command::new(project().join("scripts/package"));
    later.args(["--profile", &profile, &target]);
    output(
        later
            .current_dir(project())
            .env("SOURCE_DATE_EPOCH", "1000000000"),
    );
    assert_eq!(times(&archive), ["2001-09-09".to_owned()].into());
}

/// On every supported machine, each package manager selects the matching archive.
#[test]
fn every_machine_has_its_packages() {
    let folder = tempfile::tempdir().unwrap();
    let targets = [
        "x86_64-unknown-linux-musl",
        "aarch64-unknown-linux-musl",
        "x86_64-apple-darwin",
        "aarch64-apple-darwin",
    ];
    let script = "d=aitc-0.1.0-$1 && mkdir -p $d && touch $d/README.md $d/LICENSE-MIT $d/LICENSE-APACHE && \
        echo $1 > $d/aitc && tar -czf $d.tar.gz $d && sha256sum $d.tar.gz >> SHA256SUMS";
    for target in targets {
        let mut made = Command::new("sh");
        output(
            made.args(["-ec", script, "sh", target])
                .current_dir(&folder),
        );
    }
    let mut wrappers = Command::new(project().join("scripts/wrappers"));
    output(
        wrappers
            .args(["--url", "https://example.com"])
            .arg(folder.path()),
    );
    let formula = folder.path().join("homebrew/aitc.rb");
    let text = std::fs::read_to_string(&formula).unwrap();
    let sums = std::fs::read_to_string(folder.path().join("SHA256SUMS")).unwrap();
    for line in sums.lines() {
        let (digest, archive) = line.split_once("  ").unwrap();
        let source = format!("url \"https://example.com/{archive}\"\n      sha256 \"{digest}\"");
        assert!(text.contains(&source), "{text}");
    }
    let about = text.split('"').nth(1).unwrap();
    assert!(about.len() + "aitc: ".len() <= 80, "{about}");
    let all = "\
        npm/aitc-0.1.0.tgz npm/aitc-linux-x64-0.1.0.tgz npm/aitc-linux-arm64-0.1.0.tgz \
        npm/aitc-darwin-x64-0.1.0.tgz npm/aitc-darwin-arm64-0.1.0.tgz \
        pypi/aitc-0.1.0-py3-none-macosx_11_0_arm64.whl \
        pypi/aitc-0.1.0-py3-none-manylinux_2_17_aarch64.musllinux_1_1_aarch64.whl";
    for name in all.split(' ') {
        assert!(folder.path().join(name).is_file(), "no {name}");
    }
    match Command::new("ruby").arg("-c").arg(&formula).output() {
        Ok(told) => assert!(told.status.success(), "{told:?}"),
        Err(_) => eprintln!("skipped: ruby, which would read the formula, is not installed"),
    }
}

/// The packages for package managers, built from the archives and installed from their files.
fn wrapped(made: &Path, target: &str) {
    let wrap = || {
        let mut command = Command::new(project().join("scripts/wrappers"));
        let url = "https://example.com/aitc/releases/download/v0";
        output(command.args(["--url", url]).arg(made));
        let folders = ["homebrew", "npm", "pypi"].map(|name| made.join(name));
        let files = folders
            .iter()
            .flat_map(|folder| std::fs::read_dir(folder).unwrap());
        let mut files: Vec<_> = files.map(|file| file.unwrap().path()).collect();
        files.sort();
        files
    };
    let files = wrap();
    let bytes = |files: &[PathBuf]| -> Vec<Vec<u8>> {
        files
            .iter()
            .map(|file| std::fs::read(file).unwrap())
            .collect()
    };
    let first = bytes(&files);
    assert!(bytes(&wrap()) == first, "the same archives, other packages");
    assert_eq!(files.len(), 4, "{files:?}");

    let formula = std::fs::read_to_string(made.join("homebrew/aitc.rb")).unwrap();
    let sums = std::fs::read_to_string(made.join("SHA256SUMS")).unwrap();
    let (digest, archive) = sums.trim().split_once("  ").unwrap();
    assert!(
        archive.contains(target) && formula.contains(digest),
        "{formula}"
    );
    let url = format!("url \"https://example.com/aitc/releases/download/v0/{archive}\"");
    assert!(formula.contains(&url), "{formula}");

    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let is_here = |program: &str| Command::new(program).arg("--version").output().is_ok();
    let runs = |program: PathBuf| {
        let version = output(Command::new(program).arg("--version"));
        assert!(version.contains(env!("CARGO_PKG_VERSION")), "{version}");
    };
    let wheel = files
        .iter()
        .find(|file| file.extension().is_some_and(|end| end == "whl"));
    let has_environments = is_here("python3")
        && Command::new("python3")
            .args(["-m", "venv"])
            .arg(at("venv"))
            .status()
            .unwrap()
            .success();
    if has_environments {
        let mut pip = Command::new(at("venv/bin/pip"));
        pip.args(["install", "--quiet", "--no-index", "--no-deps"]);
        output(pip.arg(wheel.unwrap()));
        runs(at("venv/bin/aitc"));
    } else {
        eprintln!(
            "skipped: the wheel; python3 makes no environment (apt-get install python3-venv)"
        );
    }
    if is_here("npm") {
        let mut npm = Command::new("npm");
        npm.args([
            "install",
            "--offline",
            "--no-audit",
            "--no-fund",
            "--prefix",
        ])
        .arg(folder.path());
        npm.args(
            files
                .iter()
                .filter(|file| file.extension().is_some_and(|end| end == "tgz")),
        );
        output(&mut npm);
        runs(at("node_modules/.bin/aitc"));
    } else {
        eprintln!("skipped: the npm packages; npm is not installed");
    }
}
