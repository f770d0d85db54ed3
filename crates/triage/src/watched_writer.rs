//! A reduction writer that reports progress.

use crate::progress::{ReductionStep, ReductionWatch};
use reduce::finding::ReductionWriter;
use reduce::reducer::{Best, Sink};

/// Keeps the best script so far, and reports progress.
pub struct WatchedWriter<'w> {
    writer: ReductionWriter,
    watch: Option<ReductionWatch<'w>>,
    step: ReductionStep,
}

impl<'w> WatchedWriter<'w> {
    /// Makes a writer; `bytes` is the size of the script before the reduction and at its start.
    pub fn new(writer: ReductionWriter, watch: Option<ReductionWatch<'w>>, bytes: (usize, usize)) -> WatchedWriter<'w> {
        WatchedWriter { writer, watch, step: ReductionStep { pass: "", bytes, judged: 0 } }
    }

    /// Returns the writer, once the reduction is finished.
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
