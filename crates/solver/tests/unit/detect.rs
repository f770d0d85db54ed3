//! Unit tests of `src/coverage/detect.rs`.

use super::*;

#[test]
fn programs_tell_what_they_count() {
    let check = |bytes: &[u8], expect: Result<Instrumentation, &str>| match (
        instrumentation(Path::new("toy"), bytes),
        expect,
    ) {
        (Ok(found), Ok(expect)) => assert_eq!(found, expect),
        (Err(error), Err(part)) => assert!(error.to_string().contains(part), "{error}"),
        (found, expect) => panic!("{found:?} is not {expect:?}"),
    };
    check(b"\x7fELF..\0/build/a.gcda\0..", Ok(Instrumentation::Gcov));
    check(b"..__llvm_covmap..__llvm_prf_cnts", Ok(Instrumentation::Llvm));
    check(b"..__AFL_SHM_ID\0..__sancov_guards", Ok(Instrumentation::Edges));
    check(b"..__sancov_guards", Err("squall experiment cover --runtime FILE"));
    check(b"..__llvm_prf_cnts", Err("-fcoverage-mapping"));
    check(b"%s.gcda\0 and .gcda\0", Err("toy is not instrumented"));
    check(b"", Err("toy is not instrumented"));
}

#[test]
fn objects_are_named_once() {
    let paths = gcov_paths(b"x\0/b/two.gcda\0/b/one.gcda\0\0/b/two.gcda\0");
    assert_eq!(paths, [PathBuf::from("/b/one.gcda"), PathBuf::from("/b/two.gcda")]);
}

#[test]
fn scripts_hold_no_counters() {
    let error = program(&["/no/such/program".into()]).expect_err("there is none").to_string();
    assert!(error.contains("/no/such/program is no program file"), "{error}");
}
