//! From assertions to code.

use super::values::{UNKNOWN, ValueNumbers};
use super::{Instruction, Loop, LoopId, MemoOperator, QuickProgram, Register};
use crate::domain::Domains;
use crate::eval::Evaluator;
use crate::exhaust::answer::ExhaustLimits;
use crate::exhaust::world::World;
use crate::value::Value;
use rustc_hash::FxHashMap;
use smtlib::free_vars::FreeVars;
use smtlib::{FuncBody, FuncId, Kind, Store, Symbol, TermId};

/// Terms deeper than this are left to the plain search, so that recursion over them is safe.
const MAX_DEPTH: u32 = 256;

/// How deep definitions may nest.
const MAX_SCOPES: usize = 256;

/// The maximum number of instructions.
const MAX_STEPS: usize = 1 << 14;

/// A name bound by a quantifier or a definition, and the scope around it.
struct BoundName {
    parent: Option<usize>,
    name: Symbol,
    register: Register,
    /// The loop that fixes it.
    at: LoopId,
}

pub(super) struct Compiler<'s> {
    store: &'s Store,
    limits: &'s ExhaustLimits,
    pub(super) evaluator: Evaluator,
    pub(super) values: ValueNumbers,
    program: QuickProgram,
    /// The loop around each loop.
    parents: Vec<LoopId>,
    depth: Vec<usize>,
    scopes: Vec<BoundName>,
    constants: FxHashMap<FuncId, (Register, LoopId)>,
    done: FxHashMap<(TermId, Option<usize>), (Register, LoopId)>,
    operators: FxHashMap<MemoOperator, usize>,
    free: FreeVars,
    steps: usize,
}

impl<'s> Compiler<'s> {
    /// Makes a compiler of a world's assertions; the evaluator's model fixes the universes.
    pub(super) fn new(store: &'s Store, limits: &'s ExhaustLimits, evaluator: Evaluator) -> Compiler<'s> {
        Compiler {
            store,
            limits,
            evaluator,
            values: ValueNumbers::new(),
            program: QuickProgram {
                loops: vec![Loop::default()],
                constants: Vec::new(),
                registers: Vec::new(),
                operators: Vec::new(),
            },
            parents: vec![0],
            depth: vec![0],
            scopes: Vec::new(),
            constants: FxHashMap::default(),
            done: FxHashMap::default(),
            operators: FxHashMap::default(),
            free: FreeVars::default(),
            steps: 0,
        }
    }

    /// Compiles a world; `None` if it exceeds the bounds of the quick search.
    pub(super) fn world(&mut self, world: &World) -> Option<()> {
        if world.assertions.iter().any(|&t| self.store.depth(t) > MAX_DEPTH) {
            return None;
        }
        let mut around = 0;
        for (f, values) in &world.constants {
            let model = self.evaluator.model().clone();
            let domains = Domains { store: self.store, model: &model };
            let list = values.list(&domains, self.limits)?;
            let numbers: Vec<u32> = list.iter().map(|v| self.values.number(v.clone())).collect();
            around = self.new_loop(around, numbers);
            self.constants.insert(*f, (self.program.loops[around].variable, around));
            self.program.constants.push(around);
        }
        for &assertion in &world.assertions {
            let (register, at) = self.term(assertion, None)?;
            self.program.loops[at].checks.push(register);
        }
        Some(())
    }

    pub(super) fn finish(self) -> (QuickProgram, ValueNumbers, Evaluator) {
        (self.program, self.values, self.evaluator)
    }

    fn new_loop(&mut self, around: LoopId, values: Vec<u32>) -> LoopId {
        let variable = self.register(UNKNOWN);
        self.program.loops.push(Loop { variable, values, ..Loop::default() });
        self.parents.push(around);
        self.depth.push(self.depth[around] + 1);
        self.program.loops.len() - 1
    }

    fn register(&mut self, number: u32) -> Register {
        self.program.registers.push(number);
        self.program.registers.len() as Register - 1
    }

    /// Returns the innermost scope that binds a variable free in `t`, seen from `scope`.
    fn innermost(&mut self, t: TermId, mut scope: Option<usize>) -> Option<usize> {
        scope?;
        let free = self.free.of(self.store, t);
        while let Some(at) = scope {
            if free.contains(&self.scopes[at].name) {
                return Some(at);
            }
            scope = self.scopes[at].parent;
        }
        None
    }

    /// Returns the register of a term's value, and the loop whose code writes it.
    fn term(&mut self, t: TermId, scope: Option<usize>) -> Option<(Register, LoopId)> {
        let scope = self.innermost(t, scope);
        if let Some(&known) = self.done.get(&(t, scope)) {
            return Some(known);
        }
        let made = self.make(t, scope)?;
        self.done.insert((t, scope), made);
        Some(made)
    }

    fn make(&mut self, t: TermId, scope: Option<usize>) -> Option<(Register, LoopId)> {
        let (kind, args) = (self.store.kind(t), self.store.args(t));
        match kind {
            Kind::Variable => {
                // The innermost scope of a variable is its own.
                let bound = &self.scopes[scope?];
                return Some((bound.register, bound.at));
            }
            Kind::Forall | Kind::Exists => return self.quantifier(t, scope),
            Kind::Apply => {
                let f = self.store.applied(t)?;
                if let Some(&constant) = self.constants.get(&f) {
                    return Some(constant);
                }
                return match &self.store.func(f).body {
                    FuncBody::Defined { vars, body } => self.definition(args, vars, *body, scope),
                    // Tables and recursion are left to the plain search.
                    _ => self.unknown(),
                };
            }
            Kind::Match | Kind::Lambda | Kind::AsArray | Kind::FuncValue => return self.unknown(),
            _ if args.is_empty() => {
                let number = self.evaluator.eval(self.store, t).map_or(UNKNOWN, |value| self.values.number(value));
                return Some((self.register(number), 0));
            }
            _ => {}
        }
        let mut registers = Vec::with_capacity(args.len());
        let mut at = 0;
        for &a in args {
            let (register, loop_) = self.term(a, scope)?;
            registers.push(register);
            if self.depth[loop_] > self.depth[at] {
                at = loop_;
            }
        }
        let out = self.register(UNKNOWN);
        let step = match (kind, &registers[..]) {
            (Kind::Not, &[a]) => Instruction::Not(out, a),
            (Kind::And, _) => Instruction::And(out, registers.into()),
            (Kind::Or, _) => Instruction::Or(out, registers.into()),
            (Kind::Ite, &[c, a, b]) => Instruction::Ite(out, [c, a, b]),
            (Kind::Implies, _) => {
                // `(=> a b c)` is `(or (not a) (not b) c)`.
                let last = registers.len() - 1;
                for register in registers.iter_mut().take(last) {
                    let negated = self.register(UNKNOWN);
                    self.emit(at, Instruction::Not(negated, *register))?;
                    *register = negated;
                }
                Instruction::Or(out, registers.into())
            }
            (Kind::Eq, _) => {
                let operator = self.operator(t);
                Instruction::Equal(out, registers.into(), operator)
            }
            (_, &[a]) => Instruction::Unary(out, self.operator(t), a),
            (_, &[a, b]) => Instruction::Binary(out, self.operator(t), [a, b]),
            (_, many) => Instruction::Many(out, self.operator(t), many.into()),
        };
        self.emit(at, step)?;
        Some((out, at))
    }

    /// Returns a register that nothing writes.
    fn unknown(&mut self) -> Option<(Register, LoopId)> {
        Some((self.register(UNKNOWN), 0))
    }

    fn emit(&mut self, at: LoopId, step: Instruction) -> Option<()> {
        self.steps += 1;
        self.program.loops[at].code.push(step);
        (self.steps <= MAX_STEPS).then_some(())
    }

    fn operator(&mut self, t: TermId) -> usize {
        let operator = MemoOperator { op: self.store.op(t), sort: self.store.sort(t) };
        let operators = &mut self.program.operators;
        *self.operators.entry(operator).or_insert_with(|| {
            operators.push(operator);
            operators.len() - 1
        })
    }

    fn quantifier(&mut self, t: TermId, scope: Option<usize>) -> Option<(Register, LoopId)> {
        let exists = self.store.kind(t) == Kind::Exists;
        let (binder, &body) = (self.store.op(t).binder()?, self.store.args(t).first()?);
        let variables = &self.store.binder(binder).vars;
        let Some(ranges) = self.evaluator.ranges(self.store, variables, body, exists) else { return self.unknown() };
        // The quantifier belongs to the loop that fixes its free variables, or its constants.
        let outer = self.deepest_variable(t, scope);
        let outer = self.deepest_constant(t, outer);
        let mut around = outer;
        let mut inner = scope;
        let mut loops = Vec::with_capacity(ranges.len());
        let model = self.evaluator.model().clone();
        for (name, range) in ranges {
            let domains = Domains { store: self.store, model: &model };
            let values: Option<Vec<Value>> = (0..range.len()).map(|n| range.nth(&domains, n)).collect();
            let numbers = values?.into_iter().map(|v| self.values.number(v)).collect();
            around = self.new_loop(around, numbers);
            loops.push(around);
            inner = self.bind(inner, name, self.program.loops[around].variable, around)?;
        }
        let (body, _) = self.term(body, inner)?;
        let out = self.register(UNKNOWN);
        self.emit(outer, Instruction::Quantifier(out, loops.into(), body, exists))?;
        Some((out, outer))
    }

    /// Returns the innermost loop of a variable free in `t`.
    fn deepest_variable(&mut self, t: TermId, mut scope: Option<usize>) -> LoopId {
        let mut free = self.free.of(self.store, t).to_vec();
        let mut deepest = 0;
        while let Some(bound) = scope.map(|s| &self.scopes[s]) {
            if let Some(n) = free.iter().position(|name| *name == bound.name) {
                free.swap_remove(n);
                if self.depth[bound.at] > self.depth[deepest] {
                    deepest = bound.at;
                }
            }
            scope = bound.parent;
        }
        deepest
    }

    /// Returns the deeper of a loop and the innermost loop of a constant in `t`.
    fn deepest_constant(&self, t: TermId, mut at: LoopId) -> LoopId {
        let mut open = vec![t];
        let mut seen = rustc_hash::FxHashSet::default();
        while let Some(t) = open.pop() {
            if !seen.insert(t) {
                continue;
            }
            if let Some(f) = self.store.applied(t) {
                if let Some(&(_, constant)) = self.constants.get(&f)
                    && self.depth[constant] > self.depth[at]
                {
                    at = constant;
                }
                open.extend(self.store.func(f).definition().map(|d| d.1));
            }
            open.extend_from_slice(self.store.args(t));
        }
        at
    }

    fn bind(&mut self, parent: Option<usize>, name: Symbol, register: Register, at: LoopId) -> Option<Option<usize>> {
        self.scopes.push(BoundName { parent, name, register, at });
        (self.scopes.len() <= MAX_SCOPES).then_some(Some(self.scopes.len() - 1))
    }

    /// A definition is expanded where it is used; its body sees only its parameters.
    fn definition(
        &mut self,
        args: &[TermId],
        vars: &[Symbol],
        body: TermId,
        scope: Option<usize>,
    ) -> Option<(Register, LoopId)> {
        let mut inner = None;
        for (&a, &name) in args.iter().zip(vars) {
            let (register, at) = self.term(a, scope)?;
            inner = self.bind(inner, name, register, at)?;
        }
        self.term(body, inner)
    }
}
