//! The open points that an evaluator meets, noted by the terms they keep from having values.

use super::Evaluator;
use crate::open::OpenPoint;
use rustc_hash::FxHashMap;
use smtlib::TermId;

/// The open points met by an evaluator.
#[derive(Default)]
pub(super) struct OpenPoints {
    by_term: FxHashMap<TermId, OpenPoint>,
    latest: Option<OpenPoint>,
}

impl OpenPoints {
    /// Where an operator notes the point that keeps it from having a value.
    pub(super) fn fresh(&mut self) -> &mut Option<OpenPoint> {
        self.latest = None;
        &mut self.latest
    }

    /// Keeps the point noted last as that of `t`.
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

    /// A point that keeps `term`, which [`Unknown`](crate::Unknown) blames, from having a value; none if no model can give it one, or no
    /// points are noted.
    pub fn open_point(&self, term: TermId) -> Option<&OpenPoint> {
        self.points.as_ref()?.by_term.get(&term)
    }

    pub(crate) fn notes_open_points(&self) -> bool {
        self.points.is_some()
    }

    /// Notes, if that is wanted, that `t` has no value before `point` is fixed.
    pub(crate) fn note_open(&mut self, t: TermId, point: OpenPoint) {
        if let Some(points) = &mut self.points {
            points.by_term.insert(t, point);
        }
    }
}
