//! The values that facts about a term leave, one by one, if they are few.

use super::known::{KnownValues, listed};
use super::{GuardReader, MAX_VALUES};
use crate::cardinality::Cardinality;
use crate::collections::BagValue;
use crate::domain::Domains;
use crate::eval::Evaluator;
use crate::limits::EvalLimits;
use crate::model::Model;
use crate::strings::{RegexStore, SmtString, WorkBudget};
use crate::value::Value;
use dashu_int::UBig;
use smtlib::{Sort, SortId, TermId};
use std::sync::Arc;

/// The cost limit of enumerating the words of a language, in units of [`WorkBudget`].
const LANGUAGE_STEPS: u64 = 1 << 16;

impl GuardReader<'_> {
    /// Lists the values that the facts leave, if they are few.
    pub(super) fn values(&mut self, known: &KnownValues) -> Option<Vec<Value>> {
        if let Some(values) = &known.values {
            return (values.len() <= MAX_VALUES).then(|| values.iter().cloned().collect());
        }
        let few = known.bounds.iter().filter_map(listed).min_by_key(Vec::len);
        if few.is_some() {
            return few;
        }
        match (known.longest, self.store.sorts.get(self.store.sort(self.subject))) {
            (Some(longest), Sort::Seq(_)) => return self.sequences(longest),
            (Some(most), Sort::Bag(_)) => return self.bags(most),
            _ => {}
        }
        let (&first, others) = known.languages.split_first()?;
        self.words(first, others, known.longest)
    }

    /// Returns the sequences of the subject's sort up to a length, if they are few.
    fn sequences(&self, longest: u64) -> Option<Vec<Value>> {
        let sort = self.store.sort(self.subject);
        let Sort::Seq(element) = *self.store.sorts.get(sort) else { return None };
        let elements = self.elements(element)?;
        if longest > MAX_VALUES as u64 {
            return None;
        }
        let mut all = vec![Value::sequence(sort, [].into())?];
        let mut last: Vec<Vec<Value>> = vec![Vec::new()];
        for _ in 0..longest {
            if all.len() + last.len().saturating_mul(elements.len()) > MAX_VALUES {
                return None;
            }
            let longer = |word: &Vec<Value>| {
                elements.iter().map(|e| word.iter().chain([e]).cloned().collect()).collect::<Vec<Vec<Value>>>()
            };
            last = last.iter().flat_map(longer).collect();
            for word in &last {
                all.push(Value::sequence(sort, word.clone().into())?);
            }
        }
        all.sort();
        Some(all)
    }

    /// Returns the bags of the subject's sort with at most this many elements, if they are few.
    fn bags(&self, most: u64) -> Option<Vec<Value>> {
        let sort = self.store.sort(self.subject);
        let Sort::Bag(element) = *self.store.sorts.get(sort) else { return None };
        // Partial bags over the elements so far, with the number of elements that may be added.
        let mut all: Vec<(Vec<(Value, UBig)>, u64)> = vec![(Vec::new(), most)];
        for element in self.elements(element)? {
            let mut next = Vec::new();
            for (part, left) in all {
                // `left` may be large if there are few elements.
                if (next.len() as u64).saturating_add(left) >= MAX_VALUES as u64 {
                    return None;
                }
                for count in 0..=left {
                    let entry = (element.clone(), UBig::from(count));
                    next.push((part.iter().cloned().chain([entry]).collect(), left - count));
                }
            }
            all = next;
        }
        let bag = |(entries, _)| BagValue::new(sort, entries).ok().map(|bag| Value::Bag(Arc::new(bag)));
        let mut all: Vec<Value> = all.into_iter().map(bag).collect::<Option<_>>()?;
        all.sort();
        Some(all)
    }

    /// Returns all values of a sort, if they are few.
    fn elements(&self, sort: SortId) -> Option<Vec<Value>> {
        let (store, model) = (self.store, Model::new());
        let domains = Domains { store, model: &model };
        match domains.cardinality(sort) {
            Cardinality::Finite(size) if size <= MAX_VALUES as u64 => (0..size).map(|n| domains.nth(sort, n)).collect(),
            _ => None,
        }
    }

    /// Returns the common words of some languages up to a length, if they are few.
    fn words(&mut self, first: TermId, others: &[TermId], longest: Option<u64>) -> Option<Vec<Value>> {
        let limits = EvalLimits { steps: 1 << 12, regex_steps: LANGUAGE_STEPS, ..EvalLimits::default() };
        let mut evaluator = Evaluator::new(Model::new(), limits);
        let mut parts = Vec::new();
        for &language in std::iter::once(&first).chain(others) {
            match evaluator.eval(self.store, language).ok()? {
                Value::RegLan(id) => parts.push(id),
                _ => return None,
            }
        }
        let regexes: &mut RegexStore = &mut evaluator.regexes;
        let language = regexes.inter(&parts);
        let mut work = WorkBudget::new(LANGUAGE_STEPS);
        let words: Vec<SmtString> = regexes.words(language, longest, MAX_VALUES, &mut work).ok()??;
        let mut values: Vec<Value> = words.into_iter().map(Value::String).collect();
        values.sort();
        Some(values)
    }
}
