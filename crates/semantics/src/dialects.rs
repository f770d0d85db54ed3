//! Models in spellings of their own, rewritten as definitions: assignments of Yices and of old versions of Boolector.
//!
//! Yices prints `(= x 5)` for constants, `-5`, `1/3` and `0b0101` for numbers and bit-vectors, names like `@const_1` or
//! `const!3` for elements of uninterpreted sorts, and functions and arrays as blocks
//! `(function f (type (-> int int)) (= (f 1) 2) (default 3))`, the name of which may stand for another one by
//! `(= g @fun_5)`. Boolector 1.5 prints a line `x 0101` for a bit-vector and a line `a[01] 0101` for each index of an array
//! it knows. What such a model leaves open (`???`, `x` bits, functions without default, other indices) is left out here.

use crate::sexpr::{bare, children, is_list, items};
use rustc_hash::{FxHashMap, FxHashSet};
use smtlib::{FuncId, Sort, SortId, Store};
use std::fmt::Write;

/// Arrays of arrays are followed so deep.
const MAX_NESTING: usize = 8;

/// The most bytes written for one model: blocks that share others would grow without it.
const MAX_TEXT: usize = 1 << 26;

/// The model with definitions in place of assignments; none when it has none.
///
/// The second part lists the symbols of which only some values are given, which are completed in the text.
pub(crate) fn rewritten(
    store: &Store,
    declared: &FxHashMap<String, Vec<FuncId>>,
    response: &str,
) -> Option<(String, Vec<FuncId>)> {
    let top = items(response, 0..response.len());
    let lists = top.iter().filter(|i| is_list(response, i)).count();
    if lists == 0 {
        return bit_lines(store, declared, response);
    }
    let mut assignments = Assignments::default();
    let mut others = String::new();
    for item in &top {
        let parts = children(response, item);
        let text: Vec<&str> = parts.iter().map(|p| &response[p.clone()]).collect();
        match text[..] {
            ["=", name, value] if !name.starts_with('(') => {
                assignments.values.insert(bare(name), value);
            }
            ["function", name, _, ..] => {
                assignments.blocks.insert(bare(name), Block::of(response, &parts[2..]));
            }
            _ if is_list(response, item) => {
                others.push_str(&response[item.clone()]);
                others.push('\n');
            }
            _ => {}
        }
    }
    if assignments.values.is_empty() && assignments.blocks.is_empty() {
        return None;
    }
    Some((assignments.definitions(store, declared, &others), Vec::new()))
}

/// A function's graph as text.
struct Block<'t> {
    rows: Vec<(Vec<&'t str>, &'t str)>,
    default: Option<&'t str>,
}

impl<'t> Block<'t> {
    fn of(text: &'t str, parts: &[std::ops::Range<usize>]) -> Block<'t> {
        let mut block = Block { rows: Vec::new(), default: None };
        for part in parts {
            let inside = children(text, part);
            let words: Vec<&str> = inside.iter().map(|p| &text[p.clone()]).collect();
            match words[..] {
                ["=", application, value] if application.starts_with('(') => {
                    let args = children(text, &inside[1]);
                    block.rows.push((args.iter().skip(1).map(|a| &text[a.clone()]).collect(), value));
                }
                ["default", value] => block.default = Some(value),
                _ => {}
            }
        }
        block
    }
}

#[derive(Default)]
struct Assignments<'t> {
    values: FxHashMap<&'t str, &'t str>,
    blocks: FxHashMap<&'t str, Block<'t>>,
}

impl Assignments<'_> {
    fn definitions(&self, store: &Store, declared: &FxHashMap<String, Vec<FuncId>>, others: &str) -> String {
        let mut elements: FxHashSet<(String, SortId)> = FxHashSet::default();
        let mut body = String::new();
        let mut left = MAX_TEXT;
        let mut names: Vec<(&String, &Vec<FuncId>)> = declared.iter().collect();
        names.sort();
        for (name, functions) in names {
            let [f] = functions[..] else { continue };
            let func = store.func(f);
            let given = self.values.get(name.as_str()).copied();
            let mut writer = Writer { store, all: self, elements: &mut elements, left: &mut left };
            let text = if func.params.is_empty() {
                let value = given.or_else(|| self.blocks.contains_key(name.as_str()).then_some(name.as_str()));
                value.and_then(|v| writer.value(v, func.result, 0)).map(|v| (String::new(), v))
            } else {
                let block = self.blocks.get(given.map_or(name.as_str(), bare));
                block.and_then(|b| writer.function(b, &func.params, func.result))
            };
            if let Some((params, value)) = text {
                // Writing to a string cannot fail.
                let _ = writeln!(body, "(define-fun |{name}| ({params}) {} {value})", store.sort_text(func.result));
            }
        }
        let mut out = String::from("(\n");
        let mut elements: Vec<(String, SortId)> = elements.into_iter().collect();
        elements.sort();
        for (name, sort) in elements.iter().filter(|e| !declared.contains_key(&e.0)) {
            let _ = writeln!(out, "(declare-fun |{name}| () {})", store.sort_text(*sort));
        }
        out + &body + ")\n" + others
    }
}

struct Writer<'a> {
    store: &'a Store,
    all: &'a Assignments<'a>,
    elements: &'a mut FxHashSet<(String, SortId)>,
    left: &'a mut usize,
}

impl Writer<'_> {
    /// A value of a sort as a term; recursion is bounded by [`MAX_NESTING`].
    fn value(&mut self, text: &str, sort: SortId, nesting: usize) -> Option<String> {
        match *self.store.sorts.get(sort) {
            Sort::Array(index, element) => {
                if nesting > MAX_NESTING {
                    return None;
                }
                let Some(block) = self.all.blocks.get(bare(text)) else { return Some(text.to_string()) };
                let default = self.value(block.default?, element, nesting + 1)?;
                let mut out = "(store ".repeat(block.rows.len());
                let _ = write!(out, "((as const {}) {default})", self.store.sort_text(sort));
                for (args, value) in &block.rows {
                    let [arg] = args[..] else { return None };
                    let (arg, value) = (self.value(arg, index, nesting + 1)?, self.value(value, element, nesting + 1)?);
                    *self.left = self.left.checked_sub(arg.len() + value.len())?;
                    let _ = write!(out, " {arg} {value})");
                }
                Some(out)
            }
            Sort::Uninterpreted(..) if !text.starts_with('(') => {
                let name = bare(text);
                self.elements.insert((name.to_string(), sort));
                Some(format!("|{name}|"))
            }
            _ => literal(text),
        }
    }

    fn function(&mut self, block: &Block<'_>, params: &[SortId], result: SortId) -> Option<(String, String)> {
        let list: Vec<String> =
            params.iter().enumerate().map(|(n, &p)| format!("(x!{n} {})", self.store.sort_text(p))).collect();
        let mut out = String::new();
        for (args, value) in &block.rows {
            if args.len() != params.len() {
                return None;
            }
            out.push_str("(ite (and");
            for (n, (arg, &p)) in args.iter().zip(params).enumerate() {
                let arg = self.value(arg, p, 0)?;
                let _ = write!(out, " (= x!{n} {arg})");
            }
            let value = self.value(value, result, 0)?;
            // A conjunction needs two operands in the standard.
            let _ = write!(out, " true) {value} ");
        }
        out.push_str(&self.value(block.default?, result, 0)?);
        out.push_str(&")".repeat(block.rows.len()));
        Some((list.join(" "), out))
    }
}

/// A number or bit-vector in SMT-LIB's spelling, other text as it is; none for `???`.
fn literal(text: &str) -> Option<String> {
    if text == "???" {
        return None;
    }
    if let Some(bits) = text.strip_prefix("0b") {
        return Some(format!("#b{bits}"));
    }
    let (sign, number) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
    if !number.starts_with(|c: char| c.is_ascii_digit()) {
        return Some(text.to_string());
    }
    let positive = match number.split_once('/') {
        Some((above, below)) => format!("(/ {above} {below})"),
        None => number.to_string(),
    };
    Some(if sign { format!("(- {positive})") } else { positive })
}

/// Lines `name bits` and `name[bits] bits`.
fn bit_lines(
    store: &Store,
    declared: &FxHashMap<String, Vec<FuncId>>,
    response: &str,
) -> Option<(String, Vec<FuncId>)> {
    let is_bits = |s: &str| !s.is_empty() && s.bytes().all(|b| matches!(b, b'0' | b'1' | b'x'));
    // Each array with its name, its beginning and its stores.
    let mut arrays: Vec<(FuncId, &str, String, Vec<String>)> = Vec::new();
    let mut out = String::from("(\n");
    let mut understood = false;
    for line in response.lines() {
        let Some((place, bits)) = line.trim().split_once(' ') else { continue };
        if !is_bits(bits) {
            return None;
        }
        let (name, index) = match place.strip_suffix(']').and_then(|p| p.split_once('[')) {
            Some((name, index)) if is_bits(index) => (name, Some(index)),
            Some(_) => return None,
            None => (place, None),
        };
        let Some([f]) = declared.get(bare(name)).map(|fs| &fs[..]) else { continue };
        understood = true;
        if bits.contains('x') || index.is_some_and(|i| i.contains('x')) {
            continue;
        }
        let result = store.func(*f).result;
        match (store.sorts.get(result), index) {
            (Sort::Bool, None) => {
                let _ = writeln!(out, "(define-fun |{}| () Bool {})", bare(name), bits == "1");
            }
            (Sort::BitVec(_), None) => {
                let _ = writeln!(out, "(define-fun |{}| () {} #b{bits})", bare(name), store.sort_text(result));
            }
            (&Sort::Array(_, element), Some(index)) => {
                if !arrays.iter().any(|a| a.0 == *f) {
                    let Sort::BitVec(width) = store.sorts.get(element) else { continue };
                    let zero = "0".repeat(*width as usize);
                    let constant = format!("((as const {}) #b{zero})", store.sort_text(result));
                    arrays.push((*f, bare(name), constant, Vec::new()));
                }
                if let Some(array) = arrays.iter_mut().find(|a| a.0 == *f) {
                    array.3.push(format!(" #b{index} #b{bits})"));
                }
            }
            _ => {}
        }
    }
    for (f, name, constant, stores) in &arrays {
        let sort = store.sort_text(store.func(*f).result);
        let opening = "(store ".repeat(stores.len());
        let _ = writeln!(out, "(define-fun |{name}| () {sort} {opening}{constant}{})", stores.concat());
    }
    understood.then(|| (out + ")", arrays.iter().map(|a| a.0).collect()))
}
