//! Rules without their widths: finds which terms a rule may match, and at which widths.

use super::instance::SizedRule;
use super::search::{ArgumentOrder, MatchSearch, Meeting};
use super::text::RuleText;
use smtlib::{Kind, Sort, Store, TermId};

/// The left side without indices and values, which is compared with terms of any width.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum RuleShape {
    /// A variable, by its index.
    Variable(usize),
    /// An operator on shapes; a value has none.
    App(Kind, Vec<RuleShape>),
}

impl RuleShape {
    /// Returns the shape of an instance's left side. The recursion depth is that of the rule's text.
    pub fn of(store: &Store, instance: &SizedRule, t: TermId) -> RuleShape {
        match instance.variables.iter().position(|&(_, term)| term == t) {
            Some(n) => RuleShape::Variable(n),
            None => {
                let args = store.args(t).iter().map(|&a| RuleShape::of(store, instance, a)).collect();
                RuleShape::App(store.kind(t), args)
            }
        }
    }

    /// Whether the outermost operator is that of the term.
    pub fn begins(&self, store: &Store, t: TermId) -> bool {
        match self {
            RuleShape::Variable(_) => true,
            RuleShape::App(kind, _) => *kind == store.kind(t),
        }
    }

    /// Returns a search for the widths that a term may give the rule.
    pub fn search(&self, rule: &RuleText, t: TermId, order: ArgumentOrder) -> WidthSearch<'_> {
        MatchSearch::new(self, t, vec![None; rule.widths.len()], order)
    }
}

/// The open widths of a rule, `None` if unknown.
pub(super) type WidthSearch<'a> = MatchSearch<&'a RuleShape, Vec<Option<u32>>>;

/// Returns the widths of the next match of a search, possibly repeated.
pub(super) fn next_widths(store: &Store, rule: &RuleText, search: &mut WidthSearch<'_>) -> Option<Vec<u32>> {
    let found = search.next(store, |shape, t, widths| meet(store, rule, shape, t, widths))?;
    found.found.into_iter().collect()
}

fn meet<'a>(
    store: &Store,
    rule: &RuleText,
    shape: &'a RuleShape,
    t: TermId,
    widths: &mut [Option<u32>],
) -> Meeting<&'a RuleShape> {
    match shape {
        RuleShape::App(kind, shapes) if *kind == store.kind(t) => match shapes.is_empty() {
            true => Meeting::Whole,
            false => Meeting::Parts(shapes.iter().collect()),
        },
        RuleShape::App(..) => Meeting::Not,
        RuleShape::Variable(n) => {
            for (width, index) in rule.shown_widths(&rule.variables[*n].1) {
                let found = match (store.sorts.get(store.sort(t)), index) {
                    (Sort::BitVec(bits), 0) => *bits,
                    (Sort::Float { eb, .. }, 0) => *eb,
                    (Sort::Float { sb, .. }, 1) => *sb,
                    _ => return Meeting::Not,
                };
                if *widths[width].get_or_insert(found) != found {
                    return Meeting::Not;
                }
            }
            Meeting::Whole
        }
    }
}
