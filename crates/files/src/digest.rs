//! SHA-256 of texts and files.

use sha2::{Digest, Sha256};
use std::path::Path;

/// SHA-256 of a text, in hexadecimal.
pub fn sha256(text: &str) -> String {
    sha256_of(text.as_bytes())
}

/// SHA-256 of bytes, in hexadecimal.
pub fn sha256_of(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
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
