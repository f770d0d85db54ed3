//! SHA-256 of bytes and files.

use sha2::{Digest, Sha256};
use std::fs::File;
use std::io;
use std::path::Path;

/// SHA-256 of a text or of bytes, in hexadecimal.
pub fn sha256(content: impl AsRef<[u8]>) -> String {
    hex(&Sha256::digest(content))
}

/// SHA-256 of a file, in hexadecimal.
/// Errors: the file cannot be read.
pub fn sha256_of_file(path: &Path) -> io::Result<String> {
    let mut hash = Sha256::new();
    io::copy(&mut File::open(path)?, &mut hash)?;
    Ok(hex(&hash.finalize()))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
