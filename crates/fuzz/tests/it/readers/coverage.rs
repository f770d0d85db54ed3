//! The output of instrumented programs: tracefiles of lcov, and notes and counters of gcov.

use solver::coverage::{CoverageItems, CoverageSet, CoverageUnit, read_object, read_tracefile};

/// A tracefile, and the notes and counters of one object file of gcc 12, after the length of the notes.
pub const EXAMPLES: &[&str] = &[
    "SF:/s/a.c\nFN:4,never\nFN:5,main\nFNDA:0,never\nFNDA:1,main\nDA:4,0\nDA:5,18446744073709551615\nBRDA:5,0,0,-\nBRDA:5,0,1,2\nend_of_record\n",
    "487\u{a}oncg*22BIDn6\0\0\0\0\u{8}\0\0\0/source\0\u{1}\0\0\0\0\0\0\u{1}1\0\0\0IDn0IDn1IDn2\u{5}\0\0\0main\0\0\0\0\0\
     \u{4}\0\0\0a.c\0\u{3}\0\0\0\u{5}\0\0\0\u{3}\0\0\0\u{1a}\0\0\0\0\0A\u{1}\u{4}\0\0\0\u{4}\0\0\0\0\0C\u{1}\u{c}\0\0\0\0\0\
     \0\0\u{2}\0\0\0\u{4}\0\0\0\0\0C\u{1}\u{14}\0\0\0\u{2}\0\0\0\u{3}\0\0\0\u{4}\0\0\0\u{1}\0\0\0\u{3}\0\0\0\0\0C\u{1}\u{c}\
     \0\0\0\u{3}\0\0\0\u{1}\0\0\0\u{1}\0\0\0\0\0E\u{1}\u{1c}\0\0\0\u{2}\0\0\0\0\0\0\0\u{4}\0\0\0a.c\0\u{3}\0\0\0\0\0\0\0\0\
     \0\0\0\0\0\0\u{1}.\0\0\0IDn3IDn4IDn5\u{2}\0\0\0f\0\0\0\0\0\u{4}\0\0\0a.c\0\u{1}\0\0\0\u{5}\0\0\0\u{2}\0\0\0\u{c}\0\0\0\
     \0\0A\u{1}\u{4}\0\0\0\u{6}\0\0\0\0\0C\u{1}\u{c}\0\0\0\0\0\0\0\u{2}\0\0\0\u{4}\0\0\0\0\0C\u{1}\u{14}\0\0\0\u{2}\0\0\0\
     \u{3}\0\0\0\u{4}\0\0\0\u{4}\0\0\0\u{1}\0\0\0\0\0C\u{1}\u{c}\0\0\0\u{3}\0\0\0\u{5}\0\0\0\u{5}\0\0\0\0\0C\u{1}\u{c}\0\0\
     \0\u{4}\0\0\0\u{5}\0\0\0\u{5}\0\0\0\0\0C\u{1}\u{c}\0\0\0\u{5}\0\0\0\u{1}\0\0\0\u{1}\0\0\0\0\0E\u{1}\u{1c}\0\0\0\u{2}\0\
     \0\0\0\0\0\0\u{4}\0\0\0a.c\0\u{1}\0\0\0\0\0\0\0\0\0\0\0\0\0E\u{1}\u{1c}\0\0\0\u{3}\0\0\0\0\0\0\0\u{4}\0\0\0a.c\0\u{1}\
     \0\0\0\0\0\0\0\0\0\0\0\0\0E\u{1}\u{1c}\0\0\0\u{4}\0\0\0\0\0\0\0\u{4}\0\0\0a.c\0\u{2}\0\0\0\0\0\0\0\0\0\0\0adcg*22BIDn6\
     IDn7\0\0\0\u{a1}\u{8}\0\0\0\u{1}\0\0\0\u{1}\0\0\0\0\0\0\u{1}\u{c}\0\0\0IDn0IDn1IDn2\0\0\u{a1}\u{1}\u{10}\0\0\0\u{1}\0\
     \0\0\0\0\0\0\u{1}\0\0\0\0\0\0\0\0\0\0\u{1}\u{c}\0\0\0IDn3IDn4IDn5\0\0\u{a1}\u{1}\u{10}\0\0\0\u{1}\0\0\0\0\0\0\0\0\0\0\
     \0\0\0\0\0\0\0\0\0",
];

/// Returns how many items a tracefile marks as executed, and how many notes and counters of gcov do, whose bytes are the characters of
/// the text, so that examples are text. `None` where it cannot be read.
///
/// # Panics
/// When more items are executed than exist.
pub fn executed(bytes: &[u8]) -> [Option<usize>; 2] {
    let text = String::from_utf8_lossy(bytes);
    let mut items = CoverageItems::default();
    let traced = read_tracefile(&text, &mut items).ok();
    let traced = traced.map(|executed| counted(&executed, &items));
    let counters = || {
        let (length, files) = text.split_once('\n')?;
        let files: Vec<u8> = files.chars().map(|c| u8::try_from(u32::from(c)).unwrap_or(0xff)).collect();
        let (notes, counters) = files.split_at_checked(length.parse().ok()?)?;
        let mut items = CoverageItems::default();
        let executed = read_object(notes, counters, &mut items).ok()?;
        Some(counted(&executed, &items))
    };
    [traced, counters()]
}

fn counted(executed: &CoverageSet, items: &CoverageItems) -> usize {
    assert!(CoverageUnit::ALL.iter().all(|unit| executed.count(items, *unit) <= items.count(*unit)));
    executed.len()
}

/// Reads bytes in both ways.
///
/// # Panics
/// When more items are executed than exist.
pub fn check(bytes: &[u8]) {
    executed(bytes);
}
