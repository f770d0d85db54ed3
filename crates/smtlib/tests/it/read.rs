//! Runs the cases of `tests/read`: what the reader makes of a text, and what the printer makes of that.
//!
//! Headers above a text state what is expected:
//! - `; expect: ok`: the text has no errors. This holds for each text without an expected `error`. Such a text is printed, and the printed text
//!   must be read as the identical script.
//! - `; expect: same`: the text is printed unchanged, except for its comments.
//! - `; expect: prints TEXT`: what is printed, one header per line.
//! - `; expect: error LINE:COLUMN: PART`: the message, and after ` | ` its help, contain PART. One header per error, in their order;
//!   lines are counted from the first line of the text.
//! - `; expect: carried N`: N commands are only carried as text; without this line, none is.
//! - `; expect: check N: LOGIC DECLARED, [ASSERTIONS] STATUS`: what a check asks, one header per check; or `; expect: no check`.
//! - `; expect: logic NAME`: the smallest standard logic of the first check; `; expect: named NAME`: the name made of what the script needs.
//! - `; expect: within`: the logic that the script sets grants what it needs; `; expect: beyond`: it does not.
//! - `; expect: sets arrays`: the script uses its sets as arrays, as in z3; `; expect: sets finite`: it has finite sets.
//!
//! `; case:` and `; given:` are described in `support/cases.rs`. To add a case, add it to a file or add a file. Nothing is compiled.

use crate::support::cases::{Case, cases_in, read_cases};
use smtlib::logic::{SETS, beyond, granted, has_array_sets, holding, name, of_script, smallest};
use smtlib::{Command, Instance, Script, Store, parse};

/// What the reader and the printer made of a case.
struct Reading {
    store: Store,
    script: Script,
    /// The commands of the case itself.
    own: Script,
    /// `error LINE:COLUMN: MESSAGE | HELP`.
    errors: Vec<String>,
}

impl Reading {
    fn of(case: &Case) -> Reading {
        let mut store = Store::new();
        let given = if case.given.is_empty() { String::new() } else { format!("{}\n", case.given) };
        let before = parse(&mut store, &given).script.commands.len();
        let text = given.clone() + &case.text;
        let mut store = Store::new();
        let parsed = parse(&mut store, &text);
        let lines = given.lines().count() as i64;
        let describe = |error: &smtlib::Error| {
            let (line, column) = error.position(&text);
            let help = error.help.as_ref().map_or(String::new(), |help| format!(" | {help}"));
            format!("error {}:{column}: {error}{help}", line as i64 - lines)
        };
        let errors = parsed.errors.iter().map(describe).collect();
        let own = Script { commands: parsed.script.commands.iter().skip(before).cloned().collect() };
        Reading { store, script: parsed.script, own, errors }
    }

    fn printed(&self) -> Vec<String> {
        self.store.script_text(&self.own).lines().map(str::to_string).collect()
    }

    fn carried(&self) -> usize {
        self.own.commands.iter().filter(|command| matches!(command, Command::Opaque(..))).count()
    }

    fn checks(&self) -> Vec<String> {
        let checks: Vec<String> = self.script.instances().iter().map(|check| self.describe(check)).collect();
        if checks.is_empty() { vec!["no check".to_string()] } else { checks }
    }

    /// One check: its logic, declarations, assertions, status, and whether text stands in for some of it.
    fn describe(&self, check: &Instance) -> String {
        let asserted: Vec<String> = check.assertions.iter().map(|&t| self.store.term_text(t)).collect();
        let logic = check.logic.map_or("-", |logic| self.store.name(logic));
        let status = check.status.map_or("-".to_string(), |status| format!("{status:?}"));
        let incomplete = match (check.incomplete, check.may_be_weaker) {
            (_, true) => " unknown",
            (true, false) => " incomplete",
            (false, false) => "",
        };
        let declared = check.declarations.len();
        format!("check {}: {logic} {declared} declared, [{}] {status}{incomplete}", check.check, asserted.join(" "))
    }

    /// The smallest standard logic.
    fn logic(&self) -> String {
        let checks = self.script.instances();
        let logic = checks.first().and_then(|check| smallest(&self.store, check, &[]));
        format!("logic {}", logic.unwrap_or("none"))
    }

    /// The name of what the script needs, which must grant all of it.
    fn named(&self) -> String {
        let needed = of_script(&self.store, &self.script);
        let name = name(needed);
        if needed & !granted(&name) == 0 { format!("named {name}") } else { format!("{name}, which grants too little") }
    }

    /// Whether the script keeps to its logic. The logics that hold it must grant what it needs, and `ALL` is always the last of them.
    fn keeps_to_logic(&self) -> String {
        let needed = of_script(&self.store, &self.script);
        let fitting: Vec<&str> = holding(needed).collect();
        if fitting.last() != Some(&"ALL") || fitting.iter().any(|name| needed & !granted(name) != 0) {
            return format!("held by {}", fitting.join(", "));
        }
        if beyond(&self.store, &self.script) == 0 { "within".to_string() } else { "beyond".to_string() }
    }

    fn sets(&self) -> String {
        let is_needed = of_script(&self.store, &self.script) & SETS != 0;
        match (has_array_sets(&self.store, &self.script.commands), is_needed) {
            (true, false) => "sets arrays".to_string(),
            (false, true) => "sets finite".to_string(),
            (arrays, needed) => format!("sets arrays: {arrays}, finite: {needed}"),
        }
    }

    /// Prints the script and reads it again: what is wrong with that.
    fn round_trip(&mut self) -> Option<String> {
        let printed = self.store.script_text(&self.script);
        let again = parse(&mut self.store, &printed);
        if let Some(error) = again.errors.first() {
            return Some(format!("what was printed is refused\n{}", error.render("printed", &printed)));
        }
        if again.script != self.script {
            return Some(format!("printed and read again, it is another script:\n{printed}"));
        }
        let text = self.store.script_text(&again.script);
        (text != printed).then(|| format!("printed and read again, it prints otherwise:\n{printed}{text}"))
    }
}

/// What is wrong with a case: expectations that do not hold, with what was found in their place.
fn failures(case: &Case) -> Vec<String> {
    let mut reading = Reading::of(case);
    let expected: Vec<&str> = case.headers.iter().map(|(_, value)| value.as_str()).collect();
    let word = |line: &str| line.split(' ').next().unwrap_or_default().to_string();
    let of =
        |wanted: &str| expected.iter().filter(|line| word(line) == wanted).map(|l| l.to_string()).collect::<Vec<_>>();
    let mut wrong = Vec::new();
    let mut compare = |expected: Vec<String>, found: Vec<String>, is_same: fn(&str, &str) -> bool| {
        let pairs = expected.iter().zip(&found);
        if expected.len() != found.len() || !pairs.into_iter().all(|(e, f)| is_same(e, f)) {
            let [expected, found] = [expected, found].map(|lines| lines.join("\n    "));
            wrong.push(format!("{}: {}\n  expected:\n    {expected}\n  found:\n    {found}", case.place, case.name));
        }
    };
    let is_same = |expected: &str, found: &str| expected == found;
    for line in &expected {
        let known =
            ["ok", "same", "prints", "error", "carried", "check", "no", "logic", "named", "within", "beyond", "sets"];
        if !known.contains(&&*word(line)) {
            compare(
                vec![line.to_string()],
                vec![format!("an unknown expectation; known are {}", known.join(", "))],
                is_same,
            );
        }
    }
    compare(of("error"), reading.errors.clone(), |expected, found| {
        let place = |line: &str| line.splitn(4, ':').take(2).collect::<Vec<_>>().join(":");
        let part = expected.splitn(3, ':').nth(2).unwrap_or_default().trim_start();
        place(expected) == place(found) && found.contains(part)
    });
    let carried = of("carried");
    let carried = if carried.is_empty() { vec!["carried 0".to_string()] } else { carried };
    compare(carried, vec![format!("carried {}", reading.carried())], is_same);
    let printed = || reading.printed();
    if expected.contains(&"same") {
        let text = case.text.lines().filter(|line| !line.starts_with(';')).map(str::to_string);
        compare(text.collect(), printed(), is_same);
    }
    let prints = of("prints");
    if !prints.is_empty() {
        compare(prints, printed().iter().map(|line| format!("prints {line}")).collect(), is_same);
    }
    for (expected, found) in [
        ([of("check"), of("no")].concat(), Reading::checks as fn(&Reading) -> Vec<String>),
        (of("logic"), |reading| vec![reading.logic()]),
        (of("named"), |reading| vec![reading.named()]),
        ([of("within"), of("beyond")].concat(), |reading| vec![reading.keeps_to_logic()]),
        (of("sets"), |reading| vec![reading.sets()]),
    ] {
        if !expected.is_empty() {
            compare(expected, found(&reading), is_same);
        }
    }
    if reading.errors.is_empty() {
        compare(Vec::new(), reading.round_trip().into_iter().collect(), is_same);
    }
    wrong
}

#[test]
fn every_case_is_read_as_expected() {
    let cases = cases_in("read", &["expect"]);
    assert!(cases.len() >= 500, "{} cases", cases.len());
    let wrong: Vec<String> = cases.iter().flat_map(failures).collect();
    assert!(wrong.is_empty(), "{} of {} cases fail:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

#[test]
fn a_wrong_expectation_fails_with_its_place_and_both_texts() {
    let check = |text: &str, expect: &[&str]| {
        let text = format!("; given:\n(declare-const p Bool)\n\n; case: a case\n{text}");
        let said = match read_cases("file.smt2", &text, &["expect"]) {
            Ok(cases) => cases.iter().flat_map(failures).collect::<Vec<_>>().join("\n"),
            Err(error) => error,
        };
        assert_eq!(said.is_empty(), expect.is_empty(), "{text}\n{said}");
        expect.iter().for_each(|part| assert!(said.contains(part), "`{part}` is missing in\n{said}"));
    };
    check("; Prose: of any kind.\n; expect: ok\n(assert p)\n", &[]);
    check("; expect: same\n(assert p)\n", &[]);
    check("; expect: error 1:9: symbol `q`\n; expect: error 2:9: of sort Int | exp\n(assert q)\n(assert 1)\n", &[]);
    let place = "file.smt2:4: a case";
    check("; expect: same\n(assert  p)\n", &[place, "expected:\n    (assert  p)", "found:\n    (assert p)"]);
    check("; expect: prints (assert q)\n(assert p)\n", &[place, "prints (assert q)", "prints (assert p)"]);
    check("; expect: ok\n(assert q)\n", &[place, "expected:\n    \n", "error 1:9: unknown symbol `q`"]);
    check("; expect: error 1:8: symbol\n(assert q)\n", &[place, "error 1:8: symbol", "error 1:9: unknown symbol `q`"]);
    check("; expect: error 1:9: p\n(assert p)\n", &[place, "error 1:9: p", "found:\n    "]);
    check("; expect: error 1:9: sort\n(assert q)\n", &[place, "error 1:9: sort", "unknown symbol `q`"]);
    check("; expect: ok\n(display true)\n", &[place, "carried 0", "carried 1"]);
    check("; expect: no check\n(check-sat)\n", &[place, "no check", "check 0: - 1 declared, [] -"]);
    check("; expect: logic QF_BV\n(check-sat)\n", &[place, "logic QF_BV", "logic QF_UF"]);
    // The second case of a name has its own place.
    check("; expect: ok\n(assert p)\n\n; More.\n; expect: ok\n(assert q)\n", &["file.smt2:9: a case"]);
    check("; expect: fine\n(assert p)\n", &[place, "fine", "an unknown expectation"]);
    check("; expct: ok\n(assert p)\n", &["file.smt2:5: unknown word `expct`: expected `case`, `given`, `expect`"]);
    check("(assert p)\n", &["file.smt2:4: a text without `; expect:`"]);
    check("; expect: ok\n; A text is missing.\n", &["file.smt2:4: no text follows these lines"]);
    check("; Only prose.\n", &["file.smt2: no case is in this file"]);
}
