//! Bounded reading.

use files::read::{ReadError, named, regular};
use std::fs;
use std::io::Write;
use std::path::Path;

#[test]
fn a_file_in_a_folder_is_read_only_if_it_is_regular_and_not_too_large() {
    let root = tempfile::tempdir().unwrap();
    let file = root.path().join("a");
    fs::write(&file, "12345").unwrap();
    assert_eq!(regular(&file, 5).unwrap(), b"12345");
    assert!(matches!(regular(&file, 4), Err(ReadError::TooLarge { most: 4, .. })));
    assert!(matches!(regular(Path::new("/dev/zero"), 5), Err(ReadError::Open { .. })));
    assert!(matches!(regular(root.path(), 5), Err(ReadError::Open { .. })));
    assert!(matches!(regular(&root.path().join("gone"), 5), Err(ReadError::Open { .. })));
}

#[test]
fn a_pipe_that_is_named_is_read_to_its_end() {
    let (reader, mut writer) = std::io::pipe().unwrap();
    let path = format!("/proc/self/fd/{}", std::os::fd::AsRawFd::as_raw_fd(&reader));
    writer.write_all(b"(check-sat)").unwrap();
    drop(writer);
    assert_eq!(named(Path::new(&path)).unwrap(), b"(check-sat)");
}

#[test]
fn a_pipe_that_lies_in_a_folder_is_not_waited_for() {
    let root = tempfile::tempdir().unwrap();
    let path = root.path().join("campaign.json");
    crate::walk::pipe(&path);
    assert!(matches!(regular(&path, 5), Err(ReadError::Open { .. })));
    assert_eq!(files::found_text(&path).unwrap_err().kind(), std::io::ErrorKind::InvalidInput);
    assert_eq!(files::found(root.path().join("gone")).unwrap_err().kind(), std::io::ErrorKind::NotFound);
    // A link in the user's own folder may lead elsewhere, one in a stranger's may not.
    fs::write(root.path().join("secret"), "12345").unwrap();
    std::os::unix::fs::symlink("secret", root.path().join("link")).unwrap();
    assert_eq!(regular(&root.path().join("link"), 5).unwrap(), b"12345");
    assert_eq!(files::found(root.path().join("link")).unwrap_err().kind(), std::io::ErrorKind::InvalidInput);
    let large = fs::File::create(root.path().join("large")).unwrap();
    large.set_len(files::MAX_BYTES + 1).unwrap();
    assert!(regular(&root.path().join("large"), 5).unwrap_err().to_string().contains("larger than"));
}
