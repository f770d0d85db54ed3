//! Every subcommand, run in one folder that holds every kind of hostile file.

use super::{Place, Trap, folders, pipe, records};
use std::collections::BTreeSet;
use std::fs;

/// Data about the command line for [`super::Trap`].
const TABLE: &str = include_str!("commands.toml");

/// One command line per subcommand. Slow ones end at a path that does not exist.
const EVERY: [&str; 61] = [
    "bisect {finding}",
    "check {here}",
    "ci {here}/seed.smt2 --solver builtin:sat --baseline builtin:sat --for 1s --out {root}/out",
    "cluster merge {here}/out --out {root}/out",
    "cluster worker nats://127.0.0.1:1 --for 1s",
    "corpus add {here} --name c --solver builtin:sat",
    "corpus distill {here}/out --out {root}/out",
    "corpus list",
    "corpus remove c",
    "compare {here}/seed.smt2 --solver builtin:sat --out {root}/out",
    "demo --solver builtin:sat --mutants 1 --out {root}/out",
    "doctor",
    "doctor --format json",
    "experiment campaigns {here}/gone --solver builtin:sat --out {root}/out",
    "experiment conform --solver builtin:sat --count 1",
    "experiment cover {here}/seed.smt2 --solver builtin:sat --out {root}/out",
    "explain {finding}",
    "explain {here}/out",
    "fuzz --resume {here}/out",
    "fuzz --solver z3@latest --units 1 --out {root}/out",
    "fuzz {here}/seed.smt2 --solver builtin:sat --units 1 --reduce-share 0 --out {root}/out",
    "mutate --list",
    "mutate --worlds --count 1 --out {root}/out",
    "mutate {here}/seed.smt2",
    "night {here}/seed.smt2 --solver builtin:sat --for 1s --out {root}/out",
    "proof judge {here}/seed.smt2 {here}/seed.smt2",
    "reduce {finding}",
    "reduce {here}/out --for 5s",
    "replay {finding}",
    "replay {here}/out",
    "report --harvest {root}/out {here}/out",
    "report {here}/out --list",
    "report {here}/out --list --format json",
    "report {here}/out --to {root}/out",
    "setup clean {here}/out --remove leftovers",
    "setup completions bash",
    "setup config deny",
    "setup config show",
    "setup man",
    "solve {here}/seed.smt2",
    "solve {here}/seed.smt2 --exhaust",
    "solve {here}/seed.smt2 --strategy quick",
    "solver build z3@1.0",
    "solver doctor",
    "solver install oxiz",
    "solver install z3@4.8.7",
    "solver list",
    "solver list --remote z3",
    "solver remove z3@4.8.7",
    "solver which evil",
    "solver which z3",
    "stability {here} --solver builtin:sat -n 1 --jobs 1 --out {root}/out",
    "status {here}/out",
    "strategy apply quick {here}/seed.smt2",
    "strategy apply simplify {here}/seed.smt2",
    "strategy probes",
    "strategy tune {here}/seed.smt2 --step default --timeout 1s --out {root}/out",
    "strategy tactics",
    "strategy tactics --defaults",
    "validate {here}/seed.smt2",
    "validate {here}/seed.smt2 --solver evil",
];

/// A machine whose hostile folder has all kinds of hostile files.
fn trap() -> Trap {
    let trap = records::with_finding(|record| record["solver"]["spec"] = serde_json::json!("./prog"));
    for (name, text) in folders::MODULES {
        trap.put(name, text);
    }
    trap.put("squall.toml", folders::SETTINGS);
    trap.put("seed.smt2", folders::SEED);
    trap.put("\u{1b}[31m::error.txt", "");
    pipe(&trap.hostile().join("out/stats.json"));
    folders::stand_in_for_cargo(&trap);
    trap
}

#[test]
fn every_subcommand_leaves_a_hostile_folder_alone() {
    let table: toml::Table = toml::from_str(TABLE).expect("a table");
    let run: BTreeSet<&str> =
        table.keys().map(String::as_str).filter(|name| EVERY.iter().any(|line| line.starts_with(name))).collect();
    // The user allows the file explicitly.
    let left = table.keys().map(String::as_str).filter(|name| !run.contains(name) && *name != "setup config allow");
    assert_eq!(left.collect::<Vec<_>>(), Vec::<&str>::new(), "no line of EVERY is of these");
    for place in [Place::Inside, Place::Above] {
        let trap = trap();
        for line in EVERY {
            // The term of `validate --eval` is one word.
            let (line, term) =
                line.split_once(" (").map_or((line, None), |(line, term)| (line, Some(format!("({term}"))));
            let words = line.replace("{finding}", records::FINDING);
            let words: Vec<&str> = words.split(' ').chain(term.as_deref()).collect();
            trap.run(&words, place, &["out"]);
            let _ = fs::remove_dir_all(trap.path("out"));
        }
    }
}
