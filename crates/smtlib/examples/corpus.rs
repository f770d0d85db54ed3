//! Reads every file under the folders given and says what was refused, what does not round-trip, and how fast it was.
use std::path::{Path, PathBuf};
use std::time::Instant;
fn walk(dir: &Path, out: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(dir) else { return };
    let mut e: Vec<_> = entries.flatten().map(|e| e.path()).collect();
    e.sort();
    for p in e {
        if p.is_dir() {
            walk(&p, out)
        } else if p.extension().is_some_and(|x| x == "smt2") {
            out.push(p)
        }
    }
}
fn main() {
    let mut files = Vec::new();
    for a in std::env::args().skip(1) {
        let p = PathBuf::from(a);
        if p.is_dir() { walk(&p, &mut files) } else { files.push(p) }
    }
    let (mut ok, mut bad, mut trip, mut opaque) = (0, 0, 0, 0);
    let mut bytes = 0usize;
    let mut time = 0f64;
    for f in &files {
        let data = std::fs::read(f).unwrap();
        let mut store = smtlib::Store::new();
        let t = Instant::now();
        let parsed = smtlib::parse_bytes(&mut store, &data);
        time += t.elapsed().as_secs_f64();
        bytes += data.len();
        match parsed {
            Err(e) => {
                bad += 1;
                println!("{}", e.render(&f.display().to_string(), &String::from_utf8_lossy(&data)));
            }
            Ok(p) => {
                if !p.errors.is_empty() {
                    bad += 1;
                    println!("{}", p.errors[0].render(&f.display().to_string(), std::str::from_utf8(&data).unwrap()));
                    continue;
                }
                ok += 1;
                if p.script
                    .commands
                    .iter()
                    .any(|c| matches!(c, smtlib::Command::Opaque(_, smtlib::OpaqueReason::Theory)))
                {
                    opaque += 1;
                }
                let text = store.script_text(&p.script);
                let again = smtlib::parse(&mut store, &text);
                if !again.errors.is_empty() {
                    println!("REPARSE {}", again.errors[0].render(&f.display().to_string(), &text));
                }
                if again.script != p.script {
                    trip += 1;
                    println!("ROUNDTRIP {}", f.display());
                    for (a, b) in p.script.commands.iter().zip(&again.script.commands) {
                        if a != b {
                            println!("  {a:?}\n  {b:?}");
                            break;
                        }
                    }
                }
            }
        }
    }
    println!(
        "files {} ok {ok} bad {bad} opaque {opaque} roundtrip failures {trip}; {:.1} MB/s",
        files.len(),
        bytes as f64 / 1e6 / time
    );
}
