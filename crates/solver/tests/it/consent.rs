//! Tests of `consent`.

use solver::cache::SolverCache;
use solver::consent::{Consent, Consents};
use solver::install::Fleet;
use solver::profile::Profile;
use solver::profiles::Profiles;
use solver::sources::path::SearchPath;
use std::path::Path;

fn profile() -> Profile {
    let text = "name = \"z3\"\nswitches = [\"smt.mbqi=false\"]\n[options]\nbase = [\"-in\"]\nrandom-seed = [\"smt.random_seed={seed}\"]\n\
                [[choice]]\noption = \"--level {}\"\nvalues = [\"1\", \"2\"]\n";
    toml::from_str(text).expect("a profile")
}

/// A record may name a release and options that its profile lists. Everything else needs the user's consent.
#[test]
fn what_needs_consent_is_told() {
    let check = |spec: &str, expect: Option<&str>| {
        let consent = Consent::solver(&spec.parse().expect("a solver"), &profile());
        assert_eq!(consent.as_ref().map(Consent::subject), expect, "{spec}");
    };
    check("z3@4.8.7", None);
    check("z3", None);
    check("builtin:sat", None);
    check("z3@4.8.7 smt.mbqi=false smt.random_seed=17 --level 2", None);
    check("z3@4.8.7 smt.random_seed=1x", Some("z3 smt.random_seed=1x"));
    check("z3@4.8.7 trace=true", Some("z3 trace=true"));
    check("z3+old@4.8.7 -o:/etc/x", Some("z3 -o:/etc/x"));
    check("/nonexistent/prog", Some("/nonexistent/prog"));
    check("z3:/nonexistent/z3@4.8.7 smt.mbqi=false -x", Some("/nonexistent/z3@4.8.7 -x"));
}

/// A program of an unknown name is recognized by its version output, and a campaign draws options of that profile: replay once refused its
/// findings.
#[test]
fn options_of_any_profile_may_be_drawn_for_a_program_of_an_unknown_name() {
    let fleet =
        Fleet::new(Profiles::embedded(), SolverCache::at(Path::new("/nonexistent")), SearchPath::new(Vec::new()));
    let check = |spec: &str, expect: &str| {
        let consent = fleet.consent(&spec.parse().expect("a solver"));
        assert_eq!(consent.as_ref().map(Consent::subject), Some(expect), "{spec}");
    };
    check("/nonexistent/myz3 smt.relevancy=0 -in", "/nonexistent/myz3");
    check("/nonexistent/mine trace=true smt.relevancy=0", "/nonexistent/mine trace=true");
    check("/nonexistent/mine -o:/etc/x", "/nonexistent/mine -o:/etc/x");
}

#[test]
fn a_consent_is_for_one_path_and_one_content() {
    let folder = tempfile::tempdir().expect("a folder");
    let (a, b) = (folder.path().join("a.toml"), folder.path().join("b.toml"));
    let mut consents = Consents::at(folder.path());
    consents.give(Consent::settings(&a, b"x")).expect("it is kept");
    let again = Consents::at(folder.path());
    let check = |file: &Path, content: &[u8], expect: bool| {
        assert_eq!(again.has(&Consent::settings(file, content)), expect, "{} {content:?}", file.display());
    };
    check(&a, b"x", true);
    check(&a, b"y", false);
    check(&b, b"x", false);
    assert_eq!(again.list(), [format!("settings {}", a.display())]);
    assert_eq!(consents.withdraw(&b).expect("it is read"), 0);
    assert_eq!(consents.withdraw(&a).expect("it is removed"), 1);
    check(&a, b"x", false);
    // If nothing can be stored, a consent applies to the run.
    let mut nowhere = Consents::default();
    assert!(nowhere.give(Consent::command_part("command", "true")).is_err());
    assert!(
        nowhere.has(&Consent::command_part("command", "true"))
            && !nowhere.has(&Consent::command_part("command", "false"))
    );
}
