//! The maps between words and integers: digits, code points and decimal numerals.

use dashu_base::{BitTest, Sign};
use dashu_int::{IBig, UBig};

use super::StringsError;
use super::value::{MAX_CODE_POINT, SmtString};

/// The longest decimal numeral, without leading zeros, that `str.to_int` and `str.from_int` convert; conversion of a
/// numeral is not linear, and beyond this length it would take more than a second.
pub const MAX_DECIMAL_DIGITS: usize = 1_000_000;

/// `str.is_digit`: whether the word is one character of the range `0`..=`9`.
pub fn is_digit(word: &SmtString) -> bool {
    matches!(word.code_points(), [only] if decimal_digit(*only).is_some())
}

/// `str.to_code`: the code point of a word of one character, else -1.
pub fn to_code(word: &SmtString) -> IBig {
    match word.code_points() {
        [only] => IBig::from(*only),
        _ => IBig::NEG_ONE,
    }
}

/// `str.from_code`: the word of that one code point when it is in 0..=0x2FFFF, else the empty word.
pub fn from_code(number: &IBig) -> SmtString {
    match u32::try_from(number) {
        Ok(code_point) if code_point <= MAX_CODE_POINT => SmtString::from_valid(&[code_point]),
        _ => SmtString::empty(),
    }
}

/// `str.to_int`: the number a non-empty word of digits denotes in base 10, leading zeros allowed; -1 for any other word.
/// Fails on more than [`MAX_DECIMAL_DIGITS`] digits after the leading zeros.
pub fn to_int(word: &SmtString) -> Result<IBig, StringsError> {
    let code_points = word.code_points();
    if code_points.is_empty() || code_points.iter().any(|&c| decimal_digit(c).is_none()) {
        return Ok(IBig::NEG_ONE);
    }
    let zeros = code_points.iter().take_while(|&&c| c == u32::from(b'0')).count();
    let significant = &code_points[zeros..];
    check_digits(significant.len())?;
    if significant.is_empty() {
        return Ok(IBig::ZERO);
    }
    // Every character is an ASCII digit, checked above, so the narrowing keeps it.
    let text: String = significant.iter().map(|&c| char::from(c as u8)).collect();
    let number = UBig::from_str_radix(&text, 10)
        .map_err(|_| StringsError::TooManyDigits { digits: significant.len(), bound: MAX_DECIMAL_DIGITS })?;
    Ok(IBig::from(number))
}

/// `str.from_int`: the decimal numeral of a non-negative number without leading zeros, else the empty word.
/// Fails on more than [`MAX_DECIMAL_DIGITS`] digits.
pub fn from_int(number: &IBig) -> Result<SmtString, StringsError> {
    if number.sign() == Sign::Negative {
        return Ok(SmtString::empty());
    }
    // 2^332 has 100 digits: the bits give a cheap lower bound of the digits.
    let bits = number.bit_len();
    check_digits((bits / 333).saturating_mul(100))?;
    let digits: Vec<u32> = number.to_string().bytes().map(u32::from).collect();
    check_digits(digits.len())?;
    Ok(SmtString::from_valid(&digits))
}

fn check_digits(digits: usize) -> Result<(), StringsError> {
    if digits > MAX_DECIMAL_DIGITS {
        return Err(StringsError::TooManyDigits { digits, bound: MAX_DECIMAL_DIGITS });
    }
    Ok(())
}

fn decimal_digit(code_point: u32) -> Option<u32> {
    char::from_u32(code_point).and_then(|c| c.to_digit(10))
}
