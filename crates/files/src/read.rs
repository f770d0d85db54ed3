//! Reading files within a bound.

use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// The maximum size of a script, in bytes. A larger one is refused with a message.
pub const MAX_BYTES: u64 = 512 << 20;

/// Why a file was not read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The file cannot be opened.
    #[error("cannot open {path}")]
    Open {
        /// The file.
        path: String,
        /// The I/O error.
        source: io::Error,
    },
    /// The file cannot be read to its end.
    #[error("cannot read {path}")]
    Read {
        /// The file, or `standard input`.
        path: String,
        /// The I/O error.
        source: io::Error,
    },
    /// The file is too large.
    #[error("{path} is larger than {} MiB", .most >> 20)]
    TooLarge {
        /// The file, or `standard input`.
        path: String,
        /// The limit, in bytes.
        most: u64,
    },
}

/// For callers that pass I/O errors on; a file that is too large is an I/O error there, too.
impl From<ReadError> for io::Error {
    fn from(error: ReadError) -> io::Error {
        match error {
            ReadError::Open { source, .. } | ReadError::Read { source, .. } => source,
            ReadError::TooLarge { .. } => io::Error::new(io::ErrorKind::FileTooLarge, error.to_string()),
        }
    }
}

/// Reads a file in a folder of findings, corpora or the like, at most [`MAX_BYTES`]. A link is not followed: the folder's author could
/// otherwise choose which of the reader's files is shown.
/// Errors: as [`within`], as an I/O error of the same kind.
pub fn found(path: impl AsRef<Path>) -> io::Result<Vec<u8>> {
    Ok(within(path.as_ref(), MAX_BYTES)?)
}

/// Like [`found`], as text.
/// Errors: as [`found`], or the file is not UTF-8.
pub fn found_text(path: impl AsRef<Path>) -> io::Result<String> {
    String::from_utf8(found(path)?).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error.utf8_error()))
}

/// Reads a file that the user named, or standard input for `-`, at most [`MAX_BYTES`]. A pipe or device is read to its end.
/// Errors: it cannot be opened or read, or is too large.
pub fn named(path: &Path) -> Result<Vec<u8>, ReadError> {
    if path.as_os_str() == "-" {
        return bounded(io::stdin().lock(), "standard input", MAX_BYTES);
    }
    let name = path.display().to_string();
    let file = File::open(path).map_err(|source| ReadError::Open { path: name.clone(), source })?;
    bounded(file, &name, MAX_BYTES)
}

/// Opens a regular file in such a folder, and nothing else: opening a pipe would wait for a writer.
/// Errors: an I/O error, or it is a link or not a regular file.
pub fn open(path: &Path) -> io::Result<File> {
    match opened(path, libc::O_NOFOLLOW) {
        Err(error) if error.raw_os_error() == Some(libc::ELOOP) => {
            Err(io::Error::new(io::ErrorKind::InvalidInput, "it is a link, which is not followed"))
        }
        result => result,
    }
}

fn opened(path: &Path, flags: i32) -> io::Result<File> {
    let file = File::options().read(true).custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY | flags).open(path)?;
    match file.metadata()?.is_file() {
        true => Ok(file),
        false => Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file")),
    }
}

/// Reads a regular file of at most `most` bytes. It is for files under a fixed name in a user's folder, such as settings, which may be
/// links.
/// Errors: it cannot be opened or read, is not a regular file, or is too large.
pub fn regular(path: &Path, most: u64) -> Result<Vec<u8>, ReadError> {
    read_from(opened(path, 0), path, most)
}

/// Like [`regular`], for a file in a folder that may be a stranger's. The file is opened by [`open`].
/// Errors: as [`regular`], or the file is a link.
pub fn within(path: &Path, most: u64) -> Result<Vec<u8>, ReadError> {
    read_from(open(path), path, most)
}

fn read_from(file: io::Result<File>, path: &Path, most: u64) -> Result<Vec<u8>, ReadError> {
    let name = path.display().to_string();
    let file = file.map_err(|source| ReadError::Open { path: name.clone(), source })?;
    bounded(file, &name, most)
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
