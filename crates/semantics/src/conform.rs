//! Conformance: random ground applications of every operator at edge-heavy values, as a script for solvers, and the
//! comparison of what they print with what the evaluator says.

use crate::domain::{Cardinality, Domains};
use crate::eval::Evaluator;
use crate::float::Format;
use crate::limits::Limits;
use crate::model::Model;
use crate::sexpr::{children, is_list, items};
use crate::value::Value;
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use smtlib::signature::{Arity, Pattern, Row};
use smtlib::{Dialect, Kind, Op, Printer, Scope, Sort, SortId, Store, TermId, parse_term};

/// A ground term with the evaluator's value.
#[derive(Clone, Debug)]
pub struct Case {
    /// An operator on literals.
    pub term: TermId,
    /// Its value.
    pub value: Value,
}

/// A solver's value that is not ours.
#[derive(Clone, Debug)]
pub struct Disagreement {
    /// The term.
    pub term: TermId,
    /// Our value.
    pub ours: Value,
    /// The solver's, as it printed it.
    pub theirs: String,
}

/// What became of the cases in a solver's answers.
#[derive(Clone, Default, Debug)]
pub struct Report {
    /// Answers equal to ours.
    pub agreed: usize,
    /// Answers that are not.
    pub disagreements: Vec<Disagreement>,
    /// Errors, and answers that were not understood.
    pub unanswered: usize,
}

/// Makes cases; the same seed makes the same cases in the same store.
pub struct Generator {
    state: u64,
}

/// Tries at a well-sorted application with a known value before a row is given up.
const TRIES: usize = 64;

impl Generator {
    /// A generator of this seed.
    pub fn new(seed: u64) -> Generator {
        Generator { state: seed }
    }

    /// A random application of a row's operator with its value; none where the value is left open every time.
    pub fn case(&mut self, store: &mut Store, row: &Row) -> Option<Case> {
        for _ in 0..TRIES {
            let Some(term) = self.application(store, row) else { continue };
            let mut evaluator = Evaluator::new(Model::new(), Limits::default());
            if let Ok(value) = evaluator.eval(store, term)
                && !matches!(value, Value::RegLan(_))
            {
                return Some(Case { term, value });
            }
        }
        None
    }

    /// A random application of a row's operator to literals.
    pub fn application(&mut self, store: &mut Store, row: &Row) -> Option<TermId> {
        let count = match row.arity {
            Arity::Exact => row.args.len(),
            _ => 2 + self.below(3) as usize / 2,
        };
        let formats = [self.format(), self.format()];
        let widths = match row.kind {
            Kind::Fp => [formats[0].0, formats[0].1 - 1],
            _ => [self.width(), self.width()],
        };
        let any = [self.element_sort(store), self.element_sort(store)];
        let op = self.indexed(row, widths[0]);
        let mut args = Vec::with_capacity(count);
        for n in 0..count {
            let sort = match row.arg(n, count)? {
                Pattern::Bool => SortId::BOOL,
                Pattern::Int => SortId::INT,
                Pattern::Real => SortId::REAL,
                Pattern::String => SortId::STRING,
                Pattern::RegLan => {
                    args.push(self.language(store, 2)?);
                    continue;
                }
                Pattern::RoundingMode => SortId::ROUNDING_MODE,
                Pattern::Any(k) => any[usize::from(k)],
                Pattern::Array => store.sorts.array(any[0], any[1]),
                Pattern::Bv(k) => store.sorts.bitvec(widths[usize::from(k)]),
                Pattern::BvExact(w) => store.sorts.bitvec(w),
                Pattern::BvIndexSum => store.sorts.bitvec(op.i + op.j),
                Pattern::Float(k) => {
                    let (eb, sb) = formats[usize::from(k)];
                    store.sorts.float(eb, sb)
                }
                _ => return None,
            };
            args.push(self.literal(store, sort)?);
        }
        store.app(op, &args).ok()
    }

    /// An operator with indices that mostly fit arguments of the width.
    fn indexed(&mut self, row: &Row, width: u32) -> Op {
        let small = |g: &mut Generator, n: u64| g.below(n) as u32;
        let (i, j) = match (row.indices, row.result) {
            (2, Pattern::BvExtract) => {
                let j = small(self, u64::from(width));
                (j + small(self, u64::from(width - j)), j)
            }
            (2, Pattern::FloatIndex) => self.format(),
            (2, _) => (small(self, 4), small(self, 5)),
            (1, Pattern::BvIndex) => (self.width(), 0),
            (1, _) => (small(self, 9) + u32::from(row.kind == Kind::IntDivisible), 0),
            _ => (0, 0),
        };
        Op::indexed(row.kind, i, j)
    }

    /// A literal of a sort, edges more often than not.
    pub fn literal(&mut self, store: &mut Store, sort: SortId) -> Option<TermId> {
        let value = self.value(store, sort)?;
        value.to_term(store, sort)
    }

    fn value(&mut self, store: &Store, sort: SortId) -> Option<Value> {
        Some(match store.sorts.get(sort) {
            Sort::Int => Value::Int(self.integer()),
            Sort::Real => {
                let denominator = [1u32, 1, 2, 3, 10, 7][self.below(6) as usize];
                Value::real(RBig::from_parts(self.integer(), UBig::from(denominator)))
            }
            Sort::String => Value::String(self.word()?),
            Sort::BitVec(w) => Value::bitvec(*w, self.bits(*w)),
            Sort::Float { eb, sb } => {
                let format = Format::new(*eb, *sb).ok()?;
                Value::Float(crate::float::Float::from_bits(format, &self.float_bits(*eb, *sb)))
            }
            Sort::Array(index, element) => {
                let (index, element) = (*index, *element);
                let base = crate::array::Base::Default(self.value(store, element)?);
                let mut updates = Vec::new();
                for _ in 0..self.below(4) {
                    updates.push((self.value(store, index)?, self.value(store, element)?));
                }
                let model = Model::new();
                let domains = Domains { store, model: &model };
                crate::theories::arrays::update(&domains, sort, base, updates).ok()?
            }
            _ => {
                let model = Model::new();
                let domains = Domains { store, model: &model };
                let Cardinality::Finite(n) = domains.cardinality(sort) else { return None };
                domains.nth(sort, self.below(n))?
            }
        })
    }

    fn integer(&mut self) -> IBig {
        match self.below(5) {
            0 => IBig::from(self.below(5)) - IBig::from(2),
            1 | 2 => IBig::from(self.below(41)) - IBig::from(20),
            3 => {
                let power = IBig::ONE << self.below(70) as usize;
                let near = power + IBig::from(self.below(3)) - IBig::ONE;
                if self.below(2) == 0 { near } else { -near }
            }
            _ => IBig::from(self.next() as i64),
        }
    }

    fn word(&mut self) -> Option<crate::strings::SmtString> {
        const CHARACTERS: [u32; 10] = [97, 98, 97, 48, 57, 65, 92, 34, 0x2FFFF, 0];
        let plain = self.below(3) > 0;
        let length = self.below(5);
        let points: Vec<u32> =
            (0..length).map(|_| CHARACTERS[self.below(if plain { 5 } else { 10 }) as usize]).collect();
        crate::strings::SmtString::new(&points).ok()
    }

    fn bits(&mut self, width: u32) -> UBig {
        let all = UBig::ones(width as usize);
        let top = UBig::ONE << (width as usize - 1);
        match self.below(8) {
            0 => UBig::ZERO,
            1 => all,
            2 => top,
            3 => UBig::ONE,
            4 => all ^ top,
            5 => UBig::from(self.below(u64::from(width) + 2)),
            _ => (UBig::from(self.next()) << 64) | UBig::from(self.next()),
        }
    }

    /// Patterns around the edges of exponents and significands.
    fn float_bits(&mut self, eb: u32, sb: u32) -> UBig {
        let trailing = sb as usize - 1;
        let field = |g: &mut Generator, width: u32| {
            let all = UBig::ones(width as usize);
            match g.below(7) {
                0 => UBig::ZERO,
                1 => all,
                2 => UBig::ONE,
                3 => all ^ UBig::ONE,
                4 => UBig::ones(width as usize - 1),
                5 => UBig::ONE << (width as usize - 1),
                _ => crate::theories::bitvec::modulo(width as usize, UBig::from(g.next()) * UBig::from(g.next())),
            }
        };
        let (sign, exponent, significand) = (UBig::from(self.below(2)), field(self, eb), field(self, sb - 1));
        (sign << (eb as usize + trailing)) | (exponent << trailing) | significand
    }

    /// A small regular expression, as a term.
    fn language(&mut self, store: &mut Store, depth: u32) -> Option<TermId> {
        if depth == 0 || self.below(4) == 0 {
            return match self.below(6) {
                0 => store.app(Op::new(Kind::ReAllchar), &[]).ok(),
                1 => store.app(Op::new(Kind::ReAll), &[]).ok(),
                2 => store.app(Op::new(Kind::ReNone), &[]).ok(),
                3 => {
                    let (a, b) = (self.literal(store, SortId::STRING)?, self.literal(store, SortId::STRING)?);
                    store.app(Op::new(Kind::ReRange), &[a, b]).ok()
                }
                _ => {
                    let word = self.literal(store, SortId::STRING)?;
                    store.app(Op::new(Kind::StrToRe), &[word]).ok()
                }
            };
        }
        let first = self.language(store, depth - 1)?;
        let unary = [Kind::ReStar, Kind::RePlus, Kind::ReOpt, Kind::ReComp];
        let binary = [Kind::ReConcat, Kind::ReUnion, Kind::ReInter, Kind::ReDiff];
        match self.below(10) as usize {
            n @ 0..4 => store.app(Op::new(unary[n]), &[first]).ok(),
            n @ 4..8 => {
                let second = self.language(store, depth - 1)?;
                store.app(Op::new(binary[n - 4]), &[first, second]).ok()
            }
            8 => store.app(Op::indexed(Kind::RePower, self.below(4) as u32, 0), &[first]).ok(),
            _ => store.app(Op::indexed(Kind::ReLoop, self.below(3) as u32, self.below(4) as u32), &[first]).ok(),
        }
    }

    fn width(&mut self) -> u32 {
        [1, 2, 3, 4, 5, 8, 16, 31, 32, 64, 65, 130][self.below(12) as usize]
    }

    /// The tiniest formats are left out: solvers err on them in known ways (docs/conformance-float.md).
    fn format(&mut self) -> (u32, u32) {
        [(4, 6), (5, 11), (8, 24), (11, 53)][self.below(4) as usize]
    }

    fn element_sort(&mut self, store: &mut Store) -> SortId {
        match self.below(5) {
            0 => SortId::INT,
            1 => SortId::BOOL,
            // Not Real: solvers differ in which spellings of a rational they take as a value inside `as const`.
            2 => store.sorts.bitvec(1),
            3 => store.sorts.bitvec(2),
            _ => store.sorts.bitvec(8),
        }
    }

    fn below(&mut self, n: u64) -> u64 {
        self.next() % n.max(1)
    }

    /// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

/// A script that asks a solver for the value of every case, one answer a case after the first.
pub fn script(store: &Store, cases: &[Case], dialect: &Dialect) -> String {
    let mut printer = Printer::new(store, dialect);
    let mut out = String::from("(set-option :produce-models true)\n(set-logic ALL)\n(check-sat)\n");
    for case in cases {
        out.push_str("(get-value (");
        printer.term(case.term, &mut out);
        out.push_str("))\n");
    }
    out
}

/// Compares a solver's answers to [`script`] with the cases, in order.
pub fn compare(store: &mut Store, cases: &[Case], response: &str) -> Report {
    let mut report = Report::default();
    let answers: Vec<_> = items(response, 0..response.len()).into_iter().filter(|a| is_list(response, a)).collect();
    let mut scope = Scope::new(store);
    for (n, case) in cases.iter().enumerate() {
        let pair = answers.get(n).and_then(|a| children(response, a).first().cloned());
        let parts = pair.map(|p| children(response, &p)).unwrap_or_default();
        let [_, theirs] = &parts[..] else {
            report.unanswered += 1;
            continue;
        };
        let text = &response[theirs.clone()];
        let sort = store.sort(case.term);
        match value_at(store, &mut scope, text, sort) {
            None => report.unanswered += 1,
            Some(value) if value.same(&case.value) == Some(true) => report.agreed += 1,
            Some(_) => report.disagreements.push(Disagreement {
                term: case.term,
                ours: case.value.clone(),
                theirs: text.to_string(),
            }),
        }
    }
    report
}

/// The value a text denotes, an integer standing for a real where one is wanted.
fn value_at(store: &mut Store, scope: &mut Scope, text: &str, sort: SortId) -> Option<Value> {
    let term = parse_term(store, scope, text).ok()?;
    let value = Evaluator::new(Model::new(), Limits::default()).eval(store, term).ok()?;
    match value {
        Value::Int(n) if sort == SortId::REAL => Some(Value::real(RBig::from(n))),
        value => Some(value),
    }
}
