//! Terms, sorts, commands and scripts to text.

mod capture;
mod command;
mod dialect;
mod own_names;
mod sharing;
mod term;
mod text;

pub use crate::names::quote_symbol;
pub use dialect::Dialect;
pub use sharing::LetUse;
pub use text::{escape_string, push_function_name};

use crate::script::{Command, Script};
use crate::sort::SortId;
use crate::store_names::taken_prefix;
use crate::term::{Store, TermId};
use std::borrow::Cow;
use std::fmt::Write;

/// A printer over one store in one dialect; its scratch tables are reused from term to term.
pub struct Printer<'a> {
    store: &'a Store,
    dialect: &'a Dialect,
    /// The prefix of `let` variables, unique in the store.
    prefix: String,
    sharing: sharing::Sharing,
    capture: capture::Capture,
}

impl<'a> Printer<'a> {
    /// Makes a printer for the terms of `store`.
    pub fn new(store: &'a Store, dialect: &'a Dialect) -> Printer<'a> {
        Printer {
            store,
            dialect,
            prefix: taken_prefix(store),
            sharing: sharing::Sharing::default(),
            capture: capture::Capture::new(store, dialect),
        }
    }

    /// Returns the printer with another choice of terms to bind by `let`.
    pub fn with_lets(mut self, lets: LetUse) -> Printer<'a> {
        self.sharing.lets = lets;
        self
    }

    /// Appends `t`, with repeated subterms bound by `let` unless configured otherwise.
    pub fn term(&mut self, t: TermId, out: &mut String) {
        self.capture.prepare(self.store, self.dialect, &[], t);
        self.print_term(t, out);
    }

    /// Appends a sort.
    pub fn sort(&self, s: SortId, out: &mut String) {
        text::push_sort(self.store, Some(self.dialect), s, out);
    }

    /// Appends a command, without a line end.
    pub fn command(&mut self, command: &Command, out: &mut String) {
        self.print_command(command, out);
    }

    /// Appends a whole script, one command per line. Bound variables have the original names wherever these capture nothing; single terms
    /// and commands use the reader's names.
    pub fn script(&mut self, script: &Script, out: &mut String) {
        self.capture.restores = true;
        let named = script.commands.iter().find_map(|command| match command {
            Command::SetLogic(logic) => Some(self.store.name(*logic)),
            _ => None,
        });
        let logic = self.dialect.logic(named, || crate::logic::of_script(self.store, script));
        if let (None, Some(logic)) = (named, &logic) {
            let _ = writeln!(out, "(set-logic {logic})");
        }
        for command in &script.commands {
            match (command, &logic) {
                (Command::SetLogic(_), Some(Cow::Owned(logic))) => {
                    let _ = write!(out, "(set-logic {logic})");
                }
                _ => self.command(command, out),
            }
            out.push('\n');
        }
        self.capture.restores = false;
    }
}

impl Store {
    /// Returns a sort as text.
    pub fn sort_text(&self, s: SortId) -> String {
        let mut out = String::new();
        text::push_sort(self, None, s, &mut out);
        out
    }

    /// Returns a term as text in the standard's dialect.
    pub fn term_text(&self, t: TermId) -> String {
        let mut out = String::new();
        Printer::new(self, &Dialect::default()).term(t, &mut out);
        out
    }

    /// Returns a script as text in the standard's dialect.
    pub fn script_text(&self, script: &Script) -> String {
        let mut out = String::new();
        Printer::new(self, &Dialect::default()).script(script, &mut out);
        out
    }
}
