//! Builds a program: operations are shared, folded if their arguments are constants, and ordered at the end.

use crate::exact::ExactOperators;
use crate::ir::{ExactOperator, Id, IrNode, OpCode, Program, ProgramConstraint};
use crate::layout::Layout;
use crate::types::{Ty, mask};
use crate::word;
use rustc_hash::FxHashMap;
use smtlib::Op;

/// Operations and their sharing, while a program is built.
#[derive(Default)]
pub struct ProgramBuilder {
    nodes: Vec<IrNode>,
    known: FxHashMap<IrNode, Id>,
    operators: Vec<ExactOperator>,
    operator_ids: FxHashMap<ExactOperator, u64>,
    wide_constants: Vec<Box<[u64]>>,
    wide_ids: FxHashMap<Box<[u64]>, u64>,
    layout: Layout,
    exact: ExactOperators,
    /// Whether a constant represents a value that the standard leaves open, or that could not be computed.
    guessed: bool,
}

/// A constraint before the operations are ordered.
#[derive(Clone, Copy, Debug)]
pub struct RootConstraint {
    /// The operation that computes the truth value.
    pub truth: Id,
    /// The operation that computes the distance.
    pub distance: Id,
}

impl ProgramBuilder {
    /// Returns the number of operations.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns an operation.
    pub fn node(&self, id: Id) -> &IrNode {
        &self.nodes[id as usize]
    }

    /// Returns the type of an operation's result.
    pub fn ty(&self, id: Id) -> Ty {
        self.nodes[id as usize].ty
    }

    /// Adds an input slot.
    pub fn input(&mut self, ty: Ty) -> Id {
        let slot = self.layout.add(ty) as u64;
        self.push(IrNode { code: OpCode::Input, ty, args: [0; 4], imm: slot })
    }

    /// Adds a constant of one word.
    pub fn constant(&mut self, ty: Ty, value: u64) -> Id {
        self.push(IrNode { code: OpCode::Const, ty, args: [0; 4], imm: value })
    }

    /// Adds a truth value.
    pub fn truth(&mut self, value: bool) -> Id {
        self.constant(Ty::Bool, u64::from(value))
    }

    /// Adds a constant of any width, lowest word first.
    pub fn words(&mut self, ty: Ty, words: &[u64]) -> Id {
        if !ty.is_wide() {
            return self.constant(ty, words[0]);
        }
        let number = match self.wide_ids.get(words) {
            Some(&number) => number,
            None => {
                let number = self.wide_constants.len() as u64;
                self.wide_constants.push(words.into());
                self.wide_ids.insert(words.into(), number);
                number
            }
        };
        self.push(IrNode { code: OpCode::Const, ty, args: [0; 4], imm: number })
    }

    /// Returns the words of a constant.
    pub fn constant_words(&self, id: Id) -> Option<&[u64]> {
        let node = &self.nodes[id as usize];
        match node.code {
            OpCode::Const if node.ty.is_wide() => Some(&self.wide_constants[node.imm as usize]),
            OpCode::Const => Some(std::slice::from_ref(&node.imm)),
            _ => None,
        }
    }

    /// Returns the word of a constant of one word.
    pub fn constant_word(&self, id: Id) -> Option<u64> {
        let node = &self.nodes[id as usize];
        (node.code == OpCode::Const && !node.ty.is_wide()).then_some(node.imm)
    }

    /// Adds an operation on words.
    pub fn op(&mut self, code: OpCode, ty: Ty, args: &[Id], imm: u64) -> Id {
        debug_assert_eq!(args.len(), code.arity(), "{code:?}");
        let mut node = IrNode { code, ty, args: [0; 4], imm };
        node.args[..args.len()].copy_from_slice(args);
        if let Some(same) = self.simplified(&node) {
            return same;
        }
        self.push(node)
    }

    /// Whether some constant is a guess: then a false constraint refutes nothing.
    pub fn has_guessed(&self) -> bool {
        self.guessed
    }

    /// Records that the next operation has a value that the standard leaves open.
    pub fn guess(&mut self) {
        self.guessed = true;
    }

    /// Adds an SMT-LIB operator with exact semantics.
    pub fn exact(&mut self, op: Op, ty: Ty, args: &[Id]) -> Id {
        let constants: Option<Vec<(Ty, Vec<u64>)>> =
            args.iter().map(|&a| Some((self.ty(a), self.constant_words(a)?.to_vec()))).collect();
        let operator = ExactOperator { op, arity: args.len() };
        if let Some(constants) = constants {
            let args: Vec<(Ty, &[u64])> = constants.iter().map(|(ty, words)| (*ty, &words[..])).collect();
            let mut out = vec![0; ty.words()];
            self.guessed |= !self.exact.apply(&operator, &args, &mut out);
            return self.words(ty, &out);
        }
        let number = match self.operator_ids.get(&operator) {
            Some(&number) => number,
            None => {
                let number = self.operators.len() as u64;
                self.operators.push(operator.clone());
                self.operator_ids.insert(operator, number);
                number
            }
        };
        let mut node = IrNode { code: OpCode::Exact, ty, args: [0; 4], imm: number };
        node.args[..args.len()].copy_from_slice(args);
        self.push(node)
    }

    fn push(&mut self, node: IrNode) -> Id {
        if let Some(&id) = self.known.get(&node) {
            return id;
        }
        let id = self.nodes.len() as Id;
        self.nodes.push(node);
        self.known.insert(node, id);
        id
    }

    /// Returns an existing operation with the value of `node`, or the constant to which it folds.
    fn simplified(&mut self, node: &IrNode) -> Option<Id> {
        use OpCode::*;
        let arity = node.code.arity();
        let [a, b, c, _] = node.args;
        if node.code == Ite {
            return match self.constant_word(a) {
                Some(0) => Some(c),
                Some(_) => Some(b),
                None if b == c || self.is_encoding(a, b, c) => Some(c),
                None => None,
            };
        }
        let words: Option<Vec<u64>> = node.args[..arity].iter().map(|&a| self.constant_word(a)).collect();
        if let Some(words) = words {
            let at = |n: usize| words.get(n).copied().unwrap_or(0);
            let value = word::apply(node, at(0), at(1), at(2));
            return Some(self.constant(node.ty, value));
        }
        let (x, y) = (self.constant_word(a), if arity > 1 { self.constant_word(b) } else { None });
        let ones = mask(node.ty.width());
        match node.code {
            Not => {
                let inner = self.node(a);
                (inner.code == Not).then_some(inner.args[0])
            }
            And if a == b || y == Some(ones) => Some(a),
            And if x == Some(ones) => Some(b),
            And if x == Some(0) || y == Some(0) => Some(self.constant(node.ty, 0)),
            Or if a == b || y == Some(0) => Some(a),
            Or if x == Some(0) => Some(b),
            Or if x == Some(ones) || y == Some(ones) => Some(self.constant(node.ty, ones)),
            Xor if y == Some(0) => Some(a),
            Xor if x == Some(0) => Some(b),
            Xor if a == b => Some(self.constant(node.ty, 0)),
            Eq if a == b => Some(self.truth(true)),
            FSame if a == b => Some(self.truth(true)),
            Add if y == Some(0) => Some(a),
            Add if x == Some(0) => Some(b),
            Sub | Shl | Lshr | Ashr if y == Some(0) => Some(a),
            Min if a == b => Some(a),
            Saturate if y == Some(0) => Some(a),
            Saturate if x == Some(0) => Some(b),
            FFromBits if self.node(a).code == FToBits => Some(self.node(a).args[0]),
            Extract if node.imm == 0 && self.ty(a).width() == node.ty.width() => Some(a),
            Same if self.ty(a) == node.ty => Some(a),
            _ => None,
        }
    }

    /// Whether `(ite a b c)` is the pattern of a float with NaN's canonical pattern written explicitly, which `c` implies.
    fn is_encoding(&self, a: Id, b: Id, c: Id) -> bool {
        let (test, pattern) = (self.node(a), self.node(c));
        let is_pair = test.code == OpCode::FIsNan && pattern.code == OpCode::FToBits && test.args[0] == pattern.args[0];
        is_pair && self.constant_word(b) == Some(word::nan(test.imm as u32))
    }

    /// Orders the operations, without unneeded ones, and returns the program.
    ///
    /// Truth values come first, each constraint's after those it shares with earlier constraints; then the operations of distances, each
    /// constraint's separately.
    pub fn finish(self, roots: &[RootConstraint], observed: &[Id]) -> Program {
        let mut order = OperationOrder { nodes: &self.nodes, operators: &self.operators, out: Vec::new() };
        let mut place: FxHashMap<Id, Id> = FxHashMap::default();
        let ends: Vec<(Id, Id)> = roots
            .iter()
            .map(|root| {
                let truth = order.emit(root.truth, &mut place);
                (truth, order.out.len() as Id)
            })
            .collect();
        let hot = order.out.len() as Id;
        // Distances may use any operation of a truth value that is computed by then.
        let mut constraints = Vec::with_capacity(roots.len());
        for (root, &(truth, end)) in roots.iter().zip(&ends) {
            let cold_start = order.out.len() as Id;
            let mut own = Vec::new();
            let distance = order.emit_cold(root.distance, &mut place, end, cold_start, &mut own);
            constraints.push(ProgramConstraint { truth, end, distance, cold_start, cold_end: order.out.len() as Id });
            for (id, shadowed) in own {
                match shadowed {
                    Some(hot) => place.insert(id, hot),
                    None => place.remove(&id),
                };
            }
        }
        let observed_start = order.out.len() as Id;
        let observed =
            observed.iter().map(|&id| order.emit_cold(id, &mut place, hot, observed_start, &mut Vec::new())).collect();
        let nodes = order.out;
        Program {
            nodes,
            hot,
            constraints,
            observed_start,
            observed,
            operators: self.operators,
            wide_constants: self.wide_constants,
            layout: self.layout,
        }
    }
}

/// The walk that orders operations.
struct OperationOrder<'b> {
    nodes: &'b [IrNode],
    operators: &'b [ExactOperator],
    out: Vec<IrNode>,
}

impl OperationOrder<'_> {
    fn arity(&self, node: &IrNode) -> usize {
        match node.code {
            OpCode::Exact => self.operators[node.imm as usize].arity,
            code => code.arity(),
        }
    }

    fn emit(&mut self, root: Id, place: &mut FxHashMap<Id, Id>) -> Id {
        self.emit_cold(root, place, Id::MAX, 0, &mut Vec::new())
    }

    /// Emits what `root` needs and has no place yet below `visible` or from `start` on. `own` gets what was emitted, with its previous
    /// place.
    fn emit_cold(
        &mut self,
        root: Id,
        place: &mut FxHashMap<Id, Id>,
        visible: Id,
        start: Id,
        own: &mut Vec<(Id, Option<Id>)>,
    ) -> Id {
        let is_there =
            |place: &FxHashMap<Id, Id>, id: Id| place.get(&id).filter(|&&p| p < visible || p >= start).copied();
        let mut stack = vec![(root, false)];
        while let Some((id, ready)) = stack.pop() {
            if is_there(place, id).is_some() {
                continue;
            }
            let mut node = self.nodes[id as usize];
            let arity = self.arity(&node);
            if !ready {
                stack.push((id, true));
                stack.extend(node.args[..arity].iter().rev().map(|&a| (a, false)));
                continue;
            }
            for a in &mut node.args[..arity] {
                *a = place.get(a).copied().unwrap_or(0);
            }
            own.push((id, place.insert(id, self.out.len() as Id)));
            self.out.push(node);
        }
        place.get(&root).copied().unwrap_or(0)
    }
}
