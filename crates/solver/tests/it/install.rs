//! Installs real solvers with the user's pip. Without a package index these tests report that and pass.

mod crates;

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use solver::cache::SolverCache;
use solver::doctor::ClaimVerdict;
use solver::install::{Fleet, InstallError, InstallEvent, InstalledSolver, Integrity};
use solver::outcome::Answer;
use solver::process::ProcessLimits;
use solver::profiles::Profiles;
use solver::session::SessionNeeds;
use solver::sources::path::SearchPath;
use solver::spec::SolverSpec;

fn fleet(cache: &Path, path: SearchPath) -> Fleet {
    Fleet::new(Profiles::embedded(), SolverCache::at(cache), path)
}

fn spec(text: &str) -> SolverSpec {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn quiet(_: &InstallEvent<'_>) {}

/// Returns the installed solver, or `None`, with a message, without a package index.
fn installed(fleet: &Fleet, text: &str) -> Option<InstalledSolver> {
    match fleet.ensure(&spec(text), &mut quiet) {
        Ok(installed) => Some(installed),
        Err(error @ (InstallError::Offline { .. } | InstallError::NoPython | InstallError::NoPip { .. })) => {
            println!("{error}");
            testing::require(text, None)
        }
        Err(error) => panic!("{text}: {error}"),
    }
}

/// Returns everything in the cache folder that is not a complete solver.
fn remains(cache: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(cache.join("solvers")).into_iter().flatten().flatten().map(|entry| entry.path());
    entries.filter(|path| !path.join("install.toml").exists()).collect()
}

#[test]
fn a_pinned_z3_is_installed_once_works_and_goes_whole() {
    let cache = tempfile::tempdir().unwrap();
    let fleet = fleet(cache.path(), SearchPath::of_environment());
    let Some(z3) = installed(&fleet, "z3@4.8.7") else { return };
    assert_eq!(z3.version.as_ref().map(|v| v.to_string()), Some("4.8.7".to_string()));
    let false_claims: Vec<_> =
        fleet.doctor(&z3).into_iter().filter(|check| matches!(check.verdict, ClaimVerdict::False(_))).collect();
    assert_eq!(false_claims, []);

    let mut events = Vec::new();
    let mut record = |event: &InstallEvent<'_>| events.push(format!("{event:?}"));
    fleet.install(&spec("z3@4.8.7.0"), &mut record).unwrap();
    assert!(events.len() == 1 && events[0].starts_with("AlreadyInstalled"), "{events:?}");

    let z3str3 = fleet.resolve(&spec("z3+z3str3@4.8.7")).unwrap();
    let solver = fleet.solver(z3str3);
    let line = solver.command_line(SessionNeeds::SINGLE, &ProcessLimits::default());
    assert!(line.contains(&OsString::from("smt.string_solver=z3str3")), "{line:?}");
    let outcome = solver.check(
        "(declare-fun s () String)(assert (= s \"a\"))(check-sat)",
        SessionNeeds::SINGLE,
        &ProcessLimits::default(),
    );
    assert_eq!(outcome.unwrap().last_answer(), Answer::Sat);

    fleet.remove(&spec("z3@4.8.7")).unwrap();
    assert!(fs::read_dir(cache.path().join("solvers")).unwrap().next().is_none());
    assert!(matches!(fleet.remove(&spec("z3@4.8.7")), Err(InstallError::NothingToRemove { .. })));
}

#[test]
fn every_solver_that_pip_offers_is_what_its_profile_says() {
    let cache = tempfile::tempdir().unwrap();
    let fleet = fleet(cache.path(), SearchPath::of_environment());
    let names =
        ["z3@4.8.5", "cvc5@1.4.2", "yices2@2.6.5", "z3@5.4.0", "yices2@2.6.4", "bitwuzla@0.9.1", "boolector@3.2.4"];
    for name in names.into_iter().take(testing::amount("SQUALL_PIP_SOLVERS", 3)) {
        let installed = match fleet.ensure(&spec(name), &mut quiet) {
            Ok(installed) => installed,
            // A package index may offer nothing for this machine or this Python.
            Err(
                error @ (InstallError::Offline { .. }
                | InstallError::NoPython
                | InstallError::NoPip { .. }
                | InstallError::NoWheel { .. }),
            ) => {
                println!("{error}");
                testing::require::<()>(name, None);
                continue;
            }
            Err(error) => panic!("{name}: {error}"),
        };
        let program = fs::read(&installed.command[0]).unwrap();
        assert!(!program.starts_with(b"#!"), "{name} is started by a script: {:?}", installed.command);
        for check in fleet.doctor(&installed) {
            assert!(!matches!(check.verdict, ClaimVerdict::False(_)), "{name}: {check:?}");
        }
    }
}

#[test]
fn every_solver_on_the_search_path_is_what_its_profile_says() {
    let cache = tempfile::tempdir().unwrap();
    let fleet = fleet(cache.path(), SearchPath::of_environment());
    for installed in fleet.list() {
        for check in fleet.doctor(&installed) {
            assert!(!matches!(check.verdict, ClaimVerdict::False(_)), "{}: {check:?}", installed.spec);
        }
    }
}

#[test]
fn two_installations_at_once_leave_one_whole_solver() {
    let cache = tempfile::tempdir().unwrap();
    let fleet = fleet(cache.path(), SearchPath::of_environment());
    let results: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..3).map(|_| scope.spawn(|| installed(&fleet, "z3@4.8.7").is_some())).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(results.iter().all(|result| *result == results[0]));
    assert_eq!(remains(cache.path()), Vec::<PathBuf>::new());
}

/// Makes a folder with a `python3` that is a shell script and ignores its isolation options.
fn fake_python(body: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("python3");
    testing::executable(&program, &format!("#!/bin/sh\nshift\n{body}\n"));
    folder
}

#[test]
fn what_can_go_wrong_is_told_and_leaves_nothing_behind() {
    let check = |name: &str, body: &str, text: &str, expect: &str| {
        let cache = tempfile::tempdir().unwrap();
        let python = fake_python(body);
        let fleet = fleet(cache.path(), SearchPath::new(vec![python.path().to_path_buf()]));
        let error = fleet.ensure(&spec(text), &mut quiet).expect_err(name).to_string();
        assert!(error.contains(expect), "{name}: {error}");
        assert_eq!(remains(cache.path()), Vec::<PathBuf>::new(), "{name}");
    };
    check("no pip", "echo '/x: No module named pip' >&2; exit 1", "z3@4.8.7", "has no pip; install it");
    check(
        "offline",
        "echo 'WARNING: Retrying: NewConnectionError(...): Failed to establish a new connection' >&2
         echo 'ERROR: No matching distribution found for z3-solver' >&2; exit 1",
        "z3@4.8.7",
        "pip cannot reach its package index",
    );
    check(
        "offline, where pip tries once",
        "echo 'ERROR: No matching distribution found for z3-solver' >&2; exit 1",
        "z3@4.8.7",
        "pip cannot reach its package index",
    );
    check(
        "no such version",
        "case $3 in download) echo 'ERROR: No matching distribution found for z3' >&2; exit 1;; esac
         case $4 in versions) echo 'Available versions: 4.8.8.0, 4.8.7.0';; esac",
        "z3@4.8.99",
        "there is no z3 4.8.99; pip offers 4.8.8, 4.8.7; 'squall solver list --remote z3' lists all",
    );
    check(
        "a digit too many",
        "case $3 in download) echo 'ERROR: No matching distribution found for z3' >&2; exit 1;; esac
         case $4 in versions) echo 'Available versions: 4.8.8.0, 4.8.7.0';; esac",
        "z3@4.8.77",
        "there is no z3 4.8.77; did you mean z3@4.8.7? pip offers 4.8.8, 4.8.7; ",
    );
    check(
        "no such version among many",
        "case $3 in download) echo 'ERROR: No matching distribution found for z3' >&2; exit 1;; esac
         case $4 in versions) echo 'Available versions: 5.0, 4.9.4, 4.9.3, 4.9.2, 4.9.1, 4.8.8.0, 4.8.7.0';; esac",
        "z3@4.9",
        "there is no z3 4.9; pip offers 4.9.3, 4.9.2, 4.9.1, 4.8.8, 4.8.7 and 2 more; ",
    );
    check(
        "another platform",
        "case $3 in download) echo 'ERROR: No matching distribution found for z3' >&2; exit 1;; esac
         case $4 in versions) echo 'Available versions: 4.8.8.0, 4.8.7.0';; esac",
        "z3@4.8.7",
        "has no wheel of 4.8.7 for",
    );
    check(
        "hash mismatch",
        "echo 'ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE.' >&2; exit 1",
        "z3@4.8.7",
        "is damaged",
    );
    check("pip fails", "echo 'ERROR: the moon is full' >&2; exit 2", "z3@4.8.7", "the moon is full");
    check("nothing to fetch", "exit 1", "mathsat@5.6.10", "mathsat cannot be fetched");
    check("unknown solver", "exit 1", "z4@1.0", "did you mean 'z3'?");
    check("unknown variant", "exit 1", "z3+z3str2@4.8.7", "did you mean 'z3str3'?");
    check("variant of other versions", "exit 1", "z3+z3str3@5.0", "does not have the variant");
    check("no program at the path", "exit 1", "/nowhere/solver", "no executable program at '/nowhere/solver'");
}

#[test]
fn what_a_package_numbers_besides_is_no_version_of_the_program() {
    let body = "case $4 in versions) echo 'Available versions: 3.2.4.38, 3.2.4.19, 3.2.3.2024.20, 3.0.0.1';; esac
        case $3 in download) echo 'ERROR: No matching distribution found for x' >&2; exit 1;; esac";
    let cache = tempfile::tempdir().unwrap();
    let python = fake_python(body);
    let fleet = fleet(cache.path(), SearchPath::new(vec![python.path().to_path_buf()]));
    assert_eq!(fleet.remote_versions("boolector").unwrap(), ["3.2.4", "3.2.3", "3.0.0"]);
    let error = fleet.install(&spec("boolector@3.2.44"), &mut quiet).unwrap_err().to_string();
    assert!(
        error.contains("there is no boolector 3.2.44; did you mean boolector@3.2.4? pip offers 3.2.4, 3.2.3"),
        "{error}"
    );
    assert_eq!(remains(cache.path()), Vec::<PathBuf>::new());
}

/// Helpers that would read the current folder are started elsewhere, and Python isolated; first without the user's own packages.
#[test]
fn helpers_are_started_away_from_the_current_folder() {
    let (cache, log) = (tempfile::tempdir().unwrap(), tempfile::NamedTempFile::new().unwrap());
    let tools = tempfile::tempdir().unwrap();
    let body =
        format!("#!/bin/sh\necho \"$PWD $1\" >> '{}'\necho 'No module named pip' >&2\nexit 1\n", log.path().display());
    for name in ["python3", "cargo"] {
        testing::executable(&tools.path().join(name), &body);
    }
    let fleet = fleet(cache.path(), SearchPath::new(vec![tools.path().to_path_buf()]));
    fleet.ensure(&spec("z3@4.8.7"), &mut quiet).unwrap_err();
    fleet.ensure(&spec("oxiz@0.3.4"), &mut quiet).unwrap_err();
    assert_eq!(fs::read_to_string(log.path()).unwrap(), "/ -I\n/ -E\n/ info\n");
}

/// A program changed since its installation is not the named one.
#[test]
fn an_installed_program_is_known_by_its_hash() {
    let cache = tempfile::tempdir().unwrap();
    let fleet = fleet(cache.path(), SearchPath::new(Vec::new()));
    let folder = cache.path().join("solvers").join("z3@4.8.7");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("z3"), "abc").unwrap();
    let check = |command: &str, sha256: &str, expect: &str| {
        let manifest = format!("name = 'z3'\nversion = '4.8.7'\norigin = 'a test'\ncommand = [{command}]\n{sha256}\n");
        fs::write(folder.join("install.toml"), manifest).unwrap();
        let resolved = fleet.resolve(&spec("z3@4.8.7"));
        let said = match resolved.and_then(|installed| fleet.verify(&installed)) {
            Ok(integrity) => integrity.note().unwrap_or_default(),
            Err(error) => error.to_string(),
        };
        assert!(if expect.is_empty() { said.is_empty() } else { said.contains(expect) }, "{command} {sha256}: {said}");
        assert!(said.is_empty() || said.contains("install"), "it says what to do: {said}");
    };
    // https://www.di-mgt.com.au/sha_testvectors.html
    let abc = "sha256 = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'";
    check("'z3'", abc, "");
    check("'/usr/bin/env', 'A=1', 'z3'", abc, "");
    check("'z3'", &abc.replace('b', "a").replace("shaa", "sha"), "is not the program that was installed");
    check("'z3'", "sha256 = ''", "'install.toml' of z3@4.8.7 has no SHA-256");
    check("'z3'", "", "missing field `sha256`");
    // For libraries an earlier version hashed the archive, which is gone.
    let launched = "'python3', '-I', '-S', 'launcher.py', 'lib'";
    check(launched, abc, "z3@4.8.7 was installed by an earlier version");
}

/// A library consists of all its files and the launcher that runs it. The wheel from the stand-in for pip contains a library of Python
/// code.
#[test]
fn an_installed_library_is_known_by_its_files() {
    let Ok(python) = solver::sources::python::Python::find(&SearchPath::of_environment()) else {
        testing::require::<()>("python3", None);
        return;
    };
    let tools = tempfile::tempdir().unwrap();
    let code = "import sys
class Options:
    def __init__(self, *a): pass
    def __getattr__(self, name): return lambda *a: None
Option = Options
class Parser(Options):
    def parse(self, text, parses_only=False, is_file=True):
        text = open(text).read() if is_file else text
        for part in text.split('(reset)'):
            print('unsat' if '(not q)' in part or '(assert p)' in part else 'sat')
            print('((define-fun p () Bool false))' if 'get-model' in part else '')
TermManager = Options
version = lambda: '0.9.0'
";
    let body = format!(
        "#!/bin/sh
case \"$*\" in *' download '*) while [ \"$1\" != --dest ]; do shift; done
  exec {python} -c 'import sys, zipfile
with zipfile.ZipFile(sys.argv[1] + \"/bitwuzla-0.9.0-cp3-none-any.whl\", \"w\") as wheel:
    wheel.writestr(\"bitwuzla.py\", sys.argv[2])
    wheel.writestr(\"more/part.so\", \"x\")' \"$2\" \"{code}\";; esac
exec {python} \"$@\"
",
        python = python.program().display()
    );
    testing::executable(&tools.path().join("python3"), &body);
    let cache = tempfile::tempdir().unwrap();
    let fleet = fleet(cache.path(), SearchPath::new(vec![tools.path().to_path_buf()]));
    let installed = fleet.install(&spec("bitwuzla@0.9.0"), &mut quiet).unwrap();
    assert_eq!(fleet.verify(&installed).unwrap(), Integrity::Same);
    let folder = cache.path().join("solvers/bitwuzla@0.9.0");
    let whole = tempfile::tempdir().unwrap();
    let check = |what: &str, change: &dyn Fn()| {
        let verdict = |fleet: &Fleet| fleet.resolve(&spec("bitwuzla@0.9.0")).and_then(|found| fleet.verify(&found));
        assert_eq!(verdict(&fleet).unwrap(), Integrity::Same, "before {what}");
        change();
        assert!(matches!(verdict(&fleet), Err(InstallError::Changed { .. })), "{what}");
    };
    let part = folder.join("lib/more/part.so");
    check("a byte", &|| fs::write(&part, "y").unwrap());
    fs::write(&part, "x").unwrap();
    check("a file too many", &|| fs::write(folder.join("lib/sitecustomize.py"), "").unwrap());
    fs::remove_file(folder.join("lib/sitecustomize.py")).unwrap();
    check("another place", &|| fs::rename(&part, folder.join("lib/part.so")).unwrap());
    fs::rename(folder.join("lib/part.so"), &part).unwrap();
    check("a file too few", &|| fs::rename(&part, whole.path().join("part.so")).unwrap());
}

#[test]
fn a_corrupt_archive_is_refused() {
    let Ok(python) = solver::sources::python::Python::find(&SearchPath::of_environment()) else {
        testing::require::<()>("python3", None);
        return;
    };
    // One with a known hash, and one with an unknown one.
    for (file, text, expect) in [
        ("z3_solver-4.8.7.0-py2-none-any.whl", "z3@4.8.7", "does not belong to that release"),
        ("z3_solver-4.8.7.0+x-py2-none-any.whl", "z3@4.8.7", "does not belong to that release"),
        ("z3_solver-4.8.8.0-py2-none-any.whl", "z3@4.8.8", "is damaged"),
    ] {
        let body = format!(
            "case $3 in download)
               while [ $# -gt 1 ]; do [ $1 = --dest ] && dest=$2; shift; done
               echo garbage > $dest/{file}; exit 0;; esac
             exec {} \"$@\"",
            python.program().display()
        );
        let cache = tempfile::tempdir().unwrap();
        let fake = fake_python(&body);
        let fleet = fleet(cache.path(), SearchPath::new(vec![fake.path().to_path_buf()]));
        // The stand-in for pip is a shell script without `PATH`; it uses only built-in commands.
        let error = fleet.ensure(&spec(text), &mut quiet).unwrap_err().to_string();
        assert!(error.contains(expect), "{file}: {error}");
        assert_eq!(remains(cache.path()), Vec::<PathBuf>::new());
    }
}

#[test]
fn without_python_the_error_says_so() {
    let cache = tempfile::tempdir().unwrap();
    let fleet = fleet(cache.path(), SearchPath::new(Vec::new()));
    assert!(matches!(fleet.ensure(&spec("z3@4.8.7"), &mut quiet), Err(InstallError::NoPython)));
    assert!(matches!(fleet.resolve(&spec("z3@4.8.7")), Err(InstallError::NotInstalled { .. })));
    assert!(matches!(fleet.install(&spec("builtin:sat"), &mut quiet), Err(InstallError::Builtin { .. })));
}

#[test]
fn what_cannot_be_removed_or_fetched_is_said_with_what_can() {
    let cache = tempfile::tempdir().unwrap();
    let fleet = fleet(cache.path(), SearchPath::new(Vec::new()));
    let check = |spec_text: &str, expect: &str| {
        assert_eq!(fleet.remove(&spec(spec_text)).unwrap_err().to_string(), expect);
    };
    check("z3@4.8.7", "no installed solver is named 'z3@4.8.7'; none is installed");
    check("./z3", "'./z3' cannot be installed or removed; name it as in z3@4.8.7");
    let folder = cache.path().join("solvers").join("z3@4.8.7");
    fs::create_dir_all(&folder).unwrap();
    let manifest = "name = 'z3'\nversion = '4.8.7'\norigin = 'a test'\ncommand = ['z3']\nsha256 = ''\n";
    fs::write(folder.join("install.toml"), manifest).unwrap();
    check("z3", "no installed solver is named 'z3'; installed are z3@4.8.7");
    check("z3@4.8.8", "no installed solver is named 'z3@4.8.8'; installed are z3@4.8.7");
    let mistyped = fleet.resolve(&spec("z3@4.8.77")).unwrap_err().to_string();
    assert!(
        mistyped.starts_with("z3@4.8.77 is not installed; did you mean z3@4.8.7, which is? If not, run "),
        "{mistyped}"
    );
    let other = fleet.resolve(&spec("z3@4.8.8")).unwrap_err().to_string();
    assert!(other.starts_with("z3@4.8.8 is not installed; run 'squall solver install z3@4.8.8', or "), "{other}");
    let not_fetched = fleet.resolve(&spec("mathsat")).unwrap_err().to_string();
    assert_eq!(
        not_fetched,
        "mathsat is not installed; put its program on PATH under a name that its profile lists in 'executables', or name the program by \
         its path"
    );
    fleet.remove(&spec("z3@4.8.7")).unwrap();
    assert_eq!(remains(cache.path()), Vec::<PathBuf>::new());

    let error = fleet.remote_versions("mathsat").unwrap_err();
    assert!(matches!(error, InstallError::NoSource { .. }), "{error}");
}
