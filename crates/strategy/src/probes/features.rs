//! Collects the features of a goal in one traversal.

use dashu_int::ops::BitTest;
use rewrite::Goal;
use rewrite::walk::bottom_up;
use rustc_hash::{FxHashMap, FxHashSet};
use smtlib::{Command, Constant, FuncId, Kind, Sort, SortId, Store, TermId, logic};

/// The features of a goal.
#[derive(Clone, Default, Debug)]
pub struct Features {
    /// Distinct subterms.
    pub terms: usize,
    /// Nodes of all formulas as trees.
    pub tree_size: f64,
    /// Distinct atoms.
    pub atoms: usize,
    /// Largest total degree.
    pub degree: u64,
    /// The sum of the bit widths of numerators and denominators.
    pub coefficient_bits: usize,
    /// The maximum of them.
    pub largest_coefficient: usize,
    /// Constants of sort Int.
    pub int_constants: usize,
    /// Constants of sort Real.
    pub real_constants: usize,
    /// Boolean constants.
    pub bool_constants: usize,
    /// Bit-vector constants.
    pub bv_constants: usize,
    /// Floating-point constants.
    pub fp_constants: usize,
    /// Constants of other sorts.
    pub strange_constants: usize,
    /// Quantifiers, lambdas or `match`.
    pub binders: bool,
    /// Quantifiers.
    pub quantifiers: bool,
    /// Functions that take arguments.
    pub functions: bool,
    /// Sorts that are declared.
    pub free_sorts: bool,
    /// Integers.
    pub ints: bool,
    /// Reals.
    pub reals: bool,
    /// Bit-vectors.
    pub bitvectors: bool,
    /// Floats.
    pub floats: bool,
    /// Arrays.
    pub arrays: bool,
    /// Their sorts.
    pub array_sorts: FxHashSet<SortId>,
    /// Strings or regular expressions.
    pub strings: bool,
    /// Datatypes.
    pub datatypes: bool,
    /// Anything else: maps, extensions.
    pub others: bool,
    /// Integer division, remainder, `abs` and the like, by constants only.
    pub division: bool,
    /// A product, power or division that is not linear.
    pub nonlinear: bool,
    /// Every formula is a literal.
    pub conjunction: bool,
    /// A quantifier with patterns.
    pub patterns: bool,
    /// Bit-vector operators besides equality, `extract` and `concat`.
    pub bit_operators: bool,
    /// Pairs of different applications of the same function.
    pub application_pairs: usize,
    /// Atoms with arithmetic in them, and the sum of their degrees.
    pub arithmetic_atoms: (usize, u64),
    /// The number of arithmetic numerals.
    pub coefficients: usize,
}

/// Whether a Boolean term is a connective, and so not an atom.
pub fn is_connective(store: &Store, t: TermId) -> bool {
    match store.kind(t) {
        Kind::True | Kind::False | Kind::Not | Kind::And | Kind::Or | Kind::Implies | Kind::Xor | Kind::Ite => true,
        Kind::Eq | Kind::Distinct => store.args(t).first().is_some_and(|&a| store.is_bool(a)),
        _ => false,
    }
}

impl Features {
    /// Examines all terms of a goal once.
    pub fn of(store: &Store, goal: &Goal) -> Features {
        let mut seen = Features { conjunction: true, ..Features::default() };
        let mut degrees: FxHashMap<TermId, u64> = FxHashMap::default();
        let mut sizes: FxHashMap<TermId, f64> = FxHashMap::default();
        let mut sorts = FxHashSet::default();
        let mut applications: FxHashMap<FuncId, usize> = FxHashMap::default();
        for t in bottom_up(store, goal.terms()) {
            seen.terms += 1;
            let size = 1.0 + store.args(t).iter().map(|a| sizes.get(a).copied().unwrap_or(0.0)).sum::<f64>();
            sizes.insert(t, size);
            if sorts.insert(store.sort(t)) {
                seen.sort(store, store.sort(t));
            }
            seen.term(store, t);
            if matches!(store.sort(t), SortId::INT | SortId::REAL) {
                let degree = seen.degree_of(store, t, &degrees);
                degrees.insert(t, degree);
                seen.degree = seen.degree.max(degree);
            }
            seen.atom_degree(store, t, &degrees);
            if let (Kind::Apply, Some(f), false) = (store.kind(t), store.op(t).func(), store.args(t).is_empty()) {
                let before = applications.entry(f).or_insert(0);
                seen.application_pairs = seen.application_pairs.saturating_add(*before);
                *before += 1;
            }
        }
        for t in goal.terms() {
            seen.tree_size += sizes.get(&t).copied().unwrap_or(0.0);
            let atom = if store.kind(t) == Kind::Not { store.args(t)[0] } else { t };
            seen.conjunction &= !is_connective(store, atom);
        }
        seen
    }

    /// Adds the features that declarations need.
    pub fn declare(&mut self, store: &Store, declarations: &[Command]) {
        for command in declarations {
            let functions = match command {
                Command::DeclareFun(f) | Command::DefineFun(f) => std::slice::from_ref(f),
                Command::DefineFunsRec(functions) => &functions[..],
                Command::DeclareSort(..) => {
                    self.free_sorts = true;
                    continue;
                }
                Command::DeclareDatatypes(first, _) => {
                    self.datatypes = true;
                    let group = store.datatype_group(*first).flat_map(|d| &store.datatype(d).constructors);
                    let fields = group.flat_map(|constructor| &constructor.fields);
                    fields.for_each(|&(_, sort)| self.sort(store, sort));
                    continue;
                }
                _ => continue,
            };
            for &f in functions {
                let function = store.func(f);
                self.functions |= !function.params.is_empty();
                function.params.iter().chain([&function.result]).for_each(|&sort| self.sort(store, sort));
            }
        }
    }

    fn sort(&mut self, store: &Store, sort: SortId) {
        // A datatype may contain itself.
        let mut known = FxHashSet::default();
        let mut stack = vec![sort];
        while let Some(sort) = stack.pop() {
            match store.sorts.get(sort) {
                _ if sort == SortId::BOOL => {}
                _ if sort == SortId::INT => self.ints = true,
                _ if sort == SortId::REAL => self.reals = true,
                Sort::BitVec(_) => self.bitvectors = true,
                Sort::Float { .. } | Sort::RoundingMode => self.floats = true,
                Sort::String | Sort::RegLan => self.strings = true,
                Sort::Uninterpreted(..) => self.free_sorts = true,
                Sort::Array(..) => {
                    self.arrays = true;
                    self.array_sorts.insert(sort);
                }
                Sort::Datatype(d, _) if d.is_built_in() => self.others = true,
                Sort::Datatype(d, _) => {
                    self.datatypes = true;
                    let fresh = known.insert(*d);
                    let fields = store.datatype(*d).constructors.iter().flat_map(|constructor| &constructor.fields);
                    stack.extend(fields.filter(|_| fresh).map(|&(_, sort)| sort));
                }
                // Its expansion is examined by itself.
                Sort::Parameter(_) => {}
                _ => self.others = true,
            }
            stack.extend(store.sorts.children(sort));
        }
    }

    fn term(&mut self, store: &Store, t: TermId) {
        let kind = store.kind(t);
        match kind {
            Kind::Forall | Kind::Exists | Kind::Lambda | Kind::Match => {
                self.binders = true;
                self.quantifiers |= matches!(kind, Kind::Forall | Kind::Exists);
                // A variable that the body does not mention is declared anyway.
                let vars = store.op(t).binder().map(|binder| &store.binder(binder).vars);
                vars.into_iter().flatten().for_each(|&(_, sort)| self.sort(store, sort));
                self.patterns |= store.op(t).binder().is_some_and(|binder| !store.binder(binder).patterns.is_empty());
            }
            Kind::FuncValue | Kind::ApplyMap | Kind::AsArray => self.others = true,
            Kind::Apply if store.args(t).is_empty() => {
                let sort = store.sort(t);
                let count = match store.sorts.get(sort) {
                    _ if sort == SortId::BOOL => &mut self.bool_constants,
                    _ if sort == SortId::INT => &mut self.int_constants,
                    _ if sort == SortId::REAL => &mut self.real_constants,
                    Sort::BitVec(_) => &mut self.bv_constants,
                    Sort::Float { .. } => &mut self.fp_constants,
                    _ => &mut self.strange_constants,
                };
                *count += 1;
            }
            Kind::Apply => self.functions = true,
            Kind::Constant => {
                let bits = match store.constant(t) {
                    Some(Constant::Int(n)) => n.bit_len(),
                    Some(Constant::Real(r)) => r.numerator().bit_len() + r.denominator().bit_len(),
                    _ => 0,
                };
                self.coefficients += usize::from(matches!(store.sort(t), SortId::INT | SortId::REAL));
                self.coefficient_bits += bits;
                self.largest_coefficient = self.largest_coefficient.max(bits);
            }
            _ => {}
        }
        if store.is_bool(t) && !is_connective(store, t) {
            self.atoms += 1;
        }
        let only_moves_bits = matches!(kind, Kind::BvConcat | Kind::BvExtract | Kind::Eq | Kind::Distinct | Kind::Ite)
            || matches!(kind, Kind::Apply | Kind::Constant);
        let is_word = |t: TermId| matches!(store.sorts.get(store.sort(t)), Sort::BitVec(_));
        self.bit_operators |= !only_moves_bits && (is_word(t) || store.args(t).iter().any(|&a| is_word(a)));
    }

    /// Counts an atom over numbers, with the degree of its sides.
    fn atom_degree(&mut self, store: &Store, t: TermId, degrees: &FxHashMap<TermId, u64>) {
        if !store.is_bool(t) || is_connective(store, t) {
            return;
        }
        let numbers = store.args(t).iter().filter(|&&a| matches!(store.sort(a), SortId::INT | SortId::REAL));
        if let Some(degree) = numbers.map(|a| degrees.get(a).copied().unwrap_or(0)).max() {
            let (count, sum) = self.arithmetic_atoms;
            self.arithmetic_atoms = (count + 1, sum.saturating_add(degree));
        }
    }

    /// Returns the total degree of an arithmetic term over its constants.
    fn degree_of(&mut self, store: &Store, t: TermId, degrees: &FxHashMap<TermId, u64>) -> u64 {
        let of = |t: TermId| degrees.get(&t).copied().unwrap_or(0);
        let args = store.args(t);
        let is_number = |t: TermId| of(t) == 0;
        match store.kind(t) {
            Kind::Constant => 0,
            Kind::IntMul | Kind::RealMul => {
                let degree = args.iter().fold(0u64, |sum, &a| sum.saturating_add(of(a)));
                self.nonlinear |= args.iter().filter(|&&a| !is_number(a)).count() > 1;
                degree
            }
            Kind::RealDiv | Kind::IntDiv | Kind::IntMod | Kind::IntRem => {
                let divisors = args.get(1..).unwrap_or_default();
                self.nonlinear |= divisors.iter().any(|&a| store.kind(a) != Kind::Constant && !is_number(a));
                self.division |= store.kind(t) != Kind::RealDiv;
                args.iter().map(|&a| of(a)).max().unwrap_or(0)
            }
            Kind::IntPow | Kind::RealPow | Kind::IntPow2 | Kind::IntAnd | Kind::IntPiand | Kind::RealSqrt => {
                self.nonlinear = true;
                2
            }
            Kind::IntAdd
            | Kind::RealAdd
            | Kind::IntSub
            | Kind::RealSub
            | Kind::IntNeg
            | Kind::RealNeg
            | Kind::ToReal
            | Kind::ToInt
            | Kind::IntAbs
            | Kind::RealAbs => args.iter().map(|&a| of(a)).max().unwrap_or(0),
            Kind::Ite => args[1..].iter().map(|&a| of(a)).max().unwrap_or(0).max(1),
            _ => 1,
        }
    }

    /// Returns the number of constants of sort Int and Real.
    pub fn arithmetic_constants(&self) -> usize {
        self.int_constants + self.real_constants
    }

    /// Returns the number of constants that are not Boolean.
    pub fn other_constants(&self) -> usize {
        self.arithmetic_constants() + self.bv_constants + self.fp_constants + self.strange_constants
    }

    /// Returns its needs from a logic, except for sums: these are decided on whole atoms.
    pub fn needs(&self) -> u32 {
        let needs = [
            (self.binders, logic::QUANTIFIERS),
            (self.arrays, logic::ARRAYS),
            (self.functions, logic::FUNCTIONS),
            (self.free_sorts, logic::SORTS),
            (self.bitvectors, logic::BITVECTORS),
            (self.floats, logic::FLOATS),
            (self.datatypes, logic::DATATYPES),
            (self.strings, logic::STRINGS),
            (self.ints, logic::INTEGERS),
            (self.reals, logic::REALS),
            (!self.is_linear(), logic::NONLINEAR),
            (self.others, logic::FOREIGN),
        ];
        needs.into_iter().filter(|(is_there, _)| *is_there).fold(0, |all, (_, need)| all | need)
    }

    /// Whether all arithmetic is linear.
    pub fn is_linear(&self) -> bool {
        !self.nonlinear && self.degree <= 1
    }

    /// Whether only Booleans and these occur: `I`, `R`, `BV`, `FP`, `A`, `S`, `DT`, `UF`; no quantifier.
    pub fn within(&self, theories: &[&str]) -> bool {
        !self.binders && self.within_binders(theories)
    }

    /// Whether only Booleans, these theories as in [`Features::within`], and quantifiers occur.
    pub fn within_binders(&self, theories: &[&str]) -> bool {
        let has = |name: &str| theories.contains(&name);
        let ok = |occurs: bool, name: &str| !occurs || has(name);
        self.binders == self.quantifiers
            && !self.others
            && ok(self.ints, "I")
            && ok(self.reals, "R")
            && ok(self.bitvectors, "BV")
            && ok(self.floats, "FP")
            && ok(self.arrays, "A")
            && ok(self.strings, "S")
            && ok(self.datatypes, "DT")
            && ok(self.functions || self.free_sorts, "UF")
    }

    /// Whether the goal is a linear problem over 0-1 integers: every integer constant has the formulas `0 <= x` and `x <= 1`
    /// (in any spelling with `<=` and `>=`), or sums are over `(ite b c d)` with numerals.
    pub fn is_pseudo_boolean(&self, store: &Store, goal: &Goal) -> bool {
        if !self.within(&["I"]) || !self.is_linear() || self.division || !self.ints {
            return false;
        }
        let mut low = FxHashSet::default();
        let mut high = FxHashSet::default();
        for t in goal.terms() {
            let (Kind::IntLe | Kind::IntGe, [a, b]) = (store.kind(t), store.args(t)) else { continue };
            let (small, large) = if store.kind(t) == Kind::IntLe { (*a, *b) } else { (*b, *a) };
            let number = |t: TermId| match store.constant(t) {
                Some(Constant::Int(n)) => u8::try_from(n).ok(),
                _ => None,
            };
            if number(small) == Some(0) {
                low.insert(large);
            }
            if number(large) == Some(1) {
                high.insert(small);
            }
        }
        bottom_up(store, goal.terms()).into_iter().all(|t| {
            if store.sort(t) != SortId::INT {
                return true;
            }
            match store.kind(t) {
                Kind::Apply => low.contains(&t) && high.contains(&t),
                Kind::Ite => store.args(t)[1..].iter().all(|&a| store.kind(a) == Kind::Constant),
                _ => true,
            }
        })
    }
}
