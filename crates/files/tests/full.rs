//! A disk that is full: alone in its process, for the bound on file sizes that stands for it holds for the whole of it.

use files::atomic::write;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use std::fs;

#[test]
fn a_full_disk_keeps_the_old_file_and_leaves_nothing_beside_it() {
    let root = tempfile::tempdir().unwrap();
    let (old, new) = (root.path().join("old.smt2"), root.path().join("new.smt2"));
    fs::write(&old, "(check-sat)").unwrap();
    // SAFETY: the signal is ignored.
    unsafe { libc::signal(libc::SIGXFSZ, libc::SIG_IGN) };
    let text = "(assert true)\n".repeat(10);
    let before = bound_files(Some(16));
    let results = [&old, &new].map(|path| write(path, text.as_bytes()));
    // What the test prints may go to a file, too.
    bound_files(before);
    assert!(results.iter().all(Result::is_err), "{results:?}");
    assert_eq!(fs::read_to_string(&old).unwrap(), "(check-sat)");
    assert_eq!(fs::read_dir(root.path()).unwrap().count(), 1, "an empty file would read as a script without mistakes");
}

/// Bounds the size of files that this process writes, in bytes; the bound before.
fn bound_files(bytes: Option<u64>) -> Option<u64> {
    let before = getrlimit(Resource::Fsize);
    setrlimit(Resource::Fsize, Rlimit { current: bytes, ..before }).unwrap();
    before.current
}
