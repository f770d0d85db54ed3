//! Installs solvers that are Rust crates.

use super::{fleet, quiet, remains, spec};
use solver::install::InstallError;
use solver::sources::path::SearchPath;
use std::path::PathBuf;

/// Makes a folder with a `cargo` that is a shell script.
fn fake_cargo(body: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    testing::executable(&folder.path().join("cargo"), &format!("#!/bin/sh\n{body}\n"));
    folder
}

#[test]
fn what_can_go_wrong_with_a_crate_is_told_and_leaves_nothing_behind() {
    let check = |name: &str, body: Option<&str>, text: &str, expect: &str| {
        let cache = tempfile::tempdir().unwrap();
        let cargo = body.map(fake_cargo);
        let path = cargo.iter().map(|folder| folder.path().to_path_buf()).collect();
        let error =
            fleet(cache.path(), SearchPath::new(path)).ensure(&spec(text), &mut quiet).expect_err(name).to_string();
        assert!(error.contains(expect), "{name}: {error}");
        assert_eq!(remains(cache.path()), Vec::<PathBuf>::new(), "{name}");
    };
    check("no cargo", None, "oxiz@0.3.4", "cargo is missing");
    check(
        "offline",
        Some("echo \"error: failed to query\" >&2; echo '  [6] Could not resolve host: x' >&2; exit 101"),
        "oxiz@0.3.4",
        "cargo cannot reach its registry for oxiz-cli",
    );
    check(
        "no such crate",
        Some("echo 'note: hello' >&2; echo 'error: could not find `oxiz-cli` in registry' >&2; exit 101"),
        "oxiz@0.3.4",
        "cargo failed for oxiz-cli: error: could not find `oxiz-cli` in registry",
    );
}

/// Prints a message if cargo's registry cannot be reached.
#[test]
fn a_crate_has_versions_and_a_wrong_one_is_answered_with_the_one_that_was_meant() {
    let cache = tempfile::tempdir().unwrap();
    let fleet = fleet(cache.path(), SearchPath::of_environment());
    let versions = match fleet.remote_versions("oxiz") {
        Ok(versions) => versions,
        Err(error @ (InstallError::CargoOffline { .. } | InstallError::NoCargo | InstallError::Cargo { .. })) => {
            println!("{error}");
            testing::require::<()>("oxiz", None);
            return;
        }
        Err(error) => panic!("{error}"),
    };
    assert!(versions.contains(&"0.3.4".to_string()), "{versions:?}");
    let error = fleet.install(&spec("oxiz@0.3.44"), &mut quiet).unwrap_err().to_string();
    assert!(error.contains("there is no oxiz 0.3.44; did you mean oxiz@0.3.4? cargo offers "), "{error}");
    assert_eq!(remains(cache.path()), Vec::<PathBuf>::new());
}
