//! Congruence closure with explanations (Nieuwenhuis and Oliveras, "Proof-producing congruence closure", RTA 2005): equality
//! of terms over uninterpreted sorts.

use rustc_hash::{FxHashMap, FxHashSet};
use semantics::{FunctionTable, Model, Value};
use smtlib::{FuncId, SortId, Store, TermId};

/// The caller's number for a literal.
pub type LiteralNumber = usize;

/// Why two nodes became equal.
#[derive(Clone, Copy)]
enum EqualityReason {
    /// A literal.
    Given(LiteralNumber),
    /// The nodes are applications of one function to equal arguments.
    Congruence,
}

struct CongruenceNode {
    function: Option<FuncId>,
    args: Vec<usize>,
    sort: SortId,
    /// The term, except for the two truth values.
    term: Option<TermId>,
}

/// Equalities and disequalities under congruence.
///
/// Invariant: the proof forest has an edge for every merge, so that two nodes of one class are in one tree.
pub struct Congruence {
    nodes: Vec<CongruenceNode>,
    of_term: FxHashMap<TermId, usize>,
    /// The representative of every node's class; kept flat by relabelling the smaller class.
    class: Vec<usize>,
    members: Vec<Vec<usize>>,
    /// Applications with a node of the class as an argument.
    parents: Vec<Vec<usize>>,
    signatures: FxHashMap<(FuncId, Vec<usize>), usize>,
    /// The edge to the parent in the proof forest.
    proof: Vec<Option<(usize, EqualityReason)>>,
    pending: Vec<(usize, usize, EqualityReason)>,
    distinct: Vec<(usize, usize, Option<LiteralNumber>)>,
}

/// The node of true and that of false.
const TRUE: usize = 0;
const FALSE: usize = 1;

impl Default for Congruence {
    fn default() -> Congruence {
        let mut closure = Congruence {
            nodes: Vec::new(),
            of_term: FxHashMap::default(),
            class: Vec::new(),
            members: Vec::new(),
            parents: Vec::new(),
            signatures: FxHashMap::default(),
            proof: Vec::new(),
            pending: Vec::new(),
            distinct: Vec::new(),
        };
        for _ in [TRUE, FALSE] {
            closure.node(CongruenceNode { function: None, args: Vec::new(), sort: SortId::BOOL, term: None });
        }
        closure.distinct.push((TRUE, FALSE, None));
        closure
    }
}

impl Congruence {
    fn node(&mut self, node: CongruenceNode) -> usize {
        let id = self.nodes.len();
        self.nodes.push(node);
        self.class.push(id);
        self.members.push(vec![id]);
        self.parents.push(Vec::new());
        self.proof.push(None);
        id
    }

    /// Returns the node of a term made of function symbols.
    fn add(&mut self, store: &Store, root: TermId) -> usize {
        let mut stack = vec![root];
        while let Some(&t) = stack.last() {
            if self.of_term.contains_key(&t) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            stack.extend(store.args(t).iter().filter(|a| !self.of_term.contains_key(a)));
            if stack.len() > before {
                continue;
            }
            let args: Vec<usize> = store.args(t).iter().map(|a| self.of_term[a]).collect();
            let function = store.applied(t).filter(|_| !args.is_empty());
            let id = self.node(CongruenceNode { function, args, sort: store.sort(t), term: Some(t) });
            self.of_term.insert(t, id);
            for n in 0..self.nodes[id].args.len() {
                let class = self.class[self.nodes[id].args[n]];
                self.parents[class].push(id);
            }
            self.sign(id);
        }
        self.of_term[&root]
    }

    /// Enters an application by its function and the classes of its arguments, or finds an equal one.
    fn sign(&mut self, id: usize) {
        let node = &self.nodes[id];
        let Some(function) = node.function else { return };
        let classes: Vec<usize> = node.args.iter().map(|&a| self.class[a]).collect();
        match self.signatures.get(&(function, classes.clone())) {
            Some(&other) => self.pending.push((id, other, EqualityReason::Congruence)),
            None => {
                self.signatures.insert((function, classes), id);
            }
        }
    }

    /// Asserts that two terms are equal, or not.
    pub fn relate(&mut self, store: &Store, a: TermId, b: TermId, equal: bool, reason: LiteralNumber) {
        let (a, b) = (self.add(store, a), self.add(store, b));
        match equal {
            true => self.pending.push((a, b, EqualityReason::Given(reason))),
            false => self.distinct.push((a, b, Some(reason))),
        }
    }

    /// Asserts that a predicate's application holds, or not.
    pub fn hold(&mut self, store: &Store, atom: TermId, truth: bool, reason: LiteralNumber) {
        let node = self.add(store, atom);
        self.pending.push((node, if truth { TRUE } else { FALSE }, EqualityReason::Given(reason)));
    }

    /// Closes the equalities under congruence.
    /// Errors: the literals of a contradiction.
    pub fn close(&mut self) -> Result<(), Vec<LiteralNumber>> {
        while let Some((a, b, cause)) = self.pending.pop() {
            if self.class[a] != self.class[b] {
                self.merge(a, b, cause);
            }
        }
        for &(a, b, reason) in &self.distinct {
            if self.class[a] == self.class[b] {
                let mut reasons = self.explain(a, b);
                reasons.extend(reason);
                reasons.sort_unstable();
                reasons.dedup();
                return Err(reasons);
            }
        }
        Ok(())
    }

    fn merge(&mut self, a: usize, b: usize, cause: EqualityReason) {
        let (small, large, from, to) = {
            let (x, y) = (self.class[a], self.class[b]);
            if self.members[x].len() <= self.members[y].len() { (x, y, a, b) } else { (y, x, b, a) }
        };
        // The tree of the smaller class is re-rooted at the merged node.
        let (mut at, mut edge) = (from, Some((to, cause)));
        loop {
            let next = std::mem::replace(&mut self.proof[at], edge);
            let Some((parent, cause)) = next else { break };
            edge = Some((at, cause));
            at = parent;
        }
        let members = std::mem::take(&mut self.members[small]);
        for &m in &members {
            self.class[m] = large;
        }
        self.members[large].extend(members);
        let parents = std::mem::take(&mut self.parents[small]);
        for &id in &parents {
            self.sign(id);
        }
        self.parents[large].extend(parents);
    }

    /// Returns the literals by which two nodes of one class are equal.
    fn explain(&self, a: usize, b: usize) -> Vec<LiteralNumber> {
        let mut reasons = Vec::new();
        let mut explained = FxHashSet::default();
        let mut pairs = vec![(a, b)];
        while let Some((a, b)) = pairs.pop() {
            if a == b || !explained.insert((a.min(b), a.max(b))) {
                continue;
            }
            let up: FxHashSet<usize> = self.path(a).collect();
            let meeting = self.path(b).find(|n| up.contains(n));
            for start in [a, b] {
                let mut at = start;
                while Some(at) != meeting
                    && let Some((parent, cause)) = self.proof[at]
                {
                    match cause {
                        EqualityReason::Given(reason) => reasons.push(reason),
                        EqualityReason::Congruence => {
                            let (x, y) = (&self.nodes[at].args, &self.nodes[parent].args);
                            pairs.extend(x.iter().copied().zip(y.iter().copied()));
                        }
                    }
                    at = parent;
                }
            }
        }
        reasons
    }

    /// Returns a node and its ancestors in the proof forest.
    fn path(&self, node: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(node), |&n| self.proof[n].map(|(parent, _)| parent))
    }

    /// Adds the classes to a model: one element for each class, and each function by its graph, with arbitrary values elsewhere.
    pub fn assign(&self, store: &Store, model: &mut Model) {
        let mut elements: FxHashMap<usize, Value> = FxHashMap::default();
        let mut counts: FxHashMap<SortId, u32> = FxHashMap::default();
        elements.insert(self.class[TRUE], Value::Bool(true));
        elements.insert(self.class[FALSE], Value::Bool(false));
        for (id, node) in self.nodes.iter().enumerate() {
            if node.sort == SortId::BOOL {
                // An atom that is neither true nor false does not occur: each was asserted.
                elements.entry(self.class[id]).or_insert(Value::Bool(false));
                continue;
            }
            elements.entry(self.class[id]).or_insert_with(|| {
                let count = counts.entry(node.sort).or_insert(0);
                *count += 1;
                Value::Element { sort: node.sort, index: *count - 1 }
            });
        }
        for (&sort, &count) in &counts {
            model.set_universe(sort, count);
        }
        let mut tables: FxHashMap<FuncId, FunctionTable> = FxHashMap::default();
        for (id, node) in self.nodes.iter().enumerate() {
            let value = elements[&self.class[id]].clone();
            match (node.function, node.term.and_then(|t| store.applied(t))) {
                (Some(f), _) => {
                    let args = node.args.iter().map(|&a| elements[&self.class[a]].clone()).collect();
                    let table = tables.entry(f).or_insert_with(|| FunctionTable::new(Some(value.clone())));
                    table.insert(args, value);
                }
                (None, Some(f)) => {
                    let assigned = model.assign(store, f, value);
                    debug_assert!(assigned.is_ok(), "elements are made at the symbol's sort");
                }
                (None, None) => {}
            }
        }
        for (f, table) in tables {
            let assigned = model.assign_table(store, f, table);
            debug_assert!(assigned.is_ok(), "rows are made at the function's rank");
        }
    }
}
