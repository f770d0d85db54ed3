//! Proofs as solvers print them, read into graphs of claims in the signature of the problem.

mod alethe;
mod cpc;
mod cpc_terms;
mod terms;
mod z3;

use crate::graph::{ProofGraph, ProofStep, StepId, StepKind};
use crate::limits::JudgeLimits;
use crate::rules::ProofFormat;
use crate::verdict::{FaultKind, ProofFault};
pub use cpc::trusted;
use rustc_hash::{FxHashMap, FxHashSet};
use smtlib::error::position;
use smtlib::sexpr::{SexprNode, Sexprs, bare};
use smtlib::{Command, FuncBody, FuncId, Instance, Scope, Script, SortId, Store, TermId};
use std::ops::Range;
use std::rc::Rc;
use terms::ProofMeaning;

/// The rules of assumptions that later steps discharge.
const LOCAL: [&str; 3] = ["assume-push", "local assume", "hypothesis"];

/// The maximum number of entries of all assumption sets together.
const MAX_RESTED: usize = 1 << 24;

/// Why a text is not a readable proof.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ProofReadError {
    /// The problem has an error.
    #[error("the problem, line {line}, column {column}: {message}; repair the problem first")]
    Problem {
        /// From 1.
        line: usize,
        /// From 1.
        column: usize,
        /// The parser's message.
        message: String,
    },
    /// The problem has no check that a proof could be of.
    #[error("the problem has no (check-sat), so there is nothing to prove; add one")]
    NoCheck,
    /// The text holds no proof.
    #[error("the text holds no proof: expected (step …), (assume …) or (proof …), as (get-proof) prints them")]
    NoProof,
    /// A parenthesis, quote or bar is not closed.
    #[error("line {line}, column {column}: the proof is truncated or has an extra parenthesis; print it again in full")]
    Broken {
        /// From 1.
        line: usize,
        /// From 1.
        column: usize,
    },
    /// The text, its steps or its terms exceed the bound.
    #[error("the proof has more than {bound} {what}; raise the bound")]
    TooLarge {
        /// What there are too many of.
        what: &'static str,
        /// The bound.
        bound: usize,
    },
}

/// The reader's data about a step, besides the graph.
#[derive(Clone, Default, Debug)]
pub(crate) struct StepNote {
    /// Its bytes in the proof.
    pub span: Range<usize>,
    /// Why its claim is not judged: it is not understood, or is under a substitution.
    pub unread: Option<Rc<str>>,
    /// The undischarged assumptions that it depends on, ascending.
    pub rests_on: Rc<[StepId]>,
}

/// A proof that was read.
pub(crate) struct ReadProof {
    pub format: ProofFormat,
    pub graph: ProofGraph,
    pub notes: Vec<StepNote>,
    pub faults: Vec<ProofFault>,
    /// The solver's own constants, which no step defines.
    pub skolems: FxHashSet<FuncId>,
    pub instance: Instance,
}

/// A reader of a proof's text.
pub(crate) struct ProofReader<'a> {
    store: &'a mut Store,
    scope: Scope,
    text: &'a str,
    sexprs: &'a Sexprs<'a>,
    limits: &'a JudgeLimits,
    format: ProofFormat,
    /// The meanings of names that the proof binds, the innermost binding last.
    names: FxHashMap<&'a str, Vec<ProofMeaning>>,
    /// The meanings of names in the problem and the theories.
    atoms: FxHashMap<&'a str, ProofMeaning>,
    /// The symbols of the problem.
    declared: FxHashSet<Box<str>>,
    steps: FxHashMap<&'a str, StepId>,
    /// How often variables with this name are bound.
    bound: FxHashMap<smtlib::Symbol, u32>,
    /// The variables that the proof introduces without a binder, by name: one per sort.
    variables: FxHashMap<smtlib::Symbol, Vec<(SortId, smtlib::Symbol)>>,
    skolem_terms: FxHashMap<String, TermId>,
    /// The total size of the assumption sets of all steps.
    rested: usize,
    proof: ReadProof,
}

/// Reads a proof of the last check of a problem.
/// Errors: see [`ProofReadError`].
pub(crate) fn read(
    store: &mut Store,
    problem: &str,
    text: &str,
    limits: &JudgeLimits,
) -> Result<ReadProof, ProofReadError> {
    for source in [problem, text] {
        if source.len() > limits.bytes {
            return Err(ProofReadError::TooLarge { what: "bytes", bound: limits.bytes });
        }
    }
    let parsed = smtlib::parse(store, problem);
    if let Some(error) = parsed.errors.first() {
        let (line, column) = error.position(problem);
        return Err(ProofReadError::Problem { line, column, message: error.to_string() });
    }
    let checks = parsed.script.check_count();
    let instance =
        checks.checked_sub(1).and_then(|last| parsed.script.instance(last)).ok_or(ProofReadError::NoCheck)?;
    let mut scope = Scope::new(store);
    let declarations = store.script_text(&Script { commands: instance.declarations.clone() });
    smtlib::parse_commands(store, &mut scope, &declarations);
    smtlib::parse_commands(store, &mut scope, terms::PRELUDE);
    let sexprs = Sexprs::read(text);
    let format = format_of(&sexprs).ok_or(ProofReadError::NoProof)?;
    if !sexprs.is_whole() {
        let (line, column) = position(text, broken_at(text));
        return Err(ProofReadError::Broken { line, column });
    }
    let declared = declared_names(store, &instance);
    let proof = ReadProof {
        format,
        graph: ProofGraph::default(),
        notes: Vec::new(),
        faults: Vec::new(),
        skolems: FxHashSet::default(),
        instance,
    };
    let mut reader = ProofReader {
        store,
        scope,
        text,
        sexprs: &sexprs,
        limits,
        format,
        names: FxHashMap::default(),
        atoms: FxHashMap::default(),
        declared,
        steps: FxHashMap::default(),
        bound: FxHashMap::default(),
        variables: FxHashMap::default(),
        skolem_terms: FxHashMap::default(),
        rested: 0,
        proof,
    };
    let commands = commands(&sexprs);
    match format {
        ProofFormat::Cpc => reader.cpc(&commands)?,
        ProofFormat::Alethe => reader.alethe(&commands)?,
        ProofFormat::Z3 => reader.z3(&commands)?,
    }
    reader.check_end();
    Ok(reader.proof)
}

/// Returns the lists of a proof: those at the top level, or those in the one list around them.
fn commands(sexprs: &Sexprs<'_>) -> Vec<SexprNode> {
    let mut found = Vec::new();
    for top in sexprs.top().filter(|&n| sexprs.is_list(n)) {
        match sexprs.children(top).next() {
            Some(first) if sexprs.is_list(first) => {
                found.extend(sexprs.children(top).filter(|&n| sexprs.is_list(n)));
            }
            _ => found.push(top),
        }
    }
    found
}

fn format_of(sexprs: &Sexprs<'_>) -> Option<ProofFormat> {
    let mut found = None;
    for command in commands(sexprs) {
        let mut children = sexprs.children(command).take(3);
        let word = children.next().map_or("", |n| sexprs.text(n));
        match word {
            "proof" => return Some(ProofFormat::Z3),
            "anchor" => return Some(ProofFormat::Alethe),
            "step" if children.nth(1).is_some_and(|n| sexprs.headed(n, "cl").is_some()) => {
                return Some(ProofFormat::Alethe);
            }
            "step" | "assume" | "step-pop" | "assume-push" => found = Some(ProofFormat::Cpc),
            _ => {}
        }
    }
    found
}

/// Finds the first stray or unclosed parenthesis of a text.
fn broken_at(text: &str) -> usize {
    use smtlib::sexpr::{ItemKind, items};
    let wrong = items(text).find(|item| matches!(item.kind, ItemKind::Stray | ItemKind::Cut));
    wrong.map_or(text.len(), |item| item.span.start)
}

fn declared_names(store: &Store, instance: &Instance) -> FxHashSet<Box<str>> {
    let mut names = FxHashSet::default();
    for command in &instance.declarations {
        let funcs: &[FuncId] = match command {
            Command::DeclareFun(f) | Command::DefineFun(f) => std::slice::from_ref(f),
            Command::DefineFunsRec(funcs) => funcs,
            _ => &[],
        };
        names.extend(funcs.iter().map(|&f| store.name(store.func(f).name).into()));
    }
    names
}

/// Steps and faults.
impl<'a> ProofReader<'a> {
    /// Adds the step at a node.
    fn add(&mut self, step: ProofStep, at: SexprNode, unread: Option<Rc<str>>) -> Result<StepId, ProofReadError> {
        if self.proof.notes.len() >= self.limits.steps {
            return Err(ProofReadError::TooLarge { what: "steps", bound: self.limits.steps });
        }
        let rests_on = self.rests_on(&step);
        let is_local = step.kind == StepKind::Assumption && LOCAL.contains(&&*step.rule);
        let id = self.proof.graph.push(step);
        let rests_on = if is_local { [id].into() } else { rests_on };
        self.proof.notes.push(StepNote { span: self.sexprs.span(at), unread, rests_on });
        Ok(id)
    }

    /// Returns the assumptions that a step's premises depend on, without those that it discharges.
    fn rests_on(&mut self, step: &ProofStep) -> Rc<[StepId]> {
        let note = |id: &StepId| &self.proof.notes[id.0 as usize].rests_on;
        let largest = step.premises.iter().map(note).max_by_key(|set| set.len()).cloned().unwrap_or_default();
        let is_enough = step.discharges.is_empty()
            && step
                .premises
                .iter()
                .map(note)
                .all(|set| Rc::ptr_eq(set, &largest) || set.iter().all(|id| largest.binary_search(id).is_ok()));
        if is_enough {
            return largest;
        }
        let mut all: Vec<StepId> = step.premises.iter().flat_map(|id| note(id).iter().copied()).collect();
        all.sort_unstable();
        all.dedup();
        all.retain(|id| !step.discharges.contains(id));
        // Sets that grow with each step would take quadratic space. Without them only some faults are missed.
        self.rested += all.len();
        if self.rested > MAX_RESTED { Rc::default() } else { all.into() }
    }

    /// Records a fault of the proof as a whole.
    fn fault(&mut self, kind: FaultKind, at: SexprNode, message: String) {
        let offset = self.sexprs.span(at).start;
        self.fault_at(kind, offset, message);
    }

    fn fault_at(&mut self, kind: FaultKind, offset: usize, message: String) {
        // A hundred faults are enough to show that a text is not a proof of this problem.
        if self.proof.faults.len() < 100 {
            let (line, column) = position(self.text, offset);
            self.proof.faults.push(ProofFault { kind, line, column, message });
        }
    }

    /// Returns the steps that a list of names refers to; an unknown name is a fault.
    fn premises(&mut self, list: Option<SexprNode>) -> (Vec<StepId>, bool) {
        let mut found = Vec::new();
        let mut is_complete = true;
        for node in list.map(|n| self.sexprs.children(n)).into_iter().flatten() {
            match self.steps.get(bare(self.sexprs.text(node))) {
                Some(&id) => found.push(id),
                None => {
                    is_complete = false;
                    let message = format!("no earlier step is called `{}`", shorten(self.sexprs.text(node)));
                    self.fault(FaultKind::MissingPremise, node, message);
                }
            }
        }
        (found, is_complete)
    }

    /// Returns the value of a command's keyword.
    fn attribute(&self, parts: &[SexprNode], keyword: &str) -> Option<SexprNode> {
        let at = parts.iter().position(|&n| self.sexprs.text(n) == keyword)?;
        parts.get(at + 1).copied()
    }

    /// Reads a conclusion as a term, or returns why there is none.
    fn conclusion(&self, meaning: ProofMeaning) -> (Option<TermId>, Option<Rc<str>>) {
        match meaning {
            ProofMeaning::Term(t) if self.store.is_bool(t) => (Some(t), None),
            ProofMeaning::Unread(why) => (None, Some(why)),
            _ => (None, Some("its conclusion is not a formula".into())),
        }
    }

    /// Checks the last step, which must conclude `false` from the assertions alone.
    fn check_end(&mut self) {
        let last = self.proof.graph.steps().iter().rposition(|s| s.kind != StepKind::Assumption);
        let Some(last) = last.or(self.proof.graph.steps().len().checked_sub(1)) else { return };
        let offset = self.proof.notes[last].span.start;
        let step = &self.proof.graph.steps()[last];
        match step.conclusion {
            None => {}
            Some(t) if t == self.store.bool(false) => {
                if let Some(open) = self.proof.notes[last].rests_on.first() {
                    let name = shorten(&self.proof.graph.steps()[open.0 as usize].name).to_string();
                    let message = format!("`false` depends on the assumption `{name}`, which no step discharges");
                    self.fault_at(FaultKind::Undischarged, offset, message);
                }
            }
            Some(t) => {
                let message = format!("the last step concludes {} instead of false", cut(&self.store.term_text(t)));
                self.fault_at(FaultKind::NoContradiction, offset, message);
            }
        }
    }

    /// Whether a name is one of the problem's.
    fn is_declared(&self, name: &str) -> bool {
        self.declared.contains(smtlib::sexpr::bare(name))
    }

    /// Makes a constant for one of the solver's own terms.
    fn skolem(&mut self, key: String, sort: smtlib::SortId) -> Option<TermId> {
        if let Some(&known) = self.skolem_terms.get(&key) {
            return (self.store.sort(known) == sort).then_some(known);
        }
        let name = format!("skolem!{}", self.skolem_terms.len());
        let taken: FxHashSet<smtlib::Symbol> = self.store.function_names().collect();
        let name = self.store.fresh_symbol(&name, |s| taken.contains(&s));
        let func = smtlib::Func { name, params: [].into(), result: sort, body: FuncBody::Declared };
        let f = self.store.declare(func);
        self.proof.skolems.insert(f);
        let term = self.store.constant_of(f).ok()?;
        self.skolem_terms.insert(key, term);
        Some(term)
    }
}

/// At most 60 characters of a name.
fn shorten(text: &str) -> &str {
    text.char_indices().nth(60).map_or(text, |(end, _)| &text[..end])
}

/// At most 200 characters of a term.
pub(crate) fn cut(text: &str) -> String {
    match text.char_indices().nth(200) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_string(),
    }
}
