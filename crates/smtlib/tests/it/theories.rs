//! Every operator of every theory, applied once to arguments of its sorts, prints and reads back as the identical term.

use crate::support::{self, check_after, check_refused};
use smtlib::signature::{Arity, Pattern, SignatureRow};
use smtlib::{Kind, Op, Scope, Sort, SortId, Store, TermId, parse_term, theories};

/// Indices that suit a row, and widths and formats that suit them.
fn indices(row: &SignatureRow) -> (u32, u32) {
    match (row.kind, row.indices) {
        (_, 0) => (0, 0),
        (Kind::BvExtract, _) => (5, 2),
        (_, 1) => (3, 0),
        (Kind::ReLoop, _) => (2, 4),
        _ => (4, 6),
    }
}

/// A sort that the pattern accepts. Bit-vectors of number 0 have 6 bits, of number 1 have 5.
fn sort_of(store: &mut Store, pattern: Pattern, op: Op) -> SortId {
    let bv = |store: &mut Store, width| store.sorts.bitvec(width);
    match pattern {
        Pattern::Bool => SortId::BOOL,
        Pattern::Int | Pattern::Any(0) => SortId::INT,
        Pattern::Real | Pattern::Any(_) => SortId::REAL,
        Pattern::String => SortId::STRING,
        Pattern::RegLan => SortId::REGLAN,
        Pattern::RoundingMode => SortId::ROUNDING_MODE,
        Pattern::Array => store.sorts.array(SortId::INT, SortId::REAL),
        Pattern::Seq => store.sorts.seq(SortId::INT),
        Pattern::Set => store.sorts.set(SortId::INT),
        Pattern::Bag => store.sorts.bag(SortId::INT),
        Pattern::FiniteField => store.sorts.finite_field(7u8.into()).expect("a prime"),
        Pattern::Bv(0) => bv(store, 6),
        Pattern::Bv(_) => bv(store, 5),
        Pattern::BvExact(width) => bv(store, width),
        Pattern::BvIndexSum => bv(store, op.i + op.j),
        Pattern::Float(_) => store.sorts.float(3, 7),
        Pattern::Function(params, result) => {
            let result = sort_of(store, *result, op);
            let params: Vec<SortId> = params.iter().map(|&param| sort_of(store, param, op)).collect();
            params.into_iter().rev().fold(result, |to, from| store.sorts.intern(Sort::Map(from, to)))
        }
        other => panic!("{other:?} is no argument"),
    }
}

/// A constant of a sort that the pattern accepts.
fn argument(store: &mut Store, scope: &mut Scope, pattern: Pattern, op: Op) -> TermId {
    let sort = sort_of(store, pattern, op);
    let name = format!("c{}", sort.index());
    if parse_term(store, scope, &name).is_err() {
        let text = format!("(declare-const {name} {})", store.sort_text(sort));
        assert!(smtlib::parse_commands(store, scope, &text).errors.is_empty());
    }
    parse_term(store, scope, &name).expect("it is declared")
}

#[test]
fn every_operator_round_trips() {
    let mut store = Store::new();
    let mut scope = Scope::new(&store);
    let mut count = 0;
    for row in theories::rows() {
        let (i, j) = indices(row);
        let op = Op::indexed(row.kind, i, j);
        let lengths: &[usize] = if row.arity == Arity::Exact { &[row.args.len()] } else { &[2, 3, 5] };
        for &length in lengths {
            let patterns: Vec<Pattern> = (0..length).filter_map(|n| row.arg(n, length)).collect();
            let args: Vec<TermId> = patterns.into_iter().map(|p| argument(&mut store, &mut scope, p, op)).collect();
            let term = store.app(op, &args).unwrap_or_else(|e| panic!("{}: {e}", row.name));
            let text = store.term_text(term);
            let again =
                parse_term(&mut store, &mut scope, &text).unwrap_or_else(|e| panic!("{}", e.render(row.name, &text)));
            assert_eq!(again, term, "{text}");
            count += 1;
        }
        // One argument too many, or of another sort, is refused.
        let mut args: Vec<TermId> = row.args.iter().map(|&p| argument(&mut store, &mut scope, p, op)).collect();
        if row.arity == Arity::Exact {
            let one_more = args.first().copied().unwrap_or_else(|| store.bool(true));
            args.push(one_more);
            assert!(store.app(op, &args).is_err(), "{}", row.name);
        }
    }
    assert!(count > 190, "only {count} operators");
    // Every kind but the structural ones has a row; the structural ones have their own tests.
    let without_row = Kind::ALL.iter().filter(|&&k| theories::row(k).is_none()).count();
    assert_eq!(without_row, 19);
}

#[test]
fn every_other_spelling_reads_as_the_standard_one() {
    let mut store = Store::new();
    let mut scope = Scope::new(&store);
    for theory in theories::THEORIES {
        for &(alias, kind) in theory.aliases {
            let row = theories::row(kind).expect("an alias is of an operator");
            let op = Op::indexed(kind, indices(row).0, indices(row).1);
            let args: Vec<TermId> = row.args.iter().map(|&p| argument(&mut store, &mut scope, p, op)).collect();
            let standard = store.app(op, &args).expect("the arguments fit");
            let args: String = args.iter().map(|&a| format!(" {}", store.term_text(a))).collect();
            let head = if row.indices == 1 { format!("(_ {alias} {})", op.i) } else { alias.to_string() };
            let text = if args.is_empty() { head } else { format!("({head}{args})") };
            let read = parse_term(&mut store, &mut scope, &text).unwrap_or_else(|e| panic!("{text}: {e}"));
            assert_eq!(read, standard, "{text}");
        }
    }
}

const VALUES: &str = "(declare-const i Int)(declare-const r Real)(declare-const s String)(declare-const e RegLan)\
    (declare-const b (_ BitVec 8))(declare-const f (_ FloatingPoint 5 11))(declare-const p Bool)";

fn check(input: &str, expect: &str) {
    check_after(VALUES, &format!("(assert {input})"), &format!("(assert {expect})"));
}

#[test]
fn integers_where_reals_are_meant() {
    check("(< i r)", "(< (to_real i) r)");
    check("(= r 1)", "(= r 1.0)");
    check("(= 1 r)", "(= 1.0 r)");
    check("(= 1 2 r)", "(= 1.0 2.0 r)");
    check("(= (/ 1 3) r)", "(= (/ 1.0 3.0) r)");
    check("(= (+ 1 r i) 2)", "(= (+ 1.0 r (to_real i)) 2.0)");
    check("(= (ite p 1 r) r)", "(= (ite p 1.0 r) r)");
    check("(= (ite p 1 2) r)", "(= (to_real (ite p 1 2)) r)");
    check("(= (- 1) r)", "(= (- 1.0) r)");
    check("(= -1 i)", "(= (- 1) i)");
    check("(= -1.5 r)", "(= (- 1.5) r)");
    check("(= (to_real r) r)", "(= r r)");
    check("(= (to_real 5) r)", "(= (to_real 5) r)");
    check("(is_int i)", "(is_int (to_real i))");
    check("(distinct i r 3)", "(distinct (to_real i) r 3.0)");
    check("(= 1. r 0.500 000)", "(= 1.0 r 0.5 0.0)");
    check_refused(
        "(declare-const r Real)(assert (= (mod r 2) 0))",
        "1:35: `mod` cannot take (Real Int): expected (Int Int)",
    );
    check_after("(declare-fun g (Real) Bool)", "(assert (g 1))", "(assert (g 1.0))");
}

#[test]
fn numerals_in_logics_of_reals_only() {
    for logic in ["QF_LRA", "LRA", "QF_NRA", "QF_RDL", "QF_UFLRA", "UFNRA", "QF_FPLRA"] {
        check_after(&format!("(set-logic {logic})(declare-const r Real)"), "(assert (= r 1))", "(assert (= r 1.0))");
        check_after(&format!("(set-logic {logic})"), "(assert (= 1 (- 2)))", "(assert (= 1.0 (- 2.0)))");
    }
    for logic in ["QF_LIA", "ALL", "AUFLIRA", "QF_LIRA", "AUFNIRA", "QF_NIRA"] {
        check_after(&format!("(set-logic {logic})"), "(assert (= 1 2))", "(assert (= 1 2))");
    }
    // Indices stay numerals, and a new logic forgets what literals meant.
    check_after(
        "(set-logic QF_LRA)",
        "(assert (= ((_ extract 1 0) #b11) #b11))",
        "(assert (= ((_ extract 1 0) #b11) #b11))",
    );
    support::check(
        "(assert (= 1 1))(reset)(set-logic LRA)(assert (= 1 1))",
        "(assert (= 1 1))\n(reset)\n(set-logic LRA)\n(assert (= 1.0 1.0))",
    );
}

#[test]
fn bit_vectors() {
    check("(= b #xfF)", "(= b #xff)");
    check("(= b (_ bv5 8))", "(= b #x05)");
    check("(= b (_ bv256 8))", "(= b #x00)");
    check("(= #b101 (_ bv5 3))", "(= #b101 #b101)");
    check("(= (bvadd b b b) b)", "(= (bvadd b b b) b)");
    check("(= (concat b b b) ((_ repeat 3) b))", "(= (concat (concat b b) b) ((_ repeat 3) b))");
    check("(= ((_ extract 7 7) b) (bvcomp b b))", "(= ((_ extract 7 7) b) (bvcomp b b))");
    check("(= ((_ int2bv 8) i) ((_ nat2bv 8) (bv2nat b)))", "(= ((_ int_to_bv 8) i) ((_ int_to_bv 8) (ubv_to_int b)))");
    let refused = |term: &str, expect: &str| check_refused(&format!("{VALUES}(assert {term})"), expect);
    let at = VALUES.len();
    refused(
        "(= ((_ extract 8 0) b) b)",
        &format!(
            "1:{}: the indices of `extract` do not fit ((_ BitVec 8)) | expected (_ extract i j) with j <= i below the width",
            at + 13
        ),
    );
    refused(
        "(bvult b #b1)",
        &format!(
            "1:{}: `bvult` cannot take ((_ BitVec 8) (_ BitVec 1)): expected ((_ BitVec m) (_ BitVec m))",
            at + 10
        ),
    );
    refused(
        "(= b (_ bv5 0))",
        &format!(
            "1:{}: a bit-vector literal out of range | expected a width of 1 to 16777216 and at most 2000000 digits, all long numbers together",
            at + 17
        ),
    );
    refused(
        "(= b #xg)",
        &format!(
            "1:{}: a malformed bit-vector literal | expected #x and hexadecimal digits, or #b and binary digits",
            at + 14
        ),
    );
    refused(
        "(= b ((_ zero_extend 4294967295) b))",
        &format!(
            "1:{}: the indices of `zero_extend` do not fit ((_ BitVec 8)) | the result must have 1 to 16777216 bits",
            at + 15
        ),
    );
}

#[test]
fn floats() {
    check("(fp.eq f (fp #b0 #b00000 #b0000000000))", "(fp.eq f (fp #b0 #b00000 #b0000000000))");
    check("(= f (fp.add roundNearestTiesToEven f (_ NaN 5 11)))", "(= f (fp.add RNE f (_ NaN 5 11)))");
    check("(= f ((_ to_fp 5 11) #x1234))", "(= f ((_ to_fp 5 11) #x1234))");
    check(
        "(= f ((_ to_fp 5 11) RTZ r) ((_ to_fp 5 11) RTZ f) ((_ to_fp 5 11) RTZ b))",
        "(= f ((_ to_fp 5 11) RTZ r) ((_ to_fp 5 11) RTZ f) ((_ to_fp 5 11) RTZ b))",
    );
    check("(= f ((_ to_fp 5 11) RNA 1))", "(= f ((_ to_fp 5 11) RNA 1.0))");
    check("(= f ((_ to_fp_unsigned 5 11) RTP b))", "(= f ((_ to_fp_unsigned 5 11) RTP b))");
    check_after(
        "(declare-const g Float16)(declare-const h (_ FloatingPoint 5 11))",
        "(assert (= g h))",
        "(assert (= g h))",
    );
}

#[test]
fn strings_and_regular_expressions() {
    check(r#"(= s "a""b")"#, r#"(= s "a""b")"#);
    check(r#"(= s "\u{41}\u0042\u{1F600}")"#, r#"(= s "AB\u{1f600}")"#);
    // What is no escape stands for itself, and is printed so that it stays none.
    check(r#"(= s "\x41\u{}\u{30000}\u12")"#, r#"(= s "\u{5c}x41\u{5c}u{}\u{5c}u{30000}\u{5c}u12")"#);
    check("(= s \"tab\there é\")", r#"(= s "tab\u{9}here \u{e9}")"#);
    check("(= s (_ char #x41))", r#"(= s "A")"#);
    check("(str.in.re s (str.to.re \"a\"))", "(str.in_re s (str.to_re \"a\"))");
    check("(= (int.to.str i) s)", "(= (str.from_int i) s)");
    let loop_ = "(str.in_re s ((_ re.loop 1 3) e))";
    check("(str.in_re s (re.loop e 1 3))", loop_);
    check(loop_, loop_);
    check("(str.in_re s ((_ re.loop 2) e))", "(str.in_re s (re.++ ((_ re.^ 2) e) (re.* e)))");
    check("(str.in_re s (re.loop e 2))", "(str.in_re s (re.++ ((_ re.^ 2) e) (re.* e)))");
    check("(str.in_re s (re.^ e 3))", "(str.in_re s ((_ re.^ 3) e))");
    check("(str.in_re s (re.union e))", "(str.in_re s e)");
    check_refused(
        "(assert (= \"\u{30000}\" \"\"))",
        "1:12: a character above 0x2FFFF | SMT-LIB characters are the code points 0 to 0x2FFFF",
    );
    check_refused("(assert (= (_ char #x30000) \"\"))", "1:20: not a code point | expected #x0 to #x2FFFF");
}

#[test]
fn core_and_what_is_read_beyond_it() {
    check("(=> p p p)", "(=> p p p)");
    check("(and)", "true");
    check("(or)", "false");
    check("(and p)", "p");
    check("(= (+ i) i)", "(= i i)");
    check("(implies p (iff p (if p p p)))", "(=> p (= p (ite p p p)))");
    check("(xor p p p)", "(xor p p p)");
    check("(distinct i 1 2)", "(distinct i 1 2)");
    check("(|and| p true)", "(and p true)");
    check_refused("(assert (= 1.0 (/ 2.0)))", "1:17: `/` cannot take (Real): expected (Real Real …)");
    check_refused(
        "(assert ((_ divisible 0) 1))",
        "1:10: the indices of `divisible` do not fit (Int) | expected an index above 0",
    );
    check_refused("(assert (not))", "1:10: `not` cannot take (): expected (Bool)");
    check_refused("(assert (and true 1))", "1:10: `and` cannot take (Bool Int): expected (Bool Bool …)");
    check_refused("(assert (ite true 1 \"a\"))", "1:10: `ite` cannot take (Bool Int String): expected (Bool A A)");
    check_refused(
        "(assert (true))",
        "1:10: a constant in its own parentheses | write it without: only what takes arguments is applied",
    );
}

#[test]
fn arrays() {
    let arrays = "(declare-const a (Array Int Real))";
    check_after(arrays, "(assert (= (select (store a 1 2) 3) 4))", "(assert (= (select (store a 1 2.0) 3) 4.0))");
    check_after(
        arrays,
        "(assert (= a ((as const (Array Int Real)) 0)))",
        "(assert (= a ((as const (Array Int Real)) 0.0)))",
    );
    check_refused(
        "(declare-const a (Array Int Bool))(assert (select a true))",
        "1:44: `select` cannot take ((Array Int Bool) Bool): expected ((Array A B) A)",
    );
}

#[test]
fn sets() {
    let sets = "(declare-const s (Set Int))(declare-const q (Set (Set Int)))";
    let check = |input: &str, expect: &str| {
        check_after(sets, &format!("(assert {input})"), &format!("(assert {expect})"));
    };
    // As cvc5 spells them.
    check("(= s (as set.empty (Set Int)))", "(= s (as set.empty (Set Int)))");
    check("(= q (set.singleton s))", "(= q (set.singleton s))");
    check("(= s (set.union s s s) (set.minus s s))", "(= s (set.union s s s) (set.minus s s))");
    check(
        "(set.subset (set.insert 1 2 s) (as set.universe (Set Int)))",
        "(set.subset (set.insert 1 2 s) (as set.universe (Set Int)))",
    );
    check("(= (set.card s) 1)", "(= (set.card s) 1)");
    // As z3 does.
    check("(= s (as set.empty (FiniteSet Int)))", "(= s (as set.empty (Set Int)))");
    check("(set.in 1 (set.intersect s s))", "(set.member 1 (set.inter s s))");
    check("(= (set.size (set.difference s s)) 0)", "(= (set.card (set.minus s s)) 0)");
    check("(= s (set.range 1 3))", "(= s (set.range 1 3))");
    check_after("", "(declare-const s (FiniteSet (FiniteSet Bool)))", "(declare-fun s () (Set (Set Bool)))");
    // A file may have a sort of this name itself.
    check_after("(declare-sort Set 0)", "(declare-const s Set)", "(declare-fun s () Set)");
    check_after(
        "(define-sort Set (T) (Array T Bool))",
        "(declare-const s (Set Int))(assert (select s 1))",
        "(declare-fun s () (Array Int Bool))\n(assert (select s 1))",
    );
    // What is not understood is carried: in z3 a `(Set T)` is an array, and older solvers call the operators otherwise.
    for text in [
        "(assert (select s 1))",
        "(assert (member 1 s))",
        "(assert (= (union s s) s))",
        "(assert (set.member true s))",
        "(assert (= (set.choose s) 1))",
        "(assert (set.all (lambda ((x Int)) (> x 0)) s))",
        "(assert (= s set.empty))",
    ] {
        check_after(sets, text, text);
    }
    check_refused("(declare-const s (Set Int Int))", "1:19: this sort is given 2 arguments | expected an element sort");
    check_refused("(declare-const s Set)", "1:18: this sort is given 0 arguments | expected an element sort");
    check_refused("(assert (= ((as set.empty (Set Int)) 1) 1))", "1:13: a constant set takes no terms");
}

#[test]
fn bags() {
    let bags = "(declare-const b (Bag Int))(declare-const q (Bag (Bag Int)))(declare-const n Int)";
    let check = |input: &str, expect: &str| {
        check_after(bags, &format!("(assert {input})"), &format!("(assert {expect})"));
    };
    for input in [
        "(= b (as bag.empty (Bag Int)))",
        "(= q (bag b n))",
        "(= q (bag (bag 1 2) (- 3)))",
        "(= (bag.union_max b b) (bag.union_disjoint b b b))",
        "(distinct (bag.inter_min b b b) (bag.difference_subtract b b) (bag.difference_remove b b))",
        "(= (bag.count (bag.choose b) b) (bag.card (bag.setof b)))",
        "(=> (bag.subbag b b) (bag.member n b))",
    ] {
        check(input, input);
    }
    // As cvc5 1.0 spells it.
    check("(= b (bag.duplicate_removal b))", "(= b (bag.setof b))");
    // `bag` is a common name: a file may declare it, and the sort, itself.
    check_after("(declare-fun bag (Int Int) Int)", "(assert (= (bag 1 2) 3))", "(assert (= (bag 1 2) 3))");
    check_after("(declare-sort Bag 0)", "(declare-const b Bag)", "(declare-fun b () Bag)");
    // What is not understood is carried: operators with functions, and tables, which are bags of tuples.
    for text in [
        "(assert (= (bag.map (lambda ((x Int)) x) b) b))",
        "(assert (= (bag.filter (lambda ((x Int)) true) b) b))",
        "(assert (= (bag.fold (lambda ((x Int) (y Int)) x) 0 b) 0))",
        "(assert (= b bag.empty))",
        "(assert (bag.is_singleton b))",
        "(assert (= (bag.card (as bag.empty (Table Int Int))) 0))",
        "(assert (= (bag.card (bag (tuple 1 2) 3)) 3))",
    ] {
        check_after(bags, text, text);
    }
    check_refused("(declare-const b (Bag Int Int))", "1:19: this sort is given 2 arguments | expected an element sort");
    check_refused("(declare-const b Bag)", "1:18: this sort is given 0 arguments | expected an element sort");
    check_refused("(assert (= ((as bag.empty (Bag Int)) 1) 1))", "1:13: the empty bag takes no terms");
    check_refused(
        "(assert (= (as bag.empty (Set Int)) (as set.empty (Set Int))))",
        "1:16: `as bag.empty` cannot take ((Set Int)): expected a sort (Bag A)",
    );
    let refused = |term: &str, expect: &str| check_refused(&format!("{bags}\n(assert {term})"), expect);
    refused("(bag.member true b)", "2:10: `bag.member` cannot take (Bool (Bag Int)): expected (A (Bag A))");
    refused("(= b (bag 1 2.0))", "2:15: `bag` cannot take (Int Real): expected (A Int)");
    refused("(= b (bag 1))", "2:15: `bag` cannot take (Int): expected (A Int)");
    refused(
        "(= b (bag.union_max b q))",
        "2:15: `bag.union_max` cannot take ((Bag Int) (Bag (Bag Int))): expected ((Bag A) (Bag A) …)",
    );
    refused(
        "(bag.subbag b b b)",
        "2:10: `bag.subbag` cannot take ((Bag Int) (Bag Int) (Bag Int)): expected ((Bag A) (Bag A))",
    );
    refused("(bag.subbag b)", "2:10: `bag.subbag` cannot take ((Bag Int)): expected ((Bag A) (Bag A))");
}
