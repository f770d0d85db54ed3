//! Dates and times of day, in UTC.

/// Seconds since 1970 as a date and time, by the rule of the Gregorian calendar.
pub fn utc(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    let mut year = 1970;
    let mut left = days;
    let is_leap = |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    // A clock that is off by a thousand years still ends the loop.
    while left >= 365 + u64::from(is_leap(year)) && year < 9999 {
        left -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let february = 28 + u64::from(is_leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30] {
        if left < length {
            break;
        }
        left -= length;
        month += 1;
    }
    format!("{year}-{month:02}-{:02} {:02}:{:02}", left + 1, rest / 3600, rest / 60 % 60)
}

/// Returns the date without the time of day.
pub fn day(seconds: u64) -> String {
    utc(seconds).chars().take_while(|c| *c != ' ').collect()
}

#[cfg(test)]
#[path = "../../tests/unit/date.rs"]
mod tests;
