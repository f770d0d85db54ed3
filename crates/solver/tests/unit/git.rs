//! Unit tests of `src/build/git.rs`.

use super::*;

#[test]
fn a_diff_is_read() {
    let diff = "diff --git a/x.c b/x.c\nindex 1..2 100644\n--- a/x.c\n+++ b/x.c\n@@ -3 +3,2 @@ int f()\n-a\n+b\n+++ b/no.c\n\
                    @@ -9,2 +10,0 @@\n-c\n-d\ndiff --git a/gone.c b/gone.c\ndeleted file mode 100644\n--- a/gone.c\n+++ /dev/null\n\
                    @@ -1,5 +0,0 @@\n-x\ndiff --git a/p.png b/p.png\nBinary files a/p.png and b/p.png differ\n";
    let file = |path: &str, before: &[(u32, u32)], after: &[(u32, u32)]| ChangedFile {
        path: path.to_string(),
        before: before.to_vec(),
        after: after.to_vec(),
    };
    assert_eq!(changed_files(diff), [file("x.c", &[(3, 3), (9, 10)], &[(3, 4)]), file("gone.c", &[(1, 5)], &[])]);
}
