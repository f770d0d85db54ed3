//! Parameters by name: what is accepted, what is refused, and that a record of them gives them again.

use mutate::mutators::{REGISTRY, find};
use mutate::storm::{PARAMETERS, StormConfig};

fn check(name: &str, value: &str, good: bool) {
    assert_eq!(StormConfig::with(&[(name, value)]).is_ok(), good, "{name} = {value}");
}

#[test]
fn values_are_checked() {
    for (name, value, good) in [
        ("max-depth", "0", true),
        ("max-depth", "-1", false),
        ("max-asserts", "1", true),
        ("max-asserts", "0", false),
        ("constructed", "200-1500", true),
        ("constructed", "300", true),
        ("constructed", "300-200", false),
        ("mutants", "0-5", false),
        ("mutants", "many", false),
        ("initial-operand", "100", true),
        ("initial-operand", "101", false),
        ("tactics", "horn; (then simplify smt)", true),
        ("assignment", "model", true),
        ("assignment", "guess", false),
        ("depth", "3", false),
    ] {
        check(name, value, good);
    }
}

#[test]
fn errors_say_what_is_expected() {
    let error = StormConfig::with(&[("depth", "3")]).unwrap_err().to_string();
    assert!(error.starts_with("`storm` has no parameter `depth`; it has max-depth, "), "{error}");
    let error = StormConfig::with(&[("incremental", "200")]).unwrap_err().to_string();
    assert_eq!(error, "`200` is not a value for `incremental`: expected a percentage from 0 to 100");
}

/// A row tells and sets one field of its own.
#[test]
fn each_parameter_is_told_as_it_was_set() {
    let default = StormConfig::default().settings();
    for (n, (name, value)) in default.iter().enumerate() {
        let other = match (*name, value.as_str()) {
            ("tactics", _) => "horn",
            ("assignment", _) => "search",
            (_, value) if value.contains('-') => "2-3",
            _ => "99",
        };
        let mut expect = default.clone();
        expect[n].1 = other.to_string();
        let config = StormConfig::with(&[(name, other)]).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(config.settings(), expect);
    }
}

#[test]
fn documented_defaults_are_the_defaults() {
    let defaults = PARAMETERS.parameters();
    let settings: Vec<(&str, &str)> = defaults.iter().map(|p| (p.name, p.default.as_str())).collect();
    assert_eq!(StormConfig::with(&settings), Ok(StormConfig::default()));
    for entry in REGISTRY {
        let defaults = (entry.parameters)();
        let settings: Vec<(&str, &str)> = defaults.iter().map(|p| (p.name, p.default.as_str())).collect();
        assert!((entry.build)(&settings).is_ok(), "{}", entry.name);
    }
}

#[test]
fn a_record_gives_the_parameters_again() {
    let config =
        StormConfig::with(&[("tactics", "horn;(then simplify smt)"), ("mutants", "7"), ("max-depth", "3")]).unwrap();
    let record = config.settings();
    let settings: Vec<(&str, &str)> = record.iter().map(|(n, v)| (*n, v.as_str())).collect();
    assert_eq!(StormConfig::with(&settings), Ok(config));
}

#[test]
fn the_registry_finds_its_mutators() {
    let storm = find("storm").expect("storm is registered");
    assert!((storm.build)(&[("max-asserts", "3")]).is_ok());
    assert!((storm.build)(&[("max-asserts", "none")]).is_err());
    assert!(find("strom").is_none());
}
