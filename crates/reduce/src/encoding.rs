//! Holds arbitrary bytes as text that can be cut and written back.

use std::borrow::Cow;

/// The encoding of a text's bytes.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum TextEncoding {
    /// As UTF-8.
    #[default]
    Utf8,
    /// One character per byte, as in ISO 8859-1: the file is not UTF-8.
    Bytes,
}

impl TextEncoding {
    /// Returns the encoding for these bytes.
    pub fn of(bytes: &[u8]) -> TextEncoding {
        if std::str::from_utf8(bytes).is_ok() { TextEncoding::Utf8 } else { TextEncoding::Bytes }
    }

    /// Decodes bytes to a text.
    pub fn decode(self, bytes: &[u8]) -> Cow<'_, str> {
        match self {
            TextEncoding::Utf8 => String::from_utf8_lossy(bytes),
            TextEncoding::Bytes => bytes.iter().map(|&byte| char::from(byte)).collect(),
        }
    }

    /// Encodes a text to its bytes.
    pub fn encode(self, text: &str) -> Cow<'_, [u8]> {
        match self {
            TextEncoding::Utf8 => text.as_bytes().into(),
            // Cutting such a text yields no other characters.
            TextEncoding::Bytes => text.chars().map(|c| u8::try_from(c).unwrap_or(b'?')).collect(),
        }
    }
}
