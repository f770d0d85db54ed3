//! The engines: small cases with their answers, and what they reject.

use crate::engine_support::Bench;
use rewrite::Params;
use strategy::engines::ENGINES;
use strategy::{Engine, MakeEngine};

pub fn engine(name: &str) -> Box<dyn Engine> {
    let found = ENGINES.iter().find_map(|e| match e.make {
        MakeEngine::Alone(make) if e.name == name => Some(make(&Params::default())),
        _ => None,
    });
    found.unwrap_or_else(|| panic!("there is no engine {name}"))
}

pub fn smt_over(name: &str) -> Box<dyn Engine> {
    over("smt", engine(name))
}

fn over(name: &str, inner: Box<dyn Engine>) -> Box<dyn Engine> {
    let make = ENGINES.iter().find_map(|e| match e.make {
        MakeEngine::Over(make) if e.name == name => Some(make),
        _ => None,
    });
    make.unwrap_or_else(|| panic!("there is no engine {name} over another"))(inner, &Params::default())
}

const REALS: &str = "(declare-const x Real) (declare-const y Real) (declare-const z Real)";
const INTS: &str = "(declare-const i Int) (declare-const j Int) (declare-const k Int)";
const SORT: &str = "(declare-sort U 0) (declare-fun f (U) U) (declare-fun p (U) Bool)
    (declare-const a U) (declare-const b U) (declare-const c U)";

#[test]
fn simplex_decides_conjunctions() {
    let engine = engine("simplex");
    let bench = Bench(&*engine);
    bench.sat(&format!("{REALS} (assert (< x y)) (assert (< y (+ x 0.001))) (assert (= z (* 3 (- x y)))) (check-sat)"));
    bench.sat(
        &format!("{REALS} (assert (distinct x y z)) (assert (<= x y x)) (assert (< 0 z 1)) (check-sat)")
            .replace("(<= x y x)", "(<= x y)"),
    );
    bench.sat(&format!("{REALS} (assert (not (= x 0))) (assert (<= 0 x)) (assert (<= (+ x y) 0)) (check-sat)"));
    bench.sat("(check-sat)");
    bench.core(
        &format!("{REALS} (assert (<= x y)) (assert (> z 1)) (assert (< y z)) (assert (< z x)) (check-sat)"),
        &[0, 2, 3],
    );
    bench.core(
        &format!("{REALS} (assert (< 0 x)) (assert (distinct x y)) (assert (<= y x)) (assert (<= x y)) (check-sat)"),
        &[1, 2, 3],
    );
    bench.core(&format!("{REALS} (assert (< (+ x 1) (+ x 1))) (check-sat)"), &[0]);
    bench.core(
        &format!("{REALS} (assert (= (+ x y) 3)) (assert (= (- x y) 1)) (assert (not (= (/ x 2) 1))) (check-sat)"),
        &[0, 1, 2],
    );
}

#[test]
fn simplex_branches_on_integers() {
    let engine = engine("simplex");
    let bench = Bench(&*engine);
    bench.sat(&format!("{INTS} (assert (= (+ (* 3 i) (* 5 j)) 7)) (assert (< 10 i)) (check-sat)"));
    bench.sat(&format!("{INTS} (assert (< 0 (* 2 i) 3)) (assert (distinct i j)) (assert (<= 0 j 1)) (check-sat)"));
    bench.core(&format!("{INTS} (assert (= (+ (* 2 i) (* 4 j)) 7)) (check-sat)"), &[0]);
    bench.core(&format!("{INTS} (assert (< 0 (* 3 i))) (assert (< i 1)) (check-sat)"), &[0, 1]);
    bench.core(&format!("{INTS} (assert (<= 1 (* 3 i) 2)) (check-sat)"), &[0]);
    bench.core(
        &format!("{INTS} (assert (distinct i j)) (assert (<= 0 i 0)) (assert (<= 0 j 0)) (check-sat)"),
        &[0, 1, 2],
    );
    bench.sat("(declare-const i Int) (declare-const r Real) (assert (< 1.5 (to_real i) (+ r 0.1))) (assert (< r 2)) (check-sat)");
    // Even and odd at once, on which branching alone never ends.
    bench.unknown(
        &format!("{INTS} (assert (= (- (* 2 i) j) 0)) (assert (= (- (* 2 k) j) 1)) (check-sat)"),
        "branch and bound",
    );
}

#[test]
fn floyd_warshall_decides_differences() {
    let engine = engine("floyd-warshall");
    let bench = Bench(&*engine);
    bench
        .sat(&format!("{INTS} (assert (< i j)) (assert (< j k)) (assert (<= (- k i) 2)) (assert (= i 5)) (check-sat)"));
    bench.core(
        &format!("{INTS} (assert (< i j)) (assert (> j 8)) (assert (< j k)) (assert (<= (- k i) 1)) (check-sat)"),
        &[0, 2, 3],
    );
    bench.sat(&format!(
        "{REALS} (assert (< x y)) (assert (< y z)) (assert (<= (- z x) 1)) (assert (<= 3 x 3)) (check-sat)"
    ));
    bench.core(&format!("{REALS} (assert (< x y)) (assert (< y z)) (assert (<= (- z x) 0)) (check-sat)"), &[0, 1, 2]);
    bench.core(&format!("{REALS} (assert (= x y)) (assert (< (- x y) 0)) (check-sat)"), &[0, 1]);
    bench.core(&format!("{INTS} (assert (<= 1 0)) (check-sat)"), &[0]);
    bench.unknown(&format!("{INTS} (assert (< (+ i j) 0)) (check-sat)"), "form");
    bench.unknown(&format!("{INTS} (assert (distinct i j)) (check-sat)"), "disequality");
    bench.unknown(&format!("{INTS} (assert (or (< i j) (< j i))) (check-sat)"), "linear");
}

#[test]
fn coverings_decide_polynomials() {
    let engine = engine("coverings");
    let bench = Bench(&*engine);
    let sat = |text: &str| bench.sat(&format!("{REALS} {text} (check-sat)"));
    let core = |text: &str, core: &[usize]| bench.core(&format!("{REALS} {text} (check-sat)"), core);
    // The only solutions are irrational; a tangent point.
    sat("(assert (= (* x x) 2.0))(assert (> (* x y) 1.0))(assert (< (+ x y) 2.0))");
    sat("(assert (= (+ (* x x) (* y y)) 1.0))(assert (>= (* x y) 0.5))");
    core("(assert (= (+ (* x x) (* y y)) 1.0))(assert (< z 3.0))(assert (> (* x y) 0.5))", &[0, 2]);
    core("(assert (< (* x x) 0.0))(assert (> y 1.0))", &[0]);
    // A cubic always has a root; repeated factors.
    sat("(assert (= (+ (* x x x) (* (- 3.0) x) 1.0) 0.0))(assert (< x 0.0))");
    core("(assert (= (* (- x 1.0) (- x 1.0) (- y 2.0)) 0.0))(assert (distinct x 1.0))(assert (< y 2.0))", &[0, 1, 2]);
    // Polynomials that vanish over a point or a line: x z - y at x = y = 0, and the Whitney umbrella.
    sat("(assert (= (* x z) y))(assert (= x 0.0))(assert (= y 0.0))(assert (> z 5.0))");
    core("(assert (= (* x z) y))(assert (= x 0.0))(assert (distinct y 0.0))", &[0, 1, 2]);
    sat("(assert (= (* x x) (* y y z)))(assert (< z 0.0))");
    core("(assert (= (* x x) (* y y z)))(assert (< z 0.0))(assert (distinct y 0.0))", &[0, 1, 2]);
    // Divisions by numbers, constants, and what is no polynomial.
    sat("(assert (= (/ (* x y) (- 3.0)) 0.5))");
    core("(assert (not (<= 1.0 2.0)))", &[0]);
    // Without variables the search once had no end.
    sat("(assert (<= 1.0 2.0))");
    bench.unknown(&format!("{REALS} (assert (= (/ x y) 1.0)) (check-sat)"), "polynomial");
    bench.sat(&format!("{INTS} (assert (= (* i j) 12))(assert (= (+ i j) 7)) (check-sat)"));
    bench.core(&format!("{INTS} (assert (= (* i i) 2)) (check-sat)"), &[0]);
    bench.core(&format!("{INTS} (assert (< 1 (* i i) 4)) (check-sat)"), &[0]);
    // Larger than the limits, said within them. Squares of squares once had exponents beyond 32 bits, which wrapped.
    let squares: String = (0..40).map(|n| format!("(let ((y{} (* y{n} y{n}))) ", n + 1)).collect();
    let ends = ")".repeat(40);
    bench.unknown(&format!("{REALS} (assert (let ((y0 x)) {squares}(= y40 2.0){ends})) (check-sat)"), "too large");
    let power = "(* x x x x x x x x x x)".repeat(12);
    bench.unknown(&format!("{REALS} (assert (= (* {power}) (+ x 1.0))) (check-sat)"), "degree");
}

/// McCallum's projection gave up in each order of the variables; Collins' projection needs only signs.
#[test]
fn coverings_decide_where_polynomials_vanish() {
    let engine = engine("coverings");
    let bench = Bench(&*engine);
    let symbols = "(declare-const x Real)(declare-const y Real)(declare-const z Real)(declare-const w Real)";
    let sat = |text: &str| bench.sat(&format!("{symbols} {text} (check-sat)"));
    let core = |text: &str, core: &[usize]| bench.core(&format!("{symbols} {text} (check-sat)"), core);
    let vanishing = "(assert (= (* x z) (* y w)))(assert (= (* x w) (* y z)))(assert (= (+ (* x x) (* y y)) 0.0))";
    sat(&format!("{vanishing}(assert (> (+ (* z z) w) 5.0))"));
    core(&format!("{vanishing}(assert (distinct (* x w z) (* y z z z)))"), &[2, 3]);
    // The discriminant of (y - x z)^2 + (w - x)^2 - (x^2 + y^2) z w by z, at x = y = 0.
    core("(assert (< (+ (* (- y (* x z)) (- y (* x z))) (* w w x x) 1.0) (* x x)))(assert (< (- 1.0) x 1.0))", &[0, 1]);
}

#[test]
fn p_cad_decides_quantified_reals() {
    let engine = engine("p-cad");
    let bench = Bench(&*engine);
    let sat = |text: &str| bench.sat(&format!("{REALS} {text} (check-sat)"));
    let core = |text: &str, core: &[usize]| bench.core(&format!("{REALS} {text} (check-sat)"), core);
    let unknown = |text: &str, why: &str| bench.unknown(&format!("{REALS} {text} (check-sat)"), why);
    sat("(assert (forall ((u Real)) (>= (+ (* u u) (* x u) 1.0) 0.0)))(assert (> x 1.9))");
    core("(assert (forall ((u Real)) (>= (+ (* u u) (* x u) 1.0) 0.0)))(assert (> x 2.1))", &[0, 1]);
    core("(assert (forall ((u Real)) (exists ((v Real)) (= (* v v) u))))", &[0]);
    // Quantifiers side by side have the same number, and one formula may stand below different numbers of them.
    sat("(assert (ite (exists ((u Real)) (< (* u u) x)) (forall ((v Real)) (> (+ (* v v) x) y)) (< x y)))");
    let twice = "(exists ((u Real)) (and (< (* u u u) x) (< x u)))";
    sat(&format!("(assert (or {twice} (forall ((v Real)) (or {twice} (= v x)))))"));
    core(&format!("(assert (forall ((v Real)) (and (> (* v v) 1.0) {twice})))"), &[0]);
    core("(assert (exists ((u Real) (v Real)) (< (+ (* u u) (* v v)) (* 2.0 u v))))(assert (= x 1.0))", &[0, 1]);
    unknown(
        "(assert (forall ((u Real)) (< (+ x y z u u) (* x u))))(assert (exists ((v Real)) (exists ((w Real)) (= (* v w) x))))",
        "4 variables",
    );
    unknown("(assert (forall ((n Int)) (< (to_real n) x)))", "polynomial constraint");
    unknown("(assert (forall ((u Real)) (< (/ u x) 1.0)))", "polynomial constraint");
}

/// No other engine took these theories, so that `unknown` was the answer to all of them.
#[test]
fn guess_finds_models_in_every_theory() {
    let engine = engine("guess");
    let bench = Bench(&*engine);
    let sat = |text: &str| bench.sat(&format!("{text} (check-sat)"));
    sat("(declare-const s String)(declare-const t String)(assert (= (str.++ s t) \"abc\"))(assert (= (str.len s) 1))");
    sat(
        "(declare-const s String)(assert (str.in_re s (re.+ (re.range \"x\" \"z\"))))(assert (> (str.len s) 2))(assert (str.prefixof \"zx\" s))",
    );
    sat(
        "(declare-const r RegLan)(declare-const s String)(assert (str.in_re s r))(assert (not (str.in_re s (str.to_re \"b\"))))",
    );
    sat("(declare-const s (Seq Int))(assert (= (seq.nth s 1) 7))(assert (= (seq.len s) 2))");
    sat(
        "(declare-const a (Set Int))(declare-const x Int)(assert (set.member 3 a))(assert (set.member x a))(assert (> x 3))",
    );
    sat("(declare-const a (Bag Int))(assert (= (bag.count 3 a) 2))");
    sat("(declare-datatype L ((nil) (cons (head Int) (tail L))))(declare-const l L)
         (assert ((_ is cons) l))(assert ((_ is cons) (tail l)))(assert (= (head l) 5))");
    sat("(declare-sort U 0)(declare-const a U)(declare-const b U)(declare-const c U)(declare-fun f (U) U)
         (assert (distinct a b c))(assert (= (f a) b))(assert (= (f b) c))(assert (distinct (f c) a b))");
    sat("(declare-const x Int)(declare-const y Int)(assert (= (* x y) 91))(assert (< 1 x y))");
    sat("(declare-const x Real)(assert (> (* x x) 2.0))(assert (< x 2.0))(assert (> x 0.0))");
    sat("(declare-const a (Array Int String))(declare-const i Int)(assert (= (select a i) \"k\"))(assert (= i 2))");
    sat("(declare-fun p (Int) Bool)(assert (p 3))(assert (not (p 4)))");
    sat("(check-sat)".replace("(check-sat)", "").as_str());
    let unknown = |text: &str, why: &str| bench.unknown(&format!("{text} (check-sat)"), why);
    unknown("(declare-const s String)(assert (= (str.len s) (- 1)))", "no guessed model");
    unknown("(assert (= 1 2))", "no guessed model");
    // A function is defined by a term, never by itself: it was, and the answers were wrong.
    sat("(declare-const f (-> Int Bool))(declare-const g (-> Int Bool))(assert (= g (store f 0 (f 1))))");
    sat("(declare-const a (Array Int Int))(assert (= a (lambda ((x Int)) (+ x 1))))(assert (= (select a 3) 4))");
    for cyclic in ["(lambda ((x Int)) (not (f x)))", "(store f 0 (not (f 0)))", "(lambda ((x Int)) (not (g x)))"] {
        unknown(
            &format!(
                "(declare-const f (-> Int Bool))(declare-const g (-> Int Bool))(assert (= g f))(assert (= f {cyclic}))"
            ),
            "no guessed model",
        );
    }
}

#[test]
fn icp_contracts_and_cuts_boxes() {
    let engine = engine("icp");
    let bench = Bench(&*engine);
    let sat = |text: &str| bench.sat(&format!("{REALS} {text} (check-sat)"));
    let core = |text: &str, core: &[usize]| bench.core(&format!("{REALS} {text} (check-sat)"), core);
    let unknown = |text: &str, why: &str| bench.unknown(&format!("{REALS} {text} (check-sat)"), why);
    // The last unknown of an equation is computed from the others.
    sat("(assert (= (* x x) 4.0))(assert (> (* x y y) 1.0))(assert (= (+ x y) 5.0))");
    sat("(assert (= (* x y z) 6.0))(assert (< 1.0 x y z))");
    core("(assert (= (+ (* x x) (* y y)) 1.0))(assert (< z 3.0))(assert (> (+ x y) 1.5))", &[0, 2]);
    core("(assert (< (* x x) 0.0))(assert (> y 1.0))", &[0]);
    core("(assert (distinct (* x y) (* x x)))(assert (= x 1.0))(assert (= y 1.0))", &[0, 1, 2]);
    // Ends are exact where they are floats: 3, but not 1/3, and neither is a huge number.
    core("(assert (= (* 3.0 x) 1.0))(assert (> x 0.3333333333333335))", &[0, 1]);
    sat("(assert (= (* 3.0 x) 1.0))(assert (> x 0.3333333333333333))");
    unknown(&format!("(assert (= (* x x x) 1{}.0))", "0".repeat(60)), "boxes");
    core("(assert (> (* x y) 1.0))(assert (<= (- 1.0) x 1.0))(assert (<= 0.0 y 0.5))", &[0, 1, 2]);
    // No rational point, and boxes that touch everywhere.
    unknown("(assert (= (* x x) 2.0))", "boxes");
    unknown("(assert (= x y))(assert (distinct x y))", "boxes");
    bench.core(&format!("{INTS} (assert (= (* i i) 2)) (check-sat)"), &[0]);
    bench.core(&format!("{INTS} (assert (< 1 (* i i) 4)) (check-sat)"), &[0]);
    bench.sat(&format!("{INTS} (assert (= (* i j k) 105))(assert (< 1 i j k)) (check-sat)"));
}

#[test]
fn gb_refutes_by_cofactors() {
    let (engine, over) = (engine("gb"), smt_over("gb"));
    let (bench, smt) = (Bench(&*engine), Bench(&*over));
    let core = |text: &str, core: &[usize]| {
        bench.core(&format!("{REALS} {text} (check-sat)"), core);
        smt.core(&format!("{REALS} {text} (check-sat)"), core);
    };
    core("(assert (= (* x y) 1.0))(assert (= (* x x y) 3.0))(assert (> z 0.0))(assert (= (+ x y) 5.0))", &[0, 1, 3]);
    core("(assert (= (* x x) y))(assert (= (* x y) z))(assert (distinct (* x x x) z))", &[0, 1, 2]);
    // With a factor that is negative at the end: an inequality keeps its direction.
    core("(assert (= (- (* 3.0 x x) (* 2.0 y)) 0.0))(assert (< (* 6.0 y) (- (* 9.0 x x) 1.0)))", &[0, 1]);
    core("(assert (= (+ (* x x) (* y y)) z))(assert (>= (* x x) (+ 1.0 (- z (* y y)))))", &[0, 1]);
    // Only over the reals is there none.
    bench.unknown(&format!("{REALS} (assert (= (* x x) (- 1.0))) (check-sat)"), "contradicts no constraint");
    bench.unknown(&format!("{REALS} (assert (= (* x x) 4.0))(assert (> x 1.0)) (check-sat)"), "contradicts no");
    let cyclic = "(assert (= (+ x (* y y) (* z z z)) 1.0))(assert (= (+ (* x x x) y (* z z)) 2.0))(assert (= (+ (* x x) (* y y y) z) 3.0))";
    bench.unknown(&format!("{REALS} {cyclic}(assert (= (* x y z x y z) 7.0)) (check-sat)"), "o");
}

#[test]
fn apcad_cuts_cells_by_another_engine() {
    let engine = over("apcad", engine("icp"));
    let bench = Bench(&*engine);
    let sat = |text: &str| bench.sat(&format!("{REALS} {text} (check-sat)"));
    let core = |text: &str, core: &[usize]| bench.core(&format!("{REALS} {text} (check-sat)"), core);
    sat("(assert (= (* x x) 2.0))(assert (> (* x y) 1.0))(assert (< (+ x y) 2.0))");
    core("(assert (= (+ (* x x) (* y y)) 1.0))(assert (< z 3.0))(assert (> (* x y) 0.5))", &[0, 2]);
    core("(assert (= (+ (* x x) (* y y) (* z z)) 3.0))(assert (= x (+ y z)))(assert (> (* x y z) 1.0))", &[0, 1, 2]);
    core("(assert (= (* x x) (* y y z)))(assert (< z 0.0))(assert (distinct y 0.0))", &[0, 1, 2]);
    bench.core(
        &format!("{INTS} (assert (= (* i i) (* 2 j j)))(assert (<= 1 i 9))(assert (<= 1 j 9)) (check-sat)"),
        &[0, 1, 2],
    );
}

#[test]
fn smt_over_coverings_names_quotients_and_functions() {
    let engine = smt_over("coverings");
    let bench = Bench(&*engine);
    bench.sat(&format!("{REALS} (assert (= (/ x y) 2.0))(assert (or (= (* y y) 2.0) (< y (- 5.0)))) (check-sat)"));
    bench.core(
        &format!("{REALS} (assert (= (/ x y) 2.0))(assert (= x y))(assert (distinct y 0.0)) (check-sat)"),
        &[0, 1, 2],
    );
    bench.sat(&format!(
        "{REALS} (assert (= (/ x y) 2.0))(assert (= y 0.0))(assert (= (/ x 0.0) (/ 2.0 x y))) (check-sat)"
    ));
    bench.core(&format!("{REALS} (assert (distinct (/ x y) (/ x 0.0)))(assert (= y 0.0)) (check-sat)"), &[0, 1]);
    bench.sat(&format!("{INTS} (assert (= (div i j) 7))(assert (= (mod i j) 3))(assert (< j 6)) (check-sat)"));
    bench.sat(&format!("{INTS} (assert (= (div i j) 7))(assert (= (mod i 0) 3))(assert (= j 0)) (check-sat)"));
    bench.core(&format!("{INTS} (assert (= (mod i j) j))(assert (> j 0)) (check-sat)"), &[0, 1]);
    bench.core(
        &format!("{REALS} (declare-fun h (Real) Real) (assert (distinct (h (* x x)) (h y)))(assert (= y (* x x))) (check-sat)"),
        &[0, 1],
    );
}

#[test]
fn smt_combines_theories() {
    let engine = engine("smt");
    let bench = Bench(&*engine);
    bench.sat(&format!(
        "{REALS} (assert (or (< x y) (< y z))) (assert (not (< x y))) (assert (= x (ite (< z 0) 1 2))) (check-sat)"
    ));
    bench
        .core(&format!("{REALS} (assert (or (< x y) (< y x))) (assert (> z 0)) (assert (= x y)) (check-sat)"), &[0, 2]);
    bench.core(&format!("{SORT} (assert (= (f (f (f a))) a)) (assert (= (f (f (f (f (f a))))) a)) (assert (p b)) (assert (distinct (f a) a)) (check-sat)"), &[0, 1, 3]);
    bench.sat(&format!("{SORT} (assert (= (f (f (f a))) a)) (assert (distinct (f a) a)) (assert (p (f b))) (assert (not (p (f c)))) (check-sat)"));
    bench.core(&format!("{SORT} (assert (= b c)) (assert (p (f b))) (assert (not (p (f c)))) (check-sat)"), &[0, 1, 2]);
    bench.sat(&format!("{SORT} (assert (= (ite (p a) b c) a)) (assert (distinct a b)) (check-sat)"));
    bench.core(
        &format!("{SORT} (declare-const d U) (assert (p a)) (assert (= b c)) (assert (distinct a b c d)) (check-sat)"),
        &[1, 2],
    );
}

/// Z3's strategies use `smt` for floats, too: `(check-sat-using smt)`.
#[test]
fn smt_takes_floats() {
    let floats = "(declare-const f Float16)(declare-const g Float16)(declare-const m RoundingMode)\
        (declare-const x Int)(declare-const b (_ BitVec 16))";
    let engine = engine("smt");
    let bench = Bench(&*engine);
    bench.sat(&format!(
        "{floats}(assert (or (fp.lt f g) (< x 0)))(assert (> x 3))(assert (fp.isSubnormal g))(check-sat)"
    ));
    bench.sat(&format!(
        "{floats}(assert (= f (fp.add m g g)))(assert (= g ((_ to_fp 5 11) b)))(assert (bvult b #x0400))(check-sat)"
    ));
    // The constraints of fresh symbols are in no core, and shift none.
    bench.core(&format!("{floats}(assert (> x 1))(assert (fp.lt f g))(assert (fp.isNaN g))(check-sat)"), &[1, 2]);
    bench.core(&format!("{floats}(assert (distinct m RNE RNA RTP RTN RTZ))(assert (fp.lt f g))(check-sat)"), &[0]);
    bench.sat(&format!("{floats}(assert (distinct ((_ fp.to_ubv 4) m f) #x0))(assert (fp.isNaN f))(check-sat)"));
    // Functions on floats become functions on their bits.
    let functions =
        "(declare-fun h (Float16 Int) Float16)(declare-fun r (Float16) RoundingMode)(declare-fun p (Float16) Bool)";
    bench.sat(&format!(
        "{floats}{functions}(assert (fp.lt (h f 0) (h g 0)))(assert (fp.eq f g))(assert (fp.isNaN (h f 1)))(check-sat)"
    ));
    bench.core(
        &format!("{floats}{functions}(assert (= x 3))(assert (= f g))(assert (distinct (h f x) (h g 3)))(check-sat)"),
        &[0, 1, 2],
    );
    bench.core(
        &format!("{floats}{functions}(assert (p (fp.neg f)))(assert (fp.isNaN f))(assert (not (p f)))(check-sat)"),
        &[0, 1, 2],
    );
    bench.sat(&format!("{floats}{functions}(assert (= (r f) RTP))(assert (distinct (r g) (r f) m))(check-sat)"));
    bench
        .unknown(&format!("{floats}(declare-fun a () (Array Float16 Int))(assert (= (select a f) 1))(check-sat)"), "a");
}

/// A selector to an uninterpreted sort once entered congruence closure like a function, whose model conversion then gave a symbol of a
/// datatype the value of an element.
#[test]
fn smt_leaves_selectors_to_others() {
    let option =
        "(declare-sort U 0)(declare-datatypes ((O 0)) (((no) (yes (it U)))))(declare-const u U)(declare-const o O)";
    let engine = engine("smt");
    Bench(&*engine).unknown(&format!("{option}(assert (= (it o) u))(check-sat)"), "outside");
    Bench(&*engine).unknown(&format!("{option}(assert (distinct (it o) u))(check-sat)"), "outside");
}

#[test]
fn smt_eliminates_functions_on_other_sorts() {
    let engine = engine("smt");
    let bench = Bench(&*engine);
    let functions = "(declare-fun g (Int) Int) (declare-fun h (Real (_ BitVec 4)) (_ BitVec 4)) (declare-sort U 0)
        (declare-fun w (U) Int) (declare-fun q (Bool U) U) (declare-const u U) (declare-const v U)
        (declare-const i Int) (declare-const j Int) (declare-const x (_ BitVec 4))";
    bench.core(
        &format!("{functions} (assert (<= i j)) (assert (<= j i)) (assert (distinct (g i) (g j))) (check-sat)"),
        &[0, 1, 2],
    );
    bench.sat(&format!("{functions} (assert (= (g (g i)) i)) (assert (= (g i) (+ i 1))) (check-sat)"));
    bench.sat(&format!(
        "{functions} (assert (= (h 0.5 x) (bvadd (h 1.5 x) #x1))) (assert (= (h 0.5 #x0) #x3)) (check-sat)"
    ));
    bench.core(&format!("{functions} (assert (= u v)) (assert (< (w u) (w v))) (check-sat)"), &[0, 1]);
    bench.core(
        &format!(
            "{functions} (assert (= (q true u) v)) (assert (< i 3)) (assert (distinct (q (< i 3) u) v)) (check-sat)"
        ),
        &[0, 1, 2],
    );
}

#[test]
fn smt_eliminates_arrays() {
    let engine = engine("smt");
    let bench = Bench(&*engine);
    let arrays = "(declare-const a (Array Int Int)) (declare-const b (Array Int Int)) (declare-const i Int) (declare-const j Int)
        (declare-fun s ((Array Int Int) Int) Int)";
    bench.core(&format!("{arrays} (assert (= b (store a i 1))) (assert (< j 9)) (assert (distinct (select b j) (select a j))) (assert (distinct i j)) (check-sat)"), &[0, 2, 3]);
    bench.sat(&format!("{arrays} (assert (distinct a b)) (assert (= (store a i 0) (store b i 0))) (check-sat)"));
    bench.core(&format!("{arrays} (assert (= (store a i (select b i)) b)) (assert (distinct (store b i (select a i)) a)) (check-sat)"), &[0, 1]);
    bench.sat(&format!(
        "{arrays} (assert (= (s a i) 1)) (assert (= (s (store b 0 i) j) 2)) (assert (= i j)) (check-sat)"
    ));
    bench.core(&format!("{arrays} (assert (= (s a i) 1)) (assert (= (s b j) 2)) (assert (= i j)) (assert (= a (store b 3 (select b 3)))) (check-sat)"), &[0, 1, 2, 3]);
    bench.core(&format!("{arrays} (assert (= a (store ((as const (Array Int Int)) 0) i 5))) (assert (= (store a j 5) ((as const (Array Int Int)) 5))) (check-sat)"), &[0, 1]);
    bench.sat("(declare-const a (Array (_ BitVec 9) Bool)) (assert (= a (store ((as const (Array (_ BitVec 9) Bool)) true) #b000000000 false))) (check-sat)");
    // Two cells, both written: constant arrays of two values are equal after that.
    bench.unknown("(assert (= (store (store ((as const (Array (_ BitVec 1) Bool)) true) #b0 false) #b1 false) ((as const (Array (_ BitVec 1) Bool)) false))) (check-sat)", "outside");
    bench.unknown(
        "(declare-const a (Array Int (Array Int Int))) (assert (= (select (select a 1) 1) 1)) (check-sat)",
        "outside",
    );
}

#[test]
fn smt_defines_division_by_constants() {
    let engine = engine("smt");
    let bench = Bench(&*engine);
    bench.sat(&format!("{INTS} (assert (= (div i (- 3)) 2)) (assert (= (mod i 5) 4)) (check-sat)"));
    bench.core(
        &format!("{INTS} (assert (= (mod i 4) 3)) (assert (= (mod i 2) 0)) (assert (< 0 i 20)) (check-sat)"),
        &[0, 1, 2],
    );
    bench.sat(&format!("{INTS} (assert (< (abs i) 3)) (assert (> (abs i) 1)) (assert (< i 0)) (check-sat)"));
    bench.core(
        "(declare-const r Real) (assert (is_int (* 2 r))) (assert (= (to_int r) 1)) (assert (< 1.0 r 1.5)) (check-sat)",
        &[0, 2],
    );
    bench.sat("(declare-const i Int) (assert ((_ divisible 7) i)) (assert (< 15 i 25)) (check-sat)");
    bench.unknown(&format!("{INTS} (assert (= (div i j) 1)) (check-sat)"), "not linear");
    bench.unknown(&format!("{INTS} (assert (= (* i j) 1)) (check-sat)"), "not linear");
    bench.core(&format!("{INTS} (assert (forall ((n Int)) (< n i))) (check-sat)"), &[0]);
}

#[test]
fn smt_takes_an_engine_for_its_theory() {
    for name in ["simplex", "floyd-warshall"] {
        let engine = smt_over(name);
        let bench = Bench(&*engine);
        bench.sat(&format!("{INTS} (declare-const p Bool) (assert (or p (< i j))) (assert (=> p (< j i))) (assert (distinct k 0)) (check-sat)"));
        bench.core(
            &format!("{INTS} (assert (or (< i j) (< j i))) (assert (< k 0)) (assert (= i j)) (check-sat)"),
            &[0, 2],
        );
    }
    let engine = smt_over("floyd-warshall");
    Bench(&*engine).unknown(&format!("{INTS} (assert (< (+ i j) 0)) (check-sat)"), "form");
}

#[test]
fn exhaust_decides_small_finite_problems() {
    let engine = engine("exhaust");
    let bench = Bench(&*engine);
    // Quantifiers over sorts and over guards, alternating.
    bench.sat("(assert (exists ((v (_ BitVec 8))) (= (bvmul v v) #x19))) (check-sat)");
    bench.core("(assert (exists ((v (_ BitVec 8))) (= (bvmul v v) #x03))) (check-sat)", &[0]);
    bench.core(
        "(assert (forall ((i Int)) (=> (<= 0 i 6) (exists ((j Int)) (and (<= 0 j 5) (= (mod (* 3 j) 7) i)))))) (check-sat)",
        &[0],
    );
    // Guards at full size.
    bench.sat("(declare-const x Float64) (assert (or (= x (fp #b0 #b10000000000 #x8000000000000)) (= x (_ NaN 11 53)))) (assert (fp.isNaN (fp.sqrt RNE (fp.neg x)))) (check-sat)");
    let strings = "(declare-const s String) (assert (or (= s \"ab\") (= s \"ba\")))";
    bench.sat(&format!("{strings} (assert (str.< s \"b\")) (check-sat)"));
    bench.core(&format!("{strings} (assert (str.in_re s (re.* (str.to_re \"a\")))) (check-sat)"), &[0, 1]);
    // Values that the standard leaves open are chosen, and an irrelevant symbol has a value.
    let ints = "(declare-const i Int) (declare-const k Int) (assert (<= 0 i 1)) (assert (<= 0 k 9))";
    bench.sat(&format!("{ints} (assert (= (div i 0) i)) (check-sat)"));
    bench.unknown(&format!("{ints} (assert (< 5 (div i 0) 4)) (check-sat)"), "the value of div is open");
    bench.sat(&format!("(declare-fun f (Int) Int) {ints} (assert (= (f i) (f (+ i 1)))) (check-sat)"));
    bench.unknown(&format!("{INTS} (assert (< i j)) (check-sat)"), "`i` of sort Int has");
    bench.unknown(
        "(declare-const b (_ BitVec 32)) (assert (= b (bvnot b))) (check-sat)",
        "`b` of sort (_ BitVec 32) has",
    );
}
