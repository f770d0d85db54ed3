//! Our own proofs as text, in the form of cvc5's proofs with conclusions (`--proof-print-conclusion`).
//!
//! ```text
//! (
//! (declare-const ite!0 Int)                               ; a symbol that the problem does not have; (-> S … S) for a function
//! (define @t1 () (ite p x 3))                             ; a term that occurs more than once
//! (assume @p1 (< @t1 2))                                  ; an assertion
//! (step @p2 (= ite!0 @t1) :rule elim-term-ite :fresh (ite!0))
//! (step @p3 (< ite!0 2) :rule elim-term-ite :premises (@p1 @p2))
//! (assume-push @p4 (= ite!0 x))                           ; a case, until the step-pop that discharges it
//! (step @p5 false :rule simplex :premises (@p3 @p4))
//! (step-pop @p6 (not (= ite!0 x)) :rule scope :premises (@p5))
//! …
//! (step @p9 false :rule cases :premises (@p7 @p6 @p8))
//! )
//! ```
//!
//! A step claims that its premises imply its conclusion. A step with `:fresh` is a definition: the named symbols, which are new at this
//! step, have values such that the premises imply the conclusion, whatever the other symbols are. A rule of two words is written with the
//! second as its argument: `:rule trust :args ("z3@5.4.1")` trusts a program, `:rule model-converter :args ("fp-to-bv")` introduces
//! symbols without a kept definition. The last step concludes `false`. Declarations and definitions precede the steps that need them.

use crate::graph::{ProofGraph, ProofStep, StepId, StepKind};
use rustc_hash::{FxHashMap, FxHashSet};
use smtlib::printer::quote_symbol;
use smtlib::term::{HAS_BINDER, HAS_VARIABLE};
use smtlib::{Dialect, Func, FuncBody, FuncId, Printer, Store, TermId};
use std::fmt::Write;

/// Prints the part of a proof that leads to a step. Names for terms are added to the store.
///
/// Invariant: the assertions of the problem are the first steps; an assumption is discharged by at most one step, and the assumptions
/// of one step are discharged in reverse order, as in our own proofs.
pub fn proof_text(store: &mut Store, graph: &ProofGraph, last: StepId) -> String {
    let steps = graph.leading_to([last]);
    let scopes = Scopes::of(graph, &steps);
    let assertions = graph.steps().iter().take_while(|step| step.kind == StepKind::Assumption);
    let mut text = ProofText {
        declared: symbols(store, assertions.filter_map(|step| step.conclusion)),
        shared: Repeated::of(store, graph, &steps),
        names: FxHashMap::default(),
        out: String::from("(\n"),
    };
    // The open scopes, each with its remaining steps and the step that closes it.
    let mut open = vec![(scopes.steps_in(None), None)];
    while let Some((steps, closing)) = open.last_mut() {
        let Some((&id, rest)) = steps.split_first() else {
            if let Some(id) = *closing {
                text.step(store, graph, id, "step-pop");
            }
            open.pop();
            continue;
        };
        *steps = rest;
        let step = &graph.steps()[id.0 as usize];
        match (step.kind, step.discharges.first()) {
            (StepKind::Assumption, _) => text.step(store, graph, id, "assume"),
            (_, Some(&case)) => {
                text.step(store, graph, case, "assume-push");
                open.push((scopes.steps_in(Some(case)), Some(id)));
            }
            _ => text.step(store, graph, id, "step"),
        }
    }
    text.out.push_str(")\n");
    text.out
}

/// The scope of each step.
#[derive(Default)]
struct Scopes {
    discharged: FxHashSet<StepId>,
    steps: FxHashMap<Option<StepId>, Vec<StepId>>,
}

impl Scopes {
    fn of(graph: &ProofGraph, steps: &[StepId]) -> Scopes {
        let mut scopes = Scopes::default();
        let of = |id: &StepId| &graph.steps()[id.0 as usize];
        scopes.discharged = steps.iter().flat_map(|id| of(id).discharges.iter().copied()).collect();
        // The assumptions that each step depends on and that are discharged later, ascending.
        let mut cases: FxHashMap<StepId, Vec<StepId>> = FxHashMap::default();
        for id in steps {
            let step = of(id);
            let mut all: Vec<StepId> = step.premises.iter().filter_map(|p| cases.get(p)).flatten().copied().collect();
            all.retain(|case| !step.discharges.contains(case));
            all.sort_unstable();
            all.dedup();
            if scopes.discharged.contains(id) {
                all.push(*id);
            } else {
                scopes.steps.entry(all.last().copied()).or_default().push(*id);
            }
            if !all.is_empty() {
                cases.insert(*id, all);
            }
        }
        scopes
    }

    fn steps_in(&self, case: Option<StepId>) -> &[StepId] {
        self.steps.get(&case).map_or(&[], Vec::as_slice)
    }
}

/// Terms that occur more than once, and their printed names.
struct Repeated {
    /// The terms that get a name.
    repeated: FxHashSet<TermId>,
    /// The terms in which names replace the named parts.
    images: FxHashMap<TermId, TermId>,
    names: u32,
}

impl Repeated {
    fn of(store: &Store, graph: &ProofGraph, steps: &[StepId]) -> Repeated {
        let mut seen = FxHashSet::default();
        let mut repeated = FxHashSet::default();
        let mut stack: Vec<TermId> = steps.iter().filter_map(|id| graph.steps()[id.0 as usize].conclusion).collect();
        while let Some(t) = stack.pop() {
            if store.args(t).is_empty() {
                continue;
            }
            if seen.insert(t) {
                // Below a binder nothing is named: patterns are not terms that can have names.
                if store.flags(t) & HAS_BINDER == 0 {
                    stack.extend_from_slice(store.args(t));
                }
            } else if store.flags(t) & HAS_VARIABLE == 0 {
                repeated.insert(t);
            }
        }
        Repeated { repeated, images: FxHashMap::default(), names: 0 }
    }
}

struct ProofText {
    /// The symbols that are declared so far.
    declared: FxHashSet<FuncId>,
    shared: Repeated,
    names: FxHashMap<StepId, usize>,
    out: String,
}

impl ProofText {
    fn step(&mut self, store: &mut Store, graph: &ProofGraph, id: StepId, command: &str) {
        let step = &graph.steps()[id.0 as usize];
        let fresh = self.declare(store, step);
        let conclusion = step.conclusion.map_or_else(|| "@unknown".to_string(), |t| self.term(store, t));
        let name = self.names.len() + 1;
        self.names.insert(id, name);
        let _ = write!(self.out, "({command} @p{name} {conclusion}");
        if command.starts_with("step") {
            let (rule, argument) = step.rule.split_once(' ').unwrap_or((&step.rule, ""));
            self.out.push_str(" :rule ");
            quote_symbol(&rule.replace(['|', '\\'], "_"), &mut self.out);
            let premises: Vec<String> =
                step.premises.iter().filter_map(|p| self.names.get(p)).map(|n| format!("@p{n}")).collect();
            if !premises.is_empty() {
                let _ = write!(self.out, " :premises ({})", premises.join(" "));
            }
            if !argument.is_empty() {
                let _ = write!(self.out, " :args (\"{}\")", argument.replace('"', "\"\""));
            }
            if step.kind == StepKind::Definition {
                let _ = write!(self.out, " :fresh ({})", fresh.join(" "));
            }
        }
        self.out.push_str(")\n");
    }

    /// Declares the new symbols of a conclusion, and returns how they are printed.
    fn declare(&mut self, store: &Store, step: &ProofStep) -> Vec<String> {
        let mut new: Vec<FuncId> = symbols(store, step.conclusion).difference(&self.declared).copied().collect();
        new.sort_unstable();
        self.declared.extend(&new);
        let mut names = Vec::with_capacity(new.len());
        for f in new {
            let func = store.func(f);
            let mut name = String::new();
            quote_symbol(store.name(func.name), &mut name);
            let sorts: Vec<String> = func.params.iter().chain([&func.result]).map(|&s| store.sort_text(s)).collect();
            let _ = match &sorts[..] {
                [one] => writeln!(self.out, "(declare-const {name} {one})"),
                many => writeln!(self.out, "(declare-const {name} (-> {}))", many.join(" ")),
            };
            names.push(name);
        }
        names
    }

    /// Prints a term with names for repeated parts, after their definitions.
    fn term(&mut self, store: &mut Store, root: TermId) -> String {
        let dialect = Dialect::default();
        let mut stack = vec![root];
        while let Some(&t) = stack.last() {
            if self.shared.images.contains_key(&t) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            if store.flags(t) & HAS_BINDER == 0 {
                stack.extend(store.args(t).iter().rev().filter(|a| !self.shared.images.contains_key(a)));
            }
            if stack.len() > before {
                continue;
            }
            stack.pop();
            let mut image = t;
            if store.flags(t) & HAS_BINDER == 0 {
                let args: Vec<TermId> =
                    store.args(t).iter().filter_map(|a| self.shared.images.get(a).copied()).collect();
                image = store.with_args(t, &args);
            }
            if self.shared.repeated.contains(&t) {
                self.shared.names += 1;
                let name = format!("@t{}", self.shared.names);
                let _ = write!(self.out, "(define {name} () ");
                Printer::new(store, &dialect).term(image, &mut self.out);
                self.out.push_str(")\n");
                let name = store.symbols.intern(&name);
                let result = store.sort(t);
                let f = store.declare(Func { name, params: [].into(), result, body: FuncBody::Declared });
                image = store.constant_of(f).unwrap_or(image);
            }
            self.shared.images.insert(t, image);
        }
        let mut text = String::new();
        Printer::new(store, &dialect).term(self.shared.images.get(&root).copied().unwrap_or(root), &mut text);
        text
    }
}

/// Lists the declared symbols in some terms, and in the bodies of functions that they call.
fn symbols(store: &Store, roots: impl IntoIterator<Item = TermId>) -> FxHashSet<FuncId> {
    let mut found = FxHashSet::default();
    let mut seen = FxHashSet::default();
    let mut stack: Vec<TermId> = roots.into_iter().collect();
    while let Some(t) = stack.pop() {
        if seen.insert(t) {
            let called = store.op(t).func();
            found.extend(called.filter(|&f| store.func(f).is_declared()));
            stack.extend(called.and_then(|f| store.func(f).definition()).map(|definition| definition.1));
            stack.extend_from_slice(store.args(t));
        }
    }
    found
}
