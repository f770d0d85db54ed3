//! Asking z3, where there is one, for models of goals.

use semantics::{Model, read_model};
use smtlib::{Command, Dialect, Instance, Printer, Script, Sort, Store, TermId};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

/// A z3 that reads its standard input.
pub struct Z3 {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Z3 {
    /// The program named by `SQUALL_Z3`, or `z3` on the path; none, with a word, if there is none.
    pub fn start() -> Option<Z3> {
        let program = std::env::var("SQUALL_Z3").unwrap_or_else(|_| "z3".to_string());
        let spawned = std::process::Command::new(program)
            .args(["-in", "-t:2000"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn();
        let Ok(mut child) = spawned else {
            println!("skipped: no z3");
            return None;
        };
        let input = child.stdin.take()?;
        let output = BufReader::new(child.stdout.take()?);
        Some(Z3 { child, input, output })
    }

    /// What z3 says: a model, none, or nothing.
    pub fn decide(&mut self, store: &mut Store, formulas: &[TermId]) -> Option<Option<Model>> {
        let mut commands = Vec::new();
        for (_, sort) in store.sorts.iter() {
            if let Sort::Uninterpreted(name, args) = sort {
                commands.push(Command::DeclareSort(*name, args.len() as u32));
            }
        }
        commands.extend(super::declarations(store, formulas));
        let declarations = commands.clone();
        commands.extend(formulas.iter().map(|&t| Command::Assert(t, None)));
        commands.push(Command::CheckSat);
        let mut text = String::from("(reset)\n(set-option :produce-models true)\n");
        Printer::new(store, &Dialect::default()).script(&Script { commands }, &mut text);
        text.push_str("\n(echo \"end\")\n");
        let answer = self.ask(&text)?;
        match answer.trim() {
            "unsat" => Some(None),
            "sat" => {
                let model = self.ask("(get-model)\n(echo \"end\")\n")?;
                let instance = Instance { declarations, assertions: formulas.to_vec(), ..Instance::default() };
                read_model(store, &instance, &model).ok().map(Some)
            }
            "unknown" | "timeout" => None,
            other => panic!("z3 says {other} of\n{text}"),
        }
    }

    fn ask(&mut self, text: &str) -> Option<String> {
        self.input.write_all(text.as_bytes()).ok()?;
        self.input.flush().ok()?;
        let mut answer = String::new();
        loop {
            let mut line = String::new();
            if self.output.read_line(&mut line).ok()? == 0 {
                return None;
            }
            if line.trim() == "end" {
                return Some(answer);
            }
            answer.push_str(&line);
        }
    }
}

impl Drop for Z3 {
    fn drop(&mut self) {
        // Nothing can be done about a process that is already gone.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
