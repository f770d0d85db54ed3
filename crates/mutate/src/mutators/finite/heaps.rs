//! Separation logic over a heap with few locations and data, decided by exhaustion.
//!
//! `(declare-heap ((_ BitVec 1) Bool)) (assert (sep (pto x0 true) (not sep.emp))) (assert (wand (pto x0 d0) (pto x1 d0)))`.

use super::problem::{self, Drawing};
use super::theme::ProblemVocabulary;
use crate::rng::RandomStream;
use semantics::truth::ExhaustLimits;
use smtlib::{Command, Kind, Op, Scope, SortId, Store, TermId};

/// The limits of deciding one check. Most assignments have data where the heap has none, and are refuted together.
pub(super) const LIMITS: ExhaustLimits = ExhaustLimits { assignments: 1 << 16, ..problem::LIMITS };
/// How often `sep` gets three arguments, in percent.
const THREE: u32 = 12;

impl ProblemVocabulary {
    /// Draws the sorts of the heap. One of four locations has two data: with more there are too many heaps.
    pub(super) fn draw_heap(&mut self, store: &mut Store, scope: &mut Scope, n: usize, rng: &mut RandomStream) {
        let size = *rng.pick(&[2, 2, 3, 3, 4]).unwrap_or(&2);
        let location = self.few(store, scope, (&format!("L{n}"), size), rng);
        let data = match rng.percent(25) && size < 4 {
            true => location,
            false => {
                let size = if size == 4 { 2 } else { *rng.pick(&[2, 2, 3]).unwrap_or(&2) };
                self.few(store, scope, (&format!("E{n}"), size), rng)
            }
        };
        self.heap = Some((location, data));
        self.logic = Some("QF_ALL");
    }

    /// Returns a sort of two to four values.
    fn few(
        &mut self,
        store: &mut Store,
        scope: &mut Scope,
        (name, size): (&str, u32),
        rng: &mut RandomStream,
    ) -> SortId {
        match (rng.below(3), size) {
            (0, 2) => SortId::BOOL,
            (1, 2 | 4) => store.sorts.bitvec(size / 2),
            _ => {
                let values: String = (0..size).map(|n| format!("({}{n})", name.to_lowercase())).collect();
                self.declare(store, scope, &format!("(declare-datatypes (({name} 0)) (({values})))"), name);
                self.sorts.last().copied().unwrap_or(SortId::BOOL)
            }
        }
    }
}

impl Drawing<'_> {
    /// Declares the heap and constants, and makes one check.
    pub(super) fn heap_problem(&mut self, store: &mut Store, rng: &mut RandomStream) -> Option<()> {
        let heap = self.heap?;
        self.problem.declarations.push(Command::DeclareHeap(heap.0, heap.1));
        let nil = store.heap_term(Kind::SepNil, heap, &[]).ok()?;
        self.grower.scope.entry(heap.0).or_default().push(nil);
        for (name, sort, count) in [("x", heap.0, rng.between(1, 2)), ("d", heap.1, rng.below(2))] {
            for n in 0..count {
                let (_, constant) = self.constant(store, &format!("{name}{n}"), sort)?;
                // Twice, so that it is drawn more often than `sep.nil`.
                self.grower.scope.entry(sort).or_default().extend([constant, constant]);
            }
        }
        self.assertions(store, rng)
    }

    /// Returns a formula about the heap, at most `fuel` operators above its atoms. Recursion is as deep as `fuel`.
    pub(super) fn heap_formula(
        &mut self,
        store: &mut Store,
        heap: (SortId, SortId),
        fuel: u32,
        rng: &mut RandomStream,
    ) -> Option<TermId> {
        use Kind::{And, Eq, Implies, Not, Or, SepEmp, SepPto, SepStar, SepWand, Xor};
        let kinds = [
            &[SepPto, SepPto, SepPto, SepPto, SepPto, SepEmp, SepEmp, Eq][..],
            &[SepStar, SepStar, SepStar, SepStar, SepWand, SepWand, Not, Not, And, Or, Implies, Xor],
        ];
        let is_inner = fuel > 0 && rng.percent(75);
        let kind = *rng.pick(kinds[usize::from(is_inner)])?;
        let (location, data) = heap;
        let terms = match kind {
            SepPto => vec![location, data],
            Eq => vec![if rng.percent(60) { location } else { data }; 2],
            _ => Vec::new(),
        };
        let formulas = match kind {
            SepPto | SepEmp | Eq => 0,
            Not => 1,
            SepStar if rng.percent(THREE) => 3,
            _ => 2,
        };
        let mut args = Vec::new();
        for sort in terms {
            args.push(self.grower.term(store, sort, 0, rng)?);
        }
        for _ in 0..formulas {
            args.push(self.heap_formula(store, heap, fuel - 1, rng)?);
        }
        match kind {
            SepEmp | SepPto | SepStar | SepWand => store.heap_term(kind, heap, &args).ok(),
            _ => store.app(Op::new(kind), &args).ok(),
        }
    }
}
