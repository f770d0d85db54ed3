//! Signatures of reduced scripts: what two scripts that show one bug have in common.
//!
//! Reductions of one bug end at scripts that differ in names, constants, widths, nesting and in which of several equal
//! connectives is left. A signature keeps none of that: it holds the theory operators with the sorts they work on, and how the
//! script asks.

use crate::plan;
use finding::{BugClass, BugSeverity};
use serde::{Deserialize, Serialize};
use smtlib::{Command, Kind, Script, Sort, SortId, Store, TermId};
use std::collections::BTreeSet;
use std::fmt;

/// What scripts of one bug share.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct ScriptSignature {
    /// The class.
    pub class: BugClass,
    /// What the solver says against itself: the crash's signature, or its word that its answer is wrong; empty otherwise.
    pub symptom: String,
    /// Operators and sorts, in order; empty where the symptom alone names the place in the solver.
    pub skeleton: Vec<String>,
    /// The logic, if the reduced script needs one.
    pub logic: String,
    /// `plain`, `incremental`, or the tactic.
    pub mode: String,
    /// Options the solver needs, on its command line or in the script, in order.
    pub options: Vec<String>,
}

/// What is known of a finding beside its script.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Circumstances<'a> {
    /// The class.
    pub class: BugClass,
    /// What makes two runs show the same thing.
    pub symptom: &'a str,
    /// Options on the command line.
    pub options: &'a [String],
}

impl ScriptSignature {
    /// The signature of a script.
    pub fn of(store: &Store, script: &Script, circumstances: Circumstances<'_>) -> ScriptSignature {
        let Circumstances { class, symptom, options } = circumstances;
        // An answer is what the class says already.
        let symptom = if matches!(symptom, "sat" | "unsat" | "unknown") { "" } else { symptom };
        // A place in the source says more than the script; a bare signal says next to nothing.
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
}

impl fmt::Display for ScriptSignature {
    /// In one line, such as `A: mod(Int), under (then simplify smt), with x=true`.
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

/// Options that change what is printed, and nothing of what is decided.
fn is_harmless(key: &str) -> bool {
    matches!(key, ":print-success" | ":produce-models" | ":verbosity" | ":diagnostic-output-channel")
}

/// How a script asks.
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

/// Operators with the sorts they work on. Without any theory operator, that there are connectives.
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

/// What stands for all connectives: which of `and`, `or`, `not` and `=>` is left is chance.
const CONNECTIVE: &str = "connectives";

/// Operators that solvers rewrite into one another before anything else, with the one that stands for them.
const FAMILIES: &[(&[Kind], &str)] = {
    use Kind::*;
    &[
        (&[True, False, Not, Implies, And, Or], CONNECTIVE),
        (&[IntLe, IntLt, IntGe, IntGt], "<=(Int)"),
        (&[RealLe, RealLt, RealGe, RealGt], "<=(Real)"),
        (&[IntAdd, IntSub, IntNeg], "+(Int)"),
        (&[RealAdd, RealSub, RealNeg], "+(Real)"),
        (&[BvUlt, BvUle, BvUgt, BvUge], "bvule"),
        (&[BvSlt, BvSle, BvSgt, BvSge], "bvsle"),
        (&[BvAdd, BvSub, BvNeg], "bvadd"),
        (&[BvAnd, BvOr, BvNot, BvNand, BvNor], "bvand"),
        (&[Forall, Exists], "quantifier"),
        (&[Rne, Rna, Rtp, Rtn, Rtz], "rounding mode"),
        (&[Construct, Test, Select, Update, Match], "datatype"),
        (&[ApplyMap, FuncValue, Lambda], "higher order"),
    ]
};

/// Values without which a solver is taken to lack their whole theory.
const EMPTY: [&str; 3] = ["set.empty", "seq.empty", "bag.empty"];

/// Operators that values are written with, and without which a theory has hardly a problem.
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

/// The operators whose presence most likely shows what a reduced script shows, by their standard names: those of theories that no other
/// stands for, without those that values are written with if there are others. None where it asks by a tactic.
pub fn trigger(store: &Store, script: &Script) -> Vec<Box<str>> {
    if !matches!(mode(script).as_str(), "plain" | "incremental") {
        return Vec::new();
    }
    let is_basic = |kind: Kind| {
        FAMILIES.iter().any(|(kinds, _)| kinds.contains(&kind))
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

/// What a node adds to the skeleton.
fn part(store: &Store, t: TermId) -> Option<String> {
    let kind = store.kind(t);
    if let Some((_, name)) = FAMILIES.iter().find(|(kinds, _)| kinds.contains(&kind)) {
        return Some((*name).to_string());
    }
    let of_arguments = |name: &str| {
        let sort = store.args(t).last().map(|&a| head(store, store.sort(a)))?;
        Some(format!("{name}({sort})"))
    };
    match kind {
        Kind::Constant | Kind::Variable => None,
        // A variable of sort Bool is an atom; of other sorts, what is done with it tells.
        Kind::Apply if store.args(t).is_empty() => store.is_bool(t).then(|| CONNECTIVE.to_string()),
        Kind::Apply => Some("function".to_string()),
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

/// A sort without its width, format or elements.
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
