//! Reading files within a bound.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

/// The largest script that is read, in bytes. A larger one is refused with a message.
pub const MAX_BYTES: u64 = 512 << 20;

/// Why a file was not read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// It cannot be opened.
    #[error("cannot open {path}")]
    Open {
        /// The file.
        path: String,
        /// What the system said.
        source: io::Error,
    },
    /// It cannot be read to its end.
    #[error("cannot read {path}")]
    Read {
        /// The file, or `standard input`.
        path: String,
        /// What the system said.
        source: io::Error,
    },
    /// It holds more than it may.
    #[error("{path} is larger than {} MiB", .most >> 20)]
    TooLarge {
        /// The file, or `standard input`.
        path: String,
        /// What it may hold, in bytes.
        most: u64,
    },
}

/// The bytes of a file that the user named, or of standard input for `-`, at most [`MAX_BYTES`]. A pipe or device is read to
/// its end.
///
/// # Errors
/// It cannot be opened or read, or holds more.
pub fn named(path: &Path) -> Result<Vec<u8>, ReadError> {
    if path.as_os_str() == "-" {
        return bounded(io::stdin().lock(), "standard input", MAX_BYTES);
    }
    let name = path.display().to_string();
    let file = File::open(path).map_err(|source| ReadError::Open { path: name.clone(), source })?;
    bounded(file, &name, MAX_BYTES)
}

/// The bytes of a regular file, at most `most`; for files that lie in a folder under a name we expect there.
///
/// # Errors
/// It cannot be opened or read, is no regular file, or holds more.
pub fn regular(path: &Path, most: u64) -> Result<Vec<u8>, ReadError> {
    let name = path.display().to_string();
    let failed = |source| ReadError::Open { path: name.clone(), source };
    // Before it is opened: opening a pipe waits for someone who writes to it.
    if !fs::metadata(path).map_err(failed)?.is_file() {
        return Err(failed(io::Error::new(io::ErrorKind::InvalidInput, "it is no regular file")));
    }
    bounded(File::open(path).map_err(failed)?, &name, most)
}

fn bounded(from: impl Read, name: &str, most: u64) -> Result<Vec<u8>, ReadError> {
    let mut bytes = Vec::new();
    let failed = |source| ReadError::Read { path: name.to_string(), source };
    from.take(most.saturating_add(1)).read_to_end(&mut bytes).map_err(failed)?;
    match bytes.len() as u64 > most {
        true => Err(ReadError::TooLarge { path: name.to_string(), most }),
        false => Ok(bytes),
    }
}
