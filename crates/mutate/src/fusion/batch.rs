//! The mutants of two seeds: which fusions, which occurrences, and how the assertions are joined.

use crate::assignment::{self, Generator};
use crate::edit::{Skeleton, limits, names_extension, needs, refused};
use crate::fusion::config::{FusionConfig, Oracle};
use crate::fusion::entry::{Entry, Workshop};
use crate::fusion::rename::{self, Renamed};
use crate::fusion::{ENTRY, Fusion};
use crate::mutator::{Batch, Expected, Mutant, Parent, Request, Target, Truth, Unfit};
use crate::preamble;
use crate::rng::{Stream, Unit};
use rustc_hash::FxHashMap;
use semantics::{Evaluator, Model};
use smtlib::{
    Command, Func, FuncBody, FuncId, Instance, Printer, Scope, SortId, Status, Store, TermId, parse_commands,
};
use std::sync::Arc;

/// How the assertions are joined, and what follows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// All assertions of both that are true under the witness, the false ones negated: satisfiable.
    Conjunction,
    /// The true ones of one parent, or all of the other as they are: satisfiable.
    Disjunction {
        /// The parent whose assertions are true: 0 or 1.
        holds: usize,
    },
    /// All of one unsatisfiable parent or all of the other: unsatisfiable.
    UnsatDisjunction,
    /// All of both, one of them unsatisfiable: unsatisfiable.
    UnsatConjunction,
    /// All of both, of which nothing is known: for comparing solvers.
    Open,
}

impl Shape {
    /// Whether the witness satisfies the mutant.
    fn is_certified(self) -> bool {
        matches!(self, Shape::Conjunction | Shape::Disjunction { .. })
    }

    fn describe(self) -> &'static str {
        match self {
            Shape::Conjunction => "conjunction of certified assertions",
            Shape::Disjunction { .. } => "disjunction, one side certified",
            Shape::UnsatDisjunction => "disjunction of two unsat seeds",
            Shape::UnsatConjunction => "conjunction with an unsat seed",
            Shape::Open => "conjunction of seeds of which nothing is known",
        }
    }
}

/// An assertion of one parent.
struct Line {
    text: String,
    value: Option<bool>,
    /// It needs no recursive definition that is not proven total.
    proven: bool,
    /// Occurrences of variables that fusions are about: where they are, and which.
    slots: Vec<(u32, u32, FuncId)>,
}

/// The text of a fusion.
struct Texts {
    /// The fresh symbols' declarations.
    declarations: String,
    equations: String,
    inversions: [String; 2],
}

/// The mutants of two seeds.
pub struct FusionBatch<'s> {
    store: &'s Store,
    config: FusionConfig,
    unit: Unit,
    model: Arc<Model>,
    lines: [Vec<Line>; 2],
    entries: Vec<Entry>,
    texts: Vec<Texts>,
    shapes: Vec<Shape>,
    /// Before the assertions: within the first seed's logic and beyond it, for proven assertions and for all.
    preambles: [String; 4],
    /// What the seeds need, and what their logic does not grant.
    own: u32,
    refused: u32,
    trust: Arc<str>,
    settings: Vec<(&'static str, String)>,
    /// The fusions of the mutant being made.
    chosen: Vec<usize>,
}

impl<'s> FusionBatch<'s> {
    pub(super) fn new(fusion: &Fusion, store: &'s mut Store, request: Request<'s>) -> Result<FusionBatch<'s>, Unfit> {
        let [first, second] = request.parents else {
            return Err(Unfit::Parents { expected: ENTRY.parents, given: request.parents.len() });
        };
        let config = fusion.config.clone();
        let mut rng = request.unit.stream();
        let named = [first, second].map(|parent| with_constants(store, parent));
        let [first, second] = &named;
        let unreadable =
            || Unfit::Nothing("the declarations of the seeds do not read back, so they cannot be told apart");
        store.symbols.intern("ALL");
        let mut scope;
        let under_other_names;
        let first = if names_extension(store, &first.instance) {
            // Fused mutants often need all logics at once, where such a name would mean a solver's own theory.
            scope = Scope::new(store);
            under_other_names = rename::apart(store, &mut scope, first).ok_or_else(unreadable)?.parent;
            &under_other_names
        } else {
            scope = declared(store, &first.instance).ok_or_else(unreadable)?;
            first
        };
        let renamed = rename::apart(store, &mut scope, second).ok_or_else(unreadable)?;
        let parents = [first, &renamed.parent];
        let (model, proven) = witness(store, parents, &renamed, &config, &mut rng);
        let variables = parents.map(|p| constants(store, &p.instance, |t| proven[t.index()]));
        let mut workshop =
            Workshop { store, scope: &mut scope, generator: Generator::new(model), target: request.target };
        let entries = pool(&mut workshop, fusion, &variables, &mut rng);
        let model = Arc::new(workshop.into_model());
        let store: &'s Store = store;
        let mut evaluator = Evaluator::new(model.clone(), limits());
        let mut printer = Printer::new(store, &request.target.dialect);
        let fused: Vec<FuncId> = entries.iter().flat_map(|e| e.variables).collect();
        let lines = [0, 1].map(|n: usize| {
            let assertions = parents[n].instance.assertions.iter();
            let line = assertions.map(|&t| {
                let mut text = String::new();
                printer.term(t, &mut text);
                let slots = slots(store, t, &text, &fused);
                let proven = proven[t.index()];
                let value = if proven { evaluator.truth(store, t) } else { None };
                Line { text, value, proven, slots }
            });
            line.collect::<Vec<_>>()
        });
        let shapes = shapes(parents, &lines, &entries, config.oracle);
        if entries.is_empty() {
            return Err(Unfit::Nothing(
                "no fusion function fits a constant of the one seed and a constant of the other",
            ));
        }
        if shapes.is_empty() {
            return Err(Unfit::Nothing("nothing is known of the seeds that gives the mutant a status"));
        }
        let texts = entries.iter().map(|e| texts(&mut printer, e)).collect();
        let (preambles, own, refused) = preambles(store, parents, &proven, request.target);
        let mut settings = config.settings();
        settings.push(("functions", fusion.functions.path.clone()));
        Ok(FusionBatch {
            store,
            unit: request.unit,
            model,
            lines,
            entries,
            texts,
            shapes,
            preambles,
            own,
            refused,
            trust: "the :status of the seeds says unsat".into(),
            settings,
            chosen: Vec::new(),
            config,
        })
    }

    /// The fusions mutants choose from.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Draws how a mutant is joined and which fusions it has; no two have a variable in common.
    fn shape(&mut self, rng: &mut Stream) -> Shape {
        let shape = rng.pick(&self.shapes).copied().unwrap_or(Shape::Conjunction);
        self.chosen.clear();
        let wanted = rng.between(u64::from(self.config.pairs.low), u64::from(self.config.pairs.high));
        for _ in 0..wanted {
            let n = rng.index(self.entries.len());
            let entry = &self.entries[n];
            let free = |&m: &usize| {
                let other = &self.entries[m];
                entry.variables[0] != other.variables[0] && entry.variables[1] != other.variables[1]
            };
            if (entry.holds || !shape.is_certified()) && self.chosen.iter().all(free) {
                self.chosen.push(n);
            }
        }
        shape
    }

    /// Appends one assertion's text with a random part of the fused variables' occurrences replaced.
    fn line(&self, parent: usize, line: &Line, rng: &mut Stream, out: &mut String) {
        let mut at = 0;
        for &(start, end, variable) in &line.slots {
            let Some(&n) = self.chosen.iter().find(|&&n| self.entries[n].variables[parent] == variable) else {
                continue;
            };
            if rng.percent(self.config.replaced) {
                out.push_str(&line.text[at..start as usize]);
                out.push_str(&self.texts[n].inversions[parent]);
                at = end as usize;
            }
        }
        out.push_str(&line.text[at..]);
    }

    /// Appends one assertion as it is true under the witness; nothing where its value is not known.
    fn certified(&self, parent: usize, line: &Line, rng: &mut Stream, out: &mut String) {
        match line.value {
            Some(true) => self.line(parent, line, rng, out),
            Some(false) => {
                out.push_str("(not ");
                self.line(parent, line, rng, out);
                out.push(')');
            }
            None => {}
        }
    }

    /// Appends the conjunction of one parent's assertions, certified or as they are.
    fn side(&self, parent: usize, shape: Shape, rng: &mut Stream, out: &mut String) {
        let certified = matches!(shape, Shape::Disjunction { holds } if holds == parent);
        out.push_str("(and true");
        for line in &self.lines[parent] {
            // A side that need not hold may lack what no certified mutant may have.
            let kept = if certified { line.value.is_some() } else { !shape.is_certified() || line.proven };
            if !kept {
                continue;
            }
            out.push(' ');
            match certified {
                true => self.certified(parent, line, rng, out),
                false => self.line(parent, line, rng, out),
            }
        }
        out.push(')');
    }
}

impl Batch for FusionBatch<'_> {
    fn size(&self) -> u64 {
        u64::from(self.config.mutants)
    }

    fn mutant(&mut self, index: u64, out: &mut Mutant) {
        out.clear();
        let mut rng = self.unit.mutant_stream(index);
        let shape = self.shape(&mut rng);
        let text = &mut out.text;
        let features = self.chosen.iter().fold(self.own, |all, &n| all | self.entries[n].features);
        let beyond = features & self.refused != 0;
        let everything = !shape.is_certified();
        text.push_str(&self.preambles[usize::from(everything) * 2 + usize::from(beyond)]);
        for &n in &self.chosen {
            text.push_str(&self.texts[n].declarations);
        }
        match shape {
            Shape::Conjunction | Shape::UnsatConjunction | Shape::Open => {
                for parent in 0..2 {
                    for line in &self.lines[parent] {
                        if shape == Shape::Conjunction && line.value.is_none() {
                            continue;
                        }
                        text.push_str("(assert ");
                        match shape {
                            Shape::Conjunction => self.certified(parent, line, &mut rng, text),
                            _ => self.line(parent, line, &mut rng, text),
                        }
                        text.push_str(")\n");
                    }
                }
            }
            Shape::Disjunction { .. } | Shape::UnsatDisjunction => {
                text.push_str("(assert (or ");
                for parent in 0..2 {
                    self.side(parent, shape, &mut rng, text);
                    text.push_str(if parent == 0 { " " } else { "))\n" });
                }
            }
        }
        for &n in &self.chosen {
            text.push_str(&self.texts[n].equations);
        }
        text.push_str("(check-sat)\n");
        let (expected, truth) = match shape {
            Shape::Conjunction | Shape::Disjunction { .. } => (Expected::Sat, Truth::Certified),
            Shape::UnsatConjunction | Shape::UnsatDisjunction => (Expected::Unsat, Truth::Trusted(self.trust.clone())),
            Shape::Open => (Expected::Differential, Truth::Differential),
        };
        out.expected.push(expected);
        out.truth = truth;
    }

    fn store(&self) -> &Store {
        self.store
    }

    fn witness(&mut self, index: u64) -> Option<Arc<Model>> {
        let shape = self.shape(&mut self.unit.mutant_stream(index));
        shape.is_certified().then(|| self.model.clone())
    }

    fn parameters(&mut self, index: u64) -> Vec<(&'static str, String)> {
        let shape = self.shape(&mut self.unit.mutant_stream(index));
        let name = |f: FuncId| self.store.name(self.store.func(f).name).to_string();
        let fused = self.chosen.iter().map(|&n| {
            let entry = &self.entries[n];
            format!("{}+{} by function {}", name(entry.variables[0]), name(entry.variables[1]), entry.function)
        });
        let mut list = vec![
            ("campaign", self.unit.campaign.to_string()),
            ("unit", self.unit.number.to_string()),
            ("index", index.to_string()),
            ("derivation", shape.describe().to_string()),
            ("fused", fused.collect::<Vec<_>>().join("; ")),
        ];
        list.extend(self.settings.iter().cloned());
        list
    }
}

/// A scope that knows the declarations of the first parent.
fn declared(store: &mut Store, instance: &Instance) -> Option<Scope> {
    let mut text = String::new();
    {
        let dialect = smtlib::Dialect::default();
        let mut printer = Printer::new(store, &dialect);
        for command in &instance.declarations {
            printer.command(command, &mut text);
            text.push('\n');
        }
    }
    let mut scope = Scope::new(store);
    parse_commands(store, &mut scope, &text).errors.is_empty().then_some(scope)
}

/// The witness of both, and for every term whether certified mutants may hold it.
fn witness(
    store: &mut Store,
    parents: [&Parent; 2],
    renamed: &Renamed,
    config: &FusionConfig,
    rng: &mut Stream,
) -> (Model, Vec<bool>) {
    let declarations: Vec<Command> = parents.iter().flat_map(|p| p.instance.declarations.iter().cloned()).collect();
    let proven: Vec<bool> = preamble::needs_unproven(store, &declarations).into_iter().map(|u| !u).collect();
    let mut models = Vec::new();
    for parent in parents {
        let assertions: Vec<TermId> =
            parent.instance.assertions.iter().copied().filter(|t| proven[t.index()]).collect();
        models.push(assignment::choose(store, parent, &assertions, u32::MAX, config.assignment, rng).model);
    }
    let model = rename::union(store, &models[0], &models[1], renamed);
    (model, proven)
}

/// Assertions of a seed without constants that get a name, at most.
const MAX_NAMED: usize = 3;

/// The parent itself, or, where it has no constant to fuse, with fresh Boolean constants for its first assertions: `a` and
/// `(= a t)` are asserted instead of t, which changes no status.
fn with_constants(store: &mut Store, parent: &Parent) -> Parent {
    let mut parent = parent.clone();
    if !constants(store, &parent.instance, |_| true).is_empty() {
        return parent;
    }
    let instance = &mut parent.instance;
    let mut equations = Vec::new();
    for assertion in instance.assertions.iter_mut().take(MAX_NAMED) {
        let taken: Vec<bool> = vec![true; store.symbols.len()];
        let name = store.fresh_symbol("holds", |s| taken.get(s.index()).copied().unwrap_or(false));
        let func = Func { name, params: Box::default(), result: SortId::BOOL, body: FuncBody::Declared };
        let f = store.declare(func);
        let Ok(constant) = store.constant_of(f) else { continue };
        let Ok(equation) = store.eq(constant, *assertion) else { continue };
        instance.declarations.push(Command::DeclareFun(f));
        *assertion = constant;
        equations.push(equation);
    }
    instance.assertions.append(&mut equations);
    parent
}

/// The declared constants that occur in those of an instance's assertions that are kept, in the order of declaration.
fn constants(store: &Store, instance: &Instance, is_kept: impl Fn(TermId) -> bool) -> Vec<FuncId> {
    let mut uses = preamble::Uses::new(store);
    instance.assertions.iter().filter(|&&t| is_kept(t)).for_each(|&t| uses.term(t));
    let declared = instance.declarations.iter().filter_map(|c| match c {
        Command::DeclareFun(f) => Some(*f),
        _ => None,
    });
    declared.filter(|&f| uses.has_func(f) && store.func(f).params.is_empty()).collect()
}

/// Draws pairs of variables and fusion functions. Functions for the very sorts come before those that fit any.
fn pool(workshop: &mut Workshop<'_>, fusion: &Fusion, variables: &[Vec<FuncId>; 2], rng: &mut Stream) -> Vec<Entry> {
    let [xs, ys] = variables;
    let functions = &fusion.functions.data;
    let mut by_sort: FxHashMap<SortId, Vec<FuncId>> = FxHashMap::default();
    for &y in ys {
        by_sort.entry(workshop.store.func(y).result).or_default().push(y);
    }
    let mut fitting: FxHashMap<(SortId, SortId), [Vec<usize>; 2]> = FxHashMap::default();
    let mut entries = Vec::new();
    for _ in 0..fusion.config.pool * 2 {
        if entries.len() >= fusion.config.pool as usize {
            break;
        }
        let Some(&x) = rng.pick(xs) else { break };
        let sort = workshop.store.func(x).result;
        let same = by_sort.get(&sort).map_or(&[][..], Vec::as_slice);
        let Some(&y) = (if same.is_empty() || rng.percent(10) { rng.pick(ys) } else { rng.pick(same) }) else { break };
        let sorts = (sort, workshop.store.func(y).result);
        let [own, any] = fitting.entry(sorts).or_insert_with(|| {
            let texts = [sorts.0, sorts.1].map(|s| workshop.store.sort_text(s));
            let fits = |n: &usize| functions[*n].bind(&texts[0], &texts[1]).is_some();
            let all: Vec<usize> = (0..functions.len()).filter(fits).collect();
            let (any, own) = all.into_iter().partition(|&n| functions[n].is_generic());
            [own, any]
        });
        let list = if own.is_empty() || (rng.percent(10) && !any.is_empty()) { any } else { own };
        let Some(&n) = rng.pick(list) else { continue };
        entries.extend(workshop.make(n, &functions[n], [x, y], rng));
    }
    entries
}

/// Where the fused variables occur in an assertion's text.
fn slots(store: &Store, term: TermId, text: &str, fused: &[FuncId]) -> Vec<(u32, u32, FuncId)> {
    let Some(skeleton) = Skeleton::new(store, term, text.to_string()) else { return Vec::new() };
    let mut slots: Vec<_> = skeleton
        .places()
        .iter()
        .filter(|p| !p.frozen && !p.is_reference && store.args(p.term).is_empty())
        .filter_map(|p| {
            let f = store.applied(p.term).filter(|f| fused.contains(f))?;
            Some((p.span.0, p.span.1, f))
        })
        .collect();
    slots.sort_unstable();
    slots
}

/// The ways of joining that are open.
fn shapes(parents: [&Parent; 2], lines: &[Vec<Line>; 2], entries: &[Entry], oracle: Oracle) -> Vec<Shape> {
    let unsat = parents.map(|p| p.instance.status == Some(Status::Unsat) && !p.instance.incomplete);
    let known = lines.each_ref().map(|l| l.iter().any(|l| l.value.is_some()));
    let mut shapes = Vec::new();
    if oracle != Oracle::Unsat && entries.iter().any(|e| e.holds) {
        if known[0] || known[1] {
            // The plain conjunction is what the paper has; it comes more often.
            shapes.extend([Shape::Conjunction; 3]);
        }
        // A side that is always false would only be dead weight, so the other one is of interest as it is.
        for holds in 0..2 {
            if known[holds] && lines[1 - holds].iter().any(|l| l.value != Some(true)) {
                shapes.push(Shape::Disjunction { holds });
            }
        }
    }
    if oracle != Oracle::Sat {
        if unsat[0] && unsat[1] {
            shapes.extend([Shape::UnsatDisjunction; 4]);
        }
        if unsat[0] || unsat[1] {
            shapes.extend([Shape::UnsatConjunction; 2]);
        }
    }
    if shapes.is_empty() && oracle == Oracle::Auto {
        shapes.push(Shape::Open);
    }
    shapes
}

fn texts(printer: &mut Printer<'_>, entry: &Entry) -> Texts {
    let mut texts =
        Texts { declarations: String::new(), equations: String::new(), inversions: [String::new(), String::new()] };
    for command in &entry.declarations {
        printer.command(command, &mut texts.declarations);
        texts.declarations.push('\n');
    }
    for &t in &entry.equations {
        printer.command(&Command::Assert(t, None), &mut texts.equations);
        texts.equations.push('\n');
    }
    for (text, &t) in texts.inversions.iter_mut().zip(&entry.inversions) {
        printer.term(t, text);
    }
    texts
}

/// The preambles of both parents, what the parents need, and what their common logic does not grant.
///
/// Two seeds of one logic keep it; otherwise the mutant has all.
fn preambles(store: &Store, parents: [&Parent; 2], proven: &[bool], target: &Target) -> ([String; 4], u32, u32) {
    let [first, second] = parents.map(|p| &p.instance);
    let all = store.symbols.get("ALL");
    let common = if first.logic == second.logic { first.logic } else { all };
    let declarations = first.declarations.iter().chain(&second.declarations).cloned().collect();
    let joined = Instance { logic: common, declarations, ..first.clone() };
    let every: Vec<TermId> = first.assertions.iter().chain(&second.assertions).copied().collect();
    let kept: Vec<TermId> = every.iter().copied().filter(|t| proven[t.index()]).collect();
    let inferred = preamble::inferred_logic(store, &joined, &every, target);
    let is_named = common.is_some() || inferred.is_some();
    let beyond = Instance { logic: if is_named { all } else { None }, ..joined.clone() };
    let print = |instance: &Instance, terms: &[TermId]| {
        let mut out = String::new();
        preamble::print(store, instance, terms, target, &mut out);
        out
    };
    let name = common.map(|l| store.name(l)).or(inferred).unwrap_or("ALL");
    let (own, refused) = (needs(store, &joined.declarations, &every), refused(name));
    let preambles = [print(&joined, &kept), print(&beyond, &kept), print(&joined, &every), print(&beyond, &every)];
    (preambles, own, refused)
}
