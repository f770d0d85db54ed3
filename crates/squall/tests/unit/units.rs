//! Times and sizes are read and written in one way.

use super::*;

/// Compares a value, or a part of the error.
fn check<T: PartialEq + std::fmt::Debug>(read: Result<T, String>, expect: Result<T, &str>, text: &str) {
    match (read, expect) {
        (Ok(read), Ok(expect)) => assert_eq!(read, expect, "{text}"),
        (Err(said), Err(expect)) => assert!(said.contains(expect) && said.contains("write a"), "{text}: {said}"),
        (read, expect) => panic!("{text}: {read:?}, not {expect:?}"),
    }
}

#[test]
fn times_are_read() {
    let check = |text: &str, expect: Result<u64, &str>| check(time(text).map(|d| d.as_millis() as u64), expect, text);
    check("60s", Ok(60_000));
    check("1.5m", Ok(90_000));
    check("2min", Ok(120_000));
    check("250ms", Ok(250));
    check("7", Ok(7_000));
    check("0.5", Ok(500));
    check(" 2 h ", Ok(7_200_000));
    check("1D", Ok(86_400_000));
    check("0s", Err("less than 1ms"));
    check("0", Err("less than 1ms"));
    check("-1s", Err("begin with a number"));
    check("1y", Err("'y' is not a unit of time"));
    check("1GiB", Err("'GiB' is not a unit of time"));
    check("s", Err("begin with a number"));
    check("1.2.3s", Err("begin with a number"));
    check("", Err("begin with a number"));
    check("NaN", Err("begin with a number"));
    check("99999999999999h", Err("100 years"));
}

#[test]
fn sizes_are_read() {
    let check = |text: &str, expect: Result<u64, &str>| check(size(text), expect, text);
    check("2GiB", Ok(2 << 30));
    check("512mib", Ok(512 << 20));
    check("1M", Ok(1 << 20));
    check("1.5 GiB", Ok(3 << 29));
    check("4096KiB", Ok(4 << 20));
    check("3000000", Err("bytes or MiB"));
    check("4096", Err("bytes or MiB"));
    check("10KiB", Err("less than 1MiB"));
    check("2 Gi", Err("'Gi' is not a unit of size"));
    check("2GB", Err("'GB' is not a unit of size"));
    check("", Err("begin with a number"));
    check("9999999TiB", Err("more than 1 EB"));
    let check = |text: &str, expect: Result<u64, &str>| super::tests::check(file_size(text), expect, text);
    check("64KiB", Ok(64 << 10));
    check("0.5KiB", Err("less than 1KiB"));
    check("9999999TiB", Err("more than 1 EB"));
}

#[test]
fn times_are_shown() {
    let check = |seconds: f64, expect: &str| assert_eq!(time_text(seconds), expect, "{seconds}");
    check(0.0, "0s");
    check(f64::NAN, "0s");
    check(0.000_42, "0.42ms");
    check(0.002, "2ms");
    check(0.25, "250ms");
    check(0.9994, "999ms");
    check(1.0, "1s");
    check(7.25, "7.2s");
    check(20.0, "20s");
    check(119.6, "120s");
    check(725.0, "12m 5s");
    check(36_000.0, "10h 0m");
    check(183_600.0, "2d 3h");
    check(f64::INFINITY, "more than 100 years");
}

#[test]
fn sizes_are_shown() {
    let check = |bytes: u64, expect: &str| assert_eq!(size_text(bytes), expect, "{bytes}");
    check(1, "1 byte");
    check(700, "700 bytes");
    check(2560, "2.5KiB");
    check(64 << 20, "64MiB");
    check(2 << 30, "2GiB");
}

#[test]
fn what_is_shown_without_a_second_unit_is_read_as_the_same() {
    for seconds in [0.002, 0.25, 1.0, 7.5, 20.0, 99.0, 300.0] {
        assert_eq!(time(&time_text(seconds)), Ok(Duration::from_secs_f64(seconds)));
    }
    for bytes in [1 << 20, 3 << 29, 2 << 30] {
        assert_eq!(size(&size_text(bytes)), Ok(bytes));
    }
}
