//! Dependencies and build commands of the project, from its manifests.
//!
//! They are hints for planning, not a build: a manifest that cannot be parsed is skipped.

use std::collections::BTreeMap;
use std::iter::once;

use serde::Deserialize;
use serde::de::IgnoredAny;
use toml::{Table, Value};

use super::Candidate;

const MAX_USES: usize = 40;
const MAX_COMMANDS: usize = 12;
const MAX_NAME: usize = 80;

/// Names of the dependencies in the manifests, from top folders first, without repetition.
pub(super) fn uses(files: &[Candidate]) -> Vec<String> {
    let mut manifests: Vec<(usize, Vec<String>)> = files
        .iter()
        .filter_map(|file| {
            let (folders, name) = file.path.rsplit_once('/').unwrap_or(("", &file.path));
            let depth = folders.split('/').filter(|part| !part.is_empty()).count();
            Some((depth, read(name, &file.text)?))
        })
        .collect();
    manifests.sort_by_key(|(depth, _)| *depth);
    let mut uses: Vec<String> = Vec::new();
    for name in manifests.into_iter().flat_map(|(_, names)| names) {
        let is_name = |c: char| c.is_ascii_alphanumeric() || "-_./@:".contains(c);
        let fits = !name.is_empty() && name.len() <= MAX_NAME && name.chars().all(is_name);
        if fits && uses.len() < MAX_USES && !uses.contains(&name) {
            uses.push(name);
        }
    }
    uses
}

pub(super) fn is_manifest(name: &str) -> bool {
    const NAMES: [&str; 18] = [
        "Cargo.toml",
        "pyproject.toml",
        "package.json",
        "composer.json",
        "pubspec.yaml",
        "requirements.txt",
        "go.mod",
        "Gemfile",
        "pom.xml",
        "build.gradle",
        "build.gradle.kts",
        "Makefile",
        "justfile",
        "tox.ini",
        "noxfile.py",
        "setup.py",
        "CMakeLists.txt",
        "Rakefile",
    ];
    NAMES.contains(&name)
}

/// Commands to build and test, according to the files in the top folder.
pub(super) fn builds(files: &[Candidate]) -> Vec<String> {
    let top = files.iter().filter(|file| !file.path.contains('/'));
    let said = top.filter_map(|file| {
        let how = commands(&file.path, &file.text)?;
        let how: Vec<String> = how.into_iter().take(MAX_COMMANDS).collect();
        (!how.is_empty()).then(|| format!("{} ({})", how.join(", "), file.path))
    });
    said.collect()
}

fn commands(name: &str, text: &str) -> Option<Vec<String>> {
    let all = |commands: &[&str]| commands.iter().map(|one| (*one).to_owned()).collect();
    Some(match name {
        "Cargo.toml" => all(&["cargo build", "cargo test"]),
        "go.mod" => all(&["go build ./...", "go test ./..."]),
        "pom.xml" => all(&["mvn verify"]),
        "build.gradle" | "build.gradle.kts" => all(&["gradle build", "gradle test"]),
        "CMakeLists.txt" => all(&["cmake", "ctest"]),
        "tox.ini" => all(&["tox"]),
        "noxfile.py" => all(&["nox"]),
        "Rakefile" => all(&["rake"]),
        "pyproject.toml" if text.contains("pytest") => all(&["pytest"]),
        "package.json" => {
            let package: Scripts = serde_json::from_str(text).ok()?;
            let scripts = package.scripts.into_iter();
            let scripts = scripts.map(|(name, how)| format!("npm run {name}: {how}"));
            scripts
                .map(|it| it.chars().take(MAX_NAME).collect())
                .collect()
        }
        "Makefile" => recipes("make", text),
        "justfile" => recipes("just", text),
        _ => return None,
    })
}

/// `make test` for a rule `test: build`; rules for files and patterns are left out.
fn recipes(program: &str, text: &str) -> Vec<String> {
    let rules = text.lines().filter_map(|line| {
        let (head, rest) = line.split_once(':')?;
        let name = head.split_whitespace().next()?;
        let is_name = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
        let fits = !line.starts_with(char::is_whitespace) && name.len() <= MAX_NAME;
        (fits && !rest.starts_with('=') && name.chars().all(is_name)).then_some(name)
    });
    let mut seen: Vec<&str> = Vec::new();
    for name in rules {
        if !seen.contains(&name) {
            seen.push(name);
        }
    }
    match seen.as_slice() {
        [] => Vec::new(),
        [first, rest @ ..] => {
            let first = format!("{program} {first}");
            once(first)
                .chain(rest.iter().map(|name| (*name).to_owned()))
                .collect()
        }
    }
}

#[derive(Deserialize)]
struct Scripts {
    #[serde(default)]
    scripts: BTreeMap<String, String>,
}

/// The dependencies in a manifest; `None` if the file is not one.
fn read(name: &str, text: &str) -> Option<Vec<String>> {
    match name {
        "Cargo.toml" => Some(cargo(&text.parse().ok()?)),
        "pyproject.toml" => Some(python(&text.parse().ok()?)),
        "package.json" | "composer.json" => {
            let package: Package = serde_json::from_str(text).ok()?;
            Some(package.dependencies.into_keys().collect())
        }
        "pubspec.yaml" => {
            let package: Package = serde_yaml::from_str(text).ok()?;
            Some(package.dependencies.into_keys().collect())
        }
        "requirements.txt" => Some(text.lines().filter_map(requirement).collect()),
        "go.mod" => Some(text.lines().filter_map(go_module).collect()),
        "Gemfile" => Some(text.lines().filter_map(gem).collect()),
        "pom.xml" => Some(between(text, "<artifactId>", "</artifactId>")),
        "build.gradle" | "build.gradle.kts" => Some(coordinates(text)),
        _ => None,
    }
}

type Names = BTreeMap<String, IgnoredAny>;

#[derive(Deserialize)]
struct Package {
    #[serde(default, alias = "require")]
    dependencies: Names,
}

fn dependencies_in(mut table: &Table, place: &[&str]) -> Vec<String> {
    for name in place {
        match table.get(*name).and_then(Value::as_table) {
            Some(within) => table = within,
            None => return Vec::new(),
        }
    }
    table.keys().cloned().collect()
}

fn cargo(manifest: &Table) -> Vec<String> {
    let shared = dependencies_in(manifest, &["workspace", "dependencies"]);
    [dependencies_in(manifest, &["dependencies"]), shared].concat()
}

fn python(manifest: &Table) -> Vec<String> {
    let project = manifest.get("project").and_then(Value::as_table);
    let lines = project.and_then(|project| project.get("dependencies")?.as_array());
    let lines = lines.into_iter().flatten().filter_map(Value::as_str);
    let own: Vec<String> = lines.filter_map(requirement).collect();
    [
        own,
        dependencies_in(manifest, &["tool", "poetry", "dependencies"]),
    ]
    .concat()
}

/// Returns `flask` for `Flask[async]==2.0.1 ; python_version > "3.8"`; `None` for an option or a
/// comment.
fn requirement(line: &str) -> Option<String> {
    let line = line.trim();
    if line.starts_with(['#', '-']) {
        return None;
    }
    let is_name = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    let end = line.find(|c| !is_name(c)).unwrap_or(line.len());
    (end > 0).then(|| line[..end].to_ascii_lowercase())
}

/// Returns `github.com/spf13/cobra` for a line of `require`; `None` for indirect dependencies.
fn go_module(line: &str) -> Option<String> {
    let line = line.trim();
    let line = line.strip_prefix("require ").unwrap_or(line);
    let mut words = line.split_whitespace();
    let (path, version) = (words.next()?, words.next()?);
    let is_asked = version.starts_with('v') && !line.contains("// indirect");
    (is_asked && path.contains('.')).then(|| path.to_owned())
}

/// Returns `rails` for `gem "rails", "~> 7.1"`.
fn gem(line: &str) -> Option<String> {
    let rest = line.trim().strip_prefix("gem ")?.trim_start();
    let quote = rest.chars().next().filter(|c| "'\"".contains(*c))?;
    let (name, _) = rest[1..].split_once(quote)?;
    Some(name.to_owned())
}

/// All texts between two delimiters.
fn between(text: &str, opens: &str, closes: &str) -> Vec<String> {
    let parts = text.split(opens).skip(1);
    let parts = parts.filter_map(|part| part.split_once(closes));
    parts.map(|(name, _)| name.trim().to_owned()).collect()
}

/// Returns `spring-boot-starter-web` for
/// `implementation("org.springframework.boot:spring-boot-starter-web")`.
fn coordinates(text: &str) -> Vec<String> {
    let quoted = text
        .split(['"', '\''])
        .skip(1)
        .step_by(2)
        .filter(|quoted| !quoted.contains(char::is_whitespace));
    let names = quoted.filter_map(|quoted| quoted.split(':').nth(1));
    names.map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(files: &[(&str, &str)]) -> Vec<String> {
        let files = files.iter().map(|(path, text)| Candidate {
            path: (*path).to_owned(),
            text: (*text).to_owned(),
        });
        uses(&files.collect::<Vec<_>>())
    }

    #[test]
    fn every_kind_of_manifest_is_read() {
        for (path, text, names) in [
            (
                "Cargo.toml",
                "[package]\nname = \"x\"\n[dependencies]\nclap = { version = \"4\", features = [\"derive\"] }\n\n[dependencies.serde]\nversion = \"1\"\n[dev-dependencies]\ninsta = \"1\"\n",
                &["clap", "serde"][..],
            ),
            (
                "Cargo.toml",
                "[workspace]\nmembers = [\"a\"]\n[workspace.dependencies]\naxum = \"0.8\"\n",
                &["axum"],
            ),
            (
                "package.json",
                r#"{"name": "x", "dependencies": {"express": "^4", "@nestjs/core": "10"}, "devDependencies": {"jest": "29"}}"#,
                &["@nestjs/core", "express"],
            ),
            (
                "composer.json",
                r#"{"require": {"laravel/framework": "^11"}}"#,
                &["laravel/framework"],
            ),
            (
                "requirements.txt",
                "# web\nFlask[async]==2.0.1 ; python_version > \"3.8\"\n-r more.txt\nSQLAlchemy>=2\n\n",
                &["flask", "sqlalchemy"],
            ),
            (
                "pyproject.toml",
                "[project]\nname = \"x\"\ndependencies = [\"fastapi>=0.100\", \"uvicorn[standard]\"]\n",
                &["fastapi", "uvicorn"],
            ),
            (
                "pyproject.toml",
                "[tool.poetry.dependencies]\npython = \"^3.11\"\ntyper = \"*\"\n",
                &["python", "typer"],
            ),
            (
                "go.mod",
                "module x.org/y\n\ngo 1.22\n\nrequire (\n\tgithub.com/spf13/cobra v1.8.0\n\tgolang.org/x/sys v0.1.0 // indirect\n)\n",
                &["github.com/spf13/cobra"],
            ),
            (
                "Gemfile",
                "source 'https://rubygems.org'\ngem 'rails', '~> 7.1'\n  gem \"puma\"\n",
                &["rails", "puma"],
            ),
            (
                "pom.xml",
                "<dependency><groupId>g</groupId><artifactId>quarkus-rest</artifactId></dependency>",
                &["quarkus-rest"],
            ),
            (
                "build.gradle.kts",
                "dependencies { implementation(\"org.springframework.boot:spring-boot-starter-web\") }",
                &["spring-boot-starter-web"],
            ),
            (
                "pubspec.yaml",
                "name: x\ndependencies:\n  flutter:\n    sdk: flutter\n",
                &["flutter"],
            ),
            ("src/main.rs", "use clap::Parser;", &[]),
            ("Cargo.toml", "[dependencies\n", &[]),
            (
                "package.json",
                "{\"dependencies\": {\"bad name\": \"1\", \"ok\": \"1\"}}",
                &["ok"],
            ),
        ] {
            assert_eq!(of(&[(path, text)]), names, "{path}");
        }
    }

    #[test]
    fn files_of_the_first_level_say_how_it_is_built() {
        let files = [
            ("Cargo.toml", "[package]\n"),
            (
                "Makefile",
                "X := 1\nall: test\n\ttrue: x\n.PHONY: all\n%.o: %.c\ntest:\n",
            ),
            ("justfile", "ci *args:\n    x\n"),
            ("package.json", r#"{"scripts": {"test": "vitest run"}}"#),
            ("inner/go.mod", "module x"),
            ("pom.xml", ""),
        ];
        let files = files.map(|(path, text)| Candidate {
            path: path.to_owned(),
            text: text.to_owned(),
        });
        let wanted = [
            "cargo build, cargo test (Cargo.toml)",
            "make all, test (Makefile)",
            "just ci (justfile)",
            "npm run test: vitest run (package.json)",
            "mvn verify (pom.xml)",
        ];
        assert_eq!(builds(&files), wanted);
        assert!(
            files[..5]
                .iter()
                .all(|file| file.path.contains('/') || is_manifest(&file.path))
        );
    }

    #[test]
    fn the_top_comes_first_and_the_list_is_bounded() {
        let many: String = (0..99).map(|n| format!("p{n}\n")).collect();
        let found = of(&[
            ("tools/one/requirements.txt", "click\n"),
            ("requirements.txt", "flask\n"),
            ("tools/requirements.txt", "flask\njinja2\n"),
        ]);
        assert_eq!(found, ["flask", "jinja2", "click"]);
        assert_eq!(of(&[("requirements.txt", &many)]).len(), MAX_USES);
    }
}
