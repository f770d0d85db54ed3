//! Arrays made of functions, as z3 has them, against a brute force of another hand: each term is made with its text and its values.

use mutate::rng::RandomStream;
use mutate::small_world;
use semantics::Stop;
use semantics::truth::{ExhaustLimits, OpenTruth, Search, TruthQuery, of_check};
use smtlib::Status;
use std::rc::Rc;

/// The values of all symbols: two elements of two bits by an index of one bit, and those of the bound indices.
#[derive(Clone, Default)]
struct World {
    array: [u8; 2],
    function: [u8; 2],
    index: u8,
    element: u8,
    bound: Vec<u8>,
}

/// A text with its value in a world.
struct Said<T> {
    text: String,
    value: Rc<dyn Fn(&World) -> T>,
}

fn said<T>(text: impl Into<String>, value: impl Fn(&World) -> T + 'static) -> Said<T> {
    Said { text: text.into(), value: Rc::new(value) }
}

/// Draws terms, at most `fuel` deep, under `bound` lambdas.
struct Draw<'r> {
    rng: &'r mut RandomStream,
    bound: usize,
}

impl Draw<'_> {
    fn index(&mut self, fuel: u32) -> Said<u8> {
        match self.rng.below(if fuel == 0 { 3 } else { 4 }) {
            0 => said("x", |w| w.index),
            1 if self.bound > 0 => {
                let level = self.rng.index(self.bound);
                said(format!("i{level}"), move |w| w.bound[level])
            }
            1 | 2 => {
                let value = self.rng.below(2) as u8;
                said(format!("#b{value}"), move |_| value)
            }
            _ => {
                let Said { text, value } = self.index(fuel - 1);
                said(format!("(bvnot {text})"), move |w| 1 - value(w))
            }
        }
    }

    fn element(&mut self, fuel: u32) -> Said<u8> {
        match self.rng.below(if fuel == 0 { 3 } else { 7 }) {
            0 => said("y", |w| w.element),
            1 => {
                let value = self.rng.below(4) as u8;
                said(format!("#b{value:02b}"), move |_| value)
            }
            2 => {
                let at = self.index(fuel.saturating_sub(1));
                said(format!("(f {})", at.text), move |w| w.function[usize::from((at.value)(w))])
            }
            3 => {
                let (a, b) = (self.element(fuel - 1), self.element(fuel - 1));
                said(format!("(bvadd {} {})", a.text, b.text), move |w| ((a.value)(w) + (b.value)(w)) % 4)
            }
            4 => {
                let (c, a, b) = (self.formula(fuel - 1), self.element(fuel - 1), self.element(fuel - 1));
                let text = format!("(ite {} {} {})", c.text, a.text, b.text);
                said(text, move |w| if (c.value)(w) { (a.value)(w) } else { (b.value)(w) })
            }
            _ => {
                let (whole, at) = (self.array(fuel - 1), self.index(fuel - 1));
                let text = format!("(select {} {})", whole.text, at.text);
                said(text, move |w| (whole.value)(w)[usize::from((at.value)(w))])
            }
        }
    }

    fn array(&mut self, fuel: u32) -> Said<[u8; 2]> {
        match self.rng.below(if fuel == 0 { 3 } else { 9 }) {
            0 | 1 => said("a", |w| w.array),
            2 => said("(_ as-array f)", |w| w.function),
            3 => {
                let (whole, at, new) = (self.array(fuel - 1), self.index(fuel - 1), self.element(fuel - 1));
                let text = format!("(store {} {} {})", whole.text, at.text, new.text);
                said(text, move |w| {
                    let mut array = (whole.value)(w);
                    array[usize::from((at.value)(w))] = (new.value)(w);
                    array
                })
            }
            4 => {
                let (c, a, b) = (self.formula(fuel - 1), self.array(fuel - 1), self.array(fuel - 1));
                let text = format!("(ite {} {} {})", c.text, a.text, b.text);
                said(text, move |w| if (c.value)(w) { (a.value)(w) } else { (b.value)(w) })
            }
            5 => {
                let (a, b) = (self.array(fuel - 1), self.array(fuel - 1));
                let rank = "((_ BitVec 2) (_ BitVec 2)) (_ BitVec 2)";
                said(format!("((_ map (bvadd {rank})) {} {})", a.text, b.text), move |w| {
                    let (a, b) = ((a.value)(w), (b.value)(w));
                    [(a[0] + b[0]) % 4, (a[1] + b[1]) % 4]
                })
            }
            6 => {
                let a = self.array(fuel - 1);
                said(format!("((_ map g) {})", a.text), move |w| (a.value)(w).map(|element| element ^ w.element))
            }
            _ => {
                let level = self.bound;
                self.bound += 1;
                let body = self.element(fuel - 1);
                self.bound = level;
                said(format!("(lambda ((i{level} (_ BitVec 1))) {})", body.text), move |w| {
                    [0, 1].map(|at| {
                        let mut inner = w.clone();
                        inner.bound.truncate(level);
                        inner.bound.push(at);
                        (body.value)(&inner)
                    })
                })
            }
        }
    }

    fn formula(&mut self, fuel: u32) -> Said<bool> {
        let less = fuel.saturating_sub(1);
        match self.rng.below(if fuel == 0 { 2 } else { 5 }) {
            0 => {
                let (a, b) = (self.element(less), self.element(less));
                said(format!("(bvult {} {})", a.text, b.text), move |w| (a.value)(w) < (b.value)(w))
            }
            1 => {
                let (a, b) = (self.index(less), self.index(less));
                said(format!("(= {} {})", a.text, b.text), move |w| (a.value)(w) == (b.value)(w))
            }
            2 => {
                let a = self.formula(less);
                said(format!("(not {})", a.text), move |w| !(a.value)(w))
            }
            _ => {
                let (a, b) = (self.array(less), self.array(less));
                said(format!("(= {} {})", a.text, b.text), move |w| (a.value)(w) == (b.value)(w))
            }
        }
    }
}

fn worlds() -> impl Iterator<Item = World> {
    (0..1u16 << 11).map(|bits| {
        let two = |at: u32| (bits >> at & 3) as u8;
        let (array, function) = ([two(0), two(2)], [two(4), two(6)]);
        World { array, function, index: (bits >> 8 & 1) as u8, element: two(9), bound: Vec::new() }
    })
}

#[test]
fn arrays_made_of_functions_have_the_values_of_a_brute_force() {
    let count = testing::amount("SQUALL_PROBLEMS", 40u64);
    let (mut answers, mut open, limits) = ([0u64; 2], 0, ExhaustLimits::default());
    for seed in 0..count {
        let mut rng = RandomStream::from_seed(seed);
        let mut draw = Draw { rng: &mut rng, bound: 0 };
        let formulas: Vec<Said<bool>> = (0..3).map(|_| draw.formula(4)).collect();
        let expected = worlds().any(|w| formulas.iter().all(|formula| (formula.value)(&w)));
        let asserted: String = formulas.iter().map(|formula| format!("(assert {})\n", formula.text)).collect();
        let text = format!(
            "(declare-const a (Array (_ BitVec 1) (_ BitVec 2)))\n(declare-fun f ((_ BitVec 1)) (_ BitVec 2))\n\
             (declare-const x (_ BitVec 1))\n(declare-const y (_ BitVec 2))\n\
             (define-fun g ((e (_ BitVec 2))) (_ BitVec 2) (bvxor e y))\n{asserted}(check-sat)\n"
        );
        for search in [Search::Quick, Search::Recorded] {
            let query = TruthQuery { limits: &limits, stop: &Stop::default(), search };
            let expected = if expected { Status::Sat } else { Status::Unsat };
            match of_check(&text, 0, query) {
                Ok(truth) => assert_eq!(small_world::expected(&truth), expected, "seed {seed}\n{text}"),
                Err(OpenTruth::Unresolved { .. }) => open += 1,
                Err(why) => panic!("seed {seed}: {why}\n{text}"),
            }
        }
        answers[usize::from(expected)] += 1;
    }
    println!("{answers:?}, {open} open");
    assert!(answers.iter().all(|&n| n * 5 > count) && open * 20 < count, "{answers:?}, {open} open");
}
