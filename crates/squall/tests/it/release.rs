//! The parts of a release agree: one version everywhere, and packages that name the program's crate.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn text(name: &str) -> String {
    fs::read_to_string(root().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Returns version and date of a changelog's newest release, `## 1.2.3 - 2026-01-31`, which `## Unreleased` may precede.
fn top_section(changelog: &str) -> Option<(String, String)> {
    let heading =
        changelog.lines().filter_map(|line| line.strip_prefix("## ")).find(|heading| *heading != "Unreleased")?;
    let (version, date) = heading.split_once(" - ")?;
    let has_form = |text: &str, separator: char, lengths: Option<[usize; 3]>| {
        let parts: Vec<&str> = text.split(separator).collect();
        parts.len() == 3
            && parts.iter().all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()))
            && lengths.is_none_or(|lengths| parts.iter().map(|part| part.len()).eq(lengths))
    };
    let is_right = has_form(version, '.', None) && has_form(date, '-', Some([4, 2, 2]));
    is_right.then(|| (version.to_string(), date.to_string()))
}

#[test]
fn a_top_section_has_a_version_and_a_date() {
    let check = |changelog: &str, expect: Option<(&str, &str)>| {
        let found = top_section(changelog);
        assert_eq!(found.as_ref().map(|(version, date)| (version.as_str(), date.as_str())), expect, "{changelog}");
    };
    check("# Changelog\n\n## 0.2.0 - 2026-11-23\n\n## 0.1.0 - 2026-01-02\n", Some(("0.2.0", "2026-11-23")));
    check("## Unreleased\n\n## 0.1.0 - 2026-01-02\n", Some(("0.1.0", "2026-01-02")));
    check("## Unreleased\n", None);
    check("## 0.2 - 2026-11-23\n", None);
    check("## 0.2.0 - 23.11.2026\n", None);
    check("", None);
}

#[test]
fn every_file_names_the_version_of_the_program() {
    let version = env!("CARGO_PKG_VERSION");
    let (newest, date) = top_section(&text("CHANGELOG.md")).expect("the top section has a version and a date");
    assert_eq!(newest, version, "CHANGELOG.md");
    let citation = text("CITATION.cff");
    assert!(citation.contains(&format!("\nversion: {version}\n")), "CITATION.cff has another version than {version}");
    assert!(citation.contains(&format!("\ndate-released: \"{date}\"\n")), "CITATION.cff has another date than {date}");
    let install = text("docs/install.md");
    assert!(
        install.contains(&format!("squall-{version}-x86_64")),
        "docs/install.md has another version than {version}"
    );
}

#[test]
fn the_python_package_is_the_program() {
    let package: toml::Table = toml::from_str(&text("pyproject.toml")).expect("TOML");
    let crate_file: toml::Table = toml::from_str(&text("crates/squall/Cargo.toml")).expect("TOML");
    let maturin = &package["tool"]["maturin"];
    assert_eq!(maturin["bindings"].as_str(), Some("bin"));
    assert_eq!(maturin["manifest-path"].as_str(), Some("crates/squall/Cargo.toml"));
    for feature in maturin["features"].as_array().expect("features") {
        let feature = feature.as_str().expect("a name");
        assert!(crate_file["features"].get(feature).is_some(), "there is no feature {feature}");
    }
    assert_eq!(package["project"]["description"], crate_file["package"]["description"]);
    assert_eq!(package["project"]["keywords"], crate_file["package"]["keywords"]);
}

#[test]
fn files_that_workflows_run_exist() {
    let check = |workflow: &str, words: &str, file: &str| {
        assert!(text(workflow).contains(words), "{workflow} does not say '{words}'");
        assert!(root().join(file).is_file(), "{workflow} needs {file}");
    };
    check(".github/workflows/ci.yml", "run: .ci/run\n", ".ci/run");
    check(".github/workflows/ci.yml", "uses: ./action\n", "action/action.yml");
    check(".github/workflows/ci.yml", "docker build --tag squall .\n", "Dockerfile");
    check(".github/workflows/release.yml", "run: .ci/wheel dist\n", ".ci/wheel");
    check(".github/workflows/release.yml", "run: .ci/archive \"$TARGET\" dist\n", ".ci/archive");
    check(".ci/nightly", "\n.ci/wheel\n", ".ci/wheel");
}

/// Documents and workflows install the published wheels: their hashes are known.
#[test]
fn wheels_that_are_installed_by_name_are_known_by_their_hashes() {
    let profiles = solver::profiles::Profiles::embedded();
    let mut count = 0;
    let folders =
        [".ci", ".github/workflows", "action"].map(|folder| fs::read_dir(root().join(folder)).expect("a folder"));
    let files = folders.into_iter().flatten().map(|entry| entry.expect("a file").path());
    let documents = ["README.md", "Dockerfile", "docs/install.md", "docs/ci.md", "docs/tutorial.md", "docs/cluster.md"];
    for path in files.chain(documents.map(|name| root().join(name))) {
        let text = fs::read_to_string(&path).expect("a text");
        let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || "@.-+".contains(c)));
        for (name, version) in words.filter_map(|word| word.trim_matches(['.', '-']).split_once('@')) {
            let (Ok(profile), Ok(version)) = (profiles.get(name), version.parse::<solver::version::Version>()) else {
                continue;
            };
            if profile.wheel.is_some() && version.as_str().starts_with(|c: char| c.is_ascii_digit()) {
                let is_known = solver::sources::wheel::is_locked(profile, &version.release());
                assert!(is_known, "{name}@{version} of {} is not in wheels.sha256", path.display());
                count += 1;
            }
        }
    }
    assert!(count > 20, "{count}");
}
