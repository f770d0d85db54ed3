//! Parses the output of `(apply T :print_benchmark true :print_model_converter true)`: formulas and the model conversion.
//!
//! The goals come first, of which only the precision is read; then all of them as one script, which declares fresh symbols (for several
//! goals, the disjunction is asserted); then a line for every symbol added or removed.

use rewrite::{Conversion, FreshSymbols, Precision};
use rustc_hash::FxHashMap;
use smtlib::parser::{parse_commands, parse_term};
use smtlib::printer::quote_symbol;
use smtlib::sexpr::{SexprNode, Sexprs, atoms, bare};
use smtlib::{Command, FuncId, Scope, Script, Store, TermId};

/// The result of another program's tactic.
pub struct DelegatedGoal {
    /// The formulas of the subgoal.
    pub formulas: Vec<TermId>,
    /// The relation of the subgoal to the goal.
    pub precision: Precision,
    /// The model conversion, applied from the last to the first; `None` if it is not understood.
    pub conversions: Option<Vec<Conversion>>,
}

/// A reader with the declarations of the goal.
pub struct AppliedReader<'s> {
    store: &'s mut Store,
    scope: Scope,
    /// The symbols by their names.
    known: FxHashMap<String, FuncId>,
    /// The program's fresh symbols, by its names for them, with our unique ones.
    renamed: FxHashMap<String, String>,
    fresh: FreshSymbols,
}

impl<'s> AppliedReader<'s> {
    /// Makes a reader with these declarations.
    /// Errors: a declared name may collide with one that the program makes up.
    pub fn new(store: &'s mut Store, declarations: &[Command]) -> Result<AppliedReader<'s>, String> {
        let reader = AppliedReader::over(store, declarations);
        match reader.known.keys().find(|name| is_like_fresh(name)) {
            Some(name) => Err(format!("`{name}` may be taken for a symbol of its own; rename it")),
            None => Ok(reader),
        }
    }

    /// Makes a reader with these declarations, for a program that avoids names in use.
    pub fn over(store: &'s mut Store, declarations: &[Command]) -> AppliedReader<'s> {
        let mut scope = Scope::new(store);
        let text = store.script_text(&Script { commands: declarations.to_vec() });
        parse_commands(store, &mut scope, &text);
        let mut known = FxHashMap::default();
        for command in declarations {
            if let Command::DeclareFun(f) = command {
                known.insert(store.name(store.func(*f).name).to_string(), *f);
            }
        }
        AppliedReader { store, scope, known, renamed: FxHashMap::default(), fresh: FreshSymbols::new("applied") }
    }

    /// Parses the output.
    /// Errors: a lowercase phrase with the reason: the tactic failed, or its result is not understood.
    pub fn read(mut self, said: &str) -> Result<DelegatedGoal, String> {
        let all = Sexprs::read(said);
        let mut applied =
            DelegatedGoal { formulas: Vec::new(), precision: Precision::Exact, conversions: Some(Vec::new()) };
        let mut goals = 0;
        for node in all.top() {
            let parts: Vec<SexprNode> = all.children(node).collect();
            let texts: Vec<&str> = parts.iter().map(|&part| all.text(part)).collect();
            match texts[..] {
                ["error", why] => return Err(why.trim_matches('"').to_string()),
                ["goals", ..] => {
                    for &goal in &parts[1..] {
                        goals += 1;
                        applied.precision = applied.precision.then(precision(&all, goal)?);
                    }
                }
                ["declare-fun", name, ..] if self.known.contains_key(bare(name)) => {}
                ["declare-fun", name, params, result] => self.declare(name, params, result)?,
                ["assert", term] => {
                    let term = self.term(term)?;
                    applied.formulas.push(term);
                }
                ["check-sat"] => {}
                ["model-del", name] => {
                    // Symbols added and removed again are irrelevant.
                    if let (Some(&f), Some(all)) = (self.ours(name), applied.conversions.as_mut()) {
                        all.push(Conversion::Forget(f));
                    }
                }
                ["model-add", name, params, result, body] => {
                    let conversion = self.definition(name, params, result, body);
                    add(&mut applied.conversions, conversion);
                }
                ["fpa2bv-model-converter", ..] => {
                    for &row in &parts[1..] {
                        let conversion = match all.children(row).map(|part| all.text(part)).collect::<Vec<_>>()[..] {
                            [name, body] => self.constant(name, body),
                            _ => None,
                        };
                        add(&mut applied.conversions, conversion);
                    }
                }
                _ if all.is_list(node) => applied.conversions = None,
                _ => return Err(format!("it says `{}`", all.text(node))),
            }
        }
        if goals == 0 {
            return Err("it printed no goal".to_string());
        }
        Ok(applied)
    }

    /// Returns the symbol with the program's name.
    pub(super) fn ours(&self, name: &str) -> Option<&FuncId> {
        let name = bare(name);
        self.known.get(self.renamed.get(name).map_or(name, String::as_str))
    }

    /// Declares a fresh symbol of the program under an unused name.
    pub(super) fn declare(&mut self, name: &str, params: &str, result: &str) -> Result<(), String> {
        let ours = self.fresh.name(self.store);
        let mut text = String::from("(declare-fun ");
        quote_symbol(&ours, &mut text);
        text.push_str(&format!(" {params} {result})"));
        let parsed = parse_commands(self.store, &mut self.scope, &text);
        match (parsed.errors.first(), parsed.script.commands.first()) {
            (None, Some(Command::DeclareFun(f))) => {
                self.known.insert(ours.clone(), *f);
                self.renamed.insert(bare(name).to_string(), ours);
                Ok(())
            }
            (error, _) => Err(format!(
                "its symbol {name} cannot be read: {}",
                error.map_or_else(|| "it is no declaration".to_string(), ToString::to_string)
            )),
        }
    }

    pub(super) fn term(&mut self, text: &str) -> Result<TermId, String> {
        let text = self.with_our_names(text);
        parse_term(self.store, &mut self.scope, &text).map_err(|error| format!("its formula cannot be read: {error}"))
    }

    /// Whether a term is a formula.
    pub(super) fn is_formula(&self, term: TermId) -> bool {
        self.store.is_bool(term)
    }

    /// Replaces the program's fresh symbols in a text by our names.
    fn with_our_names(&self, text: &str) -> String {
        let mut changed = String::with_capacity(text.len());
        let mut end = 0;
        for atom in atoms(text) {
            if let Some(ours) = self.renamed.get(bare(&text[atom.clone()])) {
                changed.push_str(&text[end..atom.start]);
                quote_symbol(ours, &mut changed);
                end = atom.end;
            }
        }
        changed.push_str(&text[end..]);
        changed
    }

    /// Parses a line of the model converter about a symbol; `None` if it is not understood.
    fn definition(&mut self, name: &str, params: &str, result: &str, body: &str) -> Option<Conversion> {
        let params = params.trim_start_matches('(').trim_end_matches(')').trim();
        if self.ours(name).is_none() && params.is_empty() {
            // A symbol between the goal and the subgoal.
            self.declare(name, "()", result).ok()?;
        }
        if params.is_empty() { self.constant(name, body) } else { None }
    }

    pub(super) fn constant(&mut self, name: &str, body: &str) -> Option<Conversion> {
        let symbol = *self.ours(name)?;
        let body = self.joined_bits(body)?;
        let term = self.term(&body).ok()?;
        (self.store.sort(term) == self.store.func(symbol).result).then_some(Conversion::Define { symbol, term })
    }

    /// Rewrites `(mkbv b0 b1 …)`, Z3's vector of Booleans from the lowest, in standard syntax; other terms are unchanged.
    fn joined_bits(&mut self, body: &str) -> Option<String> {
        let all = Sexprs::read_whole(body)?;
        let node = all.top().next()?;
        let Some(bits) = all.headed(node, "mkbv") else { return Some(body.to_string()) };
        let mut digits = Vec::with_capacity(bits.len());
        for &bit in bits.iter().rev() {
            let bit = all.text(bit);
            // A bit that the subgoal does not mention is not declared.
            if !bit.starts_with('(') && !matches!(bit, "true" | "false") && self.ours(bit).is_none() {
                self.declare(bit, "()", "Bool").ok()?;
            }
            digits.push(format!("(ite {bit} #b1 #b0)"));
        }
        match &digits[..] {
            [] => None,
            [one] => Some(one.clone()),
            many => Some(format!("(concat {})", many.join(" "))),
        }
    }
}

/// Whether a name looks like those that Z3 makes up without checking for collisions: `k!0`, `a!12`.
fn is_like_fresh(name: &str) -> bool {
    name.split_once('!').is_some_and(|(stem, number)| {
        stem.len() == 1 && !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit())
    })
}

/// Adds a conversion; one that is not understood invalidates the whole.
fn add(conversions: &mut Option<Vec<Conversion>>, conversion: Option<Conversion>) {
    match (conversions.as_mut(), conversion) {
        (Some(all), Some(conversion)) => all.push(conversion),
        _ => *conversions = None,
    }
}

/// Returns the precision of a printed goal.
pub(super) fn precision(all: &Sexprs<'_>, goal: SexprNode) -> Result<Precision, String> {
    let parts: Vec<&str> = all.children(goal).map(|part| all.text(part)).collect();
    let place = parts.iter().rposition(|&part| part == ":precision");
    match place.and_then(|n| parts.get(n + 1)).copied() {
        Some("precise") => Ok(Precision::Exact),
        Some("under") => Ok(Precision::Under),
        Some("over") => Ok(Precision::Over),
        Some("under-over") => Ok(Precision::UnderOver),
        other => Err(format!("a goal of the precision {} is not understood", other.unwrap_or("that is not told"))),
    }
}
