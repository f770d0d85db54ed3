//! Tests of `version`.

use solver::version::{Version, VersionRange, meant};
use std::cmp::Ordering;

#[test]
fn versions_compare_by_their_numbers() {
    let check = |left: &str, expect: Ordering, right: &str| {
        let (l, r): (Version, Version) = (left.parse().unwrap(), right.parse().unwrap());
        assert_eq!(l.cmp(&r), expect, "{left} against {right}");
        assert_eq!(l == r, expect.is_eq(), "{left} against {right}");
    };
    check("4.8.7", Ordering::Equal, "4.8.7.0");
    check("4.8.9", Ordering::Less, "4.8.10");
    check("4.8.0.0.post1", Ordering::Equal, "4.8");
    check("5.0", Ordering::Greater, "4.99.99");
    check("1.0.3-prerelease", Ordering::Equal, "1.0.3");
    for bad in ["", "latest", "v4", ".4"] {
        assert!(bad.parse::<Version>().is_err(), "{bad}");
    }
}

#[test]
fn what_a_version_was_compiled_with_is_no_part_of_its_number() {
    let check = |text: &str, instruments: Option<&str>, short: &str| {
        let version: Version = text.parse().unwrap();
        assert_eq!(version.instruments(), instruments, "{text}");
        assert_eq!(version.without_package_suffix().to_string(), short, "{text}");
        assert_eq!(version, short.parse().unwrap(), "{text}");
    };
    check("5.3.3+assertions", Some("assertions"), "5.3.3+assertions");
    check("5.3.3.0+assertions+asan", Some("assertions+asan"), "5.3.3+assertions+asan");
    check("5.3+asan", Some("asan"), "5.3.0+asan");
    check("1.4.2+local", None, "1.4.2");
    check("5.3.3", None, "5.3.3");
}

#[test]
fn ranges_hold_of_the_versions_they_name() {
    let check = |range: &str, version: Option<&str>, expect: bool| {
        let range: VersionRange = range.parse().unwrap();
        let version = version.map(|v| v.parse::<Version>().unwrap());
        assert_eq!(range.contains(version.as_ref()), expect, "{range:?} {version:?}");
    };
    check(">=4.8,<5", Some("4.8.0"), true);
    check(">=4.8,<5", Some("4.15.4"), true);
    check(">=4.8,<5", Some("5.0.0"), false);
    check("<4.8", Some("4.8"), false);
    check("*", None, true);
    check(">=1", None, false);
    for bad in ["", "4.8", ">=x", ">=4.8,"] {
        assert!(bad.parse::<VersionRange>().is_err(), "{bad}");
    }
}

#[test]
fn a_mistyped_version_is_told_from_another_one() {
    let check = |given: &str, expect: Option<&str>| {
        let versions = ["5.4.0", "4.15.4", "4.15.3", "4.8.17", "4.8.7", "4.8.5"];
        assert_eq!(meant(given, versions.into_iter()), expect, "{given}");
    };
    check("4.8.77", Some("4.8.7"));
    check("4.87", Some("4.8.7"));
    check("4.51.4", Some("4.15.4"));
    check("4.8.1", Some("4.8.17"));
    check("4.8.6", None);
    check("4.8.99", None);
    check("", None);
    check("latest", None);
    check("4.8.7", Some("4.8.17"));
}

#[test]
fn versions_are_found_in_what_programs_print() {
    let check = |text: &str, prefix: &str, expect: Option<&str>| {
        assert_eq!(Version::find(text, prefix).map(|v| v.to_string()), expect.map(str::to_string), "{text}");
    };
    check("Z3 version 4.8.7 - 64 bit", "Z3 version", Some("4.8.7"));
    check("This is cvc5 version 1.0.3 [git tag 1.0.3]", "version", Some("1.0.3"));
    check("Yices 2.6.5", "", Some("2.6.5"));
    check("3.2.2", "", Some("3.2.2"));
    check("no number here", "", None);
    check("Z3 4.8.7", "Z3 version", None);
    check("built 2.6.5; all rights reserved", "", Some("2.6.5"));
    check("9\u{7f}\u{0}", "", None);
    check("1.2\u{1b}]0;title\u{7}", "", Some("1.2"));
}
