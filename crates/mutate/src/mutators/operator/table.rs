//! The table of operators that may replace each other, read from text.
//!
//! One line per class: `bvand,bvor,bvxor`; one way only: `not -> and,or`; for some numbers of arguments only: `-,abs :arity
//! 1`, `:arity 2+`, `:arity 1-`. From `;` to the line's end is a comment.

pub use crate::data_file::DataFileProblem;
use smtlib::theories::{self, THEORIES};
use smtlib::{Kind, Op, SortId, Store, TermId};
use std::ops::RangeInclusive;

/// The project's own table.
pub const DEFAULT: &str = include_str!("../../../data/operator_mutations.txt");

/// One line of a table.
#[derive(Clone, PartialEq, Eq, Debug)]
struct OperatorRule {
    from: Vec<Kind>,
    to: Vec<Kind>,
    arity: RangeInclusive<usize>,
}

/// Which operators may replace which.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct OperatorTable {
    rules: Vec<OperatorRule>,
}

impl OperatorTable {
    /// Reads a table; unusable lines are left out and reported.
    pub fn read(text: &str) -> (OperatorTable, Vec<DataFileProblem>) {
        let (mut table, mut problems) = (OperatorTable::default(), Vec::new());
        for (n, line) in text.lines().enumerate() {
            let mut problem = |reason: String| problems.push(DataFileProblem { line: n + 1, reason });
            let line = line.split(';').next().unwrap_or("").trim();
            if line.is_empty() {
                continue;
            }
            let (names, arity) = match line.split_once(":arity") {
                Some((names, arity)) => (names.trim().trim_end_matches(':').trim(), read_arity(arity)),
                None => (line, Some(0..=usize::MAX)),
            };
            let Some(arity) = arity else {
                problem(format!("`{line}`: the arity must be N, N+ or N-"));
                continue;
            };
            let (from, to) = names.split_once("->").map_or((names, names), |(from, to)| (from, to));
            let mut side = |names: &str| -> Vec<Kind> {
                let mut kinds = Vec::new();
                for name in names.split(',').map(str::trim) {
                    let known = kinds_named(name);
                    if known.is_empty() {
                        problem(match name {
                            "" => "a name is missing between commas".to_string(),
                            _ => format!("`{name}` is not an operator of a standard theory"),
                        });
                    }
                    kinds.extend(known);
                }
                kinds
            };
            let from_kinds = side(from);
            let to_kinds = if from == to { from_kinds.clone() } else { side(to) };
            if !from_kinds.is_empty() && !to_kinds.is_empty() {
                table.rules.push(OperatorRule { from: from_kinds, to: to_kinds, arity });
            }
        }
        (table, problems)
    }

    /// Whether the table has no replacements.
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// The operators that may replace that of `t`, each once: they accept its arguments and give its sort. Indices are kept
    /// if the other operator has as many.
    pub fn replacements(&self, store: &mut Store, t: TermId, out: &mut Vec<Op>) {
        let (op, sort) = (store.op(t), store.sort(t));
        let binds = matches!(op.kind, Kind::Forall | Kind::Exists);
        let args: Vec<SortId> = store.args(t).iter().map(|&a| store.sort(a)).collect();
        let indices = theories::row(op.kind).map(|r| r.indices);
        for rule in self.rules.iter().filter(|r| r.arity.contains(&args.len()) || binds) {
            if !rule.from.contains(&op.kind) {
                continue;
            }
            for &kind in rule.to.iter().filter(|&&k| k != op.kind) {
                let new = Op { kind, ..op };
                let fits = match (indices, theories::row(kind)) {
                    (Some(indices), Some(row)) if row.indices == indices => {
                        row.result_sort(new, &args, &mut store.sorts) == Ok(sort)
                    }
                    (None, None) => binds && matches!(kind, Kind::Forall | Kind::Exists),
                    _ => false,
                };
                if fits && !out.contains(&new) {
                    out.push(new);
                }
            }
        }
    }
}

/// Returns the operators of a name: `-` is four of them.
fn kinds_named(name: &str) -> Vec<Kind> {
    match name {
        "forall" => vec![Kind::Forall],
        "exists" => vec![Kind::Exists],
        _ => {
            let rows = theories::rows().filter(|r| r.name == name).map(|r| r.kind);
            let aliases = THEORIES.iter().flat_map(|t| t.aliases).filter(|a| a.0 == name).map(|a| a.1);
            let mut kinds: Vec<Kind> = rows.chain(aliases).collect();
            kinds.dedup();
            kinds
        }
    }
}

/// `2`, `2+` (two or more) or `1-` (at most one).
fn read_arity(text: &str) -> Option<RangeInclusive<usize>> {
    let text = text.trim();
    let number = |text: &str| text.trim().parse::<usize>().ok();
    if let Some(low) = text.strip_suffix('+') {
        return Some(number(low)?..=usize::MAX);
    }
    if let Some(high) = text.strip_suffix('-') {
        return Some(0..=number(high)?);
    }
    let n = number(text)?;
    Some(n..=n)
}
