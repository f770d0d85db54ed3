//! Which files a folder stands for, and which it does not.

use files::walk::{WalkError, named_scripts, scripts_below};
use rustix::fs::{CWD, FileType, Mode};
use std::fs;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};

/// Makes a named pipe.
pub(crate) fn pipe(path: &Path) {
    rustix::fs::mknodat(CWD, path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
}

fn folder(files: &[&str]) -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    for file in files {
        let path = root.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "(check-sat)").unwrap();
    }
    root
}

/// What is listed, relative to the folder.
fn listed(root: &Path) -> Vec<String> {
    let below = scripts_below(root);
    assert!(below.unreadable.is_empty(), "{:?}", below.unreadable);
    below.scripts.iter().map(|path| path.strip_prefix(root).unwrap().display().to_string()).collect()
}

#[test]
fn scripts_are_listed_by_path() {
    let root = folder(&["b.smt2", "a/z.smt2", "a.smt2", "a/y/x.smt2", "c.txt", "a/smt2", ".hidden/h.smt2"]);
    assert_eq!(listed(root.path()), [".hidden/h.smt2", "a/y/x.smt2", "a/z.smt2", "a.smt2", "b.smt2"]);
}

#[test]
fn pipes_sockets_and_devices_are_passed_over() {
    // Each of them was opened before, and the program waited for ever.
    let root = folder(&["a.smt2"]);
    pipe(&root.path().join("pipe.smt2"));
    let _listener = UnixListener::bind(root.path().join("socket.smt2")).unwrap();
    symlink("/dev/zero", root.path().join("device.smt2")).unwrap();
    symlink(root.path().join("pipe.smt2"), root.path().join("link.smt2")).unwrap();
    assert_eq!(listed(root.path()), ["a.smt2"]);
    assert_eq!(scripts_below(root.path()).irregular.len(), 4);
}

#[test]
fn links_are_followed_and_no_circle_is() {
    let root = folder(&["a/one.smt2"]);
    symlink(root.path(), root.path().join("a/up")).unwrap();
    symlink("one.smt2", root.path().join("a/two.smt2")).unwrap();
    symlink("nowhere", root.path().join("lost.smt2")).unwrap();
    let far = folder(&["far.smt2"]);
    symlink(far.path(), root.path().join("far")).unwrap();
    assert_eq!(listed(root.path()), ["a/one.smt2", "a/two.smt2", "far/far.smt2", "lost.smt2"]);
}

#[test]
fn what_the_user_names_is_taken_as_it_is() {
    let root = folder(&["d/a.smt2", "other.txt"]);
    let at = |name: &str| root.path().join(name);
    pipe(&at("pipe.smt2"));
    let named = [at("pipe.smt2"), PathBuf::from("-"), at("d"), at("other.txt")];
    assert_eq!(named_scripts(&named).unwrap(), [at("pipe.smt2"), "-".into(), at("d/a.smt2"), at("other.txt")]);
    assert!(matches!(named_scripts(&[at("gone")]), Err(WalkError::Missing(_))));
    fs::create_dir(at("empty")).unwrap();
    assert_eq!(named_scripts(&[at("empty")]).unwrap_err().to_string().matches(';').count(), 0);
    pipe(&at("empty/p.smt2"));
    let error = named_scripts(&[at("empty")]).unwrap_err().to_string();
    assert!(error.contains("p.smt2 is a pipe or device"), "{error}");
}
