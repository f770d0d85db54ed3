//! Laws over random terms: what is printed reads back as the identical term, its sharing included, in linear space.

use proptest::prelude::*;
use smtlib::free_vars::FreeVars;
use smtlib::{Binder, Kind, Op, Scope, SortId, Store, TermId, parse_commands, parse_term};

const DECLARATIONS: &str = "(declare-fun p () Bool)(declare-fun i () Int)(declare-fun r () Real)(declare-fun b () (_ BitVec 8))\
    (declare-fun s () String)(declare-fun a () (Array Int Int))(declare-fun f (Int Int) Int)(declare-fun q (Int) Bool)";

/// One step of building: which operation, and seeds for which of the terms so far it takes.
type Step = (u8, u16, u16, u16);

/// Terms built so far by a random program over a store. Later steps take any earlier term, so that there is much sharing.
struct Builder {
    store: Store,
    scope: Scope,
    terms: Vec<TermId>,
    /// Variables that the terms may have free, by nesting; all are bound in the end.
    names: Vec<&'static str>,
}

impl Builder {
    fn new() -> Builder {
        let mut store = Store::new();
        let mut scope = Scope::new(&store);
        assert!(parse_commands(&mut store, &mut scope, DECLARATIONS).errors.is_empty());
        let mut builder = Builder { store, scope, terms: Vec::new(), names: vec!["u", "v", "w", "x", "y", "z"] };
        for text in ["p", "true", "i", "0", "(- 7)", "1.5", "r", "b", "#x0f", "s", "\"a\\u{1F600}\"", "a"] {
            let term = parse_term(&mut builder.store, &mut builder.scope, text).expect("it is a term");
            builder.terms.push(term);
        }
        for name in builder.names.clone() {
            let variable = builder.store.named_variable(name, SortId::INT).1;
            builder.terms.push(variable);
        }
        builder
    }

    /// An earlier term of a sort: one always exists.
    fn pick(&self, sort: SortId, seed: u16) -> TermId {
        let fitting: Vec<TermId> = self.terms.iter().copied().filter(|&t| self.store.sort(t) == sort).collect();
        fitting[seed as usize % fitting.len()]
    }

    fn step(&mut self, (operation, x, y, z): Step) {
        let int = |b: &Builder, seed| b.pick(SortId::INT, seed);
        let bool = |b: &Builder, seed| b.pick(SortId::BOOL, seed);
        let bv = self.store.sorts.bitvec(8);
        let array = self.store.sorts.array(SortId::INT, SortId::INT);
        let plain = |kind| Op::new(kind);
        let (op, args) = match operation % 20 {
            0 => (plain(Kind::And), vec![bool(self, x), bool(self, y), bool(self, z)]),
            1 => (plain(Kind::Or), vec![bool(self, x), bool(self, y)]),
            2 => (plain(Kind::Not), vec![bool(self, x)]),
            3 => (plain(Kind::Ite), vec![bool(self, x), int(self, y), int(self, z)]),
            4 => (plain(Kind::IntAdd), vec![int(self, x), int(self, y)]),
            5 => (plain(Kind::IntLe), vec![int(self, x), int(self, y), int(self, z)]),
            6 => (plain(Kind::Eq), vec![int(self, x), int(self, y)]),
            7 => (plain(Kind::ToReal), vec![int(self, x)]),
            8 => (plain(Kind::RealMul), vec![self.pick(SortId::REAL, x), self.pick(SortId::REAL, y)]),
            9 => (plain(Kind::BvAdd), vec![self.pick(bv, x), self.pick(bv, y)]),
            10 => (plain(Kind::BvUlt), vec![self.pick(bv, x), self.pick(bv, y)]),
            11 => (plain(Kind::StrConcat), vec![self.pick(SortId::STRING, x), self.pick(SortId::STRING, y)]),
            12 => (plain(Kind::StrLen), vec![self.pick(SortId::STRING, x)]),
            13 => (plain(Kind::ArraySelect), vec![self.pick(array, x), int(self, y)]),
            14 => (plain(Kind::ArrayStore), vec![self.pick(array, x), int(self, y), int(self, z)]),
            15 => (Op::indexed(Kind::IntDivisible, u32::from(x) + 1, 0), vec![int(self, y)]),
            16 => (Op::indexed(Kind::BvRotateLeft, u32::from(x), 0), vec![self.pick(bv, y)]),
            17 => (plain(Kind::Implies), vec![bool(self, x), bool(self, y)]),
            n => {
                let kind = if n == 18 { Kind::Forall } else { Kind::Exists };
                let body = bool(self, x);
                let term = self.quantify(kind, body, y, z);
                self.terms.push(term);
                return;
            }
        };
        let term = self.store.app(op, &args).expect("the arguments fit");
        self.terms.push(term);
    }

    /// A quantifier over one or two of the names, with a pattern or without.
    fn quantify(&mut self, kind: Kind, body: TermId, which: u16, pattern: u16) -> TermId {
        let first = self.names[which as usize % self.names.len()];
        let second = self.names[(which as usize / 8) % self.names.len()];
        let mut vars = vec![(self.store.symbols.intern(first), SortId::INT)];
        if second != first {
            vars.push((self.store.symbols.intern(second), SortId::INT));
        }
        let mut args = vec![body];
        let mut patterns = Vec::new();
        if pattern.is_multiple_of(3) {
            args.push(self.pick(SortId::INT, pattern));
            patterns.push(1);
        }
        let binder = Binder { vars: vars.into(), patterns: patterns.into(), no_patterns: 0, qid: None, weight: None };
        self.store.bind(kind, binder, &args).expect("the body is Bool")
    }

    /// The last Boolean, with the names free in it bound around it.
    fn closed(&mut self) -> TermId {
        let last = self.terms.iter().rev().copied().find(|&t| self.store.is_bool(t)).expect("there is a Boolean");
        let free = FreeVars::default().of(&self.store, last);
        if free.is_empty() {
            return last;
        }
        let vars = free.iter().map(|&n| (n, SortId::INT)).collect();
        let binder = Binder { vars, patterns: [].into(), no_patterns: 0, qid: None, weight: None };
        self.store.bind(Kind::Forall, binder, &[last]).expect("the body is Bool")
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    /// The reader renames nested binders of one name apart, so that the first reading may be another term; from then on
    /// nothing changes, and a term without such binders does not change at all.
    #[test]
    fn printing_and_reading_is_the_identity(steps in prop::collection::vec(any::<Step>(), 1..80)) {
        let mut builder = Builder::new();
        for step in steps {
            builder.step(step);
        }
        let term = builder.closed();
        let text = builder.store.term_text(term);
        let read = parse_term(&mut builder.store, &mut builder.scope, &text).expect("what is printed can be read");
        if !shadows(&builder.store, term) {
            prop_assert_eq!(read, term, "{}", &text);
        }
        let canonical = builder.store.term_text(read);
        let again = parse_term(&mut builder.store, &mut builder.scope, &canonical).expect("what is printed can be read");
        prop_assert_eq!(again, read, "{} became {}", &text, &canonical);
        // Another store, which knows none of the terms, prints it alike.
        let mut fresh = Builder::new();
        let read = parse_term(&mut fresh.store, &mut fresh.scope, &canonical).expect("what is printed can be read");
        prop_assert_eq!(fresh.store.term_text(read), canonical);
    }

    /// Every node is printed once where it belongs, and by a short name everywhere else.
    #[test]
    fn printed_text_is_linear_in_the_distinct_nodes(steps in prop::collection::vec((0u8..18, any::<u16>(), any::<u16>(), any::<u16>()), 1..200)) {
        let mut builder = Builder::new();
        for (operation, x, y, z) in steps {
            // Recent terms are preferred, for depth: the tree doubles at every step.
            let recent = |seed: u16| u16::MAX - seed % 3;
            builder.step((operation, if x % 2 == 0 { x } else { recent(x) }, y, recent(z)));
        }
        let term = builder.closed();
        let text = builder.store.term_text(term);
        prop_assert!(text.len() <= 60 * builder.store.len() + 200, "{} bytes for {} nodes", text.len(), builder.store.len());
    }
}

/// Whether some binder in `t` binds a name that one around it binds, too.
fn shadows(store: &Store, t: TermId) -> bool {
    let mut stack = vec![(t, Vec::new())];
    let mut seen = std::collections::HashSet::new();
    while let Some((t, mut bound)) = stack.pop() {
        if !seen.insert((t, bound.clone())) {
            continue;
        }
        if let Some(b) = store.op(t).binder() {
            for v in &store.binder(b).vars {
                if bound.contains(&v.0) {
                    return true;
                }
                bound.push(v.0);
            }
            bound.sort_unstable();
        }
        stack.extend(store.args(t).iter().map(|&a| (a, bound.clone())));
    }
    false
}

#[test]
fn a_tree_of_exponential_size_prints_in_linear_space() {
    let mut builder = Builder::new();
    let mut sizes = Vec::new();
    let mut term = builder.terms[0];
    for n in 0..2000 {
        term = builder.store.app(Op::new(Kind::Or), &[term, term]).expect("two Booleans");
        if n % 500 == 499 {
            sizes.push(builder.store.term_text(term).len());
        }
    }
    for pair in sizes.windows(2) {
        assert!(pair[1] - pair[0] <= 500 * 40, "{sizes:?}");
    }
}
