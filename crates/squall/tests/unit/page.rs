//! Unit tests of `src/commands/experiment/cover/page.rs`.

use super::*;

#[test]
fn files_lie_in_one_folder() {
    let check = |files: &[&str], expect: &str| assert_eq!(common_folder(files.iter().copied()), expect);
    check(&[], "");
    check(&["a.c"], "");
    check(&["/s/a/x.c", "/s/a/y.c", "/s/ab/z.c"], "/s/");
    check(&["/s/a.c"], "/s/");
    check(&["/s/ä.c", "/s/ö.c"], "/s/");
}
