//! Every real problem at hand is read or refused with a message, and what is read round-trips to the identical terms.

use smtlib::{Command, OpaqueReason, Store, parse, parse_bytes};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

fn collect(dir: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(dir) else { return };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|e| e.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|e| e == "smt2") {
            files.push(path);
        }
    }
}

/// What became of a corpus.
#[derive(Default)]
struct Outcome {
    files: usize,
    read: usize,
    /// Read, with commands carried as text because they hold a solver's own theory.
    partly_opaque: usize,
    refused: BTreeMap<String, Vec<String>>,
}

/// Reads all files under a folder; each that is read must round-trip.
fn check(dir: &Path) -> Outcome {
    let mut files = Vec::new();
    collect(dir, &mut files);
    let mut outcome = Outcome { files: files.len(), ..Outcome::default() };
    for file in &files {
        let name = file.strip_prefix(dir).unwrap_or(file).display().to_string();
        let bytes = std::fs::read(file).expect("a listed file can be read");
        let mut store = Store::new();
        let error = match parse_bytes(&mut store, &bytes) {
            Ok(parsed) if parsed.errors.is_empty() => {
                outcome.read += 1;
                let by_theory = |c: &Command| matches!(c, Command::Opaque(_, OpaqueReason::Theory));
                outcome.partly_opaque += usize::from(parsed.script.commands.iter().any(by_theory));
                let text = store.script_text(&parsed.script);
                let again = parse(&mut store, &text);
                if let Some(error) = again.errors.first() {
                    panic!("{name}: what was printed is refused\n{}", error.render("printed", &text));
                }
                assert!(again.script == parsed.script, "{name}: printed and read again, it is another script");
                assert_eq!(store.script_text(&again.script), text, "{name}: printing is not stable");
                continue;
            }
            Ok(parsed) => parsed.errors[0].clone(),
            Err(error) => error,
        };
        outcome.refused.entry(error.to_string()).or_default().push(name);
    }
    outcome
}

#[test]
fn shared_seeds_are_read_and_round_trip() {
    let Some(shared) = testing::shared("seeds") else { return };
    for folder in ["seeds", "known-bugs", "bench"] {
        let outcome = check(&shared.join(folder));
        println!(
            "{folder}: {} files, {} read, {} of them with a solver's own theory carried as text",
            outcome.files, outcome.read, outcome.partly_opaque
        );
        for (reason, names) in &outcome.refused {
            println!("  {reason}: {}", names.join(", "));
        }
        assert!(outcome.read * 100 >= outcome.files * 97, "{} of {} read", outcome.read, outcome.files);
    }
}

#[test]
fn own_seeds_are_all_read_and_round_trip() {
    let outcome = check(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../seeds"));
    assert!(outcome.files >= 86, "two seeds a logic at least, these are {}", outcome.files);
    assert!(outcome.refused.is_empty(), "{:#?}", outcome.refused);
    assert_eq!(outcome.partly_opaque, 0);
}
