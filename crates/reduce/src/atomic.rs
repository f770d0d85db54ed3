//! Atomic writing: a file is there whole, as it was or as it shall be, whenever the process is killed.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

/// Writes `content` beside `path`, syncs it and moves it to its place.
///
/// # Errors
/// Whatever the system says; the old content, if there was one, is untouched then.
pub fn write(path: &Path, content: &[u8]) -> io::Result<()> {
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let name = path.file_name().ok_or_else(|| io::Error::other("the path names no file"))?;
    let mut beside_name = std::ffi::OsString::from(".");
    beside_name.push(name);
    beside_name.push(format!(".{}.part", std::process::id()));
    let beside = folder.join(beside_name);
    let written = (|| {
        let mut file = File::create(&beside)?;
        file.write_all(content)?;
        file.sync_all()?;
        fs::rename(&beside, path)
    })();
    if written.is_err() {
        let _ = fs::remove_file(&beside);
    }
    written
}
