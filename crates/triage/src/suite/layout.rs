//! The folder layouts of solvers' regression suites, and how they state the right answers.

use super::SuiteTest;
use std::fmt::Write;
use std::str::FromStr;

/// A layout of a suite.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SuiteLayout {
    /// `LOGIC/NAME.smt2`, each check with its `:status`.
    #[default]
    Plain,
    /// cvc5's `test/regress/cli`: comments in the script name the options and the output.
    Cvc5,
    /// Z3's test repository: the output is in `NAME.expected.out` next to the script.
    Z3,
    /// Yices's `tests/regress`: output in `NAME.smt2.gold`, options in `NAME.smt2.options`.
    Yices,
}

/// A file of a suite.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SuiteFile {
    /// Its path below the suite's folder.
    pub path: String,
    /// Its contents.
    pub text: String,
}

/// All layouts with their names.
const LAYOUTS: [(&str, SuiteLayout); 4] = [
    ("plain", SuiteLayout::Plain),
    ("cvc5", SuiteLayout::Cvc5),
    ("z3", SuiteLayout::Z3),
    ("yices", SuiteLayout::Yices),
];

impl SuiteLayout {
    /// Returns the names of all layouts.
    pub fn names() -> impl Iterator<Item = &'static str> {
        LAYOUTS.iter().map(|(name, _)| *name)
    }

    /// Returns the files of a test, its script first.
    pub fn files(self, test: &SuiteTest) -> Vec<SuiteFile> {
        let SuiteTest { name, logic, options, .. } = test;
        let output: String = test.answers.iter().map(|answer| format!("{answer}\n")).collect();
        let file = |path: String, text: String| SuiteFile { path, text };
        let mut files = match self {
            SuiteLayout::Plain => vec![file(format!("{logic}/{name}.smt2"), headed(test, &test.stated()))],
            SuiteLayout::Cvc5 => {
                let mut head = String::new();
                if !options.is_empty() {
                    // Writing to a string cannot fail.
                    let _ = writeln!(head, "; COMMAND-LINE: {}", options.join(" "));
                }
                test.answers.iter().for_each(|answer| {
                    let _ = writeln!(head, "; EXPECT: {answer}");
                });
                vec![file(format!("regress0/{logic}/{name}.smt2"), head + &headed(test, &test.text))]
            }
            SuiteLayout::Z3 => vec![
                file(format!("regressions/smt2/{name}.smt2"), headed(test, &test.text)),
                file(format!("regressions/smt2/{name}.expected.out"), output),
            ],
            SuiteLayout::Yices => {
                let script = format!("regress/{logic}/{name}.smt2");
                let mut files =
                    vec![file(script.clone(), headed(test, &test.text)), file(format!("{script}.gold"), output)];
                if !options.is_empty() {
                    files.push(file(format!("{script}.options"), options.join(" ") + "\n"));
                }
                files
            }
        };
        if let Some(witness) = &test.witness {
            files.push(file(format!("witnesses/{name}.smt2"), witness.clone()));
        }
        files
    }
}

impl FromStr for SuiteLayout {
    type Err = String;

    fn from_str(text: &str) -> Result<SuiteLayout, String> {
        let found = LAYOUTS.iter().find(|(name, _)| *name == text).map(|(_, layout)| *layout);
        found.ok_or_else(|| {
            format!("'{text}' is not a layout; choose one of {}", SuiteLayout::names().collect::<Vec<_>>().join(", "))
        })
    }
}

/// Returns the script, preceded by its description.
fn headed(test: &SuiteTest, script: &str) -> String {
    let mut text = String::new();
    if let (Some(class), Some(solver)) = (test.class, &test.solver) {
        let _ = write!(text, "; {} of {solver}", class.meaning());
        if !test.options.is_empty() {
            let _ = write!(text, " with {}", test.options.join(" "));
        }
        text.push('\n');
    }
    let about = std::iter::once(format!("about: {}", test.about));
    let versions = test.versions.iter().map(|versions| format!("errs: {versions}"));
    for line in about.chain(versions).flat_map(|part| part.lines().map(str::to_string).collect::<Vec<_>>()) {
        let _ = writeln!(text, "; {line}");
    }
    text + script
}
