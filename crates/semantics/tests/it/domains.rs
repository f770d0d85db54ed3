//! How many elements a sort has, which is the n-th and which one is some element.

use crate::support::read;
use semantics::Model;
use semantics::cardinality::Cardinality::{self, Finite, Huge, Infinite, Unknown};
use semantics::domain::Domains;
use smtlib::Command;
use std::collections::BTreeSet;

/// The universe of `U` has two elements in the model, that of `V` is open.
const SORTS: &str = "(declare-sort U 0)(declare-sort V 0)
    (declare-datatype Unit ((unit)))
    (declare-datatype Colour ((red) (green) (blue)))
    (declare-datatype Pair ((pair (first Bool) (second Colour)) (none)))
    (declare-datatype Open ((open (inside V)) (closed)))
    (declare-datatype Inner ((more (rest Inner)) (stop (last Bool))))
    (declare-datatypes ((List 1)) ((par (T) ((nil) (cons (head T) (tail (List T)))))))";

/// Checks the size of a sort and the element that stands for any; the elements of a small sort are all different.
#[track_caller]
fn check(sort: &str, size: Cardinality, some: &str) {
    let mut r = read(&format!("{SORTS}(declare-const u U)(declare-const x {sort})"));
    let declared = |c: &Command| if let Command::DeclareFun(f) = c { Some(r.store.func(*f).result) } else { None };
    let [u, id] = r.script.commands.iter().filter_map(declared).collect::<Vec<_>>()[..] else { panic!("u and x") };
    let mut model = Model::new();
    model.set_universe(u, 2);
    let domains = Domains { store: &r.store, model: &model };
    assert_eq!(domains.cardinality(id), size, "{sort}");
    if let Finite(n) = size
        && n <= 1 << 12
    {
        let all: BTreeSet<_> = (0..n).filter_map(|k| domains.nth(id, k)).collect();
        assert_eq!(all.len() as u64, n, "{sort}: {all:?}");
        assert!(all.iter().all(|v| v.has_sort(&r.store, id)), "{sort}: {all:?}");
    }
    let any = domains.any(id);
    assert!(any.iter().all(|v| v.has_sort(&r.store, id)), "{sort}: {any:?}");
    let text = any.map_or("none".to_string(), |v| match v.to_term(&mut r.store, id) {
        Some(t) => r.store.term_text(t),
        None => format!("{v:?}"),
    });
    assert_eq!(text, some, "{sort}");
}

#[test]
fn sizes_and_elements() {
    check("Bool", Finite(2), "false");
    check("RoundingMode", Finite(5), "RNE");
    check("Int", Infinite, "0");
    check("Real", Infinite, "0.0");
    check("String", Infinite, "\"\"");
    check("(_ BitVec 3)", Finite(8), "#b000");
    check("(_ BitVec 63)", Finite(1 << 63), &format!("#b{}", "0".repeat(63)));
    check("(_ BitVec 64)", Huge, "#x0000000000000000");
    // Of all patterns that encode NaN only one counts.
    check("(_ FloatingPoint 2 3)", Finite(32 - 6 + 1), "(fp #b0 #b00 #b00)");
    check("(_ FloatingPoint 3 5)", Finite(256 - 30 + 1), "(fp #b0 #b000 #x0)");
    check("(_ FloatingPoint 5 2)", Finite(128 - 2 + 1), "(fp #b0 #b00000 #b0)");
    check("(_ FiniteField 2)", Finite(2), "#f0m2");
    check("(_ FiniteField 101)", Finite(101), "#f0m101");
    check("(_ FiniteField 18446744073709551557)", Finite(18_446_744_073_709_551_557), "#f0m18446744073709551557");
    check("(_ FiniteField 18446744073709551629)", Huge, "#f0m18446744073709551629");
    check(
        "(Array (_ FiniteField 3) (_ FiniteField 5))",
        Finite(125),
        "((as const (Array (_ FiniteField 3) (_ FiniteField 5))) #f0m5)",
    );
    check("(Set Bool)", Finite(4), "(as set.empty (Set Bool))");
    check("(Set (Set Bool))", Finite(16), "(as set.empty (Set (Set Bool)))");
    check("(Set Pair)", Finite(128), "(as set.empty (Set Pair))");
    check("(Set (_ BitVec 6))", Huge, "(as set.empty (Set (_ BitVec 6)))");
    check("(Set Int)", Infinite, "(as set.empty (Set Int))");
    check("(Set U)", Finite(4), "(as set.empty (Set U))");
    check("(Set V)", Unknown, "(as set.empty (Set V))");
    // Of one element there may be any number, also where it is the only one.
    check("(Bag Bool)", Infinite, "(as bag.empty (Bag Bool))");
    check("(Bag V)", Infinite, "(as bag.empty (Bag V))");
    check("Float64", Huge, "(fp #b0 #b00000000000 #x0000000000000)");
}

#[test]
fn sizes_of_compounds() {
    check("Unit", Finite(1), "unit");
    check("Colour", Finite(3), "red");
    check("Pair", Finite(7), "(pair false red)");
    check("(List Int)", Unknown, "(as nil (List Int))");
    check("Inner", Infinite, "(stop false)");
    check("(Array Bool Colour)", Finite(9), "((as const (Array Bool Colour)) red)");
    check("(Array Colour Bool)", Finite(8), "((as const (Array Colour Bool)) false)");
    check(
        "(Array Bool (Array Bool Colour))",
        Finite(81),
        "((as const (Array Bool (Array Bool Colour))) ((as const (Array Bool Colour)) red))",
    );
    check("(Array (Array Bool Bool) Bool)", Finite(16), "((as const (Array (Array Bool Bool) Bool)) false)");
    check("(Array Pair Bool)", Finite(128), "((as const (Array Pair Bool)) false)");
    check("(Array Int Unit)", Finite(1), "((as const (Array Int Unit)) unit)");
    check("(Array Int Bool)", Infinite, "((as const (Array Int Bool)) false)");
    check("(Array Bool Int)", Infinite, "((as const (Array Bool Int)) 0)");
    check("(Array (_ BitVec 64) Bool)", Huge, "((as const (Array (_ BitVec 64) Bool)) false)");
    check("(Array Bool (_ BitVec 32))", Huge, "((as const (Array Bool (_ BitVec 32))) #x00000000)");
}

/// A size that the model leaves open stays unknown in what is made of the sort: taken for a great one, two arrays that may
/// be the same would be different.
#[test]
fn sizes_that_the_model_leaves_open() {
    check("U", Finite(2), "elem!U!0");
    check("(Array U Colour)", Finite(9), "((as const (Array U Colour)) red)");
    check("V", Unknown, "elem!V!0");
    check("Open", Unknown, "(open elem!V!0)");
    check("(Array V Bool)", Unknown, "((as const (Array V Bool)) false)");
    check("(Array Open Bool)", Unknown, "((as const (Array Open Bool)) false)");
    check("(Array V Unit)", Finite(1), "((as const (Array V Unit)) unit)");
}

/// Sixty datatypes with two fields each took more than 40 s to count, and an element of the last has 2^60 parts.
#[test]
fn chains_of_datatypes_are_counted_in_linear_time() {
    let chain = |first: &str, most: usize| {
        let links = (1..=most).map(|n| format!("(declare-datatype D{n} ((c{n} (l{n} D{0}) (r{n} D{0}))))", n - 1));
        format!("(declare-datatype D0 {first}){}(declare-const x D{most})", links.collect::<String>())
    };
    let check = |first: &str, most: usize, size: Cardinality, has_element: bool| {
        let r = read(&chain(first, most));
        let declared = |c: &Command| if let Command::DeclareFun(f) = c { Some(r.store.func(*f).result) } else { None };
        let sort = r.script.commands.iter().find_map(declared).expect("x is declared");
        let model = Model::new();
        let domains = Domains { store: &r.store, model: &model };
        assert_eq!((domains.cardinality(sort), domains.any(sort).is_some()), (size, has_element), "{first} {most}");
    };
    check("((a))", 3, Finite(1), true);
    check("((a) (b))", 3, Finite(256), true);
    check("((a) (b))", 8, Huge, true);
    check("((a))", 12, Finite(1), true);
    check("((a (n Int)))", 12, Infinite, true);
    // One element, which is too large to write.
    check("((a))", 25, Unknown, false);
    check("((a))", 60, Unknown, false);
}
