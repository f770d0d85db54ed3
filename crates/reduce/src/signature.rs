//! Signatures of reduced scripts: the common properties of scripts that show one bug.
//!
//! Reductions of one bug end at scripts that differ in names, constants, widths, nesting, and in the choice among equivalent connectives.
//! A signature omits all of that: it contains the theory operators with their sorts, and the mode of the script.

use crate::plan;
use finding::{BugClass, BugSeverity};
use serde::{Deserialize, Serialize};
use smtlib::{Command, Kind, Script, Sort, SortId, Store, TermId, plain_name};
use std::collections::BTreeSet;
use std::fmt;

/// Represents all connectives: which of `and`, `or`, `not` and `=>` remains is arbitrary.
const CONNECTIVE: &str = "connectives";

/// Operators that solvers first rewrite into others, with their representative in signatures and their name for people.
const FAMILIES: &[(&[Kind], &str, &str)] = {
    use Kind::*;
    &[
        (&[True, False, Not, Implies, And, Or], CONNECTIVE, CONNECTIVE),
        (&[IntLe, IntLt, IntGe, IntGt], "<=(Int)", "comparison(Int)"),
        (&[RealLe, RealLt, RealGe, RealGt], "<=(Real)", "comparison(Real)"),
        (&[IntAdd, IntSub, IntNeg], "+(Int)", "sum(Int)"),
        (&[RealAdd, RealSub, RealNeg], "+(Real)", "sum(Real)"),
        (&[BvUlt, BvUle, BvUgt, BvUge], "bvule", "unsigned comparison"),
        (&[BvSlt, BvSle, BvSgt, BvSge], "bvsle", "signed comparison"),
        (&[BvAdd, BvSub, BvNeg], "bvadd", "bit-vector sum"),
        (&[BvAnd, BvOr, BvNot, BvNand, BvNor], "bvand", "bitwise operator"),
        (&[Forall, Exists], "quantifier", "quantifier"),
        (&[Rne, Rna, Rtp, Rtn, Rtz], "rounding mode", "rounding mode"),
        (&[Construct, Test, Select, Update, Match], "datatype", "datatype"),
        (&[ApplyMap, FuncValue, Lambda], "higher order", "higher order"),
    ]
};

/// Values that are never a trigger: a solver that fails on them would seem to fail on the whole theory.
const EMPTY: [&str; 3] = ["set.empty", "seq.empty", "bag.empty"];

/// Operators that build values. They are a trigger only if the script has no other operator, since most scripts of their theory need them.
const BUILDERS: [&str; 13] = [
    "set.singleton",
    "set.insert",
    "set.member",
    "seq.unit",
    "seq.++",
    "bag",
    "str.++",
    "str.len",
    "concat",
    "fp",
    "select",
    "store",
    "ff.add",
];

/// The maximum number of operators named.
const MAX_OPERATORS: usize = 4;

/// The signature of a bug's scripts.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct ScriptSignature {
    /// The class.
    pub class: BugClass,
    /// The solver's own error: the crash's signature, or its message that the answer is wrong; empty otherwise.
    pub symptom: String,
    /// Sorted operators with sorts; empty where the symptom alone names the place in the solver.
    pub skeleton: Vec<String>,
    /// The logic, if the reduced script needs one.
    pub logic: String,
    /// `plain`, `incremental`, or the tactic.
    pub mode: String,
    /// Sorted options that the solver needs, on its command line or in the script.
    pub options: Vec<String>,
}

/// The properties of a finding besides its script.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Circumstances<'a> {
    /// The class.
    pub class: BugClass,
    /// The symptom.
    pub symptom: &'a str,
    /// Options on the command line.
    pub options: &'a [String],
}

impl ScriptSignature {
    /// Computes the signature of a script.
    pub fn of(store: &Store, script: &Script, circumstances: Circumstances<'_>) -> ScriptSignature {
        let Circumstances { class, symptom, options } = circumstances;
        // The class already contains the answer.
        let symptom = if matches!(symptom, "sat" | "unsat" | "unknown") { "" } else { symptom };
        // A source location is more specific than the script; a bare signal says almost nothing.
        let is_place = matches!(class.severity(), BugSeverity::Crash | BugSeverity::BrokenPromise)
            && !symptom.is_empty()
            && !symptom.starts_with("signal: ");
        let mut options: Vec<String> = options.to_vec();
        options.extend(script.commands.iter().filter_map(|command| match command {
            Command::SetOption(key, value) if !is_harmless(key) => Some(format!("{key}={value}")),
            _ => None,
        }));
        options.sort();
        options.dedup();
        let logic = script.commands.iter().find_map(|command| match command {
            Command::SetLogic(logic) => Some(store.name(*logic).to_string()),
            _ => None,
        });
        ScriptSignature {
            class,
            symptom: symptom.to_string(),
            skeleton: if is_place { Vec::new() } else { skeleton(store, script) },
            logic: logic.unwrap_or_default(),
            mode: mode(script),
            options,
        }
    }

    /// Returns the signature without the class for people: a representative of several operators is named by what they are.
    pub fn heading(&self) -> String {
        let named = |part: &String| match FAMILIES.iter().find(|(_, key, _)| key == part) {
            Some((.., name)) => (*name).to_string(),
            None => part.clone(),
        };
        let skeleton = self.skeleton.iter().map(named).collect();
        let text = ScriptSignature { skeleton, ..self.clone() }.to_string();
        text.split_once(':').map_or(text.clone(), |(_, rest)| rest.trim().to_string())
    }
}

impl fmt::Display for ScriptSignature {
    /// Formats the signature in one line, such as `A: mod(Int), under (then simplify smt), with x=true`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.class)?;
        if !self.symptom.is_empty() {
            write!(f, " {}", self.symptom)?;
        }
        if !self.skeleton.is_empty() {
            write!(f, " {}", self.skeleton.join(" "))?;
        }
        if !self.logic.is_empty() {
            write!(f, ", logic {}", self.logic)?;
        }
        match self.mode.as_str() {
            "plain" => {}
            "incremental" => f.write_str(", incremental")?,
            tactic => write!(f, ", under {tactic}")?,
        }
        if !self.options.is_empty() {
            write!(f, ", with {}", self.options.join(" "))?;
        }
        Ok(())
    }
}

/// Whether an option affects only the output.
fn is_harmless(key: &str) -> bool {
    matches!(key, ":print-success" | ":produce-models" | ":verbosity" | ":diagnostic-output-channel")
}

/// Returns the mode of a script.
fn mode(script: &Script) -> String {
    let tactic = script.commands.iter().find_map(|command| match command {
        Command::CheckSatUsing(tactic) => Some(tactic.split_whitespace().collect::<Vec<_>>().join(" ")),
        _ => None,
    });
    let checks = script.commands.iter().filter(|command| command.is_check()).count();
    let levels = script.commands.iter().any(|command| matches!(command, Command::Push(_)));
    match tactic {
        Some(tactic) => tactic,
        None if checks > 1 || levels => "incremental".to_string(),
        None => "plain".to_string(),
    }
}

/// Returns operators with their sorts. Without any theory operator, notes that there are connectives.
fn skeleton(store: &Store, script: &Script) -> Vec<String> {
    let mut parts = BTreeSet::new();
    for t in plan::terms(store, script) {
        parts.extend(part(store, t));
    }
    let connectives = parts.remove(CONNECTIVE);
    if parts.is_empty() && connectives {
        parts.insert(CONNECTIVE.to_string());
    }
    parts.into_iter().collect()
}

/// Returns the operators that most likely trigger the failure of a reduced script, by their standard names: theory operators, except
/// those that have a representative and, if others exist, those that build values. Returns none for a script with a tactic.
pub fn trigger(store: &Store, script: &Script) -> Vec<Box<str>> {
    if !matches!(mode(script).as_str(), "plain" | "incremental") {
        return Vec::new();
    }
    let is_basic = |kind: Kind| {
        FAMILIES.iter().any(|(kinds, ..)| kinds.contains(&kind))
            || matches!(kind, Kind::Constant | Kind::Variable | Kind::Apply | Kind::Eq | Kind::Distinct | Kind::Ite)
    };
    let mut names: BTreeSet<&str> = BTreeSet::new();
    for t in plan::terms(store, script) {
        let kind = store.kind(t);
        names.extend(smtlib::theories::row(kind).filter(|_| !is_basic(kind)).map(|row| row.name));
    }
    names.retain(|name| !EMPTY.contains(name));
    if names.iter().any(|name| !BUILDERS.contains(name)) {
        names.retain(|name| !BUILDERS.contains(name));
    }
    names.into_iter().map(Box::from).collect()
}

/// Returns what a node adds to the skeleton.
fn part(store: &Store, t: TermId) -> Option<String> {
    let kind = store.kind(t);
    if let Some((_, name, _)) = FAMILIES.iter().find(|(kinds, ..)| kinds.contains(&kind)) {
        return Some((*name).to_string());
    }
    let of_arguments = |name: &str| {
        let sort = store.args(t).last().map(|&a| head(store, store.sort(a)))?;
        Some(format!("{name}({sort})"))
    };
    match kind {
        Kind::Constant | Kind::Variable => None,
        // A Bool variable is an atom; for other sorts, the operators on it matter.
        Kind::Apply if store.args(t).is_empty() => store.is_bool(t).then(|| CONNECTIVE.to_string()),
        Kind::Apply => Some(own_operator(store, t).unwrap_or("function").to_string()),
        Kind::Eq | Kind::Distinct if store.args(t).first().is_some_and(|&a| store.is_bool(a)) => {
            Some(CONNECTIVE.to_string())
        }
        Kind::Eq | Kind::Distinct => of_arguments("="),
        Kind::Ite if store.is_bool(t) => Some(CONNECTIVE.to_string()),
        Kind::Ite => of_arguments("ite"),
        Kind::ConstArray | Kind::AsArray => Some("constant array".to_string()),
        _ => {
            let row = smtlib::theories::row(kind)?;
            let is_arithmetic = matches!(head(store, store.sort(*store.args(t).last()?)), "Int" | "Real");
            if is_arithmetic { of_arguments(row.name) } else { Some(row.name.to_string()) }
        }
    }
}

/// Returns the name, without indices, of an applied operator of a solver or of a theory as data.
fn own_operator(store: &Store, t: TermId) -> Option<&str> {
    let name = store.func(store.applied(t)?).name;
    store.is_of_theory(name).then(|| plain_name(store.name(name)))
}

/// Formats a sort without its width, format or elements.
fn head(store: &Store, sort: SortId) -> &'static str {
    match store.sorts.get(sort) {
        Sort::Bool => "Bool",
        Sort::Int => "Int",
        Sort::Real => "Real",
        Sort::String => "String",
        Sort::RegLan => "RegLan",
        Sort::RoundingMode => "RoundingMode",
        Sort::BitVec(_) => "BitVec",
        Sort::Float { .. } => "FloatingPoint",
        Sort::Array(..) => "Array",
        Sort::Set(_) => "Set",
        Sort::Bag(_) => "Bag",
        Sort::Map(..) => "Map",
        Sort::Seq(_) => "Seq",
        Sort::FiniteField(_) => "FiniteField",
        Sort::Uninterpreted(..) => "uninterpreted",
        Sort::Datatype(..) => "datatype",
        Sort::Parameter(_) => "parameter",
        Sort::Extension(..) => "extension",
    }
}

/// Returns the first few theory operators of a script in reading order.
pub fn operators(script: &str) -> Vec<String> {
    let mut store = Store::new();
    let script = smtlib::parse(&mut store, script).script;
    let roots = script.commands.iter().filter_map(|command| match command {
        Command::Assert(term, _) => Some(*term),
        Command::DefineFun(f) => Some(store.func(*f).definition()?.1),
        _ => None,
    });
    let mut open: Vec<TermId> = roots.collect();
    open.reverse();
    let mut seen = BTreeSet::new();
    let mut names: Vec<String> = Vec::new();
    while let Some(term) = open.pop() {
        if !seen.insert(term) {
            continue;
        }
        if let Some(name) = operator(&store, term)
            && !names.contains(&name)
        {
            names.push(name);
        }
        open.extend(store.args(term).iter().rev());
    }
    if names.len() > MAX_OPERATORS {
        names.truncate(MAX_OPERATORS);
        names.push("…".to_string());
    }
    names
}

/// Returns an operator's display name; `None` for those that occur in any script.
fn operator(store: &Store, term: TermId) -> Option<String> {
    match store.kind(term) {
        Kind::Constant | Kind::Variable | Kind::True | Kind::False | Kind::Not | Kind::And | Kind::Or => None,
        Kind::Implies | Kind::Xor | Kind::Eq | Kind::Distinct | Kind::Ite | Kind::Fp => None,
        Kind::Rne | Kind::Rna | Kind::Rtp | Kind::Rtn | Kind::Rtz => None,
        Kind::Forall | Kind::Exists => Some("quantifiers".to_string()),
        Kind::Apply if store.args(term).is_empty() => None,
        Kind::Apply => Some(own_operator(store, term).unwrap_or("functions").to_string()),
        Kind::ConstArray => Some("constant arrays".to_string()),
        // A value is not an operator.
        _ if store.args(term).is_empty() => None,
        kind => smtlib::theories::row(kind).map(|row| row.name.to_string()),
    }
}
