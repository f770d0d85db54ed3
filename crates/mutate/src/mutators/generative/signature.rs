//! The signatures of new terms, as data: rows of the theories, or a file of `(op T1 … Tn T :attribute)`.

use crate::data_file::DataFileProblem;
use smtlib::sexpr::{SexprNode, Sexprs};
use smtlib::signature::{Arity, OperatorOrigin, SignatureRow};
use smtlib::{Kind, theories};

/// A sort as given in a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SortPattern {
    /// Any sort that the operator allows.
    Free,
    /// Exactly the sort of this text.
    Exactly(String),
    /// A parameter of `(par (A …) …)`: the same sort at every occurrence.
    Parameter(String),
}

/// One signature.
#[derive(Clone, Debug)]
pub struct ExpressionSignature {
    /// The operator; `None` for `id`, which is any expression itself.
    pub row: Option<&'static SignatureRow>,
    /// The number of arguments.
    pub arity: usize,
    /// The allowed argument sorts; empty if the row alone decides.
    pub args: Vec<SortPattern>,
}

/// The operators that are not generated: solvers require literals as their arguments (`re.range`, `to_fp` of a real) or lack
/// them (z3 4.15 has no `divisible`).
const LEFT_OUT: &[Kind] = &[Kind::ReRange, Kind::FpFromReal, Kind::IntDivisible];

/// Returns all operators of the 2.6 standard, and `id`. A variadic operator is used with two arguments, and those of the
/// core and arithmetic also with three.
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

/// Whether all solvers support three arguments of a variadic operator.
fn takes_three(kind: Kind) -> bool {
    use Kind::*;
    matches!(
        kind,
        And | Or | Implies | Xor | Eq | Distinct | IntAdd | IntMul | IntSub | RealAdd | RealMul | RealSub | StrConcat
    )
}

/// Reads signatures, one per line: `(op T1 … Tn T)`, `(op T1 T2 T :left-assoc)` or `(par (A) (op A A))`. From `;` to the
/// line's end is a comment. Unusable lines are left out and reported.
pub fn read(text: &str) -> (Vec<ExpressionSignature>, Vec<DataFileProblem>) {
    let (mut list, mut problems) = (Vec::new(), Vec::new());
    for (n, line) in text.lines().enumerate() {
        // A text of blanks and comments has no expression.
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
        return Err(format!("`{name}` is not an operator of a standard theory"));
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

/// Returns the name of `op` or `(_ op i j)`.
fn operator_name<'l>(sexprs: &Sexprs<'l>, head: SexprNode) -> &'l str {
    match sexprs.headed(head, "_").and_then(|parts| parts.first().copied()) {
        Some(name) => sexprs.text(name),
        None => sexprs.text(head),
    }
}
