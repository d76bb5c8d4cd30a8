//! Trials as a caller sees them.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use sandbox::{Bounds, Copies, Ended, Exit, Laid, Means, Readable, TreeCopy, Trial};

fn means() -> Means {
    sandbox::means_through(Path::new(env!("CARGO_BIN_EXE_sandbox-stage"))).unwrap()
}

fn sh(script: &str) -> Ended {
    let folder = tempfile::tempdir().unwrap();
    let tree = folder.path().join("tree");
    std::fs::create_dir_all(tree.join("src")).unwrap();
    std::fs::write(tree.join("src/a.txt"), "a\n").unwrap();
    let copies = Copies::open(&folder.path().join("copies")).unwrap();
    let laid = [Laid {
        path: "new/b.txt".into(),
        text: "b\n".into(),
    }];
    let copy = TreeCopy::new(&copies, &tree, &[PathBuf::from("src/a.txt")], &laid).unwrap();
    let trial = Trial {
        copy,
        command: &["/bin/sh".into(), "-c".into(), script.into()],
        bounds: &Bounds {
            time: Duration::from_secs(10),
            ..Bounds::default()
        },
        readable: &Readable::detect(&[]),
        means: &means(),
    };
    let ended = sandbox::run(trial, &AtomicBool::new(false)).unwrap();
    assert!(!tree.join("out").exists());
    ended
}

#[test]
fn a_command_sees_the_copy_and_what_is_laid_over_it() {
    let ended = sh("cat src/a.txt new/b.txt; echo c > out; cat out; exit 3");
    assert_eq!(ended.head, "a\nb\nc\n");
    assert_eq!(ended.exit, Exit::Code(3));
}
