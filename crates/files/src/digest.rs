//! SHA-256 of what is read and written.

use sha2::{Digest, Sha256};
use std::path::Path;

/// SHA-256 of a text or of bytes, in hexadecimal.
pub fn sha256(content: impl AsRef<[u8]>) -> String {
    hex(&Sha256::digest(content))
}

/// SHA-256 of a file's bytes, in hexadecimal; none if it cannot be read.
pub fn sha256_of_file(path: &Path) -> Option<String> {
    let mut digest = Sha256::new();
    std::io::copy(&mut std::fs::File::open(path).ok()?, &mut digest).ok()?;
    Some(hex(&digest.finalize()))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}
