//! The lock of a run.

use std::os::unix::fs::symlink;

use aitc::edge::lock::RunLock;

use super::{desk, refused};

#[test]
fn a_run_is_held_by_one_and_free_when_it_ends() {
    let (_dir, outputs) = desk();
    outputs.reserve().unwrap();
    let path = outputs.lock_path(1);
    let lock = RunLock::acquire(&path).unwrap();
    assert!(lock.is_enforced());
    let held = RunLock::acquire(&path).unwrap_err();
    assert_eq!(held.code, "E-run-held");
    let holder = format!("process {} on ", std::process::id());
    assert!(held.to_string().contains(&holder), "{held}");
    drop(lock);
    assert!(!path.exists(), "nothing is left behind");
    // A lock file left by a killed process does not block, whatever its content.
    std::fs::write(
        &path,
        "{\"pid\":1,\"host\":\"elsewhere\",\"since\":\"long ago and longer\"}",
    )
    .unwrap();
    let lock = RunLock::acquire(&path).unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(
        text.ends_with("}\n") && !text.contains("elsewhere"),
        "{text}"
    );
    drop(lock);
    // A link in a repository must not redirect the write.
    let victim = path.with_file_name("victim");
    std::fs::write(&victim, "theirs").unwrap();
    symlink(&victim, &path).unwrap();
    assert_eq!(refused(RunLock::acquire(&path)), "E-storage");
    assert_eq!(std::fs::read(&victim).unwrap(), b"theirs");
}

#[test]
fn a_lock_raced_by_many_is_held_by_one_at_a_time() {
    use std::sync::atomic::{AtomicUsize, Ordering};
    let (_dir, outputs) = desk();
    outputs.reserve().unwrap();
    let path = outputs.lock_path(1);
    let (holders, got) = (AtomicUsize::new(0), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..200 {
                    match RunLock::acquire(&path) {
                        Ok(lock) => {
                            assert_eq!(holders.fetch_add(1, Ordering::SeqCst), 0);
                            got.fetch_add(1, Ordering::SeqCst);
                            std::thread::yield_now();
                            holders.fetch_sub(1, Ordering::SeqCst);
                            drop(lock);
                        }
                        Err(error) => assert_eq!(error.code, "E-run-held", "{error}"),
                    }
                }
            });
        }
    });
    assert!(got.into_inner() > 0);
}
