//! Coverage-guided fuzzing as in JFS with LibFuzzer: inputs with new coverage join the corpus, and new inputs are byte-level mutants and
//! crossovers of the corpus.
//!
//! Coverage depends on the encoding of the constraints as a program (JFS, `-branch-encoding`), and on whether branches inside constraints
//! count in addition to those between them.

use super::moves;
use crate::ir::{Id, OpCode, Program};
use crate::jit::CodeForm;
use crate::searcher::SearchStrategy;
use crate::searcher::Searcher;
use crate::types::Ty;

/// The number of initial inputs: all zeros, all ones, then special values of the types, constants of the formula, and combinations of
/// both. The JFS paper uses 100 (LF-SS), and the first two alone (LF-NS).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SmartSeeds(pub u32);

impl SmartSeeds {
    /// All zeros and all ones.
    pub const NAIVE: SmartSeeds = SmartSeeds(2);
}

impl Default for SmartSeeds {
    fn default() -> SmartSeeds {
        SmartSeeds(100)
    }
}

/// The encoding of constraints as branches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BranchEncoding {
    /// A run ends at the first false constraint. The number of passed ones is its coverage.
    FailFast,
    /// A run tries all constraints. New truth values of constraints are new coverage, and so is a larger number of true ones (JFS's
    /// `try-all-imncsf`).
    TryAll,
}

/// A coverage-guided fuzzer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CoverageStyle {
    /// Its name.
    pub name: &'static str,
    /// How constraints become branches.
    pub encoding: BranchEncoding,
    /// Whether both values of each truth-valued operation inside the constraints are coverage, too.
    pub inside: bool,
}

/// Fail-fast encoding.
pub const FAIL_FAST: CoverageStyle =
    CoverageStyle { name: "coverage", encoding: BranchEncoding::FailFast, inside: false };
/// Fail-fast encoding, for naive seeds.
pub const NAIVE: CoverageStyle = CoverageStyle { name: "coverage-naive", ..FAIL_FAST };
/// Fail-fast encoding with the branches inside.
pub const BRANCHES: CoverageStyle = CoverageStyle { name: "coverage-branches", inside: true, ..FAIL_FAST };
/// Try-all encoding.
pub const TRY_ALL: CoverageStyle =
    CoverageStyle { name: "coverage-try-all", encoding: BranchEncoding::TryAll, inside: false };
/// Try-all encoding with the branches inside.
pub const TRY_ALL_BRANCHES: CoverageStyle =
    CoverageStyle { name: "coverage-try-all-branches", inside: true, ..TRY_ALL };

/// The maximum number of inputs kept.
const MAX_CORPUS: usize = 4_096;

/// The maximum number of consecutive mutations.
const MAX_MUTATIONS: u64 = 5;

/// The fuzzer.
pub struct Coverage {
    style: CoverageStyle,
    seeds: SmartSeeds,
    corpus: Vec<Vec<u8>>,
    /// The maximum number of constraints that an input passed.
    passed: Option<u32>,
    /// The operations that were not both true and false yet, ascending; `None` before the first run.
    open: Option<Vec<BranchPoint>>,
    planted: u32,
    /// The number of initial inputs that were added.
    given: usize,
}

/// A truth-valued operation with its observed values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct BranchPoint {
    operation: Id,
    /// Whether the operation was false, and whether it was true.
    seen: [bool; 2],
}

impl Coverage {
    /// Makes a fuzzer with an empty corpus.
    pub fn new(style: CoverageStyle, seeds: SmartSeeds) -> Coverage {
        Coverage { style, seeds, corpus: Vec::new(), passed: None, open: None, planted: 0, given: 0 }
    }

    /// Runs an input: returns whether it covers something new, and whether it passes every constraint.
    fn cover(&mut self, searcher: &mut Searcher<'_>, input: &[u8]) -> (bool, bool) {
        let program = searcher.program().clone();
        let (passed, end, form) = match self.style.encoding {
            BranchEncoding::FailFast => {
                let passed = searcher.fail_fast(input).passed;
                // The false constraint was computed as well, and nothing after it.
                let last = program.constraints.get(passed as usize).or(program.constraints.last());
                (passed, last.map_or(0, |last| last.end), CodeForm::FailFast)
            }
            BranchEncoding::TryAll => (searcher.count_true(input), program.hot, CodeForm::Count),
        };
        let mut is_new = self.passed.is_none_or(|most| passed > most);
        if is_new {
            self.passed = Some(passed);
        }
        let values = searcher.values(form);
        let open = self.open.get_or_insert_with(|| branch_points(&program, self.style));
        let mut is_done = false;
        for point in open.iter_mut().take_while(|point| point.operation < end) {
            let seen = &mut point.seen[usize::from(values.word(point.operation) != 0)];
            is_new |= !*seen;
            *seen = true;
            is_done |= point.seen == [true; 2];
        }
        if is_done {
            open.retain(|point| point.seen != [true; 2]);
        }
        (is_new, passed as usize == program.constraints.len())
    }

    /// Returns the next seed, or `None` when all were added.
    fn seed(&mut self, searcher: &mut Searcher<'_>) -> Option<Vec<u8>> {
        let program = searcher.program().clone();
        let layout = &program.layout;
        let mut input = layout.zeros();
        if let Some(given) = searcher.starts.get(self.given) {
            self.given += 1;
            return Some(given.clone());
        }
        let number = self.planted;
        if number >= self.seeds.0 {
            return None;
        }
        match number {
            0 => {}
            1 => input[..layout.bytes()].fill(0xff),
            _ => {
                let Searcher { random, analysis, .. } = searcher;
                for slot in 0..layout.slots().len() {
                    let ty = layout.slots()[slot].ty;
                    let values = analysis.values(ty);
                    // First every special value everywhere, then random combinations.
                    let value = match values.get(number as usize - 2) {
                        Some(&value) => value,
                        None => random.pick(&values).copied().unwrap_or(0),
                    };
                    layout.set(&mut input, slot, 0, if ty == Ty::Mode { value % 5 } else { value });
                }
            }
        }
        self.planted += 1;
        Some(input)
    }

    fn mutant(&self, searcher: &mut Searcher<'_>) -> Vec<u8> {
        let program = searcher.program().clone();
        let layout = &program.layout;
        let bytes = layout.bytes();
        let Searcher { random, analysis, .. } = searcher;
        let mut input = random.pick(&self.corpus).cloned().unwrap_or_else(|| layout.zeros());
        for _ in 0..1 + random.below(MAX_MUTATIONS) {
            let at = random.index(bytes);
            match random.below(8) {
                0 => input[at] ^= 1 << random.below(8),
                1 => input[at] = random.bits() as u8,
                2 => {
                    // A number of one to eight bytes, slightly changed.
                    let length = (1usize << random.below(4)).min(bytes - at);
                    let mut number = [0; 8];
                    number[..length].copy_from_slice(&input[at..at + length]);
                    let moved = u64::from_le_bytes(number).wrapping_add(random.below(21)).wrapping_sub(10);
                    input[at..at + length].copy_from_slice(&moved.to_le_bytes()[..length]);
                }
                3 => {
                    let length = (1 + random.index(8)).min(bytes - at);
                    let from = random.index(bytes - length + 1);
                    input.copy_within(from..from + length, at);
                }
                4 => {
                    let length = (1 + random.index(8)).min(bytes - at);
                    random.fill(&mut input[at..at + length]);
                }
                5 => {
                    // Crossover: the rest comes from another input of the corpus.
                    if let Some(other) = random.pick(&self.corpus) {
                        input[at..bytes].copy_from_slice(&other[at..bytes]);
                    }
                }
                6 => {
                    let slot = random.index(layout.slots().len());
                    let value = random.pick(&analysis.values(layout.slots()[slot].ty)).copied().unwrap_or(0);
                    layout.set(&mut input, slot, 0, value);
                }
                _ => {
                    let slot = random.index(layout.slots().len());
                    moves::draw(&mut input, layout, slot, random, analysis);
                }
            }
        }
        input
    }
}

impl SearchStrategy for Coverage {
    fn name(&self) -> &'static str {
        self.style.name
    }

    fn run(&mut self, searcher: &mut Searcher<'_>, executions: u64) -> Option<Vec<u8>> {
        for _ in 0..executions {
            let seed = self.seed(searcher);
            let is_seed = seed.is_some();
            let input = seed.unwrap_or_else(|| self.mutant(searcher));
            let (is_new, passes) = self.cover(searcher, &input);
            if passes {
                return Some(input);
            }
            if (is_new || is_seed) && self.corpus.len() < MAX_CORPUS {
                self.corpus.push(input);
            }
            if searcher.is_over() {
                return None;
            }
        }
        None
    }

    fn rejected(&mut self) {}
}

/// Returns the operations whose values are coverage, ascending: the constraints if all are tried, since otherwise the number of passed
/// ones suffices, and their insides.
fn branch_points(program: &Program, style: CoverageStyle) -> Vec<BranchPoint> {
    let point = |operation| BranchPoint { operation, seen: [false; 2] };
    if style.inside {
        let is_branch = |&id: &Id| program.ty(id) == Ty::Bool && program.nodes[id as usize].code != OpCode::Const;
        return (0..program.hot).filter(is_branch).map(point).collect();
    }
    if style.encoding == BranchEncoding::FailFast {
        return Vec::new();
    }
    let mut truths: Vec<Id> = program.constraints.iter().map(|constraint| constraint.truth).collect();
    truths.sort_unstable();
    truths.dedup();
    truths.into_iter().map(point).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lower::lower;
    use crate::machine::{Executor, ProgramRunner};
    use crate::searcher::RunLimits;
    use rewrite::Stop;
    use smtlib::Store;
    use std::sync::Arc;
    use std::time::Instant;

    fn searcher(body: &str, engine: Executor) -> Searcher<'static> {
        let mut store = Store::new();
        let parsed = smtlib::parse(&mut store, &format!("{body}(check-sat)"));
        let assertions = parsed.script.instances().remove(0).assertions;
        let lowered = lower(&mut store, &assertions, &Stop::default());
        let program = Arc::new(lowered.unwrap_or_else(|error| panic!("{body}: {error}")).program);
        let limits = RunLimits { deadline: None, executions: None, cancel: [None, None] };
        Searcher::new(ProgramRunner::new(program, engine, None), 1, limits, Instant::now())
    }

    /// Runs inputs one after the other; returns the new coverage of each, by the interpreter and by compiled code.
    fn check(style: CoverageStyle, body: &str, inputs: &[&[u64]], expect: &[bool]) {
        for engine in [Executor::Interpreter, Executor::Jit] {
            let mut searcher = searcher(body, engine);
            let mut fuzzer = Coverage::new(style, SmartSeeds::default());
            let layout = searcher.program().layout.clone();
            let run = |values: &&[u64]| {
                let mut input = layout.zeros();
                values.iter().enumerate().for_each(|(slot, &value)| layout.set(&mut input, slot, 0, value));
                fuzzer.cover(&mut searcher, &input).0
            };
            let got: Vec<bool> = inputs.iter().map(run).collect();
            assert_eq!(got, expect, "{} by {engine:?} on {body}", style.name);
        }
    }

    #[test]
    fn an_encoding_says_what_is_covered() {
        let order = "(declare-const x (_ BitVec 8))(declare-const y (_ BitVec 8))(declare-const z (_ BitVec 8))\
                     (assert (bvugt x #x05))(assert (bvugt y #x05))(assert (bvugt z #x05))";
        // Nothing holds; the second does; the third does; both; the first; all.
        let inputs: &[&[u64]] = &[&[0, 0, 0], &[0, 9, 0], &[0, 0, 9], &[0, 9, 9], &[9, 0, 0], &[9, 9, 9]];
        check(FAIL_FAST, order, inputs, &[true, false, false, false, true, true]);
        // All values of constraints were seen before both held at once: the new coverage is the larger number.
        check(TRY_ALL, order, inputs, &[true, true, true, true, true, true]);
        check(TRY_ALL, order, &[&[0, 9, 9], &[9, 0, 9], &[9, 9, 0], &[0, 0, 0]], &[true, true, true, false]);
    }

    #[test]
    fn branches_inside_are_covered() {
        let inner = "(declare-const x (_ BitVec 8))(declare-const y (_ BitVec 8))(declare-const z (_ BitVec 8))\
                     (assert (xor (= x #x01) (= y #x02)))(assert (= (= z #x03) (= x #x04)))";
        // The first constraint stays false; of its parts first none is true, then both. The second is not run in fail-fast form.
        let inputs: &[&[u64]] = &[&[0, 0, 0], &[1, 2, 0], &[5, 0, 3], &[0, 0, 0]];
        check(FAIL_FAST, inner, inputs, &[true, false, false, false]);
        check(BRANCHES, inner, inputs, &[true, true, false, false]);
        check(TRY_ALL_BRANCHES, inner, inputs, &[true, true, true, false]);
    }

    #[test]
    fn there_are_as_many_seeds_as_asked_for() {
        for count in [0, 1, 2, 7, 100] {
            let mut searcher = searcher("(declare-const x Float32)(assert (fp.isNaN x))", Executor::Interpreter);
            let mut fuzzer = Coverage::new(FAIL_FAST, SmartSeeds(count));
            let seeds = std::iter::from_fn(|| fuzzer.seed(&mut searcher)).count();
            assert_eq!(seeds, count as usize);
        }
    }
}
