//! Times and sizes: how command lines write them, and how they are shown.
//!
//! A time without a unit is in seconds. A size without a unit is rejected: it could be in bytes or MiB.

use crate::render::axes::MAX_SECONDS;
pub use crate::render::axes::time_text;
use std::time::Duration;

/// The minimum and maximum time, in seconds: 1 ms, and a bit more than 100 years.
const TIMES: std::ops::RangeInclusive<f64> = 1e-3..=MAX_SECONDS;
/// The minimum and maximum size, in bytes: 1 MiB, and about 1 EB.
const SIZES: std::ops::RangeInclusive<f64> = 1048576.0..=1e18;

/// Units of time in seconds; no unit is seconds.
const TIME_UNITS: [(&str, f64); 7] =
    [("ms", 1e-3), ("s", 1.0), ("min", 60.0), ("m", 60.0), ("h", 3600.0), ("d", 86400.0), ("", 1.0)];

/// Binary units of size in bytes; `G` means `GiB`.
const SIZE_UNITS: [(&str, f64); 8] = [
    ("KiB", 1024.0),
    ("MiB", 1048576.0),
    ("GiB", 1073741824.0),
    ("TiB", 1099511627776.0),
    ("K", 1024.0),
    ("M", 1048576.0),
    ("G", 1073741824.0),
    ("T", 1099511627776.0),
];

/// Reads a time: `500ms`, `60s`, `10m`, `2h`, `1d`; a number alone is seconds.
/// Errors: no number, an unknown unit, or outside of 1 ms to 100 years. The error says what to write instead.
pub fn time(text: &str) -> Result<Duration, String> {
    const WRITE: &str = "write a time as 500ms, 60s, 10m, 2h or 1d; a number alone is seconds";
    let (number, unit) = number_and_unit(text, WRITE)?;
    let factor = factor(unit, &TIME_UNITS).ok_or_else(|| format!("'{unit}' is not a unit of time; {WRITE}"))?;
    match number * factor {
        s if TIMES.contains(&s) => Ok(Duration::from_secs_f64(s)),
        s if s < *TIMES.start() => Err(format!("it is less than 1ms; {WRITE}")),
        _ => Err(format!("it is more than 100 years; {WRITE}")),
    }
}

/// Reads a size of memory: `512MiB`, `2GiB`, `4G`, all binary.
/// Errors: no number, no unit or an unknown one, or outside of 1 MiB to 1 EB. The error says what to write instead.
pub fn size(text: &str) -> Result<u64, String> {
    size_from(text, (*SIZES.start(), "1MiB"), "write a size as 512MiB or 2GiB")
}

/// Reads a size of a file: `64KiB`, `1MiB`.
/// Errors: no number, no unit or an unknown one, or outside of 1 KiB to 1 EB. The error says what to write instead.
pub fn file_size(text: &str) -> Result<u64, String> {
    size_from(text, (1024.0, "1KiB"), "write a size as 64KiB or 1MiB")
}

fn size_from(text: &str, (least, least_text): (f64, &str), write: &str) -> Result<u64, String> {
    let (number, unit) = number_and_unit(text, write)?;
    if unit.is_empty() {
        return Err(format!("a number alone could be bytes or MiB; {write}"));
    }
    let factor = factor(unit, &SIZE_UNITS).ok_or_else(|| format!("'{unit}' is not a unit of size; {write}"))?;
    match number * factor {
        bytes if (least..=*SIZES.end()).contains(&bytes) => Ok(bytes as u64),
        bytes if bytes < least => Err(format!("it is less than {least_text}; {write}")),
        _ => Err(format!("it is more than 1 EB; {write}")),
    }
}

/// Returns a size for people, as `size` reads it: `700 bytes`, `2.5KiB`, `64MiB`, `2GiB`.
pub fn size_text(bytes: u64) -> String {
    const STEPS: [(&str, f64); 4] =
        [("TiB", 1099511627776.0), ("GiB", 1073741824.0), ("MiB", 1048576.0), ("KiB", 1024.0)];
    match STEPS.iter().find(|(_, step)| bytes as f64 >= *step) {
        Some((unit, step)) => crate::render::axes::trimmed(bytes as f64 / step, 1, unit),
        None => crate::render::say::counted(bytes, "byte"),
    }
}

/// Returns the number at the beginning of a text and what follows it.
fn number_and_unit<'a>(text: &'a str, write: &str) -> Result<(f64, &'a str), String> {
    let text = text.trim();
    let split = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let number = number.parse().map_err(|_| format!("it does not begin with a number; {write}"))?;
    Ok((number, unit.trim()))
}

fn factor(unit: &str, units: &[(&str, f64)]) -> Option<f64> {
    units.iter().find(|(name, _)| name.eq_ignore_ascii_case(unit)).map(|(_, factor)| *factor)
}

#[cfg(test)]
#[path = "../../tests/unit/units.rs"]
mod tests;
