//! Terms to text, without recursion.

use super::Printer;
use super::sharing::has_plain_patterns;
use super::text::{push_constant, push_function_name};
use crate::names::quote_symbol;
use crate::op::Kind;
use crate::symbol::Symbol;
use crate::term::{Store, TermId};
use crate::theories;
use std::fmt::Write;

/// The remaining parts to print, last first.
enum Work {
    /// A term in a region; `true` prints it even if it has a `let` name.
    Term(TermId, u32, bool),
    /// The bindings of a region, then a term in it.
    Region(TermId, u32),
    /// The end of a binder's or case's region, whose start was entered when this was scheduled.
    Leave(u32),
    Text(&'static str),
    Close(u32),
    /// `(name `, opening the binding of a repeated term.
    Name(u32),
    /// Part `n` of a binder's attributes, of a match's cases, and so on: printed from the term itself.
    Attributes(TermId),
    CasePattern(TermId, usize),
}

impl Printer<'_> {
    pub(super) fn print_term(&mut self, root: TermId, out: &mut String) {
        self.sharing.analyse(self.store, root);
        let mut work = vec![Work::Region(root, 0)];
        while let Some(item) = work.pop() {
            match item {
                Work::Text(text) => out.push_str(text),
                Work::Close(n) => out.extend(std::iter::repeat_n(')', n as usize)),
                Work::Name(n) => {
                    let _ = write!(out, "{}{n} ", self.prefix);
                }
                Work::Region(t, region) => self.open_region(t, region, &mut work),
                Work::Leave(region) => self.sharing.leave(region),
                Work::Term(t, region, whole) => self.open_term(t, region, whole, &mut work, out),
                Work::Attributes(t) => self.push_attributes(t, out),
                Work::CasePattern(t, n) => self.push_case(t, n, out),
            }
        }
    }

    /// Schedules `(let ((a …)) (let ((b …)) … t))` for the repeated terms of a region.
    fn open_region(&mut self, t: TermId, region: u32, work: &mut Vec<Work>) {
        if region != 0 {
            self.sharing.enter(region);
            work.push(Work::Leave(region));
        }
        let shared = &self.sharing.regions[region as usize].shared;
        work.push(Work::Close(shared.len() as u32));
        work.push(Work::Term(t, region, false));
        for &s in shared.iter().rev() {
            work.push(Work::Text(")) "));
            work.push(Work::Term(s, region, true));
            work.push(Work::Name(self.sharing.number(s, region).unwrap_or(0)));
            work.push(Work::Text("(let (("));
        }
    }

    fn open_term(&mut self, t: TermId, region: u32, whole: bool, work: &mut Vec<Work>, out: &mut String) {
        let home = self.sharing.home(self.store, t, region);
        if !whole && let Some(n) = self.sharing.number(t, home) {
            let _ = write!(out, "{}{n}", self.prefix);
            return;
        }
        let args = self.store.args(t);
        let kind = self.store.kind(t);
        match kind {
            Kind::Forall | Kind::Exists | Kind::Lambda => return self.open_binder(t, home, work, out),
            Kind::Match => return self.open_match(t, home, work, out),
            _ => {}
        }
        if args.is_empty() {
            return self.push_head(t, out);
        }
        out.push('(');
        work.push(Work::Close(1));
        if kind == Kind::ApplyMap && self.dialect.applies_symbols() && self.is_symbol(args[0]) {
            self.push_head(args[0], out);
            work.push(Work::Term(args[1], home, false));
            return work.push(Work::Text(" "));
        }
        self.push_head(t, out);
        if kind == Kind::ReLoop && !self.dialect.indexed_loop {
            // The bounds follow the regex and close the application, so they replace `Close`.
            out.push(' ');
            work.pop();
            work.push(Work::Attributes(t));
            work.push(Work::Term(args[0], home, false));
            return;
        }
        for &a in args.iter().rev() {
            work.push(Work::Term(a, home, false));
            work.push(Work::Text(" "));
        }
    }

    fn open_binder(&mut self, t: TermId, home: u32, work: &mut Vec<Work>, out: &mut String) {
        let Some(b) = self.store.op(t).binder() else { return };
        let binder = self.store.binder(b);
        out.push_str(match self.store.kind(t) {
            Kind::Forall => "(forall (",
            Kind::Exists => "(exists (",
            _ => "(lambda (",
        });
        for (n, &(name, sort)) in binder.vars.iter().enumerate() {
            out.push_str(if n == 0 { "(" } else { " (" });
            self.variable(name, out);
            out.push(' ');
            self.sort(sort, out);
            out.push(')');
        }
        out.push_str(") ");
        let inner = self.sharing.inner(t, home, 0);
        let args = self.store.args(t);
        let annotated = args.len() > 1 || binder.qid.is_some() || binder.weight.is_some();
        if !annotated {
            work.push(Work::Close(1));
            work.push(Work::Region(args[0], inner));
            return;
        }
        let separate = has_plain_patterns(self.store, t);
        let mut shared: &[TermId] = &[];
        if !separate {
            // `let` cannot span the `!`: bind around it, so that the patterns may use the names, too.
            self.sharing.enter(inner);
            work.push(Work::Leave(inner));
            shared = &self.sharing.regions[inner as usize].shared;
        }
        let part = |n: usize| match separate {
            true => Work::Region(args[n], self.sharing.inner(t, home, n)),
            false => Work::Term(args[n], inner, false),
        };
        work.push(Work::Close(1 + shared.len() as u32));
        work.push(Work::Attributes(t));
        let mut patterns = Vec::new();
        let mut next = 1;
        let groups = binder.patterns.iter().map(|&n| (" :pattern (", n as usize));
        let groups = groups.chain(std::iter::repeat_n((" :no-pattern ", 0), binder.no_patterns as usize));
        for (text, count) in groups {
            let single = count == 0;
            let count = count.max(1);
            patterns.push(Work::Text(text));
            for n in next..next + count {
                if n > next {
                    patterns.push(Work::Text(" "));
                }
                patterns.push(part(n));
            }
            if !single {
                patterns.push(Work::Close(1));
            }
            next += count;
        }
        work.extend(patterns.into_iter().rev());
        work.push(part(0));
        work.push(Work::Text("(! "));
        for &s in shared.iter().rev() {
            work.push(Work::Text(")) "));
            work.push(Work::Term(s, inner, true));
            work.push(Work::Name(self.sharing.number(s, inner).unwrap_or(0)));
            work.push(Work::Text("(let (("));
        }
    }

    fn open_match(&mut self, t: TermId, home: u32, work: &mut Vec<Work>, out: &mut String) {
        let args = self.store.args(t);
        out.push_str("(match ");
        work.push(Work::Close(2));
        for n in (1..args.len()).rev() {
            work.push(Work::Close(1));
            work.push(Work::Region(args[n], self.sharing.inner(t, home, n)));
            work.push(Work::CasePattern(t, n - 1));
            work.push(Work::Text(if n == 1 { "(" } else { " (" }));
        }
        work.push(Work::Text(" ("));
        work.push(Work::Term(args[0], home, false));
    }

    /// Appends the text after a term's children: a binder's last attributes, or an old-style loop's bounds.
    fn push_attributes(&self, t: TermId, out: &mut String) {
        let op = self.store.op(t);
        if op.kind == Kind::ReLoop {
            let _ = write!(out, " {} {})", op.i, op.j);
            return;
        }
        let Some(b) = op.binder() else { return };
        let binder = self.store.binder(b);
        if let Some(qid) = binder.qid {
            out.push_str(" :qid ");
            quote_symbol(self.store.name(qid), out);
        }
        if let Some(weight) = binder.weight {
            let _ = write!(out, " :weight {weight}");
        }
        out.push(')');
    }

    /// Appends the name of a bound variable.
    pub(super) fn variable(&self, v: Symbol, out: &mut String) {
        quote_symbol(self.capture.spelling(self.store, v), out);
    }

    fn push_case(&self, t: TermId, n: usize, out: &mut String) {
        let Some(m) = self.store.op(t).cases() else { return };
        let case = &self.store.cases(m)[n];
        let var = |v: &Option<Symbol>, out: &mut String| match v {
            Some(v) => self.variable(*v, out),
            None => out.push('_'),
        };
        match (case.constructor, datatype_of(self.store, self.store.args(t)[0])) {
            (Some(c), Some(d)) => {
                let constructor = &self.store.datatype(d).constructors[c as usize];
                if !case.vars.is_empty() {
                    out.push('(');
                }
                quote_symbol(self.store.name(constructor.name), out);
                for v in &case.vars {
                    out.push(' ');
                    var(v, out);
                }
                if !case.vars.is_empty() {
                    out.push(')');
                }
            }
            _ => case.vars.iter().for_each(|v| var(v, out)),
        }
        out.push(' ');
    }

    /// Appends the operator of a term, with its indices or `as`; for a leaf, the whole term.
    fn push_head(&self, t: TermId, out: &mut String) {
        let store = self.store;
        let op = store.op(t);
        match op.kind {
            Kind::Constant => {
                if let Some(c) = store.constant(t) {
                    push_constant(c, out);
                }
            }
            Kind::Variable => {
                if let Some(v) = store.variable(t) {
                    self.variable(v, out);
                }
            }
            Kind::ApplyMap => out.push_str(self.dialect.name(op.kind)),
            Kind::Apply | Kind::FuncValue | Kind::AsArray => {
                let Some(f) = op.func() else { return };
                let func = store.func(f);
                let open = op.kind == Kind::Apply
                    && (store.is_ambiguous(func.name)
                        || store.sorts.has_parameter(func.result) && !params_fix(store, func.result, &func.params));
                out.push_str(match op.kind {
                    Kind::AsArray => "(_ as-array ",
                    _ if open => "(as ",
                    _ => "",
                });
                push_function_name(store, self.dialect, func, out);
                if open {
                    out.push(' ');
                    self.sort(store.sort(t), out);
                }
                if open || op.kind == Kind::AsArray {
                    out.push(')');
                }
            }
            Kind::ConstArray => {
                out.push_str("(as const ");
                self.sort(store.sort(t), out);
                out.push(')');
            }
            Kind::SeqEmpty => {
                out.push_str("(as seq.empty ");
                self.sort(store.sort(t), out);
                out.push(')');
            }
            Kind::BagEmpty => {
                out.push_str("(as bag.empty ");
                self.sort(store.sort(t), out);
                out.push(')');
            }
            Kind::SetEmpty | Kind::SetUniverse | Kind::SepNil => {
                let _ = write!(out, "(as {} ", theories::collections::constant_name(op.kind).unwrap_or_default());
                self.sort(store.sort(t), out);
                out.push(')');
            }
            Kind::Construct | Kind::Test | Kind::Select | Kind::Update => self.push_datatype_head(t, out),
            kind => {
                let name = self.dialect.name(kind);
                match theories::row(kind).map_or(0, |r| r.indices) {
                    0 => out.push_str(name),
                    _ if kind == Kind::ReLoop && !self.dialect.indexed_loop => out.push_str(name),
                    1 => {
                        let _ = write!(out, "(_ {name} {})", op.i);
                    }
                    _ => {
                        let _ = write!(out, "(_ {name} {} {})", op.i, op.j);
                    }
                }
            }
        }
    }

    /// Whether a term is printed as one symbol.
    fn is_symbol(&self, t: TermId) -> bool {
        let op = self.store.op(t);
        matches!(op.kind, Kind::Apply | Kind::Variable | Kind::FuncValue)
            && self.store.args(t).is_empty()
            && !op.func().is_some_and(|f| self.store.is_ambiguous(self.store.func(f).name))
    }

    fn push_datatype_head(&self, t: TermId, out: &mut String) {
        let store = self.store;
        let op = store.op(t);
        let Some((d, c)) = op.constructor() else { return };
        let dt = store.datatype(d);
        let constructor = &dt.constructors[c];
        let name = store.name(constructor.name);
        match op.kind {
            Kind::Construct => {
                let sorts: Vec<_> = constructor.fields.iter().map(|f| f.1).collect();
                let open = store.is_ambiguous(constructor.name)
                    || dt.params.iter().any(|p| !sorts.iter().any(|&s| mentions(store, s, *p)));
                if open {
                    out.push_str("(as ");
                }
                quote_symbol(name, out);
                if open {
                    out.push(' ');
                    self.sort(store.sort(t), out);
                    out.push(')');
                }
            }
            Kind::Test if d.is_built_in() => {
                out.push_str(if c == 0 { "nullable.is_null" } else { "nullable.is_some" });
            }
            Kind::Test if self.dialect.old_testers => quote_symbol(&format!("is-{name}"), out),
            Kind::Test => {
                out.push_str("(_ is ");
                let is_shared = store.overloaded.contains_key(&constructor.name) && dt.params.is_empty();
                if is_shared {
                    // Z3 requires the whole rank then.
                    out.push('(');
                }
                quote_symbol(name, out);
                if is_shared {
                    out.push_str(" (");
                    for (n, &(_, sort)) in constructor.fields.iter().enumerate() {
                        out.push_str(if n == 0 { "" } else { " " });
                        self.sort(sort, out);
                    }
                    out.push_str(") ");
                    self.sort(store.sort(store.args(t)[0]), out);
                    out.push(')');
                }
                out.push(')');
            }
            _ => {
                let field = op.field().and_then(|f| constructor.fields.get(f));
                let Some(field) = field else { return };
                if d.is_built_in() {
                    // The name of a selector of tuples is `(_ tuple.select 0)`.
                    let name = store.name(field.0);
                    return match op.kind {
                        Kind::Update => out.push_str(&name.replace("select", "update")),
                        _ => out.push_str(name),
                    };
                }
                if op.kind == Kind::Update {
                    out.push_str("(_ update ");
                }
                quote_symbol(store.name(field.0), out);
                if op.kind == Kind::Update {
                    out.push(')');
                }
            }
        }
    }
}

fn datatype_of(store: &Store, t: TermId) -> Option<crate::DatatypeId> {
    match store.sorts.get(store.sort(t)) {
        crate::Sort::Datatype(d, _) => Some(*d),
        _ => None,
    }
}

fn mentions(store: &Store, sort: crate::SortId, parameter: Symbol) -> bool {
    match store.sorts.get(sort) {
        crate::Sort::Parameter(p) => *p == parameter,
        _ => store.sorts.children(sort).into_iter().any(|s| mentions(store, s, parameter)),
    }
}

/// Whether every sort parameter of `result` occurs in `params`.
fn params_fix(store: &Store, result: crate::SortId, params: &[crate::SortId]) -> bool {
    match store.sorts.get(result) {
        crate::Sort::Parameter(p) => params.iter().any(|&s| mentions(store, s, *p)),
        _ => store.sorts.children(result).into_iter().all(|s| params_fix(store, s, params)),
    }
}
