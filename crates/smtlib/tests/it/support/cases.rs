//! Reads test cases from files: texts below header lines that state what is expected of them.
//!
//! A header is a comment at the start of a line, `; WORD: VALUE`. `; case: NAME` names the cases below it. Each block of headers and the
//! text below it is one case; several blocks may follow one name. `; given:` begins commands that precede the text of each following case,
//! up to the next `; given:`. Other comments are prose. A runner names its further words; any other word is an error.

use std::path::{Path, PathBuf};

/// One text and what is expected of it.
#[derive(Debug)]
pub struct Case {
    /// The file and the line of the first header: `binders.smt2:12`.
    pub place: String,
    pub name: String,
    /// The headers in their order, without `case` and `given`.
    pub headers: Vec<(String, String)>,
    /// The commands of `given`.
    pub given: String,
    pub text: String,
}

/// The headers and the text that are read at the moment.
#[derive(Default)]
struct Block {
    line: usize,
    is_given: bool,
    headers: Vec<(String, String)>,
    text: Vec<String>,
}

/// What is read so far.
struct Cases<'a> {
    file: &'a str,
    name: String,
    given: String,
    block: Block,
    all: Vec<Case>,
}

impl Cases<'_> {
    fn finish(&mut self) -> Result<(), String> {
        let mut block = std::mem::take(&mut self.block);
        // Comments at the end belong to the next block.
        while block.text.last().is_some_and(|line| line.trim().is_empty() || line.starts_with(';')) {
            block.text.pop();
        }
        let text = block.text.join("\n");
        let place = format!("{}:{}", self.file, block.line);
        if block.is_given {
            self.given = text;
        } else if block.headers.is_empty() && !text.is_empty() {
            return Err(format!("{place}: a text without `; expect:`"));
        } else if !block.headers.is_empty() && text.is_empty() {
            return Err(format!("{place}: no text follows these lines"));
        } else if !block.headers.is_empty() {
            let (name, given) = (self.name.clone(), self.given.clone());
            self.all.push(Case { place, name, headers: block.headers, given, text });
        }
        Ok(())
    }
}

/// Reads the cases of one file, whose headers may have these words and `case` and `given`.
pub fn read_cases(file: &str, content: &str, words: &[&str]) -> Result<Vec<Case>, String> {
    let mut cases = Cases { file, name: String::new(), given: String::new(), block: Block::default(), all: Vec::new() };
    for (n, line) in content.lines().enumerate() {
        let at = n + 1;
        let Some((word, value)) = header(line) else {
            let is_before_the_text = cases.block.text.is_empty() && (line.trim().is_empty() || line.starts_with(';'));
            if !is_before_the_text {
                cases.block.line = if cases.block.line == 0 { at } else { cases.block.line };
                cases.block.text.push(line.to_string());
            }
            continue;
        };
        let starts = word == "case" || word == "given" || cases.block.is_given || !cases.block.text.is_empty();
        if starts {
            cases.finish()?;
        }
        if cases.block.line == 0 {
            cases.block.line = at;
        }
        match word {
            "case" => cases.name = value.to_string(),
            "given" => cases.block.is_given = true,
            _ if words.contains(&word) => cases.block.headers.push((word.to_string(), value.to_string())),
            _ => {
                let known = words.join("`, `");
                return Err(format!("{file}:{at}: unknown word `{word}`: expected `case`, `given`, `{known}`"));
            }
        }
    }
    cases.finish()?;
    if cases.all.is_empty() { Err(format!("{file}: no case is in this file")) } else { Ok(cases.all) }
}

/// A comment that is one lower-case word with a colon, and what follows it.
fn header(line: &str) -> Option<(&str, &str)> {
    let (word, value) = line.strip_prefix("; ")?.split_once(':')?;
    let is_word = !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase() || b == b'-');
    let value = if value.is_empty() { Some(value) } else { value.strip_prefix(' ') };
    value.filter(|_| is_word).map(|value| (word, value))
}

/// Reads the cases of all files in a folder of this crate's `tests`.
///
/// # Panics
/// If a file is not understood.
pub fn cases_in(folder: &str, words: &[&str]) -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(folder);
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let mut all = Vec::new();
    for path in paths {
        let content = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let file = path.display().to_string();
        all.extend(read_cases(&file, &content, words).unwrap_or_else(|e| panic!("{e}")));
    }
    all
}
