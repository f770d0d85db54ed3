//! Writing whole or not at all.

use files::atomic::{sweep, write};
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::time::{Duration, SystemTime};

/// The names in a folder.
fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_file_is_made_and_replaced_with_the_users_mask() {
    let root = tempfile::tempdir().unwrap();
    let plain = root.path().join("plain");
    fs::write(&plain, "").unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
    let file = root.path().join("result.smt2");
    for text in ["one", "two", ""] {
        write(&file, text.as_bytes()).unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), text);
        assert_eq!(mode(&file), mode(&plain), "others may read it as far as they may read any file of the user's");
    }
    assert_eq!(names(root.path()), ["plain", "result.smt2"]);
}

#[test]
fn a_link_stays_and_what_it_leads_to_is_replaced() {
    let root = tempfile::tempdir().unwrap();
    fs::write(root.path().join("real"), "old").unwrap();
    symlink("real", root.path().join("link")).unwrap();
    write(&root.path().join("link"), b"new").unwrap();
    assert_eq!(fs::read_to_string(root.path().join("real")).unwrap(), "new");
    assert!(root.path().join("link").is_symlink());
}

#[test]
fn a_device_is_written_to_and_not_replaced() {
    // Renamed over, /dev/stdout or /dev/null would have become a file for everyone.
    let root = tempfile::tempdir().unwrap();
    let link = root.path().join("null");
    symlink("/dev/null", &link).unwrap();
    write(&link, b"text").unwrap();
    assert!(link.is_symlink());
    let full = root.path().join("full");
    symlink("/dev/full", &full).unwrap();
    assert!(write(&full, b"text").is_err());
}

#[test]
fn what_cannot_be_written_leaves_nothing() {
    let root = tempfile::tempdir().unwrap();
    assert!(write(&root.path().join("gone/file"), b"text").is_err());
    assert!(write(root.path(), b"text").is_err());
    assert!(write(Path::new("/"), b"text").is_err());
    assert!(names(root.path()).is_empty());
}

#[test]
fn what_killed_writers_left_is_swept_away() {
    let root = tempfile::tempdir().unwrap();
    let (now, then) = (SystemTime::now(), SystemTime::now() - Duration::from_secs(7200));
    for (name, time) in [(".a.json.x1.part", then), (".b.json.x2.part", now), ("c.part", then), (".d.json", then)] {
        let file = fs::File::create(root.path().join(name)).unwrap();
        file.set_modified(time).unwrap();
    }
    symlink("c.part", root.path().join(".e.part")).unwrap();
    fs::create_dir(root.path().join(".f.part")).unwrap();
    sweep(root.path());
    sweep(&root.path().join("gone"));
    let mut names = names(root.path());
    names.sort();
    assert_eq!(names, [".b.json.x2.part", ".d.json", ".e.part", ".f.part", "c.part"]);
}
