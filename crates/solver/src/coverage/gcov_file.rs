//! Reads gcov files as records of numbers: the notes of a compiler (`.gcno`) and the counters of runs (`.gcda`).
//!
//! The format is that of gcc's `gcc/gcov-io.h`, in all versions from 4.8, which clang writes, to the newest. Lengths are in bytes from
//! version 12 on, before that in words of four bytes.

use super::error::CoverageError;
use std::path::Path;

/// The first version with lengths in bytes.
const BYTES: u32 = 12;

/// A gcov file.
pub(super) struct GcovFile<'f> {
    path: &'f Path,
    bytes: &'f [u8],
    at: usize,
    /// The compiler's version times ten: 122 for 12.2.
    version: u32,
    /// A stamp common to notes and counters of one compilation.
    pub(super) stamp: u32,
}

/// A record: its tag and its fields.
pub(super) struct GcovRecord<'f> {
    pub(super) tag: u32,
    /// Whether the record represents counters that are all zero.
    pub(super) is_zero: bool,
    pub(super) fields: GcovFields<'f>,
}

/// The fields of a record.
pub(super) struct GcovFields<'f> {
    bytes: &'f [u8],
    has_bytes: bool,
}

impl<'f> GcovFile<'f> {
    /// Reads the beginning of a file; `magic` is `gcno` or `gcda`.
    pub(super) fn open(path: &'f Path, bytes: &'f [u8], magic: &[u8; 4]) -> Result<GcovFile<'f>, CoverageError> {
        let mut file = GcovFile { path, bytes, at: 0, version: 0, stamp: 0 };
        let found = file.number()?.to_be_bytes();
        if found != *magic {
            return Err(CoverageError::damaged(path, "it is not a gcov file of this machine"));
        }
        file.version =
            version(file.number()?).ok_or_else(|| CoverageError::damaged(path, "it has no valid compiler version"))?;
        file.stamp = file.number()?;
        if file.is_at_least(BYTES) {
            file.number()?;
        }
        Ok(file)
    }

    /// Whether the compiler's version is at least this.
    pub(super) fn is_at_least(&self, major: u32) -> bool {
        self.version >= major * 10
    }

    /// Returns the next record; `None` at the end.
    pub(super) fn record(&mut self) -> Result<Option<GcovRecord<'f>>, CoverageError> {
        // Files end with a zero tag, or at their end.
        if self.bytes.len() - self.at < 4 {
            return Ok(None);
        }
        let tag = self.number()?;
        if tag == 0 {
            return Ok(None);
        }
        // Counters that are all zero have a negative length and no data.
        let length = self.number()?.cast_signed();
        let is_zero = length < 0;
        let unit = if self.is_at_least(BYTES) { 1 } else { 4 };
        let bytes = self.take(usize::try_from(length).unwrap_or(0).saturating_mul(unit))?;
        Ok(Some(GcovRecord { tag, is_zero, fields: GcovFields { bytes, has_bytes: self.is_at_least(BYTES) } }))
    }

    /// Reads the next number outside of records.
    pub(super) fn number(&mut self) -> Result<u32, CoverageError> {
        let bytes: [u8; 4] = self.take(4)?.try_into().unwrap_or_default();
        Ok(u32::from_le_bytes(bytes))
    }

    /// Reads the next text outside of records.
    pub(super) fn text(&mut self) -> Result<String, CoverageError> {
        let mut fields = GcovFields { bytes: &self.bytes[self.at..], has_bytes: self.is_at_least(BYTES) };
        let text = fields.text().ok_or_else(|| self.cut())?.to_string();
        self.at = self.bytes.len() - fields.bytes.len();
        Ok(text)
    }

    fn take(&mut self, length: usize) -> Result<&'f [u8], CoverageError> {
        let end = self.at.checked_add(length).filter(|end| *end <= self.bytes.len()).ok_or_else(|| self.cut())?;
        let bytes = &self.bytes[self.at..end];
        self.at = end;
        Ok(bytes)
    }

    /// Returns the error for a record that ends before its last field.
    pub(super) fn cut(&self) -> CoverageError {
        CoverageError::damaged(self.path, "it ends too early; was the disk full, or the program killed while it wrote?")
    }
}

impl<'f> GcovFields<'f> {
    pub(super) fn number(&mut self) -> Option<u32> {
        let (number, rest) = self.bytes.split_first_chunk::<4>()?;
        self.bytes = rest;
        Some(u32::from_le_bytes(*number))
    }

    /// Reads a counter: two numbers, the lower half first.
    pub(super) fn counter(&mut self) -> Option<u64> {
        let (low, high) = (self.number()?, self.number()?);
        Some(u64::from(high) << 32 | u64::from(low))
    }

    /// Reads a text up to its zeros; empty if it has no bytes.
    pub(super) fn text(&mut self) -> Option<&'f str> {
        let length = self.number()? as usize;
        let length = if self.has_bytes { length } else { length.checked_mul(4)? };
        let (text, rest) = self.bytes.split_at_checked(length)?;
        self.bytes = rest;
        let end = memchr::memchr(0, text).unwrap_or(text.len());
        std::str::from_utf8(&text[..end]).ok()
    }

    /// Returns the number of remaining numbers.
    pub(super) fn numbers(&self) -> usize {
        self.bytes.len() / 4
    }
}

/// Returns ten times the version encoded in four letters: `B22*` is 12.2, `408*` is 4.8.
fn version(number: u32) -> Option<u32> {
    let digit = |letter: u8| char::from(letter).to_digit(10);
    let [first, second, third, _] = number.to_be_bytes();
    match first {
        b'A'..=b'Z' => Some((u32::from(first - b'A') * 10 + digit(second)?) * 10 + digit(third)?),
        _ => Some(digit(first)? * 10 + digit(third)?),
    }
}

#[cfg(test)]
#[path = "../../tests/unit/gcov_file.rs"]
mod tests;
