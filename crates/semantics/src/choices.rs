//! A model's choices where the standard leaves a value open, written and read as definitions.
//!
//! SMT-LIB has no such text. The model validation of SMT-COMP takes a definition of the theory's function under its own name,
//! `(define-fun div ((a Int) (b Int)) Int (ite (= b 0) 7 (div a b)))`, whose body means the theory's function by that name.
//! So do we. An indexed function goes by its name alone (`fp.to_ubv`), as the rank says the index.

use crate::ite_chain::{CaseKey, IteChain, ite_chain_under};
use crate::model::{FunctionTable, Model};
use crate::model_definitions::{WitnessError, fresh_name};
use crate::open::{self, sort_of};
use crate::value::Value;
use dashu_int::IBig;
use dashu_ratio::RBig;
use rustc_hash::{FxHashMap, FxHashSet};
use smtlib::signature::Pattern;
use smtlib::term::HAS_PARTIAL;
use smtlib::{Command, Func, FuncBody, Kind, Op, Sort, SortId, Store, Symbol, TermId, theories};

/// Returns the zero at which an operator leaves its value open, by the sort of its operands; `None` unless it is a division.
fn zero_divisor(store: &mut Store, op: Op) -> Option<TermId> {
    match op.kind {
        Kind::RealDiv => Some(store.real(&RBig::ZERO)),
        Kind::IntDiv | Kind::IntMod | Kind::IntRem => Some(store.int(&IBig::ZERO)),
        _ => None,
    }
}

impl Model {
    /// Returns the choices of the model: one definition per operator under its own name, by ascending operator. Where the model
    /// makes no choice the definition calls the operator.
    /// Errors: [`WitnessError`] if there is no such text.
    pub fn choice_definitions(&self, store: &mut Store) -> Result<Vec<Command>, WitnessError> {
        // A parameter may shadow names that the values do not mention.
        let taken: FxHashSet<String> = store.function_names().map(|name| store.name(name).to_string()).collect();
        let mut commands = Vec::new();
        for (op, table) in self.choices() {
            let mut ranks: Vec<(Vec<SortId>, ChoiceRows<'_>)> = Vec::new();
            for (args, value) in table.rows() {
                let sorts = args.iter().map(|a| sort_of(store, a)).collect::<Option<Vec<SortId>>>();
                let sorts = sorts.ok_or(WitnessError::Choice(op.kind))?;
                match ranks.iter_mut().find(|r| r.0 == sorts) {
                    Some(rank) => rank.1.push((args, value)),
                    None => ranks.push((sorts, vec![(args, value)])),
                }
            }
            if let (Some(_), true) = (table.default_value(), ranks.is_empty()) {
                let value = table.default_value().and_then(|value| sort_of(store, value));
                let sorts = match (op.kind, value) {
                    (Kind::RealDiv, _) => vec![SortId::REAL; 2],
                    (Kind::SeqNth, Some(element)) => vec![store.sorts.seq(element), SortId::INT],
                    _ => vec![SortId::INT; 2],
                };
                ranks.push((sorts, Vec::new()));
            }
            for (sorts, rows) in ranks {
                let name = |n| fresh_name(&format!("x!{n}"), &taken);
                let params: Vec<(String, SortId)> = sorts.into_iter().enumerate().map(|(n, s)| (name(n), s)).collect();
                let f = definition(store, op, &params, RankCases { rows, default: table.default_value() });
                commands.push(Command::DefineFun(store.declare(f.ok_or(WitnessError::Choice(op.kind))?)));
            }
        }
        Ok(commands)
    }
}

/// Rows of a table.
type ChoiceRows<'t> = Vec<(&'t [Value], &'t Value)>;

/// The choices at one rank of an operator.
struct RankCases<'t> {
    rows: ChoiceRows<'t>,
    default: Option<&'t Value>,
}

/// Where an operator with a default is open: a division at divisor zero, `seq.nth` out of range.
fn is_open(store: &mut Store, op: Op, terms: &[TermId]) -> Option<TermId> {
    let &[first, second] = terms else { return None };
    if op.kind != Kind::SeqNth {
        let zero = zero_divisor(store, op)?;
        return store.eq(second, zero).ok();
    }
    let zero = store.int(&IBig::ZERO);
    let length = store.app(Op::new(Kind::SeqLen), &[first]).ok()?;
    let is_within = [
        store.app(Op::new(Kind::IntLe), &[zero, second]).ok()?,
        store.app(Op::new(Kind::IntLt), &[second, length]).ok()?,
    ];
    let is_within = store.and(&is_within);
    Some(store.not(is_within))
}

/// Returns the definition of an operator at a rank.
fn definition(store: &mut Store, op: Op, params: &[(String, SortId)], cases: RankCases<'_>) -> Option<Func> {
    let (vars, terms): (Vec<Symbol>, Vec<TermId>) =
        params.iter().map(|(name, sort)| store.named_variable(name, *sort)).collect();
    let whole = open::apply(store, op, &terms)?;
    let result = store.sort(whole);
    let mut body = whole;
    if let Some(value) = cases.default {
        let condition = is_open(store, op, &terms)?;
        let value = value.to_term(store, result)?;
        body = store.app(Op::new(Kind::Ite), &[condition, value, body]).ok()?;
    }
    for (args, value) in cases.rows.iter().rev() {
        let mut condition = Vec::with_capacity(args.len());
        for ((arg, (_, sort)), &var) in args.iter().zip(params).zip(&terms) {
            let arg = arg.to_term(store, *sort)?;
            condition.push(store.eq(var, arg).ok()?);
        }
        let condition = store.and(&condition);
        let value = value.to_term(store, result)?;
        body = store.app(Op::new(Kind::Ite), &[condition, value, body]).ok()?;
    }
    let name = match (op.kind, op.constructor(), op.field()) {
        (Kind::Select, Some((d, c)), Some(field)) => store.datatype(d).constructors.get(c)?.fields.get(field)?.0,
        _ => store.symbols.intern(theories::row(op.kind)?.name),
    };
    Some(Func {
        name,
        params: params.iter().map(|p| p.1).collect(),
        result,
        body: FuncBody::Defined { vars: vars.into(), body },
    })
}

/// A definition of an operator whose value the standard leaves open somewhere.
pub(crate) struct ChoiceDefinition {
    pub(crate) op: Op,
    chain: IteChain,
}

impl ChoiceDefinition {
    /// Reads a definition under the name of a theory's operator or a datatype's selector. `None` if it is not such an
    /// operator, or its body is not a chain of cases: then nothing is chosen.
    pub(crate) fn of(store: &mut Store, name: &str, vars: &[Symbol], params: &[SortId], body: TermId) -> Option<Self> {
        let terms: Vec<TermId> = vars.iter().zip(params).map(|(&v, &s)| store.bound_variable(v, s)).collect();
        let whole = operator(store, name, &terms, store.sort(body))?;
        let op = store.op(whole);
        let mut known = vec![None; vars.len()];
        if let (Some(zero), [_, divisor]) = (zero_divisor(store, op), known.as_mut_slice()) {
            *divisor = Some(CaseKey::Term(zero));
        }
        let chain = ite_chain_under(store, vars, &known, Some(whole), body)?;
        Some(ChoiceDefinition { op, chain })
    }

    /// Returns all terms of the definition.
    pub(crate) fn terms(&self) -> Vec<TermId> {
        self.chain.terms()
    }

    /// Adds the choices to a model, given the values of the terms. Earlier choices stay.
    pub(crate) fn put(&self, model: &mut Model, values: &FxHashMap<TermId, Value>) {
        let Some(table) = self.chain.table(values) else { return };
        let made = model.choices_of(self.op).cloned().unwrap_or_default();
        let mut all = FunctionTable::new(made.default_value().or(table.default_value()).cloned());
        for (args, value) in table.rows().into_iter().chain(made.rows()) {
            all.insert(args.into(), value.clone());
        }
        model.choose_table(self.op, all);
    }
}

/// Applies the operator of this name and result sort to these terms, if the standard leaves some value of it open.
fn operator(store: &mut Store, name: &str, terms: &[TermId], result: SortId) -> Option<TermId> {
    for row in theories::rows().filter(|row| row.name == name && row.takes(terms.len())) {
        let i = match (row.result, store.sorts.get(result)) {
            (Pattern::BvIndex, Sort::BitVec(width)) => *width,
            _ => 0,
        };
        if let Ok(whole) = store.app(Op::indexed(row.kind, i, 0), terms)
            && store.sort(whole) == result
            && store.flags(whole) & HAS_PARTIAL != 0
        {
            return Some(whole);
        }
    }
    let &[whole] = terms else { return None };
    let Sort::Datatype(d, _) = *store.sorts.get(store.sort(whole)) else { return None };
    let places = store.datatype(d).constructors.iter().enumerate();
    let mut places =
        places.flat_map(|(c, constructor)| (0..constructor.fields.len()).map(move |f| (c, f, constructor)));
    let (c, field, _) = places.find(|&(_, field, constructor)| store.name(constructor.fields[field].0) == name)?;
    store.selector(d, c, field, whole).ok().filter(|&t| store.sort(t) == result)
}
