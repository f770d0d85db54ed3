//! Unit tests of `src/coverage/lcov.rs`.

use super::*;

#[test]
fn tracefiles_are_read() {
    let text = "SF:/s/a.c\nFN:4,never\nFN:5,main\nFNDA:0,never\nFNDA:1,main\nFNF:2\nDA:4,0\nDA:5,18446744073709551615\n\
                    BRDA:5,0,0,-\nBRDA:5,0,1,2\nBRF:2\nend_of_record\nSF:/usr/include/x.h\nDA:1,1\nend_of_record\n";
    let mut items = CoverageItems::default();
    let set = read(text, &mut items).expect("it is right");
    assert_eq!((items.len(), set.len()), (6, 3));
    let count = |unit| (items.count(unit), set.count(&items, unit));
    assert_eq!(count(CoverageUnit::Function), (2, 1));
    assert_eq!(count(CoverageUnit::Line), (2, 1));
    assert_eq!(count(CoverageUnit::Branch), (2, 1));
    // Another run has the same items.
    let before = items.digest();
    read(text, &mut items).expect("it is right");
    assert_eq!(items.digest(), before);
}

#[test]
fn mistakes_are_named() {
    for wrong in ["DA:x,1", "DA:1", "BRDA:1,2", "FNDA:1,unknown", "FN:1", "DA:1,-5"] {
        let text = format!("SF:a.c\n{wrong}\n");
        let error = read(&text, &mut CoverageItems::default()).expect_err("it is refused");
        assert!(error.contains(wrong), "{error}");
    }
}
