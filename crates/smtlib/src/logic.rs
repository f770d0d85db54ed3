//! Logics: the features that terms and declarations need, the features that a logic's name grants, and the smallest logic of a script.
//!
//! Solvers reject a script that leaves its logic, even by a mere declaration. Features are sets of the bits below.

use crate::extension_commands::OpaqueReason;
use crate::names::plain_name;
use crate::sort::Sort;
use crate::theories::extensions;
use crate::{Command, Constant, DatatypeId, Instance, Kind, Script, SortId, Store, TermId};

/// Binders.
pub const QUANTIFIERS: u32 = 1;
/// Arrays.
pub const ARRAYS: u32 = 1 << 1;
/// Functions that take arguments.
pub const FUNCTIONS: u32 = 1 << 2;
/// Bit-vectors.
pub const BITVECTORS: u32 = 1 << 3;
/// Floats and rounding modes.
pub const FLOATS: u32 = 1 << 4;
/// Datatypes.
pub const DATATYPES: u32 = 1 << 5;
/// Strings and regular expressions.
pub const STRINGS: u32 = 1 << 6;
/// Integers.
pub const INTEGERS: u32 = 1 << 7;
/// Reals.
pub const REALS: u32 = 1 << 8;
/// Products and quotients of more than one unknown.
pub const NONLINEAR: u32 = 1 << 9;
/// Arithmetic beyond comparing differences with numerals.
pub const SUMS: u32 = 1 << 10;
/// Declared sorts, without functions over them, which `QF_AX` lacks.
pub const SORTS: u32 = 1 << 12;
/// Finite sets, outside the standard: cvc5 names them `FS`.
pub const SETS: u32 = 1 << 14;
/// Bags, outside the standard; only the logic `ALL` has them.
pub const BAGS: u32 = 1 << 15;
/// Finite fields, outside the standard: cvc5 names them `FF`.
pub const FINITE_FIELDS: u32 = 1 << 16;
/// Functions as values, the theory HO-Core: cvc5 has it in logics whose names begin with `HO_`.
pub const HIGHER_ORDER: u32 = 1 << 17;
/// Separation logic, outside the standard; only the logic `ALL` has it.
pub const HEAPS: u32 = 1 << 18;
/// Tuples, relations and nullable sorts, outside the standard; only the logic `ALL` has them.
pub const RELATIONS: u32 = 1 << 19;
/// The orders of z3, outside the standard; only the logic `ALL` has them.
pub const ORDERS: u32 = 1 << 20;
/// Cardinalities and sums of formulas, outside the standard; only the logic `ALL` has them.
pub const CARDINALITIES: u32 = 1 << 21;
/// Features that only `ALL` grants.
pub const FOREIGN: u32 = 1 << 11;

/// Features by the names that profiles of solvers use.
const FEATURES: [(&str, u32); 19] = [
    ("quantifiers", QUANTIFIERS),
    ("arrays", ARRAYS),
    ("functions", FUNCTIONS),
    ("bit-vectors", BITVECTORS),
    ("floats", FLOATS),
    ("datatypes", DATATYPES),
    ("strings", STRINGS),
    ("integers", INTEGERS),
    ("reals", REALS),
    ("nonlinear", NONLINEAR),
    ("sorts", SORTS),
    ("sets", SETS),
    ("bags", BAGS),
    ("finite-fields", FINITE_FIELDS),
    ("higher-order", HIGHER_ORDER),
    ("heaps", HEAPS),
    ("relations", RELATIONS),
    ("orders", ORDERS),
    ("cardinalities", CARDINALITIES),
];

/// Returns the bits of the feature with this name.
pub fn feature(name: &str) -> Option<u32> {
    FEATURES.iter().find(|(known, _)| *known == name).map(|(_, bits)| *bits)
}

/// Returns the names of [`feature`], separated by commas.
pub fn feature_names() -> String {
    FEATURES.map(|(name, _)| name).join(", ")
}

/// Returns the features of a sort.
pub fn of_sort(store: &Store, sort: SortId) -> u32 {
    match store.sorts.get(sort) {
        Sort::Int => INTEGERS,
        Sort::Real => REALS,
        Sort::BitVec(_) => BITVECTORS,
        Sort::Float { .. } | Sort::RoundingMode => FLOATS,
        Sort::String | Sort::RegLan => STRINGS,
        Sort::Array(..) => ARRAYS,
        Sort::Set(_) => SETS,
        Sort::Bag(_) => BAGS,
        Sort::FiniteField(_) => FINITE_FIELDS,
        Sort::Datatype(d, _) if d.is_built_in() => RELATIONS,
        Sort::Datatype(..) => DATATYPES,
        Sort::Uninterpreted(..) => SORTS,
        Sort::Seq(_) => FOREIGN,
        Sort::Map(..) => HIGHER_ORDER,
        _ => 0,
    }
}

/// Returns the features of one node, without its children.
pub fn of_node(store: &Store, t: TermId) -> u32 {
    let args = store.args(t);
    let literal = |t: TermId| is_literal(store, t);
    // Floats are written with bits and decimals, even in logics without bit-vectors and reals.
    let mut features = if is_bits(store, t) { 0 } else { of_sort(store, store.sort(t)) };
    let in_float = matches!(store.kind(t), Kind::Fp | Kind::FpFromBits | Kind::FpFromReal);
    for &a in args.iter().take(3).filter(|&&a| !(in_float && literal(a))) {
        features |= of_sort(store, store.sort(a));
    }
    features
        | match store.kind(t) {
            Kind::Forall | Kind::Exists | Kind::Lambda => QUANTIFIERS,
            Kind::Apply if !args.is_empty() => FUNCTIONS | of_meaning(store, t),
            Kind::IntMul | Kind::RealMul if args.iter().filter(|&&a| !literal(a)).count() > 1 => NONLINEAR | SUMS,
            Kind::IntDiv | Kind::IntMod | Kind::IntRem | Kind::RealDiv
                if args[1..].iter().any(|&a| !literal(a) || is_zero(store, a)) =>
            {
                NONLINEAR | SUMS
            }
            Kind::IntPow | Kind::RealPow | Kind::IntPow2 | Kind::IntAnd | Kind::IntPiand | Kind::RealSqrt => {
                NONLINEAR | SUMS
            }
            Kind::IntSub | Kind::RealSub if args.len() == 2 && args.iter().all(|&a| is_simple(store, a)) => 0,
            Kind::IntMul | Kind::RealMul | Kind::IntAdd | Kind::RealAdd | Kind::IntSub | Kind::RealSub => SUMS,
            Kind::IntDiv | Kind::IntMod | Kind::IntAbs | Kind::IntDivisible | Kind::RealDiv => SUMS,
            Kind::ToReal | Kind::ToInt | Kind::IsInt => INTEGERS | REALS | SUMS,
            // Difference logics compare two variables, or a difference and a numeral.
            Kind::IntLe | Kind::IntLt | Kind::IntGe | Kind::IntGt if !compares_differences(store, args) => SUMS,
            Kind::RealLe | Kind::RealLt | Kind::RealGe | Kind::RealGt if !compares_differences(store, args) => SUMS,
            Kind::Eq | Kind::Distinct if is_number(store, args[0]) && !compares_differences(store, args) => SUMS,
            Kind::Ite if is_number(store, t) => SUMS,
            _ if store.op(t).heap().is_some() => HEAPS,
            _ if store.op(t).is_order() => ORDERS,
            _ => 0,
        }
}

/// Returns the features of a solver's operator with a meaning that no script defines.
fn of_meaning(store: &Store, t: TermId) -> u32 {
    let Some(name) = store.applied(t).map(|f| store.func(f).name).filter(|&name| store.is_of_theory(name)) else {
        return 0;
    };
    match plain_name(store.name(name)) {
        name if extensions::SUMS.contains(&name) => CARDINALITIES,
        name if extensions::ROWS.contains(&name) => HIGHER_ORDER | RELATIONS,
        _ => 0,
    }
}

/// Returns the features of all nodes of these terms.
pub fn of_terms(store: &Store, terms: &[TermId]) -> u32 {
    let mut seen = vec![false; store.len()];
    let mut stack = terms.to_vec();
    let mut features = 0;
    while let Some(t) = stack.pop() {
        if !std::mem::replace(&mut seen[t.index()], true) {
            features |= of_node(store, t);
            let in_float = store.kind(t) == Kind::FpFromReal;
            stack.extend(store.args(t).iter().filter(|&&a| !(in_float && is_literal(store, a))));
        }
    }
    features
}

fn compares_differences(store: &Store, args: &[TermId]) -> bool {
    args.iter().all(|&a| is_simple(store, a))
        || (args.len() == 2
            && args.iter().any(|&a| is_literal(store, a))
            && args.iter().all(|&a| is_literal(store, a) || matches!(store.kind(a), Kind::IntSub | Kind::RealSub)))
}

/// Whether a term is a symbol without arguments, or a literal.
fn is_simple(store: &Store, t: TermId) -> bool {
    is_literal(store, t) || (store.kind(t) == Kind::Apply && store.args(t).is_empty())
}

fn is_number(store: &Store, t: TermId) -> bool {
    matches!(store.sort(t), SortId::INT | SortId::REAL)
}

/// Whether a term is a bit-vector literal.
fn is_bits(store: &Store, t: TermId) -> bool {
    matches!(store.constant(t), Some(Constant::BitVec { .. }))
}

/// Whether a term is a literal number, its negation, or a quotient of literals.
fn is_literal(store: &Store, t: TermId) -> bool {
    let literal = |t: TermId| store.kind(t) == Kind::Constant;
    match store.kind(t) {
        Kind::Constant => true,
        Kind::IntNeg | Kind::RealNeg => store.args(t).iter().all(|&a| literal(a) || is_quotient(store, a)),
        _ => is_quotient(store, t),
    }
}

fn is_quotient(store: &Store, t: TermId) -> bool {
    store.kind(t) == Kind::RealDiv && store.args(t).iter().all(|&a| store.kind(a) == Kind::Constant)
}

fn is_zero(store: &Store, t: TermId) -> bool {
    match store.constant(t) {
        Some(Constant::Int(n)) => n.is_zero(),
        Some(Constant::Real(r)) => r.is_zero(),
        _ => false,
    }
}

/// The prefix of logics with functions as values.
pub(crate) const HIGHER_ORDER_PREFIX: &str = "HO_";

/// Returns the features that a logic grants by its name (SMT-LIB's naming convention); `None` if the name does not follow it.
pub fn granted(logic: &str) -> u32 {
    if logic == "ALL" {
        return u32::MAX;
    }
    if let Some(rest) = logic.strip_prefix(HIGHER_ORDER_PREFIX) {
        return granted(rest) | HIGHER_ORDER;
    }
    let (mut features, mut rest) = match logic.strip_prefix("QF_") {
        Some(rest) => (0, rest),
        None => (QUANTIFIERS, logic),
    };
    const PARTS: &[(&str, u32)] = &[
        ("AX", ARRAYS | SORTS),
        ("A", ARRAYS),
        ("UF", FUNCTIONS | SORTS),
        ("BV", BITVECTORS),
        ("FP", FLOATS),
        ("FS", SETS),
        ("FF", FINITE_FIELDS),
        ("DT", DATATYPES),
        ("SLIA", STRINGS | INTEGERS | SUMS),
        ("S", STRINGS | INTEGERS),
        ("IDL", INTEGERS),
        ("RDL", REALS),
        ("LIRA", INTEGERS | REALS | SUMS),
        ("NIRA", INTEGERS | REALS | SUMS | NONLINEAR),
        ("LIA", INTEGERS | SUMS),
        ("LRA", REALS | SUMS),
        ("NIA", INTEGERS | SUMS | NONLINEAR),
        ("NRA", REALS | SUMS | NONLINEAR),
    ];
    while !rest.is_empty() {
        let Some((part, grants)) = PARTS.iter().find(|(part, _)| rest.starts_with(part)) else { return 0 };
        features |= grants;
        rest = &rest[part.len()..];
    }
    features
}

/// Small scripts that need the theories of a logic's name: a solver that rejects one does not know the logic. (z3 4.15
/// accepts the name `QF_ABVFP`, but has no floats then.)
pub fn samples(logic: &str) -> impl Iterator<Item = &'static str> {
    const SAMPLES: &[(u32, &str)] = &[
        (BITVECTORS, "(declare-fun b!s () (_ BitVec 8))\n(assert (= b!s #x00))\n"),
        (FLOATS, "(declare-fun f!s () (_ FloatingPoint 5 11))\n(assert (fp.isNaN f!s))\n"),
        (STRINGS, "(declare-fun s!s () String)\n(assert (= s!s \"\"))\n"),
        (INTEGERS, "(declare-fun i!s () Int)\n(assert (<= i!s 0))\n"),
        (REALS, "(declare-fun r!s () Real)\n(assert (<= r!s 0.0))\n"),
    ];
    let granted = if logic == "ALL" { 0 } else { granted(logic) };
    SAMPLES.iter().filter(move |(part, _)| granted & part != 0).map(|(_, text)| *text)
}

/// The logics with benchmarks in the SMT-LIB library, smaller ones first.
const STANDARD: &str = "QF_UF QF_BV QF_IDL QF_RDL QF_FP QF_DT QF_AX QF_LIA QF_LRA QF_S QF_UFBV QF_ABV QF_BVFP QF_UFIDL QF_UFRDL QF_UFFP \
    QF_UFDT QF_NIA QF_NRA QF_LIRA QF_SLIA QF_UFLIA QF_UFLRA QF_ALIA QF_AUFBV QF_ABVFP QF_UFBVFP QF_UFNIA QF_UFNRA \
    QF_NIRA QF_AUFLIA QF_AUFBVFP QF_UFLIRA QF_ANIA QF_AUFNIA QF_AUFLIRA QF_AUFNIRA QF_UFDTLIA QF_UFDTLIRA QF_UFDTNIA \
    UF BV LIA LRA NIA NRA UFIDL UFBV ABV FP BVFP UFDT UFLIA UFLRA UFNIA UFNRA ALIA AUFLIA AUFLIRA AUFNIRA AUFBV \
    UFDTLIA UFDTLIRA UFDTNIA AUFDTLIA AUFDTLIRA";

/// Returns the smallest of a solver's accepted logics (by default the standard ones) that grants all features of an instance; for a
/// script that names no logic and a solver that requires one. `None` if no logic of the solver's own list does; `ALL` if no
/// standard one does, or a solver's own theory is involved.
///
/// Declarations count even if no assertion uses them, since a solver reads them, too.
pub fn smallest<'a>(store: &Store, instance: &Instance, accepted: &'a [String]) -> Option<&'a str> {
    let needed = of_instance(store, instance);
    let least = |logics: &mut dyn Iterator<Item = &'a str>| {
        logics.filter(|logic| needed & !granted(logic) == 0).min_by_key(|logic| (granted(logic) & !SORTS).count_ones())
    };
    match accepted {
        [] => least(&mut STANDARD.split_whitespace()).or(Some("ALL")),
        _ => least(&mut accepted.iter().map(String::as_str)),
    }
}

/// Returns the features of an instance's declarations and assertions.
pub fn of_instance(store: &Store, instance: &Instance) -> u32 {
    of_commands(store, &instance.declarations, instance.assertions.clone())
}

/// Returns the standard logics that grant all of `needed`, smaller ones first and `ALL` last.
pub fn holding(needed: u32) -> impl Iterator<Item = &'static str> {
    let mut logics: Vec<&str> = STANDARD.split_whitespace().filter(|logic| needed & !granted(logic) == 0).collect();
    logics.sort_by_key(|logic| (granted(logic) & !SORTS).count_ones());
    logics.into_iter().chain(["ALL"])
}

/// Returns the features of a script's declarations, assertions and queries.
pub fn of_script(store: &Store, script: &Script) -> u32 {
    let needed = of_commands(store, &script.commands, roots(&script.commands));
    if has_array_sets(store, &script.commands) { needed & !SETS } else { needed }
}

/// Returns the terms that are asserted, assumed or asked for.
fn roots(commands: &[Command]) -> Vec<TermId> {
    let mut roots = Vec::new();
    for command in commands {
        match command {
            Command::Assert(t, _) | Command::Extension(_, t, _) | Command::Rule(t, ..) => roots.push(*t),
            Command::CheckSatAssuming(terms) | Command::GetValue(terms) => roots.extend_from_slice(terms),
            _ => {}
        }
    }
    roots
}

/// Whether the sets of a script are z3's arrays of truth values, which it calls `(Set T)`: their operators are carried as text, and no
/// operator of finite sets occurs.
pub fn has_array_sets(store: &Store, commands: &[Command]) -> bool {
    let carried = |command: &Command| match command {
        Command::Opaque(text, OpaqueReason::Theory) => Some(text.contains("set.") || text.contains("FiniteSet")),
        _ => None,
    };
    let mut is_carried = false;
    for names_finite_sets in commands.iter().filter_map(carried) {
        if names_finite_sets {
            return false;
        }
        is_carried = true;
    }
    if !is_carried {
        return false;
    }
    let mut seen = vec![false; store.len()];
    let mut stack = roots(commands);
    while let Some(t) = stack.pop() {
        let kind = store.kind(t);
        if (Kind::SetEmpty..=Kind::RelJoinImage).contains(&kind) || (Kind::SetMap..=Kind::SetSome).contains(&kind) {
            return false;
        }
        if !std::mem::replace(&mut seen[t.index()], true) {
            stack.extend_from_slice(store.args(t));
        }
    }
    true
}

/// Returns the features of a script beyond its logic; none if it sets none. For a logic whose name does not follow the convention,
/// all features are beyond it.
pub fn beyond(store: &Store, script: &Script) -> u32 {
    let logic = script.commands.iter().find_map(|command| match command {
        Command::SetLogic(logic) => Some(store.name(*logic)),
        _ => None,
    });
    logic.map_or(0, |logic| of_script(store, script) & !granted(logic))
}

/// Returns the conventional name of the logic with exactly these features; `ALL` if there is none. The SMT-LIB library need not have
/// benchmarks for it.
pub fn name(needed: u32) -> String {
    let has = |part: u32| needed & part != 0;
    let is_beyond_fields = has(FINITE_FIELDS) && has(STRINGS | INTEGERS | REALS);
    if has(FOREIGN | SETS | BAGS | HIGHER_ORDER | HEAPS | RELATIONS | ORDERS | CARDINALITIES)
        || is_beyond_fields
        || (has(STRINGS) && has(ARRAYS | BITVECTORS | FLOATS))
    {
        return "ALL".to_string();
    }
    let mut name = if has(QUANTIFIERS) { String::new() } else { "QF_".to_string() };
    let before = name.len();
    match needed {
        INTEGERS => return name + "IDL",
        REALS => return name + "RDL",
        _ => {}
    }
    // The logic of arrays alone has declared sorts; those of arrays of bit-vectors and numbers have none without functions.
    let is_of_arrays = needed & !(QUANTIFIERS | SORTS) == ARRAYS;
    let has_functions = has(FUNCTIONS) || (has(SORTS) && !is_of_arrays);
    let parts = [
        (has(ARRAYS), "A"),
        (has_functions, "UF"),
        (has(BITVECTORS), "BV"),
        (has(FLOATS), "FP"),
        (has(FINITE_FIELDS), "FF"),
        (has(DATATYPES), "DT"),
        (has(STRINGS), "S"),
        (has(INTEGERS | REALS), if has(NONLINEAR) { "N" } else { "L" }),
        (has(INTEGERS), "I"),
        (has(REALS), "R"),
        (has(INTEGERS | REALS), "A"),
    ];
    parts.into_iter().filter(|(is_there, _)| *is_there).for_each(|(_, part)| name.push_str(part));
    match name.len() - before {
        // Booleans alone belong to the logic of uninterpreted functions.
        0 => name.push_str("UF"),
        1 if has(ARRAYS) => name.push('X'),
        _ => {}
    }
    name
}

/// Returns the features of declarations and terms.
fn of_commands(store: &Store, declarations: &[Command], mut roots: Vec<TermId>) -> u32 {
    let mut sorts = Vec::new();
    let mut features = 0;
    for command in declarations {
        let funcs = match command {
            Command::DeclareFun(f) | Command::DefineFun(f) => std::slice::from_ref(f),
            Command::DefineFunsRec(funcs) => {
                // A recursive function is an axiom with a quantifier.
                features |= QUANTIFIERS | FUNCTIONS;
                &funcs[..]
            }
            Command::DeclareSort(..) => {
                features |= SORTS;
                continue;
            }
            Command::DeclareHeap(location, data) => {
                features |= HEAPS;
                sorts.extend([*location, *data]);
                continue;
            }
            Command::DeclareDatatypes(first, _) => {
                features |= DATATYPES;
                sorts.extend(store.datatype_group(*first).flat_map(|d| field_sorts(store, d)));
                continue;
            }
            _ => continue,
        };
        for &f in funcs {
            let func = store.func(f);
            sorts.extend(func.params.iter().chain([&func.result]));
            match func.definition() {
                Some((_, body)) => roots.push(body),
                None if !func.params.is_empty() => features |= FUNCTIONS,
                None => {}
            }
        }
    }
    sorts.extend(compound_sorts(store, &roots));
    features | of_terms(store, &roots) | of_sorts(store, sorts)
}

fn field_sorts(store: &Store, datatype: DatatypeId) -> impl Iterator<Item = SortId> {
    store
        .datatype(datatype)
        .constructors
        .iter()
        .flat_map(|constructor| constructor.fields.iter().map(|&(_, sort)| sort))
}

/// Returns the features of sorts and their parts.
fn of_sorts(store: &Store, mut open: Vec<SortId>) -> u32 {
    let mut seen = vec![false; store.sorts.len()];
    let mut features = 0;
    while let Some(sort) = open.pop() {
        if std::mem::replace(&mut seen[sort.index()], true) {
            continue;
        }
        features |= of_sort(store, sort) | if is_foreign(store, sort) { FOREIGN } else { 0 };
        open.extend(store.sorts.children(sort));
        if let Sort::Datatype(d, _) = store.sorts.get(sort) {
            open.extend(field_sorts(store, *d));
        }
    }
    features
}

/// The compound or non-standard sorts in terms, and those of bound variables, which a solver reads even if nothing mentions the variable.
fn compound_sorts(store: &Store, roots: &[TermId]) -> Vec<SortId> {
    let mut seen = vec![false; store.len()];
    let mut stack = roots.to_vec();
    let mut sorts = Vec::new();
    while let Some(t) = stack.pop() {
        if !std::mem::replace(&mut seen[t.index()], true) {
            let sort = store.sort(t);
            if is_foreign(store, sort)
                || matches!(
                    store.sorts.get(sort),
                    Sort::Array(..) | Sort::Map(..) | Sort::Set(_) | Sort::Bag(_) | Sort::Datatype(..)
                )
            {
                sorts.push(sort);
            }
            if let Some(binder) = store.op(t).binder() {
                sorts.extend(store.binder(binder).vars.iter().map(|&(_, sort)| sort));
            }
            stack.extend_from_slice(store.args(t));
        }
    }
    sorts
}

/// Whether no standard logic has the sort. Sort parameters do not count: their instances are examined separately.
fn is_foreign(store: &Store, sort: SortId) -> bool {
    matches!(store.sorts.get(sort), Sort::Seq(_) | Sort::Extension(..))
}
