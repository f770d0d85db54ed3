//! Profiles and settings files: what is accepted, what is rejected and how, and the effect of extensions.

mod doctor;

use std::path::Path;
use std::sync::Arc;

use finding::OptionGrade;
use solver::install::{Fleet, InstalledSolver};
use solver::process::ProcessLimits;
use solver::profile::Profile;
use solver::profiles::Profiles;
use solver::session::{SessionNeeds, Solver};
use solver::settings::nearest_file;
use solver::sources::path::SearchPath;
use solver::{cache::SolverCache, profiles::parse};

/// Returns the embedded profiles with those of a settings file, or the file's error.
fn with_settings(text: &str) -> Result<Profiles, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("squall.toml");
    std::fs::write(&path, text).unwrap();
    let mut profiles = Profiles::embedded();
    profiles.add_settings(&path).map_err(|error| error.to_string())?;
    Ok(profiles)
}

#[test]
fn embedded_profiles_are_read_and_named_by_their_files() {
    let profiles = Profiles::embedded();
    assert!(profiles.iter().count() > 10);
    for profile in profiles.iter() {
        assert_eq!(profiles.get(&profile.name).unwrap().name, profile.name, "the file has the profile's name");
    }
    assert_eq!(profiles.generic().name, "generic");
}

#[test]
fn a_settings_file_adds_solvers_and_extends_known_ones() {
    let text = "[[solver]]\nname = \"mine\"\nexecutables = [\"my-solver\"]\nreset-works = true\n\
                [solver.options]\nbase = [\"-x\"]\n\
                [[extend]]\nname = \"z3\"\nignore = [\"old story\"]\nknown = [{ text = \"theory.cpp:1\", report = \"issue 7\" }]\n\
                [[extend]]\nname = \"generic\"\ncrash = [{ text = \"Oh no\", kind = \"internal\" }]\n\
                [[extend]]\nname = \"mine\"\nerror-texts = [\"oops\"]\n";
    let profiles = with_settings(text).unwrap();
    let mine = profiles.get("mine").unwrap();
    assert_eq!((mine.options.base.as_slice(), mine.reset_works), (["-x".to_string()].as_slice(), true));
    assert_eq!(mine.error_texts, ["oops"]);
    let (z3, before) = (profiles.get("z3").unwrap(), Profiles::embedded());
    assert_eq!(z3.ignore, ["old story"]);
    assert_eq!(z3.known[0].report, "issue 7");
    assert_eq!(z3.self_check.len(), before.get("z3").unwrap().self_check.len(), "what was there stays");
    assert!(profiles.generic().crash.iter().any(|pattern| pattern.text == "Oh no"));
}

/// A build of cvc5 with further libraries: all fields missing in its own profile come from the profile of cvc5. `cvc5` and `cvc5-gpl`
/// once were two votes of a majority.
#[test]
fn one_program_is_known_by_all_its_names() {
    let profiles = Profiles::embedded();
    let program = |name: &str, spec: &str, version: &str| InstalledSolver {
        spec: spec.parse().unwrap(),
        profile: Arc::clone(profiles.get(name).unwrap()),
        command: Vec::new(),
        version: version.parse().ok(),
        origin: String::new(),
    };
    let check = |one: [&str; 3], other: [&str; 3], is_same: bool, is_release: bool| {
        let [one, other] = [one, other].map(|[name, spec, version]| program(name, spec, version));
        let found = (one.program() == other.program(), one.is_other_release(&other));
        assert_eq!(found, (is_same, is_release), "{} {}", one.spec, other.spec);
    };
    let cvc5 = ["cvc5", "cvc5@1.4.2", "1.4.2"];
    check(cvc5, ["cvc5-gpl", "cvc5-gpl@1.4.2", "1.4.2"], true, false);
    check(cvc5, ["cvc5", "cvc5", "1.4.2.0"], true, false);
    check(cvc5, ["cvc5", "cvc5@1.4.2+assertions", "1.4.2+assertions"], true, false);
    check(cvc5, ["cvc5", "cvc5:./build/mine -x", "1.4.2"], true, false);
    check(cvc5, ["cvc5-gpl", "cvc5-gpl@1.3.4", "1.3.4"], false, true);
    check(cvc5, ["z3", "z3@1.4.2", "1.4.2"], false, false);
    check(cvc5, ["cvc5", "cvc5:./build/mine", ""], false, true);
    let unknown = ["generic", "./old/solver", "3.1"];
    check(unknown, ["generic", "./new/solver", "3.1"], true, false);
    check(unknown, ["generic", "./new/solver", "3.2"], false, true);
    check(unknown, ["generic", "./old/other", "3.1"], false, true);
    check(["generic", "./old/solver", ""], ["generic", "./new/solver", ""], false, true);
    // For an interpreter, the script matters.
    check(["generic", "/bin/sh a.sh", "5.2"], ["generic", "/bin/sh b.sh", "5.2"], false, true);
}

#[test]
fn what_a_profile_adds_can_be_left_out() {
    let profiles = Profiles::embedded();
    let check = |spec: &str, more: &[&str], expect: &str| {
        let installed = InstalledSolver {
            spec: spec.parse().unwrap(),
            profile: Arc::clone(profiles.get("cvc5-gpl").unwrap()),
            command: vec!["cvc5".into()],
            version: None,
            origin: String::new(),
        };
        let solver = Solver::new(installed, &profiles).with_options(more.iter().map(|word| word.to_string()));
        let line = solver.command_line(SessionNeeds::MODELS, &ProcessLimits::default());
        assert_eq!(line.join(std::ffi::OsStr::new(" ")), *expect);
        assert_eq!(solver.added_options().is_empty(), !expect.contains("--strings-exp"));
    };
    check("cvc5-gpl", &[], "cvc5 --lang=smt2 --strings-exp --produce-models");
    check("cvc5-gpl", &["-x"], "cvc5 --lang=smt2 --strings-exp --produce-models -x");
    check("cvc5-gpl --bare -x", &[], "cvc5 --lang=smt2 --produce-models -x");
    check("./cvc5 -x", &["--bare"], "cvc5 --lang=smt2 --produce-models -x");
}

#[test]
fn a_profile_that_extends_another_has_what_that_has() {
    let profiles = Profiles::embedded();
    let (base, over) = (profiles.get("cvc5").unwrap(), profiles.get("cvc5-gpl").unwrap());
    assert_eq!(over.options.base, base.options.base);
    assert!(over.reset_works && over.choice.len() > base.choice.len() && over.switches.len() > base.switches.len());
    assert_eq!((over.executables.len(), over.wheel.as_ref().unwrap().package.as_str()), (0, "cvc5-gpl"));
    let lacks = |profile: &Profile| -> Vec<String> {
        profile.dialects("1.4.2".parse().ok().as_ref()).flat_map(|dialect| dialect.lacks.clone()).collect()
    };
    let without_fields: Vec<String> = lacks(base).into_iter().filter(|name| name != "FiniteField").collect();
    assert_eq!(lacks(over), without_fields);
    assert_eq!(lacks(base).len(), without_fields.len() + 1);
    // In a user's file, too, and over another of the same file.
    let text = "[[solver]]\nname = \"mine\"\nextends = \"cvc5-gpl\"\nexecutables = [\"cvc5-mine\"]\nhas = [\"const\"]\n\
                [solver.options]\nbase = [\"--mine\"]\n\
                [[solver]]\nname = \"ours\"\nextends = \"mine\"\nincremental = \"<0\"\n\
                [[solver.dialect]]\nversions = \"*\"\nlacks = [\"abs\"]\n";
    let profiles = with_settings(text).unwrap();
    let (mine, ours) = (profiles.get("mine").unwrap(), profiles.get("ours").unwrap());
    assert_eq!(
        (mine.options.base.as_slice(), &mine.options.models),
        (["--mine".to_string()].as_slice(), &base.options.models)
    );
    assert!(!lacks(mine).contains(&"const".to_string()) && lacks(over).contains(&"const".to_string()));
    assert_eq!(ours.options.base, ["--mine"]);
    assert!(mine.incremental.contains(None) && !ours.incremental.contains(None));
    assert_eq!(lacks(ours), [lacks(mine), vec!["abs".to_string()]].concat());
    assert_eq!((mine.wheel.is_none(), ours.executables.len()), (true, 0), "another program is meant");
    let error = with_settings("[[solver]]\nname = \"mine\"\nextends = \"cvc5gpl\"\n").map(drop).unwrap_err();
    for part in ["squall.toml", "'mine' extends another one", "no solver named 'cvc5gpl'", "did you mean 'cvc5-gpl'?"] {
        assert!(error.contains(part), "{error}");
    }
    assert!(with_settings("[[solver]]\nname = \"mine\"\nextends = \"mine\"\n").is_err(), "not itself");
}

#[test]
fn a_settings_file_that_does_not_exist_adds_nothing() {
    let mut profiles = Profiles::embedded();
    let count = profiles.iter().count();
    profiles.add_settings(Path::new("/nonexistent/squall.toml")).unwrap();
    assert_eq!(profiles.iter().count(), count);
}

#[test]
fn bad_settings_are_refused_with_their_place() {
    let check = |text: &str, expect: &[&str]| {
        let error = with_settings(text).map(drop).expect_err(text);
        for expect in expect {
            assert!(error.contains(expect), "{text}: {error}");
        }
    };
    check("[[solver]]\nname = \"a\"\ntimeout = 3\n", &["squall.toml", "line 3", "unknown field `timeout`"]);
    check("solvers = []\n", &["squall.toml", "line 1", "unknown field `solvers`"]);
    check("[[extend]]\nname = \"z3\"\nreset-works = false\n", &["line 3", "unknown field `reset-works`"]);
    check("[[solver]]\nexecutables = []\n", &["squall.toml", "missing field `name`"]);
    check("[[solver]]\nname = \"z3\"\n", &["squall.toml", "the name 'z3', which is taken"]);
    check("[[solver]]\nname = \"a\"\n[[solver]]\nname = \"a\"\n", &["the name 'a', which is taken"]);
    check("[[extend]]\nname = \"z4\"\n", &["no solver named 'z4'", "did you mean 'z3'?"]);
    check("[[solver]]\nname = \"a\"\n[[solver.dialect]]\nversions = \"4\"\n", &["line 4", "not a version range"]);
    check("[[solver]\n", &["squall.toml", "line 1"]);
    let choice =
        |key: &str| format!("[[solver]]\nname = \"a\"\n[[solver.choice]]\noption = \"--x\"\nvalues = []\n{key}\n");
    check(
        &choice("grade = \"expert\""),
        &["squall.toml", "line 6", "unknown variant `expert`", "`documented`, `experimental`"],
    );
    check(
        &choice("lacks = [\"quantifier\"]"),
        &["squall.toml", "line 6", "unknown feature `quantifier`", "quantifiers"],
    );
    check("[[solver]]\nname = \"a\"\n[solver.crate]\nname = \"b\"\n", &["line 4", "unknown field `name`"]);
}

#[test]
fn options_have_grades() {
    let text = "name = \"a\"\n\
        choice = [\n\
        { option = \"--plain={}\", values = [\"1\", \"2\"] },\n\
        { option = \"--odd={}\", values = [\"1\"], grade = \"experimental\", lacks = [\"quantifiers\"] },\n\
        { option = \"(set-option :old {})\", values = [\"1\"], grade = \"documented\", versions = \"<2\" },\n]\n";
    let profile = parse(text, "test").unwrap();
    let check = |version: &str, most: OptionGrade, expect: &[&str]| {
        let version = version.parse().ok();
        let all: Vec<String> = profile.choices(version.as_ref(), most).flat_map(|choice| choice.settings()).collect();
        assert_eq!(all, expect, "{version:?} {most}");
    };
    check("1", OptionGrade::Documented, &["--plain=1", "--plain=2", "(set-option :old 1)"]);
    check("2", OptionGrade::Documented, &["--plain=1", "--plain=2"]);
    check("2", OptionGrade::Experimental, &["--plain=1", "--plain=2", "--odd=1"]);
    check("2", OptionGrade::Default, &[]);
    let of = |words: &[&str]| profile.experimental(&words.iter().map(ToString::to_string).collect::<Vec<_>>());
    assert_eq!(of(&["--plain=1", "--odd=1", "--unlisted"]), ["--odd=1"]);
    assert_eq!(of(&["--odd=2"]), [""; 0], "only with a value that is listed");
    assert_eq!(profile.choice[1].lacked(), smtlib::logic::feature("quantifiers").unwrap());
}

#[test]
fn campaigns_have_options_to_draw_for_each_solver_that_can_be_installed() {
    let profiles = Profiles::embedded();
    for (name, version) in [
        ("z3", "5.4.1"),
        ("cvc5", "1.4.2"),
        ("cvc5", "1.3.4"),
        ("cvc5", "1.2.1"),
        ("yices2", "2.6.5"),
        ("bitwuzla", "0.9.1"),
        ("boolector", "3.2.4"),
        ("cvc4", "1.8"),
    ] {
        let version = version.parse().ok();
        let profile = profiles.get(name).unwrap();
        let documented = profile.choices(version.as_ref(), OptionGrade::Documented).count();
        assert!(documented >= 20, "{name} has {documented}");
    }
    for profile in profiles.iter() {
        for choice in &profile.choice {
            let settings: Vec<String> = choice.settings().collect();
            assert!(!settings.is_empty() && choice.weight > 0, "{}: {choice:?}", profile.name);
            assert!(settings.iter().all(|setting| !setting.is_empty() && !setting.contains("{}")), "{choice:?}");
        }
    }
}

/// All options of cvc5 once were drawn only from 1.4 on, so campaigns of older releases had none.
#[test]
fn an_option_of_cvc5_is_drawn_from_the_release_that_takes_it() {
    let profiles = Profiles::embedded();
    let profile = profiles.get("cvc5").unwrap();
    let check = |setting: &str, expect: [bool; 3]| {
        let drawn = ["1.2.1", "1.3.4", "1.4.2"].map(|version| {
            let version = version.parse().ok();
            let mut choices = profile.choices(version.as_ref(), OptionGrade::Experimental);
            choices.any(|choice| choice.settings().any(|known| known == setting))
        });
        assert_eq!(drawn, expect, "{setting}");
    };
    check("--cbqi-mode=conflict", [true, true, true]);
    check("--quant-ind", [true, true, true]);
    check("--mbqi-enum", [false, true, true]);
    check("--no-var-ent-eq-elim-quant", [false, true, true]);
    check("--bv-abstraction", [false, false, true]);
    check("--sat-solver=minisat", [false, false, true]);
    // Its grade does not depend on the version.
    assert!(profile.experimental(&["--sat-solver=minisat".to_string()]).is_empty());
}

#[test]
fn the_nearest_settings_file_is_looked_for_upwards() {
    let root = tempfile::tempdir().unwrap();
    let deep = root.path().join("home/project/deep/deeper");
    std::fs::create_dir_all(&deep).unwrap();
    let home = root.path().join("home");
    let put = |folder: &str| std::fs::write(root.path().join(folder).join("squall.toml"), "").unwrap();
    let check = |expect: Option<&str>| {
        let found = nearest_file(&deep, Some(&home));
        assert_eq!(found, expect.map(|folder| root.path().join(folder).join("squall.toml")));
    };
    put("");
    // Nothing above the home folder is examined.
    check(None);
    put("home");
    check(Some("home"));
    put("home/project");
    check(Some("home/project"));
    std::fs::create_dir(root.path().join("home/project/deep/.git")).unwrap();
    check(None);
    put("home/project/deep");
    check(Some("home/project/deep"));
    // A folder of that name is ignored, and so is a file of another user, unless it is in the folder itself.
    std::fs::create_dir(deep.join("squall.toml")).unwrap();
    check(Some("home/project/deep"));
    let file = root.path().join("home/project/deep/squall.toml");
    if std::os::unix::fs::chown(&file, Some(12345), None).is_ok() {
        check(None);
        std::os::unix::fs::chown(&deep, Some(12345), None).unwrap();
        check(Some("home/project/deep"));
    }
}

#[test]
fn a_build_folder_stands_for_the_solver_built_in_it() {
    let root = tempfile::tempdir().unwrap();
    let fleet =
        Fleet::new(Profiles::embedded(), SolverCache::at(Path::new("/nonexistent")), SearchPath::new(Vec::new()));
    let resolve = |folder: &str| fleet.resolve(&format!("{}/{folder}", root.path().display()).parse().unwrap());
    let put = |file: &str| {
        let path = root.path().join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        testing::executable(&path, "#!/bin/sh\necho 'Z3 version 4.99.1'\n");
    };
    let check = |folder: &str, profile: &str, file: &str| {
        let found = resolve(folder).unwrap_or_else(|error| panic!("{folder}: {error}"));
        assert_eq!(found.profile.name, profile);
        assert_eq!(Path::new(&found.command[0]), root.path().join(file));
    };
    put("a/build/z3");
    check("a", "z3", "a/build/z3");
    check("a/build/", "z3", "a/build/z3");
    assert_eq!(resolve("a").unwrap().version.map(|version| version.to_string()).as_deref(), Some("4.99.1"));
    // A file of any name is described by the profile before its path.
    put("renamed/dev");
    let dev = |profile: &str| {
        let path = root.path().join("renamed/dev");
        fleet.resolve(&format!("{profile}{}", path.display()).parse().unwrap()).map(|found| found.profile.name.clone())
    };
    assert_eq!(dev("").unwrap(), "z3");
    assert_eq!(dev("cvc5:").unwrap(), "cvc5");
    assert!(dev("z4:").expect_err("no profile").to_string().contains("z4"));
    put("b/build/bin/cvc5");
    check("b/", "cvc5", "b/build/bin/cvc5");
    put("c/z3");
    put("c/cvc5");
    let several = resolve("c").expect_err("two solvers").to_string();
    assert!(several.contains("several solvers (cvc5, z3)"), "{several}");
    std::fs::create_dir(root.path().join("d")).unwrap();
    assert!(resolve("d").expect_err("nothing").to_string().contains("no executable program"));
}
