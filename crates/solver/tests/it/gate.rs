//! The gate: which parts of a script reach a solver.

use solver::gate::Misleading;
use solver::profile::{OptionChoice, Profile};
use solver::profiles::Profiles;
use std::sync::Arc;

fn profile(name: &str) -> Arc<Profile> {
    Arc::clone(Profiles::embedded().get(name).expect("a profile"))
}

/// Returns the withheld parts of a script, and checks that all else stays in place.
fn withheld<'t>(name: &str, script: &'t str) -> Vec<&'t str> {
    let gated = profile(name).gate(script).unwrap_or_else(|why| panic!("{script}: {why}"));
    assert_eq!(gated.text.len(), script.len(), "{script}");
    let blank = |(was, is): (u8, u8)| was == is || is == b' ' && was != b'\n';
    assert!(script.bytes().zip(gated.text.bytes()).all(blank), "{script} {}", gated.text);
    gated.withheld
}

#[test]
fn options_that_write_files_are_withheld() {
    let check = |name: &str, command: &str, passes: bool| {
        let script = format!("(set-logic ALL)\n{command}\n(check-sat)\n");
        let expect: &[&str] = if passes { &[] } else { &[command] };
        assert_eq!(withheld(name, &script), expect, "{name}: {command}");
    };
    for name in [
        "z3",
        "cvc5",
        "cvc5-gpl",
        "cvc4",
        "yices2",
        "bitwuzla",
        "opensmt",
        "mathsat",
        "smtinterpol",
        "oxiz",
        "stp",
        "boolector",
        "generic",
    ] {
        for written in [
            "(set-option :regular-output-channel \"/tmp/x\")",
            "(set-option :diagnostic-output-channel \"/tmp/x\")",
            "(set-option :regular-output-channel true)",
            "(set-option :Regular_Output_Channel 5)",
            "(set-option :print-success \"/tmp/x\")",
            "(set-option :random-seed 5 6)",
            "(set-option)",
            "(include \"/etc/passwd\")",
            "(write-state \"/tmp/x\")",
            "(export-to-dimacs \"/tmp/x\")",
            "(|set-option| :regular-output-channel \"/tmp/x\")",
            "( ; set-option\n set-option :regular-output-channel \"/tmp/x\")",
            "((set-option :regular-output-channel \"/tmp/x\"))",
            "(get-proof-graph)",
        ] {
            check(name, written, false);
        }
        check(name, "(set-option :produce-models true)", true);
        check(name, "(set-option :random-seed 7)", true);
        check(name, "(echo \"/tmp/x\")", true);
        check(name, "(get-info :version)", true);
        check(name, "(declare-fun f (Int) Int)", true);
    }
    for (option, passes) in [
        (":sat.drat.file \"/tmp/x\"", false),
        (":sat.drat.file x", false),
        (":sat.drat.file true", false),
        (":SAT.DRAT-FILE true", false),
        (":|sat.drat.file| true", false),
        (":sat.inprocess.out true", false),
        (":trace true", false),
        (":trace_file_name x", false),
        (":dot_proof_file x", false),
        (":solver.smtlib2_log x", false),
        (":solver.proof.log x", false),
        (":smt.arith.dump_lemmas true", false),
        (":nlsat.dump_mathematica true", false),
        (":fp.print_aig true", false),
        (":fp.spacer.print_json true", false),
        (":fp.spacer.dump_benchmarks true", false),
        (":opt.dump_benchmarks true", false),
        (":opt.solution_prefix true", false),
        (":solver.axioms2files true", false),
        (":smt.arith.solver 6", true),
        (":smt.arith.solver /tmp/x", false),
        (":smt.string_solver z3str3", true),
        (":smt.string_solver elsewhere", false),
        (":sat.gc glue", true),
        (":auto_config false", true),
        (":timeout 100", true),
        (":smt.qi.eager_threshold 0.5", true),
        (":smt.logic QF_BV", false),
    ] {
        check("z3", &format!("(set-option {option})"), passes);
    }
    for (option, passes) in [
        (":out \"/tmp/x\"", false),
        (":err x", false),
        (":in x", false),
        (":write-partitions-to x", false),
        (":partitions-out true", false),
        (":sygus-query-gen-dump-files all", false),
        (":minisat-dump-dimacs true", false),
        (":output post-asserts", true),
        (":output true", false),
        (":trace x", false),
        (":strings-exp true", true),
        (":nl-ext full", true),
        (":bv-solver bitblast-internal", true),
    ] {
        check("cvc5", &format!("(set-option {option})"), passes);
        check("cvc5-gpl", &format!("(set-option {option})"), passes);
    }
    check("yices2", "(set-option :yices-ef-gen-mode auto)", true);
    check("yices2", "(set-option :yices-ef-gen-mode \"x\")", false);
    check("oxiz", "(set-option :theory-mode lazy)", true);
}

#[test]
fn a_tactic_that_is_withheld_leaves_its_check() {
    let check = |tactic: &str, passes: bool| {
        let script = format!("(check-sat-using {tactic})(get-model)");
        let gated = profile("z3").gate(&script).expect("it is read");
        let sent: Vec<&str> = gated.text.split_whitespace().collect();
        let expect = if passes { script.clone() } else { "(check-sat )(get-model)".to_string() };
        assert_eq!(sent.join(" "), expect, "{tactic}");
        assert_eq!(profile("z3").admits_tactic(tactic), passes, "{tactic}");
    };
    check("smt", true);
    check("(then simplify (using-params smt :random_seed 5 :arith.nl false))", true);
    check("(using-params smt :string_solver z3str3)", true);
    check("(try-for smt 500)", true);
    check("(using-params sat :drat.file leak)", false);
    check("(using-params sat :drat.file true)", false);
    check("(using-params smt :random_seed \"5\")", false);
    check("(using-params smt :arith.dump_lemmas true)", false);
    check("(using-params smt :random_seed)", false);
    for pasted in [
        "smt) (set-option :trace true)",
        "smt) (echo \"x\") (check-sat-using smt",
        "",
        "smt smt",
        "(then smt",
        "; smt\n",
    ] {
        assert!(!profile("z3").admits_tactic(pasted), "{pasted}");
    }
    let pasted = "(check-sat-using smt) (set-option :regular-output-channel \"/tmp/x\") (echo \"smt\"))";
    assert_eq!(withheld("z3", pasted), ["(set-option :regular-output-channel \"/tmp/x\")"]);
    let simplified = "(simplify (+ 1 2) :drat.file \"x\")";
    assert_eq!(withheld("z3", simplified), [simplified]);
    for kept in [
        "(apply (then simplify nnf) :print_benchmark true :print_model_converter true)",
        "(set-simplifier (then simplify solve-eqs))",
        "(simplify (+ 1 2) :som true)",
        "(simplify (str.++ \"a\" (! \"b\" :named c)))",
        "(eval (str.len \"a\") :completion true)",
        "(help-tactic)",
    ] {
        assert!(withheld("z3", kept).is_empty(), "{kept}");
    }
}

/// Text whose end solvers disagree on hides commands from one of them.
#[test]
fn what_solvers_read_differently_is_not_sent() {
    for script in [
        "(declare-const |a\\| |) (set-option :regular-output-channel \"x\")(echo \"hi\") (declare-const |b| Int)",
        "(declare-const |a\\b| Int)(check-sat)",
    ] {
        assert_eq!(profile("z3").gate(script), Err(Misleading), "{script}");
    }
    let read = |script: &str| profile("cvc4").gate(script).expect("it is read").text.into_owned();
    assert_eq!(read("; x\r(set-option :out x)\n(check-sat)"), "; x (set-option :out x)\n(check-sat)");
    assert_eq!(read("(assert (= s \"\\\"))(check-sat)"), "(assert (= s \"\\\"))(check-sat)");
    assert_eq!(read("(echo \"\\\")(check-sat)").trim(), "(check-sat)");
    assert_eq!(read("x (check-sat) ) |y"), "  (check-sat)     ", "what is no command is blank");
    assert_eq!(read("(check-sat)(assert (or p").trim(), "(check-sat)");
    assert_eq!(read("; comment\n(check-sat) ; more"), "; comment\n(check-sat) ; more");
}

/// Options drawn by campaigns, and the program's own commands, pass unchanged.
#[test]
fn what_profiles_list_passes() {
    let profiles = Profiles::embedded();
    for profile in profiles.iter() {
        for set in profile.choice.iter().flat_map(OptionChoice::settings).filter(|set| set.starts_with('(')) {
            assert_eq!(profile.gate(&set).expect("it is read").withheld, Vec::<&str>::new(), "{}", profile.name);
        }
        for tactic in &profile.tactic {
            assert!(profile.admits_tactic(&tactic.text), "{}", tactic.text);
        }
    }
}

/// Compares the lists with z3's own list of parameters.
#[test]
fn z3_has_no_parameter_that_names_a_file_and_passes() {
    let fleet = solver::install::Fleet::of_user().expect("a home");
    let found = testing::require("z3", fleet.list().into_iter().find(|solver| solver.profile.name == "z3"));
    let Some(z3) = found else { return };
    let listed = std::process::Command::new(&z3.command[0]).arg("-p").output().expect("it runs");
    let (mut module, mut seen) = (String::new(), 0);
    for line in String::from_utf8_lossy(&listed.stdout).lines() {
        if let Some(name) = line.strip_prefix("[module] ") {
            module = format!("{}.", name.split([',', ' ']).next().unwrap_or_default());
        }
        let Some((key, about)) = line.trim().split_once(" (") else { continue };
        let names_a_file = about.starts_with("symbol") || about.starts_with("string");
        let writes = ["file", "dump", "log to"].iter().any(|word| about.to_lowercase().contains(word));
        if names_a_file || writes {
            seen += 1;
            let key = format!(":{module}{key}");
            assert!(!z3.profile.admits_option(&key, "/tmp/x"), "{key}");
            assert!(!writes || !z3.profile.admits_option(&key, "true"), "{key} {about}");
        }
    }
    assert!(seen > 20, "{seen}");
}
