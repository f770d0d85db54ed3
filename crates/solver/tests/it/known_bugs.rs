//! Scripts on which a released z3 is known to fail: each is classified as listed.

use std::time::Duration;

use solver::cache::SolverCache;
use solver::install::{Fleet, InstallError, InstallEvent};
use solver::process::ProcessLimits;
use solver::profiles::Profiles;
use solver::session::SessionNeeds;
use solver::sources::path::SearchPath;

#[test]
fn known_bugs_of_z3_are_recognised() {
    let Some(shared) = testing::shared("known-bugs/manifest.tsv") else { return };
    let cache = tempfile::tempdir().unwrap();
    let fleet = Fleet::new(Profiles::embedded(), SolverCache::at(cache.path()), SearchPath::of_environment());
    let installed = match fleet.ensure(&"z3@4.8.7".parse().unwrap(), &mut |_: &InstallEvent<'_>| {}) {
        Ok(installed) => installed,
        Err(error @ (InstallError::Offline { .. } | InstallError::NoPython | InstallError::NoPip { .. })) => {
            println!("{error}");
            testing::require::<()>("z3@4.8.7", None);
            return;
        }
        Err(error) => panic!("{error}"),
    };
    let solver = fleet.solver(installed);
    let limits = ProcessLimits { wall: Duration::from_secs(120), ..ProcessLimits::default() };
    let manifest = std::fs::read_to_string(shared.join("known-bugs/manifest.tsv")).unwrap();
    let mut withheld = Vec::new();
    for line in manifest.lines().skip(1) {
        let [file, _, options, behaviour, observed, ..] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("malformed line: {line}")
        };
        let script = std::fs::read_to_string(shared.join("known-bugs").join(file)).unwrap();
        let validate = if options == "-" { SessionNeeds::SINGLE } else { SessionNeeds::VALIDATE };
        let outcome = solver.check(&script, SessionNeeds::INCREMENTAL | validate, &limits).unwrap();
        let crashed = outcome.crash.is_some();
        // A bug that needs an option by which the solver writes a file cannot be shown.
        if !crashed && behaviour == "crash" && !solver.withheld(&script).is_empty() {
            withheld.push(file.to_string());
            continue;
        }
        assert_eq!(crashed, behaviour == "crash", "{file}: {:?}", outcome.crash);
        assert_eq!(!outcome.self_checks.is_empty(), behaviour == "invalid-model", "{file}");
        let said = |word: &str| outcome.answers.iter().any(|check| check.answer.word() == word);
        match behaviour {
            "wrong-sat" => assert!(said("sat"), "{file}: {observed}"),
            "wrong-unsat" => assert!(said("unsat"), "{file}: {observed}"),
            _ => {}
        }
    }
    let traced = ["z3test-3570.smt2", "z3test-3549.smt2", "z3test-3559.smt2"];
    assert_eq!(withheld, traced, "by `:trace true`, z3 writes a file");
}
