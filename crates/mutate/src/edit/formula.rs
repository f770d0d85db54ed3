//! A seed's assertions as printed trees, each with its value under an assignment, and the preambles of its mutants.

use crate::assignment::{self, AssignmentSource};
use crate::edit::printed_tree::PrintedTree;
use crate::edit::{EditConfig, GuardUse};
use crate::guards::is_guard;
use crate::mutator::{Parent, TargetSpelling};
use crate::preamble;
use crate::rng::RandomStream;
use rustc_hash::{FxHashMap, FxHashSet};
use semantics::{EvalLimits, Evaluator, Model};
use smtlib::term::HAS_BINDER;
use smtlib::theories::{self, extensions};
use smtlib::{Command, FuncBody, FuncId, Instance, Printer, Store, Symbol, TermId};
use std::sync::Arc;

/// Returns the bounds of one evaluation while mutants are made: small, since an expensive mutant is no loss.
pub fn limits() -> EvalLimits {
    EvalLimits { steps: 50_000, domain: 1 << 12, bits: 1 << 14, ..EvalLimits::default() }
}

/// One assertion.
#[derive(Clone, Debug)]
pub struct SeedAssertion {
    /// The assertion.
    pub term: TermId,
    /// Its text, and its places where there are any that may be changed.
    pub body: Body,
    /// Its value under the assignment, if the evaluator knows it.
    pub value: Option<bool>,
    /// Whether the assertion needs a recursive definition that is not proven total, so that no certified mutant may contain it.
    pub is_unproven: bool,
}

/// The text of an assertion.
#[derive(Clone, Debug)]
pub enum Body {
    /// With its places.
    Places(Box<PrintedTree>),
    /// As it is: nothing in it is changed.
    Text(String),
}

impl SeedAssertion {
    /// Returns the assertion's text.
    pub fn text(&self) -> &str {
        match &self.body {
            Body::Places(tree) => tree.text(),
            Body::Text(text) => text,
        }
    }

    /// Returns its places.
    pub fn tree(&self) -> Option<&PrintedTree> {
        match &self.body {
            Body::Places(tree) => Some(tree),
            Body::Text(_) => None,
        }
    }
}

/// All that is the same in all mutants of a unit.
pub struct SeedFormula {
    /// The assertions.
    pub lines: Vec<SeedAssertion>,
    /// The evaluator under the assignment, which remembers the values of all terms.
    pub evaluator: Evaluator,
    /// Where the assignment came from.
    pub source: AssignmentSource,
    /// Features beyond the seed's logic; many seeds leave their own logic.
    refused: u32,
    /// Mutants must keep the seed's logic: in `ALL` a name of the seed might belong to a solver's own theory.
    keeps_logic: bool,
    /// The seed's own features.
    own: u32,
    /// The preambles for certified mutants, within the logic and beyond it, and those for mutants with all assertions.
    preambles: [String; 4],
}

/// The parts of a formula.
pub struct FormulaSource<'p> {
    /// The declarations, and the assertions that mutants change.
    pub instance: &'p Instance,
    /// Further terms that changes may bring in; preambles declare their symbols.
    pub guests: &'p [TermId],
    /// The assignment.
    pub model: Arc<Model>,
    /// Where the assignment came from.
    pub assignment: AssignmentSource,
}

impl SeedFormula {
    /// Draws an assignment for a parent, evaluates its assertions and prints them.
    pub fn new(
        store: &mut Store,
        parent: &Parent,
        target: &TargetSpelling,
        config: &EditConfig,
        rng: &mut RandomStream,
    ) -> SeedFormula {
        let instance = &parent.instance;
        let unproven = preamble::needs_unproven(store, &instance.declarations);
        let proven: Vec<TermId> = instance.assertions.iter().copied().filter(|t| !unproven[t.index()]).collect();
        let chosen = assignment::choose(store, parent, &proven, u32::MAX, config.assignment, rng);
        let (model, assignment) = (chosen.model, chosen.source);
        SeedFormula::of(store, FormulaSource { instance, guests: &[], model, assignment }, target, config)
    }

    /// Evaluates the assertions of an instance and prints them.
    pub fn of(
        store: &mut Store,
        source: FormulaSource<'_>,
        target: &TargetSpelling,
        config: &EditConfig,
    ) -> SeedFormula {
        let FormulaSource { instance, guests, model, assignment } = source;
        let unproven = preamble::needs_unproven(store, &instance.declarations);
        let mut proven: Vec<TermId> = instance.assertions.iter().copied().filter(|t| !unproven[t.index()]).collect();
        let mut every = instance.assertions.clone();
        proven.extend(guests);
        every.extend(guests);
        let mut evaluator = Evaluator::new(model, limits());
        let all = store.symbols.intern("ALL");
        let unfolded = unfolded(store, instance);
        let collides = hides_functions(store, instance, &unfolded);
        let store: &Store = store;
        let inferred = preamble::inferred_logic(store, instance, &every, target);
        let beyond = Instance { logic: instance.logic.map(|_| all).or(inferred.map(|_| all)), ..instance.clone() };
        let mut printer = Printer::new(store, &target.dialect);
        let lines = instance.assertions.iter().zip(unfolded).map(|(&given, term)| {
            let mut text = String::new();
            printer.term(term, &mut text);
            let is_unproven = unproven[given.index()];
            // Text made for one place could be captured by a variable of the same name at another.
            let is_kept = config.guards == GuardUse::Keep && is_guard(store, term);
            let fixed = is_unproven || is_kept || (collides && store.flags(term) & HAS_BINDER != 0);
            let tree = if fixed { None } else { PrintedTree::new(store, term, text.clone()) };
            let body = tree.map_or(Body::Text(text), |s| Body::Places(Box::new(s)));
            let value = if is_unproven { None } else { evaluator.truth(store, term) };
            SeedAssertion { term, body, value, is_unproven }
        });
        let lines: Vec<SeedAssertion> = lines.collect();
        let print = |instance: &Instance, terms: &[TermId]| {
            let mut out = String::new();
            preamble::print(store, instance, terms, target, &mut out);
            out
        };
        let name = instance.logic.map(|l| store.name(l)).or(inferred).unwrap_or("ALL");
        let own = needs(store, &instance.declarations, &every);
        let (refused, keeps_logic) = (refused(name), names_extension(store, instance));
        let preambles =
            [print(instance, &proven), print(&beyond, &proven), print(instance, &every), print(&beyond, &every)];
        SeedFormula { lines, evaluator, source: assignment, refused, keeps_logic, own, preambles }
    }

    /// Returns the assignment.
    pub fn model(&self) -> &Arc<Model> {
        self.evaluator.model()
    }

    /// Returns the preamble of a mutant with these features.
    pub fn preamble(&self, certified: bool, features: u32) -> &str {
        let beyond = !self.keeps_logic && (features | self.own) & self.refused != 0;
        &self.preambles[usize::from(!certified) * 2 + usize::from(beyond)]
    }

    /// Whether a mutant may have these features: some preamble grants them.
    pub fn admits(&self, features: u32) -> bool {
        !self.keeps_logic || features & self.refused & !self.own == 0
    }
}

/// Returns the assertions, with bare names of definitions expanded, so that there is something to change: some solvers' traces define
/// every subterm and assert the last name.
pub fn unfolded(store: &mut Store, instance: &Instance) -> Vec<TermId> {
    let is_name = |store: &Store, t: TermId| {
        let f = store.applied(t).filter(|_| store.args(t).is_empty());
        f.is_some_and(|f| matches!(store.func(f).body, FuncBody::Defined { .. }))
    };
    if !instance.assertions.iter().any(|&t| is_name(store, t)) {
        return instance.assertions.clone();
    }
    // Definitions mention only earlier ones, and these bodies have no parameters: nothing in them can be captured.
    let mut bodies: FxHashMap<FuncId, TermId> = FxHashMap::default();
    let written_out = |store: &mut Store, t: TermId, bodies: &FxHashMap<FuncId, TermId>| {
        store.rebuild(t, |store, u| bodies.get(&store.applied(u)?).copied())
    };
    for command in &instance.declarations {
        if let Command::DefineFun(f) = command
            && let FuncBody::Defined { vars, body } = &store.func(*f).body
            && vars.is_empty()
            && store.sort(*body) == store.func(*f).result
        {
            let body = written_out(store, *body, &bodies);
            bodies.insert(*f, body);
        }
    }
    let write = |&t: &TermId| if is_name(store, t) { written_out(store, t, &bodies) } else { t };
    instance.assertions.iter().map(write).collect()
}

/// Returns the features of assertions and their definitions.
pub fn needs(store: &Store, declarations: &[Command], assertions: &[TermId]) -> u32 {
    let bodies = declarations.iter().flat_map(|c| match c {
        Command::DefineFun(f) => std::slice::from_ref(f),
        Command::DefineFunsRec(fs) => fs,
        _ => &[],
    });
    let bodies = bodies.filter_map(|&f| Some(store.func(f).definition()?.1));
    smtlib::logic::of_terms(store, &bodies.chain(assertions.iter().copied()).collect::<Vec<_>>())
}

/// The logics with floats that all solvers support; z3 4.15 has none in `QF_ABVFP`.
const FLOAT_LOGICS: &[&str] = &["QF_FP", "QF_BVFP", "QF_FPBV", "QF_FPLRA", "FP", "ALL"];

/// Returns the features that a logic does not grant in all solvers.
pub fn refused(logic: &str) -> u32 {
    let is_doubtful = logic.contains("FP") && !FLOAT_LOGICS.contains(&logic);
    if is_doubtful { u32::MAX } else { !smtlib::logic::granted(logic) }
}

/// Whether an instance declares a name of a theory beyond its logic, standard or not, such as `str.from_int` or a sort `Set`: under another
/// logic the declaration would be rejected.
pub fn names_extension(store: &Store, instance: &Instance) -> bool {
    let is_theirs = |name: Symbol| {
        let name = store.name(name);
        extensions::SORTS.contains(&name)
            || extensions::is_extension(name)
            || theories::rows().any(|row| row.name == name)
    };
    instance.declarations.iter().any(|command| match command {
        Command::DeclareSort(name, _) => is_theirs(*name),
        Command::DeclareFun(f) | Command::DefineFun(f) => is_theirs(store.func(*f).name),
        Command::DefineFunsRec(fs) => fs.iter().any(|&f| is_theirs(store.func(f).name)),
        Command::DeclareDatatypes(first, _) => {
            is_theirs(store.datatype(*first).name) || constructor_names(store, command).into_iter().any(is_theirs)
        }
        _ => false,
    })
}

/// Whether some variable bound in these terms has the name of a declared function, constructor or selector.
fn hides_functions(store: &Store, instance: &Instance, terms: &[TermId]) -> bool {
    let mut functions: FxHashSet<Symbol> = FxHashSet::default();
    for command in &instance.declarations {
        match command {
            Command::DeclareFun(f) | Command::DefineFun(f) => {
                functions.insert(store.func(*f).name);
            }
            Command::DefineFunsRec(fs) => functions.extend(fs.iter().map(|&f| store.func(f).name)),
            Command::DeclareDatatypes(..) => functions.extend(constructor_names(store, command)),
            _ => {}
        }
    }
    let mut seen = vec![false; store.len()];
    let mut stack: Vec<TermId> = terms.to_vec();
    while let Some(t) = stack.pop() {
        if store.flags(t) & HAS_BINDER == 0 || std::mem::replace(&mut seen[t.index()], true) {
            continue;
        }
        let op = store.op(t);
        if op.binder().is_some_and(|b| store.binder(b).vars.iter().any(|v| functions.contains(&v.0))) {
            return true;
        }
        if let Some(m) = op.cases()
            && store.cases(m).iter().flat_map(|c| c.vars.iter().flatten()).any(|v| functions.contains(v))
        {
            return true;
        }
        stack.extend_from_slice(store.args(t));
    }
    false
}

/// Returns the names of the constructors and selectors a command declares.
pub fn constructor_names(store: &Store, command: &Command) -> Vec<Symbol> {
    let Command::DeclareDatatypes(first, _) = command else { return Vec::new() };
    let mut names = Vec::new();
    for d in store.datatype_group(*first) {
        for c in &store.datatype(d).constructors {
            names.push(c.name);
            names.extend(c.fields.iter().map(|f| f.0));
        }
    }
    names
}
