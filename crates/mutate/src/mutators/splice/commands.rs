//! The commands of a session: assertions, the declarations that they need, and checks.

use super::part::PartLiteral;
use super::session::{DeclarationStyle, LiveAssertion, SpliceSession};
use smtlib::FuncId;

impl SpliceSession<'_, '_> {
    /// Asserts a literal, after those guards of its part that are not live.
    pub(super) fn assert(&mut self, one: LiveAssertion) {
        let live = self.live(one.part, &[]);
        let missing: Vec<PartLiteral> = self.source.parts[one.part]
            .guards()
            .filter(|guard| !live.contains(guard) && *guard != one.literal)
            .collect();
        for literal in missing {
            self.write_assertion(LiveAssertion { literal, selector: None, ..one });
        }
        self.write_assertion(one);
    }

    fn write_assertion(&mut self, one: LiveAssertion) {
        self.declare(one);
        let formula = &self.source.parts[one.part].formulas[one.literal.formula];
        let text = &mut self.out.text;
        text.push_str("(assert ");
        if let Some(n) = one.selector {
            let selector = &self.source.selectors[n].text;
            let as_or = self.rng.coin();
            text.push_str(if as_or { "(or (not " } else { "(=> " });
            text.push_str(selector);
            text.push_str(if as_or { ") " } else { " " });
        }
        push_literal(text, &formula.text, one.literal.is_positive);
        text.push_str(if one.selector.is_some() { "))\n" } else { ")\n" });
        if let Some(level) = self.levels.last_mut() {
            level.asserted.push(one);
        }
    }

    /// Declares the functions of an assertion that are not declared here.
    fn declare(&mut self, one: LiveAssertion) {
        if self.plan.style == DeclarationStyle::First {
            return;
        }
        let symbols = &self.source.parts[one.part].formulas[one.literal.formula].symbols;
        let selector = one.selector.map(|n| self.source.selectors[n].func);
        let wanted: Vec<FuncId> = symbols.iter().copied().chain(selector).collect();
        wanted.into_iter().for_each(|f| self.declare_function(f));
    }

    fn declare_function(&mut self, f: FuncId) {
        if self.plan.style == DeclarationStyle::First || self.levels.iter().any(|l| l.declared.contains(&f)) {
            return;
        }
        let place = if self.plan.style == DeclarationStyle::Global { 0 } else { self.levels.len() - 1 };
        self.levels[place].declared.push(f);
        self.out.text.push_str(self.source.declarations.get(&f).map_or("", String::as_str));
    }

    /// `(check-sat)`, or the same under assumptions.
    pub(super) fn write_check(
        &mut self,
        has_assumptions: bool,
        selected: &[Option<bool>],
        names: &[(usize, PartLiteral)],
    ) {
        if !has_assumptions {
            return self.out.text.push_str("(check-sat)\n");
        }
        for (n, value) in selected.iter().enumerate() {
            if value.is_some() {
                self.declare_function(self.source.selectors[n].func);
            }
        }
        for &(part, literal) in names {
            self.declare(LiveAssertion { part, literal, selector: None });
        }
        let text = &mut self.out.text;
        text.push_str("(check-sat-assuming (");
        let mut gap = "";
        for (selector, value) in self.source.selectors.iter().zip(selected) {
            let &Some(value) = value else { continue };
            text.push_str(gap);
            push_literal(text, &selector.text, value);
            gap = " ";
        }
        for &(part, literal) in names {
            text.push_str(gap);
            push_literal(text, &self.source.parts[part].formulas[literal.formula].text, literal.is_positive);
            gap = " ";
        }
        text.push_str("))\n");
    }
}

fn push_literal(text: &mut String, formula: &str, is_positive: bool) {
    text.push_str(if is_positive { "" } else { "(not " });
    text.push_str(formula);
    text.push_str(if is_positive { "" } else { ")" });
}
