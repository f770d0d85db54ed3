//! Solvers compiled from sources: a toy one of a single file, by the machine's own C++ compiler and without network.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use finding::Instrument;
use solver::cache::SolverCache;
use solver::install::{BuildOrder, Fleet, InstallError, InstallEvent, InstalledSolver};
use solver::outcome::SolverOutcome;
use solver::process::ProcessLimits;
use solver::profile::Guard;
use solver::profiles::{Profiles, parse};
use solver::session::SessionNeeds;
use solver::sources::path::SearchPath;
use solver::spec::{NamedSpec, SolverSpec};

/// Answers by a word in its script, and contains an error that a name triggers.
const TOY: &str = r#"#include <cassert>
#include <iostream>
#include <string>
int main(int argc, char **argv) {
    if (argc > 1 && std::string(argv[1]) == "--version") { std::cout << "toy version 1.2.0" << std::endl; return 0; }
    std::string word, script;
    while (std::cin >> word) script += word + ' ';
    auto holds = [&](char const *text) { return script.find(text) != std::string::npos; };
    assert(!holds("fail") && "no failure");
    int *block = new int[argc];
    if (holds("freed")) { delete[] block; return block[argc - 1]; }
    if (holds("overflow")) std::cerr << 2147483647 + argc;
    std::cout << (holds("(not q)") ? "unsat" : "sat") << std::endl;
    delete[] block;
}
"#;

const PROFILE: &str = r#"
name = "toy"
title = "Toy"
gives-models = "<0"
incremental = "<0"
[version]
prefix = "toy version"
[build]
crate = "toy-src"
configure = ["/bin/sh", "-c", "mkdir -p \"$0\"/out && echo configured with $# words", "{build}", "{flags}"]
compile = ["{cxx}", "{flags}", "{source}/main.cpp", "-o", "{build}/out/toy"]
program = "out/toy"
needs = "nothing but luck"
[build.plain]
flags = ["-DNDEBUG"]
[build.assertions]
flags = ["-O1"]
[build.asan]
flags = ["-fsanitize=address", "-g1"]
environment = ["ASAN_OPTIONS=detect_leaks=0"]
watch-memory = true
[build.ubsan]
flags = ["-fsanitize=undefined", "-g1"]
[build.coverage]
flags = ["--coverage"]
"#;

struct Yard {
    folder: tempfile::TempDir,
    fleet: Fleet,
}

impl Yard {
    /// Makes a folder with a toy's sources and its profile, changed by `edit`.
    fn new(source: &str, edit: impl Fn(&str) -> String, path: SearchPath) -> Yard {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("src")).unwrap();
        fs::write(folder.path().join("src/main.cpp"), source).unwrap();
        let mut profiles = Profiles::embedded();
        profiles.add(parse(&edit(PROFILE), "toy").unwrap(), "toy").unwrap();
        let fleet = Fleet::new(profiles, SolverCache::at(&folder.path().join("cache")), path);
        Yard { folder, fleet }
    }

    /// Makes one that can compile, if there is a C++ compiler.
    fn with_compiler(source: &str, edit: impl Fn(&str) -> String) -> Option<Yard> {
        let path = SearchPath::of_environment();
        testing::require("c++", path.program("c++"))?;
        Some(Yard::new(source, edit, path))
    }

    fn order(&self, version: &str, instruments: &[Instrument]) -> BuildOrder {
        let solver =
            NamedSpec { name: "toy".into(), variant: None, version: Some(version.into()), options: Vec::new() };
        let source = Some(self.folder.path().join("src"));
        BuildOrder { solver, instruments: instruments.iter().copied().collect(), jobs: 1, source }
    }

    fn build(&self, instruments: &[Instrument]) -> Result<InstalledSolver, InstallError> {
        self.fleet.build(&self.order("1.2.0", instruments), &mut |_: &InstallEvent<'_>| {})
    }

    fn ask(&self, solver: &str, text: &str) -> SolverOutcome {
        let solver = self.fleet.solver(self.fleet.resolve(&spec(solver)).unwrap());
        let script = format!("(set-info :notes |{text}|)\n(check-sat)\n");
        solver.check(&script, SessionNeeds::SINGLE, &ProcessLimits::default()).unwrap()
    }

    /// Returns the names in a folder of the cache.
    fn names(&self, part: &str) -> Vec<String> {
        let entries = fs::read_dir(self.folder.path().join("cache").join(part)).into_iter().flatten().flatten();
        let mut names: Vec<String> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }
}

fn spec(text: &str) -> SolverSpec {
    text.parse().unwrap()
}

fn as_it_is(profile: &str) -> String {
    profile.to_string()
}

#[test]
fn a_toy_is_compiled_with_what_its_release_lacks_and_its_mistakes_have_names() {
    let Some(yard) = Yard::with_compiler(TOY, as_it_is) else { return };
    let mut events = Vec::new();
    let order = yard.order("1.2.0", &[Instrument::Assertions]);
    let mut record = |event: &InstallEvent<'_>| events.push(format!("{event:?}"));
    let built = yard.fleet.build(&order, &mut record).unwrap();
    assert_eq!(built.label(), "toy@1.2.0+assertions");
    let is_told = |what: &str| events.iter().any(|event| event.contains(what));
    assert!(is_told("configuring") && is_told("compiling") && is_told("Compiled") && is_told("Testing"), "{events:?}");

    // Only the log remains of the work.
    assert_eq!(yard.names("solvers"), ["toy@1.2.0+assertions"]);
    assert_eq!(yard.names("builds"), ["toy@1.2.0+assertions.lock", "toy@1.2.0+assertions.log"]);
    let log = fs::read_to_string(yard.folder.path().join("cache/builds/toy@1.2.0+assertions.log")).unwrap();
    assert!(log.contains("configured with 1 words"), "{log}");

    // The release is another solver, which must be requested explicitly.
    assert!(matches!(yard.fleet.resolve(&spec("toy@1.2.0")), Err(InstallError::NotInstalled { .. })));
    assert!(matches!(yard.fleet.resolve(&spec("toy")), Err(InstallError::NotInstalled { .. })));
    yard.build(&[]).unwrap();
    assert_eq!(yard.fleet.resolve(&spec("toy")).unwrap().label(), "toy@1.2.0");
    let labels: Vec<String> = yard.fleet.list().iter().map(InstalledSolver::label).collect();
    assert!(
        ["toy@1.2.0", "toy@1.2.0+assertions"].iter().all(|label| labels.contains(&label.to_string())),
        "{labels:?}"
    );

    let check = |solver: &str, text: &str, signature: Option<&str>| {
        let outcome = yard.ask(solver, text);
        let found = outcome.crash.map(|crash| crash.signature.0);
        assert_eq!(found.as_deref(), signature, "{solver} {text}");
    };
    let assertion =
        "assertion: toy: main.cpp:9: int main(int, char**): Assertion `!holds(\"fail\") && \"no failure\"' failed.";
    check("toy@1.2.0+assertions", "fine", None);
    check("toy@1.2.0+assertions", "fail", Some(assertion));
    check("toy@1.2.0", "fail", None);

    // An existing build costs nothing, and is also found by its name.
    let mut events = Vec::new();
    let mut record = |event: &InstallEvent<'_>| events.push(format!("{event:?}"));
    yard.fleet.build(&yard.order("1.2.0+assertions", &[]), &mut record).unwrap();
    assert!(events.len() == 1 && events[0].starts_with("AlreadyInstalled"), "{events:?}");

    yard.fleet.remove(&spec("toy@1.2.0+assertions")).unwrap();
    yard.fleet.remove(&spec("toy@1.2.0")).unwrap();
    assert_eq!((yard.names("solvers"), yard.names("builds")), (Vec::new(), Vec::new()));
}

#[test]
fn sanitizers_find_what_they_are_for() {
    let Some(yard) = Yard::with_compiler(TOY, as_it_is) else { return };
    let built = match yard.build(&[Instrument::Undefined, Instrument::Address]) {
        Err(InstallError::Build(error)) if error.to_string().contains("no C++ compiler") => {
            testing::require::<()>("a compiler with sanitizers", None);
            return;
        }
        built => built.unwrap(),
    };
    assert_eq!(built.label(), "toy@1.2.0+asan+ubsan");
    // It reserves terabytes: only its use can be limited.
    assert_eq!(built.profile.memory.guard, Guard::WatchedRss);
    let signature = |text: &str| yard.ask("toy@1.2.0+asan+ubsan", text).crash.map(|crash| crash.signature.0);
    assert_eq!(signature("fine"), None);
    let freed = signature("freed").unwrap();
    assert!(freed.starts_with("sanitizer: heap-use-after-free in main"), "{freed}");
    let overflow = signature("overflow").unwrap();
    assert!(overflow.starts_with("sanitizer: signed integer overflow at main.cpp:12:"), "{overflow}");
}

#[test]
fn counters_of_lines_are_written_where_the_sources_stay() {
    let Some(yard) = Yard::with_compiler(TOY, as_it_is) else { return };
    yard.build(&[Instrument::Coverage]).unwrap();
    yard.ask("toy@1.2.0+coverage", "fine");
    let build = yard.folder.path().join("cache/builds/toy@1.2.0+coverage");
    assert!(build.join("source/main.cpp").exists());
    let counted = all_files(&build).into_iter().any(|path| path.extension().is_some_and(|end| end == "gcda"));
    assert!(counted, "{:?}", all_files(&build));
    yard.fleet.remove(&spec("toy@1.2.0+coverage")).unwrap();
    assert!(!build.exists());
}

fn all_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    entries.flat_map(|path| if path.is_dir() { all_files(&path) } else { vec![path] }).collect()
}

#[test]
fn what_can_go_wrong_is_told_and_installs_nothing() {
    let check = |name: &str, source: &str, edit: &dyn Fn(&str) -> String, expect: &[&str]| {
        let Some(yard) = Yard::with_compiler(source, edit) else { return };
        let error = yard.build(&[Instrument::Assertions]).expect_err(name);
        let text = error.to_string();
        assert!(expect.iter().all(|part| text.contains(part)), "{name}: {text}");
        assert_eq!(yard.names("solvers"), Vec::<String>::new(), "{name}");
        if text.contains("the whole log is") {
            let log = text.split("the whole log is ").nth(1).unwrap().split(';').next().unwrap();
            assert!(Path::new(log).exists(), "{name}: {log}");
        }
    };
    let old = TOY.replace("1.2.0", "1.1.0");
    check("another version", &old, &as_it_is, &["toy@1.2.0+assertions says that it is 1.1.0"]);
    let broken = TOY.replace("std::string word", "std::strong word");
    let error =
        ["cannot compile toy@1.2.0+assertions", "error:", "strong", "the whole log is", "it needs nothing but luck"];
    check("an error of the compiler", &broken, &as_it_is, &error);
    let failing = |profile: &str| profile.replace("mkdir -p", "echo no way; exit 3; ");
    check("configure fails", TOY, &failing, &["cannot configure", "no way"]);
    let elsewhere = |profile: &str| profile.replace("program = \"out/toy\"", "program = \"out/boy\"");
    check("no program", TOY, &elsewhere, &["left no program", "out/boy"]);
    let wrong = TOY.replace("? \"unsat\"", "? \"sat\"");
    check("answers wrongly", &wrong, &as_it_is, &["toy@1.2.0+assertions does not work on this machine"]);
    let lacking = |profile: &str| profile.replace("[build.assertions]\nflags = [\"-O1\"]\n", "");
    check("no such part", TOY, &lacking, &["does not say how it is compiled with assertions"]);
    let none = |profile: &str| profile.split("[build]").next().unwrap_or_default().to_string();
    check("no recipe", TOY, &none, &["toy has no sources to compile", "bitwuzla", "z3"]);
    let modern = |profile: &str| {
        profile.replace(
            "[build.plain]",
            "[build.compiler]\nheaders = [\"of_tomorrow\"]\nwanted = \"g++ 99\"\n[build.plain]",
        )
    };
    check("no compiler is good enough", TOY, &modern, &["tried c++: of_tomorrow", "install g++ 99"]);
    let edited =
        |profile: &str| format!("{profile}\n[[build.edit]]\nfile = \"main.cpp\"\nfrom = \"std::\"\nto = \"\"\n");
    check(
        "an edit for other sources",
        TOY,
        &edited,
        &["replaces a text of main.cpp that stands there", "and not once"],
    );
}

#[test]
fn what_is_missing_on_the_machine_is_told() {
    let empty = tempfile::tempdir().unwrap();
    let check = |edit: &dyn Fn(&str) -> String, path: &Path, expect: &str| {
        let yard = Yard::new(TOY, edit, SearchPath::new(vec![path.to_path_buf()]));
        let text = yard.build(&[]).unwrap_err().to_string();
        assert!(text.contains(expect), "{text}");
        assert_eq!(yard.names("solvers"), Vec::<String>::new());
    };
    // A compiler named by the variable CXX would be found.
    if std::env::var_os("CXX").is_none() {
        check(
            &as_it_is,
            empty.path(),
            "no C++ compiler here can compile toy; there is none on PATH; install g++ or clang",
        );
    }
    let cxx = tempfile::tempdir().unwrap();
    testing::executable(&cxx.path().join("c++"), "#!/bin/sh\nexit 0\n");
    let tools = |profile: &str| profile.replace("crate =", "tools = [\"cmake\", \"ninja\"]\ncrate =");
    check(
        &tools,
        cxx.path(),
        "what compiles this solver is missing: cmake and ninja; pip cannot fetch it (Python is missing",
    );

    let yard = Yard::new(TOY, as_it_is, SearchPath::new(vec![cxx.path().to_path_buf()]));
    let no_folder = BuildOrder { source: Some(empty.path().join("none")), ..yard.order("1.2.0", &[]) };
    let error = yard.fleet.build(&no_folder, &mut |_: &InstallEvent<'_>| {}).unwrap_err();
    assert!(error.is_usage() && error.to_string().contains("there is no folder of sources"), "{error}");
    let from_crate = BuildOrder { source: None, ..yard.order("1.2.0", &[]) };
    let error = yard.fleet.build(&from_crate, &mut |_: &InstallEvent<'_>| {}).unwrap_err();
    assert!(matches!(error, InstallError::NoCargo), "{error}");
}

#[test]
fn what_is_not_compiled_yet_is_never_made_unasked() {
    let yard = Yard::new(TOY, as_it_is, SearchPath::new(Vec::new()));
    let check = |text: &str, expect: &str| {
        let error = yard.fleet.ensure(&spec(text), &mut |_: &InstallEvent<'_>| {}).unwrap_err().to_string();
        assert!(error.contains(expect), "{error}");
    };
    check("toy@1.2.0+assertions", "run 'squall solver build toy@1.2.0 --assertions'");
    check("z3@5.3.3+ubsan+asan+coverage", "run 'squall solver build z3@5.3.3 --coverage --sanitize address,undefined'");
}

#[test]
fn a_build_that_failed_goes_on_where_it_was() {
    // The first run of the compiler leaves an object, the second uses it.
    let twice = |profile: &str| {
        let script = "[ -e \\\"$0\\\"/object ] && exec \\\"$@\\\"; touch \\\"$0\\\"/object; exit 1";
        profile.replace("compile = [", &format!("compile = [\"/bin/sh\", \"-c\", \"{script}\", \"{{build}}\", "))
    };
    let Some(yard) = Yard::with_compiler(TOY, twice) else { return };
    let error = yard.build(&[Instrument::Assertions]).unwrap_err().to_string();
    assert!(error.contains("cannot compile"), "{error}");
    assert_eq!(yard.names("solvers"), Vec::<String>::new());
    assert_eq!(yard.build(&[Instrument::Assertions]).unwrap().label(), "toy@1.2.0+assertions");
    // Another one has its own folder.
    assert!(yard.build(&[]).is_err());
}

#[test]
fn what_does_not_compile_in_the_faster_way_is_compiled_in_the_plain_one() {
    let check = |bad_word: &str, slower: bool| {
        // The configuration tells the compiler whether the faster way is used, which then fails.
        let faster = |profile: &str| {
            let compile = format!(
                "compile = [\"/bin/sh\", \"-c\", \"[ $(cat \\\"$0\\\"/way) = {bad_word} ] && exit 1; exec \\\"$@\\\"\", \"{{build}}\", "
            );
            let profile = profile.replace("echo configured with $# words", "echo ${@: -1} > \\\"$0\\\"/way");
            let profile = profile.replace("\"/bin/sh\", \"-c\", \"mkdir", "\"/bin/bash\", \"-c\", \"mkdir");
            profile.replace("compile = [", &format!("faster = [\"faster\"]\n{compile}"))
        };
        let Some(yard) = Yard::with_compiler(TOY, faster) else { return };
        let mut events = Vec::new();
        let mut record = |event: &InstallEvent<'_>| events.push(format!("{event:?}"));
        yard.fleet.build(&yard.order("1.2.0", &[Instrument::Assertions]), &mut record).unwrap();
        assert_eq!(events.iter().any(|event| event.starts_with("Slower")), slower, "{events:?}");
        assert_eq!(yard.names("solvers"), ["toy@1.2.0+assertions"]);
    };
    check("faster", true);
    check("other", false);
}

#[test]
fn the_recipes_of_all_profiles_say_all_that_is_needed() {
    for profile in Profiles::embedded().iter() {
        let Some(recipe) = &profile.build else { continue };
        let all: BTreeSet<Instrument> = Instrument::ALL.into_iter().collect();
        assert!(recipe.parts(&all).is_ok(), "{}", profile.name);
        let words = [&recipe.configure[..], &recipe.compile[..]].concat();
        for place in ["{source}", "{build}", "{jobs}"] {
            assert!(words.iter().any(|word| word.contains(place)), "{}: {place}", profile.name);
        }
        assert!(recipe.tools.contains(&recipe.compile[0]), "{}", profile.name);
    }
}
