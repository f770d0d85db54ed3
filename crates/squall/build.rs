//! Links the program at a fixed address, where the linker can, and tells it its git commit.
//!
//! A position-independent program has some 45,000 addresses relocated at every start, which touches 200 pages: a third of what it
//! costs to start. `squall solve` is called once a problem, and next to a solver that takes 10 ms its start counts.
//!
//! Without git, or outside of the project's own repository, no commit is told, and the build goes on.

use std::path::{Path, PathBuf};
use std::process::Command;

/// What goes into the program, from the repository's root. Tests and documents do not.
const SOURCES: [&str; 4] = ["Cargo.toml", "Cargo.lock", "crates", "seeds"];
const NO_SOURCES: [&str; 2] = ["tests", "benches"];
/// How many digits of the commit are kept.
const DIGITS: usize = 12;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let target = |part: &str| std::env::var(format!("CARGO_CFG_TARGET_{part}")).unwrap_or_default();
    if target("OS") == "linux" && target("ENV") == "gnu" {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
    tell_commit();
}

/// Sets `SQUALL_BUILD_COMMIT`, `SQUALL_BUILD_DIRTY` if the sources differ from it, and `SQUALL_BUILD`, the version with both.
fn tell_commit() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let Ok(root) = root.canonicalize() else { return };
    // Sources that lie in the repository of another project have no commit of their own.
    let top = git(&root, &["rev-parse", "--show-toplevel"]).and_then(|top| PathBuf::from(top).canonicalize().ok());
    if top.as_ref() != Some(&root) {
        return;
    }
    watch(&root);
    if let Some(commit) = git(&root, &["rev-parse", "HEAD"]).filter(|commit| commit.len() >= DIGITS) {
        let commit = &commit[..DIGITS];
        println!("cargo::rustc-env=SQUALL_BUILD_COMMIT={commit}");
        let excluded = NO_SOURCES.map(|name| format!(":(exclude)crates/*/{name}"));
        let mut status = vec!["status", "--porcelain", "--"];
        status.extend(SOURCES);
        status.extend(excluded.iter().map(String::as_str));
        let is_dirty = git(&root, &status).is_none_or(|changes| !changes.is_empty());
        if is_dirty {
            println!("cargo::rustc-env=SQUALL_BUILD_DIRTY=1");
        }
        let dirty = if is_dirty { ", dirty" } else { "" };
        println!("cargo::rustc-env=SQUALL_BUILD={} ({commit}{dirty})", env!("CARGO_PKG_VERSION"));
    }
}

/// Has this run again when the commit or a source changes. The index is not looked at: staging changes no source, and asking for
/// the status may write it.
fn watch(root: &Path) {
    let again = |path: &Path| {
        // A path that does not exist would have this run at every build.
        if path.exists() {
            println!("cargo::rerun-if-changed={}", path.display());
        }
    };
    let git_path = |name: &str| git(root, &["rev-parse", "--git-path", name]).map(|path| root.join(path));
    let head = git(root, &["symbolic-ref", "-q", "HEAD"]);
    for name in ["HEAD", "packed-refs"].into_iter().chain(head.as_deref()) {
        git_path(name).iter().for_each(|path| again(path));
    }
    for source in SOURCES.into_iter().filter(|source| *source != "crates") {
        again(&root.join(source));
    }
    let entries = |folder: &Path| std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let is_source = |path: &PathBuf| !NO_SOURCES.iter().any(|name| path.ends_with(name));
    entries(&root.join("crates")).flat_map(|one| entries(&one)).filter(is_source).for_each(|path| again(&path));
}

/// What git says; none if it fails or is not there. It takes no locks, so that it writes nothing.
fn git(root: &Path, arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").arg("--no-optional-locks").args(arguments).current_dir(root).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_string())
}
