//! The project's own plan, kept in the repository, is what its transcript says, and so
//! is one of an earlier state of the program.

use std::path::Path;

use assert_cmd::Command;

fn aitc(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_aitc"));
    command
        .current_dir(folder)
        .env("AITC_DISCOVER", "off")
        .args(arguments);
    command
}

#[test]
fn the_kept_plan_is_whole_sound_and_made_again_byte_for_byte() {
    let project = Path::new(env!("CARGO_MANIFEST_DIR"));
    aitc(project, &["verify", "v1"]).assert().code(0);
    // Files it would change exist, and what it is about does not yet.
    aitc(project, &["check", "v1", "--strict"]).assert().code(0);
}

#[test]
fn a_version_of_earlier_templates_is_made_again_byte_for_byte() {
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/versions/export-csv");
    let workspace = tempfile::tempdir().unwrap();
    let version = workspace.path().join(".ai-tools-chain/planning_outputs/v1");
    for file in walkdir::WalkDir::new(&fixture) {
        let file = file.unwrap();
        let to = version.join(file.path().strip_prefix(&fixture).unwrap());
        if file.file_type().is_dir() {
            std::fs::create_dir_all(to).unwrap();
        } else {
            std::fs::copy(file.path(), to).unwrap();
        }
    }
    aitc(workspace.path(), &["verify", "v1"]).assert().code(0);
}
