//! Randomly grown terms: operators of the signature tables over a problem's symbols, with corner values at the leaves.

use super::theme::ProblemVocabulary;
use crate::assignment::ValueGenerator;
use crate::mutator::TargetSpelling;
use crate::mutators::generative::signature::ExpressionSignature;
use crate::mutators::generative::{Recipe, Recipes, TermMaker, grouped, recipes};
use crate::rng::RandomStream;
use rustc_hash::FxHashMap;
use semantics::Value;
use smtlib::signature::Arity;
use smtlib::{Binder, DatatypeId, FuncId, Kind, Op, Sort, SortId, Store, TermId, logic, theories};

/// How often, in percent, a variadic operator gets three arguments.
const THREE: u32 = 15;

/// How often, in percent, an array is made of a function where these are drawn.
const LAMBDAS: u32 = 60;

/// The weight of an operator that takes a function, relative to others.
const TRAVERSALS: usize = 3;

/// The ways to make terms of some sorts.
#[derive(Clone, Debug, Default)]
pub struct Grammar {
    /// By sort, then by operator, so that one with many ranks is not drawn more often.
    by_sort: FxHashMap<SortId, Vec<Vec<Recipe>>>,
    /// The operators with arguments that are not connectives, as the indices of their groups.
    theory: Vec<(SortId, usize)>,
    /// Whether values of arrays can be written.
    has_constant_arrays: bool,
    /// Whether arrays are made of functions.
    has_lambdas: bool,
}

impl Grammar {
    /// Returns all operators of the standard's theories, and of sequences, sets and bags, at these sorts that a target supports, and the
    /// constructors, testers and selectors of their datatypes.
    pub fn new(store: &mut Store, vocabulary: &ProblemVocabulary, target: &TargetSpelling) -> Grammar {
        let (sorts, has_traversals) = (&vocabulary.sorts[..], vocabulary.has_traversals);
        let rows = theories::rows().filter(|row| super::theme::is_generated(row) && !target.lacks(row.kind));
        let rows = rows.filter(|row| has_traversals || !row.kind.is_traversal());
        let rows = rows.filter(|row| vocabulary.has_orders || row.is_evaluated());
        let mut signatures = Vec::new();
        for row in rows {
            signatures.push(ExpressionSignature { row: Some(row), arity: row.args.len(), args: Vec::new() });
            if row.arity != Arity::Exact && !target.lacks_with(row.kind, 3) {
                signatures.push(ExpressionSignature { row: Some(row), arity: 3, args: Vec::new() });
            }
        }
        let mut all: Recipes = recipes(store, &signatures, sorts, &[]);
        for list in all.values_mut() {
            list.retain(|recipe| !is_encoding(store, &recipe.maker) && !is_of_truth_values(recipe));
            list.retain(|recipe| !recipe.maker.kind().is_some_and(|kind| target.lacks_at(store, kind, &recipe.args)));
        }
        let has_constant_arrays = !target.lacks(Kind::ConstArray);
        let has_lambdas = vocabulary.has_lambdas;
        let mut grammar = Grammar { has_constant_arrays, has_lambdas, ..Grammar::default() };
        for &sort in sorts {
            let mut groups = grouped(all.get(&sort).map_or(&[][..], Vec::as_slice), |recipe| operator(&recipe.maker));
            let is_traversal = |group: &&Vec<Recipe>| group.iter().any(|recipe| is_traversal(&recipe.maker));
            let traversals: Vec<Vec<Recipe>> = groups.iter().filter(is_traversal).cloned().collect();
            groups.extend((1..TRAVERSALS).flat_map(|_| traversals.iter().cloned()));
            let of_theory = |recipe: &Recipe| !recipe.args.is_empty() && !is_connective(&recipe.maker);
            let places = groups.iter().enumerate().filter(|(_, group)| group.first().is_some_and(of_theory));
            grammar.theory.extend(places.filter(|_| sort != SortId::REGLAN).map(|(at, _)| (sort, at)));
            grammar.by_sort.insert(sort, groups);
        }
        for &f in &vocabulary.operators {
            match store.func(f).params.is_empty() {
                true => grammar.add(store, f),
                false => grammar.add_often(store, f),
            }
        }
        grammar
    }

    /// Adds a function; it counts as a separate operator.
    pub fn add(&mut self, store: &Store, f: FuncId) {
        let func = store.func(f);
        let recipe = Recipe { maker: TermMaker::Function(f), args: func.params.clone() };
        self.by_sort.entry(func.result).or_default().push(vec![recipe]);
    }

    /// Adds a function that is drawn as often as a quarter of the operators, also for terms of a theory.
    pub(super) fn add_often(&mut self, store: &Store, f: FuncId) {
        let result = store.func(f).result;
        let known = self.by_sort.get(&result).map_or(0, Vec::len);
        let of_theory = self.theory.len();
        (0..=known / 4).for_each(|_| self.add(store, f));
        self.theory.extend((0..=of_theory / 4).map(|_| (result, known)));
    }

    fn draw(&self, sort: SortId, rng: &mut RandomStream) -> Option<&Recipe> {
        Grammar::rank(rng.pick(self.by_sort.get(&sort)?)?, rng)
    }

    /// Returns a uniformly drawn operator of a theory, with its result sort.
    fn draw_of_theory(&self, rng: &mut RandomStream) -> Option<(SortId, &Recipe)> {
        let &(sort, at) = rng.pick(&self.theory)?;
        Some((sort, Grammar::rank(self.by_sort.get(&sort)?.get(at)?, rng)?))
    }

    fn rank<'g>(group: &'g [Recipe], rng: &mut RandomStream) -> Option<&'g Recipe> {
        // Those with three arguments are rarer.
        let usual: Vec<&Recipe> = group.iter().filter(|r| r.args.len() < 3 || !is_chain(&r.maker)).collect();
        match rng.percent(THREE) || usual.is_empty() {
            true => rng.pick(group),
            false => rng.pick(&usual).copied(),
        }
    }
}

/// Returns the key of one operator: all testers are one here, and all selectors.
fn operator(maker: &TermMaker) -> TermMaker {
    match maker {
        TermMaker::Tester(..) => TermMaker::Operator(Op::new(Kind::Test)),
        TermMaker::Selector(..) => TermMaker::Operator(Op::new(Kind::Select)),
        maker => maker.head(),
    }
}

/// Whether a datatype is the encoding of a sort of a theory as data, of whose constructors no solver knows.
pub(super) fn is_hidden(store: &Store, datatype: DatatypeId) -> bool {
    store.is_of_theory(store.datatype(datatype).name)
}

/// Whether a maker is a part of the encoding of a sort of a theory as data.
fn is_encoding(store: &Store, maker: &TermMaker) -> bool {
    match *maker {
        TermMaker::Constructor(d, _) | TermMaker::Tester(d, _) | TermMaker::Selector(d, ..) => is_hidden(store, d),
        _ => false,
    }
}

/// Whether this is an order of truth values, which nobody means.
fn is_of_truth_values(recipe: &Recipe) -> bool {
    let is_order = recipe.maker.kind().is_some_and(|kind| Op::new(kind).is_order());
    is_order && recipe.args.contains(&SortId::BOOL)
}

fn is_connective(maker: &TermMaker) -> bool {
    use Kind::{And, Implies, Ite, Not, Or, Xor};
    matches!(maker.kind(), Some(And | Or | Xor | Implies | Not | Ite))
}

fn is_traversal(maker: &TermMaker) -> bool {
    maker.kind().is_some_and(Kind::is_traversal)
}

fn is_chain(maker: &TermMaker) -> bool {
    maker.kind().and_then(theories::row).is_some_and(|row| row.arity != Arity::Exact)
}

/// Terms of one problem.
pub struct Grower<'g> {
    /// The operators.
    pub grammar: &'g Grammar,
    /// Draws values of sorts, often the same ones, so that they meet.
    pub values: &'g mut ValueGenerator,
    /// The symbols and variables in scope, by sort.
    pub scope: FxHashMap<SortId, Vec<TermId>>,
    /// The number of enclosing lambdas.
    pub lambdas: u32,
}

impl Grower<'_> {
    /// Returns a term of a sort, at most `fuel` operators deep; `None` if the grammar has none. Recursion is as deep as `fuel`.
    pub fn term(&mut self, store: &mut Store, sort: SortId, fuel: u32, rng: &mut RandomStream) -> Option<TermId> {
        let known = self.scope.get(&sort).is_some_and(|terms| !terms.is_empty());
        if fuel == 0 || (known && rng.percent(if sort == SortId::BOOL { 6 } else { 30 })) {
            return self.leaf(store, sort, rng);
        }
        if self.grammar.has_lambdas
            && let Sort::Array(index, element) = *store.sorts.get(sort)
            && rng.percent(LAMBDAS)
        {
            return self.array(store, index, element, fuel, rng);
        }
        match self.grammar.draw(sort, rng) {
            Some(recipe) => self.application(store, recipe, sort, fuel, rng),
            None => self.leaf(store, sort, rng),
        }
    }

    /// Returns a term with a theory's operator, at most `fuel` operators deep, at least one.
    pub fn theory_term(&mut self, store: &mut Store, fuel: u32, rng: &mut RandomStream) -> Option<TermId> {
        let (sort, recipe) = self.grammar.draw_of_theory(rng)?;
        self.application(store, recipe, sort, fuel.max(1), rng)
    }

    fn application(
        &mut self,
        store: &mut Store,
        recipe: &Recipe,
        sort: SortId,
        fuel: u32,
        rng: &mut RandomStream,
    ) -> Option<TermId> {
        let op = recipe.maker.operator(rng);
        let mut args = Vec::with_capacity(recipe.args.len());
        for &sort in &recipe.args {
            if matches!(store.sorts.get(sort), Sort::Map(..)) {
                let is_fold = matches!(op.map(|op| op.kind), Some(Kind::SetFold | Kind::BagFold));
                args.push(self.function(store, sort, is_fold, fuel - 1, rng)?);
                continue;
            }
            let literal = match op.map(|op| op.kind) {
                // Solvers require characters here, and usually a number there.
                Some(Kind::ReRange) => true,
                // Below 1 the value is open.
                Some(Kind::RelJoinImage) => sort == SortId::INT,
                Some(Kind::FpFromReal) => sort == SortId::REAL && rng.percent(50),
                _ => false,
            };
            let arg = match (literal, op.map(|op| op.kind)) {
                (true, Some(Kind::ReRange)) => character(store, rng),
                (true, Some(Kind::RelJoinImage)) => store.int(&rng.between(1, 3).into()),
                (true, _) => self.literal(store, sort, rng)?,
                _ => self.term(store, sort, fuel - 1, rng)?,
            };
            args.push(arg);
        }
        recipe.maker.apply(store, op, &args, sort)
    }

    /// Returns a function: a matching declared one, possibly with one more argument that it is given, or a lambda. For most folds over a
    /// set or bag the order of the elements does not matter.
    fn function(
        &mut self,
        store: &mut Store,
        sort: SortId,
        is_fold: bool,
        fuel: u32,
        rng: &mut RandomStream,
    ) -> Option<TermId> {
        let (mut params, mut result) = (Vec::new(), sort);
        while let Sort::Map(from, to) = *store.sorts.get(result) {
            params.push(from);
            result = to;
        }
        if rng.percent(30)
            && let Some(declared) = self.declared(store, &params, result, fuel, rng)
        {
            return Some(declared);
        }
        let before = self.scope.clone();
        // In the body of another lambda, terms get smaller and smaller.
        let fuel = if self.lambdas == 0 { fuel.max(1) } else { fuel };
        self.lambdas += 1;
        let (mut vars, mut variables) = (Vec::new(), Vec::new());
        for (n, &param) in params.iter().enumerate() {
            let (symbol, variable) = store.named_variable(&format!("e{}{n}", self.lambdas), param);
            vars.push((symbol, param));
            variables.push(variable);
            // The last argument of a fold, the result so far, is combined by a commutative operator.
            if !is_fold || n == 0 {
                self.scope.entry(param).or_default().extend([variable; 3]);
            }
        }
        let kinds = if is_fold && rng.percent(85) { commuting(store, result) } else { &[] };
        if is_fold && kinds.is_empty() {
            self.scope.entry(result).or_default().extend(variables.last());
        }
        let mut body = self.term(store, result, fuel, rng);
        if let (Some(part), Some(&kind), Some(&so_far)) = (body, rng.pick(kinds), variables.last()) {
            let parts = if rng.coin() { [part, so_far] } else { [so_far, part] };
            body = store.app(Op::new(kind), &parts).ok();
        }
        self.lambdas -= 1;
        self.scope = before;
        let binder = Binder { vars: vars.into(), patterns: [].into(), no_patterns: 0, qid: None, weight: None };
        store.bind(Kind::Lambda, binder, &[body?]).ok()
    }

    /// Returns an array made of a function: a lambda, a declared function, or an operator applied to the elements of other arrays.
    fn array(
        &mut self,
        store: &mut Store,
        index: SortId,
        element: SortId,
        fuel: u32,
        rng: &mut RandomStream,
    ) -> Option<TermId> {
        // z3 takes no operators with indices there, and no more arguments than its declaration has.
        let fits = |recipe: &&Recipe| {
            let row = recipe.maker.kind().and_then(theories::row);
            row.is_some_and(|row| row.indices == 0 && !row.args.is_empty() && recipe.args.len() == row.args.len())
        };
        if rng.coin()
            && let Some(recipe) = self.grammar.draw(element, rng).filter(fits)
            && let Some(kind) = recipe.maker.kind()
        {
            let of = |sort: &SortId| store.sorts.array(index, *sort);
            let sorts: Vec<SortId> = recipe.args.iter().map(of).collect();
            let arrays = sorts.iter().map(|&sort| self.term(store, sort, fuel - 1, rng)).collect::<Option<Vec<_>>>()?;
            return store.mapped_operator(kind, &arrays).ok();
        }
        let map = store.sorts.intern(Sort::Map(index, element));
        let function = self.function(store, map, false, fuel - 1, rng)?;
        let sort = store.sorts.array(index, element);
        match store.op(function).func().filter(|_| store.kind(function) == Kind::FuncValue) {
            Some(f) => store.as_array(f).ok(),
            None => store.map_as_array(function, sort),
        }
    }

    /// Returns a declared function of this rank, or one with leading arguments, which are supplied.
    fn declared(
        &mut self,
        store: &mut Store,
        params: &[SortId],
        result: SortId,
        fuel: u32,
        rng: &mut RandomStream,
    ) -> Option<TermId> {
        let groups = self.grammar.by_sort.get(&result)?.iter().flatten();
        let fits = |recipe: &&Recipe| matches!(recipe.maker, TermMaker::Function(_)) && recipe.args.ends_with(params);
        let fits: Vec<&Recipe> = groups.filter(fits).collect();
        let recipe = rng.pick(&fits).copied()?;
        let TermMaker::Function(f) = recipe.maker else { return None };
        let mut function = store.func_value(f).ok()?;
        for &given in &recipe.args[..recipe.args.len() - params.len()] {
            let argument = self.term(store, given, fuel.min(1), rng)?;
            function = store.apply_map(function, argument).ok()?;
        }
        Some(function)
    }

    fn leaf(&mut self, store: &mut Store, sort: SortId, rng: &mut RandomStream) -> Option<TermId> {
        let symbol = self.scope.get(&sort).and_then(|terms| rng.pick(terms)).copied();
        match symbol {
            Some(symbol) if rng.percent(78) => Some(symbol),
            _ => self.literal(store, sort, rng).or(symbol),
        }
    }

    /// Returns a value of a sort as a term.
    pub fn literal(&mut self, store: &mut Store, sort: SortId, rng: &mut RandomStream) -> Option<TermId> {
        if matches!(store.sorts.get(sort), Sort::RegLan) {
            return language(store, self.values, rng);
        }
        let value = self.value(store, sort, rng)?;
        value.to_term(store, sort)
    }

    /// Returns a value of a sort; `None` for an uninterpreted one, whose elements have no names, and for arrays unless the solver has
    /// constant ones.
    pub fn value(&mut self, store: &mut Store, sort: SortId, rng: &mut RandomStream) -> Option<Value> {
        match store.sorts.get(sort) {
            Sort::Uninterpreted(..) => None,
            _ if !self.grammar.has_constant_arrays && logic::of_sort(store, sort) & logic::ARRAYS != 0 => None,
            _ => self.values.value(store, sort, rng),
        }
    }
}

/// Associative and commutative operators on a sort.
fn commuting(store: &Store, sort: SortId) -> &'static [Kind] {
    match store.sorts.get(sort) {
        Sort::Bool => &[Kind::And, Kind::Or, Kind::Xor],
        Sort::Int => &[Kind::IntAdd, Kind::IntAdd, Kind::IntMul],
        Sort::BitVec(_) => &[Kind::BvAdd, Kind::BvXor, Kind::BvAnd, Kind::BvOr, Kind::BvMul],
        Sort::Set(_) => &[Kind::SetUnion, Kind::SetUnion, Kind::SetInter],
        Sort::Bag(_) => &[Kind::BagUnionDisjoint, Kind::BagUnionMax, Kind::BagInterMin],
        _ => &[],
    }
}

fn character(store: &mut Store, rng: &mut RandomStream) -> TermId {
    let base = [b'a', b'a', b'0', b'A'][rng.index(4)];
    store.string(&[u32::from(base) + rng.below(4) as u32])
}

fn language(store: &mut Store, values: &mut ValueGenerator, rng: &mut RandomStream) -> Option<TermId> {
    let op = |kind| Op::new(kind);
    match rng.below(6) {
        0 => store.app(op(Kind::ReAllchar), &[]).ok(),
        1 => store.app(op(if rng.coin() { Kind::ReAll } else { Kind::ReNone }), &[]).ok(),
        2 => {
            let ends = [character(store, rng), character(store, rng)];
            store.app(op(Kind::ReRange), &ends).ok()
        }
        _ => {
            let word = values.value(store, SortId::STRING, rng)?.to_term(store, SortId::STRING)?;
            store.app(op(Kind::StrToRe), &[word]).ok()
        }
    }
}
