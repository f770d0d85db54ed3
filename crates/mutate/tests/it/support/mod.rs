//! What the tests of this crate share: reading scripts, finding seeds, making batches.

pub mod exhaustion;

use mutate::mutator::GivenModel;
use mutate::storm::{Storm, StormConfig};
use mutate::{MutantRequest, Parent, TargetSpelling, Unit};
use smtlib::{Instance, Store};
use std::path::{Path, PathBuf};

/// The instances of a script that must be right.
pub fn read(text: &str) -> (Store, Vec<Instance>) {
    let mut store = Store::new();
    let parsed = smtlib::parse(&mut store, text);
    assert!(parsed.errors.is_empty(), "{:?}\n{text}", parsed.errors);
    let instances = parsed.script.instances();
    (store, instances)
}

/// The instances of a script, or none if it has errors.
pub fn try_read(text: &str) -> Option<(Store, Vec<Instance>)> {
    let mut store = Store::new();
    let parsed = smtlib::parse(&mut store, text);
    parsed.errors.is_empty().then(|| (store, parsed.script.instances()))
}

/// A parent without a model.
pub fn parent(instance: &Instance) -> Parent {
    Parent { instance: instance.clone(), given: GivenModel::Nothing }
}

/// Runs `body` on the batch of one instance; false if the seed gives none.
pub fn with_batch(
    store: &Store,
    parent: &Parent,
    config: &StormConfig,
    unit: Unit,
    body: impl FnOnce(&mut mutate::storm::StormBatch<'_>),
) -> bool {
    let mut store = store.clone();
    let target = TargetSpelling::default();
    let parents = [parent.clone()];
    let storm = Storm { config: config.clone() };
    match storm.batch(&mut store, MutantRequest { parents: &parents, target: &target, unit }) {
        Ok(mut batch) => {
            body(&mut batch);
            true
        }
        Err(_) => false,
    }
}

/// The project's own seeds.
pub fn own_seeds() -> Vec<PathBuf> {
    scripts(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../seeds"))
}

/// All scripts below a folder, sorted.
pub fn scripts(dir: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![dir.to_path_buf()];
    while let Some(dir) = open.pop() {
        for entry in std::fs::read_dir(&dir).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|e| e == "smt2") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Small scripts that together use every part of the mutator.
pub const SCRIPTS: &[&str] = &[
    "(set-logic QF_LIA)
     (declare-fun x () Int) (declare-fun y () Int)
     (assert (or (> x 1) (< y (* 3 x))))
     (assert (=> (= (+ x y) 7) (ite (> x y) (distinct x 0 y) (xor (< x 0) (< y 0)))))
     (check-sat)",
    "(set-logic QF_AUFBV)
     (declare-fun a () (Array (_ BitVec 8) (_ BitVec 16))) (declare-fun i () (_ BitVec 8))
     (declare-fun f ((_ BitVec 16)) Bool)
     (assert (and (f (select a i)) (bvult (select a #x00) #x00ff)))
     (assert (= a (store a i (bvadd (select a i) #x0001))))
     (assert (not (f (bvneg (select (store a #x01 #xffff) i)))))
     (check-sat)",
    "(set-logic ALL)
     (declare-sort U 0) (declare-datatypes ((L 0)) (((nil) (cons (head U) (tail L)))))
     (declare-fun u () U) (declare-fun l () L) (declare-fun p (U L) Bool)
     (assert (forall ((z U)) (=> (p z l) (= z u))))
     (assert (or ((_ is nil) l) (p (head l) (tail l))))
     (assert (exists ((z U)) (and (p z nil) (p u (cons z l)))))
     (assert (match l ((nil true) ((cons h t) (= h u)))))
     (check-sat)",
    "(set-logic QF_LRA)
     (declare-fun x () Real) (declare-fun y () Real) (define-fun m ((a Real) (b Real)) Real (ite (< a b) a b))
     (push 1) (assert (< (m x y) 0.5)) (check-sat) (pop 1)
     (declare-fun b () Bool)
     (push 2) (assert (= b (< (+ x y) (/ 1.0 3.0)))) (assert (or b (> x 2.0))) (check-sat) (pop 2)
     (assert (! (<= x y) :named order)) (check-sat-assuming (b (not order)))",
    "(set-logic QF_FP)
     (declare-fun x () (_ FloatingPoint 8 24)) (declare-fun r () RoundingMode)
     (assert (or (fp.isNaN x) (fp.lt x (fp.add r x (fp #b0 #x7f #b00000000000000000000000)))))
     (assert (not (fp.eq x (fp.mul r x x))))
     (check-sat)",
    "(set-logic QF_SLIA)
     (declare-fun s () String) (declare-fun n () Int)
     (assert (or (str.contains s \"ab\") (= (str.len s) n)))
     (assert (=> (str.in_re s (re.+ (re.range \"a\" \"c\"))) (= (str.indexof s \"b\" 0) n)))
     (check-sat)",
];

/// The first checks of scripts, in one store.
pub fn parents(texts: &[&str]) -> (Store, Vec<Parent>) {
    let mut store = Store::new();
    let read = |text: &&str| {
        let parsed = smtlib::parse(&mut store, text);
        assert!(parsed.errors.is_empty(), "{:?}\n{text}", parsed.errors);
        parent(parsed.script.instances().first().expect("a check"))
    };
    let parents = texts.iter().map(read).collect();
    (store, parents)
}
