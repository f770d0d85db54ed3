//! Tests of `coverage::instrumented`.

use solver::coverage::InstrumentedBuild;

#[test]
fn complaints_of_counters_are_told_from_others() {
    let check = |text: &str, expect: Option<&str>| {
        assert_eq!(InstrumentedBuild::complaint(text.as_bytes()).as_deref(), expect);
    };
    check("sat\nprofiling:/x/a.gcda:Cannot open\n", Some("profiling:/x/a.gcda:Cannot open"));
    check(
        "LLVM Profile Error: Failed to write file \"x\": No space left",
        Some("LLVM Profile Error: Failed to write file \"x\": No space left"),
    );
    check("(error \"unknown symbol\")\n", None);
}
