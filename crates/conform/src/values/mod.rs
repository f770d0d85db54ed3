//! Random literals of every sort, sometimes equal or nearly equal to earlier ones.

mod structures;

use crate::numbers;
use crate::setting::pick;
use dashu_int::{IBig, UBig};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use semantics::Value;
use semantics::float::{Float, FloatFormat};
use smtlib::{BuildError, Constant, Kind, Op, Sort, SortId, Store, TermId};

/// Makes literal terms for the arguments of one application.
pub struct LiteralMaker<'a> {
    /// The store of the terms.
    pub store: &'a mut Store,
    /// The random source.
    pub rng: &'a mut Xoshiro256PlusPlus,
    /// The format near which reals are chosen, for conversions to floats.
    pub format: Option<(u32, u32)>,
    /// The arguments made so far: equal and nearly equal arguments reveal errors in comparisons and differences.
    made: Vec<TermId>,
}

impl<'a> LiteralMaker<'a> {
    /// Creates a literal generator.
    pub fn new(store: &'a mut Store, rng: &'a mut Xoshiro256PlusPlus) -> LiteralMaker<'a> {
        LiteralMaker { store, rng, format: None, made: Vec::new() }
    }

    /// Makes a literal of a sort.
    /// Errors: not expected: all requested sorts have literals.
    pub fn literal(&mut self, sort: SortId) -> Result<TermId, BuildError> {
        let of_sort: Vec<TermId> = self.made.iter().copied().filter(|&t| self.store.sort(t) == sort).collect();
        let term = match self.rng.random_range(0..6u32) {
            0 if !of_sort.is_empty() => pick(self.rng, &of_sort),
            1 if !of_sort.is_empty() => {
                let near = pick(self.rng, &of_sort);
                self.neighbour(near)?
            }
            _ => self.fresh(sort)?,
        };
        self.made.push(term);
        Ok(term)
    }

    fn fresh(&mut self, sort: SortId) -> Result<TermId, BuildError> {
        match self.store.sorts.get(sort).clone() {
            Sort::Bool => structures::formula(self, 2),
            Sort::Int => Ok(self.store.int(&numbers::integer(self.rng))),
            Sort::Real => {
                let format = self.format.and_then(|(eb, sb)| FloatFormat::new(eb, sb).ok());
                let real = match format {
                    Some(format) if self.rng.random_bool(0.75) => numbers::near_float(self.rng, format),
                    _ => numbers::rational(self.rng),
                };
                Ok(self.store.real(&real))
            }
            Sort::BitVec(width) => Ok(self.store.bitvec(width, &numbers::pattern(self.rng, width))),
            Sort::FiniteField(order) => Ok(self.store.field_element(&order, &numbers::element(self.rng, order.get()))),
            Sort::Float { eb, sb } => {
                let Ok(format) = FloatFormat::new(eb, sb) else { return self.no_literal(sort) };
                let float = numbers::float(self.rng, format);
                self.float(&float, sort)
            }
            Sort::RoundingMode => {
                let kind = pick(self.rng, &[Kind::Rne, Kind::Rna, Kind::Rtp, Kind::Rtn, Kind::Rtz]);
                self.store.app(Op::new(kind), &[])
            }
            Sort::String => {
                let word = self.word();
                Ok(self.store.string(&word))
            }
            Sort::RegLan => structures::expression(self, 2),
            Sort::Array(index, element) => structures::array(self, sort, index, element),
            Sort::Map(from, to) => structures::map(self, sort, from, to),
            Sort::Seq(element) => structures::sequence(self, sort, element),
            Sort::Set(element) => structures::set(self, sort, element),
            Sort::Bag(element) => structures::bag(self, sort, element),
            Sort::Datatype(datatype, fields) if datatype.is_tuple() => {
                let fields = fields.iter().map(|&field| self.literal(field)).collect::<Result<Vec<_>, _>>()?;
                self.store.tuple(&fields)
            }
            _ => self.no_literal(sort),
        }
    }

    /// Returns a short word; sometimes a numeral, sometimes a part of an earlier word.
    pub fn word(&mut self) -> Vec<u32> {
        let earlier: Vec<TermId> =
            self.made.iter().copied().filter(|&t| self.store.sort(t) == SortId::STRING).collect();
        if !earlier.is_empty() && self.rng.random_bool(0.4) {
            let source = pick(self.rng, &earlier);
            if let Some(Constant::String(points)) = self.store.constant(source) {
                let from = self.rng.random_range(0..=points.len());
                let to = self.rng.random_range(from..=points.len());
                return points[from..to].to_vec();
            }
        }
        let length = pick(self.rng, &[0usize, 1, 1, 2, 2, 3, 4, 5, 6, 9]);
        if self.rng.random_bool(0.15) {
            return (0..length).map(|_| 48 + self.rng.random_range(0..10)).collect();
        }
        (0..length).map(|_| numbers::code_point(self.rng)).collect()
    }

    /// Returns a literal close to another, or the same if its sort has no neighbours.
    fn neighbour(&mut self, near: TermId) -> Result<TermId, BuildError> {
        let sort = self.store.sort(near);
        let step = self.rng.random_range(-1..=1);
        match (self.store.constant(near).cloned(), self.store.sorts.get(sort).clone()) {
            (Some(Constant::Int(n)), _) => Ok(self.store.int(&(IBig::from(n) + IBig::from(step)))),
            (Some(Constant::BitVec { width, value }), _) => {
                let modulus = UBig::ONE << width as usize;
                let moved = if step < 0 { value + UBig::ones(width as usize) } else { value + UBig::from(step as u8) };
                Ok(self.store.bitvec(width, &(moved % modulus)))
            }
            (Some(Constant::FieldElement { order, value }), _) => {
                Ok(self.store.field_element(&order, &(IBig::from(value) + IBig::from(step))))
            }
            (Some(Constant::String(_)), _) => {
                let word = self.word();
                Ok(self.store.string(&word))
            }
            (None, Sort::Float { eb, sb }) => {
                // A float of the other sign, or the next pattern.
                let value = semantics::Evaluator::new(semantics::Model::new(), semantics::EvalLimits::default())
                    .eval(self.store, near);
                let (Ok(Value::Float(float)), Ok(format)) = (value, FloatFormat::new(eb, sb)) else { return Ok(near) };
                let moved = match (step, float.to_ieee_bits()) {
                    (1, Ok(bits)) => {
                        Float::from_bits(format, &((bits + UBig::ONE) % (UBig::ONE << format.width() as usize)))
                    }
                    _ => float.neg(),
                };
                self.float(&moved, sort)
            }
            _ => Ok(near),
        }
    }

    fn float(&mut self, float: &Float, sort: SortId) -> Result<TermId, BuildError> {
        match Value::Float(float.clone()).to_term(self.store, sort) {
            Some(term) => Ok(term),
            None => self.no_literal(sort),
        }
    }

    fn no_literal(&self, sort: SortId) -> Result<TermId, BuildError> {
        Err(BuildError::Binder(format!("the sort {} has no literals", self.store.sort_text(sort))))
    }
}
