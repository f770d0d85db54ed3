//! Small random problems of every theory through the default strategies, against z3 and cvc5, and through every pass in turn.
//!
//! Every `sat` of ours has a model whose text, including choices, is read back and judged; every contradiction with a solver's answer
//! must be explained: by the witness, by the solver's own model, or by a row of `explained.toml`.
//!
//! `SQUALL_PROBLEMS` sets the number of problems per field (40 by default), `SQUALL_FIELDS` the fields, `SQUALL_SEED` the seed,
//! `SQUALL_AGAINST` the solvers; `SQUALL_PROBLEMS=20000 cargo test --release -p strategy --test it small_problems:: -- --nocapture` is
//! the whole run.

mod dispute;
mod opponents;
mod ours;

use dispute::{Explained, Reason};
use mutate::problems::fields::{FIELDS, TheoryField};
use mutate::problems::{SolverProblem, SymbolRole, problem};
use opponents::{Opponent, opponents};
use ours::{Answered, Asked, answer, variants};
use smtlib::strategy::Strategy;
use std::collections::BTreeMap;
use std::ops::Range;

/// The number of problems that share solver processes.
const CHUNK: u64 = 256;

/// The results for one field.
#[derive(Default)]
struct Tally {
    problems: u64,
    sat: u64,
    unsat: u64,
    /// Problems decided by another strategy with the same result.
    variants: u64,
    /// Models with choices that the standard leaves open.
    chosen: u64,
    /// By the solver's name: answers, those to problems that we decide, and contradictions by their reason.
    opponents: BTreeMap<String, Against>,
    /// Why we do not decide, without numbers.
    undecided: BTreeMap<String, u64>,
    /// Contradictions between solvers on what we do not decide.
    among_others: BTreeMap<String, u64>,
}

#[derive(Default)]
struct Against {
    answers: u64,
    common: u64,
    contradictions: BTreeMap<String, u64>,
}

#[test]
fn small_problems_get_no_answer_that_is_wrong() {
    let (count, seed) = (testing::amount("SQUALL_PROBLEMS", 24), testing::amount("SQUALL_SEED", 1));
    let only = std::env::var("SQUALL_FIELDS").unwrap_or_default();
    let wanted = |field: &&TheoryField| only.is_empty() || only.split(',').any(|name| name == field.name);
    let everybody = Everybody { variants: variants(), opponents: opponents(), explained: Explained::built_in() };
    let mut wrong = Vec::new();
    for field in FIELDS.iter().filter(wanted) {
        let mut tally = Tally::default();
        let mut next = 0;
        while next < count {
            let end = (next + CHUNK).min(count);
            everybody.chunk(field, seed, next..end, &mut tally, &mut wrong);
            next = end;
        }
        show(field, &tally);
        let decided = tally.sat + tally.unsat;
        assert!(tally.sat > 0 && tally.unsat > 0, "{}: {decided} of {count} decided", field.name);
    }
    assert!(wrong.is_empty(), "{} unexplained:\n{}", wrong.len(), wrong.join("\n"));
}

/// What all problems are asked with.
struct Everybody {
    variants: Vec<Strategy>,
    opponents: Vec<Opponent>,
    explained: Explained,
}

/// A problem and its answers.
struct Case<'c> {
    name: String,
    problem: &'c SolverProblem,
    text: String,
    /// The solvers with an answer.
    said: Vec<(&'c Opponent, &'static str)>,
}

impl Everybody {
    /// Asks all about some problems and compares the answers.
    fn chunk(&self, field: &TheoryField, seed: u64, numbers: Range<u64>, tally: &mut Tally, wrong: &mut Vec<String>) {
        let problems: Vec<(u64, SolverProblem)> =
            numbers.map(|n| (n, problem(field, seed, n).unwrap_or_else(|e| panic!("{e}")))).collect();
        let own_text = |p: &SolverProblem| p.store.script_text(&p.script);
        let (ours, theirs) = std::thread::scope(|scope| {
            let asked = |o: &'_ Opponent| -> Vec<Option<&'static str>> {
                let texts: Vec<String> = problems.iter().map(|(_, p)| o.text(&p.store, &p.script)).collect();
                o.ask(&texts)
            };
            let handles: Vec<_> = self.opponents.iter().map(|o| scope.spawn(move || asked(o))).collect();
            let ways = |n: u64| [None, Some(&self.variants[(n % self.variants.len() as u64) as usize])];
            let ours: Vec<[Asked; 2]> =
                problems.iter().map(|(n, p)| ways(*n).map(|way| answer(&own_text(p), way))).collect();
            let theirs: Vec<_> = handles.into_iter().map(|h| h.join().expect("a solver is asked")).collect();
            (ours, theirs)
        });
        for (n, ((number, problem), [asked, varied])) in problems.iter().zip(&ours).enumerate() {
            let said = self.opponents.iter().zip(&theirs).filter_map(|(o, words)| Some((o, words[n]?))).collect();
            let case = Case { name: format!("{} {number}", field.name), problem, text: own_text(problem), said };
            tally.add(asked);
            self.judge(&case, asked, tally, wrong);
            let variant = &self.variants[(number % self.variants.len() as u64) as usize];
            let mut others = Vec::new();
            self.judge(&case, varied, &mut Tally::default(), &mut others);
            if let (Some(a), Some(b)) = (asked.answered.word(), varied.answered.word()) {
                tally.variants += 1;
                others.extend((a != b).then(|| format!("{}: {a} by default, {b} otherwise\n{}", case.name, case.text)));
            }
            wrong.extend(others.into_iter().map(|why| format!("by {variant}: {why}")));
            if asked.answered.word().is_none() {
                tally.note_among_others(&case);
            }
        }
    }

    /// Compares our answer with what is known about the problem and the solvers' answers.
    fn judge(&self, case: &Case<'_>, asked: &Asked, tally: &mut Tally, wrong: &mut Vec<String>) {
        let Case { name, problem, text, said } = case;
        wrong.extend(asked.fault.iter().map(|fault| format!("{name}: {fault}\n{text}")));
        if problem.shape == SymbolRole::Twin && asked.answered == Answered::Sat {
            wrong.push(format!("{name}: sat of an operator with two values at equal arguments\n{text}"));
        }
        if problem.satisfiable && asked.answered == Answered::Unsat {
            wrong.push(format!("{name}: unsat of what has a model\n{text}"));
        }
        for (opponent, word) in said {
            let against = tally.opponents.entry(opponent.name.clone()).or_default();
            against.answers += 1;
            let Some(own) = asked.answered.word() else { continue };
            against.common += 1;
            if own == *word {
                continue;
            }
            let reason = dispute::settle(opponent, problem, own, word, &self.explained);
            *against.contradictions.entry(reason.to_string()).or_default() += 1;
            println!("{name}: we say {own}, {} {word}: {reason}\n{text}", opponent.name);
            if !matches!(reason, Reason::TheirWitness | Reason::TheirModel | Reason::Alone | Reason::Known(_)) {
                wrong.push(format!("{name}: we say {own}, {} {word}: {reason}\n{text}", opponent.name));
            }
        }
    }
}

impl Tally {
    /// Counts an answer by the default strategy.
    fn add(&mut self, asked: &Asked) {
        self.problems += 1;
        self.chosen += u64::from(asked.chosen);
        match &asked.answered {
            Answered::Sat => self.sat += 1,
            Answered::Unsat => self.unsat += 1,
            Answered::Unknown(why) => *self.undecided.entry(kind_of(why)).or_default() += 1,
        }
    }

    /// Examines contradictions between solvers on problems that we do not decide.
    fn note_among_others(&mut self, case: &Case<'_>) {
        let words: Vec<&str> = case.said.iter().map(|s| s.1).collect();
        if words.contains(&"sat") && words.contains(&"unsat") {
            let reasons: Vec<String> = case.said.iter().map(|(o, w)| dispute::between(o, case.problem, w)).collect();
            let reason = reasons.join("; ");
            println!("{}: the solvers contradict each other: {reason}\n{}", case.name, case.text);
            *self.among_others.entry(reason).or_default() += 1;
        }
    }
}

fn show(field: &TheoryField, tally: &Tally) {
    let decided = tally.sat + tally.unsat;
    println!(
        "{}: {} problems, {decided} decided ({} sat, {} of them by a choice, {} unsat), {} by another strategy too",
        field.name, tally.problems, tally.sat, tally.chosen, tally.unsat, tally.variants
    );
    for (name, against) in &tally.opponents {
        let all: u64 = against.contradictions.values().sum();
        println!(
            "  {name}: {} answers, {} of them to what we decide, {all} contradictions",
            against.answers, against.common
        );
        against.contradictions.iter().for_each(|(reason, n)| println!("    {n}: {reason}"));
    }
    tally.among_others.iter().for_each(|(reason, n)| println!("  solvers among each other {n}: {reason}"));
    let mut why: Vec<(&String, &u64)> = tally.undecided.iter().collect();
    why.sort_by_key(|w| std::cmp::Reverse(w.1));
    why.iter().take(6).for_each(|(why, n)| println!("  undecided {n}: {why}"));
}

/// Returns a reason without quoted terms.
fn kind_of(why: &str) -> String {
    why.split('`').step_by(2).collect::<Vec<_>>().join("…")
}
