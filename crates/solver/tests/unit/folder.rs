//! Unit tests of `src/build/folder.rs`.

use super::*;

fn edit(file: &str, from: &str) -> SourceEdit {
    SourceEdit { file: file.into(), from: from.into(), to: "new".into() }
}

#[test]
fn sources_are_there_whole_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let crate_folder = folder.path().join("crate");
    fs::create_dir_all(crate_folder.join("a/b")).unwrap();
    fs::write(crate_folder.join("a/b/c.txt"), "old old2 x").unwrap();
    let made = BuildFolder::open(&folder.path().join("builds"), "toy@1+asan").unwrap();
    made.begin("one").unwrap();
    let take = |edits: &[SourceEdit]| made.take_source(&crate_folder, edits, "toy").map_err(|e| e.to_string());
    let error = take(&[edit("a/b/c.txt", "old")]).unwrap_err();
    assert!(error.contains("stands there 2 times"), "{error}");
    assert!(take(&[edit("a/none", "old")]).is_err() && made.lacks_source());
    take(&[edit("a/b/c.txt", "old2")]).unwrap();
    assert_eq!(fs::read_to_string(made.source().join("a/b/c.txt")).unwrap(), "old new x");

    // The same stamp continues, another one starts over.
    fs::write(made.build().join("object"), "").unwrap();
    made.begin("one").unwrap();
    assert!(!made.lacks_source() && made.build().join("object").exists());
    made.begin("two").unwrap();
    assert!(made.lacks_source() && !made.build().join("object").exists());
}

#[test]
fn one_process_at_a_time_builds_a_solver() {
    let folder = tempfile::tempdir().unwrap();
    let held = BuildFolder::open(folder.path(), "toy@1").unwrap();
    assert!(matches!(BuildFolder::open(folder.path(), "toy@1"), Err(SourceBuildError::Busy { .. })));
    assert!(BuildFolder::open(folder.path(), "toy@2").is_ok());
    held.clear();
    assert!(BuildFolder::open(folder.path(), "toy@1").is_ok());
    remove_all(folder.path(), "toy@1");
    assert!(!folder.path().join("toy@1").exists() && !folder.path().join("toy@1.log").exists());
}
