//! Models in Yices' and old Boolector's own formats, rewritten as definitions.
//!
//! Yices prints `(= x 5)` for constants, `-5`, `1/3` and `0b0101` for numbers and bit-vectors, names like `@const_1` or
//! `const!3` for elements of uninterpreted sorts, and functions and arrays as blocks
//! `(function f (type (-> int int)) (= (f 1) 2) (default 3))`, and `(= g @fun_5)` may refer to one by name. Boolector 1.5
//! prints a line `x 0101` for a bit-vector and a line `a[01] 0101` for each index of an array it knows. Open parts of such
//! a model (`???`, `x` bits, functions without default, other indices) are filled in here, and the symbol counts as
//! completed; unknown parts make the symbol unreadable.

use rustc_hash::{FxHashMap, FxHashSet};
use smtlib::sexpr::{SexprNode, Sexprs, bare};
use smtlib::{FuncId, Sort, SortId, Store};
use std::fmt::Write;

/// How deep arrays of arrays are followed.
const MAX_NESTING: usize = 8;

/// The maximum number of bytes written for one model: blocks that share others would grow without it.
const MAX_TEXT: usize = 1 << 26;

/// A model with definitions instead of assignments.
#[derive(Default)]
pub(crate) struct Rewritten {
    pub(crate) text: String,
    /// The symbols with only some values given: the text completes them.
    pub(crate) partial: Vec<FuncId>,
    /// The symbols whose assignments are not understood, with the reasons.
    pub(crate) unreadable: Vec<(FuncId, String)>,
}

/// Returns the model with definitions instead of assignments; `None` if it has no assignments, or is truncated.
pub(crate) fn rewritten(
    store: &Store,
    declared: &FxHashMap<String, Vec<FuncId>>,
    all: &Sexprs<'_>,
) -> Option<Rewritten> {
    if !all.is_whole() {
        return None;
    }
    if !all.top().any(|node| all.is_list(node)) {
        return bit_lines(store, declared, all);
    }
    let mut assignments = Assignments::default();
    let mut others = String::new();
    for node in all.top() {
        let parts: Vec<SexprNode> = all.children(node).take(3).collect();
        let name = parts.get(1).filter(|&&name| !all.is_list(name)).map(|&name| bare(all.text(name)));
        let before = match (parts.first().map(|&head| all.text(head)), name, parts.get(2)) {
            (Some("="), Some(name), Some(&value)) if all.children(node).count() == 3 => {
                assignments.values.insert(name, all.text(value)).is_some()
            }
            (Some("function"), Some(name), _) => {
                assignments.blocks.insert(name, GraphText::of(all, node, name)).is_some()
            }
            _ => {
                // Anything but an assignment is kept.
                others.push_str(all.text(node));
                others.push('\n');
                false
            }
        };
        // Of two values for a name neither is trusted: kept unchanged, they are compared later, or not understood.
        if before {
            return None;
        }
    }
    if assignments.values.is_empty() && assignments.blocks.is_empty() {
        return None;
    }
    Some(assignments.definitions(store, declared, &others))
}

/// A function's graph as text.
struct GraphText<'t> {
    rows: Vec<(Vec<&'t str>, &'t str)>,
    default: Option<&'t str>,
    /// The graph has unknown parts.
    strange: bool,
}

impl<'t> GraphText<'t> {
    fn of(all: &Sexprs<'t>, node: SexprNode, name: &str) -> GraphText<'t> {
        let mut block = GraphText { rows: Vec::new(), default: None, strange: false };
        for part in all.children(node).skip(2) {
            let inside: Vec<SexprNode> = all.children(part).collect();
            match (&all.words(part)[..], &inside[..]) {
                (&["=", _, value], &[_, application, _]) => match all.words(application).split_first() {
                    Some((&head, args)) if bare(head) == name => block.rows.push((args.into(), value)),
                    _ => block.strange = true,
                },
                (&["default", value], _) if block.default.is_none() => block.default = Some(value),
                (&["type", _], _) => {}
                _ => block.strange = true,
            }
        }
        block
    }
}

#[derive(Default)]
struct Assignments<'t> {
    values: FxHashMap<&'t str, &'t str>,
    blocks: FxHashMap<&'t str, GraphText<'t>>,
}

impl Assignments<'_> {
    fn definitions(&self, store: &Store, declared: &FxHashMap<String, Vec<FuncId>>, others: &str) -> Rewritten {
        let mut done = Rewritten::default();
        let mut elements: FxHashSet<(String, SortId)> = FxHashSet::default();
        let mut body = String::new();
        let mut left = MAX_TEXT;
        let mut names: Vec<(&String, &Vec<FuncId>)> = declared.iter().collect();
        names.sort();
        for (name, functions) in names {
            let given = self.values.get(name.as_str()).copied();
            if given.is_none() && !self.blocks.contains_key(name.as_str()) {
                continue;
            }
            let [f] = functions[..] else {
                done.unreadable.extend(functions.iter().map(|&f| (f, SEVERAL.to_string())));
                continue;
            };
            let func = store.func(f);
            let (elements, left) = (&mut elements, &mut left);
            let mut writer = DialectWriter { store, all: self, elements, left, is_partial: false };
            let given = given.unwrap_or(name);
            let written = match func.params.is_empty() {
                true => writer.value(given, func.result, 0).map(|value| Some((String::new(), value?))),
                false => writer.function(given, &func.params, func.result).map(Some),
            };
            let is_partial = writer.is_partial;
            match written {
                Ok(Some((params, value))) => {
                    // Writing to a string cannot fail.
                    let _ = writeln!(body, "(define-fun |{name}| ({params}) {} {value})", store.sort_text(func.result));
                    done.partial.extend(is_partial.then_some(f));
                }
                // It is open, and completed like a missing symbol.
                Ok(None) => {}
                Err(why) => done.unreadable.push((f, why)),
            }
        }
        done.text.push_str("(\n");
        let mut elements: Vec<(String, SortId)> = elements.into_iter().collect();
        elements.sort();
        for (name, sort) in elements.iter().filter(|e| !declared.contains_key(&e.0)) {
            let _ = writeln!(done.text, "(declare-fun |{name}| () {})", store.sort_text(*sort));
        }
        done.text.extend([&body, ")\n", others]);
        done
    }
}

/// Why a value does not belong to a symbol.
pub(crate) const SEVERAL: &str = "the script has several functions of this name";

/// Rows of arguments and a value, and the value everywhere else: all as terms.
type GraphRows = (Vec<(Vec<String>, String)>, String);

struct DialectWriter<'a> {
    store: &'a Store,
    all: &'a Assignments<'a>,
    elements: &'a mut FxHashSet<(String, SortId)>,
    left: &'a mut usize,
    /// An open part was filled in.
    is_partial: bool,
}

impl DialectWriter<'_> {
    /// Reads a value of a sort as a term; `None` if it is open. Recursion is bounded by [`MAX_NESTING`].
    fn value(&mut self, text: &str, sort: SortId, nesting: usize) -> Result<Option<String>, String> {
        if text == "???" {
            return Ok(None);
        }
        match *self.store.sorts.get(sort) {
            Sort::Array(index, element) => {
                if nesting > MAX_NESTING {
                    return Err("its arrays are nested too deep".to_string());
                }
                let Some(block) = self.all.blocks.get(bare(text)) else { return Ok(Some(text.to_string())) };
                let (rows, default) = self.graph(block, &[index], element, nesting)?;
                let mut out = "(store ".repeat(rows.len());
                let _ = write!(out, "((as const {}) {default})", self.store.sort_text(sort));
                for (args, value) in &rows {
                    let _ = write!(out, " {} {value})", args.join(" "));
                }
                Ok(Some(out))
            }
            Sort::Uninterpreted(..) if !text.starts_with('(') => {
                let name = bare(text);
                self.elements.insert((name.to_string(), sort));
                Ok(Some(format!("|{name}|")))
            }
            _ => Ok(Some(literal(text))),
        }
    }

    /// Returns the function that a name refers to: its parameters and its body.
    fn function(&mut self, name: &str, params: &[SortId], result: SortId) -> Result<(String, String), String> {
        let block = self.all.blocks.get(bare(name)).ok_or_else(|| format!("the model has no block for `{name}`"))?;
        let (rows, default) = self.graph(block, params, result, 0)?;
        let list: Vec<String> =
            params.iter().enumerate().map(|(n, &p)| format!("(x!{n} {})", self.store.sort_text(p))).collect();
        let mut out = String::new();
        for (args, value) in &rows {
            out.push_str("(ite (and");
            for (n, arg) in args.iter().enumerate() {
                let _ = write!(out, " (= x!{n} {arg})");
            }
            // The standard requires two operands of a conjunction.
            let _ = write!(out, " true) {value} ");
        }
        out.push_str(&default);
        out.push_str(&")".repeat(rows.len()));
        Ok((list.join(" "), out))
    }

    /// Returns the rows of a block and its default, as terms.
    fn graph(
        &mut self,
        block: &GraphText<'_>,
        params: &[SortId],
        result: SortId,
        nesting: usize,
    ) -> Result<GraphRows, String> {
        if block.strange {
            return Err("its block is not understood".to_string());
        }
        let mut rows = Vec::with_capacity(block.rows.len());
        for (args, value) in &block.rows {
            if args.len() != params.len() {
                return Err("a row of its block has another number of arguments".to_string());
            }
            let written: Result<Option<Vec<String>>, String> =
                args.iter().zip(params).map(|(arg, &p)| self.value(arg, p, nesting + 1)).collect();
            let written = written?.ok_or("its block has an argument that is left open")?;
            match self.value(value, result, nesting + 1)? {
                Some(value) => {
                    let size = value.len() + written.iter().map(String::len).sum::<usize>();
                    *self.left = self.left.checked_sub(size).ok_or("the blocks it shares are too large as text")?;
                    rows.push((written, value));
                }
                None => self.is_partial = true,
            }
        }
        let given = match block.default {
            Some(default) => self.value(default, result, nesting + 1)?,
            None => None,
        };
        let default = match given {
            Some(default) => default,
            None => {
                self.is_partial = true;
                zero(self.store, result).ok_or("its block has no default")?
            }
        };
        Ok((rows, default))
    }
}

/// Returns some value of a sort.
fn zero(store: &Store, sort: SortId) -> Option<String> {
    match *store.sorts.get(sort) {
        Sort::Bool => Some("false".to_string()),
        Sort::Int => Some("0".to_string()),
        Sort::Real => Some("0.0".to_string()),
        Sort::BitVec(width) => Some(format!("(_ bv0 {width})")),
        Sort::FiniteField(ref order) => Some(format!("#f0m{}", order.get())),
        Sort::Set(_) => Some(format!("(as set.empty {})", store.sort_text(sort))),
        Sort::Bag(_) => Some(format!("(as bag.empty {})", store.sort_text(sort))),
        Sort::Array(_, element) => Some(format!("((as const {}) {})", store.sort_text(sort), zero(store, element)?)),
        _ => None,
    }
}

/// Returns a number or bit-vector in SMT-LIB's spelling, other text as it is.
fn literal(text: &str) -> String {
    if let Some(bits) = text.strip_prefix("0b") {
        return format!("#b{bits}");
    }
    let (sign, number) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
    if !number.starts_with(|c: char| c.is_ascii_digit()) {
        return text.to_string();
    }
    let positive = match number.split_once('/') {
        Some((above, below)) => format!("(/ {above} {below})"),
        None => number.to_string(),
    };
    if sign { format!("(- {positive})") } else { positive }
}

/// Lines `name bits` and `name[bits] bits`.
fn bit_lines(store: &Store, declared: &FxHashMap<String, Vec<FuncId>>, all: &Sexprs<'_>) -> Option<Rewritten> {
    let is_bits = |s: &str| !s.is_empty() && s.bytes().all(|b| matches!(b, b'0' | b'1' | b'x'));
    let mut done = Rewritten { text: String::from("(\n"), ..Rewritten::default() };
    // Each array with its stores.
    let mut arrays: Vec<(FuncId, String)> = Vec::new();
    let mut known: FxHashMap<FuncId, usize> = FxHashMap::default();
    let mut indices: FxHashSet<(FuncId, &str)> = FxHashSet::default();
    let mut understood = false;
    let mut atoms = all.top().skip_while(|&node| matches!(all.text(node), "sat" | "unknown" | "success")).peekable();
    while let Some(node) = atoms.next() {
        // An index directly follows the name.
        let name = bare(all.text(node));
        let end = all.span(node).end;
        let index = atoms.next_if(|&next| all.span(next).start == end && all.text(next).starts_with('['));
        let index = match index {
            Some(node) => Some(all.text(node).strip_prefix('[')?.strip_suffix(']').filter(|bits| is_bits(bits))?),
            None => None,
        };
        let bits = atoms.next().map(|node| all.text(node)).filter(|bits| is_bits(bits))?;
        understood = true;
        let functions = declared.get(name).map_or(&[][..], |functions| &functions[..]);
        let f = match functions {
            // A name of the solver's own.
            [] => continue,
            &[f] => f,
            _ => {
                done.unreadable.extend(functions.iter().map(|&f| (f, SEVERAL.to_string())));
                continue;
            }
        };
        if index.is_some_and(|bits| bits.contains('x')) {
            done.unreadable.push((f, "an index of it is left open".to_string()));
            continue;
        }
        if bits.contains('x') {
            done.partial.push(f);
        }
        let bits = bits.replace('x', "0");
        let func = store.func(f);
        match (store.sorts.get(func.result), index) {
            (Sort::Bool, None) if bits.len() == 1 => {
                let _ = writeln!(done.text, "(define-fun |{name}| () Bool {})", bits == "1");
            }
            (Sort::BitVec(width), None) => {
                let _ = writeln!(done.text, "(define-fun |{name}| () (_ BitVec {width}) #b{bits})");
            }
            (Sort::Array(..), Some(index)) if indices.insert((f, index)) => {
                let place = *known.entry(f).or_insert_with(|| {
                    arrays.push((f, String::new()));
                    arrays.len() - 1
                });
                let _ = write!(arrays[place].1, " #b{index} #b{bits})");
            }
            _ => done.unreadable.push((f, "its bits do not form a Boolean, bit-vector or array".to_string())),
        }
    }
    for (f, stores) in arrays {
        let func = store.func(f);
        let (name, sort) = (store.name(func.name), store.sort_text(func.result));
        let Some(constant) = zero(store, func.result) else {
            done.unreadable.push((f, "it has indices but is not an array of bit-vectors".to_string()));
            continue;
        };
        let opening = "(store ".repeat(stores.matches(')').count());
        let _ = writeln!(done.text, "(define-fun |{name}| () {sort} {opening}{constant}{stores})");
        done.partial.push(f);
    }
    done.text.push(')');
    understood.then_some(done)
}
