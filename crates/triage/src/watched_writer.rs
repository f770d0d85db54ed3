//! A reduction's writer that tells where the reduction stands.

use crate::progress::{ReductionStep, ReductionWatch};
use reduce::finding::ReductionWriter;
use reduce::reducer::{Best, Sink};

/// Keeps the best so far, and tells where the reduction stands.
pub struct WatchedWriter<'w> {
    writer: ReductionWriter,
    watch: Option<ReductionWatch<'w>>,
    step: ReductionStep,
}

impl<'w> WatchedWriter<'w> {
    /// Of a script of so many bytes, before the reduction and at its start.
    pub fn new(writer: ReductionWriter, watch: Option<ReductionWatch<'w>>, bytes: (usize, usize)) -> WatchedWriter<'w> {
        WatchedWriter { writer, watch, step: ReductionStep { pass: "", bytes, judged: 0 } }
    }

    /// The writer, once the reduction is done.
    pub fn into_writer(self) -> ReductionWriter {
        self.writer
    }

    fn tell(&mut self, step: ReductionStep) {
        self.step = step;
        if let Some(watch) = &self.watch {
            watch(&step);
        }
    }
}

impl Sink for WatchedWriter<'_> {
    fn improved(&mut self, best: &Best<'_>) {
        self.writer.improved(best);
        let bytes = (self.step.bytes.0, best.text.len());
        self.tell(ReductionStep { pass: best.pass, bytes, judged: best.judged });
    }

    fn pass_begins(&mut self, pass: &'static str, judged: u64) {
        self.tell(ReductionStep { pass, judged, ..self.step });
    }
}
