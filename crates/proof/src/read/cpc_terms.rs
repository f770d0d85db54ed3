//! Non-standard operators of cvc5's own format, and the terms that its Skolem functions stand for.

use super::ProofReader;
use super::terms::{ProofMeaning, unread};
use crate::rules::ProofFormat;
use dashu_int::{IBig, UBig};
use smtlib::{Sort, SortId, Store, TermId};

/// The maximum width of a bit-vector literal whose value is written as a term.
const MAX_WIDTH: u32 = 1 << 16;

impl ProofReader<'_> {
    /// Returns the non-standard operators of cvc5's own format.
    pub(super) fn cpc_operator(&mut self, word: &str, terms: &[TermId]) -> Option<ProofMeaning> {
        if self.format != ProofFormat::Cpc {
            return None;
        }
        let int = |store: &Store, t: TermId| {
            store.constant(t).and_then(|c| match c {
                smtlib::Constant::Int(n) => Some(IBig::from(n.clone())),
                _ => None,
            })
        };
        Some(match (word, terms) {
            ("@purify", &[t]) => ProofMeaning::Term(t),
            ("@bv", &[value, width]) => {
                let width =
                    int(self.store, width).and_then(|w| u32::try_from(w).ok()).filter(|w| (1..=MAX_WIDTH).contains(w));
                match (int(self.store, value), width) {
                    (Some(value), Some(width)) => {
                        let modulus = IBig::ONE << width as usize;
                        let rest = ((value % &modulus) + &modulus) % &modulus;
                        ProofMeaning::Term(self.store.bitvec(width, &UBig::try_from(rest).unwrap_or_default()))
                    }
                    _ => unread("a bit-vector of no fixed width"),
                }
            }
            ("@bvsize", &[t]) => match self.store.sorts.width(self.store.sort(t)) {
                Some(width) => ProofMeaning::Term(self.store.int(&width.into())),
                None => unread("the width of something that is not a bit-vector"),
            },
            ("@bit", &[index, t]) => match int(self.store, index) {
                Some(index) => {
                    let bit = self.application(&format!("(_ extract {index} {index})"), &[t]);
                    let one = self.store.bitvec(1, &UBig::ONE);
                    match bit {
                        ProofMeaning::Term(bit) => self.application("=", &[bit, one]),
                        other => other,
                    }
                }
                None => unread("a bit of no fixed number"),
            },
            ("@from_bools", [_, ..]) => self.vector_of(terms),
            // The functions that fix values which the standard leaves open, as every interpretation does.
            ("@int_div_by_zero", &[t]) => self.by_zero("div", t),
            ("@mod_by_zero", &[t]) => self.by_zero("mod", t),
            ("@div_by_zero", &[t]) => self.by_zero("/", t),
            _ => self.skolem_term(word, terms)?,
        })
    }

    fn by_zero(&mut self, head: &str, t: TermId) -> ProofMeaning {
        let zero = self.store.int(&IBig::ZERO);
        self.application(head, &[t, zero])
    }

    /// Returns a bit-vector by its bits, the lowest first.
    fn vector_of(&mut self, bits: &[TermId]) -> ProofMeaning {
        let (zero, one) = (self.store.bitvec(1, &UBig::ZERO), self.store.bitvec(1, &UBig::ONE));
        let mut whole: Option<TermId> = None;
        for &bit in bits {
            let ProofMeaning::Term(digit) = self.application("ite", &[bit, one, zero]) else {
                return unread("a bit that is not a formula");
            };
            whole = match whole {
                None => Some(digit),
                Some(low) => match self.application("concat", &[digit, low]) {
                    ProofMeaning::Term(t) => Some(t),
                    other => return other,
                },
            };
        }
        whole.map_or_else(|| unread("a bit-vector without bits"), ProofMeaning::Term)
    }

    /// A term that names an element with a property given by its arguments; here it may be any element.
    fn skolem_term(&mut self, word: &str, terms: &[TermId]) -> Option<ProofMeaning> {
        if !word.starts_with('@') {
            return None;
        }
        let sort = |n: usize| terms.get(n).map(|&t| self.store.sorts.get(self.store.sort(t)).clone());
        let result = match (word, sort(0)) {
            ("@array_deq_diff", Some(Sort::Array(index, _))) => Some(index),
            ("@sets_deq_diff" | "@bags_deq_diff", Some(Sort::Set(element) | Sort::Bag(element))) => Some(element),
            ("@strings_deq_diff", _) => Some(SortId::INT),
            ("@quantifiers_skolemize", _) => terms.first().zip(terms.get(1)).and_then(|(&formula, &n)| {
                let binder = self.store.op(formula).binder()?;
                let n = self.store.constant(n).and_then(|c| match c {
                    smtlib::Constant::Int(n) => usize::try_from(n.clone()).ok(),
                    _ => None,
                })?;
                self.store.binder(binder).vars.get(n).map(|v| v.1)
            }),
            _ => None,
        };
        let mut free = smtlib::free_vars::FreeVars::default();
        let result = result.filter(|_| terms.iter().all(|&t| free.is_closed(self.store, t)));
        let found = result.and_then(|sort| self.skolem(format!("{word} {terms:?}"), sort));
        Some(
            found.map_or_else(
                || unread(format!("`{word}` stands for a term that is not understood")),
                ProofMeaning::Term,
            ),
        )
    }
}
