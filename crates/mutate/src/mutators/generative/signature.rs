//! The signatures new terms are built from, as data: rows of the theories, or a file of `(op T1 … Tn T :attribute)`.

use crate::data_file::DataFileProblem;
use smtlib::sexpr::{SexprNode, Sexprs};
use smtlib::signature::{Arity, OperatorOrigin, SignatureRow};
use smtlib::{Kind, theories};

/// A sort as a file says it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SortPattern {
    /// Any sort that fits the operator.
    Free,
    /// Exactly the sort of this text.
    Exactly(String),
    /// A parameter of `(par (A …) …)`: the same sort wherever it stands.
    Parameter(String),
}

/// One signature.
#[derive(Clone, Debug)]
pub struct ExpressionSignature {
    /// The operator; none for `id`, which is any expression itself.
    pub row: Option<&'static SignatureRow>,
    /// How many arguments are given.
    pub arity: usize,
    /// Which sorts the arguments may have; empty where the row alone says it.
    pub args: Vec<SortPattern>,
}

/// The operators left out of what is generated: solvers want literals for their arguments (`re.range`, `to_fp` of a real) or
/// do not all have them (z3 4.15 has no `divisible`).
const LEFT_OUT: &[Kind] = &[Kind::ReRange, Kind::FpFromReal, Kind::IntDivisible];

/// All operators of the 2.6 standard, and `id`. An operator with any number of arguments is used with two, and those of
/// the core and arithmetic with three too.
pub fn standard() -> Vec<ExpressionSignature> {
    let mut list = vec![ExpressionSignature { row: None, arity: 1, args: Vec::new() }];
    for row in theories::rows().filter(|r| r.origin == OperatorOrigin::Standard && !LEFT_OUT.contains(&r.kind)) {
        list.push(ExpressionSignature { row: Some(row), arity: row.args.len(), args: Vec::new() });
        if row.arity != Arity::Exact && takes_three(row.kind) {
            list.push(ExpressionSignature { row: Some(row), arity: 3, args: Vec::new() });
        }
    }
    list
}

/// Whether all solvers take three arguments of an operator that the standard gives any number.
fn takes_three(kind: Kind) -> bool {
    use Kind::*;
    matches!(
        kind,
        And | Or | Implies | Xor | Eq | Distinct | IntAdd | IntMul | IntSub | RealAdd | RealMul | RealSub | StrConcat
    )
}

/// Reads signatures, one a line: `(op T1 … Tn T)`, `(op T1 T2 T :left-assoc)` or `(par (A) (op A A))`. From `;` to the line's
/// end is a comment. Lines that cannot be used are left out and reported.
pub fn read(text: &str) -> (Vec<ExpressionSignature>, Vec<DataFileProblem>) {
    let (mut list, mut problems) = (Vec::new(), Vec::new());
    for (n, line) in text.lines().enumerate() {
        // A text of blanks and comments holds no expression.
        let bare = line.split(';').next().unwrap_or("");
        if bare.trim().is_empty() {
            continue;
        }
        match read_line(line) {
            Ok(signatures) => list.extend(signatures),
            Err(reason) => problems.push(DataFileProblem { line: n + 1, reason }),
        }
    }
    (list, problems)
}

fn read_line(line: &str) -> Result<Vec<ExpressionSignature>, String> {
    let sexprs = Sexprs::read_whole(line).ok_or("parentheses or quotes do not match")?;
    let mut top = sexprs.top();
    let (Some(mut entry), None) = (top.next(), top.next()) else { return Err("expected one `( … )`".to_string()) };
    let mut parameters: Vec<&str> = Vec::new();
    if let Some(parts) = sexprs.headed(entry, "par") {
        let &[names, inner] = &parts[..] else { return Err("expected `(par (A …) (op …))`".to_string()) };
        parameters = sexprs.children(names).map(|n| sexprs.text(n)).collect();
        entry = inner;
    }
    let parts: Vec<SexprNode> = sexprs.children(entry).collect();
    let text = |n: SexprNode| sexprs.text(n);
    let Some((&head, sorts)) = parts.split_first() else { return Err("expected `(op T1 … Tn T)`".to_string()) };
    let is_attribute = |n: SexprNode| text(n).starts_with(':');
    let sorts: Vec<SexprNode> = sorts.iter().copied().filter(|&n| !is_attribute(n)).collect();
    let Some((&result, args)) = sorts.split_last() else { return Err(format!("`{}` has no result sort", text(head))) };
    let pattern = |n: SexprNode| match text(n) {
        name if parameters.contains(&name) => SortPattern::Parameter(name.to_string()),
        exact => SortPattern::Exactly(exact.split_whitespace().collect::<Vec<_>>().join(" ")),
    };
    let patterns: Vec<SortPattern> = args.iter().map(|&n| pattern(n)).collect();
    let name = operator_name(&sexprs, head);
    if name == "id" {
        return Ok(vec![ExpressionSignature { row: None, arity: 1, args: vec![pattern(result)] }]);
    }
    let named = |row: &&'static SignatureRow| {
        row.name == name || theories::THEORIES.iter().flat_map(|t| t.aliases).any(|a| a.0 == name && a.1 == row.kind)
    };
    let rows: Vec<&'static SignatureRow> = theories::rows().filter(named).collect();
    if rows.is_empty() {
        return Err(format!("`{name}` is no operator of a standard theory"));
    }
    let fitting: Vec<ExpressionSignature> = rows
        .into_iter()
        .filter(|row| row.takes(args.len()))
        .map(|row| ExpressionSignature { row: Some(row), arity: args.len(), args: patterns.clone() })
        .collect();
    if fitting.is_empty() {
        return Err(format!("`{name}` does not take {} arguments", args.len()));
    }
    Ok(fitting)
}

/// The name of `op` or `(_ op i j)`.
fn operator_name<'l>(sexprs: &Sexprs<'l>, head: SexprNode) -> &'l str {
    match sexprs.headed(head, "_").and_then(|parts| parts.first().copied()) {
        Some(name) => sexprs.text(name),
        None => sexprs.text(head),
    }
}
