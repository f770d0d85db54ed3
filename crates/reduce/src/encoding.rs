//! How a text of any bytes is held in characters, so that it can be cut and written back.

use std::borrow::Cow;

/// How the bytes of a text are held.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum TextEncoding {
    /// As UTF-8.
    #[default]
    Utf8,
    /// A character for each byte, as in ISO 8859-1: the file is no UTF-8.
    Bytes,
}

impl TextEncoding {
    /// A text of these bytes, and how it holds them.
    pub fn decode(bytes: &[u8]) -> (Cow<'_, str>, TextEncoding) {
        match std::str::from_utf8(bytes) {
            Ok(text) => (text.into(), TextEncoding::Utf8),
            Err(_) => (bytes.iter().map(|&byte| char::from(byte)).collect(), TextEncoding::Bytes),
        }
    }

    /// The bytes of a text that holds them so.
    pub fn encode(self, text: &str) -> Cow<'_, [u8]> {
        match self {
            TextEncoding::Utf8 => text.as_bytes().into(),
            // What is cut from such a text has no other characters.
            TextEncoding::Bytes => text.chars().map(|c| u8::try_from(c).unwrap_or(b'?')).collect(),
        }
    }
}
