//! Judges candidates speculatively on several threads, and remembers the results by text.

use crate::judge::{CandidateVerdict, TextJudge};
use crate::subject::ThreadWitness;
use rustc_hash::FxHashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

/// A candidate sent to the judges.
struct JudgeRequest {
    ticket: u64,
    text: Arc<str>,
    witness: Option<ThreadWitness>,
    asks: bool,
}

/// The judging threads, and the memory of useless texts.
///
/// Invariant: the chosen candidate does not depend on the number of threads. Results are awaited in the order of submission; early ones
/// are kept until their turn, or until the same text comes up again.
pub struct ParallelJudge {
    jobs: Option<Sender<JudgeRequest>>,
    done: Receiver<(u64, CandidateVerdict)>,
    threads: Vec<JoinHandle<()>>,
    early: FxHashMap<u64, CandidateVerdict>,
    texts: FxHashMap<u64, (Arc<str>, bool)>,
    /// Keyed by hash and length, since whole texts would fill the memory. A collision loses one candidate.
    useless: FxHashMap<(u64, usize), bool>,
    next: u64,
    width: usize,
}

/// A candidate's position in the queue.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ticket(u64);

impl ParallelJudge {
    /// Starts judges on `width` threads, at least 1.
    pub fn new(judge: Arc<TextJudge>, width: usize) -> ParallelJudge {
        let width = width.max(1);
        let (jobs, queue) = channel::<JudgeRequest>();
        let queue = Arc::new(Mutex::new(queue));
        let (results, done) = channel();
        let threads = (0..width)
            .map(|_| {
                let (queue, results, judge) = (Arc::clone(&queue), results.clone(), Arc::clone(&judge));
                std::thread::spawn(move || work(&queue, &results, &judge))
            })
            .collect();
        let (early, texts, useless) = Default::default();
        ParallelJudge { jobs: Some(jobs), done, threads, early, texts, useless, next: 0, width }
    }

    /// Returns the number of threads.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Returns the number of candidates judged so far.
    pub fn judged(&self) -> u64 {
        self.next
    }

    /// Whether the text is known to be useless. A text rejected without asking trusted solvers may still be useful when they are asked.
    pub fn is_useless(&self, text: &str, asks: bool) -> bool {
        self.useless.get(&of_text(text)).is_some_and(|&for_good| for_good || !asks)
    }

    /// Forgets texts whose truth was lost: a new witness may restore it.
    pub fn witness_changed(&mut self) {
        self.useless.retain(|_, for_good| *for_good);
    }

    /// Sends a candidate to be judged.
    pub fn submit(&mut self, text: Arc<str>, witness: Option<ThreadWitness>, asks: bool) -> Ticket {
        let ticket = self.next;
        self.next += 1;
        self.texts.insert(ticket, (Arc::clone(&text), asks));
        let sent = self.jobs.as_ref().map(|jobs| jobs.send(JudgeRequest { ticket, text, witness, asks }));
        if !matches!(sent, Some(Ok(()))) {
            self.early.insert(ticket, CandidateVerdict::NotShown("the threads are gone".to_string()));
        }
        Ticket(ticket)
    }

    /// Waits for the verdict on a candidate. Each ticket is valid once.
    pub fn wait(&mut self, ticket: Ticket) -> CandidateVerdict {
        loop {
            if let Some(verdict) = self.early.remove(&ticket.0) {
                return verdict;
            }
            let Ok((done, verdict)) = self.done.recv() else {
                return CandidateVerdict::NotShown("the threads are gone".to_string());
            };
            if let Some((text, asks)) = self.texts.remove(&done) {
                match &verdict {
                    CandidateVerdict::NotShown(_) => self.useless.insert(of_text(&text), true),
                    CandidateVerdict::TruthLost(_) => self.useless.insert(of_text(&text), asks),
                    CandidateVerdict::Interesting(_) => None,
                };
            }
            self.early.insert(done, verdict);
        }
    }
}

impl Drop for ParallelJudge {
    fn drop(&mut self) {
        self.jobs = None;
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

fn of_text(text: &str) -> (u64, usize) {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    (hasher.finish(), text.len())
}

fn work(queue: &Mutex<Receiver<JudgeRequest>>, results: &Sender<(u64, CandidateVerdict)>, judge: &TextJudge) {
    loop {
        // A panicking thread leaves the queue valid: it only receives.
        let job = queue.lock().unwrap_or_else(std::sync::PoisonError::into_inner).recv();
        let Ok(job) = job else { return };
        let verdict = judge.judge(&job.text, job.witness.as_ref(), job.asks);
        if results.send((job.ticket, verdict)).is_err() {
            return;
        }
    }
}
