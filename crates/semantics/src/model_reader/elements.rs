//! The elements of uninterpreted sorts: those that occur in a model or in its comments, whatever their names.

use super::ModelReader;
use super::answer::AnswerItem;
use crate::value::Value;
use smtlib::sexpr::{SexprNode, Sexprs, bare};
use smtlib::{FuncId, Sort, SortId};
use std::borrow::Cow;

impl ModelReader<'_> {
    /// Declares the elements of uninterpreted sorts and fixes the universes.
    ///
    /// z3 declares all elements. cvc5 names all in comments (`; rep: (as @U_0 U)`), but in definitions only those that it needs. Where a
    /// reply names elements in definitions alone, or none, the universe stays open: there may be others, at which two arrays differ.
    pub(super) fn elements(&mut self, response: &str, all: &Sexprs<'_>, items: &[AnswerItem<'_>]) {
        for named in response.lines().filter_map(|line| line.trim_start().strip_prefix("; rep: ")) {
            self.elements_in(&Sexprs::read(named));
        }
        for item in items {
            if let AnswerItem::Element { name, sort } = item
                && !self.is_taken(name)
            {
                self.element(name, sort);
            }
        }
        let stated = self.counts.clone();
        self.elements_in(all);
        let universes: Vec<SortId> = self
            .store
            .sorts
            .iter()
            .filter(|(id, s)| matches!(s, Sort::Uninterpreted(..)) && !self.store.sorts.has_parameter(*id))
            .map(|s| s.0)
            .collect();
        for sort in universes {
            // Elements that only occur in definitions need not be all.
            if let Some(&count) = stated.get(&sort)
                && self.counts.get(&sort) == Some(&count)
            {
                self.model.set_universe(sort, count);
            }
        }
    }

    /// Declares the elements that a text names, unless the reply is ignored already.
    fn elements_in(&mut self, all: &Sexprs<'_>) {
        for node in all.nodes() {
            if self.doubt.is_some() {
                return;
            }
            if all.is_list(node) {
                if let Some((name, sort)) = element(all, node) {
                    self.qualified_element(name, sort);
                }
                continue;
            }
            let name = bare(all.text(node));
            if let Some(sort) = self.sort_in_name(name)
                && !self.is_taken(name)
            {
                let sort = self.store.sort_text(sort);
                self.element(name, &sort);
            }
        }
    }

    /// The sort of an element's name by the solvers' conventions: `S!val!N`, `@S_N`, `@uc_S_N`.
    fn sort_in_name(&self, name: &str) -> Option<SortId> {
        let digits = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
        let sort = match name.split_once("!val!") {
            Some((sort, number)) if digits(number) => sort,
            _ => {
                let (sort, number) = name.strip_prefix('@')?.rsplit_once('_')?;
                if !digits(number) {
                    return None;
                }
                sort.strip_prefix("uc_").unwrap_or(sort)
            }
        };
        self.sort_names.get(sort).copied()
    }

    /// Declares the element named `(as name sort)`. Elements of several sorts may share a name.
    fn qualified_element(&mut self, name: &str, sort: &str) {
        let key = (name.to_string(), sort.to_string());
        if self.elements.contains_key(&key) || self.declared.contains_key(name) {
            return;
        }
        let Some(&first) = self.helpers.get(name) else {
            self.elements.insert(key, name.to_string());
            return self.element(name, sort);
        };
        let own = format!("squall!element!{}", self.elements.len());
        match self.declare(&own, "", sort) {
            Ok(f) if self.store.func(f).result == self.store.func(first).result => {
                self.elements.insert(key, name.to_string());
            }
            Ok(f) => {
                self.elements.insert(key, own.clone());
                self.new_element(own, f);
            }
            Err(why) => self.doubt(|| format!("its element `{name}` is of a sort that is not understood: {why}")),
        }
    }

    fn element(&mut self, name: &str, sort: &str) {
        match self.declare(name, "", sort) {
            Ok(f) => self.new_element(name.to_string(), f),
            // Without it, its sort's universe would be too small.
            Err(why) => {
                self.doubt(|| format!("its element `{name}` is declared in a way that is not understood: {why}"))
            }
        }
    }

    fn new_element(&mut self, symbol: String, f: FuncId) {
        self.helpers.insert(symbol, f);
        let sort = self.store.func(f).result;
        // Anything else that the model only declares has no value, and terms with it are unknown.
        if !matches!(self.store.sorts.get(sort), Sort::Uninterpreted(..)) {
            return;
        }
        let count = self.counts.entry(sort).or_default();
        let value = Value::Element { sort, index: *count };
        *count += 1;
        if let Err(reason) = self.model.assign(self.store, f, value) {
            self.model.mark_unreadable(f, reason.to_string());
        }
    }

    /// Replaces `(as @U_0 U)` in a term's text by the symbol that declares the element.
    pub(super) fn spelled<'t>(&self, all: &Sexprs<'t>, node: SexprNode) -> Cow<'t, str> {
        let text = all.text(node);
        if self.elements.is_empty() || !text.contains('@') {
            return Cow::Borrowed(text);
        }
        let mut out = String::with_capacity(text.len());
        let start = all.span(node).start;
        let mut copied = start;
        for list in all.within(node).filter(|&n| all.is_list(n)) {
            let symbol =
                element(all, list).and_then(|(name, sort)| self.elements.get(&(name.to_string(), sort.to_string())));
            // One inside another's sort is replaced with it.
            let span = all.span(list);
            if let Some(symbol) = symbol.filter(|_| copied <= span.start) {
                out.push_str(&text[copied - start..span.start - start]);
                out.extend(["|", symbol, "|"]);
                copied = span.end;
            }
        }
        out.push_str(&text[copied - start..]);
        Cow::Owned(out)
    }
}

/// Returns the name and the sort in `(as @name sort)`.
fn element<'t>(all: &Sexprs<'t>, list: SexprNode) -> Option<(&'t str, &'t str)> {
    let mut parts = all.children(list);
    if all.text(parts.next()?) != "as" {
        return None;
    }
    let name = bare(all.text(parts.next().filter(|&n| !all.is_list(n))?));
    let sort = all.text(parts.next()?);
    (name.starts_with('@') && parts.next().is_none()).then_some((name, sort))
}
