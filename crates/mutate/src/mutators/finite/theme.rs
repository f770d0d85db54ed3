//! Themes: the sorts of problems of one theory, or of a combination of theories.

use super::known::{self, KnownTheory};
use crate::mutator::is_of_sequences;
use crate::preamble::HORN;
use crate::rng::RandomStream;
use dashu_int::UBig;
use serde::Deserialize;
use serde::de::IntoDeserializer;
use smtlib::signature::{OperatorOrigin, SignatureRow};
use smtlib::sort::SortId;
use smtlib::{Command, DatatypeId, FuncId, Kind, Scope, Sort, Store, logic, parse_commands};
use std::sync::LazyLock;

/// The ingredients from which a theme draws its sorts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
pub enum Ingredient {
    /// `Bool`; every problem has it anyway.
    Bool,
    /// A bit-vector of up to 8 bits, all of whose values are tried.
    SmallBv,
    /// A bit-vector of up to 3 bits.
    TinyBv,
    /// A bit-vector of 16, 32 or 64 bits.
    WideBv,
    /// A float of up to 4 exponent and 5 significand bits.
    SmallFloat,
    /// Float16, Float32 or Float64; in one case of four, a format of another proportion.
    WideFloat,
    /// A float of either kind.
    Float,
    /// `RoundingMode`.
    Mode,
    /// `Int`.
    Int,
    /// `Real`.
    Real,
    /// `String`.
    String,
    /// `RegLan`.
    Language,
    /// An array between two of the sorts drawn before.
    Array,
    /// Sequences over one of the sorts drawn before.
    Seq,
    /// Finite sets over one of the sorts drawn before.
    Set,
    /// Bags over one of the sorts drawn before.
    Bag,
    /// Tuples of one to three of the simple sorts drawn before, and relations of them.
    Relation,
    /// cvc5's values of one of the sorts drawn before, or none.
    Nullable,
    /// No sort drawn before: cvc5's operators on the rows of relations and tables of integers.
    Rows,
    /// No sort: z3's cardinalities and sums of formulas.
    Cardinalities,
    /// A finite field of up to 17 elements, all of which are tried.
    SmallField,
    /// A finite field of 2^61 - 1 elements or more.
    WideField,
    /// A datatype over the sorts drawn before.
    Datatype,
    /// An uninterpreted sort.
    Free,
    /// A function between the sorts drawn before.
    Function,
    /// No sort: names that are rebound, also with other sorts, once they are free.
    Scopes,
    /// Functions as arguments of operators that apply them to all elements of a collection.
    Traversal,
    /// No sort: arrays made of functions, as z3 has them.
    Lambda,
    /// No sort: the orders of z3 as operators.
    Orders,
    /// A datatype with itself in a field, over the sorts drawn before.
    RecursiveDatatype,
    /// The same, of sequences: only z3 has them.
    Fold,
    /// Clauses in the logic `HORN` and nothing else.
    Clauses,
    /// Rules of z3's fixed points and nothing else.
    Rules,
    /// Constraints at a planted point of real numbers, mostly irrational, and nothing else.
    Roots,
    /// Objectives (`maximize`, `minimize`, `assert-soft`) over the sorts drawn before.
    Objectives,
    /// The sorts of a heap, and formulas of separation logic and nothing else.
    Heap,
    /// Definitions by `define-fun-rec` or `define-funs-rec` over the sorts drawn.
    Recursion,
}

/// A kind of problems.
#[derive(Debug)]
pub struct Theme {
    /// Its name, for `--theory`.
    pub name: &'static str,
    /// Its default weight.
    pub weight: u32,
    /// The ingredients with their probabilities, in percent; repeated ones are drawn again.
    pub ingredients: Vec<(Ingredient, u32)>,
    /// A short description.
    pub about: &'static str,
}

use Ingredient::*;

/// The profile's name for missing recursive definitions.
const RECURSION: &str = "define-fun-rec";
/// The profile's name for missing objectives.
const OBJECTIVES: &str = "maximize";
/// The profile's name for missing rules.
const RULES: &str = "rule";

/// The profile's name for missing functions on sequences.
const FOLD: &str = "seq.map";
/// The profile's name for missing arrays made of functions.
const MAPPED: &str = "as-array";

/// Every theme, as `themes.txt` lists them.
pub static THEMES: LazyLock<Vec<Theme>> = LazyLock::new(|| {
    let lines = include_str!("themes.txt").lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(read).collect()
});

/// The theme of problems over a theory as data.
pub(super) static DATA: LazyLock<Theme> =
    LazyLock::new(|| Theme { name: "data", weight: 1, ingredients: Vec::new(), about: "a theory as data" });

/// Reads the line of a theme.
fn read(line: &'static str) -> Option<Theme> {
    let mut parts = line.splitn(4, ' ');
    let (name, weight, list, about) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
    let ingredient = |part: &str| {
        let (name, percent) = part.split_once(':')?;
        let name = IntoDeserializer::<serde::de::value::Error>::into_deserializer(name);
        Some((Ingredient::deserialize(name).ok()?, percent.parse().ok()?))
    };
    let ingredients = list.split(',').map(ingredient).collect::<Option<_>>()?;
    Some(Theme { name, weight: weight.parse().ok()?, ingredients, about })
}

/// Returns the theme of a name.
pub fn find(name: &str) -> Option<&'static Theme> {
    THEMES.iter().find(|theme| theme.name == name)
}

/// The ingredients of one unit's problems.
#[derive(Clone, Debug, Default)]
pub struct ProblemVocabulary {
    /// The sorts, `Bool` first.
    pub sorts: Vec<SortId>,
    /// Declarations of sorts and datatypes, in order.
    pub declarations: Vec<Command>,
    /// Parameter and result sorts of functions to declare.
    pub functions: Vec<(Vec<SortId>, SortId)>,
    /// Operators of a theory as data.
    pub operators: Vec<FuncId>,
    /// Whether its problems have rebound names.
    pub rescoped: bool,
    /// Whether operators are drawn that take functions.
    pub has_traversals: bool,
    /// Whether arrays are made of functions.
    pub has_lambdas: bool,
    /// Whether orders are drawn.
    pub has_orders: bool,
    /// Whether problems are Horn clauses.
    pub is_horn: bool,
    /// Whether problems are rules.
    pub has_rules: bool,
    /// Whether problems are constraints at a planted point.
    pub has_roots: bool,
    /// Whether problems have objectives.
    pub has_objectives: bool,
    /// The logic that its operators require.
    pub logic: Option<&'static str>,
    /// The sorts of locations and data, if problems are of separation logic.
    pub heap: Option<(SortId, SortId)>,
    /// How many groups of recursive functions are defined.
    pub recursions: usize,
    /// The allowed formats of floats; empty: any.
    pub(super) formats: Vec<(u32, u32)>,
}

const SMALL_WIDTHS: [u32; 8] = [1, 2, 2, 3, 3, 4, 5, 8];
const WIDE_WIDTHS: [u32; 5] = [16, 32, 32, 64, 64];
const SMALL_FORMATS: [(u32, u32); 7] = [(2, 2), (2, 3), (3, 2), (3, 3), (3, 4), (2, 5), (4, 4)];
const WIDE_FORMATS: [(u32, u32); 4] = [(5, 11), (8, 24), (8, 24), (11, 53)];
/// Few exponent bits for the significand, or many: encodings reserve bits by either. (z3 5.4.1 rounds subnormals to integers
/// wrongly where the significand has 2^(e-1) + 4 bits or more.)
const UNEVEN_FORMATS: [(u32, u32); 8] = [(2, 8), (3, 8), (3, 8), (3, 24), (4, 12), (5, 2), (5, 24), (6, 3)];

/// Orders of small fields.
const SMALL_ORDERS: [u8; 10] = [2, 3, 3, 5, 5, 7, 7, 11, 13, 17];
/// Orders of fields that are not enumerated: Mersenne primes, that of Curve25519 (2^255 - 19), and those of the field and of the
/// scalars of BLS12-381.
const WIDE_ORDERS: [&str; 5] = [
    "2305843009213693951",
    "170141183460469231731687303715884105727",
    "57896044618658097711785492504343953926634992332820282019728792003956564819949",
    "52435875175126190479447740508185965837690552500527637822603658699938581184513",
    "4002409555221667393417789825735904156556882819939007885332058136124031650490837864442687629129015664037894272559787",
];

impl Theme {
    /// Returns the non-standard theories that all of its problems use, as bits of [`smtlib::logic`].
    pub fn own_theories(&self) -> u32 {
        let theory = |(ingredient, percent): &(Ingredient, u32)| match ingredient {
            _ if *percent < 100 => 0,
            Recursion | Clauses | Rules => logic::QUANTIFIERS | logic::FUNCTIONS,
            Seq => logic::FOREIGN,
            Set => logic::SETS,
            Bag => logic::BAGS,
            Relation => logic::SETS | logic::RELATIONS,
            SmallField => logic::FINITE_FIELDS,
            Traversal | Fold => logic::HIGHER_ORDER,
            Nullable => logic::RELATIONS,
            Rows => logic::SETS | logic::BAGS | logic::RELATIONS | logic::HIGHER_ORDER,
            Heap => logic::HEAPS,
            Orders => logic::ORDERS,
            Cardinalities => logic::CARDINALITIES,
            _ => 0,
        };
        self.ingredients.iter().map(theory).fold(0, |all, one| all | one)
    }

    /// Whether some of its problems have a planted solution instead of finitely many assignments.
    pub fn is_planted(&self) -> bool {
        self.ingredients.iter().any(|(ingredient, _)| *ingredient == Roots)
    }

    /// Returns the non-theory features that all of its problems need, as profiles name missing ones: a command or a logic.
    pub fn needed_name(&self) -> Option<&'static str> {
        self.ingredients.iter().find_map(|(ingredient, _)| match ingredient {
            Recursion => Some(RECURSION),
            Clauses => Some(HORN),
            Objectives => Some(OBJECTIVES),
            Rules => Some(RULES),
            Fold => Some(FOLD),
            Lambda => Some(MAPPED),
            _ => None,
        })
    }

    /// Draws the sorts of a unit, with floats of these formats only; empty: any.
    pub fn vocabulary(&self, store: &mut Store, formats: &[(u32, u32)], rng: &mut RandomStream) -> ProblemVocabulary {
        let sorts = vec![SortId::BOOL];
        let mut made = ProblemVocabulary { sorts, formats: formats.to_vec(), ..ProblemVocabulary::default() };
        let mut scope = Scope::new(store);
        for (n, &(ingredient, percent)) in self.ingredients.iter().enumerate() {
            if rng.percent(percent) {
                made.add(store, &mut scope, ingredient, n, rng);
            }
        }
        made
    }
}

impl ProblemVocabulary {
    /// Returns the features of problems over these sorts, as bits of [`smtlib::logic`]; quantifiers, functions and products may be
    /// left out of a problem.
    pub fn needs(&self, store: &Store) -> u32 {
        let recursive = if self.recursions > 0 || self.is_horn || self.has_rules {
            logic::QUANTIFIERS | logic::FUNCTIONS
        } else {
            0
        };
        let heap = if self.heap.is_some() { logic::HEAPS } else { 0 };
        let orders = if self.has_orders { logic::ORDERS } else { 0 };
        let own = recursive | heap | orders | if self.has_traversals { logic::HIGHER_ORDER } else { 0 };
        self.sorts.iter().fold(own, |needed, &sort| needed | logic::of_sort(store, sort))
    }

    fn add(&mut self, store: &mut Store, scope: &mut Scope, what: Ingredient, n: usize, rng: &mut RandomStream) {
        let sort = match what {
            Bool => SortId::BOOL,
            Int => SortId::INT,
            Real => SortId::REAL,
            String => SortId::STRING,
            Language => SortId::REGLAN,
            Traversal | Fold => return self.has_traversals = true,
            Lambda => return self.has_lambdas = true,
            Orders => return self.has_orders = true,
            Mode => SortId::ROUNDING_MODE,
            SmallBv => store.sorts.bitvec(*rng.pick(&SMALL_WIDTHS).unwrap_or(&2)),
            WideBv => store.sorts.bitvec(*rng.pick(&WIDE_WIDTHS).unwrap_or(&32)),
            SmallFloat => {
                let drawn = rng.pick(&SMALL_FORMATS).copied();
                self.float(store, drawn, rng)
            }
            Float if rng.percent(40) => return self.add(store, scope, SmallFloat, n, rng),
            Float | WideFloat => {
                let formats = if rng.percent(25) { &UNEVEN_FORMATS[..] } else { &WIDE_FORMATS[..] };
                let drawn = rng.pick(formats).copied();
                self.float(store, drawn, rng)
            }
            Array => {
                let (Some(index), Some(element)) = (self.element_sort(store, rng), self.element_sort(store, rng))
                else {
                    return;
                };
                store.sorts.array(index, element)
            }
            Seq => {
                let Some(element) = self.element_sort(store, rng) else { return };
                store.sorts.seq(element)
            }
            Set => {
                let Some(element) = self.element_sort(store, rng) else { return };
                store.sorts.set(element)
            }
            Bag => {
                let Some(element) = self.element_sort(store, rng) else { return };
                store.sorts.bag(element)
            }
            Relation => {
                let Some(tuple) = self.tuple(store, rng) else { return };
                self.sorts.extend(Some(tuple).filter(|sort| !self.sorts.contains(sort)));
                store.sorts.set(tuple)
            }
            Nullable => {
                let Some(held) = self.element_sort(store, rng) else { return };
                store.sorts.intern(Sort::Datatype(DatatypeId::NULLABLE, [held].into()))
            }
            Rows => return self.draw_known(store, &known::ROWS, Some("HO_ALL")),
            Cardinalities => return self.draw_known(store, &known::CARDINALITIES, None),
            SmallField => {
                let order = rng.pick(&SMALL_ORDERS).map_or_else(|| UBig::from(2u8), |&order| order.into());
                return self.field(store, order);
            }
            WideField => {
                let order = rng.pick(&WIDE_ORDERS).and_then(|order| order.parse().ok()).unwrap_or(UBig::from(2u8));
                return self.field(store, order);
            }
            Free => {
                let text = format!("(declare-sort U{n} 0)");
                return self.declare(store, scope, &text, &format!("U{n}"));
            }
            Scopes => {
                self.rescoped = true;
                return;
            }
            Datatype | RecursiveDatatype => {
                let text = self.datatype(store, n, matches!(what, RecursiveDatatype), rng);
                return self.declare(store, scope, &text, &format!("D{n}"));
            }
            TinyBv => store.sorts.bitvec(rng.between(1, 3) as u32),
            Clauses => return self.is_horn = true,
            Rules => return self.has_rules = true,
            Roots => return self.has_roots = true,
            Objectives => return self.has_objectives = true,
            Heap => return self.draw_heap(store, scope, n, rng),
            Recursion => return self.recursions += 1,
            Function => {
                let arity = if rng.percent(75) { 1 } else { 2 };
                let params: Vec<SortId> = (0..arity).filter_map(|_| self.element_sort(store, rng)).collect();
                let Some(result) = self.element_sort(store, rng) else { return };
                return self.functions.push((params, result));
            }
        };
        if !self.sorts.contains(&sort) {
            self.sorts.push(sort);
        }
    }

    /// Adds operators and their sorts. No script states their meaning, since solvers have them, in some logic.
    fn draw_known(&mut self, store: &mut Store, theory: &str, logic: Option<&'static str>) {
        let Some(known) = KnownTheory::read(store, theory) else { return };
        let new: Vec<SortId> = known.sorts.into_iter().filter(|sort| !self.sorts.contains(sort)).collect();
        self.sorts.extend(new);
        self.operators.extend(known.operators);
        self.logic = logic;
    }

    /// Returns a sort of tuples, mostly of pairs of one sort, so that the operators of relations fit.
    fn tuple(&self, store: &mut Store, rng: &mut RandomStream) -> Option<SortId> {
        let is_simple = |s: &SortId| logic::of_sort(store, *s) & (logic::SETS | logic::RELATIONS) == 0;
        let simple: Vec<SortId> = self.sorts.iter().copied().filter(is_simple).collect();
        let (a, b) = (*simple.get(1).or(simple.first())?, *rng.pick(&simple)?);
        let shapes = [&[a, a][..], &[a, a], &[a, a], &[a], &[a], &[a, b], &[b, a], &[b, b], &[a, b, a]];
        store.sorts.tuple(rng.pick(&shapes)?)
    }

    fn field(&mut self, store: &mut Store, order: UBig) {
        let field = store.sorts.finite_field(order).ok();
        self.sorts.extend(field.filter(|field| !self.sorts.contains(field)));
    }

    /// Returns the sort of the drawn format, or of one that the solver has.
    fn float(&self, store: &mut Store, drawn: Option<(u32, u32)>, rng: &mut RandomStream) -> SortId {
        let has = |format: &(u32, u32)| self.formats.is_empty() || self.formats.contains(format);
        let (eb, sb) = drawn.filter(has).or_else(|| rng.pick(&self.formats).copied()).unwrap_or((8, 24));
        store.sorts.float(eb, sb)
    }

    /// Returns a sort that arrays, fields and functions may have.
    fn element_sort(&self, store: &Store, rng: &mut RandomStream) -> Option<SortId> {
        let usable = |s: &&SortId| !matches!(store.sorts.get(**s), Sort::RegLan);
        let all: Vec<SortId> = self.sorts.iter().filter(usable).copied().collect();
        // `Bool` comes first and is the last resort.
        match rng.percent(80) && all.len() > 1 {
            true => rng.pick(&all[1..]).copied(),
            false => rng.pick(&all).copied(),
        }
    }

    pub(super) fn declare(&mut self, store: &mut Store, scope: &mut Scope, text: &str, sort: &str) {
        // A constant of the sort brings its id.
        let parsed = parse_commands(store, scope, &format!("{text}(declare-const |{sort} example| {sort})"));
        for command in parsed.script.commands {
            match command {
                Command::DeclareFun(f) => self.sorts.push(store.func(f).result),
                other => self.declarations.push(other),
            }
        }
    }

    /// Returns a datatype of one to three constructors; recursive in one case of three, or always if requested.
    fn datatype(&self, store: &Store, n: usize, always: bool, rng: &mut RandomStream) -> std::string::String {
        let constructors = rng.between(1 + u64::from(always), 3);
        let recursive = always || rng.percent(35);
        let mut text = format!("(declare-datatypes ((D{n} 0)) ((");
        for c in 0..constructors {
            let fields = if c == 0 && recursive { 0 } else { rng.between(u64::from(c > 0), 2) };
            if fields == 0 {
                text.push_str(&format!("(c{n}{c})"));
                continue;
            }
            text.push_str(&format!("(c{n}{c}"));
            for f in 0..fields {
                let is_last = always && c + 1 == constructors && f == 0;
                let sort = match is_last || (recursive && rng.percent(50)) {
                    true => format!("D{n}"),
                    false => self.element_sort(store, rng).map_or_else(|| "Bool".into(), |s| store.sort_text(s)),
                };
                text.push_str(&format!(" (s{n}{c}{f} {sort})"));
            }
            text.push(')');
        }
        text.push_str(")))");
        text
    }
}

/// Whether an operator is generated: a standard one that solvers support with arbitrary arguments, or one of sequences, sets, relations,
/// bags, finite fields or orders, which are outside the standard. Those that take functions are left to themes with
/// [`Ingredient::Traversal`], and orders to those with [`Ingredient::Orders`].
pub fn is_generated(row: &SignatureRow) -> bool {
    match row.origin {
        OperatorOrigin::Standard | OperatorOrigin::Standard27 => row.kind != Kind::FpToIeeeBv,
        OperatorOrigin::Extension => {
            is_of_sequences(row.kind)
                || (Kind::SetEmpty..=Kind::RelJoinImage).contains(&row.kind)
                || (Kind::BagEmpty..=Kind::BagChoose).contains(&row.kind)
                || (Kind::FfAdd..=Kind::FfBitsum).contains(&row.kind)
                || row.kind.is_traversal()
                || !row.is_evaluated()
        }
    }
}
