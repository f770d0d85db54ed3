//! Findings as JUnit XML: one test case per group, failed if it fails the build, otherwise skipped, and one for the campaign,
//! which is an error if it decided nothing.

use super::outcome::{CiOutcome, JudgedGroup};
use std::fmt::Write;

/// Returns the report of a run.
pub fn xml(outcome: &CiOutcome) -> String {
    let failed = outcome.of(JudgedGroup::fails);
    let (tests, skipped) = (outcome.judged.len() + 1, outcome.judged.len() - failed);
    let trouble = outcome.trouble();
    let errors = usize::from(trouble.is_some());
    let time = outcome.standing.wall_s;
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let numbers =
        format!("tests=\"{tests}\" failures=\"{failed}\" errors=\"{errors}\" skipped=\"{skipped}\" time=\"{time:.3}\"");
    let suite = format!("squall ci: {}", outcome.pair());
    // Writing to a string cannot fail.
    let _ = writeln!(text, "<testsuites {numbers}>\n  <testsuite name=\"{}\" {numbers}>", escaped(&suite));
    let mutants = outcome.standing.counts.mutants;
    let name = format!("campaign of seed {} sent {mutants} mutants", outcome.seed);
    let _ = write!(text, "    <testcase classname=\"squall\" name=\"{}\" time=\"{time:.3}\"", escaped(&name));
    let _ = match trouble {
        Some(trouble) => writeln!(
            text,
            ">\n      <error type=\"exit code {}\" message=\"{}\"/>\n    </testcase>",
            outcome.exit().code(),
            escaped(&trouble)
        ),
        None => writeln!(text, "/>"),
    };
    for one in &outcome.judged {
        let (class, name) = (format!("squall.{}", one.class), escaped(&one.id));
        let _ = writeln!(text, "    <testcase classname=\"{class}\" name=\"{name}\" time=\"0\">");
        let message = format!("{}; {}", one.summary, outcome.contrast(one));
        let _ = match one.fails() {
            true => writeln!(
                text,
                "      <failure type=\"class {}\" message=\"{}\">{}</failure>",
                one.class,
                escaped(&message),
                escaped(&format!("{}\n{}", one.script.display(), one.text))
            ),
            false => writeln!(text, "      <skipped message=\"{}: {}\"/>", one.word(), escaped(&message)),
        };
        text.push_str("    </testcase>\n");
    }
    text.push_str("  </testsuite>\n</testsuites>\n");
    text
}

/// Escapes text for XML 1.0, also for attributes. Characters that XML cannot contain become replacement characters.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push_str("&#10;"),
            '\t' => out.push_str("&#9;"),
            '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
#[path = "../../../tests/unit/junit.rs"]
mod tests;
