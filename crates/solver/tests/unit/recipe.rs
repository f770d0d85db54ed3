//! Unit tests of `src/recipe.rs`.

use super::*;

#[test]
fn a_crate_version_tells_the_version_of_the_solver() {
    let check = |pattern: &str, version: &str, expect: Option<&str>| {
        let pattern = VersionPattern::parse(pattern);
        let found = pattern.map(|pattern| pattern.apply(&version.parse().unwrap()).to_string());
        assert_eq!(found.as_deref(), expect, "{version}");
    };
    check("{1/100}.{1%100}.{2}", "503.3.0", Some("5.3.3"));
    check("{1/100}.{1%100}.{2}", "416.0.1", Some("4.16.0"));
    check("{2}.{3}.{4}", "0.8", Some("8.0.0"));
    for bad in ["", "{0}", "{1/0}", "{1/2%3}", "{1}-{2}", "1.2", "{x}"] {
        check(bad, "1.2.3", None);
    }
    assert_eq!(VersionPattern::default().apply(&"0.8.0".parse().unwrap()).to_string(), "0.8.0");
}

#[test]
fn places_are_filled_in() {
    let places = BuildPlaces { source: Path::new("/s"), build: Path::new("/b c"), jobs: 3 };
    let words = ["{cxx}", "{flags}", "-o", "{build}/x{jobs}", "{source}/a.cpp", "{other}"].map(String::from);
    let (cxx, flags) = (["c++", "-stdlib=libc++"].map(OsString::from), ["-O1", "-g"].map(OsString::from));
    let found = filled(&words, &places, &cxx, &flags);
    assert_eq!(found, ["c++", "-stdlib=libc++", "-O1", "-g", "-o", "/b c/x3", "/s/a.cpp", "{other}"]);
}
