//! SHA-256 of what is read and written.

use sha2::{Digest, Sha256};

/// SHA-256 of a text or of bytes, in hexadecimal.
pub fn sha256(content: impl AsRef<[u8]>) -> String {
    Sha256::digest(content).iter().map(|b| format!("{b:02x}")).collect()
}
