//! What evaluation costs a term: `cargo bench -p semantics --bench eval`.

use divan::Bencher;
use divan::counter::ItemsCount;
use semantics::{EvalLimits, Evaluator, Model};
use smtlib::{Kind, Op, Store, TermId};
use std::sync::Arc;

fn main() {
    divan::main();
}

const TERMS: u32 = 10_000;

/// A chain of binary operations on a fresh literal each.
fn chain(store: &mut Store, op: Op, prefix: &[TermId], mut literal: impl FnMut(&mut Store, u32) -> TermId) -> TermId {
    let mut t = literal(store, 0);
    for n in 1..=TERMS {
        let k = literal(store, n);
        let args: Vec<TermId> = prefix.iter().copied().chain([t, k]).collect();
        t = store.app(op, &args).unwrap_or(t);
    }
    t
}

fn measure(bencher: Bencher<'_, '_>, store: &Store, root: TermId, items: u32) {
    let model = Arc::new(Model::new());
    bencher
        .counter(ItemsCount::new(items))
        .with_inputs(|| Evaluator::new(model.clone(), EvalLimits::default()))
        .bench_local_values(|mut evaluator| {
            let value = evaluator.eval(store, root);
            (value, evaluator)
        });
}

/// Literals and products: two terms an item.
#[divan::bench]
fn multiply_64_bits(bencher: Bencher<'_, '_>) {
    let mut store = Store::new();
    let root = chain(&mut store, Op::new(Kind::BvMul), &[], |s, n| {
        s.bitvec(64, &(0x9e37_79b9_7f4a_7c15u64 ^ u64::from(n) << 20 | 1).into())
    });
    measure(bencher, &store, root, TERMS);
}

#[divan::bench]
fn add_int(bencher: Bencher<'_, '_>) {
    let mut store = Store::new();
    let root = chain(&mut store, Op::new(Kind::IntAdd), &[], |s, n| s.int(&n.into()));
    measure(bencher, &store, root, TERMS);
}

#[divan::bench]
fn add_float64(bencher: Bencher<'_, '_>) {
    let mut store = Store::new();
    let mode = store.app(Op::new(Kind::Rne), &[]).into_iter().collect::<Vec<_>>();
    let root = chain(&mut store, Op::new(Kind::FpAdd), &mode, |s, n| {
        // Sixteen literals that repeat: what is measured is the addition, its operands being in the memo.
        let bits = s.bitvec(64, &(f64::from(n % 16) * 1.1).to_bits().into());
        s.app(Op::indexed(Kind::FpFromBits, 11, 53), &[bits]).unwrap_or(bits)
    });
    measure(bencher, &store, root, TERMS);
}

/// A comparison of two strings of 20 characters an item, all under one conjunction.
#[divan::bench]
fn compare_strings(bencher: Bencher<'_, '_>) {
    let mut store = Store::new();
    let mut all = Vec::new();
    for n in 0..TERMS {
        let (mut a, mut b) = ([u32::from(b'a'); 20], [u32::from(b'a'); 20]);
        (a[18], b[19]) = (n % 1000, n / 10);
        let (a, b) = (store.string(&a), store.string(&b));
        let less = store.app(Op::new(Kind::StrLe), &[a, b]);
        let less = less.unwrap_or(a);
        let not = store.not(less);
        all.extend(store.app(Op::new(Kind::Or), &[less, not]));
    }
    let root = store.and(&all);
    measure(bencher, &store, root, TERMS);
}

/// All Boolean subterms of a script of some 20 KB.
#[divan::bench]
fn fragments_of_a_seed(bencher: Bencher<'_, '_>) {
    let mut text = String::new();
    for n in 0..20 {
        text.push_str(&format!("(declare-const x{n} (_ BitVec 32))(declare-const i{n} Int)\n"));
    }
    let mut k = 0u32;
    while text.len() < 20_000 {
        let (a, b) = (k % 20, k * 7 % 20);
        text.push_str(&format!(
            "(assert (or (bvult (bvadd x{a} #x{k:08x}) (bvmul x{b} x{a})) (and (not (= x{a} x{b})) (> (+ i{a} (* {k} i{b})) (div i{b} {}))) (=> (bvsle x{b} x{a}) (= (mod i{a} 7) 3))))\n",
            k % 9 + 1
        ));
        k += 1;
    }
    let mut store = Store::new();
    let parsed = smtlib::parse(&mut store, &text);
    let mut model = Model::new();
    for command in &parsed.script.commands {
        if let smtlib::Command::DeclareFun(f) = command {
            let domains = semantics::domain::Domains { store: &store, model: &Model::new() };
            if let Some(value) = domains.any(store.func(*f).result) {
                model.assign(&store, *f, value).unwrap_or_default();
            }
        }
    }
    let model = Arc::new(model);
    let fragments: Vec<TermId> = (0..store.len()).map(TermId::from_index).filter(|&t| store.is_bool(t)).collect();
    bencher
        .counter(ItemsCount::new(fragments.len()))
        .with_inputs(|| Evaluator::new(model.clone(), EvalLimits::default()))
        .bench_local_values(|mut evaluator| {
            let known = fragments.iter().filter(|&&t| evaluator.truth(&store, t).is_some()).count();
            (known, evaluator)
        });
}
