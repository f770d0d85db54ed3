//! The open points that an evaluator finds, by the terms whose values depend on them.

use super::Evaluator;
use crate::open::OpenPoint;
use rustc_hash::FxHashMap;
use smtlib::TermId;

/// The open points found by an evaluator.
#[derive(Default)]
pub(super) struct OpenPoints {
    by_term: FxHashMap<TermId, OpenPoint>,
    latest: Option<OpenPoint>,
}

impl OpenPoints {
    /// Returns the place where an operator notes the point that its value depends on.
    pub(super) fn fresh(&mut self) -> &mut Option<OpenPoint> {
        self.latest = None;
        &mut self.latest
    }

    /// Stores the latest point for `t`.
    pub(super) fn keep_latest(&mut self, t: TermId) {
        if let Some(point) = self.latest.take() {
            self.by_term.insert(t, point);
        }
    }
}

impl Evaluator {
    /// The same evaluator, which notes the open points it meets: see [`Evaluator::open_point`].
    pub fn noting_open_points(mut self) -> Evaluator {
        self.points = Some(OpenPoints::default());
        self
    }

    /// Returns the point that the value of `term`, blamed by [`Unknown`](crate::Unknown), depends on; `None` if no model can give it a
    /// value, or no points are noted.
    pub fn open_point(&self, term: TermId) -> Option<&OpenPoint> {
        self.points.as_ref()?.by_term.get(&term)
    }

    pub(crate) fn notes_open_points(&self) -> bool {
        self.points.is_some()
    }

    /// Notes, if requested, that `t` has no value before `point` is fixed.
    pub(crate) fn note_open(&mut self, t: TermId, point: OpenPoint) {
        if let Some(points) = &mut self.points {
            points.by_term.insert(t, point);
        }
    }
}
