//! A finding's files as lines for the live screen.

use crate::render::say::whence;
use finding::folder::{FindingFolder, FindingPaths};
use std::io::Read;
use std::path::Path;

/// The maximum shown size of a script, in bytes.
const HEAD: u64 = 64 << 10;

/// A finding's folder as lines: its facts, its files, and the head of its script, reduced if possible.
pub fn lines(folder: &Path) -> Vec<String> {
    let mut lines = vec![folder.display().to_string()];
    match FindingFolder::at(folder).record() {
        Ok(finding) => {
            lines.push(format!("solver    {}", finding.solver.spec));
            lines.push(format!("mode      {}", finding.mode));
            let mutator = finding.mutator.as_ref().map(|mutator| mutator.name.as_str());
            lines.push(format!("origin    {}", whence(mutator, finding.seed_name())));
            lines.push(format!("truth     {}", finding.trust.describe()));
            lines.push(format!("expected  {}", finding.expected.join(" ")));
            lines.push(format!("answered  {}", finding.answers.join(" ")));
        }
        Err(error) => lines.push(error.to_string()),
    }
    let mut files: Vec<String> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| {
            let bytes = entry.metadata().ok()?.len();
            Some(format!("  {:<24}{bytes:>10} bytes", entry.file_name().to_string_lossy()))
        })
        .collect();
    files.sort();
    lines.push(String::new());
    lines.extend(files);
    let places = FindingPaths::of(folder, None);
    let script = if places.has_result() { &places.output } else { &places.input };
    lines.push(String::new());
    lines.push(format!("; {}", script.file_name().unwrap_or_default().to_string_lossy()));
    lines.extend(head(script));
    lines
}

fn head(path: &Path) -> Vec<String> {
    let mut bytes = Vec::new();
    match files::read::open(path).and_then(|file| file.take(HEAD).read_to_end(&mut bytes)) {
        Ok(_) => {}
        // A smaller finding of its group may have replaced it.
        Err(error) => return vec![format!("cannot read '{}': {error}", path.display())],
    }
    let cut = bytes.len() as u64 >= HEAD;
    let text = String::from_utf8_lossy(&bytes);
    let mut lines: Vec<String> = text.lines().map(|line| line.replace('\t', "    ")).collect();
    if cut {
        lines.push("…".to_string());
    }
    lines
}
