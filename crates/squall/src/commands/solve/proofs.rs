//! Files with the steps of refutations.

use anyhow::{Context, Result};
use smtlib::Store;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use strategy::SolveReport;

/// The files of proofs: the first check's has the given name, that of check n has `.n` appended.
pub struct ProofFiles {
    path: PathBuf,
    checks: AtomicUsize,
}

impl ProofFiles {
    /// Creates or empties the file, so that no old proof stays.
    /// Errors: the file cannot be written.
    pub fn new(path: PathBuf) -> Result<ProofFiles> {
        let files = ProofFiles { path, checks: AtomicUsize::new(0) };
        files.put(1, "")?;
        Ok(files)
    }

    /// Writes the refutation of the next check, if there is one. Returns a remark.
    /// Errors: the file cannot be written.
    pub fn add(&self, store: &mut Store, report: &SolveReport) -> Result<Option<String>> {
        let check = self.checks.fetch_add(1, Ordering::Relaxed) + 1;
        let word = report.answer.word();
        let Some((claims, last)) = report.claims.as_ref().and_then(|claims| Some((claims, claims.refutation?))) else {
            let reason = if word == "unsat" { ", by an engine that records no steps" } else { "" };
            return Ok(Some(format!("no proof is written: check {check} is {word}{reason}")));
        };
        let path = self.put(check, &proof::proof_text(store, &claims.graph, last))?;
        Ok((check > 1).then(|| format!("the proof of check {check} is in {path}")))
    }

    fn put(&self, check: usize, text: &str) -> Result<String> {
        let mut path = self.path.clone().into_os_string();
        if check > 1 {
            path.push(format!(".{check}"));
        }
        let path = PathBuf::from(path);
        files::atomic::write(&path, text.as_bytes()).with_context(|| format!("cannot write {}", path.display()))?;
        Ok(path.display().to_string())
    }
}
