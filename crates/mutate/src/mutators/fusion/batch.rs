//! The mutants of two seeds: the fusions, the occurrences, and how the assertions are joined.

use crate::assignment::ValueGenerator;
use crate::edit::limits;
use crate::joined::{JoinedAssignment, JoinedSeeds, TypeUse};
use crate::mutator::{Batch, Mutant, MutantRequest, Unfit};
use crate::mutators::fusion::config::FusionConfig;
use crate::mutators::fusion::entry::{FusionBuilder, FusionEntry};
use crate::mutators::fusion::parents::{ParentAssertion, slots};
use crate::mutators::fusion::parents::{constants, preambles, with_constants};
use crate::mutators::fusion::shape::{FusionShape, shapes};
use crate::mutators::fusion::{ENTRY, Fusion, generated};
use crate::rng::{RandomStream, Unit};
use finding::Trust;
use rustc_hash::FxHashMap;
use semantics::{Evaluator, Model};
use smtlib::{Command, FuncId, Printer, SortId, Status, Store};
use std::sync::Arc;

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
    lines: [Vec<ParentAssertion>; 2],
    entries: Vec<FusionEntry>,
    texts: Vec<Texts>,
    shapes: Vec<FusionShape>,
    /// The preambles: within the first seed's logic and beyond it, for proven assertions and for all.
    preambles: [String; 4],
    /// The seeds' features, and those beyond their logic.
    own: u32,
    refused: u32,
    trust: Arc<str>,
    settings: Vec<(&'static str, String)>,
    /// The fusions of the current mutant.
    chosen: Vec<usize>,
}

impl<'s> FusionBatch<'s> {
    pub(super) fn new(
        fusion: &Fusion,
        store: &'s mut Store,
        request: MutantRequest<'s>,
    ) -> Result<FusionBatch<'s>, Unfit> {
        let [first, second] = request.parents else {
            return Err(Unfit::Parents { expected: ENTRY.parents, given: request.parents.len() });
        };
        let config = fusion.config.clone();
        let mut rng = request.unit.stream();
        let named = [first, second].map(|parent| with_constants(store, parent));
        store.symbols.intern("ALL");
        let mut joined = JoinedSeeds::new(store, named.each_ref(), TypeUse::Apart)?;
        let JoinedAssignment { model, proven, .. } = joined.assignment(store, config.assignment, &mut rng);
        let parents = [&joined.first, &joined.second.parent];
        let variables = parents.map(|p| constants(store, &p.instance, |t| proven[t.index()]));
        let others = by_sort(store, variables.iter().flatten());
        let mut builder = FusionBuilder {
            store,
            scope: &mut joined.scope,
            generator: ValueGenerator::new(model),
            target: request.target,
            others,
            others_percent: config.others,
        };
        let entries = pool(&mut builder, fusion, &variables, &mut rng);
        let model = Arc::new(builder.into_model());
        let store: &'s Store = store;
        let mut evaluator = Evaluator::new(model.clone(), limits());
        let mut printer = Printer::new(store, &request.target.dialect);
        let fused: Vec<FuncId> = entries.iter().flat_map(|e| e.variables).collect();
        let functions = store.function_names().collect();
        let lines = [0, 1].map(|n: usize| {
            let assertions = parents[n].instance.assertions.iter();
            let line = assertions.map(|&t| {
                let mut text = String::new();
                printer.term(t, &mut text);
                let slots = slots(store, t, &text, &fused, &functions);
                let proven = proven[t.index()];
                let value = if proven { evaluator.truth(store, t) } else { None };
                ParentAssertion { text, value, proven, slots }
            });
            line.collect::<Vec<_>>()
        });
        let shapes = shapes(store, parents, &lines, &entries, config.oracle);
        if entries.is_empty() {
            return Err(Unfit::Nothing(
                "no fusion function fits a constant of the one seed and a constant of the other",
            ));
        }
        if shapes.is_empty() {
            return Err(Unfit::Nothing("nothing known about the seeds gives the mutant a status"));
        }
        let texts = entries.iter().map(|e| texts(&mut printer, e)).collect();
        let (preambles, own, refused) = preambles(store, parents, &proven, request.target);
        let settings = fusion.settings();
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

    /// Returns the fusions that mutants choose from.
    pub fn entries(&self) -> &[FusionEntry] {
        &self.entries
    }

    /// Draws how a mutant is joined and which fusions it has; no two share a variable.
    fn shape(&mut self, rng: &mut RandomStream) -> FusionShape {
        let shape = rng.pick(&self.shapes).copied().unwrap_or(FusionShape::Conjunction);
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
    fn line(&self, parent: usize, line: &ParentAssertion, rng: &mut RandomStream, out: &mut String) {
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

    /// Appends one assertion so that it is true under the witness; nothing if its value is unknown.
    fn certified(&self, parent: usize, line: &ParentAssertion, rng: &mut RandomStream, out: &mut String) {
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

    /// Appends the conjunction of one parent's assertions, certified or unchanged.
    fn side(&self, parent: usize, shape: FusionShape, rng: &mut RandomStream, out: &mut String) {
        let certified = matches!(shape, FusionShape::Disjunction { holds } if holds == parent);
        out.push_str("(and true");
        for line in &self.lines[parent] {
            // A side that need not hold may omit parts that no certified mutant may have.
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
            FusionShape::Conjunction | FusionShape::UnsatConjunction | FusionShape::Open => {
                for parent in 0..2 {
                    for line in &self.lines[parent] {
                        if shape == FusionShape::Conjunction && line.value.is_none() {
                            continue;
                        }
                        text.push_str("(assert ");
                        match shape {
                            FusionShape::Conjunction => self.certified(parent, line, &mut rng, text),
                            _ => self.line(parent, line, &mut rng, text),
                        }
                        text.push_str(")\n");
                    }
                }
            }
            FusionShape::Disjunction { .. } | FusionShape::UnsatDisjunction => {
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
            FusionShape::Conjunction | FusionShape::Disjunction { .. } => (Status::Sat, Some(Trust::Certified)),
            FusionShape::UnsatConjunction | FusionShape::UnsatDisjunction => {
                (Status::Unsat, Some(Trust::in_words(&*self.trust)))
            }
            FusionShape::Open => (Status::Unknown, None),
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
            format!("{}+{} by {}", name(entry.variables[0]), name(entry.variables[1]), entry.function)
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

fn by_sort<'v>(store: &Store, variables: impl IntoIterator<Item = &'v FuncId>) -> FxHashMap<SortId, Vec<FuncId>> {
    let mut by_sort: FxHashMap<SortId, Vec<FuncId>> = FxHashMap::default();
    for &variable in variables {
        by_sort.entry(store.func(variable).result).or_default().push(variable);
    }
    by_sort
}

/// Draws pairs of variables and fusion functions. Functions for exactly these sorts come before polymorphic ones.
fn pool(
    builder: &mut FusionBuilder<'_>,
    fusion: &Fusion,
    variables: &[Vec<FuncId>; 2],
    rng: &mut RandomStream,
) -> Vec<FusionEntry> {
    let [xs, ys] = variables;
    let functions = &fusion.functions.data;
    let by_sort = by_sort(builder.store, ys);
    let mut fitting: FxHashMap<(SortId, SortId), [Vec<usize>; 2]> = FxHashMap::default();
    let mut entries = Vec::new();
    for _ in 0..fusion.config.pool * 2 {
        if entries.len() >= fusion.config.pool as usize {
            break;
        }
        let Some(&x) = rng.pick(xs) else { break };
        let sort = builder.store.func(x).result;
        let same = by_sort.get(&sort).map_or(&[][..], Vec::as_slice);
        let Some(&y) = (if same.is_empty() || rng.percent(10) { rng.pick(ys) } else { rng.pick(same) }) else { break };
        let sorts = (sort, builder.store.func(y).result);
        let [own, any] = fitting.entry(sorts).or_insert_with(|| {
            let texts = [sorts.0, sorts.1].map(|s| builder.store.sort_text(s));
            let fits = |n: &usize| functions[*n].bind(&texts[0], &texts[1]).is_some();
            let all: Vec<usize> = (0..functions.len()).filter(fits).collect();
            let (any, own) = all.into_iter().partition(|&n| functions[n].is_generic());
            [own, any]
        });
        if sorts.0 == sorts.1 && rng.percent(fusion.config.generated) {
            let generated = generated::draw(&builder.store.sort_text(sort), rng);
            if let Some(function) = generated {
                entries.extend(builder.make(function.terms[0].clone(), &function, [x, y], rng));
                continue;
            }
        }
        let list = if own.is_empty() || (rng.percent(10) && !any.is_empty()) { any } else { own };
        let Some(&n) = rng.pick(list) else { continue };
        entries.extend(builder.make(format!("function {n}"), &functions[n], [x, y], rng));
    }
    entries
}

fn texts(printer: &mut Printer<'_>, entry: &FusionEntry) -> Texts {
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
