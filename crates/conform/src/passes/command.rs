//! The commands that make a solver apply a pass and print the result.

use super::after::AfterPass;
use super::problem::PassProblem;
use serde::Deserialize;
use smtlib::sexpr::Sexprs;

/// The time limit of a pass in milliseconds, if the solver supports it.
const PASS_TIME: u32 = 500;

/// The command that prints the result of a pass on assertions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PassCommand {
    /// `(apply T)`, the pass being a tactic.
    Apply,
    /// `:output post-asserts` at a `check-sat`; the pass consists of options of preprocessing.
    PostAsserts,
}

/// How a solver applies a pass.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PassSyntax {
    /// The command.
    pub command: PassCommand,
    /// Options that every question needs, as on a command line.
    pub options: Vec<String>,
}

impl PassSyntax {
    /// Returns a script that sets up the problem for several passes; empty if each pass needs its own setup.
    pub fn setup(&self, problem: &PassProblem) -> String {
        match self.command {
            PassCommand::Apply => problem.text(),
            PassCommand::PostAsserts => String::new(),
        }
    }

    /// Returns the commands after the setup.
    pub fn question(&self, problem: &PassProblem, pass: &str) -> String {
        match self.command {
            PassCommand::Apply => format!("(apply {pass} :print_benchmark true :timeout {PASS_TIME})\n"),
            PassCommand::PostAsserts => {
                let own = "(set-option :output post-asserts)\n(set-option :preprocess-only true)\n";
                format!("(reset)\n{own}{}", self.with_options(problem, pass))
            }
        }
    }

    /// Returns a complete script that shows the result of the pass on the problem.
    pub fn script(&self, problem: &PassProblem, pass: &str) -> String {
        match self.command {
            PassCommand::Apply => format!("{}(apply {pass})\n", problem.text()),
            PassCommand::PostAsserts => self.question(problem, pass).replacen("(reset)\n", "", 1),
        }
    }

    /// Returns a script in which the solver decides the problem after the pass.
    pub fn check(&self, problem: &PassProblem, pass: &str) -> String {
        match self.command {
            PassCommand::Apply => format!("{}(check-sat-using (then {pass} smt))\n", problem.text()),
            PassCommand::PostAsserts => self.with_options(problem, pass),
        }
    }

    /// Returns the problem as a script with a pass's options.
    fn with_options(&self, problem: &PassProblem, pass: &str) -> String {
        let given = self.options.iter().map(String::as_str).chain(pass.split_ascii_whitespace());
        let options: String = given.map(option_command).collect();
        format!("{options}(set-logic {})\n{}(check-sat)\n", problem.logic, problem.text())
    }

    /// Parses the solver's output for a question.
    /// Errors: why it cannot be read.
    pub fn read(&self, problem: &PassProblem, text: &str) -> Result<AfterPass, String> {
        match self.command {
            PassCommand::Apply => AfterPass::of_apply(problem, text),
            PassCommand::PostAsserts => AfterPass::of_post_asserts(text),
        }
    }

    /// Returns the steps of a composed pass.
    pub fn steps(&self, pass: &str) -> Vec<String> {
        match self.command {
            PassCommand::Apply => {
                let all = Sexprs::read(pass);
                let steps =
                    all.top().next().and_then(|node| all.headed(node, "then").or_else(|| all.headed(node, "and-then")));
                let steps: Vec<String> = steps.into_iter().flatten().map(|step| all.text(step).to_string()).collect();
                if steps.is_empty() { vec![pass.to_string()] } else { steps }
            }
            PassCommand::PostAsserts => pass.split_ascii_whitespace().map(str::to_string).collect(),
        }
    }

    /// Composes a pass from steps; without steps, it does nothing.
    pub fn pass_of(&self, steps: &[String]) -> String {
        match (self.command, steps) {
            (PassCommand::Apply, []) => "skip".to_string(),
            (PassCommand::Apply, [step]) => step.clone(),
            (PassCommand::Apply, steps) => format!("(then {})", steps.join(" ")),
            (PassCommand::PostAsserts, steps) => steps.join(" "),
        }
    }

    /// Names the component at fault if even a pass without steps is wrong.
    pub fn before_all_steps(&self) -> &'static str {
        match self.command {
            PassCommand::Apply => "reading and printing",
            PassCommand::PostAsserts => "preprocessing by default",
        }
    }
}

/// Converts `--name=value`, `--name` or `--no-name` to a command of a script.
fn option_command(argument: &str) -> String {
    let bare = argument.trim_start_matches('-');
    let (name, value) = match (bare.split_once('='), bare.strip_prefix("no-")) {
        (Some(pair), _) => pair,
        (None, Some(name)) => (name, "false"),
        (None, None) => (bare, "true"),
    };
    format!("(set-option :{name} {value})\n")
}
