//! Times, sizes, shards and settings as people write them on a command line.

use ::fuzz::schedule::ledger::Shard;
use std::time::Duration;

/// `500ms`, `60s`, `10m`, `2h`, `1d`; a number alone is seconds. At least 1 ms, at most 100 years.
pub fn duration(text: &str) -> Result<Duration, String> {
    const UNITS: [(&str, f64); 6] = [("ms", 1e-3), ("s", 1.0), ("m", 60.0), ("h", 3600.0), ("d", 86400.0), ("", 1.0)];
    let seconds = number_with_unit(text, &UNITS)
        .filter(|s| (1e-3..=3.2e9).contains(s))
        .ok_or("write a time above zero as 500ms, 60s, 10m or 2h")?;
    Ok(Duration::from_secs_f64(seconds))
}

/// `512MiB`, `2GiB`, `4G`; a number alone is bytes. At least 1 MiB.
pub fn size(text: &str) -> Result<u64, String> {
    const UNITS: [(&str, f64); 9] = [
        ("KiB", 1024.0),
        ("MiB", 1048576.0),
        ("GiB", 1073741824.0),
        ("TiB", 1099511627776.0),
        ("K", 1024.0),
        ("M", 1048576.0),
        ("G", 1073741824.0),
        ("T", 1099511627776.0),
        ("", 1.0),
    ];
    let bytes = number_with_unit(text, &UNITS)
        .filter(|b| (1048576.0..=1e18).contains(b))
        .ok_or("write a size of at least 1MiB as 512MiB or 2GiB")?;
    Ok(bytes as u64)
}

/// `K/N`: part K of N, from `1/1` on.
pub fn shard(text: &str) -> Result<Shard, String> {
    let parts = text.split_once('/').and_then(|(k, n)| Some((k.trim().parse::<u64>().ok()?, n.trim().parse().ok()?)));
    match parts {
        Some((k, n)) if k >= 1 && k <= n => Ok(Shard { first: k - 1, step: n }),
        _ => Err("write K/N with K from 1 to N, as in 2/8".to_string()),
    }
}

/// A share of a whole, from 0 to 1.
pub fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "write a share from 0 to 1, as in 0.2".to_string())
}

/// `NAME=VALUE`.
pub fn setting(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("write NAME=VALUE, as in max-checks=4")?;
    Ok((name.trim().to_string(), value.trim().to_string()))
}

fn number_with_unit(text: &str, units: &[(&str, f64)]) -> Option<f64> {
    let split = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let number: f64 = number.parse().ok()?;
    let (_, factor) = units.iter().find(|(name, _)| name.eq_ignore_ascii_case(unit.trim()))?;
    Some(number * factor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_read() {
        let check = |text: &str, expect: Option<f64>| assert_eq!(share(text).ok(), expect, "{text}");
        check("0.2", Some(0.2));
        check("0", Some(0.0));
        check("1", Some(1.0));
        check("1.1", None);
        check("-0.1", None);
        check("NaN", None);
        check("a fifth", None);
    }

    #[test]
    fn times_are_read() {
        let check = |text: &str, expect: Option<u64>| {
            assert_eq!(duration(text).ok().map(|d| d.as_millis() as u64), expect, "{text}");
        };
        check("60s", Some(60_000));
        check("1.5m", Some(90_000));
        check("250ms", Some(250));
        check("7", Some(7_000));
        check("2h", Some(7_200_000));
        check("0s", None);
        check("-1s", None);
        check("1y", None);
        check("s", None);
        check("99999999999999h", None);
    }

    #[test]
    fn sizes_are_read() {
        let check = |text: &str, expect: Option<u64>| assert_eq!(size(text).ok(), expect, "{text}");
        check("2GiB", Some(2 << 30));
        check("512mib", Some(512 << 20));
        check("1M", Some(1 << 20));
        check("3000000", Some(3_000_000));
        check("10", None);
        check("2 Gi", None);
        check("", None);
    }

    #[test]
    fn shards_are_read() {
        let check = |text: &str, expect: Option<(u64, u64)>| {
            assert_eq!(shard(text).ok().map(|shard| (shard.first, shard.step)), expect, "{text}");
        };
        check("1/1", Some((0, 1)));
        check("8/8", Some((7, 8)));
        check("0/8", None);
        check("9/8", None);
        check("2", None);
        check("-1/2", None);
    }

    #[test]
    fn settings_are_read() {
        assert_eq!(setting("max-checks=4"), Ok(("max-checks".to_string(), "4".to_string())));
        assert!(setting("max-checks").is_err());
    }
}
