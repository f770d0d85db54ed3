//! Recognizes crashes by exit status and output, and identifies each by a reproducible signature.

use std::fmt;

use crate::process::{ProcessRun, RunStatus};
use crate::profile::{CrashKind, Profile};
use crate::term_shape;

/// A crash of a solver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Crash {
    /// Its kind.
    pub kind: CrashKind,
    /// The fatal signal, if any.
    pub signal: Option<i32>,
    /// The name that identifies occurrences of the same bug.
    pub signature: CrashSignature,
    /// The lines that show it, as printed, at most 4000 bytes.
    pub excerpt: String,
    /// Whether the profile's ignore list contains it.
    pub ignored: bool,
    /// The existing bug report, according to the profile's list.
    pub known: Option<String>,
}

/// A crash's name: the location of the assertion, the exception's text, the sanitizer's top frames, or the signal and the first words on
/// standard error. Addresses, process numbers and folders are not included.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CrashSignature(pub String);

impl fmt::Display for CrashSignature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

const EXCERPT_BYTES: usize = 4000;
const SIGNATURE_BYTES: usize = 300;
const SIGNATURE_FRAMES: usize = 3;

/// Signals that a program raises by its own fault. Others (SIGKILL, SIGTERM, SIGPIPE …) come from outside.
const CRASH_SIGNALS: [(i32, &str); 7] = [
    (libc::SIGSEGV, "SIGSEGV"),
    (libc::SIGABRT, "SIGABRT"),
    (libc::SIGBUS, "SIGBUS"),
    (libc::SIGILL, "SIGILL"),
    (libc::SIGFPE, "SIGFPE"),
    (libc::SIGTRAP, "SIGTRAP"),
    (libc::SIGSYS, "SIGSYS"),
];

/// A run's output besides answers and models: text inside a model does not indicate a crash.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StrayText<'t> {
    /// Stray lines and the messages of errors.
    pub(crate) all: &'t str,
    /// Only stray lines. Errors that a solver reports and survives concern the script, not a later signal.
    pub(crate) lines: &'t str,
}

/// Classifies a run. The patterns are those of both profiles; a run that reached one of our limits has not crashed.
pub(crate) fn recognise(run: &ProcessRun, stray: StrayText<'_>, profile: &Profile, generic: &Profile) -> Option<Crash> {
    let signal = match run.status {
        // A shell between us and the program reports a fatal signal as 128 plus the signal.
        RunStatus::Exited(code) => crash_signal(code - 128),
        RunStatus::Signaled(signal) => crash_signal(signal),
        _ => return None,
    };
    let pattern = first_pattern(stray.all, profile, generic);
    let (kind, at, stray) = match (pattern, signal) {
        (Some((kind, at)), _) => (kind, at, stray.all),
        (None, Some(_)) => (CrashKind::Signal, 0, stray.lines),
        (None, None) => return None,
    };
    let name = signal.map(|(_, name)| name);
    let from = stray[..at].rfind('\n').map_or(0, |end| end + 1);
    let excerpt = truncated(&stray[from..], EXCERPT_BYTES).trim_end().to_string();
    let signature = truncated(&signature(kind, name, &stray[from..], at - from), SIGNATURE_BYTES).to_string();
    let holds = |text: &str| signature.contains(text) || excerpt.contains(text);
    Some(Crash {
        kind,
        signal: signal.map(|(number, _)| number),
        ignored: profile.ignore.iter().any(|text| holds(text)),
        known: profile.known.iter().find(|bug| holds(&bug.text)).map(|bug| bug.report.clone()),
        signature: CrashSignature(signature),
        excerpt,
    })
}

fn crash_signal(signal: i32) -> Option<(i32, &'static str)> {
    CRASH_SIGNALS.into_iter().find(|(number, _)| *number == signal)
}

/// Returns the most specific pattern in the text, and its position. A sanitizer's report is more specific than the abort that ends it.
fn first_pattern(stray: &str, profile: &Profile, generic: &Profile) -> Option<(CrashKind, usize)> {
    let rank = |kind| match kind {
        CrashKind::Sanitizer => 0,
        CrashKind::Proof => 1,
        CrashKind::Assertion => 2,
        CrashKind::Exception => 3,
        CrashKind::Internal => 4,
        CrashKind::Signal => 5,
    };
    let patterns = profile.crash.iter().chain(&generic.crash);
    patterns
        .filter_map(|pattern| Some((pattern.kind, stray.find(&pattern.text)?)))
        .min_by_key(|(kind, at)| (rank(*kind), *at))
}

fn signature(kind: CrashKind, signal: Option<&str>, text: &str, at: usize) -> String {
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
    let first_lines = |count| normalised(&lines().take(count).collect::<Vec<_>>().join(" "));
    match kind {
        CrashKind::Sanitizer => sanitizer_signature(text, at),
        CrashKind::Proof => proof_signature(&text[at..]),
        // z3 prints file and line on separate lines.
        CrashKind::Assertion if text.contains("\nFile: ") => format!("assertion: {}", first_lines(4)),
        CrashKind::Assertion => format!("assertion: {}", first_lines(1)),
        CrashKind::Exception if text.starts_with("Traceback") => {
            format!("exception: {}", normalised(lines().next_back().unwrap_or_default()))
        }
        CrashKind::Exception => format!("exception: {}", first_lines(2)),
        CrashKind::Internal => format!("internal: {}", first_lines(1)),
        CrashKind::Signal => {
            let name = signal.unwrap_or("unknown");
            // A stack is a better location than the text before it. Input locations are useless.
            let own: Vec<&str> = lines().filter(|line| !is_about_input(line)).take(2).collect();
            match (frames(text), normalised(&own.join(" "))) {
                (frames, _) if !frames.is_empty() => format!("signal: {name} in {}", frames.join(" < ")),
                (_, said) if said.is_empty() => format!("signal: {name}"),
                (_, said) => format!("signal: {name}: {said}"),
            }
        }
    }
}

/// Whether a line is about the script, such as `<stdin>:1.2: No set-logic command was given before this point.`
fn is_about_input(line: &str) -> bool {
    ["<stdin>:", "stdin:", "/dev/stdin:", "line "].iter().any(|place| line.starts_with(place))
}

/// The text of UndefinedBehaviorSanitizer between a location and the error.
const RUNTIME_ERROR: &str = ": runtime error: ";

/// Returns error type and top frames: `sanitizer: heap-use-after-free in f < g < h`. Undefined behavior is identified by its location:
/// `sanitizer: signed integer overflow at a.cpp:12:3`.
fn sanitizer_signature(text: &str, at: usize) -> String {
    let line = text.lines().next().unwrap_or_default();
    if let Some((place, what)) = line.split_once(RUNTIME_ERROR) {
        let what = what.split(": ").next().unwrap_or(what);
        return format!("sanitizer: {} at {}", without_values(what), normalised(place));
    }
    let Some((_, report)) = text[at..].lines().next().unwrap_or_default().split_once("Sanitizer: ") else {
        return format!("sanitizer: {}", normalised(line));
    };
    let what = report.split_whitespace().next().unwrap_or_default();
    format!("sanitizer: {what} in {}", frames(text).join(" < "))
}

/// Returns the error of a proof check, without names and numbers, and the shape of the first open assumption.
fn proof_signature(text: &str) -> String {
    let mut lines = text.lines();
    let said = without_values(lines.next().unwrap_or_default().trim().trim_end_matches([':', ',', '.']));
    let open = lines.next().and_then(|line| line.trim().strip_prefix("Free assumption: "));
    match open.map(term_shape::of_text) {
        Some(shape) => format!("{said}: {shape}"),
        None => said,
    }
}

/// Returns the functions at the top of the first stack, as printed by sanitizers and debuggers: `#0 0x… in f …`; without a symbolizer,
/// locations in the program: `#0 0x…  (/bin/z3+0x32ef9)`.
fn frames(text: &str) -> Vec<String> {
    text.lines()
        .map(str::trim)
        .skip_while(|line| !line.starts_with("#0 "))
        .take_while(|line| line.starts_with('#'))
        .filter_map(|line| match (line.split_once(" in "), line.split_whitespace().nth(1)?) {
            (Some((_, place)), _) => Some(function_of(place)),
            (None, word) if word.starts_with("0x") => {
                line.split_once('(')?.1.split(')').next()?.rsplit('/').next().map(String::from)
            }
            // A debugger prints no address for an inlined function, or for the innermost one.
            (None, word) => line.find(word).map(|at| function_of(&line[at..])),
        })
        .take(SIGNATURE_FRAMES)
        .collect()
}

/// Returns the function name at the beginning of a text, without arguments and template arguments.
fn function_of(place: &str) -> String {
    let (mut name, mut depth) = (String::new(), 0_usize);
    for c in place.chars() {
        match c {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            _ if depth > 0 => {}
            // The call operator is part of a name.
            '(' | ')' if name.ends_with("operator") || name.ends_with("operator(") => name.push(c),
            '(' | ' ' => break,
            _ => name.push(c),
        }
    }
    name
}

/// Replaces what differs between runs: hexadecimal addresses and long numbers by `#`, paths by their last component. Numbers after `:`,
/// `Line: ` or `line ` are source locations and stay.
fn normalised(text: &str) -> String {
    let words = text.split_whitespace().map(|word| {
        let start = word.find('/').filter(|start| word[..*start].chars().all(|c| !c.is_alphanumeric()) || *start < 4);
        match (start, word.rfind('/')) {
            (Some(start), Some(last)) => format!("{}{}", &word[..start].trim_matches('.'), &word[last + 1..]),
            _ => word.to_string(),
        }
    });
    let mut result = String::new();
    for word in words {
        let after_line = result.ends_with("ine:") || result.ends_with("line");
        if !result.is_empty() {
            result.push(' ');
        }
        if after_line { result.push_str(&word) } else { result.push_str(&without_numbers(&word)) }
    }
    result
}

/// Replaces every number by `#`.
fn without_values(text: &str) -> String {
    let words = text.split(' ').map(|word| match word.find("0x") {
        Some(start) => format!("{}#", &word[..start]),
        None => word.to_string(),
    });
    let mut result = String::new();
    for c in words.collect::<Vec<_>>().join(" ").chars() {
        match c {
            c if !c.is_ascii_digit() => result.push(c),
            _ if result.ends_with('#') => {}
            _ => result.push('#'),
        }
    }
    result
}

fn without_numbers(word: &str) -> String {
    let mut result = String::new();
    let mut rest = word;
    while let Some(c) = rest.chars().next() {
        let hex = rest.strip_prefix("0x").map_or(0, |digits| digits.bytes().take_while(u8::is_ascii_hexdigit).count());
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        if hex > 0 {
            result.push('#');
            rest = &rest[2 + hex..];
        } else if digits >= 4 && !result.ends_with(':') {
            result.push('#');
            rest = &rest[digits..];
        } else {
            let keep = digits.max(c.len_utf8());
            result.push_str(&rest[..keep]);
            rest = &rest[keep..];
        }
    }
    result
}

fn truncated(text: &str, bytes: usize) -> &str {
    let mut end = bytes.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}
