//! Repair: what is saved, and where a journal is cut.

use super::*;

#[test]
fn repair_keeps_the_whole_file_and_cuts_at_the_last_good_line() {
    let bytes = sample();
    let ends = line_ends(&bytes);
    let temp = temp_journal();
    let mut bad = bytes.clone();
    bad[ends[3] + 5] ^= 1;
    std::fs::write(&temp.path, &bad).unwrap();

    let shown = repair(&RealFs, &temp.path, true, &mut |_| Ok(())).unwrap();
    assert_eq!(
        std::fs::read(&temp.path).unwrap(),
        bad,
        "a dry run changes nothing"
    );
    assert_eq!((shown.lines, shown.kept.clone()), (3, None));
    assert_eq!(shown.cuts, (bytes.len() - ends[3]) as u64);

    let done = repair(&RealFs, &temp.path, false, &mut |_| Ok(())).unwrap();
    let kept = done.kept.clone().unwrap();
    assert!(
        kept.ends_with("planning_transcript.damaged-4"),
        "{}",
        kept.display()
    );
    assert_eq!(std::fs::read(kept).unwrap(), bad);
    assert_eq!(std::fs::read(&temp.path).unwrap(), bytes[..ends[3]]);
    assert_eq!((done.lines, done.damage), (shown.lines, shown.damage));
    assert!(
        repair(&RealFs, &temp.path, false, &mut |_| Ok(()))
            .unwrap()
            .is_clean()
    );
    assert_eq!(open(real(), &temp.path).unwrap().0.len(), 3);
}

/// Lines with valid hashes that the rules refuse are cut too, so that a repaired run can be
/// resumed.
#[test]
fn repair_cuts_where_the_rules_are_broken() {
    let temp = temp_journal();
    std::fs::write(&temp.path, sample()).unwrap();
    let refuse = |entry: &Entry| match entry.seq {
        3 => Err("its turn has not come".to_owned()),
        _ => Ok(()),
    };
    let done = repair(&RealFs, &temp.path, false, &mut |entry| refuse(&entry)).unwrap();
    assert_eq!(done.lines, 2);
    assert!(matches!(done.damage, Some(Damage::Refused(_))));
    assert!(done.kept.is_some());
    let again = repair(&RealFs, &temp.path, true, &mut |entry| refuse(&entry)).unwrap();
    assert!(again.is_clean());
}

#[test]
fn repair_of_a_torn_tail_is_what_opening_does() {
    let bytes = sample();
    let temp = temp_journal();
    std::fs::write(&temp.path, &bytes[..bytes.len() - 1]).unwrap();
    let shown = repair(&RealFs, &temp.path, true, &mut |_| Ok(())).unwrap();
    assert!(shown.damage.is_none() && shown.kept.is_none() && !shown.is_clean());
    let done = repair(&RealFs, &temp.path, false, &mut |_| Ok(())).unwrap();
    assert_eq!(done.lines, every_event().len() as u64 - 1);
    assert!(done.kept.is_some() && done.damage.is_none());
    assert!(
        repair(&RealFs, &temp.path, false, &mut |_| Ok(()))
            .unwrap()
            .is_clean()
    );
}
