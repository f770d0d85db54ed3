//! Signatures at the sorts of one seed: which operators give which sort from which.

use crate::mutators::generative::signature::{ExpressionSignature, SortPattern};
use crate::rng::RandomStream;
use rustc_hash::FxHashMap;
use smtlib::op::Kind;
use smtlib::signature::{Pattern, SignatureRow};
use smtlib::{DatatypeId, FuncBody, FuncId, Op, Sort, SortId, Store, TermId};

/// The constructor of a term from its arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TermMaker {
    /// An expression itself.
    Identity,
    /// A theory's operator with indices fixed by the sorts.
    Operator(Op),
    /// A theory's operator with an index that is drawn each time.
    Drawn(Kind, IndexRule),
    /// A declared or defined function.
    Function(FuncId),
    /// A datatype's constructor, tester or selector.
    Constructor(DatatypeId, u32),
    /// `(_ is c)`.
    Tester(DatatypeId, u32),
    /// A selector.
    Selector(DatatypeId, u32, u32),
}

impl TermMaker {
    /// Returns the theory's operator, whatever its indices; `None` if a symbol is applied.
    pub fn kind(&self) -> Option<Kind> {
        match *self {
            TermMaker::Operator(op) => Some(op.kind),
            TermMaker::Drawn(kind, _) => Some(kind),
            _ => None,
        }
    }

    /// Returns the maker without indices: equal for all uses of one operator.
    pub fn head(&self) -> TermMaker {
        self.kind().map_or_else(|| self.clone(), |kind| TermMaker::Operator(Op::new(kind)))
    }

    /// Returns the operator with its indices; `None` if a symbol is applied.
    pub fn operator(&self, rng: &mut RandomStream) -> Option<Op> {
        match *self {
            TermMaker::Operator(op) => Some(op),
            TermMaker::Drawn(kind, rule) => {
                let (i, j) = rule.draw(rng);
                Some(Op::indexed(kind, i, j))
            }
            _ => None,
        }
    }

    /// Makes the term of a sort from these arguments, with `op` from [`TermMaker::operator`]. `None` if it would have another sort.
    pub fn apply(&self, store: &mut Store, op: Option<Op>, args: &[TermId], sort: SortId) -> Option<TermId> {
        let term = match *self {
            TermMaker::Identity => return args.first().copied(),
            TermMaker::Function(f) => store.apply(f, args),
            TermMaker::Constructor(d, c) => store.construct(d, c as usize, args, Some(sort)),
            TermMaker::Tester(d, c) => store.tester(d, c as usize, *args.first()?),
            TermMaker::Selector(d, c, n) => store.selector(d, c as usize, n as usize, *args.first()?),
            TermMaker::Operator(_) | TermMaker::Drawn(..) => store.app(op?, args),
        };
        term.ok().filter(|&t| store.sort(t) == sort)
    }
}

/// How an index is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IndexRule {
    /// `result` bits of `width`, anywhere.
    Slice {
        /// The width of the argument.
        width: u32,
        /// The width of the result, not above `width`.
        result: u32,
    },
    /// From 0 to this, both included.
    UpTo(u32),
    /// From 1 to this, both included.
    OneTo(u32),
    /// Two bounds of a loop, the first not above the second, both at most this.
    Loop(u32),
}

impl IndexRule {
    /// Draws the indices.
    pub fn draw(self, rng: &mut RandomStream) -> (u32, u32) {
        match self {
            IndexRule::Slice { width, result } => {
                let low = rng.below(u64::from(width - result) + 1) as u32;
                (low + result - 1, low)
            }
            IndexRule::UpTo(high) => (rng.between(0, u64::from(high)) as u32, 0),
            IndexRule::OneTo(high) => (rng.between(1, u64::from(high)) as u32, 0),
            IndexRule::Loop(high) => {
                let low = rng.between(0, u64::from(high)) as u32;
                (low, rng.between(u64::from(low), u64::from(high)) as u32)
            }
        }
    }
}

/// A recipe for a term of one sort.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Recipe {
    /// Its constructor.
    pub maker: TermMaker,
    /// The sorts of its arguments.
    pub args: Box<[SortId]>,
}

/// The recipes of a seed by result sort.
pub type Recipes = FxHashMap<SortId, Vec<Recipe>>;

/// Recipes in groups of one key, in the order of their first ones.
pub fn grouped<K: PartialEq>(recipes: &[Recipe], key: impl Fn(&Recipe) -> K) -> Vec<Vec<Recipe>> {
    let mut groups: Vec<(K, Vec<Recipe>)> = Vec::new();
    for recipe in recipes {
        let own = key(recipe);
        match groups.iter_mut().find(|group| group.0 == own) {
            Some(group) => group.1.push(recipe.clone()),
            None => groups.push((own, vec![recipe.clone()])),
        }
    }
    groups.into_iter().map(|group| group.1).collect()
}

/// The maximum factor, divisor, power and loop bound drawn; larger ones cost time without finding bugs.
const MAX_INDEX: u32 = 4;

/// Every use of the signatures at the sorts of a seed, the functions over them, and their constructors, testers and selectors.
pub fn recipes(
    store: &mut Store,
    signatures: &[ExpressionSignature],
    sorts: &[SortId],
    functions: &[FuncId],
) -> Recipes {
    let mut recipes = Recipes::default();
    let mut sorts: Vec<SortId> = sorts.to_vec();
    sorts.retain(|&s| is_general(store, s) || s == SortId::REGLAN);
    for signature in signatures {
        let Some(row) = signature.row else {
            for &sort in sorts.iter().filter(|&&s| admits(store, &signature.args, &[s])) {
                add(&mut recipes, sort, TermMaker::Identity, &[sort]);
            }
            continue;
        };
        let mut chosen = Vec::new();
        tuples(store, row, signature, &sorts, &mut chosen, &mut recipes);
    }
    add_functions(store, functions, &sorts, &mut recipes);
    datatypes(store, &sorts, &mut recipes);
    recipes
}

fn add(recipes: &mut Recipes, result: SortId, maker: TermMaker, args: &[SortId]) {
    let list = recipes.entry(result).or_default();
    let recipe = Recipe { maker, args: args.into() };
    if !list.contains(&recipe) {
        list.push(recipe);
    }
}

/// Whether polymorphic operators may be used at a sort: solvers reject equality of languages and of maps, or do not terminate.
fn is_general(store: &Store, sort: SortId) -> bool {
    !store.sorts.has_parameter(sort)
        && !matches!(store.sorts.get(sort), Sort::RegLan | Sort::Map(..) | Sort::Extension(..) | Sort::Parameter(_))
}

/// Whether a sort matches a pattern by itself, ignoring relations between patterns.
fn may_be(store: &Store, pattern: Pattern, sort: SortId) -> bool {
    matches!(
        (pattern, store.sorts.get(sort)),
        (Pattern::Bool, Sort::Bool)
            | (Pattern::Int, Sort::Int)
            | (Pattern::Real, Sort::Real)
            | (Pattern::String, Sort::String)
            | (Pattern::RegLan, Sort::RegLan)
            | (Pattern::RoundingMode, Sort::RoundingMode)
            | (Pattern::Array, Sort::Array(..))
            | (Pattern::Seq, Sort::Seq(_))
            | (Pattern::Set, Sort::Set(_))
            | (Pattern::Bag, Sort::Bag(_))
            | (Pattern::Relation(_), Sort::Set(_))
            | (Pattern::FiniteField, Sort::FiniteField(_))
            | (Pattern::Bv(_) | Pattern::BvExact(_) | Pattern::BvIndexSum, Sort::BitVec(_))
            | (Pattern::Float(_), Sort::Float { .. })
    ) || (matches!(pattern, Pattern::Any(_)) && is_general(store, sort))
}

/// Tries every choice of argument sorts. Recursion is as deep as a row is long.
fn tuples(
    store: &mut Store,
    row: &'static SignatureRow,
    signature: &ExpressionSignature,
    sorts: &[SortId],
    chosen: &mut Vec<SortId>,
    recipes: &mut Recipes,
) {
    if chosen.len() == signature.arity {
        if admits(store, &signature.args, chosen) {
            indexed(store, row, sorts, chosen, recipes);
        }
        return;
    }
    let Some(pattern) = row.arg(chosen.len(), signature.arity) else { return };
    let possible: Vec<SortId> = match pattern {
        Pattern::Function(params, result) => functions(store, params, *result, sorts),
        _ => sorts.iter().copied().filter(|&sort| may_be(store, pattern, sort)).collect(),
    };
    for sort in possible {
        chosen.push(sort);
        tuples(store, row, signature, sorts, chosen, recipes);
        chosen.pop();
    }
}

/// Returns the function sorts that match a pattern, over these sorts.
fn functions(store: &mut Store, params: &[Pattern], result: Pattern, sorts: &[SortId]) -> Vec<SortId> {
    let mut found = Vec::new();
    let known: Vec<SortId> = sorts.iter().copied().filter(|&sort| is_general(store, sort)).collect();
    for &first in &known {
        for &second in &known {
            let instance = |pattern: &Pattern| match pattern {
                Pattern::Any(0) => first,
                Pattern::Any(_) => second,
                Pattern::Int => SortId::INT,
                _ => SortId::BOOL,
            };
            let to = instance(&result);
            let map = params.iter().rev().fold(to, |to, from| store.sorts.intern(Sort::Map(instance(from), to)));
            if !found.contains(&map) {
                found.push(map);
            }
        }
    }
    found
}

/// Whether argument sorts are those required by a file.
fn admits(store: &Store, patterns: &[SortPattern], args: &[SortId]) -> bool {
    let mut bound: Vec<(&str, SortId)> = Vec::new();
    patterns.iter().zip(args).all(|(pattern, &sort)| match pattern {
        SortPattern::Free => true,
        SortPattern::Exactly(text) => store.sort_text(sort) == *text,
        SortPattern::Parameter(name) => match bound.iter().find(|b| b.0 == name) {
            Some(b) => b.1 == sort,
            None => {
                bound.push((name, sort));
                true
            }
        },
    })
}

/// Adds an operator on these arguments with every index that leads to a sort of the seed.
fn indexed(store: &mut Store, row: &'static SignatureRow, sorts: &[SortId], args: &[SortId], recipes: &mut Recipes) {
    let kind = row.kind;
    let width = args.first().and_then(|&s| store.sorts.width(s));
    let fixed = |store: &mut Store, op: Op, recipes: &mut Recipes| {
        if let Ok(result) = row.result_sort(op, args, &mut store.sorts)
            && sorts.contains(&result)
        {
            add(recipes, result, TermMaker::Operator(op), args);
        }
    };
    if row.indices == 0 {
        return fixed(store, Op::new(kind), recipes);
    }
    match (kind, width) {
        (Kind::BvRotateLeft | Kind::BvRotateRight, Some(width)) => {
            add(recipes, args[0], TermMaker::Drawn(kind, IndexRule::UpTo(width)), args);
        }
        // Few, so that they meet.
        _ if Op::new(kind).is_order() => add(recipes, SortId::BOOL, TermMaker::Drawn(kind, IndexRule::UpTo(1)), args),
        (Kind::IntDivisible, _) => add(recipes, SortId::BOOL, TermMaker::Drawn(kind, IndexRule::OneTo(9)), args),
        (Kind::RePower, _) => add(recipes, SortId::REGLAN, TermMaker::Drawn(kind, IndexRule::UpTo(MAX_INDEX)), args),
        (Kind::ReLoop, _) => add(recipes, SortId::REGLAN, TermMaker::Drawn(kind, IndexRule::Loop(MAX_INDEX)), args),
        _ => {
            for &sort in sorts {
                match (store.sorts.get(sort).clone(), width) {
                    (Sort::BitVec(result), Some(width)) => match kind {
                        Kind::BvExtract if result <= width => {
                            let rule = IndexRule::Slice { width, result };
                            add(recipes, sort, TermMaker::Drawn(kind, rule), args);
                        }
                        Kind::BvZeroExtend | Kind::BvSignExtend if result >= width => {
                            fixed(store, Op::indexed(kind, result - width, 0), recipes);
                        }
                        Kind::BvRepeat if result % width == 0 => {
                            fixed(store, Op::indexed(kind, result / width, 0), recipes);
                        }
                        _ => {}
                    },
                    // Conversions to a width or a format: `(_ fp.to_ubv m)`, `(_ int_to_bv m)`, `(_ to_fp eb sb)`.
                    (Sort::BitVec(result), None) if row.result == Pattern::BvIndex => {
                        fixed(store, Op::indexed(kind, result, 0), recipes);
                    }
                    (Sort::Float { eb, sb }, _) if row.result == Pattern::FloatIndex => {
                        fixed(store, Op::indexed(kind, eb, sb), recipes);
                    }
                    _ => {}
                }
            }
        }
    }
}

/// Adds the functions over sorts of the seed. Recursive ones are left out: a new call may not terminate.
fn add_functions(store: &Store, functions: &[FuncId], sorts: &[SortId], recipes: &mut Recipes) {
    for &f in functions {
        let func = store.func(f);
        let known = |s: &SortId| sorts.contains(s);
        let recursive = matches!(func.body, FuncBody::Recursive { .. });
        if !func.params.is_empty() && !recursive && known(&func.result) && func.params.iter().all(known) {
            add(recipes, func.result, TermMaker::Function(f), &func.params);
        }
    }
}

/// Constructors, testers and selectors of the seed's datatypes without parameters, and of tuples.
fn datatypes(store: &mut Store, sorts: &[SortId], recipes: &mut Recipes) {
    for &sort in sorts {
        let Sort::Datatype(d, ref args) = *store.sorts.get(sort) else { continue };
        if !args.is_empty() && !d.is_tuple() {
            continue;
        }
        for c in 0..store.datatype(d).constructors.len() {
            let fields = store.field_sorts(sort, c);
            if fields.iter().all(|f| sorts.contains(f)) {
                add(recipes, sort, TermMaker::Constructor(d, c as u32), &fields);
            }
            if !d.is_tuple() {
                add(recipes, SortId::BOOL, TermMaker::Tester(d, c as u32), &[sort]);
            }
            for (n, &field) in fields.iter().enumerate().filter(|(_, f)| sorts.contains(f)) {
                add(recipes, field, TermMaker::Selector(d, c as u32, n as u32), &[sort]);
            }
        }
    }
}
