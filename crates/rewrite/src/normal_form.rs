//! Negation normal form: negations only before atoms, and `and`, `or` and quantifiers as the only connectives.

use crate::settings::{PassError, PassMeter, PassSettings};
use crate::walk::TermMap;
use smtlib::{Kind, Store, TermId};

/// Returns the negation normal form of a formula.
/// Errors: [`PassError::TooLarge`] if too many terms were made, [`PassError::Interrupted`] if the time is up or the
/// work is cancelled.
/// The result may be large: every equality of formulas doubles what is below it.
pub fn normal_form(store: &mut Store, t: TermId, settings: &PassSettings) -> Result<TermId, PassError> {
    let mut watch = settings.watch(store);
    NormalForm::default().run(store, t, &mut watch)
}

/// The images of terms, and of their negations.
#[derive(Default)]
pub struct NormalForm {
    images: [TermMap; 2],
}

impl NormalForm {
    fn image(&self, t: TermId, positive: bool) -> Option<TermId> {
        self.images[usize::from(positive)].get(t)
    }

    /// Returns the normal form of a formula; shared parts are cached.
    /// Errors: as [`normal_form`].
    pub fn run(&mut self, store: &mut Store, root: TermId, watch: &mut PassMeter<'_>) -> Result<TermId, PassError> {
        let mut stack = vec![(root, true)];
        let mut needed = Vec::new();
        while let Some(&(t, positive)) = stack.last() {
            if self.image(t, positive).is_some() {
                stack.pop();
                continue;
            }
            watch.tick(store)?;
            needed.clear();
            needs(store, t, positive, &mut needed);
            needed.retain(|&(u, sign)| self.image(u, sign).is_none());
            if !needed.is_empty() {
                stack.append(&mut needed);
                continue;
            }
            stack.pop();
            let image = self.build(store, t, positive)?;
            self.images[usize::from(positive)].insert(t, image);
        }
        Ok(self.image(root, true).unwrap_or(root))
    }

    /// Builds the image of a term from those of its parts.
    fn build(&mut self, store: &mut Store, t: TermId, positive: bool) -> Result<TermId, PassError> {
        let args = store.args(t).to_vec();
        let of = |u: TermId, sign: bool| self.image(u, sign).unwrap_or(u);
        let junction = |store: &mut Store, and: bool, parts: &[TermId]| {
            if and { store.and(parts) } else { store.or(parts) }
        };
        Ok(match store.kind(t) {
            Kind::True | Kind::False => {
                let truth = (store.kind(t) == Kind::True) == positive;
                store.bool(truth)
            }
            Kind::Not => of(args[0], !positive),
            kind @ (Kind::And | Kind::Or) => {
                let parts: Vec<TermId> = args.iter().map(|&a| of(a, positive)).collect();
                junction(store, (kind == Kind::And) == positive, &parts)
            }
            Kind::Implies => {
                let last = args.len() - 1;
                let parts: Vec<TermId> =
                    args.iter().enumerate().map(|(n, &a)| of(a, (n == last) == positive)).collect();
                junction(store, !positive, &parts)
            }
            Kind::Xor => parity(store, &args, positive, &of),
            Kind::Eq if store.is_bool(args[0]) => {
                // All equal: all true or all false.
                let all: Vec<TermId> = args.iter().map(|&a| of(a, positive)).collect();
                let none: Vec<TermId> = args.iter().map(|&a| of(a, !positive)).collect();
                if positive {
                    let (all, none) = (store.and(&all), store.and(&none));
                    store.or(&[all, none])
                } else {
                    let (all, none) = (store.or(&all), store.or(&none));
                    store.and(&[all, none])
                }
            }
            Kind::Ite => {
                let (c, not_c) = (of(args[0], true), of(args[0], false));
                let (then, otherwise) = (of(args[1], positive), of(args[2], positive));
                let (first, second) = (store.or(&[not_c, then]), store.or(&[c, otherwise]));
                store.and(&[first, second])
            }
            kind @ (Kind::Forall | Kind::Exists) => match store.op(t).binder() {
                Some(binder) => {
                    let binder = store.binder(binder).clone();
                    let dual = if kind == Kind::Forall { Kind::Exists } else { Kind::Forall };
                    let mut parts = args.clone();
                    parts[0] = of(args[0], positive);
                    store.bind(if positive { kind } else { dual }, binder, &parts)?
                }
                None => t,
            },
            _ => {
                if positive {
                    t
                } else {
                    store.not(t)
                }
            }
        })
    }
}

/// Returns `xor` as clauses over pairs, folded from the left.
fn parity(store: &mut Store, args: &[TermId], positive: bool, of: &dyn Fn(TermId, bool) -> TermId) -> TermId {
    let (mut yes, mut no) = (of(args[0], true), of(args[0], false));
    for &a in &args[1..] {
        let (p, n) = (of(a, true), of(a, false));
        // x xor a, and its negation.
        let (either, not_both) = (store.or(&[yes, p]), store.or(&[no, n]));
        let (one, other) = (store.or(&[yes, n]), store.or(&[no, p]));
        yes = store.and(&[either, not_both]);
        no = store.and(&[one, other]);
    }
    if positive { yes } else { no }
}

/// Collects the parts, with their signs, that the image of a term needs.
fn needs(store: &Store, t: TermId, positive: bool, out: &mut Vec<(TermId, bool)>) {
    let args = store.args(t);
    let both = |out: &mut Vec<(TermId, bool)>, a: TermId| out.extend([(a, true), (a, false)]);
    match store.kind(t) {
        Kind::Not => out.push((args[0], !positive)),
        Kind::And | Kind::Or => out.extend(args.iter().map(|&a| (a, positive))),
        Kind::Implies => {
            let last = args.len() - 1;
            out.extend(args.iter().enumerate().map(|(n, &a)| (a, (n == last) == positive)));
        }
        Kind::Xor => args.iter().for_each(|&a| both(out, a)),
        Kind::Eq if store.is_bool(args[0]) => args.iter().for_each(|&a| both(out, a)),
        Kind::Ite => {
            both(out, args[0]);
            out.extend([(args[1], positive), (args[2], positive)]);
        }
        Kind::Forall | Kind::Exists => out.push((args[0], positive)),
        _ => {}
    }
}
