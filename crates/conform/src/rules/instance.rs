//! Finds the small instances of a rule: widths, sorts, lengths of lists and numbers at which the rewritten term and the premises are
//! well-sorted.

use super::build::{BuiltNode, RuleBuilder, RuleValue};
use super::operator::RuleOperator;
use super::rule::{Rule, RuleExpression, RuleSort};
use dashu_int::IBig;
use mutate::small_values::{constant, expressions};
use rustc_hash::{FxHashMap, FxHashSet};
use smtlib::{Kind, SortId, Store, TermId};
use std::ops::RangeInclusive;

/// The maximum number of terms examined in the search for instances of one rule, and the maximum number of kept instances.
const MAX_STEPS: usize = 8_000_000;
const MAX_INSTANCES: usize = 20_000;

/// The maximum widths of a variable: in rules with few bit-vector variables, and in rules with many.
const MAX_WIDTH: [u32; 2] = [4, 3];

/// The maximum width of the neutral element of an empty bit-vector list.
const MAX_NEUTRAL_WIDTH: u32 = 18;

/// A rule at given sizes, as terms over constants.
#[derive(Clone, Debug)]
pub struct RuleInstance {
    /// The premises.
    pub premises: Vec<TermId>,
    /// The left and right side.
    pub sides: [TermId; 2],
    /// The constants for the variables.
    pub constants: Vec<TermId>,
    /// The values of variables that are numbers or regular expressions: `n = 3`.
    pub fixed: Vec<String>,
}

/// The instances of a rule.
#[derive(Clone, Debug, Default)]
pub struct RuleInstances {
    /// The instances whose sides have the same sort.
    pub all: Vec<RuleInstance>,
    /// Some instances whose right side has another sort or is ill-sorted; the left side is stored in its place.
    pub ill_sorted: Vec<RuleInstance>,
    /// Whether there are more instances than listed.
    pub is_cut: bool,
}

/// The maximum number of kept instances with an ill-sorted right side.
const MAX_ILL_SORTED: usize = 1000;

/// Returns the small instances of a rule.
pub fn instances(rule: &Rule, builder: &mut RuleBuilder) -> RuleInstances {
    let of_left = rule.within(&rule.sides[..1]);
    let of_premises = rule.within(&rule.premises);
    let required = of_left.iter().zip(&of_premises).map(|(&a, &b)| a || b).collect();
    let mut search = RuleInstanceSearch {
        rule,
        is_matched: of_left,
        is_required: required,
        variables: vec![None; rule.variables.len()],
        built: vec![BuiltNode::Open; rule.nodes.len()],
        bound: 0,
        constants: FxHashMap::default(),
        seen: FxHashSet::default(),
        steps: 0,
        found: RuleInstances::default(),
        builder,
        expressions: Vec::new(),
    };
    let languages = rule.variables.iter().filter(|v| v.sort == RuleSort::Simple(SortId::REGLAN)).count();
    search.expressions = expressions(&mut search.builder.store, languages > 2);
    search.extend();
    let mut found = search.found;
    // The neutral element of an empty list has a width, which need not fit.
    let fitting: FxHashSet<(&[TermId], TermId)> = found.all.iter().map(|i| (&i.premises[..], i.sides[0])).collect();
    found.ill_sorted.retain(|i| !fitting.contains(&(&i.premises[..], i.sides[0])));
    found
}

struct RuleInstanceSearch<'r> {
    rule: &'r Rule,
    builder: &'r mut RuleBuilder,
    is_matched: Vec<bool>,
    is_required: Vec<bool>,
    variables: Vec<Option<RuleValue>>,
    built: Vec<BuiltNode>,
    bound: u64,
    constants: FxHashMap<(String, SortId), TermId>,
    seen: FxHashSet<(Vec<TermId>, TermId, Option<TermId>)>,
    steps: usize,
    found: RuleInstances,
    expressions: Vec<TermId>,
}

impl RuleInstanceSearch<'_> {
    /// Binds the remaining variables in all ways. The recursion depth is the number of variables.
    fn extend(&mut self) {
        self.steps += 1 + self.rule.nodes.len();
        if self.steps > MAX_STEPS || self.found.all.len() >= MAX_INSTANCES {
            self.found.is_cut = true;
            return;
        }
        let before = self.built.clone();
        if self.build() {
            match self.next() {
                None => self.keep(),
                Some((variable, candidates)) => {
                    self.bound |= 1 << variable;
                    for candidate in candidates {
                        self.variables[variable] = Some(candidate);
                        self.extend();
                    }
                    self.variables[variable] = None;
                    self.bound &= !(1 << variable);
                }
            }
        }
        self.built = before;
    }

    /// Builds all nodes whose variables are bound; returns false if the rule does not apply.
    fn build(&mut self) -> bool {
        for n in 0..self.rule.nodes.len() {
            if self.built[n] != BuiltNode::Open || self.rule.nodes[n].variables & !self.bound != 0 {
                continue;
            }
            let value = self.builder.build(self.rule, n, &self.variables, &self.built, self.is_matched[n]);
            self.built[n] = match value {
                Some(value) => BuiltNode::Value(value),
                None if self.is_required[n] => return false,
                None => BuiltNode::IllSorted,
            };
            if let (true, &BuiltNode::Value(RuleValue::Term(t))) = (self.rule.premises.contains(&n), &self.built[n])
                && self.builder.truth(t) == Some(false)
            {
                return false;
            }
        }
        true
    }

    /// Returns the next variable to bind, and its possible values: a number that a premise fixes, else the first variable in an order
    /// that finds ill-sorted terms early.
    fn next(&mut self) -> Option<(usize, Vec<RuleValue>)> {
        let open: Vec<usize> = (0..self.rule.variables.len()).filter(|v| self.bound >> v & 1 == 0).collect();
        for &premise in &self.rule.premises {
            for (left, right) in equations(self.rule, premise) {
                let RuleExpression::Variable(v) = self.rule.nodes[left].term else { continue };
                if !self.rule.variables[v].is_number || self.bound >> v & 1 == 1 {
                    continue;
                }
                if let &BuiltNode::Value(RuleValue::Term(t)) = &self.built[right] {
                    // If it is not a number, the rule does not apply.
                    return Some((v, self.builder.numeral(t).map(RuleValue::Term).into_iter().collect()));
                }
            }
        }
        let v = open.into_iter().min_by_key(|&v| self.rank(v))?;
        let candidates = self.candidates(v);
        Some((v, candidates))
    }

    fn rank(&self, v: usize) -> u32 {
        let variable = &self.rule.variables[v];
        match variable.sort {
            _ if variable.is_number && self.is_fixed_by_premise(v) => 5,
            _ if variable.is_number => 2,
            RuleSort::Simple(SortId::REGLAN) => 4,
            _ if variable.is_list => 3,
            RuleSort::Simple(_) | RuleSort::BitVec(_) => 0,
            _ => 1,
        }
    }

    fn is_fixed_by_premise(&self, v: usize) -> bool {
        self.rule.premises.iter().any(|&premise| {
            equations(self.rule, premise)
                .into_iter()
                .any(|(left, _)| self.rule.nodes[left].term == RuleExpression::Variable(v))
        })
    }

    fn candidates(&mut self, v: usize) -> Vec<RuleValue> {
        let variable = &self.rule.variables[v];
        if variable.is_number {
            let free = (0..self.rule.variables.len())
                .filter(|&v| self.rule.variables[v].is_number && !self.is_fixed_by_premise(v))
                .count();
            return numbers(free).map(|n| RuleValue::Term(self.builder.store.int(&IBig::from(n)))).collect();
        }
        let sorts = self.sorts(variable.sort);
        if !variable.is_list {
            if sorts[..] == [SortId::REGLAN] {
                return self.expressions.iter().map(|&t| RuleValue::Term(t)).collect();
            }
            let terms: Vec<Option<TermId>> = sorts.iter().map(|&sort| self.constant(&variable.name, sort)).collect();
            return terms.into_iter().flatten().map(RuleValue::Term).collect();
        }
        let lists = self.rule.variables.iter().filter(|v| v.is_list).count();
        let longest = if lists <= 2 { 3 } else { 2 };
        let mut all = Vec::new();
        if variable.sort == RuleSort::AnyBitVec {
            // An empty list has the neutral element as its value, with the width of its context.
            let wider = (1..=MAX_NEUTRAL_WIDTH).map(|w| self.builder.store.sorts.bitvec(w));
            all.extend(wider.map(|sort| RuleValue::List(Vec::new(), sort)));
        }
        let shortest = all.len().min(1);
        for sort in sorts {
            for length in shortest..=longest {
                if sort == SortId::REGLAN {
                    all.extend(self.languages(length).into_iter().map(|terms| RuleValue::List(terms, sort)));
                    continue;
                }
                let names = (1..=length).map(|n| format!("{}@{n}", variable.name));
                let terms: Option<Vec<TermId>> = names.map(|name| self.constant(&name, sort)).collect();
                all.extend(terms.map(|terms| RuleValue::List(terms, sort)));
            }
        }
        all
    }

    /// Returns lists of regular expressions: neighbours in the list of expressions, and repeated ones.
    fn languages(&self, length: usize) -> Vec<Vec<TermId>> {
        let list = &self.expressions;
        let at = |n: usize| list[n % list.len().max(1)];
        match length {
            0 => vec![Vec::new()],
            1 => list.iter().map(|&t| vec![t]).collect(),
            2 => (0..list.len()).map(|n| vec![at(n), at(n + 1)]).collect(),
            _ => Vec::new(),
        }
    }

    fn sorts(&mut self, sort: RuleSort) -> Vec<SortId> {
        let wide = self.rule.variables.iter().filter(|v| v.sort == RuleSort::AnyBitVec).count();
        let sorts = &mut self.builder.store.sorts;
        let bits = sorts.bitvec(2);
        match sort {
            RuleSort::Simple(sort) => vec![sort],
            RuleSort::BitVec(width) => vec![sorts.bitvec(width)],
            RuleSort::AnyBitVec => (1..=MAX_WIDTH[usize::from(wide > 3)]).map(|w| sorts.bitvec(w)).collect(),
            RuleSort::AnyArray => vec![sorts.array(bits, SortId::BOOL), sorts.array(SortId::BOOL, bits)],
            RuleSort::Any => vec![SortId::BOOL, SortId::INT, SortId::REAL, bits, SortId::STRING],
        }
    }

    fn constant(&mut self, name: &str, sort: SortId) -> Option<TermId> {
        let key = (name.to_string(), sort);
        if let Some(&known) = self.constants.get(&key) {
            return Some(known);
        }
        let t = constant(&mut self.builder.store, name, sort)?;
        self.constants.insert(key, t);
        Some(t)
    }

    /// Keeps the instance: all variables are bound, and the left side and the premises are well-sorted.
    fn keep(&mut self) {
        let term = |n: usize| match self.built[n] {
            BuiltNode::Value(RuleValue::Term(t)) => Some(t),
            _ => None,
        };
        let Some(left) = term(self.rule.sides[0]) else { return };
        let Some(premises) = self.rule.premises.iter().map(|&n| term(n)).collect::<Option<Vec<TermId>>>() else {
            return;
        };
        let right =
            term(self.rule.sides[1]).filter(|&right| self.builder.store.sort(right) == self.builder.store.sort(left));
        if !premises.iter().all(|&t| self.builder.store.is_bool(t)) {
            return;
        }
        let sides = [left, right.unwrap_or(left)];
        if (right.is_none() && self.found.ill_sorted.len() >= MAX_ILL_SORTED)
            || !self.seen.insert((premises.clone(), left, right))
        {
            return;
        }
        let (mut constants, mut fixed) = (Vec::new(), Vec::new());
        for (variable, value) in self.rule.variables.iter().zip(&self.variables) {
            let terms = match value {
                Some(RuleValue::Term(t)) => std::slice::from_ref(t),
                Some(RuleValue::List(terms, _)) => &terms[..],
                _ => &[],
            };
            let is_constant = |store: &Store, t: TermId| store.applied(t).is_some();
            for &t in terms {
                match is_constant(&self.builder.store, t) {
                    true => constants.push(t),
                    false => fixed.push(format!("{} = {}", variable.name, self.builder.store.term_text(t))),
                }
            }
        }
        let instance = RuleInstance { premises, sides, constants, fixed };
        match right {
            Some(_) => self.found.all.push(instance),
            None => self.found.ill_sorted.push(instance),
        }
    }
}

/// Returns the numbers tried for each of `free` variables not fixed by premises.
fn numbers(free: usize) -> RangeInclusive<i32> {
    match free {
        0..=2 => -2..=17,
        3 => -1..=9,
        _ => 0..=4,
    }
}

/// Returns the two sides of a premise that is an equation of two terms, in both directions.
fn equations(rule: &Rule, premise: usize) -> Vec<(usize, usize)> {
    match &rule.nodes[premise].term {
        RuleExpression::Application(RuleOperator::Theory(kinds, 0), args) if kinds[..] == [Kind::Eq] => {
            match args[..] {
                [a, b] => vec![(a, b), (b, a)],
                _ => Vec::new(),
            }
        }
        _ => Vec::new(),
    }
}
