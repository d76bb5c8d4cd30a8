//! Signed approvals. `tests/typed/comments.md` tests everything else about comments and approvals.

use std::process::Command;

use crate::support::binary::{Place, git};

/// A git repository with a plan that Ann may review.
fn reviewed() -> Place {
    let place = Place::new();
    git(place.work(), &["init", "-q", "-b", "main"]);
    git(place.work(), &["config", "user.name", "Ann"]);
    git(place.work(), &["config", "user.email", "ann@example.com"]);
    let wish = "Add CSV export of orders with a date filter; only admins may export";
    place
        .run(&["plan", wish, "--questions", "assume", "-q"])
        .ends(0);
    git(place.work(), &["add", "-A"]);
    git(place.work(), &["commit", "-q", "-m", "Plan"]);
    place
}

/// A commit whose content differs from what its signature covers.
#[test]
fn an_approval_with_a_bad_signature_does_not_count() {
    let place = reviewed();
    let key = place.home().join("key");
    let keygen = Command::new("ssh-keygen")
        .args(["-q", "-t", "ed25519", "-N", "", "-f"])
        .arg(&key)
        .status();
    if !keygen.is_ok_and(|ran| ran.success()) {
        eprintln!("skipped: no ssh-keygen");
        return;
    }
    let public = std::fs::read_to_string(key.with_extension("pub")).unwrap();
    let signers = place.home().join("signers");
    std::fs::write(&signers, format!("Ann@example.com {public}")).unwrap();
    for (name, value) in [
        ("gpg.format", "ssh"),
        ("user.signingkey", key.to_str().unwrap()),
        ("gpg.ssh.allowedSignersFile", signers.to_str().unwrap()),
        // The repository's configuration must not choose a program to run.
        ("gpg.ssh.program", "/bin/false"),
    ] {
        git(place.work(), &["config", name, value]);
    }
    place.run_without_model(&["approve"]).ends(0);
    git(place.work(), &["add", "-A"]);
    let author = "--author=Ann <Ann@example.com>";
    let sign = [
        "-c",
        "gpg.ssh.program=ssh-keygen",
        "commit",
        "-q",
        "-S",
        "-m",
        "Approve",
    ];
    git(place.work(), &[&sign[..], &[author]].concat());
    let told = place
        .run_without_model(&["check", "--approved", "--strict"])
        .ends(0);
    assert!(told.out.contains("signed by Ann@example.com"), "{told:#?}");
    // The same commit with another message, so the signature does not match.
    let commit = git(place.work(), &["cat-file", "commit", "HEAD"]);
    let forged = place.home().join("commit");
    std::fs::write(&forged, commit.replace("Approve", "Forge it")).unwrap();
    let hash = git(
        place.work(),
        &[
            "hash-object",
            "-t",
            "commit",
            "-w",
            forged.to_str().unwrap(),
        ],
    );
    git(place.work(), &["reset", "-q", "--soft", hash.trim()]);
    let told = place.run_without_model(&["check", "--approved"]).ends(12);
    assert!(told.out.contains("bad signature"), "{told:#?}");
}
