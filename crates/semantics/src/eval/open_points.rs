//! The open points that an evaluator meets, noted by the terms they keep from having values.

use super::Evaluator;
use crate::open::Point;
use rustc_hash::FxHashMap;
use smtlib::TermId;

impl Evaluator {
    /// The same evaluator, which notes the open points it meets: see [`Evaluator::open_point`].
    pub fn noting_open_points(mut self) -> Evaluator {
        self.points = Some(FxHashMap::default());
        self
    }

    /// A point that keeps `term`, which [`Unknown`] blames, from having a value; none if no model can give it one, or no
    /// points are noted.
    pub fn open_point(&self, term: TermId) -> Option<&Point> {
        self.points.as_ref()?.get(&term)
    }

    pub(crate) fn notes_open_points(&self) -> bool {
        self.points.is_some()
    }

    /// Notes, if that is wanted, that `t` has no value before `point` is fixed.
    pub(crate) fn note_open(&mut self, t: TermId, point: Point) {
        if let Some(points) = &mut self.points {
            points.insert(t, point);
        }
    }
}
