//! Tables that users write: fusion functions, operators, signatures, laws, profiles and settings of solvers.

use mutate::equal;
use mutate::fusion::function;
use mutate::generative::signature;
use mutate::operator::OperatorTable;
use solver::profiles;

/// Some of each table.
pub const EXAMPLES: &[&str] = &[
    "#begin\n(declare-const x Int)\n(declare-const y Int)\n(declare-const z Int)\n(declare-const c Int)\n(assert (= z (+ x c y)))\n\
     (assert (= x (- z c y)))\n(assert (= y (- z x c)))\n#end\n#begin\n",
    "=,distinct\nexists,forall\nand,or,=> :arity 2+\n<=,>= -> <,> :arity 2\n; nothing\nbvadd,bvmul,nothing",
    "(and Bool Bool Bool :left-assoc)\n(id A A)\n(select (Array A B) A B)\n((_ extract i j) (_ BitVec m) (_ BitVec n))\n(ite Bool A A A) ; x",
    "(forall ((x (_ BitVec m))) (= (concat ((_ extract m-1 k) x) ((_ extract k-1 0) x)) x))\n(par (A) (forall ((x A)) (= (ite true x x) x)))\n\
     (forall ((x (_ BitVec 2m))) (= (bvsub x x) (_ bv k 2m+n))) ; x",
    "name = \"mine\"\ncommand = [\"mine\", \"--smt2\"]\nlogics = [\"QF_BV\"]\n\n[[dialects]]\nuntil = \"1.2.3\"\n[dialects.renames]\n\"str.to_int\" = \"str.to.int\"\n",
];

/// Reads bytes as each of the tables.
///
/// # Panics
/// When an error names a line that does not exist.
pub fn check(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let lines = text.lines().count();
    let (_, functions) = function::read(text);
    let (_, operators) = OperatorTable::read(text);
    let (_, signatures) = signature::read(text);
    let (_, laws) = equal::read(text);
    for problem in functions.iter().chain(&operators).chain(&signatures).chain(&laws) {
        assert!((1..=lines).contains(&problem.line), "{problem:?} of {lines} lines");
    }
    if let Err(error) = profiles::parse(text, "here") {
        assert!(error.to_string().contains("here"), "{error}");
    }
}
