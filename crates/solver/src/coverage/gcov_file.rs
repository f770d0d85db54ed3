//! The files of gcov as records of numbers: the notes that a compiler writes (`.gcno`) and the counters of runs (`.gcda`).
//!
//! The format is that of gcc's `gcc/gcov-io.h`, in all versions from 4.8, which clang writes, to the newest. From version 12 on
//! lengths are bytes, before that words of four bytes.

use super::error::CoverageError;
use std::path::Path;

/// The first version whose lengths are bytes.
const BYTES: u32 = 12;

/// A file of gcov.
pub(super) struct GcovFile<'f> {
    path: &'f Path,
    bytes: &'f [u8],
    at: usize,
    /// The compiler's version times ten: 122 for 12.2.
    version: u32,
    /// What notes and counters of one compilation have in common.
    pub(super) stamp: u32,
}

/// A record: its tag and what it holds.
pub(super) struct GcovRecord<'f> {
    pub(super) tag: u32,
    /// Whether it stands for counters that are all zero.
    pub(super) is_zero: bool,
    pub(super) fields: GcovFields<'f>,
}

/// The fields of a record.
pub(super) struct GcovFields<'f> {
    bytes: &'f [u8],
    has_bytes: bool,
}

impl<'f> GcovFile<'f> {
    /// Reads the begin of a file; `magic` is `gcno` or `gcda`.
    pub(super) fn open(path: &'f Path, bytes: &'f [u8], magic: &[u8; 4]) -> Result<GcovFile<'f>, CoverageError> {
        let mut file = GcovFile { path, bytes, at: 0, version: 0, stamp: 0 };
        let found = file.number()?.to_be_bytes();
        if found != *magic {
            return Err(CoverageError::damaged(path, "it is no file of gcov of this machine"));
        }
        file.version = version(file.number()?)
            .ok_or_else(|| CoverageError::damaged(path, "the compiler's version in it is none"))?;
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

    /// The next record; none at the end.
    pub(super) fn record(&mut self) -> Result<Option<GcovRecord<'f>>, CoverageError> {
        // Files end in a tag of zero, or at their end.
        if self.bytes.len() - self.at < 4 {
            return Ok(None);
        }
        let tag = self.number()?;
        if tag == 0 {
            return Ok(None);
        }
        // Counters that are all zero have a negative length, and are not in the file.
        let length = self.number()?.cast_signed();
        let is_zero = length < 0;
        let unit = if self.is_at_least(BYTES) { 1 } else { 4 };
        let bytes = self.take(usize::try_from(length).unwrap_or(0).saturating_mul(unit))?;
        Ok(Some(GcovRecord { tag, is_zero, fields: GcovFields { bytes, has_bytes: self.is_at_least(BYTES) } }))
    }

    /// The next number outside of records.
    pub(super) fn number(&mut self) -> Result<u32, CoverageError> {
        let bytes: [u8; 4] = self.take(4)?.try_into().unwrap_or_default();
        Ok(u32::from_le_bytes(bytes))
    }

    /// The next text outside of records.
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

    /// A record that ends before its last field.
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

    /// A counter: two numbers, the lower half first.
    pub(super) fn counter(&mut self) -> Option<u64> {
        let (low, high) = (self.number()?, self.number()?);
        Some(u64::from(high) << 32 | u64::from(low))
    }

    /// A text up to its zeros; empty where it has no bytes.
    pub(super) fn text(&mut self) -> Option<&'f str> {
        let length = self.number()? as usize;
        let length = if self.has_bytes { length } else { length.checked_mul(4)? };
        let (text, rest) = self.bytes.split_at_checked(length)?;
        self.bytes = rest;
        let end = memchr::memchr(0, text).unwrap_or(text.len());
        std::str::from_utf8(&text[..end]).ok()
    }

    /// How many numbers are left.
    pub(super) fn numbers(&self) -> usize {
        self.bytes.len() / 4
    }
}

/// The version times ten that four letters stand for: `B22*` is 12.2, `408*` is 4.8.
fn version(number: u32) -> Option<u32> {
    let digit = |letter: u8| char::from(letter).to_digit(10);
    let [first, second, third, _] = number.to_be_bytes();
    match first {
        b'A'..=b'Z' => Some((u32::from(first - b'A') * 10 + digit(second)?) * 10 + digit(third)?),
        _ => Some(digit(first)? * 10 + digit(third)?),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_letters() {
        let check = |text: &[u8; 4], expect: Option<u32>| assert_eq!(version(u32::from_be_bytes(*text)), expect);
        check(b"B22*", Some(122));
        check(b"408*", Some(48));
        check(b"A93*", Some(93));
        check(b"....", None);
    }

    #[test]
    fn what_is_no_file_of_gcov_is_refused() {
        let check = |bytes: &[u8], part: &str| {
            let error = GcovFile::open(Path::new("a.gcda"), bytes, b"gcda").err().expect("it is refused").to_string();
            assert!(error.contains("a.gcda cannot be read") && error.contains(part), "{error}");
        };
        check(b"", "ends too early");
        check(b"oncg*22B", "no file of gcov");
        check(b"adcg....0000", "version");
        check(b"adcg*22B0000", "ends too early");
    }
}
