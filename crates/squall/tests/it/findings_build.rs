//! The build and program that made a finding: two builds of one version are distinguished.

use crate::support::{ALWAYS, Stage, record, squall};
use sha2::{Digest, Sha256};

#[test]
fn the_version_names_the_commit_or_says_that_there_is_none() {
    let output = squall().arg("--version").output().expect("it runs");
    let words = String::from_utf8(output.stdout).expect("text");
    let expect = match option_env!("SQUALL_BUILD_COMMIT") {
        Some(commit) => format!("squall {} ({commit}", env!("CARGO_PKG_VERSION")),
        None => format!("squall {} (built without git)", env!("CARGO_PKG_VERSION")),
    };
    assert!(words.starts_with(&expect), "{words}");
}

#[test]
fn findings_and_campaigns_name_the_build_and_the_program() {
    let stage = Stage::new(ALWAYS);
    stage.fuzz("unsat", &["--units", "2", "--jobs", "1", "--reduce-share", "0", "--timeout", "60s"]);
    let found = stage.findings();
    let finding = record(found.first().expect("a wrong answer is found"));
    let campaign = std::fs::read_to_string(stage.out().join("campaign.json")).expect("a campaign");
    let campaign: serde_json::Value = serde_json::from_str(&campaign).expect("JSON");
    for place in [&finding["environment"], &campaign["build"]] {
        assert_eq!(place["squall"], env!("CARGO_PKG_VERSION"));
        assert_eq!(place["commit"].as_str(), option_env!("SQUALL_BUILD_COMMIT"));
        assert_eq!(place["dirty"].as_bool().unwrap_or(false), option_env!("SQUALL_BUILD_DIRTY").is_some());
    }
    // The stand-in is a shell with a script: the program is the shell.
    let bytes = std::fs::read("/bin/sh").expect("a shell");
    let sha256: String = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(finding["solver"]["program_sha256"], sha256.as_str());
}
