//! String literals: escape sequences of the standard and of older solvers, read and written.

use std::fmt::Write as _;

use thiserror::Error;

use super::value::{MAX_CODE_POINT, MAX_LENGTH, SmtString, check_length};

/// The escape sequences of a literal. The doubled quote `""` is not one of them: it belongs to the lexer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EscapeDialect {
    /// SMT-LIB 2.6 and later: `\ud₃d₂d₁d₀`, `\u{d₀}` to `\u{d₄d₃d₂d₁d₀}` with `d₄ <= 2`, and nothing else; any other
    /// backslash is literal. Characters beyond ASCII, which the theory leaves out, are read as UTF-8.
    Standard,
    /// z3 up to 4.8.7: `\xHH`, one to three octal digits (modulo 256), `\a \b \f \n \r \t \v`; any other backslash is
    /// dropped before a character, and kept at the end. Bytes beyond ASCII are one character each.
    Z3Legacy,
    /// cvc4 before 1.8 and its SMT-LIB 2.5 mode: `\xHH` (else an error), `\ddd` with a first digit below 4, `\dd` or `\d`
    /// in octal (`\8` and `\9` are the characters 8 and 9), `\a \b \f \n \r \t \v`; any other backslash is dropped before
    /// a character, and one at the end is an error. ASCII only.
    Cvc4Legacy,
    /// No escape sequences: every character is literal, read as UTF-8.
    Raw,
}

/// Why a literal has no value in a dialect, or a value no literal.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum LiteralError {
    /// The bytes are not UTF-8.
    #[error("byte {offset} of the string literal is not UTF-8; write the character as an escape sequence")]
    Encoding {
        /// Offset of the first wrong byte in the literal's body.
        offset: usize,
    },
    /// A character outside the alphabet of the theory, or of the dialect.
    #[error(
        "character {code_point:#x} is outside the characters of string literals in this dialect (up to {greatest:#x})"
    )]
    Character {
        /// The offending code point.
        code_point: u32,
        /// The greatest code point the dialect has.
        greatest: u32,
    },
    /// A backslash that starts no escape sequence although the dialect requires one.
    #[error("the backslash at byte {offset} of the string literal begins no escape sequence of this dialect")]
    Escape {
        /// Offset of the backslash in the literal's body.
        offset: usize,
    },
    /// The literal has more than [`MAX_LENGTH`](super::MAX_LENGTH) characters.
    #[error("the string literal exceeds the bound of {bound} characters")]
    TooLong {
        /// The bound it exceeds.
        bound: usize,
    },
}

/// Returns the value of a literal, given the bytes between its quotes (with `""` already read as one quote).
pub fn unescape(body: &[u8], dialect: EscapeDialect) -> Result<SmtString, LiteralError> {
    let mut characters: Vec<u32> = Vec::with_capacity(body.len().min(MAX_LENGTH));
    let mut offset = 0;
    while let Some(&byte) = body.get(offset) {
        let (character, width) = match byte {
            b'\\' => read_escape(&body[offset..], dialect).ok_or(LiteralError::Escape { offset })?,
            0..=0x7F => (u32::from(byte), 1),
            _ => read_beyond_ascii(body, offset, dialect)?,
        };
        characters.push(character);
        offset += width;
    }
    if check_length(characters.len() as u128).is_err() {
        return Err(LiteralError::TooLong { bound: MAX_LENGTH });
    }
    Ok(SmtString::from_valid(&characters))
}

/// Returns the body of a literal that denotes `value`, in printable ASCII: [`unescape`] reads it back. A quote is written
/// once; doubling it belongs to the printer of tokens. Fails on characters the dialect cannot write.
pub fn escape(value: &SmtString, dialect: EscapeDialect) -> Result<String, LiteralError> {
    let code_points = value.code_points();
    let mut text = String::with_capacity(code_points.len());
    for &c in code_points {
        let printable = (0x20..=0x7E).contains(&c);
        match dialect {
            // Every backslash is escaped, so that none starts a sequence with the next characters.
            EscapeDialect::Standard if printable && c != BACKSLASH => push_code_point(&mut text, c, 0x7E)?,
            EscapeDialect::Standard => push_formatted(&mut text, format_args!("\\u{{{c:x}}}")),
            EscapeDialect::Raw => push_code_point(&mut text, c, MAX_CODE_POINT)?,
            _ if printable && c != BACKSLASH => push_code_point(&mut text, c, 0x7E)?,
            _ if c <= 0xFF => push_formatted(&mut text, format_args!("\\x{c:02x}")),
            _ => {
                return Err(LiteralError::Character { code_point: c, greatest: 0xFF });
            }
        }
    }
    Ok(text)
}

const BACKSLASH: u32 = b'\\' as u32;

fn push_code_point(text: &mut String, code_point: u32, greatest: u32) -> Result<(), LiteralError> {
    text.push(char::from_u32(code_point).ok_or(LiteralError::Character { code_point, greatest })?);
    Ok(())
}

fn push_formatted(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    // Writing to a `String` cannot fail.
    let _ = text.write_fmt(arguments);
}

/// Returns the character that `rest`, which starts with a backslash, denotes and the bytes it takes.
fn read_escape(rest: &[u8], dialect: EscapeDialect) -> Option<(u32, usize)> {
    match dialect {
        EscapeDialect::Raw => Some((BACKSLASH, 1)),
        EscapeDialect::Standard => Some(read_unicode_escape(rest).unwrap_or((BACKSLASH, 1))),
        EscapeDialect::Z3Legacy => Some(match rest.get(1) {
            None => (BACKSLASH, 1),
            Some(b'x') => read_hexadecimal_pair(rest).unwrap_or((u32::from(b'x'), 2)),
            Some(b'0'..=b'7') => {
                let width = rest[1..].iter().take(3).take_while(|d| matches!(d, b'0'..=b'7')).count();
                (read_digits(&rest[1..=width], 8)? & 0xFF, 1 + width)
            }
            // The next byte may be beyond ASCII, which is a separate character here.
            Some(&letter) => (control_letter(letter), 2),
        }),
        EscapeDialect::Cvc4Legacy => match rest.get(1)? {
            b'x' => read_hexadecimal_pair(rest),
            b'8' => Some((8, 2)),
            b'9' => Some((9, 2)),
            &first @ b'0'..=b'7' => {
                let longest = if first < b'4' { 3 } else { 2 };
                let width = rest[1..].iter().take(longest).take_while(|d| matches!(d, b'0'..=b'7')).count();
                Some((read_digits(&rest[1..=width], 8)?, 1 + width))
            }
            0x80.. => None,
            &letter => Some((control_letter(letter), 2)),
        },
    }
}

/// Clauses 3 and 4 of "String constants": exactly four digits, or one to five in braces, the fifth at most 2.
fn read_unicode_escape(rest: &[u8]) -> Option<(u32, usize)> {
    if rest.get(1) != Some(&b'u') {
        return None;
    }
    let (digits, width) = if rest.get(2) == Some(&b'{') {
        let count = rest[3..].iter().take(6).position(|&b| b == b'}')?;
        (&rest[3..3 + count], count + 4)
    } else {
        (rest.get(2..6)?, 6)
    };
    let fits = (1..=5).contains(&digits.len()) && (digits.len() < 5 || matches!(digits[0], b'0'..=b'2'));
    if !fits {
        return None;
    }
    Some((read_digits(digits, 16)?, width))
}

fn read_hexadecimal_pair(rest: &[u8]) -> Option<(u32, usize)> {
    Some((read_digits(rest.get(2..4)?, 16)?, 4))
}

/// Returns the number that the digits denote; `None` if one is not a digit. There are at most five digits.
fn read_digits(digits: &[u8], radix: u32) -> Option<u32> {
    digits.iter().try_fold(0, |number, &d| Some(number * radix + char::from(d).to_digit(radix)?))
}

/// Returns the control character of a C letter escape, or the letter itself.
fn control_letter(letter: u8) -> u32 {
    u32::from(match letter {
        b'a' => 0x07,
        b'b' => 0x08,
        b't' => 0x09,
        b'n' => 0x0A,
        b'v' => 0x0B,
        b'f' => 0x0C,
        b'r' => 0x0D,
        other => other,
    })
}

fn read_beyond_ascii(body: &[u8], offset: usize, dialect: EscapeDialect) -> Result<(u32, usize), LiteralError> {
    match dialect {
        EscapeDialect::Z3Legacy => Ok((u32::from(body[offset]), 1)),
        EscapeDialect::Cvc4Legacy => {
            Err(LiteralError::Character { code_point: u32::from(body[offset]), greatest: 0x7F })
        }
        EscapeDialect::Standard | EscapeDialect::Raw => {
            let window = &body[offset..body.len().min(offset + 4)];
            let valid = match std::str::from_utf8(window) {
                Ok(text) => text,
                // The window may cut the second character; the valid part before is enough.
                Err(error) => std::str::from_utf8(&window[..error.valid_up_to()]).unwrap_or_default(),
            };
            let character = valid.chars().next().ok_or(LiteralError::Encoding { offset })?;
            let code_point = u32::from(character);
            if code_point > MAX_CODE_POINT {
                return Err(LiteralError::Character { code_point, greatest: MAX_CODE_POINT });
            }
            Ok((code_point, character.len_utf8()))
        }
    }
}
