//! One table of hostile inputs, each run by the subcommands that take such an input, from inside the folder and from above.
//!
//! Each row is a file, a folder, a finding, a campaign or a solver; messages of workers are in `fuzz/tests/it/nats.rs`. The gate runs a few
//! of a row's commands, `SQUALL_HOSTILE=1000` all.

use super::{Place, Trap, campaigns, folders, pipe, records};
use serde_json::{Value, json};
use std::cell::OnceCell;
use std::fs;
use std::os::unix::fs::symlink;
use std::rc::Rc;

/// The least number of rows.
const FEWEST: usize = 100;
/// Sets a terminal's title, clears it, and reverses the direction of a line.
const ESCAPE: &str = "\u{1b}]0;t\u{7}\u{1b}[2J\u{9b}31m\u{202e}";

/// Scripts, to be put after a declaration of `x` and before a check.
const SCRIPTS: [&str; 27] = [
    "(set-option :regular-output-channel \"{victim}\")(echo \"x\")",
    "(set-option :REGULAR-OUTPUT-CHANNEL \"{victim}\")",
    "(set-option ; a comment\n:diagnostic-output-channel\t\"{victim}\")",
    "(set-option :sat.drat.file \"{victim}\")",
    "(set-option :sat.drat-file {victim})",
    "(set-option :trace_file_name |{victim}|)",
    "(set-option :smt.random_seed \"{victim}\")",
    "(set-option :dump-benchmarks-to-file \"{victim}\")",
    "(set-option |:regular-output-channel| \"{victim}\")",
    "(include \"{victim}\")",
    "(get-proof-graph \"{victim}\")",
    "(check-sat-using (using-params sat :drat.file |{victim}|))",
    "(check-sat-using smt) (set-option :regular-output-channel \"{victim}\") (echo \"smt\")",
    "(check-sat-using (then (rules \"{victim}\") smt))",
    "(check-sat-using (exec \"{canary}\"))",
    "(apply (using-params simplify :log \"{victim}\"))",
    "(set-simplifier (using-params simplify :trace |{victim}|))",
    "(declare-const |a\\| |) (set-option :regular-output-channel \"{victim}\")(declare-const |b| Int)",
    "; a comment\r(set-option :regular-output-channel \"{victim}\")",
    "(system \"{canary}\")",
    "(echo \"\n::error::x\")",
    "(echo \"\u{1b}[2J\u{9b}31m\u{202e}\")",
    "(declare-const |\u{1b}[2J\u{202e}\n::error::x| Int)(assert (> |\u{1b}[2J\u{202e}\n::error::x| 0))",
    "(set-info :source |\u{1b}]0;t\u{7}|)(set-info :status \u{1b}[31m)",
    "(assert (\u{1b}[31m x))",
    "\u{0}(assert false)\u{feff}",
    "(push 99999999999)(pop 99999999999)(set-logic \u{1b}[31m)",
];
const ON_SCRIPTS: [&str; 15] = [
    "check {here}/s.smt2",
    "check {here}/s.smt2 --print",
    "solve {here}/s.smt2",
    "solve {here}/s.smt2 --strategy (solver\u{a0}z3)",
    "validate {here}/s.smt2 --eval x",
    "exhaust {here}/s.smt2",
    "validate {here}/s.smt2 --solver z3",
    "mutate {here}/s.smt2 -n 2",
    "apply simplify {here}/s.smt2",
    "corpus add {here}/s.smt2 --name mine --solver z3",
    "reduce {here}/s.smt2 --solver z3 --wrong sat --trust none --out {root}/made",
    "bisect {here}/s.smt2 --solver z3 --wrong sat",
    "explain {here}/s.smt2",
    "experiment cover {here}/s.smt2 --solver z3 --out {root}/made",
    "fuzz {here}/s.smt2 --solver z3 --units 1 --jobs 1 --reduce-share 0 --out {root}/made",
];

/// Files that programs look for in their current folder.
const FILES: [(&str, &str); 22] = [
    ("z3", "#!/bin/sh\n: > '{mark}'\n"),
    ("python3", "#!/bin/sh\n: > '{mark}'\n"),
    ("cargo", "#!/bin/sh\n: > '{mark}'\n"),
    ("git", "#!/bin/sh\n: > '{mark}'\n"),
    (".git/config", "[core]\nfsmonitor = \"{canary}\"\nhooksPath = \"{hostile}\"\n[diff]\nexternal = \"{canary}\"\n"),
    (".git/hooks/post-checkout", "#!/bin/sh\n: > '{mark}'\n"),
    (".gdbinit", "shell {canary}\n"),
    (".perfconfig", "[ui]\nbrowser = {canary}\n"),
    (".env", "LD_PRELOAD={canary}\nPYTHONSTARTUP={canary}\n"),
    (".pth", "import os; os.system('{canary}')\n"),
    ("pyvenv.cfg", "home = {hostile}\n"),
    ("pip.conf", "[global]\ntarget = {hostile}\n"),
    ("usercustomize.py", "open('{mark}', 'w')\n"),
    ("Cargo.toml", "[package]\nname = \"x\"\nbuild = \"build.rs\"\n"),
    ("squall.toml", "[[solver]]\nname = \"z3\"\nexecutables = [\"{canary}\"]\n"),
    ("squall.toml", "[[extend]]\nname = \"z3\"\n[extend.options]\nbase = [\"-o:{victim}\"]\n"),
    ("squall.toml", "[strategy]\ndefault = '(exec \"{canary}\")'\nQF_LIA = '(solver (exec \"{canary}\"))'\n"),
    (
        "squall.toml",
        "[fuzz]\nsolver = \"{canary}\"\nkeep-mutants = \"{canaries}\"\nmetrics = \"{victim}\"\nout = \"{canaries}\"\n",
    ),
    (
        "squall.toml",
        "[fuzz]\nmutator = \"pipe:{canary}\"\nset = \"laws={victim}\"\ncoordinate = \"nats://127.0.0.1:1\"\n",
    ),
    ("squall.toml", "[ci]\nsarif = \"{victim}\"\n[report]\nharvest = \"{canaries}\"\n[reduce]\ncheck = \"{canary}\"\n"),
    ("squall.toml", "[\"\\u001b[31m::error\"]\n\"\\u001b[2J\" = \"\\u202e\"\n"),
    ("squall.toml", "a = [[[[[[[[[[[[[[[[[[[[[[[[[[[["),
];
const ON_FOLDERS: [&str; 12] = [
    "doctor",
    "solver list",
    "solver doctor",
    "solver which z3",
    "solver install z3@4.8.7",
    "solver install oxiz",
    "solver build z3@1.0",
    "config show",
    "solve {here}/seed.smt2",
    "validate {here}/seed.smt2 --solver z3",
    "fuzz {here}/seed.smt2 --solver builtin:sat --units 1 --reduce-share 0 --out {root}/made",
    "ci {here}/seed.smt2 --solver builtin:sat --for 1s --out {root}/made",
];

/// Values for a finding's record, by their place in it.
const RECORDS: [(&str, &str); 24] = [
    ("/solver/spec", "{canary}"),
    ("/solver/spec", "z3:{canary}"),
    ("/solver/spec", "./prog"),
    ("/solver/spec", "/bin/sh -c ': > {mark}'"),
    ("/solver/spec", "z3@4.8.7 -o:{victim}"),
    ("/solver/spec", "cvc5@1.4.2 --regular-output-channel={victim}"),
    ("/solver/spec", "z3@4.8.7'; {canary}; '"),
    ("/solver/spec", "\u{1b}[2J"),
    ("/solver/command/0", "{canary}"),
    ("/solver/label", "\u{1b}[2J\n::error::x"),
    ("/solver/origin", "\u{1b}]0;t\u{7}"),
    ("/solver/drawn_options", "trace_file_name={victim}"),
    ("/solver/program_sha256", "\u{1b}[31m"),
    ("/id", "x/../../../../canaries/0"),
    ("/id", "\u{1b}[31m"),
    ("/summary", "\u{1b}[2J\n::error::x<script>"),
    ("/symptom", "\n::error::\u{202e}"),
    ("/answers/0", "\u{1b}[2J"),
    ("/seed/name", "a'; {canary}; '\u{1b}[31m.smt2"),
    ("/mutator/name", "exec:{canary}"),
    ("/slowness", "{canary}"),
    ("/mode", "\u{1b}[31m\n::warning::x"),
    ("/environment/squall", "\u{1b}[31m\n::error::x"),
    ("/trust/kind", "\u{1b}[31m"),
];
/// Files of a finding that are a link to one of the ten files, whose text must not be shown.
const LINKED: [&str; 9] = [
    "finding.json",
    "mutant.smt2",
    "output.txt",
    "witness.smt2",
    "predecessors.smt2",
    "seed.smt2",
    "reduced.smt2",
    "bisection.json",
    "explain.json",
];
const ON_RECORDS: [&str; 10] = [
    "replay {finding}",
    "replay {here}/out",
    "reduce {finding} --trust none",
    "reduce {here}/out --for 1s",
    "bisect {finding}",
    "explain {finding}",
    "findings {here}/out",
    "findings {here}/out --format json",
    "report {here}/out --to {root}/made",
    "report --harvest {root}/made {here}/out",
];

/// Replacements for files of a campaign: a link to one of the ten files or to their folder, a pipe, or a text.
const CAMPAIGNS: [(&str, &str); 21] = [
    (".lock", "-> canaries/0"),
    ("report.html", "-> canaries/0"),
    ("reported.toml", "-> canaries/0"),
    ("stats.json", "-> canaries/0"),
    ("campaign.json", "-> canaries/0"),
    ("campaign.db", "-> canaries/0"),
    ("campaign.db-wal", "-> canaries/0"),
    ("quarantine.json", "-> canaries/0"),
    ("issues", "-> canaries"),
    ("findings", "-> canaries"),
    ("disagreements", "-> canaries"),
    ("findings/x", "-> canaries"),
    (".joining", "-> canaries"),
    ("campaign.json", "pipe"),
    ("campaign.db", "pipe"),
    ("campaign.db-wal", "pipe"),
    ("stats.json", "pipe"),
    ("quarantine.json", "pipe"),
    (
        "quarantine.json",
        "[{\"seed\":\"\u{1b}[2J\",\"sha256\":\"\",\"label\":\"\",\"check\":0,\"evidence\":\"\",\"script\":\"../../canaries/0\",\"replay\":\"{canary}\"}]",
    ),
    ("stats.json", "{\"runs\":[{\"workers\":[{\"worker\":\"\u{1b}[2J\"}]}]}"),
    (
        "campaign.json",
        "{\"seed\":0,\"solvers\":[\"\u{1b}[31m\",\"{canary}\"],\"note\":{\"arguments\":[\"--solver\",\"{canary}\",\"\u{1b}[31m\"]}}",
    ),
];
const ON_CAMPAIGNS: [&str; 12] = [
    "status {here}/out",
    "status {here}/out --format json",
    "findings {here}/out",
    "replay {here}/out",
    "report {here}/out --next 1",
    "report --harvest {root}/made {here}/out",
    "reduce {here}/out --for 1s --trust none",
    "explain {here}/out",
    "distill {here}/out --out {root}/made",
    "corpus add {here}/seed.smt2 --found {here}/out --name mine",
    "merge {here}/out --out {root}/made",
    "fuzz --resume {here}/out --units 3 --plain",
];

/// The actions of a solver after it has read a script.
const SOLVERS: [&str; 11] = [
    "printf '{escape}sat\\n'",
    "printf '::error::x\\nsat\\n'",
    "printf 'sat\\n{escape}\\n::error::x\\n' >&2",
    "printf '(error \"{escape}\\n::error::y\")\\n'",
    "printf 'unknown\\n(:reason-unknown \"{escape}\\n::error::y\")\\n'",
    "printf 'sat\\n((define-fun |{escape}| () Int 1)\\n::error::x (define-fun x () Int 5))\\n'",
    "printf 'unsat\\n(|{escape}|)\\n'",
    "printf '{escape}' >&2; kill -SEGV $$",
    "printf 'sat\\0\\n\\0'",
    "i=0; while [ $i -lt 20000 ]; do printf '(((((((((('; i=$((i+1)); done",
    "printf '::add-mask::x {escape}\\n' >&2; exit 77",
];
const ON_SOLVERS: [&str; 9] = [
    "solver list",
    "solver doctor z3",
    "doctor",
    "validate {here}/seed.smt2 --solver z3",
    "solve {here}/seed.smt2 --strategy (solver\u{a0}z3)",
    "reduce {here}/seed.smt2 --solver z3 --wrong sat --trust none --out {root}/made",
    "bisect {here}/seed.smt2 --solver z3 --wrong sat",
    "corpus add {here}/seed.smt2 --name mine --solver z3",
    "fuzz {here}/seed.smt2 --solver z3 --units 2 --jobs 1 --reduce-share 0 --out {root}/made",
];

/// A row: its name, the machine with it, the commands that read it, and what they may write.
struct Case {
    name: String,
    trap: Box<dyn Fn() -> Rc<Trap>>,
    commands: &'static [&'static str],
    outputs: &'static [&'static str],
}

fn cases() -> Vec<Case> {
    let mut all = Vec::new();
    let mut add = |name: &str, commands, outputs, trap: Box<dyn Fn() -> Rc<Trap>>| {
        all.push(Case { name: name.to_string(), trap, commands, outputs });
    };
    for text in SCRIPTS {
        let script = format!("(declare-const x Int)\n{text}\n(assert (> x 4))\n(check-sat)\n");
        add(text, &ON_SCRIPTS, &["made"], Box::new(move || Rc::new(super::scripts::trap(&script))));
    }
    for (name, text) in folders::MODULES.into_iter().chain(FILES) {
        let trap = move || {
            let trap = Trap::with(&[("seed.smt2", folders::SEED)]);
            trap.link("python3");
            folders::stand_in_for_cargo(&trap);
            testing::executable(&trap.put(name, text), &trap.filled(text, "."));
            Rc::new(trap)
        };
        add(name, &ON_FOLDERS, &["made"], Box::new(trap));
    }
    for (place, text) in RECORDS {
        let trap = move || {
            let change = |trap: &Trap, record: &mut Value| {
                let value = json!(trap.filled(text, "."));
                let value = match place {
                    "/solver/drawn_options" => json!([value]),
                    "/slowness" => json!({"than": "x", "spec": value, "cpu_s": 9.0, "other_cpu_s": 0.1}),
                    _ => value,
                };
                match record.pointer_mut(place) {
                    Some(old) => *old = value,
                    None => record[place.trim_start_matches('/')] = value,
                }
            };
            let trap = records::with_finding(|_| ());
            records::change(&trap, &|record| change(&trap, record));
            Rc::new(trap)
        };
        add(&format!("{place}: {text}"), &ON_RECORDS, &["made", "hostile/out"], Box::new(trap));
    }
    for name in LINKED {
        let trap = move || {
            let trap = records::with_finding(|_| ());
            let place = trap.path(&format!("hostile/out/findings/{}/{name}", records::KEPT));
            let _ = fs::remove_file(&place);
            symlink(trap.path("canaries/0"), place).expect("a link");
            Rc::new(trap)
        };
        add(&format!("{name} is a link"), &ON_RECORDS, &["made", "hostile/out"], Box::new(trap));
    }
    // One machine for all of them: making a campaign takes longer than using it.
    let shared = Rc::new(OnceCell::new());
    for (name, what) in CAMPAIGNS {
        let shared = Rc::clone(&shared);
        let trap = move || {
            let trap: &Rc<Trap> = shared.get_or_init(|| Rc::new(campaigns::campaign()));
            campaigns::restore(trap);
            let place = trap.path("hostile/out").join(name);
            let _ = if place.is_dir() { fs::remove_dir_all(&place) } else { fs::remove_file(&place) };
            match what.strip_prefix("-> ") {
                Some(target) => symlink(trap.path(target), &place).expect("a link"),
                None if what == "pipe" => pipe(&place),
                None => drop(trap.put(&format!("out/{name}"), what)),
            }
            Rc::clone(trap)
        };
        add(&format!("{name} {what}"), &ON_CAMPAIGNS, &["made", "hostile/out"], Box::new(trap));
    }
    for body in SOLVERS {
        let trap = move || {
            let trap = Trap::with(&[("seed.smt2", folders::SEED)]);
            let version = "case \"$*\" in *version*) printf 'Z3 version 4.15.4 {escape}\\n'; exit;; esac";
            let reads = "while read -r line; do case $line in '(exit'*) break;; esac; done";
            trap.program("z3", &format!("#!/bin/sh\n{version}\n{reads}\n{body}\n").replace("{escape}", ESCAPE));
            Rc::new(trap)
        };
        add(body, &ON_SOLVERS, &["made"], Box::new(trap));
    }
    all
}

#[test]
fn no_hostile_input_starts_writes_or_shows_anything() {
    let (cases, amount) = (cases(), testing::amount("SQUALL_HOSTILE", 1usize));
    assert!(cases.len() >= FEWEST, "{} rows", cases.len());
    let mut runs = 0;
    for (n, case) in cases.iter().enumerate() {
        let all = 2 * case.commands.len();
        // In order down the table, so that a few commands of each row cover the whole column.
        for run in (0..all).map(|k| (n + k) % all).take(amount) {
            let (trap, place) = ((case.trap)(), if run % 2 == n / all % 2 { Place::Inside } else { Place::Above });
            let words = case.commands[run / 2].replace("{finding}", records::FINDING);
            let words: Vec<String> = words.split(' ').map(|word| word.replace('\u{a0}', " ")).collect();
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let said = trap.run(&words, place, case.outputs);
            assert!(said.code.is_some(), "{}: {words:?} died: {}", case.name, said.stderr);
            runs += 1;
        }
    }
    println!("{} hostile inputs, {runs} runs", cases.len());
}
