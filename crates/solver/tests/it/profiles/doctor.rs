//! What the doctor and the preflight say about claims of profiles.

use solver::doctor::ClaimVerdict;
use solver::install::Fleet;
use solver::process::ProcessLimits;
use solver::profiles::Profiles;
use solver::sources::path::SearchPath;
use solver::{cache::SolverCache, profiles::parse};
use std::path::Path;
use std::time::Duration;

#[test]
fn the_doctor_tries_each_option_alone_and_with_several_checks() {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("picky");
    // It rejects --solo with several checks, and does not know the key :new.
    let body = "t=$(cat)\n\
        case \"$* $t\" in *--solo*push*) echo 'no push with --solo' >&2; exit 1;; *:new*) echo unsupported;; esac\n\
        case \"$t\" in *push*) printf 'sat\\nunsat\\nsat\\n';; *'(not q)'*) echo unsat;; *) echo sat;; esac";
    testing::executable(&program, &format!("#!/bin/sh\n{body}\n"));
    let profile = "name = \"picky\"\nexecutables = [\"picky\"]\ngives-models = \"<0\"\n\
        choice = [{ option = \"{}\", values = [\"--solo\", \"--all\"] },\n\
        { option = \"(set-option {})\", values = [\":new 1\", \":old 1\"], grade = \"experimental\" }]\n";
    let mut profiles = Profiles::embedded();
    profiles.add(parse(profile, "test").unwrap(), "test").unwrap();
    let fleet = Fleet::new(profiles, SolverCache::at(Path::new("/nonexistent")), SearchPath::new(Vec::new()));
    let solver = fleet.resolve(&program.to_str().unwrap().parse().unwrap()).unwrap();
    let checks = fleet.doctor(&solver);
    let verdict = |option: &str| {
        let claim = format!("takes the option {option}");
        let check = checks.iter().find(|check| check.claim == claim);
        format!("{:?}", check.unwrap_or_else(|| panic!("no claim '{claim}' among {checks:#?}")).verdict)
    };
    assert_eq!(verdict("--all"), "True");
    assert!(verdict("--solo").contains("with several checks"), "{}", verdict("--solo"));
    assert_eq!(verdict("(set-option :old 1)"), "True");
    assert!(verdict("(set-option :new 1)").contains("unsupported"), "{}", verdict("(set-option :new 1)"));
}

#[test]
fn the_doctor_says_which_claims_about_the_dialect_are_false() {
    // A shell script that answers sat to everything knows every symbol and misreads only unsatisfiable questions.
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("yes-man");
    testing::executable(&program, "#!/bin/sh\ncat >/dev/null\necho sat\n");
    let profile = "name = \"yes-man\"\nincremental = \"<0\"\nexecutables = [\"yes-man\"]\nlogics = [\"QF_BV\", \"ALL\"]\n\
                   [[dialect]]\nversions = \"*\"\nlacks = [\"bvnego\", \"no.such\", \"seq.last_indexof\"]\n\
                   rename = { \"str.in_re\" = \"str.in.re\" }\n\
                   misreads = [\"string-escape-u\", \"re.loop-empty-range\"]\nwrong = [\"bvnor\"]\n\
                   [[choice]]\noption = \"--engine={}\"\nvalues = [\"a\", \"b\"]\n";
    let mut profiles = Profiles::embedded();
    profiles.add(parse(profile, "test").unwrap(), "test").unwrap();
    let fleet = Fleet::new(profiles, SolverCache::at(Path::new("/nonexistent")), SearchPath::new(Vec::new()));
    let solver = fleet.resolve(&program.to_str().unwrap().parse().unwrap()).unwrap();
    let checks = fleet.doctor(&solver);
    let verdict = |claim: &str| {
        let check = checks.iter().find(|check| check.claim == claim);
        check.map(|check| check.verdict.clone()).unwrap_or_else(|| panic!("no claim '{claim}' among {checks:#?}"))
    };
    assert!(matches!(verdict("lacks bvnego"), ClaimVerdict::False(_)));
    // It accepts this one with an arbitrary value, so it answers sat to an unsatisfiable question about it.
    assert_eq!(verdict("lacks seq.last_indexof"), ClaimVerdict::True);
    assert!(matches!(verdict("its dialect at no.such"), ClaimVerdict::Untested(_)));
    assert!(matches!(verdict("calls str.in_re str.in.re"), ClaimVerdict::False(_)), "it knows the standard name too");
    assert_eq!(verdict("knows the other standard symbols tested"), ClaimVerdict::True);
    assert!(matches!(verdict("misreads string-escape-u"), ClaimVerdict::False(_)));
    assert_eq!(verdict("reads string-escape-c rightly"), ClaimVerdict::True);
    assert_eq!(verdict("misreads re.loop-empty-range"), ClaimVerdict::True);
    assert!(matches!(verdict("is wrong about bvnor"), ClaimVerdict::False(_)));
    assert_eq!(verdict("takes the option --engine=b"), ClaimVerdict::True);
}

#[test]
fn the_doctor_tells_a_wrong_answer_from_an_unknown_symbol_and_says_a_message_once() {
    let check = |body: &str, expect: &[&str]| {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("script");
        testing::executable(&program, &format!("#!/bin/sh\n{body}\n"));
        let fleet =
            Fleet::new(Profiles::embedded(), SolverCache::at(Path::new("/nonexistent")), SearchPath::new(Vec::new()));
        let solver = fleet.resolve(&program.to_str().unwrap().parse().unwrap()).unwrap();
        let told: Vec<String> =
            fleet.doctor(&solver).iter().map(|check| format!("{}: {:?}", check.claim, check.verdict)).collect();
        let told = told.join("\n");
        for words in expect {
            assert_eq!(told.matches(words).count(), 1, "'{words}' once in\n{told}");
        }
    };
    let wrong = r#"t=$(cat); case "$t" in *bvsmod*|*'(not q)'*) echo unsat;; *) echo sat;; esac"#;
    check(wrong, &["answers bvsmod rightly: False(\"WRONG: its answer is unsat, right is sat\")"]);
    let no_words = r#"t=$(cat); case "$t" in *str.*|*re.*) echo '(error "no words")';; *'(not q)'*) echo unsat;; *) echo sat;; esac"#;
    check(no_words, &["knows the other standard symbols tested: False", "no words)"]);
    check(
        "echo 'usage: script FILE' >&2; exit 1",
        &["answers sat: False", "everything else that is claimed: Untested"],
    );
}

#[test]
fn a_program_is_recognised_by_what_it_prints_as_its_version() {
    let root = tempfile::tempdir().unwrap();
    let mut profiles = Profiles::embedded();
    // Its version output could come from any program, and the profile is meant for another program.
    let own = "name = \"own\"\nexecutables = [\"own\"]\n[version]\nprefix = \"version\"\n";
    profiles.add(parse(own, "test").unwrap(), "test").unwrap();
    let fleet = Fleet::new(profiles, SolverCache::at(Path::new("/nonexistent")), SearchPath::new(Vec::new()));
    let check = |file: &str, said: &str, profile: &str, version: Option<&str>| {
        let path = testing::executable(&root.path().join(file), &format!("#!/bin/sh\n{said}\n"));
        let found = fleet.resolve(&path.parse().unwrap()).unwrap();
        assert_eq!(found.profile.name, profile, "{file} {said}");
        assert_eq!(found.version.map(|version| version.to_string()).as_deref(), version, "{file} {said}");
    };
    let cvc5 = "echo 'This is cvc5 version 1.2.1 [git tag 1.2.1]'";
    check("mycvc5", cvc5, "cvc5", Some("1.2.1"));
    check("z3", cvc5, "cvc5", Some("1.2.1"));
    check("cvc5-dev", cvc5, "cvc5", Some("1.2.1"));
    check("solver", "echo 'Z3 version 4.8.7 - 64 bit' >&2", "z3", Some("4.8.7"));
    check("q", "echo 'Yices 2.6.5'", "yices2", Some("2.6.5"));
    // A program without specific output has the profile of its name, and so has one that a user's profile is meant for.
    check("z3-quiet", "exit 1", "z3", None);
    check("bitwuzla", "echo 0.9.1", "bitwuzla", Some("0.9.1"));
    check("other", "echo 'Other version 7.1'", "generic", Some("7.1"));
    check("own", "echo 'Z3 version 4.8.7'", "own", Some("4.8.7"));
}

#[test]
fn a_preflight_wants_an_answer_of_whatever_kind() {
    let root = tempfile::tempdir().unwrap();
    let profiles = Profiles::embedded();
    let fleet = Fleet::new(profiles, SolverCache::at(Path::new("/nonexistent")), SearchPath::new(Vec::new()));
    let check = |body: &str, expect: Option<&str>| {
        let program = testing::executable(&root.path().join("solver"), &format!("#!/bin/sh\nt=$(cat)\n{body}\n"));
        let solver = fleet.solver(fleet.resolve(&program.parse().unwrap()).unwrap());
        // The run time of an answer decides nothing.
        let wall = Duration::from_millis(if body.contains("sleep") { 100 } else { 60_000 });
        let limits = ProcessLimits { wall, ..ProcessLimits::default() };
        let said = solver::doctor::preflight(&solver, &limits).err();
        let expect = expect.map(|said| format!("{program} does not answer a problem of Booleans: {said}"));
        assert_eq!(said, expect, "{body}");
    };
    ["sat", "unsat", "unknown"].into_iter().for_each(|word| check(&format!("echo {word}"), None));
    check("kill -SEGV $$", None);
    check("exec sleep 60", None);
    // It knows no logic, or only the one of a problem.
    check(r#"case "$t" in *set-logic*) echo '(error "no logics")';; *) echo sat;; esac"#, None);
    check("echo 'ERROR: unknown parameter foo' >&2; exit 110", Some("ERROR: unknown parameter foo"));
    check(r#"echo '(error "no such option")'"#, Some("no such option"));
    check("echo usage: solver FILE", Some("it prints 'usage: solver FILE'"));
    check("exit 0", Some("it prints nothing"));
    check(r#"case "$t" in *'(not q)'*) exit 1;; *) echo sat;; esac"#, Some("it prints nothing"));
}
