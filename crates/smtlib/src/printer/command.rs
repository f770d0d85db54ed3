//! Commands to text.

use super::Printer;
use crate::decl::{FuncBody, FuncId};
use crate::names::{ERROR_NEXT, THEORY, quote_symbol};
use crate::op::Kind;
use crate::script::{Command, RuleVariables};
use crate::sort::{DatatypeId, SortId};
use crate::symbol::Symbol;
use std::fmt::Write;

impl Printer<'_> {
    pub(super) fn print_command(&mut self, command: &Command, out: &mut String) {
        match command {
            Command::SetLogic(l) => self.named("(set-logic ", *l, out),
            Command::SetOption(k, v) => attribute("(set-option ", k, v, out),
            Command::Theory(text) => attribute("(set-info ", THEORY, text, out),
            Command::SetInfo(k, v) => attribute("(set-info ", k, v, out),
            Command::DeclareSort(name, arity) => {
                self.named("(declare-sort ", *name, out);
                let _ = write!(out, " {arity}");
            }
            Command::DefineSort(name, params, body) => {
                self.named("(define-sort ", *name, out);
                out.push_str(" (");
                self.names(params, out);
                out.push_str(") ");
                self.sort(*body, out);
            }
            Command::DeclareSortParameter(name) => self.named("(declare-sort-parameter ", *name, out),
            Command::DeclareHeap(location, data) => {
                out.push_str("(declare-heap (");
                self.sort(*location, out);
                out.push(' ');
                self.sort(*data, out);
                out.push(')');
            }
            Command::DeclareDatatypes(first, count) => self.datatypes(*first, *count, out),
            Command::DeclareFun(f) => self.declare_fun(*f, out),
            Command::DefineFun(f) => {
                self.prepare(*f);
                out.push_str("(define-fun ");
                self.signature(*f, out);
                out.push(' ');
                self.body(*f, out);
            }
            Command::DefineFunsRec(funcs) => self.recursive(funcs, out),
            Command::Assert(t, name) => {
                out.push_str(if name.is_some() { "(assert (! " } else { "(assert " });
                self.term(*t, out);
                if let Some(name) = name {
                    self.named(" :named ", *name, out);
                    out.push(')');
                }
            }
            Command::CheckSat => out.push_str("(check-sat"),
            Command::CheckSatAssuming(terms) => self.terms("(check-sat-assuming (", terms, out),
            Command::CheckSatUsing(tactic) => {
                let _ = write!(out, "(check-sat-using {tactic}");
            }
            Command::Push(n) => {
                let _ = write!(out, "(push {n}");
            }
            Command::Pop(n) => {
                let _ = write!(out, "(pop {n}");
            }
            Command::Reset => out.push_str("(reset"),
            Command::ResetAssertions => out.push_str("(reset-assertions"),
            Command::GetModel => out.push_str("(get-model"),
            Command::GetValue(terms) => self.terms("(get-value (", terms, out),
            Command::Extension(name, t, attributes) => {
                let _ = write!(out, "({name} ");
                self.term(*t, out);
                out.push_str(attributes);
            }
            Command::Rule(t, by, name) => {
                out.push_str("(rule ");
                let is_open = *by == RuleVariables::Declared && self.store.kind(*t) == Kind::Forall;
                let body = self.store.args(*t).first().filter(|_| is_open);
                self.term(*body.unwrap_or(t), out);
                out.push_str(name);
            }
            Command::Derive(goal) => {
                if let Some(f) = self.store.relation_of(*goal) {
                    self.named("(query ", self.store.func(f).name, out);
                }
            }
            Command::Echo(text) => {
                out.push_str("(echo \"");
                for c in text.iter().filter_map(|&c| char::from_u32(c)) {
                    out.push(c);
                    if c == '"' {
                        out.push(c);
                    }
                }
                out.push('"');
            }
            Command::Exit => out.push_str("(exit"),
            Command::Erroneous(text) => {
                let _ = write!(out, "(set-info {ERROR_NEXT} true)\n{text}");
                return;
            }
            Command::Query(text) | Command::Opaque(text, _) => {
                out.push_str(text);
                return;
            }
        }
        out.push(')');
    }

    fn named(&self, before: &str, name: Symbol, out: &mut String) {
        out.push_str(before);
        quote_symbol(self.store.name(name), out);
    }

    fn names(&self, names: &[Symbol], out: &mut String) {
        for (n, &name) in names.iter().enumerate() {
            self.named(if n == 0 { "" } else { " " }, name, out);
        }
    }

    fn terms(&mut self, before: &str, terms: &[crate::TermId], out: &mut String) {
        out.push_str(before);
        for (n, &t) in terms.iter().enumerate() {
            if n > 0 {
                out.push(' ');
            }
            self.term(t, out);
        }
        out.push(')');
    }

    fn declare_fun(&self, f: FuncId, out: &mut String) {
        if self.store.func(f).body == FuncBody::Relation {
            return self.declared("(declare-rel ", f, out);
        }
        self.declared("(declare-fun ", f, out);
        out.push(' ');
        self.sort(self.store.func(f).result, out);
    }

    /// The name of a function and the sorts of its parameters.
    fn declared(&self, before: &str, f: FuncId, out: &mut String) {
        let func = self.store.func(f);
        self.named(before, func.name, out);
        out.push_str(" (");
        for (n, &s) in func.params.iter().enumerate() {
            if n > 0 {
                out.push(' ');
            }
            self.sort(s, out);
        }
        out.push(')');
    }

    /// `name ((x S) …) R`.
    fn signature(&self, f: FuncId, out: &mut String) {
        let func = self.store.func(f);
        quote_symbol(self.store.name(func.name), out);
        let vars = func.definition().map_or(&[][..], |d| d.0);
        self.sorted_vars(vars, &func.params, out);
        self.sort(func.result, out);
    }

    fn sorted_vars(&self, vars: &[Symbol], sorts: &[SortId], out: &mut String) {
        out.push_str(" (");
        for (n, (&v, &s)) in vars.iter().zip(sorts).enumerate() {
            out.push_str(if n == 0 { "(" } else { " (" });
            self.variable(v, out);
            out.push(' ');
            self.sort(s, out);
            out.push(')');
        }
        out.push_str(") ");
    }

    fn body(&mut self, f: FuncId, out: &mut String) {
        if let Some((_, body)) = self.store.func(f).definition() {
            self.print_term(body, out);
        }
    }

    /// Chooses the spellings of variables for a definition: its parameters bind around its body.
    fn prepare(&mut self, f: FuncId) {
        if let Some((vars, body)) = self.store.func(f).definition() {
            self.capture.prepare(self.store, self.dialect, vars, body);
        }
    }

    fn recursive(&mut self, funcs: &[FuncId], out: &mut String) {
        if let [one] = funcs {
            self.prepare(*one);
            out.push_str("(define-fun-rec ");
            self.signature(*one, out);
            out.push(' ');
            self.body(*one, out);
            return;
        }
        out.push_str("(define-funs-rec (");
        for &f in funcs {
            self.prepare(f);
            out.push('(');
            self.signature(f, out);
            out.push(')');
        }
        out.push_str(") (");
        for (n, &f) in funcs.iter().enumerate() {
            if n > 0 {
                out.push(' ');
            }
            self.prepare(f);
            self.body(f, out);
        }
        out.push(')');
    }

    fn datatypes(&self, first: DatatypeId, count: u32, out: &mut String) {
        let group: Vec<DatatypeId> = (0..count).map(|n| DatatypeId(first.0 + n)).collect();
        let shared = self.store.datatype(first).params.clone();
        out.push_str("(declare-datatypes (");
        let old = self.dialect.datatypes25 && group.iter().all(|&d| self.store.datatype(d).params == shared);
        if old {
            self.names(&shared, out);
            out.push_str(") (");
        } else {
            for (n, &d) in group.iter().enumerate() {
                let dt = self.store.datatype(d);
                self.named(if n == 0 { "(" } else { " (" }, dt.name, out);
                let _ = write!(out, " {})", dt.params.len());
            }
            out.push_str(") (");
        }
        for (n, &d) in group.iter().enumerate() {
            if n > 0 {
                out.push(' ');
            }
            let dt = self.store.datatype(d);
            match (old, dt.params.is_empty()) {
                (true, _) => {
                    self.named("(", dt.name, out);
                    out.push(' ');
                }
                (false, false) => {
                    out.push_str("(par (");
                    self.names(&dt.params, out);
                    out.push_str(") (");
                }
                (false, true) => out.push('('),
            }
            for (n, c) in dt.constructors.iter().enumerate() {
                self.named(if n == 0 { "(" } else { " (" }, c.name, out);
                for &(selector, sort) in &c.fields {
                    self.named(" (", selector, out);
                    out.push(' ');
                    self.sort(sort, out);
                    out.push(')');
                }
                out.push(')');
            }
            out.push_str(if !old && !dt.params.is_empty() { "))" } else { ")" });
        }
        out.push(')');
    }
}

fn attribute(before: &str, key: &str, value: &str, out: &mut String) {
    out.push_str(before);
    out.push_str(key);
    if !value.is_empty() {
        out.push(' ');
        out.push_str(value);
    }
}
