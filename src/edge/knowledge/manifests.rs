//! Dependencies and build commands of the project, from its manifests.
//!
//! They are hints for planning, not a build: a manifest that cannot be parsed is skipped.

use std::collections::BTreeMap;

use serde_json::Value;

use super::Candidate;
use crate::edge::model::pattern;

const MAX_USES: usize = 40;
const MAX_COMMANDS: usize = 12;
/// Maximum length of a name; longer ones are ignored.
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

/// Whether a file of this name is a manifest.
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

/// Commands to build and test for a file of this name.
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
            let package: Value = serde_json::from_str(text).ok()?;
            let scripts = sorted(package.get("scripts"))
                .filter_map(|(name, how)| Some(format!("npm run {name}: {}", how.as_str()?)));
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
    let mut seen: Vec<String> = Vec::new();
    for name in names_by(r"(?m)^([A-Za-z0-9_-]+)(?:[ \t][^:\n]*)?:(?:[^=\n]|$)", text) {
        if name.len() <= MAX_NAME && !seen.contains(&name) {
            seen.push(name);
        }
    }
    if let Some(first) = seen.first_mut() {
        *first = format!("{program} {first}");
    }
    seen
}

/// The dependencies in a manifest; `None` if the file is not one.
fn read(name: &str, text: &str) -> Option<Vec<String>> {
    let names = match name {
        "Cargo.toml" | "pyproject.toml" => in_document(&toml::from_str(text).ok()?),
        "package.json" | "composer.json" => in_document(&serde_json::from_str(text).ok()?),
        "pubspec.yaml" => in_document(&serde_yaml::from_str(text).ok()?),
        "requirements.txt" => requirements(text),
        // Without indirect ones.
        "go.mod" => names_by(
            r"(?m)^[ \t]*(?:require[ \t]+)?(\S+\.\S*)[ \t]+v\S*[ \t]*(?:$|//[ \t]*(?:$|[^i\s]))",
            text,
        ),
        "Gemfile" => names_by(r#"(?m)^[ \t]*gem[ \t]+['"]([^'"]+)['"]"#, text),
        "pom.xml" => names_by(r"<artifactId>\s*([^<]*?)\s*</artifactId>", text),
        // The second part of `group:name:version`.
        "build.gradle" | "build.gradle.kts" => {
            names_by(r#"["'][^"'\s:]*:([^"'\s:]+)[^"'\s]*["']"#, text)
        }
        _ => return None,
    };
    Some(names)
}

/// The first group of each match.
fn names_by(wanted: &str, text: &str) -> Vec<String> {
    let wanted = pattern(wanted);
    let found = wanted.captures_iter(text);
    found.map(|found| found[1].to_owned()).collect()
}

/// The names in the tables and lists of dependencies.
fn in_document(manifest: &Value) -> Vec<String> {
    let lines = manifest.pointer("/project/dependencies");
    let lines = lines.and_then(Value::as_array).into_iter().flatten();
    let lines: Vec<&str> = lines.filter_map(Value::as_str).collect();
    let mut all = requirements(&lines.join("\n"));
    for place in [
        "/dependencies",
        "/workspace/dependencies",
        "/tool/poetry/dependencies",
        "/require",
    ] {
        all.extend(sorted(manifest.pointer(place)).map(|(name, _)| name.clone()));
    }
    all
}

/// The entries of a table by name; none if it is not one.
fn sorted(table: Option<&Value>) -> impl Iterator<Item = (&String, &Value)> {
    let entries: BTreeMap<_, _> = table
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
        .collect();
    entries.into_iter()
}

/// Returns `flask` for the line `Flask[async]==2.0.1 ; python_version > "3.8"`; nothing for an option
/// or a comment.
fn requirements(lines: &str) -> Vec<String> {
    let name = r"(?m)^[ \t]*([a-z0-9_.][a-z0-9_.-]*)";
    names_by(name, &lines.to_ascii_lowercase())
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
