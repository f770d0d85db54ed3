//! Literals to values.

use crate::constant::Constant;
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

/// The maximum length of a numeral, in digits. Reading one takes more than linear time.
pub const MAX_DIGITS: usize = 2_000_000;

/// The maximum length of a decimal, in digits: reducing one to lowest terms takes quadratic time.
pub const MAX_DECIMAL_DIGITS: usize = 100_000;

/// Numbers with at least this many digits are long. Reading a shorter one takes about the time of any other text of its length.
pub const LONG_DIGITS: usize = 2_000;

/// The most digits of all long numbers of one text together: more would take seconds to read, print and compute with.
pub const MAX_LONG_DIGITS: usize = MAX_DIGITS;

/// The largest code point of an SMT-LIB character (SMT-LIB 2.6, Strings theory).
pub const MAX_CODE_POINT: u32 = 0x2FFFF;

/// How the inside of a string literal is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Escapes {
    /// SMT-LIB 2.6: `\u{…}` and `\uXXXX` only.
    #[default]
    Standard,
    /// The spellings before 2.6 (`\x41`, `\n`, `\101`, …) as well.
    Legacy,
}

/// Returns the value of a numeral; `None` if it is longer than [`MAX_DIGITS`].
pub(crate) fn numeral(text: &str) -> Option<UBig> {
    if text.len() <= 19 {
        return text.parse::<u64>().ok().map(UBig::from);
    }
    (text.len() <= MAX_DIGITS).then(|| text.parse().ok()).flatten()
}

/// Returns the value of a decimal `12.50`; `None` if it is longer than [`MAX_DECIMAL_DIGITS`].
pub(crate) fn decimal(text: &str) -> Option<RBig> {
    let (whole, fraction) = text.split_once('.').filter(|_| text.len() <= MAX_DECIMAL_DIGITS + 1)?;
    let fraction = fraction.trim_end_matches('0');
    if fraction.is_empty() {
        return numeral(whole).map(RBig::from);
    }
    let digits = numeral(&format!("{whole}{fraction}"))?;
    let scale = UBig::from(10u8).pow(fraction.len());
    Some(RBig::from_parts(IBig::from(digits), scale))
}

/// Returns the value of `#x…` or `#b…`.
pub(crate) fn bit_vector(text: &str) -> Option<Constant> {
    let (bits, radix) = if text.starts_with("#x") { (4, 16) } else { (1, 2) };
    let digits = text.get(2..)?;
    let width = u32::try_from(digits.len().checked_mul(bits)?).ok()?;
    if width > crate::signature::MAX_WIDTH {
        return None;
    }
    let value = match u64::from_str_radix(digits, radix) {
        Ok(small) => UBig::from(small),
        Err(_) => UBig::from_str_radix(digits, radix).ok()?,
    };
    Some(Constant::BitVec { width, value })
}

/// Returns the integer and the order of `#fNmP`, both unchecked; `None` if one is longer than [`MAX_DIGITS`].
pub(crate) fn field_element(text: &str) -> Option<(IBig, UBig)> {
    let (value, order) = text.strip_prefix("#f")?.split_once('m')?;
    Some((integer(value)?, numeral(order)?))
}

/// Returns the value of a numeral, optionally after a `-`.
pub(crate) fn integer(text: &str) -> Option<IBig> {
    match text.strip_prefix('-') {
        Some(magnitude) => numeral(magnitude).map(|n| -IBig::from(n)),
        None => numeral(text).map(IBig::from),
    }
}

/// Returns the code points of a string literal's inside (between the quotes), where `""` stands for `"`.
///
/// A malformed or out-of-range escape is not an escape: its characters are literal, as the standard says. A character
/// above [`MAX_CODE_POINT`] cannot be an SMT-LIB character; `None` then.
pub fn unescape(inside: &str, escapes: Escapes) -> Option<Box<[u32]>> {
    let mut out = Vec::with_capacity(inside.len());
    let mut rest = inside;
    while let Some(c) = rest.chars().next() {
        if c == '\\'
            && let Some((value, length)) = escape_at(rest.as_bytes(), escapes)
        {
            out.push(value);
            rest = &rest[length..];
            continue;
        }
        if c as u32 > MAX_CODE_POINT {
            return None;
        }
        out.push(c as u32);
        let doubled = c == '"' && rest.as_bytes().get(1) == Some(&b'"');
        rest = &rest[c.len_utf8() + usize::from(doubled)..];
    }
    Some(out.into())
}

/// Returns the escape at the start of `text` (a backslash): its value and its length in bytes.
fn escape_at(text: &[u8], escapes: Escapes) -> Option<(u32, usize)> {
    let hex = |digits: &[u8]| -> Option<u32> {
        let text = std::str::from_utf8(digits).ok()?;
        digits.iter().all(u8::is_ascii_hexdigit).then(|| u32::from_str_radix(text, 16).ok()).flatten()
    };
    match (text.get(1)?, escapes) {
        (b'u', _) if text.get(2) == Some(&b'{') => {
            let end = text.iter().take(9).position(|&b| b == b'}')?;
            let digits = &text[3..end];
            let value = (1..=5).contains(&digits.len()).then(|| hex(digits)).flatten()?;
            (value <= MAX_CODE_POINT).then_some((value, end + 1))
        }
        (b'u', _) => Some((hex(text.get(2..6)?)?, 6)),
        (b'x', Escapes::Legacy) => Some((hex(text.get(2..4)?)?, 4)),
        (b'0'..=b'7', Escapes::Legacy) => {
            let length = text[1..].iter().take(3).take_while(|b| (b'0'..=b'7').contains(b)).count();
            let value = text[1..1 + length].iter().fold(0u32, |v, b| v * 8 + u32::from(b - b'0'));
            (value < 256).then_some((value, length + 1))
        }
        (&b, Escapes::Legacy) => {
            let value = match b {
                b'a' => 7,
                b'b' => 8,
                b't' => 9,
                b'n' => 10,
                b'v' => 11,
                b'f' => 12,
                b'r' => 13,
                b'e' => 27,
                b'\\' => 92,
                _ => return None,
            };
            Some((value, 2))
        }
        _ => None,
    }
}
