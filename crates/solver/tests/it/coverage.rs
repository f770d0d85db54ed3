//! Coverage: sets of items, and a toy solver with each kind of counters that the compilers on this machine support.

use solver::coverage::{CoverageSet, CoverageUnit, EDGE_RUNTIME, Instrumentation, InstrumentedBuild};
use solver::install::Fleet;
use solver::process::ProcessLimits;
use solver::session::SessionNeeds;
use solver::spec::{PathSpec, SolverSpec};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use testing::require;

/// Reads a script line by line. Line 6 is executed for a script with `xor`, line 10 never, and `die` kills it.
const TOY: &str = r#"#include <stdio.h>
#include <string.h>
#include <stdlib.h>
static int parity(const char *line) {
  if (strstr(line, "xor"))
    return 1;
  return 0;
}
int unused(int n) {
  return n ? n : 1;
}
int main(int argc, char **argv) {
  char line[1000];
  int odd = 0;
  if (argc > 1) { puts("toy version 1.2.0"); return 0; }
  while (fgets(line, sizeof line, stdin)) {
    odd |= parity(line);
    if (strstr(line, "die")) abort();
    if (strstr(line, "(check-sat")) puts(odd ? "unsat" : "sat");
  }
  return 0;
}
"#;

/// A compiler, with the words before its source.
struct Way {
    name: &'static str,
    compiler: &'static str,
    flags: &'static [&'static str],
    kind: Instrumentation,
}

const WAYS: [Way; 4] = [
    Way { name: "gcc gcov", compiler: "gcc", flags: &["--coverage"], kind: Instrumentation::Gcov },
    Way { name: "clang gcov", compiler: "clang-19", flags: &["--coverage"], kind: Instrumentation::Gcov },
    Way {
        name: "clang source coverage",
        compiler: "clang-19",
        flags: &["-fprofile-instr-generate", "-fcoverage-mapping"],
        kind: Instrumentation::Llvm,
    },
    Way {
        name: "clang edges",
        compiler: "clang-19",
        flags: &["-fsanitize-coverage=trace-pc-guard"],
        kind: Instrumentation::Edges,
    },
];

fn runs(program: &str) -> Option<()> {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success()).then_some(())
}

/// Compiles the toy below a folder. `None` without the compiler.
fn compile(way: &Way, folder: &Path) -> Option<PathBuf> {
    require(way.compiler, runs(way.compiler))?;
    fs::write(folder.join("toy.c"), TOY).expect("a file");
    fs::write(folder.join("edge_runtime.c"), EDGE_RUNTIME).expect("a file");
    let cc = |words: &[&str]| {
        let output = Command::new(way.compiler).args(words).current_dir(folder).output().expect("it runs");
        assert!(output.status.success(), "{}: {}", way.name, String::from_utf8_lossy(&output.stderr));
    };
    cc(&[way.flags, &["-c", "toy.c"]].concat());
    let mut objects = vec!["toy.o"];
    if way.kind == Instrumentation::Edges {
        cc(&["-Wall", "-Werror", "-O2", "-c", "edge_runtime.c"]);
        objects.push("edge_runtime.o");
    }
    cc(&[way.flags, &objects[..], &["-o", "toy"]].concat());
    Some(folder.join("toy"))
}

/// The build, and what it executes for scripts.
struct Measured {
    build: InstrumentedBuild,
    solver: solver::session::Solver,
}

impl Measured {
    fn open(program: &Path, folder: &Path) -> Result<Measured, solver::coverage::CoverageError> {
        let fleet = Fleet::of_user().expect("a fleet");
        let spec =
            SolverSpec::Path(PathSpec { path: program.display().to_string(), profile: None, options: Vec::new() });
        let installed = fleet.resolve(&spec).expect("a solver");
        let build = InstrumentedBuild::open(&installed, &folder.join("counters"))?;
        let solver = fleet.solver(installed).with_variables(build.variables());
        Ok(Measured { build, solver })
    }

    fn run(&mut self, scripts: &[&str]) -> Result<CoverageSet, solver::coverage::CoverageError> {
        self.build.clear()?;
        let mut ended = false;
        for script in scripts {
            let outcome = self.solver.check(script, SessionNeeds::SINGLE, &ProcessLimits::default()).expect("it runs");
            assert_eq!(InstrumentedBuild::complaint(&outcome.stderr), None);
            ended |= outcome.crash.is_none();
        }
        self.build.executed(ended)
    }

    /// Returns the toy's lines in a set.
    fn lines(&self, set: &CoverageSet) -> Vec<u32> {
        let items = self.build.items();
        let of = |at: usize| items.get(at).filter(|item| item.unit == CoverageUnit::Line).map(|item| item.line);
        let mut lines: Vec<u32> = set.iter().filter_map(of).collect();
        lines.sort_unstable();
        lines
    }
}

const PLAIN: &str = "(assert true)\n(check-sat)\n";
const XOR: &str = "(assert (xor true true))\n(check-sat)\n";

#[test]
fn each_kind_of_counters_tells_what_a_script_adds() {
    for way in &WAYS {
        let folder = tempfile::tempdir().expect("a folder");
        let Some(program) = compile(way, folder.path()) else { continue };
        let mut toy = Measured::open(&program, folder.path()).expect("it is instrumented");
        assert_eq!((toy.build.instrumentation(), toy.build.program()), (way.kind, program.as_path()));
        let plain = toy.run(&[PLAIN]).expect("counters");
        let xor = toy.run(&[XOR]).expect("counters");
        assert!(xor.len() > 1 && !xor.without(&plain).is_empty(), "{}", way.name);
        // Two processes add to the same counters, and the counts of one process alone are cleared.
        let both = toy.run(&[PLAIN, XOR]).expect("counters");
        let mut union = plain.clone();
        union.add_all(&xor);
        assert_eq!(both, union, "{}", way.name);
        assert_eq!(toy.run(&[PLAIN]).expect("counters"), plain, "{}", way.name);
        let items = toy.build.items();
        if way.kind == Instrumentation::Edges {
            assert_eq!(items.units(), [CoverageUnit::Edge]);
            assert!(items.len() > both.len() && items.len() < 100, "{}", items.len());
            continue;
        }
        let (with, without) = (toy.lines(&both), toy.lines(&plain));
        assert!(with.contains(&6) && !without.contains(&6), "{}: {with:?} {without:?}", way.name);
        assert!(without.contains(&7) && with.contains(&17) && !with.contains(&10), "{}: {with:?}", way.name);
        let functions =
            |set: &CoverageSet| (items.count(CoverageUnit::Function), set.count(items, CoverageUnit::Function));
        assert_eq!(functions(&plain), (3, 2), "{}", way.name);
        assert!(items.count(CoverageUnit::Branch) >= 8, "{}", way.name);
        assert!(both.count(items, CoverageUnit::Branch) > plain.count(items, CoverageUnit::Branch), "{}", way.name);
        let unused = items.iter().filter(|item| items.name(item) == "unused" && item.unit == CoverageUnit::Function);
        let place: Vec<(u32, bool)> = unused.map(|item| (item.line, items.file(item).ends_with("toy.c"))).collect();
        assert_eq!(place, [(9, true)], "{}", way.name);
    }
}

#[test]
fn lines_are_those_of_gcov() {
    let folder = tempfile::tempdir().expect("a folder");
    if require("gcov", runs("gcov")).is_none() {
        return;
    }
    let Some(program) = compile(&WAYS[0], folder.path()) else { return };
    let mut toy = Measured::open(&program, folder.path()).expect("it is instrumented");
    let set = toy.run(&[XOR, PLAIN, PLAIN]).expect("counters");
    let counters = folder.path().join("counters").join(folder.path().strip_prefix("/").expect("it is absolute"));
    for name in ["toy.gcno", "toy.c"] {
        fs::copy(folder.path().join(name), counters.join(name)).expect("a file");
    }
    let output = Command::new("gcov").args(["--stdout", "toy.gcda"]).current_dir(&counters).output().expect("it runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let executed = |line: &str| {
        let mut parts = line.split(':').map(str::trim);
        let (count, number) = (parts.next()?, parts.next()?.parse::<u32>().ok()?);
        (number > 0 && count.starts_with(|c: char| c.is_ascii_digit())).then_some(number)
    };
    let expect: Vec<u32> = text.lines().filter_map(executed).collect();
    assert!(expect.len() > 8, "{text}");
    assert_eq!(toy.lines(&set), expect, "{text}");
}

#[test]
fn a_crash_leaves_nothing_but_a_map() {
    for way in &WAYS {
        let folder = tempfile::tempdir().expect("a folder");
        let Some(program) = compile(way, folder.path()) else { continue };
        let mut toy = Measured::open(&program, folder.path()).expect("it is instrumented");
        let died = toy.run(&["(assert die)\n(check-sat)\n"]).expect("no process ended");
        assert_eq!(died.is_empty(), way.kind != Instrumentation::Edges, "{}", way.name);
    }
}

#[test]
fn what_tells_nothing_is_refused_before_it_is_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let check = |way: &Way, spoil: &dyn Fn(&Path), part: &str| {
        let Some(program) = compile(way, folder.path()) else { return };
        spoil(folder.path());
        let error = Measured::open(&program, folder.path()).err().expect(part).to_string();
        assert!(error.contains(part), "{error}");
    };
    let plain = |flags| Way { name: "plain", compiler: "clang-19", flags, kind: Instrumentation::Gcov };
    check(&plain(&[]), &|_| {}, "is not instrumented; compile it with --coverage");
    check(&plain(&["-fprofile-instr-generate"]), &|_| {}, "compile it with -fcoverage-mapping, too");
    check(&plain(&["-fsanitize-coverage=trace-pc-guard"]), &|_| {}, "squall experiment cover --runtime FILE");
    check(&WAYS[0], &|at| fs::remove_file(at.join("toy.gcno")).expect("a file"), "toy.gcno are missing (1 of 1 files)");
    check(&WAYS[0], &|at| fs::write(at.join("toy.gcno"), "no notes").expect("a file"), "not a gcov file");
    let cut = |at: &Path| {
        let notes = fs::read(at.join("toy.gcno")).expect("a file");
        fs::write(at.join("toy.gcno"), &notes[..notes.len() - 5]).expect("a file");
    };
    check(&WAYS[0], &cut, "ends too early");
}

#[test]
fn counters_of_another_build_are_refused() {
    for way in &WAYS[..2] {
        let folder = tempfile::tempdir().expect("a folder");
        let Some(program) = compile(way, folder.path()) else { continue };
        let mut toy = Measured::open(&program, folder.path()).expect("it is instrumented");
        // Compiled again with one more function, and linked elsewhere: the old program runs with new notes.
        fs::write(folder.path().join("toy.c"), format!("{TOY}int more(int n) {{ return n ? 2 : n; }}\n"))
            .expect("a file");
        let flags = [way.flags, &["-c", "toy.c"]].concat();
        let status = Command::new(way.compiler).args(flags).current_dir(folder.path()).status();
        assert!(status.is_ok_and(|status| status.success()));
        toy = Measured::open(toy.build.program(), folder.path()).expect("it is instrumented");
        let error = toy.run(&[PLAIN]).expect_err("it is refused").to_string();
        assert!(error.contains("is profile data of another build than"), "{}: {error}", way.name);
    }
}

#[test]
fn counters_that_cannot_be_written_are_missed() {
    for way in &WAYS[..3] {
        let folder = tempfile::tempdir().expect("a folder");
        let Some(program) = compile(way, folder.path()) else { continue };
        let mut toy = Measured::open(&program, folder.path()).expect("it is instrumented");
        toy.build.clear().expect("a folder");
        let error = toy.build.executed(true).expect_err("nothing is there").to_string();
        assert!(error.contains("left no profile data in") && error.contains("is the disk full"), "{error}");
        assert_eq!(toy.build.executed(false).expect("nothing ran"), CoverageSet::default());
    }
}

/// Notes and counters with one byte changed, or truncated anywhere, are read or rejected: nothing panics, or uses unbounded memory.
#[test]
fn damaged_files_of_gcov_are_read_or_refused() {
    for way in &WAYS[..2] {
        let folder = tempfile::tempdir().expect("a folder");
        let Some(program) = compile(way, folder.path()) else { continue };
        let mut toy = Measured::open(&program, folder.path()).expect("it is instrumented");
        toy.run(&[XOR]).expect("counters");
        let counters = folder.path().join("counters");
        let data = counters.join(folder.path().strip_prefix("/").expect("it is absolute")).join("toy.gcda");
        let notes = folder.path().join("toy.gcno");
        let installed = toy.solver.installed().clone();
        let (mut read, mut refused) = (0, 0);
        for path in [&notes, &data] {
            let bytes = fs::read(path).expect("a file");
            let mut check = |damaged: &[u8]| {
                fs::write(path, damaged).expect("a file");
                let set = InstrumentedBuild::open(&installed, &counters).and_then(|mut build| build.executed(true));
                *(if set.is_ok() { &mut read } else { &mut refused }) += 1;
            };
            for at in 0..bytes.len() {
                let mut damaged = bytes.clone();
                damaged[at] ^= 0xff;
                check(&damaged);
                check(&bytes[..at]);
            }
            fs::write(path, &bytes).expect("a file");
        }
        println!("{}: {read} read, {refused} refused", way.name);
        assert!(read > 0 && refused > 0, "{}: {read} {refused}", way.name);
    }
}

fn of(numbers: &[usize]) -> CoverageSet {
    let mut set = CoverageSet::default();
    numbers.iter().for_each(|number| set.insert(*number));
    set
}

#[test]
fn sets_are_sets() {
    let check = |left: &[usize], right: &[usize], union: &[usize], rest: &[usize]| {
        let (left, right) = (of(left), of(right));
        let mut all = left.clone();
        all.add_all(&right);
        assert_eq!(all.iter().collect::<Vec<_>>(), union);
        assert_eq!(left.without(&right).iter().collect::<Vec<_>>(), rest);
        assert_eq!((all.len(), all.is_empty()), (union.len(), union.is_empty()));
        assert_eq!(CoverageSet::from_hex(&all.to_hex()), Some(all));
    };
    check(&[], &[], &[], &[]);
    check(&[1, 64, 200], &[64], &[1, 64, 200], &[1, 200]);
    check(&[3], &[3, 500], &[3, 500], &[]);
    assert!(of(&[63]).contains(63) && !of(&[63]).contains(64));
    for wrong in ["1", "000000000000000g", "+00000000000000f"] {
        assert_eq!(CoverageSet::from_hex(wrong), None, "{wrong}");
    }
}

#[test]
fn complaints_of_counters_are_told_from_others() {
    let check = |text: &str, expect: Option<&str>| {
        assert_eq!(InstrumentedBuild::complaint(text.as_bytes()).as_deref(), expect);
    };
    check("sat\nprofiling:/x/a.gcda:Cannot open\n", Some("profiling:/x/a.gcda:Cannot open"));
    check(
        "LLVM Profile Error: Failed to write file \"x\": No space left",
        Some("LLVM Profile Error: Failed to write file \"x\": No space left"),
    );
    check("(error \"unknown symbol\")\n", None);
}
